"""A first mechanism: a slider-crank that is built in code. What stroke has it, and what torque must its motor give?

Needs NumPy alone, and no file of the repository.
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import jounce

CRANK, ROD = 0.05, 0.20  # m


def slider_crank() -> jounce.Model:
    model = jounce.Model("Slider-crank", gravity=(0, -9.81))
    model.parameter("crank", CRANK)
    model.parameter("rod", ROD)
    model.ground(points={"O": (0, 0), "X": (1, 0)})
    model.body("crank", angle="60*deg", mass=0.4, points={"O": (0, 0), "A": ("crank", 0)}, shape={"type": "bar", "from": "O", "to": "A"})
    model.body(  # drawn by eye: assembly corrects it
        "rod", position=(0.025, 0.043), angle="-12*deg", mass=0.3, points={"A": (0, 0), "C": ("rod", 0)}, shape={"type": "bar", "from": "A", "to": "C"}
    )
    model.body("piston", position=(0.22, 0), mass=0.5, inertia=1e-4, points={"C": (0, 0), "F": (0.03, 0)})
    model.joint("bearing", "revolute", i="ground.O", j="crank.O")
    model.joint("crank-pin", "revolute", i="crank.A", j="rod.A")
    model.joint("piston-pin", "revolute", i="rod.C", j="piston.C")
    model.joint("cylinder", "translational", slot=("ground.O", "ground.X"), slider=("piston.C", "piston.F"))
    model.driver("motor", "angle", i="ground", j="crank", motion="60*deg + 100*rpm*t")
    return model


def main() -> None:
    m = slider_crank().build()
    goals = {"stroke": "range(piston.x)", "torque": "max(abs(motor.effort))", "work": "integral(motor.effort)*100*rpm"}
    run = m.inverse(to=0.6, steps=300, goals=goals).raise_for_outcome()  # 100 turns a minute: one takes 0.6 s
    stroke, torque, work = (run.goals[name] or 0.0 for name in goals)

    folder = Path(tempfile.mkdtemp(prefix="jounce-"))
    run.to_csv(folder / "slider-crank.csv")
    run.report(folder / "slider-crank.html")

    # Closed forms: a centred slider-crank strokes twice its crank, and a turn at constant speed takes no work.
    assert math.isclose(stroke, 2 * CRANK, rel_tol=1e-9), stroke
    assert abs(work) < 1e-6 * torque, work
    angle = math.pi / 3 + run.t * 100 * 2 * math.pi / 60
    along = [CRANK * math.cos(a) + math.sqrt(ROD**2 - (CRANK * math.sin(a)) ** 2) for a in angle]
    assert max(abs(run["piston.x"] - along)) < 1e-12

    print(f"{m.name}: {len(run)} rows of {len(run.columns)} columns")
    print(f"stroke       {1000 * stroke:.1f} mm, twice the crank")
    print(f"peak torque  {torque:.4f} N m")
    print(f"files        {folder / 'slider-crank.csv'}, {folder / 'slider-crank.html'}")


if __name__ == "__main__":
    main()
