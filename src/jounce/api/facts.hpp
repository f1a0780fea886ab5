// What a run came to, in sentences: for a terminal, for a page, for any other reader.
#pragma once

#include <string>
#include <vector>

#include "jounce/api/run.hpp"
#include "jounce/results/units.hpp"

namespace jounce {

/// A line of a summary.
struct Fact {
  std::string head, text;
};

/// Beside the outcome: samples, method, energy, momentum, work, residual; of an equilibrium stability and work.
[[nodiscard]] std::vector<Fact> facts(const Run& run, const RunSummary& summary, const Units& units = {});

/// How the mechanism can move: in the plane counted, and by rank where that is quickly found; in space what its joints have.
[[nodiscard]] std::string mobility_sentence(const Mechanism& mechanism);

// of an equilibrium, one line each
[[nodiscard]] std::string stability_text(const Equilibrium& rest);
[[nodiscard]] std::string work_text(const Equilibrium& rest);
/// How a mode swings, and its largest parts.
[[nodiscard]] std::string swing_text(const NaturalMode& mode);
/// What it does in place of swinging; nothing where it swings.
[[nodiscard]] std::string leaving_text(const NaturalMode& mode);
/// Nothing where nothing damps it.
[[nodiscard]] std::string damping_text(const NaturalMode& mode);
[[nodiscard]] std::string shape_text(const Equilibrium& rest, const NaturalMode& mode);

}  // namespace jounce
