#include "jounce/analysis/run/driven_audit.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "jounce/analysis/run/extrapolate.hpp"
#include "jounce/base/index.hpp"

namespace jounce {
namespace {

/// A driven motion is solved for at every row: what its tolerance stands for is the quadrature of the power.
constexpr double kDrivenTolerance = 1e-9;
/// Of an energy, and of what the forces that act could do: works that cancel leave their rounding.
constexpr double kQuadratureNoise = 1e-12;

}  // namespace

DrivenAudit::DrivenAudit(DrivenMotion& motion, const FillRow& fill, const DrivenBooks& books, std::size_t columns)
    : motion_(motion),
      fill_(fill),
      books_(books),
      audit_(kDrivenTolerance, books.scale),
      quadrature_([this](double t) { return solve_at(t) ? books_.power_along(t, q_, ways_) : std::nullopt; }, books.breaks),
      q_(z(motion.coordinates())),
      way_(z(motion.dofs())),
      ways_(z(motion.order()) * z(motion.dofs())),
      beside_(columns) {}

// The motion at a time between two instants, from the one that is nearer.
bool DrivenAudit::solve_at(double t) {
  const Kept& from = before_.q.empty() || now_.t - t < t - before_.t ? now_ : before_;
  extrapolate(motion_, from.q, from.ways, t - from.t, q_, way_);
  const long spent = motion_.factorisations();
  const bool solved = motion_.position(t, q_) == DrivenMotion::Solved::yes;
  factorisations_ += motion_.factorisations() - spent;
  if (solved) motion_.orders(ways_);
  return solved;
}

bool DrivenAudit::fill_at(double t) { return solve_at(t) && !fill_(t, q_, ways_, beside_); }

// Where the rate of a driver jumps, the velocities jump with it: the blow is work of the driver.
void DrivenAudit::take_blows(double from, double to) {
  for (auto blow = std::ranges::upper_bound(books_.blows, from); blow != books_.blows.end() && *blow <= to; ++blow) {
    if (!fill_at(std::nextafter(std::nextafter(*blow, from), from))) continue;
    const double moving = kinetic();
    if (fill_at(*blow)) blows_ += kinetic() - moving;
  }
}

void DrivenAudit::go_to(const Instant& at, const PowerAt& power) {
  std::swap(before_, now_);
  now_.t = at.t;
  now_.q.assign(at.q.begin(), at.q.end());
  now_.ways.assign(at.ways.begin(), at.ways.end());
  if (!begun_) return begun_ = true, quadrature_.begin(at.t, power);
  take_blows(before_.t, at.t);
  const double could_do = force_ * books_.scale.length * motion_.size(at.ways.first(way_.size())) * (at.t - before_.t);
  quadrature_.advance(at.t, power, kQuadratureNoise * (energy_ + could_do));
}

std::optional<Ending> DrivenAudit::row(const Instant& at, std::span<double> row, long steps) {
  force_ = books_.scale.weight + books_.force();
  energy_ = row[books_.column - 3] + std::abs(row[books_.column - 2]);
  PowerAt power = books_.power();  // by the reactions that the row shows
  if (books_.series)
    if (auto along = books_.power_along(at.t, at.q, at.ways)) along->coefficient[0] = power.value(), power = *along;
  go_to(at, power);
  const double kinetic = row[books_.column - 3], potential = row[books_.column - 2];
  return audit_.take({at.t, kinetic, potential, work_at_row(kinetic + potential), force_, steps, at.q}, row.subspan(books_.column, 2));
}

// Where the power changes too fast between two rows to be integrated, its work is what the energies say: nothing is known that would contradict them.
double DrivenAudit::work_at_row(double total) {
  const double work = quadrature_.work() + blows_;
  if (quadrature_.unsettled() > unsettled_) {
    unsettled_ = quadrature_.unsettled();
    given_ += (total - total_) - (work - work_);
    ++rows_given_;
  }
  total_ = total, work_ = work;
  return work + given_;
}

void DrivenAudit::warn(Problems& problems) const {
  audit_.warn(problems);
  if (rows_given_ > 0)
    problems.push_back(warning({}, "the power changes too fast between rows to be integrated: before " + std::to_string(rows_given_) +
                                       (rows_given_ == 1 ? " row" : " rows") + " energy.work is taken from the energies and checks nothing",
                               "more output times, or a shorter run"));
}

void DrivenAudit::step(const Instant& at) {
  if (const auto power = books_.power_along(at.t, at.q, at.ways)) go_to(at, *power);
}

}  // namespace jounce
