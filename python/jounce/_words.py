"""Names that are not there, and the ones that were meant."""

from __future__ import annotations

import os
from collections.abc import Iterable

from . import _engine


def path_text(path: str | os.PathLike[str]) -> str:
    """A path as the engine takes it; one that the system would cut short is refused, as ``open`` does."""
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError("path: embedded null character")
    return text


class UnknownName(KeyError):
    """A KeyError whose text is a sentence, not a quoted key."""

    def __str__(self) -> str:
        return str(self.args[0])


def unknown(what: str, name: object, known: Iterable[str], listed: int = 12) -> UnknownName:
    """A KeyError that says what there is, with the nearest name."""
    names = list(known)
    if not isinstance(name, str):
        return UnknownName(f"{what}: expected a name, found {name!r}")
    guess = _engine.nearest_name(name, names)
    some = ", ".join(names[:listed]) + (f" and {len(names) - listed} more" if len(names) > listed else "")
    meant = f"did you mean '{guess}'?" if guess else f"there are {some or 'none'}"
    return UnknownName(f"no {what} '{name}': {meant}")
