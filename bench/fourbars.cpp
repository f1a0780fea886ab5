// Dynamics of N four-bars side by side (IFToMM benchmark A02): what one loop costs, alone and among ten thousand.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <jounce/analysis/integrators/dop853.hpp>
#include <jounce/plane/motion/taylor.hpp>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks.hpp"
#include "fourbars_by_hand.hpp"
#include "measure.hpp"

namespace {

constexpr double kGravity = 9.81;
constexpr int kOrder = 16;

/// Rods of 1 m and 1 kg, N + 1 upright and N across their tops. Bodies in the order rod 0, beam 1, rod 1, beam 2, …
jounce::Model four_bars(int loops) {
  jounce::Model m;
  m.name = "N four-bars";
  m.gravity = {0.0, -kGravity};
  const auto rod = [&](std::string name, double x, double y, double angle) -> jounce::Body& {
    jounce::Body& body = m.bodies.emplace_back();
    body.name = std::move(name);
    body.mass = 1.0;
    body.inertia = "1/12";
    body.com = std::vector<jounce::Text>{0.5, 0.0};
    body.position = std::vector<jounce::Text>{x, y};
    body.angle = jounce::Text(angle);
    body.point("A", 0.0, 0.0).point("B", 1.0, 0.0);
    return body;
  };
  for (int k = 0; k <= loops; ++k) {
    const std::string n = std::to_string(k), before = std::to_string(k - 1);
    m.ground.point("G" + n, 1.0 * k, 0.0);
    if (k > 0) {
      rod("beam" + n, k - 1, 1, 0).velocity = std::vector<jounce::Text>{1.0, 0.0};
      m.joint("a" + n, "revolute").set("i", "rod" + before + ".B").set("j", "beam" + n + ".A");
      m.joint("b" + n, "revolute").set("i", "beam" + n + ".B").set("j", "rod" + n + ".B");
    }
    rod("rod" + n, k, 0, std::numbers::pi / 2).spin = jounce::Text(-1.0);
    m.joint("g" + n, "revolute").set("i", "ground.G" + n).set("j", "rod" + n + ".A");
  }
  return m;
}

/// θ'' = −factor · cos θ: the whole mechanism is one pendulum.
double pendulum_factor(int loops) { return kGravity * ((loops + 1) / 2.0 + loops) / ((loops + 1) / 3.0 + loops); }

struct State {
  std::vector<double> q, v;
};

/// All rods at this angle and spin.
State state_at(int loops, double theta, double spin) {
  State s;
  const double c = std::cos(theta), n = std::sin(theta);
  for (int i = 0; i <= 2 * loops; ++i) {
    const bool beam = i % 2 == 1;
    const double part = beam ? 1.0 : 0.5, along = beam ? 0.5 : 0.0;
    s.q.insert(s.q.end(), {i / 2 + along + part * c, part * n, beam ? 0.0 : theta});
    s.v.insert(s.v.end(), {-part * n * spin, part * c * spin, beam ? 0.0 : spin});
  }
  return s;
}

double energy(int loops, std::span<const double> q, std::span<const double> v) {
  double sum = 0;
  for (std::size_t i = 0; i <= 2 * static_cast<std::size_t>(loops); ++i)
    sum +=
        0.5 * (v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2] / 12) + kGravity * q[3 * i + 1];
  return sum;
}

/// The angle at time `end`, from the equation of one angle.
double exact_angle(int loops, double end) {
  const double factor = pendulum_factor(loops);
  const auto f = [factor](double, std::span<const double> y, std::span<double> rate) {
    rate[0] = y[1];
    rate[1] = -factor * std::cos(y[0]);
  };
  jounce::Dop853 ode(2, {1e-15});
  const double start[2] = {std::numbers::pi / 2, -1};
  if (!ode.start(0, start, f)) std::abort();
  while (ode.t() < end)
    if (ode.step(f, end) != jounce::Dop853::Step::accepted) std::abort();
  return ode.y()[0];
}

void evaluate(jounce::EquationsOfMotion& equations, const State& s, bool inverse, int order) {
  if (equations.set_time(0, order)) std::abort();
  equations.set_position(s.q);
  equations.factor(inverse);
  equations.set_velocity(s.v);
  if (equations.expand(order)) std::abort();
}

/// Largest difference of angular accelerations of the rods to that of one angle.
double acceleration_error(std::span<const double> a, double exact) {
  double largest = 0;
  for (std::size_t i = 2; i < a.size(); i += 6) largest = std::max(largest, std::abs(a[i] - exact));
  return largest;
}

struct Costs {
  double evaluation = 1e300, step = 1e300, by_hand = 1e300;  // seconds
  double error = 0, by_hand_error = 0;                       // of the accelerations, 1/s²
  long allocations = 0;
};

Costs costs_of(int loops, const jounce::PlanarSystem& system) {
  constexpr double kTheta = 1.1, kSpin = -1.3;
  const State s = state_at(loops, kTheta, kSpin);
  jounce::EquationsOfMotion accelerations(system, 2), series(system, kOrder);
  FourBarsByHand by_hand(loops);
  std::vector<double> a(s.q.size()), by_hand_a(s.q.size());
  Costs costs;
  const long before = allocations();
  // in turn, several times: what else the machine does hits them alike
  for (int round = 0; round < 4; ++round) {
    const double evaluation = time_of([&] { evaluate(accelerations, s, false, 2); }, 0.02, 3);
    const double step = time_of([&] { evaluate(series, s, true, kOrder); }, 0.02, 3);
    const double hand = time_of([&] { by_hand.accelerations(s.q, s.v, by_hand_a); }, 0.02, 3);
    costs.evaluation = std::min(costs.evaluation, evaluation);
    costs.step = std::min(costs.step, step);
    costs.by_hand = std::min(costs.by_hand, hand);
  }
  costs.allocations = allocations() - before;
  accelerations.coefficient(2, a);
  for (double& x : a) x *= 2;
  const double exact = -pendulum_factor(loops) * std::cos(kTheta);
  costs.error = acceleration_error(a, exact);
  costs.by_hand_error = acceleration_error(by_hand_a, exact);
  return costs;
}

void print_costs() {
  std::printf(
      "Accelerations: position, factors, velocity, order 2. Step: the same to order %d. By hand: fourbars_by_hand.hpp.\n\n",
      kOrder);
  std::printf("%6s | %10s %9s %8s | %10s %9s %8s | %10s %9s %8s | %11s %9s %9s\n", "", "acc.", "per loop", "vs N=1", "step",
              "per loop", "vs N=1", "by hand", "per loop", "acc. vs", "allocations", "error", "error");
  std::printf("%6s | %10s %9s %8s | %10s %9s %8s | %10s %9s %8s | %11s %9s %9s\n", "N", "us", "ns", "", "us", "ns", "", "us",
              "ns", "hand", "", "acc.", "by hand");
  Costs first;
  for (const int loops : {1, 2, 10, 40, 1000, 10000}) {
    const jounce::PlaneMechanism mechanism = built(four_bars(loops));
    const Costs c = costs_of(loops, mechanism.system);
    if (loops == 1) first = c;
    std::printf("%6d | %10.2f %9.0f %8.2f | %10.2f %9.0f %8.2f | %10.3f %9.0f %8.1f | %11ld %9.0e %9.0e\n", loops,
                1e6 * c.evaluation, 1e9 * c.evaluation / loops, c.evaluation / loops / first.evaluation, 1e6 * c.step,
                1e9 * c.step / loops, c.step / loops / first.step, 1e6 * c.by_hand, 1e9 * c.by_hand / loops,
                c.evaluation / c.by_hand, c.allocations, c.error, c.by_hand_error);
  }
  std::printf(
      "\nFloor by counting, a loop (two bodies, three pins):\n"
      "  accelerations: about 200 operations, 2 sines and cosines, 144 bytes in and out, as by hand\n"
      "  step of order 16: about 4000 operations (a body has 4 products of k terms at order k: cosine, sine, two for the "
      "torque; then\n"
      "  forces, residuals and two solves with blocks of 2 by 2 at each order), 1.6 kB of coefficients\n");
}

/// To `end`; false when it stopped before.
bool run_to(double end, const State& start, jounce::TaylorIntegrator& integrator) {
  using Status = jounce::TaylorIntegrator::Status;
  Status status = integrator.start(0, start.q, start.v);
  while (status == Status::accepted && integrator.t() < end) status = integrator.step(end);
  return status == Status::accepted;
}

void print_run(int loops, double end, double tolerance) {
  const jounce::PlaneMechanism mechanism = built(four_bars(loops));
  const State start = state_at(loops, std::numbers::pi / 2, -1);
  double seconds = std::numeric_limits<double>::infinity();
  std::optional<jounce::TaylorIntegrator> integrator;
  bool arrived = false;
  for (int repeat = 0; repeat < (loops < 100 ? 5 : 1); ++repeat) {
    integrator.emplace(mechanism.system, jounce::TaylorOptions{.tolerance = tolerance});
    const auto clock = Clock::now();
    arrived = run_to(end, start, *integrator);
    seconds = std::min(seconds, seconds_since(clock));
  }
  const double theta = exact_angle(loops, integrator->t()), phi = integrator->q()[2];
  const double before = energy(loops, start.q, start.v), after = energy(loops, integrator->q(), integrator->v());
  const auto& statistics = integrator->statistics();
  std::printf("%6d %10.2f %12.2f %8ld %8ld %10ld %12.1e %14.1e%s\n", loops, 1e3 * seconds, 1e6 * seconds / loops,
              statistics.steps, statistics.rejected, statistics.crossings, 2 * std::abs(std::sin((phi - theta) / 2)),
              std::abs(after / before - 1), arrived ? "" : "   stopped early");
}

void print_runs() {
  constexpr double kEnd = 10, kTolerance = 1e-10;
  std::printf("\n%g s at tolerance %.0e through every singular position; the error is that of the top of the first rod\n\n",
              kEnd, kTolerance);
  std::printf("%6s %10s %12s %8s %8s %10s %12s %14s\n", "N", "ms", "us per loop", "steps", "refused", "crossings", "error, m",
              "energy error");
  for (const int loops : {1, 2, 10, 40, 1000}) print_run(loops, kEnd, kTolerance);
}

}  // namespace

void bench_fourbars() {
  print_costs();
  print_runs();
}
