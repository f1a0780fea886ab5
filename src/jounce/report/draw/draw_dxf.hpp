// A mechanism at one instant as geometry for CAD: true to scale, in ground axes, on layers.
#pragma once

#include <string>

#include "jounce/report/draw/drawing.hpp"

namespace jounce {

/// Bodies as lines between their points and as the outlines that the model gives, joints as circles and axes, curves, and the trails as paths. `names`:
/// with texts. In space everything has its three coordinates.
[[nodiscard]] std::string draw_dxf(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options);

}  // namespace jounce
