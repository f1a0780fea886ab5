#include "svg_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "jounce/api/mechanism.hpp"
#include "terminal.hpp"
#include "text_file.hpp"

namespace jounce::app {
namespace {

constexpr double kSmallestFigure = 100, kLargestFigure = 10000;

}  // namespace

Problems objections_to_figure(const std::optional<std::string>& output, const std::vector<std::string>& inputs) {
  if (!output || *output == "-") return {};
  std::error_code ignored;
  for (const std::string& input : inputs)
    if (std::filesystem::equivalent(*output, input, ignored))
      return {error({}, fmt::format("-o {}: the figure is made from this file; it would be overwritten", *output))};
  if (std::filesystem::path(*output).extension() != ".svg")
    return {error({}, fmt::format("-o {}: expected the name of a .svg file, or - for standard output",
                                  output->empty() ? "''" : *output))};
  return {};
}

int write_figure(const std::optional<std::string>& output, const std::string& figure) {
  if (!output || *output == "-") return print(figure), kDone;
  const auto failure = write_text(*output, figure);
  if (!failure) return kDone;
  complain(cannot_write(*output, *failure));
  return failure->opened ? kIncomplete : kWrong;
}

void take_figure_size(const std::string& option, const std::optional<std::string>& text, double& size, Problems& problems) {
  if (!text) return;
  const auto value = evaluate(*text);
  if (value && *value >= kSmallestFigure && *value <= kLargestFigure) size = *value;
  else
    problems.push_back(error({}, fmt::format("{} '{}': expected a number of pixels from {:g} to {:g}", option, *text,
                                             kSmallestFigure, kLargestFigure)));
}

}  // namespace jounce::app
