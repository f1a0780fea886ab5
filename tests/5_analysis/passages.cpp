// Singular positions on the way of a forward motion: seen, passed on the branch that the motion is on, and told from those that are only nearly so.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/passage/around.hpp"
#include "jounce/analysis/passage/held.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/io/read_model.hpp"
#include "places.hpp"

namespace passages_test {

namespace {

using namespace jounce;

std::string read(const std::string& path) {
  std::ifstream in(places::source() + "/" + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

SpaceMechanism space_of(const std::string& text) {
  auto mechanism = build_space(parse_model(text, "model.toml").model);
  REQUIRE_MESSAGE(mechanism.ok(), jounce::text(mechanism.problems()));
  return *std::move(mechanism);
}

PlaneMechanism plane_of(const std::string& text) {
  auto mechanism = build_plane(parse_model(text, "model.toml").model);
  REQUIRE_MESSAGE(mechanism.ok(), jounce::text(mechanism.problems()));
  return *std::move(mechanism);
}

std::vector<double> passages(const DynamicsRun& run) {
  std::vector<double> out;
  for (const Event& event : run.events)
    if (event.kind == "singular-position") out.push_back(event.t);
  return out;
}

// Links 1, 0.5, 1 and 0.5 + longer, cranks at 10 rad/s: a parallelogram that lies flat at 0.214 s, or nearly so.
std::string near_parallelogram(double longer) {
  std::string text = read("tests/data/spinning-parallelogram-space.toml");
  const std::size_t at = text.find("B = [0.5,");
  REQUIRE(at != std::string::npos);
  char length[40];
  std::snprintf(length, sizeof length, "B = [%.17g,", 0.5 + longer);
  return text.replace(at, 9, length);
}

// The rocker of links 1, 0.5, 1, r over the angle of the crank, on the side on which it is parallel to it at the start: where two circles meet.
double rocker_angle(double crank, double r) {
  const double x = 0.5 * std::cos(crank) - 1, y = 0.5 * std::sin(crank), d = std::hypot(x, y);
  const double inner = std::acos((r * r + d * d - 1) / (2 * r * d));
  return std::atan2(y, x) - inner;
}

/// A step from −1 to 1 across 0.
class Across final : public Stepper {
 public:
  Status start(double, std::span<const double>) override { return Status::accepted; }
  Status step(double) override { return Status::accepted; }
  [[nodiscard]] double t() const override { return 1; }
  [[nodiscard]] double previous_t() const override { return -1; }
  bool dense(double, std::span<double>) override { return true; }
  [[nodiscard]] Fault fault() const override { return {}; }
  [[nodiscard]] StepperStatistics statistics() const override { return {}; }
  [[nodiscard]] std::optional<double> passage() const override { return 0.0; }
};

double turns_apart(double a, double b) { return std::abs(std::remainder(a - b, 2 * std::numbers::pi)); }

}  // namespace

TEST_CASE("what equations have left since a position sees one of them vanish, and two at once") {
  // oracle: by hand. K = diag(1 − s, 1 − s, 1): its determinant is never negative, two eigenvalues of B are 1 − s
  const auto gradients = [](double s) {
    Matrix out(4, 3);
    out.at(0, 0) = out.at(1, 1) = 1 - s, out.at(2, 2) = 1;
    return out;
  };
  const HeldSince held(gradients(0), 3);
  CHECK(held.regularity() == doctest::Approx(1));
  CHECK(held.left(gradients(0)) == doctest::Approx(1));
  for (const double s : {0.4, 0.9, 1.0, 1.7}) CHECK(held.left(gradients(s)) == doctest::Approx(1 - s).epsilon(1e-12));
  // the third equation twice as large, and once more: the rank is three in general
  const auto redundant = [](double s) {
    Matrix out(4, 4);
    out.at(0, 0) = out.at(1, 1) = 1 - s, out.at(2, 2) = 1, out.at(2, 3) = 2;
    return out;
  };
  const HeldSince again(redundant(0.5), 3);
  CHECK(again.regularity() == doctest::Approx(0.5));
  CHECK(again.left(redundant(1.25)) == doctest::Approx(-0.5).epsilon(1e-12));
}

TEST_CASE("what is smooth across a singular position, and what grows without bound there, follow from around it") {
  // oracle: the functions themselves; an eighth of e^(t/4) at the end of the series is 1e-11
  const Across step;
  CHECK_FALSE(Around::of(step, 0.3).has_value());
  for (const double t : {-0.04, -1e-4, 1e-7, 0.02}) {
    const auto around = Around::of(step, t);
    REQUIRE(around.has_value());
    for (int power = 0; power <= 2; ++power) {
      CAPTURE(t);
      CAPTURE(power);
      const auto function = [&](double s) { return (2 + s) * std::exp(s / 4) / std::pow(s, power); };
      std::vector<double> values;
      for (const double s : around->times()) values.push_back(function(s));
      CHECK(std::abs(around->value(values) / function(t) - 1) < 1e-9);
    }
  }
  REQUIRE(Around::of(step, 0).has_value());
  CHECK(Around::of(step, 0)->value(std::vector<double>(8, 3.0)) == doctest::Approx(3).epsilon(1e-14));
}

TEST_CASE("four-bars that lie flat go on in space as in the plane, whatever the tolerance and the method") {
  // oracle: the energy is constant; the plane's power series of order 18 at 1e-10, which agrees with the exact solution to 4e-10 (bench fourbars)
  const PlaneMechanism plane = plane_of(read("models/four-bars-2/model.toml"));
  const SpaceMechanism space = space_of(read("tests/data/four-bars-2-space.toml"));
  const DynamicsRun exact = dynamics(plane, {.to = 10, .steps = 1, .tolerance = 1e-10, .method = Method::taylor});
  REQUIRE_MESSAGE(exact.outcome.done(), exact.outcome.sentence);
  const std::vector<double> times = passages(exact);
  REQUIRE(times.size() == 10);
  CHECK(std::abs(times[0] - 0.714356) < 1e-6);
  const auto check = [&](const DynamicsRun& run, double tolerance) {
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    CHECK(run.statistics.energy_drift < 3000 * tolerance + 1e-9);
    const std::vector<double> found = passages(run);
    REQUIRE(found.size() == times.size());
    for (std::size_t i = 0; i < times.size(); ++i) CHECK(std::abs(found[i] - times[i]) < 100 * tolerance + 3e-6);
  };
  for (const Method method : {Method::dop853, Method::radau})
    for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
      if (method == Method::radau && tolerance < 1e-10) continue;  // seconds
      CAPTURE(word(method));
      CAPTURE(tolerance);
      check(dynamics(space, {.to = 10, .steps = 40, .tolerance = tolerance, .method = method}), tolerance);
      check(dynamics(plane, {.to = 10, .steps = 40, .tolerance = tolerance, .method = method}), tolerance);
    }
  check(dynamics(plane, {.to = 10, .steps = 40, .tolerance = 1e-6, .method = Method::taylor}), 1e-6);
  const DynamicsRun fine = dynamics(space, {.to = 10, .steps = 1, .tolerance = 1e-10});
  check(fine, 1e-10);
  const std::size_t last = fine.results.rows() - 1;
  CHECK(turns_apart(*fine.results.at(last, "foot-1.q1"), *fine.results.at(0, "foot-1.q1") + *exact.results.at(exact.results.rows() - 1, "first.phi") -
                                                              *exact.results.at(0, "first.phi")) < 1e-7);
}

TEST_CASE("a parallelogram spins on as it was, and a row exactly at the singular position is like any other") {
  // oracle: no force does work, so 10 rad/s for ever; at the crank's pivot the half of the coupler on it moves on a circle of 0.5 m: 1 kg · 0.5 m · 10² / s²
  const SpaceMechanism mechanism = space_of(read("tests/data/spinning-parallelogram-space.toml"));
  const double flat = (std::numbers::pi - 1) / 10;
  for (const double to : {2 * flat, 10.0}) {
    const DynamicsRun run = dynamics(mechanism, {.to = to, .steps = 2});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    for (std::size_t row = 0; row < run.results.rows(); ++row) {
      CHECK(std::abs(*run.results.at(row, "O.q1") - 1 - 10 * *run.results.at(row, "t")) < 1e-9);
      CHECK(std::abs(*run.results.at(row, "O.v1") - 10) < 1e-9);
      CHECK(std::abs(*run.results.at(row, "O.a1")) < 1e-6);
      CHECK(std::abs(std::hypot(*run.results.at(row, "O.fx"), *run.results.at(row, "O.fy"), *run.results.at(row, "O.fz")) - 50) < 1e-6);
    }
    CHECK(passages(run).size() == static_cast<std::size_t>((1 + 10 * to) / std::numbers::pi));
  }
}

TEST_CASE("three cranks on one beam pass the position where they lie flat in every formulation, by every method, and rows close to it are right") {
  // oracle: cranks of one length turn as one body, whose inertia does not change: J a = g · dr/dphi, with the masses of tests/data/three-cranks.toml
  const PlaneMechanism mechanism = plane_of(read("tests/data/three-cranks.toml"));
  struct Part {
    double mass, x, y, inertia;
  };
  const double beam = 1.0821186423624145, crank = 0.45494623245998644;
  double J = beam * crank * crank, x = beam * crank, y = 0;
  for (const Part& part : {Part{1.1150391316684771, 0.0067571224089698345, 0.23989642168328368, 0.012180931522620632},
                           Part{0.5373375067104892, 0.22747311622999322, 0, 0.009268000648557628},
                           Part{2.873805490737027, 0.15274825104494744, 0.14024679829720865, 0.03916522537890673}})
    J += part.inertia + part.mass * (part.x * part.x + part.y * part.y), x += part.mass * part.x, y += part.mass * part.y;
  const double gx = 0.6013532261764221, gy = -1.3679995100847164;
  const auto pull = [&](double phi) { return (gx * x + gy * y) * std::cos(phi) + (gy * x - gx * y) * std::sin(phi); };  // the work of the weight
  for (const Formulation formulation : {Formulation::lagrange, Formulation::nullspace, Formulation::kkt, Formulation::kane, Formulation::crba, Formulation::aba})
    for (const Method method : {Method::taylor, Method::dop853, Method::radau})
      for (const double to : {0.6, 0.7}) {  // half a millisecond before it, and behind it
        CAPTURE(word(formulation));
        CAPTURE(word(method));
        const DynamicsRun run = dynamics(mechanism, {.to = to, .steps = 3, .method = method, .formulation = formulation});
        REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
        for (std::size_t row = 0; row < run.results.rows(); ++row) {
          const double phi = *run.results.at(row, "crank0.phi"), v = *run.results.at(row, "crank0.vphi");
          const double a = pull(phi + std::numbers::pi / 2) / J;
          CHECK(std::abs(v * v - 3.593085004255936 * 3.593085004255936 - 2 * (pull(phi) - pull(2.134650892987455)) / J) < 1e-6);
          CHECK(std::abs(*run.results.at(row, "crank0.aphi") - a) < 1e-6);
          CHECK(std::abs(*run.results.at(row, "crank0.sphi") - (-a * v * v - pull(phi) / J * a)) < 1e-3);
        }
        CHECK(passages(run).size() <= 1);
      }
}

TEST_CASE("reactions that grow without bound towards a singular position do so in rows close to it, too") {
  // oracle: a rhombus of 1 m links, thrown, with a load across it where it lies flat: the same rows at a tolerance of 1e-12, and forces that grow as the inverse
  // of the time to the position
  const auto load = [](double tolerance, Method method) {
    const DynamicsRun run = dynamics(plane_of(read("tests/data/rhombus.toml")), {.to = 0.6, .steps = 300, .tolerance = tolerance, .method = method});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    REQUIRE(passages(run).size() == 1);
    std::vector<double> out;
    for (std::size_t row = 0; row < run.results.rows(); ++row)
      out.push_back(*run.results.at(row, "O.fx") * (*run.results.at(row, "t") - passages(run)[0]));
    return out;
  };
  const std::vector<double> exact = load(1e-12, Method::taylor);
  for (const Method method : {Method::taylor, Method::dop853}) {
    const std::vector<double> found = load(1e-7, method);
    for (std::size_t row = 0; row < exact.size(); ++row) CHECK(std::abs(found[row] - exact[row]) < 1e-4 * (1 + std::abs(exact[row])));
  }
}

TEST_CASE("a linkage that only comes near a singular position stays on its own branch") {
  // oracle: where two circles meet, on the side of the start; the energy
  for (const double longer : {5e-3, 5e-5, 5e-7, 5e-9, 5e-11})
    for (const double tolerance : {1e-6, 1e-10}) {
      CAPTURE(longer);
      CAPTURE(tolerance);
      const DynamicsRun run = dynamics(space_of(near_parallelogram(longer)), {.to = 0.5, .steps = 5, .tolerance = tolerance});
      REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
      CHECK(passages(run).empty());
      CHECK(run.statistics.energy_drift < 2e-5);
      for (std::size_t row = 0; row < run.results.rows(); ++row)
        CHECK(turns_apart(*run.results.at(row, "D.q1"), rocker_angle(*run.results.at(row, "O.q1"), 0.5 + longer)) < 1e-7);
    }
}

TEST_CASE("a redundant loop that comes near a singular position has no event, and its loads are those of the equations") {
  // oracle: the same at a tolerance of 1e-12, where the gap is followed in short steps; the row at 0.2667 s lies within it
  const auto run = [](double tolerance) {
    DynamicsRun out = dynamics(space_of(read("tests/data/bricard-near-miss.toml")), {.to = 0.4, .steps = 3, .tolerance = tolerance});
    REQUIRE_MESSAGE(out.outcome.done(), out.outcome.sentence);
    CHECK(passages(out).empty());
    return out;
  };
  const DynamicsRun exact = run(1e-12), found = run(1e-8);
  for (std::size_t row = 0; row < exact.results.rows(); ++row)
    for (const std::string joint : {"hinge0", "hinge3", "closure"})
      for (const std::string load : {".fx", ".fy", ".fz", ".mx", ".my", ".mz"})
        CHECK(std::abs(*found.results.at(row, joint + load) - *exact.results.at(row, joint + load)) < 1e-3);  // of 45 N
}

TEST_CASE("where neither of two ways can be told from the other the run says so, and keeps its rows") {
  const DynamicsRun run = dynamics(space_of(near_parallelogram(5e-13)), {.to = 0.5, .steps = 5});
  CHECK(run.outcome.kind == Outcome::Kind::step_too_small);
  CHECK(run.outcome.sentence.find("no smooth motion leads across it or past it") != std::string::npos);
  CHECK(run.results.rows() == 3);
}

}  // namespace passages_test
