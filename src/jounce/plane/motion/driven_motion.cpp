#include "jounce/plane/motion/driven_motion.hpp"
#include "jounce/base/index.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "jounce/scalar/scalar.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jounce {
namespace {

constexpr int kNewtonIterations = 12;
/// A correction this small is rounding: position and factors of Φq belong together to the last digits that matter.
constexpr double kNoCorrection = 4e-15;
/// Close to a singular position rounding is larger; corrections that stop shrinking below this are accepted.
constexpr double kSmallCorrection = 1e-9;

}  // namespace

PlaneDrivenMotion::PlaneDrivenMotion(const PlaneMechanism& mechanism, int order)
    : mechanism_(mechanism),
      system_(mechanism.system),
      evaluation_(system_, order),
      lu_(system_.pattern()),
      length_(system_.length_scale()) {
  const PlanarSystem& system = system_;
  trial_.resize(z(system.coordinates()));
  step_.resize(z(system.coordinates()));
  for (int i = 0; i < system.coordinates(); ++i) {
    units_.push_back(i % 3 == 2 ? 1.0 : length_);
    direction_.push_back(1.0 + 0.3 * sincos(static_cast<double>(3 * i)).sin);  // nothing special
  }
  weights_.resize(z(system.equations()));
  weigh();
  for (const PrescribedMotion& motion : system.motions()) scales_change_ = scales_change_ || motion.must_be_positive;
}

void PlaneDrivenMotion::weigh() {
  const auto scales = evaluation_.scales();
  for (std::size_t r = 0; r < weights_.size(); ++r)
    weights_[r] = 1.0 / (scales[r].divisor * (scales[r].unit == planar::Unit::metre ? length_ : 1.0));
  lu_.set_weights(weights_);
}

double PlaneDrivenMotion::regularity(int iterations) { return lu_.smallest_stretch(units_, direction_, iterations); }

std::optional<double> PlaneDrivenMotion::regularity_at(double t, std::span<const double> q, int iterations) {
  if (evaluation_.set_time(t)) return std::nullopt;
  if (scales_change_) weigh();
  (void)evaluation_.set_position(q);
  lu_.update(evaluation_.jacobian());
  return regularity(iterations);
}

int PlaneDrivenMotion::orientation() {
  const double mantissa = system_.equations() == system_.coordinates() ? lu_.determinant().mantissa : 0;
  return mantissa > 0 ? 1 : mantissa < 0 ? -1 : 0;
}

void PlaneDrivenMotion::move(std::span<double> q, std::span<const double> way) const {
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += way[i];
}

void PlaneDrivenMotion::difference(std::span<const double> from, std::span<const double> to, std::span<double> way) const {
  for (std::size_t i = 0; i < way.size(); ++i) way[i] = to[i] - from[i];
}

double PlaneDrivenMotion::size(std::span<const double> dq) const {
  double largest = 0;
  for (std::size_t i = 0; i + 2 < dq.size(); i += 3) {
    const double s = std::max({std::abs(dq[i]) / length_, std::abs(dq[i + 1]) / length_, std::abs(dq[i + 2])});
    if (!(s <= largest)) largest = s;  // keeps NaN
  }
  return largest;
}

DrivenMotion::Solved PlaneDrivenMotion::position(double t, std::span<double> q) {
  if (evaluation_.set_time(t)) return Solved::undefined;
  if (scales_change_) weigh();
  std::ranges::copy(q, trial_.begin());
  // Coordinates far from the ground's origin carry more rounding.
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * size(q);
  double before = 0;
  for (int i = 0; i < kNewtonIterations; ++i) {
    const auto phi = evaluation_.set_position(trial_);
    lu_.update(evaluation_.jacobian());
    ++factorisations_;
    if (!lu_.full_column_rank()) return Solved::singular;
    lu_.solve(phi, step_);
    const double correction = size(step_);
    if (!std::isfinite(correction) || (i > 1 && correction > before && correction > kSmallCorrection + rounding)) return Solved::diverged;
    for (std::size_t k = 0; k < trial_.size(); ++k) trial_[k] -= step_[k];
    if (correction <= kNoCorrection + rounding || (i > 0 && correction > 0.3 * before && correction <= kSmallCorrection)) {
      if (lu_.misfit() > kRedundantMisfit + rounding) return Solved::diverged;
      (void)evaluation_.set_position(trial_);  // what is reported is the corrected position; Φq does not feel the difference
      std::ranges::copy(trial_, q.begin());
      return Solved::yes;
    }
    before = correction;
  }
  return Solved::diverged;
}

void PlaneDrivenMotion::orders(std::span<double> ways) {
  const std::size_t n = z(system_.coordinates());
  velocity_misfit_ = 0;
  for (int k = 1; k <= evaluation_.order(); ++k) {
    const std::span<double> q_k = ways.subspan(z(k - 1) * n, n);
    lu_.solve(evaluation_.open(k), q_k);
    if (k == 1) velocity_misfit_ = lu_.misfit();
    for (double& x : q_k) x = -x;
    evaluation_.close(k, q_k);
  }
}

std::unique_ptr<DrivenMotion> PlaneDrivenMotion::fresh(int order) const { return std::make_unique<PlaneDrivenMotion>(mechanism_, order); }

// ---- for messages ----

std::optional<Fault> PlaneDrivenMotion::fault_at(double t) const {
  Evaluation probe(system_, evaluation_.order());
  const auto fault = probe.set_time(t);
  if (!fault) return std::nullopt;
  const PrescribedMotion& motion = system_.motions()[z(fault->motion)];
  Where where = motion.where;
  if (fault->column > 0 && where.line > 0) where.column += fault->column - 1;
  return Fault{"driver '" + motion.owner + "'", "motion: " + fault->sentence, where, motion.owner};
}

std::optional<DrivenMotion::Undriven> PlaneDrivenMotion::undriven(double t, std::span<const double> q) {
  const Mobility m = mobility(mechanism_, q, t);
  const bool drivable = m.undriven == 0 || m.singular_position || m.only_infinitesimal;
  if (system_.equations() >= system_.coordinates() && drivable) return std::nullopt;
  const std::string free = std::to_string(std::max(m.undriven, 1)) + (m.undriven == 1 ? " free motion" : " free motions");
  return Undriven{"the mechanism still has " + free + " with its drivers: kinematics and inverse dynamics need every motion driven",
                  "add a driver for each free motion",
                  {}};
}

DrivenMotion::Dependent PlaneDrivenMotion::dependent(double t, std::span<const double> q) {
  Dependent out{blame(mechanism_, q, t), {}};
  for (const std::string& name : out.names)
    for (const PrescribedMotion& motion : system_.motions())
      if (motion.owner == name) out.drivers.push_back(name);
  return out;
}

std::vector<std::string> PlaneDrivenMotion::contradicting(double t, std::span<const double> q) {
  std::vector<std::string> names;
  for (const DependentSet& set : mobility(mechanism_, q, t).dependent)
    if (!set.consistent || names.empty()) names = set.names;
  return names;
}

}  // namespace jounce
