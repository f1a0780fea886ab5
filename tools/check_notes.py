#!/usr/bin/env python3
"""Holds the formulas of the lecture notes, and ours, against derivatives that are taken from values alone.

    tools/check_notes.py            prints what the notes have otherwise than we: the label of its row in docs/theory, and how far off it is
    tools/check_notes.py --check    also compares labels and numbers with the tables of docs/theory

For each formula there are three numbers at a random state: that of the other road (tools/notes/road.py), ours and, where the notes differ,
that of the notes as they stand. Ends with 1 if ours is not the first to rounding, or if that of the notes is. Needs numpy; nothing of
the engine is used.
"""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from notes import forces, kane, plane, space, swimming
from notes.road import Table

THEORY = Path(__file__).resolve().parent.parent / "docs/theory"


def shown_on_pages():
    """Rows of tables that begin with a label: (page, label) and the last cell, which says how far off the notes are."""
    rows = {}
    for page in sorted(THEORY.glob("*.md")):
        for line in page.read_text().splitlines():
            if found := re.match(r"\| ([ACDFKMSV][0-9]+) \|.*\| ([^|]*) \|$", line):
                rows.setdefault(found[1], []).append((page.name, found[2]))
    return rows


def differences(table):
    shown = shown_on_pages()
    for label in sorted(shown.keys() | table.wrong_rows.keys()):
        if label not in table.wrong_rows:
            yield f"{shown[label][0][0]}: expected a label of tools/check_notes.py, found '{label}'"
        elif len(shown.get(label, [])) != 1:
            yield f"docs/theory: expected one row with the label {label}, found {len(shown.get(label, []))}"
        elif (number := f"{table.wrong_rows[label][1]:.2g}") != shown[label][0][1]:
            yield f"{shown[label][0][0]}: expected {number} in the last cell of row {label}, found '{shown[label][0][1]}'"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        raise SystemExit(f"check_notes: expected nothing or --check, found {' '.join(sys.argv[1:])}")
    table = Table()
    for part in (plane.general, plane.types, forces.forces, kane.arrays, space.vectors, space.one_body, space.recursion, swimming.swimming):
        part(table)
    for label, (name, error) in sorted(table.wrong_rows.items(), key=lambda row: (row[0][0], int(row[0][1:]))):
        print(f"{label:4} {name:60} {error:.2g}")
    print(f"{table.checked} formulas of ours agree with the other road to {table.worst:.0e}; "
          f"the notes as they stand differ in {len(table.wrong_rows)}")
    failures = table.failures + (list(differences(table)) if sys.argv[1:] else [])
    print("\n".join(failures), end="\n" if failures else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
