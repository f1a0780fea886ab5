#!/usr/bin/env python3
"""Numbers of the models with stops, tables and equations of their own, independent of the engine.

    python3 tools/contact_oracles.py              writes expected.json of the models below
    python3 tools/contact_oracles.py --check      writes nothing; fails if a file would change
    python3 tools/contact_oracles.py --tables     writes the tables (*.csv) that the models look up
    python3 tools/contact_oracles.py NAME ...     only these models

Each model is a textbook problem with a closed form between its impacts, worked out here by hand in 40-digit arithmetic:
parabolas, elliptic functions, harmonic oscillations, virtual work. Times of impacts and of release are roots of these
forms. From the model files come the parameters and the masses, nothing else. tools/dynamics_oracles.py and
tools/model_oracles.py leave these models out: their equations know neither stops nor tables.
"""

import csv
import json
import sys
import tomllib

from mpmath import mp, mpc, mpf

from model_oracles import MODELS, Expressions, write

SAME = mpf(10) ** -25                      # two routes to one number, relative


class Sheet:
    """Parameters and masses of a model file; what is expected of a run is gathered in it."""

    def __init__(self, name):
        self.name, self.folder = name, MODELS / name
        self.data = tomllib.loads((self.folder / "model.toml").read_text(), parse_float=mpf)
        value = Expressions(self.data["parameters"])
        value.names["bar"] = mpf(10) ** 5
        self.value, self.g = value, -value(self.data["gravity"][1])
        self.run = self.data["run"]
        self.step = value(self.run["to"]) / int(self.run["steps"])
        self.checks, self.start, self.inverse, self.end, self.events = [], [], [], [], []

    def __getattr__(self, name):
        return self.value(self.data["parameters"][name])

    def of(self, body, what):
        return self.value(self.data["bodies"][body][what])

    def com(self, body):
        return mpc(*[self.value(x) for x in self.data["bodies"][body]["com"]])

    # --- what is expected

    def on_the_grid(self, t):
        assert abs(t / self.step - mp.nint(t / self.step)) < mpf(10) ** -9, f"{self.name}: {t} is no output time"
        return float(t)

    def record(self, column, value, scale, **more):
        value, scale = mpf(value), mpf(scale)
        return {"column": column} | more | {"value": float(value) if abs(value) > SAME * scale else 0.0, "scale": float(scale)}

    def at_start(self, column, value, scale):
        self.start.append(self.record(column, value, scale))

    def at(self, column, t, value, scale, tolerance=1e-10):
        self.end.append(self.record(column, value, scale, t=self.on_the_grid(mpf(t))) | {"tolerance": tolerance})

    def motion(self, column, t, value, scale):
        self.checks.append(self.record(column, value, scale, t=self.on_the_grid(mpf(t))))

    def load(self, column, t, value, scale):
        self.inverse.append(self.record(column, value, scale, t=self.on_the_grid(mpf(t))))

    def event(self, kind, stop, t, tolerance, impulse=None, scale=None):
        more = {} if impulse is None else {"impulse": float(impulse), "scale": float(scale)}
        self.events.append({"kind": kind, "elements": [stop], "t": float(t)} | more | {"tolerance": tolerance})

    def expected(self, sentence, counted, rank):
        dynamics = {k: v for k, v in (("forward_start", self.start), ("inverse", self.inverse), ("end", self.end),
                                      ("events", self.events)) if v}
        return {"source": f"{sentence}: tools/contact_oracles.py.", "mobility": {"counted": counted, "rank": rank},
                "checks": self.checks, "dynamics": dynamics}


LIBRARY = {}


def own(name, sentence, counted, rank=None):
    def keep(function):
        LIBRARY[name] = (function, sentence, counted, counted if rank is None else rank)
        return function
    return keep


def same(a, b, scale=1):
    assert abs(a - b) <= SAME * scale, (mp.nstr(a, 30), mp.nstr(b, 30))


def root(f, a, b):
    """Root of f between a and b, where it changes sign."""
    fa = f(a)
    assert fa * f(b) < 0, (mp.nstr(fa, 5), mp.nstr(f(b), 5))
    return mp.findroot(f, (a, b), solver="anderson", tol=mpf(10) ** (5 - mp.dps), maxsteps=200)


# ---------------------------------------------------------------------------------------------------------------------

@own("bouncing-ball", "Parabolas between impacts whose speeds and durations are a geometric series", 3)
def bouncing_ball(s):
    g, e, h, m = s.g, s.restitution, s.height, s.of("ball", "mass")
    fall, u = mp.sqrt(2 * h / g), mp.sqrt(2 * g * h)
    rest = fall + 2 * e * u / (g * (1 - e))

    def state(t):
        if t < fall:
            return h - g * t ** 2 / 2, -g * t
        if t >= rest:
            return mpf(0), mpf(0)
        begin, up = fall, e * u                                  # of a flight, and its speed upwards
        while begin + 2 * up / g <= t:
            begin, up = begin + 2 * up / g, e * up
        x = t - begin
        return up * x - g * x ** 2 / 2, up - g * x

    s.at_start("ball.ay", -g, 10), s.at_start("ball.vx", s.drift, 1), s.at_start("floor.force", 0, 10)
    s.at_start("floor.gap", h, 1)
    for t in ("0.2", "0.5", "1", "1.4", "2", "2.5", "2.7", "2.8"):
        y, v = state(mpf(t))
        s.at("ball.y", t, s.radius + y, 1), s.at("ball.vy", t, v, 5), s.at("floor.gap", t, y, 1)
        s.at("floor.force", t, 0, 10)
    for t in ("3", "4"):
        s.at("ball.x", t, s.drift * mpf(t), 1), s.at("ball.y", t, s.radius, 1), s.at("ball.vy", t, 0, 5)
        s.at("ball.ay", t, 0, 10), s.at("floor.force", t, m * g, 10), s.at("floor.gap", t, 0, 1)
        s.at("energy.total", t, m * g * s.radius + m * s.drift ** 2 / 2, 1)
        s.at("energy.work", t, -m * g * h, 1)
    t, up = fall, u
    for k in range(12):
        s.event("impact", "floor", t, 1e-9, m * (1 + e) * up, 1)
        up *= e
        t += 2 * up / g
    s.event("contact", "floor", rest, 1e-8)


@own("newtons-cradle", "Pendulums by Jacobi's elliptic functions; each impact hands the whole speed to the other end", 5)
def newtons_cradle(s):
    g, m, l, J = s.g, s.ball_mass, s.thread, s.turning
    J0 = J + m * l ** 2
    w0 = mp.sqrt(m * g * l / J0)
    k = mp.sin(s.drawn / 2)
    K = mp.ellipk(k ** 2)
    quarter, speed = K / w0, 2 * k * w0                          # time to the lowest point, spin there

    def swing(t):
        """Angle (positive: to the right), spin and angular acceleration of a ball that passes the lowest point at 0."""
        sn, cn, dn = (mp.ellipfun(f, w0 * t, k=k) for f in ("sn", "cn", "dn"))
        angle = 2 * mp.asin(k * sn)
        return angle, 2 * k * w0 * cn, -w0 ** 2 * mp.sin(angle)

    # two routes to the motion: the function solves the equation of the pendulum, energy included
    x = mpf("0.123")
    same(mp.diff(lambda t: swing(t)[0], x), swing(x)[1], 1)
    same(mp.diff(lambda t: swing(t)[1], x), swing(x)[2], 100)
    same(J0 * speed ** 2 / 2, m * g * l * (1 - mp.cos(s.drawn)))

    def state(t):
        """(first, last) with angle, spin, acceleration: first swings until its lowest point, then last, in turn."""
        still = (mpf(0), mpf(0), mpf(0))
        half = int(mp.floor((t / quarter + 1) / 2))              # impacts so far
        since = t - (2 * half - 1) * quarter
        a, v, b = swing(since)
        return (still, (a, v, b)) if half % 2 else ((-a, -v, -b), still)

    same(state(mpf(0))[0][0], -s.drawn), same(state(mpf(0))[0][1], 0)
    s.at_start("first.aphi", w0 ** 2 * mp.sin(s.drawn), 100), s.at_start("last.aphi", 0, 100)
    s.at_start("touch-12.gap", abs(s.diameter + l * mp.sin(s.drawn) + mpc(0, l * (mp.cos(s.drawn) - 1))) - s.diameter, 1)
    s.at_start("touch-34.gap", 0, 1)
    s.at_start("hinge-3.fy", m * g, 10)
    for t in ("0.1", "0.25", "0.4", "0.8", "1", "1.4", "1.9", "2.5", "3"):
        first, last = state(mpf(t))
        s.at("first.phi", t, first[0], 1), s.at("last.phi", t, last[0], 1)
        s.at("first.vphi", t, first[1], 5), s.at("last.vphi", t, last[1], 5)
        s.at("third.phi", t, 0, 1), s.at("third.vphi", t, 0, 5)
        for ball, hinge in ((first, "hinge-1"), (last, "hinge-5")):
            a, w, b = ball
            s.at(hinge + ".fy", t, m * (g + l * (b * mp.sin(a) + w ** 2 * mp.cos(a))), 10)
        s.at("energy.total", t, -5 * m * g * l + m * g * l * (1 - mp.cos(s.drawn)), 10)
    order = ["touch-12", "touch-23", "touch-34", "touch-45"]
    for n in range(4):
        for stop in order if n % 2 == 0 else order[::-1]:
            s.event("impact", stop, (2 * n + 1) * quarter, 1e-9, J0 * speed / l, 1)


@own("rope-hoist", "One degree of freedom: energy, and its time by a power-series integration with 30 digits", 1)
def rope_hoist(s):
    g, M, m, b = s.g, s.load_mass, s.collar_mass, s.reach
    spool = s.pulley_mass / 2                                    # inertia of the disc over the square of its radius

    def run(y):                                                  # length from pulley to collar, and its derivatives by y
        r = mp.sqrt(b ** 2 + y ** 2)
        return r, y / r, b ** 2 / r ** 3

    def acceleration(y, v):
        """Lagrange for the depth y of the collar; the load rises by half of what the rope gives."""
        r, r1, r2 = run(y)
        c = M / 4 + spool
        return (m * g - M * g / 2 * r1 - c * r1 * r2 * v ** 2) / (m + c * r1 ** 2)

    def everything(y, v):
        r, r1, r2 = run(y)
        a = acceleration(y, v)
        rope = (r1 * v, r1 * a + r2 * v ** 2)                    # rate and second rate of the run
        tension = M * (g + rope[1] / 2) / 2                      # two parts carry the load
        slip = spool * rope[1]                                   # more than that in the part to the collar
        same(m * a, m * g - (tension + slip) * r1, 1000)         # the collar along the mast
        return {"collar.y": -y, "collar.vy": -v, "collar.ay": -a, "load.y": -s.drop + (r - b) / 2, "load.vy": rope[0] / 2,
                "load.ay": rope[1] / 2, "pulley.phi": -(r - b) / s.pulley_radius, "pulley.vphi": -rope[0] / s.pulley_radius,
                "rope.lambda1": tension, "no-slip.lambda1": slip, "mast.fx": (tension + slip) * b / r}

    size = {"y": 3, "vy": 5, "ay": 10, "phi": 10, "vphi": 20, "lambda1": 1000, "fx": 1000}
    for column, value in everything(mpf(0), mpf(0)).items():
        if not column.endswith(("y", "vphi", "phi")) or column.endswith("ay"):
            s.at_start(column, value, size[column.split(".")[1]])

    def energy(y, v):
        r, r1, _ = run(y)
        return m * v ** 2 / 2 + (M / 4 + spool) * (r1 * v) ** 2 / 2 - m * g * y + M * g * (r - b) / 2

    solve = mp.odefun(lambda t, x: [x[1], acceleration(x[0], x[1])], 0, [mpf(0), mpf(0)], tol=mpf(10) ** -32)
    # the second route: t is the integral of dy over the speed that energy leaves, as long as the collar falls
    y, v = solve(mpf("0.3"))
    assert abs(energy(y, v)) < mpf(10) ** -27

    def slowness(x):                                             # y = x^2 takes the root out of the start
        depth = x ** 2
        r, r1, _ = run(depth)
        force = m * g - M * g / 2 * depth / (r + b)              # energy over the depth
        return 2 * mp.sqrt((m + (M / 4 + spool) * r1 ** 2) / (2 * force))

    same(mp.quad(slowness, [0, mp.sqrt(y) / 2, mp.sqrt(y)]), mpf("0.3"), 100)
    for t in ("0.3", "0.9", "1.6", "2.5", "4"):
        for column, value in everything(*solve(mpf(t))).items():
            s.at(column, t, value, size[column.split(".")[1]])
    # with the collar as far down as it gets, by hand: m y = M/2 (sqrt(b^2 + y^2) - b)
    ratio = 2 * m / M
    deepest = 2 * b * ratio / (1 - ratio ** 2)
    same(energy(deepest, mpf(0)), 0, 1000)


@own("toggle-clamp", "Lagrange's equations of handle and pad, integrated with 20 digits up to the first blow on each stop; then statics by "
     "virtual work", 2)
def toggle_clamp(s):
    g, a, b, k = s.g, s.handle_length, s.link_length, s.rubber
    mh, ml, mq, mf = (s.of(n, "mass") for n in ("handle", "link", "plunger", "pad"))
    com, Jh, Jl = s.com("handle"), s.of("handle", "inertia"), ml * b ** 2 / 12
    damping, e = mpf(s.data["forces"]["rubber"]["damping"]), mpf(s.data["stops"]["dead-centre"]["restitution"])

    def plunger(angle):
        """Its place, and the derivatives by the angle of the handle."""
        z, c = a * mp.sin(angle), a * mp.cos(angle)
        S = mp.sqrt(b ** 2 - z ** 2)
        return c + S, -z - z * c / S, -c - (c ** 2 - z ** 2) / S - (z * c) ** 2 / S ** 3

    def inertia(angle):
        """Of everything that moves with the handle, and its derivative."""
        z, c = a * mp.sin(angle), a * mp.cos(angle)
        S, (_, x1, x2) = mp.sqrt(b ** 2 - z ** 2), plunger(angle)
        u1, u2 = mpc(x1 - z, c) / 2, mpc(x2 - c, -z) / 2         # the middle of the link
        t1, t2 = -c / S, z / S - c * z * c / S ** 3              # its angle
        return (Jh + mh * abs(com) ** 2 + ml * abs(u1) ** 2 + Jl * t1 ** 2 + mq * x1 ** 2,
                2 * (ml * (u1.real * u2.real + u1.imag * u2.imag) + Jl * t1 * t2 + mq * x1 * x2))

    x = mpf("0.6")
    same(mp.diff(lambda q: plunger(q)[0], x), plunger(x)[1]), same(mp.diff(lambda q: plunger(q)[1], x), plunger(x)[2])
    same(mp.diff(lambda q: inertia(q)[0], x), inertia(x)[1])

    def weight(angle):                                           # moment of all weights on the handle
        return -g * (mh * (com * mp.expj(angle)).real + ml * a * mp.cos(angle) / 2)

    def pressed(angle, spin, face, speed):                       # by the rubber on the pad
        at, slope, _ = plunger(angle)
        return k * (s.rubber_length - face + at) + damping * (slope * spin - speed)

    def rates(t, y):                                             # while the hand pushes and the pad is free
        angle, spin, face, speed = y
        J, slope = inertia(angle)
        push = pressed(*y)
        moment = -s.torque + weight(angle) - push * plunger(angle)[1] - slope * spin ** 2 / 2
        return [spin, moment / J, speed, push / mf]

    def rates_held(t, y):
        angle, spin = y
        return rates(t, [angle, spin, s.face, mpf(0)])[:2]

    with mp.workdps(24):
        free = mp.odefun(rates, 0, [s.open, mpf(0), plunger(s.open)[0] + s.rubber_length, mpf(0)], tol=mpf(10) ** -20)
        ms = mpf("0.001")
        late = next(n for n in range(1, 300) if free(n * ms)[2] > s.face)
        hit = root(lambda t: free(t)[2] - s.face, (late - 1) * ms, late * ms)
        before = free(hit)
        held = mp.odefun(rates_held, hit, before[:2], tol=mpf(10) ** -20)
        end = next(n for n in range(late, 300) if held(n * ms)[0] < -s.beyond)
        blow = root(lambda t: held(t)[0] + s.beyond, (end - 1) * ms, end * ms)
        spin = held(blow)[1]
        pushes = [pressed(*held(hit + (blow - hit) * n / 40), s.face, mpf(0)) for n in range(1, 41)]
        assert min(pushes) > 0                                   # the workpiece never has to pull
        s.event("impact", "workpiece", hit, 1e-9, mf * before[3], 1)
        s.event("contact", "workpiece", hit, 1e-9)
        s.event("impact", "dead-centre", blow, 1e-9, -(1 + e) * inertia(-s.beyond)[0] * spin, 1)
        s.at_start("handle.phi", s.open, 1), s.at_start("handle.aphi", rates(0, free(0))[1], 1000)
        s.at_start("rubber.f", 0, 100), s.at_start("workpiece.force", 0, 100)
        s.at_start("dead-centre.gap", s.open + s.beyond, 1)
        s.at_start("workpiece.gap", s.face - s.rubber_length - plunger(s.open)[0], 1)
        early = [late // 3, 2 * late // 3, late - 1]
        for n in early + [n for n in range(late, end)][:3]:
            y = free(n * ms) if n < late else held(n * ms) + [s.face, mpf(0)]
            s.at("handle.phi", n * ms, y[0], 1), s.at("handle.vphi", n * ms, y[1], 100), s.at("pad.x", n * ms, y[2], 1)
            s.at("rubber.f", n * ms, -pressed(*y), 1000)
            s.at("workpiece.force", n * ms, 0 if n < late else pressed(*y), 1000)

    # at rest: the push along the guide, the link in the line from K to P, half of its weight at each end, moments about O
    angle = -s.beyond
    push = k * (s.rubber_length - s.face + plunger(angle)[0])
    rise = a * mp.sin(angle)
    upwards = push * rise / mp.sqrt(b ** 2 - rise ** 2) - ml * g / 2      # at K; K is below the guide: downwards
    moment = a * mp.cos(angle) * upwards + rise * push - mh * g * (com * mp.expj(angle)).real
    same(moment, weight(angle) - push * plunger(angle)[1], 100)  # virtual work
    for t, hand in (("0.25", s.torque), ("0.3", s.torque), ("0.4", mpf(0)), ("0.5", mpf(0))):
        s.at("handle.phi", t, angle, 1), s.at("handle.vphi", t, 0, 100), s.at("plunger.x", t, plunger(angle)[0], 1)
        s.at("pad.x", t, s.face, 1), s.at("rubber.f", t, -push, 1000), s.at("workpiece.force", t, push, 1000)
        s.at("dead-centre.force", t, hand - moment, 10), s.at("pin.fx", t, push, 1000)


# ---------------------------------------------------------------------------------------------------------------------
# Tables

class Periodic:
    """The quintic spline with four continuous derivatives through equidistant values of one period: there is only one."""

    def __init__(self, path, period):
        with path.open() as file:
            rows = [r for r in csv.reader(file) if r and not r[0].startswith("#")]
        rows = [(mpf(x.strip()), mpf(y.strip())) for x, y in rows[1:]]
        self.x, values = [x for x, _ in rows], [y for _, y in rows]
        assert self.x[0] == 0 and self.x[-1] == period and values[0] == values[-1]
        self.value = dict(rows)
        self.n = n = len(rows) - 1
        self.h, self.period = mpf(period) / n, mpf(period)
        assert all(x == k * self.h for k, x in enumerate(self.x))
        matrix = mp.zeros(n)                                     # of B-splines: 1, 26, 66, 26, 1 over 120
        for k in range(n):
            for shift, weight in ((-2, 1), (-1, 26), (0, 66), (1, 26), (2, 1)):
                matrix[k, (k + shift) % n] += mpf(weight) / 120
        self.c = list(mp.lu_solve(matrix, mp.matrix(values[:n])))

    @staticmethod
    def piece(u, order):
        """Derivative of the B-spline of degree 5, carried by [-3, 3]."""
        total = mpf(0)
        for k in range(7):
            x = u + 3 - k
            if x > 0:
                total += (-1) ** k * mp.binomial(6, k) * x ** (5 - order)
        return total / mp.factorial(5 - order)

    def __call__(self, x, order=0):
        u = x / self.h
        first = int(mp.floor(u)) - 2
        total = mp.fsum(self.c[k % self.n] * self.piece(u - k, order) for k in range(first, first + 6))
        return total / self.h ** order


def blend(u):
    u = min(max(u, 0.0), 1.0)
    return u ** 3 * (10 - 15 * u + 6 * u ** 2)


def gas_table(s):
    """An Otto cycle with rounded corners: bar over degrees of the crank, from the top dead centre of the power stroke."""
    r, l, ratio, exponent = float(s.crank_length), float(s.rod_length), 10.0, 1.32
    cos, sin, sqrt = (lambda x: float(mp.cos(x))), (lambda x: float(mp.sin(x))), (lambda x: float(mp.sqrt(x)))

    def volume(degrees):                                         # over that at the bottom
        phi = mp.pi * degrees / 180
        fallen = r + l - r * cos(phi) - sqrt(l * l - (r * sin(phi)) ** 2)
        return (1 / (ratio - 1) + fallen / (2 * r)) / (1 / (ratio - 1) + 1)

    rows = []
    for degrees in range(0, 725, 5):
        closed = degrees - 720 if degrees > 540 else degrees     # valves closed from -150 to 130
        burnt = 1 + 2.4 * blend((closed + 15) / 55)
        inside = 0.9 * volume(closed) ** -exponent * burnt
        outside = 1.1 - 0.2 * blend((degrees - 340) / 40)
        shut = 1 - blend((degrees - 130) / 60) + blend((degrees - 540) / 30)
        rows.append((degrees, round(outside + (inside - outside) * shut, 6)))
    rows[-1] = (720, rows[0][1])
    return "degrees, bar", rows, "Pressure in the cylinder over the angle of the crank; 0 is the top dead centre of the power stroke."


def cam_table(s):
    """Lift in mm over degrees of the cam: 9 (1 - u^2)^4 for u from -1 to 1 in 140 degrees about 180."""
    rows = []
    for degrees in range(0, 365, 5):
        u = (degrees - 180) / 70
        rows.append((degrees, round(9 * (1 - u * u) ** 4, 6) if abs(u) < 1 else 0.0))
    return "degrees, mm", rows, "Lift of the cam over its angle."


TABLES = {"four-stroke-engine": ("gas.csv", gas_table), "valve-train": ("cam.csv", cam_table)}


@own("four-stroke-engine", "Slider-crank in closed form, pressures from the table itself, Newton and Euler from piston to shaft, "
     "and virtual work", 1)
def four_stroke_engine(s):
    g, r, l, w = s.g, s.crank_length, s.rod_length, s.speed
    mc, mr, mk = (s.of(n, "mass") for n in ("crank", "rod", "piston"))
    Jc, Jr = s.of("crank", "inertia"), s.of("rod", "inertia")
    cc, cr = s.com("crank").real, s.com("rod").real
    area = mp.pi * s.bore ** 2 / 4
    gas = Periodic(s.folder / "gas.csv", 720)

    def pins(t):
        A = mpc(0, 1) * r * mp.expj(w * t)                       # from the top, counterclockwise
        return A, mpc(0, A.imag + mp.sqrt(l ** 2 - A.real ** 2))

    def height(t):
        return pins(t)[1].imag

    def tilt(t):
        A, P = pins(t)
        return mp.arg(P - A)

    def d(f, t, n):
        return mp.diff(f, t, n, h=mpf(10) ** -9 / w) if n else f(t)

    def energy(t):
        A, P = pins(t)
        centre = lambda x: pins(x)[0] + cr * (pins(x)[1] - pins(x)[0]) / l
        kinetic = Jc * w ** 2 / 2 + mc * (cc * w) ** 2 / 2 + mr * abs(d(centre, t, 1)) ** 2 / 2 + Jr * d(tilt, t, 1) ** 2 / 2
        kinetic += mk * d(height, t, 1) ** 2 / 2
        return kinetic + g * (mc * (cc * A / r).imag + mr * centre(t).imag + mk * P.imag)

    def loads(t):
        """Forces on the second body of each joint, and the torque of the flywheel, from the piston inwards."""
        bar = gas.value[mp.nint(mp.degrees(w * t)) % 720]
        same(gas(mp.degrees(w * t)), bar, 100)                   # in the points of the table the spline is the table
        push = (bar - s.ambient) * mpf(10) ** 5 * area
        A, P = pins(t)
        C = A + cr * (P - A) / l
        acc = d(lambda x: pins(x)[0] + cr * (pins(x)[1] - pins(x)[0]) / l, t, 2)
        pin_y = mk * (d(height, t, 2) + g) + push
        # moments about A: J alpha + m (C - A) x (acc + g) = (P - A) x (-pin)
        arm, cross = P - A, lambda u, v: u.real * v.imag - u.imag * v.real
        moment = Jr * d(tilt, t, 2) + mr * cross(C - A, acc + mpc(0, g))
        pin_x = (moment + arm.real * pin_y) / arm.imag
        pin = mpc(pin_x, pin_y)
        crank_pin = pin + mr * (acc + mpc(0, g))
        centre = cc * A / r
        bearing = crank_pin + mc * (-w ** 2 * centre + mpc(0, g))
        torque = cross(A, crank_pin) + mc * g * centre.real
        power = torque * w
        same(power, mp.diff(energy, t, h=mpf(10) ** -12) + push * d(height, t, 1), 10 ** 12)
        return bar, push, {"main-bearing.fx": bearing.real, "main-bearing.fy": bearing.imag, "crank-pin.fx": crank_pin.real,
                           "crank-pin.fy": crank_pin.imag, "piston-pin.fx": pin.real, "piston-pin.fy": pin.imag,
                           "cylinder.fx": -pin.real, "flywheel.effort": torque}

    def time(degrees):
        return mp.radians(mpf(degrees)) / w

    def on(degrees):
        return mp.nint(time(degrees) / s.step) * s.step
    biggest = {c: mpf(1) for c in ("", "v", "a", "j", "s")}
    places = [time(x) for x in range(0, 360, 10)]
    for n, c in enumerate(biggest):
        biggest[c] = max(abs(d(height, t, n)) for t in places)
    turns = {c: max(abs(d(tilt, t, n)) for t in places) for n, c in enumerate(biggest)}
    for degrees in (20, 255, 610):
        t = time(degrees)
        for n, c in enumerate(biggest):
            s.motion(f"piston.{c}y", on(degrees), d(height, t, n), mp.nstr(biggest[c], 4))
            s.motion(f"rod.{c}phi", on(degrees), d(tilt, t, n), mp.nstr(turns[c], 4))
    for degrees in (0, 20, 95, 190, 360, 480, 655, 700):
        bar, push, columns = loads(time(degrees))
        if degrees in (20, 480, 700):
            s.load("pressure", on(degrees), bar * mpf(10) ** 5, 5e6)
            s.load("gas-load", on(degrees), push, 2e4)
        for column, value in columns.items():
            if degrees == 0:
                s.at_start(column, value, 2e4)
            else:
                s.load(column, on(degrees), value, 2e4)
    # mean torque over the 144 steps, for the card
    mean = mp.fsum(loads(time(x))[2]["flywheel.effort"] for x in range(0, 720, 5)) / 144
    print(f"{'':20} mean torque of the flywheel {mp.nstr(mean, 8)} N m, mean power {mp.nstr(-mean * w / 1000, 6)} kW")


@own("valve-train", "Contact force in closed form on the periodic quintic spline of the table, its zero, the harmonic flight and "
     "its end", 2)
def valve_train(s):
    g, w, m, k = s.g, s.speed, s.valve_mass, s.stiffness
    cam = Periodic(s.folder / "cam.csv", 360)
    mm, rate = mpf("0.001"), w * 180 / mp.pi                     # degrees a second

    def lift(t, order=0):
        return mm * cam(rate * t, order) * rate ** order

    def force(t):                                                # of the cam on the tappet while they touch
        return m * (lift(t, 2) + g) + s.preload + k * lift(t)

    swing, middle = mp.sqrt(k / m), -(s.preload + m * g) / k     # without the cam: an oscillation about this lift

    def flight(begin):
        y, v = lift(begin) - middle, lift(begin, 1)

        def at(t):
            c, z = mp.cos(swing * (t - begin)), mp.sin(swing * (t - begin))
            return middle + y * c + v / swing * z, v * c - y * swing * z
        return at

    turn = 2 * mp.pi / w
    grid = [turn * x / 720 for x in range(720)]
    begin = next(root(force, a, b) for a, b in zip(grid, grid[1:]) if force(a) > 0 > force(b))
    assert min(force(t) for t in grid if t < begin) > 0
    path = flight(begin)
    gap = lambda t: path(t)[0] - lift(t)
    later = [begin + turn * x / 3600 for x in range(2, 1200)]
    land = next(root(gap, a, b) for a, b in zip(later, later[1:]) if gap(a) > 0 > gap(b))
    assert min(force(t) for t in grid if t > land) > 0           # no second flight in this turn
    blow = m * (lift(land, 1) - path(land)[1])
    assert blow > 0
    print(f"{'':20} lift-off at {mp.nstr(rate * begin, 8)} degrees, landing at {mp.nstr(rate * land, 8)}, "
          f"largest gap {mp.nstr(max(gap(t) for t in later if t < land) * 1000, 5)} mm")

    s.at_start("cam-face.force", force(mpf(0)), 1000), s.at_start("cam-face.gap", 0, 1)
    s.at_start("spring.f", -s.preload - k * lift(mpf(0)), 1000), s.at_start("valve.ay", lift(mpf(0), 2), 1e4)
    for n in (0, 1):
        s.event("release", "cam-face", begin + n * turn, 1e-9)
        s.event("impact", "cam-face", land + n * turn, 1e-9, blow, 1)
    for t in ("0.005", "0.008", "0.0095", "0.0105", "0.012", "0.0128", "0.0135", "0.02", "0.0275", "0.0305", "0.0325", "0.04"):
        x = mpf(t) % turn
        touching = not begin < x < land
        y, v = (lift(x), lift(x, 1)) if touching else path(x)
        a = lift(x, 2) if touching else -swing ** 2 * (y - middle)
        push = force(x) if touching else mpf(0)
        s.at("valve.y", t, s.base_circle + y, 0.1), s.at("valve.vy", t, v, 10), s.at("valve.ay", t, a, 1e4)
        s.at("cam-face.force", t, push, 1000), s.at("cam-face.gap", t, y - lift(x), 0.1)
        s.at("lift", t, lift(x), 0.1), s.at("timing-belt.effort", t, push * lift(x, 1) / w, 10)


# ---------------------------------------------------------------------------------------------------------------------

def compare_card(sheet, expected):
    """Numbers quoted in the card, rows "| `column` | t | value |": they must be among the records."""
    records, quoted = {}, 0
    for part in ("forward_start", "inverse", "end"):
        for r in expected["dynamics"].get(part, []):
            records[r["column"], r.get("t", 0.0)] = r["value"]
    records |= {(r["column"], r["t"]): r["value"] for r in expected["checks"]}
    for k, r in enumerate(expected["dynamics"].get("events", [])):
        records[f"{r['kind']} {k + 1}", None] = r["t"]
    path = sheet.folder / "card.md"
    for line in path.read_text().splitlines() if path.exists() else []:
        cell = [c.strip().strip("`") for c in line.strip().strip("|").split("|")]
        if len(cell) != 3 or cell[0] in ("column", "") or set(cell[0]) <= {"-", ":"}:
            continue
        t = None if cell[1] == "event" else float(cell[1].removesuffix(" s"))
        near = [v for (c, x), v in records.items() if c == cell[0] and (x == t or (t is not None and x is not None
                                                                                  and abs(x - t) < 1e-6))]
        assert near, f"{sheet.name}: the card says {line}, which is no record"
        value = near[0]
        digits = cell[2].split("e")[0].lstrip("-0.").replace(".", "")
        unit = abs(value) * 10.0 ** (1 - len(digits)) if value else 1e-9
        assert abs(float(cell[2]) - value) <= unit, f"{sheet.name}: the card says {line}, true is {value!r}"
        quoted += 1
    return quoted


def write_tables():
    for name, (file, make) in TABLES.items():
        sheet = Sheet(name)
        heading, rows, comment = make(sheet)
        (sheet.folder / file).write_text(f"# {comment}\n{heading}\n" + "".join(f"{x}, {y:.6f}\n" for x, y in rows))


def main(arguments):
    mp.dps = 40
    if "--tables" in arguments:
        write_tables()
    check, changed = "--check" in arguments, []
    for name in [a for a in arguments if not a.startswith("-")] or list(LIBRARY):
        function, sentence, counted, rank = LIBRARY[name]
        sheet = Sheet(name)
        function(sheet)
        expected = sheet.expected(sentence, counted, rank)
        quoted = compare_card(sheet, expected)
        print(f"{name:20} " + ", ".join(f"{len(v)} {k}" for k, v in expected["dynamics"].items()) + f"; {quoted} quoted")
        path, text = sheet.folder / "expected.json", write(expected)
        if not path.exists() or path.read_text() != text:
            changed.append(name)
            if not check:
                path.write_text(text)
    if check and changed:
        sys.exit("expected.json is out of date: " + ", ".join(changed))


if __name__ == "__main__":
    main(sys.argv[1:])
