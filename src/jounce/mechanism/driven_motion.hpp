// A motion that its drivers decide, around one instant: the face that analyses see of it. plane/ and space/ implement it.
//
// A position q is made of coordinates, a way from one position to another of dofs. In the plane they are the same numbers; in space a ball
// joint has four coordinates (a quaternion) and three dofs. Along a motion the way from q is a power series,
//
//   q(t + h) = q moved by  w₁ h + w₂ h² + …
//
// of which w₁ is the velocity and 2 w₂ the acceleration.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/base/fault.hpp"

namespace jounce {

/// The equations of a driven motion with one dof prescribed in place of time: they stay regular where the motion turns back in time.
class LedMotion {
 public:
  struct State {
    std::vector<double> q;
    double t = 0;
    double lead = 0;  ///< how far the leading dof has come
  };
  virtual ~LedMotion() = default;
  LedMotion() = default;
  LedMotion(const LedMotion&) = delete;
  LedMotion& operator=(const LedMotion&) = delete;

  /// Newton on time and all but the leading dof, which stays where it is.
  [[nodiscard]] virtual bool solve(State& state) = 0;
  /// Rates of everything with the leading dof, at the state solved last; dt/dp stands at that dof's own place.
  [[nodiscard]] virtual std::span<const double> tangent() = 0;
};

/// Equations that say what others say must hold to this, in mechanism sizes or radians: more is a contradiction.
inline constexpr double kRedundantMisfit = 1e-8;

class DrivenMotion {
 public:
  enum class Solved { yes, undefined, diverged, singular };

  virtual ~DrivenMotion() = default;
  DrivenMotion() = default;
  DrivenMotion(const DrivenMotion&) = delete;
  DrivenMotion& operator=(const DrivenMotion&) = delete;

  // ---- positions and ways ----

  [[nodiscard]] virtual int coordinates() const = 0;
  [[nodiscard]] virtual int dofs() const = 0;
  virtual void move(std::span<double> q, std::span<const double> way) const = 0;
  /// The way from one position to another.
  virtual void difference(std::span<const double> from, std::span<const double> to, std::span<double> way) const = 0;
  /// A length typical of the mechanism, which makes angles and lengths comparable.
  [[nodiscard]] virtual double length() const = 0;
  /// What counts as one of a dof: a radian, or the size of the mechanism.
  [[nodiscard]] virtual double unit(int dof) const = 0;
  /// Of a way: the largest of its parts, each in its unit. NaN where one is.
  [[nodiscard]] virtual double size(std::span<const double> way) const = 0;
  /// How far from its origin a position is, likewise: coordinates far away carry more rounding.
  [[nodiscard]] virtual double reach(std::span<const double> q) const = 0;

  // ---- one instant ----

  /// The drivers give every coordinate outright: no equation has to be solved, and the motion need not be followed.
  [[nodiscard]] virtual bool outright() const { return false; }
  /// Newton from `q` at time t; q is changed only when it succeeds.
  [[nodiscard]] virtual Solved position(double t, std::span<double> q) = 0;
  /// The coefficients w₁ … w_order of the way at the position solved last, [order − 1][dof].
  virtual void orders(std::span<double> ways) = 0;
  [[nodiscard]] virtual int order() const = 0;
  /// How far from singular the position solved last is: the smallest singular value of the equations, lengths in mechanism sizes. It may
  /// follow the direction it found last time; more iterations where that was somewhere else.
  [[nodiscard]] virtual double regularity(int iterations) = 0;
  /// The same at any time and position; nothing where a prescribed function has no value.
  [[nodiscard]] virtual std::optional<double> regularity_at(double t, std::span<const double> q, int iterations) = 0;
  /// Changes its sign where the motion passes a singular position of one direction; 0 where that is not known. At the position solved or
  /// looked at last, against that of the last `accept`, if there was one.
  [[nodiscard]] virtual int orientation() = 0;
  /// The position solved last is one of the motion.
  virtual void accept() {}
  /// A position of the motion and the way from there.
  struct At {
    std::span<const double> q, ways;
  };
  /// Turns that no equation decides, but whose rates are given, must come from one position to the next as their rates say: moves q, that of `to`,
  /// which is h later than `from` and solved last, where they have not; then it has to be solved again.
  [[nodiscard]] virtual bool carry(double /*h*/, const At& /*from*/, const At& /*to*/, std::span<double> /*q*/) { return false; }
  /// Equations that are left over disagree with the velocity that the others give, by so many mechanism sizes or radians a second.
  [[nodiscard]] virtual double velocity_misfit() const = 0;
  /// Some equations say what others say.
  [[nodiscard]] virtual bool redundant() const = 0;
  [[nodiscard]] virtual double worst_residual() const = 0;
  [[nodiscard]] virtual long factorisations() const = 0;

  // ---- others on the same mechanism ----

  [[nodiscard]] virtual std::unique_ptr<DrivenMotion> fresh(int order) const = 0;
  /// Null where this dof cannot lead.
  [[nodiscard]] virtual std::unique_ptr<LedMotion> led_by(int dof) const = 0;
  [[nodiscard]] virtual bool can_lead(int dof) const = 0;

  // ---- for messages ----

  /// Why a prescribed function has no value at t.
  [[nodiscard]] virtual std::optional<Fault> fault_at(double t) const = 0;
  /// Of an equation of the user's that had no value when a position or the way from it was looked for last, why; nothing where all had one.
  [[nodiscard]] virtual std::optional<Fault> without_value() const { return std::nullopt; }
  /// The free motions that drivers and joints leave at a position where `position` found none or the motion cannot start: a sentence, and
  /// which elements; nothing where it is a singular position of a mechanism that is driven.
  struct Undriven {
    std::string sentence, hint;
    std::vector<std::string> elements;
  };
  [[nodiscard]] virtual std::optional<Undriven> undriven(double t, std::span<const double> q) = 0;
  /// Elements that become dependent at a singular position, by name; `drivers` are those of them that prescribe a motion.
  struct Dependent {
    std::vector<std::string> names, drivers;
  };
  [[nodiscard]] virtual Dependent dependent(double t, std::span<const double> q) = 0;
  /// Elements that contradict each other at a position of the motion.
  [[nodiscard]] virtual std::vector<std::string> contradicting(double t, std::span<const double> q) = 0;
};

}  // namespace jounce
