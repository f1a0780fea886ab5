// From a scene of space and its motion to solids: links between their joints, joints with their housings, rails as long as the travel,
// stands where something is held by the ground.
#pragma once

#include <span>
#include <vector>

#include "jounce/report/scene.hpp"

namespace jounce {

/// The poses of all bodies at one instant, the ground first.
using BodyPoses = std::vector<Frame<double>>;

/// Fills `solids`, `struts`, `unit` and `floor` of a scene of space. `motion`: instants spread over the whole run, the first of them the start; with one
/// instant alone, rails are as long as a mechanism at rest needs.
void furnish(Scene& scene, std::span<const BodyPoses> motion);

/// A strut as solids, between where its ends are in ground axes.
[[nodiscard]] std::vector<Solid> solids_between(const Scene::Strut& strut, const Vec3<double>& from, const Vec3<double>& to);

}  // namespace jounce
