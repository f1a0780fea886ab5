// URDF to Model: the robots that others describe, as models in space.
//
// Links become bodies, joints become joints of the same frames. What changes on the way:
//  - a link that a fixed joint holds is merged into the one that holds it: its inertia is added there, and its frame stays as
//    a point of its name, with the joints that hang on it attached to the other body;
//  - the root link is the ground (a point of `ground` carries its name), or with `floating_base` a body on a free joint;
//  - continuous -> revolute, floating -> free; the axes of a planar joint are turned so that its z axis is the axis of the
//  URDF;
//  - `mimic` becomes a coupling, and the mimicking joint begins where the coupling puts it;
//  - names that a model cannot have are changed: other signs than letters, digits, '_' and '-' become '_', and a name that is
//    taken gets "-link", "-joint" or "-mimic", then a number;
//  - what links look like becomes `visuals` of the bodies; a mesh of "package://NAME/..." is looked for in the folder NAME, upwards from the
//    robot's file;
//  - what has no meaning here (shapes that only touch, friction, transmissions, ...) is left out with a warning that counts it; so are limits of joints, unless they are
//    asked for: then each is a stop.
#pragma once

#include <string>
#include <string_view>

#include "jounce/base/result.hpp"
#include "jounce/model/model.hpp"

namespace jounce {

struct UrdfOptions {
  bool floating_base = false;  ///< a free joint from the ground to the root link; otherwise the root link is the ground
  bool keep_fixed = false;     ///< fixed joints stay joints, and their links bodies
  std::string folder{};        ///< of the robot's file as seen from that of the model, for the files of its meshes; empty: the same
  bool limits = false;         ///< limits of joints become stops; otherwise they are left out
};

/// Every problem has its place in the text. `file_name` is for messages and for the name of a robot that has none.
[[nodiscard]] Result<Model> parse_urdf(std::string_view text, std::string file_name, const UrdfOptions& options = {});

/// A file that cannot be read, or larger than 64 MiB, is an error without a place.
[[nodiscard]] Result<Model> read_urdf(const std::string& path, const UrdfOptions& options = {});

}  // namespace jounce
