// Tables of measured motion: text files with a time and a value on each line.
//
//   t, value            <- one line of headings, optional
//   # comments and blank lines are skipped
//   0.0, 0.12           <- separated by a comma, a semicolon or blanks
//   0.1; 0.15
#pragma once

#include <map>
#include <string>

#include "jounce/base/result.hpp"
#include "jounce/expr/quintic_spline.hpp"

namespace jounce {

/// The spline through the points of a file. Every line in error is reported, with the file's name, line and column.
[[nodiscard]] Result<QuinticSpline> read_table(const std::string& path);

/// Tables by their paths, as they were read.
using Tables = std::map<std::string, QuinticSpline, std::less<>>;

}  // namespace jounce
