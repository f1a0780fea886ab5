// The angular velocity of axes that turn along a motion, as power series in time; its last coefficient is not known.
#pragma once

#include "jounce/math/vec3.hpp"

namespace jounce {

/// Ground axes: half the sum of e × ė over the three axes e.
template <class S>
[[nodiscard]] Vec3<S> spin_of(const Mat3<S>& axes) {
  const auto rate = [](const S& a) {
    S out(0.0);
    for (int k = 0; k < S::order(); ++k) out[k] = (k + 1) * a[k + 1];
    return out;
  };
  const auto part = [&](const Vec3<S>& e) { return cross(e, Vec3<S>{rate(e.x), rate(e.y), rate(e.z)}); };
  return (part(axes.x) + part(axes.y) + part(axes.z)) * 0.5;
}

}  // namespace jounce
