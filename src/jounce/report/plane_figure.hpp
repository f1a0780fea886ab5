// What a drawing of the plane shows that depends on where the bodies are: how far slots and guides reach, how teeth mesh, what lies on what. Decided here
// once, for `jounce draw` and for the page of a report alike.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "jounce/report/scene.hpp"

namespace jounce {

/// Watches a motion and completes a scene by what it saw. Of a mechanism in space: nothing.
class PlaneFigure {
 public:
  /// The scene must outlive it.
  explicit PlaneFigure(const Scene& scene);

  /// The bodies at one instant, the ground first. Teeth mesh as they do at the first.
  void take(std::span<const Frame<double>> poses);

  /// Fills in spans, blocks, wheels, outlines, the order and the width of links.
  void complete(Scene& scene) const;

 private:
  [[nodiscard]] bool is_piston(const Scene& scene, std::size_t element) const;

  const Scene& scene_;
  std::vector<std::optional<Vec3<double>>> blocks_, pistons_;      ///< where the block of a slider is, by element; where it is if its bodies are a tube and a rod
  std::vector<std::optional<std::array<double, 2>>> spans_, strokes_, walls_;
  std::vector<Frame<double>> first_;
  std::array<double, 4> box_{};  ///< of all points: left, right, low, high
};

/// Wheels, gears, pulleys and racks as the bodies are placed: pitch radii that meet, equal teeth of those that mesh, and the tooth of one in the gap of
/// the other.
void fit_wheels(Scene& scene, std::span<const Frame<double>> poses);

/// Whether a joint pins the body at this place of it.
[[nodiscard]] bool is_pinned(const Scene& scene, int body, const Vec3<double>& p);

}  // namespace jounce
