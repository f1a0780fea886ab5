// What a model file says for drawings only. The engine computes without it.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/math/vec3.hpp"

namespace jounce {

/// The outline of a body, in its axes and from its origin; in the plane every z is 0. What a kind does not have is 0.
struct BodyShape {
  enum class Kind { bar, disc, rectangle, rod, box, cylinder, sphere };
  Kind kind{};
  Vec3<double> from{}, to{};  ///< the ends of a bar or rod; of a cylinder: the centres of its faces
  Vec3<double> centre{};      ///< of all kinds
  Vec3<double> size{};        ///< of a rectangle (x, y) or box
  Vec3<double> rpy{};         ///< of a box; of a rectangle only z, its angle
  double radius = 0;          ///< of a disc, cylinder or sphere
};

/// What a body looks like in drawings, besides its shape; in space. What a kind does not have is 0.
struct Picture {
  enum class Kind { box, cylinder, sphere, mesh };
  Kind kind{};
  Frame<double> frame;         ///< in the body
  Vec3<double> size{};         ///< of a box; of a mesh: what its coordinates are multiplied with
  double radius = 0, length = 0;
  std::string colour{};        ///< "#rrggbb", or empty
  std::string file{};          ///< of a mesh, as written
  Where where{};               ///< of the file's name
};

/// Of a gear joint whose model gives the wheels and not just their ratio.
struct Wheels {
  std::array<double, 2> radii{};  ///< of i and j
  std::string mesh;               ///< "external", "internal", "belt" or "crossed-belt"
};

struct Outlines {
  std::vector<std::optional<BodyShape>> bodies;     ///< one for each body, the ground first
  std::vector<std::vector<Picture>> pictures;        ///< in space: for each body, the ground first
  std::map<std::string, Wheels, std::less<>> gears;  ///< by the joint's name
};

}  // namespace jounce
