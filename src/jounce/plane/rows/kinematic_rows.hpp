// Rows of results in the plane: what kinematics and dynamics have in common, bodies and points.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "jounce/results/column.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

/// Taylor coefficients 0 … 4 of every body's frame, the ground first.
using FrameOrders = std::array<std::span<const planar::FrameRecord>, 5>;

/// At the position and along the motion that an evaluation went through last, to order 4.
[[nodiscard]] FrameOrders frame_orders(const Evaluation& evaluation);

/// The columns of kinematics, in the order of the interface: t, then each body and its points.
[[nodiscard]] std::vector<Column> kinematic_columns(const PlaneMechanism& mechanism);
[[nodiscard]] std::vector<Column> kinematic_columns(const std::vector<BodyData>& bodies);
[[nodiscard]] std::size_t kinematic_width(const PlaneMechanism& mechanism);  ///< how many they are
/// Fills the first places of a row with them; gives the place after the last.
double* fill_kinematic_row(const PlaneMechanism& mechanism, double t, const FrameOrders& frames, double* out);

}  // namespace jounce
