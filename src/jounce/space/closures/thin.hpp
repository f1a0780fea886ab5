// Thin links: idle turns that move no inertia.
//
// Nothing decides how a rod without inertia about its own line turns about it, and nothing depends on it. So it keeps the spin
// that it has: as a round link would, on which no moment acts about its line, and as driven motions hold it (idle.hpp). To that
// end it gets an inertia J about its line u, of any size, and a moment J (u · ω) (ω × u) that takes away what the spin of that
// inertia would do across the line:
//
//   J (u · α) u + J (u · ω) (ω × u) = J (u · ω) (ω × u)      u · α = 0
//
// No other equation sees J, and every formulation has an inertia to divide by.
#pragma once

#include <optional>
#include <span>

#include "jounce/base/index.hpp"
#include "jounce/space/mechanism.hpp"
#include "jounce/tree/algorithms.hpp"

namespace jounce {

/// The mechanism whose thin links have an inertia about themselves, at a position where loops and couplings hold; nothing where
/// there are none.
[[nodiscard]] std::optional<SpaceMechanism> with_thin_links(const SpaceMechanism& mechanism, std::span<const double> q);

/// How fast a thin link turns about its line. `work` is what tree::motion left there.
template <class T>
[[nodiscard]] T spin_of(const SpaceThinLink& thin, const tree::Workspace<T>& work) {
  const tree::LinkWork<T>& link = work.links[z(thin.link)];
  return dot(link.axes * thin.along, link.spin);
}

/// What the inertia that links were given adds to the kinetic energy.
[[nodiscard]] double energy_of_thin_links(const SpaceMechanism& mechanism, const tree::Workspace<double>& work);

}  // namespace jounce
