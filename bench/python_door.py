"""What the door to Python costs: ./dev bench python. C++ (jounce_bench door) and Python are measured in turns, in one run; best of several.

Pinocchio and MuJoCo take part where they are installed beside the package (pip install pin mujoco): in a Python loop, as their users call them.
"""

from __future__ import annotations

import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np

import jounce

ROOT = Path(__file__).resolve().parent.parent
STATES, LOOPED, TURNS = 100_000, 5_000, 5


def best(work: Callable[[], object], passes: int = 5) -> float:
    """Seconds of the quickest of a few passes."""
    times = []
    for _ in range(passes):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def in_turn(m: jounce.Mechanism, times: np.ndarray, calls: int) -> None:
    for _ in range(calls):
        m.kinematics(times=times)  # kept, the runs would cost fresh memory, which C++ does not pay for


def of_cpp(program: str) -> tuple[float, float]:
    """Seconds of a call with one sample, and of the batch."""
    lines = subprocess.run([program, "door"], capture_output=True, text=True, check=True).stdout.splitlines()
    return float(lines[0].split()[-2]) * 1e-6, float(lines[1].split()[-2]) * 1e-3


def rotation(rpy: list[float]) -> np.ndarray:
    (a, b, c), (x, y, z) = np.cos(rpy), np.sin(rpy)
    return np.array([[c * b, c * y * x - z * a, c * y * a + z * x], [z * b, z * y * x + c * a, z * y * a - c * x], [-y, b * x, b * a]])


def arm() -> list[dict[str, np.ndarray]]:
    """The links of the seven-joint arm, from its file, whose numbers are plain but for expressions that the engine evaluates."""
    text = (ROOT / "models/seven-joint-arm/model.toml").read_text()
    model, m = tomllib.loads(text), jounce.loads(text)

    def numbers(values: list[object]) -> list[float]:
        return [m.evaluate(v) if isinstance(v, str) else float(v) for v in values]  # type: ignore[arg-type]

    out = []
    for joint in model["joints"].values():
        body, origin = model["bodies"][joint["child"]], joint.get("origin", {})
        xx, yy, zz, xy, xz, yz = numbers(body["inertia"])
        out.append(
            {
                "at": np.array(numbers(origin.get("xyz", [0, 0, 0]))),
                "turned": rotation(numbers(origin.get("rpy", [0, 0, 0]))),
                "axis": np.array(numbers(joint.get("axis", [0, 0, 1]))),
                "mass": np.array(numbers([body["mass"]])[0]),
                "com": np.array(numbers(body.get("com", [0, 0, 0]))),
                "inertia": np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]),
            }
        )
    return out


def pinocchio_loop(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> tuple[float, np.ndarray] | None:
    try:
        import pinocchio as pin
    except ImportError:
        return None
    model, parent = pin.Model(), 0
    for k, link in enumerate(arm()):
        axis = link["axis"] / np.linalg.norm(link["axis"])
        parent = model.addJoint(parent, pin.JointModelRevoluteUnaligned(axis), pin.SE3(link["turned"], link["at"]), f"j{k}")
        model.appendBodyToJoint(parent, pin.Inertia(float(link["mass"]), link["com"], link["inertia"]), pin.SE3.Identity())
    model.gravity.linear = np.array([0, 0, -9.81])
    data = model.createData()
    seconds = best(lambda: [pin.aba(model, data, q[i], v[i], tau[i]) for i in range(LOOPED)], 3) / LOOPED
    return seconds, pin.aba(model, data, q[0], v[0], tau[0]).copy()


def mujoco_loop(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> tuple[float, np.ndarray] | None:
    try:
        import mujoco
    except ImportError:
        return None
    text, closing = "", ""
    for link in arm():
        i = link["inertia"]
        full = " ".join(str(x) for x in (i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]))
        quaternion = np.zeros(4)
        mujoco.mju_mat2Quat(quaternion, link["turned"].ravel())
        place = f'pos="{" ".join(map(str, link["at"]))}" quat="{" ".join(map(str, quaternion))}"'
        text += f'<body {place}><joint type="hinge" axis="{" ".join(map(str, link["axis"]))}"/>'
        text += f'<inertial pos="{" ".join(map(str, link["com"]))}" mass="{link["mass"]}" fullinertia="{full}"/>'
        closing += "</body>"
    model = mujoco.MjModel.from_xml_string(f'<mujoco><option gravity="0 0 -9.81"/><worldbody>{text}{closing}</worldbody></mujoco>')
    data = mujoco.MjData(model)

    def loop() -> None:
        for i in range(LOOPED):
            data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q[i], v[i], tau[i]
            mujoco.mj_forward(model, data)

    seconds = best(loop, 3) / LOOPED
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q[0], v[0], tau[0]
    mujoco.mj_forward(model, data)
    return seconds, data.qacc.copy()


def main() -> None:
    program = sys.argv[1]
    quick_return, m = jounce.load(ROOT / "models/quick-return/model.toml"), jounce.load(ROOT / "models/seven-joint-arm/model.toml")
    chance = np.random.default_rng(1)
    q, v, tau = (chance.uniform(-1, 1, (STATES, 7)) for _ in range(3))
    out, times, calls = np.empty_like(q), np.array([0.0]), 200
    call = batch = fresh = cpp_call = cpp_batch = float("inf")
    for _ in range(TURNS):
        found = of_cpp(program)
        cpp_call, cpp_batch = min(cpp_call, found[0]), min(cpp_batch, found[1])
        call = min(call, best(lambda: in_turn(quick_return, times, calls), 30) / calls)
        batch = min(batch, best(lambda: jounce.tree.aba(m, q, v, tau, out=out)))
        fresh = min(fresh, best(lambda: jounce.tree.aba(m, q, v, tau)))
    run = quick_return.kinematics()
    print("| | C++ | Python | |\n|---|---|---|---|")
    print(f"| kinematics, one sample | {1e6 * cpp_call:.1f} µs | {1e6 * call:.1f} µs | {1e6 * (call - cpp_call):+.1f} µs |")
    print(f"| a column without a copy, first time and again | | {1e6 * best(lambda: [run._engine.column(5) for _ in range(1000)]) / 1000:.2f}, {1e6 * best(lambda: [run['lever.phi'] for _ in range(1000)]) / 1000:.2f} µs | |")
    print(f"| aba, 100 000 states of seven joints, `out=` | {1e3 * cpp_batch:.2f} ms | {1e3 * batch:.2f} ms | {batch / cpp_batch:.3f} |")
    print(f"| the same, into an array of its own | | {1e3 * fresh:.2f} ms | {fresh / cpp_batch:.3f} |")
    for name, loop in (("pinocchio.aba", pinocchio_loop), ("mujoco.mj_forward", mujoco_loop)):
        rival = loop(q, v, tau)
        if rival is None:
            print(f"| {name} | not installed | | |")
            continue
        apart = np.abs(rival[1] - out[0]).max() / np.abs(out[0]).max()
        print(f"| {name} in a loop, a state | | {1e6 * rival[0]:.2f} µs | {rival[0] / (batch / STATES):.0f} times ours; numbers apart by {apart:.0e} |")


if __name__ == "__main__":
    main()
