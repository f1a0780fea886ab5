// Any bytes as an expression: it parses or gives errors inside the text, and evaluates to finite numbers or to a fault.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "jounce/expr/expression.hpp"
#include "jounce/scalar/series.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using jounce::Series;
  static const jounce::Scope scope{{{"crank", 0.05}, {"rod", 0.2}, {"a", -3}}, {"l", "v", "t"}};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto expression = jounce::Expression::parse(text, scope);
  for (const jounce::Problem& problem : expression.problems())
    if (problem.where.line != 1 || problem.where.column < 1 || problem.where.column > static_cast<int>(size) + 1) std::abort();
  if (!expression) return 0;
  for (const double at : {0.0, 0.7, -3.0}) {
    const double numbers[3] = {0.4, -at, at};
    const Series<4> series[3] = {0.4, -Series<4>::time(at), Series<4>::time(at)};
    double number = 0;
    Series<4> motion = 0;
    const auto fault = expression->evaluate<double>(std::span<const double>(numbers), number);
    const auto series_fault = expression->evaluate<Series<4>>(std::span<const Series<4>>(series), motion);
    if (!fault && !std::isfinite(number)) std::abort();
    if (!series_fault)
      for (const double c : motion.c)
        if (!std::isfinite(c)) std::abort();
    if (fault && !series_fault) std::abort();  // a series is at least as strict
  }
  return 0;
}
