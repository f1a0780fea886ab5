// A driven mechanism followed from its start to the end of a run, with a row of results at every output time: once for plane and space. What
// the rows hold is the business of the analysis.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/analysis/kinematics.hpp"
#include "jounce/analysis/run/event_watch.hpp"
#include "jounce/analysis/run/work_quadrature.hpp"
#include "jounce/base/fault.hpp"
#include "jounce/mechanism/audit_scale.hpp"
#include "jounce/mechanism/driven_motion.hpp"

namespace jounce {

/// Fills a row at the position that the motion solved last; `ways` is [order − 1][dof] (mechanism/driven_motion.hpp).
using FillRow = std::function<std::optional<Fault>(double t, std::span<const double> q, std::span<const double> ways, std::span<double> row)>;

/// What the books of a run need (driven_audit.hpp), where rows have energies.
struct DrivenBooks {
  std::size_t column = 0;          ///< of energy.work; energy.kinetic stands three before it
  std::function<double()> power;   ///< at the row filled last, of what is not in kinetic and potential energy
  std::function<double()> force;   ///< the largest there, newtons
  /// The same power from the motion alone, without a row and without reactions, at the position that the motion solved last: what moves the mechanism
  /// brings in what inertia, springs and loads take.
  std::function<std::optional<PowerAt>(double t, std::span<const double> q, std::span<const double> ways)> power_along;
  bool series = false;             ///< it says how the power goes on, at next to no cost
  AuditScale scale{};              ///< of the mechanism
  std::vector<double> breaks{};    ///< times at which the power may jump, ascending
  std::vector<double> blows{};     ///< of these, those at which the rate of a driver jumps
};

/// Where a run begins, or why it cannot.
struct DrivenStart {
  std::vector<double> q;
  std::optional<Outcome> not_begun{};
};

/// Equations that do not decide the motion, as those by which actuators carry it: where they are singular on the way, an event says so and the run goes on.
struct DrivenWatch {
  DrivenMotion& equations;  ///< of the same dofs
  std::string sentence;     ///< what such a position means
  std::vector<std::string> elements;
};

/// Adds to `out`, which may hold the problems of the assembly.
void follow_motion(DrivenMotion& motion, const DrivenStart& start, const std::string& file, const KinematicsOptions& options,
                   std::size_t columns, const FillRow& fill, const RowSink& sink, KinematicsRun& out, const DrivenBooks* books = nullptr,
                   const DrivenWatch* watch = nullptr, std::optional<EventWatch> events = std::nullopt);

}  // namespace jounce
