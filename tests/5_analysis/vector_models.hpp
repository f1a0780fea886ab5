// The constraints and forces of planar.json as joints, drivers and forces of a model in code.
#pragma once

#include "analysis_test.hpp"
#include "oracles/vectors.hpp"

namespace jounce::test {

using oracle::vectors;

/// Adds the constraint, with points of its own on the bodies i, j (and k); `motion` is the driver's f(t).
inline void add_constraint(Model& m, const std::string& id, const std::string& type, const oracle::Parameters& p,
                           const std::vector<std::string>& bodies, const std::string& motion) {
  const std::string &i = bodies[0], &j = bodies[1];
  const auto point = [&](const std::string& body, const std::string& end, const oracle::Vec& s) {
    m.body(body).point(id + end, s[0], s[1]);
    return body + "." + id + end;
  };
  const auto line = [&](const std::string& body, const std::string& end, const oracle::Vec& s, const oracle::Vec& a) {
    return std::vector<Text>{point(body, end + "S", s), point(body, end + "E", oracle::Vec{s[0] + a[0], s[1] + a[1]})};
  };
  static constexpr std::array coordinates{"x", "y", "phi"};
  if (type == "REV") m.joint(id, "revolute").set("i", Text(point(i, "i", p.sPi))).set("j", Text(point(j, "j", p.sPj)));
  else if (type == "REV_REV")
    m.joint(id, "distance").set("i", Text(point(i, "i", p.sPi))).set("j", Text(point(j, "j", p.sPj))).set("length", Text(p.L));
  else if (type == "PARALLEL") m.joint(id, "parallel").set("i", line(i, "i", {}, p.ai)).set("j", line(j, "j", {}, p.aj));
  else if (type == "PIN_SLOT") m.joint(id, "pin-in-slot").set("slot", line(i, "i", p.sPi, p.ai)).set("pin", Text(point(j, "j", p.sPj)));
  else if (type == "ROLL")
    m.joint(id, "rolling").set("line", line(i, "i", p.sPi, p.ai)).set("wheel", Text(point(j, "j", p.sPj))).set("radius", Text(p.rho)).set("offset", Text(p.C));
  else if (type == "GEAR") m.joint(id, "gear").set("i", Text(i)).set("j", Text(j)).set("ratio", Text(p.K)).set("offset", Text(p.C));
  else if (type == "GEAR_ON_K")
    m.joint(id, "gear-on-arm").set("i", Text(i)).set("j", Text(j)).set("arm", Text(bodies[2])).set("ratio", Text(p.K)).set("offset", Text(p.C));
  else if (type == "ANGLE") motor(m, id, i, j, motion).set("offset", Text(p.C));
  else if (type == "PRDD")
    m.driver(id, "distance").set("i", Text(point(i, "i", p.sPi))).set("j", Text(point(j, "j", p.sPj))).set("motion", Text(motion));
  else if (type == "PP2DD")
    m.driver(id, "slot-distance").set("line", line(i, "i", p.sPi, p.ai)).set("point", Text(point(j, "j", p.sPj))).set("motion", Text(motion));
  else if (type == "RCD")
    m.driver(id, "coordinate").set("i", Text(i + "." + coordinates[p.coord_i])).set("j", Text(j + "." + coordinates[p.coord_j]))
        .set("ratio", Text(p.K)).set("offset", Text(p.C)).set("motion", Text(motion));
  else FAIL("no element for " << type);
}

/// Adds the force, with points of its own on the bodies i (and j). A function of time has the record's value and rate at t = 0.
inline void add_force(Model& m, const std::string& id, const oracle::ForceRecord& r, const std::vector<std::string>& bodies) {
  const auto motion = [&](std::size_t n) { return Text(text_of(r.value[n]) + " + " + text_of(r.rate[n]) + "*t"); };
  const auto point = [&](std::size_t b, const oracle::Vec& s) {
    const std::string name = id + (b == 0 ? "i" : "j");
    m.body(bodies[b]).point(name, s[0], s[1]);
    return Text(bodies[b] + "." + name);
  };
  if (r.type == "POINT_FORCE" || r.type == "FOLLOWER_FORCE") {
    Element& added = force(m, id, "force").set("on", point(0, r.sPi)).set("value", std::vector<Text>{motion(0), motion(1)});
    if (r.type == "FOLLOWER_FORCE") added.set("frame", Text("body"));
    return;
  }
  if (r.type == "MOMENT") return void(force(m, id, "moment").set("on", Text(bodies[0])).set("value", motion(0)));
  const bool length = r.type == "TSDA";
  const std::string x = length ? "l" : "theta", rate = length ? "v" : "omega";
  const auto p = [&](std::size_t n) { return "(" + text_of(r.law[n]) + ")"; };
  const std::string law = p(0) + " + " + p(1) + "*" + x + " + " + p(2) + "*" + rate + " + " + p(3) + "*" + x + "*" + rate + " + " + p(4) +
                          "*sin(" + p(5) + "*t)";
  const Text i = length ? point(0, r.sPi) : Text(bodies[0]), j = length ? point(1, r.sPj) : Text(bodies[1]);
  force(m, id, length ? "spring" : "torsion-spring").set("i", i).set("j", j).set("stiffness", Text(r.k)).set("damping", Text(r.c))
      .set(length ? "free_length" : "free_angle", Text(r.free)).set("friction", Text(r.friction))
      .set("friction_speed", Text(r.friction_speed)).set("actuator", Text(law));
}

/// Two bodies at the record's place, and its force between them.
inline Model force_model(const oracle::ForceRecord& r) {
  Model m;
  const std::vector<std::string> bodies{"i", "j"};
  for (std::size_t b = 0; b < r.bodies.size(); ++b) draw(m.body(bodies[b]), r.bodies[b].x[0], r.bodies[b].y[0], r.bodies[b].phi[0]);
  add_force(m, "f", r, bodies);
  return m;
}

/// x, y, phi of the bodies of a record, or a time derivative of theirs.
inline std::vector<double> coordinates(const std::vector<oracle::Body>& bodies, std::size_t derivative) {
  std::vector<double> q;
  for (const oracle::Body& b : bodies) q.insert(q.end(), {b.x[derivative], b.y[derivative], b.phi[derivative]});
  return q;
}

}  // namespace jounce::test
