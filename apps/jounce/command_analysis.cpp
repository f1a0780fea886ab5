// jounce kinematics | inverse | dynamics | equilibrium MODEL: rows of results on standard output or in a file, and a summary.
#include "commands.hpp"
#include "jounce/api/over.hpp"
#include "model_input.hpp"
#include "run_summary.hpp"
#include "timed_run.hpp"

namespace jounce::app {
namespace {

// Beside rows on standard output a summary would be in the way, but half of what an equilibrium tells is not in its row. What
// kinematics has to tell is all in its rows.
std::FILE* place_of_summary(const Plan& plan) {
  if (plan.analysis == Analysis::kinematics) return nullptr;
  if (plan.output != "-") return stdout;
  return plan.analysis == Analysis::equilibrium ? stderr : nullptr;
}

}  // namespace

int command_analysis(Analysis analysis, const RunOptions& options) {
  Problems warnings;
  auto mechanism = load_model(options, warnings);
  if (!mechanism) return kWrong;
  std::optional<Over> over;
  if (options.over) {
    auto found = read_over(*mechanism, *options.over);
    for (Problem& p : found.problems()) p.sentence = "--over " + p.sentence;
    if (!found) return refuse(options, found.problems());
    over = *std::move(found);
    auto ready = held(*mechanism, over->coordinate);
    if (!ready) return refuse(options, ready.problems());
    mechanism = *std::move(ready);
  }
  auto planned = plan(options, *mechanism, analysis, options.json ? "" : "-");
  if (!planned) return refuse(options, planned.problems());
  planned->over = std::move(over);
  return carry_out(options, *mechanism, *planned, warnings, false, place_of_summary(*planned));
}

}  // namespace jounce::app
