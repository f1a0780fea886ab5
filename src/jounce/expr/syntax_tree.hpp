// The tree between text and program: built from the leaves up, constants folded as it grows.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "jounce/expr/program.hpp"

namespace jounce {

/// An index into the nodes of a tree; operands stand before the operation.
using NodeId = std::int32_t;
inline constexpr NodeId kNoNode = -1;

struct Node {
  enum class Kind : std::uint8_t { constant, variable, operation };
  Kind kind = Kind::constant;
  Op op = Op::negate;
  std::uint8_t operands = 0;
  std::uint8_t needs = 0;              ///< registers to compute it; none for a leaf
  std::uint8_t derivative = 0;         ///< of lookup and step
  std::uint32_t size = 1;              ///< operations of the whole of it, each as often as it is written
  const LookupTable* table = nullptr;  ///< of lookup
  std::array<NodeId, 3> operand{};
  int column = 0;
  double value = 0;    ///< of a constant
  Place variable = 0;  ///< its place
};

class SyntaxTree {
 public:
  [[nodiscard]] NodeId constant(double value);
  [[nodiscard]] NodeId variable(std::size_t index);
  /// Folded when all its operands are constants; a fault met while folding is reported and leaves an unfolded node.
  [[nodiscard]] NodeId operation(Op op, std::initializer_list<NodeId> operands, int column, std::optional<ExpressionFault>& fault);

  /// One number of a table: its derivative, so many times, at an operand.
  [[nodiscard]] NodeId lookup(const LookupTable& table, NodeId at, int derivative, int column,
                              std::optional<ExpressionFault>& fault);
  [[nodiscard]] NodeId step(NodeId x, NodeId from, NodeId to, int derivative, int column,
                            std::optional<ExpressionFault>& fault);
  [[nodiscard]] const Node& node(NodeId id) const { return at(id); }

  /// The derivative by time of what stands at `root`; `rate(variable)` gives that of a variable, and nothing where it has none,
  /// which then is the answer (`rate` has said why). Of a function that goes no further (a step whose limits move, a table
  /// differentiated five times) the fault is filled.
  template <class Rate>
  [[nodiscard]] std::optional<NodeId> differentiate(NodeId root, const Rate& rate, std::optional<ExpressionFault>& fault);

  /// Fills code, registers, result and constant of a program whose variables are known.
  void compile(NodeId root, Program& program) const;

 private:
  [[nodiscard]] const Node& at(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] NodeId add(const Node& node);
  [[nodiscard]] NodeId operation(Node node, std::initializer_list<NodeId> operands, std::optional<ExpressionFault>& fault);
  /// By the chain rule; `d` holds the derivatives of its operands, kNoNode where they are zero. kNoNode: zero.
  [[nodiscard]] NodeId chain(NodeId id, const std::vector<NodeId>& d, std::optional<ExpressionFault>& fault);
  [[nodiscard]] std::optional<ExpressionFault> fold(Node& node) const;

  std::vector<Node> nodes_;
};

template <class Rate>
std::optional<NodeId> SyntaxTree::differentiate(NodeId root, const Rate& rate, std::optional<ExpressionFault>& fault) {
  const auto count = static_cast<std::size_t>(root) + 1;  // operands stand before operations
  std::vector<bool> needed(count, false);
  needed[count - 1] = true;
  for (std::size_t k = count; k-- > 0;)
    if (needed[k])
      for (std::size_t o = 0; o < nodes_[k].operands; ++o) needed[static_cast<std::size_t>(nodes_[k].operand[o])] = true;
  std::vector<NodeId> d(count, kNoNode);
  for (std::size_t k = 0; k < count; ++k) {
    if (!needed[k] || nodes_[k].kind == Node::Kind::constant) continue;
    if (nodes_[k].kind == Node::Kind::variable) {
      const std::optional<NodeId> of_variable = rate(nodes_[k].variable);
      if (!of_variable) return std::nullopt;
      d[k] = *of_variable;
    } else {
      d[k] = chain(static_cast<NodeId>(k), d, fault);
    }
    if (fault) return std::nullopt;
  }
  return d.back() == kNoNode ? constant(0) : d.back();
}

}  // namespace jounce
