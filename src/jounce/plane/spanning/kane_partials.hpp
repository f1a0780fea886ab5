// Partial velocities of a planar mechanism, from the geometry of its joints; kane.hpp says what they are for.
#pragma once

#include <span>
#include <vector>

#include "jounce/math/dense_matrix.hpp"
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

}  // namespace jounce
