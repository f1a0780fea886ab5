#include "jounce/space/rows/given_load.hpp"

#include "jounce/space/loads/body_places.hpp"

namespace jounce {

std::vector<GivenLoad> given_loads(const SpaceMechanism& mechanism, double t, std::span<const double> q,
                                   std::span<const double> v) {
  tree::Workspace<double> work(mechanism.tree);
  std::vector<tree::LinkMotion<double>> links(z(mechanism.tree.size()));
  tree::motion(mechanism.tree, work, q.data(), v.data(), work.none.data(), links.data());
  const BodyPlaces<double> places{mechanism, work, links};
  std::vector<double> quantities(mechanism.quantities.size());
  places.read(q.data(), v.data(), quantities);
  std::vector<GivenLoad> out;
  for (const SpaceForce& force : mechanism.forces) {
    tree::Wrench<double> load;
    const bool known = tree::given(force.law, t, places.place(tree::carrier(force.law), {}).axes, quantities, load);
    out.push_back(known ? GivenLoad{true, load.force, load.moment} : GivenLoad{});
  }
  return out;
}

}  // namespace jounce
