"""The road that shares nothing with any formula of the notes or of ours: derivatives from values alone.

Everything the notes write is analytic, so it can be evaluated at complex times and places, and Cauchy's integral over a circle gives
derivatives of any order from values on it, to rounding. Nobody differentiates by hand here.
"""

import math
import random

import numpy as np

POINTS = 32


def circle(radius):
    angles = 2 * np.pi * np.arange(POINTS) / POINTS
    return radius * np.exp(1j * angles)


def derivatives(f, count, radius=0.4):
    """f(0), f'(0), ..., of that many orders, real. f takes an array of complex times, which is the last axis of what it returns."""
    values = np.fft.fft(f(circle(radius))) / POINTS
    return [math.factorial(k) / radius**k * values[..., k].real for k in range(count + 1)]


def gradient(f, at, radius=0.4):
    """The derivatives of f with respect to the first axis of `at`, in front of the axes of f(at). Complex places are welcome."""
    s = circle(radius)
    columns = []
    for a in range(len(at)):
        step = np.zeros((len(at),) + (1,) * at[0].ndim + (POINTS,), dtype=complex)
        step[a] = s
        columns.append((f(at[..., None] + step) / s).mean(axis=-1))
    return np.array(columns)


class Numbers:
    """Random numbers that are the same everywhere, and motions made of them."""

    def __init__(self, seed):
        self.source = random.Random(seed)

    def __call__(self, *shape):
        if not shape:
            return self.source.uniform(-1, 1)
        return np.array([self(*shape[1:]) for _ in range(shape[0])])

    def motion(self, count, orders=6):
        return Motion(self(orders + 1, count))


class Motion:
    """Coordinates as polynomials in time; `m[k]` is the k-th derivative at time 0."""

    def __init__(self, derivatives_at_0):
        self.d = np.array(derivatives_at_0)

    def __getitem__(self, k):
        return self.d[k]

    def __call__(self, t, order=0):
        t = np.asarray(t)
        terms = [np.multiply.outer(self.d[k], t ** (k - order) / math.factorial(k - order)) for k in range(order, len(self.d))]
        return sum(terms)


class Table:
    """What was compared. A formula is off by its largest error, divided by the largest entry of the truth (or by 0.1 where that is less)."""

    ROUNDING = 1e-11  # of Cauchy's integral for the fourth derivative, with room

    def __init__(self):
        self.checked, self.worst, self.wrong_rows, self.failures = 0, 0.0, {}, []

    @staticmethod
    def off(value, truth):
        value, truth = np.asarray(value, dtype=float), np.asarray(truth, dtype=float)
        return np.max(np.abs(value - truth)) / max(np.max(np.abs(truth)), 0.1)

    def right(self, name, truth, ours):
        """A formula that we use; the notes have it, or have nothing."""
        error = self.off(ours, truth)
        self.checked, self.worst = self.checked + 1, max(self.worst, error)
        if not error <= self.ROUNDING:
            self.failures.append(f"{name}: expected what the other road gives, found it off by {error:.2g}")

    def wrong(self, label, name, truth, ours, notes):
        """A formula that the notes have otherwise."""
        self.right(name, truth, ours)
        error = self.off(notes, truth)
        self.wrong_rows[label] = (name, error)
        if not error > 1e-3:
            self.failures.append(f"{label}, {name}: expected the formula of the notes to be wrong, found it off by {error:.2g} only")
