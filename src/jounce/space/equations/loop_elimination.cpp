#include "jounce/space/equations/loop_elimination.hpp"

#include <algorithm>
#include <array>

#include "jounce/base/index.hpp"

namespace jounce {
namespace {

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

/// to += times row, from one column to before another; the two are never the same.
void add_row(double times, const double* __restrict row, double* __restrict to, int from, int end) {
  for (int d = from; d < end; ++d) to[d] += times * row[d];
}

/// The same of six rows that lie `apart`.
void add_six_rows(const std::array<double, 6>& times, const double* __restrict row, int apart, double* __restrict to, int from,
                  int end) {
  const double *a = row, *b = a + apart, *c = b + apart, *d = c + apart, *e = d + apart, *f = e + apart;
  for (int k = from; k < end; ++k)
    to[k] += times[0] * a[k] + times[1] * b[k] + times[2] * c[k] + (times[3] * d[k] + times[4] * e[k] + times[5] * f[k]);
}

/// Wrenches side by side, x, y and z of moments and forces by themselves, go through a dof: what is left of their drives, and
/// of them.
void go_through(const Vec3<double>& turn, const Vec3<double>& shift, const tree::Wrench<double>& push, double per_pivot,
                double* __restrict drive, double* __restrict mx, double* __restrict my, double* __restrict mz,
                double* __restrict fx, double* __restrict fy, double* __restrict fz, int from, int end) {
  for (int c = from; c < end; ++c) {
    const double left =
        drive[c] - (turn.x * mx[c] + turn.y * my[c] + turn.z * mz[c] + (shift.x * fx[c] + shift.y * fy[c] + shift.z * fz[c]));
    const double level = left * per_pivot;
    drive[c] = left;
    mx[c] += push.moment.x * level, my[c] += push.moment.y * level, mz[c] += push.moment.z * level;
    fx[c] += push.force.x * level, fy[c] += push.force.y * level, fz[c] += push.force.z * level;
  }
}

/// One number of their moments goes to the parent's origin: to += m + (b f₂ − a f₁), f₁ and f₂ the forces across and a, b the
/// arm's parts across.
void go_on(const double* __restrict f1, const double* __restrict f2, double a, double b, const double* __restrict m,
           double* __restrict to, int from, int end) {
  for (int c = from; c < end; ++c) to[c] += m[c] + (b * f2[c] - a * f1[c]);
}

}  // namespace

// ---- factors -------------------------------------------------------------------------------------------------------------

void LoopElimination::begin(std::span<const Matrix> within) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    block.within = within[b];
    block.combinations = within[b].columns;
    block.plain = within[b].columns == within[b].rows && block.light.empty();
    block.rank = block.combinations + static_cast<int>(block.light.size());
  }
  for (Visit& visit : visits_) {
    const Block& block = blocks_[z(visit.block)];
    visit.from = block.plain ? visit.first : 0, visit.to = block.plain ? visit.last : block.rank;
    for (int number = 0; number < kNumbers; ++number) {
      double* loads = &loads_[visit.load + z(number * block.size)];
      std::fill(loads + visit.from, loads + visit.to, 0.0);
    }
  }
  decides_ = 1;
  std::ranges::fill(values_, 0.0);
  combine();
}

void LoopElimination::factor(const tree::Workspace<double>& articulated, std::span<const Matrix> within) {
  begin(within);
  for (int i = tree_.size() - 1; i >= 0; --i) {
    const tree::Link& link = tree_.link(i);
    const tree::LinkWork<double>& at = articulated.links[z(i)];
    work_.links[z(i)].arm = at.arm;
    tree::detail::each_passive(tree_, articulated, i, active_.data(),
                               [&](int k, const Vec3<double>& turn, const Vec3<double>& shift, double per_pivot, double) {
                                 Dof& dof = dofs_[z(link.v + k)];
                                 dof.turn = dof.shift = {};
                                 tree::detail::add_along(link, at, k, 1.0, dof.turn, dof.shift);
                                 dof.push = {turn, shift};
                                 dof.per_pivot = per_pivot;
                                 drive_through(i, k);
                               });
    meet(i);
    leave_loads(i);
  }
  tree::ArticulatedInertia<double> ground{};
  for (const int b : complete_.back()) eliminate(blocks_[z(b)], ground);
}

void LoopElimination::factor(std::span<const double> q, std::span<const Matrix> within) {
  begin(within);
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
      if (is_light(link.v + k))
        carry_on(i, k, inertia);
      else if (passive(link.v + k))
        eliminate_dof(i, k, inertia);
    meet(i);
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
        if (block.plain) {
          drives_[first + z(i)] = block.within.at(i, i) * own.values[k];
          continue;
        }
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
  drive_through(i, k);
}

// What unit multipliers do along a dof that is eliminated.
void LoopElimination::drive_through(int i, int k) {
  const Dof dof = dofs_[z(tree_.link(i).v + k)];
  for (const int v : through_[z(i)]) {
    const Visit& visit = visits_[z(v)];
    const Block& block = blocks_[z(visit.block)];
    double* drive = &drives_[visit.drive + z(k * block.size)];
    double *m = &loads_[visit.load], *f = m + 3 * block.size;
    go_through(dof.turn, dof.shift, dof.push, dof.per_pivot, drive, m, m + block.size, m + 2 * block.size, f, f + block.size,
               f + 2 * block.size, visit.from, visit.to);
  }
}

// What its eliminated dofs make of the equations that go through a link. All six of a free link at once: a row of the matrix is
// read and written once.
void LoopElimination::meet(int i) {
  const tree::Link& link = tree_.link(i);
  const int count = tree::dofs(link.motion);
  bool all = count == 6;
  for (int k = 0; k < count; ++k) all = all && passive(link.v + k) && !is_light(link.v + k);
  for (const Pair& pair : pairs_[z(i)]) {
    const Visit &first = visits_[z(pair.first)], &second = visits_[z(pair.second)];
    const int a = blocks_[z(first.block)].size, b = blocks_[z(second.block)].size;
    double* value = &values_[meetings_[z(pair.meeting)].value];
    const auto of_a = [&](int k, int c) { return drives_[first.drive + z(k * a + c)] * dofs_[z(link.v + k)].per_pivot; };
    for (int c = first.from; c < first.to; ++c) {
      const int end = pair.first == pair.second ? c + 1 : second.to;
      const double* of_b = &drives_[second.drive];
      if (all) {
        add_six_rows({of_a(0, c), of_a(1, c), of_a(2, c), of_a(3, c), of_a(4, c), of_a(5, c)}, of_b, b, value + c * b,
                     second.from, end);
        continue;
      }
      for (int k = 0; k < count; ++k)
        if (passive(link.v + k) && !is_light(link.v + k)) add_row(of_a(k, c), of_b + k * b, value + c * b, second.from, end);
    }
  }
}

// A light dof becomes an unknown of the only block that it belongs to. With x its acceleration, what it says is Σ u_r λ_r − D x
// − Uᵀ a = −(its effort), and the equations of the block get u_r x.
void LoopElimination::carry_on(int i, int k, const tree::ArticulatedInertia<double>& inertia) {
  const tree::Link& link = tree_.link(i);
  Dof& dof = dofs_[z(link.v + k)];
  dof.turn = dof.shift = {};
  tree::detail::add_along(link, work_.links[z(i)], k, 1.0, dof.turn, dof.shift);
  dof.push = tree::detail::times(inertia, dof.turn, dof.shift);
  const auto own =
      std::ranges::find_if(through_[z(i)], [&](int v) { return visits_[z(v)].block == light_block_[z(link.v + k)]; });
  const Visit& visit = visits_[z(*own)];
  const Block& block = blocks_[z(visit.block)];
  const int x = block.combinations + light_[z(link.v + k)];
  double* value = &values_[meetings_[z(block.own)].value];
  double* drive = &drives_[visit.drive + z(k * block.size)];
  for (int c = 0; c < block.rank; ++c) {
    drive[c] -= power(load(visit, c), dof.turn, dof.shift);
    value[std::max(c, x) * block.size + std::min(c, x)] += c == x ? -power(dof.push, dof.turn, dof.shift) : drive[c];
  }
  add_load(visit, x, dof.push, 1);
}

tree::Wrench<double> LoopElimination::load(const Visit& visit, int c) const {
  const int n = blocks_[z(visit.block)].size;
  const double* own = &loads_[visit.load + z(c)];
  return {{own[0], own[n], own[2 * n]}, {own[3 * n], own[4 * n], own[5 * n]}};
}

void LoopElimination::add_load(const Visit& visit, int c, const tree::Wrench<double>& wrench, double times) {
  const int n = blocks_[z(visit.block)].size;
  double* own = &loads_[visit.load + z(c)];
  own[0] += wrench.moment.x * times, own[n] += wrench.moment.y * times, own[2 * n] += wrench.moment.z * times;
  own[3 * n] += wrench.force.x * times, own[4 * n] += wrench.force.y * times, own[5 * n] += wrench.force.z * times;
}

double& LoopElimination::light_unknown(int dof) {
  const Block& block = blocks_[z(light_block_[z(dof)])];
  return combined_[block.first + z(block.combinations + light_[z(dof)])];
}

void LoopElimination::half(const Block& block, double* x) const {
  if (block.light.empty())
    block.factors.half(x);
  else
    block.modes.half(x);
}

// The block's own multipliers, where it has arrived; later ones have to do with each other by what it leaves.
void LoopElimination::eliminate(Block& block, tree::ArticulatedInertia<double>& inertia) {
  const int rank = block.rank;
  const double* matrix = &values_[meetings_[z(block.own)].value];
  if (block.light.empty())
    block.factors.factor(matrix, rank, block.size);
  else
    block.modes.factor(matrix, rank, block.size), decides_ = std::min(decides_, block.modes.least());
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
    const Visit& arrival = visits_[z(block.arrival)];
    for (int number = 0; number < kNumbers; ++number) half(block, &loads_[arrival.load + z(number * block.size)]);
    for (int c = 0; c < rank; ++c) {
      const tree::Wrench<double> own = load(arrival, c);
      tree::detail::take_away_square(inertia, own.moment, own.force, -sign(block, c));
      for (const Neighbour& h : block.later) {
        const Block& other = blocks_[z(h.block)];
        const double* value = &values_[meetings_[z(h.meeting)].value];
        for (int d = 0; d < other.rank; ++d) add_load(visits_[z(h.visit)], d, own, -sign(block, c) * value[c * other.size + d]);
      }
    }
  }
  std::size_t next = 0;
  for (std::size_t a = 0; a < block.later.size(); ++a)
    for (std::size_t b = a; b < block.later.size(); ++b) {
      const Block &first = blocks_[z(block.later[a].block)], &second = blocks_[z(block.later[b].block)];
      const double *of_a = &values_[meetings_[z(block.later[a].meeting)].value],
                   *of_b = &values_[meetings_[z(block.later[b].meeting)].value];
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
  if (link.opens)
    tree::detail::leave<true>(inertia, {}, arm, mass, parent);
  else
    tree::detail::leave<false>(inertia, {}, arm, mass, parent);
  leave_loads(i);
}

void LoopElimination::leave_loads(int i) {
  if (tree_.link(i).parent == tree::kGround) return;
  const Vec3<double>& arm = work_.links[z(i)].arm;
  for (const int v : through_[z(i)]) {
    const Visit& visit = visits_[z(v)];
    const int n = blocks_[z(visit.block)].size;
    const double *m = &loads_[visit.load], *f = m + 3 * n;
    double *to_m = &loads_[visits_[z(visit.next)].load], *to_f = to_m + 3 * n;
    const auto own = [&](const double* three, int number) { return three + number * n; };
    go_on(own(f, 1), own(f, 2), arm.z, arm.y, own(m, 0), to_m, visit.from, visit.to);
    go_on(own(f, 2), own(f, 0), arm.x, arm.z, own(m, 1), to_m + n, visit.from, visit.to);
    go_on(own(f, 0), own(f, 1), arm.y, arm.x, own(m, 2), to_m + 2 * n, visit.from, visit.to);
    for (int number = 0; number < 3; ++number) add_row(1, own(f, number), to_f + number * n, visit.from, visit.to);
  }
}

// ---- right-hand sides ----------------------------------------------------------------------------------------------------

void LoopElimination::solve(std::span<const double> right, std::span<double> lambda, std::span<double> x,
                            std::span<const double> effort) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    for (int c = 0; c < block.combinations; ++c) {
      if (block.plain) {
        combined_[block.first + z(c)] = block.within.at(c, c) * right[z(groups_[b].rows[z(c)])];
        continue;
      }
      double sum = 0;
      for (int i = 0; i < block.within.rows; ++i) sum += block.within.at(i, c) * right[z(groups_[b].rows[z(i)])];
      combined_[block.first + z(c)] = sum;
    }
    for (std::size_t l = 0; l < block.light.size(); ++l)
      combined_[block.first + z(block.combinations) + l] = effort.empty() ? 0 : -effort[z(block.light[l])];
  }
  if (!borrows_) {  // otherwise nothing is on its way to any link
    std::ranges::fill(biases_, tree::Wrench<double>{});
    for (int i = tree_.size() - 1; i >= 0; --i) go_inward(i);
  }
  for (const int b : complete_.back()) push_on(blocks_[z(b)]);
  for (std::size_t k = complete_.back().size(); k-- > 0;) settle(blocks_[z(complete_.back()[k])], {});
  std::ranges::fill(x, 0.0);
  if (!x.empty())
    for (int i = 0; i < tree_.size(); ++i) go_outward(i, x);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    for (int i = 0; i < block.within.rows; ++i) {
      if (block.plain) {
        lambda[z(groups_[b].rows[z(i)])] = block.within.at(i, i) * combined_[block.first + z(i)];
        continue;
      }
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
  for (int c = 0; c < block.rank; ++c) add_times(biases_[z(block.at)], load(visits_[z(block.arrival)], c), own[c]);
}

// Its multipliers, when those of its neighbours and the motion of the link that carries it are known.
void LoopElimination::settle(Block& block, const Twist& motion) {
  double* own = &combined_[block.first];
  if (block.arrival >= 0)
    for (int c = 0; c < block.rank; ++c)
      own[c] += sign(block, c) * power(load(visits_[z(block.arrival)], c), motion.turn, motion.shift);
  for (const Neighbour& h : block.later) {
    const Block& other = blocks_[z(h.block)];
    const double* value = &values_[meetings_[z(h.meeting)].value];
    for (int c = 0; c < block.rank; ++c)
      for (int d = 0; d < other.rank; ++d) own[c] -= sign(block, c) * value[c * other.size + d] * combined_[other.first + z(d)];
  }
  if (block.light.empty())
    block.factors.other_half(own);
  else
    block.modes.other_half(own);
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
      for (int c = visit.from; c < visit.to; ++c)
        combined_[block.first + z(c)] -= drives_[visit.drive + z(k * block.size + c)] * level;
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
      for (int c = visit.from; c < visit.to; ++c)
        drive += drives_[visit.drive + z(k * block.size + c)] * combined_[block.first + z(c)];
    }
    const double rate = drive * dof.per_pivot;
    x[z(link.v + k)] = rate;
    motion.turn += dof.turn * rate;
    motion.shift += dof.shift * rate;
  }
  for (std::size_t b = complete_[z(i)].size(); b-- > 0;) settle(blocks_[z(complete_[z(i)][b])], motion);
}

}  // namespace jounce
