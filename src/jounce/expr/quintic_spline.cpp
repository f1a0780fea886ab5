#include "jounce/expr/quintic_spline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jounce {
namespace {

// A spline in B-splines: degree p, coefficients c_0 … c_{n-1}, knots k_0 … k_{n+p}. The span m of x: k_m <= x < k_{m+1}.
struct BSpline {
  std::size_t p;
  std::vector<double> knots;
  std::vector<double> c;
};

// The ends p + 1 times, and the points between, except the two nearest to each end: there the spline is one polynomial.
BSpline without_end_knots(std::span<const double> x) {
  const std::size_t n = x.size(), p = std::min<std::size_t>(5, n - 1);
  BSpline s{p, std::vector<double>(p + 1, x.front()), {}};
  for (std::size_t i = 3; i + 3 < n; ++i) s.knots.push_back(x[i]);
  s.knots.insert(s.knots.end(), p + 1, x.back());
  return s;
}

// The p + 1 basis functions that do not vanish in span m, at x (de Boor's recursion).
std::array<double, 6> basis(const BSpline& s, std::size_t m, double x) {
  std::array<double, 6> value{1.0};
  for (std::size_t r = 1; r <= s.p; ++r) {
    double saved = 0;
    for (std::size_t j = 0; j < r; ++j) {
      const double right = s.knots[m + 1 + j], left = s.knots[m + 1 + j - r];
      const double share = value[j] / (right - left);
      value[j] = saved + (right - x) * share;
      saved = (x - left) * share;
    }
    value[r] = saved;
  }
  return value;
}

// Solves s(x_i) = y_i for the coefficients: a band matrix, totally positive, so elimination needs no pivoting.
void interpolate(BSpline& s, std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size(), p = s.p;
  using Row = std::array<double, 11>;  // column i + k - p of row i stands at k
  std::vector<Row> a(n, Row{});
  std::size_t m = p;
  for (std::size_t i = 0; i < n; ++i) {
    while (m + 1 < n && x[i] >= s.knots[m + 1]) ++m;
    const std::array<double, 6> value = basis(s, m, x[i]);
    for (std::size_t j = 0; j <= p; ++j) a[i][m + j - i] = value[j];
  }
  s.c.assign(y.begin(), y.end());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t row = i + 1; row < std::min(n, i + p + 1); ++row) {
      const double factor = a[row][i + p - row] / a[i][p];
      if (factor == 0) continue;
      for (std::size_t k = 0; k <= p; ++k) a[row][i + p - row + k] -= factor * a[i][p + k];
      s.c[row] -= factor * s.c[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = 1; k <= p && i + k < n; ++k) s.c[i] -= a[i][p + k] * s.c[i + k];
    s.c[i] /= a[i][p];
  }
}

// The polynomial of span m in powers of u = (x - k_m) / (k_{m+1} - k_m). First its Bézier points: the polar form at p - j times
// the left end and j times the right one, by convex combinations only; then c_k = binomial(p, k) Δ^k b_0.
std::array<double, 6> polynomial(const BSpline& s, std::size_t m) {
  const std::size_t p = s.p;
  std::array<double, 6> b{};
  for (std::size_t j = 0; j <= p; ++j) {
    std::array<double, 6> d{};
    for (std::size_t i = 0; i <= p; ++i) d[i] = s.c[m - p + i];
    for (std::size_t r = 1; r <= p; ++r) {
      const double at = r <= j ? s.knots[m + 1] : s.knots[m];
      for (std::size_t i = p; i >= r; --i) {
        const double left = s.knots[m - p + i], right = s.knots[m + 1 + i - r];
        d[i] = ((right - at) * d[i - 1] + (at - left) * d[i]) / (right - left);
      }
    }
    b[j] = d[p];
  }
  double binomial = 1;
  std::array<double, 6> c{};
  for (std::size_t k = 0; k <= p; ++k) {
    c[k] = binomial * b[0];
    binomial = binomial * double(p - k) / double(k + 1);
    for (std::size_t j = 0; j + k < p; ++j) b[j] = b[j + 1] - b[j];
  }
  return c;
}

}  // namespace

Result<QuinticSpline> QuinticSpline::through(std::span<const double> x, std::span<const double> y) {
  JOUNCE_REQUIRE(x.size() == y.size(), "a table has as many values as times");
  if (x.size() < 2) return error({}, fmt::format("a table needs at least 2 points, found {}", x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      return error({}, fmt::format("a table holds finite numbers, found ({}, {}) at point {}", x[i], y[i], i + 1));
    if (i > 0 && !(x[i] > x[i - 1]))
      return error({}, fmt::format("times must increase: point {} is at {}, after {}", i + 1, x[i], x[i - 1]));
  }

  BSpline s = without_end_knots(x);
  std::vector<double> rise(y.begin(), y.end());  // above the first value: a large offset costs no digits
  for (double& value : rise) value -= y.front();
  interpolate(s, x, rise);

  std::vector<Piece> pieces;
  bool finite = true;
  for (std::size_t m = s.p; m < x.size(); ++m) {
    Piece piece{s.knots[m], 1 / (s.knots[m + 1] - s.knots[m]), polynomial(s, m)};
    piece.c[0] += y.front();
    finite =
        finite && std::isfinite(piece.per_length) && std::ranges::all_of(piece.c, [](double c) { return std::isfinite(c); });
    pieces.push_back(piece);
  }
  if (!finite) return error({}, "the numbers of the table are too large, or its times too close, for double precision");

  QuinticSpline spline;
  spline.front_ = x.front();
  spline.back_ = x.back();
  spline.pieces_ = std::make_shared<const std::vector<Piece>>(std::move(pieces));
  return spline;
}

// Through so many periods that what happens at the two ends is forgotten in the middle: an end's influence falls to 0.43 of
// itself from point to point, and to less than rounding over 50 of them.
Result<QuinticSpline> QuinticSpline::periodic(std::span<const double> x, std::span<const double> y, double period) {
  constexpr std::size_t kForgotten = 50;
  constexpr double kSamePlace = 1e-12, kSameValue = 1e-9;  // of the period, and of what the values span
  if (!(period > 0) || !std::isfinite(period))
    return error({}, fmt::format("a period must be greater than 0, found {}", period));
  if (Result<QuinticSpline> once = through(x, y); !once) return once;
  std::size_t n = x.size();
  const double length = x.back() - x.front();
  if (length > period * (1 + kSamePlace))
    return error({}, fmt::format("the table is longer than its period: from {} to {}, which is more than {}", x.front(),
                                 x.back(), period));
  if (std::abs(length - period) <= kSamePlace * period) {
    const auto [least, most] = std::ranges::minmax(y);
    if (std::abs(y.back() - y.front()) > kSameValue * std::max(most - least, std::abs(most)))
      return error(
          {}, fmt::format("the table does not close: {} at the end of its period, {} at the beginning", y.back(), y.front()));
    --n;
  }
  if (n < 3) return error({}, fmt::format("a table with a period needs at least 3 points within it, found {}", n));
  const std::size_t around = (kForgotten + n - 1) / n;  // periods on each side
  std::vector<double> long_x, long_y;
  for (std::size_t turn = 0; turn <= 2 * around; ++turn)
    for (std::size_t i = 0; i < n; ++i) {
      long_x.push_back(x[i] + (double(turn) - double(around)) * period);
      long_y.push_back(y[i]);
    }
  long_x.push_back(x[0] + (double(around) + 1) * period), long_y.push_back(y[0]);
  Result<QuinticSpline> all = through(long_x, long_y);
  if (!all) return all;
  std::vector<Piece> pieces;
  for (const Piece& piece : *all->pieces_)
    if (piece.start >= x[0] && piece.start < x[0] + period * (1 - kSamePlace)) pieces.push_back(piece);
  QuinticSpline spline;
  spline.front_ = x[0];
  spline.back_ = x[0] + period;
  spline.pieces_ = std::make_shared<const std::vector<Piece>>(std::move(pieces));
  return spline;
}

bool QuinticSpline::covers(double x) const {
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(front_), std::abs(back_));
  return x >= front_ - rounding && x <= back_ + rounding;
}

std::vector<double> QuinticSpline::knots() const {
  std::vector<double> out;
  for (std::size_t k = 1; k < pieces_->size(); ++k) out.push_back((*pieces_)[k].start);
  return out;
}

const QuinticSpline::Piece& QuinticSpline::piece_at(double x) const {
  const auto after =
      std::upper_bound(pieces_->begin() + 1, pieces_->end(), x, [](double t, const Piece& p) { return t < p.start; });
  return *(after - 1);
}

}  // namespace jounce
