#include "drawn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "figure_file.hpp"

namespace jounce::app {

void take_view(const ViewOptions& options, const Mechanism& mechanism, DrawingOptions& drawing, Problems& problems) {
  take_figure_size("--width", options.width, drawing.width, problems);
  if (!options.view) return;
  static constexpr std::array<std::pair<std::string_view, View>, 4> kViews{{{"iso", View::iso}, {"x", View::x}, {"y", View::y}, {"z", View::z}}};
  const auto view = std::ranges::find(kViews, *options.view, &std::pair<std::string_view, View>::first);
  if (view == kViews.end())
    problems.push_back(error({}, fmt::format("--view '{}': expected one of iso, x, y, z", *options.view)));
  else
    drawing.view = view->second;
  if (mechanism.space() == Space::plane) problems.push_back(error({}, "--view: is for models in space; this one lies in the plane"));
}

std::vector<TrailPoint> trails_of(const ViewOptions& options, const Mechanism& mechanism, Problems& problems) {
  std::vector<TrailPoint> out;
  for (const std::string& text : options.trails) {
    auto point = trail_point(mechanism, text);
    for (Problem& p : point.problems()) p.sentence = "--trail " + p.sentence;
    append(problems, point.problems());
    if (point) out.push_back(*std::move(point));
  }
  return out;
}

}  // namespace jounce::app
