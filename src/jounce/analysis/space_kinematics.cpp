#include "jounce/analysis/space_run.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/analysis/run/asked.hpp"
#include "jounce/analysis/run/driven_run.hpp"
#include "jounce/analysis/run/goal_watch.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/check/rigid.hpp"
#include "jounce/space/rows/space_rows.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/base/text.hpp"
#include "jounce/plane/motion/multipliers.hpp"
#include "jounce/space/build/checks.hpp"
#include "jounce/space/closures/idle.hpp"
#include "jounce/space/equations/shared_reactions.hpp"
#include "jounce/space/motion/breaks.hpp"
#include "jounce/space/motion/driven_motion.hpp"
#include "jounce/space/motion/idle_turns.hpp"
#include "jounce/space/size.hpp"

namespace jounce {
namespace {

/// Moments that idle turns take are rounding below this part of the largest force at the arm of the mechanism.
constexpr double kHeld = 1e-9;
constexpr int kFollowedOrder = 4;  // of the series that predicts the next position

// Fills rows of kinematics and inverse dynamics, and remembers which reactions were not unique.
class Sampler {
 public:
  Sampler(const SpaceMechanism& mechanism, SpaceDrivenMotion& motion, bool forces)
      : mechanism_(mechanism), motion_(motion), forces_(forces), orders_(motion.equations()), v_(mechanism.dofs.size()), a_(v_), tau_(v_) {
    if (forces) motion.equations().use_actuators();
  }

  std::optional<Fault> fill(double t, std::span<const double> q, std::span<double> row) {
    SpaceEquations& equations = motion_.equations();
    motion_.rates(t, q, v_, a_);
    if (forces_) {
      if (auto fault = equations.balance(t, q, v_, a_)) return fault;
      equations.efforts(tau_);
      power_ = equations.power(v_);
      if (const OpenReactions* open = equations.open_reactions()) open_.add(*open);
      note_idle_moments();
    }
    if (auto fault = orders_.find(forces_ ? SpaceOrders::After::balance : SpaceOrders::After::following, t, q, v_, a_)) return fault;
    equations.move(q, v_, a_);
    fill_space_row(equations, {t, q, v_, a_, &orders_, forces_, tau_}, row);
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::string> not_unique() const { return open_.names(mechanism_); }
  /// Among these, actuators that could push against each other.
  [[nodiscard]] std::vector<std::string> shared_efforts() const { return open_.actuators(mechanism_); }
  /// As rows hold them.
  [[nodiscard]] const std::vector<double>& rates(double t, std::span<const double> q) { return motion_.rates(t, q, v_, a_), v_; }
  /// Of prescribed dofs, dampers, torques and loads in the last row that was filled.
  [[nodiscard]] double power() const { return power_; }
  /// The same without a row, from the motion alone.
  std::optional<PowerAt> power_along(double t, std::span<const double> q, std::span<const double> ways) {
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = ways[i], a_[i] = 2 * ways[v_.size() + i];
    const std::optional<double> found = motion_.equations().power_along(t, q, v_, a_);
    return found ? std::optional<PowerAt>(*found) : std::nullopt;
  }
  /// Idle turns that do not keep their rates by themselves: their links are not round about the line, or something turns them.
  void warn_of_held(Problems& problems) const {
    for (std::size_t e = 0; e < held_.size(); ++e)
      if (held_[e] > kHeld * (held_load_ * length_scale(mechanism_)))
        problems.push_back(warning({}, described(mechanism_, mechanism_.idle[e]).sentence() + ": to keep its rate takes up to " + short_number(held_[e]) +
                                           " N m, which no joint gives", "reactions are those of a link that something turns; in dynamics it turns by itself"));
  }
  [[nodiscard]] double force() const { return motion_.equations().largest_load(tau_); }

 private:
  void note_idle_moments() {
    const SpaceEquations& equations = motion_.equations();
    held_.resize(mechanism_.idle.size());
    if (!held_.empty()) held_load_ = std::max(held_load_, equations.largest_load(tau_));
    for (std::size_t e = 0; e < held_.size(); ++e)
      held_[e] = std::max(held_[e], std::abs(equations.found_multipliers()[z(equations.closures().first_idle()) + e]));
  }

  const SpaceMechanism& mechanism_;
  SpaceDrivenMotion& motion_;
  bool forces_;
  std::vector<double> held_;  // the largest moment of each idle turn
  double held_load_ = 0;      // and the largest force
  SpaceOrders orders_;
  std::vector<double> v_, a_, tau_;
  OpenReactions open_;
  double power_ = 0;
};

// Nothing makes the passive dofs follow.
bool refused_as_free(const SpaceMechanism& mechanism, KinematicsRun& out) {
  std::vector<std::string> names;
  for (int dof = 0; dof < static_cast<int>(mechanism.dofs.size()); ++dof)
    if (!mechanism.dofs[z(dof)].active()) names.push_back(mechanism.dof_name(dof));
  if (names.empty() || LoopClosures(mechanism).size() > 0) return false;
  out.problems.push_back(error({}, "not every motion is prescribed: free are " + join_names(names),
                               "give each a motion in the dofs of its joint, or use dynamics"));
  locate(out.problems, mechanism.file);
  out.outcome = {Outcome::Kind::not_driven, 0, out.problems.back().sentence, names};
  return true;
}

// What the actuators leave to be carried by loops, K_U, has a column for each dof without one: it is K of the mechanism in which the actuators prescribe and nothing else
// does (space/equations/actuation.cpp), and they cannot carry a motion where that is singular.
SpaceMechanism moved_by_actuators(const SpaceMechanism& mechanism) {
  SpaceMechanism out = mechanism;
  out.poses.clear();
  for (SpaceDof& dof : out.dofs) dof.motion.reset(), dof.posed = dof.actuated;
  return out;
}

KinematicsRun driven(const SpaceMechanism& written, const KinematicsOptions& options, bool forces, const RowSink& sink) {
  KinematicsRun out;
  const std::string wrong = wrong_asked({options.to, options.steps, options.times, options.start}, written.q.size(), written.dofs.size(), true);
  if (!wrong.empty()) out.problems.push_back(error({}, wrong));
  if (forces) {
    const Problems missing = missing_masses(written, "inverse dynamics", "0 for a body without mass");
    out.problems.insert(out.problems.end(), missing.begin(), missing.end());
  }
  locate(out.problems, written.file);
  if (any_error(out.problems)) return out;
  if (refused_as_free(written, out)) return out;
  SpaceMechanism near;  // begins where the caller says
  if (options.start) near = written, near.q = options.start->q;
  const Assembly start = assemble(options.start ? near : written, options.from(), options.stop);
  SpaceMechanism held;  // idle turns as well
  std::vector<SpaceIdle> idle = start.assembled ? find_idle(written, start.q) : std::vector<SpaceIdle>{};
  if (!idle.empty()) {
    held = written, held.idle = std::move(idle);
    give_idle_rates(held, options.from(), start.q, options.start && !options.start->v.empty() ? options.start->v : written.v);
  }
  const SpaceMechanism& mechanism = held.idle.empty() ? written : held;
  SpaceDrivenMotion motion(mechanism, kFollowedOrder);
  Sampler sampler(mechanism, motion, forces);
  const FillRow fill = [&](double t, std::span<const double> q, std::span<const double>, std::span<double> row) {
    return sampler.fill(t, q, row);
  };
  out.problems.insert(out.problems.end(), start.problems.begin(), start.problems.end());
  tell_rigid(written, start, out.problems);
  DrivenStart begin{start.q};
  if (!start.assembled) begin.not_begun = not_begun(start);
  const std::size_t columns = space_width(mechanism, forces);
  DrivenBooks books;
  if (forces) {
    const TimeBreaks breaks = breaks_of(mechanism, options.from(), options.last_time());
    books = {columns - kSpaceAuditFromEnd, [&] { return sampler.power(); }, [&] { return sampler.force(); },
             [&](double t, std::span<const double> q, std::span<const double> ways) { return sampler.power_along(t, q, ways); },
             false, audit_scale(mechanism), breaks.times(), breaks.blows()};
  }
  const double length = options.last_time() - options.from();
  if (options.goals != nullptr)
    options.goals->begin({options.time(0), {length, motion.length()}, breaks_of(mechanism, options.from(), options.last_time()).times()});
  const bool actuated = forces && mechanism.has_actuators() && !motion.outright();
  const SpaceMechanism swapped = actuated ? moved_by_actuators(mechanism) : SpaceMechanism{};
  std::optional<SpaceDrivenMotion> by_actuators;
  std::optional<DrivenWatch> watch;
  if (actuated) {
    std::vector<std::string> motors;
    for (std::size_t dof = 0; dof < mechanism.dofs.size(); ++dof)
      if (mechanism.dofs[dof].actuated) motors.push_back(mechanism.dof_label(static_cast<int>(dof)));
    by_actuators.emplace(swapped, 0);
    watch.emplace(DrivenWatch{*by_actuators, "the actuators " + join_names(motors) + " do not hold the mechanism there, and next to it their efforts grow without bound", motors});
  }
  follow_motion(motion, begin, mechanism.file, options, columns, fill, sink, out, forces ? &books : nullptr, watch ? &*watch : nullptr,
                watch_for(options.events, mechanism.events, [&] { return space_columns(mechanism, forces); },
                          {{length, motion.length()}, forces ? Analysis::inverse : Analysis::kinematics}));
  if (!out.q.empty()) out.v = sampler.rates(out.t, out.q);  // what the rows hold, to the last digit
  sampler.warn_of_held(out.problems);
  out.not_unique = sampler.not_unique();
  if (const std::vector<std::string> shared = sampler.shared_efforts(); !shared.empty())
    out.problems.push_back(warning(mechanism.actuators, "[actuators]: there are more than motions, and efforts are not unique: the smallest are reported of " + join_names(shared)));
  else if (!out.not_unique.empty()) out.problems.push_back(not_unique_warning(out.not_unique));
  locate(out.problems, mechanism.file);
  return out;
}

KinematicsRun collected(const SpaceMechanism& mechanism, const KinematicsOptions& options, bool forces) {
  RowCollector rows(space_columns(mechanism, forces), options.columns, options.samples());
  KinematicsRun out = driven(mechanism, options, forces, rows.sink());
  out.results = rows.finish(out.problems);
  return out;
}

}  // namespace

KinematicsRun kinematics(const SpaceMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink) {
  return driven(mechanism, options, false, sink);
}
KinematicsRun kinematics(const SpaceMechanism& mechanism, const KinematicsOptions& options) { return collected(mechanism, options, false); }
KinematicsRun inverse(const SpaceMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink) {
  return driven(mechanism, options, true, sink);
}
KinematicsRun inverse(const SpaceMechanism& mechanism, const KinematicsOptions& options) { return collected(mechanism, options, true); }

}  // namespace jounce
