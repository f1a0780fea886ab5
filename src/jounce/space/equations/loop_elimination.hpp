// What loops and couplings push with, found along the tree: H x = Kᵀ λ over the passive dofs, K x given.
//
// Unit multipliers go inward like any effort, through the links between the ends of a loop and what carries both: each passive dof that is eliminated there adds to
// A = K H⁻¹ Kᵀ of the equations that pass through it, and only of those. Where a loop has arrived at the link that carries it, its equations are complete,
//
//   A λ − Pᵀ a = b,        P: what a unit multiplier does on that link, a: how the link accelerates
//
// and λ is eliminated there: the loop then is inertia of the link, P A⁻¹ Pᵀ, and the recursion goes on. Loops side by side never meet, loops on top of each other meet in one link
// and no matrix is larger than the equations of one block and their neighbours (docs/theory/loops.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jounce/math/dense.hpp"
#include "jounce/math/even_cholesky.hpp"
#include "jounce/space/closures/loop_groups.hpp"

namespace jounce {

class LoopElimination {
 public:
  /// Blocks are eliminated as one. Everything must outlive it; `active` has a flag for each dof.
  LoopElimination(const tree::Tree& tree, std::span<const std::uint8_t> active, const LoopClosures& closures, std::span<const LoopGroup> blocks);

  /// At a position at which the closures were evaluated. `within` of each block: combinations of its equations, one in each column, that are independent.
  void factor(std::span<const double> q, std::span<const Matrix> within);
  /// λ of all equations, and x of all dofs, for K x = right as far as the combinations go.
  void solve(std::span<const double> right, std::span<double> lambda, std::span<double> x);

 private:
  // A block on its way through a link, or where it has arrived.
  struct Visit {
    int link = 0, block = 0;
    int next = -1;          // on the link's parent; none on the ground
    std::size_t load = 0;   // its first in loads_
    std::size_t drive = 0;  // its first in drives_: as many as equations for each dof of the link
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
    int at = tree::kGround;     // the link that carries it
    int size = 0, rank = 0;     // equations, and combinations of them
    int own = 0;                // meeting with itself
    int arrival = -1;           // visit
    std::size_t first = 0;      // of its multipliers, in combined_
    std::vector<Neighbour> later;
    std::vector<int> between;   // meetings of those with each other: for each the ones that do not come before it
    Matrix within;
    EvenCholesky factors;
  };
  // Two visits to one link, of blocks in the order in which they are eliminated.
  struct Pair {
    int first = 0, second = 0, meeting = 0;
  };
  struct Dof {
    Vec3<double> turn, shift;     // along which it moves
    tree::Wrench<double> push;    // what moving it takes
    double per_pivot = 0, drive = 0;
  };

  void find_way(int block);
  [[nodiscard]] bool eliminates(int link) const;
  void find_order();
  void find_meetings();
  void combine();
  void eliminate(Block& block, tree::ArticulatedInertia<double>& inertia);
  void eliminate_dof(int link, int k, tree::ArticulatedInertia<double>& inertia);
  void leave(int link, const tree::ArticulatedInertia<double>& inertia);
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
  std::vector<std::vector<int>> through_;   // of each link: visits of blocks that go on
  std::vector<std::vector<Pair>> pairs_;    // likewise: of all of those
  std::vector<std::vector<int>> complete_;  // of each link, and of the ground behind them: blocks in the order in which they are eliminated
  std::vector<int> order_;                  // of each block: when
  std::vector<Meeting> meetings_;
  std::vector<std::vector<std::size_t>> drive_of_;  // of each row and entry: the place of its combinations in drives_
  std::vector<Dof> dofs_;
  std::vector<tree::Wrench<double>> loads_, biases_;
  std::vector<double> drives_, values_, combined_, column_;
  std::vector<Twist> motions_;  // of the links, while going outward
};

}  // namespace jounce
