// Plain data as the types of Eigen and back, for the .cpp files of this folder alone: no header of the library needs Eigen.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "jounce/math/dense.hpp"

namespace jounce::eigen {

/// Without a copy: for what does not depend on where the numbers lie.
[[nodiscard]] inline Eigen::Map<const Eigen::VectorXd> view(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
/// A copy lies where Eigen wants it, so that sums always come in the same order.
[[nodiscard]] inline Eigen::VectorXd to_eigen(std::span<const double> x) { return view(x); }
[[nodiscard]] inline Eigen::MatrixXd to_eigen(const Matrix& a) {
  return Eigen::Map<const Eigen::MatrixXd>(a.value.data(), a.rows, a.columns);
}
[[nodiscard]] inline std::vector<double> from_eigen(const Eigen::VectorXd& x) { return {x.data(), x.data() + x.size()}; }
[[nodiscard]] inline Matrix from_eigen(const Eigen::MatrixXd& a) {
  Matrix out;
  out.rows = static_cast<int>(a.rows()), out.columns = static_cast<int>(a.cols());
  out.value.assign(a.data(), a.data() + a.size());
  return out;
}

}  // namespace jounce::eigen
