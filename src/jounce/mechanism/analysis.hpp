// What can be computed of a mechanism. All but equilibrium go on over time.
#pragma once

#include <optional>
#include <string_view>

namespace jounce {

enum class Analysis { kinematics, inverse, dynamics, equilibrium };

[[nodiscard]] std::string_view word(Analysis analysis);
[[nodiscard]] std::optional<Analysis> analysis_of(std::string_view name);

}  // namespace jounce
