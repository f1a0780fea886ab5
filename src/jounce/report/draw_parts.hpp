// What drawings of the plane and of space share.
#pragma once

#include <algorithm>

#include "jounce/report/draw_sheet.hpp"
#include "jounce/report/draw_symbols.hpp"
#include "jounce/report/drawing.hpp"

namespace jounce::draw {

[[nodiscard]] std::string draw_plane(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options);
[[nodiscard]] std::string draw_space(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options);

inline std::size_t z(int i) { return static_cast<std::size_t>(i); }

/// The radius of a pin that suits links of these lengths, in pixels.
[[nodiscard]] double pin_radius(std::vector<double> lengths);
/// The colour of a body; the ground has that of the text.
[[nodiscard]] std::string_view body_colour(int body);
/// The group that says how pixels and metres go together.
void open_drawing(svg::Writer& out, const Sheet& sheet);
void draw_trails(svg::Writer& out, const Sheet& sheet, const Snapshot& snapshot, Labels* names);
/// Arrows of forces and moments, the largest the longest.
void draw_loads(Symbols& symbols, const Sheet& sheet, const Scene& scene, const Snapshot& snapshot, Labels* names);

}  // namespace jounce::draw
