// Oracles: bodies solved on paper (a pendulum, a nut on a screw, a block on a turning rod), identities of linear algebra
// evaluated by other decompositions, and the four formulations held against each other.
#include "jounce/tree/constrained_body.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace constrained_body_test {

using namespace jounce::tree;

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Six = Eigen::Matrix<double, 6, 1>;
using SixBySix = Eigen::Matrix<double, 6, 6>;

// SᵀIS of the random bodies below has a condition below 100 (worst met: 39); a dozen operations on each.
constexpr double kAgree = 1e-12;
// A handful of multiplications on numbers near 1 ... 100, relative to the largest.
constexpr double kClosed = 1e-13;

struct Random {
  std::mt19937 engine{20251115};
  double unit() { return 2.0 * double(engine()) / double(std::mt19937::max()) - 1.0; }
  Matrix matrix(Eigen::Index r, Eigen::Index c) {
    Matrix m(r, c);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = unit();
    return m;
  }
};

Eigen::Matrix3d cross(const Eigen::Vector3d& r) {
  Eigen::Matrix3d m;
  m << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
  return m;
}

// About the origin of the frame; centre of mass at c, central inertia `central`.
SixBySix rigid(double mass, const Eigen::Vector3d& c, const Eigen::Matrix3d& central) {
  SixBySix m;
  m << central + mass * cross(c) * cross(c).transpose(), mass * cross(c), mass * cross(c).transpose(),
      mass * Eigen::Matrix3d::Identity();
  return m;
}

// v ×* I v
Six gyroscopic(const SixBySix& inertia, const Six& v) {
  const Six h = inertia * v;
  Six out;
  out << cross(v.head<3>()) * h.head<3>() + cross(v.tail<3>()) * h.tail<3>(), cross(v.head<3>()) * h.tail<3>();
  return out;
}

SixVector array(const Six& x) { return {x[0], x[1], x[2], x[3], x[4], x[5]}; }
SixMatrix array(const SixBySix& m) {
  SixMatrix out;
  for (Eigen::Index r = 0; r < 6; ++r) out[static_cast<std::size_t>(r)] = array(Six(m.row(r).transpose()));
  return out;
}
Six eigen(const SixVector& x) { return Eigen::Map<const Six>(x.data()); }
SixBySix eigen(const SixMatrix& m) {
  SixBySix out;
  for (Eigen::Index r = 0; r < 6; ++r) out.row(r) = eigen(m[static_cast<std::size_t>(r)]).transpose();
  return out;
}
Matrix columns(const std::vector<SixVector>& all) {
  Matrix out(6, static_cast<Eigen::Index>(all.size()));
  for (std::size_t c = 0; c < all.size(); ++c) out.col(static_cast<Eigen::Index>(c)) = eigen(all[c]);
  return out;
}

ConstrainedBody body_of(const SixBySix& inertia, const Matrix& s, const Vector& qd) {
  ConstrainedBody body;
  body.inertia = array(inertia);
  for (Eigen::Index c = 0; c < s.cols(); ++c) body.S.push_back(array(Six(s.col(c))));
  body.qd.assign(qd.data(), qd.data() + qd.size());
  body.p = array(gyroscopic(inertia, s * qd));
  return body;
}

ConstrainedBody random_body(Random& random, Eigen::Index n) {
  const Matrix w = random.matrix(3, 3);
  const double a = 0.3 + std::abs(random.unit()), b = 0.3 + std::abs(random.unit()), c = 0.3 + std::abs(random.unit());
  const Eigen::Matrix3d axes = Eigen::HouseholderQR<Eigen::Matrix3d>(w).householderQ();
  const Eigen::Matrix3d central = axes * Eigen::Vector3d(b + c, a + c, a + b).asDiagonal() * axes.transpose();
  const double mass = 1 + std::abs(random.unit());
  const SixBySix inertia = rigid(mass, random.matrix(3, 1), central);
  Matrix s = random.matrix(6, n);
  for (Eigen::Index k = 0; k < n; ++k) s(k, k) += 4;  // well away from dependent columns
  ConstrainedBody body = body_of(inertia, s, random.matrix(n, 1));
  body.Sdot_qd = n == 0 ? SixVector{} : array(Six(random.matrix(6, 1)));
  body.f = array(Six(10 * random.matrix(6, 1)));
  return body;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

struct Named {
  const char* name;
  jounce::Result<BodyMotion> (*solve)(const ConstrainedBody&);
};
constexpr Named kWays[] = {{"projection", by_projection},
                           {"multipliers", by_multipliers},
                           {"generalized coordinates", by_generalized_coordinates},
                           {"null space", by_null_space}};

std::string complaint(const jounce::Problems& problems) { return problems.empty() ? "" : problems.front().sentence; }

}  // namespace

TEST_CASE("four formulations of one constrained body give one motion and one constraint force") {
  // oracle: each other, and the law f + f_c = I a + p with a in the subspace and f_c without power
  Random random;
  for (int trial = 0; trial < 200; ++trial) {
    const Eigen::Index n = trial % 7;
    const ConstrainedBody body = random_body(random, n);
    const auto first = by_projection(body);
    REQUIRE(first.ok());
    const double force = 1 + eigen(first->constraint_force).norm(), size = 1 + eigen(first->acceleration).norm();
    for (const Named& way : kWays) {
      CAPTURE(std::string(way.name));
      CAPTURE(n);
      const auto motion = way.solve(body);
      REQUIRE(motion.ok());
      const Six a = eigen(motion->acceleration), held = eigen(motion->constraint_force), v = eigen(motion->velocity);
      CHECK((a - eigen(first->acceleration)).norm() < kAgree * size);
      CHECK((held - eigen(first->constraint_force)).norm() < kAgree * force);
      CHECK(difference(motion->qdd, first->qdd) < kAgree * size);
      CHECK(difference(motion->lambda, first->lambda) < kAgree * force);
      CHECK((eigen(body.f) + held - eigen(body.inertia) * a - eigen(body.p)).norm() < kAgree * force);
      CHECK(std::abs(held.dot(v)) < kAgree * force * (1 + v.norm()));
      const Vector qdd = Eigen::Map<const Vector>(motion->qdd.data(), n);
      CHECK((columns(body.S) * qdd + eigen(body.Sdot_qd) - a).norm() < kAgree * size);
    }
  }
}

TEST_CASE("a body on a fixed axis turns with torque over I + m d^2, and its bearing carries what Newton says") {
  // oracle: the compound pendulum; body axes at the pivot, x towards the centre of mass, z the axis, gravity g at angle theta
  // to x
  const double m = 2, d = 0.3, central = 0.05, g = 9.81, theta = 0.7, rate = 1.9, torque = 1.3;
  const SixBySix inertia = rigid(m, {d, 0, 0}, Eigen::Vector3d(0.04, 0.03, central).asDiagonal());
  Matrix axis = Matrix::Zero(6, 1);
  axis(2, 0) = 1;
  ConstrainedBody body = body_of(inertia, axis, Vector::Constant(1, rate));
  const double along = m * g * std::cos(theta), across = -m * g * std::sin(theta);
  Six weight;
  weight << 0, 0, d * across, along, across, 0;
  body.p = array(Six(eigen(body.p) - weight));
  body.f = {0, 0, torque, 0, 0, 0};
  const double qdd = (torque - m * g * d * std::sin(theta)) / (central + m * d * d);
  for (const Named& way : kWays) {
    CAPTURE(std::string(way.name));
    const auto motion = way.solve(body);
    REQUIRE(motion.ok());
    CHECK(std::abs(motion->qdd[0] - qdd) < kClosed * 100);
    const SixVector& held = motion->constraint_force;
    CHECK(std::abs(held[3] - (-m * d * rate * rate - along)) < kClosed * 100);
    CHECK(std::abs(held[4] - (m * d * qdd - across)) < kClosed * 100);
    CHECK(std::abs(held[2]) < kClosed * 100);
    CHECK(motion->lambda.size() == 5);
  }
}

TEST_CASE("a nut on a vertical screw falls as m g h / (I + m h^2)") {
  // oracle: energy, q'' = -m g h / (Iz + m h^2) = -36.73348017621145 for these numbers (50-digit arithmetic)
  const double m = 1.7, h = 0.12, turning = 0.03;
  const SixBySix inertia = rigid(m, {0, 0, 0}, Eigen::Vector3d(0.02, 0.02, turning).asDiagonal());
  Matrix screw = Matrix::Zero(6, 1);
  screw(2, 0) = 1, screw(5, 0) = h;
  ConstrainedBody body = body_of(inertia, screw, Vector::Constant(1, 4.0));
  body.p[5] += m * 9.81;
  for (const Named& way : kWays) {
    CAPTURE(std::string(way.name));
    const auto motion = way.solve(body);
    REQUIRE(motion.ok());
    CHECK(std::abs(motion->qdd[0] + 36.73348017621145) < kClosed * 100);
  }
}

TEST_CASE("a block on a turning rod feels both terms of a subspace that moves") {
  // oracle: r'' = r w^2 + F/m and (I + m r^2) w' + 2 m r r' w = torque; body axes at the centre of mass, x along the rod
  const double m = 0.8, turning = 0.02, r = 0.6, w = 2.5, slide = -0.7, force = 1.1, torque = 0.4;
  const SixBySix inertia = rigid(m, {0, 0, 0}, Eigen::Vector3d(0.01, 0.02, turning).asDiagonal());
  Matrix s = Matrix::Zero(6, 2);
  s(2, 0) = 1, s(4, 0) = r, s(3, 1) = 1;
  ConstrainedBody body = body_of(inertia, s, Eigen::Vector2d(w, slide));
  body.Sdot_qd = {0, 0, 0, 0, slide * w, 0};
  body.f = {0, 0, torque, force, 0, 0};
  for (const Named& way : kWays) {
    CAPTURE(std::string(way.name));
    const auto motion = way.solve(body);
    REQUIRE(motion.ok());
    CHECK(std::abs(motion->qdd[0] - (torque - 2 * m * r * slide * w) / (turning + m * r * r)) < kClosed * 100);
    CHECK(std::abs(motion->qdd[1] - (r * w * w + force / m)) < kClosed * 100);
  }
  const auto equations = generalized_equations(body);
  REQUIRE(equations.ok());
  CHECK(std::abs(equations->H[0][0] - (turning + m * r * r)) < kClosed);
  CHECK(std::abs(equations->H[0][1]) + std::abs(equations->H[1][0]) < kClosed);
  CHECK(std::abs(equations->H[1][1] - m) < kClosed);
  CHECK(std::abs(equations->C[0] - 2 * m * r * slide * w) < kClosed);
  CHECK(std::abs(equations->C[1] + m * r * w * w) < kClosed);
  CHECK(difference(equations->tau, {torque, force}) < kClosed);
}

TEST_CASE("the apparent inverse inertia has the range of S, the null space T and rank n") {
  // oracle: singular values of Phi by Eigen; projectors onto the spaces
  Random random;
  for (int trial = 0; trial < 70; ++trial) {
    const Eigen::Index n = trial % 7;
    const ConstrainedBody body = random_body(random, n);
    const auto phi = apparent_inverse_inertia(body);
    const auto spaces = subspaces(body);
    REQUIRE(phi.ok());
    REQUIRE(spaces.ok());
    CHECK(spaces->rank == n);
    const SixBySix inverse = eigen(*phi);
    const Eigen::JacobiSVD<SixBySix> svd(inverse, Eigen::ComputeFullU | Eigen::ComputeFullV);
    CHECK((svd.singularValues().array() > 1e-8).count() == n);
    CHECK((svd.singularValues().array() < kAgree).count() == 6 - n);
    const Matrix range = svd.matrixU().leftCols(n), null = svd.matrixV().rightCols(6 - n);
    const Matrix ours = columns(spaces->range), forces = columns(spaces->null_space);
    CHECK((ours * ours.transpose() - range * range.transpose()).norm() < kAgree);
    CHECK((forces * forces.transpose() - null * null.transpose()).norm() < kAgree);
    const Matrix s = columns(body.S);
    CHECK((s - range * range.transpose() * s).norm() < kAgree);
    CHECK((inverse - inverse.transpose()).norm() < kAgree);
    CHECK((inverse * eigen(body.inertia) * s - s).norm() < kAgree * 10);
  }
}

TEST_CASE("null-space form and range-space form of the apparent inverse inertia are one matrix") {
  // oracle: S(SᵀIS)⁻¹Sᵀ = I⁻¹ - I⁻¹T(TᵀI⁻¹T)⁻¹TᵀI⁻¹
  Random random;
  for (int trial = 0; trial < 70; ++trial) {
    const ConstrainedBody body = random_body(random, trial % 7);
    const auto one = apparent_inverse_inertia(body), other = apparent_inverse_inertia_by_range_space(body);
    REQUIRE(one.ok());
    REQUIRE(other.ok());
    CHECK((eigen(*one) - eigen(*other)).norm() < kAgree * (1 + eigen(*one).norm()));
  }
}

TEST_CASE("acceleration is the apparent inverse inertia times the force, plus the bias acceleration") {
  // oracle: a = Phi f + b for another force than the one b was computed with
  Random random;
  for (int trial = 0; trial < 70; ++trial) {
    ConstrainedBody body = random_body(random, trial % 7);
    const auto bias = bias_acceleration(body);
    REQUIRE(bias.ok());
    body.f = array(Six(10 * random.matrix(6, 1)));
    const auto motion = by_multipliers(body);
    const auto phi = apparent_inverse_inertia(body);
    REQUIRE(motion.ok());
    REQUIRE(phi.ok());
    const Six a = eigen(motion->acceleration);
    CHECK((eigen(*phi) * eigen(body.f) + eigen(*bias) - a).norm() < kAgree * (1 + a.norm()));
  }
}

TEST_CASE("a body without mass in some directions is solved when every motion left to it moves inertia") {
  // oracle: a flywheel known by its moment about the axis only, q'' = torque / J
  SixBySix inertia = SixBySix::Zero();
  inertia(2, 2) = 0.25;
  Matrix axis = Matrix::Zero(6, 1);
  axis(2, 0) = 1;
  ConstrainedBody body = body_of(inertia, axis, Vector::Constant(1, 3.0));
  body.f = {0, 0, 2, 0, 0, 0};
  for (const Named& way : kWays) {
    CAPTURE(std::string(way.name));
    const auto motion = way.solve(body);
    REQUIRE(motion.ok());
    CHECK(std::abs(motion->qdd[0] - 8) < kClosed * 10);
  }
  const auto other = apparent_inverse_inertia_by_range_space(body);
  CHECK(!other.ok());
  CHECK(complaint(other.problems()).find("the inertia is singular") != std::string::npos);
}

TEST_CASE("a constrained body that decides nothing is refused with the reason") {
  // oracle: the sentence says what was expected and which column is to blame
  Random random;
  const ConstrainedBody good = random_body(random, 3);
  const auto refusal = [](const ConstrainedBody& body) {
    for (const Named& way : kWays) {
      CAPTURE(std::string(way.name));
      CHECK(!way.solve(body).ok());
    }
    CHECK(!generalized_equations(body).ok());
    CHECK(!apparent_inverse_inertia(body).ok());
    CHECK(!apparent_inverse_inertia_by_range_space(body).ok());
    CHECK(!subspaces(body).ok());
    const auto bias = bias_acceleration(body);
    CHECK(!bias.ok());
    return complaint(bias.problems());
  };
  const auto says = [&](const ConstrainedBody& body, const char* part) {
    const std::string sentence = refusal(body);
    CHECK_MESSAGE(sentence.find(part) != std::string::npos, sentence);
  };

  ConstrainedBody body = good;
  body.S[2] = body.S[0];
  says(body, "S has 3 columns but rank 2; expected independent columns");
  says(body, "is 1 times column");
  body = good;
  for (std::size_t i = 0; i < 6; ++i) body.S[2][i] = 1e-6 * (2 * body.S[0][i] - 3 * body.S[1][i]);
  says(body, "S has 3 columns but rank 2");
  body.S[1] = {};
  says(body, "column 2 of S is zero");
  body = good;
  body.qd.pop_back();
  says(body, "qd has 2 entries; expected one for each of the 3 columns of S");
  body = good;
  body.S.resize(7, SixVector{1, 2, 3, 4, 5, 6});
  says(body, "S has 7 columns; a body has at most 6 motions");
  body = good;
  body.f[4] = std::numeric_limits<double>::quiet_NaN();
  says(body, "f has an entry that is not a finite number");
  body = good;
  body.inertia[0][1] += 1;
  says(body, "the inertia is not symmetric: entry (1, 2)");

  // A point mass, asked to turn about itself; then two motions that move it alike.
  ConstrainedBody point;
  for (std::size_t i = 3; i < 6; ++i) point.inertia[i][i] = 2;
  point.S = {{0, 0, 0, 1, 0, 0}, {0, 0, 1, 0, 0, 0}};
  point.qd = {0, 0};
  says(point, "no inertia is moved by column 2 of S");
  point.S[1] = {0, 0, 1, 1, 0, 0};
  says(point, "no inertia is moved by a combination of the columns of S");
}

}  // namespace constrained_body_test
