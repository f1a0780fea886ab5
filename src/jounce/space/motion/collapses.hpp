// Springs that come to zero length on the way, where they have no line of action any more.
//
// A force that flips from one side to the other is followed by ever shorter steps and then jumped over, so somebody has to look: where the length of a spring
// shrinks at the beginning of a step and grows at its end, it has been shortest in between.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "jounce/space/equations/equations.hpp"

namespace jounce {

class Collapses {
 public:
  explicit Collapses(const SpaceMechanism& mechanism);

  /// Whether there is a spring that needs a line of action.
  [[nodiscard]] bool any() const { return !springs_.empty(); }

  /// Moves the equations to a time; false where something has no value.
  using Move = std::function<bool(double t)>;
  struct Found {
    double t = 0;
    const SpaceForce* spring = nullptr;
  };
  /// The first one within a step. The equations are asked where they are after `move`, and `ending` moves them to the end of the step.
  [[nodiscard]] std::optional<Found> first(double from, double to, const SpaceEquations& at, const Move& move, const Move& ending);

 private:
  struct Spring {
    const SpaceForce* force = nullptr;
    tree::Strut strut;
  };
  [[nodiscard]] static double growth(const Spring& spring, const SpaceEquations& at);
  [[nodiscard]] std::optional<double> shortest(const Spring& spring, double from, double to, const SpaceEquations& at, const Move& move) const;

  double size_;
  std::vector<Spring> springs_;
  std::vector<double> growth_;  // at the end of the last step
  double end_ = 0;              // of it
};

}  // namespace jounce
