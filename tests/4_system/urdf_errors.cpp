// What is wrong with a URDF, word for word, and thousands of damaged ones.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "jounce/io/read_model.hpp"
#include "jounce/io/urdf/urdf.hpp"
#include "jounce/io/write_model.hpp"
#include "places.hpp"

namespace urdf_errors_test {

using namespace jounce;

namespace {

struct Wrong {
  std::string robot, messages;
};

std::string messages(const std::string& robot) { return text(parse_urdf(robot, "r.urdf").problems()); }

const std::vector<Wrong> kNotXml{
    // clang-format off
    {"", "r.urdf:1:1: error: expected XML with an element at the top, found none\n"},
    {"jounce = 1\n", "r.urdf:1:1: error: expected XML with an element at the top, found none\n"},
    {"<?xml version=\"1.0\"?>\n<!-- robot -->\n", "r.urdf:1:1: error: expected XML with an element at the top, found none\n"},
    {"<robot>\n  <link name=\"a\">\n", "r.urdf:2:18: error: not valid XML: the text ends before </robot>\n"},
    {"<robot>\n  <link name=\"a\">\n</robot>",
     "r.urdf:3:3: error: not valid XML: </robot> does not close the element that is open here\n"},
    {"<robot>\n  <link name=a/>\n</robot>",
     "r.urdf:2:14: error: not valid XML: expected an attribute such as name=\"value\", with both quotes\n"},
    {"<robot>\n  <link name=\"a/>\n</robot>",
     "r.urdf:2:15: error: not valid XML: expected an attribute such as name=\"value\", with both quotes\n"},
    {"<robot>\n  <link name=\"a\" name=\"b\"/>\n</robot>", "r.urdf:2:18: error: <link> has the attribute 'name' twice\n"},
    {"<robot>\n  <1/>\n</robot>",
     "r.urdf:2:4: error: not valid XML: '<' begins no tag here (the sign itself is written &lt;)\n"},
    {"<robot>\n  <!-- a\n</robot>\n", "r.urdf:3:9: error: not valid XML: a comment without its '-->'\n"},
    {"<robot>\n  <link name='a'\n</robot>\n", "r.urdf:3:1: error: not valid XML: a start tag without its '>'\n"},
    {"<robot/>\n<robot/>\n", "r.urdf:2:1: error: not valid XML: a second element <robot> after the end of <robot>\n"},
    {"<robot>\n<!-- \xC3\xBC\xFF -->\n</robot>\n", "r.urdf:2:7: error: the text is not valid UTF-8 from here on\n"},
    {std::string("<robot>\0</robot>", 16), "r.urdf:1:8: error: the text is not valid UTF-8 from here on\n"},
    {"\xFF\xFE<", "r.urdf:1:1: error: the text is not valid UTF-8 from here on\n"},
    {"<sdf/>", "r.urdf:1:1: error: expected <robot> at the top, found <sdf>\n"},
    {"\xEF\xBB\xBF<robot name='\xC3\xBC'/>", "r.urdf:1:1: error: the robot has no <link>\n"},
    // clang-format on
};

// What stands inside <robot>, from line 2 on.
const std::vector<Wrong> kWrong{
    // clang-format off
    {"<link/>", "r.urdf:2:1: error: a <link>: the attribute 'name' is missing\n"},
    {"<link name=''/>", "r.urdf:2:13: error: a <link>: the attribute 'name' is empty\n"},
    {"<link name='a'/>\n<link name='a'/>", "r.urdf:3:13: error: link 'a': line 2 has a link of this name already\n"},
    {"<link name='a'/><joint/>\n<joint name='j'/>",
     "r.urdf:2:17: error: a <joint>: the attribute 'name' is missing\n"
     "r.urdf:3:1: error: joint 'j': the attribute 'type' is missing\n"
     "r.urdf:3:1: error: joint 'j': <parent link=\"...\"/> is missing\n"
     "r.urdf:3:1: error: joint 'j': <child link=\"...\"/> is missing\n"},
    {"<link name='a'/>\n<joint name='j' type='spherical'><parent/><child link='a'/></joint>",
     "r.urdf:3:23: error: joint 'j': unknown type 'spherical' (URDF has revolute, continuous, prismatic, planar, "
     "floating, fixed)\n"
     "r.urdf:3:34: error: joint 'j': parent: the attribute 'link' is missing\n"},
    {"<xacro:macro name='m'/>",
     "r.urdf:2:1: error: <xacro:macro>: this is xacro, from which a URDF is still to be made\n"
     "  hint: run xacro on the file, and import what it writes\n"},
    // numbers
    {"<link name='a'><inertial>\n<origin xyz='0 0' rpy='0 x 0'/>\n<mass value='-1'/>\n"
     "<inertia ixx='1' iyy='inf' izz='1e400' ixy='' ixz='1 2'/></inertial></link>",
     "r.urdf:3:14: error: link 'a': inertial: origin: xyz: expected 3 numbers, found 2\n"
     "r.urdf:3:26: error: link 'a': inertial: origin: rpy: expected a finite number, found 'x'\n"
     "r.urdf:4:14: error: link 'a': inertial: mass: a mass must not be negative, found -1\n"
     "r.urdf:5:1: error: link 'a': inertial: inertia: the attribute 'iyz' is missing\n"
     "r.urdf:5:23: error: link 'a': inertial: inertia: iyy: expected a finite number, found 'inf'\n"
     "r.urdf:5:33: error: link 'a': inertial: inertia: izz: expected a finite number within double precision, found '1e400'\n"
     "r.urdf:5:45: error: link 'a': inertial: inertia: the attribute 'ixy' is empty\n"
     "r.urdf:5:52: error: link 'a': inertial: inertia: ixz: expected 1 number, found 2\n"},
    {"<link name='a'>\n<inertial/></link>",
     "r.urdf:3:1: error: link 'a': inertial: <mass value=\"...\"/> is missing\n"
     "r.urdf:3:1: error: link 'a': inertial: <inertia ixx=\"...\" .../> is missing\n  hint: a point mass has six zeros\n"},
    {"<link name='a'>\n<inertial><mass value='nan'/><mass/>"
     "<inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/></inertial>\n<inertial/></link>",
     "r.urdf:3:24: error: link 'a': inertial: mass: value: expected a finite number, found 'nan'\n"
     "r.urdf:3:30: error: link 'a': inertial: <mass> is already given on line 3\n"
     "r.urdf:4:1: error: link 'a': <inertial> is already given on line 3\n"},
    {"<link name='a'/><link name='b'/>\n<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
     "<origin xyz='0 0\n  ${pi}' quat='1'/>\n<axis xyz='0 0 0'/></joint>",
     "r.urdf:4:3: error: joint 'j': origin: xyz: expected a finite number, found '${pi}'\n"
     "  hint: this is xacro: run xacro on the file, and import what it writes\n"
     "r.urdf:4:16: error: joint 'j': origin: unknown attribute 'quat' (it has xyz, rpy)\n"
     "r.urdf:5:12: error: joint 'j': axis: xyz: expected a direction, found [0, 0, 0]\n"},
    {"<link name='a'/><link name='b'/>\n<joint name='j' type='revolute'><parent link='a'/><child link='b'/>\n<axis/>\n"
     "<dynamics damping='-1' friction='x'/>\n<mimic multiplier='1'/></joint>",
     "r.urdf:4:1: error: joint 'j': axis: the attribute 'xyz' is missing\n"
     "r.urdf:5:20: error: joint 'j': dynamics: damping must not be negative, found -1\n"
     "r.urdf:5:34: error: joint 'j': dynamics: friction: expected a finite number, found 'x'\n"
     "r.urdf:6:1: error: joint 'j': mimic: the attribute 'joint' is missing\n"},
    // the tree
    {"<link name='arm'/><link name='b'/>\n<joint name='j' type='fixed'><parent link='amr'/><child link='nothing'/></joint>",
     "r.urdf:3:44: error: joint 'j': parent: there is no link 'amr' (did you mean 'arm'?)\n"
     "r.urdf:3:63: error: joint 'j': child: there is no link 'nothing'\n"},
    {"<link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
     "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>",
     "r.urdf:4:14: error: joint 'j': line 3 has a joint of this name already\n"},
    {"<link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
     "<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint>",
     "r.urdf:4:61: error: joint 'k': child: link 'b' is already the child of joint 'j' (line 3)\n"},
    {"<link name='a'/>\n<link name='b'/>\n<link name='c'/>",
     "r.urdf:3:13: error: link 'b': no joint has it as its child, and neither has link 'a' (line 2): expected one root\n"
     "r.urdf:4:13: error: link 'c': no joint has it as its child, and neither has link 'a' (line 2): expected one root\n"},
    {"<link name='a'/>\n<joint name='j' type='fixed'><parent link='a'/><child link='a'/></joint>",
     "r.urdf:3:14: error: joint 'j': expected a tree of links, found a loop of 1 joint: j\n"},
    {"<link name='root'/><link name='a'/><link name='b'/><link name='c'/><link name='tail'/>\n"
     "<joint name='t' type='fixed'><parent link='c'/><child link='tail'/></joint>\n"
     "<joint name='ab' type='revolute'><parent link='a'/><child link='b'/></joint>\n"
     "<joint name='ca' type='revolute'><parent link='c'/><child link='a'/></joint>\n"
     "<joint name='bc' type='revolute'><parent link='b'/><child link='c'/></joint>",
     "r.urdf:4:14: error: joint 'ab': expected a tree of links, found a loop of 3 joints: ab, bc, ca\n"},
    // mimics
    {"<link name='a'/><link name='b'/><link name='c'/><link name='d'/>\n"
     "<joint name='fix' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
     "<joint name='two' type='planar'><parent link='a'/><child link='c'/><mimic joint='one'/></joint>\n"
     "<joint name='one' type='revolute'><parent link='a'/><child link='d'/><mimic joint='fix'/></joint>",
     "r.urdf:4:82: error: joint 'two': mimic: only a revolute or prismatic joint can mimic, this one is planar\n"
     "r.urdf:5:84: error: joint 'one': mimic: only a revolute or prismatic joint can be mimicked, 'fix' is fixed\n"},
    {"<link name='a'/><link name='b'/><link name='c'/>\n"
     "<joint name='left' type='revolute'><parent link='a'/><child link='b'/><mimic joint='rihgt'/></joint>\n"
     "<joint name='right' type='revolute'><parent link='a'/><child link='c'/></joint>",
     "r.urdf:3:85: error: joint 'left': mimic: there is no joint 'rihgt' (did you mean 'right'?)\n"},
    {"<link name='a'/><link name='b'/><link name='c'/>\n"
     "<joint name='left' type='revolute'><parent link='a'/><child link='b'/><mimic joint='right'/></joint>\n"
     "<joint name='right' type='revolute'><parent link='a'/><child link='c'/><mimic joint='left'/></joint>",
     "r.urdf:3:85: error: joint 'left': mimic: this joint mimics itself, directly or through others\n"},
    // numbers that only together are too large
    {"<link name='a'/><link name='b'/><link name='c'/>\n"
     "<joint name='j' type='fixed'><parent link='a'/><child link='b'/><origin xyz='1e308 0 0'/></joint>\n"
     "<joint name='k' type='revolute'><parent link='b'/><child link='c'/><origin xyz='1e308 0 0'/></joint>",
     "r.urdf:4:14: error: what this and the parts fixed to it give together is beyond double precision\n"},
    // clang-format on
};

std::string example(const char* name) {
  std::ifstream in(places::source() + "/tests/4_system/urdf/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::string operator()(std::string text) {
    for (std::size_t i = below(3) + 1; i-- > 0 && !text.empty();) text = once(std::move(text));
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  // A piece of the text between two places where words meet.
  std::string piece(const std::string& text) {
    const std::size_t from = text.find_first_of("< \"", below(text.size()));
    if (from == text.npos) return {};
    return text.substr(from, text.find_first_of("> \"", from + 1) - from + 1);
  }

  std::string once(std::string text) {
    const std::size_t at = below(text.size());
    switch (below(7)) {
      case 0: text[at] = static_cast<char>(random_() & 0xFF); return text;
      case 1: text[at] = "<>/\"'= -0x1.e&!?"[below(16)]; return text;
      case 2: return text.erase(at, 1 + below(12));
      case 3: return text.insert(at, kWords[below(kWords.size())]);
      case 4: return text.substr(0, at);
      case 5: return text.insert(at, piece(text));
      default: return swap_words(std::move(text));
    }
  }

  // One quoted value in the place of another: names go wrong, numbers turn up where names were.
  std::string swap_words(std::string text) {
    std::vector<std::size_t> quotes;
    for (std::size_t q = text.find('"'); q != text.npos; q = text.find('"', q + 1)) quotes.push_back(q);
    if (quotes.size() < 4) return text;
    const std::size_t a = below(quotes.size() / 2) * 2, b = below(quotes.size() / 2) * 2;
    const std::string word = text.substr(quotes[b], quotes[b + 1] - quotes[b]);
    return text.replace(quotes[a], quotes[a + 1] - quotes[a], word);
  }

  static constexpr std::array kWords{"nan",
                                     "-inf",
                                     "1e400",
                                     "1e308",
                                     "<link name=\"x\"/>",
                                     "</robot>",
                                     "<!--",
                                     "-->",
                                     "<![CDATA[",
                                     "&#0;",
                                     "&lt;",
                                     "&amp;&bad;",
                                     "<?x",
                                     "\xEF\xBB\xBF",
                                     "\xFF",
                                     "<a><b><c>",
                                     "type=\"planar\"",
                                     "<mimic joint=\"bend\"/>",
                                     "]]>",
                                     "<!DOCTYPE a [<!ENTITY b \"c\">]>"};
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("text that is no XML, or no robot, is refused with its place") {
  // oracle: the place counted by hand, the sentence as it should read
  for (const Wrong& wrong : kNotXml) {
    CAPTURE(wrong.robot);
    CHECK(messages(wrong.robot) == wrong.messages);
  }
}

TEST_CASE("every mistake in a robot is told with its place") {
  // oracle: the place counted by hand, the sentence as it should read
  for (const Wrong& wrong : kWrong) {
    CAPTURE(wrong.robot);
    CHECK(messages("<robot name='r'>\n" + wrong.robot + "\n</robot>\n") == wrong.messages);
  }
}

TEST_CASE("a file that cannot be read is an error that names it") {
  // oracle: the system's reason
  CHECK(text(read_urdf("no/such.urdf").problems()) == "no/such.urdf: error: cannot read the file: No such file or directory\n");
}

TEST_CASE("texts made to exhaust a reader are refused, or read, quickly") {
  // oracle: one message each; without limits they end the program or take minutes
  const auto repeated = [](const std::string& part, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += part;
    return out;
  };
  CHECK(messages("<robot>" + repeated("<a>", 300000)) ==
        "r.urdf:1:900007: error: not valid XML: the text ends before </robot>\n");
  CHECK(messages("<robot>" + repeated("<a>", 300000) + repeated("</a>", 300000) + "</robot>") ==
        "r.urdf:1:197: error: elements are nested more than 64 deep\n");
  std::string attributes;
  for (int i = 0; i < 100000; ++i) attributes += fmt::format(" a{}='1'", i);
  CHECK(messages("<robot" + attributes + "/>") == "r.urdf:1:1: error: <robot> has more than 100 attributes\n");

  // very many mistakes: the first 200 and a count
  const Problems many = parse_urdf("<robot>" + repeated("<link/>\n", 1000) + "</robot>", "r.urdf").problems();
  CHECK(many.size() == 201);
  CHECK(many.back().text() == "r.urdf:200:1: note: 800 further messages are not shown");

  // names that all become the same one
  std::string same = "<robot name='r'><link name='base'/>";
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i)
    same +=
        fmt::format("<link name='{0}{1}'/><joint name='j{2}' type='fixed'><parent link='base'/><child link='{0}{1}'/></joint>",
                    repeated("/", i % 100 + 1), repeated(" ", i / 100 + 1), i);
  const auto result = parse_urdf(same + "</robot>", "r.urdf", {.keep_fixed = true});
  REQUIRE(result.ok());
  CHECK(result->bodies.size() == n);
  CHECK(result.problems().size() == 11);
}

TEST_CASE("the importer survives damaged robots") {
  // oracle: no crash; what is refused has an error with a place; what is accepted has a joint for each body,
  // between bodies that there are, and can be written as a model and read again
  int accepted = 0, unplaced = 0, strange = 0;
  for (const char* file : {"every-joint.urdf", "gripper.urdf", "left-out.urdf"}) {
    const std::string good = example(file);
    REQUIRE(parse_urdf(good, "r.urdf").ok());
    Damage damage(7);
    for (int i = 0; i < 2000; ++i) {
      const auto result = parse_urdf(damage(good), "r.urdf", {.floating_base = i % 2 == 0, .keep_fixed = i % 3 == 0});
      for (const Problem& problem : result.problems()) unplaced += problem.where.line < 1 || problem.where.column < 1;
      if (!result) continue;
      ++accepted;
      strange += any_error(result.problems()) || result->joints.size() != result->bodies.size();
      const ReadModel again = parse_model(write_model(*result), "r.toml");
      strange += !again.problems.empty() || !(again.model == *result);
      for (const Element& joint : result->joints)
        for (const char* end : {"parent", "child"})
          strange += result->find_body(std::get<Text>(joint.find(end)->value).text) == nullptr;
    }
  }
  CHECK(unplaced == 0);
  CHECK(strange == 0);
  CHECK(accepted > 300);
  CHECK(accepted < 5000);
}

}  // namespace urdf_errors_test
