// Mechanisms: loading, parameters, questions and analyses.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "door.hpp"

namespace jounce::python {
namespace {

using Overrides = std::vector<Override>;

Mechanism unwrapped(Result<Mechanism> result) {
  if (!result) raise_model_error(result.problems());
  return *std::move(result);
}

Mechanism load_file(const std::string& path, const Overrides& overrides) {
  LongCall call;
  return unwrapped(call.work([&] { return Mechanism::load(path, overrides); }));
}

Mechanism load_text(const std::string& text, const std::string& file, const Overrides& overrides) {
  LongCall call;
  return unwrapped(call.work([&] { return Mechanism::from_text(text, file, overrides); }));
}

// A model that was put together in code has no lines that its author knows: its problems name the element and the key.
Mechanism build_text(const std::string& text) {
  auto result = Mechanism::from_text(text, "");
  for (Problem& p : result.problems()) p.where = {}, p.file.clear();
  return unwrapped(std::move(result));
}

std::string import_urdf(const std::string& path, bool floating_base, bool keep_fixed, bool limits, nb::list warnings) {
  auto model = read_urdf(path, {.floating_base = floating_base, .keep_fixed = keep_fixed, .limits = limits});
  if (!model) raise_model_error(model.problems());
  for (const nb::handle warning : problems_to_python(model.problems())) warnings.append(warning);
  return write_model(*model);
}

Mechanism with_parameters(const Mechanism& mechanism, const Overrides& overrides) { return unwrapped(mechanism.with(overrides)); }

double time_at(double at) {
  if (!(at >= 0) || !std::isfinite(at)) throw nb::value_error(("at: expected 0 or a later time, found " + nb::cast<std::string>(nb::repr(nb::float_(at)))).c_str());
  return at;
}

nb::object check_of(const Mechanism& mechanism) {
  LongCall call;
  const Check found = call.work([&] { return check(mechanism, call.stop()); });
  call.raise_what_came();
  Problems problems = mechanism.problems();
  append(problems, found.problems);
  return to_python(check_json(mechanism, found, problems));
}

template <class Found>
Problems with_problems(const Mechanism& mechanism, const Found& found) {
  Problems problems = mechanism.problems();
  append(problems, found.problems);
  if (!found.outcome.done() && !any_error(problems) && !found.outcome.sentence.empty()) problems.push_back(error({}, found.outcome.sentence));
  return problems;
}

nb::object explain_of(const Mechanism& mechanism, double at, const std::optional<std::string>& formulation, const std::vector<double>& lambda) {
  LongCall call;
  const double t = time_at(at);
  if (!formulation) {
    const Explained found = call.work([&] { return explain(mechanism, t, lambda, call.stop()); });
    call.raise_what_came();
    if (found.outcome.kind == Outcome::Kind::not_run) raise_value_error(found.problems);
    return to_python(explain_json(mechanism, t, found, with_problems(mechanism, found)));
  }
  if (!lambda.empty()) throw nb::value_error("lambda_: multipliers are for the explanation without a formulation");
  if (mechanism.space() == Space::plane && *formulation == "kane") {
    const auto found = call.work([&] { return explain_kane(mechanism, t, call.stop()); });
    call.raise_what_came();
    return to_python(explain_json(mechanism, t, found, with_problems(mechanism, found)));
  }
  const LinkageFormulation wanted = linkage_formulation_named(*formulation);
  const auto found = call.work([&] { return explain_arrays(mechanism, wanted, t, call.stop()); });
  call.raise_what_came();
  if (found.outcome.kind == Outcome::Kind::not_run) raise_value_error(found.problems);
  return to_python(explain_json(mechanism, t, wanted, found, with_problems(mechanism, found)));
}

nb::object compare_of(const Mechanism& mechanism, double at) {
  LongCall call;
  const double t = time_at(at);
  const ComparisonResult found = call.work([&] { return compare(mechanism, t, call.stop()); });
  call.raise_what_came();
  return to_python(compare_json(mechanism, found, with_problems(mechanism, found)));
}

// (kind of outcome, sentence, state or None, driven)
nb::tuple state_at_of(const Mechanism& mechanism, double at) {
  LongCall call;
  const double t = time_at(at);
  const StateResult found = call.work([&] { return state_at(mechanism, t, call.stop()); });
  call.raise_what_came();
  const nb::object state = found.state ? nb::object(state_to_python(*found.state)) : nb::none();
  return nb::make_tuple(std::string(word(found.outcome.kind)), found.outcome.sentence, state, found.driven);
}

nb::tuple draw_of(const Mechanism& mechanism, std::optional<double> at, const std::vector<std::string>& trails, bool names, double width, const std::string& view) {
  static constexpr std::array<std::pair<std::string_view, View>, 4> kViews{{{"iso", View::iso}, {"x", View::x}, {"y", View::y}, {"z", View::z}}};
  constexpr double kLeastWidth = 100, kMostWidth = 10000;
  const auto chosen = std::ranges::find(kViews, view, &std::pair<std::string_view, View>::first);
  if (chosen == kViews.end()) throw nb::value_error(("view '" + view + "': expected one of iso, x, y, z").c_str());
  if (!(width >= kLeastWidth && width <= kMostWidth)) throw nb::value_error("width: expected 100 to 10000 pixels");
  std::vector<TrailPoint> points;
  for (const std::string& name : trails) {
    auto point = trail_point(mechanism, name);
    if (!point) raise_value_error(point.problems());
    points.push_back(*std::move(point));
  }
  if (at) at = time_at(*at);
  LongCall call;
  const Drawing found = call.work([&] { return draw(mechanism, at, points, {.title = {}, .names = names, .width = width, .view = chosen->second}, call.stop()); });
  call.raise_what_came();
  return nb::make_tuple(found.svg, found.t, std::string(word(found.outcome.kind)), found.outcome.sentence);
}

// Rows are kept in memory: what cannot be kept is refused before it is computed.
void refuse_what_has_no_room(const Mechanism& mechanism, Analysis analysis, const Options& options) {
  constexpr double kManyRows = 1e6;  // fewer are not worth the question
  const double rows = options.times.empty() ? options.steps + 1.0 : static_cast<double>(options.times.size());
  if (analysis == Analysis::equilibrium || rows < kManyRows) return;
  std::vector<std::string> names = names_of(result_columns(mechanism, analysis)), unmatched;
  const std::size_t columns = options.columns.empty() ? names.size() : select_columns(names, options.columns, unmatched).size();
  const double bytes = rows * static_cast<double>(columns) * sizeof(double);
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  if (bytes < memory) return;
  constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;
  PyErr_SetString(PyExc_MemoryError, ("expected rows that fit into memory, found " + std::to_string(columns) + " columns of " + std::to_string(static_cast<long long>(rows)) +
                                      " rows, " + std::to_string(static_cast<long long>(bytes / kGibi)) + " GiB: keep fewer with columns=, or ask for fewer steps")
                                         .c_str());
  throw nb::python_error();
}

std::shared_ptr<BoundRun> run_of(const Mechanism& mechanism, const std::string& name, std::optional<double> to, std::optional<long long> steps, const nb::object& times,
                                 const nb::object& start, const std::vector<std::string>& columns, double tolerance, const std::string& method,
                                 const std::string& formulation, int order, bool events, const std::vector<std::pair<std::string, std::string>>& goals,
                                 const std::optional<std::pair<std::string, std::vector<double>>>& over, nb::object progress) {
  const Analysis analysis = analysis_named(name);
  LongCall call(std::move(progress));
  Options options = options_of(mechanism, analysis, {to, steps, times, start, columns, tolerance, method, formulation, order, events, goals, over});
  refuse_what_has_no_room(mechanism, analysis, options);
  options.stop = call.stop();
  options.progress = call.progress();
  auto out = std::make_shared<BoundRun>(BoundRun{mechanism, call.work([&] { return run(mechanism, analysis, options); })});
  if (call.raised()) call.raise_what_came("run", nb::cast(out));
  if (out->run.outcome.kind == Outcome::Kind::not_run) raise_value_error(out->run.problems);
  return out;
}

nb::list columns_to_python(const std::vector<Column>& columns) {
  nb::list out;
  for (const Column& c : columns) out.append(nb::make_tuple(c.name, c.unit, c.group, c.owner));
  return out;
}

nb::dict profile_of(const Mechanism& mechanism, const std::string& joint, int count) {
  constexpr int kMostPlaces = 10'000'000;
  if (count < 2 || count > kMostPlaces) throw nb::value_error("count: expected a whole number from 2 to 1e7");
  const auto found = curve_profile(mechanism, joint, count);
  if (!found) raise_value_error(found.problems());
  std::vector<double> x, y, s, curvature, centre_x, centre_y;
  for (const CurveProfile::Place& p : found->places) {
    x.push_back(p.x), y.push_back(p.y), s.push_back(p.s), curvature.push_back(p.curvature), centre_x.push_back(p.centre_x), centre_y.push_back(p.centre_y);
  }
  nb::dict out;
  out["joint"] = found->joint, out["type"] = found->type, out["body"] = found->body;
  out["closed"] = found->closed, out["length"] = found->length, out["roller_radius"] = found->roller_radius;
  out["x"] = owned(std::move(x)), out["y"] = owned(std::move(y)), out["s"] = owned(std::move(s)), out["curvature"] = owned(std::move(curvature));
  out["centre_x"] = owned(std::move(centre_x)), out["centre_y"] = owned(std::move(centre_y));
  return out;
}

}  // namespace

Options options_of(const Mechanism& mechanism, Analysis analysis, const Wanted& wanted) {
  constexpr long long kMostSteps = 1'000'000'000;
  constexpr int kLowestOrder = 6, kHighestOrder = 40;
  Options out;
  out.to = wanted.to.value_or(mechanism.run().to);
  const long long intervals = wanted.steps.value_or(mechanism.run().steps);
  if (intervals < 1 || intervals > kMostSteps) throw nb::value_error(("steps: expected a whole number from 1 to 1e9, found " + std::to_string(intervals)).c_str());
  out.steps = static_cast<int>(intervals);
  if (!wanted.times.is_none()) {
    const auto view = nb::cast<nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(wanted.times);
    out.times.assign(view.data(), view.data() + view.size());
    if (out.times.empty()) throw nb::value_error("times: expected at least one, found none");
  }
  if (!wanted.start.is_none()) out.start = state_of(wanted.start);
  out.columns = wanted.columns;
  if (wanted.over) out.over = Over{wanted.over->first, wanted.over->second};
  out.events = wanted.events;
  out.tolerance = wanted.tolerance;
  if (!(out.tolerance > 0) || !std::isfinite(out.tolerance)) throw nb::value_error("tol: expected a number greater than 0");
  out.method = method_named(wanted.method);
  out.formulation = formulation_named(wanted.formulation);
  out.order = wanted.order;
  if (out.order != 0 && (out.order < kLowestOrder || out.order > kHighestOrder)) throw nb::value_error("order: expected 0, or a whole number from 6 to 40");
  if (analysis == Analysis::dynamics && mechanism.space() == Space::three) {
    if (out.method == Method::taylor) throw nb::value_error("method 'taylor': is for models of the plane; a spatial model has auto, dop853 and radau");
    if (out.formulation == Formulation::kane)
      throw nb::value_error("formulation 'kane': is for models of the plane; a spatial model has auto, lagrange, kkt, nullspace, crba and aba");
    if (out.order != 0) throw nb::value_error("order: is of the Taylor series, which a spatial model has not");
  }
  for (const auto& [name, text] : wanted.goals) out.goals.push_back({name, text});
  return out;
}

nb::tuple mechanism_to_python(const Mechanism& mechanism) {
  nb::list parameters;
  for (const Parameter& p : mechanism.model().parameters)
    if (p.value.where.line == 0) parameters.append(nb::make_tuple(p.name, p.value.text));  // it was set, it is not of the text
  nb::dict files;
  for (const auto& [path, text] : mechanism.files()) files[path.c_str()] = nb::bytes(text->data(), text->size());
  return nb::make_tuple(mechanism.source(), mechanism.file(), parameters, files);
}

Mechanism mechanism_of(nb::handle tuple) {
  FileTexts files;
  for (const auto& [path, text] : nb::cast<nb::dict>(tuple[3])) {
    const auto bytes = nb::cast<nb::bytes>(text);
    files.emplace(nb::cast<std::string>(path), std::make_shared<const std::string>(bytes.c_str(), bytes.size()));
  }
  return unwrapped(Mechanism::from_text(nb::cast<std::string>(tuple[0]), nb::cast<std::string>(tuple[1]), nb::cast<Overrides>(tuple[2]), files));
}

void bind_mechanism(nb::module_& m) {
  nb::class_<Mechanism>(m, "Mechanism")
      .def_prop_ro("name", &Mechanism::name)
      .def_prop_ro("file", &Mechanism::file)
      .def_prop_ro("space", [](const Mechanism& self) { return self.space() == Space::plane ? "plane" : "3d"; })
      .def_prop_ro("parameters", [](const Mechanism& self) {
        nb::dict out;  // in the order of the file
        for (const Parameter& p : self.model().parameters) out[p.name.c_str()] = self.parameters().at(p.name);
        return nb::typed<nb::dict, std::string, double>(out);
      })
      .def_prop_ro("problems", [](const Mechanism& self) { return problems_to_python(self.problems()); })
      .def_prop_ro("source", &Mechanism::source)
      .def_prop_ro("tables", &Mechanism::tables)
      .def_prop_ro("coordinates", &Mechanism::coordinates)
      .def_prop_ro("rates", &Mechanism::rates)
      .def_prop_ro("state_names", [](const Mechanism& self) { return std::pair(self.coordinate_names(), self.rate_names()); })
      .def("plan",
           [](const Mechanism& self) {
             const RunPlan& plan = self.run();
             return nb::make_tuple(plan.analysis, plan.to, plan.steps, plan.written);
           })
      .def("to_toml", [](const Mechanism& self) { return write_model(self.model()); })
      .def("with_parameters", &with_parameters, nb::arg("overrides"))
      .def("evaluate",
           [](const Mechanism& self, const std::string& expression) {
             const auto value = self.evaluate(expression);
             if (!value) raise_value_error(value.problems());
             return *value;
           },
           nb::arg("expression"))
      .def("columns",
           [](const Mechanism& self, const std::string& analysis, bool on_demand) {
             const Analysis of = analysis_named(analysis);
             return columns_to_python(on_demand ? demanded_columns(self, of) : result_columns(self, of));
           },
           nb::arg("analysis"), nb::arg("on_demand"))
      .def("check", &check_of)
      .def("explain", &explain_of, nb::arg("at"), nb::arg("formulation").none(), nb::arg("multipliers"))
      .def("compare", &compare_of, nb::arg("at"))
      .def("state_at", &state_at_of, nb::arg("at"))
      .def("draw", &draw_of, nb::arg("at").none(), nb::arg("trails"), nb::arg("names"), nb::arg("width"), nb::arg("view"))
      .def("run", &run_of, nb::arg("analysis"), nb::arg("to").none(), nb::arg("steps").none(), nb::arg("times").none(), nb::arg("start").none(), nb::arg("columns"),
           nb::arg("tolerance"), nb::arg("method"), nb::arg("formulation"), nb::arg("order"), nb::arg("events"), nb::arg("goals"), nb::arg("over").none(), nb::arg("progress").none())
      .def("held_columns", [](const Mechanism& self, const std::string& coordinate) {
        const auto own = held(self, coordinate);
        if (!own) raise_value_error(own.problems());
        return names_of(result_columns(*own, Analysis::equilibrium));
      }, nb::arg("coordinate"))
      .def("read_over", [](const Mechanism& self, const std::string& text) {
        auto over = read_over(self, text);
        if (!over) raise_value_error(over.problems());
        return nb::make_tuple(over->coordinate, over->values);
      }, nb::arg("text"))
      .def("curve_joints", [](const Mechanism& self) { return curve_joints(self); })
      .def("profile", &profile_of, nb::arg("joint"), nb::arg("count"))
      .def("same", [](const Mechanism& self, const Mechanism& other) {
        if (&self.content() == &other.content()) return true;
        if (!(self.model() == other.model()) || self.files().size() != other.files().size()) return false;
        return std::ranges::equal(self.files(), other.files(), [](const auto& a, const auto& b) { return *a.second == *b.second; });
      }, nb::arg("other"))
      .def("__getstate__", &mechanism_to_python)
      .def("__setstate__", [](Mechanism& self, const nb::tuple& state) { new (&self) Mechanism(mechanism_of(state)); });

  m.def("load", &load_file, nb::arg("path"), nb::arg("overrides"));
  m.def("loads", &load_text, nb::arg("text"), nb::arg("file"), nb::arg("overrides"));
  m.def("types", [] { return to_python(types_json(element_types())); });
  m.def("build", &build_text, nb::arg("text"));
  m.def("import_urdf", &import_urdf, nb::arg("path"), nb::arg("floating_base"), nb::arg("keep_fixed"), nb::arg("limits"), nb::arg("warnings"));
}

}  // namespace jounce::python
