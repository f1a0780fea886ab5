#!/usr/bin/env python3
"""Closed forms of the models with cams, roller-cam and flat-cam: writes their models/*/expected.json.

usage: tools/cam_oracles.py [--check]

The lift is differentiated by mpmath's Taylor series of its closed form, with 60 digits; forces follow from Newton's law of the follower along its guide and from
virtual work for the motor. Nothing of the engine is used, and no profile: a circle is known by its centre, and under a flat face the lift is all there is.
"""

import json
import pathlib
import sys

from mpmath import mp, mpf

mp.dps = 60
MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
G = mpf("9.81")
ORDERS = ("", "v", "a", "j", "s")


def roller_cam():
    e, radius, roller, offset = mpf("0.012"), mpf("0.03"), mpf("0.01"), mpf("0.005")
    reach = radius + roller

    def side(theta):  # of the roller's centre from that of the circle, across the way
        return offset - e * mp.cos(theta)

    return {
        "name": "roller-cam", "speed": 10 * mp.pi, "mass": mpf("0.4"), "stiffness": mpf(4000), "squeeze": lambda y: mpf("0.1") - (mpf("0.12") - y),
        "height": lambda theta: e * mp.sin(theta) + mp.sqrt(reach ** 2 - side(theta) ** 2),
        "cosine": lambda theta: mp.sqrt(1 - (side(theta) / reach) ** 2),
        "angle": lambda theta: abs(mp.asin(side(theta) / reach)), "bend": lambda theta: radius,
        "times": ("0.03", "0.076", "0.15", "0.242"), "exact": True,
        "source": "Closed form (the triangle of shaft, circle and roller, Newton's law along the guide, virtual work) evaluated in 60-digit arithmetic by tools/cam_oracles.py.",
    }


def flat_cam():
    height, base = mpf("0.008"), mpf("0.02")

    def lift(theta):
        return height / 2 * (1 - mp.cos(theta)) + height / 32 * (1 - mp.cos(2 * theta))

    return {
        "name": "flat-cam", "speed": 20 * mp.pi, "mass": mpf("0.15"), "stiffness": mpf(12000), "squeeze": lambda y: mpf("0.08") - (mpf("0.09") - y),
        "height": lambda theta: base + lift(theta), "cosine": lambda theta: mpf(1), "angle": lambda theta: mpf(0),
        "bend": lambda theta: base + lift(theta) + mp.diff(lift, theta, 2),
        "times": ("0.017", "0.044", "0.081", "0.132"), "exact": False,
        "source": "Closed form (the lift as it is wanted, radius of curvature base + lift + lift'', Newton's law along the guide, virtual work) evaluated in 60-digit arithmetic by tools/cam_oracles.py.",
    }


def expected(cam):
    w, mass, k = cam["speed"], cam["mass"], cam["stiffness"]
    times = [mpf(t) for t in cam["times"]]

    def height(t):
        return cam["height"](w * t)

    def load(t):  # along the guide, on the follower
        return mass * (mp.diff(height, t, 2) + G) + k * cam["squeeze"](height(t))

    def force(t):
        return load(t) / cam["cosine"](w * t)

    def effort(t):
        return load(t) * mp.diff(height, t) / w

    def largest(f):
        return max(abs(f(t)) for t in times)

    orders = range(5 if cam["exact"] else 2)  # a spline of 360 places follows the second derivative to some 1e-9
    checks = []
    for t in times:
        for n in orders:
            checks.append({"column": f"follower.{ORDERS[n]}y", "t": float(t), "value": float(mp.diff(height, t, n)),
                           "scale": float(mp.nstr(largest(lambda x, n=n: mp.diff(height, x, n)), 6))})
        checks.append({"column": "lift.pressure_angle", "t": float(t), "value": float(cam["angle"](w * t)), "scale": 1.0})
        if cam["exact"]:
            checks.append({"column": "lift.curvature_radius", "t": float(t), "value": float(cam["bend"](w * t)),
                           "scale": float(mp.nstr(largest(lambda x: cam["bend"](w * x)), 6))})
    inverse = []
    for t in times if cam["exact"] else []:  # forces follow from that derivative
        for column, f in (("lift.contact_force", force), ("motor.effort", effort)):
            inverse.append({"column": column, "t": float(t), "value": float(f(t)), "scale": float(mp.nstr(largest(f), 4))})
    zero = mpf(0)
    start = []
    for n in range(1, 4 if cam["exact"] else 2):
        start.append({"column": f"follower.{ORDERS[n]}y", "value": float(mp.diff(height, zero, n)), "scale": float(mp.nstr(largest(lambda x, n=n: mp.diff(height, x, n)), 4))})
    start.append({"column": "cam.vphi", "value": float(w), "scale": float(mp.nstr(w, 4))})
    start.append({"column": "cam.aphi", "value": 0.0, "scale": float(mp.nstr(w * w, 4))})
    start.append({"column": "lift.contact_force", "value": float(force(zero)), "scale": float(mp.nstr(largest(force), 4))})
    start.append({"column": "motor.effort", "value": float(effort(zero)), "scale": float(mp.nstr(largest(effort), 4))})
    start.append({"column": "spring.f", "value": float(-k * cam["squeeze"](height(zero))), "scale": float(mp.nstr(largest(force), 4))})
    return {"source": cam["source"], "mobility": {"counted": 1, "rank": 1}, "checks": checks, "dynamics": {"forward_start": start, "inverse": inverse}}


def write(value, indent=0):
    if isinstance(value, dict) and ("checks" in value or "forward_start" in value):
        pad = " " * (indent + 2)
        return "{\n" + ",\n".join(f'{pad}"{key}": {write(v, indent + 2)}' for key, v in value.items()) + "\n" + " " * indent + "}"
    if isinstance(value, list):
        pad = " " * (indent + 2)
        return "[\n" + ",\n".join(pad + json.dumps(v) for v in value) + "\n" + " " * indent + "]"
    return json.dumps(value)


def main(arguments):
    for cam in (roller_cam(), flat_cam()):
        path, text = MODELS / cam["name"] / "expected.json", write(expected(cam)) + "\n"
        if "--check" in arguments and path.read_text() != text:
            sys.exit(f"expected.json is out of date: {cam['name']}")
        path.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
