// Everything a program that uses Jounce needs: plain data and functions.
//
//   const auto mechanism = jounce::load("models/quick-return/model.toml");
//   if (!mechanism) return std::puts(jounce::text(mechanism.problems()).c_str()), 1;
//   const auto run = jounce::kinematics(*mechanism, {.to = 2, .steps = 200});
//   const auto jerk = run.results.column("lever.jphi");
//
// Not among it: <jounce/tree.hpp>, the algorithms for trees of links as templates, and <jounce/api/json.hpp>, results as JSON.
#pragma once

#include "jounce/api/cam.hpp"
#include "jounce/api/draw.hpp"
#include "jounce/api/facts.hpp"
#include "jounce/api/goals.hpp"
#include "jounce/api/hand.hpp"
#include "jounce/api/inspect.hpp"
#include "jounce/api/mechanism.hpp"
#include "jounce/api/over.hpp"
#include "jounce/api/pull.hpp"
#include "jounce/api/report.hpp"
#include "jounce/api/run.hpp"
#include "jounce/api/simulation.hpp"
#include "jounce/api/studio.hpp"
#include "jounce/api/summary_tables.hpp"
#include "jounce/api/sweep.hpp"
#include "jounce/api/table.hpp"
#include "jounce/api/types.hpp"
#include "jounce/api/version.hpp"
#include "jounce/base/files.hpp"
#include "jounce/base/require.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/io/csv.hpp"
#include "jounce/io/urdf/urdf.hpp"
#include "jounce/io/write_file.hpp"
#include "jounce/io/write_model.hpp"
#include "jounce/model/model.hpp"
#include "jounce/report/plot.hpp"
#include "jounce/results/noise.hpp"
#include "jounce/results/units.hpp"
