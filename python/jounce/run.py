"""Runs: what an analysis gives back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from . import _engine
from ._words import UnitChoice, matching, package, path_text, units_text, unknown
from .errors import AnalysisError, Problem

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas
    import xarray

    from .mechanism import Mechanism, State

Numbers: TypeAlias = npt.NDArray[np.float64]


class Event(NamedTuple):
    """Something that happened on the way of a run."""

    t: float
    kind: str
    """"dead-point", "change-point", "impact", "stick", …; "event": one of the model's own."""
    text: str
    elements: tuple[str, ...]
    """The joints and drivers concerned, by name; of an event of the model, its own name."""
    direction: str
    """Of an event of the model: "rising" or "falling"."""
    impulse: float
    """Of an impact, in N s or N m s."""


class Run:
    """The rows of an analysis, and what it came to; made by the analyses of a :class:`Mechanism`.

    ``r["lever.phi"]`` is a column: a NumPy array that looks at the engine's memory, read only, without a copy. A notebook shows a run as
    a table and its report.
    """

    __slots__ = ("__weakref__", "_engine", "_index", "_mechanism", "_views")

    def __init__(self, engine: _engine.Run, mechanism: Mechanism | None = None) -> None:
        if not isinstance(engine, _engine.Run):
            raise TypeError("a Run is made by the analyses of a jounce.Mechanism")
        self._engine = engine
        self._mechanism = mechanism
        self._index: dict[str, int] | None = None
        self._views: dict[str, Numbers] = {}

    # ---- numbers -------------------------------------------------------------------------------------------------------

    @property
    def t(self) -> Numbers:
        """Times of the rows."""
        return self["t"]

    def __getitem__(self, column: str) -> Numbers:
        """A column by its name, read only, without a copy."""
        try:
            return self._views[column]
        except (KeyError, TypeError):
            pass
        if not isinstance(column, str) or column not in self._columns():
            raise unknown("column", column, self._columns())
        view = self._engine.column(self._columns()[column])
        self._views[column] = view
        return view

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in their order."""
        return list(self._columns())

    def __len__(self) -> int:
        """How many rows there are."""
        return self._engine.rows

    def __iter__(self) -> Iterator[str]:
        """Names of the columns, as of a data frame."""
        return iter(self.columns)

    def __contains__(self, column: object) -> bool:
        return column in self._columns()

    def keys(self) -> list[str]:
        """Names of the columns: with this, ``dict(run)`` works."""
        return self.columns

    def unit(self, column: str) -> str:
        """Of a column: ``"rad/s"``; empty where there is none, or none is known."""
        if not isinstance(column, str) or column not in self._columns():
            raise unknown("column", column, self._columns())
        return self._engine.descriptions[self._columns()[column]][0]

    @property
    def units(self) -> dict[str, str]:
        """Of all columns."""
        return {name: unit for name, (unit, _, _) in zip(self._columns(), self._engine.descriptions, strict=True)}

    def select(self, *patterns: str) -> list[str]:
        """The columns that match one of the patterns, with ``*`` for any characters: ``r.select("crank.*")``."""
        return matching("column", patterns, self.columns)

    # ---- what it came to -----------------------------------------------------------------------------------------------

    @property
    def mechanism(self) -> Mechanism:
        """What it is a run of."""
        if self._mechanism is None:
            from .mechanism import Mechanism

            self._mechanism = Mechanism(self._engine.mechanism)
        return self._mechanism

    @property
    def analysis(self) -> str:
        """``"kinematics"``, ``"inverse"``, ``"dynamics"`` or ``"equilibrium"``."""
        return self._engine.analysis

    @property
    def outcome(self) -> str:
        """``"done"``, or in one word why it ended before: ``"dead-point"``, ``"not-assembled"``, …"""
        return self._engine.outcome[0]

    @property
    def reason(self) -> str:
        """Why it ended before its end, as a sentence; empty where it did not."""
        return self._engine.outcome[2]

    @property
    def reached(self) -> float:
        """How far it came, in seconds."""
        return self._engine.outcome[1]

    def raise_for_outcome(self) -> Run:
        """Raises :class:`AnalysisError` unless the outcome is ``"done"``; gives the run itself, so that calls can be chained."""
        outcome, _, reason, _ = self._engine.outcome
        if outcome != "done":
            raise AnalysisError(outcome, reason, self)
        return self

    @property
    def events(self) -> list[Event]:
        """What happened on the way."""
        return [Event(*e) for e in self._engine.events]

    @property
    def problems(self) -> list[Problem]:
        """Warnings, and what ended it."""
        return [Problem(*p) for p in self._engine.problems]

    @property
    def statistics(self) -> dict[str, Any]:
        """Samples, steps, residuals: what it took."""
        return cast("dict[str, Any]", self._engine.statistics)

    @property
    def goals(self) -> dict[str, float | None]:
        """Values of the goals that were asked for; None where one has none."""
        return {name: value for name, value, _ in self._engine.goals}

    @property
    def not_unique(self) -> list[str]:
        """Joints whose reactions are not unique: the smallest are reported."""
        return self._engine.not_unique

    @property
    def state(self) -> State | None:
        """At the last row: what ``start=`` takes to go on from there."""
        state = self._engine.state
        return None if state is None else {"t": state[0], "q": state[1], "v": state[2]}

    @property
    def equilibrium(self) -> dict[str, Any] | None:
        """Of an equilibrium: stability, natural frequencies and modes."""
        return cast("dict[str, Any] | None", self._engine.rest)

    @property
    def over(self) -> dict[str, Any] | None:
        """Of an equilibrium over a coordinate: ``coordinate``, ``effort`` (the column of what it takes to hold it), what was ``set_aside``, and which
        values are ``missing``, with why; their rows are NaN."""
        return cast("dict[str, Any] | None", self._engine.over)

    def summary(self) -> dict[str, Any]:
        """Ranges of the drivers, fastest points, efforts, largest forces in joints: as ``--json`` has them.

        Peaks are the largest of the rows; goals (``goals={"peak": "max(abs(motor.effort))"}``) find them between rows, too.
        """
        return cast("dict[str, Any]", self._engine.summary())

    # ---- to take along ---------------------------------------------------------------------------------------------------

    def to_csv(self, path: str | os.PathLike[str] | None = None, *, columns: str | Iterable[str] = (), units: UnitChoice = None) -> str | None:
        """Writes the file that the command line writes, byte for byte; without a path, gives its text.

        Points of the ground, which stand still, are left out unless ``columns`` asks for them. ``units={"length": "mm", "angle": "deg"}``, or
        ``"length=mm,angle=deg"``, as ``--units`` has it; left out: what the model's ``[units]`` says, else SI units.
        """
        kept = [columns] if isinstance(columns, str) else list(columns)
        if path is None:
            return self._engine.csv(kept, units_text(units))
        self._engine.write_csv(path_text(path), kept, units_text(units))
        return None

    def to_arrow(self, path: str | os.PathLike[str], *, columns: str | Iterable[str] = (), units: UnitChoice = None) -> None:
        """Writes the Arrow file (Feather) that the command line writes, byte for byte: for large runs, and for other programs.

        ``pyarrow.feather.read_table(path)`` and ``pandas.read_feather(path)`` read it; each field has its unit in its metadata.
        ``columns`` and ``units`` as of :meth:`to_csv`.
        """
        self._engine.write_arrow(path_text(path), [columns] if isinstance(columns, str) else list(columns), units_text(units))

    def report(self, path: str | os.PathLike[str] | None = None, *, units: UnitChoice = None) -> str | None:
        """Writes the page that the command line writes, byte for byte; without a path, gives its text.

        Needs a run that keeps all columns. ``units`` as of :meth:`to_csv`.
        """
        page = self._engine.html(units_text(units))
        if path is None:
            return page
        _engine.write_text(path_text(path), page)
        return None

    def to_pandas(self, *, units: UnitChoice = None) -> pandas.DataFrame:
        """A data frame of all columns; units are in its ``attrs["units"]``: SI units, or those that are asked for, ``units={"length": "mm"}``."""
        pd = package("pandas", "to_pandas")
        shown = self._shown(units)
        frame: pandas.DataFrame = pd.DataFrame({name: self[name] * factor if factor != 1 else self[name] for name, (_, factor) in shown.items()})
        frame.attrs["units"] = {name: unit for name, (unit, _) in shown.items()}
        return frame

    def to_xarray(self) -> xarray.Dataset:
        """A dataset over ``t``, with units; of an equilibrium over a coordinate, over that."""
        xr = package("xarray", "to_xarray")
        units = self.units
        along = self._along()
        variables = {name: (along, self[name], {"units": units[name]}) for name in self._columns() if name not in ("t", along)}
        return cast("xarray.Dataset", xr.Dataset(variables, coords={along: (along, self[along], {"units": units[along]})}, attrs={"name": self.mechanism.name, "analysis": self.analysis}))

    def plot(self, *columns: str, x: str | None = None, title: str | None = None, figsize: tuple[float, float] | None = None, units: UnitChoice = None) -> matplotlib.figure.Figure:
        """A matplotlib figure of columns by name or pattern (``r.plot("lever.phi", "motor.*")``), a panel for each unit.

        Without columns: the efforts of an inverse run, else how fast the bodies move that no driver moves. ``x`` is any column: a path is
        ``r.plot("rod.P.y", x="rod.P.x")``, with both axes to one scale. ``units={"length": "mm"}`` chooses what the axes are in.
        """
        from ._figures import plot

        return plot(self, columns, self._along() if x is None else x, title, figsize, self._shown(units))

    # ---- as Python sees it -------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        outcome, t, _, _ = self._engine.outcome
        how = outcome if outcome == "done" else f"{outcome} at {t:g} s"
        return f"<jounce.Run {self.analysis} of {self._engine.mechanism.name!r}: {how}, {len(self)} rows, {len(self._columns())} columns>"

    def _repr_html_(self) -> str:
        from ._figures import run_html

        return run_html(self)

    def __reduce__(self) -> tuple[type[Run], tuple[_engine.Run]]:
        return Run, (self._engine,)

    def _shown(self, units: UnitChoice) -> dict[str, tuple[str, float]]:
        """Unit and factor of each column, in SI units where nothing is asked for."""
        return dict(zip(self._columns(), self._engine.shown(units_text(units) or "si"), strict=True))

    def _along(self) -> str:
        over = self._engine.over
        return "t" if over is None else str(over["coordinate"])

    def _columns(self) -> dict[str, int]:
        if self._index is None:
            self._index = {name: k for k, name in enumerate(self._engine.columns)}
        return self._index
