// The integrators, behind one face.
#pragma once

#include <memory>

#include "jounce/mechanism/forward_motion.hpp"

namespace jounce {

/// For a motion that has been started, at the equations that are in force. A motion without series does not ask for `taylor`.
[[nodiscard]] std::unique_ptr<Stepper> make_stepper(Method method, ForwardMotion& motion, const StepperOptions& options);

}  // namespace jounce
