// What the tests of the program share: they run the built program in a folder of their own and look at what comes out.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "jounce/io/csv.hpp"
#include "places.hpp"

namespace jounce {

using Json = nlohmann::ordered_json;

/// n roundings of a number of this size.
inline double round_off(double n, double size = 1) { return n * std::numeric_limits<double>::epsilon() * std::max(1.0, size); }

/// A model of the library.
inline std::string model(const std::string& name) { return places::source() + "/models/" + name + "/model.toml"; }

struct Ran {
  int code = -1;
  std::string out, err;

  [[nodiscard]] Json json() const {
    INFO(out, err);
    REQUIRE(Json::accept(out));
    return Json::parse(out);
  }
  [[nodiscard]] CsvTable csv() const {
    const auto table = parse_csv(out, "standard output");
    INFO(text(table.problems()));
    REQUIRE(table.ok());
    return *table;
  }
};

/// A temporary folder, in which the program runs.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "jounce-cli-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }
  /// How many files lie here, those of the tests themselves left out.
  [[nodiscard]] int files() const {
    int n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      n += entry.path().filename().string().front() == '.' ? 0 : 1;
    return n;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name, std::ios::binary) << text; }

  /// The program with arguments as a shell writes them.
  [[nodiscard]] Ran jounce(const std::string& arguments) const { return shell("\"" + places::program() + "\" " + arguments); }

  /// Any command line of the shell.
  [[nodiscard]] Ran shell(const std::string& command) const {
    const std::string line = "cd '" + path_.string() + "' && ( " + command + " ) >.out 2>.err </dev/null";
    const int status = std::system(line.c_str());
    Ran ran{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
    return ran;
  }

 private:
  std::filesystem::path path_;
};

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

inline int lines(const std::string& text) { return static_cast<int>(std::ranges::count(text, '\n')); }

inline std::vector<double> column(const CsvTable& table, const std::string& name) {
  const auto c = table.find(name);
  INFO(name);
  REQUIRE(c.has_value());
  return table.column(*c);
}

/// A crank and rod moved by the piston: x = 0.25 + 0.05 t reaches its dead centre x = crank + rod = 0.35 at t = 2.
inline const char* const kDeadCentre = R"(
jounce = 1
name = "Piston drives the crank"
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.crank]
angle = "78*deg"
points = { O = [0, 0], A = [0.1, 0] }
[bodies.rod]
position = [0.02, 0.098]
angle = "-23*deg"
points = { A = [0, 0], C = [0.25, 0] }
[bodies.piston]
position = [0.25, 0]
points = { C = [0, 0], F = [0.05, 0] }
[joints.bearing]
type = "revolute"
i = "ground.O"
j = "crank.O"
[joints.crank-pin]
type = "revolute"
i = "crank.A"
j = "rod.A"
[joints.piston-pin]
type = "revolute"
i = "rod.C"
j = "piston.C"
[joints.guide]
type = "translational"
slot = ["ground.O", "ground.X"]
slider = ["piston.C", "piston.F"]
[drivers.push]
type = "slot-distance"
line = ["ground.O", "ground.X"]
point = "piston.C"
motion = "0.25 + 0.05*t"
[run]
analysis = "kinematics"
to = 3
steps = 31
)";

/// A rod that is too short to reach: nothing assembles.
inline const char* const kTooShort = R"(
jounce = 1
name = "Too short"
[ground]
points = { O = [0, 0], Q = [1, 0] }
[bodies.rod]
points = { A = [0, 0], B = [0.5, 0] }
[joints.left]
type = "revolute"
i = "ground.O"
j = "rod.A"
[joints.right]
type = "revolute"
i = "ground.Q"
j = "rod.B"
)";

/// A pendulum without a driver.
inline const char* const kUndriven = R"(
jounce = 1
name = "Undriven"
[ground]
points = { O = [0, 0] }
[bodies.arm]
points = { A = [0, 0] }
[joints.pin]
type = "revolute"
i = "ground.O"
j = "arm.A"
[run]
analysis = "kinematics"
)";

}  // namespace jounce
