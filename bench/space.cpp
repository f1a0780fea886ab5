// Motions of space to snap: what jerk, snap and the rates of multipliers cost on top of the accelerations; a Stewart platform a
// sample.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <jounce/analysis/inverse.hpp>
#include <jounce/analysis/space_run.hpp>
#include <jounce/io/read_model.hpp>
#include <jounce/scalar/series.hpp>
#include <jounce/space/equations/equations.hpp>
#include <jounce/space/equations/orders.hpp>
#include <jounce/space/motion/driven_motion.hpp>
#include <jounce/tree/recursions/rnea.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "benchmarks.hpp"
#include "loop_rivals.hpp"
#include "measure.hpp"
#include "rival_links.hpp"

namespace {

jounce::SpaceMechanism built_in_space(const std::string& text) {
  auto mechanism = jounce::build_space(jounce::parse_model(text, "bench.toml").model);
  if (!mechanism.ok()) std::fputs(jounce::text(mechanism.problems()).c_str(), stderr), std::abort();
  return *std::move(mechanism);
}

jounce::SpaceMechanism shipped(const std::string& name) {
  std::ifstream in(std::string(JOUNCE_SOURCE_DIR) + "/models/" + name + "/model.toml");
  return built_in_space({std::istreambuf_iterator<char>(in), {}});
}

std::string text_of(double x) { return jounce::Text(x).text; }

// Rods of 0.2 m end to end, hinged about z, y, z, y, … or on balls.
jounce::SpaceMechanism chain(int rods, bool balls) {
  std::string out = "jounce = 1\nname = \"chain\"\nspace = \"3d\"\ngravity = [0, 0, -9.81]\n";
  for (int k = 0; k < rods; ++k) {
    const std::string n = std::to_string(k);
    out += "[bodies.rod" + n + "]\nmass = 1\ncom = [0.1, 0, 0]\ninertia = [2e-4, 0.0034, 0.0034, 0, 0, 0]\n[joints.j" + n +
           "]\ntype = \"" + (balls ? "spherical" : "revolute") + "\"\nparent = \"" +
           (k == 0 ? "ground" : "rod" + std::to_string(k - 1)) + "\"\nchild = \"rod" + n + "\"\n" +
           (k == 0 ? "" : "origin = { xyz = [0.2, 0, 0] }\n") +
           (balls ? "v = [0.3, -0.2, 0.5]\n"
                  : std::string("axis = ") + (k % 2 == 0 ? "[0, 0, 1]" : "[0, 1, 0]") + "\nq = [0.3]\nv = [0.4]\n");
  }
  return built_in_space(out);
}

// A plate on six legs, each with a cross on the ground and a ball on the plate. Legs are driven, or as they please.
jounce::SpaceMechanism stewart(bool driven) {
  std::string points, parts;
  for (int k = 0; k < 6; ++k) {
    const std::string n = std::to_string(k);
    const double third = 2 * std::numbers::pi / 3 * (k / 2), side = k % 2 == 0 ? 1 : -1;
    const std::array foot{std::cos(third + 0.15 * side), std::sin(third + 0.15 * side)},
        top{0.6 * std::cos(third + 0.85 * side), 0.6 * std::sin(third + 0.85 * side)};
    const double x = top[0] - foot[0], y = top[1] - foot[1], height = 1.2, length = std::hypot(x, y, height);
    points += std::string(k == 0 ? "" : ", ") + "P" + n + " = [" + text_of(top[0]) + ", " + text_of(top[1]) + ", 0]";
    parts += "[bodies.low" + n + "]\nmass = 0.5\ncom = [0, 0, 0.3]\ninertia = [0.01, 0.01, 0.001, 0, 0, 0]\n[bodies.high" + n +
             "]\nmass = 0.3\ncom = [0, 0, -0.2]\ninertia = [0.005, 0.005, 5e-4, 0, 0, 0]\npoints = { E = [0, 0, 0] "
             "}\n[joints.cross" +
             n + "]\ntype = \"universal\"\nparent = \"ground\"\nchild = \"low" + n + "\"\norigin = { xyz = [" +
             text_of(foot[0]) + ", " + text_of(foot[1]) + ", 0] }\nq = [" + text_of(std::atan2(-y, height)) + ", " +
             text_of(std::asin(x / length)) + "]\n[joints.leg" + n + "]\ntype = \"prismatic\"\nparent = \"low" + n +
             "\"\nchild = \"high" + n + "\"\n" +
             (driven ? "dofs = [ { motion = \"" + text_of(length) + " + 0.1*sin(" + std::to_string(k + 1) + "*t)\" } ]\n"
                     : "q = [" + text_of(length) + "]\n") +
             "[loops.ball" + n + "]\ntype = \"spherical\"\ni = \"high" + n + ".E\"\nj = \"plate.P" + n + "\"\n";
  }
  return built_in_space(
      "jounce = 1\nname = \"stewart\"\nspace = \"3d\"\ngravity = [0, 0, -9.81]\n[bodies.plate]\nmass = 2\ninertia = [0.3, 0.3, "
      "0.5, 0, 0, 0]\npoints = { " +
      points + " }\n[joints.fly]\ntype = \"free\"\nparent = \"ground\"\nchild = \"plate\"\nq = [1, 0, 0, 0, 0, 0, 1.2]\n" +
      parts);
}

void snap_over_acceleration(const char* name, const jounce::SpaceMechanism& mechanism) {
  jounce::SpaceEquations equations(mechanism);
  jounce::SpaceOrders orders(equations);
  std::vector<double> a(mechanism.v.size());
  const auto accelerate = [&] {
    if (equations.solve(0, mechanism.q, mechanism.v, a)) std::abort();
  };
  const auto to_snap = [&] {
    accelerate();
    if (orders.find(jounce::SpaceOrders::After::solve, 0, mechanism.q, mechanism.v, a)) std::abort();
  };
  accelerate();
  equations.fix_ranks(equations.known_ranks());  // as a run does at its start
  double acceleration = 1e300, snap = 1e300;
  for (int round = 0; round < 5; ++round) {  // in turn: what else the machine does hits both alike
    acceleration = std::min(acceleration, time_of(accelerate, 0.02, 2));
    snap = std::min(snap, time_of(to_snap, 0.02, 2));
  }
  const long before = allocations();
  to_snap();
  std::printf("%-34s %5zu dofs | %9.2f us | %9.2f us | %6.2f | %ld\n", name, mechanism.v.size(), 1e6 * acceleration, 1e6 * snap,
              snap / acceleration, allocations() - before);
}

// ---- beside others -------------------------------------------------------------------------------------------------

// The free platform in plain numbers: points E of the legs on points P of the plate.
[[maybe_unused]] RivalLoops plain_loops(const jounce::SpaceMechanism& mechanism) {
  RivalLoops out{plain(mechanism.tree), {}};
  for (const jounce::SpaceLoop& loop : mechanism.loops) {
    const auto end = [&](int body, const jounce::Frame<double>& frame) {
      const jounce::Vec3<double> at = (mechanism.bodies[static_cast<std::size_t>(body)].frame * frame).origin;
      return std::array{at.x, at.y, at.z};
    };
    out.balls.push_back({mechanism.bodies[static_cast<std::size_t>(loop.i)].link,
                         mechanism.bodies[static_cast<std::size_t>(loop.j)].link, end(loop.i, loop.frame_i),
                         end(loop.j, loop.frame_j)});
  }
  return out;
}

// In turn, the same state for all, moving as its loops allow.
void platform_beside_others() {
  const jounce::SpaceMechanism mechanism = stewart(false);
  jounce::SpaceEquations equations(mechanism);
  std::vector<double> q = mechanism.q, v(mechanism.v.size()), a(v.size());
  for (std::size_t dof = 0; dof < v.size(); ++dof) v[dof] = 0.3 * std::cos(1.0 + static_cast<double>(dof));
  (void)equations.project_position(q);
  (void)equations.project_velocity(q, v);
  if (equations.solve(0, q, v, a)) std::abort();
  equations.fix_ranks(equations.known_ranks());
  struct Runner {
    std::string name;
    std::function<void()> run;
    double seconds = 1e300, off = 0;
  };
  std::vector<Runner> runners{{"Jounce, accelerations, multipliers and all wrenches", [&] {
                                 if (equations.solve(0, q, v, a)) std::abort();
                               }}};
  std::vector<std::unique_ptr<LoopRival>> rivals;
#ifdef JOUNCE_BENCH_PINOCCHIO
  rivals.push_back(open_loops_in_pinocchio(plain_loops(mechanism)));
#endif
#ifdef JOUNCE_BENCH_MUJOCO
  rivals.push_back(open_loops_in_mujoco(plain_loops(mechanism)));
#endif
  for (const auto& rival : rivals) {
    rival->set_state(q, v);
    for (int way = 0; way < static_cast<int>(rival->ways().size()); ++way) {
      Runner& to = runners.emplace_back(Runner{rival->name() + ", " + rival->ways()[static_cast<std::size_t>(way)],
                                               [&rival = *rival, way] { rival.run(way); }});
      to.run();
      double most = 0;
      const std::vector<double> found = rival->acceleration();
      for (std::size_t dof = 0; dof < a.size(); ++dof)
        most = std::max(most, std::abs(a[dof])), to.off = std::max(to.off, std::abs(found[dof] - a[dof]));
      to.off /= most;
    }
  }
  for (int round = 0; round < 15; ++round)
    for (Runner& runner : runners) runner.seconds = std::min(runner.seconds, time_of(runner.run, 0.01, 1));
  std::printf("\nthe free Stewart platform beside others, accelerations and multipliers at one state, moving\n");
  for (const Runner& runner : runners)
    std::printf("%-60s %8.2f us   accelerations differ by %.0e of the largest\n", runner.name.c_str(), 1e6 * runner.seconds,
                runner.off);
}

// What a step by Taylor series could cost at the least: the recursion of forces once through series of its order. Orders found
// one by one take that together, and a solution with the inertias each on top.
template <int K>
double series_over_acceleration(const jounce::SpaceMechanism& mechanism, double acceleration) {
  using S = jounce::Series<K>;
  const jounce::tree::Tree& tree = mechanism.tree;
  std::vector<S> q(mechanism.q.begin(), mechanism.q.end()), v(mechanism.v.begin(), mechanism.v.end()), a(v.size()),
      tau(v.size());
  for (S& x : q) x[1] = 0.4;
  jounce::tree::Workspace<S> work(tree);
  return time_of([&] { jounce::tree::rnea<S>(tree, work, q.data(), v.data(), a.data(), tau.data()); }, 0.02, 3) / acceleration;
}

void taylor_at_the_least(const char* name, const jounce::SpaceMechanism& mechanism) {
  jounce::SpaceEquations equations(mechanism);
  std::vector<double> a(mechanism.v.size());
  const double acceleration = time_of([&] { (void)equations.solve(0, mechanism.q, mechanism.v, a); }, 0.02, 5);
  std::printf("%-34s | %8.0f | %8.0f | %8.0f | %8.0f\n", name, series_over_acceleration<8>(mechanism, acceleration),
              series_over_acceleration<12>(mechanism, acceleration), series_over_acceleration<16>(mechanism, acceleration),
              series_over_acceleration<20>(mechanism, acceleration));
}

}  // namespace

void bench_space() {
  std::printf("forward dynamics at a state: accelerations and multipliers; all orders to snap with rates of multipliers\n");
  std::printf("%-34s %10s | %12s | %12s | %6s | allocations\n", "", "", "acceleration", "to snap", "ratio");
  snap_over_acceleration("arm of seven hinges", shipped("seven-joint-arm"));
  snap_over_acceleration("chain of 20 hinges", chain(20, false));
  snap_over_acceleration("chain of 100 hinges", chain(100, false));
  snap_over_acceleration("chain of 20 balls", chain(20, true));
  snap_over_acceleration("four-bar", shipped("space-four-bar"));
  snap_over_acceleration("Bricard's loop", shipped("bricard-loop"));
  snap_over_acceleration("Stewart platform", stewart(false));
  platform_beside_others();
  std::printf("\na Stewart platform on six driven legs, a sample\n");
  const jounce::SpaceMechanism driven = stewart(true);
  jounce::SpaceDrivenMotion motion(driven, 4);
  std::vector<double> q = driven.q, ways(4 * driven.v.size());
  double t = 0;
  const double sample = time_of(
      [&] {
        t += 1e-3;
        if (motion.position(t, q) != jounce::DrivenMotion::Solved::yes) std::abort();
        motion.orders(ways);
      },
      0.02, 3);
  std::printf("position to snap %.1f us\n", 1e6 * sample);
  const auto start = Clock::now();
  const jounce::KinematicsRun run = jounce::inverse(driven, {.to = 1, .steps = 1000, .columns = {"t"}});
  std::printf("inverse dynamics, reactions and rows of %zu samples: %.1f us a sample\n", run.results.rows(),
              1e6 * seconds_since(start) / static_cast<double>(run.results.rows()));
  std::printf(
      "\nTaylor series: the recursion of forces through series of an order, in accelerations (a step of dop853 takes 12, with "
      "what is rejected about 15)\n");
  std::printf("%-34s | %8s | %8s | %8s | %8s\n", "", "order 8", "12", "16", "20");
  taylor_at_the_least("arm of seven hinges", shipped("seven-joint-arm"));
  taylor_at_the_least("chain of 20 hinges", chain(20, false));
  taylor_at_the_least("chain of 100 hinges", chain(100, false));
}
