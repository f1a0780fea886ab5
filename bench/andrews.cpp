// Andrews' squeezing mechanism: how long for how many digits, the engine beside solvers of hand-written equations.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <jounce/analysis/assembly/assembly.hpp>
#include <jounce/plane/motion/taylor.hpp>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "andrews_ode.hpp"
#include "andrews_rivals.hpp"
#include "benchmarks.hpp"
#include "measure.hpp"

namespace {

/// The engine on the model file: seven bodies with ten pins.
class TaylorRun : public AndrewsRun {
 public:
  TaylorRun(const jounce::PlaneMechanism& mechanism, double tol, int order)
      : integrator_(mechanism.system, {.tolerance = tol, .order = order}),
        q_(jounce::assemble(mechanism).q),
        v_(q_.size(), 0.0) {}

  bool run() override {
    using Status = jounce::TaylorIntegrator::Status;
    before_ = integrator_.statistics();
    if (integrator_.start(0, q_, v_) != Status::accepted) return false;
    while (integrator_.t() < andrews::kEnd)
      if (integrator_.step(andrews::kEnd) != Status::accepted) return false;
    return true;
  }
  /// Counted from the published start: a body's angle may be drawn whole turns away.
  [[nodiscard]] std::array<double, 7> angles() const override {
    std::array<double, 7> angle = seven(integrator_.q());
    const std::array<double, 7> start = seven(q_);
    for (std::size_t i = 0; i < 7; ++i) angle[i] += andrews::kStart[i] - start[i];
    return angle;
  }
  /// How far the assembled start is from the published one.
  [[nodiscard]] double start_difference() const {
    const std::array<double, 7> start = seven(q_);
    double largest = 0;
    for (std::size_t i = 0; i < 7; ++i) largest = std::max(largest, std::abs(start[i] - andrews::kStart[i]));
    return largest;
  }
  [[nodiscard]] long steps() const override { return integrator_.statistics().steps - before_.steps; }
  /// Expansions, those of rejected steps included.
  [[nodiscard]] long evaluations() const override { return 1 + steps() + integrator_.statistics().rejected - before_.rejected; }

 private:
  /// The bodies stand at β, β + θ, γ, φ + δ, δ, Ω + ε, ε.
  static std::array<double, 7> seven(std::span<const double> q) {
    const auto phi = [&](std::size_t body) { return q[3 * body + 2]; };
    return {phi(0), phi(1) - phi(0), phi(2), phi(3) - phi(4), phi(4), phi(5) - phi(6), phi(6)};
  }

  jounce::TaylorIntegrator integrator_;
  std::vector<double> q_, v_;
  jounce::TaylorIntegrator::Statistics before_;
};

/// One solver at one tolerance, and what was measured.
struct Case {
  std::size_t solver = 0;
  double tol = 0;
  std::unique_ptr<AndrewsRun> run;
  bool ok = false;
  double seconds = std::numeric_limits<double>::infinity();  ///< the fastest of all
  double digits = 0;  ///< −log10 of the largest relative error of the seven angles at t = 0.03
  long first_allocations = 0, allocations = 0;
};

double digits_of(const std::array<double, 7>& angles) {
  double largest = 0;
  for (std::size_t i = 0; i < 7; ++i) largest = std::max(largest, std::abs(angles[i] / andrews::kAnswer[i] - 1));
  return -std::log10(largest);
}

double timed(AndrewsRun& run) {
  const auto start = Clock::now();
  (void)run.run();
  return seconds_since(start);
}

constexpr int kRounds = 30;
/// Slower runs sit out some of the rounds: the noise of the clock and of short interruptions matters less to them.
constexpr double kSlow = 0.005;

std::vector<Case> measure(const std::vector<AndrewsSolver>& solvers, const std::vector<double>& tolerances) {
  std::vector<Case> cases;
  for (std::size_t solver = 0; solver < solvers.size(); ++solver)
    for (const double tol : tolerances) {
      Case& c = cases.emplace_back();
      c.solver = solver;
      c.tol = tol;
      c.run = solvers[solver].make(tol);
      const long before = allocations();
      c.ok = c.run->run();
      c.first_allocations = allocations() - before;
      c.digits = digits_of(c.run->angles());
      c.seconds = timed(*c.run);
    }
  // round by round, all solvers in each: what else the machine does hits them alike. Twice in succession, the first for the
  // caches.
  for (int round = 0; round < kRounds; ++round)
    for (Case& c : cases) {
      if (round % (1 + static_cast<int>(c.seconds / kSlow)) != 0) continue;
      const long before = allocations();
      c.seconds = std::min({c.seconds, timed(*c.run), timed(*c.run)});
      c.allocations += allocations() - before;
    }
  // a run must not depend on those before it
  for (Case& c : cases) c.digits = std::min(c.digits, digits_of(c.run->angles()));
  return cases;
}

/// The cheapest run such that it and every one with a tighter tolerance have that many digits: what a user pays who does not
/// know the answer. Runs that failed count as not made. Null when there is none.
const Case* cheapest(const std::vector<Case>& cases, std::size_t solver, double digits) {
  std::vector<const Case*> mine;
  for (const Case& c : cases)
    if (c.solver == solver && c.ok) mine.push_back(&c);
  std::sort(mine.begin(), mine.end(), [](const Case* a, const Case* b) { return a->tol < b->tol; });
  const Case* best = nullptr;
  for (const Case* c : mine) {
    if (!(c->digits >= digits)) break;
    if (!best || c->seconds < best->seconds) best = c;
  }
  return best;
}

void print_table(const std::vector<AndrewsSolver>& solvers, const std::vector<double>& tolerances,
                 const std::vector<Case>& cases) {
  std::printf("%8s", "");
  for (const AndrewsSolver& solver : solvers) std::printf(" | %-15s", solver.name.c_str());
  std::printf("\n%8s", "tol");
  for (std::size_t i = 0; i < solvers.size(); ++i) std::printf(" | %6s %8s", "digits", "ms");
  for (std::size_t row = 0; row < tolerances.size(); ++row) {
    std::printf("\n%8.1e", tolerances[row]);
    for (std::size_t i = 0; i < solvers.size(); ++i) {
      const Case& c = cases[i * tolerances.size() + row];
      if (c.ok)
        std::printf(" | %6.2f %8.3f", c.digits, 1e3 * c.seconds);
      else
        std::printf(" | %15s", "failed");
    }
  }
  std::printf("\n");
}

void print_times_to_digits(const std::vector<AndrewsSolver>& solvers, const std::vector<Case>& cases) {
  for (const double digits : {4.0, 8.0, 11.0}) {
    std::printf("\n%2g digits %10s %10s %8s %8s %12s %16s\n", digits, "", "ms", "tol", "steps", "evaluations",
                "against jounce");
    const Case* ours = cheapest(cases, 0, digits);
    for (std::size_t i = 0; i < solvers.size(); ++i) {
      const Case* c = cheapest(cases, i, digits);
      if (!c) {
        std::printf("   %-17s not reached\n", solvers[i].name.c_str());
        continue;
      }
      std::printf("   %-17s %10.3f %8.1e %8ld %12ld %16.2f\n", solvers[i].name.c_str(), 1e3 * c->seconds, c->tol,
                  c->run->steps(), c->run->evaluations(), ours ? c->seconds / ours->seconds : std::nan(""));
    }
  }
}

// Allocations of the C libraries do not go through operator new; those of our own solvers do.
void print_allocations(const std::vector<AndrewsSolver>& solvers, const std::vector<Case>& cases) {
  std::printf("\nallocations: in the first run of an integrator, in all later ones together (most over the tolerances)\n");
  for (std::size_t i = 0; i < solvers.size(); ++i) {
    if (!solvers[i].name.starts_with("jounce")) continue;
    long first = 0, later = 0;
    for (const Case& c : cases)
      if (c.solver == i) first = std::max(first, c.first_allocations), later = std::max(later, c.allocations);
    std::printf("   %-17s %6ld %6ld\n", solvers[i].name.c_str(), first, later);
  }
}

}  // namespace

void bench_andrews() {
  const jounce::PlaneMechanism mechanism = shipped_model("andrews-squeezer");
  std::vector<AndrewsSolver> solvers;
  for (const int order : {0, 12, 16, 20})
    solvers.push_back({order == 0 ? "jounce" : "jounce order " + std::to_string(order),
                       [&mechanism, order](double tol) { return std::make_unique<TaylorRun>(mechanism, tol, order); }});
  std::ranges::move(andrews_rivals(), std::back_inserter(solvers));
  std::vector<double> tolerances;
  for (int i = 2; i <= 28; ++i) tolerances.push_back(std::pow(10, -0.5 * i));

  std::printf("Andrews' squeezing mechanism to t = 0.03: digits of the seven angles, and the fastest of up to %d runs\n",
              2 * kRounds + 1);
  std::printf("the engine starts within %.0e of the published angles\n\n", TaylorRun(mechanism, 1e-8, 0).start_difference());
  const std::vector<Case> cases = measure(solvers, tolerances);
  print_table(solvers, tolerances, cases);
  print_times_to_digits(solvers, cases);
  print_allocations(solvers, cases);
}
