#include "jounce/api/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include "jounce/api/content.hpp"
#include "jounce/api/run_goals.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/base/text.hpp"
#include "jounce/tree/helpers.hpp"

namespace jounce {
namespace {

std::string unknown_parameter(const Mechanism& mechanism, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& known : mechanism.parameters()) names.push_back(known.first);
  const auto guess = nearest_name(name, names);
  return "the model has no parameter '" + name + "'" + (guess ? " (did you mean '" + *guess + "'?)" : " (it has " + join_names(names) + ")");
}

Problems wrong_question(const Mechanism& mechanism, std::span<const std::string> parameters, std::span<const double> values, const SweepOptions& options) {
  Problems out;
  if (parameters.empty()) out.push_back(error({}, "sweep: expected at least one parameter that varies, found none"));
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (!mechanism.parameters().contains(parameters[k])) out.push_back(error({}, "sweep: " + unknown_parameter(mechanism, parameters[k])));
    if (std::ranges::find(parameters.first(k), parameters[k]) != parameters.begin() + static_cast<std::ptrdiff_t>(k))
      out.push_back(error({}, "sweep: parameter '" + parameters[k] + "' is named twice"));
  }
  if (!parameters.empty() && values.size() % parameters.size() != 0)
    out.push_back(error({}, "sweep: expected values for whole variants, " + std::to_string(parameters.size()) + " each, found " + std::to_string(values.size()) +
                                " values"));
  if (options.threads < 1) out.push_back(error({}, "sweep: expected at least 1 thread, found " + std::to_string(options.threads)));
  if (options.run.goals.empty()) out.push_back(error({}, "sweep: expected at least one goal, found none"));
  return out;
}

std::string errors_of(const Problems& problems) {
  std::string out;
  for (const Problem& problem : problems)
    if (problem.severity == Severity::error) out.append(out.empty() ? "" : "; ").append(problem.sentence);
  return out;
}

class Sweep {
 public:
  Sweep(const Mechanism& mechanism, std::span<const double> values, const SweepOptions& options, const ReadGoals& goals, SweepTable& out)
      : mechanism_(mechanism), values_(values), options_(options), goals_(goals), out_(out),
        helpers_(std::min(static_cast<std::size_t>(options.threads), std::max<std::size_t>(out.variants, 1)), [this](std::size_t) { work(); }) {}

  void run() {
    helpers_.run();
#ifdef __cpp_exceptions
    if (thrown_) std::rethrow_exception(thrown_);
#endif
  }

 private:
  void work() {
#ifdef __cpp_exceptions
    try {
      take_variants();
    } catch (...) {  // of the caller's own functions
      end_ = true;
      helpers_.alone([this] { if (!thrown_) thrown_ = std::current_exception(); });
    }
#else
    take_variants();
#endif
  }

  // Variants are handed out one by one: some take longer than others.
  void take_variants() {
    Options own = options_.run;
    own.columns.clear();
    own.progress = nullptr;
    own.stop = [this] { return stopped(); };
    for (std::size_t i = next_++; i < out_.variants && !stopped(); i = next_++) {
      variant(i, own);
      if (options_.progress) helpers_.alone([this] { options_.progress(++done_); });
    }
  }

  bool stopped() {
    if (!end_ && options_.stop && options_.stop()) end_ = true;
    return end_;
  }

  void variant(std::size_t i, const Options& own) {
    const std::span<const double> values = values_.subspan(i * out_.parameters.size(), out_.parameters.size());
    std::vector<Override> overrides;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!std::isfinite(values[k])) return failed(i, "parameter '" + out_.parameters[k] + "': expected a finite number, found " + short_number(values[k]));
      overrides.emplace_back(out_.parameters[k], Text(values[k]).text);
    }
    const Result<Mechanism> made = mechanism_.with(overrides);
    if (!made) return failed(i, errors_of(made.problems()));
    const Run run = jounce::run(*made, options_.analysis, own, goals_, [](std::span<const double>) { return true; });
    out_.outcomes[i] = run.outcome.kind;
    out_.sentences[i].clear();
    bool whole = true;
    for (std::size_t k = 0; k < run.goals.size(); ++k) {
      whole = whole && run.goals[k].value.has_value();
      if (run.goals[k].value) out_.values[i * out_.goals.size() + k] = *run.goals[k].value;
    }
    if (!run.outcome.done()) out_.sentences[i] = run.outcome.sentence.empty() ? errors_of(run.problems) : run.outcome.sentence;
    else if (!whole) out_.sentences[i] = run.problems.back().sentence;
  }

  void failed(std::size_t i, std::string sentence) {
    out_.outcomes[i] = Outcome::Kind::not_run;
    out_.sentences[i] = std::move(sentence);
  }

  const Mechanism& mechanism_;
  std::span<const double> values_;
  const SweepOptions& options_;
  const ReadGoals& goals_;
  SweepTable& out_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> end_ = false;
  std::size_t done_ = 0;
  std::exception_ptr thrown_;
  tree::Helpers helpers_;
};

}  // namespace

Result<SweepTable> sweep(const Mechanism& mechanism, std::span<const std::string> parameters, std::span<const double> values, const SweepOptions& options) {
  Problems wrong = wrong_question(mechanism, parameters, values, options);
  const ReadGoals goals = read_goals(mechanism, options.analysis, row_columns(mechanism, options.analysis), options.run.goals, wrong);
  if (any_error(wrong)) return wrong;
  SweepTable out;
  out.parameters.assign(parameters.begin(), parameters.end());
  for (const RunGoal& goal : goals.goals) out.goals.push_back(goal.name), out.units.push_back(goal.value.unit());
  out.variants = values.size() / parameters.size();
  out.values.assign(out.variants * out.goals.size(), std::numeric_limits<double>::quiet_NaN());
  out.outcomes.assign(out.variants, Outcome::Kind::stopped);
  out.sentences.assign(out.variants, "the sweep was stopped before this variant");
  Sweep(mechanism, values, options, goals, out).run();
  return out;
}

}  // namespace jounce
