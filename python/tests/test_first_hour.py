"""What was in the way of somebody who met the package for the first time."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable

import numpy as np
import pytest

import jounce

Load = Callable[[str], jounce.Mechanism]

CRANK = """jounce = 1
gravity = [0, -9.81]
[ground]
points = { O = [0, 0] }
[bodies.crank]
mass = 2
inertia = 0.01
points = { O = [-0.1, 0], A = [0.1, 0] }
position = [0.1, 0]
[joints.bearing]
type = "revolute"
i = "ground.O"
j = "crank.O"
[drivers.motor]
type = "angle"
i = "ground"
j = "crank"
motion = "3*t"
[run]
analysis = "inverse"
to = 2
steps = 40
"""


def test_types_tell_what_a_model_can_be_made_of() -> None:
    # oracle: section 2 of the interface
    everything = jounce.types()
    assert {one["group"] for one in everything} == {"joint", "driver", "coupling", "loop", "force", "shape"}
    plane = {one["type"] for one in jounce.types(space="plane", group="joint")}
    assert {"revolute", "translational", "pin-in-slot", "distance", "weld", "gear", "rolling"} <= plane and "spherical" not in plane
    assert [(one["space"], one["group"]) for one in jounce.types("revolute")] == [("plane", "joint"), ("3d", "joint"), ("3d", "loop")]
    (spring,) = jounce.types("spring", space="plane")
    fields = {field["key"]: field for field in spring["fields"]}
    assert fields["i"]["required"] and "[forces.NAME]" in spring["snippet"]
    with pytest.raises(KeyError, match="no type 'revolut': did you mean 'revolute'"):
        jounce.types("revolut")
    with pytest.raises(KeyError, match="no group 'bodies': .*joint"):
        jounce.types(group="bodies")


def test_a_column_that_is_not_there_is_told_by_what_its_owner_has() -> None:
    run = jounce.loads(CRANK).run()
    with pytest.raises(jounce.UnknownName, match="no column 'crank.omega': 'crank' has x, y, phi, vx, vy, vphi") as caught:
        run["crank.omega"]
    assert isinstance(caught.value, KeyError)
    with pytest.raises(KeyError, match=r"did you mean 'crank.phi'\? 'crank' has"):
        run["crank.ph"]
    with pytest.raises(KeyError, match="no column 'carnk.*'"):
        jounce.loads(CRANK).kinematics(columns="carnk.*")
    with pytest.raises(KeyError, match="no column 'bearing.fx'"):  # kinematics has no forces
        jounce.loads(CRANK).kinematics(columns=["t", "bearing.fx"])
    assert jounce.loads(CRANK).kinematics(columns="t, crank.a*").columns == ["t", "crank.ax", "crank.ay", "crank.aphi"]


def test_what_a_simulation_has_to_say_is_a_warning_once(load: Load) -> None:
    m = load("double-pendulum")
    with pytest.warns(jounce.JounceWarning, match="tol = 1e-40 is below what rounding allows") as told:
        sim = m.simulation(tol=1e-40)
    assert told[0].filename == __file__  # where the call is, not inside the package
    assert any(p.severity == "warning" for p in sim.problems)
    assert sim.restart(m.state_at(0)) and copy.copy(sim).t == 0  # say nothing again: warnings are errors here


def test_names_of_a_state_are_those_of_its_columns(load: Load) -> None:
    # oracle: the first row of a run, whose columns are named by the interface; centres of mass where bodies have their origin there
    m = jounce.loads(CRANK)
    assert m.state_names == (["crank.x", "crank.y", "crank.phi"], ["crank.vx", "crank.vy", "crank.vphi"])
    for name in ("furuta-pendulum", "seven-joint-arm", "heavy-top"):
        m = load(name)
        q, v = m.state_names
        state = m.state_at(0)
        run = m.run(to=0.01, steps=1)
        assert len(q) == len(state["q"]) and len(v) == len(state["v"])
        assert [run[c][0] for c in q] == list(state["q"]) and [run[c][0] for c in v] == list(state["v"])


def test_a_copy_of_a_simulation_goes_its_own_way() -> None:
    m = jounce.loads(CRANK.split("[drivers")[0] + "[forces.push]\ntype = 'moment'\non = 'crank'\nvalue = 0\n")
    sim = m.simulation(tol=1e-10)
    sim.set("push.torque", np.array([2.0]))
    sim.advance(0.1)
    other = copy.deepcopy(sim)
    assert other.t == sim.t and other["crank.phi"] == pytest.approx(sim["crank.phi"], rel=1e-13)
    sim.advance(0.1)
    assert other.t == pytest.approx(0.1) and sim.t == pytest.approx(0.2)
    other.advance(0.1)  # the moment is set in the copy, too
    assert other["crank.phi"] == pytest.approx(sim["crank.phi"], rel=1e-9)
    for wrong in (np.array([1.0, 2.0]), "two", None):
        with pytest.raises(TypeError, match="push.torque: expected a number, found"):
            sim.set("push.torque", wrong)  # type: ignore[arg-type, unused-ignore]


def test_a_plot_without_columns_shows_what_the_run_is_for() -> None:
    m = jounce.loads(CRANK)
    axes = m.run().plot().axes
    assert [line.get_label() for line in axes[0].lines] == ["motor.effort"]
    assert not any(line.get_label() in ("crank.phi", "t", "ground.O.x") for axis in axes for line in axis.lines)
    assert "crank.x" in [line.get_label() for axis in m.kinematics().plot().axes for line in axis.lines]
    path = m.kinematics().plot("crank.A.y", x="crank.A.x").axes[0]
    assert path.get_aspect() == 1
    html = m.run()._repr_html_()
    head = html[html.index("<thead>") : html.index("</thead>")]
    assert "motor.effort" in head and "ground" not in head and head.index("<th>t<") < head.index("motor.effort")


def test_a_run_without_rows_says_why_it_has_no_plot() -> None:
    apart = jounce.loads(CRANK + "[bodies.rod]\npoints = { A = [0, 0], B = [0.1, 0] }\n[joints.pin]\ntype = 'revolute'\ni = 'crank.A'\nj = 'rod.A'\n"
                         "[joints.far]\ntype = 'distance'\ni = 'ground.O'\nj = 'rod.B'\nlength = 5\n[drivers.turn]\ntype = 'angle'\ni = 'ground'\nj = 'rod'\nmotion = '0'\n")
    run = apart.kinematics()
    assert len(run) == 0 and run.reason
    with pytest.raises(ValueError, match="plot: the run has no rows: .+"):
        run.plot()


def test_mistakes_of_the_first_hour_are_named() -> None:
    m = jounce.loads(CRANK)
    with pytest.raises(TypeError, match="steps: expected a whole number, found 10.5"):
        m.kinematics(to=1, steps=10.5)  # type: ignore[arg-type]
    assert len(m.kinematics(to=1, steps=10.0)) == 11  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="goals: expected a dict such as"):
        m.kinematics(goals=["max(crank.x)"])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"looks like a path: jounce.load\('press.toml'\)"):
        jounce.loads("press.toml")
    with pytest.raises(ValueError, match="r.urdf: is a robot in URDF: jounce.import_urdf"):
        jounce.load("r.urdf")
    with pytest.raises(ValueError, match="expected the path of a URDF file, found its text"):
        jounce.import_urdf("<robot name='r'><link name='base'/></robot>")
    swept = jounce.loads("jounce = 1\n[parameters]\nspeed = 3\n" + CRANK.removeprefix("jounce = 1\n").replace("3*t", "speed*t").replace("gravity = [0, -9.81]\n", ""))
    for wrong in (2.0, "2", np.float64(2)):
        with pytest.raises(TypeError, match="vary: expected several values of 'speed'"):
            jounce.sweep(swept, {"speed": wrong}, goals={"far": "max(crank.x)"})  # type: ignore[dict-item, unused-ignore]


def test_an_origin_that_is_a_list_is_one_mistake() -> None:
    model = jounce.Model(space="3d")
    model.ground(points={"O": (0, 0, 0)})
    model.body("arm", mass=1)
    model.joint("hinge", "revolute", parent="ground", child="arm", origin=(0, 0, 1))
    with pytest.raises(jounce.ModelError) as caught:
        model.build()
    assert len(caught.value.problems) == 1 and "origin" in caught.value.problems[0].message


@pytest.mark.parametrize(("package", "use"), [("pandas", jounce.Run.to_pandas), ("xarray", jounce.Run.to_xarray)])
def test_a_package_that_is_missing_is_named(package: str, use: Callable[[jounce.Run], object], monkeypatch: pytest.MonkeyPatch) -> None:
    run = jounce.loads(CRANK).run()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError, match=f"needs {package}, which is not installed: pip install {package}"):
        use(run)
