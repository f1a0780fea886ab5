#include "jounce/math/decompositions.inl"

namespace jounce::eigen {

void factor(Complete& factors, const Columns& a, double dependent) {
  if (dependent > 0) factors.setThreshold(dependent);
  factors.compute(a);
}

Eigen::VectorXd solve(const Complete& factors, const Column& b) { return factors.solve(b); }

void apply_q(const Complete& factors, Eigen::MatrixXd& x) { x.applyOnTheLeft(factors.householderQ()); }

void factor(Pivoted& factors, const Columns& a, double dependent) {
  if (dependent > 0) factors.setThreshold(dependent);
  factors.compute(a);
}

Eigen::VectorXd solve(const Pivoted& factors, const Column& b) { return factors.solve(b); }

void apply_q(const Pivoted& factors, Eigen::MatrixXd& x) { x.applyOnTheLeft(factors.householderQ()); }

void apply_q(const Pivoted& factors, Eigen::VectorXd& x) { x.applyOnTheLeft(factors.householderQ()); }

void apply_q_transposed(const Pivoted& factors, Eigen::VectorXd& x) { x.applyOnTheLeft(factors.householderQ().adjoint()); }

void factor(Symmetric& factors, const Columns& a) { factors.compute(a); }

Eigen::VectorXd solve(const Symmetric& factors, const Column& b) { return factors.solve(b); }

void factor(Positive& factors, const Columns& a) { factors.compute(a); }

void solve_in_place(const Positive& factors, const Eigen::Ref<Eigen::VectorXd>& x) { factors.solveInPlace(x); }

void solve_all_in_place(const Positive& factors, const Eigen::Ref<Eigen::MatrixXd>& x) { factors.solveInPlace(x); }

void factor(Modes& modes, const Columns& a, int options) { modes.compute(a, options); }

}  // namespace jounce::eigen
