#include "jounce/report/scene.hpp"

#include <algorithm>

#include "jounce/base/index.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace jounce {
namespace {

void add_shapes(Scene& scene, const Outlines& outlines) {
  for (std::size_t b = 0; b < outlines.bodies.size(); ++b) scene.bodies[b].shape = outlines.bodies[b];
}

// ---- the plane -----------------------------------------------------------------------------------------------------

class PlaneScene {
 public:
  explicit PlaneScene(const PlaneMechanism& mechanism) : mechanism_(mechanism) {}

  Scene run() {
    Scene out;
    out.size = mechanism_.system.length_scale();
    for (const BodyData& body : mechanism_.bodies) out.bodies.push_back(drawn(body, &body == &mechanism_.bodies.front()));
    const auto& constraints = mechanism_.system.constraints();
    const auto& forces = mechanism_.system.forces();
    const auto& gears = mechanism_.outlines.gears;
    find_pins();
    std::vector<Scene::Element> held(constraints.size()), applied(forces.size());
    mechanism_.system.impl().each([&](const auto& batch) {
      for (std::size_t e = 0; e < batch.elements.size(); ++e) {
        const auto c = z(batch.constraint[e]);
        held[c] = blank(constraints[c].group, constraints[c].name, constraints[c].type);
        if (const auto it = gears.find(constraints[c].name); it != gears.end()) {
          held[c].radii = it->second.radii;
          held[c].mesh = it->second.mesh;
        }
        fill(held[c], batch.elements[e]);
      }
    });
    mechanism_.system.impl().each_force([&](const auto& batch) {
      for (std::size_t e = 0; e < batch.elements.size(); ++e) {
        const auto f = z(batch.force[e]);
        applied[f] = blank(Group::force, forces[f].name, forces[f].type);
        fill(applied[f], batch.elements[e]);
      }
    });
    out.elements = std::move(held);
    std::ranges::move(applied, std::back_inserter(out.elements));
    return out;
  }

 private:
  // Two bodies and their points at a pin.
  struct Pin {
    int i, j;
    Vec3<double> pi, pj;
  };

  static Scene::Element blank(Group group, const std::string& name, std::string_view type) {
    Scene::Element out;
    out.group = group;
    out.name = name;
    out.type = type;
    return out;
  }

  static Vec3<double> flat(const Vec2<double>& p) { return {p.x, p.y, 0}; }

  // The engine measures from the centre of mass.
  [[nodiscard]] Vec3<double> from_origin(int body, const Vec2<double>& p_com) const {
    return flat(p_com - mechanism_.bodies[z(body)].origin_com);
  }
  [[nodiscard]] Vec3<double> at(const planar::Point<double>& point) const { return from_origin(point.body, point.p); }
  [[nodiscard]] Scene::Line along(const planar::Line<double>& line) const {
    return {from_origin(line.body, line.p), from_origin(line.body, line.p + line.a)};
  }

  static Scene::Body drawn(const BodyData& body, bool ground) {
    Scene::Body out;
    out.name = body.name;
    for (const BodyPoint& point : body.points) out.points.push_back({point.name, flat(point.p_com - body.origin_com)});
    if (!ground) out.com = flat(body.com);
    out.mass = body.mass;
    return out;
  }

  void find_pins() {
    for (const auto& pin : std::get<Batch<planar::Revolute>>(mechanism_.system.impl().batches).elements)
      pins_.push_back({pin.i.body, pin.j.body, at(pin.i), at(pin.j)});
  }

  // Where a body turns: at its pin to `on` where there is one, at any pin otherwise, at the origin when it has none.
  [[nodiscard]] Vec3<double> pivot(int body, int on) const {
    const Pin* best = nullptr;
    for (const Pin& pin : pins_) {
      if (pin.i != body && pin.j != body) continue;
      if ((pin.i == body ? pin.j : pin.i) == on) return pin.i == body ? pin.pi : pin.pj;
      if (best == nullptr) best = &pin;
    }
    if (best == nullptr || body == 0) return {};
    return best->i == body ? best->pi : best->pj;
  }

  // A wheel's axis is carried by the ground or, if not, by what carries the other one too.
  [[nodiscard]] Vec3<double> wheel_centre(int wheel, int other) const {
    int carrier = 0;
    const auto carries = [&](int body, int what) {
      return std::ranges::any_of(pins_, [&](const Pin& p) { return (p.i == body && p.j == what) || (p.j == body && p.i == what); });
    };
    if (!carries(0, wheel))
      for (int body = 1; body < static_cast<int>(mechanism_.bodies.size()); ++body)
        if (carries(body, wheel) && (carries(body, other) || body == other)) carrier = body;
    return pivot(wheel, carrier);
  }

  // Where j turns on i: their pin, each one's origin when they have none.
  void turning(Scene::Element& out, int i, int j) const {
    out.i = i;
    out.j = j;
    out.pi = out.pj = Vec3<double>{};
    for (const Pin& pin : pins_) {
      if (pin.i == i && pin.j == j) return void((out.pi = pin.pi, out.pj = pin.pj));
      if (pin.i == j && pin.j == i) return void((out.pi = pin.pj, out.pj = pin.pi));
    }
  }

  static std::string coordinate_word(const planar::Coordinate<double>& u) {
    return u.pick[0] != 0 ? "x" : u.pick[1] != 0 ? "y" : u.pick[2] != 0 ? "phi" : "";
  }

  // None where it damps nothing.
  static std::optional<double> damper(double damping) { return damping > 0 ? std::optional(damping) : std::nullopt; }

  // Between two points: revolute, weld, distance, spring ...
  template <class E>
    requires requires(const E& e) { e.i.p, e.j.p; }
  void fill(Scene::Element& out, const E& e) const {
    out.i = e.i.body;
    out.j = e.j.body;
    if constexpr (requires { e.i.a; }) {
      out.line_i = along(e.i);
      out.line_j = along(e.j);
    } else {
      out.pi = at(e.i);
      out.pj = at(e.j);
    }
    if constexpr (requires { e.length.value; }) out.length = e.length.value;
    if constexpr (requires { e.stiffness; }) out.stiffness = e.stiffness, out.free_length = 0;
    if constexpr (requires { e.free_length.value; }) out.free_length = e.free_length.value;
    if constexpr (requires { e.damping; }) out.damping = damper(e.damping);
  }

  void fill(Scene::Element& out, const planar::PinInSlot<double>& e) const { slot(out, e.slot, e.pin); }
  void fill(Scene::Element& out, const planar::SlotDistanceDriver<double>& e) const { slot(out, e.line, e.point); }
  void fill(Scene::Element& out, const planar::Rolling<double>& e) const {
    slot(out, e.line, e.wheel);
    out.radius = e.radius;
  }
  void slot(Scene::Element& out, const planar::Line<double>& line, const planar::Point<double>& pin) const {
    out.i = line.body;
    out.line_i = along(line);
    out.j = pin.body;
    out.pj = at(pin);
  }
  void fill(Scene::Element& out, const planar::Translational<double>& e) const {
    out.i = e.slot.body;
    out.line_i = along(e.slot);
    out.j = e.slider.body;
    out.line_j = along(e.slider);
  }

  void fill(Scene::Element& out, const planar::Gear<double>& e) const {
    out.i = e.i.body;
    out.j = e.j.body;
    out.pi = wheel_centre(out.i, out.j);
    out.pj = wheel_centre(out.j, out.i);
    out.ratio = e.ratio.K;
  }
  void fill(Scene::Element& out, const planar::GearOnArm<double>& e) const {
    out.i = e.i.body;
    out.j = e.j.body;
    out.arm = e.arm.body;
    out.pi = pivot(out.i, out.arm);
    out.pj = pivot(out.j, out.arm);
    out.ratio = e.ratio.K;
  }

  template <class E>
    requires requires(const E& e) { e.j.pick; }
  void fill(Scene::Element& out, const E& e) const {
    out.j = e.j.body;
    out.what = coordinate_word(e.j);
    out.what_i = coordinate_word(e.i);
    if (out.what_i.empty()) return;
    out.i = e.i.body;
    out.ratio = e.ratio;
  }

  void fill(Scene::Element& out, const planar::AngleDriver<double>& e) const { turning(out, e.i.body, e.j.body); }
  void fill(Scene::Element& out, const planar::TorsionSpring<double>& e) const {
    turning(out, e.i.body, e.j.body);
    out.stiffness = e.stiffness;
    out.damping = damper(e.damping);
  }
  void fill(Scene::Element& out, const planar::Moment<double>& e) const { out.j = e.on.body; }
  template <class E>
    requires requires(const E& e) { e.on.p; }
  void fill(Scene::Element& out, const E& e) const {
    out.j = e.on.body;
    out.pj = at(e.on);
    out.body_axes = E::frame == "body";
  }

  const PlaneMechanism& mechanism_;
  std::vector<Pin> pins_;
};

// ---- space ---------------------------------------------------------------------------------------------------------

Scene::Body drawn(const SpaceBody& body, bool ground) {
  Scene::Body out;
  out.name = body.name;
  for (const SpacePoint& point : body.points) out.points.push_back({point.name, point.frame.origin});
  if (!ground) out.com = body.com;
  out.mass = body.mass;
  return out;
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
  out.i = joint.parent;
  out.j = joint.child;
  out.frame_i = inverse(mechanism.bodies[z(joint.parent)].frame) * joint.frame;
  out.frame_j = inverse(mechanism.bodies[z(joint.child)].frame) * joint.links.successor;
  // the first link of a joint moves along or about its own z axis
  if (joint.type->keys.axis) out.axis = in_axes(joint.frame.axes, mechanism.tree.link(joint.links.first).place.axes.z);
  if (joint.type->keys.pitch) out.pitch = mechanism.tree.link(joint.links.first).advance;
  return out;
}

Scene::Element drawn(const SpaceLoop& loop) {
  Scene::Element out;
  out.group = Group::loop;
  out.name = loop.name;
  out.type = loop.type->type;
  out.i = loop.i;
  out.j = loop.j;
  out.frame_i = loop.frame_i;
  out.frame_j = loop.frame_j;
  if (loop.type->keys.axis && !loop.steps.empty()) out.axis = loop.steps.front().axis;
  if (loop.type->keys.pitch && !loop.steps.empty()) out.pitch = loop.steps.front().advance;
  return out;
}

Scene::Element drawn(const SpaceForce& force) {
  static constexpr std::array<std::string_view, 4> kTypes{"force", "moment", "wrench", "spring"};
  Scene::Element out;
  out.group = Group::force;
  out.name = force.name;
  out.type = kTypes[static_cast<std::size_t>(force.kind)];
  out.j = force.body;
  out.body_axes = force.body_axes;
  if (force.kind == SpaceForce::Kind::force || force.kind == SpaceForce::Kind::spring) out.pj = force.point;
  if (force.kind == SpaceForce::Kind::wrench) {
    // in body axes about the body's origin, in ground axes about the ground's
    if (force.body_axes) out.pj = Vec3<double>{};
    else out.i = 0, out.pi = Vec3<double>{};
  }
  if (force.kind != SpaceForce::Kind::spring) return out;
  out.i = force.other;
  out.pi = force.other_point;
  out.stiffness = force.stiffness;
  out.free_length = force.free_length;
  if (force.damping > 0) out.damping = force.damping;
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
  out.i = mechanism.joint_of(coupling.i).child;
  out.j = mechanism.joint_of(coupling.j).child;
  out.ratio = coupling.ratio;
  out.coupled = {dof(coupling.i), dof(coupling.j)};
  return out;
}

}  // namespace

Scene scene(const PlaneMechanism& mechanism) {
  Scene out = PlaneScene(mechanism).run();
  add_shapes(out, mechanism.outlines);
  return out;
}

Scene scene(const SpaceMechanism& mechanism) {
  Scene out;
  out.space = true;
  for (const SpaceBody& body : mechanism.bodies) out.bodies.push_back(drawn(body, &body == &mechanism.bodies.front()));
  for (const SpaceJoint& joint : mechanism.joints) out.elements.push_back(drawn(mechanism, joint));
  for (const SpaceForce& force : mechanism.forces) out.elements.push_back(drawn(force));
  for (const SpaceLoop& loop : mechanism.loops) out.elements.push_back(drawn(loop));
  for (const SpaceCoupling& coupling : mechanism.couplings) out.elements.push_back(drawn(mechanism, coupling));
  add_shapes(out, mechanism.outlines);
  out.size = typical_length(out);
  return out;
}

}  // namespace jounce
