#include "jounce/space/equations/derivatives.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/scalar/dual.hpp"
#include "jounce/space/equations/loop_elimination.hpp"

namespace jounce {
namespace {

constexpr int kAtOnce = 8;  // directions
using Seeded = Dual<kAtOnce>;


bool has_quaternion(const tree::Link& link) { return link.motion == tree::Motion::ball || link.motion == tree::Motion::free; }

// ½ e ⊗ (0, w)
template <class T, class U>
std::array<T, 4> turning(const T* e, const Vec3<U>& w) {
  return {0.5 * (-e[1] * w.x - e[2] * w.y - e[3] * w.z), 0.5 * (e[0] * w.x + e[2] * w.z - e[3] * w.y),
          0.5 * (e[0] * w.y + e[3] * w.x - e[1] * w.z), 0.5 * (e[0] * w.z + e[1] * w.y - e[2] * w.x)};
}

}  // namespace

struct SpaceDerivatives::Work {
  explicit Work(const SpaceMechanism& m)
      : mechanism(m),
        dual(m.tree),
        plain(m.tree),
        links(z(m.tree.size())),
        positions(z(m.tree.size())),
        loads(m),
        q(z(m.tree.coordinates())),
        v(z(m.tree.dofs())),
        a(v.size()),
        needed(v.size()),
        right(v.size()),
        answer(v.size()) {
    for (const SpaceDof& dof : m.dofs) active.push_back(dof.active() ? 1 : 0);
    pushed = !m.forces.empty() || !m.loops.empty() || !m.equations.empty() || !m.quantities.empty();
  }

  // τ − (H a + C) with the wrenches of loops, as `needed`.
  std::optional<Fault> balance(double t) {
    const tree::Tree& tree = mechanism.tree;
    loads.grip.assign(grip.begin(), grip.end());  // a Newton iteration can do without its changes
    if (pushed) tree::motion<Seeded>(tree, dual, q.data(), v.data(), a.data(), links.data());
    SpaceLoader<Seeded> loader(mechanism, t, q.data(), v.data(), dual, links, loads);
    if (auto fault = loader.load()) return fault;
    for (std::size_t l = 0; l < reactions.size(); ++l) add_reaction(mechanism.loops[l], reactions[l]);
    for (std::size_t e = 0; e < pushing.size(); ++e)
      if (auto fault = add_push(mechanism.equations[e], pushing[e], t)) return fault;
    tree::rnea<Seeded>(tree, dual, q.data(), v.data(), a.data(), needed.data(), pushed ? loads.external.data() : nullptr,
                       pushed ? positions.data() : nullptr);
    for (std::size_t k = 0; k < needed.size(); ++k) needed[k] = loads.tau[k] - needed[k];
    return std::nullopt;
  }

  // What a loop does on its body j, about the origin of frame j, in the axes of frame i.
  void hold_reactions(const SpaceEquations& at) {
    reactions.clear(), pushing.clear();
    for (std::size_t e = 0; e < mechanism.equations.size(); ++e) pushing.push_back(at.multipliers()[z(at.closures().first_equation()) + e]);
    for (std::size_t l = 0; l < mechanism.loops.size(); ++l) {
      const SpaceBody& body = mechanism.bodies[z(mechanism.loops[l].i)];
      Mat3<double> axes = (body.frame * mechanism.loops[l].frame_i).axes;
      if (body.link != tree::kGround) axes = at.motion_work().links[z(body.link)].axes * axes;
      const tree::Wrench<double> w = at.loop_wrench(static_cast<int>(l));
      reactions.push_back({in_axes(axes, w.moment), in_axes(axes, w.force)});
    }
  }

  void add_reaction(const SpaceLoop& loop, const tree::Wrench<double>& held) {
    const SpaceBody &i = mechanism.bodies[z(loop.i)], &j = mechanism.bodies[z(loop.j)];
    const auto constant = [](const Vec3<double>& x) { return Vec3<Seeded>{Seeded(x.x), Seeded(x.y), Seeded(x.z)}; };
    const Frame<double> frame_i = i.frame * loop.frame_i, frame_j = j.frame * loop.frame_j;
    const auto in_ground = [&](const Vec3<double>& x) {
      const Vec3<double> on_link = frame_i.axes * x;
      return i.link == tree::kGround ? constant(on_link) : dual.links[z(i.link)].axes * on_link;
    };
    const Vec3<Seeded> point = j.link == tree::kGround
                                   ? constant(frame_j.origin)
                                   : links[z(j.link)].position + dual.links[z(j.link)].axes * frame_j.origin;
    const Vec3<Seeded> force = in_ground(held.force), moment = in_ground(held.moment) + cross(point, force);
    if (j.link != tree::kGround) loads.external[z(j.link)].moment += moment, loads.external[z(j.link)].force += force;
    if (i.link != tree::kGround) loads.external[z(i.link)].moment -= moment, loads.external[z(i.link)].force -= force;
  }

  // What an equation of the user's does with the multiplier of its row.
  std::optional<Fault> add_push(const SpaceEquation& equation, double multiplier, double t) {
    const BodyPlaces<Seeded> places{mechanism, dual, links};
    std::vector<Seeded> now{Seeded(t)};
    for (const SpaceQuantity& u : equation.quantities)
      now.push_back(u.of == SpaceQuantity::Of::coordinate ? q[z(mechanism.joints[z(u.owner)].links.q + u.pick)] : component(places.place(u.owner, u.p).position, u.pick));
    for (std::size_t k = 0; k < equation.quantities.size(); ++k) {
      const SpaceQuantity& u = equation.quantities[k];
      Seeded g{};
      if (auto fault = equation.law.by_quantity[k].evaluate(std::span<const Seeded>(now), g)) return laws::without_value(equation.law, equation.name, *fault);
      const Seeded strength = g * (-multiplier / equation.scale);
      if (u.of == SpaceQuantity::Of::coordinate) {
        loads.tau[z(mechanism.joints[z(u.owner)].links.v + u.pick)] += strength;
        continue;
      }
      const int link = mechanism.bodies[z(u.owner)].link;
      if (link == tree::kGround) continue;
      const Vec3<double> axis = unit_vector(u.pick);
      const Vec3<Seeded> force{strength * axis.x, strength * axis.y, strength * axis.z};
      loads.external[z(link)].force += force, loads.external[z(link)].moment += cross(places.place(u.owner, u.p).position, force);
    }
    return std::nullopt;
  }

  // The factors of H at a position, and what the loops make of them.
  void factor(const SpaceEquations& at, std::span<const double> position) {
    const tree::Tree& tree = mechanism.tree;
    (void)tree::hybrid<double>(tree, plain, position.data(), plain.none.data(), plain.none.data(), at.held().data(), answer.data());
    given = at.held(), position_of = position;
    light.assign(at.light().begin(), at.light().end());
    closures = &at.closures();
    if (closures->size() == 0) return;
    if (!holding) holding.emplace(tree, active, *closures, at.groups(), light);
    holding->factor(position, at.independent());
    opens.resize(z(closures->size())), lambda.resize(opens.size()), back.resize(answer.size());
  }

  // Accelerations of the passive dofs by the forces in `right`, the loops holding.
  void respond() {
    tree::respond<double>(mechanism.tree, plain, right.data(), given.data(), answer.data());
    if (closures->size() == 0) return;
    closures->multiply(answer, opens);
    std::vector<double> left;  // to light dofs: effort − H x, less of which is taken back
    if (!light.empty()) {
      tree::Workspace<double> work(mechanism.tree);
      work.gravity = {};
      left.resize(answer.size());
      tree::rnea<double>(mechanism.tree, work, position_of.data(), work.none.data(), answer.data(), left.data());
      for (std::size_t k = 0; k < left.size(); ++k) left[k] -= right[k];
    }
    holding->solve(opens, lambda, back, left);
    for (std::size_t k = 0; k < answer.size(); ++k) answer[k] -= back[k];
  }

  void normalise() {
    for (const tree::Link& link : mechanism.tree.links()) {
      if (!has_quaternion(link)) continue;
      Seeded* e = &q[z(link.q)];
      const Seeded per_length = 1.0 / sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
      for (int k = 0; k < 4; ++k) e[k] *= per_length;
    }
  }

  // dq/dt, of one link
  void rates(const tree::Link& link, Seeded* out) const {
    const Seeded *own = q.data() + link.q, *rate = v.data() + link.v;
    if (tree::dofs(link.motion) == 1) out[0] = rate[0];
    if (!has_quaternion(link)) return;
    const auto de = turning(own, Vec3<Seeded>{rate[0], rate[1], rate[2]});
    std::ranges::copy(de, out);
    if (link.motion == tree::Motion::ball) return;
    const Vec3<Seeded> dp = rotation(own[0], own[1], own[2], own[3]) * Vec3<Seeded>{rate[3], rate[4], rate[5]};
    out[4] = dp.x, out[5] = dp.y, out[6] = dp.z;
  }

  // Gives a link's coordinates the direction `slot`: that of moving along its k-th dof.
  void seed(const tree::Link& link, int k, int slot) {
    Seeded* own = &q[z(link.q)];
    const std::size_t s = z(slot);
    if (!has_quaternion(link)) {
      own[0].d[s] = 1;
      return;
    }
    const std::array<double, 4> e{own[0].v, own[1].v, own[2].v, own[3].v};
    const Vec3<double> along{k % 3 == 0 ? 1.0 : 0.0, k % 3 == 1 ? 1.0 : 0.0, k % 3 == 2 ? 1.0 : 0.0};
    if (k < 3) {
      const auto de = turning(e.data(), along);
      for (std::size_t c = 0; c < 4; ++c) own[c].d[s] = de[c];
    } else {
      const Vec3<double> dp = rotation(e[0], e[1], e[2], e[3]) * along;
      own[4].d[s] = dp.x, own[5].d[s] = dp.y, own[6].d[s] = dp.z;
    }
  }

  const SpaceMechanism& mechanism;
  std::vector<std::uint8_t> active;
  bool pushed = false;
  tree::Workspace<Seeded> dual;
  tree::Workspace<double> plain;
  std::vector<tree::LinkMotion<Seeded>> links;
  std::vector<Vec3<Seeded>> positions;
  SpaceLoads<Seeded> loads;
  std::vector<double> grip;  // of friction of joints
  std::vector<Seeded> q, v, a, needed;
  std::vector<double> right, answer;
  std::vector<tree::Wrench<double>> reactions;  // of loops
  std::vector<double> pushing;                  // multipliers of the rows of equations

  const LoopClosures* closures = nullptr;
  std::optional<LoopElimination> holding;
  std::vector<double> opens, lambda, back;
  std::span<const std::uint8_t> given;
  std::span<const double> position_of;
  std::vector<int> light;
};

SpaceDerivatives::SpaceDerivatives(const SpaceMechanism& mechanism) : work_(std::make_unique<Work>(mechanism)) {}
SpaceDerivatives::~SpaceDerivatives() = default;

std::optional<Fault> SpaceDerivatives::of_rates(const SpaceEquations& at, const State& state, std::span<double> jacobian) {
  Work& w = *work_;
  const auto coordinates = at.passive_coordinates(), dofs = at.passive_dofs();
  const std::size_t positions = coordinates.size(), all = state.y.size();
  w.hold_reactions(at);
  w.grip = at.loads().grip;
  w.factor(at, state.q);
  w.loads.sides = at.loads().sides;
  w.loads.directions = at.loads().directions;
  std::ranges::copy(state.a, w.a.begin());
  std::vector<Seeded> rates(w.q.size());
  for (std::size_t first = 0; first < all; first += kAtOnce) {
    const std::size_t end = std::min(first + kAtOnce, all);
    const auto variable = [&](std::size_t i) {
      return i >= first && i < end ? Seeded::variable(state.y[i], static_cast<int>(i - first)) : Seeded(state.y[i]);
    };
    std::ranges::copy(state.q, w.q.begin());
    std::ranges::copy(state.v, w.v.begin());
    for (std::size_t i = 0; i < positions; ++i) w.q[z(coordinates[i])] = variable(i);
    for (std::size_t i = 0; i < dofs.size(); ++i) w.v[z(dofs[i])] = variable(positions + i);
    w.normalise();
    if (auto fault = w.balance(state.t)) return fault;
    for (const tree::Link& link : w.mechanism.tree.links())
      if (link.motion != tree::Motion::fixed) w.rates(link, &rates[z(link.q)]);
    for (std::size_t column = first; column < end; ++column) {
      const std::size_t slot = column - first;
      for (std::size_t k = 0; k < w.right.size(); ++k) w.right[k] = w.needed[k].d[slot];
      w.respond();
      for (std::size_t i = 0; i < positions; ++i) jacobian[i * all + column] = rates[z(coordinates[i])].d[slot];
      for (std::size_t i = 0; i < dofs.size(); ++i) jacobian[(positions + i) * all + column] = w.answer[z(dofs[i])];
    }
  }
  return std::nullopt;
}

std::optional<Fault> SpaceDerivatives::of_forces(double t, std::span<const double> q, AtRest& out) {
  Work& w = *work_;
  const tree::Tree& tree = w.mechanism.tree;
  std::vector<int> passive;
  for (int k = 0; k < tree.dofs(); ++k)
    if (!w.active[z(k)]) passive.push_back(k);
  const std::size_t count = passive.size(), n = w.v.size();
  w.reactions.clear(), w.pushing.clear();
  std::ranges::fill(w.a, Seeded(0.0));
  out.force.assign(n, 0.0);
  out.by_position.assign(n * count, 0.0), out.by_rate = out.by_position;
  for (std::size_t first = 0; first < std::max<std::size_t>(2 * count, 1); first += kAtOnce) {
    const std::size_t end = std::min(first + kAtOnce, 2 * count);
    std::ranges::copy(q, w.q.begin());
    std::ranges::fill(w.v, Seeded(0.0));
    for (std::size_t i = first; i < end; ++i) {
      const int slot = static_cast<int>(i - first), dof = passive[i % count];
      const tree::Link& link = tree.link(tree.moved_by(dof));
      if (i < count) w.seed(link, dof - link.v, slot);
      else w.v[z(dof)].d[z(slot)] = 1;
    }
    if (auto fault = w.balance(t)) return fault;
    for (std::size_t k = 0; k < n; ++k) {
      out.force[k] = w.needed[k].v;
      for (std::size_t i = first; i < end; ++i)
        (i < count ? out.by_position : out.by_rate)[k * count + i % count] = w.needed[k].d[i - first];
    }
  }
  out.tau.clear();
  for (const Seeded& effort : w.loads.tau) out.tau.push_back(effort.v);
  out.tension = w.loads.tension;
  return std::nullopt;
}

}  // namespace jounce
