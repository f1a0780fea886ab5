// The joint-space inertia H(q), by composite rigid bodies.
#pragma once

#include <array>

#include "jounce/tree/recursions/rnea.hpp"

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

/// The momentum that a dof of link i makes, on the dofs of all links below: row and column `row` of H.
template <class T>
[[gnu::always_inline]] inline void climb_down(const Rung<T>* rungs, const Link* links, const LinkWork<T>* at, int i, std::size_t n,
                                              std::size_t row, const Wrench<T>& momentum, T* h) {
  T* mine = h + row * n;
  T *column = h + row, x = momentum.moment.x, y = momentum.moment.y, w = momentum.moment.z;
  const T fx = momentum.force.x, fy = momentum.force.y, fz = momentum.force.z;
  for (int j = rungs[i].parent; j != kGround; i = j, j = rungs[j].parent) {
    const Vec3<T>& r = rungs[i].arm;
    const Rung<T>& below = rungs[j];
    // in brackets, so that only one sum waits for the link before
    x = x + (r.y * fz - r.z * fy), y = y + (r.z * fx - r.x * fz), w = w + (r.x * fy - r.y * fx);
    if (below.motion == Motion::revolute) {
      const T entry = below.axis.x * x + below.axis.y * y + below.axis.z * w;
      mine[below.v] = entry, column[z(below.v) * n] = entry;
    } else {
      project(links[j], at[j], Wrench<T>{{x, y, w}, {fx, fy, fz}}, mine);
      for (int c = below.v; c < below.v + dofs(below.motion); ++c) column[z(c) * n] = mine[c];
    }
  }
}

/// Large inertias are filled on one side of the diagonal, as many columns at once as a pack has numbers, and then mirrored: entry by
/// entry, far apart in memory, the other side would cost more than the arithmetic.
template <class T>
bool in_packs(std::size_t dofs) {
  constexpr std::size_t kManyDofs = 64;
  return std::is_same_v<T, double> && dofs >= kManyDofs;
}

/// Copies across the diagonal, block by block: `both` where an entry may be on either side, and zero on the other; else from above.
template <bool both>
void mirror(std::size_t n, double* h) {
  constexpr std::size_t kBlock = 16;
  for (std::size_t rows = 0; rows < n; rows += kBlock)
    for (std::size_t columns = 0; columns <= rows; columns += kBlock)
      for (std::size_t r = rows; r < std::min(n, rows + kBlock); ++r)
        for (std::size_t c = columns; c < std::min(r, columns + kBlock); ++c) {
          const std::size_t low = r * n + c, high = c * n + r;
          if constexpr (both) h[high] = h[high] != 0 ? h[high] : h[low];
          h[low] = h[high];
        }
}

/// A chain of as many hinges as a pack has numbers, the first of which is link i, with dofs in order.
inline bool is_chain(const Rung<double>* rungs, int i, int size) {
  if (i + kPack > size || rungs[i].motion != Motion::revolute) return false;
  for (int k = 1; k < kPack; ++k) {
    const Rung<double>& next = rungs[i + k];
    if (next.motion != Motion::revolute || next.parent != i + k - 1 || next.v != rungs[i].v + k) return false;
  }
  return true;
}

/// The momenta of such a chain on each other and, together, on all links below.
inline void rows_of_chain(const Rung<double>* rungs, const Link* links, const LinkWork<double>* at, int first, std::size_t n, double* h) {
  std::array<double, kPack> x, y, w, fx, fy, fz;
  for (int k = 0; k < kPack; ++k) {
    Wrench<double> m = rungs[first + k].momentum;
    const auto row = z(rungs[first + k].v);
    for (int j = first + k; j > first; --j) {
      m.moment += cross(rungs[j].arm, m.force);
      h[z(rungs[j - 1].v) * n + row] = dot(rungs[j - 1].axis, m.moment);
    }
    const auto lane = z(k);
    x[lane] = m.moment.x, y[lane] = m.moment.y, w[lane] = m.moment.z;
    fx[lane] = m.force.x, fy[lane] = m.force.y, fz[lane] = m.force.z;
  }
  Vec3<Pack> moment{Pack::load(x.data()), Pack::load(y.data()), Pack::load(w.data())};
  const Vec3<Pack> force{Pack::load(fx.data()), Pack::load(fy.data()), Pack::load(fz.data())};
  double* column = h + rungs[first].v;
  for (int i = first, j = rungs[i].parent; j != kGround; i = j, j = rungs[j].parent) {
    const Vec3<double>& r = rungs[i].arm;
    const Rung<double>& below = rungs[j];
    moment.x += force.z * r.y - force.y * r.z, moment.y += force.x * r.z - force.z * r.x, moment.z += force.y * r.x - force.x * r.y;
    if (below.motion == Motion::revolute) {
      (moment.x * below.axis.x + moment.y * below.axis.y + moment.z * below.axis.z).store(column + z(below.v) * n);
      continue;
    }
    for (int k = 0; k < dofs(below.motion); ++k) {
      Vec3<double> turn{}, shift{};
      add_along(links[j], at[j], k, 1.0, turn, shift);
      (moment.x * turn.x + moment.y * turn.y + moment.z * turn.z + (force.x * shift.x + force.y * shift.y + force.z * shift.z))
          .store(column + z(below.v + k) * n);
    }
  }
}

template <class T>
[[gnu::noinline]] void row_of_hinge(const Rung<T>* rungs, const Link* links, const LinkWork<T>* at, int i, std::size_t n, T* h) {
  const std::size_t row = z(links[i].v);
  const LinkWork<T>& own = at[i];
  const Vec3<T> s{own.axes.z.x, own.axes.z.y, own.axes.z.z};
  const Wrench<T> momentum = turning_momentum(own, s);
  h[row * n + row] = dot(s, momentum.moment);
  climb_down(rungs, links, at, i, n, row, momentum, h);
}
template <class T>
[[gnu::noinline]] void rows_of(const Rung<T>* rungs, const Link* links, const LinkWork<T>* at, int i, std::size_t n, double mass, T* h) {
  each_momentum(links[i], at[i], mass, [&](int k, const Wrench<T>& momentum) {
    const std::size_t row = z(links[i].v + k);
    project(links[i], at[i], momentum, h + row * n);
    climb_down(rungs, links, at, i, n, row, momentum, h);
  });
}

template <class T>
void fill_rows(const Tree& tree, Workspace<T>& work, T* h) {
  const std::size_t n = z(tree.dofs());
  const Link* links = tree.links().data();
  LinkWork<T>* at = work.links.data();
  double* mass = work.branch_mass.data();
  for (int i = tree.size() - 1; i >= 0; --i) {
    const Link& link = links[i];
    if (link.motion == Motion::revolute)
      row_of_hinge(work.rungs.data(), links, at, i, n, h);
    else
      rows_of(work.rungs.data(), links, at, i, n, mass[i], h);
    if (link.parent == kGround) continue;
    add_composite(at[i], mass[i], at[link.parent]);
    mass[link.parent] += mass[i];
  }
}

inline void fill_rows_in_packs(const Tree& tree, Workspace<double>& work, double* h) {
  const std::size_t n = z(tree.dofs());
  const Link* links = tree.links().data();
  LinkWork<double>* at = work.links.data();
  Rung<double>* rungs = work.rungs.data();
  double* mass = work.branch_mass.data();
  for (int i = tree.size() - 1; i >= 0; --i) {
    if (links[i].motion == Motion::revolute) {
      rungs[i].momentum = turning_momentum(at[i], rungs[i].axis);
      h[z(rungs[i].v) * (n + 1)] = dot(rungs[i].axis, rungs[i].momentum.moment);
    } else {
      rows_of(rungs, links, at, i, n, mass[i], h);
    }
    if (rungs[i].parent == kGround) continue;
    add_composite(at[i], mass[i], at[rungs[i].parent]);
    mass[rungs[i].parent] += mass[i];
  }
  for (int i = 0; i < tree.size();) {
    if (is_chain(rungs, i, tree.size())) {
      rows_of_chain(rungs, links, at, i, n, h);
      i += kPack;
      continue;
    }
    if (rungs[i].motion == Motion::revolute) climb_down(rungs, links, at, i, n, z(rungs[i].v), rungs[i].momentum, h);
    ++i;
  }
  if (tree.ordered()) mirror<false>(n, h);
  else mirror<true>(n, h);
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
  find_turns(tree, q, work);
  for (int i = 0; i < size; ++i) {
    const Link& link = links[i];
    work.branch_mass[z(i)] = link.inertia.mass;
    if (link.motion == Motion::revolute && link.parent != kGround)
      place_mass_of_hinge(link, at[link.parent], work, at[i]);
    else
      place_mass(link, parent_of(link, work), q, work, at[i]);
    Rung<T>& rung = work.rungs[z(i)];
    set(rung.arm, at[i].arm), set(rung.axis, at[i].axes.z);
  }
  std::fill_n(h, n * n, T(0.0));
  if constexpr (std::is_same_v<T, double>)
    if (in_packs<T>(n)) return fill_rows_in_packs(tree, work, h);
  fill_rows(tree, work, h);
}

}  // namespace jounce::tree
