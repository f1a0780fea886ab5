// The inertia of a spanning tree of planar joints, seen from the joints: H = Jᵀ M J, and ways to solve with it.
//
// J takes rates of the joints to those of the bodies; it is never needed whole. Three roads lead to factors of H:
//
//   aba    articulated inertias from the tips inward: H⁻¹ is applied by one sweep inward and one outward, O(n)
//   crba   composite inertias give H, entries only where one joint carries the other, and Lᵀ L factors with no more entries than that
//   kane   partial velocities, M = Vpd A2ᵀ + Wpd A3ᵀ as a full matrix
//
// All are used in halves, H⁻¹ = H½ᵀ H½: `inward` takes forces on the bodies to y = H½ Jᵀ f, `outward` takes y to motions J H½ᵀ y of the
// bodies. Equations that close loops need only the first half: K H⁻¹ Kᵀ is a product of such y.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "jounce/math/dense_rank.hpp"
#include "jounce/mechanism/formulation.hpp"
#include "jounce/plane/spanning/spanning_tree.hpp"

namespace jounce {

/// x, y, phi of one body: a motion, or a force with a moment about the centre of mass.
struct Planar3 {
  double x = 0, y = 0, phi = 0;

  Planar3& operator+=(const Planar3& b) { return x += b.x, y += b.y, phi += b.phi, *this; }
  Planar3& operator-=(const Planar3& b) { return x -= b.x, y -= b.y, phi -= b.phi, *this; }
  friend Planar3 operator*(const Planar3& a, double s) { return {a.x * s, a.y * s, a.phi * s}; }
  friend double dot(const Planar3& a, const Planar3& b) { return a.x * b.x + a.y * b.y + a.phi * b.phi; }
};
/// Field by field: g++ moves a whole struct through the stack, and every link waits for it.
[[gnu::always_inline]] inline Planar3 copied(const Planar3& p) { return {p.x, p.y, p.phi}; }

/// A body and the joint that carries it, at one position.
struct SpanningLink {
  int body = 0, parent = -1;     ///< parent: a link, −1 is the ground
  int first_row = 0, rows = 0;   ///< equations of the joint
  int first_dof = 0, dofs = 0;   ///< what it leaves, 3 − rows
  double mass[3] = {0, 0, 0};    ///< mass, mass, inertia
  double arm_x = 0, arm_y = 0;   ///< from the centre of mass of the parent to its own
  Planar3 allowed[3];            ///< S: motions against the parent, one a dof
  Planar3 own[3], carrier[3];    ///< gradients of the equations: of this body, of the parent
  Planar3 undo[3];               ///< motions with own[r] · undo[s] = 1 if r = s, else 0

  /// The motion of this body when it is fixed to its parent.
  [[nodiscard]] Planar3 carried(const Planar3& d) const { return {d.x - arm_y * d.phi, d.y + arm_x * d.phi, d.phi}; }
  /// A force on this body as one on the parent.
  [[nodiscard]] Planar3 passed_on(const Planar3& f) const { return {f.x, f.y, f.phi - arm_y * f.x + arm_x * f.y}; }
};

/// Where a force of a few bodies goes on its way to the ground.
struct SpanningPath {
  std::vector<int> links;  ///< tips first
  std::vector<int> dofs;   ///< of these links, in that order
};

class JointSpace {
 public:
  virtual ~JointSpace() = default;
  JointSpace() = default;
  JointSpace(const JointSpace&) = delete;
  JointSpace& operator=(const JointSpace&) = delete;

  [[nodiscard]] virtual int dofs() const = 0;
  /// The dofs that a force on these links (with all that carry them: `path`) has a y for.
  [[nodiscard]] virtual std::vector<int> reach(const SpanningPath& path) const = 0;

  /// At the links' position; q: of the bodies, in the order of the system. False where some joint moves no mass.
  [[nodiscard]] virtual bool factor(std::span<const SpanningLink> links, std::span<const double> q) = 0;
  /// y = H½ Jᵀ f; `force` by links, and lost.
  virtual void inward(std::span<const SpanningLink> links, std::span<Planar3> force, std::span<double> y) = 0;
  /// The same for forces on the links of a path only; y by its reach. `force` is zero elsewhere, and all zero afterwards.
  virtual void inward(std::span<const SpanningLink> links, const SpanningPath& path, std::span<Planar3> force, std::span<double> y) = 0;
  /// Motions of all links; y is lost.
  virtual void outward(std::span<const SpanningLink> links, std::span<double> y, std::span<Planar3> motion) = 0;
};

class KanePartials;
/// M = Vpd A2ᵀ + Wpd A3ᵀ, n × n, at the position of the partial velocities; the lower half only. `mass`: the diagonal of the bodies' M.
void joint_inertia(const KanePartials& partials, std::span<const double> mass, DenseMatrix& out);

/// For kane, crba and aba. `system` and `tree` must outlive it.
[[nodiscard]] std::unique_ptr<JointSpace> make_joint_space(Formulation formulation, const PlanarSystem& system, const SpanningTree& tree);

}  // namespace jounce
