// Oracles: all formulations against each other on random chains, trees and closed linkages; and the same mechanisms as models of space,
// which have kinematics, inertias and loop equations of their own. The state is consistent, with velocities.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/compare/compare_arithmetic.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/plane/motion/multipliers.hpp"
#include "jounce/base/index.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/plane/equations/equations_of_motion.hpp"
#include "jounce/plane/spanning/kane.hpp"
#include "jounce/space/equations/equations.hpp"
#include "oracles/random_mechanism.hpp"

namespace formulations_test {

using namespace jounce;

namespace {

// Ways to solve the same linear systems, order after order, relative to the largest number of its kind; and where the condition of the
// equations says that more digits are lost than that, so many roundings times the condition.
constexpr double kSame = 2e-10, kRoundings = 64;
// Runs of a tenth of a second with a tolerance of 1e-11.
constexpr double kSameEnd = 1e-8;
// What is lost where forces add up to nothing, and the least that counts as a force.
constexpr double kCancelled = 1e-3, kNewton = 1;
constexpr int kOfEach = 70, kLarge = 3, kRuns = 3;

struct Case {
  oracle::RandomMechanism written;
  PlaneMechanism mechanism;
  PlanarState state;
};

Model parsed(const std::string& file) {
  ReadModel read = parse_model(file, "random.toml");
  REQUIRE_MESSAGE(!any_error(read.problems), text(read.problems) << file);
  return std::move(read.model);
}

// Assembled, and with velocities that the joints allow.
PlanarState consistent(const PlaneMechanism& mechanism) {
  const Assembly assembly = assemble(mechanism);
  REQUIRE(assembly.assembled);
  CHECK(assembly.moved_metres < 1e-13);  // it is drawn assembled
  PlanarState state{0, assembly.q, mechanism.velocity};
  EquationsOfMotion at(mechanism.system, 2, Formulation::lagrange);
  REQUIRE(!at.set_time(0, 2));
  at.set_position(state.q);
  at.factor(false);
  at.set_velocity(state.v);
  for (int corrections = 0; corrections < 3; ++corrections) (void)at.project_velocity(state.v);
  CHECK(at.worst_residual(1) < 1e-12);
  return state;
}

Case made(oracle::RandomMechanism written) {
  auto built = build_plane(parsed(written.plane));
  REQUIRE_MESSAGE(built.ok(), text(built.problems()) << written.plane);
  PlaneMechanism mechanism = *std::move(built);
  PlanarState state = consistent(mechanism);
  return {std::move(written), std::move(mechanism), std::move(state)};
}

template <class F>
void each_mechanism(int of_each, int large, F&& f) {
  for (int seed = 0; seed < 3 * of_each; ++seed) {
    CAPTURE(seed);
    oracle::MechanismMaker maker(static_cast<std::uint64_t>(seed));
    f(made(seed % 3 == 0 ? maker.chain() : seed % 3 == 1 ? maker.tree() : maker.linkage()));
  }
  for (int seed = 0; seed < large; ++seed) {  // some seventy bodies and two hundred equations, where sparse factors take over
    CAPTURE(seed);
    oracle::MechanismMaker maker(static_cast<std::uint64_t>(seed));
    f(made(maker.linkage(20, 30)));
  }
}

// ---- the formulations of the plane -----------------------------------------------------------------------------------

constexpr int kOrder = 4;  // snap

struct Motion {
  std::vector<std::vector<double>> coefficients, multipliers;  // coefficients 2 … 4, multipliers 0 … 2
};

Motion expanded(const Case& c, Formulation formulation) {
  const PlanarSystem& system = c.mechanism.system;
  EquationsOfMotion at(system, kOrder, formulation);
  at.set_refined(true);  // S has the square of the condition of the other matrices
  REQUIRE(!at.set_time(0, kOrder));
  at.set_position(c.state.q);
  at.factor(true);
  REQUIRE(std::isfinite(at.smallest_pivot()));
  CHECK(at.dropped_count() == c.written.surplus);
  at.set_velocity(c.state.v);
  REQUIRE(!at.expand(kOrder));
  Motion out;
  for (int k = 2; k <= kOrder; ++k) {
    at.coefficient(k, out.coefficients.emplace_back(z(system.coordinates())));
    at.multipliers(k - 2, out.multipliers.emplace_back(z(system.equations())));
  }
  return out;
}

// Lengths, or angles times the length of the mechanism.
std::vector<double> even(const PlanarSystem& system, std::vector<double> q) {
  for (std::size_t i = 2; i < q.size(); i += 3) q[i] *= system.length_scale();
  return q;
}
// Newtons, or newton metres over the length of the mechanism; where they are shared, the shortest.
std::vector<double> even(const Indeterminacy& open, std::vector<double> lambda) {
  shorten(open, lambda);
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] *= open.unit[r];
  return lambda;
}

double allowed(const Case& c) {
  const PlanarSystem& system = c.mechanism.system;
  Evaluation at(system, 0);
  REQUIRE(!at.set_time(0));
  (void)at.set_position(c.state.q);
  const double condition = saddle_condition(system.pattern(), at.jacobian(), system.mass());
  CHECK(condition < 1e5);  // the mechanisms are well drawn
  return std::max(kSame, kRoundings * std::numeric_limits<double>::epsilon() * condition);
}

double size_of(const std::vector<double>& x) {
  double most = 0;
  for (const double a : x) most = std::isfinite(a) ? std::max(most, std::abs(a)) : 1e300;
  return most;
}
// The largest difference, over the largest number, or over `least` where that is more.
double apart(std::vector<double> a, const std::vector<double>& b, double least) {
  REQUIRE(a.size() == b.size());
  const double size = std::max({size_of(a), size_of(b), least});
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return size_of(a) / size;
}

// In a mechanism that is held still, forces add up to nothing but their rounding: a part of the accelerations that the reactions would
// give the lightest body counts as something.
double stillness(const PlanarSystem& system, const std::vector<double>& reactions) {
  double lightest = 1;
  for (std::size_t i = 0; i < system.mass().size(); i += 3) lightest = std::min(lightest, system.mass()[i]);
  return kCancelled * std::max(1.0, size_of(reactions)) / lightest;
}

// ---- the models of space ---------------------------------------------------------------------------------------------

using oracle::Pose;

struct Force {
  double x = 0, y = 0, moment = 0;
};

// The same state and what follows from it, in the coordinates of the joints of a model of space.
class InSpace {
 public:
  explicit InSpace(const Case& c) : case_(c), tree_(built_tree(c.written.space)) {
    set_poses();
    q_ = tree_.q, v_ = tree_.v, a_.assign(v_.size(), 0.0);
    for (const oracle::SpaceJoint& joint : c.written.joints) {
      if (joint.loop) continue;
      const auto found = std::ranges::find(tree_.joints, joint.name, &SpaceJoint::name);
      REQUIRE(found != tree_.joints.end());
      const oracle::JointState state = oracle::coordinates(joint, pose_[z(joint.i)], rates_[z(joint.i)], pose_[z(joint.j)], rates_[z(joint.j)]);
      REQUIRE(z(found->links.dofs) == state.q.size());
      std::ranges::copy(state.q, q_.begin() + found->links.q);
      std::ranges::copy(state.v, v_.begin() + found->links.v);
    }
  }

  void solve(Formulation formulation) {
    at_.emplace(tree_, formulation);
    std::ranges::fill(a_, 0.0);
    const std::vector<double> q = q_, v = v_;
    REQUIRE(!at_->prescribe(0, q_, v_, a_));
    CHECK(apart(q, q_, 1) < 1e-13);  // the drivers of the plane say the same
    CHECK(apart(v, v_, 1) < 1e-12);
    at_->evaluate_closures(q_, v_);
    CHECK(at_->closures().worst() < 1e-12);
    const auto fault = at_->solve(0, q_, v_, a_);
    REQUIRE_MESSAGE(!fault, fault->sentence);
    at_->move(q_, v_, a_);
  }

  /// x, y, phi of all centres of mass, in the order of the planar model.
  [[nodiscard]] std::vector<double> accelerations() const {
    std::vector<double> out;
    for (std::size_t b = 1; b < case_.mechanism.bodies.size(); ++b) {
      const auto body = std::ranges::find(tree_.bodies, case_.mechanism.bodies[b].name, &SpaceBody::name);
      const tree::LinkWork<double>& link = at_->motion_work().links[z(body->link)];
      const Vec3<double> arm = link.axes * (body->frame.axes * body->com);
      const Twist own = at_->body_acceleration(static_cast<int>(body - tree_.bodies.begin()));
      const Vec3<double> a = own.shift + cross(own.turn, arm) + cross(link.spin, cross(link.spin, arm));
      out.insert(out.end(), {a.x, a.y, own.turn.z});
    }
    return out;
  }

  /// What joint or loop n of the written ones does to its body j, about its place there.
  [[nodiscard]] Force reaction(std::size_t n) const {
    const oracle::SpaceJoint& joint = case_.written.joints[n];
    const auto same = [&](const auto& element) { return element.name == joint.name; };
    const tree::Wrench<double> w =
        joint.loop ? at_->loop_wrench(static_cast<int>(std::ranges::find_if(tree_.loops, same) - tree_.loops.begin()))
                   : at_->joint_wrench(static_cast<int>(std::ranges::find_if(tree_.joints, same) - tree_.joints.begin()));
    const Pose from = oracle::compose(pose_[z(joint.j)], joint.frame_j), to = place(n);
    return {w.force.x, w.force.y, w.moment.z - (to.x - from.x) * w.force.y + (to.y - from.y) * w.force.x};
  }

  /// The same of the model of the plane, from Φqᵀλ.
  [[nodiscard]] Force planar_reaction(std::size_t n, std::span<const double> lambda) const {
    const oracle::SpaceJoint& joint = case_.written.joints[n];
    const PlanarSystem& system = case_.mechanism.system;
    const Constraint& constraint = *std::ranges::find(system.constraints(), joint.name, &Constraint::name);
    Evaluation evaluation(system, 1);
    REQUIRE(!evaluation.set_time(0));
    (void)evaluation.set_position(case_.state.q);
    const std::span<const double> jacobian = evaluation.jacobian();
    const SparsePattern& pattern = system.pattern();
    const int first = 3 * (planar_number(joint.j) - 1);
    std::array<double, 3> sum{};
    for (int k = 0; k < 3; ++k)
      for (int e = pattern.start[z(first + k)]; e < pattern.start[z(first + k) + 1]; ++e)
        if (const int row = pattern.row[z(e)]; row >= constraint.first_row && row < constraint.first_row + constraint.rows)
          sum[z(k)] -= jacobian[z(e)] * lambda[z(row)];
    const Pose to = place(n);
    const double x = to.x - case_.state.q[z(first)], y = to.y - case_.state.q[z(first + 1)];
    return {sum[0], sum[1], sum[2] - x * sum[1] + y * sum[0]};
  }

  /// Without what motors, springs and gears do along the freedoms of a joint, which is part of its wrench in space.
  [[nodiscard]] Force held(std::size_t n, Force f) const {
    const oracle::SpaceJoint& joint = case_.written.joints[n];
    using oracle::Allows;
    if (joint.loop) return f;
    const Pose at = oracle::compose(pose_[z(joint.i)], joint.frame_i), to = place(n);
    const auto keep = [&](double x, double y) {
      const double size = (f.x * x + f.y * y) / (x * x + y * y);
      f.x = size * x, f.y = size * y;
    };
    if (joint.allows != Allows::slide && joint.allows != Allows::nothing && joint.allows != Allows::two_slides) f.moment = 0;
    if (joint.allows == Allows::slide || joint.allows == Allows::slide_and_turn) keep(-std::sin(at.phi), std::cos(at.phi));
    if (joint.allows == Allows::two_turns) keep(to.x - at.x, to.y - at.y);
    if (joint.allows == Allows::two_slides) f.x = f.y = 0;
    return f;
  }

 private:
  static SpaceMechanism built_tree(const std::string& file) {
    auto built = build_space(parsed(file));
    REQUIRE_MESSAGE(built.ok(), text(built.problems()) << file);
    return *std::move(built);
  }

  [[nodiscard]] int planar_number(int body) const {
    const auto& bodies = case_.mechanism.bodies;
    return static_cast<int>(std::ranges::find(bodies, "b" + std::to_string(body), &BodyData::name) - bodies.begin());
  }
  [[nodiscard]] Pose place(std::size_t n) const {
    const oracle::SpaceJoint& joint = case_.written.joints[n];
    return oracle::compose(pose_[z(joint.j)], joint.place_on_j());
  }

  // Of the bodies' own frames, by their numbers.
  void set_poses() {
    const std::size_t bodies = case_.mechanism.bodies.size();
    pose_.resize(bodies), rates_.resize(bodies);
    for (std::size_t n = 1; n < bodies; ++n) {
      const int b = planar_number(static_cast<int>(n));
      const Vec2<double> origin = case_.mechanism.bodies[z(b)].origin_com;
      const double* q = case_.state.q.data() + 3 * (b - 1);
      const double* v = case_.state.v.data() + 3 * (b - 1);
      const Pose com{q[0], q[1], q[2]};
      pose_[n] = oracle::compose(com, {origin.x, origin.y, 0});
      rates_[n] = oracle::rates_on(com, {v[0], v[1], v[2]}, pose_[n]);
    }
  }

  const Case& case_;
  SpaceMechanism tree_;
  std::optional<SpaceEquations> at_;
  std::vector<Pose> pose_, rates_;
  std::vector<double> q_, v_, a_;
};

}  // namespace

TEST_CASE("accelerations, jerks, snaps and reactions of random mechanisms, by every formulation") {
  // oracle: each other
  each_mechanism(kOfEach, kLarge, [](const Case& c) {
    CAPTURE(c.written.title);
    const PlanarSystem& system = c.mechanism.system;
    const Indeterminacy open = indeterminacy(system, 0, c.state.q);
    const double enough = allowed(c);
    const Motion first = expanded(c, kFormulations.front());
    const double still = stillness(system, even(open, first.multipliers.front()));
    for (std::size_t f = 1; f < kFormulations.size(); ++f) {
      CAPTURE(word(kFormulations[f]));
      const Motion other = expanded(c, kFormulations[f]);
      double moved = still, pulled = kNewton;  // the largest so far: an order inherits the errors of those before it
      for (std::size_t k = 0; k < other.coefficients.size(); ++k) {
        CAPTURE(k);
        const std::vector<double> a = even(system, first.coefficients[k]);
        CHECK(apart(a, even(system, other.coefficients[k]), moved) < enough);
        moved = std::max(moved, size_of(a));
        // rates of shared reactions are not rates of the shortest: they differ by more than what equations leave open
        if (k > 0 && c.written.surplus > 0) continue;
        const std::vector<double> lambda = even(open, first.multipliers[k]);
        CHECK(apart(lambda, even(open, other.multipliers[k]), pulled) < enough);
        pulled = std::max(pulled, size_of(lambda));
      }
    }
  });
}

TEST_CASE("random mechanisms of the plane as models of space, by every formulation there is") {
  // oracle: trees, loops and couplings of space, chosen by the test
  int compared = 0, closed = 0;
  each_mechanism(kOfEach, kLarge, [&](const Case& c) {
    CAPTURE(c.written.title);
    if (c.written.space.empty()) return;
    const Motion plane = expanded(c, Formulation::automatic);
    std::vector<double> acceleration = plane.coefficients.front();
    for (double& a : acceleration) a *= 2;
    const double enough = allowed(c);
    const double still = stillness(c.mechanism.system, even(indeterminacy(c.mechanism.system, 0, c.state.q), plane.multipliers.front()));
    InSpace space(c);
    ++compared, closed += c.written.title == "linkage";
    for (const Formulation formulation : kFormulations) {
      if (formulation == Formulation::kane) continue;  // only in the plane
      CAPTURE(word(formulation));
      space.solve(formulation);
      CHECK(apart(even(c.mechanism.system, acceleration), even(c.mechanism.system, space.accelerations()), still) < enough);
      if (c.written.surplus > 0) continue;  // the loads of shared joints are another matter
      std::vector<double> in_plane, in_space;
      for (std::size_t n = 0; n < c.written.joints.size(); ++n) {
        if (c.written.joints[n].allows == oracle::Allows::everything) continue;
        const Force p = space.planar_reaction(n, plane.multipliers.front()), s = space.held(n, space.reaction(n));
        in_plane.insert(in_plane.end(), {p.x, p.y, p.moment});
        in_space.insert(in_space.end(), {s.x, s.y, s.moment});
      }
      CHECK(apart(in_plane, in_space, kNewton) < enough);
    }
  });
  CHECK(compared > 2 * kOfEach);
  CHECK(closed > kOfEach / 2);
}

TEST_CASE("runs of random mechanisms end in the same place, by every formulation") {
  // oracle: each other
  each_mechanism(kRuns, 0, [](const Case& c) {
    CAPTURE(c.written.title);
    DynamicsOptions options{.to = 0.1, .steps = 1, .tolerance = 1e-11};
    options.formulation = kFormulations.front();
    const DynamicsRun first = dynamics(c.mechanism, options);
    REQUIRE_MESSAGE(first.outcome.done(), first.outcome.sentence);
    for (std::size_t f = 1; f < kFormulations.size(); ++f) {
      options.formulation = kFormulations[f];
      CAPTURE(word(options.formulation));
      const DynamicsRun other = dynamics(c.mechanism, options);
      REQUIRE_MESSAGE(other.outcome.done(), other.outcome.sentence);
      CHECK(other.statistics.formulation == word(options.formulation));
      CHECK(apart(first.q, other.q, 1) < kSameEnd);
      CHECK(apart(first.v, other.v, 1) < kSameEnd);
    }
  });
}

TEST_CASE("Kane's arrays of random mechanisms give the accelerations of all bodies") {
  // oracle: the equations of motion of free bodies with multipliers
  each_mechanism(kOfEach, kLarge, [](const Case& c) {
    CAPTURE(c.written.title);
    const PlanarSystem& system = c.mechanism.system;
    const Motion motion = expanded(c, Formulation::lagrange);
    std::vector<double> acceleration = motion.coefficients.front();
    for (double& a : acceleration) a *= 2;
    const double still = stillness(system, even(indeterminacy(system, 0, c.state.q), motion.multipliers.front()));
    const auto arrays = kane(c.mechanism, c.state);
    REQUIRE_MESSAGE(arrays.ok(), text(arrays.problems()));
    CHECK((arrays->closures.empty() || !c.written.open));
    CHECK(apart(even(system, acceleration), even(system, arrays->accelerations), still) < allowed(c));
  });
}

}  // namespace formulations_test
