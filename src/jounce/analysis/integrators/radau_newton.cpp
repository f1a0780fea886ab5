#include <algorithm>
#include <cmath>
#include <numeric>

#include "jounce/analysis/integrators/radau.hpp"
#include "jounce/analysis/integrators/radau_control.hpp"
#include "jounce/base/index.hpp"

namespace jounce {

using namespace radau;

namespace {

/// Newton's iteration ends when its error is less than the root of the tolerance, within these bounds, times the tolerance.
constexpr double kNewtonExact = 1e-3, kNewtonCoarse = 0.03;
/// Increments, in tolerances, below which a lack of convergence is rounding.
constexpr double kNoise = 0.1;

}  // namespace

bool Radau::evaluate(int place, const Vector& u, Vector& f, bool derivatives) {
  ++statistics_.evaluations;
  return form_->evaluate(place, u, f, derivatives);
}

/// At the second stage as guessed: in the middle of the stages, it fits all of them better than the start does.
bool Radau::renew_jacobian() {
  ++statistics_.jacobians;
  factored_h_ = 0;
  for (std::size_t i = 0; i < all_; ++i) state_[i] = u_[i] + z_[StiffForm::kMiddle][i];
  if (!form_->linearise(state_)) return false;
  renew_ = false;
  fresh_ = true;
  return true;
}

/// From the collocation polynomial of the step before; at first as the form thinks best.
void Radau::guess_stages(double h) {
  for (std::size_t i = 0; i < kStages; ++i) {
    const double way = kNode[i] * h;
    if (accepted_h_ > 0)
      for (std::size_t j = 0; j < all_; ++j) z_[i][j] = beyond_end(j, way / accepted_h_);
    else
      form_->first_guess(way, u_, z_[i]);
  }
  for (std::size_t i = 0; i < kStages; ++i)
    for (std::size_t j = 0; j < all_; ++j) w_[i][j] = combine(kInverseT[i], z_, j);
}

/// Newton's iteration. It is given up as soon as its convergence so far shows that it will not do in the iterations allowed.
Radau::Trial Radau::solve_stages(double h) {
  const double wanted = std::clamp(std::sqrt(tolerance_), kNewtonExact, kNewtonCoarse);
  convergence_ = by_stage_ ? 1 : std::pow(std::max(convergence_, kEpsilon), 0.8);
  rate_ = kFastConvergence;
  newton_shrink_ = 0.5;
  double before = 0, ratio_before = 0;
  for (iterations_ = 1; iterations_ <= kMostIterations; ++iterations_) {
    ++statistics_.iterations;
    for (std::size_t i = 0; i < kStages; ++i) {
      for (std::size_t j = 0; j < all_; ++j) state_[j] = u_[j] + z_[i][j];
      if (!evaluate(static_cast<int>(i), state_, f_[i], by_stage_)) return Trial::fault;
    }
    const double increment = newton_update(h);
    if (!std::isfinite(increment)) return Trial::not_converged;
    // with derivatives of each stage the first increment goes to where stiff forces are small, and says nothing of the rest
    if (iterations_ > (by_stage_ ? 2 : 1)) {
      const double ratio = increment / before;
      const double rate = ratio_before > 0 && !by_stage_ ? std::sqrt(ratio * ratio_before) : ratio;
      const double at_last = rate / (1 - rate) * increment * std::pow(rate, kMostIterations - iterations_);
      if (rate >= 0.99 || at_last > wanted) {
        if (increment <= kNoise) return Trial::accepted;
        newton_shrink_ = std::clamp(kGoodConvergence / rate, 1 / kMostChange, 0.8);
        return Trial::not_converged;
      }
      ratio_before = ratio;
      rate_ = rate;
      convergence_ = rate / (1 - rate);
    }
    if (convergence_ * increment <= wanted) return Trial::accepted;
    before = std::max(increment, kEpsilon);
  }
  return Trial::not_converged;
}

/// One iteration from the right-hand sides at the stages; returns the size of the increment, in tolerances.
double Radau::newton_update(double h) {
  const std::span<const double> inertia = form_->inertia();
  for (std::size_t i = 0; i < all_; ++i) {
    const Stages f{combine(kInverseT[0], f_, i), combine(kInverseT[1], f_, i), combine(kInverseT[2], f_, i)};
    if (i < states_) {
      const double mass = inertia[i];
      right_[0][i] = h * f[0] - kGamma * mass * w_[0][i];
      right_[1][i] = h * f[1] - mass * (kAlpha * w_[1][i] - kBeta * w_[2][i]);
      right_[2][i] = h * f[2] - mass * (kBeta * w_[1][i] + kAlpha * w_[2][i]);
    } else {
      for (std::size_t k = 0; k < kStages; ++k) right_[k][i] = -f[k];
    }
  }
  form_->solve(right_, change_);
  if (by_stage_) solve_by_stage(h);
  double largest = 0;
  for (std::size_t i = 0; i < all_; ++i) {
    for (std::size_t k = 0; k < kStages; ++k) {
      w_[k][i] += i < states_ ? change_[k][i] : change_[k][i] / h;
      if (i < states_) largest = larger(largest, std::abs(change_[k][i]) / scale_[i]);
    }
    for (std::size_t k = 0; k < kStages; ++k) z_[k][i] = combine(kT[k], w_, i);
  }
  return largest;
}

/// Stiff forces that turn during a step differ too much from stage to stage for one Jacobian. With that of the middle, P, and
/// what each stage's forces differ from it by, N, the increment x solves P x = r + N x. N sees the states only;
/// for them (1 − P⁻¹N) u = P⁻¹ r is solved by conjugate residuals: each new direction takes its share out of what is left.
void Radau::solve_by_stage(double h) {
  const std::size_t size = kStages * states_;
  const auto in_tolerances = [&](const Unknowns& x, Vector& to) {
    for (std::size_t i = 0; i < size; ++i) to[i] = x[i / states_][i % states_] / scale_[i % states_];
  };
  const auto dot = [&](const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); };
  in_tolerances(change_, rest_);
  std::ranges::fill(found_, 0.0);
  const double enough = kInnerError * std::sqrt(dot(rest_, rest_));
  int used = 0;
  for (; used < kMostDirections && std::sqrt(dot(rest_, rest_)) > enough; ++used) {
    Vector &direction = direction_[z(used)], &image = image_[z(used)];
    direction = rest_;
    stage_differences(h, direction);
    form_->solve(difference_, inner_);
    in_tolerances(inner_, image);
    for (std::size_t i = 0; i < size; ++i) image[i] = direction[i] - image[i];
    for (int j = 0; j < used; ++j) {
      const double share = dot(image, image_[z(j)]);
      for (std::size_t i = 0; i < size; ++i) {
        image[i] -= share * image_[z(j)][i];
        direction[i] -= share * direction_[z(j)][i];
      }
    }
    const double length = std::sqrt(dot(image, image));
    if (!(length > 0)) break;
    for (std::size_t i = 0; i < size; ++i) image[i] /= length, direction[i] /= length;
    const double share = dot(rest_, image);
    for (std::size_t i = 0; i < size; ++i) {
      found_[i] += share * direction[i];
      rest_[i] -= share * image[i];
    }
  }
  stage_differences(h, found_);
  for (std::size_t k = 0; k < kStages; ++k)
    for (std::size_t i = positions_; i < states_; ++i) right_[k][i] += difference_[k][i];
  form_->solve(right_, change_);
}

/// N u, for u in tolerances: h times what the forces of the stages change more than those of the middle.
void Radau::stage_differences(double h, const Vector& u) {
  const auto at = [&](std::size_t k, std::size_t i) { return u[k * states_ + i] * scale_[i]; };
  for (std::size_t k = 0; k < kStages; ++k) {
    for (std::size_t i = 0; i < states_; ++i) state_[i] = kT[k][0] * at(0, i) + kT[k][1] * at(1, i) + kT[k][2] * at(2, i);
    std::ranges::fill(stage_change_[k], 0.0);
    form_->add_difference(static_cast<int>(k), {state_.data(), states_}, stage_change_[k]);
  }
  for (std::size_t k = 0; k < kStages; ++k)
    for (std::size_t i = 0; i < stage_change_[k].size(); ++i) difference_[k][positions_ + i] = h * combine(kInverseT[k], stage_change_, i);
}

}  // namespace jounce
