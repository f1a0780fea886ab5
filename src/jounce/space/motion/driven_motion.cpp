#include "jounce/space/motion/driven_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/space/closures/parts.hpp"
#include "jounce/space/motion/ways.hpp"
#include "jounce/space/prescribed.hpp"
#include "jounce/space/size.hpp"
#include "jounce/tree/dof_quantity.hpp"

namespace jounce {
namespace {

constexpr int kNewtonIterations = 25;
/// A correction this small is rounding.
constexpr double kNoCorrection = 4e-15;
/// Close to a singular position rounding is larger; corrections that stop shrinking below this are accepted.
constexpr double kSmallCorrection = 1e-9;
/// A motion that was tried out is one where loops and couplings hold to this, in mechanism sizes or radians.
constexpr double kClosed = 1e-11;
/// Velocities that agree to this, likewise, say nothing of who contradicts whom.
constexpr double kSameVelocity = 1e-12;
/// Columns of the scaled K that are dependent to this part leave a motion open.
constexpr double kOpen = 1e-10;
/// At a singular position that was found numerically, they are dependent to this.
constexpr double kNearlyOpen = 1e-6;
/// Parts of a motion that are worth a name.
constexpr double kTakesPart = 1e-6;
/// The shortest series there is that has velocities.
constexpr int kVelocityOrder = 4;
/// How far an open motion is tried out, in mechanism sizes and radians.
constexpr double kTrial = 1e-2;

}  // namespace

SpaceDrivenMotion::SpaceDrivenMotion(const SpaceMechanism& mechanism, int order)
    : mechanism_(mechanism), equations_(mechanism), order_(order), length_(length_scale(mechanism)) {
  const tree::Tree& tree = mechanism.tree;
  for (int dof = 0; dof < tree.dofs(); ++dof) units_.push_back(dof_quantity(tree, dof) == tree::Quantity::length ? length_ : 1.0);
  trial_.resize(z(tree.coordinates()));
  way_.resize(z(tree.dofs())), none_ = v_ = a_ = way_;
  right_.resize(z(equations_.closures().size()));
  place_ = places_in_groups(equations_.groups(), tree.dofs());
}

void SpaceDrivenMotion::move(std::span<double> q, std::span<const double> way) const { tree::move(mechanism_.tree, q, way); }

void SpaceDrivenMotion::difference(std::span<const double> from, std::span<const double> to, std::span<double> way) const {
  tree::difference(mechanism_.tree, from, to, way);
}

double SpaceDrivenMotion::size(std::span<const double> way) const {
  double largest = 0;
  for (std::size_t k = 0; k < way.size(); ++k)
    if (const double s = std::abs(way[k]) / units_[k]; !(s <= largest)) largest = s;  // keeps NaN
  return largest;
}

double SpaceDrivenMotion::reach(std::span<const double> q) const {
  double largest = 0;
  for (const double x : q) largest = std::max(largest, std::abs(x));
  return largest;
}

DrivenMotion::Solved SpaceDrivenMotion::position(double t, std::span<double> q) {
  std::ranges::copy(q, trial_.begin());
  t_ = t;
  if (equations_.prescribe(t, trial_, v_, a_)) return Solved::undefined;
  const LoopClosures& closures = equations_.closures();
  if (closures.size() == 0) return std::ranges::copy(trial_, q.begin()), Solved::yes;
  const int passive = static_cast<int>(equations_.passive_dofs().size());
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * reach(q);
  double before = 0;
  for (int i = 0; i < kNewtonIterations; ++i) {
    equations_.evaluate_closures(trial_, none_);
    if (without_value_ = closures.fault(); without_value_) return Solved::diverged;
    for (std::size_t r = 0; r < right_.size(); ++r) right_[r] = -closures.residual()[r];
    std::ranges::fill(way_, 0.0);
    rank_ = equations_.follow(right_, way_);
    ++factorisations_;
    if (rank_ < passive) return Solved::singular;
    const double correction = size(way_);
    if (!std::isfinite(correction) || (i > 1 && correction > before && correction > kSmallCorrection + rounding)) return Solved::diverged;
    tree::move(mechanism_.tree, trial_, way_);
    if (correction <= kNoCorrection + rounding || (i > 0 && correction > 0.3 * before && correction <= kSmallCorrection)) {
      equations_.evaluate_closures(trial_, none_);
      if (!(misfit(closures.residual()) <= kRedundantMisfit + rounding)) return Solved::diverged;
      std::ranges::copy(trial_, q.begin());
      return Solved::yes;
    }
    before = correction;
  }
  return Solved::diverged;
}

double SpaceDrivenMotion::misfit(std::span<const double> of_rows) const {
  double most = 0;
  for (std::size_t r = 0; r < of_rows.size(); ++r)
    if (const double x = std::abs(of_rows[r]) / row_unit(r); !(x <= most)) most = x;  // keeps NaN
  return most;
}

void SpaceDrivenMotion::orders(std::span<double> ways) {
  Ways found = find_ways(equations_, t_, trial_, order_, ways);
  velocity_misfit_ = misfit(found.misfit);
  without_value_ = std::move(found.without_value);
}

void SpaceDrivenMotion::rates(double t, std::span<const double> q, std::span<double> v, std::span<double> a) {
  std::ranges::copy(q, trial_.begin());
  (void)equations_.prescribe(t, trial_, v, a);
  if (equations_.closures().size() == 0) return;
  equations_.evaluate_closures(q, none_);
  (void)equations_.follow(equations_.closures().drift(), v);
  equations_.evaluate_closures(q, v);
  (void)equations_.follow(equations_.closures().right(), a);
}

DenseMatrix SpaceDrivenMotion::scaled(const LoopGroup& group) const {
  DenseMatrix out(static_cast<int>(group.rows.size()), static_cast<int>(group.dofs.size()));
  each_entry(equations_.closures(), group, place_,
             [&](int r, int c, int dof, double value) { out.at(r, c) = value * units_[z(dof)] / row_unit(z(group.rows[z(r)])); });
  return out;
}

double SpaceDrivenMotion::regularity(int /*iterations*/) {
  if (free_dofs() > 0) return 0;
  double least = equations_.passive_dofs().empty() ? 1 : std::numeric_limits<double>::infinity();
  for (const LoopGroup& group : equations_.groups()) {
    if (group.dofs.empty()) continue;
    const DenseMatrix k = scaled(group);
    const DenseRank rank = dense_rank(k, std::numeric_limits<double>::epsilon());
    least = std::min(least, rank.rank < k.columns ? 0 : rank.smallest);
  }
  return least;
}

// Passive dofs that no loop has to do with.
int SpaceDrivenMotion::free_dofs() const {
  return static_cast<int>(std::ranges::count_if(equations_.passive_dofs(), [&](int dof) { return place_[z(dof)] < 0; }));
}

bool SpaceDrivenMotion::look_at(double t, std::span<const double> q) {
  std::ranges::copy(q, trial_.begin());
  t_ = t;
  if (equations_.prescribe(t, trial_, v_, a_)) return false;
  equations_.evaluate_closures(trial_, none_);
  return true;
}

std::optional<double> SpaceDrivenMotion::regularity_at(double t, std::span<const double> q, int iterations) {
  if (!look_at(t, q)) return std::nullopt;
  return regularity(iterations);
}

DenseMatrix SpaceDrivenMotion::in_ground_axes(const LoopGroup& group) const {
  const LoopClosures& closures = equations_.closures();
  const int loops = static_cast<int>(closures.loops().size());
  std::vector<int> first;  // of each element
  int rows = 0;
  for (const int e : group.elements) first.push_back(rows), rows += e < loops ? 6 : 1;
  DenseMatrix out(rows, static_cast<int>(group.dofs.size()));
  each_entry(closures, group, place_, [&](int row, int c, int dof, double value) {
    const int r = group.rows[z(row)];
    const auto element = std::ranges::lower_bound(group.elements, closures.rows()[z(r)].element) - group.elements.begin();
    const int to = first[static_cast<std::size_t>(element)];
    const double part = value * units_[z(dof)];
    if (r >= closures.first_coupling()) {
      out.at(to, c) = part;
      return;
    }
    const Twist& own = closures.basis()[z(r)];
    const std::array<double, 6> along{own.turn.x,           own.turn.y,           own.turn.z,
                                      own.shift.x / length_, own.shift.y / length_, own.shift.z / length_};
    for (int k = 0; k < 6; ++k) out.at(to + k, c) += along[z(k)] * part;
  });
  return out;
}

// K as a map of the passive dofs into the twists that the loops resist turns over where it passes through a singular position: the sign of
// det(K₀ᵀ K), with K₀ from the last position that was accepted.
int SpaceDrivenMotion::orientation() {
  if (equations_.passive_dofs().empty()) return 0;
  if (reference_.empty()) {
    for (const LoopGroup& group : equations_.groups()) reference_.push_back(in_ground_axes(group));
    return sign_ = reference_sign_ = 1;
  }
  sign_ = free_dofs() > 0 ? 0 : reference_sign_;
  for (std::size_t g = 0; g < reference_.size(); ++g) {
    const DenseMatrix here = in_ground_axes(equations_.groups()[g]), &before = reference_[g];
    if (here.columns == 0) continue;
    DenseMatrix gram(here.columns, here.columns);
    for (int i = 0; i < here.columns; ++i)
      for (int j = 0; j < here.columns; ++j)
        for (int r = 0; r < here.rows; ++r) gram.at(i, j) += before.at(r, i) * here.at(r, j);
    sign_ *= determinant_sign(std::move(gram));
  }
  return sign_;
}

void SpaceDrivenMotion::accept() {
  if (outright()) return;
  reference_.clear();
  for (const LoopGroup& group : equations_.groups()) reference_.push_back(in_ground_axes(group));
  reference_sign_ = sign_ == 0 ? 1 : sign_;
}

std::unique_ptr<DrivenMotion> SpaceDrivenMotion::fresh(int order) const { return std::make_unique<SpaceDrivenMotion>(mechanism_, order); }

// ---- for messages ----

std::optional<Fault> SpaceDrivenMotion::fault_at(double t) const {
  std::vector<double> q(z(coordinates()));
  return prescribed_rates<1>(mechanism_, t, q, [](int, const Series<1>&) {});
}

// Tries a motion out that the equations leave open to first order: does the mechanism follow?
bool SpaceDrivenMotion::moves_on(std::span<const double> q, std::span<const double> along) {
  std::vector<double> there(q.begin(), q.end()), x(way_.size());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = kTrial * along[k];
  tree::move(mechanism_.tree, there, x);
  for (int i = 0; i < kNewtonIterations; ++i) {
    equations_.evaluate_closures(there, none_);
    for (std::size_t r = 0; r < right_.size(); ++r) right_[r] = -equations_.closures().residual()[r];
    std::ranges::fill(x, 0.0);
    (void)equations_.follow(right_, x);
    tree::move(mechanism_.tree, there, x);
    if (size(x) <= kNoCorrection) break;
  }
  equations_.evaluate_closures(there, none_);
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * reach(q);
  if (!(misfit(equations_.closures().residual()) <= kClosed + rounding)) return false;
  difference(q, there, x);
  double way = 0, whole = 0;
  for (std::size_t k = 0; k < x.size(); ++k) way += x[k] * along[k], whole += along[k] * along[k];
  return way > 0.5 * kTrial * whole;
}

std::optional<DrivenMotion::Undriven> SpaceDrivenMotion::undriven(double t, std::span<const double> q) {
  if (!look_at(t, q)) return std::nullopt;
  std::vector<std::vector<double>> open;
  for (const LoopGroup& group : equations_.groups())
    for (const std::vector<double>& motion : dense_rank(scaled(group), kOpen).null_space()) {
      std::vector<double>& along = open.emplace_back(mechanism_.dofs.size());
      for (std::size_t c = 0; c < group.dofs.size(); ++c) along[z(group.dofs[c])] = motion[c] * units_[z(group.dofs[c])];
    }
  for (const int dof : equations_.passive_dofs())
    if (place_[z(dof)] < 0) open.emplace_back(mechanism_.dofs.size())[z(dof)] = units_[z(dof)];
  std::vector<bool> moves(mechanism_.dofs.size(), false);
  int count = 0;
  for (const std::vector<double>& along : open) {
    if (!moves_on(q, along)) continue;
    ++count;
    const double most = size(along);
    for (std::size_t k = 0; k < along.size(); ++k)
      if (std::abs(along[k]) / units_[k] > kTakesPart * most) moves[k] = true;
  }
  if (count == 0) return std::nullopt;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < moves.size(); ++k)
    if (moves[k]) names.push_back(mechanism_.dof_name(static_cast<int>(k)));
  return Undriven{"not every motion is prescribed: " + std::to_string(count) + (count == 1 ? " free motion is" : " free motions are") +
                      " left, of " + join_names(names),
                  "give each a motion in the dofs of its joint, or use dynamics", names};
}

// At a singular position some combination u of the equations asks nothing of the passive dofs: uᵀ K_P = 0.
DrivenMotion::Dependent SpaceDrivenMotion::dependent(double t, std::span<const double> q) {
  if (!look_at(t, q)) return {};
  std::vector<std::vector<double>> combinations;
  for (const LoopGroup& group : equations_.groups()) {
    const DenseMatrix k = scaled(group);
    for (const std::vector<double>& motion : dense_rank(k, kNearlyOpen).null_space()) {
      std::vector<double>& u = combinations.emplace_back(z(equations_.closures().size()));
      for (int r = 0; r < k.rows; ++r)
        for (int c = 0; c < k.columns; ++c) u[z(group.rows[z(r)])] += k.at(r, c) * motion[z(c)];
    }
  }
  ClosureParts parts = parts_of(mechanism_, equations_.closures(), length_, combinations);
  return {std::move(parts.names), std::move(parts.drivers)};
}

// What the velocities that the equations ask for leave open is a combination of them that asks nothing of the passive dofs.
std::vector<std::string> SpaceDrivenMotion::contradicting(double t, std::span<const double> q) {
  if (look_at(t, q)) {
    std::vector<double> ways(z(kVelocityOrder) * way_.size()), open = find_ways(equations_, t_, trial_, kVelocityOrder, ways).misfit;
    const bool parted = misfit(open) > kSameVelocity;
    for (std::size_t r = 0; r < open.size(); ++r) open[r] *= row_unit(r);
    if (parted) return parts_of(mechanism_, equations_.closures(), length_, {&open, 1}).names;
  }
  std::vector<std::string> names = equations_.closures().plain_names();
  for (const SpaceJoint& joint : mechanism_.joints)
    for (int k = 0; k < joint.links.dofs; ++k)
      if (mechanism_.dofs[z(joint.links.v + k)].active()) {
        names.push_back(joint.name);
        break;
      }
  return names;
}

}  // namespace jounce
