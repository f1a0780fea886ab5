"""Wrong numbers that were found from outside, one model each in tests/data: what they should be, and what a run made now gives.

For tools/validation.py. The runs do not depend on each other and share the processors.
"""

import math
from typing import Any, Callable, NamedTuple

from validation_page import ROOT, TIGHT, number
from published_problems import four_bars_angle

DATA = ROOT / "tests/data"
IN_SPACE = ("aba", "crba", "lagrange", "kkt", "nullspace")

NEAR_PARALLELOGRAM = 1.0000642057133229
DAMPED_BENNETT, MISALIGNED, MICROMETRES = -1.89162, 0.198064, -0.43270991
VAN_DER_POL = 1.7055751812

# Where they come from.
MAXIMAL = "maximal coordinates, by code that shares nothing with this program"
START = "energy at the start"


def listing(names):
    return ", ".join(names[:-1]) + " and " + names[-1]


def last(column):
    return lambda table: table[column][-1]


class Case(NamedTuple):
    model: str
    asked: str
    command: str
    runs: list[tuple[str, ...]]  # the options of each
    read: Callable[[Any], Any]  # from what a run gives; with what it should be, where that comes of the run itself
    should: float | None
    source: str
    allowed: float
    gives: str = "table"  # how the program is called: see Program


def two_drivers_time(gap):
    """Cranks of 0.5 m on a ground of 1 m, one ahead of the other by 1e-6 t²: when what is between their ends differs by `gap` from the coupler."""

    def beyond(t):
        first, ahead = 1 + 0.8 * math.sin(t), 1e-6 * t * t
        middle, chord = first + ahead / 2, math.sin(ahead / 2)  # the ends differ by 1 m and this chord
        x, y = -math.sin(middle) * chord, math.cos(middle) * chord
        longer = 2 * x + x * x + y * y  # the square of the length, less 1
        return abs(longer / (1 + math.sqrt(1 + longer))) - gap

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if beyond(middle) > 0 else (middle, high)
    return low


def as_written(command, runs):
    """One command for all runs: where their options differ, all of them with slashes between."""
    words = [list(dict.fromkeys(each)) for each in zip(*runs)]
    shown = ["/".join(word) for word in words]
    if "--columns" in shown:
        at = shown.index("--columns")
        del shown[at : at + 2]
    return " ".join(["jounce", command, *shown])


def kept(column):
    """What it was at the start, and the row that is farthest from it."""
    return lambda table: (table[column][0], max(table[column], key=lambda x: abs(x - table[column][0])))


def cases():
    yield Case(
        "near-parallelogram-space",
        "`D.q1` at 1 s",
        "kinematics",
        [("--to", "1", "--steps", n, "--columns", "D.q1") for n in ("1", "20", "97", "1000")],
        last("D.q1"),
        NEAR_PARALLELOGRAM,
        "loop closure in 40 digits",
        1e-13,
    )
    for names, allowed in ((IN_SPACE[:2], 1e-10), (IN_SPACE[2:], 1e-9)):
        yield Case(
            "bennett",
            "energy over 1.5 s",
            "dynamics",
            [("--to", "1.5", "--steps", "2", "--columns", "energy.total", "--formulation", name) for name in names],
            kept("energy.total"),
            None,
            START,
            allowed,
        )
    yield Case(
        "bennett-damped",
        "`J1.v1` at 1.5 s",
        "dynamics",
        [("--to", "1.5", "--steps", "2", "--columns", "J1.v1", "--formulation", name) for name in IN_SPACE],
        last("J1.v1"),
        DAMPED_BENNETT,
        MAXIMAL,
        1e-5,
    )
    yield Case(
        "redundant-parallelogram-space",
        "joints whose reactions are named as not unique",
        "inverse",
        [("--to", "0.1", "--steps", "1")],
        lambda run: len(run["not_unique"]),
        6,
        "rank of the constraints: all that the load can go through",
        0,
        "json",
    )
    yield Case(
        "misaligned-four-bar-space",
        "`O.q1` at 2 s, an axis 2e-10 rad from parallel",
        "dynamics",
        [("--to", "2", "--steps", "4", "--columns", "O.q1")],
        last("O.q1"),
        MISALIGNED,
        MAXIMAL,
        1e-6,
    )
    for tolerance, allowed in (("1e-8", 1e-6), ("1e-10", 1e-7), (TIGHT, 1e-9)):
        yield Case(
            "four-bars-2-space",
            "`foot-1.q1` at 10 s, lying flat ten times",
            "dynamics",
            [("--to", "10", "--steps", "1", "--tol", tolerance, "--columns", "foot-1.q1")],
            last("foot-1.q1"),
            four_bars_angle(2, 10),
            "motion of one crank, by power series of order 30",
            allowed,
        )
    yield Case(
        "spinning-parallelogram-space",
        "`O.v1` at 2 s, lying flat at each half turn",
        "dynamics",
        [("--to", "2", "--steps", "4", "--columns", "O.v1")],
        last("O.v1"),
        10,
        "no force works: as at the start",
        1e-9,
    )
    for size in ("3", "1"):
        yield Case(
            f"four-bar-{size}um-space",
            f"`O.q1` at 1 s, ground of {size} µm",
            "dynamics",
            [("--to", "1", "--steps", "4", "--columns", "O.q1")],
            last("O.q1"),
            MICROMETRES,
            MAXIMAL,
            1e-8,
        )
    yield Case(
        "bricard-threefold",
        "energy over 2 s",
        "dynamics",
        [("--to", "2", "--steps", "4", "--columns", "energy.total", "--formulation", name) for name in IN_SPACE],
        kept("energy.total"),
        None,
        START,
        1e-8,
    )
    for command in ("kinematics", "inverse", "dynamics"):
        yield Case(
            "two-drivers-space",
            "time at which the drivers are said to contradict each other: off by 1e-8 m",
            command,
            [("--to", "1", "--steps", n) for n in ("1", "7", "100", "1000")],
            lambda ended: ended["t"] if ended["kind"] == "conflicting" else math.nan,
            two_drivers_time(1e-8),
            "distance of the ends of two cranks",
            1e-7,
            "outcome",
        )
    yield Case(
        "contradict-none",
        "energy over 1 s: two bodies are locked, the third swings",
        "dynamics",
        [("--to", "1", "--steps", "4", "--columns", "energy.total")],
        kept("energy.total"),
        None,
        START,
        1e-7,
    )
    yield Case(
        "van-der-pol",
        "`a.phi` at 20,000 s",
        "dynamics",
        [("--to", "20000", "--steps", "1", "--tol", "1e-11", "--columns", "a.phi")],
        last("a.phi"),
        VAN_DER_POL,
        "Radau IIA of order 5 in scipy, tolerances 1e-11 and 1e-12",
        1e-9,
    )


def defects_from_outside(page, program, pool):
    listed = list(cases())
    runs = [
        [pool.submit(getattr(program, case.gives), case.command, DATA / f"{case.model}.toml", *options) for options in case.runs]
        for case in listed
    ]
    rows = []
    for case, results in zip(listed, runs):
        found = [case.read(run.result()) for run in results]
        pairs = found if case.should is None else [(case.should, value) for value in found]
        exact, value = max(pairs, key=lambda pair: math.inf if math.isnan(pair[1]) else abs(pair[1] - pair[0]))
        off = abs(value - exact)
        command = as_written(case.command, case.runs)
        judged = page.judge(f"{case.model}: {command}: {case.asked}", off, case.allowed, len(pairs))
        state = "right" if off <= case.allowed else "wrong"
        rows.append([f"`{case.model}`", f"`{command}`", case.asked, number(exact), case.source, number(value, off), *judged, state])
    page.text(
        "## Defects found from outside",
        "",
        "Models on which runs once ended with wrong numbers and without a word, or with an error where there was none: loops next to "
        "singular positions, redundant ones, very small ones, and guards that ended honest work. They are kept in `tests/data`; in the commands "
        "the model is left out, and slashes stand between what several runs are given. Of several runs, and of all rows of a run where something "
        "is to stay, the worst is shown. Codes in maximal coordinates are quoted with all the digits they gave. Errors are absolute; runs at the "
        "default tolerance where none is named.",
    )
    page.table(["model", "command", "asked", "should be", "by", "ours", "error", "allowed", "state"], rows)
