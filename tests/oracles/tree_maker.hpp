// Mechanisms of space put together by hand, for tests of what stands below the model files.
#pragma once

#include <cmath>
#include <string>

#include "jounce/base/require.hpp"
#include "jounce/space/mechanism.hpp"

namespace oracle {

struct TreeMaker {
  jounce::SpaceMechanism mechanism;

  explicit TreeMaker(jounce::Vec3<double> gravity = {}) {
    mechanism.tree.gravity = gravity;
    jounce::SpaceBody ground;
    ground.name = "ground";
    mechanism.bodies.push_back(ground);
  }

  /// A body on a joint of the same name; `frame` is that of the joint in the parent, and the child's frame is the joint's.
  int add(const std::string& name, const char* type, int parent, const jounce::Frame<double>& frame = {},
          const jounce::tree::JointShape& shape = {}) {
    jounce::SpaceMechanism& m = mechanism;
    const auto* joint_type = jounce::tree::find_joint_type(type);
    JOUNCE_REQUIRE(joint_type != nullptr, "a joint type that there is");
    const jounce::SpaceBody& on = m.bodies[static_cast<std::size_t>(parent)];
    jounce::SpaceJoint joint;
    joint.name = name;
    joint.type = joint_type;
    joint.parent = parent;
    joint.child = static_cast<int>(m.bodies.size());
    joint.frame = on.frame * frame;
    joint.where = {static_cast<int>(10 + m.joints.size()), 1};
    joint.links = attach(m.tree, on.link, joint.frame, joint_type->steps(shape));
    jounce::SpaceBody body;
    body.name = name;
    body.link = joint.links.last;
    body.frame = joint.links.successor;
    m.bodies.push_back(body);
    m.joints.push_back(joint);
    m.q = neutral(m.tree);
    m.v.assign(static_cast<std::size_t>(m.tree.dofs()), 0.0);
    m.dofs.resize(m.v.size());
    return joint.child;
  }

  void load(int body, double mass, const jounce::Vec3<double>& com, const jounce::Sym3<double>& central) {
    const jounce::SpaceBody& on = mechanism.bodies[static_cast<std::size_t>(body)];
    mechanism.tree.load(on.link, on.frame, jounce::tree::rigid_inertia(mass, com, central));
  }
  /// A thin uniform rod from the body's origin along its x axis.
  void rod(int body, double mass, double length) {
    const double inertia = mass * length * length / 12;
    load(body, mass, {length / 2, 0, 0}, {0, inertia, inertia, 0, 0, 0});
  }

  void loop(const std::string& name, const char* type, int i, const jounce::Frame<double>& frame_i, int j,
            const jounce::Frame<double>& frame_j, const jounce::tree::JointShape& shape = {}) {
    const auto* joint_type = jounce::tree::find_joint_type(type);
    JOUNCE_REQUIRE(joint_type != nullptr, "a joint type that there is");
    const int line = static_cast<int>(100 + mechanism.loops.size());
    mechanism.loops.push_back({name, {line, 1}, joint_type, joint_type->steps(shape), i, j, frame_i, frame_j});
  }
};

inline jounce::Frame<double> at(double x, double y, double z = 0) { return {jounce::identity3(), {x, y, z}}; }

/// Crank and coupler in a chain, the rocker on the ground, all in the plane z = 0, closed at the far ends by the given type. The
/// coordinates are the crank's angle, the coupler's against the crank and the rocker's.
inline TreeMaker four_bar(double ground, double crank, double coupler, double rocker, const char* closure,
                          jounce::Vec3<double> gravity = {0, -9.81, 0}) {
  TreeMaker maker(gravity);
  const int a = maker.add("crank", "revolute", 0), b = maker.add("coupler", "revolute", a, at(crank, 0));
  const int c = maker.add("rocker", "revolute", 0, at(ground, 0));
  maker.rod(a, crank, crank), maker.rod(b, coupler, coupler), maker.rod(c, rocker, rocker);
  maker.loop("closure", closure, b, at(coupler, 0), c, at(rocker, 0));
  return maker;
}

/// The general four-bar of the numbers below: rods of mass = length, crank at 60° and 2 rad/s. From a calculation with 40 digits.
struct GeneralFourBar {
  static constexpr double ground = 1, crank = 0.3, coupler = 0.9, rocker = 0.7;
  std::vector<double> q{1.0471975511965976, -0.5397970426545355, 1.6614783975487224};
  std::vector<double> v{2, -2.4202078226541746, 0.48176741094921965};
  std::vector<double> a{-14.660246393118634, 18.81271926947386, -1.7777211856796618};
  double pin_x = -0.8722349381376159, pin_y = 2.952363223950702;
};

}  // namespace oracle
