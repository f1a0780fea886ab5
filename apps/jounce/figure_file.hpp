// Where figures go: a file, by the ending of its name, or standard output.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats.hpp"
#include "jounce/base/result.hpp"

namespace jounce::app {

/// The format of a figure, or why it cannot go there. `output`: none is standard output. `inputs`: the files that it is made from. `made`: "the figure is made".
[[nodiscard]] Result<Format> figure_format(const std::optional<std::string>& output, std::span<const Format> possible, std::span<const std::string> inputs,
                                           std::string_view made = "the figure is made");

/// Writes its bytes and gives the exit code; what is wrong has been said.
int write_figure(const std::optional<std::string>& output, const std::string& figure);
/// The same of a figure as SVG, that may become a picture.
int write_figure(const std::optional<std::string>& output, Format format, const std::string& svg);

/// The width or height of a figure in pixels, where the option is given.
void take_figure_size(const std::string& option, const std::optional<std::string>& text, double& size, Problems& problems);

}  // namespace jounce::app
