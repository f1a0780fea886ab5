// Tables of measured motion: text files with a time and a value on each line.
//
//   t, value            <- one line of headings, optional
//   # comments and blank lines are skipped
//   0.0, 0.12           <- separated by a comma, a semicolon or blanks
//   0.1; 0.15
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/files.hpp"
#include "jounce/base/result.hpp"
#include "jounce/expr/lookup_table.hpp"
#include "jounce/expr/quintic_spline.hpp"

namespace jounce {

struct TablePoints {
  std::vector<double> x, y;
};

/// The points of a file. Every line in error is reported, with the file's name, line and column. `column`: the heading of the
/// values; without it there are two columns, the first and that of the values. `texts`: a file that is among them is not read again, and one that is
/// read is added.
[[nodiscard]] Result<TablePoints> read_points(const std::string& path, std::string_view column = {}, FileTexts* texts = nullptr);
/// Places in the plane, x and y first on each line, in any order.
[[nodiscard]] Result<TablePoints> read_places(const std::string& path, FileTexts* texts = nullptr);
/// The spline through them.
[[nodiscard]] Result<QuinticSpline> read_table(const std::string& path, FileTexts* texts = nullptr);

/// Tables as they were read: motions by their paths, and those that expressions look up by path, column and period.
struct Tables {
  std::map<std::string, QuinticSpline, std::less<>> motions;
  std::map<std::string, std::shared_ptr<const LookupTable>, std::less<>> lookups;
  std::map<std::string, TablePoints, std::less<>> places;  ///< by their paths
  std::vector<std::string> paths;  ///< of all of them, in the order of the model
  FileTexts texts;                 ///< of all of them
};

}  // namespace jounce
