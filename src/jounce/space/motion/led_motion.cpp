#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/space/motion/driven_motion.hpp"

namespace jounce {
namespace {

constexpr int kIterations = 15;
/// The equations decide time and the other dofs where no column is dependent to this part.
constexpr double kDependentColumn = 1e-10;

// Loops and couplings with one passive dof prescribed in place of time: the unknowns are the other passive dofs and t, whose column is what the
// prescribed rates, and equations that depend on t, ask for.
class ByDof final : public LedMotion {
 public:
  ByDof(const SpaceMechanism& mechanism, int dof)
      : mechanism_(mechanism), motion_(mechanism, 0), dof_(dof), v_(mechanism.dofs.size()), a_(v_), none_(v_), way_(v_), tangent_(v_) {
    for (const int passive : motion_.equations().passive_dofs())
      if (passive != dof) unknown_.push_back(passive);
  }

  bool solve(State& s) override {
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kIterations; ++i) {
      if (!evaluate(s)) return false;
      const LoopClosures& closures = motion_.equations().closures();
      const auto [change, dt, decided] = solved(std::vector<double>(closures.residual().begin(), closures.residual().end()));
      if (!decided) return false;
      const double correction = motion_.size(change);
      if (!std::isfinite(correction) || !std::isfinite(dt) || (i > 2 && correction > before && correction > 1e-8)) return false;
      for (std::size_t k = 0; k < way_.size(); ++k) way_[k] = -change[k];
      motion_.move(s.q, way_);
      s.t -= dt;
      if (correction < 1e-13 || (correction < 1e-10 && correction > 0.3 * before)) return evaluate(s);
      before = correction;
    }
    return false;
  }

  std::span<const double> tangent() override {
    const LoopClosures& closures = motion_.equations().closures();
    std::vector<double> right(z(closures.size()));
    std::vector<double> unit(v_.size());
    unit[z(dof_)] = 1;
    for (int r = 0; r < closures.size(); ++r) right[z(r)] = -closures.row(r).times(unit);
    auto [change, dt, decided] = solved(right);
    tangent_ = std::move(change);
    for (std::size_t k = 0; k < v_.size(); ++k)
      if (mechanism_.dofs[k].active()) tangent_[k] = v_[k] * dt;
    tangent_[z(dof_)] = decided ? dt : std::numeric_limits<double>::quiet_NaN();
    return tangent_;
  }

 private:
  bool evaluate(State& s) {
    if (motion_.equations().prescribe(s.t, s.q, v_, a_)) return false;
    motion_.equations().evaluate_closures(s.q, none_);
    return true;
  }

  struct Change {
    std::vector<double> way;  // of the unknown dofs; 0 of the others
    double dt = 0;
    bool decided = false;
  };
  // K_U w + (K_A v_A − ν) dt = right
  Change solved(const std::vector<double>& right) const {
    const LoopClosures& closures = motion_.equations().closures();
    const std::size_t n = v_.size();
    DenseMatrix k(closures.size(), static_cast<int>(unknown_.size()) + 1);
    double most = 0;  // of the column of time
    const std::vector<double> all = closures.jacobian();
    for (int r = 0; r < k.rows; ++r) {
      const double* row = all.data() + z(r) * n;
      for (std::size_t c = 0; c < unknown_.size(); ++c) k.at(r, static_cast<int>(c)) = row[unknown_[c]];
      double& time = k.at(r, k.columns - 1);
      if (r < closures.first_idle()) time = -closures.drift()[z(r)];
      for (std::size_t dof = 0; dof < n; ++dof)
        if (mechanism_.dofs[dof].active()) time += row[dof] * v_[dof];
      most = std::max(most, std::abs(time));
    }
    Change out{std::vector<double>(n), 0, false};
    if (!(most > 0)) return out;
    for (int r = 0; r < k.rows; ++r) k.at(r, k.columns - 1) /= most;
    const LeastSquares found = least_squares(k, right, kDependentColumn);
    for (std::size_t c = 0; c < unknown_.size(); ++c) out.way[z(unknown_[c])] = found.x[c];
    out.dt = found.x.back() / most;
    out.decided = found.rank == k.columns;
    return out;
  }

  const SpaceMechanism& mechanism_;
  SpaceDrivenMotion motion_;
  int dof_;
  std::vector<int> unknown_;
  std::vector<double> v_, a_, none_, way_, tangent_;
};

}  // namespace

std::unique_ptr<LedMotion> SpaceDrivenMotion::led_by(int dof) const {
  if (!can_lead(dof)) return nullptr;
  return std::make_unique<ByDof>(mechanism_, dof);
}

}  // namespace jounce
