#include "jounce/tree/orientation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "jounce/base/index.hpp"

namespace jounce::tree {
namespace {

/// Components that differ by less, as a part of them, are equal but for rounding.
constexpr double kEqual = 1e-9;

Quaternion own_turn(const Link& link, std::span<const double> q) {
  if (link.motion == Motion::ball || link.motion == Motion::free) {
    const double* e = &q[z(link.q)];
    return {e[0], e[1], e[2], e[3]};
  }
  if (link.motion != Motion::revolute && link.motion != Motion::screw) return {};
  const SinCos<double> half = sincos((link.motion == Motion::screw ? link.turn : 1.0) * q[z(link.q)] / 2);
  return {half.cos, 0, 0, half.sin};
}

}  // namespace

void orientations(const Tree& tree, std::span<const double> q, std::span<Quaternion> out) {
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.link(i);
    const Quaternion own = quaternion_of(link.place.axes) * own_turn(link, q);
    out[z(i)] = link.parent == kGround ? own : normalised(out[z(link.parent)] * own);
  }
}

double usual_sign(const Quaternion& e) {
  const std::array parts{e.w, e.x, e.y, e.z};
  double most = 0;
  for (const double part : parts) most = std::max(most, std::abs(part));
  const auto largest = std::ranges::find_if(parts, [&](double part) { return std::abs(part) >= (1 - kEqual) * most; });
  return *largest < 0 ? -1 : 1;
}

}  // namespace jounce::tree
