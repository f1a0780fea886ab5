#include "jounce/analysis/explain/arrays_explanation.hpp"

#include <algorithm>
#include <span>

#include "jounce/analysis/explain/linkage_explanation.hpp"
#include "jounce/base/index.hpp"

namespace jounce {
namespace {

using Names = std::vector<std::string>;
using Arrays = std::vector<ExplainedArray>;

const Names kMotion{"ωx", "ωy", "ωz", "vx", "vy", "vz"};
const Names kForces{"nx", "ny", "nz", "fx", "fy", "fz"};

std::vector<double> by_rows(const Matrix& m) {
  std::vector<double> out;
  for (int r = 0; r < m.rows; ++r)
    for (int c = 0; c < m.columns; ++c) out.push_back(m.at(r, c));
  return out;
}
std::vector<double> by_rows(std::span<const tree::SixVector> rows) {
  std::vector<double> out;
  for (const tree::SixVector& row : rows) out.insert(out.end(), row.begin(), row.end());
  return out;
}
// Each of them is a column.
std::vector<double> by_columns(std::span<const tree::SixVector> columns) {
  std::vector<double> out;
  for (std::size_t r = 0; r < 6; ++r)
    for (const tree::SixVector& column : columns) out.push_back(column[r]);
  return out;
}

ExplainedArray matrix(std::string name, std::string key, Names rows, Names columns, std::vector<double> value) {
  return {std::move(name), std::move(key), std::move(rows), std::move(columns), std::move(value)};
}
ExplainedArray vector(std::string name, std::string key, Names rows, std::span<const double> value) {
  return {std::move(name), std::move(key), std::move(rows), {}, {value.begin(), value.end()}};
}

Names numbered(std::string_view letter, int count) {
  Names out;
  for (int k = 1; k <= count; ++k) out.push_back(std::string(letter) + std::to_string(k));
  return out;
}

// ---- bodies of a tree ----------------------------------------------------------------------------------------------------

struct BodyLabels {
  Names dofs, passive;  ///< of its joint
};

BodyLabels labels(const LinkageExplanation& e, const tree::LinkageBody& body) {
  BodyLabels out;
  for (std::size_t k = 0; k < body.dof.size(); ++k) {
    out.dofs.push_back(e.dofs[z(body.dof[k])]);
    if (!body.prescribed[k]) out.passive.push_back(out.dofs.back());
  }
  return out;
}

bool some_prescribed(const LinkageExplanation& e) {
  return std::ranges::any_of(e.linkage.bodies, [](const tree::LinkageBody& body) { return std::ranges::count(body.prescribed, true) > 0; });
}

void add_articulated(const LinkageExplanation& e, std::size_t j, Arrays& out) {
  const tree::LinkageBody& body = e.linkage.bodies[j];
  const tree::ArticulatedBody& own = e.articulated.bodies[j];
  const auto [dofs, passive] = labels(e, body);
  out.push_back(matrix("X", "X", kMotion, kMotion, by_rows(body.X)));
  out.push_back(matrix("I", "I", kForces, kMotion, by_rows(body.I)));
  out.push_back(matrix("S", "S", kMotion, dofs, by_rows(body.S)));
  out.push_back(vector("v", "v", kMotion, body.v));
  out.push_back(vector("c", "c", kMotion, body.c));
  if (some_prescribed(e)) out.push_back(vector("c'", "c_prime", kMotion, body.c_prime));
  out.push_back(vector("a'", "a_prime", kMotion, own.a_prime));
  out.push_back(vector("a", "a", kMotion, own.a));
  out.push_back(matrix("Iᴬ", "IA", kForces, kMotion, by_rows(own.IA)));
  out.push_back(matrix("Iᵃ", "Ia", kForces, kMotion, by_rows(own.Ia)));
  out.push_back(vector("p", "p", kForces, body.p));
  out.push_back(vector("pᴬ", "pA", kForces, own.pA));
  out.push_back(matrix("U", "U", kForces, passive, by_rows(own.U)));
  out.push_back(vector("pᵃ", "pa", kForces, own.pa));
  out.push_back(vector("f", "f", kForces, own.f));
  out.push_back(matrix("D", "D", passive, passive, by_rows(own.D)));
  out.push_back(vector("u", "u", passive, own.u));
  out.push_back(vector("q''", "qdd", passive, own.qdd_P));
}

void add_composite(const LinkageExplanation& e, std::size_t j, Arrays& out) {
  const tree::LinkageBody& body = e.linkage.bodies[j];
  const Names dofs = labels(e, body).dofs;
  out.push_back(matrix("X", "X", kMotion, kMotion, by_rows(body.X)));
  out.push_back(matrix("I", "I", kForces, kMotion, by_rows(body.I)));
  out.push_back(matrix("Iᶜ", "Ic", kForces, kMotion, by_rows(e.composite->Ic[j])));
  out.push_back(matrix("S", "S", kMotion, dofs, by_rows(body.S)));
  out.push_back(vector("v", "v", kMotion, body.v));
  out.push_back(vector("c", "c", kMotion, body.c));
  out.push_back(matrix("F", "F", kForces, dofs, by_rows(e.composite->F[j])));
  out.push_back(vector("p", "p", kForces, body.p));
}

void add_null_space(const LinkageExplanation& e, std::size_t j, Arrays& out) {
  const tree::LinkageBody& body = e.linkage.bodies[j];
  out.push_back(matrix("X", "X", kMotion, kMotion, by_rows(body.X)));
  out.push_back(matrix("I", "I", kForces, kMotion, by_rows(body.I)));
  out.push_back(matrix("S", "S", kMotion, labels(e, body).dofs, by_rows(body.S)));
  out.push_back(vector("v", "v", kMotion, body.v));
  out.push_back(vector("c", "c", kMotion, body.c));
  const Matrix& T = e.null_space->tree.T[j];
  out.push_back(vector("p", "p", kForces, body.p));
  out.push_back(matrix("T", "T", kForces, numbered("", T.columns), by_rows(T)));
  out.push_back(matrix("Z", "Z", kMotion, e.dofs, by_rows(e.null_space->tree.Z[j])));
}

void add_kane(const LinkageExplanation& e, const KaneBody& own, Arrays& out) {
  static const Names kAxes{"x", "y", "z"};
  const auto of_dofs = [&](const char* name, const char* key, const Matrix& m) { out.push_back(matrix(name, key, e.dofs, kAxes, by_rows(m))); };
  of_dofs("W_pd", "W_pd", own.Wpd), of_dofs("V_pd", "V_pd", own.Vpd);
  of_dofs("A1", "A1", own.A1), of_dofs("A2", "A2", own.A2);
  of_dofs("A3", "A3", own.A3), of_dofs("A4", "A4", own.A4);
  out.push_back(matrix("I", "I", kAxes, kAxes, by_rows(own.I)));
  out.push_back(vector("r", "r", kAxes, own.centre));
  out.push_back(vector("ω", "omega", kAxes, own.omega));
  out.push_back(vector("ω × I ω", "gyroscopic", kAxes, own.gyroscopic));
  out.push_back(vector("F", "F", kAxes, own.F));
  out.push_back(vector("M_ext", "M_ext", kAxes, own.M_ext));
  out.push_back(vector("F_in", "F_in", kAxes, own.F_in));
  out.push_back(vector("M_in", "M_in", kAxes, own.M_in));
}

void add_accelerations(const LinkageExplanation& e, Arrays& out) {
  out.push_back(vector("q'", "qd", e.dofs, e.rates));
  out.push_back(vector("q''", "qdd", e.dofs, e.qdd));
  if (e.null_space && e.loops) out.push_back(vector("H q''+ C", "needed", e.dofs, e.tau));
  else out.push_back(vector("τ", "tau", e.dofs, e.tau));
}

void add_free_motions(const LinkageExplanation& e, Arrays& out) {
  const NullSpaceExplanation& null = *e.null_space;
  Names passive, free;
  for (const int dof : null.passive) passive.push_back(e.dofs[z(dof)]);
  for (const int dof : null.free) free.push_back(e.dofs[z(dof)]);
  if (e.loops) {
    const Names equations = numbered("", null.K.rows);
    out.push_back(matrix("K", "K", equations, passive, by_rows(null.K)));
    out.push_back(matrix("N", "N", passive, free, by_rows(null.N)));
    out.push_back(vector("τ", "tau", passive, null.effort));
  }
  out.push_back(vector("q''_p", "qdd_particular", e.dofs, null.particular));
  out.push_back(matrix("NᵀHN", "left", free, free, by_rows(null.left)));
  out.push_back(vector("right", "right", free, null.right));
  out.push_back(vector("y", "y", free, null.y));
}

// ---- one constrained body ------------------------------------------------------------------------------------------------

std::vector<double> saddle(const tree::ConstrainedBody& body, std::span<const tree::SixVector> T) {
  const std::size_t n = 6 + T.size();
  std::vector<double> out(n * n);
  for (std::size_t r = 0; r < 6; ++r) {
    for (std::size_t c = 0; c < 6; ++c) out[r * n + c] = body.inertia[r][c];
    for (std::size_t c = 0; c < T.size(); ++c) out[r * n + 6 + c] = out[(6 + c) * n + r] = T[c][r];
  }
  return out;
}

void add_method(const LinkageExplanation& e, Arrays& out) {
  const MethodExplanation& m = *e.method;
  const tree::ConstrainedBody& body = m.body;
  const Names dofs = labels(e, e.linkage.bodies.front()).dofs;
  const std::span<const tree::SixVector> T = m.subspaces.null_space;
  const Names lambda = numbered("λ", static_cast<int>(T.size()));
  std::vector<double> H;
  for (const auto& row : m.equations.H) H.insert(H.end(), row.begin(), row.end());
  out.push_back(matrix("I", "I", kForces, kMotion, by_rows(body.inertia)));
  out.push_back(matrix("S", "S", kMotion, dofs, by_columns(body.S)));
  out.push_back(vector("v", "v", kMotion, m.motion.velocity));
  out.push_back(vector("S'q'", "Sdot_qd", kMotion, body.Sdot_qd));
  if (e.formulation == LinkageFormulation::method_1) {
    out.push_back(vector("b", "b", kMotion, m.b));
    out.push_back(vector("a", "a", kMotion, m.motion.acceleration));
    out.push_back(matrix("Φ", "Phi", kMotion, kForces, by_rows(m.phi)));
    out.push_back(matrix("SᵀIS", "H", dofs, dofs, H));
    out.push_back(vector("q''", "qdd", dofs, m.motion.qdd));
  } else if (e.formulation == LinkageFormulation::method_2) {
    out.push_back(vector("a", "a", kMotion, m.motion.acceleration));
    out.push_back(matrix("T", "T", kForces, numbered("", static_cast<int>(T.size())), by_columns(T)));
    Names rows = kForces, columns = kMotion;
    rows.insert(rows.end(), lambda.begin(), lambda.end()), columns.insert(columns.end(), lambda.begin(), lambda.end());
    std::vector<double> right, solution(m.motion.acceleration.begin(), m.motion.acceleration.end());
    for (std::size_t r = 0; r < 6; ++r) right.push_back(body.f[r] - body.p[r]);
    for (const tree::SixVector& t : T) right.push_back(dot(t, body.Sdot_qd));
    for (const double l : m.motion.lambda) solution.push_back(-l);
    out.push_back(matrix("[I T; Tᵀ 0]", "saddle", rows, columns, saddle(body, T)));
    out.push_back(vector("[f-p; -T'ᵀv]", "right", rows, right));
    out.push_back(vector("[a; -λ]", "solution", rows, solution));
    out.push_back(vector("λ", "lambda", lambda, m.motion.lambda));
    out.push_back(vector("q''", "qdd", dofs, m.motion.qdd));
  } else {
    out.push_back(vector("a", "a", kMotion, m.motion.acceleration));
    out.push_back(matrix("H", "H", dofs, dofs, H));
    out.push_back(vector("C", "C", dofs, m.equations.C));
    out.push_back(vector("τ", "tau", dofs, m.equations.tau));
    out.push_back(vector("q''", "qdd", dofs, m.motion.qdd));
  }
  out.push_back(vector("p", "p", kForces, body.p));
  out.push_back(vector("f", "f", kForces, body.f));
  out.push_back(vector("f_c", "f_c", kForces, m.motion.constraint_force));
}

// ---- laws ----------------------------------------------------------------------------------------------------------------

constexpr const char* kFrame = "Vectors of a body have their angular components first, in its own frame: that of its joint on the body's side.";
constexpr const char* kOutwards = "outwards  v = X v_λ + S q',  c = v × S q' + S'q',  p = v ×* I v - f_ext  (λ: its carrier; a₀ = [0; -g])";

Names laws_of_tree(const LinkageExplanation& e) {
  Names out{kFrame, kOutwards};
  const bool prescribed = some_prescribed(e);
  if (e.formulation == LinkageFormulation::aba) {
    if (prescribed) out.push_back("          c' = c + S_A q''_A of the prescribed dofs, which have no U, D and u");
    out.push_back("inwards   U = Iᴬ S,  D = Sᵀ U,  u = τ - Sᵀ pᴬ,  Iᵃ = Iᴬ - U D⁻¹ Uᵀ,  pᵃ = pᴬ + Iᵃ " + std::string(prescribed ? "c'" : "c") + " + U D⁻¹ u");
    out.push_back("          Iᴬ = I + Σ Xᵀ Iᵃ X,  pᴬ = p + Σ Xᵀ pᵃ  over what it carries");
    out.push_back("outwards  a' = X a_λ + " + std::string(prescribed ? "c'" : "c") + ",  q'' = D⁻¹ (u - Uᵀ a'),  a = a' + S q'',  f = Iᴬ a + pᴬ,  τ = Sᵀ f");
  } else if (e.formulation == LinkageFormulation::crba) {
    out.push_back("inwards   Iᶜ = I + Σ Xᵀ Iᶜ X  over what it carries,  F = Iᶜ S");
    out.push_back("H = Sᵀ F where a dof meets those of its own joint, Sᵀ X*…X* F those of joints that carry it;  H q'' + C = τ");
  } else {
    out.push_back("Z = D⁻¹ S: body by body  Z = X Z_λ + S;  T is what the joint resists, Tᵀ S = 0,  G Z = Tᵀ (Z - X Z_λ) = 0");
    out.push_back("H = Σ Zᵀ I Z,  C = Σ Zᵀ (p + I D⁻¹c),  H q'' + C = τ");
    out.push_back(e.loops ? "Loops and couplings demand K q'' = k; K N = 0, q'' = q''_p + N y,  NᵀHN y = Nᵀ (τ - C - H q''_p) over the passive dofs"
                          : "q'' = q''_p + y of the passive dofs,  H y = τ - C - H q''_p,  q''_p those of the prescribed ones");
  }
  if (e.loops && e.formulation != LinkageFormulation::nullspace) out.push_back("The forces of loops and couplings are among the external ones, f_ext and τ.");
  if (e.idle) out.push_back("Moments that hold idle links at their rates are external, too.");
  return out;
}

Names laws_of_kane(const LinkageExplanation& e) {
  Names out{"Vectors are in ground axes; V_pd is of the centre of mass r.  W_pd = ∂ω/∂q',  V_pd = ∂v/∂q'",
            "A1 = V_pd' m,  A2 = V_pd m,  A3 = W_pd I,  A4 = W_pd' I",
            "M = Σ V_pd A2ᵀ + W_pd A3ᵀ,  f_ext = τ + Σ V_pd F + W_pd M_ext",
            "f = f_ext - Σ V_pd A1ᵀ q' + W_pd (A4ᵀ q' + ω × I ω),  M q'' = f",
            "F_in = -(A1ᵀ q' + A2ᵀ q''),  M_in = -(A3ᵀ q'' + A4ᵀ q' + ω × I ω),  τ + Σ V_pd (F + F_in) + W_pd (M_ext + M_in) = 0"};
  if (some_prescribed(e)) out.push_back("τ of a prescribed dof is what its motion needs.");
  if (e.loops) out.push_back("The forces of loops and couplings are among F, M_ext and τ.");
  if (e.idle) out.push_back("Moments that hold idle links at their rates are external, too.");
  return out;
}

Names laws_of_method(LinkageFormulation formulation) {
  Names out{kFrame, "f + f_c = I a + p,  v = S q',  a = S q'' + S'q',  Sᵀ f_c = 0,  p = v ×* I v - f_weight"};
  if (formulation == LinkageFormulation::method_1)
    out.push_back("q'' = (SᵀIS)⁻¹ Sᵀ (f - I S'q' - p),  a = Φ f + b,  Φ = S (SᵀIS)⁻¹ Sᵀ,  b = S'q' - Φ (I S'q' + p)");
  else if (formulation == LinkageFormulation::method_2)
    out.push_back("Tᵀ S = 0,  f_c = T λ,  [I T; Tᵀ 0] [a; -λ] = [f - p; -T'ᵀ v],  -T'ᵀ v = Tᵀ S'q'");
  else
    out.push_back("H q'' + C = τ,  H = SᵀIS,  C = Sᵀ (I S'q' + p),  τ = Sᵀ f");
  return out;
}

}  // namespace

std::string_view word(LinkageFormulation formulation) {
  switch (formulation) {
    case LinkageFormulation::kane: return "kane";
    case LinkageFormulation::aba: return "aba";
    case LinkageFormulation::crba: return "crba";
    case LinkageFormulation::nullspace: return "nullspace";
    case LinkageFormulation::method_1: return "method-1";
    case LinkageFormulation::method_2: return "method-2";
    default: return "method-3";
  }
}

std::optional<LinkageFormulation> linkage_formulation_of(std::string_view name) {
  for (const LinkageFormulation formulation : kLinkageFormulations)
    if (word(formulation) == name) return formulation;
  return std::nullopt;
}

ArraysExplainResult explain_arrays(const SpaceMechanism& mechanism, LinkageFormulation formulation, double t, const Stop& stop) {
  LinkageExplainResult found = explain_linkage(mechanism, formulation, t, stop);
  ArraysExplainResult out{std::move(found.outcome), std::move(found.problems), {}};
  if (!found.explanation) return out;
  const LinkageExplanation& e = *found.explanation;
  ArraysExplanation& shown = out.explanation.emplace();
  shown.t = t, shown.formulation = formulation, shown.by = e.by;
  shown.laws = e.method ? laws_of_method(formulation) : e.kane ? laws_of_kane(e) : laws_of_tree(e);
  for (std::size_t j = 0; j < e.parts.size(); ++j) {
    const LinkageExplanation::Part& part = e.parts[j];
    ExplainedLinkageBody& body =
        shown.bodies.emplace_back(ExplainedLinkageBody{part.child, part.joint, part.type, part.parent, labels(e, e.linkage.bodies[j]).dofs,
                                                       e.linkage.bodies[j].prescribed, {}});
    if (e.kane) add_kane(e, e.kane->bodies[j], body.arrays);
    else if (e.method) add_method(e, body.arrays);
    else if (e.null_space) add_null_space(e, j, body.arrays);
    else if (e.composite) add_composite(e, j, body.arrays);
    else add_articulated(e, j, body.arrays);
  }
  if (e.method) return out;
  if (e.kane) {
    shown.arrays.push_back(matrix("M", "M", e.dofs, e.dofs, by_rows(e.kane->M)));
    shown.arrays.push_back(vector("f_ext", "f_ext", e.dofs, e.kane->f_ext));
    shown.arrays.push_back(vector("f", "f", e.dofs, e.kane->f));
  }
  if (e.composite) {
    shown.arrays.push_back(matrix("H", "H", e.dofs, e.dofs, by_rows(e.composite->H)));
    shown.arrays.push_back(vector("C", "C", e.dofs, e.composite->C));
  }
  if (e.null_space) {
    shown.arrays.push_back(matrix("H", "H", e.dofs, e.dofs, by_rows(e.null_space->tree.H)));
    shown.arrays.push_back(vector("C", "C", e.dofs, e.null_space->tree.C));
    add_free_motions(e, shown.arrays);
  }
  add_accelerations(e, shown.arrays);
  return out;
}

}  // namespace jounce
