#!/usr/bin/env python3
"""Writes docs/validation.md: every reference problem and published number that Jounce reproduces, with the error of a run made now.

usage: tools/validation.py [--program build/jounce] [--tests build/tests] [--output docs/validation.md] [--check] [--quiet]

Runs the program on the models and on a few models written here, and the test programs that hold the reference vectors; only the
standard library of Python is needed. --check writes nothing: it compares the page with a fresh run, numbers to the digits shown and
errors to their order of magnitude, and ends with 1 where they disagree. In both cases an error beyond what is allowed ends with 1.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from attack_page import attack_section
from defects_from_outside import defects_from_outside
from published_problems import andrews, n_four_bars, pendulum, slider_crank, space_cases
from space_references import loops_and_stiffness, to_snap
from validation_page import MODELS, ROOT, ROUNDING, TIGHT, Page, Program, number, row_at

# ---- the models' own numbers ------------------------------------------------------------------------------------------------


def expectations():
    for folder in sorted(MODELS.iterdir()):
        if (folder / "expected.json").exists():
            yield folder.name, json.loads((folder / "expected.json").read_text()), tomllib.loads(
                (folder / "model.toml").read_text()
            )


def is_body_quaternion(column):
    return column.rsplit(".", 1)[-1] in ("qw", "qx", "qy", "qz")


def worst(checks, table, allowed, default_time=None):
    """Largest error of a list of checks against a table, relative to the scale of each; the column it is in; the largest share that
    an error has of its own allowance."""
    most, where, share = -1.0, "", 0.0
    for check in checks:
        at = row_at(table, check.get("t", default_time))
        value, scale = table[check["column"]][at], check.get("scale", 1.0)
        off = abs(value - check["value"])
        if is_body_quaternion(check["column"]):
            off = min(off, abs(value + check["value"]))  # e and −e are one rotation
        error = math.inf if math.isnan(off) else off / scale
        share = max(share, error / check.get("tolerance", allowed))
        if error > most:
            most, where = error, check["column"]
    return most, where, share


def of_model(program, name, expected, model):
    """Rows of (kind, count, error, allowed, where, share of the allowance)."""
    path, out = MODELS / name / "model.toml", []

    def add(kind, checks, table, allowed, time=None):
        if checks:
            off, where, share = worst(checks, table, allowed, time)
            out.append((kind, len(checks), off, max(c.get("tolerance", allowed) for c in checks), where, share))

    dynamics, end_time = expected.get("dynamics", {}), model["run"].get("to", 1)
    if expected["checks"]:
        add("motion", expected["checks"], program.table("kinematics", path), 1e-11)
    start = dynamics.get("forward_start") or dynamics.get("start")
    if start:
        table = program.table("dynamics", path, "--to", f"1e-4*({end_time})", "--steps", "1")
        add("start", start, table, 1e-9 if name == "bushing-bars" else 1e-10, 0)  # its springs are stiff against the weights
    given = dynamics.get("inverse") or expected.get("inverse")
    if given:
        add("inverse", given, program.table("inverse", path), 1e-10)
    if dynamics.get("end"):
        add("end", dynamics["end"], program.table("dynamics", path, "--tol", TIGHT), 1e-5)
    if "equilibrium" in expected:
        rest, wanted = program.json("equilibrium", path), expected["equilibrium"]
        add("rest", wanted["checks"], {column: [x] for column, x in rest["row"].items()}, 1e-9, 0)
        if wanted["frequencies_hz"]:
            off = max(abs(a / b - 1) for a, b in zip(rest["frequencies_hz"], wanted["frequencies_hz"], strict=True))
            out.append(("frequencies", len(wanted["frequencies_hz"]), off, 1e-9, "frequencies", off / 1e-9))
    return out


KINDS = [
    (
        "motion",
        "## Driven models: position to snap",
        "Bodies and points at output times of each model's run, position to snap, against closed forms in "
        "60-digit arithmetic. Errors relative to the largest value of the column over the run.",
    ),
    (
        "inverse",
        "## Driven models: reactions and efforts",
        "What every joint carries and every drive gives at two output times: Newton and Euler in "
        "60 digits for the plane, Kane's equations in 34 for space. Errors relative to the largest force of the model.",
    ),
    (
        "start",
        "## Forward dynamics at the start",
        "Accelerations, jerks, reactions, multipliers and their rates (in space: accelerations, reactions, "
        "energies, momenta) at t = 0, all models released. Errors relative to the largest quantity of the unit in the model.",
    ),
    (
        "end",
        "## Forward dynamics after some time",
        "Where the models are at output times of their run, at a tolerance of "
        + TIGHT
        + " per step. Errors relative to a round number of the size of the quantity.",
    ),
    ("rest", "## Equilibrium", "The position and the forces at rest."),
    ("frequencies", "## Natural frequencies", "About the position at rest; errors relative."),
]


def short_source(expected):
    source = re.sub(r"\s+evaluated in 60-digit arithmetic by tools/\w+\.py|; [^;]* by tools/\w+\.py", "", expected["source"])
    return re.sub(r":?\s*tools/\w+\.py", "", source).rstrip(". ").replace("|", "\\|")


def models(page, results):
    by_kind = {}
    for (name, expected, _), rows in results:
        for kind, *row in rows:
            by_kind.setdefault(kind, []).append((name, short_source(expected), *row))
    for kind, title, intro in KINDS:
        rows = by_kind.get(kind, [])
        if not rows:
            continue
        page.text(title, "", intro)
        with_source = kind in ("motion", "end", "rest")
        page.table(
            ["model", *(["source"] if with_source else []), "numbers", "largest error", "allowed"],
            [
                [
                    f"[{name}](../models/{name}/card.md)",
                    *([source] if with_source else []),
                    str(count),
                    *page.judge(f"{name}, {kind}, {where}", off, allowed, count, share),
                ]
                for name, source, count, off, allowed, where, share in rows
            ],
        )


def identities(page, program):
    rows = []
    for name, expected, _ in expectations():
        for fact in expected.get("identities", []):
            table = program.table("kinematics", MODELS / name / "model.toml")
            if fact["kind"] == "straight-line":
                (nx, ny), point = fact["normal"], fact["point"]
                off = max(abs(nx * x + ny * y - fact["offset"]) for x, y in zip(table[point + ".x"], table[point + ".y"]))
                said = f"`{point}` stays on a straight line"
            elif fact["kind"] == "scaled-copy":
                off = max(
                    abs(a - fact["factor"] * b)
                    for axis in (".x", ".y")
                    for a, b in zip(table[fact["point"] + axis], table[fact["of"] + axis])
                )
                said = f"`{fact['point']}` is {number(fact['factor'])} times `{fact['of']}`"
            elif fact["kind"] == "speed-ratio":
                off = max(abs(a - fact["factor"] * b) for a, b in zip(table[fact["column"]], table[fact["of"]]))
                said = f"`{fact['column']}` is {number(fact['factor'])} times `{fact['of']}`"
            else:
                raise SystemExit(f"validation: {name}: unknown kind of identity '{fact['kind']}'")
            rows.append(
                [
                    f"[{name}](../models/{name}/card.md)",
                    said,
                    str(len(table["t"])),
                    *page.judge(f"{name}, {said}", off, fact["tol"], len(table["t"])),
                ]
            )
    page.text("## Facts of geometry", "", "They hold in every row of the run; errors in metres or rad/s.")
    page.table(["model", "fact", "rows", "largest error", "allowed"], rows)


def conserved_of(program, name, expected, model):
    """Rows of the table of conserved quantities."""
    path, out = MODELS / name / "model.toml", []
    if expected.get("conserved"):
        table = program.table("dynamics", path, "--tol", TIGHT)
        for column in expected["conserved"]:
            out.append(
                (column, len(table["t"]), max(abs(x - table[column][0]) for x in table[column]) / max(1.0, abs(table[column][0])))
            )
    elif expected.get("space") != "3d" and model["run"]["analysis"] == "dynamics":
        table = program.table("dynamics", path, "--tol", TIGHT)
        if program.json("dynamics", path, "--tol", TIGHT)["statistics"]["conservative"]:
            energy, size = table["energy.total"], max(map(abs, table["energy.kinetic"]))
            out.append(("energy.total", len(energy), max(abs(x - energy[0]) for x in energy) / max(size, abs(energy[0]))))
    return [(name, *row) for row in out]


def conserved(page, results):
    page.text(
        "## What must stay",
        "",
        "Energy, momentum and centre of mass where nothing changes them, over the whole run at a tolerance of "
        + TIGHT
        + " per step: the largest change, relative to the start value or to 1 (energy in the plane: to the largest kinetic energy).",
    )
    page.table(
        ["model", "quantity", "rows", "largest error", "allowed"],
        [
            [f"[{name}](../models/{name}/card.md)", f"`{column}`", str(count), *page.judge(f"{name}, {column}", off, 1e-9, count)]
            for rows in results
            for name, column, count, off in rows
        ],
    )


# ---- reference vectors, through the tests --------------------------------------------------------------------------------------

# Test program, test case, the source and the name of its tolerance (or the number itself), data, what is compared.
VECTORS = [
    (
        "1_scalar",
        "every function of a series agrees with its Taylor coefficients to order 10",
        None,
        1121 * 2.0**-53,
        ("series.json", "cases"),
        "Taylor coefficients of the elementary functions to order 10, by 60 and 90 digits",
    ),
    (
        "2_expr",
        "random expressions agree with 50 digits to the fourth derivative",
        None,
        1000 * 2.0**-52,
        ("expressions.json", None),
        "Random expressions with four derivatives, by 50 digits",
    ),
    (
        "3_elements",
        "a body-fixed point moves as the point records say",
        "3_elements/element_test.hpp",
        "kRoundOff",
        ("planar.json", "points"),
        "Points of a moving body, position to snap, by 50 digits",
    ),
    (
        "3_elements",
        "the engine reproduces every constraint record of the vectors",
        "3_elements/element_test.hpp",
        "kRoundOff",
        ("planar.json", "constraints"),
        "Constraints: residual, Jacobian, right-hand sides to snap, by symbolic differentiation in 50 digits",
    ),
    (
        "4_system",
        "every force record: measure, effort and generalized force with their rates",
        "5_analysis/analysis_test.hpp",
        "kSolved",
        ("planar.json", "forces"),
        "Forces with their rates, by symbolic differentiation in 50 digits",
    ),
    (
        "4_system",
        "every dae record: accelerations, multipliers, jerks and rates of the multipliers, on all three roads",
        "4_system/equations_of_motion.cpp",
        "kSameAnswer",
        ("planar.json", "dae"),
        "Third-order equations of motion, by every formulation of the plane, by 50 digits",
    ),
    (
        "5_analysis",
        "the mechanism records are met up to snap at the end of a run",
        "5_analysis/mechanisms_of_vectors.cpp",
        "kFollowed",
        ("planar.json", "mechanisms"),
        "Mechanisms followed from t = 0, position to snap, by their analytic motion in 50 digits",
    ),
    (
        "3_tree",
        "joint-space inertia and bias of the reference vectors",
        "3_tree/vectors.cpp",
        "kSame",
        ("spatial.json", "cases"),
        "Trees in space: joint-space inertia and bias forces, by 40 digits",
    ),
    (
        "3_tree",
        "hybrid dynamics of the reference vectors: accelerations and efforts",
        "3_tree/vectors.cpp",
        "kSame",
        ("spatial.json", "cases"),
        "Trees in space: accelerations and efforts of hybrid dynamics, by 40 digits",
    ),
    (
        "3_tree",
        "motion, wrenches and articulated inertia of the reference vectors",
        "3_tree/vectors.cpp",
        "kSame",
        ("spatial.json", "cases"),
        "Trees in space: motion, joint wrenches, articulated inertia, by 40 digits",
    ),
    (
        "3_tree",
        "momentum, energy and centre of mass of the reference vectors",
        "3_tree/vectors.cpp",
        "kSame",
        ("spatial.json", "cases"),
        "Trees in space: momentum, energy, centre of mass, by 40 digits",
    ),
    (
        "4_system",
        "the vectors of spatial.json by every formulation",
        "4_system/space_formulations.cpp",
        "kAgreement",
        ("spatial.json", "cases"),
        "Trees in space: accelerations and joint wrenches, by every formulation of space, by 40 digits",
    ),
]
COMPARED = re.compile(r"values: (?:CHECK|REQUIRE)(?:_MESSAGE)?\( (\S+) <=? +(\S+)(?:,.*)? \)")


def vectors(page, tests):
    rows = []
    for program, case, source, tolerance, (file, key), what in VECTORS:
        path = tests / f"test_{program}"
        pattern = case.replace("\\", "\\\\").replace(",", "\\,")
        ran = subprocess.run([path, "-s", "-tc=" + pattern], capture_output=True, text=True, check=False)
        if ran.returncode != 0 or "test cases: " not in ran.stdout:
            raise SystemExit(f"validation: {path} failed on '{case}'\n{ran.stdout[-2000:]}")
        pairs = [(float(a), float(b)) for a, b in COMPARED.findall(ran.stdout) if "." in b or "e" in b]
        if not pairs:
            raise SystemExit(f"validation: {path}: the test '{case}' compares nothing")
        data = json.loads((ROOT / "tests/data" / file).read_text())
        records = len(data if key is None else data[key])
        share = max(a / b for a, b in pairs)
        allowed = tolerance
        if source:
            found = re.search(r"\b" + tolerance + r"\s*=\s*([0-9.e+-]+)", (ROOT / "tests" / source).read_text())
            if not found:
                raise SystemExit(f"validation: expected a number '{tolerance} = …' in tests/{source}")
            allowed = float(found[1])
        judged = page.judge(case, share * allowed, allowed, len(pairs))
        rows.append([f"`tests/data/{file}`", what, str(records), str(len(pairs)), *judged])
    page.text(
        VECTORS_TITLE,
        "",
        "Records in `tests/data`, made in 40 to 90 digits, compared by the tests of `tests`; these numbers are read from the output of "
        "the test programs. Errors relative to the largest number of the record (or 1).",
    )
    page.table(["data", "what", "records", "numbers", "largest error", "allowed"], rows)


VECTORS_TITLE = "## Reference vectors"


# ---- the page ---------------------------------------------------------------------------------------------------------------


def fresh_page(program_path, tests, say):
    page = Page()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        program = Program(program_path, folder)
        page.text("## Published problems")
        for part in (andrews, pendulum, n_four_bars, loops_and_stiffness, slider_crank):
            say(part.__name__.replace("_", " "))
            part(page, program)
        say("reference cases in space")
        space_cases(page, program)
        to_snap(page, program)
        say("defects found from outside")
        defects_from_outside(page, program, pool)
        say("models")
        cases = list(expectations())
        models(page, zip(cases, pool.map(lambda c: of_model(program, *c), cases)))
        identities(page, program)
        conserved(page, list(pool.map(lambda c: conserved_of(program, *c), cases)))
    attack_section(page)
    if tests:
        say("reference vectors")
        vectors(page, tests)
    head = [
        "# Validation",
        "",
        "Every reference problem and every published number that Jounce reproduces, with its error. The page is written by a command from an "
        "actual run, and a test compares it with a new one:",
        "",
        "```sh",
        "./dev validate",
        "```",
        "",
        "*Allowed* is what the tests promise; the error of a run is mostly rounding. Errors are shown to their order of magnitude, because the last "
        "bits depend on compiler and processor. How the models' numbers were found, and by which script, is in [models](../models/README.md).",
        "",
    ]
    return page, "\n".join(head + page.lines).rstrip() + "\n"


def last_digit(text):
    """The size of the last digit shown: 0.01 of 3.14."""
    mantissa, _, exponent = text.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def same_cell(kept, fresh, is_error, orders):
    if kept == fresh:
        return True
    a, b = NUMBER.findall(kept), NUMBER.findall(fresh)
    if len(a) != len(b) or not a or NUMBER.sub("#", kept) != NUMBER.sub("#", fresh):
        return False
    for x, y in zip(a, b):
        p, q = float(x), float(y)
        if x == y:
            continue
        if is_error:
            low, high = sorted((max(abs(p), ROUNDING), max(abs(q), ROUNDING)))
            if high > 1.05 * 10**orders * low:
                return False
        elif "." not in x + y or abs(p - q) > 1.01 * max(last_digit(x), last_digit(y)):  # counts and allowances stay
            return False
    return True


def differences(kept, fresh, orders=1):
    """Lines that disagree, as sentences."""
    out, header, a, b = [], [], kept.splitlines(), fresh.splitlines()
    if len(a) != len(b):
        return [f"{len(a)} lines on the page, {len(b)} in a fresh one"]
    for line, (x, y) in enumerate(zip(a, b), 1):
        cells, others = x.split(" | "), y.split(" | ")
        if x.startswith("|") and line < len(a) and a[line].startswith("|---"):
            header = [c.strip("| ") for c in cells]
        if x == y:
            continue
        errors = [("error" in (header[i] if i < len(header) else "")) for i in range(len(cells))]
        if not x.startswith("|") or len(cells) != len(others) or not all(map(same_cell, cells, others, errors, [orders] * len(cells))):
            out.append(f"line {line}:\n  page  {x}\n  fresh {y}")
    return out


def main():
    parser = argparse.ArgumentParser(description="Writes docs/validation.md from a run made now.")
    parser.add_argument("--program", type=Path, default=ROOT / "build/jounce")
    parser.add_argument("--tests", type=Path, help="folder of the test programs (default: tests beside the program)")
    parser.add_argument("--output", type=Path, default=ROOT / "docs/validation.md")
    parser.add_argument("--check", action="store_true", help="compare the page with a fresh run, write nothing")
    parser.add_argument("--orders", type=int, default=1, help="by how many orders of magnitude errors may differ (default: 1)")
    parser.add_argument("--quiet", action="store_true")
    arguments = parser.parse_args()
    tests = arguments.tests or arguments.program.resolve().parent / "tests"
    if not all((tests / f"test_{program}").exists() for program, *_ in VECTORS):
        if not arguments.check:
            raise SystemExit(f"validation: expected the test programs in {tests}: build them first (./dev validate does)")
        tests = None
    page, text = fresh_page(
        arguments.program.resolve(),
        tests,
        (lambda what: None) if arguments.quiet else (lambda what: print("validation:", what, file=sys.stderr)),
    )
    wrong = page.failures
    if arguments.check:
        kept = arguments.output.read_text() if arguments.output.exists() else ""
        if tests is None:  # the last section is made by the test programs, which are not there
            kept = kept.partition(VECTORS_TITLE)[0].rstrip() + "\n"
        wrong = wrong + differences(kept, text, arguments.orders)
    else:
        arguments.output.write_text(text)
    for line in wrong:
        print("validation:", line, file=sys.stderr)
    print(
        f"{page.compared} numbers compared, {len(page.failures)} beyond what is allowed"
        + (
            f"; the page {'agrees with' if not wrong else 'differs from'} a fresh run"
            if arguments.check
            else f"; wrote {arguments.output}"
        )
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
