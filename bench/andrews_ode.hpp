// Andrews' squeezing mechanism, its equations in seven angles written out by hand: what an expert would hand to a solver.
//
//   M q'' = f + Σ multipliers,  E1(β, θ) = E2(γ) = E3(φ, δ) = E4(Ω, ε),  q = (β, θ, γ, φ, δ, Ω, ε)
//
// Four chains meet in the point E, and M couples only the angles of one chain. Twice: `rate` solves the equations as they
// stand, for accelerations and multipliers; `rate_closed_form` eliminates the chains one into the other, which only this
// mechanism allows. Hairer, Wanner: Solving Ordinary Differential Equations II, section VII.7; SI units.
#pragma once

#include <array>
#include <cmath>

namespace andrews {

inline constexpr double kEnd = 0.03;
inline constexpr std::array<double, 7> kStart{
    -0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550, -0.222668390165885885,
    1.23054744454982119};
/// The angles at the end, to all digits of a double; from two formulations in extended precision.
inline constexpr std::array<double, 7> kAnswer{15.8107711951537070971,   -15.7563710584118394697, 0.0408222401196458048583,
                                               -0.534730116342079593770, 0.524409965879954069372, 0.534730116342079593770,
                                               1.04808074104193787307};

inline constexpr double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706, m7 = .05498;
inline constexpr double i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5, i6 = 5.667e-7, i7 = 1.912e-5;
inline constexpr double xb = -.03635, yb = .03273, xc = .014, yc = .072, c0 = 4530, l0 = .07785, mom = .033;
inline constexpr double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, ss = .035, sa = .01874, sb = .01043,
                        sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04,
                        fa = .01421;

struct Pair {
  double x, y;
};
inline Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }
inline Pair operator-(Pair a, Pair b) { return {a.x - b.x, a.y - b.y}; }
inline Pair operator*(double a, Pair b) { return {a * b.x, a * b.y}; }
inline double dot(Pair a, Pair b) { return a.x * b.x + a.y * b.y; }
inline double cross(Pair a, Pair b) { return a.x * b.y - a.y * b.x; }

/// A chain of two angles that ends in E: E'' = first · q1'' + second · q2'' + bend.
struct Chain {
  double m11, m12, m22;  // its mass matrix
  Pair force;
  Pair first, second, bend;

  [[nodiscard]] Pair times_mass(Pair a) const { return {m11 * a.x + m12 * a.y, m12 * a.x + m22 * a.y}; }
  /// The accelerations of the angles that give E this one.
  [[nodiscard]] Pair angles(Pair a) const {
    const double scale = 1 / cross(first, second);
    return {scale * cross(a, second), scale * cross(first, a)};
  }
};

struct Terms {
  Chain crank, upper, lower;  // (β, θ), (φ, δ), (Ω, ε)
  // γ alone: E'' = rocker · γ'' + rocker_bend
  double rocker_mass, rocker_force;
  Pair rocker, rocker_bend;
};

inline Terms terms(const double* q, const double* v) {
  constexpr double kEa = e - ea, kFa = zf - fa;
  const double s1 = std::sin(q[0]), k1 = std::cos(q[0]), s2 = std::sin(q[1]), k2 = std::cos(q[1]), s3 = std::sin(q[2]),
               k3 = std::cos(q[2]), s4 = std::sin(q[3]), k4 = std::cos(q[3]), s5 = std::sin(q[4]), k5 = std::cos(q[4]),
               s6 = std::sin(q[5]), k6 = std::cos(q[5]), s7 = std::sin(q[6]), k7 = std::cos(q[6]);
  const double s12 = s1 * k2 + k1 * s2, k12 = k1 * k2 - s1 * s2, s45 = s4 * k5 + k4 * s5, k45 = k4 * k5 - s4 * s5,
               s67 = s6 * k7 + k6 * s7, k67 = k6 * k7 - s6 * s7;
  const double w12 = (v[0] + v[1]) * (v[0] + v[1]), w45 = (v[3] + v[4]) * (v[3] + v[4]), w67 = (v[5] + v[6]) * (v[5] + v[6]);
  Terms t;
  t.crank = {m1 * ra * ra + m2 * (rr * rr + da * da) + i1 + i2 - 2 * m2 * da * rr * k2,
             m2 * da * da + i2 - m2 * da * rr * k2,
             m2 * da * da + i2,
             {mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * s2, m2 * da * rr * v[0] * v[0] * s2},
             {-rr * s1 + d * s12, rr * k1 - d * k12},
             {d * s12, -d * k12},
             {-rr * k1 * v[0] * v[0] + d * k12 * w12, -rr * s1 * v[0] * v[0] + d * s12 * w12}};
  t.upper = {m4 * kEa * kEa + i4,
             m4 * kEa * kEa + i4 + m4 * zt * kEa * s4,
             m4 * (zt * zt + kEa * kEa) + m5 * (ta * ta + tb * tb) + i4 + i5 + 2 * m4 * zt * kEa * s4,
             {m4 * zt * kEa * v[4] * v[4] * k4, -m4 * zt * kEa * v[3] * (v[3] + 2 * v[4]) * k4},
             {e * k45, e * s45},
             {e * k45 - zt * s5, e * s45 + zt * k5},
             {-zt * k5 * v[4] * v[4] - e * s45 * w45, -zt * s5 * v[4] * v[4] + e * k45 * w45}};
  t.lower = {m6 * kFa * kFa + i6,
             m6 * kFa * kFa + i6 - m6 * u * kFa * s6,
             m6 * (kFa * kFa + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7 - 2 * m6 * u * kFa * s6,
             {-m6 * u * kFa * v[6] * v[6] * k6, m6 * u * kFa * v[5] * (v[5] + 2 * v[6]) * k6},
             {-zf * s67, zf * k67},
             {u * k7 - zf * s67, u * s7 + zf * k67},
             {-u * s7 * v[6] * v[6] - zf * k67 * w67, u * k7 * v[6] * v[6] - zf * s67 * w67}};
  const Pair arm{sc * k3 - sd * s3, sd * k3 + sc * s3};  // dD/dγ
  const Pair spring{xb + sd * k3 + sc * s3 - xc, yb + sd * s3 - sc * k3 - yc};
  t.rocker_mass = m3 * (sa * sa + sb * sb) + i3;
  t.rocker_force = -c0 * (1 - l0 / std::sqrt(dot(spring, spring))) * dot(spring, arm);
  t.rocker = {ss * k3, ss * s3};
  t.rocker_bend = {-ss * s3 * v[2] * v[2], ss * k3 * v[2] * v[2]};
  return t;
}

struct Symmetric {
  double xx, xy, yy;

  [[nodiscard]] Pair times(Pair a) const { return {xx * a.x + xy * a.y, xy * a.x + yy * a.y}; }
  [[nodiscard]] Symmetric inverse() const {
    const double scale = 1 / (xx * yy - xy * xy);
    return {scale * yy, -scale * xy, scale * xx};
  }
};
inline Symmetric operator+(Symmetric a, Symmetric b) { return {a.xx + b.xx, a.xy + b.xy, a.yy + b.yy}; }
inline Symmetric operator-(Symmetric a, Symmetric b) { return {a.xx - b.xx, a.xy - b.xy, a.yy - b.yy}; }
/// outer · inner · outer
inline Symmetric sandwich(Symmetric outer, Symmetric inner) {
  const Pair x = inner.times({outer.xx, outer.xy}), y = inner.times({outer.xy, outer.yy});
  return {outer.xx * x.x + outer.xy * x.y, outer.xx * y.x + outer.xy * y.y, outer.xy * y.x + outer.yy * y.y};
}

/// What a chain does on its own and under a force on its end: M⁻¹ f, M⁻¹ Jᵀ, and both seen at E.
struct Response {
  Pair free, by_x, by_y;
  Pair end;              // E'' without force
  Symmetric compliance;  // J M⁻¹ Jᵀ

  [[nodiscard]] Pair under(Pair force) const { return free + force.x * by_x + force.y * by_y; }
};

inline Response response(const Chain& chain) {
  const double scale = 1 / (chain.m11 * chain.m22 - chain.m12 * chain.m12);
  const Symmetric inverse{scale * chain.m22, -scale * chain.m12, scale * chain.m11};
  const Pair row_x{chain.first.x, chain.second.x}, row_y{chain.first.y, chain.second.y};
  Response r;
  r.free = inverse.times(chain.force);
  r.by_x = inverse.times(row_x);
  r.by_y = inverse.times(row_y);
  r.end = r.free.x * chain.first + r.free.y * chain.second + chain.bend;
  r.compliance = {dot(row_x, r.by_x), dot(row_x, r.by_y), dot(row_y, r.by_y)};
  return r;
}

/// y = (q, q') to y' = (q', q''): [M −Gᵀ; G 0] [q''; λ] = [f; g] with the three pairs of conditions E1 = E2 = E3 = E4. M is
/// inverted in its blocks of 2, 1, 2 and 2; S = G M⁻¹ Gᵀ, 6 by 6, has blocks of 2 by 2 beside the diagonal only and is factored
/// in these, the first and the last pair into the middle one.
inline void rate(const double* y, double* out) {
  constexpr double kInverseRocker = 1 / (m3 * (sa * sa + sb * sb) + i3);
  const double* v = y + 7;
  const Terms t = terms(y, v);
  const Response crank = response(t.crank), upper = response(t.upper), lower = response(t.lower);
  const double rocker_free = kInverseRocker * t.rocker_force;
  const Pair by_force = kInverseRocker * t.rocker, rocker_end = rocker_free * t.rocker + t.rocker_bend;
  const Symmetric rocker{t.rocker.x * by_force.x, t.rocker.x * by_force.y, t.rocker.y * by_force.y};

  const Symmetric first = (crank.compliance + rocker).inverse(), last = (upper.compliance + lower.compliance).inverse();
  const Symmetric middle = (rocker - sandwich(rocker, first) + upper.compliance - sandwich(upper.compliance, last)).inverse();
  const Pair gap1 = first.times(rocker_end - crank.end), gap2 = upper.end - rocker_end,
             gap3 = last.times(lower.end - upper.end);
  const Pair force2 = middle.times(gap2 + rocker.times(gap1) + upper.compliance.times(gap3));
  const Pair force1 = gap1 + first.times(rocker.times(force2)), force3 = gap3 + last.times(upper.compliance.times(force2));

  const Pair on_crank = crank.under(force1), on_upper = upper.under(force3 - force2), on_lower = lower.under(-1 * force3);
  for (int i = 0; i < 7; ++i) out[i] = v[i];
  out[7] = on_crank.x;
  out[8] = on_crank.y;
  out[9] = rocker_free + dot(by_force, force2 - force1);
  out[10] = on_upper.x;
  out[11] = on_upper.y;
  out[12] = on_lower.x;
  out[13] = on_lower.y;
}

/// The same. The two dyads on A follow the rocker, which is so left with one mass and one force; crank and
/// rocker then have three accelerations and two conditions, whose free direction is a cross product. No position of the run is
/// singular for this.
inline void rate_closed_form(const double* y, double* out) {
  const double* v = y + 7;
  const Terms t = terms(y, v);
  double mass = t.rocker_mass, force = t.rocker_force;
  struct Carried {
    Pair gain, rest;
  };
  const auto carry = [&](const Chain& chain) {
    const Carried c{chain.angles(t.rocker), chain.angles(t.rocker_bend - chain.bend)};
    const Pair reaction = chain.times_mass(c.gain);
    mass += dot(c.gain, reaction);
    force += dot(c.gain, chain.force) - dot(reaction, c.rest);
    return c;
  };
  const Carried upper = carry(t.upper), lower = carry(t.lower);

  // rows of the two conditions: a · (β'', θ'', γ'') = misfit.x, b · … = misfit.y
  const Chain& crank = t.crank;
  const double a[3] = {crank.first.x, crank.second.x, -t.rocker.x}, b[3] = {crank.first.y, crank.second.y, -t.rocker.y};
  const Pair misfit = t.rocker_bend - crank.bend;
  const double free[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  // the shortest solution lies in the plane of a and b: across `free` and across c = misfit.x b − misfit.y a
  const double scale = 1 / (free[0] * free[0] + free[1] * free[1] + free[2] * free[2]);
  const double c[3] = {misfit.x * b[0] - misfit.y * a[0], misfit.x * b[1] - misfit.y * a[1], misfit.x * b[2] - misfit.y * a[2]};
  const double shortest[3] = {scale * (c[1] * free[2] - c[2] * free[1]), scale * (c[2] * free[0] - c[0] * free[2]),
                              scale * (c[0] * free[1] - c[1] * free[0])};
  const Pair pushed = crank.times_mass({free[0], free[1]});
  const double amount = (free[0] * crank.force.x + free[1] * crank.force.y + free[2] * force - pushed.x * shortest[0] -
                         pushed.y * shortest[1] - free[2] * mass * shortest[2]) /
                        (free[0] * pushed.x + free[1] * pushed.y + free[2] * free[2] * mass);
  const double gamma = shortest[2] + amount * free[2];
  const Pair up = gamma * upper.gain + upper.rest, low = gamma * lower.gain + lower.rest;
  for (int i = 0; i < 7; ++i) out[i] = v[i];
  out[7] = shortest[0] + amount * free[0];
  out[8] = shortest[1] + amount * free[1];
  out[9] = gamma;
  out[10] = up.x;
  out[11] = up.y;
  out[12] = low.x;
  out[13] = low.y;
}

}  // namespace andrews
