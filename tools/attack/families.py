"""More families of closed linkages: those with a name, the redundant ones, and those that pass singular positions.

    four-bars      N + 1 equal uprights joined by N beams: when they lie flat, the mobility jumps from 1 to N + 1
    three-cranks   a beam on three parallel cranks: redundant in the plane, too
    bennett        4R with skew axes, movable because opposite links are equal and a sin(beta) = b sin(alpha)
    bricard        6R, movable by its symmetry (threefold with alternating twists, or about a line)
    platform       a plate on three legs, each turning, lengthening and ending in a ball
    rssr           crank, rod with two balls, rocker: the rod spins freely about itself
    cardan         two shafts and a piece between them, with universal joints

`near` makes a linkage that is almost a special one: an axis tilted, a length changed, by 1e-12 to 1e-6.
"""
from __future__ import annotations

import copy
import math

import numpy as np

from oracle import Array, rotation_about
from random_linkages import (FAMILIES, Connection, Linkage, chain_in_plane, close, finish, poses, random_body, random_rotation)

X, Y, Z = np.eye(3)


def bar(rng: np.random.Generator, length: float) -> dict:
    """A thin bar along x, or a body whose mass lies anywhere."""
    if rng.random() < 0.5:
        return random_body(rng)
    m = float(rng.uniform(0.3, 3))
    return {"mass": m, "com": [length / 2, 0.0, 0.0], "inertia": [1e-3 * m * length ** 2, m * length ** 2 / 12, m * length ** 2 / 12, 0.0, 0.0, 0.0]}


def on_uprights(rng: np.random.Generator, name: str, cranks: int, beams: list[tuple[int, int]], length: float, apart: float,
                angle: float) -> Linkage:
    """Equal cranks beside each other on the ground, and beams of which each joins two or more neighbours, all in a plane."""
    T = random_rotation(rng)
    l = Linkage(name, [float(c) for c in rng.uniform(-9, 9, 3)], {}, [], [])
    for k in range(cranks):
        l.bodies[f"crank{k}"] = bar(rng, length)
        l.tree.append(Connection(f"foot{k}", "revolute", "ground", T @ (k * apart * X), T, f"crank{k}", np.zeros(3), np.eye(3)))
        l.q[f"foot{k}"] = [angle]
    for first, last in beams:
        b = f"beam{first}"
        l.bodies[b] = bar(rng, (last - first) * apart)
        l.tree.append(Connection(f"top{first}", "revolute", f"crank{first}", length * X, np.eye(3), b, np.zeros(3), np.eye(3)))
        l.q[f"top{first}"] = [-angle]
    for first, last in beams:
        for k in range(first + 1, last + 1):
            p, R = poses(l)[f"beam{first}"]
            l.loops.append(close(l, "revolute", f"crank{k}", f"beam{first}", p + R @ ((k - first) * apart * X), T, f"pin{first}{k}", [0.0]))
    return l


def four_bars(rng: np.random.Generator, name: str) -> Linkage | None:
    n = int(rng.integers(1, 4))
    length = float(rng.uniform(0.5, 1.2))
    l = on_uprights(rng, name, n + 1, [(k, k + 1) for k in range(n)], length, length * float(rng.choice([1.0, rng.uniform(0.6, 1.5)])),
                    float(rng.uniform(0.5, 2.6)))
    return finish(l, rng, float(rng.uniform(2, 7)))


def three_cranks(rng: np.random.Generator, name: str) -> Linkage | None:
    l = on_uprights(rng, name, 3, [(0, 2)], float(rng.uniform(0.3, 0.8)), float(rng.uniform(0.4, 0.9)), float(rng.uniform(0.5, 2.6)))
    return finish(l, rng, float(rng.uniform(1, 7)))


# ------------------------------------------------------------------------------------------- loops of hinges, skew axes
def closing_angles(links: list[tuple[float, float, float]], rng: np.random.Generator) -> list[float] | None:
    """Angles with which hinges, links (length, twist) and offsets return to where they began; the first is drawn."""
    def end(q: Array) -> tuple[Array, list[Array], list[Array]]:
        x, R, axes, places = np.zeros(3), np.eye(3), [], []
        for (a, twist, offset), angle in zip(links, q):
            axes.append(R @ Z)
            places.append(x)
            R = R @ rotation_about(Z, angle)
            x = x + R @ np.array([a, 0, offset])
            R = R @ rotation_about(X, twist)
        return np.concatenate([x, 0.5 * sum(np.cross(np.eye(3)[k], R[:, k]) for k in range(3)), [3 - np.trace(R)]]), axes, places
    for _ in range(30):
        q = rng.uniform(-3, 3, len(links))
        for _ in range(60):
            gap, axes, places = end(q)
            J = np.array([np.concatenate([np.cross(w, gap[:3] - p), w]) for w, p in zip(axes[1:], places[1:])]).T
            step = np.linalg.lstsq(J, -gap[:6], rcond=1e-9)[0]
            size = float(np.linalg.norm(step))
            q[1:] += step * min(1.0, 0.5 / max(size, 1e-300))
            if size < 1e-15:
                break
        gap = end(q)[0]
        # not a turn by 180 degrees, whose antisymmetric part vanishes too
        if np.max(np.abs(gap)) < 1e-13 and abs(gap[6]) < 1e-6:
            return [math.remainder(float(a), 2 * math.pi) for a in q]
    return None


def loop_of_hinges(rng: np.random.Generator, name: str, links: list[tuple[float, float, float]], speed: float) -> Linkage | None:
    """The last link is the ground: its hinge to the first body is the first, and the last hinge closes the loop."""
    q = closing_angles(links, rng)
    if q is None:
        return None
    T = random_rotation(rng)
    l = Linkage(name, [float(c) for c in rng.uniform(-9, 9, 3)], {}, [], [])
    before, at, turned = "ground", np.zeros(3), T
    for k, (a, twist, offset) in enumerate(links[:-1]):
        b = f"link{k}"
        l.bodies[b] = bar(rng, max(a, 0.1))
        l.tree.append(Connection(f"hinge{k}", "revolute", before, at, turned, b, np.zeros(3), np.eye(3)))
        l.q[f"hinge{k}"] = [q[k]]
        before, at, turned = b, np.array([a, 0, offset]), rotation_about(X, twist)
    p, R = poses(l)[before]
    l.loops.append(close(l, "revolute", before, "ground", p + R @ at, R @ turned, "closure", [q[-1]]))
    return finish(l, rng, speed)


def bennett(rng: np.random.Generator, name: str) -> Linkage | None:
    a, alpha, beta = float(rng.uniform(0.3, 1)), float(rng.uniform(0.3, 1.4)), float(rng.uniform(0.3, 1.4))
    b = a * math.sin(beta) / math.sin(alpha)
    return loop_of_hinges(rng, name, [(a, alpha, 0.0), (b, beta, 0.0)] * 2, float(rng.uniform(1, 5)))


def bricard(rng: np.random.Generator, name: str) -> Linkage | None:
    if rng.random() < 0.5:
        a, twist = float(rng.uniform(0.3, 1)), float(rng.uniform(0.4, 1.5))
        return loop_of_hinges(rng, name, [(a, twist, 0.0), (a, -twist, 0.0)] * 3, float(rng.uniform(1, 4)))
    half = [(float(rng.uniform(0.3, 0.8)), float(rng.uniform(0.3, 1.4)), float(rng.uniform(-0.2, 0.2))) for _ in range(3)]
    return loop_of_hinges(rng, name, half * 2, float(rng.uniform(1, 4)))


# --------------------------------------------------------------------------------------------------- with balls and crosses
def platform(rng: np.random.Generator, name: str) -> Linkage | None:
    l = Linkage(name, [0.0, 0.0, -9.81], {}, [], [])
    feet = [rotation_about(Z, 2 * math.pi * k / 3 + float(rng.uniform(-0.2, 0.2))) for k in range(3)]
    tops = []
    for k, F in enumerate(feet):
        low, high = f"low{k}", f"high{k}"
        l.bodies[low], l.bodies[high] = random_body(rng), random_body(rng)
        lie = F @ rotation_about(X, math.pi / 2)                                # hinge along the tangent, leg along its y
        l.tree.append(Connection(f"foot{k}", "revolute", "ground", F @ (0.8 * X), lie, low, np.zeros(3), np.eye(3)))
        l.q[f"foot{k}"] = [float(rng.uniform(-0.3, 0.5))]
        along = rotation_about(X, -math.pi / 2)
        l.tree.append(Connection(f"slide{k}", "prismatic", low, np.zeros(3), along, high, np.zeros(3), along))
        l.q[f"slide{k}"] = [float(rng.uniform(0.7, 1.1))]
        tops.append(poses(l)[high][0])
    l.bodies["plate"] = random_body(rng)
    middle, R = sum(tops) / 3, random_rotation(rng)
    q = np.array([1.0, 0, 0, 0])
    l.tree.append(Connection("ball0", "spherical", "high0", np.zeros(3), np.eye(3), "plate", np.zeros(3), np.eye(3)))
    p = poses_without(l)["high0"][1]
    l.tree[-1].Rb = R.T @ p
    l.tree[-1].xb = R.T @ (tops[0] - middle)
    l.q["ball0"] = [float(c) for c in q]
    for k in (1, 2):
        l.loops.append(close(l, "spherical", f"high{k}", "plate", tops[k], random_rotation(rng), f"ball{k}", [1.0, 0, 0, 0]))
    return finish(l, rng, float(rng.uniform(0.3, 2)))


def poses_without(l: Linkage) -> dict:
    """Poses of all but the last body."""
    return poses(Linkage(l.name, l.gravity, l.bodies, l.tree[:-1], [], l.q))


def rssr(rng: np.random.Generator, name: str) -> Linkage | None:
    l = Linkage(name, [float(c) for c in rng.uniform(-9, 9, 3)], {b: random_body(rng) for b in ("crank", "rod", "rocker")}, [], [])
    def anywhere() -> tuple[Array, Array]:
        return rng.uniform(-0.8, 0.8, 3), random_rotation(rng)
    l.tree.append(Connection("crank-pin", "revolute", "ground", *anywhere(), "crank", np.zeros(3), np.eye(3)))
    l.tree.append(Connection("rocker-pin", "revolute", "ground", *anywhere(), "rocker", np.zeros(3), np.eye(3)))
    kind = str(rng.choice(["spherical", "universal"]))
    l.tree.append(Connection("first-ball", kind, "crank", *anywhere(), "rod", np.zeros(3), random_rotation(rng)))
    l.q = {"crank-pin": [float(rng.uniform(-3, 3))], "rocker-pin": [float(rng.uniform(-3, 3))],
           "first-ball": [1.0, 0.0, 0.0, 0.0] if kind == "spherical" else [0.3, -0.4]}
    l.loops.append(close(l, "spherical", "rocker", "rod", rng.uniform(-1, 1, 3), random_rotation(rng), "second-ball", [1.0, 0, 0, 0]))
    return finish(l, rng, float(rng.uniform(1, 5)))


def cardan(rng: np.random.Generator, name: str) -> Linkage | None:
    """Shafts whose axes meet the middle piece anywhere; the far bearing is the loop, and cylindrical so that it moves."""
    l = Linkage(name, [float(c) for c in rng.uniform(-9, 9, 3)], {b: random_body(rng) for b in ("in", "middle", "out")}, [], [])
    l.tree.append(Connection("bearing", "revolute", "ground", np.zeros(3), random_rotation(rng), "in", np.zeros(3), np.eye(3)))
    turn = rotation_about(Y, -math.pi / 2)                                      # the cross turns about axes across the shaft
    l.tree.append(Connection("cross1", "universal", "in", 0.3 * Z, turn, "middle", np.zeros(3), turn))
    l.tree.append(Connection("cross2", "universal", "middle", 0.6 * Z, turn, "out", np.zeros(3), turn))
    l.q = {"bearing": [float(rng.uniform(-3, 3))], "cross1": [float(c) for c in rng.uniform(-0.6, 0.6, 2)],
           "cross2": [float(c) for c in rng.uniform(-0.6, 0.6, 2)]}
    p, R = poses(l)["out"]
    l.loops.append(close(l, "cylindrical", "ground", "out", p + R @ (0.4 * Z), R, "far-bearing", [0.0, 0.0]))
    return finish(l, rng, float(rng.uniform(1, 6)))


SPECIAL = {"four-bars": four_bars, "three-cranks": three_cranks, "bennett": bennett, "bricard": bricard, "platform": platform,
           "rssr": rssr, "cardan": cardan}
ALL = {**FAMILIES, **SPECIAL}
OFTEN = {"general": 0.3, "planar": 0.15, "parallelogram": 0.09, "equal": 0.06, "four-bars": 0.08, "three-cranks": 0.06, "bennett": 0.06,
         "bricard": 0.06, "platform": 0.04, "rssr": 0.06, "cardan": 0.04}


def near(l: Linkage, rng: np.random.Generator) -> tuple[Linkage, str, float]:
    """Almost the same linkage: one hinge's axis tilted on one side or on both, or its place moved along a link."""
    n = copy.deepcopy(l)
    size = float(10 ** rng.uniform(-12, -6))
    c = n.tree[int(rng.integers(len(n.tree)))]
    how = str(rng.choice(["tilted on one side", "tilted", "longer"]))
    across = rng.standard_normal(3)
    across -= across @ Z * Z
    turn = rotation_about(across / np.linalg.norm(across), size)
    if how == "longer":
        c.xa = c.xa * (1 + size)
    else:
        c.Ra = c.Ra @ turn
        if how == "tilted":
            c.Rb = c.Rb @ turn
    return n, how, size
