#include "jounce/analysis/pull/pull.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/plane/motion/scaled_jacobian.hpp"

namespace jounce {
namespace {

// Lengths are in sizes of the mechanism, angles in radians.
constexpr int kMostSteps = 200;
constexpr int kMostClosing = 12;
constexpr double kClosed = 1e-13, kNearlyClosed = 1e-10;  // gaps: what Newton aims at, and what rounding may leave of it
constexpr double kLongestStep = 0.25;
constexpr double kNoStep = 1e-12;
constexpr double kAstray = 0.5;      // closing may move by this part of the step before
constexpr double kUnfelt = 1e-10;    // directions of a smaller curvature do not move the point
constexpr double kAllowed = 0.1;     // of the square of an unfelt step, by which the distance may grow: the next step takes it back
constexpr double kLeave = 1e-3;      // a position from which every way is nearer is left by at least this step
constexpr double kReached = 1e-9;    // no nearer is asked for
constexpr double kHolds = 1e-3;      // of the largest force in a joint
constexpr std::size_t kMostCurved = 8;  // free motions; with more, the curvature of the joints is left out
constexpr double kDependent = 1e-7;  // where closing leaves rows alone, next to singular positions

using Vector = std::vector<double>;

double length_of(const Vector& x) { return norm(x); }

class Puller {
 public:
  Puller(const PlaneMechanism& mechanism, const PlanePull& pull)
      : system_(mechanism.system), pull_(pull), size_(system_.length_scale()), joints_(system_.joint_equations()), evaluation_(system_, 2) {
    (void)evaluation_.set_time(0);
  }

  PlanePulled from(std::span<const double> start) {
    PlanePulled out;
    out.q.assign(start.begin(), start.end());
    Vector q = out.q;
    out.closed = close(q);
    if (!out.closed) return out;
    start_ = q;
    out.q = q;
    approach(out);
    tell(out);
    return out;
  }

 private:
  [[nodiscard]] double unit(int i) const { return column_unit(i, size_); }

  // Newton on the joints, by the shortest steps.
  bool close(Vector& q) {
    double worst = 0;
    Vector right(z(joints_));
    for (int k = 0; k < kMostClosing; ++k) {
      const DenseMatrix a = scaled_jacobian(system_, evaluation_, q).top(joints_);
      worst = 0;
      for (int r = 0; r < joints_; ++r) {
        right[z(r)] = evaluation_.residual()[z(r)] / row_unit(evaluation_.scales()[z(r)], size_);
        worst = std::max(worst, std::abs(right[z(r)]));
      }
      if (!(worst > kClosed)) break;
      const Vector step = shortest_solution(a, right, kDependent);
      const Vector before = q;
      for (int i = 0; i < system_.coordinates(); ++i) q[z(i)] -= step[z(i)] * unit(i);
      if (q == before) break;
    }
    return worst < kNearlyClosed;
  }

  // Of the point, after the position was set: coefficient k of its place along the motion.
  [[nodiscard]] Vec2<double> place(int k) const {
    const planar::FrameRecord& f = evaluation_.frames(k)[z(pull_.body)];
    return {f.x + f.c * pull_.p_com.x - f.s * pull_.p_com.y, f.y + f.s * pull_.p_com.x + f.c * pull_.p_com.y};
  }
  [[nodiscard]] Vec2<double> in_sizes(const Vec2<double>& a) const { return {a.x / size_, a.y / size_}; }
  // From the target to the point.
  [[nodiscard]] Vec2<double> apart() const { return in_sizes(place(0) - pull_.target); }

  // What the joints leave free, as directions that are square to each other.
  void find_free_motions() {
    free_.clear();
    std::vector<Vector> found = dense_rank(a_, kDependentRow).null_space();
    for (Vector& direction : found) {
      for (int again = 0; again < 2; ++again)
        for (const Vector& other : free_) {
          const double part = dot(direction, other);
          for (std::size_t i = 0; i < direction.size(); ++i) direction[i] -= part * other[i];
        }
      const double length = length_of(direction);
      for (double& x : direction) x /= length;
      free_.push_back(std::move(direction));
    }
  }

  // The forces of the joints that come nearest to balancing the pull.
  [[nodiscard]] Vector balance(const Vec2<double>& g) const {
    const planar::FrameRecord& f = evaluation_.frames(0)[z(pull_.body)];
    const Vec2<double>& p = pull_.p_com;
    Vector force(z(system_.coordinates()), 0.0);
    if (pull_.body > 0) {
      const auto first = z(3 * (pull_.body - 1));
      force[first] = g.x;
      force[first + 1] = g.y;
      force[first + 2] = (g.x * (-f.s * p.x - f.c * p.y) + g.y * (f.c * p.x - f.s * p.y)) / size_;
    }
    if (joints_ == 0) return {};
    return least_squares(a_.transposed(), force, kDependentRow).x;
  }

  // Of the square of the distance along a free motion and the joints that bend it, by second coefficients; and the rate of the point.
  struct Bend {
    Vec2<double> rate;
    double curvature = 0;
  };
  Bend along(const Vector& direction, const Vec2<double>& g, const Vector& force) {
    Vector v(direction.size());
    for (int i = 0; i < system_.coordinates(); ++i) v[z(i)] = direction[z(i)] * unit(i);
    (void)evaluation_.open(1);
    evaluation_.close(1, v);
    Bend out{in_sizes(place(1)), 0};
    if (free_.size() > kMostCurved) return out;
    const auto gaps = evaluation_.open(2);
    for (int r = 0; r < joints_; ++r) out.curvature -= 2 * force[z(r)] * gaps[z(r)] / row_unit(evaluation_.scales()[z(r)], size_);
    evaluation_.close(2, Vector(direction.size(), 0.0));
    out.curvature += 2 * dot(g, place(2)) / size_;
    return out;
  }

  // One step of Newton's method in the free motions, downwards also where the distance bends the other way.
  Vector newton(const Vector& q, double& unfelt) {
    const Vec2<double> g = apart();
    const Vector force = balance(g);
    const std::size_t f = free_.size();
    std::vector<Bend> own;
    for (const Vector& direction : free_) own.push_back(along(direction, g, force));
    Matrix curvature(static_cast<int>(f), static_cast<int>(f));
    Vector slope(f);
    for (std::size_t a = 0; a < f; ++a) {
      slope[a] = dot(own[a].rate, g);
      for (std::size_t b = 0; b <= a; ++b) {
        double bend = own[a].curvature;
        if (a != b && f <= kMostCurved) {
          Vector both = free_[a];
          for (std::size_t i = 0; i < both.size(); ++i) both[i] += free_[b][i];
          bend = (along(both, g, force).curvature - own[a].curvature - own[b].curvature) / 2;
        }
        curvature.at(static_cast<int>(a), static_cast<int>(b)) = dot(own[a].rate, own[b].rate) + bend;
      }
    }
    const SymmetricEigen eigen = symmetric_eigen(curvature);
    Vector back(f);  // to where it was
    for (std::size_t a = 0; a < f; ++a)
      for (int i = 0; i < system_.coordinates(); ++i) back[a] += free_[a][z(i)] * (start_[z(i)] - q[z(i)]) / unit(i);
    Vector step(z(system_.coordinates()), 0.0);
    unfelt = 0;
    for (std::size_t k = 0; k < f; ++k) {
      const std::span<const double> u = eigen.vectors.column(static_cast<int>(k));
      const bool felt = std::abs(eigen.values[k]) > kUnfelt;
      double length = felt ? -dot(u, slope) / std::abs(eigen.values[k]) : dot(u, back);
      // a dead point of the pull: the point stands still there and is nearer on both sides, of which the one it came from is taken
      if (felt && eigen.values[k] < 0 && std::abs(length) < kLeave) length = std::copysign(kLeave, length);
      if (!felt) unfelt += length * length;
      for (std::size_t a = 0; a < f; ++a)
        for (std::size_t i = 0; i < step.size(); ++i) step[i] += length * u[a] * free_[a][i];
    }
    return step;
  }

  void approach(PlanePulled& out) {
    double longest = kLongestStep;
    bool moved = true;
    Vector step;
    double unfelt = 0, distance = 0;
    for (; out.steps < kMostSteps; ++out.steps) {
      if (moved) {
        a_ = scaled_jacobian(system_, evaluation_, out.q).top(joints_);
        find_free_motions();
        if (free_.empty()) return;
        const Vec2<double> g = apart();
        distance = dot(g, g);
        step = newton(out.q, unfelt);
      }
      const double length = length_of(step), part = std::min(1.0, longest / length);
      if (!(length * part > kNoStep)) return;
      Vector trial = out.q;
      for (int i = 0; i < system_.coordinates(); ++i) trial[z(i)] += part * step[z(i)] * unit(i);
      moved = close(trial) && follows(out.q, trial, step, part) && nearer(distance, unfelt * part * part);
      if (moved) out.q = std::move(trial);
      longest = moved ? std::min(2 * longest, kLongestStep) : length * part / 4;
    }
  }

  [[nodiscard]] bool follows(const Vector& q, const Vector& trial, const Vector& step, double part) const {
    double astray = 0;
    for (int i = 0; i < system_.coordinates(); ++i) {
      const double off = (trial[z(i)] - q[z(i)]) / unit(i) - part * step[z(i)];
      astray += off * off;
    }
    return std::sqrt(astray) < kAstray * part * length_of(step);
  }
  [[nodiscard]] bool nearer(double distance, double unfelt) const {
    constexpr double kRounding = 1e-14;
    const Vec2<double> g = apart();
    return dot(g, g) <= distance * (1 + kRounding) + kRounding * kRounding + kAllowed * unfelt;
  }

  void tell(PlanePulled& out) {
    a_ = scaled_jacobian(system_, evaluation_, out.q).top(joints_);
    const Vec2<double> g = apart();
    out.short_by = size_ * std::sqrt(dot(g, g));
    if (!(out.short_by > kReached * size_)) return;
    const Vector force = balance(g);
    std::vector<double> sizes;
    for (const Constraint& c : system_.constraints()) {
      double sum = 0;
      for (int r = c.first_row; r < c.first_row + c.rows && r < joints_; ++r) sum += force[z(r)] * force[z(r)];
      sizes.push_back(std::sqrt(sum));
    }
    const double most = largest(sizes);
    for (std::size_t c = 0; c < sizes.size(); ++c)
      if (sizes[c] > kHolds * most && most > 0) out.held.push_back(system_.constraints()[c].name);
  }

  const PlanarSystem& system_;
  const PlanePull& pull_;
  double size_;
  int joints_;
  Evaluation evaluation_;
  Vector start_;
  DenseMatrix a_{0, 0};  // of the joints, at the position
  std::vector<Vector> free_;
};

}  // namespace

PlanePulled pull(const PlaneMechanism& mechanism, std::span<const double> from, const PlanePull& pull) { return Puller(mechanism, pull).from(from); }

}  // namespace jounce
