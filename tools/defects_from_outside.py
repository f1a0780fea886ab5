"""Wrong numbers that were found from outside, one model each in tests/data: what they should be, and what a run made now gives.

For tools/validation.py. The runs do not depend on each other and share the processors.
"""

from validation_page import ROOT, TIGHT, number
from published_problems import four_bars_angle

DATA = ROOT / "tests/data"
IN_SPACE = ("aba", "crba", "lagrange", "kkt", "nullspace")

# The loop closure in 40 digits.
NEAR_PARALLELOGRAM = 1.0000642057133229
# Maximal coordinates, by code that shares nothing with this program; all its digits.
DAMPED_BENNETT, MISALIGNED, MICROMETRES = -1.89162, 0.198064, -0.43270991
# Radau IIA of order 5 in scipy, at tolerances of 1e-11 and 1e-12.
VAN_DER_POL = 1.7055751812


def listing(names):
    return ", ".join(names[:-1]) + " and " + names[-1]


def last(column):
    return lambda table: table[column][-1]


def kept(column):
    """What it was at the start, and the row that is farthest from it."""
    return lambda table: (table[column][0], max(table[column], key=lambda x: abs(x - table[column][0])))


def cases():
    """Model, what is asked, command, options of each run, what of its table (with or without what it should be), that, allowed."""
    yield (
        "near-parallelogram-space",
        "`D.q1` at 1 s, with 1, 20, 97 and 1000 rows",
        "kinematics",
        [("--to", "1", "--steps", n, "--columns", "D.q1") for n in ("1", "20", "97", "1000")],
        last("D.q1"),
        NEAR_PARALLELOGRAM,
        1e-13,
    )

    for names, allowed in ((IN_SPACE[:2], 1e-10), (IN_SPACE[2:], 1e-9)):
        yield (
            "bennett",
            f"energy over 1.5 s, by {listing(names)}",
            "dynamics",
            [("--to", "1.5", "--steps", "2", "--columns", "energy.total", "--formulation", name) for name in names],
            kept("energy.total"),
            None,
            allowed,
        )
    yield (
        "bennett-damped",
        "`J1.v1` at 1.5 s, by every formulation",
        "dynamics",
        [("--to", "1.5", "--steps", "2", "--columns", "J1.v1", "--formulation", name) for name in IN_SPACE],
        last("J1.v1"),
        DAMPED_BENNETT,
        1e-5,
    )
    yield (
        "misaligned-four-bar-space",
        "`O.q1` at 2 s, an axis 2e-10 rad from parallel",
        "dynamics",
        [("--to", "2", "--steps", "4", "--columns", "O.q1")],
        last("O.q1"),
        MISALIGNED,
        1e-6,
    )
    for tolerance, allowed in (("1e-8", 1e-6), ("1e-10", 1e-7), (TIGHT, 1e-9)):
        yield (
            "four-bars-2-space",
            f"`foot-1.q1` at 10 s, lying flat ten times, tolerance {tolerance}",
            "dynamics",
            [("--to", "10", "--steps", "1", "--tol", tolerance, "--columns", "foot-1.q1")],
            last("foot-1.q1"),
            four_bars_angle(2, 10),
            allowed,
        )
    yield (
        "spinning-parallelogram-space",
        "`O.v1` over 2 s, lying flat at each half turn",
        "dynamics",
        [("--to", "2", "--steps", "4", "--columns", "O.v1")],
        last("O.v1"),
        10,
        1e-9,
    )
    for size in ("3", "1"):
        yield (
            f"four-bar-{size}um-space",
            f"`O.q1` at 1 s, ground of {size} µm",
            "dynamics",
            [("--to", "1", "--steps", "4", "--columns", "O.q1")],
            last("O.q1"),
            MICROMETRES,
            1e-8,
        )
    yield (
        "bricard-threefold",
        "energy over 2 s, by every formulation",
        "dynamics",
        [("--to", "2", "--steps", "4", "--columns", "energy.total", "--formulation", name) for name in IN_SPACE],
        kept("energy.total"),
        None,
        1e-8,
    )
    yield (
        "contradict-none",
        "energy over 1 s: two bodies are locked, the third swings",
        "dynamics",
        [("--to", "1", "--steps", "4", "--columns", "energy.total")],
        kept("energy.total"),
        None,
        1e-7,
    )
    yield (
        "van-der-pol",
        "`a.phi` at 20,000 s, tolerance 1e-11",
        "dynamics",
        [("--to", "20000", "--steps", "1", "--tol", "1e-11", "--columns", "a.phi")],
        last("a.phi"),
        VAN_DER_POL,
        1e-9,
    )


def defects_from_outside(page, program, pool):
    listed = list(cases())
    runs = [
        [pool.submit(program.table, command, DATA / f"{model}.toml", *options) for options in each]
        for model, _, command, each, *_ in listed
    ]
    redundant = pool.submit(program.json, "inverse", DATA / "redundant-parallelogram-space.toml", "--to", "0.1", "--steps", "1")
    rows = []
    for (model, asked, _, _, read, should, allowed), results in zip(listed, runs):
        found = [read(run.result()) for run in results]
        pairs = found if should is None else [(should, value) for value in found]
        exact, value = max(pairs, key=lambda pair: abs(pair[1] - pair[0]))
        off = abs(value - exact)
        judged = page.judge(f"{model}: {asked}", off, allowed, len(pairs))
        rows.append([f"`{model}`", asked, number(exact), number(value, off), *judged])
    named = len(redundant.result()["not_unique"])
    judged = page.judge("redundant-parallelogram-space: joints named", abs(named - 6), 0)
    rows.append(["`redundant-parallelogram-space`", "joints whose reactions are named as not unique", "6", str(named), *judged])
    page.text(
        "## Defects found from outside",
        "",
        "Models on which runs once ended with wrong numbers and without a word, or with an error where there was none: loops next to "
        "singular positions, redundant ones, very small ones, and guards that ended honest work. They are kept in `tests/data`. Where "
        "something is asked of several runs, the worst is shown. *Should be*: closed forms; codes in maximal coordinates that share nothing "
        "with this program, with all the digits they gave; energies, which stay what they are at the start. Errors are absolute; runs at "
        "the default tolerance where none is named.",
    )
    page.table(["model", "asked", "should be", "ours", "error", "allowed"], rows)
