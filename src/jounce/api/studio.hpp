// The studio: one page with the engine inside, in which mechanisms are drawn, dragged and watched. Nothing of it asks a server for anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jounce/base/files.hpp"
#include "jounce/base/result.hpp"

namespace jounce {

/// What the studio shows first: a model file, which may be wrong, with the texts of its tables by the paths that it writes.
struct StudioModel {
  std::string file;
  std::string text;
  FileTexts tables{};
};

/// The model of a file with its tables, as far as it can be read.
[[nodiscard]] Result<StudioModel> studio_model(const std::string& path);

/// False where the library was built without it (JOUNCE_STUDIO_PAGE=OFF).
[[nodiscard]] bool has_studio();

/// The page as one file that opens anywhere. Refused by a build without the studio.
[[nodiscard]] Result<std::string> studio_html(const std::optional<StudioModel>& model = {});

struct StudioFile {
  std::string name;
  std::string content;
};

/// The same for a web server: the page, and its larger parts as files beside it, which a browser keeps.
[[nodiscard]] Result<std::vector<StudioFile>> studio_folder(const std::optional<StudioModel>& model = {});

}  // namespace jounce
