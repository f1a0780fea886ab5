"""Mechanisms stepped from outside."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable

import numpy as np
import pytest

import jounce

Load = Callable[[str], jounce.Mechanism]


def pendulum() -> jounce.Mechanism:
    """1 kg at 1 m, held at the side, with a moment that can be set."""
    m = jounce.Model("pendulum", gravity=(0, -9.81))
    m.ground(points={"O": (0, 0)})
    m.body("bob", mass=1, inertia=0, position=(1, 0), points={"O": (-1, 0)})
    m.joint("pin", "revolute", i="ground.O", j="bob.O")
    m.force("motor", "moment", on="bob", value=0)
    return m.build()


def test_steps_arrive_where_a_run_arrives(load: Load) -> None:
    # oracle: the run
    for name in ("double-pendulum", "furuta-pendulum"):
        m = load(name)
        sim = m.simulation(tol=1e-10)
        for _ in range(10):
            assert sim.advance(0.05)
        run = m.dynamics(to=0.5, steps=1, tol=1e-10)
        assert sim.t == pytest.approx(0.5, rel=1e-14)
        first = next(c for c in run.columns if run.unit(c) == "rad")
        assert sim[first] == pytest.approx(run[first][-1], rel=1e-7)
        assert list(sim.values()) == sim.columns and np.array_equal(sim.row(), list(sim.values().values()))


def test_a_moment_that_is_set_holds_the_weight() -> None:
    # oracle: statics, m g l = 9.81 N m
    sim = pendulum().simulation()
    assert sim.inputs == ["motor.torque"]
    sim.set("motor.torque", 9.81)
    assert sim.advance(1) and sim["bob.phi"] == pytest.approx(0, abs=1e-12) and sim.outcome == "done"
    state = sim.state
    sim.set("motor.torque", 0.0)
    sim.advance(0.1)
    assert sim["bob.vphi"] < -0.5
    assert sim.restart(state) and sim.t == 1 and sim["bob.vphi"] == pytest.approx(0, abs=1e-12)
    assert "pendulum" in repr(sim) and sim.mechanism.name == "pendulum"


def test_names_and_values_that_do_not_work() -> None:
    sim = pendulum().simulation()
    with pytest.raises(KeyError, match="did you mean 'motor.torque'"):
        sim.set("motor.torqe", 1)
    with pytest.raises(KeyError, match="did you mean 'bob.phi'"):
        sim["bob.pih"]
    with pytest.raises(ValueError, match="expected a finite number"):
        sim.set("motor.torque", float("nan"))
    for time in (0, -1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="greater than 0"):
            sim.advance(time)
    with pytest.raises(TypeError):
        pickle.dumps(sim)


def test_threads_that_share_a_simulation_wait_for_each_other() -> None:
    # oracle: 4 threads of 25 steps of 0.01 s are 1 s
    sim = pendulum().simulation()

    def work() -> None:
        for _ in range(25):
            sim.advance(0.01)
            assert sim["bob.phi"] is not None

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sim.t == pytest.approx(1, rel=1e-12)
