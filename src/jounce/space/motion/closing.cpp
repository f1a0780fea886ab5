#include "jounce/space/motion/closing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "jounce/base/index.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/space/size.hpp"
#include "jounce/tree/dof_quantity.hpp"

namespace jounce {

SpaceClosing::SpaceClosing(const SpaceMechanism& mechanism, std::vector<double> start, ScaledClosures& closures)
    : mechanism_(mechanism), start_(std::move(start)), closures_(closures), way_(mechanism.dofs.size()) {}

// ---- positions ------------------------------------------------------------------------------------------------------------

void SpaceClosing::move(Position& at, std::span<const double> step) {
  std::ranges::fill(way_, 0.0);
  for (std::size_t p = 0; p < step.size(); ++p) {
    const int dof = closures_.passive()[p];
    way_[z(dof)] = step[p] * closures_.unit(dof);
  }
  tree::move(mechanism_.tree, at, way_);
}

ClosingMotion::Vector SpaceClosing::way_from_drawn(const Position& at) {
  tree::difference(mechanism_.tree, start_, at, way_);
  Vector out;
  for (const int dof : closures_.passive()) out.push_back(way_[z(dof)] / closures_.unit(dof));
  return out;
}

// ---- equations ------------------------------------------------------------------------------------------------------------

ClosingMotion::Vector SpaceClosing::residual(const Position& at) {
  closures_.evaluate(at);
  return closures_.scaled(closures_.closures().residual());
}

void SpaceClosing::linearise() {
  jacobian_ = closures_.jacobian(closures_.passive());
  normal_ = gram(jacobian_);
}

std::optional<ClosingMotion::Vector> SpaceClosing::damped_step(std::span<const double> gradient, double damping) {
  damped_ = normal_;
  for (int i = 0; i < damped_.rows; ++i) damped_.at(i, i) += damping;
  Vector down(gradient.begin(), gradient.end());
  for (double& g : down) g = -g;
  return solve_symmetric(damped_, down);
}

std::optional<ClosingMotion::Vector> SpaceClosing::newton_step(std::span<const double> r) {
  Vector down(r.begin(), r.end());
  for (double& x : down) x = -x;
  return least_squares(jacobian_, down, kIndependentClosure).x;  // what is smaller would turn rounding into a way to go
}

// ---- for results and messages ---------------------------------------------------------------------------------------------

double SpaceClosing::worst_residual(const Position& at) {
  closures_.evaluate(at);
  return closures_.closures().worst();
}

ClosingMotion::Moved SpaceClosing::moved(const Position& at) {
  tree::difference(mechanism_.tree, start_, at, way_);
  Moved out;
  for (std::size_t dof = 0; dof < way_.size(); ++dof) {
    double& most = dof_quantity(mechanism_.tree, static_cast<int>(dof)) == tree::Quantity::length ? out.metres : out.radians;
    most = std::max(most, std::abs(way_[dof]));
  }
  return out;
}

std::vector<ClosingMotion::Open> SpaceClosing::open(const Position& at) {
  closures_.evaluate(at);
  const LoopClosures& closures = closures_.closures();
  std::vector<Open> out;
  int last = -1;
  for (int r = 0; r < closures.size(); ++r) {
    const LoopClosures::Row& row = closures.rows()[z(r)];
    if (row.element != last) out.push_back({closures.name(row.element), 0, 0, closures_.where(row.element)});
    last = row.element;
    double& apart = row.metres ? out.back().metres : out.back().radians;
    apart = std::hypot(apart, closures.residual()[z(r)]);
  }
  return out;
}

}  // namespace jounce
