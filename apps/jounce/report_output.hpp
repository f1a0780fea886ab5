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
  void take(std::span<const double> row) { table_.take(row); }

  /// Writes the page. `watched` has seen the same rows, motion included. Otherwise a sentence that tells why it could not be written.
  [[nodiscard]] std::optional<std::string> write(const Followed& followed, const Watched& watched) const;

  [[nodiscard]] bool empty() const { return table_.rows_seen() == 0; }

 private:
  [[nodiscard]] std::vector<SummaryTable> summary(const Followed& followed, const Watched& watched) const;

  const AnyMechanism& mechanism_;
  const Plan& plan_;
  Scene scene_;
  ReportTable table_;
  std::string source_;
};

}  // namespace jounce::app
