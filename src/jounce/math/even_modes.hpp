// A symmetric matrix that need not be positive, in modes: A = D⁻¹ V diag(d) Vᵀ D⁻¹, with D such that the largest number of each row is about one.
#pragma once

#include <vector>

#include "jounce/math/dense.hpp"

namespace jounce {

class EvenModes {
 public:
  /// Of n rows that lie `stride` apart; its lower triangle is read.
  void factor(const double* a, int n, int stride);
  /// x becomes |d|^(−1/2) Vᵀ D x, of which what belongs to no mode is zero.
  void half(double* x) const;
  /// x becomes D V |d|^(−1/2) x. With the signs of the modes in between this is A⁻¹.
  void other_half(double* x) const;
  [[nodiscard]] double sign(int mode) const { return sign_[static_cast<std::size_t>(mode)]; }
  /// Of all modes, against the largest.
  [[nodiscard]] double least() const { return least_; }

 private:
  Matrix vectors_, even_;
  std::vector<double> scale_, root_, sign_, by_;
  mutable std::vector<double> work_;  // of `half` and `other_half`, which are asked for at every evaluation
  double least_ = 0;
};

}  // namespace jounce
