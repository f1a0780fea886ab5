// Every formulation on one state: free bodies with multipliers (lagrange, kkt, nullspace), composite bodies and articulated bodies
// share nothing but the positions and velocities of the links, so that they are each other's oracle. The vectors of spatial.json are
// another.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "jounce/base/index.hpp"
#include "jounce/space/maximal/maximal.hpp"
#include "jounce/space/equations/equations.hpp"
#include "oracles/spatial_vectors.hpp"
#include "oracles/tree_maker.hpp"

namespace space_formulations_test {

using namespace jounce;
using oracle::at;
using oracle::TreeMaker;

namespace {

using V = Vec3<double>;

constexpr double kAgreement = 1e-10;
constexpr std::array kSpatial{Formulation::lagrange, Formulation::kkt, Formulation::nullspace, Formulation::crba, Formulation::aba};

struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double between(double low, double high) { return low + (high - low) * (double(engine()) / double(std::mt19937::max())); }
  int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }
  V vector(double size) { return {between(-size, size), between(-size, size), between(-size, size)}; }
  Frame<double> frame() { return {from_rpy(vector(3)), vector(0.5)}; }
  tree::JointShape shape() {
    V axis = vector(1);
    axis = axis * (1 / length(axis));
    tree::JointShape out{.axis = axis, .pitch = between(-0.3, 0.3)};
    for (int k = 0; k < 2; ++k) {
      const V w = vector(1), u = vector(1);
      out.screws.push_back({w.x, w.y, w.z, u.x, u.y, u.z});
    }
    return out;
  }
};

struct State {
  std::vector<double> q, v, a;  // a: of the active dofs
};

// What one formulation says about a state.
struct Answer {
  std::vector<double> a, tau, wrenches, loops, lambda, bodies;
  double kinetic = 0;
  int rank = 0;
};

void append(std::vector<double>& out, const V& a) { out.insert(out.end(), {a.x, a.y, a.z}); }

Answer answer(const SpaceMechanism& m, const State& state, Formulation formulation) {
  INFO("formulation ", word(formulation));
  SpaceEquations equations(m, formulation);
  Answer out;
  out.a = state.a;
  const auto fault = equations.solve(0, state.q, state.v, out.a);
  REQUIRE_MESSAGE(!fault, (fault ? fault->element + ": " + fault->sentence : ""));
  out.tau.resize(out.a.size());
  equations.efforts(out.tau);
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const auto w = equations.joint_wrench(static_cast<int>(j));
    append(out.wrenches, w.force), append(out.wrenches, w.moment);
  }
  for (std::size_t l = 0; l < m.loops.size(); ++l) {
    const auto w = equations.loop_wrench(static_cast<int>(l));
    append(out.loops, w.force), append(out.loops, w.moment);
  }
  out.lambda.assign(equations.multipliers().begin(), equations.multipliers().end());
  out.rank = equations.rank();
  out.kinetic = equations.kinetic(state.q, state.v);
  equations.move(state.q, state.v, out.a);
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const Twist body = equations.body_acceleration(static_cast<int>(b));
    append(out.bodies, body.shift), append(out.bodies, body.turn);
  }
  return out;
}

// The largest difference over the largest number, which is at least 1.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0, size = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= most)) most = std::abs(a[i] - b[i]);
    size = std::max({size, std::abs(a[i]), std::abs(b[i])});
  }
  return most / size;
}

void all_agree(const SpaceMechanism& m, const State& state, std::span<const Formulation> formulations = kSpatial,
               double tolerance = kAgreement) {
  const Answer first = answer(m, state, Formulation::aba);
  for (const Formulation formulation : formulations) {
    INFO("formulation ", word(formulation));
    const Answer other = answer(m, state, formulation);
    CHECK(apart(first.a, other.a) < tolerance);
    CHECK(apart(first.bodies, other.bodies) < tolerance);
    CHECK(apart(first.tau, other.tau) < tolerance);
    CHECK(apart(first.wrenches, other.wrenches) < tolerance);
    CHECK(apart(first.loops, other.loops) < tolerance);
    CHECK(apart(first.lambda, other.lambda) < tolerance);
    CHECK(std::abs(first.kinetic - other.kinetic) < tolerance * (1 + first.kinetic));
    CHECK(first.rank == other.rank);
  }
}

void add_body(TreeMaker& maker, Random& random, const char* type, int parent) {
  const int body = maker.add("b" + std::to_string(maker.mechanism.bodies.size()), type, parent, random.frame(), random.shape());
  // a round core and two points: always physical, never thin
  const double core = random.between(0.01, 0.05);
  maker.load(body, random.between(0.3, 1), random.vector(0.2), {core, core, core, 0, 0, 0});
  for (int k = 0; k < 2; ++k) maker.load(body, random.between(0.1, 0.5), random.vector(0.4), {});
}

void make_active(SpaceMechanism& m, int dof) { m.dofs[z(dof)].motion = TimeFunction(0.0); }

State random_state(SpaceMechanism& m, Random& random) {
  State out;
  for (int k = 0; k < m.tree.coordinates(); ++k) out.q.push_back(random.between(-1.3, 1.3));
  tree::normalise(m.tree, out.q);
  for (int k = 0; k < m.tree.dofs(); ++k) out.v.push_back(random.between(-2, 2)), out.a.push_back(random.between(-2, 2));
  return out;
}

// Springs, dampers and torques at the dofs, wrenches on bodies.
void add_loads(SpaceMechanism& m, Random& random) {
  for (SpaceDof& dof : m.dofs) {
    dof.stiffness = random.between(0, 3), dof.damping = random.between(0, 0.5), dof.rest = random.between(-1, 1);
    if (random.below(2) == 0) dof.torque = TimeFunction(random.between(-2, 2));
  }
  for (int f = 0; f < 3; ++f) {
    tree::forces::Wrench wrench{.on = {1 + random.below(static_cast<int>(m.bodies.size()) - 1)}};
    for (laws::LoadFunction& component : wrench.value) component = TimeFunction(random.between(-3, 3));
    m.forces.push_back({"f" + std::to_string(f), {}, wrench});
  }
  tree::forces::Spring spring{.stiffness = 7, .free_length = {0.3}, .damping = 0.4};
  spring.j = {static_cast<int>(m.bodies.size()) - 1, random.vector(0.3)};
  spring.i = {0, random.vector(2)};
  m.forces.push_back({"spring", {}, spring});
}

TreeMaker random_tree(Random& random, int bodies, bool active) {
  TreeMaker maker({random.between(-3, 3), random.between(-3, 3), -9.81});
  const auto types = tree::joint_types();
  const bool chain = random.below(2) == 0;
  for (int b = 0; b < bodies; ++b) {
    const std::string type(types[z(random.below(static_cast<int>(types.size())))].type);
    add_body(maker, random, type.c_str(), chain ? b : random.below(b + 1));
  }
  add_loads(maker.mechanism, random);
  for (int k = 0; k < maker.mechanism.tree.dofs(); ++k)
    if (active && random.below(3) == 0) make_active(maker.mechanism, k);
  return maker;
}

}  // namespace

TEST_CASE("a pair of each joint type by every formulation") {
  unsigned seed = 1;
  for (const tree::JointType& type : tree::joint_types())
    for (const bool active : {false, true}) {
      INFO("type ", std::string(type.type), ", active ", active);
      Random random(seed++);
      TreeMaker maker({1, -2, -9.81});
      const std::string name(type.type);
      add_body(maker, random, "revolute", 0);
      add_body(maker, random, name.c_str(), 1);
      add_body(maker, random, name.c_str(), 2);
      add_body(maker, random, "fixed", 3);
      add_loads(maker.mechanism, random);
      for (int k = 1; active && k < maker.mechanism.tree.dofs(); k += 2) make_active(maker.mechanism, k);
      const State state = random_state(maker.mechanism, random);
      all_agree(maker.mechanism, state);
    }
}

TEST_CASE("random chains and trees of all joint types, with random active sets") {
  for (unsigned seed = 0; seed < 120; ++seed) {
    INFO("seed ", seed);
    Random random(1000 + seed);
    TreeMaker maker = random_tree(random, 1 + random.below(8), seed % 2 == 0);
    const State state = random_state(maker.mechanism, random);
    all_agree(maker.mechanism, state);
  }
}

// A loop closes where the two frames happen to be: frame j is placed where frame i is. Couplings hold likewise.
TEST_CASE("random closed linkages with loops of all types and couplings") {
  int compared = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    Random random(5000 + seed);
    TreeMaker maker = random_tree(random, 4 + random.below(4), false);
    SpaceMechanism& m = maker.mechanism;
    State state = random_state(m, random);
    const auto types = tree::joint_types();
    const std::string type(types[z(random.below(static_cast<int>(types.size())))].type);
    if (type == "free") continue;
    tree::Workspace<double> work(m.tree);
    std::vector<tree::LinkMotion<double>> links(z(m.tree.size()));
    const std::vector<double> none(z(m.tree.dofs()));
    tree::motion(m.tree, work, state.q.data(), none.data(), none.data(), links.data());
    const auto frame_of = [&](int body) {
      const SpaceBody& own = m.bodies[z(body)];
      if (own.link == tree::kGround) return own.frame;
      return Frame<double>{work.links[z(own.link)].axes, links[z(own.link)].position} * own.frame;
    };
    const int j = static_cast<int>(m.bodies.size()) - 1, i = random.below(j);
    const Frame<double> frame_i = random.frame();
    maker.loop("closure", type.c_str(), i, frame_i, j, inverse(frame_of(j)) * (frame_of(i) * frame_i), random.shape());
    std::vector<int> plain;
    for (const tree::Link& link : m.tree.links())
      if (tree::dofs(link.motion) == 1) plain.push_back(link.v);
    if (plain.size() > 2) {
      const int one = plain.front(), other = plain.back();
      const double ratio = random.between(-2, 2);
      const auto coordinate = [&](int dof) { return state.q[z(m.tree.link(m.tree.moved_by(dof)).q)]; };
      m.couplings.push_back({"gear", {}, one, other, ratio, coordinate(other) - ratio * coordinate(one)});
    }
    if (m.tree.dofs() < 12) continue;  // enough motion has to be left
    if (seed % 3 == 0) make_active(m, random.below(m.tree.dofs()));
    INFO("seed ", seed, ", ", type);
    SpaceEquations aba(m);
    (void)aba.project_velocity(state.q, state.v);
    std::vector<double> a = state.a;
    REQUIRE(!aba.solve(0, state.q, state.v, a));
    if (aba.inconsistency() > 1e-9) continue;  // the loop holds what is to move: there is no answer to agree on
    all_agree(m, state);
    ++compared;
  }
  CHECK(compared > 50);
}

TEST_CASE("bodies that fixed joints make one, joints in any order, nothing that moves") {
  Random random(99);
  TreeMaker maker({0, 1, -9.81});
  add_body(maker, random, "fixed", 0);
  add_body(maker, random, "spherical", 1);
  add_body(maker, random, "fixed", 2);
  add_body(maker, random, "fixed", 3);
  add_body(maker, random, "cylindrical", 3);
  add_body(maker, random, "fixed", 5);
  add_loads(maker.mechanism, random);
  const State state = random_state(maker.mechanism, random);
  all_agree(maker.mechanism, state);
  std::ranges::reverse(maker.mechanism.joints);  // a file may name the joints of the children first
  all_agree(maker.mechanism, state);
  TreeMaker still({0, 0, -9.81});
  add_body(still, random, "fixed", 0);
  all_agree(still.mechanism, {});
  still.loop("again", "revolute", 0, at(0, 0), 1, at(0, 0));  // says nothing about what moves: there is nothing
  SpaceEquations kkt(still.mechanism, Formulation::kkt);
  std::vector<double> none;
  REQUIRE(!kkt.solve(0, none, none, none));
  CHECK(kkt.rank() == 0);
}

TEST_CASE("redundant loops: the shortest multipliers, and the joint wrenches that go with them, by every formulation") {
  // a four-bar of hinges in space has three equations too many
  TreeMaker maker = oracle::four_bar(1, 0.3, 0.9, 0.7, "revolute");
  const oracle::GeneralFourBar four_bar;
  for (int body = 1; body <= 3; ++body) maker.load(body, 0.4, {0.1, 0.02, 0.05}, {0.01, 0.02, 0.03, 0, 0, 0});
  const State state{four_bar.q, four_bar.v, {0, 0, 0}};
  all_agree(maker.mechanism, state);
  SpaceEquations kkt(maker.mechanism, Formulation::kkt);
  std::vector<double> a(3);
  REQUIRE(!kkt.solve(0, state.q, state.v, a));
  CHECK(kkt.rank() == 2);
  CHECK(kkt.maximal()->dropped().size() == 3);
  // the crank driven: the loop cannot tell what the motor holds
  make_active(maker.mechanism, 0);
  all_agree(maker.mechanism, {four_bar.q, four_bar.v, {-1.5, 0, 0}});
}

TEST_CASE("a four-bar against its 40-digit accelerations, by every formulation that does without inertia about the rods") {
  const TreeMaker maker = oracle::four_bar(1, 0.3, 0.9, 0.7, "revolute");
  const oracle::GeneralFourBar four_bar;
  const State state{four_bar.q, four_bar.v, {0, 0, 0}};
  for (const Formulation formulation : {Formulation::kkt, Formulation::nullspace, Formulation::crba, Formulation::aba}) {
    INFO("formulation ", word(formulation));
    const Answer found = answer(maker.mechanism, state, formulation);
    CHECK(apart(found.a, four_bar.a) < 1e-12);
    // the loop acts on the rocker, its body j: the table has the pin's force on the coupler
    CHECK(std::abs(found.loops[0]) == doctest::Approx(std::abs(four_bar.pin_x)).epsilon(1e-11));
    CHECK(std::abs(found.loops[1]) == doctest::Approx(std::abs(four_bar.pin_y)).epsilon(1e-11));
  }
  CHECK(inapplicable(maker.mechanism, Formulation::lagrange) ==
        "body 'crank' has no inertia about one axis, and formulation 'lagrange' needs every body to have one; 'kkt' and "
        "'nullspace' do not");
}

TEST_CASE("bodies without mass: kkt and nullspace do without, lagrange says which it misses") {
  Random random(77);
  TreeMaker maker({0, 0, -9.81});
  add_body(maker, random, "revolute", 0);
  (void)maker.add("massless", "revolute", 1, random.frame(), random.shape());
  add_body(maker, random, "universal", 2);
  add_body(maker, random, "spherical", 3);
  add_loads(maker.mechanism, random);
  const State state = random_state(maker.mechanism, random);
  constexpr std::array able{Formulation::kkt, Formulation::nullspace, Formulation::crba, Formulation::aba};
  all_agree(maker.mechanism, state, able);
  CHECK(inapplicable(maker.mechanism, Formulation::kkt).empty());
  CHECK(inapplicable(maker.mechanism, Formulation::lagrange).starts_with("body 'massless' has no mass, and formulation 'lagrange'"));
  std::vector<double> a(maker.mechanism.dofs.size());
  const auto fault = SpaceEquations(maker.mechanism, Formulation::lagrange).solve(0, state.q, state.v, a);
  REQUIRE(fault);
  CHECK(fault->sentence == inapplicable(maker.mechanism, Formulation::lagrange));
}

TEST_CASE("what a formulation cannot do it says") {
  Random random(5);
  TreeMaker maker({0, 0, -9.81});
  add_body(maker, random, "gimbal", 0);
  CHECK(inapplicable(maker.mechanism, Formulation::kane).starts_with("in space Kane's equations"));
  CHECK(inapplicable(maker.mechanism, Formulation::automatic).empty());
  // gimbal lock: the second angle at a right angle brings the first and third axis together
  std::vector<double> q(3), v(3), a(3);
  for (const Formulation formulation : {Formulation::lagrange, Formulation::kkt, Formulation::nullspace}) {
    SpaceEquations equations(maker.mechanism, formulation);
    q[1] = 0.3;
    CHECK(!equations.solve(0, q, v, a));
    q[1] = std::numbers::pi / 2;
    const auto fault = equations.solve(0, q, v, a);
    REQUIRE(fault);
    CHECK(fault->element == "joint 'b1'");
    CHECK(fault->sentence.starts_with("the directions of its dofs fall together in this position"));
  }
  // no mass at all: the dof is named
  TreeMaker empty({0, 0, -9.81});
  (void)empty.add("ghost", "revolute", 0);
  for (const Formulation formulation : {Formulation::kkt, Formulation::nullspace, Formulation::crba, Formulation::aba}) {
    INFO("formulation ", word(formulation));
    std::vector<double> one(1);
    const auto fault = SpaceEquations(empty.mechanism, formulation).solve(0, one, one, one);
    REQUIRE(fault);
    CHECK(fault->element == "joint 'ghost'");
  }
}

// Vectors computed with 40 digits: accelerations, efforts of the active dofs, and the wrench through every joint in body axes.
TEST_CASE("the vectors of spatial.json by every formulation") {
  const oracle::Json file = oracle::read_json("spatial.json");
  for (const oracle::Json& record : file["cases"]) {
    const oracle::SpatialCase c = oracle::spatial_case(record);
    INFO("case ", c.name);
    TreeMaker maker(c.tree.gravity);
    for (std::size_t b = 0; b < c.bodies.size(); ++b) {
      const oracle::Json& body = record["bodies"][b];
      const oracle::Json& e = body["quat"];
      const tree::Quaternion turn = tree::normalised({e[0], e[1], e[2], e[3]});
      const std::string type = body["joint"]["type"];
      (void)maker.add("b" + std::to_string(b), type.c_str(), body["parent"].get<int>() + 1,
                      {rotation(turn.w, turn.x, turn.y, turn.z), oracle::vector_of(body["r"])}, oracle::shape_of(body["joint"]));
      const oracle::Json& i = body["Ic"];
      maker.load(static_cast<int>(b) + 1, body["mass"], oracle::vector_of(body["com"]),
                 {i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2]});
      tree::forces::Wrench wrench{.on = {static_cast<int>(b) + 1}};
      for (std::size_t k = 0; k < wrench.value.size(); ++k) wrench.value[k] = TimeFunction(c.external[b][k]);
      maker.mechanism.forces.push_back({"f" + std::to_string(b), {}, wrench});
    }
    SpaceMechanism& m = maker.mechanism;
    for (std::size_t k = 0; k < m.dofs.size(); ++k) {
      if (c.active[k]) make_active(m, static_cast<int>(k));
      m.dofs[k].torque = TimeFunction(c.tau[k]);  // of a passive dof; an active one has the springs in its effort
    }
    for (const Formulation formulation : kSpatial) {
      if (!inapplicable(m, formulation).empty()) continue;
      INFO("formulation ", word(formulation));
      const Answer found = answer(m, {c.q, c.v, c.qdd_active}, formulation);
      CHECK(apart(found.a, c.out["qdd"].get<std::vector<double>>()) < kAgreement);
      CHECK(found.kinetic == doctest::Approx(c.out["kinetic"].get<double>()).epsilon(1e-12));
      std::vector<double> wrenches;
      SpaceEquations places(m);
      places.move(c.q, c.v, found.a);
      for (std::size_t b = 0; b < c.bodies.size(); ++b) {
        const SpaceBody& body = m.bodies[b + 1];
        const Mat3<double> axes = places.motion_work().links[z(body.link)].axes * body.frame.axes;
        const auto f = c.out["f"][b].get<std::vector<double>>();
        append(wrenches, axes * V{f[3], f[4], f[5]}), append(wrenches, axes * V{f[0], f[1], f[2]});
      }
      CHECK(apart(found.wrenches, wrenches) < kAgreement);
    }
  }
}

}  // namespace space_formulations_test
