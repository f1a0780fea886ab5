#!/usr/bin/env python3
"""Second routes to tests/data/space-snap.json: closed forms, the plane's trusted numbers, and differences of motions that are
integrated with 50 digits from accelerations alone.

    python3 tools/oracle_snap/checks.py
"""

import json
import pathlib

import sympy
from mpmath import (acos, atan, atan2, cos, diff, ellipf, ellipfun, factorial, matrix, mp, mpf, odefun, pi, sin, sqrt, tan, taylor)

from differences import check_by_differences

mp.dps = 50
DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data"
CASES = {case["name"]: case for case in json.loads((DATA / "space-snap.json").read_text())["cases"]}
worst = {}


def number(name, column, time=0):
    for t, c, value in CASES[name]["values"]:
        if t == time and c == column:
            return mpf(value)
    raise KeyError((name, time, column))


def agree(name, column, expected, time=0, scale=1):
    """Equal as doubles, to four units in the last place of the larger of the number and `scale`."""
    value = number(name, column, time)
    error = abs(value - expected) / max(abs(expected), scale)
    assert error < 1e-15, (name, time, column, value, expected)
    worst[name] = max(worst.get(name, 0), float(error))


def derivatives(f, t, count=4):
    return [c * factorial(k) for k, c in enumerate(taylor(f, t, count))]


def agree_all(name, columns, f, time=0):
    """A function of time and its derivatives against columns of rising order."""
    values = derivatives(f, mpf(time), len(columns) - 1)
    for column, value in zip(columns, values):
        agree(name, column, value, time)


def joint_columns(joint, k=1):
    return [f"{joint}.{letter}{k}" for letter in "qvajs"]


def vector_columns(name, axis):
    return [f"{name}.{letter}{axis}" for letter in ("", "v", "a", "j", "s")]


def turning(rpy):
    """Rz(yaw) Ry(pitch) Rx(roll)."""
    r, p, y = [mpf(x) for x in rpy]
    x = matrix([[1, 0, 0], [0, cos(r), -sin(r)], [0, sin(r), cos(r)]])
    z = matrix([[cos(y), -sin(y), 0], [sin(y), cos(y), 0], [0, 0, 1]])
    return z * matrix([[cos(p), 0, sin(p)], [0, 1, 0], [-sin(p), 0, cos(p)]]) * x


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def angle_that_solves(p, q, s, near):
    """The solution of p cos x + q sin x = s that is nearest to a number: the quadratic in tan(x/2)."""
    middle, half = atan2(q, p), acos(s / sqrt(p * p + q * q))
    found = [x + 2 * pi * k for x in (middle + half, middle - half) for k in (-1, 0, 1)]
    return min(found, key=lambda x: abs(x - near))


# --- trees

def pendulum():
    k = mpf(1.7) * mpf(9.81) * mpf(0.4) / (mpf(0.02) + mpf(1.7) * mpf(0.4) ** 2)
    solution = odefun(lambda t, y: [y[1], -k * sin(y[0])], 0, [mpf(0.7), mpf(1.3)], tol=mpf("1e-24"), degree=30)
    for time in (0, 0.25):
        q, v = solution(mpf(time))
        a, j = -k * sin(q), -k * cos(q) * v
        for column, value in zip(joint_columns("hinge"), (q, v, a, j, k * sin(q) * v * v - k * cos(q) * a)):
            agree("pendulum", column, value, time)


def spherical_pendulum():
    t, g, length = sympy.symbols("t g L")
    a, b = sympy.Function("a")(t), sympy.Function("b")(t)
    z = -length
    x, y, z = (z * sympy.sin(b), -sympy.sin(a) * z * sympy.cos(b), sympy.cos(a) * z * sympy.cos(b))
    energy = sum(c.diff(t) ** 2 for c in (x, y, z)) / 2 - g * z
    equations = [energy.diff(u.diff(t)).diff(t) - energy.diff(u) for u in (a, b)]
    second = sympy.solve(equations, [a.diff(t, 2), b.diff(t, 2)], dict=True)[0]
    found = {}
    for u, k in ((a, 1), (b, 2)):
        expression = second[u.diff(t, 2)]
        for letter in "ajs":
            found[f"hook.{letter}{k}"] = expression
            expression = expression.diff(t).subs(second)
    numbers = {g: sympy.Float(9.81, 60), length: sympy.Rational(1, 2)}
    start = [(a.diff(t), 1.1), (b.diff(t), -0.7), (a, 0.6), (b, 0.4)]
    for column, expression in found.items():
        value = expression.subs(numbers).subs([(u, sympy.Float(x, 60)) for u, x in start])
        agree("spherical-pendulum", column, mpf(str(sympy.N(value, 50))))


def euler_top():
    """w1 = A cn, w2 = B sn, w3 = C dn of m t + start, for the energy branch in which w3 keeps its sign."""
    i = [mpf(x) for x in (0.02, 0.035, 0.05)]
    w = [mpf(x) for x in (2.0, 0.5, 3.0)]
    twice, square = dot(i, [x * x for x in w]), dot([x * x for x in i], [x * x for x in w])
    assert square > twice * i[1]
    amplitudes = [sqrt((twice * i[2] - square) / (i[0] * (i[2] - i[0]))), sqrt((twice * i[2] - square) / (i[1] * (i[2] - i[1]))),
                  sqrt((square - twice * i[0]) / (i[2] * (i[2] - i[0])))]
    rate = sqrt((i[2] - i[1]) * (square - twice * i[0]) / (i[0] * i[1] * i[2]))
    modulus = (i[1] - i[0]) * (twice * i[2] - square) / ((i[2] - i[1]) * (square - twice * i[0]))
    start = ellipf(atan2(w[1] / amplitudes[1], w[0] / amplitudes[0]), modulus)
    for k, name in enumerate(("cn", "sn", "dn")):
        for time in (0, 0.2):
            agree_all("euler-top", [f"air.{letter}{k + 1}" for letter in "vajs"],
                      lambda t: amplitudes[k] * ellipfun(name, rate * t + start, m=modulus), time)


def heavy_top():
    """u = cos(lean): u'^2 = f(u), a cubic; so u'' = f'/2, u''' = f'' u'/2, u'''' = (f''' u'^2 + f'' u'')/2."""
    mass, stem, about, along = mpf(0.5), mpf(0.08), mpf(0.00045) + mpf(0.5) * mpf(0.08) ** 2, mpf(0.0009)
    lean, (wx, wy, wz) = 2 * mpf(0.3), [mpf(x) for x in (1.0, 2.0, 60.0)]
    # The quaternion turns about y: body x leans down, body y is level.
    spin = along * wz
    upright = about * wx * -sin(lean) + spin * cos(lean)
    energy = about * (wx * wx + wy * wy) / 2 + mass * mpf(9.81) * stem * cos(lean)
    weight = mass * mpf(9.81) * stem
    # I u'^2 / 2 = (1 - u^2)(E - m g l u) - (Lz - L3 u)^2 / (2 I)
    f = [2 / about * c for c in (energy - upright ** 2 / (2 * about), -weight + upright * spin / about, -energy - spin ** 2 / (2 * about), weight)]
    slope = lambda u: f[1] + 2 * f[2] * u + 3 * f[3] * u * u
    bend = lambda u: 2 * f[2] + 6 * f[3] * u
    solution = odefun(lambda t, y: [y[1], slope(y[0]) / 2], 0, [cos(lean), -sin(lean) * wy], tol=mpf("1e-24"), degree=30)
    for time in (0, 0.02):
        u, v = solution(mpf(time))
        a = slope(u) / 2
        values = (u, v, a, bend(u) * v / 2, (6 * f[3] * v * v + bend(u) * a) / 2)
        for column, value in zip(vector_columns("top.nose", "z"), values):
            agree("heavy-top", column, mpf(0.1) * value, time)


# --- loops

def hooke():
    bend = mpf(0.5)
    law = lambda t: mpf(0.4) + 2 * t + mpf(0.3) * sin(2 * t)
    out = lambda t: atan(tan(law(t)) / cos(bend))
    for time in (0, 0.3):
        values = derivatives(out, mpf(time))[1:]
        for prefix, value in zip(("w", "al", "aj", "as"), values):
            agree("hooke", f"output.{prefix}x", value * sin(bend), time)
            agree("hooke", f"output.{prefix}z", value * cos(bend), time)


LAW = lambda t: mpf(0.9) + mpf(1.4) * t + mpf(0.2) * sin(3 * t)


def rssr():
    axes, foot = turning((0.5, 0.4, 0.2)), [mpf(x) for x in (0.5, 0.3, 0.1)]

    def output(near):
        def solve(t):
            ball = [mpf(0.2) * cos(LAW(t)), mpf(0.2) * sin(LAW(t)), mpf(0)]
            d = [x - y for x, y in zip(foot, ball)]
            p, q = [2 * mpf(0.4) * dot(d, axes[:, k]) for k in (0, 1)]
            return angle_that_solves(p, q, mpf(0.6) ** 2 - mpf(0.4) ** 2 - dot(d, d), near)
        return solve
    for time in (0, 0.3):
        for name in ("rssr", "rssr-rod", "rssr-idle"):
            agree_all(name, joint_columns("swing"), output(number(name, "swing.q1", time)), time)
    for time in (0, 0.2):
        agree_all("rusr-gimbal", joint_columns("swing"), output(number("rusr-gimbal", "swing.q1", time)), time)


def rusp():
    axes, foot, slot = turning((0.5, 0.4, 0.2)), [mpf(x) for x in (0.5, 0.3, 0.1)], turning((0.1, -0.2, 0.4))
    length = sqrt(1 + mpf(0.2) ** 2)
    along = list(axes * matrix([1 / length, mpf(0.2) / length, 0]))
    fixed = axes * slot.T * matrix([mpf(0.05), 0, 0])
    base = [x - y for x, y in zip(foot, fixed)]

    def place(near):
        def solve(t):
            d = [b - x for b, x in zip(base, (mpf(0.2) * cos(LAW(t)), mpf(0.2) * sin(LAW(t)), mpf(0)))]
            half, rest = dot(d, along), dot(d, d) - mpf(0.6) ** 2
            way = min((-half + s * sqrt(half * half - rest) for s in (1, -1)), key=lambda w: abs(base[0] + w * along[0] - near))
            return way
        return solve
    for time in (0, 0.3):
        near = number("rusp", "slider.x", time)
        for k, axis in enumerate("xyz"):
            agree_all("rusp", vector_columns("slider", axis), lambda t: base[k] + along[k] * place(near)(t), time)


def rccc():
    """The turns alone: the axis of c2 keeps its angles with those of c1 and c3, and the lever turns about c3."""
    z = matrix([0, 0, 1])
    first, second = turning((0.6, 0.3, 0)), turning((1.1, 0, 0.2))
    ground, lever = turning((1.0, 0.2, 0.5)), turning((0.9, -0.2, 0.4))
    still = lever.T * z                                            # axis of c2 seen from the frame of c3 on the lever
    angle12 = dot(list(z), list(second * z))

    def solve_near(near):
        def solve(t):
            c, s = cos(LAW(t)), sin(LAW(t))
            crank = matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]])
            u = ground.T * (crank * first * z)
            p, q = u[0] * still[0] + u[1] * still[1], u[1] * still[0] - u[0] * still[1]
            return angle_that_solves(p, q, angle12 - u[2] * still[2], near)
        return solve
    axis = ground * z
    for time in (0, 0.3):
        w, x, y, v = [number("rccc", f"lever.q{letter}", time) for letter in "wxyz"]
        body = matrix([[1 - 2 * (y * y + v * v), 2 * (x * y - w * v), 2 * (x * v + w * y)],
                       [2 * (x * y + w * v), 1 - 2 * (x * x + v * v), 2 * (y * v - w * x)],
                       [2 * (x * v - w * y), 2 * (y * v + w * x), 1 - 2 * (x * x + y * y)]])
        relative = ground.T * body * lever
        values = derivatives(solve_near(atan2(relative[1, 0], relative[0, 0])), mpf(time))[1:]
        for prefix, value in zip(("w", "al", "aj", "as"), values):
            for k, letter in enumerate("xyz"):
                agree("rccc", f"lever.{prefix}{letter}", value * axis[k], time)


def bennett():
    alpha, beta = mpf(0.6), mpf(1.2)
    law = lambda t: mpf(3.6) + mpf(1.5) * t + mpf(0.2) * sin(4 * t)
    constant = tan(number("bennett", "J1.q1") / 2) * tan(number("bennett", "J2.q1") / 2)
    theory = sin((beta + alpha) / 2) / sin((beta - alpha) / 2)
    assert min(abs(abs(constant) - x) for x in (theory, 1 / theory)) < 1e-14, (constant, theory)
    constant = min((s * x for s in (1, -1) for x in (theory, 1 / theory)), key=lambda x: abs(x - constant))
    for time in (0, 0.3):
        near = number("bennett", "J2.q1", time)
        principal = lambda t: 2 * atan(constant / tan(law(t) / 2))
        turns = 2 * pi * int(mp.nint((near - principal(mpf(time))) / (2 * pi)))
        agree_all("bennett", joint_columns("J2"), lambda t: principal(t) + turns, time)


def bricard():
    law = lambda t: mpf(1.3) + mpf(0.8) * t - mpf(0.3) * t ** 3
    for time in (0, 0.2):
        sign = mp.sign(number("bricard", "h2.q1", time))
        agree_all("bricard", joint_columns("h2"), lambda t: sign * acos(-cos(law(t)) / (1 + cos(law(t)))), time)
        agree_all("bricard", joint_columns("h3"), law, time)


def four_bar_angles(theta, near):
    """Directions of coupler and rocker for a crank angle."""
    crank, rod, lever = mpf(0.3), mpf(0.9), mpf(0.7)
    ax, ay = crank * cos(theta), crank * sin(theta)
    dx, dy = 1 - ax, -ay
    psi = angle_that_solves(2 * lever * dx, 2 * lever * dy, rod ** 2 - lever ** 2 - dx * dx - dy * dy, near)
    return atan2(lever * sin(psi) - ay, 1 + lever * cos(psi) - ax), psi


def four_bar():
    law = lambda t: pi / 3 + 2 * t + mpf(0.3) * sin(3 * t)
    for time in (0, 0.3):
        near = number("four-bar", "Q.q1", time)
        agree_all("four-bar", joint_columns("Q"), lambda t: four_bar_angles(law(t), near)[1], time)
        agree_all("four-bar", joint_columns("A"), lambda t: four_bar_angles(law(t), near)[0] - law(t), time)


def four_bar_free():
    """m(x) x'' + m'(x) x'^2 / 2 + V'(x) = 0 in the angle of the crank, differentiated twice."""
    near = number("four-bar-free", "Q.q1")
    bars = [(mpf(0.3), mpf(0.15), mpf(0.00225)), (mpf(0.9), mpf(0.45), mpf(0.06075)), (mpf(0.7), mpf(0.35), mpf(0.0285))]

    def places(x):
        coupler, rocker = four_bar_angles(x, near)
        return [(bars[0][1] * cos(x), bars[0][1] * sin(x), x),
                (mpf(0.3) * cos(x) + bars[1][1] * cos(coupler), mpf(0.3) * sin(x) + bars[1][1] * sin(coupler), coupler),
                (1 + bars[2][1] * cos(rocker), bars[2][1] * sin(rocker), rocker)]

    def local(x0, order=4):
        """Taylor coefficients of m and V about an angle, as polynomials."""
        mp.dps = 80
        series = [[taylor(lambda x, b=b, k=k: places(x)[b][k], x0, order + 1) for k in range(3)] for b in range(3)]
        mp.dps = 50
        mass, height = [mpf(0)] * (order + 1), [mpf(0)] * (order + 1)
        for (m, _, inertia), (px, py, pa) in zip(bars, series):
            for p, weight in ((px, m), (py, m), (pa, inertia)):
                d = [(k + 1) * p[k + 1] for k in range(order + 1)]
                for k in range(order + 1):
                    mass[k] += weight * sum(d[i] * d[k - i] for i in range(k + 1))
            for k in range(order + 1):
                height[k] += m * mpf(9.81) * py[k]
        return mass, height
    mass, height = local(pi / 3)
    value = lambda c, x: sum(a * x ** k for k, a in enumerate(c))
    slope = lambda c, x: sum(k * a * x ** (k - 1) for k, a in enumerate(c) if k)
    acceleration = lambda x, v: -(slope(mass, x) * v * v / 2 + slope(height, x)) / value(mass, x)
    v = mpf(2)
    a = acceleration(mpf(0), v)
    part = lambda i, j: diff(acceleration, (mpf(0), v), (i, j))
    j = part(1, 0) * v + part(0, 1) * a
    s = part(2, 0) * v * v + 2 * part(1, 1) * v * a + part(0, 2) * a * a + part(1, 0) * a + part(0, 1) * j
    for letter, expected in zip("ajs", (a, j, s)):
        agree("four-bar-free", f"O.{letter}1", expected)


def slider_crank():
    """The plane's numbers: tests/data/planar.json, mechanism 1 at t = 0.4. The plane is the ground's x and z; hinges turn about -y."""
    record = json.loads((DATA / "planar.json").read_text())["mechanisms"][0]
    assert record["t"] == 0.4
    for k, key in enumerate(("q", "qd", "qdd", "qddd", "qdddd")):
        expected = [mpf(x) for x in record["expected"][key]]
        agree("slider-crank", vector_columns("slider", "x")[k], expected[6], 0.4)
        agree("slider-crank", vector_columns("slider", "z")[k], mpf(0), 0.4)
        rod = number("slider-crank", joint_columns("O")[k], 0.4) + number("slider-crank", joint_columns("A")[k], 0.4)
        assert abs(rod - expected[5]) < 4e-15 * max(1, abs(expected[5])), (k, rod, expected[5])
        agree("slider-crank", f"rod.{('w', 'al', 'aj', 'as')[k - 1]}y" if k else "O.q1", -expected[5] if k else expected[2], 0.4)


def plane_arm():
    """The plane's numbers: tests/data/planar.json, fourth record of `dae`. A pin's force is the opposite of its multiplier."""
    expected = json.loads((DATA / "planar.json").read_text())["dae"][3]["expected"]
    rates = {(column, order): value for _, column, order, value in CASES["plane-arm"]["rates"]}
    worst["plane-arm"] = 0.0

    def near(value, known):                                        # the plane's record is off its own joints by 5e-17
        error = abs(value - known) / max(1, abs(known))
        assert error < 2e-14, (value, known)
        worst["plane-arm"] = max(worst["plane-arm"], float(error))
    for b, body in enumerate(("arm", "slider")):
        for k, columns in enumerate((("ax", "jx"), ("ay", "jy"), ("alz", "ajz"))):
            for column, key in zip(columns, ("qdd", "qddd")):
                near(number("plane-arm", f"{body}.{column}"), mpf(expected[key][3 * b + k]))
    for k, label in enumerate(("fx", "fy")):
        near(number("plane-arm", f"hinge.{label}"), -mpf(expected["lambda"][k]))
        near(mpf(rates[f"hinge.{label}", 1]), -mpf(expected["lambdadot"][k]))


def main():
    for check in (pendulum, spherical_pendulum, euler_top, heavy_top, hooke, rssr, rusp, rccc, bennett, bricard, four_bar, four_bar_free,
                  slider_crank, plane_arm):
        check()
    for name, error in worst.items():
        print(f"{name:24} {error:.1e}")
    for name, case in CASES.items():
        if not case["not_unique"] and case["command"] != "kinematics" and case.get("needs") != "idle freedoms":
            print(f"{name:24} differences of accelerations and reactions: {check_by_differences(case):.1e}", flush=True)


if __name__ == "__main__":
    main()
