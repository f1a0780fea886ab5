// Model to model file.
#pragma once

#include <string>

#include "jounce/model/model.hpp"

namespace jounce {

/// TOML that `parse_model` reads as an equal model, in the same order. What could not be read (see read_model.hpp) is left out.
[[nodiscard]] std::string write_model(const Model& model);

}  // namespace jounce
