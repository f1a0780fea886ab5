#include "jounce/report/report.hpp"

#include <functional>
#include <set>

#include "jounce/report/encode.hpp"
#include "jounce/report/json_text.hpp"
#include "jounce/report/scene_json.hpp"

namespace jounce {
namespace {

constexpr int kFormat = 1;

// A page is sent on: where the file lies is nobody's business.
std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string texts(const std::vector<std::string>& all) {
  std::string out;
  {
    JsonArray array(out);
    for (const std::string& text : all) array.next() += json_text(text);
  }
  return out;
}

void write_model(std::string& out, const ReportInput& input) {
  JsonObject model(out);
  model.text("name", input.name);
  model.text("file", file_name(input.file));
  model.text("space", input.scene.space ? "3d" : "plane");
  model.text("source", input.source);
  JsonObject parameters(model.next("parameters"));
  for (const auto& [name, value] : input.parameters) parameters.number(name, value);
}

void write_run(std::string& out, const ReportInput& input) {
  JsonObject run(out);
  run.text("analysis", input.analysis);
  run.number("to", input.to);
  run.number("steps", input.steps);
  run.raw("tolerance", input.tolerance ? json_number(*input.tolerance) : "null");
  if (!input.over.empty()) {
    run.text("over", input.over);
    run.text("effort", input.effort);
    JsonArray missing(run.next("missing"));
    for (const auto& [from, to] : input.missing) missing.next() += "[" + json_number(from) + "," + json_number(to) + "]";
  }
  JsonObject outcome(run.next("outcome"));
  outcome.text("kind", word(input.outcome.kind));
  outcome.number("t", input.outcome.t);
  outcome.text("sentence", input.outcome.sentence);
  outcome.raw("elements", texts(input.outcome.elements));
}

void write_summary(std::string& out, const std::vector<SummaryTable>& summary) {
  JsonArray all(out);
  for (const SummaryTable& table : summary) {
    JsonObject object(all.next());
    object.text("title", table.title);
    object.raw("head", texts(table.head));
    JsonArray rows(object.next("rows"));
    for (const auto& row : table.rows) rows.next() += texts(row);
  }
}

void write_events(std::string& out, const std::vector<Event>& events) {
  JsonArray all(out);
  for (const Event& event : events) {
    JsonObject object(all.next());
    object.number("t", event.t);
    object.text("kind", event.kind);
    object.text("sentence", event.sentence);
    object.raw("elements", texts(event.elements));
    if (!event.direction.empty()) object.text("direction", event.direction);
  }
}

// What the page leaves out is said on the page.
std::string thinning_sentence(const ReportInput& input) {
  return "the run has " + std::to_string(input.rows_seen) + " rows: this page shows one row in " + std::to_string(input.every) +
         " and the last; the .csv file can have them all";
}

void write_problems(std::string& out, const ReportInput& input) {
  JsonArray all(out);
  const auto write = [&](Severity severity, const std::string& text) {
    JsonObject object(all.next());
    object.text("severity", severity == Severity::error ? "error" : "warning");
    object.text("text", text);
  };
  for (Problem problem : input.problems) {
    problem.file = file_name(problem.file);
    write(problem.severity, problem.text());
  }
  if (input.every > 1) write(Severity::warning, "warning: " + thinning_sentence(input));
}

void write_columns(std::string& out, const std::vector<ReportColumn>& columns) {
  JsonArray all(out);
  for (const auto& [column, origin, parts, nothing] : columns) {
    JsonObject object(all.next());
    object.text("name", column.name);
    object.text("unit", column.unit);
    object.text("group", column.group);
    if (!column.owner.empty()) object.text("owner", column.owner);
    if (parts > 0) object.number("parts", parts);
    if (nothing) object.raw("nothing", "true");
    if (!origin) continue;
    JsonObject from(object.next("from"));
    from.number("body", origin->body);
    from.raw("p", "[" + json_number(origin->p.x) + "," + json_number(origin->p.y) + "]");
  }
}

void write_modes(std::string& out, const ReportModes& modes) {
  JsonObject object(out);
  object.number("rows", static_cast<double>(modes.rows));
  {
    JsonArray all(object.next("modes"));
    for (const ReportModes::Mode& mode : modes.modes) {
      JsonObject one(all.next());
      one.text("words", mode.words);
      one.text("shape", mode.shape);
      if (!mode.unstable.empty()) one.text("unstable", mode.unstable);
      one.number("growth", mode.growth);
      one.number("reach", mode.reach);
    }
  }
  object.raw("columns", texts(modes.columns));
  (object.next("data") += '"').append(encoded(modes.numbers)) += '"';
}

// What the page writes instead of an SI unit, and what it multiplies numbers by; those that stay as they are are left out.
void write_units(std::string& out, const std::vector<ReportColumn>& columns, const Units& units) {
  JsonObject all(out);
  std::set<std::string, std::less<>> done{""};
  for (const ReportColumn& column : columns) {
    const std::string& si = column.column.unit;
    const Units::Shown shown = units.of(si);
    if (!done.insert(si).second || shown.unit == si) continue;
    JsonObject one(all.next(si));
    one.text("unit", shown.unit);
    one.number("factor", shown.factor);
  }
}

}  // namespace

std::string report_json(const ReportInput& input) {
  std::string out;
  {
    JsonObject document(out);
    document.number("format", kFormat);
    document.text("generator", input.generator);
    write_model(document.next("model"), input);
    write_run(document.next("run"), input);
    write_summary(document.next("summary"), input.summary);
    write_events(document.next("events"), input.events);
    write_problems(document.next("problems"), input);
    write_scene(document.next("scene"), input.scene);
    document.number("samples", static_cast<double>(input.samples));
    write_columns(document.next("columns"), input.columns);
    if (!input.units.si()) write_units(document.next("units"), input.columns, input.units);
    document.text("encoding", kEncoding);
    (document.next("data") += '"').append(encoded(input.stored)) += '"';
    if (!input.modes.modes.empty()) write_modes(document.next("modes"), input.modes);
    std::string& thinned = document.next("thinned");
    if (input.every > 1) {
      JsonObject object(thinned);
      object.number("rows", static_cast<double>(input.rows_seen));
      object.number("every", static_cast<double>(input.every));
    } else {
      thinned += "null";
    }
  }
  return out;
}

}  // namespace jounce
