#include "jounce/scalar/turn.hpp"

#include <cmath>

#include "jounce/scalar/scalar.hpp"

namespace jounce {

SinCos<double> sincos(double a) {
  if (!(std::abs(a) < kLargestTurn)) return {std::sin(a), std::cos(a)};
  ReducedTurn<double> turn = reduced_turn(a, [](double x) { return x; });
  put_back(turn.quarters, turn.sin, turn.cos);
  return {turn.sin, turn.cos};
}

}  // namespace jounce
