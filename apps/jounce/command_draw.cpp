// jounce draw MODEL: a drawing of the mechanism at one instant, as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "commands.hpp"
#include "draw_state.hpp"
#include "jounce/base/suggest.hpp"
#include "model_input.hpp"
#include "svg_file.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

struct Wanted {
  std::optional<double> at;
  DrawingOptions drawing;
  std::vector<TrailPoint> trails;
};

std::string meant(const std::string& name, const std::vector<std::string>& known, std::string_view otherwise) {
  const auto guess = nearest_name(name, known);
  return guess ? fmt::format("did you mean '{}'?", *guess) : fmt::format("{} {}", otherwise, join_names(known));
}

// "rod.B": a named point, or the origin or centre of mass, of a body that moves.
Result<TrailPoint> trail_point(const std::string& text, const Scene& scene) {
  const std::size_t dot = text.find('.');
  const std::string start = fmt::format("--trail {}: ", text), body = text.substr(0, dot);
  std::vector<std::string> bodies;
  for (const Scene::Body& b : scene.bodies) bodies.push_back(b.name);
  const auto found = std::ranges::find(bodies, body);
  if (found == bodies.end())
    return error({}, start + fmt::format("there is no body '{}' ({})", body, meant(body, bodies, "there are")));
  const auto index = static_cast<std::size_t>(found - bodies.begin());
  const Scene::Body& owner = scene.bodies[index];
  std::vector<std::string> points;
  for (const Scene::Point& p : owner.points) points.push_back(p.name);
  points.insert(points.end(), {"origin", "com"});
  if (dot == text.npos)
    return error({}, start + fmt::format("expected a point of '{}', such as {}.{}", body, body, points.front()));
  const std::string name = text.substr(dot + 1);
  TrailPoint out{text, static_cast<int>(index), {}};
  const auto point = std::ranges::find(owner.points, name, &Scene::Point::name);
  if (point != owner.points.end())
    out.p = point->p;
  else if (name == "com")
    out.p = owner.com.value_or(Vec3<double>{});
  else if (name != "origin")
    return error({}, start + fmt::format("'{}' has no point '{}' ({})", body, name, meant(name, points, "it has")));
  return out;
}

Result<Wanted> wanted(const DrawOptions& options, const AnyMechanism& mechanism, const Scene& scene) {
  const Head model = head(mechanism);
  std::vector<std::string> inputs{options.model};
  inputs.insert(inputs.end(), model.tables.begin(), model.tables.end());
  Problems problems = objections_to_figure(options.output, inputs);
  Wanted out;
  out.drawing.title = model.name;
  out.drawing.names = options.names;
  if (options.at) {
    const auto at = option_number("--at", *options.at, model);
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
    if (!scene.space) problems.push_back(error({}, "--view: is for models in space; this one lies in the plane"));
  }
  for (const std::string& text : options.trails) {
    auto point = trail_point(text, scene);
    if (point)
      out.trails.push_back(*std::move(point));
    else
      append(problems, point.problems());
  }
  if (!problems.empty()) return problems;
  return out;
}

}  // namespace

int command_draw(const DrawOptions& options) {
  Problems problems;
  const auto mechanism = load_model(options, problems);
  if (!mechanism) return kWrong;
  const Scene scene = std::visit([](const auto& m) { return jounce::scene(m); }, *mechanism);
  const auto asked = wanted(options, *mechanism, scene);
  if (!asked) return refuse(options, asked.problems());

  DrawnState state = drawn_state(*mechanism, scene, asked->at);
  append(problems, state.problems);
  Snapshot snapshot{std::move(state.poses), {}, {}};
  if (!snapshot.poses.empty()) {
    snapshot.trails = trails(*mechanism, scene, asked->trails, problems);
    snapshot.loads = loads(*mechanism, snapshot.poses, state.t);
  }
  print_problems(problems, options.quiet);
  if (snapshot.poses.empty()) return state.code;
  const int written = write_figure(options.output, draw_mechanism(scene, snapshot, asked->drawing));
  return std::max(written, state.code);
}

}  // namespace jounce::app
