// Gauss's rule: an integral from values at a few nodes, exact for polynomials of up to twice their number less one in degree.
#pragma once

#include <array>
#include <cstddef>

namespace jounce {

template <std::size_t count>
struct GaussRule {
  std::array<double, count> node;    ///< from −1 to 1, ascending
  std::array<double, count> weight;  ///< of an interval of length 2

  /// The same on the interval from 0 to 1.
  [[nodiscard]] constexpr double place(std::size_t i) const { return (1 + node[i]) / 2; }
  [[nodiscard]] constexpr double share(std::size_t i) const { return weight[i] / 2; }
};

/// As in Abramowitz and Stegun, table 25.4, with more digits.
inline constexpr GaussRule<4> kGauss4{
    {-0.86113631159405257522, -0.33998104358485626480, 0.33998104358485626480, 0.86113631159405257522},
    {0.34785484513745385737, 0.65214515486254614263, 0.65214515486254614263, 0.34785484513745385737}};
inline constexpr GaussRule<8> kGauss8{
    {-0.96028985649753623168, -0.79666647741362673959, -0.52553240991632898582, -0.18343464249564980494, 0.18343464249564980494,
     0.52553240991632898582, 0.79666647741362673959, 0.96028985649753623168},
    {0.10122853629037625915, 0.22238103445337447054, 0.31370664587788728734, 0.36268378337836198297, 0.36268378337836198297,
     0.31370664587788728734, 0.22238103445337447054, 0.10122853629037625915}};

}  // namespace jounce
