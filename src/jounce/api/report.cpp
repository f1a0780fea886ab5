#include "jounce/api/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <type_traits>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/equilibrium/rest_row.hpp"
#include "jounce/analysis/run/measure_rows.hpp"
#include "jounce/analysis/summary/run_watch.hpp"
#include "jounce/api/content.hpp"
#include "jounce/api/facts.hpp"
#include "jounce/api/summary_tables.hpp"
#include "jounce/api/over_run.hpp"
#include "jounce/api/version.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/report/draw/drawing.hpp"
#include "jounce/report/plane_figure.hpp"
#include "jounce/report/report.hpp"
#include "jounce/report/solids/furnish.hpp"
#include "jounce/report/solids/meshes.hpp"
#include "jounce/results/noise.hpp"

namespace jounce {
namespace {

constexpr std::size_t kMaxSource = std::size_t{1} << 20U;  // more of a model's text is of no use on a page
constexpr std::size_t kModes = 20;
constexpr std::size_t kInstants = 240;  // of a motion, to see how far joints slide

// A table only where it has something to say.
void add(std::vector<SummaryTable>& out, SummaryTable table) {
  if (!table.rows.empty()) out.push_back(std::move(table));
}

SummaryTable modes_table(const Equilibrium& rest) {
  SummaryTable out{"Natural modes", {"mode", "swings", "shape"}};
  for (std::size_t i = 0; i < std::min(rest.modes.size(), kModes); ++i)
    out.rows.push_back({std::to_string(i + 1), swing_text(rest.modes[i]), shape_text(rest, rest.modes[i])});
  return out;
}

std::vector<SummaryTable> tables(const Mechanism& mechanism, const Run& run, const RunSummary& summary, const Units& units) {
  std::vector<SummaryTable> out;
  const bool rest = run.rest.has_value();
  SummaryTable head{"Run"};
  for (const Fact& fact : facts(run, summary, units)) head.rows.push_back({fact.head, fact.text});
  head.rows.push_back({"mobility", mobility_sentence(mechanism)});
  add(out, std::move(head));
  if (rest) add(out, modes_table(*run.rest));
  std::ranges::move(summary_tables(run, summary, units), std::back_inserter(out));
  return out;
}

// Where the modes take the bodies: the columns of the rows that place them.
ReportModes modes_of(const Mechanism& mechanism, const Equilibrium& rest, std::span<const Column> columns) {
  ReportModes out;
  std::vector<std::size_t> places;
  const Scene drawn = visit(mechanism, [](const auto& m) { return scene(m); });
  for (const Scene::Body& body : std::span(drawn.bodies).subspan(1))
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].owner == body.name && columns[c].group == "position") places.push_back(c), out.columns.push_back(columns[c].name);
  out.numbers.resize(places.size());
  visit(mechanism, [&](const auto& m) {
    // a run that comes from elsewhere need not fit the mechanism
    bool fits = rest.q.size() == mechanism.coordinates();
    if constexpr (requires { m.system; }) fits = fits && rest.lambda.size() == static_cast<std::size_t>(m.system.equations());
    for (const NaturalMode& mode : rest.modes) fits = fits && mode.shape.size() == mechanism.rates();
    if (!fits) return;
    for (const ModeSwing& swing : swings(m, rest, kModes)) {
      const NaturalMode& mode = rest.modes[out.modes.size()];
      out.modes.push_back({.words = std::to_string(out.modes.size() + 1) + ": " + swing_text(mode),
                           .shape = shape_text(rest, mode),
                           .unstable = leaving_text(mode),
                           .growth = mode.growth,
                           .reach = swing.reach});
      out.rows = swing.q.size();
      for (const std::vector<double>& q : swing.q) {
        const std::vector<double> row = rest_row(m, q, rest.lambda);
        for (std::size_t c = 0; c < places.size(); ++c) out.numbers[c].push_back(row[places[c]]);
      }
    }
  });
  return out;
}

std::string source_text(const Mechanism& mechanism) {
  std::string text = mechanism.source();
  if (text.size() <= kMaxSource) return text;
  return fmt::format("# the model's text is not shown: it has {} bytes, and a page carries at most {}", text.size(), kMaxSource);
}

}  // namespace

// The mechanism without what holds a coordinate is what there is to see.
Scene scene_of_run(const Mechanism& mechanism) {
  const Holding* const held = holding(mechanism);
  return visit(held != nullptr ? *held->free : mechanism, [](const auto& m) { return jounce::scene(m); });
}

struct RunRecorder::Impl {
  Mechanism mechanism;
  WatchedParts parts;
  std::vector<Column> columns;
  RunWatch watch;
  std::optional<Scene> scene;
  std::optional<ReportTable> table;
  Problems problems;  // of its pictures
  std::optional<Poses> poses;
  std::optional<PlaneFigure> figure;
  std::vector<Frame<double>> placed;
  std::size_t rows = 0;

  [[nodiscard]] const Holding* over() const { return holding(mechanism); }

  enum class Keeps { nothing, scene, rows };

  Impl(const Mechanism& of, Analysis analysis, Keeps keeps)
      : mechanism(of),
        parts(parts_of_run(of)),
        columns(result_columns(of, analysis)),
        watch(parts, analysis, columns, over() != nullptr ? std::string_view(over()->coordinate) : "t") {
    if (keeps == Keeps::nothing) return;
    scene = scene_of_run(of);
    if (keeps == Keeps::rows) table.emplace(*scene, columns);
    if (scene->space) {
      visit(of, [&](const auto& m) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(m)>, SpaceMechanism>) add_pictures(*scene, m, of.file(), problems);
      });
      return;
    }
    poses.emplace(*scene, columns);
    figure.emplace(*scene);
  }

  void take(std::span<const double> row) {
    if (over() != nullptr && std::isnan(row.back())) return;  // a value without an equilibrium: the run says which, and why
    watch.take(row);
    if (table) table->take(row);
    if (figure) {
      poses->all(row, placed);
      figure->take(placed);
    }
    ++rows;
  }

  // With what the rows have shown of it, and the modes that the page plays. `instants`: some of the rows, which space asks for.
  [[nodiscard]] Scene completed(const ReportModes& modes, const auto& instants) const {
    Scene out = *scene;
    if (figure) {
      PlaneFigure seen = *figure;
      watch_modes(modes, seen);
      seen.complete(out);
      return out;
    }
    std::vector<BodyPoses> motion;
    const Poses placed_by(out, columns);
    motion.reserve(instants.size());
    for (const std::span<const double> row : instants) motion.push_back(placed_by.all(row));
    furnish(out, motion);
    return out;
  }

  void watch_modes(const ReportModes& modes, PlaneFigure& seen) const {
    std::vector<std::size_t> places;
    for (const std::string& name : modes.columns) places.push_back(static_cast<std::size_t>(std::ranges::find(columns, name, &Column::name) - columns.begin()));
    std::vector<double> row(columns.size());
    for (std::size_t k = 0; k < modes.rows * modes.modes.size(); ++k) {
      for (std::size_t c = 0; c < places.size(); ++c) row[places[c]] = modes.numbers[c][k];
      seen.take(poses->all(row));
    }
  }
};

RunRecorder::RunRecorder(const Mechanism& mechanism, Analysis analysis, bool page)
    : impl_(std::make_unique<Impl>(mechanism, analysis, page ? Impl::Keeps::rows : Impl::Keeps::nothing)) {}
RunRecorder::~RunRecorder() = default;
RunRecorder::RunRecorder(RunRecorder&&) noexcept = default;
RunRecorder& RunRecorder::operator=(RunRecorder&&) noexcept = default;

void RunRecorder::take(std::span<const double> row) { impl_->take(row); }

bool RunRecorder::empty() const { return impl_->rows == 0; }
RunSummary RunRecorder::summary() const { return impl_->watch.summary(); }

std::vector<SummaryTable> RunRecorder::tables(const Run& run, const std::optional<Units>& asked) const {
  return jounce::tables(impl_->mechanism, run, summary(), shown_units(impl_->mechanism, asked));
}

namespace {

// All that a page is told of a run beside its rows.
ReportInput input_of(const Mechanism& mechanism, const Run& run, const Scene& scene, const Problems& of_pictures, const Units& units) {
  ReportInput input{.generator = "jounce " + std::string(version()),
                    .name = mechanism.name(),
                    .file = mechanism.file(),
                    .source = source_text(mechanism),
                    .parameters = mechanism.parameters(),
                    .analysis = std::string(word(run.analysis)),
                    .to = run.to,
                    .steps = run.steps,
                    .tolerance = {},
                    .outcome = run.outcome,
                    .summary = {},
                    .events = run.events,
                    .problems = mechanism.problems(),
                    .scene = scene,
                    .columns = {},
                    .units = units};
  if (run.over) {
    input.over = run.over->coordinate;
    input.effort = run.over->effort;
    for (const OverRun::Missing& gap : run.over->missing) input.missing.emplace_back(gap.from, gap.to);
  }
  append(input.problems, of_pictures);
  append(input.problems, run.problems);
  if (run.analysis == Analysis::dynamics) input.tolerance = run.tolerance;
  return input;
}

}  // namespace

Result<std::string> RunRecorder::written(const Run& run, const std::optional<Units>& asked, Form form) const {
  if (!impl_->table || empty()) return error({}, "no report: expected rows of a run, found none that were recorded for a page");
  const Mechanism& mechanism = impl_->mechanism;
  ReportModes modes = run.rest && run.outcome.done() ? modes_of(mechanism, *run.rest, impl_->columns) : ReportModes{};
  const Scene scene = impl_->completed(modes, impl_->table->spread(kInstants));
  ReportInput input = input_of(mechanism, run, scene, impl_->problems, shown_units(mechanism, asked));
  input.summary = tables(run, asked);
  input.modes = std::move(modes);
  const ReportTable& table = *impl_->table;
  input.columns = table.columns();
  input.samples = table.samples();
  input.rows_seen = table.rows_seen();
  input.every = table.every();
  input.stored = table.stored();
  return form == Form::page ? report_html(input) : Result<std::string>(report_json(input));
}

Result<std::string> RunRecorder::html(const Run& run, const std::optional<Units>& asked) const { return written(run, asked, Form::page); }
Result<std::string> RunRecorder::data(const Run& run, const std::optional<Units>& asked) const { return written(run, asked, Form::data); }

Units shown_units(const Mechanism& mechanism, const std::optional<Units>& asked) {
  Units out = units_of(mechanism.model());
  if (asked) out.choose(*asked);
  return out;
}

namespace {

Problems not_all_kept(const Mechanism& mechanism, const Run& run) {
  const std::size_t all = result_columns(mechanism, run.analysis).size();
  if (run.results.columns().size() == all) return {};
  return {error({}, fmt::format("no report: expected a run that keeps all {} columns, found {}", all, run.results.columns().size()))};
}

void take_all(const Trajectory& rows, auto& recorder) {
  std::vector<double> row(rows.columns().size());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    rows.copy_row(i, row);
    recorder.take(row);
  }
}

// `write`: what is made of the rows.
template <class Write>
Result<std::string> of_all_rows(const Mechanism& mechanism, const Run& run, Write&& write) {
  if (run.over && holding(mechanism) == nullptr) {
    const auto own = held(mechanism, run.over->coordinate);
    return own ? of_all_rows(*own, run, write) : Result<std::string>(own.problems());
  }
  if (Problems problems = not_all_kept(mechanism, run); !problems.empty()) return problems;
  RunRecorder recorder(mechanism, run.analysis, true);
  take_all(run.results, recorder);
  return write(recorder);
}

// What each column of the rows is, where a page gets them all.
std::vector<ReportColumn> plain_columns(const Trajectory& rows, double size) {
  std::vector<double> largest;
  for (std::size_t c = 0; c < rows.columns().size(); ++c) {
    double& most = largest.emplace_back();
    for (const double x : rows.column(c)) most = std::max(most, std::abs(x));
  }
  const std::vector<bool> nothing = noise(rows.columns(), largest, size);
  std::vector<ReportColumn> out;
  for (std::size_t c = 0; c < largest.size(); ++c) out.push_back({.column = rows.columns()[c], .from = {}, .parts = 0, .nothing = nothing[c]});
  return out;
}

}  // namespace

Result<std::string> report_html(const Mechanism& mechanism, const Run& run, const std::optional<Units>& units) {
  return of_all_rows(mechanism, run, [&](const RunRecorder& recorder) { return recorder.html(run, units); });
}

Result<std::string> report_data(const Mechanism& mechanism, const Run& run, const std::optional<Units>& units) {
  return of_all_rows(mechanism, run, [&](const RunRecorder& recorder) { return recorder.data(run, units); });
}

Result<std::string> report_document(const Mechanism& mechanism, const Run& run, const std::optional<Units>& asked) {
  if (run.over) return error({}, "no report: expected a run over time or an equilibrium, found one over a coordinate");
  if (Problems problems = not_all_kept(mechanism, run); !problems.empty()) return problems;
  const std::size_t rows = run.results.rows();
  if (rows == 0) return error({}, "no report: expected rows of a run, found none");
  RunRecorder::Impl recorder(mechanism, run.analysis, RunRecorder::Impl::Keeps::scene);
  take_all(run.results, recorder);
  std::vector<std::vector<double>> instants;
  if (recorder.scene->space)
    for (std::size_t k = 0; k < std::min(rows, kInstants); ++k) instants.push_back(run.results.row(rows > 1 ? k * (rows - 1) / (std::min(rows, kInstants) - 1) : 0));
  ReportModes modes = run.rest && run.outcome.done() ? modes_of(mechanism, *run.rest, recorder.columns) : ReportModes{};
  const Scene scene = recorder.completed(modes, instants);
  const Units units = shown_units(mechanism, asked);
  ReportInput input = input_of(mechanism, run, scene, recorder.problems, units);
  input.summary = tables(mechanism, run, recorder.watch.summary(), units);
  input.modes = std::move(modes);
  input.columns = plain_columns(run.results, scene.size);
  input.samples = input.rows_seen = rows;
  return report_json(input);
}

Run standing(const Mechanism& mechanism, const Stop& stop) {
  Run out;
  out.analysis = Analysis::kinematics;
  out.results = Trajectory(result_columns(mechanism, out.analysis));
  visit(mechanism, [&](const auto& m) {
    const Assembly found = assemble(m, 0, stop);
    out.outcome = found.assembled ? Outcome{Outcome::Kind::done, 0, "", {}} : not_begun(found);
    out.problems = found.problems;
    if (found.stopped) return;
    out.state = {0, found.q, std::vector<double>(mechanism.rates())};
    std::vector<double> row = standing_row(m, found.q);
    MeasureRows measures(m.measures, row_columns(mechanism, out.analysis));
    row.resize(out.results.columns().size());
    if (measures.fill(std::span(row).first(row.size() - measures.columns().size()), std::span(row).last(measures.columns().size())))
      std::ranges::fill(std::span(row).last(measures.columns().size()), std::numeric_limits<double>::quiet_NaN());
    out.results.append(row);
    out.statistics.samples = 1;
    out.statistics.worst_residual = found.worst_residual;
  });
  return out;
}

}  // namespace jounce
