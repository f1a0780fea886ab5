// Gear: two wheels on axes that do not rotate turn in a constant ratio; belts and chains too.
//
//   phi = phi_j − K phi_i − C                                                     [rad]
//
// K < 0 for an external mesh or a crossed belt, K > 0 for an internal mesh, a chain or an open belt. One equation; removes
// one degree of freedom; sets no centre distance. The angles are those against the ground, so a rigid motion of the
// whole does change phi: where the axes are carried by a turning link, `gear-on-arm` is the right joint.
#pragma once

#include "jounce/planar/element.hpp"

namespace jounce::planar {

template <class Real>
struct Gear {
  static constexpr std::string_view type = "gear";
  static constexpr std::string_view summary = "two wheels on fixed axes turn in a constant ratio (gears, belts, chains)";
  static constexpr Invariance invariance = Invariance::ground_referenced;

  BodyRef i, j;
  Ratio<Real> ratio;
  Drawn<Real> offset;

  static constexpr std::tuple fields{Field{"i", &Gear::i, "the driving wheel"}, Field{"j", &Gear::j, "the driven wheel"},
                                     Field{"ratio", &Gear::ratio, "K = turns of j for one turn of i; this or `radii` is required"},
                                     Field{"offset", &Gear::offset, "C; left out: as drawn"}};

  constexpr auto residual(const auto& world) const {
    return rows(world.angle(j) - ratio.K * world.angle(i) - offset.value);
  }
  constexpr auto scale(const auto&) const { return radians(1); }
  constexpr auto reported_at() const { return j; }

  void settle(const World<double>& drawn) { settle_offset(*this, drawn); }
  void refuse(Refusals& because) const {
    because.same_body(i, j);
    because.no_ratio(ratio.K);
  }

  void sketch(auto& s) const { s.gears(i, j, ratio); }

  static Gear example() { return {{0}, {1}, {-1.5}, {0.25}}; }
};

}  // namespace jounce::planar
