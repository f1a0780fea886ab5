// Every broken model of tests/bad_spatial, and word for word what the reader says about it.
//
// To add one: NAME.toml, right except for what its first line says; and NAME.txt, the messages.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "jounce/io/load.hpp"
#include "jounce/io/read_model.hpp"
#include "places.hpp"

namespace io_bad_spatial_test {

using namespace jounce;

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(places::source()) / "tests" / "bad_spatial";

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("every broken model in space gets exactly its messages") {
  // oracle: NAME.txt beside NAME.toml, written as a user should read it; file, line, column and sentence are compared
  int count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder)) {
    const fs::path& path = entry.path();
    CAPTURE(path.filename().string());
    if (path.extension() == ".txt") CHECK(fs::exists(fs::path(path).replace_extension(".toml")));
    if (path.extension() != ".toml") continue;
    const std::string model = content(path);
    CHECK(model.starts_with("# "));
    const Problems problems = parse_model(model, path.filename().string()).problems;
    CHECK(text(problems) == content(fs::path(path).replace_extension(".txt")));
    ++count;
  }
  CHECK(count >= 22);
}

TEST_CASE("a broken model in space that is cut off anywhere still gives an answer") {
  // oracle: no crash, and every problem has a place
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string whole = content(entry.path());
    for (std::size_t size = 0; size < whole.size(); size += 7)
      for (const Problem& problem : parse_model(whole.substr(0, size), "m.toml").problems) CHECK(problem.where.line >= 1);
  }
}

TEST_CASE("a model in space is refused where a mechanism in the plane is wanted, at the word that says so") {
  // oracle: by hand; line 3 of the file is: space = "3d"
  const std::string path = (kFolder / "planar-gravity.toml").string();
  CHECK(text(load_plane(path).problems()) ==
        path + ":3:10: error: space: this is a spatial model: expected a mechanism in the plane\n" +  //
            path + ":4:11: error: gravity: expected three numbers [x, y, z], found an array of 2\n");
}

}  // namespace io_bad_spatial_test
