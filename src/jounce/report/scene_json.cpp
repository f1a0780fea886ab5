#include "jounce/report/scene_json.hpp"

#include <array>
#include <utility>

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
    {
      JsonArray bodies(all.next("bodies"));
      for (const Scene::Body& b : scene_.bodies) body(bodies.next(), b);
    }
    JsonArray elements(all.next("elements"));
    for (const Scene::Element& e : scene_.elements) element(elements.next(), e);
  }

 private:
  // Two numbers in the plane, three in space.
  [[nodiscard]] std::string vector(const Vec3<double>& v) const {
    std::string out = "[" + json_number(v.x) + "," + json_number(v.y);
    if (scene_.space) out += "," + json_number(v.z);
    return out + "]";
  }

  void body(std::string& to, const Scene::Body& b) const {
    JsonObject object(to);
    object.text("name", b.name);
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
    numbers(object, e);
    if (e.frame_i) frame(object.next(tree_joint ? "frame_parent" : "frame_i"), *e.frame_i);
    if (e.frame_j) frame(object.next(tree_joint ? "frame_child" : "frame_j"), *e.frame_j);
    if (e.axis) object.raw("axis", vector(*e.axis));
    if (e.group == Group::coupling) object.raw("joints", "[" + json_text(e.coupled[0]) + "," + json_text(e.coupled[1]) + "]");
  }

  // What the places of i and j are called.
  static std::pair<std::string_view, std::string_view> place_names(const Scene::Element& e) {
    switch (e.symbol) {
      case DrawingSymbol::gears:
      case DrawingSymbol::wheel: return {"centre_i", "centre_j"};
      case DrawingSymbol::turn:
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
  }

  static void numbers(JsonObject& object, const Scene::Element& e) {
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
