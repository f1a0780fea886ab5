// Efforts on the dofs and wrenches on the links, from springs, dampers and torques of dofs and from [forces], over any scalar.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>

#include "jounce/base/fault.hpp"
#include "jounce/base/index.hpp"
#include "jounce/space/loads/body_places.hpp"
#include "jounce/tree/rotation_spring.hpp"
#include "jounce/space/closures/thin.hpp"
#include "jounce/space/mechanism.hpp"
#include "jounce/tree/algorithms.hpp"
#include "jounce/tree/rotation.hpp"

namespace jounce {

template <class T>
struct SpaceLoads {
  std::vector<T> tau;                      ///< springs, dampers and torques of every dof; of an active dof its spring and damper
  std::vector<tree::Wrench<T>> external;   ///< on every link, about the ground's origin, in ground axes
  std::vector<tree::ForceReading<T>> readings;  ///< one for each force: what it showed
  std::vector<T> quantities;               ///< of the state, that the loads of the mechanism use
  T potential{};                           ///< of all springs
  double power = 0;                        ///< of dampers, torques and forces, beyond what springs keep
  double tension = 0;                      ///< the largest of those between two points, which may cancel in the sum
  /// To be set, or empty for the shorter way: of each link, from which sign of its quaternion the spring of a ball winds (rotation_spring.hpp).
  std::vector<double> sides;
  /// To be set, or empty for the sign of its rate: the direction of exact dry friction of every dof, then of every force.
  std::vector<double> directions;
  /// To be set: what friction of joints grows with, of every dof; empty: nothing.
  std::vector<T> grip;
  std::vector<double> friction;            ///< such friction of every dof, along it

  explicit SpaceLoads(const SpaceMechanism& mechanism)
      : tau(mechanism.dofs.size()),
        external(static_cast<std::size_t>(mechanism.tree.size())),
        readings(mechanism.forces.size()),
        quantities(mechanism.quantities.size()),
        friction(mechanism.dofs.size()) {}
};

/// Computes all loads at a state. `work` and `links` are what tree::motion left there (any qdd). On series time functions are
/// series in time, too; on other scalars they are taken at the number t.
template <class T>
class SpaceLoader {
 public:
  SpaceLoader(const SpaceMechanism& mechanism, double t, const T* q, const T* v, const tree::Workspace<T>& work,
             std::span<const tree::LinkMotion<T>> links, SpaceLoads<T>& out)
      : mechanism_(mechanism), t_(t), q_(q), v_(v), work_(work), links_(links), places_{mechanism, work, links}, out_(out) {}

  [[nodiscard]] std::optional<Fault> load() {
    out_.potential = T(0.0);
    out_.power = out_.tension = 0;
    for (auto& wrench : out_.external) wrench = {};
    places_.read(q_, v_, out_.quantities);
    for (const SpaceJoint& joint : mechanism_.joints)
      for (int link = joint.links.first; link <= joint.links.last && joint.links.dofs > 0; ++link)
        if (auto fault = load_link(joint, link)) return fault;
    for (std::size_t f = 0; f < mechanism_.forces.size(); ++f)
      if (auto fault = load_force(f)) return fault;
    for (const SpaceThinLink& thin : mechanism_.thin) {
      const tree::LinkWork<T>& link = work_.links[z(thin.link)];
      out_.external[z(thin.link)].moment += cross(link.spin, link.axes * thin.along) * (thin.inertia * spin_of(thin, work_));
    }
    return std::nullopt;
  }

 private:

  std::optional<Fault> load_link(const SpaceJoint& joint, int link_index) {
    const tree::Link& link = mechanism_.tree.link(link_index);
    const int count = tree::dofs(link.motion);
    for (int k = 0; k < count; ++k) {
      const SpaceDof& dof = mechanism_.dofs[z(link.v + k)];
      T effort = v_[link.v + k] * -dof.damping;
      T lost = effort;
      if (count == 1) {
        const T stretch = q_[link.q] - dof.rest;
        effort -= stretch * dof.stiffness;
        out_.potential += 0.5 * dof.stiffness * stretch * stretch;
      }
      if (!dof.friction.empty()) {
        T value{};
        if (auto fault = dof.friction.add_to(value, direction(z(link.v + k)), T(0.0), v_[link.v + k], T(0.0), {}))
          return Fault{"joint '" + joint.name + "'", "friction: " + fault->sentence, dof.where, joint.name};
        if (dof.rubs) {
          value = out_.grip.empty() ? T(0.0) : value * out_.grip[z(link.v + k)];
          out_.friction[z(link.v + k)] = 0.0 - value_of(value);
        }
        effort -= value;
        lost -= value;
      }
      if (dof.torque && !dof.active()) {
        T value{};
        if (auto fault = dof.torque->evaluate(t_, std::span<const T>(out_.quantities), value))
          return Fault{"joint '" + joint.name + "'", "torque: " + fault->sentence, dof.where, joint.name};
        effort += value;
        lost += value;
      }
      out_.power += value_of(lost) * value_of(v_[link.v + k]);
      out_.tau[z(link.v + k)] = effort;
    }
    if (count > 1) load_several(link, link_index);
    return std::nullopt;
  }

  // Of the exact friction of a dof, or of a force after all dofs.
  [[nodiscard]] double direction(std::size_t place) const { return out_.directions.empty() ? laws::kSignOfRate : out_.directions[place]; }

  // Springs of a ball or free link: on the rotation vector from rest, and on the position.
  void load_several(const tree::Link& link, int link_index) {
    const auto dof = [&](int k) -> const SpaceDof& { return mechanism_.dofs[z(link.v + k)]; };
    const Vec3<double> stiffness{dof(0).stiffness, dof(1).stiffness, dof(2).stiffness};
    const Mat3<T> axes = rotation(q_[link.q], q_[link.q + 1], q_[link.q + 2], q_[link.q + 3]);
    if (stiffness != Vec3<double>{}) {
      QuaternionOf<T> e = from_rest(tree::from_rotation_vector({dof(0).rest, dof(1).rest, dof(2).rest}), &q_[link.q]);
      const bool other = out_.sides.empty() ? value_of(e.w) < 0 : out_.sides[z(link_index)] < 0;
      if (other) e = {-e.w, -e.v};
      const auto spring = rotation_spring<T>(e, stiffness);
      add(link.v, spring.torque);
      out_.potential += spring.energy;
    }
    if (link.motion != tree::Motion::free) return;
    const Vec3<T> stretch{q_[link.q + 4] - dof(3).rest, q_[link.q + 5] - dof(4).rest, q_[link.q + 6] - dof(5).rest};
    const Vec3<T> pull{stretch.x * -dof(3).stiffness, stretch.y * -dof(4).stiffness, stretch.z * -dof(5).stiffness};
    add(link.v + 3, in_axes(axes, pull));
    out_.potential += -0.5 * dot(stretch, pull);
  }

  void add(int first, const Vec3<T>& effort) {
    out_.tau[z(first)] += effort.x;
    out_.tau[z(first + 1)] += effort.y;
    out_.tau[z(first + 2)] += effort.z;
  }

  /// What a force acts on (tree/force.hpp).
  struct Stage {
    using Scalar = T;

    SpaceLoader& loader;
    double t;
    double direction;
    tree::ForceReading<T>& reading;
    std::span<const T> quantities;

    [[nodiscard]] tree::Place<T> place(const tree::BodyPoint& at) const { return loader.places_.place(at.body, at.p); }
    [[nodiscard]] tree::Place<T> place(const tree::BodyRef& at) const { return loader.places_.place(at.body, {}); }
    void push(const tree::Place<T>& at, const tree::Wrench<T>& load) { loader.push(at.body, at.position, load.force, load.moment); }
    void pull(const tree::Place<T>& i, const tree::Place<T>& j, const Vec3<T>& d, const T& length, const T& tension) {
      const Vec3<T> force = d * (tension / length);
      loader.push(i.body, i.position, force, {});
      loader.push(j.body, j.position, -force, {});
      loader.out_.tension = std::max(loader.out_.tension, std::abs(value_of(tension)));
    }
    void keep(const T& energy, const T& growth) {
      loader.out_.potential += energy;
      loader.out_.power += value_of(growth);
    }
    template <std::size_t N>
    void show(const T (&numbers)[N]) {
      std::ranges::copy(numbers, reading.begin());
    }
  };

  std::optional<Fault> load_force(std::size_t f) {
    const SpaceForce& force = mechanism_.forces[f];
    Stage stage{*this, t_, direction(mechanism_.dofs.size() + f), out_.readings[f], out_.quantities};
    tree::Trouble trouble = std::visit([&](const auto& law) { return law.act(stage); }, force.law);
    if (!trouble) return std::nullopt;
    return Fault{"force '" + force.name + "'", *std::move(trouble), force.where, force.name};
  }

  // A force at a point, in ground axes.
  void push(int body, const Vec3<T>& position, const Vec3<T>& force, const Vec3<T>& moment) {
    const int link = mechanism_.bodies[z(body)].link;
    if (link == tree::kGround) return;
    tree::Wrench<T>& sum = out_.external[z(link)];
    sum.force += force;
    sum.moment += moment + cross(position, force);
    const tree::LinkMotion<T>& own = links_[z(link)];
    const Vec3<T>& spin = work_.links[z(link)].spin;
    out_.power += value_of(dot(force, own.velocity + cross(spin, position - own.position)) + dot(moment, spin));
  }

  const SpaceMechanism& mechanism_;
  double t_;
  const T* q_;
  const T* v_;
  const tree::Workspace<T>& work_;
  std::span<const tree::LinkMotion<T>> links_;
  BodyPlaces<T> places_;
  SpaceLoads<T>& out_;
};

}  // namespace jounce
