// Forces of the plane and their rates along a motion, by series of order 1 on the element templates themselves.
//
// What moves fast does not come here: rows that ask for rates do, `explain`, and the rates of multipliers in inverse dynamics.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/plane/equations/linearisation.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

/// Places, rates and accelerations of the centres of mass: x, y, phi of each body.
struct PlaneMotionAt {
  double t = 0;
  std::span<const double> q, v, a;
};

/// What exact dry friction does in a force: its direction where it slides, and what it holds where it is stuck (a tension or torque, and its rate).
struct FrictionAt {
  double direction = std::numeric_limits<double>::quiet_NaN();  ///< −1, 0 or 1; NaN: the sign of the rate
  double held = 0, held_rate = 0;
  double load = std::numeric_limits<double>::quiet_NaN(), load_rate = 0;  ///< that friction of a joint grows with; NaN: not known
};

struct ForceAndRate {
  /// On a body: force and moment about its centre of mass.
  struct OnBody {
    int body = 0;
    std::array<double, 3> Q{}, Q_rate{};
  };
  std::array<double, 3> measure{};  ///< of a length: l, l', l''; of an angle: theta, omega, alpha; 0 of others
  std::array<double, 2> effort{};   ///< tension f and f', or torque T and T'; of a motor and of a bushing the torque on the second body
  std::vector<OnBody> bodies;       ///< the moving ones, in the order of the fields
  std::string trouble;              ///< why it has no value, or no rate, here; empty when it has
};

/// One for each force of the system; `friction` likewise, or empty: the signs of the rates.
[[nodiscard]] std::vector<ForceAndRate> forces_and_rates(const PlanarSystem& system, const PlaneMotionAt& at, std::span<const FrictionAt> friction = {});

/// The loads that friction of joints grows with at a state, as forward dynamics finds them, and their rates; where it cannot they stay unknown. One for each force.
void add_joint_loads(const PlanarSystem& system, double t, std::span<const double> q, std::span<const double> v, std::vector<FrictionAt>& friction);

/// κ = (d/dt Φqᵀ) λ, added to `sum`, which has a place for each coordinate; at a position and its rate.
void add_kappa(const Evaluation& at, std::span<const double> lambda, std::span<double> sum);

}  // namespace jounce
