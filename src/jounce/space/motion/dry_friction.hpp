// Exact dry friction and stops in space: the dofs and springs that have it, the gaps, and the equations that hold them (mechanism/dry_friction.hpp).
//
// A dof that is stuck keeps its coordinate: a coupling to nothing. A spring that is stuck keeps its length: a loop of the type that keeps a distance. A stop that
// touches is an equation like those of users. All are added to a copy of the mechanism, behind what it has itself, so that whoever solves its equations needs to know nothing of friction.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "jounce/mechanism/dry_friction.hpp"
#include "jounce/space/loads/load_rates.hpp"
#include "jounce/space/motion/space_ode.hpp"

namespace jounce {

class SpaceDryFriction final : public DryFriction {
 public:
  SpaceDryFriction(const SpaceMechanism& mechanism, Formulation formulation, double tolerance);

  /// The mechanism in force, which goes with the next decision, and the directions of friction in it (SpaceLoads::directions).
  [[nodiscard]] const SpaceMechanism& mechanism() const { return locked_ ? *locked_ : *base_; }
  [[nodiscard]] const std::vector<double>& directions() const { return directions_; }
  [[nodiscard]] int locks() const { return static_cast<int>(held_.size()); }
  /// The way that springs of balls take (SpaceLoads::sides).
  void wind(const std::vector<double>& sides);

  /// Dofs that move no inertia (SpaceEquations::carry).
  void carry(const std::vector<int>& light);

  /// Rates of dofs that are stuck become exactly zero.
  void still(std::span<double> v) const;
  /// Adds what the locks carry to efforts of dofs and to readings of forces, and puts the rates of what is stuck to zero there. `at` has solved the mechanism in
  /// force.
  void complete(const SpaceEquations& at, std::span<double> tau, std::span<tree::ForceReading<double>> readings, std::span<double> friction) const;
  /// What every stop of the mechanism pushes with.
  void pushes(const SpaceEquations& at, std::span<double> out) const;
  /// The same for every force by itself; `multiplier_rates` are those of the mechanism in force.
  [[nodiscard]] std::vector<StrutFriction> in_forces(const SpaceEquations& at, std::span<const double> multiplier_rates) const;

 private:
  /// A dof, or a spring between two points.
  struct Owner {
    int dof = -1;
    int force = -1;
    tree::Strut strut{};
  };

  void measure(double t, std::span<const double> q, std::span<const double> v, std::span<double> rates, std::span<double> gaps) override;
  [[nodiscard]] double fastest(std::span<const double> v) const override;
  [[nodiscard]] int surplus(std::span<const int> held, double t, std::span<const double> q) const override;
  std::optional<Fault> settle_position(double t, std::span<double> q, int& surplus) override;
  std::optional<Fault> close(std::span<const int> stops, double t, std::span<double> q) override;
  std::optional<Fault> settle_rates(std::span<const int> held, double t, std::span<const double> q, std::span<double> v) override;
  std::optional<Fault> hold(std::span<const int> held, std::span<const double> directions, double t, std::span<const double> q, std::span<const double> v,
                            Consequences& out) override;
  std::optional<Fault> respond(std::span<const int> stops, double t, std::span<const double> q, Matrix& changes, std::vector<double>& unheld) override;
  bool look(Stepper& stepper, double t, std::span<double> rates, std::span<double> gaps, std::span<double> carried) override;
  [[nodiscard]] std::span<const double> looked_at() const override { return q_; }

  [[nodiscard]] std::unique_ptr<SpaceMechanism> locked(std::span<const int> held, std::span<const double> q) const;
  [[nodiscard]] bool is_stop(int element) const { return static_cast<std::size_t>(element) >= owners_.size(); }
  [[nodiscard]] const SpaceEquation& gap(int element) const { return *gaps_[static_cast<std::size_t>(element) - owners_.size()].equation; }
  /// Derivatives of a gap by the rates of the dofs; after `measure`.
  [[nodiscard]] std::vector<double> gap_gradient(int element) const;
  [[nodiscard]] double carried_by(std::size_t lock, const SpaceEquations& at) const { return carried_by(lock, at, at.found_multipliers()); }
  [[nodiscard]] double carried_by(std::size_t lock, const SpaceEquations& at, std::span<const double> multipliers) const;
  void begin_probe();
  void set_amplitudes(const SpaceEquations& at);

  const SpaceMechanism* base_;
  Formulation formulation_;
  double size_;
  KnownRanks base_ranks_;  // of loops and couplings of the mechanism itself
  std::vector<Owner> owners_;  // of elements with friction; these come first
  struct Gap {
    const SpaceEquation* equation;
    std::size_t stop;
  };
  std::vector<Gap> gaps_;  // of the elements behind them
  std::unique_ptr<SpaceMechanism> gap_mechanism_;  // held together by nothing but its gaps: where all of them are looked at
  std::unique_ptr<SpaceEquations> gap_places_;
  std::vector<double> unit_;        // of every dof
  std::vector<int> held_;           // elements, in the order of their locks
  std::vector<double> directions_;  // of every dof, then of every force
  std::vector<double> sides_;
  std::vector<int> light_;
  std::unique_ptr<SpaceMechanism> locked_;
  std::unique_ptr<SpaceOde> probe_;  // of the mechanism in force
  SpaceEquations places_;            // of the mechanism itself: where points are
  std::vector<double> y_, q_, none_;
};

}  // namespace jounce
