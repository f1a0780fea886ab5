#include "jounce/math/vec3.hpp"

#include "jounce/scalar/scalar.hpp"

namespace jounce {

Mat3<double> from_rpy(const Vec3<double>& rpy) {
  const auto [sr, cr] = sincos(rpy.x);
  const auto [sp, cp] = sincos(rpy.y);
  const auto [sy, cy] = sincos(rpy.z);
  return {{cy * cp, sy * cp, -sp},
          {cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr},
          {cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}};
}

}  // namespace jounce
