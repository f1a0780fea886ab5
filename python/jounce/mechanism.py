"""Mechanisms: what a model file describes, ready to be computed with."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypedDict, cast

import numpy as np
import numpy.typing as npt

from . import _engine
from ._progress import Progress, shown
from ._words import matching, path_text, whole
from .errors import AnalysisError, Problem
from .run import Run
from .simulation import Simulation

Numbers: TypeAlias = npt.NDArray[np.float64]
Number: TypeAlias = float | int | str
"""A number, or an expression of the model file: ``"60*deg"``."""


class State(TypedDict):
    """Where a mechanism is and how fast it moves; what ``start=`` takes.

    In the plane ``q`` has x, y (of the centre of mass) and phi of each body, in the order of the file, and ``v`` their rates. In space they are those
    of the joints; a ball has four coordinates, a quaternion w, x, y, z, and three rates. :attr:`Mechanism.state_names` names them.
    """

    t: float
    q: Numbers
    v: Numbers


class Drawing(str):
    """A drawing as SVG text; a notebook shows it."""

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it to a file, whole or not at all."""
        _engine.write_text(path_text(path), str(self))


def load(path: str | os.PathLike[str], *, set: Mapping[str, Number] | None = None) -> Mechanism:
    """Reads a model file.

    ``set`` overrides parameters, as ``--set`` does: ``{"crank": 0.06, "angle": "60*deg"}``. Raises :class:`ModelError` with all that
    is wrong at once.
    """
    text = path_text(path)
    if text.lower().endswith((".urdf", ".xacro")):
        raise ValueError(f"{text}: is a robot in URDF: jounce.import_urdf reads it")
    return Mechanism(_engine.load(text, _overrides(set)))


def loads(text: str, *, file: str = "<text>", set: Mapping[str, Number] | None = None) -> Mechanism:
    """Reads a model from text. ``file`` is what messages call it; tables are looked for beside it."""
    if not isinstance(text, str):
        raise TypeError(f"text: expected a str, found {type(text).__name__}")
    if text.endswith(".toml") and "\n" not in text:
        raise ValueError(f"text: expected the text of a model, found what looks like a path: jounce.load({text!r}) reads a file")
    return Mechanism(_engine.loads(text, file, _overrides(set)))


def import_urdf(
    path: str | os.PathLike[str],
    *,
    floating_base: bool = False,
    keep_fixed: bool = False,
    limits: bool = False,
    set: Mapping[str, Number] | None = None,
) -> Mechanism:
    """Reads a robot in URDF as a mechanism of space.

    ``floating_base``: the root link is a body on a free joint instead of the ground; ``keep_fixed``: fixed joints stay joints;
    ``limits``: limits of joints become stops. What has no meaning here is among the ``problems`` of the mechanism.
    """
    warnings: list[tuple[str, int, int, str, str, str]] = []
    name = path_text(path)
    if name.lstrip().startswith("<"):
        raise ValueError("path: expected the path of a URDF file, found its text: write it to a file first")
    text = _engine.import_urdf(name, floating_base, keep_fixed, limits, warnings)
    return Mechanism(_engine.loads(text, "", _overrides(set)), warnings)


class Mechanism:
    """A mechanism of the plane or of space: constant, and safe to use from many threads at once.

    Made by :func:`load`, :func:`loads`, :func:`import_urdf` or :meth:`Model.build`. Two mechanisms are equal when their models and
    parameters are; they can be pickled, tables included.
    """

    __slots__ = ("__weakref__", "_engine", "_hash", "_imported", "_tree")

    def __init__(self, engine: _engine.Mechanism, imported: Iterable[tuple[str, int, int, str, str, str]] = ()) -> None:
        if not isinstance(engine, _engine.Mechanism):
            raise TypeError("a Mechanism is made by jounce.load, jounce.loads, jounce.import_urdf or Model.build")
        self._engine = engine
        self._imported = list(imported)
        self._hash: int | None = None
        self._tree: _engine.Tree | None = None  # of jounce.tree

    # ---- what it is ----------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Of the model."""
        return self._engine.name

    @property
    def file(self) -> str:
        """That it was read from; empty when it was built in code."""
        return self._engine.file

    @property
    def space(self) -> str:
        """``"plane"`` or ``"3d"``."""
        return self._engine.space

    @property
    def parameters(self) -> dict[str, float]:
        """Their values, in the order of the file."""
        return self._engine.parameters

    @property
    def state_names(self) -> tuple[list[str], list[str]]:
        """What the numbers of a :class:`State` are: names of ``q`` and of ``v``. ``"crank.x"`` is that of the centre of mass."""
        return self._engine.state_names

    @property
    def problems(self) -> list[Problem]:
        """Warnings of reading and building it."""
        return [Problem(*p) for p in (*self._imported, *self._engine.problems)]

    @property
    def source(self) -> str:
        """The text of the model file as it was read; of a mechanism that was built in code, the file that would give it."""
        return self._engine.source

    @property
    def tables(self) -> list[str]:
        """Paths of the tables that the model reads."""
        return self._engine.tables

    def to_toml(self) -> str:
        """The model, with the parameters that were set, as a model file."""
        return self._engine.to_toml()

    def columns(self, analysis: str | None = None) -> list[str]:
        """The columns of an analysis, in order; without a name, of what ``[run]`` says."""
        return [name for name, *_ in self._engine.columns(self._planned(analysis), False)]

    def with_parameters(self, parameters: Mapping[str, Number] | None = None, /, **more: Number) -> Mechanism:
        """The same mechanism with other parameters: ``m.with_parameters(crank=0.07)``, or a dict for names with dashes.

        Nothing is read again, neither the model file nor its tables.
        """
        return Mechanism(self._engine.with_parameters(_overrides({**(parameters or {}), **more})), self._imported)

    def evaluate(self, expression: str) -> float:
        """The value of an expression of the parameters: ``m.evaluate("2*crank + 5*mm")``."""
        return self._engine.evaluate(expression)

    # ---- analyses ------------------------------------------------------------------------------------------------------

    def kinematics(
        self,
        to: Number | None = None,
        steps: int | None = None,
        *,
        times: npt.ArrayLike | None = None,
        start: Mapping[str, Any] | None = None,
        columns: str | Iterable[str] = (),
        goals: Mapping[str, str] | None = None,
        events: bool = True,
        progress: Progress = False,
    ) -> Run:
        """Position, velocity, acceleration, jerk and snap of a driven mechanism.

        ``to``, ``steps``: equal intervals from 0 (what ``[run]`` says, where they are left out); or ``times``: when rows are wanted,
        ascending. ``start``: where and when to begin, a :class:`State`. ``columns``: names or patterns of what to keep (``"crank.*"``);
        all where left out. ``goals``: numbers of the whole run, ``{"stroke": "range(piston.x)"}``. ``events``: those of the model are
        watched for. ``progress``: True for a bar, or a function of the time reached.

        An analysis that ends early does not raise: ``outcome`` says why, and its rows up to there are there.
        """
        return self._run("kinematics", to, steps, times, start, columns, goals, events, progress)

    def inverse(
        self,
        to: Number | None = None,
        steps: int | None = None,
        *,
        times: npt.ArrayLike | None = None,
        start: Mapping[str, Any] | None = None,
        columns: str | Iterable[str] = (),
        goals: Mapping[str, str] | None = None,
        events: bool = True,
        progress: Progress = False,
    ) -> Run:
        """The same as :meth:`kinematics`, with every joint reaction and driver effort; needs masses."""
        return self._run("inverse", to, steps, times, start, columns, goals, events, progress)

    def dynamics(
        self,
        to: Number | None = None,
        steps: int | None = None,
        *,
        tol: float = 1e-8,
        method: str = "auto",
        formulation: str = "auto",
        order: int = 0,
        times: npt.ArrayLike | None = None,
        start: Mapping[str, Any] | None = None,
        columns: str | Iterable[str] = (),
        goals: Mapping[str, str] | None = None,
        events: bool = True,
        progress: Progress = False,
    ) -> Run:
        """Forward dynamics: how the mechanism moves by itself.

        ``tol``: local error allowed per step, on positions and velocities, each scaled by 1 + its size. ``method``: auto, taylor, radau
        or dop853. ``formulation``: auto, lagrange, kkt, nullspace, kane, crba or aba. ``order``: of the power series; 0 chooses it. The
        others are those of :meth:`kinematics`.
        """
        return self._run("dynamics", to, steps, times, start, columns, goals, events, progress, tol, method, formulation, order)

    def equilibrium(
        self,
        *,
        over: str | tuple[str, npt.ArrayLike] | None = None,
        columns: str | Iterable[str] = (),
        goals: Mapping[str, str] | None = None,
        progress: Progress = False,
    ) -> Run:
        """Where the mechanism rests: one row, and ``run.equilibrium`` with stability, natural frequencies and modes.

        ``over``: a coordinate and values at which it is held, ``("crank.phi", numpy.linspace(0, 6.28, 73))`` or ``"crank.phi=0:360*deg:73"``: a row for
        each, rising, with what it takes to hold it in the column ``run.over["effort"]``. A driver that would move the coordinate is set aside. Values
        without an equilibrium are rows of NaN, and ``run.over["missing"]`` says why.
        """
        return self._run("equilibrium", None, None, None, None, columns, goals, True, progress, over=over)

    def run(self, analysis: str | None = None, **options: Any) -> Run:
        """What ``[run]`` of the model says; ``analysis`` and options of that analysis override it."""
        name = self._planned(analysis, must=True)
        known: dict[str, Callable[..., Run]] = {"kinematics": self.kinematics, "inverse": self.inverse, "dynamics": self.dynamics, "equilibrium": self.equilibrium}
        if name not in known:
            self._engine.columns(name, False)  # raises, with the words that there are
        return known[name](**options)

    def simulation(
        self,
        *,
        tol: float = 1e-8,
        method: str = "auto",
        formulation: str = "auto",
        order: int = 0,
        start: Mapping[str, Any] | None = None,
    ) -> Simulation:
        """Forward dynamics stepped from outside: for a controller, a game, an environment."""
        return Simulation(self, tol=tol, method=method, formulation=formulation, order=order, start=start)

    # ---- questions -----------------------------------------------------------------------------------------------------

    def check(self) -> dict[str, Any]:
        """What it is made of, in how many ways it can move, which equations repeat each other, whether it assembles."""
        return cast("dict[str, Any]", self._engine.check())

    def explain(self, at: Number = 0, *, formulation: str | None = None, lambda_: Sequence[float] = ()) -> dict[str, Any]:
        """Every constraint and force at a time of its own run, in the letters of the equations.

        ``formulation``: the arrays of one instead, kane in the plane; kane, aba, crba, nullspace, method-1, method-2, method-3 in space.
        ``lambda_``: multipliers for kappa, one for each equation.
        """
        return cast("dict[str, Any]", self._engine.explain(self._time("at", at), formulation, [float(x) for x in lambda_]))

    def compare(self, at: Number = 0) -> dict[str, Any]:
        """The accelerations at a time of its own run through every formulation that applies, side by side."""
        return cast("dict[str, Any]", self._engine.compare(self._time("at", at)))

    def state_at(self, t: Number) -> State:
        """Where it is at a time of its own run: ``{"t": t, "q": array, "v": array}``, what ``start=`` takes.

        By its drivers where they decide the motion, else by forward dynamics. Raises :class:`AnalysisError` where the time is not reached.
        """
        outcome, reason, state, _ = self._engine.state_at(self._time("t", t))
        if state is None:
            raise AnalysisError(outcome, reason)
        return State(t=state[0], q=state[1], v=state[2])

    def draw(
        self,
        at: Number | None = None,
        *,
        names: bool = False,
        trails: str | Iterable[str] = (),
        width: float = 720,
        view: str = "iso",
    ) -> Drawing:
        """A drawing as SVG: at the start, or at a time of its own run.

        ``trails``: points whose paths are drawn too (``"rod.B"``); ``view``: iso, x, y or z, in space. Raises :class:`AnalysisError`
        where there is nothing to draw.
        """
        time = None if at is None else self._time("at", at)
        svg, _, outcome, reason = self._engine.draw(time, _names(trails), bool(names), float(width), view)
        if not svg:
            raise AnalysisError(outcome, reason)
        return Drawing(svg)

    def profile(self, joint: str = "", *, count: int = 720) -> dict[str, Any]:
        """The curve of a cam or slot, evenly along it, in axes of the body that has it: arrays x, y, s, curvature and the roller's centre."""
        return cast("dict[str, Any]", self._engine.profile(joint, count))

    # ---- as Python sees it -----------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<jounce.Mechanism {self.name!r} ({self.space}{', ' + self.file if self.file else ''})>"

    def _repr_svg_(self) -> str | None:
        try:
            return str(self.draw())
        except (AnalysisError, ValueError):
            return None

    def __eq__(self, other: object) -> bool:
        return self._engine.same(other._engine) if isinstance(other, Mechanism) else NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.name, self.space, self._engine.coordinates, tuple(self.parameters.items())))
        return self._hash

    def __copy__(self) -> Mechanism:
        return self

    def __deepcopy__(self, memo: object) -> Mechanism:
        return self

    def __reduce__(self) -> tuple[type[Mechanism], tuple[object, object]]:
        return Mechanism, (self._engine, self._imported)

    # ---- inside ----------------------------------------------------------------------------------------------------------

    def _planned(self, analysis: str | None, must: bool = False) -> str:
        if analysis is not None:
            return analysis
        name, _, _, written = self._engine.plan()
        if must and not written:
            raise ValueError(f"{self.file or self.name}: the model has no [run] section: it does not say what to run")
        return name

    def _time(self, what: str, value: Number) -> float:
        number = self._engine.evaluate(value) if isinstance(value, str) else float(value)
        if not (number >= 0 and math.isfinite(number)):
            raise ValueError(f"{what}: expected 0 or a later time, found {value!r}")
        return number

    def _over(self, over: str | tuple[str, npt.ArrayLike]) -> tuple[str, list[float]]:
        if isinstance(over, str):
            return self._engine.read_over(over)
        if not (isinstance(over, tuple) and len(over) == 2 and isinstance(over[0], str)):
            raise ValueError(f"over: expected a coordinate and its values, (\"crank.phi\", [0, 0.1]), or \"crank.phi=0:360*deg:73\"; found {over!r}")
        return over[0], [float(value) for value in _array("over", over[1])]

    def _run(
        self,
        analysis: str,
        to: Number | None,
        steps: int | None,
        times: npt.ArrayLike | None,
        start: Mapping[str, Any] | None,
        columns: str | Iterable[str],
        goals: Mapping[str, str] | None,
        events: bool,
        progress: Progress,
        tol: float = 1e-8,
        method: str = "auto",
        formulation: str = "auto",
        order: int = 0,
        over: str | tuple[str, npt.ArrayLike] | None = None,
    ) -> Run:
        held = None if over is None else self._over(over)
        if isinstance(to, str):
            to = self._engine.evaluate(to)
        if times is not None:
            if to is not None or steps is not None:
                raise ValueError("times: is in place of to and steps; found both")
            times = _array("times", times)
        if steps is not None:
            steps = whole("steps", steps)
        state = None if start is None else _state(start)
        kept = _names(columns) if columns else []
        if kept:
            known = [] if held is None else self._engine.held_columns(held[0])
            matching("column", kept, [*known, *(name for demanded in (False, True) for name, *_ in self._engine.columns(analysis, demanded))])
        wanted = _goals(goals)
        if not progress:
            return Run(self._engine.run(analysis, to, steps, times, state, kept, tol, method, formulation, order, events, wanted, held, None), self)
        end = float(times[-1]) if times is not None and len(times) else self._engine.plan()[1] if to is None else float(to)
        if held is not None:
            end = float(len(held[1]))
        with shown(progress, end, self.name or analysis, "s" if held is None else "values") as tell:
            return Run(self._engine.run(analysis, to, steps, times, state, kept, tol, method, formulation, order, events, wanted, held, tell), self)


def _overrides(parameters: Mapping[str, Number] | None) -> list[tuple[str, str]]:
    if parameters is None:
        return []
    out = []
    for name, value in parameters.items():
        if not isinstance(name, str):
            raise TypeError(f"parameters: expected names, found {name!r}")
        if isinstance(value, str):
            out.append((name, value))
            continue
        try:
            number = float(value)
        except TypeError:
            raise TypeError(f"parameter '{name}': expected a number or an expression, found {type(value).__name__}") from None
        if not math.isfinite(number):
            raise ValueError(f"parameter '{name}': expected a finite number, found {value!r}")
        out.append((name, repr(number)))
    return out


def _goals(goals: Mapping[str, str] | None) -> list[tuple[str, str]]:
    if goals is None:
        return []
    if not isinstance(goals, Mapping):
        raise TypeError(f"goals: expected a dict such as {{'stroke': 'range(piston.x)'}}, found {type(goals).__name__}")
    return [(str(name), text) for name, text in goals.items()]


def _names(names: str | Iterable[str]) -> list[str]:
    return [part for part in (p.strip() for p in names.split(",")) if part] if isinstance(names, str) else list(names)


def _array(what: str, values: npt.ArrayLike) -> Numbers:
    out = np.ascontiguousarray(values, dtype=np.float64)
    if out.ndim != 1:
        raise ValueError(f"{what}: expected a row of numbers, found an array of {out.ndim} dimensions")
    return out


def _state(state: Mapping[str, Any]) -> tuple[float, Numbers, Numbers]:
    if not isinstance(state, Mapping):
        raise TypeError(f"start: expected a state with t, q and v, found {type(state).__name__}")
    missing = [key for key in ("t", "q", "v") if key not in state]
    if missing:
        raise ValueError(f"start: expected t, q and v; {', '.join(missing)} missing")
    return float(state["t"]), _array("q", state["q"]), _array("v", state["v"])
