// What a model file may hold, as data: types, their keys, and how each is written.
//
// The plane (planar/catalogue.hpp) and space (tree/catalogue.hpp) describe themselves with these. The reader, the writer, the
// schema, `jounce types` and the reference pages all walk the descriptions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace jounce {

/// How a key is written in a model file.
enum class Form {
  point,       ///< "body.point"
  line,        ///< ["body.P", "body.Q"]
  body,        ///< "body"
  coordinate,  ///< "body.x", "body.y" or "body.phi"
  number,      ///< 0.2 or "crank/2"
  pair,        ///< [number, number]
  vector,      ///< [function, function] of time
  motion,      ///< "100*rpm*t", or { table = "file.csv" }
  table,       ///< { table = "file.csv" }
  law,         ///< an expression of the element's own length or angle, its rate and t
  equation,    ///< an expression of positions and t that has to be 0
  mesh,        ///< "external", "internal", "belt" or "crossed-belt"
  frame,       ///< "ground" or "body"
  own_point,   ///< of the body that says it: "P", or [x, y]
  bearing_friction,  ///< { coefficient = 0.1, radius = 0.01 }
  guide_friction,    ///< { coefficient = 0.1 }
  places,      ///< [[x, y], ...], or { table = "file.csv" }
  lift,        ///< an expression of theta, or { table = "file.csv" }
  yes_no,      ///< true or false
  side,        ///< "outside" or "inside"
  // only in space
  own_point_in_space,  ///< "P", or [x, y, z]
  triple,              ///< [number, number, number]
  numbers,             ///< [number, ...]
  six,                 ///< [number, number, number, number, number, number]
  function,            ///< of time: "sin(t)"
  vector_in_space,     ///< three functions of time
  wrench,              ///< six functions of time
  placement,           ///< { xyz = [...], rpy = [...] }
  dof,                 ///< "joint", or "joint.2" for its second dof
  dofs,                ///< [ { stiffness = 3 }, ... ]
  screws,              ///< [[wx, wy, wz, ux, uy, uz], ...]
  start_momentum,      ///< "zero" or "impulsive"
  dof_names,           ///< ["leg1", "wrist.2"]
  turn_order,          ///< "zyx"
  turns,               ///< three functions of time, in the order of their axes
  pose,                ///< { rpy = [...], position = [...] }
  text,                ///< any words in quotes
};

/// How a form is written, for messages and pages: "a point such as \"crank.A\"".
[[nodiscard]] std::string_view expected(Form form);

struct FieldInfo {
  std::string_view key;
  Form form{};
  bool required = true;
  std::string_view doc;
};

/// Null when no field has the key.
[[nodiscard]] const FieldInfo* find_field(std::span<const FieldInfo> fields, std::string_view key);

/// The keys of the friction of a joint: a bearing has a radius, a guide has none.
[[nodiscard]] std::span<const FieldInfo> friction_fields(Form form);

/// The section of the model file a type belongs to.
enum class Group { joint, driver, force, shape, coupling, loop };

/// "joint", "driver", ...
[[nodiscard]] std::string_view word(Group group);

/// There is only one kind of coupling: its section has no key `type`.
[[nodiscard]] constexpr bool has_type(Group group) { return group != Group::coupling; }

struct TypeInfo {
  Group group{};
  std::string_view type;
  std::string_view summary;
  int equations = 0;
  std::vector<FieldInfo> fields;
  int dofs = 0;  ///< that a joint of space gives its child; 0 when the type alone does not say

  /// By its key, or by another word for it. Null when no field has it.
  [[nodiscard]] const FieldInfo* find(std::string_view key) const;
};

/// By its name, or by another word for it. Null when there is no such type.
[[nodiscard]] const TypeInfo* find_type(std::span<const TypeInfo> types, std::string_view type);

// The plane and space have words of their own for the same things, and either is understood in both: `prismatic` in the plane is
// `translational`, `i` of a joint of space is its `parent`. What is written back, and what messages speak of, is the word of the catalogue.

/// Other words for a type of this list: "prismatic" for "translational"; none that is a type of the list itself.
[[nodiscard]] std::vector<std::string_view> other_words(std::span<const TypeInfo> types, const TypeInfo& type);
/// Another word for a key of a type: "parent" for "i". Empty where there is none.
[[nodiscard]] std::string_view other_word(const TypeInfo& type, const FieldInfo& field);

}  // namespace jounce
