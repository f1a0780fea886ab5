"""The same model written otherwise, as dictionaries of a model file: another size, driven, begun elsewhere, reversed in time."""
from __future__ import annotations

import copy
from typing import Any

import numpy as np

from oracle import COORDINATES, System, VELOCITIES
from random_linkages import Linkage, to_dict

Model = dict[str, Any]
LENGTHS = {"prismatic": (True,), "cylindrical": (False, True), "planar": (False, True, True), "translation": (True, True, True),
           "free": (False,) * 3 + (True,) * 3}


def is_length(kind: str, k: int) -> bool:
    return LENGTHS[kind][k] if kind in LENGTHS else False


def times(factor: float, value: Any) -> Any:
    if isinstance(value, dict):
        return {**value, "xyz": times(factor, value.get("xyz", [0.0, 0.0, 0.0]))}
    if isinstance(value, list):
        return [times(factor, v) for v in value]
    return f"{factor!r}*({value})" if isinstance(value, str) else factor * value


def scaled(d: Model, s: float) -> Model:
    """All lengths times s and gravity too, so that the angles as functions of time stay what they were."""
    d = copy.deepcopy(d)
    d["gravity"] = times(s, d["gravity"])
    for body in [d.get("ground", {}), *d["bodies"].values()]:
        for key, power in (("com", 1), ("inertia", 2)):
            if key in body:
                body[key] = times(s ** power, body[key])
        body.update({"points": {k: times(s, p) for k, p in body["points"].items()}} if "points" in body else {})
    for j in [*d["joints"].values(), *d.get("loops", {}).values()]:
        for key in ("origin", "child_origin", "pitch"):
            if key in j:
                j[key] = times(s, j[key])
        nq, nv, quaternion = COORDINATES[j["type"]], VELOCITIES[j["type"]], j["type"] in ("spherical", "free")
        if "q" in j:
            j["q"] = [times(s, x) if is_length(j["type"], k - 1 if quaternion else k) and k >= (4 if quaternion else 0) else x
                      for k, x in enumerate(j["q"][:nq])]
        if "v" in j:
            j["v"] = [times(s, x) if is_length(j["type"], k) else x for k, x in enumerate(j["v"][:nv])]
        for k, dof in enumerate(j.get("dofs", [])):
            long = is_length(j["type"], k)
            for key in dof:
                power = {"stiffness": 0, "damping": 0, "torque": 1, "rest": 1, "motion": 1} if long else \
                        {"stiffness": 2, "damping": 2, "torque": 2, "rest": 0, "motion": 0}
                dof[key] = times(s ** power[key], dof[key]) if power[key] else dof[key]
    for f in d.get("forces", {}).values():
        if f["type"] == "spring":
            f["free_length"] = times(s, f["free_length"])
        else:
            f["value"] = times(s if f["type"] == "force" else s * s, f["value"])
    return d


def begun_at(d: Model, table: dict[str, np.ndarray], row: int, direction: float = 1.0) -> Model:
    """The model with the positions of a row of results, and its rates times `direction`."""
    d = copy.deepcopy(d)
    for name, j in d["joints"].items():
        nq, nv = COORDINATES[j["type"]], VELOCITIES[j["type"]]
        if nq:
            j["q"] = [float(table[f"{name}.q{k + 1}"][row]) for k in range(nq)]
            j["v"] = [direction * float(table[f"{name}.v{k + 1}"][row]) for k in range(nv)]
    return d


def at_rest(d: Model) -> Model:
    d = copy.deepcopy(d)
    for j in d["joints"].values():
        j.pop("v", None)
    return d


def driven(l: Linkage, sy: System, rng: np.random.Generator, most: int | None = None) -> tuple[Model, int] | None:
    """Prescribe scalar dofs of the tree that are independent of each other on the loops, `most` of them or all that there are.

    Returns the model and how many free motions are left; None when no dof can be prescribed.  Each motion begins with the written
    position and rate, so that the state of the linkage is that of the driven model, too.
    """
    s = l.state
    J = sy.constraints(s)[1]
    V, who = sy.rate_rows(s)
    rank = int(np.linalg.matrix_rank(J, 1e-8 * np.linalg.norm(J, 2))) if J.size else 0
    free = 6 * sy.n - rank
    N = np.linalg.svd(J)[2][rank:].T if J.size else np.eye(6 * sy.n)
    chosen: list[int] = []
    for k in rng.permutation(len(who)):
        j, m = who[k]
        if j.type in ("spherical", "free") or len(chosen) == min(free, most or free) or (j.dofs and any(d.stiffness or d.damping for d in j.dofs)):
            continue
        sv = np.linalg.svd(V[chosen + [int(k)]] @ N, compute_uv=False)
        if sv[-1] > 0.05 * max(sv[0], 1.0):
            chosen.append(int(k))
    if not chosen:
        return None
    d = to_dict(l)
    for k in chosen:
        j, m = who[k]
        raw = d["joints"][j.name]
        dofs = raw.setdefault("dofs", [{} for _ in range(VELOCITIES[j.type])])
        if m >= len(dofs):
            return None
        bend = float(rng.uniform(-2, 2)) * (0.3 if is_length(j.type, m) else 1.0)
        dofs[m] = {"motion": f"{raw['q'][m]!r} + {raw['v'][m]!r}*t + {bend!r}*t^2"}
    return d, free - len(chosen)


def is_reversible(d: Model) -> bool:
    """Nothing that damps, nothing that depends on time."""
    dofs = [dof for j in d["joints"].values() for dof in j.get("dofs", [])]
    return not any("damping" in f or "motion" in f or "torque" in f for f in dofs + list(d.get("forces", {}).values()))


def is_conservative(d: Model) -> bool:
    """Reversible, and everything that acts has an energy in the results."""
    return is_reversible(d) and all(f["type"] == "spring" for f in d.get("forces", {}).values())
