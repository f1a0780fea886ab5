#include "jounce/space/build/resolve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "jounce/base/suggest.hpp"
#include "jounce/base/text.hpp"
#include "jounce/mechanism/inertia.hpp"
#include "jounce/tree/catalogue.hpp"

namespace jounce {
namespace {

constexpr const char* kAsWritten = "inertia_as_written = true takes it as it is, as for robots from elsewhere";

std::string point_names(const SpaceBody& body) {
  std::vector<std::string> names;
  for (const SpacePoint& point : body.points) names.push_back(point.name);
  return join_names(names);
}

// The inertia of a body of revolution about its axis.
Sym3<double> about_axis(const Vec3<double>& u, double along, double across) {
  const double d = along - across;
  return {across + d * u.x * u.x, across + d * u.y * u.y, across + d * u.z * u.z, d * u.x * u.y, d * u.x * u.z, d * u.y * u.z};
}

}  // namespace

void SpaceResolve::run() {
  parameters();
  gravity();
  SpaceBody ground{.name = "ground", .where = model_.ground.where};
  add_points(model_.ground, ground);
  index_.emplace(ground.name, 0);
  bodies_.push_back(std::move(ground));
  use_visuals(model_.ground, "ground");
  for (const Body& body : model_.bodies) add_body(body);
  outlines_.bodies.resize(bodies_.size());
  outlines_.pictures.resize(bodies_.size());
}

// ---- values --------------------------------------------------------------------------------------------------------

SpaceResolve::At SpaceResolve::at(Group group, const Element& element) {
  return {group, element, std::string(word(group)) + " '" + element.name + "'"};
}

const Entry* SpaceResolve::entry(const At& at, std::string_view key, Form& form) {
  const TypeInfo* type = tree::find_type(at.group, has_type(at.group) ? std::string_view(at.element.type) : "coupling");
  const FieldInfo* field = type == nullptr ? nullptr : type->find(key);
  if (field != nullptr) form = field->form;
  const Entry* found = at.element.find(key);
  if (found == nullptr && field != nullptr && field->required)
    complain(at.element.where, at.who + ": '" + std::string(key) + "' is missing: expected " +
                                   std::string(at.group == Group::shape ? field->doc : expected(form)));
  if (found == nullptr || !std::holds_alternative<std::monostate>(found->value)) return found;
  incomplete_ = true;
  return nullptr;
}

std::optional<double> SpaceResolve::value(const Text& text, const std::string& who) {
  const auto out = number(text, who);
  if (!out) incomplete_ = true;
  return out;
}

std::optional<double> SpaceResolve::value(const At& at, std::string_view key, double otherwise) {
  const Text* text = written<Text>(at, key);
  return text == nullptr ? otherwise : value(*text, at.who + ": " + std::string(key));
}

std::optional<std::vector<double>> SpaceResolve::values(const std::vector<Text>& texts, const std::string& who) {
  std::vector<double> out;
  for (const Text& text : texts)
    if (const auto x = value(text, who)) out.push_back(*x);
  if (out.size() != texts.size()) return std::nullopt;
  return out;
}

std::optional<Vec3<double>> SpaceResolve::triple(const std::vector<Text>& texts, const std::string& who) {
  if (texts.size() != 3) {
    incomplete_ = true;
    if (!texts.empty()) complain(texts[0].where, who + ": expected three numbers [x, y, z], found " +
                                 std::to_string(texts.size()));
    return std::nullopt;
  }
  const auto out = values(texts, who);
  if (!out) return std::nullopt;
  return Vec3<double>{(*out)[0], (*out)[1], (*out)[2]};
}

std::optional<Vec3<double>> SpaceResolve::direction(const std::vector<Text>& texts, const std::string& who) {
  const auto v = triple(texts, who);
  if (!v) return std::nullopt;
  const double largest = std::max({std::abs(v->x), std::abs(v->y), std::abs(v->z)});
  if (!(largest > 0)) return complain(texts[0].where, who + " has no direction, found [0, 0, 0]"), std::nullopt;
  // divided, not multiplied by an inverse: [0, 0, 2] becomes [0, 0, 1] exactly, and nothing overflows
  const Vec3<double> scaled{v->x / largest, v->y / largest, v->z / largest};
  const double size = length(scaled);
  return Vec3<double>{scaled.x / size, scaled.y / size, scaled.z / size};
}

std::optional<Frame<double>> SpaceResolve::placement(const At& at, std::string_view key) {
  const Table* table = written<Table>(at, key);
  Frame<double> out;
  if (table == nullptr) return out;
  const std::string who = at.who + ": " + std::string(key);
  if (const auto* xyz = written<std::vector<Text>>(*table, "xyz", Form::triple, who)) {
    const auto origin = triple(*xyz, who + ": xyz");
    if (!origin) return std::nullopt;
    out.origin = *origin;
  }
  if (const auto* rpy = written<std::vector<Text>>(*table, "rpy", Form::triple, who)) {
    const auto angles = triple(*rpy, who + ": rpy");
    if (!angles) return std::nullopt;
    out.axes = from_rpy(*angles);
  }
  return out;
}

void SpaceResolve::gravity() {
  if (model_.gravity.empty()) return;
  if (const auto g = triple(model_.gravity, "gravity")) gravity_ = *g;
}

// ---- bodies --------------------------------------------------------------------------------------------------------

void SpaceResolve::add_points(const Body& body, SpaceBody& data) {
  std::set<std::string> seen;
  for (const NamedPoint& point : body.points) {
    const std::string who = (body.name == "ground" ? "ground" : "body '" + body.name + "'") + ": point '" + point.name + "'";
    if (!seen.insert(point.name).second) complain(point.where, who + ": this point is there already");
    const auto origin = triple(point.at, who);
    const auto angles = point.rpy.empty() ? Vec3<double>{} : triple(point.rpy, who + ": rpy");
    if (!origin || !angles) unreadable_.insert(body.name + "." + point.name);
    data.points.push_back({point.name, {from_rpy(angles.value_or(Vec3<double>{})), origin.value_or(Vec3<double>{})}});
  }
}

void SpaceResolve::add_body(const Body& body) {
  const std::string who = "body '" + body.name + "'";
  SpaceBody data{.name = body.name, .where = body.where};
  refuse_planar_keys(body, who);
  add_points(body, data);
  if (body.mass) {
    data.mass = value(*body.mass, who + ": mass");
    if (data.mass && !(*data.mass >= 0))
      complain(body.mass->where, who + ": mass: must not be negative, found " + shown(*data.mass));
  }
  if (body.com) data.com = triple(*body.com, who + ": com").value_or(Vec3<double>{});
  if (body.inertia_matrix) inertia(body, data, who);
  if (body.shape) use_shape(body, data);
  index_.emplace(data.name, static_cast<int>(bodies_.size()));
  bodies_.push_back(std::move(data));
  use_visuals(body, who);
}

// Only a model made in code can have them: the reader knows the keys of a body of space.
void SpaceResolve::refuse_planar_keys(const Body& body, const std::string& who) {
  if (body.inertia)
    complain(body.inertia->where, who + ": inertia: expected six numbers [ixx, iyy, izz, ixy, ixz, iyz], found one");
  if (body.position || body.velocity || body.angle || body.spin)
    complain(body.where, who + ": a body of space has no position, angle, velocity or spin of its own: its joint has q and v");
}

void SpaceResolve::inertia(const Body& body, SpaceBody& data, const std::string& who) {
  const std::vector<Text>& texts = *body.inertia_matrix;
  if (texts.empty()) return void(incomplete_ = true);
  const Where where = texts[0].where;
  if (texts.size() != 6)
    return complain(where, who + ": inertia: expected six numbers [ixx, iyy, izz, ixy, ixz, iyz], found " +
                    std::to_string(texts.size()));
  const auto m = values(texts, who + ": inertia");
  if (!m) return;
  if (!body.mass) return complain(where, who + ": inertia: 'mass' is missing: an inertia needs it (0 for a body without mass)");
  data.inertia = {(*m)[0], (*m)[1], (*m)[2], (*m)[3], (*m)[4], (*m)[5]};
  written_inertias_.push_back({bodies_.size(), where, body.inertia_as_written});
}

void SpaceResolve::judge_inertias(double length) {
  using Found = InertiaJudgement::Fault;
  double heaviest = 0;
  for (const SpaceBody& body : bodies_) heaviest = std::max(heaviest, body.mass.value_or(0));
  for (const auto& [index, where, as_written] : written_inertias_) {
    SpaceBody& body = bodies_[index];
    const std::string who = "body '" + body.name + "'";
    const auto [least, middle, most] = judge_inertia(body.inertia).moments;
    const std::string moments = short_number(least) + ", " + short_number(middle) + ", " + short_number(most);
    Found fault = judge_inertia(body.inertia).fault;
    if ((fault == Found::negative || fault == Found::triangle) && std::max(std::abs(least), std::abs(most)) <= negligible_inertia(heaviest, length)) {
      problems_.push_back(warning(where, who + ": inertia: no body has principal moments " + moments +
                                  ", and they are too small to matter here: they are taken as zero"));
      body.inertia = {};
      continue;
    }
    if (as_written && fault != Found::too_large) fault = Found::none;
    if (fault == Found::too_large) complain(where, who + ": inertia: the numbers are too large");
    else if (fault == Found::negative) complain(where, who + ": inertia: no principal moment may be negative, found " + moments, kAsWritten);
    else if (fault == Found::triangle)
      complain(where, who + ": inertia: principal moments " + moments +
               " cannot belong to a body: the largest exceeds the sum of the others", kAsWritten);
    else if (body.mass == 0.0 && most > 0)
      problems_.push_back(warning(where, who + ": a body without mass has an inertia: it resists turning, but has no weight"));
  }
}

// com and inertia of the usual solids, where the user left them out.
void SpaceResolve::use_shape(const Body& body, SpaceBody& data) {
  const At at{Group::shape, *body.shape, "body '" + body.name + "': shape"};
  const auto solid = outline(at, body, data);
  if (!solid) return;
  outlines_.bodies.resize(bodies_.size() + 1);
  outlines_.bodies.back() = solid->shape;
  outlines_.bodies.back()->centre = solid->centre;
  if (!body.com) data.com = solid->centre;
  if (body.inertia_matrix || !data.mass) return;
  // as in the plane: moved to where the user says the centre of mass is
  const Vec3<double> d = data.com - solid->centre;
  const Sym3<double>& i = solid->per_mass;
  const double m = *data.mass;
  data.inertia = {m * (i.xx + d.y * d.y + d.z * d.z), m * (i.yy + d.x * d.x + d.z * d.z), m * (i.zz + d.x * d.x + d.y * d.y),
                  m * (i.xy - d.x * d.y),             m * (i.xz - d.x * d.z),             m * (i.yz - d.y * d.z)};
}

std::optional<SpaceResolve::Outline> SpaceResolve::outline(const At& at, const Body& body, const SpaceBody& data) {
  const std::string& type = at.element.type;
  if (type == "rod") return rod(at, body, data);
  if (type == "box") return box(at, body, data);
  if (type == "cylinder") return cylinder(at, body, data);
  if (type == "sphere") return sphere(at, body, data);
  incomplete_ = true;
  if (!type.empty()) complain(at.element.type_where, at.who + ": unknown type '" + type +
                              "' (there are rod, box, cylinder, sphere)");
  return std::nullopt;
}

std::optional<SpaceResolve::Outline> SpaceResolve::rod(const At& at, const Body& body, const SpaceBody& data) {
  const auto from = own_point(at, "from", body, data), to = own_point(at, "to", body, data);
  if (!from || !to) return std::nullopt;
  const Vec3<double> d = *to - *from;
  const double size = length(d);
  if (!(size > 0)) return complain(at.element.where, at.who + ": the two ends of the rod coincide"), std::nullopt;
  return Outline{(*from + *to) * 0.5, about_axis(d * (1 / size), 0, size * size / 12),
                 {.kind = BodyShape::Kind::rod, .from = *from, .to = *to}};
}

std::optional<SpaceResolve::Outline> SpaceResolve::box(const At& at, const Body& body, const SpaceBody& data) {
  const auto centre = own_point(at, "centre", body, data);
  const auto *size_texts = written<std::vector<Text>>(at, "size"), *rpy = written<std::vector<Text>>(at, "rpy");
  if (size_texts == nullptr) return std::nullopt;
  const auto size = triple(*size_texts, at.who + ": size");
  const auto angles = rpy == nullptr ? Vec3<double>{} : triple(*rpy, at.who + ": rpy");
  if (!centre || !size || !angles) return std::nullopt;
  if (!(size->x > 0 && size->y > 0 && size->z > 0)) {
    complain((*size_texts)[0].where, at.who + ": size: all three must be greater than 0, found [" + shown(size->x) + ", " +
                                         shown(size->y) + ", " + shown(size->z) + "]");
    return std::nullopt;
  }
  const double xx = size->x * size->x / 12, yy = size->y * size->y / 12, zz = size->z * size->z / 12;
  return Outline{*centre, turned(from_rpy(*angles), Sym3<double>{yy + zz, xx + zz, xx + yy, 0, 0, 0}),
                 {.kind = BodyShape::Kind::box, .size = *size, .rpy = *angles}};
}

std::optional<SpaceResolve::Outline> SpaceResolve::cylinder(const At& at, const Body& body, const SpaceBody& data) {
  const auto radius = size(at, "radius");
  const bool by_ends = at.element.find("from") != nullptr || at.element.find("to") != nullptr;
  for (const char* key : {"centre", "length", "axis"})
    if (const Entry* entry = at.element.find(key); by_ends && entry != nullptr)
      return complain(entry->where, at.who + ": " + key + ": a cylinder that is given by `from` and `to` has none"), std::nullopt;
  if (!by_ends && at.element.find("centre") == nullptr && at.element.find("length") == nullptr)
    return complain(at.element.where, at.who + ": expected `from` and `to`, or `centre` and `length`"), std::nullopt;
  for (const char* key : by_ends ? std::array{"from", "to"} : std::array{"centre", "length"})
    if (at.element.find(key) == nullptr)
      return complain(at.element.where, at.who + ": '" + key + "' is missing: expected " + std::string(tree::find_type(Group::shape, at.element.type)->find(key)->doc)), std::nullopt;
  if (by_ends) {
    const auto from = own_point(at, "from", body, data), to = own_point(at, "to", body, data);
    if (!from || !to || !radius) return std::nullopt;
    const Vec3<double> d = *to - *from;
    const double high = length(d);
    if (!(high > 0)) return complain(at.element.where, at.who + ": the two ends of the cylinder coincide"), std::nullopt;
    const double r2 = *radius * *radius;
    return Outline{(*from + *to) * 0.5, about_axis(d * (1 / high), r2 / 2, r2 / 4 + high * high / 12),
                   {.kind = BodyShape::Kind::cylinder, .from = *from, .to = *to, .radius = *radius}};
  }
  const auto centre = own_point(at, "centre", body, data);
  const auto long_by = size(at, "length");
  const auto* texts = written<std::vector<Text>>(at, "axis");
  const auto axis = texts == nullptr ? Vec3<double>{0, 0, 1} : direction(*texts, at.who + ": axis");
  if (!centre || !radius || !long_by || !axis) return std::nullopt;
  const double r2 = *radius * *radius;
  const Vec3<double> half = *axis * (*long_by / 2);
  return Outline{*centre, about_axis(*axis, r2 / 2, r2 / 4 + *long_by * *long_by / 12),
                 {.kind = BodyShape::Kind::cylinder, .from = *centre - half, .to = *centre + half, .radius = *radius}};
}

std::optional<SpaceResolve::Outline> SpaceResolve::sphere(const At& at, const Body& body, const SpaceBody& data) {
  const auto centre = own_point(at, "centre", body, data);
  const auto radius = size(at, "radius");
  if (!centre || !radius) return std::nullopt;
  const double i = 0.4 * *radius * *radius;
  return Outline{*centre, {i, i, i, 0, 0, 0}, {.kind = BodyShape::Kind::sphere, .radius = *radius}};
}

// A point of the body by its name, or [x, y, z].
std::optional<Vec3<double>> SpaceResolve::own_point(const At& at, std::string_view key, const Body& body, const SpaceBody& data) {
  const Entry* found = at.element.find(key);
  if (found != nullptr && std::holds_alternative<std::vector<Text>>(found->value))
    return triple(std::get<std::vector<Text>>(found->value), at.who + ": " + std::string(key));
  const Text* text = written<Text>(at, key);
  if (text == nullptr || unreadable_.contains(body.name + "." + text->text)) return std::nullopt;
  if (text->text == "origin") return Vec3<double>{};
  const auto it = std::ranges::find(data.points, text->text, &SpacePoint::name);
  if (it != data.points.end()) return it->frame.origin;
  complain(text->where, at.who + ": " + std::string(key) + ": body '" + body.name + "' has no point '" + text->text +
                            "' (it has " + point_names(data) + ")");
  return std::nullopt;
}

std::optional<double> SpaceResolve::size(const At& at, std::string_view key) {
  const Text* text = written<Text>(at, key);
  const auto out = text == nullptr ? std::nullopt : value(*text, at.who + ": " + std::string(key));
  if (!out || *out > 0) return out;
  complain(text->where, at.who + ": " + std::string(key) + ": must be greater than 0, found " + shown(*out));
  return std::nullopt;
}

// ---- references ----------------------------------------------------------------------------------------------------

std::optional<int> SpaceResolve::body_index(const std::string& name, Where where, const std::string& who) {
  if (const auto it = index_.find(name); it != index_.end()) return it->second;
  std::vector<std::string> names;
  for (const SpaceBody& body : bodies_) names.push_back(body.name);
  std::string sentence = who + ": unknown body '" + name + "'";
  if (const auto guess = nearest_name(name, names)) sentence += " (did you mean '" + *guess + "'?)";
  else sentence += " (there are " + join_names(names) + ")";
  complain(where, std::move(sentence));
  return std::nullopt;
}

std::optional<int> SpaceResolve::body(const At& at, std::string_view key) {
  const Text* text = written<Text>(at, key);
  if (text == nullptr) return std::nullopt;
  const std::string who = at.who + ": " + std::string(key);
  if (text->text.empty() || text->text.find('.') != std::string::npos) {
    incomplete_ = true;
    if (!text->text.empty() || text->where.line == 0)
      complain(text->where, who + ": expected " + std::string(expected(Form::body)) + ", found '" + text->text + "'");
    return std::nullopt;
  }
  return body_index(text->text, text->where, who);
}

std::optional<SpaceResolve::Place> SpaceResolve::place(const At& at, std::string_view key) {
  const Text* text = written<Text>(at, key);
  if (text == nullptr) return std::nullopt;
  const std::string who = at.who + ": " + std::string(key);
  const auto dot_at = text->text.find('.');
  if (dot_at == std::string::npos || dot_at == 0 || dot_at + 1 == text->text.size()) {
    complain(text->where, who + ": expected " + std::string(expected(Form::point)) + ", found '" + text->text + "'");
    return std::nullopt;
  }
  const std::string body_name = text->text.substr(0, dot_at), point_name = text->text.substr(dot_at + 1);
  const auto body = body_index(body_name, text->where, who);
  if (!body) return std::nullopt;
  const SpaceBody& data = bodies_[static_cast<std::size_t>(*body)];
  if (point_name == "origin") return Place{*body, {}};
  if (point_name == "com") return Place{*body, {identity3(), data.com}};
  if (unreadable_.contains(text->text)) return std::nullopt;  // its own error has been reported
  const auto it = std::ranges::find(data.points, point_name, &SpacePoint::name);
  if (it != data.points.end()) return Place{*body, it->frame};
  complain(text->where, who + ": '" + body_name + "' has no point '" + point_name + "' (it has " + point_names(data) + ")");
  return std::nullopt;
}

}  // namespace jounce
