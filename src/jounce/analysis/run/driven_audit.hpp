// The books of a driven run: the work of its drivers and of everything else that is not in kinetic and potential energy, over all of its rows and
// steps, whether they lie close together or far apart.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "jounce/analysis/run/driven_run.hpp"
#include "jounce/analysis/run/energy_audit.hpp"
#include "jounce/analysis/run/work_quadrature.hpp"

namespace jounce {

class DrivenAudit {
 public:
  /// Asks the motion for positions of its own: between rows only.
  DrivenAudit(DrivenMotion& motion, const FillRow& fill, const DrivenBooks& books, std::size_t columns);

  /// An instant of the motion, in order of time.
  struct Instant {
    double t = 0;
    std::span<const double> q, ways;
  };
  /// With the row that was filled there; its two columns are written. A balance that is gone ends the run.
  [[nodiscard]] std::optional<Ending> row(const Instant& at, std::span<double> row, long steps);
  /// Without one.
  void step(const Instant& at);

  [[nodiscard]] const EnergyAudit& audit() const { return audit_; }
  /// What is to be said at the end of a run.
  void warn(Problems& problems) const;
  /// Spent on instants of its own.
  [[nodiscard]] long factorisations() const { return factorisations_; }

 private:
  [[nodiscard]] bool solve_at(double t);
  [[nodiscard]] bool fill_at(double t);
  [[nodiscard]] double kinetic() const { return beside_[books_.column - 3]; }
  void go_to(const Instant& at, const PowerAt& power);
  [[nodiscard]] double work_at_row(double total);
  void take_blows(double from, double to);

  DrivenMotion& motion_;
  const FillRow& fill_;
  const DrivenBooks& books_;
  EnergyAudit audit_;
  WorkQuadrature quadrature_;
  struct Kept {
    double t = 0;
    std::vector<double> q, ways;
  } before_, now_;
  bool begun_ = false;
  double blows_ = 0;               // work of jumps
  double energy_ = 0, force_ = 0;  // at the last row: of all energies, and the largest force
  double given_ = 0;               // work that was taken from the energies
  double total_ = 0, work_ = 0;    // at the last row: energy, and what the quadrature says
  long unsettled_ = 0, rows_given_ = 0;
  std::vector<double> q_, way_, ways_, beside_;
  long factorisations_ = 0;
};

}  // namespace jounce
