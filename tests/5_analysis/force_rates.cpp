// Rates of forces and of multipliers, and what loops demand of jerk and snap.
// Oracles: differences of the quantities themselves over a finely sampled driven motion, which know nothing of series; forward dynamics, whose rates of
// multipliers come from other equations; and the rows of results.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "jounce/analysis/explain/explain.hpp"
#include "jounce/analysis/explain/space_explanation.hpp"
#include "jounce/api/run.hpp"
#include "jounce/io/load.hpp"
#include "jounce/math/dense.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/space/mechanism.hpp"
#include "model_folders.hpp"

namespace force_rates_test {

namespace {

using namespace jounce;
using Numbers = std::vector<double>;

constexpr double kStep = 4e-4;          // seconds between rows
constexpr double kDifferences = 3e-7;   // of the largest number of a column: fourth-order differences, and rounding over the step

Mechanism loaded(const std::string& toml) {
  auto mechanism = Mechanism::from_text(toml, "m.toml");
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  return *std::move(mechanism);
}

// The rate of a column at every row that has two on either side.
Numbers differences(std::span<const double> x) {
  Numbers out;
  for (std::size_t i = 2; i + 2 < x.size(); ++i) out.push_back((x[i - 2] - 8 * x[i - 1] + 8 * x[i + 1] - x[i + 2]) / (12 * kStep));
  return out;
}

// Every column with an ending "_rate" is the rate of the column without. How many there were.
int check_rates(const Trajectory& results) {
  int count = 0;
  for (const Column& column : results.columns()) {
    if (!column.name.ends_with("_rate")) continue;
    CAPTURE(column.name);
    const auto of = results.find(column.name.substr(0, column.name.size() - 5));
    REQUIRE(of.has_value());
    const std::span<const double> rate = results.column(column.name);
    const Numbers expected = differences(results.column(*of));
    const double size = std::max({1.0, largest(expected), largest(results.column(*of))});
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(std::abs(rate[i + 2] - expected[i]) <= kDifferences * size);
    ++count;
  }
  return count;
}

Options fine(double from, std::vector<std::string> columns, double tolerance = 1e-8) {
  Options out{.times = {}, .columns = std::move(columns), .tolerance = tolerance};
  for (int k = 0; k < 9; ++k) out.times.push_back(from + k * kStep);
  return out;
}

// A driven crank with every kind of load of the plane.
const std::string kPlane = R"TOML(jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0], Q = [0.7, 0.3] }
[bodies.crank]
mass = 1.2
inertia = 0.09
com = [0.3, 0.05]
angle = 0.4
points = { O = [0, 0], A = [0.6, 0.1], E = [0.2, -0.1] }
[bodies.rod]
mass = 0.7
inertia = 0.05
com = [0.2, -0.02]
position = ["0.6*cos(0.4) - 0.1*sin(0.4)", "0.6*sin(0.4) + 0.1*cos(0.4)"]
angle = -0.3
points = { A = [0, 0], B = [0.5, 0] }
[joints.O]
type = "revolute"
i = "ground.O"
j = "crank.O"
[joints.A]
type = "revolute"
i = "crank.A"
j = "rod.A"
[drivers.turn]
type = "angle"
i = "ground"
j = "crank"
motion = "0.4 + 1.3*t + 0.4*sin(3*t)"
[drivers.bend]
type = "angle"
i = "crank"
j = "rod"
motion = "-0.7 + 0.8*sin(2*t)"
[forces.coil]
type = "spring"
i = "ground.Q"
j = "rod.B"
stiffness = 40
free_length = 0.25
damping = 2
actuator = "3*l*sin(5*t) + v^2"
[forces.strut]
type = "spring"
i = "crank.E"
j = "rod.B"
stiffness = 15
free_length = 0.3
friction = 0.5
friction_speed = 0.2
[forces.twist]
type = "torsion-spring"
i = "crank"
j = "rod"
stiffness = 4
damping = 0.3
actuator = "0.2*omega^2 + sin(3*t)"
[forces.push]
type = "force"
on = "rod.B"
value = ["2*sin(4*t)", "t"]
[forces.follow]
type = "force"
on = "crank.E"
value = ["1 + t", "-2"]
frame = "body"
[forces.moment]
type = "moment"
on = "rod"
value = "0.3*cos(2*t)"
)TOML";

// A driven arm in space with every kind of load, and a closed loop beside it.
const std::string kSpace = R"TOML(jounce = 1
space = "3d"
gravity = [0, 0, -9.81]
[ground]
points = { P = [0.3, -0.2, 0.9] }
[bodies.upper]
mass = 1.4
com = [0.1, 0.02, 0.2]
inertia = [0.05, 0.04, 0.02, 0.003, -0.002, 0.001]
points = { A = [0.1, 0, 0.1] }
[bodies.lower]
mass = 0.8
com = [0.05, 0, 0.15]
inertia = [0.02, 0.03, 0.01, 0, 0.001, 0]
points = { B = [0, 0.1, 0.3] }
[joints.shoulder]
type = "universal"
parent = "ground"
child = "upper"
dofs = [ { motion = "0.3 + 0.7*sin(2*t)" }, { motion = "-0.2 + t + 0.2*t^2" } ]
[joints.elbow]
type = "cylindrical"
parent = "upper"
child = "lower"
origin = { xyz = [0, 0, 0.5], rpy = [0.3, 0.2, 0] }
axis = [0, 1, 0]
dofs = [ { motion = "0.5*cos(3*t)" }, { motion = "0.1*sin(2*t)" } ]
[forces.coil]
type = "spring"
i = "ground.P"
j = "lower.B"
stiffness = 30
free_length = 0.2
damping = 1.5
actuator = "2*v^2 + l*t"
[forces.between]
type = "spring"
i = "upper.A"
j = "lower.B"
stiffness = 12
free_length = 0.1
[forces.push]
type = "force"
on = "lower.B"
value = ["t", "sin(3*t)", "1"]
frame = "body"
[forces.pull]
type = "force"
on = "upper.A"
value = ["1 + t^2", "0", "cos(t)"]
[forces.turn]
type = "moment"
on = "upper"
value = ["t", "0.3", "0"]
frame = "body"
[forces.screw]
type = "wrench"
on = "lower"
value = ["0.1", "t", "0", "sin(t)", "0", "2"]
[forces.own]
type = "wrench"
on = "lower"
value = ["0.1", "t", "0", "sin(t)", "0", "2"]
frame = "body"
)TOML";

std::string driven_four_bar() {
  std::ifstream file(places::source() + "/models/space-four-bar/model.toml");
  std::string out{std::istreambuf_iterator<char>(file), {}};
  out.insert(out.find("[joints.A]"), "dofs = [ { motion = \"crank_start + crank_speed*t + 0.3*sin(2*t)\" } ]\n");
  return out;
}

}  // namespace

TEST_CASE("rates of forces, of what they do to bodies and of multipliers are the rates of these, in the plane and in space") {
  const Mechanism plane = loaded(kPlane), space = loaded(kSpace), loop = loaded(driven_four_bar());
  for (const double from : {0.0, 0.4}) {
    const Run in_plane = inverse(plane, fine(from, {"*", "*_rate", "*.Q*"}));
    REQUIRE(in_plane.outcome.done());
    CHECK(check_rates(in_plane.results) == 3 + 3 + 3 + 2 + 2 + 1 + 3 * (1 + 2 + 2 + 1 + 1 + 1) + 2 + 2 + 1 + 1);
    const Run in_space = inverse(space, fine(from, {"*", "*_rate", "*.Q*"}));
    REQUIRE(in_space.outcome.done());
    CHECK(check_rates(in_space.results) == 3 + 3 + 3 + 3 + 3 + 6 + 6 + 6 * (1 + 2 + 1 + 1 + 1 + 1 + 1));
    const Run looped = inverse(loop, fine(from, {"*"}));
    CHECK(check_rates(looped.results) == 5);
  }
}

TEST_CASE("what a force does to bodies is what its columns say") {
  // oracle: tension along the line between the ends, equal and opposite; the work of Q is that of the tension
  const Run run = inverse(loaded(kPlane), fine(0.4, {"*", "*.Q*"}));
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    const auto at = [&](const std::string& name) {
      const auto found = run.results.at(row, name);
      REQUIRE_MESSAGE(found.has_value(), name);
      return *found;
    };
    CHECK(std::abs(std::hypot(at("coil.rod.Qx"), at("coil.rod.Qy")) - std::abs(at("coil.f"))) < 1e-12);
    CHECK(std::abs(at("strut.crank.Qx") + at("strut.rod.Qx")) < 1e-14);
    double power = 0;
    for (const std::string body : {"crank", "rod"}) {
      const double turn = at(body + ".vphi"), phi = at(body + ".phi");
      const double cx = body == "rod" ? 0.2 : 0.3, cy = body == "rod" ? -0.02 : 0.05;
      const double rx = std::cos(phi) * cx - std::sin(phi) * cy, ry = std::sin(phi) * cx + std::cos(phi) * cy;
      power += at("strut." + body + ".Qx") * (at(body + ".vx") - turn * ry) + at("strut." + body + ".Qy") * (at(body + ".vy") + turn * rx) +
               at("strut." + body + ".Qphi") * turn;
    }
    CHECK(std::abs(power + at("strut.f") * at("strut.v")) < 1e-12);
    CHECK(at("push.rod.Qx") == doctest::Approx(at("push.fx")).epsilon(1e-14));
    CHECK(at("twist.rod.Qphi") == doctest::Approx(-at("twist.torque")).epsilon(1e-14));
  }
}

TEST_CASE("dynamics has the rates of forces on demand too") {
  const Mechanism tail = loaded(kSpace.substr(0, kSpace.find("dofs = [ { motion = \"0.5*cos")) + kSpace.substr(kSpace.find("[forces.coil]")));
  const Run run = dynamics(tail, fine(0.1, {"*", "*_rate", "*.Q*"}, 1e-13));
  REQUIRE(run.outcome.done());
  CHECK(check_rates(run.results) > 30);
}

TEST_CASE("rates of multipliers of inverse dynamics are those of forward dynamics, for every driven model of the plane") {
  // oracle: third-order equations of motion, by series and another factorisation
  int models = 0;
  for (const auto& folder : jounce_test::model_folders(Space::plane)) {
    CAPTURE(folder.filename().string());
    const auto mechanism = load((folder / "model.toml").string());
    REQUIRE(mechanism.ok());
    const Options start{.times = {0}, .columns = {"*.lambda*"}};
    const Run driven = inverse(*mechanism, start);
    if (!driven.outcome.done() || !driven.not_unique.empty()) continue;
    const Run free = dynamics(*mechanism, start);
    if (!free.outcome.done()) continue;
    ++models;
    REQUIRE(driven.results.names() == free.results.names());
    double size = 1;
    for (const double x : free.results.row(0)) size = std::max(size, std::abs(x));
    for (std::size_t c = 0; c < free.results.columns().size(); ++c) {
      CAPTURE(free.results.columns()[c].name);
      CHECK(std::abs(driven.results.column(c)[0] - free.results.column(c)[0]) <= 1e-8 * size);
    }
  }
  CHECK(models >= 8);
}

TEST_CASE("explain has the rates of multipliers of a driven mechanism of the plane") {
  const Run run = inverse(loaded(kPlane), {.times = {0.3}, .columns = {"*.lambda*"}});
  auto mechanism = build_plane(parse_model(kPlane, "m.toml").model);
  const ExplainResult e = explain(*mechanism, 0.3);
  for (const ExplainedConstraint& c : e.explanation->constraints)
    for (std::size_t r = 0; r < c.lambda.size(); ++r) {
      CHECK(std::abs(c.lambda[r] - *run.results.at(0, c.name + ".lambda" + std::to_string(r + 1))) < 1e-11);
      CHECK(std::abs(c.lambda_rate.at(r) - *run.results.at(0, c.name + ".lambda" + std::to_string(r + 1) + "_rate")) < 1e-10);
    }
}

TEST_CASE("loops in space demand of every order what the motion does, and what their Jacobian's own motion asks for") {
  // oracle: K v = ν, K a = γ, K j = η, K s = σ with the motion of the rows; and γ = −K̇ v, η = −2 K̇ a − K̈ v, σ = −3 K̇ j − 3 K̈ a − K⃛ v with differences of K
  auto built = build_space(parse_model(driven_four_bar(), "m.toml").model);
  REQUIRE(built.ok());
  const double t = 0.3, h = 4e-3;
  std::vector<std::vector<Numbers>> K;  // [instant][row]
  for (int k = -3; k <= 3; ++k) K.push_back(explain(*built, t + k * h).explanation->closures.at(0).K);
  const SpaceExplanation e = *explain(*built, t).explanation;
  const SpaceExplanation::Closure& c = e.closures[0];
  const auto rate = [&](int order, std::size_t r, std::size_t dof) {
    const auto at = [&](int k) { return K[static_cast<std::size_t>(k + 3)][r][dof]; };
    if (order == 1) return (45 * (at(1) - at(-1)) - 9 * (at(2) - at(-2)) + at(3) - at(-3)) / (60 * h);
    if (order == 2) return (270 * (at(1) + at(-1)) - 27 * (at(2) + at(-2)) + 2 * (at(3) + at(-3)) - 490 * at(0)) / (180 * h * h);
    return (-13 * (at(1) - at(-1)) + 8 * (at(2) - at(-2)) - (at(3) - at(-3))) / (8 * h * h * h);
  };
  double largest_eta = 0;
  for (std::size_t r = 0; r < c.phi.size(); ++r) {
    std::array<double, 4> moved{}, asked{};
    for (std::size_t dof = 0; dof < 3; ++dof) {
      const SpaceExplanation::Joint& joint = e.joints[dof];
      const double v = joint.v[0], a = joint.a[0], j = joint.j[0], s = joint.s[0], k = c.K[r][dof];
      moved[0] += k * v, moved[1] += k * a, moved[2] += k * j, moved[3] += k * s;
      asked[1] -= rate(1, r, dof) * v;
      asked[2] -= 2 * rate(1, r, dof) * a + rate(2, r, dof) * v;
      asked[3] -= 3 * rate(1, r, dof) * j + 3 * rate(2, r, dof) * a + rate(3, r, dof) * v;
    }
    CHECK(std::abs(moved[0] - c.nu[r]) < 1e-12);
    CHECK(std::abs(moved[1] - c.gamma[r]) < 1e-11);
    CHECK(std::abs(moved[2] - c.eta[r]) < 1e-10);
    CHECK(std::abs(moved[3] - c.sigma[r]) < 1e-9);
    CHECK(std::abs(asked[1] - c.gamma[r]) < 1e-7);
    CHECK(std::abs(asked[2] - c.eta[r]) < 1e-5);
    CHECK(std::abs(asked[3] - c.sigma[r]) < 1e-3 * (1 + std::abs(c.sigma[r])));
    largest_eta = std::max(largest_eta, std::abs(c.eta[r]));
  }
  CHECK(largest_eta > 0.1);
  CHECK(c.lambda.size() == c.phi.size());
  CHECK(c.lambda_rate.size() == c.phi.size());
}

TEST_CASE("every loop and coupling of the models obeys the equations that explain shows, to snap") {
  for (const auto& folder : jounce_test::model_folders(Space::three)) {
    CAPTURE(folder.filename().string());
    auto built = build_space(parse_model_file((folder / "model.toml").string()).model);
    REQUIRE(built.ok());
    const SpaceExplainResult found = explain(*built, 0.07);
    REQUIRE(found.explanation.has_value());
    Numbers v, a, j, s;
    for (const SpaceExplanation::Joint& joint : found.explanation->joints) {
      v.insert(v.end(), joint.v.begin(), joint.v.end()), a.insert(a.end(), joint.a.begin(), joint.a.end());
      j.insert(j.end(), joint.j.begin(), joint.j.end()), s.insert(s.end(), joint.s.begin(), joint.s.end());
    }
    for (const SpaceExplanation::Closure& c : found.explanation->closures)
      for (std::size_t r = 0; r < c.phi.size(); ++r) {
        CHECK(std::abs(dot(c.K[r], v) - c.nu[r]) < 1e-8);
        CHECK(std::abs(dot(c.K[r], a) - c.gamma[r]) < 1e-9 * std::max(1.0, largest(a)));
        CHECK(std::abs(dot(c.K[r], j) - c.eta[r]) < 1e-8 * std::max(1.0, largest(j)));
        CHECK(std::abs(dot(c.K[r], s) - c.sigma[r]) < 1e-8 * std::max(1.0, largest(s)));
      }
  }
}

TEST_CASE("forces that explain shows in space are those of the rows, with the rates that rows have on demand") {
  auto built = build_space(parse_model(kSpace, "m.toml").model);
  const SpaceExplanation e = *explain(*built, 0.4).explanation;
  const Run run = inverse(loaded(kSpace), {.times = {0.4}, .columns = {"*", "*_rate", "*.Q*"}});
  REQUIRE(e.forces.size() == 7);
  for (const SpaceExplanation::Force& f : e.forces) {
    CAPTURE(f.name);
    for (std::size_t k = 0; k < f.columns.size(); ++k) {
      CHECK(std::abs(f.value[k] - *run.results.at(0, f.name + "." + f.columns[k])) < 1e-11);
      CHECK(std::abs(f.rate[k] - *run.results.at(0, f.name + "." + f.columns[k] + "_rate")) < 1e-10);
    }
    for (const SpaceExplanation::Force::OnBody& on : f.bodies)
      CHECK(std::abs(on.Q_rate[4] - *run.results.at(0, f.name + "." + on.body + ".Qmy_rate")) < 1e-10);
  }
}

TEST_CASE("columns on demand are there for patterns that ask for them, and no force without a rate has them") {
  const Mechanism plane = loaded(kPlane);
  const auto names = [&](std::vector<std::string> patterns) { return inverse(plane, {.times = {0}, .columns = std::move(patterns)}).results.names(); };
  CHECK(names({"coil.*"}) == std::vector<std::string>{"t", "coil.l", "coil.v", "coil.f"});
  CHECK(names({"coil.f_rate"}) == std::vector<std::string>{"t", "coil.f_rate"});
  CHECK(names({"*.Q*"}).size() > 40);  // whatever points are called
  CHECK(names({"coil.rod.Qx*"}) == std::vector<std::string>{"t", "coil.rod.Qx", "coil.rod.Qx_rate"});
  for (const std::string& name : names({})) CHECK(name.find(".Qx") == name.npos);
  std::string stuck = kPlane;
  stuck.replace(stuck.find("friction_speed = 0.2"), 20, "friction_speed = 0");
  const Run run = inverse(loaded(stuck), {.times = {0}, .columns = {"strut.f_rate"}});
  REQUIRE_FALSE(run.problems.empty());
  CHECK(run.problems.back().sentence.find("no column matches 'strut.f_rate'") != std::string::npos);
}

TEST_CASE("where a law has a kink, inverse says that its rate is missing, and a run that asks for it ends") {
  // oracle: |v| has no derivative at v = 0, and the motion begins at rest
  std::string kink = kPlane;
  kink.replace(kink.find("1.3*t + 0.4*sin(3*t)"), 20, "1.3*t^2");
  kink.replace(kink.find("0.8*sin(2*t)"), 12, "0.8*t^2");
  kink.replace(kink.find("3*l*sin(5*t) + v^2"), 18, "abs(v)");
  const Mechanism mechanism = loaded(kink);
  const Run run = inverse(mechanism, {.to = 0.2, .steps = 2});
  CHECK(run.outcome.done());
  REQUIRE_FALSE(run.problems.empty());
  CHECK(run.problems.back().sentence.find("force 'coil' has no rate at t = 0 s") != std::string::npos);
  CHECK(*run.results.at(0, "O.lambda1_rate") == 0);
  CHECK(*run.results.at(1, "O.lambda1_rate") != 0);
  const Run asked = inverse(mechanism, {.to = 0.2, .steps = 2, .columns = {"coil.f_rate"}});
  CHECK(asked.outcome.kind == Outcome::Kind::undefined);
  CHECK(asked.outcome.elements == std::vector<std::string>{"coil"});
}

}  // namespace force_rates_test
