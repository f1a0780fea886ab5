// Mechanisms that run into dead points and change points at times known in closed form.
#pragma once

#include "analysis_test.hpp"

namespace jounce::test {

inline constexpr double kR = 0.15, kL = 0.30;

inline Model pushed_slider(double angle, const std::string& speed) {
  Model m = slider_crank(kR, kL, angle);
  const double x0 = kR * std::cos(angle) + std::sqrt(kL * kL - std::pow(kR * std::sin(angle), 2));
  m.driver("cylinder", "slot-distance").set("line", std::vector<Text>{"ground.O", "ground.X"}).set("point", Text("block.P"))
      .set("motion", Text(text_of(x0) + " + " + speed));
  return m;
}

inline Model boom(double f0, const std::string& motion) {
  // an arm of 1.5 m about O, a cylinder from 1 m below O to its end
  Model m;
  m.ground.point("O", 0.0, 0.0).point("C", 0.0, -1.0);
  const double phi = std::asin((f0 * f0 - 1 - 2.25) / 3);  // |(1.5 cos, 1.5 sin + 1)|² = 3.25 + 3 sin
  bar(m, "arm", 1.5, 0, 0, phi);
  pin(m, "pO", "ground.O", "arm.A");
  m.driver("cylinder", "distance").set("i", Text("ground.C")).set("j", Text("arm.B")).set("motion", Text(motion));
  return m;
}

inline Model parallelogram(double angle, const std::string& prefix = "", double y0 = 0) {
  return four_bar(1, 0.5, 1, 0.5, angle, angle > 0 && angle < kPi ? 1 : -1, prefix, y0);
}

// N + 1 rods of 1 m on the ground 1 m apart, N rods of 1 m across their tops.
inline Model n_four_bar(int n, const std::string& motion) {
  Model m;
  for (int k = 0; k <= n; ++k) {
    m.ground.point("G" + std::to_string(k), double(k), 0.0);
    bar(m, "up" + std::to_string(k), 1, k, 0, kPi / 2);
    pin(m, "g" + std::to_string(k), "ground.G" + std::to_string(k), "up" + std::to_string(k) + ".A");
  }
  for (int k = 0; k < n; ++k) {
    const std::string across = "across" + std::to_string(k);
    bar(m, across, 1, k, 1, 0);
    pin(m, "l" + std::to_string(k), "up" + std::to_string(k) + ".B", across + ".A");
    pin(m, "r" + std::to_string(k), across + ".B", "up" + std::to_string(k + 1) + ".B");
  }
  motor(m, "motor", "ground", "up0", motion);
  return m;
}

/// Two parallelograms with motors beside each other: both are flat at once.
inline void add_second_parallelogram(Model& m, double angle, const std::string& motion) {
  const Model other = parallelogram(angle, "b", 3);
  for (const Body& b : other.bodies) m.bodies.push_back(b);
  for (const NamedPoint& p : other.ground.points) m.ground.points.push_back(p);
  for (const Element& j : other.joints) m.joints.push_back(j);
  motor(m, "mb", "ground", "bcrank", motion);
}

/// A parallelogram with a third crank under the middle of its coupler.
inline Model three_cranks(const std::string& motion) {
  Model m = parallelogram(1);
  m.ground.point("M", 0.5, 0.0);
  bar(m, "third", 0.5, 0.5, 0, 1);
  m.body("coupler").point("M", 0.5, 0.0);
  pin(m, "pM", "ground.M", "third.A");
  pin(m, "pN", "third.B", "coupler.M");
  motor(m, "motor", "ground", "crank", motion);
  return m;
}

/// The slider pushed to its dead point, with a fan beside it.
inline Model slider_and_fan(double angle, const std::string& fan_speed) {
  Model m = pushed_slider(angle, "0.1*t");
  m.ground.point("F", 2.0, 0.0);
  bar(m, "fan", 0.1, 2, 0, 0);
  pin(m, "pF", "ground.F", "fan.A");
  motor(m, "fan-motor", "ground", "fan", fan_speed);
  return m;
}

}  // namespace jounce::test
