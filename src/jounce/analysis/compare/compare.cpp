#include "jounce/analysis/compare/compare.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/analysis/compare/compare_arithmetic.hpp"
#include "jounce/plane/motion/dry_friction.hpp"
#include "jounce/plane/rows/dynamic_rows.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/plane/motion/multipliers.hpp"
#include "jounce/analysis/state_at.hpp"
#include "jounce/base/column_endings.hpp"
#include "jounce/base/index.hpp"
#include "jounce/plane/equations/equations_of_motion.hpp"
#include "jounce/plane/spanning/joint_space.hpp"
#include "jounce/plane/spanning/kane_partials.hpp"

namespace jounce {
namespace {

// How large a force is, which its components say already.
bool is_size(const Column& column) { return column.name == column.owner + "." + std::string(columns::kForceSize[0].text); }

constexpr int kOrder = 2;  // accelerations
/// Of dry friction: rates below it are not told from zero.
constexpr double kAtRest = 1e-9;

class Compare {
 public:
  Compare(const PlaneMechanism& mechanism, PlanarState state)
      : mechanism_(mechanism), state_(std::move(state)), friction_(mechanism, Formulation::automatic, kAtRest) {}

  ComparisonResult run(const Stop& stop) {
    ComparisonResult out;
    out.outcome = {Outcome::Kind::done, state_.t, "", {}};
    if (friction_.any() && friction_.start(state_.t, state_.q, state_.v) != DryFriction::Status::decided) {
      out.outcome = {Outcome::Kind::undecided, state_.t, "dry friction: no combination of sticking and sliding agrees with the forces", {}};
      return out;
    }
    tree_ = spanning_tree(system());
    name_columns();
    result_.t = state_.t;
    for (const Formulation formulation : kFormulations) {
      if (stop && stop()) return out.outcome = {Outcome::Kind::stopped, state_.t, "stopped by the caller", {}}, out;
      result_.formulations.push_back(by(formulation));
    }
    if (fault_) {
      out.outcome = {Outcome::Kind::undefined, state_.t, fault_->text(), fault_->names()};
      out.problems.push_back(error(fault_->where, out.outcome.sentence));
      locate(out.problems, mechanism_.file);
      return out;
    }
    if (std::ranges::none_of(result_.formulations, &ComparedFormulation::applies)) {
      out.outcome = {Outcome::Kind::undecided, state_.t, "masses and joints do not decide the accelerations: no formulation applies", {}};
      return out;
    }
    judge();
    out.comparison = std::move(result_);
    return out;
  }

 private:
  [[nodiscard]] const PlanarSystem& system() const { return friction_.system(); }

  // The columns of a row of results that are compared.
  void name_columns() {
    const std::vector<Column> all = dynamic_columns(mechanism_, false);
    const double length = system().length_scale();
    for (std::size_t c = 0; c < all.size(); ++c) {
      const Column& column = all[c];
      const auto of_body = [&] { return std::ranges::find(mechanism_.bodies, column.owner, &BodyData::name) != mechanism_.bodies.end(); };
      if (column.group == "acceleration" && of_body()) {
        result_.acceleration_columns.push_back(column.name);
        acceleration_places_.push_back(c);
        acceleration_weights_.push_back(column.unit == "rad/s²" ? length : 1);
      } else if (column.group == "effort" || (column.group == "reaction" && !is_size(column))) {
        result_.reaction_columns.push_back(column.name);
        reaction_places_.push_back(c);
        reaction_weights_.push_back(column.unit == "N m" ? 1 / length : 1);
      }
    }
    row_.resize(all.size());
  }

  ComparedFormulation by(Formulation formulation) {
    ComparedFormulation out;
    out.formulation = formulation;
    out.reason = refusal(formulation);
    if (!out.applies()) return out;
    EquationsOfMotion at(system(), kOrder, formulation);
    at.set_directions(friction_.directions());
    if (auto fault = at.set_time(state_.t, kOrder)) return fault_ = fault, out;
    const auto evaluate = [&] {
      at.set_position(state_.q);
      at.factor(false);
      at.set_velocity(state_.v);
      return at.expand(kOrder);
    };
    at.set_position(state_.q);
    at.factor(false);
    if (std::isnan(at.smallest_pivot())) return out.reason = irregular(formulation), out;
    if (auto fault = evaluate()) return fault_ = fault, out;
    take(at, out);
    out.seconds = fastest([&] { (void)evaluate(); });
    out.unknowns = at.unknowns();
    return out;
  }

  // Accelerations, reactions and energy out of a row of results.
  void take(const EquationsOfMotion& at, ComparedFormulation& out) {
    const std::vector<planar::FrameRecord> none(z(system().bodies() + 1));
    std::vector<double> in_force(z(system().equations())), lambda(z(mechanism_.system.equations()));
    at.multipliers(0, in_force);
    std::vector<ForceReading> readings;
    for (std::size_t f = 0; f < mechanism_.system.forces().size(); ++f) readings.push_back(at.reading(static_cast<int>(f), 0));
    if (at.dropped_count() > 0) {
      if (!open_) open_ = indeterminacy(system(), state_.t, state_.q);
      shorten(*open_, in_force);
    }
    friction_.original_rows(in_force, lambda);
    fill_dynamic_row(mechanism_,
                     {.t = state_.t,
                      .frames = {at.frames(0), at.frames(1), at.frames(2), none, none},
                      .lambda = lambda,
                      .lambda_rate = {},
                      .readings = readings,
                      .potential = at.potential(),
                      .constraint_error = 0},
                     row_);
    for (const std::size_t place : acceleration_places_) out.accelerations.push_back(row_[place]);
    for (const std::size_t place : reaction_places_) out.reactions.push_back(row_[place]);
    out.potential = at.potential();
    out.kinetic = at.kinetic_of_factors();
  }

  [[nodiscard]] std::string refusal(Formulation formulation) const {
    if (formulation == Formulation::kane) {
      const int joints = static_cast<int>(KanePartials(system(), tree_).coordinates().size());
      if (joints > kLargestMatrix)
        return "its full matrices of " + std::to_string(joints) + " coordinates take too long; up to " + std::to_string(kLargestMatrix) +
               " are compared";
    }
    if (formulation != Formulation::lagrange) return {};
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b)
      for (const auto& [value, key] : {std::pair{&BodyData::mass, "mass"}, std::pair{&BodyData::inertia, "inertia"}})
        if ((mechanism_.bodies[b].*value).value_or(0) == 0)
          return "body '" + mechanism_.bodies[b].name + "' has no " + key + ": M cannot be inverted";
    return {};
  }

  [[nodiscard]] std::string irregular(Formulation formulation) const {
    if (formulation == Formulation::kkt) return "masses and joints do not decide the motion here";
    if (formulation == Formulation::nullspace) return "some motion that the joints leave free moves no mass, or the joints are singular here";
    const SpanningTree& tree = tree_;
    std::vector<double> beyond(tree.edges.size(), 0.0);  // mass and inertia that a joint moves
    for (std::size_t e = tree.edges.size(); e-- > 0;) {
      const SpanningTree::Edge& edge = tree.edges[e];
      const double* own = system().mass().data() + 3 * (edge.body - 1);
      beyond[e] += own[0] + own[2];
      if (!(beyond[e] > 0)) return "the joint that carries body '" + mechanism_.bodies[z(edge.body)].name + "' moves no mass";
      if (edge.parent > 0) beyond[z(tree.edge_of[z(edge.parent)])] += beyond[e];
    }
    return "some joint of the tree moves no mass, or the loops are singular here";
  }

  // How far apart they are, and how far they may be.
  void judge() {
    const double length = system().length_scale(), gravity = std::hypot(system().gravity().x, system().gravity().y);
    Linearisation forces(system());
    forces.set_directions(friction_.directions());
    double free = gravity, load = 0, total = 0;  // accelerations of bodies without joints; what acts on them; their mass
    if (!forces.forces_alone(state_.t, state_.q, state_.v))
      for (std::size_t i = 0; i < state_.q.size(); ++i) {
        const double mass = system().mass()[i], unit = i % 3 == 2 ? length : 1;
        const double v = std::abs(state_.v[i]) * unit;
        load = std::max({load, std::abs(forces.Q()[i]) / unit, mass / unit / unit * v * v / length});
        if (mass > 0) free = std::max({free, std::abs(forces.Q()[i]) / mass * unit, v * v / length});
        if (i % 3 == 0) total += mass;
      }
    const auto& all = result_.formulations;
    result_.accelerations =
        farthest_apart(all, &ComparedFormulation::accelerations, result_.acceleration_columns, acceleration_weights_, free);
    result_.reactions = farthest_apart(all, &ComparedFormulation::reactions, result_.reaction_columns, reaction_weights_, load);
    result_.energy = energies_apart(all, std::max(total * gravity, load) * length);
    result_.condition = condition();
    result_.allowed = allowed_by(result_.condition);
    measure_from_first(result_, acceleration_weights_, reaction_weights_);
    if (open_) result_.not_unique = not_unique(system(), *open_);
  }

  // Of the equations of all bodies, and of the inertia matrix of the joints.
  [[nodiscard]] double condition() const {
    Evaluation at(system(), 0);
    (void)at.set_time(state_.t);
    (void)at.set_position(state_.q);
    const auto jacobian = at.jacobian();
    std::vector<double> alike(z(system().coordinates()), 1.0);  // masses of one size
    for (std::size_t i = 2; i < alike.size(); i += 3) alike[i] = system().length_scale() * system().length_scale();
    double out = std::max(saddle_condition(system().pattern(), jacobian, system().mass()),
                          mass_condition(system().pattern(), jacobian, system().mass(), alike));
    KanePartials partials(system(), tree_);
    const int n = static_cast<int>(partials.coordinates().size());
    if (n == 0 || n > kLargestMatrix) return out;
    partials.set_position(state_.q);
    DenseMatrix matrix(n, n);
    joint_inertia(partials, system().mass(), matrix);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) matrix.at(j, i) = matrix.at(i, j);
    const double inertia = symmetric_condition(matrix.value, n);
    return std::isfinite(inertia) ? std::max(out, inertia) : out;  // without masses the tree does not apply, and says so
  }

  const PlaneMechanism& mechanism_;
  PlanarState state_;
  PlaneDryFriction friction_;
  SpanningTree tree_;
  Comparison result_;
  std::optional<Fault> fault_;
  std::optional<Indeterminacy> open_;
  std::vector<std::size_t> acceleration_places_, reaction_places_;
  std::vector<double> acceleration_weights_, reaction_weights_, row_;
};

}  // namespace

ComparisonResult compare(const PlaneMechanism& mechanism, double t, const Stop& stop) {
  ComparisonResult out;
  out.problems = missing_masses(mechanism, "compare", "0 for a body without mass");
  if (!out.problems.empty()) return out;
  StateResult reached = state_at(mechanism, t, stop);
  if (reached.state) {
    out = Compare(mechanism, *std::move(reached.state)).run(stop);
    if (out.comparison) out.comparison->driven = reached.driven;
    out.problems.insert(out.problems.begin(), reached.problems.begin(), reached.problems.end());
  } else {
    out.outcome = std::move(reached.outcome);
    out.problems = std::move(reached.problems);
  }
  return out;
}

}  // namespace jounce
