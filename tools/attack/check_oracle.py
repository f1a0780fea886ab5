#!/usr/bin/env python3
"""Checks of the oracle: closed forms, quoted reference numbers, reference vectors, other spanning trees.

Prints a table: model, quantity, expected, found, difference.  Nothing here comes from the engine under test except the
numbers quoted with the defect models, each of which has an origin of its own (loop closure in many digits, energy,
the plane's engine).
"""
from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np
from scipy.special import ellipj, ellipk

from oracle import Integrator, ModelError, RunError, State, System, from_dict, joint_series, kinematics, load, rotations, table

Check = tuple[str, str, float, float, float]            # model, quantity, expected, found, allowed difference


def run(sy: System, to: float, steps: int, tol: float = 1e-12) -> list[State]:
    return Integrator(sy, tol).run(to, steps)


def total(sy: System, s: State) -> float:
    """Energy less the work that went in: constant."""
    return sum(sy.energies(s)) - (s.work[0] + s.work[1] - s.work[2]) * sy.L ** 2


def model(bodies: dict, joints: dict, gravity: list[float] | None = None, **more: Any) -> System:
    return from_dict({"jounce": 1, "name": "check", "space": "3d", "gravity": gravity or [0, 0, 0], "bodies": bodies, "joints": joints, **more})


POINT = [0, 0, 0, 0, 0, 0]


# -------------------------------------------------------------------------------------------------------- closed forms
def closed_forms() -> Iterator[Check]:
    l, th0, g = 0.8, 1.1, 9.81
    sy = model({"bob": {"mass": 1.3, "com": [0, 0, -l], "inertia": POINT}},
               {"pin": {"type": "revolute", "parent": "ground", "child": "bob", "axis": [0, 1, 0], "q": [th0]}}, [0, 0, -g])
    t, w0, k = 2.0, math.sqrt(g / l), math.sin(th0 / 2) ** 2
    sn, cn, dn, _ = ellipj(ellipk(k) - w0 * t, k)
    s = run(sy, t, 1)
    yield "pendulum", "angle at 2 s (elliptic)", 2 * math.asin(math.sqrt(k) * sn), joint_series(sy, s)[-1]["pin"][0][0], 1e-10
    yield "pendulum", "energy", total(sy, s[0]), total(sy, s[1]), 1e-10

    rod = {"mass": 1.0, "com": [0, 0, -1], "inertia": POINT}
    def double(q: list[float], v: list[float]) -> System:
        return model({"a": dict(rod), "b": dict(rod)},
                     {"A": {"type": "revolute", "parent": "ground", "child": "a", "axis": [0, -1, 0], "q": [q[0]], "v": [v[0]]},
                      "B": {"type": "revolute", "parent": "a", "child": "b", "axis": [0, -1, 0], "origin": {"xyz": [0, 0, -1]},
                            "q": [q[1] - q[0]], "v": [v[1] - v[0]]}}, [0, 0, -9.81])
    sy = double([0.7, -0.4], [0.3, 0.9])
    row = table(sy, [sy.start()])[0]
    yield "double pendulum", "first angular acceleration", -8.432844790857848, row["A.a1"], 1e-11
    yield "double pendulum", "second", 7.725508290170395, row["A.a1"] + row["B.a1"], 1e-11
    sy = double([0.5, 0.3], [0, 0])
    s = run(sy, 5, 1)
    c = joint_series(sy, s)[-1]
    yield "double pendulum", "first angle at 5 s", 0.13717639935238368, c["A"][0][0], 1e-9
    yield "double pendulum", "second angle at 5 s", 0.5873405072521277, c["A"][0][0] + c["B"][0][0], 1e-9
    yield "double pendulum", "energy", total(sy, s[0]), total(sy, s[-1]), 1e-9

    sy = model({"arm": {"mass": 0, "inertia": POINT}, "bob": {"mass": 0.5, "inertia": POINT}},
               {"pin": {"type": "revolute", "parent": "ground", "child": "arm", "axis": [0, -1, 0], "q": [0.3]},
                "slide": {"type": "prismatic", "parent": "arm", "child": "bob", "axis": [0, 0, -1], "q": [1.2],
                          "dofs": [{"stiffness": 40, "rest": 1}]}}, [0, 0, -9.81])
    c = joint_series(sy, run(sy, 4, 1))[-1]
    for what, want, got in (("angle at 4 s", 0.20818828141963241, c["pin"][0][0]), ("length", 1.1287905411125034, c["slide"][0][0]),
                            ("rate of the angle", 0.6513795633655712, c["pin"][1][0]), ("rate of the length", 0.7131805162655901, c["slide"][1][0])):
        yield "elastic pendulum (massless arm)", what, want, float(got), 1e-9

    def top(inertia: list[float], w: list[float], kind: str) -> System:
        q, v = ([1, 0, 0, 0], w) if kind == "spherical" else ([1, 0, 0, 0, 0, 0, 0], w + [0, 0, 0])
        return model({"top": {"mass": 1, "inertia": inertia + [0, 0, 0]}}, {"j": {"type": kind, "parent": "ground", "child": "top", "q": q, "v": v}})
    sy = top([0.4, 0.4, 0.7], [0.5, 0, 2], "spherical")
    s = run(sy, 5, 1)[-1]
    yield "symmetric top", "w1 at 5 s", 0.17331765891751374, joint_series(sy, [s])[0]["j"][1][0], 1e-10
    yield "symmetric top", "R11 at 5 s", -0.7167876780033275, rotations(s.e)[1][0, 0], 1e-10
    sy = top([0.3, 0.5, 0.6], [0.4, 0, 1.5], "free")
    c = joint_series(sy, run(sy, 4, 1))[-1]["j"][1]
    for k, want in enumerate((-0.3481239283848714, 0.26430572236444816, 1.4870071518032844)):
        yield "asymmetric free top", f"w{k + 1} at 4 s", want, float(c[k]), 1e-10

    sy = model({"nut": {"mass": 1.7, "inertia": [0.02, 0.02, 0.03, 0, 0, 0]}},
               {"thread": {"type": "helical", "parent": "ground", "child": "nut", "pitch": 0.12}}, [0, 0, -9.81])
    yield "nut on a screw", "acceleration", -36.73348017621145, table(sy, [sy.start()])[0]["thread.a1"], 1e-10
    s = run(sy, 1, 4)
    yield "nut on a screw", "angle at 1 s", -36.73348017621145 / 2, joint_series(sy, s)[-1]["thread"][0][0], 1e-9
    sy = model({"wheel": {"mass": 4, "inertia": [0.12, 0.12, 0.2, 0, 0, 0]}},
               {"bar": {"type": "revolute", "parent": "ground", "child": "wheel", "q": [0.5], "dofs": [{"stiffness": 3, "damping": 0.15}]}})
    s = run(sy, 3, 1)
    yield "damped torsion", "angle at 3 s", 0.0741250247693235, joint_series(sy, s)[-1]["bar"][0][0], 1e-10
    yield "damped torsion", "energy + loss", total(sy, s[0]), total(sy, s[1]), 1e-10

    b = 0.5
    for th, want in zip((0.0, 0.4, 1.1, 2.0), (1.139493927324549, 1.0901552483590269, 0.9211446646717584, 0.9139626697564471)):
        sy = model({"in": {"mass": 1, "inertia": [1, 1, 1, 0, 0, 0]}, "out": {"mass": 1, "inertia": [1, 1, 1, 0, 0, 0]}},
                   {"shaft": {"type": "revolute", "parent": "ground", "child": "in", "dofs": [{"motion": "t"}]},
                    "cross": {"type": "universal", "parent": "in", "child": "out", "q": [0, b]}},
                   ground={"points": {"P": {"xyz": [0, 0, 0], "rpy": [0, b, 0]}}},
                   loops={"bearing": {"type": "revolute", "i": "ground.P", "j": "out.origin"}})
        s = kinematics(sy, max(th, 1e-9), 1)[-1]
        yield "Hooke joint", f"ratio of speeds at {th}", want, float(np.linalg.norm(s.w[2])), 1e-9

    q = [1.0471975511965976, -0.5397970426545355, 1.6614783975487224]
    v = [2.0, -2.4202078226541746, 0.48176741094921965]
    def bar(l: float) -> dict[str, Any]:
        return {"mass": l, "com": [l / 2, 0, 0], "inertia": [0, l ** 3 / 12, l ** 3 / 12, 0, 0, 0], "points": {"E": [l, 0, 0]}}
    sy = model({"crank": bar(0.3), "coupler": bar(0.9), "rocker": bar(0.7)},
               {"O": {"type": "revolute", "parent": "ground", "child": "crank", "origin": {"rpy": [math.pi / 2, 0, 0]}, "q": [q[0]], "v": [v[0]]},
                "A": {"type": "revolute", "parent": "crank", "child": "coupler", "origin": {"xyz": [0.3, 0, 0]}, "q": [q[1]], "v": [v[1]]},
                "Q": {"type": "revolute", "parent": "ground", "child": "rocker", "origin": {"xyz": [1, 0, 0], "rpy": [math.pi / 2, 0, 0]},
                      "q": [q[2]], "v": [v[2]]}}, [0, 0, -9.81], loops={"B": {"type": "revolute", "i": "coupler.E", "j": "rocker.E"}})
    s0 = sy.start()
    row = table(sy, [s0])[0]
    for name, want in zip("OAQ", (-14.660246393118634, 18.81271926947386, -1.7777211856796618)):
        yield "four-bar", f"{name}.a1", want, row[f"{name}.a1"], 1e-10
    f = (row["B.fx"], row["B.fz"])
    yield "four-bar", "size of the pin force", math.hypot(-0.8722349381376159, 2.952363223950702), math.hypot(*f), 1e-9
    yield "four-bar", "joints whose reactions are not unique", 4, len(sy.not_unique(sy.solve(s0)[0])), 0
    s = run(sy, 3, 1)
    c = joint_series(sy, s)[-1]
    yield "four-bar", "crank at 3 s", 7.656076052694485, float(c["O"][0][0]), 1e-8
    yield "four-bar", "crank speed at 3 s", 0.0848937339844391, float(c["O"][1][0]), 1e-8


# ------------------------------------------------------------------------------------------------------------- defects
def defects(folder: Path, long: bool) -> Iterator[Check]:
    for n in (1, 4):
        sy = load(folder / "near-parallelogram-space.toml")
        yield "near-parallelogram", f"D.q1 at 1 s ({n} steps)", 1.0000642057133229, joint_series(sy, kinematics(sy, 1, n))[-1]["D"][0][0], 1e-11
    sy = load(folder / "bennett.toml")
    s = run(sy, 1.5, 3)
    yield "bennett", "energy at 1.5 s", total(sy, s[0]), total(sy, s[-1]), 1e-9
    sy = load(folder / "bennett-damped.toml")
    s = run(sy, 1.5, 1)
    yield "bennett-damped", "J1.v1 at 1.5 s", -1.89162, joint_series(sy, s)[-1]["J1"][1][0], 5e-6
    yield "bennett-damped", "energy + loss", total(sy, s[0]), total(sy, s[-1]), 1e-9
    sy = load(folder / "misaligned-four-bar-space.toml")
    s = run(sy, 2, 4)
    yield "misaligned-four-bar", "O.q1 at 2 s", 0.198064, joint_series(sy, s)[-1]["O"][0][0], 5e-7
    for size in ("1um", "3um"):
        sy = load(folder / f"four-bar-{size}-space.toml")
        s = run(sy, 1, 4)
        yield f"four-bar-{size}", "O.q1 at 1 s", -0.43270991, joint_series(sy, s)[-1]["O"][0][0], 5e-9
    sy = load(folder / "redundant-parallelogram-space.toml")
    s = sy.start()
    yield "redundant-parallelogram", "joints not unique", 6, len(sy.not_unique(sy.solve(s)[0])), 0
    sy = load(folder / "bricard-threefold.toml")
    s = run(sy, 2 if long else 0.5, 1)
    yield "bricard-threefold", f"energy at {s[-1].t:g} s", total(sy, s[0]), total(sy, s[-1]), 1e-9
    for how in (kinematics, run):
        sy, refused = load(folder / "two-drivers-space.toml"), 1.0
        try:
            how(sy, 1, 1)
            refused = 0.0
        except RunError:
            pass
        yield "two-drivers", f"refused by {'kinematics' if how is kinematics else 'dynamics'}", 1, refused, 0
    sy = load(folder / "spinning-parallelogram-space.toml")
    to = 10 if long else 1
    s = run(sy, to, 1)
    yield "spinning-parallelogram", f"O.v1 at {to} s", 10, joint_series(sy, s)[-1]["O"][1][0], 1e-8
    yield "spinning-parallelogram", f"O.q1 at {to} s", 1 + 10 * to, joint_series(sy, s)[-1]["O"][0][0], 1e-8
    sy = load(folder / "four-bars-2-space.toml")
    to = 10 if long else 1
    s = run(sy, to, 1)
    yield "four-bars-2", f"energy at {to} s", 35.835, total(sy, s[-1]), 1e-7


# ------------------------------------------------------------------------------------------------------------- vectors
def vectors(file: Path) -> Iterator[Check]:
    """Instant accelerations of trees; active scalar dofs become motions with the same second derivative."""
    widths = {"spherical": (4, 3), "free": (7, 6), "planar": (3, 3), "translation": (3, 3), "gimbal": (3, 3), "universal": (2, 2),
              "cylindrical": (2, 2), "fixed": (0, 0)}
    for case in json.loads(file.read_text())["cases"]:
        bodies, joints, forces = {}, {}, {}
        iq = iv = 0
        slots: list[tuple[str, int, int]] = []
        try:
            for k, b in enumerate(case["bodies"]):
                I, kind = b["Ic"], b["joint"]["type"]
                nq, nv = widths.get(kind, (1, 1))
                bodies[f"b{k}"] = {"mass": b["mass"], "com": b["com"], "inertia": [I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]]}
                R = rotations(np.array(b["quat"]))
                from random_linkages import rpy_of
                q, v = case["q"][iq:iq + nq], case["qd"][iv:iv + nv]
                if kind in ("spherical", "free"):
                    size = math.sqrt(sum(c * c for c in q[:4]))
                    q = [c / size for c in q[:4]] + q[4:]
                j: dict[str, Any] = {"type": kind, "parent": "ground" if b["parent"] < 0 else f"b{b['parent']}", "child": f"b{k}",
                                     "origin": {"xyz": b["r"], "rpy": rpy_of(R)}}
                if kind == "custom":
                    raise ModelError("custom")
                for key in ("axis", "pitch"):
                    if key in b["joint"] and kind in ("revolute", "prismatic", "helical", "cylindrical"):
                        j[key] = b["joint"][key]
                if nq:
                    j["q"], j["v"] = q, v
                dofs = []
                for m in range(nv):
                    i = iv + m
                    d: dict[str, Any] = {"stiffness": case["stiffness"][i], "damping": case["damping"][i], "rest": case["rest"][i],
                                         "torque": case["tau_applied"][i]}
                    if case["active"][i]:
                        if kind in ("spherical", "free"):
                            raise ModelError("active quaternion joint")
                        d["motion"] = f"({q[m]!r}) + ({v[m]!r})*t + ({case['qdd_active'][i] / 2!r})*t^2"
                    dofs.append(d)
                    slots.append((f"j{k}", m, i))
                if dofs:
                    j["dofs"] = dofs
                joints[f"j{k}"] = j
                forces[f"f{k}"] = {"type": "wrench", "on": f"b{k}", "value": case["fext"][k]}
                iq, iv = iq + nq, iv + nv
            sy = model(bodies, joints, case["gravity"], forces=forces)
            s = sy.start()
            row = table(sy, [s])[0]
        except ModelError:
            continue
        scale = max(1.0, max(abs(x) for x in case["out"]["qdd"]))
        worst = max(slots, key=lambda z: abs(row[f"{z[0]}.a{z[1] + 1}"] - case["out"]["qdd"][z[2]]))
        yield f"vector {case['name']}", f"{worst[0]}.a{worst[1] + 1} (worst)", case["out"]["qdd"][worst[2]], row[f"{worst[0]}.a{worst[1] + 1}"], 1e-10 * scale
        for name, m, i in slots:
            if case["active"][i]:
                want, got = case["out"]["tau_actuator"][i], row[f"{name}.tau{m + 1}"]
                yield f"vector {case['name']}", f"{name}.tau{m + 1}", want, got, 1e-9 * max(1.0, abs(want), scale)
                break
        yield f"vector {case['name']}", "kinetic energy", case["out"]["kinetic"], row["energy.kinetic"], 1e-11 * max(1, case["out"]["kinetic"])


# ------------------------------------------------------------------------------------------------------ spanning trees
def spanning_trees(long: bool) -> Iterator[Check]:
    from random_linkages import FAMILIES, linkage, respan, to_dict, variants
    for family in FAMILIES:
        for seed in range(3 if long else 1):
            l = linkage(seed, family)
            sy = from_dict(to_dict(l))
            s = run(sy, 0.5, 1)
            yield f"{family} {seed}", "energy + loss at 0.5 s", total(sy, s[0]), total(sy, s[-1]), 1e-8 * (1 + abs(total(sy, s[0])))
            for v in variants(l)[-1:]:
                other = from_dict(to_dict(respan(l, *v)))
                e = run(other, 0.5, 1)[-1]
                k = int(np.argmax(np.max(np.abs(e.w - s[-1].w), axis=1)))
                c = int(np.argmax(np.abs(e.w[k] - s[-1].w[k])))
                yield f"{family} {seed}", f"w at 0.5 s, {v[1]} as the loop", float(s[-1].w[k, c]), float(e.w[k, c]), 1e-7


def main(argv: list[str] | None = None) -> int:
    p = argparse.ArgumentParser(description="checks of the oracle")
    p.add_argument("--models", metavar="FOLDER", type=Path, default=Path(__file__).resolve().parents[2] / "tests/data",
                   help="the models of the defects, and spatial.json with the reference vectors (default: tests/data)")
    p.add_argument("--long", action="store_true", help="longer runs (minutes)")
    p.add_argument("--only", choices=("closed", "defects", "vectors", "trees"))
    a = p.parse_args(argv)
    if not (a.models / "bennett.toml").exists():
        p.error(f"expected the models of the defects in the folder that --models names, found no bennett.toml in {a.models}")
    parts: dict[str, Callable[[], Iterator[Check]]] = {
        "closed": closed_forms, "defects": lambda: defects(a.models, a.long),
        "vectors": lambda: vectors(a.models / "spatial.json"), "trees": lambda: spanning_trees(a.long)}
    bad = count = 0
    began = time.process_time()
    print(f"{'model':32} {'quantity':40} {'expected':>22} {'found':>22} {'difference':>11}")
    for name, part in parts.items():
        if a.only and name != a.only:
            continue
        for m, quantity, want, got, allowed in part():
            want, got = float(want), float(got)
            ok = abs(got - want) <= allowed
            bad, count = bad + (not ok), count + 1
            print(f"{m:32} {quantity:40} {want:22.15g} {got:22.15g} {got - want:11.2e}{'' if ok else '   <-- allowed %.1g' % allowed}", flush=True)
    print(f"{count} checks, {bad} outside what is allowed, {time.process_time() - began:.0f} s of processor time")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
