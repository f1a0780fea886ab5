#include <random>

#include "expr_test.hpp"
#include "jounce/expr/parameters.hpp"
#include "jounce/scalar/series.hpp"

using namespace jounce;

namespace {

const std::vector<std::string> kCorpus{"1 + 2*3 - 4/5^6",
                                       "-2^-2^2",
                                       "crank*sin(100*rpm*t) + 3*mm",
                                       "step(t, 0.1, 0.2)*-200",
                                       "min(t, 1, abs(rod))",
                                       "atan2(t - 1, cos(t))",
                                       "((((t))))",
                                       "pow(t, 2.5) + sqrt(t)*log(t)",
                                       "1e3 + .5 - 2.E-1",
                                       "max(sign(t), tanh(t), exp(-t^2))",
                                       "60*deg/inch",
                                       "t^t^t",
                                       "2t + 3 $ 4",
                                       "asin(t)*acos(t)/atan(t)",
                                       "sinh(t) - cosh(t) + tan(t)"};

// A text of the corpus with a few pieces cut, doubled, swapped or replaced; or plain random bytes.
std::string mutated(std::mt19937& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::string text;
  if (below(5) == 0) {
    for (std::size_t n = below(40); n > 0; --n) text += static_cast<char>(below(256));
    return text;
  }
  text = kCorpus[below(kCorpus.size())];
  for (std::size_t n = 1 + below(4); n > 0; --n) {
    const std::size_t at = below(text.size() + 1), length = below(6);
    const std::string& other = kCorpus[below(kCorpus.size())];
    if (const std::size_t way = below(4); way == 0)
      text.erase(at, length);
    else if (way == 1)
      text.insert(at, other.substr(below(other.size()), length));
    else if (way == 2)
      text.insert(at, 1, "+-*/^(),.0e t\n#"[below(15)]);
    else
      text.insert(at, text.substr(std::min(at, text.size()), length));
  }
  return text;
}

}  // namespace

TEST_CASE("any text is an expression or an error inside the text, and evaluates to a number or a fault inside the text") {
  // oracle: the contract; 20000 inputs from a fixed seed
  std::mt19937 random(1);
  const Scope scope = of_time({{"crank", 0.05}, {"rod", 0.2}});
  int parsed_well = 0, faults = 0, broken = 0;
  for (int k = 0; k < 20000; ++k) {
    const std::string text = mutated(random);
    const int end = static_cast<int>(text.size()) + 1;
    const auto expression = Expression::parse(text, scope);
    if (!expression) {
      bool inside = any_error(expression.problems());
      for (const Problem& p : expression.problems())
        inside = inside && p.where.line == 1 && p.where.column >= 1 && p.where.column <= end && !p.sentence.empty();
      if (!inside) ++broken;
      continue;
    }
    ++parsed_well;
    for (const double t : {0.0, 0.7, -3.0}) {
      double number = NAN;
      Series<4> series = NAN;
      const Series<4> clock = Series<4>::time(t);
      const auto fault = expression->evaluate<double>(std::span<const double>(&t, 1), number);
      const auto series_fault = expression->evaluate<Series<4>>(std::span<const Series<4>>(&clock, 1), series);
      for (const auto& f : {fault, series_fault})
        if (f && (f->column < 1 || f->column >= end || f->sentence.empty())) ++broken;
      if (!fault && !std::isfinite(number)) ++broken;
      if (!series_fault)
        for (const double c : series.c)
          if (!std::isfinite(c)) ++broken;
      if (fault && !series_fault) ++broken;  // a series is at least as strict
      if (!fault && !series_fault && std::abs(number - series.value()) > 1e-9 * (1 + std::abs(number))) ++broken;
      faults += fault || series_fault;
    }
    // what it is made of can be named, and what parses can be parsed again
    if (!names_in(text) || !Expression::parse(expression->text(), scope)) ++broken;
  }
  CHECK(broken == 0);
  CHECK(parsed_well > 2000);
  CHECK(faults > 500);
}

TEST_CASE("any set of parameters has values or errors") {
  // oracle: the contract
  std::mt19937 random(2);
  const std::vector<std::string> names{"a", "b", "c", "crank", "rod", "t", "pi", "x-y", ""};
  int broken = 0, good = 0;
  for (int k = 0; k < 2000; ++k) {
    std::vector<WrittenParameter> written;
    for (std::size_t n = random() % 5; n > 0; --n) {
      std::string text = random() % 2 == 0 ? names[random() % 5] + "*" + names[random() % 5] : mutated(random);
      written.push_back({names[random() % names.size()], std::move(text), {static_cast<int>(n), 10}});
    }
    const auto values = evaluate_parameters(written);
    good += values.ok();
    if (values.ok() && values->size() != written.size()) ++broken;
    for (const Problem& p : values.problems())
      if (p.where.column < 10 || p.sentence.empty()) ++broken;
  }
  CHECK(broken == 0);
  CHECK(good > 100);
}
