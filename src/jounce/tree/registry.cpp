#include "jounce/tree/registry.hpp"

#include <algorithm>

namespace jounce::tree {
namespace {

// A plain mark where the type says nothing.
template <class J>
constexpr DrawingSymbol symbol_of() {
  if constexpr (requires { J::symbol; }) return J::symbol;
  else return DrawingSymbol::mark;
}

}  // namespace

Step screwing(const std::array<double, 6>& b, int coordinate) {
  const Vec3<double> w{b[0], b[1], b[2]}, u{b[3], b[4], b[5]};
  const double turn = length(w);
  if (turn == 0) return {Motion::screw, coordinate, u * (1 / length(u)), {}, 0, length(u)};
  return {Motion::screw, coordinate, w * (1 / turn), cross(w, u) * (1 / (turn * turn)), turn, dot(w, u) / turn};
}

std::span<const JointType> joint_types() {
  static const auto types = std::apply(
      []<class... J>(const J&...) {
        return std::array<JointType, sizeof...(J)>{JointType{J::type, J::summary, J::coordinates, J::keys, &J::steps, symbol_of<J>()}...};
      },
      Joints{});
  return types;
}

const JointType* find_joint_type(std::string_view type) {
  const auto types = joint_types();
  const auto it = std::ranges::find(types, type, &JointType::type);
  return it == types.end() ? nullptr : &*it;
}

}  // namespace jounce::tree
