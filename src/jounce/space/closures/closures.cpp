#include "jounce/space/closures/closures.hpp"
#include "jounce/base/index.hpp"
#include "jounce/space/closures/frame_motion.hpp"
#include "jounce/space/closures/idle_line.hpp"
#include "jounce/space/dof_direction.hpp"
#include "jounce/space/size.hpp"
#include "jounce/tree/dof_quantity.hpp"

#include <algorithm>
#include <cmath>

namespace jounce {
namespace {

int coordinate(const tree::Tree& tree, int dof) { return tree.link(tree.moved_by(dof)).q; }

}  // namespace

LoopClosures::LoopClosures(const SpaceMechanism& mechanism) : mechanism_(&mechanism) {
  const double length = mechanism.loops.empty() ? 1 : length_scale(mechanism);
  for (std::size_t l = 0; l < mechanism.loops.size(); ++l) {
    const SpaceLoop& loop = mechanism.loops[l];
    const SpaceBody &i = mechanism.bodies[z(loop.i)], &j = mechanism.bodies[z(loop.j)];
    loops_.push_back({LoopJoint(loop.steps, length), i.link, j.link, i.frame * loop.frame_i, j.frame * loop.frame_j, size()});
    const LoopJoint& joint = loops_.back().joint;
    for (int r = 0; r < joint.rows(); ++r) rows_.push_back({static_cast<int>(l), joint.metres(r)});
  }
  first_coupling_ = size();
  basis_.resize(rows_.size());
  for (std::size_t c = 0; c < mechanism.couplings.size(); ++c) {
    const bool metres = dof_quantity(mechanism.tree, mechanism.couplings[c].j) == tree::Quantity::length;
    rows_.push_back({static_cast<int>(mechanism.loops.size() + c), metres});
  }
  first_equation_ = size();
  int element = static_cast<int>(mechanism.loops.size() + mechanism.couplings.size());
  for (const SpaceEquation& equation : mechanism.equations) {
    rows_.push_back({element++, equation.metres});
    of_time_ = of_time_ || equation.law.of_time();
    const std::size_t count = equation.quantities.size();
    equations_.push_back({std::vector<Push>(count), std::vector<Series<2>>(count + 1), std::vector<double>(count + 1)});
  }
  if (!equations_.empty()) through_.resize(z(mechanism.tree.size()));
  first_idle_ = size();
  for (std::size_t k = 0; k < mechanism.idle.size(); ++k) rows_.push_back({element++, false});
  lines_.resize(mechanism.idle.size());
  residual_.assign(rows_.size(), 0.0);
  right_.assign(rows_.size(), 0.0);
  drift_.assign(rows_.size(), 0.0);
  for (std::size_t k = 0; k < mechanism.idle.size(); ++k) drift_[z(first_idle_) + k] = mechanism.idle[k].rate;
  set_pattern();
}

void LoopClosures::set_pattern() {
  const tree::Tree& tree = mechanism_->tree;
  const auto between = [&](int i, int j) {
    std::vector<int> out;
    // parents come first: the later of the two is never an ancestor of the other
    while (i != j) {
      int& later = j > i ? j : i;
      out.push_back(later);
      later = tree.link(later).parent;
    }
    return out;
  };
  for (const Loop& loop : loops_) {
    std::vector<int>& dofs = dofs_of_.emplace_back();
    for (const int link : links_of_.emplace_back(between(loop.link_i, loop.link_j)))
      for (int k = 0; k < tree::dofs(tree.link(link).motion); ++k) dofs.push_back(tree.link(link).v + k);
  }
  for (const SpaceCoupling& coupling : mechanism_->couplings) {
    const int i = tree.moved_by(coupling.i), j = tree.moved_by(coupling.j);
    links_of_.push_back(between(i, j));
    const int upper = std::min(i, j);  // where it carries the other, it moves against what carries both all the same
    if (i == j || std::ranges::find(links_of_.back(), upper) == links_of_.back().end()) links_of_.back().push_back(upper);
    dofs_of_.push_back({coupling.j});
    if (coupling.i != coupling.j) dofs_of_.back().push_back(coupling.i);
  }
  const auto add_dofs = [&](const std::vector<int>& links) {
    std::vector<int>& dofs = dofs_of_.emplace_back();
    for (const int link : links)
      for (int k = 0; k < tree::dofs(tree.link(link).motion); ++k) dofs.push_back(tree.link(link).v + k);
  };
  for (const SpaceEquation& equation : mechanism_->equations) {
    std::vector<int>& all = links_of_.emplace_back();
    for (const SpaceQuantity& u : equation.quantities) {
      const bool joint = u.of == SpaceQuantity::Of::coordinate;
      const int link = joint ? tree.moved_by(mechanism_->joints[z(u.owner)].links.v + u.pick) : mechanism_->bodies[z(u.owner)].link;
      for (const int on_the_way : between(link, tree::kGround)) all.push_back(on_the_way);
    }
    std::ranges::sort(all, std::greater<>{});  // each before what carries it
    all.erase(std::unique(all.begin(), all.end()), all.end());
    add_dofs(all);
  }
  for (const SpaceIdle& idle : mechanism_->idle) add_dofs(links_of_.emplace_back(between(mechanism_->bodies[z(idle.turns)].link, tree::kGround)));
  for (const Row& row : rows_) {
    first_.push_back(values_.size());
    values_.resize(values_.size() + dofs_of_[z(row.element)].size());
  }
}

double LoopClosures::Entries::times(std::span<const double> x) const {
  double sum = 0;
  for (std::size_t k = 0; k < dofs.size(); ++k) sum += values[k] * x[z(dofs[k])];
  return sum;
}

LoopClosures::Entries LoopClosures::row(int r) const {
  const std::vector<int>& dofs = dofs_of_[z(rows_[z(r)].element)];
  return {dofs, {values_.data() + first_[z(r)], dofs.size()}};
}

void LoopClosures::multiply(std::span<const double> x, std::span<double> out) const {
  for (int r = 0; r < size(); ++r) out[z(r)] = row(r).times(x);
}

std::vector<double> LoopClosures::jacobian() const {
  const std::size_t n = z(mechanism_->tree.dofs());
  std::vector<double> out(rows_.size() * n);
  for (int r = 0; r < size(); ++r) {
    const Entries own = row(r);
    for (std::size_t k = 0; k < own.dofs.size(); ++k) out[z(r) * n + z(own.dofs[k])] = own.values[k];
  }
  return out;
}

std::string LoopClosures::name(int element) const {
  const std::size_t loops = loops_.size(), couplings = loops + mechanism_->couplings.size(), equations = couplings + equations_.size();
  const std::size_t e = z(element);
  const char* what = e < loops ? "loop" : e < couplings ? "coupling" : e < equations ? "joint" : "idle turn of";
  return std::string(what) + " '" + plain_name(element) + "'";
}

const std::string& LoopClosures::plain_name(int element) const {
  std::size_t e = z(element);
  if (e < loops_.size()) return mechanism_->loops[e].name;
  e -= loops_.size();
  if (e < mechanism_->couplings.size()) return mechanism_->couplings[e].name;
  e -= mechanism_->couplings.size();
  if (e < equations_.size()) return mechanism_->equations[e].name;
  return mechanism_->bodies[z(mechanism_->idle[e - equations_.size()].turns)].name;
}

std::vector<std::string> LoopClosures::plain_names() const {
  std::vector<std::string> out;
  out.reserve(links_of_.size());
  for (int e = 0; e < elements() - static_cast<int>(lines_.size()); ++e) out.push_back(plain_name(e));
  return out;
}

Where LoopClosures::where(int element) const {
  std::size_t e = z(element);
  if (e < loops_.size()) return mechanism_->loops[e].where;
  e -= loops_.size();
  if (e < mechanism_->couplings.size()) return mechanism_->couplings[e].where;
  e -= mechanism_->couplings.size();
  return e < equations_.size() ? mechanism_->equations[e].where : Where{};
}

double LoopClosures::scale(int row) const {
  return row >= first_equation_ && row < first_idle_ ? mechanism_->equations[z(row - first_equation_)].scale : 1.0;
}

double LoopClosures::worst() const {
  double out = 0;
  for (const double r : residual_)
    if (!(std::abs(r) <= out)) out = std::abs(r);  // also when it is NaN
  return out;
}

void LoopClosures::evaluate(std::span<const double> q, std::span<const double> v, const tree::Workspace<double>& work,
                            std::span<const tree::LinkMotion<double>> links) {
  for (Loop& loop : loops_) evaluate_loop(loop, work, links);
  evaluate_couplings(q);
  fault_.reset();
  for (std::size_t e = 0; e < equations_.size(); ++e) evaluate_equation(e, q, v, work, links);
  evaluate_idle(work, links);
}

// What the joint itself makes of a velocity, its bias, and what the frames do at q̈ = 0 may differ by directions that the joint allows, which T does not see.
void LoopClosures::evaluate_loop(Loop& loop, const tree::Workspace<double>& work, std::span<const tree::LinkMotion<double>> links) {
  const FrameMotion<double> i = motion_of(loop.link_i, loop.frame_i, work, links), j = motion_of(loop.link_j, loop.frame_j, work, links);
  LoopJoint& joint = loop.joint;
  loop.at = j.frame.origin;
  joint.follow(inverse(i.frame) * j.frame);

  const Mat3<double>& axes = i.frame.axes;
  const RelativeMotion<double> seen = relative_motion(i, j);
  const Twist error = joint.error(), right = joint.bias(seen.velocity) - seen.acceleration;
  const auto resisted = joint.resisted();
  for (int k = 0; k < joint.rows(); ++k) {
    const int row = loop.row + k;
    const Twist& own = resisted[z(k)];
    basis_[z(row)] = {axes * own.turn, axes * own.shift};
    residual_[z(row)] = dot(own, error);
    right_[z(row)] = dot(own, right);
    fill_row(row, loop, work, links);
  }
}

// The power of a unit wrench on j, and its opposite on i, through the dofs of all links on the way from one to the other.
void LoopClosures::fill_row(int row, const Loop& loop, const tree::Workspace<double>& work,
                            std::span<const tree::LinkMotion<double>> links) {
  const tree::Tree& tree = mechanism_->tree;
  const Twist& own = basis_[z(row)];
  double* out = values_.data() + first_[z(row)];
  const auto add = [&](int i, double sign) {
    const tree::Link& link = tree.link(i);
    const Mat3<double>& axes = work.links[z(i)].axes;
    const Vec3<double> force = own.shift * sign;
    const Vec3<double> moment = own.turn * sign + cross(loop.at - links[z(i)].position, force);
    switch (link.motion) {
      case tree::Motion::revolute: out[0] = dot(axes.z, moment); break;
      case tree::Motion::prismatic: out[0] = dot(axes.z, force); break;
      case tree::Motion::screw: out[0] = dot(axes.z, moment) * link.turn + dot(axes.z, force) * link.advance; break;
      case tree::Motion::free: out[3] = dot(axes.x, force), out[4] = dot(axes.y, force), out[5] = dot(axes.z, force); [[fallthrough]];
      case tree::Motion::ball: out[0] = dot(axes.x, moment), out[1] = dot(axes.y, moment), out[2] = dot(axes.z, moment); break;
      case tree::Motion::fixed: break;
    }
    out += tree::dofs(link.motion);
  };
  // in the order of the links; what carries both frames does not matter
  for (int i = loop.link_i, j = loop.link_j; i != j;) {
    if (j > i) add(j, 1), j = tree.link(j).parent;
    else add(i, -1), i = tree.link(i).parent;
  }
}

void LoopClosures::evaluate_couplings(std::span<const double> q) {
  const tree::Tree& tree = mechanism_->tree;
  for (std::size_t c = 0; c < mechanism_->couplings.size(); ++c) {
    const SpaceCoupling& coupling = mechanism_->couplings[c];
    const std::size_t row = z(first_coupling_) + c;
    residual_[row] = q[z(coordinate(tree, coupling.j))] - coupling.ratio * q[z(coordinate(tree, coupling.i))] - coupling.offset;
    values_[first_[row]] = 1;
    if (coupling.i != coupling.j) values_[first_[row] + 1] = -coupling.ratio;  // otherwise it is held where it is: it follows itself, by a ratio of 0
  }
}

// The rate u · ω is given: u · α = −u̇ · ω.
void LoopClosures::evaluate_idle(const tree::Workspace<double>& work, std::span<const tree::LinkMotion<double>> links) {
  const tree::Tree& tree = mechanism_->tree;
  for (std::size_t k = 0; k < lines_.size(); ++k) {
    const IdleLine<double> line = line_of<double>(*mechanism_, mechanism_->idle[k], work, links);
    lines_[k] = line.along;
    const std::size_t row = z(first_idle_) + k;
    residual_[row] = 0;
    right_[row] = -(dot(line.change, line.spin) + dot(line.along, line.turn));
    double* out = &values_[first_[row]];
    for (const int l : links_of_[z(rows_[row].element)])
      for (int d = 0; d < tree::dofs(tree.link(l).motion); ++d) *out++ = dot(line.along, dof_direction<double>(tree.link(l), work.links[z(l)].axes, d, {}).turn);
  }
}

tree::Wrench<double> LoopClosures::reaction(int loop, std::span<const double> lambda) const {
  const Loop& own = loops_[z(loop)];
  Twist sum{};
  for (int row = own.row; row < own.row + own.joint.rows(); ++row) sum = sum + basis_[z(row)] * lambda[z(row)];
  return {sum.turn, sum.shift};
}

void LoopClosures::add_force(std::size_t l, std::span<const double> lambda, std::span<tree::Wrench<double>> external) const {
  const Loop& loop = loops_[l];
  tree::Wrench<double> on_j = reaction(static_cast<int>(l), lambda);
  on_j.moment += cross(loop.at, on_j.force);
  const auto add = [&](int link, double sign) {
    if (link == tree::kGround) return;
    external[z(link)].moment += on_j.moment * sign;
    external[z(link)].force += on_j.force * sign;
  };
  add(loop.link_j, 1);
  add(loop.link_i, -1);
}

void LoopClosures::add_effort(std::size_t c, std::span<const double> lambda, std::span<double> tau) const {
  const SpaceCoupling& coupling = mechanism_->couplings[c];
  const double effort = lambda[z(first_coupling_) + c];
  tau[z(coupling.j)] += effort;
  tau[z(coupling.i)] -= coupling.ratio * effort;
}

void LoopClosures::add_forces(std::span<const double> lambda, std::span<tree::Wrench<double>> external, std::span<double> tau) const {
  for (std::size_t l = 0; l < loops_.size(); ++l) add_force(l, lambda, external);
  for (std::size_t c = 0; c < mechanism_->couplings.size(); ++c) add_effort(c, lambda, tau);
  for (std::size_t e = 0; e < equations_.size(); ++e) add_pushes(e, lambda, external, tau);
  for (std::size_t k = 0; k < lines_.size(); ++k)
    external[z(mechanism_->bodies[z(mechanism_->idle[k].turns)].link)].moment += lines_[k] * lambda[z(first_idle_) + k];
}

void LoopClosures::add_forces_of(std::span<const int> elements, std::span<const double> lambda, std::span<tree::Wrench<double>> external,
                                 std::span<double> tau) const {
  const std::size_t loops = loops_.size(), couplings = loops + mechanism_->couplings.size();
  for (const int element : elements) {
    const std::size_t e = z(element);
    if (e < loops) add_force(e, lambda, external);
    else if (e < couplings) add_effort(e - loops, lambda, tau);
    else if (e < couplings + equations_.size()) add_pushes(e - couplings, lambda, external, tau);
  }
}

}  // namespace jounce
