// The report of a run: its rows are collected while they pass, and the page is written when the run has ended.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "jounce/report/report.hpp"
#include "run_summary.hpp"
#include "timed_run.hpp"

namespace jounce::app {

class ReportOutput {
 public:
  /// Refers to all three. The model's text is read now: a person may change it during a long run.
  ReportOutput(const RunOptions& options, const AnyMechanism& mechanism, const Plan& plan);

  /// A whole row.
  void take(std::span<const double> row);

  /// Writes the page. `problems`: everything that was said about the model and the run. Otherwise a sentence that tells why it could
  /// not be written.
  [[nodiscard]] std::optional<std::string> write(const Followed& followed, const Problems& problems) const;

  [[nodiscard]] bool empty() const { return table_.rows_seen() == 0; }

 private:
  [[nodiscard]] std::vector<SummaryTable> summary(const Followed& followed) const;

  const AnyMechanism& mechanism_;
  const Plan& plan_;
  Scene scene_;
  ReportTable table_;
  Watched watched_;
  std::string source_;
};

}  // namespace jounce::app
