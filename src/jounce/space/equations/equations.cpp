#include "jounce/space/equations/equations.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/math/rows.hpp"
#include "jounce/mechanism/joint_friction.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/space/closures/scaled_closures.hpp"
#include "jounce/space/equations/loop_elimination.hpp"
#include "jounce/space/equations/shared_reactions.hpp"
#include "jounce/space/maximal/maximal.hpp"
#include "jounce/space/prescribed.hpp"
#include "jounce/space/size.hpp"

namespace jounce {
namespace {

/// What the passive dofs before it leave of the inertia of a dof, as a part of it, is rounding below this.
constexpr double kNoPivot = 1e-14;

}  // namespace

// H and its factors over the passive dofs.
struct SpaceEquations::JointSpace {
  Matrix h, passive, loops, response;  // loops: K over the passive dofs; response: H⁻¹ Kᵀ
  std::vector<double> right, change, schur;
  CholeskyFactors factors;
};

SpaceEquations::~SpaceEquations() = default;

SpaceEquations::SpaceEquations(const SpaceMechanism& mechanism, Formulation formulation)
    : mechanism_(&mechanism),
      formulation_(formulation == Formulation::automatic ? Formulation::aba : formulation),
      refusal_(inapplicable(mechanism, formulation)),
      work_(mechanism.tree),
      motion_work_(mechanism.tree),
      links_(z(mechanism.tree.size())),
      positions_(z(mechanism.tree.size())),
      loads_(mechanism),
      closures_(mechanism),
      groups_(loop_groups(mechanism, closures_, Shared::passive_dofs)),
      place_(places_in_groups(groups_, mechanism.tree.dofs())),
      lambda_(z(closures_.size())),
      external_(z(mechanism.tree.size())),
      size_(length_scale(mechanism)),
      unit_(dof_units(mechanism, size_)),
      moment_arm_(closures_.size() > 0 ? largest_body(mechanism) : 1) {
  const std::size_t n = mechanism.dofs.size();
  for (const SpaceDof& dof : mechanism.dofs) active_.push_back(dof.active() ? 1 : 0);
  for (const tree::Link& link : mechanism.tree.links())
    for (int k = 0; k < tree::dofs(link.motion); ++k) {
      if (active_[z(link.v + k)]) continue;
      passive_v_.push_back(link.v + k);
      if (k == 0)
        for (int c = 0; c < tree::coordinates(link.motion); ++c) passive_q_.push_back(link.q + c);
    }
  exerts_ = active_;
  std::ranges::sort(passive_v_);
  std::ranges::sort(passive_q_);
  all_.assign(n, 1);
  held_ = active_;
  right_.resize(lambda_.size()), ranks_.resize(groups_.size());
  if (closures_.size() > 0) elimination_ = std::make_unique<LoopElimination>(mechanism.tree, active_, closures_, groups_);
  still_.resize(n), effort_.resize(n), change_.resize(n);
  rubbing_ = mechanism.rubbing();
  friction_ = FrictionBalance(rubbing_.size(), 2);
  factors_.resize(rubbing_.size()), free_.resize(rubbing_.size());
  loop_external_.resize(external_.size()), loop_effort_.resize(n), within_.resize(groups_.size());
  if (!refusal_.empty()) return;
  if (formulation_ == Formulation::crba) joint_space_ = std::make_unique<JointSpace>();
  if (!uses_tree(formulation_)) maximal_ = std::make_unique<MaximalCoordinates>(mechanism, closures_, active_, formulation_);
}

std::optional<Fault> SpaceEquations::prescribe(double t, std::span<double> q, std::span<double> v, std::span<double> a) {
  at_time(t);
  return prescribed_rates<1>(*mechanism_, t, q, [&](int dof, const Series<1>& rate) {
    v[z(dof)] = rate.value();
    a[z(dof)] = rate.derivative(1);
  });
}

void SpaceEquations::move(std::span<const double> q, std::span<const double> v, std::span<const double> a) {
  tree::motion<double>(mechanism_->tree, motion_work_, q.data(), v.data(), a.data(), links_.data());
}

std::optional<Fault> SpaceEquations::load(double t, std::span<const double> q, std::span<const double> v) {
  shared_.reset();
  at_time(t);
  if (maximal_ || closures_.size() > 0 || !mechanism_->forces.empty() || !mechanism_->quantities.empty()) move(q, v, still_);
  SpaceLoader<double> loader(*mechanism_, t, q.data(), v.data(), motion_work_, links_, loads_);
  if (auto fault = loader.load()) return fault;
  external_ = loads_.external;
  effort_ = loads_.tau;
  return std::nullopt;
}

std::optional<Fault> SpaceEquations::solve(double t, std::span<const double> q, std::span<const double> v, std::span<double> a) {
  if (rubbing_.empty()) return solve_once(t, q, v, a);
  return rub(v, [&] { return solve_once(t, q, v, a); });
}

std::optional<Fault> SpaceEquations::balance(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a) {
  if (rubbing_.empty()) return balance_once(t, q, v, a);
  return rub(v, [&] { return balance_once(t, q, v, a); });
}

std::optional<Fault> SpaceEquations::solve_once(double t, std::span<const double> q, std::span<const double> v, std::span<double> a) {
  if (!refusal_.empty()) return Fault{"", refusal_, {}};
  if (auto fault = load(t, q, v)) return fault;
  by_bodies_ = maximal_ != nullptr;
  if (maximal_) return solve_maximal(q, v, a);
  return joint_space_ ? solve_joint_space(q, v, a) : solve_articulated(q, v, a);
}

std::optional<Fault> SpaceEquations::solve_articulated(std::span<const double> q, std::span<const double> v,
                                                          std::span<double> a) {
  for (const int dof : light_) a[z(dof)] = 0;  // until the loops say
  if (auto fault = accelerate(q, v, a)) return fault;
  if (closures_.size() == 0) return std::nullopt;
  closures_.evaluate(q, v, motion_work_, links_);
  if (closures_.fault()) return closures_.fault();
  close_loops(q, a);
  std::ranges::fill(loop_external_, tree::Wrench<double>{}), std::ranges::fill(loop_effort_, 0.0);
  closures_.add_forces(lambda_, loop_external_, loop_effort_);
  for (std::size_t i = 0; i < external_.size(); ++i) external_[i].moment += loop_external_[i].moment, external_[i].force += loop_external_[i].force;
  for (std::size_t dof = 0; dof < effort_.size(); ++dof) effort_[dof] += loop_effort_[dof];
  if (light_.empty()) tree::load_further<double>(mechanism_->tree, work_, loop_effort_.data(), held_.data(), a.data(), loop_external_.data(), positions_.data());
  else if (auto fault = accelerate(q, v, a)) return fault;  // again: light dofs accelerate now
  if (rank_ < closures_.size()) lack(a);
  inconsistency_ = rank_ < closures_.size() ? largest(right_) : 0;
  return std::nullopt;
}

// λ of A λ = right as far as the independent equations go.
void SpaceEquations::solve_densely(std::span<const double> right) {
  const std::vector<Matrix> of_groups = independent();
  rank_ = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) rank_ += ranks_[g] = of_groups[g].columns;
  const int m = closures_.size();
  Matrix within(m, rank_);
  int next = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (int c = 0; c < of_groups[g].columns; ++c, ++next)
      for (int r = 0; r < of_groups[g].rows; ++r) within.at(groups_[g].rows[z(r)], next) = of_groups[g].at(r, c);
  inconsistency_ = solve_within({joint_space_->schur, m, m}, right, within, lambda_);
}

// H_PP q̈_P = τ_P − C_P − H_PA q̈_A + K_Pᵀ λ
std::optional<Fault> SpaceEquations::solve_joint_space(std::span<const double> q, std::span<const double> v,
                                                          std::span<double> a) {
  JointSpace& space = *joint_space_;
  const int n = mechanism_->tree.dofs();
  const int p = static_cast<int>(passive_v_.size());
  space.h.resize(n, n);
  tree::crba<double>(mechanism_->tree, work_, q.data(), space.h.value.data());
  tree::rnea<double>(mechanism_->tree, work_, q.data(), v.data(), still_.data(), change_.data(), external_.data(),
                     positions_.data());
  space.right.resize(z(p));
  space.passive.resize(p, p);
  for (int i = 0; i < p; ++i) {
    const int own = passive_v_[z(i)];
    double& right = space.right[z(i)];
    right = effort_[z(own)] - change_[z(own)];
    for (int dof = 0; dof < n; ++dof)
      if (active_[z(dof)]) right -= space.h.at(own, dof) * a[z(dof)];
    for (int j = 0; j < p; ++j) space.passive.at(i, j) = space.h.at(own, passive_v_[z(j)]);
  }
  if (closures_.size() > 0) closures_.evaluate(q, v, motion_work_, links_);
  if (closures_.fault()) return closures_.fault();
  if (!light_.empty()) weigh_loops(a);
  if (!space.factors.factor(space.passive, kNoPivot))
    return undecided(q, v, {"", "the inertia of the joints is not positive in this position: some motion moves no mass", {}});
  space.factors.solve(space.right);
  const auto spread = [&] {
    for (std::size_t i = 0; i < passive_v_.size(); ++i) a[z(passive_v_[i])] = space.right[i];
  };
  spread();
  if (closures_.size() > 0) {
    lack(a);
    const int m = closures_.size();
    space.loops.resize(m, p);
    space.response.resize(p, m);
    const std::vector<double> all = closures_.jacobian();
    for (int r = 0; r < m; ++r)
      for (int i = 0; i < p; ++i) space.loops.at(r, i) = space.response.at(i, r) = all[z(r) * z(n) + z(passive_v_[z(i)])];
    space.factors.solve(space.response);
    space.schur.resize(z(m) * z(m));
    multiply(space.loops, space.response, space.schur);
    solve_densely(right_);
    space.change = times(space.response, lambda_);
    for (std::size_t i = 0; i < space.right.size(); ++i) space.right[i] += space.change[i];
    spread();
    closures_.add_forces(lambda_, external_, effort_);
  }
  hold(q, v, a);
  return std::nullopt;
}

// Dofs that move no inertia: with (H + w KᵀK) q̈ = … + w Kᵀk + Kᵀλ, whose solution is the same because K q̈ = k, the matrix can be divided by where the loops decide them. All in mechanism sizes
// and radians; w as large as the inertia is.
void SpaceEquations::weigh_loops(std::span<const double> a) {
  JointSpace& space = *joint_space_;
  double most = 0;
  for (std::size_t i = 0; i < passive_v_.size(); ++i) {
    const double unit = unit_[z(passive_v_[i])];
    most = std::max(most, space.passive.at(static_cast<int>(i), static_cast<int>(i)) * unit * unit);
  }
  std::vector<double> of_active(a.begin(), a.end());
  for (const int dof : passive_v_) of_active[z(dof)] = 0;
  std::vector<int> place(active_.size(), -1);  // among the passive dofs
  for (std::size_t i = 0; i < passive_v_.size(); ++i) place[z(passive_v_[i])] = static_cast<int>(i);
  for (int r = 0; r < closures_.size(); ++r) {
    const LoopClosures::Entries own = closures_.row(r);
    const double weight = (most > 0 ? most : 1) / (row_unit(r) * row_unit(r)), right = closures_.right()[z(r)] - own.times(of_active);
    for (std::size_t k = 0; k < own.dofs.size(); ++k) {
      const int i = place[z(own.dofs[k])];
      if (i < 0) continue;
      space.right[z(i)] += weight * own.values[k] * right;
      for (std::size_t l = 0; l < own.dofs.size(); ++l)
        if (const int j = place[z(own.dofs[l])]; j >= 0) space.passive.at(i, j) += weight * own.values[k] * own.values[l];
    }
  }
}

std::optional<Fault> SpaceEquations::solve_maximal(std::span<const double> q, std::span<const double> v, std::span<double> a) {
  const int m = closures_.size();
  std::vector<int> left_out;
  if (m > 0) {
    closures_.evaluate(q, v, motion_work_, links_);
    if (closures_.fault()) return closures_.fault();
    left_out = dependent();
  }
  const MaximalCoordinates::Instant at{motion_work_, links_, closures_, external_, effort_, left_out};
  if (auto fault = maximal_->solve(at, a, lambda_)) return fault->element.empty() ? undecided(q, v, *fault) : *fault;
  rank_ = m - static_cast<int>(maximal_->dropped().size());
  inconsistency_ = 0;
  if (rank_ < m) {
    lack(a);
    inconsistency_ = largest(right_);
  }
  closures_.add_forces(lambda_, external_, effort_);
  maximal_->find_wrenches(at);
  return std::nullopt;
}

// Articulated bodies can name the dof that nothing decides.
Fault SpaceEquations::undecided(std::span<const double> q, std::span<const double> v, Fault otherwise) {
  std::ranges::fill(change_, 0.0);
  if (auto fault = accelerate(q, v, change_)) return *fault;
  return otherwise;
}

// Leaves the wrenches through all joints in `work_`.
void SpaceEquations::hold(std::span<const double> q, std::span<const double> v, std::span<double> a) {
  (void)tree::hybrid<double>(mechanism_->tree, work_, q.data(), v.data(), effort_.data(), all_.data(), a.data(), external_.data(),
                             positions_.data());
}

// Reactions depend linearly on the efforts of friction: one solution without any, one more for each joint that rubs, and one with what follows from them.
template <class Again>
std::optional<Fault> SpaceEquations::rub(std::span<const double> v, Again&& again) {
  const std::size_t n = rubbing_.size();
  loads_.grip.assign(active_.size(), 0.0);
  if (auto fault = again()) return fault;
  if (const OpenReactions* open = rank_ < closures_.size() ? open_reactions() : nullptr)
    for (const std::string& name : open->names(*mechanism_))
      for (const int dof : rubbing_)
        if (mechanism_->joint_of(dof).name == name) return open_friction(name, mechanism_->dofs[z(dof)].where);
  double most = 0;
  for (std::size_t f = 0; f < n; ++f) {
    const std::size_t dof = z(rubbing_[f]);
    free_[f] = load_across(rubbing_[f]);
    most = std::max(most, std::hypot(free_[f][0], free_[f][1], free_[f][2]));
    factors_[f] = 0;  // whoever loads next tells of what has no value
    const double direction = loads_.directions.empty() ? laws::kSignOfRate : loads_.directions[dof];
    (void)mechanism_->dofs[dof].friction.add_to(factors_[f], direction, 0.0, v[dof], 0.0, {});
  }
  const double size = most > 0 ? most : 1;
  for (std::size_t g = 0; g < n; ++g) {
    const std::size_t dof = z(rubbing_[g]);
    for (std::size_t f = 0; f < n; ++f) friction_.response(f, g) = {};
    if (factors_[g] == 0 || most == 0) continue;
    loads_.grip[dof] = size;
    if (auto fault = again()) return fault;
    loads_.grip[dof] = 0;
    for (std::size_t f = 0; f < n; ++f) {
      const JointLoad with = load_across(rubbing_[f]);
      for (std::size_t c = 0; c < 3; ++c) friction_.response(f, g)[c] = (with[c] - free_[f][c]) / (size * factors_[g]);
    }
  }
  if (auto fault = jammed(friction_.solve(0, factors_, free_, loads_of_all()))) return fault;
  for (std::size_t f = 0; f < n; ++f) loads_.grip[z(rubbing_[f])] = friction_.size(0, f);
  return again();
}

std::optional<Fault> SpaceEquations::rub_order(int order, std::span<const JointLoad> free) {
  std::ranges::fill(factors_, 0.0);  // what lower orders of the load give is among the loads already
  double size = 0;
  for (const JointLoad& load : free) size = std::max(size, std::hypot(load[0], load[1], load[2]));
  return jammed(friction_.solve(order, factors_, free, size));
}

std::optional<Fault> SpaceEquations::jammed(FrictionBalance::Status status) const {
  const int dof = rubbing_[friction_.culprit()];
  return friction_fault(status, mechanism_->joint_of(dof).name, mechanism_->dofs[z(dof)].where);
}

// What the joint of a dof carries across its axis, in ground axes.
JointLoad SpaceEquations::load_across(int dof) const {
  const SpaceJoint& joint = mechanism_->joint_of(dof);
  const int index = static_cast<int>(&joint - mechanism_->joints.data());
  const Vec3<double> force = found_wrench(index).force, along = (by_bodies_ ? motion_work_ : work_).links[z(joint.links.last)].axes.z;
  const Vec3<double> across = force - along * dot(along, force);
  return {across.x, across.y, across.z};
}

double SpaceEquations::friction_load(int dof) const {
  const JointLoad load = load_across(dof);
  return std::hypot(load[0], load[1], load[2]);
}

// The largest force about: loads across axes below some part of it are rounding.
double SpaceEquations::loads_of_all() const {
  double most = 0;
  for (int j = 0; j < static_cast<int>(mechanism_->joints.size()); ++j) most = std::max(most, length(found_wrench(j).force));
  return most;
}

std::optional<Fault> SpaceEquations::balance_once(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a) {
  if (auto fault = load(t, q, v)) return fault;
  by_bodies_ = false;
  std::ranges::copy(a, change_.begin());
  hold(q, v, change_);
  if (closures_.size() > 0) closures_.evaluate(q, v, motion_work_, links_);
  if (closures_.fault()) return closures_.fault();
  if (auto fault = uncarried()) return fault;
  if (closures_.size() == 0) return std::nullopt;
  // what the passive dofs lack is what the loops give
  std::vector<double> needed(active_.size());
  tree::efforts<double>(mechanism_->tree, work_, needed.data());
  for (std::size_t dof = 0; dof < needed.size(); ++dof) needed[dof] -= effort_[dof];
  rank_ = balance_order(needed, lambda_);
  closures_.add_forces(lambda_, external_, effort_);
  hold(q, v, change_);
  return std::nullopt;
}

std::optional<Fault> SpaceEquations::accelerate(std::span<const double> q, std::span<const double> v, std::span<double> a) {
  const bool pushed = closures_.size() > 0 || !mechanism_->forces.empty();
  if (tree::hybrid<double>(mechanism_->tree, work_, q.data(), v.data(), effort_.data(), held_.data(), a.data(),
                           pushed ? external_.data() : nullptr, pushed ? positions_.data() : nullptr))
    return std::nullopt;
  const auto finite = [](const std::vector<double>& x) { return std::ranges::all_of(x, [](double number) { return std::isfinite(number); }); };
  if (!finite(effort_)) return Fault{"", "efforts grow beyond all numbers", {}};
  const int dof = std::max(0, tree::unmoved<double>(mechanism_->tree, work_, held_.data()));
  const std::string& joint = mechanism_->joint_of(dof).name;
  return Fault{"joint '" + joint + "'", "no inertia is moved by " + mechanism_->dof_name(dof) + " in this position", mechanism_->dofs[z(dof)].where,
               joint};
}

void SpaceEquations::jump(std::span<const double> q, std::span<double> change) {
  (void)tree::momentum_free<double>(mechanism_->tree, work_, q.data(), held_.data(), change.data());
}

double SpaceEquations::kinetic(std::span<const double> q, std::span<const double> v) {
  move(q, v, still_);
  const double given = energy_of_thin_links(*mechanism_, motion_work_);
  if (maximal_) return maximal_->kinetic() - given;
  if (joint_space_) return dot(v, times(joint_space_->h, v)) / 2 - given;
  return tree::totals<double>(mechanism_->tree, motion_work_, links_.data()).kinetic - given;
}

Twist SpaceEquations::body_acceleration(int body) const {
  if (by_bodies_) return maximal_->acceleration(body);
  const SpaceBody& own = mechanism_->bodies[z(body)];
  if (own.link == tree::kGround) return {};
  const tree::LinkWork<double>& link = motion_work_.links[z(own.link)];
  const Vec3<double> arm = link.axes * own.frame.origin;
  return {link.turn, links_[z(own.link)].acceleration + cross(link.turn, arm) + cross(link.spin, cross(link.spin, arm))};
}

int SpaceEquations::unknowns() const {
  if (maximal_) return maximal_->unknowns();
  return static_cast<int>(passive_v_.size()) + (closures_.size() > 0 ? rank_ : 0);
}

std::span<const double> SpaceEquations::inertia() const {
  if (!joint_space_) return {};
  return joint_space_->h.value;
}

}  // namespace jounce
