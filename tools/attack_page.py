"""The section of docs/validation.md about attacks and fuzzing: what long runs have counted. For tools/validation.py.

The counts are kept in tools/attack/record.json, to which `tools/attack/attack.py --record` adds; no validation repeats hours of work, the test 7_attack a piece.
"""

import json
from collections import Counter

from validation_page import ROOT, error

RECORD = ROOT / "tools/attack/record.json"
FEWEST = 5  # rarer reasons are shown together


def thousands(n):
    return f"{n:,}".replace(",", " ")


def attack_section(page):
    if not RECORD.exists():
        return
    record = json.loads(RECORD.read_text())
    counts = record["counts"]
    total = sum(counts["mechanisms"].values())
    page.text(
        "## Attack",
        "",
        "Random closed linkages of plane and space: trees with one to four loops of every type, redundant ones (planar loops in space, parallelograms, "
        "Bennett, Bricard), ones that pass singular positions (parallelograms, equal four-bars, N four-bars), axes and lengths that are almost equal (1e-12 to "
        "1e-6), sizes from 1e-6 to 1e3 m. Each is taken through the analyses and computed in several ways, and instants are held against an oracle in "
        "maximal coordinates ([how](../CONTRIBUTING.md#attack)). *Wrong quietly* are numbers that differ beyond what the tolerance explains, from runs that end "
        "without an error or a warning.",
        "",
        "```sh",
        "./dev attack 3600",
        "```",
        "",
        f"{thousands(total)} mechanisms, {thousands(sum(counts['analyses'].values()))} analyses, {thousands(sum(counts['compared'].values()))} comparisons, "
        f"{thousands(sum(counts['refusals'].values()))} refusals, **{record['wrong']} numbers wrong quietly**.",
        "",
        *(["What they are: " + "; ".join(record["found"]) + ".", ""] if "found" in record else []),
        "Mechanisms: " + ", ".join(f"{thousands(n)} {name}" for name, n in sorted(counts["mechanisms"].items(), key=lambda x: -x[1])) + ". Analyses: "
        + ", ".join(f"{thousands(n)} {name}" for name, n in sorted(counts["analyses"].items(), key=lambda x: -x[1])) + ".",
        "",
        "The largest differences of runs that agreed, at the usual tolerance of 1e-8, in units of the mechanism (positions in its lengths and radians, the others "
        "against the largest of the run):",
    )
    kinds = ("position", "velocity", "acceleration", "reaction", "energy")
    rows = []
    for check, times in sorted(counts["compared"].items()):
        worst = record["worst"].get(check, {})
        if worst:
            rows.append([check, thousands(times), *(error(worst[k]) if k in worst else "" for k in kinds)])
    page.table(["comparison", "times", *kinds], rows)
    reasons = Counter()
    for what, n in counts["refusals"].items():
        reasons[what.partition(" | ")[2]] += n
    rare = [r for r, n in reasons.items() if n < FEWEST]
    shown = [[f"{r}", thousands(n)] for r, n in reasons.most_common() if n >= FEWEST]
    if rare:
        shown.append([f"{len(rare)} other reasons", thousands(sum(reasons[r] for r in rare))])
    page.text("Refusals by their reason, names and numbers left out; a run at a dead point or a change point of a driven motion is among them:")
    page.table(["what the program said", "times"], shown)
    fuzz = record.get("fuzz", {})
    if fuzz:
        page.text(
            "### Fuzzing",
            "",
            "Inputs that libFuzzer made of the models, broken models, expressions and robots of the tests, under the address and undefined-behaviour sanitizers "
            "(`./dev fuzz`): an input that crashes, is answered without a place or a sentence, or takes more than 10 s ends the run.",
        )
        page.text("What crashed earlier is mended and has a test; the counts are of runs after that.")
        page.table(["reader", "inputs", "crashed", "too slow"], [[name, thousands(f["inputs"]), str(f["crashed"]), str(f["slow"])] for name, f in sorted(fuzz.items())])
