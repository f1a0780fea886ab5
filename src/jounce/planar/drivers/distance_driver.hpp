// Distance driver: the distance between two points follows a positive function of time. A hydraulic cylinder between two pins.
//
//      i ══(P)═══╡▁▁▁├── f(t) ──(P)══ j
//
//   phi = |d|² − f(t)²,   d = p_WPj − p_WPi                                       [m²; divide by 2 f for metres]
//
// One equation; removes one degree of freedom. f must stay positive: at f = 0 the gradient vanishes, and a negative f would
// act as its absolute value. The cylinder carries the tension 2 λ f.
#pragma once

#include "jounce/planar/element.hpp"

namespace jounce::planar {

template <class Real>
struct DistanceDriver {
  static constexpr std::string_view type = "distance";
  static constexpr std::string_view summary = "the distance between two points follows a function of time (a cylinder)";
  static constexpr Invariance invariance = Invariance::rigid_motion;
  static constexpr bool force_at_points = true;  // what it carries is a force at its points, without a moment
  static constexpr bool motion_must_be_positive = true;

  Point<Real> i, j;
  Motion motion;

  static constexpr std::tuple fields{Field{"i", &DistanceDriver::i, "one end of the cylinder"},
                                     Field{"j", &DistanceDriver::j, "the other end"},
                                     Field{"motion", &DistanceDriver::motion, "f(t) in metres, > 0 at all times"}};

  constexpr auto residual(const auto& world) const {
    const auto d_W = world.point(j) - world.point(i);
    const auto f = world.motion(motion);
    return rows(dot(d_W, d_W) - f * f);
  }
  constexpr auto scale(const auto& world) const { return squared_metres(world.motion(motion)); }
  constexpr auto reported_at() const { return j; }

  void refuse(Refusals& because) const { because.same_body(i, j); }

  void sketch(auto& s) const { s.cylinder(i, j); }

  static DistanceDriver example() { return {{0, {0.3, 0.1}}, {1, {-0.2, 0.4}}, {0}}; }
};

}  // namespace jounce::planar
