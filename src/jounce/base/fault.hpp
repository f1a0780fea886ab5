// Something that a run needs has no value: who it belongs to, why, and where it stands in the model file.
#pragma once

#include <string>

#include "jounce/base/problem.hpp"

namespace jounce {

struct Fault {
  std::string element;   ///< "driver 'motor'", "force 'load'"; empty: none in particular
  std::string sentence;  ///< without the time
  Where where;
};

}  // namespace jounce
