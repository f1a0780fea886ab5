// A tree of ours in the plain numbers that other programs are given.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <jounce/tree/tree.hpp>
#include <vector>

#include "tree_rivals.hpp"

/// The same tree for the programs of others. It has hinges, slides and free joints only.
inline std::vector<RivalLink> plain(const jounce::tree::Tree& of) {
  namespace tree = jounce::tree;
  using jounce::Vec3;
  std::vector<RivalLink> out;
  for (const tree::Link& link : of.links()) {
    const auto& [x, y, along] = link.place.axes;
    const Vec3<double>& at = link.place.origin;
    RivalLink& to = out.emplace_back();
    to.parent = link.parent;
    to.free = link.motion == tree::Motion::free;
    to.slides = link.motion == tree::Motion::prismatic;
    if (!to.free && !to.slides && link.motion != tree::Motion::revolute) {
      std::fprintf(stderr, "jounce_bench: expected a tree of hinges, slides and free joints, found another joint at link %zu\n",
                   out.size() - 1);
      std::exit(1);
    }
    to.axes = {x.x, y.x, along.x, x.y, y.y, along.y, x.z, y.z, along.z};
    to.origin = {at.x, at.y, at.z};
    const double mass = link.inertia.mass;
    const Vec3<double> com = link.inertia.moment * (mass > 0 ? 1 / mass : 0);
    const jounce::Sym3<double> central = link.inertia.about + tree::rigid_inertia(-mass, com, {}).about;
    to.mass = mass;
    to.com = {com.x, com.y, com.z};
    to.inertia = {central.xx, central.xy, central.xz, central.yy, central.yz, central.zz};
  }
  return out;
}
