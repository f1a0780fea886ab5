// A planar model built again in space: the same mechanism in a plane that lies askew, as a tree of joints, loops and couplings.
//
// Joints and drivers become links (planar_links.hpp). A spanning tree of them, drivers first, carries the bodies; what is left
// closes loops. A driver on a joint of its own kind becomes the motion of that joint; any other is a joint of three dofs that holds
// nothing but what it drives. Where a coordinate that a gear or a driver needs is not one of the tree, a second body that goes along
// with the first has it: a loop fixes the two to each other, and they share the mass. All of this owes nothing to what the library
// makes of a planar joint graph.
#pragma once

#include <algorithm>
#include <array>
#include <set>

#include "oracles/planar_links.hpp"

namespace oracle {

/// How a loop closes: by the joint that a user would write, which in a plane says some things twice; or with everything that leads
/// out of the plane left free, so that its equations are those of the plane and no more.
enum class Closing { hinges, plane_only };

/// The plane in space: neither it nor its axes are parallel to anything.
struct AskewPlane {
  static constexpr std::array<double, 3> kRpy{0.3, 0.5, -0.8};
  static constexpr double kHeight = 0.37;  ///< of the ground's origin below it
  using Axes = std::array<std::array<double, 3>, 3>;  ///< [axis][component]

  AskewPlane() : axes(turned(kRpy)) {}
  static Axes turned(const std::array<double, 3>& rpy) {
    const double cr = std::cos(rpy[0]), sr = std::sin(rpy[0]), cp = std::cos(rpy[1]), sp = std::sin(rpy[1]);
    const double cy = std::cos(rpy[2]), sy = std::sin(rpy[2]);
    return {{{cy * cp, sy * cp, -sp},
             {cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr},
             {cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}}};
  }
  [[nodiscard]] std::array<double, 3> vector(double x, double y, double up = 0) const {
    std::array<double, 3> out{};
    for (std::size_t k = 0; k < 3; ++k) out[k] = x * axes[0][k] + y * axes[1][k] + up * axes[2][k];
    return out;
  }
  [[nodiscard]] std::array<double, 3> place(double x, double y) const { return vector(x, y, kHeight); }
  /// Of axes turned by phi in the plane.
  [[nodiscard]] std::array<double, 3> rpy(double phi) const {
    if (phi == 0) return kRpy;
    const auto x = vector(std::cos(phi), std::sin(phi)), y = vector(-std::sin(phi), std::cos(phi));
    return {std::atan2(y[2], axes[2][2]), std::atan2(-x[2], std::hypot(x[0], x[1])), std::atan2(x[1], x[0])};
  }
  /// Component along axis n of a vector in ground axes.
  [[nodiscard]] double along(std::size_t n, const std::array<double, 3>& v) const {
    return axes[n][0] * v[0] + axes[n][1] * v[1] + axes[n][2] * v[2];
  }

  Axes axes;
};

/// A coordinate of the plane, as one of a joint in space: sign · q + offset.
struct FoundDof {
  std::size_t link = 0;
  int step = 0;
  double sign = 1, offset = 0;
};

class PlaneInSpace {
 public:
  /// At the positions and rates of the bodies' origins, the ground first.
  PlaneInSpace(const jounce::Model& written, const jounce::PlaneMechanism& mechanism, std::vector<Pose> poses, std::vector<Pose> rates,
               Closing closing = Closing::hinges)
      : words_(written, mechanism, origins(mechanism, mechanism.drawn)),
        poses_(std::move(poses)),
        rates_(std::move(rates)),
        closing_(closing) {
    for (const Element& e : written.joints) joint(e);
    for (const Element& e : written.drivers) driver(e);
    if (!written.measures.empty()) why_not = "measures of the plane's own columns";
    for (const jounce::BodyData& b : mechanism.bodies) names_.push_back(b.name), shares_.push_back(1);
    if (!why_not.empty()) return;
    span();
    for (const Element& e : written.joints) coupling(e);
    for (const Element& e : written.forces) force(e);
    hang_the_rest();
    if (why_not.empty()) write();
  }

  jounce::Model model;              ///< of space
  std::string why_not;              ///< not empty: what has no counterpart in space
  std::vector<PlanarLink> links;    ///< joints and loops of the model
  std::map<std::string, FoundDof> drivers;  ///< where their motion is
  AskewPlane plane;

  /// Joints, loops and couplings of space have the names of the joints that they are; a driver that moves a joint has that joint's name.
  [[nodiscard]] std::string name_in_space(const std::string& name) const {
    const auto found = drivers.find(name);
    return found == drivers.end() ? name : links[found->second.link].name;
  }
  [[nodiscard]] const std::string& body(int b) const { return names_[jounce::z(b)]; }
  /// The body of the plane that a body of space is, or goes along with.
  [[nodiscard]] int in_plane(int b) const { return originals_.contains(b) ? originals_.at(b) : b; }

 private:
  using Element = jounce::Element;
  using Text = jounce::Text;

  // ---- links -----------------------------------------------------------------------------------------------------------

  PlanarLink& add(const std::string& name, const std::string& steps, int a, const Pose& on_a, int b, const Pose& on_b) {
    links.push_back({name, steps, a, b, on_a, on_b});
    links.back().dofs.resize(steps.size());
    return links.back();
  }
  double angle_between(int i, int j) const { return words_.drawn(j).phi - words_.drawn(i).phi; }
  // The direction of a line on b that may be either way along one on a.
  Pose along(int a, const Pose& on_a, int b, Pose on_b) const {
    const Pose x = compose(poses_[jounce::z(a)], on_a), y = compose(poses_[jounce::z(b)], on_b);
    if (std::cos(y.phi - x.phi) < 0) on_b.phi += std::numbers::pi;
    return on_b;
  }

  void joint(const Element& e) {
    const auto at = [&](const char* key) { return words_.text(e, key); };
    if (e.type == "revolute" || e.type == "weld" || e.type == "distance") {
      const int a = words_.body(at("i")), b = words_.body(at("j"));
      Pose on_a = words_.point(at("i")), on_b = words_.point(at("j"));
      const Pose place = on_b;
      double length = 0;
      if (e.type == "weld") on_b.phi = -angle_between(a, b);
      if (e.type == "distance") {
        const Pose p = compose(words_.drawn(a), on_a), q = compose(words_.drawn(b), on_b);
        length = words_.number(e, "length", std::hypot(q.x - p.x, q.y - p.y)), on_b.x -= length;
      }
      PlanarLink& link = add(e.name, e.type == "revolute" ? "r" : e.type == "weld" ? "" : "rR", a, on_a, b, on_b);
      link.length = length, link.parts = {{e.name, b, place}};
    } else if (e.type == "parallel") {
      const int a = words_.body(words_.text(e, "i", 0)), b = words_.body(words_.text(e, "j", 0));
      const Pose on_a = words_.line(e, "i");
      add(e.name, "xy", a, on_a, b, along(a, on_a, b, words_.line(e, "j"))).parts = {{e.name, b}};
    } else if (e.type == "pin-in-slot") {
      const int a = words_.body(words_.text(e, "slot", 0)), b = words_.body(at("pin"));
      const Pose on_a = words_.line(e, "slot"), pin = words_.point(at("pin"));
      add(e.name, "xr", a, on_a, b, {pin.x, pin.y, on_a.phi}).parts = {{e.name, b, pin}};
    } else if (e.type == "translational") {
      const int a = words_.body(words_.text(e, "slot", 0)), b = words_.body(words_.text(e, "slider", 0));
      const Pose on_a = words_.line(e, "slot"), on_b = words_.line(e, "slider");
      add(e.name, "x", a, on_a, b, along(a, on_a, b, on_b)).parts = {{e.name, b, {on_b.x, on_b.y, 0}}};
    } else if (e.type == "coordinate" && e.find("i") == nullptr) {
      const int b = words_.body(at("j"));
      const char which = at("j").back();
      const Pose& drawn = words_.drawn(b);
      const double c = words_.offset(e, which == 'x' ? drawn.x : which == 'y' ? drawn.y : drawn.phi), quarter = std::numbers::pi / 2;
      if (which == 'x') add(e.name, "xr", 0, {c, 0, quarter}, b, {0, 0, quarter}).parts = {{e.name, b}};
      else if (which == 'y') add(e.name, "xr", 0, {0, c, 0}, b, {}).parts = {{e.name, b}};
      else add(e.name, "xy", 0, {}, b, {0, 0, -c}).parts = {{e.name, b}};
    } else if (e.type != "gear" && e.type != "gear-on-arm" && e.type != "rolling" && e.type != "coordinate") {
      why_not = "a joint of type " + e.type;
    }
  }

  void driver(const Element& e) {
    if (!std::holds_alternative<Text>(e.find("motion")->value)) return void(why_not = "a motion from a table with a constant added to it");
    const std::string f = "(" + words_.text(e, "motion") + ")";
    if (e.type == "angle") {
      const int i = words_.body(words_.text(e, "i")), j = words_.body(words_.text(e, "j"));
      const auto pin = std::ranges::find_if(links, [&](const PlanarLink& l) {
        return l.steps == "r" && !l.driven && ((l.a == i && l.b == j) || (l.a == j && l.b == i));
      });
      const double c = words_.offset(e, angle_between(i, j) - first_value(f));
      PlanarLink& link = pin != links.end() ? *pin : add(e.name, "xyr", i, {}, j, {});
      drive(link, 'r', e, link.a == i ? 1 : -1, number(c) + " + " + f, {e.name, j});
    } else if (e.type == "slot-distance") {
      const int a = words_.body(words_.text(e, "line", 0)), b = words_.body(words_.text(e, "point"));
      const Pose line = words_.line(e, "line"), point = words_.point(words_.text(e, "point"));
      const auto slide = std::ranges::find_if(links, [&](const PlanarLink& l) {
        return l.steps == "x" && !l.driven && l.a == a && l.b == b && same(l.frame_a, line) && l.frame_b.x == point.x &&
               l.frame_b.y == point.y;
      });
      PlanarLink& link = slide != links.end() ? *slide : add(e.name, "xyr", a, line, b, {point.x, point.y, line.phi});
      drive(link, 'x', e, 1, f, {e.name, b, point});
    } else if (e.type == "distance") {
      const int a = words_.body(words_.text(e, "i")), b = words_.body(words_.text(e, "j"));
      const Pose point = words_.point(words_.text(e, "j"));
      drive(add(e.name, "rxr", a, words_.point(words_.text(e, "i")), b, point), 'x', e, 1, f, {e.name, b, point});
    } else if (e.type == "coordinate" && e.find("i") == nullptr) {
      const std::string& which = words_.text(e, "j");
      const int b = words_.body(which);
      const Pose& drawn = words_.drawn(b);
      const char step = which.ends_with(".x") ? 'x' : which.ends_with(".y") ? 'y' : 'r';
      const double c = words_.offset(e, (step == 'x' ? drawn.x : step == 'y' ? drawn.y : drawn.phi) - first_value(f));
      const auto other = std::ranges::find_if(links, [&](const PlanarLink& l) {
        return l.driven && l.steps == "xyr" && l.a == 0 && l.b == b && same(l.frame_a, {}) && same(l.frame_b, {});
      });
      drive(other != links.end() ? *other : add(e.name, "xyr", 0, {}, b, {}), step, e, 1, number(c) + " + " + f, {e.name, b});
    } else {
      why_not = "a driver on top of another coordinate";
    }
  }
  void drive(PlanarLink& link, char step, const Element& e, double sign, const std::string& motion, const LinkPart& part) {
    const int n = link.step(step);
    link.driven = true, link.parts.push_back(part);
    link.dofs[jounce::z(n)].motion = sign > 0 ? motion : "-(" + motion + ")";
    drivers[e.name] = {static_cast<std::size_t>(&link - links.data()), n, sign, 0};
  }
  [[nodiscard]] double first_value(const std::string& f) const {
    const auto expression = jounce::Expression::parse(f, {words_.mechanism().parameters, {"t"}});
    const std::array<double, 1> start{0};
    double out = 0;
    (void)expression->evaluate(std::span<const double>(start), out);
    return out;
  }
  static bool same(const Pose& p, const Pose& q) { return p.x == q.x && p.y == q.y && p.phi == q.phi; }
  static std::string number(double x) { return Text(x).text; }

  // ---- the tree --------------------------------------------------------------------------------------------------------

  int root(int b) {
    while (group_[jounce::z(b)] != b) b = group_[jounce::z(b)];
    return b;
  }
  void span() {
    for (std::size_t b = 0; b < names_.size(); ++b) group_.push_back(static_cast<int>(b));
    const std::set<std::pair<int, int>> wanted = pairs_of_gears();
    const auto rank = [&](const PlanarLink& l) {
      if (l.driven) return 0;
      return wanted.contains({std::min(l.a, l.b), std::max(l.a, l.b)}) && l.step('r') >= 0 ? 1 : 2;
    };
    for (int now = 0; now < 3; ++now)
      for (std::size_t n = 0; n < links.size(); ++n)
        if (rank(links[n]) == now) hang(n);
  }
  // Part of the tree where it can be; else a driver gets a body of its own to move, and a joint closes a loop.
  void hang(std::size_t n) {
    const int a = root(links[n].a), b = root(links[n].b);
    if (a != b) return void(group_[jounce::z(std::max(a, b))] = std::min(a, b));
    if (links[n].driven) follow(n);
    else links[n].loop = true;
  }
  // A body that goes where the one on the link goes takes its place there.
  void follow(std::size_t n) {
    const bool of_b = links[n].b != 0;
    const int original = of_b ? links[n].b : links[n].a, copy = static_cast<int>(names_.size());
    names_.push_back("beside" + std::to_string(copy)), originals_[copy] = original;
    poses_.push_back(poses_[jounce::z(original)]), rates_.push_back(rates_[jounce::z(original)]);
    shares_.push_back(0);
    int sharing = 1;
    for (const auto& [other, from] : originals_) sharing += from == original;
    for (int b = 0; b <= copy; ++b)
      if (is(b, original)) shares_[jounce::z(b)] = 1.0 / sharing;
    group_.push_back(std::min(root(of_b ? links[n].a : links[n].b), copy));
    (of_b ? links[n].b : links[n].a) = copy;
    PlanarLink& bond = add("bond" + std::to_string(copy), "", original, {}, copy, {});
    bond.loop = true, bond.comparable = false;
  }
  std::set<std::pair<int, int>> pairs_of_gears() const {
    std::set<std::pair<int, int>> out;
    const auto pair = [&](int a, int b) { out.insert({std::min(a, b), std::max(a, b)}); };
    for (const Element& e : words_.model().joints) {
      if (e.type == "gear") pair(0, words_.body(words_.text(e, "i"))), pair(0, words_.body(words_.text(e, "j")));
      if (e.type == "gear-on-arm")
        for (const char* key : {"i", "j"}) pair(words_.body(words_.text(e, "arm")), words_.body(words_.text(e, key)));
      if (e.type == "rolling") pair(words_.body(words_.text(e, "line", 0)), words_.body(words_.text(e, "wheel")));
    }
    for (const Element& e : words_.model().forces)
      if (e.type == "torsion-spring") pair(words_.body(words_.text(e, "i")), words_.body(words_.text(e, "j")));
    return out;
  }

  [[nodiscard]] bool is(int b, int original) const { return in_plane(b) == original; }

  // The angle of b seen from a.
  FoundDof turn(int a, int b, bool unsprung = false) {
    for (std::size_t n = 0; n < links.size(); ++n) {
      const PlanarLink& l = links[n];
      if (l.loop || (l.steps != "r" && l.steps != "xr" && l.steps != "xyr")) continue;
      const int step = l.step('r');
      if (unsprung && l.dofs[jounce::z(step)].sprung) continue;
      const double sign = is(l.a, a) && is(l.b, b) ? 1 : is(l.a, b) && is(l.b, a) ? -1 : 0;
      if (sign != 0) return {n, step, sign, -sign * (l.frame_b.phi - l.frame_a.phi)};
    }
    const std::size_t n = links.size();
    add("view" + std::to_string(n), "xyr", a, {}, b, {}).comparable = false;
    see(n);
    return {n, 2, 1, 0};
  }
  // The way of a point of b along an axis of a frame on a, and the link's own angle beside it.
  FoundDof slide(int a, const Pose& on_a, int b, const Pose& point, char step) {
    for (std::size_t n = 0; n < links.size(); ++n) {
      const PlanarLink& l = links[n];
      if (!l.loop && is(l.a, a) && is(l.b, b) && (l.steps == "xr" || l.steps == "xyr") && l.step(step) >= 0 && same(l.frame_a, on_a) &&
          l.frame_b.x == point.x && l.frame_b.y == point.y)
        return {n, l.step(step), 1, 0};
    }
    const std::size_t n = links.size();
    add("view" + std::to_string(n), "xyr", a, on_a, b, {point.x, point.y, on_a.phi}).comparable = false;
    see(n);
    return {n, step == 'x' ? 0 : 1, 1, 0};
  }
  void see(std::size_t n) {
    const int a = root(links[n].a), b = root(links[n].b);
    if (a != b) group_[jounce::z(std::max(a, b))] = std::min(a, b);
    else follow(n);
  }

  // ---- gears -----------------------------------------------------------------------------------------------------------

  void coupling(const Element& e) {
    const bool gear = e.type == "gear", on_arm = e.type == "gear-on-arm";
    if (gear || on_arm) {
      const int i = words_.body(words_.text(e, "i")), j = words_.body(words_.text(e, "j"));
      const int arm = on_arm ? words_.body(words_.text(e, "arm")) : 0;
      const double k = words_.ratio(e), c = words_.offset(e, angle_between(arm, j) - k * angle_between(arm, i));
      const FoundDof from = turn(arm, i), to = turn(arm, j);
      links[from.link].parts.push_back({e.name, i, {}, -k}), links[to.link].parts.push_back({e.name, j, {}, 1});
      couple(e.name, from, to, k, c);
    } else if (e.type == "rolling") {
      const int a = words_.body(words_.text(e, "line", 0)), b = words_.body(words_.text(e, "wheel"));
      const Pose line = words_.line(e, "line"), wheel = words_.point(words_.text(e, "wheel"));
      const double radius = words_.number(e, "radius", 1);
      const Pose drawn = seen_from(compose(words_.drawn(a), line), compose(words_.drawn(b), wheel));
      const FoundDof way = slide(a, line, b, wheel, 'x');
      const FoundDof angle{way.link, links[way.link].step('r'), 1, 0};
      links[way.link].parts.push_back({e.name, b, wheel});
      couple(e.name, angle, way, radius, words_.offset(e, drawn.x - radius * angle_between(a, b)));
    } else if (e.type == "coordinate" && e.find("i") != nullptr) {
      const FoundDof from = coordinate(words_.text(e, "i")), to = coordinate(words_.text(e, "j"));
      const double k = words_.number(e, "ratio", 1);
      links[to.link].parts.push_back({e.name, words_.body(words_.text(e, "j"))}), links[from.link].comparable = false;
      couple(e.name, from, to, k, words_.offset(e, drawn_coordinate(words_.text(e, "j")) - k * drawn_coordinate(words_.text(e, "i"))));
    }
  }
  FoundDof coordinate(const std::string& reference) {
    const int b = words_.body(reference);
    return reference.ends_with(".phi") ? turn(0, b) : slide(0, {}, b, {}, reference.back());
  }
  [[nodiscard]] double drawn_coordinate(const std::string& reference) const {
    const Pose& drawn = words_.drawn(words_.body(reference));
    return reference.ends_with(".phi") ? drawn.phi : reference.ends_with(".x") ? drawn.x : drawn.y;
  }
  // u_j = K u_i + C; a dof with a motion of its own cannot be the one that follows
  void couple(const std::string& name, const FoundDof& i, const FoundDof& j, double k, double c) {
    if (links[j.link].dofs[jounce::z(j.step)].motion.empty()) couplings_.push_back({name, i, j, k, c});
    else couplings_.push_back({name, j, i, 1 / k, -c / k});
  }

  // ---- forces ----------------------------------------------------------------------------------------------------------

  void force(const Element& e) {
    if (e.type == "torsion-spring") return torsion_spring(e);
    if (e.find("friction") != nullptr && words_.number(e, "friction_speed", 1) == 0)
      why_not = "exact friction, which is known in the plane only";
    forces_.push_back(&e);
  }
  void torsion_spring(const Element& e) {
    const std::string law = e.find("actuator") == nullptr ? "" : words_.text(e, "actuator");
    if (e.find("friction") != nullptr || (!law.empty() && words_.uses(law, {"theta", "omega"})))
      return void(why_not = "a torsion spring with friction, or a law of its angle");
    const FoundDof found = turn(words_.body(words_.text(e, "i")), words_.body(words_.text(e, "j")), true);
    PlanarLink& link = links[found.link];
    LinkDof& dof = link.dofs[jounce::z(found.step)];
    if (!law.empty() && !dof.motion.empty()) return void(why_not = "a motor beside a driver");
    const double rest = words_.number(e, "free_angle", 0);
    dof = {dof.motion, true, words_.number(e, "stiffness", 0), words_.number(e, "damping", 0), found.sign * (rest - found.offset),
           law.empty() ? "" : number(-found.sign) + "*(" + law + ")"};
    link.parts.push_back({e.name, words_.body(words_.text(e, "j")), {}, -1});
  }

  void hang_the_rest() {
    for (int b = 1; b < static_cast<int>(names_.size()); ++b) {
      if (root(b) == 0) continue;
      add("free-" + body(b), "xyr", 0, {}, b, {});
      group_[jounce::z(root(b))] = 0;
    }
  }

  // The model of space, in plane_in_space_write.hpp.
  void write();
  void orient();
  void write_body(int b);
  static constexpr const char* kNoFriction = "friction of a joint that closes a loop, or of a slot";
  [[nodiscard]] const jounce::Entry* rubs(const std::string& joint) const;
  void write_joint(const PlanarLink& link);
  void write_loop(const PlanarLink& link);
  void write_force(const Element& e);
  void write_type(const PlanarLink& link, Element& out) const;
  [[nodiscard]] jounce::Table placement(int body, const Pose& local) const;
  [[nodiscard]] std::string point(int body, const std::string& name, const Pose& local);
  [[nodiscard]] std::string reference(const std::string& text) const;
  [[nodiscard]] std::string dof_text(const FoundDof& found) const;

  struct Coupled {
    std::string name;
    FoundDof i, j;
    double ratio, offset;
  };

  PlanarWords words_;
  std::vector<Pose> poses_, rates_;
  Closing closing_;
  std::vector<std::string> names_;
  std::vector<int> group_;
  std::map<int, int> originals_;  // of the bodies that go along with another
  std::vector<double> shares_;    // the part of its mass that a body keeps
  std::vector<Coupled> couplings_;
  std::vector<const Element*> forces_;
};

}  // namespace oracle

#include "oracles/plane_in_space_write.hpp"
