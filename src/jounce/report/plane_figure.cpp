#include "jounce/report/plane_figure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {
namespace {

using Symbol = DrawingSymbol;
using Point = Vec3<double>;

constexpr double kSame = 1e-6;  // of the size of the mechanism: places closer than this are one
constexpr double kWide = 0.034, kFine = 0.007, kAlone = 0.06;  // width of a link, of the size of the motion; where there are wheels only
constexpr double kOfLength = 0.45;              // and at most of the length of short links

double turned(const Point& a, const Point& b) { return a.x * b.y - a.y * b.x; }

Point unit(const Scene::Line& line) {
  const Point d = line.to - line.from;
  const double l = length(d);
  return l > 0 ? d * (1 / l) : Point{1, 0, 0};
}

// The convex hull, counter-clockwise, without points on its edges.
std::vector<Point> hull(std::vector<Point> points, double same) {
  std::ranges::sort(points, [](const Point& a, const Point& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Point> distinct;
  for (const Point& p : points)
    if (std::ranges::none_of(distinct, [&](const Point& o) { return length(o - p) < same; })) distinct.push_back(p);
  if (distinct.size() < 3) return distinct;
  const double flat = same * length(distinct.back() - distinct.front());
  std::vector<Point> out;
  const auto half = [&](auto from, auto until) {
    const std::size_t base = out.size();
    for (auto p = from; p != until; ++p) {
      while (out.size() > base + 1 && turned(out.back() - out[out.size() - 2], *p - out[out.size() - 2]) <= flat) out.pop_back();
      out.push_back(*p);
    }
    out.pop_back();
  };
  half(distinct.begin(), distinct.end());
  half(distinct.rbegin(), distinct.rend());
  return out;
}

// A rectangle in its body: a place seen from its middle along its sides, and the other way round.
struct Rectangle {
  const BodyShape& shape;

  [[nodiscard]] Point seen(const Point& p) const {
    const auto [s, c] = sincos(shape.rpy.z);
    const Point d = p - shape.centre;
    return {c * d.x + s * d.y, c * d.y - s * d.x, 0};
  }
  [[nodiscard]] Point at(double x, double y) const {
    const auto [s, c] = sincos(shape.rpy.z);
    return shape.centre + Point{c * x - s * y, s * x + c * y, 0};
  }
  [[nodiscard]] bool holds(const Point& p, double more) const {
    const Point q = seen(p);
    return std::abs(q.x) <= shape.size.x / 2 + more && std::abs(q.y) <= shape.size.y / 2 + more;
  }
  [[nodiscard]] Point nearest(const Point& p) const {
    const Point q = seen(p);
    return at(std::clamp(q.x, -shape.size.x / 2, shape.size.x / 2), std::clamp(q.y, -shape.size.y / 2, shape.size.y / 2));
  }
  [[nodiscard]] std::array<Point, 4> corners() const {
    const double x = shape.size.x / 2, y = shape.size.y / 2;
    return {at(-x, -y), at(x, -y), at(x, y), at(-x, y)};
  }
};

bool is_rectangle(const Scene::Body& body) { return body.shape && body.shape->kind == BodyShape::Kind::rectangle; }

class Completion {
 public:
  explicit Completion(Scene& scene) : scene_(scene), same_(kSame * scene.size) {}

  // A box about what slides is the block itself, and so is a rack: the guide stands beside it.
  void block(Scene::Element& e, const Point& at, bool piston) const {
    Scene::Block block{at};
    block.piston = piston;
    const Scene::Body& body = scene_.bodies[z(e.j)];
    const Point d = unit(*e.line_j);
    const auto own = [&](const BodyShape& shape) {
      block.own = true;
      const double far = std::numeric_limits<double>::max();
      block.along = block.beside = {far, -far};
      for (const Point& corner : Rectangle{shape}.corners()) {
        const double along = dot(corner - at, d), beside = turned(d, corner - at);
        block.along = {std::min(block.along[0], along), std::max(block.along[1], along)};
        block.beside = {std::min(block.beside[0], beside), std::max(block.beside[1], beside)};
      }
    };
    const auto parallel = [&](const Scene::Element& rack) { return rack.i == e.j && rack.rack && std::abs(turned(d, unit(*rack.line_i))) < 1e-6; };
    const auto rack = std::ranges::find_if(scene_.elements, parallel);
    if (is_rectangle(body) && Rectangle{*body.shape}.holds(at, same_)) own(*body.shape);
    else if (rack != scene_.elements.end()) own(bar_of(*rack)), block.both = false;
    e.block = block;
  }

  // Held in x or y: the guide stands left of the body or below it.
  void guide(Scene::Element& e, std::span<const Frame<double>> poses) const {
    if (e.symbol != Symbol::guide || e.i >= 0 || e.j <= 0 || e.what == "phi" || poses.empty()) return;
    const Frame<double>& pose = poses[z(e.j)];
    Scene::Block block{{}};
    const auto take = [&](const Point& p, double radius) {
      const Point w = pose.axes * p;
      block.beside = {std::min(block.beside[0], (e.what == "x" ? w.x : w.y) - radius), std::max(block.beside[1], (e.what == "x" ? w.x : w.y) + radius)};
    };
    const Scene::Body& body = scene_.bodies[z(e.j)];
    if (is_rectangle(body))
      for (const Point& corner : Rectangle{*body.shape}.corners()) take(corner, 0);
    for (const Scene::Wheel& wheel : scene_.wheels)
      if (wheel.body == e.j) take(wheel.centre, wheel.radius);
    block.own = block.beside[1] > block.beside[0];
    e.block = block;
  }

  // A cylinder whose tube and rod are bodies is drawn already: what drives its two ends apart is not drawn a second time.
  void join(Scene::Element& e) const {
    const bool actuator = e.symbol == Symbol::spring && e.actuated && !(e.stiffness.value_or(0) > 0) && !e.damping && !e.friction;
    if ((e.symbol != Symbol::cylinder && !actuator) || !e.pi || !e.pj) return;
    const auto seen = [&](const Scene::Element& slide) {
      if (slide.symbol != Symbol::slider || slide.i <= 0 || slide.j <= 0 || !slide.line_i || !slide.line_j) return false;
      const auto ends = [&](int body, const Point& p, int on, const Scene::Line& line) {
        const std::vector<Point> there = body == on ? std::vector{p} : pinned_to(body, p, on);
        return std::ranges::any_of(there, [&](const Point& q) { return std::abs(turned(unit(line), q - line.from)) < same_; });
      };
      return (ends(e.i, *e.pi, slide.i, *slide.line_i) && ends(e.j, *e.pj, slide.j, *slide.line_j)) ||
             (ends(e.i, *e.pi, slide.j, *slide.line_j) && ends(e.j, *e.pj, slide.i, *slide.line_i));
    };
    if (std::ranges::any_of(scene_.elements, seen)) e.symbol = Symbol::none;
  }

  // A foot lies away from the body that it holds, if that hangs.
  void foot(Scene::Element& e, std::span<const Frame<double>> poses) const {
    if (poses.empty() || !e.pi || !e.pj || (e.i != 0 && e.j != 0)) return;
    const int body = e.i == 0 ? e.j : e.i;
    if (body <= 0) return;
    const Point& pin = e.i == 0 ? *e.pj : *e.pi;
    Point mean;
    for (const Point& p : scene_.bodies[z(body)].outline)
      if (const double far = length(p - pin); far > same_) mean += poses[z(body)].axes * ((p - pin) * (1 / far));
    const bool round = std::ranges::any_of(scene_.wheels, [&](const Scene::Wheel& w) { return w.body == body; });
    if (e.symbol == Symbol::spring || e.symbol == Symbol::cylinder || e.symbol == Symbol::rod)
      mean = (poses[z(body)] * pin - poses[0] * (e.i == 0 ? *e.pi : *e.pj)) * (1 / scene_.size);
    e.hangs = !round && mean.y < -1.2 * std::abs(mean.x) && mean.y < -0.1;
  }

  // On the other side than the body reaches to; below, or right of an upright guide, where it reaches to neither.
  void side(Scene::Element& e, std::span<const Frame<double>> poses) const {
    if (!e.block || poses.empty()) return;
    const Frame<double>& carrier = poses[z(e.i)];
    const Point d = carrier.axes * unit(*e.line_i), at = poses[z(e.j)] * e.block->at;
    const bool forwards = std::abs(d.x) > 1e-6 ? d.x > 0 : d.y > 0;
    const int usual = forwards ? -1 : 1;
    double left = 0, right = 0;
    for (const Point& p : scene_.bodies[z(e.j)].outline) {
      const double beside = turned(d, poses[z(e.j)] * p - at);
      left = std::max(left, beside), right = std::max(right, -beside);
    }
    if (e.block->own) left = right = 0;
    if (!e.block->both) return void(e.block->side = back_of(e, d, poses));
    e.block->side = std::abs(left - right) <= 0.01 * scene_.size ? usual : left > right ? -1 : 1;
  }

  void outline(int b) const {
    Scene::Body& body = scene_.bodies[z(b)];
    std::vector<Point> points = grips(b);
    for (const Scene::Point& p : body.points)
      if (!only_directs(b, p.p, points)) points.push_back(p.p);
    if (body.shape && body.shape->kind == BodyShape::Kind::bar) points.insert(points.end(), {body.shape->from, body.shape->to});
    const auto slides = [&](const Scene::Element& e) { return e.block && e.j == b; };
    const bool block = std::ranges::any_of(scene_.elements, slides);
    const bool round = std::ranges::any_of(scene_.wheels, [&](const Scene::Wheel& w) { return w.body == b; });
    if (!body.shape && !round && !block && body.com && hull(points, same_).size() < 2)
      if (points.empty() || body.mass.value_or(0) > 0) points.push_back(*body.com);
    const bool plain_block = std::ranges::any_of(scene_.elements, [&](const Scene::Element& e) { return slides(e) && !e.block->own; });
    if (plain_block && body.com && body.mass.value_or(0) > 0 && !round && !within(hull(points, same_), *body.com)) add_directions(b, points);
    if (round) arms(b, points);
    if (is_rectangle(body)) arms(Rectangle{*body.shape}, points);
    for (const Scene::Element& e : scene_.elements)
      if (e.i == b && e.rack) arms(Rectangle{bar_of(e)}, points);
    body.outline = hull(std::move(points), same_);
    if (block && body.outline.size() < 2) body.outline.clear();
  }

  // Slotted bodies and rings lie lowest, plates on them, then links: those between others, those that turn on the ground, those that are driven.
  [[nodiscard]] std::vector<int> order() const {
    std::vector<int> out;
    for (int b = 1; b < static_cast<int>(scene_.bodies.size()); ++b) out.push_back(b);
    std::ranges::stable_sort(out, {}, [&](int b) { return height(b); });
    return out;
  }

 private:
  // The bar that the teeth of a rack are on, from its back to the pitch line.
  static BodyShape bar_of(const Scene::Element& e) {
    const Point d = unit(*e.line_i), left{-d.y, d.x, 0};
    const double sign = *e.radius > 0 ? 1 : -1, reach = std::abs(*e.radius), high = 0.9 * e.rack->pitch;
    const std::array<double, 2> span = e.span.value_or(std::array{0.0, 0.0});
    BodyShape bar;
    bar.kind = BodyShape::Kind::rectangle;
    bar.centre = e.line_i->from + d * ((span[0] + span[1]) / 2) + left * (sign * (reach + high / 2));
    bar.size = {span[1] - span[0] + 1.5 * reach, high, 0};
    bar.rpy.z = std::atan2(d.y, d.x);
    return bar;
  }

  // The places of a body that are pinned to a place of another.
  [[nodiscard]] std::vector<Point> pinned_to(int body, const Point& p, int on) const {
    std::vector<Point> out;
    for (const Scene::Element& e : scene_.elements) {
      if (e.symbol != Symbol::pin || !e.pi || !e.pj) continue;
      if (e.i == body && e.j == on && length(*e.pi - p) < same_) out.push_back(*e.pj);
      if (e.j == body && e.i == on && length(*e.pj - p) < same_) out.push_back(*e.pi);
    }
    return out;
  }

  // The side of a guide's line on which the back of the block's rack is.
  [[nodiscard]] int back_of(const Scene::Element& slider, const Point& d, std::span<const Frame<double>> poses) const {
    for (const Scene::Element& e : scene_.elements)
      if (e.i == slider.j && e.rack) {
        const Point line = poses[z(e.i)].axes * unit(*e.line_i), back = Point{-line.y, line.x, 0} * (*e.radius > 0 ? 1.0 : -1.0);
        return turned(d, back) > 0 ? 1 : -1;
      }
    return -1;
  }

  [[nodiscard]] bool within(const std::vector<Point>& outline, const Point& p) const {
    if (outline.size() == 2) {
      const Point d = outline[1] - outline[0];
      return std::abs(turned(d, p - outline[0])) < same_ * length(d) && dot(d, p - outline[0]) >= 0 && dot(d, p - outline[1]) <= 0;
    }
    bool in = outline.size() > 2;
    for (std::size_t k = 0; k < outline.size(); ++k) in = in && turned(outline[(k + 1) % outline.size()] - outline[k], p - outline[k]) >= 0;
    return in;
  }

  // A block whose mass lies elsewhere is longer than a block: it reaches to where its line does.
  void add_directions(int b, std::vector<Point>& points) const {
    for (const Scene::Element& e : scene_.elements)
      if (e.j == b && e.block && e.line_j) points.insert(points.end(), {e.line_j->from, e.line_j->to});
  }

  // Where other things are fixed to a body.
  [[nodiscard]] std::vector<Point> grips(int b) const {
    std::vector<Point> out;
    for (const Scene::Element& e : scene_.elements) {
      const bool no_place = e.symbol == Symbol::gears || e.symbol == Symbol::turn || e.symbol == Symbol::motor || e.symbol == Symbol::spiral;
      if (no_place) continue;
      if (e.i == b && e.pi) out.push_back(*e.pi);
      if (e.j == b && e.pj) out.push_back(*e.pj);
      if (e.j == b && e.block && !e.block->own) out.push_back(e.block->at);
      const bool cut = e.symbol == Symbol::slot || e.symbol == Symbol::slider;  // the stretch that is used is part of the body
      if (e.i == b && b > 0 && e.line_i && e.span && cut)
        for (const double s : *e.span) out.push_back(e.line_i->from + unit(*e.line_i) * s);
    }
    return out;
  }

  // A named point that is there only for a line to have a direction.
  [[nodiscard]] bool only_directs(int b, const Point& p, const std::vector<Point>& grips) const {
    const auto near = [&](const Point& q) { return length(p - q) < same_; };
    if (std::ranges::any_of(grips, near)) return false;
    return std::ranges::any_of(scene_.elements, [&](const Scene::Element& e) {
      const bool lines = e.symbol == Symbol::slot || e.symbol == Symbol::slider || e.symbol == Symbol::wheel;
      const auto names = [&](int body, const std::optional<Scene::Line>& l) { return body == b && l && (near(l->from) || near(l->to)); };
      return lines && !is_end(e, b, p) && (names(e.i, e.line_i) || names(e.j, e.line_j));
    });
  }

  // Of a link that a slot is cut into: what lies about as far as pins go in it is where the link ends, not a direction. Of a cylinder: its tube's two ends.
  [[nodiscard]] bool is_end(const Scene::Element& e, int b, const Point& p) const {
    constexpr double kBeyond = 2.5;
    if (e.block && e.block->piston && e.i == b) return true;
    if (e.symbol != Symbol::slot || e.i != b || b == 0 || !e.line_i || !e.span) return false;
    return length(p - e.line_i->from) <= kBeyond * std::max(std::abs((*e.span)[0]), std::abs((*e.span)[1]));
  }

  // What lies on a wheel it carries; what lies beyond hangs on an arm from its centre.
  void arms(int b, std::vector<Point>& points) const {
    for (const Scene::Wheel& wheel : scene_.wheels) {
      if (wheel.body != b) continue;
      std::vector<Point> outside;
      for (const Point& p : points)
        if (length(p - wheel.centre) > 1.001 * wheel.radius) outside.push_back(p);
      if (!outside.empty()) outside.push_back(wheel.centre);
      points = std::move(outside);
    }
  }
  void arms(const Rectangle& box, std::vector<Point>& points) const {
    std::vector<Point> outside;
    for (const Point& p : points)
      if (!box.holds(p, same_)) outside.insert(outside.end(), {p, box.nearest(p)});
    points = std::move(outside);
  }

  [[nodiscard]] int height(int b) const {
    const auto any = [&](auto test) { return std::ranges::any_of(scene_.elements, test); };
    const auto other = [&](const Scene::Element& e) { return e.i == b ? e.j : e.j == b ? e.i : -1; };
    if (any([&](const Scene::Element& e) { return e.symbol == Symbol::slot && e.i == b; })) return 0;
    if (scene_.bodies[z(b)].outline.size() > 2) return 1;
    const bool grounded = any([&](const Scene::Element& e) { return e.symbol == Symbol::pin && other(e) == 0; });
    const bool driven = any([&](const Scene::Element& e) { return (e.symbol == Symbol::turn || e.symbol == Symbol::motor) && other(e) == 0; });
    return driven ? 4 : grounded ? 3 : 2;
  }

  Scene& scene_;
  double same_;
};

// Of links as they are drawn: the fifth part of them is shorter.
double short_link(const Scene& scene) {
  std::vector<double> lengths;
  for (const Scene::Body& body : scene.bodies)
    for (std::size_t k = 1; k < body.outline.size(); ++k) lengths.push_back(length(body.outline[k] - body.outline[k - 1]));
  std::erase_if(lengths, [&](double l) { return !(l > 1e-3 * scene.size); });
  if (lengths.empty()) return std::numeric_limits<double>::max();
  std::ranges::sort(lengths);
  return lengths[lengths.size() / 5];
}

}  // namespace

bool is_pinned(const Scene& scene, int body, const Vec3<double>& p) {
  return std::ranges::any_of(scene.elements, [&](const Scene::Element& e) {
    if (e.symbol != Symbol::pin || !e.pi || !e.pj) return false;
    return (e.i == body && length(*e.pi - p) < kSame * scene.size) || (e.j == body && length(*e.pj - p) < kSame * scene.size);
  });
}

PlaneFigure::PlaneFigure(const Scene& scene)
    : scene_(scene),
      blocks_(scene.elements.size()),
      pistons_(scene.elements.size()),
      spans_(scene.elements.size()),
      strokes_(scene.elements.size()),
      walls_(scene.walls.size()) {
  const double far = std::numeric_limits<double>::max();
  box_ = {far, -far, far, -far};
  if (scene.space) return;
  for (std::size_t k = 0; k < scene.elements.size(); ++k) {
    const Scene::Element& e = scene.elements[k];
    if (e.symbol != Symbol::slider || !e.line_i || !e.line_j) continue;
    // where a link takes hold of it
    const bool near_pinned = is_pinned(scene, e.j, e.line_j->from), far_pinned = is_pinned(scene, e.j, e.line_j->to), far_end = !near_pinned && far_pinned;
    blocks_[k] = far_end ? e.line_j->to : e.line_j->from;
    if (e.i > 0 && e.j > 0 && near_pinned != far_pinned) pistons_[k] = far_end ? e.line_j->from : e.line_j->to;
  }
}

void PlaneFigure::take(std::span<const Frame<double>> poses) {
  if (scene_.space) return;
  if (first_.empty()) first_.assign(poses.begin(), poses.end());
  const auto widen = [](std::optional<std::array<double, 2>>& span, double s) {
    if (!std::isfinite(s)) return;
    span = span ? std::array{std::min((*span)[0], s), std::max((*span)[1], s)} : std::array{s, s};
  };
  for (std::size_t k = 0; k < scene_.elements.size(); ++k) {
    const Scene::Element& e = scene_.elements[k];
    const std::optional<Point>& slides = blocks_[k] ? blocks_[k] : e.pj;
    const bool on_line = e.symbol == Symbol::slot || e.symbol == Symbol::slider || e.symbol == Symbol::wheel;
    if (on_line && e.line_i && slides) {
      const Frame<double>& carrier = poses[z(e.i)];
      const auto along = [&](const Point& p) { return dot(carrier.axes * unit(*e.line_i), poses[z(e.j)] * p - carrier * e.line_i->from); };
      widen(spans_[k], along(*slides));
      if (pistons_[k]) widen(strokes_[k], along(*pistons_[k]));
    } else if ((e.symbol == Symbol::spring || e.symbol == Symbol::cylinder) && e.pi && e.pj) {
      widen(spans_[k], length(poses[z(e.i)] * *e.pi - poses[z(e.j)] * *e.pj));
    } else if (e.symbol == Symbol::guide && e.i < 0 && e.what != "phi" && e.j > 0) {
      const Point origin = poses[z(e.j)].origin;
      widen(spans_[k], e.what == "x" ? origin.y : origin.x);
    }
  }
  for (std::size_t k = 0; k < scene_.walls.size(); ++k) {
    const Point at = poses[z(scene_.walls[k].on.body)] * scene_.walls[k].on.p;
    widen(walls_[k], scene_.walls[k].upright ? at.y : at.x);
  }
  const auto include = [&](int body, const Point& p) {
    const Point w = poses[z(body)] * p;
    if (!std::isfinite(w.x) || !std::isfinite(w.y)) return;
    box_ = {std::min(box_[0], w.x), std::max(box_[1], w.x), std::min(box_[2], w.y), std::max(box_[3], w.y)};
  };
  for (std::size_t b = 1; b < scene_.bodies.size(); ++b)
    for (const Scene::Point& p : scene_.bodies[b].points) include(static_cast<int>(b), p.p);
  for (const Scene::Element& e : scene_.elements) {
    if (e.i >= 0 && e.pi && e.symbol != Symbol::gears) include(e.i, *e.pi);
    if (e.j >= 0 && e.pj) include(e.j, *e.pj);
  }
}

// A rod in a tube: the end of it that nothing takes hold of stays within the line that the tube names, and the other one comes out.
bool PlaneFigure::is_piston(const Scene& scene, std::size_t element) const {
  const Scene::Element& e = scene.elements[element];
  const auto &stroke = strokes_[element], &other = spans_[element];
  if (!pistons_[element] || !stroke || !other || !e.line_i) return false;
  const double same = kSame * scene.size, tube = length(e.line_i->to - e.line_i->from);
  const auto within = [&](const std::array<double, 2>& span) { return span[0] > -same && span[1] < tube + same; };
  return within(*stroke) && !within(*other);
}

void PlaneFigure::complete(Scene& scene) const {
  if (scene.space) return;
  Completion complete(scene);
  for (std::size_t k = 0; k < scene.elements.size(); ++k) scene.elements[k].span = spans_[k];
  for (std::size_t k = 0; k < scene.walls.size(); ++k) scene.walls[k].span = walls_[k];
  if (!first_.empty()) fit_wheels(scene, first_);
  for (std::size_t k = 0; k < scene.elements.size(); ++k) {
    if (!blocks_[k]) continue;
    const bool piston = is_piston(scene, k);
    if (piston) scene.elements[k].span = strokes_[k];
    complete.block(scene.elements[k], piston ? *pistons_[k] : *blocks_[k], piston);
  }
  for (Scene::Element& e : scene.elements) complete.join(e);
  for (int b = 1; b < static_cast<int>(scene.bodies.size()); ++b) complete.outline(b);
  for (Scene::Element& e : scene.elements) {
    if (e.symbol == Symbol::slider) complete.side(e, first_);
    complete.guide(e, first_);
    complete.foot(e, first_);
  }
  scene.order = complete.order();
  double extent = std::max({box_[1] - box_[0], box_[3] - box_[2], 0.0});
  for (const Scene::Wheel& wheel : scene.wheels) extent = std::max(extent, 2 * wheel.radius);
  if (!(extent > 1e-3 * scene.size)) extent = scene.size;
  const double shortest = short_link(scene);
  const bool links = shortest < std::numeric_limits<double>::max();
  scene.link = std::max(kFine * extent, links ? std::min(kWide * extent, kOfLength * shortest) : kAlone * extent);
}

}  // namespace jounce
