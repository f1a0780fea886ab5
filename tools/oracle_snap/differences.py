"""Jerk, snap and rates of reactions as differences of accelerations and reactions along a motion of 50 digits.

The motion to t = -h and +h is one step of Runge and Kutta's method from the accelerations of the equations of motion alone. With
h = 1e-9 the step errs by 1e-45, the differences by 1e-18; nothing of the series beyond order 2 is used.
"""

from columns import Columns
from mechanism import Mechanism
from motion import Motion
from series import Number

STEP = Number("1e-9")


def at_state(model, time, place, speed):
    motion = object.__new__(Motion)
    motion.model, motion.t0, motion.held, motion.signs = model, time, None, {}
    motion.mechanism = Mechanism(model, time)
    for x, value, rate in zip(motion.mechanism.coordinates, place, speed):
        x.c = [value, rate]
    return motion


def accelerations(model, time, place, speed):
    return [2 * x.c[2] for x in at_state(model, time, place, speed).extend(2, False).mechanism.coordinates]


def runge_kutta(model, place, speed, h):
    def moved(a, b, factor):
        return [x + factor * y for x, y in zip(a, b)]
    v1, a1 = speed, accelerations(model, Number(0), place, speed)
    v2 = moved(speed, a1, h / 2)
    a2 = accelerations(model, h / 2, moved(place, v1, h / 2), v2)
    v3 = moved(speed, a2, h / 2)
    a3 = accelerations(model, h / 2, moved(place, v2, h / 2), v3)
    v4 = moved(speed, a3, h)
    a4 = accelerations(model, h, moved(place, v3, h), v4)
    mean = lambda k1, k2, k3, k4: [(p + 2 * q + 2 * r + s) / 6 for p, q, r, s in zip(k1, k2, k3, k4)]
    return moved(place, mean(v1, v2, v3, v4), h), moved(speed, mean(a1, a2, a3, a4), h)


def low_orders(motion):
    """Accelerations by joint and body, and reactions, without anything of a higher order."""
    m = motion.extend(2, False).mechanism
    out = {}
    for joint in m.joints.values():
        for k, x in enumerate(joint.speed):
            out[f"{joint.name}.a{k + 1}"] = x.derivative(1)
    for body in m.bodies.values():
        for axis, x in zip("xyz", body.frame.p):
            out[f"{body.name}.a{axis}"] = x.derivative(2)
    for connection in m.connections:
        force, moment = connection.wrench()
        for label, x in zip(("fx", "fy", "fz", "mx", "my", "mz"), force + moment):
            out[f"{connection.name}.{label}"] = x.at(0)
    for joint in m.joints.values():
        for k, drive in enumerate(joint.drives):
            out[f"{joint.name}.tau{k + 1}"] = (drive.multiplier if drive else joint.efforts[k]).at(0)
    for name, equation in m.couplings.items():
        out[f"{name}.lambda1"] = equation.multiplier.at(0)
    return out


def check_by_differences(case):
    """The largest error of jerk, snap and rates of a case at t = 0, relative to each or to 1."""
    model, held = case["model"], None
    if "[loops." in model or "[couplings." in model:
        free = [] if case["command"] != "dynamics" else ["crank"] if "[joints.crank]" in model else ["first"]
        held = free + (["near"] if case["name"] == "rssr-balls-free" else [])
    start = Motion(model, held=held)
    place = [x.c[0] for x in start.mechanism.coordinates]
    speed = [x.c[1] for x in start.mechanism.coordinates]
    ends = [runge_kutta(model, place, speed, h) for h in (-STEP, STEP)]
    before, after = [low_orders(at_state(model, h, *end)) for h, end in zip((-STEP, STEP), ends)]
    now = low_orders(at_state(model, Number(0), place, speed))
    values = {column: value for t, column, value in case["values"] if t == 0}
    rates = {(column, order): value for t, column, order, value in case["rates"] if t == 0}
    worst, compared = 0.0, 0
    for column, value in now.items():
        first = (after[column] - before[column]) / (2 * STEP)
        second = (after[column] - 2 * value + before[column]) / STEP ** 2
        name, _, letter = column.rpartition(".a")
        for order, found in ((1, first), (2, second)):
            listed = values.get(f"{name}.{'js'[order - 1]}{letter}") if name else rates.get((column, order))
            if listed is not None:
                worst, compared = max(worst, abs(float(found) - listed) / max(1.0, abs(listed))), compared + 1
    assert compared > 20 and worst < 1e-14, (case["name"], compared, worst)
    return worst
