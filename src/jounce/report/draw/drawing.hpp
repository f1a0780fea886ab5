// A technical drawing of a mechanism at one instant, as SVG.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/base/stop.hpp"
#include "jounce/report/draw/drawing_options.hpp"
#include "jounce/report/scene.hpp"
#include "jounce/results/column.hpp"

namespace jounce {

/// What is drawn: places in metres and in ground axes.
struct Snapshot {
  struct Trail {
    std::string point;
    std::vector<Vec3<double>> path;
  };
  struct Load {
    std::string force;  ///< the element's name
    Vec3<double> value, moment;
  };
  std::vector<Frame<double>> poses;  ///< of every body of the scene, the ground first
  std::vector<Trail> trails;
  std::vector<Load> loads;  ///< what forces and moments are at this instant
};

/// A body of the plane whose origin is there, turned by phi.
[[nodiscard]] Frame<double> plane_frame(double x, double y, double phi);

/// Finds the poses in rows of results; `columns` say what their values are. A body without columns stays at the origin.
class Poses {
 public:
  Poses(const Scene& scene, std::span<const Column> columns);

  [[nodiscard]] Frame<double> of(int body, std::span<const double> row) const;
  [[nodiscard]] std::vector<Frame<double>> all(std::span<const double> row) const;
  /// The same without a new vector.
  void all(std::span<const double> row, std::vector<Frame<double>>& out) const;

 private:
  bool space_;
  std::vector<std::optional<std::size_t>> first_;  // column of each body's x; the others of its pose follow
};

/// Its first group carries `data-scale`, pixels for a metre, and `data-origin`, the pixel of the ground's origin.
[[nodiscard]] std::string draw_mechanism(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options);

/// The same at several instants: every one on the same sheet, in the same place and at the same scale. `trails` lie on each, and the moments
/// have none of their own. Where it is stopped there are fewer.
[[nodiscard]] std::vector<std::string> draw_frames(const Scene& scene, std::vector<Snapshot> moments, std::vector<Snapshot::Trail> trails,
                                                   const DrawingOptions& options, const Stop& stop = {});

}  // namespace jounce
