#include "jounce/tree/linkage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "jounce/base/index.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/math/small_matrices.hpp"

namespace jounce::tree {
namespace {

using Vec = Vec3<double>;
using Numbers = std::vector<double>;

// What is left of a pivot of D, as a part of the largest, is rounding below this.
constexpr double kNoPivotOfD = 1e-14;
// Directions of a joint that are nearer to each other than this are one.
constexpr double kOneDirection = 1e-10;

Numbers six(const Vec& angular, const Vec& linear) { return {angular.x, angular.y, angular.z, linear.x, linear.y, linear.z}; }
Vec angular(std::span<const double> x) { return {x[0], x[1], x[2]}; }
Vec linear(std::span<const double> x) { return {x[3], x[4], x[5]}; }

Numbers operator+(Numbers a, std::span<const double> b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}
Numbers operator-(Numbers a, std::span<const double> b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}
void add_to(Matrix& a, const Matrix& b) {
  for (std::size_t i = 0; i < a.value.size(); ++i) a.value[i] += b.value[i];
}

// Motions from one frame to another, both seen from the ground: [E 0; −E r× E].
Matrix transform(const Frame<double>& from, const Frame<double>& to) {
  Matrix out(6, 6);
  const std::array<Vec, 3> axes{from.axes.x, from.axes.y, from.axes.z};
  for (int k = 0; k < 3; ++k) {
    const Vec turned = in_axes(to.axes, axes[z(k)]), moved = in_axes(to.axes, cross(axes[z(k)], to.origin - from.origin));
    const Numbers turn = six(turned, moved), shift = six({}, turned);
    for (int r = 0; r < 6; ++r) out.at(r, k) = turn[z(r)], out.at(r, k + 3) = shift[z(r)];
  }
  return out;
}

Matrix six_by_six(const RigidInertia& of) {
  Matrix out(6, 6);
  const auto put = [&](int row, int column, const Mat3<double>& block) {
    const std::array<Vec, 3> all{block.x, block.y, block.z};
    for (int c = 0; c < 3; ++c) out.at(row, column + c) = all[z(c)].x, out.at(row + 1, column + c) = all[z(c)].y, out.at(row + 2, column + c) = all[z(c)].z;
  };
  const Sym3<double>& a = of.about;
  put(0, 0, {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}});
  put(0, 3, skew(of.moment));
  put(3, 0, transpose(skew(of.moment)));
  put(3, 3, {{of.mass, 0, 0}, {0, of.mass, 0}, {0, 0, of.mass}});
  return out;
}

// v ×* f
Numbers cross_force(std::span<const double> v, std::span<const double> f) {
  return six(cross(angular(v), angular(f)) + cross(linear(v), linear(f)), cross(angular(v), linear(f)));
}

std::vector<Six> columns_of(const Matrix& S) {
  std::vector<Six> out(z(S.columns));
  for (int k = 0; k < S.columns; ++k) std::ranges::copy(S.column(k), out[z(k)].begin());
  return out;
}

// T: what a joint with these directions resists, Tᵀ S = 0. Nothing where some of them are one.
Matrix resisted(const Matrix& S) {
  Matrix T(6, 6 - S.columns);
  const std::vector<Six> directions = columns_of(S);
  const auto basis = directions.empty() ? std::nullopt : six_basis(directions, kOneDirection);
  if (!directions.empty() && !basis) return {6, 0};
  for (int k = 0; k < T.columns; ++k)
    for (int r = 0; r < 6; ++r) T.at(r, k) = basis ? basis->across[z(k)][z(r)] : r == k ? 1.0 : 0.0;
  return T;
}

// Of dof k of a link, about a point in ground axes.
Numbers direction(const Link& link, const Mat3<double>& axes, int k, const Vec& arm) {
  LinkWork<double> at{};
  at.axes = axes;
  Vec turn{}, shift{};
  detail::add_along(link, at, k, 1.0, turn, shift);
  return six(turn, shift + cross(turn, arm));
}

}  // namespace

Numbers in_frame(const Frame<double>& frame, const Wrench<double>& wrench) {
  return six(in_axes(frame.axes, wrench.moment - cross(frame.origin, wrench.force)), in_axes(frame.axes, wrench.force));
}

Linkage linkage(const Tree& tree, std::span<const LinkagePart> parts, const LinkageState& state) {
  Workspace<double> work(tree);
  std::vector<LinkMotion<double>> links(z(tree.size()));
  const Numbers still(z(tree.dofs()));
  motion<double>(tree, work, state.q.data(), state.v.data(), still.data(), links.data());
  Linkage out{.a0 = six({}, -tree.gravity), .bodies = {}, .dofs = tree.dofs()};
  std::vector<Numbers> when_still;  // spatial accelerations with q̈ = 0
  for (const LinkagePart& part : parts) {
    LinkageBody& body = out.bodies.emplace_back();
    const LinkWork<double>& at = work.links[z(part.last)];
    const LinkMotion<double>& own = links[z(part.last)];
    const Vec arm = at.axes * part.frame.origin;
    body.parent = part.parent;
    body.frame = {at.axes * part.frame.axes, own.position + arm};
    body.X = transform(part.parent == kGround ? Frame<double>{} : out.bodies[z(part.parent)].frame, body.frame);
    const Vec velocity = own.velocity + cross(at.spin, arm);
    const Vec acceleration = own.acceleration + cross(at.turn, arm) + cross(at.spin, cross(at.spin, arm)) - cross(at.spin, velocity);
    const auto in_own = [&](const Vec& a, const Vec& b) { return six(in_axes(body.frame.axes, a), in_axes(body.frame.axes, b)); };
    body.v = in_own(at.spin, velocity);
    when_still.push_back(in_own(at.turn, acceleration));
    body.c = part.parent == kGround ? when_still.back() : when_still.back() - times(body.X, when_still[z(part.parent)]);
    body.c_prime = body.c;
    int count = 0;
    for (int i = part.first; i <= part.last; ++i) count += tree::dofs(tree.link(i).motion);
    body.S = Matrix(6, count);
    body.dof.resize(z(count)), body.prescribed.resize(z(count)), body.effort.resize(z(count));
    int lowest = tree.dofs();
    for (int i = part.first; i <= part.last; ++i)
      if (tree::dofs(tree.link(i).motion) > 0) lowest = std::min(lowest, tree.link(i).v);
    for (int i = part.first; i <= part.last; ++i)
      for (int k = 0; k < tree::dofs(tree.link(i).motion); ++k) {
        const Link& link = tree.link(i);
        const Numbers s = direction(link, work.links[z(i)].axes, k, body.frame.origin - links[z(i)].position);
        const Numbers seen = in_own(angular(s), linear(s));
        const int dof = link.v + k, column = dof - lowest;
        for (int r = 0; r < 6; ++r) body.S.at(r, column) = seen[z(r)];
        body.dof[z(column)] = dof;
        body.prescribed[z(column)] = state.active[z(dof)] != 0;
        body.effort[z(column)] = state.effort[z(dof)];
        for (int r = 0; r < 6 && state.active[z(dof)] != 0; ++r) body.c_prime[z(r)] += seen[z(r)] * state.a[z(dof)];
      }
    body.I = six_by_six(carried(inverse(part.frame), tree.link(part.last).inertia));
    body.p = cross_force(body.v, times(body.I, body.v)) - in_frame(body.frame, state.external[z(part.last)]);
  }
  return out;
}

Matrix columns(const LinkageBody& body, bool prescribed) {
  Matrix out(6, static_cast<int>(std::ranges::count(body.prescribed, prescribed)));
  int column = 0;
  for (int k = 0; k < body.S.columns; ++k) {
    if (body.prescribed[z(k)] != prescribed) continue;
    for (int r = 0; r < 6; ++r) out.at(r, column) = body.S.at(r, k);
    ++column;
  }
  return out;
}

// ---- articulated bodies --------------------------------------------------------------------------------------------------

Articulated articulated_bodies(const Linkage& linkage) {
  Articulated out{.bodies = std::vector<ArticulatedBody>(linkage.bodies.size()), .qdd = Numbers(z(linkage.dofs)), .tau = Numbers(z(linkage.dofs))};
  for (std::size_t j = 0; j < linkage.bodies.size(); ++j) out.bodies[j].IA = linkage.bodies[j].I, out.bodies[j].pA = linkage.bodies[j].p;
  for (int j = static_cast<int>(linkage.bodies.size()) - 1; j >= 0; --j) {
    const LinkageBody& body = linkage.bodies[z(j)];
    ArticulatedBody& own = out.bodies[z(j)];
    own.S_P = columns(body, false);
    own.U = times(own.IA, own.S_P);
    own.D = transposed_times(own.S_P, own.U);
    Numbers given;
    for (std::size_t k = 0; k < body.effort.size(); ++k)
      if (!body.prescribed[k]) given.push_back(body.effort[k]);
    own.u = given - transposed_times(own.S_P, own.pA);
    own.Ia = own.IA;
    for (int r = 0; r < 6 && own.D.columns > 0; ++r) {  // I^a = I^A − U D⁻¹ Uᵀ, row by row
      Numbers row;
      for (int k = 0; k < own.U.columns; ++k) row.push_back(own.U.at(r, k));
      const auto solved = solve_positive(own.D, row, kNoPivotOfD);
      if (!solved) return out.undecided = j, out;
      const Numbers less = times(own.U, *solved);
      for (int c = 0; c < 6; ++c) own.Ia.at(r, c) -= less[z(c)];
    }
    own.pa = own.pA + times(own.Ia, body.c_prime);
    if (own.D.columns > 0) own.pa = own.pa + times(own.U, *solve_positive(own.D, own.u, kNoPivotOfD));
    if (body.parent == kGround) continue;
    ArticulatedBody& parent = out.bodies[z(body.parent)];
    add_to(parent.IA, congruent(own.Ia, body.X));
    parent.pA = parent.pA + transposed_times(body.X, own.pa);
  }
  for (std::size_t j = 0; j < linkage.bodies.size(); ++j) {
    const LinkageBody& body = linkage.bodies[j];
    ArticulatedBody& own = out.bodies[j];
    own.a_prime = times(body.X, body.parent == kGround ? linkage.a0 : out.bodies[z(body.parent)].a) + body.c_prime;
    own.a = own.a_prime;
    if (own.D.columns > 0) {
      own.qdd_P = *solve_positive(own.D, own.u - transposed_times(own.U, own.a_prime), kNoPivotOfD);
      own.a = own.a + times(own.S_P, own.qdd_P);
    }
    own.f = times(own.IA, own.a) + own.pA;
    const Numbers tau = transposed_times(body.S, own.f);
    for (std::size_t k = 0, passive = 0; k < tau.size(); ++k) {
      out.tau[z(body.dof[k])] = tau[k];
      if (!body.prescribed[k]) out.qdd[z(body.dof[k])] = own.qdd_P[passive++];
    }
  }
  return out;
}

// ---- composite bodies ----------------------------------------------------------------------------------------------------

CompositeBodies composite_bodies(const Linkage& linkage) {
  CompositeBodies out{.Ic = {}, .F = {}, .H = Matrix(linkage.dofs, linkage.dofs), .C = Numbers(z(linkage.dofs))};
  std::vector<Numbers> a, f;  // with q̈ = 0, and what the bodies need for it: the bias by Newton and Euler
  for (const LinkageBody& body : linkage.bodies) {
    out.Ic.push_back(body.I);
    Numbers own = times(body.X, body.parent == kGround ? linkage.a0 : a[z(body.parent)]) + body.c;
    a.push_back(own);
    f.push_back(times(body.I, own) + body.p);
  }
  out.F.resize(linkage.bodies.size());
  for (int j = static_cast<int>(linkage.bodies.size()) - 1; j >= 0; --j) {
    const LinkageBody& body = linkage.bodies[z(j)];
    out.F[z(j)] = times(out.Ic[z(j)], body.S);
    const Numbers bias = transposed_times(body.S, f[z(j)]);
    for (std::size_t k = 0; k < bias.size(); ++k) out.C[z(body.dof[k])] = bias[k];
    Matrix carried_down = out.F[z(j)];
    for (int i = j; i != kGround; i = linkage.bodies[z(i)].parent) {
      const LinkageBody& below = linkage.bodies[z(i)];
      const Matrix block = transposed_times(carried_down, below.S);
      for (int r = 0; r < block.rows; ++r)
        for (int c = 0; c < block.columns; ++c) {
          out.H.at(body.dof[z(r)], below.dof[z(c)]) = block.at(r, c);
          out.H.at(below.dof[z(c)], body.dof[z(r)]) = block.at(r, c);
        }
      if (below.parent != kGround) carried_down = transposed_times(below.X, carried_down);
    }
    if (body.parent == kGround) continue;
    add_to(out.Ic[z(body.parent)], congruent(out.Ic[z(j)], body.X));
    f[z(body.parent)] = f[z(body.parent)] + transposed_times(body.X, f[z(j)]);
  }
  return out;
}

// ---- null space ----------------------------------------------------------------------------------------------------------

NullSpaceOfTree null_space_of_tree(const Linkage& linkage) {
  NullSpaceOfTree out{.Z = {}, .T = {}, .H = Matrix(linkage.dofs, linkage.dofs), .C = Numbers(z(linkage.dofs)), .GZ = 0};
  std::vector<Numbers> known;  // D⁻¹ c
  for (const LinkageBody& body : linkage.bodies) {
    Matrix rigid(6, linkage.dofs);  // what the dofs below do, the joint being stiff
    if (body.parent != kGround) rigid = times(body.X, out.Z[z(body.parent)]);
    Matrix own = rigid;
    for (int k = 0; k < body.S.columns; ++k)
      for (int r = 0; r < 6; ++r) own.at(r, body.dof[z(k)]) += body.S.at(r, k);
    Matrix T = resisted(body.S);
    // G Z = Tᵀ (Z_j − X Z_λ)
    Matrix apart = own;
    for (std::size_t i = 0; i < apart.value.size(); ++i) apart.value[i] -= rigid.value[i];
    out.GZ = std::max(out.GZ, largest(transposed_times(T, apart).value));
    out.T.push_back(std::move(T));
    out.Z.push_back(std::move(own));
    known.push_back(times(body.X, body.parent == kGround ? linkage.a0 : known[z(body.parent)]) + body.c);
    add_to(out.H, congruent(body.I, out.Z.back()));
    out.C = out.C + transposed_times(out.Z.back(), body.p + times(body.I, known.back()));
  }
  return out;
}

// ---- one constrained body ------------------------------------------------------------------------------------------------

ConstrainedBody constrained_body(const Linkage& linkage, std::span<const double> rates, std::span<const double> tau,
                                 std::span<const double> external) {
  const LinkageBody& body = linkage.bodies.front();
  ConstrainedBody out;
  const std::vector<Six> directions = columns_of(body.S);
  out.S.assign(directions.begin(), directions.end());
  out.qd.assign(rates.begin(), rates.end());
  std::ranges::copy(body.c, out.Sdot_qd.begin());
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) out.inertia[z(r)][z(c)] = body.I.at(r, c);
  const Numbers lifted = times(body.I, times(body.X, linkage.a0));  // the weight, upwards
  const auto basis = directions.empty() ? std::nullopt : six_basis(directions, kOneDirection);
  for (std::size_t r = 0; r < 6; ++r) {
    out.p[r] = body.p[r] + external[r] + lifted[r];
    out.f[r] = external[r];
    for (std::size_t k = 0; k < tau.size() && basis; ++k) out.f[r] += basis->dual[k][r] * tau[k];
  }
  return out;
}

}  // namespace jounce::tree
