// A load whose components a model gives, as vectors in ground axes: for results and for drawings.
#pragma once

#include "jounce/math/vec3.hpp"

namespace jounce {

struct GivenLoad {
  bool known = false;          ///< false: a force of another kind, or a function that has no value at that time
  Vec3<double> force, moment;  ///< about the point that the model gives them about
};

}  // namespace jounce
