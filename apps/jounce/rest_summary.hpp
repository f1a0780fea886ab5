// What an equilibrium came to: stability, natural frequencies and modes.
#pragma once

#include <cstdio>
#include <string>

#include "jounce/analysis/equilibrium.hpp"
#include "jounce/system/mechanism.hpp"
#include "json.hpp"

namespace jounce::app {

[[nodiscard]] std::string rest_text(const Mechanism& mechanism, const Equilibrium& rest, std::FILE* stream);
[[nodiscard]] Json rest_json(const Mechanism& mechanism, const Equilibrium& rest);

}  // namespace jounce::app
