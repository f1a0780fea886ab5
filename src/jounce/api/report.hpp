// A run as one page that opens anywhere: the mechanism moving, its curves, and what the run came to.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "jounce/api/run.hpp"

namespace jounce {

/// False where the library was built without reports (JOUNCE_REPORTS=OFF): what it cannot write can be said before a long run.
[[nodiscard]] bool has_reports();

/// The page of a run that keeps all its columns. Refused by a build without reports, and of a run that kept nothing.
[[nodiscard]] Result<std::string> report_html(const Mechanism& mechanism, const Run& run);

/// Takes the rows of a run as they come, for a summary and, where it is wanted, for a page: for rows that are not kept.
class RunRecorder {
 public:
  RunRecorder(const Mechanism& mechanism, Analysis analysis, bool page);
  ~RunRecorder();
  RunRecorder(RunRecorder&&) noexcept;
  RunRecorder& operator=(RunRecorder&&) noexcept;

  /// A whole row.
  void take(std::span<const double> row);
  [[nodiscard]] bool empty() const;

  [[nodiscard]] RunSummary summary() const;
  /// The page of the run that gave the rows.
  [[nodiscard]] Result<std::string> html(const Run& run) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jounce
