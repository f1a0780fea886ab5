// Parallel: a direction fixed in one body stays parallel to a direction fixed in another; they may still translate.
//
//   phi = a_W × b_W,   a along the line on i, b along the line on j               [m²; divide by |a||b| for radians]
//
// One equation; removes one degree of freedom. It also holds anti-parallel, and at 90 degrees its gradient is zero:
// `alignment` (the cosine between the two) lets assembly notice both.
#pragma once

#include "jounce/planar/element.hpp"

namespace jounce::planar {

template <class Real>
struct Parallel {
  static constexpr std::string_view type = "parallel";
  static constexpr std::string_view summary = "a line on one body stays parallel to a line on the other";
  static constexpr Invariance invariance = Invariance::rigid_motion;

  Line<Real> i, j;

  static constexpr std::tuple fields{Field{"i", &Parallel::i, "a line on body i"},
                                     Field{"j", &Parallel::j, "a line on body j"}};

  constexpr auto residual(const auto& world) const { return rows(cross(world.direction(i), world.direction(j))); }
  constexpr auto scale(const auto&) const { return radians(length(i.a) * length(j.a)); }
  constexpr auto reported_at() const { return BodyRef{j.body}; }
  double alignment(const World<double>& world) const { return cosine(world.direction(i), world.direction(j)); }

  void refuse(Refusals& because) const {
    because.same_body(i, j);
    because.no_direction(i, "i");
    because.no_direction(j, "j");
  }

  void sketch(auto& s) const { s.parallel(i, j); }

  static Parallel example() { return {{0, {0.3, 0.1}, {0.6, 0.8}}, {1, {-0.2, 0.4}, {0.5, -0.3}}}; }
};

}  // namespace jounce::planar
