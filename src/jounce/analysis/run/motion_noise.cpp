#include "jounce/analysis/run/motion_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "jounce/analysis/run/extrapolate.hpp"

namespace jounce {
namespace {

/// Differences are compared with those of steps so many times as long. What falls with the step, if only in proportion, is smaller by as much.
/// Much shorter steps would tell nothing: rounding of neighbouring values is the same.
constexpr double kLonger = 64;
constexpr int kProbes = 8;
/// Noise stays; this much of it is left at least, by the chance of so few probes.
constexpr double kStays = 0.2;
/// Probes see less than the worst that a thousand steps meet.
constexpr double kMargin = 4;
/// More than this is no noise that anyone could want to be followed.
constexpr double kLargestNoise = 1e-4;
/// Solving equations of regularity 1 leaves so many roundings, those of less regularity as many more.
constexpr double kSolved = 100;
/// Where equations are left open by more than this part of the differences, these are of equations that contradict each other.
constexpr double kOpen = 0.01;

class Probe {
 public:
  Probe(DrivenMotion& motion, double t, std::span<const double> q, std::span<const double> ways)
      : motion_(motion), t_(t), q_(q), ways_(ways), predicted_(q.size()), solved_(q.size()), way_(static_cast<std::size_t>(motion.dofs())) {}

  /// The largest difference over steps up to this one; not a number where there is no solution.
  double difference(double longest) {
    double most = 0;
    for (int i = 1; i <= kProbes; ++i) {
      const double t = t_ + longest * i / kProbes;
      extrapolate(motion_, q_, ways_, t - t_, predicted_, way_);
      solved_ = predicted_;
      if (motion_.position(t, solved_) != DrivenMotion::Solved::yes) return std::numeric_limits<double>::quiet_NaN();
      motion_.difference(solved_, predicted_, way_);
      most = std::max(most, motion_.size(way_));
      open_ = std::max(open_, motion_.worst_residual());
    }
    return most;
  }
  /// The largest residual so far, metres or radians.
  [[nodiscard]] double open() const { return open_; }

 private:
  DrivenMotion& motion_;
  double t_;
  std::span<const double> q_, ways_;
  std::vector<double> predicted_, solved_, way_;
  double open_ = 0;
};

}  // namespace

double motion_noise(DrivenMotion& motion, double t, std::span<const double> q, std::span<const double> ways, double regularity, double h) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  Probe probe(motion, t, q, ways);
  const double some = probe.difference(kLonger * h), less = probe.difference(h);
  if (!(less >= kStays * some) || !(std::max(some, less) <= kLargestNoise)) return 0;
  if (probe.open() > kOpen * less * std::min(1.0, motion.length())) return 0;
  const double solving = kSolved * kEpsilon * (1 + motion.reach(q)) / std::max(regularity, kEpsilon);
  return less > solving ? kMargin * std::max(some, less) : 0;
}

}  // namespace jounce
