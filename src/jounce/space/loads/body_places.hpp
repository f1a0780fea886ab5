// Where points of bodies are at an instant and how they move, and the quantities of the state that loads use, over any scalar.
#pragma once

#include <span>

#include "jounce/base/index.hpp"
#include "jounce/space/closures/own_equation.hpp"
#include "jounce/space/mechanism.hpp"
#include "jounce/tree/algorithms.hpp"

namespace jounce {

/// `work` and `links` are what tree::motion left there.
template <class T>
struct BodyPlaces {
  const SpaceMechanism& mechanism;
  const tree::Workspace<T>& work;
  std::span<const tree::LinkMotion<T>> links;

  [[nodiscard]] tree::Place<T> place(int body, const Vec3<double>& point) const {
    const SpaceBody& b = mechanism.bodies[z(body)];
    const Vec3<double> in_link = b.frame * point;
    if (b.link == tree::kGround) {
      const auto constant = [](const Vec3<double>& a) { return Vec3<T>{T(a.x), T(a.y), T(a.z)}; };
      return {body, constant(in_link), {}, {constant(b.frame.axes.x), constant(b.frame.axes.y), constant(b.frame.axes.z)}, {}};
    }
    const tree::LinkWork<T>& at = work.links[z(b.link)];
    const tree::LinkMotion<T>& link = links[z(b.link)];
    const Vec3<T> arm = at.axes * in_link;
    return {body, link.position + arm, link.velocity + cross(at.spin, arm), at.axes * b.frame.axes, at.spin};
  }

  /// The quantities that loads use, at the coordinates and rates of the same instant.
  void read(const T* q, const T* v, std::span<T> out) const {
    using Of = SpaceQuantity::Of;
    tree::Place<T> at;
    const SpaceQuantity* found = nullptr;  // the components of one point mostly stand side by side
    for (std::size_t k = 0; k < out.size(); ++k) {
      const SpaceQuantity& quantity = mechanism.quantities[k];
      switch (quantity.of) {
        case Of::coordinate: out[k] = q[mechanism.joints[z(quantity.owner)].links.q + quantity.pick]; break;
        case Of::rate: out[k] = v[mechanism.joints[z(quantity.owner)].links.v + quantity.pick]; break;
        case Of::spin: out[k] = component(spin(quantity.owner), quantity.pick); break;
        default:
          if (found == nullptr || found->owner != quantity.owner || found->p != quantity.p)
            at = place(quantity.owner, quantity.p), found = &quantity;
          out[k] = component(quantity.of == Of::place ? at.position : at.velocity, quantity.pick);
      }
    }
  }

 private:
  [[nodiscard]] Vec3<T> spin(int body) const {
    const int link = mechanism.bodies[z(body)].link;
    return link == tree::kGround ? Vec3<T>{} : work.links[z(link)].spin;
  }
};

}  // namespace jounce
