#include "jounce/api/json.hpp"

namespace jounce {
namespace {

Json dependent_json(const std::vector<DependentSet>& dependent) {
  Json out = Json::array();
  for (const DependentSet& set : dependent) out.push_back({{"names", set.names}, {"consistent", set.consistent}});
  return out;
}

Json idle_json(const std::vector<IdleTurn>& idle) {
  Json out = Json::array();
  for (const IdleTurn& turn : idle) out.push_back({{"bodies", turn.bodies}, {"from", turn.from}, {"to", turn.to}, {"sentence", turn.sentence()}});
  return out;
}

Json gaps_json(const std::vector<Gap>& gaps) {
  Json out = Json::array();
  for (const Gap& gap : gaps)
    out.push_back({{"constraint", gap.constraint}, {"metres", gap.metres}, {"radians", gap.radians}});
  return out;
}

Json elements_json(const std::vector<CheckedElement>& elements) {
  Json out = Json::array();
  for (const CheckedElement& e : elements) {
    Json own{{"name", e.name}};
    if (!e.type.empty()) own["type"] = e.type;
    own["equations"] = e.equations;
    out.push_back(std::move(own));
  }
  return out;
}

Json space_joints_json(const std::vector<CheckedElement>& joints) {
  Json out = Json::array();
  for (const CheckedElement& j : joints)
    out.push_back({{"name", j.name},
                   {"type", j.type},
                   {"parent", j.parent},
                   {"child", j.child},
                   {"coordinates", j.coordinates},
                   {"dofs", j.prescribed.size()},
                   {"prescribed", j.prescribed}});
  return out;
}

Json assembly_json(const Assembly& a) {
  return {{"assembled", a.assembled},
          {"worst_residual", a.worst_residual},
          {"moved", {{"metres", a.moved_metres}, {"radians", a.moved_radians}}},
          {"gaps", gaps_json(a.gaps)}};
}

Json mobility_json(const Mobility& m) {
  return {{"mobility", {{"counted", m.counted}, {"rank", m.mobility}, {"undriven", m.undriven}}},
          {"redundant", m.redundant},
          {"dependent", dependent_json(m.dependent)}};
}

Json plane_json(const Check& c) {
  const Mobility& m = c.mobility;
  Json out{{"bodies", m.bodies},
           {"equations", m.joint_equations + m.driver_equations},
           {"joint_equations", m.joint_equations},
           {"driver_equations", m.driver_equations},
           {"joints", elements_json(c.joints)},
           {"drivers", elements_json(c.drivers)}};
  out.update(mobility_json(m));
  out.update({{"not_unique", c.not_unique},
              {"singular_position", m.singular_position},
              {"only_infinitesimal", m.only_infinitesimal},
              {"regularity", m.regularity}});
  return out;
}

Json space_json(const Check& c) {
  const auto prescribed = static_cast<int>(c.prescribed.size());
  Json out{{"space", "3d"},
           {"bodies", c.bodies.size()},
           {"dofs", c.dofs},
           {"prescribed", prescribed},
           {"passive", c.dofs - prescribed},
           {"equations", c.mobility.joint_equations},
           {"joints", space_joints_json(c.joints)},
           {"loops", elements_json(c.loops)},
           {"couplings", elements_json(c.couplings)},
           {"equations", elements_json(c.equations)}};
  out.update(mobility_json(c.mobility));
  out["idle"] = idle_json(c.mobility.idle);
  out["not_unique"] = c.not_unique;
  if (!c.actuators.empty()) out["actuators"] = c.actuators, out["shared_efforts"] = c.shared_efforts;
  out["start"] = c.start;
  return out;
}

}  // namespace

Json check_json(const Mechanism& mechanism, const Check& c, const Problems& problems) {
  Json out{{"name", mechanism.name()}, {"model", mechanism.file()}};
  out.update(mechanism.space() == Space::plane ? plane_json(c) : space_json(c));
  out.update(assembly_json(c.assembly));
  out["problems"] = to_json(problems);
  return out;
}

}  // namespace jounce
