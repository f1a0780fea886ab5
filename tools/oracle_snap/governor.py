"""The stiff flyball governor in its own coordinates, integrated by Radau's method of nine stages in extended precision.

By symmetry both arms have one lean a below the level; s is the height of the slider. The angular momentum J(a) w about the
shaft is constant (no torque acts on it), which leaves

    2 I a'' = J'(a) w^2 / 2 + 2 M g c cos a - 2 f dl/da,     m s'' = -m g - 2 f dl/ds,     f = k (l - l0) + d l',

with l the length of a spring from (0.05, s) to (0.05 + cos(a)/2, 1 - sin(a)/2). Independent of the oracle for general mechanisms: no
bodies, no joints, no series.
"""

import mpmath
import numpy

mpmath.mp.dps = 60
Real = numpy.longdouble
STAGES = 9


def radau(stages):
    """Nodes and coefficients of the Radau IIA method."""
    legendre = lambda n, x: mpmath.legendre(n, 2 * x - 1)
    polynomial = lambda x: legendre(stages, x) - legendre(stages - 1, x)
    grid = [mpmath.mpf(k) / 2000 for k in range(2000)]
    nodes = [mpmath.findroot(polynomial, (a, b), solver="anderson", tol=1e-60) for a, b in zip(grid, grid[1:]) if polynomial(a) * polynomial(b) < 0]
    nodes = [x for x in nodes if x < 1 - mpmath.mpf(10) ** -20] + [mpmath.mpf(1)]
    assert len(nodes) == stages
    powers = mpmath.matrix([[x ** k for k in range(stages)] for x in nodes])
    integrals = mpmath.matrix([[x ** (k + 1) / (k + 1) for k in range(stages)] for x in nodes])
    table = integrals * powers ** -1
    exact = lambda x: Real(mpmath.nstr(x, 30))
    return [exact(x) for x in nodes], numpy.array([[exact(table[i, j]) for j in range(stages)] for i in range(stages)])


def constants():
    bar, ball = Real("0.3"), Real(5)
    mass = bar + ball
    com = (bar / 2 + ball) / mass
    along = bar * 2 * Real("0.01") ** 2 / 12
    across = bar * (1 + Real("0.01") ** 2) / 12
    about_hinge = across + bar / 4 + ball
    cube = 3 * 2 * Real("0.1") ** 2 / 12
    return mass, com, along, about_hinge, along + cube


MASS, COM, ALONG, ABOUT, CORE = constants()
BESIDE, GRAVITY, SLIDER = Real("0.05"), Real(9.81), Real(3)
STIFFNESS, DAMPING, FREE = Real("8e5"), Real("4e4"), Real("0.5")
HALF = Real("0.5")


def turning_inertia(a):
    c, s = numpy.cos(a), numpy.sin(a)
    value = CORE + 2 * (MASS * BESIDE ** 2 + 2 * MASS * BESIDE * COM * c + ABOUT * c * c + ALONG * s * s)
    slope = 2 * (-2 * MASS * BESIDE * COM * s - 2 * (ABOUT - ALONG) * s * c)
    return value, slope


START = Real(mpmath.nstr(mpmath.pi / 6, 30))
MOMENTUM = turning_inertia(START)[0] * Real(mpmath.nstr(2 * mpmath.pi, 30))


def rates(y):
    """y = (a, s, a', s', turn of the shaft)."""
    a, s, va, vs, _ = y
    inertia, slope = turning_inertia(a)
    spin = MOMENTUM / inertia
    cos, sin = numpy.cos(a), numpy.sin(a)
    dx, dz = HALF * cos, 1 - HALF * sin - s
    length = numpy.sqrt(dx * dx + dz * dz)
    by_s, by_a = -dz / length, (-dx * HALF * sin - dz * HALF * cos) / length
    tension = STIFFNESS * (length - FREE) + DAMPING * (by_s * vs + by_a * va)
    return numpy.array([va, vs, (slope * spin * spin / 2 + 2 * MASS * GRAVITY * COM * cos - 2 * tension * by_a) / (2 * ABOUT),
                        -GRAVITY - 2 * tension * by_s / SLIDER, spin])


def jacobian(y):
    """In double precision, by differences: it decides how fast the iteration converges, not to what."""
    out, base = numpy.zeros((5, 5)), rates(y)
    for k in range(5):
        step = numpy.zeros(5, dtype=Real)
        step[k] = Real("1e-9")
        out[:, k] = ((rates(y + step) - base) / step[k]).astype(float)
    return out


def integrate(times, largest, first=2e-6):
    """States at the times, with steps that grow from `first` to `largest`."""
    _, table = radau(STAGES)
    y, t, h = numpy.array([START, HALF, 0, 0, 0], dtype=Real), Real(0), Real(first)
    out = []
    for time in times:
        while t < Real(time):
            left = Real(time) - t
            steps = int(numpy.ceil(float(left / h) - 1e-9))
            span = left / steps if steps <= 1 else h
            matrix = numpy.linalg.inv(numpy.eye(5 * STAGES) - float(span) * numpy.kron(table.astype(float), jacobian(y)))
            slopes = numpy.array([rates(y)] * STAGES)
            for _ in range(60):
                places = y + span * (table @ slopes)
                error = numpy.array([rates(p) for p in places]) - slopes
                move = (matrix @ error.astype(float).ravel()).reshape(STAGES, 5)
                slopes = slopes + move
                if numpy.max(numpy.abs(move) / (1 + numpy.abs(slopes.astype(float)))) < 1e-18:
                    break
            y = y + span * (table[-1] @ slopes)
            t += span
            h = min(h * Real("1.4"), Real(largest))
        t = Real(time)
        out.append(y)
    return out
