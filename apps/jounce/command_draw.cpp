// jounce draw MODEL: a drawing of the mechanism at one instant, as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "commands.hpp"
#include "jounce/api/draw.hpp"
#include "model_input.hpp"
#include "svg_file.hpp"
#include "terminal.hpp"
#include "timed_run.hpp"

namespace jounce::app {
namespace {

struct WantedDrawing {
  std::optional<double> at;
  DrawingOptions drawing;
  std::vector<TrailPoint> trails;
};

Result<WantedDrawing> wanted(const DrawOptions& options, const Mechanism& mechanism) {
  std::vector<std::string> inputs = mechanism.tables();
  if (!from_standard_input(options.model)) inputs.push_back(options.model);
  Problems problems = objections_to_figure(options.output, inputs);
  WantedDrawing out;
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
  take_figure_size("--width", options.width, out.drawing.width, problems);
  if (options.view) {
    static constexpr std::array<std::pair<std::string_view, View>, 4> kViews{
        {{"iso", View::iso}, {"x", View::x}, {"y", View::y}, {"z", View::z}}};
    const auto view = std::ranges::find(kViews, *options.view, &std::pair<std::string_view, View>::first);
    if (view == kViews.end())
      problems.push_back(error({}, fmt::format("--view '{}': expected one of iso, x, y, z", *options.view)));
    else
      out.drawing.view = view->second;
    if (mechanism.space() == Space::plane) problems.push_back(error({}, "--view: is for models in space; this one lies in the plane"));
  }
  for (const std::string& text : options.trails) {
    auto point = trail_point(mechanism, text);
    for (Problem& p : point.problems()) p.sentence = "--trail " + p.sentence;
    append(problems, point.problems());
    if (point) out.trails.push_back(*std::move(point));
  }
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
  return drawing.svg.empty() ? code : std::max(write_figure(options.output, drawing.svg), code);
}

}  // namespace jounce::app
