#include "jounce/space/closures/thin.hpp"

#include <algorithm>

#include "jounce/space/closures/idle.hpp"
#include "jounce/space/closures/idle_line.hpp"

namespace jounce {
namespace {

/// Of the moments of inertia of what turns: less about the line is rounding.
constexpr double kNoInertia = 1e-12;

double trace(const Sym3<double>& a) { return a.xx + a.yy + a.zz; }

class Finder {
 public:
  Finder(const SpaceMechanism& mechanism, std::span<const double> q)
      : mechanism_(mechanism), q_(q), work_(mechanism.tree), links_(z(mechanism.tree.size())), none_(mechanism.dofs.size()) {}

  [[nodiscard]] bool is_thin(const SpaceIdle& idle) {
    double all = 0;
    move(idle.way);
    for (const int body : idle.bodies) all += size_of(idle, mechanism_.bodies[z(body)]);
    return 2 * tree::totals<double>(mechanism_.tree, work_, links_.data()).kinetic <= kNoInertia * all;
  }

  [[nodiscard]] SpaceThinLink link_of(const SpaceIdle& idle, int body) {
    move(none_);
    SpaceThinLink out;
    out.idle = idle;
    out.link = mechanism_.bodies[z(body)].link;
    out.along = in_axes(work_.links[z(out.link)].axes, line_of<double>(mechanism_, idle, work_, links_).along);
    out.inertia = size_of(idle, mechanism_.bodies[z(body)]);
    // of a body without mass the size does not matter either, as long as it is one of this mechanism
    for (const SpaceBody& other : mechanism_.bodies)
      if (const double own = size_of(idle, other); own > 0 && !(out.inertia > 0)) out.inertia = own;
    if (!(out.inertia > 0)) out.inertia = 1;
    return out;
  }

 private:
  // How large moments of inertia are about the ends of the line, whichever way.
  [[nodiscard]] double size_of(const SpaceIdle& idle, const SpaceBody& body) const {
    const auto place = [&](const SpaceIdle::End& end) {
      const SpaceBody& own = mechanism_.bodies[z(end.body)];
      return motion_of<double>(own.link, {identity3<double>(), own.frame * end.place}, work_, links_).frame.origin;
    };
    const Vec3<double> apart = place(idle.to) - place(idle.from);
    return trace(body.inertia) + body.mass.value_or(0) * dot(apart, apart);
  }

  void move(const std::vector<double>& v) {
    tree::motion(mechanism_.tree, work_, q_.data(), v.data(), none_.data(), links_.data());
  }

  const SpaceMechanism& mechanism_;
  std::span<const double> q_;
  tree::Workspace<double> work_;
  std::vector<tree::LinkMotion<double>> links_;
  std::vector<double> none_;
};

tree::RigidInertia about_line(const Vec3<double>& u, double inertia) {
  tree::RigidInertia out;
  out.about = {inertia * u.x * u.x, inertia * u.y * u.y, inertia * u.z * u.z,
               inertia * u.x * u.y, inertia * u.x * u.z, inertia * u.y * u.z};
  return out;
}

}  // namespace

std::optional<SpaceMechanism> with_thin_links(const SpaceMechanism& mechanism, std::span<const double> q) {
  std::optional<SpaceMechanism> out;
  Finder finder(mechanism, q);
  for (const SpaceIdle& idle : find_idle(mechanism, q)) {
    if (!finder.is_thin(idle)) continue;
    if (!out) out = mechanism;
    for (const int body : idle.bodies) {
      const SpaceThinLink& thin = out->thin.emplace_back(finder.link_of(idle, body));
      out->tree.load(thin.link, {}, about_line(thin.along, thin.inertia));
    }
  }
  return out;
}

double energy_of_thin_links(const SpaceMechanism& mechanism, const tree::Workspace<double>& work) {
  double sum = 0;
  for (const SpaceThinLink& thin : mechanism.thin) {
    const double spin = spin_of(thin, work);
    sum += 0.5 * thin.inertia * spin * spin;
  }
  return sum;
}

}  // namespace jounce
