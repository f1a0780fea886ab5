#include <doctest/doctest.h>

#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "places.hpp"
#include "scalar_test.hpp"

using namespace jounce;
using namespace jounce::test;
using nlohmann::json;

namespace {

const json& reference() {
  static const json data = json::parse(std::ifstream(places::source() + "/tests/data/series.json"));
  return data;
}

template <class S>
using Function = std::function<S(const std::vector<S>&)>;

template <class S>
std::map<std::string, Function<S>> functions() {
  using Args = const std::vector<S>&;
  return {{"sin", [](Args x) { return sin(x[0]); }},
          {"cos", [](Args x) { return cos(x[0]); }},
          {"tan", [](Args x) { return tan(x[0]); }},
          {"asin", [](Args x) { return asin(x[0]); }},
          {"acos", [](Args x) { return acos(x[0]); }},
          {"atan", [](Args x) { return atan(x[0]); }},
          {"sinh", [](Args x) { return sinh(x[0]); }},
          {"cosh", [](Args x) { return cosh(x[0]); }},
          {"tanh", [](Args x) { return tanh(x[0]); }},
          {"exp", [](Args x) { return exp(x[0]); }},
          {"log", [](Args x) { return log(x[0]); }},
          {"sqrt", [](Args x) { return sqrt(x[0]); }},
          {"abs", [](Args x) { return abs(x[0]); }},
          {"sign", [](Args x) { return sign(x[0]); }},
          {"add", [](Args x) { return x[0] + x[1]; }},
          {"subtract", [](Args x) { return x[0] - x[1]; }},
          {"multiply", [](Args x) { return x[0] * x[1]; }},
          {"divide", [](Args x) { return x[0] / x[1]; }},
          {"atan2", [](Args x) { return atan2(x[0], x[1]); }},
          {"pow", [](Args x) { return pow(x[0], x[1]); }},
          {"min", [](Args x) { return min(x[0], x[1]); }},
          {"max", [](Args x) { return max(x[0], x[1]); }}};
}

// An argument of the file: a list of coefficients, or a plain number.
template <class S>
S argument(const json& a, const S& pattern) {
  if (a.is_number()) return constant_like(pattern, a.get<double>());
  S x = pattern.blank();
  for (std::size_t k = 0; k < a.size(); ++k) x[static_cast<int>(k)] = a[k].get<double>();
  return x;
}

// Each coefficient within kReference of the largest reference coefficient up to its own order.
template <class S>
void check_coefficients(const S& y, const json& expected) {
  double scale = 0.0;
  for (int k = 0; k <= y.order(); ++k) {
    const double reference_k = expected[static_cast<std::size_t>(k)].get<double>();
    scale = std::max(scale, std::abs(reference_k));
    INFO("coefficient ", k);
    CHECK(std::abs(y[k] - reference_k) <= kReference * scale);
  }
}

template <class S>
void check_all(const S& pattern) {
  const auto known = functions<S>();
  std::set<std::string> seen;
  for (const json& one : reference()["cases"]) {
    const auto name = one["function"].get<std::string>();
    INFO(name, " of ", one["arguments"].dump());
    std::vector<S> arguments;
    for (const json& a : one["arguments"]) arguments.push_back(argument(a, pattern));
    check_coefficients(known.at(name)(arguments), one["coefficients"]);
    seen.insert(name);
  }
  CHECK(seen.size() == known.size());
}

}  // namespace

TEST_CASE("every function of a series agrees with its Taylor coefficients to order 10") {
  // oracle: numerical differentiation of the composed function in 60 and 90 digits (tools/series_oracle.py)
  check_all(Series<10>{});
  check_all(AnySeries::of_order(10));
}

TEST_CASE("a power with one plain number agrees with its Taylor coefficients to order 10") {
  // oracle: as above, through the overloads that take the number as a double
  for (const json& one : reference()["cases"]) {
    if (one["function"] != "pow") continue;
    const json &a = one["arguments"][0], &p = one["arguments"][1];
    INFO("pow of ", one["arguments"].dump());
    if (p.is_number()) check_coefficients(pow(argument(a, Series<10>{}), p.get<double>()), one["coefficients"]);
    if (a.is_number()) check_coefficients(pow(a.get<double>(), argument(p, Series<10>{})), one["coefficients"]);
  }
}
