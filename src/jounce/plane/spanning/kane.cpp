#include "jounce/plane/spanning/kane.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/base/text.hpp"
#include "jounce/math/free_motions.hpp"
#include "jounce/math/rows.hpp"
#include "jounce/plane/equations/force_rates.hpp"
#include "jounce/plane/equations/linearisation.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"
#include "jounce/plane/spanning/kane_partials.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {
namespace {

/// A state may miss the joints by this much, in mechanism sizes and radians, and as much of the velocities.
constexpr double kHeld = 1e-6;
/// What is left of a sum of terms that cancel.
constexpr double kCancelled = 1e-12;
/// Below this part of the largest, a row of K counts as dependent on the others.
constexpr double kDependent = 1e-9;
/// What dependent rows of K may ask for beyond the others, against the size of k.
constexpr double kContradiction = 1e-6;
/// A motion with less of the inertia than this, times the number of motions, moves none: the rest is rounding.
constexpr double kNoInertia = 1e-15;

using Vector = std::vector<double>;

Rows rows(const DenseMatrix& a) { return {a.value, a.rows, a.columns}; }

Vector times(const DenseMatrix& a, const Vector& x) {
  Vector out(z(a.rows));
  multiply(rows(a), x, out);
  return out;
}
Vector transposed_times(const DenseMatrix& a, const Vector& x) {
  Vector out(z(a.columns));
  multiply_transposed(rows(a), x, out);
  return out;
}
DenseMatrix times_transposed(const DenseMatrix& a, const DenseMatrix& b) {
  DenseMatrix out(a.rows, b.rows);
  multiply_by_transposed(rows(a), rows(b), out.value);
  return out;
}
Vector added(Vector a, const Vector& b, double sign = 1) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += sign * b[i];
  return a;
}
Vector by_entry(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] *= b[i];
  return a;
}
// Diagonal matrices on both sides, or on the right alone.
DenseMatrix scaled(const Vector& left, DenseMatrix a, const Vector& right) {
  for (int r = 0; r < a.rows; ++r)
    for (int c = 0; c < a.columns; ++c) a.at(r, c) = left[z(r)] * a.at(r, c) * right[z(c)];
  return a;
}
DenseMatrix scaled(DenseMatrix a, const Vector& right) {
  for (int r = 0; r < a.rows; ++r)
    for (int c = 0; c < a.columns; ++c) a.at(r, c) *= right[z(c)];
  return a;
}

Problem located(const PlaneMechanism& mechanism, Where where, std::string sentence, std::string hint = {}) {
  Problem out = error(where, std::move(sentence), std::move(hint));
  out.file = mechanism.file;
  return out;
}

Problems wrong_state(const PlaneMechanism& mechanism, const PlanarState& state) {
  const std::size_t n = z(mechanism.system.coordinates());
  const auto expected = [&](const std::vector<double>& list, const char* what) -> Problems {
    if (list.size() != n)
      return {located(mechanism, {}, "expected " + std::to_string(n) + " " + what + ", three for each body, found " +
                                         std::to_string(list.size()))};
    for (std::size_t i = 0; i < n; ++i)
      if (!std::isfinite(list[i]))
        return {located(mechanism, {}, std::string(what) + " of body '" + mechanism.bodies[i / 3 + 1].name + "': expected finite numbers")};
    return {};
  };
  Problems out = expected(state.q, "positions");
  if (out.empty()) out = expected(state.v, "velocities");
  return out;
}

Problems missing(const PlaneMechanism& mechanism) {
  Problems out;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
    const BodyData& body = mechanism.bodies[b];
    if (body.mass && body.inertia) continue;
    out.push_back(located(mechanism, body.where,
                          "body '" + body.name + "': '" + (body.mass ? "inertia" : "mass") +
                              "' is missing: Kane's method needs it (0 for a body without mass)",
                          body.mass ? "a 'shape' gives it too" : ""));
  }
  return out;
}

std::vector<std::string> massless(const PlaneMechanism& mechanism) {
  std::vector<std::string> names;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
    if (mechanism.bodies[b].mass == 0.0 || mechanism.bodies[b].inertia == 0.0) names.push_back(mechanism.bodies[b].name);
  return names;
}

/// Φq at a state and what it makes of velocities and accelerations: Φq v = ν, Φq q̈ = γ.
class Constraints {
 public:
  Constraints(const PlaneMechanism& mechanism) : mechanism_(mechanism), evaluation_(mechanism.system, 2) {}

  [[nodiscard]] Problems set(const PlanarState& state) {
    const PlanarSystem& system = mechanism_.system;
    if (const auto fault = evaluation_.set_time(state.t)) {
      const PrescribedMotion& motion = system.motions()[z(fault->motion)];
      return {located(mechanism_, motion.where, "driver '" + motion.owner + "': " + fault->sentence + " at " + seconds(state.t))};
    }
    const auto residual = evaluation_.set_position(state.q);
    for (const planar::Scale& scale : evaluation_.scales())
      units_.push_back(scale.divisor * (scale.unit == planar::Unit::metre ? system.length_scale() : 1.0));
    if (const int row = worst(residual, 1); row >= 0) return {not_held(row, residual, "the positions do not hold", "off by ", "")};
    const auto jacobian = evaluation_.jacobian();
    jacobian_.assign(jacobian.begin(), jacobian.end());
    const auto drift = evaluation_.open(1);
    std::vector<double> rate(drift.begin(), drift.end());
    each([&](int row, int column, double value) { rate[z(row)] += value * state.v[z(column)]; });
    double fastest = 1;
    for (std::size_t i = 0; i < state.v.size(); ++i)
      fastest = std::max(fastest, std::abs(state.v[i]) / (i % 3 == 2 ? 1.0 : system.length_scale()));
    if (const int row = worst(rate, fastest); row >= 0) return {not_held(row, rate, "the velocities do not hold", "it opens by ", "/s")};
    evaluation_.close(1, state.v);
    for (const double r : evaluation_.open(2)) gamma_.push_back(-2 * r);
    return {};
  }

  /// Calls f(row, column, value) for the entries of Φq.
  template <class F>
  void each(F&& f) const {
    const SparsePattern& pattern = mechanism_.system.pattern();
    for (int c = 0; c < pattern.columns; ++c)
      for (int e = pattern.start[z(c)]; e < pattern.start[z(c + 1)]; ++e) f(pattern.row[z(e)], c, jacobian_[z(e)]);
  }
  [[nodiscard]] double gamma(int row) const { return gamma_[z(row)]; }
  /// A row divided by this is in mechanism sizes or radians.
  [[nodiscard]] double unit(int row) const { return units_[z(row)]; }

 private:
  [[nodiscard]] int worst(std::span<const double> residual, double size) const {
    int at = -1;
    double most = kHeld * size;
    for (std::size_t r = 0; r < residual.size(); ++r)
      if (const double off = std::abs(residual[r]) / units_[r]; !(off <= most)) most = off, at = static_cast<int>(r);
    return at;
  }
  [[nodiscard]] Problem not_held(int row, std::span<const double> residual, std::string sentence, const char* by, const char* per) const {
    const planar::Scale& scale = evaluation_.scales()[z(row)];
    const Constraint& owner = mechanism_.system.owner(row);
    sentence += " " + owner.text() + ": " + by + short_number(std::abs(residual[z(row)]) / scale.divisor) +
                (scale.unit == planar::Unit::metre ? " m" : " rad") + per;
    return located(mechanism_, owner.where, std::move(sentence), "assemble the mechanism first");
  }

  const PlaneMechanism& mechanism_;
  Evaluation evaluation_;
  std::vector<double> jacobian_, gamma_, units_;
};

// Of the arrays; coordinates and rows of K are made comparable first.
FreeMotionSolution solved(const PlaneMechanism& mechanism, const KaneArrays& of, const std::vector<double>& units) {
  Vector column, row;
  for (const KaneCoordinate& c : of.coordinates) column.push_back(c.turns ? 1.0 : mechanism.system.length_scale());
  for (const double unit : units) row.push_back(1 / unit);
  FreeMotionSolution out = solve_by_free_motions(scaled(column, of.M, column), by_entry(column, of.f), scaled(row, of.K, column),
                                                 by_entry(row, of.k), {kDependent, kContradiction, kNoInertia});
  if (!out.decided) return out;  // and nothing is solved
  out.x = by_entry(column, out.x);
  out.lambda = by_entry(row, out.lambda);
  return out;
}

// The equations that the tree leaves over, in its coordinates.
std::vector<double> close_loops(const Constraints& constraints, const PlanarSystem& system, const SpanningTree& tree, const Vector& bias,
                                KaneArrays& out) {
  std::vector<int> place(z(system.equations()), -1);
  std::vector<double> units;
  for (const int c : tree.closures) {
    const Constraint& closure = system.constraints()[z(c)];
    for (int r = closure.first_row; r < closure.first_row + closure.rows; ++r) {
      place[z(r)] = static_cast<int>(out.closures.size());
      out.closures.push_back(closure.name);
      out.k.push_back(constraints.gamma(r));
      units.push_back(constraints.unit(r));
    }
  }
  const int n = out.Wpd.rows;
  out.K = DenseMatrix(static_cast<int>(out.closures.size()), n);
  DenseMatrix summed = out.K;  // sizes of what is added up
  constraints.each([&](int r, int column, double value) {
    const int row = place[z(r)], body = column / 3, component = column % 3;
    if (row < 0) return;
    for (int i = 0; i < n; ++i) {
      const double part = value * (component == 2 ? out.Wpd.at(i, body) : out.Vpd.at(i, 2 * body + component));
      out.K.at(row, i) += part;
      summed.at(row, i) += std::abs(part);
    }
    if (component < 2) out.k[z(row)] -= value * bias[z(2 * body + component)];
  });
  for (std::size_t e = 0; e < summed.value.size(); ++e)  // equations that the tree meets by itself leave rounding, which is no row
    if (std::abs(out.K.value[e]) <= kCancelled * summed.value[e]) out.K.value[e] = 0;
  return units;
}

Problems apply_forces(const PlaneMechanism& mechanism, const PlanarState& state, KaneArrays& out) {
  const PlanarSystem& system = mechanism.system;
  Linearisation forces(system);
  forces.set_directions(std::vector<double>(system.signals().size(), std::numeric_limits<double>::quiet_NaN()));  // by the rate
  std::vector<FrictionAt> friction;
  add_joint_loads(system, state.t, state.q, state.v, friction);
  std::vector<double> loads(system.signals().size(), 0.0);
  for (const int s : system.rubbing()) {
    const AppliedForce& force = system.forces()[z(system.signals()[z(s)].force)];
    loads[z(s)] = friction[z(system.signals()[z(s)].force)].load;
    if (std::isnan(loads[z(s)])) return {located(mechanism, force.where, force.text() + ": the reaction that its friction grows with is not known at " + seconds(state.t))};
  }
  forces.set_loads(loads);
  if (const auto fault = forces.forces_alone(state.t, state.q, state.v))
    return {located(mechanism, fault->where, system.forces()[z(fault->force)].text() + ": " + fault->sentence + " at " + seconds(state.t))};
  for (std::size_t i = 0; i < forces.Q().size(); ++i) (i % 3 == 2 ? out.M_ext : out.F).push_back(forces.Q()[i]);
  return {};
}

// B and B′ of the notes, body by body: ω k̂ × d has the components ω d^⊥ in ground axes, and ω k̂ × (ω k̂ × d) those of ω (−ω d), for the vector d of body j that
// leads towards body k.
void add_pinned_blocks(KaneArrays& out) {
  if (out.pinned.size() != out.bodies.size()) return;
  const int n = static_cast<int>(out.bodies.size());
  const Vector omega = transposed_times(out.Wpd, out.qd);
  std::vector<const KanePinned*> of(z(n));
  std::vector<int> carrier(z(n), -1);
  std::vector<Vec2<double>> to(z(n));  // from the pin of the carrier to that of the body, in the carrier's axes
  for (const KanePinned& body : out.pinned) {
    of[z(body.body - 1)] = &body;
    for (const KanePinned::Child& child : body.children) carrier[z(child.body - 1)] = body.body - 1, to[z(child.body - 1)] = child.p;
  }
  out.B = out.B_prime = DenseMatrix(n, 2 * n);
  const auto put = [&](int j, int k, const Vec2<double>& d) {
    const auto [s, c] = sincos(of[z(j)]->theta);
    const Vec2<double> turned{c * d.x - s * d.y, s * d.x + c * d.y};
    out.B.at(j, 2 * k) = -turned.y, out.B.at(j, 2 * k + 1) = turned.x;
    out.B_prime.at(j, 2 * k) = -omega[z(j)] * turned.x, out.B_prime.at(j, 2 * k + 1) = -omega[z(j)] * turned.y;
  };
  for (int k = 0; k < n; ++k) {
    put(k, k, of[z(k)]->r);
    for (int next = k; carrier[z(next)] >= 0; next = carrier[z(next)]) put(carrier[z(next)], k, to[z(next)]);
  }
}

}  // namespace

Result<KaneArrays> kane(const PlaneMechanism& mechanism, const PlanarState& state) {
  const PlanarSystem& system = mechanism.system;
  if (Problems problems = wrong_state(mechanism, state); !problems.empty()) return problems;
  if (Problems problems = missing(mechanism); !problems.empty()) return problems;
  Constraints constraints(mechanism);
  if (Problems problems = constraints.set(state); !problems.empty()) return problems;
  KaneArrays out;
  if (Problems problems = apply_forces(mechanism, state, out); !problems.empty()) return problems;

  const SpanningTree tree = spanning_tree(system);
  KanePartials partials(system, tree);
  partials.set_position(state.q);
  partials.set_velocity(state.v);
  out.coordinates.assign(partials.coordinates().begin(), partials.coordinates().end());
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) out.bodies.push_back(mechanism.bodies[b].name);
  for (KaneCoordinate& c : out.coordinates)
    if (const SpanningTree::Edge& edge = tree.edges[z(c.edge)]; edge.constraint < 0)
      c.name = out.bodies[z(edge.body) - 1] + c.name.substr(c.name.find('.'));
  out.pinned = partials.pinned();
  out.q.assign(partials.values().begin(), partials.values().end());
  out.qd.assign(partials.rates().begin(), partials.rates().end());

  Vector masses, inertias;
  for (int b = 0; b < system.bodies(); ++b) {
    masses.insert(masses.end(), 2, system.mass()[z(3 * b)]);
    inertias.push_back(system.mass()[z(3 * b + 2)]);
  }
  out.Wpd = partials.Wpd();
  out.Vpd = partials.Vpd();
  out.A1 = scaled(partials.Vpd_rate(), masses);
  out.A2 = scaled(out.Vpd, masses);
  out.A3 = scaled(out.Wpd, inertias);
  out.M = times_transposed(out.Vpd, out.A2);
  out.M.value = added(std::move(out.M.value), times_transposed(out.Wpd, out.A3).value);
  out.f_ext = added(times(out.Vpd, out.F), times(out.Wpd, out.M_ext));
  out.f = added(out.f_ext, times(out.Vpd, transposed_times(out.A1, out.qd)), -1);

  const Vector bias = transposed_times(partials.Vpd_rate(), out.qd);
  const std::vector<double> units = close_loops(constraints, system, tree, bias, out);
  const FreeMotionSolution solution = solved(mechanism, out, units);
  if (solution.contradiction >= 0)
    return located(mechanism, {}, "at " + seconds(state.t) + " the loops ask for accelerations that contradict each other, that of '" +
                                      out.closures[z(solution.contradiction)] + "' among them");
  if (!solution.decided) {
    const std::vector<std::string> names = massless(mechanism);
    return located(mechanism, {}, "at " + seconds(state.t) + " M is singular: some motion that the joints allow moves no mass" +
                                      (names.empty() ? "" : "; without mass or inertia: " + join_names(names)),
                   "give the bodies that move freely a mass and an inertia");
  }
  out.qdd = solution.x;
  out.lambda = solution.lambda;
  out.rank = solution.rank;
  const Vector linear = added(transposed_times(out.Vpd, out.qdd), bias), angular = transposed_times(out.Wpd, out.qdd);
  for (std::size_t b = 0; b < angular.size(); ++b)
    out.accelerations.insert(out.accelerations.end(), {linear[2 * b], linear[2 * b + 1], angular[b]});
  add_pinned_blocks(out);
  out.F_in = added(transposed_times(out.A1, out.qd), transposed_times(out.A2, out.qdd));
  out.M_in = transposed_times(out.A3, out.qdd);
  for (std::vector<double>* of : {&out.F_in, &out.M_in})
    for (double& x : *of) x = 0.0 - x;
  return out;
}

}  // namespace jounce
