"""What the tables of docs/validation.md are made with: the program called for numbers, and the page. For tools/validation.py."""

import csv
import json
import math
import subprocess
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODELS = ROOT / "models"
TIGHT = "1e-12"  # error per step of the runs that are compared after some time
ROUNDING = 1e-13  # errors below are rounding: they depend on compiler and processor, and no order of magnitude is compared


class Program:
    """build/jounce, called for numbers."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def json(self, command, model, *options):
        ran = subprocess.run(
            [self.path, command, model, "--json", "--quiet", *options], capture_output=True, text=True, check=False
        )
        if ran.returncode != 0:
            raise SystemExit(
                f"validation: jounce {command} {model} {' '.join(options)} ended with {ran.returncode}\n{ran.stderr}"
            )
        return json.loads(ran.stdout)

    def outcome(self, command, model, *options):
        """How a run ended, also where it was not at its end."""
        line = [self.path, command, model, "--json", "--quiet", *options]
        ran = subprocess.run(line, capture_output=True, text=True, check=False)
        if ran.returncode not in (0, 1):
            raise SystemExit(f"validation: {' '.join(map(str, line))} ended with {ran.returncode}\n{ran.stderr}")
        return json.loads(ran.stdout)["outcome"]

    def table(self, command, model, *options):
        """Column name to list of numbers."""
        with tempfile.NamedTemporaryFile(suffix=".csv", dir=self.folder) as file:
            line = [self.path, command, str(model), "--quiet", "-o", file.name, *options]
            ran = subprocess.run(line, capture_output=True, text=True, check=False)
            if ran.returncode != 0:
                raise SystemExit(f"validation: {' '.join(map(str, line))} ended with {ran.returncode}\n{ran.stderr}")
            with open(file.name, newline="") as text:
                rows = list(csv.reader(text))
        columns = list(zip(*((float(x) for x in row) for row in rows[1:])))
        return dict(zip(rows[0], columns))

    def write(self, name, text):
        path = Path(self.folder) / name
        path.write_text(text)
        return path


def row_at(table, t):
    """The row at an output time."""
    best = min(range(len(table["t"])), key=lambda i: abs(table["t"][i] - t))
    if abs(table["t"][best] - t) > 1e-9 * (1 + t):
        raise SystemExit(f"validation: no row at t = {t}; the nearest is at {table['t'][best]}")
    return best


# ---- how numbers are shown ------------------------------------------------------------------------------------------------


def number(x, off=0.0):
    """Twelve digits, or as many as are right when it is off by so much, less one: the others depend on compiler and processor."""
    digits = 12 if off == 0 or x == 0 else min(12, math.floor(math.log10(abs(x) / off)) - 1)
    return f"{x:.{max(1, digits)}g}"


def error(x):
    return "0" if x == 0 else f"{x:.0e}".replace("e-0", "e-").replace("e+0", "e+")


class Page:
    """The lines of the page, and what was beyond its allowance."""

    def __init__(self):
        self.lines, self.failures, self.compared = [], [], 0

    def text(self, *lines):
        for line in lines:
            is_prose = line and line[0] not in "#`|" and not line.startswith("jounce ")
            self.lines += textwrap.wrap(line, 130, break_long_words=False, break_on_hyphens=False) if is_prose else [line]
        self.lines.append("")

    def table(self, header, rows):
        self.lines += ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
        self.lines += ["| " + " | ".join(row) + " |" for row in rows] + [""]

    def judge(self, what, found, allowed, count=1, share=None):
        """Cells of error and allowance. `share`: of its own allowance, where several numbers have different ones."""
        self.compared += count
        if not (found <= allowed if share is None else share <= 1):  # also when it is not a number
            self.failures.append(f"{what}: error {error(found)}, allowed {error(allowed)}")
        return [error(found), error(allowed)]
