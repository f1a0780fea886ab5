// What expressions over the mechanism cost: one spring, built in, as an expression of its own length, and as components of a force. And what watching a stop
// costs that is never touched.
#include <cstdio>
#include <jounce/jounce.hpp>
#include <string>

#include "benchmarks.hpp"
#include "measure.hpp"

namespace {

const std::string kPlane =
    "jounce = 1\ngravity = [0, -9.81]\n[ground]\npoints = { A = [0, 0] }\n"
    "[bodies.ball]\nmass = 2\ninertia = 0.01\nposition = [0.3, -0.4]\npoints = { P = [0.1, 0] }\n";
const std::string kSpace =
    "jounce = 1\nspace = \"3d\"\ngravity = [0, -9.81, 0]\n[ground]\npoints = { A = [0, 0, 0] }\n"
    "[bodies.ball]\nmass = 2\ninertia = [0.01, 0.02, 0.03, 0, 0, 0]\npoints = { P = [0.1, 0, 0] }\n"
    "[joints.air]\ntype = \"free\"\nparent = \"ground\"\nchild = \"ball\"\nq = [1, 0, 0, 0, 0.3, -0.4, 0.2]\n";
const std::string kBuiltIn = "[forces.s]\ntype = \"spring\"\ni = \"ground.A\"\nj = \"ball.P\"\nfree_length = 0.5\nstiffness = 300\n";
const std::string kOwnLength =
    "[forces.s]\ntype = \"spring\"\ni = \"ground.A\"\nj = \"ball.P\"\nfree_length = 0.5\nstiffness = 0\nactuator = \"300*(l - 0.5)\"\n";
const std::string kStop = "[stops.floor]\nof = \"ball.y\"\nmin = -50\n";

std::string components(const char* axes) {
  std::string out = "[measures]\nl = \"distance(ground.A, ball.P)\"\n[forces.s]\ntype = \"force\"\non = \"ball.P\"\nvalue = [";
  for (const char* axis = axes; *axis != 0; ++axis) out += std::string(axis == axes ? "" : ", ") + "\"-300*(l - 0.5)*ball.P." + *axis + "/l\"";
  return out + "]\n";
}

double seconds_for(const std::string& toml, jounce::Method method) {
  const auto mechanism = jounce::Mechanism::from_text(toml, "bench.toml");
  if (!mechanism) return std::printf("%s\n", jounce::text(mechanism.problems()).c_str()), 0.0;
  return time_of([&] { (void)jounce::dynamics(*mechanism, {.to = 10, .steps = 1, .method = method}); });
}

}  // namespace

void bench_expressions() {
  std::printf("10 s of a ball on a spring, ms; and how many times the built-in spring\n\n");
  std::printf("        method |  built in | of its length |  components |  with a stop\n");
  const auto row = [](const char* where, const std::string& base, const char* axes, jounce::Method method) {
    const double built_in = seconds_for(base + kBuiltIn, method), of_length = seconds_for(base + kOwnLength, method);
    const double by_components = seconds_for(base + components(axes), method), stopped = seconds_for(base + kBuiltIn + kStop, method);
    std::printf(" %s %7s | %9.3f | %6.3f  %4.2f | %6.3f %4.2f | %6.3f  %4.2f\n", where, std::string(word(method)).c_str(), 1e3 * built_in, 1e3 * of_length,
                of_length / built_in, 1e3 * by_components, by_components / built_in, 1e3 * stopped, stopped / built_in);
  };
  for (const jounce::Method method : {jounce::Method::taylor, jounce::Method::dop853, jounce::Method::radau}) row("plane", kPlane, "xy", method);
  for (const jounce::Method method : {jounce::Method::dop853, jounce::Method::radau}) row("space", kSpace, "xyz", method);
}
