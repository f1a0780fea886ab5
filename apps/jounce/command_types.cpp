// jounce types [TYPE]: the element types, from the catalogue that the reader uses.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "commands.hpp"
#include "jounce/api/types.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/io/model_types.hpp"
#include "json.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

std::string_view in_space(Space space) { return space == Space::plane ? "in the plane" : "in space"; }

// "2 eq.", "1 dof", or nothing
std::string count(const TypeInfo& info) {
  if (info.equations > 0) return fmt::format("{} eq.", info.equations);
  return info.dofs > 0 ? fmt::format("{} dof{}", info.dofs, info.dofs == 1 ? "" : "s") : "";
}

std::string table(const std::vector<ElementType>& all) {
  std::string out, last;
  for (const auto& [space, info] : all) {
    const std::string title = fmt::format("{}s {}", word(info->group), in_space(space));
    if (title != last) out += fmt::format("{}{}\n", out.empty() ? "" : "\n", toned(Tone::strong, title));
    last = title;
    out += fmt::format("  {:<15} {:<6} {}\n", info->type, count(*info), info->summary);
  }
  return out + "\njounce types TYPE shows the fields of one type and a section to paste.\n";
}

// `of`: the type that has them, if it is one.
std::string field_lines(std::span<const FieldInfo> fields, const TypeInfo* of = nullptr) {
  std::string out;
  for (const FieldInfo& field : fields) {
    const std::string_view also = of == nullptr ? std::string_view() : other_word(*of, field);
    out += fmt::format("  {:<15} {:<9} {}\n  {:<25} {}\n", also.empty() ? std::string(field.key) : fmt::format("{} or {}", field.key, also),
                       field.required ? "required" : "optional", field.doc, "", expected(field.form));
  }
  return out;
}

std::string details(const ElementType& found) {
  const TypeInfo& info = *found.info;
  std::string counted;
  if (info.equations > 0) counted = fmt::format(", {} equation{}", info.equations, info.equations == 1 ? "" : "s");
  if (info.dofs > 0) counted = fmt::format(", {} dof{}", info.dofs, info.dofs == 1 ? "" : "s");
  std::string out = fmt::format("{}  {} {}{}\n  {}\n\n", toned(Tone::strong, info.type), word(info.group), in_space(found.space),
                                counted, info.summary);
  if (const auto also = other_words(types(found.space, info.group), info); !also.empty()) out.insert(out.size() - 1, fmt::format("  also: {}\n", fmt::join(also, ", ")));
  out += field_lines(info.fields, &info);
  if (info.find("dofs") != nullptr) out += "\n  each entry of dofs:\n" + field_lines(dof_fields());
  if (const FieldInfo* motion = info.find("motion"); motion != nullptr && motion->form == Form::pose)
    out += "\n  motion:\n" + field_lines(pose_fields());
  return out + "\n" + snippet(found);
}

}  // namespace

int command_types(const TypesOptions& options) {
  const std::vector<ElementType> found = element_types(options.type);
  if (found.empty()) {
    std::vector<std::string> names;
    for (const ElementType& type : element_types())
      if (std::ranges::find(names, type.info->type) == names.end()) names.emplace_back(type.info->type);
    const auto guess = nearest_name(options.type, names);
    const std::string hint = guess ? "did you mean '" + *guess + "'?" : "they are " + join_names(names, names.size());
    complain(fmt::format("'{}' is not a type ({})", options.type, hint));
    return kWrong;
  }
  if (options.json) {
    print_json({{"types", types_json(found)}});
  } else if (options.type.empty()) {
    print(table(found));
  } else {
    std::string out;
    for (const ElementType& one : found) out += (out.empty() ? "" : "\n") + details(one);
    print(out);
  }
  return kDone;
}

}  // namespace jounce::app
