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
  Matrix even(n, n);
  scale_.assign(z(n), 1.0);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c <= r; ++c) even.at(r, c) = even.at(c, r) = a[r * stride + c];
  for (int pass = 0; pass < kPasses; ++pass) {
    std::vector<double> by(z(n), 1.0);
    for (int c = 0; c < n; ++c)
      if (const double most = largest(even.column(c)); most > 0) by[z(c)] = 1 / std::sqrt(most);
    for (int c = 0; c < n; ++c) {
      scale_[z(c)] *= by[z(c)];
      for (int r = 0; r < n; ++r) even.at(r, c) *= by[z(r)] * by[z(c)];
    }
  }
  SymmetricEigen modes = symmetric_eigen(even);
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
  std::vector<double> scaled(n);
  for (std::size_t i = 0; i < n; ++i) scaled[i] = scale_[i] * x[i];
  for (std::size_t k = 0; k < n; ++k) x[k] = root_[k] * dot(vectors_.column(static_cast<int>(k)), scaled);
}

void EvenModes::other_half(double* x) const {
  const std::size_t n = scale_.size();
  std::vector<double> out(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i) out[i] += vectors_.at(static_cast<int>(i), static_cast<int>(k)) * root_[k] * x[k];
  for (std::size_t i = 0; i < n; ++i) x[i] = scale_[i] * out[i];
}

}  // namespace jounce
