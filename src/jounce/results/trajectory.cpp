#include "jounce/results/trajectory.hpp"

#include <algorithm>

namespace jounce {
namespace {

constexpr std::size_t kLine = 8, kPage = 512;  // numbers in a line of the cache, and in a page of memory

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

void Trajectory::append(std::span<const double> rows) {
  const std::size_t width = columns_.size(), more = width == 0 ? 0 : rows.size() / width;
  if (rows_ + more > room_) reserve(std::max(rows_ + more, 2 * room_));
  // a line of the cache after the other, of every column
  for (std::size_t first = 0; first < more; first += kLine) {
    const std::size_t count = std::min(kLine, more - first);
    const double* const from = rows.data() + first * width;
    double* to = data_.data() + rows_ + first;
    if (count == kLine)
      for (std::size_t c = 0; c < width; ++c, to += room_)
        for (std::size_t i = 0; i < kLine; ++i) to[i] = from[i * width + c];
    else
      for (std::size_t c = 0; c < width; ++c, to += room_)
        for (std::size_t i = 0; i < count; ++i) to[i] = from[i * width + c];
  }
  rows_ += more;
}

void Trajectory::reserve(std::size_t rows) {
  if (rows <= room_) return;
  // a distance between columns that is no multiple of a page keeps them from meeting in the same few lines of the cache
  std::size_t room = (rows + kLine - 1) / kLine * kLine;
  if (room % kPage == 0) room += kLine;
  std::vector<double, UnwrittenNumbers> data(room * columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) std::ranges::copy(column(c), data.begin() + static_cast<std::ptrdiff_t>(c * room));
  data_ = std::move(data);
  room_ = room;
}

std::optional<std::size_t> Trajectory::find(std::string_view column) const {
  const auto it = std::ranges::find(columns_, column, &Column::name);
  if (it == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(it - columns_.begin());
}

std::span<const double> Trajectory::column(std::string_view name) const& {
  const auto c = find(name);
  return c ? column(*c) : std::span<const double>();
}

std::vector<double> Trajectory::row(std::size_t i) const {
  std::vector<double> out(columns_.size());
  copy_row(i, out);
  return out;
}

void Trajectory::copy_row(std::size_t i, std::span<double> out) const {
  for (std::size_t c = 0; c < columns_.size(); ++c) out[c] = data_[c * room_ + i];
}

std::optional<double> Trajectory::at(std::size_t i, std::string_view name) const {
  const auto c = find(name);
  if (!c || i >= rows()) return std::nullopt;
  return column(*c)[i];
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

std::vector<std::size_t> select_columns(std::span<const std::string> columns, std::span<const std::string> further,
                                        std::span<const std::string> patterns, std::vector<std::string>& unmatched) {
  std::vector<std::string> nothing, still;
  std::vector<std::size_t> kept = select_columns(columns, patterns, nothing);
  std::vector<std::string> demanding;
  for (const std::string& pattern : patterns)
    if (std::ranges::find(nothing, pattern) != nothing.end() || pattern.find("_rate") != pattern.npos || pattern.find(".Q") != pattern.npos)
      demanding.push_back(pattern);
  for (const std::size_t c : select_columns(further, demanding, still)) kept.push_back(columns.size() + c);
  for (const std::string& pattern : nothing)
    if (std::ranges::find(still, pattern) != still.end()) unmatched.push_back(pattern);
  return kept;
}

}  // namespace jounce
