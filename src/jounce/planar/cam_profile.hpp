// The profile of a cam that gives its follower a wanted lift.
//
// The follower slides along `angle` (up, where nothing else is said) while the cam turns by θ anticlockwise. In axes of the follower,
// x to the right of its way and y along it, what touches the cam is at
//
//   roller   p = (e, √((r_b + r)² − e²) + s)      its centre; the profile is r inside the curve of p
//   face     p = (s′, r_b + s)                    the point of contact; radius of curvature r_b + s + s″
//
// and turned back by θ it is a place of the cam (Norton, Cam Design and Manufacturing Handbook, ch. 7).
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "jounce/math/vec2.hpp"
#include "jounce/scalar/series.hpp"

namespace jounce::planar {

struct CamDesign {
  double base_radius = 0;
  double roller_radius = 0;  ///< 0: a flat face
  double offset = 0;         ///< e, of a roller's way from the centre, to its right
  double angle = 0;          ///< of the follower's way, in axes of the cam at θ = 0
  Vec2<double> centre;       ///< about which the cam turns
};

/// The lift and its first two derivatives over θ; a sentence where it has no value.
using Lift = std::function<std::string(const Series<2>& theta, Series<2>& out)>;

/// Places of the profile, one after the other; a sentence where no cam gives this lift: undercut, a base circle that is too small, a
/// lift that does not close.
[[nodiscard]] std::variant<std::vector<Vec2<double>>, std::string> cam_profile(const Lift& lift, const CamDesign& design);

}  // namespace jounce::planar
