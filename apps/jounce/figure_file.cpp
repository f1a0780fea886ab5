#include "figure_file.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "jounce/api/mechanism.hpp"
#include "picture.hpp"
#include "terminal.hpp"
#include "text_file.hpp"

namespace jounce::app {
namespace {

constexpr double kSmallestFigure = 100, kLargestFigure = 10000;

}  // namespace

Result<Format> figure_format(const std::optional<std::string>& output, std::span<const Format> possible, std::span<const std::string> inputs,
                             std::string_view made) {
  if (!output || *output == "-") return possible.front();
  if (Problems against = objections_to_inputs(*output, inputs, made); !against.empty()) return against;
  return format_of("-o", *output, possible);
}

int write_figure(const std::optional<std::string>& output, const std::string& figure) {
  if (!output || *output == "-") return print(figure), kDone;
  const auto failure = write_text(*output, figure);
  if (!failure) return kDone;
  complain(cannot_write(*output, *failure));
  return failure->opened ? kIncomplete : kWrong;
}

int write_figure(const std::optional<std::string>& output, Format format, const std::string& svg) {
  if (format != Format::png) return write_figure(output, svg);
  const auto picture = png_of(svg);
  if (picture) return write_figure(output, *picture);
  print_problems(picture.problems(), false);
  return kIncomplete;
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
