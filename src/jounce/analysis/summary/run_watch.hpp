// Takes the rows of a run as they come, and tells at the end what it came to.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "jounce/analysis/summary/run_summary.hpp"
#include "jounce/analysis/summary/watched_parts.hpp"
#include "jounce/mechanism/analysis.hpp"
#include "jounce/results/column.hpp"

namespace jounce {

class RunWatch {
 public:
  /// `columns`: of the rows; what has no column there is left out. The mechanism that the parts refer to must outlive it.
  /// `along`: the column that says when a row is, or where.
  RunWatch(const WatchedParts& parts, Analysis analysis, std::span<const Column> columns, std::string_view along = "t");

  void take(std::span<const double> row);

  [[nodiscard]] RunSummary summary() const;

 private:
  struct Point {
    PointPeak peak;
    std::size_t velocity = 0;      // the column of its vx; its place stands before, its acceleration follows
    std::array<double, 3> path{};  // sum of its places, each row with a weight of its own: tells two motions of equal speed apart
    double path_length = 0;        // the same sum of the distances from the origin

    [[nodiscard]] bool together_with(const Point& other) const;
  };
  struct Effort {
    EffortPeak peak;  // rms: not yet used
    std::size_t column = 0;
    double before = 0, square = 0;  // at the last row, and the integral of its square over time
  };
  struct Joint {
    LoadPeak peak;
    std::size_t force = 0;  // the column of its fx
  };
  struct Member {
    MemberPeak peak;
    std::size_t column = 0;
  };
  struct Momentum {
    std::size_t column = 0;  // of px; py, pz, lx, ly, lz follow
    std::array<double, 6> start{};
    std::array<double, 2> drift{};
  };

  void watch_motion(std::span<const double> row);
  void watch_loads(std::span<const double> row);
  void watch_momentum(std::span<const double> row);
  [[nodiscard]] std::vector<PointPeak> fastest() const;

  std::size_t dimension_;
  std::optional<std::size_t> time_;
  std::vector<DrivenRange> driven_;
  std::vector<const TimeFunction*> motions_;  // one for each driven
  std::vector<Point> points_;
  std::vector<Effort> efforts_;
  std::vector<Joint> joints_;
  std::vector<Member> members_;
  std::optional<std::size_t> energy_;
  EnergyChange energies_;
  std::optional<Momentum> momentum_;
  double rows_ = 0;  // seen so far
  double first_t_ = 0, last_t_ = 0;
};

}  // namespace jounce
