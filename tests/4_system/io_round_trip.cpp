// A model written and read again is the same model.
#include <doctest/doctest.h>

#include <filesystem>
#include <limits>
#include <span>
#include <string>

#include "jounce/io/model_types.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/io/write_model.hpp"
#include "places.hpp"

namespace io_round_trip_test {

using namespace jounce;

namespace {

Table table(std::span<const FieldInfo> fields, int n);

// A value of every form, different from element to element.
PlainValue plain_example(Form form, int n) {
  const auto nth = [&](std::string stem) { return stem + std::to_string(n); };
  switch (form) {
    case Form::own_point: return n % 2 == 0 ? PlainValue{std::vector<Text>{0.25, nth("w/")}} : PlainValue{Text(nth("P"))};
    case Form::own_point_in_space:
      return n % 2 == 0 ? PlainValue{std::vector<Text>{0.25, nth("w/"), 0.0}} : PlainValue{Text(nth("P"))};
    case Form::point: return Text(nth("b.P"));
    case Form::line: return std::vector<Text>{nth("b.P"), "b.Q"};
    case Form::body: return Text(nth("b"));
    case Form::coordinate: return Text("b.phi");
    case Form::number: return n % 2 == 0 ? PlainValue{Text(0.1 * n)} : PlainValue{Text(nth("crank/"))};
    case Form::pair: return std::vector<Text>{1.5 * n, "2*r"};
    case Form::vector: return std::vector<Text>{"-200*step(t, 0.1, 0.2)", 0.0};
    case Form::motion: return n % 2 == 0 ? PlainValue{Text(nth("rpm*t*"))} : PlainValue{TableFile{nth("curves/cam") + ".csv"}};
    case Form::table: return TableFile{nth("curves/motor") + ".csv"};
    case Form::six: return std::vector<Text>{0.0, 1.0, nth("k/"), 3.0, 4.0, 5.0};
    case Form::law: return Text("10*l - v");
    case Form::yes_no: return Text("true", {}, false);
    case Form::lift: return n % 2 == 0 ? PlainValue{Text(nth("theta/"))} : PlainValue{TableFile{nth("cams/lift") + ".csv"}};
    case Form::side: return Text("inside");
    case Form::mesh: return Text("crossed-belt");
    case Form::triple: return std::vector<Text>{0.5 * n, nth("r/"), -1.0};
    case Form::numbers: return std::vector<Text>(static_cast<std::size_t>(n % 7 + 1), Text(0.125 * n));
    case Form::function: return Text(nth("sin(t)*"));
    case Form::vector_in_space:
    case Form::turns: return std::vector<Text>{0.0, nth("t^"), 9.81};
    case Form::wrench: return std::vector<Text>{0.0, 1.0, nth("t^"), 3.0, 4.0, "cos(t)"};
    case Form::dof: return n % 2 == 0 ? Text(nth("knuckle.")) : Text("knuckle");
    case Form::turn_order: return Text("zxz");
    case Form::text: return Text("some words");
    default: return Text("body");
  }
}

Value example(Form form, int n) {
  switch (form) {
    case Form::placement: return table(tree::placement_fields(), n);
    case Form::dofs: return std::vector<Table>{Table{}, table(tree::dof_fields(), n), table(tree::dof_fields(), n + 1)};
    case Form::pose: return table(tree::pose_fields(), n);
    case Form::bearing_friction:
    case Form::guide_friction: return table(friction_fields(form), n);
    case Form::screws: return std::vector<std::vector<Text>>(static_cast<std::size_t>(n % 5 + 1), std::vector<Text>(6, Text(n)));
    case Form::places: return std::vector<std::vector<Text>>(static_cast<std::size_t>(n % 5 + 3), std::vector<Text>(2, Text(n)));
    default: return std::visit([](auto value) { return Value{std::move(value)}; }, plain_example(form, n));
  }
}

Table table(std::span<const FieldInfo> fields, int n) {
  Table out;
  for (const FieldInfo& field : fields) out.set(std::string(field.key), plain_example(field.form, n++));
  return out;
}

std::vector<Element> one_of_each(Space space, Group group) {
  std::vector<Element> out;
  int n = 0;
  for (const TypeInfo& type : types(space, group)) {
    Element element{.name = std::string(word(group)) + "-" + std::to_string(n)};
    if (has_type(group)) element.type = type.type;
    for (const FieldInfo& field : type.fields) element.set(std::string(field.key), example(field.form, ++n));
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
  for (Element& shape : one_of_each(Space::plane, Group::shape)) {
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
  m.joints = one_of_each(Space::plane, Group::joint);
  m.drivers = one_of_each(Space::plane, Group::driver);
  m.forces = one_of_each(Space::plane, Group::force);
  m.run = RunSection{.analysis = "kinematics", .to = 0.6, .steps = 300.0};
  return m;
}

Model everything_in_space() {
  Model m;
  m.name = "Everything in space";
  m.space = Space::three;
  m.gravity = {0.0, 0.0, "-g"};
  m.parameter("g", 9.81);
  m.ground.points = {{"O", {}, {0.0, 0.0, 0.0}, {}}, {"P", {}, {"g", 0.0, 1.0}, {0.0, "pi/2", 0.0}}};
  for (Element& shape : one_of_each(Space::three, Group::shape)) {
    Body& body = m.body("body-" + shape.name);
    body.mass = 2.0;
    body.inertia_matrix = {0.1, 0.2, "g/50", 0.0, -0.0, 1e-3};
    body.com = {0.0, 0.0, "g/100"};
    shape.name.clear();
    body.shape = shape;
    for (int i = 0; i < 12; ++i) {
      NamedPoint point{"P" + std::to_string(12 - i), {}, {0.1 * i, "g", 0.0}, {}};
      if (i % 3 == 0) point.rpy = {0.0, 0.5, "g"};
      body.points.push_back(point);
    }
  }
  m.body("bare");
  m.joints = one_of_each(Space::three, Group::joint);
  m.couplings = one_of_each(Space::three, Group::coupling);
  m.loops = one_of_each(Space::three, Group::loop);
  m.forces = one_of_each(Space::three, Group::force);
  m.base = BaseSection{.start_momentum = "zero"};
  m.actuators = ActuatorSection{.where = {}, .dofs = {"leg", "wrist.2"}};
  m.run = RunSection{.analysis = "dynamics", .to = 3.0, .steps = 30.0};
  return m;
}

}  // namespace

TEST_CASE("a model with every type and every field is read as it was written") {
  // oracle: equality of the two models; the elements are made by walking the catalogue
  for (const Model& model : {everything(), everything_in_space()}) {
    CAPTURE(model.name);
    const std::string text = write_model(model);
    const ReadModel read = parse_model(text, "everything.toml");
    CHECK_MESSAGE(read.problems.empty(), jounce::text(read.problems));
    CHECK(read.model == model);
    CHECK(write_model(read.model) == text);
  }
}

TEST_CASE("a model in space is written as one would write it by hand") {
  // oracle: the text by hand, after the example of the interface
  const std::string text = R"toml(jounce  = 1
name    = "Arm"
space   = "3d"
gravity = [0, 0, -9.81]

[parameters]
reach = 0.4

[ground]
points = { P = { xyz = [0, 0, 1], rpy = [0, "pi/2", 0] } }

[bodies.arm]
mass    = 2
inertia = [0.03, 0.03, 0.001, 0, 0, 0]
com     = [0, 0, 0.2]
points  = { P = [0, 0, "reach"] }

[bodies.hand]
mass  = 0.5
shape = { type = "cylinder", centre = [0, 0, 0.1], radius = 0.02, length = 0.2 }

[joints.shoulder]
type         = "revolute"
parent       = "ground"
child        = "arm"
origin       = { xyz = [0, 0, 1], rpy = [0, 0, 0] }
child_origin = { xyz = [0, 0, 0] }
axis         = [0, 1, 0]
q            = [0.3]
v            = [0]
dofs         = [ { stiffness = 3, damping = 0.1, rest = 0, torque = "sin(t)" } ]

[joints.wrist]
type   = "custom"
parent = "arm"
child  = "hand"
screws = [[0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0.1, 0]]
dofs   = [
  { motion = "0.5*sin(2*pi*t) + 0.25*sin(4*pi*t) + 0.125*sin(6*pi*t)" },
  { motion = { table = "curves/wrist.csv" } },
]

[couplings.finger]
i     = "shoulder"
j     = "wrist.2"
ratio = 0.7

[loops.closure]
type = "spherical"
i    = "arm.P"
j    = "ground.P"

[base]
start_momentum = "zero"

[forces.push]
type  = "wrench"
on    = "arm"
value = [0, 0, 0, "10*t", 0, 0]
frame = "body"

[run]
analysis = "dynamics"
to       = 3
steps    = 300
)toml";
  const ReadModel read = parse_model(text, "arm.toml");
  CHECK_MESSAGE(read.problems.empty(), jounce::text(read.problems));
  CHECK(write_model(read.model) == text);
  CHECK(read.space == Where{3, 12});
  const Model& m = read.model;
  CHECK(m.space == Space::three);
  CHECK(m.ground.points.at(0).at.at(2).text == "1");
  CHECK(m.ground.points.at(0).rpy.at(1).where == Where{10, 46});
  CHECK(m.bodies.at(0).inertia_matrix->at(2).text == "0.001");
  CHECK(m.bodies.at(0).points.at(0).rpy.empty());
  CHECK(std::get<std::vector<Table>>(m.joints.at(0).find("dofs")->value).at(0).find("torque")->where == Where{31, 60});
  CHECK(std::get<Table>(m.joints.at(0).find("origin")->value).where == Where{26, 16});
  CHECK(std::get<std::vector<std::vector<Text>>>(m.joints.at(1).find("screws")->value).at(1).at(4).text == "0.1");
  CHECK(m.couplings.at(0).type.empty());
}

TEST_CASE("a point in space that leaves out its place is at the origin, and one without axes has those of its body") {
  // oracle: the defaults of the interface
  const ReadModel read = parse_model(
      "jounce = 1\nspace = \"3d\"\n[ground.points]\nA = { rpy = [1, 2, 3] }\nB = { xyz = [1, 2, 3] }\n", "p.toml");
  CHECK(read.problems.empty());
  CHECK(read.model.ground.points.at(0) == NamedPoint{"A", {}, {0.0, 0.0, 0.0}, {1.0, 2.0, 3.0}});
  CHECK(read.model.ground.points.at(1) == NamedPoint{"B", {}, {1.0, 2.0, 3.0}, {}});
  CHECK(write_model(read.model).ends_with("points = { A = { xyz = [0, 0, 0], rpy = [1, 2, 3] }, B = [1, 2, 3] }\n"));
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
  for (const auto& folder : std::filesystem::directory_iterator(places::source() + "/models")) {
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

TEST_CASE("what could not be read in space is left alone by the writer") {
  // oracle: the text by hand
  const ReadModel read = parse_model(
      "jounce = 1\nname = \"n\"\nspace = \"3d\"\n[bodies.c]\ninertia = 5\npoints = { A = { xyz = 5 }, B = { rpy = 5 } }\n"
      "[joints.B]\ntype = \"custom\"\norigin = { xyz = 5 }\ndofs = [{ rest = [] }, { damping = 1, rest = {} }]\n"
      "screws = [[1]]\n[joints.C]\ntype = \"revolute\"\ndofs = [{ rest = 1 }, 5]\n[couplings]\nk = 5\n",
      "n.toml");
  CHECK(read.problems.size() == 9);
  CHECK(write_model(read.model) ==
        "jounce = 1\nname   = \"n\"\nspace  = \"3d\"\n\n[bodies.c]\npoints = { B = [0, 0, 0] }\n\n"
        "[joints.B]\ntype = \"custom\"\ndofs = [ {}, { damping = 1 } ]\n\n[joints.C]\ntype = \"revolute\"\n\n[couplings.k]\n");
  CHECK(std::holds_alternative<std::monostate>(read.model.joints.at(0).find("screws")->value));
}

}  // namespace io_round_trip_test
