// N four-bars in space, side by side and each on the rocker of the one before: what one loop costs, alone and among a thousand, beside the plane.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <jounce/analysis/dynamics.hpp>
#include <jounce/analysis/space_run.hpp>
#include <jounce/io/read_model.hpp>
#include <jounce/plane/equations/equations_of_motion.hpp>
#include <jounce/space/equations/equations.hpp>
#include <jounce/space/motion/driven_motion.hpp>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks.hpp"
#include "measure.hpp"

namespace {

// Crank, coupler and rocker on a ground of 1 m, rods of 1 kg/m, and angles that close the loop.
constexpr double kCrank = 0.3, kCoupler = 0.9, kRocker = 0.7;
constexpr double kCrankAngle = 1.0, kCouplerAngle = 0.5176179771777364, kRockerAngle = 1.6506082348163227;

std::string number(double x) { return jounce::Text(x).text; }

struct Kind {
  const char* name;
  bool chain, driven;
};

std::string body_in_space(const std::string& name, double length) {
  const std::string about = number(length * length * length / 12);
  return "[bodies." + name + "]\nmass = " + number(length) + "\ncom = [" + number(length / 2) + ", 0, 0]\ninertia = [1e-3, " + about + ", " + about +
         ", 0, 0, 0]\npoints = { B = { xyz = [" + number(length) + ", 0, 0], rpy = [\"90*deg\", 0, 0] } }\n";
}

jounce::SpaceMechanism in_space(int count, const Kind& kind) {
  std::string text = "jounce = 1\nname = \"N four-bars\"\nspace = \"3d\"\ngravity = [0, 0, -9.81]\n";
  const auto hinge = [&](const std::string& name, const std::string& parent, const std::string& child, double x, double y, double q, bool driven) {
    text += "[joints." + name + "]\ntype = \"revolute\"\nparent = \"" + parent + "\"\nchild = \"" + child + "\"\norigin = { xyz = [" + number(x) + ", " + number(y) +
            ", 0] }\naxis = [0, -1, 0]\nq = [" + number(q) + "]\n" + (driven ? "dofs = [ { motion = \"1 + 0.2*t\" } ]\n" : "");
  };
  for (int k = 0; k < count; ++k) {
    const std::string n = std::to_string(k), base = kind.chain && k > 0 ? "rocker" + std::to_string(k - 1) : "ground";
    const double x = base == "ground" ? 0 : 0.1, y = kind.chain ? 0 : 2.0 * k;
    text += body_in_space("crank" + n, kCrank) + body_in_space("coupler" + n, kCoupler) + body_in_space("rocker" + n, kRocker);
    hinge("O" + n, base, "crank" + n, x, y, kCrankAngle, kind.driven);
    hinge("A" + n, "crank" + n, "coupler" + n, kCrank, 0, kCouplerAngle - kCrankAngle, false);
    hinge("Q" + n, base, "rocker" + n, x + 1, y, kRockerAngle, false);
    text += "[loops.L" + n + "]\ntype = \"revolute\"\ni = \"coupler" + n + ".B\"\nj = \"rocker" + n + ".B\"\n";
  }
  auto mechanism = jounce::build_space(jounce::parse_model(text, "bench.toml").model);
  if (!mechanism.ok()) std::fputs(jounce::text(mechanism.problems()).c_str(), stderr), std::abort();
  return *std::move(mechanism);
}

jounce::PlaneMechanism in_plane(int count, const Kind& kind) {
  jounce::Model m;
  m.gravity = {0.0, -9.81};
  double x = 0, y = 0, phi = 0;  // of what the next loop stands on
  const auto add = [&](const std::string& name, double length, double at_x, double at_y, double angle) -> jounce::Body& {
    jounce::Body& b = m.body(name);
    b.position = std::vector<jounce::Text>{at_x, at_y};
    b.angle = jounce::Text(angle);
    b.mass = jounce::Text(length), b.inertia = jounce::Text(length * length * length / 12), b.com = std::vector<jounce::Text>{length / 2, 0.0};
    return b.point("A", 0.0, 0.0).point("B", length, 0.0);
  };
  const auto pin = [&](const std::string& name, const std::string& i, const std::string& j) { m.joint(name, "revolute").set("i", jounce::Text(i)).set("j", jounce::Text(j)); };
  for (int k = 0; k < count; ++k) {
    const std::string n = std::to_string(k), next = std::to_string(k + 1), base = kind.chain && k > 0 ? "rocker" + std::to_string(k - 1) : "ground";
    const double from = kind.chain ? (k > 0 ? 0.1 : 0) : 2.0 * k, c = std::cos(phi), s = std::sin(phi);
    if (base == "ground") m.ground.point("O" + n, from, 0.0).point("Q" + n, from + 1, 0.0);
    const double ox = x + from * c, oy = y + from * s;
    add("crank" + n, kCrank, ox, oy, phi + kCrankAngle);
    add("coupler" + n, kCoupler, ox + kCrank * std::cos(phi + kCrankAngle), oy + kCrank * std::sin(phi + kCrankAngle), phi + kCouplerAngle);
    jounce::Body& rocker = add("rocker" + n, kRocker, ox + c, oy + s, phi + kRockerAngle);
    rocker.point("O" + next, 0.1, 0.0).point("Q" + next, 1.1, 0.0);
    if (kind.chain) x = ox + c, y = oy + s, phi += kRockerAngle;
    pin("o" + n, base + ".O" + n, "crank" + n + ".A"), pin("a" + n, "crank" + n + ".B", "coupler" + n + ".A");
    pin("b" + n, "coupler" + n + ".B", "rocker" + n + ".B"), pin("q" + n, base + ".Q" + n, "rocker" + n + ".A");
  }
  return built(m);
}

// Seconds: accelerations with multipliers at a state; a step of a run, with a row in four; in the plane the same.
struct Costs {
  double solve = 1e300, step = 1e300, plane_solve = 1e300, plane_step = 1e300;
};

Costs costs_of(int count, const Kind& kind) {
  const jounce::SpaceMechanism space = in_space(count, kind);
  const jounce::PlaneMechanism plane = in_plane(count, kind);
  jounce::SpaceEquations equations(space);
  std::vector<double> a(space.v.size());
  jounce::EquationsOfMotion motion(plane.system, 2);
  const std::vector<double> still(plane.drawn.size());
  const auto one = [&](auto& mechanism) {
    const auto start = Clock::now();
    const jounce::DynamicsRun run = jounce::dynamics(mechanism, {.to = 0.02, .steps = 4});
    if (!run.outcome.done()) std::fputs((run.outcome.sentence + "\n").c_str(), stderr);
    return seconds_since(start) / static_cast<double>(std::max(1L, run.statistics.steps));
  };
  Costs out;
  for (int round = 0; round < 3; ++round) {  // in turn: what else the machine does hits them alike
    out.solve = std::min(out.solve, time_of([&] { (void)equations.solve(0, space.q, space.v, a); }, 0.02, 2));
    out.plane_solve = std::min(out.plane_solve, time_of([&] {
                                 (void)motion.set_time(0, 2);
                                 motion.set_position(plane.drawn);
                                 motion.factor(false);
                                 motion.set_velocity(still);
                                 (void)motion.expand(2);
                               }, 0.02, 2));
    out.step = std::min(out.step, one(space));
    out.plane_step = std::min(out.plane_step, one(plane));
  }
  return out;
}

// One position with all orders to snap, every crank driven.
double sample_of(int count, const Kind& kind) {
  const jounce::SpaceMechanism mechanism = in_space(count, kind);
  jounce::SpaceDrivenMotion motion(mechanism, 4);
  std::vector<double> q = mechanism.q, ways(4 * mechanism.v.size());
  double t = 0;
  return time_of([&] {
    t += 1e-4;
    if (motion.position(t, q) != jounce::DrivenMotion::Solved::yes) std::abort();
    motion.orders(ways);
  }, 0.02, 3);
}

void print(const Kind& kind) {
  std::printf("%s\n%6s | %9s %8s | %9s %8s | %9s %8s | %9s %8s\n", kind.name, "", "solve", "vs N=1", "step", "vs N=1", "plane", "space/", "pl. step", "space/");
  std::printf("%6s | %9s %8s | %9s %8s | %9s %8s | %9s %8s\n", "N", "us/loop", "", "us/loop", "", "us/loop", "plane", "us/loop", "plane");
  std::optional<Costs> first;
  for (const int count : {1, 10, 100, 300, 1000}) {
    const Costs c = costs_of(count, kind);
    if (!first) first = c;
    const auto each = [&](double seconds) { return 1e6 * seconds / count; };
    std::printf("%6d | %9.2f %8.2f | %9.1f %8.2f | %9.3f %8.1f | %9.2f %8.1f\n", count, each(c.solve), c.solve / count / first->solve, each(c.step),
                c.step / count / first->step, each(c.plane_solve), c.solve / c.plane_solve, each(c.plane_step), c.step / c.plane_step);
  }
  std::printf("\n");
}

}  // namespace

void bench_loops() {
  std::printf("solve: accelerations and multipliers at a state. step: a step of dop853 (in the plane: of a series) with its share of rows and of the start.\n\n");
  print({"N four-bars side by side, redundant: five equations each, of which two say something", false, false});
  print({"N four-bars, each on the rocker of the one before", true, false});
  std::printf("driven, position to snap\n%6s | %12s %8s | %12s %8s\n", "N", "side us/loop", "vs N=1", "chain us/loop", "vs N=1");
  double side = 0, chain = 0;
  for (const int count : {1, 10, 100, 300, 1000}) {
    const double a = sample_of(count, {"", false, true}) / count, b = sample_of(count, {"", true, true}) / count;
    if (count == 1) side = a, chain = b;
    std::printf("%6d | %12.2f %8.2f | %12.2f %8.2f\n", count, 1e6 * a, a / side, 1e6 * b, b / chain);
  }
}
