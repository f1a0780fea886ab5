"""Python and the command line are two doors of one engine. Oracle: what the program writes, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.ipc as ipc
import pytest
from conftest import ALL, Program, path_of

import jounce


@pytest.mark.parametrize("name", ALL)
def test_a_run_gives_the_files_of_the_program(name: str, program: Program, tmp_path: Path) -> None:
    said = program("run", path_of(name), "-o", f"{tmp_path}/p.csv", "--report", f"{tmp_path}/p.html", "--quiet")
    run = jounce.load(path_of(name)).run()
    run.to_csv(tmp_path / "j.csv")
    run.report(tmp_path / "j.html")
    assert (run.outcome == "done") == (said.returncode == 0)
    assert (tmp_path / "j.csv").read_bytes() == (tmp_path / "p.csv").read_bytes()
    assert (tmp_path / "j.html").read_bytes() == (tmp_path / "p.html").read_bytes()


@pytest.mark.parametrize("name", ["quick-return", "seven-joint-arm"])
def test_a_run_gives_the_arrow_file_of_the_program(name: str, program: Program, tmp_path: Path) -> None:
    program("inverse", path_of(name), "-o", f"{tmp_path}/p.arrow", "--quiet")
    run = jounce.load(path_of(name)).inverse()
    run.to_arrow(tmp_path / "j.arrow")
    assert (tmp_path / "j.arrow").read_bytes() == (tmp_path / "p.arrow").read_bytes()
    table = ipc.open_file(str(tmp_path / "j.arrow")).read_all()
    table.validate(full=True)
    text = run.to_csv()
    assert text is not None
    assert table.column_names == text.split("\n", 1)[0].split(",")  # the columns of every table: points of the ground are left out
    for column in table.column_names:
        assert np.array_equal(table[column].to_numpy(), run[column])
        assert (table.schema.field(column).metadata or {}).get(b"unit", b"").decode() == run.unit(column)


def test_columns_are_the_numbers_of_the_file(program: Program, tmp_path: Path) -> None:
    program("inverse", path_of("slider-crank-engine"), "--to", "0.02", "--steps", "50", "--columns", "*", "-o", f"{tmp_path}/p.csv")
    run = jounce.load(path_of("slider-crank-engine")).inverse(to=0.02, steps=50)
    table = np.genfromtxt(tmp_path / "p.csv", delimiter=",", names=True, deletechars="", replace_space=" ")
    assert list(table.dtype.names) == run.columns
    for column in run.columns:
        assert np.array_equal(table[column], run[column])


def test_units_are_those_of_the_program(program: Program, tmp_path: Path) -> None:
    units = "length=mm,angle=deg,force=kN"
    program("inverse", path_of("slider-crank-engine"), "--to", "0.02", "--steps", "50", "--units", units, "-o", f"{tmp_path}/p.csv", "--report", f"{tmp_path}/p.html", "--quiet")
    run = jounce.load(path_of("slider-crank-engine")).inverse(to=0.02, steps=50)
    assert run.to_csv(units=units) == (tmp_path / "p.csv").read_text()
    assert run.report(units={"length": "mm", "angle": "deg", "force": "kN"}) == (tmp_path / "p.html").read_text()


@pytest.mark.parametrize("name", ["quick-return", "seven-joint-arm", "stewart"])
def test_parts_of_a_file_are_the_parts_of_the_program(name: str, program: Program, tmp_path: Path) -> None:
    first = jounce.load(path_of(name)).columns("kinematics")[1].split(".")[0]
    program("kinematics", path_of(name), "--columns", f"{first}.*", "-o", f"{tmp_path}/p.csv", "--quiet")
    mechanism = jounce.load(path_of(name))
    assert mechanism.kinematics(columns=f"{first}.*").to_csv() == (tmp_path / "p.csv").read_text()
    assert mechanism.kinematics().to_csv(columns=f"{first}.*") == (tmp_path / "p.csv").read_text()


@pytest.mark.parametrize("name", ["quick-return", "double-pendulum", "furuta-pendulum", "stewart", "redundant-parallelogram", "roller-cam"])
def test_questions_are_answered_as_json_has_them(name: str, program: Program) -> None:
    mechanism = jounce.load(path_of(name))
    assert mechanism.check() == json.loads(program("check", path_of(name), "--json").stdout)
    assert mechanism.explain(at=0.02) == json.loads(program("explain", path_of(name), "--at", "0.02", "--json").stdout)
    ours, theirs = mechanism.compare(at=0.02), json.loads(program("compare", path_of(name), "--at", "0.02", "--json").stdout)
    for comparison in (ours, theirs):
        for formulation in comparison["formulations"]:
            formulation.pop("seconds", None)  # how long it took is another time
    assert ours == theirs


def test_arrays_of_formulations_are_those_of_json(program: Program) -> None:
    for name, formulation in (("double-pendulum", "kane"), ("seven-joint-arm", "crba")):
        ours = jounce.load(path_of(name)).explain(at=0.1, formulation=formulation)
        assert ours == json.loads(program("explain", path_of(name), "--at", "0.1", "--formulation", formulation, "--json").stdout)


@pytest.mark.parametrize("name", ["four-bar", "truss", "heavy-top"])
def test_drawings_are_those_of_the_program(name: str, program: Program, tmp_path: Path) -> None:
    program("draw", path_of(name), "-o", f"{tmp_path}/p.svg")
    drawing = jounce.load(path_of(name)).draw()
    assert drawing == (tmp_path / "p.svg").read_text()
    assert drawing._repr_svg_() == drawing
    drawing.save(tmp_path / "j.svg")
    assert (tmp_path / "j.svg").read_bytes() == (tmp_path / "p.svg").read_bytes()


def test_a_robot_is_imported_as_the_program_imports_it(program: Program, tmp_path: Path) -> None:
    urdf = "tests/4_system/urdf/gripper.urdf"
    program("import", urdf, "-o", f"{tmp_path}/p.toml")
    robot = jounce.import_urdf(urdf)
    assert robot == jounce.load(tmp_path / "p.toml")
    assert robot.space == "3d"


@pytest.mark.parametrize("path", sorted(Path(__file__).parents[2].glob("tests/bad/*.toml"))[::4], ids=lambda p: p.stem)
def test_a_bad_model_says_what_the_program_says(path: Path, program: Program) -> None:
    said = program("check", str(path)).stderr
    with pytest.raises(jounce.ModelError) as caught:
        jounce.load(path)
    assert str(caught.value).strip() == said.strip()
    assert all(isinstance(p, jounce.Problem) for p in caught.value.problems)


def test_the_version_is_that_of_the_program(program: Program) -> None:
    assert jounce.__version__ in program("--version").stdout
