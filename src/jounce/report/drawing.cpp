#include "jounce/report/drawing.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

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
    const bool about_ground = !element->pj && element->pi;
    const Vec3<double> place = about_ground ? *element->pi : element->pj.value_or(body.com.value_or(Vec3<double>{}));
    const Pixel at = sheet.at(snapshot.poses[about_ground ? 0 : z(element->j)] * place);
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

Frame<double> plane_frame(double x, double y, double phi) {
  const double c = std::cos(phi), s = std::sin(phi);
  return {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}, {x, y, 0}};
}

Poses::Poses(const Scene& scene, std::span<const std::string> columns) : space_(scene.space) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t c = 0; c < columns.size(); ++c) places.emplace(columns[c], c);
  for (const Scene::Body& body : scene.bodies) {
    const auto x = places.find(body.name + ".x");
    const auto last = places.find(body.name + (space_ ? ".qz" : ".phi"));
    const bool whole = x != places.end() && last != places.end() && last->second == x->second + (space_ ? 6 : 2);
    first_.push_back(whole ? std::optional(x->second) : std::nullopt);
  }
}

Frame<double> Poses::of(int body, std::span<const double> row) const {
  const auto& first = first_[static_cast<std::size_t>(body)];
  if (!first) return {};
  const double* at = row.data() + *first;
  if (!space_) return plane_frame(at[0], at[1], at[2]);
  return {rotation(at[3], at[4], at[5], at[6]), {at[0], at[1], at[2]}};
}

std::vector<Frame<double>> Poses::all(std::span<const double> row) const {
  std::vector<Frame<double>> out;
  out.reserve(first_.size());
  for (int b = 0; b < static_cast<int>(first_.size()); ++b) out.push_back(of(b, row));
  return out;
}

std::string draw_mechanism(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options) {
  return scene.space ? draw::draw_space(scene, snapshot, options) : draw::draw_plane(scene, snapshot, options);
}

}  // namespace jounce
