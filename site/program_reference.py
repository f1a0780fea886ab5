"""The reference of commands and columns, asked from the program: the help of every command, and the columns of the models' reports."""

import json
import re
import subprocess

KINDS = {
    "body": "body `NAME`",
    "point": "point `NAME.P` of a body",
    "joint": "joint `NAME`",
    "loop": "loop `NAME`",
    "driver": "driver `NAME`",
    "force": "force `NAME`",
    "sum": "the whole mechanism",
}


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout.rstrip()


def commands(program):
    """A page with the help of the program and of each of its commands."""
    general = help_of(program)
    found = re.search(r"^Subcommands:\n(.*?)\n\n", general, re.DOTALL | re.MULTILINE)
    if not found:
        raise SystemExit("program_reference: expected 'Subcommands:' in the output of jounce --help")
    listed = re.findall(r"^  (\w+) +(.+)$", found[1], re.MULTILINE)
    out = [
        "# Commands",
        "What `jounce --help` and `jounce COMMAND --help` print. The [guide](../guide/command-line.md) shows what the commands are good for.",
        "| command | what it does |\n|---|---|\n" + "\n".join(f"| [{name}](#{name}) | {what} |" for name, what in listed),
    ]
    for name, _ in listed:
        out.append(f"## {name}\n\n```text\n{help_of(program, name)}\n```")
    ending = general[found.end() :].strip()
    return "\n\n".join([*out, f"## Examples and exit codes\n\n```text\n{ending}\n```"]) + "\n"


def data_of(report):
    """The document that a report carries, without its numbers."""
    found = re.search(r'id="jounce-data">(.*?)</script>', report.read_text(), re.DOTALL)
    return json.loads(found[1])


def column_kinds(document):
    """(kind of owner, its type, column with NAME for the owner, unit, group) of every column."""
    scene = document["scene"]
    elements = {e["name"]: (e["group"], e["type"]) for e in scene["elements"]}
    bodies = {b["name"] for b in scene["bodies"]}
    for column in document["columns"]:
        owner, name = column.get("owner"), column["name"]
        suffix = re.sub(r"\d+", "1", name.rpartition(".")[2])
        if owner in elements:
            kind = elements[owner]
        elif owner in bodies:
            kind = ("body", "")
        else:
            kind = ("point", "") if owner and owner.rpartition(".")[0] in bodies else ("sum", "")
        shown = name if kind[0] == "sum" else ("NAME.P." if kind[0] == "point" else "NAME.") + suffix
        yield *kind, shown + (" …" if "1" in suffix else ""), column["unit"], column["group"]


def columns(program, model, folder):
    """A page with every column of the reports in a folder, and of a model that has what they lack."""
    table, more = folder / "columns.csv", folder / "columns.html"
    subprocess.run([program, "run", model, "--quiet", "-o", table, "--report", more], check=True)
    documents = [data_of(report) for report in sorted(folder.glob("*.html"))]
    table.unlink()
    more.unlink()
    seen = {"plane": {}, "3d": {}}  # space → (kind, group, unit) → column → types
    for document in documents:
        of_space = seen[document["model"]["space"]]
        for kind, type_, shown, unit, group in column_kinds(document):
            of_space.setdefault((kind, group, unit), {}).setdefault(shown, set()).add(type_)
    out = [
        "# Columns",
        "Every column of the results, read from runs: those of the [gallery](../gallery.md), whose types are named, and one more. `NAME` is the name in the model file; a number goes "
        "up to as many as there are (`…`). What they mean, signs and axes: [results](../guide/results.md). `kinematics` has times, "
        "positions, velocities and what is above; the rest needs masses and comes with `inverse`, `dynamics` and `equilibrium`, "
        "`lambda1_rate` with `dynamics`.",
    ]
    for space, title in (("plane", "In the plane"), ("3d", "In space")):
        rows = []
        for (kind, group, unit), names in sorted(seen[space].items(), key=lambda item: list(KINDS).index(item[0][0])):
            types = sorted(set().union(*names.values()) - {""})
            cells = " ".join(f"`{n.removesuffix(' …')}`" + (" …" if n.endswith("…") else "") for n in names)
            rows.append(f"| {KINDS[kind]} | {group.replace('-', ' ')} | {cells} | {unit} | {', '.join(types)} |")
        out.append(f"## {title}\n\n| of | kind | columns | unit | seen with |\n|---|---|---|---|---|\n" + "\n".join(rows))
    return "\n\n".join(out) + "\n"
