// What an equilibrium came to: stability, natural frequencies and modes.
#pragma once

#include <cstdio>
#include <string>

#include "jounce/analysis/equilibrium/equilibrium.hpp"
#include "json.hpp"

namespace jounce::app {

/// One line each.
[[nodiscard]] std::string stability_text(const Equilibrium& rest);
[[nodiscard]] std::string work_text(const Equilibrium& rest);
/// How a mode swings, and its largest parts.
[[nodiscard]] std::string swing_text(const NaturalMode& mode);
[[nodiscard]] std::string shape_text(const Equilibrium& rest, const NaturalMode& mode);

[[nodiscard]] std::string rest_text(const Equilibrium& rest, std::FILE* stream);
[[nodiscard]] Json rest_json(const Equilibrium& rest);

}  // namespace jounce::app
