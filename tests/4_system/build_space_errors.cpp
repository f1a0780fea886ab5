// Models of space that are well written and mean nothing: word for word what a user reads about them.
#include <doctest/doctest.h>

#include <functional>

#include "jounce/space/mechanism.hpp"

namespace build_space_errors_test {

using namespace jounce;

namespace {

using List = std::vector<Text>;

Element& join(Model& model, const std::string& name, const std::string& type, const std::string& parent, const std::string& child) {
  return model.joint(name, type).set("parent", Text(parent)).set("child", Text(child));
}

// Ground ─ revolute j ─ arm ─ spherical k ─ hand, and nothing wrong with it.
Model good() {
  Model model;
  model.space = Space::three;
  model.ground.points = {{"P", {}, {0.0, 0.0, 1.0}, {}}};
  Body& arm = model.body("arm");
  arm.mass = Text(2.0);
  arm.points = {{"A", {}, {0.0, 0.0, 0.0}, {}}, {"B", {}, {1.0, 0.0, 0.0}, {}}};
  model.body("hand");
  join(model, "j", "revolute", "ground", "arm");
  join(model, "k", "spherical", "arm", "hand");
  return model;
}

Element& joint(Model& model, std::string_view name) {
  for (Element& element : model.joints)
    if (element.name == name) return element;
  return model.joints.front();
}

Element& add(std::vector<Element>& list, const std::string& name, const std::string& type) {
  return list.emplace_back(Element{name, type, {}, {}, {}});
}

std::vector<Table> dofs(const Table& table) { return {table}; }

// What is said about the model after `spoil`.
std::string said(const std::function<void(Model&)>& spoil, bool refused) {
  Model model = good();
  spoil(model);
  const auto result = build_space(model);
  CHECK(result.ok() != refused);
  return text(result.problems());
}
std::string refusal(const std::function<void(Model&)>& spoil) { return said(spoil, true); }
std::string remark(const std::function<void(Model&)>& spoil) { return said(spoil, false); }

}  // namespace

TEST_CASE("bodies: masses, inertias and shapes that no body has") {
  CHECK(remark([](Model&) {}).empty());
  CHECK(refusal([](Model& m) { m.body("arm").mass = Text(-1.0); }) == "error: body 'arm': mass: must not be negative, found -1\n");
  CHECK(refusal([](Model& m) { m.body("arm").com = List{1.0, 2.0}; }) ==
        "error: body 'arm': com: expected three numbers [x, y, z], found 2\n");
  CHECK(refusal([](Model& m) { m.gravity = {0.0, -9.81}; }) == "error: gravity: expected three numbers [x, y, z], found 2\n");
  CHECK(refusal([](Model& m) { m.body("arm").inertia_matrix = List{1.0, 1.0, 1.0}; }) ==
        "error: body 'arm': inertia: expected six numbers [ixx, iyy, izz, ixy, ixz, iyz], found 3\n");
  CHECK(refusal([](Model& m) { m.body("arm").inertia = Text(1.0); }) ==
        "error: body 'arm': inertia: expected six numbers [ixx, iyy, izz, ixy, ixz, iyz], found one\n");
  CHECK(refusal([](Model& m) { m.body("hand").inertia_matrix = List{1.0, 1.0, 1.0, 0.0, 0.0, 0.0}; }) ==
        "error: body 'hand': inertia: 'mass' is missing: an inertia needs it (0 for a body without mass)\n");
  CHECK(refusal([](Model& m) { m.body("arm").inertia_matrix = List{1.0, 3.0, 1.0, 0.0, 0.0, 0.0}; }) ==
        "error: body 'arm': inertia: principal moments 1, 1, 3 cannot belong to a body: the largest exceeds the sum of the others"
        "\n  hint: inertia_as_written = true takes it as it is, as for robots from elsewhere\n");
  // [2 1.5; 1.5 2]: moments 0.5 and 3.5
  CHECK(refusal([](Model& m) { m.body("arm").inertia_matrix = List{2.0, 2.0, 1.0, 1.5, 0.0, 0.0}; }) ==
        "error: body 'arm': inertia: principal moments 0.5, 1, 3.5 cannot belong to a body: the largest exceeds the sum of the others"
        "\n  hint: inertia_as_written = true takes it as it is, as for robots from elsewhere\n");
  // [1 2; 2 1]: moments −1 and 3
  CHECK(refusal([](Model& m) { m.body("arm").inertia_matrix = List{1.0, 1.0, 2.0, 2.0, 0.0, 0.0}; }) ==
        "error: body 'arm': inertia: no principal moment may be negative, found -1, 2, 3"
        "\n  hint: inertia_as_written = true takes it as it is, as for robots from elsewhere\n");
  // who wants it gets it
  for (const List& inertia : {List{1.0, 3.0, 1.0, 0.0, 0.0, 0.0}, List{1.0, 1.0, 2.0, 2.0, 0.0, 0.0}})
    CHECK(remark([&](Model& m) { m.body("arm").inertia_matrix = inertia, m.body("arm").inertia_as_written = true; }).empty());
  // of a mechanism of kilograms and metres, 1e-20 kg m² is rounding: zero, and told; a body can have 1e-20 three times
  CHECK(remark([](Model& m) { m.body("arm").inertia_matrix = List{"1e-20", 0.0, "-1e-35", 0.0, 0.0, 0.0}, m.body("arm").com = List{1.0, 0.0, 0.0}; }) ==
        "warning: body 'arm': inertia: no body has principal moments -1e-35, 0, 1e-20, and they are too small to matter here: they are taken as zero\n");
  CHECK(remark([](Model& m) { m.body("arm").inertia_matrix = List{"1e-20", "1e-20", "1e-20", 0.0, 0.0, 0.0}; }).empty());
  // a plate: equality, and what rounding makes of it
  CHECK(remark([](Model& m) { m.body("arm").inertia_matrix = List{1.0, 2.0, "3 + 1e-10", 0.0, 0.0, 0.0}; }).empty());
  CHECK(remark([](Model& m) {
          m.body("arm").mass = Text(0.0);
          m.body("arm").inertia_matrix = List{1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
        }) == "warning: body 'arm': a body without mass has an inertia: it resists turning, but has no weight\n");
  CHECK(refusal([](Model& m) { m.body("arm").angle = Text(1.0); }) ==
        "error: body 'arm': a body of space has no position, angle, velocity or spin of its own: its joint has q and v\n");
  CHECK(refusal([](Model& m) { m.body("arm").points.push_back({"A", {}, {0.0, 0.0, 0.0}, {}}); }) ==
        "error: body 'arm': point 'A': this point is there already\n");
  CHECK(refusal([](Model& m) { m.body("arm").points[0].rpy = {0.0, 1.0}; }) ==
        "error: body 'arm': point 'A': rpy: expected three numbers [x, y, z], found 2\n");
  CHECK(refusal([](Model& m) { m.body("arm").com = List{1e200, 0.0, 0.0}; }) ==
        "error: body 'arm': its mass, com or inertia is too large\n");

  const auto shape = [](Element element) {
    return refusal([&](Model& m) { m.body("arm").shape = element; });
  };
  const auto of = [](const std::string& type) { return Element{"", type, {}, {}, {}}; };
  CHECK(shape(of("disc")) == "error: body 'arm': shape: unknown type 'disc' (there are rod, box, cylinder, sphere)\n");
  CHECK(shape(of("rod").set("from", Text("A"))) == "error: body 'arm': shape: 'to' is missing: expected the other end\n");
  CHECK(shape(of("rod").set("from", Text("A")).set("to", Text("C"))) ==
        "error: body 'arm': shape: to: body 'arm' has no point 'C' (it has A, B)\n");
  CHECK(shape(of("rod").set("from", Text("A")).set("to", List{0.0, 0.0, 0.0})) ==
        "error: body 'arm': shape: the two ends of the rod coincide\n");
  CHECK(shape(of("sphere").set("centre", Text("A")).set("radius", Text(0.0))) ==
        "error: body 'arm': shape: radius: must be greater than 0, found 0\n");
  CHECK(shape(of("box").set("centre", Text("A")).set("size", List{1.0, -2.0, 3.0})) ==
        "error: body 'arm': shape: size: all three must be greater than 0, found [1, -2, 3]\n");
  CHECK(shape(of("cylinder").set("centre", Text("A")).set("radius", Text(1.0)).set("length", Text(1.0)).set("axis", List{0.0, 0.0, 0.0})) ==
        "error: body 'arm': shape: axis has no direction, found [0, 0, 0]\n");
}

TEST_CASE("joints: shapes, positions and rates that do not fit") {
  const auto with = [](const std::string& name, const std::string& type, const std::string& key, const Value& value) {
    return refusal([&](Model& m) {
      joint(m, name).type = type;
      joint(m, name).set(key, value);
    });
  };
  CHECK(with("j", "hinge", "q", List{}) == "error: joint 'j': unknown type 'hinge'\n");
  CHECK(with("j", "distance", "q", List{}) == "error: joint 'j': unknown type 'distance'\n");
  CHECK(with("j", "revolute", "axis", List{0.0, "1 - 1", 0.0}) == "error: joint 'j': axis has no direction, found [0, 0, 0]\n");
  CHECK(with("j", "revolute", "axis", Text("z")) == "error: joint 'j': axis: expected three numbers [x, y, z]\n");
  CHECK(with("j", "revolute", "axis", List{0.0, "l", 0.0}) == "error: joint 'j': axis: unknown name 'l'\n");
  CHECK(with("j", "helical", "axis", List{0.0, 0.0, 1.0}) ==
        "error: joint 'j': 'pitch' is missing: expected a number, or an expression in quotes\n");
  CHECK(with("j", "custom", "q", List{}) == "error: joint 'j': 'screws' is missing: expected a list of screws such as [[0, 0, 1, 0, 0, 0]]\n");
  CHECK(with("j", "custom", "screws", std::vector<List>{}) ==
        "error: joint 'j': screws: expected at least one screw [wx, wy, wz, ux, uy, uz]\n");
  CHECK(with("j", "custom", "screws", std::vector<List>{List(6, 1.0), List(6, 0.0)}) ==
        "error: joint 'j': screws: screw 2 is zero: it moves nothing\n");
  CHECK(with("j", "custom", "screws", std::vector<List>{List(5, 1.0)}) ==
        "error: joint 'j': screws: screw 1: expected six numbers [wx, wy, wz, ux, uy, uz], found 5\n");
  CHECK(with("j", "custom", "screws", std::vector<List>{List(6, 1e-200)}) ==
        "error: joint 'j': the numbers of screw 1 are too large or too small\n");
  CHECK(with("j", "revolute", "origin", Table{}.set("xyz", List{1.0})) ==
        "error: joint 'j': origin: xyz: expected three numbers [x, y, z], found 1\n");
  CHECK(with("j", "revolute", "origin", Table{}.set("rpy", Text("0"))) == "error: joint 'j': origin: rpy: expected three numbers [x, y, z]\n");
  CHECK(with("j", "revolute", "origin", Text("arm.A")) ==
        "error: joint 'j': origin: expected a placement such as { xyz = [0, 0, 1], rpy = [0, 0, 0] }\n");
  CHECK(refusal([](Model& m) {
          for (Element& element : m.joints) element.set("child_origin", Table{}.set("xyz", List(3, 1.5e308)).set("rpy", List{0.0, 0.0, 0.7}));
        }).starts_with("error: joint 'j': the numbers of its frames are too large\n"));

  CHECK(with("k", "spherical", "q", List{1.0, 0.0, 0.0}) == "error: joint 'k': q: expected 4 numbers w, x, y, z (spherical), found 3\n");
  CHECK(with("k", "revolute", "q", List{1.0, 0.0}) == "error: joint 'k': q: expected 1 number angle (revolute), found 2\n");
  CHECK(with("k", "fixed", "q", List{1.0}) == "error: joint 'k': q: expected no numbers (fixed), found 1\n");
  CHECK(with("k", "planar", "v", List{1.0}) == "error: joint 'k': v: expected 3 numbers, the rates of angle, x, y (planar), found 1\n");
  CHECK(with("k", "spherical", "v", List(4, 0.0)) == "error: joint 'k': v: expected 3 numbers wx, wy, wz (spherical), found 4\n");
  CHECK(with("k", "free", "v", List(7, 0.0)) == "error: joint 'k': v: expected 6 numbers wx, wy, wz, vx, vy, vz (free), found 7\n");
  CHECK(refusal([](Model& m) {
          joint(m, "k").type = "custom";
          joint(m, "k").set("screws", std::vector<List>{List(6, 1.0), List(6, 1.0)}).set("q", List{1.0});
        }) == "error: joint 'k': q: expected 2 numbers, one for each screw (custom), found 1\n");
  CHECK(with("k", "spherical", "q", List{1.0, 1.0, 1.0, 1.0}) ==
        "error: joint 'k': q: expected a quaternion w, x, y, z of length 1, found the length 2\n"
        "  hint: of length 1 it is [0.5, 0.5, 0.5, 0.5]\n");
  CHECK(with("k", "free", "q", List(7, 0.0)) ==
        "error: joint 'k': q: expected a quaternion w, x, y, z of length 1, found the length 0\n  hint: no rotation is [1, 0, 0, 0]\n");
  // 2e-6 off is too far
  CHECK(with("k", "spherical", "q", List{1.000002, 0.0, 0.0, 0.0}) ==
        "error: joint 'k': q: expected a quaternion w, x, y, z of length 1, found the length 1.000002\n"
        "  hint: of length 1 it is [1, 0, 0, 0]\n");
}

TEST_CASE("dofs: too many, of two minds, or of a rotation") {
  const auto with = [](const std::string& name, const std::vector<Table>& tables, bool refused = true) {
    return said([&](Model& m) { joint(m, name).set("dofs", tables); }, refused);
  };
  CHECK(with("j", {{}, {}}) == "error: joint 'j': dofs: expected 1 table (revolute), found 2\n");
  CHECK(with("k", {{}}) == "error: joint 'k': dofs: expected 3 tables, one for each dof (spherical), found 1\n");
  CHECK(with("j", dofs(Table{}.set("motion", Text("t")).set("torque", Text("1")))) ==
        "error: joint 'j': dof 1: 'motion' and 'torque' exclude each other: a dof that follows a motion takes whatever torque it needs\n");
  CHECK(with("k", {{}, Table{}.set("motion", Text("t")), {}}) ==
        "error: joint 'k': dof 2: motion: the dofs of a 'spherical' joint are no coordinates that could follow a function of time\n"
        "  hint: give the joint itself a motion, such as motion = { rpy = [0, 0, \"2*t\"] }\n");
  CHECK(with("j", dofs(Table{}.set("motion", Text("log(t)")))) == "error: joint 'j': dof 1: motion: log of zero: log(0), at t = 0\n");
  CHECK(with("j", dofs(Table{}.set("motion", TableFile{Text("nowhere.csv")}))) ==
        "error: joint 'j': dof 1: motion: 'nowhere.csv': cannot read the table: No such file or directory\n");
  CHECK(with("j", dofs(Table{}.set("damping", List{1.0}))) ==
        "error: joint 'j': dof 1: damping: expected a number, or an expression in quotes\n");
  CHECK(with("j", dofs(Table{}.set("stiffness", Text(-2.0)).set("damping", Text(-0.5))), false) ==
        "warning: joint 'j': dof 1: stiffness: it is negative (-2): the spring pushes away from its rest position\n"
        "warning: joint 'j': dof 1: damping: it is negative (-0.5): the damper feeds energy into the motion\n");
  const auto started = [](double q, double v) {
    return remark([&](Model& m) { joint(m, "j").set("dofs", dofs(Table{}.set("motion", Text("0.5 + 2*t")))).set("q", List{q}).set("v", List{v}); });
  };
  CHECK(started(0.5 + 1e-10, 2).empty());
  CHECK(started(0.5, 0).empty());
  CHECK(started(0.6, 3) ==
        "warning: joint 'j': q: 0.6 is written, but the motion begins at 0.5: the motion is used\n"
        "warning: joint 'j': v: 3 is written, but the motion begins with the rate 2: the motion is used\n");
}

TEST_CASE("the tree: bodies that hang on nothing, twice, or on each other") {
  CHECK(refusal([](Model& m) { m.joints.pop_back(); }) ==
        "error: body 'hand' is not held by any joint (a body that floats needs a 'free' joint)\n");
  CHECK(refusal([](Model& m) { join(m, "again", "fixed", "ground", "hand"); }) ==
        "error: joint 'again': child: body 'hand' is held by joint 'k' already: a body is the child of one joint\n"
        "  hint: close the loop with [loops.NAME]\n");
  CHECK(refusal([](Model& m) { joint(m, "k").set("parent", Text("hand")); }) ==
        "error: joint 'k': parent and child are the same body, 'hand'\n");
  CHECK(refusal([](Model& m) { join(m, "l", "fixed", "hand", "ground"); }) ==
        "error: joint 'l': child: the ground cannot be the child of a joint: it does not move\n  hint: swap 'parent' and 'child'\n");
  CHECK(refusal([](Model& m) {
          for (const char* name : {"a", "b", "c", "leaf"}) m.body(name);
          join(m, "ab", "revolute", "a", "b");
          join(m, "bc", "revolute", "b", "c");
          join(m, "ca", "revolute", "c", "a");
          join(m, "twig", "revolute", "b", "leaf");
        }) ==
        "error: joint 'ab': the bodies a, b, c carry each other in a ring, and nothing holds them to the ground\n"
        "  hint: hold one of them with a joint whose parent leads to \"ground\", and close the ring with [loops.NAME]\n");
  CHECK(refusal([](Model& m) { joint(m, "j").set("parent", Text("hand")); }) ==
        "error: joint 'j': the bodies arm, hand carry each other in a ring, and nothing holds them to the ground\n"
        "  hint: hold one of them with a joint whose parent leads to \"ground\", and close the ring with [loops.NAME]\n");
  CHECK(refusal([](Model& m) { joint(m, "k").set("child", Text("hnad")); }) == "error: joint 'k': child: unknown body 'hnad' (did you mean 'hand'?)\n");
  CHECK(refusal([](Model& m) { joint(m, "k").set("parent", Text("body17")); }) ==
        "error: joint 'k': parent: unknown body 'body17' (there are ground, arm, hand)\n");
  CHECK(refusal([](Model& m) { joint(m, "k").set("parent", Text("arm.A")); }) ==
        "error: joint 'k': parent: expected the name of a body, or \"ground\", found 'arm.A'\n");
  CHECK(refusal([](Model& m) { joint(m, "k").entries.clear(); }) ==
        "error: joint 'k': 'parent' is missing: expected the name of a body, or \"ground\"\n"
        "error: joint 'k': 'child' is missing: expected the name of a body, or \"ground\"\n");
  // a ring of 100000 is walked once, and not on the stack
  const std::string ring = refusal([](Model& m) {
    constexpr int n = 100000;
    for (int k = 0; k < n; ++k) {
      m.bodies.push_back({.name = "b" + std::to_string(k)});
      m.joints.push_back({"j" + std::to_string(k), "revolute", {}, {}, {}});
      m.joints.back().set("parent", Text("b" + std::to_string(k))).set("child", Text("b" + std::to_string((k + 1) % n)));
    }
  });
  CHECK(ring.starts_with("error: joint 'j0': the bodies b0, b1, b2, "));
  CHECK(ring.find("and 99988 more carry each other in a ring") != std::string::npos);
}

TEST_CASE("couplings, loops, forces and the base") {
  const auto coupled = [](const std::string& i, const std::string& j, const Table& dof = {}) {
    return refusal([&](Model& m) {
      m.body("tip");
      join(m, "g", "gimbal", "hand", "tip");
      joint(m, "j").set("dofs", dofs(dof));
      add(m.couplings, "c", "").set("i", Text(i)).set("j", Text(j)).set("ratio", Text(2.0));
    });
  };
  CHECK(coupled("j", "j") == "error: coupling 'c': i and j are the same dof\n");
  CHECK(coupled("j", "k.1") ==
        "error: coupling 'c': j: the dofs of a 'spherical' joint are no coordinates that could be coupled, found 'k.1'\n"
        "  hint: use a joint with plain coordinates: gimbal, universal, planar\n");
  CHECK(coupled("j", "g") == "error: coupling 'c': j: joint 'g' has 3 dofs: expected \"g.1\" to \"g.3\", found 'g'\n");
  CHECK(coupled("j", "g.4") == "error: coupling 'c': j: joint 'g' has 3 dofs: expected \"g.1\" to \"g.3\", found 'g.4'\n");
  CHECK(coupled("j.2", "g.1") == "error: coupling 'c': i: joint 'j' has one dof: expected \"j\", found 'j.2'\n");
  CHECK(coupled("g.1x", "j") == "error: coupling 'c': i: joint 'g' has 3 dofs: expected \"g.1\" to \"g.3\", found 'g.1x'\n");
  CHECK(coupled("gg", "j") == "error: coupling 'c': i: unknown joint 'gg' (did you mean 'g'?)\n");
  CHECK(coupled("g.1", "j", Table{}.set("motion", Text("t"))) ==
        "error: coupling 'c': j: this dof has a motion of its own: it cannot follow another one\n");

  const auto looped = [](const std::string& type, const std::string& i, const std::string& j) {
    return refusal([&](Model& m) { add(m.loops, "l", type).set("i", Text(i)).set("j", Text(j)); });
  };
  CHECK(looped("free", "arm.A", "ground.P") == "error: loop 'l': type: a loop of type 'free' closes nothing\n");
  CHECK(looped("ring", "arm.A", "ground.P") == "error: loop 'l': unknown type 'ring'\n");
  CHECK(looped("revolute", "arm.A", "arm.B") == "error: loop 'l': both sides are on the same body, 'arm'\n");
  CHECK(looped("revolute", "arm.C", "ground.P") == "error: loop 'l': i: 'arm' has no point 'C' (it has A, B)\n");
  CHECK(looped("revolute", "arm", "ground.P") == "error: loop 'l': i: expected a point such as \"crank.A\", found 'arm'\n");
  const auto rod = [](const std::string& type, const std::string& length) {
    return refusal([&](Model& m) { add(m.loops, "l", type).set("i", Text("arm.A")).set("j", Text("ground.P")).set("length", Text(length)); });
  };
  CHECK(rod("distance", "1 - 1") == "error: loop 'l': length: expected a length > 0, found 0\n  hint: points that coincide are a 'spherical' loop\n");
  CHECK(rod("distance", "-0.5") == "error: loop 'l': length: expected a length > 0, found -0.5\n  hint: points that coincide are a 'spherical' loop\n");
  CHECK(looped("distance", "arm.origin", "ground.origin") ==
        "error: loop 'l': length: expected a length > 0, found 0, the distance in the position that is written\n  hint: points that coincide are a 'spherical' loop\n");
  CHECK(looped("helical", "arm.A", "ground.P") ==
        "error: loop 'l': 'pitch' is missing: expected a number, or an expression in quotes\n");

  const auto pushed = [](Element force) { return refusal([&](Model& m) { m.forces.push_back(force); }); };
  const auto of = [](const std::string& type) { return Element{"f", type, {}, {}, {}}; };
  CHECK(pushed(of("push")) == "error: force 'f': unknown type 'push' (there are force, moment, wrench, spring, motor, bushing)\n");
  CHECK(pushed(of("force").set("on", Text("arm.B")).set("value", List{1.0, 2.0})) ==
        "error: force 'f': value: expected three functions of time [x, y, z], found 2\n");
  CHECK(pushed(of("wrench").set("on", Text("arm")).set("value", List{1.0, 2.0})) ==
        "error: force 'f': value: expected six functions of time [nx, ny, nz, fx, fy, fz], found 2\n");
  CHECK(pushed(of("moment").set("on", Text("arm.A")).set("value", List(3, 1.0))) ==
        "error: force 'f': on: expected the name of a body, or \"ground\", found 'arm.A'\n");
  CHECK(pushed(of("moment").set("on", Text("ground")).set("value", List(3, 1.0))) ==
        "error: force 'f': acts on the ground alone: it moves nothing\n");
  CHECK(pushed(of("moment").set("on", Text("arm")).set("value", List(3, 1.0)).set("frame", Text("world"))) ==
        "error: force 'f': frame: expected \"ground\" or \"body\", found 'world'\n");
  CHECK(pushed(of("moment").set("on", Text("arm")).set("value", List{"2*s", 0.0, 0.0})) ==
        "error: force 'f': value: unknown name 's'\n  hint: numbers are SI; factors to write after one are deg, rpm, mm, cm, inch, km, um, ms, kN, MPa, bar, kW\n");
  const auto motor = [&](const std::string& key = "", const Value& value = {}) {
    Element element = of("motor").set("j", Text("arm")).set("stall_torque", Text(2.0)).set("no_load_speed", Text(100.0));
    if (!key.empty()) element.set(key, value);
    return element;
  };
  CHECK(pushed(of("motor").set("j", Text("arm"))) ==
        "error: force 'f': its torque is missing: expected 'stall_torque' and 'no_load_speed', or 'curve'\n");
  CHECK(pushed(of("motor").set("j", Text("arm")).set("no_load_speed", Text(2.0))) == "error: force 'f': 'stall_torque' is missing: 'no_load_speed' needs it\n");
  CHECK(pushed(of("motor").set("stall_torque", Text(2.0)).set("no_load_speed", Text(2.0))) ==
        "error: force 'f': 'j' is missing: expected the name of a body, or \"ground\"\n");
  CHECK(pushed(motor("gear", Text(0.0))) == "error: force 'f': gear: must be greater than 0, found 0\n");
  CHECK(pushed(motor("direction", Text(2.0))) == "error: force 'f': direction: must be 1 or -1, found 2\n");
  CHECK(pushed(motor("axis", List{0.0, 0.0, 0.0})) == "error: force 'f': axis has no direction, found [0, 0, 0]\n");
  CHECK(pushed(motor("control", Text("2*speeed"))) == "error: force 'f': control: unknown name 'speeed'\n");
  CHECK(pushed(motor("i", Text("arm"))) == "error: force 'f': both ends are on the same body, 'arm'\n");
  CHECK(pushed(motor("curve", Text("2"))) == "error: force 'f': curve: expected a table such as { table = \"file.csv\" }\n");
  CHECK(pushed(motor("curve", TableFile{"it's.csv"})) ==
        "error: force 'f': curve: the name of a table must not contain a quote, found \"it's.csv\"\n");
  CHECK(pushed(of("motor").set("j", Text("arm")).set("curve", TableFile{"no-such.csv"})) ==
        "error: force 'f': curve: 'no-such.csv': cannot read the table: No such file or directory\n");
  CHECK(pushed(of("bushing").set("i", Text("ground.P")).set("j", Text("arm.B")).set("stiffness", List{1.0, 2.0, 3.0})) ==
        "error: force 'f': stiffness: expected six numbers [x, y, z, about x, about y, about z], found 3\n");
  CHECK(pushed(of("bushing").set("i", Text("ground.P")).set("j", Text("arm.B")).set("stiffness", List{1.0, 2.0, 3.0, 0.0, 0.0, -4.0})) ==
        "error: force 'f': stiffness: none of them may be negative, found [1, 2, 3, 0, 0, -4]\n");
  const Element spring = of("spring").set("i", Text("ground.P")).set("j", Text("arm.B"));
  const auto sprung = [&](const std::string& key, const Text& value) {
    Element element = spring;
    return pushed(element.set(key, value));
  };
  CHECK(sprung("stiffness", 1.0) == "error: force 'f': 'free_length' is missing: a stiffness needs it\n");
  CHECK(sprung("free_length", -1.0) == "error: force 'f': free_length: must not be negative, found -1\n");
  CHECK(sprung("damping", -1.0) == "error: force 'f': damping: must not be negative, found -1\n");
  CHECK(sprung("actuator", "l + theta") == "error: force 'f': actuator: unknown name 'theta'\n");
  CHECK(sprung("j", "ground.origin") == "error: force 'f': both ends are on the same body, 'ground'\n");
  CHECK(sprung("j", "arm") == "error: force 'f': j: expected a point such as \"crank.A\", found 'arm'\n");

  const auto begun = [](const char* start, bool refused) {
    return said(
        [&](Model& m) {
          joint(m, "j").set("dofs", dofs(Table{}.set("motion", Text("t"))));
          joint(m, "k").type = "fixed";
          m.base = BaseSection{{}, Text(start)};
        },
        refused);
  };
  CHECK(begun("rest", true) == "error: [base]: start_momentum: expected \"zero\" or \"impulsive\", found 'rest'\n");
  CHECK(begun("zero", true) ==
        "error: [base]: start_momentum: \"zero\" needs a joint to the ground with a passive dof: here no rate of the base is free to "
        "make the momentum zero\n");
  CHECK(begun("impulsive", false) == "warning: [base]: start_momentum: \"impulsive\" finds nothing: every dof has a motion of its own\n");
  CHECK(remark([](Model& m) { m.base = BaseSection{{}, Text("zero")}; }).empty());
}

TEST_CASE("the model itself") {
  CHECK(refusal([](Model& m) { m.space = Space::plane; }) == "error: the model is one of the plane: expected space = \"3d\"\n");
  CHECK(refusal([](Model& m) { m.driver("motor", "angle"); }) ==
        "error: driver 'motor': a model of space has no drivers\n  hint: write 'motion' in the 'dofs' of a joint\n");
  CHECK(refusal([](Model& m) { m.bodies.clear(), m.joints.clear(); }) ==
        "error: the model has no bodies: expected at least one [bodies.NAME]\n");
  CHECK(refusal([](Model& m) { m.parameter("a", "b"); }) == "error: parameter 'a': unknown name 'b'\n");
  // what follows from a parameter without value is not reported again
  CHECK(refusal([](Model& m) {
          m.parameter("a", "b");
          joint(m, "j").set("q", List{"a"}).set("axis", List{"a", 0.0, 0.0});
          m.body("arm").mass = Text("a");
        }) == "error: parameter 'a': unknown name 'b'\n");
  CHECK(refusal([](Model& m) { m.body("arm").com = List{}; }) ==
        "error: the model has values that are empty: expected numbers, expressions or names\n");
  CHECK(refusal([](Model& m) { m.run = RunSection{{}, Text("statics"), Text(0.0), Text(1.5)}; }) ==
        "error: [run]: analysis: expected \"kinematics\", \"inverse\", \"dynamics\" or \"equilibrium\", found 'statics'\n"
        "error: [run]: to: must be greater than 0, found 0\n"
        "error: [run]: steps: must be a whole number from 1 to 1e9, found 1.5\n");
}

TEST_CASE("every problem points at its place in the file, and all are reported at once") {
  Model model = good();
  model.file = "arm.toml";
  model.body("arm").mass = Text("-2", {4, 8}, false);
  Element& again = join(model, "again", "fixed", "ground", "hand");
  again.where = {20, 9};
  std::get<Text>(again.entries[1].value).where = {23, 11};
  joint(model, "j").set("axis", List{{"0", {11, 11}, false}, {"0", {11, 14}, false}, {"0", {11, 17}, false}});
  joint(model, "k").set("q", List{{"1", {17, 6}, false}, {"2", {17, 9}, false}});
  model.body("orphan").where = {30, 9};
  const auto result = build_space(model);
  REQUIRE(!result.ok());
  CHECK(text(result.problems()) ==
        "arm.toml:4:8: error: body 'arm': mass: must not be negative, found -2\n"
        "arm.toml:11:11: error: joint 'j': axis has no direction, found [0, 0, 0]\n"
        "arm.toml:17:6: error: joint 'k': q: expected 4 numbers w, x, y, z (spherical), found 2\n"
        "arm.toml:23:11: error: joint 'again': child: body 'hand' is held by joint 'k' already: a body is the child of one joint\n"
        "  hint: close the loop with [loops.NAME]\n"
        "arm.toml:30:9: error: body 'orphan' is not held by any joint (a body that floats needs a 'free' joint)\n");
}

TEST_CASE("actuators: names that there are not, twice, or with a torque of their own") {
  const auto with = [](std::vector<Text> names) { return refusal([&](Model& m) { m.actuators = ActuatorSection{.where = {}, .dofs = std::move(names)}; }); };
  CHECK(remark([](Model& m) { m.actuators = ActuatorSection{.where = {}, .dofs = {"j", "k.2"}}; }).empty());
  CHECK(with({Text("jj", {7, 9}, true)}) == "7:9: error: [actuators]: dofs: unknown joint 'jj' (did you mean 'j'?)\n");
  CHECK(with({Text("k.4", {7, 9}, true)}) == "7:9: error: [actuators]: dofs: joint 'k' has 3 dofs, found 'k.4'\n");
  CHECK(with({Text("k.2"), Text("k", {7, 9}, true)}) == "7:9: error: [actuators]: dofs: 'k' is named twice\n");
  CHECK(refusal([](Model& m) {
          joint(m, "j").set("dofs", dofs(Table{}.set("torque", Text("1"))));
          m.actuators = ActuatorSection{.where = {}, .dofs = {"j"}};
        }) == "error: [actuators]: dofs: dof 1 of joint 'j' has a 'torque': the effort of an actuator is what is asked for\n"
              "  hint: leave the torque out, or write it as a force\n");
}

TEST_CASE("motions of a ball: two of them, none, half of one, or a place") {
  const auto with = [](const Table& motion) { return refusal([&](Model& m) { joint(m, "k").set("motion", motion); }); };
  const List turn{0.0, 0.0, "t"};
  CHECK(remark([&](Model& m) { joint(m, "k").set("motion", Table{}.set("rpy", turn)); }).empty());
  CHECK(with(Table{}.set("rpy", turn).set("rotation_vector", turn)) ==
        "error: joint 'k': motion: expected one of rotation_vector, rpy and angles, found rotation_vector, rpy\n");
  CHECK(with(Table{}.set("euler", Text("zxz"))) ==
        "error: joint 'k': motion: 'euler' and 'angles' belong together: expected both, as in { euler = \"zxz\", angles = [0, 0.3, \"t\"] }\n");
  CHECK(with(Table{}.set("euler", Text("zzx")).set("angles", turn)) ==
        "error: joint 'k': motion: euler: expected three axes of which no two neighbours are the same, such as \"zyx\" or \"zxz\", found 'zzx'\n");
  CHECK(with(Table{}.set("rpy", turn).set("position", turn)) ==
        "error: joint 'k': motion: position: the two frames of a 'spherical' joint stay together: expected a rotation alone\n");
  CHECK(with(Table{}.set("rpy", List{0.0, "t"})) == "error: joint 'k': motion: rpy: expected three functions of time, found 2\n");
  CHECK(with(Table{}.set("rpy", List{0.0, 0.0, "log(t)"})) == "error: joint 'k': motion: log of zero: log(0), at t = 0\n");
  CHECK(refusal([&](Model& m) {
          joint(m, "k").set("motion", Table{}.set("rpy", turn)).set("dofs", std::vector<Table>{{}, {}, Table{}.set("torque", Text("1"))});
        }) == "error: joint 'k': 'motion' and 'torque' exclude each other: a joint that follows a motion takes whatever torque it needs\n");
  CHECK(remark([&](Model& m) { joint(m, "k").set("motion", Table{}.set("rpy", List{0.0, 0.0, "0.3 + t"})).set("q", List{1.0, 0.0, 0.0, 0.0}); }) ==
        "warning: joint 'k': q: the motion begins elsewhere than where 'q' says: the motion is used\n");
}

TEST_CASE("friction of dofs: less than nothing, or exact where nothing can stick") {
  CHECK(refusal([](Model& m) { joint(m, "j").set("dofs", dofs(Table{}.set("friction", Text(-1.0)))); }) == "error: joint 'j': dof 1: friction: must not be negative, found -1\n");
  CHECK(refusal([](Model& m) { joint(m, "j").set("dofs", dofs(Table{}.set("friction", Text(1.0)).set("friction_speed", Text(-1.0)))); }) ==
        "error: joint 'j': dof 1: friction_speed: must not be negative, found -1\n");
  CHECK(refusal([](Model& m) { joint(m, "k").set("dofs", std::vector<Table>{{}, {}, Table{}.set("friction", Text(1.0)).set("friction_speed", Text(0.0))}); }) ==
        "error: joint 'k': dof 3: friction_speed: is 0, and the dofs of a 'spherical' joint are no coordinates that could stick\n"
        "  hint: leave it out, or give a small speed\n");
  CHECK(remark([](Model& m) { joint(m, "k").set("dofs", std::vector<Table>{{}, {}, Table{}.set("friction", Text(1.0))}); }).empty());
}

TEST_CASE("equations: of nothing that moves, of rates, rotations and reactions, of units that do not fit") {
  const auto of = [](const std::string& phi) { return refusal([&](Model& m) { add(m.joints, "e", "equation").set("of", Text(phi)); }); };
  CHECK(remark([](Model& m) { add(m.joints, "e", "equation").set("of", Text("arm.B.x - 0.3*sin(j.q1) - t")); }).empty());
  CHECK(of("2*t - 1") ==
        "error: joint 'e': of: holds nothing: expected positions of bodies or coordinates of joints, such as 'arm.tip.x' or 'elbow.q1'\n");
  CHECK(of("ground.P.z - 1") ==
        "error: joint 'e': of: holds nothing: expected positions of bodies or coordinates of joints, such as 'arm.tip.x' or 'elbow.q1'\n");
  CHECK(of("arm.B.vx - 1") == "error: joint 'e': of: 'arm.B.vx' cannot stand in an equation: expected positions, t and measures of these\n");
  CHECK(of("j.fx") == "error: joint 'e': of: 'j.fx' cannot stand in an equation: expected positions, t and measures of these\n");
  CHECK(of("arm.qw - 1") ==
        "error: joint 'e': of: 'arm.qw' cannot stand in an equation: a quaternion and its negative are one rotation. Expected coordinates of points or joints\n");
  CHECK(of("k.q1 - 1") ==
        "error: joint 'e': of: 'k.q1' cannot stand in an equation: a spherical or free joint has no coordinates that are plain numbers. Expected coordinates of points\n");
  CHECK(of("j.q1 - arm.B.x") == "error: joint 'e': of: m cannot be subtracted from rad\n");
  CHECK(of("arm.C.x") == "error: joint 'e': of: unknown name 'arm.C.x' (did you mean 'arm.A.x'?)\n  hint: 'arm' has A.x, A.y, A.z, B.x, B.y, B.z, com.x, com.y, com.z\n");
  CHECK(refusal([](Model& m) { add(m.joints, "e", "equation"); }) ==
        "error: joint 'e': 'of' is missing: expected an expression of positions and t that has to be 0, such as \"crank.A.y - 0.2*sin(crank.phi)\"\n");
}

}  // namespace build_space_errors_test
