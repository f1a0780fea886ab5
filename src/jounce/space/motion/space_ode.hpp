// The passive coordinates and rates of a spatial mechanism as a first-order system y' = f(t, y).
#pragma once

#include "jounce/space/equations/equations.hpp"

namespace jounce {

class SpaceOde {
 public:
  explicit SpaceOde(const SpaceMechanism& mechanism, Formulation formulation = Formulation::automatic);

  /// Of y: passive coordinates, then passive rates.
  [[nodiscard]] int size() const { return static_cast<int>(positions_ + equations_.passive_dofs().size()); }
  [[nodiscard]] int positions() const { return static_cast<int>(positions_); }
  [[nodiscard]] SpaceEquations& equations() { return equations_; }
  [[nodiscard]] const SpaceEquations& equations() const { return equations_; }

  /// False where something has no value: then see `fault`. Quaternions of y need not be unit ones.
  [[nodiscard]] bool rate(double t, std::span<const double> y, std::span<double> dy);
  /// y to all coordinates and rates, with what is prescribed at t; quaternions become unit ones.
  [[nodiscard]] bool spread(double t, std::span<const double> y);
  void gather(std::span<const double> q, std::span<const double> v, std::span<double> y) const;
  /// Accelerations at the state of the last `spread`.
  [[nodiscard]] bool accelerate(double t);
  /// Only what acts there, where no dof is active; else the same.
  [[nodiscard]] bool weigh(double t);

  [[nodiscard]] std::span<double> q() { return q_; }
  [[nodiscard]] std::span<double> v() { return v_; }
  [[nodiscard]] std::span<double> a() { return a_; }
  /// What was wrong, and when.
  [[nodiscard]] const Fault& fault() const { return fault_; }
  [[nodiscard]] double fault_time() const { return fault_time_; }
  /// Puts the passive coordinates and rates of y back on the loops and makes its quaternions unit ones; the largest change beyond the
  /// latter. Nothing where something has no value.
  std::optional<double> project(double t, std::span<double> y);

 private:
  bool failed(const std::optional<Fault>& fault, double t);

  SpaceEquations equations_;
  std::size_t positions_;
  std::vector<double> q_, v_, a_, dq_;
  Fault fault_;
  double fault_time_ = 0;
};

}  // namespace jounce
