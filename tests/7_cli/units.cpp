// Units of the user's choice, through every door of the command line.
#include <cmath>
#include <numbers>

#include "cli_test.hpp"
#include "jounce/results/units.hpp"

using namespace jounce;

namespace {

// A crank whose section [units] is given.
std::string crank(const std::string& units) {
  return "jounce = 1\nname = \"Crank\"\n[ground]\npoints = { O = [0, 0] }\n[bodies.crank]\nmass = 2\ninertia = 0.1\npoints = { O = [0, 0], A = [0.2, 0] }\n"
         "[joints]\nO = { type = \"revolute\", i = \"ground.O\", j = \"crank.O\" }\n"
         "[drivers]\nmotor = { type = \"angle\", i = \"ground\", j = \"crank\", motion = \"3*t + t^2\" }\n"
         "[run]\nanalysis = \"inverse\"\nto = 1\nsteps = 4\n" + units;
}

constexpr double kDegree = 180 / std::numbers::pi;

}  // namespace

TEST_CASE("a table in units of one's choice is the table in SI units times what the units say, and says them behind the names") {
  // oracle: the same run without --units; a metre is 1000 mm, a radian 180/pi deg, a newton metre 1 kN mm, a second 1000 ms
  const Folder here;
  here.write("m.toml", crank(""));
  const CsvTable si = here.jounce("inverse m.toml").csv();
  const CsvTable own = here.jounce("inverse m.toml --units length=mm,angle=deg,force=kN,time=ms").csv();
  REQUIRE(own.names.size() == si.names.size());
  const std::map<std::string, std::pair<std::string, double>> expected{
      {"t", {"ms", 1e3}},          {"crank.A.x", {"mm", 1e3}},       {"crank.phi", {"deg", kDegree}},       {"crank.A.ay", {"mm/ms²", 1e-3}},
      {"crank.vphi", {"deg/ms", kDegree * 1e-3}}, {"crank.sphi", {"deg/ms⁴", kDegree * 1e-12}}, {"O.fx", {"kN", 1e-3}}, {"O.f", {"kN", 1e-3}},
      {"motor.effort", {"kN mm", 1}}, {"energy.total", {"J", 1}},    {"momentum.px", {"kg mm/ms", 1}},      {"momentum.lz", {"kg mm²/ms", 1e3}},
      {"motor.lambda1_rate", {"kN mm/ms", 1e-3}}};
  std::size_t seen = 0;
  for (std::size_t c = 0; c < si.names.size(); ++c) {
    const auto it = expected.find(si.names[c]);
    if (it == expected.end()) continue;
    ++seen;
    CAPTURE(si.names[c]);
    CHECK(own.names[c] == si.names[c] + " [" + it->second.first + "]");
    for (std::size_t r = 0; r < si.rows; ++r) CHECK(own.at(r, c) == doctest::Approx(si.at(r, c) * it->second.second).epsilon(1e-14));
  }
  CHECK(seen == expected.size());
}

TEST_CASE("the model's section chooses, --units chooses over it, and --json stays SI unless it is asked") {
  // oracle: the numbers of the run in SI units
  const Folder here;
  here.write("si.toml", crank(""));
  here.write("m.toml", crank("[units]\nlength = \"mm\"\nangle = \"deg\"\n"));
  const std::string si = here.jounce("inverse si.toml").out;
  const CsvTable model = here.jounce("inverse m.toml --columns crank.A.x,crank.phi").csv();
  CHECK(model.names == std::vector<std::string>{"t [s]", "crank.phi [deg]", "crank.A.x [mm]"});
  CHECK(model.at(0, 2) == 200);
  const CsvTable over = here.jounce("inverse m.toml --columns crank.A.x,crank.phi --units length=cm").csv();
  CHECK(over.names == std::vector<std::string>{"t [s]", "crank.phi [deg]", "crank.A.x [cm]"});
  CHECK(over.at(0, 2) == 20);
  const CsvTable plain = here.jounce("inverse m.toml --units si").csv();
  const CsvTable bare = here.jounce("inverse si.toml").csv();
  CHECK(plain.names[1] == "crank.x [m]");
  CHECK(plain.values == bare.values);

  const Json json = here.jounce("inverse m.toml --json").json(), asked = here.jounce("inverse m.toml --json --units torque=Nmm").json();
  CHECK(json["loads"] == here.jounce("inverse si.toml --json").json()["loads"]);
  CHECK_FALSE(json.contains("units"));
  CHECK(asked["loads"]["efforts"][0]["unit"] == "Nmm");
  CHECK(asked["loads"]["efforts"][0]["peak"].get<double>() == doctest::Approx(1e3 * json["loads"]["efforts"][0]["peak"].get<double>()).epsilon(1e-14));
  CHECK(asked["units"]["m/s"] == "mm/s");

  const Ran ran = here.jounce("run m.toml");
  CHECK(contains(ran.out, "0 to 229.183 deg"));
  CHECK(contains(ran.out, " mm/s  "));
  CHECK_FALSE(contains(ran.out, ".."));
}

TEST_CASE("units that are not known are told with those that are meant, in the model with their place") {
  // oracle: the words of the command line and of the file
  const Folder here;
  here.write("m.toml", crank("[units]\nlength = \"mn\"\nangel = \"deg\"\nforce = \"mm\"\ntime = 3\n"));
  const Ran model = here.jounce("check m.toml");
  CHECK(model.code == 2);
  CHECK(contains(model.err, "m.toml:18:11: error: [units]: length: unknown unit 'mn' of length (did you mean 'm'?)"));
  CHECK(contains(model.err, "m.toml:19:1: error: [units]: unknown quantity 'angel' (did you mean 'angle'?)"));
  CHECK(contains(model.err, "m.toml:20:10: error: [units]: force: 'mm' is no unit of force"));
  CHECK(contains(model.err, "m.toml:21:8: error: [units]: time: expected a unit in quotes"));
  here.write("m.toml", crank(""));
  for (const auto& [units, part] : std::map<std::string, std::string>{{"length=lightyear", "unknown unit 'lightyear' of length"},
                                                                     {"mm", "expected QUANTITY=UNIT such as length=mm"},
                                                                     {"torque=J", "'J' is no unit of torque"},
                                                                     {"", "expected QUANTITY=UNIT"}}) {
    const Ran ran = here.jounce("inverse m.toml --units \"" + units + "\"");
    CHECK(ran.code == 2);
    CHECK_MESSAGE(contains(ran.err, part), ran.err);
  }
}

TEST_CASE("a table with units is plotted by the names of its columns, in its own units and in others") {
  // oracle: ticks of 0.2 m and of 200 mm
  const Folder here;
  here.write("m.toml", crank("[units]\nlength = \"mm\"\n"));
  CHECK(here.jounce("inverse m.toml -o x.csv --quiet").code == 0);
  const Ran own = here.jounce("plot x.csv crank.A.x"), metres = here.jounce("plot x.csv crank.A.x --units length=m");
  CHECK(own.code == 0);
  CHECK(contains(own.out, "position (mm)"));
  CHECK(contains(own.out, ">200<"));
  CHECK(contains(own.out, "t (s)"));
  CHECK(contains(metres.out, "position (m)"));
  CHECK(contains(metres.out, ">0.2<"));
  CHECK(here.jounce("plot x.csv crank.A.x --units length=mms").code == 2);
}

TEST_CASE("every unit that is offered is read back as what it is") {
  // oracle: the SI unit of the quantity, which stands among them; powers and words in a product
  for (const std::string& quantity : Units::quantities()) {
    CAPTURE(quantity);
    Units units;
    for (const std::string& unit : Units::known(quantity)) {
      CAPTURE(unit);
      CHECK_FALSE(units.choose(quantity, unit));
      CHECK(in_si(unit));
    }
  }
  REQUIRE(in_si("kN mm/ms²"));
  CHECK(in_si("kN mm/ms²")->unit == "N m/s²");
  CHECK(in_si("kN mm/ms²")->factor == doctest::Approx(1e6).epsilon(1e-15));
  CHECK_FALSE(in_si("furlong"));
  Units inches;
  CHECK_FALSE(inches.choose("length", "in"));
  CHECK_FALSE(inches.choose("torque", "lbf ft"));
  CHECK(inches.of("m/s²").factor == doctest::Approx(1 / 0.0254).epsilon(1e-15));
  CHECK(inches.of("m²").factor == doctest::Approx(1 / 0.0254 / 0.0254).epsilon(1e-15));
  CHECK(inches.of("N m/s").unit == "lbf ft/s");
  CHECK(inches.of("N m").factor == doctest::Approx(1 / (4.4482216152605 * 0.3048)).epsilon(1e-15));
  CHECK(inches.of("").unit.empty());
}
