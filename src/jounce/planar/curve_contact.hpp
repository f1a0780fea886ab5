// What touches a curve, as an equation: a pin in a slot, a roller or a flat face on a cam.
//
// The place u of the contact on the curve is one variable more of the residual phi, found from an equation of its own:
//
//   nearest    phi = n(u) · (p − c(u)) − r     F = c′(u) · (p − c(u)) = 0
//   tangent    phi = m · (p − c(u))            F = c′(u) · m = 0
//
// in axes of the curve: p is the pin, the centre of a roller of radius r, or a point of the face, m the normal of the face. On F = 0
// the derivative of phi by u is zero, so the gradient of phi is that at a fixed u. Higher orders need u along the motion:
// coefficient by coefficient F = 0 is linear in the next one, with the factor ∂F/∂u. phi is a distance in metres, and its multiplier
// the force across the contact.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "jounce/planar/curve.hpp"
#include "jounce/planar/quantities.hpp"
#include "jounce/planar/state_quantity.hpp"

namespace jounce::planar {

struct EquationLaw;

struct CurveContact {
  enum class Search { nearest, tangent };

  std::shared_ptr<const PlaneCurve> curve;
  int body = 0;      ///< that has the curve
  bool cam = false;  ///< what touches it may not pull
  Search search = Search::nearest;
  double offset = 0;    ///< r, from the side to which n points
  double outwards = 1;  ///< −1: what touches it is on its left
  Expression x, y;      ///< p, or m, in axes of the curve
  Expression F, by_u;   ///< with u as their last variable
  Point<double> at;     ///< pin, centre of the roller or point of the face
  Vec2<double> normal;  ///< of a face, in its own axes, towards the curve's outside

  /// How the follower can move, for the angle of pressure.
  std::optional<Vec2<double>> travel;  ///< in its own axes
  std::optional<Point<double>> pivot;  ///< a point of it

  /// u where the variables of phi are these, the last place left out: t and the quantities.
  [[nodiscard]] double located(std::span<const double> variables) const;

  /// The same with its derivatives; `variables` has a last place for it.
  template <class T>
  void locate(std::vector<T>& variables) const;

  /// What results show of it.
  struct Reading {
    double s = 0;                 ///< along the curve
    double curvature = 0;         ///< of the curve, < 0 where it is hollow for what touches it
    double curvature_radius = 0;  ///< 0: it is straight
    double pressure_angle = 0;
  };
  [[nodiscard]] Reading reading(std::span<const FrameRecord> frames) const;
  [[nodiscard]] double place(std::span<const FrameRecord> frames) const;
};

/// Of a pin or a roller (`normal` = 0) or of a flat face.
[[nodiscard]] EquationLaw contact_law(std::shared_ptr<CurveContact> contact);

template <class T>
void CurveContact::locate(std::vector<T>& variables) const {
  std::vector<double> values;
  values.reserve(variables.size());
  for (const T& v : variables) values.push_back(value_of(v));
  const double u = located(values);
  variables.back() = T(u);
  if constexpr (!std::is_same_v<T, double>) {
    values.back() = u;
    double slope = 0;
    (void)by_u.evaluate(std::span<const double>(values), slope);
    constexpr int kOrders = 6;  // each pass settles one more
    for (int k = 0; k < kOrders; ++k) {
      T error{};
      if (F.evaluate(std::span<const T>(variables), error)) return;
      variables.back() -= (error - value_of(error)) * (1 / slope);
    }
  }
}

}  // namespace jounce::planar
