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

struct Node {
  enum class Kind : std::uint8_t { constant, variable, operation };
  Kind kind = Kind::constant;
  Op op = Op::negate;
  std::uint8_t operands = 0;
  std::uint8_t needs = 0;  ///< registers to compute it; none for a leaf
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

  /// Fills code, registers, result and constant of a program whose variables are known.
  void compile(NodeId root, Program& program) const;

 private:
  [[nodiscard]] const Node& at(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] NodeId add(const Node& node);
  [[nodiscard]] std::optional<ExpressionFault> fold(Node& node) const;

  std::vector<Node> nodes_;
};

}  // namespace jounce
