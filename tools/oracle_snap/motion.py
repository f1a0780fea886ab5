"""Motions of a mechanism as series in time: assembly, then one order after the other with one factorisation."""

import numpy

from linear import Factors, independent_rows, null_space
from mechanism import Mechanism
from rotations import IDENTITY, Frame, add, dot, scale, turn
from series import Number, Series, Unknown, as_series, slopes, sqrt

NOTHING = Number("1e-36")


def forget():
    for node in Series.nodes:
        if not isinstance(node, Unknown):
            node.c.clear()


def quaternion_rows(e, slope):
    """1/2 vec(conj(e) slope) with numbers: the slope by a turn about the body's own axes."""
    w, x, y, z = e
    a, b, c, d = slope
    return [(w * b - x * a - y * d + z * c) / 2, (w * c - y * a + x * d - z * b) / 2, (w * d - z * a - x * c + y * b) / 2]


class Motion:
    """`held`: passive dofs, "joint" or "joint.2", whose written position and rate are kept where loops or couplings move others;
    None: all of them (a tree)."""

    allowed = 10 ** 6 * NOTHING                                   # what equations may leave of an order

    def __init__(self, model, t0=0, held=None):
        self.model, self.t0, self.held = model, Number(t0), held
        self.mechanism = Mechanism(model, self.t0)
        self.signs = {}                                           # of quaternions of balls, as they are written
        self.place_bodies()
        self.assemble()
        self.start()

    # --- positions

    def place_bodies(self):
        m = self.mechanism
        frames = {"ground": m.ground.frame}
        waiting = dict(m.joints)
        while waiting:
            for name, joint in list(waiting.items()):
                if joint.parent.name not in frames:
                    continue
                del waiting[name]
                q = joint.written_q or ([0] * len(joint.q) if joint.q or joint.kind == "fixed" else [1] + [0] * 6)
                q = [as_series(as_series(x).at(0)) for x in q]
                for k, drive in enumerate(joint.drives):
                    if drive:                                     # residual = coordinate - motion
                        joint.q[k].c = [Number(0)]
                        q[k] = as_series(-drive.residual.at(0))
                for unknown, x in zip(joint.q, q):
                    unknown.c = [x.at(0)]
                if joint.displacement:
                    moved = joint.displacement(q)
                else:
                    e = scale(1 / sqrt(dot(q[:4], q[:4])), q[:4])
                    moved = Frame(q[4:7] if joint.kind == "free" else [as_series(0)] * 3, e)
                origin = m.text.section("joints")[name].get("origin", {})
                inner = Frame([as_series(0)] * 3, IDENTITY).seen_from(joint.child_place)
                frame = frames[joint.parent.name].then(m.placement(origin)).then(moved).then(inner)
                frames[joint.child.name] = frame
                body = joint.child
                if max((x.at(0) for x in frame.e), key=abs) < 0:  # as results have it: the largest part is positive
                    frame = Frame(frame.p, scale(-1, frame.e))
                for unknown, x in zip(body.r + body.e, add(frame.p, turn(frame.e, body.com)) + frame.e):
                    unknown.c = [x.at(0)]
        forget()
        for joint in m.joints.values():
            if not joint.q and joint.kind != "fixed" and joint.written_q:
                agreement = sum(x.at(0) * y.at(0) for x, y in zip(joint.position[:4], joint.written_q))
                self.signs[joint.name] = -1 if agreement < 0 else 1
        for loop in m.loops.values():
            self.guess(loop)
        forget()

    def guess(self, loop):
        """Start values of the coordinates of a loop: as small as they can be, then found by assembly."""
        if not loop.q:
            return
        relative = loop.b.seen_from(loop.a)
        e, p = [x.at(0) for x in relative.e], [x.at(0) for x in relative.p]
        axis = [float(x) for x in self.mechanism.text.section("loops")[loop.name].get("axis", [0, 0, 1])]
        length = sum(x * x for x in axis) ** 0.5
        along = [sum(float(x) * y for x, y in zip(v, axis)) / length for v in (e[1:], p)]
        angle = 2 * numpy.arctan2(along[0], float(e[0]))
        start = {"revolute": [angle], "helical": [angle], "prismatic": [along[1]], "cylindrical": [angle, along[1]],
                 "planar": [2 * numpy.arctan2(float(e[3]), float(e[0])), float(p[0]), float(p[1])],
                 "translation": [float(x) for x in p]}.get(loop.kind, [0.0] * len(loop.q))
        for unknown, x in zip(loop.q, start):
            unknown.c = [Number(float(x))]

    def rows(self, residuals):
        """Slopes of residuals by the coordinates."""
        out = []
        for residual in residuals:
            slope = slopes(residual)
            out.append([slope.get(x, Number(0)) for x in self.mechanism.coordinates])
        return out

    def held_coordinates(self):
        m = self.mechanism
        names = self.held if self.held is not None else []
        return [m.coordinate(name) for name in names if m.joints[name.partition(".")[0]].q]

    def assemble(self):
        m = self.mechanism
        if not m.loops and not m.couplings:
            return
        keep = [(x, x.c[0]) for x in self.held_coordinates()]
        residuals = [e.residual for e in m.equations] + m.lengths + [x - value for x, value in keep]
        self.come_near(residuals)
        for _ in range(30):
            values = [r.at(0) for r in residuals]
            worst = max(abs(v) for v in values)
            if worst < NOTHING:
                return forget()
            self.move_by(self.shortest_move(residuals, values))
        raise ArithmeticError(f"not assembled: {float(worst):.2e}")

    def come_near(self, residuals):
        """Levenberg and Marquardt's method in double precision."""
        size, damping = float("inf"), 1e-2
        for _ in range(300):
            values = numpy.array([float(r.at(0)) for r in residuals])
            if values @ values < size:
                size, damping = values @ values, damping / 4
                place = [x.c[0] for x in self.mechanism.coordinates]
                matrix = numpy.array([[float(x) for x in row] for row in self.rows(residuals)])
                force = matrix.T @ values
            else:
                damping *= 6
            if size < 1e-22:
                break
            move = -numpy.linalg.solve(matrix.T @ matrix + damping * numpy.eye(matrix.shape[1]), force)
            self.move_to([x + Number(float(y)) for x, y in zip(place, move)])
        self.move_to(place)

    def move_to(self, place):
        for unknown, x in zip(self.mechanism.coordinates, place):
            unknown.c = [x]
        forget()

    def move_by(self, move):
        self.move_to([x.c[0] + y for x, y in zip(self.mechanism.coordinates, move)])

    def shortest_move(self, residuals, values):
        """Newton's step, the shortest where some motion is left free."""
        rows = self.rows(residuals)
        chosen = [rows[i] for i in independent_rows(rows, Number("1e-6"))]
        picked = [values[i] for i in independent_rows(rows, Number("1e-6"))]
        products = [[sum(x * y for x, y in zip(a, b) if x and y) for b in chosen] for a in chosen]
        weights = Factors(products).solve([-v for v in picked])
        return [sum(w * row[k] for w, row in zip(weights, chosen) if row[k]) for k in range(len(rows[0]))]

    # --- rates

    def start(self):
        """First-order coefficients from the written rates."""
        m = self.mechanism
        given = []
        for joint in m.joints.values():
            for k, speed in enumerate(joint.speed):
                label = joint.name if k == 0 else f"{joint.name}.{k + 1}"
                if not joint.drives[k] and (self.held is None or label in self.held):
                    given.append((speed, joint.written_v[k].at(0)))
        equations = [e.residual for e in m.equations]
        rows = self.rows(equations + m.lengths)
        for x in m.coordinates:
            x.c = x.c[:1] + [Number(0)]
        forget()
        right = [-r.at(1) for r in equations + m.lengths] + [v - speed.at(0) for speed, v in given]
        base = [speed.at(0) for speed, _ in given]
        columns = []
        for x in m.coordinates:
            x.c[1] = Number(1)
            forget()
            columns.append([speed.at(0) - b for (speed, _), b in zip(given, base)])
            x.c[1] = Number(0)
        forget()
        rows += [list(row) for row in zip(*columns)] if given else []
        chosen = independent_rows(rows, Number("1e-20"))
        assert len(chosen) == len(m.coordinates), f"rates: {len(chosen)} equations for {len(m.coordinates)} coordinates"
        solution = Factors([rows[i] for i in chosen]).solve([right[i] for i in chosen])
        for x, value in zip(m.coordinates, solution):
            x.c[1] = value
        forget()
        left = max(abs(r.at(1)) for r in equations + m.lengths)
        assert left < NOTHING * 10**6, f"rates do not fit the equations: {float(left):.2e}"

    # --- orders

    def factor(self):
        m = self.mechanism
        bodies = list(m.bodies.values())
        place = {x: k for k, x in enumerate(m.coordinates)}
        n, inner = len(m.coordinates), len(m.coordinates) - 7 * len(bodies)
        pushes = []                                               # of each equation on the rows of balance
        rows = []
        for equation in m.equations:
            slope = slopes(equation.residual)
            rows.append([slope.get(x, Number(0)) for x in m.coordinates])
            push = []
            for body in bodies:
                push += [slope.get(x, Number(0)) for x in body.r]
                push += quaternion_rows([x.c[0] for x in body.e], [slope.get(x, Number(0)) for x in body.e])
            pushes.append(push + rows[-1][7 * len(bodies):])
        self.pushes = pushes
        self.kept = independent_rows(pushes, Number("1e-20"))
        count = 6 * len(bodies) + inner
        matrix = [[Number(0)] * (n + len(self.kept)) for _ in range(count)]
        for i, body in enumerate(bodies):
            for k in range(3):
                matrix[6 * i + k][place[body.r[k]]] = body.mass.value
            for k in range(4):
                unit = [Number(int(j == k)) for j in range(4)]
                turning = [4 * x for x in quaternion_rows([x.c[0] for x in body.e], unit)]
                for row in range(3):
                    matrix[6 * i + 3 + row][place[body.e[k]]] = sum(a.value * b for a, b in zip(body.inertia[row], turning))
        for column, index in enumerate(self.kept):
            for row in range(count):
                matrix[row][n + column] = -pushes[index][row]
        empty = [Number(0)] * len(self.kept)
        matrix += [row + empty for row in self.rows(m.lengths)]
        matrix += [rows[i] + empty for i in self.kept]
        self.factors = Factors(matrix)

    def extend(self, order, on_the_joints=True):
        """Coefficients of the coordinates up to `order`, of the multipliers up to order - 2. Away from closed joints and unit
        quaternions, as within a step of Runge and Kutta, the equations are left with what is open."""
        m = self.mechanism
        if not hasattr(self, "factors"):
            self.factor()
        for k in range(len(m.coordinates[0].c), order + 1):
            before = [len(node.c) for node in Series.nodes]
            for x in m.coordinates + [e.multiplier for e in m.equations]:
                x.c.append(Number(0))
            right = [-b.at(k - 2) for b in m.balance]
            right += [-k * (k - 1) * r.at(k) for r in m.lengths]
            right += [-k * (k - 1) * m.equations[i].residual.at(k) for i in self.kept]
            for node, length in zip(Series.nodes, before):
                del node.c[length:]
            solution = self.factors.solve(right)
            for x, value in zip(m.coordinates, solution):
                x.c.append(value / (k * (k - 1)))
            found = dict(zip(self.kept, solution[len(m.coordinates):]))
            for i, equation in enumerate(m.equations):
                equation.multiplier.c.append(found.get(i, Number(0)))
            size = 1 + max(abs(x.c[k]) for x in m.coordinates)
            left = max([abs(e.residual.at(k)) for e in m.equations] + [abs(b.at(k - 2)) for b in m.balance])
            assert not on_the_joints or left < size * self.allowed, f"order {k} leaves {float(left):.2e}"
        return self

    def loose(self):
        """Combinations of multipliers that push nothing: reactions are not unique along them."""
        count = len(self.mechanism.equations)
        if len(self.kept) == count:
            return []
        return null_space([list(row) for row in zip(*self.pushes) if any(row)], count, Number("1e-20"))

    # --- later times

    def later(self, span, order=20, driven=False):
        """The motion at t0 + span. A driven mechanism is assembled again there."""
        self.extend(order)
        span = Number(span)
        other = object.__new__(Motion)
        other.model, other.t0, other.held = self.model, self.t0 + span, [] if driven else self.held
        values = []
        for x in self.mechanism.coordinates:
            value = speed = Number(0)
            for k in range(order, -1, -1):
                value = value * span + x.c[k]
                if k:
                    speed = speed * span + k * x.c[k]
            values.append((value, speed))
        other.signs = self.signs
        other.mechanism = Mechanism(self.model, other.t0)
        for x, (value, speed) in zip(other.mechanism.coordinates, values):
            x.c = [value] if driven else [value, speed]
        for body in other.mechanism.bodies.values():              # truncation must not leave a length of 1 + 1e-28
            size = sum(x.c[0] ** 2 for x in body.e).sqrt()
            for x in body.e:
                x.c[0] /= size
        if driven:
            other.assemble_again()
            other.start()
        return other

    def assemble_again(self):
        m = self.mechanism
        residuals = [e.residual for e in m.equations] + m.lengths
        for _ in range(30):
            values = [r.at(0) for r in residuals]
            if max(abs(v) for v in values) < NOTHING:
                return forget()
            self.move_by(self.shortest_move(residuals, values))
        raise ArithmeticError("not assembled at a later time")
