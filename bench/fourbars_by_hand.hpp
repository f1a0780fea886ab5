// The accelerations of N four-bars (IFToMM benchmark A02) by a program for this mechanism alone: what an expert would write.
//
// Rods of 1 m and 1 kg: 0 … N upright, each turning about its foot, and N beams across their tops. Unknown are the forces in
// the 2 N pins at the tops. A pin feels only its two neighbours, through the rod and through the beam, so they are the solution
// of a system with blocks of 2 by 2 beside the diagonal only. About 200 floating-point operations and two pairs of sine and
// cosine a loop, and 144 bytes of coordinates, velocities and accelerations.
#pragma once

#include <span>
#include <vector>

class FourBarsByHand {
 public:
  explicit FourBarsByHand(int loops) : pins_(2 * static_cast<std::size_t>(loops)), bodies_(pins_.size() + 1) {}

  /// x, y, phi of the centres of mass: rod 0, beam 1, rod 1, beam 2, … rod N. Those of q and v need to satisfy the joints.
  void accelerations(std::span<const double> q, std::span<const double> v, std::span<double> a);

 private:
  struct Body {
    double nx, ny;    // across the body, left of its axis
    double spin;      // squared
    double free = 0;  // angular acceleration of a rod without forces at its top
  };
  struct Pin {
    double xx, xy, yy;  // inverse of the pivot
    double x, y;        // right-hand side, then the force: on the beam; the rod feels the opposite
    double to_next_xx, to_next_xy, to_next_yy;
  };
  std::vector<Pin> pins_;
  std::vector<Body> bodies_;
};
