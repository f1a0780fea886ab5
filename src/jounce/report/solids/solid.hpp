// What a mechanism of space is to the eye: solids in the axes of its bodies. They are decided once, and drawn twice: by the page of
// a report and by `jounce draw`.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/math/vec3.hpp"

namespace jounce {

/// Triangles in the axes of a body, in metres.
struct TriangleMesh {
  std::vector<Vec3<double>> corners;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

struct Solid {
  enum class Kind : std::uint8_t {
    rod,      ///< a cylinder between two points; with two radii a cone
    tube,     ///< between two points: outside `radius`, inside `end_radius`
    capsule,  ///< what lies between two balls
    ball,
    block,
    socket,  ///< the half of a hollow ball on the far side of `axis`
    wire,    ///< a round wire through points; closed: a ring
    plate,   ///< a convex polygon, `radius` thick to either side, square to `axis`
    mesh,
  };
  /// What it is a part of: this is what its colour says.
  enum class Role : std::uint8_t { body, joint, bright, ground };

  Kind kind{};
  Role role{};
  int body = 0;                      ///< in whose axes everything is
  std::vector<Vec3<double>> points;  ///< ends, centre, way or corners
  double radius = 0, end_radius = 0; ///< at the two ends; of a plate: half its thickness
  Vec3<double> axis{0, 0, 1};        ///< of a socket: where it opens; of a plate: square to it
  Mat3<double> axes = identity3<double>();  ///< of a block
  Vec3<double> size{};               ///< of a block
  bool closed = false;               ///< of a wire
  std::string_view what{};           ///< the symbol of the joint that it belongs to
  std::string colour{};              ///< "#rrggbb" where the model says one
  std::shared_ptr<const TriangleMesh> mesh{};
};

/// As the document of a report has it.
[[nodiscard]] constexpr std::string_view word(Solid::Kind kind) {
  constexpr std::array<std::string_view, 9> kWords{"rod", "tube", "capsule", "ball", "block", "socket", "wire", "plate", "mesh"};
  static_assert(kWords.size() == static_cast<std::size_t>(Solid::Kind::mesh) + 1);
  return kWords[static_cast<std::size_t>(kind)];
}
[[nodiscard]] constexpr std::string_view word(Solid::Role role) {
  constexpr std::array<std::string_view, 4> kWords{"body", "joint", "bright", "ground"};
  static_assert(kWords.size() == static_cast<std::size_t>(Solid::Role::ground) + 1);
  return kWords[static_cast<std::size_t>(role)];
}

}  // namespace jounce
