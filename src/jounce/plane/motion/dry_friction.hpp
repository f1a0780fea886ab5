// Exact dry friction along a motion: what slides, what is stuck, and when that changes (docs/theory/friction.md).
//
// Between two changes the equations are smooth: friction is constant, or it is the multiplier of an equation that holds a length or an
// angle. A change is a time at which one of the margins reaches zero: the rate of what slides, or what is left of the
// friction that holds.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/mechanism/stepper.hpp"
#include "jounce/results/outcome.hpp"
#include "jounce/plane/equations/equations_of_motion.hpp"
#include "jounce/plane/equations/locks.hpp"

namespace jounce {

class DryFriction {
 public:
  /// `tolerance` of the integration: rates below it are not told from zero.
  DryFriction(const PlanarSystem& system, Formulation formulation, double tolerance);

  /// False: no force has exact friction, and nothing else here is needed.
  [[nodiscard]] bool any() const { return !elements_.empty(); }

  /// The equations in force, and the direction of every signal's friction in them.
  [[nodiscard]] const PlanarSystem& system() const { return locked_ ? locked_->system : *base_; }
  [[nodiscard]] std::span<const double> directions() const { return directions_; }

  enum class Status {
    decided,
    fault,      ///< an equation has no value: see fault()
    undecided,  ///< no combination of sticking and sliding agrees with the forces
  };
  /// Decides what slides and what sticks at the start.
  [[nodiscard]] Status start(double t, std::span<double> q, std::span<double> v);
  /// The first change within the last step of the stepper.
  [[nodiscard]] std::optional<double> first_change(Stepper& stepper);
  /// Decides anew after first_change; adds what happened to the events. Rates that are zero become so exactly.
  [[nodiscard]] Status change(double t, std::span<double> q, std::span<double> v, std::vector<Event>& events);
  [[nodiscard]] const Fault& fault() const { return *fault_; }

  /// Multipliers of the equations in force, in the order of the original system.
  void original_rows(std::span<const double> lambda, std::span<double> out) const;
  /// Adds what the locks carry to the readings of the forces, and puts the rates of what is stuck to zero.
  void complete(std::span<const double> lambda, std::span<ForceReading> readings) const;

 private:
  struct Element {
    int signal = -1, force = -1;
    double amplitude = 0;
    double unit = 1;        ///< of its rates: a length, or 1 for an angle
    double inertia = 1;     ///< the smallest that it can move
    bool at_rest = false;   ///< its rate is zero and stays so
    bool locked = false;    ///< by an equation of its own; at rest without: the other equations hold it
    double direction = 0;
    double fastest = 0;     ///< so far
    double friction = 0, acceleration = 0;  ///< as the equations at hand give them
  };
  struct Margin {
    std::size_t element = 0;
    double sign = 1;  ///< of the rate, or of the friction
    double allowed = 0;
  };

  [[nodiscard]] Status decide(double t, std::span<double> q, std::span<double> v);
  [[nodiscard]] bool settle(double t, std::span<double> q, std::span<double> v);
  [[nodiscard]] bool evaluate(double t, std::span<const double> q, std::span<const double> v);
  [[nodiscard]] std::vector<int> independent(const std::vector<int>& signals, double t, std::span<const double> q) const;
  [[nodiscard]] int surplus(const PlanarSystem& system, double t, std::span<const double> q) const;
  [[nodiscard]] std::optional<double> contradiction(const Element& element, double t, std::span<const double> q) const;
  [[nodiscard]] bool depends(const Element& element, double t, std::span<const double> q) const;
  void stop(double t, std::span<double> q, std::span<double> v);
  void finish(double t, std::span<const double> q);
  void set_margins();

  bool margins_at(Stepper& stepper, double t, std::span<double> out);
  /// How far below zero a margin is not yet a change.
  [[nodiscard]] double noise(const Margin& margin) const;
  [[nodiscard]] double crossing(Stepper& stepper, std::size_t margin, double from, double to);
  [[nodiscard]] std::optional<double> dip(Stepper& stepper, std::size_t margin, double from, double middle, double to);
  [[nodiscard]] double margin_at(Stepper& stepper, double t, std::size_t margin);

  [[nodiscard]] std::span<double> position() { return std::span(y_).first(y_.size() / 2); }

  const PlanarSystem* base_;
  Formulation formulation_;
  double tolerance_;
  double slack_;         // part of the friction that it may be exceeded by
  double spread_ = 0;    // size of the accelerations of the last evaluation
  int base_surplus_ = 0; // redundant equations of the original system
  std::vector<Element> elements_;
  std::vector<double> directions_;
  std::unique_ptr<LockedSystem> locked_;
  std::unique_ptr<EquationsOfMotion> probe_;  // of the system in force, when it has locks
  std::vector<Margin> margins_;
  std::optional<std::size_t> changing_;       // the element of the last change
  std::vector<Measured> measured_;
  std::vector<double> y_, lambda_, scratch_;
  std::optional<Fault> fault_;
};

}  // namespace jounce
