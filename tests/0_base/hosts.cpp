// What a program around the library can take into its own hands: where files come from.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "jounce/base/files.hpp"
#include "jounce/base/path.hpp"
#include "jounce/base/result.hpp"
#include "places.hpp"

using namespace jounce;

namespace {

// Files in memory for as long as it lives.
struct MemoryFiles {
  explicit MemoryFiles(std::map<std::string, std::string> files) {
    set_file_provider([files = std::move(files)](const std::string& path, std::size_t) -> Result<std::string> {
      const auto found = files.find(path);
      if (found == files.end()) return error({}, "it is not in this memory");
      return found->second;
    });
  }
  ~MemoryFiles() { set_file_provider({}); }
};

}  // namespace

TEST_CASE("files are read from where the host says") {
  // oracle: the map
  const MemoryFiles memory({{"a", "one"}, {"b", std::string(100, 'x')}});
  CHECK(*read_file("a", 10) == "one");
  CHECK(text(read_file("b", 99).problems()) == "b: error: cannot read the file: it is larger than 0 MiB\n");
  CHECK(text(read_file("c", 99, "table").problems()) == "c: error: cannot read the table: it is not in this memory\n");
}

TEST_CASE("without a provider files come from the file system, with its reasons") {
  // oracle: this file, and the words of the system
  const auto here = read_file(places::source() + "/tests/0_base/hosts.cpp", 1U << 20U);
  REQUIRE(here.ok());
  CHECK(here->starts_with("// What a program around the library"));
  CHECK(text(read_file("/nowhere/x", 10).problems()) == "/nowhere/x: error: cannot read the file: No such file or directory\n");
  CHECK(text(read_file("/", 10).problems()) == "/: error: cannot read the file: Is a directory\n");
}

TEST_CASE("names of files are put together as text") {
  // oracle: by hand
  CHECK(beside("models/cam/model.toml", "lift.csv") == "models/cam/lift.csv");
  CHECK(beside("model.toml", "tables/lift.csv") == "tables/lift.csv");
  CHECK(beside("models/model.toml", "/data/lift.csv") == "/data/lift.csv");
  CHECK(beside("/model.toml", "lift.csv") == "/lift.csv");
  CHECK(stem("models/four-bar.v2.toml") == "four-bar.v2");
  CHECK(stem("four-bar") == "four-bar");
  CHECK(stem("a.b/.toml") == ".toml");
  CHECK(stem("models/..") == "..");
  CHECK(stem("").empty());
}
