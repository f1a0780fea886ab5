// Friction of joints that grows with their reactions, and the reactions that change with it: both at once.
//
// With x_f the friction of joint f (what opposes its rate) and R_f the force that it carries,
//
//   x_f = c_f |R_f|,   R_f = R_f⁰ + Σ_g L_fg x_g
//
// where c_f is coefficient, radius and smoothed sign of the rate, R_f⁰ the reaction without friction, and L_fg what a unit of friction in joint g adds to
// it. However a formulation finds reactions, they depend on applied forces linearly: so these few numbers are all it takes, the same for every
// formulation, in the plane and in space.
//
// With K_fg = |c_f| |L_fg|, the right-hand side is a contraction where the spectral radius of K is below 1: there is one solution and no other. Else friction may
// lock what drives it (no solution), or hold in two ways (Painlevé); nobody is told a number then. For one joint the bound is sharp.
//
// Along a series the first coefficient is found by Newton's iteration, down to rounding; all others solve its last matrix. |R| has a corner at R = 0: a
// reaction that vanishes there, to rounding, is followed by its first coefficient that does not, forward in time.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace jounce {

/// A force that a joint carries, in any axes; in the plane the last component is 0.
using JointLoad = std::array<double, 3>;

class FrictionBalance {
 public:
  FrictionBalance() = default;
  /// `order`: the highest coefficient that will be asked for.
  FrictionBalance(std::size_t joints, int order);

  [[nodiscard]] std::size_t joints() const { return joints_; }

  /// L: what a unit of friction in `of` adds to the load of `to`. To be filled before coefficient 0.
  JointLoad& response(std::size_t to, std::size_t of) { return response_[to * joints_ + of]; }

  enum class Status {
    found,
    open,  ///< there may be no solution, or several: see `culprit`
    lost,  ///< the iteration did not come to an end
  };
  /// Coefficient m, after those below it. `factors`: coefficient m of every c; `free`: of the loads with nothing of coefficient m of friction; `size`: of all forces about, so that
  /// rounding can be told.
  [[nodiscard]] Status solve(int m, std::span<const double> factors, std::span<const JointLoad> free, double size);
  /// The joint at which uniqueness fails, after `open`.
  [[nodiscard]] std::size_t culprit() const { return culprit_; }

  /// Coefficient m of the friction of a joint, of the size of its load, and of the load itself.
  [[nodiscard]] double effort(int m, std::size_t joint) const { return effort_[at(m, joint)]; }
  [[nodiscard]] double size(int m, std::size_t joint) const { return size_[at(m, joint)]; }
  [[nodiscard]] const JointLoad& load(int m, std::size_t joint) const { return load_[at(m, joint)]; }
  /// Of the load along the direction that it has first.
  [[nodiscard]] double along(int m, std::size_t joint) const {
    const JointLoad &n = normal_[joint], &R = load_[at(m, joint)];
    return first_[joint] < 0 ? 0.0 : n[0] * R[0] + n[1] * R[1] + n[2] * R[2];
  }

 private:
  [[nodiscard]] std::size_t at(int m, std::size_t joint) const { return static_cast<std::size_t>(m) * joints_ + joint; }
  [[nodiscard]] bool contracts();
  void size_of_load(int m, std::size_t joint, const JointLoad& load);
  bool newton(int m);

  std::size_t joints_ = 0, culprit_ = 0;
  std::vector<JointLoad> response_;
  std::vector<double> factor_, effort_, size_;  // [order][joint]
  std::vector<JointLoad> load_;                 // [order][joint]
  std::vector<int> first_;                      // first coefficient of the load that is not zero, or −1: none so far
  std::vector<JointLoad> normal_;               // its direction
  // of the coefficient at hand
  std::span<const JointLoad> free_;
  std::vector<double> known_, bend_, residual_, rounding_, matrix_, step_;
};

}  // namespace jounce
