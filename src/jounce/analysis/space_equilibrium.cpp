// Newton's method with a trust region on the free motions that loops and couplings leave: the search of equilibrium.cpp, with the
// passive dofs as unknowns and steps along tree::move, so that rotations need no coordinates.
//
// All vectors of dofs are scaled: lengths in sizes of the mechanism, so that forces and moments are both in N m. Of the scaled K,
// Kᵀ P = (Y Z) R by pivoted QR: Z spans the free motions, and the same factors close the loops and give λ.
#include "jounce/analysis/space_equilibrium.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "jounce/analysis/small_motions.hpp"
#include "jounce/plane/motion/scaled_jacobian.hpp"
#include "jounce/analysis/space_assembly.hpp"
#include "jounce/space/rows/space_rows.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/text.hpp"
#include "jounce/space/equations/derivatives.hpp"

namespace jounce {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Index = Eigen::Index;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Loops closed to this, in sizes and radians; the same for equations that depend on others.
constexpr double kClosed = 1e-13, kFollows = 1e-10;
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

/// Of its k-th dof: rotations have radians, all others metres.
bool turns(const tree::Link& link, int k) {
  switch (link.motion) {
    case tree::Motion::prismatic: return false;
    case tree::Motion::screw: return link.turn != 0;
    default: return k < 3;
  }
}

/// Of two vectors of velocity variables: how moving along one and then the other differs from the other way round.
void bracket(const tree::Tree& tree, std::span<const double> a, std::span<const double> b, std::span<double> out) {
  std::ranges::fill(out, 0.0);
  const auto part = [](std::span<const double> x, int first) {
    return Vec3<double>{x[z(first)], x[z(first + 1)], x[z(first + 2)]};
  };
  const auto put = [&](int first, const Vec3<double>& x) { out[z(first)] = x.x, out[z(first + 1)] = x.y, out[z(first + 2)] = x.z; };
  for (const tree::Link& link : tree.links()) {
    if (tree::dofs(link.motion) < 3) continue;
    const Vec3<double> turn_a = part(a, link.v), turn_b = part(b, link.v);
    put(link.v, cross(turn_a, turn_b));
    if (link.motion == tree::Motion::free)
      put(link.v + 3, cross(turn_a, part(b, link.v + 3)) - cross(turn_b, part(a, link.v + 3)));
  }
}

// Everything at one position that the next step needs.
struct Place {
  std::vector<double> q;
  SpaceDerivatives::AtRest rest;
  Vector force;  // scaled τ − C of the passive dofs
  Eigen::ColPivHouseholderQR<Matrix> rows;
  Index rank = 0;
  Matrix Z;        // one column for each free motion
  Vector lambda;   // multipliers
  Vector G;        // −Zᵀ force
  double work = 0; // the size of the forces at work
};

class Search {
 public:
  Search(const SpaceMechanism& mechanism, SpaceEquilibrium& out)
      : mechanism_(mechanism),
        out_(out),
        equations_(mechanism),
        derivatives_(mechanism),
        passive_(equations_.passive_dofs().begin(), equations_.passive_dofs().end()),
        still_(mechanism.dofs.size()),
        way_(mechanism.dofs.size()) {}

  void run() {
    SpaceMechanism at_rest = mechanism_;
    std::ranges::fill(at_rest.v, 0.0);
    at_rest.start = SpaceMechanism::Start::as_written;
    const SpaceAssembly start = assemble(at_rest);
    out_.problems = start.problems;
    out_.q = start.q;
    if (!start.assembled) {
      out_.outcome = {Outcome::Kind::not_assembled, 0, start.problems.empty() ? "" : start.problems.back().sentence, {}};
      return;
    }
    drawn_ = start.q;
    measure();
    if (!settle(start.q, at_)) return no_value();
    const bool settled = descend();
    tell(settled || largest(at_.G) <= kBalanced * at_.work);
  }

  [[nodiscard]] const Place& place() const { return at_; }
  /// Symmetric or not.
  [[nodiscard]] Matrix stiffness() { return stiffness_of(at_); }
  /// Empty where some law has no derivative at rest.
  [[nodiscard]] Matrix damping() const {
    const Matrix out = -reduced(at_.rest.by_rate, at_);
    return out.allFinite() ? out : Matrix{};
  }
  [[nodiscard]] Matrix mass() const {
    const Index n = static_cast<Index>(still_.size());
    tree::Workspace<double> work(mechanism_.tree);
    std::vector<double> h(z(n * n));
    tree::crba<double>(mechanism_.tree, work, at_.q.data(), h.data());
    const Eigen::Map<const Rows> all(h.data(), n, n);
    Matrix own(unit_.size(), unit_.size());
    for (Index i = 0; i < unit_.size(); ++i)
      for (Index j = 0; j < unit_.size(); ++j) own(i, j) = all(passive_[z(i)], passive_[z(j)]) * unit_[i] * unit_[j];
    return at_.Z.transpose() * own * at_.Z;
  }
  /// Shapes of free motions, one number for each dof.
  [[nodiscard]] Matrix shapes(const Matrix& motions) const {
    const Matrix scaled = at_.Z * motions;
    Matrix out = Matrix::Zero(static_cast<Index>(still_.size()), motions.cols());
    for (Index p = 0; p < scaled.rows(); ++p) out.row(passive_[z(p)]) = scaled.row(p);
    return out;
  }
  /// Below this a stiffness is none.
  [[nodiscard]] double slight(double stiffest) const { return kNeutral * (at_.work + stiffest); }

 private:
  // ---- a place ------------------------------------------------------------------------------------------------------

  // The size of the mechanism, and with it the unit of each passive dof.
  void measure() {
    equations_.move(drawn_, still_, still_);
    double across = 0, round = 0;
    std::optional<Vec3<double>> first;
    const auto take = [&](const Vec3<double>& p) {
      if (!first) first = p;
      across = std::max(across, length(p - *first));
    };
    const auto& work = equations_.motion_work();
    for (std::size_t i = 0; i < work.links.size(); ++i) {
      const tree::RigidInertia& inertia = mechanism_.tree.links()[i].inertia;
      const Vec3<double> origin = equations_.links()[i].position;
      take(origin);
      if (!(inertia.mass > 0)) continue;
      take(origin + work.links[i].axes * (inertia.moment * (1 / inertia.mass)));
      round = std::max(round, std::sqrt((inertia.about.xx + inertia.about.yy + inertia.about.zz) / inertia.mass));
    }
    size_ = std::max(across, round) > 0 ? std::max(across, round) : 1;
    unit_.resize(static_cast<Index>(passive_.size()));
    for (std::size_t p = 0; p < passive_.size(); ++p) {
      const tree::Link& link = mechanism_.tree.link(mechanism_.tree.moved_by(passive_[p]));
      unit_[static_cast<Index>(p)] = turns(link, passive_[p] - link.v) ? 1 : size_;
    }
    Vector row_unit(equations_.closures().size());
    for (Index r = 0; r < row_unit.size(); ++r) row_unit[r] = equations_.closures().rows()[z(r)].metres ? size_ : 1;
    row_unit_ = row_unit;
  }

  // Scaled.
  Vector residual(const std::vector<double>& q) {
    equations_.evaluate_closures(q, still_);
    const auto phi = equations_.closures().residual();
    return Eigen::Map<const Vector>(phi.data(), row_unit_.size()).cwiseQuotient(row_unit_);
  }

  [[nodiscard]] Vector passive_part(std::span<const double> of_dofs) const {
    Vector out(unit_.size());
    for (Index p = 0; p < out.size(); ++p) out[p] = of_dofs[z(passive_[z(p)])];
    return out;
  }

  // Scaled numbers of the passive dofs to a motion of all.
  void spread(const Vector& scaled, std::span<double> to) const {
    std::ranges::fill(to, 0.0);
    for (Index p = 0; p < scaled.size(); ++p) to[z(passive_[z(p)])] = scaled[p] * unit_[p];
  }

  // From one position to another.
  [[nodiscard]] Vector way(const std::vector<double>& from, const std::vector<double>& to) {
    tree::difference(mechanism_.tree, from, to, way_);
    return passive_part(way_).cwiseQuotient(unit_);
  }

  // Fills `at` for a position on the loops; false when a force has no value there.
  bool settle(const std::vector<double>& q, Place& at) {
    at.q = q;
    if ((fault_ = derivatives_.of_forces(0, q, at.rest))) return false;
    at.force = passive_part(at.rest.force).cwiseProduct(unit_);
    at.work = work_size(at);
    const Index n = unit_.size(), m = row_unit_.size();
    if (m > 0) {
      (void)residual(q);
      const Eigen::Map<const Rows> k(equations_.closures().jacobian().data(), m, static_cast<Index>(still_.size()));
      Matrix scaled(n, m);
      for (Index p = 0; p < n; ++p) scaled.row(p) = k.col(passive_[z(p)]).cwiseQuotient(row_unit_) * unit_[p];
      at.rows.setThreshold(kDependentRow);
      at.rows.compute(scaled);
    }
    at.rank = m > 0 ? at.rows.rank() : 0;
    at.Z = Matrix::Identity(n, n).rightCols(n - at.rank);
    if (m > 0 && at.Z.cols() > 0) at.Z.applyOnTheLeft(at.rows.householderQ());
    at.G = -(at.Z.transpose() * at.force);
    at.lambda = multipliers(at);
    return at.force.allFinite();
  }

  // Of Kᵀ λ = −force on the directions that the loops hold; any of them where there are several.
  [[nodiscard]] Vector multipliers(const Place& at) const {
    const Index r = at.rank;
    Vector y = Vector::Zero(row_unit_.size());
    if (r == 0) return y;
    Vector held = -at.force;
    held.applyOnTheLeft(at.rows.householderQ().adjoint());
    y.head(r) = at.rows.matrixQR().topLeftCorner(r, r).triangularView<Eigen::Upper>().solve(held.head(r));
    y = at.rows.colsPermutation() * y;
    return y.cwiseQuotient(row_unit_);
  }

  // Forces may cancel in the sum: what counts is each of them.
  [[nodiscard]] double work_size(const Place& at) const {
    double out = std::max(largest(at.force), largest(passive_part(at.rest.tau).cwiseProduct(unit_)));
    for (const double tension : at.rest.tensions) out = std::max(out, std::abs(tension) * size_);
    const double g = length(mechanism_.tree.gravity);
    for (const tree::Link& link : mechanism_.tree.links()) out = std::max(out, link.inertia.mass * g * size_);
    return out;
  }

  // Of a matrix with a row for each dof and a column for each passive one.
  [[nodiscard]] Matrix reduced(const std::vector<double>& entries, const Place& at) const {
    const Index n = unit_.size();
    const Eigen::Map<const Rows> all(entries.data(), static_cast<Index>(still_.size()), n);
    Matrix own(n, n);
    for (Index p = 0; p < n; ++p) own.row(p) = all.row(passive_[z(p)]).cwiseProduct(unit_.transpose()) * unit_[p];
    return at.Z.transpose() * own * at.Z;
  }

  [[nodiscard]] Matrix stiffness_of(const Place& at) {
    Matrix out = -reduced(at.rest.by_position, at);
    if (row_unit_.size() > 0) out -= turning_of_reactions(at);
    return out;
  }

  // ∂(Kᵀλ)/∂q along the free motions. Moving on with constant rates v, d²φ/dt² = −k(v): half of it and of λ's work is the symmetric
  // part, by polarisation. The rest comes of rates about axes that turn.
  [[nodiscard]] Matrix turning_of_reactions(const Place& at) {
    const Index f = at.Z.cols();
    std::vector<std::vector<double>> motions(z(f), still_);
    for (Index i = 0; i < f; ++i) spread(at.Z.col(i), motions[z(i)]);
    const auto bending = [&](const std::vector<double>& v) {
      equations_.evaluate_closures(at.q, v);
      return at.lambda.dot(Eigen::Map<const Vector>(equations_.closures().right().data(), at.lambda.size()));
    };
    Vector alone(f);
    for (Index i = 0; i < f; ++i) alone[i] = bending(motions[z(i)]);
    const Eigen::Map<const Rows> k(equations_.closures().jacobian().data(), at.lambda.size(), static_cast<Index>(still_.size()));
    const Vector effort = k.transpose() * at.lambda;
    Matrix out(f, f);
    std::vector<double> both(still_.size());
    for (Index i = 0; i < f; ++i)
      for (Index j = 0; j <= i; ++j) {
        for (std::size_t d = 0; d < both.size(); ++d) both[d] = motions[z(i)][d] + motions[z(j)][d];
        const double symmetric = -0.5 * (bending(both) - alone[i] - alone[j]);
        bracket(mechanism_.tree, motions[z(j)], motions[z(i)], both);
        const double turned = 0.5 * effort.dot(Eigen::Map<const Vector>(both.data(), effort.size()));
        out(i, j) = symmetric + turned;
        out(j, i) = symmetric - turned;
      }
    return out;
  }

  // ---- the search ---------------------------------------------------------------------------------------------------

  // Back onto the loops by the shortest way, with the factors of `from`; false when that leads nowhere.
  bool close(const Place& from, std::vector<double>& q) {
    if (row_unit_.size() == 0) return true;
    const Index r = from.rank;
    double before = 0;
    for (int i = 0; i < 60; ++i) {
      const Vector gap = from.rows.colsPermutation().transpose() * residual(q);
      const double now = largest(gap.head(r));
      if (!std::isfinite(now) || (i > 3 && now > kClosed && now > 0.8 * before)) return false;
      // the dependent equations have to follow by themselves
      if (now <= kClosed) return largest(gap) <= kFollows;
      before = now;
      Vector step = Vector::Zero(unit_.size());
      step.head(r) = from.rows.matrixQR().topLeftCorner(r, r).triangularView<Eigen::Upper>().transpose().solve(-gap.head(r));
      step.applyOnTheLeft(from.rows.householderQ());
      move(q, step);
    }
    return false;
  }

  void move(std::vector<double>& q, const Vector& step) {
    spread(step, way_);
    tree::move(mechanism_.tree, q, way_);
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
    std::vector<double> q = at_.q;
    move(q, at_.Z * p);
    Place next;
    if (!close(at_, q) || !settle(q, next)) return radius = 0.25 * step, false;
    // the energy lost, as the forces' work along the way, against what the stiffness foretold
    const double foretold = at_.G.dot(p) + 0.5 * p.dot(H * p);
    const double found = -0.5 * (at_.force + next.force).dot(way(at_.q, next.q));
    const double gain = foretold == 0 ? 0 : found / foretold;
    const bool near_the_end = step < 1e-3 && next.G.norm() < at_.G.norm();
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
      const double before = largest(at_.G);
      if (before == 0 || idle == 3) return true;
      const Matrix H = stiffness_of(at_);
      if (!H.allFinite()) return false;
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
  [[nodiscard]] bool lost() {
    double far = 0;
    for (const double x : drawn_) far = std::max(far, std::abs(x));
    return largest(way(drawn_, at_.q)) > kLost + 2 * far * std::max(1.0, 1 / size_);
  }

  void tell(bool balanced) {
    out_.q = at_.q;
    out_.free_motions = static_cast<int>(at_.Z.cols());
    const Vector left = at_.Z * at_.G;
    out_.unbalanced = largest(left) / size_;
    if (!balanced) return explain(left);
    out_.outcome = {Outcome::Kind::done, 0, "", {}};
    // all of these had values when the place was settled
    (void)equations_.balance(0, at_.q, still_, still_);
    out_.unique_reactions = equations_.rank() == equations_.closures().size() || equations_.closures().size() == 0;
    out_.lambda.assign(equations_.multipliers().begin(), equations_.multipliers().end());
    out_.tau.resize(still_.size());
    equations_.efforts(out_.tau);
    equations_.move(at_.q, still_, still_);
    out_.row.resize(space_width(mechanism_, true));
    fill_space_row(equations_, {0, at_.q, still_, still_, true, out_.tau}, out_.row);
  }

  void explain(const Vector& left) {
    const bool gone = lost();
    Index worst = 0;
    (gone ? way(drawn_, at_.q) : left).cwiseAbs().maxCoeff(&worst);
    const int dof = passive_[z(worst)];
    const tree::Link& link = mechanism_.tree.link(mechanism_.tree.moved_by(dof));
    const bool turning = turns(link, dof - link.v);
    const std::string push = short_number(std::abs(left[worst]) / unit_[worst]) + (turning ? " N m" : " N");
    const std::string who = mechanism_.dof_name(dof), nothing = ": nothing balances the " + push;
    if (gone && turning) fail(who + " turns on and on" + nothing + " that turn it", dof);
    else if (gone) fail(who + " drifts away" + nothing + " that push it", dof);
    else fail("no equilibrium was found: " + push + " on " + who + " remain unbalanced", dof);
  }

  void fail(const std::string& sentence, int dof) {
    out_.outcome = {Outcome::Kind::no_equilibrium, 0, sentence, {mechanism_.joint_of(dof).name}};
    out_.problems.push_back(
        error(mechanism_.dofs[z(dof)].where, sentence, "a spring, a loop or a motion has to hold every dof that a force drives"));
    locate(out_.problems, mechanism_.file);
  }

  void no_value() {
    const Fault fault = fault_.value_or(Fault{"a force", "it is not a finite number", {}});
    const std::string sentence = fault.element + ": " + fault.sentence + ", at the assembled position";
    out_.outcome = {Outcome::Kind::undefined, 0, sentence, {}};
    out_.problems.push_back(error(fault.where, sentence));
    locate(out_.problems, mechanism_.file);
  }

  const SpaceMechanism& mechanism_;
  SpaceEquilibrium& out_;
  SpaceEquations equations_;
  SpaceDerivatives derivatives_;
  std::vector<int> passive_;  // dofs
  double size_ = 1;
  Vector unit_, row_unit_;  // of each passive dof and each equation: a size or a radian
  std::vector<double> drawn_, still_, way_;
  Place at_;
  std::optional<Fault> fault_;
};

// ---- small motions ----------------------------------------------------------------------------------------------------

void add_small_motions(Search& search, SpaceEquilibrium& out) {
  const Matrix K = search.stiffness(), D = search.damping(), M = search.mass();
  const Matrix shapes = search.shapes(Matrix::Identity(K.cols(), K.cols()));
  const auto entries = [](const Matrix& m) { return std::span(m.data(), static_cast<std::size_t>(m.size())); };
  SmallMotions found = small_motions({static_cast<int>(K.cols()), static_cast<int>(shapes.rows()), entries(K), entries(M), entries(D),
                                      entries(shapes), [&](double size) { return search.slight(size); }});
  out.unstable = found.unstable;
  out.neutral = found.neutral;
  out.modes = std::move(found.modes);
  out.eigenvalues = std::move(found.eigenvalues);
  out.note = std::move(found.note);
}

// Nothing needs a mass here, but gravity is written to be felt.
void warn_of_no_weight(const SpaceMechanism& mechanism, Problems& problems) {
  if (length(mechanism.tree.gravity) == 0) return;
  for (const SpaceBody& body : std::span(mechanism.bodies).subspan(1))
    if (!body.mass) problems.push_back(warning(body.where, "body '" + body.name + "': 'mass' is missing: it has no weight here"));
}

}  // namespace

SpaceEquilibrium equilibrium(const SpaceMechanism& mechanism) {
  SpaceEquilibrium out;
  Search search(mechanism, out);
  search.run();
  warn_of_no_weight(mechanism, out.problems);
  if (out.outcome.done()) {
    if (out.free_motions > 0) add_small_motions(search, out);
    out.stable = out.unstable == 0;
    const auto motions = [](int count) { return std::to_string(count) + (count == 1 ? " motion" : " motions"); };
    if (out.unstable > 0) out.problems.push_back(warning({}, "the equilibrium is unstable in " + motions(out.unstable)));
    if (out.neutral > 0)
      out.problems.push_back(warning({}, "the equilibrium is neutral in " + motions(out.neutral) + ": no force resists"));
  }
  locate(out.problems, mechanism.file);
  return out;
}

}  // namespace jounce
