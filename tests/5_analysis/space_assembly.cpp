// Oracles: a four-bar computed with 40 digits, geometry by hand, the momentum added up body by body, known mobilities.
#include "jounce/analysis/assembly/assembly.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "jounce/analysis/check/space_mobility.hpp"
#include "jounce/base/text.hpp"
#include "jounce/tree/algorithms.hpp"
#include "oracles/tree_maker.hpp"

namespace space_assembly_test {

using namespace jounce;
using oracle::at;
using oracle::TreeMaker;

namespace {

constexpr double kPi = std::numbers::pi;
using Names = std::vector<std::string>;

Mobility mobility_of(const TreeMaker& maker, const Assembly& found) { return mobility(maker.mechanism, found); }
int rank_of(const TreeMaker& maker, const Assembly& found) {
  const Mobility m = mobility_of(maker, found);
  return m.joint_equations - m.redundant;
}

TreeMaker general_four_bar(const char* closure) {
  const oracle::GeneralFourBar known;
  return oracle::four_bar(known.ground, known.crank, known.coupler, known.rocker, closure);
}

TimeFunction function(const std::string& text) {
  auto parsed = Expression::parse(text, {{}, {"t"}});
  REQUIRE_MESSAGE(parsed.ok(), jounce::text(parsed.problems()));
  return TimeFunction(*std::move(parsed));
}
TimeFunction ramp(double from, double rate) {
  std::array<char, 80> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.17g + %.17g*t", from, rate);
  return function(buffer.data());
}

void check_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    CAPTURE(k);
    CHECK(std::abs(found[k] - expected[k]) <= tolerance);
  }
}

struct Totals : tree::Totals<double> {
  Totals(const SpaceMechanism& m, const std::vector<double>& q, const std::vector<double>& v) {
    tree::Workspace<double> work(m.tree);
    std::vector<tree::LinkMotion<double>> links(static_cast<std::size_t>(m.tree.size()));
    const std::vector<double> still(v.size());
    tree::motion(m.tree, work, q.data(), v.data(), still.data(), links.data());
    static_cast<tree::Totals<double>&>(*this) = tree::totals(m.tree, work, links.data());
  }
};

// The general four-bar on a base of its own.
TreeMaker carried_four_bar(const char* base_joint, const tree::JointShape& shape = {}) {
  const oracle::GeneralFourBar known;
  TreeMaker maker;
  const int base = maker.add("base", base_joint, 0, {}, shape);
  const int a = maker.add("crank", "revolute", base), b = maker.add("coupler", "revolute", a, at(known.crank, 0));
  const int c = maker.add("rocker", "revolute", base, at(known.ground, 0));
  maker.load(base, 2, {0.4, 0.1, 0.2}, {0.2, 0.3, 0.25, 0.01, 0, 0.02});
  maker.rod(a, known.crank, known.crank), maker.rod(b, known.coupler, known.coupler), maker.rod(c, known.rocker, known.rocker);
  maker.loop("closure", "revolute", b, at(known.coupler, 0), c, at(known.rocker, 0));
  for (std::size_t k = 0; k < 3; ++k) {
    maker.mechanism.q[maker.mechanism.q.size() - 3 + k] = known.q[k];
    maker.mechanism.v[maker.mechanism.v.size() - 3 + k] = known.v[k];
  }
  return maker;
}

}  // namespace

TEST_CASE("what is closed already stays as it is written") {
  const oracle::GeneralFourBar known;
  TreeMaker maker = general_four_bar("revolute");
  maker.mechanism.q = known.q, maker.mechanism.v = known.v;
  const Assembly found = assemble(maker.mechanism);
  REQUIRE_MESSAGE(found.assembled, text(found.problems));
  CHECK(found.problems.empty());
  CHECK(found.q == known.q);
  check_near(found.v, known.v, 1e-14);
  CHECK(found.moved_radians == 0);
  // a plane linkage closed by a hinge of space: two equations of five do all, the loop repeats itself
  CHECK(mobility_of(maker, found).joint_equations == 5);
  CHECK(rank_of(maker, found) == 2);
  CHECK(mobility_of(maker, found).redundant == 3);
  CHECK(mobility_of(maker, found).undriven == 1);
  REQUIRE(mobility_of(maker, found).dependent.size() == 1);
  CHECK(mobility_of(maker, found).dependent[0].names == Names{"loop 'closure'"});
  CHECK(mobility_of(maker, found).dependent[0].consistent);
}

TEST_CASE("a four-bar closes from a rough start, and one rate determines the others") {
  const oracle::GeneralFourBar known;
  for (const char* closure : {"revolute", "spherical", "cylindrical"}) {
    CAPTURE(closure);
    TreeMaker maker = general_four_bar(closure);
    // 0.3 and 0.5 rad away; the crank is prescribed
    maker.mechanism.q = {0, known.q[1] + 0.3, known.q[2] - 0.5};
    maker.mechanism.dofs[0].motion = TimeFunction(known.q[0]);
    Assembly found = assemble(maker.mechanism);
    REQUIRE_MESSAGE(found.assembled, text(found.problems));
    check_near(found.q, known.q, 1e-13);
    CHECK(found.worst_residual < 1e-14);
    CHECK(found.moved_radians == doctest::Approx(0.5).epsilon(1e-12));
    CHECK(found.moved_metres == 0);
    CHECK(mobility_of(maker, found).undriven == 0);

    maker.mechanism.dofs[0].motion.reset();
    maker.mechanism.q = known.q;
    maker.mechanism.v = {2, 0, 0};
    found = assemble(maker.mechanism);
    REQUIRE(found.assembled);
    check_near(found.v, known.v, 1e-13);
  }
}

TEST_CASE("a loop that demands nothing of its links moves nothing") {
  // they may slide on each other in the plane in which they are anyway
  TreeMaker maker = general_four_bar("planar");
  maker.mechanism.q = {0.1, 0.2, 0.3};
  const Assembly found = assemble(maker.mechanism);
  CHECK(found.assembled);
  CHECK(found.q == maker.mechanism.q);
  CHECK(rank_of(maker, found) == 0);
  CHECK(mobility_of(maker, found).undriven == 3);
}

TEST_CASE("prescribed motions are sampled at the time that is asked for") {
  const oracle::GeneralFourBar known;
  TreeMaker maker = general_four_bar("revolute");
  maker.mechanism.q = {0, known.q[1] + 0.1, known.q[2] + 0.1};
  maker.mechanism.dofs[0].motion = ramp(known.q[0] - 1, 2);
  const Assembly found = assemble(maker.mechanism, 0.5);
  REQUIRE_MESSAGE(found.assembled, text(found.problems));
  check_near(found.q, known.q, 1e-14);
  check_near(found.v, known.v, 1e-13);
}

TEST_CASE("rates that contradict the loop give way, and that is told") {
  const oracle::GeneralFourBar known;
  TreeMaker maker = general_four_bar("revolute");
  maker.mechanism.q = known.q;
  maker.mechanism.v = {2, -2.4, 0.5};
  const Assembly found = assemble(maker.mechanism);
  REQUIRE(found.assembled);
  // the nearest of the multiples of the known rates
  double along = 0, square = 0;
  for (std::size_t k = 0; k < 3; ++k) along += known.v[k] * maker.mechanism.v[k], square += known.v[k] * known.v[k];
  for (std::size_t k = 0; k < 3; ++k) CHECK(found.v[k] == doctest::Approx(known.v[k] * along / square).epsilon(1e-12));
  REQUIRE(found.problems.size() == 3);
  CHECK(found.problems[2].severity == Severity::warning);
  CHECK(found.problems[2].sentence ==
        "joint 'rocker': v: 0.5 is written, but the loops and couplings make it " + short_number(known.v[2] * along / square));
  CHECK(found.problems[2].where == Where{12, 1});
}

TEST_CASE("a loop that cannot be closed is named, with what it misses") {
  // stretched out, the links reach 0.3 + 0.2 + 0.2 of 1 m
  TreeMaker maker = oracle::four_bar(1, 0.3, 0.2, 0.2, "spherical");
  maker.mechanism.q = {0.4, 0.3, 2.5};
  maker.mechanism.file = "short.toml";
  const Assembly found = assemble(maker.mechanism);
  CHECK_FALSE(found.assembled);
  REQUIRE(found.gaps.size() == 1);
  CHECK(found.gaps[0].metres == doctest::Approx(0.3).epsilon(1e-6));
  CHECK(found.gaps[0].radians == 0);
  REQUIRE(found.problems.size() == 1);
  CHECK(found.problems[0].text() ==
        "short.toml:100:1: error: the mechanism cannot be assembled: this cannot be met: loop 'closure' (300 mm apart)");
}

TEST_CASE("a hinge that would have to bend is told in degrees") {
  TreeMaker maker;
  const int bar = maker.add("bar", "prismatic", 0);
  maker.loop("hinge", "revolute", 0, {}, bar, {from_rpy({0.2, 0, 0}), {}});
  const Assembly found = assemble(maker.mechanism);
  CHECK_FALSE(found.assembled);
  REQUIRE(found.gaps.size() == 1);
  CHECK(found.gaps[0].radians == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(found.gaps[0].metres == 0);
  CHECK(text(found.problems).find("(11.4592 degrees apart)") != std::string::npos);
}

TEST_CASE("motions that contradict each other are an error") {
  const oracle::GeneralFourBar known;
  TreeMaker maker = general_four_bar("spherical");
  maker.mechanism.q = known.q;
  // both ends meet now, but only the crank moves on
  maker.mechanism.dofs[0].motion = ramp(known.q[0], 2);
  maker.mechanism.dofs[2].motion = TimeFunction(known.q[2]);
  Assembly found = assemble(maker.mechanism);
  CHECK_FALSE(found.assembled);
  // turning, the coupler can follow across its length; along it the crank's pin goes on with
  const double speed = 2 * known.crank * std::sin(-known.q[1]);
  CHECK(text(found.problems) ==
        "100:1: error: the prescribed motions contradict each other: loop 'closure' would have to come apart at " +
            short_number(speed * 1e3) + " mm/s\n");
  CHECK(mobility_of(maker, found).redundant == 2);  // of three: across the plane, and along the coupler
  CHECK(std::ranges::any_of(mobility_of(maker, found).dependent, [](const DependentSet& set) { return !set.consistent; }));

  // and where they do not even meet
  maker.mechanism.dofs[2].motion = TimeFunction(known.q[2] + 0.1);
  found = assemble(maker.mechanism);
  CHECK_FALSE(found.assembled);
  CHECK(text(found.problems).find("cannot be assembled") != std::string::npos);
}

TEST_CASE("two motors on one coupling") {
  TreeMaker maker;
  (void)maker.add("a", "revolute", 0);
  (void)maker.add("b", "revolute", 0);
  (void)maker.add("c", "revolute", 0);
  maker.mechanism.couplings.push_back({"ab", {7, 1}, 0, 1, 2, 0.5});
  maker.mechanism.couplings.push_back({"ac", {8, 1}, 0, 2, -1, 0});
  maker.mechanism.couplings.push_back({"bc", {9, 1}, 1, 2, -0.5, 0.25});  // what the other two say already
  Assembly found = assemble(maker.mechanism);
  REQUIRE_MESSAGE(found.assembled, text(found.problems));
  CHECK(mobility_of(maker, found).undriven == 1);
  CHECK(mobility_of(maker, found).redundant == 1);
  REQUIRE(mobility_of(maker, found).dependent.size() == 1);
  CHECK(mobility_of(maker, found).dependent[0].names == Names{"coupling 'ab'", "coupling 'ac'", "coupling 'bc'"});
  // the nearest to (0, 0, 0) on (a, 2a + 1/2, −a): a = −1/6
  check_near(found.q, {-1.0 / 6, 1.0 / 6, 1.0 / 6}, 1e-14);

  // a and b both driven, at rates whose ratio is not 2
  maker.mechanism.couplings.resize(2);
  maker.mechanism.dofs[0].motion = ramp(0, 3);
  maker.mechanism.dofs[1].motion = ramp(0.5, 3);
  found = assemble(maker.mechanism);
  CHECK_FALSE(found.assembled);
  CHECK(text(found.problems) ==
        "7:1: error: the prescribed motions contradict each other: coupling 'ab' would have to come apart at 3 rad/s\n");
  REQUIRE(mobility_of(maker, found).dependent.size() == 1);
  CHECK(mobility_of(maker, found).dependent[0].names == Names{"coupling 'ab'"});
  CHECK_FALSE(mobility_of(maker, found).dependent[0].consistent);
  // and with the right ones
  maker.mechanism.dofs[1].motion = ramp(0.5, 6);
  found = assemble(maker.mechanism);
  CHECK(found.assembled);
  check_near(found.v, {3, 6, -3}, 1e-14);
  CHECK(mobility_of(maker, found).dependent.at(0).consistent);
}

TEST_CASE("a motion without a value at the time is told where it is written") {
  TreeMaker maker;
  (void)maker.add("a", "revolute", 0);
  maker.mechanism.dofs[0].motion = function("1/t");
  maker.mechanism.dofs[0].where = {3, 9};
  const Assembly found = assemble(maker.mechanism);
  CHECK_FALSE(found.assembled);
  REQUIRE(found.problems.size() == 1);
  CHECK(found.problems[0].where == Where{3, 9});
  CHECK(found.problems[0].sentence.starts_with("joint 'a': motion: "));
}

TEST_CASE("rotations close as rotations") {
  // a rod of length 1 in a ball joint; its end is held by a ball on a slider in the plane z = −0.6
  TreeMaker maker;
  const int rod = maker.add("rod", "spherical", 0), slider = maker.add("slider", "planar", 0, at(0, 0, -0.6));
  maker.loop("end", "spherical", rod, at(1, 0), slider, {});
  maker.mechanism.q = {1, 0, 0, 0, 0, 0.7, 0.2};
  const Assembly found = assemble(maker.mechanism);
  REQUIRE_MESSAGE(found.assembled, text(found.problems));
  CHECK(found.worst_residual < 1e-14);
  const auto& q = found.q;
  CHECK(std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])) == doctest::Approx(1).epsilon(1e-15));
  CHECK(std::hypot(q[5], q[6]) == doctest::Approx(0.8).epsilon(1e-13));
  CHECK(mobility_of(maker, found).undriven == 3);  // six less three: the rod about itself, both about z, the slider on the spot
  CHECK(found.moved_metres > 0);
}

TEST_CASE("Bricard's ring of six hinges moves, although it should not") {
  // equal bars, each hinge at right angles to the next: by counting,
  // 6 · 5 freedoms of five bars less 5 · 6 equations of six hinges leave none
  TreeMaker maker;
  const double bar = 0.2;
  int body = 0;
  for (int k = 0; k < 5; ++k) {
    const double turn = k == 0 ? 0 : k % 2 == 1 ? kPi / 2 : -kPi / 2;
    body = maker.add("hinge" + std::to_string(k + 1), "revolute", body, {from_rpy({turn, 0, 0}), {k == 0 ? 0 : bar, 0, 0}});
  }
  maker.loop("hinge6", "revolute", body, {from_rpy({kPi / 2, 0, 0}), {bar, 0, 0}}, 0, {from_rpy({kPi / 2, 0, 0}), {-bar, 0, 0}});
  maker.mechanism.q.assign(5, kPi / 2 + 0.01);
  maker.mechanism.q[0] = kPi / 2;
  const Assembly found = assemble(maker.mechanism);
  REQUIRE_MESSAGE(found.assembled, text(found.problems));
  CHECK(mobility_of(maker, found).joint_equations == 5);
  CHECK(rank_of(maker, found) == 4);
  CHECK(mobility_of(maker, found).undriven == 1);
  REQUIRE(mobility_of(maker, found).dependent.size() == 1);
  CHECK(mobility_of(maker, found).dependent[0].consistent);
}

TEST_CASE("zero momentum with a floating base") {
  TreeMaker maker = carried_four_bar("free");
  maker.mechanism.start = SpaceMechanism::Start::zero_momentum;
  maker.mechanism.v[1] = 5;  // not kept
  const Assembly found = assemble(maker.mechanism);
  REQUIRE_MESSAGE(found.assembled, text(found.problems));
  const Totals totals(maker.mechanism, found.q, found.v);
  CHECK(length(totals.momentum.force) < 1e-14);
  CHECK(length(totals.momentum.moment) < 1e-14);
  const oracle::GeneralFourBar known;
  check_near({found.v.end() - 3, found.v.end()}, known.v, 1e-14);
  CHECK(length(Vec3<double>{found.v[0], found.v[1], found.v[2]}) > 1e-3);
}

TEST_CASE("zero momentum has no meaning where a loop holds the base") {
  TreeMaker maker = general_four_bar("revolute");
  const oracle::GeneralFourBar known;
  maker.mechanism.q = known.q, maker.mechanism.v = known.v;
  maker.mechanism.start = SpaceMechanism::Start::zero_momentum;
  const Assembly found = assemble(maker.mechanism);
  CHECK_FALSE(found.assembled);
  REQUIRE(found.problems.size() == 1);
  CHECK(found.problems[0].sentence ==
        "start_momentum = \"zero\" needs a base that is free to move, but loop 'closure' holds joint 'crank'");
}

TEST_CASE("impulsive start") {
  // On a cart: the crank's rate is prescribed, cart and the rest of the four-bar follow; nothing pushes along the rail.
  TreeMaker maker = carried_four_bar("prismatic", {.axis = {1, 0, 0}});
  maker.mechanism.start = SpaceMechanism::Start::impulsive;
  const oracle::GeneralFourBar known;
  maker.mechanism.v = {0, 0, 0, 0};
  maker.mechanism.dofs[1].motion = ramp(known.q[0], 2);
  const Assembly found = assemble(maker.mechanism);
  REQUIRE_MESSAGE(found.assembled, text(found.problems));
  check_near({found.v.begin() + 1, found.v.end()}, known.v, 1e-13);
  CHECK(std::abs(found.v[0]) > 1e-3);
  CHECK(std::abs(Totals(maker.mechanism, found.q, found.v).momentum.force.x) < 1e-13);

  // With all of it passive: nothing moves.
  maker.mechanism.dofs[1].motion.reset();
  maker.mechanism.v = {1, 2, 3, 4};
  const Assembly rest = assemble(maker.mechanism);
  REQUIRE(rest.assembled);
  check_near(rest.v, {0, 0, 0, 0}, 1e-13);

  // Without loops, two links of which the first is driven: as the tree's own algorithm has it, the momentum of the second is zero.
  TreeMaker chain;
  const int a = chain.add("a", "revolute", 0), b = chain.add("b", "revolute", a, at(0.5, 0));
  chain.rod(a, 1, 0.5), chain.rod(b, 2, 0.8);
  chain.mechanism.q = {0, 0.7};
  chain.mechanism.dofs[0].motion = ramp(0, 1.5);
  chain.mechanism.start = SpaceMechanism::Start::impulsive;
  const Assembly swung = assemble(chain.mechanism);
  REQUIRE(swung.assembled);
  // p_b = I_o (v_a + v_b) + m (l/2) a cos(q_b) v_a, with I_o = m l²/3
  const double about = 2 * 0.64 / 3, across = 2 * 0.4 * 0.5 * std::cos(0.7);
  CHECK(swung.v[1] == doctest::Approx(-1.5 * (about + across) / about).epsilon(1e-13));
}

TEST_CASE("a start without inertia is an error") {
  TreeMaker maker;
  (void)maker.add("a", "revolute", 0);
  maker.mechanism.start = SpaceMechanism::Start::impulsive;
  const Assembly found = assemble(maker.mechanism);
  CHECK_FALSE(found.assembled);
  CHECK(text(found.problems).find("no inertia is moved by joint 'a'") != std::string::npos);
}

}  // namespace space_assembly_test
