"""What is written runs: the snippets of the documents, and the examples."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import matplotlib
import nbclient
import nbformat
import pytest
from conftest import ROOT

matplotlib.use("Agg")
EXAMPLES = ROOT / "python" / "examples"
PAGES = ["docs/guide/from-python.md", "README.md", "python/README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_the_snippets_of_a_page_run_one_after_the_other(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snippets = re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert snippets
    (tmp_path / "models").symlink_to(ROOT / "models")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "snippets", "folder": tmp_path}
    for snippet in snippets:
        exec(compile(snippet, page, "exec"), names)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda p: p.stem)
def test_a_notebook_runs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are not kept: they would differ with every change"
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(EXAMPLES)}}).execute()


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda p: p.stem)
def test_an_example_runs(path: Path, tmp_path: Path) -> None:
    said = subprocess.run([sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert said.stdout


def test_there_are_the_notebooks_that_were_promised() -> None:
    assert len(list(EXAMPLES.glob("*.ipynb"))) >= 5
