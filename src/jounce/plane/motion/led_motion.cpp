#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/plane/motion/driven_motion.hpp"

namespace jounce {
namespace {

// Φ(q, t) = 0 with one coordinate prescribed in place of time. The matrix is Φq with that coordinate's column replaced by Φt; it
// stays regular where the motion turns back in time.
class ByCoordinate final : public LedMotion {
 public:
  ByCoordinate(const PlaneMechanism& mechanism, int coordinate)
      : system_(mechanism.system), evaluation_(system_, 1), motion_(mechanism, 0), coordinate_(coordinate) {
    const PlanarSystem& system = system_;
    const SparsePattern& p = system.pattern();
    SparsePattern swapped{p.rows, p.columns, {0}, {}};
    for (int c = 0; c < p.columns; ++c) {
      if (c == coordinate)  // time: only drivers depend on it
        for (int r = system.joint_equations(); r < p.rows; ++r) swapped.row.push_back(r);
      else
        swapped.row.insert(swapped.row.end(), p.row.begin() + p.start[z(c)], p.row.begin() + p.start[z(c) + 1]);
      swapped.start.push_back(static_cast<int>(swapped.row.size()));
    }
    values_.resize(swapped.row.size());
    lu_ = SparseLu(std::move(swapped));
    step_.resize(z(p.columns)), tangent_.resize(z(p.columns)), column_.resize(z(p.rows));
  }

  bool solve(State& s) override {
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 15; ++i) {
      if (!evaluate(s)) return false;
      lu_.solve(evaluation_.residual(), step_);
      const double t_step = step_[z(coordinate_)];
      step_[z(coordinate_)] = 0;
      const double correction = motion_.size(step_);
      if (!std::isfinite(correction) || !std::isfinite(t_step) || (i > 2 && correction > before && correction > 1e-8)) return false;
      for (std::size_t k = 0; k < s.q.size(); ++k) s.q[k] -= step_[k];
      s.t -= t_step;
      if (correction < 1e-13 || (correction < 1e-10 && correction > 0.3 * before)) return evaluate(s);
      before = correction;
    }
    return false;
  }

  std::span<const double> tangent() override {
    const SparsePattern& p = system_.pattern();
    std::ranges::fill(column_, 0.0);
    const auto jacobian = evaluation_.jacobian();
    for (int e = p.start[z(coordinate_)]; e < p.start[z(coordinate_) + 1]; ++e) column_[z(p.row[z(e)])] = -jacobian[z(e)];
    lu_.solve(column_, tangent_);
    return tangent_;
  }

 private:
  bool evaluate(const State& s) {
    if (evaluation_.set_time(s.t)) return false;
    (void)evaluation_.set_position(s.q);
    const auto jacobian = evaluation_.jacobian();
    const auto phi_t = evaluation_.open(1);
    const SparsePattern& p = system_.pattern();
    std::size_t k = 0;
    for (int c = 0; c < p.columns; ++c) {
      if (c == coordinate_)
        for (int r = system_.joint_equations(); r < p.rows; ++r) values_[k++] = phi_t[z(r)];
      else
        for (int e = p.start[z(c)]; e < p.start[z(c) + 1]; ++e) values_[k++] = jacobian[z(e)];
    }
    lu_.factor(values_);
    return lu_.full_column_rank();
  }

  const PlanarSystem& system_;
  Evaluation evaluation_;
  PlaneDrivenMotion motion_;  // for sizes
  int coordinate_;
  SparseLu lu_;
  std::vector<double> values_, step_, tangent_, column_;
};

}  // namespace

std::unique_ptr<LedMotion> PlaneDrivenMotion::led_by(int dof) const { return std::make_unique<ByCoordinate>(mechanism_, dof); }

}  // namespace jounce
