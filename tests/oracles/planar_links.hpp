// What holds two bodies of a planar model together, as products of steps in the plane: the words of which a model of space is made.
//
// A link goes from a frame on body a to a frame on body b by steps in turn: 'r' turns, 'x' and 'y' shift along the axes that the steps
// before have turned, 'R' turns about the point that is `length` ahead. Its coordinates are the sizes of the steps. The other way round the same
// steps come in the opposite order, each with the opposite sign.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/index.hpp"
#include "jounce/expr/expression.hpp"
#include "jounce/plane/mechanism.hpp"
#include "oracles/random_mechanism.hpp"

namespace oracle {

/// What acts on one coordinate of a link, for the link as it was made.
struct LinkDof {
  std::string motion = {};  ///< empty: passive
  bool sprung = false;
  double stiffness = 0, damping = 0, rest = 0;
  std::string torque = {};
};

/// A joint, driver or spring of the plane whose force goes through a link.
struct LinkPart {
  std::string name;
  int body = 0;          ///< on which the plane reports it
  Pose point = {};       ///< and where, in the axes of that body
  double moment = 0;     ///< 0: force and moment as reported; else only this many times the moment `column`, on that body
  std::string column = ".torque";
};

struct PlanarLink {
  std::string name, steps;
  int a = 0, b = 0;
  Pose frame_a = {}, frame_b = {};
  double length = 0;
  std::vector<LinkDof> dofs = {};
  std::vector<LinkPart> parts = {};
  bool driven = false, loop = false, reversed = false;
  bool comparable = true;  ///< its parts are all that goes through it

  [[nodiscard]] int child() const { return reversed ? a : b; }
  [[nodiscard]] int parent() const { return reversed ? b : a; }
  [[nodiscard]] Pose child_frame() const { return reversed ? frame_a : frame_b; }
  [[nodiscard]] Pose parent_frame() const { return reversed ? frame_b : frame_a; }
  /// In space this is a joint of type planar, whose angle comes first.
  [[nodiscard]] bool on_table() const { return steps == "xyr" && !reversed; }
  /// Counted from 1, of the joint in space.
  [[nodiscard]] int dof(int step) const {
    const int n = static_cast<int>(steps.size());
    if (on_table()) return (step + 1) % n + 1;
    return reversed ? n - step : step + 1;
  }
  [[nodiscard]] int step(char which) const { return static_cast<int>(steps.find(which)); }
  [[nodiscard]] double sign() const { return reversed ? -1 : 1; }

  /// Coordinates and rates of the link as it was made.
  [[nodiscard]] JointState state(const Pose& on_a, const Pose& rates_a, const Pose& on_b, const Pose& rates_b) const {
    const Pose at = compose(on_a, frame_a), end = compose(on_b, compose(frame_b, {length, 0, 0}));
    const Pose at_rates = rates_on(on_a, rates_a, at), end_rates = rates_on(on_b, rates_b, end);
    const Pose d = seen_from(at, end);
    const double wx = end_rates.x - at_rates.x + at_rates.phi * (end.y - at.y), wy = end_rates.y - at_rates.y - at_rates.phi * (end.x - at.x);
    const Pose rate = seen_from({0, 0, at.phi}, {wx, wy, 0});
    const double turn = end.phi - at.phi, spin = rates_b.phi - rates_a.phi;
    if (steps == "") return {};
    if (steps == "r") return {{turn}, {spin}};
    if (steps == "x") return {{d.x}, {rate.x}};
    if (steps == "xr") return {{d.x, turn}, {rate.x, spin}};
    if (steps == "xy") return {{d.x, d.y}, {rate.x, rate.y}};
    if (steps == "xyr") return {{d.x, d.y, turn}, {rate.x, rate.y, spin}};
    const double way = std::hypot(d.x, d.y), first = std::atan2(d.y, d.x);
    const double first_rate = (d.x * rate.y - d.y * rate.x) / (way * way), way_rate = (d.x * rate.x + d.y * rate.y) / way;
    if (steps == "rR") return {{first, turn - first}, {first_rate, spin - first_rate}};
    return {{first, way, turn - first}, {first_rate, way_rate, spin - first_rate}};
  }
};

/// The words of a planar model in numbers: its texts evaluated, its references found.
class PlanarWords {
 public:
  PlanarWords(const jounce::Model& model, const jounce::PlaneMechanism& mechanism, std::vector<Pose> drawn)
      : model_(model), mechanism_(mechanism), drawn_(std::move(drawn)) {}

  using Element = jounce::Element;

  [[nodiscard]] const std::string& text(const Element& e, std::string_view key) const { return std::get<jounce::Text>(e.find(key)->value).text; }
  [[nodiscard]] const std::string& text(const Element& e, std::string_view key, std::size_t n) const {
    return std::get<std::vector<jounce::Text>>(e.find(key)->value)[n].text;
  }
  [[nodiscard]] double number(const std::string& text) const {
    const auto expression = jounce::Expression::parse(text, {mechanism_.parameters, {}});
    double out = 0;
    (void)expression->evaluate(std::span<const double>{}, out);
    return out;
  }
  [[nodiscard]] double number(const Element& e, std::string_view key, double otherwise) const {
    return e.find(key) == nullptr ? otherwise : number(text(e, key));
  }
  /// Of the text of a law, among its own variables.
  [[nodiscard]] bool uses(const std::string& text, const std::vector<std::string>& variables) const {
    std::vector<std::string> all = variables;
    all.emplace_back("t");
    const auto expression = jounce::Expression::parse(text, {mechanism_.parameters, all});
    for (const std::string& v : variables)
      if (expression->uses(v)) return true;
    return false;
  }

  [[nodiscard]] int body(const std::string& reference) const {
    const std::string name = reference.substr(0, reference.find('.'));
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b)
      if (mechanism_.bodies[b].name == name) return static_cast<int>(b);
    return -1;
  }
  /// In the axes of its body, from the body's origin.
  [[nodiscard]] Pose point(const std::string& reference) const {
    const jounce::BodyData& on = mechanism_.bodies[jounce::z(body(reference))];
    const std::string name = reference.substr(reference.find('.') + 1);
    if (name == "origin") return {};
    if (name == "com") return {on.com.x, on.com.y, 0};
    for (const jounce::BodyPoint& p : on.points)
      if (p.name == name) return {p.p_com.x + on.com.x, p.p_com.y + on.com.y, 0};
    return {};
  }
  /// The first point of a line, with the line's direction.
  [[nodiscard]] Pose line(const Element& e, std::string_view key) const {
    const Pose from = point(text(e, key, 0)), to = point(text(e, key, 1));
    return {from.x, from.y, std::atan2(to.y - from.y, to.x - from.x)};
  }
  [[nodiscard]] double ratio(const Element& e) const {
    if (e.find("radii") == nullptr) return number(e, "ratio", 1);
    const std::string mesh = e.find("mesh") == nullptr ? "external" : text(e, "mesh");
    const double size = number(text(e, "radii", 0)) / number(text(e, "radii", 1));
    return mesh == "external" || mesh == "crossed-belt" ? -size : size;
  }
  /// The constant, or that of the drawing.
  [[nodiscard]] double offset(const Element& e, double as_drawn) const { return number(e, "offset", as_drawn); }
  [[nodiscard]] const Pose& drawn(int body) const { return drawn_[jounce::z(body)]; }
  [[nodiscard]] const jounce::Model& model() const { return model_; }
  [[nodiscard]] const jounce::PlaneMechanism& mechanism() const { return mechanism_; }

 private:
  const jounce::Model& model_;
  const jounce::PlaneMechanism& mechanism_;
  std::vector<Pose> drawn_;
};

/// Poses of the bodies' origins, the ground first, from coordinates or rates of their centres of mass.
inline std::vector<Pose> origins(const jounce::PlaneMechanism& mechanism, const std::vector<double>& q) {
  std::vector<Pose> out(1);
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
    const jounce::Vec2<double> com = mechanism.bodies[b].com;
    out.push_back(compose({q[3 * b - 3], q[3 * b - 2], q[3 * b - 1]}, {-com.x, -com.y, 0}));
  }
  return out;
}

}  // namespace oracle
