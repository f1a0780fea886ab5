// Reactions of redundant linkages are the least that balance the load, whichever joints are written as loops and whichever formulation is asked.
//
// Oracle: all bodies free, all reactions at once, as a linkage is drawn. At rest, with one column of B for each component that a pin can
// carry (moments divided by a length), M u̇ = F + B r and Bᵀ u̇ = 0 say that r is the shortest of those that bring M^(-1/2) F + M^(-1/2) B r
// nearest to zero: one complete orthogonal decomposition by Eigen, which knows of no tree, no loop and no rank but its own.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "jounce/base/index.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/space/equations/equations.hpp"
#include "jounce/space/equations/shared_reactions.hpp"
#include "jounce/space/size.hpp"
#include "oracles/tree_maker.hpp"

namespace shared_reactions_test {

using namespace jounce;
using oracle::at;
using oracle::TreeMaker;

namespace {

using V = Vec3<double>;
using Names = std::vector<std::string>;

// A solution or two with a condition of some hundred, against the largest number.
constexpr double kBalanced = 1e-11;
constexpr std::array kEvery{Formulation::aba, Formulation::crba, Formulation::kkt, Formulation::nullspace, Formulation::lagrange};

/// Two bodies turn against each other about the z axis of a frame, or slide along it.
struct Pin {
  std::string name;
  int a, b;  // bodies; 0 is the ground
  Frame<double> place;  // on a
  bool slides = false, driven = false;
  double slid = 0;  // from there to where it is on b

  [[nodiscard]] Frame<double> on(int body) const { return body == a ? place : Frame<double>{place.axes, place.origin + place.axes.z * slid}; }
  [[nodiscard]] V middle() const { return (on(a).origin + on(b).origin) * 0.5; }
};
struct Weight {
  double mass, core;  // about every axis
  V com;
};
struct Linkage {
  V gravity;
  std::vector<Weight> bodies;  // from 1 on
  std::vector<Pin> pins;
};

/// On body b, about the middle of the pin, and the effort of its driver in the same sense.
struct Carried {
  V force, moment;
  double effort = 0;
};
struct Answer {
  std::vector<Carried> pins;
  std::set<std::string> open;
};

// ---- the oracle ----------------------------------------------------------------------------------------------------------

double length_of(const Linkage& linkage) {
  double out = 0;
  for (const Pin& one : linkage.pins)
    for (const Pin& other : linkage.pins)
      for (const int body : {one.a, one.b})
        if (body == other.a || body == other.b) out = std::max(out, length(one.on(body).origin - other.on(body).origin));
  return out;
}

struct Component {
  std::size_t pin;
  V force, moment;
  bool effort = false;
};

std::vector<Component> components(const Linkage& linkage, double length) {
  std::vector<Component> out;
  for (std::size_t n = 0; n < linkage.pins.size(); ++n) {
    const Pin& pin = linkage.pins[n];
    const Mat3<double>& axes = pin.place.axes;
    for (const V& axis : {axes.x, axes.y}) out.push_back({n, axis, {}}), out.push_back({n, {}, axis * length});
    const Component force{n, axes.z, {}, pin.slides}, moment{n, {}, axes.z * length, !pin.slides};
    for (const Component& along : {force, moment})
      if (!along.effort || pin.driven) out.push_back(along);
  }
  return out;
}

Answer least_at_rest(const Linkage& linkage) {
  const double length = length_of(linkage);
  const std::vector<Component> parts = components(linkage, length);
  const auto rows = static_cast<Eigen::Index>(6 * linkage.bodies.size()), columns = static_cast<Eigen::Index>(parts.size());
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(rows, columns);
  Eigen::VectorXd load = Eigen::VectorXd::Zero(rows);
  const auto push = [&](auto&& column, int body, const V& force, const V& moment, const V& point) {
    if (body == 0) return;
    const Weight& own = linkage.bodies[z(body - 1)];
    const V about = moment + cross(point - own.com, force);
    const double by_mass = 1 / std::sqrt(own.mass), by_core = 1 / std::sqrt(own.core);
    column.segment(6 * (body - 1), 6) += (Eigen::VectorXd(6) << force.x * by_mass, force.y * by_mass, force.z * by_mass, about.x * by_core,
                                          about.y * by_core, about.z * by_core).finished();
  };
  for (Eigen::Index c = 0; c < columns; ++c) {
    const Component& part = parts[static_cast<std::size_t>(c)];
    const Pin& pin = linkage.pins[part.pin];
    push(b.col(c), pin.b, part.force, part.moment, pin.middle());
    push(b.col(c), pin.a, -part.force, -part.moment, pin.middle());
  }
  for (std::size_t n = 0; n < linkage.bodies.size(); ++n)
    push(load, static_cast<int>(n) + 1, linkage.gravity * linkage.bodies[n].mass, {}, linkage.bodies[n].com);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(1e-9);
  factors.compute(b);
  const Eigen::VectorXd r = factors.solve(-load);
  const Eigen::MatrixXd ways = Eigen::MatrixXd::Identity(columns, columns) - factors.pseudoInverse() * b;  // onto what carries nothing

  Answer out;
  out.pins.resize(linkage.pins.size());
  for (Eigen::Index c = 0; c < columns; ++c) {
    const Component& part = parts[static_cast<std::size_t>(c)];
    Carried& pin = out.pins[part.pin];
    pin.force += part.force * r[c], pin.moment += part.moment * r[c];
    if (part.effort) pin.effort = r[c] * (linkage.pins[part.pin].slides ? 1 : length);
    if (ways.row(c).norm() > 1e-6) out.open.insert(linkage.pins[part.pin].name);
  }
  return out;
}

// ---- the engine ----------------------------------------------------------------------------------------------------------

const char* type_of(const Pin& pin) { return pin.slides ? "prismatic" : "revolute"; }

/// A linkage as a tree, with some pins as loops; the frame of a body is that of the pin that carries it, as drawn.
struct Written {
  TreeMaker maker;
  std::vector<int> number;  // of each pin: joint, or loop
  std::vector<double> sign;  // -1: written from b to a
  bool spans = true;

  /// `turned`: loops are written from b to a.
  Written(const Linkage& linkage, const std::set<std::size_t>& loops, bool turned = false)
      : maker(linkage.gravity), number(linkage.pins.size()), sign(linkage.pins.size(), 1) {
    std::vector<int> bodies(linkage.bodies.size() + 1, -1);
    std::vector<Frame<double>> frames(bodies.size());
    bodies[0] = 0;
    const auto there = [&](int body) { return bodies[z(body)] >= 0; };
    std::set<std::size_t> left;
    for (std::size_t n = 0; n < linkage.pins.size(); ++n)
      if (!loops.contains(n)) left.insert(n);
    while (!left.empty()) {
      const auto next = std::ranges::find_if(left, [&](std::size_t n) { return there(linkage.pins[n].a) != there(linkage.pins[n].b); });
      spans = next != left.end();
      if (!spans) return;
      const Pin& pin = linkage.pins[*next];
      const bool forward = there(pin.a);
      const int parent = forward ? pin.a : pin.b, child = forward ? pin.b : pin.a;
      number[*next] = static_cast<int>(maker.mechanism.joints.size());
      sign[*next] = forward ? 1 : -1;
      bodies[z(child)] = maker.add(pin.name, type_of(pin), bodies[z(parent)], inverse(frames[z(parent)]) * pin.on(parent));
      frames[z(child)] = pin.on(child);
      const Weight& own = linkage.bodies[z(child - 1)];
      maker.load(bodies[z(child)], own.mass, inverse(pin.on(child)) * own.com, {own.core, own.core, own.core, 0, 0, 0});
      if (pin.driven) maker.mechanism.dofs.back().motion = TimeFunction(sign[*next] * pin.slid);
      left.erase(next);
    }
    for (std::size_t n = 0; n < linkage.pins.size(); ++n)
      if (!loops.contains(n)) maker.mechanism.q[z(maker.mechanism.joints[z(number[n])].links.q)] = sign[n] * linkage.pins[n].slid;
    for (const std::size_t n : loops) {
      const Pin& pin = linkage.pins[n];
      number[n] = static_cast<int>(maker.mechanism.loops.size());
      sign[n] = turned ? -1 : 1;
      const int i = turned ? pin.b : pin.a, j = turned ? pin.a : pin.b;
      maker.loop(pin.name, type_of(pin), bodies[z(i)], inverse(frames[z(i)]) * pin.on(i), bodies[z(j)], inverse(frames[z(j)]) * pin.on(j));
    }
    spans = std::ranges::all_of(bodies, [](int body) { return body >= 0; });
  }
};

Answer answer_of(const Linkage& linkage, const std::set<std::size_t>& loops, const Written& written, Formulation formulation) {
  const SpaceMechanism& m = written.maker.mechanism;
  SpaceEquations equations(m, formulation);
  std::vector<double> a(m.dofs.size()), tau(a);
  const std::vector<double> still(a);
  const auto fault = equations.solve(0, m.q, still, a);
  REQUIRE_MESSAGE(!fault, (fault ? fault->sentence : ""));
  equations.efforts(tau);
  Answer out;
  for (std::size_t n = 0; n < linkage.pins.size(); ++n) {
    const bool loop = loops.contains(n);
    const tree::Wrench<double> w = loop ? equations.loop_wrench(written.number[n]) : equations.joint_wrench(written.number[n]);
    const Pin& pin = linkage.pins[n];
    const double sign = written.sign[n];
    const V moment = w.moment + cross(pin.on(sign > 0 ? pin.b : pin.a).origin - pin.middle(), w.force);
    out.pins.push_back({w.force * sign, moment * sign, loop ? 0 : sign * tau[z(m.joints[z(written.number[n])].links.v)]});
  }
  if (const OpenReactions* open = equations.open_reactions())
    for (const std::string& name : open->names(m)) out.open.insert(name);
  return out;
}

double apart(const Answer& found, const Answer& wanted) {
  double most = 0, size = 1;
  for (std::size_t n = 0; n < wanted.pins.size(); ++n) {
    const Carried &f = found.pins[n], &w = wanted.pins[n];
    size = std::max({size, length(w.force), length(w.moment)});
    for (const double d : {length(f.force - w.force), length(f.moment - w.moment), std::abs(f.effort - w.effort)})
      if (!(d <= most)) most = d;
  }
  return most / size;
}

// Every choice of so many pins as loops that leaves a tree, with the driven ones in it. How many there are.
int compare_all_trees(const Linkage& linkage, std::size_t loops) {
  const Answer wanted = least_at_rest(linkage);
  int compared = 0;
  std::vector<char> chosen(linkage.pins.size());
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(loops), 1);
  do {
    std::set<std::size_t> cut;
    for (std::size_t n = 0; n < chosen.size(); ++n)
      if (chosen[n]) cut.insert(n);
    if (std::ranges::any_of(cut, [&](std::size_t n) { return linkage.pins[n].driven; })) continue;
    const Written written(linkage, cut), turned(linkage, cut, true);
    if (!written.spans) continue;
    CAPTURE(linkage.pins[*cut.begin()].name);
    CHECK(largest_body(written.maker.mechanism) == doctest::Approx(length_of(linkage)).epsilon(1e-14));
    for (const Formulation formulation : kEvery) {
      CAPTURE(word(formulation));
      const Answer found = answer_of(linkage, cut, written, formulation);
      CHECK(apart(found, wanted) < kBalanced);
      CHECK(found.open == wanted.open);
      CHECK(apart(answer_of(linkage, cut, turned, formulation), wanted) < kBalanced);
    }
    ++compared;
  } while (std::ranges::prev_permutation(chosen).found);
  return compared;
}

// ---- linkages ------------------------------------------------------------------------------------------------------------

const Frame<double> kAskew{from_rpy({0.3, 0.5, -0.8}), {0.2, -0.1, 0.4}};

Frame<double> in_plane(double x, double y) { return kAskew * at(x, y); }

// Gravity is not in the plane of the pins: they carry it across, too.
Linkage three_cranks() {
  const double angle = 0.6, x = 0.1 * std::cos(angle), y = 0.1 * std::sin(angle);
  Linkage out{{-3, 2, -9}, {}, {}};
  const auto weigh = [&](double mass, double cx, double cy) {
    out.bodies.push_back({mass, 0.01 * mass, in_plane(cx, cy).origin + V{0.01, 0.02, -0.01}});
  };
  const double foot[3][2] = {{0, 0}, {0.4, 0}, {0.15, 0.12}};
  for (int k = 0; k < 3; ++k) {
    weigh(0.5, foot[k][0] + x / 2, foot[k][1] + y / 2);
    const std::string number = std::to_string(k + 1);
    out.pins.push_back({"bearing" + number, 0, k + 1, in_plane(foot[k][0], foot[k][1])});
    out.pins.push_back({"pin" + number, k + 1, 4, in_plane(foot[k][0] + x, foot[k][1] + y)});
  }
  weigh(3, x + 0.2, y + 0.06);
  return out;
}

Linkage parallelogram() {
  Linkage out = three_cranks();
  out.pins.resize(4);
  out.bodies.erase(out.bodies.begin() + 2);
  for (Pin& pin : out.pins)
    if (pin.b == 4) pin.b = 3;
  return out;
}

Frame<double> along_x(double length, double twist) { return {from_rpy({twist, 0, 0}), {length, 0, 0}}; }
Frame<double> about_z(double angle) { return {from_rpy({0, 0, angle}), {}}; }

// Bennett's linkage: four hinges, none parallel to another, sin α / a = sin β / b; one equation too many.
Linkage bennett() {
  const double a = 0.5, alpha = 0.6, beta = 1.2, b = a * std::sin(beta) / std::sin(alpha);
  const Frame<double> first = kAskew * about_z(3.596201648428873);
  const Frame<double> second = first * along_x(a, alpha) * about_z(-1.1);
  const Frame<double> third = second * along_x(b, beta) * about_z(2.686983658750714);
  const Frame<double> fourth = third * along_x(a, alpha);
  REQUIRE(length(fourth.origin - kAskew * V{-b, 0, 0}) < 1e-14);
  const auto middle = [](const Frame<double>& p, const Frame<double>& q) { return (p.origin + q.origin) * 0.5 + V{0.02, 0.01, -0.03}; };
  return {{0.5, -9.81, 1},
          {{1, 0.02, middle(first, second)}, {1.5, 0.05, middle(second, third)}, {0.7, 0.01, middle(third, fourth)}},
          {{"J1", 0, 1, first}, {"J2", 1, 2, second}, {"J3", 2, 3, third}, {"J4", 3, 0, fourth}}};
}

Linkage slider_crank() {
  const Frame<double> slide = in_plane(0.7, 0) * Frame<double>{from_rpy({0, std::numbers::pi / 2, 0}), {}};
  return {{1, -2, -9},
          {{1, 0.02, in_plane(0.05, 0.1).origin}, {2, 0.04, in_plane(0.4, 0.1).origin}, {0.6, 0.01, in_plane(0.72, 0.01).origin}},
          {{"O", 0, 1, in_plane(0, 0)}, {"A", 1, 2, in_plane(0.1, 0.2)}, {"B", 2, 3, in_plane(0.7, 0)}, {"guide", 0, 3, slide, true}}};
}

// A crank that pushes a block along a swinging bar: the slide is between two bodies that move, and trees go through it both ways.
Linkage swinging_bar() {
  const Frame<double> bar = in_plane(0.6, 0) * Frame<double>{from_rpy({0, 0, 2.6}), {}} * Frame<double>{from_rpy({0, std::numbers::pi / 2, 0}), {}};
  const double slid = 0.35;
  const V block = bar.origin + bar.axes.z * slid;
  const Frame<double> knee{kAskew.axes, block + kAskew.axes.y * 0.1};
  return {{1, -2, -9},
          {{1, 0.02, in_plane(0.05, 0.1).origin}, {2, 0.04, block + V{0.01, 0.02, 0.01}}, {0.6, 0.01, bar.origin + bar.axes.z * 0.2}},
          {{"O", 0, 1, in_plane(0, 0)}, {"A", 1, 2, knee}, {"bar", 3, 2, bar, true, false, slid}, {"B", 0, 3, in_plane(0.6, 0)}}};
}

}  // namespace

TEST_CASE("a parallelogram with three cranks carries its load alike, whichever two pins are written as loops") {
  Linkage linkage = three_cranks();
  CHECK(compare_all_trees(linkage, 2) == 12);  // of 15 pairs: the pins of one crank cut off that crank
  linkage.pins[0].driven = true;
  CHECK(compare_all_trees(linkage, 2) == 8);
}

TEST_CASE("what hangs on a redundant linkage has unique reactions, and is not named") {
  Linkage linkage = three_cranks();
  linkage.bodies.push_back({0.8, 0.01, in_plane(0.2, -0.2).origin});
  linkage.pins.push_back({"hook", 4, 5, in_plane(0.2, 0.05)});
  const std::set<std::size_t> loops{3, 5};
  const Answer found = answer_of(linkage, loops, Written(linkage, loops), Formulation::aba);
  CHECK(found.open == std::set<std::string>{"bearing1", "bearing2", "bearing3", "pin1", "pin2", "pin3"});
  CHECK(apart(found, least_at_rest(linkage)) < kBalanced);
}

TEST_CASE("Bennett's linkage, free and driven: all four hinges share what one equation too many leaves open") {
  Linkage linkage = bennett();
  CHECK(compare_all_trees(linkage, 1) == 4);
  linkage.pins[0].driven = true;
  CHECK(compare_all_trees(linkage, 1) == 3);
  CHECK(least_at_rest(linkage).open.size() == 4);
}

TEST_CASE("a slider-crank in space: a slide and three hinges hold the plane more than once") {
  Linkage linkage = slider_crank();
  CHECK(compare_all_trees(linkage, 1) == 4);
  linkage.pins[3].driven = true;
  CHECK(compare_all_trees(linkage, 1) == 3);
}

TEST_CASE("a joint that slides carries the same, whichever of its bodies is called the parent") {
  Linkage linkage = swinging_bar();
  CHECK(compare_all_trees(linkage, 1) == 4);  // from the crank and from the bar, and as a loop written either way round
  linkage.pins[2].driven = true;
  CHECK(compare_all_trees(linkage, 1) == 3);
  linkage = slider_crank();
  linkage.pins[3].slid = 0.2;
  linkage.pins[3].place.origin -= linkage.pins[3].place.axes.z * 0.2;
  CHECK(compare_all_trees(linkage, 1) == 4);
}

TEST_CASE("prescribed dofs share the load that one of them could carry, with the joints between them") {
  Linkage linkage = parallelogram();
  linkage.pins[0].driven = linkage.pins[2].driven = true;
  CHECK(compare_all_trees(linkage, 1) == 2);
  CHECK(least_at_rest(linkage).pins[2].effort != 0);
  for (Pin& pin : linkage.pins) pin.driven = pin.name != "pin2";  // and where no dof is left
  CHECK(compare_all_trees(linkage, 1) == 1);
  linkage = bennett();
  linkage.pins[0].driven = linkage.pins[2].driven = true;
  CHECK(compare_all_trees(linkage, 1) == 2);
}

TEST_CASE("a coupling between two prescribed dofs shares with their motors") {
  // by hand: with the coupling's effort c on the second dof, motors give m1 + r c and m2 - c; the squares are least at
  // c = (m2 - r m1) / (1 + r² + 1)
  const double ratio = -1.5, g = 9.81, m1 = 2 * g * 0.3, m2 = 1.2 * g * 0.2;
  TreeMaker maker({0, -g, 0});
  maker.load(maker.add("first", "revolute", 0), 2, {0.3, 0, 0}, {0.01, 0.01, 0.01, 0, 0, 0});
  maker.load(maker.add("second", "revolute", 0, at(0.5, 0)), 1.2, {0.2, 0, 0}, {0.01, 0.01, 0.01, 0, 0, 0});
  SpaceMechanism& m = maker.mechanism;
  m.couplings.push_back({"gears", {}, 0, 1, ratio, 0});
  for (SpaceDof& dof : m.dofs) dof.motion = TimeFunction(0.0);
  const double c = (m2 - ratio * m1) / (2 + ratio * ratio);
  for (const Formulation formulation : kEvery) {
    CAPTURE(word(formulation));
    SpaceEquations equations(m, formulation);
    std::vector<double> a(2), tau(2);
    REQUIRE(!equations.solve(0, m.q, std::vector<double>(2), a));
    equations.efforts(tau);
    CHECK(tau[0] == doctest::Approx(m1 + ratio * c).epsilon(1e-13));
    CHECK(tau[1] == doctest::Approx(m2 - c).epsilon(1e-13));
    CHECK(equations.multipliers()[0] == doctest::Approx(c).epsilon(1e-13));
    CHECK(equations.joint_wrench(1).moment.z == doctest::Approx(m2).epsilon(1e-13));
    CHECK(equations.open_reactions()->names(m) == Names{"first", "second", "gears"});
  }
}

TEST_CASE("where no equation is redundant all reactions are unique") {
  // oracle: a bar on a ball joint, and another ball joint between its end and a slide neither along it nor across it: three equations of rank three
  TreeMaker maker({0, -9.81, 0});
  const int bar = maker.add("ball", "spherical", 0);
  const int slide = maker.add("slide", "prismatic", 0, {from_rpy({0, 0.7, 0}), {1, 0, 0}});
  for (const int body : {bar, slide}) maker.load(body, 1, {0.5, 0, 0}, {0.1, 0.1, 0.1, 0, 0, 0});
  maker.loop("closure", "spherical", bar, at(1, 0), slide, at(0, 0));
  SpaceEquations equations(maker.mechanism);
  equations.evaluate_closures(maker.mechanism.q, std::vector<double>(4));
  CHECK(equations.open_reactions() == nullptr);
  CHECK(not_unique(maker.mechanism, maker.mechanism.q).empty());
}

TEST_CASE("next to a singular position what pushes nothing still pushes nothing to rounding") {
  // oracle: G n = 0 for equations G of rank two by construction, of which one is nearly lost. A basis that comes of their squares, as that of
  // SpaceEquations::independent does, is off by 1e-16 over the square of the smaller singular value
  for (const double smaller : {1.0, 1e-3, 1e-6}) {
    Matrix g(3, 4);
    for (int i = 0; i < g.rows; ++i)
      for (int r = 0; r < g.columns; ++r) g.at(i, r) = std::cos(1 + i) * std::sin(2 + r) + smaller * std::sin(3 * i) * std::cos(5 * r);
    const Matrix modes = symmetric_eigen(gram(g)).vectors;
    Matrix within(4, 2);
    for (int k = 0; k < 2; ++k)
      for (int r = 0; r < 4; ++r) within.at(r, k) = modes.at(r, 2 + k);
    const Matrix none = without_effect(within, std::vector<double>(4, 1.0), g);
    CHECK(none.columns == 2);
    CHECK(largest(times(g, none).value) < 1e-15);
  }
}

}  // namespace shared_reactions_test
