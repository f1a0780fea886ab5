#include "jounce/analysis/passage/held.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/math/least_squares.hpp"

namespace jounce {
namespace {

/// Whether the symmetric part of a matrix, less `least` on its diagonal, is positive definite: then all eigenvalues have larger real parts.
bool bends_less(const Matrix& a, double least) {
  Matrix l(a.rows, a.rows);
  for (int c = 0; c < a.rows; ++c) {
    for (int r = c; r < a.rows; ++r) {
      double sum = (a.at(r, c) + a.at(c, r)) / 2 - (r == c ? least : 0);
      for (int k = 0; k < c; ++k) sum -= l.at(r, k) * l.at(c, k);
      if (r == c && !(sum > 0)) return false;
      l.at(r, c) = r == c ? std::sqrt(sum) : sum / l.at(c, c);
    }
  }
  return true;
}

}  // namespace

HeldSince::HeldSince(const Matrix& gradients, int rank) : left_(gradients.columns, rank), right_(gradients.rows, rank) {
  const SymmetricEigen modes = symmetric_eigen(gram(gradients));  // the largest ones last
  const int m = gradients.columns;
  for (int k = 0; k < rank; ++k) {
    const double singular = std::sqrt(std::max(0.0, modes.values[static_cast<std::size_t>(m - rank + k)]));
    if (k == 0) regularity_ = singular;
    if (!(singular > 0)) continue;
    for (int r = 0; r < m; ++r) left_.at(r, k) = modes.vectors.at(r, m - rank + k) / singular;
  }
  right_ = times(gradients, left_);
}

double HeldSince::left(const Matrix& gradients, double enough) const {
  Matrix turned = transposed_times(times(gradients, left_), right_);
  double apart = 0;
  for (int c = 0; c < turned.columns; ++c)
    for (int r = 0; r < turned.rows; ++r) apart += std::pow(turned.at(r, c) - (r == c ? 1 : 0), 2);
  apart = std::sqrt(apart);
  if (1 - apart > enough || !std::isfinite(apart)) return 1 - apart;
  if (bends_less(turned, enough)) return (1 + enough) / 2;  // above it
  double least = 1;
  for (const std::complex<double>& value : eigenvalues(turned)) least = std::min(least, value.real());
  return least;
}

AllHeldSince::AllHeldSince(std::span<const Matrix> gradients, std::span<const int> ranks) {
  for (std::size_t g = 0; g < gradients.size(); ++g) groups_.emplace_back(gradients[g], ranks[g]);
}

double AllHeldSince::left(std::span<const Matrix> gradients, double enough) const {
  if (gradients.size() != groups_.size()) return std::numeric_limits<double>::quiet_NaN();  // something has no value there
  double least = 1;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (const double own = groups_[g].left(gradients[g], enough); !(own >= least)) least = own;  // keeps NaN
  return least;
}

double AllHeldSince::regularity() const {
  double least = groups_.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const HeldSince& group : groups_) least = std::min(least, group.regularity());
  return least;
}

}  // namespace jounce
