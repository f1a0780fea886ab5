// jounce kinematics MODEL: rows of results on standard output or in a file.
#include "commands.hpp"
#include "driven_run.hpp"
#include "model_input.hpp"
#include "terminal.hpp"

namespace jounce::app {

int command_kinematics(const RunOptions& options) {
  Problems warnings;
  const auto mechanism = load_model(options, warnings);
  if (!mechanism) return kWrong;
  const auto planned = plan(options, *mechanism, options.json ? "" : "-");
  if (!planned) return refuse(options, planned.problems());
  print_problems(warnings, options.quiet);
  Followed followed = follow(options, *mechanism, *planned);
  if (options.json) {
    followed.run.problems.insert(followed.run.problems.begin(), warnings.begin(), warnings.end());
    print_json(summary(options, *planned, followed.run));
  }
  return followed.code;
}

}  // namespace jounce::app
