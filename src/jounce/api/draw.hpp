// A technical drawing of a mechanism at an instant of its own run, or moving along it, as SVG.
#pragma once

#include <array>
#include <functional>
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
  std::string dxf{};  ///< where it is asked for: in millimetres and ground axes, on layers
};

/// `at`: none is the start of the run, or the rest of an equilibrium. A mechanism that nothing drives and that has no masses, and one that does
/// not assemble, can still be drawn at the start. `trails`: points whose paths over the whole run are drawn, too. An empty title is the
/// mechanism's name. Where the caller stops it there is nothing to draw.
[[nodiscard]] Drawing draw(const Mechanism& mechanism, std::optional<double> at = {}, const std::vector<TrailPoint>& trails = {},
                           DrawingOptions options = {}, const Stop& stop = {});

struct AnimationOptions {
  double from = 0;                ///< s
  std::optional<double> to{};     ///< none: the end of the run
  double fps = 25;                ///< drawings for a second of playing
  std::optional<double> speed{};  ///< seconds of the motion for a second of playing; none: usual_speed
  std::vector<TrailPoint> trails{};
  DrawingOptions drawing{};
  Stop stop{};
  std::function<void(double part)> progress{};  ///< of the motion, from 0 to 1
};

/// A motion as drawings, all of one size and one scale, so that only what moves moves.
struct Animation {
  std::vector<std::string> frames;  ///< empty: there is nothing to draw
  double interval = 0;              ///< s, of playing, from one to the next
  double from = 0, to = 0;          ///< s, of the motion; earlier than asked for when the run ended before
  bool round = false;               ///< the last is the first again
  Outcome outcome;
  Problems problems;
};

/// 1 for motions of 1 s to 60 s; the others are brought to some 6 s, by a factor of one digit.
[[nodiscard]] double usual_speed(double duration);

inline constexpr double kMostFrames = 10000;

/// Seen as `draw` shows it. Where the run ends early the drawings do, too, and the outcome says why.
[[nodiscard]] Animation animate(const Mechanism& mechanism, const AnimationOptions& options = {});

/// One file that plays wherever SVG does: what stands still is in it once, and what moves has its places in time. `turns`: how often it plays; 0: on
/// and on. Refused where more than `most` bytes would be needed.
[[nodiscard]] Result<std::string> animated_svg(const Animation& animation, int turns = 0, std::size_t most = std::size_t{32} << 20U);

}  // namespace jounce
