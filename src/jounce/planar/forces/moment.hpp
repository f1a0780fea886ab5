// Moment: a moment on a body, a function of time, counter-clockwise positive.
//
//   measure  phi          effort  T(t)
#pragma once

#include "jounce/planar/force_element.hpp"

namespace jounce::planar {

template <class Real>
struct Moment {
  static constexpr std::string_view type = "moment";
  static constexpr std::string_view summary = "a moment on a body, a function of time";
  static constexpr Invariance invariance = Invariance::rigid_motion;
  static constexpr ForceKind kind = ForceKind::given;

  BodyRef on;
  Motion value;

  static constexpr std::tuple fields{Field{"on", &Moment::on, "the body it acts on"},
                                     Field{"value", &Moment::value, "the moment, counter-clockwise"}};

  constexpr auto measures(const auto& world) const { return rows(world.angle(on)); }
  constexpr auto efforts(const auto& world, const auto&) const { return rows(world.motion(value)); }

  void refuse(Refusals&) const {}

  void sketch(auto& s) const { s.moment(on); }

  static Moment example() { return {{1}, {0}}; }
};

}  // namespace jounce::planar
