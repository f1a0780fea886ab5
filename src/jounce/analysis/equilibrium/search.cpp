// Newton's method with a trust region on the free motions that the constraints leave.
//
// All vectors are scaled: lengths in sizes of the mechanism, so that forces and moments are both in N m. Of the scaled Jacobian
// A, Aᵀ P = (Y Z) R by pivoted QR: Z spans the free motions, and the same factors close the constraints and give λ. Along Z the
// applied force is −G and the stiffness H. A step is Newton's where H is positive definite; where it is not, curvatures are
// taken by their size, which leads away from an unstable place. The work of the forces along the step tells whether it was good.
#include "jounce/analysis/equilibrium/search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "jounce/analysis/equilibrium/small_motions.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/text.hpp"
#include "jounce/math/row_factors.hpp"

namespace jounce {
namespace {

using Vector = std::vector<double>;

/// An equation counts as dependent below this fraction of the largest: positions are assembled to about 1e-13.
constexpr double kDependent = 1e-9;
/// Constraints closed to this, in sizes and radians.
constexpr double kClosed = 1e-13;
/// The same for rows that depend on others: assembly leaves about 1e-12.
constexpr double kFollows = 1e-10;
/// Of the forces at work: what may be left over, and what rounding leaves.
constexpr double kBalanced = 1e-9, kRounding = 1e-13;
/// A Newton step below this is none, and a trust region below this is lost; sizes and radians.
constexpr double kStill = 1e-14, kNoTrust = 1e-12;
/// A stiffness below this fraction of the forces at work and of the largest stiffness is none.
constexpr double kNeutral = 1e-12;
/// The longest step, and how far from the drawing it may go before it counts as lost; sizes and radians.
constexpr double kLongestStep = 0.5, kLost = 100;
constexpr int kIterations = 1500;
/// How far a mode is shown, of its largest part in sizes or radians, and in how many steps to each side.
constexpr double kSwingReach = 0.35;
constexpr int kSwingSteps = 6;

Vector scaled(Vector x, double by) {
  for (double& v : x) v *= by;
  return x;
}

// Everything at one position that the next step needs.
struct Place {
  RestMotion::Position position;
  RestMotion::Forces forces;
  RowFactors rows;
  Vector y;  // multipliers
  Vector G;  // −Zᵀ force

  [[nodiscard]] const Matrix& Z() const { return rows.free(); }
};

// Back onto the constraints by the shortest way, with the factors of a place nearby; false when that leads nowhere.
bool closed(RestMotion& motion, const RowFactors& rows, RestMotion::Position& position) {
  double before = 0;
  for (int i = 0; i < 60; ++i) {
    const Vector gap = rows.independent_first(motion.residual(position));
    const double now = largest(std::span(gap).first(z(rows.rank())));
    if (!std::isfinite(now) || (i > 3 && now > kClosed && now > 0.8 * before)) return false;
    // the dependent rows have to follow by themselves
    if (now <= kClosed) return largest(gap) <= kFollows;
    before = now;
    motion.move(position, scaled(rows.shortest(gap), -1));
  }
  return false;
}

class Search {
 public:
  Search(RestMotion& motion, const Stop& stop, Equilibrium& out) : motion_(motion), stop_(stop), asking_(stop), out_(out) {}

  void run(const std::vector<double>& assembled) {
    drawn_ = motion_.begin(assembled);
    if (!settle(drawn_, at_)) return no_value();
    const bool settled = descend();
    tell(settled || largest(at_.G) <= kBalanced * at_.forces.work);
    if (out_.outcome.done() && out_.free_motions > 0 && !add_small_motions()) out_.outcome = stopped();
  }

 private:
  // ---- a place ------------------------------------------------------------------------------------------------------

  // Fills `at` for a position on the constraints; false when a force has no value there.
  bool settle(const RestMotion::Position& position, Place& at) {
    at.position = position;
    if ((fault_ = motion_.forces(position, at.forces))) return false;
    at.rows = RowFactors(motion_.gradients(position), kDependent);
    at.G = scaled(transposed_times(at.Z(), at.forces.along), -1);
    at.y = at.rows.shortest_multipliers(at.forces.along);
    return all_finite(at.forces.along);
  }

  [[nodiscard]] Matrix stiffness() { return motion_.stiffness(at_.position, at_.y, at_.Z()); }
  /// Below this a stiffness is none.
  [[nodiscard]] double slight(double stiffest) const { return kNeutral * (at_.forces.work + stiffest); }

  // ---- the search ---------------------------------------------------------------------------------------------------

  // Downhill, in the free motions; none along a motion that nothing drives and nothing resists.
  [[nodiscard]] Vector direction(const Matrix& H) const {
    const SymmetricEigen bent = symmetric_eigen(symmetric_part(H));
    const double least = slight(largest(bent.values));
    if (std::ranges::min(bent.values) > least) return scaled(solve_pivoted(H, at_.G), -1);
    Vector along = transposed_times(bent.vectors, at_.G);
    for (std::size_t i = 0; i < along.size(); ++i) {
      const double resisted = std::abs(bent.values[i]);
      const bool nothing = resisted <= least && std::abs(along[i]) <= kBalanced * at_.forces.work;
      along[i] = nothing ? 0.0 : -along[i] / std::max({resisted, least, 1e-300});
    }
    return times(bent.vectors, along);
  }

  // The energy lost on the way between two places, as the forces' work along it.
  [[nodiscard]] double lost_between(const Place& from, const Place& to) {
    Vector both = from.forces.along;
    for (std::size_t i = 0; i < both.size(); ++i) both[i] += to.forces.along[i];
    return -0.5 * dot(both, motion_.way(from.position, to.position));
  }

  // One step p; true when it is taken. `radius` is how far the stiffness can be trusted.
  bool try_step(const Matrix& H, const Vector& p, double& radius) {
    const Vector motion = times(at_.Z(), p);
    const double step = largest(motion);
    RestMotion::Position position = at_.position;
    motion_.move(position, motion);
    Place next;
    if (!closed(motion_, at_.rows, position) || !settle(position, next)) return radius = 0.25 * step, false;
    // against what the stiffness foretold
    const double foretold = dot(at_.G, p) + 0.5 * dot(p, times(H, p));
    const double found = lost_between(at_, next);
    const double gain = foretold == 0 ? 0 : found / foretold;
    const bool near_the_end = step < 1e-3 && norm(next.G) < norm(at_.G);
    if (gain > 0.75 && step > 0.9 * radius) radius = std::min(2 * radius, kLongestStep);
    if (gain < 0.25 && !near_the_end) radius = 0.25 * step;
    if (!(gain > 1e-4) && !near_the_end) return false;
    at_ = std::move(next);
    return true;
  }

  // True when it came to a position that Newton's method would not leave.
  bool descend() {
    double radius = 0.1;
    int idle = 0;  // steps that rounding has made useless
    while (out_.iterations < kIterations && !lost()) {
      if (asking_.told() || (stop_ && stop_())) return stopped_ = true, false;
      const double before = largest(at_.G);
      if (before == 0 || idle == 3) return true;
      const Matrix H = stiffness();
      if (!all_finite(H.value)) return false;
      if (asked()) continue;
      const Vector wanted = direction(H);
      const double length = largest(times(at_.Z(), wanted));
      if (length <= kStill) return true;
      ++out_.iterations;
      bool taken = false;
      while (!taken && radius > kNoTrust && !asked()) taken = try_step(H, scaled(wanted, std::min(1.0, radius / length)), radius);
      if (asking_.told()) continue;
      if (!taken) return false;
      if (largest(at_.G) <= kRounding * at_.forces.work && largest(at_.G) > 0.5 * before) ++idle;
    }
    return false;
  }

  // ---- what came of it ----------------------------------------------------------------------------------------------

  // Further away than anything in the drawing.
  [[nodiscard]] bool lost() { return largest(motion_.way(drawn_, at_.position)) > kLost + 2 * motion_.reach(drawn_); }

  void tell(bool balanced) {
    out_.q = motion_.coordinates(at_.position);
    out_.lambda = motion_.multipliers(at_.position, at_.y);
    out_.components = motion_.components();
    out_.free_motions = at_.Z().columns;
    const Vector left = times(at_.Z(), at_.G);
    out_.unbalanced = largest(left) / motion_.size();
    if (stopped_) out_.outcome = stopped();
    else if (balanced) out_.outcome = {Outcome::Kind::done, 0, "", {}};
    else explain(left);
  }

  void explain(const Vector& left) {
    const bool gone = lost();
    const int worst = largest_place(gone ? motion_.way(drawn_, at_.position) : left);
    const RestMotion::Direction along = motion_.direction(worst);
    const std::string push = short_number(std::abs(left[z(worst)]) / along.unit) + (along.turns ? " N m" : " N");
    const std::string nothing = ": nothing balances the " + push, none = "no equilibrium was found: a ";
    std::string sentence;
    if (gone && along.turns) sentence = along.who + " turns on and on" + nothing + " that turn it";
    else if (gone) sentence = along.who + " drifts away" + along.along + nothing + " that push it";
    else if (along.turns) sentence = none + "moment of " + push + " on " + along.who + " remains unbalanced";
    else sentence = none + "force of " + push + along.along + " on " + along.who + " remains unbalanced";
    out_.outcome = {Outcome::Kind::no_equilibrium, 0, sentence, {along.name}};
    out_.problems.push_back(error(along.where, std::move(sentence), motion_.advice()));
  }

  void no_value() {
    const Fault none = fault_.value_or(Fault{"a force", "it is not a finite number", {}});
    std::string sentence = none.text() + ", at the assembled position";
    out_.outcome = {Outcome::Kind::undefined, 0, sentence, none.names()};
    out_.problems.push_back(error(none.where, std::move(sentence)));
  }

  // False when the caller asks to stop on the way.
  bool add_small_motions() {
    const Matrix K = stiffness(), D = motion_.damping(at_.position, at_.Z()), M = motion_.mass(at_.position, at_.Z());
    const auto asked_ = [&] { return asked(); };
    SmallMotions found = small_motions({K, M, D, motion_.shapes(at_.Z()), [&](double size) { return slight(size); }, asked_});
    if (asking_.told()) return false;
    out_.unstable = found.unstable;
    out_.neutral = found.neutral;
    out_.modes = std::move(found.modes);
    out_.eigenvalues = std::move(found.eigenvalues);
    out_.note = std::move(found.note);
    return true;
  }

  [[nodiscard]] bool asked() { return asking_.after(at_.Z().rows); }
  [[nodiscard]] static Outcome stopped() { return {Outcome::Kind::stopped, 0, "stopped by the caller", {}}; }

  RestMotion& motion_;
  const Stop& stop_;
  Asking asking_;  // within an iteration
  Equilibrium& out_;
  bool stopped_ = false;
  RestMotion::Position drawn_;
  Place at_;
  std::optional<Fault> fault_;
};

// The positions on one side, the nearest first: none where the way is barred before its end.
std::vector<std::vector<double>> swung(RestMotion& motion, const std::vector<double>& q, const Vector& step) {
  RestMotion::Position position = motion.begin(q);
  std::vector<std::vector<double>> out;
  for (int i = 0; i < kSwingSteps; ++i) {
    const RowFactors rows(motion.gradients(position), kDependent);
    motion.move(position, step);
    if (!closed(motion, rows, position)) return {};
    out.push_back(motion.coordinates(position));
  }
  return out;
}

}  // namespace

int free_ways(RestMotion& motion, std::span<const double> q) { return RowFactors(motion.gradients(motion.begin(q)), kDependent).free().columns; }

ModeSwing swing_along(RestMotion& motion, const std::vector<double>& q, std::span<const double> shape) {
  const Vector way = motion.directions(shape);
  double reach = kSwingReach;
  for (int tried = 0; tried < 8; ++tried, reach *= 0.5) {
    auto there = swung(motion, q, scaled(way, reach / kSwingSteps)), back = swung(motion, q, scaled(way, -reach / kSwingSteps));
    if (there.empty() || back.empty()) continue;
    ModeSwing out{reach, {back.rbegin(), back.rend()}};
    out.q.push_back(q);
    out.q.insert(out.q.end(), there.begin(), there.end());
    return out;
  }
  return {0, std::vector(2 * kSwingSteps + 1, q)};
}

void find_rest(RestMotion& motion, const std::vector<double>& assembled, const Stop& stop, Equilibrium& out) {
  Search(motion, stop, out).run(assembled);
}

}  // namespace jounce
