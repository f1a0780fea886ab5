#include "jounce/space/build/names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "jounce/mechanism/numbers.hpp"

namespace jounce {
namespace {

// A place in a body, turned by the body's quaternion.
std::vector<std::string> turned(const std::string& body, const Vec3<double>& p) {
  const auto q = [&](const char* c) { return body + ".q" + c; };
  const std::string w = q("w"), x = q("x"), y = q("y"), z = q("z"), px = "(" + shown(p.x) + ")", py = "(" + shown(p.y) + ")",
                    pz = "(" + shown(p.z) + ")";
  return {body + ".x + (1 - 2*(" + y + "^2 + " + z + "^2))*" + px + " + 2*(" + x + "*" + y + " - " + w + "*" + z + ")*" + py +
              " + 2*(" + x + "*" + z + " + " + w + "*" + y + ")*" + pz,
          body + ".y + 2*(" + x + "*" + y + " + " + w + "*" + z + ")*" + px + " + (1 - 2*(" + x + "^2 + " + z + "^2))*" + py +
              " + 2*(" + y + "*" + z + " - " + w + "*" + x + ")*" + pz,
          body + ".z + 2*(" + x + "*" + z + " - " + w + "*" + y + ")*" + px + " + 2*(" + y + "*" + z + " + " + w + "*" + x +
              ")*" + py + " + (1 - 2*(" + x + "^2 + " + y + "^2))*" + pz};
}

constexpr int kMostCoordinates = 7;  // of a joint of its own kind; only one of screws can have more
constexpr std::array<std::string_view, 3> kAxes{"x", "y", "z"};

// The coordinates and rates of points of the ground, which have no columns, as numbers.
std::optional<std::string> of_ground(const SpaceBody& ground, std::string_view name) {
  const std::size_t first = name.find('.'), last = name.rfind('.');
  if (first == name.npos || first == last || name.substr(0, first) != ground.name) return std::nullopt;
  const auto point = std::ranges::find(ground.points, name.substr(first + 1, last - first - 1), &SpacePoint::name);
  std::string_view ending = name.substr(last + 1);
  const bool rate = ending.starts_with('v');
  if (rate) ending.remove_prefix(1);
  const auto axis = std::ranges::find(kAxes, ending);
  if (point == ground.points.end() || axis == kAxes.end()) return std::nullopt;
  const Vec3<double>& p = point->frame.origin;
  const std::array numbers{p.x, p.y, p.z};
  return rate ? "0" : "(" + shown(numbers[static_cast<std::size_t>(axis - kAxes.begin())]) + ")";
}

bool is_quaternion(std::string_view column) {
  return column.size() > 3 && column[column.size() - 3] == '.' && column[column.size() - 2] == 'q' &&
         std::string_view("wxyz").find(column.back()) != std::string_view::npos;
}

}  // namespace

MechanismNames::Known named_of(const std::vector<SpaceBody>& bodies, std::vector<Column> columns) {
  MechanismNames::Known out;
  out.columns = std::move(columns);
  out.why_not = [](std::string_view) { return std::string(); };
  out.place = [&bodies](std::string_view body, std::string_view point) -> std::optional<std::vector<std::string>> {
    const auto own = std::ranges::find(bodies, body, &SpaceBody::name);
    if (own == bodies.end()) return std::nullopt;
    const std::string name(body);
    const auto at = std::ranges::find(own->points, point, &SpacePoint::name);
    const bool named = at != own->points.end();
    if (!named && point != "origin" && point != "com") return std::nullopt;
    if (own == bodies.begin()) {  // the ground: its points stand still
      const Vec3<double> p = named ? at->frame.origin : Vec3<double>{};
      return std::vector{shown(p.x), shown(p.y), shown(p.z)};
    }
    if (point == "com") return turned(name, own->com);
    const std::string whole = named ? name + "." + std::string(point) : name;
    return std::vector{whole + ".x", whole + ".y", whole + ".z"};
  };
  out.text = [&bodies](std::string_view name) { return of_ground(bodies.front(), name); };
  return out;
}

MechanismNames::Known named_in_loads_of(const std::vector<SpaceBody>& bodies, std::vector<Column> columns,
                                        const std::vector<std::string>& unread_joints) {
  const auto add = [&](const std::string& name, const char* unit, const char* group, const std::string& owner) {
    columns.push_back({.name = name, .unit = unit, .group = group, .owner = owner});
  };
  for (const SpaceBody& body : std::span(bodies).subspan(1))
    for (const std::string_view axis : kAxes) {
      const std::string com = body.name + ".com.";
      add(com + std::string(axis), "m", "position", body.name);
      add(com + "v" + std::string(axis), "m/s", "velocity", body.name);
    }
  for (const std::string& joint : unread_joints)
    for (int k = 1; k <= kMostCoordinates; ++k) {
      add(joint + ".q" + std::to_string(k), "", "joint-position", joint);
      add(joint + ".v" + std::to_string(k), "", "joint-velocity", joint);
    }
  MechanismNames::Known out = named_of(bodies, std::move(columns));
  out.place = [&bodies, place = std::move(out.place)](std::string_view body, std::string_view point) -> std::optional<std::vector<std::string>> {
    if (point != "com" || body == bodies.front().name || !place(body, point)) return place(body, point);
    const std::string com = std::string(body) + ".com.";
    return std::vector{com + "x", com + "y", com + "z"};
  };
  return out;
}

// Takes some columns away; `why` goes on after the name.
template <class Takes>
MechanismNames::Known without(MechanismNames::Known known, const Takes& takes, std::string why) {
  std::vector<std::string> taken;
  std::erase_if(known.columns, [&](const Column& column) {
    if (!takes(column)) return false;
    taken.push_back(column.name);
    return true;
  });
  known.why_not = [taken = std::move(taken), why = std::move(why), other = std::move(known.why_not)](std::string_view name) {
    return std::ranges::find(taken, name) == taken.end() ? other(name) : "'" + std::string(name) + "' " + why;
  };
  return known;
}

MechanismNames::Known without_quaternions(MechanismNames::Known known, std::string_view place) {
  return without(
      std::move(known), [](const Column& column) { return column.group == "position" && is_quaternion(column.name); },
      "cannot stand in " + std::string(place) + ": a quaternion and its negative are one rotation. Expected coordinates of points or joints");
}

MechanismNames::Known without_coordinates(MechanismNames::Known known, const std::vector<std::string>& joints) {
  return without(
      std::move(known), [&](const Column& column) { return column.group == "joint-position" && std::ranges::find(joints, column.owner) != joints.end(); },
      "cannot stand in an equation: a spherical or free joint has no coordinates that are plain numbers. Expected coordinates of points");
}

SpaceQuantity state_quantity(const std::vector<SpaceBody>& bodies, const std::vector<std::string>& joints, std::string_view column) {
  using Of = SpaceQuantity::Of;
  const std::size_t first = column.find('.'), last = column.rfind('.');
  const std::string_view owner = column.substr(0, first), ending = column.substr(last + 1);
  SpaceQuantity out;
  if (const auto joint = std::ranges::find(joints, owner); joint != joints.end()) {
    out.of = ending.starts_with('q') ? Of::coordinate : Of::rate;
    out.owner = static_cast<int>(joint - joints.begin());
    (void)std::from_chars(ending.data() + 1, ending.data() + ending.size(), out.pick);
    --out.pick;  // columns count from 1
    return out;
  }
  const auto body = std::ranges::find(bodies, owner, &SpaceBody::name);
  out.owner = static_cast<int>(body - bodies.begin());
  if (first != last) {
    const std::string_view name = column.substr(first + 1, last - first - 1);
    const auto point = std::ranges::find(body->points, name, &SpacePoint::name);
    out.p = point != body->points.end() ? point->frame.origin : body->com;
  }
  if (ending.size() > 1) out.of = ending.front() == 'w' ? Of::spin : Of::velocity;
  out.pick = static_cast<int>(std::ranges::find(kAxes, ending.substr(ending.size() - 1)) - kAxes.begin());
  return out;
}

}  // namespace jounce
