#include "jounce/space/equations/loop_elimination.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "jounce/base/index.hpp"

namespace jounce {
namespace {

/// Of an entry of K that no passive dof belongs to.
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

void shift_to(const tree::Wrench<double>& from, const Vec3<double>& arm, tree::Wrench<double>& to) {
  to.moment += from.moment + cross(arm, from.force);
  to.force += from.force;
}

double power(const tree::Wrench<double>& wrench, const Vec3<double>& turn, const Vec3<double>& shift) {
  return dot(turn, wrench.moment) + dot(shift, wrench.force);
}

void add_times(tree::Wrench<double>& to, const tree::Wrench<double>& wrench, double times) {
  to.moment += wrench.moment * times;
  to.force += wrench.force * times;
}

/// Calls use(x) for each of its six numbers.
template <class Use>
void each_component(Use&& use) {
  for (const auto vector : {&tree::Wrench<double>::moment, &tree::Wrench<double>::force})
    for (const auto component : {&Vec3<double>::x, &Vec3<double>::y, &Vec3<double>::z}) use(vector, component);
}

}  // namespace

// ---- which block meets which, and when it is eliminated ------------------------------------------------------------------

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
    visits_.push_back({link, b, -1, loads_.size(), drives_.size()});
    loads_.resize(loads_.size() + room);
    drives_.resize(drives_.size() + room * z(dofs));
  };
  for (const int link : links) add(link), through_[z(link)].push_back(visit_of[link]);
  if (block.at != tree::kGround) add(block.at), block.arrival = visit_of[block.at];
  for (const int link : links)
    if (const int parent = tree_.link(link).parent; parent != tree::kGround) visits_[z(visit_of[link])].next = visit_of[parent];
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
  for (std::size_t b = 0; b < blocks_.size(); ++b) complete_[blocks_[b].at == tree::kGround ? through_.size() : z(blocks_[b].at)].push_back(static_cast<int>(b));
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
      for (std::size_t b = a; b < own.size(); ++b) pairs_[z(i)].push_back({own[a], own[b], meeting(visits_[z(own[a])].block, visits_[z(own[b])].block)});
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
      for (std::size_t k = h; k < block.later.size(); ++k) block.between.push_back(meeting(neighbour.block, block.later[k].block));
    }
    column_.resize(std::max(column_.size(), z(block.size)));
  }
}

// ---- factors -------------------------------------------------------------------------------------------------------------

void LoopElimination::factor(std::span<const double> q, std::span<const Matrix> within) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    block.within = within[b];
    block.combinations = within[b].columns;
    block.rank = block.combinations + static_cast<int>(block.light.size());
  }
  decides_ = 1;
  std::ranges::fill(loads_, tree::Wrench<double>{});
  std::ranges::fill(values_, 0.0);
  combine();
  tree::detail::find_turns(tree_, q.data(), work_);
  for (int i = 0; i < tree_.size(); ++i) {
    const tree::Link& link = tree_.link(i);
    tree::LinkWork<double>& at = work_.links[z(i)];
    tree::detail::place_mass(link, tree::detail::parent_of(link, work_), q.data(), work_, at);
    at.bias = {};
  }
  for (int i = tree_.size() - 1; i >= 0; --i) {
    const tree::Link& link = tree_.link(i);
    const tree::LinkWork<double>& at = work_.links[z(i)];
    tree::ArticulatedInertia<double> inertia =
        link.parental ? tree::detail::gathered<false>(at, 0) : tree::detail::gathered<true>(at, link.inertia.mass);
    for (const int b : complete_[z(i)]) eliminate(blocks_[z(b)], inertia);
    for (int k = 0; k < tree::dofs(link.motion); ++k)
      if (is_light(link.v + k)) carry_on(i, k, inertia);
      else if (passive(link.v + k)) eliminate_dof(i, k, inertia);
    leave(i, inertia);
  }
  tree::ArticulatedInertia<double> ground{};
  for (const int b : complete_.back()) eliminate(blocks_[z(b)], ground);
}

// The combinations of the equations over each dof.
void LoopElimination::combine() {
  std::ranges::fill(drives_, 0.0);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    for (int i = 0; i < block.within.rows; ++i) {
      const int r = groups_[b].rows[z(i)];
      const LoopClosures::Entries own = closures_.row(r);
      for (std::size_t k = 0; k < own.dofs.size(); ++k) {
        const std::size_t first = drive_of_[z(r)][k];
        if (first == kNowhere) continue;
        for (int c = 0; c < block.combinations; ++c) drives_[first + z(c)] += block.within.at(i, c) * own.values[k];
      }
    }
  }
}

void LoopElimination::eliminate_dof(int i, int k, tree::ArticulatedInertia<double>& inertia) {
  const tree::Link& link = tree_.link(i);
  Dof& dof = dofs_[z(link.v + k)];
  dof.turn = dof.shift = {};
  tree::detail::add_along(link, work_.links[z(i)], k, 1.0, dof.turn, dof.shift);
  dof.push = tree::detail::times(inertia, dof.turn, dof.shift);
  dof.per_pivot = 1 / power(dof.push, dof.turn, dof.shift);
  tree::detail::take_away_square(inertia, dof.push.moment, dof.push.force, dof.per_pivot);
  for (const int v : through_[z(i)]) {
    const Visit& visit = visits_[z(v)];
    const Block& block = blocks_[z(visit.block)];
    double* drive = &drives_[visit.drive + z(k * block.size)];
    for (int c = 0; c < block.rank; ++c) {
      tree::Wrench<double>& load = loads_[visit.load + z(c)];
      drive[c] -= power(load, dof.turn, dof.shift);
      add_times(load, dof.push, drive[c] * dof.per_pivot);
    }
  }
  for (const Pair& pair : pairs_[z(i)]) {
    const Visit &first = visits_[z(pair.first)], &second = visits_[z(pair.second)];
    const Block &a = blocks_[z(first.block)], &b = blocks_[z(second.block)];
    const double *of_a = &drives_[first.drive + z(k * a.size)], *of_b = &drives_[second.drive + z(k * b.size)];
    double* value = &values_[meetings_[z(pair.meeting)].value];
    for (int c = 0; c < a.rank; ++c) {
      const double x = of_a[c] * dof.per_pivot;
      const int end = pair.first == pair.second ? c + 1 : b.rank;
      for (int d = 0; d < end; ++d) value[c * b.size + d] += x * of_b[d];
    }
  }
}

// A light dof becomes an unknown of the only block that it belongs to. With x its acceleration, what it says is Σ u_r λ_r − D x − Uᵀ a = −(its effort), and the equations of the block get u_r x.
void LoopElimination::carry_on(int i, int k, const tree::ArticulatedInertia<double>& inertia) {
  const tree::Link& link = tree_.link(i);
  Dof& dof = dofs_[z(link.v + k)];
  dof.turn = dof.shift = {};
  tree::detail::add_along(link, work_.links[z(i)], k, 1.0, dof.turn, dof.shift);
  dof.push = tree::detail::times(inertia, dof.turn, dof.shift);
  const auto own = std::ranges::find_if(through_[z(i)], [&](int v) { return visits_[z(v)].block == light_block_[z(link.v + k)]; });
  const Visit& visit = visits_[z(*own)];
  const Block& block = blocks_[z(visit.block)];
  const int x = block.combinations + light_[z(link.v + k)];
  double* value = &values_[meetings_[z(block.own)].value];
  double* drive = &drives_[visit.drive + z(k * block.size)];
  for (int c = 0; c < block.rank; ++c) {
    drive[c] -= power(loads_[visit.load + z(c)], dof.turn, dof.shift);
    value[std::max(c, x) * block.size + std::min(c, x)] += c == x ? -power(dof.push, dof.turn, dof.shift) : drive[c];
  }
  add_times(loads_[visit.load + z(x)], dof.push, 1);
}

double& LoopElimination::light_unknown(int dof) {
  const Block& block = blocks_[z(light_block_[z(dof)])];
  return combined_[block.first + z(block.combinations + light_[z(dof)])];
}

void LoopElimination::half(const Block& block, double* x) const {
  if (block.light.empty()) block.factors.half(x);
  else block.modes.half(x);
}

// The block's own multipliers, where it has arrived; later ones have to do with each other by what it leaves.
void LoopElimination::eliminate(Block& block, tree::ArticulatedInertia<double>& inertia) {
  const int rank = block.rank;
  const double* matrix = &values_[meetings_[z(block.own)].value];
  if (block.light.empty()) block.factors.factor(matrix, rank, block.size);
  else block.modes.factor(matrix, rank, block.size), decides_ = std::min(decides_, block.modes.least());
  for (const Neighbour& h : block.later) {
    const Block& other = blocks_[z(h.block)];
    double* value = &values_[meetings_[z(h.meeting)].value];
    for (int d = 0; d < other.rank; ++d) {
      for (int c = 0; c < rank; ++c) column_[z(c)] = value[c * other.size + d];
      half(block, column_.data());
      for (int c = 0; c < rank; ++c) value[c * other.size + d] = column_[z(c)];
    }
  }
  if (block.arrival >= 0) {
    tree::Wrench<double>* loads = &loads_[visits_[z(block.arrival)].load];
    each_component([&](auto vector, auto component) {
      for (int c = 0; c < rank; ++c) column_[z(c)] = loads[c].*vector.*component;
      half(block, column_.data());
      for (int c = 0; c < rank; ++c) loads[c].*vector.*component = column_[z(c)];
    });
    for (int c = 0; c < rank; ++c) tree::detail::take_away_square(inertia, loads[c].moment, loads[c].force, -sign(block, c));
    for (const Neighbour& h : block.later) {
      const Block& other = blocks_[z(h.block)];
      const double* value = &values_[meetings_[z(h.meeting)].value];
      for (int d = 0; d < other.rank; ++d)
        for (int c = 0; c < rank; ++c) add_times(loads_[visits_[z(h.visit)].load + z(d)], loads[c], -sign(block, c) * value[c * other.size + d]);
    }
  }
  std::size_t next = 0;
  for (std::size_t a = 0; a < block.later.size(); ++a)
    for (std::size_t b = a; b < block.later.size(); ++b) {
      const Block &first = blocks_[z(block.later[a].block)], &second = blocks_[z(block.later[b].block)];
      const double *of_a = &values_[meetings_[z(block.later[a].meeting)].value], *of_b = &values_[meetings_[z(block.later[b].meeting)].value];
      double* value = &values_[meetings_[z(block.between[next++])].value];
      for (int c = 0; c < rank; ++c)
        for (int i = 0; i < first.rank; ++i) {
          const double x = of_a[c * first.size + i] * sign(block, c);
          const int end = a == b ? i + 1 : second.rank;
          for (int j = 0; j < end; ++j) value[i * second.size + j] -= x * of_b[c * second.size + j];
        }
    }
}

void LoopElimination::leave(int i, const tree::ArticulatedInertia<double>& inertia) {
  const tree::Link& link = tree_.link(i);
  if (link.parent == tree::kGround) return;
  const Vec3<double>& arm = work_.links[z(i)].arm;
  tree::LinkWork<double>& parent = work_.links[z(link.parent)];
  const double mass = tree_.link(link.parent).inertia.mass;
  if (link.opens) tree::detail::leave<true>(inertia, {}, arm, mass, parent);
  else tree::detail::leave<false>(inertia, {}, arm, mass, parent);
  for (const int v : through_[z(i)]) {
    const Visit& visit = visits_[z(v)];
    for (int c = 0; c < blocks_[z(visit.block)].rank; ++c) shift_to(loads_[visit.load + z(c)], arm, loads_[visits_[z(visit.next)].load + z(c)]);
  }
}

// ---- right-hand sides ----------------------------------------------------------------------------------------------------

void LoopElimination::solve(std::span<const double> right, std::span<double> lambda, std::span<double> x, std::span<const double> effort) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    for (int c = 0; c < block.combinations; ++c) {
      double sum = 0;
      for (int i = 0; i < block.within.rows; ++i) sum += block.within.at(i, c) * right[z(groups_[b].rows[z(i)])];
      combined_[block.first + z(c)] = sum;
    }
    for (std::size_t l = 0; l < block.light.size(); ++l)
      combined_[block.first + z(block.combinations) + l] = effort.empty() ? 0 : -effort[z(block.light[l])];
  }
  std::ranges::fill(biases_, tree::Wrench<double>{});
  for (int i = tree_.size() - 1; i >= 0; --i) go_inward(i);
  for (const int b : complete_.back()) push_on(blocks_[z(b)]);
  for (std::size_t k = complete_.back().size(); k-- > 0;) settle(blocks_[z(complete_.back()[k])], {});
  std::ranges::fill(x, 0.0);
  for (int i = 0; i < tree_.size(); ++i) go_outward(i, x);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    for (int i = 0; i < block.within.rows; ++i) {
      double sum = 0;
      for (int c = 0; c < block.combinations; ++c) sum += block.within.at(i, c) * combined_[block.first + z(c)];
      lambda[z(groups_[b].rows[z(i)])] = sum;
    }
  }
}

// What the right-hand side of a block is to its neighbours and to the link that carries it.
void LoopElimination::push_on(Block& block) {
  double* own = &combined_[block.first];
  half(block, own);
  for (int c = 0; c < block.rank; ++c) own[c] *= sign(block, c);
  for (const Neighbour& h : block.later) {
    const Block& other = blocks_[z(h.block)];
    const double* value = &values_[meetings_[z(h.meeting)].value];
    for (int c = 0; c < block.rank; ++c)
      for (int d = 0; d < other.rank; ++d) combined_[other.first + z(d)] -= value[c * other.size + d] * own[c];
  }
  if (block.arrival < 0) return;
  const tree::Wrench<double>* loads = &loads_[visits_[z(block.arrival)].load];
  for (int c = 0; c < block.rank; ++c) add_times(biases_[z(block.at)], loads[c], own[c]);
}

// Its multipliers, when those of its neighbours and the motion of the link that carries it are known.
void LoopElimination::settle(Block& block, const Twist& motion) {
  double* own = &combined_[block.first];
  if (block.arrival >= 0) {
    const tree::Wrench<double>* loads = &loads_[visits_[z(block.arrival)].load];
    for (int c = 0; c < block.rank; ++c) own[c] += sign(block, c) * power(loads[c], motion.turn, motion.shift);
  }
  for (const Neighbour& h : block.later) {
    const Block& other = blocks_[z(h.block)];
    const double* value = &values_[meetings_[z(h.meeting)].value];
    for (int c = 0; c < block.rank; ++c)
      for (int d = 0; d < other.rank; ++d) own[c] -= sign(block, c) * value[c * other.size + d] * combined_[other.first + z(d)];
  }
  if (block.light.empty()) block.factors.other_half(own);
  else block.modes.other_half(own);
}

void LoopElimination::go_inward(int i) {
  const tree::Link& link = tree_.link(i);
  tree::Wrench<double>& bias = biases_[z(i)];
  for (const int b : complete_[z(i)]) push_on(blocks_[z(b)]);
  for (int k = 0; k < tree::dofs(link.motion); ++k) {
    if (!passive(link.v + k)) continue;
    Dof& dof = dofs_[z(link.v + k)];
    if (is_light(link.v + k)) {
      light_unknown(link.v + k) += power(bias, dof.turn, dof.shift);
      continue;
    }
    dof.drive = -power(bias, dof.turn, dof.shift);
    const double level = dof.drive * dof.per_pivot;
    add_times(bias, dof.push, level);
    for (const int v : through_[z(i)]) {
      const Visit& visit = visits_[z(v)];
      const Block& block = blocks_[z(visit.block)];
      for (int c = 0; c < block.rank; ++c) combined_[block.first + z(c)] -= drives_[visit.drive + z(k * block.size + c)] * level;
    }
  }
  if (link.parent != tree::kGround) shift_to(bias, work_.links[z(i)].arm, biases_[z(link.parent)]);
}

void LoopElimination::go_outward(int i, std::span<double> x) {
  const tree::Link& link = tree_.link(i);
  Twist& motion = motions_[z(i)];
  motion = {};
  if (link.parent != tree::kGround) {
    const Twist& parent = motions_[z(link.parent)];
    motion = {parent.turn, parent.shift + cross(parent.turn, work_.links[z(i)].arm)};
  }
  for (int k = tree::dofs(link.motion) - 1; k >= 0; --k) {
    if (!passive(link.v + k)) continue;
    const Dof& dof = dofs_[z(link.v + k)];
    if (is_light(link.v + k)) {
      const double rate = x[z(link.v + k)] = light_unknown(link.v + k);
      motion.turn += dof.turn * rate;
      motion.shift += dof.shift * rate;
      continue;
    }
    double drive = dof.drive - power(dof.push, motion.turn, motion.shift);
    for (const int v : through_[z(i)]) {
      const Visit& visit = visits_[z(v)];
      const Block& block = blocks_[z(visit.block)];
      for (int c = 0; c < block.rank; ++c) drive += drives_[visit.drive + z(k * block.size + c)] * combined_[block.first + z(c)];
    }
    const double rate = drive * dof.per_pivot;
    x[z(link.v + k)] = rate;
    motion.turn += dof.turn * rate;
    motion.shift += dof.shift * rate;
  }
  for (std::size_t b = complete_[z(i)].size(); b-- > 0;) settle(blocks_[z(complete_[z(i)][b])], motion);
}

}  // namespace jounce
