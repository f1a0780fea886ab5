// Inertia that vanishes on the way: a link without mass between joints that give it the inertia of others has none in positions where what these joints let it move falls
// together (a massless link from a universal joint to a ball, in the plane of its axes). The closer the motion comes, the faster such a link turns: rates grow like
// one over the root of the time that is left, and there is no motion beyond.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "jounce/space/mechanism.hpp"
#include "jounce/tree/recursions/workspace.hpp"

namespace jounce {

class VanishingInertia {
 public:
  explicit VanishingInertia(const SpaceMechanism& mechanism);

  /// A position as good as any; `held`: one flag per dof that is prescribed, or decided by others.
  void begin(std::span<const double> q, std::span<const std::uint8_t> held);
  /// The dof of whose articulated inertia next to nothing is left against that position; the least, where there are several.
  [[nodiscard]] std::optional<int> find(std::span<const double> q, std::span<const std::uint8_t> held);

 private:
  void per_inertia(std::span<const double> q, std::span<const std::uint8_t> held, std::vector<double>& out);

  const SpaceMechanism& mechanism_;
  tree::Workspace<double> work_;
  std::vector<double> still_, a_;
  std::vector<double> before_, now_;  // 1 / D of each dof
};

}  // namespace jounce
