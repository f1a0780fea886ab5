// The table [parameters]: named constants that may refer to each other in any order.
#pragma once

#include <map>
#include <span>
#include <string>

#include "jounce/base/result.hpp"

namespace jounce {

struct WrittenParameter {
  std::string name;
  std::string text;
  Where where;  ///< of the value; its column is that of the text's first character
};

/// All errors in one go, each where it was written: circles, unknown names, reserved names, values that do not exist. What only
/// follows from another error is not reported again. A name that no expression can spell (`a-b`) is a warning.
[[nodiscard]] Result<std::map<std::string, double, std::less<>>> evaluate_parameters(
    std::span<const WrittenParameter> parameters);

}  // namespace jounce
