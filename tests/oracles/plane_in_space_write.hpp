// The texts of a planar model built again in space; the second half of plane_in_space.hpp.
#pragma once

#include "oracles/plane_in_space.hpp"

namespace oracle {

namespace writing {

using jounce::Text;

inline std::vector<Text> texts(const auto& numbers) {
  std::vector<Text> out;
  for (const double x : numbers) out.emplace_back(x);
  return out;
}
inline std::vector<Text> screw(std::size_t place) {
  std::array<double, 6> out{};
  out[place] = 1;
  return texts(out);
}

}  // namespace writing

/// Every link of the tree from the side of the ground.
inline void PlaneInSpace::orient() {
  std::set<int> reached{0};
  for (bool more = true; more;) {
    more = false;
    for (PlanarLink& l : links) {
      if (l.loop || reached.contains(l.a) == reached.contains(l.b)) continue;
      l.reversed = reached.contains(l.b), reached.insert(l.child()), more = true;
    }
  }
}

inline jounce::Table PlaneInSpace::placement(int body, const Pose& local) const {
  const auto xyz = body == 0 ? plane.place(local.x, local.y) : std::array<double, 3>{local.x, local.y, 0};
  const auto rpy = body == 0 ? plane.rpy(local.phi) : std::array<double, 3>{0, 0, local.phi};
  jounce::Table out;
  out.set("xyz", writing::texts(xyz)), out.set("rpy", writing::texts(rpy));
  return out;
}

inline std::string PlaneInSpace::point(int body, const std::string& name, const Pose& local) {
  const auto xyz = body == 0 ? plane.place(local.x, local.y) : std::array<double, 3>{local.x, local.y, 0};
  const auto rpy = body == 0 ? plane.rpy(local.phi) : std::array<double, 3>{0, 0, local.phi};
  jounce::Body& on = body == 0 ? model.ground : model.body(names_[jounce::z(body)]);
  on.points.push_back({name, {}, writing::texts(xyz), writing::texts(rpy)});
  return names_[jounce::z(body)] + "." + name;
}

// The origin of the ground is not in the plane; a point that is stands for it.
inline std::string PlaneInSpace::reference(const std::string& text) const {
  return text == "ground.origin" || text == "ground.com" ? "ground.in-plane" : text;
}

inline void PlaneInSpace::write_type(const PlanarLink& link, Element& out) const {
  const bool relaxed = link.loop && closing_ == Closing::plane_only;
  if (!relaxed && link.steps == "") out.type = "fixed";
  else if (!relaxed && link.steps == "r") out.type = "revolute";
  else if (!relaxed && link.steps == "x") out.type = "prismatic", out.set("axis", std::vector<Text>{1.0, 0.0, 0.0});
  else if (link.on_table() && !link.loop) out.type = "planar";
  else {
    out.type = "custom";
    std::vector<std::vector<Text>> screws;
    for (const char step : link.steps) {
      screws.push_back(writing::screw(step == 'x' ? 3 : step == 'y' ? 4 : 2));
      if (step == 'R') screws.back()[4] = Text(-link.length);
    }
    if (link.reversed) std::ranges::reverse(screws);
    if (relaxed)
      for (const std::size_t out_of_plane : {5U, 0U, 1U}) screws.push_back(writing::screw(out_of_plane));
    out.set("screws", screws);
  }
}

inline void PlaneInSpace::write_body(int b) {
  const jounce::BodyData& data = words_.mechanism().bodies[jounce::z(in_plane(b))];
  jounce::Body& out = model.body(body(b));
  const double share = shares_[jounce::z(b)];
  out.com = writing::texts(std::array<double, 3>{data.com.x, data.com.y, 0});
  if (data.mass) out.mass = Text(share * *data.mass);
  // Out of the plane nothing turns, so that only the last of the three counts.
  if (data.inertia) {
    const double i = share * *data.inertia;
    out.inertia_matrix = writing::texts(std::array<double, 6>{0.7 * i, 0.6 * i, i, 0, 0, 0});
  }
  if (in_plane(b) != b) return;
  for (const jounce::BodyPoint& p : data.points)
    out.points.push_back({p.name, {}, writing::texts(std::array<double, 3>{p.p_com.x + data.com.x, p.p_com.y + data.com.y, 0}), {}});
}

// The friction that a joint of the plane has, or null.
inline const jounce::Entry* PlaneInSpace::rubs(const std::string& joint) const {
  for (const Element& e : words_.model().joints)
    if (e.name == joint) return e.find("friction");
  return nullptr;
}

inline void PlaneInSpace::write_joint(const PlanarLink& link) {
  Element out{link.name, "", {}, {}, {}};
  write_type(link, out);
  out.set("parent", Text(body(link.parent()))).set("child", Text(body(link.child())));
  out.set("origin", placement(link.parent(), link.parent_frame())).set("child_origin", placement(link.child(), link.child_frame()));
  const std::size_t n = link.steps.size();
  if (n > 0) {
    const std::size_t a = jounce::z(link.a), b = jounce::z(link.b);
    const JointState state = link.state(poses_[a], rates_[a], poses_[b], rates_[b]);
    std::vector<double> q(n), v(n);
    std::vector<jounce::Table> dofs(n);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t at = jounce::z(link.dof(static_cast<int>(k)) - 1);
      q[at] = link.sign() * state.q[k], v[at] = link.sign() * state.v[k];
      const LinkDof& dof = link.dofs[k];
      const auto signed_text = [&](const std::string& text) { return Text(link.reversed ? "-(" + text + ")" : text); };
      if (!dof.motion.empty()) dofs[at].set("motion", signed_text(dof.motion));
      if (!dof.torque.empty()) dofs[at].set("torque", signed_text(dof.torque));
      if (!dof.sprung) continue;
      dofs[at].set("stiffness", Text(dof.stiffness)).set("damping", Text(dof.damping)).set("rest", Text(link.sign() * dof.rest));
    }
    out.set("q", writing::texts(q)).set("v", writing::texts(v)).set("dofs", dofs);
  }
  if (const jounce::Entry* friction = rubs(link.name)) {
    if (out.type == "revolute" || out.type == "prismatic") out.set("friction", friction->value);
    else why_not = kNoFriction;
  }
  model.joints.push_back(out);
}

inline void PlaneInSpace::write_loop(const PlanarLink& link) {
  if (rubs(link.name) != nullptr) why_not = kNoFriction;
  Element out{link.name, "", {}, {}, {}};
  write_type(link, out);
  out.set("i", Text(point(link.a, link.name + "-i", link.frame_a))).set("j", Text(point(link.b, link.name + "-j", link.frame_b)));
  model.loops.push_back(out);
}

inline void PlaneInSpace::write_force(const Element& e) {
  Element out = e;
  if (e.type == "spring") {
    for (const char* key : {"i", "j"}) out.set(key, Text(reference(words_.text(e, key))));
  } else if (e.type == "moment" || e.type == "force") {
    const bool moment = e.type == "moment", in_body = !moment && e.find("frame") != nullptr && words_.text(e, "frame") == "body";
    const auto part = [&](std::size_t axis, std::size_t k, const std::string& text) {
      return number(plane.axes[axis][k]) + "*(" + text + ")";
    };
    std::vector<Text> value;
    for (std::size_t k = 0; k < 3; ++k) {
      if (moment) value.emplace_back(part(2, k, words_.text(e, "value")));
      else if (in_body) value.emplace_back(k < 2 ? words_.text(e, "value", k) : "0");
      else value.emplace_back(part(0, k, words_.text(e, "value", 0)) + " + " + part(1, k, words_.text(e, "value", 1)));
    }
    out.set("value", value);
  }
  model.forces.push_back(out);
}

inline std::string PlaneInSpace::dof_text(const FoundDof& found) const {
  return links[found.link].name + "." + std::to_string(links[found.link].dof(found.step));
}

inline void PlaneInSpace::write() {
  const jounce::Model& from = words_.model();
  orient();
  model.file = from.file, model.name = from.name + " in space", model.space = jounce::Space::three;
  model.parameters = from.parameters, model.run = from.run;
  const jounce::Vec2<double> gravity = words_.mechanism().gravity;
  model.gravity = writing::texts(plane.vector(gravity.x, gravity.y));
  for (int b = 1; b < static_cast<int>(names_.size()); ++b) write_body(b);
  for (const jounce::BodyPoint& p : words_.mechanism().bodies[0].points) (void)point(0, p.name, {p.p_com.x, p.p_com.y, 0});
  (void)point(0, "in-plane", {});
  for (const PlanarLink& link : links) link.loop ? write_loop(link) : write_joint(link);
  for (const Coupled& c : couplings_) {
    // s_j q_j + o_j = K (s_i q_i + o_i) + C, and the coordinates of a link turned round have the other sign
    const double i = c.i.sign * links[c.i.link].sign(), j = c.j.sign * links[c.j.link].sign();
    Element out{c.name, "", {}, {}, {}};
    out.set("i", Text(dof_text(c.i))).set("j", Text(dof_text(c.j)));
    out.set("ratio", Text(c.ratio * i * j)).set("offset", Text(j * (c.ratio * c.i.offset + c.offset - c.j.offset)));
    model.couplings.push_back(out);
  }
  for (const Element* e : forces_) write_force(*e);
}

}  // namespace oracle
