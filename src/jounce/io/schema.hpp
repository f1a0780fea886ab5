// The model file described for other programs: editors complete and check models with it.
#pragma once

#include <string>

namespace jounce {

/// A JSON Schema (draft 2020-12) of the model file, written from the catalogue of element types.
[[nodiscard]] std::string model_schema();

}  // namespace jounce
