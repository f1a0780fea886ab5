// The power of a motion that is neither kinetic nor potential energy, as a power series: that of the drivers, λ ∂Φ/∂f · f', and of what forces
// do beyond their potential energy, effort · rate.
//
// Every factor is a series that an expansion has left behind, so that its integral over a step costs a product of series for each force and each
// driver. The product is that of the polynomials, with all its terms: a step is as long as the motion allows, which may be a polynomial exactly
// where twice its order is not small.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "jounce/plane/equations/direct.hpp"
#include "jounce/plane/equations/equations_of_motion_impl.hpp"
#include "jounce/plane/equations/own_equation.hpp"

namespace jounce {
namespace {

/// Of series whose length is known when this is compiled: orders up to the first are usual, up to the second the most there are.
constexpr int kUsualOrder = 22, kHighestOrder = 40;

constexpr int kMostCoefficients = 2 * kHighestOrder;

/// Coefficients of a polynomial. Four that lie together can be taken at once, also where it begins and ends: there are zeros on both sides.
class Polynomial {
 public:
  explicit Polynomial(int size) : size_(size) {
    for (int i = 0; i < kMargin; ++i) value_[z(i)] = value_[z(kMargin + size + i)] = 0;
  }
  /// Of coefficients one after another: `at(i)`.
  template <class At>
  Polynomial(int size, const At& at) : Polynomial(size) {
    for (int i = 0; i < size; ++i) (*this)[i] = at(i);
    while (size_ > 1 && (*this)[size_ - 1] == 0) --size_;  // a motor at constant speed
  }
  double& operator[](int i) { return value_[z(kMargin + i)]; }
  double operator[](int i) const { return value_[z(kMargin + i)]; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] std::span<double> all() { return std::span(value_).subspan(kMargin, z(size_)); }
  [[nodiscard]] bool is_zero() const {
    return std::all_of(value_.begin() + kMargin, value_.begin() + kMargin + size_, [](double x) { return x == 0; });
  }
  [[nodiscard]] Lanes four(int first) const {
    Lanes out;
    std::memcpy(&out, value_.data() + kMargin + first, sizeof out);
    return out;
  }

 private:
  static constexpr int kMargin = kLanes;
  int size_;
  std::array<double, z(kMostCoefficients + 2 * kMargin)> value_;  // not all of it is in use
};

// Adds the product of two polynomials to `out`, as far as that goes: four coefficients of it at a time, so that sums stay in registers.
void add_product(const Polynomial& a, const Polynomial& b, std::span<double> out) {
  const int count = std::min(a.size() + b.size() - 1, static_cast<int>(out.size()));
  for (int k = 0; k < count; k += kLanes) {
    const int last = std::min(a.size() - 1, k + kLanes - 1);
    int i = std::max(0, k - b.size() + 1);
    Lanes sum = Lanes::all(0), other = sum;
    for (; i < last; i += 2) {
      sum = sum + Lanes::all(a[i]) * b.four(k - i);
      other = other + Lanes::all(a[i + 1]) * b.four(k - i - 1);
    }
    if (i == last) sum = sum + Lanes::all(a[i]) * b.four(k - i);
    sum = sum + other;
    for (int lane = 0; lane < kLanes && k + lane < count; ++lane) out[z(k + lane)] += sum[lane];
  }
}

// Whether f is only added to other things in a residual: ∂Φ/∂f is then a constant.
template <class Source>
constexpr bool motion_is_added = [] {
  const planar::Tape& tape = Source::tape;
  std::array<bool, planar::Tape::kCapacity> has{};
  for (int i = 0; i < tape.size; ++i) {
    const planar::Node& node = tape[i];
    using planar::Op;
    if (node.op == Op::motion) has[z(i)] = true;
    if (node.op != Op::add && node.op != Op::subtract && node.op != Op::multiply && node.op != Op::divide && node.op != Op::root) continue;
    const bool any = has[z(node.a)] || (node.op != Op::root && has[z(node.b)]);
    if (any && node.op != Op::add && node.op != Op::subtract) return false;
    has[z(i)] = any;
  }
  return true;
}();

// ∂Φ/∂f of each row of one driver, as series of order K: frames(k) and f(k) are coefficients.
template <int K, template <class> class E, class Frames, class Function>
auto by_motion(const direct::LocalConstraint<E>& local, int orders, const Frames& frames, const Function& f) {
  using Local = direct::LocalConstraint<E>;
  using S = Series<K>;
  using D = Dual<Local::kMotions, S>;
  std::array<planar::Frame<D>, z(Local::kSlots)> places;
  for (std::size_t s = 0; s < places.size(); ++s)
    for (int k = 0; k < orders; ++k) {
      const planar::FrameRecord& at = frames(k)[local.bodies[s]];
      planar::Frame<D>& to = places[s];
      to.x.v[k] = at.x, to.y.v[k] = at.y, to.c.v[k] = at.c, to.s.v[k] = at.s, to.phi.v[k] = at.phi;
    }
  std::array<D, z(Local::kMotions)> motions;
  for (int m = 0; m < Local::kMotions; ++m) {
    S series;
    for (int k = 0; k < orders; ++k) series[k] = f(m, k);
    motions[z(m)] = D::variable(series, m);
  }
  return local.element.residual(planar::World<D>{places, motions});
}

}  // namespace

void EquationsOfMotion::power(int order, std::span<double> out) const {
  const Impl& w = *impl_;
  const int n = order - 1;  // coefficients of multipliers, efforts and rates
  std::ranges::fill(out, 0.0);

  // forces
  w.system.each_force_present([&]<template <class> class F>(const ForceBatch<F>& batch, std::size_t type) {
    using Batch = ForceBatch<F>;
    constexpr bool kKeeps = requires(const F<double>& f, const planar::ForceInput<double, z(Batch::kMeasures)>& at) { f.potential(at.x); };
    constexpr bool kLoses = requires(const F<double>& f, const planar::ForceInput<double, z(Batch::kMeasures)>& at) { f.lost(at); };
    if constexpr (kKeeps && !kLoses) return;
    const ForceMemory& memory = w.force_memory[type];
    for (int e = 0; e < batch.size(); ++e) {
      const F<double>& element = batch.elements[z(e)];
      // measures that no effort depends on are not kept: they are linear in the frames, order by order
      const direct::LocalForce<F> local(element);
      const auto measure = [&](int m, int k) {
        if constexpr (Batch::kReadsMeasures || Batch::KM::kKept > 0) {
          return batch.x(memory, e, m, k, order_);
        } else {
          std::array<planar::Frame<double>, z(direct::LocalForce<F>::kSlots)> places;
          for (std::size_t s = 0; s < places.size(); ++s) places[s] = w.bodies.frames(k)[local.bodies[s]];
          return local.element.measures(planar::World<double>{places, {}})[z(m)];
        }
      };
      const int s = batch.signal[z(e)];
      for (int m = 0; m < Batch::kMeasures; ++m) {
        const Polynomial rate(n, [&](int i) { return (i + 1) * measure(m, i + 1); });
        const Polynomial effort(n, [&](int i) {
          if constexpr (kLoses) {
            const double signal = s >= 0 ? w.signal_values[z(i) * w.signals.size() + z(s)] : 0.0;
            planar::ForceInput<double, z(Batch::kMeasures)> at{.signal = signal};
            for (int r = 0; r < Batch::kMeasures; ++r) at.rate[z(r)] = (i + 1) * measure(r, i + 1);
            return element.lost(at)[z(m)];
          } else {
            return batch.effort(memory, e, m, i, order_);
          }
        });
        if (!effort.is_zero()) add_product(effort, rate, out);
      }
    }
  });

  // drivers
  w.system.each_present([&]<template <class> class E>(const Batch<E>& batch, std::size_t) {
    if constexpr (std::is_same_v<E<double>, planar::Equation<double>>) {
      add_own_power(batch, n, out);
    } else if constexpr (direct::LocalConstraint<E>::kMotions > 0) {
      using Local = direct::LocalConstraint<E>;
      const auto frames = [&](int k) { return w.bodies.frames(k); };
      for (int e = 0; e < batch.size(); ++e) {
        const Local local(batch.elements[z(e)]);
        const auto f = [&](int m, int k) { return w.motions_at(k)[local.motions[z(m)]]; };
        const auto lambda = [&](int r, int k) {
          return reinterpret_cast<const double*>(w.multipliers.data() + z(k) * z(w.system.lane_rows))[batch.lane_row(e, r)];
        };
        const auto add = [&](const auto& rows) {
          constexpr int kBy = std::decay_t<decltype(rows[0].v)>::order() + 1;
          const int by_count = std::min(kBy, n);
          for (int m = 0; m < Local::kMotions; ++m) {
            Polynomial effort(n + by_count - 1);
            std::ranges::fill(effort.all(), 0.0);
            for (int r = 0; r < static_cast<int>(rows.size()); ++r)
              add_product(Polynomial(by_count, [&](int i) { return rows[z(r)].d[z(m)][i]; }), Polynomial(n, [&](int i) { return lambda(r, i); }), effort.all());
            add_product(effort, Polynomial(n, [&](int i) { return (i + 1) * f(m, i + 1); }), out);
          }
        };
        if constexpr (motion_is_added<planar::ResidualOf<E>>) add(by_motion<0, E>(local, 1, frames, f));
        else if (n <= kUsualOrder + 1) add(by_motion<kUsualOrder, E>(local, n, frames, f));
        else add(by_motion<kHighestOrder, E>(local, n, frames, f));
      }
    }
  });
}

// An equation that depends on t moves what it holds: λ ∂phi/∂t.
void EquationsOfMotion::add_own_power(const Batch<planar::Equation>& batch, int n, std::span<double> out) const {
  const Impl& w = *impl_;
  for (int e = 0; e < batch.size(); ++e) {
    const planar::EquationLaw& law = *batch.elements[z(e)].law;
    if (law.by_time.is_constant() && law.by_time.program().constant == 0) continue;
    std::vector<std::vector<double>> u(law.quantities.size() + 1, std::vector<double>(z(n)));
    std::vector<const double*> variables;
    for (int k = 0; k < n; ++k) {
      u[0][z(k)] = w.clock[z(k)];
      for (std::size_t i = 0; i < law.quantities.size(); ++i) {
        const planar::StateQuantity& quantity = law.quantities[i];
        if (quantity.body > 0 || k == 0) u[i + 1][z(k)] = quantity.of_frame(w.bodies.frames(k)[quantity.body]);
      }
    }
    variables.reserve(u.size());
    for (const auto& coefficients : u) variables.push_back(coefficients.data());
    ExpressionSeries by_time(law.by_time, n);
    Polynomial rate(n), lambda(n);
    for (int k = 0; k < n; ++k) {
      if (by_time.coefficient(k, variables, rate[k])) rate[k] = std::numeric_limits<double>::quiet_NaN();
      lambda[k] = reinterpret_cast<const double*>(w.multipliers.data() + z(k) * z(w.system.lane_rows))[batch.lane_row(e, 0)];
    }
    add_product(rate, lambda, out);
  }
}

double power_of_own_equations(const PlanarSystem& system, double t, std::span<const double> q, std::span<const double> lambda) {
  const auto& batch = std::get<Batch<planar::Equation>>(system.impl().batches);
  double sum = 0;
  for (int e = 0; e < batch.size(); ++e) {
    const planar::Equation<double>& element = batch.elements[z(e)];
    if (element.clock < 0) continue;
    const auto places = direct::places_of<double>(*element.law, [&](int column) { return q[z(column)]; });
    sum += direct::by_time<double>(*element.law, t, places) * lambda[z(system.constraints()[z(batch.constraint[z(e)])].first_row)];
  }
  return sum;
}

}  // namespace jounce
