// What must hold for every tree, whatever its joints: checked on random ones.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "jounce/scalar/dual.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/tree/algorithms.hpp"
#include "random_tree.hpp"

namespace theorems_test {

namespace {

using namespace jounce;
using namespace jounce::tree;
using jounce_test::RandomTree;
using jounce_test::TreeMaker;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr int kTrees = 200;
// Double against double, by two roads. The largest condition number among these trees is about 1e4.
constexpr double kSame = 1e-10;

Vector mapped(const std::vector<double>& x) { return Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size())); }

double apart(const Vector& a, const Vector& b) {
  if (a.size() == 0) return 0;
  return (a - b).lpNorm<Eigen::Infinity>() / std::max(1.0, b.lpNorm<Eigen::Infinity>());
}

std::vector<double> rnea_of(const RandomTree& t, const std::vector<double>& v, const std::vector<double>& a) {
  Workspace<double> work(t.tree);
  std::vector<double> tau(v.size());
  rnea<double>(t.tree, work, t.q.data(), v.data(), a.data(), tau.data());
  return tau;
}

Matrix inertia_of(const RandomTree& t) {
  Workspace<double> work(t.tree);
  const auto n = static_cast<Eigen::Index>(t.v.size());
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> h(n, n);
  crba<double>(t.tree, work, t.q.data(), h.data());
  return h;
}

// Any number of directions at once: how the coordinates change with time.
template <int K>
std::vector<Series<K>> moving(const RandomTree& t) {
  std::vector<double> dq(t.q.size());
  rates(t.tree, t.q, t.v, dq);
  std::vector<Series<K>> q;
  for (std::size_t c = 0; c < dq.size(); ++c) q.push_back(Series<K>{t.q[c], dq[c]});
  return q;
}

}  // namespace

TEST_CASE("columns of crba are what rnea says of unit accelerations") {
  // oracle: the definition tau = H a + C
  TreeMaker maker(1);
  for (int i = 0; i < kTrees; ++i) {
    const RandomTree t = maker.any();
    const Matrix h = inertia_of(t);
    std::vector<double> none(t.v.size());
    const Vector rest = mapped(rnea_of(t, none, none));
    for (std::size_t k = 0; k < none.size(); ++k) {
      std::vector<double> unit = none;
      unit[k] = 1;
      CHECK(apart(h.col(static_cast<Eigen::Index>(k)), mapped(rnea_of(t, none, unit)) - rest) < kSame);
    }
  }
}

TEST_CASE("columns of crba of large trees, which are filled several at once") {
  // oracle: the definition, as above; chains of hinges, branches, and joints whose dofs are not in the order of their links
  TreeMaker maker(14);
  for (const auto& others : {std::vector<std::string>{}, {"free"}, {"planar", "spherical"}, {"universal", "prismatic", "helical"}}) {
    std::vector<std::string> types = others;
    for (int k = 0; k < 80; ++k) {
      types.emplace_back("revolute");
      if (k % 13 == 12) types.insert(types.end(), others.begin(), others.end());
    }
    for (const bool chain : {true, false}) {
      const RandomTree t = maker.tree(types, chain);
      const Matrix h = inertia_of(t);
      std::vector<double> none(t.v.size());
      const Vector rest = mapped(rnea_of(t, none, none));
      double worst = 0;
      for (std::size_t k = 0; k < none.size(); ++k) {
        std::vector<double> unit = none;
        unit[k] = 1;
        worst = std::max(worst, apart(h.col(static_cast<Eigen::Index>(k)), mapped(rnea_of(t, none, unit)) - rest));
      }
      CHECK(worst < kSame);
      CHECK((h - h.transpose()).lpNorm<Eigen::Infinity>() == 0);
    }
  }
}

TEST_CASE("aba is the inverse of rnea") {
  TreeMaker maker(2);
  for (int i = 0; i < kTrees; ++i) {
    const RandomTree t = maker.any();
    Workspace<double> work(t.tree);
    std::vector<double> a(t.v.size());
    REQUIRE(aba<double>(t.tree, work, t.q.data(), t.v.data(), t.tau.data(), a.data()));
    CHECK(apart(mapped(rnea_of(t, t.v, a)), mapped(t.tau)) < kSame);
  }
}

TEST_CASE("the kinetic energy is half of v H v") {
  // oracle: the sum over bodies
  TreeMaker maker(3);
  for (int i = 0; i < kTrees; ++i) {
    const RandomTree t = maker.any();
    Workspace<double> work(t.tree);
    std::vector<LinkMotion<double>> links(static_cast<std::size_t>(t.tree.size()));
    motion<double>(t.tree, work, t.q.data(), t.v.data(), t.a.data(), links.data());
    const Vector v = mapped(t.v);
    CHECK(totals<double>(t.tree, work, links.data()).kinetic == doctest::Approx(0.5 * v.dot(inertia_of(t) * v)).epsilon(kSame));
  }
}

TEST_CASE("hybrid dynamics satisfies the full equations") {
  // oracle: H_PP a_P = tau_P − C_P − H_PA a_A, and tau_A of rnea
  TreeMaker maker(4);
  for (int i = 0; i < kTrees; ++i) {
    const RandomTree t = maker.any();
    Workspace<double> work(t.tree);
    std::vector<double> a = t.a, tau(t.v.size());
    REQUIRE(hybrid<double>(t.tree, work, t.q.data(), t.v.data(), t.tau.data(), t.active.data(), a.data()));
    efforts<double>(t.tree, work, tau.data());
    const std::vector<double> needed = rnea_of(t, t.v, a);
    CHECK(apart(mapped(tau), mapped(needed)) < kSame);
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (t.active[k]) CHECK(a[k] == t.a[k]);
      else CHECK(needed[k] == doctest::Approx(t.tau[k]).epsilon(1e-9).scale(10));
    }
  }
}

TEST_CASE("the wrench through a joint is the same by hybrid dynamics and by rnea") {
  TreeMaker maker(5);
  for (int i = 0; i < 50; ++i) {
    const RandomTree t = maker.any();
    Workspace<double> forward(t.tree), backward(t.tree);
    std::vector<double> a = t.a, tau(t.v.size());
    REQUIRE(hybrid<double>(t.tree, forward, t.q.data(), t.v.data(), t.tau.data(), t.active.data(), a.data()));
    rnea<double>(t.tree, backward, t.q.data(), t.v.data(), a.data(), tau.data());
    for (int link = 0; link < t.tree.size(); ++link) {
      const Wrench<double> f = joint_wrench(forward, link), g = backward.links[static_cast<std::size_t>(link)].bias;
      const double size = 1 + length(g.force) + length(g.moment);
      CHECK(length(f.force - g.force) < 1e-9 * size);
      CHECK(length(f.moment - g.moment) < 1e-9 * size);
    }
  }
}

TEST_CASE("respond multiplies by the inverse of the inertia of the passive dofs") {
  // oracle: Eigen's factorisation of the block of crba
  TreeMaker maker(6);
  for (int i = 0; i < kTrees; ++i) {
    const RandomTree t = maker.any();
    Workspace<double> work(t.tree);
    std::vector<double> a = t.a, answer(t.v.size());
    REQUIRE(hybrid<double>(t.tree, work, t.q.data(), t.v.data(), t.tau.data(), t.active.data(), a.data()));
    respond<double>(t.tree, work, t.tau.data(), t.active.data(), answer.data());
    const Matrix h = inertia_of(t);
    std::vector<Eigen::Index> passive;
    for (std::size_t k = 0; k < t.active.size(); ++k) {
      if (t.active[k]) CHECK(answer[k] == 0);
      else passive.push_back(static_cast<Eigen::Index>(k));
    }
    const Vector expected = h(passive, passive).ldlt().solve(Vector(mapped(t.tau)(passive)));
    CHECK(apart(Vector(mapped(answer)(passive)), expected) < kSame);
  }
}

TEST_CASE("forward dynamics on dual numbers: accelerations change with an effort as the inverse inertia says") {
  // oracle: respond, on double
  TreeMaker maker(15);
  using D = Dual<1>;
  for (int i = 0; i < 20; ++i) {
    const RandomTree t = maker.any();
    const std::size_t n = t.v.size();
    Workspace<D> work(t.tree);
    Workspace<double> plain(t.tree);
    std::vector<double> a(n), unit(n), answer(n);
    REQUIRE(hybrid<double>(t.tree, plain, t.q.data(), t.v.data(), t.tau.data(), nullptr, a.data()));
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<D> q(t.q.begin(), t.q.end()), v(t.v.begin(), t.v.end()), tau(t.tau.begin(), t.tau.end()), found(n);
      tau[k].d[0] = 1;
      REQUIRE(hybrid<D>(t.tree, work, q.data(), v.data(), tau.data(), nullptr, found.data()));
      unit.assign(n, 0.0);
      unit[k] = 1;
      respond<double>(t.tree, plain, unit.data(), nullptr, answer.data());
      std::vector<double> derivative;
      for (const D& x : found) derivative.push_back(x.d[0]);
      CHECK(apart(mapped(derivative), mapped(answer)) < kSame);
    }
  }
}

TEST_CASE("power of the efforts is the rate of the energy") {
  // oracle: the derivative of kinetic and potential energy along the motion, by series
  TreeMaker maker(7);
  for (int i = 0; i < kTrees; ++i) {
    const RandomTree t = maker.any();
    using S = Series<1>;
    Workspace<S> work(t.tree);
    const std::vector<S> q = moving<1>(t);
    std::vector<S> v, none(t.v.size());
    for (std::size_t k = 0; k < t.v.size(); ++k) v.push_back(S{t.v[k], t.a[k]});
    std::vector<LinkMotion<S>> links(static_cast<std::size_t>(t.tree.size()));
    motion<S>(t.tree, work, q.data(), v.data(), none.data(), links.data());
    const Totals<S> sum = totals<S>(t.tree, work, links.data());
    const double rate = (sum.kinetic + sum.weight).derivative(1);
    const double power = mapped(rnea_of(t, t.v, t.a)).dot(mapped(t.v));
    CHECK(rate == doctest::Approx(power).epsilon(1e-9).scale(10));
  }
}

TEST_CASE("accelerations of the links are the derivatives of their positions") {
  // oracle: second derivatives of the positions alone, by series
  TreeMaker maker(8);
  for (int i = 0; i < kTrees; ++i) {
    const RandomTree t = maker.any();
    // q to second order: dq/dt depends on q where there are quaternions
    using S = Series<1>;
    Workspace<S> work(t.tree);
    std::vector<S> q = moving<1>(t), v, none(t.v.size());
    for (std::size_t k = 0; k < t.v.size(); ++k) v.push_back(S{t.v[k], t.a[k]});
    std::vector<LinkMotion<S>> links(static_cast<std::size_t>(t.tree.size()));
    motion<S>(t.tree, work, q.data(), v.data(), none.data(), links.data());
    Workspace<double> plain(t.tree);
    std::vector<LinkMotion<double>> found(links.size());
    motion<double>(t.tree, plain, t.q.data(), t.v.data(), t.a.data(), found.data());
    for (std::size_t l = 0; l < links.size(); ++l) {
      const auto rate = [](const Vec3<S>& a) { return Vec3<double>{a.x.derivative(1), a.y.derivative(1), a.z.derivative(1)}; };
      const double size = 1 + length(found[l].acceleration);
      CHECK(length(rate(links[l].position) - found[l].velocity) < kSame * size);
      CHECK(length(rate(links[l].velocity) - found[l].acceleration) < kSame * size);
      CHECK(length(rate(work.links[l].spin) - plain.links[l].turn) < kSame * size);
    }
  }
}

TEST_CASE("bias forces are those of Lagrange's equations") {
  // oracle: d/dt(∂T/∂v) − ∂T/∂q + ∂V/∂q at zero acceleration, by dual numbers of the energies alone
  TreeMaker maker(9);
  for (int i = 0; i < 60; ++i) {
    const RandomTree t = maker.any(true);
    using S = Series<1>;
    using D = Dual<1, S>;
    const std::size_t n = t.v.size();
    std::vector<double> none(n);
    const std::vector<double> bias = rnea_of(t, t.v, none);
    std::vector<std::size_t> coordinate(n);  // of a dof
    for (const Link& link : t.tree.links())
      if (dofs(link.motion) == 1) coordinate[static_cast<std::size_t>(link.v)] = static_cast<std::size_t>(link.q);
    for (std::size_t k = 0; k < n; ++k) {
      const auto energies = [&](bool along_rate) {
        std::vector<D> q, v, zero(n);
        for (std::size_t c = 0; c < t.q.size(); ++c) q.emplace_back(S{t.q[c], 0.0});
        for (std::size_t d = 0; d < n; ++d) {
          q[coordinate[d]].v[1] = t.v[d];
          v.emplace_back(S{t.v[d], 0.0});
        }
        (along_rate ? v[k] : q[coordinate[k]]).d[0] = S(1.0);
        Workspace<D> work(t.tree);
        std::vector<LinkMotion<D>> links(static_cast<std::size_t>(t.tree.size()));
        motion<D>(t.tree, work, q.data(), v.data(), zero.data(), links.data());
        return totals<D>(t.tree, work, links.data());
      };
      const Totals<D> by_rate = energies(true), by_place = energies(false);
      const double lagrange = by_rate.kinetic.d[0].derivative(1) - by_place.kinetic.d[0].value() + by_place.weight.d[0].value();
      CHECK(bias[k] == doctest::Approx(lagrange).epsilon(1e-9).scale(10));
    }
  }
}

TEST_CASE("the null space of all joint constraints together: Z = D⁻¹ S and Zᵀ I Z = H") {
  // oracle: the block matrices of maximal coordinates, written out for links in ground axes about the ground's origin
  TreeMaker maker(10);
  for (int i = 0; i < 60; ++i) {
    const RandomTree t = maker.any();
    Workspace<double> work(t.tree);
    std::vector<LinkMotion<double>> links(static_cast<std::size_t>(t.tree.size()));
    const std::vector<double> none(t.v.size());
    motion<double>(t.tree, work, t.q.data(), none.data(), none.data(), links.data());
    const Eigen::Index size = 6 * t.tree.size(), n = t.tree.dofs();
    Matrix d = Matrix::Identity(size, size), s = Matrix::Zero(size, n), inertia = Matrix::Zero(size, size);
    const auto put = [](const Vec3<double>& a) { return Eigen::Vector3d(a.x, a.y, a.z); };
    for (int l = 0; l < t.tree.size(); ++l) {
      const Link& link = t.tree.link(l);
      const LinkWork<double>& at = work.links[static_cast<std::size_t>(l)];
      const Vec3<double> p = links[static_cast<std::size_t>(l)].position;
      if (link.parent != kGround) d.block<6, 6>(6 * l, 6 * link.parent) = -Eigen::Matrix<double, 6, 6>::Identity();
      for (int k = 0; k < dofs(link.motion); ++k) {
        Vec3<double> turn{}, shift{};
        detail::add_along(link, at, k, 1.0, turn, shift);
        s.block<3, 1>(6 * l, link.v + k) = put(turn);
        s.block<3, 1>(6 * l + 3, link.v + k) = put(shift + cross(p, turn));  // of the point at the ground's origin
      }
      const RigidInertia own = carried(Frame<double>{at.axes, p}, link.inertia);
      const Sym3<double>& j = own.about;
      const Vec3<double>& h = own.moment;
      Eigen::Matrix<double, 6, 6> block;
      block << j.xx, j.xy, j.xz, 0, -h.z, h.y, j.xy, j.yy, j.yz, h.z, 0, -h.x, j.xz, j.yz, j.zz, -h.y, h.x, 0,  //
          0, h.z, -h.y, own.mass, 0, 0, -h.z, 0, h.x, 0, own.mass, 0, h.y, -h.x, 0, 0, 0, own.mass;
      inertia.block<6, 6>(6 * l, 6 * l) = block;
    }
    const Matrix z = d.partialPivLu().solve(s), h = inertia_of(t);
    const double scale = std::max(1.0, h.lpNorm<Eigen::Infinity>());
    CHECK((z.transpose() * inertia * z - h).lpNorm<Eigen::Infinity>() < kSame * scale);
  }
}

TEST_CASE("rates that are free of momentum have none") {
  // oracle: H v, row by row; and the total momentum where the base is free
  TreeMaker maker(11);
  for (int i = 0; i < kTrees; ++i) {
    const RandomTree t = maker.any();
    Workspace<double> work(t.tree);
    std::vector<double> v = t.v;
    REQUIRE(momentum_free<double>(t.tree, work, t.q.data(), t.active.data(), v.data()));
    const Vector momentum = inertia_of(t) * mapped(v);
    for (std::size_t k = 0; k < v.size(); ++k) {
      if (t.active[k]) CHECK(v[k] == t.v[k]);
      else CHECK(std::abs(momentum[static_cast<Eigen::Index>(k)]) < 1e-9 * (1 + momentum.lpNorm<Eigen::Infinity>()));
    }
  }
  for (int i = 0; i < 20; ++i) {
    const RandomTree t = maker.tree({"free", "revolute", "universal", "spherical"}, true);
    Workspace<double> work(t.tree);
    std::vector<std::uint8_t> kept(t.v.size(), 1);
    for (std::size_t k = 0; k < 6; ++k) kept[k] = 0;
    std::vector<double> v = t.v;
    REQUIRE(momentum_free<double>(t.tree, work, t.q.data(), kept.data(), v.data()));
    std::vector<LinkMotion<double>> links(static_cast<std::size_t>(t.tree.size()));
    motion<double>(t.tree, work, t.q.data(), v.data(), t.a.data(), links.data());
    const Totals<double> sum = totals<double>(t.tree, work, links.data());
    CHECK(length(sum.momentum.force) < 1e-11);
    CHECK(length(sum.momentum.moment) < 1e-11);
  }
}

TEST_CASE("far from the ground's origin nothing is lost") {
  // oracle: the same tree near the origin; a thousand kilometres cost as many digits as its coordinates have before the point
  TreeMaker maker(12);
  RandomTree t = maker.tree({"free", "revolute", "revolute", "universal"}, true);
  Workspace<double> work(t.tree);
  std::vector<double> here(t.v.size()), there(t.v.size());
  REQUIRE(aba<double>(t.tree, work, t.q.data(), t.v.data(), t.tau.data(), here.data()));
  t.q[4] += 1e6, t.q[5] -= 1e6, t.q[6] += 1e6;
  REQUIRE(aba<double>(t.tree, work, t.q.data(), t.v.data(), t.tau.data(), there.data()));
  CHECK(apart(mapped(there), mapped(here)) < 1e-13);
}

TEST_CASE("moving by a difference arrives") {
  TreeMaker maker(13);
  for (int i = 0; i < kTrees; ++i) {
    const RandomTree t = maker.any();
    std::vector<double> to = t.q, way(t.v.size()), found = t.q;
    for (double& x : to) x += maker.number(-0.8, 0.8);
    normalise(t.tree, to);
    difference(t.tree, t.q, to, way);
    move(t.tree, found, way);
    for (const Link& link : t.tree.links()) {
      const bool turns = link.motion == Motion::ball || link.motion == Motion::free;
      const auto c = static_cast<std::size_t>(link.q);
      double sign = 1;  // e and −e are one rotation
      if (turns && found[c] * to[c] + found[c + 1] * to[c + 1] + found[c + 2] * to[c + 2] + found[c + 3] * to[c + 3] < 0) sign = -1;
      for (int k = 0; k < coordinates(link.motion); ++k)
        CHECK(found[c + static_cast<std::size_t>(k)] == doctest::Approx((turns && k < 4 ? sign : 1) * to[c + static_cast<std::size_t>(k)]).epsilon(1e-12));
    }
  }
}

TEST_CASE("a dof that moves no inertia is named") {
  Tree tree;
  const Attached first = attach(tree, kGround, {}, std::vector<Step>{turning({0, 0, 1}, 0)});
  tree.load(first.last, first.successor, rigid_inertia(1, {0.3, 0, 0}, {}));
  const Attached second = attach(tree, first.last, {}, std::vector<Step>{turning({0, 0, 1}, 0), sliding({1, 0, 0}, 1)});
  Workspace<double> work(tree);
  const std::vector<double> q(3), v(3), tau(3);
  std::vector<double> a(3);
  CHECK_FALSE(aba<double>(tree, work, q.data(), v.data(), tau.data(), a.data()));
  CHECK(unmoved<double>(tree, work) == second.v + 1);
}

}  // namespace theorems_test
