#include "jounce/report/columns.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "jounce/report/scene.hpp"

namespace jounce {
namespace {

struct Ending {
  std::string_view ending, group, unit;
};

// Of a body, point, joint, driver or force.
constexpr std::array kEndings{
    Ending{"x", "position", "m"},          Ending{"y", "position", "m"},          Ending{"z", "position", "m"},
    Ending{"phi", "position", "rad"},      Ending{"qw", "position", ""},          Ending{"qx", "position", ""},
    Ending{"qy", "position", ""},          Ending{"qz", "position", ""},          Ending{"vx", "velocity", "m/s"},
    Ending{"vy", "velocity", "m/s"},       Ending{"vz", "velocity", "m/s"},       Ending{"vphi", "velocity", "rad/s"},
    Ending{"wx", "velocity", "rad/s"},     Ending{"wy", "velocity", "rad/s"},     Ending{"wz", "velocity", "rad/s"},
    Ending{"ax", "acceleration", "m/s²"},  Ending{"ay", "acceleration", "m/s²"},  Ending{"az", "acceleration", "m/s²"},
    Ending{"aphi", "acceleration", "rad/s²"}, Ending{"alx", "acceleration", "rad/s²"}, Ending{"aly", "acceleration", "rad/s²"},
    Ending{"alz", "acceleration", "rad/s²"},  Ending{"jx", "jerk", "m/s³"},       Ending{"jy", "jerk", "m/s³"},
    Ending{"jphi", "jerk", "rad/s³"},      Ending{"sx", "snap", "m/s⁴"},          Ending{"sy", "snap", "m/s⁴"},
    Ending{"sphi", "snap", "rad/s⁴"},      Ending{"fx", "reaction", "N"},         Ending{"fy", "reaction", "N"},
    Ending{"fz", "reaction", "N"},         Ending{"torque", "reaction", "N m"},   Ending{"mx", "reaction", "N m"},
    Ending{"my", "reaction", "N m"},       Ending{"mz", "reaction", "N m"},       Ending{"effort", "effort", ""},
    Ending{"l", "force", "m"},             Ending{"v", "force", "m/s"},           Ending{"f", "force", "N"},
    Ending{"theta", "force", "rad"},       Ending{"omega", "force", "rad/s"}};

// "tau12" is "tau" and 12; nothing where no number from 1 on follows.
std::optional<int> numbered(std::string_view ending, std::string_view stem) {
  if (!ending.starts_with(stem)) return std::nullopt;
  ending.remove_prefix(stem.size());
  int number = 0;
  const auto [end, fault] = std::from_chars(ending.data(), ending.data() + ending.size(), number);
  if (fault != std::errc{} || end != ending.data() + ending.size() || number < 1) return std::nullopt;
  return number;
}

ColumnInfo of_the_system(std::string_view owner, std::string_view ending) {
  if (owner == "energy") return {"J", "energy", ""};
  if (owner == "momentum") return {ending.starts_with('l') ? "kg m²/s" : "kg m/s", "momentum", ""};
  if (owner == "com") return {"m", "com", ""};
  if (owner == "constraint") return {"", "error", ""};
  return {};
}

const Scene::Element* find(const Scene& scene, std::string_view name) {
  const auto it = std::ranges::find(scene.elements, name, &Scene::Element::name);
  return it == scene.elements.end() ? nullptr : &*it;
}

// What the coordinates (of a quaternion: none) and the dofs of a joint type are: a angle, l length.
struct JointQuantities {
  std::string_view type, coordinates, dofs;
};
constexpr std::array kJoints{JointQuantities{"revolute", "a", "a"},         JointQuantities{"prismatic", "l", "l"},
                             JointQuantities{"helical", "a", "a"},          JointQuantities{"cylindrical", "al", "al"},
                             JointQuantities{"planar", "all", "all"},       JointQuantities{"translation", "lll", "lll"},
                             JointQuantities{"universal", "aa", "aa"},      JointQuantities{"gimbal", "aaa", "aaa"},
                             JointQuantities{"spherical", "----", "aaa"},   JointQuantities{"free", "----lll", "aaalll"}};

char quantity(const Scene::Element& joint, bool coordinate, int number) {
  const auto it = std::ranges::find(kJoints, joint.type, &JointQuantities::type);
  if (it == kJoints.end()) return '-';
  const std::string_view all = coordinate ? it->coordinates : it->dofs;
  return static_cast<std::size_t>(number) <= all.size() ? all[static_cast<std::size_t>(number) - 1] : '-';
}

std::string joint_unit(const Scene::Element& joint, std::string_view ending) {
  static constexpr std::array<std::array<std::string_view, 3>, 4> kUnits{
      {{"q", "rad", "m"}, {"v", "rad/s", "m/s"}, {"a", "rad/s²", "m/s²"}, {"tau", "N m", "N"}}};
  for (const auto& [stem, angle, along] : kUnits) {
    const auto number = numbered(ending, stem);
    if (!number) continue;
    const char what = quantity(joint, stem == "q", *number);
    return std::string(what == 'a' ? angle : what == 'l' ? along : "");
  }
  return {};
}

}  // namespace

ColumnInfo describe(std::string_view column) {
  if (column == "t") return {"s", "time", ""};
  const std::size_t dot_at = column.rfind('.');
  if (dot_at == column.npos) return {};
  const std::string_view owner = column.substr(0, dot_at), ending = column.substr(dot_at + 1);
  if (ColumnInfo system = of_the_system(owner, ending); !system.group.empty()) return system;
  if (const auto it = std::ranges::find(kEndings, ending, &Ending::ending); it != kEndings.end())
    return {std::string(it->unit), std::string(it->group), std::string(owner)};
  static constexpr std::array<std::array<std::string_view, 2>, 5> kNumbered{{{"q", "joint-position"},
                                                                             {"v", "joint-velocity"},
                                                                             {"a", "joint-acceleration"},
                                                                             {"tau", "effort"},
                                                                             {"lambda", "multiplier"}}};
  constexpr std::string_view kRate = "_rate";
  const std::string_view stem = ending.ends_with(kRate) ? ending.substr(0, ending.size() - kRate.size()) : ending;
  for (const auto& [name, group] : kNumbered)
    if (numbered(name == "lambda" ? stem : ending, name)) return {"", std::string(group), std::string(owner)};
  return {};
}

ColumnInfo describe(std::string_view column, const Scene& scene) {
  ColumnInfo out = describe(column);
  const Scene::Element* element = out.owner.empty() ? nullptr : find(scene, out.owner);
  if (element == nullptr) return out;
  const std::string_view ending = column.substr(column.rfind('.') + 1);
  if (element->group == Group::force) out.group = "force";
  else if (ending == "effort") out.unit = element->type == "angle" || element->what == "phi" ? "N m" : "N";
  else if (scene.space && out.unit.empty()) out.unit = joint_unit(*element, ending);
  return out;
}

}  // namespace jounce
