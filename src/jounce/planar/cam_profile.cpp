#include "jounce/planar/cam_profile.hpp"

#include <cmath>
#include <numbers>

#include "jounce/base/text.hpp"

namespace jounce::planar {
namespace {

/// Places of a turn: a spline through them follows a lift of a few harmonics to rounding, and rounding does not yet show in its
/// fourth derivative.
constexpr int kPlaces = 360;
/// Of the base radius: a lift that differs by more after a turn does not close.
constexpr double kCloses = 1e-9;

std::string at_angle(double theta) {
  return " at theta = " + short_number(theta) + " (" + short_number(theta * 180 / std::numbers::pi) + " deg)";
}

}  // namespace

std::variant<std::vector<Vec2<double>>, std::string> cam_profile(const Lift& lift, const CamDesign& d) {
  constexpr double kTurn = 2 * std::numbers::pi;
  const bool face = d.roller_radius == 0;
  const double reach = d.base_radius + d.roller_radius;
  if (std::abs(d.offset) >= reach)
    return "the offset, " + short_number(d.offset) + ", must be less than " +
           (face ? "base_radius" : "base_radius and roller_radius together") + ", " + short_number(reach);
  const double lowest = std::sqrt(reach * reach - d.offset * d.offset);

  std::vector<Vec2<double>> out;
  double first = 0;
  for (int k = 0; k <= kPlaces; ++k) {
    const double theta = kTurn * k / kPlaces;
    Series<2> s;
    if (std::string trouble = lift(Series<2>::time(theta), s); !trouble.empty()) return trouble + "," + at_angle(theta);
    const double s0 = s[0], s1 = s[1], s2 = 2 * s[2];
    if (k == 0) first = s0;
    if (k == kPlaces) {
      if (std::abs(s0 - first) > kCloses * d.base_radius)
        return "the lift must be the same after a turn, found " + short_number(first) + " at theta = 0 and " +
               short_number(s0) + " at theta = 2*pi";
      break;
    }
    Vec2<double> p{s1, d.base_radius + s0};
    if (face) {
      if (const double bend = d.base_radius + s0 + s2; !(bend > 0))
        return "undercut: a convex profile does not exist" + at_angle(theta) + ", where base_radius + lift + lift'' is " +
               short_number(bend) + ": expected a larger base_radius or a gentler lift";
    } else {
      // The path of the centre on the cam, its first two derivatives by θ, and its radius of curvature, > 0 where it bulges.
      const Vec2<double> centre{d.offset, lowest + s0}, along{centre.y, s1 - d.offset}, bends{2 * s1 - d.offset, s2 - centre.y};
      const double speed = length(along), bulges = -cross(along, bends) / (speed * speed * speed);
      if (!(centre.y > 0))
        return "the roller reaches the centre of the cam" + at_angle(theta) + ": expected a larger base_radius";
      if (!(bulges * d.roller_radius < 1))
        return "undercut: the path of the roller's centre bends with a radius of " + short_number(1 / bulges) +
               at_angle(theta) + ", less than roller_radius " + short_number(d.roller_radius) +
               ": expected a larger base_radius, a smaller roller or a gentler lift";
      p = {centre.x + d.roller_radius * along.y / speed, centre.y - d.roller_radius * along.x / speed};
    }
    if (!(length(p) > 0))
      return "the profile reaches the centre of the cam" + at_angle(theta) + ": expected a larger base_radius";
    const auto way = sincos(d.angle - theta);
    out.push_back({d.centre.x + p.x * way.sin + p.y * way.cos, d.centre.y - p.x * way.cos + p.y * way.sin});
  }
  return out;
}

}  // namespace jounce::planar
