#include "jounce/mechanism/dense_stiff_form.hpp"

#include <Eigen/LU>
#include <complex>

namespace jounce {

struct DenseStiffForm::Matrices {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  explicit Matrices(Eigen::Index n) : jacobian(n, n) {}
  Rows jacobian;
  Eigen::PartialPivLU<Eigen::MatrixXd> real;
  Eigen::PartialPivLU<Eigen::MatrixXcd> complex;
};

DenseStiffForm::DenseStiffForm(StiffSystem& system, std::size_t states, std::size_t positions)
    : system_(&system),
      positions_(positions),
      inertia_(states, 1.0),
      matrices_(std::make_unique<Matrices>(static_cast<Eigen::Index>(states))) {}
DenseStiffForm::~DenseStiffForm() = default;

bool DenseStiffForm::linearise(const Vector& u) {
  auto& to = matrices_->jacobian;
  return system_->jacobian(times_[kMiddle], u, {to.data(), static_cast<std::size_t>(to.size())}) && to.allFinite();
}

// s − h J, with a real and a complex s.
bool DenseStiffForm::factor(double h, const Shifts& shifts) {
  Eigen::MatrixXd plain = -h * matrices_->jacobian;
  Eigen::MatrixXcd twofold = plain.cast<std::complex<double>>();
  plain.diagonal().array() += shifts.real;
  twofold.diagonal().array() += std::complex<double>(shifts.complex_real, shifts.complex_imaginary);
  matrices_->real.compute(plain);
  matrices_->complex.compute(twofold);
  return true;
}

void DenseStiffForm::solve_real(const Vector& right, Vector& x) {
  const auto n = static_cast<Eigen::Index>(right.size());
  Eigen::Map<Eigen::VectorXd>(x.data(), n) = matrices_->real.solve(Eigen::Map<const Eigen::VectorXd>(right.data(), n));
}

void DenseStiffForm::solve(const Stages& right, Stages& x) {
  solve_real(right[0], x[0]);
  const auto n = static_cast<Eigen::Index>(right[1].size());
  Eigen::VectorXcd both(n);
  both.real() = Eigen::Map<const Eigen::VectorXd>(right[1].data(), n);
  both.imag() = Eigen::Map<const Eigen::VectorXd>(right[2].data(), n);
  both = matrices_->complex.solve(both).eval();
  Eigen::Map<Eigen::VectorXd>(x[1].data(), n) = both.real();
  Eigen::Map<Eigen::VectorXd>(x[2].data(), n) = both.imag();
}

}  // namespace jounce
