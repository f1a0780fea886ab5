// A scene as the page reads it.
#pragma once

#include <string>

#include "jounce/report/scene.hpp"

namespace jounce {

/// Appends it.
void write_scene(std::string& out, const Scene& scene);

}  // namespace jounce
