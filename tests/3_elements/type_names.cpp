// Oracle: the sources themselves. A type is named in its own file and listed in a registry; all else goes by what it says of itself.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "jounce/base/drawing_symbol.hpp"
#include "jounce/planar/catalogue.hpp"
#include "jounce/tree/catalogue.hpp"
#include "places.hpp"

namespace type_names_test {

namespace {

namespace fs = std::filesystem;
using namespace jounce;

// A file or a folder that names types, and why it may.
const std::map<std::string, std::string> kMayName{
    {"apps/jounce/templates.cpp", "models to begin with, as a user would write them"},
    {"apps/jounce/templates_space.cpp", "models to begin with, as a user would write them"},
    {"src/jounce/io/urdf/urdf.cpp", "another format: writes the joint of ours that a joint of URDF is"},
    {"src/jounce/io/urdf/urdf_robot.cpp", "another format: the names are those of URDF"},
    {"src/jounce/io/urdf/urdf_tree.cpp", "another format: the names are those of URDF"},
    {"src/jounce/plane/spanning/spanning_tree.cpp", "the joints of which Kane's partial velocities know the geometry; others close loops"},
    {"src/jounce/base/vocabulary.cpp", "the two words that some types have, one from the plane and one from space"},
    {"src/jounce/analysis/", "the sentence about a pin beyond its slot; an angle driver is compared as a moment"},
    {"src/jounce/space/build/build.cpp", "forces of space, and the loop of type free"},
    {"src/jounce/tree/catalogue.cpp", "forces of space"},
};

// Words of plain English that mean something else elsewhere: only a comparison with a type counts.
const std::set<std::string> kOtherMeanings{"angle", "coordinate", "custom", "distance", "equation", "fixed", "free", "gear", "planar", "translation"};

std::set<std::string> type_names() {
  std::set<std::string> out;
  for (const Group group : {Group::joint, Group::driver, Group::force}) {
    for (const TypeInfo& type : planar::types(group)) out.insert(std::string(type.type));
    for (const TypeInfo& type : tree::types(group)) out.insert(std::string(type.type));
  }
  return out;
}

std::set<std::string> symbol_words() {
  std::set<std::string> out;
  for (int s = 0; s <= static_cast<int>(DrawingSymbol::screws); ++s) out.insert(std::string(word(static_cast<DrawingSymbol>(s))));
  return out;
}

struct Line {
  std::string file, place, text;  // file: from the root of the repository
};

// All lines of the program, without comments.
std::vector<Line> code() {
  std::vector<Line> out;
  const fs::path root = places::source();
  for (const char* folder : {"src/jounce", "apps/jounce", "report/src"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string kind = entry.path().extension().string();
      if (!entry.is_regular_file() || (kind != ".cpp" && kind != ".hpp" && kind != ".ts")) continue;
      const std::string file = entry.path().lexically_relative(root).generic_string();
      std::ifstream in(entry.path());
      int number = 0;
      for (std::string line; std::getline(in, line);) {
        const auto comment = line.find("//");
        out.push_back({file, file + ":" + std::to_string(++number), line.substr(0, comment)});
      }
    }
  return out;
}

bool may_name(const std::string& file) {
  return std::ranges::any_of(kMayName, [&](const auto& entry) { return file.starts_with(entry.first); });
}

bool own_file(const std::string& file) {
  for (const char* folder : {"planar/joints/", "planar/drivers/", "planar/forces/", "tree/joints/", "tree/forces/"})
    if (file.starts_with(std::string("src/jounce/") + folder)) return true;
  // no joints like the others: the residual is the user's, or made when a model is built
  return file == "src/jounce/planar/equation.hpp" || file == "src/jounce/planar/contact_types.hpp";
}

// `something.type == "name"`, `type !== "name"`; not of a shape, which has a type of its own.
bool compares_type(const std::string& text, std::size_t quote) {
  std::string before = text.substr(0, quote);
  const auto drop = [&](std::string_view tail) {
    while (!before.empty() && tail.find(before.back()) != tail.npos) before.pop_back();
  };
  drop(" ");
  const std::size_t size = before.size();
  drop("=!");
  if (size - before.size() < 2) return false;
  drop(" ");
  if (!before.ends_with("type")) return false;
  return !before.ends_with("shape.type") && !before.ends_with("shape?.type") && !before.ends_with("shape->type");
}

}  // namespace

TEST_CASE("nothing but a type's own file names it") {
  // oracle: every quoted name of a type in the library, the program and the page of the report
  const std::set<std::string> types = type_names(), symbols = symbol_words();
  CHECK(types.size() > 25);
  for (const Line& line : code()) {
    if (own_file(line.file) || may_name(line.file)) continue;
    for (const std::string& type : types) {
      const auto quote = line.text.find('"' + type + '"');
      if (quote == line.text.npos) continue;
      const bool ambiguous = kOtherMeanings.contains(type) || symbols.contains(type);
      CHECK_MESSAGE((ambiguous && !compares_type(line.text, quote)),
                    line.place << " names the type '" << type << "': let the type say in its own file what is wanted here");
    }
  }
}

}  // namespace type_names_test
