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
    : mechanism_(mechanism), start_(std::move(start)), closures_(closures), way_(mechanism.dofs.size()), direction_(mechanism.dofs.size(), -1) {
  for (std::size_t p = 0; p < closures.passive().size(); ++p) direction_[z(closures.passive()[p])] = static_cast<int>(p);
}

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
  jacobian_.clear(), normal_.clear();
  for (const LoopGroup& group : closures_.groups()) {
    jacobian_.push_back(closures_.jacobian(group, closures_.place()));
    normal_.push_back(gram(jacobian_.back()));
  }
}

// Of a group: its part of what all directions have, and back again.
ClosingMotion::Vector SpaceClosing::part(const LoopGroup& group, std::span<const double> of_all) const {
  Vector out;
  for (const int dof : group.dofs) out.push_back(of_all[z(direction_[z(dof)])]);
  return out;
}
void SpaceClosing::put(const LoopGroup& group, std::span<const double> part, Vector& to) const {
  for (std::size_t c = 0; c < part.size(); ++c) to[z(direction_[z(group.dofs[c])])] = part[c];
}

ClosingMotion::Vector SpaceClosing::gradient(std::span<const double> r) const {
  Vector out(closures_.passive().size());
  for (std::size_t g = 0; g < jacobian_.size(); ++g) {
    const LoopGroup& group = closures_.groups()[g];
    Vector own;
    for (const int row : group.rows) own.push_back(r[z(row)]);
    put(group, transposed_times(jacobian_[g], own), out);
  }
  return out;
}

std::optional<ClosingMotion::Vector> SpaceClosing::damped_step(std::span<const double> gradient, double damping) {
  damping_ = damping;
  Vector out(gradient.begin(), gradient.end());
  for (double& x : out) x = damping > 0 ? -x / damping : 0.0;  // directions that no loop has to do with
  for (std::size_t g = 0; g < normal_.size(); ++g) {
    const LoopGroup& group = closures_.groups()[g];
    Matrix damped = normal_[g];
    for (int i = 0; i < damped.rows; ++i) damped.at(i, i) += damping;
    Vector down = part(group, gradient);
    for (double& x : down) x = -x;
    if (!down.empty()) put(group, solve_symmetric(damped, down), out);
  }
  return out;
}

double SpaceClosing::curvature(std::span<const double> step) const {
  double sum = damping_ * dot(step, step);
  for (std::size_t g = 0; g < normal_.size(); ++g) {
    const Vector own = part(closures_.groups()[g], step);
    sum += dot(own, times(normal_[g], own));
  }
  return sum;
}

std::optional<ClosingMotion::Vector> SpaceClosing::newton_step(std::span<const double> r) {
  Vector out(closures_.passive().size());
  for (std::size_t g = 0; g < jacobian_.size(); ++g) {
    const LoopGroup& group = closures_.groups()[g];
    Vector down;
    for (const int row : group.rows) down.push_back(-r[z(row)]);
    put(group, nearest(jacobian_[g], down, kIndependentClosure).x, out);  // what is smaller would turn rounding into a way to go
  }
  return out;
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
