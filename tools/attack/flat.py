"""Random models of the plane with joints of every type.

Bodies are drawn anywhere, and joints are put where the drawing fulfils them, so every model assembles as drawn; constants that may be
left out are left out, and found from the drawing.  Each body hangs on one before it, then joints close the chain as long as at least one
motion is left by count.
"""
from __future__ import annotations

import math
from typing import Any

import numpy as np

EQUATIONS = {"revolute": 2, "translational": 2, "pin-in-slot": 1, "distance": 1, "parallel": 1, "gear": 1, "gear-on-arm": 1, "coordinate": 1,
             "rolling": 1, "weld": 3}
HANGING = {"revolute": 0.6, "translational": 0.2, "pin-in-slot": 0.1, "weld": 0.05, "rolling": 0.05}
CLOSING = {"revolute": 0.3, "distance": 0.15, "pin-in-slot": 0.15, "translational": 0.05, "parallel": 0.07, "gear": 0.08, "gear-on-arm": 0.05,
           "coordinate": 0.08, "rolling": 0.07}


class Drawing:
    def __init__(self, rng: np.random.Generator, name: str):
        self.rng = rng
        self.d: dict[str, Any] = {"jounce": 1, "name": name, "gravity": [float(c) for c in rng.uniform(-9, 9, 2)], "ground": {"points": {}},
                                  "bodies": {}, "joints": {}, "forces": {}}
        self.pose = {"ground": (np.zeros(2), 0.0)}

    def body(self, name: str) -> None:
        rng = self.rng
        x, phi, m = rng.uniform(-1, 1, 2), float(rng.uniform(-3, 3)), float(rng.uniform(0.3, 3))
        self.pose[name] = (x, phi)
        self.d["bodies"][name] = {"mass": m, "inertia": float(m * rng.uniform(0.01, 0.2)), "com": [float(c) for c in rng.uniform(-0.3, 0.3, 2)],
                                  "position": [float(c) for c in x], "angle": phi, "velocity": [float(c) for c in rng.uniform(-2, 2, 2)],
                                  "spin": float(rng.uniform(-4, 4)), "points": {}}

    def point(self, body: str, at: np.ndarray) -> str:
        x, phi = self.pose[body]
        points = (self.d["ground"] if body == "ground" else self.d["bodies"][body])["points"]
        c, s = math.cos(phi), math.sin(phi)
        r = at - x
        name = f"P{len(points)}"
        points[name] = [float(c * r[0] + s * r[1]), float(-s * r[0] + c * r[1])]
        return f"{body}.{name}"

    def line(self, body: str, at: np.ndarray, along: np.ndarray) -> list[str]:
        return [self.point(body, at), self.point(body, at + along)]

    def joint(self, kind: str, i: str, j: str) -> None:
        """A joint that the drawing fulfils."""
        rng = self.rng
        near = (self.pose[i][0] + self.pose[j][0]) / 2 + rng.uniform(-0.5, 0.5, 2)
        along = rng.standard_normal(2)
        along *= 0.5 / np.linalg.norm(along)
        match kind:
            case "revolute" | "weld":
                content = {"i": self.point(i, near), "j": self.point(j, near)}
            case "distance":
                content = {"i": self.point(i, near + along), "j": self.point(j, near - along)}
            case "translational":
                content = {"slot": self.line(i, near, along), "slider": self.line(j, near + float(rng.uniform(-0.6, 0.6)) * along, along)}
            case "pin-in-slot":
                content = {"slot": self.line(i, near, along), "pin": self.point(j, near + float(rng.uniform(-1, 1)) * along)}
            case "parallel":
                content = {"i": self.line(i, near, along), "j": self.line(j, near + rng.uniform(-0.5, 0.5, 2), along)}
            case "gear":
                content = {"i": i, "j": j, "ratio": float(rng.choice([-2.0, -1.0, -0.5, 0.7, 1.5]))}
            case "gear-on-arm":
                arm = str(rng.choice([b for b in self.pose if b not in (i, j)]))
                content = {"i": i, "j": j, "arm": arm, "ratio": float(rng.choice([-2.0, -0.5, 0.7, 1.5]))}
            case "coordinate":
                content = {"j": f"{j}.{rng.choice(['x', 'y', 'phi'])}"}
                if i != "ground":
                    content |= {"i": f"{i}.{rng.choice(['x', 'y', 'phi'])}", "ratio": float(rng.uniform(0.3, 2))}
            case _:
                content = {"line": self.line(i, near, along), "wheel": self.point(j, near + float(rng.uniform(-1, 1)) * along),
                           "radius": float(rng.uniform(-0.5, 0.5))}
        self.d["joints"][f"j{len(self.d['joints'])}"] = {"type": kind, **content}


def some(kinds: dict[str, float], rng: np.random.Generator) -> str:
    return str(rng.choice(list(kinds), p=np.array(list(kinds.values())) / sum(kinds.values())))


def flat(rng: np.random.Generator, name: str) -> dict[str, Any]:
    drawing = Drawing(rng, name)
    n = int(rng.integers(2, 6))
    left = 3 * n
    for k in range(n):
        drawing.body(f"b{k}")
        kind = some(HANGING, rng)
        drawing.joint(kind, "ground" if k == 0 or rng.random() < 0.2 else f"b{int(rng.integers(0, k))}", f"b{k}")
        left -= EQUATIONS[kind]
    for _ in range(int(rng.integers(1, 5))):
        kind = some(CLOSING, rng)
        bodies = list(drawing.pose)
        i, j = (bodies[m] for m in rng.choice(len(bodies), 2, replace=False))
        if j == "ground":
            i, j = j, i
        if left - EQUATIONS[kind] >= 1 and not (kind == "gear-on-arm" and n < 2):
            drawing.joint(kind, i, j)
            left -= EQUATIONS[kind]
    d = drawing.d
    for what, chance in (("spring", 0.3), ("torsion-spring", 0.3), ("force", 0.3)):
        if rng.random() < chance:
            b = f"b{int(rng.integers(n))}"
            damping = {"damping": float(rng.uniform(0.01, 0.5))} if rng.random() < 0.4 else {}
            at = drawing.point(b, drawing.pose[b][0] + rng.uniform(-0.4, 0.4, 2))
            if what == "spring":
                d["forces"][what] = {"type": what, "i": drawing.point("ground", rng.uniform(-1, 1, 2)), "j": at,
                                     "stiffness": float(rng.uniform(1, 50)), "free_length": float(rng.uniform(0.1, 1)), **damping}
            elif what == "force":
                d["forces"][what] = {"type": what, "on": at, "value": [float(c) for c in rng.uniform(-9, 9, 2)],
                                     "frame": str(rng.choice(["ground", "body"]))}
            else:
                d["forces"][what] = {"type": what, "i": "ground", "j": b, "stiffness": float(rng.uniform(0.5, 9)),
                                     "free_angle": float(rng.uniform(-1, 1)), **damping}
    if not d["forces"]:
        del d["forces"]
    return d
