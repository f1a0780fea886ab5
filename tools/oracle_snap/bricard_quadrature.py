"""Bricard's mechanism (benchmarks.BRICARD) by quadrature.

Its hinges turn alternately by x and y with (1 + sin x)(1 + sin y) = 1. With the mass m(x) and the potential V(x) of its one motion,
energy gives the time from rest at x = 0:  t = integral of sqrt(m / (2 (V(0) - V))) dx. The motion goes to the other place where
V = V(0) and back. Independent of the oracle for general mechanisms: no equations of motion, no multipliers, no series.
"""

from mpmath import asin, cos, findroot, matrix, mp, mpf, quad, sin, sqrt

mp.dps = 26
GRAVITY = mpf(9.81)                                            # the double, as a program reads it
ALONG, ACROSS = mpf("0.02") / 12, mpf("1.01") / 12
AXES = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
BARS = [(1, 0, 0), (0, -1, 0), (0, 0, 1), (-1, 0, 0), (0, 1, 0)]


def vector(v):
    return matrix([mpf(x) for x in v])


def turn(axis, angle):
    """Rodrigues' matrix."""
    k = matrix([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return mp.eye(3) + sin(angle) * k + (1 - cos(angle)) * k * k


def cross(a, b):
    return matrix([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def shape(x):
    """Mass and potential of the motion at x, and the corners."""
    ratio = -sin(x) / (1 + sin(x))
    y, slope = asin(ratio), -cos(x) / (1 + sin(x)) ** 2 / sqrt(1 - ratio ** 2)
    axes, corner, speed, spin = mp.eye(3), vector((0, 0, 0)), vector((0, 0, 0)), vector((0, 0, 0))
    mass, potential, corners = mpf(0), mpf(0), [corner]
    for k, (axis, bar) in enumerate(zip(AXES, BARS)):
        direction = axes * vector(axis)                            # a hinge's axis is the same on both of its bars
        spin = spin + (slope if k % 2 else 1) * direction
        axes = axes * turn(vector(axis), y if k % 2 else x)
        rod = axes * vector(bar)
        middle = speed + cross(spin, rod / 2)
        along = dot(spin, rod)
        mass += dot(middle, middle) + ALONG * along ** 2 + ACROSS * (dot(spin, spin) - along ** 2)
        potential += GRAVITY * (corner[1] + rod[1] / 2)
        speed, corner = speed + cross(spin, rod), corner + rod
        corners.append(corner)
    assert abs(corner[0]) + abs(corner[1]) + abs(corner[2] - 1) < mpf(10) ** (5 - mp.dps), "the ring must be closed"
    return mass, potential, corners


REST = shape(mpf(0))[1]


def slowness(x):
    mass, potential, _ = shape(x)
    return sqrt(mass / (2 * (REST - potential)))


class Swing:
    def __init__(self):
        self.end = findroot(lambda x: shape(x)[1] - REST, (mpf(3), mpf("3.1")))
        # x = end sin(u)^2 takes the roots at both ends away; Gauss's nodes keep off the ends, where V(0) - V cancels.
        self.pace = lambda u: slowness(self.end * sin(u) ** 2) * self.end * 2 * sin(u) * cos(u)
        self.half = self.sum([0, mp.pi / 8, mp.pi / 4, 3 * mp.pi / 8, mp.pi / 2])

    def sum(self, ends):
        return quad(self.pace, ends, method="gauss-legendre")

    def at(self, time):
        """The angle x at a time."""
        phase = time % (2 * self.half)
        phase = min(phase, 2 * self.half - phase)
        u, done, reached = mp.pi / 4, mp.pi / 4, self.sum([0, mp.pi / 8, mp.pi / 4])
        for _ in range(60):
            move = (phase - reached) / self.pace(u)
            move = max(min(move, mpf("0.2")), mpf("-0.2"))
            u = max(min(u + move, mp.pi / 2 - mpf("1e-12")), mpf("1e-12"))
            reached, done = reached + self.sum([done, u]), u
            if abs(move) < mpf(10) ** (6 - mp.dps):
                break
        return self.end * sin(u) ** 2
