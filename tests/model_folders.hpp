// The folders of models/, by the space their models live in.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

#include "jounce/io/read_model.hpp"
#include "places.hpp"

namespace jounce_test {

inline std::vector<std::filesystem::path> model_folders(jounce::Space space) {
  std::vector<std::filesystem::path> out;
  for (const auto& folder : std::filesystem::directory_iterator(places::source() + "/models"))
    if (folder.is_directory() && jounce::parse_model_file((folder.path() / "model.toml").string()).model.space == space)
      out.push_back(folder.path());
  std::ranges::sort(out);
  return out;
}

}  // namespace jounce_test
