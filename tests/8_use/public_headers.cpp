// What a program that includes <jounce/jounce.hpp> is made to include.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "places.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path kSource = fs::path(places::source()) / "src";

// Every header reachable from one of ours, with the line that brought it in.
std::map<std::string, std::string> reachable(const std::string& first) {
  std::map<std::string, std::string> seen{{first, "the program"}};
  std::vector<std::string> open{first};
  while (!open.empty()) {
    const std::string file = open.back();
    open.pop_back();
    if (!file.starts_with("jounce/")) continue;  // of the standard library: not ours to follow
    if (fs::path(file).filename() == "all.hpp") {  // written by CMake: it includes what its folder holds
      for (const fs::directory_entry& entry : fs::directory_iterator((kSource / file).parent_path())) {
        const std::string included = entry.path().lexically_relative(kSource).generic_string();
        if (seen.emplace(included, file).second) open.push_back(included);
      }
      continue;
    }
    std::ifstream in(kSource / file);
    REQUIRE_MESSAGE(in.good(), file);
    for (std::string line; std::getline(in, line);) {
      const auto hash = line.find_first_not_of(" \t");
      if (hash == std::string::npos || line[hash] != '#' || line.find("include", hash) == std::string::npos) continue;
      const auto begin = line.find_first_of("<\""), end = line.find_first_of(">\"", begin + 1);
      if (begin == std::string::npos || end == std::string::npos) continue;
      const std::string included = line.substr(begin + 1, end - begin - 1);
      if (seen.emplace(included, file).second) open.push_back(included);
    }
  }
  return seen;
}

// The headers of the standard library have no folder and no ending.
bool is_standard(const std::string& header) { return header.find_first_of("./") == std::string::npos; }

// The folders that a header of ours lies in: "jounce/api/run.hpp" -> "api"; empty for one at the top.
std::string folder(const std::string& header) {
  const std::string inside = header.substr(std::string_view("jounce/").size());
  const auto slash = inside.find('/');
  return slash == std::string::npos ? "" : inside.substr(0, slash);
}

std::size_t lines(const std::string& header) {
  std::ifstream in(kSource / header);
  std::size_t n = 0;
  for (std::string line; std::getline(in, line);) ++n;
  return n;
}

}  // namespace

TEST_CASE("the public header reaches only the standard library and Jounce itself") {
  // oracle: the include lines, followed from <jounce/jounce.hpp>
  const auto headers = reachable("jounce/jounce.hpp");
  CHECK(headers.size() > 15);
  for (const auto& found : headers)
    CHECK_MESSAGE((is_standard(found.first) || found.first.starts_with("jounce/")), "<" << found.first << "> is included by " << found.second);
}

TEST_CASE("the public header is plain data and functions: no equations, no templates of algorithms") {
  // oracle: the folders of the library: what computes lies in these
  const std::set<std::string> inside{"scalar", "expr", "laws", "planar", "tree", "space"};
  std::size_t all = 0;
  for (const auto& found : reachable("jounce/jounce.hpp")) {
    const std::string &header = found.first, &by = found.second;
    if (!header.starts_with("jounce/")) continue;
    CHECK_MESSAGE(!inside.contains(folder(header)), "<" << header << "> is included by " << by);
    CHECK_MESSAGE((fs::path(header).filename() != "mechanism.hpp" || folder(header) == "api"), "<" << header << "> is included by " << by);
    all += lines(header);
  }
  CHECK_MESSAGE(all < 2800, all << " lines; it is what everybody who uses Jounce compiles");
}

TEST_CASE("no header of the library needs Eigen, fmt or toml++, and one needs nlohmann-json") {
  // oracle: the include lines of every header
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSource / "jounce")) {
    if (entry.path().extension() != ".hpp") continue;
    const std::string header = entry.path().lexically_relative(kSource).generic_string();
    for (const auto& pair : reachable(header)) {
      const std::string &found = pair.first, &by = pair.second;
      const bool json = found == "nlohmann/json.hpp" && by == "jounce/api/json.hpp" && header == by;
      CHECK_MESSAGE((is_standard(found) || found.starts_with("jounce/") || json), "<" << found << "> is included by " << by);
    }
  }
}

TEST_CASE("the program sees the library through its face") {
  // oracle: the include lines of apps/jounce: what anybody may include, and what reads and writes text; nothing that computes
  const auto face = reachable("jounce/jounce.hpp"), json = reachable("jounce/api/json.hpp");
  const std::set<std::string> text{"base", "io"};
  int includes = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(places::source()) / "apps" / "jounce")) {
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("#include \"jounce/")) continue;
      const auto begin = line.find('"') + 1;
      const std::string included = line.substr(begin, line.find('"', begin) - begin);
      const bool seen = face.contains(included) || json.contains(included) || text.contains(folder(included));
      CHECK_MESSAGE(seen, entry.path().filename().string() << " includes " << included << ", which is inside the library");
      ++includes;
    }
  }
  CHECK(includes > 20);
}
