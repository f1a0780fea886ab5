// What a mechanism is made of, in how many ways it can move, and whether it assembles.
#pragma once

#include <string>
#include <vector>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/base/problem.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/mechanism/mobility.hpp"

namespace jounce {

struct CheckedElement {
  std::string name, type;
  int equations = 0;             ///< of joints and drivers of the plane, of loops and couplings
  std::string parent, child;     ///< bodies of a joint of space
  int coordinates = 0;           ///< of a joint of space
  std::vector<bool> prescribed;  ///< of a joint of space: one for each dof
};

struct Check {
  std::vector<std::string> bodies;  ///< without the ground
  std::vector<CheckedElement> joints;
  std::vector<CheckedElement> drivers;           ///< of the plane
  std::vector<CheckedElement> loops, couplings, equations;  ///< of space; those of the plane are among its joints
  std::vector<std::string> prescribed;           ///< in space: the dofs whose motion is given, "joint 'elbow'"
  std::vector<std::string> actuators;            ///< in space: the dofs whose efforts carry the prescribed motions, where the model names them
  std::vector<std::string> shared_efforts;       ///< actuators that could push against each other: the smallest efforts are reported
  int dofs = 0;                                  ///< in space, of all joints
  std::string start;                             ///< in space: "as written", "zero momentum" or "impulsive"
  Assembly assembly;
  Mobility mobility;
  std::vector<std::string> not_unique;  ///< joints, drivers, prescribed dofs, loops and couplings whose reactions dynamics cannot tell
  Problems problems;
  bool stopped = false;  ///< the caller asked to stop: what was not found by then is missing
};

[[nodiscard]] Check check(const PlaneMechanism& mechanism, const Stop& stop = {});
[[nodiscard]] Check check(const SpaceMechanism& mechanism, const Stop& stop = {});

}  // namespace jounce
