// What prescribed motions say at a time: coordinates of the active dofs, and their rates as power series.
//
// A single dof follows its law. A ball follows a rotation R(t), given by a rotation vector or by three angles: with the unit quaternion e(t) of it as a series
//
//   ω = 2 ē ė  in the child's axes        and of a free body also  u = Rᵀ ṗ
//
// so its rates, and all orders beyond, follow from the law without a derivative written by anybody.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "jounce/base/fault.hpp"
#include "jounce/base/index.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {
namespace pose {

template <class S>
using TurnOf = std::array<S, 4>;  ///< w, x, y, z

template <class S>
TurnOf<S> product(const TurnOf<S>& a, const TurnOf<S>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}
template <class S>
TurnOf<S> conjugate(const TurnOf<S>& a) {
  return {a[0], -a[1], -a[2], -a[3]};
}

/// Taylor coefficients at s of cos(√s/2) and of sin(√s/2)/√s, which are smooth at 0 and beyond.
void half_angle_series(double s, std::span<double> cosine, std::span<double> sine);

/// Σ c_k (x − x₀)^k
template <class S>
S composed(const std::array<double, static_cast<std::size_t>(S::order()) + 1>& c, const S& x) {
  S step = x;
  step[0] = 0;
  S out(c.back());
  for (std::size_t k = c.size() - 1; k-- > 0;) out = out * step + c[k];
  return out;
}

/// One order less, and what would be of the highest order is left out.
template <class S>
S rate_of(const S& x) {
  S out(0.0);
  for (int k = 0; k < S::order(); ++k) out[k] = (k + 1) * x[k + 1];
  return out;
}

template <class S>
TurnOf<S> quaternion_of_rotation_vector(const std::array<S, 3>& r) {
  const S square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  std::array<double, static_cast<std::size_t>(S::order()) + 1> cosine, sine;
  half_angle_series(square[0], cosine, sine);
  const S scale = composed(sine, square);
  return {composed(cosine, square), r[0] * scale, r[1] * scale, r[2] * scale};
}

template <class S>
TurnOf<S> quaternion_of_angles(const std::array<int, 3>& axes, const std::array<S, 3>& angles) {
  TurnOf<S> out{S(1.0), S(0.0), S(0.0), S(0.0)};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto half = sincos(angles[k] * 0.5);
    TurnOf<S> turn{half.cos, S(0.0), S(0.0), S(0.0)};
    turn[z(axes[k]) + 1] = half.sin;
    out = product(out, turn);
  }
  return out;
}

/// Where a law brings the child of its joint.
template <class S>
struct PoseAlong {
  TurnOf<S> turn;
  std::array<S, 3> position{S(0.0), S(0.0), S(0.0)};
};

/// On series; a fault where some function has no value.
template <class S>
[[nodiscard]] std::optional<Fault> pose_along(const SpaceMechanism& mechanism, const SpacePose& law, double t, PoseAlong<S>& out) {
  const SpaceJoint& joint = mechanism.joints[z(law.joint)];
  const std::array<double, 7>& q = law.written;
  const auto evaluate = [&](const std::vector<TimeFunction>& functions, std::array<S, 3>& values) -> std::optional<Fault> {
    for (std::size_t k = 0; k < functions.size(); ++k)
      if (const auto fault = functions[k].evaluate(S::time(t), values[k]))
        return Fault{"joint '" + joint.name + "'", "motion: " + fault->sentence, law.where, joint.name};
    return std::nullopt;
  };
  std::array<S, 3> turns{S(0.0), S(0.0), S(0.0)};
  if (auto fault = evaluate(law.turns, turns)) return fault;
  switch (law.turn) {
    case SpacePose::Turn::rotation_vector: out.turn = quaternion_of_rotation_vector(turns); break;
    case SpacePose::Turn::angles: out.turn = quaternion_of_angles(law.axes, turns); break;
    case SpacePose::Turn::as_written: out.turn = {S(q[0]), S(q[1]), S(q[2]), S(q[3])}; break;
  }
  if (joint.links.coordinates < 7) return std::nullopt;
  for (std::size_t k = 0; k < 3; ++k) out.position[k] = S(q[4 + k]);
  return evaluate(law.position, out.position);
}

/// R(e)ᵀ x
template <class S>
std::array<S, 3> turned_back(const TurnOf<S>& e, const std::array<S, 3>& x) {
  const TurnOf<S> out = product(product(conjugate(e), {S(0.0), x[0], x[1], x[2]}), e);
  return {out[1], out[2], out[3]};
}

}  // namespace pose

/// The coordinates of all active dofs into q; their rates go to `put(dof, series of order K)`.
template <int K, class Put>
[[nodiscard]] std::optional<Fault> prescribed_rates(const SpaceMechanism& mechanism, double t, std::span<double> q, const Put& put) {
  using S = Series<K + 1>;
  const auto shortened = [](const S& rate) {
    Series<K> out;
    for (int k = 0; k <= K; ++k) out[k] = rate[k];
    return out;
  };
  for (const tree::Link& link : mechanism.tree.links()) {
    if (tree::dofs(link.motion) != 1 || !mechanism.dofs[z(link.v)].motion) continue;
    const SpaceDof& dof = mechanism.dofs[z(link.v)];
    S motion;
    if (const auto fault = dof.motion->evaluate(S::time(t), motion))
      return Fault{mechanism.dof_name(link.v), "motion: " + fault->sentence, dof.where, mechanism.joint_of(link.v).name};
    q[z(link.q)] = motion.value();
    put(link.v, shortened(pose::rate_of(motion)));
  }
  for (const SpacePose& law : mechanism.poses) {
    const tree::Attached& links = mechanism.joints[z(law.joint)].links;
    pose::PoseAlong<S> along;
    if (auto fault = pose::pose_along(mechanism, law, t, along)) return fault;
    pose::TurnOf<S> rate;
    for (std::size_t c = 0; c < 4; ++c) {
      q[z(links.q) + c] = along.turn[c].value();
      rate[c] = pose::rate_of(along.turn[c]);
    }
    const pose::TurnOf<S> spin = pose::product(pose::conjugate(along.turn), rate);
    for (int c = 0; c < 3; ++c) put(links.v + c, shortened(spin[z(c) + 1] * 2.0));
    if (links.coordinates < 7) continue;
    std::array<S, 3> velocity;
    for (std::size_t c = 0; c < 3; ++c) {
      q[z(links.q) + 4 + c] = along.position[c].value();
      velocity[c] = pose::rate_of(along.position[c]);
    }
    velocity = pose::turned_back(along.turn, velocity);
    for (int c = 0; c < 3; ++c) put(links.v + 3 + c, shortened(velocity[z(c)]));
  }
  return std::nullopt;
}

/// The way of all active dofs from where they are at t (tree::move), as series that begin with 0; what has no value stays.
template <class S>
void prescribed_way(const SpaceMechanism& mechanism, double t, std::span<S> way) {
  for (std::size_t dof = 0; dof < mechanism.dofs.size(); ++dof) {
    if (!mechanism.dofs[dof].motion) continue;
    (void)mechanism.dofs[dof].motion->evaluate(S::time(t), way[dof]);
    way[dof][0] = 0;
  }
  for (const SpacePose& law : mechanism.poses) {
    const tree::Attached& links = mechanism.joints[z(law.joint)].links;
    pose::PoseAlong<S> along;
    if (pose::pose_along(mechanism, law, t, along)) continue;
    pose::TurnOf<S> start;
    for (std::size_t c = 0; c < 4; ++c) start[c] = S(along.turn[c].value());
    const pose::TurnOf<S> turned = pose::product(pose::conjugate(start), along.turn);
    // half of the rotation vector is the vector part u times asin|u|/|u|, a series in |u|² that begins with the square of time
    const S sine = turned[1] * turned[1] + turned[2] * turned[2] + turned[3] * turned[3];
    S longer(1.0), power(1.0);
    double factor = 1;
    for (int k = 1; 2 * k <= S::order(); ++k) {
      factor *= (2 * k - 1) / (2.0 * k);
      power = power * sine;
      longer = longer + power * (factor / (2 * k + 1));
    }
    Vec3<S> turn{turned[1] * longer * 2.0, turned[2] * longer * 2.0, turned[3] * longer * 2.0};
    turn.x[0] = turn.y[0] = turn.z[0] = 0;
    way[z(links.v)] = turn.x, way[z(links.v) + 1] = turn.y, way[z(links.v) + 2] = turn.z;
    if (links.coordinates < 7) continue;
    std::array<S, 3> shifted = along.position;
    for (S& x : shifted) x[0] = 0;
    shifted = pose::turned_back(start, shifted);
    // the inverse of tree::spiral on series
    const Vec3<S> shift{shifted[0], shifted[1], shifted[2]}, once = cross(turn, shift), twice = cross(turn, once);
    static constexpr std::array kTwice{1.0 / 12, 1.0 / 720, 1.0 / 30240, 1.0 / 1209600, 1.0 / 47900160, 691.0 / 1307674368000};
    const S square = dot(turn, turn);
    S factor_of_twice(kTwice.back());
    for (std::size_t k = kTwice.size() - 1; k-- > 0;) factor_of_twice = factor_of_twice * square + kTwice[k];
    const Vec3<S> v = shift - once * 0.5 + twice * factor_of_twice;
    way[z(links.v) + 3] = v.x, way[z(links.v) + 4] = v.y, way[z(links.v) + 5] = v.z;
  }
}

}  // namespace jounce
