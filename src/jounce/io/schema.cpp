#include "jounce/io/schema.hpp"

#include <array>
#include <span>

#include "jounce/io/json_writer.hpp"
#include "jounce/io/model_names.hpp"
#include "jounce/planar/catalogue.hpp"

namespace jounce {
namespace {

using planar::FieldInfo;
using planar::Form;
using planar::Group;
using planar::TypeInfo;

constexpr std::array kForms{Form::point,  Form::line,   Form::body, Form::coordinate, Form::number, Form::pair,
                            Form::vector, Form::motion, Form::law,  Form::mesh,       Form::frame};

constexpr std::array<std::string_view, 4> kMeshes{"external", "internal", "belt", "crossed-belt"};
constexpr std::array<std::string_view, 2> kFrames{"ground", "body"};
constexpr std::array<std::string_view, 4> kAnalyses{"kinematics", "inverse", "dynamics", "equilibrium"};
constexpr std::string_view kNamePattern = "^[A-Za-z0-9_-]+$";

std::string_view form_name(Form form) {
  switch (form) {
    case Form::point: return "point";
    case Form::line: return "line";
    case Form::body: return "body";
    case Form::coordinate: return "coordinate";
    case Form::number: return "number";
    case Form::pair: return "pair";
    case Form::vector: return "vector";
    case Form::motion: return "motion";
    case Form::law: return "law";
    case Form::mesh: return "mesh";
    case Form::frame: break;
  }
  return "frame";
}

class SchemaWriter {
 public:
  [[nodiscard]] std::string write();

 private:
  void refer(std::string_view key, std::string_view definition, std::string_view doc = {});
  void one_of_words(std::span<const std::string_view> words);
  void array_of_two(std::string_view definition);
  void number_or_text();
  void define_form(Form form);
  void define_own_point();
  void define_points();
  void define_body();
  void define_type(const TypeInfo& type);
  void define_group(Group group);
  void named(std::string_view key, std::string_view definition, std::string_view doc);
  void properties();

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

void SchemaWriter::array_of_two(std::string_view definition) {
  json_.text("type", "array");
  refer("items", definition);
  json_.number("minItems", 2);
  json_.number("maxItems", 2);
}

void SchemaWriter::number_or_text() {
  json_.begin_array("type");
  json_.item("number");
  json_.item("string");
  json_.end_array();
  json_.number("minLength", 1);
}

// How a field of an element is written.
void SchemaWriter::define_form(Form form) {
  json_.begin_object(form_name(form));
  json_.text("description", planar::expected(form));
  switch (form) {
    case Form::point:
      json_.text("type", "string");
      json_.text("pattern", R"(^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$)");
      break;
    case Form::body:
      json_.text("type", "string");
      json_.text("pattern", kNamePattern);
      break;
    case Form::coordinate:
      json_.text("type", "string");
      json_.text("pattern", R"(^[A-Za-z0-9_-]+\.(x|y|phi)$)");
      break;
    case Form::line: array_of_two("point"); break;
    case Form::pair:
    case Form::vector: array_of_two("number"); break;
    case Form::number:
    case Form::law: number_or_text(); break;
    case Form::motion:
      json_.begin_array("oneOf");
      refer({}, "number");
      json_.begin_object();
      json_.text("type", "object");
      json_.begin_object("properties");
      json_.begin_object("table");
      json_.text("type", "string");
      json_.text("description", "a file with the columns t and value; its path is relative to the model file");
      json_.end_object();
      json_.end_object();
      json_.begin_array("required");
      json_.item("table");
      json_.end_array();
      json_.boolean("additionalProperties", false);
      json_.end_object();
      json_.end_array();
      break;
    case Form::mesh: one_of_words(kMeshes); break;
    case Form::frame: one_of_words(kFrames); break;
  }
  json_.end_object();
}

// A point as a shape names it: of its own body.
void SchemaWriter::define_own_point() {
  json_.begin_object("own-point");
  json_.text("description", "a point of this body such as \"A\", or [x, y]");
  json_.begin_array("oneOf");
  json_.begin_object();
  json_.text("type", "string");
  json_.text("pattern", kNamePattern);
  json_.end_object();
  refer({}, "pair");
  json_.end_array();
  json_.end_object();
}

void SchemaWriter::define_points() {
  json_.begin_object("points");
  json_.text("description", "named points in body axes: { A = [0, 0], B = [0.1, 0] }");
  json_.text("type", "object");
  json_.begin_object("propertyNames");
  json_.text("pattern", kNamePattern);
  json_.begin_object("not");
  one_of_words(kTakenPoints);
  json_.end_object();
  json_.end_object();
  refer("additionalProperties", "pair");
  json_.end_object();
}

void SchemaWriter::define_body() {
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
  refer("shape", "shapes", "gives com and inertia where they are left out, and the drawing its outline");
  json_.end_object();
  json_.boolean("additionalProperties", false);
  json_.end_object();
}

void SchemaWriter::define_type(const TypeInfo& type) {
  json_.begin_object();
  json_.text("title", type.type);
  json_.text("description", type.summary);
  json_.text("type", "object");
  json_.begin_object("properties");
  json_.begin_object("type");
  json_.text("const", type.type);
  json_.end_object();
  for (const FieldInfo& field : type.fields) {
    const bool own_point = type.group == Group::shape && field.form == Form::point;
    refer(field.key, own_point ? "own-point" : form_name(field.form), field.doc);
  }
  json_.end_object();
  json_.begin_array("required");
  json_.item("type");
  for (const FieldInfo& field : type.fields)
    if (field.required) json_.item(field.key);
  json_.end_array();
  json_.boolean("additionalProperties", false);
  json_.end_object();
}

std::string group_name(Group group) { return std::string(planar::word(group)) + 's'; }

void SchemaWriter::define_group(Group group) {
  json_.begin_object(group_name(group));
  json_.begin_array("oneOf");
  for (const TypeInfo& type : planar::types(group)) define_type(type);
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

void SchemaWriter::properties() {
  json_.begin_object("properties");
  json_.begin_object("jounce");
  json_.text("description", "the format version");
  json_.number("const", 1);
  json_.end_object();
  json_.begin_object("name");
  json_.text("type", "string");
  json_.number("minLength", 1);
  json_.end_object();
  json_.begin_object("space");
  json_.text("const", "plane");
  json_.end_object();
  refer("gravity", "pair", "default: zero");
  json_.begin_object("parameters");
  json_.text("description", "named numbers for use in expressions");
  json_.text("type", "object");
  json_.begin_object("propertyNames");
  json_.text("pattern", kNamePattern);
  json_.end_object();
  refer("additionalProperties", "number");
  json_.end_object();
  json_.begin_object("ground");
  json_.text("description", "the fixed body");
  json_.text("type", "object");
  json_.begin_object("properties");
  refer("points", "points");
  json_.end_object();
  json_.boolean("additionalProperties", false);
  json_.end_object();
  named("bodies", "bodies", "the moving bodies");
  named("joints", group_name(Group::joint), "what holds bodies together");
  named("drivers", group_name(Group::driver), "prescribed motions");
  named("forces", group_name(Group::force), "forces, moments and springs");
  json_.begin_object("run");
  json_.text("description", "what `jounce run` does");
  json_.text("type", "object");
  json_.begin_object("properties");
  json_.begin_object("analysis");
  one_of_words(kAnalyses);
  json_.end_object();
  refer("to", "number", "end of the run, in seconds");
  refer("steps", "number", "equal intervals; there is one row of results more");
  json_.end_object();
  json_.boolean("additionalProperties", false);
  json_.end_object();
  json_.end_object();
}

std::string SchemaWriter::write() {
  json_.begin_object();
  json_.text("$schema", "https://json-schema.org/draft/2020-12/schema");
  json_.text("title", "Jounce model");
  json_.text("description", "A mechanism in the plane. SI units and radians; a number may be an expression in quotes.");
  json_.text("type", "object");
  properties();
  json_.begin_array("required");
  json_.item("jounce");
  json_.end_array();
  json_.boolean("additionalProperties", false);

  json_.begin_object("$defs");
  json_.begin_object("name");
  json_.text("description", "letters, digits, _ and -");
  json_.text("pattern", kNamePattern);
  json_.begin_object("not");
  one_of_words(kTakenNames);
  json_.end_object();
  json_.end_object();
  for (const Form form : kForms) define_form(form);
  define_own_point();
  define_points();
  define_body();
  for (const Group group : {Group::joint, Group::driver, Group::force, Group::shape}) define_group(group);
  json_.end_object();
  json_.end_object();
  return json_.take();
}

}  // namespace

std::string model_schema() { return SchemaWriter().write(); }

}  // namespace jounce
