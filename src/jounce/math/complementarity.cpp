#include "jounce/math/complementarity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/math/least_squares.hpp"

namespace jounce {
namespace {

/// Of the largest b: what is below zero by no more than this is not.
constexpr double kBelowZero = 1e-13;
/// Pivots below this part of the largest belong to what others hold already.
constexpr double kDependent = 1e-12;
/// Rounds for each unknown; a round that makes no way ends the search.
constexpr int kRounds = 10;

}  // namespace

std::optional<std::vector<double>> solve_complementarity(const Matrix& a, std::span<const double> b) {
  const std::size_t n = b.size();
  std::vector<double> x(n, 0.0);
  std::vector<bool> held(n, false), useless(n, false);  // pushes; would only repeat what pushes already
  const double small = kBelowZero * largest(b);
  const auto solved = [&](const std::vector<int>& set) {
    Matrix own(static_cast<int>(set.size()), static_cast<int>(set.size()));
    std::vector<double> right(set.size());
    for (std::size_t i = 0; i < set.size(); ++i) {
      right[i] = -b[z(set[i])];
      for (std::size_t k = 0; k < set.size(); ++k) own.at(static_cast<int>(i), static_cast<int>(k)) = a.at(set[i], set[k]);
    }
    return solve_positive(own, right, kDependent);
  };
  const auto set_of = [&] {
    std::vector<int> out;
    for (std::size_t i = 0; i < n; ++i)
      if (held[i]) out.push_back(static_cast<int>(i));
    return out;
  };
  for (std::size_t round = 0; round <= kRounds * (n + 1); ++round) {
    const std::vector<double> ax = times(a, x);
    std::ptrdiff_t worst = -1;
    double least = -small;
    for (std::size_t i = 0; i < n; ++i)
      if (const double y = ax[i] + b[i]; !held[i] && !useless[i] && y < least) least = y, worst = static_cast<std::ptrdiff_t>(i);
    if (worst < 0) {
      for (std::size_t i = 0; i < n; ++i)
        if (useless[i] && ax[i] + b[i] < -std::sqrt(kBelowZero) * largest(b)) return std::nullopt;
      return x;
    }
    held[static_cast<std::size_t>(worst)] = true;
    for (std::size_t inner = 0; inner <= n; ++inner) {
      const std::vector<int> set = set_of();
      if (set.empty()) break;
      const auto found = solved(set);
      if (!found) {  // the new one says what others say
        held[static_cast<std::size_t>(worst)] = false, useless[static_cast<std::size_t>(worst)] = true;
        break;
      }
      // As far towards it as nothing pulls.
      double part = 1;
      for (std::size_t i = 0; i < set.size(); ++i)
        if (const double to = (*found)[i], from = x[z(set[i])]; to <= 0 && from - to > 0) part = std::min(part, from / (from - to));
      for (std::size_t i = 0; i < set.size(); ++i) x[z(set[i])] += part * ((*found)[i] - x[z(set[i])]);
      if (part == 1) {
        for (std::size_t i = 0; i < set.size(); ++i) x[z(set[i])] = (*found)[i];
        break;
      }
      for (std::size_t i = 0; i < set.size(); ++i)
        if ((*found)[i] <= 0 && x[z(set[i])] <= std::numeric_limits<double>::epsilon() * largest(*found)) x[z(set[i])] = 0, held[z(set[i])] = false;
    }
  }
  return std::nullopt;
}

}  // namespace jounce
