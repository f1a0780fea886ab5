#include "jounce/analysis/explain/kane_in_space.hpp"

#include <array>

#include "jounce/base/index.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/tree/algorithms.hpp"
#include "jounce/tree/recursions/along.hpp"

namespace jounce {
namespace {

using Line = Series<1>;
using Numbers = std::vector<double>;

constexpr double kNoPivotOfM = 1e-14;  // of the largest

Numbers three(const Vec3<double>& x) { return {x.x, x.y, x.z}; }
Vec3<double> vec(const Numbers& x) { return {x[0], x[1], x[2]}; }

void put(Matrix& m, int row, const Vec3<Line>& x, int order) {
  m.at(row, 0) = x.x[order], m.at(row, 1) = x.y[order], m.at(row, 2) = x.z[order];
}

Matrix in_ground(const Mat3<double>& axes, const Sym3<double>& own) {
  Matrix out(3, 3);
  const std::array<Vec3<double>, 3> units{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int c = 0; c < 3; ++c) {
    const Numbers column = three(axes * (own * in_axes(axes, units[z(c)])));
    for (int r = 0; r < 3; ++r) out.at(r, c) = column[z(r)];
  }
  return out;
}

Matrix scaled(Matrix m, double by) {
  for (double& x : m.value) x *= by;
  return m;
}
void add_to(Numbers& a, const Numbers& b, double sign = 1) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += sign * b[i];
}
// A Bᵀ, added.
void add_product(Matrix& sum, const Matrix& a, const Matrix& b) {
  for (int r = 0; r < a.rows; ++r)
    for (int c = 0; c < b.rows; ++c)
      for (int k = 0; k < a.columns; ++k) sum.at(r, c) += a.at(r, k) * b.at(c, k);
}

// Partial velocities of all bodies and, in A1 and A4, their rates: one sweep over the tree for each dof.
void find_partials(const SpaceMechanism& mechanism, const KaneState& state, std::vector<KaneBody>& bodies) {
  const tree::Tree& tree = mechanism.tree;
  const int n = tree.dofs();
  std::vector<Line> rate(z(n)), q(z(tree.coordinates())), unit(z(n)), still(z(n));
  for (int i = 0; i < n; ++i) rate[z(i)] = Line(state.v[z(i)]);
  tree::coordinates_along<Line>(tree, state.q, rate, q);
  tree::Workspace<Line> work(tree);
  std::vector<tree::LinkMotion<Line>> links(z(tree.size()));
  for (KaneBody& own : bodies) own.Wpd = own.Vpd = own.A1 = own.A4 = Matrix(n, 3);
  for (int i = 0; i < n; ++i) {
    unit[z(i)] = Line(1.0);
    tree::motion<Line>(tree, work, q.data(), unit.data(), still.data(), links.data());
    unit[z(i)] = Line(0.0);
    for (KaneBody& own : bodies) {
      const SpaceBody& body = mechanism.bodies[z(own.body)];
      const tree::LinkWork<Line>& at = work.links[z(body.link)];
      const Vec3<Line> speed = links[z(body.link)].velocity + cross(at.spin, at.axes * (body.frame * body.com));
      put(own.Wpd, i, at.spin, 0), put(own.A4, i, at.spin, 1);
      put(own.Vpd, i, speed, 0), put(own.A1, i, speed, 1);
    }
  }
}

}  // namespace

std::optional<KaneInSpace> kane_in_space(const SpaceMechanism& mechanism, std::span<const int> bodies, const KaneState& state) {
  const int n = mechanism.tree.dofs();
  KaneInSpace out;
  for (const int body : bodies) out.bodies.emplace_back().body = body;
  find_partials(mechanism, state, out.bodies);
  tree::Workspace<double> work(mechanism.tree);
  std::vector<tree::LinkMotion<double>> links(z(mechanism.tree.size()));
  const Numbers still(z(n)), qd(state.v.begin(), state.v.end());
  tree::motion<double>(mechanism.tree, work, state.q.data(), state.v.data(), still.data(), links.data());

  out.M = Matrix(n, n);
  out.f_ext.assign(state.tau.begin(), state.tau.end());
  Numbers bias(z(n));
  for (KaneBody& own : out.bodies) {
    const SpaceBody& body = mechanism.bodies[z(own.body)];
    const double mass = body.mass.value_or(0);
    const Mat3<double>& axes = work.links[z(body.link)].axes;
    const Vec3<double> centre = links[z(body.link)].position + axes * (body.frame * body.com);
    const tree::Wrench<double>& pushed = state.external[z(body.link)];
    own.centre = three(centre);
    own.I = in_ground(axes * body.frame.axes, body.inertia);
    own.A1 = scaled(own.A1, mass), own.A2 = scaled(own.Vpd, mass);
    own.A3 = times(own.Wpd, own.I), own.A4 = times(own.A4, own.I);
    own.omega = transposed_times(own.Wpd, qd);
    own.gyroscopic = three(cross(vec(own.omega), vec(times(own.I, own.omega))));
    own.F = three(pushed.force + mechanism.tree.gravity * mass);
    own.M_ext = three(pushed.moment - cross(centre, pushed.force));
    add_product(out.M, own.Vpd, own.A2), add_product(out.M, own.Wpd, own.A3);
    add_to(out.f_ext, times(own.Vpd, own.F)), add_to(out.f_ext, times(own.Wpd, own.M_ext));
    Numbers turned = transposed_times(own.A4, qd);
    add_to(turned, own.gyroscopic);
    add_to(bias, times(own.Vpd, transposed_times(own.A1, qd))), add_to(bias, times(own.Wpd, turned));
  }
  out.f = out.f_ext;
  add_to(out.f, bias, -1);

  std::vector<int> passive;
  out.qdd.assign(z(n), 0.0);
  for (int i = 0; i < n; ++i)
    if (state.active[z(i)] != 0) out.qdd[z(i)] = state.a[z(i)];
    else passive.push_back(i);
  const int p = static_cast<int>(passive.size());
  Matrix M(p, p);
  Numbers right;
  const Numbers known = times(out.M, out.qdd);
  for (int r = 0; r < p; ++r) {
    right.push_back(out.f[z(passive[z(r)])] - known[z(passive[z(r)])]);
    for (int c = 0; c < p; ++c) M.at(r, c) = out.M.at(passive[z(r)], passive[z(c)]);
  }
  if (p > 0) {
    const auto solved = solve_positive(M, right, kNoPivotOfM);
    if (!solved) return std::nullopt;
    for (int r = 0; r < p; ++r) out.qdd[z(passive[z(r)])] = (*solved)[z(r)];
  }
  for (KaneBody& own : out.bodies) {
    own.F_in = Numbers(3), own.M_in = Numbers(3);
    add_to(own.F_in, transposed_times(own.A1, qd), -1), add_to(own.F_in, transposed_times(own.A2, out.qdd), -1);
    add_to(own.M_in, transposed_times(own.A3, out.qdd), -1), add_to(own.M_in, transposed_times(own.A4, qd), -1);
    add_to(own.M_in, own.gyroscopic, -1);
  }
  return out;
}

}  // namespace jounce
