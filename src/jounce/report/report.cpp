#include "jounce/report/report.hpp"

#include "jounce/base/require.hpp"

namespace jounce {

bool has_reports() { return true; }

Result<std::string> report_html(const ReportInput& input) {
  const std::string_view page = report_template(input.scene.space);
  const std::string place = ">" + std::string(kDataMark) + "</";  // the only content of its element, and not in a script's text
  const std::size_t mark = page.find(place);
  JOUNCE_REQUIRE(mark != page.npos, "the template has the mark of its data");
  std::string out(page.substr(0, mark + 1));
  out += report_json(input);
  return out += page.substr(mark + 1 + kDataMark.size());
}

}  // namespace jounce
