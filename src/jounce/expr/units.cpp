#include "jounce/expr/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "jounce/expr/names.hpp"

namespace jounce {
namespace {

// Powers of kilogram, metre, second; whether it is an angle, which is a number otherwise.
struct Unit {
  bool known = false;
  std::array<int, 3> power{};
  bool angle = false;

  [[nodiscard]] bool plain() const { return known && power == std::array<int, 3>{}; }
};

struct Word {
  std::string_view text;
  std::array<int, 3> power;
};
constexpr std::array kWords{Word{"kg", {1, 0, 0}}, Word{"m", {0, 1, 0}},  Word{"s", {0, 0, 1}},
                            Word{"N", {1, 1, -2}}, Word{"J", {1, 2, -2}}, Word{"W", {1, 2, -3}}};
constexpr std::array<std::string_view, 5> kExponents{"", "", "²", "³", "⁴"};

// "m/s²", "N m", "rad/s", "N/(m s)"
Unit read(std::string_view text) {
  Unit out{.known = !text.empty()};
  int sign = 1;
  while (!text.empty()) {
    if (text.starts_with('/')) sign = -1;
    if (text.front() == '/' || text.front() == ' ' || text.front() == '(' || text.front() == ')') {
      text.remove_prefix(1);
      continue;
    }
    const std::size_t length = std::min(text.find_first_of("/ ()"), text.size());
    std::string_view word = text.substr(0, length);
    text.remove_prefix(length);
    int power = 1;
    for (std::size_t k = 2; k < kExponents.size(); ++k)
      if (word.ends_with(kExponents[k])) power = static_cast<int>(k), word.remove_suffix(kExponents[k].size());
    if (word == "1") continue;
    if (word == "rad") {
      out.angle = true;
      continue;
    }
    const auto known = std::ranges::find(kWords, word, &Word::text);
    if (known == kWords.end()) return {};
    for (std::size_t i = 0; i < 3; ++i) out.power[i] += sign * power * known->power[i];
  }
  return out;
}

std::string write(const Unit& unit) {
  if (!unit.known) return "";
  const auto powers = [](std::string_view word, int p) {
    return std::string(word) + (p > 4 ? fmt::format("^{}", p) : std::string(kExponents[static_cast<std::size_t>(p)]));
  };
  const auto joined = [](const std::string& a, const std::string& b) { return a.empty() ? b : b.empty() ? a : a + " " + b; };
  // newtons, joules and watts where they fit as a whole; a moment is written as such by whoever knows that it is one
  auto [kg, m, s] = unit.power;
  std::string above = unit.angle ? "rad" : "", below;
  if (kg == 1 && s == -2 && m >= 1) {
    above = joined(above, m == 1 ? "N" : m == 2 ? "N m" : "N " + powers("m", m - 1));
    kg = m = s = 0;
  } else if (kg == 1 && s == -3 && m == 2) {
    above = joined(above, "W");
    kg = m = s = 0;
  } else if (kg == 1 && s <= -2 && m <= 1) {
    above = joined(above, "N");
    kg = 0, m -= 1, s += 2;
  }
  const std::array<std::string_view, 3> words{"kg", "m", "s"};
  const std::array<int, 3> power{kg, m, s};
  for (std::size_t i = 0; i < 3; ++i) {
    if (power[i] > 0) above = joined(above, powers(words[i], power[i]));
    if (power[i] < 0) below = joined(below, powers(words[i], -power[i]));
  }
  if (below.empty()) return above;
  return (above.empty() ? "1" : above) + "/" + (below.find(' ') == below.npos ? below : "(" + below + ")");
}

// "a length (m)": what a person calls it
std::string called(const Unit& unit) {
  const std::string text = write(unit);
  return text.empty() ? "a plain number" : text;
}

class Check {
 public:
  Check(const SyntaxTree& tree, std::span<const std::string> of_variables) : tree_(tree), of_variables_(of_variables) {}

  UnitCheck run(NodeId root) {
    std::vector<Unit> unit(static_cast<std::size_t>(root) + 1);
    std::vector<bool> needed(unit.size(), false);
    needed.back() = true;
    for (NodeId k = root; k >= 0; --k)
      if (needed[static_cast<std::size_t>(k)])
        for (std::size_t o = 0; o < tree_.node(k).operands; ++o)
          needed[static_cast<std::size_t>(tree_.node(k).operand[o])] = true;
    for (NodeId k = 0; k <= root; ++k)
      if (needed[static_cast<std::size_t>(k)]) unit[static_cast<std::size_t>(k)] = of(tree_.node(k), unit);
    if (const Node& whole = tree_.node(root); whole.kind == Node::Kind::variable) return {{}, of_variables_[whole.variable]};
    return {std::move(wrong_), write(unit.back())};
  }

 private:
  Unit of(const Node& node, const std::vector<Unit>& unit) {
    if (node.kind == Node::Kind::constant) return {};
    if (node.kind == Node::Kind::variable) return read(of_variables_[node.variable]);
    const auto operand = [&](std::size_t k) { return unit[static_cast<std::size_t>(node.operand[k])]; };
    const Unit a = operand(0), b = node.operands > 1 ? operand(1) : Unit{};
    switch (node.op) {
      case Op::negate:
      case Op::abs: return a;
      case Op::add:
      case Op::subtract: return same(node, a, b, node.op == Op::add ? "added to" : "subtracted from");
      case Op::min:
      case Op::max: return same(node, a, b, "compared with");
      case Op::multiply: return product(a, b, 1);
      case Op::divide: return product(a, b, -1);
      case Op::sqrt: return root(a);
      case Op::power: return power(node, a, b);
      case Op::atan2: return (void)same(node, a, b, "taken as the sides of an angle with"), Unit{true, {}, true};
      case Op::asin:
      case Op::acos:
      case Op::atan: return number(node, a), Unit{true, {}, true};
      case Op::sign: return {true, {}, false};
      case Op::step: return (void)same(node, a, b, "compared with"), Unit{};
      case Op::lookup: return {};
      default: return number(node, a), Unit{true, {}, false};  // sin, exp, log, …
    }
  }

  // Of a sum: both, if they can be meant.
  Unit same(const Node& node, const Unit& a, const Unit& b, std::string_view done) {
    if (!a.known || !b.known) return a.known ? a : b;  // what is added to a length is one
    if (a.power == b.power) {
      if (a.angle == b.angle || a.plain()) return {true, a.power, a.angle || b.angle};
      return {true, a.power, false};
    }
    // "x added to y" tells b first
    wrong_.push_back({fmt::format("{} cannot be {} {}", called(b), done, called(a)), node.column});
    return {};
  }

  static Unit product(const Unit& a, const Unit& b, int sign) {
    if (!a.known || !b.known) return {};
    Unit out{.known = true};
    for (std::size_t i = 0; i < 3; ++i) out.power[i] = a.power[i] + sign * b.power[i];
    // radians are numbers beside anything else: N m times rad/s is watts
    out.angle = out.power == std::array<int, 3>{} || (a.power[0] == 0 && b.power[0] == 0 && a.power[1] == 0 && b.power[1] == 0)
                    ? a.angle != b.angle
                    : false;
    return out;
  }

  static Unit root(const Unit& a) {
    Unit out{.known = a.known, .angle = a.angle};
    for (std::size_t i = 0; i < 3; ++i) {
      if (a.power[i] % 2 != 0) return {};
      out.power[i] = a.power[i] / 2;
    }
    return out;
  }

  Unit power(const Node& node, const Unit& a, const Unit& b) {
    if (b.known && !b.plain())
      wrong_.push_back({fmt::format("a power must be a plain number, found {}", called(b)), node.column});
    const Node& exponent = tree_.node(node.operand[1]);
    if (!a.known || exponent.kind != Node::Kind::constant) return {};
    const int whole = static_cast<int>(exponent.value);
    if (whole != exponent.value || whole < 0 || whole > 4) return {};
    Unit out{.known = true, .angle = whole == 1 && a.angle};
    for (std::size_t i = 0; i < 3; ++i) out.power[i] = whole * a.power[i];
    return out;
  }

  void number(const Node& node, const Unit& a) {
    if (a.known && !a.plain())
      wrong_.push_back(
          {fmt::format("'{}' is of an angle or a plain number, found {}", function_name(node.op), called(a)), node.column});
  }

  const SyntaxTree& tree_;
  std::span<const std::string> of_variables_;
  std::vector<ExpressionFault> wrong_;
};

}  // namespace

UnitCheck check_units(const SyntaxTree& tree, NodeId root, std::span<const std::string> of_variables) {
  return Check(tree, of_variables).run(root);
}

std::string times_second(std::string_view unit) {
  if (unit == "W") return "J";
  Unit out = read(unit);
  ++out.power[2];
  return write(out);
}

std::string per_second(std::string_view unit) {
  Unit out = read(unit);
  --out.power[2];
  return write(out);
}

}  // namespace jounce
