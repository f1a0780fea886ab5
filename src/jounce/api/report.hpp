// A run as one page that opens anywhere: the mechanism moving, its curves, and what the run came to.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/api/run.hpp"
#include "jounce/results/summary_table.hpp"
#include "jounce/results/units.hpp"

namespace jounce {

/// False where the library was built without reports (JOUNCE_REPORTS=OFF): what it cannot write can be said before a long run.
[[nodiscard]] bool has_reports();

/// The units that a model chooses for what is shown, and over them those that are asked for.
[[nodiscard]] Units shown_units(const Mechanism& mechanism, const std::optional<Units>& asked = {});

/// The page of a run that keeps all its columns. Refused by a build without reports, and of a run that kept nothing. `units`: over those of the model.
[[nodiscard]] Result<std::string> report_html(const Mechanism& mechanism, const Run& run, const std::optional<Units>& units = {});

/// The data of that page alone, which is JSON; there in every build.
[[nodiscard]] Result<std::string> report_data(const Mechanism& mechanism, const Run& run, const std::optional<Units>& units = {});
/// The same for a page that gets the numbers as they are: no column follows from another, none is packed, and their numbers are those of `run.results`, in its
/// order. Refused of an equilibrium over a coordinate.
[[nodiscard]] Result<std::string> report_document(const Mechanism& mechanism, const Run& run, const std::optional<Units>& units = {});

/// The mechanism where it stands before any motion, as a run of one row: assembled, or the best compromise where it cannot be, which the outcome says.
/// For mechanisms that no analysis fits.
[[nodiscard]] Run standing(const Mechanism& mechanism, const Stop& stop = {});

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
  /// The same as the page shows it.
  [[nodiscard]] std::vector<SummaryTable> tables(const Run& run, const std::optional<Units>& units = {}) const;
  /// The page of the run that gave the rows.
  [[nodiscard]] Result<std::string> html(const Run& run, const std::optional<Units>& units = {}) const;
  /// Its data alone.
  [[nodiscard]] Result<std::string> data(const Run& run, const std::optional<Units>& units = {}) const;

 private:
  friend Result<std::string> report_document(const Mechanism& mechanism, const Run& run, const std::optional<Units>& units);
  enum class Form { page, data };
  [[nodiscard]] Result<std::string> written(const Run& run, const std::optional<Units>& units, Form form) const;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jounce
