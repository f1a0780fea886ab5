// Other people's programs for trees with closed loops, behind one interface. Each is there only where it was installed.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tree_rivals.hpp"

/// A point of one link that stays on a point of another.
struct RivalBall {
  int i = -1, j = -1;                ///< links
  std::array<double, 3> on_i, on_j;  ///< in their frames
};

/// A tree whose first link alone may be free, with links in the order of their branches, and what closes it. A link without
/// mass carries one other.
struct RivalLoops {
  std::vector<RivalLink> links;
  std::vector<RivalBall> balls;
};

/// One state of it, in the conventions of TreeStates; efforts are zero.
class LoopRival {
 public:
  LoopRival() = default;
  LoopRival(const LoopRival&) = delete;
  LoopRival& operator=(const LoopRival&) = delete;
  virtual ~LoopRival() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  /// Ways to find accelerations and multipliers; the fastest counts.
  [[nodiscard]] virtual std::vector<std::string> ways() const = 0;
  virtual void set_state(std::span<const double> q, std::span<const double> v) = 0;
  virtual void run(int way) = 0;
  /// Of the last `run`, in the conventions of TreeStates.
  [[nodiscard]] virtual std::vector<double> acceleration() const = 0;
};

#ifdef JOUNCE_BENCH_PINOCCHIO
[[nodiscard]] std::unique_ptr<LoopRival> open_loops_in_pinocchio(const RivalLoops& loops);
#endif
#ifdef JOUNCE_BENCH_MUJOCO
[[nodiscard]] std::unique_ptr<LoopRival> open_loops_in_mujoco(const RivalLoops& loops);
#endif
