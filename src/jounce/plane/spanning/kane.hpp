// Kane's method for planar mechanisms, in the arrays of the lecture notes: partial velocities, and M q̈ = f from them.
//
//   Wpd[i, k] = ∂ω_k/∂q̇_i     Vpd[i, k] = ∂v_k/∂q̇_i (x, y of the centre of mass of body k)
//   A1 = V̇pd m    A2 = Vpd m    A3 = Wpd I        m = diag(m₁, m₁, m₂, m₂, …),  I = diag(I₁, I₂, …)
//   M = Vpd A2ᵀ + Wpd A3ᵀ       f = Vpd F + Wpd M_ext − Vpd A1ᵀ q̇
//
// Row i is a turn of everything beyond a joint about its pin, or a slide along its guide. For pinned bodies A1 is the Wpd B′ m of the notes,
// since B′ = Ḃ; written as a rate it holds for sliders and floating bases too, with no term for Coriolis (docs/theory/kane.md). Where the
// joints close loops, M q̈ + Kᵀλ = f and K q̈ = k with the equations that the spanning tree leaves over.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jounce/base/result.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/plane/spanning/kane_arrays.hpp"
#include "jounce/plane/spanning/spanning_tree.hpp"

namespace jounce {

/// Wpd, Vpd and its rate at a state, from the geometry of the joints alone (not from their residuals). Allocates only when made.
class KanePartials {
 public:
  /// Both must outlive it. Bodies that float are named "body1", "body2", …: the system knows no names of bodies.
  KanePartials(const PlanarSystem& system, const SpanningTree& tree);

  [[nodiscard]] std::span<const KaneCoordinate> coordinates() const { return coordinates_; }
  /// At the positions q of the centres of mass. Columns are bodies in the order of the system, not of the tree.
  void set_position(std::span<const double> q);
  /// At the rates v, too: V̇pd, and the rates of the coordinates. After `set_position`.
  void set_velocity(std::span<const double> v);

  [[nodiscard]] const DenseMatrix& Wpd() const { return wpd_; }
  [[nodiscard]] const DenseMatrix& Vpd() const { return vpd_; }
  [[nodiscard]] const DenseMatrix& Vpd_rate() const { return vpd_rate_; }
  /// q_i: the angle of a body against its carrier, or how far it has slid from the start of its guide.
  [[nodiscard]] std::span<const double> values() const { return values_; }
  [[nodiscard]] std::span<const double> rates() const { return rates_; }
  /// The bodies that a revolute joint carries, in the order of the coordinates.
  [[nodiscard]] std::vector<KanePinned> pinned() const;

 private:
  /// What a coordinate's value is read from.
  enum class Reading {
    angle,     ///< of the body against its carrier
    link,      ///< the angle of the line from a to b against the carrier
    link_end,  ///< the angle of the body against that line
    slide,     ///< how far b lies from a, along the guide
  };
  struct Step {
    Reading reading = Reading::angle;
    int fixed_in = 0;    ///< the body in which the pin or the guide is fixed
    Vec2<double> local;  ///< in its axes: the pin from its centre of mass, or the guide's direction, of length 1
    int carrier = 0, body = 0;
    Vec2<double> a, b;          ///< the joint's point on the carrier and on the body, in their axes
    int first = 0, beyond = 0;  ///< what it moves: so many places of `outwards_`, from this one on
  };
  struct Joints;  ///< writes each type of joint as steps

  void order_outwards();

  const PlanarSystem* system_;
  const SpanningTree* tree_;
  std::vector<KaneCoordinate> coordinates_;
  std::vector<Step> steps_;
  std::vector<int> outwards_;  ///< the bodies so that all beyond a joint stand together
  std::vector<planar::Frame<double>> frames_, velocities_;  ///< by body, the ground first; x, y and phi of the velocities
  DenseMatrix wpd_, vpd_, vpd_rate_;
  std::vector<double> values_, rates_;
};

/// At a state that holds the joints. The problems say which joint it does not hold, which body's mass is missing, which force has no
/// value, or that the masses do not decide the motion.
[[nodiscard]] Result<KaneArrays> kane(const PlaneMechanism& mechanism, const PlanarState& state);

}  // namespace jounce
