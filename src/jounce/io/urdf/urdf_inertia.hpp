// Mass, centre of mass and inertia of links, each by itself and of several that are one body.
#pragma once

#include <vector>

#include "jounce/io/urdf/urdf_robot.hpp"

namespace jounce::urdf {

struct Inertia {
  double mass = 0;
  Vec3<double> com;
  Sym3<double> matrix;  ///< about the centre of mass, in the axes of the body
};

/// Of a link whose frame is given in the body.
[[nodiscard]] Inertia placed(const Inertial& inertial, const Placement& in_body);
[[nodiscard]] Inertia sum(const std::vector<Inertia>& parts);

/// Whether a body can have this inertia; digits as they are written may break it by a little.
[[nodiscard]] bool is_of_a_body(const Sym3<double>& inertia);

/// In kg m²: what is smaller is rounding, in a robot of this mass and size.
[[nodiscard]] double negligible_inertia(const Robot& robot);
/// Whether every entry is at most so large, and not all are zero.
[[nodiscard]] bool is_below(const Sym3<double>& inertia, double negligible);

}  // namespace jounce::urdf
