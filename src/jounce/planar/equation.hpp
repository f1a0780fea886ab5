// Equation: whatever the user writes, an expression of positions and t that has to be 0.
//
//   phi(u1, u2, …, t) = 0        u: coordinates of points and angles of bodies
//
// The one constraint whose residual is known only when a model has been read. It has no tape and no kernel: its residual, the derivatives of that by each
// quantity and by t are expressions, differentiated as they are written, and their series follow the motion order by order (plane/equations/equation_batch.hpp).
// What touches a curve (planar/curve_contact.hpp) is such an equation too, with the place on the curve as one variable more.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "jounce/laws/equation.hpp"
#include "jounce/planar/curve_contact.hpp"
#include "jounce/planar/element.hpp"
#include "jounce/planar/state_quantity.hpp"

namespace jounce::planar {

/// With a contact, its place on the curve is the last variable.
struct EquationLaw : laws::EquationLaw {
  std::vector<StateQuantity> quantities;
  std::vector<int> bodies;  ///< that it holds, each once; the ground is not among them
  std::vector<int> slot;    ///< of each quantity: which of the bodies, or −1 for the ground
  Scale scale;
  std::shared_ptr<const CurveContact> contact{};  ///< null: an equation of the user's
};

template <class Real>
struct Equation {
  static constexpr std::string_view type = laws::kEquation;
  static constexpr std::string_view summary = laws::kEquationSummary;
  static constexpr Invariance invariance = Invariance::ground_referenced;
  static constexpr std::tuple fields{};

  std::shared_ptr<const EquationLaw> law;
  int clock = -1;  ///< the function f(t) = t among the system's motions

  [[nodiscard]] std::array<Scale, 1> scale(const auto&) const { return {law->scale}; }
  [[nodiscard]] Point<double> reported_at() const {
    if (law->contact) return law->contact->at;
    for (const StateQuantity& u : law->quantities)
      if (u.body > 0) return {u.body, u.p};
    return {};
  }
  [[nodiscard]] bool is_force_at_reported() const {
    const Point<double> at = reported_at();
    const auto there = [&](const StateQuantity& u) { return u.body != at.body || (u.pick != 2 && u.p.x == at.p.x && u.p.y == at.p.y); };
    return at.body > 0 && std::ranges::all_of(law->quantities, there);
  }
  void sketch(auto& s) const {
    if (!law->contact) {
      s.mark(reported_at());
      for (const StateQuantity& u : law->quantities)
        if (u.body > 0) s.mark_also({u.body, u.p});
      return;
    }
    const CurveContact& contact = *law->contact;
    s.curve(contact.body, contact.curve->places(), contact.curve->closed(), contact.at, contact.offset);
  }
};

}  // namespace jounce::planar
