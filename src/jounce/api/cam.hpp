// The profiles of cams, and curves of slots, as coordinates and as a drawing: what goes to the workshop.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jounce/api/mechanism.hpp"

namespace jounce {

/// The curve of a joint, in axes of the body that has it, from that body's origin.
struct CurveProfile {
  std::string joint, type, body;
  bool closed = false;
  double length = 0;         ///< along it
  double roller_radius = 0;  ///< 0: there is no roller

  struct Place {
    double x = 0, y = 0;
    double s = 0;                  ///< along it, from its first place
    double curvature = 0;          ///< > 0 where it bulges towards what touches it
    double centre_x = 0, centre_y = 0;  ///< of the roller that touches it here
  };
  std::vector<Place> places;  ///< the first of a closed one is not there again as its last

  double smallest_convex = 0;   ///< radius of curvature; 0: it bulges nowhere
  double smallest_hollow = 0;   ///< 0: it is hollow nowhere
};

/// The joints of a mechanism that touch a curve, by name.
[[nodiscard]] std::vector<std::string> curve_joints(const Mechanism& mechanism);

/// `joint`: empty where there is one alone. `count`: places, evenly along it.
[[nodiscard]] Result<CurveProfile> curve_profile(const Mechanism& mechanism, std::string_view joint = {}, int count = 720);

/// A table with the columns x, y, s and curvature_radius, and the centre of the roller; `points = { table = "…" }` reads it back.
[[nodiscard]] std::string profile_csv(const CurveProfile& profile);
/// To scale, with its axes, the path of the roller's centre and the roller at its first place.
[[nodiscard]] std::string profile_svg(const CurveProfile& profile, double width = 720);
/// The same for CAD, in millimetres: a polyline of as many places.
[[nodiscard]] std::string profile_dxf(const CurveProfile& profile);

}  // namespace jounce
