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

using By = PlaneMember::By;

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
template <class E>
constexpr bool force_at_reported = requires(const E& element) { element.is_force_at_reported(); };
template <class F>
constexpr bool force_at_point = requires(F force) { force.on.p; };
template <class F>
constexpr bool spring_at_points = requires(F force) {
  force.i.p;
  force.j.p;
} && F::kind == planar::ForceKind::extension;

// Of what pushes one body at one of its points: that point of it. What it does to other bodies is not at a point of them.
template <class E>
std::optional<planar::Point<double>> pushed(const E& element) {
  if constexpr (force_at_reported<E>)
    if (element.is_force_at_reported()) return element.reported_at();
  return std::nullopt;
}

std::vector<Touched> touched(const PlanarSystem& system) {
  std::vector<Touched> out(z(system.bodies()) + 1);
  system.impl().each([&](const auto& batch) {
    for (std::size_t e = 0; e < batch.elements.size(); ++e) {
      const auto& element = batch.elements[e];
      const std::size_t c = z(batch.constraint[e]);
      if constexpr (force_at_points<std::remove_cvref_t<decltype(element)>>) {
        out[z(element.i.body)].at.push_back({element.i.p, {.from = c, .sign = -1}});
        out[z(element.j.body)].at.push_back({element.j.p, {.from = c}});
      } else {
        const auto on = pushed(element);
        if (on) out[z(on->body)].at.push_back({on->p, {.from = c}});
        for (const int body : system.constraints()[c].bodies)
          if (!on || body != on->body) out[z(body)].elsewhere = true;
      }
    }
  });
  system.impl().each_force([&](const auto& batch) {
    for (std::size_t e = 0; e < batch.elements.size(); ++e) {
      const auto& element = batch.elements[e];
      using F = std::remove_cvref_t<decltype(element)>;
      const std::size_t f = z(batch.force[e]);
      if constexpr (force_at_point<F>) {
        out[z(element.on.body)].at.push_back({element.on.p, {By::load, f}});
      } else if constexpr (spring_at_points<F>) {
        out[z(element.i.body)].at.push_back({element.i.p, {By::spring, f, 1, element.j.body, element.j.p}});
        out[z(element.j.body)].at.push_back({element.j.p, {By::spring, f, 1, element.i.body, element.i.p}});
      } else {
        for (const int body : system.forces()[f].bodies) out[z(body)].elsewhere = true;
      }
    }
  });
  return out;
}

// Nothing where it is not touched at exactly two places, by something that holds it at each.
std::optional<PlaneMember> member(int body, const Touched& touched, double near) {
  if (touched.elsewhere) return std::nullopt;
  std::vector<Vec2<double>> ends;
  for (const Touch& touch : touched.at)
    if (touch.pull.by != By::load && std::ranges::none_of(ends, [&](const Vec2<double>& end) { return length(end - touch.p) <= near; })) ends.push_back(touch.p);
  if (ends.size() != 2) return std::nullopt;
  PlaneMember out{.body = body, .a = ends[0], .b = ends[1]};
  for (const Touch& touch : touched.at) {
    if (length(touch.p - out.a) <= near) out.at_a.push_back(touch.pull);
    else if (length(touch.p - out.b) <= near) out.at_b.push_back(touch.pull);
    else return std::nullopt;  // a load between the ends
  }
  return out;
}

Vec2<double> place(const planar::FrameRecord& frame, const Vec2<double>& p) {
  return {frame.x + frame.c * p.x - frame.s * p.y, frame.y + frame.s * p.x + frame.c * p.y};
}

}  // namespace

std::vector<PlaneMember> members(const PlaneMechanism& mechanism) {
  std::vector<PlaneMember> out;
  std::vector<Touched> all = touched(mechanism.system);
  for (const PlaneStop& stop : mechanism.stops)
    for (const auto& gap : stop.gaps)
      for (const int body : gap->bodies) all[z(body)].elsewhere = true;  // it pushes when it likes
  for (std::size_t b = 1; b < all.size(); ++b)
    if (auto found = member(static_cast<int>(b), all[b], kOnePlace * mechanism.system.length_scale())) out.push_back(*std::move(found));
  return out;
}

double tension(const PlaneMember& member, std::span<const planar::FrameRecord> frames, std::span<const Reaction> reactions,
               std::span<const GivenLoad> loads, std::span<const ForceReading> readings) {
  const planar::FrameRecord& frame = frames[z(member.body)];
  const Vec2<double> d = member.b - member.a;
  const double apart = length(d);
  const Vec2<double> along_W{(frame.c * d.x - frame.s * d.y) / apart, (frame.s * d.x + frame.c * d.y) / apart};
  const auto force = [&](const PlaneMember::Pull& pull, const Vec2<double>& at) {
    if (pull.by == By::load) return dot(Vec2<double>{loads[pull.from].force.x, loads[pull.from].force.y}, along_W);
    if (pull.by == By::joint) return pull.sign * dot(Vec2<double>{reactions[pull.from].fx, reactions[pull.from].fy}, along_W);
    const Vec2<double> towards = place(frames[z(pull.to)], pull.end) - place(frame, at);
    const double l = length(towards);
    return l > 0 ? readings[pull.from].effort / l * dot(towards, along_W) : 0;
  };
  const auto pull = [&](const std::vector<PlaneMember::Pull>& pulls, const Vec2<double>& at) {
    double sum = 0;
    for (const PlaneMember::Pull& one : pulls) sum += force(one, at);
    return sum;
  };
  return 0.5 * (pull(member.at_b, member.b) - pull(member.at_a, member.a));
}

}  // namespace jounce
