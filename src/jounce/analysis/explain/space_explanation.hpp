// A mechanism of space laid open at one instant: joints, bodies, the joint-space equations H a + C = τ and the loops.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/math/dense_matrix.hpp"
#include "jounce/mechanism/analysis.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

struct SpaceMechanism;

struct SpaceExplanation {
  struct Joint {
    std::string name, type, parent, child;
    std::vector<bool> prescribed;               ///< one for each dof
    std::vector<double> q, v, a, j, s, tau;     ///< to snap; tau is empty where masses are missing
    std::vector<double> force, moment;          ///< likewise; on the child at the joint's frame, in ground axes
  };
  struct Body {
    std::string name;
    std::vector<double> position, quaternion, velocity, angular_velocity, acceleration, angular_acceleration;
  };
  /// φ = 0, K v = ν, K a = γ, K j = η and K s = σ.
  struct Closure {
    std::string name;  ///< "loop 'closure'"
    std::vector<double> phi, nu, gamma, eta, sigma;
    std::vector<double> lambda, lambda_rate;  ///< empty where masses are missing
    std::vector<std::vector<double>> K;       ///< [row][dof]
  };
  struct Force {
    struct OnBody {
      std::string body;
      std::array<double, 6> Q{}, Q_rate{};  ///< force, then moment about the centre of mass, in ground axes
    };
    std::string name, type;
    std::vector<std::string> columns;  ///< of results: "l", "v", "f"
    std::vector<double> value, rate;   ///< one for each
    std::vector<OnBody> bodies;        ///< the moving ones, in the order of its fields
    std::string trouble;               ///< why it has no value here; empty when it has
  };

  double t = 0;
  /// What brought it there: inverse where every motion is prescribed, kinematics where masses are missing besides, else dynamics.
  Analysis by = Analysis::inverse;
  std::vector<Joint> joints;
  std::vector<Body> bodies;  ///< without the ground
  DenseMatrix H{0, 0};
  std::vector<double> C;
  std::vector<Closure> closures;  ///< loops, then couplings
  std::vector<Force> forces;      ///< gravity is not among them, nor are springs, dampers and torques of joints
};

struct SpaceExplainResult {
  Outcome outcome;
  Problems problems;
  std::optional<SpaceExplanation> explanation;
};

/// At time t of the mechanism's own run.
[[nodiscard]] SpaceExplainResult explain(const SpaceMechanism& mechanism, double t, const Stop& stop = {});

}  // namespace jounce
