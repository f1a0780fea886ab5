// A figure of results: columns over time, as SVG.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jounce/base/result.hpp"
#include "jounce/io/csv.hpp"
#include "jounce/results/units.hpp"

namespace jounce {

struct PlotOptions {
  std::string x;      ///< the column along the horizontal axis; empty: t, or the first where there is no t
  std::string title;  ///< above the figure; empty: none
  double width = 720;
  double height = 0;  ///< 0: by the number of panels
  Units units{};      ///< of the axes; where none is chosen, those of the table
};

/// Columns by name, with * for any characters; a unit behind the name, "crank.x [mm]", belongs to the numbers and not to the name. Those of one unit share a panel; panels stand above each other over one
/// horizontal axis. Numbers that are missing (nan, inf) are gaps. Warnings tell of columns without a single number.
[[nodiscard]] Result<std::string> plot(const CsvTable& table, std::span<const std::string> columns, const PlotOptions& options);

}  // namespace jounce
