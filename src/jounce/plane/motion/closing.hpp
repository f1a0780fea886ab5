// A mechanism of the plane on the way to its assembled position. Directions are its coordinates, in metres and radians.
#pragma once

#include "jounce/math/least_squares.hpp"
#include "jounce/mechanism/closing_motion.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

class PlaneClosing final : public ClosingMotion {
 public:
  /// At the time that `evaluation` was set to.
  PlaneClosing(const PlanarSystem& system, std::span<const double> drawn, Evaluation& evaluation);

  [[nodiscard]] Habits habits() const override { return {}; }
  [[nodiscard]] const Position& drawn() const override { return drawn_; }
  [[nodiscard]] int directions() const override { return system_.coordinates(); }
  void move(Position& at, std::span<const double> step) override;
  [[nodiscard]] Vector way_from_drawn(const Position& at) override;
  [[nodiscard]] Vector weighted(std::span<const double> way) const override;
  [[nodiscard]] double longest_turn(std::span<const double> step) const override;
  [[nodiscard]] double shake(int direction) const override;

  [[nodiscard]] Vector residual(const Position& at) override;
  void linearise() override;
  [[nodiscard]] Vector gradient(std::span<const double> r) const override { return normal_.transposed_times(r); }
  [[nodiscard]] std::optional<Vector> damped_step(std::span<const double> gradient, double damping) override;
  [[nodiscard]] double curvature(std::span<const double> step) const override { return normal_.curvature(step); }
  [[nodiscard]] std::optional<Vector> newton_step(std::span<const double> r) override;

  [[nodiscard]] double size() const override { return size_; }
  [[nodiscard]] double worst_residual(const Position& at) override;
  [[nodiscard]] Moved moved(const Position& at) override;
  [[nodiscard]] std::vector<Open> open(const Position& at) override;

 private:
  const PlanarSystem& system_;
  Evaluation& evaluation_;
  double size_;
  Position drawn_;
  Vector metric_;  // the diagonal of W
  SparseNormal normal_;
};

}  // namespace jounce
