// From the drawn positions (in space also the rates) to those where every equation holds, moving as little as possible.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

struct PlaneMechanism;
struct SpaceMechanism;

/// How far one joint or driver (in space a loop or a coupling) stays from being met.
struct Gap {
  std::string constraint;  ///< "joint 'B'"
  double metres = 0;       ///< 0 when none of its equations is a length
  double radians = 0;
};

struct Assembly {
  bool assembled = false;   ///< every equation holds; in space in velocity, too
  std::vector<double> q;    ///< the position found; where it is not assembled, the best compromise
  std::vector<double> v;    ///< in space: the rates found; in the plane they are left to dynamics
  double worst_residual{};  ///< metres or radians
  /// Largest move from the drawing: of a body's centre of mass and angle, in space of a coordinate or a rotation of a joint.
  double moved_metres{}, moved_radians{};
  int iterations = 0;
  std::vector<Gap> gaps;    ///< not assembled: what cannot be met together, widest first
  std::vector<std::string> contradicting;  ///< not assembled, as these ask for rates that contradict each other: in space, by name
  bool singular = false;    ///< and they do so as the position is singular
  bool stopped = false;     ///< not assembled, as the caller asked to stop
  Problems problems;        ///< warnings (a joint closed the other way round), or the error when it is not assembled
};

/// How an analysis ends that cannot begin as the mechanism is not assembled.
[[nodiscard]] Outcome not_begun(const Assembly& assembly);

/// At time t (0 for the start), drivers included.
[[nodiscard]] Assembly assemble(const PlaneMechanism& mechanism, double t = 0, const Stop& stop = {});

/// The same from any starting position.
[[nodiscard]] Assembly assemble_from(const PlaneMechanism& mechanism, std::span<const double> start, double t, const Stop& stop = {});

/// At time t (0 for the start). Active dofs are where their motions say. The passive coordinates move as little as possible. Passive
/// rates that are written as 0 give way first, the others only where that is not enough (with a warning): to write the rate of one
/// dof is enough where it determines the rest. Then the start condition of the mechanism is applied.
[[nodiscard]] Assembly assemble(const SpaceMechanism& mechanism, double t = 0, const Stop& stop = {});

}  // namespace jounce
