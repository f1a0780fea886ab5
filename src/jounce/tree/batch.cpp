#include "jounce/tree/batch.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "jounce/base/index.hpp"
#include "jounce/tree/algorithms.hpp"
#include "jounce/tree/helpers.hpp"

namespace jounce::tree {
namespace {

/// Some of the states of a call: those of one pack. The rest of a pack that is not full is made of states at rest.
struct Block {
  std::size_t count = 0, first = 0;
  int here = kPack;
  BatchOrder order = BatchOrder::by_number;

  void load(const double* from, std::span<const double> rest, std::vector<Pack>& to) const {
    if (order == BatchOrder::by_state) return load_states(from, rest, to);
    for (std::size_t k = 0; k < to.size(); ++k) {
      const double* p = from + k * count + first;
      if (here == kPack) {
        to[k] = Pack::load(p);
      } else {
        Pack x(rest.empty() ? 0.0 : rest[k]);
        for (int i = 0; i < here; ++i) x.v[i] = p[i];
        to[k] = x;
      }
    }
  }
  void load_states(const double* from, std::span<const double> rest, std::vector<Pack>& to) const {
    const std::size_t numbers = to.size();
    const double* p = from + first * numbers;
    for (std::size_t k = 0; k < numbers; ++k, ++p) {
      Pack x(rest.empty() ? 0.0 : rest[k]);
      for (int i = 0; i < here; ++i) x.v[i] = p[z(i) * numbers];
      to[k] = x;
    }
  }
  void store_states(const std::vector<Pack>& from, double* to) const {
    const std::size_t numbers = from.size();
    double* p = to + first * numbers;
    for (int i = 0; i < here; ++i)
      for (std::size_t k = 0; k < numbers; ++k) *p++ = from[k][i];
  }
  void store(const std::vector<Pack>& from, double* to) const {
    if (order == BatchOrder::by_state) return store_states(from, to);
    for (std::size_t k = 0; k < from.size(); ++k) {
      double* p = to + k * count + first;
      if (here == kPack)
        from[k].store(p);
      else
        for (int i = 0; i < here; ++i) p[i] = from[k][i];
    }
  }
};

enum class Task { aba, rnea, crba };

struct Call {
  Task task = Task::aba;
  int count = 0;
  const double *q = nullptr, *v = nullptr, *in = nullptr;
  double* out = nullptr;
  std::uint8_t* failed = nullptr;
  BatchOrder order = BatchOrder::by_number;
};

/// Where one pack of states is computed.
struct Lane {
  explicit Lane(const Tree& tree)
      : work(tree), q(z(tree.coordinates())), v(z(tree.dofs())), in(z(tree.dofs())), out(z(tree.dofs())) {}

  Workspace<Pack> work;
  std::vector<Pack> q, v, in, out;

  void load(const Call& call, std::span<const double> rest, const Block& block) {
    block.load(call.q, rest, q);
    if (call.task == Task::crba) return;
    block.load(call.v, {}, v);
    block.load(call.in, {}, in);
  }
  [[nodiscard]] detail::ArticulatedState<Pack> state() { return {work, q.data(), v.data(), in.data(), out.data()}; }
};

/// What one thread works with.
struct Worker {
  explicit Worker(const Tree& tree) : lanes{Lane(tree), Lane(tree)} {}

  std::array<Lane, 2> lanes;  ///< two packs go through `aba` in turns
  std::vector<Pack> h;
  bool good = true;

  /// As many of the blocks as are computed together, from the first on; says how many.
  std::size_t run(const Tree& tree, std::span<const double> rest, const Call& call, std::span<const Block> blocks) {
    lanes[0].load(call, rest, blocks[0]);
    if (call.task == Task::crba) {
      crba(tree, lanes[0].work, lanes[0].q.data(), h.data());
      blocks[0].store(h, call.out);
      return 1;
    }
    if (call.task == Task::rnea) {
      Lane& lane = lanes[0];
      rnea<Pack>(tree, lane.work, lane.q.data(), lane.v.data(), lane.in.data(), lane.out.data());
      blocks[0].store(lane.out, call.out);
      return 1;
    }
    if (blocks.size() == 1) {
      std::array<detail::ArticulatedState<Pack>, 1> alone{{lanes[0].state()}};
      detail::articulated<1, Pack>(tree, alone, nullptr, nullptr, nullptr);
      hand_over(call, blocks[0], alone[0].pivots.good, lanes[0]);
      return 1;
    }
    lanes[1].load(call, rest, blocks[1]);
    std::array<detail::ArticulatedState<Pack>, 2> pair{{lanes[0].state(), lanes[1].state()}};
    detail::articulated<2, Pack>(tree, pair, nullptr, nullptr, nullptr);
    for (std::size_t k = 0; k < 2; ++k) hand_over(call, blocks[k], pair[k].pivots.good, lanes[k]);
    return 2;
  }

  void hand_over(const Call& call, const Block& block, const PackFlags& passed, Lane& lane) {
    for (int i = 0; i < block.here; ++i) {
      const bool failed = !passed[i];
      if (call.failed) call.failed[block.first + z(i)] = failed;
      if (!failed) continue;
      good = false;
      for (Pack& x : lane.out) x.v[i] = std::numeric_limits<double>::quiet_NaN();
    }
    block.store(lane.out, call.out);
  }
};

}  // namespace

/// The workers, each with its share of the packs, always the same, and what they share.
struct Batch::Team {
  Team(const Tree& of, int threads)
      : tree(of),
        rest(neutral(of)),
        workers(z(std::max(threads, 1)), Worker(of)),
        helpers(workers.size(), [this](std::size_t k) { work_on_share(k); }) {}

  bool run(const Call& next) {
    if (next.count <= 0) return true;
    for (Worker& worker : workers) worker.good = true;
    call = next;
    helpers.run();
    return std::all_of(workers.begin(), workers.end(), [](const Worker& worker) { return worker.good; });
  }

  void work_on_share(std::size_t k) {
    const std::size_t count = z(call.count), blocks = (count + kPack - 1) / kPack, last = blocks * (k + 1) / workers.size();
    const auto block = [&](std::size_t b) {
      return Block{count, b * kPack, static_cast<int>(std::min<std::size_t>(kPack, count - b * kPack)), call.order};
    };
    for (std::size_t b = blocks * k / workers.size(); b < last;) {
      const std::array<Block, 2> next{block(b), b + 1 < last ? block(b + 1) : Block{}};
      b += workers[k].run(tree, rest, call, std::span(next).first(b + 1 < last ? 2 : 1));
    }
  }

  Tree tree;
  std::vector<double> rest;  ///< coordinates of the tree at rest
  std::vector<Worker> workers;
  Call call;
  Helpers helpers;  ///< the last: they stop before what they work on goes
};

Batch::Batch(const Tree& tree, int threads) : team_(std::make_unique<Team>(tree, threads)) {}
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
Batch::~Batch() = default;

int Batch::width() { return kPack; }
int Batch::threads() const { return static_cast<int>(team_->workers.size()); }

bool Batch::aba(int count, const double* q, const double* v, const double* tau, double* qdd, std::uint8_t* failed, BatchOrder order) {
  return team_->run({Task::aba, count, q, v, tau, qdd, failed, order});
}

void Batch::rnea(int count, const double* q, const double* v, const double* qdd, double* tau, BatchOrder order) {
  team_->run({Task::rnea, count, q, v, qdd, tau, nullptr, order});
}

void Batch::crba(int count, const double* q, double* h, BatchOrder order) {
  const std::size_t dofs = z(team_->tree.dofs());
  for (Worker& worker : team_->workers) worker.h.resize(dofs * dofs);
  team_->run({Task::crba, count, q, nullptr, nullptr, h, nullptr, order});
}

}  // namespace jounce::tree
