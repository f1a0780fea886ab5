// How a driven mechanism of space goes on from a position: the power series of the way, order by order, with the one matrix K.
//
// With all coefficients below k known and those of order k left out, coefficient k of what the loops' joints cannot reach is the whole
// right-hand side: K w_k = −r_k. The coordinates s of a loop's joint are a series too; they take what the joint allows.
#pragma once

#include <span>
#include <vector>

#include "jounce/space/equations/equations.hpp"

namespace jounce {

struct Ways {
  std::vector<double> misfit;          ///< how far each equation is from agreeing with the velocity, which only redundant ones are
  std::optional<Fault> without_value;  ///< of an equation of the user's that has none of some order
};

/// Fills [order − 1][dof] at the position q where `equations` evaluated its closures last. The orders that are there: 0, 4 and 14; prescribed motions have values.
Ways find_ways(const SpaceEquations& equations, double t, std::span<const double> q, int order, std::span<double> ways);

}  // namespace jounce
