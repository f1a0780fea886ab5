// Gear-on-arm: two meshing wheels whose axes are carried by a link that may itself turn: planetary trains, differentials.
//
//   phi = (phi_j − phi_arm) − K (phi_i − phi_arm) − C                             [rad]
//
// One equation; removes one degree of freedom; sets no centre distance. K as for `gear`. Any one of the three may be
// the ground (a fixed ring).
#pragma once

#include "jounce/planar/element.hpp"

namespace jounce::planar {

template <class Real>
struct GearOnArm {
  static constexpr std::string_view type = "gear-on-arm";
  static constexpr std::string_view summary = "two wheels mesh on a link that may itself turn (planetary trains)";
  static constexpr Invariance invariance = Invariance::rigid_motion;

  BodyRef i, j, arm;
  Ratio<Real> ratio;
  Drawn<Real> offset;

  static constexpr std::tuple fields{Field{"i", &GearOnArm::i, "the driving wheel"},
                                     Field{"j", &GearOnArm::j, "the driven wheel"},
                                     Field{"arm", &GearOnArm::arm, "the link that carries both axes"},
                                     Field{"ratio", &GearOnArm::ratio, "K = turns of j for one turn of i, seen from the arm; this or `radii` is required"},
                                     Field{"offset", &GearOnArm::offset, "C; left out: as drawn"}};

  constexpr auto residual(const auto& world) const {
    const auto phi_arm = world.angle(arm);
    return rows((world.angle(j) - phi_arm) - ratio.K * (world.angle(i) - phi_arm) - offset.value);
  }
  constexpr auto scale(const auto&) const { return radians(1); }
  constexpr auto reported_at() const { return j; }

  void settle(const World<double>& drawn) { settle_offset(*this, drawn); }
  void refuse(Refusals& because) const {
    because.when(i.body == j.body, "j", "is the same body as i");
    because.when(i.body == arm.body, "arm", "is the same body as i");
    because.when(j.body == arm.body && i.body != j.body, "arm", "is the same body as j");
    because.no_ratio(ratio.K);
  }

  void sketch(auto& s) const { s.gears(i, j, ratio, arm); }

  static GearOnArm example() { return {{0}, {1}, {2}, {-1.5}, {0.25}}; }
};

}  // namespace jounce::planar
