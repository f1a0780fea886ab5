// Oracles: all formulations against each other, on every model that has masses. Walks models/.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/analysis/compare/compare.hpp"
#include "jounce/io/load.hpp"
#include "model_folders.hpp"

using namespace jounce;

namespace {

// What the product promises, relative to the largest number of its kind.
constexpr double kSame = 1e-10;
// Where nothing moves or pulls, only rounding is left to compare: a tenth of gravity, and a weak force or a little energy.
constexpr double kStill = 1, kLittle = 1e-2;
// The later state: this part of the model's own run.
constexpr double kLater = 0.37;

// Where a formulation does not apply, and what its reason names. Everywhere else all six do, in space all but kane.
struct Exception {
  std::string_view model;
  Formulation formulation;
  std::string_view names;  // lagrange divides by the masses and inertias of every body
};
constexpr std::array kExceptions{
    Exception{"cart-swinger", Formulation::lagrange, "body 'weight' has no inertia"},
    Exception{"elastic-pendulum", Formulation::lagrange, "body 'guide' has no mass"},
    Exception{"space-double-pendulum", Formulation::lagrange, "body 'upper' has no inertia"},
    Exception{"space-four-bar", Formulation::lagrange, "body 'crank' has no inertia"},
    Exception{"space-parallelogram", Formulation::lagrange, "body 'crank' has no inertia"},
};

bool has_masses(const PlaneMechanism& m) {
  return std::ranges::all_of(m.bodies.begin() + 1, m.bodies.end(), [](const BodyData& b) { return b.mass && b.inertia; });
}
bool has_masses(const SpaceMechanism& m) {
  return std::ranges::all_of(m.bodies.begin() + 1, m.bodies.end(), [](const SpaceBody& b) { return b.mass.has_value(); });
}

double size_of(const std::vector<double>& x) {
  double most = 0;
  for (const double a : x) most = std::isfinite(a) ? std::max(most, std::abs(a)) : 1e300;
  return most;
}
// The numbers themselves, not what the comparison says of them.
double apart(std::vector<double> a, const std::vector<double>& b, double least) {
  REQUIRE(a.size() == b.size());
  const double size = std::max({size_of(a), size_of(b), least});
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return size_of(a) / size;
}

void check_reason(const std::string& model, Space space, const ComparedFormulation& f) {
  CAPTURE(f.reason);
  const auto found = std::ranges::find_if(kExceptions, [&](const Exception& e) { return e.model == model && e.formulation == f.formulation; });
  if (space == Space::three && f.formulation == Formulation::kane) CHECK(f.reason.find("in space Kane's equations are those of 'crba'") != std::string::npos);
  else if (found != kExceptions.end()) CHECK(f.reason.find(found->names) != std::string::npos);
  else CHECK(f.applies());
}

void check_numbers(const Comparison& c, const ComparedFormulation& one, const ComparedFormulation& other) {
  REQUIRE(other.accelerations.size() == c.acceleration_columns.size());
  REQUIRE(other.reactions.size() == c.reaction_columns.size());
  CHECK(apart(one.accelerations, other.accelerations, kStill) <= kSame);
  CHECK(apart(one.reactions, other.reactions, kLittle) <= kSame);
  CHECK(apart({one.kinetic, one.potential}, {other.kinetic, other.potential}, kLittle) <= kSame);
  CHECK(other.unknowns >= 0);
  CHECK(other.seconds > 0);
}

void check_state(const std::string& model, Space space, const ComparisonResult& result, double t) {
  CAPTURE(t);
  REQUIRE_MESSAGE(result.comparison, result.outcome.sentence << text(result.problems));
  const Comparison& c = *result.comparison;
  CHECK(c.t == doctest::Approx(t));
  REQUIRE(c.formulations.size() == kFormulations.size());
  const ComparedFormulation* first = nullptr;
  for (std::size_t f = 0; f < kFormulations.size(); ++f) {
    const ComparedFormulation& one = c.formulations[f];
    CAPTURE(word(one.formulation));
    CHECK(one.formulation == kFormulations[f]);
    check_reason(model, space, one);
    if (!one.applies()) continue;
    if (first == nullptr) first = &one;
    check_numbers(c, *first, one);
  }
  CHECK(c.agree());
  CHECK(c.disagreement() <= kSame);
  CHECK(std::isfinite(c.condition));
  CHECK(c.condition >= 1);
}

template <class M>
void check_model(const std::string& name, Space space, const M& mechanism, int& checked) {
  if (!has_masses(mechanism)) return;
  ++checked;
  for (const double t : {0.0, kLater * mechanism.run.to}) check_state(name, space, compare(mechanism, t), t);
}

}  // namespace

TEST_CASE("every planar model with masses, through every formulation") {
  int checked = 0;
  for (const auto& folder : jounce_test::model_folders(Space::plane)) {
    const std::string name = folder.filename().string();
    CAPTURE(name);
    const auto mechanism = load_plane((folder / "model.toml").string());
    REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
    check_model(name, Space::plane, *mechanism, checked);
  }
  CHECK(checked >= 30);
}

TEST_CASE("every spatial model with masses, through every formulation") {
  int checked = 0;
  for (const auto& folder : jounce_test::model_folders(Space::three)) {
    const std::string name = folder.filename().string();
    CAPTURE(name);
    const auto mechanism = load_space((folder / "model.toml").string());
    REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
    check_model(name, Space::three, *mechanism, checked);
  }
  CHECK(checked >= 20);
}
