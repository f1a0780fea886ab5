#include "jounce/space/equations/shared_reactions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/math/rows.hpp"
#include "jounce/space/dof_direction.hpp"

namespace jounce {
namespace {

/// A reaction with a smaller share than this in every way to carry nothing is unique: what is left is rounding. As in the plane.
constexpr double kOpenShare = 1e-7;
/// Directions of a joint of which one is nearer than this to what the others span do not tell its dofs apart.
constexpr double kSameDirection = 1e-8;
/// What reactions have along a way to carry nothing is rounding below this part of all of them: they are the least already.
constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
constexpr int kWrench = 6;

double product_of(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Six six(const Vec3<double>& a, const Vec3<double>& b) { return {a.x, a.y, a.z, b.x, b.y, b.z}; }

void take_along(std::span<const Six> from, Six& x) {
  for (const Six& along : from) {
    const double part = product_of(along, x);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] -= part * along[k];
  }
}

// Vectors of length 1, square to each other, that span the same.
std::vector<Six> orthonormal(std::span<const Twist> directions, double length) {
  std::vector<Six> out;
  for (const Twist& direction : directions) {
    Six x = six(direction.turn * length, direction.shift);
    const double whole = std::sqrt(product_of(x, x));
    for (int pass = 0; pass < 2; ++pass) take_along(out, x);  // once is not square to rounding
    const double left = std::sqrt(product_of(x, x));
    if (!(left > kSameDirection * whole)) continue;
    for (double& component : x) component /= left;
    out.push_back(x);
  }
  return out;
}

// A basis that comes of squares of the gradients is off by rounding over the square of the smallest of them. What the equations say of `out` all the
// same is taken from it along `within`: out −= W (G W)⁺ G out.
void polish(const Matrix& within, const Matrix& gradients, Matrix& out) {
  if (within.columns == 0) return;
  const Matrix own = times(gradients, within), rest = times(gradients, out);
  Matrix along(own.columns, rest.columns);
  for (int k = 0; k < rest.columns; ++k) std::ranges::copy(transposed_times(own, rest.column(k)), &along.at(0, k));
  CholeskyFactors factors;
  if (!factors.factor(gram(own), 0)) return;
  factors.solve(along);
  const Matrix change = times(within, along);
  for (std::size_t i = 0; i < out.value.size(); ++i) out.value[i] -= change.value[i];
}

// Where a point of a link is.
Vec3<double> point_of(const SharedReactions::Instant& at, int link, const Vec3<double>& own) {
  return link == tree::kGround ? own : at.links[z(link)].position + at.work.links[z(link)].axes * own;
}

void add_times(std::span<double> to, std::span<const double> x, double times) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += x[i] * times;
}

}  // namespace

Matrix without_effect(Matrix within, std::span<const double> unit, const Matrix& gradients) {
  const int m = within.rows, left = m - within.columns;
  for (int r = 0; r < m; ++r)
    for (int k = 0; k < within.columns; ++k) within.at(r, k) *= unit[z(r)];
  Matrix seen(m, m), out(m, left);
  for (int r = 0; r < m; ++r)
    for (int c = 0; c <= r; ++c)
      for (int k = 0; k < within.columns; ++k) seen.at(r, c) += within.at(r, k) * within.at(c, k);
  const Matrix modes = symmetric_eigen(seen).vectors;  // those that are not seen first
  for (int k = 0; k < left; ++k)
    for (int r = 0; r < m; ++r) out.at(r, k) = modes.at(r, k);
  polish(within, gradients, out);
  for (int r = 0; r < m; ++r)
    for (int k = 0; k < left; ++k) out.at(r, k) /= unit[z(r)];
  return out;
}

void Reactions::add(const Reactions& other, double times) {
  for (std::size_t j = 0; j < joints.size(); ++j) {
    joints[j].force += other.joints[j].force * times;
    joints[j].moment += other.joints[j].moment * times;
  }
  add_times(efforts, other.efforts, times);
  add_times(lambda, other.lambda, times);
}

void OpenReactions::add(const OpenReactions& other) {
  const auto either = [](std::vector<std::uint8_t>& own, const std::vector<std::uint8_t>& more) {
    own.resize(std::max(own.size(), more.size()));
    for (std::size_t i = 0; i < more.size(); ++i) own[i] |= more[i];
  };
  either(joints, other.joints), either(dofs, other.dofs), either(loops, other.loops), either(couplings, other.couplings), either(equations, other.equations);
}

std::vector<std::string> OpenReactions::names(const SpaceMechanism& mechanism) const {
  std::vector<std::string> out;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const SpaceJoint& joint = mechanism.joints[j];
    if (joints[j]) out.push_back(joint.name);
    for (int k = 0; k < joint.links.dofs; ++k) {
      const std::string label = mechanism.dof_label(joint.links.v + k);
      if (dofs[z(joint.links.v + k)] && !(joints[j] && label == joint.name)) out.push_back(label);
    }
  }
  for (std::size_t l = 0; l < loops.size(); ++l)
    if (loops[l]) out.push_back(mechanism.loops[l].name);
  for (std::size_t c = 0; c < couplings.size(); ++c)
    if (couplings[c]) out.push_back(mechanism.couplings[c].name);
  for (std::size_t e = 0; e < equations.size(); ++e)
    if (equations[e]) out.push_back(mechanism.equations[e].name);
  return out;
}

std::vector<std::string> OpenReactions::actuators(const SpaceMechanism& mechanism) const {
  std::vector<std::string> out;
  for (std::size_t dof = 0; dof < dofs.size(); ++dof)
    if (dofs[dof] && mechanism.dofs[dof].actuated) out.push_back(mechanism.dof_label(static_cast<int>(dof)));
  return out;
}

SharedReactions::SharedReactions(const SpaceMechanism& mechanism, const Instant& at, std::span<const LoopGroup> groups, std::span<const PushingNothing> none,
                                 std::span<const std::uint8_t> exerts, double length)
    : mechanism_(&mechanism),
      exerts_(exerts.begin(), exerts.end()),
      length_(length),
      joints_(mechanism.joints.size()),
      loops_(mechanism.loops.size()),
      unit_(mechanism.dofs.size()),
      joint_of_link_(z(mechanism.tree.size())),
      through_(z(mechanism.tree.size())),
      passed_on_(mechanism.dofs.size()) {
  open_ = {std::vector<std::uint8_t>(joints_.size()), std::vector<std::uint8_t>(unit_.size()), std::vector<std::uint8_t>(loops_.size()),
           std::vector<std::uint8_t>(mechanism.couplings.size()), std::vector<std::uint8_t>(mechanism.equations.size())};
  for (std::size_t j = 0; j < joints_.size(); ++j)
    for (int l = mechanism.joints[j].links.first; l <= mechanism.joints[j].links.last; ++l) joint_of_link_[z(l)] = static_cast<int>(j);
  std::vector<std::size_t> group_of_row(z(at.closures.size()));
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const int r : groups[g].rows) group_of_row[z(r)] = g;
  std::vector<std::vector<const PushingNothing*>> within(groups.size());
  for (const PushingNothing& own : none)
    if (own.sets.columns > 0) within[group_of_row[z(own.rows.front())]].push_back(&own);
  std::vector<double> lambda(group_of_row.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (within[g].empty()) continue;
    Group& group = groups_.emplace_back(group_of(at, groups[g]));
    find_directions(at, group);
    for (const PushingNothing* own : within[g])
      for (int w = 0; w < own->sets.columns; ++w) {
        for (std::size_t r = 0; r < own->rows.size(); ++r) lambda[z(own->rows[r])] = own->sets.at(static_cast<int>(r), w);
        Way way{answer_to(at, group, lambda), {}};
        for (const int r : own->rows) lambda[z(r)] = 0;
        way.counted = counted(group, way.by);
        group.ways.push_back(std::move(way));
      }
    make_orthonormal(group.ways);
    find_open(group);
  }
}

SharedReactions::Group SharedReactions::group_of(const Instant& at, const LoopGroup& loops) const {
  Group out;
  out.rows = loops.rows;
  const int count = static_cast<int>(loops_.size()), couplings = count + static_cast<int>(mechanism_->couplings.size());
  for (const int e : loops.elements) {
    if (e < count) out.loops.push_back(e);
    else if (e < couplings) out.couplings.push_back(e - count);
    else if (z(e - couplings) < mechanism_->equations.size()) out.equations.push_back(e - couplings);  // an idle turn shares nothing
    out.elements.push_back(e);
    for (const int link : at.closures.links_of(e)) out.links.push_back(link);
  }
  const auto once = [](std::vector<int>& of) {
    std::ranges::sort(of);
    of.erase(std::unique(of.begin(), of.end()), of.end());
  };
  once(out.links);
  for (const int link : out.links) out.joints.push_back(joint_of_link_[z(link)]);
  once(out.joints);
  for (const int j : out.joints) {
    const tree::Attached& links = mechanism_->joints[z(j)].links;
    for (int dof = links.v; dof < links.v + links.dofs; ++dof)
      if (exerts_[z(dof)]) out.dofs.push_back(dof);
  }
  return out;
}

void SharedReactions::find_directions(const Instant& at, const Group& group) {
  for (const int j : group.joints) {
    const tree::Attached& links = mechanism_->joints[z(j)].links;
    Joint& joint = joints_[z(j)];
    joint.at = at.links[z(links.last)].position + at.work.links[z(links.last)].axes * links.successor.origin;
    joint.allowed.resize(z(links.dofs));
    for (int l = links.first; l <= links.last; ++l) {
      const tree::Link& link = mechanism_->tree.link(l);
      const Mat3<double>& axes = at.work.links[z(l)].axes;
      for (int k = 0; k < tree::dofs(link.motion); ++k) {
        joint.allowed[z(link.v + k - links.v)] = dof_direction(link, axes, k, joint.at - at.links[z(l)].position);
        const Twist own = dof_direction(link, axes, k, {});
        unit_[z(link.v + k)] = std::sqrt(dot(own.turn, own.turn) * length_ * length_ + dot(own.shift, own.shift));
      }
    }
    const SpaceJoint& own = mechanism_->joints[z(j)];
    joint.to_middle = (point_of(at, mechanism_->bodies[z(own.parent)].link, own.frame.origin) - joint.at) * 0.5;
    std::vector<Twist> about_middle = joint.allowed;
    for (Twist& direction : about_middle) direction.shift += cross(direction.turn, joint.to_middle);
    joint.free = orthonormal(about_middle, length_);
  }
  for (const int l : group.loops) {
    const LoopClosures::Loop& loop = at.closures.loops()[z(l)];
    const auto own = at.closures.basis().subspan(z(loop.row), z(loop.joint.rows()));
    loops_[z(l)] = {{own.begin(), own.end()}, (point_of(at, loop.link_i, loop.frame_i.origin) - loop.at) * 0.5};
  }
}

// What joints have to hold when the loops and couplings of a group push like this and nothing is to move. What carries the whole group has nothing to hold.
Reactions SharedReactions::answer_to(const Instant& at, const Group& group, std::span<const double> lambda) {
  const tree::Tree& tree = mechanism_->tree;
  at.closures.add_forces_of(group.elements, lambda, through_, passed_on_);
  for (std::size_t l = group.links.size(); l-- > 0;) {
    const int link = group.links[l], parent = tree.link(link).parent;
    if (parent == tree::kGround) continue;
    through_[z(parent)].force += through_[z(link)].force;
    through_[z(parent)].moment += through_[z(link)].moment;
  }
  Reactions out;
  for (const int r : group.rows) out.lambda.push_back(lambda[z(r)]);
  for (const int j : group.joints) {
    const Joint& joint = joints_[z(j)];
    const tree::Attached& links = mechanism_->joints[z(j)].links;
    const tree::Wrench<double>& pushed = through_[z(links.last)];
    const tree::Wrench<double> held{cross(joint.at, pushed.force) - pushed.moment, -pushed.force};
    out.joints.push_back(held);
    for (std::size_t k = 0; k < joint.allowed.size(); ++k) {
      const auto dof = z(links.v) + k;
      if (exerts_[dof])
        out.efforts.push_back(dot(joint.allowed[k].turn, held.moment) + dot(joint.allowed[k].shift, held.force) - passed_on_[dof]);
    }
  }
  for (const int link : group.links) {
    through_[z(link)] = {};
    if (const int parent = tree.link(link).parent; parent != tree::kGround) through_[z(parent)] = {};
  }
  for (const int l : group.loops)
    for (const int link : {at.closures.loops()[z(l)].link_i, at.closures.loops()[z(l)].link_j})
      if (link != tree::kGround) through_[z(link)] = {};
  for (const int c : group.couplings) passed_on_[z(mechanism_->couplings[z(c)].i)] = passed_on_[z(mechanism_->couplings[z(c)].j)] = 0;
  for (const int e : group.equations)
    for (const LoopClosures::Push& push : at.closures.pushes(e))
      if (push.dof >= 0) passed_on_[z(push.dof)] = 0;
  return out;
}

std::vector<double> SharedReactions::counted(const Group& group, const Reactions& of) const {
  std::vector<double> out;
  const auto put = [&](const Six& x) { out.insert(out.end(), x.begin(), x.end()); };
  const auto about = [&](const Vec3<double>& away, const Vec3<double>& moment, const Vec3<double>& force) {
    return six((moment - cross(away, force)) * (1 / length_), force);
  };
  for (std::size_t j = 0; j < group.joints.size(); ++j) {
    const Joint& joint = joints_[z(group.joints[j])];
    Six wrench = about(joint.to_middle, of.joints[j].moment, of.joints[j].force);
    take_along(joint.free, wrench);
    put(wrench);
  }
  for (std::size_t k = 0; k < group.dofs.size(); ++k) out.push_back(of.efforts[k] / unit_[z(group.dofs[k])]);
  std::size_t row = 0;
  for (const int l : group.loops) {
    Twist sum{};
    for (const Twist& own : loops_[z(l)].resisted) sum = sum + own * of.lambda[row++];
    put(about(loops_[z(l)].to_middle, sum.turn, sum.shift));
  }
  for (const int c : group.couplings) out.push_back(of.lambda[row++] / unit_[z(mechanism_->couplings[z(c)].j)]);
  for (const int e : group.equations) out.push_back(of.lambda[row++] / (mechanism_->equations[z(e)].metres ? 1 : length_));
  return out;
}

// Gram and Schmidt, twice: once is not square to rounding.
void SharedReactions::make_orthonormal(std::vector<Way>& ways) {
  for (std::size_t w = 0; w < ways.size(); ++w) {
    Way& own = ways[w];
    const auto take = [&](const Way& other, double part) {
      own.by.add(other.by, -part);
      add_times(own.counted, other.counted, -part);
    };
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t before = 0; before < w; ++before) take(ways[before], product_of(ways[before].counted, own.counted));
      take(own, 1 - 1 / std::sqrt(product_of(own.counted, own.counted)));
    }
  }
}

void SharedReactions::find_open(const Group& group) {
  std::size_t row = 0;
  const auto next = [&](int rows) {
    double share = 0;
    for (int r = 0; r < rows; ++r, ++row)
      for (const Way& way : group.ways) share = std::hypot(share, way.counted[row]);
    return static_cast<std::uint8_t>(share < kOpenShare ? 0 : 1);
  };
  for (const int j : group.joints) open_.joints[z(j)] = next(kWrench);
  for (const int dof : group.dofs) open_.dofs[z(dof)] = next(1);
  for (const int l : group.loops) open_.loops[z(l)] = next(kWrench);
  for (const int c : group.couplings) open_.couplings[z(c)] = next(1);
  for (const int e : group.equations) open_.equations[z(e)] = next(1);
}

Reactions SharedReactions::least(Reactions carried) const {
  for (const Group& group : groups_) {
    Reactions own;
    for (const int j : group.joints) own.joints.push_back(carried.joints[z(j)]);
    for (const int dof : group.dofs) own.efforts.push_back(carried.efforts[z(dof)]);
    for (const int r : group.rows) own.lambda.push_back(carried.lambda[z(r)]);
    const std::vector<double> all = counted(group, own);
    const double rounding = kRounding * std::sqrt(product_of(all, all));
    for (const Way& way : group.ways)
      if (const double along = product_of(way.counted, all); std::abs(along) > rounding) own.add(way.by, -along);
    for (std::size_t k = 0; k < group.joints.size(); ++k) carried.joints[z(group.joints[k])] = own.joints[k];
    for (std::size_t k = 0; k < group.dofs.size(); ++k) carried.efforts[z(group.dofs[k])] = own.efforts[k];
    for (std::size_t k = 0; k < group.rows.size(); ++k) carried.lambda[z(group.rows[k])] = own.lambda[k];
  }
  return carried;
}

}  // namespace jounce
