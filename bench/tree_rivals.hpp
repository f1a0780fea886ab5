// Other people's programs for trees of rigid bodies, behind one interface. Each is there only where it was installed.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// One link and the joint that carries it, in plain numbers. The link's frame is the moving frame of its joint.
struct RivalLink {
  int parent = -1;                 ///< index of an earlier link; −1: ground
  bool free = false;               ///< six degrees of freedom; otherwise a hinge about the z axis
  bool slides = false;             ///< along z in place of turning about it (loop_rivals.hpp alone)
  std::array<double, 9> axes{};    ///< by rows: the columns are the joint's axes at rest, in the parent's frame
  std::array<double, 3> origin{};  ///< of the joint, in the parent's frame
  double mass = 0;
  std::array<double, 3> com{};      ///< in the link's frame
  std::array<double, 6> inertia{};  ///< about the centre of mass: xx, xy, xz, yy, yz, zz
};

/// Gravity of every comparison: (0, 0, −9.81).
inline constexpr double kTreeGravity = 9.81;

/// Many states of one tree, one after the other. A free joint has the quaternion w, x, y, z and then the position, and as its
/// velocity the twist in the body's axes, angular part first; its acceleration is the rate of those six numbers and its effort
/// the moment and force that work on them.
struct TreeStates {
  int count = 0, block = 0;  ///< `block` of them are measured together
  int nq = 0, nv = 0;
  std::vector<double> q, v, acceleration, effort;

  [[nodiscard]] std::span<const double> row(const std::vector<double>& all, int width, int state) const {
    return {all.data() + static_cast<std::ptrdiff_t>(state) * width, static_cast<std::size_t>(width)};
  }
};

enum class TreeTask { aba, rnea, crba };

class TreeRival {
 public:
  TreeRival() = default;
  TreeRival(const TreeRival&) = delete;
  TreeRival& operator=(const TreeRival&) = delete;
  virtual ~TreeRival() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  /// Ways to do the task; the fastest counts.
  [[nodiscard]] virtual std::vector<std::string> ways(TreeTask task) const = 0;
  /// Copies the states into whatever form is best for this program.
  virtual void set_states(const TreeStates& states) = 0;
  /// The task for every state of a block.
  virtual void run(TreeTask task, int way, int block) = 0;
  /// One state, in the conventions of TreeStates: accelerations, efforts, or the inertia matrix by rows.
  virtual void result(TreeTask task, int way, int state, std::span<double> out) = 0;
};

#ifdef JOUNCE_BENCH_PINOCCHIO
[[nodiscard]] std::unique_ptr<TreeRival> open_pinocchio(const std::vector<RivalLink>& links);
#endif
#ifdef JOUNCE_BENCH_MUJOCO
[[nodiscard]] std::unique_ptr<TreeRival> open_mujoco(const std::vector<RivalLink>& links);
#endif
