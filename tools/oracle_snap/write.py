#!/usr/bin/env python3
"""Writes tests/data/space-snap.json: motions in space to the fourth derivative.

    python3 tools/oracle_snap/write.py            all cases
    python3 tools/oracle_snap/write.py NAME ...   prints these cases instead
"""

import json
import pathlib
import re
import sys

from cases_loops import LOOPS
from cases_trees import TREES
from columns import Columns, digits
from motion import Motion
from series import Number

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data"
SOURCE = "maximal coordinates with 50 digits, tools/oracle_snap: "


def closed(case):
    """The model with the positions and rates of its dependent dofs written out, so that nothing is left to assembly."""
    text = case["model"]
    if "held" not in case:
        return text
    motion = Motion(text, held=case["held"])
    for joint in motion.mechanism.joints.values():
        labels = [joint.name if k == 0 else f"{joint.name}.{k + 1}" for k in range(len(joint.speed))]
        if all(label in case["held"] or drive for label, drive in zip(labels, joint.drives)):
            continue
        sign = motion.signs.get(joint.name, 1)
        q = [digits(x.at(0) * (sign if k < 4 and not joint.q else 1)) for k, x in enumerate(joint.position)]
        v = [digits(x.at(0)) for x in joint.speed]
        head, start, rest = text.partition(f"[joints.{joint.name}]\n")
        section, gap, rest = rest.partition("\n\n") if "\n\n" in rest else (rest.rstrip("\n"), "\n", "")
        section = "\n".join(line for line in section.split("\n") if not re.match(r"[qv] = ", line))
        text = head + start + section + f"\nq = {q}\nv = {v}" + gap + rest
    return text


def motions(case, text):
    """(time, motion) for every time of a case."""
    motion = Motion(text, held=case.get("held"))
    driven = case["command"] != "dynamics"
    yield 0, motion
    for before, time in zip(case["times"], case["times"][1:]):
        count = 3 if driven else 5
        for k in range(count):
            span = (Number(time) - Number(before)) / count
            motion = motion.later(span, order=8 if driven else 22, driven=driven)
        motion.t0 = Number(time)
        yield time, motion


def settled(case):
    """The model whose assembly stays where it is written: that of a loop with several screws may begin on another branch."""
    text = closed(case)
    for _ in range(5):
        again = closed({**case, "model": text})
        if nearly(text, again):
            return text
        text = again
    raise ArithmeticError(f"{case['about']}: no start from which assembly does not move")


def nearly(one, other):
    """The same text but for the last digits of its numbers."""
    number = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")
    pairs = zip(number.findall(one), number.findall(other))
    return number.sub("", one) == number.sub("", other) and all(abs(float(a) - float(b)) < 1e-12 for a, b in pairs)


def solved(name, case):
    text = settled(case) if "custom" in case["model"] and "held" in case else closed(case)
    wanted = case.get("columns")
    values, rates, loose = [], [], set()
    for time, motion in motions(case, text):
        columns = Columns(motion, case["command"] != "kinematics")
        keep = [c for c in columns.values if wanted is None or c.startswith(tuple(wanted))]
        values += [[time, c, digits(columns.values[c])] for c in keep]
        rates += [[time, c, order, digits(x)] for (c, order), x in columns.rates.items() if c in keep]
        loose |= columns.not_unique
    if "ball" in case:
        text = with_a_ball(text, case["ball"])
    out = {"name": name, "source": SOURCE + case["about"], "command": case["command"], "to": case["times"][-1] or 0.01, "steps": 1}
    out.update({"needs": case["needs"]} if "needs" in case else {})
    return {**out, "model": text, "values": values, "rates": rates, "not_unique": sorted(loose)}


def with_a_ball(text, name):
    """The model with a ball in the place of a universal joint, at the same position."""
    joint = Motion(text, held=[]).mechanism.joints[name]
    relative = joint.b.seen_from(joint.a)
    q = [digits(x.at(0)) for x in relative.e]
    head, start, rest = text.partition(f"[joints.{name}]\n")
    rest = rest.replace('"universal"', '"spherical"', 1)
    rest = re.sub(r"q = .*\nv = .*", f"q = {q}", rest, count=1)
    return head + start + rest


def main(names):
    cases = {**TREES, **LOOPS}
    out = []
    for name in names or cases:
        out.append(solved(name, cases[name]))
        print(name, len(out[-1]["values"]), len(out[-1]["rates"]), len(out[-1]["not_unique"]), file=sys.stderr, flush=True)
    if names:
        print(json.dumps(out, indent=1))
        return
    lines = ",\n".join(record(case) for case in out)
    (DATA / "space-snap.json").write_text('{\n"about": ' + json.dumps(ABOUT) + ',\n"cases": [\n' + lines + "\n]}\n")


def record(case):
    """A case with one line for each key."""
    return "{" + ",\n ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in case.items()) + "}"


ABOUT = ("values: [time, column, value]. rates: [time, column, n, n-th time derivative of that column]. not_unique: reactions that the "
         "equations do not determine; they have no values. Run `command` with `to` and `steps`; times are rows. See tools/oracle_snap/README.md.")

if __name__ == "__main__":
    main(sys.argv[1:])
