#include "jounce/plane/build/curves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "jounce/base/text.hpp"
#include "jounce/planar/cam_profile.hpp"
#include "jounce/planar/contact_types.hpp"

namespace jounce {
namespace {

using planar::CamFlat;
using planar::CamRoller;
using planar::PlaneCurve;
using planar::PointOnCurve;

/// A roller on its offset curve is this part of its radius nearer to another place of the profile: rounding, or it cannot
/// touch.
constexpr double kTouches = 1e-9;
/// A convex profile bends at least by this, times its length: less is a straight piece, on which a flat face has no one point.
constexpr double kBends = 1e-9;

}  // namespace

const Entry* ResolveCurves::needed(const Element& element, std::string_view key, const std::string& who) {
  const Entry* entry = element.find(key);
  if (entry == nullptr) complain_missing(planar::Group::joint, element, key, who);
  return entry == nullptr || std::holds_alternative<std::monostate>(entry->value) ? nullptr : entry;
}

std::optional<double> ResolveCurves::positive(const Element& element, std::string_view key, const std::string& who) {
  const Entry* entry = needed(element, key, who);
  const Text* text = entry == nullptr ? nullptr : std::get_if<Text>(&entry->value);
  const auto value = text == nullptr ? std::nullopt : number(*text, who + ": " + std::string(key));
  if (value && !(*value > 0)) {
    complain(text->where, who + ": " + std::string(key) + ": must be greater than 0, found " + shown(*value));
    return std::nullopt;
  }
  return value;
}

// Of body i: a point of it by its name, or [x, y]; from its centre of mass.
std::optional<Vec2<double>> ResolveCurves::own_place(const Entry& entry, const BodyData& body, const std::string& who) {
  if (const auto* xy = std::get_if<std::vector<Text>>(&entry.value)) {
    const auto p = pair(*xy, who);
    return p ? std::optional(*p + body.origin_com) : std::nullopt;
  }
  const Text* text = std::get_if<Text>(&entry.value);
  if (text == nullptr) return std::nullopt;
  if (text->text == "origin") return body.origin_com;
  const auto it = std::ranges::find(body.points, text->text, &BodyPoint::name);
  if (it != body.points.end()) return it->p_com;
  complain(text->where, who + ": '" + body.name + "' has no point '" + text->text + "' (it has " + point_names(body) + ")");
  return std::nullopt;
}

std::optional<std::vector<Vec2<double>>> ResolveCurves::places(const Entry& entry, const std::string& who) {
  std::vector<Vec2<double>> out;
  if (const auto* file = std::get_if<TableFile>(&entry.value)) {
    const auto points = Resolve::places(*file, who);
    if (!points) return std::nullopt;
    for (std::size_t k = 0; k < points->x.size(); ++k) out.push_back({points->x[k], points->y[k]});
    return out;
  }
  const auto* rows = std::get_if<std::vector<std::vector<Text>>>(&entry.value);
  if (rows == nullptr) return std::nullopt;
  for (const std::vector<Text>& row : *rows) {
    const auto p = pair(row, who + ": point " + std::to_string(out.size() + 1));
    if (!p) return std::nullopt;
    out.push_back(*p);
  }
  return out;
}

std::optional<PlaneCurve> ResolveCurves::arc(const Element& element, const BodyData& body, const std::string& who) {
  const auto radius = positive(element, "radius", who);
  Vec2<double> centre = body.origin_com;
  bool good = radius.has_value();
  if (const Entry* entry = element.find("centre")) {
    const auto given = own_place(*entry, body, who + ": centre");
    if (given)
      centre = *given;
    else
      good = false;
  }
  const auto angle = [&](std::string_view key, double otherwise) {
    const Entry* entry = element.find(key);
    const Text* text = entry == nullptr ? nullptr : std::get_if<Text>(&entry->value);
    if (text == nullptr) return good = good && entry == nullptr, otherwise;
    const auto value = number(*text, who + ": " + std::string(key));
    good = good && value;
    return value.value_or(otherwise);
  };
  const double from = angle("from", 0), to = angle("to", from + 2 * std::numbers::pi);
  if (good && !(to > from && to - from <= 2 * std::numbers::pi * (1 + 1e-12))) {
    complain(element.find(element.find("to") != nullptr ? "to" : "from")->where,
             who + ": an arc goes from an angle to a greater one, at most a turn on: found from " + shown(from) + " to " +
                 shown(to));
    good = false;
  }
  if (!good) return std::nullopt;
  return PlaneCurve::arc(centre, *radius, from, to);
}

// A number that may be left out.
std::optional<double> ResolveCurves::plain(const Element& element, std::string_view key, double otherwise,
                                           const std::string& who) {
  const Entry* entry = element.find(key);
  if (entry == nullptr) return otherwise;
  const Text* text = std::get_if<Text>(&entry->value);
  return text == nullptr ? std::nullopt : number(*text, who + ": " + std::string(key));
}

std::optional<PlaneCurve> ResolveCurves::from_lift(const Element& element, const BodyData& body, const std::string& who) {
  const Entry& entry = *element.find("lift");
  const auto base = positive(element, "base_radius", who);
  const bool rolls = element.type == CamRoller::type;
  const auto radius = rolls ? positive(element, "roller_radius", who) : 0.0;
  const auto offset = plain(element, "offset", 0, who), angle = plain(element, "angle", std::numbers::pi / 2, who);
  std::optional<Vec2<double>> centre = body.origin_com;
  if (const Entry* given = element.find("centre")) centre = own_place(*given, body, who + ": centre");

  planar::Lift lift;
  Where where = entry.where;
  if (const auto* table = std::get_if<TableFile>(&entry.value)) {
    where = table->path.where;
    std::string trouble;
    const auto spline = lookup_table({.path = table->path.text, .column = {}, .period = 2 * std::numbers::pi}, trouble);
    if (!trouble.empty()) complain(where, who + ": lift: '" + table->path.text + "': " + trouble);
    if (!spline) return std::nullopt;
    lift = [spline](const Series<2>& theta, Series<2>& out) { return out = spline->value(theta, 0), std::string(); };
  } else if (const Text* text = std::get_if<Text>(&entry.value)) {
    where = text->where;
    if (const auto names = names_in(text->text); names && std::ranges::find(*names, "t") != names->end())
      return complain(where,
                      who + ": lift: expected a function of theta, the angle by which the cam has turned, found one of t"),
             std::nullopt;
    const auto expression = parse(*text, scope({"theta"}), who + ": lift");
    if (!expression) return std::nullopt;
    lift = [expression](const Series<2>& theta, Series<2>& out) {
      const std::array<Series<2>, 1> variables{theta};
      const auto fault = expression->evaluate(std::span<const Series<2>>(variables), out);
      return fault ? fault->sentence : std::string();
    };
  }
  if (!lift || !base || !radius || !offset || !angle || !centre || parameters_failed_) return std::nullopt;
  auto places = planar::cam_profile(lift, {*base, *radius, *offset, *angle, *centre});
  if (const auto* trouble = std::get_if<std::string>(&places))
    return complain(where, who + ": lift: " + *trouble), std::nullopt;
  auto made = PlaneCurve::through(std::get<0>(std::move(places)), true);
  if (const auto* trouble = std::get_if<std::string>(&made)) return complain(where, who + ": lift: " + *trouble), std::nullopt;
  return std::get<PlaneCurve>(std::move(made));
}

std::optional<PlaneCurve> ResolveCurves::curve(const Element& element, int body, bool closed, const std::string& who) {
  const BodyData& data = bodies_[static_cast<std::size_t>(body)];
  const Entry *points = element.find("points"), *radius = element.find("radius"), *lift = element.find("lift");
  const bool cam = element.type != PointOnCurve::type;
  const auto goes_with = [&](std::initializer_list<const char*> keys, const char* with, bool there) {
    for (const char* key : keys)
      if (const Entry* entry = element.find(key); entry != nullptr && !there)
        return complain(entry->where, who + ": '" + key + "' goes with " + with + ", which is missing"), false;
    return true;
  };
  if (points == nullptr && radius == nullptr && lift == nullptr)
    return complain(element.where, who + ": the " +
                                       (cam ? "profile is missing: expected 'points', 'radius' or 'lift'"
                                            : "curve is missing: expected 'points' or 'radius'")),
           std::nullopt;
  if (!goes_with({"centre"}, cam ? "'radius' or 'lift'" : "'radius'", radius != nullptr || lift != nullptr) ||
      !goes_with({"from", "to"}, "'radius'", radius != nullptr) ||
      !goes_with({"base_radius", "offset", "angle"}, "'lift'", lift != nullptr))
    return std::nullopt;
  const std::array<std::pair<const Entry*, const char*>, 3> ways{{{points, "points"}, {radius, "radius"}, {lift, "lift"}}};
  const std::pair<const Entry*, const char*>* given_first = nullptr;
  for (const auto& way : ways) {
    if (way.first == nullptr) continue;
    if (given_first != nullptr)
      return complain(way.first->where, who + ": '" + given_first->second + "' and '" + way.second +
                                            "' both say what the curve is: give one of them"),
             std::nullopt;
    given_first = &way;
  }
  const Entry* round = element.find("closed");
  if (lift != nullptr) {
    if (round != nullptr) return complain(round->where, who + ": 'closed' goes with 'points'"), std::nullopt;
    return from_lift(element, data, who);
  }
  if (points == nullptr) {
    if (round != nullptr)
      return complain(round->where, who + ": 'closed' goes with 'points'; a circle is an arc without 'from' and 'to'"),
             std::nullopt;
    return arc(element, data, who);
  }
  if (const Text* text = round == nullptr ? nullptr : std::get_if<Text>(&round->value)) closed = text->text == "true";
  auto given = places(*points, who + ": points");
  if (!given || parameters_failed_) return std::nullopt;
  for (Vec2<double>& p : *given) p = p + data.origin_com;
  auto made = PlaneCurve::through(*std::move(given), closed);
  if (const auto* trouble = std::get_if<std::string>(&made))
    return complain(points->where, who + ": points: " + *trouble), std::nullopt;
  return std::get<PlaneCurve>(std::move(made));
}

std::string ResolveCurves::named(const Contact& contact, double u) const {
  const Vec2<double> p = contact.curve->at(u) - bodies_[static_cast<std::size_t>(contact.body)].origin_com;
  const auto rounded = [&](double x) { return short_number(std::abs(x) < 1e-12 * contact.curve->length() ? 0.0 : x); };
  return "(" + rounded(p.x) + ", " + rounded(p.y) + ")";
}

// A point as drawn, in axes of the curve.
Vec2<double> ResolveCurves::seen(const Contact& contact, const planar::Point<double>& point) const {
  const planar::Frame<double>&own = drawn_[static_cast<std::size_t>(contact.body)],
        &other = drawn_[static_cast<std::size_t>(point.body)];
  const double dx = other.x + other.c * point.p.x - other.s * point.p.y - own.x,
               dy = other.y + other.s * point.p.x + other.c * point.p.y - own.y;
  return {own.c * dx + own.s * dy, own.c * dy - own.s * dx};
}

// How it moves, for the angle of pressure.
bool ResolveCurves::follower(const Element& element, Contact& out, const std::string& who) {
  const Entry *travel = element.find("travel"), *pivot = element.find("pivot");
  if (travel != nullptr && pivot != nullptr)
    return complain(pivot->where, who + ": 'travel' and 'pivot' both say how the follower moves: give one of them"), false;
  if (const auto* texts = travel == nullptr ? nullptr : std::get_if<std::vector<Text>>(&travel->value)) {
    out.travel = pair(*texts, who + ": travel");
    if (!out.travel) return false;
    if (length(*out.travel) == 0) return complain(travel->where, who + ": travel: [0, 0] is no direction"), false;
  }
  if (const Text* text = pivot == nullptr ? nullptr : std::get_if<Text>(&pivot->value)) {
    out.pivot = point(*text, who + ": pivot");
    if (!out.pivot) return false;
    if (out.pivot->body != out.at.body)
      return complain(text->where, who + ": pivot: expected a point of '" +
                                       bodies_[static_cast<std::size_t>(out.at.body)].name + "', found '" + text->text + "'"),
             false;
  }
  return true;
}

bool ResolveCurves::roller(const Element& element, Contact& out, const std::string& who) {
  const auto radius = positive(element, "roller_radius", who);
  if (!radius) return false;
  out.offset = *radius;
  const PlaneCurve& curve = *out.curve;
  const Entry* side = element.find("side");
  const Text* word = side == nullptr ? nullptr : std::get_if<Text>(&side->value);
  if (word != nullptr && word->text != "outside" && word->text != "inside")
    return complain(word->where, who + ": side: expected " + std::string(planar::expected(planar::Form::side)) + ", found '" +
                                     word->text + "'"),
           false;
  if (curve.closed()) {
    if (word != nullptr && word->text == "inside") out.outwards = -1;
  } else if (word != nullptr) {
    return complain(word->where, who + ": side: an open profile has none: the roller is on the side on which it is drawn"),
           false;
  } else {
    const Vec2<double> p = seen(out, out.at);
    const double u = curve.nearest(p), apart = dot(curve.normal(u), p - curve.at(u));
    if (drawing_failed_) return false;
    if (std::abs(apart) < kTouches * *radius)
      return complain(element.where,
                      who + ": the centre of the roller is drawn on the profile: it does not say on which side it is"),
             false;
    out.outwards = apart > 0 ? 1 : -1;
  }
  // Where the profile is more hollow than the roller, or narrow, the roller cannot touch it: its offset curve comes nearer to
  // another place.
  for (const double u : curve.samples()) {
    const Vec2<double> n = curve.normal(u), c = curve.at(u);
    const double away = out.outwards * *radius, bend = out.outwards * curve.curvature(u);
    if (bend < 0 && -bend * *radius >= 1)
      return complain(element.find("roller_radius")->where,
                      who + ": undercut: the roller, with a radius of " + shown(*radius) + ", does not reach the profile at " +
                          named(out, u) + ", which is hollow there with a radius of " + short_number(-1 / bend)),
             false;
    const Vec2<double> centre{c.x + away * n.x, c.y + away * n.y};
    const double other = curve.nearest(centre);
    if (length(centre - curve.at(other)) < *radius * (1 - kTouches))
      return complain(element.find("roller_radius")->where, who + ": undercut: the roller, with a radius of " + shown(*radius) +
                                                                ", cannot touch the profile at " + named(out, u) +
                                                                ": it touches it at " + named(out, other) + " before"),
             false;
  }
  return true;
}

bool ResolveCurves::face(const Element& element, Contact& out, const std::string& who) {
  const Entry* entry = needed(element, "face", who);
  const auto* texts = entry == nullptr ? nullptr : std::get_if<std::vector<Text>>(&entry->value);
  if (texts == nullptr || texts->size() != 2) return false;
  const auto p = point((*texts)[0], who + ": face"), q = point((*texts)[1], who + ": face");
  if (!p || !q) return false;
  if (p->body != q->body)
    return complain((*texts)[1].where, who + ": face: both points must be on the same body, found '" + (*texts)[0].text +
                                           "' and '" + (*texts)[1].text + "'"),
           false;
  if (p->body == out.body)
    return complain((*texts)[0].where,
                    who + ": face: is on the same body as the cam, '" + bodies_[static_cast<std::size_t>(out.body)].name + "'"),
           false;
  const Vec2<double> along = q->p - p->p;
  const double size = length(along);
  if (!(size > 1e-9 * length_scale_)) return complain((*texts)[1].where, who + ": face: its two points coincide"), false;
  out.at = *p;
  const PlaneCurve& curve = *out.curve;
  if (!curve.closed()) return complain(element.where, who + ": a flat face needs a closed profile"), false;
  for (const double u : curve.samples())
    if (curve.curvature(u) * curve.length() <= kBends)
      return complain(element.where, who + ": the profile is " + (curve.curvature(u) < 0 ? "hollow" : "straight") + " at " +
                                         named(out, u) + ": a flat face touches a profile that bulges everywhere"),
             false;
  // towards the side on which the face is drawn
  const planar::Frame<double>&own = drawn_[static_cast<std::size_t>(out.body)],
        &other = drawn_[static_cast<std::size_t>(p->body)];
  out.normal = {-along.y / size, along.x / size};
  const auto to_curve = [&](const Vec2<double>& v) {
    const Vec2<double> v_W{other.c * v.x - other.s * v.y, other.s * v.x + other.c * v.y};
    return Vec2<double>{own.c * v_W.x + own.s * v_W.y, own.c * v_W.y - own.s * v_W.x};
  };
  const Vec2<double> m = to_curve(out.normal), at = seen(out, out.at);
  const double near = dot(m, at - curve.at(curve.farthest(m))), far = dot(m, at - curve.at(curve.farthest({-m.x, -m.y})));
  if (std::abs(far) < std::abs(near)) out.normal = {-out.normal.x, -out.normal.y};
  return true;
}

// An open curve ends: the run does where it is left.
void ResolveCurves::watch_ends(const Element& element, const Contact& contact) {
  if (contact.curve->closed()) return;
  Formula f({"t", element.name + ".s"});
  const double end = contact.curve->length();
  const std::string what =
      "joint '" + element.name + (contact.cam ? "': the roller is beyond the profile's " : "': the pin is beyond the slot's ");
  const auto add = [&](Formula::Term when, const char* which, double u) {
    ends_of_curves_.push_back(
        {element.name, element.where, f.expression(when, element.name + ".s"), WatchedEvent::Direction::falling, true,
         what + which + " end, " + named(contact, u) + " on '" + bodies_[static_cast<std::size_t>(contact.body)].name + "',"});
  };
  add(f[1], "first", contact.curve->front());
  add(f.number(end) - f[1], "last", contact.curve->back());
}

std::shared_ptr<const planar::EquationLaw> ResolveCurves::contact(const Element& element) {
  const std::string who = "joint '" + element.name + "'";
  const bool pin = element.type == PointOnCurve::type, flat = element.type == CamFlat::type;
  auto out = std::make_shared<Contact>(Contact{.curve = {},
                                               .x = Expression::constant(0),
                                               .y = Expression::constant(0),
                                               .F = Expression::constant(0),
                                               .by_u = Expression::constant(0),
                                               .at = {},
                                               .normal = {},
                                               .travel = {},
                                               .pivot = {}});
  bool good = true;
  if (const Entry* entry = needed(element, "i", who)) {
    const Text* text = std::get_if<Text>(&entry->value);
    const auto body = text == nullptr ? std::nullopt : body_index(text->text, text->where, who + ": i");
    if (body) out->body = *body;
    good = body.has_value();
  } else {
    good = false;
  }
  if (good) {
    auto found = curve(element, out->body, !pin, who);
    if (found && found->closed() && !pin && found->area() < 0) found = found->reversed();
    if (found) out->curve = std::make_shared<const PlaneCurve>(*std::move(found));
    good = out->curve != nullptr;
  }
  if (!flat) {
    const char* key = pin ? "pin" : "roller";
    const Entry* entry = needed(element, key, who);
    const Text* text = entry == nullptr ? nullptr : std::get_if<Text>(&entry->value);
    const auto at = text == nullptr ? std::nullopt : point(*text, who + ": " + key);
    if (!at) return nullptr;
    if (good && at->body == out->body)
      return complain(text->where, who + ": " + key + ": is on the same body as the curve, '" +
                                       bodies_[static_cast<std::size_t>(at->body)].name + "'"),
             nullptr;
    out->at = *at;
  }
  if (!good) return nullptr;
  if (const auto where = out->curve->crossing(); !where.empty())
    return complain(element.find("points") != nullptr ? element.find("points")->where : element.where,
                    who + ": the curve crosses itself at " + named(*out, where[0])),
           nullptr;
  if (flat) out->search = Contact::Search::tangent;
  if (flat && !face(element, *out, who)) return nullptr;
  if (!flat && !pin && !roller(element, *out, who)) return nullptr;
  if (!follower(element, *out, who) || parameters_failed_ || drawing_failed_) return nullptr;
  out->cam = !pin;
  watch_ends(element, *out);
  return std::make_shared<const planar::EquationLaw>(planar::contact_law(std::move(out)));
}

planar::Scale ResolveCurves::equation_scale(const planar::EquationLaw& law) const {
  std::vector<double> variables{0.0};
  for (const planar::StateQuantity& u : law.quantities)
    variables.push_back(u.of_frame(drawn_[static_cast<std::size_t>(u.body)]));
  double by_length = 0, by_angle = 0;
  for (std::size_t i = 0; i < law.quantities.size(); ++i) {
    double g = 0;
    if (law.by_quantity[i].evaluate(std::span<const double>(variables), g)) continue;
    double& most = law.quantities[i].pick == 2 ? by_angle : by_length;
    most = std::max(most, std::abs(g));
  }
  if (by_length > 0) return {planar::Unit::metre, by_length};
  return {by_angle > 0 ? planar::Unit::radian : planar::Unit::metre, by_angle > 0 ? by_angle : 1};
}

}  // namespace jounce
