// Friction of joints that grows with their reaction: what it acts along, and how it is held where it sticks. The joint says which of these is its own
// (`rubs`); the model file has no type for them.
//
//   turning   measure  theta = phi_j − phi_i                    effort  −signal, a torque on j
//   sliding   measure  s = a_W · (p_WP − p_WS) / |a|            effort  −signal, a force on P along the guide
//
// The signal is coefficient · radius · |R| · sign of the rate, with R the force that the joint carries: it is found together with the reactions
// (mechanism/friction_balance.hpp).
#pragma once

#include "jounce/planar/force_element.hpp"

namespace jounce::planar {

inline constexpr const char* kBearingFrictionDoc = "friction that grows with the reaction, against the turning: { coefficient, radius, speed }";
inline constexpr const char* kGuideFrictionDoc = "friction that grows with the normal force, against the sliding: { coefficient, speed }";

template <class Real>
struct TurnFriction {
  static constexpr std::string_view type = "friction";
  static constexpr std::string_view summary = "the friction of a pin";
  static constexpr bool turns = true;
  static constexpr Invariance invariance = Invariance::rigid_motion;
  static constexpr ForceKind kind = ForceKind::friction;

  BodyRef i, j;

  static constexpr std::tuple fields{Field{"i", &TurnFriction::i, "one body"}, Field{"j", &TurnFriction::j, "the other body"}};

  constexpr auto measures(const auto& world) const { return rows(world.angle(j) - world.angle(i)); }
  constexpr auto efforts(const auto&, const auto& at) const { return rows(0.0 - at.signal); }
  constexpr auto lost(const auto& at) const { return rows(0.0 - at.signal); }
  constexpr double potential(const auto&) const { return 0; }

  void refuse(Refusals&) const {}

  static TurnFriction example() { return {{0}, {1}}; }
};

template <class Real>
struct SlideFriction {
  static constexpr std::string_view type = "friction";
  static constexpr std::string_view summary = "the friction of a guide";
  static constexpr bool turns = false;
  static constexpr Invariance invariance = Invariance::rigid_motion;
  static constexpr ForceKind kind = ForceKind::friction;

  Line<Real> slot;
  Point<Real> pin;

  static constexpr std::tuple fields{Field{"slot", &SlideFriction::slot, "the guide's line, on body i"},
                                     Field{"pin", &SlideFriction::pin, "what slides along it, on body j"}};

  constexpr auto measures(const auto& world) const {
    return rows(dot(world.direction(slot), world.point(pin) - world.start(slot)) / length(slot.a));
  }
  constexpr auto efforts(const auto&, const auto& at) const { return rows(0.0 - at.signal); }
  constexpr auto lost(const auto& at) const { return rows(0.0 - at.signal); }
  constexpr double potential(const auto&) const { return 0; }

  void refuse(Refusals&) const {}

  static SlideFriction example() { return {{0, {0.3, 0.1}, {0.6, 0.8}}, {1, {-0.2, 0.4}}}; }
};

/// A guide that sticks: the coordinate along it stays what it is.
template <class Real>
struct SlideLock {
  static constexpr std::string_view type = "friction";
  static constexpr std::string_view summary = "a guide that friction holds";
  static constexpr Invariance invariance = Invariance::rigid_motion;

  Line<Real> slot;
  Point<Real> pin;
  Drawn<Real> offset;

  static constexpr std::tuple fields{Field{"slot", &SlideLock::slot, "the guide's line, on body i"},
                                     Field{"pin", &SlideLock::pin, "what is held on it, on body j"},
                                     Field{"offset", &SlideLock::offset, "where along the guide"}};

  constexpr auto residual(const auto& world) const {
    return rows(dot(world.direction(slot), world.point(pin) - world.start(slot)) / length(slot.a) - offset.value);
  }
  constexpr auto scale(const auto&) const { return metres(1); }
  constexpr auto reported_at() const { return pin; }
  void refuse(Refusals&) const {}

  static SlideLock example() { return {{0, {0.3, 0.1}, {0.6, 0.8}}, {1, {-0.2, 0.4}}, {0.1}}; }
};

}  // namespace jounce::planar
