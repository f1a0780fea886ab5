#include "jounce/api/json.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {
namespace {

Json json(const ExplainedForce& f) {
  Json out{{"name", f.name}, {"type", f.type}};
  if (!f.trouble.empty()) return out["trouble"] = f.trouble, out;
  Json Q = Json::object(), Q_rate = Json::object();
  for (const ExplainedForceBlock& block : f.bodies) Q[block.body] = block.Q, Q_rate[block.body] = block.Q_rate;
  out.update({{"Q", Q}, {"Q_rate", Q_rate}});
  if (f.along == ExplainedForce::Along::length)
    out.update({{"l", f.measure[0]}, {"l_rate", f.measure[1]}, {"l_rate2", f.measure[2]}, {"f", f.effort[0]}, {"f_rate", f.effort[1]}});
  if (f.along == ExplainedForce::Along::angle)
    out.update({{"theta", f.measure[0]}, {"omega", f.measure[1]}, {"alpha", f.measure[2]}, {"torque", f.effort[0]}, {"torque_rate", f.effort[1]}});
  return out;
}

Json json(const ExplainedConstraint& c) {
  Json phi_q = Json::object(), kappa = Json::object();
  for (const ExplainedBlock& block : c.bodies) phi_q[block.body] = block.phi_q, kappa[block.body] = block.kappa;
  return {{"name", c.name},
          {"group", c.group},
          {"type", c.type},
          {"phi", c.phi},
          {"phi_q", phi_q},
          {"nu", c.nu},
          {"gamma", c.gamma},
          {"eta", c.eta},
          {"sigma", c.sigma},
          {"lambda", c.lambda},
          {"lambda_rate", c.lambda_rate},
          {"kappa", kappa}};
}

Json json(const Explanation& e) {
  Json bodies = Json::array(), constraints = Json::array(), forces = Json::array();
  for (const ExplainedForce& f : e.forces) forces.push_back(json(f));
  for (const ExplainedBody& b : e.bodies) bodies.push_back({{"name", b.name}, {"at_origin", b.at_origin}, {"q", b.q}});
  for (const ExplainedConstraint& c : e.constraints) constraints.push_back(json(c));
  return {{"t", e.t},         {"reference_point", "com"},   {"multipliers", e.multipliers},
          {"bodies", bodies}, {"constraints", constraints}, {"forces", forces}};
}

Json json(const DenseMatrix& a) {
  Json out = Json::array();
  for (int r = 0; r < a.rows; ++r) {
    Json row = Json::array();
    for (int c = 0; c < a.columns; ++c) row.push_back(a.at(r, c));
    out.push_back(std::move(row));
  }
  return out;
}

Json json(const SpaceExplanation::Force& f) {
  Json out{{"name", f.name}, {"type", f.type}};
  if (!f.trouble.empty()) return out["trouble"] = f.trouble, out;
  for (std::size_t k = 0; k < f.columns.size(); ++k) out[f.columns[k]] = f.value[k], out[f.columns[k] + "_rate"] = f.rate[k];
  Json Q = Json::object(), Q_rate = Json::object();
  for (const SpaceExplanation::Force::OnBody& on : f.bodies) Q[on.body] = on.Q, Q_rate[on.body] = on.Q_rate;
  out.update({{"Q", Q}, {"Q_rate", Q_rate}});
  return out;
}

Json json(const SpaceExplanation& e) {
  Json joints = Json::array(), bodies = Json::array(), closures = Json::array(), forces = Json::array();
  for (const SpaceExplanation::Joint& j : e.joints)
    joints.push_back({{"name", j.name},
                      {"type", j.type},
                      {"prescribed", j.prescribed},
                      {"q", j.q},
                      {"v", j.v},
                      {"a", j.a},
                      {"j", j.j},
                      {"s", j.s},
                      {"tau", j.tau},
                      {"force", j.force},
                      {"moment", j.moment}});
  for (const SpaceExplanation::Body& b : e.bodies)
    bodies.push_back({{"name", b.name},
                      {"position", b.position},
                      {"quaternion", b.quaternion},
                      {"velocity", b.velocity},
                      {"angular_velocity", b.angular_velocity},
                      {"acceleration", b.acceleration},
                      {"angular_acceleration", b.angular_acceleration}});
  for (const SpaceExplanation::Closure& c : e.closures)
    closures.push_back({{"name", c.name},
                        {"phi", c.phi},
                        {"K", c.K},
                        {"k", c.gamma},
                        {"nu", c.nu},
                        {"gamma", c.gamma},
                        {"eta", c.eta},
                        {"sigma", c.sigma},
                        {"lambda", c.lambda},
                        {"lambda_rate", c.lambda_rate}});
  for (const SpaceExplanation::Force& f : e.forces) forces.push_back(json(f));
  return {{"analysis", word(e.by)}, {"joints", joints}, {"bodies", bodies}, {"H", json(e.H)}, {"C", e.C}, {"closures", closures}, {"forces", forces}};
}

Json json(const KaneExplanation& e) {
  const KaneArrays& a = e.arrays;
  const auto name = [&](int body) { return a.bodies[static_cast<std::size_t>(body - 1)]; };
  Json coordinates = Json::array(), pinned = Json::array(), cut = Json::array();
  for (std::size_t i = 0; i < a.coordinates.size(); ++i)
    coordinates.push_back({{"name", a.coordinates[i].name},
                           {"motion", a.coordinates[i].turns ? "turn" : "slide"},
                           {"body", e.moved[i].body},
                           {"carrier", e.moved[i].carrier}});
  for (const KanePinned& body : a.pinned) {
    const auto [sine, c] = sincos(body.theta);
    Json S_p = Json::object();
    for (const KanePinned::Child& child : body.children) S_p[name(child.body)] = {-child.p.y, child.p.x};
    pinned.push_back({{"body", name(body.body)},
                      {"theta", body.theta},
                      {"S_k0", {{c, sine}, {-sine, c}}},
                      {"S_r", {-body.r.y, body.r.x}},
                      {"S_p", S_p}});
  }
  for (const KaneExplanation::Cut& c : e.cut) cut.push_back(c.name);
  return {{"coordinates", coordinates}, {"bodies", a.bodies}, {"pinned", pinned},     {"q", a.q},         {"qd", a.qd},
          {"W_pd", json(a.Wpd)},        {"V_pd", json(a.Vpd)}, {"A1", json(a.A1)},     {"A2", json(a.A2)}, {"A3", json(a.A3)},
          {"F", a.F},                   {"M_ext", a.M_ext},   {"M", json(a.M)},       {"f_ext", a.f_ext}, {"f", a.f},
          {"cut", cut},                 {"closures", a.closures}, {"K", json(a.K)},   {"k", a.k},         {"rank", a.rank},
          {"qdd", a.qdd},               {"lambda", a.lambda}, {"accelerations", a.accelerations},
          {"B", json(a.B)},             {"B_prime", json(a.B_prime)}, {"F_in", a.F_in}, {"M_in", a.M_in}};
}

// A vector as a list, a matrix as a list of rows.
void add(Json& out, const std::vector<ExplainedArray>& arrays) {
  for (const ExplainedArray& array : arrays) {
    if (array.columns.empty() && array.value.size() == array.rows.size()) {
      out[array.key] = array.value;
      continue;
    }
    Json rows = Json::array();
    const auto width = static_cast<std::ptrdiff_t>(array.columns.size());
    for (std::size_t r = 0; r < array.rows.size(); ++r) {
      const auto first = array.value.begin() + static_cast<std::ptrdiff_t>(r) * width;
      rows.push_back(std::vector<double>(first, first + width));
    }
    out[array.key] = std::move(rows);
  }
}

Json json(const ArraysExplanation& e) {
  Json bodies = Json::array();
  for (const ExplainedLinkageBody& b : e.bodies) {
    Json body{{"name", b.name}, {"joint", b.joint}, {"type", b.type}, {"parent", b.parent}, {"dofs", b.dofs}, {"prescribed", b.prescribed}};
    add(body, b.arrays);
    bodies.push_back(std::move(body));
  }
  Json out{{"analysis", word(e.by)}, {"laws", e.laws}, {"bodies", bodies}};
  if (!e.arrays.empty()) out["dofs"] = e.arrays.back().rows;
  add(out, e.arrays);
  return out;
}

void add_ending(Json& out, const Outcome& outcome, const Problems& problems) {
  out["outcome"] = to_json(outcome);
  out["problems"] = to_json(problems);
}

}  // namespace

// Measures and events as the model writes them, with the units that the results have; none where it has none.
static void add_names(Json& out, const Mechanism& mechanism) {
  const Model& model = mechanism.model();
  if (model.measures.empty() && model.events.empty()) return;
  const std::vector<Column> columns = result_columns(mechanism, Analysis::dynamics);
  out["measures"] = Json::array(), out["events"] = Json::array();
  for (const Parameter& measure : model.measures) {
    const auto found = std::ranges::find(columns, measure.name, &Column::name);
    out["measures"].push_back({{"name", measure.name}, {"of", measure.value.text}, {"unit", found == columns.end() ? "" : found->unit}});
  }
  for (const EventSection& event : model.events)
    out["events"].push_back({{"name", event.name}, {"when", event.when.text}, {"direction", event.direction ? event.direction->text : "both"}, {"stop", event.stop}});
}

Json explain_json(const Mechanism& mechanism, double t, const Explained& explained, const Problems& problems) {
  Json out{{"model", mechanism.file()}};
  if (mechanism.space() == Space::three) out.update({{"t", t}, {"space", "3d"}});
  if (const auto* plane = std::get_if<Explanation>(&explained.what)) out.update(json(*plane));
  if (const auto* space = std::get_if<SpaceExplanation>(&explained.what)) out.update(json(*space));
  add_names(out, mechanism);
  add_ending(out, explained.outcome, problems);
  return out;
}

Json explain_json(const Mechanism& mechanism, double t, const KaneExplainResult& explained, const Problems& problems) {
  Json out{{"model", mechanism.file()}, {"t", t}, {"formulation", "kane"}};
  if (explained.explanation) out.update(json(*explained.explanation));
  add_ending(out, explained.outcome, problems);
  return out;
}

Json explain_json(const Mechanism& mechanism, double t, LinkageFormulation formulation, const ArraysExplainResult& explained, const Problems& problems) {
  Json out{{"model", mechanism.file()}, {"t", t}, {"space", "3d"}, {"formulation", word(formulation)}};
  if (explained.explanation) out.update(json(*explained.explanation));
  add_ending(out, explained.outcome, problems);
  return out;
}

}  // namespace jounce
