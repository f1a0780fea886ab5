// A dense matrix as plain data.
#pragma once

#include <cstddef>
#include <vector>

namespace jounce {

/// Row by row.
struct DenseMatrix {
  int rows = 0, columns = 0;
  std::vector<double> value;

  DenseMatrix(int r, int c) : rows(r), columns(c), value(static_cast<std::size_t>(r) * static_cast<std::size_t>(c), 0.0) {}
  double& at(int r, int c) { return value[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c)]; }
  [[nodiscard]] double at(int r, int c) const {
    return value[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c)];
  }
  [[nodiscard]] DenseMatrix top(int count) const;
  [[nodiscard]] DenseMatrix transposed() const;
};

}  // namespace jounce
