"""What can be wrong, as data and as exceptions."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .run import Run


class Problem(NamedTuple):
    """Something wrong in a model or a run: what was expected, what was found, and where."""

    file: str
    """Empty where the problem is in no file."""
    line: int
    """Counted from 1; 0 means no particular place. So is the column."""
    column: int
    severity: str
    """"error", "warning" or "note"."""
    message: str
    hint: str

    def __str__(self) -> str:
        """As the command line prints it."""
        place = f"{self.file}:" if self.file else ""
        if self.line > 0:
            place += f"{self.line}:{self.column}:"
        text = f"{place}{' ' if place else ''}{self.severity}: {self.message}"
        return text + (f"\n  hint: {self.hint}" if self.hint else "")


class ModelError(ValueError):
    """A model that cannot be built. ``problems`` has all that is wrong with it, each with its place."""

    def __init__(self, problems: Iterable[tuple[str, int, int, str, str, str]]) -> None:
        self.problems: list[Problem] = [Problem(*p) for p in problems]
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[ModelError], tuple[list[Problem]]]:
        return type(self), (self.problems,)


class AnalysisError(RuntimeError):
    """An analysis that ended before its end: what :meth:`jounce.Run.raise_for_outcome` raises. ``run`` has the rows up to there."""

    def __init__(self, outcome: str, reason: str, run: Run | None = None) -> None:
        self.outcome = outcome
        self.reason = reason
        self.run = run
        super().__init__(f"{outcome}: {reason}" if reason else outcome)

    def __reduce__(self) -> tuple[type[AnalysisError], tuple[str, str, Run | None]]:
        return type(self), (self.outcome, self.reason, self.run)


class JounceWarning(UserWarning):
    """Something of a model or a run that is probably not meant, said where there is no other place for it."""


def warn(problems: Iterable[Problem], level: int) -> None:
    """What is no error and must not be lost."""
    for problem in problems:
        if problem.severity == "warning":
            warnings.warn(str(problem), JounceWarning, stacklevel=level)
