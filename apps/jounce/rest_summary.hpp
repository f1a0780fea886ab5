// What an equilibrium came to: stability, natural frequencies and modes, coloured for the stream it goes to.
#pragma once

#include <cstdio>
#include <string>

#include "jounce/analysis/equilibrium/equilibrium.hpp"

namespace jounce::app {

[[nodiscard]] std::string rest_text(const Equilibrium& rest, std::FILE* stream);

}  // namespace jounce::app
