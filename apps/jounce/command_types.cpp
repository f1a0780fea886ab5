// jounce types [TYPE]: the element types, from the catalogue that the reader uses.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "commands.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/planar/catalogue.hpp"
#include "json.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

using namespace planar;

constexpr std::array kGroups{Group::joint, Group::driver, Group::force, Group::shape};

// A value to start from. The second body of an element is another one than the first.
std::string example(Group group, const FieldInfo& field, bool first) {
  const bool shape = group == Group::shape;
  switch (field.form) {
    case Form::point: return shape ? (first ? "\"A\"" : "\"B\"") : first ? "\"ground.O\"" : "\"crank.A\"";
    case Form::line: return first ? "[\"ground.P\", \"ground.Q\"]" : "[\"slider.C\", \"slider.F\"]";
    case Form::body: return first ? "\"ground\"" : field.key == "arm" ? "\"slider\"" : "\"crank\"";
    case Form::coordinate: return field.key == "j" ? "\"crank.phi\"" : "\"slider.x\"";
    case Form::number: return field.key == "offset" || field.key == "angle" || field.key == "free_angle" ? "0" : "0.1";
    case Form::pair: return "[0.1, 0.2]";
    case Form::vector: return "[\"-200*step(t, 0.1, 0.2)\", 0]";
    case Form::motion: return group == Group::driver ? "\"0.2 + 0.05*sin(2*pi*t)\"" : "\"5*sin(2*pi*t)\"";
    case Form::law: return "\"10*sin(2*pi*t)\"";
    case Form::mesh: return "\"external\"";
    case Form::frame: break;
  }
  return "\"ground\"";
}

// Ready to paste: what is required as it stands, what is optional behind a '#'.
std::string snippet(const TypeInfo& info) {
  const bool two_ways = info.find("ratio") != nullptr && info.find("radii") != nullptr;  // one of them must be there
  std::string out, required = fmt::format("shape = {{ type = \"{}\"", info.type);
  if (info.group != Group::shape) out = fmt::format("[{}s.NAME]\n{:<14} = \"{}\"\n", word(info.group), "type", info.type);
  bool first = true;
  for (const FieldInfo& field : info.fields) {
    const bool body = field.form == Form::point || field.form == Form::line || field.form == Form::body;
    const std::string value = example(info.group, field, first && field.key != "on");  // a force on the ground moves nothing
    if (body) first = false;
    const bool written = field.required || (two_ways && field.key == "radii");
    if (info.group == Group::shape) required += written ? fmt::format(", {} = {}", field.key, value) : "";
    else out += fmt::format("{:<14} = {}\n", fmt::format("{}{}", written ? "" : "#", field.key), value);
  }
  return info.group == Group::shape ? required + " }\n" : out;
}

std::string table() {
  std::string out;
  for (const Group group : kGroups) {
    out += fmt::format("{}{}\n", out.empty() ? "" : "\n", toned(Tone::strong, fmt::format("{}s", word(group))));
    for (const TypeInfo& info : types(group)) {
      const std::string equations = info.equations == 0 ? "" : fmt::format("{} eq.", info.equations);
      out += fmt::format("  {:<15} {:<6} {}\n", info.type, equations, info.summary);
    }
  }
  return out + "\njounce types TYPE shows the fields of one type and a section to paste.\n";
}

std::string details(const TypeInfo& info) {
  std::string equations;
  if (info.equations > 0) equations = fmt::format(", {} equation{}", info.equations, info.equations == 1 ? "" : "s");
  std::string out =
      fmt::format("{}  {}{}\n  {}\n\n", toned(Tone::strong, info.type), word(info.group), equations, info.summary);
  for (const FieldInfo& field : info.fields)
    out += fmt::format("  {:<15} {:<9} {}\n  {:<25} {}\n", field.key, field.required ? "required" : "optional", field.doc, "",
                       expected(field.form));
  return out + "\n" + snippet(info);
}

Json json(const TypeInfo& info) {
  Json fields = Json::array();
  for (const FieldInfo& field : info.fields)
    fields.push_back(
        {{"key", field.key}, {"required", field.required}, {"expected", expected(field.form)}, {"doc", field.doc}});
  return {{"group", word(info.group)}, {"type", info.type},     {"summary", info.summary},
          {"equations", info.equations}, {"fields", fields}, {"snippet", snippet(info)}};
}

}  // namespace

int command_types(const TypesOptions& options) {
  std::vector<const TypeInfo*> found;
  std::vector<std::string> names;
  for (const Group group : kGroups)
    for (const TypeInfo& info : types(group)) {
      names.emplace_back(info.type);
      if (options.type.empty() || info.type == options.type) found.push_back(&info);
    }
  if (found.empty()) {
    const auto guess = nearest_name(options.type, names);
    const std::string hint = guess ? "did you mean '" + *guess + "'?" : "they are " + join_names(names, 40);
    complain(fmt::format("'{}' is not a type ({})", options.type, hint));
    return kWrong;
  }
  if (options.json) {
    Json list = Json::array();
    for (const TypeInfo* info : found) list.push_back(json(*info));
    print_json({{"types", list}});
  } else if (options.type.empty()) {
    print(table());
  } else {
    std::string out;
    for (const TypeInfo* info : found) out += (out.empty() ? "" : "\n") + details(*info);
    print(out);
  }
  return kDone;
}

}  // namespace jounce::app
