#include "jounce/space/motion/vanishing.hpp"

#include <algorithm>

#include "jounce/base/index.hpp"
#include "jounce/tree/recursions/aba.hpp"

namespace jounce {
namespace {

/// Of an articulated inertia: a link that turns so fast that less is left has its rates grown a hundredfold.
constexpr double kVanished = 1e-4;

}  // namespace

VanishingInertia::VanishingInertia(const SpaceMechanism& mechanism)
    : mechanism_(mechanism), work_(mechanism.tree), still_(mechanism.dofs.size()), a_(still_), before_(still_), now_(still_) {}

void VanishingInertia::per_inertia(std::span<const double> q, std::span<const std::uint8_t> held, std::vector<double>& out) {
  const tree::Tree& tree = mechanism_.tree;
  std::ranges::fill(a_, 0.0);
  (void)tree::hybrid<double>(tree, work_, q.data(), still_.data(), still_.data(), held.data(), a_.data());
  for (int i = 0; i < tree.size(); ++i)
    tree::detail::each_passive(tree, work_, i, held.data(), [&](int k, const Vec3<double>&, const Vec3<double>&, double per_pivot, double) {
      out[z(tree.link(i).v + k)] = per_pivot;
    });
}

void VanishingInertia::begin(std::span<const double> q, std::span<const std::uint8_t> held) { per_inertia(q, held, before_); }

std::optional<int> VanishingInertia::find(std::span<const double> q, std::span<const std::uint8_t> held) {
  per_inertia(q, held, now_);
  std::optional<int> out;
  double most = 1 / kVanished;
  for (std::size_t dof = 0; dof < now_.size(); ++dof)
    if (const double grown = now_[dof] / before_[dof]; !held[dof] && grown > most) most = grown, out = static_cast<int>(dof);
  return out;
}

}  // namespace jounce
