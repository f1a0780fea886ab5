#include "jounce/expr/names.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "jounce/expr/expression.hpp"
#include "jounce/expr/tokens.hpp"

namespace jounce {
namespace {

// clang-format off
constexpr std::array kConstants{
    Constant{"pi", std::numbers::pi}, Constant{"deg", std::numbers::pi / 180}, Constant{"rpm", 2 * std::numbers::pi / 60},
    Constant{"mm", 1e-3}, Constant{"cm", 1e-2}, Constant{"inch", 0.0254}};

constexpr std::array kWeakConstants{Constant{"km", 1e3}, Constant{"um", 1e-6}, Constant{"ms", 1e-3}, Constant{"kN", 1e3},
                                    Constant{"MPa", 1e6}, Constant{"bar", 1e5}, Constant{"kW", 1e3}};

constexpr std::array kFunctions{
    Function{"sin", Op::sin, 1}, Function{"cos", Op::cos, 1}, Function{"tan", Op::tan, 1},
    Function{"asin", Op::asin, 1}, Function{"acos", Op::acos, 1}, Function{"atan", Op::atan, 1},
    Function{"atan2", Op::atan2, 2},
    Function{"sinh", Op::sinh, 1}, Function{"cosh", Op::cosh, 1}, Function{"tanh", Op::tanh, 1},
    Function{"exp", Op::exp, 1}, Function{"log", Op::log, 1}, Function{"sqrt", Op::sqrt, 1}, Function{"pow", Op::power, 2},
    Function{"abs", Op::abs, 1}, Function{"sign", Op::sign, 1}, Function{"min", Op::min, -2}, Function{"max", Op::max, -2},
    Function{"step", Op::step, 3}};
// clang-format on

// What people write for units: a hint, not a meaning.
constexpr std::array<std::string_view, 24> kUnitWords{"m",  "dm", "in",  "ft", "kg", "g",  "t",  "lb",  "lbf", "s",  "min", "h",
                                                      "Hz", "N",  "mN",  "MN", "Nm", "Pa", "kPa", "GPa", "J",   "W",  "rad", "kgf"};

template <class Table>
auto find(const Table& table, std::string_view name) -> decltype(table.data()) {
  const auto it = std::ranges::find_if(table, [&](const auto& entry) { return entry.name == name; });
  return it == table.end() ? nullptr : &*it;
}

}  // namespace

std::span<const Constant> all_constants() { return kConstants; }
std::span<const Function> all_functions() { return kFunctions; }
const Constant* find_constant(std::string_view name) { return find(kConstants, name); }
const Constant* find_weak_constant(std::string_view name) { return find(kWeakConstants, name); }
const Function* find_function(std::string_view name) { return find(kFunctions, name); }

bool is_unit_word(std::string_view name) { return std::ranges::find(kUnitWords, name) != kUnitWords.end(); }

std::vector<std::string> factor_names() {
  std::vector<std::string> out;
  for (const Constant& constant : kConstants)
    if (constant.name != "pi") out.emplace_back(constant.name);
  for (const Constant& constant : kWeakConstants) out.emplace_back(constant.name);
  return out;
}

std::string_view function_name(Op op) {
  const auto it = std::ranges::find_if(kFunctions, [&](const Function& f) { return f.op == op; });
  return it == kFunctions.end() ? std::string_view() : it->name;
}

bool is_spellable(std::string_view name) {
  return !name.empty() && begins_name(name.front()) && std::ranges::all_of(name, continues_name);
}

std::string shortened(std::string_view text) {
  if (text.size() <= 40) return std::string(text);
  return std::string(text.substr(0, 37)) + "...";
}

bool is_reserved_name(std::string_view name) {
  return name == "t" || find_constant(name) != nullptr || find_function(name) != nullptr;
}

Result<std::vector<std::string>> names_in(std::string_view text) {
  std::vector<std::string> names;
  std::map<std::string_view, bool> seen;
  for (Tokens tokens(text); tokens.current().kind != Token::Kind::end; tokens.next()) {
    const Token& token = tokens.current();
    if (token.kind == Token::Kind::wrong) return error({1, token.column}, describe_wrong(token));
    if (token.kind != Token::Kind::name || find_constant(token.text) || find_function(token.text)) continue;
    if (seen.emplace(token.text, true).second) names.emplace_back(token.text);
  }
  return names;
}

}  // namespace jounce
