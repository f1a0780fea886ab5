#include "jounce/space/closures/loop_joint.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jounce/base/index.hpp"
#include "jounce/space/dof_direction.hpp"
#include "jounce/tree/rotation.hpp"

namespace jounce {
namespace {

constexpr double kReached = 1e-6;  // radians or metres: the pose is one of the joint's own, no other coordinates need be tried
constexpr double kDependent = 1e-8;  // what is left of a direction, as a part of it, when others say the same
constexpr int kMostSteps = 60, kMostHalvings = 12;
constexpr double kLongestTurn = 1;  // radians in one step
constexpr int kStartsPerAxis = 3;
constexpr double kOpposite = 1e-12;  // of 1 + the cosine: half a turn, about any axis across
constexpr int kCounts = 3;           // of the turns of each screw: they depend on each other

double size(const Twist& a) { return std::sqrt(dot(a, a)); }

constexpr std::array<Vec3<double>, 3> kAxes{Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}};
constexpr std::array<Twist, 3> kTurns{Twist{kAxes[0], {}}, Twist{kAxes[1], {}}, Twist{kAxes[2], {}}};
constexpr std::array<Twist, 3> kShifts{Twist{{}, kAxes[0]}, Twist{{}, kAxes[1]}, Twist{{}, kAxes[2]}};

/// Directions at right angles to each other.
struct Directions {
  std::array<Twist, 6> at{};
  int count = 0;

  [[nodiscard]] Twist rest(Twist a) const {
    for (int twice = 0; twice < 2; ++twice)  // once leaves rounding behind
      for (int k = 0; k < count; ++k) a = a - at[z(k)] * dot(at[z(k)], a);
    return a;
  }
  /// The candidate of which the most is left.
  [[nodiscard]] std::size_t farthest(std::span<const Twist> candidates) const {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const double left = size(rest(candidates[c]));
      if (left > most * (1 + 1e-9)) most = left, best = c;
    }
    return best;
  }
  /// Grows by the candidates with the most to add, up to `until`, as long as they add more than `least`.
  void grow(std::span<const Twist> candidates, int until, double least) {
    while (count < until && !candidates.empty()) {
      const Twist next = rest(candidates[farthest(candidates)]);
      const double length = size(next);
      if (!(length > least)) return;
      at[z(count++)] = next * (1 / length);
    }
  }
};

/// As many of the allowed directions as say something new, and directions at right angles that say the same.
struct Chosen {
  Directions basis;
  std::array<std::size_t, 6> of{};
};

Chosen chosen(std::span<const Twist> allowed) {
  Chosen out;
  Directions& basis = out.basis;
  const int most = std::min(6, static_cast<int>(allowed.size()));
  while (basis.count < most) {
    std::size_t best = 0;
    double largest = 0;  // of what is left, as a part of the direction itself
    for (std::size_t k = 0; k < allowed.size(); ++k)
      if (const double left = size(basis.rest(allowed[k])) / size(allowed[k]); left > largest) largest = left, best = k;
    if (!(largest > kDependent)) break;
    const Twist rest = basis.rest(allowed[best]);
    out.of[z(basis.count)] = best;
    basis.at[z(basis.count++)] = rest * (1 / size(rest));
  }
  return out;
}

tree::Attached attach_alone(tree::Tree& tree, std::span<const tree::Step> steps) {
  const tree::Step none{};
  return attach(tree, tree::kGround, {}, steps.empty() ? std::span<const tree::Step>(&none, 1) : steps);
}

}  // namespace

LoopJoint::LoopJoint(std::span<const tree::Step> steps, double length)
    : length_(length), links_(attach_alone(tree_, steps)), work_(tree_), motion_(z(tree_.size())) {
  s_ = before_ = best_ = neutral(tree_);
  const std::size_t dofs = z(tree_.dofs());
  way_.resize(dofs), rate_.resize(dofs), still_.resize(dofs);
  allowed_.resize(dofs), unit_allowed_.resize(dofs), turn_parts_.resize(dofs), shift_parts_.resize(dofs);
  for (int i = 0; i < tree_.size(); ++i) {
    const tree::Link& link = tree_.link(i);
    if (link.motion == tree::Motion::revolute || (link.motion == tree::Motion::screw && link.turn != 0)) turning_.push_back(i);
    if (link.motion == tree::Motion::ball && i != links_.last) pointing_ = i;
  }
  find_ranks();
  ball_ = tree_.size() == 1 && tree_.link(0).motion == tree::Motion::ball && links_.successor.origin == Vec3<double>{};
  place();
}

// Where its coordinates bring frame j, the directions it allows there, and what is missing to the pose.
void LoopJoint::place() {
  tree::motion(tree_, work_, s_.data(), still_.data(), still_.data(), motion_.data());
  const Mat3<double>& axes = work_.links[z(links_.last)].axes;
  const Vec3<double> origin = reached_ = motion_[z(links_.last)].position + axes * links_.successor.origin;
  for (int i = 0; i < tree_.size(); ++i) {
    const tree::Link& link = tree_.link(i);
    for (int k = 0; k < tree::dofs(link.motion); ++k) {
      allowed_[z(link.v + k)] = dof_direction(link, work_.links[z(i)].axes, k, origin - motion_[z(i)].position);
    }
  }
  const Mat3<double> reached = axes * links_.successor.axes;
  error_ = {tree::rotation_vector(tree::quaternion_of(pose_.axes * transpose(reached))), pose_.origin - origin};
}

// The combination of allowed directions nearest to `right`. Where some say the same, only as many as are needed get a part.
void LoopJoint::least_squares(const Twist& right, std::vector<double>& out) const {
  std::ranges::fill(out, 0.0);
  const auto [basis, of] = chosen(allowed_);
  for (int r = basis.count - 1; r >= 0; --r) {
    double sum = dot(basis.at[z(r)], right);
    for (int later = r + 1; later < basis.count; ++later)
      sum -= dot(basis.at[z(r)], allowed_[of[z(later)]]) * out[of[z(later)]];
    out[of[z(r)]] = sum / dot(basis.at[z(r)], allowed_[of[z(r)]]);
  }
}

Twist LoopJoint::holding(std::span<const double> powers) const {
  Twist out{};
  const auto [basis, of] = chosen(allowed_);
  for (int r = 0; r < basis.count; ++r) {
    const Twist& own = allowed_[of[z(r)]];
    out = out + basis.at[z(r)] * ((powers[of[z(r)]] - dot(out, own)) / dot(basis.at[z(r)], own));
  }
  return out;
}

// Gauss–Newton from the coordinates as they are; the distance that is left.
double LoopJoint::descend() {
  place();
  double now = distance();
  const double rounding = 1e-32 * (1 + dot(pose_.origin, pose_.origin));
  for (int step = 0; step < kMostSteps && now > rounding && !allowed_.empty(); ++step) {
    least_squares(error_, way_);
    double turn = 0;
    for (std::size_t k = 0; k < way_.size(); ++k) turn = std::max(turn, std::abs(way_[k]) * length(allowed_[k].turn));
    before_ = s_;
    double then = now, part = turn > kLongestTurn ? kLongestTurn / turn : 1;
    for (int tries = 0; tries < kMostHalvings; ++tries, part = 0.5) {
      for (double& w : way_) w *= part;
      s_ = before_;
      move(tree_, s_, way_);
      place();
      then = distance();
      if (then < now || turn < 1e-9) break;  // rounding decides about the smallest steps
    }
    if (!(then < now)) {
      s_ = before_;
      place();
      break;
    }
    const bool settled = now - then <= 1e-14 * now;
    now = then;
    if (settled) break;
  }
  return now;
}

// A whole turn of a screw is not seen in the axes, only in how far it has advanced: as many turns more as bring the pose
// nearest, when the other coordinates give way.
double LoopJoint::count_turns(double found) {
  for (int k = 0; k < kCounts * static_cast<int>(turning_.size()) && found > kReached * kReached; ++k) {
    const int i = turning_[z(k) % turning_.size()];
    const tree::Link& link = tree_.link(i);
    if (link.motion != tree::Motion::screw || link.advance == 0) continue;
    const double turn = 2 * std::numbers::pi / link.turn;
    Directions allowed;
    allowed.grow(allowed_, rank_, kDependent);
    const Twist advance = allowed.rest({{}, work_.links[z(i)].axes.z * (turn * link.advance)});
    const double whole = std::round(dot(advance, error_) / dot(advance, advance));
    if (whole == 0 || !(std::abs(whole) < 1e12)) continue;
    const std::vector<double> kept = s_;
    s_[z(link.q)] += whole * turn;
    const double then = descend();
    if (then < found) {
      found = then;
    } else {
      s_ = kept;
      place();
    }
  }
  return found;
}

void LoopJoint::start_at(int start) {
  s_ = neutral(tree_);
  for (const int i : turning_) {
    s_[z(tree_.link(i).q)] = (start % kStartsPerAxis) * (2 * std::numbers::pi / kStartsPerAxis) / tree_.link(i).turn;
    start /= kStartsPerAxis;
  }
}

// Two or three turning axes can have several nearest places; a screw one for each turn.
void LoopJoint::search(double found) {
  double least = count_turns(found);
  best_ = s_;
  int starts = turning_.size() < 2 ? 0 : kStartsPerAxis * kStartsPerAxis;
  if (turning_.size() > 2) starts *= kStartsPerAxis;
  for (int start = 0; start < starts && !(least <= kReached * kReached); ++start) {
    start_at(start);
    const double then = count_turns(descend());
    if (!(then < 0.25 * least)) continue;  // not for a little: the coordinates would jump to and fro
    least = then;
    best_ = s_;
  }
  s_ = best_;
  place();
}

// A rod points to where frame j is, by the shortest turn from the axes of frame i, and the ball at its end does the rest:
// whichever way it pointed before, the same pose gives the same numbers.
void LoopJoint::aim() {
  s_ = neutral(tree_);
  place();
  const auto set = [&](int link, const tree::Quaternion& e) {
    double* to = &s_[z(tree_.link(link).q)];
    to[0] = e.w, to[1] = e.x, to[2] = e.y, to[3] = e.z;
  };
  const Mat3<double> axes = work_.links[z(pointing_)].axes;
  Vec3<double> is = in_axes(axes, reached_ - motion_[z(pointing_)].position),
               wanted = in_axes(axes, pose_.origin - motion_[z(pointing_)].position);
  const double apart = length(wanted);
  if (apart > 0) {
    is = is * (1 / length(is)), wanted = wanted * (1 / apart);
    const double along = 1 + dot(is, wanted);
    const bool opposite = !(along > kOpposite);
    const Vec3<double> axis = cross(is, opposite ? kAxes[std::abs(is.x) < 0.5 ? 0 : 1] : wanted);
    set(pointing_, tree::normalised({opposite ? 0 : along, axis.x, axis.y, axis.z}));
    place();
  }
  if (tree_.link(links_.last).motion != tree::Motion::ball) return;
  set(links_.last,
      tree::quaternion_of(transpose(work_.links[z(links_.last)].axes) * (pose_.axes * transpose(links_.successor.axes))));
}

// A ball turns as frame j does, wherever that is: there is nothing to search for.
void LoopJoint::turn_ball() {
  const Mat3<double> axes = pose_.axes * transpose(links_.successor.axes);
  const tree::Quaternion e = tree::quaternion_of(transpose(tree_.link(0).place.axes) * axes);
  s_[0] = e.w, s_[1] = e.x, s_[2] = e.y, s_[3] = e.z;
  for (std::size_t k = 0; k < 3; ++k) allowed_[k] = {k == 0 ? axes.x : k == 1 ? axes.y : axes.z, {}};
  error_ = {{}, pose_.origin - reached_};
}

void LoopJoint::follow(const Frame<double>& pose) {
  pose_ = pose;
  if (ball_) {
    turn_ball();
    return find_resisted();
  }
  if (pointing_ >= 0) aim();
  const double found = descend();
  if (!(found <= kReached * kReached)) search(found);
  find_resisted();
}

Twist LoopJoint::bias(const Twist& velocity) {
  if (allowed_.empty() || ball_) return {};  // the centre of a ball stays where it is; how it turns is not resisted
  least_squares(velocity, rate_);
  tree::motion(tree_, work_, s_.data(), rate_.data(), still_.data(), motion_.data());
  const tree::LinkWork<double>& last = work_.links[z(links_.last)];
  const Vec3<double> arm = last.axes * links_.successor.origin;
  return {last.turn, motion_[z(links_.last)].acceleration + cross(last.turn, arm) + cross(last.spin, cross(last.spin, arm))};
}

// Of size 1 in radians and lengths of the mechanism: in metres the pitch of a small screw would be nothing beside its turn.
Twist LoopJoint::as_unit(const Twist& allowed) const {
  const Twist scaled{allowed.turn, allowed.shift * (1 / length_)};
  return scaled * (1 / size(scaled));
}

// At a place that is not special, so that the number of rows is that of the joint and not of one of its positions.
void LoopJoint::find_ranks() {
  for (std::size_t k = 0; k < way_.size(); ++k) way_[k] = 0.4 + 0.31 * sincos(1.0 + 2.3 * static_cast<double>(k)).sin;
  move(tree_, s_, way_);
  turns_ = shifts_ = mixed_ = 0;
  rank_ = 0;
  place();
  const auto rank = [&](auto part, int most) {
    std::vector<Twist> parts;
    for (const Twist& a : allowed_) parts.push_back(part(as_unit(a)));
    Directions basis;
    basis.grow(parts, most, kDependent);
    return basis.count;
  };
  rank_ = rank([](const Twist& a) { return a; }, 6);
  const int turning = rank([](const Twist& a) { return Twist{a.turn, {}}; }, 3);
  const int sliding = rank([](const Twist& a) { return Twist{{}, a.shift}; }, 3);
  turns_ = 3 - turning;
  shifts_ = 3 - sliding;
  mixed_ = turning + sliding - rank_;
  s_ = neutral(tree_);
}

// Rotations at right angles to all rotations that it allows, translations likewise, and what is left in six dimensions. A rod
// resists along itself, from its first ball on, whichever way that is.
void LoopJoint::find_resisted() {
  const bool vary = turns_ % 3 != 0 || shifts_ % 3 != 0 || mixed_ > 0;  // all or nothing is always the same
  if (resisted_known_ && (!vary || allowed_ == resisted_for_)) return;
  resisted_known_ = true;
  resisted_for_ = allowed_;
  Directions all, own;
  const auto add_last = [&](int count) {
    for (int k = own.count - count; k < own.count; ++k) all.at[z(all.count++)] = own.at[z(k)];
  };
  for (std::size_t k = 0; k < allowed_.size(); ++k) {
    unit_allowed_[k] = allowed_[k] * (1 / size(allowed_[k]));
    const Twist unit = as_unit(allowed_[k]);
    turn_parts_[k] = {unit.turn, {}};
    shift_parts_[k] = {{}, unit.shift};
  }
  if (turns_ > 0) {
    own.grow(turn_parts_, 3 - turns_, kDependent);
    own.grow(kTurns, 3, kDependent);
    add_last(turns_);
  }
  if (shifts_ > 0) {
    own.count = 0;
    own.grow(shift_parts_, 3 - shifts_, kDependent);
    own.grow(kShifts, 3, kDependent);
    if (pointing_ >= 0 && shifts_ == 1 && dot(own.at[2].shift, reached_ - motion_[z(pointing_)].position) < 0)
      own.at[2] = own.at[2] * -1.0;
    add_last(shifts_);
  }
  for (int k = 0; k < all.count; ++k) resisted_[z(k)] = all.at[z(k)];
  if (mixed_ == 0) return;
  const int pure = all.count;
  all.grow(unit_allowed_, pure + rank_, kDependent);
  all.grow(kShifts, 6, 0.1);  // translations first: a mixed direction is a length
  all.grow(kTurns, 6, kDependent);
  all.grow(kShifts, 6, kDependent);
  for (int k = 0; k < mixed_; ++k) resisted_[z(pure + k)] = all.at[z(6 - mixed_ + k)];
}

}  // namespace jounce
