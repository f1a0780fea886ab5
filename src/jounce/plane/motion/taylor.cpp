#include "jounce/plane/motion/taylor.hpp"
#include "jounce/base/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jounce {
namespace {

/// S is well conditioned above this part of its best pivot; below, a singular position may be near. Pivots are of the second order
/// in the distance to it.
constexpr double kWellConditioned = 0.3;
/// Pivots that are below this part of the last and of the best ones fall.
constexpr double kFalling = 0.98;
/// A pivot that falls below this part of the best on the way ahead goes to zero.
constexpr double kSingular = 1e-8;
/// Where it is left to others to go across, what comes this near is told of as well.
constexpr double kNearlySingular = 1e-6;
/// Steps end at least this part of a smooth step before a singular position, and behind it. Further before it, because rounding grows with
/// the ratio of the crossing to the distance from which it starts.
constexpr double kBefore = 0.7, kBehind = 0.3;
/// What rounding does to an acceleration, against the largest of them.
constexpr double kRounding = 200 * std::numeric_limits<double>::epsilon();
/// Coefficients are those of one exponential when their rates agree to this; it bounds the step when rate times step is above that; and it
/// does not matter when its amplitude is below so many tolerances.
constexpr double kSameRate = 0.15, kFast = 2, kIrrelevant = 100;
/// Below this, steps are too short for what a singular position needs.
constexpr int kLeastOrder = 6;
/// A shorter series does not show it.
constexpr int kEnoughOrders = 9;
/// A correction of the position larger than this part of the tolerance asks for factors at the corrected position; below the second, one
/// that no longer gets smaller is rounding.
constexpr double kFactorsMayLag = 0.003, kRoundingMove = 1e-10;
constexpr int kNewtonSteps = 8;
/// Of the end of a step that was accurate, in mechanism sizes and radians.
constexpr double kLongestCorrection = 0.02;
/// The part of the last coefficient's size that a step may have of the tolerance.
constexpr double kSafety = 0.8;
constexpr int kMostRejections = 60;
/// A spring shorter than this part of the mechanism's size is at its end.
constexpr double kShortest = 1e-8;
constexpr int kBisections = 60;
/// Probes of the way ahead, and of a candidate.
constexpr int kLooks = 6, kNewtonLooks = 12;
/// Looks within a step at loads that friction grows with.
constexpr int kLoadLooks = 24;
/// A crossing may miss by so many times the smallest term of its series.
constexpr double kCrossingSlack = 30;

int order_for(double tolerance) {
  const double digits = -std::log10(std::clamp(tolerance, 1e-16, 1e-1));
  return std::clamp(static_cast<int>(std::lround(10 + 0.8 * digits)), 14, 22);
}

// Not std::lgamma: it writes a global variable, and runs may share a process.
double log_factorial(int n) {
  double sum = 0;
  for (int k = 2; k <= n; ++k) sum += std::log(k);
  return sum;
}

}  // namespace

TaylorIntegrator::TaylorIntegrator(const PlanarSystem& system, const TaylorOptions& options)
    : equations_(system, options.order > 0 ? std::max(options.order, kLeastOrder) : order_for(options.tolerance), options.formulation),
      tolerance_(options.tolerance),
      largest_step_(options.largest_step),
      order_(equations_.order()),
      autonomous_(system.motions().empty() && system.force_motions().empty() && system.signals().empty()),
      crosses_(options.crosses) {
  const auto n = z(system.coordinates());
  q_.resize(n), v_.resize(n), end_q_.resize(n), end_v_.resize(n), acceleration_.resize(n), expected_.resize(n);
  sizes_.resize(z(order_ + 1));
  equations_.copy_motion(order_, motion_);  // makes room
  equations_.copy_motion(order_, next_motion_);
  if (options.work) power_.resize(z(2 * order_ - 3)), next_power_ = power_;
  if (std::ranges::all_of(system.mass(), [](double m) { return m > 0; }))
    probe_ = std::make_unique<EquationsOfMotion>(system, 2, Formulation::lagrange);
}

// Sets the state at t, projected, and expands it. end_q_ and end_v_ are the projected state.
TaylorIntegrator::Status TaylorIntegrator::expand_at(double t, std::span<const double> q, std::span<const double> v) {
  if ((fault_ = equations_.set_time(t, order_))) return Status::fault;
  std::ranges::copy(q, end_q_.begin());
  std::ranges::copy(v, end_v_.begin());
  equations_.set_position(end_q_);
  const auto too_small = [&] { return (fault_ = equations_.without_value()) ? Status::fault : Status::step_too_small; };
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0;; ++i) {
    equations_.factor(true);
    if (!std::isfinite(equations_.smallest_pivot())) return too_small();
    const double moved = equations_.project_position(end_q_);
    statistics_.largest_projection = std::max(statistics_.largest_projection, moved);
    // Φq of the factors must be that of the position: what it lags behind is an error of the accelerations
    // (far from the origin, coordinates carry rounding that no correction takes away)
    const bool small = moved < std::max(1e-14, kFactorsMayLag * tolerance_) || (moved < kRoundingMove && moved > 0.1 * before);
    before = moved;
    if (!std::isfinite(moved) || moved > kLongestCorrection) return too_small();  // that far only to another branch
    if (small) break;
    if (i == kNewtonSteps) return too_small();
  }
  equations_.set_refined(singular_ahead_ || nearness() < kWellConditioned);
  equations_.set_velocity(end_v_);
  if (!std::isfinite(equations_.project_velocity(end_v_))) return too_small();
  if ((fault_ = equations_.expand(order_))) return Status::fault;
  return std::isfinite(equations_.size(order_).position) ? Status::accepted : too_small();
}

// The length at which the last coefficients are as large as the tolerance.
double TaylorIntegrator::accuracy_step() const {
  double log_h = std::numeric_limits<double>::infinity();
  for (const int k : {order_ - 1, order_}) {
    const CoefficientSize size = equations_.size(k);
    if (size.position > 0) log_h = std::min(log_h, std::log(tolerance_ / size.position) / k);
    if (size.velocity > 0) log_h = std::min(log_h, std::log(tolerance_ / size.velocity) / (k - 1));
  }
  return kSafety * std::exp(log_h);
}

TaylorIntegrator::Status TaylorIntegrator::start(double t, std::span<const double> q, std::span<const double> v) {
  const Status status = expand_at(t, q, v);
  if (status != Status::accepted) return status;
  q_ = end_q_, v_ = end_v_;
  t_ = previous_t_ = t;
  equations_.copy_motion(order_, motion_);
  equations_.copy_motion(order_, next_motion_);
  expand_power();
  power_ = next_power_;
  power_order_ = next_power_order_;
  work_ = end_work_ = 0;
  dropped_ = equations_.dropped_count();
  pivot_ = pivot_here();
  best_pivot_ = std::max(best_pivot_, pivot_);
  next_step_ = smooth_step_ = accuracy_step();
  last_pivot_ = 0;
  equations_.copy_lengths(order_, lengths_);
  equations_.copy_loads(order_, loads_);
  singular_ahead_.reset();
  return Status::accepted;
}

void TaylorIntegrator::remember_sizes() {
  for (int k = 1; k <= order_; ++k) sizes_[z(k)] = equations_.size(k);
}

double TaylorIntegrator::nearness() const { return best_pivot_ > 0 ? pivot_ / best_pivot_ : 1.0; }

// The smallest pivot of S at the end of the step, whatever the formulation; 1 where bodies have no mass and there is no S.
double TaylorIntegrator::pivot_here() {
  if (equations_.formulation() == Formulation::lagrange)
    return equations_.dropped_count() > dropped_ ? 0.0 : equations_.smallest_pivot();
  if (!probe_ || probe_->set_time(equations_.time(), 0)) return 1;
  probe_->set_position(end_q_);
  probe_->factor(false);
  return probe_->dropped_count() > dropped_ ? 0.0 : probe_->smallest_pivot();
}

// The smallest pivot of S on the polynomial, s after t; 0 where an equation has become dependent.
double TaylorIntegrator::pivot_ahead(double s) {
  next_motion_.at(0, s, expected_);
  if (probe_->set_time(t_ + s, 0)) return std::numeric_limits<double>::infinity();
  probe_->set_position(expected_);
  probe_->factor(false);
  return probe_->dropped_count() > dropped_ ? 0.0 : probe_->smallest_pivot();
}

// Looks along the polynomial for a singular position, when the pivots fall. Its root is like the distance to it.
void TaylorIntegrator::look_ahead() {
  if (!probe_) return;
  const double pivot = pivot_, near = nearness();
  const bool falling = pivot < kFalling * last_pivot_;
  last_pivot_ = pivot;
  if (near > kWellConditioned) smooth_step_ = next_step_;
  if (singular_ahead_ && *singular_ahead_ <= t_) singular_ahead_.reset();
  if (!falling || near > kFalling) looked_at_ = std::numeric_limits<double>::infinity();
  if (singular_ahead_ || !falling || near > kFalling || near > 0.7 * looked_at_) return;
  looked_at_ = near;
  const double reach = 1.6 * std::max(smooth_step_, next_step_);
  std::array<double, kLooks + 1> root{std::sqrt(pivot)};
  for (int i = 1; i <= kLooks; ++i) {
    root[z(i)] = std::sqrt(pivot_ahead(reach * i / kLooks));
    if (i < 2 || !(root[z(i)] > root[z(i - 1)])) continue;
    const auto found = singular_near(reach * (i - 1) / kLooks, reach / kLooks);
    if (!found) return;
    singular_ahead_ = t_ + *found;
    prepare_crossings();
    return;
  }
}

// Rounding grows with the order of the series that carries the mechanism across.
void TaylorIntegrator::prepare_crossings() {
  if (tolerance_ <= kCrossingTolerance && order_ <= kCrossingOrder) return;
  tolerance_ = std::min(tolerance_, kCrossingTolerance);
  order_ = std::min(order_, kCrossingOrder);
  next_motion_.truncate(order_);
  equations_.copy_lengths(order_, lengths_);
  equations_.copy_loads(order_, loads_);
  next_step_ = smooth_step_ = std::min(accuracy_step(), next_step_);
}

// Newton's iteration on the root of the pivot, from either side: it is straight up to the singular position.
std::optional<double> TaylorIntegrator::singular_near(double s, double width) {
  const double first = s, tiny = 1e-3 * width;
  double slope = 0;
  for (int i = 0; i < kNewtonLooks; ++i) {
    const double root = std::sqrt(pivot_ahead(s));
    if (root * root < (crosses_ ? kSingular : kNearlySingular) * best_pivot_) {
      // too close for a slope of its own: that of the last point says how far it still is, the pivots on which side
      const double rest = slope != 0 ? std::abs(root / slope) : 0;
      if (pivot_ahead(s - rest) < root * root) s -= rest;
      else if (pivot_ahead(s + rest) < root * root) s += rest;
      return s > 0 ? std::optional(s) : std::nullopt;
    }
    slope = (std::sqrt(pivot_ahead(s + tiny)) - root) / tiny;
    s -= root / slope;
    if (!(std::abs(s - first) < 1.5 * width)) return std::nullopt;  // a minimum, but not zero
  }
  return std::nullopt;
}

// How long the next step is to be, singular positions considered.
TaylorIntegrator::Plan TaylorIntegrator::plan(double limit) const {
  const double h = std::min({next_step_, largest_step_, limit - t_});
  if (!singular_ahead_ || !crosses_) return {h};
  const double away = *singular_ahead_ - t_, before = kBefore * smooth_step_;
  if (away - h > before) return {h};
  if (away > 1.2 * before) return {std::min(h, away - before)};
  const double across = away + kBehind * smooth_step_;
  return {autonomous_ ? across : std::min(across, limit - t_), true};
}

// Forgets the terms after the smallest one; gives that.
double TaylorIntegrator::cut_off(double h) {
  double smallest = std::numeric_limits<double>::infinity();
  int best = order_;
  for (int k = 4; k <= order_; ++k) {
    const CoefficientSize size = sizes_[z(k)];
    const double term = std::max(size.position, size.velocity / h) * std::pow(h, k);
    if (term < smallest) smallest = term, best = k;
  }
  next_motion_.truncate(best);
  return smallest;
}

// A part of the motion that has long died out, but decays so fast that the series cannot follow it over a longer step, lives on at the
// size of the tolerance: it bounds the step although it does not matter. It is seen in the last coefficients of the velocity, which then are
// those of an exponential: v_j = A r^j / j! with the same rate r in all of them and an amplitude A of the size of the tolerance.
void TaylorIntegrator::watch_stiffness() {
  if (statistics_.steps % kStepsBetweenLooks != 0 || order_ < kEnoughOrders) return;
  const auto size = [&](int j) { return equations_.size(j + 1).velocity; };
  const auto rate = [&](int j) { return std::sqrt(j * (j - 1.0) * size(j) / size(j - 2)); };
  const int j = order_ - 1;
  const double last = rate(j), earlier = rate(j - 4);
  const double log_amplitude = std::log(size(j)) + log_factorial(j) - j * std::log(last);
  const bool exponential = std::abs(last / earlier - 1) < kSameRate && last * next_step_ > kFast;
  const bool bounded = exponential && log_amplitude < std::log(kIrrelevant * tolerance_);
  stiff_looks_ = bounded && nearness() > kWellConditioned ? stiff_looks_ + 1 : 0;
}

// How far the polynomial's acceleration at the end of the step is from the one the equations give there, as an error of position
// and velocity against the tolerance.
double TaylorIntegrator::defect(double h) {
  equations_.coefficient(2, acceleration_);
  double worst = 0, largest = 0;
  for (const double a : acceleration_) largest = std::max(largest, std::abs(2 * a));
  // a light body between heavy ones feels the rounding of their forces
  const double factor = kRounding / std::clamp(nearness(), 1e-6, 1.0), force = equations_.largest_constraint_force();
  const double length = equations_.system().length_scale();
  const auto mass = equations_.system().mass();
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const double by_force = mass[i] > 0 ? force * (i % 3 == 2 ? length : 1.0) / mass[i] : 0;
    const double rounding = factor * std::max(largest, by_force);
    const double d = std::max(0.0, std::abs(2 * acceleration_[i] - expected_[i]) - rounding);
    // an error that grows like the (order − 1)-th power: its integral is that much smaller
    const double in_v = d * h / order_ / (1 + std::abs(end_v_[i])), in_q = d * h * h / (order_ * order_) / (1 + std::abs(end_q_[i]));
    const double size = std::max(in_v, in_q) / tolerance_;
    if (!(size <= worst)) worst = size;
  }
  return worst;
}

TaylorIntegrator::Status TaylorIntegrator::step(double limit) {
  auto [h, crossing] = plan(limit);
  if (crossing) {
    remember_sizes();
    // seen from here, it can be told more exactly where it is
    if (const auto at = singular_near(*singular_ahead_ - t_, 0.1 * smooth_step_)) singular_ahead_ = t_ + *at;
  }
  h = before_collapse(h);
  if (h == 0) return fault_ = equations_.collapsed(), Status::fault;
  if (!loads_.empty()) h = at_corner(h);
  const double smallest = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), std::abs(limit));
  for (int attempt = 0; attempt < kMostRejections; ++attempt) {
    if (!(h > smallest)) break;
    const double end = h >= limit - t_ && !(crossing && autonomous_) ? limit : t_ + h;
    const double left_out = crossing ? cut_off(h) / tolerance_ : 0.0;
    next_motion_.at(h, end_q_, end_v_, expected_);
    const Status status = expand_at(end, end_q_, end_v_);
    pivot_ = status == Status::accepted ? pivot_here() : 0;
    const double worst = status == Status::accepted ? defect(h) : std::numeric_limits<double>::infinity();
    if (status == Status::accepted && worst <= 1 + kCrossingSlack * left_out) {
      passage_.reset();
      if (crosses_ && singular_ahead_ && *singular_ahead_ < end) passage_ = singular_ahead_;
      statistics_.crossings += passage_ ? 1 : 0;
      accept(end);
      if (!crossing) statistics_.worst_defect = std::max(statistics_.worst_defect, worst);
      return Status::accepted;
    }
    ++statistics_.rejected;
    if (crossing) next_motion_.truncate(order_);
    if (crossing && attempt > 4) crossing = false;
    h *= std::isfinite(worst) && !crossing ? std::clamp(0.9 * std::pow(worst, -1.0 / order_), 0.1, 0.8) : crossing ? 0.9 : 0.5;
  }
  return fault_ ? Status::fault : Status::step_too_small;
}

// A spring whose length goes through zero within the step: its line of action is lost there, and what the polynomial says behind that is
// not true. The step ends before; where there is nothing left before, at 0.
double TaylorIntegrator::before_collapse(double h) {
  const std::size_t stride = z(order_ + 1);
  const double floor = kShortest * equations_.system().length_scale();
  for (std::size_t first = 0; first < lengths_.size(); first += stride) {
    const auto at = [&](double s) {
      double sum = 0;
      for (std::size_t k = stride; k-- > 0;) sum = sum * s + lengths_[first + k];
      return sum;
    };
    if (at(h) > floor) continue;
    if (!(lengths_[first] > 2 * floor)) return 0;
    double low = 0, high = h;
    for (int i = 0; i < kBisections; ++i) (at((low + high) / 2) > floor ? low : high) = (low + high) / 2;
    h = low;
  }
  return h;
}

// A load that friction grows with may vanish and come back within a step, and nothing at its end would tell: |R| has had its corners in between. The step
// ends while it is away, and what does not fit there makes it shorter.
double TaylorIntegrator::at_corner(double h) const {
  const std::size_t stride = z(order_ - 1);
  for (std::size_t first = 0; first + stride <= loads_.size(); first += stride) {
    const auto at = [&](double s) {
      double sum = 0;
      for (std::size_t k = stride; k-- > 0;) sum = sum * s + loads_[first + k];
      return sum;
    };
    for (int i = 1; i <= kLoadLooks; ++i)
      if (const double s = h * i / kLoadLooks; at(s) < 0) {
        h = s;
        break;
      }
  }
  return h;
}

void TaylorIntegrator::expand_power() {
  if (next_power_.empty()) return;
  next_power_order_ = order_;
  equations_.power(order_, std::span(next_power_).first(z(2 * order_ - 3)));
}

double TaylorIntegrator::work_within(double t) const {
  if (power_.empty()) return 0;
  const double s = t - previous_t_;
  double sum = 0;
  // of a motion that was cut off, only what its own terms make up
  int last = motion_.order() < power_order_ ? motion_.order() - 2 : 2 * (power_order_ - 2);
  while (last > 0 && power_[z(last)] == 0) --last;
  for (int k = last; k >= 0; --k) sum = sum * s + power_[z(k)] / (k + 1);
  return work_ + sum * s;
}

void TaylorIntegrator::accept(double end) {
  std::swap(motion_, next_motion_);
  std::swap(power_, next_power_);
  power_order_ = next_power_order_;
  work_ = end_work_;
  expand_power();
  equations_.copy_motion(order_, next_motion_);
  previous_t_ = t_;
  t_ = end;
  end_work_ = work_within(t_);
  std::ranges::copy(end_q_, q_.begin());
  std::ranges::copy(end_v_, v_.begin());
  best_pivot_ = std::max(best_pivot_, pivot_);
  next_step_ = accuracy_step();
  equations_.copy_lengths(order_, lengths_);
  equations_.copy_loads(order_, loads_);
  watch_stiffness();
  look_ahead();
  ++statistics_.steps;
}

}  // namespace jounce
