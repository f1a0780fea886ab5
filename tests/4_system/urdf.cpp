// Robots that others describe, as models.
#include "jounce/io/urdf/urdf.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "4_system/urdf_test.hpp"
#include "jounce/expr/tokens.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/io/write_model.hpp"
#include "jounce/space/mechanism.hpp"
#include "places.hpp"

namespace urdf_test {

using namespace jounce;
using urdf_test::line;
using urdf_test::lines;

namespace {

const std::string kFolder = places::source() + "/tests/4_system/urdf/";
constexpr double kPi = std::numbers::pi;

Model import(const std::string& file, const UrdfOptions& options = {}) {
  Result<Model> out = read_urdf(kFolder + file, options);
  REQUIRE_MESSAGE(out.ok(), text(out.problems()));
  return *std::move(out);
}

Model import_text(const std::string& content, const UrdfOptions& options = {}) {
  Result<Model> out = parse_urdf("<robot name='r'>" + content + "</robot>", "r.urdf", options);
  REQUIRE_MESSAGE(out.ok(), text(out.problems()));
  return *std::move(out);
}

std::string messages(const Result<Model>& result) {
  Problems out = result.problems();
  for (Problem& problem : out) problem.file = problem.file.substr(problem.file.rfind('/') + 1);
  return text(out);
}

// ---- rotations and sums, written again, as plain as can be ------------------------------------------------------------------

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;  // rows

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) out[i][j] += a[i][k] * b[k][j];
  return out;
}

Vector product(const Matrix& a, const Vector& b) {
  Vector out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) out[i] += a[i][k] * b[k];
  return out;
}

Matrix rotation(const Vector& rpy) {
  const auto c = [&](std::size_t i) { return std::cos(rpy[i]); };
  const auto s = [&](std::size_t i) { return std::sin(rpy[i]); };
  const Matrix x{{{1, 0, 0}, {0, c(0), -s(0)}, {0, s(0), c(0)}}}, y{{{c(1), 0, s(1)}, {0, 1, 0}, {-s(1), 0, c(1)}}},
      z{{{c(2), -s(2), 0}, {s(2), c(2), 0}, {0, 0, 1}}};
  return product(z, product(y, x));
}

struct Placed {
  Matrix axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vector origin{};
};

Vector operator*(const Placed& outer, const Vector& p) {
  Vector out = product(outer.axes, p);
  for (std::size_t i = 0; i < 3; ++i) out[i] += outer.origin[i];
  return out;
}
Placed operator*(const Placed& outer, const Placed& inner) { return {product(outer.axes, inner.axes), outer * inner.origin}; }

double difference(const Placed& a, const Placed& b) {
  double out = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    out = std::max(out, std::abs(a.origin[i] - b.origin[i]));
    for (std::size_t j = 0; j < 3; ++j) out = std::max(out, std::abs(a.axes[i][j] - b.axes[i][j]));
  }
  return out;
}

double number(const Text& text) {
  double out = 0;
  REQUIRE(to_number(text.text, out));
  return out;
}
Vector vector(const std::vector<Text>& texts) {
  REQUIRE(texts.size() == 3);
  return {number(texts[0]), number(texts[1]), number(texts[2])};
}
Placed placed(const Entry* entry) {
  if (entry == nullptr) return {};
  const auto& table = std::get<Table>(entry->value);
  const auto part = [&](const char* key) { return vector(std::get<std::vector<Text>>(table.find(key)->value)); };
  return {rotation(part("rpy")), part("xyz")};
}

std::string written(const Vector& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]); }
std::string origin(const Vector& xyz, const Vector& rpy) {
  return fmt::format("<origin xyz='{}' rpy='{}'/>", written(xyz), written(rpy));
}

// Mass, centre of mass, and inertia about it, of points of mass.
struct Cloud {
  struct Point {
    double mass;
    Vector at;
  };
  std::vector<Point> points;

  [[nodiscard]] double mass() const {
    double out = 0;
    for (const Point& p : points) out += p.mass;
    return out;
  }
  [[nodiscard]] Vector com() const {
    Vector out{};
    for (const Point& p : points)
      for (std::size_t i = 0; i < 3; ++i) out[i] += p.mass * p.at[i] / mass();
    return out;
  }
  // xx yy zz xy xz yz: sums of m (y² + z²), ..., -m x y, ...
  [[nodiscard]] std::array<double, 6> inertia() const {
    std::array<double, 6> out{};
    const Vector c = com();
    for (const Point& p : points) {
      const double x = p.at[0] - c[0], y = p.at[1] - c[1], z = p.at[2] - c[2], m = p.mass;
      const std::array terms{m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y), -m * x * y, -m * x * z, -m * y * z};
      for (std::size_t i = 0; i < 6; ++i) out[i] += terms[i];
    }
    return out;
  }
  [[nodiscard]] Cloud seen_from(const Placed& frame) const {
    Cloud out = *this;
    for (Point& p : out.points) p.at = frame * p.at;
    return out;
  }
};

}  // namespace

TEST_CASE("every joint type of a URDF becomes a joint of the model") {
  // oracle: the file, read by eye; (0, 3, 4)/5 = (0, 0.6, 0.8); the axis of a URDF is x where none is given
  const Model model = import("every-joint.urdf");
  CHECK(model.name == "Every joint");
  CHECK(model.space == Space::three);
  CHECK(line(model.gravity) == "[0 0 -9.81]");
  CHECK(line(model.ground) == "ground: world=[0 0 0]\n");
  CHECK(lines(model.bodies) ==
        "slide: mass=2 inertia=[1 1.5 2 0.01 0.02 0.03]\n"
        "wheel: mass=1.5 com=[0 0 0.25] inertia=[0.1 0.1 0.1 0 0 0]\n"
        "door: mass=0 inertia=[0 0 0 0 0 0]\n"
        "puck: mass=0 inertia=[0 0 0 0 0 0]\n"
        "kite: mass=0 inertia=[0 0 0 0 0 0]\n");
  CHECK(
      lines(model.joints) ==
      "rail: prismatic parent=ground child=slide origin={xyz=[1 2 3] rpy=[0.1 0.2 0.3]} axis=[0 0.6 0.8] dofs=[{damping=0.5}]\n"
      "axle: revolute parent=slide child=wheel axis=[0 0 1]\n"
      "hinge: revolute parent=ground child=door axis=[1 0 0]\n"
      "table: planar parent=ground child=puck\n"
      "string: free parent=puck child=kite origin={xyz=[0 0 5] rpy=[0 0 0]}\n");
  CHECK(model.couplings.empty());
  CHECK(line(*model.run->analysis) + " " + line(*model.run->to) + " " + line(*model.run->steps) == "dynamics 1 100");
  // messages about the model can name the place in the URDF
  CHECK(model.joints[0].where == Where{17, 16});
  CHECK(model.bodies[0].where == Where{4, 15});
}

TEST_CASE("mimics become couplings, and the joints begin where the couplings put them") {
  // oracle: by hand, with open = 0: close = 1*0 + 0.25, bend = -2*0.25 + 0.5 = 0
  const Model model = import("gripper.urdf");
  CHECK(lines(model.couplings) ==
        "bend-mimic: i=close j=bend ratio=-2 offset=0.5\n"
        "close-mimic: i=open j=close ratio=1 offset=0.25\n");
  CHECK(lines(model.joints) ==
        "bend: revolute parent=right child=tip axis=[0 0 1]\n"
        "close: revolute parent=ground child=right axis=[0 0 1] q=[0.25]\n"
        "open: prismatic parent=ground child=left axis=[0 0 1]\n");
}

TEST_CASE("limits of joints become stops where they are asked for") {
  // oracle: the text; a continuous joint turns for ever, and limits without room are none
  const std::string robot =
      "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
      "<joint name='j' type='{}'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/><limit {} effort='1' velocity='1'/></joint></robot>";
  const auto with = [&](const char* type, const char* limits) {
    return parse_urdf(fmt::format(fmt::runtime(robot), type, limits), "r.urdf", {.limits = true});
  };
  const auto hinge = with("revolute", "lower='-0.5' upper='1.25'");
  REQUIRE(hinge.ok());
  REQUIRE(hinge->stops.size() == 1);
  const StopSection& stop = hinge->stops.front();
  CHECK(stop.name == "j-limit");
  CHECK(stop.of.text == "j.q1");
  CHECK(stop.min->text == "-0.5");
  CHECK(stop.max->text == "1.25");
  CHECK(messages(hinge).empty());
  CHECK(with("continuous", "lower='-0.5' upper='1.25'")->stops.empty());
  const auto none = with("prismatic", "lower='1' upper='1'");
  CHECK(none->stops.empty());
  CHECK(messages(none).find("joint limits without room between them are left out (1 joint: j)") != std::string::npos);
}

TEST_CASE("the root is the ground, or floats") {
  // oracle: by hand; the mass of the ground never moves
  const Result<Model> standing = read_urdf(kFolder + "left-out.urdf");
  REQUIRE(standing.ok());
  CHECK(line(standing->ground) == "ground: base=[0 0 0]\n");
  CHECK(standing->find_body("base") == nullptr);

  const Model floating = import("left-out.urdf", {.floating_base = true});
  CHECK(line(floating.ground) == "ground:\n");
  CHECK(line(floating.bodies[0]) == "base: mass=3 inertia=[1 1 1 0 0 0]\n");
  CHECK(line(floating.joints[0]) == "floating-base: free parent=ground child=base\n");
  CHECK(std::get<Text>(floating.joints[1].find("parent")->value).text == "base");

  // what a massless floating base lacks is said
  const auto massless = parse_urdf("<robot name='r'><link name='a'/></robot>", "r.urdf", {.floating_base = true});
  CHECK(messages(massless) == "r.urdf:1:29: warning: the floating base has no mass of its own (1 link: a)\n");
}

TEST_CASE("what has no meaning is left out with one message for each kind") {
  // oracle: counted in the file by eye; 1 + 1 < 3 is no inertia of a body
  CHECK(
      messages(read_urdf(kFolder + "left-out.urdf")) ==
      "left-out.urdf:4:5: warning: the mass of a link that is fixed to the ground never moves and is left out (1 link: base)\n"
      "left-out.urdf:6:5: note: shapes that only touch (<collision>) are left out (1 element)\n"
      "left-out.urdf:9:5: warning: no body has such an inertia: its principal moments break the triangle inequality "
      "(1 link: arm)\n"
      "left-out.urdf:10:5: warning: a <visual> that cannot be read is left out (1 element: arm)\n"
      "left-out.urdf:11:5: warning: unknown element <contact> in a link is left out (1 element)\n"
      "left-out.urdf:17:16: warning: an axis is not of unit length: its direction is taken (1 joint: shoulder)\n"
      "left-out.urdf:18:5: warning: joint limits are left out: --limits makes stops of them (1 joint: shoulder)\n"
      "left-out.urdf:19:5: warning: <calibration> has no meaning here and is left out (1 element)\n"
      "left-out.urdf:20:25: warning: joint friction is not in this version and is left out (1 joint: shoulder)\n"
      "left-out.urdf:20:41: warning: unknown attribute 'stiffness' of <dynamics> is left out (1 joint: shoulder)\n"
      "left-out.urdf:21:5: warning: <safety_controller> has no meaning here and is left out (1 element)\n"
      "left-out.urdf:29:19: warning: a fixed joint has nothing to mimic with: <mimic> is left out (1 joint: flange)\n"
      "left-out.urdf:33:78: warning: damping means nothing for a joint that is neither revolute nor prismatic, and is left out "
      "(1 joint: sea)\n"
      "left-out.urdf:34:3: warning: <transmission> has no meaning here and is left out (2 elements)\n"
      "left-out.urdf:36:3: warning: <gazebo> has no meaning here and is left out (1 element)\n");
}

TEST_CASE("an inertia that no body has is told, however its axes lie") {
  // oracle: principal moments 1, 2 and 2.9 are those of a body, 1, 2 and 3.1 are not (1 + 2 < 3.1), turned by any rotation
  std::mt19937 random(3);
  std::uniform_real_distribution<double> angle(-3, 3);
  for (int trial = 0; trial < 50; ++trial)
    for (const double largest : {2.9, 3.1}) {
      const Matrix r = rotation({angle(random), angle(random), angle(random)});
      const auto entry = [&](std::size_t i, std::size_t j) {
        return r[i][0] * r[j][0] + 2 * r[i][1] * r[j][1] + largest * r[i][2] * r[j][2];
      };
      const auto result = parse_urdf(
          fmt::format(
              "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='{}' iyy='{}' izz='{}' "
              "ixy='{}' ixz='{}' iyz='{}'/></inertial></link><joint name='j' type='continuous'><parent link='a'/>"
              "<child link='b'/></joint></robot>",
              entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)),
          "r.urdf");
      REQUIRE(result.ok());
      CHECK(result.problems().empty() == (largest < 3));
    }
}

namespace {

// An arm of half a metre and two kilograms, and a tool on it with any inertia.
std::string with_tool(const std::string& mass, const std::string& inertia, const std::string& joint = "continuous") {
  return "<robot name='r'><link name='base'/><link name='arm'><inertial><origin xyz='0 0 0.25'/><mass value='2'/><inertia ixx='0.05' iyy='0.05' "
         "izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='tool'><inertial><origin xyz='0 0 0.05'/><mass value='" +
         mass + "'/><inertia " + inertia + "/></inertial></link><joint name='a' type='continuous'><parent link='base'/><child link='arm'/>"
         "<axis xyz='0 1 0'/></joint><joint name='b' type='" + joint +
         "'><parent link='arm'/><child link='tool'/><origin xyz='0 0 0.5'/><axis xyz='0 1 0'/></joint></robot>";
}

}  // namespace

TEST_CASE("inertias as robots have them are loaded: zero but for rounding, and such as no body has") {
  // oracle: what others do: 1e-20 and 1e-35 kg m² are nothing beside 2 kg · 0.25 m²; 1e-3 > 1e-4 + 2e-4 is no body's, and taken, with a word
  const std::string zero = "no body has such an inertia, and it is too small to matter: it is taken as zero (1 link: tool)\n";
  const std::string broken = "no body has such an inertia: its principal moments break the triangle inequality (1 link: tool)\n";
  struct Case {
    std::string mass, inertia, said, written;
    bool as_written;
  };
  const std::vector<Case> cases{
      {"0.1", "ixx='1e-20' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'", zero, "[0 0 0 0 0 0]", false},
      {"0.1", "ixx='0' iyy='1e-35' izz='-1e-35' ixy='1e-20' ixz='0' iyz='0'", zero, "[0 0 0 0 0 0]", false},
      {"0", "ixx='1e-35' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'", zero, "[0 0 0 0 0 0]", false},
      {"0.1", "ixx='1e-20' iyy='1e-20' izz='1e-20' ixy='0' ixz='0' iyz='0'", "", "[1e-20 1e-20 1e-20 0 0 0]", false},
      {"0.1", "ixx='1e-3' iyy='1e-4' izz='2e-4' ixy='0' ixz='0' iyz='0'", broken, "[0.001 1e-04 2e-04 0 0 0]", true},
      {"0.1", "ixx='1e-4' iyy='1e-4' izz='-1e-4' ixy='0' ixz='0' iyz='0'", broken, "[1e-04 1e-04 -1e-04 0 0 0]", true}};
  for (const Case& each : cases) {
    CAPTURE(each.inertia);
    const auto robot = parse_urdf(with_tool(each.mass, each.inertia), "r.urdf");
    REQUIRE_MESSAGE(robot.ok(), text(robot.problems()));
    const std::string said = robot.problems().empty() ? "" : robot.problems()[0].sentence + "\n";
    CHECK(said == each.said);
    REQUIRE(robot->bodies.size() == 2);
    CHECK(line(*robot->bodies[1].inertia_matrix) == each.written);
    CHECK(robot->bodies[1].inertia_as_written == each.as_written);
    // it is a model, also once it has been written and read
    const auto built = build_space(*robot);
    CHECK_MESSAGE(built.ok(), text(built.problems()));
    const ReadModel again = parse_model(write_model(*robot), "r.toml");
    CHECK_MESSAGE(again.problems.empty(), text(again.problems));
    CHECK(again.model.bodies == robot->bodies);
  }
  // merged with the arm, the sum is what counts: that is a body's
  const auto merged = parse_urdf(with_tool("0.1", "ixx='1e-3' iyy='1e-4' izz='2e-4' ixy='0' ixz='0' iyz='0'", "fixed"), "r.urdf");
  REQUIRE(merged.ok());
  REQUIRE(merged->bodies.size() == 1);
  CHECK(!merged->bodies[0].inertia_as_written);
}

TEST_CASE("links on fixed joints are merged, and stay where they are as points") {
  // oracle: by hand. The plate (2 kg at x = 1) and the knob (1 kg, 3 above it): 3 kg at (1, 0, 1); ixx = iyy = 2*1² + 1*2² = 6
  const std::string inertial =
      "<inertial><mass value='{}'/><inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/></inertial>";
  const std::string robot =
      "<link name='base'/><link name='arm'/><link name='plate'>" + fmt::format(fmt::runtime(inertial), 2) +
      "</link><link name='knob'>" + fmt::format(fmt::runtime(inertial), 1) +
      "</link><link name='cap'/>"
      "<joint name='a' type='revolute'><parent link='base'/><child link='arm'/><origin xyz='0 0 7'/></joint>"
      "<joint name='b' type='fixed'><parent link='arm'/><child link='plate'/><origin xyz='1 0 0' rpy='0 0 0.5'/></joint>"
      "<joint name='c' type='fixed'><parent link='plate'/><child link='knob'/><origin xyz='0 0 3'/></joint>"
      "<joint name='d' type='revolute'><parent link='knob'/><child link='cap'/><origin xyz='0 0 1'/></joint>";
  const Model merged = import_text(robot);
  CHECK(lines(merged.bodies) ==
        "arm: mass=3 com=[1 0 1] inertia=[6 6 0 0 0 0] plate=[1 0 0][0 0 0.5] knob=[1 0 3][0 0 0.5]\n"
        "cap: mass=0 inertia=[0 0 0 0 0 0]\n");
  CHECK(lines(merged.joints) ==
        "a: revolute parent=ground child=arm origin={xyz=[0 0 7] rpy=[0 0 0]} axis=[1 0 0]\n"
        "d: revolute parent=arm child=cap origin={xyz=[1 0 4] rpy=[0 0 0.5]} axis=[1 0 0]\n");

  const Model kept = import_text(robot, {.keep_fixed = true});
  CHECK(lines(kept.bodies) ==
        "arm: mass=0 inertia=[0 0 0 0 0 0]\n"
        "plate: mass=2 inertia=[0 0 0 0 0 0]\n"
        "knob: mass=1 inertia=[0 0 0 0 0 0]\n"
        "cap: mass=0 inertia=[0 0 0 0 0 0]\n");
  CHECK(line(kept.joints[1]) == "b: fixed parent=arm child=plate origin={xyz=[1 0 0] rpy=[0 0 0.5]}\n");
  CHECK(line(kept.joints[3]) == "d: revolute parent=knob child=cap origin={xyz=[0 0 1] rpy=[0 0 0]} axis=[1 0 0]\n");
}

TEST_CASE("merged inertias are those of all the points of mass together") {
  // oracle: each link is four points of mass; sums over all of them, in the axes of the body that holds the links
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1), angle(-3, 3), mass(0.1, 2);
  const auto some = [&](auto& from) { return Vector{from(random), from(random), from(random)}; };
  for (int trial = 0; trial < 20; ++trial) {
    std::string robot = "<link name='base'/><joint name='j' type='continuous'><parent link='base'/><child link='l0'/></joint>";
    Placed frame;
    Cloud all;
    for (int l = 0; l < 4; ++l) {
      if (l > 0) {
        const Vector xyz = some(any), rpy = some(angle);
        frame = frame * Placed{rotation(rpy), xyz};
        robot += fmt::format("<joint name='f{0}' type='fixed'>{2}<parent link='l{1}'/><child link='l{0}'/></joint>", l, l - 1,
                             origin(xyz, rpy));
      }
      // the points about their centre of mass, in axes that are turned in the link
      Cloud cloud;
      for (int k = 0; k < 4; ++k) cloud.points.push_back({mass(random), some(any)});
      const Vector com = cloud.com(), place = some(any), rpy = some(angle);
      for (Cloud::Point& p : cloud.points)
        for (std::size_t i = 0; i < 3; ++i) p.at[i] -= com[i];
      const auto j = cloud.inertia();
      robot += fmt::format(
          "<link name='l{}'><inertial>{}<mass value='{:.17g}'/><inertia ixx='{:.17g}' iyy='{:.17g}' izz='{:.17g}' "
          "ixy='{:.17g}' ixz='{:.17g}' iyz='{:.17g}'/></inertial></link>",
          l, origin(place, rpy), cloud.mass(), j[0], j[1], j[2], j[3], j[4], j[5]);
      for (const Cloud::Point& p : cloud.seen_from(frame * Placed{rotation(rpy), place}).points) all.points.push_back(p);
    }
    const Model model = import_text(robot);
    REQUIRE(model.bodies.size() == 1);
    const Body& body = model.bodies[0];
    constexpr double kRoundOff = 1e-14;  // relative to inertias and distances of some tens
    CHECK(number(*body.mass) == doctest::Approx(all.mass()).epsilon(kRoundOff));
    const Vector expected = all.com(), found = vector(*body.com);
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(found[i] - expected[i]) < 10 * kRoundOff);
    const auto inertia = all.inertia();
    for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(number((*body.inertia_matrix)[i]) - inertia[i]) < 100 * kRoundOff);
  }
}

TEST_CASE("frames through fixed joints are the product of theirs, right angles of pitch included") {
  // oracle: products of rotations about x, y and z
  std::mt19937 random(11);
  const std::array<double, 9> angles{0, kPi / 2, -kPi / 2, kPi, 1.57079632679, -1.57079632679, 0.3, -2.5, 1e-9};
  std::uniform_int_distribution<std::size_t> pick(0, angles.size() - 1);
  std::uniform_real_distribution<double> any(-1, 1);
  double worst = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::string robot = "<link name='l0'/>";
    Placed frame;
    for (int l = 1; l < 5; ++l) {
      const Vector xyz{any(random), any(random), any(random)},
          rpy{angles[pick(random)], angles[pick(random)], angles[pick(random)]};
      frame = frame * Placed{rotation(rpy), xyz};
      robot +=
          fmt::format("<link name='l{0}'/><joint name='j{0}' type='{3}'>{2}<parent link='l{1}'/><child link='l{0}'/></joint>",
                      l, l - 1, origin(xyz, rpy), l < 4 ? "fixed" : "prismatic");
    }
    const Model model = import_text(robot);
    REQUIRE(model.joints.size() == 1);
    worst = std::max(worst, difference(placed(model.joints[0].find("origin")), frame));
  }
  CHECK(worst < 1e-14);  // round-off of a dozen products of rotations
  CHECK(worst > 0);
}

TEST_CASE("a planar joint moves across the axis of the URDF, and begins where the URDF has it") {
  // oracle: the z axis of the joint frame is the axis; frame times inverse of the child's frame is the origin of the URDF
  const Vector xyz{1, 2, 3}, rpy{0.4, -0.5, 0.6};
  for (const Vector axis : {Vector{1, 0, 0}, Vector{0, -1, 0}, Vector{0, 0, 1}, Vector{0, 0, -1}, Vector{0.48, -0.64, 0.6}}) {
    const Model model =
        import_text("<link name='a'/><link name='b'/><joint name='p' type='planar'><parent link='a'/><child link='b'/>" +
                    origin(xyz, rpy) + "<axis xyz='" + written(axis) + "'/></joint>");
    const Placed frame = placed(model.joints[0].find("origin")), child = placed(model.joints[0].find("child_origin"));
    const Placed urdf{rotation(rpy), xyz};
    CHECK(model.joints[0].find("axis") == nullptr);
    CHECK(difference(urdf * child, frame) < 1e-15);
    const Vector z = product(child.axes, Vector{0, 0, 1});
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(z[i] - axis[i]) < 2e-16);
  }
}

TEST_CASE("names that a model cannot have are changed, the same way every time") {
  // oracle: by hand from the rules in the header of urdf.hpp
  const std::string robot = R"(<robot name="r">
<link name="base"/>
<link name="com"/>
<link name="a/b"/>
<link name="a_b"/>
<link name="Grün stück"/>
<link name="tool"/>
<joint name="com" type="revolute"><parent link="base"/><child link="com"/></joint>
<joint name="a_b" type="revolute"><parent link="com"/><child link="a_b"/></joint>
<joint name="a b" type="revolute"><parent link="a_b"/><child link="a/b"/></joint>
<joint name="x" type="fixed"><parent link="a_b"/><child link="Grün stück"/></joint>
<joint name="tool" type="continuous"><parent link="base"/><child link="tool"/><mimic joint="a b"/></joint>
</robot>)";
  const Result<Model> result = parse_urdf(robot, "r.urdf");
  REQUIRE(result.ok());
  CHECK(lines(result->bodies) ==
        "com-link: mass=0 inertia=[0 0 0 0 0 0]\n"
        "a_b-link: mass=0 inertia=[0 0 0 0 0 0]\n"
        "a_b: mass=0 inertia=[0 0 0 0 0 0] Gr_n_st_ck=[0 0 0]\n"
        "tool: mass=0 inertia=[0 0 0 0 0 0]\n");
  CHECK(lines(result->joints) ==
        "com-joint: revolute parent=ground child=com-link axis=[1 0 0]\n"
        "a_b-joint: revolute parent=com-link child=a_b axis=[1 0 0]\n"
        "a_b-joint-2: revolute parent=a_b child=a_b-link axis=[1 0 0]\n"
        "tool-joint: revolute parent=ground child=tool axis=[1 0 0]\n");
  CHECK(lines(result->couplings) == "tool-joint-mimic: i=a_b-joint-2 j=tool-joint ratio=1\n");
  const std::string hint = "  hint: names are letters, digits, '_' and '-', each is used once, and some are taken\n";
  CHECK(messages(result) == "r.urdf:3:13: note: link 'com' is called 'com-link' in the model\n" + hint +
                                "r.urdf:4:13: note: link 'a/b' is called 'a_b-link' in the model\n" + hint +
                                "r.urdf:6:13: note: link 'Grün stück' is called 'a_b.Gr_n_st_ck' in the model\n" + hint +
                                "r.urdf:8:14: note: joint 'com' is called 'com-joint' in the model\n" + hint +
                                "r.urdf:9:14: note: joint 'a_b' is called 'a_b-joint' in the model\n" + hint +
                                "r.urdf:10:14: note: joint 'a b' is called 'a_b-joint-2' in the model\n" + hint +
                                "r.urdf:12:14: note: joint 'tool' is called 'tool-joint' in the model\n" + hint);
}

TEST_CASE("an imported robot is written as a model file, and read back the same") {
  // oracle: equality of the models
  for (const char* file : {"every-joint.urdf", "gripper.urdf", "left-out.urdf"})
    for (const bool floating : {false, true})
      for (const bool fixed : {false, true}) {
        const Model model = import(file, {.floating_base = floating, .keep_fixed = fixed});
        const ReadModel again = parse_model(write_model(model), "r.toml");
        CHECK_MESSAGE(again.problems.empty(), text(again.problems));
        CHECK(again.model == model);
      }
}

TEST_CASE("a robot without a name is called after its file") {
  // oracle: the rule
  CHECK(parse_urdf("<robot><link name='a'/></robot>", "folder/some.urdf")->name == "some");
}

TEST_CASE("a robot of a hundred thousand links is imported") {
  // oracle: every second of n joints is fixed, so that half of the links are bodies, each with one point but the last
  constexpr int n = 100000;
  std::string robot = "<link name='l0'/>";
  for (int l = 1; l <= n; ++l)
    robot += fmt::format(
        "<link name='l{0}'/><joint name='j{0}' type='{2}'><origin xyz='0 0 1'/><parent link='l{1}'/><child "
        "link='l{0}'/></joint>",
        l, l - 1, l % 2 == 0 ? "fixed" : "revolute");
  const Model model = import_text(robot);
  CHECK(model.bodies.size() == n / 2);
  CHECK(line(model.bodies.back()) == "l99999: mass=0 inertia=[0 0 0 0 0 0] l100000=[0 0 1]\n");
  CHECK(line(model.joints.back()) ==
        "j99999: revolute parent=l99997 child=l99999 origin={xyz=[0 0 2] rpy=[0 0 0]} axis=[1 0 0]\n");
}

}  // namespace urdf_test
