"""Names that are not there, and the ones that were meant."""

from __future__ import annotations

import importlib
import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

import numpy as np

from . import _engine


def path_text(path: str | os.PathLike[str]) -> str:
    """A path as the engine takes it; one that the system would cut short is refused, as ``open`` does."""
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError("path: embedded null character")
    return text


UnitChoice: TypeAlias = str | Mapping[str, str] | None
"""Units of the user's choice: "length=mm,angle=deg", {"length": "mm"}, "si", or None for what is usual."""


def units_text(units: UnitChoice) -> str | None:
    """Units as the engine takes them."""
    if units is None or isinstance(units, str):
        return units
    if not isinstance(units, Mapping):
        raise TypeError(f"units: expected a dict such as {{'length': 'mm'}}, or 'length=mm', found {units!r}")
    return ",".join(f"{quantity}={unit}" for quantity, unit in units.items()) or None


class UnknownName(KeyError):
    """A KeyError whose text is a sentence, not a quoted key."""

    def __str__(self) -> str:
        return str(self.args[0])


def unknown(what: str, name: object, known: Iterable[str], listed: int = 12) -> UnknownName:
    """A KeyError that says what there is, with the nearest name; where the element before the dot exists, what it has."""
    names = list(known)
    if not isinstance(name, str):
        return UnknownName(f"{what}: expected a name, found {name!r}")
    owner, dot, _ = name.rpartition(".")
    own = [other for other in names if dot and other.startswith(owner + ".")]
    guess = _engine.nearest_name(name, own or names)
    if own:
        has = f"'{owner}' has {_some([other[len(owner) + 1 :] for other in own], 2 * listed)}"
        return UnknownName(f"no {what} '{name}': " + (f"did you mean '{guess}'? {has}" if guess else has))
    meant = f"did you mean '{guess}'?" if guess else f"there are {_some(names, listed) or 'none'}"
    return UnknownName(f"no {what} '{name}': {meant}")


def _some(names: list[str], listed: int) -> str:
    return ", ".join(names[:listed]) + (f" and {len(names) - listed} more" if len(names) > listed else "")


def matching(what: str, patterns: Iterable[str], known: Sequence[str]) -> list[str]:
    """The names that match one of the patterns, with ``*`` for any characters; a pattern that matches none is a mistake."""
    wanted = [part.strip() for pattern in patterns for part in pattern.split(",") if part.strip()]
    for pattern in wanted:
        if not any(fnmatchcase(name, pattern) for name in known):
            raise unknown(what, pattern, known)
    return [name for name in known if any(fnmatchcase(name, pattern) for pattern in wanted)]


def whole(what: str, value: object) -> int:
    """A count: 10, or 10.0; 10.5 and words are refused in words."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        if not isinstance(value, float) or not value.is_integer():
            raise TypeError(f"{what}: expected a whole number, found {value!r}") from None
        number = int(value)
    return number


def real(what: str, value: object) -> float:
    """A number, also as NumPy hands one out: 2, np.float64(2), np.array([2.])."""
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.item()
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise TypeError(f"{what}: expected a number, found {value!r}") from None


def package(name: str, why: str) -> Any:
    """A package that is needed for one thing only."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        raise ModuleNotFoundError(f"{why} needs {name}, which is not installed: pip install {name}", name=name) from None
