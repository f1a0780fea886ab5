// What an equilibrium came to: stability, natural frequencies and modes.
#pragma once

#include <cstdio>
#include <string>

#include "json.hpp"
#include "rest.hpp"

namespace jounce::app {

[[nodiscard]] std::string rest_text(const Rest& rest, std::FILE* stream);
[[nodiscard]] Json rest_json(const Rest& rest);

}  // namespace jounce::app
