#include "jounce/report/table.hpp"

#include <algorithm>
#include <map>

namespace jounce {
namespace {

// "crank.A" → where it is.
std::map<std::string, ReportColumn::From, std::less<>> points_of(const Scene& scene) {
  std::map<std::string, ReportColumn::From, std::less<>> out;
  for (std::size_t b = 0; b < scene.bodies.size() && !scene.space; ++b)
    for (const Scene::Point& point : scene.bodies[b].points)
      out[scene.bodies[b].name + "." + point.name] = {static_cast<int>(b), {point.p.x, point.p.y}};
  return out;
}

}  // namespace

ReportTable::ReportTable(const Scene& scene, const std::vector<std::string>& columns, std::size_t most_numbers) {
  const auto points = points_of(scene);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    ReportColumn column{columns[c], describe(columns[c], scene), {}};
    if (const auto it = points.find(column.info.owner); it != points.end()) column.from = it->second;
    else kept_.push_back(c);
    columns_.push_back(std::move(column));
  }
  last_.resize(kept_.size());
  most_rows_ = std::max<std::size_t>(most_numbers / std::max<std::size_t>(kept_.size(), 1), 2);
}

void ReportTable::take(std::span<const double> row) {
  std::ranges::transform(kept_, last_.begin(), [&](std::size_t c) { return row[c]; });
  if (seen_++ % every_ != 0) return;
  if (numbers_.size() == most_rows_ * kept_.size()) thin();
  if ((seen_ - 1) % every_ == 0) numbers_.insert(numbers_.end(), last_.begin(), last_.end());
}

// The rows 0, 2, 4 ... of those that are here.
void ReportTable::thin() {
  const auto width = static_cast<std::ptrdiff_t>(kept_.size());
  const std::size_t left = (most_rows_ + 1) / 2;
  for (std::size_t r = 1; r < left; ++r) {
    const auto from = numbers_.begin() + static_cast<std::ptrdiff_t>(2 * r) * width;
    std::copy(from, from + width, numbers_.begin() + static_cast<std::ptrdiff_t>(r) * width);
  }
  numbers_.resize(left * kept_.size());
  every_ *= 2;
}

std::size_t ReportTable::samples() const {
  const std::size_t kept = kept_.empty() ? 0 : numbers_.size() / kept_.size();
  return kept + (seen_ > 0 && (seen_ - 1) % every_ != 0 ? 1 : 0);
}

std::vector<std::vector<double>> ReportTable::stored() const {
  const std::size_t width = kept_.size(), rows = samples();
  std::vector<std::vector<double>> out(width, std::vector<double>(rows));
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < width; ++c)
      out[c][r] = (r + 1) * width <= numbers_.size() ? numbers_[r * width + c] : last_[c];
  return out;
}

}  // namespace jounce
