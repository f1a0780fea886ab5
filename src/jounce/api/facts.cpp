#include "jounce/api/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/api/content.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/plane/motion/mobility.hpp"

namespace jounce {
namespace {

constexpr int kMostBodiesForRank = 1000;
constexpr std::size_t kComponents = 3;   // of a mode
constexpr double kNoComponent = 1e-6;    // of the largest, which is 1: not worth a place
constexpr std::size_t kNames = 20;       // of joints in a line

void add_dynamics_facts(std::vector<Fact>& out, const RunStatistics& s, const EnergyChange& energy, const Units::Shown& joule) {
  const std::string order = s.order > 0 ? fmt::format("; series of order {}", s.order) : "";
  out.push_back({"method", fmt::format("{}{}; formulation {}", s.method, order, s.formulation)});
  if (s.worst_defect > 0) out.push_back({"defect", fmt::format("{:.3g} of what the tolerance allows, at worst", s.worst_defect)});
  const auto& [unit, factor, chosen] = joule;
  const std::string kept = fmt::format("{:.6g} {}, drift {:.3g} {}", energy.start * factor, unit, s.energy_drift * factor, unit);
  const std::string changed = fmt::format("{:.6g} {} at the start, {:.6g} {} at the end", energy.start * factor, unit, energy.end * factor, unit);
  out.push_back({"energy", s.conservative ? kept : changed});
}

std::vector<Fact> timed_facts(const Run& run, const RunSummary& summary, const Units& units) {
  const RunStatistics& s = run.statistics;
  std::vector<Fact> out{{"samples", std::to_string(s.samples)}};
  if (summary.energy) add_dynamics_facts(out, s, *summary.energy, units.of("J"));
  if (const auto& m = summary.momentum) {
    const Units::Shown linear = units.of("kg m/s"), angular = units.of("kg m²/s");
    out.push_back({"momentum", fmt::format("{:.6g} {}, drift {:.3g}; {:.6g} {} about the ground's origin, drift {:.3g}", m->linear * linear.factor, linear.unit,
                                           m->linear_drift * linear.factor, m->angular * angular.factor, angular.unit, m->angular_drift * angular.factor)});
  }
  out.push_back({"work", fmt::format("{} steps, {} rejected, {} factorisations", s.steps, s.rejected, s.factorisations)});
  out.push_back({"residual", fmt::format("{:.3g} (m or rad) at worst", s.worst_residual)});
  return out;
}

std::vector<Fact> over_facts(const OverRun& over) {
  std::vector<Fact> out{{"held", fmt::format("{} at {} values, {} in column {}", over.coordinate, over.values,
                                             over.effort_unit == "N m" ? "the torque that it takes" : over.effort_unit == "N" ? "the force that it takes" : "what it takes",
                                             over.effort)}};
  if (!over.set_aside.empty()) out.push_back({"set aside", join_names(over.set_aside, kNames) + ", which would move it"});
  if (over.found < over.values) out.push_back({"missing", fmt::format("{} of {} values have no equilibrium; see the warnings", over.values - over.found, over.values)});
  return out;
}

std::string sentence(const PlaneMechanism& mechanism) {
  const int bodies = mechanism.system.bodies();
  const int equations = mechanism.system.joint_equations();
  std::string out = fmt::format("{} counted (3 x {} - {})", 3 * bodies - equations, bodies, equations);
  if (bodies > kMostBodiesForRank) return out;
  const Assembly assembly = assemble(mechanism);
  if (!assembly.assembled) return out;
  const Mobility m = mobility(mechanism, assembly.q);
  out += fmt::format(", {} by rank", m.mobility);
  if (m.redundant > 0) out += fmt::format("; {} redundant equation{}", m.redundant, m.redundant == 1 ? "" : "s");
  return out;
}

std::string sentence(const SpaceMechanism& mechanism) {
  const auto active = std::ranges::count_if(mechanism.dofs, &SpaceDof::active);
  return fmt::format("{} dofs of the joints, {} prescribed; {} loops, {} couplings{}", mechanism.dofs.size(), active,
                     mechanism.loops.size(), mechanism.couplings.size(),
                     mechanism.equations.empty() ? std::string() : fmt::format(", {} equations", mechanism.equations.size()));
}

}  // namespace

std::vector<Fact> facts(const Run& run, const RunSummary& summary, const Units& units) {
  std::vector<Fact> out;
  if (run.over) out = over_facts(*run.over);
  else if (run.rest) out = {{"stability", stability_text(*run.rest)}, {"work", work_text(*run.rest)}};
  else out = timed_facts(run, summary, units);
  if (run.rest && !run.rest->note.empty()) out.push_back({"note", run.rest->note});
  if (!run.not_unique.empty()) out.push_back({"reactions", "not unique: " + join_names(run.not_unique, kNames)});
  return out;
}

std::string mobility_sentence(const Mechanism& mechanism) {
  return visit(mechanism, [](const auto& m) { return sentence(m); });
}

std::string shape_text(const Equilibrium& rest, const NaturalMode& mode) {
  std::vector<std::size_t> order(mode.shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return std::abs(mode.shape[i]); });
  std::string out;
  for (const std::size_t i : std::span(order).first(std::min(order.size(), kComponents)))
    if (std::abs(mode.shape[i]) > kNoComponent)
      out += fmt::format("{}{} {:.3g}", out.empty() ? "" : ", ", rest.components[i], mode.shape[i]);
  return out;
}

namespace {

std::string doubling(double growth) { return fmt::format("doubling in {:.3g} s", std::numbers::ln2 / growth); }

}  // namespace

std::string damping_text(const NaturalMode& mode) {
  return mode.damping == 0 ? "" : fmt::format("{:.3g} % of critical damping", 100 * mode.damping);
}

std::string swing_text(const NaturalMode& mode) {
  if (mode.growth > 0) return fmt::format("leaves with exp({:.6g} t)", mode.growth);
  if (mode.omega == 0) return "does not swing";
  return fmt::format("{:.6g} Hz, {:.6g} rad/s", mode.frequency, mode.omega) + (mode.damping == 0 ? "" : ", " + damping_text(mode));
}

std::string leaving_text(const NaturalMode& mode) {
  if (mode.omega != 0) return "";
  return mode.growth > 0 ? "unstable: it runs away, " + doubling(mode.growth) : "neutral: nothing resists it and nothing brings it back";
}

namespace {

// What leaves, and how fast: the quickest of the roots where there are any, else the quickest mode.
std::string runs_away(const Equilibrium& rest) {
  const auto quickest = std::ranges::max_element(rest.modes, {}, &NaturalMode::growth);
  const auto root = std::ranges::max_element(rest.eigenvalues, {}, [](const auto& s) { return s.real(); });
  const bool by_root = root != rest.eigenvalues.end() && root->real() > 0;
  if (quickest != rest.modes.end() && quickest->growth > 0)
    return fmt::format(": mode {} runs away, {}", quickest - rest.modes.begin() + 1, doubling(by_root ? root->real() : quickest->growth));
  if (!by_root) return "";
  const double hertz = std::abs(root->imag()) / (2 * std::numbers::pi);
  return fmt::format(": {} grows, {}", hertz == 0 ? "a motion" : fmt::format("a swing of {:.3g} Hz", hertz), doubling(root->real()));
}

// "along wheel.phi", of the motions that neither swing nor leave.
std::string unresisted(const Equilibrium& rest) {
  std::vector<std::string> along;
  for (const NaturalMode& mode : rest.modes) {
    if (mode.omega != 0 || mode.growth != 0) continue;
    const auto most = std::ranges::max_element(mode.shape, {}, [](double part) { return std::abs(part); });
    along.push_back(rest.components[static_cast<std::size_t>(most - mode.shape.begin())]);
  }
  return along.empty() ? "" : " along " + join_names(along, kNames);
}

}  // namespace

std::string stability_text(const Equilibrium& rest) {
  const int all = rest.free_motions;
  if (all == 0) return "stable: nothing can move";
  if (rest.unstable > 0) return fmt::format("unstable in {} of {} free motions", rest.unstable, all) + runs_away(rest);
  if (rest.neutral > 0) return fmt::format("neutral in {} of {} free motions: no force resists a push", rest.neutral, all) + unresisted(rest);
  return fmt::format("stable ({} free motion{}): it returns after any small push", all, all == 1 ? "" : "s");
}

std::string work_text(const Equilibrium& rest) {
  return fmt::format("{} iterations, {:.3g} N unbalanced", rest.iterations, rest.unbalanced);
}

}  // namespace jounce
