#!/usr/bin/env python3
"""Forces and motions that the model library must show, independent of the engine.

    python3 tools/dynamics_oracles.py              adds to models/*/expected.json
    python3 tools/dynamics_oracles.py --check      writes nothing; fails if a file would change
    python3 tools/dynamics_oracles.py NAME ...     only these models

Every model: the Cartesian equations of motion that model.toml states, with the centre of mass as the reference point
of a body, in 60-digit arithmetic: Jacobian, gamma, eta, kappa, Q and the rate of Q in the closed forms of the planar
specification. From them

  - forward_start: accelerations, jerks, multipliers and their rates at t = 0, as assembled, the velocities of the file
    projected on the constraints in the metric of the masses;
  - inverse, for driven models: reactions and efforts at two times of the run.

They are confirmed by a second route: along the Taylor polynomial of the motion, numerical differences of the plain
equations M q'' + J^T lambda - Q and J q' - nu must vanish; for driven models, accelerations and jerks must also be
those that the power series of tools/model_oracles.py give.

The models that move by themselves also have a route of their own, by hand: a closed form, or the textbook equations in
minimal coordinates, integrated by Radau collocation with 30 digits. It gives `end` and `equilibrium`.

Models with stops, tables or equations of their own are left to tools/contact_oracles.py.
"""

import json
import sys
import tomllib

import numpy as np
from mpmath import mp, mpc, mpf

import contact_oracles
import model_oracles
from model_oracles import DYNAMIC_KEYS, MODELS, Mechanism, Series, write

CAMS = ("flat-cam", "roller-cam")  # these have an oracle of their own: tools/cam_oracles.py

mp.dps = 60
TINY = mpf(10) ** -25                      # agreement of two routes, relative
ONE, I = mpc(1), mpc(0, 1)                 # a vector is a complex number; I * s is s turned by 90 degrees
INVERSE_AT = (0.23, 0.71)                  # times of the inverse checks, as parts of the run


def dot(a, b):
    return a.real * b.real + a.imag * b.imag


def cross(a, b):
    return a.real * b.imag - a.imag * b.real


def derivatives(series, orders):
    return [Series.of(series).c[k] * mp.factorial(k) for k in range(orders)]


# ---------------------------------------------------------------------------------------------------------------------
# State and rows

class State:
    """r[body][n] and phi[body][n]: n-th derivative of the centre of mass and of the angle."""

    def __init__(self, model, t):
        self.model, self.t = model, t
        self.r = {b: [mpc(0)] * 4 for b in ["ground"] + model.names}
        self.phi = {b: [mpf(0)] * 4 for b in ["ground"] + model.names}

    def flat(self, order):
        out = []
        for b in self.model.names:
            out += [self.r[b][order].real, self.r[b][order].imag, self.phi[b][order]]
        return out

    def put(self, order, values):
        for k, b in enumerate(self.model.names):
            self.r[b][order] = mpc(values[3 * k], values[3 * k + 1])
            self.phi[b][order] = values[3 * k + 2]

    def later(self, h):
        """The state after the time h along the Taylor polynomial of degree 3 (positions and velocities)."""
        s = State(self.model, self.t + h)
        for mine, other in ((self.r, s.r), (self.phi, s.phi)):
            for b, c in mine.items():
                other[b] = [c[0] + h * (c[1] + h * (c[2] / 2 + h * c[3] / 6)), c[1] + h * (c[2] + h * c[3] / 2),
                            c[2] + h * c[3], c[3]]
        return s

    def arm(self, body, s):
        return mp.expj(self.phi[body][0]) * s

    def direction(self, body, s):
        return Point(self, body, s, [mpc(0)] * 4)

    def point(self, body, s):
        return Point(self, body, s, self.r[body])


class Point:
    """A body-fixed point (or vector): its arm and its derivatives 0 to 3."""

    def __init__(self, state, body, s, r):
        self.body, self.s = body, state.arm(body, s)
        self.w, self.a, self.z = state.phi[body][1:4]
        self.p = [r[0] + self.s, r[1] + self.w * I * self.s, r[2] + (self.a * I - self.w ** 2) * self.s,
                  r[3] + ((self.z - self.w ** 3) * I - 3 * self.w * self.a) * self.s]

    def gamma(self):
        return self.w ** 2 * self.s

    def eta(self):
        return self.w ** 3 * I * self.s + 3 * self.w * self.a * self.s


class Row:
    """One equation: blocks of the Jacobian, right-hand sides, and kappa for a multiplier of 1."""

    def __init__(self, nu=0, gamma=0, eta=0):
        self.jacobian, self.kappa = {}, {}
        self.nu, self.gamma, self.eta = mpf(nu), mpf(gamma), mpf(eta)

    def block(self, body, force, moment, kappa_force=mpc(0), kappa_moment=mpf(0)):
        for store, f, m in ((self.jacobian, force, moment), (self.kappa, kappa_force, kappa_moment)):
            old = store.get(body, [mpf(0)] * 3)
            store[body] = [old[0] + f.real, old[1] + f.imag, old[2] + m]
        return self

    def component(self, factor, e, point):
        """Adds factor times the component of a point along the fixed direction e."""
        self.gamma += factor * dot(e, point.gamma())
        self.eta += factor * dot(e, point.eta())
        return self.block(point.body, factor * e, factor * dot(e, I * point.s),
                          kappa_moment=-factor * point.w * dot(point.s, e))

    def angle(self, factor, body):
        return self.block(body, mpc(0), mpf(factor))

    def motion(self, f, squared=False):
        if squared:
            self.nu += 2 * f[0] * f[1]
            self.gamma += 2 * f[1] ** 2 + 2 * f[0] * f[2]
            self.eta += 6 * f[1] * f[2] + 2 * f[0] * f[3]
        else:
            self.nu, self.gamma, self.eta = self.nu + f[1], self.gamma + f[2], self.eta + f[3]
        return self


def pin_rows(i, j):
    return [Row().component(1, e, j).component(-1, e, i) for e in (ONE, I)]


def distance_row(i, j):
    d = [b - a for a, b in zip(i.p, j.p)]
    row = Row(0, 2 * dot(d[0], j.gamma() - i.gamma()) - 2 * dot(d[1], d[1]),
              2 * dot(d[0], j.eta() - i.eta()) - 6 * dot(d[1], d[2]))
    for sign, p in ((-2, i), (2, j)):
        row.block(p.body, sign * d[0], sign * dot(d[0], I * p.s), sign * d[1],
                  sign * (dot(I * p.s, d[1]) - p.w * dot(p.s, d[0])))
    return row


def parallel_row(a, b):
    c, phi, w, alpha = dot(a.s, b.s), cross(a.s, b.s), b.w - a.w, b.a - a.a
    row = Row(0, phi * w ** 2, 3 * phi * w * alpha + c * w ** 3)
    row.block(a.body, mpc(0), -c, kappa_moment=phi * w)
    return row.block(b.body, mpc(0), c, kappa_moment=-phi * w)


def slot_row(a, i, j):
    """The pin j lies on the line through i along a (both of one body)."""
    d = [q - p for p, q in zip(i.p, j.p)]
    w, alpha = a.w, a.a
    gamma_r, eta_r = j.gamma() - i.gamma(), j.eta() - i.eta()
    row = Row(0, dot(a.s, 2 * w * d[1] - I * (w ** 2 * d[0] + gamma_r)),
              dot(a.s, 3 * w * d[2] + 3 * alpha * d[1] - w ** 3 * d[0]
                  - I * (3 * w ** 2 * d[1] + 3 * w * alpha * d[0] + eta_r)))
    row.block(i.body, -I * a.s, -dot(a.s, d[0] + i.s), w * a.s, -(dot(a.s, d[1]) + w * cross(a.s, d[0])))
    return row.block(j.body, I * a.s, dot(a.s, j.s), -w * a.s, (j.w - w) * dot(I * j.s, a.s))


def along_row(a, i, j):
    """The coordinate of j along the line through i with direction a (both of one body)."""
    d = [q - p for p, q in zip(i.p, j.p)]
    w, alpha, length = a.w, a.a, abs(a.s)
    u = a.s / length
    gamma_r, eta_r = j.gamma() - i.gamma(), j.eta() - i.eta()
    row = Row(0, dot(u, 2 * w * I * d[1] + w ** 2 * d[0] + gamma_r),
              dot(u, I * (3 * w * d[2] + 3 * alpha * d[1] - w ** 3 * d[0]) + 3 * w ** 2 * d[1] + 3 * w * alpha * d[0]
                  + eta_r))
    row.block(i.body, -u, cross(u, d[0] + i.s), -w * I * u, cross(u, d[1]) - w * dot(u, d[0]))
    return row.block(j.body, u, dot(u, I * j.s), w * I * u, -(j.w - w) * dot(u, j.s))


# ---------------------------------------------------------------------------------------------------------------------
# A model with its masses and forces

FORCE_FIELDS = {"force": {"on", "value", "frame"}, "moment": {"on", "value"},
                "spring": {"i", "j", "stiffness", "free_length", "damping", "friction", "friction_speed", "actuator"},
                "torsion-spring": {"i", "j", "stiffness", "free_angle", "damping", "friction", "friction_speed",
                                   "actuator"},
                "motor": {"i", "j", "stall_torque", "no_load_speed", "gear", "direction"}}


class Dynamics(Mechanism):
    def __init__(self, path):
        super().__init__(path)
        d, value = self.data, self.value
        self.size = self.size or max(abs(float(x)) for k, x in enumerate(self.drawn) if k % 3 != 2)
        self.gravity = mpc(*[value(x) for x in d.get("gravity", [0, 0])])
        self.mass, self.inertia, self.com = {}, {}, {"ground": mpc(0)}
        for b in self.names:
            self.properties(b, d["bodies"][b])
        for b, points in self.points.items():
            points["com"] = (self.com[b].real, self.com[b].imag)
        self.forces = [self.element(n, e, FORCE_FIELDS) for n, e in d.get("forces", {}).items()]

    def properties(self, name, body):
        value = self.value
        shape = body.get("shape")
        self.mass[name] = m = value(body["mass"])
        assert not (shape and ("com" in body or "inertia" in body)), f"{name}: shape and com or inertia"

        def place(p):
            return mpc(*(self.points[name][p] if isinstance(p, str) else map(value, p)))

        if not shape:
            self.com[name] = mpc(*[value(x) for x in body.get("com", [0, 0])])
            self.inertia[name] = value(body["inertia"])
        elif shape["type"] == "bar":
            a, b = place(shape["from"]), place(shape["to"])
            self.com[name], self.inertia[name] = (a + b) / 2, m * abs(b - a) ** 2 / 12
        elif shape["type"] == "disc":
            self.com[name], self.inertia[name] = place(shape["centre"]), m * value(shape["radius"]) ** 2 / 2
        else:
            a, b = (value(x) for x in shape["size"])
            self.com[name], self.inertia[name] = place(shape["centre"]), m * (a * a + b * b) / 12

    # --- states

    def where(self, state, name):
        body, s = self.local(name)
        return state.point(body, mpc(*s) - self.com[body])

    def way(self, state, pair):
        """First point of a line, and its direction."""
        body, p = self.local(pair[0])
        q = self.local(pair[1])[1]
        return self.where(state, pair[0]), state.direction(body, mpc(*q) - mpc(*p))

    def state_from_series(self, series, t):
        state = State(self, t)
        for k, b in enumerate(self.names):
            x, y = (derivatives(c, 4) for c in self.point(series, b + ".com"))
            state.r[b] = [mpc(u, v) for u, v in zip(x, y)]
            state.phi[b] = derivatives(series[3 * k + 2], 4)
        return state

    def state_as_written(self):
        """At t = 0: the drawn positions, which must satisfy the joints, and the velocities of the file."""
        q, t = self.polished(self.drawn), mpf(0)
        state = self.state_from_series([Series([x]) for x in q], t)
        for k, b in enumerate(self.names):
            body = self.data["bodies"][b]
            spin = self.value(body.get("spin", 0))
            state.phi[b][1] = spin
            state.r[b][1] = (mpc(*[self.value(x) for x in body.get("velocity", [0, 0])])
                             + spin * I * state.arm(b, self.com[b]))
        return state

    def polished(self, q):
        """The drawing is exact up to the digits written in the file; Newton's method adds the rest."""
        if not self.joints and not self.drivers:
            return q
        inverse = np.linalg.pinv(self.jacobian(np.array([float(x) for x in q]), 0.0), rcond=1e-10).tolist()
        start = list(q)
        for _ in range(30):
            rows = self.residual(q, mpf(0))
            q = [x - mp.fdot([mpf(a) for a in inverse[k]], rows) for k, x in enumerate(q)]
            if max(abs(r) for r in rows) < mpf(10) ** -55:
                break
        moved = max(abs(a - b) for a, b in zip(q, start))
        assert moved < mpf(10) ** -16, f"the drawing is off by {mp.nstr(moved, 3)}"
        return q

    # --- equations

    def equations(self, state):
        """[(element, its rows)] in the order of the file, joints first"""
        at, way = (lambda n: self.where(state, n)), (lambda pair: self.way(state, pair))
        out = []
        for e in self.joints + self.drivers:
            kind, driver = e["type"], "motion" in e
            f = derivatives(self.value(e["motion"], Series([state.t, mpf(1)])), 4) if driver else None
            if kind == "revolute":
                rows = pin_rows(at(e["i"]), at(e["j"]))
            elif kind == "weld":
                rows = pin_rows(at(e["i"]), at(e["j"]))
                rows.append(Row().angle(1, self.local(e["j"])[0]).angle(-1, self.local(e["i"])[0]))
            elif kind == "distance":
                rows = [distance_row(at(e["i"]), at(e["j"]))]
            elif kind == "parallel":
                rows = [parallel_row(way(e["i"])[1], way(e["j"])[1])]
            elif kind == "pin-in-slot":
                p, a = way(e["slot"])
                rows = [slot_row(a, p, at(e["pin"]))]
            elif kind == "translational":
                (p, a), (q, b) = way(e["slot"]), way(e["slider"])
                rows = [parallel_row(a, b), slot_row(a, p, q)]
            elif kind == "angle":
                rows = [Row().angle(1, e["j"]).angle(-1, e["i"])]
            elif kind in ("gear", "gear-on-arm"):
                k = self.ratio(e)
                rows = [Row().angle(1, e["j"]).angle(-k, e["i"])]
                if kind == "gear-on-arm":
                    rows[0].angle(k - 1, e["arm"])
            elif kind == "coordinate":
                rows = [Row()]
                self.add_coordinate(rows[0], state, mpf(1), e["j"])
                if "i" in e:
                    self.add_coordinate(rows[0], state, -self.value(e.get("ratio", 1)), e["i"])
            elif kind == "slot-distance":
                p, a = way(e["line"])
                rows = [along_row(a, p, at(e["point"]))]
            elif kind == "rolling":
                p, a = way(e["line"])
                rho = self.value(e["radius"])
                rows = [along_row(a, p, at(e["wheel"])).angle(-rho, self.local(e["wheel"])[0]).angle(rho, p.body)]
            else:
                raise ValueError(kind)
            if driver:
                rows[0].motion(f, squared=kind == "distance")
            out.append((e, rows))
        return out

    def add_coordinate(self, row, state, factor, name):
        body, c = name.split(".")
        if c == "phi":
            row.angle(factor, body)
        else:
            row.component(factor, ONE if c == "x" else I, self.where(state, body + ".origin"))

    # --- forces

    def applied(self, state):
        """Q, its rate, and the columns of the springs."""
        q = {b: [mpc(0), mpf(0)] for b in ["ground"] + self.names}
        rate = {b: [mpc(0), mpf(0)] for b in ["ground"] + self.names}
        columns = {}

        def push(p, force, force_rate):
            q[p.body][0] += force
            q[p.body][1] += dot(I * p.s, force)
            rate[p.body][0] += force_rate
            rate[p.body][1] += dot(I * p.s, force_rate) - p.w * dot(p.s, force)

        def law(e, x, v, a, rest, names):
            k, c, dry = (self.value(e.get(n, 0)) for n in ("stiffness", "damping", "friction"))
            f, f_rate = k * (x - rest) + c * v, k * v + c * a
            if dry:
                assert "friction_speed" in e
                speed = self.value(e["friction_speed"])
                f += dry * (mp.sign(v) if speed == 0 else mp.tanh(v / speed))
                f_rate += 0 if speed == 0 else dry / speed * (1 - mp.tanh(v / speed) ** 2) * a
            if "actuator" in e:
                self.value.names |= {names[0]: Series([x, v, a / 2]), names[1]: Series([v, a])}
                more = derivatives(self.value(e["actuator"], Series([state.t, mpf(1)])), 2)
                for n in names:
                    del self.value.names[n]
                f, f_rate = f + more[0], f_rate + more[1]
            return f, f_rate

        for b in self.names:
            q[b][0] += self.mass[b] * self.gravity
        for e in self.forces:
            time = Series([state.t, mpf(1)])
            if e["type"] == "force":
                p = self.where(state, e["on"])
                fx, fy = (derivatives(self.value(v, time), 2) for v in e["value"])
                force, force_rate = mpc(fx[0], fy[0]), mpc(fx[1], fy[1])
                if e.get("frame", "ground") == "body":
                    axis = state.arm(p.body, ONE)
                    force, force_rate = axis * force, p.w * I * axis * force + axis * force_rate
                push(p, force, force_rate)
            elif e["type"] == "moment":
                m = derivatives(self.value(e["value"], time), 2)
                q[e["on"]][1] += m[0]
                rate[e["on"]][1] += m[1]
            elif e["type"] == "spring":
                i, j = self.where(state, e["i"]), self.where(state, e["j"])
                d = [b - a for a, b in zip(i.p, j.p)]
                l = abs(d[0])
                v = dot(d[0], d[1]) / l
                a = (dot(d[0], d[2]) + dot(d[1], d[1]) - v * v) / l
                f, f_rate = law(e, l, v, a, self.value(e.get("free_length", 0)), "lv")
                pull, pull_rate = f / l * d[0], (f_rate * l * d[0] + f * l * d[1] - f * v * d[0]) / l ** 2
                push(i, pull, pull_rate)
                push(j, -pull, -pull_rate)
                columns |= {e["name"] + ".l": l, e["name"] + ".v": v, e["name"] + ".f": f}
            elif e["type"] == "motor":
                i, j = e.get("i", "ground"), e["j"]
                x, v, a = (state.phi[j][n] - state.phi[i][n] for n in range(3))
                stall, speed, gear, way = (self.value(e.get(n, 1)) for n in ("stall_torque", "no_load_speed", "gear", "direction"))
                m = way * gear * stall * (1 - way * gear * v / speed)
                for b, sign in ((i, -1), (j, 1)):
                    q[b][1] += sign * m
                    rate[b][1] -= sign * gear ** 2 * stall / speed * a
                columns |= {e["name"] + ".theta": x, e["name"] + ".omega": v, e["name"] + ".torque": m, e["name"] + ".power": m * v}
            else:
                x, v, a = (state.phi[e["j"]][n] - state.phi[e["i"]][n] for n in range(3))
                m, m_rate = law(e, x, v, a, self.value(e.get("free_angle", 0)), ("theta", "omega"))
                for b, sign in ((e["i"], 1), (e["j"], -1)):
                    q[b][1] += sign * m
                    rate[b][1] += sign * m_rate
                columns |= {e["name"] + ".theta": x, e["name"] + ".omega": v, e["name"] + ".torque": m}
        flat = [[x for b in self.names for x in (c[b][0].real, c[b][0].imag, c[b][1])] for c in (q, rate)]
        return flat[0], flat[1], columns

    def masses(self):
        return [x for b in self.names for x in (self.mass[b], self.mass[b], self.inertia[b])]

    def dense(self, row):
        out = []
        for b in self.names:
            out += row.jacobian.get(b, [mpf(0)] * 3)
        return out


class Solution:
    """Accelerations and multipliers, jerks and multiplier rates at a state whose positions and velocities are given."""

    def __init__(self, model, state, smooth=True):
        self.model, self.state = model, state
        rows = [r for _, rs in model.equations(state) for r in rs]
        self.J = [model.dense(r) for r in rows]
        self.find_redundancy()
        self.m = model.masses()
        n = len(self.m)
        self.keep_rows = [rows[k] for k in self.kept]
        self.factor()
        self.Q, _, _ = model.applied(state)
        x = self.solve(self.Q, [rows[k].gamma for k in self.kept])
        state.put(2, x[:n])
        self.multipliers = self.spread(x[n:])
        rows = [r for _, rs in model.equations(state) for r in rs]
        _, q_rate, self.spring_columns = model.applied(state)
        kappa = [mp.fsum(self.multipliers[k] * r.kappa.get(b, [mpf(0)] * 3)[c] for k, r in enumerate(rows))
                 for b in model.names for c in range(3)]
        x = self.solve([a - b for a, b in zip(q_rate, kappa)], [rows[k].eta for k in self.kept])
        state.put(3, x[:n])
        self.rates = self.spread(x[n:])
        self.elements = model.equations(state)
        if smooth:
            self.confirm()

    def find_redundancy(self):
        """Independent rows in the order of the file, and the multipliers that redundancy leaves undetermined."""
        scale = np.tile([self.model.size, self.model.size, 1.0], len(self.model.names))
        a = np.array([[float(x) for x in row] for row in self.J]).reshape(len(self.J), len(scale)) * scale
        norm = np.linalg.norm(a, axis=1)
        a = a / norm[:, None]
        self.row_norm = norm / self.model.size        # force on the model per unit of multiplier
        self.kept = []
        for k in range(len(a)):
            if np.linalg.svd(a[self.kept + [k]], compute_uv=False)[-1] > 1e-9:
                self.kept.append(k)
        _, _, vt = np.linalg.svd(a.T)
        self.null = [v / norm for v in vt[len(self.kept):]]

    def factor(self):
        n, k = len(self.m), len(self.kept)
        A = mp.zeros(n + k, n + k)
        for i in range(n):
            A[i, i] = self.m[i]
        for r, row in enumerate(self.kept):
            for c in range(n):
                A[n + r, c] = A[c, n + r] = self.J[row][c]
        self.A = A
        self.LU, self.pivots = mp.LU_decomp(A.copy())

    def solve(self, upper, lower):
        b = mp.matrix(list(upper) + list(lower))
        x = mp.U_solve(self.LU, mp.L_solve(self.LU, b.copy(), self.pivots))
        gap = self.A * x - b
        assert max(abs(g) for g in gap) < TINY * TINY * (1 + max(abs(y) for y in b)), "linear system"
        return list(x)

    def spread(self, values):
        out = [mpf(0)] * len(self.J)
        for k, v in zip(self.kept, values):
            out[k] = v
        return out

    def unique(self, k):
        return all(abs(v[k]) < 1e-9 * np.max(np.abs(v)) for v in self.null)

    def confirm(self):
        """Plain equations along the Taylor polynomial, differentiated numerically."""
        model, h = self.model, mpf(10) ** -15 * self.time()
        samples = []
        for n in (-1, 0, 1):
            s = self.state.later(n * h)
            rows = [r for _, rs in model.equations(s) for r in rs]
            q, _, _ = model.applied(s)
            v, a = s.flat(1), s.flat(2)
            lam = [x + n * h * y for x, y in zip(self.multipliers, self.rates)]
            J = [model.dense(r) for r in rows]
            motion = [self.m[c] * a[c] + mp.fsum(J[k][c] * lam[k] for k in range(len(J))) - q[c] for c in range(len(a))]
            speed = [mp.fdot(J[k], v) - rows[k].nu for k in range(len(J))]
            samples.append((motion, speed))
        (ma, sa), (mb, sb), (mc, sc) = samples
        worst = mpf(0)
        for c in range(len(ma)):
            unit = self.force_scale() * (model.size if c % 3 == 2 else 1)
            worst = max(worst, abs(mb[c]) / unit, abs(mc[c] - ma[c]) / (2 * h) * self.time() / unit)
        for k in range(len(sa)):
            unit = self.acceleration_scale() * mpf(float(self.row_norm[k]))
            worst = max(worst, abs(sb[k]) / (unit * self.time()), abs(sc[k] - sa[k]) / (2 * h) / unit,
                        abs(sc[k] - 2 * sb[k] + sa[k]) / h ** 2 * self.time() / unit)
        assert worst < mpf(10) ** -22, f"the equations are not satisfied: {mp.nstr(worst, 3)}"
        self.confirmed = worst

    # --- natural scales of the model at this state, so that a tolerance means something

    def acceleration_scale(self):
        size, g = mpf(self.model.size), abs(self.model.gravity)
        s = self.state
        a = max([abs(s.r[b][2]) for b in self.model.names] + [size * abs(s.phi[b][2]) for b in self.model.names])
        v = max([abs(s.r[b][1]) for b in self.model.names] + [size * abs(s.phi[b][1]) for b in self.model.names])
        loads = [abs(x) / m * (size if c % 3 == 2 else 1) for c, (x, m) in enumerate(zip(self.Q, self.m))]
        return max([a, v * v / size, g] + loads) or mpf(1)

    def time(self):
        return mp.sqrt(mpf(self.model.size) / self.acceleration_scale())

    def force_scale(self):
        reactions = [abs(x) * mpf(float(n)) for x, n in zip(self.multipliers, self.row_norm)]
        size = mpf(self.model.size)
        loads = [abs(x) / (size if c % 3 == 2 else 1) for c, x in enumerate(self.Q)]
        inertia = [m * abs(a) / (size if c % 3 == 2 else 1) for c, (m, a) in enumerate(zip(self.m, self.state.flat(2)))]
        return max(reactions + loads + inertia)

    def force_rate_scale(self):
        reactions = [abs(x) * mpf(float(n)) for x, n in zip(self.rates, self.row_norm)]
        return max(reactions + [self.force_scale() / self.time()])

    # --- columns

    def motion_columns(self):
        size, model = mpf(self.model.size), self.model
        a = self.acceleration_scale()
        jerk = max([abs(self.state.r[b][3]) for b in model.names]
                   + [size * abs(self.state.phi[b][3]) for b in model.names] + [a / self.time()])
        for b in model.names:
            p = model.where(self.state, b + ".origin")
            for n, prefix, scale in ((1, "v", a * self.time()), (2, "a", a), (3, "j", jerk)):
                yield f"{b}.{prefix}x", p.p[n].real, scale
                yield f"{b}.{prefix}y", p.p[n].imag, scale
                yield f"{b}.{prefix}phi", self.state.phi[b][n], scale / size

    def reaction_columns(self):
        """Force and moment on body j at the point of report, and efforts; what redundancy leaves open is left out."""
        size, force = mpf(self.model.size), self.force_scale()
        first = 0
        for e, rows in self.elements:
            index = range(first, first + len(rows))
            first += len(rows)
            if "motion" in e:
                if all(self.unique(k) for k in index):
                    effort = -self.multipliers[index[0]]
                    if e["type"] == "distance":
                        effort *= 2 * derivatives(self.model.value(e["motion"], Series([self.state.t, mpf(1)])), 1)[0]
                    turning = e["type"] == "angle" or (e["type"] == "coordinate" and e["j"].endswith(".phi"))
                    yield e["name"] + ".effort", effort, force * (size if turning else 1)
                continue
            body, point = self.report(e)
            p = self.model.where(self.state, point)
            total = self.wrench(rows, body, [self.multipliers[k] for k in index])
            undetermined = [self.wrench(rows, body, [mpf(float(v[k])) for k in index]) for v in self.null]
            f, m = mpc(total[0], total[1]), total[2]
            for name, x, pick in (("fx", f.real, lambda w: w[0]), ("fy", f.imag, lambda w: w[1]),
                                  ("torque", m - cross(p.s, f), lambda w: w[2] - cross(p.s, mpc(w[0], w[1])))):
                if all(abs(pick(w)) < 1e-9 for w in undetermined):
                    yield f"{e['name']}.{name}", x, force * (size if name == "torque" else 1)

    def report(self, e):
        kind = e["type"]
        if kind in ("gear", "gear-on-arm"):
            return e["j"], e["j"] + ".com"
        if kind == "coordinate":
            body = e["j"].split(".")[0]
            return body, body + ".origin"
        if kind == "parallel":
            body = e["j"][0].split(".")[0]
            return body, body + ".com"
        point = {"pin-in-slot": lambda: e["pin"], "translational": lambda: e["slider"][0],
                 "rolling": lambda: e["wheel"]}.get(kind, lambda: e["j"])()
        return point.split(".")[0], point

    @staticmethod
    def wrench(rows, body, multipliers):
        blocks = [r.jacobian.get(body, [mpf(0)] * 3) for r in rows]
        return [-mp.fsum(x * b[c] for x, b in zip(multipliers, blocks)) for c in range(3)]

    def multiplier_columns(self):
        first = 0
        for e, rows in self.elements:
            for k in range(len(rows)):
                at = first + k
                if "motion" not in e and self.unique(at):
                    norm = mpf(float(self.row_norm[at]))
                    yield f"{e['name']}.lambda{k + 1}", self.multipliers[at], self.force_scale() / norm
                    yield f"{e['name']}.lambda{k + 1}_rate", self.rates[at], self.force_rate_scale() / norm
            first += len(rows)

    def system_columns(self):
        model, s = self.model, self.state
        kinetic = mp.fsum(m * v * v for m, v in zip(self.m, s.flat(1))) / 2
        p = sum(model.mass[b] * s.r[b][1] for b in model.names)
        lz = mp.fsum(model.mass[b] * cross(s.r[b][0], s.r[b][1]) + model.inertia[b] * s.phi[b][1] for b in model.names)
        mass, speed, size = sum(model.mass.values()), self.acceleration_scale() * self.time(), mpf(model.size)
        yield "energy.kinetic", kinetic, max(kinetic, mass * speed ** 2 / 2)
        yield "momentum.px", p.real, mass * speed
        yield "momentum.py", p.imag, mass * speed
        yield "momentum.lz", lz, mass * speed * size


def project(model, state):
    """Velocities of the file, changed as little as possible in the metric of the masses."""
    rows = [r for _, rs in model.equations(state) for r in rs]
    J = [model.dense(r) for r in rows]
    m, v = model.masses(), state.flat(1)
    miss = [mp.fdot(j, v) - r.nu for j, r in zip(J, rows)]
    if not rows or max(abs(x) for x in miss) < mpf(10) ** -50:
        return
    G = mp.matrix(len(J), len(J))
    for a in range(len(J)):
        for b in range(len(J)):
            G[a, b] = mp.fsum(x * y / z for x, y, z in zip(J[a], J[b], m))
    x = mp.lu_solve(G, mp.matrix(miss))
    state.put(1, [v[c] - mp.fsum(J[k][c] * x[k] for k in range(len(J))) / m[c] for c in range(len(v))])


def number(x):
    return float(mp.nstr(x, 4, strip_zeros=False)) if x else 0.0


def record(column, value, scale, **more):
    return {"column": column} | more | {"value": float(value), "scale": number(scale)}


# ---------------------------------------------------------------------------------------------------------------------
# Radau IIA collocation for the equations in minimal coordinates

class Radau:
    """Order 2s - 1. Newton's corrections come from a matrix in double precision; the residuals have all digits."""

    def __init__(self, stages=10):
        self.s = stages
        legendre = [[mpf(1)], [mpf(0), mpf(1)]]
        for n in range(1, stages):
            a, b = legendre[n], legendre[n - 1] + [mpf(0)] * 2
            legendre.append([((2 * n + 1) * ([mpf(0)] + a)[k] - n * b[k]) / (n + 1) for k in range(n + 2)])
        p = [a - b for a, b in zip(legendre[stages], legendre[stages - 1] + [mpf(0)])]
        roots = mp.polyroots(p[::-1], maxsteps=200, extraprec=300)
        self.c = sorted((r.real + 1) / 2 for r in roots)
        self.c[-1] = mpf(1)
        V = mp.matrix(stages, stages)
        W = mp.matrix(stages, stages)
        for i in range(stages):
            for k in range(stages):
                V[k, i] = self.c[i] ** k
                W[k, i] = self.c[i] ** (k + 1) / (k + 1)
        inverse = V ** -1                                            # Lagrange basis in powers
        self.A = [[mp.fsum(inverse[j, k] * W[k, i] for k in range(stages)) for j in range(stages)]
                  for i in range(stages)]
        self.A_double = np.array([[float(x) for x in row] for row in self.A])

    def step(self, f, y, h):
        n, s = len(y), self.s
        f0 = f(y)
        J = np.zeros((n, n))
        d = mpf(10) ** -15
        for k in range(n):
            moved = f([x + (d if i == k else 0) for i, x in enumerate(y)])
            J[:, k] = [float((a - b) / d) for a, b in zip(moved, f0)]
        solve = np.linalg.inv(np.eye(n * s) - float(h) * np.kron(self.A_double, J))
        z = [[h * c * g for g in f0] for c in self.c]
        if float(h) * np.max(np.abs(np.linalg.eigvals(J))) > 1:
            z = [[mpf(0)] * n for _ in self.c]
        scale = [1 + abs(x) for x in y]
        best, stalled = None, 0
        for _ in range(80):
            g = [f([a + b for a, b in zip(y, zi)]) for zi in z]
            r = [[h * mp.fsum(self.A[i][j] * g[j][k] for j in range(s)) - z[i][k] for k in range(n)] for i in range(s)]
            size = max(abs(x) for row in r for x in row)
            if not size:
                break
            double = np.array([float(x / size) for row in r for x in row])
            change = solve @ double
            z = [[z[i][k] + size * mpf(change[i * n + k]) for k in range(n)] for i in range(s)]
            moved = max(abs(size * mpf(change[i * n + k])) / scale[k] for i in range(s) for k in range(n))
            if moved < mpf(10) ** (6 - mp.dps):
                break
            stalled = stalled + 1 if best is not None and moved > best / 2 else 0
            best = moved if best is None else min(best, moved)
            assert stalled < 6, "the collocation equations do not converge"
        else:
            raise RuntimeError("the collocation equations do not converge")
        return [a + b for a, b in zip(y, z[-1])]


def integrate(f, y, times, step, stages=10, first=None):
    """Values of y at the times; steps of at most `step`, growing from `first` where a fast start needs it."""
    method, t, out, h = Radau(stages), mpf(0), [], mpf(first or step)
    for end in times:
        while end - t > mpf(10) ** -25:
            now = min(h, mpf(step), end - t)
            y = method.step(f, y, now)
            t += now
            h = min(h * mpf("1.4"), mpf(step))
        out.append(y)
    return out


def integrated(f, y, times, step, first=None):
    """Two runs of different order and step; they must agree to 18 digits."""
    old, mp.dps = mp.dps, 34
    a = integrate(f, y, times, step, 10, first)
    b = integrate(f, y, times, step * mpf("0.7"), 11, first)
    mp.dps = old
    gap = max(abs(u - v) / (1 + abs(u)) for x, z in zip(a, b) for u, v in zip(x, z))
    assert gap < mpf(10) ** -18, f"the integration is not converged: {mp.nstr(gap, 3)}"
    return b, gap


# ---------------------------------------------------------------------------------------------------------------------
# Models with a route of their own. Each function returns a list of (column, t, value, scale, tolerance).

OWN = {}


def own(name, sentence, equilibrium=False):
    def register(function):
        OWN[name] = dict(function=function, sentence=sentence, equilibrium=equilibrium)
        return function
    return register


SQUEEZER_START = dict(beta="14222.4439199541138706", theta="-10666.8329399655854029")
SQUEEZER_END = {
    "beta": "15.8107711951537070971", "theta": "-15.7563710584118394697", "gamma": "0.0408222401196458048583",
    "phi": "-0.534730116342079593770", "delta": "0.524409965879954069372", "omega": "0.534730116342079593770",
    "epsilon": "1.04808074104193787307", "beta'": "1139.92030225910606420", "theta'": "-1424.37929517754007320",
    "gamma''": "324102.600707578605812"}


def squeezer_reduced(model, q, v):
    """Mass matrix and forces of the Cartesian model, carried to the seven angles of the published equations."""
    p = model.parameters
    tied = {"K1": "beta", "K2": "beta theta", "K3": "gamma", "K4": "phi delta", "K5": "delta", "K6": "omega epsilon",
            "K7": "epsilon"}
    names = "beta theta gamma phi delta omega epsilon".split()

    def state(q):
        s, x = State(model, mpf(0)), dict(zip(names, q))
        origin = {"K1": mpc(0), "K2": p["rr"] * mp.expj(x["beta"]), "K3": mpc(p["xb"], p["yb"]),
                  "K5": mpc(p["xa"], p["ya"]), "K7": mpc(p["xa"], p["ya"])}
        origin["K4"] = origin["K5"] + p["zt"] * mp.expj(x["delta"])
        origin["K6"] = origin["K7"] - I * p["u"] * mp.expj(x["epsilon"])
        for b in model.names:
            s.phi[b][0] = mp.fsum(x[a] for a in tied[b].split())
            s.r[b][0] = origin[b] + s.arm(b, model.com[b])
        return s

    def tangent(q):
        h = mpf(10) ** -20
        columns = []
        for k in range(7):
            up, down = (state([x + n * h * (i == k) for i, x in enumerate(q)]).flat(0) for n in (1, -1))
            columns.append([(a - b) / (2 * h) for a, b in zip(up, down)])
        return columns

    m, B = model.masses(), tangent(q)
    h = mpf(10) ** -12
    up, down = (tangent([x + n * h * y for x, y in zip(q, v)]) for n in (1, -1))
    quadratic = [mp.fsum((up[k][c] - down[k][c]) / (2 * h) * v[k] for k in range(7)) for c in range(len(m))]
    Q, _, _ = model.applied(state(q))
    M = [[mp.fsum(a * b * c for a, b, c in zip(B[i], B[j], m)) for j in range(7)] for i in range(7)]
    f = [mp.fsum(B[i][c] * (Q[c] - m[c] * quadratic[c]) for c in range(len(m))) for i in range(7)]
    return M, f


def squeezer_published(p, q, v):
    be, th, ga, ph, de, om, ep = q
    dbe, dth, dga, dph, dde, dom, dep = v
    a, b, e = p["m2"] * p["da"] * p["rr"], p["zf"] - p["fa"], p["e"] - p["ea"]
    M = [[mpf(0)] * 7 for _ in range(7)]
    M[0][0] = (p["m1"] * p["ra"] ** 2 + p["m2"] * (p["rr"] ** 2 - 2 * p["da"] * p["rr"] * mp.cos(th) + p["da"] ** 2)
               + p["i1"] + p["i2"])
    M[0][1] = M[1][0] = p["m2"] * (p["da"] ** 2 - p["da"] * p["rr"] * mp.cos(th)) + p["i2"]
    M[1][1] = p["m2"] * p["da"] ** 2 + p["i2"]
    M[2][2] = p["m3"] * (p["sa"] ** 2 + p["sb"] ** 2) + p["i3"]
    M[3][3] = p["m4"] * e ** 2 + p["i4"]
    M[3][4] = M[4][3] = p["m4"] * (e ** 2 + p["zt"] * e * mp.sin(ph)) + p["i4"]
    M[4][4] = (p["m4"] * (p["zt"] ** 2 + 2 * p["zt"] * e * mp.sin(ph) + e ** 2)
               + p["m5"] * (p["ta"] ** 2 + p["tb"] ** 2) + p["i4"] + p["i5"])
    M[5][5] = p["m6"] * b ** 2 + p["i6"]
    M[5][6] = M[6][5] = p["m6"] * (b ** 2 - p["u"] * b * mp.sin(om)) + p["i6"]
    M[6][6] = (p["m6"] * (b ** 2 - 2 * p["u"] * b * mp.sin(om) + p["u"] ** 2)
               + p["m7"] * (p["ua"] ** 2 + p["ub"] ** 2) + p["i6"] + p["i7"])
    D = mpc(p["xb"], p["yb"]) + mpc(p["sd"], -p["sc"]) * mp.expj(ga)
    d = D - mpc(p["xc"], p["yc"])
    F = -p["c0"] * (abs(d) - p["l0"]) / abs(d) * d
    f = [p["mom"] - a * dth * (dth + 2 * dbe) * mp.sin(th), a * dbe ** 2 * mp.sin(th),
         F.real * (p["sc"] * mp.cos(ga) - p["sd"] * mp.sin(ga))
         + F.imag * (p["sd"] * mp.cos(ga) + p["sc"] * mp.sin(ga)),
         p["m4"] * p["zt"] * e * dde ** 2 * mp.cos(ph), -p["m4"] * p["zt"] * e * dph * (dph + 2 * dde) * mp.cos(ph),
         -p["m6"] * p["u"] * b * dep ** 2 * mp.cos(om), p["m6"] * p["u"] * b * dom * (dom + 2 * dep) * mp.cos(om)]
    return M, f


@own("andrews-squeezer", "Test Set for IVP Solvers, the digits computed in extended precision with two formulations; "
     "the Cartesian model reduces to the published mass matrix and forces in seven angles")
def andrews_squeezer(model, start):
    mp_state = [mpf(k) / 7 - mpf("0.4") for k in range(7)]
    speed = [mpf(3) - k * mpf("1.3") for k in range(7)]
    (M, f), (M2, f2) = squeezer_reduced(model, mp_state, speed), squeezer_published(model.parameters, mp_state, speed)
    gap = max(abs(M[i][j] - M2[i][j]) for i in range(7) for j in range(7)) / M2[6][6]
    gap = max(gap, max(abs(a - b) for a, b in zip(f, f2)) / max(abs(x) for x in f2))
    assert gap < mpf(10) ** -20, f"the published equations are different: {mp.nstr(gap, 3)}"
    first = {"K1.aphi": mpf(SQUEEZER_START["beta"]),
             "K2.aphi": mpf(SQUEEZER_START["beta"]) + mpf(SQUEEZER_START["theta"])}
    for b in model.names:
        want = first.get(b + ".aphi", mpf(0))
        assert abs(start.state.phi[b][2] - want) < mpf(10) ** -11, (b, start.state.phi[b][2])
    x = {k: mpf(v) for k, v in SQUEEZER_END.items()}
    angles = {"K1": x["beta"], "K2": x["beta"] + x["theta"], "K3": x["gamma"], "K4": x["phi"] + x["delta"],
              "K5": x["delta"], "K6": x["omega"] + x["epsilon"], "K7": x["epsilon"]}
    t = mpf("0.03")
    out = [(b + ".phi", t, v, max(abs(v), 1), 1e-10) for b, v in angles.items()]
    out += [("K1.vphi", t, x["beta'"], abs(x["beta'"]), 1e-9),
            ("K2.vphi", t, x["beta'"] + x["theta'"], abs(x["beta'"]), 1e-9),
            ("K3.aphi", t, x["gamma''"], abs(x["gamma''"]), 1e-8)]
    return out


@own("simple-pendulum", "Jacobi's elliptic functions, modulus sin 45 degrees; IFToMM benchmark A01")
def simple_pendulum(model, start):
    length, g, k = model.parameters["rod_length"], -model.gravity.imag, mp.sin(mp.pi / 4)
    w, quarter = mp.sqrt(g / length), mp.ellipk(k ** 2)
    published = {1: ("-0.986291751131875319", "-0.165010853125541169"),
                 10: ("0.275087462576116860", "-0.961419205099125064"),
                 100: ("0.181513351427031385", "-0.983388480334057505")}
    assert abs(4 * quarter / w - mpf("2.367841947576237449")) < mpf(10) ** -17
    out = []
    for t in (1, 10, 100):
        u = quarter - w * t
        sn, dn, cn = (mp.ellipfun(f, u, m=k ** 2) for f in ("sn", "dn", "cn"))
        half = k * sn                                               # sine of half the angle from the vertical
        place = length * mpc(2 * half * dn, -(1 - 2 * half ** 2))
        assert abs(place - mpc(*map(mpf, published[t]))) < mpf(10) ** -17
        spin = -2 * k * w * cn
        for c, v, scale in (("x", place.real, 1), ("y", place.imag, 1), ("vx", -spin * place.imag, 5),
                            ("vy", spin * place.real, 5)):
            out.append(("bob." + c, mpf(t), v, scale, 1e-9))
        out.append(("bob.phi", mpf(t), mpf(0), 1, 1e-12))
        # Tension of the rod: weight along it and centripetal force. lambda1 = tension / (2 length).
        tension = model.mass["bob"] * (-g * place.imag / length + spin ** 2 * length)
        out.append(("rod.lambda1", mpf(t), tension / (2 * length), 15, 1e-9))
    return out


@own("double-pendulum", "Lagrange's equations in two absolute angles, integrated with 34 digits by Radau collocation")
def double_pendulum(model, start):
    p = model.parameters
    l1, m1, m2, g = p["upper_length"], p["upper_mass"], p["lower_mass"], -model.gravity.imag
    l2 = p["lower_length"]
    a, b, c = (m1 / 3 + m2) * l1 ** 2, m2 * l2 ** 2 / 3, m2 * l1 * l2 / 2

    def f(y):
        x1, x2, v1, v2 = y
        s, k = mp.sin(x1 - x2), c * mp.cos(x1 - x2)
        r1 = -c * s * v2 ** 2 - (m1 / 2 + m2) * g * l1 * mp.cos(x1)
        r2 = c * s * v1 ** 2 - m2 * g * l2 / 2 * mp.cos(x2)
        det = a * b - k * k
        return [v1, v2, (b * r1 - k * r2) / det, (a * r2 - k * r1) / det]

    def energy(y):
        x1, x2, v1, v2 = y
        return (a * v1 ** 2 / 2 + b * v2 ** 2 / 2 + c * mp.cos(x1 - x2) * v1 * v2
                + (m1 / 2 + m2) * g * l1 * mp.sin(x1) + m2 * g * l2 / 2 * mp.sin(x2))

    y0 = [p["upper_start"], p["lower_start"], mpf(0), mpf(0)]
    times = [mpf("0.5"), mpf(1), mpf(2), mpf(3)]
    states, _ = integrated(f, y0, times, mpf("0.02"))
    out = []
    for t, y in zip(times, states):
        assert abs(energy(y) - energy(y0)) < mpf(10) ** -15
        out += [("upper.phi", t, y[0], mp.pi, 1e-9), ("lower.phi", t, y[1], mp.pi, 1e-9),
                ("upper.vphi", t, y[2], 10, 1e-9), ("lower.vphi", t, y[3], 20, 1e-9),
                ("energy.total", t, energy(y0), 20, 1e-9),
                ("lower.tip.x", t, l1 * mp.cos(y[0]) + l2 * mp.cos(y[1]), 1, 1e-9)]
    return out


@own("four-bars-2", "the one angle of the exact motion, integrated with 34 digits by Radau collocation; IFToMM "
     "benchmark A02")
def four_bars(model, start):
    p, n, g = model.parameters, 2, -model.gravity.imag
    l = p["rod_length"]
    k = g / l * (mpf(n + 1) / 2 + n) / (mpf(n + 1) / 3 + n)
    times = [mpf(x) for x in ("0.5", "1", "2", "5", "10")]
    states, _ = integrated(lambda y: [y[1], -k * mp.cos(y[0])], [mp.pi / 2, -p["top_speed"] / l], times, mpf("0.02"))
    top = l * mp.expj(states[-1][0])
    assert abs(top - mpc(mpf("0.328458111540815379"), mpf("0.944518538178600962"))) < mpf(10) ** -17
    out = []
    for t, (x, v) in zip(times, states):
        assert abs(v ** 2 / 2 + k * mp.sin(x) - mpf(1) / 2 - k) < mpf(10) ** -15
        top = l * mp.expj(x)
        tolerance = 1e-9
        out += [("first.top.x", t, top.real, 1, tolerance), ("first.top.y", t, top.imag, 1, tolerance),
                ("first.phi", t, x, max(1, abs(x)), tolerance), ("third.phi", t, x, max(1, abs(x)), tolerance),
                ("second.vphi", t, v, 7, tolerance), ("right-beam.x", t, l + top.real, 2, tolerance),
                ("right-beam.phi", t, mpf(0), 1, tolerance)]
    return out


@own("crank-and-rod", "the one angle of two point masses on massless links, integrated with 34 digits by Radau "
     "collocation; the start in exact fractions by tools/formulations_by_hand.py")
def crank_and_rod(model, start):
    """Half of each mass at either end of its body: one point mass at A, one at B, and one at rest at O."""
    p, g = model.parameters, -model.gravity.imag
    r, l, at_a, at_b = p["crank_length"], p["rod_length"], (p["crank_mass"] + p["rod_mass"]) / 2, p["rod_mass"] / 2

    def slider(x):
        """B and its derivatives by the angle of the crank"""
        s, c = r * mp.sin(x), r * mp.cos(x)
        w = mp.sqrt(l * l - s * s)
        w1 = -s * c / w
        return c + w, -s + w1, -c + (s * s - c * c - w1 * w1) / w

    def f(y):
        x, v = y
        _, b1, b2 = slider(x)
        return [v, -(at_b * b1 * b2 * v * v + at_a * g * r * mp.cos(x)) / (at_a * r * r + at_b * b1 * b1)]

    def energy(y):
        return (at_a * r * r + at_b * slider(y[0])[1] ** 2) * y[1] ** 2 / 2 + at_a * g * r * mp.sin(y[0])

    y0 = [mp.pi / 2, p["speed"]]
    times = [mpf("0.5"), mpf(1), mpf(3)]
    states, _ = integrated(f, y0, times, mpf("0.01"))

    def rod_and_slot(y):
        """Angle of the rod, acceleration of B, and what the slot carries"""
        _, b1, b2 = slider(y[0])
        rod, a = -mp.asin(r * mp.sin(y[0]) / l), b1 * f(y)[1] + b2 * y[1] ** 2
        return rod, a, at_b * (g - a * mp.tan(rod))

    known = {c: v for c, v, _ in start.reaction_columns()} | {c: v for c, v, _ in start.motion_columns()}
    same("crank-and-rod", "slot.fy", rod_and_slot(y0)[2], known["slot.fy"], 10)
    same("crank-and-rod", "crank.aphi", f(y0)[1], known["crank.aphi"], 10)
    out = []
    for t, y in zip(times, states):
        assert abs(energy(y) - energy(y0)) < mpf(10) ** -15
        x, v = y
        rod, a, slot = rod_and_slot(y)
        out += [("crank.phi", t, x, 20, 1e-9), ("crank.vphi", t, v, 10, 1e-9), ("crank.aphi", t, f(y)[1], 50, 1e-9),
                ("rod.phi", t, rod, 1, 1e-9), ("rod.vphi", t, -r * mp.cos(x) * v / (l * mp.cos(rod)), 10, 1e-9),
                ("rod.B.x", t, slider(x)[0], 2, 1e-9), ("rod.B.ax", t, a, 50, 1e-9), ("slot.fy", t, slot, 50, 1e-9),
                ("energy.total", t, energy(y0), 20, 1e-9)]
    return out


@own("stick-slip", "half-cycles of a harmonic oscillator about plus or minus friction/stiffness, until the spring "
     "cannot move the block")
def stick_slip(model, start):
    p = model.parameters
    w, shift = mp.sqrt(p["stiffness"] / p["block_mass"]), p["dry"] / p["stiffness"]
    stretch = p["start"]
    cycles = []                                                      # stretch at the start of each half-cycle
    while abs(stretch) > shift:
        cycles.append(stretch)
        stretch = -(stretch - 2 * shift * mp.sign(stretch))
    assert len(cycles) == 3
    half = mp.pi / w
    out = []
    for t in ("0.1", "0.3", "0.4", "0.6", "0.7", "0.9", "1.0", "1.5"):
        n = int(mpf(t) / half)
        x, v = stretch, mpf(0)
        if n < len(cycles):
            middle = shift * mp.sign(cycles[n])
            x = middle + (cycles[n] - middle) * mp.cos(w * (mpf(t) - n * half))
            v = -(cycles[n] - middle) * w * mp.sin(w * (mpf(t) - n * half))
        out += [("block.x", mpf(t), p["free_length"] + x, 1, 1e-9), ("block.vx", mpf(t), v, p["start"] * w, 1e-9)]
    # Moving: spring and friction make the acceleration. Stuck: friction balances the spring, and neither accelerates.
    out += [("block.ax", mpf("0.1"), -w ** 2 * (cycles[0] - shift) * mp.cos(w / 10), 20, 1e-9),
            ("block.ax", mpf("1.5"), mpf(0), 20, 1e-9),
            ("guide.fy", mpf("1.5"), -model.mass["block"] * model.gravity.imag, 10, 1e-9)]
    return out


@own("bushing-bars", "moments about the pivot for the upper bar, Newton and Euler for the lower one, the springs as "
     "vectors; integrated with 34 digits by Radau collocation")
def bushing_bars(model, start):
    p, g = model.parameters, -model.gravity.imag
    l1, m1, l2, m2, r = (p[k] for k in "upper_length upper_mass lower_length lower_mass bush_radius".split())
    k, c = p["bush_k"], p["bush_c"]
    i1, i2 = m1 * l1 ** 2 / 3, m2 * l2 ** 2 / 12
    anchors = (mpc(l1 + r, 0), mpc(l1, r))

    def springs(y):
        a1, x, yy, a2, w1, vx, vy, w2 = y
        arm = -l2 / 2 * mp.expj(a2)                                  # from the centre of the lower bar to A
        A, vA = mpc(x, yy) + arm, mpc(vx, vy) + w2 * I * arm
        for s in anchors:
            E = mp.expj(a1) * s
            d, v = A - E, vA - w1 * I * E
            l = abs(d)
            rate = dot(d, v) / l
            yield E, arm, d / l, l, rate, k * (l - r) + c * rate

    def f(y):
        a1, x, yy, a2, w1, vx, vy, w2 = y
        t1, force, t2 = -m1 * g * l1 / 2 * mp.cos(a1), mpc(0, -m2 * g), mpf(0)
        for E, arm, u, _, _, pull in springs(y):
            t1 += cross(E, pull * u)
            force -= pull * u
            t2 -= cross(arm, pull * u)
        return [w1, vx, vy, w2, t1 / i1, force.real / m2, force.imag / m2, t2 / i2]

    a2 = -mp.pi / 2
    centre = mpc(l1, -p["sag"]) + l2 / 2 * mp.expj(a2)
    w1, w2 = p["upper_spin"], p["lower_spin"]                        # the ends of the bars move together at the start
    v = w1 * l1 * I + w2 * I * l2 / 2 * mp.expj(a2)
    y0 = [mpf(0), centre.real, centre.imag, a2, w1, v.real, v.imag, w2]
    times = [mpf(x) for x in ("0.001", "0.01", "0.1", "0.3", "0.5")]
    states, _ = integrated(f, y0, times, mpf("0.004"), first=mpf("1e-6"))
    out = []
    for t, y in zip(times, states):
        origin = mpc(y[1], y[2]) - l2 / 2 * mp.expj(y[3])
        out += [("upper.phi", t, y[0], mp.pi, 1e-10), ("lower.phi", t, y[3], mp.pi, 1e-10),
                ("lower.x", t, origin.real, 1, 1e-10), ("lower.y", t, origin.imag, 1, 1e-10),
                ("upper.vphi", t, y[4], 15, 1e-9), ("lower.vphi", t, y[7], 15, 1e-9)]
        for name, (_, _, _, l, rate, pull) in zip(("along", "across"), springs(y)):
            out += [(name + ".l", t, l, 1, 1e-10), (name + ".f", t, pull, 100, 1e-6)]
    return out


@own("rolling-disc", "uniform acceleration 2/3 g sin(slope), friction a third of the weight along the slope")
def rolling_disc(model, start):
    p, g = model.parameters, -model.gravity.imag
    down, r, m = mp.expj(-p["slope"]), p["disc_radius"], p["disc_mass"]
    a = g * mp.sin(p["slope"]) * 2 / 3
    out = []
    for t in (mpf("0.5"), mpf(1), mpf(2)):
        z, v = a * t ** 2 / 2 * down, a * t * down
        phi = -a * t ** 2 / 2 / r
        mark = z + r * mp.expj(phi)
        out += [("disc.x", t, z.real, 5, 1e-10), ("disc.y", t, z.imag, 5, 1e-10), ("disc.phi", t, phi, 30, 1e-10),
                ("disc.vx", t, v.real, 5, 1e-10), ("disc.vphi", t, -a * t / r, 30, 1e-10),
                ("disc.ax", t, a * down.real, a, 1e-11),
                ("disc.aphi", t, -a / r, a / r, 1e-11), ("disc.mark.x", t, mark.real, 5, 1e-10)]
    t, grip = mpf(1), m * g * mp.sin(p["slope"]) / 3
    pull = -grip * down                                             # up the slope
    normal = m * g * mp.cos(p["slope"]) * I * down
    out += [("contact.fx", t, pull.real, m * g, 1e-11), ("contact.fy", t, pull.imag, m * g, 1e-11),
            ("contact.torque", t, -r * grip, m * g * r, 1e-11), ("track.fx", t, normal.real, m * g, 1e-11),
            ("track.fy", t, normal.imag, m * g, 1e-11)]
    return out


@own("torsion-pendulum", "damped harmonic oscillation in closed form")
def torsion_pendulum(model, start):
    p = model.parameters
    inertia = p["disc_mass"] * p["disc_radius"] ** 2 / 2
    decay = p["damping"] / (2 * inertia)
    w = mp.sqrt(p["stiffness"] / inertia - decay ** 2)
    x0, v0 = p["start"] - p["rest"], p["start_spin"]
    b = (v0 + decay * x0) / w
    out = []
    for t in (mpf("0.5"), mpf(1), mpf("2.5"), mpf(5)):
        fade, c, s = mp.exp(-decay * t), mp.cos(w * t), mp.sin(w * t)
        x = fade * (x0 * c + b * s)
        v = fade * ((b * w - decay * x0) * c - (x0 * w + decay * b) * s)
        torque = p["stiffness"] * x + p["damping"] * v
        out += [("disc.phi", t, p["rest"] + x, 2, 1e-10), ("disc.vphi", t, v, 10, 1e-10),
                ("disc.aphi", t, -torque / inertia, 60, 1e-10), ("spiral.theta", t, p["rest"] + x, 2, 1e-10),
                ("spiral.torque", t, torque, 1, 1e-10)]
    return out


@own("motor-start", "the equation of Riccati, J w' = a - b w - c w^2, in closed form")
def motor_start(model, start):
    p = model.parameters
    inertia = p["fan_mass"] * p["fan_radius"] ** 2 / 2
    a, b, c = p["gear"] * p["stall"], p["gear"] ** 2 * p["stall"] / p["no_load"], p["drag"]
    root = mp.sqrt(b ** 2 + 4 * a * c)
    r1, r2 = (-b + root) / (2 * inertia), (-b - root) / (2 * inertia)        # w = J/c y'/y with y of y'' + b/J y' = a c/J^2 y
    out = []
    for t in (mpf("0.5"), mpf(2), mpf(8), mpf(30)):
        up, down = mp.exp(r1 * t), mp.exp(r2 * t)
        y, y1 = (r1 * down - r2 * up) / (r1 - r2), r1 * r2 * (down - up) / (r1 - r2)
        w, turned = inertia / c * y1 / y, inertia / c * mp.log(y)
        torque = a - b * w
        out += [("fan.phi", t, turned, 2000, 1e-10), ("fan.vphi", t, w, 80, 1e-10), ("fan.aphi", t, (torque - c * w * w) / inertia, 12, 1e-10),
                ("motor.omega", t, w, 80, 1e-10), ("motor.torque", t, torque, 60, 1e-10), ("motor.power", t, torque * w, 2000, 1e-10),
                ("air.torque", t, c * w * w, 60, 1e-10)]
    return out


@own("braking-wheel", "constant deceleration mu r m g / J until it stops, rest until the cord pulls harder than mu r R, then two parabolas")
def braking_wheel(model, start):
    p, g = model.parameters, -model.gravity.imag
    m, R = p["wheel_mass"], p["wheel_radius"]
    inertia, arm = m * R ** 2 / 2, p["mu"] * p["journal"]
    braking = arm * m * g
    stop = p["speed"] * inertia / braking
    turned = p["speed"] * stop / 2
    slip = 14 + braking / (p["pull"] * (R - arm))        # pull R (t - 14) = mu r (m g + pull (t - 14))
    assert stop < 14 < slip < 18
    out = []
    for t in (mpf(1), mpf("7.5"), mpf("13.5"), mpf(14), mpf(15), mpf("15.5"), mpf(17), mpf(18)):
        cord = p["pull"] * max(t - 14, mpf(0))
        if t < stop:
            phi, w, friction = p["speed"] * t - braking * t ** 2 / (2 * inertia), p["speed"] - braking * t / inertia, -braking
        elif t < slip:
            phi, w, friction = turned, mpf(0), cord * R
        else:                                            # J w' = -(pull R - mu r pull) (t - slip)
            k, s = p["pull"] * (R - arm) / inertia, t - slip
            phi, w, friction = turned - k * s ** 3 / 6, -k * s ** 2 / 2, arm * (m * g + cord)
        out += [("wheel.phi", t, phi, 150, 1e-10), ("wheel.vphi", t, w, 20, 1e-10), ("wheel.aphi", t, (friction - cord * R) / inertia, 5, 1e-9),
                ("bearing.friction", t, friction, 0.2, 1e-9), ("bearing.torque", t, friction, 0.2, 1e-9), ("bearing.fy", t, m * g + cord, 50, 1e-10)]
    return out


@own("friction-slider-crank", "Newton and Euler for crank, rod and slider with every friction as a force of its own, solved for nine unknowns with 60 digits")
def friction_slider_crank(model, start):
    p = model.parameters
    out = []
    for t in (mpf("0.02"), mpf("0.06"), mpf("0.1"), mpf("0.136"), mpf("0.19"), mpf("0.23")):
        def place(s):
            pose = model_oracles.LIBRARY["friction-slider-crank"]["closed_form"](p, s)
            at = {b: mpc(pose[b + ".x"], pose[b + ".y"]) for b in model.names}
            phi = {b: pose[b + ".phi"] for b in model.names}
            return at, phi, {b: at[b] + mp.expj(phi[b]) * model.com[b] for b in model.names}
        small = mpf(10) ** -14                           # differences of second order: 1e-28, with 60 digits to spare
        (at, phi, centre), (_, ahead, far), (_, behind, near) = place(t), place(t + small), place(t - small)
        acceleration = {b: (far[b] - 2 * centre[b] + near[b]) / small ** 2 for b in model.names}
        turning = {b: (ahead[b] - behind[b]) / (2 * small) for b in model.names}
        twist = {b: (ahead[b] - 2 * phi[b] + behind[b]) / small ** 2 for b in model.names}
        sliding = mp.sign((far["slider"] - near["slider"]).real)
        torque_per_newton = p["mu_pin"] * p["pin_radius"]
        pins = {"shaft": (at["crank"], turning["crank"]), "crank-pin": (at["rod"], turning["rod"] - turning["crank"]),
                "wrist-pin": (at["slider"], turning["slider"] - turning["rod"])}

        def balance(u):
            """Forces on the second body of each pin, the normal force and the moment of the guide, the motor: what they leave unbalanced."""
            force = {name: mpc(u[2 * k], u[2 * k + 1]) for k, name in enumerate(pins)}
            rub = {name: -torque_per_newton * abs(force[name]) * mp.sign(pins[name][1]) for name in pins}
            normal, moment, motor = u[6], u[7], u[8]
            on = {"crank": [(1, "shaft"), (-1, "crank-pin")], "rod": [(1, "crank-pin"), (-1, "wrist-pin")], "slider": [(1, "wrist-pin")]}
            left = []
            for body, acting in on.items():
                push = model.mass[body] * (model.gravity - acceleration[body])
                turn = -model.inertia[body] * twist[body]
                for sign, name in acting:
                    push += sign * force[name]
                    turn += sign * (rub[name] + cross(pins[name][0] - centre[body], force[name]))
                if body == "crank":
                    turn += motor
                if body == "slider":
                    push += mpc(-p["press"] - p["mu_guide"] * abs(normal) * sliding, normal)
                    turn += moment
                left += [push.real, push.imag, turn]
            return left, rub, -p["mu_guide"] * abs(normal) * sliding

        u = [mpf(1)] * 9
        for _ in range(60):                              # linear but for the sizes of forces
            left = balance(u)[0]
            step = mpf(10) ** -20
            jacobian = mp.matrix(9, 9)
            for c in range(9):
                moved = balance([x + (step if k == c else 0) for k, x in enumerate(u)])[0]
                for r in range(9):
                    jacobian[r, c] = (moved[r] - left[r]) / step
            correction = mp.lu_solve(jacobian, mp.matrix(left))
            u = [x - correction[k] for k, x in enumerate(u)]
            if max(abs(x) for x in correction) < mpf(10) ** -30:
                break
        left, rub, guide = balance(u)
        assert max(abs(x) for x in left) < mpf(10) ** -24
        for k, name in enumerate(pins):
            out += [(f"{name}.fx", t, u[2 * k], 450, 1e-11), (f"{name}.fy", t, u[2 * k + 1], 450, 1e-11), (f"{name}.torque", t, rub[name], 0.6, 1e-11),
                    (f"{name}.friction", t, rub[name], 0.6, 1e-11)]
        out += [("guide.fx", t, guide, 100, 1e-11), ("guide.fy", t, u[6], 100, 1e-11), ("guide.torque", t, u[7], 0.6, 1e-10),
                ("guide.friction", t, guide, 100, 1e-11), ("motor.effort", t, u[8], 35, 1e-11)]
    return out


def mechanical_power(model, closed, t, forces):
    """Rate of the kinetic and potential energy less the power of the forces, from the closed-form positions alone."""
    p, small = model.parameters, mpf(10) ** -14        # differences of second order: 1e-28, with 60 digits to spare

    def pose(x):
        return model_oracles.LIBRARY[closed]["closed_form"](p, x)

    def mechanical(h):
        a, b, m = pose(t + h + small), pose(t + h - small), pose(t + h)
        kinetic = potential = mpf(0)
        for body in model.names:
            def centre(s):
                return mpc(s[body + ".x"], s[body + ".y"]) + mp.expj(s[body + ".phi"]) * model.com[body]
            v = (centre(a) - centre(b)) / (2 * small)
            w = (a[body + ".phi"] - b[body + ".phi"]) / (2 * small)
            kinetic += model.mass[body] * abs(v) ** 2 / 2 + model.inertia[body] * w ** 2 / 2
            potential -= model.mass[body] * dot(model.gravity, centre(m))
        return kinetic + potential

    rise = (mechanical(small) - mechanical(-small)) / (2 * small)
    for column, force in forces:
        rise -= force * (pose(t + small)[column] - pose(t - small)[column]) / (2 * small)
    return rise


@own("scissor-lift", "virtual power of weights, inertia and payload against the cylinder")
def scissor_lift(model, start):
    p = model.parameters
    out = []
    for t in (mpf("1.5"), mpf("2.75"), mpf("3.5")):
        power = mechanical_power(model, "scissor-lift", t, [("platform.y", -p["payload"])])
        f = derivatives(model.value(model.drivers[0]["motion"], Series([t, mpf(1)])), 2)
        out.append(("cylinder.effort", t, power / f[1], 10000, 1e-10))
    # At rest: virtual work. The arms rise half as fast as the platform.
    for t in (mpf(0), mpf(5)):
        length = derivatives(model.value(model.drivers[0]["motion"], Series([t, mpf(1)])), 1)[0]
        foot, b = mpc(p["foot_x"], p["foot_y"]), p["push_point"]
        theta = mp.arg(foot) + mp.acos((abs(foot) ** 2 + b ** 2 - length ** 2) / (2 * b * abs(foot)))
        weight = (p["arm_mass"] + p["platform_mass"]) * mpf("9.81") + p["payload"]
        turning = b * abs(foot) * mp.sin(theta - mp.arg(foot)) / length          # d length / d theta
        out.append(("cylinder.effort", t, weight * p["arm_length"] * mp.cos(theta) / turning, 10000, 1e-10))
    return out


@own("slider-crank-engine", "virtual power of gas, weights and inertia against the flywheel")
def slider_crank_engine(model, start):
    p = model.parameters
    out = []
    for t in (mpf("0.0037"), mpf("0.012"), mpf("0.0246")):
        gas = -p["peak"] * ((1 + mp.cos(p["speed"] * t)) / 2) ** 6
        power = mechanical_power(model, "slider-crank-engine", t, [("piston.y", gas)])
        out.append(("flywheel.effort", t, power / p["speed"], 300, 1e-10))
    return out


@own("spring-balance", "minimum of the potential energy in the angle of the lever; frequencies of the linearised "
     "motion in two angles", equilibrium=True)
def spring_balance(model):
    p, g = model.parameters, -model.gravity.imag
    l, m, w, s, h, k = (p[n] for n in "lever_length lever_mass load_mass hold mast stiffness".split())

    def length(a):
        return mp.sqrt(h ** 2 + s ** 2 - 2 * h * s * mp.sin(a))

    def potential(a):
        return (m / 2 + w) * g * l * mp.sin(a) + k * (length(a) - p["free_length"]) ** 2 / 2

    def slope(a):
        return (m / 2 + w) * g * l * mp.cos(a) - k * (length(a) - p["free_length"]) * h * s * mp.cos(a) / length(a)

    # slope = cos(a) (c - k h s (1 - l0 / length)): the length has a closed form, and so has the angle.
    ratio = (m / 2 + w) * g * l / (k * h * s)
    reach = p["free_length"] / (1 - ratio)
    angle = mp.asin((h ** 2 + s ** 2 - reach ** 2) / (2 * h * s))
    assert abs(slope(angle)) < mpf(10) ** -50 and abs(length(angle) - reach) < mpf(10) ** -50
    stiff = mp.diff(slope, angle)
    assert stiff > 0
    # Lever angle a, load angle b from the vertical: kinetic energy at the equilibrium.
    A = m * l ** 2 / 3 + w * l ** 2
    B = p["load_inertia"] + w * p["load_drop"] ** 2
    C = -w * l * p["load_drop"] * mp.sin(angle)      # the load's centre moves with a' l i e^{ia} + b' drop (1, 0)
    K = w * g * p["load_drop"]
    mid, det = A * K + B * stiff, A * B - C * C
    root = mp.sqrt(mid ** 2 - 4 * det * stiff * K)
    hertz = [mp.sqrt((mid + sign * root) / (2 * det)) / (2 * mp.pi) for sign in (-1, 1)]
    hook, S = l * mp.expj(angle), s * mp.expj(angle)
    pull = k * (reach - p["free_length"]) * (mpc(0, h) - S) / reach
    pivot = mpc(0, (m + w) * g) - pull
    q = [mpf(0), mpf(0), angle, hook.real, hook.imag, mpf(0)]
    checks = [("lever.phi", angle, 1), ("load.x", hook.real, 1), ("load.y", hook.imag, 1), ("load.phi", mpf(0), 1),
              ("coil.l", reach, 1), ("coil.f", abs(pull), 50), ("pivot.fx", pivot.real, 50),
              ("pivot.fy", pivot.imag, 50), ("hook-pin.fx", mpf(0), 50), ("hook-pin.fy", w * g, 50)]
    return q, checks, hertz


@own("truss", "method of joints", equilibrium=True)
def truss(model):
    p = model.parameters
    a, h, load, snow, wind = (p[k] for k in "panel height load snow wind".split())
    D = mp.sqrt(a ** 2 / 4 + h ** 2)
    c, s = a / 2 / D, h / D
    right = (load * a + snow * 3 * a / 2 + wind * h) / (2 * a)      # moments about P0
    left = load + snow - right
    n = {"diagonal-1": -left / s, "diagonal-4": -right / s}          # P0 and P2, vertically
    n["bottom-1"] = wind - n["diagonal-1"] * c                       # P0, horizontally
    n["bottom-2"] = -n["diagonal-4"] * c                             # P2, horizontally
    n["diagonal-2"] = -n["diagonal-1"]                               # T1, vertically
    n["top"] = 2 * n["diagonal-1"] * c                               # T1, horizontally
    n["diagonal-3"] = load / s - n["diagonal-2"]                     # P1, vertically
    # left over, to control: P1 horizontally, T2 in both directions
    assert abs(n["bottom-2"] - n["bottom-1"] + (n["diagonal-3"] - n["diagonal-2"]) * c) < mpf(10) ** -50
    assert abs(n["diagonal-4"] * c - n["diagonal-3"] * c - n["top"] + wind) < mpf(10) ** -50
    assert abs((n["diagonal-4"] + n["diagonal-3"]) * s + snow) < mpf(10) ** -50
    at = {"P0": mpc(0), "P1": mpc(a, 0), "P2": mpc(2 * a, 0), "T1": mpc(a / 2, h), "T2": mpc(3 * a / 2, h)}
    ends = {e["name"]: (e["i"].split(".")[1 if "ground" in e["i"] else 0], e["j"].split(".")[0]) for e in model.joints
            if e["type"] == "distance"}
    checks = []
    for bar, (i, j) in ends.items():
        d = at[j] - at[i]
        force = -n[bar] * d / abs(d)
        checks += [(bar + ".fx", force.real, 10000), (bar + ".fy", force.imag, 10000),
                   (bar + ".lambda1", n[bar] / (2 * abs(d)), 10000)]
    checks += [("roller.fy", right, 10000), ("roller.lambda1", -right, 10000), ("T2.x", at["T2"].real, 1),
               ("T2.y", at["T2"].imag, 1)]
    return [x for b in model.names for x in (at[b].real, at[b].imag, mpf(0))], checks, []


# ---------------------------------------------------------------------------------------------------------------------
# Statics from the Cartesian equations: the second route of the equilibria

def statics(model, q):
    """Solution at rest at q; the frequencies of small motions about it, from differences of J^T lambda - Q."""
    state = model.state_from_series([Series([x]) for x in q], mpf(0))
    solution = Solution(model, state)
    assert max(abs(x) for x in state.flat(2)) < mpf(10) ** -45, "this is no equilibrium"
    n = len(q)
    J = np.array([[float(x) for x in row] for row in solution.J])
    _, s, vt = np.linalg.svd(J)
    free = vt[int(np.sum(s > 1e-9)):].T
    if not free.shape[1]:
        return solution, []

    def pull(x):
        at = State(model, mpf(0))
        at.put(0, x)
        rows = [r for _, rs in model.equations(at) for r in rs]
        Q, _, _ = model.applied(at)
        return [mp.fsum(r * l for r, l in zip(column, solution.multipliers)) - f
                for column, f in zip(zip(*[model.dense(r) for r in rows]), Q)]

    base, h = state.flat(0), mpf(10) ** -20
    K = np.zeros((n, n))
    for k in range(n):
        up, down = (pull([x + sign * h * (i == k) for i, x in enumerate(base)]) for sign in (1, -1))
        K[:, k] = [float((a - b) / (2 * h)) for a, b in zip(up, down)]
    M = np.diag([float(x) for x in solution.m])
    values = np.linalg.eigvals(np.linalg.solve(free.T @ M @ free, free.T @ K @ free))
    return solution, sorted(np.sqrt(values.real) / (2 * np.pi))


# ---------------------------------------------------------------------------------------------------------------------
# All models

def same(name, column, a, b, scale, tolerance=mpf(10) ** -14):
    assert abs(a - b) <= tolerance * scale, f"{name}: {column}: {mp.nstr(a, 20)} or {mp.nstr(b, 20)}?"


def start_records(solution, moving):
    out = []
    for column, value, scale in solution.motion_columns():
        if moving or not column.split(".")[-1].startswith("v"):
            out.append(record(column, value, scale))
    for column, value, scale in solution.reaction_columns():
        if abs(value) > TINY * scale:
            out.append(record(column, value, scale))
    out += [record(*x) for x in solution.multiplier_columns()]
    for column, value in solution.spring_columns.items():
        scale = {"l": solution.model.size, "v": solution.acceleration_scale() * solution.time(),
                 "f": solution.force_scale(), "theta": 1, "omega": 1 / solution.time(),
                 "torque": solution.force_scale() * mpf(solution.model.size),
                 "power": solution.force_scale() * mpf(solution.model.size) / solution.time()}[column.split(".")[-1]]
        out.append(record(column, value, max(mpf(scale), abs(value))))
    return out + [record(*x) for x in solution.system_columns()]


def driven(model, run):
    """Path in double precision, then states to 50 digits at the start and at the times of the inverse checks."""
    to, steps = model.value(run["to"]), int(run["steps"])
    wanted = sorted({0} | {round(f * steps) for f in INVERSE_AT})
    q = last = model.newton(np.array([float(x) for x in model.drawn]), 0.0)
    found = {}
    for k in range(max(wanted) + 1):
        guess = q + (q - last) if k > 1 else q
        last, q = q, model.newton(guess, float(to * k / steps))
        if k in wanted:
            t = to * k / steps
            found[k] = (t, q)
    return [found[k] for k in wanted]


def examine_driven(name, model, run):
    """forward_start and inverse of a model whose drivers prescribe all of its motion"""
    start, inverse, solutions = [], [], {}
    for t, q in driven(model, run):
        state = model.state_from_series(model.series(q, t), t)
        known = [state.flat(2), state.flat(3)]
        s = Solution(model, state)
        solutions[t] = s
        size = mpf(model.size)
        for order in (2, 3):
            unit = s.acceleration_scale() / s.time() ** (order - 2)
            gap = max(abs(a - b) * (size if c % 3 == 2 else 1) for c, (a, b) in
                      enumerate(zip(known[order - 2], state.flat(order)))) / unit
            assert gap < TINY, f"{name}: order {order} at {t}: the power series differ by {mp.nstr(gap, 3)}"
        if t == 0:
            start = start_records(s, True)
        else:
            for column, value, scale in s.reaction_columns():
                if abs(value) > TINY * scale:
                    inverse.append(record(column, value, scale, t=float(t)))
    return start, inverse


def at_time(model, run, t):
    """Solution of a driven model at any time of its run."""
    to, steps = model.value(run["to"]), int(run["steps"])
    q = model.newton(np.array([float(x) for x in model.drawn]), 0.0)
    for k in range(1, int(mp.nint(t / to * steps)) + 1):
        q = model.newton(q, float(to * k / steps))
    return Solution(model, model.state_from_series(model.series(q, t), t))


def examine(name, old):
    mp.dps = 60
    model = Dynamics(MODELS / name / "model.toml")
    run = model.data["run"]
    expected, dynamics = dict(old), {}
    entry = OWN.get(name)
    rubbing = any("friction" in joint for joint in model.data["joints"].values())      # the equations above know nothing of that
    if rubbing:
        if not model.drivers:
            size = 3 * len(model.names)
            expected = {"source": f"{entry['sentence'][0].upper()}{entry['sentence'][1:]}: tools/dynamics_oracles.py.",
                        "mobility": {"counted": size - model.joint_rows, "rank": size - model.joint_rows}, "checks": []}
        start = None
    elif model.drivers:
        dynamics["forward_start"], dynamics["inverse"] = examine_driven(name, model, run)
        start = None
    else:
        state = model.state_as_written()
        project(model, state)
        smooth = not any(f.get("friction_speed") == 0 for f in model.forces)
        start = Solution(model, state, smooth)
        moving = max(abs(v) for v in state.flat(1)) > 0
        if smooth:                                   # at rest, the sign of exact friction is that of the coming motion
            dynamics["forward_start"] = start_records(start, moving)
        size = 3 * len(model.names)
        expected = {"source": f"{entry['sentence'][0].upper()}{entry['sentence'][1:]}: tools/dynamics_oracles.py.",
                    "mobility": {"counted": size - model.joint_rows, "rank": size - len(start.kept)},
                    "checks": []}
    if entry and not entry["equilibrium"]:
        own_checks = entry["function"](model, start)
        if model.drivers and not rubbing:            # the same effort from the Cartesian equations
            for column, t, value, scale, _ in own_checks:
                other = {c: v for c, v, _ in at_time(model, run, t).reaction_columns()}[column]
                same(name, column, value, other, scale)
        dynamics["end"] = [record(c, v, mpf(s), t=float(t)) | {"tolerance": tol} for c, t, v, s, tol in own_checks]
    if entry and entry["equilibrium"]:
        q, checks, hertz = entry["function"](model)
        solution, other = statics(model, q)
        columns = solution.spring_columns | {c: v for c, v, _ in solution.reaction_columns()}
        columns |= {c: v for c, v, _ in solution.multiplier_columns()}
        for column, value, scale in checks:
            if column in columns:
                same(name, column, value, columns[column], scale)
        assert len(other) == len(hertz), (other, hertz)
        for a, b in zip(hertz, other):
            assert abs(a - b) < 1e-9 * a, (a, b)
        expected["equilibrium"] = {"checks": [record(c, v, mpf(s)) for c, v, s in checks],
                                   "frequencies_hz": [float(f) for f in hertz], "stable": True}
    expected["dynamics"] = dynamics
    quoted = compare_card(name, model, expected)
    print(f"{name:25} " + ", ".join(f"{len(v)} {k}" for k, v in dynamics.items())
          + (f", {len(expected['equilibrium']['checks'])} equilibrium" if entry and entry["equilibrium"] else "")
          + f"; {quoted} quoted")
    return expected


def compare_card(name, model, expected):
    """Numbers quoted in the card, rows "| `column` | t | value |": they must be among the records."""
    path, quoted = MODELS / name / "card.md", 0
    if not path.exists():
        return 0
    records = {}
    for part, items in expected["dynamics"].items():
        for r in items:
            records.setdefault((r["column"], r.get("t", 0.0)), r["value"])
    for r in expected.get("equilibrium", {}).get("checks", []):
        records[r["column"], None] = r["value"]
    for k, f in enumerate(expected.get("equilibrium", {}).get("frequencies_hz", [])):
        records[f"frequency {k + 1}", None] = f
    for line in path.read_text().splitlines():
        cell = [c.strip().strip("`") for c in line.strip().strip("|").split("|")]
        if len(cell) != 3 or cell[0] in ("column", "") or set(cell[0]) <= {"-", ":"}:
            continue
        t = None if cell[1] == "at rest" else float(cell[1].removesuffix(" s"))
        if (cell[0], t) not in records:
            assert name in model_oracles.LIBRARY, f"{name}: the card says {line}, which is no record"
            continue                                 # a kinematic column: tools/model_oracles.py compares it
        value = records[cell[0], t]
        digits = cell[2].split("e")[0].lstrip("-0.").replace(".", "")
        unit = abs(value) * 10.0 ** (1 - len(digits)) if value else 1e-9
        assert abs(float(cell[2]) - value) <= unit, f"{name}: the card says {line}, true is {value!r}"
        quoted += 1
    return quoted


def is_spatial(name):
    """Those of space have an oracle of their own: tools/spatial_oracles.py."""
    return tomllib.loads((MODELS / name / "model.toml").read_text()).get("space") == "3d"


def main(arguments):
    check = "--check" in arguments
    every = sorted({p.parent.name for p in MODELS.glob("*/model.toml") if not is_spatial(p.parent.name)} - set(contact_oracles.LIBRARY) - set(CAMS))
    changed = []
    for name in [a for a in arguments if not a.startswith("-")] or every:
        path = MODELS / name / "expected.json"
        old = json.loads(path.read_text()) if path.exists() else {}
        expected = examine(name, old)
        text = write(expected)
        if not path.exists() or path.read_text() != text:
            changed.append(name)
            if not check:
                path.write_text(text)
    if check and changed:
        sys.exit("expected.json is out of date: " + ", ".join(changed))


if __name__ == "__main__":
    main(sys.argv[1:])
