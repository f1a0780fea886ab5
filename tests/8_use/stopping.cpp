// Oracle: the caller. A function that says stop at its n-th call, for every n up to where nobody asks any more: each analysis then ends as
// stopped, asks no more than a few times again, and leaves whole rows that the same analysis undisturbed has, too.
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "jounce/jounce.hpp"

using namespace jounce;

namespace {

Mechanism made(const std::string& toml) {
  auto mechanism = Mechanism::from_text(toml, "test.toml");
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  return *std::move(mechanism);
}

// A chain of bars drawn apart, so that it has to be assembled; large enough to be asked on the way.
Mechanism plane_chain(bool driven) {
  std::string toml = "jounce = 1\nname = \"chain\"\ngravity = [0, -9.81]\n[ground]\npoints = { O = [0, 0] }\n";
  for (int k = 0; k < 45; ++k) {
    const std::string own = std::to_string(k), carrier = k == 0 ? "ground" : "b" + std::to_string(k - 1);
    toml += "[bodies.b" + own + "]\nmass = 1\ninertia = 0.01\nposition = [" + std::to_string(0.11 * k) + ", 0.02]\npoints = { A = [0, 0], B = [0.1, 0] }\n";
    toml += "[joints.j" + own + "]\ntype = \"revolute\"\ni = \"" + (k == 0 ? "ground.O" : carrier + ".B") + "\"\nj = \"b" + own + ".A\"\n";
    if (driven) toml += "[drivers.d" + own + "]\ntype = \"angle\"\ni = \"" + carrier + "\"\nj = \"b" + own + "\"\nmotion = \"0.1*sin(5*t)\"\n";
    else toml += "[forces.s" + own + "]\ntype = \"torsion-spring\"\ni = \"" + carrier + "\"\nj = \"b" + own + "\"\nstiffness = 200\ndamping = 1\n";
  }
  return made(toml);
}

// Four-bars beside each other in space, written with their loops open.
Mechanism space_loops(bool driven) {
  std::string toml = "jounce = 1\nname = \"loops\"\nspace = \"3d\"\ngravity = [0, 0, -9.81]\n[ground]\npoints = { ";
  constexpr int kLoops = 12;
  for (int k = 0; k < kLoops; ++k) toml += (k == 0 ? "Q" : ", Q") + std::to_string(k) + " = [1, " + std::to_string(k) + ", 0]";
  toml += " }\n";
  const char* const length[] = {"0", "0.4", "0.9"};
  const char* const angle[] = {"-1", "0.8", "1.3"};
  for (int k = 0; k < kLoops; ++k) {
    const std::string own = std::to_string(k);
    for (int part = 0; part < 3; ++part) {
      const std::string name = "b" + own + "-" + std::to_string(part), carrier = part == 0 ? "ground" : "b" + own + "-" + std::to_string(part - 1);
      toml += "[bodies." + name + "]\nmass = 1\ncom = [0.2, 0, 0]\ninertia = [0.01, 0.01, 0.01, 0, 0, 0]\n" +
              (part == 2 ? "points = { E = [0.8, 0, 0] }\n" : "") + "[joints.j" + own + "-" + std::to_string(part) + "]\ntype = \"revolute\"\nparent = \"" +
              carrier + "\"\nchild = \"" + name + "\"\norigin = { xyz = [" + length[part] + ", " + (part == 0 ? own : "0") +
              ", 0] }\naxis = [0, 1, 0]\nq = [" + angle[part] + "]\n" +
              (part == 0 ? (driven ? "dofs = [ { motion = \"-1 + 0.3*t\" } ]\n" : "dofs = [ { stiffness = 100, damping = 5 } ]\n") : "");
    }
    toml += "[loops.l" + own + "]\ntype = \"spherical\"\ni = \"b" + own + "-2.E\"\nj = \"ground.Q" + own + "\"\n";
  }
  return made(toml);
}

// Says stop at its n-th call and ever after.
struct Counted {
  int at = 0, calls = 0;
  Stop stop() {
    return [this] { return ++calls >= at; };
  }
};

/// At least so many calls have to come, and not many after the answer was yes.
constexpr int kPatience = 3;

// `analysis(stop)` says how it ended.
void check_every_stop(const std::function<Outcome::Kind(const Stop&)>& analysis, int least_calls) {
  Counted never{1 << 30};
  const Outcome::Kind undisturbed = analysis(never.stop());
  CHECK(undisturbed == Outcome::Kind::done);
  CHECK(never.calls >= least_calls);
  for (int n = 1; n <= never.calls; n += 1 + n / 4) {
    CAPTURE(n);
    Counted counted{n};
    const Outcome::Kind kind = analysis(counted.stop());
    CHECK(counted.calls >= n);
    CHECK(counted.calls < n + kPatience);
    // what is done before the answer is looked at may be done
    if (n + kPatience < never.calls) CHECK(word(kind) == word(Outcome::Kind::stopped));
  }
}

/// A mechanism keeps what its assembly came to: only one made anew asks there again.
using Maker = Mechanism (*)(bool driven);

void check_rows(Maker maker, bool driven, Analysis analysis, const Options& options) {
  const Run whole = run(maker(driven), analysis, options);
  REQUIRE_MESSAGE(whole.outcome.done(), text(whole.problems));
  for (const int n : {1, 4, 9, 16}) {
    CAPTURE(n);
    Counted counted{n};
    Options stopped = options;
    stopped.stop = counted.stop();
    const Run part = run(maker(driven), analysis, stopped);
    REQUIRE(part.results.rows() <= whole.results.rows());
    for (std::size_t row = 0; row < part.results.rows(); ++row)
      for (std::size_t c = 0; c < part.results.columns().size(); ++c) REQUIRE(part.results.row(row)[c] == whole.results.row(row)[c]);
  }
}

// Of these, where the mechanisms differ: the loops of space are assembled without asking anybody.
struct LeastCalls {
  int dynamics, state, check;
};

void check_every_analysis(Maker maker, const LeastCalls& least) {
  constexpr bool kFree = false, kDriven = true;
  const Options options{.to = 0.05, .steps = 8, .tolerance = 1e-6};
  const auto by = [&](bool driven, Analysis analysis) {
    return [maker, driven, analysis, options](const Stop& stop) {
      Options with = options;
      with.stop = stop;
      return run(maker(driven), analysis, with).outcome.kind;
    };
  };
  SUBCASE("kinematics") { check_every_stop(by(kDriven, Analysis::kinematics), 8); }
  SUBCASE("inverse") { check_every_stop(by(kDriven, Analysis::inverse), 8); }
  SUBCASE("dynamics") { check_every_stop(by(kFree, Analysis::dynamics), least.dynamics); }
  SUBCASE("equilibrium") { check_every_stop(by(kFree, Analysis::equilibrium), 3); }
  SUBCASE("a state") { check_every_stop([&](const Stop& stop) { return state_at(maker(kFree), 0.02, stop).outcome.kind; }, least.state); }
  SUBCASE("explain") { check_every_stop([&](const Stop& stop) { return explain(maker(kDriven), 0.05, {}, stop).outcome.kind; }, 1); }
  SUBCASE("compare") { check_every_stop([&](const Stop& stop) { return compare(maker(kFree), 0, stop).outcome.kind; }, 3); }
  SUBCASE("draw") { check_every_stop([&](const Stop& stop) { return draw(maker(kDriven), 0.05, {}, {}, stop).outcome.kind; }, 1); }
  SUBCASE("check") {
    check_every_stop([&](const Stop& stop) { return check(maker(kFree), stop).stopped ? Outcome::Kind::stopped : Outcome::Kind::done; }, least.check);
  }
  SUBCASE("rows") {
    check_rows(maker, kDriven, Analysis::kinematics, options);
    check_rows(maker, kFree, Analysis::dynamics, options);
  }
  SUBCASE("a simulation") {
    Counted counted{5};
    Simulation simulation(maker(kFree), {.tolerance = 1e-6, .stop = counted.stop()});
    CHECK_FALSE(simulation.advance(10));
    CHECK(simulation.outcome().kind == Outcome::Kind::stopped);
  }
}

}  // namespace

TEST_CASE("every analysis of the plane stops when it is asked to, wherever it is") {
  check_every_analysis(plane_chain, {.dynamics = 8, .state = 3, .check = 1});
}

TEST_CASE("every analysis of space stops when it is asked to, wherever it is") {
  check_every_analysis(space_loops, {.dynamics = 4, .state = 1, .check = 0});
}

TEST_CASE("what takes no time asks nobody while it is assembled") {
  int calls = 0;
  const Stop stop = [&] { return ++calls, false; };
  CHECK(check(made("jounce = 1\nname = \"pendulum\"\n[ground]\npoints = { O = [0, 0] }\n[bodies.a]\nposition = [0.3, 0.1]\npoints = { A = [0, 0] }\n"
                   "[joints.o]\ntype = \"revolute\"\ni = \"ground.O\"\nj = \"a.A\"\n"),
              stop).assembly.assembled);
  CHECK(calls == 0);
}
