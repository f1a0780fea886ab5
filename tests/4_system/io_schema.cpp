// The JSON Schema of the model file.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>

#include "jounce/io/model_names.hpp"
#include "jounce/io/model_types.hpp"
#include "jounce/io/schema.hpp"

namespace io_schema_test {

using namespace jounce;
using nlohmann::json;

TEST_CASE("the schema is JSON and describes every type of the catalogue with its fields") {
  // oracle: the catalogue, and a JSON reader that is not ours
  const json schema = json::parse(model_schema());
  CHECK(schema.at("$schema") == "https://json-schema.org/draft/2020-12/schema");
  for (const Space space : {Space::plane, Space::three})
    for (const Group group : {Group::joint, Group::driver, Group::coupling, Group::loop, Group::force, Group::shape}) {
      const auto all = types(space, group);
      const std::string name = (space == Space::plane ? "" : "spatial-") + std::string(word(group)) + "s";
      CAPTURE(name);
      REQUIRE(schema.at("$defs").contains(name) == !all.empty());
      if (all.empty()) continue;
      const json& alternatives = schema.at("$defs").at(name).at("oneOf");
      REQUIRE(alternatives.size() == all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        const json& one = alternatives[i];
        CAPTURE(all[i].type);
        std::set<std::string> required;
        if (has_type(group)) {
          const json& type = one.at("properties").at("type");
          std::vector<std::string> words{std::string(all[i].type)};
          for (const std::string_view other : other_words(all, all[i])) words.emplace_back(other);
          CHECK((words.size() == 1 ? std::vector{type.at("const").get<std::string>()} : type.at("enum").get<std::vector<std::string>>()) == words);
          required.emplace("type");
        }
        CHECK(one.at("additionalProperties") == false);
        std::size_t others = 0, either = 0;  // keys with another word, and those of them that must be there
        for (const FieldInfo& field : all[i].fields) {
          CHECK(one.at("properties").at(std::string(field.key)).at("description") == field.doc);
          const std::string other(other_word(all[i], field));
          if (field.required && other.empty()) required.emplace(field.key);
          if (other.empty()) continue;
          CHECK(one.at("properties").at(other).at("$ref") == one.at("properties").at(std::string(field.key)).at("$ref"));
          ++others, either += field.required ? 1 : 0;
        }
        CHECK(one.at("properties").size() == all[i].fields.size() + others + (has_type(group) ? 1 : 0));
        CHECK((one.contains("allOf") ? one.at("allOf").size() : 0) == either);
        CHECK(one.at("required").get<std::set<std::string>>() == required);
      }
    }
}

TEST_CASE("the schema describes the tables that are no types with every key of the catalogue") {
  // oracle: the catalogue
  const json schema = json::parse(model_schema());
  const auto same_keys = [](const json& object, std::span<const FieldInfo> fields) {
    std::set<std::string> known, described;
    for (const FieldInfo& field : fields) known.emplace(field.key);
    for (const auto& [key, value] : object.at("properties").items()) described.insert(key);
    return known == described;
  };
  CHECK(same_keys(schema.at("$defs").at("dof-entry"), tree::dof_fields()));
  CHECK(same_keys(schema.at("$defs").at("placement"), tree::placement_fields()));
  CHECK(same_keys(schema.at("$defs").at("spatial-model").at("properties").at("base"), tree::base_fields()));
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
}

TEST_CASE("the schema tells models of the plane from models in space") {
  // oracle: the sections that the reader knows in each
  const json schema = json::parse(model_schema());
  REQUIRE(schema.at("oneOf").size() == 2);
  const auto keys_of = [&](const char* model) {
    std::set<std::string> out;
    for (const auto& [key, value] : schema.at("$defs").at(model).at("properties").items()) out.insert(key);
    return out;
  };
  const std::set<std::string> both{"jounce", "name",   "space",  "gravity", "parameters",
                                   "measures", "stops",  "events", "ground", "bodies", "joints", "forces",  "units",   "run"};
  std::set<std::string> plane = both, space = both;
  plane.insert("drivers");
  space.insert({"couplings", "loops", "base", "actuators"});
  CHECK(keys_of("planar-model") == plane);
  CHECK(keys_of("spatial-model") == space);
  CHECK(schema.at("$defs").at("planar-model").at("required") == json{"jounce"});
  CHECK(schema.at("$defs").at("spatial-model").at("required") == json{"jounce", "space"});
  CHECK(schema.at("$defs").at("spatial-model").at("properties").at("space").at("const") == "3d");
}

}  // namespace io_schema_test
