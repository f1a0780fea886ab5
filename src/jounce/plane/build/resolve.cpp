#include "jounce/plane/build/resolve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "jounce/base/suggest.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {

using planar::Group;

std::string point_names(const BodyData& body) {
  std::vector<std::string> names;
  for (const BodyPoint& point : body.points) names.push_back(point.name);
  return join_names(names);
}

void Resolve::run() {
  parameters();
  gravity();
  ground();
  for (const Body& body : model_.bodies) add_body(body);
  find_length_scale();
}

void Resolve::complain_missing(Group group, const Element& element, std::string_view key, const std::string& who) {
  const planar::TypeInfo* type = planar::find_type(group, element.type);
  const planar::FieldInfo* field = type == nullptr ? nullptr : type->find(key);
  std::string sentence = who + ": '" + std::string(key) + "' is missing";
  if (field != nullptr)
    sentence.append(": expected ").append(group == Group::shape ? field->doc : planar::expected(field->form));
  complain(element.where, std::move(sentence));
}

// ---- numbers -------------------------------------------------------------------------------------------------------

std::optional<Vec2<double>> Resolve::pair(const std::vector<Text>& texts, const std::string& who) {
  if (texts.size() != 2) {
    if (!texts.empty()) complain(texts[0].where, who + ": expected two numbers [x, y], found " + std::to_string(texts.size()));
    return std::nullopt;
  }
  const auto x = number(texts[0], who), y = number(texts[1], who);
  if (!x || !y) return std::nullopt;
  return Vec2<double>{*x, *y};
}

void Resolve::gravity() {
  if (model_.gravity.empty()) return;
  if (const auto g = pair(model_.gravity, "gravity")) gravity_ = *g;
}

// ---- bodies --------------------------------------------------------------------------------------------------------

void Resolve::ground() {
  BodyData data{.name = "ground"};
  add_points(model_.ground, data);
  remember(std::move(data), {.c = 1});
}

void Resolve::remember(BodyData data, planar::Frame<double> drawn) {
  index_.emplace(data.name, static_cast<int>(bodies_.size()));
  bodies_.push_back(std::move(data));
  outlines_.bodies.resize(bodies_.size());
  drawn_.push_back(drawn);
}

void Resolve::add_points(const Body& body, BodyData& data) {
  std::set<std::string> seen;
  for (const NamedPoint& point : body.points) {
    const std::string who = (body.name == "ground" ? "ground" : "body '" + body.name + "'") + ": point '" + point.name + "'";
    if (!seen.insert(point.name).second) complain(point.where, who + ": this point is there already");
    const auto p = pair(point.at, who);
    if (!p) unreadable_.insert(body.name + "." + point.name);
    data.points.push_back({point.name, p.value_or(Vec2<double>{})});
  }
}

void Resolve::add_body(const Body& body) {
  const std::string who = "body '" + body.name + "'";
  BodyData data{.name = body.name, .where = body.where};
  const auto not_negative = [&](const std::optional<Text>& text, const char* key) -> std::optional<double> {
    if (!text) return std::nullopt;
    const auto value = number(*text, who + ": " + key);
    if (value && !(*value >= 0)) complain(text->where, who + ": " + key + ": must not be negative, found " + shown(*value));
    return value;
  };
  const auto written_pair = [&](const std::optional<std::vector<Text>>& texts, const char* key) {
    if (!texts) return Vec2<double>{};
    const auto value = pair(*texts, who + ": " + key);
    if (!value) drawing_failed_ = true;
    return value.value_or(Vec2<double>{});
  };
  add_points(body, data);
  data.mass = not_negative(body.mass, "mass");
  data.inertia = not_negative(body.inertia, "inertia");
  data.com = written_pair(body.com, "com");
  if (body.shape) use_shape(body, data);
  const Vec2<double> velocity_W = written_pair(body.velocity, "velocity");
  const double spin = body.spin ? number(*body.spin, who + ": spin").value_or(0) : 0;
  const Vec2<double> origin_W = written_pair(body.position, "position");
  const auto angle = body.angle ? number(*body.angle, who + ": angle") : 0.0;
  if (!angle) drawing_failed_ = true;

  // From here on everything is measured from the centre of mass.
  data.origin_com = {-data.com.x, -data.com.y};
  for (BodyPoint& point : data.points) point.p_com = point.p_com - data.com;
  const double phi = angle.value_or(0);
  const auto [s, c] = sincos(phi);
  const Vec2<double> com = data.com;
  const Vec2<double> arm_W{c * com.x - s * com.y, s * com.x + c * com.y};
  velocity_.insert(velocity_.end(), {velocity_W.x - spin * arm_W.y, velocity_W.y + spin * arm_W.x, spin});
  remember(std::move(data), {origin_W.x + arm_W.x, origin_W.y + arm_W.y, c, s, phi});
}

// com and inertia of the usual outlines, where the user left them out.
void Resolve::use_shape(const Body& body, BodyData& data) {
  const Element& shape = *body.shape;
  const std::string who = "body '" + body.name + "': shape";
  const double mass = data.mass.value_or(0);
  BodyShape outline;
  std::optional<Vec2<double>> centre;
  std::optional<double> about_centre;  // moment of inertia about the shape's own centre
  if (shape.type == "bar") {
    const auto from = shape_point(body, data, "from", who), to = shape_point(body, data, "to", who);
    if (from && to) {
      const Vec2<double> d = *to - *from;
      if (dot(d, d) == 0) complain(shape.where, who + ": the two ends of the bar coincide");
      centre = Vec2<double>{(from->x + to->x) / 2, (from->y + to->y) / 2};
      about_centre = mass * dot(d, d) / 12;
      outline = BodyShape{.kind = BodyShape::Kind::bar, .from = {from->x, from->y, 0}, .to = {to->x, to->y, 0}};
    }
  } else if (shape.type == "disc") {
    centre = shape_point(body, data, "centre", who);
    if (const auto r = shape_size(shape, "radius", who)) {
      about_centre = mass * *r * *r / 2;
      outline = BodyShape{.kind = BodyShape::Kind::disc, .radius = *r};
    }
  } else if (shape.type == "box") {
    centre = shape_point(body, data, "centre", who);
    double turned = 0;
    if (const Entry* angle = shape.find("angle"); angle != nullptr && std::holds_alternative<Text>(angle->value))
      turned = number(std::get<Text>(angle->value), who + ": angle").value_or(0);
    const Entry* entry = shape.find("size");
    if (entry == nullptr) complain_missing(Group::shape, shape, "size", who);
    const auto* texts = entry == nullptr ? nullptr : std::get_if<std::vector<Text>>(&entry->value);
    if (const auto size = texts == nullptr ? std::nullopt : pair(*texts, who + ": size")) {
      if (!(size->x > 0) || !(size->y > 0))
        complain((*texts)[size->x > 0 ? 1 : 0].where,
                 who + ": size: both must be greater than 0, found [" + shown(size->x) + ", " + shown(size->y) + "]");
      about_centre = mass * dot(*size, *size) / 12;
      outline = BodyShape{.kind = BodyShape::Kind::rectangle, .size = {size->x, size->y, 0}, .rpy = {0, 0, turned}};
    }
  }
  if (!centre || !about_centre) return;
  outline.centre = {centre->x, centre->y, 0};
  outlines_.bodies.resize(bodies_.size() + 1);
  outlines_.bodies.back() = outline;
  if (!body.com) data.com = *centre;
  if (!body.inertia && data.mass) {  // moved to where the user says the centre of mass is
    const Vec2<double> d = data.com - *centre;
    data.inertia = *about_centre + mass * dot(d, d);
  }
}

// From the body's origin: a point of the body by its name, or [x, y].
std::optional<Vec2<double>> Resolve::shape_point(const Body& body, const BodyData& data, std::string_view key,
                                                 const std::string& who) {
  const Entry* entry = body.shape->find(key);
  if (entry == nullptr) return complain_missing(Group::shape, *body.shape, key, who), std::nullopt;
  if (const auto* xy = std::get_if<std::vector<Text>>(&entry->value)) return pair(*xy, who + ": " + std::string(key));
  const Text* text = std::get_if<Text>(&entry->value);
  if (text == nullptr || unreadable_.contains(body.name + "." + text->text)) return std::nullopt;
  if (text->text == "origin") return Vec2<double>{};
  const auto it = std::ranges::find(data.points, text->text, &BodyPoint::name);
  if (it != data.points.end()) return it->p_com;  // still from the origin here
  complain(text->where, who + ": " + std::string(key) + ": body '" + body.name + "' has no point '" + text->text +
                            "' (it has " + point_names(data) + ")");
  return std::nullopt;
}

std::optional<double> Resolve::shape_size(const Element& shape, std::string_view key, const std::string& who) {
  const Entry* entry = shape.find(key);
  if (entry == nullptr) return complain_missing(Group::shape, shape, key, who), std::nullopt;
  const Text* text = std::get_if<Text>(&entry->value);
  const auto value = text == nullptr ? std::nullopt : number(*text, who + ": " + std::string(key));
  if (value && !(*value > 0))
    complain(text->where, who + ": " + std::string(key) + ": must be greater than 0, found " + shown(*value));
  return value;
}

void Resolve::find_length_scale() {
  // The largest distance that appears within a body. On the ground only distances between points count: where the mechanism stands
  // does not matter.
  double size = 0;
  for (const BodyData& body : bodies_)
    for (const BodyPoint& point : body.points) {
      if (&body != &bodies_.front()) size = std::max(size, length(point.p_com));
      for (const BodyPoint& other : body.points) size = std::max(size, length(point.p_com - other.p_com));
      if (body.points.size() > 64) break;  // enough is known
    }
  if (size == 0) size = distance_between_bodies();
  length_scale_ = size > 0 && std::isfinite(size) ? size : 1.0;
}

// Of bodies that are points: how far apart they are drawn, and how long what is between them is written to be.
double Resolve::distance_between_bodies() const {
  double size = 0;
  const auto place = [&](std::size_t body) { return Vec2<double>{drawn_[body].x, drawn_[body].y}; };
  for (std::size_t b = 1; b < drawn_.size(); ++b) {
    for (const BodyPoint& point : bodies_[0].points) size = std::max(size, length(place(b) - point.p_com));
    size = std::max(size, b > 1 ? length(place(b) - place(1)) : 0);
  }
  for (const Element& joint : model_.joints) {
    const Entry* entry = joint.find("length");
    const Text* text = entry == nullptr ? nullptr : std::get_if<Text>(&entry->value);
    if (text == nullptr) continue;
    const auto expression = Expression::parse(text->text, constants_);  // what is wrong with it is said where the joint is read
    double written = 0;
    if (expression && expression->is_constant() && !expression->evaluate(std::span<const double>{}, written)) size = std::max(size, std::abs(written));
  }
  return size;
}

// ---- references ----------------------------------------------------------------------------------------------------

std::optional<int> Resolve::body_index(const std::string& name, Where where, const std::string& who) {
  if (const auto it = index_.find(name); it != index_.end()) return it->second;
  std::vector<std::string> names;
  for (const BodyData& body : bodies_) names.push_back(body.name);
  std::string sentence = who + ": unknown body '" + name + "'";
  if (const auto guess = nearest_name(name, names))
    sentence += " (did you mean '" + *guess + "'?)";
  else
    sentence += " (there are " + join_names(names) + ")";
  complain(where, std::move(sentence));
  return std::nullopt;
}

std::optional<planar::Point<double>> Resolve::point(const Text& text, const std::string& who) {
  const auto dot_at = text.text.find('.');
  if (dot_at == std::string::npos || dot_at == 0 || dot_at + 1 == text.text.size()) {
    complain(text.where,
             who + ": expected " + std::string(planar::expected(planar::Form::point)) + ", found '" + text.text + "'");
    return std::nullopt;
  }
  const std::string body_name = text.text.substr(0, dot_at), point_name = text.text.substr(dot_at + 1);
  const auto body = body_index(body_name, text.where, who);
  if (!body) return std::nullopt;
  const BodyData& data = bodies_[static_cast<std::size_t>(*body)];
  if (point_name == "origin") return planar::Point<double>{*body, data.origin_com};
  if (point_name == "com") return planar::Point<double>{*body, {}};
  if (unreadable_.contains(text.text)) return std::nullopt;  // its own error has been reported
  const auto it = std::ranges::find(data.points, point_name, &BodyPoint::name);
  if (it != data.points.end()) return planar::Point<double>{*body, it->p_com};
  complain(text.where, who + ": '" + body_name + "' has no point '" + point_name + "' (it has " + point_names(data) + ")");
  return std::nullopt;
}

bool Resolve::gear_ratio(const Element& element, const std::string& who, double& K) {
  bool failed = false;
  const Entry *ratio = element.find("ratio"), *radii = element.find("radii"), *mesh = element.find("mesh");
  if (ratio != nullptr && radii != nullptr) {
    complain(radii->where, who + ": 'ratio' and 'radii' say the same thing: give one of them");
    failed = true;
  } else if (ratio == nullptr && radii == nullptr) {
    complain(element.where, who + ": 'ratio' is missing (or 'radii' with 'mesh')");
    failed = true;
  }
  bool opposite = true;
  if (mesh != nullptr) {
    const Text* text = std::get_if<Text>(&mesh->value);
    static constexpr std::array words{"external", "internal", "belt", "crossed-belt"};
    if (radii == nullptr)
      complain(mesh->where, who + ": 'mesh' goes with 'radii'; the sign of 'ratio' says which way the wheels turn"),
          failed = true;
    if (text != nullptr && std::ranges::find(words, text->text) == words.end())
      complain(text->where, who + ": mesh: expected " + std::string(planar::expected(planar::Form::mesh)) + ", found '" +
                                text->text + "'"),
          failed = true;
    if (text == nullptr)
      failed = true;
    else
      opposite = text->text == "external" || text->text == "crossed-belt";
  }
  if (ratio != nullptr) {
    const Text* text = std::get_if<Text>(&ratio->value);
    if (text == nullptr && !std::holds_alternative<std::monostate>(ratio->value))
      complain(ratio->where, who + ": ratio: expected " + std::string(planar::expected(planar::Form::number)) + ", found a list");
    const auto value = text == nullptr ? std::nullopt : number(*text, who + ": ratio");
    if (value) K = *value;
    else failed = true;
  }
  if (radii == nullptr || ratio != nullptr) return !failed;
  const auto* texts = std::get_if<std::vector<Text>>(&radii->value);
  const auto values = texts != nullptr ? pair(*texts, who + ": radii") : std::nullopt;
  if (!values) return false;
  if (!(values->x > 0) || !(values->y > 0)) {
    complain((*texts)[0].where,
             who + ": radii: both must be greater than 0, found [" + shown(values->x) + ", " + shown(values->y) + "]");
    return false;
  }
  K = (opposite ? -1 : 1) * values->x / values->y;
  outlines_.gears[element.name] = {{values->x, values->y}, mesh == nullptr ? "external" : std::get<Text>(mesh->value).text};
  return !failed;
}

}  // namespace jounce
