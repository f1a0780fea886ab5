// The arrays of formulations in the letters of the lecture notes, of every model in space.
// Oracles: the rows of results, whose accelerations and efforts come from other recursions (link by link, in ground axes); H and C of the plain
// explanation; and the laws of the notes, put together here from the arrays that are shown. tests/3_tree/linkage.cpp has the reference vectors.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "jounce/analysis/explain/arrays_explanation.hpp"
#include "jounce/analysis/explain/space_explanation.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/math/dense.hpp"
#include "jounce/space/mechanism.hpp"
#include "model_folders.hpp"

namespace explain_arrays_test {

namespace {

using namespace jounce;
using Numbers = std::vector<double>;

constexpr double kShown = 1e-10;  // of the largest number in sight, or 1: conditions of up to 1e3, and D of light bodies

SpaceMechanism mechanism_at(const std::filesystem::path& folder) {
  auto built = build_space(parse_model_file((folder / "model.toml").string()).model);
  REQUIRE_MESSAGE(built.ok(), text(built.problems()));
  return *std::move(built);
}
SpaceMechanism mechanism_of(const std::string& toml) {
  auto built = build_space(parse_model(toml, "m.toml").model);
  REQUIRE_MESSAGE(built.ok(), text(built.problems()));
  return *std::move(built);
}

ArraysExplanation shown(const SpaceMechanism& mechanism, LinkageFormulation formulation, double t) {
  const ArraysExplainResult found = explain_arrays(mechanism, formulation, t);
  REQUIRE_MESSAGE(found.explanation.has_value(), text(found.problems));
  return *found.explanation;
}

const ExplainedArray* find(const std::vector<ExplainedArray>& arrays, const std::string& key) {
  const auto it = std::ranges::find(arrays, key, &ExplainedArray::key);
  return it == arrays.end() ? nullptr : &*it;
}
Numbers numbers(const std::vector<ExplainedArray>& arrays, const std::string& key) {
  const ExplainedArray* found = find(arrays, key);
  REQUIRE_MESSAGE(found != nullptr, key);
  REQUIRE(found->value.size() == found->rows.size());
  return found->value;
}
Matrix matrix(const std::vector<ExplainedArray>& arrays, const std::string& key) {
  const ExplainedArray* found = find(arrays, key);
  REQUIRE_MESSAGE(found != nullptr, key);
  REQUIRE(found->value.size() == found->rows.size() * found->columns.size());
  Matrix out(static_cast<int>(found->rows.size()), static_cast<int>(found->columns.size()));
  for (int r = 0; r < out.rows; ++r)
    for (int c = 0; c < out.columns; ++c) out.at(r, c) = found->value[static_cast<std::size_t>(r * out.columns + c)];
  return out;
}

Numbers operator+(Numbers a, const Numbers& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}
Numbers operator-(Numbers a, const Numbers& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}
// `size`: that of what they were made of, where they are small against it.
bool same(const Numbers& a, const Numbers& b, double size = 1) { return largest(a - b) < kShown * std::max({1.0, size, largest(a), largest(b)}); }
bool same(const Matrix& a, const Matrix& b, double size = 1) { return a.rows == b.rows && same(a.value, b.value, size); }

Matrix sum(Matrix a, const Matrix& b) {
  a.value = a.value + b.value;
  return a;
}
Matrix transposed(const Matrix& a) {
  Matrix out(a.columns, a.rows);
  for (int r = 0; r < a.rows; ++r)
    for (int c = 0; c < a.columns; ++c) out.at(c, r) = a.at(r, c);
  return out;
}
// The columns of the passive dofs, or of the prescribed ones.
Matrix part(const Matrix& S, const std::vector<bool>& prescribed, bool which) {
  Matrix out(S.rows, static_cast<int>(std::ranges::count(prescribed, which)));
  int column = 0;
  for (int k = 0; k < S.columns; ++k)
    if (prescribed[static_cast<std::size_t>(k)] == which) {
      for (int r = 0; r < S.rows; ++r) out.at(r, column) = S.at(r, k);
      ++column;
    }
  return out;
}
Numbers part(const Numbers& x, const std::vector<bool>& prescribed, bool which) {
  Numbers out;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (prescribed[k] == which) out.push_back(x[k]);
  return out;
}

// What the arrays of all dofs have for those of a body.
Numbers own(const ArraysExplanation& e, const std::string& key, const ExplainedLinkageBody& body) {
  const ExplainedArray* all = find(e.arrays, key);
  REQUIRE(all != nullptr);
  Numbers out;
  for (const std::string& dof : body.dofs) out.push_back(all->value[static_cast<std::size_t>(std::ranges::find(all->rows, dof) - all->rows.begin())]);
  return out;
}

// q'' and the efforts of passive dofs, against the rows of results.
void check_motion(const SpaceMechanism& mechanism, const ArraysExplanation& e) {
  const SpaceExplainResult plain = explain(mechanism, e.t);
  REQUIRE(plain.explanation.has_value());
  for (const SpaceExplanation::Joint& joint : plain.explanation->joints) {
    const auto body = std::ranges::find(e.bodies, joint.name, &ExplainedLinkageBody::joint);
    REQUIRE(body != e.bodies.end());
    CHECK(body->prescribed == joint.prescribed);
    if (joint.prescribed.empty()) continue;
    CHECK(same(own(e, "qd", *body), joint.v));
    CHECK(same(own(e, "qdd", *body), joint.a, largest(numbers(e.arrays, "qdd"))));
    if (find(e.arrays, "tau")->rows.size() != numbers(e.arrays, "qdd").size() || !mechanism.couplings.empty()) continue;
    const Numbers tau = numbers(e.arrays, "tau");
    CHECK(same(part(own(e, "tau", *body), body->prescribed, false), part(joint.tau, body->prescribed, false), largest(tau)));
  }
}

const ExplainedLinkageBody* carrier(const ArraysExplanation& e, const ExplainedLinkageBody& body) {
  const auto it = std::ranges::find(e.bodies, body.parent, &ExplainedLinkageBody::name);
  return it == e.bodies.end() ? nullptr : &*it;
}
Numbers from_carrier(const ArraysExplanation& e, const ExplainedLinkageBody& body, const std::string& key, const Numbers& of_ground) {
  const ExplainedLinkageBody* below = carrier(e, body);
  return times(matrix(body.arrays, "X"), below == nullptr ? of_ground : numbers(below->arrays, key));
}

void check_articulated(const SpaceMechanism& mechanism, const ArraysExplanation& e) {
  const Vec3<double> g = mechanism.tree.gravity;
  for (const ExplainedLinkageBody& body : e.bodies) {
    CAPTURE(body.name);
    const auto& a = body.arrays;
    const Matrix S = matrix(a, "S"), S_P = part(S, body.prescribed, false), IA = matrix(a, "IA"), Ia = matrix(a, "Ia");
    const double size = largest(IA.value);
    const Numbers known = find(a, "c_prime") != nullptr ? numbers(a, "c_prime") : numbers(a, "c");
    CHECK(same(numbers(a, "v"), from_carrier(e, body, "v", Numbers(6)) + times(S, own(e, "qd", body))));
    CHECK(same(known, numbers(a, "c") + times(part(S, body.prescribed, true), part(own(e, "qdd", body), body.prescribed, true))));
    CHECK(same(matrix(a, "U"), times(IA, S_P)));
    CHECK(same(matrix(a, "D"), transposed_times(S_P, matrix(a, "U"))));
    const Numbers tau = own(e, "tau", body), f = numbers(a, "f");
    CHECK(same(numbers(a, "u"), part(tau, body.prescribed, false) - transposed_times(S_P, numbers(a, "pA")), largest(f)));
    // what the joint leaves free carries no inertia over, and both inertias are symmetric
    CHECK(largest(times(Ia, S_P).value) <= kShown * size);
    CHECK(same(IA, transposed(IA), size));
    CHECK(same(Ia, transposed(Ia), size));
    // D (q'' + D⁻¹ Uᵀ a') = u, without an inverse
    CHECK(same(times(matrix(a, "D"), numbers(a, "qdd")) + transposed_times(matrix(a, "U"), numbers(a, "a_prime")), numbers(a, "u"), largest(f)));
    CHECK(same(numbers(a, "a_prime"), from_carrier(e, body, "a", {0, 0, 0, -g.x, -g.y, -g.z}) + known));
    CHECK(same(numbers(a, "a"), numbers(a, "a_prime") + times(S_P, numbers(a, "qdd"))));
    CHECK(same(f, times(IA, numbers(a, "a")) + numbers(a, "pA")));
    CHECK(same(f, times(Ia, from_carrier(e, body, "a", {0, 0, 0, -g.x, -g.y, -g.z})) + numbers(a, "pa"), largest(f)));
    CHECK(same(tau, transposed_times(S, f), largest(f)));
    // Newton and Euler without any articulated inertia: I a + p less what the bodies that it carries need
    Numbers needed = times(matrix(a, "I"), numbers(a, "a")) + numbers(a, "p");
    Matrix together = matrix(a, "I");
    for (const ExplainedLinkageBody& other : e.bodies) {
      if (other.parent != body.name) continue;
      const Matrix X = matrix(other.arrays, "X");
      needed = needed + transposed_times(X, numbers(other.arrays, "f"));
      together = sum(together, congruent(matrix(other.arrays, "Ia"), X));
    }
    CHECK(same(f, needed, largest(f)));
    CHECK(same(IA, together, size));
  }
}

void check_composite(const SpaceMechanism& mechanism, const ArraysExplanation& e) {
  const Matrix H = matrix(e.arrays, "H");
  const SpaceExplainResult plain = explain(mechanism, e.t);
  CHECK(same(transposed(H).value, plain.explanation->H.value, largest(H.value)));
  CHECK(same(times(H, numbers(e.arrays, "qdd")) + numbers(e.arrays, "C"), numbers(e.arrays, "tau"), largest(numbers(e.arrays, "C"))));
  for (const ExplainedLinkageBody& body : e.bodies) {
    Matrix together = matrix(body.arrays, "I");
    for (const ExplainedLinkageBody& other : e.bodies)
      if (other.parent == body.name) together = sum(together, congruent(matrix(other.arrays, "Ic"), matrix(other.arrays, "X")));
    CHECK(same(matrix(body.arrays, "Ic"), together));
    CHECK(same(matrix(body.arrays, "F"), times(matrix(body.arrays, "Ic"), matrix(body.arrays, "S"))));
  }
}

void check_null_space(const SpaceMechanism& mechanism, const ArraysExplanation& e) {
  const Matrix H = matrix(e.arrays, "H");
  const SpaceExplainResult plain = explain(mechanism, e.t);
  CHECK(same(transposed(H).value, plain.explanation->H.value, largest(H.value)));
  Matrix together(H.rows, H.columns);
  for (const ExplainedLinkageBody& body : e.bodies) {
    const auto& a = body.arrays;
    const Matrix Z = matrix(a, "Z"), T = matrix(a, "T");
    CHECK(same(numbers(a, "v"), times(Z, numbers(e.arrays, "qd"))));
    Matrix apart = Z;
    if (const ExplainedLinkageBody* below = carrier(e, body)) apart.value = apart.value - times(matrix(a, "X"), matrix(below->arrays, "Z")).value;
    CHECK(T.columns == 6 - static_cast<int>(body.dofs.size()));
    CHECK(largest(transposed_times(T, apart).value) < 1e-12);
    together = sum(together, congruent(matrix(a, "I"), Z));
  }
  CHECK(same(H, together));
  const Numbers qdd = numbers(e.arrays, "qdd"), y = numbers(e.arrays, "y");
  CHECK(same(times(matrix(e.arrays, "left"), y), numbers(e.arrays, "right"), largest(numbers(e.arrays, "C"))));
  if (find(e.arrays, "K") == nullptr) {
    CHECK(same(times(H, qdd) + numbers(e.arrays, "C"), numbers(e.arrays, "tau"), largest(numbers(e.arrays, "C"))));
    return;
  }
  const Matrix K = matrix(e.arrays, "K"), N = matrix(e.arrays, "N");
  CHECK(largest(times(K, N).value) < kShown * std::max(1.0, largest(K.value)) * std::max(1.0, largest(N.value)));
  // forces of loops do no work on what they leave free
  const ExplainedArray& given = *find(e.arrays, "tau");
  const Numbers needed = numbers(e.arrays, "needed");
  Numbers left_over;
  for (std::size_t i = 0; i < given.rows.size(); ++i) {
    const auto at = static_cast<std::size_t>(std::ranges::find(find(e.arrays, "needed")->rows, given.rows[i]) - find(e.arrays, "needed")->rows.begin());
    left_over.push_back(needed[at] - given.value[i]);
  }
  CHECK(largest(transposed_times(N, left_over)) < kShown * std::max({1.0, largest(needed), largest(numbers(e.arrays, "C"))}));
}

// Kane's equation, body by body, and accelerations of the centres of mass from the rows of results.
void check_kane(const SpaceMechanism& mechanism, const ArraysExplanation& e) {
  const SpaceExplainResult plain = explain(mechanism, e.t);
  const Matrix M = matrix(e.arrays, "M");
  CHECK(same(transposed(M).value, plain.explanation->H.value, largest(M.value)));
  const Numbers qd = numbers(e.arrays, "qd"), qdd = numbers(e.arrays, "qdd"), tau = numbers(e.arrays, "tau");
  Numbers left = tau;
  double size = largest(tau);
  for (const ExplainedLinkageBody& body : e.bodies) {
    CAPTURE(body.name);
    const auto& a = body.arrays;
    const auto found = std::ranges::find(plain.explanation->bodies, body.name, &SpaceExplanation::Body::name);
    const SpaceBody& own = *std::ranges::find(mechanism.bodies, body.name, &SpaceBody::name);
    REQUIRE(found != plain.explanation->bodies.end());
    const auto vec = [](const Numbers& x) { return Vec3<double>{x[0], x[1], x[2]}; };
    const auto list = [](const Vec3<double>& x) { return Numbers{x.x, x.y, x.z}; };
    const Vec3<double> spin = vec(found->angular_velocity), turn = vec(found->angular_acceleration), arm = vec(numbers(a, "r")) - vec(found->position);
    CHECK(same(numbers(a, "omega"), found->angular_velocity));
    CHECK(same(transposed_times(matrix(a, "V_pd"), qd), list(vec(found->velocity) + cross(spin, arm))));
    // Newton and Euler
    const Vec3<double> moved = vec(found->acceleration) + cross(turn, arm) + cross(spin, cross(spin, arm));
    const double scale = std::max({1.0, largest(list(moved)), largest(list(turn)), largest(found->acceleration)}) * std::max(1.0, *own.mass);
    CHECK(same(numbers(a, "F_in"), list(moved * -*own.mass), scale));
    const Matrix I = matrix(a, "I");
    CHECK(same(numbers(a, "M_in"), Numbers(3) - (times(I, found->angular_acceleration) + list(cross(spin, vec(times(I, found->angular_velocity))))), scale));
    CHECK(same(matrix(a, "A3"), times(matrix(a, "W_pd"), I)));
    left = left + times(matrix(a, "V_pd"), numbers(a, "F") + numbers(a, "F_in")) + times(matrix(a, "W_pd"), numbers(a, "M_ext") + numbers(a, "M_in"));
    size = std::max({size, largest(numbers(a, "F")), largest(numbers(a, "M_ext"))});
  }
  CHECK(largest(left) < kShown * std::max(1.0, size));
  CHECK(same(times(M, qdd), numbers(e.arrays, "f"), size));
}

// A block that slides on a turning rod and a pendulum, of docs/theory/three-formulations.md.
const std::string kBlock = R"(jounce = 1
space = "3d"
[bodies.block]
mass = 0.8
inertia = [0.02, 0.02, 0.02, 0, 0, 0]
[joints.rod]
type = "custom"
parent = "ground"
child = "block"
screws = [[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]]
q = [0.3, 0.6]
v = [2.5, -0.7]
dofs = [ { torque = 0.4 }, { torque = 1.1 } ]
)";
const std::string kPendulum = R"(jounce = 1
space = "3d"
gravity = [9.81, 0, 0]
[bodies.pendulum]
mass = 2
com = [0.3, 0, 0]
inertia = [0.04, 0.03, 0.05, 0, 0, 0]
[joints.pivot]
type = "revolute"
parent = "ground"
child = "pendulum"
q = [0.7]
v = [1.9]
dofs = [ { torque = 1.3 } ]
)";

}  // namespace

TEST_CASE("articulated, composite and null-space arrays of every model in space obey the laws of the notes and move as the engine does") {
  for (const auto& folder : jounce_test::model_folders(Space::three)) {
    const SpaceMechanism mechanism = mechanism_at(folder);
    for (const double t : {0.0, 0.13}) {
      CAPTURE(folder.filename().string());
      CAPTURE(t);
      const ArraysExplanation aba = shown(mechanism, LinkageFormulation::aba, t), crba = shown(mechanism, LinkageFormulation::crba, t),
                              null = shown(mechanism, LinkageFormulation::nullspace, t), kane = shown(mechanism, LinkageFormulation::kane, t);
      for (const ArraysExplanation* e : {&aba, &crba, &null, &kane}) check_motion(mechanism, *e);
      check_articulated(mechanism, aba);
      check_composite(mechanism, crba);
      check_null_space(mechanism, null);
      check_kane(mechanism, kane);
    }
  }
}

TEST_CASE("an idle link that takes a moment is held at its rate in the arrays, too: they move as the rows do and keep the loop closed") {
  // oracle: the rows of `inverse`, and K q'' = gamma of the plain explanation
  std::ifstream file(places::source() + "/models/rssr/model.toml");
  std::string beside{std::istreambuf_iterator<char>(file), {}};
  const std::string com = "com     = [0, 0, \"rod/2\"]";
  beside.replace(beside.find(com), com.size(), "com     = [0.02, 0, \"rod/2\"]");  // 2 cm beside the line through the balls
  for (const std::string actuators : {"", "[actuators]\ndofs = [\"pivot\"]\n"}) {
    const SpaceMechanism mechanism = mechanism_of(beside + actuators);
    const ArraysExplanation aba = shown(mechanism, LinkageFormulation::aba, 0.2), crba = shown(mechanism, LinkageFormulation::crba, 0.2),
                            null = shown(mechanism, LinkageFormulation::nullspace, 0.2), kane = shown(mechanism, LinkageFormulation::kane, 0.2);
    const SpaceExplainResult plain = explain(mechanism, 0.2);
    REQUIRE(plain.explanation->closures.size() == 1);
    const SpaceExplanation::Closure& loop = plain.explanation->closures.front();
    for (const ArraysExplanation* e : {&aba, &crba, &null, &kane}) {
      check_motion(mechanism, *e);
      for (std::size_t r = 0; r < loop.K.size(); ++r) CHECK(std::abs(dot(loop.K[r], numbers(e->arrays, "qdd")) - loop.gamma[r]) < kShown);
    }
    check_articulated(mechanism, aba);
    check_composite(mechanism, crba);
    check_null_space(mechanism, null);
    check_kane(mechanism, kane);
    CHECK(matrix(null.arrays, "N").columns == 1);  // the turn itself: no loop resists it
  }
}

TEST_CASE("a driven linkage is carried by its driver, or by the actuator that the model names, and the arrays say so") {
  // oracle: efforts of the rows of results
  std::ifstream file(places::source() + "/models/space-four-bar/model.toml");
  std::string driven{std::istreambuf_iterator<char>(file), {}};
  driven.insert(driven.find("[joints.A]"), "dofs = [ { motion = \"crank_start + crank_speed*t + 0.3*t^2\" } ]\n");
  for (const std::string actuators : {"", "[actuators]\ndofs = [\"Q\"]\n"}) {
    const SpaceMechanism mechanism = mechanism_of(driven + actuators);
    for (const double t : {0.0, 0.2}) {
      const ArraysExplanation aba = shown(mechanism, LinkageFormulation::aba, t), crba = shown(mechanism, LinkageFormulation::crba, t),
                              null = shown(mechanism, LinkageFormulation::nullspace, t), kane = shown(mechanism, LinkageFormulation::kane, t);
      for (const ArraysExplanation* e : {&aba, &crba, &null, &kane}) check_motion(mechanism, *e);
      check_articulated(mechanism, aba);
      check_composite(mechanism, crba);
      check_null_space(mechanism, null);
      check_kane(mechanism, kane);
      const SpaceExplainResult rows = explain(mechanism, t);
      for (const SpaceExplanation::Joint& joint : rows.explanation->joints)
        CHECK(same(own(aba, "tau", *std::ranges::find(aba.bodies, joint.name, &ExplainedLinkageBody::joint)), joint.tau, 10));
      CHECK((std::abs(rows.explanation->joints[0].tau[0]) > 1e-6) == actuators.empty());
    }
  }
}

TEST_CASE("the three methods for one body give one motion, that of the engine") {
  // oracle: the articulated recursion, and Newton and Euler from the arrays that are shown
  int count = 0;
  std::vector<SpaceMechanism> bodies;
  for (const auto& folder : jounce_test::model_folders(Space::three)) bodies.push_back(mechanism_at(folder));
  bodies.push_back(mechanism_of(kBlock)), bodies.push_back(mechanism_of(kPendulum));
  for (const SpaceMechanism& mechanism : bodies) {
    if (mechanism.joints.size() != 1) continue;
    CAPTURE(mechanism.name);
    ++count;
    const ArraysExplanation aba = shown(mechanism, LinkageFormulation::aba, 0);
    const Numbers qdd = numbers(aba.arrays, "qdd");
    for (const LinkageFormulation method : {LinkageFormulation::method_1, LinkageFormulation::method_2, LinkageFormulation::method_3}) {
      const ArraysExplanation e = shown(mechanism, method, 0);
      const auto& a = e.bodies.front().arrays;
      const double size = std::max(1.0, largest(qdd));
      CHECK(same(numbers(a, "qdd"), qdd, size));
      const Matrix S = matrix(a, "S"), I = matrix(a, "I");
      const Numbers moved = numbers(a, "a"), f_c = numbers(a, "f_c"), f = numbers(a, "f"), p = numbers(a, "p");
      CHECK(same(moved, times(S, qdd) + numbers(a, "Sdot_qd"), size));
      CHECK(same(f + f_c, times(I, moved) + p, largest(p)));
      CHECK(largest(transposed_times(S, f_c)) < kShown * std::max(1.0, largest(f_c)));
      if (method == LinkageFormulation::method_1) {
        CHECK(same(moved, times(matrix(a, "Phi"), f) + numbers(a, "b"), size));
        CHECK(same(times(times(matrix(a, "Phi"), I), S), S));
        CHECK(same(matrix(a, "H"), congruent(I, S)));
      } else if (method == LinkageFormulation::method_2) {
        const Matrix T = matrix(a, "T");
        CHECK(largest(transposed_times(T, S).value) < 1e-14);
        CHECK(same(times(T, numbers(a, "lambda")), f_c, largest(p)));
        CHECK(same(times(matrix(a, "saddle"), numbers(a, "solution")), numbers(a, "right"), largest(p)));
      } else {
        CHECK(same(times(matrix(a, "H"), qdd) + numbers(a, "C"), numbers(a, "tau"), largest(p)));
        CHECK(same(numbers(a, "tau"), transposed_times(S, f)));
      }
    }
  }
  CHECK(count >= 6);
}

TEST_CASE("a pendulum and a block on a rod have the numbers of the page") {
  // oracle: docs/theory/three-formulations.md, worked out by hand there
  const auto near = [](const Numbers& a, const Numbers& b) { return largest(a - b) < 2e-6; };
  const SpaceMechanism pendulum = mechanism_of(kPendulum), block = mechanism_of(kBlock);
  const auto arrays = [](const SpaceMechanism& mechanism, LinkageFormulation method) { return shown(mechanism, method, 0).bodies.front().arrays; };
  const auto first = arrays(pendulum, LinkageFormulation::method_1);
  CHECK(near(numbers(first, "qdd"), {-10.834197}));
  CHECK(near(numbers(first, "p"), {0, 0, 3.791865, -17.172204, 12.639551, 0}));
  CHECK(near(numbers(first, "f_c"), {0, 0, 0, -17.172204, 6.139033, 0}));
  CHECK(near(numbers(first, "b"), {0, 0, -16.486371, 0, 0, 0}));
  CHECK(std::abs(matrix(first, "Phi").at(2, 2) - 4.347826) < 1e-6);
  const auto third = arrays(block, LinkageFormulation::method_3);
  CHECK(near(numbers(third, "qdd"), {6.753247, 5.125}));
  CHECK(near(numbers(third, "C"), {-1.68, -3}));
  CHECK(near(matrix(third, "H").value, {0.308, 0, 0, 0.8}));
}

TEST_CASE("formulations that do not apply are refused by what was expected and found") {
  const ArraysExplainResult two = explain_arrays(mechanism_at(places::source() + "/models/furuta-pendulum"), LinkageFormulation::method_2, 0);
  CHECK_FALSE(two.explanation.has_value());
  CHECK(two.outcome.kind == Outcome::Kind::not_run);
  REQUIRE(two.problems.size() == 1);
  CHECK(two.problems[0].sentence == "method-2: expected one body on one joint to the ground, found 2 joints");
  std::string massless = kPendulum;
  massless.replace(massless.find("mass = 2\n"), massless.find("[joints") - massless.find("mass = 2\n"), "");
  const ArraysExplainResult none = explain_arrays(mechanism_of(massless), LinkageFormulation::aba, 0);
  CHECK_FALSE(none.explanation.has_value());
  CHECK(none.outcome.kind == Outcome::Kind::not_run);
}

}  // namespace explain_arrays_test
