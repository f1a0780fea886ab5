// What loops and couplings push with, found along the tree: H x = Kᵀ λ over the passive dofs, K x given.
//
// Unit multipliers go inward like any effort, through the links between the ends of a loop and what carries both: each passive
// dof that is eliminated there adds to A = K H⁻¹ Kᵀ of the equations that pass through it, and only of those. Where a loop has
// arrived at the link that carries it, its equations are complete,
//
//   A λ − Pᵀ a = b,        P: what a unit multiplier does on that link, a: how the link accelerates
//
// and λ is eliminated there: the loop then is inertia of the link, P A⁻¹ Pᵀ, and the recursion goes on. Loops side by side
// never meet, loops on top of each other meet in one link and no matrix is larger than the equations of one block and their
// neighbours (docs/theory/loops.md).
//
// A dof that moves no inertia, or so little that its pivot is rounding, cannot be eliminated. It is *light*, and goes with the
// multipliers: its acceleration is one more unknown of its block, its own equation of motion one more row, and where the loop
// decides it the two together can be solved.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jounce/math/dense.hpp"
#include "jounce/math/even_cholesky.hpp"
#include "jounce/math/even_modes.hpp"
#include "jounce/space/closures/loop_groups.hpp"

namespace jounce {

class LoopElimination {
 public:
  /// Blocks are eliminated as one, and have no passive dof in common. Everything must outlive it; `active` has a flag for each
  /// dof. Of the light dofs, which are passive, only those count that a block has to do with.
  LoopElimination(const tree::Tree& tree, std::span<const std::uint8_t> active, const LoopClosures& closures,
                  std::span<const LoopGroup> blocks, std::span<const int> light = {});

  /// At a position at which the closures were evaluated. `within` of each block: combinations of its equations, one in each
  /// column, that are independent. Where they are as many as the equations they must be these themselves: a diagonal matrix.
  void factor(std::span<const double> q, std::span<const Matrix> within);
  /// The same with what `tree::hybrid` left at that position, for the same passive dofs: its articulated inertias are those
  /// without loops, and where `borrows` these are the ones that are needed.
  void factor(const tree::Workspace<double>& articulated, std::span<const Matrix> within);
  /// Every loop is carried by the ground, and no dof is light: no inertia changes by eliminating multipliers.
  [[nodiscard]] bool borrows() const { return borrows_; }
  /// λ of all equations, and x of all dofs, for K x = right as far as the combinations go. `effort` has a number for each dof,
  /// of which those of light dofs count: H x − Kᵀ λ there, zero where it is empty and everywhere else. Where it `borrows`, x
  /// may be left out: empty.
  void solve(std::span<const double> right, std::span<double> lambda, std::span<double> x, std::span<const double> effort = {});
  /// How well the last `factor` decides the light dofs: 1 where there are none, 0 where loops leave some motion open that moves
  /// nothing.
  [[nodiscard]] double decides() const { return decides_; }

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);  // of an entry of K that no passive dof belongs to
  static constexpr int kNumbers = 6;                                     // of a wrench

  // A block on its way through a link, or where it has arrived.
  struct Visit {
    int link = 0, block = 0;
    int next = -1;          // on the link's parent; none on the ground
    std::size_t load = 0;   // its first in loads_: as many as unknowns for each of the six numbers of a wrench, so that all of
                            // them go through a link side by side
    std::size_t drive = 0;  // its first in drives_: as many as equations for each dof of the link
    int first = 0, last = 0;  // of its equations, those that act on the link lie between these (the last one excluded)
    int from = 0, to = 0;     // likewise of what it is eliminated by: all, where these are combinations
  };
  // Two blocks that meet: a matrix with a row for each combination of the first one that is eliminated.
  struct Meeting {
    int first = 0, second = 0;
    std::size_t value = 0;
  };
  struct Neighbour {
    int block = 0;
    int meeting = 0;
    int visit = -1;  // of the neighbour, where the other one is eliminated
  };
  struct Block {
    int at = tree::kGround;  // the link that carries it
    int size = 0, rank = 0;  // room for unknowns, and how many there are: combinations of the equations, then light dofs
    int combinations = 0;
    bool plain = false;      // its combinations are its equations, each by itself
    std::vector<int> light;  // dofs
    int own = 0;             // meeting with itself
    int arrival = -1;        // visit
    std::size_t first = 0;   // of its multipliers, in combined_
    std::vector<Neighbour> later;
    std::vector<int> between;  // meetings of those with each other: for each the ones that do not come before it
    Matrix within;
    EvenCholesky factors;
    EvenModes modes;  // in place of the factors, where there are light dofs
  };
  // Two visits to one link, of blocks in the order in which they are eliminated.
  struct Pair {
    int first = 0, second = 0, meeting = 0;
  };
  struct Dof {
    Vec3<double> turn, shift;   // along which it moves
    tree::Wrench<double> push;  // what moving it takes
    double per_pivot = 0, drive = 0;
  };

  void find_way(int block);
  void begin(std::span<const Matrix> within);
  [[nodiscard]] bool eliminates(int link) const;
  void find_order();
  void find_meetings();
  void combine();
  void eliminate(Block& block, tree::ArticulatedInertia<double>& inertia);
  void eliminate_dof(int link, int k, tree::ArticulatedInertia<double>& inertia);
  void drive_through(int link, int k);
  void meet(int link);
  [[nodiscard]] tree::Wrench<double> load(const Visit& visit, int c) const;
  void add_load(const Visit& visit, int c, const tree::Wrench<double>& wrench, double times);
  void carry_on(int link, int k, const tree::ArticulatedInertia<double>& inertia);
  void half(const Block& block, double* x) const;
  [[nodiscard]] double sign(const Block& block, int c) const { return block.light.empty() ? 1.0 : block.modes.sign(c); }
  [[nodiscard]] double& light_unknown(int dof);
  [[nodiscard]] bool is_light(int dof) const { return light_[static_cast<std::size_t>(dof)] >= 0; }
  void leave(int link, const tree::ArticulatedInertia<double>& inertia);
  void leave_loads(int link);
  void push_on(Block& block);
  void settle(Block& block, const Twist& motion);
  void go_inward(int link);
  void go_outward(int link, std::span<double> x);
  [[nodiscard]] bool passive(int dof) const { return active_[static_cast<std::size_t>(dof)] == 0; }

  const tree::Tree& tree_;
  std::span<const std::uint8_t> active_;
  const LoopClosures& closures_;
  std::span<const LoopGroup> groups_;
  tree::Workspace<double> work_;
  std::vector<Block> blocks_;
  std::vector<Visit> visits_;
  std::vector<std::vector<int>> through_;  // of each link: visits of blocks that go on
  std::vector<std::vector<Pair>> pairs_;   // likewise: of all of those
  std::vector<std::vector<int>>
      complete_;            // of each link, and of the ground behind them: blocks in the order in which they are eliminated
  std::vector<int> order_;  // of each block: when
  std::vector<Meeting> meetings_;
  std::vector<std::vector<std::size_t>> drive_of_;  // of each row and entry: the place of its combinations in drives_
  std::vector<Dof> dofs_;
  std::vector<int> light_,
      light_block_;  // of each light dof: its place among those of its block, which is the other; −1 of others
  double decides_ = 1;
  bool borrows_ = false;
  std::vector<tree::Wrench<double>> biases_;
  std::vector<double> loads_, drives_, values_, combined_, column_;
  std::vector<Twist> motions_;  // of the links, while going outward
};

}  // namespace jounce
