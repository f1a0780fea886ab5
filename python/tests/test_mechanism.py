"""Mechanisms as values: parameters, equality, pickling, threads."""

from __future__ import annotations

import copy
import math
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import ALL, path_of

import jounce

Load = Callable[[str], jounce.Mechanism]


def test_what_it_is(load: Load) -> None:
    m = load("quick-return")
    assert m.name == "Crank-shaper quick return"
    assert m.space == "plane" and load("stewart").space == "3d"
    assert m.parameters["crank_length"] == 0.1
    assert m.source == Path(path_of("quick-return")).read_text()
    assert m.columns() == m.run().columns
    assert "Crank-shaper" in repr(m)
    assert m.evaluate("2*crank_length + 5*mm") == pytest.approx(0.205, rel=1e-15)


def test_parameters_give_another_mechanism_and_leave_this_one(load: Load) -> None:
    # oracle: the same override at loading, and the model of the first one
    m = load("quick-return")
    longer = m.with_parameters(crank_length=0.12)
    assert longer.parameters["crank_length"] == 0.12 and m.parameters["crank_length"] == 0.1
    assert longer == jounce.load(path_of("quick-return"), set={"crank_length": 0.12})
    assert longer == m.with_parameters({"crank_length": "120*mm - 0"}).with_parameters(crank_length=0.12)
    assert m != longer and m == m.with_parameters(crank_length=0.1)
    assert hash(m.with_parameters(crank_length=0.12)) == hash(longer)
    assert {m: 1}[load("quick-return")] == 1
    with pytest.raises(jounce.ModelError, match="did you mean 'crank_length'"):
        m.with_parameters(crank_lenght=0.12)


def test_text_and_file_give_the_same(load: Load) -> None:
    assert jounce.loads(Path(path_of("four-bar")).read_text()) == load("four-bar")


def test_problems_have_places() -> None:
    with pytest.raises(jounce.ModelError) as caught:
        jounce.loads("jounce = 1\n[bodies.a]\nmas = 3\n[bodies.b]\nangel = 1\n", file="two.toml")
    first, second = caught.value.problems
    assert (first.file, first.line, first.column, first.severity) == ("two.toml", 3, 1, "error")
    assert "did you mean 'mass'" in first.message and first.hint.startswith("a body has the keys")
    assert second.line == 5 and "did you mean 'angle'" in second.message
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.problems == caught.value.problems and str(again) == str(caught.value)


def test_files_that_are_not_there() -> None:
    with pytest.raises(jounce.ModelError, match="No such file or directory"):
        jounce.load("nowhere.toml")


@pytest.mark.parametrize("name", ALL)
def test_it_travels(name: str, load: Load) -> None:
    m = load(name)
    again = pickle.loads(pickle.dumps(m))
    assert again == m and hash(again) == hash(m) and again.source == m.source
    assert again.file == m.file and again.parameters == m.parameters


def test_it_travels_with_its_tables_and_parameters(load: Load, tmp_path: Path) -> None:
    # oracle: the run here; there the folder of the model does not exist
    m = load("four-stroke-engine").with_parameters(speed="2500*rpm")
    state = tmp_path / "engine.pickle"
    state.write_bytes(pickle.dumps(m))
    there = "import pickle, sys; m = pickle.load(open(sys.argv[1], 'rb')); sys.stdout.write(m.inverse(to=0.01, steps=5).to_csv())"
    said = subprocess.run([sys.executable, "-c", there, str(state)], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert said.stdout == m.inverse(to=0.01, steps=5).to_csv()
    assert copy.copy(m) is m and copy.deepcopy(m) is m


def test_a_state_begins_a_run(load: Load) -> None:
    # oracle: the rows of the run that passes there
    m = load("quick-return")
    whole = m.kinematics(to=1, steps=4)
    state = m.state_at(0.25)
    assert state["t"] == 0.25
    later = m.kinematics(times=[0.25, 0.5], start=state)
    np.testing.assert_allclose(later["lever.jphi"], whole["lever.jphi"][1:3], rtol=1e-11)
    first = m.kinematics(to=0.5, steps=2)
    assert first.state is not None
    np.testing.assert_allclose(m.kinematics(times=[0.5, 1.0], start=first.state)["lever.phi"], whole["lever.phi"][[2, 4]], rtol=1e-12)
    # the jerk of the lever at 0.25 s, from the closed form atan2(r sin wt + d, r cos wt) in 50 digits
    assert whole["lever.jphi"][1] == pytest.approx(-3.693411351706726, rel=1e-12)


def test_times_are_taken_as_expressions_and_arrays(load: Load) -> None:
    m = load("quick-return")
    assert m.kinematics(to="2*pi/speed", steps=3).t[-1] == pytest.approx(2 * math.pi / 3, rel=1e-15)
    assert list(m.kinematics(times=np.array([0, 0.1, 0.35])).t) == [0, 0.1, 0.35]
    assert list(m.kinematics(times=(0.0,)).t) == [0.0]


def test_many_threads_at_once_get_the_bits_of_one(load: Load) -> None:
    plane, space = load("double-pendulum"), load("furuta-pendulum")
    expected = [m.dynamics(to=1, steps=20).to_csv() for m in (plane, space)]
    found: list[list[str | None]] = [[], []]

    def work(which: int) -> None:
        for _ in range(3):
            found[which].append((plane, space)[which].dynamics(to=1, steps=20).to_csv())

    threads = [threading.Thread(target=work, args=(k % 2,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[expected[0]] * 6, [expected[1]] * 6]


def test_other_threads_go_on_while_the_engine_works(load: Load) -> None:
    # oracle: a counter that only another thread moves; a call that kept the lock would see it move once, however long it takes
    m, count, done = load("double-pendulum"), [0], threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            count[0] += 1

    other = threading.Thread(target=tick)
    other.start()
    moved = 0
    for to in (100, 1000, 10000):  # a crowded machine may give the other thread no turn in a short call
        before = count[0]
        m.dynamics(to=to, steps=1000)
        moved = count[0] - before
        if moved > 3:
            break
    done.set()
    other.join()
    assert moved > 3


def test_profiles_of_cams_are_arrays(load: Load) -> None:
    profile = load("roller-cam").profile(count=360)
    assert profile["x"].shape == (360,) and profile["closed"] is True
    with pytest.raises(ValueError, match="no joint"):
        load("four-bar").profile()


def test_a_mechanism_shows_its_drawing(load: Load) -> None:
    svg = load("four-bar")._repr_svg_()
    assert svg is not None and svg.startswith("<svg")
    assert load("four-bar").draw(at=0.1, names=True, width=300) != svg
