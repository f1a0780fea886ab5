#include "jounce/space/motion/ways.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/base/require.hpp"
#include "jounce/space/closures/own_equation.hpp"
#include "jounce/space/motion/spin_along.hpp"
#include "jounce/space/prescribed.hpp"
#include "jounce/tree/recursions/along.hpp"

namespace jounce {
namespace {

template <class S>
class WaysAlong {
 public:
  WaysAlong(const SpaceEquations& equations, double t, std::span<const double> q)
      : equations_(equations), tree_(equations.mechanism().tree), t_(t), q_(q), way_(z(tree_.dofs()), S(0.0)), frames_(z(tree_.size())) {
    prescribed_way<S>(equations.mechanism(), t, way_);
    for (const LoopClosures::Loop& loop : equations.closures().loops())
      joints_.push_back({std::vector<S>(z(loop.joint.tree().dofs()), S(0.0)), std::vector<Frame<S>>(z(loop.joint.tree().size()))});
  }

  Ways fill(std::span<double> ways) {
    const LoopClosures& closures = equations_.closures();
    std::vector<double> misfit(z(closures.size())), right(misfit), x(way_.size());
    for (int k = 1; k <= S::order(); ++k) {
      if (closures.size() > 0) {
        residual(k, right);
        std::ranges::fill(x, 0.0);
        (void)equations_.follow(right, x);
        if (k == 1) misfit_of(right, x, misfit);
        for (const int dof : equations_.passive_dofs()) way_[z(dof)][k] = x[z(dof)];
      }
      for (std::size_t dof = 0; dof < way_.size(); ++dof) ways[z(k - 1) * way_.size() + dof] = way_[dof][k];
    }
    return {std::move(misfit), std::move(without_value_)};
  }

 private:
  struct Joint {
    std::vector<S> way;  // of its coordinates
    std::vector<Frame<S>> frames;
  };

  [[nodiscard]] Frame<S> frame_on(int link, const Frame<double>& frame) const {
    if (link != tree::kGround) return frames_[z(link)] * frame;
    const auto constant = [](const Vec3<double>& a) { return Vec3<S>{S(a.x), S(a.y), S(a.z)}; };
    return {{constant(frame.axes.x), constant(frame.axes.y), constant(frame.axes.z)}, constant(frame.origin)};
  }

  // −r_k
  void residual(int k, std::vector<double>& right) {
    const LoopClosures& closures = equations_.closures();
    tree::poses_along<S>(tree_, q_, way_, frames_);
    for (std::size_t l = 0; l < joints_.size(); ++l) {
      const LoopClosures::Loop& loop = closures.loops()[l];
      const Frame<S> pose = inverse(frame_on(loop.link_i, loop.frame_i)) * frame_on(loop.link_j, loop.frame_j);
      if (k > 1) take(loop.joint, joints_[l], k - 1, coefficient(loop.joint, joints_[l], pose, k - 1));
      const Twist missing = coefficient(loop.joint, joints_[l], pose, k);
      const auto resisted = loop.joint.resisted();
      for (std::size_t r = 0; r < resisted.size(); ++r) right[z(loop.row) + r] = -dot(resisted[r], missing);
    }
    const std::vector<SpaceCoupling>& couplings = equations_.mechanism().couplings;
    for (std::size_t c = 0; c < couplings.size(); ++c)
      right[z(closures.first_coupling()) + c] = couplings[c].ratio * way_[z(couplings[c].i)][k] - way_[z(couplings[c].j)][k];
    const std::vector<SpaceEquation>& own = equations_.mechanism().equations;
    for (std::size_t e = 0; e < own.size(); ++e) right[z(closures.first_equation()) + e] = along(own[e])[k] / own[e].scale;
    const std::vector<SpaceIdle>& idle = equations_.mechanism().idle;
    for (std::size_t e = 0; e < idle.size(); ++e) right[z(closures.first_idle()) + e] = ((k == 1 ? idle[e].rate : 0) - idle_rate(idle[e], k - 1)) / k;
  }

  // phi of an equation of the user's; not a number where it has none.
  [[nodiscard]] S along(const SpaceEquation& equation) {
    const SpaceMechanism& mechanism = equations_.mechanism();
    quantities_.assign(1, S::time(t_));
    for (const SpaceQuantity& u : equation.quantities) {
      if (u.of == SpaceQuantity::Of::coordinate) {
        const tree::Attached& joint = mechanism.joints[z(u.owner)].links;
        quantities_.push_back(way_[z(joint.v + u.pick)] + q_[z(joint.q + u.pick)]);
        continue;
      }
      const SpaceBody& body = mechanism.bodies[z(u.owner)];
      quantities_.push_back(component(frame_on(body.link, {body.frame.axes, body.frame * u.p}).origin, u.pick));
    }
    S out;
    const auto fault = equation.law.phi.evaluate(std::span<const S>(quantities_), out);
    if (!fault) return out;
    if (!without_value_) without_value_ = laws::without_value(equation.law, equation.name, *fault);
    for (int k = 0; k <= S::order(); ++k) out[k] = std::numeric_limits<double>::quiet_NaN();
    return out;
  }

  // Of the turn about its line: u · ω, with ω of Ṙ Rᵀ.
  [[nodiscard]] double idle_rate(const SpaceIdle& idle, int k) const {
    const SpaceMechanism& mechanism = equations_.mechanism();
    const auto end = [&](const SpaceIdle::End& e) {
      const SpaceBody& body = mechanism.bodies[z(e.body)];
      return frame_on(body.link, {body.frame.axes, body.frame * e.place}).origin;
    };
    const Vec3<S> apart = end(idle.to) - end(idle.from);
    return dot(apart * (S(1.0) / sqrt(dot(apart, apart))), spin_of(frames_[z(mechanism.bodies[z(idle.turns)].link)].axes))[k];
  }

  // Of the way from where the joint's motion is to the pose: rotation and displacement, in the axes of frame i about the origin of j. With
  // nothing missing below order k, the rotation of order k is a skew matrix.
  Twist coefficient(const LoopJoint& joint, Joint& own, const Frame<S>& pose, int k) {
    tree::poses_along<S>(joint.tree(), joint.coordinates(), own.way, own.frames);
    const Frame<S> reached = own.frames[z(joint.links().last)] * joint.links().successor;
    const Mat3<S> turn = pose.axes * transpose(reached.axes);
    const Vec3<S> shift = pose.origin - reached.origin;
    return {{0.5 * (turn.y.z[k] - turn.z.y[k]), 0.5 * (turn.z.x[k] - turn.x.z[k]), 0.5 * (turn.x.y[k] - turn.y.x[k])},
            {shift.x[k], shift.y[k], shift.z[k]}};
  }

  void take(const LoopJoint& joint, Joint& own, int k, const Twist& allowed) {
    std::vector<double> part(own.way.size());
    joint.least_squares(allowed, part);
    for (std::size_t d = 0; d < part.size(); ++d) own.way[d][k] = part[d];
  }

  void misfit_of(const std::vector<double>& right, const std::vector<double>& x, std::vector<double>& out) const {
    for (std::size_t r = 0; r < right.size(); ++r) out[r] = equations_.closures().row(static_cast<int>(r)).times(x) - right[r];
  }

  const SpaceEquations& equations_;
  const tree::Tree& tree_;
  double t_;
  std::span<const double> q_;
  std::vector<S> quantities_;  // of an equation
  std::optional<Fault> without_value_;
  std::vector<S> way_;  // of every dof
  std::vector<Frame<S>> frames_;
  std::vector<Joint> joints_;
};

}  // namespace

Ways find_ways(const SpaceEquations& equations, double t, std::span<const double> q, int order, std::span<double> ways) {
  JOUNCE_REQUIRE(order == 0 || order == 4 || order == 14, "the orders that are compiled");
  if (order == 4) return WaysAlong<Series<4>>(equations, t, q).fill(ways);
  if (order == 14) return WaysAlong<Series<14>>(equations, t, q).fill(ways);
  return {std::vector<double>(z(equations.closures().size())), std::nullopt};
}

}  // namespace jounce
