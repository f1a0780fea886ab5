// A mechanism of space on the way to its assembled position. Directions are the passive dofs, lengths in sizes of the mechanism, with steps
// along tree::move.
#pragma once

#include "jounce/mechanism/closing_motion.hpp"
#include "jounce/space/closures/scaled_closures.hpp"

namespace jounce {

class SpaceClosing final : public ClosingMotion {
 public:
  /// From coordinates with the active ones where their motions are.
  SpaceClosing(const SpaceMechanism& mechanism, std::vector<double> start, ScaledClosures& closures);

  /// Most models are drawn closed to a few digits.
  [[nodiscard]] Habits habits() const override {
    return {.newton_first = true, .newton_steps = 12, .newton_below = 1e-3, .restart_limit = 200};
  }
  [[nodiscard]] const Position& drawn() const override { return start_; }
  [[nodiscard]] int directions() const override { return static_cast<int>(closures_.passive().size()); }
  void move(Position& at, std::span<const double> step) override;
  [[nodiscard]] Vector way_from_drawn(const Position& at) override;
  [[nodiscard]] Vector weighted(std::span<const double> way) const override { return {way.begin(), way.end()}; }
  [[nodiscard]] double longest_turn(std::span<const double> step) const override { return largest(step); }
  [[nodiscard]] double shake(int /*direction*/) const override { return 1; }

  [[nodiscard]] Vector residual(const Position& at) override;
  void linearise() override;
  [[nodiscard]] Vector gradient(std::span<const double> r) const override;
  [[nodiscard]] std::optional<Vector> damped_step(std::span<const double> gradient, double damping) override;
  [[nodiscard]] double curvature(std::span<const double> step) const override;
  [[nodiscard]] std::optional<Vector> newton_step(std::span<const double> r) override;

  [[nodiscard]] double size() const override { return closures_.size(); }
  [[nodiscard]] double worst_residual(const Position& at) override;
  [[nodiscard]] Moved moved(const Position& at) override;
  [[nodiscard]] std::vector<Open> open(const Position& at) override;

 private:
  const SpaceMechanism& mechanism_;
  Position start_;
  ScaledClosures& closures_;
  [[nodiscard]] Vector part(const LoopGroup& group, std::span<const double> of_all) const;
  void put(const LoopGroup& group, std::span<const double> part, Vector& to) const;

  Vector way_;                             // one for each dof
  std::vector<int> direction_;             // of each dof: its place among the passive ones, or −1
  std::vector<Matrix> jacobian_, normal_;  // of each group of loops
  double damping_ = 0;
};

}  // namespace jounce
