// The command line: from arguments to a command.
#pragma once

namespace jounce::app {

/// Runs the command that the arguments ask for and gives back the exit code.
int run_command_line(int argc, const char* const* argv);

}  // namespace jounce::app
