// What the tests of this rung share: small mechanisms built in code, and a run that has to be built.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "jounce/analysis/kinematics.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce::test {

inline constexpr double kPi = std::numbers::pi;

// Newton to rounding, then one solve an order with a condition of 1e2 at most: relative to the largest number of its kind.
inline constexpr double kSolved = 1e-12;
// What the product promises for the time of a singular position.
inline constexpr double kLocated = 1e-9;

inline std::string text_of(double x) { return Text(x).text; }

inline PlaneMechanism built(const Model& model) {
  auto result = build_plane(model);
  REQUIRE_MESSAGE(result.ok(), text(result.problems()));
  return *std::move(result);
}

inline void draw(Body& body, double x, double y, double phi) {
  body.position = std::vector<Text>{x, y};
  body.angle = Text(phi);
}

inline Element& pin(Model& m, std::string name, std::string i, std::string j) {
  return m.joint(std::move(name), "revolute").set("i", Text(std::move(i))).set("j", Text(std::move(j)));
}
inline Element& motor(Model& m, std::string name, std::string i, std::string j, std::string motion) {
  return m.driver(std::move(name), "angle").set("i", Text(std::move(i))).set("j", Text(std::move(j))).set("motion", Text(std::move(motion)));
}

inline Element& force(Model& m, std::string name, std::string type) {
  return m.forces.emplace_back(Element{std::move(name), std::move(type), {}, {}, {}});
}

/// A bar from A = (0, 0) to B = (length, 0).
inline Body& bar(Model& m, const std::string& name, double length, double x, double y, double phi) {
  Body& b = m.body(name);
  b.point("A", 0.0, 0.0).point("B", length, 0.0);
  draw(b, x, y, phi);
  return b;
}

/// Ground pivots O = (0, 0) and Q = (ground, 0); crank, coupler, rocker. Angles of crank and the pin B's side choose the drawing.
inline Model four_bar(double ground, double crank, double coupler, double rocker, double crank_angle, double side, const std::string& prefix = "",
                      double y0 = 0) {
  Model m;
  m.ground.point(prefix + "O", 0.0, y0).point(prefix + "Q", ground, y0);
  const double ax = crank * std::cos(crank_angle), ay = crank * std::sin(crank_angle);
  const double dx = ground - ax, dy = -ay, d = std::hypot(dx, dy);
  const double along = (d * d + coupler * coupler - rocker * rocker) / (2 * d);
  const double beside = side * std::sqrt(std::max(0.0, coupler * coupler - along * along));
  const double bx = ax + (along * dx - beside * dy) / d, by = ay + (along * dy + beside * dx) / d;
  bar(m, prefix + "crank", crank, 0, y0, crank_angle);
  bar(m, prefix + "coupler", coupler, ax, y0 + ay, std::atan2(by - ay, bx - ax));
  bar(m, prefix + "rocker", rocker, ground, y0, std::atan2(by, bx - ground));
  pin(m, prefix + "pO", "ground." + prefix + "O", prefix + "crank.A");
  pin(m, prefix + "pA", prefix + "crank.B", prefix + "coupler.A");
  pin(m, prefix + "pB", prefix + "coupler.B", prefix + "rocker.B");
  pin(m, prefix + "pQ", "ground." + prefix + "Q", prefix + "rocker.A");
  return m;
}

/// Crank r about O, rod l, block on the x axis at x > 0 when `side` is 1; not driven.
inline Model slider_crank(double r, double l, double crank_angle) {
  Model m;
  m.ground.point("O", 0.0, 0.0).point("X", 1.0, 0.0);
  const double x = r * std::cos(crank_angle), y = r * std::sin(crank_angle);
  const double beta = -std::asin(y / l);
  bar(m, "crank", r, 0, 0, crank_angle);
  bar(m, "rod", l, x, y, beta);
  Body& block = m.body("block");
  block.point("P", 0.0, 0.0).point("X", 1.0, 0.0);
  draw(block, x + l * std::cos(beta), 0, 0);
  pin(m, "pO", "ground.O", "crank.A");
  pin(m, "pA", "crank.B", "rod.A");
  pin(m, "pB", "rod.B", "block.P");
  m.joint("guide", "translational").set("slot", std::vector<Text>{"ground.O", "ground.X"}).set("slider", std::vector<Text>{"block.P", "block.X"});
  return m;
}

/// Of a run of any kind.
inline double value(const auto& run, std::size_t row, const std::string& column) {
  const auto v = run.results.at(row, column);
  REQUIRE_MESSAGE(v.has_value(), column);
  return *v;
}

inline bool names(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace jounce::test
