#include "jounce/report/table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string_view>

#include "jounce/base/column_endings.hpp"
#include "jounce/report/encode.hpp"
#include "jounce/results/noise.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {
namespace {

// How far a computed number may be from the row's, of the column's largest: the six digits that a page shows of it stay the same.
constexpr double kNear = 1e-10;
// What the page takes for nothing: terms with 40 bits that cancel to less than this part of them.
constexpr double kNothing = 4e-12;

// Which derivative of a body's or point's place is a column, by its group.
std::optional<std::size_t> order_of(std::string_view group) {
  for (std::size_t k = 0; k < columns::kPlaneMotion.size(); ++k)
    if (columns::kPlaneMotion[k][0].group == group) return k;
  return std::nullopt;
}

// How many components a force has of which a column is the size; 0 of every other column.
int parts_of(std::span<const Column> columns, std::size_t c) {
  const std::string& owner = columns[c].owner;
  if (columns[c].group != columns::kForceSize[0].group || columns[c].name != owner + "." + std::string(columns::kForceSize[0].text)) return 0;
  const auto has = [&](const columns::Ending& part) { return std::ranges::find(columns, owner + "." + std::string(part.text), &Column::name) != columns.end(); };
  const auto count = std::ranges::count_if(columns::kForce, has);
  return count >= 2 ? static_cast<int>(count) : 0;
}

// "crank.A" → where it is.
std::map<std::string, ReportColumn::From, std::less<>> points_of(const Scene& scene) {
  std::map<std::string, ReportColumn::From, std::less<>> out;
  for (std::size_t b = 0; b < scene.bodies.size() && !scene.space; ++b)
    for (const Scene::Point& point : scene.bodies[b].points)
      out[scene.bodies[b].name + "." + point.name] = {static_cast<int>(b), {point.p.x, point.p.y}};
  return out;
}

// What A p and dA/dphi p are multiplied by in a derivative of A p, from the rates of phi.
std::array<double, 2> factors(std::size_t order, const std::array<double, 5>& phi) {
  const auto [angle, w, a, j, s] = phi;
  switch (order) {
    case 0: return {1, 0};
    case 1: return {0, w};
    case 2: return {-w * w, a};
    case 3: return {-3 * w * a, j - w * w * w};
    default: return {w * w * w * w - 3 * a * a - 4 * w * j, s - 6 * w * w * a};
  }
}

}  // namespace

ReportTable::ReportTable(const Scene& scene, const std::vector<Column>& columns, std::size_t most_numbers)
    : most_numbers_(most_numbers), size_(scene.size) {
  const auto points = points_of(scene);
  for (const Column& column : columns) columns_.push_back({column, {}});
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    columns_[c].parts = parts_of(columns, c);
    const auto it = points.find(columns_[c].column.owner);
    if (it == points.end()) continue;
    columns_[c].from = it->second;
    if (const auto point = point_at(c, scene)) points_.push_back(*point);
    else columns_[c].from.reset();
  }
}

// Nothing where the columns do not hold what it is computed from.
std::optional<ReportTable::Point> ReportTable::point_at(std::size_t column, const Scene& scene) const {
  const Column& own = columns_[column].column;
  const auto order = order_of(own.group);
  if (!order) return std::nullopt;
  Point out{.column = column, .order = *order, .y = own.name.ends_with(columns::kPlaneMotion[*order][1].text)};
  const int body = columns_[column].from->body;
  if (body == 0) return out;
  const std::string owner = scene.bodies[static_cast<std::size_t>(body)].name + ".";
  bool complete = true;
  const auto place = [&](const columns::Ending& ending) {
    const std::string name = owner + std::string(ending.text);
    const auto it = std::ranges::find_if(columns_, [&](const ReportColumn& c) { return c.column.name == name; });
    complete = complete && it != columns_.end();
    return static_cast<std::size_t>(it - columns_.begin());
  };
  out.origin = place(columns::kPlaneMotion[*order][out.y ? 1 : 0]);
  for (std::size_t k = 0; k <= out.order; ++k) out.angle[k] = place(columns::kPlaneMotion[k][2]);
  return complete ? std::optional(out) : std::nullopt;
}

bool ReportTable::Point::follows() const { return miss <= kNear * largest; }

// As the page does it, from numbers rounded as those of the page.
double ReportTable::computed(const Point& point, std::span<const double> row) const {
  const auto& [body, p] = *columns_[point.column].from;
  if (body == 0) return point.order > 0 ? 0 : point.y ? p.y : p.x;
  std::array<double, kOrders> phi{};
  for (std::size_t k = 0; k <= point.order; ++k) phi[k] = rounded_to_40_bits(row[point.angle[k]]);
  const auto [s, c] = sincos(phi[0]);
  const double origin = rounded_to_40_bits(row[point.origin]);
  const auto [factor_along, factor_across] = factors(point.order, phi);
  const double along = factor_along * (point.y ? s * p.x + c * p.y : c * p.x - s * p.y);
  const double across = factor_across * (point.y ? c * p.x - s * p.y : -s * p.x - c * p.y);
  const double sum = origin + along + across;
  return std::abs(sum) < kNothing * (std::abs(origin) + std::abs(along) + std::abs(across)) ? 0 : sum;
}

void ReportTable::compare(std::vector<Point>& points, std::span<const double> row) const {
  for (Point& point : points) {
    const double x = row[point.column];
    point.largest = std::max(point.largest, std::abs(x));
    point.miss = std::max(point.miss, std::abs(computed(point, row) - x));
  }
}

void ReportTable::take(std::span<const double> row) {
  last_.assign(row.begin(), row.end());
  if (seen_++ % every_ != 0) return;
  compare(points_, row);
  while (full()) thin();
  if ((seen_ - 1) % every_ == 0) numbers_.insert(numbers_.end(), last_.begin(), last_.end());
}

bool ReportTable::full() const {
  const auto following = static_cast<std::size_t>(std::ranges::count_if(points_, &Point::follows));
  return rows() >= 2 && (rows() + 1) * (columns_.size() - following) > most_numbers_;
}

// The rows 0, 2, 4 ... of those that are here.
void ReportTable::thin() {
  const auto width = static_cast<std::ptrdiff_t>(columns_.size());
  const std::size_t left = (rows() + 1) / 2;
  for (std::size_t r = 1; r < left; ++r) {
    const auto from = numbers_.begin() + static_cast<std::ptrdiff_t>(2 * r) * width;
    std::copy(from, from + width, numbers_.begin() + static_cast<std::ptrdiff_t>(r) * width);
  }
  numbers_.resize(left * columns_.size());
  every_ *= 2;
}

// Which columns the page computes.
std::vector<bool> ReportTable::follow() const {
  std::vector<Point> points = points_;
  if (seen_ > 0) compare(points, last_);  // it is on the page, but perhaps none of the rows kept until now
  std::vector<bool> out(columns_.size());
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = columns_[c].parts > 0;
  for (const Point& point : points) out[point.column] = point.follows();
  return out;
}

std::vector<bool> ReportTable::nothing() const {
  const std::size_t width = columns_.size();
  std::vector<double> largest(width);
  std::vector<Column> columns;
  for (const ReportColumn& column : columns_) columns.push_back(column.column);
  for (std::size_t k = 0; k < numbers_.size(); ++k) largest[k % width] = std::max(largest[k % width], std::abs(numbers_[k]));
  for (std::size_t c = 0; c < last_.size(); ++c) largest[c] = std::max(largest[c], std::abs(last_[c]));
  return noise(columns, largest, size_);
}

std::vector<ReportColumn> ReportTable::columns() const {
  std::vector<ReportColumn> out = columns_;
  const std::vector<bool> computed = follow(), empty = nothing();
  for (std::size_t c = 0; c < out.size(); ++c) {
    if (!computed[c]) out[c].from.reset();
    out[c].nothing = empty[c];
  }
  return out;
}

std::size_t ReportTable::samples() const { return rows() + (seen_ > 0 && (seen_ - 1) % every_ != 0 ? 1 : 0); }

std::vector<std::vector<double>> ReportTable::stored() const {
  const std::size_t width = columns_.size(), kept = rows();
  const std::vector<bool> computed = follow();
  std::vector<std::vector<double>> out;
  for (std::size_t c = 0; c < width; ++c) {
    if (computed[c]) continue;
    std::vector<double>& column = out.emplace_back(samples());
    for (std::size_t r = 0; r < column.size(); ++r) column[r] = r < kept ? numbers_[r * width + c] : last_[c];
  }
  return out;
}

std::vector<std::span<const double>> ReportTable::spread(std::size_t most) const {
  std::vector<std::span<const double>> out;
  const std::size_t width = columns_.size(), kept = rows(), count = std::min(kept, most);
  for (std::size_t k = 0; k < count; ++k)
    out.push_back(std::span(numbers_).subspan((count > 1 ? k * (kept - 1) / (count - 1) : 0) * width, width));
  return out;
}

}  // namespace jounce
