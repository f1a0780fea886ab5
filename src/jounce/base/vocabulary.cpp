#include "jounce/base/vocabulary.hpp"

#include <algorithm>
#include <array>

namespace jounce {
namespace {

// Two words for one thing.
struct Pair {
  std::string_view one, other;

  // The other of the two; empty where the word is neither.
  [[nodiscard]] std::string_view beside(std::string_view word) const { return word == one ? other : word == other ? one : std::string_view(); }
};

constexpr std::array kJoints{Pair{"translational", "prismatic"}, Pair{"weld", "fixed"}, Pair{"distance", "rod"}};
constexpr std::array kShapes{Pair{"bar", "rod"}};
constexpr std::array kEnds{Pair{"i", "parent"}, Pair{"j", "child"}};

std::span<const Pair> pairs_of_types(Group group) {
  if (group == Group::joint || group == Group::loop) return kJoints;
  if (group == Group::shape) return kShapes;
  return {};
}

// Of what holds two bodies or moves one against the other. A force acts between equals, and a coupling between dofs.
std::span<const Pair> pairs_of_keys(Group group) {
  if (group == Group::joint || group == Group::loop || group == Group::driver) return kEnds;
  return {};
}

const TypeInfo* find_exactly(std::span<const TypeInfo> types, std::string_view type) {
  const auto it = std::ranges::find(types, type, &TypeInfo::type);
  return it == types.end() ? nullptr : &*it;
}

}  // namespace

std::string_view expected(Form form) {
  switch (form) {
    case Form::point: return "a point such as \"crank.A\"";
    case Form::line: return "a line such as [\"crank.A\", \"crank.B\"]";
    case Form::body: return "the name of a body, or \"ground\"";
    case Form::coordinate: return "a coordinate: \"body.x\", \"body.y\" or \"body.phi\"";
    case Form::number: return "a number, or an expression in quotes";
    case Form::pair: return "a pair of numbers [a, b]";
    case Form::vector: return "two functions of time [fx, fy]";
    case Form::motion: return "a function of time such as \"100*rpm*t\", or { table = \"file.csv\" }";
    case Form::table: return "a table such as { table = \"file.csv\" }";
    case Form::equation: return "an expression of positions and t that has to be 0, such as \"crank.A.y - 0.2*sin(crank.phi)\"";
    case Form::law: return "an expression of the element's own length or angle, its rate and t";
    case Form::mesh: return "\"external\", \"internal\", \"belt\" or \"crossed-belt\"";
    case Form::frame: return "\"ground\" or \"body\"";
    case Form::bearing_friction: return "a table such as { coefficient = 0.1, radius = 0.01 }";
    case Form::guide_friction: return "a table such as { coefficient = 0.1 }";
    case Form::own_point: return "a point of this body such as \"A\", or [x, y]";
    case Form::places: return "points such as [[0, 0], [0.1, 0.02], [0.2, 0]], or { table = \"file.csv\" }";
    case Form::lift: return "a function of theta such as \"0.01*(1 - cos(theta))\", or { table = \"file.csv\" }";
    case Form::yes_no: return "true or false";
    case Form::side: return "\"outside\" or \"inside\"";
    case Form::own_point_in_space: return "a point of this body such as \"A\", or [x, y, z]";
    case Form::triple: return "three numbers [x, y, z]";
    case Form::numbers: return "a list of numbers such as [0.3]";
    case Form::six: return "six numbers [x, y, z, about x, about y, about z]";
    case Form::function: return "a function of time such as \"5*sin(2*pi*t)\"";
    case Form::vector_in_space: return "three functions of time [x, y, z]";
    case Form::wrench: return "six functions of time [nx, ny, nz, fx, fy, fz]";
    case Form::placement: return "a placement such as { xyz = [0, 0, 1], rpy = [0, 0, 0] }";
    case Form::dof: return "a joint such as \"knuckle\", or one of its dofs such as \"knuckle.2\"";
    case Form::dofs: return "a list with a table for each dof such as [ { stiffness = 3, damping = 0.1 } ]";
    case Form::screws: return "a list of screws such as [[0, 0, 1, 0, 0, 0]]";
    case Form::dof_names: return "a list of joints or dofs such as [\"leg1\", \"wrist.2\"]";
    case Form::turn_order: return "the axes of three turns such as \"zyx\" or \"zxz\"";
    case Form::turns: return "three functions of time, one for each axis of 'euler' in that order";
    case Form::pose: return "a table such as { rpy = [0, 0, \"2*t\"] } or { rotation_vector = [0, 0, \"2*t\"] }";
    case Form::text: return "a text in quotes";
    case Form::start_momentum: break;
  }
  return "\"zero\" or \"impulsive\"";
}

const FieldInfo* find_field(std::span<const FieldInfo> fields, std::string_view key) {
  const auto it = std::ranges::find(fields, key, &FieldInfo::key);
  return it == fields.end() ? nullptr : &*it;
}

std::span<const FieldInfo> friction_fields(Form form) {
  static constexpr FieldInfo kCoefficient{"coefficient", Form::number, true, "friction over reaction, mu"};
  static constexpr FieldInfo kSpeed{"speed", Form::number, false, "rate over which the sign is smoothed, default 0.001 m/s or rad/s; 0: the exact sign"};
  static constexpr std::array kGuide{kCoefficient, kSpeed};
  static constexpr std::array kBearing{
      kCoefficient, FieldInfo{"radius", Form::number, true, "of the bearing: a reaction R has the friction torque mu R radius"}, kSpeed};
  if (form == Form::bearing_friction) return kBearing;
  return kGuide;
}

std::string_view word(Group group) {
  switch (group) {
    case Group::joint: return "joint";
    case Group::driver: return "driver";
    case Group::force: return "force";
    case Group::shape: return "shape";
    case Group::coupling: return "coupling";
    case Group::loop: break;
  }
  return "loop";
}

const FieldInfo* TypeInfo::find(std::string_view key) const {
  const FieldInfo* found = find_field(fields, key);
  for (const Pair& pair : pairs_of_keys(group))
    if (const std::string_view word = pair.beside(key); found == nullptr && !word.empty()) found = find_field(fields, word);
  return found;
}

const TypeInfo* find_type(std::span<const TypeInfo> types, std::string_view type) {
  const TypeInfo* found = find_exactly(types, type);
  if (types.empty()) return found;
  for (const Pair& pair : pairs_of_types(types.front().group))
    if (const std::string_view word = pair.beside(type); found == nullptr && !word.empty()) found = find_exactly(types, word);
  return found;
}

std::vector<std::string_view> other_words(std::span<const TypeInfo> types, const TypeInfo& type) {
  std::vector<std::string_view> out;
  for (const Pair& pair : pairs_of_types(type.group))
    if (const std::string_view word = pair.beside(type.type); !word.empty() && find_exactly(types, word) == nullptr) out.push_back(word);
  return out;
}

std::string_view other_word(const TypeInfo& type, const FieldInfo& field) {
  for (const Pair& pair : pairs_of_keys(type.group))
    if (const std::string_view word = pair.beside(field.key); !word.empty() && find_field(type.fields, word) == nullptr) return word;
  return {};
}

}  // namespace jounce
