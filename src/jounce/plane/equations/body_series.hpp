// The Taylor coefficients of all bodies, four bodies at a time: position, cos and sin of the angle, and what acts on them.
//
// An element works with cos and sin of a body as if they were coordinates, so what it gives back are "forces" on x, y, cos, sin and
// phi. The chain rule to the angle is done here, once a body: torque = cos · f_sin − sin · f_cos + f_phi, in series.
#pragma once

#include <span>
#include <vector>

#include "jounce/plane/equations/slots.hpp"

namespace jounce {

/// A motion as a polynomial in time: what stays of an expansion when the next one is made.
class MotionPolynomial {
 public:
  /// Derivative d of the coordinates at s from the time of expansion.
  void at(int d, double s, std::span<double> q) const;
  /// Position, velocity and acceleration together.
  void at(double s, std::span<double> q, std::span<double> v, std::span<double> a) const;
  [[nodiscard]] int order() const { return order_; }
  /// Forgets the coefficients above this order.
  void truncate(int order) { order_ = order; }

 private:
  friend class BodySeries;
  std::vector<Lanes> value_;  // [block][x, y, turn][coefficient]
  int stored_ = 0;            // highest coefficient that is there
  std::vector<double> angle_;
  int bodies_ = 0, order_ = 0;
};

/// Sizes of a coefficient, against 1 + the size of what it belongs to.
struct CoefficientSize {
  double position = 0;  ///< of q_k
  double velocity = 0;  ///< of k q_k, the coefficient k − 1 of the velocity
};

class BodySeries {
 public:
  BodySeries(int bodies, int order, std::span<const double> mass);

  [[nodiscard]] int stride() const { return stride_; }
  /// Records of order k: the ground, the bodies, scratch.
  [[nodiscard]] FrameRecord* frames(int k) { return frames_.data() + k * stride_; }
  [[nodiscard]] const FrameRecord* frames(int k) const { return frames_.data() + k * stride_; }
  /// Where elements leave what they do to the bodies, at the order at hand.
  [[nodiscard]] FrameRecord* forces() { return forces_.data(); }
  void clear_forces();

  void set_position(std::span<const double> q);
  void set_velocity(std::span<const double> v);
  /// The free motion of order k: coefficient m = k − 2 of the forces, as gathered so far, on bodies without joints.
  void predict(int k);
  /// The motion of order k, now that all forces are there.
  void settle(int k);
  /// The same where the motion was solved for: q_k is the free motion plus `change`.
  void settle(int k, std::span<const double> change);
  /// The forces of order m = k − 2, as gathered so far, on coordinates without mass; 0 on the others.
  void unbalanced(std::span<double> g) const;
  /// Adds M⁻¹ times the forces gathered (order 0) to coordinates; gives the size of what was added, lengths divided by `length`.
  double add_accelerations(double length, std::span<double> q) const;

  void coefficient(int k, std::span<double> q_k) const;
  void set_gravity(double gx, double gy);
  [[nodiscard]] CoefficientSize size(int k) const;
  void copy(int order, MotionPolynomial& out) const;

 private:
  enum Field { kX, kY, kTurn, kCos, kSin, kForceCos, kForceSin, kFields };  // kTurn: k times coefficient k of phi

  struct Spread {
    Lanes x, y, phi;
  };
  struct Gathered {
    Lanes x, y, c, s, phi;
  };
  [[nodiscard]] int place(int block, int field) const { return (block * int{kFields} + field) * orders_; }
  [[nodiscard]] Lanes* field(int block, Field f) { return series_.data() + place(block, f); }
  [[nodiscard]] const Lanes* field(int block, Field f) const { return series_.data() + place(block, f); }
  [[nodiscard]] Gathered gather_forces(int block) const;
  [[nodiscard]] Spread spread(int block, std::span<const double> q) const;
  void publish(int block, int k);
  void turn_to(int block, int k, const Lanes& turn);
  [[nodiscard]] bool turn_position(int block, const Lanes& phi, const Lanes& change);
  void convolve(int block, int k);
  void finish_order(int block, int k, const Gathered& f);

  int bodies_, blocks_, stride_, orders_;
  bool nudged_ = false;  // cos and sin of the last position came from those of the one before
  std::vector<FrameRecord> frames_, forces_;
  std::vector<Lanes> series_;                       // [block][field][order]
  std::vector<Lanes> inverse_mass_, inverse_inertia_, gravity_x_, gravity_y_;
  std::vector<Lanes> torque_, cos_sum_, sin_sum_;  // what lower orders contribute
};

}  // namespace jounce
