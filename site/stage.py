#!/usr/bin/env python3
"""Collects the pages of the documentation site: docs/, the README and its companions, a page for every model, the references.

usage: site/stage.py FOLDER [--program build/jounce]

FOLDER/pages receives the pages, FOLDER/mkdocs.yml the configuration with the navigation. Links between files of the project become
links between pages; a file that no page is made of (a header, a script) becomes a page that shows it. Pictures are drawn and reports
are written by the program, where it can. Only the standard library of Python is needed.
"""

import argparse
import html
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cpp_reference
import program_reference
import python_reference

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = {
    ".hpp": "cpp",
    ".cpp": "cpp",
    ".py": "python",
    ".toml": "toml",
    ".json": "json",
    ".cmake": "cmake",
    ".sh": "sh",
    ".ts": "ts",
}

# Order for a newcomer; what a folder has beyond these follows by title.
GUIDE = [
    "first-mechanism",
    "first-arm",
    "model-file",
    "command-line",
    "results",
    "report",
    "studio",
    "figures",
    "comparing",
    "from-python",
    "from-cpp",
    "algorithms",
    "messages",
    "studio-and-others",
]
THEORY = [
    "constraints",
    "constraints-by-hand",
    "series",
    "assembly-and-mobility",
    "singular-positions",
    "forces",
    "friction",
    "multipliers-and-reactions",
    "third-order-equations",
    "taylor-integrator",
    "choosing-a-method",
    "equilibrium",
    "goals",
    "formulations",
    "kane",
    "kernels",
    "spatial-vectors",
    "spatial-orders",
    "hybrid-dynamics",
    "free-swimming",
    "loops",
    "three-formulations",
]
REFERENCE = [
    "index",
    "joints",
    "drivers",
    "forces",
    "shapes",
    "spatial-joints",
    "loops-and-couplings",
    "spatial-forces",
    "spatial-shapes",
]
# Pages from outside docs, and pages of docs that get another place.
PLACES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "models/README.md": "models.md",
}


# A picture for light and one for dark ground, as the documents write them.
PICTURE = re.compile(
    r'<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img alt="([^"]*)" src="([^"]+)">\s*</picture>'
)

# Pages that have a tab for themselves: no list of pages beside them.
ALONE = {"index.md", "performance.md", "validation.md"}


def title_of(text, otherwise):
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1].strip() if found else otherwise


# Where an underscore or a hat is none of mathematics in plain text: code, equations, links, markup, headings (they have anchors).
NOT_PLAIN = re.compile(r"`[^`]*`|\$\$.*?\$\$|\$[^$\n]*\$|\]\([^)]*\)|<[^>]*>|^#.*?$", re.DOTALL | re.MULTILINE)
MARKS = "\u0300-\u036f"  # accents that follow their letter
LOWERED = [
    (re.compile(rf"(?<=[\w{MARKS}′\])])_([a-zA-Z0-9α-ω])(?![a-zA-Z0-9α-ω_{{])"), "sub"),  # Φ_q
    (re.compile(rf"(?<!\w)([^\W\d_][{MARKS}]*′?)_([a-zA-Z0-9α-ω]{{2,7}})(?![a-zA-Z0-9α-ω_])"), None),  # f_ext, of one letter only
    (re.compile(rf"(?<=[\w{MARKS}′\])])_\{{([^{{}}]*)\}}"), "sub"),  # q_{k−1}
    (re.compile(rf"(?<=[\w{MARKS}′\])])\^\{{([^{{}}]*)\}}"), "sup"),  # p^{j→c}
]


def with_subscripts(text):
    """Formulas in sentences, written as plain text (v_j, q_{k−1}), with real subscripts."""

    def lowered(plain):
        for pattern, tag in LOWERED:
            plain = pattern.sub(rf"<{tag}>\1</{tag}>" if tag else r"\1<sub>\2</sub>", plain)
        return plain

    out, at = [], 0
    for found in NOT_PLAIN.finditer(text):
        out += [lowered(text[at : found.start()]), found[0]]
        at = found.end()
    return "".join([*out, lowered(text[at:])])


def page_of(path):
    """Where a file of the project (path from the root) is in the site, or nothing when it is no page or asset by itself."""
    if path in PLACES:
        return PLACES[path]
    if path.startswith("docs/"):
        return path[5:]
    card = re.fullmatch(r"models/([^/]+)/(card\.md|model\.toml)", path)
    return f"gallery/{card[1]}.md" if card else None


class Stage:
    def __init__(self, folder, program):
        self.folder, self.pages, self.program = folder, folder / "pages", program
        self.shown = {}  # files of the project that pages link to: path from the root → page
        if self.pages.exists():
            shutil.rmtree(self.pages)
        self.pages.mkdir(parents=True)

    def write(self, place, text):
        path = self.pages / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    # ---- markdown as GitHub reads it, to markdown as MkDocs reads it ----

    def link(self, source, place, target):
        """A link that stood in `source` (path from the root), as it must be in the page `place`."""
        if re.match(r"[a-z]+:|#", target):
            return target
        file, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), file))
        page = page_of(path) if (ROOT / path).is_file() else None
        if page is None and (ROOT / path).is_file():
            page = self.shown.setdefault(path, f"code/{path}.md")
        if page is None:
            return None
        return posixpath.relpath(page, posixpath.dirname(place) or ".") + ("#" + anchor if anchor else "")

    def converted(self, text, source, place):
        out, prose, fence = [], [], None
        for line in [*text.splitlines(), None]:
            mark = re.match(r"\s*(```+|~~~+)", line or "")
            if fence is None and (mark or line is None):
                out += self.prose(prose, source, place)
                prose, fence = [], mark and mark[1]
            elif fence is None:
                prose.append(line)
                continue
            elif mark and line.strip() == fence:
                fence = None
            if line is not None:
                out.append(line)
        return "\n".join(out) + "\n"

    def prose(self, lines, source, place):
        """Lines outside of code. A list needs an empty line before it, and its nested lists four spaces."""
        out = []
        for line in lines:
            is_item = re.match(r"(\s*)([-*]|\d+\.) ", line)
            if is_item and out and out[-1].strip() and not re.match(r"\s*([-*]|\d+\.) |\s", out[-1]):
                out.append("")
            out.append(" " * (4 - len(is_item[1])) + line if is_item and 0 < len(is_item[1]) < 4 else line)
        link = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
        text = PICTURE.sub(lambda match: self.pictured(match, source, place), with_subscripts("\n".join(out)))
        return link.sub(lambda match: self.linked(match, source, place), text).split("\n") if out else []

    def pictured(self, match, source, place):
        """On the site the reader chooses light or dark, whatever the system says: both pictures are there, and the style shows one."""
        dark, words, light = match.groups()
        both = [("on-light", light), ("on-dark", dark)]
        return "".join(f'<img class="{name}" alt="{words}" src="{self.link(source, place, file)}">' for name, file in both)

    def linked(self, match, source, place):
        target = self.link(source, place, match[3])
        return f"{match[1]}[{match[2]}]({target})" if target else match[2]

    def add(self, source, place=None, text=None):
        place = place or page_of(source)
        text = (ROOT / source).read_text() if text is None else text
        alone = "---\nhide:\n  - navigation\n---\n\n" if place in ALONE else ""
        self.write(place, alone + self.converted(text, source, place))
        return title_of(text, Path(source).stem)

    # ---- the parts ----

    def documents(self):
        """Everything in docs, README and its companions; page → title."""
        titles = {}
        for path in sorted((ROOT / "docs").rglob("*")):
            source = path.relative_to(ROOT).as_posix()
            if path.suffix == ".md":
                titles[page_of(source)] = self.add(source)
            elif path.is_file():
                (self.pages / page_of(source)).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, self.pages / page_of(source))
        for source in PLACES:
            titles[PLACES[source]] = self.add(source)
        return titles

    def code_pages(self):
        """A page for every file that a page links to."""
        for path, page in sorted(self.shown.items()):
            text = (ROOT / path).read_text(errors="replace")
            longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
            fence = "`" * (longest + 1)
            self.write(
                page,
                f"# {Path(path).name}\n\n`{path}`\n\n{fence}{LANGUAGES.get(Path(path).suffix, 'text')}\n{text.rstrip()}\n{fence}\n",
            )

    def model_files(self, name):
        """Draws the model, for its page and (with symbols that are large enough) for its card, and writes its report; which there are."""
        model, done = f"models/{name}/model.toml", {}
        table = self.folder / f"{name}.csv"
        for kind, place, command in (
            ("drawing", f"gallery/{name}.svg", ["draw", model, "--quiet", "-o"]),
            ("card", f"gallery/cards/{name}.svg", ["draw", model, "--quiet", "--width", "280", "-o"]),
            ("report", f"reports/{name}.html", ["run", model, "--quiet", "-o", table, "--report"]),
        ):
            path = self.pages / place
            path.parent.mkdir(parents=True, exist_ok=True)
            ran = subprocess.run([self.program, *command, path], capture_output=True, text=True, cwd=ROOT, check=False)
            table.unlink(missing_ok=True)
            done[kind] = place if ran.returncode == 0 and path.exists() and path.stat().st_size > 0 else None
            if done[kind] is None:
                path.unlink(missing_ok=True)
        return done

    def studio(self):
        """The studio, as one file that needs no server, and a way to it from the page that tells of it."""
        ran = subprocess.run([self.program, "studio", "--quiet", "-o", self.pages / "studio.html"], capture_output=True, text=True, cwd=ROOT, check=False)
        if ran.returncode != 0:
            raise SystemExit(f"stage: the studio could not be written: {ran.stderr.strip()}")
        source = "docs/guide/studio.md"
        title, _, body = (ROOT / source).read_text().partition("\n")
        self.add(source, text=f'{title}\n\n<p class="open"><a href="../studio.html">Open the studio</a></p>\n{body}')

    def model_page(self, name, files):
        """The card, the drawing, the live report and the model; gives its title and first paragraph."""
        source = f"models/{name}/card.md"
        card = (ROOT / source).read_text()
        title, _, body = card.partition("\n")
        lead, _, rest = body.strip().partition("\n\n")
        parts = [title, lead, f'<p class="open"><a href="../studio.html#model={name}">Open it in the studio</a></p>']
        if files["drawing"]:
            parts.append(f'<div class="drawing"><img src="{name}.svg" alt="drawing of the mechanism"></div>')
        if files["report"]:
            parts += [
                "## Live",
                f'Play it, move the cursor, choose curves (<a href="../{files["report"]}">on a page of its own</a>):',
                f'<iframe class="report" loading="lazy" title="report of {html.escape(title[2:])}" src="../{files["report"]}"></iframe>',
            ]
        model = (ROOT / f"models/{name}/model.toml").read_text().rstrip()
        parts += [
            "## About",
            rest,
            "## The model",
            f"`models/{name}/model.toml`, run by `jounce run models/{name}/model.toml`:",
            f"```toml\n{model}\n```",
        ]
        self.add(source, f"gallery/{name}.md", "\n\n".join(parts) + "\n")
        return title[2:].strip(), re.sub(r"\s+", " ", lead)

    def gallery(self):
        """docs/gallery.md with a card for every model, in the order and the groups of models/README.md; the navigation."""
        groups, order = [], {}
        for line in (ROOT / "models/README.md").read_text().splitlines():
            if line.startswith("| model |"):
                groups.append([])
            row = re.match(r"\| \[[^\]]+\]\(([^/]+)/card\.md\) \| ([^|]+) \|", line)
            if row:
                groups[-1].append(row[1])
                order[row[1]] = row[2].strip()
        missing = sorted(p.name for p in (ROOT / "models").iterdir() if (p / "model.toml").exists() and p.name not in order)
        if missing:
            raise SystemExit(f"stage: models/README.md does not name {', '.join(missing)}")
        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            files = dict(zip(order, pool.map(self.model_files, order)))
        text, nav = (ROOT / "docs/gallery.md").read_text(), []
        for marker, names in zip(("driven", "moving", "stops", "space"), groups, strict=True):
            cards, entries = [], []
            for name in names:
                title, _ = self.model_page(name, files[name])
                picture = (
                    f'<img src="{files[name]["card"]}" alt="" loading="lazy">'
                    if files[name]["card"]
                    else html.escape(title[0])
                )
                cards.append(
                    f'<a href="gallery/{name}.html"><div class="picture{"" if files[name]["card"] else " none"}">{picture}</div>'
                    f'<div class="what"><b>{html.escape(title)}</b><span>{html.escape(order[name])}</span></div></a>'
                )
                entries.append({title: f"gallery/{name}.md"})
            mark = f"<!-- models: {marker} -->"
            if mark not in text:
                raise SystemExit(f"stage: docs/gallery.md: expected the line '{mark}'")
            text = text.replace(mark, '<div class="gallery">\n' + "\n".join(cards) + "\n</div>")
            heading = {"driven": "Driven", "moving": "Moving by themselves", "stops": "With impacts", "space": "In space"}[marker]
            nav.append({heading: entries})
        self.add("docs/gallery.md", "gallery.md", text)
        drawn, written = (sum(1 for f in files.values() if f[k]) for k in ("drawing", "report"))
        print(f"stage: {len(order)} models, {drawn} drawings, {written} live reports", file=sys.stderr)
        return nav

    def navigation(self, titles, gallery, cpp):
        def section(folder, first):
            names = [p[len(folder) + 1 : -3] for p in titles if p.startswith(folder + "/")]
            rest = sorted((n for n in names if n not in first), key=lambda n: titles[f"{folder}/{n}.md"])
            return [{titles[f"{folder}/{n}.md"]: f"{folder}/{n}.md"} for n in [n for n in first if n in names] + rest]

        space = THEORY.index("spatial-vectors")
        theory = section("theory", THEORY)
        in_space = {f"theory/{n}.md" for n in THEORY[space:]}
        nav = [
            {"Start": "index.md"},
            {"Guide": section("guide", GUIDE)},
            {"Gallery": ["gallery.md", *gallery, {"How models are written": "models.md"}]},
            {
                "Theory": [
                    {"In the plane": [e for e in theory if not set(e.values()) & in_space]},
                    {"In space": [e for e in theory if set(e.values()) & in_space]},
                ]
            },
            {
                "Reference": [
                    {"Model file": section("reference", REFERENCE)},
                    {"Commands": "reference/commands.md"},
                    {"Columns": "reference/columns.md"},
                    {"Python": "reference/python.md"},
                    {"C++": cpp},
                ]
            },
            {"Performance": "performance.md"},
            {"Validation": "validation.md"},
        ]
        named = set(re.findall(r'"([^"]+\.md)"', json.dumps(nav)))
        code = ["architecture.md", "contributing.md", "dependencies.md", "known-issues.md", "changelog.md"]
        code += sorted(p for p in titles if p not in named and p not in code)
        return [*nav, {"Project": [{titles[p]: p} for p in code]}]

    def all(self):
        titles = self.documents()
        self.studio()
        gallery = self.gallery()
        self.write("reference/commands.md", program_reference.commands(self.program))
        self.write("reference/columns.md", program_reference.columns(self.program, ROOT / "site/columns.toml", self.pages / "reports"))
        self.write("reference/python.md", python_reference.page(ROOT))
        cpp = []
        for name, text in cpp_reference.pages(ROOT, self.shown):
            self.write(f"reference/cpp/{name}.md", text)
            cpp.append({title_of(text, name): f"reference/cpp/{name}.md"})
        self.code_pages()
        config = {
            "INHERIT": os.path.relpath(ROOT / "site/mkdocs.yml", self.folder),
            "docs_dir": "pages",
            "site_dir": "site",
            "nav": self.navigation(titles, gallery, cpp),
        }
        (self.folder / "mkdocs.yml").write_text(json.dumps(config, indent=1, ensure_ascii=False) + "\n")
        (self.pages / "assets").mkdir(exist_ok=True)
        shutil.copy(ROOT / "site/site.css", self.pages / "assets/site.css")
        print(
            f"stage: {sum(1 for _ in self.pages.rglob('*.md'))} pages, {len(self.shown)} of them show source files",
            file=sys.stderr,
        )


def main():
    parser = argparse.ArgumentParser(description="Collects the pages of the documentation site.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", type=Path, default=ROOT / "build/jounce")
    arguments = parser.parse_args()
    Stage(arguments.folder.resolve(), arguments.program.resolve()).all()


if __name__ == "__main__":
    main()
