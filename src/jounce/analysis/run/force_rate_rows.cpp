#include "jounce/analysis/run/force_rate_rows.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "jounce/base/column_endings.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/require.hpp"
#include "jounce/base/text.hpp"
#include "jounce/planar/forces/moment.hpp"
#include "jounce/plane/equations/force_rates.hpp"
#include "jounce/results/rate_unit.hpp"
#include "jounce/scalar/scalar.hpp"
#include "jounce/space/loads/load_rates.hpp"

namespace jounce {
namespace {

// Of force and moment about the centre of mass, in ground axes.
constexpr std::array<columns::Ending, 3> kPlaneQ{{{"Qx", "N", "force"}, {"Qy", "N", "force"}, {"Qphi", "N m", "force"}}};
constexpr std::array<columns::Ending, 6> kSpaceQ{
    {{"Qx", "N", "force"}, {"Qy", "N", "force"}, {"Qz", "N", "force"}, {"Qmx", "N m", "force"}, {"Qmy", "N m", "force"}, {"Qmz", "N m", "force"}}};

std::size_t place(const std::vector<Column>& all, const std::string& name) {
  const auto it = std::ranges::find(all, name, &Column::name);
  JOUNCE_REQUIRE(it != all.end(), "rows of forces have accelerations");
  return static_cast<std::size_t>(it - all.begin());
}

class Columns {
 public:
  void rates(const std::string& force, std::span<const columns::Ending> endings) {
    for (const columns::Ending& e : endings) out.push_back({force + "." + std::string(e.text) + "_rate", rate_unit(e.unit), std::string(e.group), force});
  }
  void on_body(const std::string& force, const std::string& body, std::span<const columns::Ending> endings) {
    const std::string owner = force + "." + body;
    for (const columns::Ending& e : endings) out.push_back({owner + "." + std::string(e.text), std::string(e.unit), std::string(e.group), force});
    for (const columns::Ending& e : endings)
      out.push_back({owner + "." + std::string(e.text) + "_rate", rate_unit(e.unit), std::string(e.group), force});
  }

  std::vector<Column> out;
};

template <class Found>
std::optional<ForceRateRows::Trouble> trouble_of(const std::string& name, const Found& found, double t) {
  if (found.trouble.empty()) return std::nullopt;
  return ForceRateRows::Trouble{name, "force '" + name + "' has no rate at " + seconds(t) + ": " + found.trouble};
}

// ---- plane ---------------------------------------------------------------------------------------------------------------

std::span<const columns::Ending> endings_of(const AppliedForce& force) {
  if (force.kind == planar::ForceKind::extension) return columns::kExtension;
  if (force.kind == planar::ForceKind::rotation) return columns::kRotation;
  if (force.kind == planar::ForceKind::drive) return columns::kDrive;
  if (force.kind == planar::ForceKind::compliance) return columns::kPlaneLoadAndMoment;
  if (force.type == planar::Moment<double>::type) return columns::kPlaneMoment;
  return columns::kPlaneLoad;
}

bool has_rates(const PlanarSystem& system, const AppliedForce& force) {
  if (force.kind == planar::ForceKind::friction) return false;
  return force.signal < 0 || system.signals()[z(force.signal)].dry_friction == 0;
}

// Places, rates and accelerations of the centres of mass, from those of the origins.
struct CentreMotion {
  std::vector<double> q, v, a;

  CentreMotion(const PlaneMechanism& mechanism, std::span<const std::size_t> first, std::span<const double> row) {
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
      const std::span<const double> own = row.subspan(first[b - 1], 9);
      const Vec2<double> com = mechanism.bodies[b].com;
      const auto [s, c] = sincos(own[2]);
      const double turn = own[5], twist = own[8];
      const Vec2<double> arm{c * com.x - s * com.y, s * com.x + c * com.y};
      q.insert(q.end(), {own[0] + arm.x, own[1] + arm.y, own[2]});
      v.insert(v.end(), {own[3] - turn * arm.y, own[4] + turn * arm.x, turn});
      a.insert(a.end(), {own[6] - twist * arm.y - turn * turn * arm.x, own[7] + twist * arm.x - turn * turn * arm.y, twist});
    }
  }
};

// The rates of the columns that the force has in any row.
std::vector<double> rates_of(const AppliedForce& force, const ForceAndRate& found) {
  if (force.kind == planar::ForceKind::drive)
    return {found.measure[1], found.measure[2], found.effort[1], found.effort[1] * found.measure[1] + found.effort[0] * found.measure[2]};
  if (force.kind == planar::ForceKind::compliance) {  // on the second body, or against it
    const ForceAndRate::OnBody& on = found.bodies.back();
    const double sign = on.body == force.bodies.back() ? 1 : -1;
    return {sign * on.Q_rate[0], sign * on.Q_rate[1], found.effort[1]};
  }
  if (force.kind != planar::ForceKind::given) return {found.measure[1], found.measure[2], found.effort[1]};
  const auto& Q = found.bodies.front().Q_rate;
  return endings_of(force).size() == 1 ? std::vector{Q[2]} : std::vector{Q[0], Q[1]};
}

}  // namespace

ForceRateRows::ForceRateRows(const PlaneMechanism& mechanism, const std::vector<Column>& of_rows) {
  const PlanarSystem& system = mechanism.system;
  std::vector<std::size_t> first;  // of the nine columns of each body up to accelerations
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) first.push_back(place(of_rows, mechanism.bodies[b].name + ".x"));
  Columns out;
  std::vector<std::vector<int>> bodies(system.forces().size());
  for (std::size_t f = 0; f < bodies.size(); ++f) {
    const AppliedForce& force = system.forces()[f];
    if (!has_rates(system, force)) continue;
    for (const int body : force.bodies)
      if (body != 0 && std::ranges::find(bodies[f], body) == bodies[f].end()) bodies[f].push_back(body);
    if (bodies[f].empty()) continue;
    out.rates(force.name, endings_of(force));
    for (const int body : bodies[f]) out.on_body(force.name, mechanism.bodies[z(body)].name, kPlaneQ);
  }
  columns_ = std::move(out.out);
  fill_ = [&mechanism, first, bodies](std::span<const double> row, std::span<double> to) -> std::optional<Trouble> {
    const CentreMotion at(mechanism, first, row);
    const std::vector<ForceAndRate> found = forces_and_rates(mechanism.system, {row[0], at.q, at.v, at.a});
    auto next = to.begin();
    for (std::size_t f = 0; f < found.size(); ++f) {
      const AppliedForce& force = mechanism.system.forces()[f];
      if (bodies[f].empty()) continue;
      if (auto trouble = trouble_of(force.name, found[f], row[0])) return trouble;
      next = std::ranges::copy(rates_of(force, found[f]), next).out;
      for (const int body : bodies[f]) {
        const ForceAndRate::OnBody& on = *std::ranges::find(found[f].bodies, body, &ForceAndRate::OnBody::body);
        next = std::ranges::copy(on.Q, next).out;
        next = std::ranges::copy(on.Q_rate, next).out;
      }
    }
    return std::nullopt;
  };
}

// ---- space ---------------------------------------------------------------------------------------------------------------

ForceRateRows::ForceRateRows(const SpaceMechanism& mechanism, const std::vector<Column>& of_rows) {
  struct JointPlaces {
    std::size_t q, v, a;
  };
  std::vector<JointPlaces> first;
  for (const SpaceJoint& joint : mechanism.joints)
    first.push_back(joint.links.dofs == 0 ? JointPlaces{}
                                          : JointPlaces{place(of_rows, joint.name + ".q1"), place(of_rows, joint.name + ".v1"), place(of_rows, joint.name + ".a1")});
  Columns out;
  std::vector<std::vector<int>> bodies(mechanism.forces.size());
  for (std::size_t f = 0; f < bodies.size(); ++f) {
    const SpaceForce& force = mechanism.forces[f];
    if (const auto strut = tree::strut_of(force.law); strut && strut->friction != 0) continue;
    for (const int body : tree::bodies(force.law))
      if (body != 0 && std::ranges::find(bodies[f], body) == bodies[f].end()) bodies[f].push_back(body);
    if (bodies[f].empty()) continue;
    std::visit([&]<class Law>(const Law&) { out.rates(force.name, Law::columns); }, force.law);
    for (const int body : bodies[f]) out.on_body(force.name, mechanism.bodies[z(body)].name, kSpaceQ);
  }
  columns_ = std::move(out.out);
  struct Workspace {
    LoadRates loads;
    std::vector<double> q, v, a;
  };
  const auto work = std::make_shared<Workspace>(
      Workspace{LoadRates(mechanism), std::vector<double>(z(mechanism.tree.coordinates())), std::vector<double>(mechanism.dofs.size()), std::vector<double>(mechanism.dofs.size())});
  fill_ = [&mechanism, first, bodies, work](std::span<const double> row, std::span<double> to) -> std::optional<Trouble> {
    auto& [loads, q, v, a] = *work;
    for (std::size_t j = 0; j < first.size(); ++j) {
      const tree::Attached& own = mechanism.joints[j].links;
      std::ranges::copy(row.subspan(first[j].q, z(own.coordinates)), q.begin() + own.q);
      std::ranges::copy(row.subspan(first[j].v, z(own.dofs)), v.begin() + own.v);
      std::ranges::copy(row.subspan(first[j].a, z(own.dofs)), a.begin() + own.v);
    }
    const std::span<const LoadAndRate> found = loads.at(row[0], q, v, a);
    auto next = to.begin();
    for (std::size_t f = 0; f < found.size(); ++f) {
      if (bodies[f].empty()) continue;
      if (auto trouble = trouble_of(mechanism.forces[f].name, found[f], row[0])) return trouble;
      next = std::ranges::copy(found[f].rate, next).out;
      for (const int body : bodies[f]) {
        const auto on = std::ranges::find(found[f].bodies, body, &LoadAndRate::OnBody::body);
        const LoadAndRate::OnBody none{};
        const LoadAndRate::OnBody& own = on == found[f].bodies.end() ? none : *on;
        next = std::ranges::copy(own.Q, next).out;
        next = std::ranges::copy(own.Q_rate, next).out;
      }
    }
    return std::nullopt;
  };
}

}  // namespace jounce
