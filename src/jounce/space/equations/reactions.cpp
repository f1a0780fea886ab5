// What the equations of motion say of joints, prescribed dofs and loops, once they are solved.
#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/space/equations/equations.hpp"
#include "jounce/space/equations/shared_reactions.hpp"
#include "jounce/space/maximal/maximal.hpp"

namespace jounce {

void SpaceEquations::found_efforts(std::span<double> tau) const {
  if (by_bodies_) maximal_->efforts(tau);
  else tree::efforts<double>(mechanism_->tree, work_, tau.data());
  for (std::size_t k = 0; k < tau.size(); ++k)
    if (exerts_[k]) tau[k] -= effort_[k];  // its spring, its damper and couplings do their part
}

void SpaceEquations::efforts(std::span<double> tau) {
  if (const Reactions* found = least()) std::ranges::copy(found->efforts, tau.begin());
  else found_efforts(tau);
  for (std::size_t k = 0; k < tau.size(); ++k)
    if (!exerts_[k]) tau[k] = active_[k] ? 0 : loads_.tau[k];  // what couplings pass on is no effort of its own
}

double SpaceEquations::power(std::span<const double> v) {
  double sum = loads_.power;
  if (passive_v_.size() == v.size() && actuated_.empty() && !closures_.of_time()) return sum;
  power_efforts_.resize(v.size());
  found_efforts(power_efforts_);  // however it is shared, the power is the same
  for (std::size_t k = 0; k < v.size(); ++k)
    if (exerts_[k]) sum += power_efforts_[k] * v[k];
  for (int r = closures_.first_equation(); r < closures_.size(); ++r) sum += lambda_[z(r)] * closures_.drift()[z(r)];
  return sum;
}

std::optional<double> SpaceEquations::power_along(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a) {
  if (load(t, q, v)) return std::nullopt;
  by_bodies_ = false;
  std::ranges::copy(a, change_.begin());
  hold(q, v, change_);
  power_efforts_.resize(v.size());
  tree::efforts<double>(mechanism_->tree, work_, power_efforts_.data());
  double sum = loads_.power;
  for (std::size_t k = 0; k < v.size(); ++k) sum += (power_efforts_[k] - effort_[k]) * v[k];
  return sum;
}

double SpaceEquations::largest_load(std::span<const double> tau) const {
  double most = loads_.tension;
  for (const tree::Wrench<double>& load : loads_.external) most = std::max(most, length(load.force));
  for (std::size_t k = 0; k < tau.size(); ++k) most = std::max(most, std::abs(tau[k]) * unit_[k] / size_);
  return most;
}

tree::Wrench<double> SpaceEquations::found_wrench(int joint) const {
  if (by_bodies_) return maximal_->joint_wrench(joint);
  const SpaceJoint& j = mechanism_->joints[z(joint)];
  const tree::LinkWork<double>& at = work_.links[z(j.links.last)];
  tree::Wrench<double> wrench = tree::joint_wrench(work_, j.links.last);
  wrench.moment -= cross(at.axes * j.links.successor.origin, wrench.force);
  return wrench;
}

tree::Wrench<double> SpaceEquations::joint_wrench(int joint) const {
  const Reactions* found = least();
  return found ? found->joints[z(joint)] : found_wrench(joint);
}

std::span<const double> SpaceEquations::multipliers() const {
  const Reactions* found = least();
  return found ? found->lambda : lambda_;
}

// Multipliers that push no passive dof, of each group that has any.
std::vector<PushingNothing> SpaceEquations::without_effect_on_groups() const {
  std::vector<PushingNothing> out;
  const std::vector<Matrix> within = independent();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const LoopGroup& group = groups_[g];
    if (z(within[g].columns) == group.rows.size()) continue;
    std::vector<double> unit;
    for (const int r : group.rows) unit.push_back(row_unit(r));
    out.push_back({group.rows, without_effect(within[g], unit, gradients(group))});
  }
  return out;
}

// Actuators may push against each other through all of them.
LoopGroup SpaceEquations::everything() const {
  LoopGroup out;
  for (int e = 0; e < closures_.elements(); ++e) out.elements.push_back(e);
  for (int r = 0; r < closures_.size(); ++r) out.rows.push_back(r);
  return out;
}

const SharedReactions* SpaceEquations::shared() const {
  if (!shared_) {
    shared_ = std::make_unique<SharedLoad>();
    const SharedReactions::Instant at{motion_work_, links_, closures_};
    if (actuated_.empty()) {
      const std::vector<PushingNothing> none = without_effect_on_groups();
      if (joined_.empty() && !none.empty()) joined_ = loop_groups(*mechanism_, closures_, Shared::links);
      if (!none.empty()) shared_->among.emplace(*mechanism_, at, joined_, none, exerts_, moment_arm_);
    } else {
      const LoopGroup all = everything();
      const PushingNothing none{all.rows, without_effect_on(all_dofs_)}, more{all.rows, without_effect_on(unactuated_)};
      if (none.sets.columns > 0) shared_->among.emplace(*mechanism_, at, std::span(&all, 1), std::span(&none, 1), exerts_, moment_arm_);
      if (more.sets.columns > none.sets.columns) shared_->fights.emplace(*mechanism_, at, std::span(&all, 1), std::span(&more, 1), exerts_, moment_arm_);
    }
  }
  return shared_->among ? &*shared_->among : nullptr;
}

const OpenReactions* SpaceEquations::open_reactions() const {
  const SharedReactions* among = shared();
  if (shared_->fights) return &shared_->fights->open();
  return among ? &among->open() : nullptr;
}

const Reactions* SpaceEquations::least() const {
  const SharedReactions* among = shared();
  if (!among) return nullptr;
  if (!shared_->least) {
    Reactions found{{}, std::vector<double>(active_.size()), lambda_};
    for (int j = 0; j < static_cast<int>(mechanism_->joints.size()); ++j) found.joints.push_back(found_wrench(j));
    found_efforts(found.efforts);
    shared_->least = among->least(std::move(found));
  }
  return &*shared_->least;
}

std::vector<std::string> not_unique(const SpaceMechanism& mechanism, std::span<const double> q) {
  SpaceEquations equations(mechanism);
  equations.evaluate_closures(q, std::vector<double>(mechanism.dofs.size()));
  const OpenReactions* open = equations.open_reactions();
  return open ? open->names(mechanism) : std::vector<std::string>{};
}

}  // namespace jounce
