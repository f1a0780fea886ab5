// Figures: plots of results and drawings of mechanisms. They are read back as XML and compared with the numbers they show.
#include <cmath>
#include <numbers>
#include <pugixml.hpp>
#include <sstream>

#include "cli_test.hpp"
#include "model_folders.hpp"
#include "places.hpp"

using namespace jounce;

namespace {

struct Point {
  double x = 0, y = 0;
};

pugi::xml_document parsed(const std::string& text) {
  pugi::xml_document out;
  const pugi::xml_parse_result result = out.load_string(text.c_str());
  INFO(text.substr(0, 2000));
  REQUIRE_MESSAGE(result, result.description());
  REQUIRE(std::string(out.document_element().name()) == "svg");
  return out;
}

// Whether a class attribute has this word.
bool has_class(const pugi::xml_node& node, const std::string& word) {
  std::istringstream words(node.attribute("class").value());
  for (std::string one; words >> one;)
    if (one == word) return true;
  return false;
}

std::vector<pugi::xml_node> of_class(const pugi::xml_document& document, const std::string& word) {
  std::vector<pugi::xml_node> out;
  for (const pugi::xpath_node& found : document.select_nodes("//*[@class]"))
    if (has_class(found.node(), word)) out.push_back(found.node());
  return out;
}

// The corners of "M1 2L3 4M5 6 ...", each M a new line.
std::vector<std::vector<Point>> lines_of_path(const std::string& data) {
  std::vector<std::vector<Point>> out;
  std::istringstream in(data);
  for (char letter = 0; in >> letter;) {
    Point p;
    if (!(in >> p.x >> p.y)) break;
    if (letter == 'M') out.emplace_back();
    out.back().push_back(p);
  }
  return out;
}

double distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, l = dx * dx + dy * dy;
  const double s = l > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / l, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

double distance(Point p, const std::vector<Point>& line) {
  double out = 1e300;
  for (std::size_t k = 0; k + 1 < line.size(); ++k) out = std::min(out, distance(p, line[k], line[k + 1]));
  return out;
}

std::string curve_of(const pugi::xml_document& document, const std::string& column) {
  const pugi::xml_node group = document.select_node(("//g[@data-column='" + column + "']").c_str()).node();
  REQUIRE(group);
  return group.child("path").attribute("d").value();
}

}  // namespace

TEST_CASE("a curve passes through every sample of its column") {
  // oracle: the CSV; pixels are a linear map of the numbers, found from the first and the extreme samples
  const Folder here;
  REQUIRE(here.jounce("kinematics " + model("quick-return") + " -o out.csv --quiet").code == 0);
  const Ran ran = here.jounce("plot out.csv ram.vx ram.x lever.phi -o out.svg");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  CHECK(ran.out.empty());
  const pugi::xml_document figure = parsed(here.read("out.svg"));
  CHECK(of_class(figure, "panel").size() == 3);  // m/s, m and rad
  const auto table = read_csv((here / "out.csv").string());
  REQUIRE(table.ok());
  const std::vector<double> t = column(*table, "t");
  for (const std::string name : {"ram.vx", "ram.x", "lever.phi"}) {
    CAPTURE(name);
    const std::vector<double> values = column(*table, name);
    const auto lines = lines_of_path(curve_of(figure, name));
    REQUIRE(lines.size() == 1);
    const auto& line = lines[0];
    const auto [low, high] = std::ranges::minmax(values);
    double top = 1e300, bottom = -1e300;
    for (const Point& p : line) top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    for (std::size_t k = 0; k < t.size(); ++k) {
      const Point p{line.front().x + (line.back().x - line.front().x) * (t[k] - t.front()) / (t.back() - t.front()),
                    bottom - (bottom - top) * (values[k] - low) / (high - low)};
      CHECK(distance(p, line) < 0.5);  // 0.2 by simplification, the rest by where the extremes of the kept points lie
    }
  }
}

TEST_CASE("what the labels of a plot say is what the curves show") {
  // oracle: the numbers of the table; label × power of ten + what all share, at the height of the label, must be the curve's value
  const Folder here;
  here.write("far.csv", "t,a.aphi,energy.total,b.phi\n0,-0.0013,123456.7885,0\n1,0,123456.789,2\n2,0.0013,123456.7895,4\n");
  const Ran ran = here.jounce("plot far.csv a.aphi energy.total b.phi --height 300");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  const pugi::xml_document figure = parsed(ran.out);
  struct Expected {
    std::string column, measure;
    double scale, low, high;
  };
  for (const Expected& e : {Expected{"a.aphi", "10⁻³ rad/s²", 1e-3, -0.0013, 0.0013},
                            Expected{"energy.total", "10⁻³ J", 1e-3, 123456.7885, 123456.7895},
                            Expected{"b.phi", "rad", 1, 0, 4}}) {
    CAPTURE(e.column);
    const auto line = lines_of_path(curve_of(figure, e.column)).at(0);
    const pugi::xml_node panel = figure.select_node(("//g[@data-column='" + e.column + "']").c_str()).node().parent();
    double shared = 0;
    std::string measure;
    std::vector<std::pair<double, double>> ticks;  // value as written, height
    for (const pugi::xml_node text : panel.children("text")) {
      std::string words = text.text().get();
      for (std::size_t at = 0; (at = words.find("−")) != words.npos;) words.replace(at, 3, "-");
      if (has_class(text, "measure")) measure = text.text().get();
      else if (has_class(text, "shared")) shared = std::stod(words);
      else if (std::string(text.attribute("text-anchor").value()) == "end")
        ticks.emplace_back(std::stod(words), text.attribute("y").as_double() - 4);
    }
    CHECK(contains(measure, e.measure));
    REQUIRE(ticks.size() > 1);
    const double per_pixel = (e.high - e.low) / (line.back().y - line.front().y);
    for (const auto& tick : ticks) {
      CAPTURE(tick.first);
      const double value = e.low + (tick.second - line.front().y) * per_pixel;
      CHECK(std::abs(tick.first * e.scale + shared - value) < 0.1 * std::abs(per_pixel));
    }
  }
}

TEST_CASE("a path keeps its shape: lengths over a length have one scale") {
  // oracle: a circle is as high as it is wide, and an ellipse of 4 by 1 four times as wide as high, whatever the sheet
  const Folder here;
  std::string text = "t,a.x,a.y,b.x,b.y,b.phi\n";
  for (int k = 0; k <= 60; ++k) {
    const double phi = k * std::numbers::pi / 30, c = std::cos(phi), s = std::sin(phi);
    std::ostringstream row;
    row << k << ',' << 3 + 0.02 * c << ',' << 0.02 * s << ',' << 4 * c << ',' << s << ',' << phi << '\n';
    text += row.str();
  }
  here.write("paths.csv", text);
  const auto ratio = [&](const std::string& words, const std::string& column) {
    const Ran ran = here.jounce("plot paths.csv " + words);
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
    for (const auto& line : lines_of_path(curve_of(parsed(ran.out), column)))
      for (const Point& p : line) left = std::min(left, p.x), right = std::max(right, p.x), top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    return (right - left) / (bottom - top);
  };
  for (const std::string size : {"", " --height 200", " --width 300", " --width 1500 --height 300"}) {
    CAPTURE(size);
    CHECK(ratio("a.y --x a.x" + size, "a.y") == doctest::Approx(1).epsilon(0.01));  // pixels have two decimals, a curve may be 0.2 off
    CHECK(ratio("b.y --x b.x" + size, "b.y") == doctest::Approx(4).epsilon(0.02));
  }
  CHECK(ratio("b.phi --x b.x", "b.phi") > 2);  // an angle over a length fills its sheet
}

TEST_CASE("a plot leaves gaps, shows single points, and stays small") {
  // oracle: counted by hand
  const Folder here;
  here.write("gap.csv", "t,a.x\n0,1\n1,2\n2,nan\n3,inf\n4,3\n5,4\n");
  Ran ran = here.jounce("plot gap.csv a.x");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  CHECK(lines_of_path(curve_of(parsed(ran.out), "a.x")).size() == 2);

  here.write("one.csv", "t,a.x\n0,1\n");
  ran = here.jounce("plot one.csv \"*\"");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  CHECK(of_class(parsed(ran.out), "points").size() == 1);

  std::string many = "t,a.x,a.y\n";
  for (int k = 0; k < 1000000; ++k)
    many += std::to_string(k) + "," + std::to_string(k * 7919L % 100003) + "," + std::to_string(k * 31L % 1009) + "\n";
  here.write("many.csv", many);
  ran = here.jounce("plot many.csv a.x a.y");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  (void)parsed(ran.out);
  CHECK(ran.out.size() < 200000);
}

TEST_CASE("a plot that cannot be made says why") {
  // oracle: what the message must name
  const Folder here;
  here.write("good.csv", "t,crank.x,crank.y\n0,1,2\n1,2,3\n");
  here.write("names.csv", "t,crank.x\n");
  here.write("bad.csv", "t,crank.x\n0,1\n1,two\n");
  here.write("empty.csv", "");
  const auto expect = [&](const std::string& arguments, const std::string& part) {
    CAPTURE(arguments);
    const Ran ran = here.jounce("plot " + arguments);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK_MESSAGE(contains(ran.err, part), ran.err);
  };
  expect("none.csv crank.x", "none.csv");
  expect("good.csv crnk.x", "did you mean 'crank.x'?");
  expect("good.csv \"rod.*\"", "no column matches 'rod.*'");
  expect("good.csv crank.x --x crank.z", "--x: no column is named 'crank.z'");
  expect("names.csv crank.x", "expected rows of numbers, found only names");
  expect("empty.csv crank.x", "expected a row of names");
  expect("bad.csv crank.x", "bad.csv:3:3: error: column 'crank.x': expected a number, found 'two'");
  expect("good.csv crank.x -o good.csv", "would be overwritten");
  expect("good.csv crank.x -o figure.pdf", "expected the name of a .svg or .png file");
  expect("good.csv crank.x -o none/figure.svg", "cannot write 'none/figure.svg'");
  expect("good.csv crank.x --width 3", "expected a number of pixels");
  expect("good.csv", "COLUMN");
}

TEST_CASE("the effort of a driver has its unit where the table tells it") {
  // oracle: a driver of an angle gives a torque, one of a length a force; of a table without reactions nobody knows
  const Folder here;
  struct Driver {
    const char *text, *axis;
  };
  for (const Driver& one : {Driver{"m = { type = \"angle\", i = \"ground\", j = \"arm\", motion = \"0.3*t\" }", "moment (N m)"},
                            Driver{"m = { type = \"distance\", i = \"ground.P\", j = \"arm.T\", motion = \"1.4 + 0.1*t\" }", "force (N)"}}) {
    here.write("m.toml", "jounce = 1\ngravity = [0, -9.81]\n[ground]\npoints = { O = [0, 0], P = [0, -1] }\n[bodies.arm]\nmass = 1\ninertia = 0.1\ncom = [0.5, 0]\n"
                         "points = { O = [0, 0], T = [1, 0] }\n[joints]\no = { type = \"revolute\", i = \"ground.O\", j = \"arm.O\" }\n[drivers]\n" + std::string(one.text) +
                         "\n[run]\nto = 1\nsteps = 4\n");
    REQUIRE(here.jounce("inverse m.toml -o out.csv --quiet").code == 0);
    const Ran ran = here.jounce("plot out.csv m.effort");
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    CHECK_MESSAGE(contains(ran.out, one.axis), one.axis);
  }
  REQUIRE(here.jounce("inverse m.toml -o out.csv --columns '*.effort' --quiet").code == 0);
  CHECK_FALSE(contains(here.jounce("plot out.csv m.effort").out, "(N"));
  // that of a joint in space says nothing by its reactions: the force in a hinge is there, too
  REQUIRE(here.jounce("inverse " + model("seven-joint-arm") + " -o arm.csv --quiet").code == 0);
  CHECK_FALSE(contains(here.jounce("plot arm.csv j1.tau1").out, "(N"));
}

TEST_CASE("names in a figure are text, whatever they are") {
  // oracle: the parser; no element comes out of a name
  const Folder here;
  here.write("hostile.csv", "t,<script>alert(1)</script>.x,\"a\"\"&'<b onload=\"\"x\"\">.x\"\n0,1,2\n1,2,3\n");
  const Ran ran = here.jounce("plot hostile.csv \"*\" --title '</title><script>&\"'");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  const pugi::xml_document figure = parsed(ran.out);
  CHECK(figure.select_nodes("//script").empty());
  CHECK(figure.select_nodes("//b").empty());
  CHECK(figure.select_nodes("//*[@onload]").empty());
  CHECK(std::string(figure.document_element().child("title").text().get()) == "</title><script>&\"");

  std::string hostile = kUndriven;
  hostile.replace(hostile.find("Undriven"), 8, "</title><script>alert(1)</script>&");
  here.write("hostile.toml", hostile);
  const Ran drawn = here.jounce("draw hostile.toml --names");
  REQUIRE_MESSAGE(drawn.code == 0, drawn.err);
  CHECK(parsed(drawn.out).select_nodes("//script").empty());
}

TEST_CASE("a drawing has the symbols of its model, and its pins where the results say") {
  // oracle: the model file, counted by hand, and the CSV at the same time
  const Folder here;
  const Ran ran = here.jounce("draw " + model("quick-return") + " --at 0.5 --names --trail link.T -o out.svg");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  CHECK(ran.out.empty());
  const pugi::xml_document figure = parsed(here.read("out.svg"));
  CHECK(of_class(figure, "pin").size() == 5);  // four revolute joints, and the pin in the slot
  CHECK(of_class(figure, "motor").size() == 1);
  CHECK(of_class(figure, "guide").size() == 1);
  CHECK(of_class(figure, "trail").size() == 1);

  REQUIRE(here.jounce("kinematics " + model("quick-return") + " --to 0.5 --steps 1 -o out.csv --quiet").code == 0);
  const auto table = read_csv((here / "out.csv").string());
  REQUIRE(table.ok());
  const pugi::xml_node mechanism = of_class(figure, "mechanism").at(0);
  const double scale = mechanism.attribute("data-scale").as_double(),
               width = figure.document_element().attribute("width").as_double();
  Point origin;
  std::istringstream(mechanism.attribute("data-origin").value()) >> origin.x >> origin.y;
  for (const std::string point : {"crank.O", "lever.Q", "crank.P", "link.T", "ram.R"}) {
    CAPTURE(point);
    const Point p{origin.x + scale * column(*table, point + ".x").back(),
                  origin.y - scale * column(*table, point + ".y").back()};
    double nearest = 1e300;
    for (const pugi::xml_node& pin : of_class(figure, "pin"))
      nearest = std::min(nearest, std::hypot(pin.attribute("cx").as_double() - p.x, pin.attribute("cy").as_double() - p.y));
    CHECK(nearest < 1e-3 * width);
  }
}

TEST_CASE("what holds a mechanism in space does not depend on the instant that is drawn") {
  // oracle: the ground stands still. The lever turns 0.05 m and more above the floor, so that the lowest that is drawn is the plate that its stand is on
  const Folder here;
  here.write("m.toml", "jounce = 1\nspace = \"3d\"\ngravity = [0, 0, -9.81]\n[ground]\npoints = { F = [0.3, 0.6, 0.3] }\n[bodies.bell]\nmass = 2\ncom = [0, 0.1, 0]\ninertia = [0.01, 0.001, 0.01, 0, 0, 0]\n"
                       "points = { B = [0, 0.25, 0] }\n[joints]\npivot = { type = \"revolute\", parent = \"ground\", child = \"bell\", origin = { xyz = [0.3, 0, 0.3] }, "
                       "axis = [1, 0, 0], dofs = [{ motion = \"2*pi*t\" }] }\n[run]\nto = 1\nsteps = 40\n");
  for (const char* at : {"0", "0.25", "0.5", "0.75"}) {
    CAPTURE(at);
    const Ran ran = here.jounce(std::string("draw m.toml --view x --at ") + at);
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    const pugi::xml_document figure = parsed(ran.out);
    const pugi::xml_node mechanism = of_class(figure, "mechanism").at(0);
    const double scale = mechanism.attribute("data-scale").as_double();
    Point origin;
    std::istringstream(mechanism.attribute("data-origin").value()) >> origin.x >> origin.y;
    double lowest = -1e300;
    for (const pugi::xml_node& part : of_class(figure, "part"))
      for (const auto& line : lines_of_path(part.attribute("d").value()))
        for (const Point& p : line) lowest = std::max(lowest, p.y);
    CHECK(std::abs((lowest - origin.y) / scale) < 1.5 / scale);  // a pixel, and half of its edge
  }
}

TEST_CASE("ropes and their ends are in the picture") {
  // oracle: the sheet; the rope of the model goes up to a point that nothing else is at
  const Folder here;
  here.write("m.toml", "jounce = 1\ngravity = [0, -9.81]\n[ground]\npoints = { A = [0, 2], X = [0.2, 0], Y = [0.2, 1] }\n[bodies.load]\nmass = 80\ninertia = 1\n"
                       "position = [0.2, 0.5]\npoints = { H = [0, 0], G = [0, -0.2] }\n[joints]\n"
                       "gl = { type = \"translational\", slot = [\"ground.X\", \"ground.Y\"], slider = [\"load.G\", \"load.H\"] }\n"
                       "rope = { type = \"equation\", of = \"distance(load.H, ground.A) - 1.6\" }\n");
  const Ran ran = here.jounce("draw m.toml");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  const pugi::xml_document figure = parsed(ran.out);
  const double width = figure.document_element().attribute("width").as_double(), height = figure.document_element().attribute("height").as_double();
  const auto ropes = of_class(figure, "rope");
  REQUIRE(ropes.size() == 1);
  const auto lines = lines_of_path(ropes[0].attribute("d").value());
  REQUIRE(lines.size() == 1);
  for (const Point& p : lines[0]) {
    CHECK((p.x > 0 && p.x < width));
    CHECK((p.y > 0 && p.y < height));
  }
}

TEST_CASE("every model can be drawn") {
  // oracle: exit code 0, XML, and a symbol for each joint type that has one
  const Folder here;
  std::vector<std::string> names;
  for (const Space space : {Space::plane, Space::three})
    for (const auto& folder : jounce_test::model_folders(space, jounce_test::WithStops::too)) names.push_back(folder.filename().string());
  CHECK(names.size() >= 50);
  for (const std::string& name : names) {
    CAPTURE(name);
    const Ran ran = here.jounce("draw " + model(name) + " --names");
    CHECK_MESSAGE(ran.code == 0, ran.err);
    const pugi::xml_document figure = parsed(ran.out);
    CHECK(of_class(figure, "mechanism").size() == 1);
    CHECK(!contains(ran.out, "nan"));
    if (name == "stick-slip") CHECK(of_class(figure, "spring").size() == 1);
    if (name == "excavator-boom") CHECK(of_class(figure, "cylinder").size() == 2);
    // every hinge is a barrel and a pin, of as many faces each
    if (name == "seven-joint-arm") CHECK((!of_class(figure, "hinge").empty() && of_class(figure, "hinge").size() % 7 == 0));
  }
}

TEST_CASE("loads are drawn where they act and the way they act") {
  // oracle: the numbers of the model, by the scale of the drawing: body and ground axes lie a quarter turn apart
  const Folder here;
  const std::string head = R"(jounce = 1
name = "loads"
space = "3d"
[bodies.block]
mass = 2
com = [1, 0, 0]
inertia = [1, 1, 1, 0, 0, 0]
points = { P = [3, 0, 0] }
[joints.free]
type = "free"
parent = "ground"
child = "block"
q = [0.70710678118654752, 0, 0, 0.70710678118654752, 4, 0, 0]
[run]
analysis = "dynamics"
to = 1
steps = 1
)";
  struct Case {
    std::string load;
    Point at, towards;  // metres, y upwards
  };
  for (const Case& c : {Case{"type = \"force\"\non = \"block.P\"\nvalue = [5, 0, 0]\n", {4, 3}, {1, 0}},
                        Case{"type = \"force\"\non = \"block.P\"\nvalue = [5, 0, 0]\nframe = \"body\"\n", {4, 3}, {0, 1}},
                        Case{"type = \"wrench\"\non = \"block\"\nvalue = [0, 0, 0, 5, 0, 0]\n", {0, 0}, {1, 0}},
                        Case{"type = \"wrench\"\non = \"block\"\nvalue = [0, 0, 0, 5, 0, 0]\nframe = \"body\"\n", {4, 0}, {0, 1}}}) {
    CAPTURE(c.load);
    here.write("loads.toml", head + "[forces.push]\n" + c.load);
    const Ran ran = here.jounce("draw loads.toml --view z");
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    const pugi::xml_document figure = parsed(ran.out);
    const pugi::xml_node mechanism = of_class(figure, "mechanism").at(0), arrow = of_class(figure, "force").at(0);
    const double scale = mechanism.attribute("data-scale").as_double();
    Point origin;
    std::istringstream(mechanism.attribute("data-origin").value()) >> origin.x >> origin.y;
    const auto number = [&](const char* name) { return arrow.attribute(name).as_double(); };
    const Point at{origin.x + scale * c.at.x, origin.y - scale * c.at.y}, from{number("x1"), number("y1")}, to{number("x2"), number("y2")};
    const double long_by = std::hypot(to.x - from.x, to.y - from.y);
    CHECK((to.x - from.x) / long_by == doctest::Approx(c.towards.x));
    CHECK((from.y - to.y) / long_by == doctest::Approx(c.towards.y));
    CHECK(std::hypot(at.x - to.x, at.y - to.y) < 20);  // the head ends beside the point
  }

  // a moment along the axis that points at the eye turns counter-clockwise: the sweep flag of its arc is 0
  for (const auto& [value, sweep] : {std::pair{"[0, 0, 5]", 0}, std::pair{"[0, 0, -5]", 1}}) {
    here.write("loads.toml", head + "[forces.turn]\ntype = \"moment\"\non = \"block\"\nvalue = " + value + "\n");
    const pugi::xml_document figure = parsed(here.jounce("draw loads.toml --view z").out);
    std::istringstream path(of_class(figure, "load").at(0).attribute("d").value());
    char letter = 0;
    double x = 0, y = 0, rx = 0, ry = 0;
    int turned = 0, large = 0, found = -1;
    path >> letter >> x >> y >> letter >> rx >> ry >> turned >> large >> found;
    CHECK(letter == 'A');
    CHECK(found == sweep);
  }
}

TEST_CASE("a drawing that cannot be made says why; what can be drawn is drawn") {
  // oracle: what the message must name
  const Folder here;
  here.write("short.toml", kTooShort);
  here.write("undriven.toml", kUndriven);
  here.write("dead.toml", kDeadCentre);
  const auto expect = [&](const std::string& arguments, int code, bool drawn, const std::string& part) {
    CAPTURE(arguments);
    const Ran ran = here.jounce("draw " + arguments);
    CHECK(ran.code == code);
    CHECK(ran.out.empty() != drawn);
    CHECK_MESSAGE(contains(ran.err, part), ran.err);
  };
  expect("undriven.toml", 0, true, "");         // without masses and drivers: as it is assembled
  expect("short.toml", 1, true, "short.toml");  // what does not close is seen best in a drawing
  expect("dead.toml --at 1", 0, true, "");
  expect("dead.toml --at 3", 1, true, "drawn at t = 1.99");
  expect("dead.toml --trail rod", 2, false, "expected a point of 'rod'");
  expect("dead.toml --trail rod.X", 2, false, "'rod' has no point 'X'");
  expect("dead.toml --trail rood.A", 2, false, "did you mean 'rod'?");
  expect("dead.toml --view x", 2, false, "--view: is for models in space");
  expect("dead.toml --at -1", 2, false, "must be 0 or a later time");
  expect("dead.toml -o dead.toml", 2, false, "would be overwritten");
}

TEST_CASE("bash completes commands, options, their words and files") {
  // oracle: bash itself with the script of the program
  const Folder here;
  here.write("crank.toml", "");
  here.write("notes.txt", "");
  here.write("out.csv", "t,crank.x,crank.y\n");
  const auto complete = [&](const std::string& words) {
    std::istringstream in(words);
    int count = 0;
    for (std::string word; in >> word;) ++count;
    if (words.ends_with(' ')) ++count;
    const std::string array = words.ends_with(' ') ? words + "''" : words;
    const Ran ran = here.shell("bash -c 'source <(\"" + places::program() + "\" completion bash); COMP_WORDS=(" + array +
                               "); COMP_CWORD=" + std::to_string(count - 1) + "; _jounce; printf \"%s \" \"${COMPREPLY[@]}\"'");
    CHECK_MESSAGE(ran.err.empty(), ran.err);
    return " " + ran.out;
  };
  CHECK(contains(complete("jounce kin"), " kinematics "));
  CHECK(contains(complete("jounce "), " draw "));
  CHECK(contains(complete("jounce dynamics --me"), " --method "));
  CHECK(contains(complete("jounce dynamics crank.toml --method r"), " radau "));
  CHECK(contains(complete("jounce dynamics crank.toml --formulation k"), " kkt kane "));
  CHECK(contains(complete("jounce new --template four"), " four-bar "));
  CHECK(contains(complete("jounce types pin-"), " pin-in-slot "));
  CHECK(contains(complete("jounce run "), " crank.toml "));
  CHECK(!contains(complete("jounce run "), "notes.txt"));
  CHECK(contains(complete("jounce draw --at 1 "), " crank.toml "));
  CHECK(contains(complete("jounce plot out.csv crank.x cr"), " crank.x crank.y "));
  CHECK(contains(complete("jounce completion z"), " zsh "));
  CHECK(contains(complete("jounce plot -o a.svg out.csv cr"), " crank.x crank.y "));
  // what a table holds is text: nothing in it is run, neither now nor when the line is entered
  here.write("hostile.csv", "t,$(touch${IFS}ran)x,`touch ran`,a b\n0,1,2,3\n");
  CHECK(contains(complete("jounce plot hostile.csv "), R"( t \$\(touch\$\{IFS\}ran\)x \`touch\ ran\` a\ b )"));
  CHECK(!std::filesystem::exists(here / "ran"));

  // every option that --help shows is completed
  for (const std::string command : {"run", "draw", "plot", "explain", "import"}) {
    const std::string offered = complete("jounce " + command + " -");
    std::istringstream help(here.jounce(command + " --help").out);
    for (std::string word; help >> word;)
      if (word.starts_with("--") && word.size() > 3 && std::isalpha(static_cast<unsigned char>(word[2])) != 0) {
        word = word.substr(0, word.find_first_of(",:;."));
        CHECK_MESSAGE(contains(offered, " " + word + " "), command << " " << word);
      }
  }
  CHECK(contains(here.jounce("completion zsh").out, "#compdef jounce"));
  const Ran wrong = here.jounce("completion fish");
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err, "expected bash or zsh"));
}
