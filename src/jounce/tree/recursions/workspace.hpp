// Where the algorithms of this folder keep what they compute on the way. Made once for a tree, used as often as one likes;
// nothing else is allocated.
//
// Everything about a link is in ground axes and about the link's own origin. From a link to its parent is then a shift by
// `arm`, and no rotation; only the rigid inertia of each link is turned, once. Accelerations are the ordinary ones of the
// origin (not the spatial ones), so no linear velocity enters the equations of motion. docs/theory/spatial-vectors.md says why.
#pragma once

#include <array>
#include <vector>

#include "jounce/tree/tree.hpp"

namespace jounce::tree {

/// A moment about a point and a force: in ground axes.
template <class T>
struct Wrench {
  Vec3<T> moment, force;
};

/// [moment; force] = [a b; bᵀ c] [angular; linear acceleration]
template <class T>
struct ArticulatedInertia {
  Sym3<T> a;
  Mat3<T> b;
  Sym3<T> c;
};

template <class T>
struct LinkWork {
  Mat3<T> axes;                   ///< of the link, in ground axes
  Vec3<T> arm;                    ///< from the parent's origin to its own
  Vec3<T> spin;                   ///< angular velocity
  Vec3<T> turn, shift;            ///< angular acceleration, and that of the origin (less gravity)
  Vec3<T> own_moment;             ///< of the link's own mass: times the place of the centre of mass
  Wrench<T> bias;                 ///< articulated bias force; in `rnea` the wrench through the joint
  ArticulatedInertia<T> inertia;  ///< with all that hangs on it, after `hybrid`

  /// On the way out nothing hangs on a link yet, and a cache holds little: the place of b serves for the sweep (of a place in
  /// the link: how much more than the origin it accelerates, turn× + (spin×)²), that of a for the link's own mass.
  [[nodiscard]] const Mat3<T>& sweep() const { return inertia.b; }
  [[nodiscard]] Mat3<T>& sweep() { return inertia.b; }
  [[nodiscard]] const Sym3<T>& own_about() const { return inertia.a; }
  [[nodiscard]] Sym3<T>& own_about() { return inertia.a; }

  Vec3<T> push_turn, push_shift;    ///< U = I s of a one-dof link
  T per_pivot{}, drive{};           ///< 1 / D and u
  Vec3<T> extra_turn, extra_shift;  ///< acceleration due to the passive dofs, in `aba` and `hybrid`
};

/// One dof of a ball or free link.
template <class T>
struct DofWork {
  Vec3<T> push_turn, push_shift;
  T per_pivot{}, drive{};
};

/// How a link answers to efforts alone.
template <class T>
struct Response {
  Wrench<T> load{};
  Vec3<T> turn{}, shift{};
  std::array<T, 6> drive{};
};

/// What `crba` needs of a link on its ways down, close together: of a long chain all of them fit into the nearest cache.
template <class T>
struct Rung {
  Vec3<T> arm, axis;
  Wrench<T> momentum;  ///< of a hinge
  int parent = kGround, v = 0;
  Motion motion = Motion::fixed;
};

template <class T>
struct Workspace {
  explicit Workspace(const Tree& tree)
      : gravity(tree.gravity),
        links(static_cast<std::size_t>(tree.size())),
        sine((tree.turning().size() + kPadding) / kPadding * kPadding),
        cosine(sine.size()),
        branch_mass(static_cast<std::size_t>(tree.size())),
        rungs(static_cast<std::size_t>(tree.size())),
        several(static_cast<std::size_t>(tree.size())),
        responses(static_cast<std::size_t>(tree.size())),
        none(static_cast<std::size_t>(tree.dofs()), T(0.0)) {
    for (std::size_t i = 0; i < rungs.size(); ++i) {
      const Link& link = tree.links()[i];
      rungs[i].parent = link.parent, rungs[i].v = link.v, rungs[i].motion = link.motion;
    }
    std::size_t blocks = 0;
    for (std::size_t i = 0; i < several.size(); ++i)
      if (dofs(tree.links()[i].motion) > 1) several[i] = static_cast<int>(blocks++);
    dofs_of_several.resize(blocks);
  }

  static constexpr std::size_t kPadding = 8;  // whole packs of angles
  Vec3<double> gravity;                       ///< that of the tree, until set otherwise
  std::vector<LinkWork<T>> links;
  std::vector<T> sine, cosine;         ///< of the links that turn, in their order
  std::vector<double> branch_mass;     ///< of `crba`
  std::vector<Rung<T>> rungs;          ///< of `crba`
  std::vector<int> several;            ///< link → its block of dofs_of_several
  std::vector<Response<T>> responses;  ///< of `respond`
  std::vector<T> none;                 ///< rates and efforts of a tree at rest
  std::vector<std::array<DofWork<T>, 6>> dofs_of_several;
};

}  // namespace jounce::tree
