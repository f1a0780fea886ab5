#include "jounce/api/over.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/equilibrium/equilibrium.hpp"
#include "jounce/analysis/equilibrium/rest_row.hpp"
#include "jounce/analysis/run/measure_rows.hpp"
#include "jounce/api/content.hpp"
#include "jounce/api/over_run.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/report/scene.hpp"

namespace jounce {
namespace {

constexpr int kDefaultValues = 101;
constexpr double kMostValues = 1e6;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// At signs that are in no parentheses: "atan2(1, 2), 3" are two.
std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == at && depth == 0) out.emplace_back();
    else out.back() += c;
  }
  return out;
}

Result<std::vector<double>> values_of(const Mechanism& mechanism, std::string_view text) {
  const std::vector<std::string> parts = split(text, ':'), list = split(text, ',');
  std::vector<double> out;
  Problems problems;
  for (const std::string& part : parts.size() > 1 ? parts : list) {
    const auto value = trimmed(part).empty() ? Result<double>(error({}, "expected a number, found nothing")) : mechanism.evaluate(trimmed(part));
    if (value && std::isfinite(*value)) out.push_back(*value);
    else problems.push_back(error({}, "'" + part + "': " + (value ? "it is not finite" : value.problems().front().sentence)));
  }
  if (!problems.empty()) return problems;
  if (parts.size() == 1) return out;
  if (parts.size() > 3) return error({}, fmt::format("expected FROM:TO or FROM:TO:NUMBER, found {} parts", parts.size()));
  const double count = parts.size() == 3 ? out[2] : kDefaultValues;
  if (!(count >= 2 && count <= kMostValues && count == std::floor(count)))
    return error({}, fmt::format("expected a whole number of values from 2 to 1e6, found {}", trimmed(parts[2])));
  const double from = out[0], to = out[1];
  const int n = static_cast<int>(count);
  out.resize(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) out[static_cast<std::size_t>(k)] = k == n - 1 ? to : from + (to - from) * k / (n - 1);
  return out;
}

// ---- the coordinate ---------------------------------------------------------------------------------------------------------

// "shoulder" and "wrist.2" are q1 and q2 of a joint in space.
std::string column_named(const std::string& coordinate, const std::vector<std::string>& known) {
  const auto is_known = [&](const std::string& name) { return std::ranges::find(known, name) != known.end(); };
  if (is_known(coordinate)) return coordinate;
  if (is_known(coordinate + ".q1") && !is_known(coordinate + ".q2")) return coordinate + ".q1";
  const std::size_t dot = coordinate.rfind('.');
  const std::string of_joint = dot == coordinate.npos ? "" : coordinate.substr(0, dot) + ".q" + coordinate.substr(dot + 1);
  return is_known(of_joint) ? of_joint : coordinate;
}

// Columns that can be held, measures among them.
std::vector<Column> coordinates_of(const Mechanism& mechanism) {
  std::vector<Column> out;
  for (const Column& column : result_columns(mechanism, Analysis::equilibrium)) {
    const bool place = column.group == "position" && !column.name.ends_with(".qw") && !column.name.ends_with(".qx") && !column.name.ends_with(".qy") &&
                       !column.name.ends_with(".qz");
    const bool own = column.group == "measure" && !column.name.ends_with(".rate") && !column.name.ends_with(".gap");
    if (column.owner.starts_with("ground.")) continue;
    if (place || own || column.group == "joint-position") out.push_back(column);
  }
  std::stable_partition(out.begin(), out.end(), [](const Column& column) { return column.group == "joint-position"; });
  return out;
}

// All numbers of a row where the mechanism stands still at an assembled position; reactions are none.
std::optional<double> value_at(const Mechanism& mechanism, const std::vector<double>& q, const std::string& column) {
  return visit(mechanism, [&](const auto& m) -> std::optional<double> {
    const std::vector<Column> columns = row_columns(mechanism, Analysis::equilibrium);
    std::vector<double> lambda;
    if constexpr (requires { m.system; }) lambda.resize(static_cast<std::size_t>(m.system.equations()));
    std::vector<double> row = rest_row(m, q, lambda);
    MeasureRows measures(m.measures, columns);
    std::vector<double> own(measures.columns().size());
    const bool measured = !measures.fill(row, own);
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].name == column) return row[c];
    for (std::size_t c = 0; c < own.size(); ++c)
      if (measured && measures.columns()[c].name == column) return own[c];
    return std::nullopt;
  });
}

// ---- what may be set aside --------------------------------------------------------------------------------------------------

struct Mover {
  std::string label;   // "motor", "wrist.2"
  std::string name;    // what it moves: the driver's bodies as they are written, or the joint
  std::function<void(Model&)> set_aside;
};

void erase_motion(std::vector<Entry>& entries) {
  std::erase_if(entries, [](const Entry& e) { return e.key == "motion"; });
}

std::vector<Mover> movers(const Model& model) {
  std::vector<Mover> out;
  for (const Element& driver : model.drivers) {
    std::string bodies;
    for (const Entry& entry : driver.entries)
      if (const auto* text = std::get_if<Text>(&entry.value); text != nullptr && entry.key != "motion") bodies += " " + text->text + " ";
    out.push_back({driver.name, bodies, [name = driver.name](Model& m) { m.remove(name); }});
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Element& joint = model.joints[j];
    if (joint.find("motion") != nullptr) out.push_back({joint.name, joint.name, [j](Model& m) { erase_motion(m.joints[j].entries); }});
    const Entry* const dofs = joint.find("dofs");
    const auto* const tables = dofs == nullptr ? nullptr : std::get_if<std::vector<Table>>(&dofs->value);
    for (std::size_t k = 0; tables != nullptr && k < tables->size(); ++k) {
      if ((*tables)[k].find("motion") == nullptr) continue;
      const std::string label = tables->size() > 1 ? fmt::format("{}.{}", joint.name, k + 1) : joint.name;
      out.push_back({label, joint.name, [j, k](Model& m) {
                       for (Entry& entry : m.joints[j].entries)
                         if (auto* of = std::get_if<std::vector<Table>>(&entry.value); of != nullptr && entry.key == "dofs")
                           std::erase_if((*of)[k].entries, [](const Table::Entry& e) { return e.key == "motion"; });
                     }});
    }
  }
  return out;
}

bool is_used(const Model& model, const std::string& name) {
  const auto named = [&](const auto& all) { return std::ranges::any_of(all, [&](const auto& one) { return one.name == name; }); };
  return named(model.measures) || named(model.stops) || named(model.events) || named(model.bodies) || named(model.joints) ||
         named(model.drivers) || named(model.forces) || named(model.couplings) || named(model.loops);
}

std::string free_name(const Model& model) {
  std::string out = "hold";
  for (int k = 2; is_used(model, out); ++k) out = fmt::format("hold-{}", k);
  return out;
}

Model held_at(const Mechanism& free, const Holding& holding, double value) {
  Model model = free.model();
  for (const Mover& mover : movers(free.model()))
    if (std::ranges::find(holding.set_aside, mover.label) != holding.set_aside.end()) mover.set_aside(model);
  model.joint(holding.element, "equation").set("of", fmt::format("{} - ({})", holding.coordinate, Text(value).text));
  return model;
}

Problems about(const std::string& coordinate, const Problems& problems) {
  Problems out;
  for (Problem problem : problems) {
    if (problem.severity != Severity::error) continue;
    problem.sentence = "over '" + coordinate + "': " + problem.sentence;
    out.push_back(std::move(problem));
  }
  return out;
}

int freedom(const Mechanism& mechanism, const std::vector<double>& q) {
  return visit(mechanism, [&](const auto& m) { return free_motions(m, q); });
}

// The driver through which the coordinate moves, where drivers alone decide it.
Result<std::vector<std::string>> in_the_way(const Mechanism& mechanism, const Holding& holding, const std::vector<double>& q) {
  const int before = freedom(mechanism, q);
  const auto left = [&](const Holding& trial) -> Result<int> {
    const auto built = built_held(mechanism, held_at(mechanism, trial, trial.drawn), {});
    if (!built) return about(holding.coordinate, built.problems());
    return freedom(*built, q);
  };
  const auto alone = left(holding);
  if (!alone) return alone.problems();
  if (*alone < before) return std::vector<std::string>{};
  std::vector<Mover> found;
  for (const Mover& mover : movers(mechanism.model())) {
    Holding trial = holding;
    trial.set_aside = {mover.label};
    const auto without = left(trial);
    if (without && *without == before) found.push_back(mover);
  }
  const std::string owner = holding.coordinate.substr(0, holding.coordinate.find('.'));
  std::vector<std::string> labels, direct;
  for (const Mover& mover : found) {
    labels.push_back(mover.label);
    if (mover.name == owner || mover.name.find(" " + owner + " ") != std::string::npos || mover.name.find(" " + owner + ".") != std::string::npos)
      direct.push_back(mover.label);
  }
  if (labels.size() == 1) return labels;
  if (direct.size() == 1) return direct;
  if (labels.empty())
    return error({}, "over '" + holding.coordinate + "': it cannot be moved from where the mechanism is drawn: the joints hold it, or it is at its furthest there");
  return error({}, "over '" + holding.coordinate + "': it is moved by " + join_names(labels) + " together: expected one driver that can be set aside",
               "take one of them out of the model");
}

// ---- rows -------------------------------------------------------------------------------------------------------------------

/// One value of the range.
struct Balance {
  bool found = false;
  std::vector<double> row;
  Outcome outcome;
  MotionState state;
  bool unstable = false;
};

class Walk {
 public:
  Walk(const Holding& holding, const Options& options) : holding_(holding), options_(options) {
    own_.stop = options.stop;
    own_.on_demand = options.on_demand;
  }

  // An equilibrium with the coordinate held at a value, searched for from a position; nothing where the mechanism cannot be made.
  Balance at(double value, const std::optional<MotionState>& from) {
    Balance out;
    const auto built = built_held(*holding_.free, held_at(*holding_.free, holding_, value), {});
    if (!built) {
      out.outcome = {Outcome::Kind::not_run, 0, built.problems().front().sentence, {}};
      return out;
    }
    own_.start = from;
    Run ran = run(*built, Analysis::equilibrium, own_, [&](std::span<const double> row) {
      out.row.assign(row.begin(), row.end());
      return true;
    });
    out.found = ran.outcome.done() && !out.row.empty();
    out.outcome = std::move(ran.outcome);
    out.unstable = ran.rest && ran.rest->unstable > 0;
    out.state = std::move(ran.state);
    if (out.found && problems.empty()) problems = ran.problems;
    for (const std::string& name : ran.not_unique)
      if (std::ranges::find(not_unique, name) == not_unique.end()) not_unique.push_back(name);
    return out;
  }

  // From a neighbour in small steps, so that it stays on its way; then at once, from there and from the drawing.
  Balance reached(double value, double last_value, const std::optional<MotionState>& last, const std::optional<MotionState>& drawn) {
    const double most = holding_.unit == "rad" ? kMostTurn : kMostTravel * size_of(*holding_.free);
    const int steps = std::clamp(static_cast<int>(std::ceil(std::abs(value - last_value) / most)), 1, kMostSteps);
    std::optional<MotionState> from = last;
    Balance place;
    for (int k = 1; k <= steps && !told(); ++k) {
      place = at(last_value + (value - last_value) * k / steps, from);
      if (!place.found) break;
      from = place.state;
    }
    if (place.found || told()) return place;
    if (steps > 1) place = at(value, last);
    if (place.found || told()) return place;
    Balance afresh = at(value, drawn);
    return afresh.found ? afresh : place;
  }

  [[nodiscard]] bool told() const { return options_.stop && options_.stop(); }

  Problems problems;                    // of the first row
  std::vector<std::string> not_unique;  // of any

 private:
  static constexpr double kMostTurn = 0.1, kMostTravel = 0.05;  // radians, and sizes of the mechanism
  static constexpr int kMostSteps = 2000;

  static double size_of(const Mechanism& mechanism) {
    return visit(mechanism, [](const auto& m) { return scene(m).size; });
  }

  const Holding& holding_;
  const Options& options_;
  Options own_;
};

void note_missing(OverRun& over, double value, bool follows, const Outcome& outcome) {
  if (follows && !over.missing.empty() && over.missing.back().kind == outcome.kind) {
    over.missing.back().to = value;
    return;
  }
  over.missing.push_back({value, value, outcome.kind, outcome.sentence});
}

void warn_of_missing(const OverRun& over, Problems& problems) {
  for (const OverRun::Missing& gap : over.missing) {
    const std::string where = gap.from == gap.to ? fmt::format("{:.6g}", gap.from) : fmt::format("{:.6g} to {:.6g}", gap.from, gap.to);
    problems.push_back(warning({}, fmt::format("no equilibrium at {} = {} {}: {}", over.coordinate, where, over.unit,
                                               gap.sentence.empty() ? std::string(word(gap.kind)) : gap.sentence)));
  }
}

}  // namespace

Result<Over> read_over(const Mechanism& mechanism, std::string_view text) {
  const std::size_t sign = text.rfind('=');
  const std::string start = fmt::format("'{}': ", text);
  const std::string_view name = trimmed(text.substr(0, std::min(sign, text.size())));
  if (sign == text.npos || name.empty()) return error({}, start + "expected COORDINATE=FROM:TO:NUMBER, as in crank.phi=0:360*deg:73");
  auto values = values_of(mechanism, text.substr(sign + 1));
  if (!values) {
    for (Problem& p : values.problems()) p.sentence = start + p.sentence;
    return values.problems();
  }
  return Over{std::string(name), *std::move(values)};
}

const Holding* holding(const Mechanism& mechanism) { return mechanism.content().holding.get(); }

Result<Mechanism> held(const Mechanism& mechanism, const std::string& coordinate) {
  const std::vector<Column> known = coordinates_of(mechanism);
  const std::vector<std::string> names = names_of(known);
  auto made = std::make_shared<Holding>();
  made->coordinate = column_named(coordinate, names);
  const auto column = std::ranges::find(known, made->coordinate, &Column::name);
  if (column == known.end()) {
    const auto guess = nearest_name(coordinate, names);
    return error({}, "over '" + coordinate + "': expected a coordinate of the mechanism (" + join_names(names, 6) + "), found another name",
                 guess ? "did you mean '" + *guess + "'?" : "");
  }
  made->unit = column->unit;
  made->element = free_name(mechanism.model());
  made->effort = made->element + ".effort";
  made->effort_unit = column->unit == "rad" ? "N m" : column->unit == "m" ? "N" : "";
  made->free = std::make_shared<const Mechanism>(mechanism);
  const auto [assembled, q] = visit(mechanism, [](const auto& m) {
    const Assembly assembly = assemble(m);
    return std::pair(assembly.assembled, assembly.q);
  });
  if (!assembled) return error({}, "over '" + coordinate + "': the mechanism cannot be assembled as it is drawn", "jounce check tells why");
  const auto drawn = value_at(mechanism, q, made->coordinate);
  if (!drawn || !std::isfinite(*drawn)) return error({}, "over '" + coordinate + "': it has no value where the mechanism is drawn");
  made->drawn = *drawn;
  auto aside = in_the_way(mechanism, *made, q);
  if (!aside) return aside.problems();
  made->set_aside = *std::move(aside);
  Model model = held_at(mechanism, *made, made->drawn);
  auto out = built_held(mechanism, std::move(model), made);
  if (!out) return about(coordinate, out.problems());
  return out;
}

WatchedParts parts_of_run(const Mechanism& mechanism) {
  WatchedParts out = visit(mechanism, [](const auto& m) { return watched_parts(m); });
  if (const Holding* held = holding(mechanism)) {
    out.efforts.insert(out.efforts.begin(), {held->element, held->effort});
    std::erase(out.joints, held->element);
  }
  return out;
}

Run refused_over(const Problems& problems) {
  Run out;
  out.analysis = Analysis::equilibrium;
  out.outcome.sentence = problems.front().sentence;
  out.problems = problems;
  return out;
}

Run run_over(const Mechanism& mechanism, Analysis analysis, const Options& options, const RowSink& sink) {
  Over over = *options.over;
  if (analysis != Analysis::equilibrium) return refused_over({error({}, "over: is of an equilibrium, found " + std::string(word(analysis)))});
  if (!options.goals.empty()) return refused_over({error({}, "over: goals are numbers of a run over time; found some for a run over '" + over.coordinate + "'")});
  if (over.values.empty()) return refused_over({error({}, "over '" + over.coordinate + "': expected values, found none")});
  for (const double value : over.values)
    if (!std::isfinite(value)) return refused_over({error({}, "over '" + over.coordinate + "': expected finite values")});
  std::ranges::sort(over.values);
  over.values.erase(std::unique(over.values.begin(), over.values.end()), over.values.end());
  const Holding* const given = holding(mechanism);
  if (given == nullptr) {
    const auto own = held(mechanism, over.coordinate);
    return own ? run_over(*own, analysis, options, sink) : refused_over(own.problems());
  }
  const Holding& holding = *given;
  const std::vector<Column> columns = result_columns(mechanism, analysis);
  const auto column = [&](const std::string& name) { return static_cast<std::size_t>(std::ranges::find(columns, name, &Column::name) - columns.begin()); };
  const std::size_t coordinate = column(holding.coordinate), effort = column(holding.effort), multiplier = column(holding.element + ".lambda1");
  const std::size_t width = columns.size() + (options.on_demand ? demanded_columns(mechanism, analysis).size() : 0);

  // outward from the drawing, both ways
  const auto nearest = std::ranges::min_element(over.values, {}, [&](double value) { return std::abs(value - holding.drawn); });
  const auto middle = static_cast<std::size_t>(nearest - over.values.begin());

  Run out;
  out.analysis = analysis;
  Walk walk(holding, options);
  std::optional<MotionState> drawn;
  if (options.start) drawn = options.start;
  else
    drawn = MotionState{0, visit(*holding.free, [](const auto& m) { return assemble(m).q; }), {}};
  std::vector<Balance> places(over.values.size());
  std::size_t done = 0;
  const auto go = [&](std::size_t first, std::ptrdiff_t way, double value, std::optional<MotionState> last) {
    for (auto k = static_cast<std::ptrdiff_t>(first); k >= 0 && k < static_cast<std::ptrdiff_t>(places.size()) && !walk.told(); k += way) {
      const auto which = static_cast<std::size_t>(k);
      places[which] = walk.reached(over.values[which], value, last, drawn);
      if (places[which].found) value = over.values[which], last = places[which].state;
      if (options.progress) options.progress(static_cast<double>(++done));
    }
  };
  go(middle, 1, holding.drawn, drawn);
  const Balance& start = places[middle];
  if (middle > 0) go(middle - 1, -1, start.found ? over.values[middle] : holding.drawn, start.found ? std::optional(start.state) : drawn);

  OverRun& told = out.over.emplace();
  told.coordinate = holding.coordinate, told.unit = holding.unit;
  told.effort = holding.effort, told.effort_unit = holding.effort_unit;
  told.set_aside = holding.set_aside;
  told.values = static_cast<int>(places.size());
  out.outcome.kind = Outcome::Kind::done;
  std::vector<double> row(width);
  bool follows = false;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Balance& place = places[k];
    if (place.outcome.kind == Outcome::Kind::stopped || (place.outcome.kind == Outcome::Kind::not_run && place.outcome.sentence.empty())) {
      out.outcome = {Outcome::Kind::stopped, 0, "stopped by the caller", {}};
      continue;
    }
    std::ranges::fill(row, std::nan(""));
    row[0] = 0, row[coordinate] = over.values[k];
    if (place.found) {
      // the rows have no place for the effort: it stands before what is on demand
      std::ranges::copy(std::span(place.row).first(effort), row.begin());
      std::ranges::copy(std::span(place.row).subspan(effort), row.begin() + static_cast<std::ptrdiff_t>(effort) + 1);
      row[effort] = 0.0 - row[multiplier];
      row[coordinate] = over.values[k];
      ++told.found;
      told.unstable += place.unstable ? 1 : 0;
      out.state = place.state;
    } else {
      note_missing(told, over.values[k], follows, place.outcome);
    }
    follows = !place.found;
    if (!sink(row)) {
      out.outcome = {Outcome::Kind::stopped, 0, "", {}};
      break;
    }
  }
  out.statistics.samples = told.found;
  out.problems = std::move(walk.problems);
  std::erase_if(out.problems, [](const Problem& p) { return p.sentence.starts_with("the equilibrium is "); });
  warn_of_missing(told, out.problems);
  if (told.unstable > 0)
    out.problems.push_back(warning({}, fmt::format("the equilibrium is unstable at {} of {} values: a motion leaves it even with {} held", told.unstable, told.found,
                                                   told.coordinate)));
  if (told.found == 0 && out.outcome.done()) out.outcome = places[middle].outcome;
  out.not_unique = std::move(walk.not_unique);
  return out;
}

}  // namespace jounce
