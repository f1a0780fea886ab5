// The decompositions of Eigen that several .cpp files need, compiled once, in decompositions.cpp: each takes seconds to compile, and would
// in every file that names it. For .cpp files alone, like to_eigen.inl.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace jounce::eigen {

using Columns = Eigen::Ref<const Eigen::MatrixXd>;
using Column = Eigen::Ref<const Eigen::VectorXd>;

/// Q R of A P, and of that the part that is zero in its last columns (for ranks and shortest solutions). What is below `dependent` of the
/// largest counts as zero, with 0 what rounding may leave.
using Complete = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;
void factor(Complete& factors, const Columns& a, double dependent);
[[nodiscard]] Eigen::VectorXd solve(const Complete& factors, const Column& b);

/// Q R of A P; `dependent` as above.
using Pivoted = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;
void factor(Pivoted& factors, const Columns& a, double dependent = 0);
[[nodiscard]] Eigen::VectorXd solve(const Pivoted& factors, const Column& b);
/// x becomes Q x, or Qᵀ x.
void apply_q(const Pivoted& factors, Eigen::MatrixXd& x);
void apply_q(const Pivoted& factors, Eigen::VectorXd& x);
void apply_q_transposed(const Pivoted& factors, Eigen::VectorXd& x);
/// x becomes Q x, of the Q R within.
void apply_q(const Complete& factors, Eigen::MatrixXd& x);

/// L D Lᵀ of a symmetric matrix.
using Symmetric = Eigen::LDLT<Eigen::MatrixXd>;
void factor(Symmetric& factors, const Columns& a);
[[nodiscard]] Eigen::VectorXd solve(const Symmetric& factors, const Column& b);

/// L Lᵀ of a positive definite matrix.
using Positive = Eigen::LLT<Eigen::MatrixXd>;
void factor(Positive& factors, const Columns& a);
/// x becomes A⁻¹ x; what it refers to changes.
void solve_in_place(const Positive& factors, const Eigen::Ref<Eigen::VectorXd>& x);
void solve_all_in_place(const Positive& factors, const Eigen::Ref<Eigen::MatrixXd>& x);

/// Eigenvalues of a symmetric matrix, smallest first, with or without vectors.
using Modes = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;
void factor(Modes& modes, const Columns& a, int options = Eigen::ComputeEigenvectors);

}  // namespace jounce::eigen
