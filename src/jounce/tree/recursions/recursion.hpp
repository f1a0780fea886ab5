// The two outward recursions that every algorithm begins with: where the links are, and how they turn.
#pragma once

#include <algorithm>
#include <type_traits>

#include "jounce/base/index.hpp"
#include "jounce/math/pack.hpp"
#include "jounce/scalar/scalar.hpp"
#include "jounce/tree/recursions/workspace.hpp"

namespace jounce::tree::detail {

/// to = from, number by number: g++ copies vectors of packs as bytes, by way of the stack.
template <class T>
[[gnu::always_inline]] inline void set(Vec3<T>& to, const Vec3<T>& from) {
  to.x = from.x, to.y = from.y, to.z = from.z;
}

/// p + a × b and p + m a in an order that suits fused products and sums.
template <class T>
[[gnu::always_inline]] inline Vec3<T> plus_cross(const Vec3<T>& p, const Vec3<T>& a, const Vec3<T>& b) {
  return {p.x + a.y * b.z - a.z * b.y, p.y + a.z * b.x - a.x * b.z, p.z + a.x * b.y - a.y * b.x};
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> plus_product(const Vec3<T>& p, const Mat3<T>& m, const Vec3<T>& a) {
  return {p.x + m.x.x * a.x + m.y.x * a.y + m.z.x * a.z, p.y + m.x.y * a.x + m.y.y * a.y + m.z.y * a.z,
          p.z + m.x.z * a.x + m.y.z * a.y + m.z.z * a.z};
}

template <class T, class S>
[[gnu::always_inline]] inline Vec3<T> plus_scaled(const Vec3<T>& p, const Vec3<T>& a, const S& s) {
  return {p.x + a.x * s, p.y + a.y * s, p.z + a.z * s};
}

/// Between two steps on the same link: what follows reads it from memory. Left to itself g++ keeps all that the steps have in
/// common in registers that are not there, and moves twice as many numbers to and from the stack.
template <class T>
[[gnu::always_inline]] inline void settle(LinkWork<T>& at) {
  asm("" : "+m"(at));
}

/// Sines and cosines of all angles. One by one they would cost as much as the rest of an algorithm, so doubles go in packs.
template <class T>
void find_turns(const Tree& tree, const T* q, Workspace<T>& work) {
  const auto turning = tree.turning();
  const auto angle = [&](std::size_t k) {
    const Link& link = tree.links()[z(turning[k])];
    return link.motion == Motion::revolute ? T(q[link.q]) : T(q[link.q] * link.turn);
  };
  if constexpr (std::is_same_v<T, double>) {
    double* s = work.sine.data();
    double* c = work.cosine.data();
    for (std::size_t k = 0; k < turning.size(); ++k) s[k] = angle(k);
    for (std::size_t k = 0; k < turning.size(); k += kPack) {
      const PackTurn turn = sincos(Pack::load(s + k));
      turn.sin.store(s + k);
      turn.cos.store(c + k);
    }
  } else {
    for (std::size_t k = 0; k < turning.size(); ++k) {
      const auto turn = sincos(angle(k));
      work.sine[k] = turn.sin;
      work.cosine[k] = turn.cos;
    }
  }
}

template <class T>
void turn_about_z(Mat3<T>& axes, const T& s, const T& c) {
  const Vec3<T> x = axes.x;
  axes.x = x * c + axes.y * s;
  axes.y = axes.y * c - x * s;
}

/// Axes and arm of a link; `parent` is null for the ground.
template <class T>
void place(const Link& link, const LinkWork<T>* parent, const T* q, const Workspace<T>& work, LinkWork<T>& out) {
  if (parent) {
    out.axes = parent->axes * link.place.axes;
    out.arm = parent->axes * link.place.origin;
  } else {
    const auto constant = [](const Vec3<double>& a) { return Vec3<T>{T(a.x), T(a.y), T(a.z)}; };
    out.axes = {constant(link.place.axes.x), constant(link.place.axes.y), constant(link.place.axes.z)};
    out.arm = constant(link.place.origin);
  }
  switch (link.motion) {
    case Motion::revolute: turn_about_z(out.axes, work.sine[z(link.turning)], work.cosine[z(link.turning)]); break;
    case Motion::prismatic: out.arm += out.axes.z * q[link.q]; break;
    case Motion::screw:
      out.arm += out.axes.z * (q[link.q] * link.advance);
      turn_about_z(out.axes, work.sine[z(link.turning)], work.cosine[z(link.turning)]);
      break;
    case Motion::free: out.arm += out.axes * Vec3<T>{q[link.q + 4], q[link.q + 5], q[link.q + 6]}; [[fallthrough]];
    case Motion::ball: out.axes = out.axes * rotation(q[link.q], q[link.q + 1], q[link.q + 2], q[link.q + 3]); break;
    case Motion::fixed: break;
  }
}

/// The same for the most frequent link, a hinge on another link. Results are formed before anything is stored, so that the
/// compiler need not fear that they overwrite the parent.
template <class T>
[[gnu::always_inline]] inline void place_hinge(const Link& link, const LinkWork<T>& parent, const Workspace<T>& work,
                                               LinkWork<T>& out) {
  const Mat3<T>& on = parent.axes;
  const Mat3<double>& by = link.place.axes;
  const Vec3<double>& to = link.place.origin;
  const T s = work.sine[z(link.turning)], c = work.cosine[z(link.turning)];
  // column after column of the parent's axes
  const T ux = by.x.x * c + by.y.x * s, uy = by.x.y * c + by.y.y * s, uz = by.x.z * c + by.y.z * s;
  const T wx = by.y.x * c - by.x.x * s, wy = by.y.y * c - by.x.y * s, wz = by.y.z * c - by.x.z * s;
  // y = axis × x would take fewer products, and an error of x would double with every link
  Vec3<T> x = on.x * ux, y = on.x * wx, axis = on.x * by.z.x, arm = on.x * to.x;
  x = plus_scaled(x, on.y, uy), y = plus_scaled(y, on.y, wy);
  axis = plus_scaled(axis, on.y, by.z.y), arm = plus_scaled(arm, on.y, to.y);
  x = plus_scaled(x, on.z, uz), y = plus_scaled(y, on.z, wz);
  axis = plus_scaled(axis, on.z, by.z.z), arm = plus_scaled(arm, on.z, to.z);
  set(out.axes.x, x), set(out.axes.y, y), set(out.axes.z, axis);
  set(out.arm, arm);
}

/// Angular velocity, and the accelerations that a link has when none of its own dofs accelerates. `parent` is null for the
/// ground, which accelerates upwards, so that nothing needs a weight.
template <class T>
void carry(const Link& link, const LinkWork<T>* parent, const Vec3<double>& gravity, const T* v, LinkWork<T>& out) {
  const auto own = [&](int first) {
    return out.axes * Vec3<T>{v[link.v + first], v[link.v + first + 1], v[link.v + first + 2]};
  };
  const Vec3<T> none{T(0.0), T(0.0), T(0.0)};
  Vec3<T> turning = none, sliding = none;  // angular and linear velocity against the parent
  switch (link.motion) {
    case Motion::revolute: turning = out.axes.z * v[link.v]; break;
    case Motion::prismatic: sliding = out.axes.z * v[link.v]; break;
    case Motion::screw:
      turning = out.axes.z * (v[link.v] * link.turn);
      sliding = out.axes.z * (v[link.v] * link.advance);
      break;
    case Motion::free: sliding = own(3); [[fallthrough]];
    case Motion::ball: turning = own(0); break;
    case Motion::fixed: break;
  }
  const Vec3<T> drift = link.motion == Motion::free ? cross(turning, sliding) : none;  // its axes turn with it
  if (parent) {
    out.turn = parent->turn + cross(parent->spin, turning);
    // a slide along axes that turn counts twice (Coriolis)
    out.shift = parent->shift + cross(parent->turn, out.arm) +
                cross(parent->spin, cross(parent->spin, out.arm) + sliding * 2.0) + drift;
    out.spin = parent->spin + turning;
  } else {
    out.turn = none;
    out.shift = drift - gravity;
    out.spin = turning;
  }
}
template <class T>
[[gnu::always_inline]] inline void carry_hinge(const LinkWork<T>& parent, const T& v, LinkWork<T>& out) {
  const Vec3<T> w{parent.spin.x, parent.spin.y, parent.spin.z}, turning = out.axes.z * v, spin = w + turning;
  const Vec3<T> turn = plus_cross(parent.turn, w, turning), shift = plus_product(parent.shift, parent.sweep(), out.arm);
  set(out.turn, turn), set(out.shift, shift), set(out.spin, spin);
}

/// When spin and turn of a link are known.
template <class T>
[[gnu::always_inline]] inline void find_sweep(LinkWork<T>& at) {
  const Vec3<T> w{at.spin.x, at.spin.y, at.spin.z}, a{at.turn.x, at.turn.y, at.turn.z};
  const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z, xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  at.sweep().x.x = -(yy + zz), at.sweep().x.y = xy + a.z, at.sweep().x.z = xz - a.y;
  at.sweep().y.x = xy - a.z, at.sweep().y.y = -(xx + zz), at.sweep().y.z = yz + a.x;
  at.sweep().z.x = xz + a.y, at.sweep().z.y = yz - a.x, at.sweep().z.z = -(xx + yy);
}

template <class T>
const LinkWork<T>* parent_of(const Link& link, const Workspace<T>& work) {
  return link.parent == kGround ? nullptr : &work.links[z(link.parent)];
}

/// The link's own mass in ground axes: own_about() and own_moment. R A Rᵀ = λ + x pᵀ + p xᵀ + y qᵀ + q yᵀ with λ = A_zz.
template <class T>
[[gnu::always_inline]] inline void turn_inertia(const RigidInertia& inertia, LinkWork<T>& at) {
  const Sym3<double>& a = inertia.about;
  const Vec3<T> x{at.axes.x.x, at.axes.x.y, at.axes.x.z}, y{at.axes.y.x, at.axes.y.y, at.axes.y.z},
      axis{at.axes.z.x, at.axes.z.y, at.axes.z.z};
  const double level = a.zz;
  const Vec3<T> p = x * (0.5 * (a.xx - level)) + y * a.xy + axis * a.xz, q = y * (0.5 * (a.yy - level)) + axis * a.yz;
  const Vec3<T> p2 = p + p, q2 = q + q;
  const Vec3<T> moment = x * inertia.moment.x + y * inertia.moment.y + axis * inertia.moment.z;
  at.own_about().xx = level + x.x * p2.x + y.x * q2.x;
  at.own_about().yy = level + x.y * p2.y + y.y * q2.y;
  at.own_about().zz = level + x.z * p2.z + y.z * q2.z;
  at.own_about().xy = x.x * p.y + x.y * p.x + y.x * q.y + y.y * q.x;
  at.own_about().xz = x.x * p.z + x.z * p.x + y.x * q.z + y.z * q.x;
  at.own_about().yz = x.y * p.z + x.z * p.y + y.y * q.z + y.z * q.y;
  set(at.own_moment, moment);
}

/// What moves the mass of a link as it moves, rate of change of its momentum about its origin, after `turn_inertia`. With M the
/// sweep and J = ½ tr A − A the second moments of mass, the couple is the antisymmetric part of M J.
template <class T>
[[gnu::always_inline]] inline void find_own_wrench(const RigidInertia& inertia, LinkWork<T>& at) {
  const Sym3<T>& a = at.own_about();
  const Mat3<T>& m = at.sweep();
  const double half = 0.5 * (inertia.about.xx + inertia.about.yy + inertia.about.zz);
  const T jx = half - a.xx, jy = half - a.yy, jz = half - a.zz;
  const Vec3<T> h{at.own_moment.x, at.own_moment.y, at.own_moment.z}, shift{at.shift.x, at.shift.y, at.shift.z};
  // two short sums each, so that fewer products wait for others
  const T mx =
      (m.y.z * jy - m.z.y * jz + h.y * shift.z - h.z * shift.y) + (m.x.y * a.xz - m.x.z * a.xy + (m.y.y - m.z.z) * a.yz);
  const T my =
      (m.z.x * jz - m.x.z * jx + h.z * shift.x - h.x * shift.z) + (m.y.z * a.xy - m.y.x * a.yz + (m.z.z - m.x.x) * a.xz);
  const T mz =
      (m.x.y * jx - m.y.x * jy + h.x * shift.y - h.y * shift.x) + (m.z.x * a.yz - m.z.y * a.xz + (m.x.x - m.y.y) * a.xy);
  const Vec3<T> force = plus_product(shift * inertia.mass, m, h);
  at.bias.moment.x = mx, at.bias.moment.y = my, at.bias.moment.z = mz;
  set(at.bias.force, force);
}

/// Of a link without mass.
template <class T>
void clear_own(LinkWork<T>& at) {
  at.own_about() = {T(0.0), T(0.0), T(0.0), T(0.0), T(0.0), T(0.0)};
  at.own_moment = at.bias.moment = at.bias.force = Vec3<T>{T(0.0), T(0.0), T(0.0)};
}

/// Takes a wrench away that is given about the ground's origin; `position` is that of the link's.
template <class T>
void take_away(Wrench<T>& f, const Wrench<T>& external, const Vec3<T>& position) {
  f.moment -= external.moment - cross(position, external.force);
  f.force -= external.force;
}

/// Axes, arm and mass of a link. Neither this nor what follows is inlined: they would have to share the registers.
template <class T>
[[gnu::noinline]] void place_mass_of_hinge(const Link& link, const LinkWork<T>& parent, const Workspace<T>& work,
                                           LinkWork<T>& at) {
  place_hinge(link, parent, work, at);
  if (link.massive)
    turn_inertia(link.inertia, at);
  else
    clear_own(at);
}
template <class T>
[[gnu::noinline]] void place_mass(const Link& link, const LinkWork<T>* parent, const T* q, const Workspace<T>& work,
                                  LinkWork<T>& at) {
  place(link, parent, q, work, at);
  if (link.massive)
    turn_inertia(link.inertia, at);
  else
    clear_own(at);
}

/// Position and motion of a link, and the wrench that its mass needs, for a known acceleration `qdd` (or null) of its own dof.
template <bool Known, class T>
[[gnu::noinline]] void bring_hinge(const Link& link, const LinkWork<T>& parent, const Workspace<T>& work, const T* v,
                                   const T* qdd, LinkWork<T>& at) {
  place_hinge(link, parent, work, at);
  if (link.massive)
    turn_inertia(link.inertia, at);
  else
    clear_own(at);
  settle(at);
  carry_hinge(parent, v[link.v], at);
  if constexpr (Known) set(at.turn, plus_scaled(at.turn, at.axes.z, qdd[link.v]));
  find_sweep(at);
  if (link.massive) find_own_wrench(link.inertia, at);
}
/// The same for any link; accelerate(link, at) adds what is known of the accelerations of its own dofs.
template <class T, class Accelerate>
void bring(const Link& link, const LinkWork<T>* parent, const Workspace<T>& work, const T* q, const T* v, LinkWork<T>& at,
           Accelerate&& accelerate) {
  place_mass(link, parent, q, work, at);
  carry(link, parent, work.gravity, v, at);
  accelerate(link, at);
  find_sweep(at);
  if (link.massive) find_own_wrench(link.inertia, at);
}

/// Takes what acts from outside away from what a link needs.
template <class T>
void take_external(const Link& link, int i, const Wrench<T>* external, Vec3<T>* positions, LinkWork<T>& at) {
  if (positions) set(positions[i], link.parent == kGround ? at.arm : positions[link.parent] + at.arm);
  if (external) take_away(at.bias, external[i], positions[i]);
}

template <class T>
const Vec3<T>& axis(const Mat3<T>& axes, int k) {
  return k == 0 ? axes.x : k == 1 ? axes.y : axes.z;
}

/// s · [moment; force] and += s · rate, s being the axis of dof k of a link.
template <class T>
T along(const Link& link, const LinkWork<T>& at, int k, const Vec3<T>& moment, const Vec3<T>& force) {
  switch (link.motion) {
    case Motion::revolute: return dot(at.axes.z, moment);
    case Motion::prismatic: return dot(at.axes.z, force);
    case Motion::screw: return dot(at.axes.z, moment) * link.turn + dot(at.axes.z, force) * link.advance;
    default: return k < 3 ? dot(axis(at.axes, k), moment) : dot(axis(at.axes, k - 3), force);
  }
}
template <class T>
void add_along(const Link& link, const LinkWork<T>& at, int k, const T& rate, Vec3<T>& turn, Vec3<T>& shift) {
  switch (link.motion) {
    case Motion::revolute: turn += at.axes.z * rate; break;
    case Motion::prismatic: shift += at.axes.z * rate; break;
    case Motion::screw:
      turn += at.axes.z * (rate * link.turn);
      shift += at.axes.z * (rate * link.advance);
      break;
    default: (k < 3 ? turn : shift) += axis(at.axes, k % 3) * rate;
  }
}

}  // namespace jounce::tree::detail
