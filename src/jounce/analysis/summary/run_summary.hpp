// What a run came to, in numbers: ranges of the drivers, fastest points, efforts and loads, what stays constant.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace jounce {

struct Range {
  double from = std::numeric_limits<double>::infinity(), to = -std::numeric_limits<double>::infinity();

  void take(double value);
  [[nodiscard]] bool empty() const { return !(from <= to); }
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
  std::vector<std::string> also{};  ///< points of other motions with the same two numbers: every point of a slider
};

/// The effort of a driver or of a prescribed dof over a run.
struct EffortPeak {
  std::string driver;               ///< as of DrivenRange
  std::string unit;                 ///< N m or N
  double peak = 0, t = 0, rms = 0;  ///< the largest with its sign, when, and the mean over time
};

/// The largest force in a joint or loop.
struct LoadPeak {
  std::string joint;
  double force = 0, t = 0;
};

/// How a rod or a body between two pins is pulled, and pressed where it is negative: the most and the least over a run.
struct MemberPeak {
  std::string member;
  double most = 0, most_t = 0, least = 0, least_t = 0;
};

/// The energy of the whole mechanism at the first row and at the last.
struct EnergyChange {
  double start = 0, end = 0;
};

/// The momentum of a mechanism that nothing outside acts on: at the start, linear and angular about the ground's origin, and the largest changes.
struct MomentumDrift {
  double linear = 0, angular = 0, linear_drift = 0, angular_drift = 0;
};

/// Each where the analysis has it, and where its columns are among the rows.
struct RunSummary {
  std::vector<DrivenRange> driven;
  std::vector<PointPeak> points;    ///< the fastest, at most kMostPoints; those that are equally fast together; each motion once
  std::vector<EffortPeak> efforts;
  std::vector<LoadPeak> joints;     ///< in the order of the file
  std::vector<MemberPeak> members;  ///< likewise
  std::optional<EnergyChange> energy;
  std::optional<MomentumDrift> momentum;  ///< where it should be constant

  static constexpr std::size_t kMostPoints = 12;
  /// The joint with the largest force; null when there is none.
  [[nodiscard]] const LoadPeak* largest_load() const;
  /// What forces are rounding beside (results/noise.hpp): the largest of them, or of the efforts in N m over a lever of 1 m.
  [[nodiscard]] double load_scale() const;
};

}  // namespace jounce
