// One position, one factorisation, every order: the motion of a driven mechanism around one instant.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "jounce/plane/mechanism.hpp"

namespace jounce {

class DrivenMotion {
 public:
  DrivenMotion(const PlanarSystem& system, int order);

  enum class Solved { yes, undefined, diverged, singular };

  /// Newton from `q` at time t; q is changed only when it succeeds. Afterwards the factors of Φq belong to that position.
  [[nodiscard]] Solved position(double t, std::span<double> q);
  /// Velocity, acceleration, … as Taylor coefficients 1 … order, at the position solved last. coefficients is [order][coordinate].
  void orders(std::span<double> coefficients);

  /// The value at t + h of the polynomial with these coefficients.
  void extrapolate(std::span<const double> coefficients, double h, std::span<double> q) const;
  /// Size of a difference of coordinates: lengths in mechanism sizes, angles in radians, the largest counts.
  [[nodiscard]] double size(std::span<const double> dq) const;

  /// How far from singular the position solved last is: the smallest singular value of Φq, lengths in mechanism sizes. Follows
  /// the direction it found last time; more iterations where that was somewhere else.
  [[nodiscard]] double regularity(int iterations = 1);
  /// The same at any position, at the time set last.
  [[nodiscard]] double regularity_at(std::span<const double> q, int iterations);

  [[nodiscard]] int order() const { return evaluation_.order(); }
  [[nodiscard]] const Evaluation& evaluation() const { return evaluation_; }
  [[nodiscard]] Evaluation& evaluation() { return evaluation_; }
  [[nodiscard]] const SparseLu& factors() const { return lu_; }
  [[nodiscard]] SparseLu& factors() { return lu_; }
  /// Why the last `position` was `undefined`.
  [[nodiscard]] const MotionFault& fault() const { return *fault_; }
  /// How far the redundant equations are from agreeing with the velocity that the others give, per second.
  [[nodiscard]] double velocity_misfit() const { return velocity_misfit_; }
  [[nodiscard]] long factorisations() const { return factorisations_; }

 private:
  /// Rows are compared in mechanism sizes and radians.
  void weigh();

  const PlanarSystem& system_;
  Evaluation evaluation_;
  SparseLu lu_;
  std::vector<double> trial_, step_, units_, direction_, weights_;
  std::optional<MotionFault> fault_;
  double length_;
  long factorisations_ = 0;
  double velocity_misfit_ = 0;
  bool scales_change_ = false;  // a driven distance divides its row by f(t)
};

}  // namespace jounce
