// Cholesky factors of a small symmetric matrix whose diagonal is made ones first, largest pivots first: A = D⁻¹ P L Lᵀ Pᵀ D⁻¹.
// What is left when no pivot is positive any more counts as zero. Nothing is allocated but where a matrix is larger than those
// before.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace jounce {

class EvenCholesky {
 public:
  /// Of n rows that lie `stride` apart; its lower triangle is read.
  void factor(const double* a, int n, int stride) {
    size_ = n, rank_ = 0;
    const auto count = static_cast<std::size_t>(n);
    lower_.resize(std::max(lower_.size(), count * count)), scale_.resize(std::max(scale_.size(), count)),
        order_.resize(scale_.size());
    work_.resize(scale_.size()), per_pivot_.resize(scale_.size());
    for (int i = 0; i < n; ++i) {
      const double d = a[i * stride + i];
      scale_[at(i)] = d > 0 ? 1 / std::sqrt(d) : 0.0;
      order_[at(i)] = i;
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) l(i, j) = a[i * stride + j] * scale_[at(i)] * scale_[at(j)];
    for (; rank_ < n; ++rank_) {
      const int k = rank_;
      int best = k;
      for (int i = k + 1; i < n; ++i)
        if (l(i, i) > l(best, best)) best = i;
      if (!(l(best, best) > 0)) return;
      exchange(k, best);
      double* own = &l(0, k);
      int j = 0;
      for (; j + 4 <= k; j += 4) take_away_four(k, j, own, n);
      for (; j < k; ++j) take_away(l(k, j), &l(0, j), own, k + 1, n);
      l(k, k) = std::sqrt(l(k, k));
      const double per_pivot = per_pivot_[at(k)] = 1 / l(k, k);
      for (int i = k + 1; i < n; ++i) {
        own[i] *= per_pivot;
        l(i, i) -= own[i] * own[i];
      }
    }
  }
  /// x becomes L⁻¹ Pᵀ D x, of which what belongs to no pivot is zero.
  void half(double* x) const {
    for (int i = 0; i < size_; ++i) work_[at(i)] = i < rank_ ? x[order_[at(i)]] * scale_[at(order_[at(i)])] : 0.0;
    for (int j = 0; j < rank_; ++j) {
      work_[at(j)] *= per_pivot_[at(j)];
      take_away(work_[at(j)], &lower_[at(j * size_)], work_.data(), j + 1, rank_);
    }
    std::copy_n(work_.begin(), size_, x);
  }
  /// x becomes D P L⁻ᵀ x: the other half of A⁻¹ x.
  void other_half(double* x) const {
    for (int i = rank_ - 1; i >= 0; --i) {
      double sum = x[i];
      for (int j = i + 1; j < rank_; ++j) sum -= l(j, i) * work_[at(j)];
      work_[at(i)] = sum * per_pivot_[at(i)];
    }
    for (int i = 0; i < size_; ++i) x[order_[at(i)]] = i < rank_ ? work_[at(i)] * scale_[at(order_[at(i)])] : 0.0;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  // Column after column: what the loops run along.
  double& l(int i, int j) { return lower_[at(j * size_ + i)]; }
  [[nodiscard]] double l(int i, int j) const { return lower_[at(j * size_ + i)]; }

  // to −= times column, from one row on; the two are never the same.
  static void take_away(double times, const double* __restrict column, double* __restrict to, int from, int end) {
    for (int i = from; i < end; ++i) to[i] -= times * column[i];
  }

  // The same of four columns before that of a pivot: most of the work, and one call of four is little dearer than one of one.
  void take_away_four(int k, int j, double* __restrict to, int end) const {
    const double *a = &lower_[at(j * size_)], *b = a + size_, *c = b + size_, *d = c + size_;
    const double ka = a[k], kb = b[k], kc = c[k], kd = d[k];
    for (int i = k + 1; i < end; ++i) to[i] = to[i] - ka * a[i] - kb * b[i] - kc * c[i] - kd * d[i];
  }

  // Rows and columns k and i ≥ k of a symmetric matrix of which the lower triangle is kept.
  void exchange(int k, int i) {
    if (i == k) return;
    std::swap(order_[at(k)], order_[at(i)]);
    std::swap(l(k, k), l(i, i));
    for (int j = 0; j < k; ++j) std::swap(l(k, j), l(i, j));
    for (int j = k + 1; j < i; ++j) std::swap(l(j, k), l(i, j));
    for (int j = i + 1; j < size_; ++j) std::swap(l(j, k), l(j, i));
  }

  int size_ = 0, rank_ = 0;
  std::vector<double> lower_, scale_, per_pivot_;
  std::vector<int> order_;
  mutable std::vector<double> work_;
};

}  // namespace jounce
