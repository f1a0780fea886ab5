// What a run came to, for a person and for a program.
#pragma once

#include <cstdio>

#include "timed_run.hpp"

namespace jounce::app {

/// Follows a plan and reports it. `motion`: with the ranges of drivers and points. `summary`: where a person finds it; null: nowhere.
/// With --json a program finds it on standard output.
int carry_out(const RunOptions& options, const Mechanism& mechanism, const Plan& plan, const Problems& warnings, bool motion,
              std::FILE* summary);

}  // namespace jounce::app
