// What drawings of the plane and of space share.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jounce/base/index.hpp"
#include "jounce/report/draw/draw_sheet.hpp"
#include "jounce/report/draw/draw_symbols.hpp"
#include "jounce/report/draw/drawing.hpp"

namespace jounce::draw {

class Drawing;
[[nodiscard]] std::unique_ptr<Drawing> plane_drawing(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options);
[[nodiscard]] std::unique_ptr<Drawing> space_drawing(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options);

[[nodiscard]] inline bool drawn_as(const Scene::Element& element, std::initializer_list<DrawingSymbol> any) {
  return std::ranges::find(any, element.symbol) != any.end();
}

/// The colour of a body; the ground has that of the text.
[[nodiscard]] std::string_view body_colour(int body);

/// The frame of a drawing: its sheet, trails, loads and names. What lies between them is that of the plane or of space.
class Drawing {
 public:
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;
  virtual ~Drawing() = default;

  /// What drawings of several instants share, so that nothing jumps from one to the next.
  struct Common {
    Sheet sheet;
    double pin = 0;           ///< the radius of a pin; 0: found by the first
    double largest_load = 0;  ///< whose arrow is the longest
    bool loaded = false;      ///< one of them has arrows

    /// The sheet takes its size when everything is on it.
    void fit(const Drawing& any);
  };
  [[nodiscard]] Common alone() const { return {sheet_}; }
  /// Everything of this instant finds room on the sheet.
  void include_in(Common& common);
  [[nodiscard]] std::string draw(Common& common);

 protected:
  Drawing(const Scene& scene, const Snapshot& snapshot, const DrawingOptions& options, Sheet sheet, double margin)
      : scene_(scene), snapshot_(snapshot), options_(options), sheet_(sheet), margin_(margin) {}

  virtual void include_all() = 0;                                       ///< everything that must be on the sheet
  [[nodiscard]] virtual std::vector<double> link_lengths() const { return {}; }  ///< in pixels; the symbols are made to suit
  [[nodiscard]] virtual double pin_size() const;                        ///< the radius of a pin in pixels, which everything else goes by
  virtual void draw_below() {}                                          ///< what the trails lie on
  virtual void draw_mechanism() = 0;
  virtual void name_all() = 0;

  [[nodiscard]] int bodies() const { return static_cast<int>(scene_.bodies.size()); }
  [[nodiscard]] Vec3<double> world(int body, Vec3<double> p) const { return snapshot_.poses[z(body)] * p; }
  [[nodiscard]] Pixel at(int body, Vec3<double> p) const { return sheet_.at(world(body, p)); }
  /// The sign of a centre of mass, unless it lies within `near` pins of one of these.
  void mark_mass(int body, double angle, const std::vector<Pixel>& pins, double near);

  const Scene& scene_;
  const Snapshot& snapshot_;
  const DrawingOptions& options_;
  Sheet sheet_;
  // from the moment on when the sheet has its size
  std::optional<svg::Writer> out_;
  std::optional<Symbols> symbols_;
  std::optional<Labels> labels_;

 private:
  void draw_trails();
  void draw_loads();

  double margin_;
  double largest_load_ = 0;
};

}  // namespace jounce::draw
