#include "jounce/api/hand.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jounce/api/content.hpp"
#include "jounce/api/pull.hpp"

namespace jounce {
namespace {

// A hand that suits: alone on all masses it swings about twice in a second, or faster where it would sag under gravity by more than a twentieth of
// the mechanism, and comes to rest with little overshoot.
constexpr double kSwings = 2, kSag = 0.05, kDampingRatio = 0.7;

double size_of(const PlaneMechanism& mechanism) {
  double size = 0;
  for (const BodyData& body : mechanism.bodies)
    for (const BodyPoint& a : body.points)
      for (const BodyPoint& b : body.points) size = std::max(size, std::hypot(a.p_com.x - b.p_com.x, a.p_com.y - b.p_com.y));
  return size;
}

bool firm(const PlaneMechanism& mechanism, Hand& hand) {
  double mass = 0;
  for (const BodyData& body : mechanism.bodies) mass += body.mass.value_or(0);
  if (!(mass > 0)) return false;
  const double rate = 2 * std::numbers::pi * kSwings, size = size_of(mechanism), g = std::hypot(mechanism.gravity.x, mechanism.gravity.y);
  hand.stiffness = mass * std::max(rate * rate, size > 0 ? g / (kSag * size) : 0.0);
  hand.damping = 2 * kDampingRatio * std::sqrt(hand.stiffness * mass);
  return true;
}

bool is_taken(const Model& model, const Body& body, const std::string& name) {
  const auto named = [&](const auto& list) { return std::ranges::any_of(list, [&](const auto& one) { return one.name == name; }); };
  return named(model.parameters) || named(model.measures) || named(model.stops) || named(model.events) || named(model.bodies) || named(model.joints) ||
         named(model.drivers) || named(model.forces) || named(body.points);
}

}  // namespace

Result<InHand> in_hand(const Mechanism& mechanism, const Hand& asked) {
  const auto* plane = std::get_if<PlaneMechanism>(&mechanism.content().equations);
  if (plane == nullptr) return error({}, "hand: expected a mechanism of the plane, found one of space");
  Model model = mechanism.model();
  const auto body = std::ranges::find(model.bodies, asked.body, &Body::name);
  if (body == model.bodies.end()) return error({}, "hand: there is no body '" + asked.body + "' that could be held");
  if (!std::isfinite(asked.p[0] + asked.p[1] + asked.stiffness + asked.damping)) return error({}, "hand: expected finite numbers");
  Hand hand = asked;
  if (hand.stiffness == 0 && hand.damping == 0 && !firm(*plane, hand)) return error({}, "hand: expected a stiffness or a damping where nothing has a mass");

  std::string name = "hand";
  while (is_taken(model, *body, name) || is_taken(model, *body, name + "_x") || is_taken(model, *body, name + "_y")) name += "_";
  const std::string point = body->name + "." + name, x = name + "_x", y = name + "_y";
  const Text k = hand.stiffness, c = hand.damping;
  const auto component = [&](const std::string& at, char axis) { return Text("(" + k.text + ")*(" + at + " - " + point + "." + axis + ") - (" + c.text + ")*" + point + ".v" + axis); };
  body->point(name, hand.p[0], hand.p[1]);
  model.parameter(x, 0.0);
  model.parameter(y, 0.0);
  model.force(name, "force").set("on", Text(point)).set("value", std::vector<Text>{component(x, 'x'), component(y, 'y')});
  Result<Mechanism> made = built_like(mechanism, std::move(model));
  if (!made) return made.problems();
  return InHand{*std::move(made), x, y};
}

}  // namespace jounce
