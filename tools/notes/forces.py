"""Planar generalized forces and their rates (the notes on planar forces)."""

import numpy as np

from .plane import Pair, R, dot, stack, turn
from .road import Numbers, derivatives, gradient

K, C, FREE, FRICTION = 1.3, 0.7, 0.4, 0.2


def actuator(l, v, t):
    return np.sin(l) * (1 + 0.3 * v) + 0.5 * t * v


def actuator_rate(l, v, a, t):
    """The chain rule, which the notes write as the rate of f_ACT of l, l', l'', t."""
    return (np.cos(l) * (1 + 0.3 * v)) * v + (0.3 * np.sin(l) + 0.5 * t) * a + 0.5 * v


def law(l, v, t, sign):
    return K * (l - FREE) + C * v + FRICTION * sign + actuator(l, v, t)


def forces(table):
    numbers = Numbers(11)
    p = Pair(numbers, apart=5.0)  # the length has no derivative where it is zero
    q, rates = p.m[0].astype(complex), p.m[1]

    # The moment of a force at a point: its share of the power, F·(velocity of the point).
    F = numbers.motion(2)
    point = lambda q: q[0:2] + turn(q[2], p.si)
    Q = lambda t: np.einsum("act,ct->at", gradient(point, p.m(t)[:3]), F(t))
    Q0, Q1 = derivatives(Q, 1)
    f0, f1, w = F[0], F[1], p.wi
    cross = lambda u, v: u[0] * v[1] - u[1] * v[0]
    table.wrong("F1", "moment of a force", Q0[2], dot(R(p.Si), f0), cross(p.si, f0))
    table.right("moment of a force, both in body axes", Q0[2], cross(p.si, turn(-p.m[0][2], f0)))
    table.right("force at a point", Q0, stack(f0, dot(R(p.Si), f0)))
    table.right("rate of a force at a point", Q1, stack(f1, dot(R(p.Si), f1) - w * dot(p.Si, f0)))

    # The spring between two points. Its generalized force from its length alone: -f times the gradient of l.
    length = lambda q: np.sqrt(dot(p.gap(q), p.gap(q)))
    l0 = derivatives(lambda t: length(p.m(t)), 2)
    sign = np.sign(l0[1])

    def Q(t):
        slope = gradient(length, p.m(t))
        l, v = length(p.m(t)), np.sum(slope * p.m(t, 1), axis=0)
        return -law(l, v, t, sign) * slope

    Q0, Q1 = derivatives(Q, 1)
    d0, d1, d2 = p.d[0], p.d[1], p.d[2]
    l = np.sqrt(dot(d0, d0))
    v = dot(d0, d1) / l
    a = (dot(d0, d2) + dot(d1, d1) - v**2) / l
    f, rate = law(l, v, 0.0, sign), K * v + C * a + actuator_rate(l, v, a, 0.0)
    force, force_rate = f / l * d0, (rate * l * d0 + f * l * d1 - f * v * d0) / l**2
    table.right("length of a spring and its rates", l0, [l, v, a])
    arms = ((p.Si, p.wi, 1), (p.Sj, p.wj, -1))
    table.right("force of a spring", Q0, stack(*[stack(s * force, s * dot(R(S), force)) for S, w, s in arms]))
    table.right("rate of the force of a spring", Q1, stack(*[stack(s * force_rate, s * (dot(R(S), force_rate) - w * dot(S, force)))
                                                             for S, w, s in arms]))
    table.wrong("D5", "the pair of a spring: Q of j", Q0[3:], stack(-force, -dot(R(p.Sj), force)), -Q0[:3])

    # The torsion spring.
    def T(t):
        m, r = p.m(t), p.m(t, 1)
        return law(m[5] - m[2], r[5] - r[2], t, np.sign(rates[5] - rates[2]))

    th = [p.rj[k] - p.ri[k] for k in range(3)]
    rate = K * th[1] + C * th[2]
    table.wrong("F2", "rate of a torsion spring", derivatives(T, 1)[1], rate + actuator_rate(*th, 0.0), rate + actuator(th[0], th[1], 0.0))
