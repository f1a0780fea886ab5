"""Runs: views of the engine's memory, what happened, and what becomes of them."""

from __future__ import annotations

import gc
import io
import pickle
import weakref
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import jounce

Load = Callable[[str], jounce.Mechanism]


def test_columns_are_views_that_cannot_be_changed(load: Load) -> None:
    r = load("quick-return").kinematics(to=2.1, steps=210)
    phi = r["lever.phi"]
    assert phi.dtype == np.float64 and phi.shape == (211,) and len(r) == 211
    assert not phi.flags.owndata and not phi.flags.writeable
    assert r["lever.phi"] is phi and np.shares_memory(phi, r._engine.column(r.columns.index("lever.phi")))
    with pytest.raises(ValueError, match="read-only"):
        phi[0] = 1
    assert r.unit("lever.phi") == "rad" and r.unit("t") == "s" and r.units["lever.jphi"] == "rad/s³"
    assert "lever.phi" in r and "lever.psi" not in r and list(r) == r.columns
    assert set(dict(r)) == set(r.columns)


def test_a_view_keeps_its_run_alive_and_nothing_else_does(load: Load) -> None:
    r = load("quick-return").kinematics()
    view, gone = r["lever.phi"], weakref.ref(r)
    expected = view.copy()
    del r
    gc.collect()
    assert gone() is None
    garbage = [load("quick-return").kinematics() for _ in range(5)]
    assert np.array_equal(view, expected) and len(garbage) == 5


def test_names_that_are_not_there(load: Load) -> None:
    r = load("quick-return").kinematics()
    with pytest.raises(KeyError, match="did you mean 'lever.phi'"):
        r["lever.phy"]
    with pytest.raises(KeyError, match="no column"):
        r.unit("nonsense")
    with pytest.raises(KeyError, match="no column 'nothing.*'"):
        r.plot("nothing.*")
    with pytest.raises(KeyError, match="expected a name, found 3"):
        r[3]  # type: ignore[index]
    assert r.select("lever.*phi") == ["lever.phi", "lever.vphi", "lever.aphi", "lever.jphi", "lever.sphi"]


def test_a_run_that_ends_early_has_its_rows_and_its_reason() -> None:
    # oracle: bars of 2 and 1 whose end is pushed along a slot from 2.5 on are stretched at 3
    m = jounce.Model("short rod")
    m.ground(points={"O": (0, 0), "X": (1, 0)})
    m.body("crank", angle=0.3, points={"O": (0, 0), "A": (2, 0)})
    m.joint("pin", "revolute", i="ground.O", j="crank.O")
    m.body("rod", position=(1.9, 0.6), angle=-0.8, points={"A": (0, 0), "C": (1, 0)})
    m.joint("knee", "revolute", i="crank.A", j="rod.A")
    m.joint("slot", "pin-in-slot", slot=("ground.O", "ground.X"), pin="rod.C")
    m.driver("push", "slot-distance", line=("ground.O", "ground.X"), point="rod.C", motion="2.5 + t")
    r = m.build().kinematics(to=1, steps=1000)
    assert r.outcome == "dead-point" and 0 < len(r) < 1001
    assert r.reached == pytest.approx(0.5, abs=1e-6)
    assert r.reason and r.problems
    with pytest.raises(jounce.AnalysisError) as caught:
        r.raise_for_outcome()
    assert caught.value.run is r and caught.value.outcome == "dead-point"
    assert len(pickle.loads(pickle.dumps(caught.value)).run) == len(r)


def test_events_are_told(load: Load) -> None:
    # oracle: a ball that falls from h hits the floor after sqrt(2 h / g)
    r = load("bouncing-ball").run()
    first = r.events[0]
    assert isinstance(first, jounce.Event) and first.t > 0 and first.kind == "impact" and first.impulse > 0
    assert r.raise_for_outcome() is r


@pytest.mark.parametrize("name", ["quick-return", "double-pendulum", "spring-balance", "furuta-pendulum", "bouncing-ball"])
def test_runs_travel(name: str, load: Load) -> None:
    r = load(name).run(goals={"last": "last(t)"})
    again = pickle.loads(pickle.dumps(r))
    assert again.columns == r.columns and again.units == r.units
    for column in r.columns:
        assert np.array_equal(again[column], r[column])
    assert (again.outcome, again.events, again.problems, again.statistics, again.goals) == (r.outcome, r.events, r.problems, r.statistics, r.goals)
    assert again.equilibrium == r.equilibrium and again.summary() == r.summary()
    assert again.mechanism == r.mechanism
    assert again.report() == r.report() and again.to_csv() == r.to_csv()


def test_frames_are_those_of_the_file(load: Load) -> None:
    # oracle: pandas reading the file
    r = load("four-bar").run()
    frame = r.to_pandas()
    text = r.to_csv(columns="*")
    assert text is not None
    pd.testing.assert_frame_equal(frame, pd.read_csv(io.StringIO(text)), check_dtype=False)
    assert frame.attrs["units"]["t"] == "s"
    data = r.to_xarray()
    assert np.array_equal(data["coupler.phi"], r["coupler.phi"]) and data["coupler.phi"].attrs["units"] == "rad"
    assert data.attrs["name"] == "Four-bar linkage"


def test_units_are_chosen_for_files_frames_and_figures(load: Load) -> None:
    # oracle: the columns in SI units; a metre is 1000 mm, a radian 180/pi degrees
    r = load("quick-return").kinematics()
    frame = r.to_pandas(units={"length": "mm", "angle": "deg"})
    assert np.allclose(frame["ram.x"], 1000 * r["ram.x"], rtol=1e-15)
    assert np.allclose(frame["lever.vphi"], np.degrees(r["lever.vphi"]), rtol=1e-15)
    assert frame.attrs["units"]["ram.ax"] == "mm/s²"
    assert r.unit("ram.x") == "m"
    text = r.to_csv(columns="ram.x", units="length=mm")
    assert text is not None and text.startswith("t [s],ram.x [mm]\n")
    assert r.plot("ram.x", units="length=mm").axes[0].get_ylabel() == "ram.x [mm]"
    page = r.report(units={"angle": "deg"})
    assert page is not None and '"unit":"deg"' in page and '"units"' not in (r.report() or "")
    assert not any(name.startswith("ground.") for name in (r.to_csv() or "").split("\n", 1)[0].split(","))
    assert "ground.O.x" in load("quick-return").kinematics(columns="ground.*").columns
    with pytest.raises(ValueError, match="did you mean 'length'"):
        r.to_pandas(units={"lenght": "mm"})
    with pytest.raises(TypeError, match="units: expected a dict"):
        r.to_csv(units=3)  # type: ignore[arg-type]


def test_figures_have_units_and_names(load: Load) -> None:
    r = load("quick-return").kinematics()
    figure = r.plot("lever.phi", "lever.vphi", "ram.x")
    labels = [axis.get_ylabel() for axis in figure.axes]
    assert labels == ["lever.phi [rad]", "lever.vphi [rad/s]", "ram.x [m]"]
    assert figure.axes[-1].get_xlabel() == "t [s]"
    assert len(figure.axes[0].lines[0].get_xdata()) == len(r)
    path = r.plot("crank.P.y", x="crank.P.x")
    assert path.axes[0].get_xlabel() == "crank.P.x [m]"
    together = r.plot("lever.*phi")
    assert len(together.axes) == 5
    figure.savefig(io.BytesIO(), format="png")


def test_a_notebook_shows_a_table_and_a_page_that_reaches_nothing(load: Load) -> None:
    html = load("four-bar").kinematics(to=0.1, steps=3)._repr_html_()
    assert "<table>" in html and 'sandbox="allow-scripts allow-downloads"' in html and "allow-same-origin" not in html
    few = load("four-bar").kinematics(columns="coupler.*")
    assert "<table>" in few._repr_html_() and "<iframe" not in few._repr_html_()
    with pytest.raises(ValueError, match="expected a run that keeps all"):
        few.report()


def test_equilibrium_tells_how_it_swings(load: Load) -> None:
    r = load("spring-balance").equilibrium()
    assert len(r) == 1 and r.equilibrium is not None and isinstance(r.equilibrium["stable"], bool)
    assert load("four-bar").kinematics().equilibrium is None


def test_progress_is_told_and_may_object(load: Load, capsys: pytest.CaptureFixture[str]) -> None:
    m = load("double-pendulum")
    told: list[float] = []
    m.dynamics(to=3000, steps=2000, progress=told.append)
    assert told == sorted(told) and told and told[-1] <= 3000

    def object_to_it(t: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough") as caught:
        m.dynamics(to=3000, steps=2000, progress=object_to_it)
    assert 0 < caught.value.run.rows < 2001  # type: ignore[attr-defined]
    assert m.dynamics(to=1, steps=10, progress=True).outcome == "done"
    capsys.readouterr()


def test_files_that_cannot_be_written(load: Load) -> None:
    r = load("four-bar").kinematics(to=0.1, steps=2)
    with pytest.raises(OSError, match="cannot write '/nowhere/x.csv': No such file or directory"):
        r.to_csv("/nowhere/x.csv")
    with pytest.raises(OSError, match="cannot write"):
        r.report("/nowhere/x.html")
    with pytest.raises(KeyError, match="none matches 'zzz'"):
        r.to_csv(columns="zzz")


def test_what_does_not_fit_into_memory_is_refused_before_it_is_computed(load: Load) -> None:
    with pytest.raises(MemoryError, match="keep fewer with columns="):
        load("quick-return").kinematics(steps=1_000_000_000)


def test_equilibria_over_a_coordinate(load: Load) -> None:
    # oracle: a load that hangs and a bar that turns about one end take (0.8 * 0.25 + 2 * 0.5) g cos(phi), less the spring's moment about the pivot
    m = load("spring-balance")
    r = m.equilibrium(over=("lever.phi", np.linspace(-0.5, 0.5, 11)))
    phi = r["lever.phi"]
    x, y = 0.3 * np.cos(phi), 0.3 * np.sin(phi)
    length = np.hypot(x, y - 0.4)
    spring = 200 * (length - 0.25) / length * (x * (0.4 - y) + y * x)
    assert np.allclose(r["hold.effort"], 1.2 * 9.81 * np.cos(phi) - spring, rtol=0, atol=1e-8)
    assert r.over is not None and r.over["effort"] == "hold.effort" and r.over["missing"] == [] and r.equilibrium is None
    assert r.summary()["efforts"][0]["driver"] == "hold"
    assert np.allclose(m.equilibrium(over="lever.phi=-0.5:0.5:11")["hold.effort"], r["hold.effort"], rtol=0, atol=1e-10)
    again = pickle.loads(pickle.dumps(r))
    assert again.over == r.over and again.report() == r.report()
    assert list(r.to_xarray().dims) == ["lever.phi"]


def test_values_without_an_equilibrium_are_rows_of_nan(load: Load) -> None:
    # oracle: the piston of the offset slider-crank comes to sqrt(0.25² - 0.01²) = 0.2498 m
    r = load("offset-slider-crank").equilibrium(over=("piston.x", [0.26, 0.2]), columns="hold.effort")
    assert r.outcome == "done" and np.isnan(r["hold.effort"]).tolist() == [False, True]
    assert r.over is not None and r.over["set_aside"] == ["motor"] and r.over["missing"][0]["outcome"] == "not-assembled"
    assert any(p.message.startswith("no equilibrium at piston.x = 0.26 m") for p in r.problems)
    with pytest.raises(ValueError, match="did you mean 'crank.phi'"):
        load("offset-slider-crank").equilibrium(over=("crank.ph", [1]))
    with pytest.raises(ValueError, match="over: expected a coordinate and its values"):
        load("offset-slider-crank").equilibrium(over=("crank.phi",))  # type: ignore[arg-type]
