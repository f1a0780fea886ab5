// Gears, pulleys, racks and discs as they are drawn: how many teeth each has, their shape, and how they stand so that they mesh.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "jounce/base/index.hpp"
#include "jounce/report/plane_figure.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {
namespace {

using Symbol = DrawingSymbol;
using Point = Vec3<double>;
using std::numbers::pi;

constexpr double kPressureAngle = 20 * pi / 180;
constexpr double kTip = 0.9, kFoot = 1.1;  // of the module, over and under the pitch circle
constexpr double kSlack = 0.03;            // of half a pitch, so that meshing flanks are seen apart
constexpr int kFlank = 5;                  // points of one
constexpr int kFewest = 6, kMost = 400;    // teeth

struct Mesh {
  std::array<double, 2> radii{};
  std::string_view kind;
};

bool is_belt(std::string_view mesh) { return mesh == "belt" || mesh == "crossed-belt"; }

double involute(double angle) { return std::tan(angle) - angle; }

// Half of the angle that a tooth of an external gear fills at a distance from its centre.
double half_tooth(double radius, int teeth, double at, double slack) {
  const double base = radius * sincos(kPressureAngle).cos;
  const double lean = involute(kPressureAngle) - involute(std::acos(std::min(1.0, base / std::max(at, base))));
  return (pi / (2 * teeth)) * (1 - slack) + lean;
}

std::vector<std::array<double, 2>> flank(const Scene::Wheel& wheel) {
  const double module = 2 * wheel.radius / wheel.teeth, out = wheel.ring ? 1 : -1;
  const double foot = wheel.radius + out * kFoot * module, tip = wheel.radius - out * kTip * module;
  std::vector<std::array<double, 2>> points;
  for (int k = 0; k <= kFlank; ++k) {
    const double at = foot + (tip - foot) * k / kFlank;
    // the gap of a ring has the shape of a tooth of the gear in it
    const double half = wheel.ring ? pi / wheel.teeth - half_tooth(wheel.radius, wheel.teeth, at, -kSlack) : half_tooth(wheel.radius, wheel.teeth, at, kSlack);
    points.push_back({at, std::clamp(half, 0.1 * pi / wheel.teeth, 0.95 * pi / wheel.teeth)});
  }
  return points;
}

// Teeth on the smallest of these for which all others have nearly whole numbers too.
int smallest_count(const std::vector<double>& radii, double least) {
  int best = 18;
  double best_miss = 1e300;
  for (int count = 14; count <= 30; ++count) {
    double miss = 0.004 * std::abs(count - 20);
    for (const double radius : radii) miss += std::abs(radius / least * count - std::round(radius / least * count));
    if (miss < best_miss - 1e-9) best = count, best_miss = miss;
  }
  return best;
}

class Fitting {
 public:
  Fitting(Scene& scene, std::span<const Frame<double>> poses) : scene_(scene), poses_(poses), same_(1e-6 * scene.size) {}

  void run() {
    std::vector<Scene::Wheel>& wheels = scene_.wheels;
    wheels.clear();
    for (Scene::Element& e : scene_.elements) e.wheels = {-1, -1}, e.rack.reset();
    for (Scene::Element& e : scene_.elements) gears(e);
    for (Scene::Element& e : scene_.elements)
      if (rolls(e)) e.wheels[1] = find({e.j, *e.pj, std::abs(*e.radius)});
    choose_toothed();
    for (int b = 1; b < static_cast<int>(scene_.bodies.size()); ++b) disc(b);
    count_teeth();
    turn_to_mesh();
    for (Scene::Element& e : scene_.elements)
      if (rolls(e) && wheels[z(e.wheels[1])].teeth > 0) cut_rack(e);
    for (Scene::Wheel& wheel : wheels)
      if (wheel.teeth > 0) wheel.tooth = flank(wheel);
    sort();
  }

 private:
  static bool rolls(const Scene::Element& e) { return e.symbol == Symbol::wheel && e.line_i && e.pj && e.radius && *e.radius != 0; }

  [[nodiscard]] Point at(int body, const Point& p) const { return poses_[z(body)] * p; }
  [[nodiscard]] double angle(int body) const { return std::atan2(poses_[z(body)].axes.x.y, poses_[z(body)].axes.x.x); }

  [[nodiscard]] const BodyShape* disc_of(int body) const {
    const auto& shape = scene_.bodies[z(body)].shape;
    return shape && shape->kind == BodyShape::Kind::disc ? &*shape : nullptr;
  }

  // Pitch radii that meet between the centres. A model may write tooth numbers for radii, or no more than a ratio; wheels that turn opposite ways then
  // mesh outside, and discs that turn alike have a belt around them.
  [[nodiscard]] std::optional<Mesh> mesh_of(const Scene::Element& e) const {
    const double apart = length(at(e.i, *e.pi) - at(e.j, *e.pj));
    if (!(apart > 0)) return std::nullopt;
    if (!e.radii || e.mesh.empty()) {
      if (!e.ratio) return std::nullopt;
      const double k = -*e.ratio;
      if (k > 0) return Mesh{{apart * k / (1 + k), apart / (1 + k)}, "external"};
      const BodyShape *i = disc_of(e.i), *j = disc_of(e.j);
      if (*e.ratio > 0 && i != nullptr && j != nullptr && i->radius + j->radius < apart) return Mesh{{i->radius, j->radius}, "belt"};
      return std::nullopt;
    }
    const auto [ri, rj] = *e.radii;
    const double between = e.mesh == "internal" ? std::abs(ri - rj) : ri + rj;
    if (!(ri > 0) || !(rj > 0) || !(between > 0)) return std::nullopt;
    const double fits = !is_belt(e.mesh) ? apart / between : between < apart ? 1 : 0.8 * apart / between;
    return Mesh{{ri * fits, rj * fits}, e.mesh};
  }

  int find(const Scene::Wheel& wheel) {
    std::vector<Scene::Wheel>& wheels = scene_.wheels;
    const auto same = [&](const Scene::Wheel& w) {
      return w.body == wheel.body && w.ring == wheel.ring && length(w.centre - wheel.centre) < same_ && std::abs(w.radius - wheel.radius) < 1e-6 * wheel.radius;
    };
    const auto known = std::ranges::find_if(wheels, same);
    if (known != wheels.end()) return static_cast<int>(known - wheels.begin());
    wheels.push_back(wheel);
    toothed_.push_back(false);
    return static_cast<int>(wheels.size()) - 1;
  }

  void gears(Scene::Element& e) {
    if (e.symbol != Symbol::gears || !e.pi || !e.pj) return;
    const auto mesh = mesh_of(e);
    if (!mesh) return;
    const auto [ri, rj] = mesh->radii;
    const bool internal = mesh->kind == "internal";
    e.mesh = mesh->kind;
    e.wheels = {find({e.i, *e.pi, ri, internal && ri > rj}), find({e.j, *e.pj, rj, internal && rj > ri})};
    if (is_belt(mesh->kind)) return;
    for (const int w : e.wheels) toothed_[z(w)] = true;
    pairs_.push_back(e.wheels);
  }

  // What rolls has teeth where it carries a body along or meshes with another; a wheel that only rolls on the ground is smooth.
  void choose_toothed() {
    for (const Scene::Element& e : scene_.elements)
      if (rolls(e) && e.i > 0) toothed_[z(e.wheels[1])] = true;
  }

  void disc(int body) {
    const BodyShape* shape = disc_of(body);
    if (shape == nullptr || !(shape->radius > 0)) return;
    const auto covers = [&](const Scene::Wheel& w) { return w.body == body && length(w.centre - shape->centre) < same_ && w.radius > 0.98 * shape->radius; };
    if (std::ranges::none_of(scene_.wheels, covers)) find({body, shape->centre, shape->radius});
  }

  // Wheels that mesh, directly or through others, have teeth of one size.
  void count_teeth() {
    std::vector<int> group(scene_.wheels.size());
    for (std::size_t w = 0; w < group.size(); ++w) group[w] = static_cast<int>(w);
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [a, b] : pairs_)
        if (group[z(a)] != group[z(b)]) group[z(a)] = group[z(b)] = std::min(group[z(a)], group[z(b)]), changed = true;
    }
    for (std::size_t g = 0; g < group.size(); ++g) {
      std::vector<double> radii;
      for (std::size_t w = 0; w < group.size(); ++w)
        if (toothed_[w] && group[w] == static_cast<int>(g)) radii.push_back(scene_.wheels[w].radius);
      if (radii.empty()) continue;
      const double least = *std::ranges::min_element(radii);
      const int count = smallest_count(radii, least);
      for (std::size_t w = 0; w < group.size(); ++w)
        if (toothed_[w] && group[w] == static_cast<int>(g))
          scene_.wheels[w].teeth = std::clamp(static_cast<int>(std::lround(std::min(scene_.wheels[w].radius / least * count, 1e6))), kFewest, kMost);
    }
  }

  void turn_to_mesh() {
    std::vector<bool> turned(scene_.wheels.size(), false);
    for (const auto& [a, b] : pairs_) {
      if (turned[z(b)] && !turned[z(a)]) align(scene_.wheels[z(b)], scene_.wheels[z(a)]);
      else if (!turned[z(b)]) align(scene_.wheels[z(a)], scene_.wheels[z(b)]);
      turned[z(a)] = turned[z(b)] = true;
    }
  }

  // Turns b so that its gap meets a's tooth where they touch.
  void align(const Scene::Wheel& a, Scene::Wheel& b) const {
    const Point d = at(b.body, b.centre) - at(a.body, a.centre);
    const double towards = std::atan2(d.y, d.x) + (b.ring ? pi : 0);
    const double step_a = 2 * pi / a.teeth, step_b = 2 * pi / b.teeth, turns = (towards - angle(a.body) - a.phase) / step_a;
    const double part = turns - std::floor(turns);
    const bool inner = a.ring || b.ring;
    b.phase = (inner ? towards : towards + pi) - angle(b.body) + (0.5 + (inner ? -part : part)) * step_b;
  }

  // Seen along the line the track is to the left of the wheel where the radius is positive.
  void cut_rack(Scene::Element& e) const {
    const Scene::Wheel& wheel = scene_.wheels[z(e.wheels[1])];
    const Frame<double>& carrier = poses_[z(e.i)];
    const Point line = carrier.axes * (e.line_i->to - e.line_i->from), d = line * (1 / length(line));
    const double sign = *e.radius > 0 ? 1 : -1;
    const Point contact{-sign * d.y, sign * d.x, 0}, onwards{-contact.y, contact.x, 0};
    const double step = 2 * pi / wheel.teeth, pitch = step * wheel.radius, module = pitch / pi;
    const double ahead = wheel.phase + angle(wheel.body) - std::atan2(contact.y, contact.x);  // of a tooth, about the wheel
    const double along = dot(at(e.j, *e.pj) - carrier * e.line_i->from, d);
    Scene::Rack rack{pitch, along + dot(onwards, d) * wheel.radius * (ahead - step * std::round(ahead / step)) + pitch / 2, {}};
    for (const double h : {-kFoot * module, kTip * module})
      rack.tooth.push_back({h, pitch / 4 * (1 - kSlack) - h * std::tan(kPressureAngle)});
    e.rack = rack;
  }

  // Rings below what turns in them, small wheels on large ones.
  void sort() {
    std::vector<int> order, place(scene_.wheels.size());
    for (int w = 0; w < static_cast<int>(scene_.wheels.size()); ++w) order.push_back(w);
    std::ranges::stable_sort(order, {}, [&](int w) { return std::pair(!scene_.wheels[z(w)].ring, -scene_.wheels[z(w)].radius); });
    std::vector<Scene::Wheel> sorted;
    for (const int w : order) place[z(w)] = static_cast<int>(sorted.size()), sorted.push_back(std::move(scene_.wheels[z(w)]));
    scene_.wheels = std::move(sorted);
    for (Scene::Element& e : scene_.elements)
      for (int& w : e.wheels)
        if (w >= 0) w = place[z(w)];
  }

  Scene& scene_;
  std::span<const Frame<double>> poses_;
  double same_;
  std::vector<bool> toothed_;
  std::vector<std::array<int, 2>> pairs_;
};

}  // namespace

void fit_wheels(Scene& scene, std::span<const Frame<double>> poses) { Fitting(scene, poses).run(); }

}  // namespace jounce
