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

// Those of its steps, where it does not say that some of them are the same.
template <class J>
int freedoms_of() {
  if constexpr (requires { J::freedoms; }) return J::freedoms;
  if (J::keys.screws) return 0;
  int count = 0;
  for (const Step& step : J::steps({})) count += dofs(step.motion);
  return count;
}

template <class... J>
std::array<JointType, sizeof...(J)> values(const std::tuple<J...>&) {
  return {JointType{J::type, J::summary, J::coordinates, J::keys, &J::steps, symbol_of<J>(), freedoms_of<J>()}...};
}

const JointType* find(std::span<const JointType> types, std::string_view type) {
  const auto it = std::ranges::find(types, type, &JointType::type);
  return it == types.end() ? nullptr : &*it;
}

}  // namespace

Step screwing(const std::array<double, 6>& b, int coordinate) {
  const Vec3<double> w{b[0], b[1], b[2]}, u{b[3], b[4], b[5]};
  const double turn = length(w);
  if (turn == 0) return {Motion::screw, coordinate, u * (1 / length(u)), {}, 0, length(u)};
  return {Motion::screw, coordinate, w * (1 / turn), cross(w, u) * (1 / (turn * turn)), turn, dot(w, u) / turn};
}

std::span<const JointType> joint_types() {
  static const auto types = values(Joints{});
  return types;
}

std::span<const JointType> closing_types() {
  static const auto types = values(Closings{});
  return types;
}

const JointType* find_joint_type(std::string_view type) { return find(joint_types(), type); }

const JointType* find_loop_type(std::string_view type) {
  const JointType* closing = find(closing_types(), type);
  return closing != nullptr ? closing : find_joint_type(type);
}

}  // namespace jounce::tree
