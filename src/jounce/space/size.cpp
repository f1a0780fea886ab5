#include "jounce/space/size.hpp"

#include <algorithm>
#include <cmath>

namespace jounce {

double length_scale(const SpaceMechanism& mechanism) {
  double size = 0;
  const auto meet = [&](const Vec3<double>& a) { size = std::max(size, length(a)); };
  for (const tree::Link& link : mechanism.tree.links()) meet(link.place.origin);
  for (const SpaceLoop& loop : mechanism.loops) meet(loop.frame_i.origin), meet(loop.frame_j.origin);
  return size > 0 && std::isfinite(size) ? size : 1;
}

}  // namespace jounce
