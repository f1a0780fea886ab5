// A planar joint graph as a tree: which joint carries each body, and which equations are left to close loops.
//
// A joint can carry a body when its equations do not change as all bodies move together: then the carried body goes with its carrier, and
// the joint allows what is left. Pins, sliders, welds, slots, links and parallel guides can; gears, rolling, coordinates and drivers close
// loops. Joints with few freedoms carry first, which leaves the fewest coordinates and the fewest closures; among trees that are equal
// in this, every body hangs as few joints away from the ground as may be. What no chain of joints ties to the ground floats: one of its
// bodies, in its middle, has three freedoms against the ground.
#pragma once

#include <vector>

#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

struct SpanningTree {
  struct Edge {
    int body = 0;         ///< that it carries; 1 … bodies
    int parent = 0;       ///< the body that carries it; 0 is the ground
    int constraint = -1;  ///< the joint between them, of PlanarSystem::constraints(); −1: none, the body floats
    int depth = 1;        ///< joints between the body and the ground
  };
  std::vector<Edge> edges;    ///< carriers first; one for each moving body
  std::vector<int> edge_of;   ///< body → its place in `edges`; −1 of the ground
  std::vector<int> closures;  ///< joints and drivers that carry nothing, in the order of PlanarSystem::constraints()
  int depth = 0;              ///< the largest

  /// No equations are left over: accelerations follow from the joints alone.
  [[nodiscard]] bool open() const { return closures.empty(); }
};

[[nodiscard]] SpanningTree spanning_tree(const PlanarSystem& system);

}  // namespace jounce
