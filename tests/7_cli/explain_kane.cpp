// jounce explain MODEL --formulation kane.
#include "cli_test.hpp"
#include "oracles/kane_closed_forms.hpp"
#include "places.hpp"

using namespace jounce;

namespace {

/// What stands between the fences of a page, by the word behind the first: ```toml.
std::vector<std::string> blocks(const std::string& page, const std::string& language) {
  std::ifstream in(places::source() + "/" + page, std::ios::binary);
  std::ostringstream whole;
  whole << in.rdbuf();
  const std::string text = whole.str(), fence = "```" + language + "\n";
  std::vector<std::string> out;
  for (auto at = text.find(fence); at != text.npos; at = text.find(fence, at)) {
    at += fence.size();
    out.push_back(text.substr(at, text.find("```", at) - at));
  }
  return out;
}

/// The worked example, as the page has it.
std::string worked_example() {
  const auto models = blocks("docs/theory/kane.md", "toml");
  REQUIRE(models.size() == 1);
  return models.front();
}

double apart(const Json& shown, std::span<const double> exact) {
  REQUIRE(shown.size() == exact.size());
  double worst = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) worst = std::max(worst, std::abs(shown[i].get<double>() - exact[i]));
  return worst;
}

std::size_t characters(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Three bars in a row, at rest.
std::string three_bars() {
  std::string out = "jounce = 1\nname = \"Three bars\"\ngravity = [0, -9.81]\n[ground]\npoints = { A = [0, 0] }\n";
  for (int k = 1; k <= 3; ++k) {
    const std::string n = std::to_string(k), before = std::to_string(k - 1);
    out += "[bodies.bar" + n + "]\nmass = 1\nposition = [" + before + ", 0]\npoints = { A = [0, 0], B = [1, 0] }\n" +
           "shape = { type = \"bar\", from = \"A\", to = \"B\" }\n[joints.pin" + n + "]\ntype = \"revolute\"\ni = \"" +
           (k == 1 ? "ground.A" : "bar" + before + ".B") + "\"\nj = \"bar" + n + ".A\"\n";
  }
  return out;
}

}  // namespace

TEST_CASE("the worked example of the page has the numbers of the specification") {
  // oracle: the numbers printed there, with sixteen digits; the initial velocities go through a projection
  const Folder here;
  here.write("two.toml", worked_example());
  const Json out = here.jounce("explain two.toml --formulation kane --json").json();
  const oracle::WorkedExample exact;
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(apart(out["V_pd"][i], exact.Vpd[i]) < 1e-14);
    CHECK(apart(out["M"][i], exact.M[i]) < 1e-14);
  }
  CHECK(apart(out["f"], exact.f) < 1e-13);
  CHECK(apart(out["qdd"], exact.qdd) < 1e-12);
  CHECK(apart(out["q"], exact.chain.q) < 1e-14);
  CHECK(apart(out["qd"], exact.chain.qd) < 1e-14);
  CHECK(out["W_pd"] == Json::parse("[[1.0, 1.0], [0.0, 1.0]]"));
  CHECK(out["formulation"] == "kane");
  CHECK(out["bodies"] == Json::parse(R"(["first", "second"])"));
  CHECK(out["coordinates"][1]["name"] == "pin2");
  CHECK(out["coordinates"][1]["carrier"] == "first");
  CHECK(apart(out["pinned"][0]["S_p"]["second"], std::array{-0.1, 0.8}) < 1e-15);
  CHECK(out["closures"].empty());
  CHECK(out["outcome"]["kind"] == "done");
}

TEST_CASE("the page of Kane's method shows what the program prints") {
  // oracle: the program, line by line
  const Folder here;
  here.write("two.toml", worked_example());
  const auto commands = blocks("docs/theory/kane.md", "sh"), shown = blocks("docs/theory/kane.md", "text");
  REQUIRE(commands.size() == 1);
  REQUIRE(shown.size() == 1);
  CHECK(commands.front() == "jounce explain two.toml --formulation kane\n");
  const Ran ran = here.jounce("explain two.toml --formulation kane");
  CHECK(ran.code == 0);
  CHECK(ran.out == shown.front());
}

TEST_CASE("three bodies are laid out as in the notes, within a hundred columns") {
  // oracle: W_pd = [1 1 1; 0 1 1; 0 0 1] with bodies as columns; uniform bars in a row: V_pd[i, k] = x_k − X_i
  const Folder here;
  here.write("three.toml", three_bars());
  const Ran ran = here.jounce("explain three.toml --formulation kane");
  CHECK(ran.code == 0);
  std::istringstream in(ran.out);
  std::vector<std::vector<std::string>> words;
  for (std::string line; std::getline(in, line);) {
    CHECK_MESSAGE(characters(line) <= 100, line);
    std::istringstream of(line);
    words.emplace_back();
    for (std::string word; of >> word;) words.back().push_back(word);
  }
  const auto below = [&](const std::string& title) {
    const auto at = std::ranges::find_if(words, [&](const auto& w) { return !w.empty() && w.front() == title; });
    REQUIRE_MESSAGE(at != words.end(), title);
    return at + 1;
  };
  using Words = std::vector<std::string>;
  const auto W = below("W_pd"), V = below("V_pd");
  CHECK(W[0] == Words{"bar1", "bar2", "bar3"});
  CHECK(W[1] == Words{"pin1", "1", "1", "1"});
  CHECK(W[2] == Words{"pin2", "0", "1", "1"});
  CHECK(W[3] == Words{"pin3", "0", "0", "1"});
  CHECK(V[0] == Words{"bar1", "bar2", "bar3"});
  CHECK(V[1] == Words{"x", "y", "x", "y", "x", "y"});
  CHECK(V[2] == Words{"pin1", "0", "0.5", "0", "1.5", "0", "2.5"});
  CHECK(V[3] == Words{"pin2", "0", "0", "0", "0.5", "0", "1.5"});
  CHECK(V[4] == Words{"pin3", "0", "0", "0", "0", "0", "0.5"});
  for (const char* title : {"S_k0,", "A1", "A2", "A3", "F,", "M", "f"}) (void)below(title);
}

TEST_CASE("a driven loop is closed by K, and moves as its drivers say") {
  // oracle: explain itself, whose q'' come from the constraints alone
  const Folder here;
  const Json kane = here.jounce("explain " + model("four-bar") + " --formulation kane --at 0.1 --json").json();
  const Json plain = here.jounce("explain " + model("four-bar") + " --at 0.1 --json").json();
  CHECK(kane["cut"].size() == 2);
  CHECK(kane["closures"].size() == 3);
  CHECK(kane["rank"] == 3);
  std::vector<double> exact;
  for (const Json& body : plain["bodies"])
    for (const Json& value : body["q"][2]) exact.push_back(value.get<double>());
  double size = 0;
  for (const double x : exact) size = std::max(size, std::abs(x));
  CHECK(apart(kane["accelerations"], exact) < 1e-11 * size);
  const Ran text = here.jounce("explain " + model("four-bar") + " --formulation kane --at 0.1");
  CHECK(contains(text.out, "K, k, lambda"));
  CHECK(contains(text.out, "M q'' + Kᵀ lambda = f"));
}

TEST_CASE("a mechanism that nothing drives is explained where dynamics brings it") {
  // oracle: the angles and rates of the dynamics run; at the start, those of the file
  const Folder here;
  const std::string pendulum = model("double-pendulum");
  const Json kane = here.jounce("explain " + pendulum + " --formulation kane --at 0.5 --json").json();
  const Ran run = here.jounce("dynamics " + pendulum + " --to 0.5 --steps 100 -o - --quiet");
  const CsvTable table = run.csv();
  const double upper = column(table, "upper.phi").back(), lower = column(table, "lower.phi").back();
  CHECK(apart(kane["q"], std::array{upper, lower - upper}) < 1e-7);
  const double first = column(table, "upper.aphi").back(), second = column(table, "lower.aphi").back();
  CHECK(apart(kane["qdd"], std::array{first, second - first}) < 1e-5);
  CHECK(contains(here.jounce("explain " + pendulum + " --formulation kane --at 0.5").out, "forward dynamics has brought it"));
}

TEST_CASE("what explain --formulation cannot show is refused with the reason") {
  // oracle: the exit codes of the interface
  const Folder here;
  const Ran word = here.jounce("explain " + model("four-bar") + " --formulation aba");
  CHECK(word.code == 2);
  CHECK(contains(word.err, "--formulation aba: expected 'kane'"));
  const Ran lambda = here.jounce("explain " + model("four-bar") + " --formulation kane --lambda 1");
  CHECK(lambda.code == 2);
  CHECK(contains(lambda.err, "--lambda: expected without --formulation kane"));
  here.write("undriven.toml", kUndriven);
  const Ran massless = here.jounce("explain undriven.toml --formulation kane --json");
  CHECK(massless.code == 2);
  CHECK(contains(massless.err, "body 'arm': 'mass' is missing"));
  CHECK(!massless.json().contains("M"));
  here.write("driven.toml", kDeadCentre);  // no masses either
  CHECK(here.jounce("explain driven.toml --formulation kane").code == 2);
  here.write("short.toml", kTooShort);
  CHECK(here.jounce("explain short.toml --formulation kane").code == 1);
}
