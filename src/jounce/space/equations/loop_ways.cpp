// Which block of loops meets which on its way inward, and when it is eliminated: what LoopElimination finds once, from the tree
// alone.
#include <algorithm>
#include <map>
#include <set>

#include "jounce/base/index.hpp"
#include "jounce/space/equations/loop_elimination.hpp"

namespace jounce {

LoopElimination::LoopElimination(const tree::Tree& tree, std::span<const std::uint8_t> active, const LoopClosures& closures,
                                 std::span<const LoopGroup> blocks, std::span<const int> light)
    : tree_(tree),
      active_(active),
      closures_(closures),
      groups_(blocks),
      work_(tree),
      blocks_(blocks.size()),
      through_(z(tree.size())),
      pairs_(z(tree.size())),
      complete_(z(tree.size()) + 1),
      drive_of_(z(closures.size())),
      dofs_(z(tree.dofs())),
      light_(z(tree.dofs()), -1),
      light_block_(light_),
      biases_(z(tree.size())),
      motions_(z(tree.size())) {
  for (int b = 0; b < static_cast<int>(blocks_.size()); ++b) {
    for (const int dof : light)
      if (std::ranges::binary_search(blocks[z(b)].dofs, dof)) {
        light_[z(dof)] = static_cast<int>(blocks_[z(b)].light.size());
        light_block_[z(dof)] = b;
        blocks_[z(b)].light.push_back(dof);
      }
    find_way(b);
  }
  find_order();
  find_meetings();
  borrows_ = std::ranges::all_of(blocks_, [](const Block& block) { return block.at == tree::kGround && block.light.empty(); });
}

// Through the links of its loops, and from what carries one of them on to what carries all.
void LoopElimination::find_way(int b) {
  const LoopGroup& group = groups_[z(b)];
  Block& block = blocks_[z(b)];
  const std::size_t room = group.rows.size() + block.light.size();
  block.size = static_cast<int>(room);
  block.first = combined_.size();
  combined_.resize(combined_.size() + room);
  int highest = tree_.size();
  for (const int e : group.elements)
    for (const int link : closures_.links_of(e)) highest = std::min(highest, link);
  if (highest == tree_.size()) return;  // between one link and itself
  block.at = tree_.link(highest).parent;
  std::set<int> links;
  for (const int e : group.elements)
    for (int link : closures_.links_of(e))
      for (; link != block.at && links.insert(link).second;) link = tree_.link(link).parent;
  std::map<int, int> visit_of;
  const auto add = [&](int link) {
    const int dofs = link == block.at ? 0 : tree::dofs(tree_.link(link).motion);
    visit_of[link] = static_cast<int>(visits_.size());
    visits_.push_back({link, b, -1, loads_.size(), drives_.size(), static_cast<int>(group.rows.size()), 0});
    loads_.resize(loads_.size() + kNumbers * room);
    drives_.resize(drives_.size() + room * z(dofs));
  };
  for (const int link : links) add(link), through_[z(link)].push_back(visit_of[link]);
  if (block.at != tree::kGround) add(block.at), block.arrival = visit_of[block.at];
  for (const int link : links)
    if (const int parent = tree_.link(link).parent; parent != tree::kGround) visits_[z(visit_of[link])].next = visit_of[parent];
  for (std::size_t i = 0; i < group.rows.size(); ++i)
    for (int link : closures_.links_of(closures_.rows()[z(group.rows[i])].element))
      for (;; link = tree_.link(link).parent) {
        if (link == tree::kGround) break;
        Visit& visit = visits_[z(visit_of[link])];
        visit.first = std::min(visit.first, static_cast<int>(i)), visit.last = std::max(visit.last, static_cast<int>(i) + 1);
        if (link == block.at) break;
      }
  if (block.arrival >= 0)
    visits_[z(block.arrival)].first = 0, visits_[z(block.arrival)].last = static_cast<int>(group.rows.size());
  for (const int r : group.rows)
    for (const int dof : closures_.row(r).dofs) {
      const int link = tree_.moved_by(dof);
      const Visit& visit = visits_[z(visit_of[link])];
      drive_of_[z(r)].push_back(passive(dof) ? visit.drive + z(dof - tree_.link(link).v) * room : kNowhere);
    }
}

bool LoopElimination::eliminates(int i) const {
  const tree::Link& link = tree_.link(i);
  for (int k = 0; k < tree::dofs(link.motion); ++k)
    if (passive(link.v + k)) return true;
  return false;
}

// From the last link to the ground; of those that are complete at one link the one with the fewest neighbours first.
void LoopElimination::find_order() {
  std::vector<std::set<int>> meets(blocks_.size());
  for (int i = 0; i < tree_.size(); ++i) {
    if (!eliminates(i)) continue;
    for (const int a : through_[z(i)])
      for (const int b : through_[z(i)])
        if (a != b) meets[z(visits_[z(a)].block)].insert(visits_[z(b)].block);
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    complete_[blocks_[b].at == tree::kGround ? through_.size() : z(blocks_[b].at)].push_back(static_cast<int>(b));
  order_.resize(blocks_.size());
  int position = 0;
  const auto arrange = [&](std::vector<int>& blocks) {
    std::set<std::pair<std::size_t, int>> waiting;
    for (const int b : blocks) waiting.insert({meets[z(b)].size(), b});
    blocks.clear();
    while (!waiting.empty()) {
      const int b = waiting.begin()->second;
      waiting.erase(waiting.begin());
      blocks.push_back(b);
      order_[z(b)] = position++;
      const std::set<int> beyond = meets[z(b)];
      for (const int h : beyond) {
        const bool waits = waiting.erase({meets[z(h)].size(), h}) > 0;
        meets[z(h)].erase(b);
        for (const int k : beyond)
          if (k != h) meets[z(h)].insert(k);
        if (waits) waiting.insert({meets[z(h)].size(), h});
        blocks_[z(b)].later.push_back({h, 0, -1});
      }
    }
  };
  for (std::size_t i = through_.size(); i-- > 0;) arrange(complete_[i]);
  arrange(complete_.back());
}

void LoopElimination::find_meetings() {
  std::map<std::pair<int, int>, int> known;
  const auto meeting = [&](int a, int b) {
    if (order_[z(a)] > order_[z(b)]) std::swap(a, b);
    const auto [it, added] = known.insert({{a, b}, static_cast<int>(meetings_.size())});
    if (added) {
      meetings_.push_back({a, b, values_.size()});
      values_.resize(values_.size() + z(blocks_[z(a)].size) * z(blocks_[z(b)].size));
    }
    return it->second;
  };
  for (int i = 0; i < tree_.size(); ++i) {
    std::vector<int>& own = through_[z(i)];
    if (!eliminates(i)) continue;
    std::ranges::sort(own, {}, [&](int v) { return order_[z(visits_[z(v)].block)]; });
    for (std::size_t a = 0; a < own.size(); ++a)
      for (std::size_t b = a; b < own.size(); ++b)
        pairs_[z(i)].push_back({own[a], own[b], meeting(visits_[z(own[a])].block, visits_[z(own[b])].block)});
  }
  std::map<std::pair<int, int>, int> visit_at;
  for (std::size_t v = 0; v < visits_.size(); ++v) visit_at[{visits_[v].link, visits_[v].block}] = static_cast<int>(v);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    block.own = meeting(static_cast<int>(b), static_cast<int>(b));
    std::ranges::sort(block.later, {}, [&](const Neighbour& n) { return order_[z(n.block)]; });
    for (std::size_t h = 0; h < block.later.size(); ++h) {
      Neighbour& neighbour = block.later[h];
      neighbour.meeting = meeting(static_cast<int>(b), neighbour.block);
      if (block.at != tree::kGround) neighbour.visit = visit_at.at({block.at, neighbour.block});
      for (std::size_t k = h; k < block.later.size(); ++k)
        block.between.push_back(meeting(neighbour.block, block.later[k].block));
    }
    column_.resize(std::max(column_.size(), z(block.size)));
  }
}

}  // namespace jounce
