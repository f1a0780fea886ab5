// Stops: one-sided constraints, measures that may not pass a bound.
//
//   [stops.bumper]
//   of = "opening"     min = 0.002     restitution = 0.3
//
// Each bound is a gap that stays at or above zero: of − min, and max − of. What a gap does along a motion is docs/theory/one-sided.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jounce/mechanism/measures.hpp"
#include "jounce/model/model.hpp"

namespace jounce {

struct OneSided {
  std::string name;
  Where where;
  double restitution = 0;  ///< rate after an impact over that before it
  bool angle = false;      ///< what it bounds: its force is a moment
};

/// Its gaps as expressions; none where it has no bound, or 'of' could not be read.
[[nodiscard]] std::vector<std::string> gap_texts(const StopSection& stop);
/// The smaller of its gaps.
[[nodiscard]] std::string gap_text(const StopSection& stop);
/// NAME.gap of each, for the rows of every analysis.
[[nodiscard]] std::vector<Measure> gap_columns(const std::vector<StopSection>& stops, MechanismNames& names);

}  // namespace jounce
