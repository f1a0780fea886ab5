// One mechanism in the plane and in space, and every analysis of both through the same few functions.
//
// All calls of the library that the tests of parity make are here, so that they can follow its interface in one place.
#pragma once

#include <doctest/doctest.h>

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/equilibrium/equilibrium.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "jounce/analysis/check/space_mobility.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/analysis/state_at.hpp"
#include "jounce/io/load.hpp"
#include "oracles/plane_in_space.hpp"

namespace parity {

struct Ran {
  jounce::Outcome outcome;
  std::vector<jounce::Event> events;
  jounce::Problems problems;
  jounce::Trajectory results;
  std::vector<std::string> not_unique = {};
};

/// A model file of space.
inline jounce::SpaceMechanism loaded_in_space(const std::string& path) {
  auto result = jounce::load_space(path);
  REQUIRE_MESSAGE(result.ok(), text(result.problems()));
  return *std::move(result);
}
inline jounce::PlaneMechanism built_in_plane(const jounce::Model& model) {
  auto result = jounce::build_plane(model);
  REQUIRE_MESSAGE(result.ok(), text(result.problems()));
  return *std::move(result);
}
inline jounce::SpaceMechanism built_in_space(const jounce::Model& model) {
  auto result = jounce::build_space(model);
  REQUIRE_MESSAGE(result.ok(), text(result.problems()));
  return *std::move(result);
}

template <class M>
Ran kinematics(const M& mechanism, double to, int steps) {
  auto run = jounce::kinematics(mechanism, {to, steps, {}});
  return {run.outcome, run.events, run.problems, std::move(run.results)};
}
template <class M>
Ran inverse(const M& mechanism, double to, int steps) {
  auto run = jounce::inverse(mechanism, {to, steps, {}});
  return {run.outcome, run.events, run.problems, std::move(run.results), run.not_unique};
}
template <class M>
Ran dynamics(const M& mechanism, double to, int steps, jounce::Method method, double tolerance) {
  jounce::DynamicsOptions options;
  options.to = to, options.steps = steps, options.method = method, options.tolerance = tolerance;
  auto run = jounce::dynamics(mechanism, options);
  return {run.outcome, run.events, run.problems, std::move(run.results), run.not_unique};
}

/// Where the run of a planar mechanism begins, or, where it cannot run at all, how it is assembled.
struct Start {
  std::vector<oracle::Pose> poses, rates;
};
inline Start start_of(const jounce::PlaneMechanism& mechanism) {
  const jounce::Assembly assembly = jounce::assemble(mechanism);
  Start out{oracle::origins(mechanism, assembly.q), std::vector<oracle::Pose>(mechanism.bodies.size())};
  // A run of no length has both ends at the start.
  Ran first = kinematics(mechanism, 0, 1);
  if (first.results.rows() == 0) first = dynamics(mechanism, 0, 1, jounce::Method::automatic, 1e-8);
  if (first.results.rows() == 0) return out;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
    const auto at = [&](const char* ending) { return *first.results.at(0, mechanism.bodies[b].name + ending); };
    out.poses[b] = {at(".x"), at(".y"), at(".phi")}, out.rates[b] = {at(".vx"), at(".vy"), at(".vphi")};
  }
  return out;
}

/// A model of the plane and what it becomes in space.
struct Both {
  explicit Both(jounce::Model model, oracle::Closing closing = oracle::Closing::hinges)
      : written(std::move(model)), plane(built_in_plane(written)), rebuilt(again(closing)) {
    if (rebuilt.why_not.empty()) space.emplace(built_in_space(rebuilt.model));
  }

  jounce::Model written;
  jounce::PlaneMechanism plane;
  oracle::PlaneInSpace rebuilt;
  std::optional<jounce::SpaceMechanism> space;  ///< nothing where something has no counterpart there

 private:
  [[nodiscard]] oracle::PlaneInSpace again(oracle::Closing closing) const {
    Start start = start_of(plane);
    return {written, plane, std::move(start.poses), std::move(start.rates), closing};
  }
};

/// What both spaces say of a position of rest.
struct Rest {
  jounce::Outcome outcome;
  std::vector<oracle::Pose> poses;  ///< of the bodies' origins in the plane, the ground first
  int free_motions = 0, unstable = 0, neutral = 0;
  bool stable = false;
  std::vector<double> omegas, growths;
  std::vector<std::complex<double>> eigenvalues;
  double unbalanced = 0;
};
template <class Equilibrium>
Rest rest_of(const Equilibrium& e) {
  Rest out{e.outcome, {}, e.free_motions, e.unstable, e.neutral, e.stable, {}, {}, e.eigenvalues, e.unbalanced};
  for (const jounce::NaturalMode& mode : e.modes) out.omegas.push_back(mode.omega), out.growths.push_back(mode.growth);
  return out;
}
inline Rest rest_in_plane(const Both& both) {
  const jounce::Equilibrium e = jounce::equilibrium(both.plane);
  Rest out = rest_of(e);
  if (e.outcome.done()) out.poses = oracle::origins(both.plane, e.q);
  return out;
}
inline Rest rest_in_space(const Both& both) {
  const jounce::Equilibrium e = jounce::equilibrium(*both.space);
  Rest out = rest_of(e);
  if (!e.outcome.done()) return out;
  jounce::Trajectory row(jounce::space_columns(*both.space, true));
  row.append(e.row);
  out.poses.resize(1);
  for (std::size_t b = 1; b < both.plane.bodies.size(); ++b) {
    const auto at = [&](const char* ending) { return *row.at(0, both.plane.bodies[b].name + ending); };
    const double w = at(".qw"), x = at(".qx"), y = at(".qy"), z = at(".qz");
    const std::array<double, 3> place{at(".x"), at(".y"), at(".z")};
    const std::array<double, 3> axis{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    const oracle::AskewPlane& plane = both.rebuilt.plane;
    out.poses.push_back({plane.along(0, place), plane.along(1, place), std::atan2(plane.along(1, axis), plane.along(0, axis))});
  }
  return out;
}

/// What `check` counts.
struct Counted {
  bool assembled = false;
  int undriven = 0, redundant = 0;
};
inline Counted counted(const jounce::PlaneMechanism& mechanism) {
  const jounce::Assembly assembly = jounce::assemble(mechanism);
  const jounce::Mobility m = jounce::mobility(mechanism, assembly.q, 0);
  return {assembly.assembled, m.undriven, m.redundant};
}
inline Counted counted(const jounce::SpaceMechanism& mechanism) {
  const jounce::Assembly assembly = jounce::assemble(mechanism);
  const jounce::Mobility m = jounce::mobility(mechanism, assembly);
  return {assembly.assembled, m.undriven, m.redundant};
}

/// Poses and rates of the bodies' origins at a time of the model's own run; nothing where it does not come so far.
inline std::optional<Start> state_in_plane(const jounce::PlaneMechanism& mechanism, double t) {
  const jounce::StateResult found = jounce::state_at(mechanism, t);
  if (!found.state) return std::nullopt;
  Start out{oracle::origins(mechanism, found.state->q), std::vector<oracle::Pose>(1)};
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
    const oracle::Pose com{found.state->q[3 * b - 3], found.state->q[3 * b - 2], found.state->q[3 * b - 1]};
    const oracle::Pose rates{found.state->v[3 * b - 3], found.state->v[3 * b - 2], found.state->v[3 * b - 1]};
    out.rates.push_back(oracle::rates_on(com, rates, out.poses[b]));
  }
  return out;
}

inline bool has_masses(const jounce::PlaneMechanism& m) {
  return std::all_of(m.bodies.begin() + 1, m.bodies.end(), [](const jounce::BodyData& b) { return b.mass && b.inertia; });
}

}  // namespace parity
