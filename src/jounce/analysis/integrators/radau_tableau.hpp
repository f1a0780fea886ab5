// The coefficients of Radau IIA with three stages.
#pragma once

#include <array>

namespace jounce::radau {

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

/// The polynomial through three values at the nodes, and its integral from the start of a step: the quadrature that the method is.
class StagePolynomial {
 public:
  constexpr void through(const Stages& value) {
    const double first = (value[1] - value[0]) / (kNode[1] - kNode[0]), second = (value[2] - value[1]) / (kNode[2] - kNode[1]);
    const double bend = (second - first) / (kNode[2] - kNode[0]);
    c_ = {value[0] - kNode[0] * (first - kNode[1] * bend), first - (kNode[0] + kNode[1]) * bend, bend};
  }
  /// Over s steps.
  [[nodiscard]] constexpr double integral(double s) const { return s * (c_[0] + s * (c_[1] / 2 + s * (c_[2] / 3))); }

 private:
  Stages c_{};
};

}  // namespace jounce::radau
