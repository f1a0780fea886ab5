#include "jounce/mechanism/analysis.hpp"

namespace jounce {
namespace {

constexpr std::array<std::string_view, kAnalyses.size()> kWords{"kinematics", "inverse", "dynamics", "equilibrium"};

}  // namespace

std::string_view word(Analysis analysis) { return kWords[static_cast<std::size_t>(analysis)]; }

std::optional<Analysis> analysis_of(std::string_view name) {
  for (const Analysis analysis : kAnalyses)
    if (word(analysis) == name) return analysis;
  return std::nullopt;
}

}  // namespace jounce
