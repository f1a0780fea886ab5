// The largest and smallest of what a run produced, taken row by row.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "jounce/analysis/kinematics.hpp"

namespace jounce::app {

struct Range {
  double from = std::numeric_limits<double>::infinity(), to = -std::numeric_limits<double>::infinity();
  void take(double value);
};

/// What a driver prescribes, and its rate.
struct DrivenRange {
  std::string driver;
  bool angle = false;  ///< rad and rad/s; otherwise m and m/s
  Range value, rate;
};

/// The fastest and the most accelerated instant of a point.
struct PointPeak {
  std::string point;
  double speed = 0, speed_t = 0, acceleration = 0, acceleration_t = 0;
};

class Extremes {
 public:
  explicit Extremes(const Mechanism& mechanism);

  /// A whole row of kinematic results.
  void take(std::span<const double> row);

  [[nodiscard]] const std::vector<DrivenRange>& driven() const { return driven_; }
  /// The fastest named points, each motion once: two points of one pin are one.
  [[nodiscard]] std::vector<PointPeak> fastest(std::size_t at_most) const;

 private:
  const Mechanism* mechanism_;
  std::vector<DrivenRange> driven_;
  std::vector<PointPeak> points_;
  std::vector<std::size_t> velocity_;  // the column of each point's vx; ax follows vy
};

}  // namespace jounce::app
