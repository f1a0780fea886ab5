#include "jounce/results/trajectory.hpp"

#include <algorithm>

namespace jounce {
namespace {

// `*` matches any run of characters; the classic two-pointer match, linear but for the last star.
bool matches(std::string_view text, std::string_view pattern) {
  std::size_t i = 0, p = 0, star = std::string_view::npos, restart = 0;
  while (i < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') star = p++, restart = i;
    else if (p < pattern.size() && pattern[p] == text[i]) ++p, ++i;
    else if (star != std::string_view::npos) p = star + 1, i = ++restart;
    else return false;
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

std::optional<std::size_t> Trajectory::find(std::string_view column) const {
  const auto it = std::ranges::find(columns_, column);
  if (it == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(it - columns_.begin());
}

std::vector<double> Trajectory::column(std::string_view name) const {
  std::vector<double> out;
  if (const auto c = find(name))
    for (std::size_t i = 0; i < rows(); ++i) out.push_back(row(i)[*c]);
  return out;
}

std::optional<double> Trajectory::at(std::size_t i, std::string_view name) const {
  const auto c = find(name);
  if (!c || i >= rows()) return std::nullopt;
  return row(i)[*c];
}

std::vector<std::size_t> select_columns(std::span<const std::string> columns, std::span<const std::string> patterns,
                                        std::vector<std::string>& unmatched) {
  std::vector<bool> used(patterns.size(), false);
  std::vector<std::size_t> kept;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    bool keep = columns[c] == "t";
    for (std::size_t p = 0; p < patterns.size(); ++p)
      if (matches(columns[c], patterns[p])) keep = used[p] = true;
    if (keep) kept.push_back(c);
  }
  for (std::size_t p = 0; p < patterns.size(); ++p)
    if (!used[p]) unmatched.push_back(patterns[p]);
  return kept;
}

}  // namespace jounce
