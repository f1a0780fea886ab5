"""Loops and stiff motion of space against references of higher precision, and every column to snap. For tools/validation.py.

Bricard's mechanism and the flyball governor: tests/data/space-references.json. To snap: tests/data/space-snap.json (tools/oracle_snap).
"""

import json
import re

from validation_page import ROOT, error, number, row_at

REFERENCES = {  # tolerance of the run, error allowed
    "bricard-a04": ("Bricard's mechanism (IFToMM A04)", "1e-12", 1e-10),
    "flyball-governor-a05": ("Flyball governor (IFToMM A05)", "1e-10", 1e-8),
}
AT_ONCE, INTEGRATED = 1e-10, 1e-9
ORDERS = (("jerk", r"\.a?j(\d+|[xyz])$"), ("snap", r"\.a?s(\d+|[xyz])$"), ("λ", r"\.lambda\d+$"), ("λ′", r"\.lambda\d+_rate$"), ("the rest", ""))


def loops_and_stiffness(page, program):
    rows = []
    for case in json.loads((ROOT / "tests/data/space-references.json").read_text())["cases"]:
        title, tolerance, allowed = REFERENCES[case["name"]]
        model = program.write(case["name"] + ".toml", case["model"])
        table = program.table("dynamics", model, "--to", str(case["to"]), "--steps", str(case["steps"]), "--tol", tolerance)
        worst, last = {}, {}
        for t, column, exact in case["values"]:
            value = table[column][row_at(table, t)]
            worst[column] = max(worst.get(column, 0.0), abs(value - exact) / max(1, abs(exact)))
            last[column] = (t, exact, value)
        for column, (t, exact, value) in last.items():
            judged = page.judge(f"{title}: {column}", worst[column], allowed, sum(v[1] == column for v in case["values"]))
            rows.append([title, f"`{column}`", tolerance, f"{t:g} s", number(exact), number(value, allowed), *judged])
    page.text(
        "### Bricard's mechanism and the flyball governor (IFToMM A04 and A05)",
        "",
        "Six hinges in a ring that by counting could not move, swinging under its weight for two periods; and a governor with springs of "
        "8e5 N/m, which is stiff. The exact motion of the ring is a quadrature of its energy with 26 digits, that of the governor an "
        "integration of its two equations by Radau's method of order 17 (`tests/data/space-references.json`). Shown are the last numbers; "
        "errors are the worst of all times, relative, or absolute below 1.",
    )
    page.table(["", "column", "tolerance", "t", "exact", "ours", "error", "allowed"], rows)


def kind(column):
    return re.sub(r"(\d+|[wxyz])$", "", column)


def ending(column):
    return kind(column.rsplit(".", 1)[-1])


def sizes_of(values):
    """The largest of each kind on one element, and of each ending on all."""
    out = {}
    for _, column, value in values:
        for name in (kind(column), " " + ending(column)):
            out[name] = max(out.get(name, 0), abs(value))
    return out


def to_snap(page, program):
    rows, analyses = [], {}
    for case in json.loads((ROOT / "tests/data/space-snap.json").read_text())["cases"]:
        tolerance = ["--tol", "1e-12"] if case["command"] == "dynamics" else []
        model = program.write("case.toml", case["model"])
        table = program.table(case["command"], model, "--to", str(case["to"]), "--steps", str(case["steps"]), *tolerance)
        sizes, worst, share, allowed_most = sizes_of(case["values"]), {}, 0.0, AT_ONCE
        for t, column, exact in case["values"]:
            of = max(sizes[kind(column)], 1e-3 * sizes[" " + ending(column)], 1e-2)
            off = abs(table[column][row_at(table, t)] - exact) / of
            order = next(name for name, pattern in ORDERS if re.search(pattern, column))
            worst[order] = max(worst.get(order, 0.0), off)
            allowed = INTEGRATED if case["command"] == "dynamics" and t > 0 else AT_ONCE
            allowed_most, share = max(allowed_most, allowed), max(share, off / allowed)
        judged = page.judge(f"to snap: {case['name']}", max(worst.values()), allowed_most, len(case["values"]), share)
        cells = [error(worst[name]) if name in worst else "" for name, _ in ORDERS]
        rows.append([case["name"], case["command"], str(len(case["values"])), *cells, judged[1]])
        analyses[case["command"]] = analyses.get(case["command"], 0) + 1
    page.text(
        "## Space to snap",
        "",
        f"{len(rows)} mechanisms of every joint, loop, coupling and force of space ({', '.join(f'{n} {a}' for a, n in analyses.items())}): "
        "all columns to the fourth derivative, multipliers and their rates, against equations in maximal coordinates with 50 digits and closed forms "
        "(heavy top, Euler's top, spherical pendulum, Hooke joint, RSSR): `tests/data/space-snap.json`, made by `tools/oracle_snap`. Errors are "
        "relative to the largest of the kind on one element. Rows of forward dynamics behind the start are integrated, at 1e-12 a step.",
    )
    page.table(["mechanism", "analysis", "numbers", *(f"{name}, error" for name, _ in ORDERS), "allowed"], rows)
