// A mechanism of space at rest. A position is all its coordinates; directions are the passive dofs, with steps along tree::move, so that
// rotations need no coordinates.
//
// All derivatives are exact: those of τ − C by dual numbers, and that of Kᵀλ from the accelerations k that velocities make in the loops,
// which are quadratic in them.
#pragma once

#include "jounce/mechanism/rest_motion.hpp"
#include "jounce/space/equations/derivatives.hpp"

namespace jounce {

class SpaceRest final : public RestMotion {
 public:
  /// At t = 0.
  explicit SpaceRest(const SpaceMechanism& mechanism);

  [[nodiscard]] Position begin(std::span<const double> q) override;
  [[nodiscard]] std::vector<double> coordinates(const Position& at) const override { return at; }
  [[nodiscard]] double size() const override { return size_; }
  [[nodiscard]] double reach(const Position& at) const override;
  void move(Position& at, std::span<const double> step) override;
  [[nodiscard]] std::vector<double> way(const Position& from, const Position& to) override;

  [[nodiscard]] std::vector<double> residual(const Position& at) override;
  [[nodiscard]] Matrix gradients(const Position& at) override;
  [[nodiscard]] std::optional<Fault> forces(const Position& at, Forces& out) override;

  [[nodiscard]] Matrix stiffness(const Position& at, std::span<const double> y, const Matrix& Z) override;
  [[nodiscard]] Matrix damping(const Position& at, const Matrix& Z) override;
  [[nodiscard]] Matrix mass(const Position& at, const Matrix& Z) override;
  [[nodiscard]] Matrix shapes(const Matrix& Z) const override;
  [[nodiscard]] std::vector<double> directions(std::span<const double> shape) const override { return passive_part(shape); }

  [[nodiscard]] std::vector<double> multipliers(const Position& at, std::span<const double> y) override;
  [[nodiscard]] std::vector<std::string> components() const override;
  [[nodiscard]] Direction direction(int index) const override;
  [[nodiscard]] std::string advice() const override;

 private:
  [[nodiscard]] std::optional<Fault> evaluate(const Position& at);
  [[nodiscard]] std::vector<double> passive_part(std::span<const double> of_dofs) const;
  void spread(std::span<const double> scaled, std::span<double> to) const;
  [[nodiscard]] Matrix reduced(std::span<const double> entries, const Matrix& Z) const;
  [[nodiscard]] Matrix turning_of_reactions(const Position& at, std::span<const double> lambda, const Matrix& Z);

  const SpaceMechanism& mechanism_;
  SpaceEquations equations_;
  SpaceDerivatives derivatives_;
  std::vector<int> passive_;  // dofs
  double size_;
  std::vector<double> unit_, row_unit_;  // of each passive dof and each equation: a size or a radian
  std::vector<double> still_, way_;      // one for each dof
  SpaceDerivatives::AtRest rest_;        // at this position
  std::optional<Position> rest_at_;
};

}  // namespace jounce
