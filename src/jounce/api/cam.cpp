#include "jounce/api/cam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "jounce/api/content.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/base/text.hpp"
#include "jounce/planar/contact_types.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"
#include "jounce/report/dxf_writer.hpp"
#include "jounce/report/svg_writer.hpp"

namespace jounce {
namespace {

constexpr int kFewest = 3, kMost = 100000;
/// Less, times its length, is a straight line.
constexpr double kStraight = 1e-9;

struct Found {
  const Constraint* joint;
  const planar::CurveContact* contact;
  const BodyData* body;
};

std::vector<Found> contacts(const Mechanism& mechanism) {
  std::vector<Found> out;
  const auto* plane = std::get_if<PlaneMechanism>(&mechanism.content().equations);
  if (plane == nullptr) return out;
  const auto& batch = std::get<Batch<planar::Equation>>(plane->system.impl().batches);
  for (std::size_t e = 0; e < batch.elements.size(); ++e)
    if (const planar::CurveContact* contact = batch.elements[e].law->contact.get())
      out.push_back({&plane->system.constraints()[static_cast<std::size_t>(batch.constraint[e])], contact,
                     &plane->bodies[static_cast<std::size_t>(contact->body)]});
  return out;
}

// u at a length along the curve, by halving: lengths grow with u.
double place_at(const planar::PlaneCurve& curve, double s) {
  double a = curve.front(), b = curve.back();
  for (int k = 0; k < 60 && b - a > 1e-16 * std::abs(b); ++k) (curve.length_to(a + (b - a) / 2) < s ? a : b) = a + (b - a) / 2;
  return a + (b - a) / 2;
}

std::string cells(std::initializer_list<double> numbers) {
  std::string out;
  for (const double x : numbers) out += fmt::format("{}{}", out.empty() ? "" : ",", x == 0 ? 0.0 : x);
  return out + "\n";
}

double radius_of(const CurveProfile& profile, double curvature) {
  return std::abs(curvature) * profile.length < kStraight ? 0 : 1 / curvature;
}

}  // namespace

std::vector<std::string> curve_joints(const Mechanism& mechanism) {
  std::vector<std::string> out;
  for (const Found& one : contacts(mechanism)) out.push_back(one.joint->name);
  return out;
}

Result<CurveProfile> curve_profile(const Mechanism& mechanism, std::string_view joint, int count) {
  const std::vector<Found> all = contacts(mechanism);
  const std::vector<std::string> names = curve_joints(mechanism);
  if (all.empty())
    return error({}, fmt::format("the model has no joint with a curve: expected a '{}', '{}' or '{}'",
                                 planar::PointOnCurve::type, planar::CamRoller::type, planar::CamFlat::type));
  if (joint.empty() && all.size() > 1)
    return error({}, "several joints have curves: expected the name of one of " + join_names(names));
  const auto it =
      joint.empty() ? all.begin() : std::ranges::find_if(all, [&](const Found& one) { return one.joint->name == joint; });
  if (it == all.end()) {
    const auto guess = nearest_name(std::string(joint), names);
    return error({}, "no joint '" + std::string(joint) + "' has a curve (" +
                         (guess ? "did you mean '" + *guess + "'?" : "there are " + join_names(names)) + ")");
  }
  if (count < kFewest || count > kMost)
    return error({}, fmt::format("expected {} to {} points of the curve, found {}", kFewest, kMost, count));

  const planar::CurveContact& contact = *it->contact;
  const planar::PlaneCurve& curve = *contact.curve;
  CurveProfile out{
      it->joint->name, std::string(it->joint->type), it->body->name, curve.closed(), curve.length(), contact.offset, {}, 0, 0};
  const int intervals = curve.closed() ? count : count - 1;
  for (int k = 0; k < count; ++k) {
    const double s = curve.length() * k / intervals, u = place_at(curve, s);
    const Vec2<double> p = curve.at(u) - it->body->origin_com, n = curve.normal(u);
    const double away = contact.outwards * contact.offset;
    out.places.push_back({p.x, p.y, s, contact.outwards * curve.curvature(u), p.x + away * n.x, p.y + away * n.y});
  }
  for (const double u : curve.samples()) {
    const double radius = radius_of(out, contact.outwards * curve.curvature(u));
    double& least = radius > 0 ? out.smallest_convex : out.smallest_hollow;
    if (radius != 0 && (least == 0 || std::abs(radius) < least)) least = std::abs(radius);
  }
  return out;
}

std::string profile_csv(const CurveProfile& profile) {
  const bool rolls = profile.roller_radius > 0;
  std::string out = rolls ? "x,y,s,curvature_radius,centre_x,centre_y\n" : "x,y,s,curvature_radius\n";
  for (const CurveProfile::Place& p : profile.places) {
    const double radius = radius_of(profile, p.curvature);
    out += rolls ? cells({p.x, p.y, p.s, radius, p.centre_x, p.centre_y}) : cells({p.x, p.y, p.s, radius});
  }
  return out;
}

std::string profile_svg(const CurveProfile& profile, double width) {
  constexpr double kMargin = 24, kCaption = 20;
  double left = 0, right = 0, low = 0, high = 0;  // with the origin of the body
  const auto hold = [&](double x, double y, double r) {
    left = std::min(left, x - r), right = std::max(right, x + r), low = std::min(low, y - r), high = std::max(high, y + r);
  };
  const bool rolls = profile.roller_radius > 0;
  for (const CurveProfile::Place& p : profile.places) hold(p.x, p.y, 0), hold(p.centre_x, p.centre_y, 0);
  if (rolls) hold(profile.places[0].centre_x, profile.places[0].centre_y, profile.roller_radius);
  const double scale = (width - 2 * kMargin) / std::max(right - left, 1e-300);
  const double height = std::min((high - low) * scale, 100 * width) + 2 * kMargin + kCaption;
  const auto pixel = [&](double x, double y) { return svg::Pixel{kMargin + (x - left) * scale, kMargin + (high - y) * scale}; };

  svg::Writer out(width, height, fmt::format("{} of joint {}", rolls ? "profile" : "curve", profile.joint),
                  ".jounce-figure .profile{fill:none;stroke:currentColor;stroke-width:2}"
                  ".jounce-figure .pitch{fill:none;stroke:currentColor;stroke-width:1;stroke-dasharray:8 3 2 3}"
                  ".jounce-figure .axis{stroke:currentColor;stroke-width:.75;stroke-dasharray:12 3 2 3}"
                  ".jounce-figure .roller{fill:none;stroke:currentColor;stroke-width:1}"
                  ".jounce-figure text{fill:currentColor;font:12px sans-serif}");
  out.line(pixel(left, 0), pixel(right, 0), "axis");
  out.line(pixel(0, low), pixel(0, high), "axis");
  std::vector<svg::Pixel> outline, centres;
  for (const CurveProfile::Place& p : profile.places)
    outline.push_back(pixel(p.x, p.y)), centres.push_back(pixel(p.centre_x, p.centre_y));
  out.path(svg::path(outline, profile.closed), "profile");
  if (rolls) {
    out.path(svg::path(centres, profile.closed), "pitch");
    out.circle(centres[0], profile.roller_radius * scale, "roller");
  }
  std::string caption = fmt::format("{} of '{}', {} m long", profile.joint, profile.body, short_number(profile.length));
  if (profile.smallest_convex > 0) caption += fmt::format("; smallest radius {} m", short_number(profile.smallest_convex));
  if (profile.smallest_hollow > 0) caption += fmt::format(", hollow {} m", short_number(profile.smallest_hollow));
  out.text(caption, {{"x", svg::number(kMargin)}, {"y", svg::number(height - 8)}});
  return out.finish();
}

std::string profile_dxf(const CurveProfile& profile) {
  constexpr std::array<dxf::Layer, 4> kLayers{{{"PROFILE", dxf::black}, {"PITCH", dxf::cyan}, {"ROLLER", dxf::red}, {"CENTRE", dxf::grey}}};
  dxf::Writer out(fmt::format("Jounce: joint {} of body {}", profile.joint, profile.body), kLayers);
  std::vector<Vec3<double>> outline, centres;
  for (const CurveProfile::Place& p : profile.places) outline.push_back({p.x, p.y, 0}), centres.push_back({p.centre_x, p.centre_y, 0});
  out.polyline("PROFILE", outline, profile.closed, true);
  if (profile.roller_radius > 0) {
    out.polyline("PITCH", centres, profile.closed, true);
    out.circle("ROLLER", centres[0], profile.roller_radius);
  }
  out.point("CENTRE", {});
  return out.finish();
}

}  // namespace jounce
