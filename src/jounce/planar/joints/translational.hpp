// Translational: a block that slides along a guide without turning in it.
//
//   ═══════S════▶═══════   guide line on i, direction a
//         [P──▶]           slider line on j, direction b
//
//   phi = a_W × b_W                      parallel                                 [m²; divide by |a||b| for radians]
//         a_W × (p_WP − p_WS)            pin in slot, P the slider's first point  [m²; divide by |a| for metres]
//
// Two equations; removes two degrees of freedom. Degenerate only for a = 0 or b = 0; like `parallel` it also holds with the
// block turned round.
#pragma once

#include "jounce/planar/friction.hpp"

namespace jounce::planar {

template <class Real>
struct Translational {
  static constexpr std::string_view type = "translational";
  static constexpr std::string_view summary = "a block slides along a straight guide without turning in it";
  static constexpr Invariance invariance = Invariance::rigid_motion;

  Line<Real> slot, slider;
  GuideFriction friction{};

  static constexpr std::tuple fields{Field{"slot", &Translational::slot, "the guide's line, on body i"},
                                     Field{"slider", &Translational::slider, "the slider's line, on body j"},
                                     Optional{"friction", &Translational::friction, kGuideFrictionDoc}};

  constexpr auto residual(const auto& world) const {
    const auto a_W = world.direction(slot);
    return rows(cross(a_W, world.direction(slider)), cross(a_W, world.start(slider) - world.start(slot)));
  }
  constexpr auto scale(const auto&) const {
    return std::array{Scale{Unit::radian, length(slot.a) * length(slider.a)}, Scale{Unit::metre, length(slot.a)}};
  }
  constexpr auto reported_at() const { return Point<Real>{slider.body, slider.p}; }
  SlideFriction<double> rubs() const { return {slot, {slider.body, slider.p}}; }
  double alignment(const World<double>& world) const { return cosine(world.direction(slot), world.direction(slider)); }

  void refuse(Refusals& because) const {
    because.same_body(slot, slider);
    because.no_direction(slot, "slot");
    because.no_direction(slider, "slider");
  }

  void sketch(auto& s) const { s.slider(slot, slider); }

  static Translational example() { return {{0, {0.3, 0.1}, {0.6, 0.8}}, {1, {-0.2, 0.4}, {0.5, -0.3}}}; }
};

}  // namespace jounce::planar
