// jounce draw MODEL: a drawing of the mechanism at one instant, as SVG, as a picture or for CAD.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "commands.hpp"
#include "jounce/api/draw.hpp"
#include "drawn.hpp"
#include "model_input.hpp"
#include "figure_file.hpp"
#include "terminal.hpp"
#include "timed_run.hpp"

namespace jounce::app {
namespace {

struct WantedDrawing {
  Format format{};
  std::optional<double> at;
  DrawingOptions drawing;
  std::vector<TrailPoint> trails;
};

Result<WantedDrawing> wanted(const DrawOptions& options, const Mechanism& mechanism) {
  const auto format = figure_format(options.output, std::array{Format::svg, Format::png, Format::dxf}, input_files(options, mechanism));
  Problems problems = format.problems();
  WantedDrawing out;
  if (format) out.format = *format, out.drawing.dxf = *format == Format::dxf;
  out.drawing.names = options.names;
  if (options.at) {
    const auto at = option_number("--at", *options.at, mechanism);
    if (!at)
      append(problems, at.problems());
    else if (!(*at >= 0 && std::isfinite(*at)))
      problems.push_back(error({}, fmt::format("--at {}: must be 0 or a later time", *options.at)));
    else
      out.at = *at;
  }
  take_view(options, mechanism, out.drawing, problems);
  out.trails = trails_of(options, mechanism, problems);
  if (!problems.empty()) return problems;
  return out;
}

}  // namespace

int command_draw(const DrawOptions& options) {
  Problems problems;
  const auto mechanism = load_model(options, problems);
  if (!mechanism) return kWrong;
  const auto asked = wanted(options, *mechanism);
  if (!asked) return refuse(options, asked.problems());

  const Drawing drawing = draw(*mechanism, asked->at, asked->trails, asked->drawing);
  append(problems, drawing.problems);
  print_problems(problems, options.quiet);
  const int code = exit_code(drawing.outcome.kind);
  if (drawing.svg.empty()) return code;
  return std::max(write_figure(options.output, asked->format, asked->format == Format::dxf ? drawing.dxf : drawing.svg), code);
}

}  // namespace jounce::app
