"""Models in code: the words of the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import ALL, path_of

import jounce

Load = Callable[[str], jounce.Mechanism]

TEXT = """
jounce = 1
name = "Slider-crank"
gravity = [0, -9.81]
[parameters]
crank = 0.05
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.crank]
mass = 0.4
angle = "60*deg"
points = { O = [0, 0], A = ["crank", 0] }
shape = { type = "bar", from = "O", to = "A" }
[bodies.rod]
mass = 0.3
position = [0.025, 0.043]
angle = "-12*deg"
points = { A = [0, 0], C = [0.2, 0] }
shape = { type = "bar", from = "A", to = "C" }
[bodies.piston]
mass = 0.5
inertia = 0
position = [0.22, 0]
points = { C = [0, 0], F = [0.03, 0] }
[joints]
bearing = { type = "revolute", i = "ground.O", j = "crank.O" }
crank-pin = { type = "revolute", i = "crank.A", j = "rod.A" }
piston-pin = { type = "revolute", i = "rod.C", j = "piston.C" }
cylinder = { type = "translational", slot = ["ground.O", "ground.X"], slider = ["piston.C", "piston.F"] }
[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "100*rpm*t" }
"""


def slider_crank() -> jounce.Model:
    model = jounce.Model("Slider-crank", gravity=(0, -9.81))
    model.parameter("crank", 0.05)
    model.ground(points={"O": (0, 0), "X": (1, 0)})
    model.body("crank", mass=np.float64(0.4), angle="60*deg", points={"O": (0, 0), "A": ("crank", 0)}, shape={"type": "bar", "from": "O", "to": "A"})
    model.body("rod", mass=0.3, position=np.array([0.025, 0.043]), angle="-12*deg", points={"A": (0, 0), "C": (0.2, 0)}, shape={"type": "bar", "from": "A", "to": "C"})
    model.body("piston", mass=0.5, inertia=0, position=(0.22, 0), points={"C": (0, 0), "F": (0.03, 0)})
    model.joint("bearing", "revolute", i="ground.O", j="crank.O")
    model.joint("crank-pin", "revolute", i="crank.A", j="rod.A")
    model.joint("piston-pin", "revolute", i="rod.C", j="piston.C")
    model.joint("cylinder", "translational", slot=("ground.O", "ground.X"), slider=("piston.C", "piston.F"))
    model.driver("motor", "angle", i="ground", j="crank", motion="100*rpm*t")
    return model


def test_code_and_file_are_the_same_mechanism() -> None:
    # oracle: the file, read by the engine
    built = slider_crank().build()
    assert built == jounce.loads(TEXT)
    assert built.inverse(to=0.1, steps=3).to_csv() == jounce.loads(TEXT).inverse(to=0.1, steps=3).to_csv()
    assert jounce.Model.from_toml(TEXT) == slider_crank()
    assert jounce.Model.from_toml(slider_crank().to_toml()) == slider_crank()
    assert jounce.loads(slider_crank().to_toml()) == built


@pytest.mark.parametrize("name", ALL)
def test_every_model_comes_back_from_its_text(name: str, load: Load) -> None:
    # oracle: the model as the engine reads it; tables are looked for beside the file
    text = jounce.Model.from_toml(Path(path_of(name)).read_text()).to_toml()
    assert jounce.loads(text, file=path_of(name)) == load(name)


def test_elements_are_replaced_and_removed() -> None:
    model = slider_crank()
    model.parameter("crank", 0.06)
    assert model.build().parameters == {"crank": 0.06}
    model.measure("lift", "piston.x - crank")
    model.event("far", "lift - 0.15", direction="rising")
    model.stop("wall", "piston.x", max=10.0)
    model.plan("inverse", to=0.6, steps=30)
    run = model.build().run()
    assert run.analysis == "inverse" and len(run) == 31 and "lift" in run.columns
    for name in ("wall", "far", "lift"):
        model.remove(name)
    assert "lift" not in model.build().run().columns
    with pytest.raises(KeyError, match="did you mean 'crank-pin'"):
        model.remove("crank-pn")
    assert "3 bodies" in repr(model) and model.name == "Slider-crank"


def test_space_has_its_words() -> None:
    # oracle: a pendulum of 1 m and 1 kg, let go at the side: its angular acceleration is g
    model = jounce.Model("arm", space="3d", gravity=(0, 0, -9.81))
    model.body("arm", mass=1, com=(1, 0, 0), inertia=(0, 0, 0, 0, 0, 0))
    model.joint("shoulder", "revolute", parent="ground", child="arm", axis=(0, 1, 0), dofs=[{"damping": 0.0}])
    assert model.build().dynamics(to=0.1, steps=1)["shoulder.a1"][0] == pytest.approx(9.81, rel=1e-12)


def test_what_is_wrong_names_the_element_and_all_of_it() -> None:
    model = slider_crank()
    model.body("rod", mas=0.3, points={"A": (0, 0)})
    model.joint("bearing", "revolut", i="ground.O", j="crank.O")
    with pytest.raises(jounce.ModelError) as caught:
        model.build()
    text = str(caught.value)
    assert "body 'rod': unknown key 'mas' (did you mean 'mass'?)" in text and "did you mean 'revolute'" in text
    assert all(p.line == 0 and p.file == "" for p in caught.value.problems)
    with pytest.raises(ValueError, match="finite"):
        model.body("rod", mass=float("nan"))
    with pytest.raises(TypeError, match="rod: mass: expected a number, a text, a list or a dict, found object"):
        model.body("rod", mass=object())  # type: ignore[arg-type]
    with pytest.raises(jounce.ModelError):
        jounce.Model.from_toml("jounce = ")


def test_hostile_names_stay_names() -> None:
    # oracle: TOML of what was written, read back
    model = jounce.Model('a "name"\n[bodies.x]\\ \x7f é')
    model.parameter("weird key", 1)
    assert jounce.Model.from_toml(model.to_toml()) == model
    with pytest.raises(jounce.ModelError, match="weird key"):
        model.build()
