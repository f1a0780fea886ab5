#include "jounce/analysis/driven_motion.hpp"
#include "jounce/base/index.hpp"

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
/// Equations that were not pivots (redundant ones) must hold to this.
constexpr double kRedundantMisfit = 1e-8;

}  // namespace

DrivenMotion::DrivenMotion(const PlanarSystem& system, int order)
    : system_(system), evaluation_(system, order), lu_(system.pattern()), length_(system.length_scale()) {
  trial_.resize(z(system.coordinates()));
  step_.resize(z(system.coordinates()));
  for (int i = 0; i < system.coordinates(); ++i) {
    units_.push_back(i % 3 == 2 ? 1.0 : length_);
    direction_.push_back(1.0 + 0.3 * std::sin(static_cast<double>(3 * i)));  // nothing special
  }
  weights_.resize(z(system.equations()));
  weigh();
  for (const PrescribedMotion& motion : system.motions()) scales_change_ = scales_change_ || motion.must_be_positive;
}

void DrivenMotion::weigh() {
  const auto scales = evaluation_.scales();
  for (std::size_t r = 0; r < weights_.size(); ++r)
    weights_[r] = 1.0 / (scales[r].divisor * (scales[r].unit == planar::Unit::metre ? length_ : 1.0));
  lu_.set_weights(weights_);
}

double DrivenMotion::regularity(int iterations) { return lu_.smallest_stretch(units_, direction_, iterations); }

double DrivenMotion::regularity_at(std::span<const double> q, int iterations) {
  if (scales_change_) weigh();
  (void)evaluation_.set_position(q);
  lu_.update(evaluation_.jacobian());
  return regularity(iterations);
}

double DrivenMotion::size(std::span<const double> dq) const {
  double largest = 0;
  for (std::size_t i = 0; i + 2 < dq.size(); i += 3) {
    const double s = std::max({std::abs(dq[i]) / length_, std::abs(dq[i + 1]) / length_, std::abs(dq[i + 2])});
    if (!(s <= largest)) largest = s;  // keeps NaN
  }
  return largest;
}

DrivenMotion::Solved DrivenMotion::position(double t, std::span<double> q) {
  if ((fault_ = evaluation_.set_time(t))) return Solved::undefined;
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

void DrivenMotion::orders(std::span<double> coefficients) {
  const std::size_t n = z(system_.coordinates());
  velocity_misfit_ = 0;
  for (int k = 1; k <= evaluation_.order(); ++k) {
    const std::span<double> q_k = coefficients.subspan(z(k) * n, n);
    lu_.solve(evaluation_.open(k), q_k);
    if (k == 1) velocity_misfit_ = lu_.misfit();
    for (double& x : q_k) x = -x;
    evaluation_.close(k, q_k);
  }
}

void DrivenMotion::extrapolate(std::span<const double> coefficients, double h, std::span<double> q) const {
  const std::size_t n = q.size();
  const std::size_t orders = coefficients.size() / n;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = coefficients[(orders - 1) * n + i];
    for (std::size_t k = orders - 1; k-- > 0;) sum = sum * h + coefficients[k * n + i];
    q[i] = sum;
  }
}

}  // namespace jounce
