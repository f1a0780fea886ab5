#!/usr/bin/env python3
"""Seeded random closed linkages as model files of space, and the same linkage on another spanning tree.

A linkage is a list of connections (a joint type and a frame on each of two bodies) and a spanning tree of them.  The
configuration is drawn first; the frames of a closing joint are then placed where its equations hold, so every model
assembles as written.  Rates are drawn from the null space of all equations, so that the written state needs no
correction.  Families:

    general        trees of 2-6 bodies, random joints, 1-3 loops of random types
    planar         chains of revolute (and one prismatic) joints in a plane, turned out of the ground axes: redundant
    parallelogram  equal opposite sides: the motion passes change points
    equal          four equal bars, started away from the flat positions

A linkage on another tree has the same bodies, poses and velocities; only which joint is written under [loops] differs.
"""
from __future__ import annotations

import argparse
import copy
import math
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from oracle import (Array, COORDINATES, ModelError, Reader, RunError, State, System, basis_with_z, from_dict, joint_displacement,
                    rotation_about, rotations)

SWAP = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]])           # exchanges x and y: a universal joint read backwards


@dataclass
class Connection:
    name: str
    type: str
    a: str
    xa: Array
    Ra: Array
    b: str
    xb: Array
    Rb: Array
    dofs: list[dict[str, float]] = field(default_factory=list)
    axis: Array | None = None            # how the axis is written when this is a joint of the tree
    pitch: float = 0.0                   # of a helical joint

    def reversed(self) -> "Connection":
        S = SWAP if self.type == "universal" else np.eye(3)
        if self.dofs and self.type == "planar":
            raise ValueError("springs and dampers along the axes of one body are not those along the axes of the other")
        dofs = list(reversed(self.dofs)) if self.type == "universal" else list(self.dofs)
        dofs = [{**d, "rest": -d["rest"]} if "rest" in d else d for d in dofs]                # the coordinates change their sign
        return Connection(self.name, self.type, self.b, self.xb, self.Rb @ S, self.a, self.xa, self.Ra @ S, dofs, self.axis,
                          self.pitch)


@dataclass
class Linkage:
    name: str
    gravity: list[float]
    bodies: dict[str, dict[str, Any]]
    tree: list[Connection]
    loops: list[Connection]
    q: dict[str, list[float]] = field(default_factory=dict)
    v: dict[str, list[float]] = field(default_factory=dict)
    state: State | None = None
    forces: dict[str, dict[str, Any]] = field(default_factory=dict)
    length: float = 1.0                  # the unit of length of the state
    generic: int = 0                     # rank of all equations away from singular positions


def rpy_of(R: Array) -> list[float]:
    """Roll, pitch, yaw with R = Rz Ry Rx."""
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    if math.hypot(R[0, 0], R[1, 0]) < 1e-9:
        return [math.atan2(-R[1, 2], R[1, 1]), pitch, 0.0]
    return [math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])]


def frame(x: Array, R: Array) -> dict[str, list[float]]:
    return {"xyz": [float(c) for c in x], "rpy": [0.0 if abs(c) < 1e-17 else float(c) for c in rpy_of(R)]}


def to_dict(l: Linkage) -> dict[str, Any]:
    """The model file as a dictionary."""
    d: dict[str, Any] = {"jounce": 1, "name": l.name, "space": "3d", "gravity": l.gravity, "ground": {"points": {}},
                         "bodies": copy.deepcopy(l.bodies), "joints": {}, "loops": {}}
    for c in l.tree:
        B = np.eye(3) if c.axis is None else basis_with_z(c.axis)
        j: dict[str, Any] = {"type": c.type, "parent": c.a, "child": c.b, "origin": frame(c.xa, c.Ra @ B.T),
                             "child_origin": frame(c.xb, c.Rb @ B.T)}
        if c.axis is not None:
            j["axis"] = [float(x) for x in c.axis]
        if c.name in l.q and l.q[c.name]:
            j["q"] = l.q[c.name]
        if c.name in l.v and l.v[c.name]:
            j["v"] = l.v[c.name]
        if c.dofs:
            j["dofs"] = c.dofs
        if c.type == "helical":
            j["pitch"] = c.pitch
        d["joints"][c.name] = j
    for c in l.loops:
        for who, x, R, end in ((c.a, c.xa, c.Ra, "i"), (c.b, c.xb, c.Rb, "j")):
            target = d["ground"] if who == "ground" else d["bodies"][who]
            target.setdefault("points", {})[f"{c.name}_{end}"] = frame(x, R)
        d["loops"][c.name] = {"type": c.type, "i": f"{c.a}.{c.name}_i", "j": f"{c.b}.{c.name}_j"}
        if c.type == "helical":
            d["loops"][c.name]["pitch"] = c.pitch
    if l.forces:
        d["forces"] = copy.deepcopy(l.forces)
    if not d["ground"]["points"]:
        del d["ground"]
    if not d["loops"]:
        del d["loops"]
    return d


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(v) for v in value) + "]"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return repr(float(value))


def to_toml(d: dict[str, Any]) -> str:
    lines = [f"{k} = {toml(v)}" for k, v in d.items() if not isinstance(v, dict)]
    for section, content in d.items():
        if section == "ground":
            lines += ["", "[ground]"] + [f"{k} = {toml(v)}" for k, v in content.items()]
        elif isinstance(content, dict):
            for name, table in content.items():
                lines += ["", f"[{section}.{name}]"] + [f"{k} = {toml(v)}" for k, v in table.items()]
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------------------------- drawing
def random_rotation(rng: np.random.Generator) -> Array:
    e = rng.standard_normal(4)
    return rotations(e / np.linalg.norm(e))


def random_body(rng: np.random.Generator) -> dict[str, Any]:
    mass = float(rng.uniform(0.3, 3))
    s2 = rng.uniform(0.05, 0.6, 3) ** 2
    R = random_rotation(rng)
    I = R @ np.diag(mass / 12 * np.array([s2[1] + s2[2], s2[0] + s2[2], s2[0] + s2[1]])) @ R.T
    return {"mass": mass, "com": [float(c) for c in rng.uniform(-0.2, 0.4, 3)],
            "inertia": [float(I[0, 0]), float(I[1, 1]), float(I[2, 2]), float(I[0, 1]), float(I[0, 2]), float(I[1, 2])]}


def random_q(kind: str, rng: np.random.Generator) -> list[float]:
    match kind:
        case "spherical":
            e = rng.standard_normal(4)
            return [float(c) for c in e / np.linalg.norm(e)]
        case "prismatic":
            return [float(rng.uniform(-0.3, 0.3))]
        case "cylindrical":
            return [float(rng.uniform(-3, 3)), float(rng.uniform(-0.3, 0.3))]
        case "planar":
            return [float(rng.uniform(-3, 3)), float(rng.uniform(-0.3, 0.3)), float(rng.uniform(-0.3, 0.3))]
        case "universal":
            return [float(rng.uniform(-1.2, 1.2)), float(rng.uniform(-1.2, 1.2))]
        case "gimbal":
            return [float(rng.uniform(-3, 3)), float(rng.uniform(-1, 1)), float(rng.uniform(-3, 3))]
        case "translation":
            return [float(c) for c in rng.uniform(-0.3, 0.3, 3)]
    return [float(rng.uniform(-3, 3))] if COORDINATES[kind] else []


def poses(l: Linkage) -> dict[str, tuple[Array, Array]]:
    """World pose of every body frame from the drawn q of the tree."""
    out = {"ground": (np.zeros(3), np.eye(3))}
    for c in l.tree:
        x, R = out[c.a]
        Rj, rj = joint_displacement(c.type, l.q[c.name], c.pitch, 1.0)
        Rb = R @ c.Ra @ Rj @ c.Rb.T
        out[c.b] = (x + R @ (c.xa + c.Ra @ rj) - Rb @ c.xb, Rb)
    return out


def close(l: Linkage, kind: str, a: str, b: str, where: Array, axes: Array, name: str, q: list[float],
          pitch: float = 0.0) -> Connection:
    """A closing joint whose first frame is at a place of the ground and whose second is displaced by q from it."""
    p = poses(l)
    Rj, rj = joint_displacement(kind, q, pitch, 1.0)
    (xa, Ra), (xb, Rb) = p[a], p[b]
    return Connection(name, kind, a, Ra.T @ (where - xa), Ra.T @ axes, b, Rb.T @ (where + axes @ rj - xb), Rb.T @ (axes @ Rj),
                      pitch=pitch)


def finish(l: Linkage, rng: np.random.Generator, speed: float) -> Linkage | None:
    """Draw consistent rates; None when the linkage does not move or its rank is not clear."""
    try:
        sy = from_dict(to_dict(l))
        s = sy.start()
    except (ModelError, RunError, np.linalg.LinAlgError):
        return None
    _, J, _, _ = sy.constraints(s)
    info = sy.rank_of(J)
    if info.rank >= 6 * sy.n or not info.clear or info.smallest_kept < 1e-3 or info.rank != sy.generic:
        return None
    N = np.linalg.svd(J)[2][info.rank:].T
    l.generic = sy.generic
    u = N @ rng.standard_normal(N.shape[1])
    s = s.with_u(u * (speed / np.max(np.abs(u))))
    read(l, sy, s)
    return l


def read(l: Linkage, sy: System, s: State) -> None:
    reader = Reader(sy, False)
    for name, (q, v) in reader.coordinates(s).items():
        l.q[name], l.v[name] = [float(c) for c in q], [float(c) for c in v]
    l.state, l.length = s, sy.L


TREE_KINDS = {"revolute": 0.36, "prismatic": 0.1, "spherical": 0.12, "universal": 0.12, "cylindrical": 0.1, "helical": 0.06,
              "planar": 0.04, "gimbal": 0.05, "translation": 0.02, "fixed": 0.03}
LOOP_KINDS = {"spherical": 0.28, "universal": 0.14, "cylindrical": 0.14, "revolute": 0.12, "planar": 0.1, "prismatic": 0.05,
              "helical": 0.06, "gimbal": 0.05, "translation": 0.04, "fixed": 0.02}
SCALAR = ("revolute", "prismatic", "cylindrical", "universal", "helical", "planar")


def some(kinds: dict[str, float], rng: np.random.Generator) -> str:
    return str(rng.choice(list(kinds), p=np.array(list(kinds.values())) / sum(kinds.values())))


def read_as(new: Linkage, old: Linkage) -> System:
    """The state of a linkage for another way to write it: the same bodies and poses; only the unit of length may differ."""
    sy = from_dict(to_dict(new))
    sy._track, sy.generic, new.generic = {}, old.generic, old.generic
    s = old.state.copy()                                                          # type: ignore[union-attr]
    length = old.length
    s.x, s.v = s.x * (length / sy.L), s.v * (length / sy.L)
    read(new, sy, s)
    return sy


def general(rng: np.random.Generator, name: str) -> Linkage | None:
    n = int(rng.integers(2, 7))
    l = Linkage(name, [float(c) for c in rng.uniform(-9, 9, 3)], {}, [], [])
    for k in range(n):
        b = f"b{k}"
        l.bodies[b] = random_body(rng)
        parent = "ground" if k == 0 or rng.random() < 0.2 else f"b{k - 1}" if rng.random() < 0.75 else f"b{int(rng.integers(0, k))}"
        kind = some(TREE_KINDS, rng)
        c = Connection(f"j{k}", kind, parent, rng.uniform(-0.8, 0.8, 3), random_rotation(rng), b, rng.uniform(-0.2, 0.2, 3),
                       random_rotation(rng), pitch=float(rng.uniform(-0.1, 0.1)))
        if kind in ("revolute", "prismatic", "cylindrical", "helical") and rng.random() < 0.4:
            c.axis = rng.standard_normal(3)
        if kind in SCALAR and rng.random() < 0.3:
            c.dofs = [{"damping": float(rng.uniform(0.01, 0.3))} for _ in range(COORDINATES[kind])]
        elif kind in SCALAR and rng.random() < 0.2:
            c.dofs = [{"stiffness": float(rng.uniform(1, 30)), "rest": float(rng.uniform(-0.3, 0.3))} for _ in range(COORDINATES[kind])]
        l.tree.append(c)
        l.q[c.name] = random_q(kind, rng)
    wanted = int(rng.integers(1, 5))
    for k in range(wanted):
        names = ["ground"] + list(l.bodies)
        a, b = rng.choice(len(names), 2, replace=False)
        if any({names[a], names[b]} == {c.a, c.b} for c in l.tree + l.loops):
            continue
        if b == 0:
            a, b = b, a
        kind = some(LOOP_KINDS, rng)
        at = poses(l)[names[b]][0] + rng.uniform(-0.6, 0.6, 3)
        l.loops.append(close(l, kind, names[a], names[b], at, random_rotation(rng), f"loop{k}", random_q(kind, rng),
                             float(rng.uniform(-0.1, 0.1))))
        if mobility(l) < 1:
            l.loops.pop()
    return finish(l, rng, float(rng.uniform(0.5, 4))) if l.loops else None


def mobility(l: Linkage) -> int:
    try:
        sy = from_dict(to_dict(l))
        s = sy.pose_from_q({j.name: j.q0 for j in sy.joints if not j.loop}, 0.0)
        sy._track = {}
        return 6 * sy.n - sy.rank_of(sy.constraints(s)[1]).rank
    except (ModelError, np.linalg.LinAlgError):
        return 0


def chain_in_plane(rng: np.random.Generator, name: str, lengths: list[float], angles: list[float], slider: int = -1,
                   damp: bool = True) -> Linkage:
    """Bars end to end from the ground back to the ground, all axes normal to a plane that is turned in space."""
    T = random_rotation(rng)
    l = Linkage(name, [float(c) for c in rng.uniform(-9, 9, 3)], {}, [], [])
    before, x = "ground", np.zeros(3)
    last_angle = 0.0
    for k, (length, angle) in enumerate(zip(lengths, angles)):
        b = f"b{k}"
        l.bodies[b] = random_body(rng)
        if k == slider:
            turn = rotation_about(np.array([0.0, 1, 0]), math.pi / 2)        # slides along the x axis of the bar before
            c = Connection(f"j{k}", "prismatic", before, x, turn, b, np.zeros(3), turn)
            l.q[c.name] = [float(rng.uniform(0.05, 0.2))]
            angle = last_angle
        else:
            c = Connection(f"j{k}", "revolute", before, x, T if before == "ground" else np.eye(3), b, np.zeros(3), np.eye(3))
            l.q[c.name] = [angle - last_angle]
        if damp and rng.random() < 0.25:
            c.dofs = [{"damping": float(rng.uniform(0.01, 0.2))}]
        l.tree.append(c)
        before, x, last_angle = b, np.array([length, 0.0, 0.0]), angle
    p, R = poses(l)[before]
    l.loops.append(close(l, "revolute", "ground", before, p + R @ x, T, "closure", [float(rng.uniform(-3, 3))]))
    return l


def planar(rng: np.random.Generator, name: str) -> Linkage | None:
    n = int(rng.integers(3, 6))
    slider = int(rng.integers(1, n)) if rng.random() < 0.4 else -1
    l = chain_in_plane(rng, name, list(rng.uniform(0.3, 1.0, n)), list(rng.uniform(-3, 3, n)), slider)
    return finish(l, rng, float(rng.uniform(0.5, 4)))


def parallelogram(rng: np.random.Generator, name: str) -> Linkage | None:
    a, b, q = float(rng.uniform(0.3, 0.7)), float(rng.uniform(0.8, 1.3)), float(rng.uniform(0.6, 2.4))
    l = chain_in_plane(rng, name, [a, b, a], [q, 0.0, q - math.pi], damp=False)
    l.gravity = [0.0, 0.0, 0.0] if rng.random() < 0.5 else l.gravity
    return finish(l, rng, float(rng.uniform(4, 8)))


def equal(rng: np.random.Generator, name: str) -> Linkage | None:
    a, q = float(rng.uniform(0.4, 1.0)), float(rng.uniform(0.7, 2.2))
    l = chain_in_plane(rng, name, [a, a, a], [q, 0.0, q - math.pi], damp=False)
    return finish(l, rng, float(rng.uniform(3, 6)))


FAMILIES = {"general": general, "planar": planar, "parallelogram": parallelogram, "equal": equal}


def linkage(seed: int, family: str = "general") -> Linkage:
    """The linkage of a seed (drawn again until it moves)."""
    rng = np.random.default_rng([seed, list(FAMILIES).index(family)])
    for _ in range(200):
        l = FAMILIES[family](rng, f"{family}-{seed}")
        if l is not None:
            return l
    raise RuntimeError(f"nothing that moves for seed {seed} of {family}")


# ------------------------------------------------------------------------------------------------------ another tree
def variants(l: Linkage) -> list[tuple[str, str]]:
    """Pairs (loop, joint of the tree) that can be exchanged: the joint is on the cycle of the loop and has no damper."""
    out = []
    up = {c.b: c for c in l.tree}
    for loop in l.loops:
        def path(b: str) -> list[Connection]:
            p = []
            while b != "ground":
                p.append(up[b])
                b = up[b].a
            return p
        pa, pb = path(loop.a), path(loop.b)
        cycle = [c for c in pa + pb if not (c in pa and c in pb)]
        out += [(loop.name, c.name) for c in cycle if not c.dofs and "gimbal" not in (c.type, loop.type)]
    return out


def respan(l: Linkage, loop: str, joint: str) -> Linkage:
    """The same linkage with `loop` in the tree and `joint` as a loop."""
    tree = [c for c in l.tree if c.name != joint] + [c for c in l.loops if c.name == loop]
    gone = next(c for c in l.tree if c.name == joint)
    loops = [c for c in l.loops if c.name != loop] + [gone]
    done, ordered, waiting = {"ground"}, [], list(tree)
    while waiting:
        for c in waiting:
            if c.a in done or c.b in done:
                ordered.append(c if c.a in done else c.reversed())
                done |= {c.a, c.b}
                waiting.remove(c)
                break
        else:
            raise ValueError("not a spanning tree")
    new = Linkage(f"{l.name}-{joint}", list(l.gravity), copy.deepcopy(l.bodies), ordered, loops, forces=copy.deepcopy(l.forces))
    read_as(new, l)
    return new


def main(argv: list[str] | None = None) -> int:
    p = argparse.ArgumentParser(description="random closed linkages of space")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--count", type=int, default=1)
    p.add_argument("--family", choices=list(FAMILIES), default="general")
    p.add_argument("--variants", action="store_true", help="also write every other choice of the loop joint")
    p.add_argument("-o", "--folder", default=".")
    a = p.parse_args(argv)
    folder = Path(a.folder)
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(a.seed, a.seed + a.count):
        l = linkage(seed, a.family)
        both = [l] + ([respan(l, *v) for v in variants(l)] if a.variants else [])
        for x in both:
            (folder / f"{x.name}.toml").write_text(to_toml(to_dict(x)))
        print(f"{l.name}: {len(l.bodies)} bodies, tree {[c.type for c in l.tree]}, loops {[c.type for c in l.loops]}, "
              f"{len(both)} file(s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
