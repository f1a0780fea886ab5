"""Truncated power series in time, coefficient by coefficient, as a graph of expressions.

A series is known by its coefficients c[0], c[1], ... of x(t0 + h) = sum c[k] h^k. A node of the graph computes its next
coefficient from those of its inputs when it is asked for it, so unknown series can be found order by order: the unknown
of order k enters the equations of order k linearly.

Numbers are decimal.Decimal with 50 digits (the arithmetic is compiled in CPython); mpmath gives the elementary functions of
constant terms.
"""

import decimal
import operator
import sys

import mpmath

decimal.getcontext().prec = 50
mpmath.mp.dps = 60
sys.setrecursionlimit(20000)

Number = decimal.Decimal


def number(x):
    """The exact decimal of a double or an integer; 50 digits of an mpmath number."""
    if isinstance(x, mpmath.mpf):
        return Number(mpmath.nstr(x, 55, strip_zeros=False))
    return +Number(x)


def real(x):
    return mpmath.mpf(str(x))


def elementary(function, x):
    return number(function(real(x)))


class Series:
    """A node. `inputs` are the nodes it is made of, `partials` their derivatives, for the reverse sweep."""

    nodes = []                                   # of the mechanism at hand, in the order in which they were made

    def __init__(self):
        self.c = []
        self.place = len(Series.nodes)
        Series.nodes.append(self)

    def at(self, k):
        c = self.c
        while len(c) <= k:
            c.append(self.next(len(c)))
        return c[k]

    def derivative(self, k):
        """The k-th derivative at t0."""
        value = self.at(k)
        for j in range(2, k + 1):
            value *= j
        return value

    def partials(self):
        return ()

    def __add__(self, other):
        other = as_series(other)
        if isinstance(self, Constant) and isinstance(other, Constant):
            return constant(self.value + other.value)
        if other is ZERO:
            return self
        return other if self is ZERO else Sum(self, other)

    __radd__ = __add__

    def __sub__(self, other):
        return self + as_series(other) * -1

    def __rsub__(self, other):
        return as_series(other) + self * -1

    def __neg__(self):
        return self * -1

    def __mul__(self, other):
        other = as_series(other)
        if isinstance(self, Constant) and isinstance(other, Constant):
            return constant(self.value * other.value)
        if isinstance(other, Constant):
            self, other = other, self
        if isinstance(self, Constant):
            if self.value == 0:
                return ZERO
            if self.value == 1:
                return other
            return Scaled(self.value, other)
        return Product(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = as_series(other)
        if isinstance(other, Constant):
            return self * constant(1 / other.value)
        return Quotient(self, other)

    def __rtruediv__(self, other):
        return as_series(other) / self

    def __pow__(self, other):
        other = as_series(other)
        if isinstance(other, Constant) and other.value == int(other.value) and 0 <= other.value < 12:
            out = ONE
            for _ in range(int(other.value)):
                out = out * self
            return out
        if isinstance(self, Constant) and isinstance(other, Constant):
            return constant(number(real(self.value) ** real(other.value)))
        return exp(other * log(self))

    def __rpow__(self, other):
        return as_series(other) ** self


class Constant(Series):
    def __init__(self, value):
        self.c, self.value = [], value

    def next(self, k):
        return self.value if k == 0 else Number(0)


class Unknown(Series):
    """Its coefficients are set from outside."""

    def next(self, k):
        raise IndexError(f"coefficient {k} of an unknown is not yet found")


class Sum(Series):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = a, b

    def next(self, k):
        return self.a.at(k) + self.b.at(k)

    def partials(self):
        return ((self.a, ONE), (self.b, ONE))


class Scaled(Series):
    def __init__(self, factor, a):
        super().__init__()
        self.factor, self.a = factor, a

    def next(self, k):
        return self.factor * self.a.at(k)

    def partials(self):
        return ((self.a, constant(self.factor)),)


class Product(Series):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = a, b

    def next(self, k):
        self.a.at(k), self.b.at(k)
        return sum(map(operator.mul, self.a.c[:k + 1], self.b.c[k::-1]), Number(0))

    def partials(self):
        return ((self.a, self.b), (self.b, self.a))


class Quotient(Series):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = a, b

    def next(self, k):
        b = self.b
        b.at(k)
        return (self.a.at(k) - sum((self.c[j] * b.c[k - j] for j in range(k)), Number(0))) / b.c[0]


class Derivative(Series):
    """The rate of a series: it needs one order more of its input."""

    def __init__(self, a):
        super().__init__()
        self.a = a

    def next(self, k):
        return (k + 1) * self.a.at(k + 1)


class Integral(Series):
    """A function of a series by the rate that it has; `rate` may use the function itself. It has its value at order 0."""

    def __init__(self, value, slope=None):
        super().__init__()
        self.value, self.slope = value, slope    # value(): constant term; slope: (input, derivative by it)

    def next(self, k):
        return self.value() if k == 0 else self.rate.at(k - 1) / k

    def partials(self):
        return (self.slope,) if self.slope else ()


ZERO = Constant(Number(0))
ONE = Constant(Number(1))


def constant(value):
    value = value if isinstance(value, Number) else number(value)
    if value == 0:
        return ZERO
    return ONE if value == 1 else Constant(value)


def as_series(x):
    return x if isinstance(x, Series) else constant(x)


def rate(x):
    return ZERO if isinstance(x, Constant) else Derivative(x)


def function_of(value, slope):
    """A function of time alone: value of the constant term's function, slope as a function of (input, output)."""
    def make(x):
        x = as_series(x)
        if isinstance(x, Constant):
            return constant(elementary(value, x.value))
        out = Integral(lambda: elementary(value, x.at(0)))
        out.rate = slope(x, out) * rate(x)
        return out
    return make


exp = function_of(mpmath.exp, lambda x, y: y)
log = function_of(mpmath.log, lambda x, y: 1 / x)
sqrt = function_of(mpmath.sqrt, lambda x, y: 0.5 / y)
tanh = function_of(mpmath.tanh, lambda x, y: 1 - y * y)
atan = function_of(mpmath.atan, lambda x, y: 1 / (1 + x * x))


def sine_cosine(x):
    x = as_series(x)
    if isinstance(x, Constant):
        return constant(elementary(mpmath.sin, x.value)), constant(elementary(mpmath.cos, x.value))
    s = Integral(lambda: elementary(mpmath.sin, x.at(0)))
    c = Integral(lambda: elementary(mpmath.cos, x.at(0)))
    s.rate, c.rate = c * rate(x), -(s * rate(x))
    s.slope, c.slope = (x, c), (x, -s)
    return s, c


def sin(x):
    return sine_cosine(x)[0]


def cos(x):
    return sine_cosine(x)[1]


def step(x, a, b):
    """0 before a, 1 after b, between them the polynomial of degree 9 whose first four derivatives vanish at both ends."""
    x, a, b = as_series(x), as_series(a), as_series(b)
    s = (x - a) / (b - a)
    if s.at(0) <= 0:
        return ZERO
    if s.at(0) >= 1:
        return ONE
    return s ** 5 * (126 - 420 * s + 540 * s ** 2 - 315 * s ** 3 + 70 * s ** 4)


def gradient(scalar):
    """{unknown: series of d(scalar)/d(unknown)} by one reverse sweep that builds new nodes."""
    if isinstance(scalar, Constant):
        return {}
    reached, stack = {}, [scalar]
    while stack:
        node = stack.pop()
        if not isinstance(node, Constant) and node.place not in reached:
            reached[node.place] = node
            stack.extend(part for part, _ in node.partials())
    adjoint, out = {scalar.place: ONE}, {}
    for place in sorted(reached, reverse=True):
        node = reached[place]
        if place not in adjoint:
            continue
        if isinstance(node, Unknown):
            out[node] = adjoint[place]
        for part, slope in node.partials():
            if not isinstance(part, Constant):
                adjoint[part.place] = adjoint.get(part.place, ZERO) + adjoint[place] * slope
    return out


def slopes(scalar):
    """{unknown: number d(scalar)/d(unknown) at t0}: the same sweep with numbers."""
    reached, stack = {}, [scalar]
    while stack:
        node = stack.pop()
        if not isinstance(node, Constant) and node.place not in reached:
            reached[node.place] = node
            stack.extend(part for part, _ in node.partials())
    adjoint, out = {scalar.place: Number(1)}, {}
    for place in sorted(reached, reverse=True):
        node = reached[place]
        weight = adjoint.get(place)
        if weight is None:
            continue
        if isinstance(node, Unknown):
            out[node] = weight
        for part, slope in node.partials():
            if not isinstance(part, Constant):
                adjoint[part.place] = adjoint.get(part.place, Number(0)) + weight * slope.at(0)
    return out
