// How strong a load is: a function of time, or of time and the state of the mechanism.
//
//   value = ["-gas*area", 0]           gas = "lookup('gas.csv', crank.phi, 4*pi)"
//
// The quantities of the state that some load uses are listed once for a mechanism; whoever evaluates loads computes each of them once, in the scalar at
// hand, and a function picks its own. With dual numbers that gives ∂Q/∂q and ∂Q/∂q̇, with series every rate.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "jounce/expr/expression.hpp"
#include "jounce/expr/time_function.hpp"

namespace jounce::laws {

/// An expression whose last variables are quantities of the state.
struct StateExpression {
  Expression expression;
  std::vector<int> quantities{};  ///< where they are in the mechanism's list

  /// How many variables stand before them.
  [[nodiscard]] std::size_t own() const { return expression.variables().size() - quantities.size(); }

  /// `own`: the variables that stand before the quantities, `quantities` all those of the mechanism.
  template <class T>
  [[nodiscard]] std::optional<ExpressionFault> evaluate(std::span<const T> own, std::span<const T> all, T& out) const {
    if (quantities.empty()) return expression.evaluate(own, out);
    constexpr std::size_t kFew = 16;
    const auto fill = [&](auto& variables) {
      for (std::size_t k = 0; k < own.size(); ++k) variables[k] = own[k];
      for (std::size_t k = 0; k < quantities.size(); ++k) variables[own.size() + k] = all[static_cast<std::size_t>(quantities[k])];
    };
    const std::size_t count = own.size() + quantities.size();
    if (count <= kFew) {
      std::array<T, kFew> variables{};
      fill(variables);
      return expression.evaluate(std::span<const T>(variables.data(), count), out);
    }
    std::vector<T> variables(count);
    fill(variables);
    return expression.evaluate(std::span<const T>(variables), out);
  }
};

class LoadFunction {
 public:
  LoadFunction() = default;
  LoadFunction(TimeFunction function) : of_time_(std::move(function)) {}  // NOLINT(google-explicit-constructor): it is one
  /// Its variables are t and quantities.
  explicit LoadFunction(StateExpression law) : of_state_(std::move(law)) {}

  /// Null: a function of time alone.
  [[nodiscard]] const StateExpression* of_state() const { return of_state_ ? &*of_state_ : nullptr; }
  [[nodiscard]] const TimeFunction& of_time() const { return of_time_; }
  [[nodiscard]] bool is_constant() const { return !of_state_ && of_time_.is_constant(); }

  /// At the number t, on a scalar that does not follow time, or as a series in time; `quantities` are all those of the mechanism.
  template <class T>
  [[nodiscard]] std::optional<ExpressionFault> evaluate(double t, std::span<const T> quantities, T& out) const {
    if (!of_state_) return evaluate_at(of_time_, t, out);
    const T clock = clock_at<T>(t);
    return of_state_->evaluate(std::span<const T>(&clock, 1), quantities, out);
  }

 private:
  TimeFunction of_time_;
  std::optional<StateExpression> of_state_;
};

}  // namespace jounce::laws
