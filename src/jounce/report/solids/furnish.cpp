#include "jounce/report/solids/furnish.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/report/solids/skeleton.hpp"

namespace jounce {
namespace {

constexpr std::size_t kMostInstants = 240;

// The 1, 2 or 5 times a power of ten that is nearest above a length.
double round_step(double length) {
  const double power = std::pow(10, std::floor(std::log10(length))), rest = length / power;
  return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
}

// The floor goes through the origin, or below the motion where that goes deeper.
double floor_height(const solids::Skeleton& skeleton) {
  const Scene& scene = skeleton.scene;
  double low = 1e300, high = -1e300;
  for (const BodyPoses& poses : skeleton.motion)
    for (std::size_t b = 0; b < poses.size(); ++b) {
      const auto take = [&](const Vec3<double>& p) {
        const double at = dot(poses[b] * p, scene.up);
        if (std::isfinite(at)) low = std::min(low, at), high = std::max(high, at);
      };
      for (const solids::Node& n : skeleton.bones[b].nodes) take(n.p);
      if (scene.bodies[b].com) take(*scene.bodies[b].com);
      for (const Vec3<double>& p : solids::outline(scene.bodies[b])) take(p);
    }
  const double size = std::max(skeleton.mechanism, high - low);
  if (!(low < -0.02 * size) || low > high) return 0;
  const double step = round_step(size / 12);
  return step * std::floor((low - 0.03 * size) / step);
}

// Where the plates of the ground end below.
double lowest_foot(const Scene& scene) {
  double out = 1e300;
  for (const Solid& s : scene.solids) {
    if (s.role != Solid::Role::ground || s.body != 0) continue;
    const double half = s.kind == Solid::Kind::block ? 0.5 * (std::abs(dot(s.axes.x, scene.up)) * s.size.x + std::abs(dot(s.axes.y, scene.up)) * s.size.y +
                                                              std::abs(dot(s.axes.z, scene.up)) * s.size.z)
                        : s.kind == Solid::Kind::plate ? s.radius * std::abs(dot(s.axis, scene.up))
                                                       : 0;
    for (const Vec3<double>& p : s.points) out = std::min(out, dot(p, scene.up) - half);
  }
  return out;
}

}  // namespace

void furnish(Scene& scene, std::span<const BodyPoses> motion) {
  scene.solids.clear(), scene.struts.clear();
  if (!scene.space || motion.empty()) return;
  std::vector<BodyPoses> some;
  if (motion.size() > kMostInstants) {
    for (std::size_t k = 0; k < kMostInstants; ++k) some.push_back(motion[k * (motion.size() - 1) / (kMostInstants - 1)]);
    motion = some;
  }
  const solids::Skeleton skeleton = solids::skeleton(scene, motion);
  scene.unit = skeleton.unit;
  scene.floor = floor_height(skeleton);
  add_links(skeleton, scene.solids);
  add_joints(skeleton, scene.solids);
  scene.floor = add_stands(skeleton, scene.solids);
  add_struts(skeleton, scene.struts);
  scene.floor = std::min(scene.floor, lowest_foot(scene));
  const auto finite = [](const Solid& s) { return std::ranges::all_of(s.points, [](const Vec3<double>& p) { return is_finite(p); }); };
  std::erase_if(scene.solids, [&](const Solid& s) { return !finite(s); });
}

}  // namespace jounce
