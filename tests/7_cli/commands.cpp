// Help, version and commands that are not there.
#include "cli_test.hpp"

using namespace jounce;

TEST_CASE("every command has a help page with an example on standard output") {
  // oracle: the list of commands of the interface that this version has
  const Folder here;
  const Ran whole = here.jounce("--help");
  CHECK(whole.code == 0);
  CHECK(whole.err.empty());
  for (const char* command : {"check", "kinematics", "inverse", "dynamics", "equilibrium", "explain", "compare", "run", "types",
                              "new", "plot", "draw", "animate", "cam", "import", "completion", "schema"}) {
    CAPTURE(command);
    CHECK(contains(whole.out, std::string("\n  ") + command + " "));
    const Ran ran = here.jounce(std::string(command) + " --help");
    CHECK(ran.code == 0);
    CHECK(ran.err.empty());
    CHECK(contains(ran.out, std::string("Usage: jounce ") + command));
    CHECK(contains(ran.out, std::string("\n  jounce ") + command));
    CHECK(here.jounce(std::string("help ") + command).out == ran.out);
  }
}

TEST_CASE("the help of dynamics says in a line what each formulation is") {
  // oracle: the words of the interface
  const Ran ran = Folder().jounce("dynamics --help");
  for (const char* formulation : {"auto", "lagrange", "kkt", "nullspace", "kane", "crba", "aba"})
    CHECK_MESSAGE(contains(ran.out, std::string("\n  ") + formulation + " "), formulation);
}

TEST_CASE("the program alone shows its help and says by its exit code that a command is missing") {
  // oracle: exit code 2 of the interface
  const Folder here;
  const Ran ran = here.jounce("");
  CHECK(ran.code == 2);
  CHECK(ran.out.empty());
  CHECK(contains(ran.err, "Usage: jounce"));
}

TEST_CASE("the version is one line") {
  // oracle: the form NAME NUMBER
  const Ran ran = Folder().jounce("--version");
  CHECK(ran.code == 0);
  CHECK(ran.out.starts_with("jounce 0."));
  CHECK(lines(ran.out) == 1);
}

TEST_CASE("a misspelt command, option or model is met with what was meant") {
  // oracle: the nearest name
  const Folder here;
  const auto expect = [&](const std::string& arguments, const std::string& part) {
    CAPTURE(arguments);
    const Ran ran = here.jounce(arguments);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK_MESSAGE(contains(ran.err, part), ran.err);
  };
  expect("kinematcs x.toml", "did you mean 'kinematics'?");
  expect("fnord", "the commands are check, kinematics");
  expect("x.toml", "did you mean 'jounce run x.toml'?");
  expect("--frobnicate", "--frobnicate");
  expect("kinematics x.toml --colums a", "did you mean '--columns'?");
  expect("check", "MODEL is required");
  expect("check a.toml b.toml", "'b.toml' is one argument too many");
  expect("kinematics x.toml --to", "--to");
}

TEST_CASE("a model that cannot be read is an error that names it") {
  // oracle: the file system
  const Folder here;
  std::filesystem::create_directory(here / "folder.toml");
  here.write("empty.toml", "");
  here.write("binary.toml", std::string("\0\xff\xfe", 3));
  for (const std::string command : {"check", "kinematics", "dynamics", "equilibrium", "run", "explain", "compare"})
    for (const std::string file : {"missing.toml", "folder.toml", "empty.toml", "binary.toml"}) {
      CAPTURE(command);
      CAPTURE(file);
      const Ran ran = here.jounce(command + " " + file);
      CHECK(ran.code == 2);
      CHECK(ran.out.empty());
      CHECK_MESSAGE(contains(ran.err, file), ran.err);
      CHECK(contains(ran.err, "error: "));
      const Json json = here.jounce(command + " --json " + file).json();
      CHECK(json["problems"].size() >= 1);
      CHECK(json["problems"][0]["severity"] == "error");
    }
  CHECK(here.files() == 3);
}
