"""Sweeps: on threads, and on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
import pytest

import jounce

Load = Callable[[str], jounce.Mechanism]
GOALS = {"stroke": "range(piston.x)", "fastest": "max(abs(piston.vx))"}


def engine() -> jounce.Mechanism:
    """A centred slider-crank at 3 rad/s."""
    from test_model import TEXT

    return jounce.loads(TEXT.replace("100*rpm*t", "3*t").replace("crank = 0.05", "crank = 0.05\nrod = 0.2").replace("C = [0.2, 0]", 'C = ["rod", 0]'))


def test_the_stroke_of_a_slider_crank_is_twice_its_crank() -> None:
    # oracle: closed forms; x = r cos a + sqrt(l² - r² sin² a), and its fastest instant on a fine grid
    m = engine()
    table = jounce.sweep(m, {"crank": np.linspace(0.04, 0.06, 5), "rod": [0.18, 0.20]}, goals=GOALS, analysis="kinematics", to="2*pi/3", steps=17)
    assert list(table.columns) == ["variant", "crank", "rod", "outcome", "stroke", "fastest"]
    assert list(table["variant"]) == list(range(10)) and set(table["outcome"]) == {"done"}
    assert list(table["crank"])[:3] == [0.04, 0.04, 0.045] and list(table["rod"])[:2] == [0.18, 0.20]
    np.testing.assert_allclose(table["stroke"], 2 * table["crank"], rtol=1e-12)
    a = np.linspace(0, 2 * np.pi, 2_000_001)
    for _, row in table.iloc[[0, 9]].iterrows():
        r, rod = row["crank"], row["rod"]
        speed = 3 * np.abs(r * np.sin(a) + r * r * np.sin(a) * np.cos(a) / np.sqrt(rod**2 - (r * np.sin(a)) ** 2))
        assert row["fastest"] == pytest.approx(speed.max(), rel=1e-11)
    assert table.attrs["units"] == {"stroke": "m", "fastest": "m/s"}


def test_workers_change_no_bit_and_a_frame_gives_the_variants() -> None:
    m, values = engine(), np.linspace(0.04, 0.06, 23)
    one = jounce.sweep(m, {"crank": values}, goals=GOALS, steps=20, workers=1)
    pd.testing.assert_frame_equal(one, jounce.sweep(m, {"crank": values}, goals=GOALS, steps=20, workers=3), check_exact=True)
    pd.testing.assert_frame_equal(one, jounce.sweep(m, pd.DataFrame({"crank": values}), goals=GOALS, steps=20), check_exact=True)


def test_a_variant_that_fails_is_a_row() -> None:
    # oracle: a rod shorter than its crank cannot turn it over
    table = jounce.sweep(engine(), {"rod": [0.2, 0.04, 0.045, 0.2]}, goals=GOALS, to=2, steps=50)
    assert list(table["outcome"])[::3] == ["done", "done"] and "done" not in list(table["outcome"])[1:3]
    assert table["stroke"].isna().tolist() == [False, True, True, False]
    assert set(table.attrs["reasons"]) == {1, 2} and table["stroke"][0] == table["stroke"][3]


def test_what_is_wrong_is_said_before_the_first_variant() -> None:
    m = engine()
    with pytest.raises(KeyError, match="did you mean 'crank'"):
        jounce.sweep(m, {"crnk": [1]}, goals=GOALS)
    with pytest.raises(ValueError, match="unknown name 'piston.q'"):
        jounce.sweep(m, {"crank": [0.05]}, goals={"a": "max(piston.q)"})
    with pytest.raises(ValueError, match="at least one value of 'crank'"):
        jounce.sweep(m, {"crank": []}, goals=GOALS)
    with pytest.raises(ValueError, match="goals: expected at least one"):
        jounce.sweep(m, {"crank": [0.05]}, goals={})
    with pytest.raises(ValueError, match="motor.effort"):
        jounce.sweep(m, {"crank": [0.05]}, goals={"a": "max(motor.effort)"}, analysis="kinematics")
    with pytest.raises(ValueError, match="workers"):
        jounce.sweep(m, {"crank": [0.05]}, goals=GOALS, workers=0)


def test_goals_of_one_run() -> None:
    # oracle: an angle of 3 t: its mean over a turn is half a turn
    r = engine().kinematics(to="2*pi/3", steps=10, goals={"turn": "last(crank.phi) - first(crank.phi)", "when": "time_of_max(piston.x)"})
    assert r.goals["turn"] == pytest.approx(2 * np.pi, rel=1e-13)
    assert r.goals["when"] == pytest.approx((2 * np.pi - np.pi / 3) / 3, abs=1e-7)
    assert engine().kinematics().goals == {}


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    import distributed

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as made:
        yield made


def test_a_cluster_gives_the_same_table_in_the_same_order_even_when_a_worker_is_lost(cluster: object) -> None:
    # oracle: the threads of this process
    import distributed

    m, vary = engine(), {"crank": np.linspace(0.04, 0.06, 40), "rod": np.linspace(0.15, 0.25, 10)}
    with distributed.Client(cluster) as client:
        here = jounce.sweep(m, vary, goals=GOALS, to=2, steps=50)
        pd.testing.assert_frame_equal(here, jounce.sweep(m, vary, goals=GOALS, to=2, steps=50, client=client), check_exact=True)

        killed: list[float] = []

        def kill_one(done: float) -> None:
            if not killed:
                killed.append(done)
                next(iter(cluster.workers.values())).process.process.kill()  # type: ignore[attr-defined]

        pd.testing.assert_frame_equal(here, jounce.sweep(m, vary, goals=GOALS, to=2, steps=50, client=client, progress=kill_one), check_exact=True)
        assert killed
        with pytest.raises(ValueError, match="unknown name"):
            jounce.sweep(m, vary, goals={"a": "max(nothing.x)"}, client=client)
