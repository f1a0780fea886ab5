#include "jounce/plane/build/names.hpp"

#include <algorithm>

#include "jounce/mechanism/numbers.hpp"

namespace jounce {

MechanismNames::Known named_of(const std::vector<BodyData>& bodies, std::vector<Column> columns) {
  MechanismNames::Known out;
  out.columns = std::move(columns);
  out.why_not = [](std::string_view) { return std::string(); };
  out.place = [&bodies](std::string_view body, std::string_view point) -> std::optional<std::vector<std::string>> {
    const auto own = std::ranges::find(bodies, body, &BodyData::name);
    if (own == bodies.end()) return std::nullopt;
    const std::string name(body);
    if (own == bodies.begin()) {  // the ground: its points stand still
      if (point == "origin" || point == "com") return std::vector<std::string>{"0", "0"};
      const auto at = std::ranges::find(own->points, point, &BodyPoint::name);
      if (at == own->points.end()) return std::nullopt;
      return std::vector{shown(at->p_com.x), shown(at->p_com.y)};
    }
    if (point == "origin") return std::vector{name + ".x", name + ".y"};
    if (point == "com") {
      const std::string x = shown(own->com.x), y = shown(own->com.y), phi = name + ".phi";
      return std::vector{name + ".x + cos(" + phi + ")*(" + x + ") - sin(" + phi + ")*(" + y + ")",
                         name + ".y + sin(" + phi + ")*(" + x + ") + cos(" + phi + ")*(" + y + ")"};
    }
    if (std::ranges::find(own->points, point, &BodyPoint::name) == own->points.end()) return std::nullopt;
    const std::string whole = name + "." + std::string(point);
    return std::vector{whole + ".x", whole + ".y"};
  };
  return out;
}

planar::StateQuantity state_quantity(const std::vector<BodyData>& bodies, std::string_view column) {
  const std::size_t first = column.find('.'), last = column.rfind('.');
  const auto body = std::ranges::find(bodies, column.substr(0, first), &BodyData::name);
  std::string_view ending = column.substr(last + 1);
  planar::StateQuantity out{.body = static_cast<int>(body - bodies.begin()), .p = body->origin_com};
  if (first != last) out.p = std::ranges::find(body->points, column.substr(first + 1, last - first - 1), &BodyPoint::name)->p_com;
  if ((out.rate = ending.starts_with('v'))) ending.remove_prefix(1);
  out.pick = ending == "x" ? 0 : ending == "y" ? 1 : 2;
  if (out.pick == 2) out.p = {};
  return out;
}

}  // namespace jounce
