// Truncated power series in time: the number that knows its own motion.
//
// Take a coordinate x that moves. Near the time of expansion it is
//
//   x(t) = c[0] + c[1] t + c[2] t² + … + c[K] t^K + O(t^{K+1}),     c[k] = (k-th derivative) / k!
//
// Keep those K + 1 numbers instead of one. The sum of two motions adds coefficients; the product multiplies polynomials and
// forgets the powers above K; and every elementary function has a short recurrence for its coefficients. So an equation that is
// written for a number, as a template over the scalar, also works on a motion, and what comes out is the motion of the
// result with all its derivatives: exact to rounding, no differencing, no derivative written by anybody. With K = 2:
//
//   const auto t = Series<2>::time(0.5);            // the clock: 0.5 + t
//   const auto x = 0.1 * cos(3.0 * t);              // a crank pin
//   x.value();                                      // position      0.1 cos 1.5
//   x.derivative(1);                                // velocity     −0.3 sin 1.5
//   x.derivative(2);                                // acceleration −0.9 cos 1.5
//
// Why coefficients and not derivatives: with the factorials divided out, a product is a plain convolution (no binomials), and
// numbers stay in range at high order.
//
// What makes it more than differentiation: a residual phi(q(t)) has the k-th coefficient  phi_q q[k] + terms in q[0] … q[k-1].
// Put q[k] = 0, evaluate, and the k-th coefficient is the right-hand side of order k: velocity, acceleration, jerk, snap and
// all beyond solve with one matrix. docs/theory/series.md says this slowly.
//
// Two storages, one arithmetic (series_arithmetic.hpp, series_functions.hpp):
//
//   Series<K, T>   order fixed at compile time, no allocation, T any scalar: Series<2, Dual<3>> moves and has a gradient.
//   AnySeries      order chosen at run time. Two orders in one operation are a programming error and stop the program; an
//                  AnySeries made from a double is a number and meets any order.
//
// A plain double in an expression is never promoted: 2.0 * x costs K + 1 products. Cost otherwise: sums O(K), the rest O(K²).
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "jounce/scalar/series_functions.hpp"

namespace jounce {

template <int K, class T = double>
struct Series {
  static_assert(K >= 0);
  using Coefficient = T;

  std::array<T, K + 1> c{};

  constexpr Series() = default;
  constexpr Series(double value) { c[0] = value; }
  constexpr Series(const T& value)
    requires(!std::same_as<T, double>)
  {
    c[0] = value;
  }
  // The first coefficients; the rest are zero.
  constexpr Series(std::initializer_list<T> first) {
    JOUNCE_REQUIRE(first.size() <= c.size(), "more coefficients than the order of the series");
    std::size_t k = 0;
    for (const T& value : first) c[k++] = value;
  }

  // The clock at t0.
  static constexpr Series time(double t0) {
    Series x = t0;
    if constexpr (K >= 1) x.c[1] = 1.0;
    return x;
  }

  static constexpr int order() { return K; }
  static constexpr bool is_number() { return false; }
  static constexpr Series blank() { return {}; }

  constexpr T& operator[](int k) { return c[static_cast<std::size_t>(k)]; }
  constexpr const T& operator[](int k) const { return c[static_cast<std::size_t>(k)]; }

  constexpr const T& value() const { return c[0]; }
  // k-th derivative at the time of expansion: k! c[k].
  constexpr T derivative(int k) const { return jounce::derivative(*this, k); }
};

class AnySeries {
 public:
  using Coefficient = double;

  AnySeries() = default;
  AnySeries(double value) : c_{value} {}

  // A constant that has an order.
  static AnySeries of_order(int order, double value = 0.0) {
    JOUNCE_REQUIRE(order >= 0, "the order of a series is not negative");
    std::vector<double> c(static_cast<std::size_t>(order) + 1);
    c[0] = value;
    return from(std::move(c));
  }

  // Coefficients c[0] … c[K].
  static AnySeries from(std::vector<double> coefficients) {
    JOUNCE_REQUIRE(!coefficients.empty(), "a series has at least one coefficient");
    AnySeries x;
    x.c_ = std::move(coefficients);
    x.is_number_ = false;
    return x;
  }

  // The clock at t0.
  static AnySeries time(double t0, int order) {
    AnySeries x = of_order(order, t0);
    if (order >= 1) x[1] = 1.0;
    return x;
  }

  int order() const { return static_cast<int>(c_.size()) - 1; }
  bool is_number() const { return is_number_; }
  AnySeries blank() const { return is_number_ ? AnySeries() : of_order(order()); }

  double& operator[](int k) { return c_[static_cast<std::size_t>(k)]; }
  const double& operator[](int k) const { return c_[static_cast<std::size_t>(k)]; }

  double value() const { return c_[0]; }
  // k-th derivative at the time of expansion: k! c[k]; a number has them all, and they are zero.
  double derivative(int k) const { return is_number_ && k > 0 ? 0.0 : jounce::derivative(*this, k); }

 private:
  std::vector<double> c_ = {0.0};
  bool is_number_ = true;
};

}  // namespace jounce
