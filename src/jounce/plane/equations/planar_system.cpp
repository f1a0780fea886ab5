#include "jounce/plane/equations/planar_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "jounce/base/index.hpp"
#include "jounce/base/require.hpp"
#include "jounce/base/text.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace jounce {
namespace {

}  // namespace

std::string Constraint::text() const { return std::string(planar::word(group)) + " '" + name + "'"; }

std::string AppliedForce::text() const { return (kind == planar::ForceKind::friction ? "joint '" : "force '") + name + "'"; }

PlanarSystem::PlanarSystem() : impl_(std::make_unique<Impl>()) {}
PlanarSystem::PlanarSystem(PlanarSystem&&) noexcept = default;
PlanarSystem& PlanarSystem::operator=(PlanarSystem&&) noexcept = default;
PlanarSystem::~PlanarSystem() = default;

PrescribedMotion clock_motion(std::string owner, Where where) {
  return {TimeFunction(*Expression::parse("t", {{}, {"t"}})), std::move(owner), where, false};
}

PlanarSystem::Builder::Builder(const PlanarSystem& from) {
  PlanarSystem& system = system_;
  system.bodies_ = from.bodies_;
  system.length_scale_ = from.length_scale_;
  system.constraints_ = from.constraints_;
  system.motions_ = from.motions_;
  system.forces_ = from.forces_;
  system.signals_ = from.signals_;
  system.rubbing_ = from.rubbing_;
  system.force_motions_ = from.force_motions_;
  system.quantities_ = from.quantities_;
  system.mass_ = from.mass_;
  system.gravity_ = from.gravity_;
  // What `finish` works out from these is left to it.
  system.impl_->each([&]<template <class> class E>(Batch<E>& batch) {
    const auto& other = std::get<Batch<E>>(from.impl_->batches);
    batch.elements = other.elements;
    batch.constraint = other.constraint;
  });
  system.impl_->each_force([&]<template <class> class F>(ForceBatch<F>& batch) {
    const auto& other = std::get<ForceBatch<F>>(from.impl_->force_batches);
    batch.elements = other.elements;
    batch.force = other.force;
    batch.signal = other.signal;
  });
}

PlanarSystem PlanarSystem::Builder::finish() {
  PlanarSystem& system = system_;
  PlanarSystem::Impl& impl = *system.impl_;

  // Rows: type by type, so that a batch's residuals lie together.
  int row = 0, lane_row = 0, record = 0;
  impl.each([&]<template <class> class E>(Batch<E>& batch) {
    batch.first_row = row;
    batch.first_lane_row = lane_row;
    batch.first_record = record;
    batch.set_blocks();
    lane_row += batch.lane_rows();
    record += batch.records();
    for (int e = 0; e < batch.size(); ++e) {
      Constraint& c = system.constraints_[z(batch.constraint[z(e)])];
      c.first_row = row + e * Batch<E>::K::kRows;
      c.rows = Batch<E>::K::kRows;
      c.bodies = batch.bodies_of(e);
      system.owner_.insert(system.owner_.end(), z(c.rows), batch.constraint[z(e)]);
      if (c.group == planar::Group::joint) system.joint_equations_ += c.rows;
    }
    row += batch.size() * Batch<E>::K::kRows;
  });

  unsigned bit = 1;
  impl.each([&](const auto& batch) { impl.present |= batch.size() > 0 ? bit : 0U, bit <<= 1U; });
  bit = 1;
  impl.each_force([&](const auto& batch) { impl.forces_present |= batch.size() > 0 ? bit : 0U, bit <<= 1U; });
  impl.lane_rows = lane_row;
  impl.records = record;

  // Pattern of the Jacobian, by columns.
  std::vector<std::vector<int>> columns(z(system.coordinates()));
  impl.each([&](const auto& batch) {
    batch.pattern([&](int r, int body, int column) {
      if (body > 0) columns[z(3 * (body - 1) + column)].push_back(r);
    });
  });
  SparsePattern& p = system.pattern_;
  p.rows = row;
  p.columns = system.coordinates();
  p.start.assign(1, 0);
  for (auto& column : columns) {
    std::ranges::sort(column);
    column.erase(std::unique(column.begin(), column.end()), column.end());
    p.row.insert(p.row.end(), column.begin(), column.end());
    p.start.push_back(static_cast<int>(p.row.size()));
  }
  impl.each_force([&]<template <class> class F>(ForceBatch<F>& batch) {
    bool constant = ForceBatch<F>::kPlain;
    for (int e = 0; e < batch.size(); ++e) {
      AppliedForce& force = system.forces_[z(batch.force[z(e)])];
      force.bodies = batch.bodies_of(e);
      const auto see = [&](const laws::StateExpression& law) {
        for (const int quantity : law.quantities) force.seen.push_back(system.quantities_[z(quantity)].body);
      };
      force.seen.clear();
      for (const ForceComponent& motion : system.force_motions_) {
        if (motion.owner != force.name) continue;
        constant = constant && motion.function.is_constant();
        if (const laws::StateExpression* law = motion.function.of_state()) see(*law);
      }
      if (force.signal >= 0)
        for (const laws::StateExpression& law : system.signals_[z(force.signal)].laws) see(law);
    }
    batch.constant = constant;
    batch.finish(system.bodies());
  });
  const int scratch = p.entries();
  impl.each([&](auto& batch) {
    batch.finish(system.bodies(), [&](int r, int column) {
      if (column < 0 || r < 0) return scratch;
      const auto begin = p.row.begin() + p.start[z(column)], end = p.row.begin() + p.start[z(column) + 1];
      return static_cast<int>(std::lower_bound(begin, end, r) - p.row.begin());
    });
  });
  return std::move(system_);
}

std::vector<const planar::EquationLaw*> PlanarSystem::own_equations() const {
  std::vector<const planar::EquationLaw*> out;
  for (const auto& element : std::get<Batch<planar::Equation>>(impl_->batches).elements) out.push_back(element.law.get());
  return out;
}

struct Evaluation::Impl {
  std::vector<FrameRecord> frames;  // [order][body]
  std::vector<double> motions;      // [order][motion]
  std::vector<BatchMemory> memory;  // by batch
  std::vector<double> residual, coefficient, jacobian;
  std::vector<planar::Scale> scales;
};

Evaluation::Evaluation(const PlanarSystem& system, int order) : system_(&system), order_(order), impl_(std::make_unique<Impl>()) {
  Impl& w = *impl_;
  w.frames.resize(z((order + 1) * (system.bodies() + 1)));
  w.frames[0].c = 1;
  w.motions.assign(z(order + 1) * std::max<std::size_t>(system.motions().size(), 1), 0.0);
  system.impl_->each([&](const auto& batch) { w.memory.push_back(batch.memory(order)); });
  w.residual.assign(z(system.equations()), 0.0);
  w.coefficient.assign(z(system.equations()), 0.0);
  w.jacobian.assign(z(system.pattern().entries()) + 1, 0.0);
  w.scales.resize(z(system.equations()));
  std::vector<planar::Frame<double>> frames(z(system.bodies() + 1));
  const std::vector<double> ones(system.motions().size(), 1.0);
  const planar::World<double> world{frames, ones};
  system.impl_->each([&](const auto& batch) {
    std::size_t row = z(batch.first_row);
    for (const auto& element : batch.elements)
      for (const planar::Scale& scale : element.scale(world)) w.scales[row++] = scale;
  });
}

Evaluation::~Evaluation() = default;
Evaluation::Evaluation(Evaluation&&) noexcept = default;

std::optional<MotionFault> Evaluation::set_time(double t) {
  Impl& w = *impl_;
  time_ = t;
  const auto count = system_->motions().size();
  for (std::size_t m = 0; m < count; ++m) {
    const PrescribedMotion& motion = system_->motions()[m];
    const auto take = [&](const auto& f) {
      for (int k = 0; k <= order_; ++k) w.motions[z(k) * count + m] = f[k];
    };
    std::optional<ExpressionFault> fault;
    if (order_ == 0) {
      fault = motion.function.evaluate(t, w.motions[m]);
    } else if (order_ <= 4) {
      Series<4> f;
      fault = motion.function.evaluate(Series<4>::time(t), f);
      if (!fault) take(f);
    } else {
      AnySeries f(order_);
      fault = motion.function.evaluate(AnySeries::time(t, order_), f);
      if (!fault) take(f);
    }
    if (fault) return MotionFault{static_cast<int>(m), fault->sentence, fault->column};
    if (motion.must_be_positive && !(w.motions[m] > 0))
      return MotionFault{static_cast<int>(m), "a distance must stay greater than 0, but the motion is " + short_number(w.motions[m]), 0};
  }
  // Only a driven distance has a scale that changes with time.
  system_->impl_->each([&]<template <class> class E>(const Batch<E>& batch) {
    if constexpr (requires { E<double>::motion_must_be_positive; }) {
      const planar::World<double> world{{}, {w.motions.data(), count}};
      std::size_t row = z(batch.first_row);
      for (const auto& element : batch.elements)
        for (const planar::Scale& scale : element.scale(world)) w.scales[row++] = scale;
    }
  });
  return std::nullopt;
}

double Evaluation::motion(int m, int k) const { return motions(k)[z(m)]; }
std::span<const double> Evaluation::motions(int k) const {
  const std::size_t count = system_->motions().size();
  return std::span(impl_->motions).subspan(z(k) * count, count);
}

std::span<const double> Evaluation::set_position(std::span<const double> q) {
  Impl& w = *impl_;
  for (int b = 1; b <= system_->bodies(); ++b) {
    const double* at = q.data() + 3 * (b - 1);
    const SinCos<double> turn = sincos(at[2]);
    w.frames[z(b)] = {{at[0], at[1], turn.cos, turn.sin, at[2]}};
  }
  std::size_t i = 0;
  system_->impl_->each([&](const auto& batch) {
    batch.value(w.frames.data(), w.motions.data(), order_, w.memory[i++], w.residual.data());
  });
  return w.residual;
}

std::span<const double> Evaluation::jacobian() {
  Impl& w = *impl_;
  std::ranges::fill(w.jacobian, 0.0);
  std::size_t i = 0;
  system_->impl_->each([&](const auto& batch) { batch.jacobian(w.frames.data(), order_, w.memory[i++], w.jacobian.data()); });
  return {w.jacobian.data(), w.jacobian.size() - 1};
}

std::optional<Fault> Evaluation::without_value() const {
  std::optional<Fault> out;
  std::size_t i = 0;
  system_->impl_->each([&]<template <class> class E>(const Batch<E>& batch) {
    const BatchMemory& own = impl_->memory[i++];
    if constexpr (requires { batch.without_value(own, system_->constraints()); }) out = batch.without_value(own, system_->constraints());
  });
  return out;
}

std::span<const planar::Scale> Evaluation::scales() const { return impl_->scales; }
std::span<const double> Evaluation::residual() const { return impl_->residual; }

double Evaluation::worst_residual() const {
  double worst = 0;
  for (std::size_t r = 0; r < impl_->residual.size(); ++r) {
    const double error = std::abs(impl_->residual[r]) / impl_->scales[r].divisor;
    if (!(error <= worst)) worst = error;  // keeps NaN
  }
  return worst;
}

std::span<const double> Evaluation::open(int k) {
  Impl& w = *impl_;
  const int stride = system_->bodies() + 1;
  FrameRecord* frames = w.frames.data() + k * stride;
  // k c_k = −Σ i φ_i s_{k−i},  k s_k = Σ i φ_i c_{k−i};  the term i = k waits for φ_k
  for (int b = 1; b < stride; ++b) {
    double c = 0, s = 0;
    for (int i = 1; i < k; ++i) {
      const FrameRecord &lower = w.frames[z(i * stride + b)], &rest = w.frames[z((k - i) * stride + b)];
      c -= i * lower.phi * rest.s;
      s += i * lower.phi * rest.c;
    }
    frames[b] = {{0, 0, c / k, s / k, 0}};
  }
  const double* motions = w.motions.data() + z(k) * system_->motions().size();
  std::size_t i = 0;
  system_->impl_->each([&](const auto& batch) { batch.open(k, frames, motions, order_, w.memory[i++], w.coefficient.data()); });
  return w.coefficient;
}

void Evaluation::close(int k, std::span<const double> q_k) {
  Impl& w = *impl_;
  const int stride = system_->bodies() + 1;
  FrameRecord* frames = w.frames.data() + k * stride;
  for (int b = 1; b < stride; ++b) {
    const double* at = q_k.data() + 3 * (b - 1);
    FrameRecord& f = frames[b];
    f.x = at[0], f.y = at[1], f.phi = at[2];
    f.c -= at[2] * w.frames[z(b)].s;
    f.s += at[2] * w.frames[z(b)].c;
  }
  const double* motions = w.motions.data() + z(k) * system_->motions().size();
  std::size_t i = 0;
  system_->impl_->each([&](const auto& batch) { batch.close(k, frames, motions, order_, w.memory[i++]); });
}

std::span<const planar::FrameRecord> Evaluation::frames(int k) const {
  const std::size_t stride = z(system_->bodies() + 1);
  return {impl_->frames.data() + z(k) * stride, stride};
}

std::vector<double> PlanarSystem::alignments(std::span<const double> q, double t) const {
  std::vector<double> out(constraints_.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<planar::Frame<double>> frames(z(bodies_ + 1));
  frames[0].c = 1;
  for (int b = 1; b <= bodies_; ++b) {
    const double* at = q.data() + 3 * (b - 1);
    const SinCos<double> turn = sincos(at[2]);
    frames[z(b)] = {at[0], at[1], turn.cos, turn.sin, at[2]};
  }
  std::vector<double> values(motions_.size(), 0.0);
  for (std::size_t m = 0; m < motions_.size(); ++m) (void)motions_[m].function.evaluate(t, values[m]);
  const planar::World<double> world{frames, values};
  impl_->each([&](const auto& batch) {
    for (int e = 0; e < batch.size(); ++e)
      if constexpr (requires { batch.elements[0].alignment(world); })
        out[z(batch.constraint[z(e)])] = batch.elements[z(e)].alignment(world);
  });
  return out;
}

}  // namespace jounce
