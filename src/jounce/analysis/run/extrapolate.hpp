// A position a little later, by the power series of a motion.
#pragma once

#include <span>

#include "jounce/mechanism/driven_motion.hpp"

namespace jounce {

/// `from` moved by w₁ h + w₂ h² + …; `ways` is [order − 1][dof], `way` has room for one.
inline void extrapolate(const DrivenMotion& motion, std::span<const double> from, std::span<const double> ways, double h, std::span<double> q,
                        std::span<double> way) {
  const std::size_t n = way.size(), orders = n == 0 ? 0 : ways.size() / n;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = orders == 0 ? 0.0 : ways[(orders - 1) * n + i];
    for (std::size_t k = orders; k-- > 1;) sum = sum * h + ways[(k - 1) * n + i];
    way[i] = sum * h;
  }
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = from[i];
  motion.move(q, way);
}

}  // namespace jounce
