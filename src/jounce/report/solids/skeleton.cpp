// The skeleton of a mechanism: what is connected where, how far joints slide, and how thick things are.
#include "jounce/report/solids/skeleton.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"

namespace jounce::solids {
namespace {

using Symbol = DrawingSymbol;

struct Bounds {
  Vec3<double> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};

  void take(const Vec3<double>& p) {
    if (!is_finite(p)) return;
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  [[nodiscard]] double diagonal() const { return low.x > high.x ? 0 : length(high - low); }
};

bool slides(Symbol symbol) { return symbol == Symbol::slide || symbol == Symbol::sleeve || symbol == Symbol::screw; }

std::vector<Connection> connections(const Scene& scene) {
  std::vector<Connection> out;
  for (const Scene::Element& e : scene.elements) {
    if ((e.group != Group::joint && e.group != Group::loop) || !e.frame_i || !e.frame_j || e.i < 0 || e.j < 0) continue;
    Connection one{.element = &e, .symbol = e.symbol, .loop = e.group == Group::loop, .parent = e.i, .child = e.j,
                   .parent_frame = *e.frame_i, .child_frame = *e.frame_j};
    if (e.axis) one.axis = unit_vector(*e.axis);
    out.push_back(one);
  }
  return out;
}

void add_travel(Connection& one, std::span<const BodyPoses> motion) {
  bool first = true;
  for (const BodyPoses& poses : motion) {
    const Frame<double> parent = poses[z(one.parent)] * one.parent_frame;
    const double along = dot(poses[z(one.child)] * one.child_frame.origin - parent.origin, parent.axes * one.axis);
    if (!std::isfinite(along)) continue;
    one.low = first ? along : std::min(one.low, along);
    one.high = first ? along : std::max(one.high, along);
    first = false;
  }
}

// Forks and sockets take the place of the link's end.
double inset(const Connection& one, bool parent) {
  switch (one.symbol) {
    case Symbol::universal: return 3.0;
    case Symbol::gimbal: return parent ? 3.2 : 0;
    case Symbol::ball: return parent ? 1.6 : 0;
    default: return 0;
  }
}

double median(std::vector<double> all, double otherwise) {
  if (all.empty()) return otherwise;
  std::ranges::sort(all);
  return all[all.size() / 2];
}

class Builder {
 public:
  Builder(const Scene& scene, std::span<const BodyPoses> motion) : scene_(scene), out_{scene, motion, connections(scene), {}} {}

  Skeleton build() {
    for (Connection& one : out_.connections)
      if (slides(one.symbol)) add_travel(one, out_.motion);
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) out_.bones.push_back(bone(static_cast<int>(b)));
    measure();
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) out_.bones[b].thick = thickness(b);
    for (Connection& one : out_.connections) finish(one);
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) set_insets(static_cast<int>(b));
    return std::move(out_);
  }

 private:
  Bone bone(int body) const {
    Bone out;
    const auto take = [&](const Vec3<double>& p, bool joint) {
      const auto same = std::ranges::find_if(out.nodes, [&](const Node& n) { return length(n.p - p) <= 1e-6 * scene_.size; });
      if (same == out.nodes.end()) out.nodes.push_back({p, 0, joint});
      else same->joint = same->joint || joint;
    };
    for (const Connection& one : out_.connections)
      if (!one.loop && one.child == body && one.symbol != Symbol::afloat && !out.hangs) {
        out.hub = one.child_frame.origin;
        out.hangs = true;
        take(out.hub, true);
      }
    for (const Connection& one : out_.connections) {
      if (one.symbol == Symbol::afloat) continue;
      if (one.parent == body) take(one.parent_frame.origin, true);
      if (one.child == body) take(one.child_frame.origin, true);
    }
    for (const Scene::Point& point : scene_.bodies[z(body)].points) take(point.p, false);
    for (const Scene::Element& e : scene_.elements)
      if (e.symbol == Symbol::spring) {
        if (e.i == body && e.pi) take(*e.pi, false);
        if (e.j == body && e.pj) take(*e.pj, false);
      }
    if (!out.hangs) {
      const Vec3<double> com = scene_.bodies[z(body)].com.value_or(Vec3<double>{});
      const auto nearest = std::ranges::min_element(out.nodes, {}, [&](const Node& n) { return length(n.p - com); });
      if (nearest != out.nodes.end()) std::iter_swap(out.nodes.begin(), nearest);
      out.hub = out.nodes.empty() ? com : out.nodes.front().p;
    }
    return out;
  }

  [[nodiscard]] double longest(std::size_t b) const {
    const Bone& bone = out_.bones[b];
    double out = 0;
    for (const Node& n : bone.nodes) out = std::max(out, length(n.p - bone.hub));
    if (const auto& com = scene_.bodies[b].com) out = std::max(out, length(*com - bone.hub));
    Bounds box;
    for (const Vec3<double>& p : outline(scene_.bodies[b])) box.take(p);
    return std::max(out, box.diagonal());
  }

  void measure() {
    Bounds start;
    std::vector<double> lengths;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      const Frame<double>& pose = out_.motion.front()[b];
      for (const Node& n : out_.bones[b].nodes) start.take(pose * n.p);
      if (scene_.bodies[b].com) start.take(pose * *scene_.bodies[b].com);
      for (const Vec3<double>& p : outline(scene_.bodies[b])) start.take(pose * p);
      if (b > 0 && longest(b) > 0) lengths.push_back(longest(b));
      out_.heaviest = std::max(out_.heaviest, scene_.bodies[b].mass.value_or(0));
    }
    out_.mechanism = start.diagonal() > 0 ? start.diagonal() : scene_.size;
    const double typical = median(lengths, out_.mechanism / 2);
    out_.unit = std::max(0.0015 * out_.mechanism, std::min(0.022 * std::sqrt(typical * out_.mechanism), 0.06 * typical));
  }

  // Of a body that says no shape: a part of how long it is. Of the others: what their joints go by.
  [[nodiscard]] double thickness(std::size_t b) const {
    const double u = out_.unit;
    if (b == 0) return 1.6 * u;
    const Scene::Body& body = scene_.bodies[b];
    if (body.shape) {
      using Kind = BodyShape::Kind;
      const BodyShape& shape = *body.shape;
      if (shape.kind == Kind::rod) return 0.9 * u;
      if (shape.kind == Kind::box) return std::clamp(0.5 * std::min({shape.size.x, shape.size.y, shape.size.z}), 0.7 * u, 1.8 * u);
      return std::clamp(0.6 * shape.radius, 0.7 * u, 1.6 * u);
    }
    double shortest = longest(b);
    for (const Node& n : out_.bones[b].nodes)
      if (const double l = length(n.p - out_.bones[b].hub); n.joint && l > 0.05 * shortest) shortest = std::min(shortest, l);
    return std::clamp(0.105 * shortest, 0.75 * u, 2.0 * u);
  }

  void finish(Connection& one) const {
    const double a = out_.bones[z(one.parent)].thick, b = out_.bones[z(one.child)].thick;
    one.unit = one.parent == 0 || one.child == 0 ? 0.95 * std::min(a, b) : std::max(0.95 * std::min(a, b), 0.75 * std::max(a, b));
    if (slides(one.symbol)) add_block(one);
    if (one.symbol != Symbol::hinge) return;
    // A bearing does not sit where another joint of the same shaft does: it moves along the axis, towards where the body is.
    const auto& com = scene_.bodies[z(one.child)].com;
    const Vec3<double> axis = one.child_frame.axes * one.axis;
    const double reach = com ? dot(*com - one.child_frame.origin, axis) : 0;
    const bool crowded = std::ranges::any_of(out_.connections, [&](const Connection& other) {
      return &other != &one && other.symbol != Symbol::afloat &&
             ((other.parent == one.child && length(other.parent_frame.origin - one.child_frame.origin) < one.unit) ||
              (other.child == one.child && length(other.child_frame.origin - one.child_frame.origin) < one.unit));
    });
    if (!crowded || std::abs(reach) < 4 * one.unit) return;
    const auto& shape = scene_.bodies[z(one.child)].shape;
    const bool slim = !shape || shape->kind == BodyShape::Kind::rod || (shape->radius > 0 && length(shape->to - shape->from) > 2 * shape->radius);
    one.shift = (slim ? 1.0 : 0.55) * reach;
  }

  // A body that lies around the joint by which it slides is itself the block; its rail lies under it, on the side of what carries it.
  void add_block(Connection& one) const {
    const double u = one.unit;
    one.reach_low = -2.3 * u, one.reach_high = 2.3 * u;
    const Frame<double>& frame = one.child_frame;
    const std::vector<Vec3<double>> corners = outline(scene_.bodies[z(one.child)]);
    if (one.symbol != Symbol::slide || corners.empty()) return;
    Bounds seen;  // in the joint frame
    for (const Vec3<double>& p : corners) seen.take(in_axes(frame.axes, p - frame.origin));
    const double least = 1.2 * u;
    if (std::max({seen.low.x, seen.low.y, seen.low.z}) > -0.3 * u || std::min({seen.high.x, seen.high.y, seen.high.z}) < 0.3 * u) return;
    // towards what carries it
    const Frame<double> now = out_.motion.front()[z(one.parent)] * one.parent_frame;
    Vec3<double> down = in_axes(now.axes, -scene_.up);
    if (one.parent > 0)
      if (const auto& com = scene_.bodies[z(one.parent)].com; com && length(*com - one.parent_frame.origin) > 2 * u)
        down = in_axes(one.parent_frame.axes, *com - one.parent_frame.origin);
    down = down - one.axis * dot(down, one.axis);
    down = length(down) > 0.2 ? unit_vector(down) : across(one.axis).first;
    double low = 0, high = 0, under = 0, wide = 0;
    for (const Vec3<double>& corner : corners) {
      const Vec3<double> p = in_axes(frame.axes, corner - frame.origin);
      low = std::min(low, dot(p, one.axis)), high = std::max(high, dot(p, one.axis));
      under = std::max(under, dot(p, down)), wide = std::max(wide, std::abs(dot(p, cross(down, one.axis))));
    }
    if (std::min(under, wide) < least || high - low > 6 * std::max(under, wide)) return;  // slimmer than a rail, or a rail itself
    one.reach_low = low, one.reach_high = high;
    one.beside = down * (under + 1.5 * u);
  }

  void set_insets(int body) {
    for (const Connection& one : out_.connections)
      for (const bool parent : {true, false}) {
        if ((parent ? one.parent : one.child) != body) continue;
        const Vec3<double> p = parent ? one.parent_frame.origin : one.child_frame.origin;
        for (Node& n : out_.bones[z(body)].nodes)
          if (length(n.p - p) <= 1e-6 * scene_.size) n.inset = std::max(n.inset, inset(one, parent) * one.unit);
      }
  }

  const Scene& scene_;
  Skeleton out_;
};

}  // namespace

std::vector<Vec3<double>> outline(const Scene::Body& body) {
  std::vector<Vec3<double>> out;
  const auto box = [&](const Vec3<double>& centre, const Vec3<double>& half, const Mat3<double>& axes) {
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0})
        for (const double w : {-1.0, 1.0}) out.push_back(centre + axes * Vec3<double>{x * half.x, y * half.y, w * half.z});
  };
  if (body.shape) {
    using Kind = BodyShape::Kind;
    const BodyShape& s = *body.shape;
    const double r = s.radius;
    if (s.kind == Kind::box) box(s.centre, s.size * 0.5, from_rpy(s.rpy));
    else if (s.kind == Kind::sphere) box(s.centre, {r, r, r}, identity3<double>());
    else box((s.from + s.to) * 0.5, {r, r, 0.5 * length(s.to - s.from)}, along(s.to - s.from));
  }
  for (const Solid& s : body.pictures) {
    if (s.kind == Solid::Kind::block) box(s.points.front(), s.size * 0.5, s.axes);
    else if (s.kind == Solid::Kind::ball) box(s.points.front(), Vec3<double>{1, 1, 1} * s.radius, identity3<double>());
    else if (s.kind == Solid::Kind::rod)
      box((s.points[0] + s.points[1]) * 0.5, {s.radius, s.radius, 0.5 * length(s.points[1] - s.points[0])}, along(s.points[1] - s.points[0]));
    else if (s.mesh) {
      Bounds bounds;
      for (const Vec3<double>& p : s.mesh->corners) bounds.take(p);
      if (bounds.diagonal() > 0) box((bounds.low + bounds.high) * 0.5, (bounds.high - bounds.low) * 0.5, identity3<double>());
    }
  }
  return out;
}

Skeleton skeleton(const Scene& scene, std::span<const BodyPoses> motion) { return Builder(scene, motion).build(); }

}  // namespace jounce::solids
