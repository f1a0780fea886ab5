// What the files of the module share: calls that take long, problems as Python has them, and JSON as plain objects.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <jounce/api/json.hpp>
#include <jounce/jounce.hpp>

namespace jounce::python {

namespace nb = nanobind;

/// Numbers that Python may look at and not change.
using ReadOnlyNumbers = nb::ndarray<nb::numpy, const double, nb::ndim<1>>;
/// Numbers that Python hands over: anything that NumPy can turn into them has been by then.
using Numbers = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// A run together with what it is a run of.
struct BoundRun {
  Mechanism mechanism;
  Run run;
};

/// A call from Python that may take long. While the engine works the interpreter is free for other threads; now and then it is asked whether somebody
/// pressed Ctrl-C, and told how far the engine is.
class LongCall {
 public:
  /// `progress`: None, or called with the time that is reached.
  explicit LongCall(nb::object progress = nb::none()) : progress_(std::move(progress)) {}

  [[nodiscard]] Stop stop() {
    return [this] { return ended(); };
  }
  [[nodiscard]] std::function<void(double)> progress() {
    if (progress_.is_none()) return {};
    return [this](double reached) { tell(reached); };
  }

  /// `f` must touch nothing of Python. What was raised meanwhile is raised by `raise_what_came`.
  template <class F>
  auto work(F&& f) {
    const nb::gil_scoped_release free;
    return std::forward<F>(f)();
  }

  /// True where something was raised meanwhile.
  [[nodiscard]] bool raised() const { return raised_.has_value(); }
  /// Raises it; what was computed by then goes along as an attribute of the exception.
  void raise_what_came(const char* name = nullptr, const nb::object& computed = nb::none());

 private:
  static constexpr std::chrono::milliseconds kUnasked{20}, kUntold{100};
  using Clock = std::chrono::steady_clock;

  bool ended();
  void tell(double reached);

  nb::object progress_;
  std::mutex guard_;  // taken without the interpreter's lock only
  std::atomic<bool> ended_ = false;
  std::atomic<Clock::time_point> ask_next_ = Clock::now() + kUnasked;
  Clock::time_point tell_next_ = Clock::now() + kUntold;
  std::optional<nb::python_error> raised_;
};

/// Tuples (file, line, column, severity, message, hint).
[[nodiscard]] nb::list problems_to_python(const Problems& problems);
[[nodiscard]] Problems problems_of(nb::handle list);
/// Raises jounce.ModelError with these problems.
[[noreturn]] void raise_model_error(const Problems& problems);
/// Raises ValueError with the sentences of these problems.
[[noreturn]] void raise_value_error(const Problems& problems);

/// Dicts, lists, numbers, words and None.
[[nodiscard]] nb::object to_python(const Json& json);

/// Tuples (t, kind, text, elements, direction, impulse).
[[nodiscard]] nb::list events_to_python(const std::vector<Event>& events);

/// A copy that belongs to Python.
[[nodiscard]] nb::object owned(std::vector<double> numbers);

[[nodiscard]] Analysis analysis_named(std::string_view name);
[[nodiscard]] Method method_named(std::string_view name);
[[nodiscard]] Formulation formulation_named(std::string_view name);
[[nodiscard]] LinkageFormulation linkage_formulation_named(std::string_view name);

[[nodiscard]] nb::tuple state_to_python(const MotionState& state);
[[nodiscard]] MotionState state_of(nb::handle tuple);

/// What a mechanism is made of again: text, file, parameters, and the texts of its tables.
[[nodiscard]] nb::tuple mechanism_to_python(const Mechanism& mechanism);
[[nodiscard]] Mechanism mechanism_of(nb::handle tuple);

/// What Python says of a run, in the words of Options; what is left out is what [run] says.
struct Wanted {
  std::optional<double> to{};
  std::optional<long long> steps{};
  nb::object times = nb::none(), start = nb::none();
  std::vector<std::string> columns{};
  double tolerance = 1e-8;
  std::string method = "auto", formulation = "auto";
  int order = 0;
  bool events = true;
  std::vector<std::pair<std::string, std::string>> goals{};
  std::optional<std::pair<std::string, std::vector<double>>> over{};
};
/// Raises ValueError for what no analysis can do.
[[nodiscard]] Options options_of(const Mechanism& mechanism, Analysis analysis, const Wanted& wanted);

void bind_mechanism(nb::module_& m);
void bind_run(nb::module_& m);
void bind_simulation(nb::module_& m);
void bind_tree(nb::module_& m);
void bind_sweep(nb::module_& m);

}  // namespace jounce::python
