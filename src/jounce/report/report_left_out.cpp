// In place of report.cpp in a build without reports (JOUNCE_REPORTS=OFF), which needs no zlib and carries no pages.
#include "jounce/report/report.hpp"

namespace jounce {

bool has_reports() { return false; }

Result<std::string> report_html(const ReportInput&) {
  return error({}, "this build of Jounce was made without reports", "build it with -DJOUNCE_REPORTS=ON");
}

}  // namespace jounce
