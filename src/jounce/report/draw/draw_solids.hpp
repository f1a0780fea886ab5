// Solids on paper: filled, shaded, and drawn from the back to the front.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "jounce/report/draw/draw_sheet.hpp"
#include "jounce/report/solids/solid.hpp"

namespace jounce::draw {

class SolidPainter {
 public:
  SolidPainter(const Sheet& sheet, svg::Writer& out) : sheet_(sheet), out_(out) {}

  /// `pose`: of the solid's body, in ground axes.
  void add(const Solid& solid, const Frame<double>& pose);
  void paint();

 private:
  enum class Look { flat, round, ball, line, mesh };

  struct Face {
    std::vector<Vec3<double>> corners;
    Vec3<double> normal;
  };
  // One convex thing, or a mesh.
  struct Piece {
    Look look{};
    std::vector<Face> faces;       // of a round one its ends are the last `ends`
    std::size_t ends = 0;
    std::vector<Pixel> outline;    // on paper
    Box box;
    Vec3<double> centre;
    Pixel from, to;                // of a line, and of what is round
    double radius = 0, end_radius = 0;  // in pixels
    std::string colour, what;
    double depth = 0, from_depth = 0, to_depth = 0;
  };

  void add_rod(const Solid& s, const Vec3<double>& a, const Vec3<double>& b, Piece piece);
  void add_tube(const Vec3<double>& a, const Vec3<double>& b, double outside, double inside, const Piece& like);
  void add_capsule(const Solid& s, const Vec3<double>& a, const Vec3<double>& b, Piece piece);
  void add_ball(const Vec3<double>& centre, double radius, Piece piece);
  void add_socket(const Vec3<double>& centre, const Vec3<double>& axis, double radius, const Piece& piece);
  void add_wire(const std::vector<Vec3<double>>& points, double radius, bool closed, const Piece& piece);
  void add_prism(const std::vector<Vec3<double>>& corners, const Vec3<double>& normal, double half, Piece piece);
  void add_mesh(const TriangleMesh& mesh, const Frame<double>& pose, Piece piece);
  void keep(Piece piece);

  [[nodiscard]] bool turned_to_eye(const Vec3<double>& normal) const;
  [[nodiscard]] double shade(const Vec3<double>& normal) const;
  [[nodiscard]] double depth_at(const Piece& piece, Pixel p) const;
  [[nodiscard]] bool behind(const Piece& a, const Piece& b) const;
  [[nodiscard]] std::vector<std::size_t> order() const;
  void draw(const Piece& piece);
  void fill(const std::vector<Pixel>& corners, const std::string& colour, const std::string& edge, const Piece& piece);

  const Sheet& sheet_;
  svg::Writer& out_;
  std::vector<Piece> pieces_;
};

}  // namespace jounce::draw
