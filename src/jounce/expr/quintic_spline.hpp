// A spline of degree 5 through given points, with four continuous derivatives: a measured motion that has a snap.
//
//   s(x_i) = y_i,   s in C4,   s is one polynomial over the first three intervals and one over the last three ("not a knot")
//
// so any polynomial of degree 5 is reproduced, and smooth data is followed with an error of order h^6. With n < 6 points it is
// the polynomial of degree n - 1 through them. Solved in B-splines (de Boor, A Practical Guide to Splines, ch. XIII): a banded,
// totally positive matrix that needs no pivoting; kept as one polynomial per interval in u = (x - a) / h.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "jounce/base/result.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {

/// Immutable and cheap to copy.
class QuinticSpline {
 public:
  /// Needs at least two points, all finite, x strictly increasing.
  [[nodiscard]] static Result<QuinticSpline> through(std::span<const double> x, std::span<const double> y);
  /// The same with a period, as smooth across its ends as elsewhere. The last point may stand for the first of the next period,
  /// with its value.
  [[nodiscard]] static Result<QuinticSpline> periodic(std::span<const double> x, std::span<const double> y, double period);

  [[nodiscard]] double front() const { return front_; }
  [[nodiscard]] double back() const { return back_; }

  /// Ends included, and rounding: the last of n equal time steps may miss the last point by an ulp or two.
  [[nodiscard]] bool covers(double x) const;

  /// Where the fifth derivative jumps, in order, without the two ends.
  [[nodiscard]] std::vector<double> knots() const;

  /// How many polynomials it has, and which of them stands at x.
  [[nodiscard]] std::size_t pieces() const { return pieces_->size(); }
  [[nodiscard]] std::size_t piece_index(double x) const { return static_cast<std::size_t>(&piece_at(x) - pieces_->data()); }

  /// The value at x, whose leading number lies in [front, back] (the caller looks; outside, the end polynomial is continued).
  /// At a knot, the polynomial that begins there.
  template <class T>
  [[nodiscard]] T operator()(const T& x) const {
    const Piece& piece = piece_at(value_of(x));
    const T u = (x - piece.start) * piece.per_length;
    T out = u * piece.c[5] + piece.c[4];
    for (std::size_t k = 4; k-- > 0;) out = out * u + piece.c[k];
    return out;
  }

  /// The derivative, n times.
  template <class T>
  [[nodiscard]] T derivative(const T& x, int n) const {
    if (n == 0) return (*this)(x);
    const Piece& piece = piece_at(value_of(x));
    const T u = (x - piece.start) * piece.per_length;
    T out = u * 0.0;
    for (int k = 5; k >= n; --k) {
      double c = piece.c[static_cast<std::size_t>(k)];
      for (int i = 0; i < n; ++i) c *= (k - i) * piece.per_length;
      out = out * u + c;
    }
    return out;
  }

 private:
  struct Piece {
    double start = 0;
    double per_length = 1;      ///< 1 / h
    std::array<double, 6> c{};  ///< in powers of u
  };

  [[nodiscard]] const Piece& piece_at(double x) const;

  double front_ = 0;
  double back_ = 0;
  std::shared_ptr<const std::vector<Piece>> pieces_;
};

}  // namespace jounce
