#include "jounce/expr/syntax_tree.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/require.hpp"
#include "jounce/expr/functions.hpp"

namespace jounce {
namespace {

// An operation whose operands are being computed, the most demanding first. What is written once may be used more than once: it
// is computed for each use.
struct Frame {
  NodeId id;
  int parent = -1, slot = 0;            // whose operand it is
  std::array<std::uint8_t, 3> order{};  // operands
  int waiting = 0;                      // still to compute: order[waiting - 1] is next
  std::array<Place, 3> place{kConstant, kConstant, kConstant};
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
  node.op = op;
  node.column = column;
  return operation(node, operands, fault);
}

NodeId SyntaxTree::lookup(const LookupTable& table, NodeId where, int derivative, int column,
                          std::optional<ExpressionFault>& fault) {
  Node node;
  node.op = Op::lookup;
  node.column = column;
  node.table = &table;
  node.derivative = static_cast<std::uint8_t>(derivative);
  return operation(node, {where}, fault);
}

NodeId SyntaxTree::step(NodeId x, NodeId from, NodeId to, int derivative, int column, std::optional<ExpressionFault>& fault) {
  Node node;
  node.op = Op::step;
  node.column = column;
  node.derivative = static_cast<std::uint8_t>(derivative);
  return operation(node, {x, from, to}, fault);
}

NodeId SyntaxTree::operation(Node node, std::initializer_list<NodeId> operands, std::optional<ExpressionFault>& fault) {
  node.kind = Node::Kind::operation;
  node.operands = static_cast<std::uint8_t>(operands.size());
  std::ranges::copy(operands, node.operand.begin());
  if (std::ranges::all_of(operands, [&](NodeId id) { return at(id).kind == Node::Kind::constant; })) {
    fault = fold(node);
    if (!fault) return constant(node.value);
  }
  for (const NodeId id : operands) node.size = std::min(node.size + at(id).size, Program::kMaxOperations + 1);
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
  instruction.derivative = node.derivative;
  instruction.table = node.table;
  std::array<double, 3> found{};
  for (std::size_t k = 0; k < node.operands; ++k) {
    instruction.from[k] = static_cast<Place>(k);
    found[k] = instruction.constant[k] = at(node.operand[k]).value;
  }
  const char* trouble = functions::apply(
      instruction, [&](Place k) -> const double& { return found[k]; }, node.value);
  if (trouble == nullptr && !std::isfinite(node.value)) trouble = functions::kOverflow;
  if (trouble == nullptr) return std::nullopt;
  return describe(trouble, instruction, found);
}

void SyntaxTree::compile(NodeId root, Program& program) const {
  const std::size_t variables = program.variables.size();
  const auto leaf = [&](NodeId id) { return at(id).kind == Node::Kind::variable ? at(id).variable : kConstant; };
  const auto open = [&](NodeId id, int parent, int slot) {
    Frame frame{.id = id, .parent = parent, .slot = slot};
    for (std::size_t k = 0; k < at(id).operands; ++k) {
      const NodeId operand = at(id).operand[k];
      if (at(operand).kind == Node::Kind::operation)
        frame.order[static_cast<std::size_t>(frame.waiting++)] = static_cast<std::uint8_t>(k);
      else
        frame.place[k] = leaf(operand);
    }
    std::stable_sort(frame.order.begin(), frame.order.begin() + frame.waiting,
                     [&](std::uint8_t a, std::uint8_t b) { return at(at(id).operand[a]).needs < at(at(id).operand[b]).needs; });
    return frame;
  };

  std::vector<Frame> frames;
  std::size_t held = 0;  // registers in use
  program.result = leaf(root);
  if (at(root).kind == Node::Kind::operation) frames.push_back(open(root, -1, 0));
  while (!frames.empty()) {
    if (Frame& frame = frames.back(); frame.waiting > 0) {
      const int slot = frame.order[static_cast<std::size_t>(--frame.waiting)];
      frames.push_back(open(at(frame.id).operand[static_cast<std::size_t>(slot)], static_cast<int>(frames.size()) - 1, slot));
      continue;
    }
    const Frame done = frames.back();
    frames.pop_back();
    const Node& node = at(done.id);
    Instruction instruction{.op = node.op, .derivative = node.derivative, .column = node.column, .table = node.table};
    for (std::size_t k = 0; k < node.operands; ++k) {
      instruction.from[k] = done.place[k];
      instruction.constant[k] = at(node.operand[k]).value;
      if (at(node.operand[k]).kind == Node::Kind::operation) --held;
    }
    instruction.to = static_cast<std::uint8_t>(held);
    const auto place = static_cast<Place>(variables + held++);
    if (done.parent < 0)
      program.result = place;
    else
      frames[static_cast<std::size_t>(done.parent)].place[static_cast<std::size_t>(done.slot)] = place;
    program.registers = std::max(program.registers, held);
    program.code.push_back(instruction);
  }
  JOUNCE_REQUIRE(program.registers <= Program::kMaxRegisters, "an expression of the longest text allowed fits the registers");
  program.constant = at(root).value;
}

}  // namespace jounce
