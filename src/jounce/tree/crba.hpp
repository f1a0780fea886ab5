// The joint-space inertia H(q), by composite rigid bodies.
#pragma once

#include "jounce/tree/rnea.hpp"

namespace jounce::tree {
namespace detail {

/// Adds what a link carries to what its parent does, about the parent's origin.
template <class T>
[[gnu::always_inline]] inline void add_composite(const LinkWork<T>& at, double mass, LinkWork<T>& parent) {
  const Vec3<T> r{at.arm.x, at.arm.y, at.arm.z}, h{at.own_moment.x, at.own_moment.y, at.own_moment.z};
  const Vec3<T> g = plus_scaled(h, r, 0.5 * mass), g2 = g + g;
  const Sym3<T>& a = at.own_about();
  Sym3<T>& sum = parent.own_about();
  const T xx = r.x * g2.x, yy = r.y * g2.y, zz = r.z * g2.z;
  const T sum_xx = sum.xx + a.xx + (yy + zz), sum_yy = sum.yy + a.yy + (xx + zz), sum_zz = sum.zz + a.zz + (xx + yy);
  const T sum_xy = sum.xy + a.xy - r.x * g.y - r.y * g.x, sum_xz = sum.xz + a.xz - r.x * g.z - r.z * g.x,
          sum_yz = sum.yz + a.yz - r.y * g.z - r.z * g.y;
  const Vec3<T> moment = plus_scaled(parent.own_moment + h, r, mass);
  sum.xx = sum_xx, sum.yy = sum_yy, sum.zz = sum_zz, sum.xy = sum_xy, sum.xz = sum_xz, sum.yz = sum_yz;
  set(parent.own_moment, moment);
}

/// The momentum of what a link carries when it turns about, or goes along, `axis` with rate 1.
template <class T>
[[gnu::always_inline]] inline Wrench<T> turning_momentum(const LinkWork<T>& at, const Vec3<T>& axis) {
  return {at.own_about() * axis, cross(axis, at.own_moment)};
}
template <class T>
[[gnu::always_inline]] inline Wrench<T> sliding_momentum(const LinkWork<T>& at, const Vec3<T>& axis, double mass) {
  return {cross(at.own_moment, axis), axis * mass};
}

/// Calls f(k, momentum) for each dof k of the link.
template <class T, class F>
void each_momentum(const Link& link, const LinkWork<T>& at, double mass, F&& f) {
  const Mat3<T>& axes = at.axes;
  switch (link.motion) {
    case Motion::revolute: f(0, turning_momentum(at, axes.z)); break;
    case Motion::prismatic: f(0, sliding_momentum(at, axes.z, mass)); break;
    case Motion::screw: {
      const Wrench<T> a = turning_momentum(at, axes.z), b = sliding_momentum(at, axes.z, mass);
      f(0, Wrench<T>{a.moment * link.turn + b.moment * link.advance, a.force * link.turn + b.force * link.advance});
      break;
    }
    case Motion::free:
      f(3, sliding_momentum(at, axes.x, mass));
      f(4, sliding_momentum(at, axes.y, mass));
      f(5, sliding_momentum(at, axes.z, mass));
      [[fallthrough]];
    case Motion::ball:
      f(0, turning_momentum(at, axes.x));
      f(1, turning_momentum(at, axes.y));
      f(2, turning_momentum(at, axes.z));
      break;
    case Motion::fixed: break;
  }
}

/// The momentum that a dof of link i makes does on the dofs of all links below: row and column `row` of H.
template <class T>
[[gnu::always_inline]] inline void climb_down(const Link* links, const LinkWork<T>* at, int i, std::size_t n, std::size_t row,
                                              const Wrench<T>& momentum, T* h) {
  T* mine = h + row * n;
  T *column = h + row, x = momentum.moment.x, y = momentum.moment.y, w = momentum.moment.z;
  const T fx = momentum.force.x, fy = momentum.force.y, fz = momentum.force.z;
  for (int j = links[i].parent; j != kGround; i = j, j = links[j].parent) {
    const Vec3<T>& r = at[i].arm;
    const Link& below = links[j];
    x = x + r.y * fz - r.z * fy, y = y + r.z * fx - r.x * fz, w = w + r.x * fy - r.y * fx;
    if (below.motion == Motion::revolute) {
      const Vec3<T>& s = at[j].axes.z;
      const T entry = s.x * x + s.y * y + s.z * w;
      mine[below.v] = entry, column[z(below.v) * n] = entry;
    } else {
      project(below, at[j], Wrench<T>{{x, y, w}, {fx, fy, fz}}, mine);
      for (int c = below.v; c < below.v + dofs(below.motion); ++c) column[z(c) * n] = mine[c];
    }
  }
}

template <class T>
[[gnu::noinline]] void row_of_hinge(const Link* links, const LinkWork<T>* at, int i, std::size_t n, T* h) {
  const std::size_t row = z(links[i].v);
  const LinkWork<T>& own = at[i];
  const Vec3<T> s{own.axes.z.x, own.axes.z.y, own.axes.z.z};
  const Wrench<T> momentum = turning_momentum(own, s);
  h[row * n + row] = dot(s, momentum.moment);
  climb_down(links, at, i, n, row, momentum, h);
}
template <class T>
[[gnu::noinline]] void rows_of(const Link* links, const LinkWork<T>* at, int i, std::size_t n, double mass, T* h) {
  each_momentum(links[i], at[i], mass, [&](int k, const Wrench<T>& momentum) {
    const std::size_t row = z(links[i].v + k);
    project(links[i], at[i], momentum, h + row * n);
    climb_down(links, at, i, n, row, momentum, h);
  });
}

}  // namespace detail

/// H, dofs × dofs, both halves, row after row.
template <class T>
void crba(const Tree& tree, Workspace<T>& work, const T* q, T* h) {
  using namespace detail;
  const std::size_t n = z(tree.dofs());
  const int size = tree.size();
  const Link* links = tree.links().data();
  LinkWork<T>* at = work.links.data();
  double* mass = work.branch_mass.data();
  find_turns(tree, q, work);
  for (int i = 0; i < size; ++i) {
    const Link& link = links[i];
    mass[i] = link.inertia.mass;
    if (link.motion == Motion::revolute && link.parent != kGround)
      place_mass_of_hinge(link, at[link.parent], work, at[i]);
    else
      place_mass(link, parent_of(link, work), q, work, at[i]);
  }
  std::fill_n(h, n * n, T(0.0));
  for (int i = size - 1; i >= 0; --i) {
    const Link& link = links[i];
    if (link.motion == Motion::revolute)
      row_of_hinge(links, at, i, n, h);
    else
      rows_of(links, at, i, n, mass[i], h);
    if (link.parent == kGround) continue;
    add_composite(at[i], mass[i], at[link.parent]);
    mass[link.parent] += mass[i];
  }
}

}  // namespace jounce::tree
