// A mechanism stepped from Python. Calls from several threads wait for each other.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>
#include <mutex>

#include "door.hpp"

namespace jounce::python {
namespace {

class BoundSimulation {
 public:
  BoundSimulation(const Mechanism& mechanism, double tolerance, const std::string& method, const std::string& formulation, int order, const nb::object& start) {
    if (!(tolerance > 0) || !std::isfinite(tolerance)) throw nb::value_error("tol: expected a number greater than 0");
    SimulationOptions options{.tolerance = tolerance, .method = method_named(method), .formulation = formulation_named(formulation), .order = order};
    if (!start.is_none()) options.start = state_of(start);
    options.stop = [this] { return call_ != nullptr && call_->stop()(); };
    (void)use([&] { return simulation_.emplace(mechanism, options).ready(); });
    if (simulation_->outcome().kind == Outcome::Kind::not_run) raise_value_error(simulation_->problems());
  }
  BoundSimulation(const BoundSimulation&) = delete;
  BoundSimulation& operator=(const BoundSimulation&) = delete;

  bool advance(double time) {
    if (!(time > 0) || !std::isfinite(time)) throw nb::value_error("advance: expected a time greater than 0");
    return use([&] { return simulation_->advance(time); });
  }
  bool restart(const nb::object& state) {
    const MotionState to = state_of(state);
    const bool done = use([&] { return simulation_->restart(to); });
    if (simulation_->outcome().kind == Outcome::Kind::not_run) raise_value_error(simulation_->problems());
    return done;
  }
  /// What `f` gives of the simulation, while nobody else uses it.
  template <class F>
  auto look(F&& f) {
    const auto alone = locked();
    return std::forward<F>(f)(*simulation_);
  }

 private:
  // The interpreter's lock is not held while waiting for another thread.
  std::unique_lock<std::mutex> locked() {
    std::unique_lock alone(guard_, std::try_to_lock);
    if (!alone) {
      const nb::gil_scoped_release free;
      alone.lock();
    }
    return alone;
  }

  // `f` works without the interpreter's lock, and can be interrupted.
  bool use(const std::function<bool()>& f) {
    const auto alone = locked();
    LongCall call;
    call_ = &call;
    const bool out = call.work(f);
    call_ = nullptr;
    call.raise_what_came();
    return out;
  }

  std::mutex guard_;
  LongCall* call_ = nullptr;
  std::optional<Simulation> simulation_;
};

}  // namespace

void bind_simulation(nb::module_& m) {
  nb::class_<BoundSimulation>(m, "Simulation")
      .def(nb::init<const Mechanism&, double, const std::string&, const std::string&, int, const nb::object&>(), nb::arg("mechanism"), nb::arg("tolerance"),
           nb::arg("method"), nb::arg("formulation"), nb::arg("order"), nb::arg("start").none())
      .def("advance", &BoundSimulation::advance, nb::arg("time"))
      .def("restart", &BoundSimulation::restart, nb::arg("state"))
      .def_prop_ro("t", [](BoundSimulation& self) { return self.look([](const Simulation& s) { return s.t(); }); })
      .def_prop_ro("state", [](BoundSimulation& self) { return self.look([](const Simulation& s) { return state_to_python(s.state()); }); })
      .def_prop_ro("columns", [](BoundSimulation& self) { return self.look([](const Simulation& s) { return names_of(s.columns()); }); })
      .def_prop_ro("units",
                   [](BoundSimulation& self) {
                     return self.look([](const Simulation& s) {
                       std::vector<std::string> out;
                       for (const Column& c : s.columns()) out.push_back(c.unit);
                       return out;
                     });
                   })
      .def("row", [](BoundSimulation& self) { return self.look([](const Simulation& s) { return owned({s.row().begin(), s.row().end()}); }); })
      .def("value", [](BoundSimulation& self, std::size_t column) {
             return self.look([&](const Simulation& s) -> std::optional<double> {
               if (column >= s.row().size()) return std::nullopt;
               return s.row()[column];
             });
           },
           nb::arg("column"))
      .def_prop_ro("inputs", [](BoundSimulation& self) { return self.look([](const Simulation& s) { return s.inputs(); }); })
      .def("set", [](BoundSimulation& self, const std::string& input, double value) { return self.look([&](Simulation& s) { return s.set(input, value); }); },
           nb::arg("input"), nb::arg("value"))
      .def_prop_ro("outcome",
                   [](BoundSimulation& self) {
                     return self.look([](const Simulation& s) { return nb::make_tuple(std::string(word(s.outcome().kind)), s.outcome().t, s.outcome().sentence, s.outcome().elements); });
                   })
      .def_prop_ro("events", [](BoundSimulation& self) { return self.look([](const Simulation& s) { return events_to_python(s.events()); }); })
      .def_prop_ro("problems", [](BoundSimulation& self) { return self.look([](const Simulation& s) { return problems_to_python(s.problems()); }); });
}

}  // namespace jounce::python
