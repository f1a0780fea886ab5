// A function of time f(t): a constant, an expression of t, or a table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "jounce/expr/expression.hpp"
#include "jounce/expr/quintic_spline.hpp"
#include "jounce/scalar/series_arithmetic.hpp"

namespace jounce {

/// Immutable and cheap to copy.
class TimeFunction {
 public:
  TimeFunction() : TimeFunction(0.0) {}
  explicit TimeFunction(double constant) : function_(Expression::constant(constant)) {}
  /// An expression whose only variable is t.
  explicit TimeFunction(Expression expression);
  explicit TimeFunction(QuinticSpline table) : function_(std::move(table)) {}

  [[nodiscard]] bool is_constant() const;
  /// Null when it is a table.
  [[nodiscard]] const Expression* expression() const { return std::get_if<Expression>(&function_); }
  /// Null when it is an expression.
  [[nodiscard]] const QuinticSpline* table() const { return std::get_if<QuinticSpline>(&function_); }

  /// f(t) on any scalar; outside the table or a function's domain, what is wrong there (without the time).
  template <class T>
  [[nodiscard]] std::optional<ExpressionFault> evaluate(const T& t, T& out) const {
    if (const Expression* f = expression()) return f->evaluate(std::span<const T>(&t, 1), out);
    const QuinticSpline& f = *table();
    if (!f.covers(value_of(t))) return outside();
    return out = f(t), std::nullopt;
  }

 private:
  [[nodiscard]] ExpressionFault outside() const;

  std::variant<Expression, QuinticSpline> function_;
};

/// f at the number t, on a scalar that does not follow time, or as a series in time.
template <class T>
[[nodiscard]] std::optional<ExpressionFault> evaluate_at(const TimeFunction& f, double t, T& out) {
  if constexpr (TruncatedSeries<T>) {
    return f.evaluate(T::time(t), out);
  } else {
    double value = 0;
    if (auto fault = f.evaluate(t, value)) return fault;
    out = T(value);
    return std::nullopt;
  }
}

/// The clock at t: a series that goes on, or a number.
template <class T>
[[nodiscard]] T clock_at(double t) {
  if constexpr (TruncatedSeries<T>) return T::time(t);
  else return T(t);
}

}  // namespace jounce
