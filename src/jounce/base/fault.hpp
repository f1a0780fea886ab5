// Something that a run needs has no value: who it belongs to, why, and where it stands in the model file.
#pragma once

#include <string>
#include <vector>

#include "jounce/base/problem.hpp"

namespace jounce {

struct Fault {
  std::string element;   ///< "driver 'motor'", "force 'load'", "dof 2 of joint 'wrist'"; empty: none in particular
  std::string sentence;  ///< without the element and the time
  Where where;
  std::string name{};    ///< of the element alone, "motor": what an outcome lists

  [[nodiscard]] std::string text() const { return element.empty() ? sentence : element + ": " + sentence; }
  [[nodiscard]] std::vector<std::string> names() const { return name.empty() ? std::vector<std::string>{} : std::vector{name}; }
};

}  // namespace jounce
