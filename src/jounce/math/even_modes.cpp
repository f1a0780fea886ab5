#include "jounce/math/even_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"

namespace jounce {
namespace {

/// Rows are made even so often: each time the logarithms of their largest numbers are halved.
constexpr int kPasses = 4;

}  // namespace

void EvenModes::factor(const double* a, int n, int stride) {
  even_.resize(n, n);
  work_.resize(z(n)), by_.resize(z(n));
  scale_.assign(z(n), 1.0);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c <= r; ++c) even_.at(r, c) = even_.at(c, r) = a[r * stride + c];
  for (int pass = 0; pass < kPasses; ++pass) {
    for (int c = 0; c < n; ++c) {
      const double most = largest(even_.column(c));
      by_[z(c)] = most > 0 ? 1 / std::sqrt(most) : 1.0;
    }
    for (int c = 0; c < n; ++c) {
      scale_[z(c)] *= by_[z(c)];
      for (int r = 0; r < n; ++r) even_.at(r, c) *= by_[z(r)] * by_[z(c)];
    }
  }
  SymmetricEigen modes = symmetric_eigen(even_);
  vectors_ = std::move(modes.vectors);
  root_.assign(z(n), 0.0), sign_.assign(z(n), 1.0);
  const double most = largest(modes.values), rounding = n * std::numeric_limits<double>::epsilon() * most;
  least_ = n == 0 ? 1 : most;
  for (std::size_t k = 0; k < modes.values.size(); ++k) {
    const double size = std::abs(modes.values[k]);
    least_ = std::min(least_, size);
    if (size > rounding) root_[k] = 1 / std::sqrt(size);
    sign_[k] = modes.values[k] < 0 ? -1 : 1;
  }
  if (n > 0) least_ = most > 0 ? least_ / most : 0;
}

void EvenModes::half(double* x) const {
  const std::size_t n = scale_.size();
  for (std::size_t i = 0; i < n; ++i) work_[i] = scale_[i] * x[i];
  for (std::size_t k = 0; k < n; ++k) x[k] = root_[k] * dot(vectors_.column(static_cast<int>(k)), work_);
}

void EvenModes::other_half(double* x) const {
  const std::size_t n = scale_.size();
  std::ranges::fill(work_, 0.0);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i) work_[i] += vectors_.at(static_cast<int>(i), static_cast<int>(k)) * root_[k] * x[k];
  for (std::size_t i = 0; i < n; ++i) x[i] = scale_[i] * work_[i];
}

}  // namespace jounce
