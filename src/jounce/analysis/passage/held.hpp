// How far the equations that hold a mechanism are from losing rank, seen from a position behind.
//
// With K = U Σ Vᵀ at that position, B = Σ⁻¹ Uᵀ K V is the identity there and follows K as it changes: where K loses rank, an eigenvalue of B
// passes through zero, and several do where several equations are lost at once. A determinant would not see an even number of them.
#pragma once

#include <span>
#include <vector>

#include "jounce/math/dense.hpp"

namespace jounce {

class HeldSince {
 public:
  HeldSince() = default;
  /// `gradients` has a column for each equation, of which so many are independent in general.
  HeldSince(const Matrix& gradients, int rank);

  /// 1 at the position behind, 0 where the equations first lose rank, and negative beyond: the smallest real part of the eigenvalues of B. Where that is
  /// above `enough`, some number above it will do.
  [[nodiscard]] double left(const Matrix& gradients, double enough = 0.7) const;
  /// The smallest singular value there, of those that are not always zero.
  [[nodiscard]] double regularity() const { return regularity_; }

 private:
  Matrix left_, right_;  // U Σ⁻¹ and V
  double regularity_ = 0;
};

/// The same of several groups of equations that have nothing to do with each other: the first that loses rank counts.
class AllHeldSince {
 public:
  AllHeldSince(std::span<const Matrix> gradients, std::span<const int> ranks);

  [[nodiscard]] double left(std::span<const Matrix> gradients, double enough = 0.7) const;
  [[nodiscard]] double regularity() const;

 private:
  std::vector<HeldSince> groups_;
};

}  // namespace jounce
