// The equations that users write themselves, among the closures: residual, K, ν and k of each, and what its multiplier does.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/space/closures/closures.hpp"
#include "jounce/space/closures/frame_motion.hpp"
#include "jounce/space/closures/own_equation.hpp"
#include "jounce/space/dof_direction.hpp"

namespace jounce {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
/// Of the parts of an entry of K: what is left of them is rounding. What two points have in common does not change the distance between them.
constexpr double kCancelled = 16 * std::numeric_limits<double>::epsilon();

}  // namespace

// With r = −φ / scale and u along the motion at q̈ = 0: K = ∂r/∂q, ν = −∂r/∂t, k = −r̈.
void LoopClosures::evaluate_equation(std::size_t e, std::span<const double> q, std::span<const double> v, const tree::Workspace<double>& work,
                                     std::span<const tree::LinkMotion<double>> links) {
  const SpaceEquation& equation = mechanism_->equations[e];
  Equation& own = equations_[e];
  const std::size_t row = z(first_equation_) + e;
  const double per_scale = -1 / equation.scale;
  own.along[0] = held_ ? Series<2>(t_) : Series<2>::time(t_);
  own.now[0] = t_;
  for (std::size_t k = 0; k < equation.quantities.size(); ++k) {
    const SpaceQuantity& u = equation.quantities[k];
    Push& push = own.pushes[k];
    push = {};
    if (u.of == SpaceQuantity::Of::coordinate) {
      const tree::Attached& joint = mechanism_->joints[z(u.owner)].links;
      push.dof = joint.v + u.pick;
      own.along[k + 1] = path<2>(q[z(joint.q + u.pick)], v[z(push.dof)], [](int) { return 0.0; });
    } else {
      const SpaceBody& body = mechanism_->bodies[z(u.owner)];
      const FrameMotion<double> point = motion_of<double>(body.link, {identity3<double>(), body.frame * u.p}, work, links);
      push.link = body.link;
      push.at = point.frame.origin;
      own.along[k + 1] = path<2>(component(push.at, u.pick), component(point.velocity, u.pick), [&](int) { return component(point.acceleration, u.pick); });
    }
    own.now[k + 1] = own.along[k + 1][0];
  }
  std::optional<ExpressionFault> none;
  const auto number = [&](const Expression& of) {
    double out = 0;
    if (auto fault = of.evaluate(std::span<const double>(own.now), out)) return none = none ? none : std::move(fault), kNoValue;
    return out;
  };
  Series<2> phi;
  residual_[row] = per_scale * number(equation.law.phi);
  if (!none) none = equation.law.phi.evaluate(std::span<const Series<2>>(own.along), phi);
  right_[row] = none ? kNoValue : -per_scale * phi.derivative(2);
  drift_[row] = held_ ? 0 : -per_scale * number(equation.law.by_time);
  for (std::size_t k = 0; k < own.pushes.size(); ++k) {
    const double g = per_scale * number(equation.law.by_quantity[k]);
    if (own.pushes[k].dof >= 0) own.pushes[k].effort = g;
    else own.pushes[k].force = unit_vector(equation.quantities[k].pick) * g;
  }
  if (none && !fault_) fault_ = laws::without_value(equation.law, equation.name, *none);
  fill_equation(e, work, links);
}

// From the outermost links inward: what passes through a link, along its dofs.
void LoopClosures::fill_equation(std::size_t e, const tree::Workspace<double>& work, std::span<const tree::LinkMotion<double>> links) {
  const tree::Tree& tree = mechanism_->tree;
  const Row& own = rows_[z(first_equation_) + e];
  const std::vector<int>& on_the_way = links_of_[z(own.element)];
  for (const int l : on_the_way) through_[z(l)] = {};
  for (const Push& push : equations_[e].pushes) {
    if (push.link == tree::kGround) continue;
    Through& on = through_[z(push.link)];
    on.load.force += push.force;
    on.load.moment += cross(push.at, push.force);
    on.force += length(push.force), on.moment += length(push.force) * length(push.at);
  }
  double* out = values_.data() + first_[z(first_equation_) + e];
  for (const int l : on_the_way) {
    const tree::Link& link = tree.link(l);
    const Through& load = through_[z(l)];
    const Vec3<double>& origin = links[z(l)].position;
    const Vec3<double> moment = load.load.moment - cross(origin, load.load.force);
    const double force_parts = load.force, moment_parts = load.moment + length(origin) * load.force;
    for (int d = 0; d < tree::dofs(link.motion); ++d, ++out) {
      const Twist along = dof_direction<double>(link, work.links[z(l)].axes, d, {});
      *out = dot(along.turn, moment) + dot(along.shift, load.load.force);
      if (std::abs(*out) <= kCancelled * (length(along.turn) * moment_parts + length(along.shift) * force_parts)) *out = 0;
      for (const Push& push : equations_[e].pushes)
        if (push.dof == link.v + d) *out += push.effort;
    }
    if (link.parent == tree::kGround) continue;
    Through& parent = through_[z(link.parent)];
    parent.load.force += load.load.force, parent.load.moment += load.load.moment;
    parent.force += load.force, parent.moment += load.moment;
  }
}

void LoopClosures::add_pushes(std::size_t e, std::span<const double> lambda, std::span<tree::Wrench<double>> external, std::span<double> tau) const {
  const double by = lambda[z(first_equation_) + e];
  for (const Push& push : equations_[e].pushes) {
    if (push.dof >= 0) tau[z(push.dof)] += push.effort * by;
    if (push.link == tree::kGround) continue;
    external[z(push.link)].force += push.force * by;
    external[z(push.link)].moment += cross(push.at, push.force) * by;
  }
}

tree::Wrench<double> LoopClosures::reaction_of_equation(int equation, std::span<const double> lambda) const {
  const SpaceEquation& own = mechanism_->equations[z(equation)];
  const double by = lambda[z(first_equation_ + equation)];
  const SpaceQuantity* first = own.named_first();
  tree::Wrench<double> out;
  if (first == nullptr) return out;
  const std::vector<Push>& all = equations_[z(equation)].pushes;
  const Vec3<double> about = all[static_cast<std::size_t>(first - own.quantities.data())].at;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k].dof >= 0 || own.quantities[k].owner != first->owner) continue;
    out.force += all[k].force * by;
    out.moment += cross(all[k].at - about, all[k].force) * by;
  }
  return out;
}

}  // namespace jounce
