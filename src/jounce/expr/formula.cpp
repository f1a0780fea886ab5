#include "jounce/expr/formula.hpp"

#include <algorithm>

#include "jounce/base/require.hpp"

namespace jounce {

Formula::Term Formula::table(const std::shared_ptr<const LookupTable>& table, Term at, int derivative) {
  if (std::ranges::find(tables_, table) == tables_.end()) tables_.push_back(table);
  std::optional<ExpressionFault> fault;
  const NodeId id = tree_.lookup(*table, at.id, derivative, 1, fault);
  JOUNCE_REQUIRE(!fault, "a formula has a value where it is constant");
  return {this, id};
}

Formula::Term Formula::made(Op op, Term a) {
  std::optional<ExpressionFault> fault;
  const NodeId id = tree_.operation(op, {a.id}, 1, fault);
  JOUNCE_REQUIRE(!fault, "a formula has a value where it is constant");
  return {this, id};
}

Formula::Term Formula::made(Op op, Term a, Term b) {
  std::optional<ExpressionFault> fault;
  const NodeId id = tree_.operation(op, {a.id, b.id}, 1, fault);
  JOUNCE_REQUIRE(!fault, "a formula has a value where it is constant");
  return {this, id};
}

Expression Formula::expression(Term term, std::string text) const {
  Program program;
  program.text = std::move(text);
  program.variables = variables_;
  program.tables = tables_;
  tree_.compile(term.id, program);
  program.used.assign(variables_.size(), false);
  const auto use = [&](Place place) {
    if (place < variables_.size()) program.used[place] = true;
  };
  use(program.result);
  for (const Instruction& i : program.code) std::ranges::for_each(i.from, use);
  return Expression::compiled(std::move(program));
}

Expression Formula::derivative(Term term, std::size_t by, std::string text) {
  std::optional<ExpressionFault> fault;
  const NodeId one = tree_.constant(1);
  const auto rate = [&](Place variable) { return std::optional<NodeId>(variable == by ? one : kNoNode); };
  const std::optional<NodeId> found = tree_.differentiate(term.id, rate, fault);
  JOUNCE_REQUIRE(found.has_value() && !fault, "a formula has the derivative that is asked for");
  return expression({this, *found}, std::move(text));
}

}  // namespace jounce
