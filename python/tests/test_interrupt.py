"""Ctrl-C: long calls end, and what was computed is not lost."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

LONG = {
    "dynamics": "m = jounce.load('models/double-pendulum/model.toml'); go = lambda: m.dynamics(to=1e6, steps=1000000, columns='t')",
    "space": "m = jounce.load('models/furuta-pendulum/model.toml'); go = lambda: m.dynamics(to=1e6, steps=1000000, columns='t')",
    "kinematics": "m = jounce.load('models/quick-return/model.toml'); go = lambda: m.kinematics(to=1e6, steps=30000000, columns='t')",
    "sweep": "m = jounce.load('models/quick-return/model.toml'); go = lambda: jounce.sweep(m, {'speed': [1 + 1e-6 * k for k in range(100000)]}, goals={'a': 'max(ram.x)'})",
    "simulation": "m = jounce.load('models/double-pendulum/model.toml'); s = m.simulation(); go = lambda: s.advance(1e6)",
}

CODE = """
import signal, sys, threading, jounce
{setup}
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.3, lambda: (print("now", flush=True))).start()
try:
    go()
except KeyboardInterrupt as end:
    run = getattr(end, "run", None)
    print("rows", run.rows if run is not None else None, flush=True)
    sys.exit(7)
"""


@pytest.mark.parametrize("what", LONG)
def test_a_long_call_is_interrupted(what: str) -> None:
    # oracle: the exit code and the rows that the exception brings
    process = subprocess.Popen([sys.executable, "-c", CODE.format(setup=LONG[what])], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "now\n"
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 7, said
    rows = said.split()[1]
    assert rows == "None" if what in ("sweep", "simulation") else int(rows) > 0
    assert Path(ROOT).is_dir()
