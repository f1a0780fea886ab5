#include "jounce/io/schema.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "jounce/base/suggest.hpp"
#include "jounce/io/json_writer.hpp"
#include "jounce/io/model_names.hpp"
#include "jounce/io/model_types.hpp"
#include "jounce/io/schema_forms.hpp"
#include "jounce/mechanism/analysis.hpp"
#include "jounce/mechanism/watched_events.hpp"
#include "jounce/results/units.hpp"

namespace jounce {
namespace {

constexpr std::array kGroups{Group::joint, Group::driver, Group::coupling, Group::loop, Group::force, Group::shape};

constexpr std::array<std::string_view, 4> kMeshes{"external", "internal", "belt", "crossed-belt"};
constexpr std::array<std::string_view, 2> kFrames{"ground", "body"};
constexpr std::array<std::string_view, 2> kSides{"outside", "inside"};
constexpr std::array<std::string_view, 2> kStarts{"zero", "impulsive"};
constexpr std::string_view kNamePattern = "^[A-Za-z0-9_-]+$";

// Where a group of a space is defined: "joints", "spatial-joints".
std::string group_name(Space space, Group group) {
  return (space == Space::plane ? "" : "spatial-") + std::string(word(group)) + 's';
}

class SchemaWriter {
 public:
  [[nodiscard]] std::string write();

 private:
  void refer(std::string_view key, std::string_view definition, std::string_view doc = {});
  void one_of_words(std::span<const std::string_view> words);
  void array_of(std::string_view definition, int count);
  void list_of(std::string_view definition);
  void text_like(std::string_view pattern);
  void number_or_text();
  void point_or(std::string_view definition);
  void motion(std::string_view description);
  void table_file(std::string_view description);
  void places();
  void object_of(std::span<const FieldInfo> fields);
  void define_form(Form form);
  void define_dof();
  void define_screw();
  void define_points(Space space);
  void define_planar_body();
  void define_spatial_body();
  void define_type(std::span<const TypeInfo> all, const TypeInfo& type);
  void required_by_either_word(const TypeInfo& type);
  void define_group(Space space, Group group);
  void define_event();
  void define_stop();
  void define_model(Space space);
  void named(std::string_view key, std::string_view definition, std::string_view doc);
  void head(Space space);
  void ground(Space space);
  void visuals();
  void define_visuals();
  void run();
  void units();

  JsonWriter json_;
};

void SchemaWriter::refer(std::string_view key, std::string_view definition, std::string_view doc) {
  json_.begin_object(key);
  json_.text("$ref", "#/$defs/" + std::string(definition));
  if (!doc.empty()) json_.text("description", doc);
  json_.end_object();
}

void SchemaWriter::one_of_words(std::span<const std::string_view> words) {
  json_.begin_array("enum");
  for (const std::string_view word : words) json_.item(word);
  json_.end_array();
}

void SchemaWriter::array_of(std::string_view definition, int count) {
  json_.text("type", "array");
  refer("items", definition);
  json_.number("minItems", count);
  json_.number("maxItems", count);
}

void SchemaWriter::list_of(std::string_view definition) {
  json_.text("type", "array");
  refer("items", definition);
  json_.number("minItems", 1);
}

void SchemaWriter::text_like(std::string_view pattern) {
  json_.text("type", "string");
  json_.text("pattern", pattern);
}

void SchemaWriter::number_or_text() {
  json_.begin_array("type");
  json_.item("number");
  json_.item("string");
  json_.end_array();
  json_.number("minLength", 1);
}

// The name of a point, or its coordinates.
void SchemaWriter::point_or(std::string_view definition) {
  json_.begin_array("oneOf");
  json_.begin_object();
  text_like(kNamePattern);
  json_.end_object();
  refer({}, definition);
  json_.end_array();
}

void SchemaWriter::motion(std::string_view description) {
  json_.begin_array("oneOf");
  refer({}, "number");
  json_.begin_object();
  table_file(description);
  json_.end_object();
  json_.end_array();
}

void SchemaWriter::table_file(std::string_view description) {
  json_.text("type", "object");
  json_.begin_object("properties");
  json_.begin_object("table");
  json_.text("type", "string");
  json_.text("description", description);
  json_.end_object();
  json_.end_object();
  json_.begin_array("required");
  json_.item("table");
  json_.end_array();
  json_.boolean("additionalProperties", false);
}

void SchemaWriter::places() {
  json_.begin_array("oneOf");
  json_.begin_object();
  list_of("pair");
  json_.end_object();
  json_.begin_object();
  table_file("a file with the columns x and y; its path is relative to the model file");
  json_.end_object();
  json_.end_array();
}

// A table with keys of its own, all of them optional.
void SchemaWriter::object_of(std::span<const FieldInfo> fields) {
  json_.text("type", "object");
  json_.begin_object("properties");
  for (const FieldInfo& field : fields) refer(field.key, form_name(field.form), field.doc);
  json_.end_object();
  json_.boolean("additionalProperties", false);
}

// How a field of an element is written.
void SchemaWriter::define_form(Form form) {
  json_.begin_object(form_name(form));
  json_.text("description", expected(form));
  switch (form) {
    case Form::point: text_like(R"(^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$)"); break;
    case Form::body: text_like(kNamePattern); break;
    case Form::coordinate: text_like(R"(^[A-Za-z0-9_-]+\.(x|y|phi)$)"); break;
    case Form::dof: text_like(R"(^[A-Za-z0-9_-]+(\.[1-9][0-9]*)?$)"); break;
    case Form::line: array_of("point", 2); break;
    case Form::pair:
    case Form::vector: array_of("number", 2); break;
    case Form::triple:
    case Form::vector_in_space:
    case Form::turns: array_of("number", 3); break;
    case Form::six:
    case Form::wrench: array_of("number", 6); break;
    case Form::numbers: list_of("number"); break;
    case Form::dofs: list_of("dof-entry"); break;
    case Form::screws: list_of("screw"); break;
    case Form::number:
    case Form::function:
    case Form::equation:
    case Form::law: number_or_text(); break;
    case Form::motion: motion("a file with the columns t and value; its path is relative to the model file"); break;
    case Form::lift: motion("a file with the columns theta and lift, over a whole turn; its path is relative to the model file"); break;
    case Form::table: table_file("a file with two columns; its path is relative to the model file"); break;
    case Form::placement:
      object_of(tree::placement_fields());
      json_.number("minProperties", 1);
      break;
    case Form::bearing_friction:
    case Form::guide_friction:
      object_of(friction_fields(form));
      json_.begin_array("required");
      for (const FieldInfo& field : friction_fields(form))
        if (field.required) json_.item(field.key);
      json_.end_array();
      break;
    case Form::own_point: point_or("pair"); break;
    case Form::own_point_in_space: point_or("triple"); break;
    case Form::places: places(); break;
    case Form::yes_no: json_.text("type", "boolean"); break;
    case Form::side: one_of_words(kSides); break;
    case Form::mesh: one_of_words(kMeshes); break;
    case Form::frame: one_of_words(kFrames); break;
    case Form::start_momentum: one_of_words(kStarts); break;
    case Form::dof_names: list_of("dof"); break;
    case Form::turn_order: text_like("^[xyz]{3}$"); break;
    case Form::text: text_like("."); break;
    case Form::pose:
      object_of(tree::pose_fields());
      json_.number("minProperties", 1);
      break;
  }
  json_.end_object();
}

void SchemaWriter::define_dof() {
  json_.begin_object("dof-entry");
  object_of(tree::dof_fields());
  json_.end_object();
}

void SchemaWriter::define_screw() {
  json_.begin_object("screw");
  json_.text("description", "[wx, wy, wz, ux, uy, uz]");
  array_of("number", 6);
  json_.end_object();
}

void SchemaWriter::define_points(Space space) {
  const bool plane = space == Space::plane;
  json_.begin_object(plane ? "points" : "spatial-points");
  json_.text("description", plane ? "named points in body axes: { A = [0, 0], B = [0.1, 0] }"
                                  : "named points in body axes: { A = [0, 0, 0], B = { xyz = [0.1, 0, 0], rpy = [0, 0, 0] } }");
  json_.text("type", "object");
  json_.begin_object("propertyNames");
  json_.text("pattern", kNamePattern);
  json_.begin_object("not");
  one_of_words(kTakenPoints);
  json_.end_object();
  json_.end_object();
  if (plane) {
    refer("additionalProperties", "pair");
  } else {
    json_.begin_object("additionalProperties");
    json_.begin_array("oneOf");
    refer({}, "triple");
    refer({}, "placement");
    json_.end_array();
    json_.end_object();
  }
  json_.end_object();
}

void SchemaWriter::define_planar_body() {
  json_.begin_object("bodies");
  json_.text("type", "object");
  json_.begin_object("properties");
  refer("mass", "number", "needed for dynamics and reactions, not for kinematics");
  refer("inertia", "number", "about the centre of mass");
  refer("com", "pair", "centre of mass in body axes, default [0, 0]");
  refer("position", "pair", "of the body's origin as drawn, default [0, 0]; assembly corrects it");
  refer("angle", "number", "as drawn, default 0");
  refer("velocity", "pair", "initial velocity of the origin in ground axes, default [0, 0]");
  refer("spin", "number", "initial angular velocity, default 0");
  refer("points", "points");
  refer("shape", group_name(Space::plane, Group::shape),
        "gives com and inertia where they are left out, and the drawing its outline");
  json_.end_object();
  json_.boolean("additionalProperties", false);
  json_.end_object();
}

void SchemaWriter::define_spatial_body() {
  json_.begin_object("spatial-bodies");
  json_.text("type", "object");
  json_.begin_object("properties");
  refer("mass", "number", "needed for dynamics and reactions, not for kinematics");
  json_.begin_object("inertia");
  json_.text("description", "[ixx, iyy, izz, ixy, ixz, iyz]: entries of the matrix about the centre of mass, in body axes");
  array_of("number", 6);
  json_.end_object();
  json_.begin_object("inertia_as_written");
  json_.text("description", "true: the inertia is taken even if no body can have it, default false");
  json_.text("type", "boolean");
  json_.end_object();
  refer("com", "triple", "centre of mass in body axes, default [0, 0, 0]");
  refer("points", "spatial-points");
  refer("shape", group_name(Space::three, Group::shape), "gives com and inertia where they are left out");
  visuals();
  json_.end_object();
  json_.boolean("additionalProperties", false);
  json_.end_object();
}

void SchemaWriter::visuals() {
  json_.begin_object("visuals");
  json_.text("description", "what the body looks like in drawings, besides its shape");
  json_.text("type", "array");
  json_.begin_object("items");
  json_.text("$ref", "#/$defs/visual");
  json_.end_object();
  json_.number("minItems", 1);
  json_.end_object();
}

void SchemaWriter::define_visuals() {
  json_.begin_object("visual");
  json_.begin_array("oneOf");
  for (const TypeInfo& type : tree::visual_types()) define_type(tree::visual_types(), type);
  json_.end_array();
  json_.end_object();
}

// What has two words is there by exactly one of them, and need not be there where it is optional.
void SchemaWriter::required_by_either_word(const TypeInfo& type) {
  bool any = false;
  for (const FieldInfo& field : type.fields) any = any || (field.required && !other_word(type, field).empty());
  if (!any) return;
  json_.begin_array("allOf");
  for (const FieldInfo& field : type.fields) {
    const std::string_view other = other_word(type, field);
    if (!field.required || other.empty()) continue;
    json_.begin_object();
    json_.begin_array("oneOf");
    for (const std::string_view word : {field.key, other}) {
      json_.begin_object();
      json_.begin_array("required");
      json_.item(word);
      json_.end_array();
      json_.end_object();
    }
    json_.end_array();
    json_.end_object();
  }
  json_.end_array();
}

void SchemaWriter::define_type(std::span<const TypeInfo> all, const TypeInfo& type) {
  const bool typed = has_type(type.group);
  json_.begin_object();
  json_.text("title", type.type);
  json_.text("description", type.summary);
  json_.text("type", "object");
  json_.begin_object("properties");
  if (typed) {
    std::vector<std::string_view> words = other_words(all, type);
    words.insert(words.begin(), type.type);
    json_.begin_object("type");
    if (words.size() == 1) json_.text("const", type.type);
    else one_of_words(words);
    json_.end_object();
  }
  for (const FieldInfo& field : type.fields) {
    refer(field.key, form_name(field.form), field.doc);
    if (const std::string_view other = other_word(type, field); !other.empty()) refer(other, form_name(field.form), "another word for " + std::string(field.key));
  }
  json_.end_object();
  json_.begin_array("required");
  if (typed) json_.item("type");
  for (const FieldInfo& field : type.fields)
    if (field.required && other_word(type, field).empty()) json_.item(field.key);
  json_.end_array();
  required_by_either_word(type);
  json_.boolean("additionalProperties", false);
  json_.end_object();
}

void SchemaWriter::define_group(Space space, Group group) {
  if (types(space, group).empty()) return;
  json_.begin_object(group_name(space, group));
  json_.begin_array("oneOf");
  for (const TypeInfo& type : types(space, group)) define_type(types(space, group), type);
  json_.end_array();
  json_.end_object();
}

// [joints.NAME], ...
void SchemaWriter::named(std::string_view key, std::string_view definition, std::string_view doc) {
  json_.begin_object(key);
  json_.text("description", doc);
  json_.text("type", "object");
  refer("propertyNames", "name");
  refer("additionalProperties", definition);
  json_.end_object();
}

void SchemaWriter::head(Space space) {
  json_.begin_object("jounce");
  json_.text("description", "the format version");
  json_.number("const", 1);
  json_.end_object();
  json_.begin_object("name");
  json_.text("type", "string");
  json_.number("minLength", 1);
  json_.end_object();
  json_.begin_object("space");
  json_.text("const", space == Space::plane ? "plane" : "3d");
  json_.end_object();
  refer("gravity", space == Space::plane ? "pair" : "triple", "default: zero");
  const auto numbers = [&](std::string_view section, std::string_view description) {
    json_.begin_object(section);
    json_.text("description", description);
    json_.text("type", "object");
    json_.begin_object("propertyNames");
    json_.text("pattern", kNamePattern);
    json_.end_object();
    refer("additionalProperties", "number");
    json_.end_object();
  };
  numbers("parameters", "named numbers for use in expressions");
  numbers("measures", "named expressions of what the mechanism does: result columns");
  named("stops", "stop", "a one-sided constraint: what may not pass a bound");
  named("events", "event", "something to notice along a run: an expression that passes zero");
}

void SchemaWriter::ground(Space space) {
  json_.begin_object("ground");
  json_.text("description", "the fixed body");
  json_.text("type", "object");
  json_.begin_object("properties");
  refer("points", space == Space::plane ? "points" : "spatial-points");
  if (space == Space::three) visuals();
  json_.end_object();
  json_.boolean("additionalProperties", false);
  json_.end_object();
}

void SchemaWriter::run() {
  json_.begin_object("run");
  json_.text("description", "what `jounce run` does");
  json_.text("type", "object");
  json_.begin_object("properties");
  json_.begin_object("analysis");
  std::array<std::string_view, kAnalyses.size()> analyses;
  std::ranges::transform(kAnalyses, analyses.begin(), [](Analysis analysis) { return word(analysis); });
  one_of_words(analyses);
  json_.end_object();
  refer("to", "number", "end of the run, in seconds");
  refer("steps", "number", "equal intervals; there is one row of results more");
  json_.end_object();
  json_.boolean("additionalProperties", false);
  json_.end_object();
}

void SchemaWriter::units() {
  json_.begin_object("units");
  json_.text("description", "in which results are shown; numbers of the model are SI all the same");
  json_.text("type", "object");
  json_.begin_object("properties");
  for (const std::string& quantity : Units::quantities()) {
    json_.begin_object(quantity);
    json_.text("description", "such as " + join_names(Units::known(quantity), 40));
    json_.text("type", "string");
    json_.end_object();
  }
  json_.end_object();
  json_.boolean("additionalProperties", false);
  json_.end_object();
}

void SchemaWriter::define_event() {
  json_.begin_object("event");
  json_.text("type", "object");
  json_.begin_object("properties");
  json_.begin_object("when");
  json_.text("description", "an expression of what the mechanism does, and of t");
  json_.text("type", "string");
  json_.number("minLength", 1);
  json_.end_object();
  json_.begin_object("direction");
  json_.text("description", "which crossings of zero count; default: both");
  one_of_words(kDirections);
  json_.end_object();
  json_.begin_object("stop");
  json_.text("description", "the run ends at the event; default: false");
  json_.text("type", "boolean");
  json_.end_object();
  json_.end_object();
  json_.begin_array("required");
  json_.item("when");
  json_.end_array();
  json_.boolean("additionalProperties", false);
  json_.end_object();
}

void SchemaWriter::define_stop() {
  json_.begin_object("stop");
  json_.text("type", "object");
  json_.begin_object("properties");
  json_.begin_object("of");
  json_.text("description", "a measure, or an expression of positions and t");
  json_.text("type", "string");
  json_.number("minLength", 1);
  json_.end_object();
  refer("min", "number", "it is not smaller than this: a number, or an expression as 'of' may be");
  refer("max", "number", "it is not larger than this");
  refer("restitution", "number", "rate after an impact over the rate before it, from 0 (default) to 1");
  json_.end_object();
  json_.begin_array("required");
  json_.item("of");
  json_.end_array();
  json_.boolean("additionalProperties", false);
  json_.end_object();
}

void SchemaWriter::define_model(Space space) {
  const bool plane = space == Space::plane;
  json_.begin_object(plane ? "planar-model" : "spatial-model");
  json_.text("type", "object");
  json_.begin_object("properties");
  head(space);
  ground(space);
  named("bodies", plane ? "bodies" : "spatial-bodies", "the moving bodies");
  named("joints", group_name(space, Group::joint), plane ? "what holds bodies together" : "what hangs bodies on others");
  if (plane) {
    named("drivers", group_name(space, Group::driver), "prescribed motions");
  } else {
    named("couplings", group_name(space, Group::coupling), "dofs that follow other dofs");
    named("loops", group_name(space, Group::loop), "what closes chains that joints leave open");
    json_.begin_object("base");
    json_.text("description", "how the rates of the joints begin");
    object_of(tree::base_fields());
    json_.end_object();
    json_.begin_object("actuators");
    json_.text("description", "whose efforts carry the prescribed motions in inverse dynamics");
    object_of(tree::actuator_fields());
    json_.end_object();
  }
  named("forces", group_name(space, Group::force), "forces, moments and springs");
  units();
  run();
  json_.end_object();
  json_.begin_array("required");
  json_.item("jounce");
  if (!plane) json_.item("space");
  json_.end_array();
  json_.boolean("additionalProperties", false);
  json_.end_object();
}

std::string SchemaWriter::write() {
  json_.begin_object();
  json_.text("$schema", "https://json-schema.org/draft/2020-12/schema");
  json_.text("title", "Jounce model");
  json_.text("description",
             "A mechanism in the plane or in space. SI units and radians; a number may be an expression in quotes.");
  json_.begin_array("oneOf");
  refer({}, "planar-model");
  refer({}, "spatial-model");
  json_.end_array();

  json_.begin_object("$defs");
  define_model(Space::plane);
  define_model(Space::three);
  json_.begin_object("name");
  json_.text("description", "letters, digits, _ and -");
  json_.text("pattern", kNamePattern);
  json_.begin_object("not");
  one_of_words(kTakenNames);
  json_.end_object();
  json_.end_object();
  define_event();
  define_stop();
  for (const Form form : kForms) define_form(form);
  define_dof();
  define_screw();
  define_planar_body();
  define_spatial_body();
  for (const Space space : {Space::plane, Space::three}) {
    define_points(space);
    for (const Group group : kGroups) define_group(space, group);
  define_visuals();
  }
  json_.end_object();
  json_.end_object();
  return json_.take();
}

}  // namespace

std::string model_schema() { return SchemaWriter().write(); }

}  // namespace jounce
