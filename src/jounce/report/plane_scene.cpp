// The scene of a mechanism of the plane: every element sketches itself, then what sits on pins is put there.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>

#include "jounce/base/index.hpp"
#include "jounce/expr/tokens.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"
#include "jounce/report/draw/plane_sketch.hpp"
#include "jounce/report/scene.hpp"

namespace jounce {
namespace {

class PlaneScene {
 public:
  explicit PlaneScene(const PlaneMechanism& mechanism) : mechanism_(mechanism) {}

  Scene run() {
    Scene out;
    out.size = mechanism_.system.length_scale();
    for (const BodyData& body : mechanism_.bodies) out.bodies.push_back(drawn(body, &body == &mechanism_.bodies.front()));
    out.elements = sketches();
    for (const Scene::Element& e : out.elements)
      if (e.symbol == DrawingSymbol::pin) pins_.push_back({e.i, e.j, *e.pi, *e.pj});
    for (Scene::Element& e : out.elements) put_on_pins(e);
    nest(out.elements);
    for (std::size_t b = 0; b < mechanism_.outlines.bodies.size(); ++b) out.bodies[b].shape = mechanism_.outlines.bodies[b];
    for (const PlaneStop& stop : mechanism_.stops)
      for (const auto& gap : stop.gaps) add_wall(stop.name, *gap, out);
    return out;
  }

 private:
  // Two bodies and their points at a pin.
  struct Pin {
    int i, j;
    Vec3<double> pi, pj;
  };

  static constexpr std::string_view kDistance = "distance";
  static constexpr int kMeasuresInMeasures = 4;

  static Vec3<double> flat(const Vec2<double>& p) { return {p.x, p.y, 0}; }

  static Scene::Body drawn(const BodyData& body, bool ground) {
    Scene::Body out;
    out.name = body.name;
    for (const BodyPoint& point : body.points) out.points.push_back({point.name, flat(point.p_com - body.origin_com)});
    if (!ground) out.com = flat(body.com);
    out.mass = body.mass;
    return out;
  }

  template <class Info, class E>
  [[nodiscard]] Scene::Element sketched(Group group, const Info& info, const E& element) const {
    Scene::Element out;
    out.group = group;
    out.name = info.name;
    out.type = info.type;
    PlaneSketch s(mechanism_.bodies, out);
    sketch(s, element);
    return out;
  }

  // Joints and drivers, then forces, each in the order of the model file.
  [[nodiscard]] std::vector<Scene::Element> sketches() const {
    const auto& constraints = mechanism_.system.constraints();
    const auto& forces = mechanism_.system.forces();
    const auto& gears = mechanism_.outlines.gears;
    std::vector<Scene::Element> out(constraints.size()), applied(forces.size());
    mechanism_.system.impl().each([&](const auto& batch) {
      for (std::size_t e = 0; e < batch.elements.size(); ++e) {
        const auto c = z(batch.constraint[e]);
        out[c] = sketched(constraints[c].group, constraints[c], batch.elements[e]);
        out[c].friction = constraints[c].friction >= 0;
        if constexpr (requires { batch.elements[e].law->contact; })
          if (!batch.elements[e].law->contact) add_distances(batch.elements[e].law->phi.text(), kMeasuresInMeasures, out[c].distances);
        if (const auto it = gears.find(constraints[c].name); it != gears.end()) {
          out[c].radii = it->second.radii;
          out[c].mesh = it->second.mesh;
        }
      }
    });
    mechanism_.system.impl().each_force([&](const auto& batch) {
      for (std::size_t e = 0; e < batch.elements.size(); ++e) {
        const auto f = z(batch.force[e]);
        applied[f] = sketched(Group::force, forces[f], batch.elements[e]);
        applied[f].actuated = actuated(forces[f], applied[f]);
      }
    });
    std::erase_if(applied, [&](const Scene::Element& e) { return e.type == planar::TurnFriction<double>::type; });  // of joints, which are drawn already
    std::ranges::move(applied, std::back_inserter(out));
    return out;
  }

  // The ends of each distance(P, Q) in a text, and in the measures that it names.
  void add_distances(std::string_view text, int deep, std::vector<std::array<Scene::Place, 2>>& out) const {
    for (Tokens tokens(text); tokens.current().kind != Token::Kind::end && tokens.current().kind != Token::Kind::wrong; tokens.next()) {
      if (tokens.current().kind != Token::Kind::name) continue;
      const std::string_view rest = tokens.rest();
      for (const Measure& measure : mechanism_.measures)
        if (deep > 0 && named(rest, measure.name)) add_distances(measure.value.text(), deep - 1, out);
      if (!named(rest, kDistance)) continue;
      const std::size_t open = rest.find('('), comma = rest.find(',', open), close = rest.find(')', open);
      if (open == rest.npos || close == rest.npos || comma > close) continue;
      const auto from = named_place(rest.substr(open + 1, comma - open - 1)), to = named_place(rest.substr(comma + 1, close - comma - 1));
      if (from && to) out.push_back({*from, *to});
    }
  }

  // Whether a text begins with a name, which may have dashes in it.
  static bool named(std::string_view text, std::string_view name) {
    return text.starts_with(name) && (text.size() == name.size() || (!continues_name(text[name.size()]) && text[name.size()] != '.'));
  }

  // " crank.P "
  [[nodiscard]] std::optional<Scene::Place> named_place(std::string_view text) const {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    const std::size_t dot = text.find('.');
    const auto body = std::ranges::find(mechanism_.bodies, text.substr(0, dot), &BodyData::name);
    if (dot == text.npos || body == mechanism_.bodies.end()) return std::nullopt;
    const auto point = std::ranges::find(body->points, text.substr(dot + 1), &BodyPoint::name);
    if (point == body->points.end()) return std::nullopt;
    return Scene::Place{static_cast<int>(body - mechanism_.bodies.begin()), flat(point->p_com - body->origin_com)};
  }

  // A gap that is one coordinate of a point, less a number, with either sign.
  void add_wall(const std::string& name, const planar::EquationLaw& gap, Scene& out) const {
    if (gap.quantities.size() != 1 || gap.of_time()) return;
    const planar::StateQuantity& u = gap.quantities.front();
    if (u.rate || u.pick > 1 || u.body == 0) return;
    std::array<double, 3> found{};
    for (std::size_t k = 0; k < found.size(); ++k) {
      const std::array<double, 2> variables{0, static_cast<double>(k)};
      if (gap.phi.evaluate<double>(variables, found[k])) return;
    }
    const double slope = found[1] - found[0];
    if (!(std::abs(slope) > 0) || std::abs(found[2] - found[1] - slope) > 1e-9 * std::abs(slope)) return;
    Scene::Wall wall{name, {u.body, flat(u.p - mechanism_.bodies[z(u.body)].origin_com)}, u.pick == 0, -found[0] / slope, slope > 0 ? 1 : -1};
    const auto& shape = out.bodies[z(u.body)].shape;
    if (shape && shape->kind == BodyShape::Kind::disc && length(shape->centre - wall.on.p) < 1e-6 * out.size) wall.at -= wall.side * shape->radius;
    out.walls.push_back(std::move(wall));
  }

  // Whether it has a law of the user's: its other law is that of smoothed friction.
  [[nodiscard]] bool actuated(const AppliedForce& force, const Scene::Element& drawn) const {
    if (force.signal < 0 || (drawn.symbol != DrawingSymbol::spring && drawn.symbol != DrawingSymbol::spiral)) return false;
    const ForceSignal& signal = mechanism_.system.signals()[z(force.signal)];
    const bool smoothed = drawn.friction && signal.dry_friction == 0;
    return signal.laws.size() > (smoothed ? 1U : 0U);
  }

  // Wheels, motors and torsion springs name bodies only; they sit where these turn.
  void put_on_pins(Scene::Element& e) const {
    if (e.symbol == DrawingSymbol::turn || e.symbol == DrawingSymbol::motor || e.symbol == DrawingSymbol::spiral) turning(e);
    if (e.symbol != DrawingSymbol::gears) return;
    e.pi = e.arm >= 0 ? pivot(e.i, e.arm) : wheel_centre(e.i, e.j);
    e.pj = e.arm >= 0 ? pivot(e.j, e.arm) : wheel_centre(e.j, e.i);
  }

  // Where a body turns: at its pin to `on` where there is one, at any pin otherwise, at the origin when it has none.
  [[nodiscard]] Vec3<double> pivot(int body, int on) const {
    const Pin* best = nullptr;
    for (const Pin& pin : pins_) {
      if (pin.i != body && pin.j != body) continue;
      if ((pin.i == body ? pin.j : pin.i) == on) return pin.i == body ? pin.pi : pin.pj;
      if (best == nullptr) best = &pin;
    }
    if (best == nullptr || body == 0) return {};
    return best->i == body ? best->pi : best->pj;
  }

  // Motors are drawn at one size; springs and brakes on their pin go around them, and around each other.
  static void nest(std::vector<Scene::Element>& elements) {
    constexpr double kBesideMotor = 5.6, kBesideSpring = 5.4;
    const auto drives = [](const Scene::Element& e) { return e.symbol == DrawingSymbol::turn || e.symbol == DrawingSymbol::motor; };
    for (Scene::Element& e : elements) {
      if (e.symbol != DrawingSymbol::spiral) continue;
      for (const Scene::Element& other : elements) {
        const bool here = other.j == e.j && other.i == e.i;
        if (here && drives(other)) e.around = std::max(e.around, kBesideMotor);
        if (here && other.symbol == DrawingSymbol::spiral && &other < &e) e.around += kBesideSpring;
      }
    }
  }

  // A wheel's axis is carried by the ground or, if not, by what carries the other one too.
  [[nodiscard]] Vec3<double> wheel_centre(int wheel, int other) const {
    int carrier = 0;
    const auto carries = [&](int body, int what) {
      return std::ranges::any_of(pins_, [&](const Pin& p) { return (p.i == body && p.j == what) || (p.j == body && p.i == what); });
    };
    if (!carries(0, wheel))
      for (int body = 1; body < static_cast<int>(mechanism_.bodies.size()); ++body)
        if (carries(body, wheel) && (carries(body, other) || body == other)) carrier = body;
    return pivot(wheel, carrier);
  }

  // Where j turns on i: their pin, each one's origin when they have none.
  void turning(Scene::Element& e) const {
    e.pi = e.pj = Vec3<double>{};
    for (const Pin& pin : pins_) {
      if (pin.i == e.i && pin.j == e.j) return void((e.pi = pin.pi, e.pj = pin.pj));
      if (pin.i == e.j && pin.j == e.i) return void((e.pi = pin.pj, e.pj = pin.pi));
    }
  }

  const PlaneMechanism& mechanism_;
  std::vector<Pin> pins_;
};

}  // namespace

Scene scene(const PlaneMechanism& mechanism) { return PlaneScene(mechanism).run(); }

}  // namespace jounce
