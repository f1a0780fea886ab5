// --report, and the page that `jounce run` writes.
#include "report_data.hpp"

#include <map>

#include "cli_test.hpp"
#include "jounce/io/read_model.hpp"
#include "model_folders.hpp"

using namespace jounce;
using namespace jounce_test;

namespace {

constexpr double kRounding = 5e-13;  // 40 bits, as the format says

// A page with its numbers, and those of points in the plane computed from their bodies.
struct Page {
  explicit Page(const std::string& html) : json(data_of(html)), size(html.size()) {
    samples = json["samples"].get<std::size_t>();
    CHECK(json["encoding"] == "difference-shuffle-deflate-64");
    std::vector<std::string> stored;
    for (const auto& column : json["columns"])
      if (!column.contains("from") && !column.contains("parts")) stored.push_back(column["name"].get<std::string>());
    const auto numbers = decoded(json["data"].get<std::string>(), stored.size(), samples);
    for (std::size_t c = 0; c < stored.size(); ++c) columns[stored[c]] = numbers[c];
  }

  // Derivatives 0 to 4 of r + A p in x and y, written out: A' = phi' B, B' = −phi' A.
  [[nodiscard]] std::array<std::vector<double>, 10> point(const ReportJson& from) const {
    const std::string body = json["scene"]["bodies"][from["body"].get<std::size_t>()]["name"].get<std::string>();
    const double px = from["p"][0].get<double>(), py = from["p"][1].get<double>();
    const auto of = [&](const char* ending, std::size_t s) { return body == "ground" ? 0.0 : columns.at(body + "." + ending)[s]; };
    std::array<std::vector<double>, 10> out;
    for (std::size_t s = 0; s < samples; ++s) {
      const double phi = of("phi", s), w = of("vphi", s), a = of("aphi", s), j = of("jphi", s), n = of("sphi", s);
      const double ux = std::cos(phi) * px - std::sin(phi) * py, uy = std::sin(phi) * px + std::cos(phi) * py;
      const std::array<double, 5> along{1, 0, -w * w, -3 * w * a, w * w * w * w - 4 * w * j - 3 * a * a};
      const std::array<double, 5> across{0, w, a, j - w * w * w, n - 6 * w * w * a};
      const std::array<std::array<const char*, 2>, 5> origin{{{"x", "y"}, {"vx", "vy"}, {"ax", "ay"}, {"jx", "jy"}, {"sx", "sy"}}};
      for (std::size_t k = 0; k < 5; ++k) {
        out[2 * k].push_back(of(origin[k][0], s) + along[k] * ux - across[k] * uy);
        out[2 * k + 1].push_back(of(origin[k][1], s) + along[k] * uy + across[k] * ux);
      }
    }
    return out;
  }

  ReportJson json;
  std::size_t size, samples = 0;
  std::map<std::string, std::vector<double>> columns;
};

double largest(const std::vector<double>& numbers) {
  double out = 0;
  for (const double x : numbers) out = std::max(out, std::abs(x));
  return out;
}

// Every column of the page against the same of the table.
void check_numbers(const Page& page, const CsvTable& table) {
  REQUIRE(page.samples == table.rows);
  REQUIRE(page.json["columns"].size() == table.names.size());
  std::string point;
  std::array<std::vector<double>, 10> computed;
  static constexpr std::array<std::string_view, 10> kComponents{"x", "y", "vx", "vy", "ax", "ay", "jx", "jy", "sx", "sy"};
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const ReportJson& column = page.json["columns"][c];
    CAPTURE(table.names[c]);
    REQUIRE(column["name"] == table.names[c]);
    const std::vector<double> expected = table.column(c);
    double worst = 0;
    if (column.contains("parts")) {  // how large a force is: no numbers of its own
      const std::string owner = column["owner"].get<std::string>();
      for (std::size_t s = 0; s < page.samples; ++s) {
        std::array<double, 3> force{};
        for (std::size_t k = 0; k < column["parts"].get<std::size_t>(); ++k) force[k] = page.columns.at(owner + std::array{".fx", ".fy", ".fz"}[k])[s];
        worst = std::max(worst, std::abs(std::hypot(force[0], force[1], force[2]) - expected[s]) - 2e-12 * expected[s]);
      }
      CHECK(worst <= 0);
      continue;
    }
    if (!column.contains("from")) {
      const std::vector<double>& found = page.columns.at(table.names[c]);
      for (std::size_t s = 0; s < page.samples; ++s) worst = std::max(worst, std::abs(found[s] - expected[s]) - kRounding * std::abs(expected[s]));
      CHECK(worst <= 0);
      continue;
    }
    if (column["owner"] != point) point = column["owner"].get<std::string>(), computed = page.point(column["from"]);
    const auto component = std::ranges::find(kComponents, table.names[c].substr(table.names[c].rfind('.') + 1)) - kComponents.begin();
    REQUIRE(component < 10);
    for (std::size_t s = 0; s < page.samples; ++s)
      worst = std::max(worst, std::abs(computed[static_cast<std::size_t>(component)][s] - expected[s]));
    // what would miss by more is carried, not computed; terms that cancel to less than 4e-12 of them the page takes for nothing
    const auto body = page.columns.find(point.substr(0, point.find('.')) + table.names[c].substr(table.names[c].rfind('.')));
    CHECK(worst <= 1e-9 * largest(expected) + (body == page.columns.end() ? 0 : 1e-11 * largest(body->second)));
  }
}

}  // namespace

TEST_CASE("the report of every model carries the numbers of its table, and its whole source") {
  // oracle: the .csv file that the same run wrote; points from their bodies by the product rule; the model file itself
  for (const Space space : {Space::plane, Space::three})
    for (const auto& folder : model_folders(space, WithStops::too)) {
      CAPTURE(folder.filename().string());
      const Folder here;
      const std::string file = (folder / "model.toml").string();
      const Ran ran = here.jounce("run " + file + " --steps 20 --columns '*' -o x.csv --report x.html");
      INFO(ran.err);
      REQUIRE(ran.code == 0);
      CHECK(contains(ran.out, "x.html (report)"));
      const Page page(here.read("x.html"));
      const auto table = read_csv((here / "x.csv").string());
      REQUIRE(table.ok());
      check_numbers(page, *table);
      const ReadModel read = parse_model_file(file);
      CHECK(page.json["model"]["name"] == read.model.name);
      CHECK(page.json["model"]["space"] == (space == Space::plane ? "plane" : "3d"));
      CHECK(page.json["run"]["outcome"]["kind"] == "done");
      CHECK(page.json["thinned"].is_null());
      CHECK(page.json["summary"][0]["title"] == "Run");
      std::ifstream in(file, std::ios::binary);
      std::ostringstream source;
      source << in.rdbuf();
      CHECK(page.json["model"]["source"] == source.str());
      CHECK(page.json["scene"]["bodies"].size() == read.model.bodies.size() + 1);
      CHECK(page.json["scene"]["elements"].size() == read.model.joints.size() + read.model.drivers.size() +
                                                         read.model.forces.size() + read.model.loops.size() +
                                                         read.model.couplings.size());
    }
}

TEST_CASE("run writes NAME.html beside NAME.csv and says so") {
  // oracle: the interface
  const Folder here;
  const Ran ran = here.jounce("run " + model("quick-return") + " --steps 1000");
  CHECK(ran.code == 0);
  CHECK(here.files() == 2);
  const std::string csv = ran.out.substr(ran.out.find("written") + 7);
  const std::string stem = csv.substr(csv.find_first_not_of(' '), csv.find(".csv") - csv.find_first_not_of(' '));
  CHECK(here.has(stem + ".csv"));
  REQUIRE(here.has(stem + ".html"));
  CHECK(contains(ran.out, stem + ".html (report)"));
  // the bound of the project for a planar report of 1000 samples
  CHECK(here.read(stem + ".html").size() < 1000000);
  CHECK(here.jounce("run " + model("quick-return") + " --json").json()["report"] == stem + ".html");
}

TEST_CASE("every analysis writes a report when it is asked to, with all columns whatever the table has") {
  // oracle: the columns of the same analysis without --columns
  const Folder here;
  const auto expect = [&](const std::string& command, const char* analysis) {
    CAPTURE(command);
    const Ran ran = here.jounce(command + " --report p.html --columns t -o p.csv");
    CHECK(ran.code == 0);
    const Page page(here.read("p.html"));
    CHECK(page.json["run"]["analysis"] == analysis);
    CHECK(page.json["columns"].size() == here.jounce(command + " --quiet --columns '*'").csv().names.size());
    CHECK(page.json["run"]["tolerance"].is_null() == (std::string(analysis) != "dynamics"));
    return page;
  };
  expect("kinematics " + model("four-bar") + " --steps 4", "kinematics");
  expect("inverse " + model("slider-crank-engine") + " --steps 4", "inverse");
  expect("dynamics " + model("double-pendulum") + " --steps 4 --to 0.1", "dynamics");
  const Page rest = expect("equilibrium " + model("spring-balance"), "equilibrium");
  CHECK(rest.samples == 1);
  // without a table: rows on standard output are the same with and without the page
  const Ran plain = here.jounce("kinematics " + model("four-bar") + " --steps 4");
  CHECK(here.jounce("kinematics " + model("four-bar") + " --steps 4 --report q.html").out == plain.out);
  CHECK(here.has("q.html"));
}

TEST_CASE("a run that ends early has its report, with the reason") {
  // oracle: the dead centre at t = 2 after 21 samples
  const Folder here;
  here.write("m.toml", kDeadCentre);
  const Ran ran = here.jounce("run m.toml");
  CHECK(ran.code == 1);
  const Page page(here.read("piston-drives-the-crank.html"));
  CHECK(page.samples == 21);
  CHECK(page.json["run"]["outcome"]["kind"] == "dead-point");
  CHECK(std::abs(page.json["run"]["outcome"]["t"].get<double>() - 2) < 1e-6);
  REQUIRE(page.json["problems"].size() == 1);
  CHECK(page.json["problems"][0]["severity"] == "error");
  CHECK(contains(page.json["problems"][0]["text"].get<std::string>(), "dead point"));
}

TEST_CASE("where nothing was computed there is no report") {
  // oracle: no file, and a note
  const Folder here;
  here.write("m.toml", kTooShort);
  const Ran ran = here.jounce("kinematics m.toml --report m.html -o m.csv");
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "no report is written to 'm.html'"));
  CHECK_FALSE(here.has("m.html"));
  here.write("u.toml", kUndriven);
  CHECK(here.jounce("run u.toml").code == 2);
  CHECK_FALSE(here.has("undriven.html"));
}

TEST_CASE("names of reports that would do harm are refused before anything runs") {
  // oracle: exit code 2, and the files that were there
  const Folder here;
  here.write("m.toml", kDeadCentre);
  for (const char* name : {"''", "m.toml", "x.csv", "x", "-", "x.html.txt"}) {
    CAPTURE(name);
    const Ran ran = here.jounce(std::string("kinematics m.toml -o y.csv --report ") + name);
    CHECK(ran.code == 2);
    CHECK(contains(ran.err, "--report"));
    CHECK(contains(ran.err, ".html"));
    CHECK(here.files() == 1);
  }
  CHECK(here.read("m.toml") == kDeadCentre);
  CHECK(here.shell("ln -s m.toml m.html").code == 0);
  const Ran link = here.jounce("kinematics m.toml --report m.html");
  CHECK(link.code == 2);
  CHECK(contains(link.err, "m.html: this is the model"));
  CHECK(here.read("m.toml") == kDeadCentre);

  std::string text = kDeadCentre;
  text.replace(text.find("\"0.25 + 0.05*t\""), 15, "{ table = \"way.html\" }");
  here.write("t.toml", text);
  here.write("way.html", "t,x\n0,0.25\n1,0.26\n2,0.27\n3,0.28\n4,0.29\n5,0.3\n6,0.31\n");
  const Ran table = here.jounce("kinematics t.toml --report way.html");
  CHECK(table.code == 2);
  CHECK(contains(table.err, "way.html: this is a table that the model reads"));
}

TEST_CASE("a report that cannot be written is an exit code 1, and the table is there all the same") {
  // oracle: the table of the same run without a report
  const Folder here;
  REQUIRE(here.shell("ln -s /dev/full x.html").code == 0);
  const Ran ran = here.jounce("run " + model("four-bar") + " -o x.csv --report x.html");
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "cannot write 'x.html': No space left on device"));
  CHECK(contains(ran.out, "x.csv (201 rows"));
  CHECK_FALSE(contains(ran.out, "x.html"));
  CHECK(here.read("x.csv") == here.jounce("kinematics " + model("four-bar")).out);
  // what can be seen before the run is said before it
  const Ran nowhere = here.jounce("run " + model("four-bar") + " -o y.csv --report missing/y.html");
  CHECK(nowhere.code == 2);
  CHECK(contains(nowhere.err, "--report missing/y.html: there is no folder 'missing'"));
  REQUIRE(here.shell("mkdir folder.html").code == 0);
  const Ran folder = here.jounce("run " + model("four-bar") + " -o y.csv --report folder.html");
  CHECK(folder.code == 2);
  CHECK(contains(folder.err, "--report folder.html: expected the name of a file, found a folder"));
  CHECK_FALSE(here.has("y.csv"));
}

TEST_CASE("a hostile model gives a page that means what it says") {
  // oracle: another reader of JSON gives name and source back; no character of the data can end its script
  const std::string evil = "</script><script>alert(1)</script><!-- ]]> & ' ` \\u2028 ";
  std::string toml_name;  // as TOML writes it, with control characters and line separators
  std::string name = evil + "\"\\ \xe2\x80\xa8\xe2\x80\xa9 \xf0\x9f\x92\xa5 \x01\x1f\x7f " + std::string(10000, 'x');
  for (const char c : name) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') (toml_name += '\\') += c;
    else if (code < 0x20 || code == 0x7f) toml_name += "\\u00" + std::string(1, "0123456789abcdef"[code >> 4U]) + "0123456789abcdef"[code & 15U];
    else toml_name += c;
  }
  std::string text = kDeadCentre;
  text.replace(text.find("Piston drives the crank"), 23, toml_name);
  text += "# " + evil + "\n";
  const Folder here;
  here.write("m.toml", text);
  const Ran ran = here.jounce("kinematics m.toml --to 1 --report m.html -o m.csv");
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const std::string html = here.read("m.html");
  const std::string data = data_text(html);
  CHECK(data.find_first_of("<>&") == std::string::npos);
  CHECK(data.find("\xe2\x80\xa8") == std::string::npos);
  CHECK(data.ends_with("}"));
  const Page page(html);
  CHECK(page.json["model"]["name"] == name);
  CHECK(page.json["model"]["source"] == text);
  CHECK_FALSE(contains(html, "alert(1)</script>"));
  // the file that run makes of this name is a plain one, of a length that any system takes
  CHECK(here.jounce("run m.toml --to 1").code == 0);
  CHECK(here.has("script-script-alert-1-script-u2028-" + std::string(45, 'x') + ".html"));
}

TEST_CASE("a long run is thinned, and the page says so") {
  // oracle: every k-th row of the table and the last
  const Folder here;
  const Ran ran = here.jounce("kinematics " + model("scotch-yoke") + " --steps 200000 --columns t -o x.csv --report x.html");
  REQUIRE(ran.code == 0);
  const Page page(here.read("x.html"));
  REQUIRE(page.json["thinned"].is_object());
  CHECK(page.json["thinned"]["rows"] == 200001);
  const auto every = page.json["thinned"]["every"].get<std::size_t>();
  const auto table = read_csv((here / "x.csv").string());
  REQUIRE(table.ok());
  const std::vector<double> t = table->column(0);
  for (std::size_t s = 0; s < page.samples; ++s) {
    const double expected = t[std::min(s * every, t.size() - 1)];
    REQUIRE(std::abs(page.columns.at("t")[s] - expected) <= kRounding * expected);
  }
  CHECK(page.columns.at("t").back() == t.back());
  CHECK(contains(page.json["problems"].back()["text"].get<std::string>(), "200001 rows"));
}

TEST_CASE("every effort on the page of a platform on legs has its unit, whatever its joints are made of") {
  // oracle: effort times rate is power. Legs as of a Stewart platform: each turns twice and then slides, as one joint of three screws
  // or as a universal and a prismatic joint.
  const Folder here;
  here.write("m.toml", R"(
jounce = 1
space = "3d"
[bodies.one]
mass = 1
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
[bodies.cardan]
mass = 1
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
[bodies.two]
mass = 1
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
[joints.leg]
type = "custom"
parent = "ground"
child = "one"
screws = [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]]
dofs = [ { motion = "0.1*t" }, { motion = "0.2*t" }, { motion = "1 + t" } ]
[joints.turn]
type = "universal"
parent = "ground"
child = "cardan"
dofs = [ { motion = "0.1*t" }, { motion = "0.2*t" } ]
[joints.slide]
type = "prismatic"
parent = "cardan"
child = "two"
axis = [0, 0, 1]
dofs = [ { motion = "1 + t" } ]
[run]
analysis = "inverse"
to = 1
steps = 4
)");
  REQUIRE(here.jounce("run m.toml --report m.html").code == 0);
  std::map<std::string, std::string> units;
  const Page page(here.read("m.html"));
  for (const auto& column : page.json["columns"])
    if (column["group"] == "effort") units[column["name"].get<std::string>()] = column["unit"].get<std::string>();
  CHECK(units == std::map<std::string, std::string>{{"leg.tau1", "N m"}, {"leg.tau2", "N m"}, {"leg.tau3", "N"},
                                                    {"turn.tau1", "N m"}, {"turn.tau2", "N m"}, {"slide.tau1", "N"}});
}
