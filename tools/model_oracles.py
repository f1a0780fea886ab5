#!/usr/bin/env python3
"""Expected numbers of the model library, independent of the engine.

    python3 tools/model_oracles.py              writes models/*/expected.json
    python3 tools/model_oracles.py --check      writes nothing; fails if a file would change
    python3 tools/model_oracles.py NAME ...     only these models

Two routes, which share nothing but the numbers in [parameters]:

  1. A closed form for each mechanism, by hand (trigonometry, circle intersections), in 60-digit arithmetic. Its time
     derivatives come from central differences on 13 points, whose error at this precision is below 1e-30.
  2. The equations that model.toml states, residuals as in the planar specification: assembled from the drawn positions
     by Gauss-Newton, followed through the whole run in double precision, then solved to 50 digits at the times of
     the checks, and differentiated by power series in time.

Both must agree in every column, at every order from position to snap. The second route also shows that the drawing
leads to the intended branch, that the Jacobian keeps its full column rank in the whole run, and gives the mobility.
"""

import ast
import json
import math
import pathlib
import sys
import tomllib

import numpy as np
from mpmath import mp, mpf

mp.dps = 60
MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
DYNAMIC_KEYS = ("dynamics", "equilibrium")  # made by tools/dynamics_oracles.py, kept as they are
ORDERS = ("", "v", "a", "j", "s")          # column prefixes: position, velocity, acceleration, jerk, snap
AGREE = mpf(10) ** -25                     # the two routes, relative to the column's scale
SMALLEST_SINGULAR_VALUE = 1e-3             # of the Jacobian with unit rows, lengths in units of the model's size


# ---------------------------------------------------------------------------------------------------------------------
# Truncated power series in time: x = c[0] + c[1] t + ... + c[4] t^4

class Series:
    N = 5

    def __init__(self, c):
        self.c = list(c) + [mpf(0)] * (self.N - len(c))

    @staticmethod
    def of(x):
        return x if isinstance(x, Series) else Series([mpf(x)])

    def __add__(self, o):
        return Series([a + b for a, b in zip(self.c, Series.of(o).c)])

    def __neg__(self):
        return Series([-a for a in self.c])

    def __sub__(self, o):
        return self + (-Series.of(o))

    def __mul__(self, o):
        if not isinstance(o, Series):
            return Series([a * o for a in self.c])
        return Series([sum(self.c[i] * o.c[k - i] for i in range(k + 1)) for k in range(self.N)])

    def __truediv__(self, o):
        if not isinstance(o, Series):
            return Series([a / o for a in self.c])
        q = []
        for k in range(self.N):
            q.append((self.c[k] - sum(q[i] * o.c[k - i] for i in range(k))) / o.c[0])
        return Series(q)

    def __rsub__(self, o):
        return Series.of(o) - self

    def __rtruediv__(self, o):
        return Series.of(o) / self

    def __pow__(self, n):
        n = int(n)
        r = Series([mpf(1)])
        for _ in range(n):
            r = r * self
        return r

    __radd__, __rmul__ = __add__, __mul__

    def sincos(self):
        s, c = [mp.sin(self.c[0])], [mp.cos(self.c[0])]
        for k in range(1, self.N):
            s.append(sum(i * self.c[i] * c[k - i] for i in range(1, k + 1)) / k)
            c.append(-sum(i * self.c[i] * s[k - i] for i in range(1, k + 1)) / k)
        return Series(s), Series(c)


def sincos(x):
    if isinstance(x, Series):
        return x.sincos()
    if isinstance(x, mpf):
        return mp.sin(x), mp.cos(x)
    return np.sin(x), np.cos(x)


def blend(x, a, b):
    """step(x, a, b): 0 before a, 1 after b, between them the degree-9 polynomial with four vanishing derivatives."""
    x0 = x.c[0] if isinstance(x, Series) else x
    if x0 <= a or x0 >= b:
        return x * 0 + (0 if x0 <= a else 1)
    u = (x - a) / (b - a)
    return u ** 5 * (126 + u * (-420 + u * (540 + u * (-315 + u * 70))))


# ---------------------------------------------------------------------------------------------------------------------
# Model files: expressions, bodies, equations

class Expressions:
    FUNCTIONS = {"sin": lambda x: sincos(x)[0], "cos": lambda x: sincos(x)[1], "sqrt": mp.sqrt, "acos": mp.acos,
                 "asin": mp.asin, "atan": mp.atan, "atan2": mp.atan2, "tan": mp.tan, "step": blend}

    def __init__(self, parameters):
        self.names = {"pi": mp.pi + 0, "deg": mp.pi / 180, "mm": mpf("0.001"), "cm": mpf("0.01"),
                      "inch": mpf("0.0254"), "rpm": mp.pi / 30}
        self.parameters = parameters
        for name in parameters:
            self.parameter(name)

    def parameter(self, name):
        if name not in self.names:
            self.names[name] = self(self.parameters[name])
        return self.names[name]

    def __call__(self, text, t=None):
        if not isinstance(text, str):
            return mpf(text)
        text = text.replace("^", "**")

        def walk(n):
            if isinstance(n, ast.BinOp):
                a, b = walk(n.left), walk(n.right)
                kind = type(n.op).__name__
                return {"Add": lambda: a + b, "Sub": lambda: a - b, "Mult": lambda: a * b, "Div": lambda: a / b,
                        "Pow": lambda: a ** b}[kind]()
            if isinstance(n, ast.UnaryOp):
                return -walk(n.operand) if isinstance(n.op, ast.USub) else walk(n.operand)
            if isinstance(n, ast.Constant):
                return mpf(ast.get_source_segment(text, n))
            if isinstance(n, ast.Name):
                if n.id == "t" and t is not None:
                    return t
                return self.parameter(n.id)
            if isinstance(n, ast.Call):
                return self.FUNCTIONS[n.func.id](*[walk(a) for a in n.args])
            raise ValueError(text)

        return walk(ast.parse(text, mode="eval").body)


JOINT_ROWS = {"revolute": 2, "distance": 1, "parallel": 1, "pin-in-slot": 1, "translational": 2, "weld": 3, "gear": 1,
              "gear-on-arm": 1, "coordinate": 1, "rolling": 1}
FIELDS = {"revolute": {"i", "j"}, "distance": {"i", "j", "length"}, "parallel": {"i", "j"},
          "pin-in-slot": {"slot", "pin"}, "translational": {"slot", "slider"}, "weld": {"i", "j"},
          "gear": {"i", "j", "ratio", "radii", "mesh", "offset"},
          "gear-on-arm": {"i", "j", "arm", "ratio", "radii", "mesh", "offset"},
          "coordinate": {"i", "j", "ratio", "offset"}, "rolling": {"line", "wheel", "radius", "offset"}}
DRIVER_FIELDS = {"angle": {"i", "j", "offset"}, "coordinate": {"i", "j", "ratio", "offset"},
                 "slot-distance": {"line", "point"}, "distance": {"i", "j"}}
BODY_KEYS = {"mass", "inertia", "com", "position", "angle", "velocity", "spin", "points", "shape"}


class Mechanism:
    def __init__(self, path):
        self.data = tomllib.loads(path.read_text(), parse_float=mpf)
        d = self.data
        d.setdefault("drivers", {})
        assert d["jounce"] == 1 and d["name"]
        assert set(d) <= {"jounce", "name", "space", "gravity", "parameters", "ground", "bodies", "joints", "drivers",
                          "forces", "run"}, path
        self.value = value = Expressions(d["parameters"])
        self.parameters = {k: value.names[k] for k in d["parameters"]}
        self.names = list(d["bodies"])
        every = self.names + list(d["joints"]) + list(d["drivers"]) + list(d["parameters"])
        assert len(set(every)) == len(every), "names are not unique"
        self.points = {"ground": self.local_points(d["ground"])}
        drawn = []
        for b in self.names:
            body = d["bodies"][b]
            assert set(body) <= BODY_KEYS and "mass" in body and ("inertia" in body or "shape" in body), (path, b)
            self.points[b] = self.local_points(body)
            drawn += [value(x) for x in body.get("position", [0, 0])] + [value(body.get("angle", 0))]
        self.drawn = drawn
        self.joints = [self.element(n, e, FIELDS, {"friction"}) for n, e in d["joints"].items()]
        self.drivers = [self.element(n, e, DRIVER_FIELDS, {"motion"}) for n, e in d["drivers"].items()]
        self.joint_rows = sum(JOINT_ROWS[e["type"]] for e in self.joints)
        self.size = max([abs(float(x)) for p in self.points.values() for s in p.values() for x in s] or [1.0])
        self.constants = {}
        self.residual(self.drawn, mpf(0), fix_constants=True)

    def local_points(self, body):
        return {"origin": (mpf(0), mpf(0))} | {p: tuple(self.value(x) for x in s)
                                               for p, s in body.get("points", {}).items()}

    def element(self, name, e, fields, more=frozenset()):
        assert set(e) <= fields[e["type"]] | more | {"type"}, (name, set(e))
        return {"name": name} | e

    # --- kinematics of points, generic in the scalar

    def coordinates(self, q, body):
        if body == "ground":
            return 0, 0, 0
        k = 3 * self.names.index(body)
        return q[k], q[k + 1], q[k + 2]

    def local(self, name):
        body, point = name.split(".")
        return body, self.points[body][point]

    def rotated(self, q, body, s):
        if isinstance(q, np.ndarray):
            s = (float(s[0]), float(s[1]))
        if body == "ground":
            return s
        sin, cos = sincos(self.coordinates(q, body)[2])
        return cos * s[0] - sin * s[1], sin * s[0] + cos * s[1]

    def point(self, q, name):
        body, s = self.local(name)
        x, y, _ = self.coordinates(q, body)
        rx, ry = self.rotated(q, body, s)
        return x + rx, y + ry

    def line(self, q, pair):
        (b, p), (b2, s) = self.local(pair[0]), self.local(pair[1])
        assert b == b2
        a = (s[0] - p[0], s[1] - p[1])
        return self.point(q, pair[0]), self.rotated(q, b, a), mp.sqrt(a[0] ** 2 + a[1] ** 2), b

    # --- residuals of all joints, then all drivers

    def ratio(self, e):
        if "ratio" in e:
            return self.value(e["ratio"])
        ri, rj = (self.value(r) for r in e["radii"])
        return ri / rj * {"external": -1, "crossed-belt": -1, "internal": 1, "belt": 1}[e.get("mesh", "external")]

    def residual(self, q, t, fix_constants=False, joints_only=False):
        real = (lambda x: float(x)) if isinstance(q, np.ndarray) else (lambda x: x)
        rows = []

        def constant(e, key, value_now):
            """The constant given, or the one that makes the equation hold at t = 0 as drawn."""
            if key in e:
                return real(self.value(e[key]))
            if fix_constants:
                self.constants[e["name"]] = value_now()
            return real(self.constants[e["name"]])

        def cross(a, b):
            return a[0] * b[1] - a[1] * b[0]

        def minus(a, b):
            return a[0] - b[0], a[1] - b[1]

        def phi(body):
            return self.coordinates(q, body)[2]

        def coordinate(name):
            body, c = name.split(".")
            return self.coordinates(q, body)["x y phi".split().index(c)]

        for e in self.joints + ([] if joints_only else self.drivers):
            kind = e["type"]
            f = 0
            if "motion" in e:
                f = self.value(e["motion"], t)
                f = real(f)
            if "motion" in e and kind == "angle":
                u = phi(e["j"]) - phi(e["i"])
                rows.append(u - constant(e, "offset", lambda: u - f) - f)
            elif "motion" in e and kind == "slot-distance":
                p, a, length, _ = self.line(q, e["line"])
                d = minus(self.point(q, e["point"]), p)
                rows.append((a[0] * d[0] + a[1] * d[1]) / real(length) - f)
            elif "motion" in e and kind == "distance":
                d = minus(self.point(q, e["j"]), self.point(q, e["i"]))
                rows.append(d[0] * d[0] + d[1] * d[1] - f * f)
            elif kind == "coordinate":
                u = coordinate(e["j"])
                if "i" in e:
                    u = u - real(self.value(e.get("ratio", 1))) * coordinate(e["i"])
                rows.append(u - constant(e, "offset", lambda: u - f) - f)
            elif kind == "revolute":
                rows += minus(self.point(q, e["j"]), self.point(q, e["i"]))
            elif kind == "distance":
                d = minus(self.point(q, e["j"]), self.point(q, e["i"]))
                dd = d[0] * d[0] + d[1] * d[1]
                rows.append(dd - constant(e, "length", lambda: mp.sqrt(dd)) ** 2)
            elif kind == "parallel":
                rows.append(cross(self.line(q, e["i"])[1], self.line(q, e["j"])[1]))
            elif kind == "pin-in-slot":
                p, a, _, _ = self.line(q, e["slot"])
                rows.append(cross(a, minus(self.point(q, e["pin"]), p)))
            elif kind == "translational":
                p, a, _, _ = self.line(q, e["slot"])
                p2, a2, _, _ = self.line(q, e["slider"])
                rows += [cross(a, a2), cross(a, minus(p2, p))]
            elif kind == "weld":
                rows += minus(self.point(q, e["j"]), self.point(q, e["i"]))
                u = phi(e["j"].split(".")[0]) - phi(e["i"].split(".")[0])
                rows.append(u - constant(e, "", lambda: u))
            elif kind in ("gear", "gear-on-arm"):
                k = real(self.ratio(e))
                arm = phi(e["arm"]) if kind == "gear-on-arm" else 0
                u = (phi(e["j"]) - arm) - k * (phi(e["i"]) - arm)
                rows.append(u - constant(e, "offset", lambda: u))
            elif kind == "rolling":
                p, a, length, b = self.line(q, e["line"])
                d = minus(self.point(q, e["wheel"]), p)
                rho = real(self.value(e["radius"]))
                u = (a[0] * d[0] + a[1] * d[1]) / real(length) - rho * (phi(e["wheel"].split(".")[0]) - phi(b))
                rows.append(u - constant(e, "offset", lambda: u))
            else:
                raise ValueError(kind)
        return rows

    # --- solving in double precision

    def values(self, q, t, **k):
        return np.array([float(r) for r in self.residual(q, mpf(t), **k)])

    def jacobian(self, q, t, **k):
        """Complex step, all columns at once: exact to rounding."""
        n = len(q)
        h = 1e-30
        rows = self.residual(np.array(q)[:, None] + 1j * h * np.eye(n), mpf(t), **k)
        return np.array([np.imag(np.broadcast_to(r, n)) / h for r in rows])

    def newton(self, q, t):
        for _ in range(40):
            step = np.linalg.lstsq(self.jacobian(q, t), -self.values(q, t), rcond=1e-10)[0]
            q = q + step
            if np.max(np.abs(step)) < 1e-13 * (1 + np.max(np.abs(q))):
                error = np.max(np.abs(self.values(q, t)))
                if error > 1e-12 * (1 + self.size) ** 2 * (1 + np.max(np.abs(q))):
                    raise RuntimeError(f"the equations contradict each other at t = {t}: {error:.1e} remains")
                return q
        raise RuntimeError(f"no convergence at t = {t}")

    def scaled(self, jacobian):
        """Lengths in units of the model's size, rows of unit length: singular values that mean something."""
        j = jacobian * np.tile([self.size, self.size, 1.0], len(self.names))
        return j / np.linalg.norm(j, axis=1)[:, None]

    # --- solving to 50 digits, with time derivatives

    def series(self, q, t):
        """Power series of all coordinates at t, from a double-precision solution close by."""
        inverse = np.linalg.pinv(self.jacobian(q, t), rcond=1e-10)
        inverse = [[mpf(x) for x in row] for row in inverse.tolist()]
        n = len(q)
        c = [[mpf(float(x))] + [mpf(0)] * 4 for x in q]
        for k in range(5):
            for _ in range(60):
                if k == 0:
                    rows = self.residual([x[0] for x in c], mpf(t))
                else:
                    rows = [Series.of(r).c[k] for r in
                            self.residual([Series(x) for x in c], Series([mpf(t), mpf(1)]))]
                step = [-mp.fdot(inverse[a], rows) for a in range(n)]
                for a in range(n):
                    c[a][k] += step[a]
                if max(abs(s) for s in step) < mpf(10) ** -52 * (1 + max(abs(x[k]) for x in c)):
                    break
            else:
                raise RuntimeError(f"no convergence of order {k} at t = {t}")
            assert max(abs(r) for r in rows) < mpf(10) ** -45 * (1 + max(abs(x[k]) for x in c))
        return [Series(x) for x in c]

    def column(self, q, base):
        """Series of a position column: body.x, body.phi, body.point.y"""
        part = base.split(".")
        if len(part) == 2:
            return Series.of(self.coordinates(q, part[0])["x y phi".split().index(part[1])])
        return Series.of(self.point(q, part[0] + "." + part[1])["xy".index(part[2])])


# ---------------------------------------------------------------------------------------------------------------------
# Closed forms: building blocks. Points are complex numbers.

def turn(angle):
    return mp.expjpi(angle / mp.pi)


def arg(z):
    return mp.atan2(z.imag, z.real)


def dyad(a, b, ra, rb, side):
    """The point at distance ra from a and rb from b, to the left (side = +1) or right (-1) of the way from a to b."""
    d = abs(b - a)
    x = (d * d + ra * ra - rb * rb) / (2 * d)
    return a + (b - a) / d * mp.mpc(x, side * mp.sqrt(ra * ra - x * x))


def pose(body, z, phi):
    return {f"{body}.x": z.real, f"{body}.y": z.imag, f"{body}.phi": phi}


def place(point, z):
    return {f"{point}.x": z.real, f"{point}.y": z.imag}


def spot(x, y):
    return mp.mpc(x, y)


# ---------------------------------------------------------------------------------------------------------------------
# The mechanisms. Each: closed form (parameters, time) -> position columns; the checks, as (columns, orders, times);
# mobility as counted and true; a sentence for expected.json; further facts.

LIBRARY = {}


def mechanism(name, sentence, checks, mobility, identities=(), facts=None):
    def register(closed_form):
        LIBRARY[name] = dict(closed_form=closed_form, sentence=sentence, checks=checks, mobility=mobility,
                             identities=list(identities), facts=facts)
        return closed_form
    return register


def quick_return_facts(p, at):
    # Lever at the ends of its swing when crank and lever are at right angles: time of the cut over time of the return.
    beta = mp.acos(p["crank_length"] / p["pivot_drop"])
    return {"time ratio": (mp.pi - beta) / beta,
            "stroke of the lever's top": 2 * p["lever_length"] * p["crank_length"] / p["pivot_drop"]}


@mechanism("quick-return", "lever angle atan2(d + r sin wt, r cos wt) and ram position by Pythagoras on the link",
           [("lever.phi ram.x", "01234", "0.25 0.9 1.57"), ("link.phi", "01", "1.2"),
            ("ram.tool.x lever.T.y", "04", "0.6 1.8")],
           (1, 1), facts=quick_return_facts)
def quick_return(p, t):
    theta = p["speed"] * t
    crank_pin = p["crank_length"] * turn(theta)
    pivot = spot(0, -p["pivot_drop"])
    lever = arg(crank_pin - pivot)
    top = pivot + p["lever_length"] * turn(lever)
    rise = p["guide_height"] - top.imag
    pin = spot(top.real - mp.sqrt(p["link_length"] ** 2 - rise ** 2), p["guide_height"])
    return (pose("crank", spot(0, 0), theta) | pose("lever", pivot, lever) | pose("link", top, arg(pin - top))
            | pose("ram", pin, mpf(0)) | place("crank.P", crank_pin) | place("lever.T", top)
            | place("ram.tool", pin + spot(mpf("-0.25"), mpf("-0.06"))))


@mechanism("four-bar", "loop closure of the four-bar, the coupler pin as the intersection of two circles",
           [("rocker.phi coupler.phi", "01234", "0.1 0.45"), ("coupler.P.x coupler.P.y", "01234", "0.25"),
            ("coupler.P.x coupler.P.y", "0", "0 0.75")], (1, 1))
def four_bar(p, t):
    theta = mp.pi / 4 + p["speed"] * t
    a = p["crank_length"] * turn(theta)
    q = spot(p["ground_length"], 0)
    b = dyad(a, q, p["coupler_length"], p["rocker_length"], +1)
    coupler = arg(b - a)
    return (pose("crank", spot(0, 0), theta) | pose("coupler", a, coupler) | pose("rocker", q, arg(b - q))
            | place("rocker.B", b)
            | place("coupler.P", a + turn(coupler) * spot(p["point_along"], p["point_beside"])))


def slider_crank_facts(p, at):
    r, l, e = p["crank_length"], p["rod_length"], p["eccentricity"]
    return {"stroke": mp.sqrt((l + r) ** 2 - e ** 2) - mp.sqrt((l - r) ** 2 - e ** 2)}


@mechanism("offset-slider-crank", "piston position r cos th + sqrt(l^2 - (r sin th - e)^2), rod angle by arcsine",
           [("piston.x rod.phi", "01234", "0.1 0.32 0.5"), ("rod.M.y", "04", "0.2")], (1, 1),
           facts=slider_crank_facts)
def slider_crank(p, t):
    r, l, e = p["crank_length"], p["rod_length"], p["eccentricity"]
    theta = mp.pi / 3 + p["speed"] * t
    a = r * turn(theta)
    rod = mp.asin((e - a.imag) / l)
    pin = spot(a.real + mp.sqrt(l ** 2 - (a.imag - e) ** 2), e)
    return (pose("crank", spot(0, 0), theta) | pose("rod", a, rod) | pose("piston", pin, mpf(0))
            | place("rod.M", (a + pin) / 2))


@mechanism("redundant-parallelogram", "the platform translates: every point of it runs on a circle of crank radius",
           [("platform.x platform.load.y", "01234", "0.3 0.9 1.6"), ("third-crank.phi", "0123", "0.5")],
           (0, 1))
def redundant_parallelogram(p, t):
    wt = p["speed"] * t
    theta = mp.pi / 6 + wt + p["unevenness"] * mp.sin(wt)
    a = p["crank_length"] * turn(theta)
    third = spot(p["third_along"], p["third_above"])
    return (pose("first-crank", spot(0, 0), theta) | pose("second-crank", spot(p["base_length"], 0), theta)
            | pose("third-crank", third, theta) | pose("platform", a, mpf(0)) | place("platform.C", a + third)
            | place("platform.load", a + spot(p["base_length"] / 2, mpf("0.08"))))


@mechanism("scotch-yoke", "yoke position r cos th, a pure harmonic",
           [("yoke.x crank.P.y", "01234", "0.1 0.23 0.4")], (1, 1))
def scotch_yoke(p, t):
    theta = mp.pi / 6 + p["speed"] * t
    pin = p["crank_length"] * turn(theta)
    yoke = spot(pin.real, 0)
    return (pose("crank", spot(0, 0), theta) | pose("yoke", yoke, mpf(0)) | place("crank.P", pin)
            | place("yoke.top", yoke + spot(0, p["slot_length"] / 2)))


@mechanism("planetary", "Willis' equation of the planetary train with fixed ring, the planet's mark on a hypocycloid",
           [("arm.phi planet.phi", "01", "0.15 0.5 1.0"), ("planet.mark.x planet.mark.y", "01234", "0.15 0.6")],
           (1, 1), [{"kind": "speed-ratio", "column": "sun.vphi", "of": "arm.vphi", "factor": 3.5, "tol": 1e-12}])
def planetary(p, t):
    sun = p["speed"] * t
    arm = sun / (1 + p["ring_radius"] / p["sun_radius"])
    planet = arm * (1 - p["ring_radius"] / p["planet_radius"])       # the ring stands still, seen from the arm it turns
    z = (p["sun_radius"] + p["planet_radius"]) * turn(mp.pi / 2 + arm)
    return (pose("sun", spot(0, 0), sun) | pose("arm", spot(0, 0), mp.pi / 2 + arm) | pose("planet", z, planet)
            | pose("ring", spot(0, 0), mpf(0)) | place("sun.mark", p["sun_radius"] * turn(sun))
            | place("planet.mark", z + p["planet_radius"] * turn(planet)))


@mechanism("rack-and-wheel", "in-line slider-crank for the wheel's centre, twice its travel for the bed",
           [("wheel.x bed.x wheel.phi", "01234", "0.3 1.1"), ("wheel.mark.y", "04", "0.7 1.6")], (1, 1))
def rack_and_wheel(p, t):
    r, l = p["crank_length"], p["rod_length"]
    theta = p["speed"] * t
    x = r * mp.cos(theta) + mp.sqrt(l ** 2 - (r * mp.sin(theta)) ** 2)
    travel = x - (r + l)
    phi = -travel / p["wheel_radius"]
    return (pose("crank", spot(0, 0), theta) | pose("wheel", spot(x, 0), phi)
            | pose("bed", spot(r + l + 2 * travel, p["wheel_radius"]), mpf(0))
            | place("wheel.mark", spot(x, 0) + turn(phi) * spot(0, -p["wheel_radius"])))


@mechanism("excavator-boom", "law of cosines in the triangle of each cylinder, whose length is a degree-9 blend",
           [("boom.phi stick.phi", "01234", "2.4 3.6"), ("stick.tip.x stick.tip.y", "01234", "4.2"),
            ("stick.tip.x stick.tip.y", "0", "0 8")], (2, 2))
def excavator_boom(p, t):
    def stretch(a, b):
        u = max(mpf(0), min(mpf(1), (t - a) / (b - a)))
        return u ** 5 * (126 - 420 * u + 540 * u ** 2 - 315 * u ** 3 + 70 * u ** 4)

    def corner(c, d, length):
        """Angle between the sides |c| and |d| of a triangle, opposite to the cylinder."""
        return mp.acos((abs(c) ** 2 + abs(d) ** 2 - length ** 2) / (2 * abs(c) * abs(d)))

    c, d = spot(mpf("0.55"), mpf("-0.6")), spot(mpf("2.3"), mpf("0.5"))
    boom = arg(c) - arg(d) + corner(c, d, p["boom_closed"] + p["boom_stroke"] * stretch(mpf("0.5"), mpf("4.5")))
    b = spot(p["boom_length"], 0)
    e, f = spot(mpf("2.6"), mpf("0.95")) - b, spot(mpf("-0.6"), mpf("0.15"))
    stick = boom + arg(e) - arg(f) - corner(e, f, p["stick_start"] + p["stick_stroke"] * stretch(mpf(2), mpf(7)))
    tip = b * turn(boom)
    return (pose("boom", spot(0, 0), boom) | pose("stick", tip, stick)
            | place("stick.tip", tip + p["stick_length"] * turn(stick)))


@mechanism("peaucellier", "inversion of the crank circle: P = (k^2/2r) (1, tan(th/2)), arms and rhombus by symmetry",
           [("upper-outer.P.y", "01234", "0.2 0.65 1.3"), ("upper-arm.phi lower-outer.phi", "01234", "0.35"),
            ("lower-inner.phi", "04", "0.8"), ("lower-outer.P.y", "0", "1.7")], (1, 1),
           [{"kind": "straight-line", "point": "upper-outer.P", "normal": [1.0, 0.0], "offset": 0.2625, "tol": 1e-12},
            {"kind": "straight-line", "point": "lower-outer.P", "normal": [1.0, 0.0], "offset": 0.2625, "tol": 1e-12}])
def peaucellier(p, t):
    r, arm, side = p["crank_length"], p["arm_length"], p["side_length"]
    theta = p["swing"] * mp.sin(2 * mp.pi * p["frequency"] * t)
    b = r + r * turn(theta)
    pen = (arm ** 2 - side ** 2) / (2 * r) * spot(1, mp.tan(theta / 2))
    along = turn(theta / 2)                                       # O, B and P are on this ray
    half = (abs(pen) - abs(b)) / 2
    height = mp.sqrt(side ** 2 - half ** 2)
    middle = (abs(pen) + abs(b)) / 2
    c, d = along * spot(middle, height), along * spot(middle, -height)
    return (pose("crank", spot(r, 0), theta) | pose("upper-arm", spot(0, 0), arg(c))
            | pose("lower-arm", spot(0, 0), arg(d)) | pose("upper-inner", b, arg(c - b))
            | pose("lower-inner", b, arg(d - b)) | pose("upper-outer", pen, arg(c - pen))
            | pose("lower-outer", pen, arg(d - pen)) | place("upper-outer.P", pen) | place("lower-outer.P", pen))


def jansen_facts(p, at):
    foot = [jansen_leg(p, mpf(2) * k / 240) for k in range(241)]
    x, y = [f["lower-plate.G.x"] for f in foot], [f["lower-plate.G.y"] for f in foot]
    return {"step length, on the grid": max(x) - min(x), "step height, on the grid": max(y) - min(y)}


@mechanism("jansen-leg", "five circle intersections in a chain, from the crank to the foot",
           [("lower-plate.G.x lower-plate.G.y", "01234", "0.4 1.1 1.6"),
            ("lower-plate.phi upper-plate.phi", "04", "0.8"), ("lower-plate.G.x lower-plate.G.y", "0", "0 2")],
           (1, 1), facts=jansen_facts)
def jansen_leg(p, t):
    theta = p["speed"] * t
    crank = p["m"] * turn(theta)
    b = spot(-p["a"], -p["l"])
    c = dyad(crank, b, p["j"], p["b"], -1)
    e = dyad(crank, b, p["k"], p["c"], +1)
    d = dyad(b, c, p["d"], p["e"], +1)
    f = dyad(d, e, p["f"], p["g"], -1)
    g = dyad(e, f, p["i"], p["h"], +1)
    return (pose("crank", spot(0, 0), theta) | pose("upper-rod", crank, arg(c - crank))
            | pose("lower-rod", crank, arg(e - crank)) | pose("upper-plate", b, arg(c - b))
            | pose("hanger", b, arg(e - b)) | pose("rear-rod", d, arg(f - d)) | pose("lower-plate", e, arg(f - e))
            | place("upper-plate.D", d) | place("lower-plate.F", f) | place("lower-plate.G", g))


@mechanism("watt-six-bar", "two circle intersections in a chain, one for each four-bar",
           [("output.phi bell-crank.phi", "01234", "0.15 0.55"), ("output.phi", "01234", "0.8"),
            ("second-coupler.phi first-coupler.phi", "04", "0.35")], (1, 1))
def watt_six_bar(p, t):
    theta = mp.pi / 2 + p["speed"] * t
    a = p["crank_length"] * turn(theta)
    q, s = spot(p["first_base"], 0), spot(p["first_base"] + p["second_base"], 0)
    b = dyad(a, q, p["first_rod"], p["bell_in"], +1)
    bell = arg(b - q)
    c = q + p["bell_out"] * turn(bell + p["bell_angle"])
    d = dyad(c, s, p["second_rod"], p["output_length"], +1)
    return (pose("crank", spot(0, 0), theta) | pose("first-coupler", a, arg(b - a)) | pose("bell-crank", q, bell)
            | pose("second-coupler", c, arg(d - c)) | pose("output", s, arg(d - s)) | place("output.D", d))


@mechanism("pantograph", "two-bar triangle over the pole and the pen, the pen being scale times the tracing point",
           [("pen-bar.P.x pen-bar.P.y", "01234", "0.5 1.7"), ("pole-bar.phi pen-bar.phi", "01234", "2.3")],
           (2, 2), [{"kind": "scaled-copy", "point": "pen-bar.P", "of": "tracing-bar.T", "factor": 2.5, "tol": 1e-12}])
def pantograph(p, t):
    u = p["turn"] * t
    trace = spot(p["centre_x"], p["centre_y"]) + p["leaf"] * mp.cos(3 * u) * turn(u)
    pen = p["scale"] * trace
    long, short = p["long_length"], p["short_length"]
    b = dyad(spot(0, 0), pen, long, long, +1)
    a, c = b * (short / long), b + (pen - b) * (short / long)
    return (pose("pole-bar", spot(0, 0), arg(b)) | pose("pen-bar", b, arg(pen - b))
            | pose("tracing-bar", trace, arg(a - trace)) | pose("cross-bar", trace, arg(c - trace))
            | place("pen-bar.P", pen) | place("tracing-bar.T", trace))


@mechanism("tusi-couple", "hypocycloid of ratio two: P = (2 rho cos th, 0), inner points on ellipses",
           [("wheel.P.x wheel.Q.y wheel.inside.y", "01234", "0.3 1.45"), ("wheel.phi", "01", "0.9")], (1, 1),
           [{"kind": "straight-line", "point": "wheel.P", "normal": [0.0, 1.0], "offset": 0.0, "tol": 1e-12},
            {"kind": "straight-line", "point": "wheel.Q", "normal": [math.sqrt(0.5), -math.sqrt(0.5)], "offset": 0.0,
             "tol": 1e-12}])
def tusi_couple(p, t):
    theta, rho = p["speed"] * t, p["wheel_radius"]
    c = rho * turn(theta)
    return (pose("arm", spot(0, 0), theta) | pose("wheel", c, -theta)
            | place("wheel.P", spot(2 * rho * mp.cos(theta), 0))
            | place("wheel.Q", rho * (mp.cos(theta) + mp.sin(theta)) * spot(1, 1))
            | place("wheel.inside", rho / 2 * spot(3 * mp.cos(theta), mp.sin(theta))))


@mechanism("toggle-press", "triangle of the cylinder for the knee, then Pythagoras on the lower link",
           [("ram.y upper-lever.phi barrel.phi", "01234", "0.3 0.8"), ("ram.y", "01234", "1.6")], (1, 1))
def toggle_press(p, t):
    reach = p["reach"] + p["stroke"] * (1 - mp.cos(2 * mp.pi * t / p["period"])) / 2
    head = spot(p["head_x"], p["head_y"])
    knee = dyad(spot(0, 0), head, reach, p["upper_arm"], -1)
    ram = spot(p["head_x"], knee.imag - mp.sqrt(p["lower_arm"] ** 2 - (p["head_x"] - knee.real) ** 2))
    return (pose("barrel", spot(0, 0), arg(knee)) | pose("rod", knee, arg(knee))
            | pose("upper-lever", head, arg(knee - head)) | pose("ram", ram, mpf(0)))


@mechanism("geared-five-bar", "crank angles in the ratio of the gears, then the intersection of two circles",
           [("left-arm.P.x left-arm.P.y", "01234", "0.1 0.45 0.7"), ("right-gear.phi", "01", "0.35"),
            ("right-arm.phi", "01234", "0.9")], (1, 1))
def geared_five_bar(p, t):
    left = 2 * mp.pi / 3 + p["speed"] * t
    right = mp.pi / 3 - p["left_radius"] / p["right_radius"] * p["speed"] * t
    q = spot(p["left_radius"] + p["right_radius"], 0)
    a, b = p["left_crank"] * turn(left), q + p["right_crank"] * turn(right)
    pen = dyad(a, b, p["left_link"], p["right_link"], +1)
    return (pose("left-gear", spot(0, 0), left) | pose("right-gear", q, right) | pose("left-arm", a, arg(pen - a))
            | pose("right-arm", b, arg(pen - b)) | place("left-arm.P", pen))


@mechanism("drafting-machine", "sum of two arms at given angles, the head translating",
           [("head.x head.y square.S.y", "01234", "0.4 1.3"), ("forearm.phi", "01234", "2.2")], (2, 2))
def drafting_machine(p, t):
    u = 2 * mp.pi * t / p["period"]
    upper = mp.pi / 3 + p["sweep"] * mp.sin(u)
    fore = upper - mp.pi / 2 + 2 * p["sweep"] * mp.sin(2 * u)
    elbow = p["upper_length"] * turn(upper)
    head = elbow + p["fore_length"] * turn(fore)
    return (pose("upper-arm", spot(0, 0), upper) | pose("forearm", elbow, fore) | pose("head", head, mpf(0))
            | pose("square", head, -mp.pi / 2) | place("head.R", head + p["ruler_length"])
            | place("square.S", head - spot(0, p["ruler_length"])))


@mechanism("differential-hoist", "the lift as a degree-9 blend, the chain wheel by the difference of its two rims",
           [("block.y chain-wheel.phi sheave.phi", "01234", "2.5"), ("chain-wheel.mark.x sheave.mark.y", "01234", "6"),
            ("block.y", "0", "0 10")], (1, 1))
def differential_hoist(p, t):
    u = max(mpf(0), min(mpf(1), (t - 1) / p["lift_time"]))
    rise = p["lift"] * u ** 5 * (126 - 420 * u + 540 * u ** 2 - 315 * u ** 3 + 70 * u ** 4)
    phi = 2 * rise / (p["large_rim"] - p["small_rim"])
    sheave = phi * (p["large_rim"] + p["small_rim"]) / (2 * p["sheave_rim"])
    block = spot((p["large_rim"] - p["small_rim"]) / 2, p["start_height"] + rise)
    return (pose("chain-wheel", spot(0, 0), phi) | pose("block", block, mpf(0)) | pose("sheave", block, sheave)
            | place("chain-wheel.mark", p["large_rim"] * turn(phi)) | place("block.hook", block - spot(0, mpf("0.25")))
            | place("sheave.mark", block + p["sheave_rim"] * turn(sheave)))


@mechanism("scissor-lift", "law of cosines for the cylinder, whose length is a degree-9 blend",
           [("platform.y rising-arm.phi crossing-arm.x", "01234", "1.5 2.75"), ("platform.goods.y", "0", "0 5")],
           (1, 1))
def scissor_lift(p, t):
    u = max(mpf(0), min(mpf(1), (t - p["lift_from"]) / (p["lift_until"] - p["lift_from"])))
    length = p["closed"] + p["stroke"] * u ** 5 * (126 - 420 * u + 540 * u ** 2 - 315 * u ** 3 + 70 * u ** 4)
    foot, b = spot(p["foot_x"], p["foot_y"]), p["push_point"]
    theta = arg(foot) + mp.acos((abs(foot) ** 2 + b ** 2 - length ** 2) / (2 * b * abs(foot)))
    width, height = p["arm_length"] * mp.cos(theta), p["arm_length"] * mp.sin(theta)
    return (pose("rising-arm", spot(0, 0), theta) | pose("crossing-arm", spot(width, 0), mp.pi - theta)
            | pose("platform", spot(0, height), mpf(0))
            | place("platform.goods", spot(mpf("0.6"), height + mpf("0.05"))))


@mechanism("slider-crank-engine", "piston height r cos wt + sqrt(l^2 - (r sin wt)^2), rod angle by arccosine",
           [("piston.y rod.phi", "01234", "0.0037 0.0151"), ("piston.crown.y", "04", "0.01 0.032")], (1, 1))
def slider_crank_engine(p, t):
    theta = mp.pi / 2 + p["speed"] * t
    a = p["crank_length"] * turn(theta)
    rod = mp.acos(-a.real / p["rod_length"])
    pin = spot(0, a.imag + p["rod_length"] * mp.sin(rod))
    return (pose("crank", spot(0, 0), theta) | pose("rod", a, rod) | pose("piston", pin, mpf(0))
            | place("piston.crown", pin + spot(0, mpf("0.03"))))


@mechanism("friction-slider-crank", "slider r cos th + sqrt(l^2 - (r sin th)^2), rod angle by arcsine",
           [("slider.x rod.phi", "01234", "0.02 0.136 0.23")], (1, 1))
def friction_slider_crank(p, t):
    r, l = p["crank_length"], p["rod_length"]
    theta = mp.pi / 6 + p["speed"] * t
    a = r * turn(theta)
    pin = spot(a.real + mp.sqrt(l ** 2 - a.imag ** 2), 0)
    return pose("crank", spot(0, 0), theta) | pose("rod", a, -mp.asin(a.imag / l)) | pose("slider", pin, mpf(0))


# ---------------------------------------------------------------------------------------------------------------------
# Derivatives of the closed forms, comparison, output

NODES = range(-6, 7)


def difference_weights():
    """Weights w[k][n] with f^(k)(t) = sum of w[k][n] f(t + n h) / h^k, exact for polynomials of degree 12."""
    powers = mp.matrix(len(NODES), len(NODES))
    for row in range(len(NODES)):
        for col, n in enumerate(NODES):
            powers[row, col] = mpf(n) ** row
    inverse = powers ** -1
    return [[inverse[c, k] * mp.factorial(k) for c in range(len(NODES))] for k in range(5)]


WEIGHTS = difference_weights()


class ClosedForm:
    """Positions with unwrapped angles, and time derivatives, from the closed form alone."""

    def __init__(self, function, mechanism, run):
        self.f = lambda t: function(mechanism.parameters, t)
        self.to, self.steps = run
        self.grid = [self.to * k / self.steps for k in range(self.steps + 1)]
        drawn = {f"{b}.phi": mechanism.drawn[3 * k + 2] for k, b in enumerate(mechanism.names)}
        mp.dps = 20
        self.samples = [self.f(t) for t in self.grid]
        mp.dps = 60
        self.columns = list(self.samples[0])
        for c in self.columns:                       # angles: continuous from the drawn angle
            if c.endswith(".phi"):
                last = drawn[c]
                for s in self.samples:
                    s[c] = last = self.near(s[c], last)

    @staticmethod
    def near(angle, reference):
        return angle + 2 * mp.pi * mp.nint((reference - angle) / (2 * mp.pi))

    def reference(self, t):
        return self.samples[int(mp.nint(t / self.to * self.steps))]

    def derivatives(self, t):
        """{column: [position, velocity, acceleration, jerk, snap]}"""
        h = self.to / 10 ** 6
        rows = [self.f(t + n * h) for n in NODES]
        about = self.reference(t)
        result = {}
        for c in self.columns:
            y = [self.near(r[c], about[c]) if c.endswith(".phi") else r[c] for r in rows]
            result[c] = [y[6]] + [mp.fdot(WEIGHTS[k], y) / h ** k for k in range(1, 5)]
        return result

    def scales(self):
        """Largest magnitude of each column, each order, over the run."""
        mp.dps = 45
        largest = {c: [mpf(0)] * 5 for c in self.columns}
        for t in self.grid[::max(1, self.steps // 120)]:
            for c, d in self.derivatives(t).items():
                largest[c] = [max(a, abs(b)) for a, b in zip(largest[c], d)]
        mp.dps = 60
        return largest


def column_name(base, order):
    *head, last = base.split(".")
    return ".".join(head + [ORDERS[order] + last])


def split_column(name):
    *head, last = name.split(".")
    for order, prefix in enumerate(ORDERS):
        if prefix and last in (prefix + "x", prefix + "y", prefix + "phi"):
            return ".".join(head + [last[1:]]), order
    return name, 0


def identity_error(identity, at):
    if identity["kind"] == "straight-line":
        n = identity["normal"]
        c = identity["point"]
        return abs(n[0] * at[c + ".x"][0] + n[1] * at[c + ".y"][0] - mpf(str(identity["offset"])))
    if identity["kind"] == "scaled-copy":
        factor, copy, original = mpf(str(identity["factor"])), identity["point"], identity["of"]
        return max(abs(at[f"{copy}.{c}"][0] - factor * at[f"{original}.{c}"][0]) for c in "xy")
    if identity["kind"] == "speed-ratio":
        (a, k), (b, m) = split_column(identity["column"]), split_column(identity["of"])
        return abs(at[a][k] - mpf(str(identity["factor"])) * at[b][m])
    raise ValueError(identity["kind"])


def examine(name):
    entry = LIBRARY[name]
    folder = MODELS / name
    model = Mechanism(folder / "model.toml")
    run = model.data["run"]
    assert run["analysis"] in ("kinematics", "inverse")
    to, steps = model.value(run["to"]), int(run["steps"])
    closed = ClosedForm(entry["closed_form"], model, (to, steps))

    # The run in double precision, from the drawing: branch, rank, distance to the closed form.
    drawn = np.array([float(x) for x in model.drawn])
    q = model.newton(drawn, 0.0)
    moved = np.max(np.abs(q - drawn) / np.tile([model.size, model.size, 1.0], len(model.names)))
    worst_gap, weakest, path, ranks = 0.0, math.inf, [], set()
    last = q
    for k, t in enumerate(closed.grid):
        guess = q + (q - last) if k > 1 else q
        last, q = q, model.newton(guess, float(t))
        path.append(q)
        exact = [mpf(float(x)) for x in q]
        for c in closed.columns:
            worst_gap = max(worst_gap, abs(float(model.column(exact, c).c[0] - closed.samples[k][c])))
        values = np.linalg.svd(model.scaled(model.jacobian(q, float(t))), compute_uv=False)
        assert len(values) == len(q), "fewer equations than coordinates"
        weakest = min(weakest, values[-1])
        free = np.linalg.svd(model.scaled(model.jacobian(q, float(t), joints_only=True)), compute_uv=False)
        ranks.add(int(np.sum(free > 1e-9)))
    assert worst_gap < 1e-9, f"{name}: the model is {worst_gap:.1e} away from the closed form"
    assert weakest > SMALLEST_SINGULAR_VALUE, f"{name}: nearly singular ({weakest:.1e})"
    assert len(ranks) == 1, f"{name}: the rank changes during the run: {ranks}"
    counted, true = len(drawn) - model.joint_rows, len(drawn) - ranks.pop()
    assert (counted, true) == entry["mobility"], f"{name}: mobility {counted}, {true}"

    # Checks, each confirmed by the second route.
    scales = closed.scales()
    checks, agreement = [], mpf(0)
    known = {}

    def at(time):
        if time not in known:
            t = mpf(time)
            k = t / to * steps
            assert abs(k - mp.nint(k)) < mpf(10) ** -30, f"{name}: t = {time} is not an output time"
            first = closed.derivatives(t)
            second = model.series(path[int(mp.nint(k))], t)
            nonlocal agreement
            for c in closed.columns:
                s = model.column(second, c)
                for order in range(5):
                    # A column that is zero or constant is compared on the scale of the coordinate itself.
                    scale = scales[c][order] or mpf(1)
                    gap = abs(s.c[order] * mp.factorial(order) - first[c][order]) / max(scale, mpf(10) ** -3)
                    agreement = max(agreement, gap)
                    assert gap < AGREE, f"{name}: {column_name(c, order)} at {time}: routes differ by {mp.nstr(gap, 3)}"
            known[time] = first
        return known[time]

    for bases, orders, times in entry["checks"]:
        for time in times.split():
            for base in bases.split():
                for order in map(int, orders):
                    scale = scales[base][order]
                    assert scale > mpf(10) ** -20, f"{name}: {base} order {order} is zero throughout"
                    checks.append({"column": column_name(base, order), "t": float(time),
                                   "value": float(at(time)[base][order]), "scale": float(mp.nstr(scale, 6))})

    for identity in entry["identities"]:
        worst = max(identity_error(identity, closed.derivatives(t)) for t in closed.grid[::10])
        assert worst < mpf(10) ** -25, f"{name}: {identity['kind']} is off by {mp.nstr(worst, 3)}"

    # Numbers quoted in the card: rows "| `column` | t | value |".
    quoted = 0
    for line in (folder / "card.md").read_text().splitlines() if (folder / "card.md").exists() else []:
        cell = [c.strip().strip("`") for c in line.strip().strip("|").split("|")]
        if len(cell) == 3 and "." in cell[0] and cell[0].split(".")[0] in model.names:
            base, order = split_column(cell[0])
            true_value = at(cell[1].removesuffix(" s"))[base][order]
            digits = cell[2].split("e")[0].lstrip("-0.").replace(".", "")
            unit = abs(true_value) * mpf(10) ** (1 - len(digits)) if true_value else mpf(10) ** -9
            assert abs(mpf(cell[2]) - true_value) <= unit, \
                f"{name}: the card says {line}, true is {mp.nstr(true_value, 15)}"
            quoted += 1

    expected = {
        "source": f"Closed form ({entry['sentence']}) evaluated in 60-digit arithmetic by tools/model_oracles.py.",
        "mobility": {"counted": counted, "rank": true},
        "checks": checks}
    if entry["identities"]:
        expected["identities"] = entry["identities"]
    print(f"{name:25} {len(checks):3} checks, {quoted} quoted; mobility {counted} counted, {true} true; "
          f"drawing corrected by {moved:.2f}; smallest singular value {weakest:.3f}; "
          f"routes agree to {mp.nstr(agreement, 2)}")
    if entry["facts"]:
        for k, v in entry["facts"](model.parameters, at).items():
            print(f"{'':27}{k}: {mp.nstr(v, 12)}")
    return expected


def write(expected):
    """One check a line, so that a change is easy to read."""
    def lines(key, value, indent):
        if not isinstance(value, list) or not value or not isinstance(value[0], dict):
            return f'{indent}"{key}": {json.dumps(value)}'
        return f'{indent}"{key}": [\n' + ",\n".join(f"{indent}  {json.dumps(c)}" for c in value) + f"\n{indent}]"

    out = [lines(key, expected[key], "  ") for key in ("source", "mobility", "identities", "checks") if key in expected]
    for key in DYNAMIC_KEYS:
        if key in expected:
            inner = ",\n".join(lines(k, v, "    ") for k, v in expected[key].items())
            out.append(f'  "{key}": {{\n{inner}\n  }}')
    return "{\n" + ",\n".join(out) + "\n}\n"


def main(arguments):
    check = "--check" in arguments
    wanted = [a for a in arguments if not a.startswith("-")] or list(LIBRARY)
    changed = []
    for name in wanted:
        path = MODELS / name / "expected.json"
        old = json.loads(path.read_text()) if path.exists() else {}
        text = write(examine(name) | {k: old[k] for k in DYNAMIC_KEYS if k in old})
        if not path.exists() or path.read_text() != text:
            changed.append(name)
            if not check:
                path.write_text(text)
    folders = {p.parent.name for p in MODELS.glob("*/model.toml")}
    if len(wanted) == len(LIBRARY) and folders != set(LIBRARY):
        print("models without a driven motion, see tools/dynamics_oracles.py:", *sorted(folders - set(LIBRARY)))
    if check and changed:
        sys.exit("expected.json is out of date: " + ", ".join(changed))


if __name__ == "__main__":
    main(sys.argv[1:])
