// Meshes of files: what a model says that its bodies look like.
#pragma once

#include <memory>
#include <string_view>

#include "jounce/base/result.hpp"
#include "jounce/report/scene.hpp"

namespace jounce {

/// No more triangles than this are drawn of one file: a page has to carry them.
inline constexpr std::size_t kMostTriangles = 200'000;

/// An STL file, as bytes or as text, or an OBJ file; corners at one place become one. `name`: its ending says which it is. The error's sentence says what was
/// expected and what found.
[[nodiscard]] Result<TriangleMesh> parse_mesh(std::string_view content, std::string_view name);

/// The pictures of all bodies, in the scene of a mechanism of space. A file that cannot be read is a warning in its place, and its picture is left out.
void add_pictures(Scene& scene, const SpaceMechanism& mechanism, const std::string& model_file, Problems& problems);

}  // namespace jounce
