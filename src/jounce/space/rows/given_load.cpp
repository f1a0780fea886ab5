#include "jounce/space/rows/given_load.hpp"

namespace jounce {

GivenLoad given_load(const SpaceForce& force, double t, const Mat3<double>& axes) {
  tree::Wrench<double> load;
  if (!tree::given(force.law, t, axes, load)) return {};
  return {true, load.force, load.moment};
}

}  // namespace jounce
