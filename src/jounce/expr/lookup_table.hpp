// A table over any quantity: a spline as motions have it, repeated where it has a period.
#pragma once

#include <cmath>
#include <string>

#include "jounce/expr/quintic_spline.hpp"

namespace jounce {

struct LookupTable {
  std::string name;  ///< as it is written: the path
  QuinticSpline spline;
  double period = 0;       ///< 0: none
  bool continued = false;  ///< its end polynomials go on beyond the ends

  [[nodiscard]] bool covers(double x) const { return period > 0 || continued || spline.covers(x); }

  /// Its derivative, so many times: 0 is the value.
  template <class T>
  [[nodiscard]] T value(const T& x, int derivative) const {
    const double turns = period > 0 ? std::floor((value_of(x) - spline.front()) / period) : 0.0;
    if (turns == 0) return spline.derivative(x, derivative);
    return spline.derivative(T(x - turns * period), derivative);
  }
};

}  // namespace jounce
