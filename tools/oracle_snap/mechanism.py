"""A model in space as equations in maximal coordinates.

Unknown series: for each body the place of its centre of mass (3) and its quaternion (4); for each joint and loop the
coordinates of its type. A joint says that the frame on the child is the frame on the parent, displaced by the coordinates:
three equations of place in ground axes and three of orientation, each with a multiplier. A ball has the first three, a free
body none. A prescribed dof adds `coordinate = f(t)`, whose multiplier is its effort, a coupling adds one equation, every quaternion
its length.

    m r'' = forces + dS/dr,     J w' + w x J w = moments + 1/2 vec(conj(e) dS/de),     0 = effort of the dof + dS/dq,

with S the sum of multipliers times equations. The derivatives of S come from a reverse sweep through the graph of the equations; no
Jacobian is written by hand, there is no tree recursion and no spatial vector.
"""

from joint_types import joint_type
from model_text import ModelText
from rotations import (IDENTITY, Frame, add, conjugate, cross, dot, from_rpy, rates, scale, spin_in_own_axes, sub,
                       times, turn, turn_back)
from series import ZERO, Number, Series, Unknown, atan, cos, gradient, rate, sin, sqrt


def apply(matrix, v):
    return [dot(row, v) for row in matrix]


class Body:
    def __init__(self, text, name, written):
        self.name = name
        self.mass = text.value(written.get("mass", 1))
        self.com = text.values(written.get("com", [0, 0, 0]))
        xx, yy, zz, xy, xz, yz = text.values(written.get("inertia", [1, 1, 1, 0, 0, 0] if "mass" not in written else [0] * 6))
        self.inertia = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        self.r, self.e = [Unknown() for _ in range(3)], [Unknown() for _ in range(4)]
        self.frame = Frame(sub(self.r, turn(self.e, self.com)), self.e)
        self.force, self.moment = [ZERO] * 3, [ZERO] * 3         # on the centre of mass, ground axes: applied ones

    def apply(self, force, place, moment=(ZERO, ZERO, ZERO)):
        self.force = add(self.force, force)
        self.moment = add(self.moment, add(list(moment), cross(sub(place, self.r), force)))


class Ground:
    name, r, e = "ground", [], []

    def __init__(self):
        self.frame = Frame([ZERO] * 3, IDENTITY)

    def apply(self, *_):
        pass


class Equation:
    def __init__(self, residual):
        self.residual, self.multiplier = residual, Unknown()


class Connection:
    """A joint of the tree or a loop: frames `a` on the parent and `b` on the child."""

    def __init__(self, text, name, written, parent, child, a, b):
        self.name, self.kind, self.parent, self.child, self.a, self.b = name, written["type"], parent, child, a, b
        count, self.displacement = joint_type(text, written)
        self.q = [Unknown() for _ in range(count)]
        self.equations = []
        if self.kind == "free":
            residuals = []
        elif self.kind == "spherical":
            residuals = sub(b.p, a.p)
        elif self.kind == "distance":
            d, length = sub(b.p, a.p), text.value(written["length"])
            residuals = [(dot(d, d) - length * length) / (2 * length)]
        else:
            moved = a.then(self.displacement(self.q))
            residuals = sub(b.p, moved.p) + times(conjugate(moved.e), b.e)[1:]
        self.equations = [Equation(r) for r in residuals]
        weighted = ZERO
        for equation in self.equations:
            weighted = weighted + equation.multiplier * equation.residual
        self.push = gradient(weighted)
        relative = b.seen_from(a)
        if self.kind == "spherical":
            self.position, self.speed = relative.e, spin_in_own_axes(relative.e)
        elif self.kind == "free":
            self.position = relative.e + relative.p
            self.speed = spin_in_own_axes(relative.e) + turn_back(relative.e, rates(relative.p))
        else:
            self.position, self.speed = self.q, [rate(x) for x in self.q]
        self.efforts = [ZERO] * len(self.speed)                  # of torque, spring and damper
        self.drives = [None] * len(self.speed)                   # equations of prescribed dofs
        self.extra_moment = [ZERO] * 3                           # efforts of a ball, ground axes

    def on(self, body):
        """Force and moment about the centre of mass that the equations put on a body, ground axes."""
        force = [self.push.get(x, ZERO) for x in body.r]
        moment = scale(0.5, times(conjugate(body.e), [self.push.get(x, ZERO) for x in body.e])[1:])
        return force, turn(body.e, moment)

    def wrench(self):
        """Force on the child and moment about the origin of frame b."""
        sign, body = (1, self.child) if self.child.name != "ground" else (-1, self.parent)
        force, moment = self.on(body)
        moment = add(moment, cross(sub(body.r, self.b.p), force))
        return scale(sign, force), add(scale(sign, moment), self.extra_moment)


class Mechanism:
    def __init__(self, model, t0=0):
        Series.nodes.clear()
        self.time = Unknown()
        self.time.c = [Number(t0), Number(1)] + [Number(0)] * 60
        text = self.text = ModelText(model, self.time)
        self.gravity = text.values(text.table.get("gravity", [0, 0, 0]))
        self.ground = Ground()
        self.bodies = {name: Body(text, name, w) for name, w in text.section("bodies").items()}
        self.points = {}
        for body in [self.ground, *self.bodies.values()]:
            written = text.section("ground") if body is self.ground else text.section("bodies")[body.name]
            for point, place in written.get("points", {}).items():
                self.points[f"{body.name}.{point}"] = (body, body.frame.then(self.placement(place)))
            self.points[f"{body.name}.origin"] = (body, body.frame)
            if body is not self.ground:
                self.points[f"{body.name}.com"] = (body, Frame(body.r, body.e))
        self.joints, self.loops, self.couplings, self.forces = {}, {}, {}, {}
        self.alone = []                                           # equations of prescribed dofs and couplings
        for name, w in text.section("joints").items():
            parent, child = self.body(w["parent"]), self.body(w["child"])
            a = parent.frame.then(self.placement(w.get("origin", {})))
            b = child.frame.then(self.placement(w.get("child_origin", {})))
            joint = self.joints[name] = Connection(text, name, w, parent, child, a, b)
            joint.child_place = self.placement(w.get("child_origin", {}))
            joint.written_q = text.values(w["q"]) if "q" in w else None
            joint.written_v = text.values(w.get("v", [0] * len(joint.speed)))
            self.read_dofs(joint, w.get("dofs", []))
        for name, w in text.section("loops").items():
            (parent, a), (child, b) = self.points[w["i"]], self.points[w["j"]]
            self.loops[name] = Connection(text, name, w, parent, child, a, b)
        for name, w in text.section("couplings").items():
            i, j = self.coordinate(w["i"]), self.coordinate(w["j"])
            self.couplings[name] = Equation(j - text.value(w["ratio"]) * i - text.value(w.get("offset", 0)))
            self.alone.append(self.couplings[name])
        for name, w in text.section("forces").items():
            self.forces[name] = self.read_force(w)
        self.write_equations()

    def body(self, name):
        return self.ground if name == "ground" else self.bodies[name]

    def placement(self, written):
        if isinstance(written, list):
            written = {"xyz": written}
        rpy = self.text.values(written.get("rpy", [0, 0, 0]))
        return Frame(self.text.values(written.get("xyz", [0, 0, 0])), from_rpy(rpy))

    def coordinate(self, written):
        name, _, place = written.partition(".")
        return self.joints[name].q[int(place or 1) - 1]

    def read_dofs(self, joint, dofs):
        text, effort = self.text, joint.efforts
        stiffness = []
        for k, dof in enumerate(dofs):
            coordinate = joint.q[k] if joint.q else None
            if "motion" in dof:
                joint.drives[k] = Equation(coordinate - text.value(dof["motion"]))
                self.alone.append(joint.drives[k])
            effort[k] = effort[k] + text.value(dof.get("torque", 0)) - text.value(dof.get("damping", 0)) * joint.speed[k]
            stiffness.append(text.value(dof.get("stiffness", 0)))
            if joint.q:
                effort[k] = effort[k] - stiffness[k] * (coordinate - text.value(dof.get("rest", 0)))
        if joint.kind == "spherical" and any(k is not ZERO for k in stiffness):
            joint.efforts = effort = add(effort, ball_spring(joint.position, stiffness))
        if joint.kind in ("spherical", "free"):
            moment, force = turn(joint.b.e, effort[:3]), turn(joint.b.e, effort[3:] or [ZERO] * 3)
            joint.extra_moment = moment
            assert all(x is ZERO for x in force), "efforts along a free body are not used"
            joint.child.apply([ZERO] * 3, [ZERO] * 3, moment)
            joint.parent.apply([ZERO] * 3, [ZERO] * 3, scale(-1, moment))

    def read_force(self, w):
        """Applies a force and returns the columns that it has."""
        text = self.text
        if w["type"] == "spring":
            (i, at_i), (j, at_j) = self.points[w["i"]], self.points[w["j"]]
            d = sub(at_j.p, at_i.p)
            length = sqrt(dot(d, d))
            speed = dot(d, rates(d)) / length
            tension = text.value(w.get("stiffness", 0)) * (length - text.value(w.get("free_length", 0)))
            tension = tension + text.value(w.get("damping", 0)) * speed + text.value(w.get("actuator", 0), l=length, v=speed)
            pull = scale(tension / length, d)
            i.apply(pull, at_i.p)
            j.apply(scale(-1, pull), at_j.p)
            return {"l": length, "v": speed, "f": tension}
        value, own = text.values(w["value"]), w.get("frame", "ground") == "body"
        if w["type"] == "force":
            body, at = self.points[w["on"]]
            force = turn(body.e, value) if own else value
            body.apply(force, at.p)
            return dict(zip(("fx", "fy", "fz"), force))
        body = self.body(w["on"])
        moment = turn(body.e, value[:3]) if own else value[:3]
        if w["type"] == "moment":
            body.apply([ZERO] * 3, body.r, moment)
            return dict(zip(("mx", "my", "mz"), moment))
        force = turn(body.e, value[3:]) if own else value[3:]
        body.apply(force, body.frame.p if own else [ZERO] * 3, moment)
        return dict(zip(("fx", "fy", "fz", "mx", "my", "mz"), force + moment))

    def write_equations(self):
        self.connections = [*self.joints.values(), *self.loops.values()]
        self.coordinates = [x for b in self.bodies.values() for x in b.r + b.e] + [x for c in self.connections for x in c.q]
        self.equations = [e for c in self.connections for e in c.equations] + self.alone
        self.lengths = [dot(b.e, b.e) - 1 for b in self.bodies.values()]
        self.balance = []                                         # what must vanish, each a series
        for body in self.bodies.values():
            force = add(body.force, scale(body.mass, self.gravity))
            moment = body.moment
            for c in self.connections:
                if body in (c.parent, c.child):
                    f, m = c.on(body)
                    force, moment = add(force, f), add(moment, m)
            spin = spin_in_own_axes(body.e)
            momentum = apply(body.inertia, spin)
            turning = add(apply(body.inertia, rates(spin)), cross(spin, momentum))
            self.balance += sub(scale(body.mass, rates(rates(body.r))), force)
            self.balance += sub(turning, turn_back(body.e, moment))
        alone = {}
        for equation in self.alone:
            for x, slope in gradient(equation.multiplier * equation.residual).items():
                alone[x] = alone.get(x, ZERO) + slope
        for c in self.connections:
            for k, x in enumerate(c.q):
                self.balance.append(-(c.push.get(x, ZERO) + alone.get(x, ZERO) + c.efforts[k]))


def ball_spring(e, stiffness):
    """Effort of a spring on the rotation vector: -Jr(theta)^-T K theta, away from the place of rest."""
    size = sqrt(dot(e[1:], e[1:]))
    angle = 2 * atan(size / e[0])
    theta = scale(angle / size, e[1:])
    load = [k * x for k, x in zip(stiffness, theta)]
    once = cross(theta, load)
    s, c = sin(angle), cos(angle)
    factor = 1 / (angle * angle) - (1 + c) / (2 * angle * s)
    return scale(-1, add(load, add(scale(-0.5, once), scale(factor, cross(theta, once)))))
