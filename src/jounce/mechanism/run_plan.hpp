// The [run] section of a model, evaluated.
#pragma once

#include <string>

namespace jounce {

struct RunPlan {
  std::string analysis = "kinematics";
  double to = 1;
  int steps = 100;
  bool written = false;  ///< false: the file has no [run], these are the defaults
};

}  // namespace jounce
