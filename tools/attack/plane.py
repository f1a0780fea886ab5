"""Linkages that lie in a plane as models of the plane, and how their results are compared: with each other and with those of space."""
from __future__ import annotations

import copy
from typing import Any

import numpy as np

from agreement import Sizes, Table, common_rows
from random_linkages import Linkage

PLANAR = ("planar", "parallelogram", "equal", "four-bars", "three-cranks")
COLUMNS = {"position": ("x", "y", "phi"), "velocity": ("vx", "vy", "vphi"), "acceleration": ("ax", "ay", "aphi"), "jerk": ("jx", "jy", "jphi"),
           "snap": ("sx", "sy", "sphi")}


def turn_of(l: Linkage) -> np.ndarray:
    """The axes of the linkage's plane in the ground; the third is its normal."""
    return next(c.Ra for c in l.tree if c.a == "ground")


def angles(l: Linkage, table: Table) -> dict[str, np.ndarray]:
    """The angle of every body in the plane, never wrapped."""
    out = {"ground": np.zeros(len(table["t"]))}
    for c in l.tree:
        out[c.b] = out[c.a] + (table[f"{c.name}.q1"] if c.type == "revolute" else 0.0)
    return out


def twin(l: Linkage, start: Table) -> dict[str, Any] | None:
    """The same linkage as a model of the plane, begun as the first row of `start` says; None where the plane has no such element."""
    T = turn_of(l)
    phi = angles(l, start)
    d: dict[str, Any] = {"jounce": 1, "name": l.name, "gravity": [float(c) for c in (T.T @ np.array(l.gravity))[:2]],
                         "ground": {"points": {}}, "bodies": {}, "joints": {}}
    for name, b in l.bodies.items():
        x, v, w = (T.T @ np.array([start[f"{name}.{c}"][0] for c in columns]) for columns in
                   (("x", "y", "z"), ("vx", "vy", "vz"), ("wx", "wy", "wz")))
        d["bodies"][name] = {"mass": b["mass"], "com": b["com"][:2], "inertia": b["inertia"][2], "position": [float(c) for c in x[:2]],
                             "angle": float(phi[name][0]), "velocity": [float(c) for c in v[:2]], "spin": float(w[2]), "points": {}}

    def point(body: str, name: str, x: np.ndarray) -> str:
        local = T.T @ x if body == "ground" else x
        (d["ground"] if body == "ground" else d["bodies"][body])["points"][name] = [float(c) for c in local[:2]]
        return f"{body}.{name}"

    springs = {}
    for c in l.tree + l.loops:
        if c.type == "revolute":
            d["joints"][c.name] = {"type": "revolute", "i": point(c.a, f"{c.name}_i", c.xa), "j": point(c.b, f"{c.name}_j", c.xb)}
        elif c.type == "prismatic" and c.a != "ground":
            along = np.array([1.0, 0.0, 0.0])
            d["joints"][c.name] = {"type": "translational",
                                   "slot": [point(c.a, f"{c.name}_i", c.xa), point(c.a, f"{c.name}_ii", c.xa + along)],
                                   "slider": [point(c.b, f"{c.name}_j", c.xb), point(c.b, f"{c.name}_jj", c.xb + along)]}
        else:
            return None
        if c.dofs:
            if c.type != "revolute":
                return None
            dof = c.dofs[0]
            springs[f"at-{c.name}"] = {"type": "torsion-spring", "i": c.a, "j": c.b, "damping": dof.get("damping", 0.0),
                                       "stiffness": dof.get("stiffness", 0.0), "free_angle": dof.get("rest", 0.0)}
    for name, f in l.forces.items():
        f = copy.deepcopy(f)
        body, _, at = (f["on"] if "on" in f else f["j"]).partition(".")
        place = np.array(l.bodies[body]["points"][at])
        if abs(place[2]) > 0:
            return None
        point(body, at, place)
        if f["type"] == "force":
            value = np.array(f["value"])
            f["value"] = [float(c) for c in (value if f.get("frame") == "body" else T.T @ value)[:2]]
        springs[name] = f
    if springs:
        d["forces"] = springs
    return d


def driven_twin(l: Linkage, driven: dict[str, Any], start: Table) -> dict[str, Any] | None:
    """The twin with drivers for the prescribed dofs of a model of space."""
    d = twin(l, start)
    if d is None:
        return None
    d["drivers"] = {}
    for c in l.tree:
        for dof in driven["joints"][c.name].get("dofs", []):
            if "motion" not in dof:
                continue
            if c.type == "revolute":
                d["drivers"][f"drive-{c.name}"] = {"type": "angle", "i": c.a, "j": c.b, "motion": dof["motion"]}
            else:
                d["drivers"][f"drive-{c.name}"] = {"type": "slot-distance", "line": d["joints"][c.name]["slot"],
                                                   "point": d["joints"][c.name]["slider"][0], "motion": dof["motion"]}
    return d


def seen_in_plane(l: Linkage, table: Table) -> Table:
    """Results of space in the columns of the plane."""
    T, phi = turn_of(l), angles(l, table)
    out: Table = {"t": table["t"]}
    for b in l.bodies:
        for new, old in (("xy", ("x", "y", "z")), (("vx", "vy"), ("vx", "vy", "vz")), (("ax", "ay"), ("ax", "ay", "az"))):
            seen = T.T @ np.array([table[f"{b}.{c}"] for c in old])
            out[f"{b}.{new[0]}"], out[f"{b}.{new[1]}"] = seen[0], seen[1]
        out[f"{b}.phi"] = phi[b]
        for new, old in (("vphi", ("wx", "wy", "wz")), ("aphi", ("alx", "aly", "alz"))):
            out[f"{b}.{new}"] = (T.T @ np.array([table[f"{b}.{c}"] for c in old]))[2]
    for c in l.tree + l.loops:
        if c.type == "revolute" and f"{c.name}.fx" in table:
            seen = T.T @ np.array([table[f"{c.name}.{x}"] for x in ("fx", "fy", "fz")])
            out[f"{c.name}.fx"], out[f"{c.name}.fy"] = seen[0], seen[1]
    if "energy.kinetic" in table:
        out["energy.kinetic"] = table["energy.kinetic"]
    return out


def plane_sizes(t: Table, bodies: list[str], length: float, mass: float) -> dict[str, float]:
    """What differences are divided by; the higher derivatives by what is usual at the frequency of the motion."""
    out = {"position": 1.0, "length": length}
    def largest(columns: tuple[str, ...]) -> float:
        return max([1.0] + [float(np.max(np.abs(t[f"{b}.{c}"]))) / (1.0 if c.endswith("phi") else length) for b in bodies for c in columns
                            if f"{b}.{c}" in t])
    for kind in ("velocity", "acceleration", "jerk", "snap"):
        out[kind] = largest(COLUMNS[kind])
    loads = [float(np.max(np.abs(t[c]))) for c in t if c.endswith((".fx", ".fy"))]
    out["reaction"] = max([1e-3 * mass * length * out["acceleration"]] + loads)
    out["energy"] = max(float(np.max(np.abs(t["energy.kinetic"]))) if "energy.kinetic" in t else 0.0, 1e-3 * mass * length ** 2)
    return out


def plane_worst(a: Table, b: Table, bodies: list[str], joints: list[str], z: dict[str, float], reverse: bool = False,
                rows: list[tuple[int, int]] | None = None, highest: str = "acceleration", reactions: bool = True) -> dict[str, float]:
    """The largest difference by kind over common rows; `reverse` compares with the other run backwards."""
    pairs = rows or common_rows(a, b)
    out: dict[str, float] = {}
    def take(kind: str, column: str, unit: float, sign: float = 1.0) -> None:
        if column in a and column in b:
            off = max(abs(float(a[column][i]) - sign * float(b[column][k])) for i, k in pairs) / unit
            out[kind] = max(out.get(kind, 0.0), off if np.isfinite(off) else np.inf)
    for kind, columns in COLUMNS.items():
        sign = -1.0 if reverse and kind in ("velocity", "jerk") else 1.0
        for body in bodies:
            for c in columns:
                take(kind, f"{body}.{c}", z[kind] * (1.0 if c.endswith("phi") else z["length"]), sign)
        if kind == highest:
            break
    if reactions:
        for j in joints:
            for c in ("fx", "fy"):
                take("reaction", f"{j}.{c}", z["reaction"])
            take("reaction", f"{j}.torque", z["reaction"] * z["length"])
    take("energy", "energy.kinetic", z["energy"])
    return out
