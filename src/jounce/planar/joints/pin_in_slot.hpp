// Pin-in-slot: a pin on one body slides along a straight slot in another.
//
//        slot ─────S━━━━━━━(P)━━━━━──▶ Q     P  pin centre, fixed in the pin body j
//                                            S, Q  two points of the slot, a = Q − S its direction, fixed in i
//   phi = a_W × (p_WP − p_WS)                                                     [m²; divide by |a| for metres]
//
// One equation; removes one degree of freedom. The slot is an infinite line. Degenerate only for a = 0; a slot drawn square
// to its pin cannot tell which way to turn, which `alignment` lets assembly notice.
#pragma once

#include "jounce/planar/friction.hpp"

namespace jounce::planar {

template <class Real>
struct PinInSlot {
  static constexpr std::string_view type = "pin-in-slot";
  static constexpr std::string_view summary = "a pin on one body slides along a straight slot in another";
  static constexpr Invariance invariance = Invariance::rigid_motion;

  Line<Real> slot;
  Point<Real> pin;
  GuideFriction friction{};

  static constexpr std::tuple fields{Field{"slot", &PinInSlot::slot, "the slot's centre line, on body i"},
                                     Field{"pin", &PinInSlot::pin, "the pin's centre, on body j"},
                                     Optional{"friction", &PinInSlot::friction, kGuideFrictionDoc}};

  constexpr auto residual(const auto& world) const {
    const auto d_W = world.point(pin) - world.start(slot);
    return rows(cross(world.direction(slot), d_W));
  }
  constexpr auto scale(const auto&) const { return metres(length(slot.a)); }
  constexpr auto reported_at() const { return pin; }
  constexpr bool is_force_at_reported() const { return true; }
  SlideFriction<double> rubs() const { return {slot, pin}; }
  double alignment(const World<double>& world) const {
    return cosine(world.direction(slot), world.point(pin) - world.start(slot));
  }

  void refuse(Refusals& because) const {
    because.same_body(slot, pin);
    because.no_direction(slot, "slot");
  }

  void sketch(auto& s) const { s.slot(slot, pin); }

  static PinInSlot example() { return {{0, {0.3, 0.1}, {0.6, 0.8}}, {1, {-0.2, 0.4}}}; }
};

}  // namespace jounce::planar
