// What can be computed of a mechanism. All but equilibrium go on over time.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace jounce {

enum class Analysis { kinematics, inverse, dynamics, equilibrium };
inline constexpr std::array kAnalyses{Analysis::kinematics, Analysis::inverse, Analysis::dynamics, Analysis::equilibrium};

[[nodiscard]] std::string_view word(Analysis analysis);
[[nodiscard]] std::optional<Analysis> analysis_of(std::string_view name);

}  // namespace jounce
