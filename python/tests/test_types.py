"""Types: the stubs are what the module has, and mypy --strict accepts package, examples and tests of its use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jounce

PYTHON = Path(__file__).resolve().parents[1]


def test_the_stub_is_what_the_module_gives(tmp_path: Path) -> None:
    # oracle: nanobind's generator on the module that was built
    made = tmp_path / "_engine.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "jounce._engine", "-p", str(PYTHON / "stub_patterns.txt"), "-o", str(made)], check=True)
    assert made.read_text() == (PYTHON / "jounce" / "_engine.pyi").read_text(), "write it anew: ./dev stubs"
    assert (Path(jounce.__file__).parent / "py.typed").is_file()


def test_mypy_accepts_the_package_and_the_examples(tmp_path: Path) -> None:
    files = [PYTHON / "jounce", *sorted((PYTHON / "examples").glob("*.py"))]
    said = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", str(PYTHON / "pyproject.toml"), "--cache-dir", str(tmp_path), *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stdout


def test_everything_that_is_public_says_what_it_is() -> None:
    # oracle: help() has a sentence for each
    for name in jounce.__all__:
        thing = getattr(jounce, name)
        if name.startswith("__"):
            continue
        assert thing.__doc__, name
        if isinstance(thing, type) and thing.__module__.startswith("jounce"):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{member}"
