#include "jounce/analysis/run/energy_audit.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/text.hpp"

namespace jounce {
namespace {

/// Errors of steps add up, and their bound is an estimate: runs of all kinds stay below a fortieth of what this margin allows.
constexpr double kMargin = 10;
/// Steps that every run may be thought to have: a start, restarts, rows between steps.
constexpr double kFewSteps = 10;
/// What tighter tolerances explain: solutions of equations carry as much rounding.
constexpr double kSolved = 1e-11;
/// Of the energies themselves.
constexpr double kOfEnergies = 1e-11;
/// Coordinates beyond this let the tolerance, which is relative to 1 + |q|, grow.
constexpr double kFar = 10;
/// So many times what is explained, and so much of the energy that has moved, means that what follows is another motion.
constexpr double kFarBeyond = 10, kMuch = 1e-2;

constexpr const char* kHint = "the motion may have left its branch at a singular position, or have been too fast for the tolerance: try a smaller --tol, another --method "
                              "or --formulation";

}  // namespace

double EnergyAudit::moved() const { return std::max(kinetic_, work_); }

double EnergyAudit::explained() const {
  const double length = std::max(1.0, scale_.length);
  const double in_a_step = moved() + length * std::sqrt(2 * kinetic_ * scale_.mass), at_once = force_ * length;
  const double off = std::max(tolerance_, kSolved) * std::max(1.0, q_ / kFar);
  return kMargin * off * ((static_cast<double>(steps_) + kFewSteps) * in_a_step + at_once) + kOfEnergies * size_;
}

void EnergyAudit::moving(double kinetic, double work) {
  kinetic_ = std::max(kinetic_, kinetic);
  work_ = std::max(work_, std::abs(work));
}

std::optional<Ending> EnergyAudit::take(const Row& row, std::span<double> columns) {
  const double energy = row.kinetic + row.potential;
  if (!begun_) first_ = energy - row.work, begun_ = true;
  const double balance = energy - row.work - first_, off = std::abs(balance);
  columns[0] = row.work;
  columns[1] = balance;
  steps_ = row.steps;
  kinetic_ = std::max(kinetic_, row.kinetic);
  change_ = std::max(change_, std::abs(energy - first_));
  work_ = std::max(work_, std::abs(row.work));
  force_ = std::max(force_, row.force);
  size_ = std::max({size_, row.kinetic, std::abs(row.potential), std::abs(row.work)});
  for (const double x : row.q) q_ = std::max(q_, std::abs(x));
  if (off > worst_) worst_ = off, worst_t_ = row.t;
  if (!(off > explained())) return std::nullopt;
  if (unexplained_ == 0) unexplained_ = off, unexplained_t_ = row.t;
  if (!(off > kFarBeyond * explained() && off > kMuch * moved())) return std::nullopt;
  return Ending{.kind = Outcome::Kind::unbalanced,
                .sentence = "the energy does not come out even at " + seconds(row.t) + ": " + short_number(off) + " J " +
                            (balance < 0 ? "are gone" : "came from nowhere") + ", and the tolerance explains " + short_number(explained()) + " J",
                .elements = {},
                .hint = kHint};
}

void EnergyAudit::warn(Problems& problems) const {
  if (unexplained_ == 0) return;
  problems.push_back(warning({}, "the energy does not come out even: from " + seconds(unexplained_t_) + " on up to " + short_number(worst_) +
                                     " J are not accounted for, and the tolerance explains " + short_number(explained()) + " J",
                             kHint));
}

}  // namespace jounce
