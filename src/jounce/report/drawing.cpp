#include "jounce/report/drawing.hpp"

#include <fmt/format.h>

#include <cmath>

#include "jounce/report/draw_parts.hpp"
#include "jounce/report/svg_curve.hpp"

namespace jounce {
namespace draw {

double pin_radius(std::vector<double> lengths) {
  std::erase_if(lengths, [](double l) { return l < 1; });
  if (lengths.empty()) return 5.5;
  std::ranges::sort(lengths);
  return std::clamp(0.13 * lengths[lengths.size() / 5], 2.6, 5.5);
}

std::string_view body_colour(int body) { return body == 0 ? "currentColor" : svg::colour(z(body) - 1); }

void open_drawing(svg::Writer& out, const Sheet& sheet) {
  const Pixel origin = sheet.at({});
  out.open("g", {{"class", "mechanism"},
                 {"data-scale", fmt::format("{:.12g}", sheet.scale())},
                 {"data-origin", fmt::format("{:.12g} {:.12g}", origin.x, origin.y)}});
}

void draw_trails(svg::Writer& out, const Sheet& sheet, const Snapshot& snapshot, Labels* names) {
  for (std::size_t k = 0; k < snapshot.trails.size(); ++k) {
    const Snapshot::Trail& trail = snapshot.trails[k];
    std::vector<Pixel> path;
    for (const Vec3<double>& p : trail.path) path.push_back(sheet.at(p));
    const std::string colour(svg::colour(k + 3));
    out.element("path", {{"class", "trail"},
                         {"data-point", trail.point},
                         {"stroke", colour},
                         {"d", svg::path(svg::simplified(path, 0.1, 1e-3))}});
    if (names != nullptr && !path.empty()) names->add(trail.point, path[path.size() / 3], 9, "point", colour);
  }
}

void draw_loads(Symbols& symbols, const Sheet& sheet, const Scene& scene, const Snapshot& snapshot, Labels* names) {
  double largest = 0;
  for (const Snapshot::Load& load : snapshot.loads) largest = std::max(largest, length(load.value));
  for (const Snapshot::Load& load : snapshot.loads) {
    const auto element = std::ranges::find(scene.elements, load.force, &Scene::Element::name);
    if (element == scene.elements.end() || element->j < 0) continue;
    const Scene::Body& body = scene.bodies[z(element->j)];
    const Pixel at = sheet.at(snapshot.poses[z(element->j)] * element->pj.value_or(body.com.value_or(Vec3<double>{})));
    Pixel tail = at;
    if (const double size = length(load.value); size > 0) {
      // long enough to be seen, shortened where it points at the eye
      const Pixel seen = draw::scaled(sheet.seen(load.value), 1 / size);
      const double long_by = (24 + 34 * size / largest) * length(seen);
      if (long_by < 6) continue;
      const Pixel tip = offset(at, direction({}, seen), -symbols.pin() - 1, 0);
      tail = offset(tip, direction({}, seen), -long_by, 0);
      symbols.arrow(tail, tip, "load force");
    } else if (const double turn = sheet.depth(load.moment); turn != 0) {
      symbols.turning_arrow(at, 3.6 * symbols.pin(), "load", turn < 0);
    }
    if (names != nullptr) names->add(load.force, tail, 7, "force");
  }
}

}  // namespace draw

std::vector<Frame<double>> poses(const Scene& scene, std::span<const std::string> columns, std::span<const double> row) {
  const auto value = [&](const std::string& name, double otherwise) {
    const auto at = std::ranges::find(columns, name);
    return at == columns.end() ? otherwise : row[static_cast<std::size_t>(at - columns.begin())];
  };
  std::vector<Frame<double>> out;
  for (const Scene::Body& body : scene.bodies) {
    const std::string& n = body.name;
    Frame<double> frame;
    frame.origin = {value(n + ".x", 0), value(n + ".y", 0), value(n + ".z", 0)};
    if (scene.space) {
      const double w = value(n + ".qw", 1), x = value(n + ".qx", 0), y = value(n + ".qy", 0), z = value(n + ".qz", 0);
      frame.axes = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                    {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                    {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    } else {
      const double phi = value(n + ".phi", 0);
      frame.axes = {{std::cos(phi), std::sin(phi), 0}, {-std::sin(phi), std::cos(phi), 0}, {0, 0, 1}};
    }
    out.push_back(frame);
  }
  return out;
}

std::string draw_mechanism(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options) {
  return scene.space ? draw::draw_space(scene, snapshot, options) : draw::draw_plane(scene, snapshot, options);
}

}  // namespace jounce
