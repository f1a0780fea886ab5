// Where a forward motion cannot go on: loops that come apart, and springs that have shrunk to nothing.
#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/math/dense.hpp"
#include "jounce/mechanism/driven_motion.hpp"
#include "jounce/space/equations/shared_reactions.hpp"
#include "jounce/space/motion/forward_motion.hpp"

namespace jounce {
namespace {

/// Corrections that close loops as far as they can be, and below what they are rounding.
constexpr int kClosingSteps = 12;
constexpr double kNothingLeft = 1e-15;
/// When loops came apart is told to this, in seconds or of the time itself.
constexpr double kTimeResolution = 1e-12;

}  // namespace

// In mechanism sizes or radians.
double SpaceForwardMotion::misfit() const {
  const LoopClosures& closures = ode_->equations().closures();
  double most = 0;
  for (std::size_t r = 0; r < closures.residual().size(); ++r)
    if (const double x = std::abs(closures.residual()[r]) / (closures.rows()[r].metres ? length_ : 1); !(x <= most)) most = x;  // keeps NaN
  return most;
}

// What passive dofs cannot close, as a driven motion sees it: by the shortest corrections.
double SpaceForwardMotion::misfit_at(double t, std::span<const double> y) {
  if (!ode_->spread(t, y)) return 0;
  SpaceEquations& equations = ode_->equations();
  const LoopClosures& closures = equations.closures();
  const std::vector<double> still(ode_->v().size());
  std::vector<double> q(ode_->q().begin(), ode_->q().end()), way(still.size()), right(closures.residual().size());
  for (int i = 0; i < kClosingSteps; ++i) {
    equations.evaluate_closures(q, still);
    if (i == 0 && misfit() <= kRedundantMisfit) return misfit();  // corrections make it smaller only
    for (std::size_t r = 0; r < right.size(); ++r) right[r] = -closures.residual()[r];
    std::ranges::fill(way, 0.0);
    (void)equations.follow(right, way);
    tree::move(mechanism_.tree, q, way);
    if (!(largest(way) > kNothingLeft)) break;
  }
  equations.evaluate_closures(q, still);
  return misfit();
}

std::optional<ForwardMotion::Opened> SpaceForwardMotion::opened(Stepper& stepper) {
  const std::optional<Opened> parted = parted_within(stepper), collapsed = collapsed_within(stepper);
  return collapsed && (!parted || collapsed->t < parted->t) ? collapsed : parted;
}

// A spring that has shrunk to nothing has no line of action.
std::optional<ForwardMotion::Opened> SpaceForwardMotion::collapsed_within(Stepper& stepper) {
  if (!collapses_.any()) return std::nullopt;
  std::vector<double> y(start_.size());
  const auto move = [&](bool known, double t) {
    if (!known || !ode_->spread(t, y)) return false;
    ode_->equations().move(ode_->q(), ode_->v(), ode_->a());
    return true;
  };
  const auto found = collapses_.first(
      stepper.previous_t(), stepper.t(), ode_->equations(), [&](double t) { return move(stepper.dense(t, y), t); }, [&](double t) { return move(stepper.ending(y), t); });
  if (!found) return std::nullopt;
  const SpaceForce& spring = *found->spring;
  return Opened{found->t, no_value({"force '" + spring.name + "'", laws::kNoLineOfAction, spring.where, spring.name}, found->t)};
}

// Equations that say what others say are no equations of the motion: whether they go on holding has to be looked at, and where prescribed motions
// take part in them, at every step.
std::optional<ForwardMotion::Opened> SpaceForwardMotion::parted_within(Stepper& stepper) {
  if (!driven_ || !rate_sees_projection() || ode_->equations().rank() >= ode_->equations().closures().size()) return std::nullopt;
  std::vector<double> y(start_.size());
  const auto open_at = [&](double t) {
    return stepper.dense(t, y) && misfit_at(t, y) > kRedundantMisfit + 8 * std::numeric_limits<double>::epsilon() * largest(ode_->q());
  };
  double from = stepper.previous_t(), to = stepper.t();
  if (!open_at(to)) return std::nullopt;
  while (to - from > kTimeResolution * std::max(1.0, std::abs(to))) {
    const double middle = from + (to - from) / 2;
    if (!(middle > from && middle < to)) break;
    (open_at(middle) ? to : from) = middle;
  }
  (void)open_at(to);
  return Opened{to, contradiction(to, ode_->equations().closures().worst(), kRedundantMisfit)};
}

}  // namespace jounce
