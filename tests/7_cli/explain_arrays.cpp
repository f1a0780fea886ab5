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

TEST_CASE("Kane's arrays of a model in space are printed and in JSON") {
  // oracle: M is H of composite bodies; M q'' = f
  const Folder here;
  const std::string furuta = model("furuta-pendulum");
  const Ran ran = here.jounce("explain " + furuta + " --formulation kane");
  CHECK(ran.code == 0);
  for (const char* part : {"by Kane's method", "W_pd x", "V_pd z", "A4 y", "ω × I ω", "F_in", "M_in", "M motor", "f_ext"}) CHECK_MESSAGE(contains(ran.out, part), part, ran.out);
  const Json kane = here.jounce("explain " + furuta + " --formulation kane --json").json();
  const Json crba = here.jounce("explain " + furuta + " --formulation crba --json").json();
  for (std::size_t r = 0; r < 2; ++r) {
    double sum = -kane["f"][r].get<double>();
    for (std::size_t c = 0; c < 2; ++c) {
      CHECK(std::abs(kane["M"][r][c].get<double>() - crba["H"][r][c].get<double>()) < 1e-16);
      sum += kane["M"][r][c].get<double>() * kane["qdd"][c].get<double>();
    }
    CHECK(std::abs(sum) < 1e-14);
  }
}

TEST_CASE("explain of a loop in space shows every right-hand side, and forces with their rates") {
  // oracle: K j = eta and K s = sigma, from the same JSON; l' is the rate of l
  const Folder here;
  const Json json = here.jounce("explain " + model("space-four-bar") + " --json --at 0.2").json();
  const Json& loop = json["closures"][0];
  for (std::size_t r = 0; r < 5; ++r) {
    double eta = -loop["eta"][r].get<double>(), sigma = -loop["sigma"][r].get<double>();
    for (std::size_t dof = 0; dof < 3; ++dof) {
      eta += loop["K"][r][dof].get<double>() * json["joints"][dof]["j"][0].get<double>();
      sigma += loop["K"][r][dof].get<double>() * json["joints"][dof]["s"][0].get<double>();
    }
    CHECK(std::abs(eta) < 1e-8);
    CHECK(std::abs(sigma) < 1e-6);
  }
  CHECK(loop["lambda_rate"].size() == 5);
  const Ran text = here.jounce("explain " + model("space-four-bar") + " --at 0.2");
  for (const char* part : {"K j = η", "  ν ", "  γ ", "  η ", "  σ ", "  λ ", "  λ' "}) CHECK_MESSAGE(contains(text.out, part), part);
}

TEST_CASE("rates of forces are columns on demand") {
  // oracle: the columns that the guide names
  const Folder here;
  const Ran usual = here.jounce("dynamics " + model("bushing-bars") + " --to 0.1 --steps 2 -o -");
  CHECK_FALSE(contains(usual.out.substr(0, usual.out.find('\n')), "f_rate"));
  const Ran ran = here.jounce("dynamics " + model("bushing-bars") + " --to 0.1 --steps 2 --columns \"*.f_rate,*.Q*\" -o -");
  CHECK(ran.code == 0);
  const std::string head = ran.out.substr(0, ran.out.find('\n'));
  CHECK(contains(head, ".f_rate"));
  CHECK(contains(head, ".Qphi_rate"));
  CHECK(ran.csv().rows == 3);
}
