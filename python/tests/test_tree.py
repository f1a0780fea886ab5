"""The algorithms for trees of links on arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import jounce
from jounce import tree

Load = Callable[[str], jounce.Mechanism]
ARM, SWIMMER = "seven-joint-arm", "six-link-swimmer"


def states(m: jounce.Mechanism, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    chance = np.random.default_rng(7)
    way = chance.uniform(-1, 1, (count, tree.dofs(m)))
    return tree.move(m, tree.neutral(m), way), chance.uniform(-2, 2, (count, tree.dofs(m))), chance.uniform(-5, 5, (count, tree.dofs(m)))


@pytest.mark.parametrize("name", [ARM, SWIMMER])
def test_they_undo_each_other(name: str, load: Load) -> None:
    # oracle: tau = H qdd + C both ways, and H from rnea at unit accelerations
    m = load(name)
    q, v, tau = states(m, 203)
    qdd = tree.aba(m, q, v, tau)
    np.testing.assert_allclose(tree.rnea(m, q, v, qdd), tau, rtol=1e-9, atol=1e-9)
    h = tree.crba(m, q)
    bias = tree.rnea(m, q, v, np.zeros(tree.dofs(m)))
    np.testing.assert_allclose(np.einsum("sij,sj->si", h, qdd) + bias, tau, rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(h, np.swapaxes(h, 1, 2), rtol=0, atol=1e-12)


def test_hybrid_is_both_at_once(load: Load) -> None:
    m = load(ARM)
    q, v, tau = states(m, 11)
    qdd = tree.aba(m, q, v, tau)
    active = np.array([True, False] * 3 + [True])
    accelerations, efforts = tree.hybrid(m, q, v, np.where(active, qdd, tau), active)
    np.testing.assert_allclose(accelerations, qdd, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(efforts, tau, rtol=1e-9, atol=1e-9)


def test_one_state_and_many_and_shapes(load: Load) -> None:
    m = load(ARM)
    q, v, tau = states(m, 130)
    many = tree.aba(m, q, v, tau)
    alone = tree.aba(m, q[5], v[5], tau[5])
    assert alone.shape == (7,) and tree.crba(m, q[5]).shape == (7, 7) and tree.crba(m, q).shape == (130, 7, 7)
    np.testing.assert_allclose(alone, many[5], rtol=1e-12)
    np.testing.assert_array_equal(tree.aba(m, q, v, tau, threads=1), tree.aba(m, q, v, tau, threads=2))
    np.testing.assert_array_equal(tree.aba(m, np.asfortranarray(q), v[::1], tau.tolist()), many)
    out = np.empty_like(many)
    assert tree.aba(m, q, v, tau, out=out) is out and np.array_equal(out, many)
    assert tree.aba(m, q[:0], v[:0], tau[:0]).shape == (0, 7)


def test_ways_between_coordinates(load: Load) -> None:
    m = load(SWIMMER)
    q, v, _ = states(m, 5)
    np.testing.assert_allclose(tree.move(m, q, tree.difference(m, q, q[::-1].copy())), q[::-1] * np.sign(np.ones_like(q)), atol=1e-12)


def test_what_does_not_fit_is_said(load: Load) -> None:
    m = load(ARM)
    q, v, tau = states(m, 4)
    with pytest.raises(ValueError, match="q: expected 7 numbers"):
        tree.aba(m, q[:, :6], v, tau)
    with pytest.raises(ValueError, match="v: expected as many states"):
        tree.aba(m, q, v[:3], tau)
    with pytest.raises(ValueError, match="out: expected a float64 array"):
        tree.aba(m, q, v, tau, out=np.empty((4, 6)))
    with pytest.raises(ValueError, match="of the plane"):
        tree.aba(load("four-bar"), q, v, tau)
    with pytest.raises(ValueError, match="active: expected 7 flags"):
        tree.hybrid(m, q, v, tau, [True])
    with pytest.raises(ValueError, match="threads"):
        tree.aba(m, q, v, tau, threads=0)
    with pytest.raises(TypeError, match="expected a jounce.Mechanism"):
        tree.dofs("arm")  # type: ignore[arg-type]
    assert np.isnan(tree.aba(m, q * np.nan, v, tau)).all()
