#!/usr/bin/env python3
"""Writes tests/data/space-references.json: two benchmarks of the IFToMM library, each by a road of its own.

    python3 tools/oracle_snap/references.py              some minutes
    python3 tools/oracle_snap/references.py --check      also integrates Bricard's mechanism with the general oracle to t = 2
"""

import json
import pathlib
import sys

import numpy
from mpmath import asin, mpf, sin

import bricard_quadrature
import governor
from benchmarks import BRICARD, GOVERNOR

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data"
DEFINITION = ("Problem of the IFToMM library of computational benchmarks (M. Gonzalez et al., 2006), data as in the model's head, taken from its "
              "descriptions in MBS-BOS (RehabEngGroup/MBSbenchmarksInOpenSim) and Exudyn; values are computed here, none is copied. ")


def bricard():
    swing = bricard_quadrature.Swing()
    values = []
    for time in range(1, 11):
        x = swing.at(mpf(time))
        y = asin(-sin(x) / (1 + sin(x)))
        corner = bricard_quadrature.shape(x)[2][3]
        columns = {"rod3.P3.x": corner[0], "rod3.P3.y": corner[1], "rod3.P3.z": corner[2], "h0.q1": x, "h1.q1": y,
                   "energy.total": bricard_quadrature.REST}
        values += [[time, column, float(value)] for column, value in columns.items()]
    return {"name": "bricard-a04", "source": DEFINITION + "Values: quadrature of the energy in its one motion with 26 digits, from the closed form (1 + sin x)"
            "(1 + sin y) = 1 between neighbouring hinges; good to 1e-16. The period is " + f"{float(2 * swing.half)!r}" + " s, and the motion turns at x = 0 and x = pi.",
            "command": "dynamics", "to": 10, "steps": 10, "period": float(2 * swing.half), "model": BRICARD, "values": values}


def flyball():
    times = [0.5, *range(1, 11)]
    states = governor.integrate(times, 0.01)
    again = governor.integrate(times, 0.005)
    difference = max(float(numpy.max(numpy.abs(a - b))) for a, b in zip(states, again))
    assert difference < 1e-15, difference
    values = []
    for time, (lean, height, turning, climbing, turn) in zip(times, states):
        columns = {"slider.z": height, "slider.vz": climbing, "top1.q1": lean, "top1.v1": turning, "top2.q1": lean, "bearing.q1": turn,
                   "bearing.v1": governor.MOMENTUM / governor.turning_inertia(lean)[0]}
        values += [[time, column, float(value)] for column, value in columns.items()]
    return {"name": "flyball-governor-a05", "source": DEFINITION + "Values: the two equations of the symmetric motion by Radau's method of 9 stages (order 17) "
            f"in 64-bit-mantissa arithmetic; halving the steps changes them by {difference:.0e}.", "command": "dynamics", "to": 10, "steps": 20,
            "model": GOVERNOR, "values": values}


def check_by_the_general_oracle():
    from motion import Motion
    from series import Number
    Motion.allowed = Number("1e-20")
    expected = {(t, c): v for t, c, v in json.loads((DATA / "space-references.json").read_text())["cases"][0]["values"]}
    motion = Motion(BRICARD, held=["h0"])
    for k in range(1, 41):
        motion = motion.later("0.05", order=28)
        if k % 20 == 0:
            place = [x.at(0) for x in motion.mechanism.points["rod3.P3"][1].p]
            error = max(abs(float(x) - expected[k // 20, f"rod3.P3.{axis}"]) for x, axis in zip(place, "xyz"))
            print(f"general oracle at t = {k // 20}: {error:.1e} m from the quadrature")
            assert error < 1e-15


if __name__ == "__main__":
    cases = [bricard(), flyball()]
    record = lambda case: "{" + ",\n ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in case.items()) + "}"
    (DATA / "space-references.json").write_text('{"cases": [\n' + ",\n".join(record(case) for case in cases) + "\n]}\n")
    if "--check" in sys.argv:
        check_by_the_general_oracle()
