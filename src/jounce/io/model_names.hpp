// What names may look like in a model file, and which are not free.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace jounce {

/// Letters, digits, '_' and '-': what TOML takes as a key without quotes.
[[nodiscard]] constexpr bool is_bare_key(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

/// No body, joint, driver or force can have these: they begin result columns or name what every model has.
inline constexpr std::array<std::string_view, 7> kTakenNames{"ground",   "origin",     "com", "energy",
                                                             "momentum", "constraint", "t"};
/// No point can have these: every body has them already.
inline constexpr std::array<std::string_view, 2> kTakenPoints{"origin", "com"};

}  // namespace jounce
