#include "jounce/space/closures/loop_groups.hpp"

#include <algorithm>
#include <numeric>

#include "jounce/base/index.hpp"

namespace jounce {

std::vector<LoopGroup> loop_groups(const SpaceMechanism& mechanism, const LoopClosures& closures, Shared by) {
  const tree::Tree& tree = mechanism.tree;
  const std::size_t elements = z(closures.elements());
  // Each element knows one before it that it belongs to; the first of a group itself.
  std::vector<int> first(elements);
  std::iota(first.begin(), first.end(), 0);
  const auto root = [&](int e) {
    while (first[z(e)] != e) e = first[z(e)] = first[z(first[z(e)])];
    return e;
  };
  const auto separate = [&](int dof) { return by == Shared::passive_dofs && mechanism.dofs[z(dof)].active(); };
  std::vector<int> seen(by == Shared::links ? z(tree.size()) : mechanism.dofs.size(), -1);
  const auto meet = [&](int e, int key) {
    int& other = seen[z(key)];
    if (other < 0) other = e;
    const int a = root(e), b = root(other);
    first[z(std::max(a, b))] = std::min(a, b);
  };
  const auto each_dof = [&](int e, auto&& use) {
    for (const int link : closures.links_of(e))
      for (int k = 0; k < tree::dofs(tree.link(link).motion); ++k)
        if (const int dof = tree.link(link).v + k; !separate(dof)) use(dof);
  };
  for (int e = 0; e < static_cast<int>(elements); ++e) {
    if (by == Shared::links)
      for (const int link : closures.links_of(e)) meet(e, link);
    else
      each_dof(e, [&](int dof) { meet(e, dof); });
  }
  std::vector<LoopGroup> out;
  std::vector<int> place(elements, -1);
  for (int e = 0; e < static_cast<int>(elements); ++e) {
    int& own = place[z(root(e))];
    if (own < 0) own = static_cast<int>(out.size()), out.emplace_back();
    out[z(own)].elements.push_back(e);
    each_dof(e, [&](int dof) { out[z(own)].dofs.push_back(dof); });
  }
  for (int r = 0; r < closures.size(); ++r) out[z(place[z(root(closures.rows()[z(r)].element))])].rows.push_back(r);
  for (LoopGroup& group : out) {
    std::ranges::sort(group.dofs);
    group.dofs.erase(std::unique(group.dofs.begin(), group.dofs.end()), group.dofs.end());
  }
  return out;
}

std::vector<int> places_in_groups(std::span<const LoopGroup> groups, int dofs) {
  std::vector<int> out(z(dofs), -1);
  for (const LoopGroup& group : groups)
    for (std::size_t c = 0; c < group.dofs.size(); ++c) out[z(group.dofs[c])] = static_cast<int>(c);
  return out;
}

}  // namespace jounce
