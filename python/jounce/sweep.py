"""Many variants of one mechanism: on the threads of this machine, or on a cluster."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _engine
from ._progress import Progress, shown
from ._words import package, unknown, whole
from .mechanism import Mechanism, Number, _goals

if TYPE_CHECKING:
    import distributed
    import pandas

Numbers: TypeAlias = npt.NDArray[np.float64]

_PIECE = 0.25  # seconds that a piece of work on a cluster takes: much more than handing it over, much less than all
_PIECES = 4  # at least so many for each thread of the cluster, so that none waits long for the last
_TRIED = 4  # variants that tell how long one takes


class _Plan(NamedTuple):
    """What is done with each variant."""

    names: list[str]
    analysis: str
    to: float | None
    steps: int | None
    tol: float
    method: str
    formulation: str
    goals: list[tuple[str, str]]


_Found: TypeAlias = tuple[Numbers, list[str], list[str], list[str]]
"""Goals of each variant, outcomes, why one is not done, and units of the goals."""


def sweep(
    m: Mechanism,
    vary: Mapping[str, Iterable[Number]] | pandas.DataFrame,
    *,
    goals: Mapping[str, str],
    analysis: str | None = None,
    to: Number | None = None,
    steps: int | None = None,
    tol: float = 1e-8,
    method: str = "auto",
    formulation: str = "auto",
    workers: int | None = None,
    client: distributed.Client | None = None,
    progress: Progress = False,
) -> pandas.DataFrame:
    """Runs every combination of parameters and gives a data frame with a row for each.

        jounce.sweep(m, {"crank": np.linspace(.04, .06, 21), "rod": [.18, .20]}, goals={"stroke": "range(piston.x)"},
                     analysis="kinematics", to=0.6, steps=300)

    ``vary``: values for each parameter, all combinations, the last varying fastest; or a data frame with a column for each parameter and a row
    for each variant. ``goals``: numbers of a run by name: max, min, mean, rms, range, first, last, integral, at(expression, T),
    time_of_max, time_of_min of any expression over the columns, and what can be computed from these. Extremes are those of the motion, located
    between samples. ``analysis``, ``to``, ``steps``: what ``[run]`` says, where left out.

    ``workers``: how many threads of this machine, all where left out. ``client``: a Dask client; the work is then done by its cluster, and the
    table is the same, in the same order.

    Columns: ``variant``, the parameters, ``outcome``, the goals; units are in ``attrs["units"]``, and ``attrs["reasons"]`` says why variants
    are not done, by their number. A variant that fails is a row with its outcome and NaN goals, never an end of the sweep.
    """
    if not isinstance(m, Mechanism):
        raise TypeError(f"expected a jounce.Mechanism, found {type(m).__name__}")
    names, values = _variants(m, vary)
    if not goals:
        raise ValueError("goals: expected at least one, such as {'stroke': 'range(piston.x)'}")
    plan = _Plan(
        names,
        m._planned(analysis),
        m.evaluate(to) if isinstance(to, str) else None if to is None else float(to),
        None if steps is None else whole("steps", steps),
        tol,
        method,
        formulation,
        _goals(goals),
    )
    with shown(progress, len(values), m.name or "sweep", "variants") as tell:
        if client is None:
            found = _run(m, plan, values, _workers(workers), tell)
        else:
            found = _run_on_cluster(client, m, plan, values, tell)
    return _frame(plan, values, found)


def _workers(workers: int | None) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if workers is None:
        return cores
    if workers < 1:
        raise ValueError(f"workers: expected 1 or more, found {workers}")
    return min(int(workers), 4 * cores)  # more only get in each other's way


def _variants(m: Mechanism, vary: Mapping[str, Iterable[Number]] | pandas.DataFrame) -> tuple[list[str], Numbers]:
    """Names of the parameters, and a row of values for each variant."""
    known = m.parameters
    frame = not isinstance(vary, Mapping)
    if frame and not hasattr(vary, "columns"):
        raise TypeError(f"vary: expected a dict of values for each parameter, or a data frame, found {type(vary).__name__}")
    table: Any = vary
    columns: dict[str, list[Any]] = {str(name): _several(str(name), table[name]) for name in table}
    if not columns:
        raise ValueError("vary: expected at least one parameter")
    numbers: dict[str, list[float]] = {}
    for name, values in columns.items():
        if name not in known:
            raise unknown("parameter", name, known)
        if not values:
            raise ValueError(f"vary: expected at least one value of '{name}', found none")
        numbers[name] = [m.evaluate(v) if isinstance(v, str) else float(v) for v in values]
    rows = zip(*numbers.values(), strict=True) if frame else itertools.product(*numbers.values())
    out = np.array(list(rows), dtype=np.float64)
    if not np.isfinite(out).all():
        raise ValueError("vary: expected finite numbers")
    return list(columns), out


def _several(name: str, values: Any) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable) or np.ndim(values) != 1:  # type: ignore[arg-type]
        raise TypeError(f"vary: expected several values of '{name}', such as [0.04, 0.05], found {values!r}")
    return list(values)


def _run(m: Mechanism, plan: _Plan, values: Numbers, threads: int, tell: Any = None) -> _Found:
    return _engine.sweep(
        m._engine, plan.names, values, plan.analysis, plan.to, plan.steps, plan.tol, plan.method, plan.formulation, plan.goals, threads, tell
    )


def _piece(m: Mechanism, plan: _Plan, values: Numbers) -> _Found:
    """What a worker of the cluster does: one thread, since the cluster has its own."""
    return _run(m, plan, values, 1)


def _run_on_cluster(client: Any, m: Mechanism, plan: _Plan, values: Numbers, tell: Any) -> _Found:
    """In pieces that keep workers busy. The mechanism goes with each piece, so that nothing is lost with a worker; Dask gives its pieces to others."""
    as_completed: Any = package("distributed", "a sweep on a cluster").as_completed

    first = values[:_TRIED]
    begin = time.perf_counter()
    pieces: list[_Found | None] = [_run(m, plan, first, 1)]  # a mistake is told here, at once
    seconds = max((time.perf_counter() - begin) / len(first), 1e-6)
    rest = values[_TRIED:]
    threads = max(1, sum(client.nthreads().values()))
    size = max(1, min(int(_PIECE / seconds), -(-len(rest) // (_PIECES * threads))))
    work = [rest[k : k + size] for k in range(0, len(rest), size)]
    futures = [client.submit(_piece, m, plan, piece, pure=False) for piece in work]
    places = {future.key: k for k, future in enumerate(futures)}
    pieces += [None] * len(futures)
    done = len(first)
    try:
        for future, result in as_completed(futures, with_results=True):
            pieces[places[future.key] + 1] = result
            done += len(work[places[future.key]])
            if tell is not None:
                tell(done)
    except BaseException:
        client.cancel(futures)
        raise
    found = [piece for piece in pieces if piece is not None]
    return (
        np.concatenate([piece[0] for piece in found]),
        [word for piece in found for word in piece[1]],
        [reason for piece in found for reason in piece[2]],
        found[0][3],
    )


def _frame(plan: _Plan, values: Numbers, found: _Found) -> pandas.DataFrame:
    pd = package("pandas", "a table of variants")
    numbers, outcomes, reasons, units = found
    columns: dict[str, Any] = {"variant": np.arange(len(values))}
    for k, name in enumerate(plan.names):
        columns[name] = values[:, k]
    columns["outcome"] = outcomes
    for k, (name, _) in enumerate(plan.goals):
        columns[name] = numbers[:, k]
    frame: pandas.DataFrame = pd.DataFrame(columns)
    frame.attrs["units"] = {name: unit for (name, _), unit in zip(plan.goals, units, strict=True)}
    frame.attrs["reasons"] = {k: reason for k, reason in enumerate(reasons) if reason}
    return frame
