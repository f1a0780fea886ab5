"""Reads the text of a model in space: TOML and the expressions of its strings."""

import ast
import tomllib

import mpmath

import series
from series import Constant, as_series, constant, elementary, number, real


def of_constants(function):
    def make(*arguments):
        assert all(isinstance(a, Constant) for a in arguments), "known here for constants only"
        return constant(number(function(*[real(a.value) for a in arguments])))
    return make


NAMES = {
    "pi": constant(number(+mpmath.pi)), "deg": constant(number(mpmath.pi / 180)), "rpm": constant(number(mpmath.pi / 30)),
    "mm": constant(number(mpmath.mpf("0.001"))), "cm": constant(number(mpmath.mpf("0.01"))),
    "inch": constant(number(mpmath.mpf("0.0254"))),
    "sin": series.sin, "cos": series.cos, "exp": series.exp, "log": series.log, "sqrt": series.sqrt, "tanh": series.tanh,
    "step": series.step, "pow": lambda x, y: x ** y, "tan": lambda x: series.sin(x) / series.cos(x),
    "asin": of_constants(mpmath.asin), "acos": of_constants(mpmath.acos), "atan": of_constants(mpmath.atan),
    "atan2": of_constants(mpmath.atan2), "abs": of_constants(abs),
}


class Literals(ast.NodeTransformer):
    """Numbers in an expression become series before anything is done with them."""

    def visit_Constant(self, node):
        return ast.copy_location(ast.Call(ast.Name("as_series", ast.Load()), [node], []), node)


class ModelText:
    def __init__(self, text, time):
        self.table = tomllib.loads(text)
        self.time = time
        self.parameters = {}
        for name in self.table.get("parameters", {}):
            self.parameter(name)

    def parameter(self, name):
        if name not in self.parameters:
            self.parameters[name] = self.value(self.table["parameters"][name])
        return self.parameters[name]

    def value(self, written, **local):
        """The series of a number or an expression; `t` is the time."""
        if not isinstance(written, str):
            return as_series(written)
        tree = ast.parse(written.replace("^", "**"), mode="eval")
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        names = dict(NAMES, t=self.time, as_series=as_series, **local)
        names.update({name: self.parameter(name) for name in used if name in self.table.get("parameters", {})})
        code = compile(ast.fix_missing_locations(Literals().visit(tree)), written, "eval")
        return eval(code, {"__builtins__": {}}, names)

    def values(self, written):
        return [self.value(x) for x in written]

    def section(self, name):
        return self.table.get(name, {})
