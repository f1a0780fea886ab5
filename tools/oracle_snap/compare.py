#!/usr/bin/env python3
"""Runs the program over the cases of tests/data/space-snap.json and says how far each is off.

    python3 tools/oracle_snap/compare.py PROGRAM [NAME ...]

An error is relative to the largest of the numbers of one kind (`.jx .jy .jz` of a body, all `.s` of a joint, ...) and 1e-3 of the
largest of that order in the whole case; a column that the program does not have is counted as missing.
"""

import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "space-snap.json"


def kind(column):
    return re.sub(r"(\d+|[wxyz])$", "", column)


def compare(program, case, folder):
    model, table = folder / "case.toml", folder / "case.csv"
    model.write_text(case["model"])
    table.unlink(missing_ok=True)
    command = [program, case["command"], str(model), "--to", str(case["to"]), "--steps", str(case["steps"]), "--tol", "1e-12", "-o", str(table), "--quiet"]
    if case["command"] != "dynamics":
        del command[command.index("--tol"):command.index("-o")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if not table.exists():
        return print(f"{case['name']:26} no table: {run.stderr.strip()[:300]}")
    rows = {float(row["t"]): row for row in csv.DictReader(table.open())}
    sizes = {}
    for time, column, value in case["values"]:
        sizes[kind(column)] = max(sizes.get(kind(column), 0), abs(value))
        order = "all " + kind(column).rsplit(".")[-1]
        sizes[order] = max(sizes.get(order, 0), abs(value))
    errors, missing = [], set()
    for time, column, value in case["values"]:
        row = rows.get(float(time), {})
        if column not in row:
            missing.add(kind(column).rsplit(".")[-1])
            continue
        size = max(sizes[kind(column)], 1e-3 * sizes["all " + kind(column).rsplit(".")[-1]]) or 1
        errors.append((abs(float(row[column]) - value) / size, time, column, value, float(row[column])))
    print(f"{case['name']:26} {len(errors):4} compared, worst " + (f"{max(errors)[0]:.1e} {max(errors)[1:]}" if errors else "none")
          + (f"  missing: {' '.join(sorted(missing))}" if missing else ""))


def main(program, names):
    with tempfile.TemporaryDirectory() as folder:
        for case in json.loads(DATA.read_text())["cases"]:
            if not names or case["name"] in names:
                compare(program, case, pathlib.Path(folder))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
