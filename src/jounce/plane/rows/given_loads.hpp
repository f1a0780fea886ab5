// Loads that a planar model gives as functions of time.
#pragma once

#include <span>
#include <vector>

#include "jounce/mechanism/given_load.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

/// One for each force of the system. `frames` are those of the bodies at their centres of mass, the ground first.
[[nodiscard]] std::vector<GivenLoad> given_loads(const PlanarSystem& system, double t,
                                                 std::span<const planar::FrameRecord> frames,
                                                 std::span<const planar::FrameRecord> rates);

/// The same, and those of forces that hold a body at another in every direction: on the second body, at its point.
[[nodiscard]] std::vector<GivenLoad> given_and_elastic_loads(const PlanarSystem& system, double t,
                                                             std::span<const planar::FrameRecord> frames,
                                                             std::span<const planar::FrameRecord> rates);

}  // namespace jounce
