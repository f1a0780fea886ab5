// Oracle: the reference vectors of spatial.json (40-digit results rounded once to double). The file's own `conventions` explain its
// fields; `bodies` there are what `build` below makes links of.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "jounce/tree/registry.hpp"
#include "jounce/tree/rotation.hpp"
#include "jounce/tree/tree.hpp"
#include "places.hpp"

namespace oracle {

using Json = nlohmann::json;
using SpaceVec = jounce::Vec3<double>;

struct SpatialBody {
  int link = 0;
  jounce::Frame<double> frame;  // of the body, in its link
};

struct SpatialCase {
  std::string name;
  jounce::tree::Tree tree;
  std::vector<SpatialBody> bodies;
  std::vector<double> q, v, qdd_active, tau;  // tau: applied and springs
  std::vector<std::uint8_t> active;
  std::vector<std::array<double, 6>> external;  // [moment; force] about the ground's origin, of each body
  Json out;
};

inline SpaceVec vector_of(const Json& j) { return {j[0].get<double>(), j[1].get<double>(), j[2].get<double>()}; }

/// Every number of nested lists, in order.
inline std::vector<double> flat(const Json& j) {
  std::vector<double> out;
  if (j.is_number()) return {j.get<double>()};
  for (const Json& part : j)
    for (const double x : flat(part)) out.push_back(x);
  return out;
}

inline Json read_json(const std::string& name) {
  std::ifstream in(places::source() + "/tests/data/" + name);
  return Json::parse(in);
}

inline jounce::tree::JointShape shape_of(const Json& joint) {
  jounce::tree::JointShape shape;
  if (joint.contains("axis")) {
    const SpaceVec axis = vector_of(joint["axis"]);
    shape.axis = axis * (1 / length(axis));
  }
  if (joint.contains("pitch")) shape.pitch = joint["pitch"].get<double>();
  if (joint.contains("screws")) shape.screws = joint["screws"].get<std::vector<std::array<double, 6>>>();
  return shape;
}

inline SpatialCase spatial_case(const Json& record) {
  using namespace jounce::tree;
  SpatialCase out;
  out.name = record["name"];
  out.tree.gravity = vector_of(record["gravity"]);
  for (const Json& body : record["bodies"]) {
    const Json& e = body["quat"];
    const Quaternion turn = normalised({e[0], e[1], e[2], e[3]});
    jounce::Frame<double> place{jounce::rotation(turn.w, turn.x, turn.y, turn.z), vector_of(body["r"])};
    const int parent = body["parent"];
    if (parent >= 0) place = out.bodies[static_cast<std::size_t>(parent)].frame * place;
    const JointType* type = find_joint_type(body["joint"]["type"].get<std::string>());
    const std::vector<Step> steps = type->steps(shape_of(body["joint"]));
    const Attached joint = attach(out.tree, parent < 0 ? kGround : out.bodies[static_cast<std::size_t>(parent)].link, place, steps);
    const Json& i = body["Ic"];
    const jounce::Sym3<double> central{i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2]};
    out.tree.load(joint.last, joint.successor, rigid_inertia(body["mass"], vector_of(body["com"]), central));
    out.bodies.push_back({joint.last, joint.successor});
  }
  out.q = record["q"].get<std::vector<double>>();
  normalise(out.tree, out.q);
  out.v = record["qd"].get<std::vector<double>>();
  out.qdd_active = record["qdd_active"].get<std::vector<double>>();
  out.active = record["active"].get<std::vector<std::uint8_t>>();
  out.tau = record["tau_applied"].get<std::vector<double>>();
  for (std::size_t k = 0; k < out.tau.size(); ++k) out.tau[k] += record["out"]["tau_spring"][k].get<double>();
  out.external = record["fext"].get<std::vector<std::array<double, 6>>>();
  out.out = record["out"];
  return out;
}

inline std::vector<SpatialCase> spatial_cases() {
  std::vector<SpatialCase> out;
  const Json file = read_json("spatial.json");
  for (const Json& record : file["cases"]) out.push_back(spatial_case(record));
  return out;
}

}  // namespace oracle
