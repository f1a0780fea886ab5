"""Vectors, quaternions and frames whose components are series."""

from series import ONE, ZERO, as_series, rate, sine_cosine


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def scale(s, a):
    return [s * x for x in a]


def dot(a, b):
    out = ZERO
    for x, y in zip(a, b):
        out = out + x * y
    return out


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rates(a):
    return [rate(x) for x in a]


def series_of(numbers):
    return [as_series(x) for x in numbers]


# Quaternions are [w, x, y, z].

IDENTITY = [ONE, ZERO, ZERO, ZERO]


def times(p, q):
    vector = add(add(scale(p[0], q[1:]), scale(q[0], p[1:])), cross(p[1:], q[1:]))
    return [p[0] * q[0] - dot(p[1:], q[1:])] + vector


def conjugate(q):
    return [q[0]] + [-x for x in q[1:]]


def turn(q, v):
    """The vector v, given in the turned axes, in the axes from which q turns."""
    half = cross(q[1:], v)
    return add(v, add(scale(2 * q[0], half), scale(2, cross(q[1:], half))))


def turn_back(q, v):
    return turn(conjugate(q), v)


def about(axis, angle):
    """The quaternion of a turn by an angle about a unit axis."""
    s, c = sine_cosine(as_series(angle) * 0.5)
    return [c] + scale(s, axis)


def from_rpy(rpy):
    x, y, z = series_of([1, 0, 0]), series_of([0, 1, 0]), series_of([0, 0, 1])
    return times(about(z, rpy[2]), times(about(y, rpy[1]), about(x, rpy[0])))


def spin_in_own_axes(q):
    """Angular velocity in the turned axes."""
    return scale(2, times(conjugate(q), rates(q))[1:])


def spin_in_outer_axes(q):
    return scale(2, times(rates(q), conjugate(q))[1:])


class Frame:
    """A place and an orientation."""

    def __init__(self, p, e):
        self.p, self.e = p, e

    def then(self, inner):
        return Frame(add(self.p, turn(self.e, inner.p)), times(self.e, inner.e))

    def seen_from(self, outer):
        return Frame(turn_back(outer.e, sub(self.p, outer.p)), times(conjugate(outer.e), self.e))
