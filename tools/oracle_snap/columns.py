"""Result columns of a motion by their public names (docs/guide/results.md, and for jerk and snap README.md here)."""

from rotations import spin_in_outer_axes
from series import Number

AXES = ("x", "y", "z")
SMALL = Number("1e-18")                       # truncation of series leaves 1e-20 at later times


def of_points(name, place, out):
    for prefix, order in (("", 0), ("v", 1), ("a", 2), ("j", 3), ("s", 4)):
        for axis, component in zip(AXES, place):
            out[f"{name}.{prefix}{axis}"] = component.derivative(order)


def of_bodies(m, out):
    for body in m.bodies.values():
        of_points(body.name, body.frame.p, out)
        for letter, x in zip("wxyz", body.e):
            out[f"{body.name}.q{letter}"] = x.at(0)
        spin = spin_in_outer_axes(body.e)
        for prefix, order in (("w", 0), ("al", 1), ("aj", 2), ("as", 3)):
            for axis, x in zip(AXES, spin):
                out[f"{body.name}.{prefix}{axis}"] = x.derivative(order)
    for name, (body, frame) in m.points.items():
        if body is not m.ground and not name.endswith((".origin", ".com")):
            of_points(name, frame.p, out)


def of_joints(m, signs, out):
    for joint in m.joints.values():
        for k, x in enumerate(joint.position):
            out[f"{joint.name}.q{k + 1}"] = x.at(0) * (signs.get(joint.name, 1) if k < 4 else 1)
        for letter, order in (("v", 0), ("a", 1), ("j", 2), ("s", 3)):
            for k, x in enumerate(joint.speed):
                out[f"{joint.name}.{letter}{k + 1}"] = x.derivative(order)


class Columns:
    """`values`: {column: value}; `rates`: {(column, order): derivative of a column that has no column of its own}."""

    def __init__(self, motion, forces):
        m = motion.extend(4).mechanism
        self.values, self.rates, self.not_unique = {}, {}, set()
        of_bodies(m, self.values)
        of_joints(m, motion.signs, self.values)
        if forces:
            self.of_forces(motion)

    def put(self, name, series, ways):
        """A reaction and its two rates, unless it is not unique: it must not change along the ways that push nothing."""
        if any(self.changes(series, way) for way in ways):
            self.not_unique.add(name)
            return
        self.values[name] = series.at(0)
        for order in (1, 2):
            self.rates[name, order] = series.derivative(order)

    def changes(self, series, way):
        """Whether a reaction moves with the multipliers: evaluated again with other ones at order 0."""
        from motion import forget
        multipliers = [e.multiplier for e in self.equations]
        before = series.at(0)
        for x, step in zip(multipliers, way):
            x.c[0] += step
        forget()
        after = series.at(0)
        for x, step in zip(multipliers, way):
            x.c[0] -= step
        forget()
        return abs(after - before) > Number("1e-20") * max(abs(x) for x in way)

    def of_forces(self, motion):
        m = motion.mechanism
        self.equations = m.equations
        ways = motion.loose()
        wrenches = [(c, [*c.wrench()[0], *c.wrench()[1]]) for c in m.connections]
        for connection, wrench in wrenches:
            for label, x in zip(("fx", "fy", "fz", "mx", "my", "mz"), wrench):
                self.put(f"{connection.name}.{label}", x, ways)
        for joint in m.joints.values():
            for k, effort in enumerate(joint.efforts):
                drive = joint.drives[k]
                self.put(f"{joint.name}.tau{k + 1}", drive.multiplier if drive else effort, ways if drive else [])
        for name, equation in m.couplings.items():
            self.put(f"{name}.lambda1", equation.multiplier, ways)
        for name, columns in m.forces.items():
            for label, x in columns.items():
                self.put(f"{name}.{label}", x, [])


def digits(x):
    """17 digits, as a double reads them; what is nothing is 0."""
    return float(x) if abs(x) > SMALL else 0.0
