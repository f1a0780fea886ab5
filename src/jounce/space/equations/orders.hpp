// Jerk and snap: the orders of a motion in space beyond the acceleration, and the rates of multipliers.
//
// With everything below order k known and the accelerations of order k left out, coefficient k of the equations of motion is the whole right-hand
// side, and the matrices are those of the instant:
//
//   H x_k − Kᵀ λ_k = τ_k − (H q̈ + C)_k        K x_k = −(what the loops lack)_k
//
// In a tree each order goes on from the one before (tree/orders_of_tree.hpp), with loads on series. Where there are loops, or no factors of the instant, recursions, loads and the joints of loops are the same templates that give the instant, on series in time (docs/theory/spatial-orders.md).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "jounce/space/equations/equations.hpp"
#include "jounce/tree/orders_of_tree.hpp"

namespace jounce {

/// The rate of an acceleration and the rate of that.
struct JerkAndSnap {
  Vec3<double> jerk, snap;
};

class SpaceOrders {
 public:
  explicit SpaceOrders(SpaceEquations& equations);
  ~SpaceOrders();
  SpaceOrders(const SpaceOrders&) = delete;
  SpaceOrders& operator=(const SpaceOrders&) = delete;

  /// How the accelerations of the instant were found: by `solve`, by `balance`, or by following loops, with no masses needed.
  enum class After { solve, balance, following };
  /// At that instant. False where something has no derivative; see `fault`.
  [[nodiscard]] std::optional<Fault> find(After after, double t, std::span<const double> q, std::span<const double> v, std::span<const double> a);
  /// What stands still.
  void rest();

  /// Of every dof: the second and third derivative of its rate.
  [[nodiscard]] std::span<const double> jerk() const { return jerk_; }
  [[nodiscard]] std::span<const double> snap() const { return snap_; }
  /// What loops and couplings demand of them: K jerk = η and K snap = σ over all dofs, after `find`.
  [[nodiscard]] std::span<const double> eta() const { return eta_; }
  [[nodiscard]] std::span<const double> sigma() const { return sigma_; }
  /// Of a place in a link, in ground axes.
  [[nodiscard]] JerkAndSnap at(int link, const Vec3<double>& place) const;
  /// Of a link: the second and third derivative of its angular velocity.
  [[nodiscard]] JerkAndSnap turning(int link) const;
  /// Of loops and couplings, as their joints see them that turn with frame i. Not after `following`.
  [[nodiscard]] std::span<const double> multiplier_rates() const { return multiplier_rates_; }

 private:
  template <int K>
  class Pass;
  struct LoopState;
  [[nodiscard]] std::optional<Fault> find_along_tree(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a);

  SpaceEquations& equations_;
  std::vector<double> jerk_, snap_, eta_, sigma_, multiplier_rates_, q_;
  std::vector<std::array<double, 3>> own_;   // of equations: coefficients of their multipliers
  std::vector<std::array<double, 3>> idle_;  // coefficients of the moments that hold idle turns
  std::vector<LoopState> loops_;
  std::unique_ptr<Pass<1>> first_;
  std::unique_ptr<Pass<2>> second_;
  tree::Workspace<double> work_;
  std::vector<tree::LinkMotion<double>> links_;
  bool still_ = false;
  bool alone_ = false;   // a tree and nothing else
  bool loaded_ = false;  // something acts besides gravity and motions
  bool by_tree_ = false;  // what was found last
  tree::OrdersOfTree tree_orders_;
  std::vector<tree::OrdersOfTree::Rate> rates_;
  std::vector<double> effort_;
  std::vector<tree::Wrench<double>> pushes_;  // of forces on each link; none where there are none
};

}  // namespace jounce
