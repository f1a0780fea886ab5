#include "jounce/tree/tree.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/base/require.hpp"
#include "jounce/tree/rotation.hpp"

namespace jounce::tree {
namespace {

// A frame whose z axis is the given one. For an axis of the coordinate system: its cyclic permutation, so that nothing is rounded.
Mat3<double> axes_along(const Vec3<double>& axis) {
  const double ax = std::abs(axis.x), ay = std::abs(axis.y), az = std::abs(axis.z);
  Vec3<double> aside{1, 0, 0};
  if (ax >= ay && ax >= az) aside = {0, 1, 0};
  else if (ay >= az) aside = {0, 0, 1};
  const Vec3<double> x = aside - axis * dot(aside, axis);
  const Vec3<double> unit = x * (1 / length(x));
  return {unit, cross(axis, unit), axis};
}

}  // namespace

RigidInertia rigid_inertia(double mass, const Vec3<double>& com, const Sym3<double>& central) {
  const Vec3<double> c = com;
  const Sym3<double> shift{mass * (c.y * c.y + c.z * c.z), mass * (c.x * c.x + c.z * c.z), mass * (c.x * c.x + c.y * c.y),
                           -mass * c.x * c.y, -mass * c.x * c.z, -mass * c.y * c.z};
  return {mass, com * mass, central + shift};
}

RigidInertia carried(const Frame<double>& frame, const RigidInertia& inertia) {
  const Vec3<double> r = frame.origin, h = frame.axes * inertia.moment, g = h + r * (0.5 * inertia.mass);
  Sym3<double> about = turned(frame.axes, inertia.about);
  const double trace = 2 * dot(r, g);
  about = about + Sym3<double>{trace - 2 * r.x * g.x, trace - 2 * r.y * g.y, trace - 2 * r.z * g.z, -(r.x * g.y + g.x * r.y),
                               -(r.x * g.z + g.x * r.z), -(r.y * g.z + g.y * r.z)};
  return {inertia.mass, h + r * inertia.mass, about};
}

RigidInertia operator+(const RigidInertia& a, const RigidInertia& b) {
  return {a.mass + b.mass, a.moment + b.moment, a.about + b.about};
}

int Tree::add(Link link) {
  JOUNCE_REQUIRE(link.parent >= kGround && link.parent < size(), "a link comes after its parent");
  link.massive = !link.inertia.is_zero();
  link.parental = false;
  link.opens = true;
  if (link.parent != kGround) {
    links_[z(link.parent)].parental = true;
    int& sister = last_child_[z(link.parent)];
    if (sister != kGround) links_[z(sister)].opens = false;
    sister = size();
  }
  last_child_.push_back(kGround);
  link.turning = -1;
  if (link.motion == Motion::revolute || link.motion == Motion::screw) {
    link.turning = static_cast<int>(turning_.size());
    turning_.push_back(size());
  }
  const int nq = tree::coordinates(link.motion), nv = tree::dofs(link.motion);
  coordinates_ = std::max(coordinates_, link.q + nq);
  dofs_ = std::max(dofs_, link.v + nv);
  moved_by_.resize(z(dofs_));
  for (int k = 0; k < nv; ++k) moved_by_[z(link.v + k)] = size();
  const int below = link.parent == kGround ? -1 : highest_dof_[z(link.parent)];
  ordered_ = ordered_ && (nv == 0 || link.v > below);
  highest_dof_.push_back(nv == 0 ? below : std::max(below, link.v + nv - 1));
  links_.push_back(link);
  return size() - 1;
}

void Tree::load(int link, const Frame<double>& frame, const RigidInertia& inertia) {
  Link& l = links_[z(link)];
  l.inertia = l.inertia + carried(frame, inertia);
  l.massive = !l.inertia.is_zero();
}

Attached attach(Tree& tree, int parent, const Frame<double>& frame, std::span<const Step> steps) {
  Attached out{.first = tree.size(), .last = tree.size(), .q = tree.coordinates(), .v = tree.dofs()};
  Frame<double> at = frame;  // the joint's frame, moved by the steps so far, in the link before
  for (const Step& step : steps) {
    const bool along_axis = dofs(step.motion) == 1;
    const Frame<double> own{along_axis ? axes_along(step.axis) : identity3(), step.through};
    const int more = out.coordinates - out.dofs;  // a ball before has four of the one and three of the other
    Link link{.parent = parent, .motion = step.motion, .q = out.q + step.coordinate, .v = out.v + step.coordinate - more, .place = at * own,
              .turn = step.turn, .advance = step.advance};
    parent = out.last = tree.add(link);
    at = inverse(own);
    at.origin += at.axes * step.beyond;
    out.coordinates += coordinates(step.motion);
    out.dofs += dofs(step.motion);
  }
  out.successor = at;
  return out;
}

std::vector<double> neutral(const Tree& tree) {
  std::vector<double> q(z(tree.coordinates()));
  for (const Link& link : tree.links())
    if (link.motion == Motion::ball || link.motion == Motion::free) q[z(link.q)] = 1;
  return q;
}

bool normalise(const Tree& tree, std::span<double> q) {
  bool good = true;
  for (const Link& link : tree.links()) {
    if (link.motion != Motion::ball && link.motion != Motion::free) continue;
    double* e = &q[z(link.q)];
    const double n = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    if (!(n > 0) || !std::isfinite(n)) good = false;
    else
      for (int k = 0; k < 4; ++k) e[k] /= n;
  }
  return good;
}

void rates(const Tree& tree, std::span<const double> q, std::span<const double> v, std::span<double> dq) {
  for (const Link& link : tree.links()) {
    const double *own = q.data() + link.q, *rate = v.data() + link.v;
    double* out = dq.data() + link.q;
    if (link.motion == Motion::ball || link.motion == Motion::free) {
      const Quaternion e{own[0], own[1], own[2], own[3]};
      const Quaternion de = e * Quaternion{0, rate[0] / 2, rate[1] / 2, rate[2] / 2};
      out[0] = de.w, out[1] = de.x, out[2] = de.y, out[3] = de.z;
      if (link.motion == Motion::ball) continue;
      const Vec3<double> dp = rotation(e.w, e.x, e.y, e.z) * Vec3<double>{rate[3], rate[4], rate[5]};
      out[4] = dp.x, out[5] = dp.y, out[6] = dp.z;
    } else if (link.motion != Motion::fixed) {
      out[0] = rate[0];
    }
  }
}

void difference(const Tree& tree, std::span<const double> q0, std::span<const double> q1, std::span<double> way) {
  for (const Link& link : tree.links()) {
    const double *from = q0.data() + link.q, *to = q1.data() + link.q;
    double* out = way.data() + link.v;
    if (link.motion == Motion::ball || link.motion == Motion::free) {
      const Quaternion a{from[0], from[1], from[2], from[3]}, b{to[0], to[1], to[2], to[3]};
      const Vec3<double> turn = rotation_vector(conjugate(a) * b);
      out[0] = turn.x, out[1] = turn.y, out[2] = turn.z;
      if (link.motion == Motion::ball) continue;
      const Vec3<double> shift = in_axes(rotation(a.w, a.x, a.y, a.z), Vec3<double>{to[4] - from[4], to[5] - from[5], to[6] - from[6]});
      const Vec3<double> way_lin = unspiral(turn, shift);
      out[3] = way_lin.x, out[4] = way_lin.y, out[5] = way_lin.z;
    } else if (link.motion != Motion::fixed) {
      out[0] = to[0] - from[0];
    }
  }
}

void move(const Tree& tree, std::span<double> q, std::span<const double> way) {
  for (const Link& link : tree.links()) {
    double* own = q.data() + link.q;
    const double* by = way.data() + link.v;
    if (link.motion == Motion::ball || link.motion == Motion::free) {
      const Quaternion e{own[0], own[1], own[2], own[3]};
      const Vec3<double> turn{by[0], by[1], by[2]};
      if (link.motion == Motion::free) {
        const Vec3<double> shift = rotation(e.w, e.x, e.y, e.z) * spiral(turn, Vec3<double>{by[3], by[4], by[5]});
        own[4] += shift.x, own[5] += shift.y, own[6] += shift.z;
      }
      const Quaternion turned_by = normalised(e * from_rotation_vector(turn));
      own[0] = turned_by.w, own[1] = turned_by.x, own[2] = turned_by.y, own[3] = turned_by.z;
    } else if (link.motion != Motion::fixed) {
      own[0] += by[0];
    }
  }
}

}  // namespace jounce::tree
