// The coefficients of Radau IIA with three stages, and the matrices of its Newton iteration.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "jounce/math/sparse_lu.hpp"
#include "jounce/plane/equations/linearisation.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce::radau5 {

inline constexpr int kStages = 3;
using Stages = std::array<double, kStages>;

inline constexpr Stages kNode{0.15505102572168219, 0.6449489742783178, 1.0};
// A⁻¹ T = T Λ with Λ = [γ 0 0; 0 α −β; 0 β α]: stages Z = T W, and W has the two systems apart.
inline constexpr double kGamma = 3.6378342527444957, kAlpha = 2.6810828736277521, kBeta = 3.0504301992474106;
inline constexpr std::array<Stages, kStages> kT{{{0.091232394870892943, -0.14125529502095421, -0.030029194105147424},
                                                 {0.24171793270710702, 0.20412935229379993, 0.38294211275726194},
                                                 {0.96604818261509294, 1.0, 0.0}}};
inline constexpr std::array<Stages, kStages> kInverseT{{{4.3255798900631554, 0.33919925181580987, 0.54177053993587487},
                                                        {-4.1787185915519047, -0.32768282076106239, 0.47662355450055045},
                                                        {-0.50287263494578688, 2.5719269498556054, -0.59603920482822492}}};
/// The error is h f(t, y) + Σ kError[i] z_i, solved by the real system.
inline constexpr Stages kError{-10.048809399827416, 1.3821427331607489, -1.0 / 3};

/// The two matrices of Newton's iteration, as E = h · rates + s · mass + fixed with s = γ and s = α + iβ. Differential rows are
/// multiplied by h and the unknowns μ, λ are h μ, h λ: the matrices stay regular as h goes to 0. The complex one is real with
/// twice the size, real and imaginary parts side by side.
class StepMatrices {
 public:
  StepMatrices() = default;
  StepMatrices(const PlanarSystem& system, std::span<const int> rows);

  /// Takes the values of everything; `velocity_q` are those of (Φq v + Φt)q, in the order of Φq.
  void set(std::span<const double> phi_q, std::span<const double> velocity_q, const Linearisation& linearisation);
  /// False when one of them is singular.
  [[nodiscard]] bool factor(double h);

  void solve_real(std::span<const double> right, std::span<double> x) { real_.solve(right, x); }
  /// Both: the real one, and the complex one in two parts.
  void solve(const std::array<std::vector<double>, kStages>& right, std::array<std::vector<double>, kStages>& x);

 private:
  struct JacobianPlaces {  // where an entry of Φq, and of (Φq v)q, goes
    int source, position, velocity, velocity_q, mu, lambda;
  };

  [[nodiscard]] int place(int row, int column) const;
  void add(std::span<const Triplet> triplets, int first_column, double sign);
  void expand();
  void weigh(double h);

  int n_ = 0, m_ = 0;
  SparsePattern pattern_;
  std::vector<JacobianPlaces> jacobian_;
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

}  // namespace jounce::radau5
