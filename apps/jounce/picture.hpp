// Figures as pixels: for pictures and films that programs without SVG can show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "jounce/base/result.hpp"

namespace jounce::app {

/// On white paper; red, green and blue, row after row from the top.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// False where the program was built without librsvg and giflib (JOUNCE_PICTURES=OFF).
[[nodiscard]] bool has_pictures();
/// What is said then.
inline constexpr const char* kNoPictures = "this build of Jounce was made without pictures (JOUNCE_PICTURES=OFF)";

/// As large as the figure says it is.
[[nodiscard]] Result<Picture> picture_of(const std::string& svg);

/// The bytes of a .png file.
[[nodiscard]] Result<std::string> png_of(const std::string& svg);

}  // namespace jounce::app
