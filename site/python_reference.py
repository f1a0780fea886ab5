"""The Python reference: what `import jounce` has, with signatures and docstrings, as one page. Read from the sources of the package, which are typed."""

import ast
import inspect
import re

MODULES = ["mechanism", "run", "simulation", "model", "sweep", "tree", "errors"]


def public_names(root):
    """Those of the package itself, and of jounce.tree."""
    package = ast.parse((root / "python/jounce/__init__.py").read_text())
    for node in package.body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            return [element.value for element in node.value.elts]
    raise ValueError("python/jounce/__init__.py: expected a list __all__")


def signature(node):
    """As it is written, without what comes before the name."""
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^self(, )?", "", arguments)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){returns}"


def words(node):
    """The docstring as Markdown: roles become code, indented lines become blocks."""
    text = inspect.cleandoc(ast.get_docstring(node) or "")
    text = re.sub(r":\w+:`~?([^`]*)`", r"`\1`", text).replace("``", "`")
    out, inside = [], False
    for line in text.splitlines():
        code = line.startswith("    ")
        if code and not inside:
            out += ["```python"]
        if inside and not code and line.strip():
            out += ["```", ""]
            inside = False
        inside = inside or code
        out.append(line[4:] if inside else line)
    return "\n".join(out + (["```"] if inside else [])).strip()


def is_property(node):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


def class_section(node, prefix):
    out = [f"## {prefix}{node.name}", "", words(node), ""]
    members = [n for n in node.body if isinstance(n, ast.FunctionDef) and (not n.name.startswith("_") or n.name in ("__getitem__", "__len__"))]
    for member in members:
        head = f"{member.name}: {ast.unparse(member.returns)}" if is_property(member) and member.returns else signature(member)
        out += [f"### {prefix}{node.name}.{member.name}", "", f"```python\n{head}\n```", "", words(member), ""]
    return out


def page(root):
    """The whole page."""
    names = public_names(root)
    out = ["# Python", "", words(ast.parse((root / "python/jounce/__init__.py").read_text())), ""]
    for module in MODULES:
        tree = ast.parse((root / f"python/jounce/{module}.py").read_text())
        inside = module == "tree"
        prefix = "jounce.tree." if inside else "jounce."
        if inside:
            out += ["## jounce.tree", "", words(tree), ""]
        for node in tree.body:
            wanted = isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_") and (inside or node.name in names)
            if wanted and isinstance(node, ast.ClassDef):
                out += class_section(node, prefix)
            elif wanted:
                out += [f"## {prefix}{node.name}", "", f"```python\n{signature(node)}\n```", "", words(node), ""]
    return "\n".join(out)
