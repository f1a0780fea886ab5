#include "report_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/base/files.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "model_input.hpp"
#include "rest_summary.hpp"
#include "text_file.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kMaxSource = std::size_t{1} << 20U;  // more of a model's text is of no use on a page
constexpr int kMostBodiesForRank = 1000;
constexpr std::size_t kPoints = 12, kModes = 20;

std::string at(double t) { return fmt::format("at {:.4g} s", t); }

// A table only where it has something to say.
void add(std::vector<SummaryTable>& out, SummaryTable table) {
  if (!table.rows.empty()) out.push_back(std::move(table));
}

std::string mobility_sentence(const PlaneMechanism& mechanism) {
  const int bodies = mechanism.system.bodies();
  const int equations = mechanism.system.joint_equations();
  std::string out = fmt::format("{} counted (3 x {} - {})", 3 * bodies - equations, bodies, equations);
  if (bodies > kMostBodiesForRank) return out;
  const Assembly assembly = assemble(mechanism);
  if (!assembly.assembled) return out;
  const Mobility m = mobility(mechanism, assembly.q);
  out += fmt::format(", {} by rank", m.mobility);
  if (m.redundant > 0) out += fmt::format("; {} redundant equation{}", m.redundant, m.redundant == 1 ? "" : "s");
  return out;
}

std::string mobility_sentence(const SpaceMechanism& mechanism) {
  const auto active = std::ranges::count_if(mechanism.dofs, &SpaceDof::active);
  return fmt::format("{} dofs of the joints, {} prescribed; {} loops, {} couplings", mechanism.dofs.size(), active,
                     mechanism.loops.size(), mechanism.couplings.size());
}

SummaryTable driven_table(const Extremes& extremes) {
  SummaryTable out{"Driven", {}};
  for (const DrivenRange& d : extremes.driven()) {
    if (!(d.value.from <= d.value.to)) continue;
    out.rows.push_back({d.driver, fmt::format("motion {:.6g} .. {:.6g} {}", d.value.from, d.value.to, d.unit),
                        fmt::format("rate {:.6g} .. {:.6g} {}/s", d.rate.from, d.rate.to, d.unit)});
  }
  return out;
}

SummaryTable points_table(const Extremes& extremes) {
  SummaryTable out{"Fastest points", {}};
  for (const PointPeak& p : extremes.fastest(kPoints))
    out.rows.push_back({p.point + (p.also.empty() ? "" : ", " + join_names(p.also)), fmt::format("{:.6g} m/s", p.speed), at(p.speed_t),
                        fmt::format("{:.6g} m/s²", p.acceleration), at(p.acceleration_t)});
  return out;
}

SummaryTable efforts_table(const Loads& loads, bool rest) {
  SummaryTable out{"Efforts", {}};
  for (const EffortPeak& e : loads.efforts()) {
    if (rest) out.rows.push_back({e.driver, fmt::format("{:.6g} {}", e.peak, e.unit)});
    else out.rows.push_back({e.driver, fmt::format("peak {:.6g} {}", e.peak, e.unit), at(e.t), fmt::format("RMS {:.6g} {}", e.rms, e.unit)});
  }
  return out;
}

SummaryTable loads_table(const Loads& loads, bool rest) {
  SummaryTable out{"Largest forces in joints", {}};
  for (const LoadPeak& joint : loads.joints()) {
    out.rows.push_back({joint.joint, fmt::format("{:.6g} N", joint.force)});
    if (!rest) out.rows.back().push_back(at(joint.t));
  }
  return out;
}

SummaryTable modes_table(const Equilibrium& rest) {
  SummaryTable out{"Natural modes", {}};
  for (std::size_t i = 0; i < std::min(rest.modes.size(), kModes); ++i)
    out.rows.push_back({std::to_string(i + 1), swing_text(rest.modes[i]), shape_text(rest, rest.modes[i])});
  return out;
}

std::string source_text(const std::string& path) {
  const auto text = read_file(path, kMaxSource);
  return text ? *text : "# the model's text is not shown: " + text.problems().front().sentence;
}

}  // namespace

ReportOutput::ReportOutput(const RunOptions& options, const AnyMechanism& mechanism, const Plan& plan)
    : mechanism_(mechanism),
      plan_(plan),
      scene_(std::visit([](const auto& m) { return scene(m); }, mechanism)),
      table_(scene_, all_columns(mechanism, plan.analysis)),
      source_(source_text(options.model)) {}

std::vector<SummaryTable> ReportOutput::summary(const Followed& followed, const Watched& watched) const {
  std::vector<SummaryTable> out;
  const bool rest = followed.rest.has_value();
  SummaryTable run{"Run", {}};
  for (const Fact& fact : run_facts(plan_, followed, watched)) run.rows.push_back({fact.head, fact.text});
  run.rows.push_back({"mobility", std::visit([](const auto& m) { return mobility_sentence(m); }, mechanism_)});
  add(out, std::move(run));
  if (rest) add(out, modes_table(*followed.rest));
  if (watched.extremes) add(out, driven_table(*watched.extremes));
  if (watched.loads) add(out, efforts_table(*watched.loads, rest));
  if (watched.extremes) add(out, points_table(*watched.extremes));
  if (watched.loads) add(out, loads_table(*watched.loads, rest));
  return out;
}

std::optional<std::string> ReportOutput::write(const Followed& followed, const Watched& watched) const {
  const Head model = head(mechanism_);
  ReportInput input{.generator = "jounce " JOUNCE_VERSION,
                    .name = model.name,
                    .file = model.file,
                    .source = source_,
                    .parameters = model.parameters,
                    .analysis = std::string(word(plan_.analysis)),
                    .outcome = followed.outcome,
                    .summary = summary(followed, watched),
                    .events = followed.events,
                    .problems = followed.problems,
                    .scene = scene_,
                    .table = table_};
  if (!followed.rest) {
    input.to = plan_.to;
    input.steps = plan_.steps;
  }
  if (plan_.analysis == Analysis::dynamics) input.tolerance = plan_.tolerance;
  const auto page = report_html(input);
  if (!page) return page.problems().front().sentence;
  const auto failure = write_text(plan_.report, *page);
  if (!failure) return std::nullopt;
  return cannot_write(plan_.report, *failure);
}

}  // namespace jounce::app
