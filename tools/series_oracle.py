#!/usr/bin/env python3
"""Write tests/data/series.json: Taylor coefficients of every elementary function, as reference for the series arithmetic.

The road is independent of the engine's recurrences: the composed function t -> f(a(t)) is evaluated in 60 digits near t = 0 and
differentiated numerically (mpmath.taylor); doing the same in 90 digits must give the same coefficients to 1e-40. Arguments are
polynomials whose coefficients are the doubles printed in the file, taken exactly.

Run:  python3 tools/series_oracle.py        (needs mpmath; takes seconds)
"""

import json
import math
import pathlib

import mpmath as mp

ORDER = 10

# Ordinary arguments, then the awkward ones of each function: near a zero, a pole, a branch point, or where it saturates.
SMALL = [0.3, 0.7, -0.2, 0.05]
FAST = [0.5, -3.0, 4.0, 1.0, -2.0]
NEGATIVE = [-0.6, 0.25, 0.1, -0.3, 0.0, 0.2]
ODD = [0.0, 0.8, 0.0, -0.1]

UNARY = {
    "sin": [SMALL, FAST, NEGATIVE, [math.pi, 1.0], [100.0, 0.5, -0.25], ODD],
    "cos": [SMALL, FAST, NEGATIVE, [math.pi / 2, 1.0], [100.0, 0.5, -0.25], ODD],
    "tan": [SMALL, NEGATIVE, ODD, [1.55, 0.01, 0.002], [math.pi, 1.0, 0.5], [-1.2, 0.7, 0.3]],
    "asin": [SMALL, NEGATIVE, ODD, [0.999, 0.001, -0.0005], [-0.999, 0.0005, 0.001]],
    "acos": [SMALL, NEGATIVE, ODD, [0.999, 0.001, -0.0005], [-0.999, 0.0005, 0.001]],
    "atan": [SMALL, NEGATIVE, ODD, [1000.0, 30.0, -5.0], [-1.0, 1.0, 0.2]],
    "sinh": [SMALL, FAST, NEGATIVE, ODD, [-8.0, 1.0, 0.3]],
    "cosh": [SMALL, FAST, NEGATIVE, ODD, [-8.0, 1.0, 0.3]],
    "tanh": [SMALL, NEGATIVE, ODD, [6.0, 1.0, 0.1], [-20.0, 1.0, 0.4]],
    "exp": [SMALL, FAST, NEGATIVE, ODD, [-30.0, 1.0, 0.5], [20.0, -2.0]],
    "log": [SMALL, FAST, [1.0, 0.4, -0.1], [0.001, 0.0005, 0.0001], [1e6, 1e5, -3e4]],
    "sqrt": [SMALL, FAST, [1.0, 0.4, -0.1], [0.001, 0.0005, 0.0001], [1e6, 1e5, -3e4]],
    "abs": [SMALL, NEGATIVE, [1e-6, 1.0], [-1e-6, 1.0]],
    "sign": [SMALL, NEGATIVE],
}

BINARY = {
    "add": [[SMALL, FAST]],
    "subtract": [[SMALL, FAST]],
    "multiply": [[SMALL, FAST], [NEGATIVE, ODD], [ODD, ODD]],
    "divide": [[SMALL, FAST], [ODD, NEGATIVE], [FAST, [0.01, 0.005, 0.001]]],
    "atan2": [[SMALL, FAST], [SMALL, NEGATIVE], [NEGATIVE, SMALL], [NEGATIVE, NEGATIVE], [[1.0, 0.3], ODD],
              [ODD, [1.0, 0.3]], [[1e-6, 0.5, 0.1], [-1.0, 0.2]], [[-1e-6, 0.5, 0.1], [-1.0, 0.2]]],
    "pow": [[SMALL, NEGATIVE], [FAST, SMALL], [[1.0, 0.5], [2.0, 0.1, -0.3]], [[0.01, 0.002], [-1.5, 0.2]]],
    "min": [[SMALL, FAST], [SMALL, NEGATIVE]],
    "max": [[SMALL, FAST], [SMALL, NEGATIVE]],
}

# pow(a, p) and pow(b, a) with one plain number.
POWER = [[SMALL, 0.0], [SMALL, 1.0], [SMALL, 2.0], [SMALL, 3.0], [SMALL, 7.0], [SMALL, -1.0], [SMALL, 0.5], [SMALL, -2.5],
         [NEGATIVE, 2.0], [NEGATIVE, 5.0], [NEGATIVE, -3.0], [ODD, 0.0], [ODD, 1.0], [ODD, 3.0], [ODD, 4.0],
         [FAST, 1.0 / 3.0], [[1e-3, 5e-4, 1e-4], 1.5], [[2.0, 1.0], 40.0]]
EXPONENTIAL = [[2.0, SMALL], [0.1, FAST], [10.0, NEGATIVE], [1.0, SMALL]]

FUNCTION = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b, "divide": lambda a, b: a / b,
    "abs": abs, "pow": mp.power, "min": min, "max": max,
}


def argument(a):
    """A polynomial as a function of t, a plain number as a constant one."""
    coefficients = a if isinstance(a, list) else [a]
    return lambda t: mp.polyval([mp.mpf(c) for c in reversed(coefficients)], t)


def taylor(name, arguments, digits):
    f = FUNCTION.get(name) or getattr(mp, name)
    functions = [argument(a) for a in arguments]
    with mp.workdps(digits):
        return mp.taylor(lambda t: f(*(a(t) for a in functions)), 0, ORDER)


def case(name, arguments):
    reference, check = taylor(name, arguments, 60), taylor(name, arguments, 90)
    scale = max(abs(c) for c in check)
    assert all(abs(a - b) <= 1e-40 * scale for a, b in zip(reference, check)), (name, arguments)
    # What is zero to 40 digits is zero: the differences leave a residue of the working precision.
    return {"function": name, "arguments": arguments,
            "coefficients": [float(c) if abs(c) > 1e-40 * scale else 0.0 for c in check]}


def main():
    cases = [case(name, [a]) for name, arguments in UNARY.items() for a in arguments]
    cases += [case(name, pair) for name, pairs in BINARY.items() for pair in pairs]
    cases += [case("pow", pair) for pair in POWER + EXPONENTIAL]
    lines = ",\n".join("  " + json.dumps(c) for c in cases)
    path = pathlib.Path(__file__).resolve().parent.parent / "tests/data/series.json"
    path.write_text(f'{{"order": {ORDER}, "cases": [\n{lines}\n]}}\n')
    print(f"{len(cases)} cases in {path.name}")


if __name__ == "__main__":
    main()
