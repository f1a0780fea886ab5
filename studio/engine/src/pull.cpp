#include <array>
#include <utility>
#include <vector>

#include "answers.hpp"

namespace jounce::studio {
namespace {

// The coordinates of a pose of the page; empty where there is none.
std::vector<double> posed(const Mechanism& mechanism, const Json& pose) {
  const Json bodies = pose.is_object() ? member(pose, "bodies") : Json();
  std::vector<std::array<double, 3>> origins;
  for (std::size_t b = 0; bodies.is_array() && 3 * b + 2 < bodies.size(); ++b)
    origins.push_back({number(bodies, 3 * b), number(bodies, 3 * b + 1), number(bodies, 3 * b + 2)});
  return at_origins(mechanism, origins);
}

}  // namespace

Answer pull(const Json& request, Studied& last) {
  if (!last.mechanism) return refused("there is no model yet");
  const Json handle = member(request, "handle"), to = member(request, "to");
  if (!handle.is_object()) return refused("a pull needs a handle");
  const Json body = member(handle, "body"), p = member(handle, "p");
  const Pull asked{body.is_string() ? body.get<std::string>() : "", {number(p, 0), number(p, 1)}, {number(to, 0), number(to, 1)}};
  std::vector<double> from = posed(*last.mechanism, member(request, "from"));
  if (from.empty()) from = last.pulled.empty() ? last.run.state.q : last.pulled;
  Result<Pulled> found = jounce::pull(*last.mechanism, asked, from);
  if (!found) return refused(text(found.problems()));
  last.pulled = std::move(found->q);
  return {Json{{"bodies", numbers(origins(*last.mechanism, last.pulled))}, {"short", found->short_by}, {"held", found->held}}.dump(), false};
}

Answer pose(const Studied& last) {
  if (!last.mechanism || last.pulled.empty()) return {R"({"pose":null})", false};
  const std::vector<std::array<double, 3>> found = origins(*last.mechanism, last.pulled);
  Json out = Json::array();
  for (std::size_t b = 1; b < found.size(); ++b)
    out.push_back({{"body", last.mechanism->model().bodies[b - 1].name}, {"position", {found[b][0], found[b][1]}}, {"angle", found[b][2]}});
  return {Json{{"pose", std::move(out)}}.dump(-1, ' ', false, Json::error_handler_t::replace), false};
}

}  // namespace jounce::studio
