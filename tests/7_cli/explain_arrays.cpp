// jounce explain MODEL --formulation aba, crba, nullspace, method-1, method-2, method-3.
#include "cli_test.hpp"

using namespace jounce;

TEST_CASE("explain prints articulated bodies as tables and as JSON") {
  // oracle: D of the motor is the Schur complement of H (composite bodies), and H q'' + C = tau
  const Folder here;
  const std::string furuta = model("furuta-pendulum");
  const Ran ran = here.jounce("explain " + furuta + " --formulation aba");
  CHECK(ran.code == 0);
  for (const char* part : {"by articulated bodies", "body 'rod'  on joint 'pivot', revolute, carried by 'arm': passive", "  Iᴬ\n", "  Iᵃ\n", "pᴬ", "U motor",
                           "D motor", "S pivot", "all dofs"})
    CHECK_MESSAGE(contains(ran.out, part), part, ran.out);
  const Json aba = here.jounce("explain " + furuta + " --formulation aba --json").json();
  const Json crba = here.jounce("explain " + furuta + " --formulation crba --json").json();
  CHECK(aba["formulation"] == "aba");
  CHECK(aba["dofs"] == Json::parse(R"(["motor", "pivot"])"));
  const auto H = [&](std::size_t r, std::size_t c) { return crba["H"][r][c].get<double>(); };
  CHECK(std::abs(aba["bodies"][0]["D"][0][0].get<double>() - (H(0, 0) - H(0, 1) * H(0, 1) / H(1, 1))) < 1e-15);
  CHECK(aba["bodies"][1]["IA"].size() == 6);
  CHECK(aba["bodies"][1]["IA"][0].size() == 6);
  CHECK(aba["bodies"][1]["pA"].size() == 6);
  for (std::size_t r = 0; r < 2; ++r) {
    double sum = crba["C"][r].get<double>() - aba["tau"][r].get<double>();
    for (std::size_t c = 0; c < 2; ++c) sum += H(r, c) * aba["qdd"][c].get<double>();
    CHECK(std::abs(sum) < 1e-14);
  }
}

TEST_CASE("every line of explain --formulation fits on a page, and a large model is for programs") {
  const Folder here;
  for (const std::string name : {"six-link-swimmer", "seven-joint-arm", "space-four-bar", "heavy-top"})
    for (const std::string formulation : {"aba", "crba", "nullspace"}) {
      const Ran ran = here.jounce("explain " + model(name) + " --formulation " + formulation + " --at 0.05");
      CHECK(ran.code == 0);
      std::istringstream in(ran.out);
      for (std::string line; std::getline(in, line);)
        CHECK_MESSAGE(std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }) <= 130, line);
    }
  std::string chain = "jounce = 1\nspace = \"3d\"\n";
  for (int k = 1; k <= 13; ++k) {
    const std::string n = std::to_string(k);
    chain += "[bodies.b" + n + "]\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n[joints.j" + n + "]\ntype = \"revolute\"\nparent = \"" +
             (k == 1 ? "ground" : "b" + std::to_string(k - 1)) + "\"\nchild = \"b" + n + "\"\n";
  }
  here.write("chain.toml", chain);
  CHECK(contains(here.jounce("explain chain.toml --formulation crba").out, "13 bodies, 13 dofs: with --json"));
  CHECK(here.jounce("explain chain.toml --formulation crba --json").json()["H"].size() == 13);
}

TEST_CASE("formulations that explain cannot show are refused with what was expected") {
  const Folder here;
  const Ran word = here.jounce("explain " + model("heavy-top") + " --formulation abba");
  CHECK(word.code == 2);
  CHECK(contains(word.err, "--formulation abba: expected 'kane', 'aba', 'crba', 'nullspace', 'method-1', 'method-2', 'method-3'"));
  const Ran two = here.jounce("explain " + model("furuta-pendulum") + " --formulation method-1 --json");
  CHECK(two.code == 2);
  CHECK(contains(two.err, "method-1: expected one body on one joint to the ground, found 2 joints"));
  CHECK(two.json()["problems"].size() == 1);
  CHECK(here.jounce("explain " + model("heavy-top") + " --formulation method-2").code == 0);
  CHECK(here.jounce("explain " + model("heavy-top") + " --formulation aba --lambda 1").code == 2);
}
