"""The algorithms of robotics on the tree of a mechanism of space: arrays in, arrays out.

    qdd = jounce.tree.aba(m, q, v, tau)        # accelerations that efforts give
    tau = jounce.tree.rnea(m, q, v, qdd)       # efforts that accelerations need
    h   = jounce.tree.crba(m, q)               # joint-space inertia

Each takes one state, or many along the first axis: ``q`` of shape ``(count, coordinates)``, ``v``, ``tau`` and ``qdd`` of shape
``(count, dofs)``. Many are computed several at once in each register and on all cores (``threads`` says how many); a state gets the same
numbers whatever stands beside it, to rounding. ``out=`` takes an array for the results.

The tree is the joints, masses and gravity of the model: springs, loads, prescribed motions and loops are not part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _engine

if TYPE_CHECKING:
    from .mechanism import Mechanism

Numbers: TypeAlias = npt.NDArray[np.float64]

__all__ = ["aba", "coordinates", "crba", "difference", "dofs", "hybrid", "move", "neutral", "rnea"]


def _tree(m: Mechanism) -> _engine.Tree:
    from .mechanism import Mechanism

    if not isinstance(m, Mechanism):
        raise TypeError(f"expected a jounce.Mechanism, found {type(m).__name__}")
    if m._tree is None:
        m._tree = _engine.Tree(m._engine)
    return m._tree


def _states(what: str, values: npt.ArrayLike, numbers: int) -> tuple[Numbers, bool]:
    """As rows of numbers, and whether it was one alone."""
    out = np.asarray(values, dtype=np.float64, order="C")
    if out.ndim not in (1, 2) or out.shape[-1] != numbers:
        raise ValueError(f"{what}: expected {numbers} numbers, or rows of them, found an array of shape {out.shape}")
    return (out[np.newaxis, :], True) if out.ndim == 1 else (out, False)


def _together(count: int, *arrays: Numbers) -> list[Numbers]:
    """One state beside many stands for as many of the same."""
    return [np.ascontiguousarray(np.broadcast_to(a, (count, a.shape[1]))) if len(a) == 1 < count else a for a in arrays]


def _out(out: Numbers | None, shape: tuple[int, ...]) -> Numbers:
    if out is None:
        return np.empty(shape)
    if not isinstance(out, np.ndarray) or out.dtype != np.float64 or out.shape != shape or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f"out: expected a float64 array of shape {shape}, one row after the other, that can be written")
    return out


def _threads(threads: int | None) -> int:
    if threads is None:
        return 0
    if threads < 1:
        raise ValueError(f"threads: expected 1 or more, found {threads}")
    return threads


def coordinates(m: Mechanism) -> int:
    """How many coordinates a state has: quaternions count four."""
    return _tree(m).coordinates


def dofs(m: Mechanism) -> int:
    """How many velocity variables, efforts and accelerations a state has."""
    return _tree(m).dofs


def neutral(m: Mechanism) -> Numbers:
    """The coordinates at which nothing is displaced."""
    return _tree(m).neutral()


def aba(m: Mechanism, q: npt.ArrayLike, v: npt.ArrayLike, tau: npt.ArrayLike, *, out: Numbers | None = None, threads: int | None = None) -> Numbers:
    """Forward dynamics: the accelerations that efforts give. NaN for a state with a dof that moves no inertia."""
    tree = _tree(m)
    (qs, one), (vs, _), (ts, _) = _states("q", q, tree.coordinates), _states("v", v, tree.dofs), _states("tau", tau, tree.dofs)
    count = max(len(qs), len(vs), len(ts))
    single = one and count == 1 and np.ndim(v) == 1 and np.ndim(tau) == 1
    qs, vs, ts = _together(count, qs, vs, ts)
    found = _out(out, (tree.dofs,) if single else (count, tree.dofs))
    tree.aba(qs, vs, ts, found.reshape(count, tree.dofs), _threads(threads))
    return found


def rnea(m: Mechanism, q: npt.ArrayLike, v: npt.ArrayLike, qdd: npt.ArrayLike, *, out: Numbers | None = None, threads: int | None = None) -> Numbers:
    """Inverse dynamics: the efforts that accelerations need."""
    tree = _tree(m)
    (qs, one), (vs, _), (accelerations, _) = _states("q", q, tree.coordinates), _states("v", v, tree.dofs), _states("qdd", qdd, tree.dofs)
    count = max(len(qs), len(vs), len(accelerations))
    single = one and count == 1 and np.ndim(v) == 1 and np.ndim(qdd) == 1
    qs, vs, accelerations = _together(count, qs, vs, accelerations)
    found = _out(out, (tree.dofs,) if single else (count, tree.dofs))
    tree.rnea(qs, vs, accelerations, found.reshape(count, tree.dofs), _threads(threads))
    return found


def crba(m: Mechanism, q: npt.ArrayLike, *, out: Numbers | None = None, threads: int | None = None) -> Numbers:
    """The joint-space inertia: a square matrix for each state."""
    tree = _tree(m)
    qs, one = _states("q", q, tree.coordinates)
    n = tree.dofs
    found = _out(out, (n, n) if one else (len(qs), n, n))
    tree.crba(qs, found.reshape(len(qs), n * n), _threads(threads))
    return found


def hybrid(m: Mechanism, q: npt.ArrayLike, v: npt.ArrayLike, given: npt.ArrayLike, active: npt.ArrayLike, *, threads: int | None = None) -> tuple[Numbers, Numbers]:
    """Both at once: ``given`` has the acceleration of each dof that is ``active`` and the effort of each that is not.

    Gives all accelerations and all efforts.
    """
    tree = _tree(m)
    (qs, one), (vs, _), (gs, _) = _states("q", q, tree.coordinates), _states("v", v, tree.dofs), _states("given", given, tree.dofs)
    count = max(len(qs), len(vs), len(gs))
    single = one and count == 1 and np.ndim(v) == 1 and np.ndim(given) == 1
    qs, vs, gs = _together(count, qs, vs, gs)
    flags = np.ascontiguousarray(np.asarray(active, dtype=bool), dtype=np.uint8)
    if flags.shape != (tree.dofs,):
        raise ValueError(f"active: expected {tree.dofs} flags, one for each dof, found an array of shape {flags.shape}")
    qdd, tau = np.empty((count, tree.dofs)), np.empty((count, tree.dofs))
    tree.hybrid(qs, vs, gs, flags, qdd, tau, _threads(threads))
    return (qdd[0], tau[0]) if single else (qdd, tau)


def move(m: Mechanism, q: npt.ArrayLike, way: npt.ArrayLike) -> Numbers:
    """The coordinates after moving by ``way``, a vector of velocity variables over unit time: what ``q + way`` is where there are no quaternions."""
    tree = _tree(m)
    (qs, one), (ways, _) = _states("q", q, tree.coordinates), _states("way", way, tree.dofs)
    count = max(len(qs), len(ways))
    qs, ways = _together(count, qs, ways)
    found = np.empty((count, tree.coordinates))
    tree.move(qs, ways, found)
    return found[0] if one and np.ndim(way) == 1 else found


def difference(m: Mechanism, q0: npt.ArrayLike, q1: npt.ArrayLike) -> Numbers:
    """The way from ``q0`` to ``q1`` in velocity variables: what to hand to :func:`move` to arrive."""
    tree = _tree(m)
    (a, one), (b, _) = _states("q0", q0, tree.coordinates), _states("q1", q1, tree.coordinates)
    count = max(len(a), len(b))
    a, b = _together(count, a, b)
    found = np.empty((count, tree.dofs))
    tree.difference(a, b, found)
    return found[0] if one and np.ndim(q1) == 1 else found
