// The equations of motion of a spatial mechanism at one instant: prescribed motions, springs, forces, loops.
//
//   H q̈ + C = τ + Kᵀλ       K q̈ = k       q̈ of the active dofs given
//
// aba never forms H, crba does, and the others work with free bodies (maximal.hpp). All find the same.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "jounce/mechanism/formulation.hpp"
#include "jounce/mechanism/friction_balance.hpp"
#include "jounce/space/closures/closures.hpp"
#include "jounce/space/closures/loop_groups.hpp"
#include "jounce/space/loads/loads.hpp"

namespace jounce {

class LoopElimination;
class MaximalCoordinates;
class SharedReactions;
struct Matrix;
struct OpenReactions;
struct PushingNothing;
struct Reactions;
struct SharedLoad;

/// How many equations of loops and couplings are independent, of each group of them (loop_groups.hpp).
struct KnownRanks {
  std::vector<LoopGroup> groups;
  std::vector<int> ranks;
  int loops = 0, couplings = 0, equations = 0;  ///< of all groups
};

class SpaceEquations {
 public:
  /// `automatic` is aba. Where a formulation is `inapplicable` (maximal.hpp), `solve` says so; projections and `balance` go by
  /// articulated bodies in any case.
  explicit SpaceEquations(const SpaceMechanism& mechanism, Formulation formulation = Formulation::automatic);
  ~SpaceEquations();
  SpaceEquations(const SpaceEquations&) = delete;
  SpaceEquations& operator=(const SpaceEquations&) = delete;

  [[nodiscard]] const SpaceMechanism& mechanism() const { return *mechanism_; }
  [[nodiscard]] Formulation formulation() const { return formulation_; }
  /// One flag per dof.
  [[nodiscard]] std::span<const std::uint8_t> active() const { return active_; }
  [[nodiscard]] std::span<const int> passive_coordinates() const { return passive_q_; }
  [[nodiscard]] std::span<const int> passive_dofs() const { return passive_v_; }

  /// Puts the prescribed coordinates, rates and accelerations of the active dofs into q, v and a.
  [[nodiscard]] std::optional<Fault> prescribe(double t, std::span<double> q, std::span<double> v, std::span<double> a);
  /// From now on equations of the user's are taken at this time; `prescribe`, `solve`, `balance` and `load` say it, too.
  void at_time(double t) { closures_.at_time(t); }
  /// For good as if nothing moved with t.
  void hold_time() { closures_.hold_time(); }

  /// Accelerations of the passive dofs, into a; those of the active ones are there already.
  [[nodiscard]] std::optional<Fault> solve(double t, std::span<const double> q, std::span<const double> v, std::span<double> a);

  /// The other way round: all accelerations are known, the multipliers of loops and the efforts of the active dofs are not.
  [[nodiscard]] std::optional<Fault> balance(double t, std::span<const double> q, std::span<const double> v,
                                                 std::span<const double> a);

  /// Friction that grows with reactions (mechanism/friction_balance.hpp): of these dofs, as `solve` and `balance` found it together with the reactions.
  [[nodiscard]] std::span<const int> rubbing() const { return rubbing_; }
  [[nodiscard]] const FrictionBalance& friction() const { return friction_; }
  /// The next order of it: loads that come of everything but this order's own growth of loads.
  [[nodiscard]] std::optional<Fault> rub_order(int order, std::span<const JointLoad> free);
  /// The size of the load of a dof's joint, across its axis.
  [[nodiscard]] double friction_load(int dof) const;

  /// From here on the efforts of the actuators that the model names carry the motion in `balance`, in place of those of the prescribed dofs: τ of
  /// them and λ with S τ + Kᵀ λ = what the motion needs (actuation.cpp). Nothing changes where it names none.
  void use_actuators();
  /// Why they cannot carry any motion that is prescribed, at the position of the last `balance` or `evaluate_closures`; nothing where they can.
  [[nodiscard]] std::optional<Fault> uncarried() const;

  /// The next order of the motion, with the matrices of the last `solve`: H x − Kᵀ λ = effort of the passive dofs and K x = right, x of the active
  /// ones being given. `q` is the position of that `solve`.
  void solve_order(std::span<const double> q, std::span<const double> effort, std::span<const double> right, std::span<double> x, std::span<double> lambda);
  /// The other way round, after `balance`: λ of Kᵀ λ = missing, efforts of the passive dofs (of all, with actuators); how many equations are independent.
  int balance_order(std::span<const double> missing, std::span<double> lambda) const;

  /// Rates or accelerations of the passive dofs that loops and couplings make of those of the active: K_P x_P = right − K_A x_A, shortest
  /// of all where some are free. At the position of the last `evaluate_closures`; the rank of K_P.
  int follow(std::span<const double> right, std::span<double> x) const;
  void evaluate_closures(std::span<const double> q, std::span<const double> v);

  /// Moves the passive coordinates so that loops and couplings hold, as little as possible in the metric of the masses; the largest
  /// change. Where they cannot be made to hold, `closures().worst()` stays large; where one has no value, `closures().fault()` says so.
  double project_position(std::span<double> q);
  /// The same of rates.
  double project_velocity(std::span<const double> q, std::span<double> v);

  /// Efforts: of a passive dof its spring, damper and torque, of an active one what its motion needs besides its spring and damper. With actuators it is
  /// they that give it, and active dofs that are none give nothing.
  void efforts(std::span<double> tau);
  /// What active dofs, dampers, torques and forces bring in at these rates, beyond what springs keep; after `solve` or `balance` with them.
  [[nodiscard]] double power(std::span<const double> v);
  /// The same along a motion that keeps loops and couplings closed, without asking what these carry: they do no work. None where something has no value.
  [[nodiscard]] std::optional<double> power_along(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a);
  /// The largest force that acts on a body or along a dof, newtons, moments over the size of the mechanism; `tau`: the efforts.
  [[nodiscard]] double largest_load(std::span<const double> tau) const;
  /// How the rates of all dofs change when those of the active ones jump by what `change` holds for them: passive ones as by a blow that
  /// comes from nowhere else.
  void jump(std::span<const double> q, std::span<double> change);
  /// Kinetic energy by the inertia that the formulation works with, after `solve` for this state.
  [[nodiscard]] double kinetic(std::span<const double> q, std::span<const double> v);
  /// Angular acceleration of a body and that of its origin, after `solve` and then `move` with what it found. With free bodies
  /// they are what was solved for.
  [[nodiscard]] Twist body_acceleration(int body) const;
  /// How many numbers it solves for, after `solve`.
  [[nodiscard]] int unknowns() const;
  /// With crba: H, both halves, row after row. Empty otherwise.
  [[nodiscard]] std::span<const double> inertia() const;
  /// With lagrange, kkt and nullspace; null otherwise.
  [[nodiscard]] const MaximalCoordinates* maximal() const { return maximal_.get(); }

  /// The wrench that a joint applies on its child, about the origin of the joint's frame on the child, in ground axes.
  [[nodiscard]] tree::Wrench<double> joint_wrench(int joint) const;
  [[nodiscard]] tree::Wrench<double> loop_wrench(int loop) const { return closures_.reaction(loop, multipliers()); }
  [[nodiscard]] std::span<const double> multipliers() const;
  /// As they were solved for, however they could be shared.
  [[nodiscard]] std::span<const double> found_multipliers() const { return lambda_; }
  /// Where equations are redundant, these three and `efforts` are the least that balance the load (shared_reactions.hpp). Which of them are
  /// not unique at the position of the last `solve`, `balance` or `evaluate_closures`; null where all are.
  [[nodiscard]] const OpenReactions* open_reactions() const;
  [[nodiscard]] const LoopClosures& closures() const { return closures_; }
  [[nodiscard]] int rank() const { return rank_; }
  /// Passive dofs that move no inertia, from now on: their accelerations are found together with the multipliers of the loops that decide them.
  void carry(std::vector<int> light);
  /// Whether loops and couplings decide them at this position.
  [[nodiscard]] bool decides_light(std::span<const double> q);
  [[nodiscard]] std::span<const int> light() const { return light_; }
  /// One flag per dof: prescribed, or light.
  [[nodiscard]] std::span<const std::uint8_t> held() const { return held_; }
  /// Equations that have no passive dof in common are told apart: what follows is decided for each group by itself.
  [[nodiscard]] std::span<const LoopGroup> groups() const { return groups_; }
  /// How many equations of each group are independent, by the last `solve` or projection.
  [[nodiscard]] std::span<const int> ranks() const { return ranks_; }
  /// At the position of the last `solve`, `evaluate_closures` or projection.
  [[nodiscard]] KnownRanks known_ranks() const;
  /// From now on so many of each group are independent, whatever they are at a position. Loops and couplings that were not there when that was found, behind
  /// those that were, add what they say.
  void fix_ranks(const KnownRanks& known);
  /// Of the equations of a group over its passive dofs, a column for each, in mechanism sizes and radians; after `evaluate_closures` or `solve`.
  [[nodiscard]] Matrix gradients(const LoopGroup& group) const;
  [[nodiscard]] std::vector<Matrix> gradients() const;
  /// The same of all equations together over some dofs, for a look at a mechanism that is small.
  [[nodiscard]] Matrix gradients_over(std::span<const int> dofs) const;
  /// Of each group: combinations of its equations, one in each column, that say all that they say together: as many as they have rank. After
  /// `evaluate_closures` or `solve`. They change as smoothly as the equations do.
  [[nodiscard]] std::vector<Matrix> independent() const;
  /// The equations of loops and couplings contradict each other by so much, metres or radians per second squared.
  [[nodiscard]] double inconsistency() const { return inconsistency_; }
  [[nodiscard]] const SpaceLoads<double>& loads() const { return loads_; }
  /// The way that springs of balls take (SpaceLoads::sides).
  void wind(const std::vector<double>& sides) { loads_.sides = sides; }
  /// Of exact dry friction (SpaceLoads::directions).
  void direct(const std::vector<double>& directions) { loads_.directions = directions; }

  /// Positions, velocities and accelerations of every link, for rows of results; forces nothing.
  void move(std::span<const double> q, std::span<const double> v, std::span<const double> a);
  [[nodiscard]] const tree::Workspace<double>& motion_work() const { return motion_work_; }
  [[nodiscard]] std::span<const tree::LinkMotion<double>> links() const { return links_; }
  /// What articulated bodies left, after `solve` by them.
  [[nodiscard]] const tree::Workspace<double>& articulated() const { return work_; }

  /// What springs, dampers, torques and forces do at a state; `solve` and `balance` begin with it.
  [[nodiscard]] std::optional<Fault> load(double t, std::span<const double> q, std::span<const double> v);

 private:
  [[nodiscard]] std::optional<Fault> solve_once(double t, std::span<const double> q, std::span<const double> v, std::span<double> a);
  [[nodiscard]] std::optional<Fault> balance_once(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a);
  template <class Again>
  [[nodiscard]] std::optional<Fault> rub(std::span<const double> v, Again&& again);
  [[nodiscard]] std::optional<Fault> jammed(FrictionBalance::Status status) const;
  [[nodiscard]] JointLoad load_across(int dof) const;
  [[nodiscard]] double loads_of_all() const;
  [[nodiscard]] std::optional<Fault> accelerate(std::span<const double> q, std::span<const double> v, std::span<double> a);
  [[nodiscard]] std::optional<Fault> solve_articulated(std::span<const double> q, std::span<const double> v,
                                                           std::span<double> a);
  [[nodiscard]] std::optional<Fault> solve_joint_space(std::span<const double> q, std::span<const double> v,
                                                           std::span<double> a);
  [[nodiscard]] std::optional<Fault> solve_maximal(std::span<const double> q, std::span<const double> v, std::span<double> a);
  [[nodiscard]] Fault undecided(std::span<const double> q, std::span<const double> v, Fault otherwise);
  void hold(std::span<const double> q, std::span<const double> v, std::span<double> a);
  [[nodiscard]] std::vector<int> dependent() const;
  [[nodiscard]] Matrix combined(std::span<const int> rows, const Matrix& gradients, int rank) const;
  [[nodiscard]] LoopGroup everything() const;
  [[nodiscard]] std::vector<PushingNothing> without_effect_on_groups() const;
  [[nodiscard]] Matrix without_effect_on(std::span<const int> dofs) const;
  int share_among_actuators(std::span<const double> needed, std::span<double> lambda) const;
  [[nodiscard]] tree::Wrench<double> found_wrench(int joint) const;
  void found_efforts(std::span<double> tau) const;
  [[nodiscard]] const SharedReactions* shared() const;
  [[nodiscard]] const Reactions* least() const;
  [[nodiscard]] double row_unit(int row) const { return closures_.rows()[static_cast<std::size_t>(row)].metres ? size_ : 1; }
  [[nodiscard]] Matrix independent(std::size_t group) const;
  void lack(std::span<const double> a);
  [[nodiscard]] std::vector<double> left_by(std::span<const double> q, std::span<const double> effort, std::span<const double> x) const;
  void close_loops(std::span<const double> q, std::span<double> a);
  void factor_at_rest(std::span<const double> q, tree::Workspace<double>& work);
  void combine_loops();
  void factor_loops(std::span<const double> q);
  void solve_densely(std::span<const double> right);
  void weigh_loops(std::span<const double> a);

  struct JointSpace;

  const SpaceMechanism* mechanism_;
  Formulation formulation_;
  std::string refusal_;  // why the formulation does not apply
  std::vector<std::uint8_t> active_, all_, exerts_;  // exerts_: whose effort carries the motion
  std::vector<std::uint8_t> held_;
  std::vector<int> passive_q_, passive_v_, light_;
  std::vector<int> actuated_, unactuated_, all_dofs_;  // dofs; none without actuators
  tree::Workspace<double> work_, motion_work_;
  std::vector<tree::LinkMotion<double>> links_;
  std::vector<Vec3<double>> positions_;
  SpaceLoads<double> loads_;
  std::vector<int> rubbing_;  // dofs
  FrictionBalance friction_;
  std::vector<double> factors_;
  std::vector<JointLoad> free_;
  LoopClosures closures_;
  std::vector<LoopGroup> groups_;
  std::vector<int> place_;  // of each dof in its group
  std::unique_ptr<LoopElimination> elimination_;
  std::vector<double> lambda_, right_, still_, effort_, change_, power_efforts_;
  std::vector<tree::Wrench<double>> external_, loop_external_;  // the latter: of loops alone
  std::vector<double> loop_effort_;
  std::vector<Matrix> within_;  // of the groups (`independent`)
  double size_;                // metres
  std::vector<double> unit_;  // of each dof
  int rank_ = 0;
  std::vector<int> ranks_, fixed_ranks_;  // of the groups; the latter empty: not known
  double inconsistency_ = 0;
  std::unique_ptr<tree::Workspace<double>> order_work_;  // of `solve_order`, where `solve` leaves no factors
  std::unique_ptr<JointSpace> joint_space_;
  std::unique_ptr<MaximalCoordinates> maximal_;
  bool by_bodies_ = false;  // the wrenches are those of maximal_
  double moment_arm_;       // metres: makes forces of moments
  mutable std::vector<LoopGroup> joined_;       // loops that share their load, once somebody has asked
  mutable std::unique_ptr<SharedLoad> shared_;  // of this position and load, once somebody has asked
};

}  // namespace jounce
