// An equilibrium, of a mechanism in the plane or in space.
#pragma once

#include <string>
#include <vector>

#include "jounce/analysis/equilibrium.hpp"

namespace jounce::app {

struct Rest : Equilibrium {
  /// What the numbers of a mode's shape belong to: "crank.phi" (x and y are those of the centre of mass), in space the joint, or
  /// "wrist.2" for its second dof.
  std::vector<std::string> components;
};

}  // namespace jounce::app
