// jounce types, jounce schema and jounce explain.
#include "cli_test.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/io/schema.hpp"

using namespace jounce;

TEST_CASE("types lists every type of the interface, and a name of two groups shows both") {
  // oracle: section 2 of the interface
  const Folder here;
  const Ran ran = here.jounce("types");
  CHECK(ran.code == 0);
  for (const char* type :
       {"revolute", "distance", "parallel", "pin-in-slot", "translational", "weld", "gear", "gear-on-arm", "coordinate",
        "rolling", "angle", "slot-distance", "force", "moment", "spring", "torsion-spring", "motor", "bushing", "bar", "disc", "box",
        "prismatic", "helical", "cylindrical", "planar", "translation", "universal", "gimbal", "spherical", "free", "fixed",
        "custom", "wrench", "coupling", "rod", "cylinder", "sphere"}) {
    CHECK_MESSAGE(contains(ran.out, std::string("\n  ") + type + " "), type);
    CHECK(here.jounce(std::string("types ") + type).code == 0);
  }
  const Ran both = here.jounce("types distance");
  CHECK(contains(both.out, "[joints.NAME]"));
  CHECK(contains(both.out, "[drivers.NAME]"));
  CHECK(here.jounce("types coordinate --json").json()["types"].size() == 2);
  const Ran spaces = here.jounce("types revolute");
  CHECK(contains(spaces.out, "revolute  joint in the plane, 2 equations\n"));
  CHECK(contains(spaces.out, "revolute  joint in space, 1 dof\n"));
  CHECK(contains(spaces.out, "revolute  loop in space, 5 equations\n"));
  for (const char* key : {"stiffness", "damping", "rest", "torque", "motion"})
    CHECK(contains(spaces.out, std::string("\n  ") + key));
  for (const char* title : {"joints in the plane\n", "\njoints in space\n", "\nloops in space\n", "\ncouplings in space\n"})
    CHECK_MESSAGE(contains(ran.out, title), title);
  const Ran typo = here.jounce("types revolut");
  CHECK(typo.code == 2);
  CHECK(typo.out.empty());
  CHECK(contains(typo.err, "did you mean 'revolute'?"));
}

TEST_CASE("the section shown for a type can be pasted into a model") {
  // oracle: the reader accepts a model with the names the sections use
  const Folder here;
  const Json all = here.jounce("types --json").json();
  for (const Json& type : all["types"]) {
    if (type["space"] != "plane") continue;
    const std::string name = type["group"].get<std::string>() + " " + type["type"].get<std::string>();
    CAPTURE(name);
    std::string snippet = type["snippet"];
    if (const auto at = snippet.find("NAME"); at != snippet.npos) snippet.replace(at, 4, "pasted");
    const bool shape = type["group"] == "shape";
    here.write("m.toml", "jounce = 1\n[ground]\npoints = { O = [0, 0], P = [0, 0.1], Q = [1, 0.1] }\n[bodies.crank]\n"
                         "angle = 0.3\nmass = 1\npoints = { A = [0.1, 0.2], B = [0.4, 0.1] }\n" +
                             (shape ? snippet : "") +
                             "[bodies.slider]\nposition = [0.5, 0.1]\npoints = { C = [0, 0], F = [0.1, 0] }\n" +
                             (shape ? "" : snippet));
    const Ran ran = here.jounce("check m.toml");
    CHECK_MESSAGE(ran.code != 2, snippet << ran.err);
  }
}

TEST_CASE("the section shown for a type in space can be pasted into a model, also with its optional keys") {
  // oracle: the reader finds nothing wrong
  const Json all = Folder().jounce("types --json").json();
  int count = 0;
  for (const Json& type : all["types"]) {
    if (type["space"] != "3d") continue;
    const std::string snippet = type["snippet"];
    std::string whole = snippet;
    std::erase(whole, '#');
    const std::string head = "jounce = 1\nspace = \"3d\"\n";
    const std::string body = type["group"] == "shape" ? "[bodies.arm]\n" : "";
    for (const std::string& text : {snippet, whole}) {
      const Problems problems = parse_model(head + body + text, "m.toml").problems;
      CHECK_MESSAGE(problems.empty(), text << jounce::text(problems));
    }
    ++count;
  }
  CHECK(count >= 12 + 11 + 4 + 4 + 1);  // joints, loops, forces, shapes, the coupling
}

TEST_CASE("schema prints the schema of the library") {
  // oracle: the library's text
  const Ran ran = Folder().jounce("schema");
  CHECK(ran.code == 0);
  CHECK(ran.json() == Json::parse(model_schema()));
}

TEST_CASE("explain gives numbers that satisfy the equations it explains") {
  // oracle: phi = 0 and the sums over the bodies: phi_q q' = nu, phi_q q'' = gamma, phi_q q''' = eta, phi_q q'''' = sigma;
  // the lever's jerk and snap in 50-digit arithmetic
  const Folder here;
  const Json json = here.jounce("explain --json --at 0.25 " + model("quick-return")).json();
  CHECK(json["t"] == 0.25);
  Json state;
  for (const Json& body : json["bodies"]) state[body["name"].get<std::string>()] = body["q"];
  CHECK(std::abs(state["lever"][3][2].get<double>() - -3.693411351706726) < round_off(1e3));
  CHECK(std::abs(state["lever"][4][2].get<double>() - 11.131343776246269) < round_off(1e3, 11));
  const std::vector<std::string> sides{"phi", "nu", "gamma", "eta", "sigma"};
  for (const Json& c : json["constraints"]) {
    CAPTURE(c["name"].get<std::string>());
    for (std::size_t row = 0; row < c["phi"].size(); ++row) {
      CHECK(std::abs(c["phi"][row].get<double>()) < round_off(64));
      for (std::size_t k = 1; k < sides.size(); ++k) {
        double sum = 0, size = 1;
        for (const auto& [body, block] : c["phi_q"].items())
          for (std::size_t i = 0; i < 3; ++i) {
            const double term = block[row][i].get<double>() * state[body][k][i].get<double>();
            sum += term, size = std::max(size, std::abs(term));
          }
        CHECK(std::abs(sum - c[sides[k]][row].get<double>()) < round_off(1e3, size));
      }
    }
  }
}

TEST_CASE("explain takes multipliers, one for each equation, and kappa is linear in them") {
  // oracle: kappa(2 lambda) = 2 kappa(lambda), exactly in binary; a wrong count is refused
  const Folder here;
  const std::string command = "explain --json --at 0.1 " + model("four-bar");
  const Json one = here.jounce(command + " --lambda 1,2,3,4,5,6,7,8,9").json();
  const Json two = here.jounce(command + " --lambda '2*1, 4,6,8,10,12,14,16,18'").json();
  bool some = false;
  for (std::size_t c = 0; c < one["constraints"].size(); ++c)
    for (const auto& [body, kappa] : one["constraints"][c]["kappa"].items())
      for (std::size_t i = 0; i < 3; ++i) {
        some = some || kappa[i] != 0.0;
        CHECK(two["constraints"][c]["kappa"][body][i].get<double>() == 2 * kappa[i].get<double>());
      }
  CHECK(some);
  CHECK(here.jounce(command + " --lambda 1,2").code == 2);
  CHECK(here.jounce(command + " --at 1").code == 2);
  CHECK(here.jounce("explain --at=-1 " + model("four-bar")).code == 2);
}

TEST_CASE("explain shows every constraint in words, and which point x and y belong to") {
  // oracle: the names of the model
  const Ran ran = Folder().jounce("explain " + model("four-bar"));
  CHECK(ran.code == 0);
  for (const char* part : {"centre of mass", "body 'crank'", "joint 'crank-pin'  revolute", "driver 'motor'  angle", "Φ ", "ν ",
                           "γ ", "η ", "σ ", "κ "})
    CHECK_MESSAGE(contains(ran.out, part), part);
}

TEST_CASE("explain beyond a dead point exits with 1") {
  // oracle: the dead centre at t = 2
  const Folder here;
  here.write("m.toml", kDeadCentre);
  const Ran ran = here.jounce("explain m.toml --at 2.5");
  CHECK(ran.code == 1);
  CHECK(ran.out.empty());
  CHECK(contains(ran.err, "dead point"));
  CHECK(here.jounce("explain m.toml --at 1.5").code == 0);
}
