#include "jounce/plane/equations/body_series.hpp"
#include "jounce/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace jounce {
namespace {

/// The third power of this is below rounding.
constexpr double kSmallTurn = 4e-6;

}  // namespace

BodySeries::BodySeries(int bodies, int order, std::span<const double> mass)
    : bodies_(bodies), blocks_((bodies + 1 + kLanes - 1) / kLanes), stride_(bodies + 1 + kScratchRecords), orders_(order + 1) {
  frames_.resize(z(orders_ * stride_));
  forces_.resize(z(stride_));
  series_.assign(z(blocks_ * kFields * orders_), Lanes::all(0));
  inverse_mass_.assign(z(blocks_), Lanes::all(0));
  inverse_inertia_ = gravity_x_ = gravity_y_ = torque_ = cos_sum_ = sin_sum_ = inverse_mass_;
  for (int b = 1; b <= bodies; ++b) {
    const double m = mass[z(3 * (b - 1))], inertia = mass[z(3 * (b - 1) + 2)];
    inverse_mass_[z(b / kLanes)][b % kLanes] = m > 0 ? 1 / m : 0;
    inverse_inertia_[z(b / kLanes)][b % kLanes] = inertia > 0 ? 1 / inertia : 0;
  }
  frames_[0].c = 1;
  for (int b = 0; b < blocks_; ++b) field(b, kCos)[0] = Lanes::all(1);
}

void BodySeries::set_gravity(double gx, double gy) {
  for (int b = 1; b <= bodies_; ++b) {
    const bool heavy = inverse_mass_[z(b / kLanes)][b % kLanes] > 0;
    gravity_x_[z(b / kLanes)][b % kLanes] = heavy ? gx : 0;
    gravity_y_[z(b / kLanes)][b % kLanes] = heavy ? gy : 0;
  }
}

void BodySeries::clear_forces() { std::memset(static_cast<void*>(forces_.data()), 0, forces_.size() * sizeof(FrameRecord)); }

// The same numbers as records; `phi` of order 0 is there already.
[[gnu::always_inline]] inline void BodySeries::publish(int block, int k) {
  Lanes part[4] = {field(block, kX)[k], field(block, kY)[k], field(block, kCos)[k], field(block, kSin)[k]};
  transpose(part[0], part[1], part[2], part[3]);
  const Lanes phi = field(block, kTurn)[k] * Lanes::all(k == 0 ? 0.0 : 1.0 / k);
  FrameRecord* const out = frames(k) + block * kLanes;
  for (int lane = 0; lane < kLanes; ++lane) {
    part[lane].store(&out[lane].x);
    if (k > 0) out[lane].phi = phi[lane];
  }
}

// The coordinates of four bodies, lane by lane; 0 for the ground and where there is no body.
[[gnu::always_inline]] inline BodySeries::Spread BodySeries::spread(int block, std::span<const double> q) const {
  const int first = block * kLanes;
  if (first > 0 && first + kLanes <= bodies_ + 1) {
    const double* at = q.data() + 3 * (first - 1);
    return {Lanes::of(at[0], at[3], at[6], at[9]), Lanes::of(at[1], at[4], at[7], at[10]), Lanes::of(at[2], at[5], at[8], at[11])};
  }
  Spread out{Lanes::all(0), Lanes::all(0), Lanes::all(0)};
  for (int lane = 0; lane < kLanes; ++lane) {
    const int body = first + lane;
    if (body == 0 || body > bodies_) continue;
    const double* at = q.data() + 3 * (body - 1);
    out.x[lane] = at[0], out.y[lane] = at[1], out.phi[lane] = at[2];
  }
  return out;
}

void BodySeries::set_position(std::span<const double> q) {
  bool small = false;
  for (int block = 0; block < blocks_; ++block) {
    const Spread at = spread(block, q);
    FrameRecord* const out = frames(0) + block * kLanes;
    const Lanes before = Lanes::of(out[0].phi, out[1].phi, out[2].phi, out[3].phi);
    for (int lane = 0; lane < kLanes; ++lane) out[lane].phi = at.phi[lane];
    field(block, kX)[0] = at.x;
    field(block, kY)[0] = at.y;
    small = turn_position(block, at.phi, at.phi - before) || small;
    publish(block, 0);
  }
  nudged_ = small;
}

// After a projection the angles have changed by next to nothing: then cos and sin follow by a small rotation, once.
bool BodySeries::turn_position(int block, const Lanes& phi, const Lanes& change) {
  Lanes &c = field(block, kCos)[0], &s = field(block, kSin)[0];
  if (!nudged_ && largest(abs(change)) < kSmallTurn) {
    const Lanes less = Lanes::all(0.5) * change * change, c_0 = c;
    c = c - (s * change + c * less);
    s = s + (c_0 * change - s * less);
    return true;
  }
  const LaneTurn turn = sincos(phi);
  c = turn.cos;
  s = turn.sin;
  return false;
}

void BodySeries::set_velocity(std::span<const double> v) {
  for (int block = 0; block < blocks_; ++block) {
    const Spread at = spread(block, v);
    field(block, kX)[1] = at.x;
    field(block, kY)[1] = at.y;
    field(block, kTurn)[1] = at.phi;
    field(block, kCos)[1] = -(at.phi * field(block, kSin)[0]);
    field(block, kSin)[1] = at.phi * field(block, kCos)[0];
    publish(block, 1);
  }
}

[[gnu::always_inline]] inline BodySeries::Gathered BodySeries::gather_forces(int block) const {
  const FrameRecord* r = forces_.data() + block * kLanes;
  Gathered f{Lanes::load(&r[0].x), Lanes::load(&r[1].x), Lanes::load(&r[2].x), Lanes::load(&r[3].x),
             Lanes::of(r[0].phi, r[1].phi, r[2].phi, r[3].phi)};
  transpose(f.x, f.y, f.c, f.s);
  return f;
}

[[gnu::always_inline]] inline void BodySeries::turn_to(int block, int k, const Lanes& turn) {
  field(block, kTurn)[k] = turn;
  const Lanes over_k = Lanes::all(1.0 / k);
  field(block, kCos)[k] = (cos_sum_[z(block)] - turn * field(block, kSin)[0]) * over_k;
  field(block, kSin)[k] = (sin_sum_[z(block)] + turn * field(block, kCos)[0]) * over_k;
  publish(block, k);
}

[[gnu::always_inline]] inline void BodySeries::finish_order(int block, int k, const Gathered& f) {
  const Lanes c_0 = field(block, kCos)[0], s_0 = field(block, kSin)[0];
  const Lanes torque = torque_[z(block)] + c_0 * f.s - s_0 * f.c + f.phi;
  const Lanes divided = Lanes::all(1.0 / (k * (k - 1.0)));
  Lanes x = f.x * inverse_mass_[z(block)], y = f.y * inverse_mass_[z(block)];
  if (k == 2) x = x + gravity_x_[z(block)], y = y + gravity_y_[z(block)];
  field(block, kX)[k] = x * divided;
  field(block, kY)[k] = y * divided;
  turn_to(block, k, torque * inverse_inertia_[z(block)] * Lanes::all(1.0 / (k - 1.0)));
}

// What lower orders contribute to cos, sin and torque of order k: with m = k − 2,
//   k c_k = −Σ i phi_i s_{k−i},  k s_k = Σ i phi_i c_{k−i}  (the term i = k follows when phi_k is known),  Σ c_i f_sin,m−i − s_i f_cos,m−i.
// Each sum is a chain of additions that wait for each other, so several run side by side.
[[gnu::always_inline]] inline void BodySeries::convolve(int block, int k) {
  const int m = k - 2;
  const Lanes *c = field(block, kCos), *s = field(block, kSin), *w = field(block, kTurn);
  const Lanes *fc = field(block, kForceCos), *fs = field(block, kForceSin);
  Lanes cos_a = Lanes::all(0), cos_b = cos_a, sin_a = cos_a, sin_b = cos_a;
  Lanes torque_a = cos_a, torque_b = cos_a, torque_c = cos_a, torque_d = cos_a;
  int i = 1;
  for (; i + 1 <= m; i += 2) {
    cos_a = cos_a + w[i] * s[k - i];
    sin_a = sin_a + w[i] * c[k - i];
    torque_a = torque_a + c[i] * fs[m - i];
    torque_c = torque_c + s[i] * fc[m - i];
    cos_b = cos_b + w[i + 1] * s[k - i - 1];
    sin_b = sin_b + w[i + 1] * c[k - i - 1];
    torque_b = torque_b + c[i + 1] * fs[m - i - 1];
    torque_d = torque_d + s[i + 1] * fc[m - i - 1];
  }
  for (; i <= m; ++i) {
    cos_a = cos_a + w[i] * s[k - i];
    sin_a = sin_a + w[i] * c[k - i];
    torque_a = torque_a + c[i] * fs[m - i];
    torque_c = torque_c + s[i] * fc[m - i];
  }
  cos_b = cos_b + w[k - 1] * s[1];
  sin_b = sin_b + w[k - 1] * c[1];
  cos_sum_[z(block)] = -(cos_a + cos_b);
  sin_sum_[z(block)] = sin_a + sin_b;
  torque_[z(block)] = (torque_a + torque_b) - (torque_c + torque_d);
}

void BodySeries::predict(int k) {
  for (int block = 0; block < blocks_; ++block) {
    convolve(block, k);
    finish_order(block, k, gather_forces(block));
  }
}

void BodySeries::settle(int k) {
  const int m = k - 2;
  for (int block = 0; block < blocks_; ++block) {
    const Gathered f = gather_forces(block);
    field(block, kForceCos)[m] = f.c;
    field(block, kForceSin)[m] = f.s;
    finish_order(block, k, f);
  }
}

void BodySeries::settle(int k, std::span<const double> change) {
  for (int block = 0; block < blocks_; ++block) {
    const Gathered f = gather_forces(block);
    field(block, kForceCos)[k - 2] = f.c;
    field(block, kForceSin)[k - 2] = f.s;
    Lanes turn = field(block, kTurn)[k];
    for (int lane = 0; lane < kLanes; ++lane) {
      const int b = block * kLanes + lane;
      if (b == 0 || b > bodies_) continue;
      const double* d = change.data() + 3 * (b - 1);
      field(block, kX)[k][lane] += d[0];
      field(block, kY)[k][lane] += d[1];
      turn[lane] += k * d[2];
    }
    turn_to(block, k, turn);
  }
}

void BodySeries::unbalanced(std::span<double> g) const {
  for (int b = 1; b <= bodies_; ++b) {
    const FrameRecord &f = forces_[z(b)], &at = frames_[z(b)];
    const bool no_mass = inverse_mass_[z(b / kLanes)][b % kLanes] == 0, no_inertia = inverse_inertia_[z(b / kLanes)][b % kLanes] == 0;
    double* const to = g.data() + 3 * (b - 1);
    to[0] = no_mass ? f.x : 0;
    to[1] = no_mass ? f.y : 0;
    to[2] = no_inertia ? torque_[z(b / kLanes)][b % kLanes] + at.c * f.s - at.s * f.c + f.phi : 0;
  }
}

double BodySeries::add_accelerations(double length, std::span<double> q) const {
  double largest = 0;
  for (int b = 1; b <= bodies_; ++b) {
    const FrameRecord &f = forces_[z(b)], &at = frames_[z(b)];
    const double w = inverse_mass_[z(b / kLanes)][b % kLanes];
    const double dx = w * f.x, dy = w * f.y;
    const double turn = inverse_inertia_[z(b / kLanes)][b % kLanes] * (at.c * f.s - at.s * f.c + f.phi);
    double* const to = q.data() + 3 * (b - 1);
    to[0] += dx, to[1] += dy, to[2] += turn;
    const double size = std::max({std::abs(dx) / length, std::abs(dy) / length, std::abs(turn)});
    if (!(size <= largest)) largest = size;  // keeps NaN
  }
  return largest;
}

void BodySeries::coefficient(int k, std::span<double> q_k) const {
  for (int b = 1; b <= bodies_; ++b) {
    const FrameRecord& f = frames(k)[b];
    double* const to = q_k.data() + 3 * (b - 1);
    to[0] = f.x, to[1] = f.y, to[2] = f.phi;
  }
}

// Coefficients grow and shrink over many decades, and one that is not finite must show: NaN passes through `largest`.
CoefficientSize BodySeries::size(int k) const {
  Lanes position = Lanes::all(0), velocity = Lanes::all(0), check = Lanes::all(0);
  const Lanes one = Lanes::all(1), times = Lanes::all(k), over = Lanes::all(1.0 / k);
  for (int block = 0; block < blocks_; ++block)
    for (const Field f : {kX, kY, kTurn}) {
      const Lanes* c = field(block, f);
      const Lanes q_k = f == kTurn ? c[k] * over : c[k];
      Lanes q_0 = c[0];
      if (f == kTurn) {
        const FrameRecord* r = frames_.data() + block * kLanes;
        q_0 = Lanes::of(r[0].phi, r[1].phi, r[2].phi, r[3].phi);
      }
      position = max(position, abs(q_k) / (one + abs(q_0)));
      velocity = max(velocity, abs(times * q_k) / (one + abs(c[1])));
      check = check + q_k * Lanes::all(0);
    }
  const double bad = largest(check);
  return {largest(position) + bad, largest(velocity) + bad};
}

void BodySeries::copy(int order, MotionPolynomial& out) const {
  out.bodies_ = bodies_;
  out.order_ = out.stored_ = order;
  out.value_.resize(z(blocks_ * 3 * orders_));
  out.angle_.resize(z(blocks_ * kLanes));
  Lanes* to = out.value_.data();
  for (int block = 0; block < blocks_; ++block) {
    for (const Field f : {kX, kY, kTurn}) {
      std::copy_n(field(block, f), order + 1, to);
      to += order + 1;
    }
    for (int lane = 0; lane < kLanes; ++lane) out.angle_[z(block * kLanes + lane)] = frames_[z(block * kLanes + lane)].phi;
  }
}

// Horner's scheme for a polynomial and its first two derivatives. Angles are kept as k phi_k: theirs begins one derivative higher.
void MotionPolynomial::at(double s, std::span<double> q, std::span<double> v, std::span<double> a) const {
  const Lanes step = Lanes::all(s);
  const Lanes* c = value_.data();
  for (int first = 0; first <= bodies_; first += kLanes) {
    Lanes value[3], rate[3], bend[3];
    for (int f = 0; f < 3; ++f, c += stored_ + 1) {
      Lanes p = Lanes::all(0), dp = p, ddp = p, whole = p;
      if (f < 2) {
        for (int k = order_; k >= 0; --k) {
          ddp = ddp * step + dp;
          dp = dp * step + p;
          p = p * step + c[k];
        }
        value[f] = p, rate[f] = dp, bend[f] = ddp + ddp;
      } else {
        for (int k = order_; k >= 1; --k) {
          dp = dp * step + p;
          p = p * step + c[k];
          whole = whole * step + c[k] * Lanes::all(1.0 / k);
        }
        value[f] = whole * step + Lanes::load(angle_.data() + first);
        rate[f] = p, bend[f] = dp;
      }
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      const int b = first + lane;
      if (b == 0 || b > bodies_) continue;
      const auto at = z(3 * (b - 1));
      for (std::size_t f = 0; f < 3; ++f) q[at + f] = value[f][lane], v[at + f] = rate[f][lane], a[at + f] = bend[f][lane];
    }
  }
}

void MotionPolynomial::at(int d, double s, std::span<double> q) const {
  const Lanes step = Lanes::all(s);
  const Lanes* c = value_.data();
  for (int first = 0; first <= bodies_; first += kLanes) {
    Lanes sum[3];
    for (int f = 0; f < 3; ++f, c += stored_ + 1) {
      sum[f] = Lanes::all(0);
      for (int k = order_; k >= std::max(d, f == 2 ? 1 : 0); --k) {
        double factor = f == 2 ? 1.0 / k : 1.0;  // angles are kept as k phi_k
        for (int i = 0; i < d; ++i) factor *= k - i;
        sum[f] = sum[f] * step + Lanes::all(factor) * c[k];
      }
      if (f == 2 && d == 0) sum[f] = sum[f] * step + Lanes::load(angle_.data() + first);
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      const int b = first + lane;
      if (b == 0 || b > bodies_) continue;
      double* const to = q.data() + 3 * (b - 1);
      to[0] = sum[0][lane], to[1] = sum[1][lane], to[2] = sum[2][lane];
    }
  }
}

}  // namespace jounce
