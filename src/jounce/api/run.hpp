// The analyses of a mechanism, in the plane and in space alike, and what they give.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/analysis/equilibrium/equilibrium.hpp"
#include "jounce/analysis/state_at.hpp"
#include "jounce/analysis/summary/run_summary.hpp"
#include "jounce/api/goals.hpp"
#include "jounce/api/mechanism.hpp"
#include "jounce/api/over.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/mechanism/analysis.hpp"
#include "jounce/mechanism/formulation.hpp"
#include "jounce/mechanism/method.hpp"
#include "jounce/mechanism/motion_state.hpp"
#include "jounce/results/column.hpp"
#include "jounce/results/outcome.hpp"
#include "jounce/results/row_collector.hpp"
#include "jounce/results/trajectory.hpp"

namespace jounce {

/// Options of every analysis; each takes those that concern it.
struct Options {
  double to = 1;
  int steps = 100;                         ///< equal intervals: steps + 1 rows, both ends
  std::vector<double> times{};             ///< when rows are wanted, ascending, instead of `to` and `steps`; the motion begins at the start all the same
  std::optional<MotionState> start{};      ///< where and when to begin, instead of at t = 0 with the assembled drawing; of an equilibrium its q alone
  std::optional<Over> over{};              ///< of an equilibrium: one row for each value of a coordinate that is held there
  std::vector<std::string> columns{};      ///< patterns of the columns to keep; empty: all but those on demand
  bool on_demand = false;                  ///< rows that go to a sink have `demanded_columns` behind the others
  Stop stop{};                             ///< true ends the run; what was computed is kept
  std::function<void(double t)> progress{};
  bool events = true;                      ///< those of the model are watched for, and those that stop a run do
  std::vector<Goal> goals{};               ///< numbers of the whole run; with one that cannot be read nothing is run
  // dynamics
  double tolerance = 1e-8;                 ///< local error of positions and velocities, against 1 + their size
  Method method = Method::automatic;
  Formulation formulation = Formulation::automatic;
  int order = 0;                           ///< of the power series; 0: chosen from the tolerance
};

/// What a run took.
struct RunStatistics {
  int samples = 0;
  long steps = 0, rejected = 0, factorisations = 0;
  double worst_residual = 0;      ///< of the constraints, metres or radians
  double worst_defect = 0;        ///< of the steps of a power series, against what is allowed
  double largest_projection = 0;
  bool conservative = false;      ///< nothing takes or gives energy: it should be constant
  double energy_drift = 0;        ///< largest change of the total energy, if conservative
  double energy_balance = 0;      ///< largest change of the total energy that no work accounts for; of inverse and forward dynamics
  std::string method, formulation;
  int order = 0;
};

/// What became of an equilibrium over a coordinate.
struct OverRun {
  /// Values that follow each other and have no row: why.
  struct Missing {
    double from = 0, to = 0;
    Outcome::Kind kind{};
    std::string sentence;
  };
  std::string coordinate, unit;
  std::string effort, effort_unit;
  std::vector<std::string> set_aside;
  int values = 0, found = 0;
  int unstable = 0;  ///< rows whose equilibrium is not stable
  std::vector<Missing> missing;
};

struct Run {
  Analysis analysis{};
  double to = 0;            ///< what was asked for; 0 of an equilibrium, and so are the steps
  int steps = 0;
  double tolerance = 0;     ///< of dynamics: the one that was used
  Outcome outcome;
  std::vector<Event> events;
  Problems problems;
  RunStatistics statistics;
  std::vector<std::string> not_unique;  ///< whose reactions are not unique: the shortest are reported
  MotionState state;                    ///< at the last row; without numbers where there is none
  std::optional<Equilibrium> rest;      ///< of an equilibrium: stability, modes, what its joints carry
  std::optional<OverRun> over;          ///< of an equilibrium over a coordinate; its rows without an equilibrium are NaN but for t and the coordinate
  std::vector<GoalValue> goals;         ///< those that were asked for, in their order
  Trajectory results;                   ///< empty when a sink took the rows
};

/// All columns of an analysis, in the order of the rows.
[[nodiscard]] std::vector<Column> result_columns(const Mechanism& mechanism, Analysis analysis);
/// Columns that rows have on demand only: rates of forces, what each does to each body, and the rate of that. None of kinematics.
[[nodiscard]] std::vector<Column> demanded_columns(const Mechanism& mechanism, Analysis analysis);

[[nodiscard]] Run kinematics(const Mechanism& mechanism, const Options& options = {});
[[nodiscard]] Run inverse(const Mechanism& mechanism, const Options& options = {});
[[nodiscard]] Run dynamics(const Mechanism& mechanism, const Options& options = {});
[[nodiscard]] Run equilibrium(const Mechanism& mechanism, const Options& options = {});
[[nodiscard]] Run run(const Mechanism& mechanism, Analysis analysis, const Options& options = {});
/// Streams whole rows instead of keeping them.
[[nodiscard]] Run run(const Mechanism& mechanism, Analysis analysis, const Options& options, const RowSink& sink);
/// What the model's own [run] section says.
[[nodiscard]] Run run(const Mechanism& mechanism);

/// What a run came to, from the rows that it keeps.
[[nodiscard]] RunSummary summary(const Mechanism& mechanism, const Run& run);

/// Where a mechanism is at a time of its own run: by its drivers where they decide the motion, else by forward dynamics.
[[nodiscard]] StateResult state_at(const Mechanism& mechanism, double t, const Stop& stop = {});

}  // namespace jounce
