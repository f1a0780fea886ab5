"""Runs as figures and as what a notebook shows."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import matplotlib.figure

    from .run import Run

_WIDTH, _PANEL = 8.0, 2.4  # inches
_ROWS = 10  # of a table in a notebook
_SHOWN = 8  # columns of it
_CURVES = 6  # of a figure that nobody asked for in particular


def plot(run: Run, columns: tuple[str, ...], x: str, title: str | None, figsize: tuple[float, float] | None, shown: dict[str, tuple[str, float]]) -> matplotlib.figure.Figure:
    """Columns of one unit share a panel; panels stand above each other over one axis. ``shown``: of each column its unit and factor."""
    from matplotlib.figure import Figure

    if len(run) == 0:
        raise ValueError(f"plot: the run has no rows: {run.reason or run.outcome}")
    names = [name for name in (run.select(*columns) if columns else telling(run)[:_CURVES]) if name != x]
    if not names:
        raise ValueError("plot: expected a column beside the one along the axis")
    panels: dict[str, list[str]] = {}
    for name in names:
        panels.setdefault(shown[name][0], []).append(name)
    figure = Figure(figsize=figsize or (_WIDTH, _PANEL * len(panels) + 0.8), layout="constrained")
    along = run[x] * shown[x][1]
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (unit, group) in zip(axes, panels.items(), strict=True):
        for name in group:
            axis.plot(along, run[name] * shown[name][1], label=name, marker="o" if len(run) == 1 else None)
        label = group[0] if len(group) == 1 else ""
        axis.set_ylabel(" ".join(part for part in (label, f"[{unit}]" if unit else "") if part))
        if len(group) > 1:
            axis.legend(loc="best", fontsize="small")
        axis.grid(alpha=0.3)
        if run.unit(x) == "m" and all(run.unit(name) == "m" for name in group):  # a path
            axis.set_aspect("equal", adjustable="datalim")
    axes[-1].set_xlabel(f"{x} [{shown[x][0]}]" if shown[x][0] else x)
    axes[0].set_title(run.mechanism.name if title is None else title)
    return figure


def run_html(run: Run) -> str:
    """A line, a table of the first and last rows, and the report in a frame that can reach nothing outside it."""
    parts = [f"<p><b>{escape(run.mechanism.name)}</b>: {escape(run.analysis)}, {escape(run.outcome)}, {len(run)} rows, {len(run.columns)} columns</p>"]
    if run.reason:
        parts.append(f"<p>{escape(run.reason)}</p>")
    parts.append(_table(run))
    try:
        page = run.report()
    except ValueError:  # of a run that keeps some of its columns, or a build without reports
        page = None
    if page:
        parts.append(f'<iframe sandbox="allow-scripts allow-downloads" srcdoc="{escape(page)}" style="width:100%;height:640px;border:1px solid #8884"></iframe>')
    return "".join(parts)


# What a person looks for first: what the motors need and the joints bear, then how it moves.
_FIRST = ("effort", "measure", "reaction", "tension", "force", "energy", "position", "joint-position", "velocity", "joint-velocity")


def telling(run: Run) -> list[str]:
    """The columns that change otherwise than evenly, in the order in which one wants to know them: what stands still, and turns or slides as its motor
    says, tells nothing."""
    groups = {name: (group, owner) for name, (_, group, owner) in zip(run.columns, run._engine.descriptions, strict=True)}
    motors = {("reaction", owner) for group, owner in groups.values() if group == "effort"}  # the effort says the same
    changing = [name for name in run.columns if name != "t" and _changes(run[name])]
    bent = [name for name in changing if groups[name][0] in _FIRST and groups[name] not in motors and not _even(run[name], run.t)]
    return sorted(bent, key=lambda name: _FIRST.index(groups[name][0])) or changing or [name for name in run.columns if name != "t"]


def _changes(values: npt.NDArray[np.float64]) -> bool:
    if len(values) < 2:
        return bool(len(values) and values[0] != 0)
    low, high = np.nanmin(values), np.nanmax(values)
    return bool(high - low > 1e-9 * max(abs(low), abs(high)))


def _even(values: npt.NDArray[np.float64], t: npt.NDArray[np.float64]) -> bool:
    if len(values) < 3 or t[-1] == t[0]:
        return False
    line = values[0] + (values[-1] - values[0]) * (t - t[0]) / (t[-1] - t[0])
    return bool(np.nanmax(np.abs(values - line)) < 1e-6 * np.nanmax(np.abs(values)))


def _table(run: Run) -> str:
    wanted = telling(run)
    shown = [name for name in run.columns if name == "t"] + wanted[: _SHOWN - 1]
    rows = list(range(len(run))) if len(run) <= _ROWS else [*range(_ROWS // 2), -1, *range(len(run) - _ROWS // 2, len(run))]
    head = "".join(f"<th>{escape(name)}<br><small>{escape(run.unit(name))}</small></th>" for name in shown)
    left = len(run.columns) - len(shown)
    more = f"<th>and {left} more</th>" if left > 0 else ""
    body = "".join(
        "<tr>" + "".join(f"<td>{run[name][i]:.6g}</td>" if i >= 0 else "<td>…</td>" for name in shown) + "</tr>" for i in rows
    )
    return f"<table><thead><tr>{head}{more}</tr></thead><tbody>{body}</tbody></table>"
