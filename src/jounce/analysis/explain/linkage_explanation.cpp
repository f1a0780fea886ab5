#include "jounce/analysis/explain/linkage_explanation.hpp"

#include <algorithm>

#include "jounce/analysis/explain/space_instant.hpp"
#include "jounce/base/index.hpp"
#include "jounce/math/dense_rank.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/space/closures/scaled_closures.hpp"
#include "jounce/space/equations/equations.hpp"
#include "jounce/space/maximal/rigid_bodies.hpp"
#include "jounce/space/size.hpp"

namespace jounce {
namespace {

bool of_one_body(LinkageFormulation formulation) {
  return formulation == LinkageFormulation::method_1 || formulation == LinkageFormulation::method_2 || formulation == LinkageFormulation::method_3;
}

// Why the methods of one body do not apply; empty where they do.
std::string more_than_one_body(const SpaceMechanism& mechanism, LinkageFormulation formulation) {
  if (!of_one_body(formulation)) return {};
  const std::string expected = std::string(word(formulation)) + ": expected one body on one joint to the ground, found ";
  if (mechanism.joints.size() != 1) return expected + std::to_string(mechanism.joints.size()) + " joints";
  if (!mechanism.loops.empty()) return expected + "loop '" + mechanism.loops.front().name + "' besides";
  return {};
}

std::vector<tree::LinkagePart> parts(const SpaceMechanism& mechanism, std::span<const int> order) {
  std::vector<tree::LinkagePart> out;
  std::vector<int> carrier(mechanism.bodies.size(), tree::kGround);  // body → part
  for (const int j : order) {
    const SpaceJoint& joint = mechanism.joints[z(j)];
    carrier[z(joint.child)] = static_cast<int>(out.size());
    out.push_back({carrier[z(joint.parent)], joint.links.first, joint.links.last, joint.links.successor});
  }
  return out;
}

// K N = 0: each column moves one free dof by one, and those that depend on it. Dofs in units that can be compared.
void find_free(const SpaceMechanism& mechanism, const SpaceEquations& equations, NullSpaceExplanation& out) {
  out.passive.assign(equations.passive_dofs().begin(), equations.passive_dofs().end());
  const int m = equations.closures().size(), p = static_cast<int>(out.passive.size());
  out.K = Matrix(m, p);
  const std::vector<double> all = equations.closures().jacobian();
  for (int r = 0; r < m; ++r)
    for (int i = 0; i < p; ++i) out.K.at(r, i) = all[z(r) * mechanism.dofs.size() + z(out.passive[z(i)])];
  const Matrix scaled = equations.gradients_over(out.passive);  // a column for each equation
  DenseMatrix a(m, p);
  for (int r = 0; r < m; ++r)
    for (int i = 0; i < p; ++i) a.at(r, i) = scaled.at(i, r);
  const DenseRank found = dense_rank(a, kDependentClosure);
  const std::vector<double> units = dof_units(mechanism, length_scale(mechanism));
  const auto unit = [&](int i) { return units[z(out.passive[z(i)])]; };
  out.N = Matrix(p, p - found.rank);
  for (int k = 0; k < out.N.columns; ++k) {
    const int moved = found.order[z(found.rank + k)];
    out.free.push_back(out.passive[z(moved)]);
    out.N.at(moved, k) = 1;
    for (int i = 0; i < found.rank; ++i) {
      const int follows = found.order[z(i)];
      out.N.at(follows, k) = -found.combination[z(k)][z(i)] * unit(follows) / unit(moved);
    }
  }
}

// Nᵀ H_PP N y = Nᵀ (τ_P − C_P − (H a)_P) with a what is known of the accelerations.
bool solve_null_space(NullSpaceExplanation& out, std::span<const double> effort) {
  const int p = static_cast<int>(out.passive.size());
  Matrix H(p, p);
  std::vector<double> right(z(p));
  const std::vector<double> known = times(out.tree.H, out.particular);
  for (int i = 0; i < p; ++i) {
    const int dof = out.passive[z(i)];
    out.effort.push_back(effort[z(dof)]);
    right[z(i)] = effort[z(dof)] - out.tree.C[z(dof)] - known[z(dof)];
    for (int k = 0; k < p; ++k) H.at(i, k) = out.tree.H.at(dof, out.passive[z(k)]);
  }
  out.left = congruent(H, out.N);
  out.right = transposed_times(out.N, right);
  if (out.N.columns == 0) return true;
  const auto solved = solve_positive(out.left, out.right, 1e-14);
  if (solved) out.y = *solved;
  return solved.has_value();
}

Problems add_method(LinkageExplanation& e, const tree::Wrench<double>& external) {
  MethodExplanation& out = e.method.emplace();
  out.body = tree::constrained_body(e.linkage, e.rates, e.tau, tree::in_frame(e.linkage.bodies.front().frame, external));
  const auto moved = e.formulation == LinkageFormulation::method_1   ? tree::by_projection(out.body)
                     : e.formulation == LinkageFormulation::method_2 ? tree::by_multipliers(out.body)
                                                                     : tree::by_generalized_coordinates(out.body);
  const auto phi = tree::apparent_inverse_inertia(out.body);
  const auto b = tree::bias_acceleration(out.body);
  const auto subspaces = tree::subspaces(out.body);
  const auto equations = tree::generalized_equations(out.body);
  if (!moved || !phi || !b || !subspaces || !equations) return moved.problems();
  out.motion = *moved, out.phi = *phi, out.b = *b, out.subspaces = *subspaces, out.equations = *equations;
  return {};
}

}  // namespace

LinkageExplainResult explain_linkage(const SpaceMechanism& mechanism, LinkageFormulation formulation, double t, const Stop& stop) {
  const auto refused = [](Outcome outcome, Problems problems, std::string sentence) {
    outcome.kind = Outcome::Kind::not_run;
    outcome.sentence = sentence;
    problems.push_back(error({}, std::move(sentence)));
    return LinkageExplainResult{std::move(outcome), std::move(problems), {}};
  };
  if (std::string wrong = more_than_one_body(mechanism, formulation); !wrong.empty()) return refused({}, {}, std::move(wrong));
  const SpaceInstant at = space_instant(mechanism, t, true, stop);
  LinkageExplainResult out{at.outcome, at.problems, {}};
  if (at.row.empty()) return out;

  if (at.by == Analysis::dynamics && has_exact_friction(mechanism))
    return refused(at.outcome, at.problems, std::string(word(formulation)) + ": expected friction with a friction_speed, found some with the exact sign: what it holds where it is stuck is not among these arrays");
  const std::optional<SpaceMechanism> held = with_held_turns(mechanism, at);
  SpaceEquations equations(held ? *held : mechanism);
  std::vector<double> a(mechanism.dofs.size());
  for (const SpaceJoint& joint : mechanism.joints) std::ranges::copy(at.values(joint.name + ".a1", joint.links.dofs), a.begin() + joint.links.v);
  if (at.by == Analysis::inverse) equations.use_actuators();
  const auto fault = at.by == Analysis::inverse ? equations.balance(t, at.q, at.v, a) : equations.solve(t, at.q, at.v, a);
  if (fault) return refused(at.outcome, at.problems, fault->sentence);
  std::vector<tree::Wrench<double>> external = equations.loads().external;
  std::vector<double> effort = equations.loads().tau;
  std::vector<double> carried(effort.size());
  equations.efforts(carried);
  for (const int dof : equations.passive_dofs())
    if (at.by == Analysis::inverse && mechanism.dofs[z(dof)].actuated) effort[z(dof)] += carried[z(dof)];
  // by the null space the forces of loops drop out; moments that hold idle links are loads like others, as no loop resists the turn
  const bool whole = formulation == LinkageFormulation::nullspace;
  std::vector<double> lambda(equations.multipliers().begin(), equations.multipliers().end());
  if (whole) std::fill_n(lambda.begin(), equations.closures().first_idle(), 0.0);
  equations.closures().add_forces(lambda, external, effort);

  LinkageExplanation& e = out.explanation.emplace();
  e.t = t, e.by = at.by, e.formulation = formulation;
  e.loops = equations.closures().first_idle() > 0;
  e.idle = held.has_value();
  const std::vector<int> order = parents_first(mechanism);
  for (const int j : order) {
    const SpaceJoint& joint = mechanism.joints[z(j)];
    e.parts.push_back({joint.name, std::string(joint.type->type), mechanism.bodies[z(joint.parent)].name, mechanism.bodies[z(joint.child)].name});
  }
  for (std::size_t dof = 0; dof < mechanism.dofs.size(); ++dof) e.dofs.push_back(mechanism.dof_label(static_cast<int>(dof)));
  e.rates = at.v;
  e.linkage = tree::linkage(mechanism.tree, parts(mechanism, order), {at.q, at.v, a, equations.active(), effort, external});
  e.qdd = a;

  if (whole) {
    NullSpaceExplanation& null = e.null_space.emplace();
    null.tree = tree::null_space_of_tree(e.linkage);
    SpaceEquations free(mechanism);  // without the rows of idle turns
    free.evaluate_closures(at.q, at.v);
    find_free(mechanism, free, null);
    null.particular = a;
    for (const int dof : equations.passive_dofs()) null.particular[z(dof)] = 0;
    if (e.loops) (void)free.follow(free.closures().right(), null.particular);
    if (!solve_null_space(null, effort)) {
      out.explanation.reset();
      return refused(at.outcome, at.problems, "nullspace: some motion that joints and loops leave free moves no inertia");
    }
    for (std::size_t i = 0; i < null.passive.size(); ++i) {
      double moved = null.particular[z(null.passive[i])];
      for (int k = 0; k < null.N.columns; ++k) moved += null.N.at(static_cast<int>(i), k) * null.y[z(k)];
      e.qdd[z(null.passive[i])] = moved;
    }
    e.tau = times(null.tree.H, e.qdd);
    for (std::size_t dof = 0; dof < e.tau.size(); ++dof) e.tau[dof] += null.tree.C[dof];
    return out;
  }
  e.articulated = tree::articulated_bodies(e.linkage);
  if (e.articulated.undecided >= 0) {
    const std::string joint = e.parts[z(e.articulated.undecided)].joint;
    out.explanation.reset();
    return refused(at.outcome, at.problems, std::string(word(formulation)) + ": D of joint '" + joint + "' is not positive: no inertia is moved by some dof of it");
  }
  for (const int dof : equations.passive_dofs()) e.qdd[z(dof)] = e.articulated.qdd[z(dof)];
  e.tau = e.articulated.tau;
  if (formulation == LinkageFormulation::kane) {
    std::vector<int> bodies;
    bodies.reserve(order.size());
    for (const int j : order) bodies.push_back(mechanism.joints[z(j)].child);
    e.kane = kane_in_space(mechanism, bodies, {at.q, at.v, a, equations.active(), e.tau, external});
    if (!e.kane) {
      out.explanation.reset();
      return refused(at.outcome, at.problems, "kane: M is singular: some motion that the joints allow moves no inertia");
    }
    e.qdd = e.kane->qdd;
  }
  if (formulation == LinkageFormulation::crba) e.composite = tree::composite_bodies(e.linkage);
  if (of_one_body(formulation)) {
    if (Problems problems = add_method(e, external[z(mechanism.joints.front().links.last)]); !problems.empty()) {
      out.explanation.reset();
      append(out.problems, problems);
      out.outcome.kind = Outcome::Kind::not_run;
      out.outcome.sentence = problems.front().sentence;
    }
  }
  return out;
}

}  // namespace jounce
