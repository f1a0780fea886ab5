#include "jounce/space/prescribed.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/scalar/turn.hpp"

namespace jounce::pose {
namespace {

/// Below this the powers of s themselves are summed; above it recurrences lose nothing that matters.
constexpr double kSmallSquare = 4;
/// Terms of a sum whose terms fall as 1 / (2k)!, for s below that.
constexpr int kTerms = 16;

}  // namespace

// With c = cos(√s/2) and h = sin(√s/2)/√s:  c' = −h/4  and  2 s h' = c/2 − h.
void half_angle_series(double s, std::span<double> cosine, std::span<double> sine) {
  const std::size_t n = cosine.size();
  if (s >= kSmallSquare) {
    const double root = std::sqrt(s);
    const auto half = sincos(root / 2);
    cosine[0] = half.cos, sine[0] = half.sin / root;
    for (std::size_t k = 0; k + 1 < n; ++k) {
      const auto order = static_cast<double>(k);
      cosine[k + 1] = -sine[k] / (4 * (order + 1));
      sine[k + 1] = (cosine[k] / 2 - (1 + 2 * order) * sine[k]) / (2 * s * (order + 1));
    }
    return;
  }
  // h = Σ (−1)^j s^j / (2^(2j+1) (2j+1)!), and of each power of s its own Taylor coefficients
  std::ranges::fill(sine, 0.0);
  double term = 0.5;
  const auto terms = static_cast<std::size_t>(kTerms) + n;
  for (std::size_t j = 0; j < terms; ++j) {
    double binomial = 1;  // of j over k
    for (std::size_t k = 0; k < n && k <= j; ++k) {
      sine[k] += term * binomial * std::pow(s, static_cast<double>(j - k));
      binomial *= static_cast<double>(j - k) / static_cast<double>(k + 1);
    }
    const auto next = static_cast<double>(j + 1);
    term *= -1 / (4 * (2 * next) * (2 * next + 1));
  }
  cosine[0] = sincos(std::sqrt(s) / 2).cos;
  for (std::size_t k = 0; k + 1 < n; ++k) cosine[k + 1] = -sine[k] / (4 * static_cast<double>(k + 1));
}

}  // namespace jounce::pose
