// What robots look like: <visual> becomes `visuals` of bodies, and those are read as models write them.
#include <doctest/doctest.h>

#include <map>

#include "jounce/base/files.hpp"
#include "jounce/io/load.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/io/urdf/urdf.hpp"
#include "jounce/io/write_model.hpp"

using namespace jounce;

namespace {

constexpr std::string_view kRobot = R"(<robot name="painted">
  <material name="orange"><color rgba="1 0.5 0 1"/></material>
  <link name="base"><visual><geometry><cylinder radius="0.1" length="0.05"/></geometry></visual></link>
  <link name="arm">
    <inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual><origin xyz="0 0 0.2"/><geometry><box size="0.1 0.2 0.4"/></geometry><material name="orange"/></visual>
    <visual><geometry><mesh filename="package://bot/arm.stl" scale="0.001 0.001 0.001"/></geometry></visual>
  </link>
  <link name="tip"><visual><origin xyz="0 0 0.1"/><geometry><sphere radius="0.03"/></geometry></visual></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/></joint>
  <joint name="held" type="fixed"><parent link="arm"/><child link="tip"/><origin xyz="0 0 0.4"/></joint>
</robot>)";

const std::vector<Picture>& pictures(const SpaceMechanism& mechanism, std::size_t body) { return mechanism.outlines.pictures.at(body); }

}  // namespace

TEST_CASE("what links look like goes with them into the model, merged ones into the body that holds them") {
  // oracle: the numbers of the URDF; the frame of a fixed link is shifted by the origin of its joint
  const auto model = parse_urdf(kRobot, "painted.urdf");
  REQUIRE(model.ok());
  CHECK(model.problems().empty());
  REQUIRE(model->ground.visuals.size() == 1);
  REQUIRE(model->bodies.size() == 1);
  const std::vector<Element>& arm = model->bodies[0].visuals;
  REQUIRE(arm.size() == 3);
  CHECK(arm[0].type == "box");
  CHECK(std::get<Text>(arm[0].find("colour")->value).text == "#ff8000");
  CHECK(arm[1].type == "mesh");
  CHECK(std::get<Text>(arm[1].find("file")->value).text == "package://bot/arm.stl");  // there is no such package here

  ReadModel read = parse_model(write_model(*model), "painted.toml");
  INFO(text(read.problems));
  REQUIRE(read.problems.empty());
  CHECK(read.model.bodies[0].visuals == arm);
  const auto mechanism = build_space(read, {});
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  REQUIRE(pictures(*mechanism, 0).size() == 1);
  CHECK(pictures(*mechanism, 0)[0].radius == 0.1);
  REQUIRE(pictures(*mechanism, 1).size() == 3);
  CHECK(pictures(*mechanism, 1)[0].size == Vec3<double>{0.1, 0.2, 0.4});
  CHECK(pictures(*mechanism, 1)[1].size == Vec3<double>{0.001, 0.001, 0.001});
  CHECK(pictures(*mechanism, 1)[2].frame.origin == Vec3<double>{0, 0, 0.5});
}

TEST_CASE("a package is looked for upwards from the robot's file") {
  // oracle: the only path that the provider has
  set_file_provider([](const std::string& path, std::size_t) -> Result<std::string> {
    if (path == "robots/urdf/../../bot/arm.stl") return std::string("solid");
    return error({}, "No such file or directory");
  });
  const auto beside_it = parse_urdf(kRobot, "robots/urdf/painted.urdf");
  const auto elsewhere = parse_urdf(kRobot, "robots/urdf/painted.urdf", {.folder = "../robots/urdf"});
  set_file_provider({});
  const auto file = [](const Result<Model>& model) { return std::get<Text>(model->bodies[0].visuals[1].find("file")->value).text; };
  CHECK(file(beside_it) == "../../bot/arm.stl");
  CHECK(file(elsewhere) == "../robots/urdf/../../bot/arm.stl");
}

TEST_CASE("wrong visuals of a model are told where they stand") {
  // oracle: lines and columns counted by eye
  const auto told = [](const std::string& visuals) {
    ReadModel read = parse_model("jounce = 1\nspace = \"3d\"\n[bodies.a]\nvisuals = " + visuals + "\n[joints.j]\ntype = \"free\"\nparent = \"ground\"\nchild = \"a\"\n", "m.toml");
    if (!read.problems.empty()) return text(read.problems);
    const auto built = build_space(read, {});
    return text(built.problems());
  };
  const auto has = [&](const std::string& visuals, const std::string& part) {
    const std::string all = told(visuals);
    INFO(visuals, all);
    CHECK(all.find(part) != all.npos);
  };
  has("3", "m.toml:4:11: error: body 'a': visuals: expected a list such as");
  has("[ 3 ]", "m.toml:4:13: error: body 'a': visual 1: expected a table");
  has("[ { size = [1, 1, 1] } ]", "body 'a': visual 1: the type is missing");
  has("[ { type = \"bix\" } ]", "m.toml:4:23: error: body 'a': visual 1: type: unknown type 'bix'");
  has("[ { type = \"box\" } ]", "body 'a': visual 1: 'size' is missing");
  has("[ { type = \"box\", size = [1, 0, 1] } ]", "size: all three must be greater than 0");
  has("[ { type = \"sphere\", radius = -1 } ]", "radius: must be greater than 0, found -1");
  has("[ { type = \"sphere\", radius = 1, colour = \"red\" } ]", "colour: expected red, green and blue as in \"#d08020\", found 'red'");
  has("[ { type = \"sphere\", radius = 1, wide = 2 } ]", "unknown key 'wide'");
}
