// An analysis as the command line asks for it: every command that makes rows of results plans it, follows it and reports it
// in the same way.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "jounce/api/run.hpp"
#include "jounce/results/units.hpp"
#include "result_file.hpp"

namespace jounce::app {

struct Plan {
  Analysis analysis{};
  double to = 1;
  int steps = 100;
  double tolerance = Options{}.tolerance;
  Method method = Method::automatic;
  Formulation formulation = Formulation::automatic;
  int order = 0;                   ///< of the Taylor series; 0: left to the tolerance
  std::optional<Over> over;        ///< of an equilibrium
  std::vector<std::string> names;  ///< the columns to write
  std::vector<std::size_t> kept;   ///< their places among all columns, those on demand last
  std::vector<double> factors;     ///< from SI units to those of the file
  std::vector<Column> columns;     ///< as the file has them
  Units units;                     ///< of files, report and summary
  std::optional<Units> asked;      ///< those of --units
  std::size_t usual = 0;           ///< how many are not on demand
  std::string output;              ///< "-": standard output; empty: rows are not written
  Format format{};                 ///< of that file
  std::string report;              ///< the page; empty: none
  std::string page_mark;           ///< written behind it
};

/// Options over the [run] section over the defaults. `output`, `report`: where rows and page go when the command line does not say.
/// Everything wrong is found at once.
[[nodiscard]] Result<Plan> plan(const RunOptions& options, const Mechanism& mechanism, Analysis analysis, std::string output,
                                std::string report = {});

/// A run, and what became of its rows.
struct Followed {
  Run run;
  int code = kDone;
  bool written = true;    ///< every row is where it was to go
  bool reported = false;  ///< the page has been written
  bool interrupted = false;  ///< by Ctrl-C or a request to terminate
};

/// Runs, writes, and prints the messages; `watch` sees every whole row, and `about` tells at the end what the run came to, for a workbook.
[[nodiscard]] Followed follow(const RunOptions& options, const Mechanism& mechanism, const Plan& plan,
                              const std::function<void(std::span<const double>)>& watch = {},
                              const std::function<std::vector<Sheet>(const Run&)>& about = {});

/// Not driven means that the wrong analysis was asked for, not run that the model lacks what it needs; everything else that stops a
/// run happens on the way.
[[nodiscard]] int exit_code(Outcome::Kind kind);

}  // namespace jounce::app
