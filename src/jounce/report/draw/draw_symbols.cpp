#include "jounce/report/draw/draw_symbols.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "jounce/scalar/scalar.hpp"

namespace jounce::draw {

using std::numbers::pi;
using svg::number;

Pixel on_circle(Pixel centre, double radius, double angle) {
  const SinCos<double> turn = sincos(angle);
  return {centre.x + radius * turn.cos, centre.y + radius * turn.sin};
}

std::string to(char letter, Pixel p) { return letter + number(p.x) + " " + number(p.y); }

std::string arc(double radius, bool large, bool sweep, Pixel end) {
  const std::string r = number(radius);
  return "A" + r + " " + r + " 0 " + (large ? "1 " : "0 ") + (sweep ? "1" : "0") + to(' ', end);
}

const std::string_view kSymbolStyle =
    ".jounce-figure .plate{fill-opacity:.16;stroke-width:1.5}"
    ".jounce-figure .pin{stroke-width:1.6}.jounce-figure .solid{fill:currentColor;stroke-width:1}"
    ".jounce-figure .hatch{stroke-width:1;stroke-opacity:.7}.jounce-figure .ground{stroke-width:1.8}"
    ".jounce-figure .thin{stroke-width:1}.jounce-figure .usual{stroke-width:1.5}"
    ".jounce-figure .pitch{stroke-width:.8;stroke-dasharray:9 3 2 3}.jounce-figure .rubber{stroke-width:1.2}"
    ".jounce-figure .belt{stroke-width:2}"
    ".jounce-figure .leader{stroke-width:.6;stroke-opacity:.7}.jounce-figure text.motor-letter{font-weight:600;fill:#2a9d5c}"
    ".jounce-figure .part{stroke-width:.8}.jounce-figure .glint{fill:#fff;fill-opacity:.45;stroke:none}"
    ".jounce-figure .glint-line{stroke:#fff;stroke-opacity:.22}"
    ".jounce-figure .trail{stroke-width:1.4;stroke-opacity:.85}"
    ".jounce-figure .load{stroke:#935100;stroke-width:2}.jounce-figure .load-head{fill:#935100;stroke:none}"
    ".jounce-figure .drive{stroke:#2a9d5c;stroke-width:2}.jounce-figure .drive-head{fill:#2a9d5c;stroke:none}"
    ".jounce-figure text{fill:currentColor;stroke:none;font-size:12px}.jounce-figure text.body{font-style:italic}"
    ".jounce-figure text.halo{stroke-width:3.5;stroke-opacity:.85}";

Pixel direction(Pixel from, Pixel target) {
  const Pixel d = target - from;
  const double l = length(d);
  return l > 1e-9 ? scaled(d, 1 / l) : Pixel{1, 0};
}

std::vector<Pixel> hull(std::vector<Pixel> points) {
  std::ranges::sort(points, [](Pixel a, Pixel b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  const auto same = [](Pixel a, Pixel b) { return length(a - b) < 0.05; };
  points.erase(std::unique(points.begin(), points.end(), same), points.end());
  if (points.size() < 3) return points;
  std::vector<Pixel> out;
  const auto add = [&](Pixel p, std::size_t base) {
    while (out.size() > base + 1 && cross(out.back() - out[out.size() - 2], p - out.back()) <= 0) out.pop_back();
    out.push_back(p);
  };
  for (const Pixel p : points) add(p, 0);
  const std::size_t base = out.size() - 1;
  for (auto p = points.rbegin() + 1; p != points.rend(); ++p) add(*p, base);
  out.pop_back();
  // what bulges less than a twentieth of a pixel between its neighbours is straight
  for (std::size_t k = 0; out.size() > 2 && k < out.size();) {
    const Pixel before = out[(k + out.size() - 1) % out.size()], p = out[k], after = out[(k + 1) % out.size()];
    const Pixel d = direction(before, after);
    const double along = dot(p - before, d);
    if (std::abs(cross(d, p - before)) > 0.05 || along < 0 || along > length(after - before))
      ++k;
    else
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(k)), k = 0;
  }
  return out;
}

void Symbols::joint_pin(Pixel at) { out_.circle(at, pin_, "pin paper"); }

void Symbols::foot(Pixel at, Pixel down) {
  const double top = 1.6 * pin_, high = 4.4 * pin_, half = 2.9 * pin_, ground = 4.2 * pin_;
  const Pixel left = offset(at, down, 0, top), right = offset(at, down, 0, -top);
  out_.path(to('M', left) + to('L', offset(at, down, high, half)) + to('L', offset(at, down, high, -half)) + to('L', right) + arc(top, false, true, left) + "Z",
            "usual paper");
  out_.line(offset(at, down, high, ground), offset(at, down, high, -ground), "ground");
  hatching(offset(at, down, high, ground), offset(at, down, high, -ground), -1);
}

void Symbols::weld(Pixel at, Pixel d) {
  const double a = 1.1 * pin_;
  out_.path(svg::path(std::array{offset(at, d, -a, -a), offset(at, d, a, -a), offset(at, d, a, a), offset(at, d, -a, a)}, true),
            "solid");
}

void Symbols::rope(Pixel from, Pixel to) {
  out_.path(svg::path(std::array<Pixel, 2>{from, to}, false), "usual belt rope");
}

void Symbols::plain_mark(Pixel at) {
  const double a = 1.4 * pin_;
  out_.path(svg::path(std::array<Pixel, 4>{{{at.x, at.y - a}, {at.x + a, at.y}, {at.x, at.y + a}, {at.x - a, at.y}}}, true),
            "pin paper mark");
}

void Symbols::plate(std::span<const Pixel> points, double radius, std::string_view colour) {
  std::vector<Pixel> corners = hull({points.begin(), points.end()});
  if (corners.empty()) return;
  // from the first of the points on, whichever way the plate is turned: in an animation a corner stays the same corner
  const auto among = [&](Pixel p) { return std::ranges::find_if(corners, [&](Pixel c) { return length(c - p) < 0.06; }); };
  const auto first = std::ranges::find_if(points, [&](Pixel p) { return among(p) != corners.end(); });
  if (first != points.end()) std::rotate(corners.begin(), among(*first), corners.end());
  if (corners.size() == 1) return disc(corners[0], radius, colour);
  std::string data;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Pixel a = corners[k], b = corners[(k + 1) % corners.size()], c = corners[(k + 2) % corners.size()];
    const Pixel d = direction(a, b), next = direction(b, c);
    if (data.empty()) data = to('M', offset(a, d, 0, -radius));
    data += to('L', offset(b, d, 0, -radius));
    data += arc(radius, false, true, offset(b, next, 0, -radius));
  }
  out_.element("path", {{"class", "plate"}, {"fill", std::string(colour)}, {"stroke", std::string(colour)}, {"d", data + "Z"}});
}

void Symbols::disc(Pixel centre, double radius, std::string_view colour) {
  out_.element("circle", {{"class", "plate"},
                          {"fill", std::string(colour)},
                          {"stroke", std::string(colour)},
                          {"cx", number(centre.x)},
                          {"cy", number(centre.y)},
                          {"r", number(radius)}});
}

void Symbols::hatching(Pixel a, Pixel b, double side) {
  const Pixel d = direction(a, b);
  const double l = length(b - a), step = 6, deep = 6;
  std::string data;
  const int n = std::max(2, static_cast<int>(l / step));
  for (int k = 0; k < n; ++k) {
    const double along = l * (k + 0.75) / n;
    data += svg::path(std::array{offset(a, d, along, 0), offset(a, d, along - 0.8 * deep, side * deep)});
  }
  out_.path(data, "hatch");
}

void Symbols::slider(Pixel a, Pixel b, std::string_view colour) {
  const Pixel d = direction(a, b);
  const double more = 2.6 * pin_, half = block();
  const std::string data = svg::path(
      std::array{offset(a, d, -more, -half), offset(b, d, more, -half), offset(b, d, more, half), offset(a, d, -more, half)},
      true);
  out_.path(data, "paper");
  out_.element("path", {{"class", "plate"}, {"fill", std::string(colour)}, {"stroke", std::string(colour)}, {"d", data}});
}

void Symbols::slot(Pixel a, Pixel b) {
  const Pixel d = direction(a, b);
  const double r = 1.3 * pin_;
  out_.path(to('M', offset(a, d, 0, -r)) + to('L', offset(b, d, 0, -r)) + arc(r, false, true, offset(b, d, 0, r)) +
                to('L', offset(a, d, 0, r)) + arc(r, false, true, offset(a, d, 0, -r)) + "Z",
            "thin paper");
}

void Symbols::rod(Pixel a, Pixel b) {
  const Pixel d = direction(a, b);
  const double half = 0.5 * pin_;
  out_.path(
      svg::path(std::array{offset(a, d, 0, half), offset(b, d, 0, half), offset(b, d, 0, -half), offset(a, d, 0, -half)}, true),
      "usual paper");
}

void Symbols::head(Pixel tip, Pixel d, std::string_view style_class) {
  const double l = 2.0 * std::max(pin_, 3.5), half = 0.42 * l;
  out_.path(svg::path(std::array{tip, offset(tip, d, -l, half), offset(tip, d, -l, -half)}, true), style_class);
}

void Symbols::turning_arrow(Pixel at, double radius, std::string_view style_class, bool clockwise) {
  // open below, so that a foot stays visible; screen angles run clockwise
  const double from = clockwise ? 0.85 * pi : 0.15 * pi, until = clockwise ? 0.15 * pi : 0.85 * pi;
  const Pixel a = on_circle(at, radius, from), b = on_circle(at, radius, until);
  out_.path(to('M', a) + arc(radius, true, clockwise, b), std::string(style_class) + " motor");
  const double turn = clockwise ? pi / 2 : -pi / 2, l = 1.2 * std::max(pin_, 3.5);
  const Pixel d = on_circle({0, 0}, 1, until + turn);
  head(offset(b, d, l, 0), d, std::string(style_class) + "-head");
}

void Symbols::arrow(Pixel from, Pixel tip, std::string_view style_class) {
  const Pixel d = direction(from, tip);
  const std::string name(style_class);
  out_.line(from, offset(tip, d, -1.5 * std::max(pin_, 3.5), 0), name);
  head(tip, d, name.substr(0, name.find(' ')) + "-head");
}

void Symbols::centre_of_mass(Pixel at, double angle) {
  const double r = 1.05 * pin_;
  out_.circle(at, r, "thin paper com");
  std::string data;
  for (const double start : {angle, angle + pi})
    data += to('M', at) + to('L', on_circle(at, r, start)) + arc(r, false, true, on_circle(at, r, start + pi / 2)) + "Z";
  out_.path(data, "solid");
}

void Symbols::parallel_mark(Pixel at, Pixel d) {
  std::string data;
  for (const double side : {-0.5, 0.5})
    data += svg::path(
        std::array{offset(at, d, side * pin_ - 0.6 * pin_, 2 * pin_), offset(at, d, side * pin_ + 0.6 * pin_, -2 * pin_)});
  out_.path(data, "thin parallel");
}

}  // namespace jounce::draw
