"""Misuse: whatever is handed to the package, the interpreter lives, and what is raised is an exception that a caller expects.

Oracle of every test here: a call works or raises one of ALLOWED. Calls are drawn with a seed that hangs on the name of the test alone. What may
end the process (states that were stored and damaged, threads that cannot be had) is done in a child, whose end is the verdict.
"""

from __future__ import annotations

import gc
import pickle
import random
import subprocess
import sys
import textwrap
import threading
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import jounce
from jounce import _engine

ALLOWED = (TypeError, ValueError, KeyError, OSError, MemoryError, OverflowError, IndexError, AttributeError, jounce.AnalysisError)
TRIALS = 200

pytestmark = pytest.mark.filterwarnings("ignore")  # complex numbers that become real, instances that nothing has initialised

PLANE = """
jounce = 1
name = "crank"
gravity = [0, -9.81]
[parameters]
r = 0.1
turn = 3
[measures]
height = "crank.A.y"
[ground]
points = { O = [0, 0] }
[bodies.crank]
angle = "30*deg"
mass = 1
inertia = 0.01
com = ["r/2", 0]
points = { O = [0, 0], A = ["r", 0] }
[joints]
bearing = { type = "revolute", i = "ground.O", j = "crank.O" }
[forces]
load = { type = "force", on = "crank.A", value = ["1", "-2*t"] }
[events]
level = { when = "crank.phi" }
"""
DRIVEN = PLANE + '[drivers]\nmotor = { type = "angle", i = "ground", j = "crank", motion = "turn*t" }\n[run]\nanalysis = "inverse"\nto = 0.02\nsteps = 2\n'
FREE = PLANE + '[run]\nanalysis = "dynamics"\nto = 0.02\nsteps = 2\n'
SPACE = """
jounce = 1
name = "arm"
space = "3d"
gravity = [0, 0, -9.81]
[bodies.arm]
mass = 0.4
com = [0.1, 0, 0]
inertia = [2e-4, 2.5e-3, 2.5e-3, 0, 0, 0]
[bodies.rod]
mass = 0.1
com = [0, 0, -0.15]
inertia = [1e-3, 1e-3, 1e-4, 0, 0, 0]
[joints.motor]
type = "revolute"
parent = "ground"
child = "arm"
[joints.ball]
type = "spherical"
parent = "arm"
child = "rod"
origin = { xyz = [0.25, 0, 0] }
[run]
analysis = "dynamics"
to = 0.02
steps = 2
"""
URDF = """<robot name="a"><link name="base"/><link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""

driven, free, space = jounce.loads(DRIVEN), jounce.loads(FREE), jounce.loads(SPACE)
Q, V = jounce.tree.coordinates(space), jounce.tree.dofs(space)


# ---- what is handed over ---------------------------------------------------------------------------------------------------


def itself() -> list[Any]:
    out: list[Any] = []
    out.append(out)
    return out


class Odd:
    """Everything that can be asked of it fails."""

    def _fails(self, *_: object) -> Any:
        raise ValueError("odd")

    __float__ = __int__ = __index__ = __len__ = __iter__ = __getitem__ = __bool__ = __str__ = __fspath__ = __array__ = items = keys = _fails


BAD: tuple[Callable[[random.Random], Any], ...] = (
    lambda _: None,
    lambda g: g.choice([True, False, -1, 0, 1, 10**30, -(10**30), 2**31, 2**63, 2**64]),
    lambda g: g.choice([float("nan"), float("inf"), -float("inf"), 1e308, -0.0, 5e-324, 0.5, 1j]),
    lambda g: g.choice(["", "x", "\x00", "t\x00", "\ud800", "a\udcff.b", "é", "*", "[", "crank.*", "../x", "1+", "1/0", "nan", "max(t)", "x" * 5000, "(" * 999, "\n", ","]),
    lambda g: g.choice([b"x", b"", bytearray(b"x"), memoryview(b"x")]),
    lambda g: g.choice([object(), Odd(), Ellipsis, NotImplemented, slice(None), range(2), {1, 2}, frozenset(), type, int, jounce.Run, len, Path("x"), warnings]),
    lambda _: lambda *a, **k: None,
    lambda g: g.choice([[], (), {}, [[]], [[1, 2], [3]], [None], ["x", 1], [1.0, 2.0], {"x": 1}, {1: "x"}, {"t": 0, "q": 0, "v": None}, {"r": []}, {"g": "max(t)"}, {"": ""}, {"\ud800": "\x00"}]),
    lambda _: itself(),
    lambda g: (x for x in [g.random(), "x"][: g.randrange(3)]),
    lambda g: g.choice(
        [
            np.zeros(3, complex),
            np.array([None, "x"], object),
            np.arange(3),
            np.array(1.5),
            np.array("x"),
            np.zeros((2, 2, 2)),
            np.zeros((0,)),
            np.zeros((0, 10**9)),
            np.zeros((10**4, 0)),  # more rows are a list of as many where a list is wanted
            np.empty((2, 0, 3)),
            np.arange(40.0)[::3],
            np.arange(40.0)[::-1],
            np.asfortranarray(np.ones((3, V))),
            np.broadcast_to(np.float64(1), (4, Q)),
            np.ones(Q, ">f8"),
            np.ones(V, np.float16),
            np.full(V, np.nan),
            np.zeros(2, [("a", "f8"), ("b", "i4")]),
            np.array(["2020"], "datetime64[Y]"),
            np.ones(3, bool),
            np.ma.masked_array([1.0, 2.0], [True, False]),
            np.float64("nan"),
            np.int8(3),
        ]
    ),
    lambda g: g.choice([driven, free, space, driven._engine, jounce.Model("x"), driven.parameters, _engine.Mechanism.__new__(_engine.Mechanism)]),
)


def near(g: random.Random, fit: Any) -> Any:
    """Almost what it should be: what gets past the first question that is asked of it."""
    if isinstance(fit, np.ndarray):
        a = np.array(fit)
        wide = np.repeat(a, 2, axis=-1)
        nan, big = np.full_like(a, np.nan), np.full_like(a, 1e308)
        kinds = [wide[..., ::2], a[..., ::-1], a[..., :-1], a[None], a[None, None], a[:0], np.asfortranarray(a), a.astype(np.float32), a.astype(">f8"), a.astype(complex)]
        return g.choice([*kinds, a.astype(object), a.astype(int), a.astype(str), a.tolist(), list(a), nan, big, np.zeros_like(a), -a, np.vstack([a, a]), np.ma.masked_array(a), np.tile(a, (70, 1))])
    if isinstance(fit, bool) or fit is None:
        return g.choice([True, False, 0, 1, None, np.bool_(True), ""])
    if isinstance(fit, (int, float)):
        return g.choice([-fit, fit * 1e-300, fit + 1, float(fit), np.float32(fit), np.array(fit), np.array([fit]), str(fit), f"{fit}*1", float("nan"), float("inf"), -1, 0, 2, 7])
    if isinstance(fit, str):
        return g.choice([fit.upper(), fit + " ", fit + "\x00", fit[:-1], fit * 2, fit.encode(), [fit], fit + "\ud800", np.str_(fit), "auto", "taylor", "radau", "kane", "aba", "crba", "kkt", "equilibrium"])
    if isinstance(fit, dict):
        key = g.choice(list(fit) or ["x"])
        return g.choice([{**fit, key: near(g, fit.get(key))}, {**fit, key: bad(g, "t")}, {**fit, "x": 1}, {k: v for k, v in fit.items() if k != key}, list(fit.items()), {k: [v] for k, v in fit.items()}])
    if isinstance(fit, list):
        return g.choice([fit[:-1], fit * 2, fit[::-1], [*fit, None], [near(g, x) for x in fit], tuple(fit), (x for x in fit), np.array(fit, object), [fit]])
    return bad(g)


TIMES = {"to", "at", "t", "time", "times"}
"""What must stay short: a run to 1e30 s is no mistake, and has no end."""


def bad(g: random.Random, key: str = "") -> Any:
    while True:
        value = g.choice(BAD)(g)
        if key not in TIMES or not too_long(value):
            return value


def too_long(value: Any) -> bool:
    try:
        return bool(np.any(np.abs(np.asarray(value, dtype=np.float64)) > 2))
    except Exception:  # not a number
        return False


# ---- calls -----------------------------------------------------------------------------------------------------------------


class Case(NamedTuple):
    call: Callable[..., object]
    fit: dict[str, Any]
    """For each argument a value that is as it should be."""


def short(value: object) -> str:
    try:
        return repr(value)[:60]
    except Exception as error:
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"


def forbidden(call: Callable[..., object], **arguments: Any) -> str:
    """What was raised and may not be, with how; empty where the call is well behaved."""
    try:
        use(call(**arguments))
    except ALLOWED:
        return ""
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:120]!r} of ({', '.join(f'{k}={short(v)}' for k, v in arguments.items())})"
    return ""


def use(found: object) -> None:
    """What came back is looked at."""
    repr(found)
    if isinstance(found, jounce.Run):
        found.summary(), found.statistics, found.events, found.problems, found.goals, found.state, found.equilibrium, found.units, dict(found)
    elif isinstance(found, jounce.Mechanism):
        found.parameters, found.problems, found.to_toml(), found.tables, hash(found), found.check()
    elif isinstance(found, jounce.Simulation):
        found.values(), found.state, found.events, found.problems, found.inputs


def drawn(name: str, case: Case, trials: int = TRIALS) -> list[str]:
    """The forbidden ends of calls with arguments left out, as they should be, or bad; each kind of end once."""
    g = random.Random(zlib.crc32(name.encode()))
    found: dict[str, str] = {}
    for _ in range(trials):
        spoilt, others = g.choice(list(case.fit)), g.choice([0.0, 0.0, 0.15])
        arguments = {}
        for key, fit in case.fit.items():
            chance = g.random()
            if key == spoilt:
                arguments[key] = near(g, fit) if chance < 0.5 else bad(g, key)
            elif chance < others:
                arguments[key] = bad(g, key)
            elif chance < 1 - others:  # else it is left out
                arguments[key] = fit
        arguments = {key: value for key, value in arguments.items() if not (key in TIMES and too_long(value))}
        said = forbidden(case.call, **arguments)
        if said:
            found.setdefault(said[:50], said)
    return list(found.values())


RUN = {"to": 0.02, "steps": 2, "columns": "crank.*", "goals": {"g": "max(crank.vphi)"}, "events": True, "progress": False}
FROM = {**RUN, "start": free.state_at(0)}
AT = {k: v for k, v in FROM.items() if k not in ("to", "steps")} | {"times": [0, 0.01]}
HOW = {"tol": 1e-6, "method": "auto", "formulation": "auto", "order": 0}
SWEEP = {"m": driven, "vary": {"r": [0.1, 0.2]}, "goals": {"g": "max(crank.vphi)"}, "analysis": "inverse", "to": 0.02, "steps": 2, **HOW, "workers": 1, "client": None}
SWEEP.pop("order")

run_of = driven.inverse()
part_of = driven.kinematics(columns="crank.phi")
rest_of = free.equilibrium()
states = {"q": jounce.tree.neutral(space), "v": np.zeros(V)}

MECHANISM: dict[str, Case] = {
    "loads": Case(jounce.loads, {"text": DRIVEN, "file": "x.toml", "set": {"r": 0.2}}),
    "load": Case(jounce.load, {"path": "driven.toml", "set": {"r": 0.2}}),
    "import_urdf": Case(jounce.import_urdf, {"path": "a.urdf", "floating_base": True, "keep_fixed": True, "limits": True, "set": {}}),
    "Mechanism": Case(jounce.Mechanism, {"engine": driven._engine, "imported": []}),
    "kinematics": Case(driven.kinematics, RUN),
    "inverse": Case(driven.inverse, FROM),
    "dynamics": Case(free.dynamics, {**FROM, **HOW}),
    "dynamics at times": Case(free.dynamics, {**AT, **HOW}),
    "kinematics at times": Case(driven.kinematics, AT),
    "dynamics in space": Case(space.dynamics, {**RUN, **HOW, "start": space.state_at(0), "columns": "rod.*", "goals": None}),
    "equilibrium": Case(free.equilibrium, {"columns": "crank.*", "goals": {"g": "max(crank.x)"}}),
    "equilibrium over": Case(free.equilibrium, {"over": ("crank.phi", [0.0, 0.5])}),
    "run": Case(driven.run, {"analysis": "kinematics", **RUN}),
    "simulation": Case(free.simulation, {**HOW, "start": free.state_at(0)}),
    "Simulation": Case(jounce.Simulation, {"mechanism": free, **HOW}),
    "explain": Case(driven.explain, {"at": 0.01, "lambda_": [0.0, 0.0, 0.0]}),
    "explain arrays": Case(space.explain, {"at": 0.01, "formulation": "aba"}),
    "compare": Case(free.compare, {"at": 0.01}),
    "state_at": Case(free.state_at, {"t": 0.01}),
    "draw": Case(driven.draw, {"at": 0.01, "names": True, "trails": "crank.A", "width": 300, "view": "iso"}),
    "draw in space": Case(space.draw, {"at": 0.01, "names": True, "trails": [], "width": 300, "view": "x"}),
    "save": Case(lambda **k: driven.draw().save(**k), {"path": "x.svg"}),
    "profile": Case(jounce.load("models/roller-cam/model.toml" if Path("models").is_dir() else "../models/roller-cam/model.toml").profile, {"joint": "", "count": 3}),
    "columns": Case(driven.columns, {"analysis": "inverse"}),
    "evaluate": Case(driven.evaluate, {"expression": "2*r"}),
    "with_parameters": Case(lambda **k: driven.with_parameters(k.pop("given", None), **k), {"given": {"turn": 2}, "r": 0.3}),
    "compared": Case(lambda other: (driven == other, driven != other, free == other), {"other": free}),
    "sweep": Case(jounce.sweep, SWEEP),
}
RUNS: dict[str, Case] = {
    "Run": Case(jounce.Run, {"engine": run_of._engine, "mechanism": driven}),
    "column": Case(lambda column: (run_of[column], part_of[column]), {"column": "t"}),
    "in": Case(lambda column: column in run_of, {"column": "t"}),
    "unit": Case(run_of.unit, {"column": "t"}),
    "select": Case(lambda a, b: run_of.select(a, b), {"a": "crank.*", "b": "t"}),
    "to_csv": Case(run_of.to_csv, {"path": "x.csv", "columns": ["crank.*"]}),
    "csv": Case(lambda columns: (run_of.to_csv(columns=columns), rest_of.to_csv(columns=columns)), {"columns": ["crank.*"]}),
    "report": Case(run_of.report, {"path": "x.html"}),
    "engine's column": Case(run_of._engine.column, {"index": 0}),
    "engine's csv": Case(run_of._engine.csv, {"columns": [], "units": "length=mm"}),
    "Event": Case(jounce.Event, dict.fromkeys(jounce.Event._fields, 0)),
    "Problem": Case(lambda **k: str(jounce.Problem(**k)), dict.fromkeys(jounce.Problem._fields, 0)),
    "ModelError": Case(lambda problems: str(jounce.ModelError(problems)), {"problems": []}),
    "AnalysisError": Case(lambda **k: str(jounce.AnalysisError(**k)), {"outcome": "x", "reason": "y", "run": run_of}),
    "nearest_name": Case(_engine.nearest_name, {"word": "x", "names": ["y"]}),
    "write_text": Case(_engine.write_text, {"path": "x.txt", "text": "x"}),
}
TREE: dict[str, Case] = {
    "coordinates": Case(jounce.tree.coordinates, {"m": space}),
    "dofs": Case(jounce.tree.dofs, {"m": space}),
    "neutral": Case(jounce.tree.neutral, {"m": space}),
    "aba": Case(jounce.tree.aba, {"m": space, **states, "tau": np.zeros((3, V)), "out": np.empty((3, V)), "threads": 1}),
    "rnea": Case(jounce.tree.rnea, {"m": space, **states, "qdd": np.zeros(V), "out": np.empty(V), "threads": 1}),
    "crba": Case(jounce.tree.crba, {"m": space, "q": states["q"], "out": np.empty((V, V)), "threads": 1}),
    "hybrid": Case(jounce.tree.hybrid, {"m": space, **states, "given": np.zeros((2, V)), "active": [True] * V, "threads": 1}),
    "move": Case(jounce.tree.move, {"m": space, "q": states["q"], "way": np.zeros(V)}),
    "difference": Case(jounce.tree.difference, {"m": space, "q0": states["q"], "q1": np.tile(states["q"], (2, 1))}),
}
ENGINE: dict[str, Case] = {
    "Simulation": Case(_engine.Simulation, {"mechanism": free._engine, "tolerance": 1e-6, "method": "auto", "formulation": "auto", "order": 0, "start": None}),
    "Simulation's start": Case(lambda t, q, v: _engine.Simulation(free._engine, 1e-6, "auto", "auto", 0, (t, q, v)), {"t": 0.0, "q": np.zeros(3), "v": np.zeros(3)}),
    "Tree": Case(_engine.Tree, {"mechanism": space._engine}),
    "Mechanism": Case(_engine.Mechanism, {"x": 0}),
    "Run": Case(_engine.Run, {"x": 0}),
    "run": Case(
        free._engine.run,
        {"analysis": "dynamics", "to": 0.02, "steps": 2, "times": None, "start": None, "columns": [], "tolerance": 1e-6, "method": "auto"}
        | {"formulation": "auto", "order": 0, "events": True, "goals": [("g", "max(t)")], "progress": None},
    ),
    "run at times": Case(lambda times: free._engine.run("dynamics", None, None, times, None, [], 1e-6, "auto", "auto", 0, True, [], None), {"times": np.zeros(1)}),
    "sweep": Case(
        _engine.sweep,
        {"mechanism": driven._engine, "parameters": ["r"], "values": np.ones((2, 1)), "analysis": "inverse", "to": 0.02, "steps": 2, "tolerance": 1e-6}
        | {"method": "auto", "formulation": "auto", "goals": [("g", "max(t)")], "threads": 1, "progress": None},
    ),
    "aba": Case(
        _engine.Tree(space._engine).aba,
        {"q": states["q"][None], "v": np.zeros((1, V)), "tau": np.zeros((1, V)), "out": np.empty((1, V)), "threads": 1},
    ),
    "move": Case(_engine.Tree(space._engine).move, {"q": states["q"][None], "way": np.zeros((1, V)), "out": np.empty((1, Q))}),
    "load": Case(_engine.load, {"path": "driven.toml", "overrides": [("r", "1")]}),
    "loads": Case(_engine.loads, {"text": DRIVEN, "file": "", "overrides": [("r", "1")]}),
    "build": Case(_engine.build, {"text": DRIVEN}),
    "import_urdf": Case(_engine.import_urdf, {"path": "a.urdf", "floating_base": True, "keep_fixed": False, "limits": True, "warnings": []}),
}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, at_the_root: None, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "driven.toml").write_text(DRIVEN)
    (tmp_path / "a.urdf").write_text(URDF)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", MECHANISM)
def test_mechanisms(name: str) -> None:
    assert not drawn(name, MECHANISM[name])


@pytest.mark.parametrize("name", RUNS)
def test_runs(name: str) -> None:
    assert not drawn(name, RUNS[name])


def test_plots() -> None:
    # a figure takes longer than a run
    case = Case(lambda column, **k: run_of.plot(column, **k), {"column": "crank.*phi", "x": "t", "title": "x", "figsize": (4, 3)})
    assert not drawn("plot", case, 25)


@pytest.mark.parametrize("name", TREE)
def test_trees(name: str) -> None:
    assert not drawn(name, TREE[name])


@pytest.mark.parametrize("name", ENGINE)
def test_the_engine_itself(name: str) -> None:
    assert not drawn(name, ENGINE[name])


# ---- models and their texts ------------------------------------------------------------------------------------------------


def test_models_in_code() -> None:
    g = random.Random(1)
    found: dict[str, str] = {}
    names = ("parameter", "measure", "ground", "body", "joint", "driver", "force", "loop", "coupling", "stop", "event", "base", "actuators", "plan", "remove")
    keys = {"name": "x", "type": "revolute", "value": "1", "points": {}, "of": "t", "when": "t", "dofs": [], "analysis": "inverse", "to": 1, "steps": 2, "mass": 1, "i": "crank.A"}
    for _ in range(2 * TRIALS):
        model = jounce.Model.from_toml(g.choice([DRIVEN, FREE, SPACE]))
        method, chosen = g.choice(names), g.sample(list(keys), 3)
        arguments = {key: bad(g) if g.random() < 0.6 else keys[key] for key in ["name", *chosen]}
        if method in ("ground", "base", "actuators", "plan"):
            arguments.pop("name")
        if method == "ground":
            arguments.setdefault("points", bad(g))
        said = forbidden(getattr(model, method), **arguments) or forbidden(model.to_toml) or forbidden(model.build) or forbidden(lambda model=model: repr(model))
        if said:
            found.setdefault(said[:50], f"{method}: {said}")
    assert not list(found.values())
    assert not drawn("Model", Case(lambda **k: jounce.Model(**k).build(), {"name": "x", "space": "3d", "gravity": [0, 0, 1]}))
    assert not drawn("from_toml", Case(lambda text: jounce.Model.from_toml(text).build(), {"text": FREE}))


def spoilt(g: random.Random, text: str, pieces: list[str]) -> str:
    """A text with parts of it cut, doubled, or replaced by others."""
    for _ in range(g.randrange(1, 4)):
        a = g.randrange(len(text) + 1)
        b = min(len(text), a + g.randrange(12))
        text = text[:a] + g.choice(["", text[a:b] * 2, g.choice(pieces), chr(g.randrange(0x110000))]) + text[b:]
    return text


def test_texts_of_models() -> None:
    g = random.Random(2)
    pieces = [*'[]{}="\'\\\n#.,', "[[", '"""', "1e999", "nan", "inf", "-1", "crank", "\x00", "\ud800", "true", "1979-05-27", "{}", "0x", "ground.O", "*", "^", "(", "t", "[bodies.b]\n"]
    said = [forbidden(jounce.loads, text=spoilt(g, g.choice([DRIVEN, FREE, SPACE]), pieces)) for _ in range(3 * TRIALS)]
    assert not [s for s in said if s]


def test_texts_of_robots() -> None:
    g = random.Random(3)
    pieces = ["<", ">", "/>", "</robot>", "&lt;", "&#0;", "<!--", "<![CDATA[", '"', "'", "nan", "1e999", "base", "arm", "floating", "<link name='base'/>", "\x00"]

    def read(text: str) -> jounce.Mechanism:
        Path("b.urdf").write_text(text, errors="replace")
        return jounce.import_urdf("b.urdf", limits=True)

    said = [forbidden(read, text=spoilt(g, URDF, pieces)) for _ in range(TRIALS)]
    assert not [s for s in said if s]


def test_expressions() -> None:
    g = random.Random(4)
    words = ["1", "r", "t", "crank.phi", "(", ")", "+", "-", "*", "/", "^", ",", "sin", "max", "at", "integral", "if", "<", "1e308", "0", ".", "deg", "max(", "crank", "'", "\x00", "é"]
    for _ in range(2 * TRIALS):
        text = "".join(g.choice(words) for _ in range(g.randrange(1, 9)))
        said = forbidden(driven.evaluate, expression=text) or forbidden(driven.kinematics, to=0.01, steps=1, goals={"g": f"max({text})"}) or forbidden(driven.explain, at=text[:4] + "*0")
        assert not said, text
    for deep in ("(" * 10**5, "-" * 10**5 + "1", "^".join(["1"] * 10**5), "+".join(["r"] * 10**5), "sin(" * 10**5, "1" * 10**5):
        assert not forbidden(driven.evaluate, expression=deep)
    for deep in ("[" * 10**5, "{a=" * 10**5, "[" * 10**5 + "]" * 10**5):
        assert not forbidden(jounce.loads, text="jounce = 1\na = " + deep)


@pytest.mark.parametrize("call", [jounce.load, jounce.import_urdf, run_of.to_csv, run_of.report, driven.draw().save])
def test_a_path_ends_where_its_text_does(call: Callable[[str], object]) -> None:
    # oracle: open(), which refuses a zero inside a path
    existing = "a.urdf" if call is jounce.import_urdf else "driven.toml"
    with pytest.raises((ValueError, OSError)):
        call(f"{existing}\x00.other")
    assert Path(existing).read_text() in (DRIVEN, URDF)


# ---- simulations -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [free, space], ids=["plane", "space"])
def test_simulations(m: jounce.Mechanism) -> None:
    calls: dict[str, Callable[[jounce.Simulation, Any], object]] = {
        "time": lambda s, x: s.advance(x),
        "restart": lambda s, x: s.restart(x),
        "q": lambda s, x: s.restart({**s.state, "q": x}),
        "v": lambda s, x: s.restart({**s.state, "v": x}),
        "t": lambda s, x: s.restart({**s.state, "t": x}),
        "input": lambda s, x: s.set(x, 1.0),
        "value": lambda s, x: s.set(s.inputs[0], x),
        "column": lambda s, x: s[x],
        "in": lambda s, x: x in s,
        "engine's value": lambda s, x: s._engine.value(x),
    }
    g = random.Random(5)
    found: dict[str, str] = {}
    sim = m.simulation()
    for k in range(2 * TRIALS):
        if k % 20 == 0:
            sim = m.simulation()
        name = g.choice(list(calls))
        said = forbidden(calls[name], s=sim, x=bad(g, name)) or forbidden(lambda sim=sim: use(sim))
        if name in ("value", "q", "v", "t", "restart"):  # a load of 1e30 N is no mistake either, and what it does has no end
            sim = m.simulation()
        said = said or forbidden(sim.advance, time=1e-3)
        if said:
            found.setdefault(said[:50], f"{name}: {said}")
    assert not list(found.values())


# ---- instances that are not what they seem -----------------------------------------------------------------------------------


def test_instances_that_nothing_has_initialised() -> None:
    g = random.Random(6)
    for kind in (_engine.Mechanism, _engine.Run, _engine.Simulation, _engine.Tree, jounce.Mechanism, jounce.Run, jounce.Simulation, jounce.Model):
        empty = kind.__new__(kind)
        for name in dir(empty):
            if name in ("__class__", "__init_subclass__", "__subclasshook__", "__new__"):
                continue
            for arguments in ((), (bad(g),), (bad(g), bad(g))):
                assert not forbidden(lambda name=name, empty=empty, a=arguments: getattr(empty, name)(*a)), f"{kind}.{name}"
        for call in (repr, hash, str, len, iter, dict, pickle.dumps):
            assert not forbidden(lambda call=call, empty=empty: call(empty)), f"{call} of {kind}"
    empty = _engine.Mechanism.__new__(_engine.Mechanism)
    for use_it in (lambda: jounce.Mechanism(empty).kinematics(1, 1), lambda: jounce.Mechanism(empty) == driven, lambda: _engine.Tree(empty), lambda: driven._engine.same(empty)):
        assert not forbidden(use_it)
    assert not forbidden(lambda: run_of._engine.__setstate__(run_of._engine.__getstate__()))
    assert not forbidden(lambda: _engine.Simulation.__init__(free.simulation()._engine, free._engine, 1e-6, "auto", "auto", 0, None))


def test_states_of_another_kind() -> None:
    # oracle: the states are checked when they are taken in, with one part replaced by what it never is
    for whole in (driven._engine, run_of._engine, rest_of._engine):
        state, kind = whole.__getstate__(), type(whole)
        wrong = []
        for value in ((), None, "x", object(), state[:-1], [state]):
            wrong.append(forbidden(lambda value=value, kind=kind: kind.__new__(kind).__setstate__(value)))
        for k in range(len(state)):
            for part in (None, object(), "x", -1, [], ((),)):
                changed = (*state[:k], part, *state[k + 1 :])
                wrong.append(forbidden(lambda changed=changed, kind=kind: kind.__new__(kind).__setstate__(changed)))
        assert not [w for w in wrong if w][:3], kind


def test_views_outlive_what_they_look_at() -> None:
    m = jounce.loads(DRIVEN)
    r = m.inverse()
    engine, expected = r._engine, r["crank.phi"].copy()
    del m
    gc.collect()
    assert r.mechanism.name == "crank" and len(r.mechanism.kinematics()) == 3
    view = r["crank.phi"][::-1][::-1]
    state = r.state
    del r
    gc.collect()
    [jounce.loads(DRIVEN).inverse() for _ in range(5)]
    assert np.array_equal(view, expected) and state is not None and state["q"].size == 3
    for index in (-1, 10**6, 2**64, 1.0, None, True, "0"):
        assert not forbidden(engine.column, index=index)
    for flags in ({"write": True},):
        with pytest.raises(ValueError, match="WRITEABLE"):
            engine.column(0).setflags(**flags)


def test_many_threads_at_once() -> None:
    sim, said = free.simulation(), []

    def work(seed: int) -> None:
        g = random.Random(seed)
        for _ in range(40):
            x = bad(g, "t")
            for call in (
                lambda x=x: sim.advance(x),
                lambda: sim.advance(1e-4),
                lambda x=x: sim.set("load.fx", x),
                lambda: sim.row(),
                lambda x=x: sim.restart({"t": 0, "q": x, "v": [0, 0, 0]}),
                lambda x=x: driven.with_parameters(r=x),
                lambda x=x: jounce.tree.aba(space, x, x, x),
                lambda x=x: driven.kinematics(columns=x),
                lambda x=x: run_of[x],
            ):
                said.append(forbidden(call))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(said) == 4 * 40 * 9 and not [s for s in said if s]


# ---- what may end the process --------------------------------------------------------------------------------------------------

CHILD = """
import sys, warnings
warnings.simplefilter("ignore")
import faulthandler; faulthandler.enable()
import numpy as np
import jounce
from jounce import _engine
from pathlib import Path
ALLOWED = (TypeError, ValueError, KeyError, OSError, MemoryError, OverflowError, IndexError, AttributeError, jounce.AnalysisError)
driven, free, space = (jounce.loads(Path(name).read_text()) for name in ("driven.toml", "free.toml", "space.toml"))

def attempt(what, call):
    print(what, flush=True)
    try:
        call()
    except ALLOWED:
        pass

def restored(state):
    run = _engine.Run.__new__(_engine.Run)
    run.__setstate__(tuple(state))
    return run

def used(state):
    r = jounce.Run(restored(state))
    for look in (lambda: r.outcome, lambda: r.summary(), lambda: r.statistics, lambda: r.equilibrium, lambda: r.to_csv(), lambda: r.report(), lambda: repr(r),
                 lambda: r._engine.facts(), lambda: r.to_pandas(), lambda: r.mechanism.dynamics(0.01, 1, start=r.state)):
        try:
            look()
        except ALLOWED:
            pass

def with_part(state, path, value):
    out = list(state)
    out[path[0]] = value if len(path) == 1 else with_part(out[path[0]], path[1:], value)
    return tuple(out) if isinstance(state, tuple) else out
"""


def child(body: str, seconds: float = 60) -> None:
    """Runs it in a process of its own; what it was at last when it ended badly is told."""
    for name, text in (("driven.toml", DRIVEN), ("free.toml", FREE), ("space.toml", SPACE)):
        Path(name).write_text(text)
    try:
        done = subprocess.run([sys.executable, "-c", CHILD + textwrap.dedent(body)], capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired as error:
        last = (error.stdout or b"").decode().strip().rsplit("\n", 1)[-1]
        pytest.fail(f"no end of: {last}")
    assert done.returncode == 0, f"ended with {done.returncode} in: {done.stdout.strip().rsplit(chr(10), 1)[-1]}\n{done.stderr[-600:]}"


RUN_PARTS = {
    "a kind of outcome that there is not": "(5, 0), 999",
    "a negative kind of outcome": "(5, 0), -5",
    "another analysis": "(1,), 'equilibrium'",
    "a state of other size": "(11,), [1.0] * 50",
    "no coordinates": "(11,), [0.0]",
    "one column": "(15,), ([('t', 's', '', '')], 2, [b'0' * 16])",
    "no columns": "(15,), ([], 0, [])",
    "columns of one name": "(15,), ([('t', 's', '', '')] * 2, 1, [b'0' * 8] * 2)",
    "rows that wrap around": "(15,), ([('t', 's', '', '')], 2**61, [b''])",
    "more steps than rows": "(3,), 2**31 - 1",
}
REST_PARTS = {
    "a kind of outcome that there is not": "(13, 0, 0), 77",
    "fewer components than a mode has": "(13, 12), []",
    "fewer numbers in a row": "(13, 4), []",
    "no coordinates": "(13, 2), []",
    "more multipliers": "(13, 3), [1.0] * 50",
    "a mode of other size": "(13, 11), [(1.0, 1.0, 0.0, 0.0, [1.0] * 50)]",
    "counts below zero": "(13, 7), -1",
    "a coordinate that there is not": "(16,), ('nothing', 'rad', 'hold.effort', 'N m', [], 1, 1, 0, [])",
}


@pytest.mark.parametrize(("run", "parts"), [("driven.inverse()", RUN_PARTS), ("free.equilibrium()", REST_PARTS)], ids=["runs", "equilibria"])
def test_damaged_states(run: str, parts: dict[str, str]) -> None:
    # one child for all: it tells the part that ended it
    lines = [f"attempt({part!r}, lambda: used(with_part(state, {change})))" for part, change in parts.items()]
    child("\n".join([f"state = {run}._engine.__getstate__()", *lines]))


def test_many_rows_of_no_columns() -> None:
    child("attempt('10**15 rows of no columns', lambda: restored(with_part(driven.inverse()._engine.__getstate__(), (15,), ([], 10**15, []))))", 3)


@pytest.mark.parametrize("kind", [999, -5])
def test_kinds_of_outcomes(kind: int) -> None:
    # oracle: words of outcomes are in the documentation; memory beside their list is not
    state: Any = run_of._engine.__getstate__()
    broken = (*state[:5], (kind, *state[5][1:]), *state[6:])
    run = _engine.Run.__new__(_engine.Run)
    with pytest.raises(ValueError):
        run.__setstate__(broken)


@pytest.mark.parametrize(
    "call",
    [
        "jounce.tree.hybrid(space, q, v, v, [True] * n, threads=500)",
        "jounce.tree.aba(space, q, v, v, threads=500)",
        "jounce.sweep(driven, {'r': np.full(400, 0.1)}, goals={'g': 'max(t)'}, workers=400)",
    ],
)
def test_threads_that_cannot_be_had(call: str) -> None:
    # oracle: with little address space left the system refuses a thread's stack, as it refuses threads beyond its limit
    child(f"""
        import resource
        import pandas
        n, c, count = jounce.tree.dofs(space), jounce.tree.coordinates(space), 64 * 500
        q, v = np.tile(jounce.tree.neutral(space), (count, 1)), np.zeros((count, n))
        size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + 400 * 2**20,) * 2)
        attempt({call!r}, lambda: {call})
        """)
