// Indices are counted in int, and containers want std::size_t.
#pragma once

#include <concepts>
#include <cstddef>

namespace jounce {

/// The int (or Eigen::Index) as an index of a container.
[[nodiscard]] constexpr std::size_t z(std::integral auto i) { return static_cast<std::size_t>(i); }

}  // namespace jounce
