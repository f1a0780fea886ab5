// Exact dry friction and stops in the plane: the springs that have it, the gaps, and the equations that hold them (mechanism/dry_friction.hpp).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "jounce/mechanism/dry_friction.hpp"
#include "jounce/plane/equations/equations_of_motion.hpp"
#include "jounce/plane/equations/joint_friction.hpp"
#include "jounce/plane/equations/locks.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

class PlaneDryFriction final : public DryFriction {
 public:
  PlaneDryFriction(const PlaneMechanism& mechanism, Formulation formulation, double tolerance);

  /// The equations in force, and the direction of every signal's friction in them.
  [[nodiscard]] const PlanarSystem& system() const { return locked_ ? locked_->system : *base_; }
  [[nodiscard]] std::span<const double> directions() const { return directions_; }

  /// Multipliers of the equations in force, in the order of the original system.
  void original_rows(std::span<const double> lambda, std::span<double> out) const;
  /// Adds what the locks carry to the readings of the forces, and puts the rates of what is stuck to zero.
  void complete(std::span<const double> lambda, std::span<ForceReading> readings) const;
  /// What every stop of the mechanism pushes with.
  void pushes(std::span<const double> lambda, std::span<double> out) const;

 private:
  void measure(double t, std::span<const double> q, std::span<const double> v, std::span<double> rates, std::span<double> gaps) override;
  [[nodiscard]] double fastest(std::span<const double> v) const override;
  [[nodiscard]] int surplus(std::span<const int> held, double t, std::span<const double> q) const override;
  std::optional<Fault> settle_position(double t, std::span<double> q, int& surplus) override;
  std::optional<Fault> close(std::span<const int> stops, double t, std::span<double> q) override;
  std::optional<Fault> settle_rates(std::span<const int> held, double t, std::span<const double> q, std::span<double> v) override;
  std::optional<Fault> hold(std::span<const int> held, std::span<const double> directions, double t, std::span<const double> q, std::span<const double> v,
                            Consequences& out) override;
  std::optional<Fault> respond(std::span<const int> stops, double t, std::span<const double> q, Matrix& changes, std::vector<double>& unheld) override;
  void decided() override;
  bool look(Stepper& stepper, double t, std::span<double> rates, std::span<double> gaps, std::span<double> carried) override;
  [[nodiscard]] std::span<const double> looked_at() const override { return std::span(y_).first(y_.size() / 2); }

  [[nodiscard]] LockedSystem locked(std::span<const int> held, std::span<const double> q) const;
  void carry(std::span<const double> lambda, std::span<double> out) const;
  void set_amplitudes(std::span<const double> lambda);

  const PlanarSystem* base_;
  Formulation formulation_;
  std::vector<int> signal_, force_;  // of every element with friction; these come first
  std::vector<ClosedGap> gaps_;      // of the elements behind them
  std::vector<std::size_t> stop_;    // of every gap
  std::vector<std::vector<LoadRow>> load_rows_;  // of friction of joints, in the equations in force
  std::vector<double> directions_;
  std::unique_ptr<LockedSystem> locked_;
  std::vector<int> closed_;  // gaps that are closed in it
  std::unique_ptr<EquationsOfMotion> probe_;  // of the system in force, when it has locks
  std::vector<Measured> measured_;
  std::vector<double> y_, lambda_, scratch_;
};

}  // namespace jounce
