#include "jounce/analysis/check/rigid.hpp"

#include "jounce/analysis/check/space_mobility.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {
namespace {

/// Coordinates. Of more it would take longer to find out than the run itself may take.
constexpr int kMostLookedAt = 300;

void tell(const std::string& file, std::string sentence, Problems& problems) {
  Problem note{Severity::note, file, {}, std::move(sentence), {}};
  problems.push_back(std::move(note));
}

}  // namespace

void tell_rigid(const PlaneMechanism& mechanism, const Assembly& at, Problems& problems) {
  const PlanarSystem& system = mechanism.system;
  // as many equations as coordinates are needed to hold everything
  if (!at.assembled || system.joint_equations() < system.coordinates() || system.coordinates() > kMostLookedAt) return;
  if (mobility(mechanism, at.q).mobility == 0)
    tell(mechanism.file, "nothing can move: the joints make a rigid structure of the mechanism", problems);
}

void tell_rigid(const SpaceMechanism& mechanism, const Assembly& at, Problems& problems) {
  const std::size_t dofs = mechanism.dofs.size();
  if (!at.assembled || (mechanism.loops.empty() && mechanism.couplings.empty() && mechanism.equations.empty() && dofs > 0) || dofs > kMostLookedAt) return;
  if (mobility(mechanism, at).mobility == 0)
    tell(mechanism.file, "nothing can move: joints and loops make a rigid structure of the mechanism", problems);
}

}  // namespace jounce
