// What mechanisms of space are made of in drawings.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "jounce/base/files.hpp"
#include "jounce/base/index.hpp"
#include "jounce/io/load.hpp"
#include "jounce/report/draw/drawing.hpp"
#include "jounce/report/scene.hpp"
#include "jounce/report/scene_json.hpp"
#include "jounce/report/solids/furnish.hpp"
#include "jounce/report/solids/meshes.hpp"
#include "model_folders.hpp"

using namespace jounce;
using Kind = Solid::Kind;
using Role = Solid::Role;

namespace {

SpaceMechanism built(const std::string& toml) {
  ReadModel read = parse_model("jounce = 1\nspace = \"3d\"\n" + toml, "m.toml");
  REQUIRE_MESSAGE(read.problems.empty(), text(read.problems));
  auto mechanism = build_space(read, {});
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  return *std::move(mechanism);
}

// With bodies that only shift: where they are at each instant.
Scene furnished(const SpaceMechanism& mechanism, const std::vector<std::vector<Vec3<double>>>& places) {
  Scene out = scene(mechanism);
  std::vector<BodyPoses> motion;
  for (const auto& at : places) {
    BodyPoses poses(1);
    for (const Vec3<double>& p : at) poses.push_back({identity3<double>(), p});
    motion.push_back(std::move(poses));
  }
  furnish(out, motion);
  return out;
}

template <class Is>
std::ptrdiff_t count(const Scene& drawn, Is is) {
  return std::ranges::count_if(drawn.solids, is);
}

// A tetrahedron with corners at the origin and one metre along each axis, as the three kinds of files have it.
constexpr std::array<std::array<Vec3<double>, 3>, 4> kFaces{{{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}},
                                                             {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}},
                                                             {{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}},
                                                             {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}};

std::string bytes_of(std::uint32_t x) {
  std::string out;
  for (unsigned k = 0; k < 4; ++k) out += static_cast<char>((x >> (8 * k)) & 255U);
  return out;
}

std::string binary_stl() {
  std::string out(80, ' ');
  out += bytes_of(4);
  for (const auto& face : kFaces) {
    out += std::string(12, '\0');
    for (const Vec3<double>& p : face)
      for (const double x : {p.x, p.y, p.z}) out += bytes_of(std::bit_cast<std::uint32_t>(static_cast<float>(x)));
    out += std::string(2, '\0');
  }
  return out;
}

std::string text_stl() {
  std::string out = "solid t\n";
  for (const auto& face : kFaces) {
    out += "facet normal 0 0 0\nouter loop\n";
    for (const Vec3<double>& p : face) out += "vertex " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
    out += "endloop\nendfacet\n";
  }
  return out + "endsolid t\n";
}

const std::string kObj = "# a tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1 2/1 4/1\nf -4 -1 -2\nf 2//1 3//1 4//1\n";

// Six times the volume: each triangle with the origin, which tells the outside from the inside.
double volume(const TriangleMesh& mesh) {
  double out = 0;
  for (const auto& [a, b, c] : mesh.triangles) out += dot(mesh.corners[a], cross(mesh.corners[b], mesh.corners[c]));
  return out;
}

// What the ground has of one kind: posts are rods, plates are blocks.
std::vector<Solid> of_ground(const Scene& drawn, Kind kind) {
  std::vector<Solid> out;
  for (const Solid& s : drawn.solids)
    if (s.body == 0 && s.role == Role::ground && s.kind == kind) out.push_back(s);
  return out;
}

}  // namespace

TEST_CASE("a plate lies where a column stands on the floor; what is held high above it, or hangs, has a bracket") {
  // oracle: the numbers: an arm of 0.4 m at heights above a floor at 0. The lowest of its stands carries the floor down to its plate
  const auto arm = [](const std::string& height, const std::string& along) {
    return "[bodies.arm]\nmass = 1\ncom = " + along + "\ninertia = [0.01, 0.01, 0.01, 0, 0, 0]\npoints = { E = " + along +
           " }\n[joints.j]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"arm\"\naxis = [0, 1, 0]\norigin = { xyz = [0, 0, " + height + "] }\n";
  };
  struct Expected {
    std::string height, along;
    double z;
    std::size_t plates;
    bool post_above;
  };
  for (const Expected& e : {Expected{"0", "[0.4, 0, 0]", 0, 1, false}, Expected{"0.2", "[0.4, 0, 0]", 0.2, 1, false}, Expected{"2", "[0.4, 0, 0]", 2, 0, false},
                            Expected{"0.5", "[0, 0, -0.4]", 0.5, 0, true}}) {
    CAPTURE(e.height);
    const Scene drawn = furnished(built(arm(e.height, e.along)), {{{0, 0, e.z}}});
    const auto plates = of_ground(drawn, Kind::block), posts = of_ground(drawn, Kind::rod);
    CHECK(plates.size() == e.plates);
    REQUIRE(posts.size() == 1);
    CHECK((posts[0].points[0].z > e.z) == e.post_above);
    for (const Solid& plate : plates) {
      CHECK(std::abs(plate.points[0].z - plate.size.z / 2 - drawn.floor) < 1e-12);
      CHECK(drawn.floor <= 1e-12);
    }
  }
}

TEST_CASE("all columns stand on one floor") {
  // oracle: a joint at the floor needs room for its stand, so that the floor is lower; the other one, 0.3 m higher, stands there, too
  const auto post = [](const std::string& name, const std::string& xyz) {
    return "[bodies." + name + "]\nmass = 1\ncom = [0.4, 0, 0]\ninertia = [0.01, 0.01, 0.01, 0, 0, 0]\n[joints.j" + name +
           "]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"" + name + "\"\naxis = [0, 1, 0]\norigin = { xyz = " + xyz + " }\n";
  };
  const Scene drawn = furnished(built(post("a", "[0, 0, 0.3]") + post("b", "[0, 1, 0]")), {{{0, 0, 0.3}, {0, 1, 0}}});
  const auto plates = of_ground(drawn, Kind::block);
  REQUIRE(plates.size() == 2);
  for (const Solid& plate : plates) CHECK(std::abs(plate.points[0].z - plate.size.z / 2 - drawn.floor) < 1e-12);
}

TEST_CASE("a rail is as long as the way of its block, with what the block needs itself") {
  // oracle: the way, 0.3 m, and the block's own length, 0.1 m: the rail is longer by the same clearance at both ends, less than the block
  const SpaceMechanism mechanism = built(R"(
[bodies.cart]
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
shape = { type = "box", centre = [0, 0, 0], size = [0.1, 0.08, 0.06] }
[joints.j]
type = "prismatic"
parent = "ground"
child = "cart"
axis = [1, 0, 0]
)");
  const Scene drawn = furnished(mechanism, {{{0.1, 0, 0}}, {{0.4, 0, 0}}, {{0.2, 0, 0}}});
  const auto rail = std::ranges::max_element(drawn.solids, {}, [](const Solid& s) { return s.body == 0 && s.role == Role::joint && s.kind == Kind::block ? s.size.z : 0; });
  REQUIRE(rail != drawn.solids.end());
  CHECK(rail->size.z > 0.4);
  CHECK(rail->size.z < 0.5);
  CHECK(std::abs(rail->points[0].x - 0.25) < 1e-12);  // in the middle of the way
  CHECK(rail->points[0].z < -0.03);                   // under the block, not through it
  // it is held at its two ends and nothing else stands on the ground
  CHECK(count(drawn, [](const Solid& s) { return s.role == Role::ground && s.kind == Kind::block; }) == 2);
}

TEST_CASE("a body with three joints in a plane is a plate, one with two a member from joint to joint") {
  // oracle: what the model says; the member's ends are the joints
  const SpaceMechanism mechanism = built(R"(
[bodies.plate]
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
points = { A = [0.3, 0, 0], B = [0, 0.3, 0] }
[bodies.link]
mass = 1
com = [0, 0, -0.1]
inertia = [0.01, 0.01, 0, 0, 0, 0]
points = { E = [0, 0, -0.2] }
[joints.a]
type = "spherical"
parent = "ground"
child = "plate"
[joints.b]
type = "revolute"
parent = "plate"
child = "link"
axis = [1, 0, 0]
origin = { xyz = [0.3, 0, 0] }
)");
  const Scene drawn = furnished(mechanism, {{{0, 0, 0}, {0.3, 0, 0}}});
  CHECK(count(drawn, [](const Solid& s) { return s.body == 1 && s.kind == Kind::plate && s.role == Role::body; }) == 1);
  const auto member = std::ranges::find_if(drawn.solids, [](const Solid& s) { return s.body == 2 && s.kind == Kind::capsule; });
  REQUIRE(member != drawn.solids.end());
  CHECK(length(member->points[0]) < 1e-12);
  CHECK(length(member->points[1] - Vec3<double>{0, 0, -0.2}) < 1e-12);
  CHECK(count(drawn, [](const Solid& s) { return s.kind == Kind::socket && s.body == 0; }) == 1);
  CHECK(count(drawn, [](const Solid& s) { return s.kind == Kind::ball && s.role == Role::bright && s.body == 1; }) == 1);
}

TEST_CASE("every model of space has solids that are finite and belong to its bodies") {
  // oracle: every joint that is not free shows itself on one of its bodies; bodies with mass are seen
  for (const auto& folder : jounce_test::model_folders(Space::three)) {
    CAPTURE(folder.filename().string());
    const auto mechanism = load_space((folder / "model.toml").string());
    REQUIRE(mechanism.ok());
    Scene drawn = scene(*mechanism);
    const BodyPoses still(drawn.bodies.size());
    furnish(drawn, std::array{still});
    CHECK(drawn.unit > 0);
    for (const Solid& s : drawn.solids) {
      CHECK((s.body >= 0 && s.body < static_cast<int>(drawn.bodies.size())));
      CHECK(std::isfinite(s.radius));
      for (const Vec3<double>& p : s.points) CHECK(is_finite(p));
    }
    for (std::size_t b = 1; b < drawn.bodies.size(); ++b)
      if (drawn.bodies[b].mass.value_or(0) > 0) CHECK(count(drawn, [&](const Solid& s) { return s.body == static_cast<int>(b); }) > 0);
  }
}

TEST_CASE("a drawing stands upright: up is against gravity") {
  // oracle: the axes
  const auto up = [](const std::string& gravity) {
    return scene(built("gravity = " + gravity + "\n[bodies.a]\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n[joints.j]\ntype = \"free\"\nparent = \"ground\"\nchild = \"a\"\n")).up;
  };
  CHECK(up("[0, 0, -9.81]") == Vec3<double>{0, 0, 1});
  CHECK(up("[0, -9.81, 0]") == Vec3<double>{0, 1, 0});
  CHECK(up("[3, 0, -1]") == Vec3<double>{-1, 0, 0});
  CHECK(up("[0, 0, 0]") == Vec3<double>{0, 0, 1});
  CHECK(up("[0, 0, 1.6]") == Vec3<double>{0, 0, -1});
}

TEST_CASE("what is nearer hides what is behind it") {
  // oracle: seen along x, the ball at x = 1 is in front of the one at x = 0, whichever the model has first
  for (const bool swapped : {false, true}) {
    const std::string near = swapped ? "a" : "b", far = swapped ? "b" : "a";
    const SpaceMechanism mechanism = built("[bodies.a]\nmass = 1\nshape = { type = \"sphere\", centre = [0, 0, 0], radius = 0.3 }\n"
                                           "[bodies.b]\nmass = 1\nshape = { type = \"sphere\", centre = [0, 0, 0], radius = 0.3 }\n"
                                           "[joints.j]\ntype = \"free\"\nparent = \"ground\"\nchild = \"a\"\n[joints.k]\ntype = \"free\"\nparent = \"ground\"\nchild = \"b\"\n");
    const Vec3<double> front{1, 0.1, 0}, back{0, 0, 0};
    const std::vector<Vec3<double>> places = swapped ? std::vector{front, back} : std::vector{back, front};
    const Scene drawn = furnished(mechanism, {places});
    Snapshot snapshot{{{}, {identity3<double>(), places[0]}, {identity3<double>(), places[1]}}, {}, {}};
    const std::string svg = draw_mechanism(drawn, snapshot, {.view = View::x});
    const std::string first = "fill=\"#2f7fd1\"", second = "fill=\"#d9622b\"";  // the colours of the two bodies
    REQUIRE(svg.find(first) != svg.npos);
    REQUIRE(svg.find(second) != svg.npos);
    CHECK((svg.find(first) < svg.find(second)) == !swapped);
  }
}

TEST_CASE("meshes of STL files, as bytes and as text, and of OBJ files are the same") {
  // oracle: a tetrahedron has four corners, and six times its volume is 1
  for (const auto& file : {std::pair{binary_stl(), "t.STL"}, {text_stl(), "t.stl"}, {kObj, "t.obj"}}) {
    CAPTURE(file.second);
    const auto mesh = parse_mesh(file.first, file.second);
    REQUIRE_MESSAGE(mesh.ok(), text(mesh.problems()));
    CHECK(mesh->corners.size() == 4);
    CHECK(mesh->triangles.size() == 4);
    CHECK(std::abs(volume(*mesh) - 1) < 1e-12);
  }
}

TEST_CASE("a mesh that cannot be read says why, whatever is cut off") {
  // oracle: what was broken
  const auto why = [](const std::string& content, const std::string& name) {
    const auto mesh = parse_mesh(content, name);
    return mesh.ok() ? std::string() : mesh.problems().front().sentence;
  };
  const auto has = [&](const std::string& content, const std::string& name, const std::string& part) {
    const std::string said = why(content, name);
    INFO(said);
    CHECK(said.find(part) != said.npos);
  };
  has("", "t.stl", "at least 84 bytes, found 0");
  has(binary_stl().substr(0, 200), "t.stl", "expected 4 triangles of 50 bytes after the head, found 116 bytes");
  has(std::string(80, ' ') + bytes_of(4'000'000), "t.stl", "at most 200000 triangles, found 4000000");
  has("solid t\nfacet normal 0 0 0\nvertex 1 2 x\n", "t.stl", "line 3: expected three numbers after 'vertex', found 'x'");
  has("v 0 0 0\nf 1 2 3\n", "t.obj", "line 2: expected the number of one of 1 corners before it, found '2'");
  has("v 0 0\n", "t.obj", "line 1: expected three numbers");
  has("", "t.obj", "expected triangles, found none");
  has("<COLLADA/>", "arm.dae", "expected an STL or OBJ file, found '.dae'");
  for (std::size_t size = 0; size < kObj.size(); ++size) static_cast<void>(why(kObj.substr(0, size), "t.obj"));
  const std::string bytes = binary_stl();
  for (std::size_t size = 0; size < bytes.size(); size += 7) CHECK_FALSE(why(bytes.substr(0, size), "t.stl").empty());
}

TEST_CASE("a body looks like its mesh; without the file it is drawn as ever, with a warning in its place") {
  // oracle: the file that the provider has; the line of the model
  const std::string toml = R"([bodies.a]
mass = 1
com = [0, 0, 0.2]
visuals = [ { type = "mesh", file = "parts/t.stl", scale = [0.1, 0.1, -0.1], origin = { xyz = [0, 0, 0.5] } } ]
[joints.j]
type = "revolute"
parent = "ground"
child = "a"
)";
  const SpaceMechanism mechanism = built(toml);
  set_file_provider([](const std::string& path, std::size_t) -> Result<std::string> {
    if (path == "robots/parts/t.stl") return binary_stl();
    return error({}, "No such file or directory");
  });
  Scene there = scene(mechanism), gone = scene(mechanism);
  Problems found, missed;
  add_pictures(there, mechanism, "robots/m.toml", found);
  add_pictures(gone, mechanism, "m.toml", missed);
  set_file_provider({});
  CHECK(found.empty());
  REQUIRE(there.bodies[1].pictures.size() == 1);
  const TriangleMesh& mesh = *there.bodies[1].pictures[0].mesh;
  // a mirrored mesh keeps its outside outside: with its corner at the origin again, the volume stays positive
  TriangleMesh moved = mesh;
  for (Vec3<double>& p : moved.corners) p = p - Vec3<double>{0, 0, 0.5};
  CHECK(std::abs(volume(moved) - 1e-3) < 1e-9);

  REQUIRE(missed.size() == 1);
  CHECK(missed[0].severity == Severity::warning);
  CHECK(missed[0].where.line == 6);  // two lines come before the text
  CHECK(missed[0].text().find("body 'a': the mesh 'parts/t.stl' is not drawn") != std::string::npos);
  const BodyPoses still(2);
  furnish(gone, std::array{still});
  furnish(there, std::array{still});
  CHECK(count(gone, [](const Solid& s) { return s.body == 1 && s.kind == Kind::capsule; }) == 1);
  CHECK(count(there, [](const Solid& s) { return s.body == 1 && s.kind == Kind::capsule; }) == 0);
  CHECK(count(there, [](const Solid& s) { return s.body == 1 && s.kind == Kind::mesh; }) == 1);
  std::string json;
  write_scene(json, there);
  CHECK(json.find("\"kind\":\"mesh\"") != json.npos);
}
