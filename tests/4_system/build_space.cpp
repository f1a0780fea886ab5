// Oracle: frames and inertias multiplied out by hand, textbook moments of inertia, and what the words of a model mean.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "jounce/space/build/checks.hpp"
#include "jounce/space/mechanism.hpp"

namespace build_space_test {

using namespace jounce;

namespace {

constexpr double kPi = std::numbers::pi;
// A handful of operations on numbers of size 1.
constexpr double kRoundOff = 1e-14;

using List = std::vector<Text>;

SpaceMechanism built(const Model& model) {
  auto result = build_space(model);
  REQUIRE_MESSAGE(result.ok(), text(result.problems()));
  return *std::move(result);
}

Model space() {
  Model model;
  model.space = Space::three;
  return model;
}

Table placed(const List& xyz, const List& rpy) { return Table{}.set("xyz", xyz).set("rpy", rpy); }

Element& join(Model& model, const std::string& name, const std::string& type, const std::string& parent, const std::string& child) {
  model.body(child);
  return model.joint(name, type).set("parent", Text(parent)).set("child", Text(child));
}

// By Rodrigues: 1 + sin a K + (1 − cos a) K².
Mat3<double> about(const Vec3<double>& axis, double angle) {
  const Mat3<double> k = skew(axis);
  const auto scaled = [](const Mat3<double>& m, double s) { return Mat3<double>{m.x * s, m.y * s, m.z * s}; };
  return identity3() + scaled(k, std::sin(angle)) + scaled(k * k, 1 - std::cos(angle));
}

// Of a link in the ground, from what a link is (tree/tree.hpp).
Frame<double> link_frame(const SpaceMechanism& m, int link) {
  Frame<double> out;
  for (; link != tree::kGround; link = m.tree.link(link).parent) {
    const tree::Link& l = m.tree.link(link);
    Frame<double> moved;
    if (l.motion != tree::Motion::fixed) {
      const double* q = &m.q[static_cast<std::size_t>(l.q)];
      switch (l.motion) {
        case tree::Motion::revolute: moved.axes = about({0, 0, 1}, q[0]); break;
        case tree::Motion::prismatic: moved.origin = {0, 0, q[0]}; break;
        case tree::Motion::screw: moved = {about({0, 0, 1}, l.turn * q[0]), {0, 0, l.advance * q[0]}}; break;
        case tree::Motion::ball: moved.axes = rotation(q[0], q[1], q[2], q[3]); break;
        case tree::Motion::free: moved = {rotation(q[0], q[1], q[2], q[3]), {q[4], q[5], q[6]}}; break;
        case tree::Motion::fixed: break;
      }
    }
    out = l.place * moved * out;
  }
  return out;
}

Frame<double> body_frame(const SpaceMechanism& m, const SpaceBody& body) { return link_frame(m, body.link) * body.frame; }

double distance(const Frame<double>& a, const Frame<double>& b) {
  return std::max({length(a.axes.x - b.axes.x), length(a.axes.y - b.axes.y), length(a.axes.z - b.axes.z), length(a.origin - b.origin)});
}

double distance(const Sym3<double>& a, const Sym3<double>& b) {
  return std::max({std::abs(a.xx - b.xx), std::abs(a.yy - b.yy), std::abs(a.zz - b.zz), std::abs(a.xy - b.xy), std::abs(a.xz - b.xz),
                   std::abs(a.yz - b.yz)});
}

std::vector<std::string> sentences(const Problems& problems) {
  std::vector<std::string> out;
  for (const Problem& problem : problems) out.push_back(problem.sentence);
  return out;
}

}  // namespace

TEST_CASE("the frame of a body is parent · origin · motion · child_origin⁻¹, for every type of joint") {
  // oracle: the motions of the joint table (spec of the articulated bodies, 3.1) as explicit rotations and shifts
  const double q = 0.7, d = -0.3, e = 1.1;
  const Vec3<double> axis{2.0 / 7, -3.0 / 7, 6.0 / 7}, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const double w = std::sqrt(1 - 0.01 - 0.04 - 0.09);
  const Mat3<double> ball = rotation(w, 0.1, 0.2, 0.3);
  struct Case {
    std::string type;
    List q;
    Frame<double> motion;
    bool has_axis;
  };
  const std::vector<Case> cases{
      {"revolute", {q}, {about(axis, q), {}}, true},
      {"prismatic", {d}, {identity3(), axis * d}, true},
      {"helical", {q}, {about(axis, q), axis * (0.05 * q)}, true},
      {"cylindrical", {q, d}, {about(axis, q), axis * d}, true},
      {"planar", {q, d, e}, {about(z, q), {d, e, 0}}, false},
      {"translation", {q, d, e}, {identity3(), {q, d, e}}, false},
      {"universal", {q, d}, {about(x, q) * about(y, d), {}}, false},
      {"gimbal", {q, d, e}, {about(z, q) * about(y, d) * about(x, e), {}}, false},
      {"spherical", {w, 0.1, 0.2, 0.3}, {ball, {}}, false},
      {"free", {w, 0.1, 0.2, 0.3, q, d, e}, {ball, {q, d, e}}, false},
      {"fixed", {}, {}, false},
      // turns about x through (0, 1, 0) (u = p × w = −z), then slides along y
      {"custom", {q, d}, Frame<double>{about(x, q), Vec3<double>{0, 1, 0} - about(x, q) * Vec3<double>{0, 1, 0}} * Frame<double>{identity3(), {0, 2 * d, 0}}, false},
  };
  const Frame<double> origin{about(z, 0.4) * about(y, -0.6) * about(x, 0.2), {0.3, -0.1, 0.8}};
  const Frame<double> child_origin{about(z, -1.2) * about(y, 0.3) * about(x, 0.5), {-0.2, 0.4, 0.1}};
  for (const Case& c : cases) {
    CAPTURE(c.type);
    Model model = space();
    join(model, "base", "revolute", "ground", "trunk")
        .set("q", List{0.9})
        .set("axis", List{0.0, 1.0, 0.0})
        .set("origin", placed({1.0, 2.0, 3.0}, {0.1, 0.0, 0.0}))
        .set("child_origin", placed({0.0, 0.5, 0.0}, {0.0, 0.0, 0.8}));
    Element& joint = join(model, "j", c.type, "trunk", "arm");
    joint.set("origin", placed({0.3, -0.1, 0.8}, {0.2, -0.6, 0.4})).set("child_origin", placed({-0.2, 0.4, 0.1}, {0.5, 0.3, -1.2}));
    joint.set("q", c.q);
    if (c.has_axis) joint.set("axis", List{2.0, -3.0, 6.0});
    if (c.type == "helical") joint.set("pitch", Text(0.05));
    if (c.type == "custom") joint.set("screws", std::vector<List>{{1.0, 0.0, 0.0, 0.0, 0.0, -1.0}, {0.0, 0.0, 0.0, 0.0, 2.0, 0.0}});
    const SpaceMechanism m = built(model);
    const Frame<double> trunk =
        Frame<double>{about(x, 0.1), {1, 2, 3}} * Frame<double>{about(y, 0.9), {}} * inverse(Frame<double>{about(z, 0.8), {0, 0.5, 0}});
    CHECK(distance(body_frame(m, m.bodies[1]), trunk) <= kRoundOff);
    CHECK(distance(body_frame(m, m.bodies[2]), trunk * origin * c.motion * inverse(child_origin)) <= kRoundOff);
    CHECK(distance(link_frame(m, m.bodies[1].link) * m.joints[1].frame, trunk * origin) <= kRoundOff);
  }
}

TEST_CASE("a body's inertia is loaded on its link where the body is") {
  // oracle: mass, centre of mass and inertia about the ground's origin by the parallel axis theorem
  Model model = space();
  model.gravity = {0.0, "-2*4.9", 1.0};
  Body& arm = model.body("arm");
  arm.mass = Text(2.5);
  arm.com = List{0.1, 0.2, -0.3};
  arm.inertia_matrix = List{0.5, 0.6, 0.7, 0.01, -0.02, 0.03};
  join(model, "hinge", "revolute", "ground", "arm")
      .set("q", List{0.8})
      .set("axis", List{1.0, 2.0, 2.0})
      .set("origin", placed({0.3, 0.0, 0.5}, {0.2, 0.1, 0.0}))
      .set("child_origin", placed({0.0, 0.4, 0.1}, {0.0, 0.7, 0.0}));
  const SpaceMechanism m = built(model);
  CHECK(m.tree.gravity == Vec3<double>{0, -9.8, 1});
  const Frame<double> body = body_frame(m, m.bodies[1]), link = link_frame(m, m.bodies[1].link);
  const tree::RigidInertia& loaded = m.tree.link(m.bodies[1].link).inertia;
  CHECK(loaded.mass == 2.5);
  const Vec3<double> com = body * Vec3<double>{0.1, 0.2, -0.3};
  CHECK(length(link * (loaded.moment * (1 / 2.5)) - com) <= kRoundOff);
  const auto shifted = [](double mass, const Vec3<double>& r) {
    return Sym3<double>{mass * (r.y * r.y + r.z * r.z), mass * (r.x * r.x + r.z * r.z), mass * (r.x * r.x + r.y * r.y),
                        -mass * r.x * r.y, -mass * r.x * r.z, -mass * r.y * r.z};
  };
  const Sym3<double> central = turned(body.axes, Sym3<double>{0.5, 0.6, 0.7, 0.01, -0.02, 0.03});
  CHECK(distance(turned(link.axes, loaded.about), central + shifted(2.5, com - link.origin)) <= 10 * kRoundOff);
}

TEST_CASE("shapes give com and inertia where they are left out") {
  // oracle: textbook moments: rod m l²/12, box m (b² + c²)/12, cylinder m r²/2 and m (3 r² + l²)/12, sphere 2/5 m r²
  const auto shaped = [](const Element& shape, const std::optional<List>& com = {}) {
    Model model = space();
    Body& body = model.body("b");
    body.mass = Text(3.0);
    body.com = com;
    body.points = {{"A", {}, {1.0, 1.0, 0.5}, {}}, {"B", {}, {1.0, 4.0, 4.5}, {}}};
    body.shape = shape;
    join(model, "j", "fixed", "ground", "b");
    return built(model).bodies[1];
  };
  const auto shape = [](const std::string& type) { return Element{"", type, {}, {}, {}}; };
  // along (0, 3, 4), 5 long: 3 · 25/12 = 6.25 across it
  const SpaceBody rod = shaped(shape("rod").set("from", Text("A")).set("to", Text("B")));
  CHECK(rod.com == Vec3<double>{1, 2.5, 2.5});
  CHECK(distance(rod.inertia, {6.25, 6.25 * 0.64, 6.25 * 0.36, 0, 0, -6.25 * 0.48}) <= kRoundOff * 10);
  const SpaceBody box = shaped(shape("box").set("centre", List{1.0, 0.0, 0.0}).set("size", List{2.0, 3.0, 4.0}));
  CHECK(box.com == Vec3<double>{1, 0, 0});
  CHECK(distance(box.inertia, {25.0 / 4, 20.0 / 4, 13.0 / 4, 0, 0, 0}) <= kRoundOff * 10);
  const SpaceBody turned_box =
      shaped(shape("box").set("centre", Text("A")).set("size", List{2.0, 3.0, 4.0}).set("rpy", List{0.0, 0.0, "90*deg"}));
  CHECK(distance(turned_box.inertia, {20.0 / 4, 25.0 / 4, 13.0 / 4, 0, 0, 0}) <= kRoundOff * 10);
  const SpaceBody cylinder = shaped(shape("cylinder").set("centre", Text("origin")).set("radius", Text(0.2)).set("length", Text(1.0)));
  CHECK(distance(cylinder.inertia, {3 * 1.12 / 12, 3 * 1.12 / 12, 3 * 0.04 / 2, 0, 0, 0}) <= kRoundOff);
  const SpaceBody lying = shaped(
      shape("cylinder").set("centre", Text("origin")).set("radius", Text(0.2)).set("length", Text(1.0)).set("axis", List{5.0, 0.0, 0.0}));
  CHECK(distance(lying.inertia, {3 * 0.04 / 2, 3 * 1.12 / 12, 3 * 1.12 / 12, 0, 0, 0}) <= kRoundOff);
  const SpaceBody sphere = shaped(shape("sphere").set("centre", Text("B")).set("radius", Text(0.5)));
  CHECK(distance(sphere.inertia, {0.3, 0.3, 0.3, 0, 0, 0}) <= kRoundOff);
  CHECK(sphere.com == Vec3<double>{1, 4, 4.5});
  // about a centre of mass that is written: (0, 1, 2) away from the middle, as in the plane
  const SpaceBody off = shaped(shape("sphere").set("centre", List{0.0, 0.0, 0.0}).set("radius", Text(0.5)), List{0.0, 1.0, 2.0});
  CHECK(distance(off.inertia, {15.3, 12.3, 3.3, 0, 0, -6}) <= kRoundOff * 10);
  CHECK(off.com == Vec3<double>{0, 1, 2});
}

TEST_CASE("joints may stand in any order; coordinates are laid out parents first, otherwise as in the file") {
  // oracle: the tree written down:  ground ─ c ─ b ─ a,  ground ─ d
  Model model = space();
  for (const char* name : {"a", "b", "c", "d"}) model.body(name);
  join(model, "ja", "planar", "b", "a").set("q", List{1.0, 2.0, 3.0}).set("v", List{1.5, 2.5, 3.5});
  join(model, "jb", "spherical", "c", "b").set("v", List{4.0, 5.0, 6.0});
  join(model, "jd", "revolute", "ground", "d").set("q", List{7.0});
  join(model, "jc", "prismatic", "ground", "c").set("q", List{"4*2"}).set("v", List{8.5});
  const SpaceMechanism m = built(model);
  CHECK(m.q == std::vector<double>{7, 8, 1, 0, 0, 0, 1, 2, 3});
  CHECK(m.v == std::vector<double>{0, 8.5, 4, 5, 6, 1.5, 2.5, 3.5});
  REQUIRE(m.joints.size() == 4);
  CHECK(m.joints[0].name == "ja");
  CHECK(m.joints[0].links.q == 6);
  CHECK(m.joints[0].links.v == 5);
  CHECK(m.joints[1].links.q == 2);
  CHECK(m.joints[3].links.v == 1);
  CHECK(m.joints[0].parent == 2);
  CHECK(m.joints[0].child == 1);
  CHECK(m.bodies[1].name == "a");
  for (int i = 0; i < m.tree.size(); ++i) CHECK(m.tree.link(i).parent < i);
  CHECK(m.dof_name(0) == "joint 'jd'");
  CHECK(m.dof_name(3) == "dof 2 of joint 'jb'");
  CHECK(m.joint_of(7).name == "ja");
}

TEST_CASE("a chain of 100000 bodies, written backwards, is put in order") {
  // oracle: body k hangs on body k − 1
  constexpr int n = 100000;
  Model model = space();
  model.bodies.reserve(n);
  for (int k = n; k >= 1; --k) {
    const std::string name = "b" + std::to_string(k);
    model.bodies.push_back({.name = name});
    model.bodies.back().mass = Text(1.0);
    Element joint{"j" + std::to_string(k), "revolute", {}, {}, {}};
    joint.set("parent", Text(k == 1 ? "ground" : "b" + std::to_string(k - 1))).set("child", Text(name));
    joint.set("origin", placed({1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}));
    model.joints.push_back(std::move(joint));
  }
  const SpaceMechanism m = built(model);
  CHECK(m.tree.size() == n);
  bool in_order = true;
  for (int k = 1; k <= n; ++k) in_order = in_order && m.bodies[static_cast<std::size_t>(n - k + 1)].link == k - 1;
  CHECK(in_order);
  // a point mass on the last axis; each of the others carries masses one metre away
  CHECK(sentences(unmoved_dofs(m, m.q)) == std::vector<std::string>{"no inertia is moved by dof 1 of joint 'j100000'"});
}

TEST_CASE("dofs: springs, torques and motions; an active dof begins where its motion does") {
  // oracle: what is written; f(0) = 0.5 and f'(0) = 3
  Model model = space();
  const Table spring = Table{}.set("stiffness", Text("2*k")).set("damping", Text(0.1)).set("rest", Text(-0.2)).set("torque", Text("sin(t)"));
  model.parameter("k", 1.5);
  join(model, "u", "universal", "ground", "a").set("dofs", std::vector<Table>{spring, Table{}.set("motion", Text("0.5 + sin(3*t)"))});
  join(model, "free", "spherical", "a", "b").set("dofs", std::vector<Table>{{}, Table{}.set("torque", Text(2.0)), {}});
  const SpaceMechanism m = built(model);
  REQUIRE(m.dofs.size() == 5);
  CHECK(m.dofs[0].stiffness == 3);
  CHECK(m.dofs[0].damping == 0.1);
  CHECK(m.dofs[0].rest == -0.2);
  CHECK(!m.dofs[0].active());
  double value = 0;
  REQUIRE(m.dofs[0].torque);
  REQUIRE(!m.dofs[0].torque->of_time().evaluate(0.5, value));
  CHECK(value == std::sin(0.5));
  CHECK(m.dofs[1].active());
  CHECK(m.q[1] == 0.5);
  CHECK(m.v[1] == 3);
  CHECK(m.dofs[3].torque);
  CHECK(!m.dofs[4].torque);
}

TEST_CASE("a quaternion is made a unit one on reading") {
  // oracle: (0.6, 0, 0.8, 0) has length 1; 5e-7 off is allowed
  Model model = space();
  join(model, "j", "spherical", "ground", "b").set("q", List{"0.6*(1 + 5e-7)", 0.0, "0.8*(1 + 5e-7)", 0.0});
  const SpaceMechanism m = built(model);
  CHECK(std::abs(m.q[0] - 0.6) <= 2e-16);
  CHECK(std::abs(m.q[2] - 0.8) <= 2e-16);
}

TEST_CASE("couplings, loops, forces, base and run are resolved") {
  // oracle: the places they were given
  Model model = space();
  model.ground.points = {{"P", {}, {1.0, 0.0, 0.0}, {0.0, "pi/2", 0.0}}};
  join(model, "last", "revolute", "b", "c");
  join(model, "wrist", "gimbal", "a", "b");
  join(model, "base", "free", "ground", "a");
  model.body("a").points = {{"Q", {}, {0.0, 2.0, 0.0}, {}}};
  model.body("c").com = List{0.0, 0.0, 3.0};
  Element coupling{"k", "", {}, {}, {}};
  coupling.set("i", Text("last")).set("j", Text("wrist.2")).set("ratio", Text("-1/2")).set("offset", Text(0.25));
  model.couplings.push_back(coupling);
  model.loops.push_back(Element{"l", "helical", {}, {}, {}});
  model.loops.back().set("i", Text("c.com")).set("j", Text("ground.P")).set("pitch", Text(0.1)).set("axis", List{0.0, 3.0, 0.0});
  const auto force = [&](const std::string& name, const std::string& type) -> Element& {
    return model.forces.emplace_back(Element{name, type, {}, {}, {}});
  };
  force("f", "force").set("on", Text("a.Q")).set("value", List{1.0, "2*t", 0.0}).set("frame", Text("body"));
  force("w", "wrench").set("on", Text("b")).set("value", List{1.0, 2.0, 3.0, 4.0, 5.0, "t"});
  force("m", "moment").set("on", Text("c")).set("value", List{0.0, 0.0, 1.0});
  force("s", "spring").set("i", Text("ground.P")).set("j", Text("a.Q")).set("stiffness", Text(9.0)).set("free_length", Text(0.5)).set("actuator", Text("l*v + t"));
  model.base = BaseSection{{}, Text("zero")};
  model.run = RunSection{{}, Text("dynamics"), Text("2*pi"), Text(50.0)};
  const SpaceMechanism m = built(model);
  // the tree: base (6 dofs), wrist (3), last (1)
  REQUIRE(m.couplings.size() == 1);
  CHECK(m.couplings[0].i == 9);
  CHECK(m.couplings[0].j == 7);
  CHECK(m.couplings[0].ratio == -0.5);
  CHECK(m.couplings[0].offset == 0.25);
  REQUIRE(m.loops.size() == 1);
  CHECK(m.loops[0].i == 1);
  CHECK(m.loops[0].j == 0);
  CHECK(m.loops[0].frame_i.origin == Vec3<double>{0, 0, 3});
  CHECK(distance(m.loops[0].frame_j, {about({0, 1, 0}, kPi / 2), {1, 0, 0}}) <= kRoundOff);
  REQUIRE(m.loops[0].steps.size() == 1);
  CHECK(m.loops[0].steps[0].axis == Vec3<double>{0, 1, 0});
  CHECK(m.loops[0].steps[0].advance == 0.1);
  REQUIRE(m.forces.size() == 4);
  const auto* push = std::get_if<tree::forces::Force>(&m.forces[0].law);
  REQUIRE(push != nullptr);
  CHECK(push->on.body == 3);
  CHECK(push->on.p == Vec3<double>{0, 2, 0});
  CHECK(push->frame == tree::Axes::body);
  const auto* wrench = std::get_if<tree::forces::Wrench>(&m.forces[1].law);
  REQUIRE(wrench != nullptr);
  CHECK(wrench->value.size() == 6);
  CHECK(wrench->frame == tree::Axes::ground);
  const auto* moment = std::get_if<tree::forces::Moment>(&m.forces[2].law);
  REQUIRE(moment != nullptr);
  CHECK(moment->on.body == 1);
  const auto* spring = std::get_if<tree::forces::Spring>(&m.forces[3].law);
  REQUIRE(spring != nullptr);
  CHECK(spring->i.body == 0);
  CHECK(spring->i.p == Vec3<double>{1, 0, 0});
  CHECK(spring->j.body == 3);
  CHECK(spring->friction_speed == 1e-3);
  REQUIRE(spring->actuator);
  CHECK(spring->actuator->expression.variables() == std::vector<std::string>{"l", "v", "t"});
  CHECK(m.start == SpaceMechanism::Start::zero_momentum);
  CHECK(m.run.analysis == "dynamics");
  CHECK(m.run.to == 2 * kPi);
  CHECK(m.run.steps == 50);
}

TEST_CASE("passive dofs that move no inertia are named") {
  // oracle: statics: what a dof moves can be seen on the drawing
  const auto mass = [](Model& model, const char* name, double m, const List& com, const List& inertia) {
    Body& body = model.body(name);
    body.mass = Text(m);
    body.com = com;
    body.inertia_matrix = inertia;
  };
  const List none(6, 0.0), middle(3, 0.0);
  const auto named = [](const Model& model) {
    const SpaceMechanism m = built(model);
    return sentences(unmoved_dofs(m, m.q));
  };
  using Names = std::vector<std::string>;
  const auto no = [](int k, const std::string& joint) { return "no inertia is moved by dof " + std::to_string(k) + " of joint '" + joint + "'"; };

  Model leaf = space();  // a leaf without mass
  join(leaf, "j", "revolute", "ground", "a");
  join(leaf, "k", "cylindrical", "a", "b");
  mass(leaf, "a", 1, {1.0, 0.0, 0.0}, none);
  CHECK(named(leaf) == Names{no(1, "k"), no(2, "k")});
  leaf.joints[1].set("dofs", std::vector<Table>{Table{}.set("motion", Text("t")), {}});
  CHECK(named(leaf) == Names{no(2, "k")});  // a dof that follows a motion needs no inertia

  Model on_axis = space();  // a point mass on the axis, up to rounding
  join(on_axis, "j", "revolute", "ground", "a").set("axis", List{1.0, 2.0, 3.0}).set("child_origin", placed({0.1, 0.2, 0.3}, middle));
  mass(on_axis, "a", 1, {0.2, 0.4, 0.6}, none);
  CHECK(named(on_axis) == Names{no(1, "j")});
  on_axis.body("a").com = List{0.1, 0.2, 0.3};
  for (int k = 0; k < 20; ++k) {
    on_axis.joints[0].set("child_origin", placed({0.1, 0.2, 0.3}, {0.3, 0.17 * k, -0.4}));
    CHECK(named(on_axis) == Names{no(1, "j")});
  }
  on_axis.body("a").com = List{0.1, 0.2, 0.301};
  CHECK(named(on_axis).empty());

  Model twice = space();  // two hinges on one axis with nothing between: each moves the mass, but not both
  join(twice, "j", "revolute", "ground", "a");
  join(twice, "k", "revolute", "a", "b");
  mass(twice, "b", 2, {0.5, 0.0, 0.0}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0});
  CHECK(named(twice) == Names{no(1, "j")});
  twice.joints[1].set("origin", placed({0.4, 0.0, 0.0}, middle)).set("q", List{0.5});
  CHECK(named(twice).empty());

  Model needle = space();  // a thin rod on a ball joint: its own axis
  join(needle, "j", "spherical", "ground", "a");
  mass(needle, "a", 1, {0.0, 0.0, 0.5}, {0.1, 0.1, 0.0, 0.0, 0.0, 0.0});
  CHECK(named(needle) == Names{no(3, "j")});

  Model stone = space();  // a point that floats
  join(stone, "j", "free", "ground", "a").set("q", List{0.6, 0.8, 0.0, 0.0, 1.0, 2.0, 3.0});
  mass(stone, "a", 1, middle, none);
  CHECK(named(stone) == Names{no(1, "j"), no(2, "j"), no(3, "j")});

  Model elastic = space();  // a slider without mass on a pendulum's arm carries the mass: every dof moves it
  join(elastic, "turn", "revolute", "ground", "arm").set("axis", List{0.0, 1.0, 0.0});
  join(elastic, "stretch", "prismatic", "arm", "bob").set("q", List{0.3});
  mass(elastic, "bob", 1, middle, none);
  CHECK(named(elastic).empty());
}

TEST_CASE("masses that an analysis needs are asked for by name") {
  Model model = space();
  model.file = "arm.toml";
  join(model, "j", "revolute", "ground", "a");
  join(model, "k", "revolute", "a", "b");
  model.body("a").where = {7, 9};
  model.body("b").mass = Text(0.0);
  CHECK(text(missing_masses(built(model), "inverse dynamics", "0 for a body without mass")) ==
        "arm.toml:7:9: error: body 'a': 'mass' is missing: inverse dynamics needs it (0 for a body without mass)\n");
}

}  // namespace build_space_test
