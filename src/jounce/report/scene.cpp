// The scene of a mechanism of space.
#include "jounce/report/scene.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"

namespace jounce {
namespace {

Scene::Body drawn(const SpaceBody& body, bool ground) {
  Scene::Body out;
  out.name = body.name;
  for (const SpacePoint& point : body.points) out.points.push_back({point.name, point.frame.origin});
  if (!ground) {
    out.com = body.com;
    out.inertia = body.inertia;
  }
  out.mass = body.mass;
  return out;
}

// A drawing stands upright: up is against gravity, along an axis; without gravity it is z.
Vec3<double> upwards(const Vec3<double>& gravity) {
  const Vec3<double> up = -gravity;
  const double x = std::abs(up.x), y = std::abs(up.y), most = std::max({x, y, std::abs(up.z)});
  if (!(most > 0) || most == std::abs(up.z)) return {0, 0, up.z < 0 ? -1.0 : 1.0};
  if (most == y) return {0, up.y < 0 ? -1.0 : 1.0, 0};
  return {up.x < 0 ? -1.0 : 1.0, 0, 0};
}

// The largest distance within a body or between two joints of one.
double typical_length(const Scene& scene) {
  double size = 0;
  const auto take = [&](const Vec3<double>& p) { size = std::max(size, length(p)); };
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    for (const Scene::Point& point : scene.bodies[b].points) take(point.p);
    if (scene.bodies[b].com) take(*scene.bodies[b].com);
    if (const auto& shape = scene.bodies[b].shape) {
      take(shape->to - shape->from);
      take(shape->size);
      size = std::max(size, 2 * shape->radius);
    }
  }
  for (const Scene::Element& e : scene.elements) {
    if (e.frame_i && e.i > 0) take(e.frame_i->origin);
    if (e.frame_j) take(e.frame_j->origin);
  }
  return size > 0 ? size : 1;
}

Scene::Element drawn(const SpaceMechanism& mechanism, const SpaceJoint& joint) {
  Scene::Element out;
  out.group = Group::joint;
  out.name = joint.name;
  out.type = joint.type->type;
  out.symbol = joint.type->symbol;
  out.i = joint.parent;
  out.j = joint.child;
  out.frame_i = inverse(mechanism.bodies[z(joint.parent)].frame) * joint.frame;
  out.frame_j = inverse(mechanism.bodies[z(joint.child)].frame) * joint.links.successor;
  // the first link of a joint moves along or about its own z axis
  if (joint.type->keys.axis) out.axis = in_axes(joint.frame.axes, mechanism.tree.link(joint.links.first).place.axes.z);
  if (joint.type->keys.pitch) out.pitch = mechanism.tree.link(joint.links.first).advance;
  for (int d = 0; d < joint.links.dofs; ++d)
    if (mechanism.dofs[z(joint.links.v + d)].active()) out.driven.push_back(d + 1);
  if (joint.links.dofs == 1)
    if (const SpaceDof& dof = mechanism.dofs[z(joint.links.v)]; !dof.active()) {
      if (dof.stiffness > 0) out.stiffness = dof.stiffness;
      if (dof.damping > 0) out.damping = dof.damping;
    }
  return out;
}

Scene::Element drawn(const SpaceLoop& loop) {
  Scene::Element out;
  out.group = Group::loop;
  out.name = loop.name;
  out.type = loop.type->type;
  out.symbol = loop.type->symbol;
  out.i = loop.i;
  out.j = loop.j;
  out.frame_i = loop.frame_i;
  out.frame_j = loop.frame_j;
  if (loop.type->keys.axis && !loop.steps.empty()) out.axis = loop.steps.front().axis;
  if (loop.type->keys.pitch && !loop.steps.empty()) out.pitch = loop.steps.front().advance;
  return out;
}

// What a force of space may say of its drawing: which symbol, and where. One that says nothing is a mark on its body.
struct SpaceSketch {
  Scene::Element& out;

  void force(const tree::BodyPoint& on, tree::Axes frame) {
    place(DrawingSymbol::force, frame);
    out.j = on.body, out.pj = on.p;
  }
  void moment(const tree::BodyRef& on, tree::Axes frame) {
    place(DrawingSymbol::moment, frame);
    out.j = on.body;
  }
  /// In body axes about the body's origin, in ground axes about the ground's.
  void wrench(const tree::BodyRef& on, tree::Axes frame) {
    place(DrawingSymbol::wrench, frame);
    out.j = on.body;
    if (out.body_axes) out.pj = Vec3<double>{};
    else out.i = 0, out.pi = Vec3<double>{};
  }
  void spring(const tree::BodyPoint& i, const tree::BodyPoint& j, double stiffness, double free_length, double damping) {
    out.symbol = DrawingSymbol::spring;
    out.i = i.body, out.pi = i.p;
    out.j = j.body, out.pj = j.p;
    out.stiffness = stiffness;
    out.free_length = free_length;
    if (damping > 0) out.damping = damping;
  }
  /// Between two bodies that turn on each other, about an axis of the first.
  void turn(const tree::BodyRef& i, const tree::BodyRef& j, const Vec3<double>& axis) {
    out.symbol = DrawingSymbol::turn;
    out.i = i.body, out.j = j.body;
    out.axis = axis;
  }

 private:
  void place(DrawingSymbol symbol, tree::Axes frame) {
    out.symbol = symbol;
    out.body_axes = frame == tree::Axes::body;
  }
};

Scene::Element drawn(const SpaceForce& force) {
  Scene::Element out;
  out.group = Group::force;
  out.name = force.name;
  out.type = tree::type_of(force.law);
  out.j = tree::carrier(force.law);
  SpaceSketch sketch{out};
  const auto draw = [&](const auto& law) {
    if constexpr (requires { law.sketch(sketch); }) law.sketch(sketch);
    else if constexpr (requires { sketch.turn(law.i, law.j, law.axis.along); }) sketch.turn(law.i, law.j, law.axis.along);
  };
  std::visit(draw, force.law);
  return out;
}

Scene::Element drawn(const SpaceMechanism& mechanism, const SpaceCoupling& coupling) {
  const auto dof = [&](int d) {
    const SpaceJoint& joint = mechanism.joint_of(d);
    return joint.links.dofs == 1 ? joint.name : joint.name + "." + std::to_string(d - joint.links.v + 1);
  };
  Scene::Element out;
  out.group = Group::coupling;
  out.name = coupling.name;
  out.type = "coupling";
  out.symbol = DrawingSymbol::none;
  out.i = mechanism.joint_of(coupling.i).child;
  out.j = mechanism.joint_of(coupling.j).child;
  out.ratio = coupling.ratio;
  out.coupled = {dof(coupling.i), dof(coupling.j)};
  return out;
}

// Nothing of its own: its reaction is drawn where it is reported.
Scene::Element drawn(const SpaceEquation& equation) {
  Scene::Element out;
  out.group = Group::joint;
  out.name = equation.name;
  out.type = laws::kEquation;
  out.symbol = DrawingSymbol::none;
  if (const SpaceQuantity* first = equation.named_first()) {
    out.j = first->owner;
    out.frame_j = Frame<double>{identity3<double>(), first->p};
  }
  return out;
}

}  // namespace

Scene scene(const SpaceMechanism& mechanism) {
  Scene out;
  out.space = true;
  for (const SpaceBody& body : mechanism.bodies) out.bodies.push_back(drawn(body, &body == &mechanism.bodies.front()));
  for (const SpaceJoint& joint : mechanism.joints) out.elements.push_back(drawn(mechanism, joint));
  for (const SpaceForce& force : mechanism.forces) out.elements.push_back(drawn(force));
  for (const SpaceLoop& loop : mechanism.loops) out.elements.push_back(drawn(loop));
  for (const SpaceCoupling& coupling : mechanism.couplings) out.elements.push_back(drawn(mechanism, coupling));
  for (const SpaceEquation& equation : mechanism.equations) out.elements.push_back(drawn(equation));
  for (std::size_t b = 0; b < mechanism.outlines.bodies.size(); ++b) out.bodies[b].shape = mechanism.outlines.bodies[b];
  out.size = typical_length(out);
  out.up = upwards(mechanism.tree.gravity);
  return out;
}

}  // namespace jounce
