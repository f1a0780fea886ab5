"""A model of the plane under attack: formulations, integrators, steps, tolerances, backwards in time, other sizes, and as a model of space."""
from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from agreement import Table
from changes import times
from plane import plane_sizes, plane_worst
from program import Answer

if TYPE_CHECKING:
    from mechanism import Attack

FORMULATIONS = ("lagrange", "kkt", "nullspace", "kane", "crba", "aba")
MOVED = 1e-6                             # by so much the start is moved, to see how differences grow


def scaled(d: dict[str, Any], s: float) -> dict[str, Any]:
    """All lengths times s and gravity too: the angles as functions of time stay what they were."""
    d = copy.deepcopy(d)
    d["gravity"] = times(s, d["gravity"])
    for b in [d["ground"], *d["bodies"].values()]:
        b.update({key: times(s ** power, b[key]) for key, power in (("com", 1), ("position", 1), ("velocity", 1), ("inertia", 2)) if key in b})
        b["points"] = {k: times(s, p) for k, p in b["points"].items()}
    for j in d["joints"].values():
        j.update({key: times(s, j[key]) for key in ("length", "radius") if key in j})
        if j["type"] == "rolling" or (j["type"] == "coordinate" and not j["j"].endswith("phi")):
            j.update({"offset": times(s, j["offset"])} if "offset" in j else {})
        if j["type"] == "coordinate" and "i" in j and j["i"].endswith("phi") != j["j"].endswith("phi"):
            j["ratio"] = times(1 / s if j["j"].endswith("phi") else s, j["ratio"])
    for f in d.get("forces", {}).values():
        if f["type"] == "torsion-spring":
            f.update({key: times(s * s, f[key]) for key in ("stiffness", "damping") if key in f})
        elif f["type"] == "spring":
            f.update({"free_length": times(s, f["free_length"])} if "free_length" in f else {})
        else:
            f["value"] = times(s if f["type"] == "force" else s * s, f["value"])
    return d


def begun_at(d: dict[str, Any], table: Table, row: int, direction: float = 1.0) -> dict[str, Any]:
    d = copy.deepcopy(d)
    for name, b in d["bodies"].items():
        x, y, phi, vx, vy, vphi = (float(table[f"{name}.{c}"][row]) for c in ("x", "y", "phi", "vx", "vy", "vphi"))
        b.update({"position": [x, y], "angle": phi, "velocity": [direction * vx, direction * vy], "spin": direction * vphi})
    return d


class PlaneAttack:
    """`attack` lends its program, its seed and its tally."""

    def __init__(self, attack: "Attack", d: dict[str, Any], length: float):
        self.attack, self.d, self.rng = attack, d, attack.rng
        self.bodies, self.joints = list(d["bodies"]), list(d["joints"])
        self.length, self.mass = length, sum(b["mass"] for b in d["bodies"].values())
        self.growth: dict[str, float] | None = None

    def call(self, what: str, d: dict[str, Any], *options: str, steps: int = 3, analysis: str = "dynamics") -> Answer:
        return self.attack.call(f"plane: {what}", analysis, d, *self.attack.run_options(*options, steps=steps), name="plane")

    def worst(self, a: Table, b: Table, **more: Any) -> dict[str, float]:
        return plane_worst(a, b, self.bodies, self.joints, self.size, reactions=more.pop("reactions", self.unique), **more)

    def run(self, space: Table | None = None) -> None:
        """`space`: the results of the same linkage as a model of space, seen in the plane; None when it refused."""
        from mechanism import TOLERANCE
        base = self.call("dynamics", self.d)
        if not base.quiet:
            return
        self.base = base
        self.size = plane_sizes(base.table, self.bodies, self.length, self.mass)
        self.unique = not base.summary.get("not_unique")
        if space is not None:
            self.same("plane = space", base, base, self.worst(base.table, space))
        drift = base.summary.get("statistics", {})
        if drift.get("conservative"):
            energy = base.table["energy.total"]
            self.same("plane: energy", base, base, {"energy": float(np.max(np.abs(energy - energy[0]))) / self.size["energy"]})
        rng = self.rng
        for f in rng.choice(FORMULATIONS, 2, replace=False):
            other = self.call(f"dynamics, {f}", self.d, "--formulation", str(f))
            if other.quiet:
                self.same(f"plane: formulation {f}", base, other, self.worst(base.table, other.table))
        other = self.call("dynamics", self.d, steps=int(rng.choice([1, 2, 6, 30])))
        if other.quiet:
            self.same("plane: other steps", base, other, self.worst(base.table, other.table, highest="snap"))
        tol = str(rng.choice(["1e-6", "1e-10", "1e-12"]))
        other = self.call("dynamics", self.d, "--tol", tol)
        if other.quiet:
            self.same("plane: other tolerance", base, other, self.worst(base.table, other.table), max(TOLERANCE, float(tol)))
        method = str(rng.choice(["dop853", "radau"]))
        other = self.call(f"dynamics, {method}", self.d, "--method", method)
        if other.quiet:
            self.same(f"plane: {method}", base, other, self.worst(base.table, other.table))
        if drift.get("conservative"):
            end = len(base.table["t"]) - 1
            other = self.call("dynamics, backwards", begun_at(self.d, base.table, end, -1.0))
            if other.quiet:
                rows = [(k, end - k) for k in range(end + 1)]
                self.same("plane: backwards", base, other, self.worst(base.table, other.table, reverse=True, rows=rows, reactions=False))
        if rng.random() < 0.3:
            self.other_size(base)

    def other_size(self, base: Answer) -> None:
        s = float(10 ** self.rng.uniform(-6, 3))
        other = self.call(f"dynamics, size 1e{int(np.floor(np.log10(s)))}", scaled(self.d, s))
        if other.quiet:
            back = {c: x / s ** (0 if c.endswith("phi") or c == "t" else 2 if c.startswith("energy") or c.endswith("torque") else 1)
                    for c, x in other.table.items()}
            self.same("plane: another size", base, other, self.worst(base.table, back))

    def same(self, check: str, a: Answer, b: Answer, off: dict[str, float], tolerance: float = 1e-8) -> None:
        """As for space: what the tolerance does not explain, not even by how errors grow, is a finding."""
        from mechanism import GROWTH
        tally = self.attack.tally
        tally.compared[check] += 1
        for kind, error in off.items():
            allowed = GROWTH * tolerance
            if error > allowed:
                growth = self.how_errors_grow().get(kind, 0.0)
                if error <= allowed * max(1.0, growth):
                    tally.sensitive += 1
                    continue
                self.attack.found(check, kind, error, allowed * max(1.0, growth), [a] if a is b else [a, b], f", errors grow {growth:.1g} times")
            else:
                tally.agreed(check, kind, error, self.attack.seed)

    def how_errors_grow(self) -> dict[str, float]:
        """How many times a small change of the start is found again later, at most over three changes; the joints close it again."""
        if self.growth is None:
            self.growth = self.growth_at("1e-11") or self.growth_at("1e-8")  # next to a singular position the first may be refused
        return self.growth

    def growth_at(self, tol: str) -> dict[str, float]:
        found: dict[str, float] = {}
        here = self.call("moved start", begun_at(self.d, self.base.table, 0), "--tol", tol)
        rng = np.random.default_rng(self.attack.seed)
        for k in range(3):
            moved = begun_at(self.d, self.base.table, 0)
            for b in moved["bodies"].values():
                if k == 0:
                    b["angle"] += MOVED * float(rng.standard_normal())
                else:
                    b["spin"] += MOVED * self.size["velocity"] * float(rng.standard_normal())
            other = self.call("moved start", moved, "--tol", tol)
            if here.code or other.code or not here.table or not other.table:
                continue
            began = self.worst(here.table, other.table, rows=[(0, 0)])
            change = max(began.get("position", 0.0), began.get("velocity", 0.0))
            if change > 0:
                for kind, off in self.worst(here.table, other.table, highest="snap").items():
                    found[kind] = max(found.get(kind, 0.0), off / change)
        return found
