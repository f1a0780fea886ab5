// A series in time that grows by one coefficient per pass.
//
// An integrator learns the coefficients of the motion one order at a time, and needs order k of a law before order k + 1 of the
// motion exists. So the law is run once per order, and on this scalar every operation computes its coefficient k alone, from
// the coefficients 0 … k−1 it has kept and those of its operands. The recurrences are those of scalar/series_functions.hpp, in
// the same order of operations, so the numbers are the same to rounding and nearly always to the last bit.
//
// Where an operation keeps its coefficients: in the rows of one table, taken one after the other. Each pass must take them in
// the same order, so no function here takes a row at one order and not at the next. (An exponent that was constant so far may
// begin to vary: see pow.)
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "jounce/base/require.hpp"
#include "jounce/expr/functions.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {

/// The table of coefficients, one row per operation, and the order of the present pass.
class CoefficientRows {
 public:
  CoefficientRows(std::size_t rows, int order) : columns_(static_cast<std::size_t>(order) + 1), c_(rows * columns_) {}

  [[nodiscard]] int order() const { return order_; }
  /// A pass of this order starts at the first row.
  void begin(int order) { order_ = order, next_ = 0; }
  void go_to(std::size_t row) { next_ = row * columns_; }

  [[nodiscard]] double* take() {
    JOUNCE_REQUIRE(next_ < c_.size(), "an operation takes no more rows than were counted for it");
    double* row = c_.data() + next_;
    next_ += columns_;
    return row;
  }

 private:
  std::size_t columns_;
  std::vector<double> c_;
  std::size_t next_ = 0;
  int order_ = 0;
};

/// Refers to a row, or is a plain number. Cheap to copy; lives for one pass.
class GrowingSeries {
 public:
  GrowingSeries(double number = 0) : number_(number) {}
  /// The coefficients c[0] … c[order of the pass].
  GrowingSeries(CoefficientRows& rows, const double* c) : rows_(&rows), c_(c) {}

  [[nodiscard]] bool is_plain() const { return rows_ == nullptr; }
  [[nodiscard]] double operator[](int k) const { return !is_plain() ? c_[k] : k == 0 ? number_ : 0.0; }

  // Of a series that has a row:
  [[nodiscard]] const double* data() const { return c_; }
  [[nodiscard]] CoefficientRows& rows() const { return *rows_; }
  [[nodiscard]] int order() const { return rows_->order(); }

 private:
  CoefficientRows* rows_ = nullptr;
  const double* c_ = nullptr;
  double number_ = 0;
};

inline double value_of(const GrowingSeries& a) { return a[0]; }

inline bool is_constant(const GrowingSeries& a) {
  for (int k = 1; !a.is_plain() && k <= a.order(); ++k)
    if (a[k] != 0) return false;
  return true;
}

inline bool is_zero(const GrowingSeries& a) { return a[0] == 0 && is_constant(a); }

/// The coefficients below were looked at in their turn.
template <>
inline bool functions::all_finite(const GrowingSeries& a) {
  return std::isfinite(a[a.is_plain() ? 0 : a.order()]);
}

/// A row for y = f(a), …: `c[k]` is to be written, `c[0] … c[k-1]` are there.
struct NewRow {
  explicit NewRow(CoefficientRows& table) : rows(table), c(table.take()), k(table.order()) {}
  explicit NewRow(const GrowingSeries& a) : NewRow(a.rows()) {}

  GrowingSeries set(double coefficient) {
    c[k] = coefficient;
    return {rows, c};
  }

  CoefficientRows& rows;
  double* c;
  int k;
};

/// A number in a row of its own, where series are asked for.
inline GrowingSeries in_row(CoefficientRows& rows, double number) {
  NewRow y(rows);
  return y.set(y.k == 0 ? number : 0.0);
}

// ---- The two sums -----------------------------------------------------------------------------------------------------------

// Σ a_i b_{k-i}, i = first … last.
inline double product_sum(const double* a, const double* b, int k, int first, int last) {
  double sum = 0;
  for (int i = first; i <= last; ++i) sum += a[i] * b[k - i];
  return sum;
}

// Σ i a_i b_{k-i}, i = 1 … last.
inline double slope_sum(const double* a, const double* b, int k, int last) {
  double sum = 0;
  for (int i = 1; i <= last; ++i) sum += double(i) * a[i] * b[k - i];
  return sum;
}

// ---- The four operations ----------------------------------------------------------------------------------------------------

inline GrowingSeries operator-(const GrowingSeries& a) {
  NewRow y(a);
  return y.set(-a[y.k]);
}

inline GrowingSeries operator+(const GrowingSeries& a, const GrowingSeries& b) {
  if (a.is_plain() && b.is_plain()) return a[0] + b[0];
  NewRow y(a.is_plain() ? b : a);
  return y.set(a[y.k] + b[y.k]);
}

inline GrowingSeries operator-(const GrowingSeries& a, const GrowingSeries& b) {
  if (a.is_plain() && b.is_plain()) return a[0] - b[0];
  NewRow y(a.is_plain() ? b : a);
  return y.set(a[y.k] - b[y.k]);
}

inline GrowingSeries operator*(const GrowingSeries& a, const GrowingSeries& b) {
  if (a.is_plain() && b.is_plain()) return a[0] * b[0];
  NewRow y(a.is_plain() ? b : a);
  if (a.is_plain()) return y.set(a[0] * b[y.k]);
  if (b.is_plain()) return y.set(a[y.k] * b[0]);
  return y.set(product_sum(a.data(), b.data(), y.k, 0, y.k));
}

inline GrowingSeries operator/(const GrowingSeries& a, const GrowingSeries& b) {
  if (a.is_plain() && b.is_plain()) return a[0] / b[0];
  NewRow y(a.is_plain() ? b : a);
  if (b.is_plain()) return y.set(a[y.k] / b[0]);
  return y.set((a[y.k] - product_sum(b.data(), y.c, y.k, 1, y.k)) / b[0]);
}

// ---- exp, sin, cos and their hyperbolic twins -------------------------------------------------------------------------------

inline GrowingSeries exp(const GrowingSeries& a) {
  NewRow y(a);
  return y.set(y.k == 0 ? exp(a[0]) : slope_sum(a.data(), y.c, y.k, y.k) / double(y.k));
}

inline SinCos<GrowingSeries> sincos(const GrowingSeries& a) {
  NewRow s(a), c(a);
  const int k = s.k;
  if (k == 0) {
    const SinCos<double> first = sincos(a[0]);
    return {s.set(first.sin), c.set(first.cos)};
  }
  return {s.set(slope_sum(a.data(), c.c, k, k) / double(k)), c.set(-slope_sum(a.data(), s.c, k, k) / double(k))};
}

inline SinhCosh<GrowingSeries> sinhcosh(const GrowingSeries& a) {
  NewRow s(a), c(a);
  const int k = s.k;
  if (k == 0) return {s.set(sinh(a[0])), c.set(cosh(a[0]))};
  return {s.set(slope_sum(a.data(), c.c, k, k) / double(k)), c.set(slope_sum(a.data(), s.c, k, k) / double(k))};
}

inline GrowingSeries sin(const GrowingSeries& a) { return sincos(a).sin; }
inline GrowingSeries cos(const GrowingSeries& a) { return sincos(a).cos; }
inline GrowingSeries sinh(const GrowingSeries& a) { return sinhcosh(a).sinh; }
inline GrowingSeries cosh(const GrowingSeries& a) { return sinhcosh(a).cosh; }

inline GrowingSeries tan(const GrowingSeries& a) {
  NewRow y(a), w(a);
  const int k = y.k;
  y.c[k] = k == 0 ? tan(a[0]) : slope_sum(a.data(), w.c, k, k) / double(k);
  w.c[k] = k == 0 ? 1.0 + y.c[0] * y.c[0] : product_sum(y.c, y.c, k, 0, k);
  return {a.rows(), y.c};
}

inline GrowingSeries tanh(const GrowingSeries& a) {
  NewRow y(a), w(a);
  const int k = y.k;
  y.c[k] = k == 0 ? tanh(a[0]) : slope_sum(a.data(), w.c, k, k) / double(k);
  w.c[k] = k == 0 ? 1.0 / cosh(a[0]) / cosh(a[0]) : -product_sum(y.c, y.c, k, 0, k);
  return {a.rows(), y.c};
}

// ---- Functions whose derivative is a quotient -------------------------------------------------------------------------------

// y' = a' / r, given y_0; a constant stays one where r_0 = 0.
inline GrowingSeries integrate_quotient(const GrowingSeries& a, const GrowingSeries& r, double y_0) {
  NewRow y(a);
  if (y.k == 0) return y.set(y_0);
  if (r[0] == 0) return y.set(0.0);
  return y.set((a[y.k] - slope_sum(y.c, r.data(), y.k, y.k - 1) / double(y.k)) / r[0]);
}

inline GrowingSeries sqrt(const GrowingSeries& a) {
  NewRow y(a);
  if (y.k == 0) return y.set(sqrt(a[0]));
  if (a[0] == 0) return y.set(0.0);
  return y.set((a[y.k] - product_sum(y.c, y.c, y.k, 1, y.k - 1)) / (2.0 * y.c[0]));
}

inline GrowingSeries log(const GrowingSeries& a) { return integrate_quotient(a, a, log(a[0])); }
inline GrowingSeries atan(const GrowingSeries& a) { return integrate_quotient(a, 1.0 + a * a, atan(a[0])); }
inline GrowingSeries asin(const GrowingSeries& a) { return integrate_quotient(a, sqrt((1.0 - a) * (1.0 + a)), asin(a[0])); }
inline GrowingSeries acos(const GrowingSeries& a) { return integrate_quotient(a, -sqrt((1.0 - a) * (1.0 + a)), acos(a[0])); }

inline GrowingSeries atan2(const GrowingSeries& y, const GrowingSeries& x) {
  if (y.is_plain()) return atan2(in_row(x.rows(), y[0]), x);
  if (x.is_plain()) return atan2(y, in_row(y.rows(), x[0]));
  const GrowingSeries r = x * x + y * y;
  NewRow p(y);
  const int k = p.k;
  if (k == 0) return p.set(atan2(y[0], x[0]));
  return p.set(
      (slope_sum(y.data(), x.data(), k, k) - slope_sum(x.data(), y.data(), k, k) - slope_sum(p.c, r.data(), k, k - 1)) /
      (double(k) * r[0]));
}

// ---- Powers -----------------------------------------------------------------------------------------------------------------

// a^n by squaring.
inline GrowingSeries whole_power(const GrowingSeries& a, unsigned n) {
  if (n == 0) return 1.0;
  unsigned bit = 1;
  while (bit <= n / 2) bit *= 2;
  GrowingSeries y = a;
  while (bit /= 2) {
    y = y * y;
    if (n & bit) y = y * a;
  }
  return y;
}

// a^p, p a number
inline GrowingSeries constant_power(const GrowingSeries& a, double p) {
  if (is_whole(p)) return p >= 0 ? whole_power(a, unsigned(p)) : 1.0 / whole_power(a, unsigned(-p));
  NewRow y(a);
  const int k = y.k;
  if (k == 0) return y.set(pow(a[0], p));
  if (a[0] == 0) return y.set(0.0);
  double sum = 0;
  for (int i = 1; i <= k; ++i) sum += (p * i - (k - i)) * a[i] * y.c[k - i];
  return y.set(sum / (double(k) * a[0]));
}

// exp(e), given y_0 and a row that has the coefficients below
inline GrowingSeries continue_exp(NewRow y, const GrowingSeries& e, double y_0) {
  return y.set(y.k == 0 ? y_0 : slope_sum(e.data(), y.c, y.k, y.k) / double(y.k));
}

// b^p, b a number. Where log b does not exist, only a constant p comes here.
inline GrowingSeries constant_to_power(double b, const GrowingSeries& p) {
  NewRow y(p);
  if (b > 0) return continue_exp(y, p * log(b), pow(b, p[0]));
  return y.set(y.k == 0 ? pow(b, p[0]) : 0.0);
}

// As long as p is constant, a^p is that of a number; the series of p log a is kept up to date for the order at which p begins
// to vary. The rows of the constant power come last: after that order nobody takes them.
inline GrowingSeries pow(const GrowingSeries& a, const GrowingSeries& p) {
  if (p.is_plain()) return constant_power(a, p[0]);
  if (a.is_plain()) return constant_to_power(a[0], p);
  NewRow y(a);
  const GrowingSeries e = a[0] > 0 ? p * log(a) : GrowingSeries();
  if (is_constant(p)) return y.set(constant_power(a, p[0])[y.k]);
  return continue_exp(y, e, pow(a[0], p[0]));
}

// ---- Functions with a kink --------------------------------------------------------------------------------------------------

inline GrowingSeries abs(const GrowingSeries& a) { return a[0] < 0 ? -a : a; }
inline GrowingSeries sign(const GrowingSeries& a) { return sign(a[0]); }
inline GrowingSeries min(const GrowingSeries& a, const GrowingSeries& b) { return b[0] < a[0] ? b : a; }
inline GrowingSeries max(const GrowingSeries& a, const GrowingSeries& b) { return a[0] < b[0] ? b : a; }

}  // namespace jounce
