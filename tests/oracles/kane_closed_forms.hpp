// Chains of two and three pinned bodies, M q̈ = f written out: what Kane's arrays multiply to.
//
// From the formulas of the specification (articulated bodies, section 7), term by term; nothing here knows partial velocities.
// Body k turns about pin k; r leads from that pin to its centre of mass and p to pin k + 1, in body axes. Angles are relative.
#pragma once

#include <array>
#include <cmath>

namespace oracle {

struct PlanePair {
  double x = 0, y = 0;
};
inline PlanePair operator+(PlanePair a, PlanePair b) { return {a.x + b.x, a.y + b.y}; }
inline double times(PlanePair a, PlanePair b) { return a.x * b.x + a.y * b.y; }
inline double across(PlanePair a, PlanePair b) { return a.x * b.y - a.y * b.x; }
inline double square(double x) { return x * x; }
inline double square(PlanePair a) { return times(a, a); }
inline PlanePair turned(double theta, PlanePair a) {
  return {std::cos(theta) * a.x - std::sin(theta) * a.y, std::sin(theta) * a.x + std::cos(theta) * a.y};
}

/// F: forces at the centres of mass; couple: moments on the bodies.
template <std::size_t N>
struct PinnedChain {
  std::array<PlanePair, N> r, p, F;
  std::array<double, N> m, I, q, qd, couple;
};

template <std::size_t N>
struct KaneEquations {
  std::array<std::array<double, N>, N> M;
  std::array<double, N> f;
};

inline KaneEquations<2> kane_equations(const PinnedChain<2>& c) {
  const double w1 = c.qd[0], w2 = c.qd[0] + c.qd[1];
  const PlanePair rho1 = turned(c.q[0], c.r[0]), pi1 = turned(c.q[0], c.p[0]), rho2 = turned(c.q[0] + c.q[1], c.r[1]);
  KaneEquations<2> out;
  out.M[0][0] = c.I[0] + c.I[1] + c.m[0] * square(rho1) + c.m[1] * square(pi1 + rho2);
  out.M[0][1] = out.M[1][0] = c.I[1] + c.m[1] * times(pi1 + rho2, rho2);
  out.M[1][1] = c.I[1] + c.m[1] * square(rho2);
  // the work of forces and couples when one joint turns by 1
  const double ext1 = across(rho1, c.F[0]) + across(pi1 + rho2, c.F[1]) + c.couple[0] + c.couple[1];
  const double ext2 = across(rho2, c.F[1]) + c.couple[1];
  const double swing = c.m[1] * across(pi1, rho2);
  out.f = {ext1 + swing * (square(w2) - square(w1)), ext2 - swing * square(w1)};
  return out;
}

inline KaneEquations<3> kane_equations(const PinnedChain<3>& c) {
  const double th1 = c.q[0], th2 = th1 + c.q[1], th3 = th2 + c.q[2];
  const double s1 = square(c.qd[0]), s2 = square(c.qd[0] + c.qd[1]), s3 = square(c.qd[0] + c.qd[1] + c.qd[2]);
  const PlanePair rho1 = turned(th1, c.r[0]), rho2 = turned(th2, c.r[1]), rho3 = turned(th3, c.r[2]);
  const PlanePair pi1 = turned(th1, c.p[0]), pi2 = turned(th2, c.p[1]);
  const PlanePair e1 = pi1 + pi2 + rho3, e2 = pi2 + rho3, e3 = rho3;
  const double m1 = c.m[0], m2 = c.m[1], m3 = c.m[2], I1 = c.I[0], I2 = c.I[1], I3 = c.I[2];
  KaneEquations<3> out;
  out.M[0][0] = I1 + I2 + I3 + m1 * square(rho1) + m2 * square(pi1 + rho2) + m3 * square(e1);
  out.M[1][1] = I2 + I3 + m2 * square(rho2) + m3 * square(e2);
  out.M[2][2] = I3 + m3 * square(e3);
  out.M[0][1] = out.M[1][0] = I2 + I3 + m2 * times(pi1 + rho2, rho2) + m3 * times(e1, e2);
  out.M[0][2] = out.M[2][0] = I3 + m3 * times(e1, e3);
  out.M[1][2] = out.M[2][1] = I3 + m3 * times(e2, e3);
  const double ext3 = across(e3, c.F[2]) + c.couple[2];
  const double ext2 = across(rho2, c.F[1]) + across(e2, c.F[2]) + c.couple[1] + c.couple[2];
  const double ext1 = across(rho1, c.F[0]) + across(pi1 + rho2, c.F[1]) + across(e1, c.F[2]) + c.couple[0] + c.couple[1] + c.couple[2];
  out.f[0] = ext1 + m2 * (s2 - s1) * across(pi1, rho2) +
             m3 * ((s2 - s1) * across(pi1, pi2) + (s3 - s1) * across(pi1, rho3) + (s3 - s2) * across(pi2, rho3));
  out.f[1] = ext2 - m2 * s1 * across(pi1, rho2) + m3 * (-s1 * across(pi1, e2) + (s3 - s2) * across(pi2, rho3));
  out.f[2] = ext3 - m3 * (s1 * across(pi1, rho3) + s2 * across(pi2, rho3));
  return out;
}

/// The worked example of the specification, with the numbers it prints.
struct WorkedExample {
  PinnedChain<2> chain{{PlanePair{0.4, 0.05}, {0.3, -0.02}}, {PlanePair{0.8, 0.1}, {}},  {PlanePair{0.5, -11.772}, {-0.3, -6.867}},
                       {1.2, 0.7},                      {0.09, 0.05},          {0.6, -0.9},
                       {1.1, -0.4},                     {0.2, -0.1}};
  std::array<std::array<double, 4>, 2> Vpd{{{-0.2671237701034981, 0.3019021222941196, -0.4264847484260822, 0.8844947871926943},
                                            {0, 0, 0.1077627917809140, 0.2806905426044550}}};
  std::array<std::array<double, 2>, 2> M{{{1.0099541884477756, 0.19161709422388773}, {0.19161709422388773, 0.11328}}};
  std::array<double, 2> f{-9.425060912854509, -1.8777038876111392}, qdd{-9.111419548994075, -1.1634900192281838};
};

}  // namespace oracle
