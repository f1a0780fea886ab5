#!/usr/bin/env python3
"""Makes the figures of the documents with the program, as docs/figures/commands.txt says.

usage: tools/figures.py [--program build/jounce] [FOLDER]

FOLDER is docs/figures unless told. Only the standard library of Python is needed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def listed():
    """Names and commands, in their order."""
    for line in (ROOT / "docs/figures/commands.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, command = line.partition(": ")
            yield name, command


def made(command, program):
    """What the commands write to standard output, in a folder with the models."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for shared in ("models", "docs"):
            (home / shared).symlink_to(ROOT / shared)
        (home / "bin").mkdir()
        (home / "bin/jounce").symlink_to(program.resolve())
        path = f"{home / 'bin'}:{os.environ['PATH']}"
        # what the commands before the last one say is no part of the figure
        *before, last = command.split(" && ")
        for one in before:
            subprocess.run(["bash", "-c", one], cwd=home, env={**os.environ, "PATH": path}, check=True, stdout=subprocess.DEVNULL)
        return subprocess.run(["bash", "-c", last], cwd=home, env={**os.environ, "PATH": path}, check=True, stdout=subprocess.PIPE).stdout


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs/figures")
    arguments.add_argument("--program", type=Path, default=ROOT / "build/jounce")
    given = arguments.parse_args()
    if not given.program.exists():
        sys.exit(f"expected the program at {given.program}: build it first (./dev build)")
    for name, command in listed():
        (given.folder / name).write_bytes(made(command, given.program))
        print(given.folder / name)


if __name__ == "__main__":
    main()
