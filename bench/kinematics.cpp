// Kinematics: everything at one output time, position to snap, of one four-bar and of chains of them.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <jounce/analysis/run/extrapolate.hpp>
#include <jounce/plane/motion/driven_motion.hpp>
#include <jounce/analysis/assembly/assembly.hpp>
#include <jounce/analysis/kinematics.hpp>
#include <jounce/model/model.hpp>
#include <string>
#include <vector>

#include "benchmarks.hpp"
#include "measure.hpp"

namespace {

// N crank-rocker loops side by side, each crank geared to the next by a common coupler chain: loop k stands on the rocker pin
// of loop k − 1, so that the whole is one connected mechanism with one motor.
jounce::Model chain_of_four_bars(int loops) {
  jounce::Model m;
  m.name = "chain of four-bars";
  // ground pivots 1 m apart; unit vertical bars, unit couplers: parallelogram-like but with unequal lengths so that no
  // position of the run is singular
  for (int k = 0; k <= loops; ++k) m.ground.point("G" + std::to_string(k), 1.0 * k, 0.0);
  const auto bar = [&](const std::string& name, double x, double y, double angle, double length) {
    jounce::Body& body = m.body(name);
    body.position = std::vector<jounce::Text>{x, y};
    body.angle = jounce::Text(angle);
    body.point("A", 0.0, 0.0).point("B", length, 0.0);
  };
  const double start = 1.2;
  double crank_angle = start;
  for (int k = 0; k <= loops; ++k) {
    const std::string n = std::to_string(k);
    bar("rocker" + n, k, 0, crank_angle, 1.0);
    m.joint("g" + n, "revolute").set("i", "ground.G" + n).set("j", "rocker" + n + ".A");
    if (k == 0) continue;
    const std::string before = std::to_string(k - 1);
    bar("coupler" + n, (k - 1) + std::cos(crank_angle), std::sin(crank_angle), 0.0, 1.0);
    m.joint("a" + n, "revolute").set("i", "rocker" + before + ".B").set("j", "coupler" + n + ".A");
    m.joint("b" + n, "revolute").set("i", "coupler" + n + ".B").set("j", "rocker" + n + ".B");
  }
  m.driver("motor", "angle").set("i", "ground").set("j", "rocker0").set("motion", "0.3*sin(2*pi*t)");
  return m;
}

// Position to snap at successive times, as the kinematic run does it, without output.
struct Follower {
  jounce::PlaneDrivenMotion motion;
  std::vector<double> q, ways, guess, way;
  double t = 0, h;

  Follower(const jounce::PlaneMechanism& mechanism, double step) : motion(mechanism, 4), h(step) {
    q = jounce::assemble(mechanism).q;
    ways.resize(4 * q.size());
    guess = way = q;
    if (motion.position(0, q) != jounce::DrivenMotion::Solved::yes) std::abort();
    motion.orders(ways);
  }
  void sample() {
    jounce::extrapolate(motion, q, ways, h, guess, way);
    t += h;
    if (motion.position(t, guess) != jounce::DrivenMotion::Solved::yes) std::abort();
    std::copy(guess.begin(), guess.end(), q.begin());
    motion.orders(ways);
  }
};

// A yardstick for ratios: a dense 9 × 9 elimination with four solves in plain loops, the floor of the linear algebra.
double dense_yardstick() {
  constexpr int n = 9;
  static double a[n][n], b[5][n];
  volatile double sink = 0;
  return time_of([&] {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) a[i][j] = i == j ? 4.0 + i : 1.0 / (1 + i + j);
    for (auto& right : b)
      for (int i = 0; i < n; ++i) right[i] = i;
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i) {
        const double l = a[i][k] / a[k][k];
        for (int j = k + 1; j < n; ++j) a[i][j] -= l * a[k][j];
        for (auto& right : b) right[i] -= l * right[k];
      }
    for (auto& right : b)
      for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) right[i] -= a[i][j] * right[j];
        right[i] /= a[i][i];
      }
    sink = sink + b[4][0];
  });
}

}  // namespace

void bench_kinematics() {
  const double yardstick = dense_yardstick();
  std::printf("yardstick: dense 9x9 elimination with 5 right-hand sides   %8.0f ns\n\n", yardstick * 1e9);

  {
    jounce::Model m = chain_of_four_bars(1);
    const jounce::PlaneMechanism mechanism = built(m);
    Follower follower(mechanism, 1e-3);
    for (int i = 0; i < 1000; ++i) follower.sample();
    const long before = allocations(), factorisations = follower.motion.factorisations();
    long samples = 0;
    const double ns = 1e9 * time_of([&] { follower.sample(), ++samples; });
    const long made = allocations() - before;
    const double per = static_cast<double>(follower.motion.factorisations() - factorisations) / static_cast<double>(samples);
    std::printf(
        "four-bar, position to snap (3 bodies, 9 equations)         %8.0f ns per sample   %5.2f x yardstick   %ld allocations, "
        "%.2f factorisations per sample\n",
        ns, ns / (yardstick * 1e9), made, per);
    const jounce::KinematicsOptions options{.to = 1, .steps = 1000, .columns = {}};
    const double run =
        time_of([&] { (void)jounce::kinematics(mechanism, options, [](std::span<const double>) { return true; }); });
    std::printf("the same through kinematics(), with columns and checks     %8.0f ns per sample\n\n", 1e9 * run / 1001);
  }

  std::printf("%8s %12s %14s %16s %14s %12s\n", "loops N", "equations", "us per sample", "ns per loop", "vs N = 1",
              "set-up ms");
  double first = 0;
  for (const int loops : {1, 10, 100, 1000, 10000}) {
    const auto start = Clock::now();
    const jounce::PlaneMechanism mechanism = built(chain_of_four_bars(loops));
    Follower follower(mechanism, 1e-3);
    const double setup = seconds_since(start);
    for (int i = 0; i < 3; ++i) follower.sample();
    const double s = time_of([&] { follower.sample(); }, 0.05, 5);
    const double per_loop = s / loops;
    if (first == 0) first = per_loop;
    std::printf("%8d %12d %14.2f %16.0f %14.2f %12.1f\n", loops, mechanism.system.equations(), s * 1e6, per_loop * 1e9,
                per_loop / first, setup * 1e3);
  }
}
