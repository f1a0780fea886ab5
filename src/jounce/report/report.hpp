// A run as one page that opens anywhere: the mechanism moving, its curves, and what the run came to.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/report/scene.hpp"
#include "jounce/report/table.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

/// Rows of any number of cells each, under a title.
struct SummaryTable {
  std::string title;
  std::vector<std::string> head{};  ///< what the columns are; empty where each row says it
  std::vector<std::vector<std::string>> rows{};
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
  Outcome outcome;
  std::vector<SummaryTable> summary;
  std::vector<Event> events;
  Problems problems;
  const Scene& scene;
  const ReportTable& table;
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
