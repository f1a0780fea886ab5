#include "jounce/api/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <type_traits>

#include "jounce/analysis/equilibrium/rest_row.hpp"
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
  for (const Fact& fact : facts(run, summary)) head.rows.push_back({fact.head, fact.text});
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

  Impl(const Mechanism& of, Analysis analysis, bool page)
      : mechanism(of),
        parts(parts_of_run(of)),
        columns(result_columns(of, analysis)),
        watch(parts, analysis, columns, over() != nullptr ? std::string_view(over()->coordinate) : "t") {
    if (!page) return;
    scene = scene_of_run(of);
    table.emplace(*scene, columns);
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

  // With what the rows have shown of it, and the modes that the page plays.
  [[nodiscard]] Scene completed(const ReportModes& modes) const {
    Scene out = *scene;
    if (figure) {
      PlaneFigure seen = *figure;
      watch_modes(modes, seen);
      seen.complete(out);
      return out;
    }
    std::vector<BodyPoses> motion;
    const Poses placed_by(out, columns);
    for (const std::span<const double> row : table->spread(kInstants)) motion.push_back(placed_by.all(row));
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
    : impl_(std::make_unique<Impl>(mechanism, analysis, page)) {}
RunRecorder::~RunRecorder() = default;
RunRecorder::RunRecorder(RunRecorder&&) noexcept = default;
RunRecorder& RunRecorder::operator=(RunRecorder&&) noexcept = default;

void RunRecorder::take(std::span<const double> row) { impl_->take(row); }

bool RunRecorder::empty() const { return impl_->rows == 0; }
RunSummary RunRecorder::summary() const { return impl_->watch.summary(); }

std::vector<SummaryTable> RunRecorder::tables(const Run& run, const std::optional<Units>& asked) const {
  return jounce::tables(impl_->mechanism, run, summary(), shown_units(impl_->mechanism, asked));
}

Result<std::string> RunRecorder::html(const Run& run, const std::optional<Units>& asked) const {
  if (!impl_->table || empty()) return error({}, "no report: expected rows of a run, found none that were recorded for a page");
  const Mechanism& mechanism = impl_->mechanism;
  ReportModes modes = run.rest && run.outcome.done() ? modes_of(mechanism, *run.rest, impl_->columns) : ReportModes{};
  const Scene scene = impl_->completed(modes);
  const Units units = shown_units(mechanism, asked);
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
                    .summary = tables(run, asked),
                    .events = run.events,
                    .problems = mechanism.problems(),
                    .modes = std::move(modes),
                    .scene = scene,
                    .table = *impl_->table,
                    .units = units};
  if (run.over) {
    input.over = run.over->coordinate;
    input.effort = run.over->effort;
    for (const OverRun::Missing& gap : run.over->missing) input.missing.emplace_back(gap.from, gap.to);
  }
  append(input.problems, impl_->problems);
  append(input.problems, run.problems);
  if (run.analysis == Analysis::dynamics) input.tolerance = run.tolerance;
  return report_html(input);
}

Units shown_units(const Mechanism& mechanism, const std::optional<Units>& asked) {
  Units out = units_of(mechanism.model());
  if (asked) out.choose(*asked);
  return out;
}

Result<std::string> report_html(const Mechanism& mechanism, const Run& run, const std::optional<Units>& units) {
  if (run.over && holding(mechanism) == nullptr) {
    const auto own = held(mechanism, run.over->coordinate);
    return own ? report_html(*own, run, units) : Result<std::string>(own.problems());
  }
  const std::size_t all = result_columns(mechanism, run.analysis).size();
  if (run.results.columns().size() != all)
    return error({}, fmt::format("no report: expected a run that keeps all {} columns, found {}", all, run.results.columns().size()));
  RunRecorder recorder(mechanism, run.analysis, true);
  for (std::size_t i = 0; i < run.results.rows(); ++i) recorder.take(run.results.row(i));
  return recorder.html(run, units);
}

}  // namespace jounce
