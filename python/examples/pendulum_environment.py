"""An environment for learning: a pendulum whose motor is too weak to lift it at once, so that it has to be swung up.

The interface is that of Gymnasium, which is used where it is installed and not needed. ``main`` swings the pendulum up with a controller that
knows its energy.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import jounce

Observation = npt.NDArray[np.float64]
Info = dict[str, Any]

if TYPE_CHECKING:

    class _Env:
        """What is used of gymnasium.Env."""

        def reset(self, *, seed: int | None = None, options: Info | None = None) -> Any: ...

else:
    try:
        from gymnasium import Env as _Env
    except ImportError:
        _Env = object

MASS, LENGTH, GRAVITY = 1.0, 1.0, 9.81
LARGEST = 3.0  # N m; holding it level takes 9.81


def pendulum() -> jounce.Mechanism:
    """A weight on a rod without mass; phi is 0 where it stands upright, and counts on from turn to turn."""
    model = jounce.Model("Pendulum", gravity=(0, -GRAVITY))
    model.ground(points={"O": (0, 0)})
    model.body("bob", mass=MASS, inertia=0, position=(0, -LENGTH), angle="pi", points={"O": (0, -LENGTH)})
    model.joint("pin", "revolute", i="ground.O", j="bob.O")
    model.force("motor", "moment", on="bob", value=0)
    return model.build()


class PendulumEnvironment(_Env):
    """Observation: cosine and sine of the angle from upright, and the rate. Action: the torque in N m, at most 3 either way."""

    def __init__(self, step_time: float = 0.05, steps: int = 400) -> None:
        self.step_time = step_time
        self.steps = steps
        self._simulation = pendulum().simulation(tol=1e-8)
        self._hanging = self._simulation.state
        self._random = np.random.default_rng()
        self._taken = 0
        try:
            from gymnasium import spaces
        except ImportError:
            return
        most = np.array([1.0, 1.0, np.inf])
        self.observation_space = spaces.Box(-most, most, dtype=np.float64)
        self.action_space = spaces.Box(-LARGEST, LARGEST, (1,), dtype=np.float64)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Observation, Info]:
        """Hanging, with a little swing that depends on the seed."""
        if _Env is not object:
            super().reset(seed=seed)
        if seed is not None:
            self._random = np.random.default_rng(seed)
        rate = self._random.uniform(-0.1, 0.1)
        v = np.array([rate * LENGTH, 0.0, rate])  # vx, vy and spin of the bob, which hangs below the pin
        self._simulation.set("motor.torque", 0.0)
        if not self._simulation.restart({"t": 0.0, "q": self._hanging["q"], "v": v}):
            raise RuntimeError(self._simulation.reason)
        self._taken = 0
        return self._observe(), {}

    def step(self, action: float | npt.ArrayLike) -> tuple[Observation, float, bool, bool, Info]:
        """Holds a torque for ``step_time``. The reward is 0 upright and at rest, else less."""
        torque = float(np.clip(np.asarray(action, dtype=np.float64).ravel()[0], -LARGEST, LARGEST))
        self._simulation.set("motor.torque", torque)
        failed = not self._simulation.advance(self.step_time)
        self._taken += 1
        observation = self._observe()
        lean = math.atan2(observation[1], observation[0])
        reward = -(lean**2 + 0.1 * float(observation[2]) ** 2 + 0.001 * torque**2)
        return observation, reward, failed, self._taken >= self.steps, {"t": self._simulation.t, "outcome": self._simulation.outcome}

    def _observe(self) -> Observation:
        phi = self._simulation["bob.phi"]
        return np.array([math.cos(phi), math.sin(phi), self._simulation["bob.vphi"]])


def controller(observation: Observation) -> float:
    """Brings the energy to that of standing upright, then holds."""
    cos, sin, rate = (float(number) for number in observation)
    lean = math.atan2(sin, cos)
    if abs(lean) < 0.25 and abs(rate) < 1.5:
        return -20 * lean - 6 * rate
    energy = MASS * (LENGTH * rate) ** 2 / 2 + MASS * GRAVITY * LENGTH * (cos - 1)  # 0 upright and at rest
    return LARGEST * math.copysign(1, -energy * rate)


def main() -> None:
    environment = PendulumEnvironment()
    observation, _ = environment.reset(seed=1)
    total, upright, ended = 0.0, math.inf, False
    while not ended:
        observation, reward, terminated, truncated, info = environment.step(controller(observation))
        total += reward
        ended = terminated or truncated
        if observation[0] < 0.99:
            upright = math.inf
        elif upright == math.inf:
            upright = info["t"]
    assert upright < info["t"], "it does not stand"
    print(f"{environment.steps} steps, {info['t']:.1f} s: upright from {upright:.2f} s on, total reward {total:.1f}")


if __name__ == "__main__":
    main()
