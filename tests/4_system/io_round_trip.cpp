// A model written and read again is the same model.
#include <doctest/doctest.h>

#include <filesystem>
#include <limits>
#include <string>

#include "jounce/io/read_model.hpp"
#include "jounce/io/write_model.hpp"
#include "jounce/planar/catalogue.hpp"

using namespace jounce;
using planar::Form;
using planar::Group;

namespace {

// A value of every form, different from element to element.
Value example(Form form, Group group, int n) {
  const auto nth = [&](std::string stem) { return stem + std::to_string(n); };
  switch (form) {
    case Form::point:
      if (group == Group::shape && n % 2 == 0) return std::vector<Text>{0.25, nth("w/")};
      return Text(nth("b.P"));
    case Form::line: return std::vector<Text>{nth("b.P"), "b.Q"};
    case Form::body: return Text(nth("b"));
    case Form::coordinate: return Text("b.phi");
    case Form::number: return n % 2 == 0 ? Value{Text(0.1 * n)} : Value{Text(nth("crank/"))};
    case Form::pair: return std::vector<Text>{1.5 * n, "2*r"};
    case Form::vector: return std::vector<Text>{"-200*step(t, 0.1, 0.2)", 0.0};
    case Form::motion: return n % 2 == 0 ? Value{Text(nth("rpm*t*"))} : Value{TableFile{nth("curves/cam") + ".csv"}};
    case Form::law: return Text("10*l - v");
    case Form::mesh: return Text("crossed-belt");
    case Form::frame: break;
  }
  return Text("body");
}

std::vector<Element> one_of_each(Group group) {
  std::vector<Element> out;
  int n = 0;
  for (const planar::TypeInfo& type : planar::types(group)) {
    Element element{.name = std::string(planar::word(group)) + "-" + std::to_string(n), .type = std::string(type.type)};
    for (const planar::FieldInfo& field : type.fields) element.set(std::string(field.key), example(field.form, group, ++n));
    out.push_back(std::move(element));
  }
  return out;
}

Model everything() {
  Model m;
  m.name = "Everything, \"quoted\" \\ and Grün\t\n\x01\x7f";
  m.gravity = {0.0, "-g"};
  m.parameter("zeta", 0.05);
  m.parameter("alpha", "2*zeta");
  m.parameter("body-0", -1e-300);
  m.ground.point("O", 0.0, 0.0).point("A-1", "alpha", -0.0);
  for (Element& shape : one_of_each(Group::shape)) {
    Body& body = m.body("body-" + shape.name);
    body.mass = 0.4;
    body.inertia = "1e-4";
    body.com = {"zeta/2", 0.0};
    body.position = {1e20, 123456789012345680000.0};
    body.velocity = {1.0, 2.0};
    body.angle = "60*deg";
    body.spin = 5e-324;
    shape.name.clear();
    body.shape = shape;
    for (int i = 0; i < 30; ++i) body.point("P" + std::to_string(30 - i), 0.1 * i, "zeta");
  }
  m.body("bare");
  m.joints = one_of_each(Group::joint);
  m.drivers = one_of_each(Group::driver);
  m.forces = one_of_each(Group::force);
  m.run = RunSection{.analysis = "kinematics", .to = 0.6, .steps = 300.0};
  return m;
}

}  // namespace

TEST_CASE("a model with every type and every field is read as it was written") {
  // oracle: equality of the two models; the elements are made by walking the catalogue
  const Model model = everything();
  const std::string text = write_model(model);
  const ReadModel read = parse_model(text, "everything.toml");
  CHECK_MESSAGE(read.problems.empty(), jounce::text(read.problems));
  CHECK(read.model == model);
  CHECK(write_model(read.model) == text);
}

TEST_CASE("numbers stay numbers and expressions stay in quotes") {
  // oracle: the text by hand
  const std::string text =
      "jounce = 1\n"
      "name   = \"n\"\n"
      "\n"
      "[parameters]\n"
      "int     = 3\n"
      "float   = 2.5\n"
      "text    = \"2.5\"\n"
      "zero    = -0.0\n"
      "big     = 123456789012345683968.0\n"
      "biggest = 9223372036854775807\n"
      "tiny    = 5e-324\n";
  const ReadModel read = parse_model(text, "n.toml");
  CHECK(read.problems.empty());
  CHECK(write_model(read.model) == text);
  CHECK(read.model.parameters[1].value.quoted == false);
  CHECK(read.model.parameters[2].value.quoted == true);
}

TEST_CASE("other spellings of a number become its shortest one") {
  // oracle: by hand
  const ReadModel read =
      parse_model("jounce = 1\n[parameters]\na = 0x10\nb = 1_000\nc = +0.50\nd = 1e3\ne = -0\nf = 1e22\n", "n.toml");
  CHECK(read.problems.empty());
  std::string all;
  for (const Parameter& p : read.model.parameters) all += p.value.text + ' ';
  CHECK(all == "16 1000 0.5 1000 0 1e+22 ");
}

TEST_CASE("a number that TOML cannot spell is written in quotes") {
  // oracle: what was set in code comes back as text
  Model model;
  model.name = "n";
  model.parameter("a", std::numeric_limits<double>::infinity());
  model.parameter("b", Text("1_0", {}, false));
  const ReadModel read = parse_model(write_model(model), "n.toml");
  CHECK(read.problems.empty());
  CHECK(read.model == model);
}

TEST_CASE("the order of the file is kept, whatever the names") {
  // oracle: the order in the text
  const ReadModel read = parse_model(
      "jounce = 1\n"
      "[bodies.z]\npoints = { Q = [0, 0], P = [1, 0], R = [2, 0] }\n"
      "[joints.q]\ntype = \"distance\"\nlength = 1\nj = \"a.P\"\ni = \"z.P\"\n"
      "[bodies.a.points]\nC = [0, 0]\nB = [0, 0]\n"
      "[parameters]\ny = 1\nx = 2\n"
      "[joints.b]\ntype = \"revolute\"\n"
      "[bodies.m]\n"
      "[bodies.a]\nmass = 1\n",
      "order.toml");
  CHECK_MESSAGE(read.problems.empty(), jounce::text(read.problems));
  const Model& m = read.model;
  std::string names;
  for (const Body& body : m.bodies) {
    names += body.name + ':';
    for (const NamedPoint& point : body.points) names += point.name;
    names += ' ';
  }
  for (const Element& joint : m.joints) {
    names += joint.name + ':';
    for (const Entry& entry : joint.entries) names += entry.key + ',';
    names += ' ';
  }
  for (const Parameter& parameter : m.parameters) names += parameter.name;
  CHECK(names == "z:QPR a:CB m: q:length,j,i, b: yx");
}

TEST_CASE("places point at the first character of names, keys and texts") {
  // oracle: lines and columns counted by hand
  const Model m = parse_model(
                      "\xEF\xBB\xBFjounce = 1\r\n"
                      "[parameters]\r\n"
                      "  r = \"2*q\"\r\n"
                      "  s = -1.5\r\n"
                      "[joints. B ] # ü\r\n"
                      "type = \"revolute\"\r\n"
                      "i = '''a.P'''\r\n"
                      "j = \"\"\"\r\nb.P\"\"\"\r\n"
                      "[bodies]\r\n\"ü\" = { mass = \"m\" }\r\n",
                      "places.toml")
                      .model;
  CHECK(m.parameters.at(0).where == Where{3, 3});
  CHECK(m.parameters.at(0).value.where == Where{3, 8});
  CHECK(m.parameters.at(1).value.where == Where{4, 7});
  const Element& joint = m.joints.at(0);
  CHECK(joint.where == Where{5, 10});
  CHECK(joint.type_where == Where{6, 9});
  CHECK(joint.entries.at(0).where == Where{7, 1});
  CHECK(std::get<Text>(joint.entries.at(0).value).where == Where{7, 8});
  CHECK(std::get<Text>(joint.entries.at(1).value).where == Where{9, 1});
  CHECK(m.bodies.at(0).mass->where == Where{11, 17});  // columns count characters, not bytes
}

TEST_CASE("the models that come with Jounce are read and written without loss") {
  // oracle: equality of the two models
  int count = 0;
  for (const auto& folder : std::filesystem::directory_iterator(std::string(JOUNCE_SOURCE_DIR) + "/models")) {
    const auto path = folder.path() / "model.toml";
    if (!std::filesystem::exists(path)) continue;
    CAPTURE(path.string());
    const ReadModel read = parse_model_file(path.string());
    CHECK_MESSAGE(read.problems.empty(), jounce::text(read.problems));
    CHECK(parse_model(write_model(read.model), "x.toml").model == read.model);
    ++count;
  }
  CHECK(count > 0);
}

TEST_CASE("what could not be read is left alone by the writer") {
  // oracle: the text by hand
  const ReadModel read = parse_model(
      "jounce = 1\nname = \"n\"\n[parameters]\na = true\nb = 1\n[bodies.c]\nmass = true\ncom = [1]\n"
      "points = { A = 5, B = [0, 0] }\nshape = 5\n"
      "[joints.B]\ntype = \"revolute\"\ni = 5\nj = \"c.B\"\n[joints.C]\ntype = \"nonsense\"\n",
      "n.toml");
  CHECK(read.problems.size() == 7);
  CHECK(write_model(read.model) ==
        "jounce = 1\nname   = \"n\"\n\n[parameters]\nb = 1\n\n[bodies.c]\npoints = { B = [0, 0] }\n\n"
        "[joints.B]\ntype = \"revolute\"\nj    = \"c.B\"\n");
  CHECK(std::holds_alternative<std::monostate>(read.model.joints.at(0).find("i")->value));
}
