// Oracle: the mechanism records of planar.json (analytic motions, 50 digits), and the slider-crank table of references.md.
#include "vector_models.hpp"

namespace mechanisms_of_vectors_test {

using namespace jounce;
using namespace jounce::test;

namespace {

// After a run the records hold as closely as at the drawing: what the vectors ask for.
constexpr double kFollowed = 1e-12;

// f as an expression of the text `t`, which may itself be one.
std::string formula(const oracle::MechanismRecord& r, const std::string& fid, const std::string& t) {
  const oracle::DriverForm& d = r.driver;
  if (d.has_numbers)
    return text_of(d.c0) + " + " + text_of(d.c1) + "*" + t + " + " + text_of(d.c2) + "*sin(" + text_of(d.w) + "*" + t + ")";
  if (d.form.find("sec") != std::string::npos) return "1/cos(0.2 + 0.5*" + t + " + 0.1*sin(2*" + t + ")) - 0.25";
  if (fid == "g") return "0.1 + 0.3*" + t + " + 0.1*sin(2*" + t + ")";
  if (fid == "h") return "-2*(0.4*" + t + " + 0.2*sin(3*" + t + "))";
  FAIL("no formula for " << d.form);
  return {};
}

// The record as a model, drawn at q, its drivers running on the clock `t`.
Model model_of(const oracle::MechanismRecord& r, const std::vector<double>& q, const std::string& t) {
  Model m;
  const auto name = [&](std::size_t number) { return number == 0 ? std::string("ground") : "b" + r.bodies[number - 1]; };
  for (std::size_t b = 1; b <= r.bodies.size(); ++b) draw(m.body(name(b)), q[3 * b - 3], q[3 * b - 2], q[3 * b - 1]);
  int count = 0;
  for (const auto& c : r.constraints) {
    std::vector<std::string> bodies;
    for (const std::size_t number : c.bodies) bodies.push_back(name(number));
    add_constraint(m, "c" + std::to_string(count++), c.type, c.params, bodies, c.params.fid.empty() ? "" : formula(r, c.params.fid, t));
  }
  return m;
}

void check_row(const oracle::MechanismRecord& r, const KinematicsRun& run, std::size_t row, double tolerance) {
  static constexpr std::array<std::array<const char*, 3>, 5> columns{
      {{"x", "y", "phi"}, {"vx", "vy", "vphi"}, {"ax", "ay", "aphi"}, {"jx", "jy", "jphi"}, {"sx", "sy", "sphi"}}};
  for (std::size_t k = 0; k < 5; ++k)
    for (std::size_t i = 0; i < r.q[k].size(); ++i) {
      const std::string column = "b" + r.bodies[i / 3] + "." + columns[k][i % 3];
      CAPTURE(column);
      CHECK(std::abs(value(run, row, column) - r.q[k][i]) <= tolerance * r.scale);
    }
}

}  // namespace

TEST_CASE("the mechanism records are met up to snap at the time of the drawing") {
  // oracle: planar.json; the drawing is the record's position, a millimetre and a milliradian off
  CHECK(vectors().mechanisms.size() == 15);
  for (const auto& r : vectors().mechanisms) {
    CAPTURE(r.title);
    CAPTURE(r.t);
    std::vector<double> drawn = r.q[0];
    for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] += i % 2 == 0 ? 1e-3 : -1e-3;
    const PlaneMechanism mechanism = built(model_of(r, drawn, "(t + " + text_of(r.t) + ")"));
    const KinematicsRun run = kinematics(mechanism, {1e-3, 1, {}});
    REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
    check_row(r, run, 0, kSolved);
  }
}

TEST_CASE("the mechanism records are met up to snap at the end of a run") {
  // oracle: planar.json; the start at t = 0 is found by running the same mechanism backwards from the record
  for (const auto& r : vectors().mechanisms) {
    CAPTURE(r.title);
    CAPTURE(r.t);
    const KinematicsRun back = kinematics(built(model_of(r, r.q[0], "(" + text_of(r.t) + " - t)")), {r.t, 1, {}});
    REQUIRE_MESSAGE(back.outcome.done(), back.outcome.sentence);
    std::vector<double> start;
    for (const std::string& body : r.bodies)
      for (const char* c : {".x", ".y", ".phi"}) start.push_back(value(back, 1, "b" + body + c));
    for (const int steps : {1, 7}) {
      const KinematicsRun run = kinematics(built(model_of(r, start, "t")), {r.t, steps, {}});
      REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
      check_row(r, run, static_cast<std::size_t>(steps), kFollowed);
    }
  }
}

TEST_CASE("a slider-crank at 150 rad/s meets the reference digits") {
  // oracle: references.md, closed form to 20 digits
  Model m = slider_crank(0.15, 0.30, 0);
  motor(m, "motor", "ground", "crank", "150*t");
  const KinematicsRun run = kinematics(built(m), {0.1, 100, {}});
  REQUIRE(run.outcome.done());
  struct Reference {
    std::size_t row;
    std::array<double, 5> x, beta;
  };
  const std::array<Reference, 2> table{
      {{1,
        {0.44747704874204953639, -5.0293189265715171864, -4963.0403515156298289, 198499.81126712612999, 196810469.41385008177},
        {-0.074788766819260443474, -74.36571100574710418, 1271.5175741276753148, 1283221.9744640596254, 34787567.870688738355}},
       {100,
        {0.16974617650231903779, -8.7544686249773819339, 2166.9454029253682441, -175050.09839396049129, 7201622.4722899798825},
        {-0.3311639134648381762, 60.25032214593664943, 6487.959036484535544, -1540123.7269364051526, 55980510.359066351099}}}};
  static constexpr std::array x{"block.x", "block.vx", "block.ax", "block.jx", "block.sx"};
  static constexpr std::array beta{"rod.phi", "rod.vphi", "rod.aphi", "rod.jphi", "rod.sphi"};
  for (const auto& reference : table)
    for (std::size_t k = 0; k < 5; ++k) {
      // 1e-12 of the size of the k-th derivative: r ω^k and ω^k. At t = 0.1 the crank's angle itself is rounded: 15 · 1e-16.
      const double size = std::pow(150.0, double(k));
      CHECK(std::abs(value(run, reference.row, x[k]) - reference.x[k]) <= kSolved * 0.15 * size * 10);
      CHECK(std::abs(value(run, reference.row, beta[k]) - reference.beta[k]) <= kSolved * size * 10);
    }
}

}  // namespace mechanisms_of_vectors_test
