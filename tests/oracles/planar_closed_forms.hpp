// Oracle: the closed forms of the planar formula specification, transcribed by hand, one function per constraint type.
//
// The engine obtains its right-hand sides from truncated Taylor series; nothing here does. Letters and section numbers are
// those of the specification. All forms are the exact ones: they hold for every state, on the constraint manifold or off it.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace oracle {

using Vec = std::array<double, 2>;
using Row = std::array<double, 3>;     // columns x, y, phi of one body
using Driver = std::array<double, 5>;  // f, f_1, f_2, f_3, f_4

struct Body {  // value and 1st..4th time derivative; the ground is all zero
  std::array<double, 5> x{}, y{}, phi{};
};

struct Point {  // r^P and its 1st..4th time derivative
  std::array<Vec, 5> r{};
};

// Everything the specification states for one constraint with m rows. Body slots are in the order i, j(, k). A grounded body
// has its slot too; an assembly simply has no columns for it.
struct Rows {
  std::vector<double> phi;                    // m
  std::vector<std::vector<Row>> phi_q;        // [body slot][row]
  std::vector<double> nu, gamma, eta, sigma;  // m
  std::vector<Row> kappa;                     // [body slot], already summed over the rows
};

// 1.1 Plane vectors, R and A.

inline Vec operator+(Vec u, Vec v) { return {u[0] + v[0], u[1] + v[1]}; }
inline Vec operator-(Vec u, Vec v) { return {u[0] - v[0], u[1] - v[1]}; }
inline Vec operator-(Vec u) { return {-u[0], -u[1]}; }
inline Vec operator*(double c, Vec u) { return {c * u[0], c * u[1]}; }
inline double dot(Vec u, Vec v) { return u[0] * v[0] + u[1] * v[1]; }
inline Vec R(Vec u) { return {-u[1], u[0]}; }   // R u
inline Vec Rt(Vec u) { return {u[1], -u[0]}; }  // R^T u
inline Vec A(double phi, Vec s) {               // A s'
  return {std::cos(phi) * s[0] - std::sin(phi) * s[1], std::sin(phi) * s[0] + std::cos(phi) * s[1]};
}
inline Row row(Vec xy, double phi) { return {xy[0], xy[1], phi}; }

// 1.2 Shorthand for the angular rates: omega, alpha, zeta, xi and h = 4 omega zeta + 3 alpha^2 - omega^4.
struct Rates {
  double omega, alpha, zeta, xi, h;
};
inline Rates rates(const Body& b) {
  const double w = b.phi[1], al = b.phi[2], ze = b.phi[3], xi = b.phi[4];
  return {w, al, ze, xi, 4 * w * ze + 3 * al * al - w * w * w * w};
}

// 1.3 Kinematics of a body-fixed point.
//   r^P     = r     + s
//   r^P.    = r.    + omega R s
//   r^P..   = r..   + alpha R s - omega^2 s
//   r^P...  = r...  + (zeta - omega^3) R s - 3 omega alpha s
//   r^P.... = r.... + (xi - 6 omega^2 alpha) R s - h s
inline Point point(const Body& b, Vec s_local) {
  const auto [w, al, ze, xi, h] = rates(b);
  const Vec s = A(b.phi[0], s_local);
  const auto r = [&b](std::size_t n) { return Vec{b.x[n], b.y[n]}; };
  Point P;
  P.r[0] = r(0) + s;
  P.r[1] = r(1) + w * R(s);
  P.r[2] = r(2) + al * R(s) - (w * w) * s;
  P.r[3] = r(3) + (ze - w * w * w) * R(s) - (3 * w * al) * s;
  P.r[4] = r(4) + (xi - 6 * w * w * al) * R(s) - h * s;
  return P;
}

// What the two-point constraints share: the arms (1.2), d_0..d_3 (1.2) and gamma_R, eta_R, sigma_R (3.1).
struct Pair {
  Rates i, j;
  Vec s_i, s_j;
  Vec d_0, d_1, d_2, d_3;
  Vec gamma_R, eta_R, sigma_R;
  Vec to_Pj;  // r_j^P - r_i
};

// 3.1 gamma_R = omega_j^2 s_j - omega_i^2 s_i
//     eta_R   = omega_j^3 R s_j + 3 omega_j alpha_j s_j - omega_i^3 R s_i - 3 omega_i alpha_i s_i
//     sigma_R = 6 omega_j^2 alpha_j R s_j + h_j s_j - 6 omega_i^2 alpha_i R s_i - h_i s_i
inline Pair pair(const Body& bi, const Body& bj, Vec sPi, Vec sPj) {
  const Rates i = rates(bi), j = rates(bj);
  const double wi = i.omega, wj = j.omega;
  const Vec s_i = A(bi.phi[0], sPi), s_j = A(bj.phi[0], sPj);
  const Point Pi = point(bi, sPi), Pj = point(bj, sPj);
  Pair p{};
  p.i = i;
  p.j = j;
  p.s_i = s_i;
  p.s_j = s_j;
  p.d_0 = Pj.r[0] - Pi.r[0];
  p.d_1 = Pj.r[1] - Pi.r[1];
  p.d_2 = Pj.r[2] - Pi.r[2];
  p.d_3 = Pj.r[3] - Pi.r[3];
  p.gamma_R = (wj * wj) * s_j - (wi * wi) * s_i;
  p.eta_R = (wj * wj * wj) * R(s_j) + (3 * wj * j.alpha) * s_j - (wi * wi * wi) * R(s_i) - (3 * wi * i.alpha) * s_i;
  p.sigma_R = (6 * wj * wj * j.alpha) * R(s_j) + j.h * s_j - (6 * wi * wi * i.alpha) * R(s_i) - i.h * s_i;
  p.to_Pj = Pj.r[0] - Vec{bi.x[0], bi.y[0]};
  return p;
}

// The rows of two constraints on the same bodies, one below the other. Kappa adds up.
inline Rows stack(Rows upper, const Rows& lower) {
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(upper.phi, lower.phi);
  append(upper.nu, lower.nu);
  append(upper.gamma, lower.gamma);
  append(upper.eta, lower.eta);
  append(upper.sigma, lower.sigma);
  for (std::size_t slot = 0; slot < upper.phi_q.size(); ++slot) {
    append(upper.phi_q[slot], lower.phi_q[slot]);
    for (std::size_t c = 0; c < 3; ++c) upper.kappa[slot][c] += lower.kappa[slot][c];
  }
  return upper;
}

// 3.1 Revolute, REV.
//   Phi    = d_0
//   Phi_qi = -[I_2  B_i s_i'],  Phi_qj = [I_2  B_j s_j'],  B s' = R s
//   nu = 0, gamma = gamma_R, eta = eta_R, sigma = sigma_R
//   kappa_i = (0, 0, omega_i s_i^T lambda),  kappa_j = (0, 0, -omega_j s_j^T lambda)
inline Rows revolute(const Body& i, const Body& j, Vec sPi, Vec sPj, Vec lambda) {
  const Pair p = pair(i, j, sPi, sPj);
  const Vec Bi = R(p.s_i), Bj = R(p.s_j);
  Rows c;
  c.phi = {p.d_0[0], p.d_0[1]};
  c.phi_q = {{{-1, 0, -Bi[0]}, {0, -1, -Bi[1]}},  //
             {{1, 0, Bj[0]}, {0, 1, Bj[1]}}};
  c.nu = {0, 0};
  c.gamma = {p.gamma_R[0], p.gamma_R[1]};
  c.eta = {p.eta_R[0], p.eta_R[1]};
  c.sigma = {p.sigma_R[0], p.sigma_R[1]};
  c.kappa = {{0, 0, p.i.omega * dot(p.s_i, lambda)}, {0, 0, -p.j.omega * dot(p.s_j, lambda)}};
  return c;
}

// 3.2 Double revolute (rigid link), REV_REV.
//   Phi    = d_0^T d_0 - L^2
//   Phi_qi = -2 d_0^T [I_2  B_i s_i'],  Phi_qj = 2 d_0^T [I_2  B_j s_j']
//   nu    = 0
//   gamma = 2 d_0^T gamma_R - 2 d_1^T d_1
//   eta   = 2 d_0^T eta_R   - 6 d_1^T d_2
//   sigma = 2 d_0^T sigma_R - 8 d_1^T d_3 - 6 d_2^T d_2
//   kappa_i = -2 lambda (d_1, (R s_i)^T d_1 - omega_i s_i^T d_0)
//   kappa_j =  2 lambda (d_1, (R s_j)^T d_1 - omega_j s_j^T d_0)
inline Rows double_revolute(const Body& i, const Body& j, Vec sPi, Vec sPj, double L, double lambda) {
  const Pair p = pair(i, j, sPi, sPj);
  Rows c;
  c.phi = {dot(p.d_0, p.d_0) - L * L};
  c.phi_q = {{row(-2 * p.d_0, -2 * dot(p.d_0, R(p.s_i)))},  //
             {row(2 * p.d_0, 2 * dot(p.d_0, R(p.s_j)))}};
  c.nu = {0};
  c.gamma = {2 * dot(p.d_0, p.gamma_R) - 2 * dot(p.d_1, p.d_1)};
  c.eta = {2 * dot(p.d_0, p.eta_R) - 6 * dot(p.d_1, p.d_2)};
  c.sigma = {2 * dot(p.d_0, p.sigma_R) - 8 * dot(p.d_1, p.d_3) - 6 * dot(p.d_2, p.d_2)};
  c.kappa = {row(-2 * lambda * p.d_1, -2 * lambda * (dot(R(p.s_i), p.d_1) - p.i.omega * dot(p.s_i, p.d_0))),
             row(2 * lambda * p.d_1, 2 * lambda * (dot(R(p.s_j), p.d_1) - p.j.omega * dot(p.s_j, p.d_0)))};
  return c;
}

// 3.3 Parallel vectors, PARALLEL, with c = a_i^T a_j and omega, alpha, zeta those of j relative to i.
//   Phi    = a_i^T R^T a_j
//   Phi_qi = [0 0 -c],  Phi_qj = [0 0 c]
//   nu    = 0
//   gamma = Phi omega^2
//   eta   = 3 Phi omega alpha + c omega^3
//   sigma = Phi (4 omega zeta + 3 alpha^2 - omega^4) + 6 c omega^2 alpha
//   kappa_i = (0, 0, lambda Phi omega),  kappa_j = (0, 0, -lambda Phi omega)
inline Rows parallel(const Body& i, const Body& j, Vec ai, Vec aj, double lambda) {
  const Vec a_i = A(i.phi[0], ai), a_j = A(j.phi[0], aj);
  const double Phi = dot(a_i, Rt(a_j)), c = dot(a_i, a_j);
  const double w = j.phi[1] - i.phi[1], al = j.phi[2] - i.phi[2], ze = j.phi[3] - i.phi[3];
  Rows out;
  out.phi = {Phi};
  out.phi_q = {{{0, 0, -c}}, {{0, 0, c}}};
  out.nu = {0};
  out.gamma = {Phi * w * w};
  out.eta = {3 * Phi * w * al + c * w * w * w};
  out.sigma = {Phi * (4 * w * ze + 3 * al * al - w * w * w * w) + 6 * c * w * w * al};
  out.kappa = {{0, 0, lambda * Phi * w}, {0, 0, -lambda * Phi * w}};
  return out;
}

// 3.4 Pin in slot, PIN_SLOT.
//   Phi    = a_i^T R^T d_0
//   Phi_qi = [-(R a_i)^T  -a_i^T (r_j^P - r_i)],  Phi_qj = [(R a_i)^T  a_i^T s_j]
//   nu    = 0
//   gamma = a_i^T ( 2 omega_i d_1 + R^T (omega_i^2 d_0 + gamma_R) )
//   eta   = a_i^T ( 3 omega_i d_2 + 3 alpha_i d_1 - omega_i^3 d_0
//                   + R^T (3 omega_i^2 d_1 + 3 omega_i alpha_i d_0 + eta_R) )
//   sigma = a_i^T ( 4 omega_i d_3 + 6 alpha_i d_2 + 4 (zeta_i - omega_i^3) d_1 - 6 omega_i^2 alpha_i d_0
//                   + R^T (6 omega_i^2 d_2 + 12 omega_i alpha_i d_1 + h_i d_0 + sigma_R) )
//   kappa_i = lambda ( omega_i a_i, -(a_i^T d_1 + omega_i Phi))
//   kappa_j = lambda (-omega_i a_i, (omega_j - omega_i) (R s_j)^T a_i)
inline Rows pin_in_slot(const Body& i, const Body& j, Vec sPi, Vec ai, Vec sPj, double lambda) {
  const Pair p = pair(i, j, sPi, sPj);
  const auto [w, al, ze, xi, h] = p.i;
  const Vec a_i = A(i.phi[0], ai);
  const double Phi = dot(a_i, Rt(p.d_0));
  Rows c;
  c.phi = {Phi};
  c.phi_q = {{row(-R(a_i), -dot(a_i, p.to_Pj))},  //
             {row(R(a_i), dot(a_i, p.s_j))}};
  c.nu = {0};
  c.gamma = {dot(a_i, 2 * w * p.d_1 + Rt(w * w * p.d_0 + p.gamma_R))};
  c.eta = {dot(a_i, 3 * w * p.d_2 + 3 * al * p.d_1 - w * w * w * p.d_0  //
                        + Rt(3 * w * w * p.d_1 + 3 * w * al * p.d_0 + p.eta_R))};
  c.sigma = {dot(a_i, 4 * w * p.d_3 + 6 * al * p.d_2 + 4 * (ze - w * w * w) * p.d_1 - 6 * w * w * al * p.d_0  //
                          + Rt(6 * w * w * p.d_2 + 12 * w * al * p.d_1 + h * p.d_0 + p.sigma_R))};
  c.kappa = {row(lambda * w * a_i, -lambda * (dot(a_i, p.d_1) + w * Phi)),
             row(-lambda * w * a_i, lambda * (p.j.omega - w) * dot(R(p.s_j), a_i))};
  return c;
}

// 3.5 Translational joint: the PARALLEL row (3.3), then the PIN_SLOT row (3.4) with the same a_i'.
inline Rows translational(const Body& i, const Body& j, Vec sPi, Vec ai, Vec sPj, Vec aj, Vec lambda) {
  return stack(parallel(i, j, ai, aj, lambda[0]), pin_in_slot(i, j, sPi, ai, sPj, lambda[1]));
}

// 3.6 Relative angle driver, ANGLE.
//   Phi    = phi_j - phi_i - C - f
//   Phi_qi = [0 0 -1],  Phi_qj = [0 0 1]
//   nu = f_1, gamma = f_2, eta = f_3, sigma = f_4, kappa = 0
inline Rows angle(const Body& i, const Body& j, double C, const Driver& f) {
  Rows c;
  c.phi = {j.phi[0] - i.phi[0] - C - f[0]};
  c.phi_q = {{{0, 0, -1}}, {{0, 0, 1}}};
  c.nu = {f[1]};
  c.gamma = {f[2]};
  c.eta = {f[3]};
  c.sigma = {f[4]};
  c.kappa = {Row{}, Row{}};
  return c;
}

// 3.1 and 3.6 Weld: the two REV rows, then the ANGLE row with f = 0. Lambda in the order of the rows.
inline Rows weld(const Body& i, const Body& j, Vec sPi, Vec sPj, double C, std::array<double, 3> lambda) {
  return stack(revolute(i, j, sPi, sPj, {lambda[0], lambda[1]}), angle(i, j, C, Driver{}));
}

// 3.7 Gear pair, GEAR.
//   Phi    = phi_j - K phi_i - C
//   Phi_qi = [0 0 -K],  Phi_qj = [0 0 1]
//   nu = gamma = eta = sigma = 0, kappa = 0
inline Rows gear(const Body& i, const Body& j, double K, double C) {
  Rows c;
  c.phi = {j.phi[0] - K * i.phi[0] - C};
  c.phi_q = {{{0, 0, -K}}, {{0, 0, 1}}};
  c.nu = c.gamma = c.eta = c.sigma = {0};
  c.kappa = {Row{}, Row{}};
  return c;
}

// 3.8 Gear pair on a rotating link k, GEAR_ON_K.
//   Phi    = (phi_j - phi_k) - K (phi_i - phi_k) - C
//   Phi_qi = [0 0 -K],  Phi_qj = [0 0 1],  Phi_qk = [0 0 K-1]
//   nu = gamma = eta = sigma = 0, kappa = 0
inline Rows gear_on_arm(const Body& i, const Body& j, const Body& k, double K, double C) {
  Rows c;
  c.phi = {(j.phi[0] - k.phi[0]) - K * (i.phi[0] - k.phi[0]) - C};
  c.phi_q = {{{0, 0, -K}}, {{0, 0, 1}}, {{0, 0, K - 1}}};
  c.nu = c.gamma = c.eta = c.sigma = {0};
  c.kappa = {Row{}, Row{}, Row{}};
  return c;
}

// 3.9 Relative coordinate driver, RCD; u is coordinate number coord_j of body j, w number coord_i of body i (0 x, 1 y, 2 phi).
//   Phi    = u_j - K w_i - C - f
//   Phi_qi = -K e_w,  Phi_qj = e_u
//   nu = f_1, gamma = f_2, eta = f_3, sigma = f_4, kappa = 0
// If i and j are one body, an assembly has to add the two blocks.
inline Rows relative_coordinate(const Body& i, const Body& j, std::size_t coord_i, std::size_t coord_j, double K, double C,
                                const Driver& f) {
  const double w_i = std::array{i.x[0], i.y[0], i.phi[0]}.at(coord_i);
  const double u_j = std::array{j.x[0], j.y[0], j.phi[0]}.at(coord_j);
  Row e_w{}, e_u{};
  e_w[coord_i] = -K;
  e_u[coord_j] = 1;
  Rows c;
  c.phi = {u_j - K * w_i - C - f[0]};
  c.phi_q = {{e_w}, {e_u}};
  c.nu = {f[1]};
  c.gamma = {f[2]};
  c.eta = {f[3]};
  c.sigma = {f[4]};
  c.kappa = {Row{}, Row{}};
  return c;
}

// 3.10 Planar parallel-2 distance driver, PP2DD, with L = |a_i'|.
//   Phi    = a_i^T d_0 / L - f
//   Phi_qi = 1/L [-a_i^T  a_i^T R^T (r_j^P - r_i)],  Phi_qj = 1/L a_i^T [I_2  B_j s_j']
//   nu    = f_1
//   gamma = 1/L a_i^T ( -2 omega_i R^T d_1 + omega_i^2 d_0 + gamma_R ) + f_2
//   eta   = 1/L a_i^T ( -R^T (3 omega_i d_2 + 3 alpha_i d_1 - omega_i^3 d_0)
//                       + 3 omega_i^2 d_1 + 3 omega_i alpha_i d_0 + eta_R ) + f_3
//   sigma = 1/L a_i^T ( -R^T (4 omega_i d_3 + 6 alpha_i d_2 + 4 (zeta_i - omega_i^3) d_1 - 6 omega_i^2 alpha_i d_0)
//                       + 6 omega_i^2 d_2 + 12 omega_i alpha_i d_1 + h_i d_0 + sigma_R ) + f_4
//   kappa_i = lambda/L (-omega_i R a_i, a_i^T R^T d_1 - omega_i a_i^T d_0)
//   kappa_j = lambda/L ( omega_i R a_i, -(omega_j - omega_i) a_i^T s_j)
inline Rows slot_distance(const Body& i, const Body& j, Vec sPi, Vec ai, Vec sPj, const Driver& f, double lambda) {
  const Pair p = pair(i, j, sPi, sPj);
  const auto [w, al, ze, xi, h] = p.i;
  const Vec a_i = A(i.phi[0], ai);
  const double L = std::sqrt(dot(ai, ai));
  Rows c;
  c.phi = {1 / L * dot(a_i, p.d_0) - f[0]};
  c.phi_q = {{row(-1 / L * a_i, dot(a_i, Rt(p.to_Pj)) / L)},  //
             {row(1 / L * a_i, dot(a_i, R(p.s_j)) / L)}};
  c.nu = {f[1]};
  c.gamma = {f[2] + 1 / L * dot(a_i, -2 * w * Rt(p.d_1) + w * w * p.d_0 + p.gamma_R)};
  c.eta = {f[3] + 1 / L *
                      dot(a_i, -Rt(3 * w * p.d_2 + 3 * al * p.d_1 - w * w * w * p.d_0)  //
                                   + 3 * w * w * p.d_1 + 3 * w * al * p.d_0 + p.eta_R)};
  c.sigma = {f[4] + 1 / L *
                        dot(a_i, -Rt(4 * w * p.d_3 + 6 * al * p.d_2 + 4 * (ze - w * w * w) * p.d_1 - 6 * w * w * al * p.d_0)  //
                                     + 6 * w * w * p.d_2 + 12 * w * al * p.d_1 + h * p.d_0 + p.sigma_R)};
  c.kappa = {row(-lambda / L * w * R(a_i), lambda / L * (dot(a_i, Rt(p.d_1)) - w * dot(a_i, p.d_0))),
             row(lambda / L * w * R(a_i), -lambda / L * (p.j.omega - w) * dot(a_i, p.s_j))};
  return c;
}

// 3.11 Pure rolling along the slot direction, ROLL.
//   Phi    = a_i^T d_0 / L - rho (phi_j - phi_i) - C
//   Phi_qi = [Phi_qi]_PP2DD + [0 0 rho],  Phi_qj = [Phi_qj]_PP2DD - [0 0 rho]
//   nu = 0; gamma, eta, sigma those of PP2DD with f = 0; kappa that of PP2DD
inline Rows rolling(const Body& i, const Body& j, Vec sPi, Vec ai, Vec sPj, double rho, double C, double lambda) {
  Rows c = slot_distance(i, j, sPi, ai, sPj, Driver{}, lambda);
  c.phi[0] += -rho * (j.phi[0] - i.phi[0]) - C;
  c.phi_q[0][0][2] += rho;
  c.phi_q[1][0][2] -= rho;
  return c;
}

// 3.12 Planar relative distance driver, PRDD. The right-hand sides of REV_REV do not contain L, so L = 0 does.
//   Phi   = d_0^T d_0 - f^2;  Phi_q and kappa those of REV_REV
//   nu    = 2 f f_1
//   gamma = gamma_REV_REV + 2 f_1^2 + 2 f f_2
//   eta   = eta_REV_REV   + 6 f_1 f_2 + 2 f f_3
//   sigma = sigma_REV_REV + 6 f_2^2 + 8 f_1 f_3 + 2 f f_4
inline Rows relative_distance(const Body& i, const Body& j, Vec sPi, Vec sPj, const Driver& f, double lambda) {
  Rows c = double_revolute(i, j, sPi, sPj, 0.0, lambda);
  c.phi[0] -= f[0] * f[0];
  c.nu[0] = 2 * f[0] * f[1];
  c.gamma[0] += 2 * f[1] * f[1] + 2 * f[0] * f[2];
  c.eta[0] += 6 * f[1] * f[2] + 2 * f[0] * f[3];
  c.sigma[0] += 6 * f[2] * f[2] + 8 * f[1] * f[3] + 2 * f[0] * f[4];
  return c;
}

}  // namespace oracle
