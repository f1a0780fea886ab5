#!/usr/bin/env python3
"""Draws what `./dev bench formulations FILE.csv` measured: time per evaluation of accelerations against the number of bodies.

usage: tools/plot_formulations.py FILE.csv [FOLDER]     (docs/figures unless told)

One SVG for each of the mechanisms `chain` and `fourbars`. Only the standard library is needed. Axes and text take the colour of the page
(currentColor), so that the figures can be read on light and dark ground where they are part of the page; as images they bring a rule for
both.
"""

import csv
import math
import os
import sys
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 470
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 46, 56
LABEL_GAP = 16  # between labels at the ends of lines, at least
# Six colours that stay apart for the colour-blind and on both grounds, and one for the reference.
COLOURS = {
    "lagrange": "#0a84d8",
    "kkt": "#e07b00",
    "nullspace": "#9a6bd8",
    "kane": "#d6336c",
    "crba": "#1a9c5b",
    "aba": "#b08a00",
    "space aba": "#8a8f98",
}
TITLES = {
    "chain": "Open chain of pinned rods",
    "fourbars": "N four-bars side by side",
}
LABELS = {"space aba": "tree::aba (space)"}


def read(path):
    """mechanism -> formulation -> [(bodies, microseconds)], of single evaluations."""
    out = {}
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        wanted = {"mechanism", "task", "formulation", "bodies", "microseconds"}
        if not wanted <= set(rows.fieldnames or []):
            sys.exit(f"{path}: expected the columns {', '.join(sorted(wanted))}, found {', '.join(rows.fieldnames or ['none'])}")
        for row in rows:
            if row["task"] == "evaluation":
                lines = out.setdefault(row["mechanism"], {})
                lines.setdefault(row["formulation"], []).append((int(row["bodies"]), float(row["microseconds"])))
    return out


class Axes:
    """From bodies and microseconds to places on the page, both by logarithm."""

    def __init__(self, lines):
        points = [p for line in lines.values() for p in line]
        self.x = (min(n for n, _ in points) / 1.15, max(n for n, _ in points) * 1.1)
        self.y = (10 ** math.floor(math.log10(min(t for _, t in points))), 10 ** math.ceil(math.log10(max(t for _, t in points))))

    def across(self, bodies):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(bodies / self.x[0]) / math.log(self.x[1] / self.x[0])

    def up(self, microseconds):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log(microseconds / self.y[0]) / math.log(self.y[1] / self.y[0])


def duration(microseconds):
    """0.1 µs, 10 µs, 1 ms."""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= size:
            return f"{microseconds / size:g} {unit}"
    return f"{microseconds:g} µs"


def grid(axes):
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    out = [f'<rect class="frame" x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}"/>']
    decade = axes.y[0]
    while decade <= axes.y[1] * 1.01:
        y = axes.up(decade)
        out.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{right}"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{duration(decade)}</text>')
        decade *= 10
    for bodies in (2, 5, 10, 20, 50, 100, 200, 500, 1000):
        if axes.x[0] <= bodies <= axes.x[1]:
            x = axes.across(bodies)
            out.append(f'<path class="grid" d="M{x:.1f} {TOP}V{bottom}"/>')
            out.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{bodies}</text>')
    out.append(f'<text x="{(LEFT + right) / 2:.0f}" y="{HEIGHT - 14}" text-anchor="middle">moving bodies</text>')
    return out


def apart(wanted):
    """Heights as near to the wanted ones as the gap between labels allows; in ascending order."""
    groups = [[y, 1] for y in wanted]  # middle and number of labels that push each other
    i = 1
    while i < len(groups):
        (a, n), (b, m) = groups[i - 1], groups[i]
        if b - a < LABEL_GAP * (n + m) / 2:
            groups[i - 1 : i + 1] = [[(a * n + b * m) / (n + m), n + m]]
            i = max(i - 1, 1)
        else:
            i += 1
    return [middle + LABEL_GAP * (k - (n - 1) / 2) for middle, n in groups for k in range(n)]


def figure(mechanism, lines):
    axes = Axes(lines)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(TITLES[mechanism])}: time per evaluation of accelerations</title>",
        "<style>svg{color:#24292f;font:13px system-ui,sans-serif}"
        "@media(prefers-color-scheme:dark){svg{color:#d5dae0}}"
        "text{fill:currentColor}.frame{fill:none;stroke:currentColor;stroke-opacity:.55}"
        ".grid{stroke:currentColor;stroke-opacity:.13}.line{fill:none;stroke-width:2.2;stroke-linejoin:round}"
        ".to{fill:none;stroke-opacity:.5}.title{font-size:15px;font-weight:600}.name{font-weight:600}</style>",
        f'<text class="title" x="{LEFT}" y="20">{escape(TITLES[mechanism])}</text>',
        f'<text x="{LEFT}" y="38" fill-opacity=".75">time per evaluation of accelerations</text>',
        *grid(axes),
    ]
    ends = []
    for name in COLOURS:
        if name not in lines:
            continue
        places = [(axes.across(n), axes.up(t)) for n, t in lines[name]]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        dashes = ' stroke-dasharray="5 4"' if name in LABELS else ""
        out.append(f'<path class="line" stroke="{COLOURS[name]}"{dashes} d="{path}"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.8" fill="{COLOURS[name]}"/>' for x, y in places]
        ends.append((places[-1][1], places[-1][0], name))
    # A line that stops before the right edge is labelled above its end, clear of those below; the others one under the other at the edge.
    edge = WIDTH - RIGHT
    full = sorted(e for e in ends if e[1] > edge - 30)
    for (y, x, name), label in zip(full, apart([e[0] for e in full])):
        out.append(f'<path class="to" stroke="{COLOURS[name]}" d="M{x + 4:.1f} {y:.1f}L{edge + 8} {label:.1f}"/>')
        out.append(label_at(edge + 12, label, name))
    out += [label_at(x + 4, y - 14, name, "end") for y, x, name in ends if x <= edge - 30]
    return "\n".join([*out, "</svg>", ""])


def label_at(x, y, name, anchor="start"):
    text = escape(LABELS.get(name, name))
    return f'<text class="name" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}" style="fill:{COLOURS[name]}">{text}</text>'


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    measured = read(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "figures")
    os.makedirs(folder, exist_ok=True)
    for mechanism in TITLES:
        if mechanism not in measured:
            sys.exit(f"{sys.argv[1]}: expected rows of the mechanism '{mechanism}', found {', '.join(sorted(measured)) or 'none'}")
        path = os.path.join(folder, f"formulations-{mechanism}.svg")
        with open(path, "w", encoding="utf-8") as file:
            file.write(figure(mechanism, measured[mechanism]))
        print(os.path.normpath(path))


if __name__ == "__main__":
    main()
