// Aᵀ P = (Y Z) R by Householder QR with column pivoting: which rows of A are independent, what they leave free, and the shortest
// solutions with A and with Aᵀ.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "jounce/math/dense.hpp"

namespace jounce {

class RowFactors {
 public:
  RowFactors() = default;
  /// `gradients` is Aᵀ: one column for each row of A. Rows whose rest is below `dependent` of the largest depend on others.
  RowFactors(const Matrix& gradients, double dependent);

  [[nodiscard]] int rank() const { return rank_; }
  /// Z: orthonormal columns that span all x with A x = 0.
  [[nodiscard]] const Matrix& free() const { return free_; }
  /// The shortest y with Aᵀ y = c, apart from the part of c along Z.
  [[nodiscard]] std::vector<double> shortest_multipliers(std::span<const double> c) const;
  /// One number for each row of A, those of the independent ones first.
  [[nodiscard]] std::vector<double> independent_first(std::span<const double> of_rows) const;
  /// The shortest x with A x = b on the independent rows; b in the order of `independent_first`.
  [[nodiscard]] std::vector<double> shortest(std::span<const double> b) const;

 private:
  struct Factors;
  std::shared_ptr<const Factors> factors_;  // none without rows, or without columns
  int rank_ = 0, rows_ = 0, columns_ = 0;   // of A
  Matrix free_;
};

}  // namespace jounce
