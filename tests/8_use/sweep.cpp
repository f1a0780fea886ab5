// Sweeps: many variants of one mechanism, and their goals in a table.
// Oracles: the same variants made and run one by one, closed forms, and other numbers of threads: equal bit for bit.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "jounce/jounce.hpp"
#include "written_models.hpp"

using namespace jounce;

namespace {

const std::string kSweptCrank = R"toml(
jounce = 1
gravity = [0, -9.81]
[parameters]
crank = 0.05
rod = 0.2
mass = 0.4
wall = "4*rod"
[ground]
points = { O = [0, 0], X = ["wall", 0] }
[bodies.crank]
mass = 1.5
inertia = 0.01
angle = 0.3
points = { O = [0, 0], A = ["crank", 0] }
[bodies.rod]
mass = 0.7
inertia = 0.004
com = [0.1, 0]
position = [0.048, 0.015]
angle = -0.07
points = { A = [0, 0], C = ["rod", 0] }
[bodies.piston]
mass = "mass"
inertia = 0.001
position = [0.24, 0]
points = { C = [0, 0], F = [0.03, 0] }
[joints]
bearing = { type = "revolute", i = "ground.O", j = "crank.O" }
crank-pin = { type = "revolute", i = "crank.A", j = "rod.A" }
piston-pin = { type = "revolute", i = "rod.C", j = "piston.C" }
cylinder = { type = "translational", slot = ["ground.O", "ground.X"], slider = ["piston.C", "piston.F"] }
[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "100*rpm*t" }
)toml";
constexpr double kSweptTurn = 0.6;  // seconds
constexpr double kSweptRounded = 1e-12;

const std::vector<std::string> kVaried{"crank", "rod"};

std::vector<double> variants(int crank, int rod) {
  std::vector<double> out;
  for (int i = 0; i < crank; ++i)
    for (int k = 0; k < rod; ++k) out.insert(out.end(), {0.03 + 0.03 * i / crank, 0.15 + 0.1 * k / rod});
  return out;
}

SweepTable swept(const Mechanism& m, const std::vector<double>& values, const SweepOptions& options) {
  auto out = sweep(m, kVaried, values, options);
  REQUIRE_MESSAGE(out.ok(), text(out.problems()));
  return *std::move(out);
}

bool equal_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

TEST_CASE("a sweep is what its variants are one by one, bit for bit, with any number of threads") {
  // oracle: Mechanism::with and a run each; goals of parameters that vary, and of points of the ground that move with them
  const Mechanism m = mechanism_of(kSweptCrank);
  const std::vector<Goal> goals{{"stroke", "range(piston.x)"}, {"relative", "range(piston.x)/crank"}, {"peak", "max(abs(motor.effort))"},
                                {"gap", "min(distance(piston.C, ground.X))"}, {"work", "integral(motor.effort*crank.vphi)"}, {"ratio", "first(t) + rod/crank"}};
  const std::vector<double> values = variants(5, 4);
  const SweepOptions options{.analysis = Analysis::inverse, .run = {.to = kSweptTurn, .steps = 40, .goals = goals}};
  const SweepTable one = swept(m, values, options);
  CHECK(one.parameters == kVaried);
  CHECK(one.goals == std::vector<std::string>{"stroke", "relative", "peak", "gap", "work", "ratio"});
  CHECK(one.units == std::vector<std::string>{"m", "", "N m", "m", "J", ""});
  REQUIRE(one.variants == 20);
  REQUIRE(one.values.size() == 120);
  for (std::size_t i = 0; i < one.variants; ++i) {
    CAPTURE(i);
    const double crank = values[2 * i], rod = values[2 * i + 1];
    const auto own = m.with({{"crank", crank}, {"rod", rod}});
    REQUIRE(own.ok());
    const Run alone = inverse(*own, options.run);
    REQUIRE(alone.outcome.done());
    CHECK(one.outcomes[i] == Outcome::Kind::done);
    CHECK(one.sentences[i] == "");
    for (std::size_t k = 0; k < goals.size(); ++k) CHECK_MESSAGE(one.value(i, k) == alone.goals[k].value, goals[k].name);
    CHECK(std::abs(one.value(i, 0) - 2 * crank) <= kSweptRounded);
    CHECK(std::abs(one.value(i, 1) - 2) <= 100 * kSweptRounded);
    CHECK(std::abs(one.value(i, 3) - (3 * rod - crank)) <= kSweptRounded);
    CHECK(one.value(i, 5) == rod / crank);
  }
  for (const int threads : {2, 3, 64}) {
    SweepOptions more = options;
    more.threads = threads;
    const SweepTable same = swept(m, values, more);
    CHECK(equal_bits(same.values, one.values));
    CHECK(same.outcomes == one.outcomes);
    CHECK(same.sentences == one.sentences);
  }
}

TEST_CASE("a variant that fails is a row with its outcome, and the others are as they were") {
  // oracle: a rod shorter than the crank has a dead point, one that does not reach cannot be assembled, a mass below 0 and what is no number make no mechanism
  const Mechanism m = mechanism_of(kSweptCrank);
  const std::vector<std::string> varied{"rod", "mass"};
  const double none = std::nan("");
  const std::vector<double> values{0.2, 0.4, 0.04, 0.4, 0.002, 0.4, 0.2, -1, none, 0.4, 0.21, 0.4};
  for (const int threads : {1, 2}) {
    const auto table = sweep(m, varied, values, {.analysis = Analysis::kinematics, .run = {.to = kSweptTurn, .steps = 20, .goals = {{"stroke", "range(piston.x)"}}}, .threads = threads});
    REQUIRE(table.ok());
    using Kind = Outcome::Kind;
    CHECK(table->outcomes == std::vector<Kind>{Kind::done, Kind::dead_point, Kind::not_assembled, Kind::not_run, Kind::not_run, Kind::done});
    for (const std::size_t good : {std::size_t{0}, std::size_t{5}}) {
      CHECK(std::abs(table->value(good, 0) - 0.1) <= kSweptRounded);
      CHECK(table->sentences[good] == "");
    }
    for (std::size_t bad = 1; bad < 5; ++bad) CHECK(std::isnan(table->value(bad, 0)));
    CHECK(table->sentences[1].starts_with("dead point at t = "));
    CHECK(table->sentences[2].starts_with("the "));
    CHECK(table->sentences[3] == "body 'piston': mass: must not be negative, found -1");
    CHECK(table->sentences[4] == "parameter 'rod': expected a finite number, found nan");
  }
}

TEST_CASE("a goal without a value in some variants is told there") {
  // oracle: the sign of what a root is taken of
  const Mechanism m = mechanism_of(kSweptCrank);
  const std::vector<std::string> varied{"mass"};
  const std::vector<double> values{0.4, 2};
  const auto table = sweep(m, varied, values, {.run = {.to = kSweptTurn, .steps = 20, .goals = {{"a", "sqrt(1 - mass + 0*first(t))"}, {"b", "first(crank.phi)"}}}});
  REQUIRE(table.ok());
  CHECK(table->outcomes == std::vector<Outcome::Kind>(2, Outcome::Kind::done));
  CHECK(table->value(0, 0) == std::sqrt(0.6));
  CHECK(std::isnan(table->value(1, 0)));
  CHECK(table->value(1, 1) == 0.3);
  CHECK(table->sentences[1].find("sqrt of a negative number") != std::string::npos);
}

TEST_CASE("a sweep is told how far it is, and ends where its caller says") {
  // oracle: the calls that are counted
  const Mechanism m = mechanism_of(kSweptCrank);
  const std::vector<double> values = variants(6, 5);
  for (const int threads : {1, 2}) {
    std::vector<std::size_t> told;
    std::atomic<int> asked = 0;
    SweepOptions options{.run = {.to = kSweptTurn, .steps = 20, .goals = {{"stroke", "range(piston.x)"}}}, .threads = threads, .progress = [&](std::size_t done) { told.push_back(done); }};
    const SweepTable whole = swept(m, values, options);
    REQUIRE(told.size() == 30);
    for (std::size_t i = 0; i < told.size(); ++i) CHECK(told[i] == i + 1);
    options.stop = [&] { return ++asked > 200; };
    const SweepTable part = swept(m, values, options);
    CHECK(asked <= 200 + 4 * threads);
    std::size_t done = 0;
    for (std::size_t i = 0; i < part.variants; ++i) {
      if (part.outcomes[i] == Outcome::Kind::done) {
        ++done;
        CHECK(part.value(i, 0) == whole.value(i, 0));
      } else {
        CHECK(part.outcomes[i] == Outcome::Kind::stopped);
        CHECK(std::isnan(part.value(i, 0)));
        CHECK(!part.sentences[i].empty());
      }
    }
    CHECK(done > 0);
    CHECK(done < 30);
    CHECK(part.sentences.back() == "the sweep was stopped before this variant");
  }
}

TEST_CASE("what a function of the caller throws ends the sweep and reaches him") {
  // oracle: the exception
  const Mechanism m = mechanism_of(kSweptCrank);
  for (const int threads : {1, 2}) {
    const SweepOptions options{.run = {.to = kSweptTurn, .steps = 20, .goals = {{"stroke", "range(piston.x)"}}}, .threads = threads, .progress = [](std::size_t done) {
                                 if (done == 3) throw std::runtime_error("enough");
                               }};
    CHECK_THROWS_WITH_AS((void)sweep(m, kVaried, variants(6, 5), options), "enough", std::runtime_error);
  }
}

TEST_CASE("a sweep without variants is an empty table, and a wrong question is refused with all that is wrong") {
  // oracle: by hand
  const Mechanism m = mechanism_of(kSweptCrank);
  const SweepTable empty = swept(m, {}, {.run = {.to = kSweptTurn, .steps = 20, .goals = {{"stroke", "range(piston.x)"}}}});
  CHECK(empty.variants == 0);
  CHECK(empty.values.empty());
  const std::vector<std::string> misspelt{"cranc", "rod", "rod"};
  const std::vector<double> values{0.1, 0.2, 0.3, 0.4};
  const auto wrong = sweep(m, misspelt, values, {.run = {.to = kSweptTurn, .steps = 20, .goals = {{"peak", "max(motor.efort)"}}}, .threads = 0});
  REQUIRE(!wrong.ok());
  CHECK(text(wrong.problems()) ==
        "error: sweep: the model has no parameter 'cranc' (did you mean 'crank'?)\n"
        "error: sweep: parameter 'rod' is named twice\n"
        "error: sweep: expected values for whole variants, 3 each, found 4 values\n"
        "error: sweep: expected at least 1 thread, found 0\n"
        "1:5: error: goal 'peak': unknown name 'motor.efort'\n");
  const auto nothing = sweep(m, {}, {}, {});
  REQUIRE(!nothing.ok());
  CHECK(text(nothing.problems()) == "error: sweep: expected at least one parameter that varies, found none\nerror: sweep: expected at least one goal, found none\n");
}
