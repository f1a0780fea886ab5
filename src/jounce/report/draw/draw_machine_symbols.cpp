// The symbols of machine parts: struts, rotary parts, motors, gears and belts.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "jounce/report/draw/draw_symbols.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce::draw {

using std::numbers::pi;
using svg::number;

// ---- along a line ---------------------------------------------------------------------------------------------------------

void Symbols::spring(Pixel a, Pixel b, double most) {
  const Pixel d = direction(a, b);
  const double l = length(b - a), end = std::min(2.5 * pin_, 0.15 * l), wide = 1.7 * pin_;
  const int turns = 2 * std::clamp(static_cast<int>(std::min((most > 0 ? most : l) / (3.2 * pin_), 100.0)), 4, 24);
  std::vector<Pixel> points{a, offset(a, d, end, 0)};
  for (int k = 0; k < turns; ++k)
    points.push_back(offset(a, d, end + (l - 2 * end) * (k + 0.5) / turns, k % 2 == 0 ? wide : -wide));
  points.push_back(offset(b, d, -end, 0));
  points.push_back(b);
  out_.path(svg::path(points), "usual spring");
}

// A cup of fixed length and a piston on a rod of fixed length, as far as the stroke allows.
void Symbols::damper(Pixel a, Pixel b, const Strut& parts) {
  const Pixel d = direction(a, b);
  const double l = length(b - a), least = parts.least > 0 ? std::min(parts.least, l) : l;
  const double from = 0.16 * least, until = 0.74 * least, half = 1.5 * pin_, rod = least - from - 0.12 * (until - from);
  const double piston = std::clamp(l - rod, from + 0.1 * (until - from), until - 0.08 * (until - from));
  out_.path(svg::path(std::array{a, offset(a, d, from, 0)}) +
                svg::path(std::array{offset(a, d, until, half), offset(a, d, from, half), offset(a, d, from, -half), offset(a, d, until, -half)}) +
                svg::path(std::array{b, offset(a, d, piston, 0)}) + svg::path(std::array{offset(a, d, piston, 0.85 * half), offset(a, d, piston, -0.85 * half)}),
            "usual damper");
}

// A rod that two pads hold.
void Symbols::clamp(Pixel a, Pixel b) {
  const Pixel d = direction(a, b);
  const double l = length(b - a), middle = 0.5 * l, half = std::min(2.2 * pin_, 0.3 * l), gap = 0.4 * pin_, high = 1.1 * pin_;
  std::string pads;
  for (const double side : {-1.0, 1.0})
    pads += svg::path(std::array{offset(a, d, middle - half, side * gap), offset(a, d, middle + half, side * gap), offset(a, d, middle + half, side * (gap + high)),
                                 offset(a, d, middle - half, side * (gap + high))},
                      true);
  out_.line(a, b, "usual");
  out_.path(pads, "solid friction");
}

void Symbols::strut(Pixel a, Pixel b, const Strut& parts) {
  using Draw = std::function<void(Pixel, Pixel, const Strut&)>;
  std::vector<Draw> drawn;
  if (parts.elastic) drawn.emplace_back([this](Pixel p, Pixel q, const Strut& s) { spring(p, q, s.most); });
  if (parts.actuated) drawn.emplace_back([this](Pixel p, Pixel q, const Strut& s) { cylinder(p, q, s); });
  if (parts.damped || (!parts.elastic && !parts.friction && !parts.actuated)) drawn.emplace_back([this](Pixel p, Pixel q, const Strut& s) { damper(p, q, s); });
  if (parts.friction) drawn.emplace_back([this](Pixel p, Pixel q, const Strut&) { clamp(p, q); });
  if (drawn.size() == 1) return drawn.front()(a, b, parts);
  const Pixel d = direction(a, b);
  const double l = length(b - a), lead = std::min(2.2 * pin_, 0.12 * l), apart = 4.2 * pin_, half = apart * (static_cast<double>(drawn.size()) - 1) / 2;
  const Strut inner{parts.elastic, parts.damped, parts.friction, parts.actuated, std::max(parts.least - 2 * lead, 0.0), parts.most - 2 * lead};
  const Pixel p = offset(a, d, lead, 0), q = offset(b, d, -lead, 0);
  out_.path(svg::path(std::array{a, p}) + svg::path(std::array{offset(p, d, 0, -half), offset(p, d, 0, half)}) + svg::path(std::array{b, q}) +
                svg::path(std::array{offset(q, d, 0, -half), offset(q, d, 0, half)}),
            "usual");
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const double beside = apart * static_cast<double>(k) - half;
    drawn[k](offset(p, d, 0, beside), offset(q, d, 0, beside), inner);
  }
}

void Symbols::cylinder(Pixel a, Pixel b, const Strut& parts) {
  const Pixel d = direction(a, b);
  const double l = length(b - a), until = parts.least > 0 ? std::min(0.85 * parts.least, 0.95 * l) : 0.6 * l, half = 1.35 * pin_, rod_half = 0.5 * pin_;
  const double rod = parts.least > 0 ? parts.least - 0.12 * until : 0.58 * l, piston = std::clamp(l - rod, 0.06 * until, 0.92 * until);
  out_.path(svg::path(std::array{offset(a, d, piston, rod_half), offset(b, d, 0, rod_half), offset(b, d, 0, -rod_half), offset(a, d, piston, -rod_half)}, true),
            "usual paper");
  out_.path(svg::path(std::array{offset(a, d, 0, half), offset(a, d, until, half), offset(a, d, until, -half), offset(a, d, 0, -half)}, true), "usual cylinder");
  out_.line(offset(a, d, piston, half), offset(a, d, piston, -half), "ground");
}

void Symbols::rubbing(Pixel at, Pixel d, double side) {
  std::vector<Pixel> points;
  for (int k = -6; k <= 6; ++k) points.push_back(offset(at, d, 0.75 * k * pin_, side * (k % 2 == 0 ? -0.55 : 0.1) * pin_));
  out_.path(svg::path(points), "usual friction");
}

// ---- about a pin ----------------------------------------------------------------------------------------------------------

void Symbols::bushing(Pixel at) {
  const double inner = 1.3 * pin_, outer = 3.4 * pin_;
  out_.circle(at, outer, "usual paper bushing");
  std::vector<Pixel> wave;
  constexpr int kWaves = 9, kPoints = 16;
  for (int k = 0; k <= kWaves * kPoints; ++k) {
    const double angle = 2 * pi * k / (kWaves * kPoints);
    wave.push_back(on_circle(at, (inner + outer) / 2 + 0.3 * (outer - inner) * sincos(kWaves * angle).sin, angle));
  }
  out_.path(svg::path(wave), "rubber");
  out_.circle(at, inner, "usual paper");
  joint_pin(at);
}

void Symbols::rotary(Pixel at, double from, double turn, const Strut& parts, double around) {
  double inner = std::max(1.5 * pin_, around);
  if (parts.elastic) spiral(at, from, turn, inner, inner + 3.2 * pin_), inner += 3.8 * pin_;
  if (parts.damped) inner = std::max(inner, 2.6 * pin_), rotary_damper(at, from, inner, inner + 2.0 * pin_), inner += 2.6 * pin_;
  if (parts.friction) inner = std::max(inner, 2.8 * pin_), brake(at, from, inner), inner += 2.2 * pin_;
  if (parts.actuated) torque(at, std::max(inner, 4.0 * pin_));
}

// Its windings follow the angle and stay between one and a half and three and a half.
void Symbols::spiral(Pixel at, double from, double turn, double inner, double outer) {
  const double windings = 2.5 + std::tanh(turn / (4 * pi));
  std::vector<Pixel> points;
  constexpr int kPoints = 90;
  for (int k = 0; k <= kPoints; ++k) {
    const double part = static_cast<double>(k) / kPoints;
    points.push_back(on_circle(at, outer + (inner - outer) * part, from - 2 * pi * windings * part));
  }
  out_.path(svg::path(points), "usual torsion");
}

// A cup around the pin, open at one end, and a vane in it.
void Symbols::rotary_damper(Pixel at, double from, double inner, double outer) {
  const double shut = from - 1.15 * pi, open = from - 0.45 * pi, vane = from - 0.8 * pi, end = from - 0.05 * pi, middle = (inner + outer) / 2;
  out_.path(to('M', on_circle(at, outer, open)) + arc(outer, false, false, on_circle(at, outer, shut)) + to('L', on_circle(at, inner, shut)) +
                arc(inner, false, true, on_circle(at, inner, open)),
            "usual damper");
  out_.path(to('M', on_circle(at, inner + 0.2 * (outer - inner), vane)) + to('L', on_circle(at, outer - 0.2 * (outer - inner), vane)) +
                to('M', on_circle(at, middle, vane)) + arc(middle, false, true, on_circle(at, middle, end)) + to('L', on_circle(at, 1.0 * pin_, end)),
            "usual");
}

void Symbols::brake(Pixel at, double from, double radius) {
  out_.circle(at, radius, "thin");
  const double outer = radius + 1.15 * pin_;
  std::string shoes;
  for (const double middle : {from + 0.25 * pi, from + 1.25 * pi}) {
    const double low = middle - 0.7, high = middle + 0.7;
    shoes += to('M', on_circle(at, radius, low)) + arc(radius, false, true, on_circle(at, radius, high)) + to('L', on_circle(at, outer, high)) +
             arc(outer, false, false, on_circle(at, outer, low)) + "Z";
  }
  out_.path(shoes, "solid friction");
}

// Two arrows that chase each other: a torque of any sign.
void Symbols::torque(Pixel at, double radius) {
  for (const double from : {0.1 * pi, 1.1 * pi}) {
    const double until = from + 0.62 * pi;
    out_.path(to('M', on_circle(at, radius, from)) + arc(radius, false, true, on_circle(at, radius, until)), "load torque");
    const Pixel d = on_circle({0, 0}, 1, until + pi / 2);
    head(offset(on_circle(at, radius, until), d, 1.2 * std::max(pin_, 3.5), 0), d, "load-head");
  }
}

void Symbols::motor(Pixel at, double radius) {
  turning_arrow(at, radius);
  const double disc = 1.9 * std::max(pin_, 3.2);
  const Pixel badge = on_circle(at, radius, -0.25 * pi);
  out_.circle(badge, disc, "drive paper");
  out_.text("M", {{"class", "motor-letter"}, {"x", number(badge.x)}, {"y", number(badge.y + 0.62 * disc)}, {"text-anchor", "middle"},
                  {"style", "font-size:" + number(1.7 * disc) + "px"}});
}

// ---- wheels ---------------------------------------------------------------------------------------------------------------

void Symbols::gear(Pixel centre, const Scene::Wheel& wheel, double scale, double angle, std::string_view colour) {
  // flanks that cannot be seen as curves are straight
  const bool fine = 2 * wheel.radius / wheel.teeth * scale < 2.5;
  std::vector<Pixel> line;
  const double step = 2 * pi / wheel.teeth;
  for (int k = 0; k < wheel.teeth; ++k) {
    const double middle = angle + wheel.phase + k * step;
    const auto take = [&](std::size_t p, double sign) { line.push_back(on_circle(centre, wheel.tooth[p][0] * scale, -(middle + sign * wheel.tooth[p][1]))); };
    const std::size_t last = wheel.tooth.size() - 1;
    for (std::size_t p = 0; p <= last; ++p)
      if (!fine || p == 0 || p == last) take(p, -1);
    for (std::size_t p = last + 1; p-- > 0;)
      if (!fine || p == 0 || p == last) take(p, 1);
  }
  std::string data = svg::path(line, true);
  const double r = wheel.radius * scale;
  if (wheel.ring) {
    const double outer = wheel.tooth.front()[0] * scale + 0.12 * r;
    const Pixel right = on_circle(centre, outer, 0), left = on_circle(centre, outer, pi);
    data += to('M', right) + arc(outer, false, true, left) + arc(outer, false, true, right) + "Z";
  }
  out_.element("path", {{"class", "plate teeth"}, {"fill-rule", "evenodd"}, {"fill", std::string(colour)}, {"stroke", std::string(colour)}, {"d", data}});
  out_.open("g", {{"class", "gear"}, {"stroke", std::string(colour)}});
  out_.circle(centre, r, "pitch");
  if (!wheel.ring) out_.line(on_circle(centre, 1.6 * pin_, -angle), on_circle(centre, std::max(1.6 * pin_, 0.8 * r), -angle), "thin");
  out_.close();
}

// Straight where it is free, and around both.
void Symbols::belt(Pixel a, double radius_a, Pixel b, double radius_b, bool crossed) {
  const double apart = length(b - a), ra = radius_a + 1, rb = radius_b + 1, other = crossed ? -rb : rb;
  if (apart <= std::abs(ra - other)) return;
  const Pixel d = direction(a, b);
  const double along = (ra - other) / apart, beside = std::sqrt(1 - along * along);
  const auto touch = [&](double side, bool first) {
    return first ? offset(a, d, ra * along, side * ra * beside) : offset(b, d, other * along, side * other * beside);
  };
  out_.path(to('M', touch(1, true)) + to('L', touch(1, false)) + arc(rb, crossed || along < 0, crossed, touch(-1, false)) + to('L', touch(-1, true)) +
                arc(ra, crossed || along > 0, false, touch(1, true)),
            "usual belt");
}

}  // namespace jounce::draw
