#include "jounce/space/motion/half_turns.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/tree/rotation_spring.hpp"

namespace jounce {
namespace {

/// Rounding of what has just gone over, and is on its way.
constexpr double kJustThere = 1e-12;
/// A step is looked at in so many places.
constexpr int kLooks = 8;
constexpr int kBisections = 60;

}  // namespace

HalfTurns::HalfTurns(const SpaceMechanism& mechanism) {
  for (const SpaceJoint& joint : mechanism.joints)
    for (int l = joint.links.first; l <= joint.links.last && joint.links.dofs > 0; ++l) {
      const tree::Link& link = mechanism.tree.link(l);
      if (link.motion != tree::Motion::ball && link.motion != tree::Motion::free) continue;
      const std::array dofs{&mechanism.dofs[z(link.v)], &mechanism.dofs[z(link.v + 1)], &mechanism.dofs[z(link.v + 2)]};
      if (std::ranges::all_of(dofs, [](const SpaceDof* dof) { return dof->stiffness == 0; })) continue;
      springs_.push_back({l, link.q, tree::from_rotation_vector({dofs[0]->rest, dofs[1]->rest, dofs[2]->rest}), joint.name});
    }
  if (any()) sides_.assign(z(mechanism.tree.size()), 1);
}

double HalfTurns::cosine(const Spring& spring, std::span<const double> q) const {
  return sides_[z(spring.link)] * from_rest(spring.rest, &q[z(spring.q)]).w;
}

void HalfTurns::begin(std::span<const double> q) {
  for (const Spring& spring : springs_)
    if (cosine(spring, q) < 0) sides_[z(spring.link)] *= -1;
}

std::optional<double> HalfTurns::first(double from, double to, const Coordinates& at) {
  due_.clear();
  std::optional<double> earliest;
  for (std::size_t s = 0; s < springs_.size(); ++s) {
    const auto beyond = [&](double t) {
      const std::span<const double> q = at(t);
      return !q.empty() && cosine(springs_[s], q) < -kJustThere;
    };
    double low = from;
    for (int look = 1; look <= kLooks; ++look) {
      double high = look == kLooks ? to : from + (to - from) * look / kLooks;
      if (!beyond(high)) {
        low = high;
        continue;
      }
      for (int i = 0; i < kBisections && std::nextafter(low, high) < high; ++i) {
        const double middle = low + (high - low) / 2;
        (beyond(middle) ? high : low) = middle;
      }
      if (!earliest || high < *earliest) due_.clear(), earliest = high;
      if (high == *earliest) due_.push_back(s);
      break;
    }
  }
  return earliest;
}

std::vector<std::string> HalfTurns::go_over() {
  std::vector<std::string> names;
  for (const std::size_t s : due_) {
    sides_[z(springs_[s].link)] *= -1;
    names.push_back(springs_[s].joint);
  }
  due_.clear();
  return names;
}

}  // namespace jounce
