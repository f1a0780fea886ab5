// Springs, dampers and massless rods: what is stretched between two bodies.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "jounce/base/index.hpp"
#include "jounce/report/solids/skeleton.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {
namespace solids {
namespace {

// The shortest and the longest that it is during the motion.
std::pair<double, double> lengths(const Skeleton& skeleton, const Scene::Strut& strut) {
  double least = 1e300, most = 0;
  for (const BodyPoses& poses : skeleton.motion) {
    const double l = length(poses[z(strut.j)] * strut.pj - poses[z(strut.i)] * strut.pi);
    if (std::isfinite(l)) least = std::min(least, l), most = std::max(most, l);
  }
  return {std::min(least, most), most};
}

// What it looks like beside where its ends are.
void furnish(Scene::Strut& strut, bool elastic, bool damped, double rest, double least, double most, double u) {
  if (damped) {
    strut.tube_radius = 1.0 * u;
    strut.tube = std::max(0.25 * most, std::min(0.55 * most, 0.8 * least));
  }
  if (elastic) {
    strut.coil = (damped ? 2.0 : 1.6) * u;
    strut.wire = 0.3 * u;
    strut.turns = std::clamp(static_cast<int>(std::lround(rest / (2.2 * u))), 5, 14);
    if (!damped) strut.radius = 0;
  } else if (damped) {
    strut.radius = 0.45 * u;
  }
}

}  // namespace

std::optional<SlideSpring> slide_spring(const Connection& one) {
  constexpr double kApart = 4;  // units between the two bodies, of a spring that reaches from one to the other
  if (one.symbol != DrawingSymbol::slide || one.loop || one.element == nullptr) return std::nullopt;
  if (!(one.element->stiffness.value_or(0) > 0) && !(one.element->damping.value_or(0) > 0)) return std::nullopt;
  if (one.low > kApart * one.unit || one.high < -kApart * one.unit) return SlideSpring{0, true};
  return SlideSpring{one.low + one.reach_low - std::max(kApart * one.unit, 0.6 * (one.high - one.low)), false};
}

void add_struts(const Skeleton& skeleton, std::vector<Scene::Strut>& out) {
  const double u = skeleton.unit;
  for (const Scene::Element& e : skeleton.scene.elements) {
    if (e.symbol != DrawingSymbol::spring || !e.pi || !e.pj || e.i < 0 || e.j < 0) continue;
    Scene::Strut strut{.i = e.i, .j = e.j, .pi = *e.pi, .pj = *e.pj, .radius = 0.45 * u, .what = word(e.symbol)};
    const auto [least, most] = lengths(skeleton, strut);
    if (!(most > 0.05 * u)) continue;  // its ends stay at one place: there is nothing to see
    const double rest = e.free_length && *e.free_length > 0 ? *e.free_length : most;
    furnish(strut, e.stiffness.value_or(0) > 0, e.damping.value_or(0) > 0, rest, least, most, u);
    out.push_back(strut);
  }
  for (const Connection& one : skeleton.connections) {
    const auto spring = slide_spring(one);
    if (!spring) continue;
    const double block = spring->alone ? 0 : one.reach_low;
    const Vec3<double> beside = spring->alone ? Vec3<double>{} : one.beside;
    Scene::Strut strut{.i = one.parent, .j = one.child, .pi = one.parent_frame * (one.axis * spring->seat + beside),
                       .pj = one.child_frame * (one.axis * block + beside), .radius = 0.45 * u, .what = word(DrawingSymbol::spring)};
    const auto [least, most] = lengths(skeleton, strut);
    furnish(strut, one.element->stiffness.value_or(0) > 0, one.element->damping.value_or(0) > 0, most, least, most, u);
    out.push_back(strut);
  }
  for (const Connection& one : skeleton.connections)
    if (one.symbol == DrawingSymbol::rod)
      out.push_back({.i = one.parent, .j = one.child, .pi = one.parent_frame.origin, .pj = one.child_frame.origin, .radius = 0.75 * u, .what = word(one.symbol)});
}

}  // namespace solids

std::vector<Solid> solids_between(const Scene::Strut& strut, const Vec3<double>& from, const Vec3<double>& to) {
  std::vector<Solid> out;
  const double l = length(to - from);
  if (!(l > 0)) return out;
  const Frame<double> frame{solids::along(to - from), from};
  const solids::Maker make(out, 0, Solid::Role::joint, frame, strut.what);
  if (strut.radius > 0) make.as(Solid::Role::bright).rod({}, {0, 0, l}, strut.radius);
  if (strut.tube > 0) make.rod({}, {0, 0, std::min(strut.tube, 0.97 * l)}, strut.tube_radius);
  if (!(strut.coil > 0)) return out;
  // straight ends on the axis, and the coil between them
  constexpr double kEnds = 0.08;
  constexpr int kParts = 14;
  std::vector<Vec3<double>> wire{{0, 0, 0}};
  for (int k = 0; k <= kParts * strut.turns; ++k) {
    const double part = static_cast<double>(k) / (kParts * strut.turns);
    const double swell = strut.coil * std::min(1.0, 20 * std::min(part, 1 - part));
    const SinCos<double> turn = sincos(2 * std::numbers::pi * strut.turns * part);
    wire.push_back({swell * turn.cos, swell * turn.sin, l * (kEnds + (1 - 2 * kEnds) * part)});
  }
  wire.push_back({0, 0, l});
  make.wire(std::move(wire), strut.wire);
  return out;
}

}  // namespace jounce
