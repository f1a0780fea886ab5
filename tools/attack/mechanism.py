"""One mechanism under attack: every analysis, in as many ways as it can be computed, compared."""
from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np

import changes
from agreement import Comparer, Instant, Sizes, Table, instant, loads, sizes, state_of
from families import ALL, OFTEN, near
from flat import flat
from oracle import Integrator, ModelError, RunError, System, from_dict, table as oracle_table
from plane import PLANAR, driven_twin, plane_sizes, plane_worst, seen_in_plane, twin
from plane_attack import PlaneAttack, begun_at
from program import Answer, Program
from random_linkages import Linkage, read, read_as, respan, to_dict, to_toml, variants
from tally import Finding, Tally

TOLERANCE = 1e-8                        # of the program, when nothing is said
GROWTH = 300.0                          # so many tolerances may add up on the way of a short run
INSTANT = 1e-11                         # what an instant may differ by, away from singular positions
SENSITIVE = 1e-6                        # by so much the start is moved, to see how differences grow
NEAR_SINGULAR = 1e-5                    # smallest singular value below which an instant is not compared
FORMULATIONS = ("lagrange", "kkt", "nullspace", "crba", "aba")


class Attack:
    def __init__(self, program: Program, seed: int, only: str = "", without: str = ""):
        self.without = without.split(",") if without else []
        self.program, self.seed, self.tally = program, seed, Tally()
        self.rng = np.random.default_rng(seed)
        often = {**OFTEN, "flat": 0.2}
        often = {f: n for f, n in often.items() if not only or f in only.split(",")}
        self.family = str(self.rng.choice(list(often), p=np.array(list(often.values())) / sum(often.values())))
        self.growth: dict[str, dict[str, float]] = {}

    # ------------------------------------------------------------------------------------------------------------ drawing
    def draw(self) -> Linkage:
        while True:
            l = ALL[self.family](self.rng, f"{self.family}-{self.seed}")
            if l is not None:
                break
        if self.rng.random() < 0.3:
            on = str(self.rng.choice(list(l.bodies)))
            at = [float(c) for c in self.rng.uniform(-0.3, 0.3, 3)]
            l.bodies[on].setdefault("points", {})["load"] = at[:2] + [0.0] if self.family in PLANAR else at
            if self.rng.random() < 0.5:
                l.forces["load"] = {"type": "force", "on": f"{on}.load", "value": [float(c) for c in self.rng.uniform(-9, 9, 3)],
                                    "frame": str(self.rng.choice(["ground", "body"]))}
            else:
                l.forces["spring"] = {"type": "spring", "i": "ground.origin", "j": f"{on}.load", "stiffness": float(self.rng.uniform(1, 60)),
                                      "free_length": float(self.rng.uniform(0.1, 1))}
            read_as(l, l)                                   # a point more may change the unit of length
        return l

    # ------------------------------------------------------------------------------------------------------- the program
    def call(self, what: str, analysis: str, d: dict[str, Any], *options: str, name: str = "model") -> Answer:
        path = self.program.write(name, to_toml(d))
        answer = self.program.call(analysis, path, *options)
        self.tally.analyses[analysis] += 1
        answer.model = d                                                                       # type: ignore[attr-defined]
        if not answer.quiet:
            self.tally.refusals[f"{what} | {answer.refusal}"] += 1
            if answer.refusal.startswith("CRASH"):
                self.found(what, "crash", 1, 0, [answer])
            if answer.refusal.startswith("no answer"):
                self.tally.slow.append(self.shown(what, "slow", 1, 0, [answer]))
        return answer

    def run_options(self, *more: str, steps: int = 3) -> tuple[str, ...]:
        return ("--to", repr(self.to), "--steps", str(steps), *more)

    def found(self, check: str, kind: str, error: float, allowed: float, answers: list[Answer], note: str = "") -> None:
        if check not in self.without:
            self.tally.findings.append(self.shown(check, kind, error, allowed, answers, note))

    def shown(self, check: str, kind: str, error: float, allowed: float, answers: list[Answer], note: str = "") -> Finding:
        models, commands = {}, []
        for k, a in enumerate(answers):
            name = f"model{k or ''}.toml"
            models[name] = to_toml(a.model)                                                    # type: ignore[attr-defined]
            commands.append(" ".join([Path(a.line[0]).name, a.line[1], name, *a.line[3:]]))
        return Finding(self.seed, self.family, check, kind, error, allowed, commands, models, note)

    # -------------------------------------------------------------------------------------------------------- comparisons
    def same(self, check: str, a: Answer, b: Answer, off: dict[str, float], tolerance: float, more: float = 0.0,
             l: Linkage | None = None) -> None:
        """Both claim to be right: differences beyond what the tolerance explains are findings."""
        self.tally.compared[check] += 1
        for kind, error in off.items():
            allowed = GROWTH * tolerance + more
            if error > allowed:
                growth = self.how_errors_grow(l or self.l).get(kind, 0.0)
                if error <= allowed * max(1.0, growth):
                    self.tally.sensitive += 1
                    continue
                self.found(check, kind, error, allowed * max(1.0, growth), [a, b], f", errors grow {growth:.1g} times")
            else:
                self.tally.agreed(check, kind, error, self.seed)

    def how_errors_grow(self, l: Linkage) -> dict[str, float]:
        """How many times a small change of the start is found again in each kind of result, at most over three changes."""
        if l.name in self.growth:
            return self.growth[l.name]
        growth = self.growth[l.name] = {}
        sy = from_dict(to_dict(l))
        sy._track, sy.generic = {}, self.sy.generic
        here = self.call("moved start", "dynamics", to_dict(l), *self.run_options("--tol", "1e-11"))
        N = np.linalg.svd(sy.constraints(l.state)[1])[2][sy.generic:].T
        rng = np.random.default_rng(self.seed)
        for k in range(3):
            moved, s = copy.deepcopy(l), l.state.copy()
            z = N @ rng.standard_normal(N.shape[1])
            z *= SENSITIVE / np.linalg.norm(z)
            if k == 0:
                s = sy.correct_position(s.moved(z), sy.generic)[0]
            s = sy.correct_velocity(s.with_u(s.u + (z * np.linalg.norm(s.u) if k else 0)), sy.generic)
            read(moved, sy, s)
            other = self.call("moved start", "dynamics", to_dict(moved), *self.run_options("--tol", "1e-11"), name="moved")
            if here.quiet and other.quiet:
                for kind, off in self.comparer.worst(here.table, other.table, self.size).items():
                    growth[kind] = max(growth.get(kind, 0.0), off / SENSITIVE)
        return growth

    def instants(self, check: str, answer: Answer, sy: System, size: Sizes, rows: tuple[int, ...]) -> list[Instant]:
        """Rows against the oracle: are the loops closed, do the rates fit, are accelerations and loads right?"""
        out = []
        comparer = Comparer(sy)
        for row in rows:
            i = instant(sy, answer.table, row)
            out.append(i)
            for kind, error in (("open loops", i.open), ("open rates", i.rate / size.velocity)):
                if error > 1e-7:
                    self.found(check, kind, error, 1e-7, [answer], f", row {row}")
                else:
                    self.tally.agreed(check, kind, error, self.seed)
            if i.smallest < NEAR_SINGULAR or not i.clear:
                self.tally.not_compared["instants near a singular position"] += 1
                continue
            self.tally.compared[check] += 1
            said = {k: np.array([v]) for k, v in i.row.items()}
            kinds = ("acceleration", "reaction", "effort")
            off = comparer.worst(answer.table, said, size, rows=[(row, 0)], kinds=kinds)
            for kind, error in {**off, "balance": i.balance / size.force}.items():
                # rows within a passage through a singular position are read off the step across it: as good as the tolerance, and loads that
                # grow like the inverse of the time to it as good as that time
                allowed = GROWTH * TOLERANCE + TOLERANCE / i.smallest if answer.summary.get("events") else INSTANT + 1e-12 / i.smallest ** 2
                if error > allowed:
                    self.found(check, kind, error, allowed, [answer], f", row {row}")
                else:
                    self.tally.agreed(check, kind, error, self.seed)
        return out

    # ------------------------------------------------------------------------------------------------------------ the run
    def run(self) -> Tally:
        self.tally.mechanisms[self.family] += 1
        if self.family == "flat":
            self.in_the_plane()
            return self.tally
        self.l = self.draw()
        self.to = {"four-bars": 1.0, "parallelogram": 0.6, "equal": 0.6, "three-cranks": 0.6, "bennett": 0.8}.get(self.family, 0.4)
        d = to_dict(self.l)
        self.sy = from_dict(d)
        self.sy._track, self.sy.generic = {}, self.l.generic
        self.check(d)
        self.forward(d)
        if self.rng.random() < 0.5:
            self.driven()
        if self.rng.random() < 0.3:
            self.rest(d)
        return self.tally

    def in_the_plane(self) -> None:
        """Any joints of the plane.  The velocities are those that the program finds to fit the drawn ones: it warns that it did."""
        self.to = 0.4
        d = flat(self.rng, f"flat-{self.seed}")
        fitted = self.program.call("dynamics", self.program.write("plane", to_toml(d)), "--to", "1e-9", "--steps", "1")
        if fitted.code or not fitted.table:
            return
        PlaneAttack(self, begun_at(d, fitted.table, 0), 1.0).run()

    def check(self, d: dict[str, Any]) -> None:
        answer = self.call("check", "check", d)
        if not answer.quiet:
            return
        self.tally.compared["check"] += 1
        s = self.sy.rank_of(self.sy.constraints(self.l.state)[1])
        for kind, ours, its in (("mobility", 6 * self.sy.n - s.rank, answer.summary["mobility"]["rank"]),
                                ("redundant", self.sy.m - s.rank, answer.summary["redundant"])):
            if ours != its:
                self.found("check", kind, abs(ours - its), 0, [answer], f", oracle says {ours}, program {its}")

    def forward(self, d: dict[str, Any]) -> None:
        base = self.call("dynamics", "dynamics", d, *self.run_options())
        if self.family in PLANAR and base.table and self.rng.random() < 0.6:
            flat = twin(self.l, base.table)
            if flat:
                PlaneAttack(self, flat, self.sy.L).run(seen_in_plane(self.l, base.table) if base.quiet else None)
        if not base.quiet:
            return
        self.comparer, self.size = Comparer(self.sy), sizes(base.table, self.sy)
        first, last = self.instants("oracle's instants", base, self.sy, self.size, (0, len(base.table["t"]) - 1))
        if changes.is_conservative(d):
            self.same("energy by the oracle", base, base, {"energy": abs(last.energy - first.energy) / self.size.energy}, TOLERANCE)
        claimed = set(base.summary.get("not_unique", []))
        if first.clear and claimed != first.not_unique:
            self.found("names", "not unique", len(claimed ^ first.not_unique), 0, [base],
                       f", oracle {sorted(first.not_unique)}, program {sorted(claimed)}")
        rng = self.rng
        for f in rng.choice(FORMULATIONS, 2, replace=False):
            other = self.call(f"dynamics, {f}", "dynamics", d, *self.run_options("--formulation", str(f)))
            self.compare(f"formulation {f}", base, other)
        steps = int(rng.choice([1, 2, 6, 30]))
        self.compare("other steps", base, self.call("dynamics", "dynamics", d, *self.run_options(steps=steps)))
        tol = str(rng.choice(["1e-6", "1e-10", "1e-12"]))
        self.compare("other tolerance", base, self.call("dynamics", "dynamics", d, *self.run_options("--tol", tol)), max(TOLERANCE, float(tol)))
        if rng.random() < 0.2:
            self.compare("radau", base, self.call("dynamics, radau", "dynamics", d, *self.run_options("--method", "radau")))
        cuts = variants(self.l)
        if cuts:
            self.other_cut(base, cuts[int(rng.integers(len(cuts)))])
        if changes.is_reversible(d):
            self.backwards(base, d)
        if rng.random() < 0.3:
            self.other_size(base, d)
        if rng.random() < 0.3 and len(first.not_unique) and self.family != "general":
            self.almost(base)
        if rng.random() < 0.03:
            self.integrated(base)

    def compare(self, check: str, base: Answer, other: Answer, tolerance: float = TOLERANCE) -> None:
        if other.quiet:
            self.same(check, base, other, self.comparer.worst(base.table, other.table, self.size), tolerance)

    def other_cut(self, base: Answer, cut: tuple[str, str]) -> None:
        try:
            l = respan(self.l, *cut)
        except ValueError:
            self.tally.not_compared["linkages whose springs and dampers cannot change sides"] += 1
            return
        d = to_dict(l)
        other = self.call("dynamics, other cut", "dynamics", d, *self.run_options(), name="cut")
        if not other.quiet:
            return
        kinds = ("position", "velocity", "acceleration", "energy")
        self.same("another joint as the loop", base, other, self.comparer.worst(base.table, other.table, self.size, kinds=kinds), TOLERANCE)
        sy = from_dict(d)
        sy._track, sy.generic = {}, self.sy.generic
        self.instants("oracle's instants", other, sy, sizes(other.table, sy), (0,))
        # at the start both are in the same state: every joint carries the same, also where that is only the smallest of what it could
        one, two = loads(self.sy, state_of(self.sy, base.table, 0), base.table, 0), loads(sy, state_of(sy, other.table, 0), other.table, 0)
        off = max(float(np.max(np.abs(one[name] - two[name] * np.array([1.0] * 3 + [sy.L / self.sy.L] * 3)))) for name in one) / self.size.force
        if off > 1e-7:
            self.found("loads with another loop", "reaction", off, 1e-7, [base, other])
        else:
            self.tally.compared["loads with another loop"] += 1
            self.tally.agreed("loads with another loop", "reaction", off, self.seed)

    def backwards(self, base: Answer, d: dict[str, Any]) -> None:
        end = len(base.table["t"]) - 1
        other = self.call("dynamics, backwards", "dynamics", changes.begun_at(d, base.table, end, -1.0), *self.run_options(), name="back")
        if other.quiet:
            rows = [(k, end - k) for k in range(end + 1)]
            kinds = ("position", "velocity", "acceleration", "energy")
            off = self.comparer.worst(base.table, other.table, self.size, reverse=True, rows=rows, kinds=kinds)
            if instant(self.sy, base.table, end).smallest < NEAR_SINGULAR:
                off.pop("acceleration", None)  # of a start next to a singular position rounding decides about it
            self.same("backwards", base, other, off, TOLERANCE)

    def other_size(self, base: Answer, d: dict[str, Any]) -> None:
        s = float(10 ** self.rng.uniform(-6, 3))
        other = self.call(f"dynamics, size 1e{int(np.floor(np.log10(s)))}", "dynamics", changes.scaled(d, s), *self.run_options(), name="size")
        if not other.quiet:
            return
        back: Table = {}
        for c, x in other.table.items():
            owner, _, what = c.rpartition(".")
            power = 0
            if owner in self.comparer.bodies and what in ("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az") or what in ("fx", "fy", "fz"):
                power = 1
            elif what in ("mx", "my", "mz") or c.startswith("energy"):
                power = 2
            elif owner in self.comparer.types and what[:-1] in ("q", "tau"):
                long = changes.is_length(self.comparer.types[owner], int(what[-1]) - 1)
                power = (1 if long else 0) if what[0] == "q" else (1 if long else 2)
            back[c] = x / s ** power
        self.same("another size", base, other, self.comparer.worst(base.table, back, self.size), TOLERANCE)

    def almost(self, base: Answer) -> None:
        """Almost a redundant linkage: with an axis tilted it moves as the redundant one does, or is refused.  With a link longer it
        is a linkage of its own, which near a position where the other is singular may go another way: always the same way."""
        l, how, size = near(self.l, self.rng)
        what = f"dynamics, {how} by 1e{int(np.floor(np.log10(size)))}"
        other = self.call(what, "dynamics", to_dict(l), *self.run_options(), name="near")
        if not other.quiet:
            return
        kinds = ("position", "velocity", "energy")
        if how != "longer":
            off = self.comparer.worst(base.table, other.table, self.size, kinds=kinds[:2])
            self.same(f"almost: {how}", base, other, off, TOLERANCE, 1e3 * size)
            return
        again = self.call(what, "dynamics", to_dict(l), *self.run_options("--tol", "1e-11", steps=6), name="near")
        if again.quiet:
            sy = from_dict(to_dict(l))
            read(l, sy, sy.start())
            l.name += "-longer"
            self.same("almost: longer", other, again, self.comparer.worst(other.table, again.table, self.size, kinds=kinds), TOLERANCE, l=l)

    def integrated(self, base: Answer) -> None:
        sy = from_dict(base.model)                                                             # type: ignore[attr-defined]
        try:
            states = Integrator(sy, 1e-11).run(self.to, 1)
            rows = oracle_table(sy, states, False)
        except (RunError, ModelError, np.linalg.LinAlgError) as error:
            self.tally.not_compared["oracle: " + str(error).split(" at ")[0].split(" near ")[0]] += 1
            return
        said = {k: np.array([r[k] for r in rows]) for k in rows[0]}
        kinds = ("position", "velocity", "acceleration", "energy")
        off = self.comparer.worst(base.table, said, self.size, rows=[(0, 0), (len(base.table["t"]) - 1, 1)], kinds=kinds)
        self.same("oracle's integration", base, base, off, TOLERANCE)

    # ------------------------------------------------------------------------------------------------------ driven, at rest
    def driven(self) -> None:
        most = None if self.rng.random() < 0.7 else 1
        got = changes.driven(self.l, self.sy, self.rng, most)
        if got is None:
            return
        d, left = got
        sy = from_dict(d)
        sy._track, sy.generic = {}, 6 * sy.n - left
        if left == 0:
            one = self.call("inverse", "inverse", d, *self.run_options(), name="driven")
            two = self.call("kinematics", "kinematics", d, *self.run_options(steps=int(self.rng.choice([1, 7, 24]))), name="driven")
            if not one.quiet:
                return
        else:
            one = self.call("dynamics, partly driven", "dynamics", d, *self.run_options(), name="driven")
            two = self.call("dynamics, partly driven", "dynamics", d, *self.run_options("--formulation", str(self.rng.choice(FORMULATIONS))), name="driven")
            if not one.quiet:
                return
        comparer, size = Comparer(sy), sizes(one.table, sy)
        last = len(one.table["t"]) - 1
        seen = self.instants("driven: oracle's instants", one, sy, size, (0, last))
        # a forward run knows the time to a singular position next to a row to its tolerance only, and loads grow as its inverse
        allowed = GROWTH * TOLERANCE + TOLERANCE / max(min(i.smallest for i in seen), NEAR_SINGULAR)
        if two.quiet:
            off = comparer.worst(one.table, two.table, size)
            if left > 0 and any(error > allowed for error in off.values()):
                # a motor near a dead point throws what is free about: how far errors grow shows in what the tolerance changes
                finer = self.call("dynamics, partly driven", "dynamics", d, *self.run_options("--tol", "1e-10"), name="driven")
                known = comparer.worst(one.table, finer.table, size) if finer.quiet else {}
                for kind in [kind for kind in off if allowed < off[kind] <= known.get(kind, 0.0)]:
                    del off[kind]
                    self.tally.sensitive += 1
            self.driven_same("driven: other steps" if left == 0 else "driven: formulation", one, two, off, allowed)
        flat_one = driven_twin(self.l, d, one.table) if left == 0 and self.family in PLANAR else None
        if flat_one:
            in_plane = self.call("plane: inverse", "inverse", flat_one, *self.run_options(), name="plane")
            if in_plane.quiet:
                z = plane_sizes(in_plane.table, list(self.l.bodies), sy.L, float(np.sum(sy.mass)))
                names = [] if in_plane.summary.get("not_unique") else [c.name for c in self.l.tree + self.l.loops]
                off = plane_worst(in_plane.table, seen_in_plane(self.l, one.table), list(self.l.bodies), names, z)
                self.driven_same("driven: plane = space", one, in_plane, off, allowed)
        if left == 0 and self.rng.random() < 0.5:
            forward = self.call("dynamics, all driven", "dynamics", d, *self.run_options(), name="driven")
            if forward.quiet:
                off = comparer.worst(one.table, forward.table, size)
                self.driven_same("driven: kinematics = dynamics", one, forward, off, allowed)

    def driven_same(self, check: str, a: Answer, b: Answer, off: dict[str, float], allowed: float) -> None:
        self.tally.compared[check] += 1
        for kind, error in off.items():
            if error > allowed:
                self.found(check, kind, error, allowed, [a, b])
            else:
                self.tally.agreed(check, kind, error, self.seed)

    def rest(self, d: dict[str, Any]) -> None:
        d = changes.at_rest(d)
        answer = self.call("equilibrium", "equilibrium", d, name="rest")
        if not answer.quiet or not answer.table:
            return
        i = instant(self.sy, answer.table, 0)
        self.tally.compared["equilibrium"] += 1
        if i.open > 1e-7:
            self.found("equilibrium", "open loops", i.open, 1e-7, [answer])
        if i.smallest < NEAR_SINGULAR or not i.clear:
            self.tally.not_compared["equilibria near a singular position"] += 1
            return
        weight = max(1.0, float(np.linalg.norm(self.sy.g)))
        moving = max(abs(v) / (self.sy.L if c.rpartition(".")[2] in ("ax", "ay", "az") else 1.0) for c, v in i.row.items()
                     if c.rpartition(".")[2] in ("ax", "ay", "az", "alx", "aly", "alz")) / weight
        if moving > 1e-6:
            self.found("equilibrium", "acceleration", moving, 1e-6, [answer])
        else:
            self.tally.agreed("equilibrium", "acceleration", moving, self.seed)
        cuts = variants(self.l)
        try:
            other_way = respan(self.l, *cuts[int(self.rng.integers(len(cuts)))]) if cuts else None
        except ValueError:
            return
        if other_way is None:
            return
        other = self.call("equilibrium, other cut", "equilibrium", changes.at_rest(to_dict(other_way)), name="cut")
        if not other.quiet or not other.table:
            return
        size = Sizes(self.sy.L, 1.0, 1.0, 1.0, 1.0)
        if Comparer(self.sy).worst(answer.table, other.table, size, kinds=("position",))["position"] > 1e-6:
            self.tally.not_compared["other equilibria of the same mechanism"] += 1          # the search is local
            return
        self.tally.compared["equilibrium, other cut"] += 1
        one, two = (np.array(sorted(x.summary["frequencies_hz"])) for x in (answer, other))
        off = float(np.max(np.abs(one - two), initial=0.0)) / max(1.0, float(np.max(one, initial=0.0))) if len(one) == len(two) else np.inf
        if off > 1e-5:
            self.found("equilibrium, other cut", "frequency", off, 1e-5, [answer, other], f", {one} Hz, {two} Hz")
        else:
            self.tally.agreed("equilibrium, other cut", "frequency", off, self.seed)
