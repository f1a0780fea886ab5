"""The displacement of every joint type as a frame of its coordinates (docs/reference/spatial-joints.md)."""

from rotations import IDENTITY, Frame, about, add, cross, dot, scale, series_of, times
from series import Constant, ZERO, constant, sine_cosine, sqrt

X, Y, Z = series_of([1, 0, 0]), series_of([0, 1, 0]), series_of([0, 0, 1])
STAY = [ZERO, ZERO, ZERO]


def unit(v):
    return scale(1 / sqrt(dot(v, v)), v)


def screw_motion(screw, q):
    """The displacement exp(screw q): a turn about and a shift along a line, of any length."""
    w, u = screw[:3], screw[3:]
    square = dot(w, w)
    if square.value == 0:
        return Frame(scale(q, u), IDENTITY)
    n = sqrt(square)
    a = scale(1 / n, w)
    s, c = sine_cosine(q * n)
    along = cross(a, u)
    shift = add(scale(q, u), add(scale((1 - c) / n, along), scale((q * n - s) / n, cross(a, along))))
    return Frame(shift, about(a, q * n))


def custom(screws):
    def displacement(q):
        out = Frame(STAY, IDENTITY)
        for screw, x in zip(screws, q):
            out = out.then(screw_motion(screw, x))
        return out
    return displacement


def joint_type(text, written):
    """(number of scalar coordinates, displacement of them) of a joint or loop; balls, free bodies and distances have none."""
    a = unit(text.values(written.get("axis", [0, 0, 1])))
    kind = written["type"]
    if kind == "helical":
        pitch = text.value(written["pitch"])
        return 1, lambda q: Frame(scale(pitch * q[0], a), about(a, q[0]))
    if kind == "custom":
        screws = [text.values(s) for s in written["screws"]]
        return len(screws), custom(screws)
    return {
        "revolute": (1, lambda q: Frame(STAY, about(a, q[0]))),
        "prismatic": (1, lambda q: Frame(scale(q[0], a), IDENTITY)),
        "cylindrical": (2, lambda q: Frame(scale(q[1], a), about(a, q[0]))),
        "planar": (3, lambda q: Frame([q[1], q[2], ZERO], about(Z, q[0]))),
        "translation": (3, lambda q: Frame(list(q), IDENTITY)),
        "universal": (2, lambda q: Frame(STAY, times(about(X, q[0]), about(Y, q[1])))),
        "gimbal": (3, lambda q: Frame(STAY, times(about(Z, q[0]), times(about(Y, q[1]), about(X, q[2]))))),
        "fixed": (0, lambda q: Frame(STAY, IDENTITY)),
        "spherical": (0, None),
        "free": (0, None),
        "distance": (0, None),
    }[kind]
