// The folders of the library are layers: each may use itself and what lies below.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "places.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path kSource = fs::path(places::source()) / "src" / "jounce";

// From the bottom to the top.
constexpr std::array<std::string_view, 16> kLayers{"base",  "scalar",    "math",  "expr",  "laws",  "planar",  "tree",     "model",
                                                   "results", "mechanism", "plane", "space", "io", "analysis", "report", "api"};

// kLayers.size() for a folder that is not in the list.
std::size_t layer(std::string_view folder) {
  return static_cast<std::size_t>(std::ranges::find(kLayers, folder) - kLayers.begin());
}

}  // namespace

TEST_CASE("every folder of the library has its place in the order of layers") {
  // oracle: the list above
  for (const fs::directory_entry& entry : fs::directory_iterator(kSource)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory())
      CHECK_MESSAGE(layer(name) < kLayers.size(), "src/jounce/" << name << " is not in the list of layers");
    else
      CHECK_MESSAGE((name == "jounce.hpp" || name == "tree.hpp"), "src/jounce/" << name << " belongs in one of the folders");
  }
}

TEST_CASE("no file of the library includes a file of a higher layer") {
  // oracle: the order of the list above
  int includes = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSource)) {
    const fs::path file = entry.path().lexically_relative(kSource);
    if (!entry.is_regular_file() || file == "jounce.hpp" || file == "tree.hpp") continue;
    const std::size_t here = layer(file.begin()->string());
    std::ifstream in(entry.path());
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      constexpr std::string_view kBegin = "#include \"";
      if (!line.starts_with(kBegin)) continue;
      const std::string included = line.substr(kBegin.size(), line.find('"', kBegin.size()) - kBegin.size());
      const std::string place = "src/jounce/" + file.string() + ":" + std::to_string(number);
      CHECK_MESSAGE(included.starts_with("jounce/"), place << ": write \"jounce/" << included << "\" in full");
      if (!included.starts_with("jounce/")) continue;
      const std::string folder = included.substr(7, included.find('/', 7) - 7);
      CHECK_MESSAGE(layer(folder) <= here,
                    place << ": " << *file.begin() << " lies below " << folder << " and cannot use " << included);
      const bool apart = (here == layer("plane") && folder == "space") || (here == layer("space") && folder == "plane");
      CHECK_MESSAGE(!apart, place << ": plane and space do not know each other; what both need lies in mechanism");
      ++includes;
    }
  }
  CHECK(includes > 100);
}

TEST_CASE("every quoted include names a file that is there") {
  // oracle: the file system; all.hpp is written by CMake and includes what its folder holds
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSource)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("#include \"")) continue;
      const std::string included = line.substr(10, line.find('"', 10) - 10);
      const fs::path file = kSource.parent_path() / included;
      const bool umbrella = file.filename() == "all.hpp" && fs::is_directory(file.parent_path());
      CHECK_MESSAGE((umbrella || fs::exists(file)), entry.path().filename().string() << " includes " << included);
    }
  }
}
