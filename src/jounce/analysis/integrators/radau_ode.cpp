#include "jounce/analysis/integrators/radau_ode.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "jounce/analysis/integrators/radau5_matrices.hpp"
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
constexpr double kSafety = 0.9, kLeastChange = 1.0 / 8, kMostChange = 5;  // h is divided by something between these
constexpr double kFirstStep = 1e-5;
/// Newton's iteration ends when its error is less than the root of the tolerance, within these bounds, times the tolerance.
constexpr double kNewtonExact = 1e-3, kNewtonCoarse = 0.03;
/// Increments, in tolerances, below which a lack of convergence is rounding.
constexpr double kNoise = 0.1;
/// After a step in which Newton did not converge, the next ones stay below this much of it, and a little less so each time.
constexpr double kAfterFailure = 0.8, kRecovery = 1.15;

/// The larger of two numbers; what is not a number stays.
double larger(double a, double b) { return b > a || std::isnan(b) ? b : a; }

double combine(const radau5::Stages& weight, const std::array<std::vector<double>, kStages>& stages, std::size_t i) {
  return weight[0] * stages[0][i] + weight[1] * stages[1][i] + weight[2] * stages[2][i];
}

}  // namespace

// γ − h J and α + iβ − h J.
struct RadauOde::Matrices {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Index = Eigen::Index;
  explicit Matrices(Index n) : jacobian(n, n) {}

  void factor(double h) {
    Eigen::MatrixXd plain = -h * jacobian;
    Eigen::MatrixXcd twofold = plain.cast<std::complex<double>>();
    plain.diagonal().array() += radau5::kGamma;
    twofold.diagonal().array() += std::complex<double>(radau5::kAlpha, radau5::kBeta);
    real.compute(plain);
    complex.compute(twofold);
  }

  void solve_real(const Vector& right, Vector& x) const {
    const auto n = static_cast<Index>(right.size());
    Eigen::Map<Eigen::VectorXd>(x.data(), n) = real.solve(Eigen::Map<const Eigen::VectorXd>(right.data(), n));
  }

  void solve(const Stages& right, Stages& x) const {
    solve_real(right[0], x[0]);
    const auto n = static_cast<Index>(right[1].size());
    Eigen::VectorXcd both(n);
    both.real() = Eigen::Map<const Eigen::VectorXd>(right[1].data(), n);
    both.imag() = Eigen::Map<const Eigen::VectorXd>(right[2].data(), n);
    both = complex.solve(both).eval();
    Eigen::Map<Eigen::VectorXd>(x[1].data(), n) = both.real();
    Eigen::Map<Eigen::VectorXd>(x[2].data(), n) = both.imag();
  }

  Rows jacobian;
  Eigen::PartialPivLU<Eigen::MatrixXd> real;
  Eigen::PartialPivLU<Eigen::MatrixXcd> complex;
};

RadauOde::RadauOde(StiffSystem& system, int n, double tolerance)
    : system_(&system),
      n_(static_cast<std::size_t>(n)),
      tolerance_(std::max(tolerance, kSmallestTolerance)),
      matrices_(std::make_unique<Matrices>(n)) {
  for (Vector* x : {&y_, &slope_, &state_, &scale_}) x->assign(n_, 0);
  for (Stages* stages : {&z_, &w_, &f_, &right_, &change_, &bend_})
    for (Vector& x : *stages) x.assign(n_, 0);
}
RadauOde::~RadauOde() = default;

bool RadauOde::start(double t, std::span<const double> y) {
  t_ = previous_t_ = t;
  h_ = accepted_h_ = factored_h_ = 0;
  refused_ = false;
  renew_ = true;
  convergence_ = 1;
  newton_limit_ = std::numeric_limits<double>::infinity();
  return replace(y);
}

bool RadauOde::replace(std::span<const double> y) {
  amend(y);
  begun_ = evaluate(t_, y_, slope_);
  return begun_;
}

void RadauOde::amend(std::span<const double> y) {
  JOUNCE_REQUIRE(y.size() == n_, "a state has n numbers");
  std::ranges::copy(y, y_.begin());
}

RadauOde::Step RadauOde::step(double limit) {
  JOUNCE_REQUIRE(limit > t_, "a step goes forward");
  for (std::size_t i = 0; i < n_; ++i) scale_[i] = tolerance_ * (1 + std::abs(y_[i]));
  if (!begun_ && !evaluate(t_, y_, slope_)) return Step::too_small;
  begun_ = true;
  fresh_ = refused_ = false;
  const double way = limit - t_;
  const double planned = fixed_step_ > 0 ? fixed_step_ : std::min(h_ == 0 ? kFirstStep : h_, largest_step_);
  // a last step is stretched rather than followed by a tiny one
  double h = 1.01 * planned >= way ? way : planned;
  for (int refusals = 0; refusals < kMostRefusals && h > 4 * kEpsilon * std::abs(t_); ++refusals) {
    const double end = h == way ? limit : t_ + h;
    const Trial trial = attempt(h, end);
    if (trial == Trial::accepted) {
      accept(h, end);
      if (h < planned && !refused_) h_ = std::max(h_, planned);  // cut short by the limit: nothing against the longer step
      return Step::accepted;
    }
    ++statistics_.rejected;
    if (trial == Trial::not_converged) {
      renew_ = true;
      if (!fresh_) continue;  // it may converge with a new Jacobian
      newton_limit_ = kAfterFailure * h;
    }
    h *= change_of_step(trial);
    refused_ = true;
  }
  return Step::too_small;
}

bool RadauOde::evaluate(double t, const Vector& y, Vector& f) {
  ++statistics_.evaluations;
  return system_->rate(t, y, f);
}

/// At the second stage as guessed: in the middle of the stages, it fits all of them better than the start does.
bool RadauOde::renew_jacobian(double h) {
  ++statistics_.jacobians;
  factored_h_ = 0;
  for (std::size_t i = 0; i < n_; ++i) state_[i] = y_[i] + z_[1][i];
  auto& to = matrices_->jacobian;
  if (!system_->jacobian(t_ + radau5::kNode[1] * h, state_, {to.data(), n_ * n_}) || !to.allFinite()) return false;
  renew_ = false;
  fresh_ = true;
  return true;
}

RadauOde::Trial RadauOde::attempt(double h, double end) {
  guess_stages(h);
  if (renew_ && !renew_jacobian(h)) return Trial::no_value;
  if (h != factored_h_) {
    ++statistics_.factorisations;
    matrices_->factor(h);
    factored_h_ = h;
  }
  const Trial newton = solve_stages(h, end);
  if (newton != Trial::accepted) return newton;
  error_ = fixed_step_ > 0 ? 0 : error_of(h);
  return error_ <= 1 ? Trial::accepted : Trial::too_much_error;
}

/// From the collocation polynomial of the step before; at first, no motion.
void RadauOde::guess_stages(double h) {
  for (std::size_t i = 0; i < kStages; ++i)
    for (std::size_t j = 0; j < n_; ++j) z_[i][j] = accepted_h_ > 0 ? beyond_end(j, radau5::kNode[i] * h / accepted_h_) : 0;
  for (std::size_t i = 0; i < kStages; ++i)
    for (std::size_t j = 0; j < n_; ++j) w_[i][j] = combine(radau5::kInverseT[i], z_, j);
}

/// The collocation polynomial less its value at the end of the step, at s steps from there.
double RadauOde::beyond_end(std::size_t i, double s) const {
  using radau5::kNode;
  return s * (bend_[0][i] + (s + 1 - kNode[1]) * (bend_[1][i] + (s + 1 - kNode[0]) * bend_[2][i]));
}

/// Newton's iteration. It is given up as soon as its convergence so far shows that it will not do in the iterations allowed.
RadauOde::Trial RadauOde::solve_stages(double h, double end) {
  const double wanted = std::clamp(std::sqrt(tolerance_), kNewtonExact, kNewtonCoarse);
  convergence_ = std::pow(std::max(convergence_, kEpsilon), 0.8);
  rate_ = kFastConvergence;
  newton_shrink_ = 0.5;
  double before = 0, ratio_before = 0;
  for (iterations_ = 1; iterations_ <= kMostIterations; ++iterations_) {
    ++statistics_.iterations;
    for (std::size_t i = 0; i < kStages; ++i) {
      for (std::size_t j = 0; j < n_; ++j) state_[j] = y_[j] + z_[i][j];
      if (!evaluate(i + 1 < kStages ? t_ + radau5::kNode[i] * h : end, state_, f_[i])) return Trial::no_value;
    }
    const double increment = newton_update(h);
    if (!std::isfinite(increment)) return Trial::not_converged;
    if (iterations_ > 1) {
      const double ratio = increment / before;
      const double rate = ratio_before > 0 ? std::sqrt(ratio * ratio_before) : ratio;
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
double RadauOde::newton_update(double h) {
  using namespace radau5;
  for (std::size_t i = 0; i < n_; ++i) {
    const radau5::Stages f{combine(kInverseT[0], f_, i), combine(kInverseT[1], f_, i), combine(kInverseT[2], f_, i)};
    right_[0][i] = h * f[0] - kGamma * w_[0][i];
    right_[1][i] = h * f[1] - (kAlpha * w_[1][i] - kBeta * w_[2][i]);
    right_[2][i] = h * f[2] - (kBeta * w_[1][i] + kAlpha * w_[2][i]);
  }
  matrices_->solve(right_, change_);
  double largest = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t k = 0; k < kStages; ++k) {
      w_[k][i] += change_[k][i];
      largest = larger(largest, std::abs(change_[k][i]) / scale_[i]);
    }
    for (std::size_t k = 0; k < kStages; ++k) z_[k][i] = combine(kT[k], w_, i);
  }
  return largest;
}

/// In tolerances. Where a first or repeated step seems to be refused, the estimate is filtered once more: it is far too large
/// while stiff components have not died out.
double RadauOde::error_of(double h) {
  const double error = filtered_error(h, slope_);
  if (error <= 1 || (accepted_h_ > 0 && !refused_)) return error;
  for (std::size_t i = 0; i < n_; ++i) state_[i] = y_[i] + change_[0][i];
  if (!evaluate(t_, state_, f_[0])) return error;
  return filtered_error(h, f_[0]);
}

double RadauOde::filtered_error(double h, const Vector& slope) {
  for (std::size_t i = 0; i < n_; ++i) right_[0][i] = h * slope[i] + combine(radau5::kError, z_, i);
  matrices_->solve_real(right_[0], change_[0]);
  double largest = 0;
  for (std::size_t i = 0; i < n_; ++i) largest = larger(largest, std::abs(change_[0][i]) / scale_[i]);
  return largest;
}

void RadauOde::accept(double h, double end) {
  using radau5::kNode;
  for (std::size_t i = 0; i < n_; ++i) {  // divided differences over the end, stages 2 and 1, and the start
    const double z1 = z_[0][i], z2 = z_[1][i], z3 = z_[2][i];
    const double between = (z1 - z2) / (kNode[0] - kNode[1]);
    bend_[0][i] = (z2 - z3) / (kNode[1] - 1);
    bend_[1][i] = (between - bend_[0][i]) / (kNode[0] - 1);
    bend_[2][i] = bend_[1][i] - (between - z1 / kNode[0]) / kNode[1];
    y_[i] += z3;
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
double RadauOde::next_after(double h) {
  double factor = change_of_step(Trial::too_much_error);
  if (accepted_h_ > 0) {  // as the error grew in the last two steps, so it will in the next
    const double predicted = h / accepted_h_ * kSafety * std::pow(accepted_error_ / (error_ * error_ + 1e-40), 0.25);
    factor = std::min(factor, std::clamp(predicted, 1 / kMostChange, 1 / kLeastChange));
  }
  if (refused_) factor = std::min(factor, 1.0);
  if (iterations_ > 1) factor = std::min(factor, std::max(kGoodConvergence / rate_, 1 / kMostChange));
  newton_limit_ *= kRecovery;
  factor = std::min(factor, newton_limit_ / h);
  renew_ = rate_ > kFastConvergence;
  return !renew_ && factor >= 1 && factor <= kSmallGrowth ? h : factor * h;
}

/// What to multiply the step by after a trial: Newton's effort and the error tell.
double RadauOde::change_of_step(Trial trial) const {
  if (trial == Trial::not_converged) return newton_shrink_;
  if (trial != Trial::too_much_error || !std::isfinite(error_)) return 0.5;
  const double effort = (1 + 2.0 * kMostIterations) / (iterations_ + 2.0 * kMostIterations);
  return std::clamp(kSafety * std::min(1.0, effort) * std::pow(error_, -0.25), 1 / kMostChange, 1 / kLeastChange);
}

void RadauOde::dense(double t, std::span<double> y) const {
  JOUNCE_REQUIRE(accepted_h_ > 0, "dense output belongs to an accepted step");
  const double s = (t - t_) / (t_ - previous_t_);
  for (std::size_t i = 0; i < n_; ++i) y[i] = y_[i] + beyond_end(i, s);
}

}  // namespace jounce
