#include "jounce/api/json.hpp"

#include <algorithm>
#include <span>

namespace jounce {

Json to_json(const Problems& problems) {
  Json out = Json::array();
  for (const Problem& p : problems) {
    const char* severity = p.severity == Severity::error ? "error" : p.severity == Severity::warning ? "warning" : "note";
    out.push_back({{"severity", severity},
                   {"file", p.file},
                   {"line", p.where.line},
                   {"column", p.where.column},
                   {"sentence", p.sentence},
                   {"hint", p.hint}});
  }
  return out;
}

Json to_json(const Outcome& outcome) {
  return {{"kind", word(outcome.kind)}, {"t", outcome.t}, {"sentence", outcome.sentence}, {"elements", outcome.elements}};
}

Json to_json(const std::vector<Event>& events) {
  Json out = Json::array();
  for (const Event& e : events) {
    out.push_back({{"t", e.t}, {"kind", e.kind}, {"sentence", e.sentence}, {"elements", e.elements}});
    if (!e.direction.empty()) out.back()["direction"] = e.direction;
    if (e.impulse != 0) out.back()["impulse"] = e.impulse;
  }
  return out;
}

Json to_json(const RunStatistics& s, Analysis analysis) {
  Json out{{"samples", s.samples},
           {"steps", s.steps},
           {"rejected", s.rejected},
           {"factorisations", s.factorisations},
           {"worst_residual", s.worst_residual}};
  if (analysis == Analysis::dynamics || analysis == Analysis::inverse) out["energy_balance"] = s.energy_balance;
  if (analysis == Analysis::dynamics)
    out.update({{"worst_defect", s.worst_defect},
                {"largest_projection", s.largest_projection},
                {"conservative", s.conservative},
                {"energy_drift", s.conservative ? Json(s.energy_drift) : Json()},
                {"method", s.method},
                {"formulation", s.formulation},
                {"order", s.order}});
  return out;
}

Json to_json(const Equilibrium& rest) {
  Json frequencies = Json::array(), modes = Json::array(), eigenvalues = Json::array();
  for (const NaturalMode& mode : rest.modes) {
    frequencies.push_back(mode.frequency);
    Json shape = Json::object();
    for (std::size_t i = 0; i < mode.shape.size(); ++i) shape[rest.components[i]] = mode.shape[i];
    modes.push_back({{"frequency_hz", mode.frequency}, {"omega", mode.omega}, {"growth", mode.growth}, {"damping", mode.damping}, {"shape", shape}});
  }
  for (const std::complex<double>& s : rest.eigenvalues) eigenvalues.push_back({s.real(), s.imag()});
  return {{"stable", rest.stable},
          {"unstable", rest.unstable},
          {"neutral", rest.neutral},
          {"free_motions", rest.free_motions},
          {"iterations", rest.iterations},
          {"unbalanced", rest.unbalanced},
          {"frequencies_hz", frequencies},
          {"modes", modes},
          {"eigenvalues", eigenvalues},
          {"note", rest.note}};
}

Json to_json(const OverRun& over) {
  Json missing = Json::array();
  for (const OverRun::Missing& gap : over.missing)
    missing.push_back({{"from", gap.from}, {"to", gap.to}, {"outcome", word(gap.kind)}, {"sentence", gap.sentence}});
  return {{"coordinate", over.coordinate},
          {"unit", over.unit},
          {"effort", over.effort},
          {"effort_unit", over.effort_unit},
          {"set_aside", over.set_aside},
          {"values", over.values},
          {"found", over.found},
          {"unstable", over.unstable},
          {"missing", missing}};
}

Json extremes_json(const RunSummary& summary, std::size_t most_points) {
  Json driven = Json::array(), points = Json::array();
  for (const DrivenRange& d : summary.driven)
    driven.push_back({{"driver", d.driver},
                      {"unit", d.unit},
                      {"motion", {d.value.from, d.value.to}},
                      {"rate", {d.rate.from, d.rate.to}}});
  for (const PointPeak& p : std::span(summary.points).first(std::min(most_points, summary.points.size())))
    points.push_back({{"point", p.point},
                      {"also", p.also},
                      {"speed", p.speed},
                      {"speed_t", p.speed_t},
                      {"acceleration", p.acceleration},
                      {"acceleration_t", p.acceleration_t}});
  return {{"driven", driven}, {"fastest", points}};
}

Json loads_json(const RunSummary& summary) {
  Json efforts = Json::array(), joints = Json::array(), members = Json::array();
  for (const EffortPeak& e : summary.efforts)
    efforts.push_back({{"driver", e.driver}, {"unit", e.unit}, {"peak", e.peak}, {"peak_t", e.t}, {"rms", e.rms}});
  for (const LoadPeak& joint : summary.joints)
    joints.push_back({{"joint", joint.joint}, {"force", joint.force}, {"force_t", joint.t}});
  for (const MemberPeak& m : summary.members)
    members.push_back({{"member", m.member}, {"most", m.most}, {"most_t", m.most_t}, {"least", m.least}, {"least_t", m.least_t}});
  const LoadPeak* largest = summary.largest_load();
  return {{"efforts", efforts}, {"joints", joints}, {"members", members}, {"largest", largest != nullptr ? Json(largest->joint) : Json()}};
}

Json to_json(const MomentumDrift& momentum) {
  return {{"linear", momentum.linear},
          {"angular", momentum.angular},
          {"linear_drift", momentum.linear_drift},
          {"angular_drift", momentum.angular_drift}};
}

std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace jounce
