// Bodies between two points: the members of a truss that are modelled as bodies, connecting rods, struts.
//
//      F_A ◄──(A)═══════════(B)──► F_B        tension = ½ (F_B − F_A) · (B − A)/|B − A|
//
// Where the weight and the inertia of the body are small against what it carries, F_A = −F_B and this is the force that it carries from
// end to end; else it is the mean of what pulls at its two ends. A body that is touched anywhere else has no such number: by a joint or a driver that carries a
// moment or whose place on the body changes, such as the slot of a pin, or by a spring or a load between the ends.
#pragma once

#include <span>
#include <vector>

#include "jounce/mechanism/given_load.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/plane/rows/dynamic_rows.hpp"

namespace jounce {

[[nodiscard]] std::vector<PlaneMember> members(const PlaneMechanism& mechanism);

/// > 0 where it is pulled, < 0 where it is pressed.
[[nodiscard]] double tension(const PlaneMember& member, std::span<const planar::FrameRecord> frames, std::span<const Reaction> reactions,
                             std::span<const GivenLoad> loads, std::span<const ForceReading> readings);

}  // namespace jounce
