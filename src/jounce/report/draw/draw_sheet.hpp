// The sheet of a drawing: how places of the mechanism become pixels, and where names find room.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jounce/math/vec3.hpp"
#include "jounce/report/svg_writer.hpp"

namespace jounce::draw {

using svg::Pixel;

struct Box {
  Pixel low{1e300, 1e300}, high{-1e300, -1e300};
  void take(Pixel p, double radius = 0);
  [[nodiscard]] bool empty() const { return low.x > high.x; }
};

class Sheet {
 public:
  /// Seen along `right` × `up`: both of length 1 and square to each other.
  Sheet(Vec3<double> right, Vec3<double> up) : right_(right), up_(up) {}

  /// Something of this size must be on the sheet.
  void include(Vec3<double> p, double radius = 0);
  /// And everything that must be on the other.
  void include(const Sheet& other);
  /// `size`: of what is drawn when everything is at one place.
  void fit(double width, double margin, double size);

  [[nodiscard]] Pixel at(Vec3<double> p) const;
  /// The direction of a vector on paper, shortened by the view.
  [[nodiscard]] Pixel seen(Vec3<double> v) const { return {dot(right_, v), -dot(up_, v)}; }
  /// Larger is nearer to the eye.
  [[nodiscard]] double depth(Vec3<double> p) const { return dot(cross(right_, up_), p); }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return height_; }

  /// The part of the line through a and b that lies on the sheet: from and until, as distances from a towards b.
  [[nodiscard]] std::pair<double, double> visible(Pixel a, Pixel b) const;

 private:
  Vec3<double> right_, up_;
  Box extent_;  // in metres, y upwards
  double scale_ = 1, width_ = 0, height_ = 0, margin_ = 0;
  Pixel origin_;
};

/// Names beside what they belong to, each where it covers least of what is there already: those of one place together, with a line to their place where
/// they stand far from it, and not at all where there is no room for what is no body.
class Labels {
 public:
  Labels(double width, double height) : width_(width), height_(height) {}

  void avoid(Pixel at, double radius);
  void avoid_line(Pixel a, Pixel b);
  void add(std::string_view name, Pixel at, double gap, std::string_view style_class, std::string_view colour = {});
  /// Places and writes them.
  void write(svg::Writer& out);

 private:
  struct Name {
    std::string text, style_class, colour;
    Pixel of;  // what it belongs to
    double gap = 0;
    Box box{};  // where it stands; empty: nowhere
  };
  [[nodiscard]] Box placed(const Name& name) const;

  double width_, height_;
  std::vector<Box> taken_;
  std::vector<Name> names_;
};

}  // namespace jounce::draw
