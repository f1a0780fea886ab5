#include "jounce/analysis/time_breaks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/expr/breakpoints.hpp"

namespace jounce {
namespace {

constexpr std::size_t kClock = 2;  // laws are of the measure, its rate and t

}  // namespace

TimeBreaks::TimeBreaks(const PlanarSystem& system, double to) {
  const auto take = [&](const std::vector<double>& times) { times_.insert(times_.end(), times.begin(), times.end()); };
  for (const PrescribedMotion& motion : system.motions()) take(breakpoints(motion.function, 0, to));
  for (const PrescribedMotion& motion : system.force_motions()) take(breakpoints(motion.function, 0, to));
  for (const ForceSignal& signal : system.signals())
    for (const Expression& law : signal.laws) {
      take(breakpoints(law, kClock, 0, to));
      kinks_elsewhere_ = kinks_elsewhere_ || has_kinks_elsewhere(law, kClock);
    }
  std::ranges::sort(times_);
}

TimeBreaks::TimeBreaks(const SpaceMechanism& mechanism, double to) {
  const auto take = [&](const std::vector<double>& times) { times_.insert(times_.end(), times.begin(), times.end()); };
  for (const SpaceDof& dof : mechanism.dofs) {
    if (dof.motion) take(breakpoints(*dof.motion, 0, to));
    if (dof.torque) take(breakpoints(*dof.torque, 0, to));
  }
  for (const SpaceForce& force : mechanism.forces) {
    for (const TimeFunction& value : force.value) take(breakpoints(value, 0, to));
    if (!force.actuator) continue;
    take(breakpoints(*force.actuator, kClock, 0, to));
    kinks_elsewhere_ = kinks_elsewhere_ || has_kinks_elsewhere(*force.actuator, kClock);
  }
  std::ranges::sort(times_);
}

std::optional<double> TimeBreaks::after(double t) const {
  const auto next = std::ranges::upper_bound(times_, t);
  return next == times_.end() ? std::nullopt : std::optional(*next);
}

double TimeBreaks::behind(double t) const {
  const double next = std::nextafter(t, std::numeric_limits<double>::infinity());
  return std::ranges::binary_search(times_, next) ? next : t;
}

}  // namespace jounce
