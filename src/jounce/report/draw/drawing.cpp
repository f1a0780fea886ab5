#include "jounce/report/draw/drawing.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "jounce/base/column_endings.hpp"
#include "jounce/report/draw/draw_parts.hpp"
#include "jounce/report/svg_curve.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {
namespace draw {

namespace {

constexpr double kMarginWithLoads = 78;  // their arrows begin outside of the mechanism

// Of a pin that suits links of these lengths, in pixels.
double pin_radius(std::vector<double> lengths) {
  std::erase_if(lengths, [](double l) { return l < 1; });
  if (lengths.empty()) return 5.5;
  std::ranges::sort(lengths);
  return std::clamp(0.13 * lengths[lengths.size() / 5], 2.6, 5.5);
}

}  // namespace

std::string_view body_colour(int body) { return body == 0 ? "currentColor" : svg::colour(z(body) - 1); }

double Drawing::pin_size() const { return pin_radius(link_lengths()); }

void Drawing::include_in(Common& common) {
  include_all();
  for (const Snapshot::Trail& trail : snapshot_.trails)
    for (const Vec3<double>& p : trail.path) sheet_.include(p);
  common.sheet.include(sheet_);
  for (const Snapshot::Load& load : snapshot_.loads) common.largest_load = std::max(common.largest_load, length(load.value));
  common.loaded = common.loaded || !snapshot_.loads.empty();
}

void Drawing::Common::fit(const Drawing& any) {
  sheet.fit(any.options_.width, loaded ? kMarginWithLoads : any.margin_, any.scene_.size);
}

std::string Drawing::draw(Common& common) {
  sheet_ = common.sheet;
  largest_load_ = common.largest_load;
  if (common.pin <= 0) common.pin = pin_size();
  out_.emplace(sheet_.width(), sheet_.height(), options_.title, kSymbolStyle);
  symbols_.emplace(*out_, common.pin);
  labels_.emplace(sheet_.width(), sheet_.height());

  const Pixel origin = sheet_.at({});
  out_->open("g", {{"class", "mechanism"},
                   {"data-scale", fmt::format("{:.12g}", sheet_.scale())},
                   {"data-origin", fmt::format("{:.12g} {:.12g}", origin.x, origin.y)}});
  draw_below();
  draw_trails();
  draw_mechanism();
  draw_loads();
  if (options_.names) name_all();
  out_->close();
  labels_->write(*out_);
  return out_->finish();
}

void Drawing::draw_trails() {
  for (std::size_t k = 0; k < snapshot_.trails.size(); ++k) {
    const Snapshot::Trail& trail = snapshot_.trails[k];
    std::vector<Pixel> path;
    path.reserve(trail.path.size());
    for (const Vec3<double>& p : trail.path) path.push_back(sheet_.at(p));
    const std::string colour(svg::colour(k + 3));
    out_->element("path", {{"class", "trail"},
                           {"data-point", trail.point},
                           {"stroke", colour},
                           {"d", svg::path(svg::simplified(path, 0.1, 1e-3))}});
    if (options_.names && !path.empty()) labels_->add(trail.point, path[path.size() / 3], 9, "point", colour);
  }
}

// Arrows of forces and moments, the largest the longest.
void Drawing::draw_loads() {
  for (const Snapshot::Load& load : snapshot_.loads) {
    const auto element = std::ranges::find(scene_.elements, load.force, &Scene::Element::name);
    if (element == scene_.elements.end() || element->j < 0) continue;
    const Scene::Body& body = scene_.bodies[z(element->j)];
    const bool about_ground = !element->pj && element->pi;
    const Pixel place = about_ground ? at(0, *element->pi) : at(element->j, element->pj.value_or(body.com.value_or(Vec3<double>{})));
    Pixel tail = place;
    if (const double size = length(load.value); size > 0) {
      // long enough to be seen, shortened where it points at the eye
      const Pixel seen = scaled(sheet_.seen(load.value), 1 / size);
      const double long_by = (24 + 34 * size / largest_load_) * length(seen);
      if (long_by < 6) continue;
      const Pixel tip = offset(place, direction({}, seen), -symbols_->pin() - 1, 0);
      tail = offset(tip, direction({}, seen), -long_by, 0);
      symbols_->arrow(tail, tip, "load force");
    } else if (const double turn = sheet_.depth(load.moment); turn != 0) {
      symbols_->turning_arrow(place, 3.6 * symbols_->pin(), "load", turn < 0);
    }
    if (options_.names) labels_->add(load.force, tail, 7, "force");
  }
}

void Drawing::mark_mass(int body, double angle, const std::vector<Pixel>& pins, double near) {
  const Scene::Body& own = scene_.bodies[z(body)];
  if (!own.com || own.mass.value_or(0) <= 0) return;
  const Pixel centre = at(body, *own.com);
  if (std::ranges::any_of(pins, [&](Pixel pin) { return length(pin - centre) < near * symbols_->pin(); })) return;
  symbols_->centre_of_mass(centre, angle);
  labels_->avoid(centre, symbols_->pin() + 1);
}

}  // namespace draw

Frame<double> plane_frame(double x, double y, double phi) {
  const auto [s, c] = sincos(phi);
  return {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}, {x, y, 0}};
}

Poses::Poses(const Scene& scene, std::span<const Column> columns) : space_(scene.space) {
  // the position of a body is one column after the other: x, y, phi, or x, y, z and the quaternion
  struct Run {
    std::size_t first = 0, length = 0;
  };
  std::unordered_map<std::string_view, Run> places;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].group != columns::kPlace[0].group) continue;
    Run& run = places.try_emplace(columns[c].owner, Run{c, 0}).first->second;
    if (run.first + run.length == c) ++run.length;
  }
  for (const Scene::Body& body : scene.bodies) {
    const auto found = places.find(body.name);
    const bool whole = found != places.end() && found->second.length == (space_ ? 7U : 3U);
    first_.push_back(whole ? std::optional(found->second.first) : std::nullopt);
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
  all(row, out);
  return out;
}

void Poses::all(std::span<const double> row, std::vector<Frame<double>>& out) const {
  out.resize(first_.size());
  for (std::size_t b = 0; b < first_.size(); ++b) out[b] = of(static_cast<int>(b), row);
}

namespace {

std::unique_ptr<draw::Drawing> drawing_of(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options) {
  return scene.space ? draw::space_drawing(scene, snapshot, options) : draw::plane_drawing(scene, snapshot, options);
}

}  // namespace

std::string draw_mechanism(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options) {
  const auto drawing = drawing_of(scene, snapshot, options);
  draw::Drawing::Common common = drawing->alone();
  drawing->include_in(common);
  common.fit(*drawing);
  return drawing->draw(common);
}

std::vector<std::string> draw_frames(const Scene& scene, std::vector<Snapshot> moments, std::vector<Snapshot::Trail> trails,
                                     const DrawingOptions& options, const Stop& stop) {
  std::vector<std::string> out;
  if (moments.empty()) return out;
  moments.front().trails = std::move(trails);
  draw::Drawing::Common common = drawing_of(scene, moments.front(), options)->alone();
  for (const Snapshot& moment : moments) drawing_of(scene, moment, options)->include_in(common);
  common.fit(*drawing_of(scene, moments.front(), options));
  out.reserve(moments.size());
  for (std::size_t k = 0; k < moments.size() && !(stop && stop()); ++k) {
    if (k > 0) moments[k].trails = std::exchange(moments[k - 1].trails, {});
    out.push_back(drawing_of(scene, moments[k], options)->draw(common));
  }
  return out;
}

}  // namespace jounce
