#include "jounce/tree/algorithms.hpp"

namespace jounce::tree {

template void rnea<double>(const Tree&, Workspace<double>&, const double*, const double*, const double*, double*, const Wrench<double>*,
                           Vec3<double>*);
template void crba<double>(const Tree&, Workspace<double>&, const double*, double*);
template bool aba<double>(const Tree&, Workspace<double>&, const double*, const double*, const double*, double*, const Wrench<double>*,
                          Vec3<double>*);
template bool hybrid<double>(const Tree&, Workspace<double>&, const double*, const double*, const double*, const std::uint8_t*, double*,
                             const Wrench<double>*, Vec3<double>*);
template void efforts<double>(const Tree&, const Workspace<double>&, double*);
template void respond<double>(const Tree&, Workspace<double>&, const double*, const std::uint8_t*, double*);
template void load_further<double>(const Tree&, Workspace<double>&, const double*, const std::uint8_t*, double*, const Wrench<double>*, const Vec3<double>*);
template int unmoved<double>(const Tree&, const Workspace<double>&, const std::uint8_t*);
template void motion<double>(const Tree&, Workspace<double>&, const double*, const double*, const double*, LinkMotion<double>*);
template Totals<double> totals<double>(const Tree&, const Workspace<double>&, const LinkMotion<double>*);
template bool momentum_free<double>(const Tree&, Workspace<double>&, const double*, const std::uint8_t*, double*);

}  // namespace jounce::tree
