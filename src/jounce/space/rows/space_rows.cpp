#include "jounce/space/rows/space_rows.hpp"

#include <array>

#include "jounce/space/rows/given_load.hpp"
#include "jounce/base/index.hpp"
#include "jounce/tree/rotation.hpp"

namespace jounce {
namespace {

using Vec = Vec3<double>;

constexpr std::array<const char*, 3> kPlace{".x", ".y", ".z"}, kVelocity{".vx", ".vy", ".vz"}, kAcceleration{".ax", ".ay", ".az"},
    kSpin{".wx", ".wy", ".wz"}, kTurn{".alx", ".aly", ".alz"}, kForce{".fx", ".fy", ".fz"}, kMoment{".mx", ".my", ".mz"};
constexpr std::array<const char*, 4> kQuaternion{".qw", ".qx", ".qy", ".qz"};

class Columns {
 public:
  template <std::size_t N>
  void add(const std::string& name, const std::array<const char*, N>& endings) {
    for (const char* ending : endings) names.push_back(name + ending);
  }
  void numbered(const std::string& name, const char* ending, int count) {
    for (int k = 1; k <= count; ++k) names.push_back(name + ending + std::to_string(k));
  }
  std::vector<std::string> names;
};

// How a point of a body moves.
struct PointMotion {
  Vec position, velocity, acceleration;
};

class Filler {
 public:
  Filler(const SpaceEquations& at, std::span<double> row) : at_(at), out_(row.data()) {}

  void number(double x) { *out_++ = x; }
  void vector(const Vec& a) { number(a.x), number(a.y), number(a.z); }
  void list(std::span<const double> values, int first, int count) {
    for (int k = first; k < first + count; ++k) number(values[z(k)]);
  }
  void wrench(const tree::Wrench<double>& w) { vector(w.force), vector(w.moment); }

  void body(const SpaceBody& body) {
    const tree::LinkWork<double>& link = at_.motion_work().links[z(body.link)];
    const PointMotion origin = point(body, Vec{});
    const tree::Quaternion e = tree::quaternion_of(link.axes * body.frame.axes);
    vector(origin.position);
    // e and −e are one rotation: that nearer to the row before, which is still there
    const double sign = out_[0] * e.w + out_[1] * e.x + out_[2] * e.y + out_[3] * e.z < 0 ? -1 : 1;
    number(sign * e.w), number(sign * e.x), number(sign * e.y), number(sign * e.z);
    vector(origin.velocity), vector(link.spin);
    vector(origin.acceleration), vector(link.turn);
    for (const SpacePoint& p : body.points) {
      const PointMotion motion = point(body, p.frame.origin);
      vector(motion.position), vector(motion.velocity), vector(motion.acceleration);
    }
  }

  void load(const SpaceForce& force, double t) {
    const SpaceBody& body = at_.mechanism().bodies[z(force.body)];
    const GivenLoad load = given_load(force, t, at_.motion_work().links[z(body.link)].axes * body.frame.axes);
    if (force.kind != SpaceForce::Kind::moment) vector(load.force);
    if (force.kind != SpaceForce::Kind::force) vector(load.moment);
  }

 private:
  [[nodiscard]] PointMotion point(const SpaceBody& body, const Vec& place) const {
    const tree::LinkWork<double>& link = at_.motion_work().links[z(body.link)];
    const tree::LinkMotion<double>& own = at_.links()[z(body.link)];
    const Vec arm = link.axes * (body.frame * place);
    return {own.position + arm, own.velocity + cross(link.spin, arm),
            own.acceleration + cross(link.turn, arm) + cross(link.spin, cross(link.spin, arm))};
  }

  const SpaceEquations& at_;
  double* out_;
};

}  // namespace

std::vector<std::string> space_columns(const SpaceMechanism& mechanism, bool forces) {
  Columns out;
  out.names.emplace_back("t");
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
    const SpaceBody& body = mechanism.bodies[b];
    out.add(body.name, kPlace), out.add(body.name, kQuaternion);
    out.add(body.name, kVelocity), out.add(body.name, kSpin);
    out.add(body.name, kAcceleration), out.add(body.name, kTurn);
    for (const SpacePoint& p : body.points) {
      const std::string name = body.name + "." + p.name;
      out.add(name, kPlace), out.add(name, kVelocity), out.add(name, kAcceleration);
    }
  }
  for (const SpaceJoint& joint : mechanism.joints) {
    out.numbered(joint.name, ".q", joint.links.coordinates);
    out.numbered(joint.name, ".v", joint.links.dofs);
    out.numbered(joint.name, ".a", joint.links.dofs);
    if (!forces) continue;
    out.numbered(joint.name, ".tau", joint.links.dofs);
    out.add(joint.name, kForce), out.add(joint.name, kMoment);
  }
  if (!forces) return out.names;
  for (const SpaceLoop& loop : mechanism.loops) out.add(loop.name, kForce), out.add(loop.name, kMoment);
  for (const SpaceForce& force : mechanism.forces) {
    using Kind = SpaceForce::Kind;
    if (force.kind == Kind::spring) out.add(force.name, std::array<const char*, 3>{".l", ".v", ".f"});
    if (force.kind == Kind::force || force.kind == Kind::wrench) out.add(force.name, kForce);
    if (force.kind == Kind::moment || force.kind == Kind::wrench) out.add(force.name, kMoment);
  }
  out.add("energy", std::array<const char*, 3>{".kinetic", ".potential", ".total"});
  out.add("momentum", std::array<const char*, 6>{".px", ".py", ".pz", ".lx", ".ly", ".lz"});
  out.add("com", kPlace);
  out.names.emplace_back("constraint.error");
  return out.names;
}

void fill_space_row(const SpaceEquations& at, const SpaceSample& sample, std::span<double> row) {
  const SpaceMechanism& mechanism = at.mechanism();
  Filler out(at, row);
  out.number(sample.t);
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) out.body(mechanism.bodies[b]);
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const tree::Attached& links = mechanism.joints[j].links;
    out.list(sample.q, links.q, links.coordinates);
    out.list(sample.v, links.v, links.dofs);
    out.list(sample.a, links.v, links.dofs);
    if (!sample.forces) continue;
    out.list(sample.tau, links.v, links.dofs);
    out.wrench(at.joint_wrench(static_cast<int>(j)));
  }
  if (!sample.forces) return;
  for (std::size_t l = 0; l < mechanism.loops.size(); ++l) out.wrench(at.loop_wrench(static_cast<int>(l)));
  for (std::size_t f = 0; f < mechanism.forces.size(); ++f) {
    const SpringReading<double>& spring = at.loads().readings[f];
    if (mechanism.forces[f].kind == SpaceForce::Kind::spring)
      out.number(spring.length), out.number(spring.rate), out.number(spring.tension);
    else out.load(mechanism.forces[f], sample.t);
  }
  const auto sum = tree::totals<double>(mechanism.tree, at.motion_work(), at.links().data());
  const SpaceEnergy e = energy(at);
  out.number(e.kinetic), out.number(e.potential), out.number(e.kinetic + e.potential);
  out.vector(sum.momentum.force), out.vector(sum.momentum.moment);
  out.vector(sum.com);
  out.number(at.closures().worst());
}

SpaceEnergy energy(const SpaceEquations& at) {
  const auto sum = tree::totals<double>(at.mechanism().tree, at.motion_work(), at.links().data());
  return {sum.kinetic, sum.weight + at.loads().potential};
}

}  // namespace jounce
