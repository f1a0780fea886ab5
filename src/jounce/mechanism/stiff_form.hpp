// What an implicit method needs of a motion: right-hand sides, and the matrices of its Newton iteration.
//
//   W u' = f(t, u)   for the states, W their inertia        0 = f(t, u)   for the rest: multipliers stand for equations
//
// Unknowns u are the states (positions, then rates) and behind them as many multipliers as there are equations. The matrices of a
// step of length h are h · rates + s · W + fixed with a real and a complex s, for the unknowns (states, h · multipliers): they stay
// regular as h goes to 0.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "jounce/base/fault.hpp"

namespace jounce {

class StiffForm {
 public:
  static constexpr int kStages = 3;
  /// The place of the start of a step among those at which something is evaluated; the stages are 0, 1 and 2.
  static constexpr int kStart = kStages, kMiddle = 1;
  using Vector = std::vector<double>;
  using Stages = std::array<Vector, kStages>;

  virtual ~StiffForm() = default;
  StiffForm() = default;
  StiffForm(const StiffForm&) = delete;
  StiffForm& operator=(const StiffForm&) = delete;

  [[nodiscard]] virtual std::size_t unknowns() const = 0;
  [[nodiscard]] virtual std::size_t states() const = 0;
  [[nodiscard]] virtual std::size_t positions() const = 0;
  /// So many positions, the first ones, are watched between the ends of a step: equations may prescribe the ends.
  [[nodiscard]] virtual std::size_t prescribed() const { return 0; }
  /// Steps end on the constraints by themselves, because these are among the equations.
  [[nodiscard]] virtual bool keeps_constraints() const { return false; }
  /// W, one number for each state.
  [[nodiscard]] virtual std::span<const double> inertia() const = 0;

  /// Says at what time a place is. False: something has no value then, see `fault`.
  [[nodiscard]] virtual bool set_time(int place, double t) = 0;
  /// Right-hand sides and residuals at the time of a place; with derivatives, those of the forces of that stage are kept.
  [[nodiscard]] virtual bool evaluate(int place, const Vector& u, Vector& f, bool derivatives) = 0;
  /// The residuals alone, behind the states of f.
  virtual void residuals(int /*place*/, const Vector& /*u*/, Vector& /*f*/) {}
  /// What moves first when nothing is known yet: the way of each unknown in some time.
  virtual void first_guess(double /*time*/, const Vector& /*u*/, Vector& way) const { std::ranges::fill(way, 0.0); }

  /// The Jacobian at u, at the time of the middle stage; it need not be exact.
  [[nodiscard]] virtual bool linearise(const Vector& u) = 0;
  struct Shifts {
    double real = 1, complex_real = 1, complex_imaginary = 1;
  };
  /// False when one of the matrices is singular.
  [[nodiscard]] virtual bool factor(double h, const Shifts& shifts) = 0;
  virtual void solve_real(const Vector& right, Vector& x) = 0;
  /// Both: the real one, and the complex one in two parts.
  virtual void solve(const Stages& right, Stages& x) = 0;

  /// Whether each stage can have its own derivatives, for forces that turn during a step.
  [[nodiscard]] virtual bool stages_apart() const { return false; }
  /// Adds how much more the forces of a stage change with the states than those of the middle do.
  virtual void add_difference(int /*stage*/, std::span<const double> /*states*/, std::span<double> /*to*/) const {}

  [[nodiscard]] virtual Fault fault() const = 0;
};

}  // namespace jounce
