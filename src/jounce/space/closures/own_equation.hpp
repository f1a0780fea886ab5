// What the quantities of an equation do in time, over any scalar.
#pragma once

#include "jounce/math/vec3.hpp"
#include "jounce/scalar/series.hpp"

namespace jounce {

template <class T>
[[nodiscard]] const T& component(const Vec3<T>& of, int pick) {
  return pick == 0 ? of.x : pick == 1 ? of.y : of.z;
}

[[nodiscard]] inline Vec3<double> unit_vector(int pick) { return {pick == 0 ? 1.0 : 0.0, pick == 1 ? 1.0 : 0.0, pick == 2 ? 1.0 : 0.0}; }

/// From a position, a velocity and the coefficients of the acceleration, which are two fewer.
template <int K, class Acceleration>
[[nodiscard]] Series<K> path(double position, double velocity, const Acceleration& acceleration) {
  Series<K> out(position);
  out[1] = velocity;
  for (int k = 2; k <= K; ++k) out[k] = acceleration(k - 2) / (k * (k - 1));
  return out;
}

}  // namespace jounce
