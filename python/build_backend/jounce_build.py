"""scikit-build-core, and the engine: its sources lie above this folder, and go into a source distribution as `engine/`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scikit_build_core.build import *  # noqa: F403 the hooks of a build backend
from scikit_build_core import build as _backend

_HERE = Path(__file__).resolve().parent.parent
_ABOVE = _HERE.parent
# what a build of the library reads
_ENGINE = ("CMakeLists.txt", "LICENSE", "apps/jounce", "cmake", "report/dist", "src", "tools/reference")


@contextmanager
def _engine_beside() -> Iterator[None]:
    """The sources of the engine in this folder, as long as it lasts; in a source distribution they are there already."""
    if (_HERE / "engine").exists() or not (_ABOVE / "src" / "jounce").is_dir():
        yield
        return
    try:
        for name in _ENGINE:
            source, target = _ABOVE / name, _HERE / "engine" / name
            if source.is_dir():
                shutil.copytree(source, target)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        yield
    finally:
        shutil.rmtree(_HERE / "engine", ignore_errors=True)


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    with _engine_beside():
        return _backend.build_sdist(sdist_directory, config_settings)

