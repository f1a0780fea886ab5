// How a mechanism is to be drawn, as the command line says it: for single drawings and for films.
#pragma once

#include <vector>

#include "commands.hpp"
#include "jounce/api/draw.hpp"

namespace jounce::app {

/// --width and --view.
void take_view(const ViewOptions& options, const Mechanism& mechanism, DrawingOptions& drawing, Problems& problems);
/// --trail, as often as it is there.
[[nodiscard]] std::vector<TrailPoint> trails_of(const ViewOptions& options, const Mechanism& mechanism, Problems& problems);

}  // namespace jounce::app
