// Where the bodies of a mechanism are at a time of its own run, and the paths of points over the whole run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jounce/io/load.hpp"
#include "jounce/report/drawing.hpp"

namespace jounce::app {

struct DrawnState {
  std::vector<Frame<double>> poses;  ///< empty: there is nothing to draw
  double t = 0;                      ///< at which they are: earlier than asked for when the run ended before
  Problems problems;
  int code = 0;
};

/// `at`: none is the start of the run, or the rest of an equilibrium. A mechanism that nothing drives and that has no masses,
/// and one that does not assemble, can still be drawn at the start.
[[nodiscard]] DrawnState drawn_state(const AnyMechanism& mechanism, const Scene& scene, std::optional<double> at);

/// A point of a body.
struct TrailPoint {
  std::string name;
  int body = 0;
  Vec3<double> p;
};

/// The paths over the whole run, as far as it goes.
[[nodiscard]] std::vector<Snapshot::Trail> trails(const AnyMechanism& mechanism, const Scene& scene,
                                                  const std::vector<TrailPoint>& points, Problems& problems);

/// What the forces and moments of the model are at this instant.
[[nodiscard]] std::vector<Snapshot::Load> loads(const AnyMechanism& mechanism, const std::vector<Frame<double>>& poses,
                                                double t);

}  // namespace jounce::app
