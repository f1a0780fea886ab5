#include "fourbars_by_hand.hpp"

#include <cmath>

namespace {

constexpr double kGravity = 9.81;
// For forces at an end, half a metre from the centre: a rod about its foot has 1/3 kg m², a beam about its centre 1/12.
constexpr double kRod = 3, kBeam = 3, kBeamTurn = 6;

}  // namespace

void FourBarsByHand::accelerations(std::span<const double> q, std::span<const double> v, std::span<double> a) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double phi = q[3 * i + 2], spin = v[3 * i + 2];
    bodies_[i] = {-std::sin(phi), std::cos(phi), spin * spin, -1.5 * kGravity * std::cos(phi)};
  }
  // Pin 2 k lies between rod k and the beam behind it, pin 2 k + 1 between that beam and rod k + 1: body i and i + 1 at pin i.
  // The axis of a body is (ny, −nx).
  double xx = 0, xy = 0, yy = 0, x = 0, y = 0;  // what the pins before leave to this one
  for (std::size_t i = 0; i < pins_.size(); ++i) {
    const bool right = i % 2 == 1;  // end of the beam
    const Body &rod = bodies_[right ? i + 1 : i], &beam = bodies_[right ? i : i + 1];
    const double side = right ? -0.5 : 0.5;
    // accelerations of the ends without the forces: rod minus beam
    const double gap_x = rod.free * rod.nx - rod.spin * rod.ny - side * beam.spin * beam.ny;
    const double gap_y = rod.free * rod.ny + rod.spin * rod.nx + side * beam.spin * beam.nx + kGravity;
    const double d_xx = 1 + kRod * rod.nx * rod.nx + kBeam * beam.nx * beam.nx - xx;
    const double d_xy = kRod * rod.nx * rod.ny + kBeam * beam.nx * beam.ny - xy;
    const double d_yy = 1 + kRod * rod.ny * rod.ny + kBeam * beam.ny * beam.ny - yy;
    const double scale = 1 / (d_xx * d_yy - d_xy * d_xy);
    Pin& pin = pins_[i];
    pin = {scale * d_yy, -scale * d_xy, scale * d_xx, gap_x - x, gap_y - y, 0, 0, 0};
    // to the next pin: through the rod after a right end, through the beam after a left one
    if (right)
      pin.to_next_xx = kRod * rod.nx * rod.nx, pin.to_next_xy = kRod * rod.nx * rod.ny, pin.to_next_yy = kRod * rod.ny * rod.ny;
    else
      pin.to_next_xx = 1 - kBeam * beam.nx * beam.nx, pin.to_next_xy = -kBeam * beam.nx * beam.ny,
      pin.to_next_yy = 1 - kBeam * beam.ny * beam.ny;
    const double o_xx = pin.to_next_xx, o_xy = pin.to_next_xy, o_yy = pin.to_next_yy;
    const double xx_row = o_xx * pin.xx + o_xy * pin.xy, xy_row = o_xx * pin.xy + o_xy * pin.yy;
    const double yx_row = o_xy * pin.xx + o_yy * pin.xy, yy_row = o_xy * pin.xy + o_yy * pin.yy;
    xx = xx_row * o_xx + xy_row * o_xy, xy = xx_row * o_xy + xy_row * o_yy, yy = yx_row * o_xy + yy_row * o_yy;
    x = xx_row * pin.x + xy_row * pin.y, y = yx_row * pin.x + yy_row * pin.y;
  }
  double next_x = 0, next_y = 0;
  for (std::size_t i = pins_.size(); i-- > 0;) {
    Pin& pin = pins_[i];
    const double rest_x = pin.x - pin.to_next_xx * next_x - pin.to_next_xy * next_y;
    const double rest_y = pin.y - pin.to_next_xy * next_x - pin.to_next_yy * next_y;
    next_x = pin.x = pin.xx * rest_x + pin.xy * rest_y;
    next_y = pin.y = pin.xy * rest_x + pin.yy * rest_y;
  }
  const Pin none{};
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    const Pin &before = i > 0 ? pins_[i - 1] : none, &behind = i < pins_.size() ? pins_[i] : none;
    const double fx = before.x + behind.x, fy = before.y + behind.y;
    if (i % 2 == 0) {
      const double turn = body.free - kRod * (body.nx * fx + body.ny * fy);
      a[3 * i] = 0.5 * (turn * body.nx - body.spin * body.ny);
      a[3 * i + 1] = 0.5 * (turn * body.ny + body.spin * body.nx);
      a[3 * i + 2] = turn;
    } else {
      a[3 * i] = fx;
      a[3 * i + 1] = fy - kGravity;
      a[3 * i + 2] = kBeamTurn * (body.nx * (behind.x - before.x) + body.ny * (behind.y - before.y));
    }
  }
}
