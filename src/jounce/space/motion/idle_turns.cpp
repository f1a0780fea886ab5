// Idle turns along a driven motion: no equation says how far a link has turned about itself, so what its rate says is integrated. Both ends of a step
// know the angular velocity and three derivatives; the polynomial through them is off by the eighth power of the step, and the rotation that goes with
// it follows from a series.
#include <algorithm>
#include <array>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/space/closures/idle.hpp"
#include "jounce/space/motion/driven_motion.hpp"
#include "jounce/space/motion/idle_turns.hpp"
#include "jounce/space/motion/spin_along.hpp"
#include "jounce/tree/recursions/along.hpp"
#include "jounce/tree/rotation.hpp"

namespace jounce {
namespace {

/// Rates with less than this part of them along an idle turn say nothing of it: the rest is rounding.
constexpr double kAlong = 1e-9;

constexpr int kKnown = 4;        // coefficients of the angular velocity at either end
constexpr int kTurnTerms = 24;   // of the rotation: a quarter of a radian to this power is nothing
/// Turns that differ by less, radians, are the same.
constexpr double kSameTurn = 2e-15;
/// Ways of idle turns that differ by less, as a part, are the same.
constexpr double kSameWay = 1e-9;

using Way = Series<kKnown>;
using Spin = std::array<Vec3<double>, 2 * kKnown>;  // coefficients, in steps

std::vector<Frame<Way>> frames_along(const tree::Tree& tree, const DrivenMotion::At& at) {
  const std::size_t n = z(tree.dofs());
  std::vector<Way> way(n, Way(0.0));
  for (int k = 1; k <= kKnown; ++k)
    for (std::size_t dof = 0; dof < n; ++dof) way[dof][k] = at.ways[z(k - 1) * n + dof];
  std::vector<Frame<Way>> out(z(tree.size()));
  tree::poses_along<Way>(tree, at.q, way, out);
  return out;
}

std::array<Vec3<double>, kKnown> known_spin(const Mat3<Way>& axes, double h) {
  const Vec3<Way> spin = spin_of(axes);
  std::array<Vec3<double>, kKnown> out;
  double power = h;  // an angular velocity per step
  for (int k = 0; k < kKnown; ++k, power *= h) out[z(k)] = Vec3<double>{spin.x[k], spin.y[k], spin.z[k]} * power;
  return out;
}

// p = Σ a_k s^k + s⁴ r(s), and p around s = 1 begins with b: r = (1 + x)⁻⁴ times what is left of b, x = s − 1.
Spin spin_between(const std::array<Vec3<double>, kKnown>& a, const std::array<Vec3<double>, kKnown>& b) {
  const std::array<Vec3<double>, kKnown> e{b[0] - a[0] - a[1] - a[2] - a[3], b[1] - a[1] - a[2] * 2.0 - a[3] * 3.0, b[2] - a[2] - a[3] * 3.0, b[3] - a[3]};
  const Vec3<double> r0 = e[0], r1 = e[1] - e[0] * 4.0, r2 = e[2] - e[1] * 4.0 + e[0] * 10.0, r3 = e[3] - e[2] * 4.0 + e[1] * 10.0 - e[0] * 20.0;
  return {a[0], a[1], a[2], a[3], r0 - r1 + r2 - r3, r1 - r2 * 2.0 + r3 * 3.0, r2 - r3 * 3.0, r3};
}

// The rotation of one step: e' = ω e / 2 in ground axes.
tree::Quaternion turned_by(const Spin& spin) {
  std::array<tree::Quaternion, kTurnTerms> e{};
  e[0] = {1, 0, 0, 0};
  tree::Quaternion sum = e[0];
  for (int k = 0; k + 1 < kTurnTerms; ++k) {
    tree::Quaternion next{0, 0, 0, 0};
    for (int j = 0; j <= std::min(k, 2 * kKnown - 1); ++j) {
      const tree::Quaternion& own = e[z(k - j)];
      const Vec3<double>& w = spin[z(j)];
      const Vec3<double> axis{own.x, own.y, own.z}, part = w * own.w + cross(w, axis);
      next.w -= dot(w, axis), next.x += part.x, next.y += part.y, next.z += part.z;
    }
    const double half = 0.5 / (k + 1);
    e[z(k + 1)] = {half * next.w, half * next.x, half * next.y, half * next.z};
    sum.w += e[z(k + 1)].w, sum.x += e[z(k + 1)].x, sum.y += e[z(k + 1)].y, sum.z += e[z(k + 1)].z;
  }
  return sum;
}

// What the given rates have beyond those of the motion without idle rates, along the ways of the idle turns.
void set_rates(SpaceMechanism& mechanism, std::span<const double> given, std::span<const double> without) {
  const std::size_t dofs = mechanism.dofs.size();
  std::vector<double> beyond(dofs);
  DenseMatrix ways(static_cast<int>(dofs), static_cast<int>(mechanism.idle.size()));
  for (int c = 0; c < ways.columns; ++c)
    for (int r = 0; r < ways.rows; ++r) ways.at(r, c) = mechanism.idle[z(c)].way[z(r)];
  for (std::size_t k = 0; k < dofs; ++k) beyond[k] = given[k] - without[k];
  const LeastSquares found = least_squares(ways, beyond, kSameWay);
  for (std::size_t e = 0; e < mechanism.idle.size(); ++e)
    if (std::abs(dot(mechanism.idle[e].way, given)) > kAlong * norm(mechanism.idle[e].way) * norm(given)) mechanism.idle[e].rate = found.x[e];
}

Mat3<double> start_of(const Mat3<Way>& axes) {
  const auto value = [](const Vec3<Way>& a) { return Vec3<double>{a.x[0], a.y[0], a.z[0]}; };
  return {value(axes.x), value(axes.y), value(axes.z)};
}

}  // namespace

void give_idle_rates(SpaceMechanism& mechanism, double t, std::span<const double> q, std::span<const double> v) {
  std::vector<double> still(mechanism.dofs.size()), a(still);
  for (SpaceIdle& idle : mechanism.idle) idle.rate = 0;
  SpaceDrivenMotion(mechanism, 0).rates(t, q, still, a);
  set_rates(mechanism, v, still);
}

void spin_as_written(const SpaceMechanism& mechanism, std::span<const double> q, std::span<const double> written, std::span<double> v) {
  std::vector<SpaceIdle> idle = find_idle(mechanism, q);
  if (idle.empty()) return;
  SpaceMechanism held = mechanism;
  held.idle = std::move(idle);
  SpaceEquations equations(held);
  const LoopClosures& closures = equations.closures();
  equations.evaluate_closures(q, v);
  const int turns = static_cast<int>(held.idle.size());
  DenseMatrix spins(turns, turns);  // that each of the ways has
  for (int r = 0; r < turns; ++r)
    for (int c = 0; c < turns; ++c) spins.at(r, c) = closures.row(closures.first_idle() + r).times(held.idle[z(c)].way);
  const auto spin = [&] {  // at the rates that the turns have
    std::vector<double> missing;
    for (int r = 0; r < turns; ++r) missing.push_back(held.idle[z(r)].rate - closures.row(closures.first_idle() + r).times(v));
    const LeastSquares found = least_squares(spins, missing, kSameWay);
    for (int c = 0; c < turns; ++c)
      for (std::size_t k = 0; k < v.size(); ++k) v[k] += found.x[z(c)] * held.idle[z(c)].way[k];
  };
  spin();
  set_rates(held, written, v);
  spin();
}

bool SpaceDrivenMotion::carry(double h, const At& from, const At& to, std::span<double> q) {
  if (mechanism_.idle.empty()) return false;
  const std::vector<Frame<Way>> before = frames_along(mechanism_.tree, from), after = frames_along(mechanism_.tree, to);
  equations_.evaluate_closures(to.q, none_);
  std::ranges::fill(right_, 0.0);
  double most = 0;
  for (std::size_t k = 0; k < mechanism_.idle.size(); ++k) {
    const std::size_t link = z(mechanism_.bodies[z(mechanism_.idle[k].turns)].link);
    const Spin spin = spin_between(known_spin(before[link].axes, h), known_spin(after[link].axes, h));
    const Mat3<double> is = start_of(after[link].axes);
    const tree::Quaternion missing = turned_by(spin) * tree::quaternion_of(start_of(before[link].axes) * transpose(is));
    const double turn = dot(tree::rotation_vector(missing), equations_.closures().line(static_cast<int>(k)));
    right_[z(equations_.closures().first_idle()) + k] = turn;
    most = std::max(most, std::abs(turn));
  }
  if (!(most > kSameTurn)) return false;
  std::ranges::fill(way_, 0.0);
  (void)equations_.follow(right_, way_);
  tree::move(mechanism_.tree, q, way_);
  return true;
}

}  // namespace jounce
