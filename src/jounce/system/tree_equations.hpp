// The equations of motion of a spatial mechanism at one instant: prescribed motions, springs, forces, loops.
//
//   H q̈ + C = τ + Kᵀλ       K q̈ = k       q̈ of the active dofs given
#pragma once

#include <optional>
#include <string>

#include "jounce/system/tree_closures.hpp"
#include "jounce/system/tree_loads.hpp"

namespace jounce {

class TreeEquations {
 public:
  explicit TreeEquations(const TreeMechanism& mechanism);

  [[nodiscard]] const TreeMechanism& mechanism() const { return *mechanism_; }
  /// One flag per dof.
  [[nodiscard]] std::span<const std::uint8_t> active() const { return active_; }
  [[nodiscard]] std::span<const int> passive_coordinates() const { return passive_q_; }
  [[nodiscard]] std::span<const int> passive_dofs() const { return passive_v_; }

  /// Puts the prescribed coordinates, rates and accelerations of the active dofs into q, v and a.
  [[nodiscard]] std::optional<TreeFault> prescribe(double t, std::span<double> q, std::span<double> v, std::span<double> a) const;

  /// Accelerations of the passive dofs, into a; those of the active ones are there already.
  [[nodiscard]] std::optional<TreeFault> solve(double t, std::span<const double> q, std::span<const double> v, std::span<double> a);

  /// The other way round: all accelerations are known, the multipliers of loops and the efforts of the active dofs are not.
  [[nodiscard]] std::optional<TreeFault> balance(double t, std::span<const double> q, std::span<const double> v,
                                                 std::span<const double> a);

  /// Rates or accelerations of the passive dofs that loops and couplings make of those of the active: K_P x_P = right − K_A x_A, shortest
  /// of all where some are free. At the position of the last `evaluate_closures`; the rank of K_P.
  int follow(std::span<const double> right, std::span<double> x) const;
  void evaluate_closures(std::span<const double> q, std::span<const double> v);

  /// Moves the passive coordinates so that loops and couplings hold, as little as possible in the metric of the masses; the largest
  /// change. Where they cannot be made to hold, `closures().worst()` stays large.
  double project_position(std::span<double> q);
  /// The same of rates.
  double project_velocity(std::span<const double> q, std::span<double> v);

  /// Efforts: of a passive dof its spring, damper and torque, of an active one what its motion needs besides its spring and damper.
  void efforts(std::span<double> tau);
  /// How the rates of all dofs change when those of the active ones jump by what `change` holds for them: passive ones as by a blow that
  /// comes from nowhere else.
  void jump(std::span<const double> q, std::span<double> change);
  /// The wrench that a joint applies on its child, about the origin of the joint's frame on the child, in ground axes.
  [[nodiscard]] tree::Wrench<double> joint_wrench(int joint) const;
  [[nodiscard]] tree::Wrench<double> loop_wrench(int loop) const { return closures_.reaction(loop, lambda_); }
  [[nodiscard]] std::span<const double> multipliers() const { return lambda_; }
  [[nodiscard]] const TreeClosures& closures() const { return closures_; }
  [[nodiscard]] int rank() const { return rank_; }
  /// The equations of loops and couplings contradict each other by so much, metres or radians per second squared.
  [[nodiscard]] double inconsistency() const { return inconsistency_; }
  [[nodiscard]] const TreeLoads<double>& loads() const { return loads_; }

  /// Positions, velocities and accelerations of every link, for rows of results; forces nothing.
  void move(std::span<const double> q, std::span<const double> v, std::span<const double> a);
  [[nodiscard]] const tree::Workspace<double>& motion_work() const { return motion_work_; }
  [[nodiscard]] std::span<const tree::LinkMotion<double>> links() const { return links_; }

 private:
  [[nodiscard]] std::optional<TreeFault> load(double t, std::span<const double> q, std::span<const double> v);
  [[nodiscard]] std::optional<TreeFault> accelerate(std::span<const double> q, std::span<const double> v, std::span<double> a);
  void close_loops(std::span<const double> q, std::span<const double> v, std::span<double> a);
  void factor_at_rest(std::span<const double> q);
  void form_schur();
  void solve_schur(std::span<const double> right);

  const TreeMechanism* mechanism_;
  std::vector<std::uint8_t> active_, all_;
  std::vector<int> passive_q_, passive_v_;
  tree::Workspace<double> work_, motion_work_;
  std::vector<tree::LinkMotion<double>> links_;
  std::vector<Vec3<double>> positions_;
  TreeLoads<double> loads_;
  TreeClosures closures_;
  std::vector<double> lambda_, schur_, response_, right_, still_, effort_, change_;
  std::vector<tree::Wrench<double>> external_;
  int rank_ = 0;
  double inconsistency_ = 0;
};

}  // namespace jounce
