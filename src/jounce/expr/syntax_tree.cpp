#include "jounce/expr/syntax_tree.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/require.hpp"
#include "jounce/expr/functions.hpp"

namespace jounce {
namespace {

// An operation whose operands are being computed, the most demanding first.
struct Frame {
  NodeId id;
  std::array<NodeId, 3> order{};
  int waiting = 0;  // operands still to compute: order[waiting - 1] is next
};

}  // namespace

NodeId SyntaxTree::add(const Node& node) {
  nodes_.push_back(node);
  return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId SyntaxTree::constant(double value) {
  Node node;
  node.value = value;
  return add(node);
}

NodeId SyntaxTree::variable(std::size_t index) {
  Node node;
  node.kind = Node::Kind::variable;
  node.variable = static_cast<Place>(index);
  return add(node);
}

NodeId SyntaxTree::operation(Op op, std::initializer_list<NodeId> operands, int column, std::optional<ExpressionFault>& fault) {
  Node node;
  node.kind = Node::Kind::operation;
  node.op = op;
  node.operands = static_cast<std::uint8_t>(operands.size());
  node.column = column;
  std::ranges::copy(operands, node.operand.begin());
  if (std::ranges::all_of(operands, [&](NodeId id) { return at(id).kind == Node::Kind::constant; })) {
    fault = fold(node);
    if (!fault) return constant(node.value);
  }
  // Registers: operands in order of falling need, each result held while the next is computed.
  std::array<int, 3> needs{};
  std::ranges::transform(operands, needs.begin(), [&](NodeId id) { return int(at(id).needs); });
  std::ranges::sort(needs, std::greater());
  int most = 1;
  for (int k = 0; k < 3; ++k)
    if (const int need = needs[static_cast<std::size_t>(k)]; need > 0) most = std::max(most, need + k);
  node.needs = static_cast<std::uint8_t>(most);
  return add(node);
}

std::optional<ExpressionFault> SyntaxTree::fold(Node& node) const {
  Instruction instruction;
  instruction.op = node.op;
  instruction.column = node.column;
  std::array<double, 3> found{};
  for (std::size_t k = 0; k < node.operands; ++k) {
    instruction.from[k] = static_cast<Place>(k);
    found[k] = at(node.operand[k]).value;
  }
  const char* trouble = functions::apply(
      instruction, [&](Place k) -> const double& { return found[k]; }, node.value);
  if (trouble == nullptr && !std::isfinite(node.value)) trouble = functions::kOverflow;
  if (trouble == nullptr) return std::nullopt;
  return describe(trouble, instruction, found);
}

void SyntaxTree::compile(NodeId root, Program& program) const {
  const std::size_t variables = program.variables.size();
  std::vector<Place> place(nodes_.size(), kConstant);
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    if (nodes_[k].kind == Node::Kind::variable) place[k] = nodes_[k].variable;

  const auto open = [&](NodeId id) {
    Frame frame{.id = id};
    for (std::size_t k = 0; k < at(id).operands; ++k)
      if (at(at(id).operand[k]).kind == Node::Kind::operation)
        frame.order[static_cast<std::size_t>(frame.waiting++)] = at(id).operand[k];
    std::stable_sort(frame.order.begin(), frame.order.begin() + frame.waiting,
                     [&](NodeId a, NodeId b) { return at(a).needs < at(b).needs; });
    return frame;
  };

  std::vector<Frame> frames;
  std::size_t held = 0;  // registers in use
  if (at(root).kind == Node::Kind::operation) frames.push_back(open(root));
  while (!frames.empty()) {
    if (Frame& frame = frames.back(); frame.waiting > 0) {
      frames.push_back(open(frame.order[static_cast<std::size_t>(--frame.waiting)]));
      continue;
    }
    const NodeId id = frames.back().id;
    frames.pop_back();
    const Node& node = at(id);
    Instruction instruction{.op = node.op, .column = node.column};
    for (std::size_t k = 0; k < node.operands; ++k) {
      const NodeId operand = node.operand[k];
      instruction.from[k] = place[static_cast<std::size_t>(operand)];
      instruction.constant[k] = at(operand).value;
      if (at(operand).kind == Node::Kind::operation) --held;
    }
    instruction.to = static_cast<std::uint8_t>(held);
    place[static_cast<std::size_t>(id)] = static_cast<Place>(variables + held++);
    program.registers = std::max(program.registers, held);
    program.code.push_back(instruction);
  }
  JOUNCE_REQUIRE(program.registers <= Program::kMaxRegisters, "an expression of the longest text allowed fits the registers");
  program.result = place[static_cast<std::size_t>(root)];
  program.constant = at(root).value;
}

}  // namespace jounce
