// A mechanism as something to draw.
#include "jounce/report/scene.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/base/index.hpp"
#include "jounce/io/load.hpp"
#include "jounce/io/read_model.hpp"
#include "model_folders.hpp"

using namespace jounce;

namespace {

// Every element of the model, once, with its type; the bodies in their order.
void check_complete(const Scene& drawn, const Model& model) {
  const auto expect = [&](Group group, const std::vector<Element>& elements) {
    for (const Element& element : elements) {
      CAPTURE(element.name);
      const auto is_it = [&](const Scene::Element& e) {
        return e.name == element.name && e.group == group && (!has_type(group) || e.type == element.type);
      };
      CHECK(std::ranges::count_if(drawn.elements, is_it) == 1);
    }
  };
  expect(Group::joint, model.joints);
  expect(Group::driver, model.drivers);
  expect(Group::force, model.forces);
  expect(Group::loop, model.loops);
  expect(Group::coupling, model.couplings);
  CHECK(drawn.elements.size() == model.joints.size() + model.drivers.size() + model.forces.size() + model.loops.size() +
                                     model.couplings.size());
  REQUIRE(drawn.bodies.size() == model.bodies.size() + 1);
  for (std::size_t b = 0; b < drawn.bodies.size(); ++b) {
    const Body& body = b == 0 ? model.ground : model.bodies[b - 1];
    CHECK(drawn.bodies[b].name == body.name);
    CHECK(drawn.bodies[b].points.size() == body.points.size());
    CHECK(drawn.bodies[b].shape.has_value() == body.shape.has_value());
    CHECK(drawn.bodies[b].com.has_value() == (b > 0));
  }
  const int bodies = static_cast<int>(drawn.bodies.size());
  for (const Scene::Element& e : drawn.elements) {
    CAPTURE(e.name);
    for (const int body : {e.i, e.j, e.arm}) CHECK((body >= -1 && body < bodies));
    CHECK((e.j >= 0 || e.i >= 0));
  }
  CHECK(drawn.size > 0);
}

// Where a place of a body is, at a position q of the centres of mass. The way from the origin to the centre of mass is the body's own.
Vec2<double> placed(const PlaneMechanism& m, std::span<const double> q, int body, const Vec3<double>& p) {
  if (body == 0) return {p.x, p.y};
  const std::size_t at = 3 * (z(body) - 1);
  const Vec2<double> com = m.bodies[z(body)].com;
  const double c = std::cos(q[at + 2]), s = std::sin(q[at + 2]), x = p.x - com.x, y = p.y - com.y;
  return {q[at] + c * x - s * y, q[at + 1] + s * x + c * y};
}

struct PlaneCheck {
  const PlaneMechanism& mechanism;
  std::span<const double> q;
  double tolerance;

  [[nodiscard]] Vec2<double> at(int body, const Vec3<double>& p) const { return placed(mechanism, q, body, p); }

  // What each type of joint means, said in the places of the scene.
  void operator()(const Scene::Element& e) const {
    CAPTURE(e.name);
    CAPTURE(e.type);
    if (e.type == "revolute" || e.type == "weld") CHECK(length(at(e.i, *e.pi) - at(e.j, *e.pj)) < tolerance);
    if (e.type == "distance" && e.length) CHECK(std::abs(length(at(e.i, *e.pi) - at(e.j, *e.pj)) - *e.length) < tolerance);
    if (e.type == "pin-in-slot") on_line(e, *e.pj);
    if (e.type == "translational") {
      on_line(e, e.line_j->from);
      on_line(e, e.line_j->to);
    }
    if (e.type == "parallel") {
      const auto a = at(e.i, e.line_i->to) - at(e.i, e.line_i->from), b = at(e.j, e.line_j->to) - at(e.j, e.line_j->from);
      CHECK(std::abs(cross(a, b)) < tolerance * length(a));
    }
    if (e.type == "gear" && e.radii) CHECK(std::abs(std::abs(*e.ratio) - (*e.radii)[0] / (*e.radii)[1]) < 1e-14 * std::abs(*e.ratio));
  }

  void on_line(const Scene::Element& e, const Vec3<double>& pin) const {
    const auto a = at(e.i, e.line_i->to) - at(e.i, e.line_i->from), d = at(e.j, pin) - at(e.i, e.line_i->from);
    CHECK(std::abs(cross(a, d)) < tolerance * length(a));
  }
};

}  // namespace

TEST_CASE("the scene of every planar model is complete, and its joints are closed where the mechanism is assembled") {
  // oracle: the model file's own elements; what each type of joint means
  for (const auto& folder : jounce_test::model_folders(Space::plane, jounce_test::WithStops::too)) {
    CAPTURE(folder.filename().string());
    const std::string file = (folder / "model.toml").string();
    const auto mechanism = load_plane(file);
    REQUIRE(mechanism.ok());
    const Scene drawn = scene(*mechanism);
    CHECK_FALSE(drawn.space);
    check_complete(drawn, parse_model_file(file).model);
    const Assembly assembly = assemble(*mechanism);
    REQUIRE(assembly.assembled);
    for (const Scene::Element& e : drawn.elements) PlaneCheck{*mechanism, assembly.q, 1e-9 * drawn.size}(e);
  }
}

TEST_CASE("the scene of every spatial model is complete, and its frames belong to their bodies") {
  // oracle: the model file's own elements; origin and child_origin as they are written
  for (const auto& folder : jounce_test::model_folders(Space::three)) {
    CAPTURE(folder.filename().string());
    const std::string file = (folder / "model.toml").string();
    const auto mechanism = load_space(file);
    REQUIRE(mechanism.ok());
    const Scene drawn = scene(*mechanism);
    CHECK(drawn.space);
    check_complete(drawn, parse_model_file(file).model);
    for (const Scene::Element& e : drawn.elements) {
      CAPTURE(e.name);
      if (e.group != Group::joint && e.group != Group::loop) continue;
      REQUIRE((e.frame_i && e.frame_j));
      if (e.axis) CHECK(std::abs(length(*e.axis) - 1) < 1e-14);
    }
  }
}

TEST_CASE("joint frames in space are those of the model file, and axes too") {
  // oracle: the numbers written in the model
  const auto read = parse_model(R"(
jounce = 1
name = "frames"
space = "3d"
[bodies.a]
mass = 1
com = [0.1, 0, 0]
inertia = [1, 1, 1, 0, 0, 0]
points = { P = [0.5, 0, 0] }
shape = { type = "box", centre = [0.1, 0.2, 0.3], size = [1, 2, 3], rpy = [0.1, 0.2, 0.3] }
[bodies.b]
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
shape = { type = "cylinder", centre = [0, 0, 1], radius = 0.2, length = 2, axis = [0, 0, 3] }
[bodies.c]
mass = 2
shape = { type = "sphere", centre = [0, 1, 0], radius = 0.3 }
[bodies.d]
mass = 2
points = { P = [0, 0, 0], Q = [0, 0, 1] }
shape = { type = "rod", from = "P", to = "Q" }
[joints.one]
type = "revolute"
parent = "ground"
child = "a"
origin = { xyz = [1, 2, 3], rpy = [0, 0, 0] }
child_origin = { xyz = [0.1, 0.2, 0.3] }
axis = [0, 2, 0]
[joints.two]
type = "prismatic"
parent = "a"
child = "b"
origin = { xyz = [0, 0, 4], rpy = [0, 0, 1.5707963267948966] }
axis = [1, 0, 0]
[joints.three]
type = "spherical"
parent = "b"
child = "c"
[joints.four]
type = "helical"
parent = "c"
child = "d"
pitch = 0.02
[forces.pull]
type = "spring"
i = "ground.origin"
j = "a.P"
stiffness = 10
damping = 3
free_length = 0.2
[couplings.pair]
i = "one"
j = "two"
ratio = 0.5
)",
                                "frames.toml");
  const auto mechanism = build_space(read.model);
  INFO(text(mechanism.problems()));
  REQUIRE(mechanism.ok());
  const Scene s = scene(*mechanism);
  const auto near = [](const Vec3<double>& a, const Vec3<double>& b) { return length(a - b) < 1e-14; };
  CHECK(near(s.elements[0].frame_i->origin, {1, 2, 3}));
  CHECK(near(s.elements[0].frame_j->origin, {0.1, 0.2, 0.3}));
  CHECK(near(*s.elements[0].axis, {0, 1, 0}));
  CHECK(s.elements[0].i == 0);
  CHECK(s.elements[0].j == 1);
  CHECK(near(s.elements[1].frame_i->origin, {0, 0, 4}));
  CHECK(near(s.elements[1].frame_i->axes.x, {0, 1, 0}));
  CHECK(near(*s.elements[1].axis, {1, 0, 0}));
  CHECK_FALSE(s.elements[2].axis.has_value());
  CHECK_FALSE(s.elements[0].pitch.has_value());
  CHECK(s.elements[3].pitch == 0.02);
  const Scene::Element& spring = s.elements[4];
  CHECK(spring.type == "spring");
  CHECK(spring.i == 0);
  CHECK(near(*spring.pj, {0.5, 0, 0}));
  CHECK(*spring.stiffness == 10);
  CHECK(spring.damping == 3);
  CHECK(s.elements[5].coupled == std::array<std::string, 2>{"one", "two"});
  CHECK(s.bodies[1].shape->kind == BodyShape::Kind::box);
  CHECK(near(s.bodies[1].shape->centre, {0.1, 0.2, 0.3}));
  CHECK(near(s.bodies[1].shape->size, {1, 2, 3}));
  CHECK(near(s.bodies[1].shape->rpy, {0.1, 0.2, 0.3}));
  CHECK(near(s.bodies[2].shape->from, {0, 0, 0}));
  CHECK(near(s.bodies[2].shape->to, {0, 0, 2}));
  CHECK(s.bodies[2].shape->radius == 0.2);
  CHECK(s.bodies[3].shape->kind == BodyShape::Kind::sphere);
  CHECK(near(s.bodies[4].shape->to, {0, 0, 1}));
}

TEST_CASE("shapes, wheels and pins of the plane are where the model has them, from the body's origin") {
  // oracle: the numbers written in the model; the centres of mass lie elsewhere on purpose
  const auto read = parse_model(R"(
jounce = 1
name = "wheels"
[ground]
points = { O = [0, 0], Q = [0.3, 0], X = [1, 0] }
[bodies.a]
mass = 1
inertia = 1
com = [0.05, 0.02]
points = { C = [0.01, 0], R = [0.2, 0] }
shape = { type = "disc", centre = "C", radius = 0.1 }
[bodies.b]
position = [0.3, 0]
mass = 1
com = [-0.01, 0]
points = { C = [0, 0] }
shape = { type = "box", centre = [0, 0.01], size = [0.4, 0.2], angle = "30*deg" }
[bodies.c]
mass = 1
position = [0.5, 0.1]
points = { S = [0.02, 0], T = [0.1, 0] }
shape = { type = "bar", from = "S", to = "T" }
[joints.pa]
type = "revolute"
i = "ground.O"
j = "a.C"
[joints.pb]
type = "revolute"
i = "b.C"
j = "ground.Q"
[joints.mesh]
type = "gear"
i = "a"
j = "b"
radii = [0.1, 0.2]
[joints.plain]
type = "gear-on-arm"
i = "a"
j = "b"
arm = "c"
ratio = -2
[joints.slot]
type = "pin-in-slot"
slot = ["ground.O", "ground.X"]
pin = "c.S"
[joints.track]
type = "rolling"
line = ["ground.O", "ground.X"]
wheel = "c.S"
radius = -0.1
[joints.tie]
type = "coordinate"
j = "c.phi"
[drivers.motor]
type = "angle"
i = "ground"
j = "a"
motion = "t"
[drivers.lift]
type = "coordinate"
i = "a.x"
j = "c.y"
ratio = 3
motion = "t"
[forces.push]
type = "force"
on = "c.T"
value = [1, 0]
frame = "body"
[forces.twist]
type = "torsion-spring"
i = "ground"
j = "b"
stiffness = 4
)",
                                "wheels.toml");
  const auto mechanism = build_plane(read.model);
  INFO(text(mechanism.problems()));
  REQUIRE(mechanism.ok());
  const Scene s = scene(*mechanism);
  const auto named = [&](std::string_view name) { return *std::ranges::find(s.elements, name, &Scene::Element::name); };
  const auto near = [](const Vec3<double>& a, double x, double y) { return length(a - Vec3<double>{x, y, 0}) < 1e-15; };
  CHECK(near(s.bodies[1].points[1].p, 0.2, 0));
  CHECK(near(*s.bodies[1].com, 0.05, 0.02));
  CHECK(s.bodies[1].shape->radius == 0.1);
  CHECK(near(s.bodies[1].shape->centre, 0.01, 0));
  CHECK(near(s.bodies[2].shape->centre, 0, 0.01));
  CHECK(near(s.bodies[2].shape->size, 0.4, 0.2));
  CHECK(std::abs(s.bodies[2].shape->rpy.z - std::acos(-1.0) / 6) < 1e-15);
  CHECK(near(s.bodies[3].shape->from, 0.02, 0));
  CHECK(near(s.bodies[3].shape->to, 0.1, 0));
  CHECK(near(*named("pa").pj, 0.01, 0));
  CHECK(near(*named("mesh").pi, 0.01, 0));
  CHECK(near(*named("mesh").pj, 0, 0));
  CHECK(named("mesh").mesh == "external");
  CHECK(*named("mesh").radii == std::array{0.1, 0.2});
  CHECK(*named("mesh").ratio == -0.5);
  CHECK_FALSE(named("plain").radii.has_value());
  CHECK(*named("plain").ratio == -2);
  CHECK(named("plain").arm == 3);
  CHECK(named("slot").i == 0);
  CHECK(near(named("slot").line_i->to, 1, 0));
  CHECK(near(*named("slot").pj, 0.02, 0));
  CHECK(*named("track").radius == -0.1);
  CHECK(named("tie").what == "phi");
  CHECK(named("tie").i == -1);
  CHECK(near(*named("motor").pi, 0, 0));
  CHECK(near(*named("motor").pj, 0.01, 0));
  CHECK(named("lift").what_i == "x");
  CHECK(*named("lift").ratio == 3);
  CHECK(named("push").body_axes);
  CHECK(near(*named("push").pj, 0.1, 0));
  CHECK(near(*named("twist").pi, 0.3, 0));
  CHECK(*named("twist").stiffness == 4);
}
