#include "jounce/space/build/names.hpp"

#include <algorithm>

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
  return out;
}

}  // namespace jounce
