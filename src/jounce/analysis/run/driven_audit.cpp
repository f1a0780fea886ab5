#include "jounce/analysis/run/driven_audit.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/analysis/run/extrapolate.hpp"
#include "jounce/base/index.hpp"

namespace jounce {
namespace {

/// A driven motion is solved for at every row: what its tolerance stands for is the quadrature of the power.
constexpr double kDrivenTolerance = 1e-9;
/// Of an energy.
constexpr double kQuadratureNoise = 1e-12;

}  // namespace

DrivenAudit::DrivenAudit(DrivenMotion& motion, const FillRow& fill, const DrivenBooks& books, std::size_t columns)
    : motion_(motion),
      fill_(fill),
      books_(books),
      audit_(kDrivenTolerance, books.scale),
      quadrature_([this](double t) { return fill_at(t) ? std::optional(books_.power()) : std::nullopt; }, books.breaks),
      q_(z(motion.coordinates())),
      way_(z(motion.dofs())),
      ways_(z(motion.order()) * z(motion.dofs())),
      beside_(columns) {}

// The motion at a time between two instants, from the one that is nearer.
bool DrivenAudit::fill_at(double t) {
  const Kept& from = before_.q.empty() || now_.t - t < t - before_.t ? now_ : before_;
  extrapolate(motion_, from.q, from.ways, t - from.t, q_, way_);
  const long spent = motion_.factorisations();
  const bool solved = motion_.position(t, q_) == DrivenMotion::Solved::yes;
  factorisations_ += motion_.factorisations() - spent;
  if (!solved) return false;
  motion_.orders(ways_);
  return !fill_(t, q_, ways_, beside_);
}

// Where the rate of a driver jumps, the velocities jump with it: the blow is work of the driver.
void DrivenAudit::take_blows(double from, double to) {
  for (auto blow = std::ranges::upper_bound(books_.blows, from); blow != books_.blows.end() && *blow <= to; ++blow) {
    if (!fill_at(std::nextafter(std::nextafter(*blow, from), from))) continue;
    const double moving = kinetic();
    if (fill_at(*blow)) blows_ += kinetic() - moving;
  }
}

void DrivenAudit::go_to(const Instant& at, std::span<const double> row) {
  const double power = books_.power(), noise = kQuadratureNoise * (row[books_.column - 3] + std::abs(row[books_.column - 2]));
  std::swap(before_, now_);
  now_.t = at.t;
  now_.q.assign(at.q.begin(), at.q.end());
  now_.ways.assign(at.ways.begin(), at.ways.end());
  if (!begun_) return begun_ = true, quadrature_.begin(at.t, power);
  take_blows(before_.t, at.t);
  quadrature_.advance(at.t, power, noise);
}

std::optional<Ending> DrivenAudit::row(const Instant& at, std::span<double> row, long steps) {
  const double force = books_.scale.weight + books_.force();
  go_to(at, row);
  return audit_.take({at.t, row[books_.column - 3], row[books_.column - 2], quadrature_.work() + blows_, force, steps, at.q},
                     row.subspan(books_.column, 2));
}

void DrivenAudit::step(const Instant& at) {
  if (!fill_(at.t, at.q, at.ways, beside_)) go_to(at, beside_);
}

}  // namespace jounce
