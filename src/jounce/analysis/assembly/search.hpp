// The search for an assembled position, in the plane and in space.
#pragma once

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/mechanism/closing_motion.hpp"

namespace jounce {

/// Fills position, residual, moves, iterations and gaps; true when all equations hold. Where the caller asks to stop before that, it says so.
[[nodiscard]] bool close(ClosingMotion& motion, const Stop& stop, Assembly& out);

/// The error for a mechanism whose gaps stay open, where the widest is.
[[nodiscard]] Problem not_assembled(ClosingMotion& motion, const Assembly& found, std::string hint);

}  // namespace jounce
