// Rows of results: what kinematics and dynamics have in common, bodies and points, and how rows are kept.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "jounce/results/trajectory.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

/// Receives one row of results; false stops the run.
using RowSink = std::function<bool(std::span<const double> row)>;

/// Keeps the rows of a run, with the columns that were asked for.
class RowCollector {
 public:
  /// `patterns`: see select_columns; empty: all columns. `steps`: one row more is expected.
  RowCollector(std::vector<std::string> columns, std::span<const std::string> patterns, int steps);

  /// Refers to this collector.
  [[nodiscard]] RowSink sink();
  /// The rows, and a warning for each pattern that matched nothing.
  [[nodiscard]] Trajectory finish(Problems& problems);

 private:
  std::vector<std::size_t> kept_;  // empty: all
  std::vector<std::string> unmatched_;
  std::vector<double> selected_;
  Trajectory results_;
};

/// Taylor coefficients 0 … 4 of every body's frame, the ground first.
using FrameOrders = std::array<std::span<const planar::FrameRecord>, 5>;

/// At the position and along the motion that an evaluation went through last, to order 4.
[[nodiscard]] FrameOrders frame_orders(const Evaluation& evaluation);

/// Names of the columns of kinematics, in the order of the interface: t, then each body and its points.
[[nodiscard]] std::vector<std::string> kinematic_columns(const PlaneMechanism& mechanism);
/// Fills the first places of a row with them; gives the place after the last.
double* fill_kinematic_row(const PlaneMechanism& mechanism, double t, const FrameOrders& frames, double* out);

}  // namespace jounce
