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
  either(joints, other.joints), either(dofs, other.dofs), either(loops, other.loops), either(couplings, other.couplings);
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
  return out;
}

std::vector<std::string> OpenReactions::actuators(const SpaceMechanism& mechanism) const {
  std::vector<std::string> out;
  for (std::size_t dof = 0; dof < dofs.size(); ++dof)
    if (dofs[dof] && mechanism.dofs[dof].actuated) out.push_back(mechanism.dof_label(static_cast<int>(dof)));
  return out;
}

SharedReactions::SharedReactions(const SpaceMechanism& mechanism, const Instant& at, const Matrix& none, std::span<const std::uint8_t> exerts, double length)
    : mechanism_(&mechanism), exerts_(exerts.begin(), exerts.end()), length_(length), joints_(mechanism.joints.size()), unit_(mechanism.dofs.size()) {
  find_directions(at);
  for (int w = 0; w < none.columns; ++w) {
    Way way{answer_to(at, none.column(w)), {}};
    way.counted = counted(way.by);
    ways_.push_back(std::move(way));
  }
  make_orthonormal();
  find_open();
}

void SharedReactions::find_directions(const Instant& at) {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const tree::Attached& links = mechanism_->joints[j].links;
    Joint& joint = joints_[j];
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
    const SpaceJoint& own = mechanism_->joints[j];
    joint.to_middle = (point_of(at, mechanism_->bodies[z(own.parent)].link, own.frame.origin) - joint.at) * 0.5;
    std::vector<Twist> about_middle = joint.allowed;
    for (Twist& direction : about_middle) direction.shift += cross(direction.turn, joint.to_middle);
    joint.free = orthonormal(about_middle, length_);
  }
  for (const LoopClosures::Loop& loop : at.closures.loops()) {
    const auto own = at.closures.basis().subspan(z(loop.row), z(loop.joint.rows()));
    loops_.push_back({{own.begin(), own.end()}, (point_of(at, loop.link_i, loop.frame_i.origin) - loop.at) * 0.5});
  }
}

// What joints have to hold when loops and couplings push like this and nothing is to move.
Reactions SharedReactions::answer_to(const Instant& at, std::span<const double> lambda) const {
  const tree::Tree& tree = mechanism_->tree;
  std::vector<tree::Wrench<double>> through(z(tree.size()));  // what carries a link takes over, about the ground's origin
  std::vector<double> passed_on(mechanism_->dofs.size());     // by couplings
  at.closures.add_forces(lambda, through, passed_on);
  for (int l = tree.size() - 1; l >= 0; --l) {
    const int parent = tree.link(l).parent;
    if (parent == tree::kGround) continue;
    through[z(parent)].force += through[z(l)].force;
    through[z(parent)].moment += through[z(l)].moment;
  }
  Reactions out{{}, std::vector<double>(passed_on.size()), {lambda.begin(), lambda.end()}};
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& joint = joints_[j];
    const tree::Attached& links = mechanism_->joints[j].links;
    const tree::Wrench<double>& pushed = through[z(links.last)];
    const tree::Wrench<double> held{cross(joint.at, pushed.force) - pushed.moment, -pushed.force};
    out.joints.push_back(held);
    for (std::size_t k = 0; k < joint.allowed.size(); ++k) {
      const auto dof = z(links.v) + k;
      if (exerts_[dof])
        out.efforts[dof] = dot(joint.allowed[k].turn, held.moment) + dot(joint.allowed[k].shift, held.force) - passed_on[dof];
    }
  }
  return out;
}

std::vector<double> SharedReactions::counted(const Reactions& of) const {
  std::vector<double> out;
  const auto put = [&](const Six& x) { out.insert(out.end(), x.begin(), x.end()); };
  const auto about = [&](const Vec3<double>& away, const Vec3<double>& moment, const Vec3<double>& force) {
    return six((moment - cross(away, force)) * (1 / length_), force);
  };
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& joint = joints_[j];
    Six wrench = about(joint.to_middle, of.joints[j].moment, of.joints[j].force);
    take_along(joint.free, wrench);
    put(wrench);
  }
  for (std::size_t dof = 0; dof < unit_.size(); ++dof) out.push_back(exerts_[dof] ? of.efforts[dof] / unit_[dof] : 0);
  std::size_t row = 0;
  for (const Loop& loop : loops_) {
    Twist sum{};
    for (const Twist& own : loop.resisted) sum = sum + own * of.lambda[row++];
    put(about(loop.to_middle, sum.turn, sum.shift));
  }
  for (const SpaceCoupling& coupling : mechanism_->couplings) out.push_back(of.lambda[row++] / unit_[z(coupling.j)]);
  return out;
}

// Gram and Schmidt, twice: once is not square to rounding.
void SharedReactions::make_orthonormal() {
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    Way& own = ways_[w];
    const auto take = [&](const Way& other, double part) {
      own.by.add(other.by, -part);
      add_times(own.counted, other.counted, -part);
    };
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t before = 0; before < w; ++before) take(ways_[before], product_of(ways_[before].counted, own.counted));
      take(own, 1 - 1 / std::sqrt(product_of(own.counted, own.counted)));
    }
  }
}

void SharedReactions::find_open() {
  std::size_t row = 0;
  const auto next = [&](int rows) {
    double share = 0;
    for (int r = 0; r < rows; ++r, ++row)
      for (const Way& way : ways_) share = std::hypot(share, way.counted[row]);
    return static_cast<std::uint8_t>(share < kOpenShare ? 0 : 1);
  };
  for (std::size_t j = 0; j < joints_.size(); ++j) open_.joints.push_back(next(kWrench));
  for (std::size_t dof = 0; dof < unit_.size(); ++dof) open_.dofs.push_back(next(1));
  for (std::size_t l = 0; l < loops_.size(); ++l) open_.loops.push_back(next(kWrench));
  for (std::size_t c = 0; c < mechanism_->couplings.size(); ++c) open_.couplings.push_back(next(1));
}

Reactions SharedReactions::least(Reactions carried) const {
  const std::vector<double> own = counted(carried);
  const double rounding = kRounding * std::sqrt(product_of(own, own));
  for (const Way& way : ways_)
    if (const double along = product_of(way.counted, own); std::abs(along) > rounding) carried.add(way.by, -along);
  return carried;
}

}  // namespace jounce
