#include "jounce/io/urdf/urdf_inertia.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "jounce/mechanism/inertia.hpp"

namespace jounce::urdf {
namespace {

constexpr double kInertiaDigits = 1e-9;  // of the triangle inequality, which written digits may break

double largest_entry(const Sym3<double>& j) {
  return std::max({std::abs(j.xx), std::abs(j.yy), std::abs(j.zz), std::abs(j.xy), std::abs(j.xz), std::abs(j.yz)});
}

// Of a mass at r, about the origin: m (r² 1 - r rᵀ).
Sym3<double> of_point_mass(double m, const Vec3<double>& r) {
  return {m * (r.y * r.y + r.z * r.z),
          m * (r.x * r.x + r.z * r.z),
          m * (r.x * r.x + r.y * r.y),
          -m * r.x * r.y,
          -m * r.x * r.z,
          -m * r.y * r.z};
}

}  // namespace

Inertia placed(const Inertial& inertial, const Placement& in_body) {
  const Placement origin = in_body * inertial.origin;
  return {inertial.mass, origin.xyz, origin.is_turned() ? turned(origin.frame().axes, inertial.inertia) : inertial.inertia};
}

Inertia sum(const std::vector<Inertia>& parts) {
  if (parts.size() == 1) return parts[0];
  Inertia out;
  for (const Inertia& part : parts) {
    out.mass += part.mass;
    out.com += part.com * part.mass;
  }
  if (out.mass > 0) out.com = {out.com.x / out.mass, out.com.y / out.mass, out.com.z / out.mass};
  for (const Inertia& part : parts) out.matrix = out.matrix + part.matrix + of_point_mass(part.mass, part.com - out.com);
  return out;
}

// With J about the centre of mass, tr(J)/2 - J is an integral of r rᵀ dm, so none of its principal minors is negative. That is the triangle
// inequality of the principal moments.
bool is_of_a_body(const Sym3<double>& j) {
  const double scale = largest_entry(j);
  if (scale == 0) return true;
  const double xx = j.xx / scale, yy = j.yy / scale, zz = j.zz / scale, half = (xx + yy + zz) / 2;
  const double a = half - xx, b = half - yy, c = half - zz, d = j.xy / scale, e = j.xz / scale, f = j.yz / scale;
  const std::array minors{
      a, b, c, a * b - d * d, a * c - e * e, b * c - f * f, a * (b * c - f * f) - d * (d * c + f * e) - e * (d * f + b * e)};
  return std::ranges::all_of(minors, [](double minor) { return minor >= -kInertiaDigits; });
}

// Everything hangs together by the frames of its joints, so the longest of them and of the centres of mass is how large the robot is.
double negligible_inertia(const Robot& robot) {
  double mass = 0, size = 0;
  for (const Joint& joint : robot.joints) size = std::max(size, length(joint.origin.xyz));
  for (const Link& link : robot.links) {
    if (!link.inertial) continue;
    mass = std::max(mass, link.inertial->mass);
    size = std::max(size, length(link.inertial->origin.xyz));
  }
  return jounce::negligible_inertia(mass, size);
}

bool is_below(const Sym3<double>& inertia, double negligible) {
  const double most = largest_entry(inertia);
  return most > 0 && most <= negligible;
}

}  // namespace jounce::urdf
