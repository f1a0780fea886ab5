#include "jounce/space/closures/parts.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/tree/dof_quantity.hpp"

namespace jounce {
namespace {

/// Parts of a combination that are worth a name.
constexpr double kTakesPart = 1e-6;

}  // namespace

ClosureParts parts_of(const SpaceMechanism& mechanism, const LoopClosures& closures, double size,
                      std::span<const std::vector<double>> combinations) {
  const std::size_t dofs = mechanism.dofs.size();
  std::vector<bool> element(z(closures.elements()), false), driver(dofs, false);
  for (const std::vector<double>& u : combinations) {
    double largest = 0;
    for (const double x : u) largest = std::max(largest, std::abs(x));
    if (!(largest > 0)) continue;
    for (std::size_t r = 0; r < u.size(); ++r)
      if (std::abs(u[r]) > kTakesPart * largest) element[z(closures.rows()[r].element)] = true;
    std::vector<double> power(dofs);
    for (std::size_t r = 0; r < u.size(); ++r) {
      const LoopClosures::Entries own = closures.row(static_cast<int>(r));
      for (std::size_t k = 0; k < own.dofs.size(); ++k) power[z(own.dofs[k])] += u[r] / largest * own.values[k] / (closures.rows()[r].metres ? size : 1.0);
    }
    for (std::size_t dof = 0; dof < dofs; ++dof) {
      if (!mechanism.dofs[dof].active()) continue;
      const double unit = dof_quantity(mechanism.tree, static_cast<int>(dof)) == tree::Quantity::length ? size : 1.0;
      if (std::abs(power[dof]) * unit > kTakesPart) driver[dof] = true;
    }
  }
  ClosureParts out;
  for (std::size_t dof = 0; dof < dofs; ++dof)
    if (const std::string& name = mechanism.joint_of(static_cast<int>(dof)).name;
        driver[dof] && std::ranges::find(out.drivers, name) == out.drivers.end())
      out.drivers.push_back(name);
  for (std::size_t e = 0; e + mechanism.idle.size() < element.size(); ++e)
    if (element[e]) out.names.push_back(closures.plain_name(static_cast<int>(e)));
  out.names.insert(out.names.end(), out.drivers.begin(), out.drivers.end());
  return out;
}

}  // namespace jounce
