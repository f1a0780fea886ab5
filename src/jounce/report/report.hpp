// A run as one page that opens anywhere: the mechanism moving, its curves, and what the run came to.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/report/scene.hpp"
#include "jounce/report/table.hpp"
#include "jounce/results/outcome.hpp"
#include "jounce/results/summary_table.hpp"
#include "jounce/results/units.hpp"

namespace jounce {

/// Small motions about a rest, for the page to play: of every mode the same number of rows, with the columns of `columns` alone. The middle row
/// of a mode is the rest, the first and the last are its furthest to both sides.
struct ReportModes {
  struct Mode {
    std::string words;     ///< "1: 0.5 Hz"
    std::string shape{};   ///< its largest parts: "lever.phi 1, load.y 0.999"
    std::string unstable{};///< why it does not swing; empty where it does
    double growth = 0;     ///< 1/s, of one that leaves
    double reach = 0;      ///< of its largest part in the last row, in radians or sizes of the mechanism
  };
  std::vector<Mode> modes{};
  std::size_t rows = 0;                       ///< of each
  std::vector<std::string> columns{};
  std::vector<std::vector<double>> numbers{}; ///< one vector for each column: mode after mode
};

/// Everything on the page that is not in the template.
struct ReportInput {
  std::string generator;                   ///< "jounce 0.1.0"
  std::string name, file, source;          ///< of the model; the text of its file
  std::map<std::string, double, std::less<>> parameters;
  std::string analysis;                    ///< kinematics, inverse, dynamics or equilibrium
  double to = 0;
  int steps = 0;
  std::optional<double> tolerance;         ///< of dynamics
  std::string over{};                      ///< the column along which the rows are; empty: t
  std::string effort{};                    ///< the column of what it takes to hold that
  std::vector<std::pair<double, double>> missing{};  ///< of it: where there are no rows, first and last
  Outcome outcome;
  std::vector<SummaryTable> summary;
  std::vector<Event> events;
  Problems problems;
  ReportModes modes{};                     ///< of a rest
  const Scene& scene;
  std::vector<ReportColumn> columns;
  std::size_t samples = 0;                 ///< rows on the page
  std::size_t rows_seen = 0, every = 1;    ///< of the run, and which of them are on the page
  std::vector<std::vector<double>> stored{}; ///< the numbers of columns that do not follow from others; empty: the page gets them as they are
  Units units{};                           ///< in which the page shows its columns
};

/// The JSON document alone.
[[nodiscard]] std::string report_json(const ReportInput& input);

/// The whole page: no file and no network is needed to read it. Refused by a build without reports.
[[nodiscard]] Result<std::string> report_html(const ReportInput& input);
/// False where the library was built without them (JOUNCE_REPORTS=OFF): what it cannot write can be said before a long run.
[[nodiscard]] bool has_reports();

/// The page without its data, for the plane or for space; the data goes in the place of kDataMark.
[[nodiscard]] std::string_view report_template(bool space);
inline constexpr std::string_view kDataMark = "\"__JOUNCE_DATA__\"";

}  // namespace jounce
