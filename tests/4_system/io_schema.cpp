// The JSON Schema of the model file.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "jounce/io/model_names.hpp"
#include "jounce/io/schema.hpp"
#include "jounce/planar/catalogue.hpp"

using namespace jounce;
using nlohmann::json;
using planar::Group;

TEST_CASE("the schema is JSON and describes every type of the catalogue with its fields") {
  // oracle: the catalogue, and a JSON reader that is not ours
  const json schema = json::parse(model_schema());
  CHECK(schema.at("$schema") == "https://json-schema.org/draft/2020-12/schema");
  for (const Group group : {Group::joint, Group::driver, Group::force, Group::shape}) {
    const json& alternatives = schema.at("$defs").at(std::string(planar::word(group)) + "s").at("oneOf");
    const auto types = planar::types(group);
    REQUIRE(alternatives.size() == types.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
      const json& one = alternatives[i];
      CAPTURE(types[i].type);
      CHECK(one.at("properties").at("type").at("const") == types[i].type);
      CHECK(one.at("additionalProperties") == false);
      CHECK(one.at("properties").size() == types[i].fields.size() + 1);
      std::set<std::string> required{"type"};
      for (const planar::FieldInfo& field : types[i].fields) {
        CHECK(one.at("properties").at(std::string(field.key)).at("description") == field.doc);
        if (field.required) required.emplace(field.key);
      }
      CHECK(one.at("required").get<std::set<std::string>>() == required);
    }
  }
}

TEST_CASE("every reference in the schema leads somewhere and every object is closed") {
  // oracle: walking the document
  const json schema = json::parse(model_schema());
  int references = 0;
  const auto walk = [&](const auto& self, const json& node) -> void {
    if (node.is_object() && node.contains("$ref") && node["$ref"].is_string()) {
      const std::string target = node["$ref"];
      CAPTURE(target);
      REQUIRE(target.rfind("#/", 0) == 0);
      CHECK(schema.contains(json::json_pointer(target.substr(1))));
      ++references;
    }
    if (node.is_object() && node.value("type", json()) == "object") CHECK(node.contains("additionalProperties"));
    if (node.is_structured())
      for (const json& child : node) self(self, child);
  };
  walk(walk, schema);
  CHECK(references > 50);
}

TEST_CASE("the schema refuses the names that the reader refuses") {
  // oracle: the reader's own list
  const json schema = json::parse(model_schema());
  const auto refused = schema.at("$defs").at("name").at("not").at("enum").get<std::set<std::string>>();
  CHECK(refused == std::set<std::string>(kTakenNames.begin(), kTakenNames.end()));
  const json& keys = schema.at("properties");
  for (const char* key : {"jounce", "name", "space", "gravity", "parameters", "ground"}) CHECK(keys.contains(key));
  for (const char* key : {"bodies", "joints", "drivers", "forces", "run"}) CHECK(keys.contains(key));
}
