// Every case of spatial.json: 40-digit numbers of an independent prototype.
#include <doctest/doctest.h>

#include <cmath>

#include "jounce/tree/recursions/momentum.hpp"
#include "oracles/spatial_vectors.hpp"

namespace vectors_test {

namespace {

using namespace jounce;
using namespace jounce::tree;
using oracle::flat;
using oracle::Json;
using oracle::SpatialCase;
using V = Vec3<double>;

constexpr double kSame = 1e-11;  // of the largest number of the field, or 1

void check(const SpatialCase& c, const char* field, const std::vector<double>& found) {
  const std::vector<double> expected = flat(c.out[field]);
  REQUIRE_MESSAGE(found.size() == expected.size(), c.name << " " << field);
  double scale = 1, worst = 0;
  for (const double x : expected) scale = std::max(scale, std::abs(x));
  for (std::size_t k = 0; k < found.size(); ++k) worst = std::max(worst, std::abs(found[k] - expected[k]));
  CHECK_MESSAGE(worst <= kSame * scale, c.name << " " << field << " differs by " << worst / scale);
}

void append(std::vector<double>& out, const V& a) { out.insert(out.end(), {a.x, a.y, a.z}); }

// In this engine a wrench on a body acts on its link.
std::vector<Wrench<double>> external_of(const SpatialCase& c) {
  std::vector<Wrench<double>> out(static_cast<std::size_t>(c.tree.size()));
  for (std::size_t b = 0; b < c.bodies.size(); ++b) {
    const auto& f = c.external[b];
    out[static_cast<std::size_t>(c.bodies[b].link)] = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
  }
  return out;
}

// The body's own axes and origin, from those of its link.
struct BodyState {
  Mat3<double> axes;
  V position, velocity, acceleration, spin, turn;
};
BodyState body_state(const SpatialCase& c, std::size_t b, const Workspace<double>& work, const std::vector<LinkMotion<double>>& links) {
  const auto i = static_cast<std::size_t>(c.bodies[b].link);
  const LinkWork<double>& at = work.links[i];
  const V arm = at.axes * c.bodies[b].frame.origin;
  return {at.axes * c.bodies[b].frame.axes,
          links[i].position + arm,
          links[i].velocity + cross(at.spin, arm),
          links[i].acceleration + cross(at.turn, arm) + cross(at.spin, cross(at.spin, arm)),
          at.spin,
          at.turn};
}

struct Solved {
  Workspace<double> work;
  std::vector<V> positions;
  std::vector<double> qdd;
};
Solved solve(const SpatialCase& c) {
  Solved s{Workspace<double>(c.tree), std::vector<V>(static_cast<std::size_t>(c.tree.size())), c.qdd_active};
  const auto external = external_of(c);
  REQUIRE(hybrid<double>(c.tree, s.work, c.q.data(), c.v.data(), c.tau.data(), c.active.data(), s.qdd.data(), external.data(),
                         s.positions.data()));
  return s;
}

std::vector<double> matrix_in_body(const ArticulatedInertia<double>& inertia, const V& arm, const Mat3<double>& axes) {
  // column by column: the wrench about the body's origin, in body axes, that a unit acceleration of the body makes
  std::vector<double> out(36);
  for (std::size_t k = 0; k < 6; ++k) {
    const V unit = k % 3 == 0 ? axes.x : k % 3 == 1 ? axes.y : axes.z;
    const V turn = k < 3 ? unit : V{}, shift = k < 3 ? V{} : unit;
    const Wrench<double> f = detail::times(inertia, turn, shift - cross(turn, arm));
    const V moment = in_axes(axes, f.moment - cross(arm, f.force)), force = in_axes(axes, f.force);
    const std::array<double, 6> column{moment.x, moment.y, moment.z, force.x, force.y, force.z};
    for (std::size_t r = 0; r < 6; ++r) out[r * 6 + k] = column[r];
  }
  return out;
}

}  // namespace

TEST_CASE("joint-space inertia and bias of the reference vectors") {
  for (const SpatialCase& c : oracle::spatial_cases()) {
    Workspace<double> work(c.tree);
    const auto n = static_cast<std::size_t>(c.tree.dofs());
    std::vector<double> h(n * n), bias(n), none(n);
    crba<double>(c.tree, work, c.q.data(), h.data());
    check(c, "H", h);
    const auto external = external_of(c);
    std::vector<V> positions(static_cast<std::size_t>(c.tree.size()));
    rnea<double>(c.tree, work, c.q.data(), c.v.data(), none.data(), bias.data(), external.data(), positions.data());
    check(c, "C", bias);
  }
}

TEST_CASE("hybrid dynamics of the reference vectors: accelerations and efforts") {
  for (const SpatialCase& c : oracle::spatial_cases()) {
    Solved s = solve(c);
    check(c, "qdd", s.qdd);
    std::vector<double> tau(s.qdd.size());
    efforts<double>(c.tree, s.work, tau.data());
    check(c, "tau_joint", tau);
    // the same efforts by the inverse road
    const auto external = external_of(c);
    rnea<double>(c.tree, s.work, c.q.data(), c.v.data(), s.qdd.data(), tau.data(), external.data(), s.positions.data());
    check(c, "tau_joint", tau);
  }
}

TEST_CASE("motion, wrenches and articulated inertia of the reference vectors") {
  for (const SpatialCase& c : oracle::spatial_cases()) {
    Solved s = solve(c);
    std::vector<Wrench<double>> wrenches;
    for (const auto& body : c.bodies) wrenches.push_back(joint_wrench(s.work, body.link));
    const Workspace<double> solved = s.work;
    std::vector<LinkMotion<double>> links(static_cast<std::size_t>(c.tree.size()));
    motion<double>(c.tree, s.work, c.q.data(), c.v.data(), s.qdd.data(), links.data());
    std::vector<double> v, a, f, pose;
    for (std::size_t b = 0; b < c.bodies.size(); ++b) {
      const BodyState body = body_state(c, b, s.work, links);
      append(v, in_axes(body.axes, body.spin));
      append(v, in_axes(body.axes, body.velocity));
      append(a, in_axes(body.axes, body.turn));
      append(a, in_axes(body.axes, body.acceleration - cross(body.spin, body.velocity)));  // the spatial acceleration
      const V arm = body.position - links[static_cast<std::size_t>(c.bodies[b].link)].position;
      append(f, in_axes(body.axes, wrenches[b].moment - cross(arm, wrenches[b].force)));
      append(f, in_axes(body.axes, wrenches[b].force));
      const Json& expected = c.out["pose"][b];
      const V p = oracle::vector_of(expected["p"]);
      CHECK(length(p - body.position) < kSame);
      for (std::size_t r = 0; r < 3; ++r) {
        const V row = oracle::vector_of(expected["R"][r]);
        const V mine = r == 0   ? V{body.axes.x.x, body.axes.y.x, body.axes.z.x}
                       : r == 1 ? V{body.axes.x.y, body.axes.y.y, body.axes.z.y}
                                : V{body.axes.x.z, body.axes.y.z, body.axes.z.z};
        CHECK(length(row - mine) < kSame);
      }
    }
    check(c, "v", v);
    check(c, "a", a);
    check(c, "f", f);

    const auto first = static_cast<std::size_t>(c.bodies[0].link);
    const BodyState base = body_state(c, 0, s.work, links);
    const V arm = base.position - links[first].position;
    check(c, "IA", matrix_in_body(solved.links[first].inertia, arm, base.axes));
    // f = IA (a + [0; −g]) + pA with spatial accelerations; ours are ordinary ones: the difference is known
    const Wrench<double>& bias = solved.links[first].bias;
    const V shift = cross(base.spin, base.velocity) - cross(base.spin, cross(base.spin, arm));
    const Wrench<double> moved = detail::times(solved.links[first].inertia, V{}, shift);
    const V force = bias.force + moved.force, moment = bias.moment + moved.moment - cross(arm, force);
    std::vector<double> pa;
    append(pa, in_axes(base.axes, moment));
    append(pa, in_axes(base.axes, force));
    check(c, "pA", pa);
  }
}

TEST_CASE("momentum, energy and centre of mass of the reference vectors") {
  for (const SpatialCase& c : oracle::spatial_cases()) {
    Workspace<double> work(c.tree);
    const std::vector<double> none(c.v.size());
    std::vector<LinkMotion<double>> links(static_cast<std::size_t>(c.tree.size()));
    motion<double>(c.tree, work, c.q.data(), c.v.data(), none.data(), links.data());
    const Totals<double> sum = totals<double>(c.tree, work, links.data());
    std::vector<double> origin, com, place, speed;
    append(origin, sum.momentum.moment);
    append(origin, sum.momentum.force);
    append(com, sum.momentum.moment - cross(sum.com, sum.momentum.force));
    append(com, sum.momentum.force);
    std::vector<double> about_com;
    append(about_com, angular_momentum_about<double>(sum.com, c.tree, work, links.data()));
    append(about_com, sum.momentum.force);
    check(c, "momentum_com", about_com);
    append(place, sum.com);
    append(speed, sum.momentum.force * (1 / sum.mass));
    check(c, "momentum_origin", origin);
    check(c, "momentum_com", com);
    check(c, "com", place);
    check(c, "com_velocity", speed);
    check(c, "kinetic", {sum.kinetic});
    check(c, "potential_gravity", {sum.weight});
  }
}

TEST_CASE("the two starts without momentum of the reference vectors") {
  for (const SpatialCase& c : oracle::spatial_cases()) {
    Workspace<double> work(c.tree);
    std::vector<std::uint8_t> kept(c.v.size(), 1);
    for (const Json& dof : c.out["zero_momentum_base_dofs"]) kept[dof.get<std::size_t>()] = 0;
    std::vector<double> v = c.v;
    REQUIRE(momentum_free<double>(c.tree, work, c.q.data(), kept.data(), v.data()));
    check(c, "zero_momentum_qd", v);
    v = c.v;
    REQUIRE(momentum_free<double>(c.tree, work, c.q.data(), c.active.data(), v.data()));
    check(c, "impulse_start_qd", v);
  }
}

}  // namespace vectors_test
