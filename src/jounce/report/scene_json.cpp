#include "jounce/report/scene_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "jounce/report/encode.hpp"
#include "jounce/report/json_text.hpp"
#include "jounce/tree/rotation.hpp"

namespace jounce {
namespace {

class SceneWriter {
 public:
  SceneWriter(std::string& out, const Scene& scene) : out_(out), scene_(scene) {}

  void write() {
    JsonObject all(out_);
    all.number("size", scene_.size);
    if (!scene_.space) figure(all);
    {
      JsonArray bodies(all.next("bodies"));
      for (const Scene::Body& b : scene_.bodies) body(bodies.next(), b);
    }
    {
      JsonArray elements(all.next("elements"));
      for (const Scene::Element& e : scene_.elements) element(elements.next(), e);
    }
    if (scene_.space) furnishing(all);
  }

 private:
  // What only a scene of space has. Solids are for the eye: six digits.
  void furnishing(JsonObject& all) const {
    all.raw("up", vector(scene_.up));
    all.number("unit", scene_.unit);
    all.number("floor", scene_.floor);
    {
      JsonArray struts(all.next("struts"));
      for (const Scene::Strut& s : scene_.struts) strut(struts.next(), s);
    }
    JsonArray solids(all.next("solids"));
    for (const Solid& s : scene_.solids) solid(solids.next(), s);
  }

  static std::string short_number(double x) { return std::isfinite(x) ? fmt::format("{:.6g}", x) : "0"; }
  static void append(std::string& out, const Vec3<double>& v) {
    for (const double x : {v.x, v.y, v.z}) out.append(out.back() == '[' ? "" : ",").append(short_number(x));
  }
  static std::string list(const Vec3<double>& v) {
    std::string out = "[";
    append(out, v);
    return out += ']';
  }

  static void strut(std::string& to, const Scene::Strut& s) {
    JsonObject object(to);
    object.number("i", s.i);
    object.number("j", s.j);
    object.raw("pi", list(s.pi));
    object.raw("pj", list(s.pj));
    object.raw("radius", short_number(s.radius));
    object.raw("coil", short_number(s.coil));
    object.raw("wire", short_number(s.wire));
    object.number("turns", s.turns);
    object.raw("tube", short_number(s.tube));
    object.raw("tube_radius", short_number(s.tube_radius));
  }

  static void solid(std::string& to, const Solid& s) {
    using Kind = Solid::Kind;
    JsonObject object(to);
    object.text("kind", word(s.kind));
    object.text("role", word(s.role));
    object.number("body", s.body);
    if (!s.what.empty()) object.text("what", s.what);
    if (!s.colour.empty()) object.text("colour", s.colour);
    if (s.mesh) return mesh(object, *s.mesh);
    std::string points = "[";
    for (const Vec3<double>& p : s.points) append(points, p);
    object.raw("points", points += ']');
    if (s.kind != Kind::block) object.raw("radius", short_number(s.radius));
    if (s.kind == Kind::rod || s.kind == Kind::tube || s.kind == Kind::capsule) object.raw("end", short_number(s.end_radius));
    if (s.kind == Kind::socket || s.kind == Kind::plate) object.raw("axis", list(s.axis));
    if (s.kind == Kind::wire && s.closed) object.raw("closed", "true");
    if (s.kind != Kind::block) return;
    object.raw("size", list(s.size));
    const tree::Quaternion q = tree::quaternion_of(s.axes);
    object.raw("q", "[" + short_number(q.w) + "," + short_number(q.x) + "," + short_number(q.y) + "," + short_number(q.z) + "]");
  }

  // Corners as three whole numbers of 16 bits between those of the box around them, then the triangles as three of 32 bits, both with
  // the lowest byte first, in base 64.
  static void mesh(JsonObject& object, const TriangleMesh& m) {
    constexpr double kSteps = 65535;
    Vec3<double> low = m.corners.front(), high = low;
    for (const Vec3<double>& p : m.corners) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    object.raw("low", list(low));
    object.raw("high", list(high));
    std::string bytes;
    const auto add = [&](std::uint32_t x, int count) {
      for (int k = 0; k < count; ++k) bytes += static_cast<char>((x >> (8U * static_cast<unsigned>(k))) & 255U);
    };
    const auto step = [&](double x, double from, double to) {
      return to > from ? static_cast<std::uint32_t>(std::lround(kSteps * std::clamp((x - from) / (to - from), 0.0, 1.0))) : 0U;
    };
    for (const Vec3<double>& p : m.corners) add(step(p.x, low.x, high.x), 2), add(step(p.y, low.y, high.y), 2), add(step(p.z, low.z, high.z), 2);
    object.text("corners", base64(bytes));
    bytes.clear();
    for (const auto& triangle : m.triangles)
      for (const std::uint32_t corner : triangle) add(corner, 4);
    object.text("triangles", base64(bytes));
  }

  // Two numbers in the plane, three in space.
  [[nodiscard]] std::string vector(const Vec3<double>& v) const {
    std::string out = "[" + json_number(v.x) + "," + json_number(v.y);
    if (scene_.space) out += "," + json_number(v.z);
    return out + "]";
  }

  // What drawings of the plane share.
  void figure(JsonObject& all) const {
    all.number("link", scene_.link);
    all.raw("order", numbers(scene_.order));
    {
      JsonArray walls(all.next("walls"));
      for (const Scene::Wall& w : scene_.walls) {
        if (!w.span) continue;
        JsonObject wall(walls.next());
        wall.text("name", w.name);
        wall.raw("upright", w.upright ? "true" : "false");
        wall.number("at", w.at);
        wall.number("side", w.side);
        wall.raw("span", numbers(*w.span));
      }
    }
    JsonArray wheels(all.next("wheels"));
    for (const Scene::Wheel& w : scene_.wheels) {
      JsonObject wheel(wheels.next());
      wheel.number("body", w.body);
      wheel.raw("centre", vector(w.centre));
      wheel.number("radius", w.radius);
      if (w.ring) wheel.raw("ring", "true");
      if (w.teeth == 0) continue;
      wheel.number("teeth", w.teeth);
      wheel.number("phase", w.phase);
      wheel.raw("tooth", pairs(w.tooth));
    }
  }

  template <class Numbers>
  static std::string numbers(const Numbers& all) {
    std::string out = "[";
    for (const auto x : all) out += (out.size() > 1 ? "," : "") + json_number(x);
    return out + "]";
  }
  static std::string pairs(const std::vector<std::array<double, 2>>& all) {
    std::string out = "[";
    for (const auto& pair : all) out += (out.size() > 1 ? "," : "") + numbers(pair);
    return out + "]";
  }
  [[nodiscard]] std::string vectors(const std::vector<Vec3<double>>& all) const {
    std::string out = "[";
    for (const Vec3<double>& p : all) out += (out.size() > 1 ? "," : "") + vector(p);
    return out + "]";
  }

  void body(std::string& to, const Scene::Body& b) const {
    JsonObject object(to);
    object.text("name", b.name);
    if (!scene_.space && !b.outline.empty()) object.raw("outline", vectors(b.outline));
    {
      JsonArray points(object.next("points"));
      for (const Scene::Point& p : b.points) {
        JsonObject point(points.next());
        point.text("name", p.name);
        point.raw("p", vector(p.p));
      }
    }
    object.raw("com", b.com ? vector(*b.com) : "null");
    object.raw("mass", b.mass ? json_number(*b.mass) : "null");
    if (b.shape) shape(object.next("shape"), *b.shape);
    else object.raw("shape", "null");
  }

  void shape(std::string& to, const BodyShape& s) const {
    using Kind = BodyShape::Kind;
    static constexpr std::array<std::string_view, 7> kTypes{"bar", "disc", "box", "rod", "box", "cylinder", "sphere"};
    JsonObject object(to);
    object.text("type", kTypes[static_cast<std::size_t>(s.kind)]);
    object.raw("centre", vector(s.centre));
    if (s.kind == Kind::bar || s.kind == Kind::rod || s.kind == Kind::cylinder) {
      object.raw("from", vector(s.from));
      object.raw("to", vector(s.to));
    }
    if (s.kind == Kind::rectangle || s.kind == Kind::box) object.raw("size", vector(s.size));
    if (s.kind == Kind::rectangle) object.number("angle", s.rpy.z);
    if (s.kind == Kind::box) object.raw("rpy", vector(s.rpy));
    if (s.radius > 0) object.number("radius", s.radius);
  }

  void element(std::string& to, const Scene::Element& e) const {
    JsonObject object(to);
    object.text("group", word(e.group));
    object.text("name", e.name);
    object.text("type", e.type);
    object.text("symbol", word(e.symbol));
    const bool tree_joint = scene_.space && e.group == Group::joint;
    if (e.i >= 0) object.number(tree_joint ? "parent" : "i", e.i);
    if (e.j >= 0) object.number(tree_joint ? "child" : "j", e.j);
    if (e.arm >= 0) object.number("arm", e.arm);
    places(object, e);
    properties(object, e);
    if (e.frame_i) frame(object.next(tree_joint ? "frame_parent" : "frame_i"), *e.frame_i);
    if (e.frame_j) frame(object.next(tree_joint ? "frame_child" : "frame_j"), *e.frame_j);
    if (e.axis) object.raw("axis", vector(*e.axis));
    if (!e.driven.empty()) object.raw("driven", numbers(e.driven));
    if (e.group == Group::coupling) object.raw("joints", "[" + json_text(e.coupled[0]) + "," + json_text(e.coupled[1]) + "]");
  }

  // What the places of i and j are called.
  static std::pair<std::string_view, std::string_view> place_names(const Scene::Element& e) {
    switch (e.symbol) {
      case DrawingSymbol::gears:
      case DrawingSymbol::wheel: return {"centre_i", "centre_j"};
      case DrawingSymbol::turn:
      case DrawingSymbol::motor:
      case DrawingSymbol::spiral: return {"at_i", "at_j"};
      default: return {"pi", "pj"};
    }
  }

  void places(JsonObject& object, const Scene::Element& e) const {
    const auto [name_i, name_j] = place_names(e);
    if (e.pi) object.raw(name_i, vector(*e.pi));
    if (e.pj) object.raw(name_j, vector(*e.pj));
    const auto line = [&](const Scene::Line& l) { return "[" + vector(l.from) + "," + vector(l.to) + "]"; };
    if (e.line_i) object.raw("line_i", line(*e.line_i));
    if (e.line_j) object.raw("line_j", line(*e.line_j));
    if (e.span) object.raw("span", numbers(*e.span));
    if (e.block) block(object.next("block"), *e.block);
    if (e.wheels[0] >= 0 || e.wheels[1] >= 0) object.raw("wheels", numbers(e.wheels));
    if (!e.curve.empty()) {
      object.raw("curve", vectors(e.curve));
      if (e.round) object.raw("round", "true");
      if (e.roller > 0) object.number("roller", e.roller);
    }
    if (e.rack) {
      JsonObject rack(object.next("rack"));
      rack.number("pitch", e.rack->pitch);
      rack.number("phase", e.rack->phase);
      rack.raw("tooth", pairs(e.rack->tooth));
    }
    if (!e.marks.empty()) places(object.next("marks"), e.marks);
    if (!e.distances.empty()) {
      JsonArray distances(object.next("distances"));
      for (const auto& ends : e.distances) places(distances.next(), ends);
    }
  }

  void places(std::string& to, std::span<const Scene::Place> all) const {
    JsonArray array(to);
    for (const Scene::Place& place : all) {
      JsonObject mark(array.next());
      mark.number("body", place.body);
      mark.raw("p", vector(place.p));
    }
  }

  void block(std::string& to, const Scene::Block& b) const {
    JsonObject object(to);
    object.raw("at", vector(b.at));
    object.number("side", b.side);
    if (!b.own) return;
    if (!b.both) object.raw("both", "false");
    object.raw("along", numbers(b.along));
    object.raw("beside", numbers(b.beside));
  }

  static void properties(JsonObject& object, const Scene::Element& e) {
    const auto number = [&](std::string_view key, const std::optional<double>& value) {
      if (value) object.number(key, *value);
    };
    number("length", e.length);
    number("ratio", e.ratio);
    number("radius", e.radius);
    number("free_length", e.free_length);
    number("stiffness", e.stiffness);
    number("damping", e.damping);
    number("pitch", e.pitch);
    if (e.around > 0) object.number("around", e.around);
    if (e.hangs) object.raw("hangs", "true");
    if (e.friction) object.raw("friction", "true");
    if (e.actuated) object.raw("actuated", "true");
    if (e.symbol == DrawingSymbol::gears) {
      object.raw("radii", e.radii ? "[" + json_number((*e.radii)[0]) + "," + json_number((*e.radii)[1]) + "]" : "null");
      object.raw("mesh", e.mesh.empty() ? "null" : json_text(e.mesh));
    }
    if (!e.what.empty()) object.text("what", e.what);
    if (!e.what_i.empty()) object.text("what_i", e.what_i);
    if (e.symbol == DrawingSymbol::force || e.symbol == DrawingSymbol::moment || e.symbol == DrawingSymbol::wrench)
      object.text("frame", e.body_axes ? "body" : "ground");
  }

  void frame(std::string& to, const Frame<double>& f) const {
    const tree::Quaternion q = tree::quaternion_of(f.axes);
    JsonObject object(to);
    object.raw("p", vector(f.origin));
    object.raw("q", "[" + json_number(q.w) + "," + json_number(q.x) + "," + json_number(q.y) + "," + json_number(q.z) + "]");
  }

  std::string& out_;
  const Scene& scene_;
};

}  // namespace

void write_scene(std::string& out, const Scene& scene) { SceneWriter(out, scene).write(); }

}  // namespace jounce
