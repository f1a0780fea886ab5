#include "jounce/space/equations/free_mechanism.hpp"

#include "jounce/space/build/checks.hpp"
#include "jounce/space/closures/thin.hpp"
#include "jounce/space/equations/equations.hpp"

namespace jounce {

FreeMechanism::FreeMechanism(const SpaceMechanism& mechanism, std::span<const double> q)
    : written_(&mechanism), light_(light_dofs(mechanism, q)) {
  if (light_.empty()) return;
  thin_ = with_thin_links(mechanism, q);
  if (thin_) light_ = light_dofs(*thin_, q);
  if (light_.empty()) return;
  SpaceEquations at(this->mechanism());
  at.carry(light_);
  decided_ = at.decides_light(q);
}

}  // namespace jounce
