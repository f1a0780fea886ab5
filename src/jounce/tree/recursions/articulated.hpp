// The recursions of articulated bodies, on which `aba` and `hybrid` stand.
//
// Each dof is passive (its effort is known, its acceleration is wanted) or active (the other way round). The way out finds
// where each link is and how it would move if no passive dof accelerated, and what its mass needs for that. On the way in a
// passive dof is eliminated from the articulated inertia as it is met; the dofs of a ball or free link one after the other,
// which is the LDLᵀ factorisation of what the textbooks call D. The second way out finds what the passive dofs add.
//
// A hinge that hangs on another link, by far the most frequent link, has functions of its own.
#pragma once

#include <array>
#include <cstdint>

#include "jounce/tree/recursions/crba.hpp"

namespace jounce::tree {
namespace detail {

/// Whether all pivots so far were positive: NaN is not.
template <class T>
struct Pivots {
  bool good = true;
  void take(const T& pivot) { good = good && value_of(pivot) > 0; }
  [[nodiscard]] bool all() const { return good; }
};
template <>
struct Pivots<Pack> {
  PackFlags good;
  void take(const Pack& pivot) { good = good & (pivot > 0.0); }
  [[nodiscard]] bool all() const { return good.all(); }
};

/// I x
template <class T>
Wrench<T> times(const ArticulatedInertia<T>& i, const Vec3<T>& turn, const Vec3<T>& shift) {
  return {i.a * turn + i.b * shift, in_axes(i.b, turn) + i.c * shift};
}

/// I −= u uᵀ / D
template <class T>
[[gnu::always_inline]] inline void take_away_square(ArticulatedInertia<T>& i, const Vec3<T>& turn, const Vec3<T>& shift,
                                                    const T& per_pivot) {
  const Vec3<T> kt = turn * per_pivot, ks = shift * per_pivot;
  i.a.xx -= kt.x * turn.x, i.a.yy -= kt.y * turn.y, i.a.zz -= kt.z * turn.z;
  i.a.xy -= kt.x * turn.y, i.a.xz -= kt.x * turn.z, i.a.yz -= kt.y * turn.z;
  i.b.x.x -= turn.x * ks.x, i.b.x.y -= turn.y * ks.x, i.b.x.z -= turn.z * ks.x;
  i.b.y.x -= turn.x * ks.y, i.b.y.y -= turn.y * ks.y, i.b.y.z -= turn.z * ks.y;
  i.b.z.x -= turn.x * ks.z, i.b.z.y -= turn.y * ks.z, i.b.z.z -= turn.z * ks.z;
  i.c.xx -= ks.x * shift.x, i.c.yy -= ks.y * shift.y, i.c.zz -= ks.z * shift.z;
  i.c.xy -= ks.x * shift.y, i.c.xz -= ks.x * shift.z, i.c.yz -= ks.y * shift.z;
}

/// b and c of the inertia of a link's own mass, or of what hangs on it too.
template <bool Leaf, class T>
[[gnu::always_inline]] inline ArticulatedInertia<T> gathered(const LinkWork<T>& at, double mass) {
  if constexpr (Leaf) {
    const Sym3<T>& a = at.own_about();
    const Vec3<T>& h = at.own_moment;
    const T none(0.0), m(mass);
    return {{a.xx, a.yy, a.zz, a.xy, a.xz, a.yz},
            {{none, h.z, -h.y}, {-h.z, none, h.x}, {h.y, -h.x, none}},
            {m, m, m, none, none, none}};
  } else {
    const ArticulatedInertia<T>& o = at.inertia;
    return {{o.a.xx, o.a.yy, o.a.zz, o.a.xy, o.a.xz, o.a.yz},
            {{o.b.x.x, o.b.x.y, o.b.x.z}, {o.b.y.x, o.b.y.y, o.b.y.z}, {o.b.z.x, o.b.z.y, o.b.z.z}},
            {o.c.xx, o.c.yy, o.c.zz, o.c.xy, o.c.xz, o.c.yz}};
  }
}

/// Leaves an inertia and a wrench about a link's origin with its parent, about the parent's. Opens: the first to be left there,
/// which meets the parent's own mass and nothing else.
template <bool Opens, class T>
[[gnu::always_inline]] inline void leave(const ArticulatedInertia<T>& i, const Wrench<T>& f, const Vec3<T>& r, double mass,
                                         LinkWork<T>& parent) {
  const Sym3<T>& c = i.c;
  const Mat3<T>& o = i.b;
  const Vec3<T>& h = parent.own_moment;
  ArticulatedInertia<T>& sum = parent.inertia;
  const auto add_c = [&](T& to, const T& part, bool diagonal) {
    if constexpr (Opens)
      to = diagonal ? part + mass : part;
    else
      to = to + part;
  };
  add_c(sum.c.xx, c.xx, true), add_c(sum.c.yy, c.yy, true), add_c(sum.c.zz, c.zz, true);
  add_c(sum.c.xy, c.xy, false), add_c(sum.c.xz, c.xz, false), add_c(sum.c.yz, c.yz, false);
  // b' = b + r× c, column by column, and a' = a + (r× bᵀ)ᵀ + r× b'ᵀ, which is symmetric
  const T xx = o.x.x + r.y * c.xz - r.z * c.xy, yx = o.x.y + r.z * c.xx - r.x * c.xz, zx = o.x.z + r.x * c.xy - r.y * c.xx;
  const T xy = o.y.x + r.y * c.yz - r.z * c.yy, yy = o.y.y + r.z * c.xy - r.x * c.yz, zy = o.y.z + r.x * c.yy - r.y * c.xy;
  const T xz = o.z.x + r.y * c.zz - r.z * c.yz, yz = o.z.y + r.z * c.xz - r.x * c.zz, zz = o.z.z + r.x * c.yz - r.y * c.xz;
  if constexpr (Opens) {
    sum.b.x.x = xx, sum.b.x.y = yx + h.z, sum.b.x.z = zx - h.y;
    sum.b.y.x = xy - h.z, sum.b.y.y = yy, sum.b.y.z = zy + h.x;
    sum.b.z.x = xz + h.y, sum.b.z.y = yz - h.x, sum.b.z.z = zz;
  } else {
    set(sum.b.x, sum.b.x + Vec3<T>{xx, yx, zx});
    set(sum.b.y, sum.b.y + Vec3<T>{xy, yy, zy});
    set(sum.b.z, sum.b.z + Vec3<T>{xz, yz, zz});
  }
  sum.a.xx += (i.a.xx + (r.y * (o.z.x + xz) - r.z * (o.y.x + xy)));
  sum.a.yy += (i.a.yy + (r.z * (o.x.y + yx) - r.x * (o.z.y + yz)));
  sum.a.zz += (i.a.zz + (r.x * (o.y.z + zy) - r.y * (o.x.z + zx)));
  sum.a.xy += (i.a.xy + (r.z * (o.x.x - yy) - r.x * o.z.x + r.y * yz));
  sum.a.xz += (i.a.xz + (r.y * (zz - o.x.x) + r.x * o.y.x - r.z * zy));
  sum.a.yz += (i.a.yz + (r.x * (o.y.y - zz) - r.y * o.x.y + r.z * zx));
  set(parent.bias.moment, parent.bias.moment + (f.moment + cross(r, f.force)));
  set(parent.bias.force, parent.bias.force + f.force);
}

/// Adds the prescribed accelerations of active dofs to a link's: they are known.
template <class T>
void add_active(const Link& link, const std::uint8_t* active, const T* qdd, LinkWork<T>& at) {
  for (int k = 0; k < dofs(link.motion); ++k) {
    if (!active[link.v + k]) continue;
    add_along(link, at, k, qdd[link.v + k], at.turn, at.shift);
  }
}

/// Calls f(k, U, 1/D, u) for the passive dofs of a link, in the order in which they were eliminated.
template <class T, class F>
void each_passive(const Tree& tree, const Workspace<T>& work, int i, const std::uint8_t* active, F&& f) {
  const Link& link = tree.link(i);
  for (int k = 0; k < dofs(link.motion); ++k) {
    if (active && active[link.v + k]) continue;
    if (dofs(link.motion) == 1) {
      const LinkWork<T>& at = work.links[z(i)];
      f(k, at.push_turn, at.push_shift, at.per_pivot, at.drive);
    } else {
      const DofWork<T>& dof = work.dofs_of_several[z(work.several[z(i)])][z(k)];
      f(k, dof.push_turn, dof.push_shift, dof.per_pivot, dof.drive);
    }
  }
}
template <class T, class F>
void each_passive_backwards(const Tree& tree, const Workspace<T>& work, int i, const std::uint8_t* active, F&& f) {
  const Link& link = tree.link(i);
  for (int k = dofs(link.motion) - 1; k >= 0; --k) {
    if (active && active[link.v + k]) continue;
    if (dofs(link.motion) == 1) {
      const LinkWork<T>& at = work.links[z(i)];
      f(k, at.push_turn, at.push_shift, at.per_pivot, at.drive);
    } else {
      const DofWork<T>& dof = work.dofs_of_several[z(work.several[z(i)])][z(k)];
      f(k, dof.push_turn, dof.push_shift, dof.per_pivot, dof.drive);
    }
  }
}

/// Eliminates the passive dofs of a ball or free link one by one. `inertia` and `bias` become those of what is left.
template <class T>
void eliminate_several(const Link& link, const LinkWork<T>& at, const T* tau, const std::uint8_t* active,
                       ArticulatedInertia<T>& inertia, Wrench<T>& bias, std::array<DofWork<T>, 6>& work, Pivots<T>& pivots) {
  for (int k = 0; k < dofs(link.motion); ++k) {
    if (active && active[link.v + k]) continue;
    DofWork<T>& dof = work[z(k)];
    const Vec3<T>& s = axis(at.axes, k % 3);
    const bool turns = k < 3;
    dof.push_turn = turns ? inertia.a * s : inertia.b * s;
    dof.push_shift = turns ? in_axes(inertia.b, s) : inertia.c * s;
    const T pivot = turns ? dot(s, dof.push_turn) : dot(s, dof.push_shift);
    dof.per_pivot = 1.0 / pivot;
    dof.drive = tau[link.v + k] - (turns ? dot(s, bias.moment) : dot(s, bias.force));
    pivots.take(pivot);
    take_away_square(inertia, dof.push_turn, dof.push_shift, dof.per_pivot);
    const T level = dof.drive * dof.per_pivot;
    bias.moment += dof.push_turn * level;
    bias.force += dof.push_shift * level;
  }
}

/// U, 1/D and u of a link with one dof.
template <class T>
[[gnu::always_inline]] inline void push(const Link& link, const ArticulatedInertia<T>& inertia, const Wrench<T>& bias,
                                        const T& tau, LinkWork<T>& at, Pivots<T>& pivots) {
  const Vec3<T> s{at.axes.z.x, at.axes.z.y, at.axes.z.z};
  Vec3<T> turn, shift;
  T pivot, drive;
  if (link.motion == Motion::revolute) {
    set(turn, inertia.a * s);
    set(shift, in_axes(inertia.b, s));
    pivot = dot(s, turn);
    drive = tau - dot(s, bias.moment);
  } else if (link.motion == Motion::prismatic) {
    set(turn, inertia.b * s);
    set(shift, inertia.c * s);
    pivot = dot(s, shift);
    drive = tau - dot(s, bias.force);
  } else {
    turn = (inertia.a * s) * link.turn + (inertia.b * s) * link.advance;
    shift = in_axes(inertia.b, s) * link.turn + (inertia.c * s) * link.advance;
    pivot = dot(s, turn) * link.turn + dot(s, shift) * link.advance;
    drive = tau - dot(s, bias.moment) * link.turn - dot(s, bias.force) * link.advance;
  }
  set(at.push_turn, turn), set(at.push_shift, shift);
  at.per_pivot = 1.0 / pivot;
  at.drive = drive;
  pivots.take(pivot);
}

/// Row after row of b: of a leaf, that of its own mass.
template <bool Leaf, class T>
[[gnu::always_inline]] inline Vec3<T> row_x(const LinkWork<T>& at) {
  if constexpr (Leaf)
    return {T(0.0), -at.own_moment.z, at.own_moment.y};
  else
    return {at.inertia.b.x.x, at.inertia.b.y.x, at.inertia.b.z.x};
}
template <bool Leaf, class T>
[[gnu::always_inline]] inline Vec3<T> row_y(const LinkWork<T>& at) {
  if constexpr (Leaf)
    return {at.own_moment.z, T(0.0), -at.own_moment.x};
  else
    return {at.inertia.b.x.y, at.inertia.b.y.y, at.inertia.b.z.y};
}
template <bool Leaf, class T>
[[gnu::always_inline]] inline Vec3<T> row_z(const LinkWork<T>& at) {
  if constexpr (Leaf)
    return {-at.own_moment.y, at.own_moment.x, T(0.0)};
  else
    return {at.inertia.b.x.z, at.inertia.b.y.z, at.inertia.b.z.z};
}

/// A passive hinge on the way in: what `inward` does in the frequent case, in an order that leaves little to be remembered at
/// any time. Where something is read again it is because it was not worth a register.
template <bool Leaf, bool Opens, class T>
[[gnu::noinline]] void inward_hinge(const Link& link, double parent_mass, const T& tau, LinkWork<T>& at, LinkWork<T>& parent,
                                    Pivots<T>& pivots) {
  const Sym3<T>& a = at.inertia.a;
  ArticulatedInertia<T>& sum = parent.inertia;
  const Vec3<T>& r = at.arm;
  const Vec3<T> s{at.axes.z.x, at.axes.z.y, at.axes.z.z};
  const Vec3<T> turn = a * s;
  const T pivot = dot(s, turn), drive = tau - s.x * at.bias.moment.x - s.y * at.bias.moment.y - s.z * at.bias.moment.z;
  const T per_pivot = 1.0 / pivot, level = drive * per_pivot;
  pivots.take(pivot);
  const Vec3<T> shift = Leaf ? cross(s, at.own_moment) : row_x<Leaf>(at) * s.x + row_y<Leaf>(at) * s.y + row_z<Leaf>(at) * s.z;
  set(at.push_turn, turn), set(at.push_shift, shift);
  at.per_pivot = per_pivot, at.drive = drive;

  const T fx = at.bias.force.x + shift.x * level, fy = at.bias.force.y + shift.y * level,
          fz = at.bias.force.z + shift.z * level;
  const T mx = at.bias.moment.x + turn.x * level + r.y * fz - r.z * fy,
          my = at.bias.moment.y + turn.y * level + r.z * fx - r.x * fz,
          mz = at.bias.moment.z + turn.z * level + r.x * fy - r.y * fx;
  parent.bias.force.x += fx, parent.bias.force.y += fy, parent.bias.force.z += fz;
  parent.bias.moment.x += mx, parent.bias.moment.y += my, parent.bias.moment.z += mz;

  // c
  const T kx = shift.x * per_pivot, ky = shift.y * per_pivot, kz = shift.z * per_pivot;
  const auto c_less = [&](const T& own, const T& diagonal, const T& k, const T& u) { return (Leaf ? diagonal : own) - k * u; };
  const Sym3<T>& c = at.inertia.c;
  const T m(Leaf ? link.inertia.mass : 0.0), none(0.0);
  const T cxx = c_less(c.xx, m, kx, shift.x), cyy = c_less(c.yy, m, ky, shift.y), czz = c_less(c.zz, m, kz, shift.z);
  const T cxy = c_less(c.xy, none, kx, shift.y), cxz = c_less(c.xz, none, kx, shift.z), cyz = c_less(c.yz, none, ky, shift.z);
  if constexpr (Opens) {
    sum.c.xx = cxx + parent_mass, sum.c.yy = cyy + parent_mass, sum.c.zz = czz + parent_mass;
    sum.c.xy = cxy, sum.c.xz = cxz, sum.c.yz = cyz;
  } else {
    sum.c.xx += cxx, sum.c.yy += cyy, sum.c.zz += czz, sum.c.xy += cxy, sum.c.xz += cxz, sum.c.yz += cyz;
  }

  // b' = b + r× c and a' = a + (r× bᵀ)ᵀ + r× b'ᵀ, which is symmetric
  const auto add_b = [&](T& to, const T& part) {
    if constexpr (Opens)
      to = part;
    else
      to += part;
  };
  const Vec3<T>& h = parent.own_moment;
  const auto add_to = [&](T& to, const T& part, const T& below) {
    if constexpr (Opens)
      to = part + below;
    else
      to += part;
  };
  const auto sub_to = [&](T& to, const T& part, const T& below) {
    if constexpr (Opens)
      to = part - below;
    else
      to += part;
  };
  T oxx, oyy, axy, axz, ayz;
  {
    const Vec3<T> row = row_x<Leaf>(at);
    const T x = row.x - turn.x * kx, y = row.y - turn.x * ky, w = row.z - turn.x * kz, k = turn.x * per_pivot;
    const T bx = x + r.y * cxz - r.z * cxy, by = y + r.y * cyz - r.z * cyy, bw = w + r.y * czz - r.z * cyz;
    const T axx = a.xx - k * turn.x + r.y * (w + bw) - r.z * (y + by);
    axy = a.xy - k * turn.y - r.x * w;
    axz = a.xz - k * turn.z + r.x * y;
    oxx = x;
    add_b(sum.b.x.x, bx), sub_to(sum.b.y.x, by, h.z), add_to(sum.b.z.x, bw, h.y);
    sum.a.xx += axx;
  }
  {
    const Vec3<T> row = row_y<Leaf>(at);
    const T x = row.x - turn.y * kx, y = row.y - turn.y * ky, w = row.z - turn.y * kz, k = turn.y * per_pivot;
    const T bx = x + r.z * cxx - r.x * cxz, by = y + r.z * cxy - r.x * cyz, bw = w + r.z * cxz - r.x * czz;
    const T ayy = a.yy - k * turn.y + r.z * (x + bx) - r.x * (w + bw);
    axy = axy + r.z * (oxx - by) + r.y * bw;
    ayz = a.yz - k * turn.z - r.y * x;
    oyy = y;
    add_to(sum.b.x.y, bx, h.z), add_b(sum.b.y.y, by), sub_to(sum.b.z.y, bw, h.x);
    sum.a.yy += ayy, sum.a.xy += axy;
  }
  {
    const Vec3<T> row = row_z<Leaf>(at);
    const T x = row.x - turn.z * kx, y = row.y - turn.z * ky, w = row.z - turn.z * kz, k = turn.z * per_pivot;
    const T bx = x + r.x * cxy - r.y * cxx, by = y + r.x * cyy - r.y * cxy, bw = w + r.x * cyz - r.y * cxz;
    const T azz = a.zz - k * turn.z + r.x * (y + by) - r.y * (x + bx);
    axz = axz + r.y * (bw - oxx) - r.z * by;
    ayz = ayz + r.x * (oyy - bw) + r.z * bx;
    sub_to(sum.b.x.z, bx, h.y), add_to(sum.b.y.z, by, h.x), add_b(sum.b.z.z, bw);
    sum.a.zz += azz, sum.a.xz += axz, sum.a.yz += ayz;
  }
}

/// One link on the way in: eliminates its passive dofs and leaves the rest with its parent.
template <class T>
void inward(const Tree& tree, Workspace<T>& work, int i, const T* tau, const std::uint8_t* active, Pivots<T>& pivots) {
  const Link& link = tree.link(i);
  LinkWork<T>& at = work.links[z(i)];
  ArticulatedInertia<T> inertia = link.parental ? gathered<false>(at, 0) : gathered<true>(at, link.inertia.mass);
  Wrench<T> bias = at.bias;
  const int count = dofs(link.motion);
  if (count == 1 && !(active && active[link.v])) {
    push(link, inertia, bias, tau[link.v], at, pivots);
    take_away_square(inertia, at.push_turn, at.push_shift, at.per_pivot);
    const T level = at.drive * at.per_pivot;
    bias.moment += at.push_turn * level;
    bias.force += at.push_shift * level;
  } else if (count > 1) {
    eliminate_several(link, at, tau, active, inertia, bias, work.dofs_of_several[z(work.several[z(i)])], pivots);
  }
  if (link.parent == kGround) return;
  LinkWork<T>& parent = work.links[z(link.parent)];
  const double parent_mass = tree.link(link.parent).inertia.mass;
  if (link.opens)
    leave<true>(inertia, bias, at.arm, parent_mass, parent);
  else
    leave<false>(inertia, bias, at.arm, parent_mass, parent);
}

/// A passive hinge on the ground: there is nobody to leave anything with.
template <bool Leaf, class T>
[[gnu::noinline]] void inward_first_hinge(const T& tau, LinkWork<T>& at, Pivots<T>& pivots) {
  const Sym3<T>& a = at.inertia.a;
  const Vec3<T> s{at.axes.z.x, at.axes.z.y, at.axes.z.z};
  const Vec3<T> turn = a * s, shift = row_x<Leaf>(at) * s.x + row_y<Leaf>(at) * s.y + row_z<Leaf>(at) * s.z;
  const T pivot = dot(s, turn);
  pivots.take(pivot);
  set(at.push_turn, turn), set(at.push_shift, shift);
  at.per_pivot = 1.0 / pivot;
  at.drive = tau - s.x * at.bias.moment.x - s.y * at.bias.moment.y - s.z * at.bias.moment.z;
}

template <class T>
[[gnu::always_inline]] inline void inward_any(const Tree& tree, Workspace<T>& work, const Link& link, int i, const T* tau,
                                              const std::uint8_t* active, Pivots<T>& pivots) {
  if (link.motion != Motion::revolute || (active && active[link.v])) return inward(tree, work, i, tau, active, pivots);
  LinkWork<T>& at = work.links[z(i)];
  if (link.parent == kGround) {
    if (link.parental)
      inward_first_hinge<false>(tau[link.v], at, pivots);
    else
      inward_first_hinge<true>(tau[link.v], at, pivots);
    return;
  }
  LinkWork<T>& parent = work.links[z(link.parent)];
  const double mass = tree.link(link.parent).inertia.mass;
  if (link.parental && link.opens)
    inward_hinge<false, true>(link, mass, tau[link.v], at, parent, pivots);
  else if (link.parental)
    inward_hinge<false, false>(link, mass, tau[link.v], at, parent, pivots);
  else if (link.opens)
    inward_hinge<true, true>(link, mass, tau[link.v], at, parent, pivots);
  else
    inward_hinge<true, false>(link, mass, tau[link.v], at, parent, pivots);
}

/// One link on the way out: the accelerations of its passive dofs, and what they add to its own.
template <class T>
void outward(const Tree& tree, Workspace<T>& work, int i, const std::uint8_t* active, T* qdd) {
  const Link& link = tree.link(i);
  LinkWork<T>& at = work.links[z(i)];
  if (const LinkWork<T>* parent = parent_of(link, work)) {
    at.extra_turn = parent->extra_turn;
    at.extra_shift = parent->extra_shift + cross(parent->extra_turn, at.arm);
  } else {
    at.extra_turn = at.extra_shift = Vec3<T>{T(0.0), T(0.0), T(0.0)};
  }
  each_passive_backwards(tree, work, i, active,
                         [&](int k, const Vec3<T>& push_turn, const Vec3<T>& push_shift, const T& per_pivot, const T& drive) {
                           const T rate = (drive - dot(push_turn, at.extra_turn) - dot(push_shift, at.extra_shift)) * per_pivot;
                           qdd[link.v + k] = rate;
                           add_along(link, at, k, rate, at.extra_turn, at.extra_shift);
                         });
}
template <class T>
[[gnu::always_inline]] inline void outward_hinge(const LinkWork<T>& parent, LinkWork<T>& at, T& qdd) {
  const Vec3<T> turn{parent.extra_turn.x, parent.extra_turn.y, parent.extra_turn.z};
  const Vec3<T> shift = plus_cross(parent.extra_shift, turn, at.arm);
  const T turning = at.drive - at.push_turn.x * turn.x - at.push_turn.y * turn.y - at.push_turn.z * turn.z;
  const T sliding = at.push_shift.x * shift.x + at.push_shift.y * shift.y + at.push_shift.z * shift.z;
  const T rate = (turning - sliding) * at.per_pivot;
  qdd = rate;
  at.extra_turn.x = turn.x + at.axes.z.x * rate, at.extra_turn.y = turn.y + at.axes.z.y * rate,
  at.extra_turn.z = turn.z + at.axes.z.z * rate;
  set(at.extra_shift, shift);
}
template <class T>
[[gnu::always_inline]] inline void outward_first_hinge(LinkWork<T>& at, T& qdd) {
  const T rate = at.drive * at.per_pivot;
  qdd = rate;
  at.extra_turn.x = at.axes.z.x * rate, at.extra_turn.y = at.axes.z.y * rate, at.extra_turn.z = at.axes.z.z * rate;
  at.extra_shift.x = at.extra_shift.y = at.extra_shift.z = T(0.0);
}
template <class T>
[[gnu::always_inline]] inline void outward_any(const Tree& tree, Workspace<T>& work, const Link& link, int i,
                                               const std::uint8_t* active, T* qdd) {
  if (link.motion != Motion::revolute || (active && active[link.v])) return outward(tree, work, i, active, qdd);
  if (link.parent == kGround)
    outward_first_hinge(work.links[z(i)], qdd[link.v]);
  else
    outward_hinge(work.links[z(link.parent)], work.links[z(i)], qdd[link.v]);
}

/// One state among those that go through `articulated` together.
template <class T>
struct ArticulatedState {
  Workspace<T>& work;
  const T *q, *v, *tau;
  T* qdd;
  Pivots<T> pivots{};
};

/// Several states take turns link by link: each link waits for the one before, and while one state waits another is computed.
/// Leaves in `turn` and `shift` the accelerations without those of the passive dofs, which are in `extra_turn` and
/// `extra_shift`, and in `bias` what the former need.
template <std::size_t N, class T>
void articulated(const Tree& tree, std::array<ArticulatedState<T>, N>& states, const std::uint8_t* active,
                 const Wrench<T>* external, Vec3<T>* positions) {
  for (auto& state : states) find_turns(tree, state.q, state.work);
  const Link* links = tree.links().data();
  const int size = tree.size();
  for (int i = 0; i < size; ++i) {
    const Link& link = links[i];
    for (auto& state : states) {
      Workspace<T>& work = state.work;
      LinkWork<T>& at = work.links[z(i)];
      if (link.motion == Motion::revolute && link.parent != kGround) {
        if (active && active[link.v])
          bring_hinge<true, T>(link, work.links[z(link.parent)], work, state.v, state.qdd, at);
        else
          bring_hinge<false, T>(link, work.links[z(link.parent)], work, state.v, nullptr, at);
      } else {
        bring(link, parent_of(link, work), work, state.q, state.v, at, [&](const Link& of, LinkWork<T>& its) {
          if (active) add_active(of, active, state.qdd, its);
        });
      }
      if (external || positions) take_external(link, i, external, positions, at);
    }
  }
  for (int i = size - 1; i >= 0; --i)
    for (auto& state : states) inward_any(tree, state.work, links[i], i, state.tau, active, state.pivots);
  for (int i = 0; i < size; ++i)
    for (auto& state : states) outward_any(tree, state.work, links[i], i, active, state.qdd);
}

/// What a user of `hybrid` finds in a link: its acceleration, its inertia with all that hangs on it, and as `bias` the wrench
/// that it would need without any acceleration.
template <class T>
[[gnu::noinline]] void finish(const Link& link, LinkWork<T>& at) {
  if (!link.parental) at.inertia = gathered<true>(at, link.inertia.mass);
  settle(at);
  const Wrench<T> moving = times(at.inertia, at.turn, at.shift);
  set(at.bias.moment, at.bias.moment - moving.moment);
  set(at.bias.force, at.bias.force - moving.force);
  set(at.turn, at.turn + at.extra_turn);
  set(at.shift, at.shift + at.extra_shift);
}

}  // namespace detail

}  // namespace jounce::tree
