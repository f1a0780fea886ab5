// What a spring has beside stiffness and damping: friction, and the user's actuator. The same in the plane and in space.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "jounce/expr/expression.hpp"
#include "jounce/laws/load_function.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce::laws {

/// A direction of dry friction: that of the rate, whatever it is.
inline constexpr double kSignOfRate = std::numeric_limits<double>::quiet_NaN();

struct Signal {
  std::vector<StateExpression> laws;  ///< of the measure, its rate and t, and of quantities of the state; they add
  double dry_friction = 0;       ///< amplitude of friction whose direction is the exact sign of the rate

  [[nodiscard]] bool empty() const { return laws.empty() && dry_friction == 0; }

  /// Friction smoothed over rates below `speed`; of speed 0 it has the exact sign of the rate. `variables` are the names of the
  /// measure, its rate and the time.
  void add_friction(double amplitude, double speed, const std::vector<std::string>& variables);

  /// Adds its value to `out`. `direction` is that of exact dry friction: −1, 0 or 1, or kSignOfRate.
  template <class T>
  std::optional<ExpressionFault> add_to(T& out, double direction, const T& x, const T& rate, const T& t, std::span<const T> quantities) const {
    const std::array<T, 3> variables{x, rate, t};
    for (const StateExpression& law : laws) {
      T value{};
      if (auto fault = law.evaluate(std::span<const T>(variables), quantities, value)) return fault;
      out += value;
    }
    out += dry_friction * (std::isnan(direction) ? sign(value_of(rate)) : direction);
    return std::nullopt;
  }
};

}  // namespace jounce::laws
