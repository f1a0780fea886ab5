// A load that a model of space gives as a function of time.
#pragma once

#include "jounce/mechanism/given_load.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

/// `axes` are those of the body that it acts on.
[[nodiscard]] GivenLoad given_load(const SpaceForce& force, double t, const Mat3<double>& axes);

}  // namespace jounce
