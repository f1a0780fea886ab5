// What a program that includes <jounce/jounce.hpp> is made to include.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
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

}  // namespace

TEST_CASE("the public header reaches only the standard library and Jounce itself") {
  // oracle: the include lines, followed from <jounce/jounce.hpp>
  const auto headers = reachable("jounce/jounce.hpp");
  CHECK(headers.size() > 15);
  for (const auto& found : headers)
    CHECK_MESSAGE((is_standard(found.first) || found.first.starts_with("jounce/")), "<" << found.first << "> is included by " << found.second);
}

TEST_CASE("no header of the library needs Eigen, fmt or toml++") {
  // oracle: the include lines of every installed header
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSource / "jounce")) {
    if (entry.path().extension() != ".hpp") continue;
    const std::string header = entry.path().lexically_relative(kSource).generic_string();
    for (const auto& found : reachable(header))
      CHECK_MESSAGE((is_standard(found.first) || found.first.starts_with("jounce/")), "<" << found.first << "> is included by " << found.second);
  }
}
