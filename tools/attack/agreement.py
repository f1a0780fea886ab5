"""When two tables of results are the same motion, and when a row of results is what the oracle says.

Differences are counted by kind, each in units of its own size: positions in lengths of the mechanism and in radians, velocities and
accelerations against the largest of the run (at least one radian per second), forces and moments against the largest load.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from oracle import COORDINATES, Reader, State, System, rotations

Table = dict[str, np.ndarray]
POSITION, VELOCITY, ACCELERATION = ("x", "y", "z"), ("vx", "vy", "vz", "wx", "wy", "wz"), ("ax", "ay", "az", "alx", "aly", "alz")
QUATERNION, WRENCH = ("qw", "qx", "qy", "qz"), ("fx", "fy", "fz", "mx", "my", "mz")
KINDS = ("position", "coordinate", "velocity", "acceleration", "reaction", "effort", "energy")


@dataclass
class Sizes:
    """What the differences of a run are divided by."""
    length: float
    velocity: float
    acceleration: float
    force: float
    energy: float


def sizes(t: Table, sy: System) -> Sizes:
    L, names = sy.L, [b.name for b in sy.bodies[1:]]
    def largest(columns: tuple[str, ...], first: int) -> float:
        lengths = max(float(np.max(np.abs(t[f"{b}.{c}"]))) for b in names for c in columns[:first]) / L
        return max(lengths, max(float(np.max(np.abs(t[f"{b}.{c}"]))) for b in names for c in columns[first:]))
    v, a = max(1.0, largest(VELOCITY, 3)), max(1.0, largest(ACCELERATION, 3))
    weight = float(np.sum(sy.mass[1:])) * L * max(a, float(np.linalg.norm(sy.g)))
    loads = [float(np.max(np.abs(t[c]))) / (1 if c.split(".")[-1] in WRENCH[:3] else L) for c in t if c.split(".")[-1] in WRENCH]
    kinetic = float(np.max(t["energy.kinetic"])) if "energy.kinetic" in t else 0.0
    return Sizes(L, v, a, max([weight * 1e-3] + loads), max(kinetic, 1e-3 * weight * L))


def kind_of(column: str, joint_types: dict[str, str], bodies: set[str]) -> str | None:
    """The kind of a column, None for one that is not compared (points and centres follow from bodies)."""
    owner, _, what = column.rpartition(".")
    if owner in bodies:
        return "position" if what in POSITION else "velocity" if what in VELOCITY else "acceleration" if what in ACCELERATION else None
    if owner in joint_types:
        if what in WRENCH:
            return "reaction"
        if what[:-1] == "q" and joint_types[owner] not in ("spherical", "free"):
            return "coordinate"
        return "effort" if what[:-1] == "tau" else None
    return "energy" if column == "energy.total" else None


def unit_of(kind: str, column: str, joint_types: dict[str, str], z: Sizes) -> float:
    owner, _, what = column.rpartition(".")
    match kind:
        case "position":
            return z.length
        case "coordinate":
            from changes import is_length
            return z.length if is_length(joint_types[owner], int(what[1:]) - 1) else 1.0
        case "velocity":
            return z.velocity * (z.length if what[0] == "v" else 1.0)
        case "acceleration":
            return z.acceleration * (z.length if what in ("ax", "ay", "az") else 1.0)
        case "reaction":
            return z.force * (1.0 if what[0] == "f" else z.length)
        case "effort":
            from changes import is_length
            return z.force * (1.0 if is_length(joint_types[owner], int(what[3:]) - 1) else z.length)
    return z.energy


class Comparer:
    """Compares tables of one mechanism, whichever joints are written as loops."""

    def __init__(self, sy: System):
        self.sy = sy
        self.bodies = {b.name for b in sy.bodies[1:]}
        self.types = {j.name: j.type for j in sy.joints}

    def worst(self, a: Table, b: Table, z: Sizes, leave_out: set[str] = frozenset(), reverse: bool = False,
              rows: list[tuple[int, int]] | None = None, kinds: tuple[str, ...] = KINDS) -> dict[str, float]:
        """The largest difference by kind over the rows that both have; `reverse` compares with the other run backwards."""
        pairs = rows or common_rows(a, b)
        out: dict[str, float] = {}
        for column in a:
            kind = kind_of(column, self.types, self.bodies)
            if kind is None or kind not in kinds or column not in b or column.split(".")[0] in leave_out and kind == "reaction":
                continue
            sign = -1.0 if reverse and kind == "velocity" else 1.0
            off = max(abs(float(a[column][i]) - sign * float(b[column][k])) for i, k in pairs) / unit_of(kind, column, self.types, z)
            out[kind] = max(out.get(kind, 0.0), off if math.isfinite(off) else math.inf)
        if "position" in kinds:
            for body in self.bodies:
                for i, k in pairs:
                    p, q = (np.array([t[f"{body}.{c}"][r] for c in QUATERNION]) for t, r in ((a, i), (b, k)))
                    off = 2 * min(float(np.linalg.norm(p - q)), float(np.linalg.norm(p + q)))
                    out["position"] = max(out.get("position", 0.0), off if math.isfinite(off) else math.inf)
        return out


def common_rows(a: Table, b: Table) -> list[tuple[int, int]]:
    """Pairs of rows of equal time."""
    near = 1e-9 * max(1e-3, float(a["t"][-1]))
    return [(i, k) for i, t in enumerate(a["t"]) for k in [int(np.argmin(np.abs(b["t"] - t)))] if abs(b["t"][k] - t) <= near]


@dataclass
class Instant:
    """What the oracle says about a row of results."""
    open: float                         # of the equations that are not of the tree, scaled
    rate: float                         # how far the rates are off those equations
    energy: float
    row: dict[str, float]
    smallest: float                     # smallest kept singular value: how near a singular position is
    clear: bool
    not_unique: set[str]
    balance: float                      # how far the loads of all joints together are off those that the bodies need


def state_of(sy: System, t: Table, row: int) -> State:
    """The state that the joint columns of a row describe, without correction."""
    time = float(t["t"][row])
    q = {j.name: [float(t[f"{j.name}.q{k + 1}"][row]) for k in range(COORDINATES[j.type])] for j in sy.joints if not j.loop}
    s = sy.pose_from_q(q, time)
    V, who = sy.rate_rows(s)
    v = np.array([float(t[f"{j.name}.v{k + 1}"][row]) / (sy.L if sy._is_length(j, k) else 1.0) for j, k in who])
    B, _, _ = sy.tree_basis(s)
    return s.with_u(B @ v)


def instant(sy: System, t: Table, row: int) -> Instant:
    sy._track = {c: float(t[f"{j.name}.q{k + 1}"][row]) / (sy.L if j.lengths[k] else 1.0)
                 for j in sy.joints if not j.loop for k, c in enumerate(j.coords)}
    s = state_of(sy, t, row)
    phi, J, nu, _ = sy.constraints(s)
    sol, _ = sy.solve(s)
    said = Reader(sy).row(s)
    energy = said["energy.total"]
    balance = float(np.max(np.abs(carried(sy, s, t, row) - carried(sy, s, said)), initial=0.0)) if f"{sy.joints[0].name}.fx" in t else 0.0
    return Instant(float(np.max(np.abs(phi), initial=0.0)), float(np.max(np.abs(J @ s.u - nu), initial=0.0)), energy, said, sol.smallest,
                   sol.rank.clear, set(sy.not_unique(sol)), balance)


def loads(sy: System, s: State, t: Table | dict[str, float], row: int | None = None) -> dict[str, np.ndarray]:
    """What each joint does to the later of its two bodies, about that body's centre of mass, whichever of them is the child."""
    R, out = rotations(s.e), {}
    for j in sy.joints:
        w = np.array([float(t[f"{j.name}.{c}"] if row is None else t[f"{j.name}.{c}"][row]) for c in WRENCH])
        f, m = w[:3], w[3:] / sy.L
        at, body = s.x[j.child] + R[j.child] @ j.c, max(j.child, j.parent)
        out[j.name] = (1.0 if body == j.child else -1.0) * np.concatenate([f, m + np.cross(at - s.x[body], f)])
    return out


def carried(sy: System, s: State, t: Table | dict[str, float], row: int | None = None) -> np.ndarray:
    """What all joints together do to each body: forces, and moments about its centre of mass divided by the unit of length.

    Where reactions are not unique these sums still are: they are what the body's motion needs."""
    R, total = rotations(s.e), np.zeros((sy.n + 1, 6))
    for j in sy.joints:
        w = np.array([float(t[f"{j.name}.{c}"] if row is None else t[f"{j.name}.{c}"][row]) for c in WRENCH])
        f, m = w[:3], w[3:] / sy.L
        at = s.x[j.child] + R[j.child] @ j.c
        for body, sign in ((j.child, 1.0), (j.parent, -1.0)):
            total[body] += sign * np.concatenate([f, m + np.cross(at - s.x[body], f)])
    return total[1:]
