// Where figures go: a file .svg, or standard output.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jounce/base/result.hpp"

namespace jounce::app {

/// Why a figure cannot go there: not the name of a figure, or one of the files it is made from. `output`: none is standard
/// output.
[[nodiscard]] Problems objections_to_figure(const std::optional<std::string>& output, const std::vector<std::string>& inputs);

/// Writes it and gives the exit code; what is wrong has been said.
int write_figure(const std::optional<std::string>& output, const std::string& figure);

/// The width or height of a figure in pixels, where the option is given.
void take_figure_size(const std::string& option, const std::optional<std::string>& text, double& size, Problems& problems);

}  // namespace jounce::app
