// One long step across a singular position: the motion as a polynomial over a stretch of time with the singular position in its middle.
//
// On the way that a mechanism goes, its motion is smooth across a singular position; only the equations do not say so there. The polynomial
// meets them at the eight nodes of Gauss (Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I, section II.7: order 16), of which
// the two next to the middle keep away from it by 0.18 of the half: there the equations are regular. At every node the state is put on the
// constraints first, so that errors across the way do not count. Nodes are found one after the other from the side where the motion comes from, each
// from what was found before, and then all together until they do not change any more.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "jounce/mechanism/forward_motion.hpp"

namespace jounce {

class Crossing final : public Stepper {
 public:
  static constexpr int kNodes = 8;

  /// A state that was passed before the stretch, or at its start.
  struct Known {
    double t;
    std::vector<double> y;
  };

  Crossing(ForwardMotion& motion, double tolerance, double middle);

  /// From the last of the states behind to as far behind the middle as that is before it. False where no smooth motion was found on this stretch, or where it does
  /// not lie on the constraints next to the middle: they do not let it pass.
  [[nodiscard]] bool find(std::span<const Known> behind);

  /// Where the singular position was found to be exactly; without one the motion has only come near it.
  void set_passage(double t) { singular_ = t; }
  /// Half of the stretch.
  [[nodiscard]] double half() const { return (t_ - previous_t_) / 2; }
  /// Where none was found: so much of the stretch may do.
  [[nodiscard]] double shorter() const;

  Status start(double, std::span<const double>) override { return Status::accepted; }
  Status step(double) override { return Status::accepted; }
  [[nodiscard]] double t() const override { return t_; }
  [[nodiscard]] double previous_t() const override { return previous_t_; }
  bool dense(double t, std::span<double> y) override;
  [[nodiscard]] Fault fault() const override { return motion_.fault(); }
  [[nodiscard]] StepperStatistics statistics() const override { return {.steps = 1, .rejected = 0, .factorisations = evaluations_, .largest_projection = off_}; }
  [[nodiscard]] std::optional<double> passage() const override { return singular_; }

 private:
  void at(double t, std::span<double> y) const;
  [[nodiscard]] double node_time(int node) const;
  [[nodiscard]] bool evaluate(int node, std::vector<double>& y);
  [[nodiscard]] bool sweep(std::span<const Known> behind);
  void fit();
  [[nodiscard]] bool settle_nodes();
  [[nodiscard]] bool accurate();
  [[nodiscard]] double size(std::size_t i) const { return 1 + std::abs(start_[i]); }

  ForwardMotion& motion_;
  double tolerance_, middle_;
  std::optional<double> singular_{};
  double t_ = 0, previous_t_ = 0, off_ = 0, excess_ = 0;
  long evaluations_ = 0;
  std::vector<double> start_, end_, rate_;
  std::array<std::vector<double>, kNodes> slope_, terms_;  // at the nodes; of Legendre's polynomials
};

}  // namespace jounce
