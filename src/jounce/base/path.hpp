// Names of files as text. A host that serves files from memory has no file system, so nothing here looks at one.
#pragma once

#include <string>
#include <string_view>

namespace jounce {

/// A file that another one names, as seen from where that one lies: ("models/cam.toml", "lift.csv") is "models/lift.csv". A name that
/// begins at the root stays as it is.
[[nodiscard]] std::string beside(std::string_view file, std::string_view name);

/// The name without its folder and its last ending: "four-bar" of "models/four-bar.toml".
[[nodiscard]] std::string stem(std::string_view file);

}  // namespace jounce
