// Oracles: differences of fourth order of what the engine computes with numbers, for every joint type at once.
#include "jounce/space/equations/derivatives.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "jounce/space/motion/space_ode.hpp"
#include "jounce/analysis/equilibrium/equilibrium.hpp"
#include "oracles/tree_maker.hpp"

namespace space_derivatives_test {

using namespace jounce;
using oracle::TreeMaker;

namespace {

// The step of the differences; their error is its fourth power times a fifth derivative, and rounding divided by it.
constexpr double kStep = 1e-3;
constexpr double kDifferences = 1e-8;

/// f'(0) of a vector function.
template <class F>
std::vector<double> slope(const F& f) {
  const auto a = f(2 * kStep), b = f(kStep), c = f(-kStep), d = f(-2 * kStep);
  std::vector<double> out(a.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (-a[i] + 8 * b[i] - 8 * c[i] + d[i]) / (12 * kStep);
  return out;
}

struct Chance {
  std::mt19937 random{7};
  double operator()(double from = -1, double to = 1) { return std::uniform_real_distribution<double>(from, to)(random); }
  Vec3<double> vector(double size = 1) { return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}; }
};

// One body of each type, all with springs, dampers and torques; two springs between bodies, and forces of all three kinds.
TreeMaker everything(Chance& chance) {
  TreeMaker maker({1, -2, -9.81});
  int before = 0;
  for (const tree::JointType& type : tree::joint_types()) {
    const Vec3<double> axis = chance.vector();
    tree::JointShape shape{.axis = axis * (1 / length(axis)), .pitch = 0.2};
    for (int k = 0; k < 2; ++k) shape.screws.push_back({chance(), chance(), chance(), chance(), chance(), chance()});
    const int on = before > 0 && chance() > 0.3 ? before - 1 : before;
    before = maker.add(std::string(type.type), type.type.data(), on, {from_rpy(chance.vector(2)), chance.vector(0.5)}, shape);
    maker.load(before, chance(0.5, 2), chance.vector(0.2), {0.1, 0.12, 0.15, 0.01, 0.02, -0.01});
  }
  SpaceMechanism& m = maker.mechanism;
  for (SpaceDof& dof : m.dofs) {
    dof.stiffness = chance(0, 5), dof.damping = chance(0, 1), dof.rest = chance(-0.5, 0.5);
    dof.torque = TimeFunction(chance());
  }
  m.dofs[2].torque.reset();
  m.dofs[2].motion = TimeFunction(0.4);
  const int last = static_cast<int>(m.bodies.size()) - 1;
  // a force of every type, twice: on the last body in ground axes, and on another one in its own
  for (const tree::ForceType& type : tree::force_types())
    for (const bool own : {false, true}) {
      SpaceForce force{"force", {}, type.blank};
      const auto fill = [&]<class Member>(const auto&, Member& member) {
        if constexpr (requires { member.body; }) member.body = last - (own ? 3 : 0);
        if constexpr (std::is_same_v<Member, tree::BodyPoint>) member.p = chance.vector(0.3);
        if constexpr (std::is_same_v<Member, tree::Axes>) member = own ? tree::Axes::body : tree::Axes::ground;
        if constexpr (requires { member[0].is_constant(); })
          for (laws::LoadFunction& component : member) component = TimeFunction(chance(-3, 3));
      };
      std::visit([&](auto& law) { tree::each_field(law, fill); }, force.law);
      if (auto* spring = std::get_if<tree::forces::Spring>(&force.law)) {
        spring->i = {own ? 2 : 0, chance.vector()};
        spring->stiffness = 8, spring->free_length = {0.3}, spring->damping = 0.7, spring->friction = 0.5, spring->friction_speed = 0.8;
        spring->settle();
      }
      if (auto* motor = std::get_if<tree::forces::Motor>(&force.law)) {
        const int on = motor->j.body;
        *motor = tree::forces::Motor::example();
        motor->i.body = own ? 2 : 0, motor->j.body = on;
      }
      if (auto* bushing = std::get_if<tree::forces::Bushing>(&force.law)) {
        const int on = bushing->j.body;
        *bushing = tree::forces::Bushing::example();
        bushing->i.body = own ? 2 : 0, bushing->j = {on, {from_rpy(chance.vector(0.5)), chance.vector(0.3)}};
      }
      m.forces.push_back(force);
    }
  for (double& x : m.q) x = chance();
  for (double& x : m.v) x = chance();
  return maker;
}

}  // namespace

TEST_CASE("derivatives of rates and accelerations are those of the equations as computed, for every joint type") {
  Chance chance;
  const TreeMaker maker = everything(chance);
  SpaceOde ode(maker.mechanism);
  const auto n = static_cast<std::size_t>(ode.size());
  std::vector<double> y(n), f(n), jacobian(n * n);
  for (double& x : y) x = chance(-1.2, 1.2);  // quaternions of any length
  REQUIRE(ode.rate(0.3, y, f));
  SpaceDerivatives derivatives(maker.mechanism);
  REQUIRE(!derivatives.of_rates(ode.equations(), {0.3, y, ode.q(), ode.v(), ode.a()}, jacobian));
  double largest = 0;
  for (const double x : jacobian) largest = std::max(largest, std::abs(x));
  for (std::size_t c = 0; c < n; ++c) {
    const auto wanted = slope([&](double h) {
      std::vector<double> at = y, out(n);
      at[c] += h;
      REQUIRE(ode.rate(0.3, at, out));
      return out;
    });
    for (std::size_t r = 0; r < n; ++r) CHECK(std::abs(jacobian[r * n + c] - wanted[r]) <= kDifferences * largest);
  }
}

TEST_CASE("derivatives of the forces at rest follow moves of the tree and rates") {
  Chance chance;
  TreeMaker maker = everything(chance);
  const SpaceMechanism& m = maker.mechanism;
  std::vector<double> q = m.q;
  REQUIRE(tree::normalise(m.tree, q));
  SpaceDerivatives derivatives(m);
  SpaceDerivatives::AtRest rest, other;
  REQUIRE(!derivatives.of_forces(0, q, rest));
  std::vector<int> passive;
  for (std::size_t k = 0; k < m.dofs.size(); ++k)
    if (!m.dofs[k].active()) passive.push_back(static_cast<int>(k));
  const std::size_t n = m.dofs.size(), count = passive.size();
  REQUIRE(rest.by_position.size() == n * count);
  for (std::size_t p = 0; p < count; ++p) {
    const auto along = slope([&](double h) {
      std::vector<double> at = q, way(n);
      way[static_cast<std::size_t>(passive[p])] = h;
      tree::move(m.tree, at, way);
      REQUIRE(!derivatives.of_forces(0, at, other));
      return other.force;
    });
    const auto faster = slope([&](double h) {
      SpaceLoads<double> loads(m);
      tree::Workspace<double> work(m.tree);
      std::vector<double> v(n), a(n), needed(n);
      std::vector<tree::LinkMotion<double>> links(static_cast<std::size_t>(m.tree.size()));
      std::vector<Vec3<double>> positions(links.size());
      v[static_cast<std::size_t>(passive[p])] = h;
      tree::motion<double>(m.tree, work, q.data(), v.data(), a.data(), links.data());
      SpaceLoader<double> loader(m, 0, q.data(), v.data(), work, links, loads);
      REQUIRE(!loader.load());
      tree::rnea<double>(m.tree, work, q.data(), v.data(), a.data(), needed.data(), loads.external.data(), positions.data());
      for (std::size_t k = 0; k < n; ++k) needed[k] = loads.tau[k] - needed[k];
      return needed;
    });
    for (std::size_t k = 0; k < n; ++k) {
      CHECK(std::abs(rest.by_position[k * count + p] - along[k]) <= 1e-7);
      CHECK(std::abs(rest.by_rate[k * count + p] - faster[k]) <= 1e-7);
    }
  }
}

TEST_CASE("with loops the derivatives keep them closed, and are exact for forces that depend on rates alone") {
  // At rest, without weight and with nothing but dampers, no acceleration and no multiplier is left: what is left out is zero.
  const oracle::GeneralFourBar numbers;
  TreeMaker maker = oracle::four_bar(numbers.ground, numbers.crank, numbers.coupler, numbers.rocker, "revolute", {});
  maker.mechanism.q = numbers.q;
  for (SpaceDof& dof : maker.mechanism.dofs) dof.damping = 3;
  SpaceOde ode(maker.mechanism);
  std::vector<double> y(6), f(6), jacobian(36), rates = numbers.v;
  ode.gather(maker.mechanism.q, std::vector<double>(3), y);
  REQUIRE(ode.rate(0, y, f));
  SpaceDerivatives derivatives(maker.mechanism);
  REQUIRE(!derivatives.of_rates(ode.equations(), {0, y, ode.q(), ode.v(), ode.a()}, jacobian));
  // along rates that the loop allows
  const auto wanted = slope([&](double h) {
    std::vector<double> at = y, out(6);
    for (std::size_t k = 0; k < 3; ++k) at[3 + k] += h * rates[k];
    REQUIRE(ode.rate(0, at, out));
    return out;
  });
  double worst = 0, closed = 0;
  for (std::size_t r = 0; r < 6; ++r) {
    double found = 0;
    for (std::size_t c = 0; c < 3; ++c) found += jacobian[r * 6 + 3 + c] * rates[c];
    worst = std::max(worst, std::abs(found - wanted[r]));
  }
  CHECK(worst <= 1e-7);
  const auto k = ode.equations().closures().jacobian();
  for (std::size_t row = 0; row < 5; ++row) {
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) sum += k[row * 3 + c] * jacobian[(3 + c) * 6 + 4];
    closed = std::max(closed, std::abs(sum));
  }
  CHECK(closed <= 1e-10);
}

TEST_CASE("with loops the derivatives are exact where the mechanism rests, reactions and all") {
  // Nothing accelerates there, so that K may change as it likes; a revolute loop resists in directions fixed in frame i.
  const oracle::GeneralFourBar numbers;
  TreeMaker maker = oracle::four_bar(numbers.ground, numbers.crank, numbers.coupler, numbers.rocker, "revolute");
  SpaceMechanism& m = maker.mechanism;
  m.q = numbers.q;
  m.dofs[0].stiffness = 20, m.dofs[2].stiffness = 4, m.dofs[2].damping = 0.5;
  const Equilibrium rest = equilibrium(m);
  REQUIRE(rest.outcome.done());
  SpaceOde ode(m);
  std::vector<double> y(6), f(6), jacobian(36);
  ode.gather(rest.q, std::vector<double>(3), y);
  REQUIRE(ode.rate(0, y, f));
  SpaceDerivatives derivatives(m);
  REQUIRE(!derivatives.of_rates(ode.equations(), {0, y, ode.q(), ode.v(), ode.a()}, jacobian));
  for (std::size_t c = 0; c < 6; ++c) {
    const auto wanted = slope([&](double h) {
      std::vector<double> at = y, out(6);
      at[c] += h;
      REQUIRE(ode.rate(0, at, out));
      return out;
    });
    for (std::size_t r = 0; r < 6; ++r) CHECK(std::abs(jacobian[r * 6 + c] - wanted[r]) <= 1e-6);
  }
}

}  // namespace space_derivatives_test
