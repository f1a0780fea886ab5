"""Planar constraints: nu, gamma, eta, sigma, kappa in general and of every type (the notes on planar constraints)."""

import itertools
import math

import numpy as np

from .road import Motion, Numbers, derivatives, gradient


def R(u):
    return np.array([-u[1], u[0]])


def RT(u):
    return np.array([u[1], -u[0]])


def turn(phi, s):
    """A(phi) s."""
    return np.array([np.cos(phi) * s[0] - np.sin(phi) * s[1], np.sin(phi) * s[0] + np.cos(phi) * s[1]])


def dot(u, v):
    return u[0] * v[0] + u[1] * v[1]


# ---------------------------------------------------------------------------------------------------------- the general forms


class Exponentials:
    """Phi = sum of c exp(a·q + b t): as general as one likes, and every partial derivative of it is known."""

    def __init__(self, numbers, coordinates=3, terms=5, b=1.0):
        self.c, self.a, self.b = numbers(terms), numbers(terms, coordinates), b * numbers(terms)

    def __call__(self, q, t):
        return np.tensordot(self.c, np.exp(np.tensordot(self.a, q, 1) + np.multiply.outer(self.b, t)), 1)

    def form(self, q, t, times, *w):
        """The derivative with respect to q along each of w, and `times` times with respect to t; w may be complex, q(t) too."""
        out = np.exp(np.tensordot(self.a, q, 1) + np.multiply.outer(self.b, t))
        for vector in w:
            out = out * np.tensordot(self.a, vector, 1)
        return np.tensordot(self.c * self.b**times, out, 1)


def partitions(k, largest=None):
    """The ways to write k as a sum, largest parts first."""
    if k == 0:
        yield ()
    for part in range(min(k, largest or k), 0, -1):
        for rest in partitions(k - part, part):
            yield (part, *rest)


def right_hand_side(k, form, m):
    """-d^k Phi/dt^k without its term Phi_q q^(k), for any k: the sum over partitions of k. A part 1 is q' or the time."""
    total = 0.0
    for parts in partitions(k):
        ones, others = parts.count(1), [p for p in parts if p > 1]
        ways = math.factorial(k) // math.prod(math.factorial(p) for p in parts)
        ways //= math.prod(math.factorial(len(list(g))) for _, g in itertools.groupby(parts))
        for times in range(ones + 1):
            if parts != (k,) or times:
                total -= ways * math.comb(ones, times) * form(times, *[m[p] for p in others], *[m[1]] * (ones - times))
    return total


def general(table):
    numbers = Numbers(4)
    phi, m = Exponentials(numbers), numbers.motion(3, 7)
    d = derivatives(lambda t: phi(m(t), t), 6)

    def F(times, *w):
        return phi.form(m[0], 0.0, times, *w)

    truth = [None] + [F(0, m[k]) - d[k] for k in range(1, 7)]
    _, v, a, j = m[0], m[1], m[2], m[3]
    gamma = -F(0, v, v) - 2 * F(1, v) - F(2)
    eta = -3 * F(0, a, v) - F(0, v, v, v) - 3 * F(1, a) - 3 * F(1, v, v) - 3 * F(2, v) - F(3)
    sigma = (-4 * F(0, j, v) - 3 * F(0, a, a) - 6 * F(0, a, v, v) - F(0, v, v, v, v) - 4 * F(1, j) - 12 * F(1, v, a) - 4 * F(1, v, v, v)
             - 6 * F(2, a) - 6 * F(2, v, v) - 4 * F(3, v) - F(4))
    sigma_in_notes = (-4 * F(0, a, v) - 3 * F(0, a, a) - 6 * F(0, v, v) - F(0, v, v, v) - 4 * F(1, a) - 12 * F(1, v, v) - 4 * F(1, v, a)
                      - 6 * F(2, a) - 6 * F(2, v, v) - 4 * F(3, v) - F(4))
    table.wrong("C1", "nu", truth[1], -F(1), -F(2))
    table.wrong("C2", "gamma", truth[2], gamma, -F(0, v, v) - 2 * F(1, v) - F(3))
    table.right("eta", truth[3], eta)
    table.wrong("C3", "sigma", truth[4], sigma, sigma_in_notes)
    for k in range(1, 7):
        table.right(f"right-hand side of order {k} by partitions", truth[k], right_hand_side(k, F, m))

    # The recursions, with time and without.
    for label, b in (("with time", 1.0), ("without time", 0.0)):
        phi, m = Exponentials(numbers, b=b), numbers.motion(3, 7)
        d = derivatives(lambda t: phi(m(t), t), 4)
        along = lambda t, times, *orders: phi.form(m(t), t, times, *[m(t, k) for k in orders])
        rate = derivatives(lambda t: -along(t, 0, 1, 1) - 2 * along(t, 1, 1) - along(t, 2), 2)
        ours = rate[1] - along(0.0, 0, 2, 1) - along(0.0, 1, 2)
        eta_true, sigma_true = along(0.0, 0, 3) - d[3], along(0.0, 0, 4) - d[4]
        eta_rate = derivatives(lambda t: -3 * along(t, 0, 2, 1) - along(t, 0, 1, 1, 1) - 3 * along(t, 1, 2) - 3 * along(t, 1, 1, 1)
                               - 3 * along(t, 2, 1) - along(t, 3), 2)
        ours_sigma = eta_rate[1] - along(0.0, 0, 3, 1) - along(0.0, 1, 3)
        if b:
            table.right("recursion of eta " + label, eta_true, ours)
            table.right("recursion of sigma " + label, sigma_true, ours_sigma)
        else:
            table.wrong("C4", "recursion of eta " + label, eta_true, ours, rate[2] - along(0.0, 0, 2, 1))
            table.wrong("C5", "recursion of sigma " + label, sigma_true, ours_sigma, eta_rate[2] - along(0.0, 0, 2, 1))


# ------------------------------------------------------------------------------------------------------------- each type


class Pair:
    """Two bodies that move as they like, with the letters of the closed forms: s, d0 ... d3, a, rates, at time 0."""

    def __init__(self, numbers, apart=0.0):
        self.m = numbers.motion(6)
        self.m.d[0, 3] += apart
        self.si, self.sj, self.ai, self.aj = numbers(2), numbers(2), numbers(2), numbers(2)
        self.lam = numbers(2)
        self.f = Motion(numbers(7, 1) + np.array([[3.0]] + [[0.0]] * 6))  # a distance: well above zero
        q = self.m[0]
        self.wi, self.wj = self.m[1][2], self.m[1][5]
        self.ri, self.rj = [self.m[k][2] for k in range(5)], [self.m[k][5] for k in range(5)]
        self.Si, self.Sj = turn(q[2], self.si), turn(q[5], self.sj)
        self.a, self.b = turn(q[2], self.ai), turn(q[5], self.aj)
        self.d = derivatives(lambda t: self.gap(self.m(t)), 4)
        self.F = [self.f[k][0] for k in range(5)]
        self.L = math.hypot(*self.ai)

    def gap(self, q):
        return q[3:5] + turn(q[5], self.sj) - q[0:2] - turn(q[2], self.si)

    def truth(self, phi):
        """Phi, Phi_q, [nu, gamma, eta, sigma], and kappa of phi(q, t), from its values alone."""
        at = self.m[0].astype(complex)
        jacobian = gradient(lambda q: phi(q, np.zeros(q.shape[1:])), at).real
        d = derivatives(lambda t: phi(self.m(t), t), 4)
        right = [np.tensordot(self.m[k], jacobian, 1) - d[k] for k in range(1, 5)]
        lam = self.lam[: jacobian.shape[1]]
        pulled = lambda t: np.einsum("arp,r->ap", gradient(lambda q: phi(q, t[:, None] + 0 * q[0]), self.m(t)), lam)
        return jacobian.T, right, derivatives(pulled, 1)[1]


def stack(*parts):
    return np.hstack([np.atleast_1d(p) for p in parts])


def angular(r):
    w, al, ze = r[1], r[2], r[3]
    return w, al, ze, 4 * w * ze + 3 * al**2 - w**4


def types(table):
    p = Pair(Numbers(7))
    (wi, ali, zei, hi), (wj, alj, zej, hj) = angular(p.ri), angular(p.rj)
    Si, Sj, a, (d0, d1, d2, d3, _), L, F = p.Si, p.Sj, p.a, p.d, p.L, p.F
    l1, l2 = p.lam
    column = lambda top, bottom: np.vstack([np.atleast_2d(top), np.atleast_2d(bottom)])

    def check(name, phi, jacobian, right, kappa, labels=(), notes=()):
        """labels: the orders that the notes have otherwise, "gamma", "eta", "sigma", "kappa", each with its row of the table."""
        J, truth, kappa_true = p.truth(phi)
        table.right(f"{name}: Jacobian", J, np.atleast_2d(jacobian))
        names = ("nu", "gamma", "eta", "sigma", "kappa")
        for order, true, ours in zip(names, (*truth, kappa_true), (*right, kappa)):
            if order in labels:
                table.wrong(labels[order], f"{name}: {order}", true, ours, notes[order])
            else:
                table.right(f"{name}: {order}", true, ours)

    # The pin.
    rev_i = -np.column_stack([np.eye(2), R(Si)])
    rev_j = np.column_stack([np.eye(2), R(Sj)])
    rev = np.hstack([rev_i, rev_j])
    gam = wj**2 * Sj - wi**2 * Si
    eta = wj**3 * R(Sj) + 3 * wj * alj * Sj - wi**3 * R(Si) - 3 * wi * ali * Si
    sig = 6 * wj**2 * alj * R(Sj) + hj * Sj - 6 * wi**2 * ali * R(Si) - hi * Si
    lost = lambda w, al: 4 * w * al + 3 * al**2 - w**4
    sig_notes = 6 * wj**2 * alj * R(Sj) + lost(wj, alj) * Sj - 6 * wi**2 * ali * R(Si) - lost(wi, ali) * Si
    check("revolute", lambda q, t: p.gap(q), rev, (np.zeros(2), gam, eta, sig),
          stack(0, 0, wi * dot(Si, p.lam), 0, 0, -wj * dot(Sj, p.lam)), {"sigma": "C6"}, {"sigma": sig_notes})
    table.wrong("C16", "revolute: Jacobian of body i in the appendix", p.truth(lambda q, t: p.gap(q))[0][:, :3], rev_i, -rev_i)

    # Two pins at a distance, constant or driven.
    def distance_kappa(inside, outside):
        return 2 * l1 * stack(-d1, -(dot(R(Si), d1) * outside(wi) - inside(wi) * dot(Si, d0)), d1,
                              dot(R(Sj), d1) * outside(wj) - inside(wj) * dot(Sj, d0))

    kappa = distance_kappa(lambda w: w, lambda w: 1)
    g2, e2 = 2 * dot(d0, gam) - 2 * dot(d1, d1), 2 * dot(d0, eta) - 6 * dot(d1, d2)
    s2 = 2 * dot(d0, sig) - 8 * dot(d1, d3) - 6 * dot(d2, d2)
    check("double revolute", lambda q, t: np.array([dot(p.gap(q), p.gap(q)) - 4]), 2 * d0 @ rev, ([0], [g2], [e2], [s2]), kappa,
          {"sigma": "C7", "kappa": "C8"},
          {"sigma": [2 * dot(d0, sig) - 8 * dot(d1, d2) - 6 * dot(d2, d2)], "kappa": distance_kappa(lambda w: w, lambda w: w)})
    check("distance driver", lambda q, t: np.array([dot(p.gap(q), p.gap(q)) - p.f(t)[0] ** 2]), 2 * d0 @ rev,
          ([2 * F[0] * F[1]], [g2 + 2 * F[1] ** 2 + 2 * F[0] * F[2]], [e2 + 6 * F[1] * F[2] + 2 * F[0] * F[3]],
           [s2 + 6 * F[2] ** 2 + 8 * F[1] * F[3] + 2 * F[0] * F[4]]), kappa,
          {"sigma": "C15"}, {"sigma": [s2 + 6 * F[2] ** 2 + 8 * F[1] * F[3] + 2 * F[0] * F[3]]})

    # Parallel vectors: exact at any state, and zero on the manifold only.
    b, c, cross = p.b, dot(p.a, p.b), dot(RT(p.b), p.a)
    w, al, ze = wj - wi, alj - ali, zej - zei
    check("parallel", lambda q, t: np.array([dot(turn(q[2], p.ai), RT(turn(q[5], p.aj)))]), stack(0, 0, -c, 0, 0, c),
          ([0], [cross * w**2], [3 * cross * w * al + c * w**3], [cross * (4 * w * ze + 3 * al**2 - w**4) + 6 * c * w**2 * al]),
          l1 * cross * w * stack(0, 0, 1, 0, 0, -1),
          {"gamma": "D1", "eta": "D2", "sigma": "D3"}, {"gamma": [0], "eta": [0], "sigma": [0]})

    # Pin in slot.
    slot = R(a)  # a^T R^T u = (R a)·u
    jacobian = slot @ rev - stack(0, 0, dot(a, d0), 0, 0, 0)
    phi0 = dot(a, RT(d0))
    g3 = dot(a, 2 * wi * d1 + RT(wi**2 * d0 + gam))
    e3 = dot(a, 3 * wi * d2 + 3 * ali * d1 - wi**3 * d0 + RT(3 * wi**2 * d1 + 3 * wi * ali * d0 + eta))
    s3 = dot(a, 4 * wi * d3 + 6 * ali * d2 + 4 * (zei - wi**3) * d1 - 6 * wi**2 * ali * d0
             + RT(6 * wi**2 * d2 + 12 * wi * ali * d1 + hi * d0 + sig))
    e3_notes = dot(a, 3 * wi * d1 + 3 * ali * d1 - wi**3 * d0 + RT(3 * wi**2 * d1 + 3 * wi * ali * d0 + eta))
    s3_notes = dot(a, 4 * wi * d2 + 6 * ali * d1 + 4 * (ali - wi**3) * d1 - 6 * wi**2 * ali * d0
                   + RT(6 * wi**2 * d1 + 12 * wi * ali * d1 + (4 * wi * ali + 3 * wi**2 - wi**4) * d0 + sig))
    moment_j = (wj - wi) * dot(R(Sj), a)
    kappa = l1 * stack(wi * a, -(dot(a, d1) + wi * phi0), -wi * a, moment_j)
    pin = lambda q, t: np.array([dot(turn(q[2], p.ai), RT(p.gap(q)))])
    check("pin in slot", pin, jacobian, ([0], [g3], [e3], [s3]), kappa, {"eta": "C9", "sigma": "C10", "kappa": "C11"},
          {"eta": [e3_notes], "sigma": [s3_notes], "kappa": l1 * stack(wi * a, -(dot(a, d1) + wi * phi0), -wj * a, moment_j)})
    table.wrong("D4", "pin in slot: moment of kappa on i", p.truth(pin)[2][2], kappa[2], -l1 * dot(a, d1))

    # Distance along a slot, driven, and rolling.
    jacobian = (a @ rev + stack(0, 0, dot(a, RT(d0)), 0, 0, 0)) / L
    g4 = dot(a, -2 * wi * RT(d1) + wi**2 * d0 + gam) / L
    e4 = dot(a, -RT(3 * wi * d2 + 3 * ali * d1 - wi**3 * d0) + 3 * wi**2 * d1 + 3 * wi * ali * d0 + eta) / L
    s4 = dot(a, -RT(4 * wi * d3 + 6 * ali * d2 + 4 * (zei - wi**3) * d1 - 6 * wi**2 * ali * d0)
             + 6 * wi**2 * d2 + 12 * wi * ali * d1 + hi * d0 + sig) / L
    g4_notes = dot(a, -2 * wi * RT(d0) + wi**2 * d0 + gam) / L
    e4_notes = dot(a, -RT(3 * wi * d0 + 3 * ali * d0 - wi**3 * d0) + 3 * wi**2 * d0 + 3 * wi * ali * d0 + eta) / L
    s4_notes = dot(a, -RT(4 * wi * d0 + 6 * ali * d0 + 4 * (ali - wi**3) * d0 - 6 * wi**2 * ali * d0)
                   + 6 * wi**2 * d0 + 12 * wi * ali * d0 + lost(wi, ali) * d0 + sig) / L
    kappa = l1 / L * stack(-wi * R(a), dot(a, RT(d1)) - wi * dot(a, d0), wi * R(a), -(wj - wi) * dot(a, Sj))
    along = lambda q: dot(turn(q[2], p.ai), p.gap(q)) / L
    check("slot distance driver", lambda q, t: np.array([along(q) - p.f(t)[0]]), jacobian,
          ([F[1]], [g4 + F[2]], [e4 + F[3]], [s4 + F[4]]), kappa, {"gamma": "C12", "eta": "C13", "sigma": "C14"},
          {"gamma": [g4_notes + F[2]], "eta": [e4_notes + F[3]], "sigma": [s4_notes + F[4]]})
    check("rolling", lambda q, t: np.array([along(q) - 0.4 * (q[5] - q[2])]), jacobian + stack(0, 0, 0.4, 0, 0, -0.4),
          ([0], [g4], [e4], [s4]), kappa)

    # Linear ones: their right-hand sides are those of f alone.
    nothing, driven = ([0],) * 4, tuple([F[k]] for k in range(1, 5))
    linear = (("angle driver", lambda q, t: q[5] - q[2] - p.f(t)[0], (0, 0, -1, 0, 0, 1), driven),
              ("gear", lambda q, t: q[5] + 1.7 * q[2], (0, 0, 1.7, 0, 0, 1), nothing),
              ("coordinate driver", lambda q, t: q[4] - 0.6 * q[0] - p.f(t)[0], (-0.6, 0, 0, 0, 1, 0), driven))
    for name, phi, row, right in linear:
        check(name, lambda q, t, phi=phi: np.array([phi(q, t)]), row, right, np.zeros(6))

    on_arm = gradient(lambda q: (q[1] - q[2]) + 1.7 * (q[0] - q[2]), p.m[0][:3].astype(complex)).real
    table.right("gear on a turning link: its angles", on_arm, [1.7, 1, -1.7 - 1])

    # Haug's sign: Phi and lambda change theirs, kappa and the reaction do not.
    p_opposite = Pair(Numbers(7))
    p_opposite.lam = -p.lam
    ours, theirs = p.truth(lambda q, t: p.gap(q)), p_opposite.truth(lambda q, t: -p.gap(q))
    table.right("Haug's sign: kappa", ours[2], theirs[2])
    table.right("Haug's sign: reaction", -ours[0].T @ p.lam, -theirs[0].T @ p_opposite.lam)
    table.right("Haug's sign: sigma", ours[1][3], -theirs[1][3])
