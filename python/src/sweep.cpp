// Many variants of a mechanism, on the threads of this machine.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "door.hpp"

namespace jounce::python {
namespace {

using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// (goals of each variant, outcomes, reasons, units of the goals)
nb::tuple sweep_of(const Mechanism& mechanism, const std::vector<std::string>& parameters, const Values& values, const std::string& analysis, std::optional<double> to,
                   std::optional<long long> steps, double tolerance, const std::string& method, const std::string& formulation,
                   const std::vector<std::pair<std::string, std::string>>& goals, int threads, nb::object progress) {
  if (values.shape(1) != parameters.size()) throw nb::value_error("values: expected a number for each parameter");
  SweepOptions options;
  options.analysis = analysis_named(analysis);
  options.run = options_of(mechanism, options.analysis, {.to = to, .steps = steps, .tolerance = tolerance, .method = method, .formulation = formulation, .goals = goals});
  options.threads = threads;
  LongCall call(std::move(progress));
  options.stop = call.stop();
  options.progress = [tell = call.progress()](std::size_t done) {
    if (tell) tell(static_cast<double>(done));
  };
  auto found = call.work([&] { return sweep(mechanism, parameters, {values.data(), values.size()}, options); });
  call.raise_what_came();
  if (!found) raise_value_error(found.problems());
  std::vector<std::string> outcomes;
  for (const Outcome::Kind kind : found->outcomes) outcomes.emplace_back(word(kind));
  auto* kept = new std::vector<double>(std::move(found->values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::make_tuple(nb::ndarray<nb::numpy, double, nb::ndim<2>>(kept->data(), {values.shape(0), goals.size()}, owner), outcomes, found->sentences, found->units);
}

}  // namespace

void bind_sweep(nb::module_& m) {
  m.def("sweep", &sweep_of, nb::arg("mechanism"), nb::arg("parameters"), nb::arg("values"), nb::arg("analysis"), nb::arg("to").none(), nb::arg("steps").none(),
        nb::arg("tolerance"), nb::arg("method"), nb::arg("formulation"), nb::arg("goals"), nb::arg("threads"), nb::arg("progress").none());
}

}  // namespace jounce::python
