// Bodies as solids: their shape or their pictures, or members between their joints.
#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/report/solids/skeleton.hpp"

namespace jounce::solids {
namespace {

constexpr double kLargestLump = 3;  // in units, of the heaviest body

class Links {
 public:
  Links(const Skeleton& skeleton, std::vector<Solid>& out) : skeleton_(skeleton), out_(out) {}

  void add(std::size_t b) {
    const Scene::Body& body = skeleton_.scene.bodies[b];
    const Bone& bone = skeleton_.bones[b];
    const Maker make(out_, static_cast<int>(b), Solid::Role::body);
    for (const Solid& picture : body.pictures) {
      out_.push_back(picture);
      out_.back().body = static_cast<int>(b);
    }
    if (body.shape) {
      add_shape(make, *body.shape);
      add_stalks(make, *body.shape, bone);
    } else if (b > 0 && !is_pictured(body)) {
      add_members(make, body, bone);
    }
  }

 private:
  void add_shape(const Maker& make, const BodyShape& s) const {
    using Kind = BodyShape::Kind;
    const double u = skeleton_.unit;
    if (s.kind == Kind::sphere) make.ball(s.centre, s.radius);
    else if (s.kind == Kind::rod) make.capsule(s.from, s.to, u, u);
    else if (s.kind == Kind::cylinder) make.rod(s.from, s.to, s.radius);
    else if (s.kind == Kind::box) {
      const double least = 0.2 * u;  // a plate without thickness still needs a body to be seen from its edge
      make.block(s.centre, {std::max(s.size.x, least), std::max(s.size.y, least), std::max(s.size.z, least)}, from_rpy(s.rpy));
    }
  }

  // Rods to the joints and points that lie outside the shape.
  void add_stalks(const Maker& make, const BodyShape& shape, const Bone& bone) const {
    for (const Node& node : bone.nodes) {
      const Vec3<double> foot = nearest(shape, node.p);
      const double far = length(node.p - foot);
      if (far < skeleton_.unit || far <= node.inset) continue;
      make.rod(foot, node.p + (foot - node.p) * (node.inset / far), node.joint ? 0.85 * bone.thick : 0.5 * skeleton_.unit);
    }
  }

  // The place of a shape that is nearest to a point, on its axis where it has one.
  static Vec3<double> nearest(const BodyShape& s, const Vec3<double>& p) {
    using Kind = BodyShape::Kind;
    if (s.kind == Kind::sphere) return length(p - s.centre) > s.radius ? s.centre + unit_vector(p - s.centre) * (0.9 * s.radius) : p;
    if (s.kind == Kind::box) {
      const Mat3<double> axes = from_rpy(s.rpy);
      const Vec3<double> d = in_axes(axes, p - s.centre), h = s.size * 0.5;
      return s.centre + axes * Vec3<double>{std::clamp(d.x, -h.x, h.x), std::clamp(d.y, -h.y, h.y), std::clamp(d.z, -h.z, h.z)};
    }
    const Vec3<double> d = s.to - s.from;
    const double part = std::clamp(dot(p - s.from, d) / dot(d, d), 0.0, 1.0);
    const Vec3<double> foot = s.from + d * part;
    const Vec3<double> beside = (p - foot) - d * (dot(p - foot, d) / dot(d, d));
    if (length(beside) <= s.radius && length(p - foot) > s.radius) return foot;  // beyond its face
    return length(beside) > s.radius ? foot + unit_vector(beside) * (0.9 * s.radius) : p;
  }

  void add_members(const Maker& make, const Scene::Body& body, const Bone& bone) const {
    std::vector<Node> ends;
    for (const Node& n : bone.nodes)
      if (length(n.p - bone.hub) > 0.01 * skeleton_.unit) ends.push_back(n);
    if (bone.nodes.empty()) return add_free(make, body);
    if (ends.size() >= 2 && add_plate(make, bone, ends)) return add_mass(make, body, bone, ends, true);
    const double hub_inset = bone.nodes.front().inset;
    for (const Node& end : ends) add_member(make, bone, {bone.hub, hub_inset, true}, end);
    add_mass(make, body, bone, ends, false);
  }

  // From joint to joint, thicker where it hangs; a strut between two joints of its own is as thick at both ends.
  void add_member(const Maker& make, const Bone& bone, const Node& from, const Node& to) const {
    const Vec3<double> d = to.p - from.p;
    const double l = length(d), room = std::max(0.0, l - 0.1 * bone.thick);
    const double total = from.inset + to.inset, shrink = total > room ? room / total : 1;
    const Vec3<double> e = d * (1 / l);
    make.capsule(from.p + e * (from.inset * shrink), to.p - e * (to.inset * shrink), bone.thick, (to.joint ? 0.82 : 0.6) * bone.thick);
  }

  // Three places or more in a plane, on a line they are none: a plate. One place out of the plane hangs on it by a stalk.
  bool add_plate(const Maker& make, const Bone& bone, const std::vector<Node>& ends) const {
    std::vector<Vec3<double>> places{bone.hub};
    for (const Node& n : ends) places.push_back(n.p);
    const double slack = 0.35 * bone.thick;
    auto normal = common_plane(places, slack);
    const bool hub_outside = !normal && ends.size() >= 3;
    if (hub_outside) {
      places.erase(places.begin());
      normal = common_plane(places, slack);
    }
    if (!normal) return false;
    const double half = 0.4 * bone.thick;
    make.plate(rounded_hull(places, *normal, 1.15 * bone.thick), *normal, half);
    if (!hub_outside) return true;
    const Vec3<double> foot = bone.hub - *normal * dot(*normal, bone.hub - places.front());
    make.rod(foot, bone.hub, 0.8 * bone.thick);
    return true;
  }

  // A body that nothing holds: the box of its mass and inertia, or a ball.
  void add_free(const Maker& make, const Scene::Body& body) const {
    if (!body.com) return;
    const double mass = body.mass.value_or(0);
    if (mass > 0 && body.inertia) {
      const Sym3<double>& i = *body.inertia;
      const double most = std::max({i.xx, i.yy, i.zz});
      const auto side = [&](double a) { return std::sqrt(std::max(6 * a / mass, 0.0)); };
      const Vec3<double> size{side(i.yy + i.zz - i.xx), side(i.xx + i.zz - i.yy), side(i.xx + i.yy - i.zz)};
      const double longest = std::max({size.x, size.y, size.z}), least = 0.06 * longest;
      const bool straight = std::max({std::abs(i.xy), std::abs(i.xz), std::abs(i.yz)}) < 1e-6 * most;
      if (straight && longest > 0.2 * skeleton_.unit)
        return make.block(*body.com, {std::max(size.x, least), std::max(size.y, least), std::max(size.z, least)});
    }
    make.ball(*body.com, lump(body));
  }

  [[nodiscard]] double lump(const Scene::Body& body) const {
    return skeleton_.unit * std::max(1.3, kLargestLump * std::cbrt(body.mass.value_or(0) / std::max(skeleton_.heaviest, 1e-300)));
  }

  // How far a uniform rod of the body's inertia reaches from its middle, square to its thin direction; 0 for a point.
  static double half_length(const Scene::Body& body) {
    if (!body.inertia || !(body.mass.value_or(0) > 0)) return 0;
    const Sym3<double>& i = *body.inertia;
    return std::sqrt(std::max(0.0, 3 * 0.5 * (i.xx + i.yy + i.zz) / *body.mass));
  }

  void add_mass(const Maker& make, const Scene::Body& body, const Bone& bone, const std::vector<Node>& ends, bool plate) const {
    if (!body.com || !(body.mass.value_or(0) > 0)) return;
    const Vec3<double> com = *body.com, away = com - bone.hub;
    const double far = length(away), t = bone.thick;
    if (ends.empty()) {
      if (far < 0.05 * skeleton_.unit) return make.ball(com, std::max(lump(body), 1.25 * t));
      const double half = half_length(body);
      const Node hub = bone.nodes.front();
      // the inertia is that of a rod that reaches from the joint to beyond the centre of mass
      if (half > 0.7 * far) return add_member(make, bone, hub, {com + away * (std::min(half, far) / far), 0, false});
      add_member(make, bone, hub, {com, 0, true});
      return make.ball(com, std::max(lump(body), 1.3 * t));
    }
    Vec3<double> foot = bone.hub;
    double along = 0;
    for (const Node& end : ends) {
      const Vec3<double> d = end.p - bone.hub;
      const double part = std::clamp(dot(away, d) / dot(d, d), 0.0, 1.0);
      if (length(bone.hub + d * part - com) < length(foot - com) - 1e-12 * far) foot = bone.hub + d * part, along = length(d);
    }
    const double beside = length(foot - com);
    // within the member, or as near to it as the mass of a real one may lie
    if (beside < 1.6 * t || beside < 0.22 * along || plate) return;
    const double radius = lump(body);
    make.ball(com, radius);
    if (beside > radius) make.rod(foot, com, 0.6 * t);
  }

  const Skeleton& skeleton_;
  std::vector<Solid>& out_;
};

}  // namespace

void add_links(const Skeleton& skeleton, std::vector<Solid>& out) {
  Links links(skeleton, out);
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) links.add(b);
}

}  // namespace jounce::solids
