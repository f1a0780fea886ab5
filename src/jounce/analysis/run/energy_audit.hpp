// The books of a run: energy is kinetic and potential, and grows by the work of everything else.
//
//   balance = kinetic + potential − work − what there was at the start         0 but for tolerance and rounding
//
// Work is that of drivers, dampers, friction, actuators and loads. Whoever moves the mechanism integrates their power beside the motion; a
// balance that is not 0 tells that the motion is not the one that the equations ask for, whatever the reason.
//
// A step may be off by the tolerance, in velocities v by tolerance · (1 + |v|). That changes the kinetic energy T by Σ m v · tolerance (1 + |v|),
// which is at most tolerance · (√(2 T Σ m) + 2 T), and positions do not do more to the potential energy as long as forces set the pace.
// Where forces F hold what hardly moves, positions that are off change the potential energy by F · tolerance, but not from step to step.
// So many steps, times a margin, are what the tolerance explains. What is beyond is named at the end; what is far beyond ends the run.
#pragma once

#include <optional>
#include <span>

#include "jounce/base/problem.hpp"
#include "jounce/mechanism/audit_scale.hpp"
#include "jounce/mechanism/ending.hpp"

namespace jounce {

class EnergyAudit {
 public:
  /// `tolerance`: of the steps.
  EnergyAudit(double tolerance, const AuditScale& scale) : tolerance_(tolerance), scale_(scale) {}

  struct Row {
    double t = 0, kinetic = 0, potential = 0, work = 0;
    double force = 0;           ///< the largest that acts, newtons
    long steps = 0;             ///< so far
    std::span<const double> q;  ///< all coordinates
  };
  /// Puts work and balance into their two columns. Off by more than any tolerance explains, it is how the run ends.
  [[nodiscard]] std::optional<Ending> take(const Row& row, std::span<double> columns);

  /// Between rows, where more may move than they show.
  void moving(double kinetic, double work);

  /// What is to be said of a run that came to its end; nothing where all is accounted for.
  void warn(Problems& problems) const;

  /// The largest balance so far, without its sign.
  [[nodiscard]] double worst() const { return worst_; }
  /// The largest change of the energy so far.
  [[nodiscard]] double largest_change() const { return change_; }
  /// Of the energy, by tolerance and rounding, up to the last row.
  [[nodiscard]] double explained() const;

 private:
  [[nodiscard]] double moved() const;

  double tolerance_;
  AuditScale scale_;
  bool begun_ = false;
  double first_ = 0;                                    // energy at the start
  double kinetic_ = 0, change_ = 0, work_ = 0, force_ = 0, q_ = 0;  // the largest so far, without their signs
  double size_ = 0;                                     // of energies, for their rounding
  double worst_ = 0, worst_t_ = 0;                      // balance, and when
  double unexplained_ = 0, unexplained_t_ = 0;          // the first that the tolerance does not explain; 0: none
  long steps_ = 0;
};

}  // namespace jounce
