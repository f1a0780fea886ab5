"""The version of the package is that of the program: the one in the CMakeLists.txt of the engine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

__all__ = ["dynamic_metadata"]


def dynamic_metadata(field: str, settings: dict[str, Any] | None = None) -> str:
    here = Path(__file__).resolve().parent.parent
    for folder in (here / "engine", here.parent):
        if (folder / "CMakeLists.txt").is_file():
            found = re.search(r"project\(jounce VERSION ([0-9.]+)", (folder / "CMakeLists.txt").read_text(encoding="utf-8"))
            if found:
                return found.group(1)
    raise RuntimeError("expected a line 'project(jounce VERSION ...' in the CMakeLists.txt of the engine, found none")
