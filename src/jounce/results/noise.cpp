#include "jounce/results/noise.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace jounce {
namespace {

using Kind = std::pair<std::string, std::string>;  // group and unit

// What a unit becomes over a lever, and back: rad and m, N and N m.
std::string beside(const std::string& unit) {
  if (unit == "N") return "N m";
  if (unit == "N m") return "N";
  if (unit.starts_with("rad")) return "m" + unit.substr(3);
  if (unit == "m" || unit.starts_with("m/")) return "rad" + unit.substr(1);
  return "";
}
// An angle is its own measure: where nothing else turns, one below this is rounding all the same.
constexpr double kNoAngle = 1e-12;

bool over_a_lever(const std::string& unit) { return unit == "N m" || unit == "m" || unit.starts_with("m/"); }

}  // namespace

std::vector<bool> noise(std::span<const Column> columns, std::span<const double> largest, double size) {
  std::map<Kind, double> scale;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    double& own = scale[{columns[c].group, columns[c].unit}];
    own = std::max(own, largest[c]);
  }
  std::vector<bool> out(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Column& column = columns[c];
    double against = scale[{column.group, column.unit}];
    const auto it = scale.find({column.group, beside(column.unit)});
    if (size > 0 && it != scale.end()) against = std::max(against, over_a_lever(column.unit) ? it->second * size : it->second / size);
    if (column.unit == "rad") against = std::max(against, kNoAngle / kNoise);
    // the balance of energies is an error, and errors are small by nature
    out[c] = !column.unit.empty() && column.group != "time" && column.group != "error" && column.group != "energy" && largest[c] > 0 && is_noise(largest[c], against);
  }
  return out;
}

}  // namespace jounce
