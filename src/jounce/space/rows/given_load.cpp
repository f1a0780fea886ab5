#include "jounce/space/rows/given_load.hpp"

#include <array>

namespace jounce {

GivenLoad given_load(const SpaceForce& force, double t, const Mat3<double>& axes) {
  using Kind = SpaceForce::Kind;
  if (force.kind == Kind::spring) return {};
  std::array<double, 6> value{};
  for (std::size_t k = 0; k < force.value.size(); ++k)
    if (force.value[k].evaluate(t, value[k])) return {};
  const auto vector = [&](std::size_t from) {
    const Vec3<double> v{value[from], value[from + 1], value[from + 2]};
    return force.body_axes ? axes * v : v;
  };
  if (force.kind == Kind::wrench) return {true, vector(3), vector(0)};
  return force.kind == Kind::force ? GivenLoad{true, vector(0), {}} : GivenLoad{true, {}, vector(0)};
}

}  // namespace jounce
