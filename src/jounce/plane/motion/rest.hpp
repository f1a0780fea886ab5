// A mechanism of the plane at rest. A position is x, y, phi of every body's centre of mass, lengths in sizes of the mechanism; directions
// are the same.
#pragma once

#include "jounce/mechanism/rest_motion.hpp"
#include "jounce/plane/equations/linearisation.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

class PlaneRest final : public RestMotion {
 public:
  /// At t = 0, where every motion must have a value.
  explicit PlaneRest(const PlaneMechanism& mechanism);

  [[nodiscard]] Position begin(std::span<const double> q) override;
  [[nodiscard]] std::vector<double> coordinates(const Position& at) const override;
  [[nodiscard]] double size() const override { return size_; }
  [[nodiscard]] double reach(const Position& at) const override { return largest(at); }
  void move(Position& at, std::span<const double> step) override;
  [[nodiscard]] std::vector<double> way(const Position& from, const Position& to) override;

  [[nodiscard]] std::vector<double> residual(const Position& at) override;
  [[nodiscard]] Matrix gradients(const Position& at) override;
  [[nodiscard]] std::optional<Fault> forces(const Position& at, Forces& out) override;

  [[nodiscard]] Matrix stiffness(const Position& at, std::span<const double> y, const Matrix& Z) override;
  [[nodiscard]] Matrix damping(const Position& at, const Matrix& Z) override;
  [[nodiscard]] Matrix mass(const Position& at, const Matrix& Z) override;
  [[nodiscard]] Matrix shapes(const Matrix& Z) const override { return Z; }
  [[nodiscard]] std::vector<double> directions(std::span<const double> shape) const override { return {shape.begin(), shape.end()}; }

  [[nodiscard]] std::vector<double> multipliers(const Position& at, std::span<const double> y) override;
  [[nodiscard]] std::vector<std::string> components() const override;
  [[nodiscard]] Direction direction(int index) const override;
  [[nodiscard]] std::string advice() const override;

 private:
  [[nodiscard]] Fault no_value(const ForceFault& fault) const;
  [[nodiscard]] Matrix reduced(std::span<const Triplet> entries, const Matrix& Z) const;

  const PlaneMechanism& mechanism_;
  const PlanarSystem& system_;
  Evaluation evaluation_;
  Linearisation linear_;
  double size_;
  std::vector<double> unit_;  // of each coordinate: a size or a radian
};

}  // namespace jounce
