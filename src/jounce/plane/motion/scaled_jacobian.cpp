#include "jounce/plane/motion/scaled_jacobian.hpp"

namespace jounce {

DenseMatrix scaled_jacobian(const PlanarSystem& system, Evaluation& evaluation, std::span<const double> q) {
  (void)evaluation.set_position(q);
  const auto values = evaluation.jacobian();
  const auto scales = evaluation.scales();
  const SparsePattern& p = system.pattern();
  const double size = system.length_scale();
  DenseMatrix out(p.rows, p.columns);
  for (int c = 0; c < p.columns; ++c)
    for (int e = p.start[static_cast<std::size_t>(c)]; e < p.start[static_cast<std::size_t>(c) + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      const int r = p.row[entry];
      out.at(r, c) = values[entry] / row_unit(scales[static_cast<std::size_t>(r)], size) * column_unit(c, size);
    }
  return out;
}

}  // namespace jounce
