"""What the tests share: the models of the repository, and the program, whose files and numbers are the oracle."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import jounce

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
PROGRAM = Path(os.environ.get("JOUNCE_PROGRAM", ROOT / "build" / "jounce")).resolve()
ALL = sorted(folder.name for folder in MODELS.iterdir() if (folder / "model.toml").is_file())

Program = Callable[..., "subprocess.CompletedProcess[str]"]


def path_of(name: str) -> str:
    """As a user types it at the root of the repository: messages and reports show it."""
    return f"models/{name}/model.toml"


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def program() -> Program:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=300)

    return run


@pytest.fixture
def load() -> Callable[[str], jounce.Mechanism]:
    return lambda name: jounce.load(path_of(name))
