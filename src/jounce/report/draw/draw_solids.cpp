#include "jounce/report/draw/draw_solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "jounce/base/index.hpp"
#include "jounce/report/draw/draw_parts.hpp"
#include "jounce/report/solids/skeleton.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce::draw {
namespace {

using std::numbers::pi;
using Kind = Solid::Kind;

constexpr int kSides = 20;
constexpr double kLeastOverlap = 0.6;   // in square pixels
constexpr double kLeastTriangle = 0.3;
constexpr std::string_view kJoint = "#7d8793", kBright = "#d3d9df", kGround = "#98a1ab";

std::array<int, 3> parts(std::string_view colour) {
  std::array<int, 3> out{128, 128, 128};
  for (std::size_t k = 0; k < 3 && colour.size() == 7; ++k) std::from_chars(colour.data() + 1 + 2 * k, colour.data() + 3 + 2 * k, out[k], 16);
  return out;
}

// Lighter above 1, darker below.
std::string shaded(std::string_view colour, double by) {
  std::string out = "#";
  for (const int part : parts(colour)) {
    const double x = by <= 1 ? part * by : part + (255 - part) * std::min(1.0, by - 1);
    out += fmt::format("{:02x}", static_cast<int>(std::lround(std::clamp(x, 0.0, 255.0))));
  }
  return out;
}

double area(const std::vector<Pixel>& polygon) {
  double out = 0;
  for (std::size_t k = 0; k < polygon.size(); ++k) out += cross(polygon[k], polygon[(k + 1) % polygon.size()]);
  return out / 2;
}

// The part of a convex polygon inside another; both go the same way round.
std::vector<Pixel> common(std::vector<Pixel> a, const std::vector<Pixel>& b) {
  for (std::size_t k = 0; k < b.size() && a.size() > 2; ++k) {
    const Pixel p = b[k], d = b[(k + 1) % b.size()] - p;
    std::vector<Pixel> inside;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Pixel from = a[i], to = a[(i + 1) % a.size()];
      const double s = cross(d, from - p), t = cross(d, to - p);
      if (s >= 0) inside.push_back(from);
      if ((s > 0 && t < 0) || (s < 0 && t > 0)) inside.push_back(from + scaled(to - from, s / (s - t)));
    }
    a = std::move(inside);
  }
  return a;
}

Pixel middle(const std::vector<Pixel>& polygon) {
  Pixel out{};
  for (const Pixel p : polygon) out = out + p;
  return scaled(out, 1 / static_cast<double>(polygon.size()));
}

bool contains(const std::vector<Pixel>& polygon, Pixel p) {
  bool in = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Pixel a = polygon[i], b = polygon[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
  }
  return in;
}

std::vector<Vec3<double>> circle(const Vec3<double>& centre, const Vec3<double>& axis, double radius, int sides) {
  const auto [u, v] = solids::across(axis);
  std::vector<Vec3<double>> out;
  for (int k = 0; k < sides; ++k) {
    const SinCos<double> turn = sincos(2 * pi * k / sides);
    out.push_back(centre + u * (radius * turn.cos) + v * (radius * turn.sin));
  }
  return out;
}

}  // namespace

bool SolidPainter::turned_to_eye(const Vec3<double>& normal) const { return sheet_.depth(normal) > 1e-9; }

// Light comes from the upper left, before the paper.
double SolidPainter::shade(const Vec3<double>& normal) const {
  const Pixel seen = sheet_.seen(normal);
  return 0.72 + 0.42 * std::max(0.0, -0.35 * seen.x - 0.65 * seen.y + 0.68 * sheet_.depth(normal));
}

void SolidPainter::add(const Solid& s, const Frame<double>& pose) {
  Piece piece;
  piece.what = s.what;
  piece.colour = !s.colour.empty()              ? s.colour
                 : s.role == Solid::Role::joint  ? std::string(kJoint)
                 : s.role == Solid::Role::bright ? std::string(kBright)
                 : s.role == Solid::Role::ground || s.body == 0 ? std::string(kGround)
                                                                : std::string(body_colour(s.body));
  if (s.mesh) return add_mesh(*s.mesh, pose, std::move(piece));
  std::vector<Vec3<double>> points;
  for (const Vec3<double>& p : s.points) points.push_back(pose * p);
  switch (s.kind) {
    case Kind::rod: return add_rod(s, points[0], points[1], std::move(piece));
    case Kind::tube: return add_tube(points[0], points[1], s.radius, s.end_radius, piece);
    case Kind::capsule: return add_capsule(s, points[0], points[1], std::move(piece));
    case Kind::ball: return add_ball(points[0], s.radius, std::move(piece));
    case Kind::socket: return add_socket(points[0], pose.axes * s.axis, s.radius, piece);
    case Kind::wire: return add_wire(points, s.radius, s.closed, piece);
    case Kind::plate: return add_prism(points, pose.axes * s.axis, s.radius, std::move(piece));
    case Kind::block: {
      const Mat3<double> axes = pose.axes * s.axes;
      const Vec3<double> x = axes.x * (s.size.x / 2), y = axes.y * (s.size.y / 2);
      return add_prism({points[0] - x - y, points[0] + x - y, points[0] + x + y, points[0] - x + y}, axes.z, s.size.z / 2, std::move(piece));
    }
    case Kind::mesh: return;
  }
}

void SolidPainter::keep(Piece piece) {
  if (piece.outline.empty()) {
    std::vector<Pixel> all;
    for (const Face& face : piece.faces)
      for (const Vec3<double>& p : face.corners) all.push_back(sheet_.at(p));
    piece.outline = hull(std::move(all));
  }
  if (piece.outline.size() < 2) return;
  if (area(piece.outline) < 0) std::ranges::reverse(piece.outline);
  for (const Pixel p : piece.outline) piece.box.take(p);
  piece.depth = sheet_.depth(piece.centre);
  pieces_.push_back(std::move(piece));
}

void SolidPainter::add_rod(const Solid& s, const Vec3<double>& a, const Vec3<double>& b, Piece piece) {
  const Vec3<double> axis = solids::unit_vector(b - a);
  const double slope = (s.radius - s.end_radius) / length(b - a);
  const int sides = std::max(s.radius, s.end_radius) * sheet_.scale() > 20 ? 2 * kSides : kSides;
  const std::vector<Vec3<double>> low = circle(a, axis, s.radius, sides), high = circle(b, axis, s.end_radius, sides);
  for (std::size_t k = 0; k < low.size(); ++k) {
    const std::size_t next = (k + 1) % low.size();
    Face side{{low[k], low[next], high[next], high[k]}, {}};
    side.normal = solids::unit_vector((low[k] + low[next]) * 0.5 - a + axis * (slope * s.radius));
    piece.faces.push_back(std::move(side));
  }
  piece.faces.push_back({low, -axis});
  piece.faces.push_back({high, axis});
  piece.ends = 2;
  piece.look = Look::round;
  piece.centre = (a + b) * 0.5;
  piece.from = sheet_.at(a), piece.to = sheet_.at(b);
  piece.radius = s.radius * sheet_.scale(), piece.end_radius = s.end_radius * sheet_.scale();
  keep(std::move(piece));
}

// In staves: those behind lie behind what is in the tube, those in front before it.
void SolidPainter::add_tube(const Vec3<double>& a, const Vec3<double>& b, double outside, double inside, const Piece& like) {
  const Vec3<double> axis = solids::unit_vector(b - a);
  const std::vector<Vec3<double>> outer = circle(a, axis, outside, kSides), inner = circle(a, axis, inside, kSides);
  for (std::size_t k = 0; k < outer.size(); ++k) {
    const std::size_t next = (k + 1) % outer.size();
    const Vec3<double> along = b - a, out = solids::unit_vector((outer[k] + outer[next]) * 0.5 - a);
    Piece piece = like;
    piece.look = Look::mesh;
    piece.faces = {{{outer[k], outer[next], outer[next] + along, outer[k] + along}, out},
                   {{inner[k], inner[next], inner[next] + along, inner[k] + along}, -out},
                   {{outer[k], outer[next], inner[next], inner[k]}, -axis},
                   {{outer[k] + along, outer[next] + along, inner[next] + along, inner[k] + along}, axis}};
    piece.centre = (outer[k] + outer[next] + along) * 0.5;
    std::erase_if(piece.faces, [&](const Face& face) { return !turned_to_eye(face.normal); });
    keep(std::move(piece));
  }
}

void SolidPainter::add_capsule(const Solid& s, const Vec3<double>& a, const Vec3<double>& b, Piece piece) {
  piece.look = Look::round;
  piece.centre = (a + b) * 0.5;
  piece.from = sheet_.at(a), piece.to = sheet_.at(b);
  piece.from_depth = sheet_.depth(a), piece.to_depth = sheet_.depth(b);
  piece.radius = s.radius * sheet_.scale(), piece.end_radius = s.end_radius * sheet_.scale();
  std::vector<Pixel> all;
  for (int k = 0; k < 2 * kSides; ++k) {
    const SinCos<double> turn = sincos(pi * k / kSides);
    const Pixel d{turn.cos, turn.sin};
    all.push_back(piece.from + scaled(d, piece.radius));
    all.push_back(piece.to + scaled(d, piece.end_radius));
  }
  piece.outline = hull(std::move(all));
  keep(std::move(piece));
}

void SolidPainter::add_ball(const Vec3<double>& centre, double radius, Piece piece) {
  piece.look = Look::ball;
  piece.centre = centre;
  piece.from = piece.to = sheet_.at(centre);
  piece.radius = radius * sheet_.scale();
  for (int k = 0; k < kSides; ++k) {
    const SinCos<double> turn = sincos(2 * pi * k / kSides);
    piece.outline.push_back(piece.from + scaled(Pixel{turn.cos, turn.sin}, piece.radius));
  }
  keep(std::move(piece));
}

// The half ball in rings, so that the ball in it hides the far side and is hidden by the near one.
void SolidPainter::add_socket(const Vec3<double>& centre, const Vec3<double>& axis, double radius, const Piece& like) {
  constexpr int kRings = 3, kParts = 8;
  const auto [u, v] = solids::across(axis);
  const auto at = [&, u = u, v = v](int ring, int part) {
    const SinCos<double> down = sincos(0.5 * pi * (0.06 + 0.94 * ring / kRings)), turn = sincos(2 * pi * part / kParts);
    return centre + (u * turn.cos + v * turn.sin) * (radius * down.cos) - axis * (radius * down.sin);
  };
  for (int ring = 0; ring < kRings; ++ring)
    for (int part = 0; part < kParts; ++part) {
      Piece piece = like;
      piece.look = Look::mesh;  // without edges
      Face face{{at(ring, part), at(ring, part + 1), at(ring + 1, part + 1), at(ring + 1, part)}, {}};
      piece.centre = (face.corners[0] + face.corners[2]) * 0.5;
      face.normal = solids::unit_vector(piece.centre - centre);
      if (!turned_to_eye(face.normal)) {  // its inside is seen
        face.normal = -face.normal;
        piece.colour = shaded(piece.colour, 0.7);
      }
      piece.faces.push_back(std::move(face));
      keep(std::move(piece));
    }
}

void SolidPainter::add_wire(const std::vector<Vec3<double>>& points, double radius, bool closed, const Piece& like) {
  for (std::size_t k = 0; k + (closed ? 0 : 1) < points.size(); ++k) {
    const Vec3<double>&a = points[k], &b = points[(k + 1) % points.size()];
    Piece piece = like;
    piece.look = Look::line;
    piece.centre = (a + b) * 0.5;
    piece.from = sheet_.at(a), piece.to = sheet_.at(b);
    piece.from_depth = sheet_.depth(a), piece.to_depth = sheet_.depth(b);
    piece.radius = piece.end_radius = std::max(0.4, radius * sheet_.scale());
    const Pixel d = scaled(across(direction(piece.from, piece.to)), piece.radius), e = scaled(direction(piece.from, piece.to), 0.3);
    piece.outline = {piece.from - d - e, piece.to - d + e, piece.to + d + e, piece.from + d - e};
    keep(std::move(piece));
  }
}

void SolidPainter::add_prism(const std::vector<Vec3<double>>& corners, const Vec3<double>& normal, double half, Piece piece) {
  piece.look = Look::flat;
  Face low{{}, -normal}, high{{}, normal};
  Vec3<double> centre{};
  for (const Vec3<double>& p : corners) {
    low.corners.push_back(p - normal * half);
    high.corners.push_back(p + normal * half);
    centre += p;
  }
  piece.centre = centre * (1 / static_cast<double>(corners.size()));
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const std::size_t next = (k + 1) % corners.size();
    Face side{{low.corners[k], low.corners[next], high.corners[next], high.corners[k]}, {}};
    side.normal = solids::unit_vector(cross(corners[next] - corners[k], normal));
    if (dot(side.normal, corners[k] - piece.centre) < 0) side.normal = -side.normal;
    piece.faces.push_back(std::move(side));
  }
  piece.faces.push_back(std::move(low));
  piece.faces.push_back(std::move(high));
  keep(std::move(piece));
}

// What is smaller than a pixel is not drawn: corners that fall on one pixel become one.
void SolidPainter::add_mesh(const TriangleMesh& mesh, const Frame<double>& pose, Piece piece) {
  piece.look = Look::mesh;
  std::vector<Vec3<double>> corners;
  std::vector<Pixel> seen;
  corners.reserve(mesh.corners.size());
  for (const Vec3<double>& p : mesh.corners) {
    corners.push_back(pose * p);
    seen.push_back(sheet_.at(corners.back()));
    seen.back() = {std::round(seen.back().x), std::round(seen.back().y)};
  }
  piece.outline = hull(seen);
  for (const auto& [a, b, c] : mesh.triangles) {
    if (std::abs(cross(seen[b] - seen[a], seen[c] - seen[a])) < 2 * kLeastTriangle) continue;
    const Vec3<double> n = cross(corners[b] - corners[a], corners[c] - corners[a]);
    Face face{{corners[a], corners[b], corners[c]}, solids::unit_vector(n)};
    if (turned_to_eye(face.normal)) piece.faces.push_back(std::move(face));
  }
  std::ranges::sort(piece.faces, {}, [&](const Face& f) { return sheet_.depth(f.corners[0] + f.corners[1] + f.corners[2]); });
  Vec3<double> centre{};
  for (const Vec3<double>& p : corners) centre += p;
  piece.centre = centre * (1 / static_cast<double>(std::max<std::size_t>(corners.size(), 1)));
  keep(std::move(piece));
}

// How near to the eye the piece is at a pixel.
double SolidPainter::depth_at(const Piece& piece, Pixel p) const {
  const double scale = sheet_.scale();
  if (piece.look == Look::ball) {
    const double d = length(p - piece.from), r = piece.radius;
    return piece.depth + std::sqrt(std::max(0.0, r * r - d * d)) / scale;
  }
  if (piece.faces.empty()) {  // what lies along a line
    const Pixel d = piece.to - piece.from;
    const double part = dot(d, d) > 0 ? std::clamp(dot(p - piece.from, d) / dot(d, d), 0.0, 1.0) : 0.5;
    const double r = piece.radius + (piece.end_radius - piece.radius) * part, beside = length(p - (piece.from + scaled(d, part)));
    return piece.from_depth + (piece.to_depth - piece.from_depth) * part + std::sqrt(std::max(0.0, r * r - beside * beside)) / scale;
  }
  double best = -1e300;
  for (const Face& face : piece.faces) {
    const double toward = sheet_.depth(face.normal);
    if (toward <= 1e-6) continue;
    std::vector<Pixel> seen;
    for (const Vec3<double>& corner : face.corners) seen.push_back(sheet_.at(corner));
    if (!contains(seen, p)) continue;
    // along the line of sight from the first corner's depth: the face is a plane
    const Pixel d = p - seen[0], n = sheet_.seen(face.normal);
    best = std::max(best, sheet_.depth(face.corners[0]) - (d.x * n.x + d.y * n.y) / (scale * toward));
  }
  return best > -1e299 ? best : piece.depth;
}

bool SolidPainter::behind(const Piece& a, const Piece& b) const {
  const std::vector<Pixel> both = common(a.outline, b.outline);
  if (both.size() < 3 || std::abs(area(both)) < kLeastOverlap) return false;
  const Pixel p = middle(both) + Pixel{0.0137, 0.0071};  // not on an edge between two faces, where rounding could put it on neither
  const double in_a = depth_at(a, p), in_b = depth_at(b, p);
  return in_a < in_b - 1e-9 || (in_a < in_b + 1e-9 && a.depth < b.depth);
}

// Those behind come first; where each hides a part of the other, that of the lesser depth.
std::vector<std::size_t> SolidPainter::order() const {
  const std::size_t n = pieces_.size();
  std::vector<std::size_t> sorted(n), out;
  for (std::size_t k = 0; k < n; ++k) sorted[k] = k;
  std::ranges::stable_sort(sorted, {}, [&](std::size_t k) { return pieces_[k].depth; });
  std::vector<std::vector<std::size_t>> below(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const Box &a = pieces_[i].box, &b = pieces_[j].box;
      if (a.low.x > b.high.x || b.low.x > a.high.x || a.low.y > b.high.y || b.low.y > a.high.y) continue;
      if (behind(pieces_[i], pieces_[j])) below[j].push_back(i);
      else if (behind(pieces_[j], pieces_[i])) below[i].push_back(j);
    }
  std::vector<char> mark(n, 0);
  std::vector<std::pair<std::size_t, std::size_t>> way;  // a piece, and how many of those below it have been looked at
  for (const std::size_t first : sorted) {
    if (mark[first] != 0) continue;
    mark[first] = 1;
    way.emplace_back(first, 0);
    while (!way.empty()) {
      auto& [piece, next] = way.back();
      if (next < below[piece].size()) {
        const std::size_t under = below[piece][next++];
        if (mark[under] == 0) mark[under] = 1, way.emplace_back(under, 0);
      } else {
        out.push_back(piece);
        way.pop_back();
      }
    }
  }
  return out;
}

void SolidPainter::fill(const std::vector<Pixel>& corners, const std::string& colour, const std::string& edge, const Piece& piece) {
  out_.element("path", {{"class", piece.what.empty() ? std::string("part") : "part " + piece.what}, {"fill", colour}, {"stroke", edge},
                        {"d", svg::path(corners, true)}});
}

void SolidPainter::draw(const Piece& piece) {
  const std::string edge = shaded(piece.colour, 0.5);
  const auto on_paper = [&](const Face& face) {
    std::vector<Pixel> out;
    for (const Vec3<double>& p : face.corners) out.push_back(sheet_.at(p));
    return out;
  };
  const auto glint = [&](Pixel at, double radius) {
    out_.element("circle", {{"class", "glint"}, {"cx", svg::number(at.x)}, {"cy", svg::number(at.y)}, {"r", svg::number(radius)}});
  };
  switch (piece.look) {
    case Look::flat:
      for (const Face& face : piece.faces)
        if (turned_to_eye(face.normal)) fill(on_paper(face), shaded(piece.colour, shade(face.normal)), edge, piece);
      return;
    case Look::mesh:
      for (const Face& face : piece.faces)
        if (const std::string colour = shaded(piece.colour, shade(face.normal)); turned_to_eye(face.normal)) fill(on_paper(face), colour, colour, piece);
      return;
    case Look::ball:
      fill(piece.outline, piece.colour, edge, piece);
      if (piece.radius > 2) glint(piece.from - scaled(Pixel{0.32, 0.36}, piece.radius), 0.3 * piece.radius);
      return;
    case Look::line: {
      const auto stroke = [&](const std::string& colour, double width, std::string_view cap) {
        out_.element("path", {{"class", piece.what.empty() ? std::string("part") : "part " + piece.what}, {"stroke", colour},
                              {"style", fmt::format("stroke-width:{};stroke-linecap:{}", svg::number(width), cap)},
                              {"d", svg::path(std::array{piece.from, piece.to})}});
      };
      stroke(edge, 2 * piece.radius + 1, "butt");
      return stroke(piece.colour, std::max(0.6, 2 * piece.radius - 0.6), "round");
    }
    case Look::round: break;
  }
  fill(piece.outline, piece.colour, edge, piece);
  const double size = length(piece.to - piece.from), least = std::min(piece.radius, piece.end_radius);
  if (size > 3 && least > 1.2) {  // light along it
    Pixel side = across(direction(piece.from, piece.to));
    if (0.35 * side.x + 0.65 * side.y > 0) side = scaled(side, -1);
    const Pixel a = piece.from + scaled(side, 0.38 * piece.radius), b = piece.to + scaled(side, 0.38 * piece.end_radius);
    out_.element("path", {{"class", "glint-line"}, {"style", "stroke-width:" + svg::number(0.42 * least)}, {"d", svg::path(std::array{a, b})}});
  }
  for (std::size_t k = piece.faces.size() - std::min(piece.ends, piece.faces.size()); k < piece.faces.size(); ++k)
    if (const Face& face = piece.faces[k]; turned_to_eye(face.normal)) fill(on_paper(face), shaded(piece.colour, 0.12 + shade(face.normal)), edge, piece);
}

void SolidPainter::paint() {
  for (const std::size_t k : order()) draw(pieces_[k]);
  pieces_.clear();
}

}  // namespace jounce::draw
