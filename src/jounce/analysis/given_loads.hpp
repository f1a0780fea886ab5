// Loads that a model gives as functions of time, as vectors in ground axes: for results and for drawings.
#pragma once

#include <span>
#include <vector>

#include "jounce/math/vec3.hpp"
#include "jounce/plane/equations/planar_system.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

struct GivenLoad {
  bool known = false;          ///< false: a force of another kind, or a function that has no value at that time
  Vec3<double> force, moment;  ///< about the point that the model gives them about
};

/// One for each force of the system. `frames` are those of the bodies at their centres of mass, the ground first.
[[nodiscard]] std::vector<GivenLoad> given_loads(const PlanarSystem& system, double t,
                                                 std::span<const planar::FrameRecord> frames);
/// `axes` are those of the body that it acts on.
[[nodiscard]] GivenLoad given_load(const SpaceForce& force, double t, const Mat3<double>& axes);

}  // namespace jounce
