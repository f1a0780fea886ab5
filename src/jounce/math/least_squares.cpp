#include "jounce/math/least_squares.hpp"

#include <Eigen/SparseCholesky>

#include "jounce/math/decompositions.inl"
#include "jounce/math/to_eigen.inl"

namespace jounce {

using eigen::from_eigen, eigen::to_eigen;

LeastSquares least_squares(const Matrix& a, std::span<const double> b, double dependent) {
  if (a.empty()) return {std::vector<double>(static_cast<std::size_t>(a.columns), 0.0), 0, largest(b)};
  const Eigen::MatrixXd matrix = to_eigen(a);
  const Eigen::VectorXd right = to_eigen(b);
  eigen::Complete factors;
  eigen::factor(factors, matrix, dependent);
  const Eigen::VectorXd x = eigen::solve(factors, right);
  return {from_eigen(x), static_cast<int>(factors.rank()), (matrix * x - right).lpNorm<Eigen::Infinity>()};
}

Matrix gram(const Matrix& a) {
  const Eigen::MatrixXd own = to_eigen(a);
  return from_eigen(Eigen::MatrixXd(own.transpose() * own));
}

std::vector<double> solve_symmetric(const Matrix& a, std::span<const double> b) {
  eigen::Symmetric factors;
  eigen::factor(factors, to_eigen(a));
  return from_eigen(eigen::solve(factors, to_eigen(b)));
}

std::optional<std::vector<double>> solve_positive(const Matrix& a, std::span<const double> b, double least) {
  eigen::Symmetric factors;
  eigen::factor(factors, to_eigen(a));
  const Eigen::VectorXd pivots = factors.vectorD();
  if (factors.info() != Eigen::Success || !(pivots.minCoeff() > least * pivots.maxCoeff())) return std::nullopt;
  return from_eigen(eigen::solve(factors, to_eigen(b)));
}

struct SparseNormal::Work {
  using Sparse = Eigen::SparseMatrix<double>;
  Sparse matrix, normal, identity;
  Eigen::SimplicialLDLT<Sparse> solver;
  bool analysed = false;
};

SparseNormal::SparseNormal(const SparsePattern& p) : work_(std::make_unique<Work>()) {
  const std::vector<double> zeros(p.row.size(), 0.0);
  work_->matrix = Eigen::Map<const Work::Sparse>(p.rows, p.columns, p.entries(), p.start.data(), p.row.data(), zeros.data());
  work_->identity.resize(p.columns, p.columns);
  work_->identity.setIdentity();
}

SparseNormal::~SparseNormal() = default;

void SparseNormal::set(std::span<const double> values) {
  for (std::size_t e = 0; e < values.size(); ++e) work_->matrix.valuePtr()[e] = values[e];
}

std::vector<double> SparseNormal::transposed_times(std::span<const double> x) const {
  return from_eigen(Eigen::VectorXd(work_->matrix.transpose() * to_eigen(x)));
}

bool SparseNormal::factor(std::span<const double> diagonal) {
  Work::Sparse own = work_->identity;
  own.diagonal() = to_eigen(diagonal);
  work_->normal = Work::Sparse(work_->matrix.transpose()) * work_->matrix;
  work_->normal += own;
  if (work_->analysed) work_->solver.factorize(work_->normal);
  else work_->solver.compute(work_->normal);
  work_->analysed = work_->solver.info() == Eigen::Success;
  return work_->analysed;
}

std::vector<double> SparseNormal::solve(std::span<const double> b) const {
  return from_eigen(Eigen::VectorXd(work_->solver.solve(to_eigen(b))));
}

double SparseNormal::curvature(std::span<const double> x) const {
  const Eigen::VectorXd own = to_eigen(x);
  return own.dot(work_->normal * own);
}

}  // namespace jounce
