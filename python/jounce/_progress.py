"""How far a long call is: tqdm's bar where it is installed, a plain line otherwise."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Progress = bool | Callable[[float], object]


@contextmanager
def shown(progress: Progress, total: float, what: str, unit: str) -> Iterator[Callable[[float], object] | None]:
    """Gives what the engine is to call with how far it is; None where nobody wants to know."""
    if callable(progress):
        yield progress
    elif not progress:
        yield None
    else:
        with _bar(total, what, unit) as tell:
            yield tell


@contextmanager
def _bar(total: float, what: str, unit: str) -> Iterator[Callable[[float], object]]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        with _plain(total, what, unit) as plainly:
            yield plainly
        return
    bar: Any = tqdm(total=total, desc=what, unit=unit, leave=False, bar_format="{desc}: {percentage:3.0f}%|{bar}| {n:.4g}/{total:.4g} {unit}")

    def tell(reached: float) -> None:
        bar.update(reached - bar.n)

    with bar:
        yield tell
        bar.update(total - bar.n)


@contextmanager
def _plain(total: float, what: str, unit: str) -> Iterator[Callable[[float], object]]:
    stream = sys.stderr

    def tell(reached: float) -> None:
        stream.write(f"\r{what}: {100 * reached / total if total else 100:3.0f}% ({reached:.4g} of {total:.4g} {unit})")
        stream.flush()

    try:
        yield tell
    finally:
        stream.write("\r" + " " * 70 + "\r")
        stream.flush()
