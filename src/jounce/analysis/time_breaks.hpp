// The times of a run at which some function of time is not smooth. A power series does not see across them.
#pragma once

#include <optional>
#include <vector>

#include "jounce/plane/equations/planar_system.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

class TimeBreaks {
 public:
  TimeBreaks() = default;
  /// Of drivers, forces and laws, between 0 and `to`.
  TimeBreaks(const PlanarSystem& system, double to);
  TimeBreaks(const SpaceMechanism& mechanism, double to);

  [[nodiscard]] std::optional<double> after(double t) const;
  /// Just behind a kink, where t is one: there is a derivative again. Else t.
  [[nodiscard]] double behind(double t) const;
  /// Some law has a kink in a length, an angle or a rate: when it is met is not known beforehand.
  [[nodiscard]] bool kinks_elsewhere() const { return kinks_elsewhere_; }

 private:
  std::vector<double> times_;
  bool kinks_elsewhere_ = false;
};

}  // namespace jounce
