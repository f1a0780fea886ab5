#!/usr/bin/env python3
"""What the spatial models of the library must show, independent of the engine.

    python3 tools/spatial_oracles.py              writes models/*/expected.json of the models with space = "3d"
    python3 tools/spatial_oracles.py --check      writes nothing; fails if a file would change
    python3 tools/spatial_oracles.py NAME ...     only these models

Three routes, in 60-digit arithmetic:

  1. Every model: Kane's equations in ground axes. Rotation matrices, angular velocities and partial velocities of the
     bodies that model.toml states, no spatial vectors and no recursion for inertias. They give every result column.
  2. Every model: each body replaced by particles of the same mass, centre and inertia; their accelerations and virtual
     displacements are numerical differences of positions. The generalized forces must be those of route 1, and loops
     must stay closed to second order.
  3. Most models: a closed form, or textbook equations of this very mechanism in its own coordinates, integrated with 34
     digits by extrapolation, twice. It gives the states at later times; at each of them its accelerations must be
     those of route 1.
"""

import json
import sys
import tomllib

import sympy
from mpmath import mp, mpc, mpf

from model_oracles import MODELS
from spatial_equations import (EY, EZ, LOOP_EQUATIONS, TINY, ZERO, Solution, Spatial, add, apply, cross, dot, exact, first_order, hamilton,
                               integrated, lagrange, matrix_of, norm, quaternion, solve, sub, times, transpose)

mp.dps = 60
NOTHING = mpf(10) ** -15                   # smaller than this, relative: written as zero


# ---------------------------------------------------------------------------------------------------------------------
# Route 3. Each function returns a list of (t, {joint: (q, v, a) of its passive dofs}, {column: value}).

OWN = {}


def own(name, sentence, conserved=(), tolerance=1e-6):
    def register(function):
        OWN[name] = dict(function=function, sentence=sentence, conserved=conserved, tolerance=tolerance)
        return function
    return register


def rates(functions, t):
    """Value, first and second derivative of each function of time."""
    return tuple([mp.diff(f, t, k) if k else f(t) for f in functions] for k in range(3))


def free_state(t, orientation, turning, place):
    """State of a free joint to the ground from its quaternion, its angular velocity in body axes and its position."""
    e = orientation(t)
    R = transpose(matrix_of(e))
    w = turning(t)
    speed = [mp.diff(lambda s, k=k: place(s)[k], t) for k in range(3)]
    acc = [mp.diff(lambda s, k=k: place(s)[k], t, 2) for k in range(3)]
    u = apply(R, speed)
    a = [mp.diff(lambda s, k=k: turning(s)[k], t) for k in range(3)] + sub(apply(R, acc), cross(w, u))
    return e + place(t), w + u, a


@own("space-double-pendulum", "the textbook equations in the two absolute angles, integrated with 34 digits",
     ["energy.total"])
def double_pendulum(m):
    g, l = mpf("9.81"), m.parameters["rod"]

    def accelerations(t, q, v):
        c, s = mp.cos(q[0] - q[1]), mp.sin(q[0] - q[1])
        return solve([[2, c], [c, 1]], [-s * v[1] ** 2 - 2 * g / l * mp.sin(q[0]), s * v[0] ** 2 - g / l * mp.sin(q[1])])

    ends = [mpf(1), mpf("2.5"), mpf(5)]
    out = []
    for t, y in zip(ends, integrated(first_order(accelerations), [mpf("0.5"), mpf("0.3"), mpf(0), mpf(0)], ends, 0.1)):
        a = accelerations(t, y[:2], y[2:])
        out.append((t, {"shoulder": ([y[0]], [y[2]], [a[0]]), "elbow": ([y[1] - y[0]], [y[3] - y[2]], [a[1] - a[0]])}, {}))
    for x, known in zip(y, ("0.13717639935238368", "0.5873405072521277", "0.5721382719748993", "0.763161569966345")):
        assert abs(x - mpf(known)) < 1e-15     # a Taylor solution with 25 digits, by others
    return out


class Rods:
    """Energies of rods hinged in a row, each seen from its own axes: turning, velocity of the hinge, and the vertical."""

    def __init__(self):
        self.w, self.u, self.up = (sympy.Matrix(x) for x in ([0, 0, 0], [0, 0, 0], [0, 0, 1]))
        self.height = self.kinetic = self.potential = 0

    def shift(self, r):
        r = sympy.Matrix(r)
        self.u, self.height = self.u + self.w.cross(r), self.height + self.up.dot(r)

    def turn(self, axis, angle, rate):
        """To axes that are turned about x, y or z (0, 1, 2) of the old ones."""
        c, s, i, k = sympy.cos(angle), sympy.sin(angle), (axis + 1) % 3, (axis + 2) % 3
        for name in ("w", "u", "up"):
            old = getattr(self, name)
            new = list(old)
            new[i], new[k] = c * old[i] + s * old[k], c * old[k] - s * old[i]
            setattr(self, name, sympy.Matrix(new))
        self.w[axis] += rate

    def rod(self, length, mass, across, along, g):
        """Hangs from the hinge along -z."""
        centre = sympy.Matrix([0, 0, -length / 2])
        u, w = self.u + self.w.cross(centre), self.w
        self.kinetic += (mass * u.dot(u) + across * (w[0] ** 2 + w[1] ** 2) + along * w[2] ** 2) / 2
        self.potential += mass * g * (self.height + self.up.dot(centre))


@own("space-triple-pendulum", "Lagrange's equations in the three joint angles, by computer algebra, integrated with 34 "
     "digits", ["energy.total"])
def triple_pendulum(m):
    p = {k: exact(x) for k, x in m.parameters.items()}
    q, v, t = sympy.symbols("q:3"), sympy.symbols("v:3"), sympy.Symbol("t")
    rods, g = Rods(), exact(mpf("9.81"))
    for name, axis, x, w in zip(("thigh", "shank", "foot"), (1, 0, 1), q, v):
        rods.turn(axis, x, w)
        length, mass = p[name + "_length"], p[name + "_mass"]
        rods.rod(length, mass, p[name + "_across"], mass * p["thickness"] ** 2 / 2, g)
        rods.shift([0, 0, -length])
    accelerations = lagrange((q, v, t), rods.kinetic, rods.potential)
    ends = [mpf(1), mpf(2), mpf(3)]
    out = []
    start = [mpf("0.6"), mpf("0.8"), mpf("-0.5"), mpf(0), mpf(1), mpf(0)]
    for t, y in zip(ends, integrated(first_order(accelerations), start, ends, 0.05)):
        a = accelerations(t, y[:3], y[3:])
        out.append((t, {n: ([y[k]], [y[3 + k]], [a[k]]) for k, n in enumerate(("hip", "knee", "ankle"))}, {}))
    return out


@own("furuta-pendulum", "Lagrange's equations in the two joint angles, by computer algebra, integrated with 34 digits")
def furuta(m):
    p = {k: exact(x) for k, x in m.parameters.items()}
    q, v, t = sympy.symbols("q:2"), sympy.symbols("v:2"), sympy.Symbol("t")
    arm, rods = m.bodies["arm"], Rods()
    rods.turn(2, q[0], v[0])
    rods.shift([p["reach"], 0, 0])
    rods.turn(0, q[1], v[1])
    rods.rod(p["rod_length"], p["rod_mass"], p["across"], p["along"], exact(mpf("9.81")))
    arm_energy = exact(arm["I"][2][2] + arm["m"] * arm["c"][0] ** 2) * v[0] ** 2 / 2
    forces = [exact(mpf("0.05")) * sympy.sin(4 * t) - exact(mpf("0.001")) * v[0], -exact(mpf("0.0002")) * v[1]]
    accelerations = lagrange((q, v, t), rods.kinetic + arm_energy, rods.potential, forces)
    ends = [mpf(1), mpf(2), mpf(3)]
    out = []
    for t, y in zip(ends, integrated(first_order(accelerations), [mpf(0), mpf("2.2"), mpf(1), mpf(0)], ends, 0.05)):
        a = accelerations(t, y[:2], y[2:])
        out.append((t, {n: ([y[k]], [y[2 + k]], [a[k]]) for k, n in enumerate(("motor", "pivot"))}, {}))
    return out


@own("elastic-pendulum", "the textbook equations in angle and length, integrated with 34 digits", ["energy.total"])
def elastic_pendulum(m):
    g, mass, k, free = mpf("9.81"), m.bodies["bob"]["m"], m.parameters["stiffness"], m.parameters["free"]

    def accelerations(t, q, v):
        return [-(2 * v[1] * v[0] + g * mp.sin(q[0])) / q[1],
                q[1] * v[0] ** 2 + g * mp.cos(q[0]) - k / mass * (q[1] - free)]

    ends = [mpf(1), mpf(4)]
    out = []
    for t, y in zip(ends, integrated(first_order(accelerations), [mpf("0.3"), mpf("1.2"), mpf(0), mpf(0)], ends, 0.2)):
        a = accelerations(t, y[:2], y[2:])
        out.append((t, {n: ([y[k]], [y[2 + k]], [a[k]]) for k, n in enumerate(("pivot", "coil"))}, {}))
    for x, known in zip(y, ("0.2081882814196324", "1.1287905411125034", "0.6513795633655712", "0.7131805162655901")):
        assert abs(x - mpf(known)) < 1e-15     # a Taylor solution with 25 digits, by others
    return out


def hanging(m):
    """The elastic pendulum at rest, and its natural frequencies."""
    g, mass, k, free = mpf("9.81"), m.bodies["bob"]["m"], m.parameters["stiffness"], m.parameters["free"]
    length = free + mass * g / k
    checks = [("pivot.q1", 0, 1), ("coil.q1", length, 1), ("bob.x", 0, 1), ("bob.z", -length, 1),
              ("coil.tau1", -mass * g, 1), ("pivot.fz", mass * g, 1), ("energy.potential",
               -mass * g * length + (mass * g) ** 2 / (2 * k), 1)]
    return checks, sorted([mp.sqrt(g / length) / (2 * mp.pi), mp.sqrt(k / mass) / (2 * mp.pi)])


@own("thrown-top", "closed form: a parabola, and the regular precession of a symmetric body",
     ["energy.total", "momentum.px", "momentum.py"])
def thrown_top(m):
    A, C, up = m.parameters["across"], m.parameters["along"], m.parameters["throw"]
    wx, wz, g = mpf("0.5"), mpf(2), mpf("9.81")
    Omega = (C - A) / A * wz
    L = [A * wx, mpf(0), C * wz]
    turning = lambda t: [wx * mp.cos(Omega * t), wx * mp.sin(Omega * t), wz]
    orientation = lambda t: hamilton(quaternion(times(1 / norm(L), L), norm(L) * t / A), quaternion(EZ, -Omega * t))
    place = lambda t: [mpf(0), mpf(0), up * t - g * t * t / 2]
    out = []
    for t in (mpf(2), mpf(5)):
        facts = {"momentum.lx": L[0], "momentum.lz": L[2]}
        out.append((t, {"flight": free_state(t, orientation, turning, place)}, facts))
    known = ("0.17331765891751374", "0.4689999883873691", "2")
    assert all(abs(x - mpf(y)) < 1e-15 for x, y in zip(turning(mpf(5)), known))
    return out


@own("asymmetric-top", "Jacobi's elliptic functions for the angular velocity; the orientation is integrated with 34 digits "
     "from them", ["energy.total", "momentum.lx", "momentum.ly", "momentum.lz"])
def asymmetric_top(m):
    I = [m.bodies["top"]["I"][k][k] for k in range(3)]
    w0 = [mpf("0.4"), mpf(0), mpf("1.5")]
    T2, L2 = sum(i * w * w for i, w in zip(I, w0)), sum((i * w) ** 2 for i, w in zip(I, w0))
    rate = mp.sqrt((I[2] - I[1]) * (L2 - T2 * I[0]) / (I[0] * I[1] * I[2]))
    k2 = (I[1] - I[0]) * (T2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - T2 * I[0]))
    middle = mp.sqrt((T2 * I[2] - L2) / (I[1] * (I[2] - I[1])))

    def turning(t):
        return [w0[0] * mp.ellipfun("cn", rate * t, m=k2), middle * mp.ellipfun("sn", rate * t, m=k2),
                w0[2] * mp.ellipfun("dn", rate * t, m=k2)]

    known = ("-0.3481239283848714", "0.26430572236444816", "1.4870071518032844")
    assert all(abs(x - mpf(y)) < 1e-15 for x, y in zip(turning(mpf(4)), known))
    cache = {}

    def f(t, e):
        if t not in cache:
            cache[t] = turning(t)
        return times(mpf("0.5"), hamilton(e, [mpf(0)] + cache[t]))

    ends = [mpf(4), mpf(10)]
    out = []
    for t, e in zip(ends, integrated(f, [mpf(1), mpf(0), mpf(0), mpf(0)], ends, 0.5)):
        w = turning(t)
        a = [mp.diff(lambda s, k=k: turning(s)[k], t) for k in range(3)]
        out.append((t, {"pivot": (e, w, a)}, {f"momentum.l{c}": I[k] * w0[k] for k, c in enumerate("xyz")}))
    return out


@own("heavy-top", "closed form: steady precession, a root of a quadratic", ["energy.total", "momentum.lz", "com.z"])
def heavy_top(m):
    p = m.parameters
    lean, turn = p["lean"], p["precession"]
    about_stem = p["spin"] - turn * mp.cos(lean)
    leaning = quaternion(EY, lean)
    orientation = lambda t: hamilton(quaternion(EZ, turn * t), hamilton(leaning, quaternion(EZ, about_stem * t)))

    def turning(t):
        side = -turn * mp.sin(lean)
        return [side * mp.cos(about_stem * t), -side * mp.sin(about_stem * t), p["spin"]]

    out = []
    for t in (mpf(1), mpf(2)):
        a = [mp.diff(lambda s, k=k: turning(s)[k], t) for k in range(3)]
        inward = p["disc_mass"] * p["stem"] * mp.sin(lean) * turn ** 2
        facts = {"com.x": p["stem"] * mp.sin(lean) * mp.cos(turn * t), "com.y": p["stem"] * mp.sin(lean) * mp.sin(turn * t),
                 "foot.fz": p["disc_mass"] * mpf("9.81"), "foot.fx": -inward * mp.cos(turn * t)}
        out.append((t, {"foot": (orientation(t), turning(t), a)}, facts))
    return out


class Shape:
    """A planar chain whose hinges follow given angles, free of outside forces but for the weight: centre of mass of body b
    at z + sum_j arm[b][j] exp(i theta_j), theta_j = theta + bend_j(t). Without momentum the centre of mass rests (or
    falls), and theta' follows from the moment of momentum alone. A bend is a function that returns three derivatives."""

    def __init__(self, masses, inertias, arms, bends):
        self.bends = bends
        n, M = len(masses), sum(masses)
        first = [sum(m * arm[j] for m, arm in zip(masses, arms)) for j in range(n)]
        self.mean = [x / M for x in first]
        self.A = [[sum(m * arm[j] * arm[k] for m, arm in zip(masses, arms)) - first[j] * first[k] / M
                   + (inertias[j] if j == k else 0) for k in range(n)] for j in range(n)]

    def rate(self, t):
        b, d, _ = zip(*[f(t) for f in self.bends])
        n = range(len(b))
        C = [[self.A[j][k] * mp.cos(b[j] - b[k]) for k in n] for j in n]
        return -sum(C[j][k] * d[k] for j in n for k in n) / sum(C[j][k] for j in n for k in n)

    def base(self, t, angle):
        """z from the centre of mass, its velocity and acceleration; angle: theta, theta', theta''."""
        out = [mpc(0)] * 3
        for c, f in zip(self.mean, self.bends):
            th, w, al = add(angle, f(t))
            u = -c * mp.expj(th)
            out = [out[0] + u, out[1] + u * mpc(0, w), out[2] + u * mpc(-w * w, al)]
        return out


def swimming(shape, joint, theta, up, g, t, offset=mpf(0)):
    """State of the free base: its angle is theta(t); the plane is x and `up`; offset: of the body's origin from z."""
    axis = [mpf(0), mpf(-1), mpf(0)] if up == 2 else EZ
    th, w, al = theta(t), shape.rate(t), mp.diff(shape.rate, t)
    turn = mp.expj(th)
    z = add(shape.base(t, [th, w, al]), [offset * turn, offset * turn * mpc(0, w), offset * turn * mpc(-w * w, al)])
    z = sub(z, [mpc(0, g * t * t / 2), mpc(0, g * t), mpc(0, g)])
    z[0] -= shape.base(mpf(0), [mpf(0)] * 3)[0] + offset
    vectors = []
    for x in z:
        p = [x.real, mpf(0), mpf(0)]
        p[up] = x.imag
        vectors.append(p)
    e = quaternion(axis, th)
    R = transpose(matrix_of(e))
    u = apply(R, vectors[1])
    return {joint: (e + vectors[0], times(w, axis) + u,
                    times(al, axis) + sub(apply(R, vectors[2]), cross(times(w, axis), u)))}


def gathered(rate):
    """The integral of a rate from zero. Near a time where it was computed, only the difference is integrated."""
    known = {mpf(0): mpf(0)}

    def value(t):
        near = min(known, key=lambda s: abs(s - t))
        gap = t - near
        if abs(gap) > mpf(10) ** -3:
            parts = int(mp.ceil(abs(gap) * 4)) + 1
            known[t] = known[near] + mp.quad(rate, mp.linspace(near, t, parts))
            return known[t]
        return known[near] + (mp.quad(rate, [near, t]) if gap else 0)
    return value


@own("two-link-cat", "closed form: the angle of a free pair of hinged bodies without momentum",
     ["momentum.px", "momentum.py"])
def two_link_cat(m):
    (m1, I1), (m2, I2) = ((m.bodies[b]["m"], m.bodies[b]["I"][1][1]) for b in ("front", "hind"))
    d1, d2, turn = (m.parameters[k] for k in ("front_arm", "hind_arm", "turn_rate"))
    mu = m1 * m2 / (m1 + m2)
    J1, J2, beta = I1 + mu * d1 ** 2, I2 + mu * d2 ** 2, mu * d1 * d2
    root = mp.sqrt((J1 + J2) ** 2 - 4 * beta ** 2)

    def theta(t):
        phi = turn * t
        turns = mp.nint(phi / (2 * mp.pi))
        half = mp.atan(mp.sqrt((J1 + J2 - 2 * beta) / (J1 + J2 + 2 * beta)) * mp.tan(phi / 2)) + turns * mp.pi
        return -phi / 2 - (J2 - J1) / root * half

    assert abs(theta(2 / mp.pi) + mpf("0.7139170357775828")) < 1e-15
    assert abs(theta(mpf(2)) + mpf("2.0691017394185636")) < 1e-15
    shape = Shape([m1, m2], [I1, I2], [[0, 0], [d1, d2]], [lambda t: [mpf(0)] * 3, lambda t: [turn * t, turn, mpf(0)]])
    out = []
    for t in (mpf("0.5"), mpf("1.5"), mpf(2)):
        assert abs(mp.diff(theta, t) - shape.rate(t)) < TINY
        out.append((t, swimming(shape, "fall", theta, 2, mpf("9.81"), t), {"momentum.pz": -(m1 + m2) * mpf("9.81") * t}))
    return out


@own("three-link-cat", "the line integral of the angle along the loop of shapes", ["momentum.px", "momentum.py"])
def three_link_cat(m):
    mass, I, l = (m.parameters[k] for k in ("rod_mass", "across", "rod_length"))
    first = lambda t: [-(1 + mp.cos(t) / 2), mp.sin(t) / 2, mp.cos(t) / 2]
    second = lambda t: [1 + mp.sin(t) / 2, mp.cos(t) / 2, -mp.sin(t) / 2]
    shape = Shape([mass] * 3, [I] * 3, [[0, 0, 0], [-l / 2, -l / 2, 0], [l / 2, 0, l / 2]],
                  [lambda t: [mpf(0)] * 3, first, second])
    theta = gathered(shape.rate)
    assert abs(theta(2 * mp.pi) + mpf("0.05647939092030408")) < 1e-15
    out = []
    for t in (mp.pi / 2, +mp.pi, 2 * mp.pi):
        out.append((t, swimming(shape, "fall", theta, 2, mpf("9.81"), t), {}))
    return out


@own("six-link-swimmer", "the integral of the angle of a chain without momentum; the period brings it back",
     ["momentum.px", "momentum.py", "momentum.lz", "com.x", "com.y"])
def six_link_swimmer(m):
    p = m.parameters
    def hinge(i, t):
        angle = p["rate"] * t - i * p["lag"]
        return times(p["swing"], [mp.cos(angle), -p["rate"] * mp.sin(angle), -p["rate"] ** 2 * mp.cos(angle)])

    n, half, reach = 6, p["chord"] / 2 + p["gap"], p["chord"] + 2 * p["gap"]
    # z is the point a gap before the first plate, where a hinge would be
    arms = [[reach if j < b else half if j == b else mpf(0) for j in range(n)] for b in range(n)]
    bends = [(lambda t, b=b: add([mpf(0)] * 3, *[hinge(i, t) for i in range(1, b + 1)])) for b in range(n)]
    shape = Shape([p["plate_mass"]] * n, [p["yaw"]] * n, arms, bends)
    theta = gathered(shape.rate)
    assert abs(theta(mpf(1))) < mpf(10) ** -30     # the gait of the second half undoes that of the first
    known = ("-0.0029701483183", "-0.0096249839664", "-0.0125000696027", "-0.0087907217706", "-0.0026073727467")
    again = {"water.q1": 1, "water.q4": 0, "water.q5": 0, "water.q6": 0, "water.v3": mpf("-4.4448159999925405"),
             "water.v4": mpf("-0.5831663035597974"), "water.v5": mpf("1.6121317429549664")}     # rates: found by others
    again |= {f"hinge{i + 1}.tau1": mpf(x) for i, x in enumerate(known)}
    out = []
    for t in (mpf("0.25"), mpf("0.6"), mpf(4)):
        facts = again if t == 4 else {}
        out.append((t, swimming(shape, "water", lambda s: theta(s - mp.floor(s)), 1, mpf(0), t, p["gap"]), facts))
    return out


@own("cart-swinger", "closed form: the centre of mass stays where it is", ["momentum.px", "com.x"])
def cart_swinger(m):
    l, M, w, g = m.parameters["rod"], m.bodies["cart"]["m"], m.bodies["weight"]["m"], mpf("9.81")
    theta = lambda t: mpf("0.8") * mp.sin(2 * t)
    x = lambda t: -w * l * mp.sin(theta(t)) / (M + w)
    z = lambda t: -l * mp.cos(theta(t))
    out = []
    for t in (mpf(1), mpf(3)):
        torque = w * l * (l * mp.diff(theta, t, 2) + mp.cos(theta(t)) * mp.diff(x, t, 2) + g * mp.sin(theta(t)))
        facts = {"hinge.tau1": torque, "rail.fz": (M + w) * g + w * mp.diff(z, t, 2)}
        out.append((t, {"rail": rates([x], t)}, facts))
    known = {"hinge.tau1": "-0.6707962315621707", "rail.fz": "25.366282989004365"}
    assert abs(x(mpf(3)) - mpf("0.03546808210240046")) < 1e-15
    assert all(abs(facts[k] - mpf(y)) < 1e-14 for k, y in known.items())
    return out


@own("rail-snake", "closed form: along the rail, the centre of mass stays where it is", ["momentum.px", "com.x"])
def rail_snake(m):
    p, M, n = m.parameters, m.bodies["carriage"]["m"], 5
    hinge = lambda t, i: p["swing"] * mp.sin(p["rate"] * t - i * p["lag"])

    def forward(t):
        out, tip, angle = mpf(0), mpf(0), mpf(0)
        for i in range(n):
            angle += hinge(t, i)
            out += p["link_mass"] * (tip + p["link_length"] / 2 * mp.cos(angle))
            tip += p["link_length"] * mp.cos(angle)
        return out

    x = lambda t: -(forward(t) - forward(mpf(0))) / (M + n * p["link_mass"])
    return [(t, {"rail": rates([x], t)}, {"rail.fz": (M + n * p["link_mass"]) * mpf("9.81")}) for t in (mpf("0.7"), mpf(2))]


@own("elastic-tail", "Lagrange's equations in absolute angles with the centre of mass at rest, integrated with 34 digits",
     ["momentum.px", "momentum.py", "momentum.lz", "com.x", "com.y"])
def elastic_tail(m):
    p = m.parameters
    masses = [p["trunk_mass"], p["head_mass"]] + [p["tail_mass"]] * 3
    inertias = [p["trunk_inertia"], p["head_inertia"]] + [p["tail_inertia"]] * 3
    a, h, l = p["trunk_length"] / 2, p["head_length"] / 2, p["tail_length"]
    arms = [[0] * 5, [a, h, 0, 0, 0]] + [[-a, 0] + [-l if k < i else -l / 2 if k == i else 0 for k in range(3)]
                                         for i in range(3)]
    neck = lambda t: mpf("0.6") * mp.sin(6 * t)
    neck1, neck2 = (lambda t: mpf("3.6") * mp.cos(6 * t)), (lambda t: -mpf("21.6") * mp.sin(6 * t))
    shape = Shape(masses, inertias, arms, [])
    B, k, c = shape.A, p["stiffness"], p["damping"]

    def full(y, t):
        return [y[0], y[0] + neck(t), y[1], y[2], y[3]]

    def matrix(th):
        """For the trunk and the tail; the head turns with the trunk, apart from the neck's motion."""
        C = [[B[i][j] * mp.cos(th[i] - th[j]) for j in range(5)] for i in range(5)]
        rows = [add(C[0], C[1])] + C[2:]
        return [[r[0] + r[1]] + r[2:] for r in rows], [r[1] for r in rows]

    def accelerations(t, q, v):
        th, w = full(q, t), [v[0], v[0] + neck1(t), v[1], v[2], v[3]]
        S = [-sum(B[i][j] * mp.sin(th[i] - th[j]) * w[j] ** 2 for j in range(5)) for i in range(5)]
        hinge = [-k * (q[i + 1] - q[i]) - c * (v[i + 1] - v[i]) for i in range(3)] + [0]
        torque = [-hinge[0]] + [hinge[i] - hinge[i + 1] for i in range(3)]
        M, neck_column = matrix(th)
        free = [S[0] + S[1]] + S[2:]
        return solve(M, [f + u - n * neck2(t) for f, u, n in zip(free, torque, neck_column)])

    M, neck_column = matrix([mpf(0)] * 5)
    start = [mpf(0)] * 4 + solve(M, [-n * neck1(mpf(0)) for n in neck_column])
    ends = [mpf("0.5"), mpf(1), mpf(2)]
    out = []
    for t, y in [(mpf(0), start), *zip(ends, integrated(first_order(accelerations), start, ends, 0.1))]:
        acc = accelerations(t, y[:4], y[4:])
        th, w = full(y, t), [y[4], y[4] + neck1(t)] + y[5:8]
        al = [acc[0], acc[0] + neck2(t)] + acc[1:]
        unit = [mp.expj(x) for x in th]
        z = sum(shape.mean) - sum(x * u for x, u in zip(shape.mean, unit))
        dz = -sum(x * u * mpc(0, r) for x, u, r in zip(shape.mean, unit, w))
        ddz = -sum(x * u * mpc(-r * r, s) for x, u, r, s in zip(shape.mean, unit, w, al))
        state = {"plane": ([y[0], z.real, z.imag], [y[4], dz.real, dz.imag], [acc[0], ddz.real, ddz.imag])}
        for i in range(3):
            state[f"spring{i + 1}"] = ([y[i + 1] - y[i]], [y[i + 5] - y[i + 4]], [acc[i + 1] - acc[i]])
        out.append((t, state, {}))
    return out


@own("screw-nut", "closed form: a constant acceleration", ["energy.total"])
def screw_nut(m):
    mass, h, I, g = mpf("1.7"), mpf("0.12"), mpf("0.03"), mpf("9.81")
    a = -mass * g * h / (I + mass * h * h)
    assert abs(a + mpf("36.73348017621145")) < 1e-13
    return [(t, {"thread": ([a * t * t / 2], [a * t], [a])},
             {"nut.z": h * a * t * t / 2, "thread.fz": mass * (g + h * a), "thread.mz": I * a}) for t in (mpf(0), mpf(1))]


@own("damped-torsion", "closed form: a damped oscillation")
def damped_torsion(m):
    I, K, R = mpf("0.2"), mpf(3), mpf("0.15")
    delta = R / (2 * I)
    omega = mp.sqrt(K / I - delta ** 2)
    q = lambda t: mp.exp(-delta * t) * (mp.cos(omega * t) + delta / omega * mp.sin(omega * t)) / 2
    assert abs(q(mpf(3)) - mpf("0.0741250247693235")) < 1e-15
    return [(t, {"bar": rates([q], t)}, {"bar.tau1": I * mp.diff(q, t, 2)}) for t in (mpf(1), mpf(3))]


def driven_loop(angles, t):
    return {joint: rates(fs, t) for joint, fs in angles.items()}


@own("hooke-joint", "closed form: the angles of a universal joint; the torque of the input from the power")
def hooke_joint(m):
    beta, speed, load = (m.parameters[k] for k in ("bend", "speed", "load"))
    along = [m.bodies[b]["I"][2][2] for b in ("input", "output")]
    angle = lambda t: speed * t
    first = lambda t: mp.atan(mp.tan(beta) * mp.sin(angle(t)))
    second = lambda t: mp.asin(mp.sin(beta) * mp.cos(angle(t)))
    out_speed = lambda t: speed * mp.cos(beta) / (1 - mp.sin(beta) ** 2 * mp.cos(angle(t)) ** 2)
    assert abs(out_speed(mpf(0)) / speed - mpf("1.139493927324549")) < 1e-15
    assert abs(out_speed(mpf("0.55")) / speed - mpf("0.9211446646717584")) < 1e-15
    out = []
    for t in (mpf(0), mpf("0.55"), mpf(2), mpf(5)):
        w, a = out_speed(t), mp.diff(out_speed, t)
        facts = {"output.wx": w * mp.sin(beta), "output.wz": w * mp.cos(beta),
                 "output.alx": a * mp.sin(beta), "output.alz": a * mp.cos(beta),
                 "shaft.tau1": (load + along[1] * a) * w / speed,
                 "energy.kinetic": (along[0] * speed ** 2 + along[1] * w ** 2) / 2}
        out.append((t, driven_loop({"cross": [first, second]}, t), facts))
    return out


@own("bricard-loop", "closed form: cos a + cos b + cos a cos b = 0 between two neighbouring hinges; the torque of the "
     "first hinge from the power")
def bricard(m):
    drive = lambda t: mp.pi / 2 - mp.pi / 6 * (1 - mp.cos(2 * t))
    other = lambda t: mp.acos(-mp.cos(drive(t)) / (1 + mp.cos(drive(t))))
    angles = {f"hinge{i}": [other if i % 2 == 0 else drive] for i in range(2, 6)}

    def state(t):
        return {"hinge1": [drive(t)]} | {n: [f[0](t)] for n, f in angles.items()}

    def energy(t):
        h = mpf(10) ** -20
        now, ahead, back = (m.positions(state(t + s))[0] for s in (0, h, -h))
        total = mpf(0)
        for (mass, x), (_, a), (_, b) in zip(now, ahead, back):
            rate = times(1 / (2 * h), sub(a, b))
            total += mass * (dot(rate, rate) / 2 - dot(m.gravity, x))
        return total

    out = []
    for t in (mpf(0), mpf("0.5"), mpf(1), mpf(2)):
        facts = {}
        if t:
            h = mpf(10) ** -10
            facts["hinge1.tau1"] = (energy(t + h) - energy(t - h)) / (2 * h) / mp.diff(drive, t)
        out.append((t, driven_loop(angles, t), facts))
    return out


def without_spin(line, t):
    """Rotation since t = 0, angular velocity and acceleration, ground axes, of a link along the unit vector line(t) that does not turn about itself: the
    shortest turn from line(0) to line(t), and what it lacks to have no spin, the integral of u0 . (u x u') / (1 + u0 . u)."""
    h = mpf(10) ** -18                     # differences are right to its square
    ends = lambda s: (line(s + h), line(s - h))
    at = lambda s: (line(s), times(1 / (2 * h), sub(*ends(s))))
    u0, (u, du) = line(mpf(0)), at(t)
    ddu = times(1 / h ** 2, sub(add(*ends(t)), times(2, u)))

    def slip(s):
        u, du = at(s)
        return dot(u0, cross(u, du)) / (1 + dot(u0, u))

    turned_by = mp.quad(slip, mp.linspace(0, t, 5)) if t else mpf(0)
    axis = cross(u0, u)
    shortest = [1 + dot(u0, u), *axis]
    shortest = times(1 / mp.sqrt(sum(x * x for x in shortest)), shortest)
    return hamilton(quaternion(u, turned_by), shortest), cross(u, du), cross(u, ddu)


def ball_state(parent, parent_spin, parent_acceleration, start, t_state):
    """q, v, a of a ball whose frame on the parent is that of the link at t = 0, `start`, turned by the rotation `parent` since then."""
    turn, w, al = t_state
    link = hamilton(turn, start)
    here = hamilton(parent, start)
    relative = hamilton([here[0], -here[1], -here[2], -here[3]], link)
    back = transpose(matrix_of(link))
    return (relative, apply(back, sub(w, parent_spin)), apply(back, add(sub(al, parent_acceleration), cross(w, parent_spin))))


def upright_to(u):
    """The quaternion of rpy = [0, lean, heading] that brings z to u."""
    lean, heading = mp.atan2(mp.sqrt(u[0] ** 2 + u[1] ** 2), u[2]), mp.atan2(u[1], u[0])
    return hamilton(quaternion(EZ, heading), quaternion(EY, lean))


@own("rssr", "closed form: the cosine of the rocker's angle from the distance of the balls; the rod does not turn about itself, which is an integral; the torque of the crank "
     "from the power")
def rssr(m):
    a, b, c, px, py = (m.parameters[k] for k in ("crank", "rocker", "rod", "px", "py"))
    crank = lambda t: mp.pi * (1 - mp.cos(2 * t))
    rocker = lambda t: mp.acos((c ** 2 - a ** 2 - b ** 2 - px ** 2 - py ** 2 + 2 * a * (px * mp.cos(crank(t)) + py * mp.sin(crank(t)))) /
                               (2 * b * (py - a * mp.sin(crank(t)))))

    def line(t):
        th, ph = crank(t), rocker(t)
        return times(1 / c, [px - a * mp.cos(th), py + b * mp.cos(ph) - a * mp.sin(th), b * mp.sin(ph)])

    assert norm(sub(line(mpf(0)), [mpf(1) / 3, mpf(2) / 3, mpf(2) / 3])) < ZERO
    start = upright_to(line(mpf(0)))

    def state(t):
        th = rates([crank], t)
        spin, acceleration = times(th[1][0], EZ), times(th[2][0], EZ)
        return {"pivot": rates([rocker], t),
                "near-ball": ball_state(quaternion(EZ, th[0][0]), spin, acceleration, start, without_spin(line, t))}

    def energy(t):
        h = mpf(10) ** -20
        total = mpf(0)
        now, ahead, back = (m.positions({"shaft": [crank(t + s)]} | {n: x[0] for n, x in state(t + s).items()})[0] for s in (0, h, -h))
        for (mass, x), (_, p), (_, q) in zip(now, ahead, back):
            rate = times(1 / (2 * h), sub(p, q))
            total += mass * (dot(rate, rate) / 2 - dot(m.gravity, x))
        return total

    out = []
    for t in (mpf(0), mpf("0.5"), mpf(1), mpf(2)):
        facts = {}
        if t == 1:
            h = mpf(10) ** -10
            facts["shaft.tau1"] = (energy(t + h) - energy(t - h)) / (2 * h) / mp.diff(crank, t)
        out.append((t, state(t), facts))
    return out


@own("rssp", "closed form: the slider from the distance of the balls, a square root; the torque of the crank from the power")
def rssp(m):
    a, c, load = (m.parameters[k] for k in ("crank", "rod", "load"))
    crank = lambda t: mp.pi * (1 - mp.cos(2 * t))
    rail, along = [mpf("0.16"), mpf("0.10"), mpf("0.08")], [mpf("0.6"), mpf(0), mpf("0.8")]

    def slide(t):
        w = sub(rail, [a * mp.cos(crank(t)), a * mp.sin(crank(t)), mpf(0)])
        return -dot(w, along) + mp.sqrt(dot(w, along) ** 2 - dot(w, w) + c ** 2)

    assert abs(slide(mpf(0)) - mpf("0.15")) < ZERO
    I, M, arm = (m.bodies["crank-arm"]["I"][2][2] + m.bodies["crank-arm"]["m"] * (a / 2) ** 2, m.bodies["slider"]["m"], m.bodies["crank-arm"]["m"])
    out = []
    for t in (mpf(0), mpf("0.5"), mpf(1), mpf(2)):
        facts = {}
        if t:
            (_,), (w,), (al,) = rates([crank], t)
            (_,), (u,), (acc,) = rates([slide], t)
            facts["shaft.tau1"] = I * al + (M * acc + M * mpf("9.81") * along[2] + load) * u / w
            assert arm > 0                 # it turns in a level plane: no weight
        out.append((t, driven_loop({"rail": [slide]}, t), facts))
    return out


def plate_of(m, t):
    """Orientation and place of the platform's plate."""
    deg, one = mp.pi / 180, 1 - mp.cos(2 * t)
    two = 1 - mp.cos(3 * t)
    turn = hamilton(quaternion(EZ, 8 * deg * one), hamilton(quaternion(EY, 5 * deg * two), quaternion([mpf(1), mpf(0), mpf(0)], 6 * deg * one)))
    return turn, [one / 20, two / 25, m.parameters["height"] + one / 25]


def leg_of(m, k, t):
    """From the ball below to that above."""
    foot = m.vector(m.joints[f"foot{k}"]["origin"]["xyz"])
    turn, place = plate_of(m, t)
    return sub(add(place, apply(matrix_of(turn), m.points[f"plate.T{k}"][1][1])), foot)


CARRIED = {"stewart": lambda m: {f"leg{k}": (lambda t, k=k: norm(leg_of(m, k, t))) for k in range(1, 7)}}


@own("stewart", "closed form: the legs from one ball to the other; they do not turn about themselves, which is an integral; the work of their forces is that of weight and "
     "inertia")
def stewart(m):
    def turning(t):
        e = plate_of(m, t)[0]
        rate = [mp.diff(lambda s, k=k: plate_of(m, s)[0][k], t) for k in range(4)]
        return times(2, hamilton([e[0], -e[1], -e[2], -e[3]], rate)[1:])

    def state(t):
        out = {"flight": free_state(t, lambda s: plate_of(m, s)[0], turning, lambda s: plate_of(m, s)[1])}
        for k in range(1, 7):
            line = lambda s, k=k: times(1 / norm(leg_of(m, k, s)), leg_of(m, k, s))
            still = [mpf(0)] * 3
            out[f"foot{k}"] = ball_state([mpf(1), mpf(0), mpf(0), mpf(0)], still, still, upright_to(line(mpf(0))), without_spin(line, t))
        return out

    return [(t, state(t), {}) for t in (mpf(0), mpf("0.5"), mpf(1), mpf(2))]


@own("space-four-bar", "the planar equations of the three bars with two multipliers, integrated in the crank's angle with "
     "34 digits", ["energy.total"], tolerance=2e-5)
def four_bar(m):
    d, a, b, c = (m.parameters[k + "_length"] for k in ("base", "crank", "coupler", "rocker"))
    g = mpf("9.81")

    def pose(alpha):
        A = a * mp.expj(alpha)
        way = d - A
        beta = mp.arg(way) + mp.acos((abs(way) ** 2 + b * b - c * c) / (2 * abs(way) * b))
        return beta, mp.arg(A + b * mp.expj(beta) - d)

    def speeds(alpha, beta, gamma, w):
        turn = a * w / mp.sin(gamma - beta)
        return turn * mp.sin(alpha - gamma) / b, turn * mp.sin(alpha - beta) / c

    def everything(alpha, w):
        beta, gamma = pose(alpha)
        wb, wc = speeds(alpha, beta, gamma, w)
        cs, sn = (lambda x: mp.cos(x)), (lambda x: mp.sin(x))
        link = b * a * b / 2               # mass of the coupler = b
        M = [[a ** 3 / 3 + b * a * a, link * cs(alpha - beta), 0], [link * cs(alpha - beta), b ** 3 / 3, 0],
             [0, 0, c ** 3 / 3]]
        K = [[-a * sn(alpha), -b * sn(beta), c * sn(gamma)], [a * cs(alpha), b * cs(beta), -c * cs(gamma)]]
        bias = [-a * cs(alpha) * w ** 2 - b * cs(beta) * wb ** 2 + c * cs(gamma) * wc ** 2,
                -a * sn(alpha) * w ** 2 - b * sn(beta) * wb ** 2 + c * sn(gamma) * wc ** 2]
        Q = [-link * sn(alpha - beta) * wb ** 2 - g * cs(alpha) * (a * a / 2 + b * a),
             link * sn(alpha - beta) * w ** 2 - g * cs(beta) * b * b / 2, -g * cs(gamma) * c * c / 2]
        A = [M[i] + [-K[0][i], -K[1][i]] for i in range(3)] + [K[r] + [0, 0] for r in range(2)]
        x = solve(A, Q + [-y for y in bias])
        return (beta, gamma), (wb, wc), x

    def f(t, y):
        return [y[1], everything(*y)[2][0]]

    ends = [mpf(1), mpf(2), mpf(3)]
    start = [mp.pi / 3, mpf(2)]
    out = []
    for t, y in [(mpf(0), start), *zip(ends, integrated(f, start, ends, 0.04))]:
        (beta, gamma), (wb, wc), x = everything(*y)
        out.append((t, {"O": ([y[0]], [y[1]], [x[0]]), "A": ([beta - y[0]], [wb - y[1]], [x[1] - x[0]]),
                        "Q": ([gamma], [wc], [x[2]])}, {"closure.fx": -x[3], "closure.fz": -x[4]}))
    assert abs(y[0] - mpf("7.65607605")) < 1e-8 and abs(y[1] - mpf("0.084893734")) < 1e-8     # a solution by others
    return out


@own("space-parallelogram", "closed form: a pendulum, Jacobi's elliptic functions", ["energy.total"])
def parallelogram(m):
    L, crank, plank, lean = (m.parameters[k] for k in ("crank_length", "crank_mass", "plank_mass", "lean"))
    w0 = mp.sqrt((crank + plank) * L * mpf("9.81") / (2 * crank * L ** 2 / 3 + plank * L ** 2))
    k = mp.sin(lean / 2)
    quarter = mp.ellipk(k ** 2)
    theta = lambda t: 2 * mp.asin(k * mp.ellipfun("sn", quarter + w0 * t, m=k ** 2))
    assert abs(4 * quarter / w0 - mpf("1.5612604754810118")) < 1e-15
    assert abs(w0 ** 2 * mp.sin(lean) - mpf("14.070095885182107")) < 1e-14
    out = []
    for t in (mpf(0), mpf("0.5"), mpf(3)):
        q, v, a = rates([theta], t)
        back = tuple([-x[0]] for x in (q, v, a))
        out.append((t, {"O": (q, v, a), "A": back, "Q": (q, v, a)}, {"plank.wy": 0}))
    return out


# ---------------------------------------------------------------------------------------------------------------------
# All models

SENTENCE = {"seven-joint-arm": "Kane's equations in ground axes"}
INVERSE_AT = (mpf(0), mpf(1), mpf("2.5"))


def rounded(x):
    return float(mp.nstr(x, 4))


def scales(solutions):
    """By unit: the largest magnitude in these states."""
    out = {}
    for s in solutions:
        for column, x in s.values.items():
            out[s.groups[column]] = max(out.get(s.groups[column], mpf(0)), abs(x))
    return {g: x if x > ZERO else mpf(1) for g, x in out.items()} | {"one": mpf(1)}


def records(solution, scale, wanted, t=None, **more):
    out = []
    for column, x in solution.values.items():
        s = scale[solution.groups[column]]
        there = abs(x) > NOTHING * s
        if wanted(column, there):
            value = float(x) if there else 0.0
            time = {"t": t} if t is not None else {}
            out.append({"column": column} | time | {"value": value, "scale": rounded(s)} | more)
    return out


def wanted_at_start(m):
    def wanted(column, there):
        element, part = column.rsplit(".", 1)
        if element in m.bodies:
            return there and part[0] == "a"
        if element in m.joints and part[0] == "a":
            return True
        return there and part[0] != "q"
    return wanted


def wanted_at_end(m):
    passive = {m.dofs[k][0] for k in m.passive}
    last = list(m.bodies)[-1]

    def wanted(column, there):
        element, part = column.rsplit(".", 1)
        if element in m.bodies:
            return there and element == last and part in ("x", "y", "z", "wx", "wy", "wz")
        if element in passive:
            return part[0] in "qv" or there and part[0] in "fm"
        if element in m.joints:
            return there and part.startswith("tau")
        return there
    return wanted


def wanted_inverse(m):
    last = list(m.bodies)[-1]

    def wanted(column, there):
        element, _ = column.rsplit(".", 1)
        return (element in m.joints or element == last) and there
    return wanted


def examine(name):
    mp.dps = 60
    m = Spatial(MODELS / name / "model.toml")
    if name in CARRIED:
        m.carry(CARRIED[name](m))
    q, v = m.start()
    start = Solution(m, mpf(0), q, v).confirm()
    entry = OWN.get(name)
    sentence = entry["sentence"] if entry else SENTENCE[name]
    expected = {"source": f"{sentence[0].upper()}{sentence[1:]}: tools/spatial_oracles.py.", "space": "3d",
                "mobility": {"counted": len(m.dofs) - sum(LOOP_EQUATIONS[l["type"]] for l in m.loops.values()), "rank": len(m.dofs) - start.rank,
                             "dofs": len(m.dofs), "prescribed": len(m.active)},
                "checks": []}
    run = m.data["run"]
    analysis, to, steps = run["analysis"], m.value(run["to"]), int(run["steps"])
    if not m.passive:
        states = [start] + [Solution(m, t, *m.follow(t, q, v)).confirm() for t in INVERSE_AT[1:]]
        scale = scales(states)
        expected["inverse"] = [r for s in states for r in records(s, scale, wanted_inverse(m), t=float(s.t))]
        compare_card(name, expected)
        return expected
    later = []
    for t, state, facts in entry["function"](m):
        row = t / to * steps
        assert abs(row - mp.nint(row)) < mpf(10) ** -30, f"{t} is no output time"
        at, rate, known = {n: list(x) for n, x in q.items()}, list(v), {}
        for joint, (x, u, a) in state.items():
            j = m.joints[joint]
            at[joint] = list(x)
            for k, (y, z) in enumerate(zip(u, a)):
                rate[j["first"] + k], known[j["first"] + k] = y, z
        s = Solution(m, t, *m.follow(t, at, rate)).confirm()
        assert set(known) == set(m.passive)
        size = 1 + max(abs(x) for x in s.a)
        for k, x in known.items():
            assert abs(s.a[k] - x) < TINY * size, f"t = {t}: dof {k}: {mp.nstr(x, 20)} or {mp.nstr(s.a[k], 20)}?"
        for column, x in facts.items():
            assert abs(s.values[column] - x) < mpf(10) ** -12 * (1 + abs(x)), f"{column}: {x} or {s.values[column]}?"
        if t == 0:                         # the state as written must be the one that the closed form starts from
            for c in (c for c in start.values if not c.endswith((".qw", ".qx", ".qy", ".qz"))):
                assert abs(start.values[c] - s.values[c]) < TINY * (1 + abs(s.values[c])), c
        else:
            later.append(s)
    for column in entry["conserved"]:
        for s in later:
            assert abs(s.values[column] - start.values[column]) < mpf(10) ** -15 * (1 + abs(start.values[column])), column
    scale = scales([start, *later])
    expected["conserved"] = list(entry["conserved"])
    if analysis == "inverse":              # what is not prescribed follows from the loops
        expected["inverse"] = [r for s in later for r in records(s, scale, wanted_at_end(m), t=float(s.t))]
    if name in CARRIED:                    # dynamics does not look at actuators
        compare_card(name, expected)
        return expected
    expected["dynamics"] = {
        "start": records(start, scale, wanted_at_start(m)),
        "end": [r for s in later for r in records(s, scale, wanted_at_end(m), t=float(s.t), tolerance=entry["tolerance"])]}
    if name == "elastic-pendulum":
        checks, hertz = hanging(m)
        expected["equilibrium"] = {"checks": [{"column": c, "value": float(x), "scale": rounded(max(abs(mpf(x)), mpf(s)))}
                                              for c, x, s in checks],
                                   "frequencies_hz": [float(f) for f in hertz], "stable": True}
    compare_card(name, expected)
    return expected


def compare_card(name, expected):
    """Numbers quoted in the card, rows "| `column` | t | value |": they must be among the records."""
    path, known = MODELS / name / "card.md", {}
    for r in expected.get("inverse", []) + [r for part in expected.get("dynamics", {}).values() for r in part]:
        known[r["column"], r.get("t", 0.0)] = r["value"]
    for line in path.read_text().splitlines() if path.exists() else []:
        cell = [c.strip().strip("`") for c in line.strip().strip("|").split("|")]
        if not line.startswith("|") or len(cell) != 3 or cell[0] in ("column", "") or set(cell[0]) <= {"-", ":"}:
            continue
        t = {"π s": float(mp.pi), "2π s": float(2 * mp.pi)}.get(cell[1]) or float(cell[1].removesuffix(" s"))
        value = known[cell[0], t]
        digits = cell[2].split("e")[0].lstrip("-0.").replace(".", "")
        assert abs(float(cell[2]) - value) <= abs(value) * 10.0 ** (1 - len(digits)), f"{name}: {line}: true is {value!r}"


def write(expected):
    """One record a line, so that a change is easy to read."""
    def lines(key, value, indent):
        if isinstance(value, dict) and any(isinstance(x, list) for x in value.values()):
            inner = ",\n".join(lines(k, x, indent + "  ") for k, x in value.items())
            return f'{indent}"{key}": {{\n{inner}\n{indent}}}'
        if not isinstance(value, list) or not value or not isinstance(value[0], dict):
            return f'{indent}"{key}": {json.dumps(value)}'
        return f'{indent}"{key}": [\n' + ",\n".join(f"{indent}  {json.dumps(c)}" for c in value) + f"\n{indent}]"

    return "{\n" + ",\n".join(lines(k, x, "  ") for k, x in expected.items()) + "\n}\n"


def is_spatial(name):
    return tomllib.loads((MODELS / name / "model.toml").read_text()).get("space") == "3d"


def main(arguments):
    check = "--check" in arguments
    every = sorted(p.parent.name for p in MODELS.glob("*/model.toml") if is_spatial(p.parent.name))
    changed = []
    for name in [a for a in arguments if not a.startswith("-")] or every:
        expected = examine(name)
        text, path = write(expected), MODELS / name / "expected.json"
        parts = expected.get("dynamics", {}) | {"inverse": expected.get("inverse", [])}
        print(f"{name:25} " + ", ".join(f"{len(v)} {k}" for k, v in parts.items() if v), flush=True)
        if not path.exists() or path.read_text() != text:
            changed.append(name)
            if not check:
                path.write_text(text)
    if check and changed:
        sys.exit("expected.json is out of date: " + ", ".join(changed))


if __name__ == "__main__":
    main(sys.argv[1:])
