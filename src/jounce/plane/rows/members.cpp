#include "jounce/plane/rows/members.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "jounce/base/index.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace jounce {
namespace {

/// Points nearer than this part of the mechanism's size are one.
constexpr double kOnePlace = 1e-9;

struct Touch {
  Vec2<double> p;
  PlaneMember::Pull pull;
};

// What touches a body: forces at points, or anything else.
struct Touched {
  std::vector<Touch> at{};
  bool elsewhere = false;
};

template <class E>
constexpr bool force_at_points = requires { E::force_at_points; };
template <class F>
constexpr bool force_at_point = requires(F force) { force.on.p; };

std::vector<Touched> touched(const PlanarSystem& system) {
  std::vector<Touched> out(z(system.bodies()) + 1);
  system.impl().each([&](const auto& batch) {
    for (std::size_t e = 0; e < batch.elements.size(); ++e) {
      const auto& element = batch.elements[e];
      const std::size_t c = z(batch.constraint[e]);
      if constexpr (force_at_points<std::remove_cvref_t<decltype(element)>>) {
        out[z(element.i.body)].at.push_back({element.i.p, {c, false, -1}});
        out[z(element.j.body)].at.push_back({element.j.p, {c, false, 1}});
      } else {
        for (const int body : system.constraints()[c].bodies) out[z(body)].elsewhere = true;
      }
    }
  });
  system.impl().each_force([&](const auto& batch) {
    for (std::size_t e = 0; e < batch.elements.size(); ++e) {
      const auto& element = batch.elements[e];
      const std::size_t f = z(batch.force[e]);
      if constexpr (force_at_point<std::remove_cvref_t<decltype(element)>>) out[z(element.on.body)].at.push_back({element.on.p, {f, true, 1}});
      else
        for (const int body : system.forces()[f].bodies) out[z(body)].elsewhere = true;
    }
  });
  return out;
}

// Nothing where it is not touched at exactly two places, by something that holds it at each.
std::optional<PlaneMember> member(int body, const Touched& touched, double near) {
  if (touched.elsewhere) return std::nullopt;
  std::vector<Vec2<double>> ends;
  for (const Touch& touch : touched.at)
    if (!touch.pull.load && std::ranges::none_of(ends, [&](const Vec2<double>& end) { return length(end - touch.p) <= near; })) ends.push_back(touch.p);
  if (ends.size() != 2) return std::nullopt;
  PlaneMember out{.body = body, .a = ends[0], .b = ends[1]};
  for (const Touch& touch : touched.at) {
    if (length(touch.p - out.a) <= near) out.at_a.push_back(touch.pull);
    else if (length(touch.p - out.b) <= near) out.at_b.push_back(touch.pull);
    else return std::nullopt;  // a load between the ends
  }
  return out;
}

}  // namespace

std::vector<PlaneMember> members(const PlaneMechanism& mechanism) {
  std::vector<PlaneMember> out;
  const std::vector<Touched> all = touched(mechanism.system);
  for (std::size_t b = 1; b < all.size(); ++b)
    if (auto found = member(static_cast<int>(b), all[b], kOnePlace * mechanism.system.length_scale())) out.push_back(*std::move(found));
  return out;
}

double tension(const PlaneMember& member, std::span<const planar::FrameRecord> frames, std::span<const Reaction> reactions,
               std::span<const GivenLoad> loads) {
  const planar::FrameRecord& frame = frames[z(member.body)];
  const Vec2<double> d = member.b - member.a;
  const double apart = length(d);
  const Vec2<double> along_W{(frame.c * d.x - frame.s * d.y) / apart, (frame.s * d.x + frame.c * d.y) / apart};
  const auto pull = [&](const std::vector<PlaneMember::Pull>& at) {
    double sum = 0;
    for (const auto& [from, load, sign] : at) {
      const Vec2<double> force = load ? Vec2<double>{loads[from].force.x, loads[from].force.y} : Vec2<double>{reactions[from].fx, reactions[from].fy};
      sum += sign * dot(force, along_W);
    }
    return sum;
  };
  return 0.5 * (pull(member.at_b) - pull(member.at_a));
}

}  // namespace jounce
