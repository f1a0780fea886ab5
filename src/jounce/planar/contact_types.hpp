// The types of joints that touch a curve (planar/curve_contact.hpp): their names and keys. Their equations are made when a model is built
// (plane/build/curves.hpp).
#pragma once

#include <string_view>
#include <vector>

#include "jounce/base/vocabulary.hpp"

namespace jounce::planar {

struct PointOnCurve {
  static constexpr std::string_view type = "point-on-curve";
  static constexpr std::string_view summary = "a pin on one body slides along a curve in another";
};

struct CamRoller {
  static constexpr std::string_view type = "cam-roller";
  static constexpr std::string_view summary = "a roller on one body rolls on the profile of another";
};

struct CamFlat {
  static constexpr std::string_view type = "cam-flat";
  static constexpr std::string_view summary = "a flat face of one body slides on the profile of another";
};

/// In the order of `jounce types`.
[[nodiscard]] std::vector<TypeInfo> contact_types();
[[nodiscard]] bool is_contact(std::string_view type);

}  // namespace jounce::planar
