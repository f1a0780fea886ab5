// The matrices of an implicit step of constrained planar motion (StiffForm), sparse.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "jounce/math/sparse_lu.hpp"
#include "jounce/mechanism/stiff_form.hpp"
#include "jounce/plane/equations/linearisation.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce::stiff {

/// The two matrices of Newton's iteration, as E = h · rates + s · mass + fixed with a real and a complex s. Differential rows are
/// multiplied by h and the unknowns μ, λ are h μ, h λ: the matrices stay regular as h goes to 0. The complex one is real with
/// twice the size, real and imaginary parts side by side.
class StepMatrices {
 public:
  StepMatrices() = default;
  StepMatrices(const PlanarSystem& system, std::span<const int> rows);

  /// Takes the values of everything; `velocity_q` are those of (Φq v + Φt)q, in the order of Φq.
  void set(std::span<const double> phi_q, std::span<const double> velocity_q, const Linearisation& linearisation);
  /// ∂Q/∂λ of friction of joints, by coordinate and equation among those used; after `set`.
  void add_friction(std::span<const Triplet> by_multiplier);
  /// False when one of them is singular.
  [[nodiscard]] bool factor(double h, const StiffForm::Shifts& shifts);

  void solve_real(std::span<const double> right, std::span<double> x) { real_.solve(right, x); }
  /// Both: the real one, and the complex one in two parts.
  void solve(const StiffForm::Stages& right, StiffForm::Stages& x);

 private:
  struct JacobianPlaces {  // where an entry of Φq, and of (Φq v)q, goes
    int source, position, velocity, velocity_q, mu, lambda;
  };

  [[nodiscard]] int place(int row, int column) const;
  void add(std::span<const Triplet> triplets, int first_column, double sign);
  void expand();
  void weigh(double h, double shift);

  int n_ = 0, m_ = 0;
  SparsePattern pattern_;
  std::vector<JacobianPlaces> jacobian_;
  std::vector<int> friction_;                 // places of ∂Q/∂λ
  std::vector<double> rates_, mass_, fixed_;  // in the order of the pattern
  std::vector<double> values_, complex_values_, weights_, complex_weights_, complex_right_, complex_x_;
  std::vector<std::array<int, 4>> complex_places_;  // of an entry: its diagonal two, its off-diagonal two or −1
  SparseLu real_, complex_;
};

/// Of each entry of Φq: its row among those used, or −1, and its column.
[[nodiscard]] std::vector<std::pair<int, int>> used_entries(const PlanarSystem& system, std::span<const int> rows);

/// ∂Q/∂q and ∂Q/∂q̇ at some state.
class ForceDerivatives {
 public:
  void take(const Linearisation& linearisation);
  /// Adds their product with positions and velocities, times a factor.
  void add(double factor, std::span<const double> qv, std::span<double> to) const;

 private:
  std::vector<Triplet> by_q_, by_v_;
};

}  // namespace jounce::stiff
