// Newton's method with a trust region on the free motions that the constraints leave.
//
// All vectors are scaled: lengths in sizes of the mechanism, so that forces and moments are both in N m. Of the scaled Jacobian
// A, Aᵀ P = (Y Z) R by pivoted QR: Z spans the free motions, and the same factors close the constraints and give λ. Along Z the
// applied force is −G and the stiffness H. A step is Newton's where H is positive definite; where it is not, curvatures are
// taken by their size, which leads away from an unstable place. The work of the forces along the step tells whether it was good.
#include "jounce/analysis/equilibrium.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "jounce/base/index.hpp"
#include "jounce/base/text.hpp"
#include "jounce/analysis/assembly.hpp"
#include "jounce/plane/motion/scaled_jacobian.hpp"
#include "jounce/analysis/small_motions.hpp"
#include "jounce/plane/equations/linearisation.hpp"

namespace jounce {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Index = Eigen::Index;

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

double largest(const Vector& v) { return v.size() == 0 ? 0.0 : v.lpNorm<Eigen::Infinity>(); }

// Everything at one position that the next step needs.
struct Place {
  Vector u;      // scaled coordinates
  Vector force;  // scaled Q
  Eigen::ColPivHouseholderQR<Matrix> rows;
  Index rank = 0;
  Matrix Z;        // one column for each free motion
  Vector y;        // scaled multipliers
  Vector G;        // −Zᵀ force
  double work = 0; // the size of the forces at work
};

class Search {
 public:
  Search(const PlaneMechanism& mechanism, Equilibrium& out)
      : mechanism_(mechanism),
        system_(mechanism.system),
        out_(out),
        evaluation_(system_, 0),
        linear_(system_),
        size_(system_.length_scale()),
        unit_(system_.coordinates()) {
    for (Index i = 0; i < unit_.size(); ++i) unit_[i] = column_unit(static_cast<int>(i), size_);
  }

  void run() {
    const Assembly start = assemble(mechanism_, 0);
    out_.problems = start.problems;
    out_.q = start.q;
    if (!start.assembled) {
      out_.outcome = {Outcome::Kind::not_assembled, 0, start.problems.empty() ? "" : start.problems.back().sentence, {}};
      return;
    }
    (void)evaluation_.set_time(0);  // assembled, so every motion has a value
    const Vector drawn = Eigen::Map<const Vector>(start.q.data(), unit_.size()).cwiseQuotient(unit_);
    if (!settle(drawn, at_)) return no_value();
    const bool settled = descend(drawn);
    tell(drawn, settled || largest(at_.G) <= kBalanced * at_.work);
  }

  [[nodiscard]] const Place& place() const { return at_; }
  [[nodiscard]] const Vector& unit() const { return unit_; }
  /// Symmetric or not.
  [[nodiscard]] Matrix stiffness() { return stiffness_of(at_); }
  /// Of the dampers; empty where some law has no derivative at rest.
  [[nodiscard]] Matrix damping() {
    const Vector q = at_.u.cwiseProduct(unit_), rest = Vector::Zero(q.size());
    if (linear_.forces(0, {q.data(), z(q.size())}, {rest.data(), z(rest.size())})) return {};
    return -reduced(linear_.dQ_dv(), at_.Z);
  }
  /// Below this a stiffness is none.
  [[nodiscard]] double slight(double stiffest) const { return kNeutral * (at_.work + stiffest); }

 private:
  // ---- a place ------------------------------------------------------------------------------------------------------

  [[nodiscard]] double unit_of_row(Index row) const { return row_unit(evaluation_.scales()[z(row)], size_); }

  Vector residual(const Vector& u) {
    const Vector q = u.cwiseProduct(unit_);
    const auto phi = evaluation_.set_position({q.data(), z(q.size())});
    Vector out(system_.equations());
    for (Index r = 0; r < out.size(); ++r) out[r] = phi[z(r)] / unit_of_row(r);
    return out;
  }

  // Fills `at` for a position on the constraints; false when a force has no value there.
  bool settle(const Vector& u, Place& at) {
    at.u = u;
    const Vector q = u.cwiseProduct(unit_);
    if ((fault_ = linear_.forces_at_rest(0, {q.data(), z(q.size())}))) return false;
    at.force = Eigen::Map<const Vector>(linear_.Q().data(), q.size()).cwiseProduct(unit_);
    at.work = work_size(at.force);
    const Index n = u.size(), m = system_.equations();
    if (m > 0) {
      const DenseMatrix a = scaled_jacobian(system_, evaluation_, {q.data(), z(n)});  // by rows: by columns it is Aᵀ
      at.rows.setThreshold(kDependentRow);
      at.rows.compute(Eigen::Map<const Matrix>(a.value.data(), n, m));
    }
    at.rank = m > 0 ? at.rows.rank() : 0;
    at.Z = Matrix::Identity(n, n).rightCols(n - at.rank);
    if (m > 0 && at.Z.cols() > 0) at.Z.applyOnTheLeft(at.rows.householderQ());
    at.G = -(at.Z.transpose() * at.force);
    at.y = multipliers(at);
    return at.force.allFinite();
  }

  // The shortest y with Aᵀ y = force on the directions the constraints hold.
  [[nodiscard]] static Vector multipliers(const Place& at) {
    const Index m = at.rank > 0 ? at.rows.cols() : 0, r = at.rank;
    if (r == 0) return Vector::Zero(m);
    Vector held = at.force;
    held.applyOnTheLeft(at.rows.householderQ().adjoint());
    const Matrix R = Matrix(at.rows.matrixQR().topRows(r).triangularView<Eigen::Upper>());
    Vector y(m);
    if (r == m) {
      y = R.triangularView<Eigen::Upper>().solve(held.head(r));
    } else {  // Rᵀ P₂ = Q₂ R₂, y = Q₂ R₂⁻ᵀ P₂ᵀ c
      const Eigen::ColPivHouseholderQR<Matrix> wide(R.transpose());
      const Vector c = wide.colsPermutation().transpose() * held.head(r);
      y.setZero();
      y.head(r) = wide.matrixQR().topLeftCorner(r, r).triangularView<Eigen::Upper>().transpose().solve(c);
      y.applyOnTheLeft(wide.householderQ());
    }
    return at.rows.colsPermutation() * y;
  }

  // Forces may cancel in the sum: what counts is each of them.
  [[nodiscard]] double work_size(const Vector& force) const {
    double out = largest(force);
    for (std::size_t f = 0; f < system_.forces().size(); ++f) {
      const bool along_a_length = system_.forces()[f].kind == planar::ForceKind::extension;
      out = std::max(out, std::abs(linear_.readings()[f].effort) * (along_a_length ? size_ : 1.0));
    }
    const double g = length(system_.gravity());
    for (std::size_t b = 0; b < system_.mass().size(); b += 3) out = std::max(out, system_.mass()[b] * g * size_);
    return out;
  }

  [[nodiscard]] Matrix reduced(std::span<const Triplet> entries, const Matrix& Z) const {
    Matrix full = Matrix::Zero(unit_.size(), unit_.size());
    for (const Triplet& e : entries) full(e.row, e.column) += e.value * unit_[e.row] * unit_[e.column];
    return Z.transpose() * full * Z;
  }

  [[nodiscard]] Matrix stiffness_of(const Place& at) {
    const Vector q = at.u.cwiseProduct(unit_);
    const std::span<const double> position{q.data(), z(q.size())};
    (void)linear_.forces_at_rest(0, position);  // had values when the place was made
    (void)residual(at.u);
    const std::vector<double> lambda = unscaled(at.y);
    linear_.constraint_forces(0, position, lambda);
    return reduced(linear_.d_constraint_force(), at.Z) - reduced(linear_.dQ_dq(), at.Z);
  }
  [[nodiscard]] std::vector<double> unscaled(const Vector& y) const {
    std::vector<double> lambda(z(system_.equations()));
    for (Index r = 0; r < y.size(); ++r) lambda[z(r)] = y[r] / unit_of_row(r);
    return lambda;
  }

  // ---- the search ---------------------------------------------------------------------------------------------------

  // Back onto the constraints by the shortest way, with the factors of `from`; false when that leads nowhere.
  bool close(const Place& from, Vector& u) {
    if (from.rank == 0) return true;
    const Index r = from.rank;
    double before = 0;
    for (int i = 0; i < 60; ++i) {
      const Vector gap = from.rows.colsPermutation().transpose() * residual(u);
      const double now = largest(gap.head(r));
      if (!std::isfinite(now) || (i > 3 && now > kClosed && now > 0.8 * before)) return false;
      // the dependent rows have to follow by themselves
      if (now <= kClosed) return largest(gap) <= kFollows;
      before = now;
      Vector step = Vector::Zero(u.size());
      step.head(r) = from.rows.matrixQR().topLeftCorner(r, r).triangularView<Eigen::Upper>().transpose().solve(gap.head(r));
      step.applyOnTheLeft(from.rows.householderQ());
      u -= step;
    }
    return false;
  }

  // Downhill, in the free motions; none along a motion that nothing drives and nothing resists.
  [[nodiscard]] Vector direction(const Matrix& H) const {
    const Eigen::SelfAdjointEigenSolver<Matrix> bent(0.5 * (H + H.transpose()));
    const Vector& curvature = bent.eigenvalues();
    const double least = slight(largest(curvature));
    if (curvature.minCoeff() > least) return -H.colPivHouseholderQr().solve(at_.G);
    Vector along = bent.eigenvectors().transpose() * at_.G;
    for (Index i = 0; i < along.size(); ++i) {
      const double resisted = std::abs(curvature[i]);
      const bool nothing = resisted <= least && std::abs(along[i]) <= kBalanced * at_.work;
      along[i] = nothing ? 0.0 : -along[i] / std::max({resisted, least, 1e-300});
    }
    return bent.eigenvectors() * along;
  }

  // One step p; true when it is taken. `radius` is how far the stiffness can be trusted.
  bool try_step(const Matrix& H, const Vector& p, double& radius) {
    const double step = largest(at_.Z * p);
    Vector u = at_.u + at_.Z * p;
    Place next;
    if (!close(at_, u) || !settle(u, next)) return radius = 0.25 * step, false;
    // the energy lost, as the forces' work along the chord, against what the stiffness foretold
    const double foretold = at_.G.dot(p) + 0.5 * p.dot(H * p);
    const double found = -0.5 * (at_.force + next.force).dot(next.u - at_.u);
    const double gain = foretold == 0 ? 0 : found / foretold;
    const bool near_the_end = step < 1e-3 && next.G.norm() < at_.G.norm();
    if (gain > 0.75 && step > 0.9 * radius) radius = std::min(2 * radius, kLongestStep);
    if (gain < 0.25 && !near_the_end) radius = 0.25 * step;
    if (!(gain > 1e-4) && !near_the_end) return false;
    at_ = std::move(next);
    return true;
  }

  // True when it came to a position that Newton's method would not leave.
  bool descend(const Vector& drawn) {
    double radius = 0.1;
    int idle = 0;  // steps that rounding has made useless
    while (out_.iterations < kIterations && !lost(drawn)) {
      const double before = largest(at_.G);
      if (before == 0 || idle == 3) return true;
      const Matrix H = stiffness_of(at_);
      const Vector wanted = direction(H);
      const double length = largest(at_.Z * wanted);
      if (length <= kStill) return true;
      ++out_.iterations;
      bool taken = false;
      while (!taken && radius > kNoTrust) taken = try_step(H, wanted * std::min(1.0, radius / length), radius);
      if (!taken) return false;
      if (largest(at_.G) <= kRounding * at_.work && largest(at_.G) > 0.5 * before) ++idle;
    }
    return false;
  }

  // ---- what came of it ----------------------------------------------------------------------------------------------

  // Further away than anything in the drawing.
  [[nodiscard]] bool lost(const Vector& drawn) const { return largest(at_.u - drawn) > kLost + 2 * largest(drawn); }

  void tell(const Vector& drawn, bool balanced) {
    const Vector q = at_.u.cwiseProduct(unit_);
    out_.q.assign(q.data(), q.data() + q.size());
    (void)residual(at_.u);
    out_.lambda = unscaled(at_.y);
    out_.free_motions = static_cast<int>(at_.Z.cols());
    const Vector left = at_.Z * at_.G;
    out_.unbalanced = largest(left) / size_;
    if (balanced) {
      out_.outcome = {Outcome::Kind::done, 0, "", {}};
      return;
    }
    const bool gone = lost(drawn);
    Index worst = 0;
    (gone ? Vector(at_.u - drawn) : left).cwiseAbs().maxCoeff(&worst);
    const std::string& body = mechanism_.bodies[z(worst / 3) + 1].name;
    const bool turns = worst % 3 == 2;
    const std::string push = short_number(std::abs(left[worst]) / unit_[worst]) + (turns ? " N m" : " N");
    const std::string who = "body '" + body + "'", along = worst % 3 == 0 ? " along x" : " along y";
    const std::string nothing = ": nothing balances the " + push, none = "no equilibrium was found: a ";
    if (gone && turns) fail(who + " turns on and on" + nothing + " that turn it", body);
    else if (gone) fail(who + " drifts away" + along + nothing + " that push it", body);
    else if (turns) fail(none + "moment of " + push + " on " + who + " remains unbalanced", body);
    else fail(none + "force of " + push + along + " on " + who + " remains unbalanced", body);
  }

  void fail(const std::string& sentence, const std::string& body) {
    out_.outcome = {Outcome::Kind::no_equilibrium, 0, sentence, {body}};
    Problem problem = error({}, sentence, "a spring, a joint or a driver has to hold every motion that a force drives");
    problem.file = mechanism_.file;
    out_.problems.push_back(std::move(problem));
  }

  void no_value() {
    const AppliedForce& force = system_.forces()[z(fault_->force)];
    Where where = fault_->where;
    if (fault_->column > 0 && where.line > 0) where.column += fault_->column - 1;
    const std::string sentence = force.text() + ": " + fault_->sentence + ", at the assembled position";
    out_.outcome = {Outcome::Kind::undefined, 0, sentence, {force.name}};
    Problem problem = error(where, sentence);
    problem.file = mechanism_.file;
    out_.problems.push_back(std::move(problem));
  }

  const PlaneMechanism& mechanism_;
  const PlanarSystem& system_;
  Equilibrium& out_;
  Evaluation evaluation_;
  Linearisation linear_;
  double size_;
  Vector unit_;  // of each coordinate: a size or a radian
  Place at_;
  std::optional<ForceFault> fault_;
};

// ---- small motions ----------------------------------------------------------------------------------------------------

void add_small_motions(const PlaneMechanism& mechanism, Search& search, Equilibrium& out) {
  Vector diagonal = search.unit().cwiseAbs2();
  for (Index i = 0; i < diagonal.size(); ++i) diagonal[i] *= mechanism.system.mass()[z(i)];
  const Matrix& Z = search.place().Z;
  const Matrix K = search.stiffness(), D = search.damping(), M = Z.transpose() * diagonal.asDiagonal() * Z;
  const auto entries = [](const Matrix& m) { return std::span(m.data(), static_cast<std::size_t>(m.size())); };
  SmallMotions found = small_motions({static_cast<int>(Z.cols()), static_cast<int>(Z.rows()), entries(K), entries(M), entries(D), entries(Z),
                                      [&](double size) { return search.slight(size); }});
  out.unstable = found.unstable;
  out.neutral = found.neutral;
  out.modes = std::move(found.modes);
  out.eigenvalues = std::move(found.eigenvalues);
  out.note = std::move(found.note);
}

}  // namespace

Equilibrium equilibrium(const PlaneMechanism& mechanism) {
  Equilibrium out;
  Search search(mechanism, out);
  search.run();
  if (!out.outcome.done()) return out;
  if (out.free_motions > 0) add_small_motions(mechanism, search, out);
  out.stable = out.unstable == 0;
  const auto warn = [&](std::string sentence) {
    out.problems.push_back(warning({}, std::move(sentence)));
    out.problems.back().file = mechanism.file;
  };
  const auto motions = [](int count) { return std::to_string(count) + (count == 1 ? " motion" : " motions"); };
  if (out.unstable > 0) warn("the equilibrium is unstable in " + motions(out.unstable));
  if (out.neutral > 0) warn("the equilibrium is neutral in " + motions(out.neutral) + ": no force resists");
  return out;
}

}  // namespace jounce
