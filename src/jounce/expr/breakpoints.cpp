#include "jounce/expr/breakpoints.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jounce {
namespace {

/// Points of the grid on which changes of sign are looked for.
constexpr int kGrid = 1024;

bool switches(Op op) { return op == Op::abs || op == Op::sign || op == Op::min || op == Op::max || op == Op::step || op == Op::lookup; }

// Which instructions of a program depend on nothing but the clock, and the arguments whose signs decide what they do.
class Switches {
 public:
  Switches(const Program& program, std::size_t clock) : program_(program), clock_(clock) {
    std::vector<bool> foreign(Program::kMaxRegisters, false);
    const std::size_t n = program.variables.size();
    for (const Instruction& i : program.code) {
      bool other = false;
      for (const Place place : i.from)
        if (place != kConstant) other = other || (place < n ? place != clock : foreign[place - n]);
      foreign[i.to] = other;
      timely_.push_back(switches(i.op) && !other);
      elsewhere_ = elsewhere_ || (switches(i.op) && other);
    }
  }

  [[nodiscard]] bool any() const { return std::ranges::find(timely_, true) != timely_.end(); }
  [[nodiscard]] bool elsewhere() const { return elsewhere_; }

  /// Where each stands at t. A step is 0 before its edge and 2 from there on; a kink 0 and 2 on its sides and 1 at it, where there is no
  /// derivative. Empty where the function has no value.
  [[nodiscard]] std::vector<char> at(double t) const {
    std::vector<char> sides;
    const auto kink = [](double x) { return static_cast<char>(x > 0 ? 2 : x < 0 ? 0 : 1); };
    const auto edge = [](double x, double a) { return static_cast<char>(x >= a ? 2 : 0); };
    std::array<double, Program::kMaxRegisters> r{};
    const std::size_t n = program_.variables.size();
    const auto read = [&](Place place) -> const double& { return place < n ? variable(place, t) : r[place - n]; };
    const auto argument = [&](const Instruction& i, std::size_t k) { return i.from[k] == kConstant ? i.constant[k] : read(i.from[k]); };
    for (std::size_t k = 0; k < program_.code.size(); ++k) {
      const Instruction& i = program_.code[k];
      if (timely_[k]) {
        const double x = argument(i, 0);
        if (i.op == Op::abs || i.op == Op::sign) sides.push_back(kink(x));
        if (i.op == Op::min || i.op == Op::max) sides.push_back(kink(x - argument(i, 1)));
        if (i.op == Op::lookup) sides.push_back(piece(*i.table, x));
        if (i.op == Op::step) sides.push_back(edge(x, argument(i, 1))), sides.push_back(edge(x, argument(i, 2)));
      }
      double value = 0;
      if (functions::apply(i, read, value) != nullptr && timely_[k]) return {};
      r[i.to] = value;
    }
    return sides;
  }

 private:
  // Which polynomial of a table it is, as far as a character tells: neighbours differ.
  static char piece(const LookupTable& table, double x) {
    const double turns = table.period > 0 ? std::floor((x - table.spline.front()) / table.period) : 0;
    const auto at = static_cast<long>(table.spline.piece_index(x - turns * table.period)) + static_cast<long>(turns) * static_cast<long>(table.spline.pieces());
    return static_cast<char>(at % 3 == 0 ? 0 : at % 3 == 1 || at % 3 == -2 ? 2 : 3);
  }

  const double& variable(Place place, double t) const { return place == clock_ ? (now_ = t, now_) : zero_; }

  const Program& program_;
  std::size_t clock_;
  std::vector<bool> timely_;
  bool elsewhere_ = false;
  double zero_ = 0;
  mutable double now_ = 0;
};

// The first time after a at which it stands as it does at b, given that it changes between.
double first_after(const Switches& of, double a, double b) {
  const auto before = of.at(a);
  for (;;) {
    const double middle = a + (b - a) / 2;
    if (!(middle > a && middle < b)) return b;
    (of.at(middle) == before ? a : b) = middle;
  }
}

}  // namespace

std::vector<double> breakpoints(const Expression& law, std::size_t clock, double from, double to) {
  std::vector<double> out;
  const Switches of(law.program(), clock);
  if (!of.any() || !(to > from)) return out;
  double a = from;
  auto side = of.at(a);
  if (std::ranges::find(side, char{1}) != side.end()) {  // begins at a kink
    a = std::nextafter(a, std::numeric_limits<double>::infinity());
    side = of.at(a);
    out.push_back(a);
  }
  for (int i = 1; i <= kGrid; ++i) {
    const double b = i == kGrid ? to : from + (to - from) * i / kGrid;
    const auto next = of.at(b);
    // several may lie between two points of the grid
    while (next != side && a < b) {
      a = first_after(of, a, b);
      side = of.at(a);
      if (std::ranges::find(side, char{1}) != side.end()) {  // at a kink, not behind it
        a = std::nextafter(a, std::numeric_limits<double>::infinity());
        side = of.at(a);
      }
      if (a > from && a < to) out.push_back(a);
    }
    if (a < b) a = b, side = next;  // else it went beyond b, to get behind a kink at b
  }
  return out;
}

std::vector<double> breakpoints(const TimeFunction& function, double from, double to) {
  if (const Expression* expression = function.expression()) return breakpoints(*expression, 0, from, to);
  std::vector<double> out = function.table()->knots();
  std::erase_if(out, [&](double t) { return !(t > from && t < to); });
  return out;
}

bool has_kinks_elsewhere(const Expression& law, std::size_t clock) { return Switches(law.program(), clock).elsewhere(); }

}  // namespace jounce
