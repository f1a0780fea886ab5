// The rows of a forward run, at their times: solved for at the state, or, close to a singular position, from those around it; with the books of energy.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "jounce/analysis/passage/around.hpp"
#include "jounce/analysis/run/energy_audit.hpp"
#include "jounce/analysis/run/forward_run.hpp"
#include "jounce/analysis/run/forward_state.hpp"
#include "jounce/analysis/run/work_quadrature.hpp"

namespace jounce {

class ForwardRows {
 public:
  ForwardRows(ForwardMotion& motion, const ForwardPlan& plan, const RowSink& sink, ForwardState& state, DynamicsRun& out);

  /// Why a run ends with its rows, and when.
  struct Ended {
    Ending ending;
    double t = 0;
  };
  /// Those that are due up to a time of the last step.
  [[nodiscard]] std::optional<Ended> until(double t);
  /// One more, at a time of the last step behind the last row.
  [[nodiscard]] std::optional<Ended> at(double t) { return sample(t); }
  /// There is one at this time, or later.
  [[nodiscard]] bool written(double t) const { return out_.statistics.samples > 0 && last_t_ >= t; }
  /// What a row at a time of the last step would hold, but for work and balance; nothing is written. False where there is none.
  [[nodiscard]] bool look_at(double t, std::span<double> row);
  [[nodiscard]] bool all_written() const { return next_ >= plan_.times.count(); }
  /// Of the last that was written, or the start.
  [[nodiscard]] double last_t() const { return last_t_; }

  /// Where the first row is later, the books begin at the start all the same.
  [[nodiscard]] std::optional<Ended> open_books(double t);
  /// A blow is work, too.
  void blow(double energy);
  [[nodiscard]] EnergyAudit& audit() { return audit_; }

 private:
  [[nodiscard]] std::optional<Ended> sample(double t);
  [[nodiscard]] std::optional<Ended> fill(double t, ForwardMotion::Sample& found);
  [[nodiscard]] std::optional<Ended> row_at(double t, ForwardMotion::Sample& found);
  [[nodiscard]] std::optional<Ended> row_around(const Around& around, double t, ForwardMotion::Sample& found);
  [[nodiscard]] std::optional<Ending> keep_books(double t, const ForwardMotion::Sample& found);
  void keep_statistics(const ForwardMotion::Sample& found);
  [[nodiscard]] long steps_done() const;

  ForwardMotion& motion_;
  const ForwardPlan& plan_;
  const RowSink& sink_;
  ForwardState& state_;
  DynamicsRun& out_;

  std::vector<double> row_, q_, v_;
  int next_ = 0;
  double last_t_;
  AuditScale scale_;
  EnergyAudit audit_;
  bool books_open_ = false;
  double blows_ = 0;  // of the work, by jumps of a prescribed rate
  std::optional<WorkQuadrature> prescribed_;
};

}  // namespace jounce
