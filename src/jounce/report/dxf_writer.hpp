// Drawings as DXF for CAD, in millimetres: the release 12 of AutoCAD (AC1009), which every CAD program and every cutting machine reads.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "jounce/math/vec3.hpp"

namespace jounce::dxf {

/// AutoCAD's numbers of colours.
enum Colour : int { red = 1, yellow = 2, green = 3, cyan = 4, blue = 5, magenta = 6, black = 7, grey = 8, by_layer = 256 };

struct Layer {
  std::string_view name;
  int colour = black;
};

/// Places in metres; what is written is in millimetres.
class Writer {
 public:
  /// `comment`: one line on top.
  Writer(std::string_view comment, std::span<const Layer> layers);

  void point(std::string_view layer, Vec3<double> p);
  void line(std::string_view layer, Vec3<double> a, Vec3<double> b, int colour = by_layer);
  /// About z.
  void circle(std::string_view layer, Vec3<double> centre, double radius, int colour = by_layer);
  /// `flat`: in the plane z = 0.
  void polyline(std::string_view layer, std::span<const Vec3<double>> points, bool closed, bool flat, int colour = by_layer);
  /// `height` of capitals, in metres.
  void text(std::string_view layer, Vec3<double> at, double height, std::string_view words);

  [[nodiscard]] std::string finish();

 private:
  void begin(std::string_view kind, std::string_view layer, int colour);
  void group(int code, std::string_view value);
  void group(int code, int value);
  void length(int code, double metres);
  void place(int code, Vec3<double> p);

  std::string head_, out_;
  Vec3<double> low_{1e300, 1e300, 1e300}, high_{-1e300, -1e300, -1e300};
};

}  // namespace jounce::dxf
