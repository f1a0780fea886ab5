#include "jounce/analysis/integrators/radau5.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "jounce/base/index.hpp"
#include "jounce/base/require.hpp"

namespace jounce {
namespace {

using radau5::kStages;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMostIterations = 10;
/// While Newton's increments shrink by this factor or faster, the Jacobian is kept.
constexpr double kFastConvergence = 1e-3;
/// Steps are chosen so that they shrink by this factor at least.
constexpr double kGoodConvergence = 0.4;
/// A step that would grow less than this stays as it is, and so do the factors.
constexpr double kSmallGrowth = 1.2;
/// Where one Jacobian for all stages did not do, it is tried again after some steps, after more of them each time it fails.
constexpr int kPatience = 10, kMostPatience = 640;
/// Conjugate residuals: the part to be left of an increment, and how many directions.
constexpr double kInnerError = 0.005;
constexpr int kMostDirections = 12;
constexpr double kSafety = 0.9, kLeastChange = 1.0 / 8, kMostChange = 5;  // h is divided by something between these
constexpr double kFirstStep = 1e-5;
/// Newton's iteration ends when its error is less than the root of the tolerance, within these bounds, times the tolerance.
constexpr double kNewtonExact = 1e-3, kNewtonCoarse = 0.03;
/// Increments, in tolerances, below which a lack of convergence is rounding.
constexpr double kNoise = 0.1;
/// What rounding leaves of the largest of some coupled numbers.
constexpr double kRounding = 64 * kEpsilon;
/// After a step in which Newton did not converge, the next ones stay below this much of it, and a little less so each time.
constexpr double kAfterFailure = 0.8, kRecovery = 1.15;
/// The end of a step is moved onto the equations until it moves less than this, relative to 1 + its size.
constexpr double kOnConstraints = 1e-14;
constexpr int kMostProjections = 8;

/// The larger of two numbers; what is not a number stays.
double larger(double a, double b) { return b > a || std::isnan(b) ? b : a; }

double combine(const radau5::Stages& weight, const std::array<std::vector<double>, kStages>& stages, std::size_t i) {
  return weight[0] * stages[0][i] + weight[1] * stages[1][i] + weight[2] * stages[2][i];
}

std::vector<int> all_rows(const PlanarSystem& system) {
  std::vector<int> rows(z(system.equations()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace

Radau5::Radau5(const PlanarSystem& system) : Radau5(system, all_rows(system)) {}

Radau5::Radau5(const PlanarSystem& system, std::vector<int> rows)
    : system_(&system),
      rows_(std::move(rows)),
      n_(z(system.coordinates())),
      m_(rows_.size()),
      all_(2 * (n_ + m_)),
      linearisation_(system),
      at_start_(system, 1),
      matrices_(system, rows_),
      entries_(radau5::used_entries(system, rows_)),
      lambda_(z(system.equations())),
      multipliers_(lambda_.size()),
      motion_(n_),
      phi_q_(z(system.pattern().entries())),
      velocity_q_(phi_q_.size()),
      forward_(lambda_.size()),
      inertia_(n_, 1.0) {
  inertia_.insert(inertia_.end(), system.mass().begin(), system.mass().end());
  for (int i = 0; i < kStages; ++i) at_stage_.emplace_back(system, 2);
  for (Vector* x : {&y_, &slope_, &state_}) x->assign(all_, 0);
  for (auto* stages : {&z_, &w_, &f_, &bend_, &right_, &change_, &inner_, &difference_})
    for (Vector& x : *stages) x.assign(all_, 0);
  scale_.assign(2 * n_, 0);
  for (Vector& x : stage_change_) x.assign(n_, 0);
  for (Vector* x : {&rest_, &found_}) x->assign(kStages * 2 * n_, 0);
  direction_.assign(kMostDirections, rest_), image_ = direction_;
  colour_columns();
}

// Greedy: the first colour that no column with a common row has.
void Radau5::colour_columns() {
  const SparsePattern& p = system_->pattern();
  std::vector<std::set<int>> taken(z(p.rows));
  for (int c = 0; c < p.columns; ++c) {
    int colour = 0;
    const auto free = [&](int e) { return !taken[z(p.row[z(e)])].contains(colour); };
    const auto fits = [&] {
      for (int e = p.start[z(c)]; e < p.start[z(c) + 1]; ++e)
        if (!free(e)) return false;
      return true;
    };
    while (!fits()) ++colour;
    for (int e = p.start[z(c)]; e < p.start[z(c) + 1]; ++e) taken[z(p.row[z(e)])].insert(colour);
    colour_.push_back(colour);
    colours_ = std::max(colours_, colour + 1);
  }
}

void Radau5::set_directions(std::span<const double> directions) {
  linearisation_.set_directions(directions);
  begun_ = false;
  renew_ = true;
}

void Radau5::start(double t, std::span<const double> q, std::span<const double> v, std::span<const double> lambda) {
  JOUNCE_REQUIRE(q.size() == n_ && v.size() == n_, "a position and a velocity for each coordinate");
  JOUNCE_REQUIRE(lambda.empty() || lambda.size() == lambda_.size(), "one multiplier for each equation");
  t_ = previous_t_ = t;
  h_ = accepted_h_ = 0;
  begun_ = refused_ = by_stage_ = false;
  patience_ = kPatience;
  renew_ = true;
  convergence_ = 1;
  newton_limit_ = std::numeric_limits<double>::infinity();
  statistics_ = {};
  std::ranges::fill(y_, 0.0);
  std::ranges::fill(lambda_, 0.0);
  std::ranges::copy(q, y_.begin());
  std::ranges::copy(v, y_.begin() + static_cast<long>(n_));
  for (std::size_t r = 0; r < m_ && !lambda.empty(); ++r)
    y_[2 * n_ + m_ + r] = lambda_[z(rows_[r])] = lambda[z(rows_[r])];
}

Radau5::Step Radau5::step(double tolerance, double limit) {
  JOUNCE_REQUIRE(limit > t_, "a step goes forward");
  tolerance_ = tolerance;
  set_scales();
  if (!begun_ && !begin_step()) return Step::fault;

  const double way = limit - t_;
  const double planned = fixed_step_ > 0 ? fixed_step_ : std::min(h_ == 0 ? kFirstStep : h_, largest_step_);
  // a last step is stretched rather than followed by a tiny one
  double h = 1.01 * planned >= way ? way : planned;
  Trial trial = Trial::accepted;
  refused_ = false;
  bool faulted = false;
  for (int refusals = 0; refusals < kMostRefusals && h > 4 * kEpsilon * std::abs(t_); ++refusals) {
    trial = attempt(h, h == way ? limit : t_ + h);
    if (trial == Trial::accepted) {
      accept(h, h == way ? limit : t_ + h);
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

/// Newton's iteration may converge with a new Jacobian, or with one for each stage; otherwise the step has to be shorter.
bool Radau5::another_way() {
  renew_ = true;
  if (!fresh_) return true;
  if (by_stage_ || system_->forces().empty()) {
    newton_limit_ = kAfterFailure * factored_h_;
    return false;
  }
  by_stage_ = true;
  steps_by_stage_ = 0;
  patience_ = std::min(2 * patience_, kMostPatience);
  return true;
}

/// What the error of each position and velocity is measured by: never less than what rounding of the largest leaves of it.
void Radau5::set_scales() {
  rounding_ = false;
  for (std::size_t first = 0; first < 2 * n_; first += n_) {
    double largest = 0;
    for (std::size_t i = first; i < first + n_; ++i) largest = std::max(largest, std::abs(y_[i]));
    for (std::size_t i = first; i < first + n_; ++i) {
      const double wanted = tolerance_ * (1 + std::abs(y_[i]));
      rounding_ = rounding_ || wanted < kRounding * largest;
      scale_[i] = std::max(wanted, kRounding * largest);
    }
  }
}

bool Radau5::set_time(Evaluation& at, double t) {
  auto wrong = at.set_time(t);
  if (!wrong) return true;
  fault_ = {t, std::nullopt, std::move(wrong)};
  return false;
}

/// The right-hand sides and residuals at a state, with the derivatives of forces where they are wanted; false when something
/// has no value there.
bool Radau5::evaluate(Evaluation& at, const Vector& y, Vector& f, bool derivatives) {
  ++statistics_.evaluations;
  const std::span<const double> q(y.data(), n_), v(y.data() + n_, n_);
  auto wrong = derivatives ? linearisation_.forces(at.time(), q, v) : linearisation_.forces_alone(at.time(), q, v);
  if (wrong) {
    fault_ = {at.time(), std::move(wrong), std::nullopt};
    return false;
  }
  std::copy_n(y.data() + n_, n_, f.data());
  std::ranges::copy(linearisation_.Q(), f.data() + n_);
  constraints(at, y, f);
  return true;
}

/// The residuals, and what the multipliers take from the right-hand sides.
void Radau5::constraints(Evaluation& at, const Vector& y, Vector& f) {
  const std::span<const double> phi = at.set_position({y.data(), n_}), phi_q = at.jacobian(), phi_t = at.open(1);
  const double *v = y.data() + n_, *mu = v + n_, *lambda = mu + m_;
  double *force = f.data() + n_, *velocity = force + n_, *position = velocity + m_;
  for (std::size_t r = 0; r < m_; ++r) {
    velocity[r] = phi_t[z(rows_[r])];
    position[r] = phi[z(rows_[r])];
  }
  for (std::size_t e = 0; e < phi_q.size(); ++e) {
    const auto [r, c] = entries_[e];
    if (r < 0) continue;
    f[z(c)] -= phi_q[e] * mu[r];
    force[c] -= phi_q[e] * lambda[r];
    velocity[r] += phi_q[e] * v[c];
  }
}

/// f at the start of a step.
bool Radau5::begin_step() {
  begun_ = set_time(at_start_, t_) && evaluate(at_start_, y_, slope_);
  fresh_ = false;
  return begun_;
}

/// At the second stage as guessed: in the middle of the stages, it fits all of them better than the start does. That μ times
/// the second derivatives of Φ is left out costs nothing: μ is about 0.
bool Radau5::renew_jacobian() {
  ++statistics_.jacobians;
  factored_h_ = 0;
  Evaluation& at = at_stage_[1];
  for (std::size_t i = 0; i < all_; ++i) state_[i] = y_[i] + z_[1][i];
  if (!evaluate(at, state_, f_[1], true)) return false;
  std::ranges::copy(at.jacobian(), phi_q_.begin());
  for (std::size_t r = 0; r < m_; ++r) multipliers_[z(rows_[r])] = state_[2 * n_ + m_ + r];
  linearisation_.constraint_forces(at.time(), {state_.data(), n_}, multipliers_);
  velocity_equations_q(at, {state_.data() + n_, n_});
  matrices_.set(phi_q_, velocity_q_, linearisation_);
  middle_forces_.take(linearisation_);
  renew_ = false;
  fresh_ = true;
  return true;
}

/// (Φq v + Φt)q. Twice coefficient 2 of Φ along q + w s is Φqq(w, w) + 2 Φqt w + Φtt; the difference between w = v + s e and
/// w = v − s e is 4 s times (Φq v + Φt)q e, without any error but rounding. Columns of one colour go together in e.
void Radau5::velocity_equations_q(Evaluation& at, std::span<const double> v) {
  const SparsePattern& p = system_->pattern();
  double s = 0;
  for (const double x : v) s = std::max(s, std::abs(x));
  if (s == 0) s = 1;
  for (int colour = 0; colour < colours_; ++colour) {
    const auto coefficient = [&](double sign) {
      for (std::size_t c = 0; c < n_; ++c) motion_[c] = v[c] + (colour_[c] == colour ? sign * s : 0);
      (void)at.open(1);
      at.close(1, motion_);
      return at.open(2);
    };
    std::ranges::copy(coefficient(1), forward_.begin());
    const std::span<const double> backward = coefficient(-1);
    for (std::size_t c = 0; c < n_; ++c)
      for (int e = p.start[c]; colour_[c] == colour && e < p.start[c + 1]; ++e) {
        const std::size_t r = z(p.row[z(e)]);
        velocity_q_[z(e)] = (forward_[r] - backward[r]) / (2 * s);
      }
  }
}

Radau5::Trial Radau5::attempt(double h, double end) {
  for (std::size_t i = 0; i < kStages; ++i)
    if (!set_time(at_stage_[i], i + 1 < kStages ? t_ + radau5::kNode[i] * h : end)) return Trial::fault;
  guess_stages(h);
  if (renew_ && !renew_jacobian()) return Trial::fault;
  if (h != factored_h_) {
    ++statistics_.factorisations;
    factored_h_ = 0;
    if (!matrices_.factor(h)) return Trial::singular;
    factored_h_ = h;
  }
  const Trial newton = solve_stages(h);
  if (newton != Trial::accepted) return newton;
  error_ = fixed_step_ > 0 ? 0 : error_of(h);
  return error_ <= 1 ? Trial::accepted : Trial::too_much_error;
}

/// From the collocation polynomial of the step before; at first, motion at constant velocity.
void Radau5::guess_stages(double h) {
  for (std::size_t i = 0; i < kStages; ++i) {
    const double way = radau5::kNode[i] * h;
    for (std::size_t j = 0; j < all_; ++j) {
      if (accepted_h_ > 0) z_[i][j] = beyond_end(j, way / accepted_h_);
      else z_[i][j] = j < n_ ? way * y_[n_ + j] : 0;
    }
  }
  for (std::size_t i = 0; i < kStages; ++i)
    for (std::size_t j = 0; j < all_; ++j) w_[i][j] = combine(radau5::kInverseT[i], z_, j);
}

/// The collocation polynomial less its value at the end of the step, at s steps from there.
double Radau5::beyond_end(std::size_t i, double s) const {
  using radau5::kNode;
  return s * (bend_[0][i] + (s + 1 - kNode[1]) * (bend_[1][i] + (s + 1 - kNode[0]) * bend_[2][i]));
}

/// Newton's iteration. It is given up as soon as its convergence so far shows that it will not do in the iterations allowed.
Radau5::Trial Radau5::solve_stages(double h) {
  const double wanted = std::clamp(std::sqrt(tolerance_), kNewtonExact, kNewtonCoarse);
  convergence_ = by_stage_ ? 1 : std::pow(std::max(convergence_, kEpsilon), 0.8);
  rate_ = kFastConvergence;
  newton_shrink_ = 0.5;
  double before = 0, ratio_before = 0;
  for (iterations_ = 1; iterations_ <= kMostIterations; ++iterations_) {
    ++statistics_.iterations;
    for (std::size_t i = 0; i < kStages; ++i) {
      for (std::size_t j = 0; j < all_; ++j) state_[j] = y_[j] + z_[i][j];
      const bool derivatives = by_stage_;
      if (!evaluate(at_stage_[i], state_, f_[i], derivatives)) return Trial::fault;
      if (derivatives) stage_forces_[i].take(linearisation_);
    }
    const double increment = newton_update(h);
    if (!std::isfinite(increment)) return Trial::not_converged;
    // with derivatives of each stage the first increment goes to where stiff forces are small, and says nothing of the rest
    if (iterations_ > (by_stage_ ? 2 : 1)) {
      const double ratio = increment / before;
      const double rate = ratio_before > 0 && !by_stage_ ? std::sqrt(ratio * ratio_before) : ratio;
      const double at_last = rate / (1 - rate) * increment * std::pow(rate, kMostIterations - iterations_);
      if (rate >= 0.99 || at_last > wanted) {
        if (increment <= kNoise) return Trial::accepted;
        newton_shrink_ = std::clamp(kGoodConvergence / rate, 1 / kMostChange, 0.8);
        return Trial::not_converged;
      }
      ratio_before = ratio;
      rate_ = rate;
      convergence_ = rate / (1 - rate);
    }
    if (convergence_ * increment <= wanted) return Trial::accepted;
    before = std::max(increment, kEpsilon);
  }
  return Trial::not_converged;
}

/// One iteration from the right-hand sides at the stages; returns the size of the increment, in tolerances.
double Radau5::newton_update(double h) {
  using namespace radau5;
  for (std::size_t i = 0; i < all_; ++i) {
    const Stages f{combine(kInverseT[0], f_, i), combine(kInverseT[1], f_, i), combine(kInverseT[2], f_, i)};
    if (i < 2 * n_) {
      const double mass = inertia_[i];
      right_[0][i] = h * f[0] - kGamma * mass * w_[0][i];
      right_[1][i] = h * f[1] - mass * (kAlpha * w_[1][i] - kBeta * w_[2][i]);
      right_[2][i] = h * f[2] - mass * (kBeta * w_[1][i] + kAlpha * w_[2][i]);
    } else {
      for (std::size_t k = 0; k < kStages; ++k) right_[k][i] = -f[k];
    }
  }
  matrices_.solve(right_, change_);
  if (by_stage_) solve_by_stage(h);
  double largest = 0;
  for (std::size_t i = 0; i < all_; ++i) {
    for (std::size_t k = 0; k < kStages; ++k) {
      w_[k][i] += i < 2 * n_ ? change_[k][i] : change_[k][i] / h;
      if (i < 2 * n_) largest = larger(largest, std::abs(change_[k][i]) / scale_[i]);
    }
    for (std::size_t k = 0; k < kStages; ++k) z_[k][i] = combine(kT[k], w_, i);
  }
  return largest;
}

/// Stiff forces that turn during a step differ too much from stage to stage for one Jacobian. With that of the middle, P, and
/// what each stage's forces differ from it by, N, the increment x solves P x = r + N x. N sees positions and velocities only;
/// for them (1 − P⁻¹N) u = P⁻¹ r is solved by conjugate residuals: each new direction takes its share out of what is left.
void Radau5::solve_by_stage(double h) {
  const std::size_t size = kStages * 2 * n_;
  const auto in_tolerances = [&](const Unknowns& x, Vector& to) {
    for (std::size_t i = 0; i < size; ++i) to[i] = x[i / (2 * n_)][i % (2 * n_)] / scale_[i % (2 * n_)];
  };
  const auto dot = [&](const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); };
  in_tolerances(change_, rest_);
  std::ranges::fill(found_, 0.0);
  const double enough = kInnerError * std::sqrt(dot(rest_, rest_));
  int used = 0;
  for (; used < kMostDirections && std::sqrt(dot(rest_, rest_)) > enough; ++used) {
    Vector &direction = direction_[z(used)], &image = image_[z(used)];
    direction = rest_;
    stage_differences(h, direction);
    matrices_.solve(difference_, inner_);
    in_tolerances(inner_, image);
    for (std::size_t i = 0; i < size; ++i) image[i] = direction[i] - image[i];
    for (int j = 0; j < used; ++j) {
      const double share = dot(image, image_[z(j)]);
      for (std::size_t i = 0; i < size; ++i) {
        image[i] -= share * image_[z(j)][i];
        direction[i] -= share * direction_[z(j)][i];
      }
    }
    const double length = std::sqrt(dot(image, image));
    if (!(length > 0)) break;
    for (std::size_t i = 0; i < size; ++i) image[i] /= length, direction[i] /= length;
    const double share = dot(rest_, image);
    for (std::size_t i = 0; i < size; ++i) {
      found_[i] += share * direction[i];
      rest_[i] -= share * image[i];
    }
  }
  stage_differences(h, found_);
  for (std::size_t k = 0; k < kStages; ++k)
    for (std::size_t i = n_; i < 2 * n_; ++i) right_[k][i] += difference_[k][i];
  matrices_.solve(right_, change_);
}

/// N u, for u in tolerances: h times what the forces of the stages change more than those of the middle.
void Radau5::stage_differences(double h, const Vector& u) {
  using namespace radau5;
  const auto at = [&](std::size_t k, std::size_t i) { return u[k * 2 * n_ + i] * scale_[i]; };
  for (std::size_t k = 0; k < kStages; ++k) {
    for (std::size_t i = 0; i < 2 * n_; ++i) state_[i] = kT[k][0] * at(0, i) + kT[k][1] * at(1, i) + kT[k][2] * at(2, i);
    std::ranges::fill(stage_change_[k], 0.0);
    stage_forces_[k].add(1, {state_.data(), 2 * n_}, stage_change_[k]);
    middle_forces_.add(-1, {state_.data(), 2 * n_}, stage_change_[k]);
  }
  for (std::size_t k = 0; k < kStages; ++k)
    for (std::size_t i = 0; i < n_; ++i) difference_[k][n_ + i] = h * combine(kInverseT[k], stage_change_, i);
}

/// In tolerances. Where a first or repeated step seems to be refused, the estimate is filtered once more: it is far too large
/// while stiff components have not died out.
double Radau5::error_of(double h) {
  const double error = filtered_error(h, slope_);
  if (error <= 1 || (statistics_.steps > 0 && !refused_)) return error;
  for (std::size_t i = 0; i < all_; ++i) state_[i] = y_[i] + (i < 2 * n_ ? change_[0][i] : change_[0][i] / h);
  if (!evaluate(at_start_, state_, f_[0])) return error;
  return filtered_error(h, f_[0]);
}

/// Of positions the error before the filter counts as well: it tells how far off they are between the ends of the step, which
/// the filter knows nothing of where the equations prescribe the ends.
double Radau5::filtered_error(double h, const Vector& slope) {
  for (std::size_t i = 0; i < all_; ++i)
    right_[0][i] = i < 2 * n_ ? h * slope[i] + inertia_[i] * combine(radau5::kError, z_, i) : -slope[i];
  matrices_.solve_real(right_[0], change_[0]);
  double largest = size_of_change();
  for (std::size_t i = 0; i < n_; ++i) largest = larger(largest, std::abs(right_[0][i]) / (radau5::kGamma * scale_[i]));
  return largest;
}

/// Largest entry of the first of `change_`, in tolerances.
double Radau5::size_of_change() const {
  double largest = 0;
  for (std::size_t i = 0; i < 2 * n_; ++i) largest = larger(largest, std::abs(change_[0][i]) / scale_[i]);
  return largest;
}

/// Newton's iteration leaves the equations of positions and velocities not quite met; the real matrix closes the rest.
void Radau5::project() {
  double before = std::numeric_limits<double>::infinity();
  std::ranges::fill(right_[0], 0.0);
  for (int i = 0; m_ > 0 && i < kMostProjections; ++i) {
    for (std::size_t j = 0; j < all_; ++j) state_[j] = y_[j] + z_[kStages - 1][j];
    constraints(at_stage_[kStages - 1], state_, f_[0]);
    for (std::size_t j = 2 * n_; j < all_; ++j) right_[0][j] = -f_[0][j];
    matrices_.solve_real(right_[0], change_[0]);
    const double moved = size_of_change() * tolerance_;
    if (!(moved < 0.5 * before)) return;
    for (std::size_t j = 0; j < 2 * n_; ++j) z_[kStages - 1][j] += change_[0][j];
    if (moved <= kOnConstraints) return;
    before = moved;
  }
}

void Radau5::accept(double h, double end) {
  using radau5::kNode;
  project();
  for (std::size_t i = 0; i < all_; ++i) {  // divided differences over the end, stages 2 and 1, and the start
    const double z1 = z_[0][i], z2 = z_[1][i], z3 = z_[2][i];
    const double between = (z1 - z2) / (kNode[0] - kNode[1]);
    bend_[0][i] = (z2 - z3) / (kNode[1] - 1);
    bend_[1][i] = (between - bend_[0][i]) / (kNode[0] - 1);
    bend_[2][i] = bend_[1][i] - (between - z1 / kNode[0]) / kNode[1];
    y_[i] += z3;
  }
  for (std::size_t r = 0; r < m_; ++r) lambda_[z(rows_[r])] = y_[2 * n_ + m_ + r];
  ++statistics_.steps;
  previous_t_ = t_;
  t_ = end;
  begun_ = false;
  h_ = next_after(h);
  accepted_h_ = h;
  accepted_error_ = std::max(error_, 0.01);
}

/// The size of the step after an accepted one of size h, and whether the Jacobian is renewed there.
double Radau5::next_after(double h) {
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
double Radau5::change_of_step(Trial trial) const {
  if (trial == Trial::not_converged) return newton_shrink_;
  if (trial != Trial::too_much_error || !std::isfinite(error_)) return 0.5;
  const double effort = (1 + 2.0 * kMostIterations) / (iterations_ + 2.0 * kMostIterations);
  return std::clamp(kSafety * std::min(1.0, effort) * std::pow(error_, -0.25), 1 / kMostChange, 1 / kLeastChange);
}

void Radau5::dense(double t, std::span<double> q, std::span<double> v) const {
  JOUNCE_REQUIRE(accepted_h_ > 0, "dense output belongs to an accepted step");
  const double s = (t - t_) / (t_ - previous_t_);
  for (std::size_t i = 0; i < n_; ++i) {
    q[i] = y_[i] + beyond_end(i, s);
    v[i] = y_[n_ + i] + beyond_end(n_ + i, s);
  }
}

}  // namespace jounce
