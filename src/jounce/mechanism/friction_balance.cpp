#include "jounce/mechanism/friction_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"

namespace jounce {
namespace {

/// A load below this part of all forces is rounding: it has no direction.
constexpr double kNoLoad = 1e-13;
/// Friction is found when what is left of its equation is so many roundings of its terms.
constexpr double kRoundings = 8;
/// Where rounding keeps it from that, and Newton's steps stop shrinking, so many will do.
constexpr double kMostRoundings = 1e4;
/// Newton's iteration on a contraction takes some steps; a contraction by itself would take as many as these at a factor of 0.7.
constexpr int kIterations = 100;

double dot(const JointLoad& a, const JointLoad& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const JointLoad& a) { return std::hypot(a[0], a[1], a[2]); }

// Solves A x = b in place, by elimination with pivots; false where A is singular.
bool solve_small(std::vector<double>& a, std::vector<double>& b, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t r = k + 1; r < n; ++r)
      if (std::abs(a[r * n + k]) > std::abs(a[pivot * n + k])) pivot = r;
    if (!(std::abs(a[pivot * n + k]) > 0)) return false;
    if (pivot != k) {
      for (std::size_t c = 0; c < n; ++c) std::swap(a[k * n + c], a[pivot * n + c]);
      std::swap(b[k], b[pivot]);
    }
    for (std::size_t r = k + 1; r < n; ++r) {
      const double factor = a[r * n + k] / a[k * n + k];
      if (factor == 0) continue;
      for (std::size_t c = k; c < n; ++c) a[r * n + c] -= factor * a[k * n + c];
      b[r] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t c = k + 1; c < n; ++c) b[k] -= a[k * n + c] * b[c];
    b[k] /= a[k * n + k];
  }
  return true;
}

}  // namespace

FrictionBalance::FrictionBalance(std::size_t joints, int order)
    : joints_(joints),
      response_(joints * joints),
      factor_(z(order + 1) * joints),
      effort_(factor_),
      size_(factor_),
      load_(factor_.size()),
      first_(joints, -1),
      normal_(joints),
      known_(joints),
      bend_(joints),
      residual_(joints),
      rounding_(joints),
      matrix_(joints * joints),
      step_(joints) {}

// Whether the spectral radius of K is below 1: then, and only then, elimination of 1 − K without pivoting meets positive pivots alone (it is an M-matrix).
bool FrictionBalance::contracts() {
  const std::size_t n = joints_;
  for (std::size_t f = 0; f < n; ++f)
    for (std::size_t g = 0; g < n; ++g)
      matrix_[f * n + g] = (f == g ? 1.0 : 0.0) - std::abs(factor_[f]) * length(response_[f * n + g]);
  for (std::size_t k = 0; k < n; ++k) {
    if (!(matrix_[k * n + k] > 0)) return culprit_ = k, false;
    for (std::size_t r = k + 1; r < n; ++r) {
      const double factor = matrix_[r * n + k] / matrix_[k * n + k];
      for (std::size_t c = k; c < n && factor != 0; ++c) matrix_[r * n + c] -= factor * matrix_[k * n + c];
    }
  }
  return true;
}

// Coefficient m of |R| from that of R and all below. From |R|² = R · R, with k the first coefficient that is not zero and n its direction:
// |R|_m = n · R_m + (Σ R_{k+i} · R_{m−i} − |R|_{k+i} |R|_{m−i}) / 2 |R_k|,  i from 1 to m − k − 1; the sum is `bend_`.
void FrictionBalance::size_of_load(int m, std::size_t f, const JointLoad& load) {
  size_[at(m, f)] = first_[f] >= 0 ? dot(normal_[f], load) + bend_[f] : length(load);
}

// x − c |R(x)| − known = 0. Where the first coefficient of a load is still to come |R| bends, elsewhere it is linear, and one step is all.
bool FrictionBalance::newton(int m) {
  const std::size_t n = joints_;
  double* const x = effort_.data() + at(m, 0);
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kIterations; ++i) {
    double worst = 0;
    for (std::size_t f = 0; f < n; ++f) {
      JointLoad load = free_[f];
      double terms = length(load);
      for (std::size_t g = 0; g < n; ++g) {
        const JointLoad& by = response_[f * n + g];
        for (std::size_t c = 0; c < 3; ++c) load[c] += by[c] * x[g];
        terms += length(by) * std::abs(x[g]);
      }
      load_[at(m, f)] = load;
      size_of_load(m, f, load);
      const double c = factor_[f];
      residual_[f] = x[f] - c * size_[at(m, f)] - known_[f];
      rounding_[f] = std::numeric_limits<double>::epsilon() * (std::abs(c) * (terms + std::abs(bend_[f])) + std::abs(known_[f]));
      const double relative = rounding_[f] > 0 ? std::abs(residual_[f]) / rounding_[f] : residual_[f] == 0 ? 0.0 : std::numeric_limits<double>::infinity();
      if (!(relative <= worst)) worst = relative;
    }
    if (worst <= kRoundings) return true;
    if (!std::isfinite(worst) && i > 1) return false;
    if (!(worst < 0.5 * before) && worst <= kMostRoundings) return true;
    const bool shrinks = worst < before || i < 2;
    before = worst;
    for (std::size_t f = 0; f < n; ++f) step_[f] = residual_[f];
    if (shrinks) {
      for (std::size_t f = 0; f < n; ++f) {
        JointLoad normal = normal_[f];
        if (first_[f] < 0) {
          const JointLoad& load = load_[at(m, f)];
          const double size = length(load);
          for (std::size_t c = 0; c < 3; ++c) normal[c] = size > 0 ? load[c] / size : 0.0;
        }
        for (std::size_t g = 0; g < n; ++g) matrix_[f * n + g] = (f == g ? 1.0 : 0.0) - factor_[f] * dot(normal, response_[f * n + g]);
      }
      if (!solve_small(matrix_, step_, n)) return false;
    }  // else a step of the contraction, which always leads nearer
    for (std::size_t f = 0; f < n; ++f) x[f] -= step_[f];
  }
  return false;
}

FrictionBalance::Status FrictionBalance::solve(int m, std::span<const double> factors, std::span<const JointLoad> free, double size) {
  std::ranges::copy(factors, factor_.begin() + static_cast<std::ptrdiff_t>(at(m, 0)));
  free_ = free;
  if (m == 0) {
    std::ranges::fill(first_, -1);
    if (!contracts()) return Status::open;
  }
  for (std::size_t f = 0; f < joints_; ++f) {
    known_[f] = bend_[f] = 0;
    for (int j = 1; j <= m; ++j) known_[f] += factor_[at(j, f)] * size_[at(m - j, f)];
    if (first_[f] >= 0) {
      const int k = first_[f];
      for (int i = 1; i < m - k; ++i)
        bend_[f] += dot(load_[at(k + i, f)], load_[at(m - i, f)]) - size_[at(k + i, f)] * size_[at(m - i, f)];
      bend_[f] /= 2 * size_[at(k, f)];
    }
    effort_[at(m, f)] = known_[f];
  }
  if (!newton(m)) return Status::lost;
  for (std::size_t f = 0; f < joints_; ++f) {
    if (first_[f] >= 0) continue;
    JointLoad& load = load_[at(m, f)];
    const double long_ = size_[at(m, f)];
    if (!(long_ > kNoLoad * size)) {
      load = {}, size_[at(m, f)] = 0;
      continue;
    }
    first_[f] = m;
    for (std::size_t c = 0; c < 3; ++c) normal_[f][c] = load[c] / long_;
  }
  return Status::found;
}

}  // namespace jounce
