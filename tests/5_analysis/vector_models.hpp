// The constraints of planar.json as joints and drivers of a model in code.
#pragma once

#include "analysis_test.hpp"
#include "oracles/vectors.hpp"

namespace jounce::test {

inline const oracle::Vectors& vectors() {
  static const oracle::Vectors loaded = oracle::load_vectors(JOUNCE_SOURCE_DIR "/tests/data/planar.json");
  return loaded;
}

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

}  // namespace jounce::test
