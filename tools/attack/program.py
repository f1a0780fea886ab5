"""The program under attack, called for numbers: one run, what it said, and its table."""
from __future__ import annotations

import csv
import itertools
import json
import re
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

# Warnings that say something about the mechanism, not that the numbers may be wrong.
NUMBERS_STAND = ("reactions not unique", "the equilibrium is neutral")
SECONDS_FOR_A_RUN = 5                        # of processor time: a run that needs more is counted as "no answer in time"
SECONDS_OF_THE_CLOCK = 300


@dataclass
class Answer:
    """What one call gave.  `refusal` is why its numbers are not claimed to be right: an error, a warning, no answer."""
    line: list[str]
    code: int
    summary: dict[str, Any] = field(default_factory=dict)
    table: dict[str, np.ndarray] = field(default_factory=dict)
    refusal: str = ""

    @property
    def quiet(self) -> bool:
        return not self.refusal

    def command(self) -> str:
        return " ".join(self.line)


def reason(text: str) -> str:
    """The first error or warning of a message without its names and numbers, so that equal reasons count together."""
    lines = [x.strip() for x in text.splitlines() if x.strip()]
    lines = [x for x in lines if "error:" in x] or [x for x in lines if "warning:" in x] or lines
    line = lines[0] if lines else "no message"
    line = re.sub(r"^\S*\.toml(:\d+)*:?\s*", "", line)
    line = re.sub(r"(\('[^']*'|'[^']*')(, (and )?('[^']*'))*( and '[^']*')?", "NAME", line)
    line = re.sub(r" ?\((dependent here|dof|it has)[^)]*\)|: loop.*apart\)", "", line)
    line = re.sub(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "N", line)
    return line[:160]


class Program:
    """The program, with a folder for its files."""

    def __init__(self, path: str | Path, folder: str | Path):
        self.path, self.folder = str(path), Path(folder)
        self.count = itertools.count()
        self.calls = 0

    def write(self, name: str, text: str) -> Path:
        path = self.folder / f"{name}.toml"
        path.write_text(text)
        return path

    def call(self, analysis: str, model: Path, *options: str) -> Answer:
        self.calls += 1
        line = [self.path, analysis, str(model), *options]
        table = self.folder / f"{model.stem}.csv"
        more = ["--json"] + ([] if analysis == "check" else ["-o", str(table)])
        table.unlink(missing_ok=True)
        try:
            ran = subprocess.run(["prlimit", f"--cpu={SECONDS_FOR_A_RUN}", *line, *more], capture_output=True, text=True,
                                 timeout=SECONDS_OF_THE_CLOCK, check=False)
        except subprocess.TimeoutExpired:
            return Answer(line, -1, refusal=f"no answer in {SECONDS_OF_THE_CLOCK} s")
        answer = Answer(line, ran.returncode)
        if ran.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            answer.refusal = f"no answer in {SECONDS_FOR_A_RUN} s of processor time"
            return answer
        if ran.returncode < 0 or ran.returncode > 2:
            answer.refusal = f"CRASH with code {ran.returncode}: {ran.stderr[:200]}"
            return answer
        if ran.stdout.lstrip().startswith("{"):
            answer.summary = json.loads(ran.stdout)
        if ran.returncode:
            answer.refusal = f"exit {ran.returncode}: " + reason(ran.stderr)
        else:
            warnings = [x for x in ran.stderr.splitlines() if "warning" in x and not any(n in x for n in NUMBERS_STAND)]
            if warnings:
                answer.refusal = reason(warnings[0])
        if table.exists():
            answer.table = read_table(table)
        return answer


def read_table(path: Path) -> dict[str, np.ndarray]:
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    values = np.array([[float(x) for x in row] for row in rows[1:]]).reshape(len(rows) - 1, len(rows[0]))
    return {name: values[:, k] for k, name in enumerate(rows[0])}
