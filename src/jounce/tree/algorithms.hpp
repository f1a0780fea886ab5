// The algorithms on one state of a tree, as free functions over a constant tree and a workspace.
//
//   rnea           efforts that an acceleration needs                    tau = H(q) qdd + C(q, v)
//   crba           joint-space inertia                                   H(q)
//   aba            accelerations, all dofs passive                       qdd = H⁻¹ (tau − C)
//   hybrid         the same with any dofs active: accelerations of the passive, then `efforts` of the active
//   joint_wrench   what the joint of a link applies on it, after `hybrid`
//   respond        H⁻¹ tau with the factors of the last `hybrid`, O(n)
//   load_further   the same with further efforts and wrenches, added to what `hybrid` found
//   motion         positions, velocities and accelerations of all links
//   totals         momentum, energy and centre of mass, after `motion`
//   momentum_free  rates that make chosen momenta zero
//
// They are templates over the scalar; those on double are compiled in the library, all others (Series, Dual, Pack) where they are
// used. None allocates, recurses, or depends on anything but its arguments.
#pragma once

#include "jounce/tree/recursions/momentum.hpp"

namespace jounce::tree {

extern template void rnea<double>(const Tree&, Workspace<double>&, const double*, const double*, const double*, double*,
                                  const Wrench<double>*, Vec3<double>*);
extern template void crba<double>(const Tree&, Workspace<double>&, const double*, double*);
extern template bool aba<double>(const Tree&, Workspace<double>&, const double*, const double*, const double*, double*,
                                 const Wrench<double>*, Vec3<double>*);
extern template bool hybrid<double>(const Tree&, Workspace<double>&, const double*, const double*, const double*, const std::uint8_t*,
                                    double*, const Wrench<double>*, Vec3<double>*);
extern template void efforts<double>(const Tree&, const Workspace<double>&, double*);
extern template void respond<double>(const Tree&, Workspace<double>&, const double*, const std::uint8_t*, double*);
extern template void load_further<double>(const Tree&, Workspace<double>&, const double*, const std::uint8_t*, double*, const Wrench<double>*, const Vec3<double>*);
extern template int unmoved<double>(const Tree&, const Workspace<double>&, const std::uint8_t*);
extern template void motion<double>(const Tree&, Workspace<double>&, const double*, const double*, const double*, LinkMotion<double>*);
extern template Totals<double> totals<double>(const Tree&, const Workspace<double>&, const LinkMotion<double>*);
extern template bool momentum_free<double>(const Tree&, Workspace<double>&, const double*, const std::uint8_t*, double*);

}  // namespace jounce::tree
