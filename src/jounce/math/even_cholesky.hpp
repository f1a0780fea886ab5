// Cholesky factors of a small symmetric matrix whose diagonal is made ones first, largest pivots first: A = D⁻¹ P L Lᵀ Pᵀ D⁻¹. What is left when no pivot is positive any more
// counts as zero. Nothing is allocated but where a matrix is larger than those before.
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
    lower_.resize(std::max(lower_.size(), count * count)), scale_.resize(std::max(scale_.size(), count)), order_.resize(scale_.size()), work_.resize(scale_.size());
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
      const double pivot = l(k, k) = std::sqrt(l(k, k));
      for (int i = k + 1; i < n; ++i) l(i, k) /= pivot;
      for (int j = k + 1; j < n; ++j)
        for (int i = j; i < n; ++i) l(i, j) -= l(i, k) * l(j, k);
    }
  }
  /// x becomes L⁻¹ Pᵀ D x, of which what belongs to no pivot is zero.
  void half(double* x) const {
    for (int i = 0; i < size_; ++i) work_[at(i)] = i < rank_ ? x[order_[at(i)]] * scale_[at(order_[at(i)])] : 0.0;
    for (int i = 0; i < rank_; ++i) {
      double sum = work_[at(i)];
      for (int j = 0; j < i; ++j) sum -= l(i, j) * work_[at(j)];
      work_[at(i)] = sum / l(i, i);
    }
    std::copy_n(work_.begin(), size_, x);
  }
  /// x becomes D P L⁻ᵀ x: the other half of A⁻¹ x.
  void other_half(double* x) const {
    for (int i = rank_ - 1; i >= 0; --i) {
      double sum = x[i];
      for (int j = i + 1; j < rank_; ++j) sum -= l(j, i) * work_[at(j)];
      work_[at(i)] = sum / l(i, i);
    }
    for (int i = 0; i < size_; ++i) x[order_[at(i)]] = i < rank_ ? work_[at(i)] * scale_[at(order_[at(i)])] : 0.0;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  double& l(int i, int j) { return lower_[at(i * size_ + j)]; }
  [[nodiscard]] double l(int i, int j) const { return lower_[at(i * size_ + j)]; }

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
  std::vector<double> lower_, scale_;
  std::vector<int> order_;
  mutable std::vector<double> work_;
};

}  // namespace jounce
