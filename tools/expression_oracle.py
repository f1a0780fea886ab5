#!/usr/bin/env python3
"""Writes tests/data/expressions.json: random expressions of t with their value and four derivatives.

The oracle is independent of the engine: Python's own parser (its ** has the precedence of our ^) and mpmath at 60 digits,
which differentiates numerically with as many digits as that takes. Literals are the doubles the engine reads.

    python3 tools/expression_oracle.py > tests/data/expressions.json
"""
import json
import random
import re

import mpmath as mp

mp.mp.dps = 60


def step(x, a, b):
    u = (x - a) / (b - a)
    if u <= 0:
        return mp.mpf(0)
    if u >= 1:
        return mp.mpf(1)
    return u**5 * (126 - 420 * u + 540 * u**2 - 315 * u**3 + 70 * u**4)


NAMES = {
    "pi": mp.pi(), "deg": mp.pi / 180, "mm": mp.mpf("1e-3"), "cm": mp.mpf("1e-2"), "inch": mp.mpf("0.0254"),
    "rpm": 2 * mp.pi / 60, "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "asin": mp.asin, "acos": mp.acos,
    "atan": mp.atan, "atan2": mp.atan2, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh, "exp": mp.exp, "log": mp.log,
    "sqrt": mp.sqrt, "abs": abs, "sign": mp.sign, "min": min, "max": max, "pow": mp.power, "step": step, "mpf": mp.mpf,
}
NUMBER = re.compile(r"(?<![\w.])(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)")


def function(text):
    """The text as a function of t."""
    code = compile(NUMBER.sub(lambda m: f"mpf({float(m.group())!r})", text.replace("^", "**")), text, "eval")
    return lambda t: mp.mpf(eval(code, {"__builtins__": {}}, {**NAMES, "t": t}))


def number(rng):
    return rng.choice(["2", "3", ".5", "1.25", "0.1", "7e-1", "1.5E0", "pi", "10*deg", "5*cm", "inch", "3*rpm", "0.3"])


def expression(rng, depth):
    """A random text; arguments are kept inside the domains by their form, not by luck."""
    if depth == 0:
        return rng.choice(["t", "t", "t", number(rng)])
    e = lambda: expression(rng, rng.randrange(depth))
    return rng.choice([
        lambda: f"{e()} + {e()}", lambda: f"({e()} - {e()})", lambda: f"({e()})*({e()})", lambda: f"({e()})/(2 + sin({e()}))",
        lambda: f"-({e()})^2", lambda: f"({e()})^3", lambda: f"(2 + ({e()})^2)^-1.5", lambda: f"2^-({e()})^2",
        lambda: f"sin({e()})", lambda: f"cos({e()})", lambda: f"tan(sin({e()}))", lambda: f"asin(0.5*sin({e()}))",
        lambda: f"acos(0.5*cos({e()}))", lambda: f"atan({e()})", lambda: f"atan2({e()}, 2 + cos({e()}))",
        lambda: f"sinh(sin({e()}))",
        lambda: f"cosh(sin({e()}))", lambda: f"tanh({e()})", lambda: f"exp(-({e()})^2)", lambda: f"log(3 + sin({e()}))",
        lambda: f"sqrt(1 + ({e()})^2)", lambda: f"abs(2 + sin({e()}))", lambda: f"sign(cos({e()}) - 2)*({e()})",
        lambda: f"min({e()}, 3 + ({e()}), 5)", lambda: f"max({e()}, -({e()}))", lambda: f"pow(2 + cos({e()}), sin({e()}))",
        lambda: f"step({e()}, .1, 2.5)", lambda: f"step(t, -1, 1 + ({e()})^2)",
    ])()


def jet(text, t):
    """Value and derivatives, checked at a second precision; None where they do not exist or are too large to compare."""
    try:
        f = function(text)
        found = [mp.diff(f, t, k) for k in range(5)]
        with mp.workdps(90):
            again = [mp.diff(f, t, k) for k in range(5)]
    except (ZeroDivisionError, ValueError, TypeError, OverflowError):
        return None
    if any(abs(a - b) > mp.mpf(10) ** -25 * (1 + abs(a)) or abs(a) > 1e4 for a, b in zip(found, again)):
        return None
    return [mp.nstr(d, 25) for d in found]


def main():
    rng = random.Random(2024)
    cases, seen = [], set()
    while len(cases) < 400:
        text, t = expression(rng, rng.randrange(1, 6)), rng.choice([-0.75, 0.25, 0.5, 1.1, 2.0])
        if text in seen or "t" not in text or len(text) > 160:
            continue
        seen.add(text)
        if (values := jet(text, mp.mpf(t))) is not None:
            cases.append({"text": text, "t": t, "derivatives": values})
    print("[\n" + ",\n".join(" " + json.dumps(c) for c in cases) + "\n]")


if __name__ == "__main__":
    main()
