// Element types as sections to paste and as data.
#include "jounce/api/types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "jounce/api/json.hpp"
#include "jounce/io/model_types.hpp"

namespace jounce {
namespace {

constexpr std::array kSpaces{Space::plane, Space::three};
constexpr std::array kGroups{Group::joint, Group::driver, Group::coupling, Group::loop, Group::force, Group::shape};

// A list of numbers that fits the joint: its position, or its rates.
std::string numbers(const TypeInfo& info, bool position) {
  const int coordinates = joint_coordinates(info.type).value_or(info.dofs);
  const bool quaternion = coordinates > info.dofs;
  const int count = info.dofs == 0 ? 1 : position ? coordinates : info.dofs;
  std::string out = position && quaternion ? "[1" : "[0";
  for (int k = 1; k < count; ++k) out += ", 0";
  return out + "]";
}

// A table for each dof.
std::string dofs(const TypeInfo& info) {
  std::string out = "[ { stiffness = 3, damping = 0.1 }";
  for (int k = 1; k < info.dofs; ++k) out += ", {}";
  return out + " ]";
}

// A value to start from. The second body of an element is another one than the first.
std::string planar_example(const TypeInfo& info, const FieldInfo& field, bool first) {
  switch (field.form) {
    case Form::own_point: return first ? "\"A\"" : "\"B\"";
    case Form::point: return first ? "\"ground.O\"" : "\"crank.A\"";
    case Form::line: return first ? "[\"ground.P\", \"ground.Q\"]" : "[\"slider.C\", \"slider.F\"]";
    case Form::body: return first ? "\"ground\"" : field.key == "arm" ? "\"slider\"" : "\"crank\"";
    case Form::coordinate: return field.key == "j" ? "\"crank.phi\"" : "\"slider.x\"";
    case Form::number:
      if (field.key == "gear" || field.key == "direction") return "1";
      return field.key == "offset" || field.key == "angle" || field.key == "free_angle" ? "0" : "0.1";
    case Form::pair: return "[0.1, 0.2]";
    case Form::triple: return "[1e5, 1e5, 100]";
    case Form::bearing_friction: return "{ coefficient = 0.1, radius = 0.01 }";
    case Form::guide_friction: return "{ coefficient = 0.1 }";
    case Form::table: return "{ table = \"motor.csv\" }";
    case Form::vector: return "[\"-200*step(t, 0.1, 0.2)\", 0]";
    case Form::motion: return info.group == Group::driver ? "\"0.2 + 0.05*sin(2*pi*t)\"" : "\"5*sin(2*pi*t)\"";
    case Form::equation: return "\"crank.A.y - 0.2*sin(crank.phi)\"";
    case Form::law: return field.key == "control" ? "\"step(t, 0, 0.1)\"" : "\"10*sin(2*pi*t)\"";
    case Form::mesh: return "\"external\"";
    case Form::places: return "[[0, 0], [0.1, 0.02], [0.2, 0]]";
    case Form::lift: return "\"0.01*(1 - cos(theta))\"";
    case Form::yes_no: return "true";
    case Form::side: return "\"outside\"";
    default: return "\"ground\"";
  }
}

std::string spatial_example(const TypeInfo& info, const FieldInfo& field, bool first) {
  switch (field.form) {
    case Form::own_point_in_space: return first ? "\"A\"" : "\"B\"";
    case Form::point: return first ? "\"ground.O\"" : "\"arm.A\"";
    case Form::body: return first ? "\"ground\"" : "\"arm\"";
    case Form::triple: return field.key == "axis" ? "[0, 0, 1]" : field.key == "rpy" ? "[0, 0, 0]" : "[0.1, 0.2, 0.3]";
    case Form::vector_in_space: return "[0, 0, \"-200*step(t, 0.1, 0.2)\"]";
    case Form::wrench: return "[0, 0, 0, 0, 0, \"-200*step(t, 0.1, 0.2)\"]";
    case Form::placement: return "{ xyz = [0, 0, 0.5], rpy = [0, 0, 0] }";
    case Form::six: return "[1e5, 1e5, 1e5, 100, 100, 100]";
    case Form::numbers: return numbers(info, field.key == "q");
    case Form::dofs: return dofs(info);
    case Form::screws: return "[[0, 0, 1, 0, 0, 0.1]]";
    case Form::pose: return info.dofs > 3 ? "{ rpy = [0, 0, \"2*t\"], position = [\"0.1*t\", 0, 0] }" : "{ rpy = [0, 0, \"2*t\"] }";
    case Form::dof: return first ? "\"shoulder\"" : "\"elbow\"";
    default: return planar_example(info, field, first);
  }
}

bool names_a_body(Form form) {
  return form == Form::point || form == Form::line || form == Form::body || form == Form::dof || form == Form::own_point ||
         form == Form::own_point_in_space;
}

}  // namespace

std::string snippet(const ElementType& found) {
  const TypeInfo& info = *found.info;
  const bool two_ways = info.find("ratio") != nullptr && info.find("radii") != nullptr;  // one of them must be there
  std::string out, required = fmt::format("shape = {{ type = \"{}\"", info.type);
  if (info.group != Group::shape) out = fmt::format("[{}s.NAME]\n", word(info.group));
  if (info.group != Group::shape && has_type(info.group)) out += fmt::format("{:<14} = \"{}\"\n", "type", info.type);
  bool first = true;
  for (const FieldInfo& field : info.fields) {
    const auto example = found.space == Space::plane ? planar_example : spatial_example;
    const std::string value = example(info, field, first && field.key != "on");  // a force on the ground moves nothing
    if (names_a_body(field.form)) first = false;
    const bool line = field.key == "stall_torque" || field.key == "no_load_speed";  // these, or a curve
    const bool written = field.required || line || (two_ways && field.key == "radii") || field.key == "points";
    if (info.group == Group::shape) required += written ? fmt::format(", {} = {}", field.key, value) : "";
    else out += fmt::format("{:<14} = {}\n", fmt::format("{}{}", written ? "" : "#", field.key), value);
  }
  return info.group == Group::shape ? required + " }\n" : out;
}

namespace {

Json json(std::span<const FieldInfo> fields) {
  Json out = Json::array();
  for (const FieldInfo& field : fields)
    out.push_back(
        {{"key", field.key}, {"required", field.required}, {"expected", expected(field.form)}, {"doc", field.doc}});
  return out;
}

Json json(const ElementType& found) {
  const TypeInfo& info = *found.info;
  Json out = {{"group", word(info.group)},     {"type", info.type},           {"summary", info.summary},
              {"equations", info.equations}, {"fields", json(info.fields)}, {"snippet", snippet(found)}};
  if (const auto also = other_words(types(found.space, info.group), info); !also.empty()) out["also"] = also;
  for (std::size_t k = 0; k < info.fields.size(); ++k)
    if (const std::string_view also = other_word(info, info.fields[k]); !also.empty()) out["fields"][k]["also"] = also;
  out["space"] = found.space == Space::plane ? "plane" : "3d";
  if (info.dofs > 0) out["dofs"] = info.dofs;
  if (info.find("dofs") != nullptr) out["dof_fields"] = json(dof_fields());
  if (const FieldInfo* motion = info.find("motion"); motion != nullptr && motion->form == Form::pose)
    out["motion_fields"] = json(pose_fields());
  return out;
}

}  // namespace

std::vector<ElementType> element_types(std::string_view type) {
  std::vector<ElementType> out;
  for (const Space space : kSpaces)
    for (const Group group : kGroups)
      for (const TypeInfo& info : types(space, group)) {
        const std::vector<std::string_view> also = other_words(types(space, group), info);
        if (type.empty() || info.type == type || std::ranges::find(also, type) != also.end()) out.push_back({space, &info});
      }
  return out;
}

Json types_json(std::span<const ElementType> types) {
  Json out = Json::array();
  for (const ElementType& type : types) out.push_back(json(type));
  return out;
}

}  // namespace jounce
