// Models to start from.
#pragma once

#include <span>
#include <string_view>

namespace jounce::app {

struct ModelTemplate {
  std::string_view name, summary;
  std::string_view text;  ///< a line break, then the file, with @NAME@ where the model's name goes
};

/// Those of space, which stand in a file of their own.
extern const std::string_view kArm, kFuruta, kSwimmer;

/// The first is the one that is taken when none is asked for.
[[nodiscard]] std::span<const ModelTemplate> model_templates();

}  // namespace jounce::app
