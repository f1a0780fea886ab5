// How a tree goes on from an instant beyond its accelerations: jerk and snap, one coefficient of the powers of time after the
// other.
//
// What is fixed in a link is E(t) times what it is at the instant, E being the rotation since then. With ω the link's angular
// velocity, E' = ω× E, so that each coefficient follows from those below it,
//
//   (k + 1) E_k+1 = Σ ω_j× E_k−j        axis_k = E_k axis_0        arm_k = E_k arm_0 of the parent, where nothing slides
//
// and so do the wrench that a mass needs (mass m, first and second moments h and J at the instant, a: acceleration of the
// origin)
//
//   force = m a + E'' h        moment = E h × a + d/dt Σ (E p) × (E' p) dm
//
// and what goes inward from it. Nothing is found twice: order k costs its own products of stored coefficients, and the
// articulated inertias of the instant solve for the accelerations.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "jounce/tree/recursions/aba.hpp"

namespace jounce::tree {

class OrdersOfTree {
 public:
  /// Beyond the accelerations.
  static constexpr int kOrders = 2;
  /// Coefficients of the rate of a dof: rate, acceleration, half of the jerk, a sixth of the snap.
  using Rate = std::array<double, kOrders + 2>;

  explicit OrdersOfTree(const Tree& tree);

  /// From what `hybrid` left. Both must stay as they are until the last order is found.
  void begin(const Workspace<double>& work, std::span<const Rate> rates);
  /// Coefficient K of the efforts that the motion needs, the rates being known as far as they are: coefficient K + 1 counts.
  /// `external`: that of a wrench on each link, about the link's origin, or nothing.
  template <int K>
  void need(std::span<const Rate> rates, std::span<double> effort, std::span<const Wrench<double>> external = {});
  /// Coefficient K of the accelerations of the passive dofs that efforts give them, on top of those that `need` was given.
  template <int K>
  void accelerate(std::span<const double> effort, const std::uint8_t* active, std::span<double> x);

  /// Coefficient K of the acceleration of a place in a link, in ground axes, and of the link's angular acceleration.
  [[nodiscard]] Vec3<double> acceleration(int k, int link, const Vec3<double>& place) const;
  [[nodiscard]] Vec3<double> turn(int k, int link) const;

 private:
  struct Own {
    Mat3<double> axes;
    std::array<Mat3<double>, kOrders + 3> way;   // E; the first is 1 and not looked at
    std::array<Vec3<double>, kOrders + 2> spin;  // ω
    std::array<Vec3<double>, kOrders + 2> axis;  // z of the joint
    std::array<Vec3<double>, kOrders + 3> arm;
    std::array<Vec3<double>, kOrders + 1> shift;     // acceleration of the origin, less gravity
    std::array<Wrench<double>, kOrders + 1> wrench;  // through the joint
    Sym3<double> second;                             // moments of mass
    std::array<Vec3<double>, kOrders + 1> first;
  };

  template <int K>
  void go_on(const Link& link, std::span<const Rate> rates, const Own& parent, Own& at);
  template <int K>
  void find_wrench(const Link& link, Own& at);

  const Tree& tree_;
  const Workspace<double>* work_ = nullptr;
  Own ground_{};
  LinkWork<double> turned_{};  // for the mass of one link after the other
  std::vector<Own> links_;
  std::vector<Response<double>> responses_;
  std::vector<Wrench<double>> loads_;
};

extern template void OrdersOfTree::need<1>(std::span<const Rate>, std::span<double>, std::span<const Wrench<double>>);
extern template void OrdersOfTree::need<2>(std::span<const Rate>, std::span<double>, std::span<const Wrench<double>>);
extern template void OrdersOfTree::accelerate<1>(std::span<const double>, const std::uint8_t*, std::span<double>);
extern template void OrdersOfTree::accelerate<2>(std::span<const double>, const std::uint8_t*, std::span<double>);

}  // namespace jounce::tree
