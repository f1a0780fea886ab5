// A model that lies in no file system: text and table come from the host's memory.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "jounce/analysis/kinematics.hpp"
#include "jounce/base/files.hpp"
#include "jounce/io/load.hpp"
#include "jounce/io/urdf/urdf.hpp"

namespace memory_files_test {

using namespace jounce;

namespace {

const char* const kCam = R"(
jounce = 1
[ground]
points = { O = [0, 0] }
[bodies.arm]
points = { A = [0, 0] }
[joints]
o = { type = "revolute", i = "ground.O", j = "arm.A" }
[drivers]
d = { type = "angle", i = "ground", j = "arm", motion = { table = "tables/lift.csv" } }
)";

// Files in memory for as long as it lives.
struct MemoryFiles {
  explicit MemoryFiles(std::map<std::string, std::string> files) {
    set_file_provider([files = std::move(files)](const std::string& path, std::size_t) -> Result<std::string> {
      const auto found = files.find(path);
      if (found == files.end()) return error({}, "nobody has given it");
      return found->second;
    });
  }
  ~MemoryFiles() { set_file_provider({}); }
};

}  // namespace

TEST_CASE("a model with a table is loaded and run from memory") {
  // oracle: a table of a straight line is that line: the arm turns by 2 rad/s
  const MemoryFiles memory({{"cams/model.toml", kCam}, {"cams/tables/lift.csv", "t,value\n0,0\n1,2\n2,4\n3,6\n4,8\n5,10\n6,12"}});
  const auto mechanism = load_plane("cams/model.toml");
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  CHECK(mechanism->name == "model");
  const auto run = kinematics(*mechanism, {.to = 1, .steps = 4});
  REQUIRE(run.outcome.done());
  CHECK(*run.results.at(2, "arm.phi") == doctest::Approx(1).epsilon(1e-12));
  CHECK(*run.results.at(2, "arm.vphi") == doctest::Approx(2).epsilon(1e-12));
}

TEST_CASE("what the host's memory has not is told at its place, with the host's reason") {
  // oracle: by hand
  const MemoryFiles memory(std::map<std::string, std::string>{{"cams/model.toml", kCam}});
  CHECK(text(load_plane("cams/model.toml").problems()) ==
        "cams/model.toml:10:68: error: driver 'd': motion: 'tables/lift.csv': cannot read the table: nobody has given it\n");
  CHECK(text(load_plane("other.toml").problems()) == "other.toml: error: cannot read the file: nobody has given it\n");
  CHECK(text(read_urdf("arm.urdf").problems()) == "arm.urdf: error: cannot read the file: nobody has given it\n");
}

}  // namespace memory_files_test
