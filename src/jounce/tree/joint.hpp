// What a joint of space is made of: steps, each of one simple motion.
//
// Every joint except `spherical` and `free` is a product of one-dof screws, applied one after the other from the parent to the
// child. That product is all a joint type says about itself: subspace, bias and everything else follow, because the engine makes
// each step a link of its own (link.hpp). No derivative of a joint's motion is written anywhere.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "jounce/base/drawing_symbol.hpp"
#include "jounce/math/vec3.hpp"

namespace jounce::tree {

enum class Motion : std::uint8_t {
  fixed,
  revolute,   ///< turns about the link's z axis by q
  prismatic,  ///< slides along the link's z axis by q
  screw,      ///< turns by turn · q about z and advances by advance · q along it
  ball,       ///< unit quaternion w, x, y, z; its rate is the angular velocity in the link's own axes
  free,       ///< quaternion and position in the parent's axes; its rate is the link's own twist [ω; v]
};

constexpr int coordinates(Motion m) { return m == Motion::fixed ? 0 : m == Motion::ball ? 4 : m == Motion::free ? 7 : 1; }
constexpr int dofs(Motion m) { return m == Motion::fixed ? 0 : m == Motion::ball ? 3 : m == Motion::free ? 6 : 1; }

/// One step of a joint, in the axes of the joint's frame at zero displacement.
struct Step {
  Motion motion = Motion::fixed;
  int coordinate = 0;              ///< which of the joint's coordinates (and dofs) moves it; the first one of ball and free
  Vec3<double> axis{0, 0, 1};      ///< of unit length
  Vec3<double> through{};          ///< a point of the axis
  double turn = 1, advance = 0;    ///< of a screw, per unit of the coordinate
  Vec3<double> beyond{};           ///< from here to where the next step begins
};

/// What a model says about the shape of a joint.
struct JointShape {
  Vec3<double> axis{0, 0, 1};  ///< of unit length
  double pitch = 0;
  double length = 1;           ///< > 0
  std::vector<std::array<double, 6>> screws;  ///< [w; u], not normalised
};

/// What friction that grows with the reaction is like, of a type that has it.
enum class Rubs : std::uint8_t { not_at_all, as_bearing, as_guide };

/// Which keys of a model file shape a type.
struct JointKeys {
  bool axis = false, pitch = false, screws = false, length = false;
  Rubs rubs = Rubs::not_at_all;
};

inline Step turning(Vec3<double> axis, int coordinate) { return {Motion::revolute, coordinate, axis, {}, 1, 0}; }
inline Step sliding(Vec3<double> axis, int coordinate) { return {Motion::prismatic, coordinate, axis, {}, 0, 1}; }
/// The screw b = [w; u] of any length: turns by |w| q about the axis through w × u / |w|² and advances by w · u / |w| · q.
Step screwing(const std::array<double, 6>& b, int coordinate);

}  // namespace jounce::tree
