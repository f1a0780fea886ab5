// What accelerations cost by each formulation, against the number of bodies: open chains, N four-bars, binary trees and stars.
//
// With the name of a file, the same numbers as CSV, from which tools/plot_formulations.py draws the figures of
// docs/performance.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <jounce/plane/equations/equations_of_motion.hpp>
#include <jounce/tree/algorithms.hpp>
#include <limits>
#include <numbers>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks.hpp"
#include "measure.hpp"

#include "jounce/base/index.hpp"

namespace {

namespace tree = jounce::tree;
using jounce::Formulation;
using jounce::z;

constexpr double kGravity = 9.81, kLength = 1, kMass = 1, kInertia = kMass * kLength * kLength / 12;
constexpr int kOrder = 16;
constexpr int kStates = 4;           // taken in turn: at the same angles again, sines and cosines would come for nothing
constexpr double kApart = 0.05;      // s between them, as in a run: an order of elimination chosen once then serves for a while
constexpr double kAgreement = 1e-9;  // of accelerations, relative to the largest
constexpr double kLong = 200;  // bodies; beyond, the condition of H counts: it grows with the fourth power of a chain's length
constexpr double kMostSeconds = 0.3;  // what takes longer is not measured
constexpr std::size_t kWays = jounce::kFormulations.size();

// ---- mechanisms ----------------------------------------------------------------------------------------------------

struct State {
  std::vector<double> q, v;  // of the bodies, x, y, phi of each centre of mass
};

/// Rods of 1 m and 1 kg. `parent`: by whose end each is carried, −1 is the ground.
struct Rods {
  jounce::Model model;
  std::vector<int> parent;
  std::vector<std::vector<double>> angle, spin;  // of each state
  std::vector<State> states;

  explicit Rods(const char* name) {
    model.name = name;
    model.gravity = {0.0, -kGravity};
    model.ground.point("O", 0.0, 0.0);
  }
  void add(const std::string& name, int carrier) {
    jounce::Body& body = model.bodies.emplace_back();
    body.name = name;
    body.mass = kMass;
    body.inertia = kInertia;
    body.com = std::vector<jounce::Text>{kLength / 2, 0.0};
    body.point("A", 0.0, 0.0).point("B", kLength, 0.0);
    parent.push_back(carrier);
  }
  void pin(const std::string& i, const std::string& j) {
    model.joint("pin" + std::to_string(model.joints.size()), "revolute").set("i", i).set("j", j);
  }
  /// Where the rods are, each beginning where its parent ends.
  void add_state(std::span<const double> angles, std::span<const double> spins, double ground_step = 0) {
    State s;
    std::vector<std::array<double, 4>> end;  // x, y and their rates
    int on_ground = 0;
    for (std::size_t i = 0; i < parent.size(); ++i) {
      const std::array<double, 4> start =
          parent[i] >= 0 ? end[z(parent[i])] : std::array{ground_step * on_ground++, 0.0, 0.0, 0.0};
      const double c = kLength * std::cos(angles[i]), n = kLength * std::sin(angles[i]), w = spins[i];
      s.q.insert(s.q.end(), {start[0] + c / 2, start[1] + n / 2, angles[i]});
      s.v.insert(s.v.end(), {start[2] - n / 2 * w, start[3] + c / 2 * w, w});
      end.push_back({start[0] + c, start[1] + n, start[2] - n * w, start[3] + c * w});
    }
    states.push_back(std::move(s));
    angle.emplace_back(angles.begin(), angles.end());
    spin.emplace_back(spins.begin(), spins.end());
  }
};

/// Rod i hangs on rod `carrier(i)`; angles all round, rates between −1 and 1.
template <class Carrier>
Rods hanging(const char* name, int bodies, Carrier&& carrier) {
  Rods out(name);
  for (int i = 0; i < bodies; ++i) {
    const std::string own = "rod" + std::to_string(i);
    out.add(own, carrier(i));
    out.pin(i == 0 ? "ground.O" : "rod" + std::to_string(carrier(i)) + ".B", own + ".A");
  }
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> some(-1, 1);
  std::vector<double> angles, spins;
  for (int i = 0; i < bodies; ++i) angles.push_back(std::numbers::pi * some(engine)), spins.push_back(some(engine));
  for (int state = 0; state < kStates; ++state) {
    out.add_state(angles, spins);
    for (int i = 0; i < bodies; ++i) angles[z(i)] += kApart * spins[z(i)];
  }
  return out;
}
Rods chain(int bodies) {
  return hanging("chain", bodies, [](int i) { return i - 1; });
}
Rods binary_tree(int bodies) {
  return hanging("tree", bodies, [](int i) { return i == 0 ? -1 : (i - 1) / 2; });
}

/// One rod carries all others at its end: every joint meets every other in S.
Rods star(int bodies) {
  return hanging("star", bodies, [](int i) { return i == 0 ? -1 : 0; });
}

/// The mechanism of `./dev bench fourbars`: rods upright on the ground with beams across their tops.
Rods four_bars(int bodies) {
  const int loops = std::max(bodies / 2, 1);
  Rods out("fourbars");
  for (int k = 0; k <= loops; ++k) {
    const std::string n = std::to_string(k), before = std::to_string(k - 1);
    if (k > 0) {
      out.add("beam" + n, 2 * (k - 1));
      out.pin("rod" + before + ".B", "beam" + n + ".A");
      out.pin("beam" + n + ".B", "rod" + n + ".B");
    }
    out.add("rod" + n, -1);
    out.model.ground.point("G" + n, kLength * k, 0.0);
    out.pin("ground.G" + n, "rod" + n + ".A");
  }
  for (int state = 0; state < kStates; ++state) {
    std::vector<double> angles, spins;
    for (int i = 0; i <= 2 * loops; ++i) {
      angles.push_back(i % 2 == 1 ? 0.0 : 1.1 - 1.3 * kApart * state);
      spins.push_back(i % 2 == 1 ? 0.0 : -1.3);
    }
    out.add_state(angles, spins, kLength);
  }
  return out;
}

// ---- one evaluation -------------------------------------------------------------------------------------------------

void evaluate(jounce::EquationsOfMotion& equations, const State& s, bool long_expansion, int order) {
  if (equations.set_time(0, order)) std::abort();
  equations.set_position(s.q);
  equations.factor(long_expansion);
  equations.set_velocity(s.v);
  if (equations.expand(order)) std::abort();
}

std::vector<double> coefficient(const jounce::EquationsOfMotion& equations, int k) {
  std::vector<double> out(z(equations.system().coordinates()));
  equations.coefficient(k, out);
  return out;
}

double difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0, apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(b[i]));
    if (const double d = std::abs(a[i] - b[i]); !(d <= apart)) apart = d;  // keeps NaN
  }
  return apart / largest;
}

void require_agreement(double apart, const Rods& rods, std::string_view who) {
  const double allowed = kAgreement * std::pow(std::max(static_cast<double>(rods.parent.size()) / kLong, 1.0), 4);
  if (apart <= allowed) return;
  std::fflush(stdout);
  std::fprintf(
      stderr,
      "jounce_bench: formulations: expected accelerations that agree to %.0e, found %.*s %.1e from lagrange on %s of %zu\n",
      allowed, static_cast<int>(who.size()), who.data(), apart, rods.model.name.c_str(), rods.parent.size());
  std::exit(1);
}

/// Of the processor, not of the wall: evaluations of many milliseconds are interrupted where the machine has other work.
double processor_time(int calls, auto&& f) {
  const std::clock_t start = std::clock();
  for (int i = 0; i < calls; ++i) f();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// The least of several batches; seconds per call.
double least_time(auto&& f) {
  constexpr double kBatch = 0.005;
  int calls = 1;
  while (processor_time(calls, f) < kBatch) calls *= 2;
  double best = std::numeric_limits<double>::infinity();
  for (int batch = 0; batch < 4; ++batch) best = std::min(best, processor_time(calls, f) / calls);
  return best;
}

/// The chain as a tree in space: hinges about z.
class InSpace {
 public:
  explicit InSpace(const Rods& rods) : tree_(tree_of(rods)), work_(tree_) {
    for (std::size_t s = 0; s < rods.states.size(); ++s)
      q_.push_back(against_parent(rods.angle[s], rods)), v_.push_back(against_parent(rods.spin[s], rods));
    effort_.assign(rods.parent.size(), 0.0);
    acceleration_ = effort_;
    inertia_.resize(effort_.size() * effort_.size());
  }
  void aba(std::size_t state) {
    if (!tree::aba(tree_, work_, q_[state].data(), v_[state].data(), effort_.data(), acceleration_.data())) std::abort();
  }
  void crba(std::size_t state) { tree::crba(tree_, work_, q_[state].data(), inertia_.data()); }
  /// The angular accelerations of the rods, from those of the hinges.
  [[nodiscard]] std::vector<double> turns(const Rods& rods) const {
    std::vector<double> out = acceleration_;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (rods.parent[i] >= 0) out[i] += out[z(rods.parent[i])];
    return out;
  }

 private:
  static tree::Tree tree_of(const Rods& rods) {
    constexpr double kThin = kInertia / 100;
    tree::Tree out;
    out.gravity = {0, -kGravity, 0};
    std::vector<int> link;
    std::vector<jounce::Frame<double>> end;
    for (const int parent : rods.parent) {
      const std::array steps{tree::turning({0, 0, 1}, 0)};
      const jounce::Frame<double> at = parent < 0 ? jounce::Frame<double>{jounce::identity3(), {}} : end[z(parent)];
      const tree::Attached added = tree::attach(out, parent < 0 ? tree::kGround : link[z(parent)], at, steps);
      out.load(added.last, added.successor, tree::rigid_inertia(kMass, {kLength / 2, 0, 0}, {kThin, kInertia, kInertia}));
      link.push_back(added.last);
      end.push_back(added.successor * jounce::Frame<double>{jounce::identity3(), {kLength, 0, 0}});
    }
    return out;
  }
  static std::vector<double> against_parent(const std::vector<double>& x, const Rods& rods) {
    std::vector<double> out = x;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (rods.parent[i] >= 0) out[i] -= x[z(rods.parent[i])];
    return out;
  }

  tree::Tree tree_;
  tree::Workspace<double> work_;
  std::vector<std::vector<double>> q_, v_;
  std::vector<double> effort_, acceleration_, inertia_;
};

// ---- measuring ------------------------------------------------------------------------------------------------------

constexpr double kNotMeasured = std::numeric_limits<double>::infinity();

struct Row {
  int bodies = 0;
  std::array<double, kWays> evaluation, first_orders, step;  // seconds; first_orders: a step that ends at order 2
  double space_aba = kNotMeasured, space_crba = kNotMeasured;
  double apart = 0, apart_step = 0;  // of accelerations, and of the coefficients of order 16
  std::size_t farthest = 0;          // the formulation with that difference of accelerations

  Row() { evaluation.fill(kNotMeasured), first_orders.fill(kNotMeasured), step.fill(kNotMeasured); }
};

/// One mechanism of one size by all formulations that are fast enough.
class Contest {
 public:
  Contest(const Rods& rods, std::array<bool, kWays>& slow, bool steps) : rods_(rods), mechanism_(built(rods.model)) {
    row_.bodies = static_cast<int>(rods.parent.size());
    enter(slow, steps);
    if (steps) compare_steps();
  }

  Row run() {
    if (rods_.model.name == "chain") space_.emplace(rods_), check_space();
    for (int round = 0; round < 3; ++round) {  // in turn: what else the machine does hits them alike
      for (std::size_t w = 0; w < kWays; ++w) {
        if (series_[w]) measure_step(w);
        if (accelerations_[w]) take(row_.evaluation[w], [&, w](const State& s) { evaluate(*accelerations_[w], s, false, 2); });
      }
      if (!space_) continue;
      take_space(row_.space_aba, [&](std::size_t s) { space_->aba(s); });
      take_space(row_.space_crba, [&](std::size_t s) { space_->crba(s); });
    }
    return row_;
  }

 private:
  void enter(std::array<bool, kWays>& slow, bool steps) {
    for (std::size_t w = 0; w < kWays; ++w) {
      if (slow[w]) continue;
      const Formulation formulation = jounce::kFormulations[w];
      jounce::EquationsOfMotion& equations = accelerations_[w].emplace(mechanism_.system, 2, formulation);
      evaluate(equations, rods_.states[0], false, 2);
      const std::vector<double> own = coefficient(equations, 2);
      if (reference_.empty()) reference_ = own;
      const double apart = difference(own, reference_);
      require_agreement(apart, rods_, word(formulation));
      if (apart > row_.apart) row_.apart = apart, row_.farthest = w;
      slow[w] = processor_time(1, [&] { evaluate(equations, rods_.states[0], false, 2); }) > kMostSeconds;
      if (slow[w]) accelerations_[w].reset();
      if (steps && !slow[w]) series_[w].emplace(mechanism_.system, kOrder, formulation);
    }
  }

  void compare_steps() {
    std::vector<double> reference;
    for (std::size_t w = 0; w < kWays; ++w) {
      if (!series_[w]) continue;
      evaluate(*series_[w], rods_.states[0], true, kOrder);
      const std::vector<double> own = coefficient(*series_[w], kOrder);
      if (reference.empty()) reference = own;
      row_.apart_step = std::max(row_.apart_step, difference(own, reference));
    }
  }

  void check_space() {
    space_->aba(0);
    const std::vector<double> turns = space_->turns(rods_);
    std::vector<double> reference;
    for (std::size_t i = 2; i < reference_.size(); i += 3) reference.push_back(2 * reference_[i]);
    require_agreement(difference(turns, reference), rods_, "tree::aba");
  }

  template <class F>
  void take(double& best, F&& f) {
    best = std::min(best, least_time([&] { f(rods_.states[turn_++ % kStates]); }));
  }
  template <class F>
  void take_space(double& best, F&& f) {
    best = std::min(best, least_time([&] { f(turn_++ % kStates); }));
  }
  void measure_step(std::size_t w) {
    take(row_.first_orders[w], [&](const State& s) { evaluate(*series_[w], s, true, 2); });
    take(row_.step[w], [&](const State& s) { evaluate(*series_[w], s, true, kOrder); });
  }

  const Rods& rods_;
  jounce::PlaneMechanism mechanism_;
  std::array<std::optional<jounce::EquationsOfMotion>, kWays> accelerations_, series_;
  std::optional<InSpace> space_;
  std::vector<double> reference_;
  std::size_t turn_ = 0;
  Row row_;
};

// ---- tables ---------------------------------------------------------------------------------------------------------

void print_head(const char* last) {
  std::printf("%6s |", "bodies");
  for (const Formulation f : jounce::kFormulations) std::printf(" %9.*s", static_cast<int>(word(f).size()), word(f).data());
  std::printf(" |%s\n", last);
}

void print_number(double x, const char* format) {
  if (std::isfinite(x))
    std::printf(format, x);
  else
    std::printf(" %9s", "-");
}

void print_evaluations(const std::vector<Row>& rows) {
  const bool space = std::isfinite(rows.front().space_aba);
  std::printf("Microseconds an evaluation of accelerations%s\n\n",
              space ? "; space: tree::aba and tree::crba (H alone) on the same chain" : "");
  print_head(space ? "  space aba space crba |  agree to" : "  agree to");
  for (const Row& row : rows) {
    std::printf("%6d |", row.bodies);
    for (const double t : row.evaluation) print_number(1e6 * t, " %9.2f");
    std::printf(" |");
    if (space) std::printf(" %10.2f %10.2f |", 1e6 * row.space_aba, 1e6 * row.space_crba);
    const std::string_view who = word(jounce::kFormulations[row.farthest]);
    std::printf(" %9.0e (%.*s)\n", row.apart, static_cast<int>(who.size()), who.data());
  }
  std::printf("\nThe same as multiples of lagrange\n\n");
  print_head(space ? "  space aba space crba" : "");
  for (const Row& row : rows) {
    std::printf("%6d |", row.bodies);
    for (const double t : row.evaluation) print_number(t / row.evaluation[0], " %9.2f");
    std::printf(" |");
    if (space) std::printf(" %10.2f %10.2f", row.space_aba / row.evaluation[0], row.space_crba / row.evaluation[0]);
    std::printf("\n");
  }
}

void print_steps(const std::vector<Row>& rows) {
  std::printf("\nMicroseconds a Taylor step of order %d\n\n", kOrder);
  print_head("  agree to");
  for (const Row& row : rows) {
    std::printf("%6d |", row.bodies);
    for (const double t : row.step) print_number(1e6 * t, " %9.2f");
    std::printf(" | %9.0e\n", row.apart_step);
  }
  std::printf("\nOf which microseconds for each order after the second\n\n");
  print_head("");
  for (const Row& row : rows) {
    std::printf("%6d |", row.bodies);
    for (std::size_t w = 0; w < kWays; ++w) print_number(1e6 * (row.step[w] - row.first_orders[w]) / (kOrder - 2), " %9.3f");
    std::printf(" |\n");
  }
  std::printf("\nA step as a multiple of that with lagrange\n\n");
  print_head("");
  for (const Row& row : rows) {
    std::printf("%6d |", row.bodies);
    for (const double t : row.step) print_number(t / row.step[0], " %9.2f");
    std::printf(" |\n");
  }
}

void write_csv(std::FILE* file, const char* mechanism, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const auto line = [&](const char* task, std::string_view who, double seconds) {
      if (std::isfinite(seconds))
        std::fprintf(file, "%s,%s,%.*s,%d,%.4g\n", mechanism, task, static_cast<int>(who.size()), who.data(), row.bodies,
                     1e6 * seconds);
    };
    for (std::size_t w = 0; w < kWays; ++w) {
      line("evaluation", word(jounce::kFormulations[w]), row.evaluation[w]);
      line("step", word(jounce::kFormulations[w]), row.step[w]);
    }
    line("evaluation", "space aba", row.space_aba);
  }
}

struct Subject {
  const char *name, *title;
  Rods (*make)(int);
  int most_bodies;
  bool steps;  // Taylor steps, too
};
constexpr Subject kSubjects[] = {
    {"chain", "An open chain: rods pinned end to end, any angles, rates up to 1/s", chain, 1000, true},
    {"fourbars", "N four-bars side by side, 2 N + 1 bodies, 2 N equations close loops", four_bars, 1000, true},
    {"tree", "A binary tree: two rods on the end of each", binary_tree, 1000, false},
    {"star", "A star: all rods on the end of the first", star, 200, true},
};

std::vector<Row> measure(const Subject& subject) {
  std::vector<Row> rows;
  std::array<bool, kWays> slow{};
  for (const int bodies : {2, 5, 10, 20, 50, 100, 200, 500, 1000}) {
    if (bodies > subject.most_bodies) break;
    const Rods rods = subject.make(bodies);
    rows.push_back(Contest(rods, slow, subject.steps).run());
  }
  return rows;
}

}  // namespace

void bench_formulations(const char* csv) {
  std::FILE* file = csv != nullptr ? std::fopen(csv, "w") : nullptr;
  if (csv != nullptr && file == nullptr) {
    std::fprintf(stderr, "jounce_bench: formulations: expected a file that can be written, found '%s'\n", csv);
    std::exit(1);
  }
  std::printf(
      "Position, factors, velocity, order 2; %d states in turn. Before they are measured, the formulations are held against "
      "lagrange:\n"
      "`agree to` is the largest difference of accelerations (or coefficients of order %d) relative to the largest; "
      "accelerations\n"
      "that differ by more than %.0e (beyond %g bodies, times the fourth power of their number over that) end the program.\n"
      "'-': an evaluation takes more than %g s, here or with fewer bodies.\n",
      kStates, kOrder, kAgreement, kLong, kMostSeconds);
  if (file != nullptr) std::fprintf(file, "mechanism,task,formulation,bodies,microseconds\n");
  for (const Subject& subject : kSubjects) {
    std::printf("\n---- %s\n\n", subject.title);
    std::fflush(stdout);
    const std::vector<Row> rows = measure(subject);
    print_evaluations(rows);
    if (subject.steps) print_steps(rows);
    if (file != nullptr) write_csv(file, subject.name, rows);
  }
  if (file != nullptr) std::fclose(file);
}
