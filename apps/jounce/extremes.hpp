// The largest and smallest of what a run produced, taken row by row.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "jounce/io/load.hpp"
#include "jounce/results/column.hpp"

namespace jounce::app {

struct Range {
  double from = std::numeric_limits<double>::infinity(), to = -std::numeric_limits<double>::infinity();
  void take(double value);
};

/// What a driver or the motion of a dof prescribes, and its rate.
struct DrivenRange {
  std::string driver;  ///< in space the joint, "wrist.2" for its second dof
  std::string unit;    ///< rad or m
  Range value, rate;
};

/// The fastest and the most accelerated instant of a point.
struct PointPeak {
  std::string point;
  double speed = 0, speed_t = 0, acceleration = 0, acceleration_t = 0;
  std::vector<std::string> also;  ///< points of other motions with the same two numbers: every point of a slider
  std::array<double, 3> path{};  ///< sum of its places, each row with a weight of its own: tells two motions of equal speed apart
  double path_length = 0;        ///< the same sum of the distances from the origin
};

class Extremes {
 public:
  /// `columns`: all columns of the rows. Refers to the mechanism.
  Extremes(const AnyMechanism& mechanism, const std::vector<Column>& columns);

  /// A whole row.
  void take(std::span<const double> row);

  [[nodiscard]] const std::vector<DrivenRange>& driven() const { return driven_; }
  /// The fastest named points, those that are equally fast together. Each motion is there once: two points of one pin are one.
  [[nodiscard]] std::vector<PointPeak> fastest(std::size_t at_most) const;

 private:
  void find_driven(const PlaneMechanism& mechanism);
  void find_driven(const SpaceMechanism& mechanism);

  std::vector<const TimeFunction*> motions_;  // one for each driven
  std::vector<DrivenRange> driven_;
  std::vector<PointPeak> points_;
  std::vector<std::size_t> velocity_;  // the column of each point's vx; ax follows the last component
  std::size_t dimension_;              // of the space
  double rows_ = 0;                    // seen so far
};

/// The effort of a driver or of a prescribed dof over a run.
struct EffortPeak {
  std::string driver;  ///< as of DrivenRange
  std::string unit;                 ///< N m or N
  double peak = 0, t = 0, rms = 0;  ///< the largest with its sign, when, and the mean over time
};

/// The largest force in a joint or loop.
struct LoadPeak {
  std::string joint;
  double force = 0, t = 0;
};

/// Efforts and loads, from whole rows of an analysis with reactions.
class Loads {
 public:
  /// `columns`: all columns of the rows.
  Loads(const AnyMechanism& mechanism, const std::vector<Column>& columns);

  void take(std::span<const double> row);

  [[nodiscard]] std::vector<EffortPeak> efforts() const;
  /// In the order of the file.
  [[nodiscard]] const std::vector<LoadPeak>& joints() const { return joints_; }
  /// The joint with the largest; null when there is none.
  [[nodiscard]] const LoadPeak* largest() const;

 private:
  void find(const PlaneMechanism& mechanism, const std::vector<Column>& columns);
  void find(const SpaceMechanism& mechanism, const std::vector<Column>& columns);
  void add_effort(const std::string& driver, std::size_t column, const std::vector<Column>& columns);
  void add_joint(const std::string& name, const std::vector<Column>& columns);

  std::vector<EffortPeak> efforts_;  // rms: not yet used
  std::vector<LoadPeak> joints_;
  std::vector<std::size_t> effort_, force_;  // the columns: effort of each driver, fx of each joint
  std::vector<double> before_, square_;      // effort at the last row, integral of its square over time
  std::size_t dimension_;                    // of the space
  double first_t_ = 0, last_t_ = 0;
  bool begun_ = false;
};

/// The energy of the whole mechanism, from the first row to the last.
class EnergyWatch {
 public:
  explicit EnergyWatch(const std::vector<Column>& columns);

  void take(std::span<const double> row);

  [[nodiscard]] double start() const { return start_; }
  [[nodiscard]] double end() const { return end_; }

 private:
  std::size_t column_;
  double start_ = 0, end_ = 0;
  bool begun_ = false;
};

/// The momentum of a mechanism that nothing outside acts on, from the first row on.
class MomentumWatch {
 public:
  explicit MomentumWatch(const std::vector<Column>& columns);

  void take(std::span<const double> row);

  /// At the start: linear, and angular about the ground's origin.
  [[nodiscard]] double linear() const;
  [[nodiscard]] double angular() const;
  /// Their largest changes.
  [[nodiscard]] double linear_drift() const { return drift_[0]; }
  [[nodiscard]] double angular_drift() const { return drift_[1]; }

 private:
  std::size_t column_;  // of px; py, pz, lx, ly, lz follow
  std::array<double, 6> start_{};
  std::array<double, 2> drift_{};
  bool begun_ = false;
};

/// Nothing of the ground touches it, and nothing outside acts on it: free joints hold it to the ground, without springs, gravity or
/// forces.
[[nodiscard]] bool keeps_momentum(const AnyMechanism& mechanism);

}  // namespace jounce::app
