// Every constraint and force laid open at one instant: what a student compares with the lecture notes.
//
// For each joint and driver: the residual Φ, the Jacobian block of each body, and the right-hand sides
//   Φq q̇ = ν,  Φq q̈ = γ,  Φq q⃛ = η,  Φq q⁗ = σ,  and κ = (d/dt Φqᵀ) λ for given multipliers.
// For each force: the generalized force Q of each body and its rate, and of a spring the length, the tension and their rates.
// The numbers come from evaluating the one residual template on double, dual numbers and power series directly, not through the
// kernels that the analyses use: the two roads check each other.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

struct PlaneMechanism;

struct ExplainedBlock {
  std::string body;
  std::vector<std::array<double, 3>> phi_q;  ///< [row], columns x, y, phi
  std::array<double, 3> kappa{};
};

struct ExplainedConstraint {
  std::string name, group, type;
  std::vector<double> phi, nu, gamma, eta, sigma, lambda;  ///< one per equation
  std::vector<double> lambda_rate;                         ///< where they follow from masses and forces; else empty
  std::vector<ExplainedBlock> bodies;                      ///< the moving ones, in the order of the fields
};

struct ExplainedForceBlock {
  std::string body;
  std::array<double, 3> Q{}, Q_rate{};  ///< x, y, phi; the moment about the reference point
};

struct ExplainedForce {
  std::string name, type;
  /// What it acts along: a length, an angle, or neither (a function of time).
  enum class Along { none, length, angle } along = Along::none;
  std::array<double, 3> measure{};           ///< l, l', l'' of a length; theta, omega, alpha of an angle
  std::array<double, 2> effort{};            ///< tension f and f', or torque T and T'
  std::vector<ExplainedForceBlock> bodies;  ///< the moving ones, in the order of the fields
  std::string trouble;                       ///< why it has no value here; empty when it has
};

struct ExplainedBody {
  std::string name;
  bool at_origin = true;                       ///< false: the reference point (centre of mass) is not the body's origin
  std::array<std::array<double, 3>, 5> q{};    ///< x, y, phi of the reference point and their four derivatives
};

struct Explanation {
  double t = 0;
  std::vector<ExplainedBody> bodies;
  std::vector<ExplainedConstraint> constraints;  ///< in the order of the model file
  std::vector<ExplainedForce> forces;            ///< in the order of the model file; gravity is not among them
  std::string multipliers;  ///< where λ comes from: "given", "computed from the masses and gravity" (and "forces"), or "1 for every equation"
};

struct ExplainResult {
  Outcome outcome;
  Problems problems;
  std::optional<Explanation> explanation;
};

/// At time t of the mechanism's own run: by its drivers where they decide the motion, else by forward dynamics, with the accelerations and
/// multipliers that masses and forces give. `lambda`: one multiplier per equation in the order of the file; empty: computed from masses, gravity
/// and forces where they are known (of the least norm where they are not unique), else 1 for every equation.
[[nodiscard]] ExplainResult explain(const PlaneMechanism& mechanism, double t, const std::vector<double>& lambda = {}, const Stop& stop = {});

/// The same at a state of the caller's choice: q_k(body) as [derivative][3 · body + coordinate].
[[nodiscard]] Explanation explain_state(const PlaneMechanism& mechanism, double t, const std::array<std::vector<double>, 5>& q,
                                        const std::vector<double>& lambda = {});

}  // namespace jounce
