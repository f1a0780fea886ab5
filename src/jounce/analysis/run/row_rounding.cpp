#include "jounce/analysis/run/row_rounding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

namespace jounce {
namespace {

/// How much of a scale is left a row later: where all velocities pass zero together their rounding is still that of before.
constexpr double kFading = 0.9;

constexpr std::array<std::string_view, 5> kPerTime{"", "/s", "/s²", "/s³", "/s⁴"};

}  // namespace

RowRounding::RowRounding(const std::vector<Column>& columns, const Scales& of) {
  std::map<std::string_view, std::size_t> units;
  for (const Column& column : columns) {
    const auto [it, is_new] = units.emplace(column.unit, scales_.size());
    if (is_new) scales_.emplace_back();
    unit_of_.push_back(it->second);
  }
  for (const std::string base : {"m", "rad"}) {
    const auto length = units.find(base);
    for (std::size_t k = 0; k < kPerTime.size() && length != units.end(); ++k)
      if (const auto it = units.find(base + std::string(kPerTime[k])); it != units.end()) {
        scales_[it->second].length = static_cast<std::ptrdiff_t>(length->second);
        scales_[it->second].per_time = 1 / std::pow(std::max(of.seconds, 1e-300), static_cast<double>(k));
      }
    if (length != units.end()) scales_[length->second].least = base == "rad" ? 1 : of.metres;
  }
}

void RowRounding::take(std::span<const double> row) {
  for (Scale& scale : scales_) scale.largest *= kFading;
  for (std::size_t c = 0; c < row.size(); ++c) scales_[unit_of_[c]].largest = std::max(scales_[unit_of_[c]].largest, std::abs(row[c]));
}

double RowRounding::size(const RowExpression& f, std::span<const double> row) {
  double sum = 0;
  const std::vector<std::size_t>& from = f.from();
  duals_.resize(from.size());
  for (std::size_t v = 0; v < from.size(); ++v) duals_[v] = Dual<1>(row[from[v]]);
  for (std::size_t v = 0; v < from.size(); ++v) {
    duals_[v] = Dual<1>::variable(row[from[v]], 0);
    Dual<1> found;
    if (!f.expression().evaluate(std::span<const Dual<1>>(duals_), found)) {  // else it has no slope there
      const Scale& own = scales_[unit_of_[from[v]]];
      const Scale* length = own.length < 0 ? nullptr : &scales_[static_cast<std::size_t>(own.length)];
      const double least = length == nullptr ? 0 : own.per_time * std::max(length->largest, length->least);
      sum += std::abs(found.d[0]) * std::max(own.largest, least);
    }
    duals_[v] = Dual<1>(row[from[v]]);
  }
  return sum;
}

}  // namespace jounce
