// Writes the reference pages from the registries: `jounce_reference DIR`.
//
// The tables come from the catalogue of types, the law of each type from the comment at the head of its source file. Nothing
// here knows a type by name, so a new joint appears by being registered.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/expr/names.hpp"
#include "jounce/io/model_types.hpp"
#include "jounce/io/schema.hpp"

namespace {

namespace fs = std::filesystem;
using jounce::FieldInfo;
using jounce::Group;
using jounce::Space;
using jounce::TypeInfo;

/// Keys of a table or a section that is no type.
struct Keys {
  std::string_view title, introduction;
  std::span<const FieldInfo> fields;
};

struct Page {
  Space space;
  std::vector<Group> groups;
  std::string_view file, title, folder, introduction;
  std::vector<Keys> keys = {};
};

const std::vector<Page>& pages() {
  static const std::vector<Page> kPages = {
      {Space::plane, {Group::joint}, "joints.md", "Joints", "planar/joints",
       "A joint is a section `[joints.NAME]` of a model file. It takes away as many degrees of freedom as it has equations."},
      {Space::plane, {Group::driver}, "drivers.md", "Drivers", "planar/drivers",
       "A driver is a section `[drivers.NAME]` of a model file: an equation with a prescribed function of time, `motion`."},
      {Space::plane, {Group::force}, "forces.md", "Forces", "",
       "A force is a section `[forces.NAME]` of a model file. Forces enter inverse dynamics, dynamics and equilibrium; kinematics does not\n"
       "depend on them. Gravity is the key `gravity` of the model and not a force of this kind."},
      {Space::plane, {Group::shape}, "shapes.md", "Shapes", "",
       "A shape is the key `shape` of a body. It gives the body's centre of mass and its moment of inertia about it where `com` "
       "and\n"
       "`inertia` are left out; the inertia needs a `mass`."},
      {Space::three, {Group::joint}, "spatial-joints.md", "Joints in space", "tree/joints",
       "In a model with `space = \"3d\"` a joint is a section `[joints.NAME]` that hangs a body, its `child`, on another body\n"
       "or on the ground, its `parent`. The joint moves the child; every body is the child of exactly one joint.",
       {{"The keys of a dof", "An entry of `dofs`. `{}` leaves a dof passive and without forces.", jounce::tree::dof_fields()},
        {"The keys of a placement", "`origin`, `child_origin`, and a point that has axes of its own.",
         jounce::tree::placement_fields()},
        {"The keys of a motion", "`motion` of a joint of type `spherical` or `free`; one of `rotation_vector`, `rpy` and `euler` with `angles`. What is left out stays as `q` says.",
         jounce::tree::pose_fields()},
        {"The section [base]", "How the rates of the joints begin.", jounce::tree::base_fields()},
        {"The section [actuators]", "Whose efforts carry the prescribed motions in `inverse`; left out: those of the prescribed dofs themselves.",
         jounce::tree::actuator_fields()}}},
      {Space::three, {Group::coupling, Group::loop}, "loops-and-couplings.md", "Loops and couplings", "",
       "Both belong to models with `space = \"3d\"`. A coupling is a section `[couplings.NAME]`, without a `type`: one dof\n"
       "follows another. A loop is a section `[loops.NAME]` that closes a chain which the joints leave open, by a joint of any\n"
       "type that has an equation."},
      {Space::three, {Group::force}, "spatial-forces.md", "Forces in space", "",
       "In a model with `space = \"3d\"` a force is a section `[forces.NAME]`. Gravity is the key `gravity` of the model;\n"
       "springs, dampers and torques of a joint are in its `dofs`."},
      {Space::three, {Group::shape}, "spatial-shapes.md", "Shapes in space", "",
       "In a model with `space = \"3d\"` a shape is the key `shape` of a body. It gives the body's centre of mass and its\n"
       "inertia about it where `com` and `inertia` are left out; the inertia needs a `mass`."},
  };
  return kPages;
}

constexpr std::string_view kGenerated =
    "<!-- Written by tools/reference from the registries (./dev docs). Do not edit. -->\n\n";

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// The comment at the head of the file that defines a type, without its slashes; empty when no file does.
std::string law(std::string_view folder, std::string_view type, std::string& file) {
  if (folder.empty()) return {};
  const fs::path root = fs::path(JOUNCE_SOURCE_DIR) / "src/jounce" / folder;
  const std::string definition = "type = \"" + std::string(type) + "\"";
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string text = read(entry.path());
    if (text.find(definition) == std::string::npos) continue;
    file = "src/jounce/" + std::string(folder) + "/" + entry.path().filename().string();
    std::istringstream lines(text);
    std::string out;
    for (std::string line; std::getline(lines, line) && line.starts_with("//");)
      out += (line.size() > 3 ? line.substr(3) : std::string()) + '\n';
    return out;
  }
  return {};
}

// A table cell: no line breaks, and bars escaped.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

// `of`: the type that has them, if it is one.
std::string table(std::span<const FieldInfo> fields, const TypeInfo* of = nullptr) {
  std::string out = "| key | required | how it is written | meaning |\n|---|---|---|---|\n";
  for (const FieldInfo& field : fields) {
    const std::string also(of == nullptr ? std::string_view() : jounce::other_word(*of, field));
    out += "| `" + std::string(field.key) + "`" + (also.empty() ? "" : " or `" + also + "`") + " | " + (field.required ? "yes" : "no") + " | " +
           cell(jounce::expected(field.form)) + " | " + cell(field.doc) + " |\n";
  }
  return out;
}

std::string section(std::span<const TypeInfo> all, const TypeInfo& type, std::string_view folder) {
  std::string out = "## " + std::string(type.type) + "\n\n";
  std::string summary(type.summary);
  if (summary.front() >= 'a' && summary.front() <= 'z') summary.front() = static_cast<char>(summary.front() - 'a' + 'A');
  out += summary + ".";
  if (type.equations > 0) out += " " + std::to_string(type.equations) + (type.equations == 1 ? " equation." : " equations.");
  if (type.dofs > 0) out += " " + std::to_string(type.dofs) + (type.dofs == 1 ? " dof." : " dofs.");
  for (const std::string_view also : jounce::other_words(all, type)) out += " Also called `" + std::string(also) + "`.";
  out += "\n\n";
  std::string file;
  if (const std::string comment = law(folder, type.type, file); !comment.empty())
    out += "```text\n" + comment + "```\n\nFrom [`" + file + "`](../../" + file + ").\n\n";
  return out + table(type.fields, &type);
}

std::string page(const Page& p) {
  std::string out = std::string(kGenerated) + "# " + std::string(p.title) + "\n\n" + std::string(p.introduction) + "\n\n";
  for (const Group group : p.groups)
    for (const TypeInfo& type : types(p.space, group))
      out += "- [" + std::string(type.type) + "](#" + std::string(type.type) + "): " + std::string(type.summary) + "\n";
  for (const Group group : p.groups)
    for (const TypeInfo& type : types(p.space, group)) out += '\n' + section(types(p.space, group), type, p.folder);
  for (const Keys& keys : p.keys)
    out += "\n## " + std::string(keys.title) + "\n\n" + std::string(keys.introduction) + "\n\n" + table(keys.fields);
  return out;
}

std::string index() {
  std::string out = std::string(kGenerated) +
                    "# Reference\n\nWhat a model file may hold, as the program itself knows it. The guide explains it:\n"
                    "[the model file](../guide/model-file.md).\n\n| page | types |\n|---|---|\n";
  for (const Page& p : pages()) {
    out += "| [" + std::string(p.title) + "](" + std::string(p.file) + ") |";
    const char* separator = " ";
    for (const Group group : p.groups)
      for (const TypeInfo& type : types(p.space, group)) {
        out += separator + ("[" + std::string(type.type) + "](" + std::string(p.file) + "#" + std::string(type.type) + ")");
        separator = ", ";
      }
    out += " |\n";
  }
  out +=
      "\n[model-schema.json](model-schema.json) is the JSON Schema (draft 2020-12) of the model file, the same that `jounce "
      "schema`\n"
      "prints. Editors that know schemas for TOML complete and check models with it.\n\n"
      "## Constants and functions of expressions\n\n| constant | value |\n|---|---|\n";
  for (const jounce::Constant& c : jounce::all_constants()) {
    char value[32];
    std::snprintf(value, sizeof value, "%.15g", c.value);
    out += "| `" + std::string(c.name) + "` | " + value + " |\n";
  }
  out += "\n| function | arguments |\n|---|---|\n";
  for (const jounce::Function& f : jounce::all_functions()) {
    const int n = std::abs(f.arguments);
    out += "| `" + std::string(f.name) + "` | " + std::to_string(n) + (f.arguments < 0 ? " or more" : "") + " |\n";
  }
  return out;
}

bool write(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) std::cerr << "jounce_reference: cannot write " << path.string() << '\n';
  return bool(out);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::cerr << "usage: jounce_reference DIR\n", 2;
  const fs::path folder = argv[1];
  std::error_code failed;
  fs::create_directories(folder, failed);
  bool ok = write(folder / "index.md", index()) && write(folder / "model-schema.json", jounce::model_schema());
  for (const Page& p : pages()) ok = ok && write(folder / p.file, page(p));
  return ok ? 0 : 1;
}
