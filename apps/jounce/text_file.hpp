// Texts that become files: pages, figures, models.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "jounce/io/write_file.hpp"

namespace jounce::app {

/// Writes the file whole or not at all. Ctrl-C meanwhile ends the program once the file is there, so that nothing half written lies about.
[[nodiscard]] std::optional<WriteFailure> write_text(const std::string& path, std::string_view text,
                                                     Existing existing = Existing::replaced);

/// "cannot write 'x.svg': No space left on device"
[[nodiscard]] std::string cannot_write(const std::string& path, const WriteFailure& failure);

}  // namespace jounce::app
