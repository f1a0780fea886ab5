// A parameter that is set from outside the model file.
#pragma once

#include <string>
#include <utility>

namespace jounce {

/// Name and expression.
using Override = std::pair<std::string, std::string>;

}  // namespace jounce
