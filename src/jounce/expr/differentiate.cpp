// The chain rule, one operation at a time.
#include "jounce/expr/lookup_table.hpp"
#include "jounce/expr/syntax_tree.hpp"

namespace jounce {
namespace {

constexpr int kDegreeOfTable = 5, kDegreeOfStep = 9;  // no derivative beyond these differs from zero

}  // namespace

NodeId SyntaxTree::chain(NodeId id, const std::vector<NodeId>& d, std::optional<ExpressionFault>& fault) {
  const Node node = at(id);  // a copy: new ones come
  const int column = node.column;
  const auto rate = [&](std::size_t k) { return k < node.operands ? d[static_cast<std::size_t>(node.operand[k])] : kNoNode; };
  const NodeId u = node.operand[0], v = node.operand[1], du = rate(0), dv = rate(1);
  if (du == kNoNode && dv == kNoNode && rate(2) == kNoNode) return kNoNode;

  const auto number = [&](double x) { return constant(x); };
  const auto make = [&](Op op, NodeId a, NodeId b = kNoNode) {
    std::optional<ExpressionFault> own;
    const NodeId made = b == kNoNode ? operation(op, {a}, column, own) : operation(op, {a, b}, column, own);
    if (own && !fault) fault = own;
    return made;
  };
  // sums and products of which one part may be zero, that is kNoNode
  const auto times = [&](NodeId a, NodeId b) { return a == kNoNode || b == kNoNode ? kNoNode : make(Op::multiply, a, b); };
  const auto over = [&](NodeId a, NodeId b) { return a == kNoNode ? kNoNode : make(Op::divide, a, b); };
  const auto minus = [&](NodeId a) { return a == kNoNode ? kNoNode : make(Op::negate, a); };
  const auto sum = [&](NodeId a, NodeId b) { return a == kNoNode ? b : b == kNoNode ? a : make(Op::add, a, b); };
  const auto difference = [&](NodeId a, NodeId b) {
    return b == kNoNode ? a : a == kNoNode ? minus(b) : make(Op::subtract, a, b);
  };
  const auto square = [&](NodeId a) { return make(Op::multiply, a, a); };
  const auto refuse = [&](const char* sentence) {
    if (!fault) fault = ExpressionFault{sentence, column};
    return kNoNode;
  };

  switch (node.op) {
    case Op::negate: return minus(du);
    case Op::sin: return times(make(Op::cos, u), du);
    case Op::cos: return minus(times(make(Op::sin, u), du));
    case Op::tan: return times(make(Op::add, number(1), square(id)), du);
    case Op::asin: return over(du, make(Op::sqrt, make(Op::subtract, number(1), square(u))));
    case Op::acos: return minus(over(du, make(Op::sqrt, make(Op::subtract, number(1), square(u)))));
    case Op::atan: return over(du, make(Op::add, number(1), square(u)));
    case Op::sinh: return times(make(Op::cosh, u), du);
    case Op::cosh: return times(make(Op::sinh, u), du);
    case Op::tanh: return times(make(Op::subtract, number(1), square(id)), du);
    case Op::exp: return times(id, du);
    case Op::log: return over(du, u);
    case Op::sqrt: return over(du, make(Op::multiply, number(2), id));
    case Op::abs: return times(make(Op::sign, u), du);
    case Op::sign: return kNoNode;
    case Op::lookup: {
      if (node.derivative >= kDegreeOfTable) return refuse("a table has five derivatives");
      std::optional<ExpressionFault> own;
      return times(lookup(*node.table, u, node.derivative + 1, column, own), du);
    }
    case Op::add: return sum(du, dv);
    case Op::subtract: return difference(du, dv);
    case Op::multiply: return sum(times(du, v), times(u, dv));
    case Op::divide: return over(difference(du, times(id, dv)), v);
    case Op::power:
      if (dv == kNoNode && at(v).kind == Node::Kind::constant) {
        const double p = at(v).value;
        if (p == 0) return kNoNode;
        if (p == 1) return du;
        return times(make(Op::multiply, number(p), p == 2 ? u : make(Op::power, u, number(p - 1))), du);
      }
      return times(id, sum(times(dv, make(Op::log, u)), over(times(v, du), u)));
    case Op::atan2: return over(difference(times(v, du), times(u, dv)), make(Op::add, square(u), square(v)));
    case Op::min:
    case Op::max: {  // half of u + v ∓ |u − v|
      const NodeId apart = times(make(Op::sign, make(Op::subtract, u, v)), difference(du, dv));
      return times(number(0.5), node.op == Op::min ? difference(sum(du, dv), apart) : sum(sum(du, dv), apart));
    }
    case Op::step: {
      if (at(v).kind != Node::Kind::constant || at(node.operand[2]).kind != Node::Kind::constant)
        return refuse("the limits of a step must be constants where its rate is asked for");
      if (node.derivative >= kDegreeOfStep) return kNoNode;
      std::optional<ExpressionFault> own;
      return times(step(u, v, node.operand[2], node.derivative + 1, column, own), du);
    }
  }
  return kNoNode;
}

}  // namespace jounce
