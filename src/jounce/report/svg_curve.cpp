#include "jounce/report/svg_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace jounce::svg {
namespace {

// First, lowest, highest and last of every column, in their order.
std::vector<Pixel> by_columns(std::span<const Pixel> curve, double column) {
  std::vector<Pixel> out;
  for (std::size_t start = 0, end = 0; start < curve.size(); start = end) {
    const double number = std::floor(curve[start].x / column);
    std::size_t lowest = start, highest = start;
    for (end = start; end < curve.size() && std::floor(curve[end].x / column) == number; ++end) {
      if (curve[end].y > curve[lowest].y) lowest = end;
      if (curve[end].y < curve[highest].y) highest = end;
    }
    std::array<std::size_t, 4> kept{start, std::min(lowest, highest), std::max(lowest, highest), end - 1};
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (k == 0 || kept[k] != kept[k - 1]) out.push_back(curve[kept[k]]);
  }
  return out;
}

// From one kept point, the directions that pass within the tolerance of every point since.
class Cone {
 public:
  Cone(Pixel from, double tolerance) : from_(from), tolerance_(tolerance) {}

  /// False when the line from the start to `p` would miss one of the points between.
  bool take(Pixel p) {
    const Pixel d = p - from_;
    const double distance = length(d);
    if (distance <= tolerance_) return reach_ <= tolerance_;
    if (distance < reach_) return false;  // it turns back
    const double direction = std::atan2(d.y, d.x);
    const double half = std::asin(std::min(1.0, tolerance_ / distance));
    if (reach_ <= tolerance_) {
      middle_ = direction;
      low_ = -half;
      high_ = half;
    } else {
      const double turned = std::remainder(direction - middle_, 2 * M_PI);
      if (turned < low_ || turned > high_) return false;
      low_ = std::max(low_, turned - half);
      high_ = std::min(high_, turned + half);
    }
    reach_ = distance;
    return true;
  }

 private:
  Pixel from_;
  double tolerance_, reach_ = 0, middle_ = 0, low_ = 0, high_ = 0;
};

}  // namespace

std::vector<Pixel> simplified(std::span<const Pixel> curve, double tolerance, double column) {
  if (curve.size() < 3) return {curve.begin(), curve.end()};
  std::vector<Pixel> thinned;
  if (std::ranges::is_sorted(curve, {}, &Pixel::x)) {
    thinned = by_columns(curve, column);
    curve = thinned;
  }
  std::vector<Pixel> out{curve.front()};
  Cone cone(out.back(), tolerance);
  for (std::size_t k = 1; k < curve.size(); ++k) {
    if (cone.take(curve[k])) continue;
    out.push_back(curve[k - 1]);
    cone = Cone(out.back(), tolerance);
    cone.take(curve[k]);
  }
  if (curve.size() > 1) out.push_back(curve.back());
  return out;
}

}  // namespace jounce::svg
