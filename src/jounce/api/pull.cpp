#include "jounce/api/pull.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/analysis/pull/pull.hpp"
#include "jounce/api/content.hpp"
#include "jounce/base/text.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {
namespace {

const PlaneMechanism* plane(const Mechanism& mechanism) { return std::get_if<PlaneMechanism>(&mechanism.content().equations); }

Vec2<double> turned(const Vec2<double>& p, double phi) {
  const auto [s, c] = sincos(phi);
  return {c * p.x - s * p.y, s * p.x + c * p.y};
}

}  // namespace

Result<Pulled> pull(const Mechanism& mechanism, const Pull& pull, std::span<const double> from) {
  const PlaneMechanism* m = plane(mechanism);
  if (m == nullptr) return error({}, "pull: expected a mechanism of the plane, found one of space");
  const auto body = std::ranges::find(m->bodies, pull.body, &BodyData::name);
  if (body == m->bodies.end()) return error({}, "pull: there is no body '" + pull.body + "'");
  if (!std::isfinite(pull.p[0] + pull.p[1] + pull.to[0] + pull.to[1])) return error({}, "pull: expected finite numbers");
  std::vector<double> start(from.begin(), from.end());
  if (start.empty()) start = assemble(*m).q;
  if (start.size() != m->drawn.size()) return error({}, "pull: expected " + std::to_string(m->drawn.size()) + " coordinates, found " + std::to_string(start.size()));
  if (!std::ranges::all_of(start, [](double x) { return std::isfinite(x); })) return error({}, "pull: expected finite coordinates");
  const PlanePull asked{static_cast<int>(body - m->bodies.begin()), Vec2<double>{pull.p[0], pull.p[1]} - body->com, {pull.to[0], pull.to[1]}};
  PlanePulled found = jounce::pull(*m, start, asked);
  if (!found.closed) return error({}, "pull: the joints do not close");
  return Pulled{std::move(found.q), found.short_by, std::move(found.held)};
}

std::vector<std::array<double, 3>> origins(const Mechanism& mechanism, std::span<const double> q) {
  const PlaneMechanism* m = plane(mechanism);
  std::vector<std::array<double, 3>> out;
  if (m == nullptr || q.size() != m->drawn.size()) return out;
  out.push_back({});
  for (std::size_t b = 1; b < m->bodies.size(); ++b) {
    const double* at = q.data() + 3 * (b - 1);
    const Vec2<double> arm = turned(m->bodies[b].origin_com, at[2]);
    out.push_back({at[0] + arm.x, at[1] + arm.y, at[2]});
  }
  return out;
}

std::vector<double> at_origins(const Mechanism& mechanism, std::span<const std::array<double, 3>> origins) {
  const PlaneMechanism* m = plane(mechanism);
  std::vector<double> out;
  if (m == nullptr || origins.size() != m->bodies.size()) return out;
  for (std::size_t b = 1; b < m->bodies.size(); ++b) {
    const auto& [x, y, phi] = origins[b];
    const Vec2<double> arm = turned(m->bodies[b].com, phi);
    out.insert(out.end(), {x + arm.x, y + arm.y, phi});
  }
  return out;
}

}  // namespace jounce
