// Runs: columns without a copy, what they came to, files, and how they travel.
#include <nanobind/stl/complex.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "door.hpp"

namespace jounce::python {
namespace {

// ---- how a run travels: tuples of plain data ------------------------------------------------------------------------------

nb::tuple outcome_to_python(const Outcome& o) { return nb::make_tuple(static_cast<int>(o.kind), o.t, o.sentence, o.elements); }

Outcome outcome_of(nb::handle from) {
  const int kind = nb::cast<int>(from[0]);
  if (kind < 0 || kind > static_cast<int>(Outcome::Kind::unbalanced)) throw nb::value_error("a run that was stored: expected an outcome that there is");
  return {static_cast<Outcome::Kind>(kind), nb::cast<double>(from[1]), nb::cast<std::string>(from[2]), nb::cast<std::vector<std::string>>(from[3])};
}

std::vector<Event> events_of(nb::handle from) {
  std::vector<Event> out;
  for (const nb::handle e : from)
    out.push_back({nb::cast<double>(e[0]), nb::cast<std::string>(e[1]), nb::cast<std::string>(e[2]), nb::cast<std::vector<std::string>>(e[3]),
                   nb::cast<std::string>(e[4]), nb::cast<double>(e[5])});
  return out;
}

nb::tuple statistics_to_python(const RunStatistics& s) {
  return nb::make_tuple(s.samples, s.steps, s.rejected, s.factorisations, s.worst_residual, s.worst_defect, s.largest_projection, s.conservative, s.energy_drift,
                        s.energy_balance, s.method, s.formulation, s.order);
}

RunStatistics statistics_of(nb::handle from) {
  RunStatistics s;
  s.samples = nb::cast<int>(from[0]), s.steps = nb::cast<long>(from[1]), s.rejected = nb::cast<long>(from[2]), s.factorisations = nb::cast<long>(from[3]);
  s.worst_residual = nb::cast<double>(from[4]), s.worst_defect = nb::cast<double>(from[5]), s.largest_projection = nb::cast<double>(from[6]);
  s.conservative = nb::cast<bool>(from[7]), s.energy_drift = nb::cast<double>(from[8]), s.energy_balance = nb::cast<double>(from[9]);
  s.method = nb::cast<std::string>(from[10]), s.formulation = nb::cast<std::string>(from[11]), s.order = nb::cast<int>(from[12]);
  return s;
}

nb::object rest_to_python(const std::optional<Equilibrium>& rest) {
  if (!rest) return nb::none();
  nb::list modes;
  for (const NaturalMode& mode : rest->modes) modes.append(nb::make_tuple(mode.omega, mode.frequency, mode.growth, mode.damping, mode.shape));
  return nb::make_tuple(outcome_to_python(rest->outcome), problems_to_python(rest->problems), rest->q, rest->lambda, rest->row, rest->unbalanced, rest->iterations,
                        rest->free_motions, rest->unstable, rest->neutral, rest->stable, modes, rest->components, rest->eigenvalues, rest->note, rest->not_unique);
}

std::optional<Equilibrium> rest_of(nb::handle from) {
  if (from.is_none()) return std::nullopt;
  Equilibrium out;
  out.outcome = outcome_of(from[0]), out.problems = problems_of(from[1]);
  out.q = nb::cast<std::vector<double>>(from[2]), out.lambda = nb::cast<std::vector<double>>(from[3]), out.row = nb::cast<std::vector<double>>(from[4]);
  out.unbalanced = nb::cast<double>(from[5]), out.iterations = nb::cast<int>(from[6]), out.free_motions = nb::cast<int>(from[7]);
  out.unstable = nb::cast<int>(from[8]), out.neutral = nb::cast<int>(from[9]), out.stable = nb::cast<bool>(from[10]);
  for (const nb::handle mode : nb::object(from[11]))
    out.modes.push_back({nb::cast<double>(mode[0]), nb::cast<double>(mode[1]), nb::cast<double>(mode[2]), nb::cast<double>(mode[3]), nb::cast<std::vector<double>>(mode[4])});
  out.components = nb::cast<std::vector<std::string>>(from[12]), out.eigenvalues = nb::cast<std::vector<std::complex<double>>>(from[13]);
  for (const NaturalMode& mode : out.modes)
    if (mode.shape.size() != out.components.size()) throw nb::value_error("a run that was stored: expected a number of each mode for each component");
  out.note = nb::cast<std::string>(from[14]), out.not_unique = nb::cast<std::vector<std::string>>(from[15]);
  return out;
}

nb::object over_to_python(const std::optional<OverRun>& over) {
  if (!over) return nb::none();
  nb::list missing;
  for (const OverRun::Missing& gap : over->missing) missing.append(nb::make_tuple(gap.from, gap.to, static_cast<int>(gap.kind), gap.sentence));
  return nb::make_tuple(over->coordinate, over->unit, over->effort, over->effort_unit, over->set_aside, over->values, over->found, over->unstable, missing);
}

std::optional<OverRun> over_of(nb::handle from) {
  if (from.is_none()) return std::nullopt;
  OverRun out;
  out.coordinate = nb::cast<std::string>(from[0]), out.unit = nb::cast<std::string>(from[1]), out.effort = nb::cast<std::string>(from[2]);
  out.effort_unit = nb::cast<std::string>(from[3]), out.set_aside = nb::cast<std::vector<std::string>>(from[4]);
  out.values = nb::cast<int>(from[5]), out.found = nb::cast<int>(from[6]), out.unstable = nb::cast<int>(from[7]);
  for (const nb::handle gap : nb::object(from[8])) {
    const int kind = nb::cast<int>(gap[2]);
    if (kind < 0 || kind > static_cast<int>(Outcome::Kind::unbalanced)) throw nb::value_error("a run that was stored: expected an outcome that there is");
    out.missing.push_back({nb::cast<double>(gap[0]), nb::cast<double>(gap[1]), static_cast<Outcome::Kind>(kind), nb::cast<std::string>(gap[3])});
  }
  return out;
}

nb::list goals_to_python(const std::vector<GoalValue>& goals) {
  nb::list out;
  for (const GoalValue& g : goals) out.append(nb::make_tuple(g.name, g.value ? nb::object(nb::float_(*g.value)) : nb::none(), g.unit));
  return out;
}

std::vector<GoalValue> goals_of(nb::handle from) {
  std::vector<GoalValue> out;
  for (const nb::handle g : from) out.push_back({nb::cast<std::string>(g[0]), nb::cast<std::optional<double>>(g[1]), nb::cast<std::string>(g[2])});
  return out;
}

nb::tuple trajectory_to_python(const Trajectory& results) {
  nb::list columns, numbers;
  for (std::size_t c = 0; c < results.columns().size(); ++c) {
    const Column& column = results.columns()[c];
    columns.append(nb::make_tuple(column.name, column.unit, column.group, column.owner));
    const auto values = results.column(c);
    numbers.append(nb::bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }
  return nb::make_tuple(columns, results.rows(), numbers);
}

Trajectory trajectory_of(nb::handle from) {
  std::vector<Column> columns;
  for (const nb::handle c : nb::object(from[0]))
    columns.push_back({nb::cast<std::string>(c[0]), nb::cast<std::string>(c[1]), nb::cast<std::string>(c[2]), nb::cast<std::string>(c[3])});
  const auto rows = nb::cast<std::size_t>(from[1]);
  if (columns.empty() && rows > 0) throw nb::value_error("a run that was stored: expected columns, found rows without any");
  std::vector<std::vector<double>> numbers;
  for (const nb::handle c : nb::object(from[2])) {
    const auto bytes = nb::cast<nb::bytes>(c);
    if (bytes.size() != rows * sizeof(double)) throw nb::value_error("a run that was stored: its columns are not all of one length");
    std::vector<double>& column = numbers.emplace_back(rows);
    std::memcpy(column.data(), bytes.c_str(), bytes.size());
  }
  if (numbers.size() != columns.size()) throw nb::value_error("a run that was stored: expected numbers for each column");
  Trajectory out(std::move(columns));
  out.reserve(rows);
  std::vector<double> row(numbers.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = numbers[c][i];
    out.append(row);
  }
  return out;
}

nb::tuple run_to_python(const BoundRun& self) {
  const Run& r = self.run;
  return nb::make_tuple(mechanism_to_python(self.mechanism), std::string(word(r.analysis)), r.to, r.steps, r.tolerance, outcome_to_python(r.outcome),
                        events_to_python(r.events), problems_to_python(r.problems), statistics_to_python(r.statistics), r.not_unique, r.state.t, r.state.q, r.state.v,
                        rest_to_python(r.rest), goals_to_python(r.goals), trajectory_to_python(r.results), over_to_python(r.over));
}

BoundRun run_of(nb::handle s) {
  Run r;
  r.analysis = analysis_named(nb::cast<std::string>(s[1]));
  r.to = nb::cast<double>(s[2]), r.steps = nb::cast<int>(s[3]), r.tolerance = nb::cast<double>(s[4]);
  r.outcome = outcome_of(s[5]), r.events = events_of(nb::object(s[6])), r.problems = problems_of(nb::object(s[7])), r.statistics = statistics_of(s[8]);
  r.not_unique = nb::cast<std::vector<std::string>>(s[9]);
  r.state = {nb::cast<double>(s[10]), nb::cast<std::vector<double>>(s[11]), nb::cast<std::vector<double>>(s[12])};
  r.rest = rest_of(nb::object(s[13])), r.goals = goals_of(nb::object(s[14])), r.results = trajectory_of(s[15]);
  r.over = over_of(nb::object(s[16]));
  return {mechanism_of(s[0]), std::move(r)};
}

// ---- files ----------------------------------------------------------------------------------------------------------------

// Rows after a few megabytes: a long file can be interrupted.
constexpr std::size_t kRowsAtOnce = 1000;

// Of a run that keeps all columns those that the command line writes; one that keeps some keeps what it was asked for.
std::vector<std::size_t> chosen(const BoundRun& self, const std::vector<std::string>& patterns) {
  const Trajectory& results = self.run.results;
  std::vector<std::size_t> kept;
  if (patterns.empty()) {
    const bool all = results.columns().size() == result_columns(self.mechanism, self.run.analysis).size();
    for (std::size_t c = 0; c < results.columns().size(); ++c)
      if (!all || !stands_still(results.columns()[c])) kept.push_back(c);
    return kept;
  }
  std::vector<std::string> unmatched;
  kept = select_columns(results.names(), patterns, unmatched);
  if (!unmatched.empty()) throw nb::key_error(("columns: none matches '" + unmatched.front() + "'").c_str());
  return kept;
}

// "length=mm" over what the model says; nothing: as the model says.
std::optional<Units> units_asked(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  auto units = Units::read(*text);
  if (!units) raise_value_error(units.problems());
  return *std::move(units);
}

// `form`: of the file that it becomes.
bool write_rows(RowsWriter& to, TableForm form, const Trajectory& results, const std::vector<std::size_t>& kept, const Units& units, const Stop& stop) {
  std::vector<Column> columns;
  std::vector<double> factors;
  for (const std::size_t c : kept) {
    columns.push_back(column_shown(results.columns()[c], units, form));
    factors.push_back(units.of(results.columns()[c].unit).factor);
  }
  if (!to.header(columns)) return false;
  std::vector<double> row(kept.size());
  for (std::size_t i = 0; i < results.rows(); ++i) {
    for (std::size_t k = 0; k < kept.size(); ++k) row[k] = results.column(kept[k])[i] * factors[k];
    if (!to.row(row) || (i % kRowsAtOnce == 0 && stop())) return false;
  }
  return to.finish();
}

[[noreturn]] void raise_os_error(const std::string& path, const std::string& reason) {
  PyErr_SetString(PyExc_OSError, ("cannot write '" + path + "': " + reason).c_str());
  throw nb::python_error();
}

// The file that the command line writes.
void write_table(const BoundRun& self, const std::string& path, TableForm form, const std::vector<std::string>& patterns, const std::optional<std::string>& asked) {
  const auto kept = chosen(self, patterns);
  const Units units = shown_units(self.mechanism, units_asked(asked));
  LongCall call;
  std::string reason;
  const bool written = call.work([&] {
    OutputFile file(path);
    if (file.stream() == nullptr) return reason = file.failure(), false;
    const auto rows = [&]() -> std::unique_ptr<RowsWriter> {
      if (form == TableForm::binary) return std::make_unique<ArrowWriter>(file.stream(), table_facts(self.mechanism, self.run.analysis));
      return std::make_unique<CsvWriter>(file.stream());
    }();
    if (!write_rows(*rows, form, self.run.results, kept, units, call.stop())) return reason = rows->failure(), false;
    return file.finish() || (reason = file.failure(), false);
  });
  call.raise_what_came();
  if (!written) raise_os_error(path, reason);
}

void write_csv(const BoundRun& self, const std::string& path, const std::vector<std::string>& patterns, const std::optional<std::string>& asked) {
  write_table(self, path, TableForm::text, patterns, asked);
}

void write_arrow(const BoundRun& self, const std::string& path, const std::vector<std::string>& patterns, const std::optional<std::string>& asked) {
  write_table(self, path, TableForm::binary, patterns, asked);
}

std::string csv_text(const BoundRun& self, const std::vector<std::string>& patterns, const std::optional<std::string>& asked) {
  const auto kept = chosen(self, patterns);
  const Units units = shown_units(self.mechanism, units_asked(asked));
  LongCall call;
  std::string text;
  call.work([&] {
    CsvWriter csv(text);
    (void)write_rows(csv, TableForm::text, self.run.results, kept, units, call.stop());
  });
  call.raise_what_came();
  return text;
}

std::string html_of(const BoundRun& self, const std::optional<std::string>& asked) {
  const auto units = units_asked(asked);
  LongCall call;
  auto page = call.work([&] { return report_html(self.mechanism, self.run, units); });
  if (!page) raise_value_error(page.problems());
  return *std::move(page);
}

void write_text(const std::string& path, const std::string& text) {
  LongCall call;
  const auto failure = call.work([&] { return write_file(path, text); });
  if (failure) raise_os_error(path, failure->reason);
}

// What `--json` has of a run beside its statistics.
nb::object summary_of(const BoundRun& self) {
  const RunSummary found = summary(self.mechanism, self.run);
  Json out = extremes_json(found, RunSummary::kMostPoints);
  if (self.run.analysis != Analysis::kinematics) out.update(loads_json(found));
  if (found.energy) out["energy"] = {{"start", found.energy->start}, {"end", found.energy->end}};
  if (found.momentum) out["momentum"] = to_json(*found.momentum);
  return to_python(out);
}

// Unit and factor of each column, in the units that are asked for, and in SI units otherwise.
nb::list shown_of(const BoundRun& self, const std::string& asked) {
  const auto units = units_asked(asked);
  nb::list out;
  for (const Column& c : self.run.results.columns()) {
    const Units::Shown shown = units->of(c.unit);
    out.append(nb::make_tuple(shown.unit, shown.factor));
  }
  return out;
}

nb::list facts_of(const BoundRun& self) {
  nb::list out;
  for (const Fact& fact : facts(self.run, summary(self.mechanism, self.run))) out.append(nb::make_tuple(fact.head, fact.text));
  return out;
}

}  // namespace

void bind_run(nb::module_& m) {
  nb::class_<BoundRun>(m, "Run")
      .def_prop_ro("mechanism", [](const BoundRun& self) { return self.mechanism; })
      .def_prop_ro("analysis", [](const BoundRun& self) { return std::string(word(self.run.analysis)); })
      .def_prop_ro("rows", [](const BoundRun& self) { return self.run.results.rows(); })
      .def_prop_ro("columns", [](const BoundRun& self) { return self.run.results.names(); })
      .def_prop_ro("descriptions",
                   [](const BoundRun& self) {
                     nb::list out;
                     for (const Column& c : self.run.results.columns()) out.append(nb::make_tuple(c.unit, c.group, c.owner));
                     return out;
                   })
      .def("column",
           [](nb::handle_t<BoundRun> self, std::size_t c) {
             const auto& run = nb::cast<const BoundRun&>(self).run;
             if (c >= run.results.columns().size()) throw nb::index_error("column");
             const auto values = run.results.column(c);
             return ReadOnlyNumbers(values.data(), {values.size()}, self);
           },
           nb::arg("index"))
      .def_prop_ro("outcome",
                   [](const BoundRun& self) {
                     const Outcome& o = self.run.outcome;
                     return nb::make_tuple(std::string(word(o.kind)), o.t, o.sentence, o.elements);
                   })
      .def_prop_ro("events", [](const BoundRun& self) { return events_to_python(self.run.events); })
      .def_prop_ro("problems", [](const BoundRun& self) { return problems_to_python(self.run.problems); })
      .def_prop_ro("statistics", [](const BoundRun& self) { return to_python(to_json(self.run.statistics, self.run.analysis)); })
      .def_prop_ro("goals", [](const BoundRun& self) { return goals_to_python(self.run.goals); })
      .def_prop_ro("not_unique", [](const BoundRun& self) { return self.run.not_unique; })
      .def_prop_ro("state",
                   [](const BoundRun& self) -> nb::object {
                     if (self.run.state.q.empty()) return nb::none();
                     return state_to_python(self.run.state);
                   })
      .def_prop_ro("rest", [](const BoundRun& self) { return self.run.rest ? to_python(to_json(*self.run.rest)) : nb::none(); })
      .def_prop_ro("over", [](const BoundRun& self) { return self.run.over ? to_python(to_json(*self.run.over)) : nb::none(); })
      .def("summary", &summary_of)
      .def("facts", &facts_of)
      .def("write_csv", &write_csv, nb::arg("path"), nb::arg("columns"), nb::arg("units") = nb::none())
      .def("write_arrow", &write_arrow, nb::arg("path"), nb::arg("columns"), nb::arg("units") = nb::none())
      .def("csv", &csv_text, nb::arg("columns"), nb::arg("units") = nb::none())
      .def("html", &html_of, nb::arg("units") = nb::none())
      .def("shown", &shown_of, nb::arg("units"))
      .def("__getstate__", &run_to_python)
      .def("__setstate__", [](BoundRun& self, const nb::tuple& state) { new (&self) BoundRun(run_of(state)); });
  m.def("write_text", &write_text, nb::arg("path"), nb::arg("text"));
  m.def("nearest_name", [](const std::string& word, const std::vector<std::string>& names) { return nearest_name(word, names); }, nb::arg("word"), nb::arg("names"));
}

}  // namespace jounce::python
