// jounce import: robots as others describe them, to models of space.
#include "cli_test.hpp"

using namespace jounce;

namespace {

// A base, an upper arm, a forearm that follows it, and a camera that is fixed to the forearm.
const char* const kRobot = R"(<?xml version="1.0"?>
<robot name="Two links">
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 0.2"/><mass value="2"/>
      <inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><box size="0.1 0.1 0.4"/></geometry></visual>
  </link>
  <link name="fore">
    <inertial><origin xyz="0 0 0.1"/><mass value="1"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.005" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="camera">
    <inertial><mass value="0.1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="10" velocity="3"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="fore"/><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>
    <mimic joint="shoulder" multiplier="0.5"/>
  </joint>
  <joint name="mount" type="fixed"><parent link="fore"/><child link="camera"/><origin xyz="0 0 0.2"/></joint>
</robot>
)";

}  // namespace

TEST_CASE("import writes a model that checks and runs") {
  // oracle: counted in the robot: two moving links once the camera is merged, two hinges, one mimic
  const Folder here;
  here.write("robot.urdf", kRobot);
  const Ran ran = here.jounce("import robot.urdf -o robot.toml");
  CHECK(ran.code == 0);
  CHECK(ran.out == "robot.toml written: 2 bodies, 2 joints (2 dofs), 1 coupling\ntry: jounce check robot.toml\n");
  CHECK_MESSAGE(contains(ran.err, "robot.urdf:"), ran.err);
  CHECK(contains(ran.err, "warning: "));  // the box and the limits have no meaning here
  const Json json = here.jounce("check --json robot.toml").json();
  CHECK(json["name"] == "Two links");
  CHECK(json["dofs"] == 2);
  CHECK(json["mobility"]["rank"] == 1);
  CHECK(here.jounce("dynamics robot.toml --to 0.2 --steps 2").code == 0);
  CHECK(here.jounce("import robot.urdf -o robot.toml --quiet").err.empty());
}

TEST_CASE("import to standard output, with a floating base, with fixed joints kept") {
  // oracle: the same text as the file; a free joint has 6 dofs more; the camera is a body of its own
  const Folder here;
  here.write("robot.urdf", kRobot);
  REQUIRE(here.jounce("import robot.urdf -o robot.toml --quiet").code == 0);
  CHECK(here.jounce("import robot.urdf -o - --quiet").out == here.read("robot.toml"));
  const Json floating = here.jounce("import robot.urdf -o float.toml --floating --json").json();
  CHECK(floating["output"] == "float.toml");
  CHECK(floating["dofs"] == 8);
  CHECK(floating["couplings"] == 1);
  CHECK(floating["problems"].size() >= 1);
  CHECK(contains(here.read("float.toml"), "\"free\""));
  CHECK(here.jounce("import robot.urdf -o kept.toml --keep-fixed --json").json()["bodies"] == 3);
}

TEST_CASE("import refuses what it must not do, and leaves no file behind") {
  // oracle: exit code 2 of the interface, and the files that were there
  const Folder here;
  here.write("robot.urdf", kRobot);
  here.write("same.toml", kRobot);
  here.write("broken.urdf", "<robot name=\"r\">\n  <link name=\"a\">\n</robot>\n");
  const auto expect = [&](const std::string& arguments, const std::string& part) {
    CAPTURE(arguments);
    const Ran ran = here.jounce("import " + arguments);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK_MESSAGE(contains(ran.err, part), ran.err);
  };
  expect("robot.urdf", "-o MODEL.toml");
  expect("same.toml -o same.toml", "this is the robot that is read");
  expect("robot.urdf -o robot.xml", "a model is written as .toml");
  expect("missing.urdf -o x.toml", "missing.urdf");
  expect("broken.urdf -o x.toml", "broken.urdf:");
  expect("robot.urdf -o no/where.toml", "cannot write 'no/where.toml'");
  expect("", "FILE is required");
  CHECK(here.jounce("import robot.urdf -o - --json").code == 2);
  CHECK(here.jounce("import broken.urdf -o x.toml --json").json()["problems"][0]["severity"] == "error");
  CHECK(here.read("same.toml") == kRobot);
  CHECK(here.files() == 3);
}
