#include "jounce/analysis/run/forward_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "jounce/base/text.hpp"

namespace jounce {
namespace {

/// Of an energy.
constexpr double kEnergyRounding = 1e-12;

}  // namespace

ForwardRows::ForwardRows(ForwardMotion& motion, const ForwardPlan& plan, const RowSink& sink, ForwardState& state, DynamicsRun& out)
    : motion_(motion), plan_(plan), sink_(sink), state_(state), out_(out), row_(motion.columns()), last_t_(plan.times.from()),
      scale_(motion.audit_scale()), audit_(plan.tolerance, scale_) {
  if (motion.size() > 0 || motion.conservative()) return;
  prescribed_.emplace([this](double t) { return motion_.power_at(t, state_.y()); }, motion.breaks().times());
}

std::optional<ForwardRows::Ended> ForwardRows::until(double t) {
  const TimeBreaks& breaks = motion_.breaks();
  for (; !all_written() && plan_.times.at(next_) <= t; ++next_) {
    const double at = plan_.times.at(next_);
    if (const double behind = breaks.behind(at); behind > t && breaks.is_blow(behind)) break;  // a row shows what is behind a blow
    if (auto ended = sample(at)) return ended;
  }
  return std::nullopt;
}

std::optional<ForwardRows::Ended> ForwardRows::sample(double t) {
  ForwardMotion::Sample found;
  if (auto ended = fill(t, found)) return ended;
  out_.q = q_, out_.v = v_;
  if (!std::ranges::all_of(row_, [](double x) { return std::isfinite(x); }))
    return Ended{{.kind = Outcome::Kind::step_too_small, .sentence = "the results are not finite numbers at " + seconds(t)}, t};
  if (const auto ending = keep_books(t, found)) return Ended{*ending, t};
  keep_statistics(found);
  out_.t = t;
  last_t_ = t;
  if (sink_(row_)) return std::nullopt;
  return Ended{{.kind = Outcome::Kind::stopped, .sentence = "stopped at " + seconds(t)}, t};
}

bool ForwardRows::look_at(double t, std::span<double> row) {
  ForwardMotion::Sample found;
  if (fill(t, found) || !std::ranges::all_of(row_, [](double x) { return std::isfinite(x); })) return false;
  std::ranges::copy(row_, row.begin());
  return true;
}

// The row and the state at a time of the last step.
std::optional<ForwardRows::Ended> ForwardRows::fill(double t, ForwardMotion::Sample& found) {
  const std::optional<Around> around = state_.has_stepped() ? Around::of(state_.stepper(), t) : std::nullopt;
  if (!around) return row_at(t, found);
  auto ended = row_around(*around, t, found);
  if (!ended) (void)state_.at(t);  // for the work
  return ended;
}

std::optional<ForwardRows::Ended> ForwardRows::row_at(double t, ForwardMotion::Sample& found) {
  if (!state_.at(t)) return Ended{no_value(state_.stepper().fault(), t), t};
  if (const auto ending = motion_.sample(t, state_.y(), row_, found)) return Ended{*ending, t};
  q_.assign(motion_.q().begin(), motion_.q().end());
  v_.assign(motion_.v().begin(), motion_.v().end());
  return std::nullopt;
}

// Close to a singular position.
std::optional<ForwardRows::Ended> ForwardRows::row_around(const Around& around, double t, ForwardMotion::Sample& found) {
  std::vector<std::vector<double>> rows, q, v;
  std::array<std::vector<double>, 2> energy;
  for (const double there : around.times()) {
    ForwardMotion::Sample sample;
    if (auto ended = row_at(there, sample)) return ended;
    rows.push_back(row_), q.push_back(q_), v.push_back(v_);
    energy[0].push_back(sample.kinetic), energy[1].push_back(sample.potential);
    found.residual = std::max(found.residual, sample.residual);
  }
  std::vector<double> values(rows.size());
  const auto between = [&](const std::vector<std::vector<double>>& from, std::vector<double>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      for (std::size_t k = 0; k < from.size(); ++k) values[k] = from[k][i];
      to[i] = around.value(values);
    }
  };
  between(rows, row_), between(q, q_), between(v, v_);
  row_.front() = t;
  found.kinetic = around.value(energy[0]), found.potential = around.value(energy[1]);
  return std::nullopt;
}

// Work and balance, into the row. Where everything is prescribed nothing is integrated, and time goes by in one step: there the work follows from the
// powers at the rows.
std::optional<Ending> ForwardRows::keep_books(double t, const ForwardMotion::Sample& found) {
  if (prescribed_) {
    if (!books_open_) prescribed_->begin(t, found.power);
    else prescribed_->advance(t, found.power, kEnergyRounding * (found.kinetic + std::abs(found.potential)));
    state_.set_work(prescribed_->work() + blows_);
  }
  books_open_ = true;
  const double force = found.force + scale_.weight;
  return audit_.take({t, found.kinetic, found.potential, state_.work(), force, steps_done(), out_.q},
                     std::span(row_).subspan(motion_.audit_column(), 2));
}

std::optional<ForwardRows::Ended> ForwardRows::open_books(double t) {
  if (books_open_) return std::nullopt;
  ForwardMotion::Sample found;
  if (const auto ending = motion_.sample(t, state_.y(), row_, found)) return Ended{*ending, t};
  (void)keep_books(t, found);
  return std::nullopt;
}

void ForwardRows::blow(double energy) {
  state_.set_work(state_.work() + energy);
  blows_ += energy;
}

void ForwardRows::keep_statistics(const ForwardMotion::Sample& found) {
  DynamicsStatistics& s = out_.statistics;
  if (s.samples == 0) out_.not_unique = motion_.not_unique();
  if (s.conservative) s.energy_drift = audit_.largest_change();
  s.energy_balance = audit_.worst();
  s.worst_residual = std::max(s.worst_residual, found.residual);
  ++s.samples;
}

long ForwardRows::steps_done() const { return out_.statistics.steps + (state_.has_stepper() ? state_.stepper().statistics().steps : 0); }

}  // namespace jounce
