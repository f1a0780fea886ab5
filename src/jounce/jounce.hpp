// Everything a program that uses Jounce needs.
//
//   const auto mechanism = jounce::load("models/quick-return/model.toml");
//   if (!mechanism) return std::puts(jounce::text(mechanism.problems()).c_str()), 1;
//   const auto run = jounce::kinematics(*mechanism, {.to = 2, .steps = 200});
//   const auto jerk = run.results.column("lever.jphi");
#pragma once

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/compare.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/analysis/equilibrium/equilibrium.hpp"
#include "jounce/analysis/explain.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/analysis/kinematics.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/api/mechanism.hpp"
#include "jounce/api/run.hpp"
#include "jounce/api/simulation.hpp"
#include "jounce/base/files.hpp"
#include "jounce/base/require.hpp"
#include "jounce/io/load.hpp"
#include "jounce/model/model.hpp"
#include "jounce/report/drawing.hpp"
#include "jounce/report/plot.hpp"
#include "jounce/report/report.hpp"
#include "jounce/results/outcome.hpp"
#include "jounce/results/trajectory.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/tree/algorithms.hpp"
