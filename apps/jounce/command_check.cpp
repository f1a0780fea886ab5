// jounce check MODEL: what the model is, how it can move, and whether it assembles.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "commands.hpp"
#include "jounce/api/inspect.hpp"
#include "jounce/base/suggest.hpp"
#include "json.hpp"
#include "model_input.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

constexpr double kNearlySingular = 1e-4;  // of the regularity, see Mobility
constexpr std::size_t kNamesInALine = 20;
constexpr const char* kRigid = "nothing can move: a rigid structure";

// "1 equation", "2 equations"
std::string counted(int n, std::string_view one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

// "  joints       4: 4 revolute"
std::string line(std::string_view head, std::string_view text) { return fmt::format("  {:<13}{}\n", head, text); }

// "4: 3 revolute, 1 translational", types in the order of their first use; "none" of nothing.
std::string types_text(const std::vector<CheckedElement>& elements) {
  if (elements.empty()) return "none";
  std::vector<std::pair<std::string_view, int>> counts;
  for (const CheckedElement& e : elements) {
    const auto it = std::ranges::find(counts, e.type, &std::pair<std::string_view, int>::first);
    if (it == counts.end()) counts.emplace_back(e.type, 1);
    else ++it->second;
  }
  std::string out = fmt::format("{}: ", elements.size());
  for (const auto& [type, n] : counts) out += fmt::format("{}{} {}", &type == &counts.front().first ? "" : ", ", n, type);
  return out;
}

// "4: 3 revolute, 1 translational (8 equations)"
std::string constraints_text(const std::vector<CheckedElement>& elements) {
  int equations = 0;
  for (const CheckedElement& e : elements) equations += e.equations;
  return types_text(elements) + (elements.empty() ? "" : " (" + counted(equations, "equation") + ")");
}

// Whether equations repeat each other, which, and whether they agree.
std::string equations_text(const Mobility& m) {
  std::string out = line("equations", m.redundant == 0 ? "independent" : toned(Tone::doubtful, counted(m.redundant, "redundant equation")));
  for (const DependentSet& set : m.dependent) {
    out += line("", "  " + join_names(set.names, kNamesInALine));
    const char* const consistent = m.mobility > 0 ? "  consistent: overconstrained but movable" : "  consistent: overconstrained";
    out += line("", set.consistent ? consistent : toned(Tone::bad, "  conflicting: they contradict each other"));
  }
  return out;
}

// Whether it assembles, how far it moved, what stays open. `from`: what it moved from.
std::string assembly_text(const Assembly& a, std::string_view from) {
  const double degrees = a.moved_radians * 180 / std::numbers::pi;
  std::string out = line("assembly", a.assembled ? toned(Tone::good, "assembles") : toned(Tone::bad, "does not assemble"));
  out += line("", fmt::format("moved at most {:.3g} m and {:.3g} rad ({:.3g} deg) from {}", a.moved_metres, a.moved_radians, degrees, from));
  out += line("", fmt::format("worst residual {:.3g} (m or rad)", a.worst_residual));
  for (const Gap& gap : a.gaps) {
    const std::string apart = gap.metres != 0 ? fmt::format(" {:.3g} m", gap.metres) : "";
    const std::string turned = gap.radians != 0 ? fmt::format(" {:.3g} rad", gap.radians) : "";
    out += line("", fmt::format("{} misses by{}{}", gap.constraint, apart, turned));
  }
  return out;
}

std::string bodies_text(const Check& c) {
  return line("bodies", c.bodies.empty() ? "none" : fmt::format("{}: {}", c.bodies.size(), join_names(c.bodies)));
}

std::string position_text(const Mobility& m) {
  std::string position = "regularity not computed";
  if (m.regularity > 0) position = fmt::format("regularity {:.3g} (1 is perfect)", m.regularity);
  if (m.singular_position)
    position += toned(Tone::doubtful, ", singular: fewer equations are independent here than next to here");
  else if (m.regularity > 0 && m.regularity < kNearlySingular) position += toned(Tone::doubtful, ", close to singular");
  std::string out = line("position", position);
  if (m.only_infinitesimal) out += line("", toned(Tone::doubtful, "only infinitesimal motion: shaky, but it cannot really move"));
  return out;
}

std::string reactions_text(const Check& c) {
  return c.not_unique.empty() ? "" : line("reactions", toned(Tone::doubtful, "not unique: " + join_names(c.not_unique, kNamesInALine)));
}

std::string plane_text(const Check& c) {
  const Mobility& m = c.mobility;
  std::string out = bodies_text(c) + line("joints", constraints_text(c.joints)) + line("drivers", constraints_text(c.drivers));
  out += line("mobility", fmt::format("{} counted (3 x {} - {}), {} by rank", m.counted, m.bodies, m.joint_equations,
                                      toned(Tone::strong, std::to_string(m.mobility))));
  if (c.assembly.assembled) {  // what follows is about a position that it can take
    out += line("with drivers", m.mobility == 0 ? kRigid : m.undriven == 0 ? "every motion is driven" : toned(Tone::doubtful, counted(m.undriven, "free motion") + " left"));
    out += equations_text(m);
    out += reactions_text(c);
    out += position_text(m);
  }
  return out + assembly_text(c.assembly, "the drawing");
}

std::string motion_text(const Mobility& m) {
  const int idle = static_cast<int>(m.idle.size());
  if (m.mobility == 0) return std::string(kRigid);
  if (m.undriven == 0) return "every motion is prescribed";
  if (m.undriven == idle) return fmt::format("every motion is prescribed, but for {} idle", idle);
  return counted(m.undriven, "free motion") + " left to dynamics" + (idle > 0 ? fmt::format(", {} of them idle", idle) : "");
}

std::string dofs_text(const Check& c) {
  if (c.prescribed.empty()) return fmt::format("{}, none prescribed", c.dofs);
  constexpr std::size_t kMost = 8;
  return fmt::format("{}: {} prescribed ({}), {} passive", c.dofs, c.prescribed.size(), join_names(c.prescribed, kMost),
                     static_cast<std::size_t>(c.dofs) - c.prescribed.size());
}

std::string space_text(const Check& c) {
  const Mobility& m = c.mobility;
  std::string out = line("space", "3d") + bodies_text(c);
  out += line("joints", types_text(c.joints) + fmt::format(" ({})", counted(c.dofs, "dof")));  // "2: 1 revolute, 1 free (7 dofs)"
  out += line("dofs", dofs_text(c));
  if (!c.actuators.empty())
    out += line("actuators", fmt::format("{}: {}; in inverse their efforts carry the motion, those of other prescribed dofs are 0", c.actuators.size(), join_names(c.actuators)));
  if (!c.shared_efforts.empty())
    out += line("", toned(Tone::doubtful, "more of them than motions, the smallest efforts are found; not unique: " + join_names(c.shared_efforts, kNamesInALine)));
  if (!c.loops.empty()) out += line("loops", constraints_text(c.loops));
  const auto one_each = [&](const char* what, const std::vector<CheckedElement>& elements) {
    if (elements.empty()) return;
    std::vector<std::string> names;
    names.reserve(elements.size());
    for (const CheckedElement& element : elements) names.push_back(element.name);
    const auto n = static_cast<int>(names.size());
    out += line(what, fmt::format("{}: {} ({})", n, join_names(names), counted(n, "equation")));
  };
  one_each("couplings", c.couplings);
  one_each("equations", c.equations);
  out += line("mobility", fmt::format("{} counted ({} - {}), {} by rank", m.counted, c.dofs, m.joint_equations,
                                      toned(Tone::strong, std::to_string(m.mobility))));
  if (c.assembly.assembled) {
    out += line("motion", motion_text(m));
    for (const IdleTurn& turn : m.idle) out += line(&turn == m.idle.data() ? "idle" : "", turn.sentence());
    if (m.joint_equations > 0) out += equations_text(m);
    out += reactions_text(c);
  }
  out += line("start", c.start);
  if (c.assembly.assembled && m.joint_equations == 0)
    return out + line("assembly", toned(Tone::good, "assembles") + ": there is no loop to close");
  return out + assembly_text(c.assembly, "the positions written");
}

}  // namespace

int command_check(const ModelOptions& options) {
  Problems problems;
  const auto mechanism = load_model(options, problems);
  if (!mechanism) return kWrong;
  const Check found = check(*mechanism);
  append(problems, found.problems);
  print_problems(problems, options.quiet);
  if (options.json) print_json(check_json(*mechanism, found, problems));
  else if (!options.quiet)
    print(fmt::format("{}  ({})\n", toned(Tone::strong, mechanism->name()), mechanism->file()) +
          (mechanism->space() == Space::plane ? plane_text(found) : space_text(found)));
  return found.assembly.assembled ? kDone : kIncomplete;
}

}  // namespace jounce::app
