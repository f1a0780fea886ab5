#include "jounce/report/draw/draw_sheet.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/scalar/scalar.hpp"

namespace jounce::draw {
namespace {

constexpr double kTallest = 1.0;  // of its width
constexpr double kLowest = 0.25;
constexpr double kFont = 12;
constexpr std::size_t kLongest = 32;  // characters of a name
constexpr double kOnePlace = 3;       // pixels: what lies nearer has one name
constexpr double kLeader = 22;        // pixels: a name that stands farther off has a line to its place
constexpr double kMostCovered = 0.35; // of a name, before it is left out

double shared(const Box& a, const Box& b) {
  const double w = std::min(a.high.x, b.high.x) - std::max(a.low.x, b.low.x);
  const double h = std::min(a.high.y, b.high.y) - std::max(a.low.y, b.low.y);
  return w > 0 && h > 0 ? w * h : 0;
}

}  // namespace

void Box::take(Pixel p, double radius) {
  low = {std::min(low.x, p.x - radius), std::min(low.y, p.y - radius)};
  high = {std::max(high.x, p.x + radius), std::max(high.y, p.y + radius)};
}

void Sheet::include(Vec3<double> p, double radius) { extent_.take({dot(right_, p), dot(up_, p)}, radius); }

void Sheet::include(const Sheet& other) {
  if (other.extent_.empty()) return;
  extent_.take(other.extent_.low);
  extent_.take(other.extent_.high);
}

void Sheet::fit(double width, double margin, double size) {
  if (extent_.empty()) extent_.take({0, 0});
  width_ = width;
  margin_ = std::min(margin, 0.2 * width);
  const Pixel low = extent_.low, high = extent_.high;
  double wide = high.x - low.x, high_by = high.y - low.y;
  if (std::max(wide, high_by) < 1e-3 * size) wide = size;
  wide = std::max(wide, 1e-300);
  const double room = width - 2 * margin_, tallest = kTallest * width - 2 * margin_;
  scale_ = std::min(room / wide, tallest / std::max(high_by, 1e-300));
  height_ = std::max(kLowest * width, high_by * scale_ + 2 * margin_);
  const Pixel middle{(low.x + high.x) / 2, (low.y + high.y) / 2};
  origin_ = {width_ / 2 - middle.x * scale_, height_ / 2 + middle.y * scale_};
}

Pixel Sheet::at(Vec3<double> p) const { return {origin_.x + scale_ * dot(right_, p), origin_.y - scale_ * dot(up_, p)}; }

std::pair<double, double> Sheet::visible(Pixel a, Pixel b) const {
  const Pixel d = b - a;
  const double l = length(d);
  if (l < 1e-9) return {0, 0};
  double from = -1e9, until = 1e9;
  const double rim = 0.55 * margin_;
  const auto cut = [&](double start, double rate, double low, double high) {
    if (std::abs(rate) < 1e-9) return;
    const double one = (low - start) / rate, other = (high - start) / rate;
    from = std::max(from, std::min(one, other));
    until = std::min(until, std::max(one, other));
  };
  cut(a.x, d.x / l, rim, width_ - rim);
  cut(a.y, d.y / l, rim, height_ - rim);
  return {from, until};
}

void Labels::avoid(Pixel at, double radius) {
  Box box;
  box.take(at, radius);
  taken_.push_back(box);
}

void Labels::avoid_line(Pixel a, Pixel b) {
  const int n = std::clamp(static_cast<int>(length(b - a) / 10), 1, 60);
  for (int k = 0; k <= n; ++k) avoid({a.x + (b.x - a.x) * k / n, a.y + (b.y - a.y) * k / n}, 2.5);
}

void Labels::add(std::string_view name, Pixel at, double gap, std::string_view style_class, std::string_view colour) {
  const auto here = [&](const Name& other) { return other.style_class == style_class && other.colour == colour && length(other.of - at) < kOnePlace; };
  if (const auto known = std::ranges::find_if(names_, here); known != names_.end() && style_class != "body") {
    known->text += ", " + std::string(name);
    known->gap = std::max(known->gap, gap);
    return;
  }
  names_.push_back({std::string(name), std::string(style_class), std::string(colour), at, gap, {}});
}

Box Labels::placed(const Name& name) const {
  const double wide = svg::text_width(name.text, kFont) + 2, high = kFont;
  Box best;
  double least = 1e300, covered = 0;
  for (const double far : {1.0, 1.8, 3.0, 4.5, 6.5, 9.0})
    for (int k = 0; k < 12; ++k) {
      const SinCos<double> turn = sincos(-0.7 + k * 0.5235987755982988);
      const Pixel out{turn.cos, turn.sin};
      const Pixel middle{name.of.x + out.x * (far * name.gap + wide / 2), name.of.y + out.y * (far * name.gap + high / 2)};
      const Box box{{middle.x - wide / 2, middle.y - high / 2}, {middle.x + wide / 2, middle.y + high / 2}};
      double over = 0;
      for (const Box& other : taken_) over += shared(box, other);
      double cost = over + 4 * far + 0.01 * k;
      if (box.low.x < 2 || box.high.x > width_ - 2 || box.low.y < 2 || box.high.y > height_ - 2) cost += 1e4;
      if (cost >= least) continue;
      least = cost, covered = over, best = box;
    }
  const bool must_be_there = name.style_class == "body" || name.style_class == "force";
  if (!must_be_there && covered > kMostCovered * wide * high) return {};
  return best;
}

void Labels::write(svg::Writer& out) {
  if (names_.empty()) return;
  for (Name& name : names_) {
    name.text = svg::shortened(name.text, kLongest);
    name.box = placed(name);
    if (!name.box.empty()) taken_.push_back(name.box);
  }
  out.open("g", {{"class", "names"}, {"text-anchor", "middle"}});
  for (const Name& name : names_) {
    if (name.box.empty()) continue;
    const Pixel edge{std::clamp(name.of.x, name.box.low.x, name.box.high.x), std::clamp(name.of.y, name.box.low.y, name.box.high.y)};
    if (length(edge - name.of) > std::max(kLeader, 1.5 * name.gap)) out.line(name.of, edge, "leader");
  }
  for (const Name& name : names_) {
    if (name.box.empty()) continue;
    const std::string x = svg::number((name.box.low.x + name.box.high.x) / 2), y = svg::number(name.box.high.y - 2);
    out.text(name.text, {{"class", "halo " + name.style_class}, {"x", x}, {"y", y}, {"aria-hidden", "true"}});
    out.text(name.text,
             {{"class", name.style_class}, {"x", x}, {"y", y}, {"style", name.colour.empty() ? "" : "fill:" + name.colour}});
  }
  out.close();
}

}  // namespace jounce::draw
