// The equations of a planar mechanism: Φ(q, t) = 0, its Jacobian Φq and every Taylor coefficient of Φ along a motion.
//
// Coordinates are x, y, phi of each moving body's centre of mass, in the order of the bodies; the ground has none. Equations
// come type by type in the order of the registry, joints before drivers, and file order within a type. The system is
// constant once built; what changes lives in an Evaluation, so that several can work on one system.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/expr/time_function.hpp"
#include "jounce/laws/signal.hpp"
#include "jounce/math/sparse_lu.hpp"
#include "jounce/planar/catalogue.hpp"
#include "jounce/planar/equation.hpp"
#include "jounce/planar/force_element.hpp"
#include "jounce/planar/state_quantity.hpp"

namespace jounce {

/// A joint or driver of the system, by the user's name.
struct Constraint {
  std::string name;
  planar::Group group{};
  std::string_view type;
  Where where;
  std::vector<int> bodies;  ///< in the order of its fields; 0 is the ground
  int first_row = 0, rows = 0;
  int motion = -1;  ///< which prescribed function drives it, if any
  int friction = -1;  ///< the force that is its friction, if any
  bool friction_turns = false;  ///< that acts along an angle
  bool pulled = false;  ///< a rod: what it carries is along the line between its two points
  bool pushes = false;  ///< a contact that may not pull: minus its multiplier is the force across it

  [[nodiscard]] std::string text() const;  ///< "joint 'O'"
};

/// A force of the system, by the user's name.
struct AppliedForce {
  std::string name;
  std::string_view type;
  planar::ForceKind kind{};
  Where where;
  std::vector<int> bodies;  ///< in the order of its fields; 0 is the ground
  std::vector<int> seen{};  ///< bodies that it depends on and need not act on
  int signal = -1;          ///< which signal it adds to its own law, if any

  [[nodiscard]] std::string text() const;  ///< "force 'load'"
};

/// What a spring has beside stiffness and damping: the user's actuator and friction.
struct ForceSignal : laws::Signal {
  int force = -1;  ///< whose it is
  int reaction = -1;  ///< of friction that grows with a reaction: the constraint; the laws are those of a load of 1 N
  Where where;     ///< of the actuator's text, or of the force
};

/// A driver's f(t).
struct PrescribedMotion {
  TimeFunction function;
  std::string owner;        ///< the name of the driver
  Where where;              ///< of the text of f
  bool must_be_positive{};  ///< a distance cannot be zero or negative
};

/// f(t) = t, for equations that depend on t.
[[nodiscard]] PrescribedMotion clock_motion(std::string owner, Where where);

/// A component of a force.
struct ForceComponent {
  laws::LoadFunction function;
  std::string owner;  ///< the name of the force
  Where where;        ///< of its text
};

class PlanarSystem {
 public:
  /// Elements of every type, still apart; `Builder` makes a system of them.
  class Builder;

  PlanarSystem(PlanarSystem&&) noexcept;
  PlanarSystem& operator=(PlanarSystem&&) noexcept;
  ~PlanarSystem();

  [[nodiscard]] int bodies() const { return bodies_; }  ///< moving ones
  [[nodiscard]] int coordinates() const { return 3 * bodies_; }
  [[nodiscard]] int equations() const { return pattern_.rows; }
  /// Joints come first: these are the rows [0, joint_equations()), the drivers' the rest.
  [[nodiscard]] int joint_equations() const { return joint_equations_; }

  /// In the order of the model file, joints before drivers.
  [[nodiscard]] const std::vector<Constraint>& constraints() const { return constraints_; }
  /// The constraint a row belongs to.
  [[nodiscard]] const Constraint& owner(int row) const { return constraints_[static_cast<std::size_t>(owner_[static_cast<std::size_t>(row)])]; }
  [[nodiscard]] const std::vector<PrescribedMotion>& motions() const { return motions_; }

  /// In the order of the model file; gravity is not among them.
  [[nodiscard]] const std::vector<AppliedForce>& forces() const { return forces_; }
  [[nodiscard]] const std::vector<ForceSignal>& signals() const { return signals_; }
  /// The signals among them that are friction of joints, growing with their reactions.
  [[nodiscard]] const std::vector<int>& rubbing() const { return rubbing_; }
  /// The components of the forces.
  [[nodiscard]] const std::vector<ForceComponent>& force_motions() const { return force_motions_; }
  /// Quantities of the state that forces depend on, beside what they act along.
  [[nodiscard]] const std::vector<planar::StateQuantity>& quantities() const { return quantities_; }
  /// Mass, mass, inertia of each body: the diagonal of M. 0 where the model gives none.
  [[nodiscard]] std::span<const double> mass() const { return mass_; }
  [[nodiscard]] const Vec2<double>& gravity() const { return gravity_; }
  [[nodiscard]] const SparsePattern& pattern() const { return pattern_; }
  /// Of the equations that the user has written.
  [[nodiscard]] std::vector<const planar::EquationLaw*> own_equations() const;
  /// A length typical of the mechanism: it makes angles and lengths comparable.
  [[nodiscard]] double length_scale() const { return length_scale_; }

  /// For each joint with two ways to hold (parallel or anti-parallel, pin ahead of or behind the slot's start): the cosine
  /// of the angle that should be 0 or π, and NaN for the others. One per constraint.
  [[nodiscard]] std::vector<double> alignments(std::span<const double> q, double t) const;

  struct Impl;
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  friend class Evaluation;
  PlanarSystem();

  int bodies_ = 0;
  int joint_equations_ = 0;
  double length_scale_ = 1;
  std::vector<Constraint> constraints_;
  std::vector<int> owner_;
  std::vector<PrescribedMotion> motions_;
  std::vector<AppliedForce> forces_;
  std::vector<ForceSignal> signals_;
  std::vector<int> rubbing_;
  std::vector<ForceComponent> force_motions_;
  std::vector<planar::StateQuantity> quantities_;
  std::vector<double> mass_;
  Vec2<double> gravity_;
  SparsePattern pattern_;
  std::unique_ptr<Impl> impl_;
};

/// A prescribed function has no value at a time: the message, and which driver it belongs to.
struct MotionFault {
  int motion = -1;
  std::string sentence;
  int column = 0;  ///< in the text of f; 0 when it concerns the whole
};

/// Evaluates a system at one time and position, and along a motion up to a given order. Allocates only when made.
class Evaluation {
 public:
  /// `order`: the highest Taylor coefficient that will be asked for.
  Evaluation(const PlanarSystem& system, int order);
  ~Evaluation();
  Evaluation(Evaluation&&) noexcept;

  [[nodiscard]] const PlanarSystem& system() const { return *system_; }
  [[nodiscard]] int order() const { return order_; }

  /// Prescribed functions and all their coefficients at t.
  [[nodiscard]] std::optional<MotionFault> set_time(double t);
  [[nodiscard]] double time() const { return time_; }
  /// Coefficient k of prescribed function m.
  [[nodiscard]] double motion(int m, int k) const;
  [[nodiscard]] std::span<const double> motions(int k) const;  ///< of all of them

  /// Coefficient 0: the position. Returns the residual Φ.
  std::span<const double> set_position(std::span<const double> q);
  /// Φq at that position, in the order of the system's pattern.
  std::span<const double> jacobian();
  /// What divides each row to make it metres or radians, at that time.
  [[nodiscard]] std::span<const planar::Scale> scales() const;
  /// Largest residual in metres or radians.
  [[nodiscard]] double worst_residual() const;
  [[nodiscard]] std::span<const double> residual() const;

  /// Coefficient k of Φ along the motion q_0 … q_{k−1} with q_k = 0. Solve Φq q_k = −that, then `close`.
  std::span<const double> open(int k);
  /// Fixes q_k.
  void close(int k, std::span<const double> q_k);

  /// Of an equation of the user's that has no value since the position was set, why; nothing where all have one.
  [[nodiscard]] std::optional<Fault> without_value() const;

  /// Coefficient k of every body's frame, the ground first.
  [[nodiscard]] std::span<const planar::FrameRecord> frames(int k) const;

 private:
  struct Impl;
  const PlanarSystem* system_;
  int order_;
  double time_ = 0;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jounce
