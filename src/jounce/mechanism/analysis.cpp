#include "jounce/mechanism/analysis.hpp"

#include <array>

namespace jounce {
namespace {

constexpr std::array<std::string_view, 4> kWords{"kinematics", "inverse", "dynamics", "equilibrium"};
static_assert(kWords.size() == static_cast<std::size_t>(Analysis::equilibrium) + 1);

}  // namespace

std::string_view word(Analysis analysis) { return kWords[static_cast<std::size_t>(analysis)]; }

std::optional<Analysis> analysis_of(std::string_view name) {
  for (std::size_t i = 0; i < kWords.size(); ++i)
    if (kWords[i] == name) return static_cast<Analysis>(i);
  return std::nullopt;
}

}  // namespace jounce
