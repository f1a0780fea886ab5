// Trees in space: forward dynamics, inverse dynamics and inertia of one state and of many, beside the programs of others where
// they are installed (bench/CMakeLists.txt says how).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <jounce/io/urdf/urdf.hpp>
#include <jounce/space/mechanism.hpp>
#include <jounce/tree/algorithms.hpp>
#include <jounce/tree/batch.hpp>
#include <limits>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "benchmarks.hpp"
#include "measure.hpp"
#include "rival_links.hpp"
#include "tree_rivals.hpp"

#include "jounce/base/index.hpp"

namespace {

namespace tree = jounce::tree;
using jounce::Frame;
using jounce::Vec3;
using jounce::z;

constexpr double kSecondsEach = 1.0;                      // for one task of one tree, all programs together
[[maybe_unused]] constexpr int kMostPinocchioDofs = 200;  // a tree of 1000 does not fit into its memory

[[noreturn]] void give_up(const char* algorithm) {
  std::fflush(stdout);
  std::fprintf(stderr, "jounce_bench: trees: %s finds a dof that moves no inertia, but every link of these trees has mass\n",
               algorithm);
  std::exit(1);
}

// ---- trees ---------------------------------------------------------------------------------------------------------

/// Rods of 0.2 m, 1 kg and radius 0.02 m along x, hinged end to end about z, y, z, y, …
tree::Tree chain_of_rods(int rods) {
  constexpr double kLength = 0.2, kRadius = 0.02, kMass = 1;
  constexpr double kAlong = kMass * kRadius * kRadius / 2;
  constexpr double kAcross = kMass * (3 * kRadius * kRadius + kLength * kLength) / 12;
  const tree::RigidInertia rod = tree::rigid_inertia(kMass, {kLength / 2, 0, 0}, {kAlong, kAcross, kAcross});
  const Frame<double> end{jounce::identity3(), {kLength, 0, 0}};
  tree::Tree out;
  Frame<double> joint{jounce::identity3(), {}};
  for (int i = 0; i < rods; ++i) {
    const std::array steps{tree::turning(i % 2 == 0 ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0}, 0)};
    const tree::Attached added = tree::attach(out, i - 1, joint, steps);
    out.load(added.last, added.successor, rod);
    joint = added.successor * end;
  }
  return out;
}

template <class T>
T value_or_exit(jounce::Result<T> result) {
  if (!result) std::puts(jounce::text(result.problems()).c_str()), std::exit(1);
  return *std::move(result);
}

tree::Tree robot(const std::string& path, bool floats) {
  return value_or_exit(jounce::build_space(value_or_exit(jounce::read_urdf(path, {.floating_base = floats})))).tree;
}

/// Angles all round, everything else between −1 and 1. Blocks are short, so that most go by without an interruption.
TreeStates random_states(const tree::Tree& of) {
  TreeStates out;
  out.nq = of.coordinates();
  out.nv = of.dofs();
  out.block = 8 * std::clamp(256 / out.nv, 1, 16);
  out.count = 4 * out.block;
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> some(-1, 1);
  const auto fill = [&](std::vector<double>& numbers, int width, double largest) {
    numbers.resize(z(out.count) * z(width));
    for (double& x : numbers) x = largest * some(engine);
  };
  fill(out.q, out.nq, std::numbers::pi);
  fill(out.v, out.nv, 1);
  fill(out.acceleration, out.nv, 1);
  fill(out.effort, out.nv, 1);
  for (int k = 0; k < out.count; ++k)
    if (!tree::normalise(of, {out.q.data() + z(k) * z(out.nq), z(out.nq)})) std::abort();
  return out;
}

// ---- ours, behind the same interface -------------------------------------------------------------------------------

class OneByOne : public TreeRival {
 public:
  explicit OneByOne(const tree::Tree& of) : tree_(of), work_(of) {}

  [[nodiscard]] std::string name() const override { return "Jounce"; }
  [[nodiscard]] std::vector<std::string> ways(TreeTask) const override { return {""}; }
  void set_states(const TreeStates& states) override {
    states_ = states;
    vector_.resize(z(states.nv));
    matrix_.resize(z(states.nv) * z(states.nv));
  }
  void run(TreeTask task, int, int block) override {
    for (int k = block * states_.block; k < (block + 1) * states_.block; ++k) run_one(task, k);
  }
  void result(TreeTask task, int, int state, std::span<double> out) override {
    run_one(task, state);
    std::copy_n(task == TreeTask::crba ? matrix_.data() : vector_.data(), out.size(), out.data());
  }

 private:
  void run_one(TreeTask task, int k) {
    const double *q = states_.row(states_.q, states_.nq, k).data(), *v = states_.row(states_.v, states_.nv, k).data();
    const double* a = states_.row(states_.acceleration, states_.nv, k).data();
    const double* effort = states_.row(states_.effort, states_.nv, k).data();
    switch (task) {
      case TreeTask::aba:
        if (!tree::aba(tree_, work_, q, v, effort, vector_.data())) give_up("aba");
        break;
      case TreeTask::rnea: tree::rnea(tree_, work_, q, v, a, vector_.data()); break;
      case TreeTask::crba: tree::crba(tree_, work_, q, matrix_.data()); break;
    }
  }

  const tree::Tree& tree_;
  tree::Workspace<double> work_;
  TreeStates states_;
  std::vector<double> vector_, matrix_;
};

/// A block at a time, on this thread alone.
class Together : public TreeRival {
 public:
  explicit Together(const tree::Tree& of) : batch_(of) {}

  [[nodiscard]] std::string name() const override { return "batch"; }
  [[nodiscard]] std::vector<std::string> ways(TreeTask) const override { return {""}; }
  void set_states(const TreeStates& states) override {
    block_ = states.block;
    nv_ = states.nv;
    blocks_.clear();
    for (int first = 0; first < states.count; first += block_)
      blocks_.push_back({side_by_side(states, states.q, states.nq, first), side_by_side(states, states.v, nv_, first),
                         side_by_side(states, states.acceleration, nv_, first),
                         side_by_side(states, states.effort, nv_, first)});
    vectors_.resize(z(block_) * z(nv_));
    matrices_.resize(vectors_.size() * z(nv_));
  }
  void run(TreeTask task, int, int block) override {
    const Block& b = blocks_[z(block)];
    switch (task) {
      case TreeTask::aba:
        if (!batch_.aba(block_, b.q.data(), b.v.data(), b.effort.data(), vectors_.data())) give_up("the batched aba");
        break;
      case TreeTask::rnea: batch_.rnea(block_, b.q.data(), b.v.data(), b.acceleration.data(), vectors_.data()); break;
      case TreeTask::crba: batch_.crba(block_, b.q.data(), matrices_.data()); break;
    }
  }
  void result(TreeTask task, int way, int state, std::span<double> out) override {
    run(task, way, state / block_);
    const std::vector<double>& all = task == TreeTask::crba ? matrices_ : vectors_;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = all[i * z(block_) + z(state % block_)];
  }

 private:
  struct Block {
    std::vector<double> q, v, acceleration, effort;
  };

  [[nodiscard]] std::vector<double> side_by_side(const TreeStates& states, const std::vector<double>& all, int width,
                                                 int first) const {
    std::vector<double> out(z(block_) * z(width));
    for (int k = 0; k < block_; ++k)
      for (int i = 0; i < width; ++i) out[z(i) * z(block_) + z(k)] = states.row(all, width, first + k)[z(i)];
    return out;
  }

  tree::Batch batch_;
  int block_ = 0, nv_ = 0;
  std::vector<Block> blocks_;
  std::vector<double> vectors_, matrices_;
};

// ---- measuring -----------------------------------------------------------------------------------------------------

/// One way of one program.
struct Entry {
  TreeRival* program = nullptr;
  int way = 0;
  std::vector<double> least;  ///< seconds, of each block
  long allocations = 0;

  [[nodiscard]] double seconds(int block) const {
    double sum = 0;
    for (const double s : least) sum += s;
    return sum / static_cast<double>(least.size()) / block;
  }
};

/// All in turn, block by block: what else the machine does hits them alike, and the least time of a block is one without it.
void measure(TreeTask task, int blocks, std::vector<Entry>& entries) {
  const auto start = Clock::now();
  for (int round = 0; round < 4 || seconds_since(start) < kSecondsEach; ++round)
    for (Entry& entry : entries) {
      const long before = allocations();
      for (int b = 0; b < blocks; ++b) {
        const auto clock = Clock::now();
        entry.program->run(task, entry.way, b);
        entry.least[z(b)] = std::min(entry.least[z(b)], seconds_since(clock));
      }
      if (round > 0) entry.allocations += allocations() - before;  // the first round may make room
    }
}

/// Largest difference to our results of single states, relative to the largest of those.
double difference(TreeTask task, const TreeStates& states, TreeRival& ours, Entry& entry) {
  const std::size_t n = task == TreeTask::crba ? z(states.nv) * z(states.nv) : z(states.nv);
  std::vector<double> expected(n), found(n);
  double largest = 0, size = 0;
  for (int k = 0; k < states.count; k += states.block) {
    ours.result(task, 0, k, expected);
    entry.program->result(task, entry.way, k, found);
    for (std::size_t i = 0; i < n; ++i) {
      largest = std::max(largest, std::abs(found[i] - expected[i]));
      size = std::max(size, std::abs(expected[i]));
    }
  }
  return largest / size;
}

/// A program in the table: its fastest way, nanoseconds a state and difference.
struct Column {
  double nanoseconds = std::numeric_limits<double>::infinity(), difference = 0;
};

void print_task(const char* name, const char* task_name, TreeTask task, const TreeStates& states,
                const std::vector<std::unique_ptr<TreeRival>>& programs) {
  std::vector<Entry> entries;
  const int blocks = states.count / states.block;
  for (const auto& program : programs)
    for (std::size_t way = 0; program && way < program->ways(task).size(); ++way)
      entries.push_back({program.get(), static_cast<int>(way), std::vector<double>(z(blocks), 1e300)});
  measure(task, blocks, entries);

  std::vector<Column> columns(programs.size());
  long made = 0;
  for (Entry& entry : entries) {
    const auto at =
        z(static_cast<int>(std::ranges::find(programs, entry.program, &std::unique_ptr<TreeRival>::get) - programs.begin()));
    Column& column = columns[at];
    column.nanoseconds = std::min(column.nanoseconds, 1e9 * entry.seconds(states.block));
    column.difference = std::max(column.difference, difference(task, states, *programs[0], entry));
    if (at < 2) made += entry.allocations;
  }
  const auto number = [](double x, const char* format) {
    char text[32] = "-";
    if (std::isfinite(x)) std::snprintf(text, sizeof text, format, x);
    return std::string(text);
  };
  const double ours = columns[0].nanoseconds, best = std::min(columns[2].nanoseconds, columns[3].nanoseconds);
  std::printf("%-11s %5d  %-5s | %9s %9s | %9s %8s | %9s %8s | %7s %7s | %5ld\n", name, states.nv, task_name,
              number(ours, "%.0f").c_str(), number(columns[1].nanoseconds, "%.1f").c_str(),
              number(columns[2].nanoseconds, "%.0f").c_str(), programs[2] ? number(columns[2].difference, "%.0e").c_str() : "-",
              number(columns[3].nanoseconds, "%.0f").c_str(), programs[3] ? number(columns[3].difference, "%.0e").c_str() : "-",
              number(best / ours, "%.2f").c_str(), number(best / columns[1].nanoseconds, "%.1f").c_str(), made);
}

void print_tree(const char* name, tree::Tree of) {
  of.gravity = {0, 0, -kTreeGravity};
  const TreeStates states = random_states(of);
  std::vector<std::unique_ptr<TreeRival>> programs(4);
  programs[0] = std::make_unique<OneByOne>(of);
  programs[1] = std::make_unique<Together>(of);
  [[maybe_unused]] const std::vector<RivalLink> links = plain(of);
#ifdef JOUNCE_BENCH_PINOCCHIO
  if (of.dofs() <= kMostPinocchioDofs) programs[2] = open_pinocchio(links);
#endif
#ifdef JOUNCE_BENCH_MUJOCO
  programs[3] = open_mujoco(links);
#endif
  for (const auto& program : programs)
    if (program) program->set_states(states);
  print_task(name, "aba", TreeTask::aba, states, programs);
  print_task(name, "rnea", TreeTask::rnea, states, programs);
  print_task(name, "crba", TreeTask::crba, states, programs);
}

}  // namespace

void bench_trees(const char* robots) {
  std::printf(
      "Nanoseconds a state on one core: one state at a call, and in a batch. Difference: to our single states, relative to "
      "the\n"
      "largest number. Allocations: of ours, in all calls after the first.\n\n");
  std::printf("%-11s %5s  %-5s | %9s %9s | %9s %8s | %9s %8s | %7s %7s | %5s\n", "tree", "dofs", "task", "Jounce", "batch",
              "Pinocchio", "diff.", "MuJoCo", "diff.", "best/us", "/batch", "alloc");
  if (robots == nullptr) std::printf("(no folder with iiwa.urdf, hyq.urdf and humanoid.urdf was given)\n");
  struct Robot {
    const char* name;
    bool floats;
  };
  for (const Robot& r : {Robot{"iiwa", false}, Robot{"hyq", true}, Robot{"humanoid", true}})
    if (robots != nullptr) print_tree(r.name, robot(std::string(robots) + "/" + r.name + ".urdf", r.floats));
  for (const int rods : {10, 100, 1000}) print_tree(("chain " + std::to_string(rods)).c_str(), chain_of_rods(rods));
}
