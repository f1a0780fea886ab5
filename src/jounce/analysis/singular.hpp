// Finding the exact time of a singular position that a driven motion runs into.
//
// There are two kinds. At a dead point the motion turns back: q(t) behaves like a square root, velocities grow without bound,
// and no position exists beyond. At a change point the motion could go on smoothly, but in more than one way.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "jounce/base/stop.hpp"
#include "jounce/mechanism/driven_motion.hpp"

namespace jounce {

struct SingularPosition {
  double t = 0;
  std::vector<double> q;
};

/// Follows the motion from the position q at t (with its rates) not by time but by its fastest dof, which moves on
/// through a dead point, until time turns back. Nothing when time passes `limit` first, nor when somebody asks to stop.
[[nodiscard]] std::optional<SingularPosition> find_dead_point(const DrivenMotion& motion, double t, std::span<const double> q,
                                                              std::span<const double> rate, double limit, Asking& asking);

/// Looks along the motion's own power series for a position between t and `limit` where the equations are singular.
[[nodiscard]] std::optional<SingularPosition> find_change_point(const DrivenMotion& motion, double t, std::span<const double> q,
                                                                double limit, Asking& asking);

/// The same where other equations than those that decide the motion are singular: those of `watched`, which moves the same dofs.
[[nodiscard]] std::optional<SingularPosition> find_singular(const DrivenMotion& motion, const DrivenMotion& watched, double t,
                                                            std::span<const double> q, double limit, Asking& asking);

}  // namespace jounce
