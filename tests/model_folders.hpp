// The folders of models/, by the space their models live in.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

#include "jounce/io/read_model.hpp"
#include "places.hpp"

namespace jounce_test {

// What holds of every smooth motion does not hold across an impact, so models with stops are left out unless they are asked for.
enum class WithStops { none, too, only };

inline std::vector<std::filesystem::path> model_folders(jounce::Space space, WithStops stops = WithStops::none) {
  std::vector<std::filesystem::path> out;
  for (const auto& folder : std::filesystem::directory_iterator(places::source() + "/models")) {
    if (!folder.is_directory()) continue;
    const jounce::Model model = jounce::parse_model_file((folder.path() / "model.toml").string()).model;
    const bool wanted = stops == WithStops::too || model.stops.empty() == (stops == WithStops::none);
    if (model.space == space && wanted) out.push_back(folder.path());
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace jounce_test
