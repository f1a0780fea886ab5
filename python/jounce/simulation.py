"""A mechanism stepped from outside."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, SupportsFloat, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _engine
from ._words import real, unknown
from .errors import JounceWarning, Problem, warn
from .run import Event

if TYPE_CHECKING:
    from .mechanism import Mechanism, State

Numbers: TypeAlias = npt.NDArray[np.float64]


class Simulation:
    """Forward dynamics, a piece at a time; made by :meth:`Mechanism.simulation`.

        sim = m.simulation(tol=1e-9)
        while sim.t < 2:
            sim.set("motor.torque", -3 * sim["crank.vphi"])
            sim.advance(0.01)

    What could not be settled (a start that the joints do not allow, moved to one that they do) is a :class:`JounceWarning` and among ``problems``.
    A copy goes its own way from the same state, with the same inputs set.
    """

    __slots__ = ("_columns", "_engine", "_given", "_inputs", "_mechanism", "_options", "_told")

    def __init__(
        self,
        mechanism: Mechanism,
        *,
        tol: float = 1e-8,
        method: str = "auto",
        formulation: str = "auto",
        order: int = 0,
        start: Mapping[str, Any] | None = None,
    ) -> None:
        from .mechanism import _state

        self._mechanism = mechanism
        self._options: dict[str, Any] = {"tol": tol, "method": method, "formulation": formulation, "order": order}
        self._engine = _engine.Simulation(mechanism._engine, tol, method, formulation, order, None if start is None else _state(start))
        self._columns = {name: k for k, name in enumerate(self._engine.columns)}
        self._inputs = frozenset(self._engine.inputs)
        self._given: dict[str, float] = {}
        self._told: set[Problem] = set()
        self._tell(5)

    @property
    def mechanism(self) -> Mechanism:
        """What moves."""
        return self._mechanism

    @property
    def t(self) -> float:
        """The time that is reached."""
        return self._engine.t

    def advance(self, time: float) -> bool:
        """Moves on by a time. False where the motion could not be followed to the end: ``outcome`` says why."""
        return self._engine.advance(time)

    def set(self, input: str, value: SupportsFloat) -> None:
        """From now on a load is ``value`` instead of what the model says; ``inputs`` lists what can be set."""
        if input not in self._inputs:
            raise unknown("input", input, self._engine.inputs)
        number = real(input, value)
        if not self._engine.set(input, number):
            raise ValueError(f"{input}: expected a finite number, found {value!r}")
        self._given[input] = number

    @property
    def inputs(self) -> list[str]:
        """What can be set: components of the model's loads (``"load.fx"``, ``"motor.torque"``), and in space efforts of passive dofs (``"wrist.tau2"``)."""
        return self._engine.inputs

    def __getitem__(self, column: str) -> float:
        """A quantity now, by the name of its column."""
        try:
            value = self._engine.value(self._columns[column])
        except (KeyError, TypeError):
            raise unknown("column", column, self._columns) from None
        if value is None:
            raise ValueError(f"{column}: there is no row: {self.reason}")
        return value

    def __contains__(self, column: object) -> bool:
        return column in self._columns

    @property
    def columns(self) -> list[str]:
        """Names of what can be asked for."""
        return list(self._columns)

    def row(self) -> Numbers:
        """All quantities now, one for each column."""
        return self._engine.row()

    def values(self) -> dict[str, float]:
        """All quantities now, by the names of their columns."""
        return dict(zip(self._columns, self.row().tolist(), strict=True))

    @property
    def state(self) -> State:
        """Where it is: what ``start=`` and :meth:`restart` take."""
        t, q, v = self._engine.state
        return {"t": t, "q": q, "v": v}

    def restart(self, state: Mapping[str, Any]) -> bool:
        """Begins anew at a state, near one that the joints allow. What was :meth:`set` stays set."""
        from .mechanism import _state

        ready = self._engine.restart(_state(state))
        self._tell(4)
        return ready

    @property
    def outcome(self) -> str:
        """``"done"`` as long as it goes on."""
        return self._engine.outcome[0]

    @property
    def reason(self) -> str:
        """Why it does not go on."""
        return self._engine.outcome[2]

    @property
    def events(self) -> list[Event]:
        """What happened on the way so far."""
        return [Event(*e) for e in self._engine.events]

    @property
    def problems(self) -> list[Problem]:
        """Of the last step."""
        return [Problem(*p) for p in self._engine.problems]

    def __repr__(self) -> str:
        return f"<jounce.Simulation of {self._mechanism.name!r} at {self.t:g} s: {self.outcome}>"

    def _tell(self, level: int) -> None:
        new = [problem for problem in self.problems if problem not in self._told]
        self._told.update(new)
        warn(new, level)

    def __copy__(self) -> Simulation:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", JounceWarning)  # it was said of the original
            out = Simulation(self._mechanism, start=self.state, **self._options)
        for input, value in self._given.items():
            out.set(input, value)
        return out

    def __deepcopy__(self, memo: object) -> Simulation:
        return self.__copy__()
