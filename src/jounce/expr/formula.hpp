// Expressions that the program itself writes: the signs of C++ in place of a text.
//
//   Formula f({"x", "y"});
//   const auto r = sqrt(f[0] * f[0] + f[1] * f[1]);
//   const Expression distance = f.expression(r), by_x = f.derivative(r, 0);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jounce/expr/expression.hpp"
#include "jounce/expr/lookup_table.hpp"
#include "jounce/expr/syntax_tree.hpp"

namespace jounce {

class Formula {
 public:
  /// A part of it; good as long as the formula is.
  struct Term {
    Formula* of;
    NodeId id;
  };

  explicit Formula(std::vector<std::string> variables) : variables_(std::move(variables)) {}
  Formula(const Formula&) = delete;
  Formula& operator=(const Formula&) = delete;

  /// A variable, in the order that they were named.
  [[nodiscard]] Term operator[](std::size_t variable) { return {this, tree_.variable(variable)}; }
  [[nodiscard]] Term number(double value) { return {this, tree_.constant(value)}; }
  /// A table at a term, differentiated so many times.
  [[nodiscard]] Term table(const std::shared_ptr<const LookupTable>& table, Term at, int derivative);
  [[nodiscard]] Term made(Op op, Term a);
  [[nodiscard]] Term made(Op op, Term a, Term b);

  /// `text`: as messages show it.
  [[nodiscard]] Expression expression(Term term, std::string text) const;
  [[nodiscard]] Expression derivative(Term term, std::size_t by, std::string text);

 private:
  std::vector<std::string> variables_;
  SyntaxTree tree_;
  std::vector<std::shared_ptr<const LookupTable>> tables_;
};

[[nodiscard]] inline Formula::Term operator+(Formula::Term a, Formula::Term b) { return a.of->made(Op::add, a, b); }
[[nodiscard]] inline Formula::Term operator-(Formula::Term a, Formula::Term b) { return a.of->made(Op::subtract, a, b); }
[[nodiscard]] inline Formula::Term operator*(Formula::Term a, Formula::Term b) { return a.of->made(Op::multiply, a, b); }
[[nodiscard]] inline Formula::Term operator/(Formula::Term a, Formula::Term b) { return a.of->made(Op::divide, a, b); }
[[nodiscard]] inline Formula::Term operator-(Formula::Term a, double b) { return a - a.of->number(b); }
[[nodiscard]] inline Formula::Term operator*(double a, Formula::Term b) { return b.of->number(a) * b; }
[[nodiscard]] inline Formula::Term sine(Formula::Term a) { return a.of->made(Op::sin, a); }
[[nodiscard]] inline Formula::Term cosine(Formula::Term a) { return a.of->made(Op::cos, a); }
[[nodiscard]] inline Formula::Term sqrt(Formula::Term a) { return a.of->made(Op::sqrt, a); }

}  // namespace jounce
