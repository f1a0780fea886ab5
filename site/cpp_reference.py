"""The C++ reference: what the public headers declare, with their comments, as one page per folder of src/jounce.

Public is what a program gets with #include <jounce/jounce.hpp>: the headers it names and those they include. The headers are read as
they are written here: comments above a declaration describe it, a name `detail` or a section `private:` hides it.
"""

import re
from pathlib import Path

LAYERS = ["api", "analysis", "io", "report", "results", "model", "mechanism", "plane", "space", "tree", "planar", "expr", "math", "scalar", "base"]
ABOUT = {
    "api": "Mechanisms and their analyses, in the plane and in space alike.",
    "analysis": "What can be done with a mechanism: kinematics, inverse and forward dynamics, equilibrium, explanations.",
    "io": "Model files in, tables out.",
    "report": "The page and the figures of a run.",
    "results": "What an analysis gives back.",
    "model": "A model as it is written: text, not yet numbers.",
    "mechanism": "What the plane and space share: motions, columns, formulations.",
    "plane": "Mechanisms of the plane as they are computed: bodies, equations, forces.",
    "space": "Mechanisms of space as they are computed: trees, loops, loads.",
    "tree": "Trees of bodies in space and their recursive algorithms.",
    "planar": "Joints, drivers and forces of the plane.",
    "expr": "Expressions and functions of time.",
    "math": "Vectors and linear algebra.",
    "scalar": "Numbers that carry derivatives.",
    "base": "Results that may fail, and problems as data.",
}


def public_headers(root):
    """jounce.hpp's headers and all they include, as paths from src."""
    seen, waiting = [], ["jounce/jounce.hpp"]
    while waiting:
        header = waiting.pop(0)
        if header in seen or not (root / "src" / header).exists():
            continue
        seen.append(header)
        waiting += re.findall(r'^#include "(jounce/[^"]+)"', (root / "src" / header).read_text(), re.MULTILINE)
    return [h for h in seen if h.count("/") >= 2 and not h.endswith("_impl.hpp")]


def skip_literal(text, i):
    """Behind the string, character or comment that starts at i; i itself when none does."""
    if text.startswith("//", i):
        end = text.find("\n", i)
        return len(text) if end < 0 else end
    if text.startswith("/*", i):
        return text.index("*/", i) + 2
    raw = re.match(r'R"([^(]*)\(', text[i : i + 20])
    if raw:
        return text.index(")" + raw[1] + '"', i) + len(raw[1]) + 2
    if text[i] == '"' or (text[i] == "'" and not text[i - 1].isdigit()):
        quote, i = text[i], i + 1
        while text[i] != quote:
            i += 2 if text[i] == "\\" else 1
        return i + 1
    return i


def matching(text, i):
    """Behind the brace that closes the one at i."""
    depth = 0
    while i < len(text):
        after = skip_literal(text, i)
        if after > i:
            i = after
            continue
        depth += (text[i] == "{") - (text[i] == "}")
        i += 1
        if depth == 0:
            return i
    return i


def declarations(text):
    """(comment, head, body or None, tail) of what stands in a scope: a body is what braces hold, without them."""
    i, comment = 0, []
    while i < len(text):
        if text[i] == "\n" and text[i + 1 : i + 2] == "\n":
            comment = []  # a comment that stands alone describes nothing
        if text[i].isspace():
            i += 1
        elif text.startswith("//", i):
            end = skip_literal(text, i)
            comment.append(re.sub(r"^//[/!]? ?", "", text[i:end]))
            i = end
        elif text[i] == "#":
            while True:
                end = text.find("\n", i)
                end = len(text) if end < 0 else end
                i, more = end + 1, text[end - 1] == "\\"
                if not more:
                    break
        elif re.match(r"(public|private|protected):", text[i:]):
            label = re.match(r"(\w+):", text[i:])
            yield [], label[0], None, ""
            i += len(label[0])
            comment = []
        else:
            start, body = i, None
            while i < len(text) and text[i] != ";":
                after = skip_literal(text, i)
                if after > i:
                    i = after
                    continue
                if text[i] == "{" and body is None:
                    head_end, i = i, matching(text, i)
                    body = text[head_end + 1 : i - 1]
                    if not re.match(r"\s*[;,({]|\s*\w+\s*[;={]", text[i:]):
                        break  # a function, or a namespace
                    continue
                i += 1
            i += text[i : i + 1] == ";"
            line = text.find("\n", i)
            trailing = re.match(r"\s*(//.*)", text[i : line if line >= 0 else len(text)])
            if trailing:
                i += trailing.end()
            if body is None:
                yield comment, text[start:i].rstrip(), None, ""
            else:
                yield comment, text[start:head_end].rstrip(), body, text[head_end + len(body) + 2 : i]
            comment = []


def is_type(head):
    return (
        re.search(r"^(?:template\s*<.*?>\s*(?:requires .*?\n\s*)?)?(?:struct|class|enum(?: class)?|union)\b", head, re.DOTALL)
        is not None
    )


def is_function(head):
    return "(" in head and not is_type(head) and not re.search(r"\bconcept\b", head) and not re.search(r"=\s*$", head)


def without_initialisers(head):
    """A constructor's head without ` : member(…)`."""
    return re.sub(r"\)\s*:\s*[a-z_]\w*[({].*$", ")", head, flags=re.DOTALL)


def shown(head, body, tail):
    """The declaration as code: bodies of functions and private parts left out; its comment is the caller's."""
    if body is None:
        return head
    if is_function(head):
        return without_initialisers(head) + ";"
    if is_type(head) and not re.search(r"\benum\b", head):
        lines, hidden = [], head.lstrip().startswith("class")
        for inner_comment, inner, inner_body, inner_tail in declarations(body):
            if inner in ("public:", "private:", "protected:"):
                hidden = inner != "public:"
                continue
            if hidden or inner.startswith("friend"):
                continue
            lines += ["  /// " + line for line in inner_comment]
            lines.append("  " + shown(inner, inner_body, inner_tail))
        return head + " {" + ("\n" + "\n".join(lines) + "\n" if lines else "") + "}" + (tail if tail.strip() else ";")
    space = " " if re.search(r"\b(enum|concept)\b", head) else ""  # of a type; a value in braces follows its name
    return head + space + "{" + body + "}" + tail


def name_of(head):
    """What a declaration declares, or nothing when that is not for readers."""
    head = re.sub(r"\[\[.*?\]\]\s*", "", head)
    if re.match(r"(static_assert|extern template|template struct|template class|friend|using namespace)\b", head):
        return None
    found = re.search(r"\b(?:struct|class|enum class|enum|concept|union)\s+(?:alignas\([^)]*\)\s*)?(\w+)", head)
    if found and is_type(head) or found and "concept" in head:
        return found[1]
    found = re.match(r"(?:template\s*<.*?>\s*)?using (\w+)", head, re.DOTALL)
    if found:
        return found[1]
    if "(" in head:
        found = re.search(
            r"(operator\s*[^\s(]+|~?\w+)\s*(?:<[^()]*>)?\s*\(", re.sub(r"^(template\s*<.*?>\s*)", "", head, flags=re.DOTALL)
        )
        return found[1] if found else None
    found = re.search(r"(\w+)\s*(?:\[[^\]]*\])?\s*(?:=|;|\{|$)", head)
    return found[1] if found else None


def in_namespaces(text, space=""):
    """Declarations of a header with the namespace each is in."""
    for comment, head, body, tail in declarations(text):
        entered = re.match(r"(?:inline\s+)?namespace\s*([\w:]*)$", head)
        if entered and body is not None:
            if entered[1] and "detail" not in entered[1]:
                yield from in_namespaces(body, "::".join(filter(None, (space, entered[1]))))
        elif space:
            yield space, comment, head, body, tail


def header_comment(text):
    """The comment that opens a header, as prose and drawings."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(re.sub(r"^// ?", "", line))
    return lines


def as_markdown(lines):
    """Comment lines: indented ones are code or drawings."""
    out, block = [], []
    for line in [*lines, ""]:
        if line.startswith("  "):
            block.append(line)
            continue
        if block:
            out += ["", "```text", *block, "```", ""]
            block = []
        out.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip()


def section(root, header, page_of_source):
    """A header as markdown: its comment, then every declaration with its comment."""
    text = (root / "src" / header).read_text()
    short = header.removeprefix("jounce/")
    out = [f"## {short}", as_markdown(header_comment(text)), f"`#include <{header}>` ([source]({page_of_source}))"]
    groups = []
    for space, comment, head, body, tail in in_namespaces(text):
        name = name_of(head)
        if name is None or (body is None and re.match(r"(struct|class|enum class) \w+;", head)):
            continue
        code = shown(head, body, tail)
        if groups and groups[-1][0] == name:  # an overload: its comment stands above it
            groups[-1][2].append("\n".join(["/// " + line for line in comment] + [code]))
        else:
            groups.append((name, comment, [code], space))
    for name, comment, codes, space in groups:
        full = "::".join((space.removeprefix("jounce").removeprefix("::"), name)).removeprefix("::")
        out.append(f"### `{full}`")
        if comment:
            out.append(as_markdown(comment))
        out.append("```cpp\n" + "\n".join(codes).rstrip() + "\n```")
    return "\n\n".join(part for part in out if part)


def pages(root, shown_files):
    """(name, markdown) for every folder with public headers, an index first. `shown_files` receives the headers' own pages."""
    root, by_layer = Path(root), {}
    for header in public_headers(root):
        by_layer.setdefault(header.split("/")[1], []).append(header)
    index = [
        "# C++",
        "",
        "What `#include <jounce/jounce.hpp>` brings, read from the headers. A program that uses it is in the "
        "[guide](../../guide/algorithms.md) and on the [start page](../../index.md#from-c).",
        "",
        "| folder | what it is | headers |",
        "|---|---|---|",
    ]
    made = []
    for layer in sorted(by_layer, key=lambda name: LAYERS.index(name) if name in LAYERS else len(LAYERS)):
        parts = []
        for header in sorted(by_layer[layer]):
            source = shown_files.setdefault(f"src/{header}", f"code/src/{header}.md")
            parts.append(section(root, header, "../../" + source))
        index.append(f"| [{layer}]({layer}.md) | {ABOUT.get(layer, '')} | {len(by_layer[layer])} |")
        made.append((layer, f"# {layer}\n\n{ABOUT.get(layer, '')}\n\n" + "\n\n".join(parts) + "\n"))
    return [("index", "\n".join(index) + "\n"), *made]
