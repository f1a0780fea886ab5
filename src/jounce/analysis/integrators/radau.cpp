#include "jounce/analysis/integrators/radau.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/analysis/integrators/radau_control.hpp"
#include "jounce/base/require.hpp"

namespace jounce {

using namespace radau;

namespace {

/// A step that would grow less than this stays as it is, and so do the factors.
constexpr double kSmallGrowth = 1.2;
/// Where one Jacobian for all stages did not do, it is tried again after some steps, after more of them each time it fails.
constexpr int kPatience = 10, kMostPatience = 640;
constexpr double kFirstStep = 1e-5;
/// What rounding leaves of the largest of some coupled numbers.
constexpr double kRounding = 64 * kEpsilon;
/// After a step in which Newton did not converge, the next ones stay below this much of it, and a little less so each time.
constexpr double kAfterFailure = 0.8, kRecovery = 1.15;
/// The end of a step is moved onto the equations until it moves less than this, relative to 1 + its size.
constexpr double kOnConstraints = 1e-14;
constexpr int kMostProjections = 8;

constexpr StiffForm::Shifts kShifts{kGamma, kAlpha, kBeta};

}  // namespace

Radau::Radau(StiffForm& form, double tolerance)
    : form_(&form), states_(form.states()), positions_(form.positions()), all_(form.unknowns()), tolerance_(tolerance) {
  for (Vector* x : {&u_, &slope_, &state_}) x->assign(all_, 0);
  for (auto* stages : {&z_, &w_, &f_, &bend_, &right_, &change_})
    for (Vector& x : *stages) x.assign(all_, 0);
  scale_.assign(states_, 0);
  if (!form.stages_apart()) return;
  for (auto* stages : {&inner_, &difference_})
    for (Vector& x : *stages) x.assign(all_, 0);
  for (Vector& x : stage_change_) x.assign(states_ - positions_, 0);
  for (Vector* x : {&rest_, &found_}) x->assign(kStages * states_, 0);
  direction_.assign(kMostDirections, rest_), image_ = direction_;
}

void Radau::start(double t, std::span<const double> y) {
  t_ = previous_t_ = t;
  h_ = accepted_h_ = factored_h_ = 0;
  refused_ = by_stage_ = false;
  patience_ = kPatience;
  renew_ = true;
  convergence_ = 1;
  newton_limit_ = std::numeric_limits<double>::infinity();
  std::ranges::fill(u_, 0.0);
  replace(y);
}

void Radau::replace(std::span<const double> y) {
  JOUNCE_REQUIRE(y.size() == states_, "a state has a number for each position and rate");
  std::ranges::copy(y, u_.begin());
  begun_ = false;
}

Radau::Step Radau::step(double limit) {
  JOUNCE_REQUIRE(limit > t_, "a step goes forward");
  set_scales();
  if (!begun_ && !begin_step()) return Step::fault;
  fresh_ = refused_ = false;

  const double way = limit - t_;
  const double planned = fixed_step_ > 0 ? fixed_step_ : std::min(h_ == 0 ? kFirstStep : h_, largest_step_);
  // a last step is stretched rather than followed by a tiny one
  double h = 1.01 * planned >= way ? way : planned;
  Trial trial = Trial::accepted;
  bool faulted = false;
  for (int refusals = 0; refusals < kMostRefusals && h > 4 * kEpsilon * std::abs(t_); ++refusals) {
    const double end = h == way ? limit : t_ + h;
    trial = attempt(h, end);
    if (trial == Trial::accepted) {
      accept(h, end);
      if (h < planned && !refused_) h_ = std::max(h_, planned);  // cut short by the limit: nothing against the longer step
      return Step::accepted;
    }
    ++statistics_.rejected;
    faulted = faulted || trial == Trial::fault;
    if (trial == Trial::not_converged && another_way()) continue;
    h *= change_of_step(trial);
    refused_ = true;
  }
  // what stops shorter steps close to a fault comes of it
  return faulted ? Step::fault : trial == Trial::singular ? Step::singular : Step::too_small;
}

/// f at the start of a step.
bool Radau::begin_step() { return begun_ = form_->set_time(StiffForm::kStart, t_) && evaluate(StiffForm::kStart, u_, slope_); }

/// What the error of each position and rate is measured by: never less than what rounding of the largest leaves of it.
void Radau::set_scales() {
  rounding_ = false;
  for (const auto& [first, last] : {std::pair{std::size_t{0}, positions_}, std::pair{positions_, states_}}) {
    double largest = 0;
    for (std::size_t i = first; i < last; ++i) largest = std::max(largest, std::abs(u_[i]));
    for (std::size_t i = first; i < last; ++i) {
      const double wanted = tolerance_ * (1 + std::abs(u_[i]));
      rounding_ = rounding_ || wanted < kRounding * largest;
      scale_[i] = std::max(wanted, kRounding * largest);
    }
  }
}

Radau::Trial Radau::attempt(double h, double end) {
  for (int i = 0; i < kStages; ++i)
    if (!form_->set_time(i, i + 1 < kStages ? t_ + kNode[static_cast<std::size_t>(i)] * h : end)) return Trial::fault;
  guess_stages(h);
  if (renew_ && !renew_jacobian()) return Trial::fault;
  if (h != factored_h_) {
    ++statistics_.factorisations;
    factored_h_ = 0;
    if (!form_->factor(h, kShifts)) return Trial::singular;
    factored_h_ = h;
  }
  const Trial newton = solve_stages(h);
  if (newton != Trial::accepted) return newton;
  error_ = fixed_step_ > 0 ? 0 : error_of(h);
  return error_ <= 1 ? Trial::accepted : Trial::too_much_error;
}

/// Newton's iteration may converge with a new Jacobian, or with one for each stage; otherwise the step has to be shorter.
bool Radau::another_way() {
  renew_ = true;
  if (!fresh_) return true;
  if (by_stage_ || !form_->stages_apart()) {
    newton_limit_ = kAfterFailure * factored_h_;
    return false;
  }
  by_stage_ = true;
  steps_by_stage_ = 0;
  patience_ = std::min(2 * patience_, kMostPatience);
  return true;
}

/// In tolerances. Where a first or repeated step seems to be refused, the estimate is filtered once more: it is far too large
/// while stiff components have not died out.
double Radau::error_of(double h) {
  const double error = filtered_error(h, slope_);
  if (error <= 1 || (accepted_h_ > 0 && !refused_)) return error;
  for (std::size_t i = 0; i < all_; ++i) state_[i] = u_[i] + (i < states_ ? change_[0][i] : change_[0][i] / h);
  if (!evaluate(StiffForm::kStart, state_, f_[0])) return error;
  return filtered_error(h, f_[0]);
}

/// Of positions that equations prescribe the error before the filter counts as well: it tells how far off they are between the ends of
/// the step, which the filter knows nothing of.
double Radau::filtered_error(double h, const Vector& slope) {
  const std::span<const double> inertia = form_->inertia();
  for (std::size_t i = 0; i < all_; ++i)
    right_[0][i] = i < states_ ? h * slope[i] + inertia[i] * combine(kError, z_, i) : -slope[i];
  form_->solve_real(right_[0], change_[0]);
  double largest = size_of_change();
  for (std::size_t i = 0; i < form_->prescribed(); ++i) largest = larger(largest, std::abs(right_[0][i]) / (kGamma * scale_[i]));
  return largest;
}

/// Largest entry of the first of `change_`, in tolerances.
double Radau::size_of_change() const {
  double largest = 0;
  for (std::size_t i = 0; i < states_; ++i) largest = larger(largest, std::abs(change_[0][i]) / scale_[i]);
  return largest;
}

/// Newton's iteration leaves the equations of positions and velocities not quite met; the real matrix closes the rest.
void Radau::project() {
  double before = std::numeric_limits<double>::infinity();
  std::ranges::fill(right_[0], 0.0);
  for (int i = 0; all_ > states_ && i < kMostProjections; ++i) {
    for (std::size_t j = 0; j < all_; ++j) state_[j] = u_[j] + z_[kStages - 1][j];
    form_->residuals(kStages - 1, state_, f_[0]);
    for (std::size_t j = states_; j < all_; ++j) right_[0][j] = -f_[0][j];
    form_->solve_real(right_[0], change_[0]);
    const double moved = size_of_change() * tolerance_;
    if (!(moved < 0.5 * before)) return;
    for (std::size_t j = 0; j < states_; ++j) z_[kStages - 1][j] += change_[0][j];
    if (moved <= kOnConstraints) return;
    before = moved;
  }
}

void Radau::accept(double h, double end) {
  project();
  for (std::size_t i = 0; i < all_; ++i) {  // divided differences over the end, stages 2 and 1, and the start
    const double z1 = z_[0][i], z2 = z_[1][i], z3 = z_[2][i];
    const double between = (z1 - z2) / (kNode[0] - kNode[1]);
    bend_[0][i] = (z2 - z3) / (kNode[1] - 1);
    bend_[1][i] = (between - bend_[0][i]) / (kNode[0] - 1);
    bend_[2][i] = bend_[1][i] - (between - z1 / kNode[0]) / kNode[1];
    u_[i] += z3;
  }
  ++statistics_.steps;
  previous_t_ = t_;
  t_ = end;
  begun_ = false;
  h_ = next_after(h);
  accepted_h_ = h;
  accepted_error_ = std::max(error_, 0.01);
}

/// The size of the step after an accepted one of size h, and whether the Jacobian is renewed there.
double Radau::next_after(double h) {
  double factor = change_of_step(Trial::too_much_error);
  if (accepted_h_ > 0) {  // as the error grew in the last two steps, so it will in the next
    const double predicted = h / accepted_h_ * kSafety * std::pow(accepted_error_ / (error_ * error_ + 1e-40), 0.25);
    factor = std::min(factor, std::clamp(predicted, 1 / kMostChange, 1 / kLeastChange));
  }
  if (refused_) factor = std::min(factor, 1.0);
  if (iterations_ > 1) factor = std::min(factor, std::max(kGoodConvergence / rate_, 1 / kMostChange));
  newton_limit_ *= kRecovery;
  factor = std::min(factor, newton_limit_ / h);
  if (!by_stage_) {
    patience_ = kPatience;
  } else if (++steps_by_stage_ == patience_) {
    by_stage_ = false;
    convergence_ = 1;
  }
  renew_ = by_stage_ || rate_ > kFastConvergence;
  return !renew_ && factor >= 1 && factor <= kSmallGrowth ? h : factor * h;
}

/// What to multiply the step by after a trial: Newton's effort and the error tell.
double Radau::change_of_step(Trial trial) const {
  if (trial == Trial::not_converged) return newton_shrink_;
  if (trial != Trial::too_much_error || !std::isfinite(error_)) return 0.5;
  const double effort = (1 + 2.0 * kMostIterations) / (iterations_ + 2.0 * kMostIterations);
  return std::clamp(kSafety * std::min(1.0, effort) * std::pow(error_, -0.25), 1 / kMostChange, 1 / kLeastChange);
}

/// The collocation polynomial less its value at the end of the step, at s steps from there.
double Radau::beyond_end(std::size_t i, double s) const {
  return s * (bend_[0][i] + (s + 1 - kNode[1]) * (bend_[1][i] + (s + 1 - kNode[0]) * bend_[2][i]));
}

void Radau::dense(double t, std::span<double> y) const {
  JOUNCE_REQUIRE(accepted_h_ > 0, "dense output belongs to an accepted step");
  const double s = (t - t_) / (t_ - previous_t_);
  for (std::size_t i = 0; i < states_; ++i) y[i] = u_[i] + beyond_end(i, s);
}

}  // namespace jounce
