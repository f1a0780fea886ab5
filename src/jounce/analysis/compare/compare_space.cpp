#include <algorithm>
#include <cmath>

#include "jounce/analysis/compare/compare_arithmetic.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/analysis/state_at.hpp"
#include "jounce/base/index.hpp"
#include "jounce/math/dense.hpp"
#include "jounce/space/maximal/maximal.hpp"
#include "jounce/space/build/checks.hpp"
#include "jounce/space/equations/free_mechanism.hpp"
#include "jounce/space/equations/shared_reactions.hpp"
#include "jounce/space/motion/dry_friction.hpp"
#include "jounce/space/size.hpp"
#include "jounce/tree/dof_quantity.hpp"

namespace jounce {
namespace {

/// Of dry friction: rates below it are not told from zero.
constexpr double kDofAtRest = 1e-9;
/// Loops that contradict each other by more than this, against the accelerations, hold the mechanism.
constexpr double kContradiction = 1e-6;

struct State {
  double t = 0;
  std::vector<double> q, v, a;  // a: of the active dofs
};


/// What one dof does to a body: a length for each unit of it.
double reach(const tree::Link& link, int k, double length) {
  if (link.motion == tree::Motion::screw) return std::abs(link.turn) * length + std::abs(link.advance);
  return dof_quantity(link, k) == tree::Quantity::length ? 1 : length;
}

class CompareSpace {
 public:
  CompareSpace(const SpaceMechanism& mechanism, State state)
      : free_(mechanism, state.q), mechanism_(free_.mechanism()), state_(std::move(state)), length_(length_scale(mechanism)), reach_(mechanism.dofs.size()), friction_(mechanism_, Formulation::automatic, kDofAtRest) {
    if (free_.decided()) light_ = free_.light();
    if (!light_.empty()) friction_.carry(light_);
    for (const tree::Link& link : mechanism.tree.links())
      for (int k = 0; k < tree::dofs(link.motion); ++k) reach_[z(link.v + k)] = reach(link, k, length_);
  }

  ComparisonResult run(const Stop& stop) {
    ComparisonResult out;
    out.outcome = {Outcome::Kind::done, state_.t, "", {}};
    if (friction_.any() && friction_.start(state_.t, state_.q, state_.v) != DryFriction::Status::decided) {
      out.outcome = {Outcome::Kind::undecided, state_.t, "dry friction: no combination of sticking and sliding agrees with the forces", {}};
      return out;
    }
    name_columns();
    result_.t = state_.t;
    for (const Formulation formulation : kFormulations) {
      if (stop && stop()) return out.outcome = {Outcome::Kind::stopped, state_.t, "stopped by the caller", {}}, out;
      result_.formulations.push_back(by(formulation));
    }
    const auto& all = result_.formulations;
    if (contradiction_) {
      const char* sentence = "loops, couplings and prescribed motions contradict each other";
      out.outcome = {Outcome::Kind::conflicting, state_.t, sentence, closures()};
      return out;
    }
    if (std::ranges::none_of(all, &ComparedFormulation::applies)) {
      out.outcome = {Outcome::Kind::undecided, state_.t, "no formulation applies: " + all.back().reason, {}};
      return out;
    }
    judge();
    out.comparison = std::move(result_);
    return out;
  }

 private:
  static void add_column(std::vector<std::string>& names, std::vector<double>& weights, const std::string& name, double weight) {
    names.push_back(name);
    weights.push_back(weight);
  }

  void name_wrench(const std::string& name) {
    auto& reactions = result_.reaction_columns;
    for (const char* ending : {".fx", ".fy", ".fz"}) add_column(reactions, reaction_weights_, name + ending, 1);
    for (const char* ending : {".mx", ".my", ".mz"}) add_column(reactions, reaction_weights_, name + ending, 1 / length_);
  }

  void name_columns() {
    auto& accelerations = result_.acceleration_columns;
    for (const SpaceJoint& joint : mechanism_.joints) {
      for (int k = 0; k < joint.links.dofs; ++k) {
        const auto dof = z(joint.links.v + k);
        const std::string number = std::to_string(k + 1);
        add_column(accelerations, acceleration_weights_, joint.name + ".a" + number, reach_[dof]);
        if (mechanism_.dofs[dof].active())
          add_column(result_.reaction_columns, reaction_weights_, joint.name + ".tau" + number, 1 / reach_[dof]);
      }
      name_wrench(joint.name);
    }
    for (const SpaceLoop& loop : mechanism_.loops) name_wrench(loop.name);
    for (const SpaceEquation& equation : mechanism_.equations)
      if (equation.named_first() != nullptr) name_wrench(equation.name);
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
      const std::string& name = mechanism_.bodies[b].name;
      for (const char* ending : {".ax", ".ay", ".az"}) add_column(accelerations, acceleration_weights_, name + ending, 1);
      for (const char* ending : {".alx", ".aly", ".alz"}) add_column(accelerations, acceleration_weights_, name + ending, length_);
    }
  }

  ComparedFormulation by(Formulation formulation) {
    ComparedFormulation out;
    out.formulation = formulation;
    out.reason = inapplicable(mechanism_, formulation);
    if (!out.applies()) return out;
    SpaceEquations at(friction_.mechanism(), formulation);
    if (!light_.empty()) at.carry(light_);
    at.direct(friction_.directions());
    std::vector<double> a = state_.a;
    if (const auto fault = at.solve(state_.t, state_.q, state_.v, a)) return out.reason = fault->text(), out;
    take(at, a, out);
    contradiction_ = contradiction_ || at.inconsistency() > kContradiction * (1 + largest(a));
    if (const OpenReactions* open = at.open_reactions()) result_.not_unique = open->names(at.mechanism());
    if (formulation == Formulation::kkt) {
      const MaximalCoordinates& bodies = *at.maximal();
      result_.condition = std::max({result_.condition, saddle_condition(bodies.pattern(), bodies.jacobian(), bodies.mass()),
                                    mass_condition(bodies.pattern(), bodies.jacobian(), bodies.mass(),
                                                   std::vector<double>(bodies.mass().size(), 1.0))});
    }
    if (formulation == Formulation::crba) result_.condition = std::max(result_.condition, inertia_condition(at));
    if (formulation == Formulation::aba) find_floors(at);
    out.unknowns = at.unknowns();
    out.seconds = fastest([&] { (void)at.solve(state_.t, state_.q, state_.v, a); });
    return out;
  }

  void take(SpaceEquations& at, std::span<const double> a, ComparedFormulation& out) {
    std::vector<double> tau(a.size());
    at.efforts(tau);
    out.kinetic = at.kinetic(state_.q, state_.v);
    at.move(state_.q, state_.v, a);
    out.potential = energy(at).potential;
    const auto vector = [](std::vector<double>& to, const Vec3<double>& x) { to.insert(to.end(), {x.x, x.y, x.z}); };
    const auto wrench = [&](const tree::Wrench<double>& w) { vector(out.reactions, w.force), vector(out.reactions, w.moment); };
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j) {
      const tree::Attached& links = mechanism_.joints[j].links;
      for (int k = 0; k < links.dofs; ++k) {
        const auto dof = z(links.v + k);
        out.accelerations.push_back(a[dof]);
        if (mechanism_.dofs[dof].active()) out.reactions.push_back(tau[dof]);
      }
      wrench(at.joint_wrench(static_cast<int>(j)));
    }
    for (std::size_t l = 0; l < mechanism_.loops.size(); ++l) wrench(at.loop_wrench(static_cast<int>(l)));
    for (std::size_t e = 0; e < mechanism_.equations.size(); ++e)
      if (mechanism_.equations[e].named_first() != nullptr) wrench(at.closures().reaction_of_equation(static_cast<int>(e), at.multipliers()));
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
      const Twist body = at.body_acceleration(static_cast<int>(b));
      vector(out.accelerations, body.shift), vector(out.accelerations, body.turn);
    }
  }

  // What is added up to accelerations and reactions, where the sums vanish: weights, loads, prescribed motions, centripetal forces.
  void find_floors(const SpaceEquations& at) {
    double speed = 0, spin = 0, mass = 0, load = 0, prescribed = 0;
    for (int l = 0; l < mechanism_.tree.size(); ++l) {
      const tree::LinkWork<double>& work = at.motion_work().links[z(l)];
      spin = std::max(spin, length(work.spin));
      speed = std::max({speed, length(at.links()[z(l)].velocity), length(work.spin) * length_});
      mass += mechanism_.tree.link(l).inertia.mass;
      load = std::max(load, length(at.loads().external[z(l)].force));
    }
    for (std::size_t k = 0; k < state_.a.size(); ++k) {
      load = std::max(load, std::abs(at.loads().tau[k]) / reach_[k]);
      prescribed = std::max(prescribed, std::abs(state_.a[k]) * reach_[k]);
    }
    acceleration_floor_ = std::max({prescribed, length(mechanism_.tree.gravity), spin * speed, mass > 0 ? load / mass : 0.0});
    force_floor_ = std::max(load, mass * acceleration_floor_);
  }

  [[nodiscard]] static double inertia_condition(const SpaceEquations& at) {
    const auto passive = at.passive_dofs();
    const std::size_t n = at.active().size(), size = passive.size();
    if (size == 0 || size > z(kLargestMatrix) || !at.light().empty()) return 1;  // it is not divided by; free bodies tell
    std::vector<double> matrix;
    for (const int r : passive)
      for (const int c : passive) matrix.push_back(at.inertia()[z(r) * n + z(c)]);
    return symmetric_condition(matrix, static_cast<int>(size));
  }

  [[nodiscard]] std::vector<std::string> closures() const {
    return LoopClosures(mechanism_).plain_names();
  }

  void judge() {
    const auto& all = result_.formulations;
    result_.accelerations = farthest_apart(all, &ComparedFormulation::accelerations, result_.acceleration_columns,
                                           acceleration_weights_, acceleration_floor_);
    result_.reactions =
        farthest_apart(all, &ComparedFormulation::reactions, result_.reaction_columns, reaction_weights_, force_floor_);
    result_.energy = energies_apart(all, force_floor_ * length_);
    result_.allowed = allowed_by(result_.condition);
    measure_from_first(result_, acceleration_weights_, reaction_weights_);
  }

  FreeMechanism free_;
  const SpaceMechanism& mechanism_;
  std::vector<int> light_;  // dofs that loops and couplings decide
  State state_;
  double length_;
  std::vector<double> reach_;  // of each dof
  SpaceDryFriction friction_;
  Comparison result_{.condition = 1};
  std::vector<double> acceleration_weights_, reaction_weights_;
  double acceleration_floor_ = 0, force_floor_ = 0;
  bool contradiction_ = false;
};

StateResult start_of(const SpaceMechanism& mechanism, const Stop& stop) {
  StateResult out;
  const Assembly start = assemble(mechanism, 0, stop);
  out.problems = start.problems;
  if (!start.assembled) return out.outcome = not_begun(start), out;
  out.state = MotionState{0, start.q, start.v};
  out.outcome.kind = Outcome::Kind::done;
  return out;
}

}  // namespace

ComparisonResult compare(const SpaceMechanism& mechanism, double t, const Stop& stop) {
  ComparisonResult out;
  out.problems = missing_masses(mechanism, "compare", "0 for a body without mass");
  if (!(t >= 0) || !std::isfinite(t)) out.problems.push_back(error({}, "compare: expected a finite time >= 0"));
  if (!out.problems.empty()) return locate(out.problems, mechanism.file), out;
  StateResult run = t > 0 ? state_at(mechanism, t, stop) : start_of(mechanism, stop);
  out.problems = std::move(run.problems);
  out.outcome = std::move(run.outcome);
  if (!out.outcome.done()) return out;
  State state{t, std::move(run.state->q), std::move(run.state->v), std::vector<double>(mechanism.dofs.size())};
  if (const auto fault = SpaceEquations(mechanism).prescribe(t, state.q, state.v, state.a)) {
    out.outcome = {Outcome::Kind::undefined, t, fault->text(), fault->names()};
    out.problems.push_back(error(fault->where, out.outcome.sentence));
    return locate(out.problems, mechanism.file), out;
  }
  ComparisonResult found = CompareSpace(mechanism, std::move(state)).run(stop);
  if (found.comparison) found.comparison->driven = t == 0 || run.driven;
  found.problems = std::move(out.problems);
  return found;
}

}  // namespace jounce
