// Equations that lose their value end a run with their name, their place in the file and the time, in the plane and in space.
// Oracle: the time at which the expression ends, in closed form; a path along which nothing pushes is gone along at constant speed.
#include <doctest/doctest.h>

#include <cmath>

#include "jounce/jounce.hpp"
#include "written_models.hpp"

using namespace jounce;

namespace {

// y = x up to x = 1, where a root ends that has four derivatives there; at v = 0.5 along x it takes 1.4 s from 0.3.
const std::string kRoot = "a.y - a.x - 0*(1 - a.x/one)^4.5";
const std::string kOne = "[parameters]\none = 1\n";

std::string in_plane(const std::string& more, const std::string& joint = "") {
  return "jounce = 1\n[bodies.a]\nmass = 1\ninertia = 1\nposition = [0.3, 0.3]\nvelocity = [0.5, 0.5]\n[joints]\npath = { type = \"equation\", of = \"" + kRoot +
         "\" }\nturn = { type = \"coordinate\", j = \"a.phi\", offset = 0 }\n" + joint + kOne + more;
}
std::string in_space(const std::string& more) {
  return "jounce = 1\nspace = \"3d\"\n[bodies.a]\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n[joints]\npath = { type = \"equation\", of = \"" + kRoot +
         "\" }\nmove = { type = \"translation\", parent = \"ground\", child = \"a\", q = [0.3, 0.3, 0], v = [0.5, 0.5, 0]" + more + " }\n" + kOne;
}

void ends_with_its_name(const Run& run, const std::string& place) {
  CAPTURE(run.outcome.sentence);
  CHECK(run.outcome.kind == Outcome::Kind::undefined);
  CHECK(run.outcome.t == doctest::Approx(1.4).epsilon(1e-6));
  CHECK(run.outcome.elements == std::vector<std::string>{"path"});
  CHECK(run.outcome.sentence.find("joint 'path': of: ") == 0);
  CHECK(run.outcome.sentence.find("t = 1.4") != std::string::npos);
  CHECK(text(run.problems).find(place) != std::string::npos);
  CHECK(run.outcome.sentence.find("finite") == std::string::npos);  // it is the root that is told, not what comes of it
}

}  // namespace

TEST_CASE("an equation that loses its value ends dynamics there, by every method") {
  const Mechanism plane = mechanism_of(in_plane("")), space = mechanism_of(in_space(""));
  for (const Method method : {Method::taylor, Method::dop853, Method::radau}) {
    CAPTURE(word(method));
    ends_with_its_name(dynamics(plane, {.to = 2, .steps = 20, .method = method}), "m.toml:8:");
    if (method != Method::taylor) ends_with_its_name(dynamics(space, {.to = 2, .steps = 20, .method = method}), "m.toml:7:");
  }
}

TEST_CASE("an equation that loses its value ends driven motions there") {
  const Mechanism plane = mechanism_of(in_plane("[drivers]\ngo = { type = \"coordinate\", j = \"a.x\", motion = \"0.3 + 0.5*t\" }\n"));
  const Mechanism space = mechanism_of(in_space(", dofs = [{ motion = \"0.3 + 0.5*t\" }, {}, { motion = \"0\" }]"));
  for (const Mechanism* each : {&plane, &space}) {
    const std::string place = each == &plane ? "m.toml:8:" : "m.toml:7:";
    ends_with_its_name(kinematics(*each, {.to = 2, .steps = 20}), place);
    ends_with_its_name(inverse(*each, {.to = 2, .steps = 20}), place);
  }
}

TEST_CASE("an equation without a value in the drawing is refused with its place") {
  std::string plane = in_plane(""), space = in_space("");
  plane.replace(plane.find("[0.3, 0.3]"), 10, "[1.3, 1.3]");
  space.replace(space.find("[0.3, 0.3, 0]"), 13, "[1.3, 1.3, 0]");
  CHECK(text(check(mechanism_of(plane)).assembly.problems).find("m.toml:8:62: error: joint 'path': of: a negative number to a fractional power: (-0.3") == 0);
  CHECK(text(check(mechanism_of(space)).assembly.problems).find("m.toml:7:62: error: joint 'path': of: a negative number to a fractional power: (-0.3") == 0);
}
