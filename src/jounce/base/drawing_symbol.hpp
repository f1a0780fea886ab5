// The symbols that mechanisms are drawn with: a small closed vocabulary. An element says in its own file which of them it is
// drawn as, and drawings know symbols only; so a new type needs no new drawing, and a new symbol is known to all types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jounce {

enum class DrawingSymbol : std::uint8_t {
  mark,  ///< plain: of an element that does not say how it is drawn
  none,  ///< nothing of its own: a coupling
  // the plane
  pin,       ///< two bodies turn about it
  slot,      ///< a groove in one body, with the pin of the other in it
  slider,    ///< a block on a guide
  rod,       ///< a massless link between two points
  gears,     ///< two wheels, or two pulleys and their belt
  wheel,     ///< it rolls on a track or on a rack
  weld,      ///< also in space
  parallel,  ///< two strokes across each of two lines
  guide,     ///< a coordinate that is held, or that follows another
  turn,      ///< a motor that turns one body on another
  motor,     ///< one with a torque of its own
  push,      ///< a motor along a line or a coordinate
  cylinder,  ///< a hydraulic one between two points
  // forces of the plane and of space
  spring,   ///< coil, damper, friction strut and actuator, as far as it has them, between two points
  spiral,   ///< the same about a pin
  bushing,  ///< a block of rubber
  force,
  moment,
  wrench,
  // joints of space
  hinge,
  slide,
  sleeve,  ///< it turns about a bar and slides along it
  screw,   ///< a nut on a thread
  universal,
  gimbal,
  ball,            ///< in its socket
  table,           ///< a foot that slides on a plane
  crossed_slides,  ///< a block that slides three ways
  afloat,          ///< no connection at all
  screws,          ///< any motions one after another
};

/// As the document of a report has it.
constexpr std::string_view word(DrawingSymbol symbol) {
  constexpr std::array<std::string_view, 32> kWords{
      "mark",   "none",  "pin",    "slot",      "slider", "rod",    "gears", "wheel",          "weld",   "parallel",
      "guide",  "turn",  "motor",  "push",      "cylinder", "spring", "spiral", "bushing",      "force",  "moment", "wrench", "hinge",
      "slide",  "sleeve", "screw", "universal", "gimbal", "ball",   "table", "crossed-slides", "afloat", "screws"};
  static_assert(kWords.size() == static_cast<std::size_t>(DrawingSymbol::screws) + 1);
  return kWords[static_cast<std::size_t>(symbol)];
}

}  // namespace jounce
