// A mechanism as free motions need it: what to do about dofs that move no inertia.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "jounce/space/mechanism.hpp"

namespace jounce {

class FreeMechanism {
 public:
  /// At a position where loops and couplings hold. `mechanism` must outlive it.
  FreeMechanism(const SpaceMechanism& mechanism, std::span<const double> q);
  FreeMechanism(const FreeMechanism&) = delete;
  FreeMechanism& operator=(const FreeMechanism&) = delete;

  /// With inertia for thin links (space/closures/thin.hpp); otherwise what it was made of.
  [[nodiscard]] const SpaceMechanism& mechanism() const { return thin_ ? *thin_ : *written_; }
  /// Dofs that move no inertia all the same (SpaceEquations::carry), and whether loops and couplings decide them.
  [[nodiscard]] const std::vector<int>& light() const { return light_; }
  [[nodiscard]] bool decided() const { return decided_; }

 private:
  const SpaceMechanism* written_;
  std::optional<SpaceMechanism> thin_;
  std::vector<int> light_;
  bool decided_ = true;
};

}  // namespace jounce
