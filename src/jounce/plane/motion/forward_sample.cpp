#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/plane/motion/forward_motion.hpp"
#include "jounce/plane/motion/multipliers.hpp"

namespace jounce {
namespace {

/// Factors of a position further away than this are not those of a sample.
constexpr double kLag = 1e-14;

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
  sample.potential = at.potential();
  sample.constraint_error = at.worst_residual(0);
  if (sample.constraint_error > most_open(system_.length_scale(), options_.tolerance))
    return broken(t, sample.constraint_error);
  fill_dynamic_row(mechanism_, sample, row);
  out = {at.kinetic(), at.potential(), sample.constraint_error};
  return std::nullopt;
}

// Equations that were left out, as others seemed to say the same, do not hold any more.
Ending PlaneForwardMotion::broken(double t, double by) const {
  std::vector<std::string> names;
  for (const int row : sampler_->dropped_rows()) names.push_back(in_force().owner(row).name);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::string off = " at " + seconds(t) + ": they are off by " + short_number(by) + " (m or rad)";
  if (!dropped_.empty())
    return {.kind = Outcome::Kind::conflicting,
            .sentence = "redundant equations contradict the others" + off,
            .elements = names,
            .hint = "leave one of those out that say the same at the start"};
  return {.kind = Outcome::Kind::step_too_small,
          .sentence = "the joints do not hold" + off,
          .elements = names,
          .hint = "masses that differ by many powers of ten, or a singular position; --formulation kkt or aba may keep more digits"};
}

}  // namespace jounce
