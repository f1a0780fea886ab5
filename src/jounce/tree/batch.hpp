// The algorithms on many states of one tree at once: several states in each register, and threads where wanted.
//
// Numbers lie in structures of arrays: x[k · count + state] is the k-th number (coordinate, dof, or entry of H row after row)
// of a state; or, where that is said, state after state: x[state · numbers + k]. The width of a register is fixed when the library is built (pack.hpp): eight states with AVX-512, four with AVX,
// else two. States never meet: each gets the numbers it would get alone, to rounding, whatever the count and the number of
// threads.
#pragma once

#include <cstdint>
#include <memory>

#include "jounce/tree/tree.hpp"

namespace jounce::tree {

/// How the numbers of many states lie.
enum class BatchOrder { by_number, by_state };

class Batch {
 public:
  /// Keeps a copy of the tree. `threads`: how many work on a call, the calling one among them; the others wait in between.
  explicit Batch(const Tree& tree, int threads = 1);
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  ~Batch();

  /// How many states go through an algorithm together.
  [[nodiscard]] static int width();
  [[nodiscard]] int threads() const;

  /// qdd = H⁻¹ (tau − C). False when some state has a passive dof that moves no inertia: its qdd are NaN, and its flag in
  /// `failed` (null, or one for each state) is not zero.
  bool aba(int count, const double* q, const double* v, const double* tau, double* qdd, std::uint8_t* failed = nullptr,
           BatchOrder order = BatchOrder::by_number);
  /// tau = H qdd + C
  void rnea(int count, const double* q, const double* v, const double* qdd, double* tau, BatchOrder order = BatchOrder::by_number);
  /// H, both halves. The first call makes room for one H per thread and lane; nothing else in this class allocates.
  void crba(int count, const double* q, double* h, BatchOrder order = BatchOrder::by_number);

 private:
  struct Team;
  std::unique_ptr<Team> team_;
};

}  // namespace jounce::tree
