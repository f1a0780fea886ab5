// How large a mechanism of space is: the one length in which analyses count displacements against angles.
#pragma once

#include "jounce/mechanism/audit_scale.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

/// The largest distance within what moves, in metres: from a joint to the next one as the mechanism is written, from a body's joint to a
/// loop on it, or the radius of gyration of a body about its joint. Where the mechanism stands on the ground does not matter, unless
/// nothing else has a length; 1 when nothing has.
[[nodiscard]] double length_scale(const SpaceMechanism& mechanism);

/// For judging its energy.
[[nodiscard]] AuditScale audit_scale(const SpaceMechanism& mechanism);

/// The largest distance within a body, in metres: between its points, places of joints and loops, and, unless it is the ground, its centre of
/// mass. It does not depend on which joints are written as loops, and is that of the same mechanism in the plane. Where there is none, the
/// size of the mechanism.
[[nodiscard]] double largest_body(const SpaceMechanism& mechanism);

}  // namespace jounce
