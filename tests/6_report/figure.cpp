// What a drawing of the plane shows that depends on where the bodies are: spans, blocks, walls, teeth.
#include "jounce/report/plane_figure.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "jounce/api/content.hpp"
#include "jounce/api/run.hpp"
#include "jounce/base/index.hpp"
#include "jounce/report/draw/drawing.hpp"
#include "model_folders.hpp"

using namespace jounce;

namespace {

struct Watched {
  Scene scene;
  std::vector<std::vector<Frame<double>>> poses;  // of every row

  [[nodiscard]] const Scene::Element& element(std::string_view name) const {
    const auto found = std::ranges::find(scene.elements, name, &Scene::Element::name);
    REQUIRE(found != scene.elements.end());
    return *found;
  }
};

// A mechanism and its motion as its [run] says.
Watched watched(const Mechanism& mechanism) {
  const Analysis analysis = analysis_of(mechanism.run().analysis).value_or(Analysis::kinematics);
  Watched out{visit(mechanism, [](const auto& m) { return scene(m); }), {}};
  const Scene plain = out.scene;
  const Poses poses(plain, result_columns(mechanism, analysis));
  PlaneFigure figure(plain);
  (void)run(mechanism, analysis, {.to = mechanism.run().to, .steps = mechanism.run().steps}, [&](std::span<const double> row) {
    out.poses.push_back(poses.all(row));
    figure.take(out.poses.back());
    return true;
  });
  REQUIRE(!out.poses.empty());
  figure.complete(out.scene);
  return out;
}

Watched watched(const std::string& text, bool from_file) {
  const auto mechanism = from_file ? Mechanism::load(text) : Mechanism::from_text(text, "model.toml");
  REQUIRE_MESSAGE(mechanism.ok(), jounce::text(mechanism.problems()));
  return watched(*mechanism);
}
Watched watched_model(const std::string& name) { return watched(places::source() + "/models/" + name + "/model.toml", true); }

using Polygon = std::vector<Vec3<double>>;

// The outline of a gear in ground axes, tooth by tooth.
Polygon outline(const Scene::Wheel& wheel, const Frame<double>& pose) {
  Polygon out;
  const auto take = [&](double radius, double angle) { out.push_back(pose * (wheel.centre + Vec3<double>{radius * std::cos(angle), radius * std::sin(angle), 0})); };
  for (int k = 0; k < wheel.teeth; ++k) {
    const double middle = wheel.phase + k * 2 * std::numbers::pi / wheel.teeth;
    for (const auto& [radius, half] : wheel.tooth) take(radius, middle - half);
    for (auto it = wheel.tooth.rbegin(); it != wheel.tooth.rend(); ++it) take((*it)[0], middle + (*it)[1]);
  }
  return out;
}

// A stretch of a rack in ground axes, closed far behind its teeth.
Polygon outline(const Scene::Element& e, const Frame<double>& pose, double around) {
  const Vec3<double> line = e.line_i->to - e.line_i->from, d = line * (1 / length(line));
  const double sign = *e.radius > 0 ? 1 : -1, reach = std::abs(*e.radius);
  const Vec3<double> left{-d.y * sign, d.x * sign, 0};
  const auto at = [&](double along, double height) { return pose * (e.line_i->from + d * along + left * (reach - height)); };
  const int middle = static_cast<int>(std::round((around - e.rack->phase) / e.rack->pitch));
  Polygon out{at(e.rack->phase + (middle - 8.5) * e.rack->pitch, -5 * e.rack->pitch)};
  for (int k = middle - 8; k <= middle + 8; ++k) {
    const double centre = e.rack->phase + k * e.rack->pitch;
    for (const auto& [height, half] : e.rack->tooth) out.push_back(at(centre - half, height));
    for (auto it = e.rack->tooth.rbegin(); it != e.rack->tooth.rend(); ++it) out.push_back(at(centre + (*it)[1], (*it)[0]));
  }
  out.push_back(at(e.rack->phase + (middle + 8.5) * e.rack->pitch, -5 * e.rack->pitch));
  return out;
}

bool inside(const Vec3<double>& p, const Polygon& polygon) {
  bool in = false;
  for (std::size_t k = 0, last = polygon.size() - 1; k < polygon.size(); last = k++) {
    const Vec3<double>&a = polygon[k], &b = polygon[last];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
  }
  return in;
}

double to_edge(const Vec3<double>& p, const Polygon& polygon) {
  double out = 1e300;
  for (std::size_t k = 0, last = polygon.size() - 1; k < polygon.size(); last = k++) {
    const Vec3<double> d = polygon[k] - polygon[last], e = p - polygon[last];
    const double s = std::clamp(dot(d, e) / std::max(dot(d, d), 1e-300), 0.0, 1.0);
    out = std::min(out, length(e - d * s));
  }
  return out;
}

// How deep corners of one lie in the material of the other; a ring's material is outside of its outline.
double bite(const Polygon& corners, const Polygon& other, bool ring) {
  double out = 0;
  for (const Vec3<double>& p : corners)
    if (inside(p, other) != ring) out = std::max(out, to_edge(p, other));
  return out;
}

// A point of the pitch circles where they touch lies in one tooth or in one gap only.
double module_of(const Scene::Wheel& wheel) { return 2 * wheel.radius / wheel.teeth; }

constexpr double kBite = 0.09;  // of the module: flanks are drawn as chords, and those of few teeth are not undercut

}  // namespace

TEST_CASE("a slot reaches as far as its pin does") {
  // oracle: the crank pin turns on a circle of 0.10 m about O, 0.25 m above Q: it comes as near as 0.15 m to Q and as far as 0.35 m. The nearest of 211 rows
  // is at most half a step of 0.03 rad from there: cos says by how little that is less
  const Watched seen = watched_model("quick-return");
  const Scene::Element& slot = seen.element("slot");
  REQUIRE(slot.span);
  const double miss = 0.25 * 0.10 / 0.15 * (1 - std::cos(0.015)) + 1e-12;
  CHECK(std::abs((*slot.span)[0] - 0.15) <= miss);
  CHECK(std::abs((*slot.span)[1] - 0.35) <= miss);
  // and its body is drawn as long as that
  const auto& outline = seen.scene.bodies[z(slot.i)].outline;
  CHECK(outline.size() == 2);
}

TEST_CASE("a link with a slot ends at the point that its slot names, unless that is far away and only says where to") {
  // the pin of the crank comes as far as 0.28 m from Q
  for (const auto& [end, ends_at] : {std::pair{0.46, 0.46}, std::pair{0.6, 0.6}, std::pair{1.0, 0.28}}) {
    const Watched seen = watched("jounce = 1\n[ground]\npoints = { O = [0, 0], Q = [0, -0.2] }\n"
                                 "[bodies.crank]\nangle = \"60*deg\"\npoints = { O = [0, 0], A = [0.08, 0] }\n"
                                 "[bodies.lever]\nposition = [0, -0.2]\nangle = \"80*deg\"\npoints = { Q = [0, 0], T = [" + std::to_string(end) + ", 0] }\n"
                                 "[joints]\na = { type = \"revolute\", i = \"ground.O\", j = \"crank.O\" }\n"
                                 "b = { type = \"revolute\", i = \"ground.Q\", j = \"lever.Q\" }\n"
                                 "slot = { type = \"pin-in-slot\", pin = \"crank.A\", slot = [\"lever.Q\", \"lever.T\"] }\n"
                                 "[drivers]\nmotor = { type = \"angle\", i = \"ground\", j = \"crank\", motion = \"60*rpm*t\" }\n[run]\nto = 1\nsteps = 200\n", false);
    double reach = 0;
    for (const Vec3<double>& p : seen.scene.bodies[2].outline) reach = std::max(reach, p.x);
    CHECK(reach == doctest::Approx(ends_at).epsilon(1e-3));
  }
}

TEST_CASE("a body that is drawn as a box is the block of its slider, with the guide beside it") {
  // oracle: the numbers of the model, and the slider crank's closed form: the pin is r + l from O at most and l − r at least
  const std::string model = R"(
jounce = 1
name = "Compressor"
[ground]
points = { O = [0, 0], Y = [0, 1] }
[bodies.crank]
angle = "90*deg"
points = { O = [0, 0], A = [0.04, 0] }
[bodies.rod]
position = [0, 0.04]
angle = "90*deg"
points = { A = [0, 0], P = [0.13, 0] }
[bodies.piston]
position = [0, 0.17]
points = { P = [0, 0], crown = [0, 0.03] }
shape = { type = "box", centre = [0, 0.012], size = [0.08, 0.05] }
[joints]
main = { type = "revolute", i = "ground.O", j = "crank.O" }
big-end = { type = "revolute", i = "crank.A", j = "rod.A" }
small-end = { type = "revolute", i = "rod.P", j = "piston.P" }
cylinder = { type = "translational", slot = ["ground.O", "ground.Y"], slider = ["piston.P", "piston.crown"] }
[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "pi/2 + t" }
[run]
to = "2*pi"
steps = 4
)";
  const Watched seen = watched(model, false);
  const Scene::Element& cylinder = seen.element("cylinder");
  REQUIRE((cylinder.span && cylinder.block));
  CHECK(std::abs((*cylinder.span)[0] - 0.09) < 1e-12);
  CHECK(std::abs((*cylinder.span)[1] - 0.17) < 1e-12);
  CHECK(cylinder.block->own);
  CHECK(std::abs(cylinder.block->beside[0] + 0.04) < 1e-12);
  CHECK(std::abs(cylinder.block->beside[1] - 0.04) < 1e-12);
  CHECK(std::abs(cylinder.block->along[0] + 0.013) < 1e-12);
  CHECK(std::abs(cylinder.block->along[1] - 0.037) < 1e-12);
  // the box alone: the crown is in it, and the pin too
  CHECK(seen.scene.bodies[3].outline.empty());
  // the crank lies over the rod
  const auto place = [&](int body) { return std::ranges::find(seen.scene.order, body) - seen.scene.order.begin(); };
  CHECK(place(1) > place(2));
}

TEST_CASE("a cylinder of two bodies is a tube of its own length with a piston in it, and what drives its ends is not drawn once more") {
  // oracle: the model: tube and rod are 0.6 m each, and the driver has the piston 0.3 to 0.5 m from the tube's foot; seen from the rod, the tube's mouth is
  // 0.3 to 0.1 m from the piston. The other driver joins bodies that do not slide on each other
  const std::string head = "jounce = 1\n[ground]\npoints = { A = [0, 0.5], C = [0.4, 0] }\n"
                           "[bodies.boom]\nposition = [0, 0.5]\nangle = \"20*deg\"\npoints = { A = [0, 0], D = [1, 0], T = [1.6, 0] }\n"
                           "[bodies.tube]\nposition = [0.4, 0]\nangle = \"58*deg\"\npoints = { C = [0, 0], X = [0.6, 0] }\n"
                           "[bodies.rod]\nposition = [0.94, 0.84]\nangle = \"58*deg\"\npoints = { D = [0, 0], Y = [-0.6, 0] }\n"
                           "[bodies.jib]\nposition = [1.5, 1.05]\npoints = { T = [0, 0], E = [0.2, 0.3] }\n"
                           "[joints]\np = { type = \"revolute\", i = \"ground.A\", j = \"boom.A\" }\nf = { type = \"revolute\", i = \"ground.C\", j = \"tube.C\" }\n"
                           "h = { type = \"revolute\", i = \"boom.D\", j = \"rod.D\" }\ntop = { type = \"revolute\", i = \"boom.T\", j = \"jib.T\" }\n";
  const std::string drivers = "[drivers]\nlift = { type = \"distance\", i = \"ground.C\", j = \"boom.D\", motion = \"0.9 + 0.2*t\" }\n"
                              "luff = { type = \"distance\", i = \"boom.D\", j = \"jib.E\", motion = \"0.7\" }\n[run]\nto = 1\nsteps = 10\n";
  const auto reach = [](const Scene::Body& body) {
    std::array<double, 2> out{1e300, -1e300};
    for (const Vec3<double>& p : body.outline) out = {std::min(out[0], p.x), std::max(out[1], p.x)};
    return out;
  };
  for (const bool turned : {false, true}) {
    CAPTURE(turned);
    const std::string slide = turned ? "s = { type = \"translational\", slot = [\"rod.Y\", \"rod.D\"], slider = [\"tube.C\", \"tube.X\"] }\n"
                                     : "s = { type = \"translational\", slot = [\"tube.C\", \"tube.X\"], slider = [\"rod.Y\", \"rod.D\"] }\n";
    const Watched seen = watched(head + slide + drivers, false);
    const Scene::Element& s = seen.element("s");
    REQUIRE((s.block && s.span));
    CHECK(std::abs(s.block->at.x - (turned ? 0.6 : -0.6)) < 1e-12);
    CHECK(std::abs((*s.span)[0] - (turned ? 0.1 : 0.3)) < 1e-9);
    CHECK(std::abs((*s.span)[1] - (turned ? 0.3 : 0.5)) < 1e-9);
    const auto tube = reach(seen.scene.bodies[2]), rod = reach(seen.scene.bodies[3]);
    CHECK(std::abs(tube[0]) + std::abs(tube[1] - 0.6) < 1e-12);
    CHECK(std::abs(rod[0] + 0.6) + std::abs(rod[1]) < 1e-12);
    CHECK(seen.element("lift").symbol == DrawingSymbol::none);
    CHECK(seen.element("luff").symbol == DrawingSymbol::cylinder);
  }
}

TEST_CASE("a guide stands on the side that its body does not reach to") {
  // oracle: the model: the tool hangs below the ram, and the guide runs from G to H, to the left, so that its left is below
  const Watched seen = watched_model("quick-return");
  const Scene::Element& guide = seen.element("guide");
  REQUIRE(guide.block);
  CHECK_FALSE(guide.block->own);
  CHECK(guide.block->side == -1);
}

TEST_CASE("teeth that mesh are equal and stay out of each other, wherever the wheels are") {
  // oracle: equal pitch; and polygons: no corner of one lies deeper in the other than chords and undercut explain
  int pairs = 0, racks = 0;
  for (const auto& folder : jounce_test::model_folders(Space::plane, jounce_test::WithStops::too)) {
    CAPTURE(folder.filename().string());
    const Watched seen = watched((folder / "model.toml").string(), true);
    for (const Scene::Element& e : seen.scene.elements) {
      CAPTURE(e.name);
      if (e.symbol == DrawingSymbol::gears && e.wheels[0] >= 0 && (e.mesh == "external" || e.mesh == "internal")) {
        const Scene::Wheel &a = seen.scene.wheels[z(e.wheels[0])], &b = seen.scene.wheels[z(e.wheels[1])];
        REQUIRE((a.teeth > 0 && b.teeth > 0));
        CHECK(std::abs(module_of(a) - module_of(b)) < 1e-9 * module_of(a));
        for (std::size_t row = 0; row < seen.poses.size(); row += 7) {
          const Polygon pa = outline(a, seen.poses[row][z(a.body)]), pb = outline(b, seen.poses[row][z(b.body)]);
          CHECK(bite(pa, pb, b.ring) < kBite * module_of(a));
          CHECK(bite(pb, pa, a.ring) < kBite * module_of(a));
        }
        ++pairs;
      }
      if (e.rack) {
        const Scene::Wheel& wheel = seen.scene.wheels[z(e.wheels[1])];
        CHECK(std::abs(e.rack->pitch - std::numbers::pi * module_of(wheel)) < 1e-9 * e.rack->pitch);
        for (std::size_t row = 0; row < seen.poses.size(); row += 7) {
          const Vec3<double> line = e.line_i->to - e.line_i->from;
          const Frame<double>& carrier = seen.poses[row][z(e.i)];
          const double along = dot(carrier.axes * line, seen.poses[row][z(e.j)] * *e.pj - carrier * e.line_i->from) / length(line);
          const Polygon gear = outline(wheel, seen.poses[row][z(e.j)]), rack = outline(e, carrier, along);
          CHECK(bite(gear, rack, false) < kBite * module_of(wheel));
          CHECK(bite(rack, gear, false) < kBite * module_of(wheel));
        }
        ++racks;
      }
    }
  }
  CHECK(pairs >= 4);
  CHECK(racks >= 2);
}

TEST_CASE("a wall stands where a stop holds a point") {
  // oracle: the model: the ball's centre stays a radius above the floor, so that the floor is at 0, and it falls straight down
  const Watched seen = watched_model("bouncing-ball");
  REQUIRE(seen.scene.walls.size() == 1);
  const Scene::Wall& floor = seen.scene.walls[0];
  CHECK(floor.name == "floor");
  CHECK_FALSE(floor.upright);
  CHECK(floor.side == 1);
  CHECK(std::abs(floor.at) < 1e-12);
  REQUIRE(floor.span);
  for (const std::vector<Frame<double>>& poses : seen.poses) {
    const double x = (poses[z(floor.on.body)] * floor.on.p).x;
    CHECK(x >= (*floor.span)[0]);
    CHECK(x <= (*floor.span)[1]);
  }
}

TEST_CASE("what a strut or a torsion spring consists of is what its model says") {
  // oracle: the model, part by part
  const std::string model = R"(
jounce = 1
name = "Parts"
[ground]
points = { O = [0, 0] }
[bodies.bar]
mass = 1
inertia = 1
points = { O = [0, 0], E = [1, 0] }
[bodies.sled]
mass = 1
inertia = 1
position = [2, 0]
points = { E = [0, 0] }
[joints]
pin = { type = "revolute", i = "ground.O", j = "bar.O", friction = { coefficient = 0.1, radius = 0.01 } }
[forces]
coil = { type = "torsion-spring", i = "ground", j = "bar", stiffness = 2 }
brake = { type = "torsion-spring", i = "ground", j = "bar", friction = 1 }
exact = { type = "torsion-spring", i = "ground", j = "bar", friction = 1, friction_speed = 0 }
oil = { type = "torsion-spring", i = "ground", j = "bar", damping = 1 }
drag = { type = "torsion-spring", i = "ground", j = "bar", actuator = "omega^2", friction = 1 }
dashpot = { type = "spring", i = "bar.E", j = "sled.E", damping = 3 }
ram = { type = "spring", i = "bar.E", j = "sled.E", actuator = "2*l" }
engine = { type = "motor", j = "bar", stall_torque = 1, no_load_speed = 2 }
rubber = { type = "bushing", i = "ground.O", j = "bar.O", stiffness = [1, 1, 1] }
[run]
analysis = "dynamics"
to = 0.01
steps = 1
)";
  const Watched seen = watched(model, false);
  struct Expected {
    std::string_view name;
    DrawingSymbol symbol;
    bool elastic, damped, friction, actuated;
  };
  for (const Expected& x : {Expected{"coil", DrawingSymbol::spiral, true, false, false, false}, Expected{"brake", DrawingSymbol::spiral, false, false, true, false},
                            Expected{"exact", DrawingSymbol::spiral, false, false, true, false}, Expected{"oil", DrawingSymbol::spiral, false, true, false, false},
                            Expected{"drag", DrawingSymbol::spiral, false, false, true, true}, Expected{"dashpot", DrawingSymbol::spring, false, true, false, false},
                            Expected{"ram", DrawingSymbol::spring, false, false, false, true}, Expected{"engine", DrawingSymbol::motor, false, false, false, false},
                            Expected{"rubber", DrawingSymbol::bushing, false, false, false, false}, Expected{"pin", DrawingSymbol::pin, false, false, true, false}}) {
    CAPTURE(x.name);
    const Scene::Element& e = seen.element(x.name);
    CHECK(e.symbol == x.symbol);
    CHECK((e.stiffness.value_or(0) > 0) == x.elastic);
    CHECK(e.damping.has_value() == x.damped);
    CHECK(e.friction == x.friction);
    CHECK(e.actuated == x.actuated);
  }
}
