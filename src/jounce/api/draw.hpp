// A technical drawing of a mechanism at an instant of its own run, as SVG.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/api/mechanism.hpp"
#include "jounce/base/stop.hpp"
#include "jounce/report/draw/drawing_options.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

/// A point fixed in a body that moves, from the body's origin in its axes.
struct TrailPoint {
  std::string name;  ///< "rod.B"
  int body = 0;
  std::array<double, 3> p{};
};

/// "rod.B": a named point, or the origin or centre of mass ("rod.origin", "rod.com"), of a body that moves. The error tells what there is.
[[nodiscard]] Result<TrailPoint> trail_point(const Mechanism& mechanism, std::string_view name);

struct Drawing {
  std::string svg;  ///< empty: there is nothing to draw
  double t = 0;     ///< at which it is: earlier than asked for when the run ended before
  Outcome outcome;  ///< of the run that leads there
  Problems problems;
};

/// `at`: none is the start of the run, or the rest of an equilibrium. A mechanism that nothing drives and that has no masses, and one that does
/// not assemble, can still be drawn at the start. `trails`: points whose paths over the whole run are drawn, too. An empty title is the
/// mechanism's name. Where the caller stops it there is nothing to draw.
[[nodiscard]] Drawing draw(const Mechanism& mechanism, std::optional<double> at = {}, const std::vector<TrailPoint>& trails = {},
                           DrawingOptions options = {}, const Stop& stop = {});

}  // namespace jounce
