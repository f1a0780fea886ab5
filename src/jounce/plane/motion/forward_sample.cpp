#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/mechanism/driven_motion.hpp"
#include "jounce/plane/motion/forward_motion.hpp"
#include "jounce/plane/motion/multipliers.hpp"

namespace jounce {
namespace {

/// Factors of a position further away than this are not those of a sample.
constexpr double kLag = 1e-14;
/// Corrections that close joints as far as they can be.
constexpr int kClosingSteps = 8;
/// When joints came apart is told to this, in seconds or of the time itself.
constexpr double kTimeResolution = 1e-12;

}  // namespace

// The motion at an output time. Accelerations and multipliers are solved for at that state.
std::optional<Ending> PlaneForwardMotion::sample(double t, std::span<const double> y, std::span<double> row, Sample& out) {
  take(y);
  EquationsOfMotion& at = *sampler_;
  if (const auto fault = at.set_time(breaks_.behind(t), kOrder)) return no_value(*fault, t);
  at.set_position(q_);
  at.factor(false);
  if (at.project_position(q_) > kLag) at.factor(false);
  at.set_velocity(v_);
  (void)at.project_velocity(v_);
  if (const auto fault = at.expand(kOrder)) return no_value(*fault, t);
  DynamicSample sample{.t = t};
  lambda_.resize(z(in_force().equations())), lambda_rate_.resize(lambda_.size());
  at.multipliers(0, lambda_);
  at.multipliers(1, lambda_rate_);
  for (int k = 0; k <= kOrder; ++k) sample.frames[z(k)] = at.frames(k);
  if (!dropped_.empty()) {
    const Indeterminacy here = indeterminacy(in_force(), t, q_);
    shorten(here, lambda_);
    shorten(here, lambda_rate_);
  }
  for (std::size_t f = 0; f < readings_.size(); ++f) readings_[f] = at.reading(static_cast<int>(f), 0);
  friction_->complete(lambda_, readings_);
  friction_->original_rows(lambda_, reported_);
  friction_->original_rows(lambda_rate_, reported_rate_);
  sample.lambda = reported_;
  sample.lambda_rate = reported_rate_;
  sample.readings = readings_;
  friction_->pushes(lambda_, pushes_);
  sample.pushes = pushes_;
  sample.potential = at.potential();
  sample.constraint_error = at.worst_residual(0);
  if (!(sample.constraint_error <= most_apart())) return broken(t, sample.constraint_error, most_apart());
  fill_dynamic_row(mechanism_, sample, row);
  double force = at.largest_constraint_force();
  for (const ForceReading& reading : readings_) force = std::max(force, std::abs(reading.effort));
  for (std::size_t b = 1; b < sample.frames[2].size(); ++b)
    force = std::max(force, 2 * system_.mass()[3 * (b - 1)] * std::hypot(sample.frames[2][b].x, sample.frames[2][b].y));
  out = {at.kinetic(), at.potential(), sample.constraint_error, 0, force};
  return std::nullopt;
}

double PlaneForwardMotion::most_apart() const { return most_open(system_.length_scale(), options_.tolerance); }

// How far the joints are apart once they are closed as well as they can be.
double PlaneForwardMotion::apart_at(double t, std::span<const double> y, double allowed) {
  EquationsOfMotion& at = rates();
  if (at.set_time(t, 2)) return 0;
  std::vector<double> q(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(q_.size()));
  at.set_position(q);
  for (int i = 0; i < kClosingSteps && at.worst_residual(0) > allowed; ++i) {
    at.factor(false);
    if (!(at.project_position(q) > kLag)) break;
  }
  return at.worst_residual(0);
}

// Equations that were left out are no equations of the motion: whether they go on holding has to be looked at, at every step. Those that drivers
// take part in hold as exactly as in kinematics.
std::optional<ForwardMotion::Opened> PlaneForwardMotion::opened(Stepper& stepper) {
  if (dropped_.empty()) return std::nullopt;
  const double allowed = system_.motions().empty() ? most_apart() : kRedundantMisfit * std::min(1.0, system_.length_scale());
  std::vector<double> y(z(size()));
  const auto apart = [&](double t) { return stepper.dense(t, y) ? apart_at(t, y, allowed) : 0.0; };
  double from = stepper.previous_t(), to = stepper.t();
  if (!(apart(to) > allowed)) return std::nullopt;
  while (to - from > kTimeResolution * std::max(1.0, std::abs(to))) {
    const double middle = from + (to - from) / 2;
    if (!(middle > from && middle < to)) break;
    (apart(middle) > allowed ? to : from) = middle;
  }
  return Opened{to, broken(to, apart(to), allowed)};
}

// Equations that were left out, as others seemed to say the same, do not hold any more.
Ending PlaneForwardMotion::broken(double t, double by, double allowed) const {
  std::vector<std::string> names;
  for (const int row : sampler_->dropped_rows()) names.push_back(in_force().owner(row).name);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::string off = " at " + seconds(t) + ": they are off by " + short_number(by) + " (m or rad), and " + short_number(allowed) + " is allowed";
  if (!dropped_.empty())
    return {.kind = Outcome::Kind::conflicting,
            .sentence = "redundant equations contradict the others (" + join_names(names) + ")" + off,
            .elements = names,
            .hint = "leave one of those out that say the same at the start"};
  return {.kind = Outcome::Kind::step_too_small,
          .sentence = "the joints do not hold" + off,
          .elements = names,
          .hint = "masses that differ by many powers of ten, or a singular position; --formulation kkt or aba may keep more digits"};
}

}  // namespace jounce
