// Where things go: standard output, files, pipes that close, disks that are full.
#include "cli_test.hpp"
#include "places.hpp"
#include "sanitized.hpp"

#include <algorithm>
#include <chrono>

using namespace jounce;

namespace {

const std::string program = "\"" + places::program() + "\" ";

}  // namespace

TEST_CASE("-o - and no -o and a file all hold the same table") {
  // oracle: the three are one
  const Folder here;
  const std::string command = "kinematics " + model("scotch-yoke") + " --steps 20";
  const Ran plain = here.jounce(command), dash = here.jounce(command + " -o -"), file = here.jounce(command + " -o x.csv");
  CHECK(plain.code == 0);
  CHECK(dash.out == plain.out);
  CHECK(file.code == 0);
  CHECK(file.out.empty());
  CHECK(file.err.empty());
  CHECK(here.read("x.csv") == plain.out);
  CHECK(lines(plain.out) == 22);
}

TEST_CASE("an output that cannot be opened is a wrong command") {
  // oracle: the file system's reasons
  const Folder here;
  std::filesystem::create_directory(here / "folder");
  here.write("m.toml", kDeadCentre);
  for (const std::string output : {"missing/x.csv", "folder"}) {
    const Ran ran = here.jounce("kinematics m.toml -o " + output);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK_MESSAGE(contains(ran.err, "jounce: cannot write '" + output + "': "), ran.err);
  }
}

TEST_CASE("a name whose ending promises another format is refused") {
  // oracle: the endings of what is written; nothing is written under any other
  const Folder here;
  const std::string linkage = model("four-bar");
  for (const std::string name : {"x.ods", "x.tsv", "x.dat", "x.CSVX"}) {
    const Ran ran = here.jounce("kinematics " + linkage + " --steps 5 -o " + name);
    CHECK(ran.code == 2);
    const std::string found = name == "x.CSVX" ? ".csvx" : name.substr(1);
    CHECK_MESSAGE(contains(ran.err, "-o " + name + ": expected the name of a .csv, .xlsx or .arrow file, or - for standard output, found '" + found + "'"),
                  ran.err);
  }
  CHECK(contains(here.jounce("run " + linkage + " --report x.xml").err,
                 "--report x.xml: a report is written as .html: expected a name with this ending or .htm, found '.xml'"));
  CHECK(here.files() == 0);
  for (const std::string name : {"x.csv", "x.CSV", "x.txt", "x"})
    CHECK(here.jounce("kinematics " + linkage + " --steps 5 -o " + name).code == 0);
  CHECK(here.jounce("kinematics " + linkage + " --steps 5 -o x.csv --report x.htm").code == 0);
  CHECK(here.files() == 5);
}

TEST_CASE("a file that could not be written whole leaves the one before as it was") {
  // oracle: the bytes of the old file; the system refuses more than a few kB, and every command here writes more
  const Folder here;
  const std::string linkage = model("four-bar");
  REQUIRE(here.jounce("kinematics " + linkage + " -o table.csv").code == 0);
  const std::vector<std::pair<std::string, std::string>> cases{
      {"page.html", "kinematics " + linkage + " -o /dev/null --report page.html"},
      {"x.csv", "kinematics " + linkage + " -o x.csv"},
      {"x.svg", "plot table.csv coupler.P.x coupler.P.y -o x.svg"}};
  for (const auto& each : cases) {
    const std::string &name = each.first, &command = each.second;
    CAPTURE(command);
    here.write(name, "what was there before");
    const Ran ran = here.shell("trap '' XFSZ; ulimit -f 4; " + program + command);
    CHECK(ran.code == 1);
    CHECK_MESSAGE(contains(ran.err, "cannot write '" + name + "': File too large"), ran.err);
    CHECK(here.read(name) == "what was there before");
    // the program is ended in the middle of writing
    (void)here.shell("ulimit -f 4; " + program + command);
    CHECK(here.read(name) == "what was there before");
    REQUIRE(here.jounce(command).code == 0);
    CHECK(here.read(name).size() > 4096);
  }
}

TEST_CASE("rows that could be written before a disk was full are kept beside, and no other file is left behind") {
  // oracle: the first bytes of the whole table
  const Folder here;
  const std::string command = "kinematics " + model("four-bar") + " -o x.csv";
  const Ran ran = here.shell("trap '' XFSZ; ulimit -f 4; " + program + command);
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "the rows that could be written are in 'x.csv.part'"));
  const std::string part = here.read("x.csv.part");
  CHECK(part.size() > 1000);
  REQUIRE(here.jounce(command).code == 0);
  CHECK(here.read("x.csv").starts_with(part));
  CHECK(here.files() == 2);
}

TEST_CASE("an interrupted run leaves its rows under the name that was asked for") {
  // oracle: whole rows of the same run undisturbed; 200 million steps take hours
  const Folder here;
  const std::string command = program + "kinematics " + model("four-bar") + " --to 1e6 --steps 200000000 --columns rocker.phi -o x.csv";
  const Ran ran = here.shell(command + " & sleep 0.5; kill -TERM $!; wait $!");
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "interrupted at t = "));
  const auto table = read_csv((here / "x.csv").string());
  REQUIRE(table.ok());
  CHECK(table->rows > 0);
  CHECK(here.files() == 1);
}

TEST_CASE("a run that is too busy to answer an interrupt is ended all the same") {
  // oracle: the clock; one iteration of the equilibrium of a thousand free motions takes many seconds
  const Folder here;
  std::string toml = "jounce = 1\nname = \"chain\"\ngravity = [0, -9.81]\n[ground]\npoints = { O = [0, 0] }\n";
  for (int k = 0; k < 1000; ++k) {
    const std::string own = std::to_string(k), carrier = k == 0 ? "ground" : "b" + std::to_string(k - 1);
    toml += "[bodies.b" + own + "]\nmass = 1\ninertia = 0.01\nposition = [" + std::to_string(0.1 * k) + ", 0]\npoints = { A = [0, 0], B = [0.1, 0] }\n";
    toml += "[joints.j" + own + "]\ntype = \"revolute\"\ni = \"" + (k == 0 ? "ground.O" : carrier + ".B") + "\"\nj = \"b" + own + ".A\"\n";
  }
  here.write("chain.toml", toml);
#ifdef JOUNCE_SANITIZED
  constexpr int kReading = 15;  // until the model is read, seconds
#else
  constexpr int kReading = 2;
#endif
  const auto begin = std::chrono::steady_clock::now();
  const Ran ran = here.shell(program + "equilibrium chain.toml -o x.csv & sleep " + std::to_string(kReading) + "; kill -TERM $!; wait $!");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "interrupted at t = "));
  CHECK(taken.count() < kReading + 4);
  CHECK(read_csv((here / "x.csv").string()).ok());
  CHECK(here.files() == 2);
}

TEST_CASE("a file that is replaced keeps its permissions, and a link to it stays a link") {
  // oracle: the file system
  const Folder here;
  std::filesystem::create_directory(here / "store");
  here.write("store/x.csv", "old");
  REQUIRE(here.shell("chmod 640 store/x.csv && ln -s store/x.csv x.csv").code == 0);
  REQUIRE(here.jounce("kinematics " + model("four-bar") + " --steps 2 -o x.csv").code == 0);
  CHECK(std::filesystem::is_symlink(here / "x.csv"));
  CHECK(here.read("store/x.csv").starts_with("t,"));
  CHECK(static_cast<int>(std::filesystem::status(here / "store/x.csv").permissions()) == 0640);
  CHECK(here.files() == 2);
}

TEST_CASE("results never replace a table that the model reads") {
  // oracle: the table is what it was; the default name of the results is the table's
  const std::string model = "jounce = 1\nname = \"Cam\"\n[ground]\npoints = { O = [0, 0] }\n[bodies.arm]\npoints = { A = [0, 0] }\n"
                            "[joints]\no = { type = \"revolute\", i = \"ground.O\", j = \"arm.A\" }\n[drivers]\n"
                            "d = { type = \"angle\", i = \"ground\", j = \"arm\", motion = { table = \"cam.csv\" } }\n[run]\nto = 2\n";
  const std::string table = "t,value\n0,0\n1,1\n2,0\n";
  const Folder here;
  here.write("arm.toml", model);
  here.write("cam.csv", table);
  const Ran ran = here.jounce("run arm.toml");
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "cam.csv: this is a table that the model reads"));
  CHECK(here.read("cam.csv") == table);
  CHECK(here.jounce("run arm.toml -o other.csv").code == 0);
}

TEST_CASE("a motion that runs away ends the run in time, with the rows before") {
  // oracle: log(1 - t) has a pole at t = 1; the rows at 0, 0.2 … 0.8 exist
  const Folder here;
  here.write("arm.toml", "jounce = 1\n[ground]\npoints = { O = [0, 0] }\n[bodies.arm]\npoints = { A = [0, 0] }\n"
                         "[joints]\no = { type = \"revolute\", i = \"ground.O\", j = \"arm.A\" }\n[drivers]\n"
                         "d = { type = \"angle\", i = \"ground\", j = \"arm\", motion = \"log(1 - t)\" }\n");
  const Ran ran = here.jounce("kinematics arm.toml --to 2 --steps 10 --columns arm.phi");
  CHECK(ran.code == 1);
  CHECK(std::ranges::count(ran.out, '\n') == 6);
}

TEST_CASE("results never replace the model") {
  // oracle: the model is what it was
  const Folder here;
  here.write("model", kDeadCentre);
  const Ran ran = here.jounce("kinematics model -o ./model");
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "this is the model"));
  CHECK(here.read("model") == kDeadCentre);
}

TEST_CASE("a reader that closes the pipe early ends the run quietly") {
  // oracle: head has its line, exit code 0, no message; 40 MB would follow otherwise
  const Folder here;
  const std::string many = program + "kinematics " + model("four-bar") + " --steps 20000";
  const Ran ran = here.shell("( " + many + "; echo $? >code ) | head -n 1");
  CHECK(ran.out.starts_with("t,"));
  CHECK(lines(ran.out) == 1);
  CHECK(ran.err.empty());
  CHECK(here.read("code") == "0\n");
  const Ran text = here.shell("( " + program + "types --json; echo $? >code ) | true");
  CHECK(text.err.empty());
  CHECK(here.read("code") == "0\n");
}

TEST_CASE("a full disk is reported once, with exit code 1") {
  // oracle: /dev/full refuses every byte
  if (!std::filesystem::exists("/dev/full")) return;
  const Folder here;
  for (const std::string tail : {" -o /dev/full", " >/dev/full", " --json >/dev/full"}) {
    CAPTURE(tail);
    const Ran ran = here.jounce("kinematics " + model("four-bar") + " --steps 5" + tail);
    CHECK(ran.code == 1);
    CHECK(lines(ran.err) == 1);
    CHECK(contains(ran.err, "No space left on device"));
  }
  CHECK(here.jounce("check " + model("four-bar") + " >/dev/full").code == 1);
  CHECK(here.jounce("run " + model("four-bar") + " -o /dev/full").code == 1);
}

TEST_CASE("a closed standard output does not lead the summary into the result file") {
  // oracle: the file holds the table and nothing else
  const Folder here;
  const Ran ran = here.jounce("run " + model("four-bar") + " --steps 4 -o x.csv >&-");
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "cannot write to standard output"));
  const auto table = read_csv((here / "x.csv").string());
  REQUIRE(table.ok());
  CHECK(table->rows == 5);
}

TEST_CASE("nothing is coloured and no bar is drawn outside a terminal") {
  // oracle: no escape character
  const Folder here;
  here.write("m.toml", kTooShort);
  const std::string linkage = model("four-bar");
  for (const std::string& arguments : std::vector<std::string>{"check m.toml", "types", "run " + linkage, "explain " + linkage,
                                                               "kinematics " + linkage + " --steps 3000 -o x.csv"}) {
    const Ran ran = here.jounce(arguments);
    CHECK(!contains(ran.out + ran.err, "\x1b"));
  }
}

TEST_CASE("what a model says never drives a terminal") {
  // oracle: the bytes; an escape, a bell and a turn of the writing direction are shown as what they are
  const Folder here;
  std::string text = kDeadCentre;
  const std::size_t at = text.find("name");
  text.replace(at, text.find('\n', at) - at, R"(name = "\u001b[31mred\u0007 \u202eback")");
  here.write("m.toml", text);
  for (const std::string command : {"check m.toml", "run m.toml --to 1 -o x.csv --report x.html", "explain m.toml"}) {
    CAPTURE(command);
    const Ran ran = here.jounce(command);
    CHECK_MESSAGE(ran.code == 0, ran.err);
    CHECK(contains(ran.out, R"(\x1b[31mred\x07 \xe2\x80\xaeback)"));
    for (const char byte : {'\x1b', '\x07'}) CHECK(ran.out.find(byte) == std::string::npos);
  }
  const Ran wrong = here.jounce("run m.toml --method $'\\e[31m'");
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find('\x1b') == std::string::npos);
}

TEST_CASE("a table that could not be written is not called written") {
  // oracle: /dev/full
  const Folder here;
  REQUIRE(here.shell("ln -s /dev/full x.csv").code == 0);
  const Ran ran = here.jounce("run " + model("four-bar") + " -o x.csv --report x.html");
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "cannot write 'x.csv': No space left on device"));
  CHECK_FALSE(contains(ran.out, "written   x.csv"));
  const Ran json = here.jounce("run " + model("four-bar") + " -o x.csv --report x.html --json");
  CHECK(json.json()["output"].is_null());
}

TEST_CASE("- as a model is standard input, in every command") {
  // oracle: the same model as a file; only its name differs
  const Folder here;
  std::filesystem::copy_file(model("four-bar"), here / "m.toml");
  for (const std::string command : {"kinematics", "inverse", "draw", "explain"}) {
    CAPTURE(command);
    const Ran file = here.jounce(command + " m.toml"), piped = here.shell("cat m.toml | " + program + command + " -");
    CHECK(piped.code == 0);
    CHECK(piped.code == file.code);
    CHECK(piped.out == file.out);
  }
  for (const std::string command : {"check", "compare"}) {
    CAPTURE(command);
    const Ran piped = here.shell(program + command + " - <m.toml");
    CHECK(piped.code == 0);
    CHECK_MESSAGE(contains(piped.out, "(standard input)"), piped.out);
  }
  const Ran json = here.shell(program + "check --json - <m.toml");
  CHECK(json.json()["model"] == "standard input");
  const Ran ran = here.shell(program + "run - <m.toml");
  CHECK(ran.code == 0);
  CHECK_MESSAGE(contains(ran.out, "(standard input)"), ran.out);
  CHECK(here.files() == 3);  // m.toml, and table and page with the name that the model has

  // without a name of its own
  here.write("n.toml", "jounce = 1\n[bodies.b]\nmass = 1\ninertia = 1\n[run]\nanalysis = \"dynamics\"\n");
  CHECK(here.shell(program + "run - <n.toml").code == 0);
  CHECK(here.has("standard-input.csv"));
  CHECK(here.has("standard-input.html"));
}

TEST_CASE("what is wrong on standard input is told with line and column, and its tables lie in the working folder") {
  // oracle: the places, counted by eye
  const Folder here;
  const Ran wrong = here.shell("printf 'jounce = 1\\nbodys = 2\\n' | " + program + "check -");
  CHECK(wrong.code == 2);
  CHECK_MESSAGE(contains(wrong.err, "standard input:2:1: error: "), wrong.err);
  const Ran empty = here.jounce("check -");  // the tests give it nothing
  CHECK(empty.code == 2);
  CHECK_MESSAGE(contains(empty.err, "standard input"), empty.err);
  const Ran no_run = here.shell("printf 'jounce = 1\\n[bodies.b]\\n' | " + program + "run -");
  CHECK(no_run.code == 2);
  CHECK_MESSAGE(contains(no_run.err, "standard input: the model has no [run] section"), no_run.err);

  here.write("turn.csv", "t,phi\n0,0\n1,1\n2,2\n3,3\n");
  here.write("m.toml", "jounce = 1\n[ground]\npoints = { O = [0, 0] }\n[bodies.b]\npoints = { O = [0, 0] }\n[joints]\n"
                       "pin = { type = \"revolute\", i = \"ground.O\", j = \"b.O\" }\n[drivers]\n"
                       "motor = { type = \"angle\", i = \"ground\", j = \"b\", motion = { table = \"turn.csv\" } }\n");
  const Ran table = here.shell(program + "kinematics - --to 3 --steps 3 --columns b.phi <m.toml");
  CHECK_MESSAGE(table.code == 0, table.err);
  CHECK(column(table.csv(), "b.phi").back() == doctest::Approx(3));

  // a file of this name is another thing
  here.write("-", "jounce = 1\n");
  CHECK(contains(here.jounce("check ./-").err, "./-"));
}

TEST_CASE("import and plot read standard input, too") {
  // oracle: the same from files
  const Folder here;
  here.write("r.urdf", "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
                       "iyz='0'/></inertial></link><joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>");
  const Ran robot = here.jounce("import r.urdf -o -"), piped_robot = here.shell(program + "import - -o - <r.urdf");
  CHECK(piped_robot.code == 0);
  CHECK(piped_robot.out == robot.out);
  REQUIRE(here.jounce("kinematics " + model("four-bar") + " -o t.csv").code == 0);
  const Ran figure = here.jounce("plot t.csv rocker.phi"), piped_figure = here.shell(program + "plot - rocker.phi <t.csv");
  CHECK(piped_figure.code == 0);
  CHECK(piped_figure.out == figure.out);
}

TEST_CASE("a run that is killed leaves no table under its name, and whole lines in what it had written") {
  // oracle: every line has as many numbers as the first has names. The system itself may be cut short while it writes: a last line without an end
  // does not count.
  const Folder here;
  const std::string command = program + "kinematics " + model("four-bar") + " --to 1e6 --steps 200000000 -o x.csv";
  for (const char* wait : {"0.4", "0.53", "0.61"}) {
    (void)here.shell("( " + command + " & sleep " + wait + "; kill -KILL $!; wait $! )");
    CHECK(!here.has("x.csv"));
    REQUIRE(here.has("x.csv.part"));
    std::string written = here.read("x.csv.part");
    const std::size_t whole = written.rfind('\n') + 1;
    CHECK(written.size() - whole < 4096);
    written.resize(whole);
    CHECK(written.size() > 10000);
    const auto table = parse_csv(written, "x.csv.part");
    CHECK(table.ok());
    std::filesystem::remove(here / "x.csv.part");
  }
}
