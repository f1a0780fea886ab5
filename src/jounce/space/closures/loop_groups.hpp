// Loops and couplings that have nothing to do with each other, told apart: what is decided for one group of equations does not depend on the others, and costs what
// that group costs.
#pragma once

#include <span>
#include <vector>

#include "jounce/space/closures/closures.hpp"

namespace jounce {

struct LoopGroup {
  std::vector<int> elements;  ///< loops, couplings after all loops, then equations and idle turns
  std::vector<int> rows;      ///< their equations
  std::vector<int> dofs;      ///< that they could move, of those that they are told apart by
};

/// What two elements must have in common on their ways to belong together: a passive dof, any dof, or any link.
enum class Shared { passive_dofs, dofs, links };

/// Together they have all equations. What they list grows. With `Shared::links` their dofs are the passive and the active ones.
[[nodiscard]] std::vector<LoopGroup> loop_groups(const SpaceMechanism& mechanism, const LoopClosures& closures, Shared by);

/// K of a group over its dofs, row after row of equations; a number of each dof multiplies its column, one of each row divides it.
template <class Put>
void each_entry(const LoopClosures& closures, const LoopGroup& group, std::span<const int> place, Put&& put) {
  for (std::size_t r = 0; r < group.rows.size(); ++r) {
    const LoopClosures::Entries own = closures.row(group.rows[r]);
    for (std::size_t k = 0; k < own.dofs.size(); ++k)
      if (const int c = place[static_cast<std::size_t>(own.dofs[k])]; c >= 0) put(static_cast<int>(r), c, own.dofs[k], own.values[k]);
  }
}

/// Of each dof: its place in the group that has it, or −1.
[[nodiscard]] std::vector<int> places_in_groups(std::span<const LoopGroup> groups, int dofs);

}  // namespace jounce
