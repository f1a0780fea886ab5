"""Expressions of a model file, evaluated on numbers or on jets.

A jet (f, f', f'') is a Taylor series in t cut after the second order.  Sums, products and the elementary functions
propagate jets exactly (f(g)'' = f''(g) g'^2 + f'(g) g''), so the velocity and the acceleration of a prescribed motion
are exact to rounding; nothing is differenced.
"""
from __future__ import annotations

import ast
import math
import re
from typing import Any, Callable, Mapping

CONSTANTS: dict[str, float] = {"pi": math.pi, "deg": math.pi / 180, "mm": 1e-3, "cm": 1e-2, "inch": 0.0254,
                               "rpm": 2 * math.pi / 60}
WEAK_UNITS: dict[str, float] = {"km": 1e3, "um": 1e-6, "ms": 1e-3, "kN": 1e3, "MPa": 1e6, "bar": 1e5, "kW": 1e3}


class ExpressionError(ValueError):
    """An expression that cannot be read or evaluated."""


class Jet:
    """Value, first and second derivative with respect to t."""
    __slots__ = ("f", "d", "e")

    def __init__(self, f: float, d: float = 0.0, e: float = 0.0):
        self.f, self.d, self.e = float(f), float(d), float(e)

    @staticmethod
    def of(x: "Jet | float") -> "Jet":
        return x if isinstance(x, Jet) else Jet(x)

    def chain(self, g0: float, g1: float, g2: float) -> "Jet":
        return Jet(g0, g1 * self.d, g2 * self.d * self.d + g1 * self.e)

    def __add__(self, o):
        o = Jet.of(o)
        return Jet(self.f + o.f, self.d + o.d, self.e + o.e)
    __radd__ = __add__

    def __neg__(self):
        return Jet(-self.f, -self.d, -self.e)

    def __pos__(self):
        return self

    def __sub__(self, o):
        return self + (-Jet.of(o))

    def __rsub__(self, o):
        return Jet.of(o) - self

    def __mul__(self, o):
        o = Jet.of(o)
        return Jet(self.f * o.f, self.d * o.f + self.f * o.d, self.e * o.f + 2 * self.d * o.d + self.f * o.e)
    __rmul__ = __mul__

    def __truediv__(self, o):
        o = Jet.of(o)
        return self * o.chain(1 / o.f, -1 / o.f ** 2, 2 / o.f ** 3)

    def __rtruediv__(self, o):
        return Jet.of(o) / self

    def __pow__(self, o):
        o = Jet.of(o)
        if o.d == 0 and o.e == 0:
            p = o.f
            f1 = p * self.f ** (p - 1) if p != 0 else 0.0
            f2 = p * (p - 1) * self.f ** (p - 2) if p not in (0.0, 1.0) else 0.0
            return self.chain(self.f ** p, f1, f2)
        return _exp(o * _log(self))

    def __rpow__(self, o):
        return Jet.of(o) ** self


def _exp(x):
    x = Jet.of(x)
    v = math.exp(x.f)
    return x.chain(v, v, v)


def _log(x):
    x = Jet.of(x)
    return x.chain(math.log(x.f), 1 / x.f, -1 / x.f ** 2)


def _sin(x):
    x = Jet.of(x)
    s, c = math.sin(x.f), math.cos(x.f)
    return x.chain(s, c, -s)


def _cos(x):
    x = Jet.of(x)
    s, c = math.sin(x.f), math.cos(x.f)
    return x.chain(c, -s, -c)


def _tan(x):
    return _sin(x) / _cos(x)


def _asin(x):
    x = Jet.of(x)
    c = math.sqrt(1 - x.f * x.f)
    return x.chain(math.asin(x.f), 1 / c, x.f / c ** 3) if c else x.chain(math.asin(x.f), math.inf, math.inf)


def _acos(x):
    return math.pi / 2 - _asin(x)


def _atan(x):
    x = Jet.of(x)
    n = 1 + x.f * x.f
    return x.chain(math.atan(x.f), 1 / n, -2 * x.f / n ** 2)


def _atan2(y, x):
    y, x = Jet.of(y), Jet.of(x)
    n = x * x + y * y
    top = x.f * y.d - y.f * x.d
    slope = x.f * y.e - y.f * x.e
    d = top / n.f if n.f else 0.0
    return Jet(math.atan2(y.f, x.f), d, (slope - d * n.d) / n.f if n.f else 0.0)


def _sqrt(x):
    x = Jet.of(x)
    r = math.sqrt(x.f)
    return x.chain(r, 0.5 / r, -0.25 / r ** 3) if r else Jet(0.0, math.inf if x.d else 0.0, math.inf if x.d else 0.0)


def _sinh(x):
    x = Jet.of(x)
    return x.chain(math.sinh(x.f), math.cosh(x.f), math.sinh(x.f))


def _cosh(x):
    x = Jet.of(x)
    return x.chain(math.cosh(x.f), math.sinh(x.f), math.cosh(x.f))


def _tanh(x):
    x = Jet.of(x)
    v = math.tanh(x.f)
    return x.chain(v, 1 - v * v, -2 * v * (1 - v * v))


def _abs(x):
    x = Jet.of(x)
    return x if x.f >= 0 else -x


def _sign(x):
    x = Jet.of(x)
    return Jet((x.f > 0) - (x.f < 0))


def _step(x, a, b):
    """Degree-9 blend with four vanishing derivatives at both ends: 126 s^5 - 420 s^6 + 540 s^7 - 315 s^8 + 70 s^9."""
    x, a, b = Jet.of(x), Jet.of(a), Jet.of(b)
    if x.f <= a.f:
        return Jet(0.0)
    if x.f >= b.f:
        return Jet(1.0)
    s = (x - a) / (b - a)
    return s ** 5 * (126 + s * (-420 + s * (540 + s * (-315 + s * 70))))


FUNCTIONS: dict[str, tuple[int, Callable[..., Jet]]] = {
    "sin": (1, _sin), "cos": (1, _cos), "tan": (1, _tan), "asin": (1, _asin), "acos": (1, _acos), "atan": (1, _atan),
    "atan2": (2, _atan2), "sinh": (1, _sinh), "cosh": (1, _cosh), "tanh": (1, _tanh), "exp": (1, _exp), "log": (1, _log),
    "sqrt": (1, _sqrt), "abs": (1, _abs), "sign": (1, _sign), "pow": (2, lambda a, b: Jet.of(a) ** b),
    "min": (2, lambda a, b: a if Jet.of(a).f <= Jet.of(b).f else b),
    "max": (2, lambda a, b: a if Jet.of(a).f >= Jet.of(b).f else b), "step": (3, _step)}

_TOKEN = re.compile(r"(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*)|(\^)|(\s+|.)")


def _to_python(text: str) -> str:
    out = []
    for number, name, stars, power, other in _TOKEN.findall(text):
        if stars:
            raise ExpressionError(f"'**' is not an operator: {text}")
        out.append(number and str(float(number)) or name and "n_" + name or power and "**" or other)
    return "".join(out)


class Expression:
    """A parsed expression; `names` are the identifiers it uses."""

    def __init__(self, text: str):
        self.text = text
        try:
            self.tree = ast.parse(_to_python(text.strip()), mode="eval").body
        except SyntaxError as error:
            raise ExpressionError(f"cannot read '{text}'") from error
        self.names: set[str] = {n.id[2:] for n in ast.walk(self.tree) if isinstance(n, ast.Name)} - set(FUNCTIONS)

    def jet(self, names: Mapping[str, "Jet | float"]) -> Jet:
        return Jet.of(self._walk(self.tree, names))

    def value(self, names: Mapping[str, "Jet | float"]) -> float:
        return self.jet(names).f

    def _walk(self, node: ast.AST, names: Mapping[str, "Jet | float"]) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return Jet(node.value)
        if isinstance(node, ast.Name):
            name = node.id[2:]
            if name not in names:
                raise ExpressionError(f"'{self.text}': unknown name '{name}'")
            return Jet.of(names[name])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            v = self._walk(node.operand, names)
            return -v if isinstance(node.op, ast.USub) else v
        if isinstance(node, ast.BinOp):
            a, b = self._walk(node.left, names), self._walk(node.right, names)
            match node.op:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case ast.Div():
                    return a / b
                case ast.Pow():
                    return a ** b
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            name = node.func.id[2:]
            if name in FUNCTIONS:
                count, function = FUNCTIONS[name]
                if len(node.args) != count:
                    raise ExpressionError(f"'{self.text}': {name} takes {count} arguments")
                return function(*[self._walk(a, names) for a in node.args])
        raise ExpressionError(f"'{self.text}': not an expression of numbers, names and known functions")


class Scope:
    """Constants and parameters of one model."""

    def __init__(self, parameters: Mapping[str, Any]):
        self.names: dict[str, float] = {**WEAK_UNITS, **CONSTANTS}
        for name in parameters:
            self.names.pop(name, None) if name in WEAK_UNITS else None
            if name in CONSTANTS or name in FUNCTIONS or name == "t":
                raise ExpressionError(f"parameter '{name}' is reserved")
        waiting: dict[str, Any] = dict(parameters)
        while waiting:
            done = []
            for name, raw in waiting.items():
                if isinstance(raw, (int, float)) and not isinstance(raw, bool):
                    self.names[name] = float(raw)
                    done.append(name)
                elif isinstance(raw, str):
                    e = Expression(raw)
                    if not (e.names & set(waiting)):
                        self.names[name] = e.value(self.names)
                        done.append(name)
                else:
                    raise ExpressionError(f"parameter '{name}': not a number or an expression")
            if not done:
                raise ExpressionError(f"parameters refer to each other in a circle: {', '.join(waiting)}")
            for name in done:
                del waiting[name]

    def number(self, raw: Any) -> float:
        if isinstance(raw, bool):
            raise ExpressionError("a truth value is not a number")
        if isinstance(raw, (int, float)):
            return float(raw)
        if isinstance(raw, str):
            return Expression(raw).value(self.names)
        raise ExpressionError(f"not a number or an expression: {raw!r}")

    def function(self, raw: Any, extra: tuple[str, ...] = ()) -> Callable[..., Jet]:
        """f(t, **extra) -> Jet in t (the extra names are taken as constants)."""
        if isinstance(raw, (int, float)) and not isinstance(raw, bool):
            constant = Jet(raw)
            return lambda t, **kw: constant
        if not isinstance(raw, str):
            raise ExpressionError(f"not an expression of t: {raw!r}")
        e = Expression(raw)
        unknown = e.names - set(self.names) - {"t"} - set(extra)
        if unknown:
            raise ExpressionError(f"'{raw}': names {sorted(unknown)} (quantities of the mechanism are not supported)")
        return lambda t, **kw: e.jet({**self.names, "t": Jet(t, 1.0), **kw})
