#!/usr/bin/env python3
"""An independent oracle for mechanisms in space, in maximal coordinates.

Every body has the position x of its centre of mass and a unit quaternion e; its velocity is u = (v, w) in ground axes.
Every joint of the tree and every loop is the same thing here: a set of equations between two frames, built from

    offset   a_i . (p_j - p_i)      a direction and a point of body i, a point of body j
    dot      a_i . b_j              directions of the two bodies
    angle    atan2(S, C)            S and C sums of dots

and prescribed coordinates are equations q_k - f(t) = 0.  With phi the equations, J u = nu, J u' = gamma:

    M u' = F + J^T lambda,    J u' = gamma.

J is cut by its singular values at a fixed rank (the generic rank of the mechanism); with N the null space,
u' = J^+ gamma + N z,  (N^T M N) z = N^T (F - M J^+ gamma),  lambda = (J^T)^+ (M u' - F): multipliers of least norm over
all joints together.  Inside, lengths are divided by a characteristic length L, so that a row of a force and a row of a
moment compare as F and T/L.

Motion is integrated by DOP853 with positions and velocities brought back to the equations after every step.  Where the
smallest kept singular value goes through zero (a singular position) the motion itself is smooth, but neither the
acceleration nor a projection can be trusted there: the stretch is crossed by Gauss collocation of high order whose
polynomial is fitted to the points away from the singular position, without projection, hence without loss of momentum
and on the branch that continues the motion analytically.
"""
from __future__ import annotations

import argparse
import csv
import math
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853
from scipy.interpolate import KroghInterpolator

from expressions import Expression, ExpressionError, Jet, Scope

Array = NDArray[np.float64]

NOT_SUPPORTED = """
models of the plane; joints `custom`, `equation`, `distance`; joint friction; `limits` of a dof, [stops]; events that
stop the run; drivers and torsion springs as separate sections (they belong to the plane); tabulated motions and
`lookup`; loads that use quantities of the mechanism or measures; motions or rest positions of quaternion joints,
stiffness of the translations of a free joint; exact dry friction (friction_speed = 0) and friction without a stated
friction_speed; couplings of quaternion joints, couplings without `offset` whose equation does not hold as written;
gimbals whose middle angle passes 90 degrees in an integration; start_momentum together with loops; bodies without a joint.
All of these raise ModelError.  [measures], [goals], [synthesis], [run] and events without `stop` do not change the
motion and are left out with a note.
"""


class ModelError(ValueError):
    """The model is wrong, or uses what this oracle does not do."""


class RunError(RuntimeError):
    """The analysis could not be completed."""


# ---------------------------------------------------------------------------------------------------------- rotations
def cross(a: Array, b: Array) -> Array:
    """Cross product along the last axis."""
    out = np.empty(np.broadcast(a, b).shape)
    out[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    out[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    out[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out


def skew(a: Array) -> Array:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def rotation_about(axis: Array, angle: float) -> Array:
    k = skew(axis)
    return np.eye(3) + math.sin(angle) * k + 2 * math.sin(angle / 2) ** 2 * (k @ k)


def rotation_rpy(rpy: Array) -> Array:
    ex, ey, ez = np.eye(3)
    return rotation_about(ez, rpy[2]) @ rotation_about(ey, rpy[1]) @ rotation_about(ex, rpy[0])


def rotations(e: Array) -> Array:
    """Rotation matrices of (not necessarily unit) quaternions (n, 4), w first."""
    e = e / np.linalg.norm(e, axis=-1, keepdims=True)
    w, x, y, z = np.moveaxis(e, -1, 0)
    r = np.empty(e.shape[:-1] + (3, 3))
    r[..., 0, 0], r[..., 0, 1], r[..., 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    r[..., 1, 0], r[..., 1, 1], r[..., 1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    r[..., 2, 0], r[..., 2, 1], r[..., 2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    return r


def quaternion(r: Array) -> Array:
    """Unit quaternion of a rotation matrix (largest component positive)."""
    t = np.array([np.trace(r), r[0, 0], r[1, 1], r[2, 2]])
    k = int(np.argmax(t))
    if k == 0:
        e = np.array([1 + t[0], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
    else:
        i, j, l = k - 1, k % 3, (k + 1) % 3
        e = np.zeros(4)
        e[0] = r[l, j] - r[j, l]
        e[1 + i] = 1 + r[i, i] - r[j, j] - r[l, l]
        e[1 + j] = r[j, i] + r[i, j]
        e[1 + l] = r[l, i] + r[i, l]
    return e / np.linalg.norm(e)


def quaternion_product(a: Array, b: Array) -> Array:
    w = a[..., :1] * b[..., :1] - np.sum(a[..., 1:] * b[..., 1:], axis=-1, keepdims=True)
    return np.concatenate([w, a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + cross(a[..., 1:], b[..., 1:])], axis=-1)


def quaternion_of_vector(theta: Array) -> Array:
    """Quaternions of rotation vectors (n, 3)."""
    n = np.linalg.norm(theta, axis=-1, keepdims=True)
    return np.concatenate([np.cos(n / 2), 0.5 * np.sinc(n / (2 * np.pi)) * theta], axis=-1)


def rotation_vector(r: Array) -> Array:
    e = quaternion(r)
    e = e if e[0] >= 0 else -e
    s = np.linalg.norm(e[1:])
    return 2 * e[1:] if s < 1e-300 else 2 * math.atan2(s, e[0]) * e[1:] / s


def basis_with_z(axis: Array) -> Array:
    """A right-handed orthonormal basis (columns) whose third column is the axis."""
    a = axis / np.linalg.norm(axis)
    b = np.eye(3)[int(np.argmin(np.abs(a)))]
    b1 = b - a * (a @ b)
    b1 /= np.linalg.norm(b1)
    return np.column_stack([b1, np.cross(a, b1), a])


def wrap(angle: float) -> float:
    return math.remainder(angle, 2 * math.pi)


# -------------------------------------------------------------------------------------------------------------- model
@dataclass
class Body:
    name: str
    mass: float
    com: Array
    inertia: Array                       # 3 x 3 about the centre of mass, body axes
    points: dict[str, tuple[Array, Array]]
    has_mass: bool = True


@dataclass
class Dof:
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0
    torque: Callable[..., Jet] | None = None
    motion: Callable[..., Jet] | None = None


@dataclass
class Joint:
    name: str
    type: str
    parent: int
    child: int
    p: Array                             # joint frame in the parent: point from the centre of mass, axes as columns
    P: Array
    c: Array
    C: Array
    pitch: float = 0.0
    loop: bool = False
    q0: list[float] = field(default_factory=list)
    v0: list[float] = field(default_factory=list)
    wrote_v: bool = True
    dofs: list[Dof] = field(default_factory=list)
    coords: list[int] = field(default_factory=list)     # indices of scalar coordinates (not for quaternion joints)
    lengths: list[bool] = field(default_factory=list)   # which coordinates are lengths
    rows: list[int] = field(default_factory=list)       # constraint rows, drivers included
    driver_rows: dict[int, int] = field(default_factory=dict)


@dataclass
class State:
    """Poses and velocities of all bodies; index 0 is the ground.  Lengths in units of the characteristic length."""
    t: float
    x: Array
    e: Array
    v: Array
    w: Array
    work: Array = field(default_factory=lambda: np.zeros(3))      # by drivers, by other loads, lost in dampers
    angles: dict[int, float] = field(default_factory=dict)        # unwrapped angles of an output state

    def copy(self) -> "State":
        return State(self.t, self.x.copy(), self.e.copy(), self.v.copy(), self.w.copy(), self.work.copy())

    @property
    def u(self) -> Array:
        return np.hstack([self.v[1:], self.w[1:]]).ravel()

    def with_u(self, u: Array) -> "State":
        s = self.copy()
        uu = u.reshape(-1, 6)
        s.v[1:], s.w[1:] = uu[:, :3], uu[:, 3:]
        return s

    def moved(self, d: Array) -> "State":
        s = self.copy()
        dd = d.reshape(-1, 6)
        s.x[1:] += dd[:, :3]
        s.e[1:] = quaternion_product(quaternion_of_vector(dd[:, 3:]), s.e[1:])
        s.e[1:] /= np.linalg.norm(s.e[1:], axis=1, keepdims=True)
        return s


@dataclass
class Rank:
    rank: int
    smallest_kept: float
    largest_dropped: float
    values: Array

    @property
    def clear(self) -> bool:
        return self.largest_dropped < 1e-3 * self.smallest_kept


@dataclass
class Solution:
    """Accelerations and multipliers at a state (scaled lengths)."""
    a: Array
    lam: Array
    rank: Rank
    left_null: Array
    gamma_gap: float                     # how much of gamma the cut J cannot follow
    smallest: float                      # smallest kept singular value over the largest
    inertia_condition: float


COORDINATES = {"revolute": 1, "prismatic": 1, "helical": 1, "cylindrical": 2, "planar": 3, "translation": 3, "universal": 2,
               "gimbal": 3, "spherical": 4, "free": 7, "fixed": 0, "weld": 0}
VELOCITIES = {**COORDINATES, "spherical": 3, "free": 6}
AXIS_TYPES = ("revolute", "prismatic", "helical", "cylindrical")


class System:
    """A mechanism, ready to be evaluated.  `L` is the characteristic length by which all lengths are divided."""

    def __init__(self, name: str, bodies: list[Body], joints: list[Joint], gravity: Array, length: float, rank_tol: float = 1e-8):
        self.name, self.bodies, self.joints, self.g, self.L = name, bodies, joints, gravity / length, length
        self.n = len(bodies) - 1
        self.rank_tol = rank_tol
        self.generic: int | None = None
        self.floor = 0.0                                           # what the start leaves open (axes not quite parallel)
        self.notes: list[str] = []
        self.springs: list[dict[str, Any]] = []
        self.loads: list[dict[str, Any]] = []
        self.couplings: list[tuple[str, int, int, float, float]] = []
        self.coupling_rows: dict[str, int] = {}
        self.start_momentum: str | None = None
        self.mass = np.array([b.mass for b in bodies])
        self.inertia = np.array([b.inertia for b in bodies]) / length ** 2
        self.com = np.array([b.com for b in bodies]) / length
        self._offsets: list[tuple[int, int, Array, Array, Array]] = []
        self._dots: list[tuple[int, int, Array, Array]] = []
        self._angles: list[tuple[dict[int, float], dict[int, float]]] = []
        self._asins: list[int] = []
        self._gimbals: list[tuple[int, int, int]] = []             # first angle, last angle, coordinate of the middle one
        self._track: dict[int, float] = {}                         # angles with their turns
        self._refs: list[tuple[str, int]] = []                     # coordinates: (kind, index)
        self._rows: list[tuple] = []                               # ("offset"|"dot", k), ("helical", d, th, h), ...
        self.row_owner: list[str] = []

    # -------------------------------------------------------------- building
    def add_offset(self, j: Joint, u: Array) -> int:
        self._offsets.append((j.parent, j.child, u, j.p, j.c))
        return len(self._offsets) - 1

    def add_dot(self, j: Joint, u: Array, w: Array) -> int:
        self._dots.append((j.parent, j.child, u, w))
        return len(self._dots) - 1

    def add_coord(self, j: Joint, kind: str, index: int) -> int:
        self._refs.append((kind, index))
        j.coords.append(len(self._refs) - 1)
        j.lengths.append(kind == "offset")
        return len(self._refs) - 1

    def add_row(self, owner: str, row: tuple) -> int:
        self._rows.append(row)
        self.row_owner.append(owner)
        return len(self._rows) - 1

    def build(self) -> None:
        """Constraint rows and scalar coordinates of every joint."""
        for j in self.joints:
            P, C, T = j.P.T, j.C.T, j.type
            offs = [self.add_offset(j, P[k]) for k in range(3)]
            held = {"revolute": (0, 1, 2), "universal": (0, 1, 2), "gimbal": (0, 1, 2), "spherical": (0, 1, 2), "fixed": (0, 1, 2),
                    "weld": (0, 1, 2), "prismatic": (0, 1), "cylindrical": (0, 1), "helical": (0, 1), "planar": (2,)}.get(T, ())
            for k in held:
                j.rows.append(self.add_row(j.name, ("offset", offs[k])))
            if T in ("revolute", "cylindrical", "helical", "planar", "prismatic", "translation", "fixed", "weld"):
                for k in (0, 1):
                    j.rows.append(self.add_row(j.name, ("dot", self.add_dot(j, P[2], C[k]))))
            if T in ("prismatic", "translation", "fixed", "weld"):
                j.rows.append(self.add_row(j.name, ("dot", self.add_dot(j, P[0], C[1]))))
            if T == "universal":
                j.rows.append(self.add_row(j.name, ("dot", self.add_dot(j, P[0], C[1]))))
            theta = None
            if T in ("revolute", "cylindrical", "helical", "planar"):
                d = {(a, b): self.add_dot(j, P[a], C[b]) for a in (0, 1) for b in (0, 1)}
                self._angles.append(({d[1, 0]: 1.0, d[0, 1]: -1.0}, {d[0, 0]: 1.0, d[1, 1]: 1.0}))
                theta = len(self._angles) - 1
                self.add_coord(j, "angle", theta)
            if T in ("prismatic", "cylindrical"):
                self.add_coord(j, "offset", offs[2])
            if T == "planar":
                self.add_coord(j, "offset", offs[0])
                self.add_coord(j, "offset", offs[1])
            if T == "translation":
                for k in range(3):
                    self.add_coord(j, "offset", offs[k])
            if T == "helical":
                j.rows.append(self.add_row(j.name, ("helical", offs[2], theta, j.pitch)))
            if T == "universal":
                self._angles.append(({self.add_dot(j, P[2], C[1]): 1.0}, {self.add_dot(j, P[1], C[1]): 1.0}))
                self.add_coord(j, "angle", len(self._angles) - 1)
                self._angles.append(({self.add_dot(j, P[0], C[2]): 1.0}, {self.add_dot(j, P[0], C[0]): 1.0}))
                self.add_coord(j, "angle", len(self._angles) - 1)
            if T == "gimbal":
                self._angles.append(({self.add_dot(j, P[1], C[0]): 1.0}, {self.add_dot(j, P[0], C[0]): 1.0}))
                self.add_coord(j, "angle", len(self._angles) - 1)
                self._asins.append(self.add_dot(j, P[2], C[0]))
                self.add_coord(j, "asin", len(self._asins) - 1)
                self._angles.append(({self.add_dot(j, P[2], C[1]): 1.0}, {self.add_dot(j, P[2], C[2]): 1.0}))
                self.add_coord(j, "angle", len(self._angles) - 1)
                self._gimbals.append((len(self._angles) - 2, len(self._angles) - 1, j.coords[1]))
            for k, dof in enumerate(j.dofs):
                if dof.motion:
                    row = self.add_row(j.name, ("motion", j.coords[k], dof.motion, j.lengths[k]))
                    j.rows.append(row)
                    j.driver_rows[k] = row
        for name, a, b, ratio, offset in self.couplings:
            self.coupling_rows[name] = self.add_row(name, ("coupling", a, b, ratio, offset))
        self._freeze()

    def _freeze(self) -> None:
        o, d = self._offsets, self._dots
        self.no, self.nd = len(o), len(d)
        self.oi, self.oj = np.array([k[0] for k in o], int), np.array([k[1] for k in o], int)
        self.ou, self.opi, self.opj = (np.array([k[m] for k in o]).reshape(-1, 3) for m in (2, 3, 4))
        self.di, self.dj = np.array([k[0] for k in d], int), np.array([k[1] for k in d], int)
        self.du, self.dw = (np.array([k[m] for k in d]).reshape(-1, 3) for m in (2, 3))
        na = len(self._angles)
        self.As, self.Ac = np.zeros((na, self.nd)), np.zeros((na, self.nd))
        for k, (s, c) in enumerate(self._angles):
            for m, f in s.items():
                self.As[k, m] = f
            for m, f in c.items():
                self.Ac[k, m] = f
        base = {"offset": 0, "dot": self.no, "angle": self.no + self.nd, "asin": self.no + self.nd + na}
        self.base = base
        self.ref = np.array([base[kind] + k for kind, k in self._refs], int)
        self.ref_is_angle = np.array([kind != "offset" for kind, _ in self._refs], bool)
        self.row_is_plain = np.array([r[0] in ("offset", "dot") for r in self._rows], bool)
        self.plain = np.array([base[r[0]] + r[1] if r[0] in ("offset", "dot") else 0 for r in self._rows], int)
        self.special = [k for k, plain in enumerate(self.row_is_plain) if not plain]
        self.m = len(self._rows)

    # ------------------------------------------------------------ evaluation
    def quantities(self, s: State) -> tuple[Array, Array, Array, Array, Array]:
        """Values, rates, Jacobian and second-derivative bias (u' = 0) of all offsets, dots, angles; and rotations."""
        n, R = self.n, rotations(s.e)
        w, v, x = s.w, s.v, s.x
        total = self.no + self.nd
        val, rate, bias = np.zeros(total), np.zeros(total), np.zeros(total)
        J = np.zeros((total, n + 1, 6))
        i, j = self.oi, self.oj
        if self.no:
            k = np.arange(self.no)
            U = np.einsum("nab,nb->na", R[i], self.ou)
            ri, rj = np.einsum("nab,nb->na", R[i], self.opi), np.einsum("nab,nb->na", R[j], self.opj)
            d = x[j] + rj - x[i] - ri
            Ud, rid, rjd = cross(w[i], U), cross(w[i], ri), cross(w[j], rj)
            dd = v[j] + rjd - v[i] - rid
            val[:self.no] = np.sum(U * d, axis=1)
            rate[:self.no] = np.sum(Ud * d, axis=1) + np.sum(U * dd, axis=1)
            bias[:self.no] = (np.sum(cross(w[i], Ud) * d, axis=1) + 2 * np.sum(Ud * dd, axis=1)
                              + np.sum(U * (cross(w[j], rjd) - cross(w[i], rid)), axis=1))
            J[k, i, :3] -= U
            J[k, i, 3:] += cross(U, d + ri)
            J[k, j, :3] += U
            J[k, j, 3:] += cross(rj, U)
        i, j = self.di, self.dj
        if self.nd:
            k = np.arange(self.no, total)
            U, W = np.einsum("nab,nb->na", R[i], self.du), np.einsum("nab,nb->na", R[j], self.dw)
            Ud, Wd = cross(w[i], U), cross(w[j], W)
            c = cross(U, W)
            val[self.no:] = np.sum(U * W, axis=1)
            rate[self.no:] = np.sum(Ud * W, axis=1) + np.sum(U * Wd, axis=1)
            bias[self.no:] = (np.sum(cross(w[i], Ud) * W, axis=1) + 2 * np.sum(Ud * Wd, axis=1)
                              + np.sum(U * cross(w[j], Wd), axis=1))
            J[k, i, 3:] += c
            J[k, j, 3:] -= c
        J = J[:, 1:, :].reshape(total, 6 * n)
        if len(self.As):
            D = slice(self.no, total)
            side = self.sides()
            As, Ac = side[:, None] * self.As, side[:, None] * self.Ac
            S, C, Sd, Cd = As @ val[D], Ac @ val[D], As @ rate[D], Ac @ rate[D]
            N = S * S + C * C
            N = np.where(N > 0, N, np.nan)
            ad = (C * Sd - S * Cd) / N
            ab = (C * (As @ bias[D]) - S * (Ac @ bias[D])) / N - ad * 2 * (S * Sd + C * Cd) / N
            JA = (C[:, None] * (As @ J[D]) - S[:, None] * (Ac @ J[D])) / N[:, None]
            val, rate, bias = np.concatenate([val, np.arctan2(S, C)]), np.concatenate([rate, ad]), np.concatenate([bias, ab])
            J = np.vstack([J, JA])
        if self._asins:
            k = self.no + np.array(self._asins)
            q, beyond = val[k], side[[last for _, last, _ in self._gimbals]]
            c = beyond * np.sqrt(np.maximum(1 - q * q, 0))
            middle = np.arctan2(-q, c)
            val, rate, bias, J = (np.concatenate([val, middle]), np.concatenate([rate, -rate[k] / c]),
                                  np.concatenate([bias, -(bias[k] / c + q * rate[k] ** 2 / c ** 3)]),
                                  np.vstack([J, -J[k] / c[:, None]]))
        return val, rate, J, bias, R

    def sides(self) -> Array:
        """-1 for the angles of a gimbal whose middle one is beyond a quarter turn: the same rotation has two sets of angles."""
        side = np.ones(len(self._angles))
        for first, last, middle in self._gimbals:
            if math.cos(self._track.get(middle, 0.0)) < 0:
                side[[first, last]] = -1.0
        return side

    def constraints(self, s: State, quantities: tuple | None = None) -> tuple[Array, Array, Array, Array]:
        """phi, J, nu, gamma: phi = 0, J u = nu, J u' = gamma."""
        val, rate, JQ, bias, _ = quantities or self.quantities(s)
        phi, J, nu, gamma = val[self.plain], JQ[self.plain], np.zeros(self.m), -bias[self.plain]
        for k in self.special:
            row = self._rows[k]
            if row[0] == "helical":
                d, th, h = row[1], self.base["angle"] + row[2], row[3]
                scale = math.hypot(1, h)
                phi[k] = (h * wrap(val[d] / h - val[th]) if h else val[d]) / scale
                J[k] = (JQ[d] - h * JQ[th]) / scale
                gamma[k] = -(bias[d] - h * bias[th]) / scale
            elif row[0] == "motion":
                c, f = self.ref[row[1]], row[2](s.t)
                unit = self.L if row[3] else 1.0
                phi[k] = val[c] - f.f / unit if row[3] else wrap(val[c] - f.f)
                J[k], nu[k], gamma[k] = JQ[c], f.d / unit, f.e / unit - bias[c]
            else:
                _, a, b, ratio, offset = row
                ca, cb = self.ref[a], self.ref[b]
                # the angles of a coupling may have turned: phi is taken relative to the tracked coordinates
                qa, qb = self.tracked(a, val[ca]), self.tracked(b, val[cb])
                phi[k] = qb - ratio * qa - offset
                J[k] = JQ[cb] - ratio * JQ[ca]
                gamma[k] = -(bias[cb] - ratio * bias[ca])
        return phi, J, nu, gamma

    def tracked(self, c: int, principal: float) -> float:
        last = self._track.get(c, principal)
        return last + wrap(principal - last) if self.ref_is_angle[c] else principal

    def track(self, s: State) -> None:
        """Count the turns of all angles; called after every accepted step, which turns nothing by half a turn."""
        val = self.quantities(s)[0]
        for c in np.flatnonzero(self.ref_is_angle):
            self._track[int(c)] = self.tracked(int(c), float(val[self.ref[c]]))
        s.angles = dict(self._track)

    def unwrapped(self, s: State) -> State:
        """The state with its angles counted from the last accepted step."""
        val = self.quantities(s)[0]
        s.angles = {int(c): self.tracked(int(c), float(val[self.ref[c]])) for c in np.flatnonzero(self.ref_is_angle)}
        return s

    def mass_matrix(self, R: Array) -> tuple[Array, Array]:
        n = self.n
        I = R[1:] @ self.inertia[1:] @ np.swapaxes(R[1:], 1, 2)
        M = np.zeros((n, 6, n, 6))
        k = np.arange(n)
        for a in range(3):
            M[k, a, k, a] = self.mass[1:]
        for a in range(3):
            for b in range(3):
                M[k, 3 + a, k, 3 + b] = I[:, a, b]
        return M.reshape(6 * n, 6 * n), I

    def quaternion_joint(self, j: Joint, s: State, R: Array) -> tuple[Array, Array, Array, Array]:
        """Relative pose and velocity variables of a spherical or free joint: R_rel, p, v and the rows G with v = G u."""
        Rp, Rc = R[j.parent] @ j.P, R[j.child] @ j.C
        ri, rj = R[j.parent] @ j.p, R[j.child] @ j.c
        d = s.x[j.child] + rj - s.x[j.parent] - ri
        G = np.zeros((6, self.n + 1, 6))
        E = Rc.T
        G[:3, j.parent, 3:] -= E
        G[:3, j.child, 3:] += E
        G[3:, j.child, :3] += E
        G[3:, j.child, 3:] -= E @ skew(rj)
        G[3:, j.parent, :3] -= E
        G[3:, j.parent, 3:] += E @ skew(d + ri)
        G = G[:, 1:].reshape(6, -1)
        if j.type == "spherical":
            G = G[:3]
        return Rp.T @ Rc, Rp.T @ d, G @ s.u, G

    def quaternion_joint_acceleration(self, j: Joint, s: State, R: Array, a: Array) -> Array:
        acc = np.vstack([np.zeros(6), a.reshape(-1, 6)])
        i, c = j.parent, j.child
        E = (R[c] @ j.C).T
        wi, wc = s.w[i], s.w[c]
        ri, rj = R[i] @ j.p, R[c] @ j.c
        x_i, x_c = s.x[i] + ri, s.x[c] + rj
        v_i, v_c = s.v[i] + np.cross(wi, ri), s.v[c] + np.cross(wc, rj)
        a_i = acc[i, :3] + np.cross(acc[i, 3:], ri) + np.cross(wi, np.cross(wi, ri))
        a_c = acc[c, :3] + np.cross(acc[c, 3:], rj) + np.cross(wc, np.cross(wc, rj))
        d, dd = x_c - x_i, v_c - v_i
        rel = dd - np.cross(wi, d)
        reld = a_c - a_i - np.cross(acc[i, 3:], d) - np.cross(wi, dd)
        al = E @ (acc[c, 3:] - acc[i, 3:] - np.cross(wc, wc - wi))
        return al if j.type == "spherical" else np.concatenate([al, E @ (reld - np.cross(wc, rel))])

    def forces(self, s: State, q: tuple) -> dict[str, Any]:
        """Applied forces (gravity and gyroscopic terms included), potential energy, powers; scaled units."""
        val, rate, JQ, bias, R = q
        n, L = self.n, self.L
        F = np.zeros((n + 1, 6))
        M, I = self.mass_matrix(R)
        F[1:, :3] += self.mass[1:, None] * self.g
        w = s.w[1:]
        F[1:, 3:] -= cross(w, np.einsum("nab,nb->na", I, w))
        potential = -float(np.sum(self.mass[1:, None] * s.x[1:] * self.g))
        lost = applied = 0.0
        Fq = np.zeros(6 * n)
        tau_applied: dict[tuple[str, int], float] = {}
        for j in self.joints:
            if not j.dofs:
                continue
            if j.type in ("spherical", "free"):
                Rr, p, vel, G = self.quaternion_joint(j, s, R)
                tau = np.zeros(len(vel))
                K = np.array([d.stiffness for d in j.dofs[:3]]) / L ** 2
                if np.any(K):
                    th = rotation_vector(Rr)
                    angle = np.linalg.norm(th)
                    k = skew(th)
                    coef = 1 / 12 + angle ** 2 / 720 if angle < 1e-3 else (1 / angle ** 2 - (1 + math.cos(angle)) / (2 * angle * math.sin(angle)))
                    Jinv = np.eye(3) + 0.5 * k + coef * (k @ k)          # inverse right Jacobian
                    tau[:3] -= Jinv.T @ (K * th)
                    potential += 0.5 * float(th @ (K * th))
                for m, dof in enumerate(j.dofs):
                    unit = L if m < 3 else 1.0
                    c = dof.damping / (L * L if m < 3 else 1.0)
                    tau[m] -= c * vel[m]
                    lost += c * vel[m] ** 2
                    if dof.torque:
                        f = dof.torque(s.t).f / (unit * L)
                        tau[m] += f
                        applied += f * vel[m]
                    tau_applied[j.name, m] = tau[m]
                Fq += G.T @ tau
                continue
            for m, dof in enumerate(j.dofs):
                c = self.ref[j.coords[m]]
                length = j.lengths[m]
                unit = 1.0 if length else L * L
                rest = dof.rest / L if length else dof.rest
                qv = val[c] if length or not dof.stiffness else self.turned(j, m, val[c])
                tau = 0.0
                if dof.stiffness:
                    k = dof.stiffness / unit
                    tau -= k * (qv - rest)
                    potential += 0.5 * k * (qv - rest) ** 2
                if dof.damping:
                    k = dof.damping / unit
                    tau -= k * rate[c]
                    lost += k * rate[c] ** 2
                if dof.torque:
                    f = dof.torque(s.t).f / (L if length else L * L)
                    tau += f
                    applied += f * rate[c]
                tau_applied[j.name, m] = tau
                if tau:
                    Fq += tau * JQ[c]
        spring_out = {}
        for sp in self.springs:
            i, k = sp["i"], sp["j"]
            ri, rj = R[i] @ sp["pi"], R[k] @ sp["pj"]
            d = s.x[k] + rj - s.x[i] - ri
            dd = s.v[k] + np.cross(s.w[k], rj) - s.v[i] - np.cross(s.w[i], ri)
            l = float(np.linalg.norm(d))
            if l == 0:
                raise RunError(f"spring '{sp['name']}' has no length")
            e = d / l
            ld = float(e @ dd)
            f = sp["stiffness"] * (l - sp["free"] / L) + sp["damping"] * ld
            lost += sp["damping"] * ld * ld
            potential += 0.5 * sp["stiffness"] * (l - sp["free"] / L) ** 2
            if sp["friction"]:
                fr = sp["friction"] / L * math.tanh(ld * L / sp["speed"])
                f += fr
                lost += fr * ld
            if sp["actuator"]:
                fa = sp["actuator"](s.t, l=l * L, v=ld * L).f / L
                f += fa
                applied -= fa * ld
            spring_out[sp["name"]] = (l * L, ld * L, f * L)
            F[k, :3] -= f * e
            F[k, 3:] -= np.cross(rj, f * e)
            F[i, :3] += f * e
            F[i, 3:] += np.cross(ri, f * e)
        for ld in self.loads:
            b = ld["body"]
            val_ = np.array([c(s.t).f for c in ld["value"]])
            if ld["type"] == "force":
                f = (R[b] @ val_ if ld["frame"] == "body" else val_) / L
                wrench = np.concatenate([f, np.cross(R[b] @ ld["point"], f)])
            elif ld["type"] == "moment":
                m_ = (R[b] @ val_ if ld["frame"] == "body" else val_) / L ** 2
                wrench = np.concatenate([np.zeros(3), m_])
            else:
                m_, f = val_[:3] / L ** 2, val_[3:] / L
                if ld["frame"] == "body":
                    m_, f = R[b] @ m_, R[b] @ f
                    arm = R[b] @ (-self.com[b])
                else:
                    arm = -s.x[b]
                wrench = np.concatenate([f, m_ + np.cross(arm, f)])
            F[b] += wrench
            applied += float(wrench[:3] @ s.v[b] + wrench[3:] @ s.w[b])
        return {"F": F[1:].ravel() + Fq, "M": M, "I": I, "potential": potential, "lost": lost, "applied": applied,
                "tau": tau_applied, "springs": spring_out}

    def turned(self, j: Joint, m: int, principal: float) -> float:
        """The angle of a sprung dof, unwrapped from where it was last seen."""
        key = j.coords[m]
        last = self._track.get(key, principal)
        return last + wrap(principal - last)

    # ------------------------------------------------------------------ rank
    def rank_of(self, J: Array, tol: float | None = None) -> Rank:
        sv = np.linalg.svd(J, compute_uv=False) if J.size else np.zeros(0)
        return _rank(sv, tol if tol is not None else self.rank_tol, None)

    def solve(self, s: State, rank: int | None = None, full: bool = False, work: bool = False) -> tuple[Solution, dict[str, Any]]:
        """Accelerations and least-norm multipliers at a state, J cut at `rank` (default: the generic rank)."""
        q = self.quantities(s)
        phi, J, nu, gamma = self.constraints(s, q)
        fo = self.forces(s, q)
        M, F = fo["M"], fo["F"]
        if self.m:
            U, sv, Vt = np.linalg.svd(J, full_matrices=True)
        else:
            U, sv, Vt = np.zeros((0, 0)), np.zeros(0), np.eye(6 * self.n)
        info = _rank(sv, self.rank_tol, rank if rank is not None else self.generic)
        r = info.rank
        Ur, Vr, N = U[:, :r], Vt[:r].T, Vt[r:].T
        g = Ur.T @ gamma
        a = Vr @ (g / sv[:r])
        condition = 1.0
        if N.shape[1]:
            H = N.T @ M @ N
            rhs = N.T @ (F - M @ a)
            d = np.sqrt(np.maximum(np.diag(H), 1e-300))
            ev = np.linalg.eigvalsh(H / np.outer(d, d))
            condition = float(ev[0] / ev[-1])
            a = a + N @ (np.linalg.solve(H / np.outer(d, d), rhs / d) / d)
        need = M @ a - F
        lam = Ur @ ((Vr.T @ need) / sv[:r])
        lam = self.least(lam, U[:, r:], s, J, fo["tau"])
        gap = float(np.linalg.norm(gamma - Ur @ g)) if self.m else 0.0
        sol = Solution(a, lam, info, U[:, r:], gap, float(sv[r - 1] / sv[0]) if r else 1.0, condition)
        fo["phi"], fo["J"], fo["nu"], fo["q"] = phi, J, nu, q
        return sol, fo

    def least(self, lam: Array, null: Array, s: State, J: Array, tau: dict[tuple[str, int], float]) -> Array:
        """The multipliers that are least as joints that slide and screws count them.

        A row of an offset is a force at the frame on the child, and moments count about the middle between both frames: part of what is
        known as a moment.  An effort on a screw is a moment about its axis here.  In units of its own direction that is, beside the effort
        proper, a part of what the screw resists, and counts as such."""
        if not null.size:
            return lam
        A, c = np.eye(self.m), np.zeros(self.m)
        R = rotations(s.e)
        for j in self.joints:
            if j.type in ("prismatic", "cylindrical", "helical", "planar", "translation"):
                to_middle = (s.x[j.parent] + R[j.parent] @ j.p - s.x[j.child] - R[j.child] @ j.c) / 2
                body, sign = (j.child, 1.0) if j.child else (j.parent, -1.0)
                on = sign * J[:, 6 * (body - 1):6 * body]                  # forces, and moments of what is no force
                moments = [r for r in j.rows if self._rows[r][0] == "dot"]
                forces = [r for r in j.rows if self._rows[r][0] == "offset" or self._rows[r][0] == "motion" and self._rows[r][3]]
                A[np.ix_(moments, forces)] -= on[moments, 3:] @ np.cross(to_middle, on[forces, :3]).T
            if j.type != "helical" or not j.dofs:
                continue
            row, scale = next(r for r in j.rows if self._rows[r][0] == "helical"), math.hypot(1, j.pitch)
            c[row] = -j.pitch / scale * tau.get((j.name, 0), 0.0)
            if 0 in j.driver_rows:
                A[row, j.driver_rows[0]], A[j.driver_rows[0], j.driver_rows[0]] = -j.pitch / scale, 1 / scale
        if not c.any() and np.array_equal(A, np.eye(self.m)):
            return lam
        return lam - null @ np.linalg.lstsq(A @ null, A @ lam + c, rcond=None)[0]

    def not_unique(self, sol: Solution, tol: float = 1e-6) -> list[str]:
        """Joints, loops and couplings whose multipliers are not unique."""
        free = np.linalg.norm(sol.left_null, axis=1) > tol if sol.left_null.size else np.zeros(self.m, bool)
        out: list[str] = []
        for k, owner in enumerate(self.row_owner):
            if free[k] and owner not in out:
                out.append(owner)
        return out

    # ----------------------------------------------------------- projections
    def correct_position(self, s: State, rank: int | None, tol: float = 2e-15, iterations: int = 12,
                         cut: float | None = None) -> tuple[State, float, float]:
        """Newton with the cut pseudo-inverse.  Returns the state, the kept residual, the sum of the changes."""
        moved = 0.0
        last = math.inf
        res = 0.0
        for _ in range(iterations):
            phi, J, _, _ = self.constraints(s)
            if not self.m:
                return s, 0.0, 0.0
            U, sv, Vt = np.linalg.svd(J, full_matrices=False)
            r = _rank(sv, cut if cut is not None else self.rank_tol, rank).rank
            g = U[:, :r].T @ phi
            res = float(np.linalg.norm(g))
            d = -Vt[:r].T @ (g / sv[:r])
            size = float(np.linalg.norm(d))
            if not math.isfinite(size) or size > 1e3:
                return s, math.inf, math.inf
            if size < tol or (size >= 0.5 * last and size < 1e-12):
                break
            s = s.moved(d)
            moved += size
            last = size
        return s, res, moved

    def correct_velocity(self, s: State, rank: int | None) -> State:
        if not self.m:
            return s
        _, J, nu, _ = self.constraints(s)
        U, sv, Vt = np.linalg.svd(J, full_matrices=False)
        r = _rank(sv, self.rank_tol, rank).rank
        u = s.u
        return s.with_u(u - Vt[:r].T @ ((U[:, :r].T @ (J @ u - nu)) / sv[:r]))

    # ---------------------------------------------------------- start state
    def pose_from_q(self, q: dict[str, list[float]], t: float) -> State:
        """Forward kinematics of the tree (q in SI)."""
        n = self.n
        s = State(t, np.zeros((n + 1, 3)), np.tile([1.0, 0, 0, 0], (n + 1, 1)), np.zeros((n + 1, 3)), np.zeros((n + 1, 3)))
        R = np.tile(np.eye(3), (n + 1, 1, 1))
        done, waiting = {0}, [j for j in self.joints if not j.loop]
        while waiting:
            ready = [j for j in waiting if j.parent in done]
            if not ready:
                raise ModelError("the joints do not make a tree: " + ", ".join(j.name for j in waiting))
            for j in ready:
                Rj, rj = joint_displacement(j.type, q[j.name], j.pitch, self.L)
                Rc = R[j.parent] @ j.P @ Rj @ j.C.T
                R[j.child] = Rc
                s.e[j.child] = quaternion(Rc)
                s.x[j.child] = s.x[j.parent] + R[j.parent] @ (j.p + j.P @ rj) - Rc @ j.c
                done.add(j.child)
                waiting.remove(j)
        return s

    def rate_rows(self, s: State) -> tuple[Array, list[tuple[Joint, int]]]:
        """Rows V with v = V u for all velocity variables of the tree (scaled), in the order of the joints."""
        q = self.quantities(s)
        rows, who = [], []
        for j in self.joints:
            if j.loop:
                continue
            if j.type in ("spherical", "free"):
                G = self.quaternion_joint(j, s, q[4])[3]
                rows.extend(G)
                who.extend((j, k) for k in range(len(G)))
            else:
                for k, c in enumerate(j.coords):
                    rows.append(q[2][self.ref[c]])
                    who.append((j, k))
        return np.array(rows).reshape(-1, 6 * self.n), who

    def tree_basis(self, s: State) -> tuple[Array, list[tuple[Joint, int]], list[int]]:
        """B with u = B v on the tree; the velocity variables; the rows that are not of tree joints (loops, drivers)."""
        V, who = self.rate_rows(s)
        _, J, _, _ = self.constraints(s)
        drivers = {r for j in self.joints for r in j.driver_rows.values()}
        tree = [r for j in self.joints if not j.loop for r in j.rows if r not in drivers]
        other = [k for k in range(self.m) if k not in set(tree)]
        B = np.linalg.inv(np.vstack([J[tree], V]))[:, len(tree):]
        return B, who, other

    def start(self, t: float = 0.0, metric: str = "written") -> State:
        """The written state, closed with the least change.

        "joint": least squares of the joint coordinates and rates; "mass": in the metric of the kinetic energy;
        "written": positions as "joint"; of the rates, those that the file writes change as little as possible, and
        only then those that it leaves out.
        """
        self._track = {}
        q: dict[str, list[float]] = {}
        for j in self.joints:
            if j.loop:
                continue
            q[j.name] = list(j.q0)
            for k, dof in enumerate(j.dofs):
                if dof.motion:
                    q[j.name][k] = dof.motion(t).f
            for k, c in enumerate(j.coords):
                self._track[c] = q[j.name][k] / (self.L if j.lengths[k] else 1.0)
        s = self.pose_from_q(q, t)
        # positions: Gauss-Newton in the joint coordinates, then a last correction of the poses themselves
        for it in range(60):
            phi, J, _, _ = self.constraints(s)
            B, who, other = self.tree_basis(s)
            if not other or np.linalg.norm(phi[other]) < 1e-14:
                break
            W = self._metric_inverse_root(B, s, metric)
            K = J[other] @ B @ W
            U, sv, Vt = np.linalg.svd(K, full_matrices=False)
            r = int(np.sum(sv > 1e-7 * max(sv[0], 1e-300)))
            dv = -W @ (Vt[:r].T @ ((U[:, :r].T @ phi[other]) / sv[:r]))
            size = np.linalg.norm(dv)
            if size < 1e-14:
                break
            if size > 0.5:
                dv *= 0.5 / size
            self._move_q(q, who, dv)
            s = self.pose_from_q(q, t)
        for j in self.joints:
            if not j.loop:
                for k, c in enumerate(j.coords):
                    self._track[c] = q[j.name][k] / (self.L if j.lengths[k] else 1.0)
        s, res, _ = self.correct_position(s, None)
        phi, J, nu, _ = self.constraints(s)
        worst = float(np.max(np.abs(phi))) if self.m else 0.0
        if worst > 1e-7:
            raise RunError(f"does not assemble: largest residual {worst:.3g}")
        self.track(s)
        self.floor = worst
        self.generic = self.generic_rank(s)
        # velocities
        B, who, other = self.tree_basis(s)
        v = np.array([j.v0[k] / (self.L if self._is_length(j, k) else 1.0) for j, k in who])
        for k, (j, m) in enumerate(who):
            if j.dofs and m < len(j.dofs) and j.dofs[m].motion:
                f = j.dofs[m].motion(t)
                v[k] = f.d / (self.L if j.lengths[m] else 1.0)
        if self.start_momentum:
            if any(j.loop for j in self.joints):
                raise ModelError("start_momentum together with loops is not supported")
            v = self._momentum_start(B, who, v, s)
        if other:
            W = self._metric_inverse_root(B, s, metric)
            K = J[other] @ B @ W
            U, sv, Vt = np.linalg.svd(K, full_matrices=False)
            r = int(np.sum(sv > self.rank_tol * max(sv[0], 1e-300)))
            gap = J[other] @ (B @ v) - nu[other]
            if metric == "written":
                keep = np.array([j.wrote_v or bool(j.dofs and m < len(j.dofs) and j.dofs[m].motion) for j, m in who])
                Uk = U[:, :r]                                    # the equations that count
                Kf, Kw, gk = Uk.T @ K[:, ~keep], Uk.T @ K[:, keep], Uk.T @ gap
                Kf_inv = cut_inverse(Kf, 1e-9 * sv[0])
                left = np.eye(r) - Kf @ Kf_inv
                dw = -cut_inverse(left @ Kw, 1e-9 * sv[0]) @ (left @ gk)
                change = np.zeros(len(v))
                change[keep] = dw
                change[~keep] = -Kf_inv @ (gk + Kw @ dw)
                v = v + change
            else:
                v = v - W @ (Vt[:r].T @ ((U[:, :r].T @ gap) / sv[:r]))
        s = s.with_u(B @ v)
        return self.correct_velocity(s, None)

    def _is_length(self, j: Joint, k: int) -> bool:
        return k >= 3 if j.type == "free" else (bool(j.lengths[k]) if j.lengths else False)

    def _move_q(self, q: dict[str, list[float]], who: list[tuple[Joint, int]], dv: Array) -> None:
        for j in {id(j): j for j, _ in who}.values():
            d = np.array([dv[k] for k, (jj, _) in enumerate(who) if jj is j])
            if j.type in ("spherical", "free"):
                e = quaternion_product(np.array(q[j.name][:4]), quaternion_of_vector(d[:3]))
                if j.type == "free":
                    p = np.array(q[j.name][4:]) + rotations(np.array(q[j.name][:4])) @ d[3:] * self.L
                    q[j.name] = list(e) + list(p)
                else:
                    q[j.name] = list(e)
            else:
                for k in range(len(d)):
                    q[j.name][k] += d[k] * (self.L if j.lengths[k] else 1.0)

    def _metric_inverse_root(self, B: Array, s: State, metric: str) -> Array:
        k = B.shape[1]
        if metric != "mass":
            return np.eye(k)
        H = B.T @ self.mass_matrix(rotations(s.e))[0] @ B
        ev, X = np.linalg.eigh(H)
        return X @ np.diag(1 / np.sqrt(np.maximum(ev, 1e-14 * ev[-1]))) @ X.T

    def _momentum_start(self, B: Array, who: list[tuple[Joint, int]], v: Array, s: State) -> Array:
        H = B.T @ self.mass_matrix(rotations(s.e))[0] @ B
        active = np.array([bool(j.dofs and m < len(j.dofs) and j.dofs[m].motion) for j, m in who])
        if self.start_momentum == "impulsive":
            p = np.flatnonzero(~active)
        else:
            bases = [j for j in self.joints if j.parent == 0 and not j.loop]
            if len(bases) != 1:
                raise ModelError("start_momentum needs one joint to the ground")
            p = np.array([k for k, (j, _) in enumerate(who) if j is bases[0] and not active[k]], int)
        rest = np.setdiff1d(np.arange(len(v)), p)
        v = v.copy()
        v[p] = -np.linalg.solve(H[np.ix_(p, p)], H[np.ix_(p, rest)] @ v[rest])
        return v

    def generic_rank(self, s: State, tries: int = 6, seed: int = 1) -> int:
        """Largest rank over the start and neighbours of it on the same equations (drivers let go)."""
        if not self.m:
            return 0
        rng = np.random.default_rng(seed)
        best = self.rank_of(self.constraints(s)[1])
        drivers = {r for j in self.joints for r in j.driver_rows.values()}
        keep = np.array([k not in drivers for k in range(self.m)])
        for attempt in range(tries):
            _, J, _, _ = self.constraints(s)
            _, sv, Vt = np.linalg.svd(J[keep]) if keep.any() else (None, np.zeros(0), np.eye(6 * self.n))
            r = int(np.sum(sv > self.rank_tol * sv[0])) if len(sv) else 0
            N = Vt[r:].T
            if not N.shape[1]:
                break
            z = rng.standard_normal(N.shape[1])
            d = N @ (z / np.linalg.norm(z)) * rng.uniform(0.05, 0.3)
            p = s.moved(d)
            for _ in range(40):
                phi, J, _, _ = self.constraints(p)
                if not keep.any():
                    break
                U, sv, Vt = np.linalg.svd(J[keep], full_matrices=False)
                r = int(np.sum(sv > 1e-6 * sv[0]))
                step = -Vt[:r].T @ ((U[:, :r].T @ phi[keep]) / sv[:r])
                size = np.linalg.norm(step)
                if size > 0.3:
                    step *= 0.3 / size
                p = p.moved(step)
                if size < 1e-13:
                    break
            phi, J, _, _ = self.constraints(p)
            if keep.any() and np.max(np.abs(phi[keep])) > max(1e-12, 10 * self._floor(s, keep)):
                continue
            info = self.rank_of(J)
            if info.clear and info.rank > best.rank:
                best = info
        return best.rank

    def _floor(self, s: State, keep: Array) -> float:
        return float(np.max(np.abs(self.constraints(s)[0][keep])))

    def check_closed(self, s: State) -> None:
        """Raise when equations are left open: the rows that the rank leaves out must hold by themselves."""
        phi = self.constraints(s)[0]
        k = int(np.argmax(np.abs(phi))) if self.m else 0
        if self.m and abs(phi[k]) > max(1e-9, 10 * self.floor):
            raise RunError(f"the equations contradict each other at t = {s.t:.9g}: '{self.row_owner[k]}' is open by {abs(phi[k]):.3g}")

    # -------------------------------------------------------------- energies
    def energies(self, s: State) -> tuple[float, float]:
        q = self.quantities(s)
        fo = self.forces(s, q)
        u = s.u
        return 0.5 * float(u @ fo["M"] @ u) * self.L ** 2, fo["potential"] * self.L ** 2


def cut_inverse(A: Array, cut: float) -> Array:
    """Pseudo-inverse without the singular values below an absolute cut."""
    if not A.size:
        return np.zeros(A.shape[::-1])
    U, sv, Vt = np.linalg.svd(A, full_matrices=False)
    r = int(np.sum(sv > cut))
    return Vt[:r].T @ (U[:, :r] / sv[:r]).T


def _rank(sv: Array, tol: float, fixed: int | None) -> Rank:
    top = sv[0] if len(sv) else 1.0
    r = int(np.sum(sv > tol * top)) if fixed is None else min(fixed, int(np.sum(sv > 0)))
    return Rank(r, float(sv[r - 1] / top) if r else math.inf, float(sv[r] / top) if r < len(sv) else 0.0, sv / top)


def joint_displacement(kind: str, q: list[float], pitch: float, L: float) -> tuple[Array, Array]:
    """Rotation and translation of a joint in its own basis (the axis is the third vector); pitch scaled by L."""
    ex, ey, ez = np.eye(3)
    I, zero = np.eye(3), np.zeros(3)
    match kind:
        case "revolute":
            return rotation_about(ez, q[0]), zero
        case "prismatic":
            return I, ez * q[0] / L
        case "helical":
            return rotation_about(ez, q[0]), ez * pitch * q[0]
        case "cylindrical":
            return rotation_about(ez, q[0]), ez * q[1] / L
        case "planar":
            return rotation_about(ez, q[0]), np.array([q[1], q[2], 0]) / L
        case "translation":
            return I, np.array(q) / L
        case "universal":
            return rotation_about(ex, q[0]) @ rotation_about(ey, q[1]), zero
        case "gimbal":
            return rotation_about(ez, q[0]) @ rotation_about(ey, q[1]) @ rotation_about(ex, q[2]), zero
        case "spherical":
            return rotations(np.array(q)), zero
        case "free":
            return rotations(np.array(q[:4])), np.array(q[4:]) / L
    return I, zero


# ------------------------------------------------------------------------------------------------------------- loading
def _only(where: str, table: dict[str, Any], allowed: str) -> None:
    extra = set(table) - set(allowed.split())
    if extra:
        raise ModelError(f"{where}: not supported or unknown: {', '.join(sorted(extra))}")


def load(path: str | Path, rank_tol: float = 1e-8, set_parameters: dict[str, Any] | None = None) -> System:
    """Read a model file of space."""
    with open(path, "rb") as file:
        data = tomllib.load(file)
    return from_dict(data, rank_tol, set_parameters)


def from_dict(data: dict[str, Any], rank_tol: float = 1e-8, set_parameters: dict[str, Any] | None = None) -> System:
    _only("model", data, "jounce name space gravity parameters ground bodies joints loops couplings forces base run measures goals "
          "events synthesis description title comment")
    if data.get("space", "plane") != "3d":
        raise ModelError("only models of space (space = \"3d\") are supported")
    scope = Scope({**data.get("parameters", {}), **(set_parameters or {})})
    notes = [f"[{k}] left out" for k in ("measures", "goals", "synthesis") if k in data]
    for name, ev in data.get("events", {}).items():
        if ev.get("stop"):
            raise ModelError(f"event '{name}' stops the run: not supported")
        notes.append(f"event '{name}' left out")

    def vec(raw: Any, n: int = 3) -> Array:
        if not isinstance(raw, list) or len(raw) != n:
            raise ModelError(f"{n} components expected: {raw!r}")
        return np.array([scope.number(c) for c in raw])

    def frame(raw: Any) -> tuple[Array, Array]:
        if isinstance(raw, list):
            return vec(raw), np.eye(3)
        _only("frame", raw, "xyz rpy")
        return vec(raw.get("xyz", [0, 0, 0])), rotation_rpy(vec(raw.get("rpy", [0, 0, 0])))

    def body(name: str, raw: dict[str, Any]) -> Body:
        _only(f"body '{name}'", raw, "mass com inertia points shape")
        mass = scope.number(raw.get("mass", 0))
        com, inertia = np.zeros(3), np.zeros((3, 3))
        if "shape" in raw and ("com" not in raw or "inertia" not in raw):
            com, inertia = _shape(name, raw["shape"], mass, scope, vec)
        if "com" in raw:
            com = vec(raw["com"])
        if "inertia" in raw:
            xx, yy, zz, xy, xz, yz = vec(raw["inertia"], 6)
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        pts = {k: frame(p) for k, p in raw.get("points", {}).items()}
        return Body(name, mass, com, inertia, pts, "mass" in raw)

    ground = data.get("ground", {})
    _only("ground", ground, "points")
    bodies = [Body("ground", 0.0, np.zeros(3), np.zeros((3, 3)), {k: frame(p) for k, p in ground.get("points", {}).items()})]
    bodies += [body(name, raw) for name, raw in data.get("bodies", {}).items()]
    index = {b.name: k for k, b in enumerate(bodies)}
    if len(index) != len(bodies):
        raise ModelError("two bodies have one name")

    def find(name: str) -> int:
        if name not in index:
            raise ModelError(f"no body '{name}'")
        return index[name]

    def point(raw: str) -> tuple[int, Array, Array]:
        b, _, p = raw.partition(".")
        k = find(b)
        if p == "origin":
            return k, np.zeros(3), np.eye(3)
        if p == "com":
            return k, bodies[k].com.copy(), np.eye(3)
        if p not in bodies[k].points:
            raise ModelError(f"'{b}' has no point '{p}'")
        return k, *bodies[k].points[p]

    joints: list[Joint] = []

    def joint_basis(where: str, kind: str, raw: dict[str, Any]) -> Array:
        if kind not in COORDINATES:
            raise ModelError(f"{where}: type '{kind}' is not supported")
        if "axis" in raw and kind not in AXIS_TYPES:
            raise ModelError(f"{where}: a {kind} joint has no axis")
        if "pitch" in raw and kind != "helical":
            raise ModelError(f"{where}: a {kind} joint has no pitch")
        if kind == "helical" and "pitch" not in raw:
            raise ModelError(f"{where}: pitch is missing")
        if kind not in AXIS_TYPES:
            return np.eye(3)
        axis = vec(raw.get("axis", [0, 0, 1]))
        if not np.linalg.norm(axis):
            raise ModelError(f"{where}: the axis is zero")
        return np.eye(3) if np.array_equal(axis, [0, 0, 1]) else basis_with_z(axis)

    seen_child: set[int] = set()
    for name, raw in data.get("joints", {}).items():
        where = f"joint '{name}'"
        _only(where, raw, "type parent child origin child_origin axis q v dofs pitch")
        kind = raw["type"]
        basis = joint_basis(where, kind, raw)
        i, j = find(raw["parent"]), find(raw["child"])
        if j == 0 or j in seen_child:
            raise ModelError(f"{where}: the child already has a joint, or is the ground")
        seen_child.add(j)
        (p, P), (c, C) = frame(raw.get("origin", {})), frame(raw.get("child_origin", {}))
        nq, nv = COORDINATES[kind], VELOCITIES[kind]
        default = [1.0, 0, 0, 0] + [0.0] * 3
        q0 = [float(a) for a in vec(raw["q"], nq)] if "q" in raw else default[:nq] if kind in ("spherical", "free") else [0.0] * nq
        v0 = [float(a) for a in vec(raw["v"], nv)] if "v" in raw else [0.0] * nv
        if kind in ("spherical", "free"):
            size = float(np.linalg.norm(q0[:4]))
            if abs(size - 1) > 1e-6:
                raise ModelError(f"{where}: the quaternion is not of unit length")
            q0[:4] = [a / size for a in q0[:4]]
        dofs = []
        for k, d in enumerate(raw.get("dofs", [])):
            _only(f"{where} dof {k + 1}", d, "stiffness damping rest torque motion")
            if isinstance(d.get("motion"), dict):
                raise ModelError(f"{where}: tabulated motions are not supported")
            dof = Dof(scope.number(d.get("stiffness", 0)), scope.number(d.get("damping", 0)), scope.number(d.get("rest", 0)),
                      scope.function(d["torque"]) if "torque" in d else None, scope.function(d["motion"]) if "motion" in d else None)
            if kind in ("spherical", "free") and (dof.motion or dof.rest or (k >= 3 and dof.stiffness)):
                raise ModelError(f"{where} dof {k + 1}: motion, rest or this stiffness of a quaternion joint is not supported")
            dofs.append(dof)
        if dofs and len(dofs) != nv:
            raise ModelError(f"{where}: {nv} dofs expected, {len(dofs)} given")
        joints.append(Joint(name, kind, i, j, p - bodies[i].com, P @ basis, c - bodies[j].com, C @ basis,
                            scope.number(raw.get("pitch", 0)), False, q0, v0, "v" in raw, dofs))
    for k, b in enumerate(bodies[1:], 1):
        if k not in seen_child:
            raise ModelError(f"body '{b.name}' has no joint that it is the child of")
    for name, raw in data.get("loops", {}).items():
        where = f"loop '{name}'"
        _only(where, raw, "type i j axis pitch")
        basis = joint_basis(where, raw["type"], raw)
        (i, p, P), (j, c, C) = point(raw["i"]), point(raw["j"])
        if i == j:
            raise ModelError(f"{where}: both points are on one body")
        joints.append(Joint(name, raw["type"], i, j, p - bodies[i].com, P @ basis, c - bodies[j].com, C @ basis,
                            scope.number(raw.get("pitch", 0)), True))

    # a characteristic length: the largest distance within a body between its points, the places of its joints and, unless it is
    # the ground, its centre of mass; that is what reactions of least norm divide moments by.  Where there is none, what is left
    spans, others = [], []
    for k, b in enumerate(bodies):
        pts = [p for p, _ in b.points.values()] + ([b.com] if k else [])
        pts += [j.p + b.com for j in joints if j.parent == k] + [j.c + b.com for j in joints if j.child == k]
        spans += [float(np.linalg.norm(p - q)) for p in pts for q in pts]
        if b.mass > 0:
            others.append(math.sqrt(max(float(np.trace(b.inertia)), 0) / b.mass))
    for j in joints:
        if not j.loop and j.type in ("prismatic", "translation", "planar", "cylindrical"):
            others += [abs(a) for a, l in zip(j.q0, [j.type in ("prismatic", "translation")] + [True] * 2) if l]
    L = max(spans + [0.0]) or max(others + [0.0]) or 1.0
    for j in joints:
        j.p, j.c, j.pitch = j.p / L, j.c / L, j.pitch / L
    system = System(data.get("name", ""), bodies, joints, vec(data.get("gravity", [0, 0, 0])), L, rank_tol)
    system.notes += notes
    by_name = {j.name: j for j in joints}

    for name, raw in data.get("forces", {}).items():
        where, kind = f"force '{name}'", raw.get("type")
        if kind == "spring":
            _only(where, raw, "type i j stiffness free_length damping friction friction_speed actuator")
            (i, p, _), (j, c, _) = point(raw["i"]), point(raw["j"])
            if "stiffness" in raw and "free_length" not in raw:
                raise ModelError(f"{where}: free_length is missing")
            friction = scope.number(raw.get("friction", 0))
            speed = scope.number(raw.get("friction_speed", 0))
            if friction and speed <= 0:
                raise ModelError(f"{where}: friction needs friction_speed > 0 here")
            system.springs.append({"name": name, "i": i, "j": j, "pi": (p - bodies[i].com) / L, "pj": (c - bodies[j].com) / L,
                                   "stiffness": scope.number(raw.get("stiffness", 0)), "free": scope.number(raw.get("free_length", 0)),
                                   "damping": scope.number(raw.get("damping", 0)), "friction": friction, "speed": speed,
                                   "actuator": scope.function(raw["actuator"], ("l", "v")) if "actuator" in raw else None})
        elif kind in ("force", "moment", "wrench"):
            _only(where, raw, "type on value frame")
            size = 6 if kind == "wrench" else 3
            if len(raw["value"]) != size:
                raise ModelError(f"{where}: {size} components expected")
            if raw.get("frame", "ground") not in ("ground", "body"):
                raise ModelError(f"{where}: frame is ground or body")
            load_ = {"name": name, "type": kind, "frame": raw.get("frame", "ground"), "value": [scope.function(c) for c in raw["value"]]}
            if kind == "force":
                b, p, _ = point(raw["on"])
                load_["point"] = (p - bodies[b].com) / L
            else:
                b = find(raw["on"])
            load_["body"] = b
            system.loads.append(load_)
        else:
            raise ModelError(f"{where}: type '{kind}' is not supported")
    pending = []
    for name, raw in data.get("couplings", {}).items():
        _only(f"coupling '{name}'", raw, "i j ratio offset")
        ends = []
        for key in ("i", "j"):
            jn, _, k = raw[key].partition(".")
            if jn not in by_name or by_name[jn].loop or by_name[jn].type in ("spherical", "free"):
                raise ModelError(f"coupling '{name}': '{raw[key]}' is not a scalar coordinate of a joint")
            ends.append((by_name[jn], int(k) - 1 if k else 0))
        pending.append((name, ends, scope.number(raw.get("ratio", 1)), scope.number(raw["offset"]) if "offset" in raw else None))
    if "base" in data:
        _only("base", data["base"], "start_momentum")
        system.start_momentum = data["base"].get("start_momentum")
        if system.start_momentum not in (None, "zero", "impulsive"):
            raise ModelError(f"start_momentum = {system.start_momentum!r} is not supported")
    system._pending = pending                                                     # type: ignore[attr-defined]
    if pending:
        # coordinates get their indices while the rows are built: a first pass numbers them
        probe = System("", bodies, [Joint(**{**j.__dict__, "coords": [], "lengths": [], "rows": [], "driver_rows": {}}) for j in joints],
                       np.zeros(3), L)
        probe.build()
        index_of = {j.name: j for j in probe.joints}
        for name, ends, ratio, offset in pending:
            (ji, ki), (jj, kj) = ends
            qi, qj = ji.q0[ki], jj.q0[kj]
            if offset is None:
                if abs(qj - ratio * qi) > 1e-12 * (1 + abs(qj)):
                    raise ModelError(f"coupling '{name}': without `offset` the written positions do not fit; not supported")
                offset = 0.0
            li, lj = index_of[ji.name].lengths[ki], index_of[jj.name].lengths[kj]
            ui, uj = (L if li else 1.0), (L if lj else 1.0)
            system.couplings.append((name, index_of[ji.name].coords[ki], index_of[jj.name].coords[kj], ratio * ui / uj, offset / uj))
    system._track = {}
    system.build()
    return system


def _shape(name: str, raw: dict[str, Any], mass: float, scope: Scope, vec: Callable[..., Array]) -> tuple[Array, Array]:
    """Centre of mass and inertia of a uniform rod, box, cylinder or sphere."""
    kind = raw.get("type")
    if kind == "rod":
        a, b = vec(raw["from"]), vec(raw["to"])
        d = b - a
        return (a + b) / 2, mass / 12 * (d @ d * np.eye(3) - np.outer(d, d))
    centre = vec(raw.get("centre", [0, 0, 0]))
    if kind == "sphere":
        return centre, 0.4 * mass * scope.number(raw["radius"]) ** 2 * np.eye(3)
    if kind == "box" and "rpy" not in raw:
        s2 = vec(raw["size"]) ** 2
        return centre, mass / 12 * np.diag([s2[1] + s2[2], s2[0] + s2[2], s2[0] + s2[1]])
    if kind == "cylinder":
        r, l = scope.number(raw["radius"]), scope.number(raw["length"])
        a = vec(raw.get("axis", [0, 0, 1]))
        a = a / np.linalg.norm(a)
        across = mass * (3 * r * r + l * l) / 12
        return centre, across * np.eye(3) + (mass * r * r / 2 - across) * np.outer(a, a)
    raise ModelError(f"body '{name}': shape '{kind}' does not give an inertia here")


# --------------------------------------------------------------------------------------------------------- kinematics
def driven_step(sy: System, s: State, h: float, a: Array, rank: int) -> tuple[State, Array, float] | None:
    """One step of a driven mechanism: second-order prediction, Newton; None when it does not converge well."""
    p = s.moved(s.u * h + a * (h * h / 2))
    p.t = s.t + h
    p, res, moved = sy.correct_position(p, rank, iterations=8)
    if not (res < 1e-11) or moved > 2e-4:
        return None
    phi, J, nu, gamma = sy.constraints(p)
    U, sv, Vt = np.linalg.svd(J, full_matrices=False)
    u = Vt[:rank].T @ ((U[:, :rank].T @ nu) / sv[:rank])
    p = p.with_u(u)
    _, J, nu, gamma = sy.constraints(p)
    acc = Vt[:rank].T @ ((U[:, :rank].T @ gamma) / sv[:rank])
    if np.linalg.norm(u - s.u - a * h) > 0.2 * (1e-3 + np.linalg.norm(s.u) + np.linalg.norm(u)):
        return None
    return p, acc, float(sv[rank - 1] / sv[0])


def kinematics(sy: System, to: float, steps: int, largest: float | None = None) -> list[State]:
    """States of a fully driven mechanism at equal intervals, on the branch of the start."""
    s = sy.start()
    rank = sy.generic or 0
    if rank < 6 * sy.n:
        raise RunError(f"the motion is not determined: rank {rank} of {6 * sy.n}")
    _, J, nu, _ = sy.constraints(s)
    s = s.with_u(np.linalg.lstsq(J, nu, rcond=sy.rank_tol)[0])
    a = np.linalg.lstsq(J, sy.constraints(s)[3], rcond=sy.rank_tol)[0]
    out = [s]
    largest = largest or to / 50
    h = min(largest, 1e-3 * to)
    for k in range(1, steps + 1):
        target = to * k / steps
        while s.t < target:
            step = min(h, target - s.t)
            got = driven_step(sy, s, step, a, rank)
            if got is None:
                h = step / 2
                if h < 1e-9 * max(to, 1e-30):
                    raise RunError(f"no continuation at t = {s.t:.12g}")
                continue
            s, a, _ = got
            sy.check_closed(s)
            sy.track(s)
            if step == h:
                h = min(1.5 * h, largest)
        s.t = target
        out.append(s)
    return out


# ------------------------------------------------------------------------------------------------------------ dynamics
def _pack(s: State) -> Array:
    return np.concatenate([s.x[1:].ravel(), s.e[1:].ravel(), s.u, s.work])


def _unpack(sy: System, t: float, y: Array) -> State:
    n = sy.n
    s = State(t, np.zeros((n + 1, 3)), np.tile([1.0, 0, 0, 0], (n + 1, 1)), np.zeros((n + 1, 3)), np.zeros((n + 1, 3)), y[13 * n:].copy())
    s.x[1:], s.e[1:] = y[:3 * n].reshape(n, 3), y[3 * n:7 * n].reshape(n, 4)
    u = y[7 * n:13 * n].reshape(n, 6)
    s.v[1:], s.w[1:] = u[:, :3], u[:, 3:]
    return s


class Integrator:
    """Forward dynamics.  `smallest` sees the smallest kept singular value of every evaluation."""

    def __init__(self, sy: System, tol: float = 1e-12, zone: float = 0.04):
        self.sy, self.tol, self.zone, self.node_zone = sy, tol, zone, zone / 3
        self.reference = 0.0
        self.smallest = math.inf
        self.evaluations = 0
        self.events: list[str] = []
        self.history: list[tuple[float, Array, Array]] = []

    def rhs(self, t: float, y: Array) -> Array:
        s = _unpack(self.sy, t, y)
        sol, fo = self.sy.solve(s)
        self.evaluations += 1
        self.smallest = min(self.smallest, sol.smallest)
        self.last_smallest = sol.smallest
        w = s.w[1:]
        ed = 0.5 * quaternion_product(np.hstack([np.zeros((len(w), 1)), w]), s.e[1:])
        driver = float(sol.lam @ fo["nu"]) if self.sy.m else 0.0
        return np.concatenate([s.v[1:].ravel(), ed.ravel(), sol.a, [driver, fo["applied"], fo["lost"]]])

    def project(self, s: State) -> State:
        work = s.work
        s.e[1:] /= np.linalg.norm(s.e[1:], axis=1, keepdims=True)
        s, res, moved = self.sy.correct_position(s, self.sy.generic)
        if moved > 1e-5:
            raise RunError(f"drift of {moved:.3g} in one step at t = {s.t:.9g}")
        self.sy.check_closed(s)
        s = self.sy.correct_velocity(s, self.sy.generic)
        s.work = work
        return s

    def run(self, to: float, steps: int, start: State | None = None) -> list[State]:
        sy = self.sy
        for b in sy.bodies[1:]:
            if not b.has_mass:
                raise ModelError(f"body '{b.name}' has no mass: dynamics needs one (0 may be written)")
        s = start or sy.start()
        sy.track(s)
        sol, _ = sy.solve(s)
        if sol.inertia_condition < 1e-13:
            sy.notes.append(f"a freedom moves (almost) no inertia: {sol.inertia_condition:.2g}")
        self.reference = sol.smallest
        out, k, h = [s], 1, None
        times = [to * i / steps for i in range(steps + 1)]
        in_zone = sol.smallest < 1e-5
        if in_zone:
            sy.notes.append("the start is a singular position: what follows may not be unique")
        while k <= steps:
            if not in_zone:
                got, h = self._regular(s, times[k], h)
                if got is not None:
                    s = got
                    if s.t >= times[k]:
                        s.t = times[k]
                        out.append(s)
                        k += 1
                    continue
            if len(self.history) > 3:                  # a few steps back, so that the singular position is well inside
                s = _unpack(sy, self.history[-4][0], self.history[-4][1])
                self.history = self.history[:-3]
            before = s.t
            s, found, in_zone = self._cross(s, [t for t in times[k:]], (h or 1e-3))
            self.events.append(f"near a singular position between t = {before:.9g} and {s.t:.9g}")
            out += found
            k += len(found)
        return out

    def _regular(self, s: State, bound: float, h: float | None) -> tuple[State | None, float | None]:
        """One step of DOP853 with projection; None where it meets a singular position."""
        self.smallest = math.inf
        y0 = _pack(s)
        n = self.sy.n
        atol = np.full(len(y0), self.tol)
        u_size = max(1.0, float(np.max(np.abs(y0[7 * n:13 * n]), initial=0)))
        atol[7 * n:13 * n] *= u_size
        atol[13 * n:] = 1e-3
        solver = DOP853(self.rhs, s.t, y0, bound, rtol=max(self.tol, 3e-14), atol=atol,
                        first_step=min(h, bound - s.t) if h else None)
        message = solver.step()
        if solver.status == "failed":
            raise RunError(f"step size exhausted at t = {s.t:.12g}: {message}")
        self.reference = max(self.reference, self.last_smallest)
        if self.smallest < self.zone * self.reference:
            return None, solver.step_size or h
        if not self.history:
            self.history.append((s.t, y0, self.rhs(s.t, y0)))
        new = self.project(_unpack(self.sy, solver.t, solver.y))
        yn = _pack(new)
        self.history = self.history[-5:] + [(new.t, yn, self.rhs(new.t, yn))]
        self.sy.track(new)
        clipped = solver.t >= bound and h is not None and solver.step_size < h
        return new, (max(h or 0.0, solver.h_abs) if clipped else solver.h_abs)

    def _guess(self, s: State, tt: Array) -> Array:
        """States ahead of s, extrapolated from the last accepted ones (Hermite); only the shape of the guess matters."""
        past = self.history[-4:]
        if not past or abs(past[-1][0] - s.t) > 1e-12 * (1 + abs(s.t)):
            past = [(s.t, _pack(s), self.rhs(s.t, _pack(s)))]
        if len(past) > 1:
            span = past[-1][0] - past[0][0]
            past = [p for p in past if past[-1][0] - p[0] > 0.02 * span or p is past[-1]]
        nodes = np.repeat([p[0] for p in past], 2)
        values = np.array([v for p in past for v in (p[1], p[2])])
        if len(past) == 1:
            n, (t0, y0, f0) = self.sy.n, past[0]
            d = (tt - t0)[:, None]
            guess = y0 + d * f0
            guess[:, :3 * n] += d * d / 2 * f0.reshape(-1)[7 * n:13 * n].reshape(n, 6)[:, :3].ravel()
            return guess
        return KroghInterpolator(nodes, values, axis=0)(tt)

    def _node(self, t: float, y: Array) -> tuple[Array, Array, float]:
        """The state at a node, brought onto the equations where that is safe, its derivative and singular value."""
        s = _unpack(self.sy, t, y)
        s.e[1:] /= np.linalg.norm(s.e[1:], axis=1, keepdims=True)
        if self.sy.solve(s)[0].smallest > self.node_zone * self.reference:
            work = s.work
            s, res, moved = self.sy.correct_position(s, self.sy.generic)
            s = self.sy.correct_velocity(s, self.sy.generic)
            s.work = work
            if not math.isfinite(moved) or moved > 0.1:
                return y, np.full_like(y, np.nan), 0.0
        f = self.rhs(t, _pack(s))
        return _pack(s), f, self.last_smallest

    def _cross(self, s: State, times: list[float], h: float) -> tuple[State, list[State], bool]:
        """Collocation over a stretch with a singular position; samples at the times inside.

        The right-hand side is fitted by a polynomial through the nodes away from the singular position, each brought
        onto the equations first; its integral gives the nodes anew until nothing changes.
        """
        n_nodes, degree = 24, 13
        nodes, _ = np.polynomial.legendre.leggauss(n_nodes)
        P = np.polynomial.legendre.legvander(nodes, degree)
        y0 = _pack(s)
        m = 13 * self.sy.n
        size = 1 + float(np.max(np.abs(y0[:m])))
        shrunk = False
        why = ""
        h *= 16
        for attempt in range(40):
            tt = s.t + h * (nodes + 1) / 2
            Y = self._guess(s, tt)
            before, ok, few = math.inf, False, False
            for it in range(30):
                got = [self._node(tt[i], Y[i]) for i in range(n_nodes)]
                Fm, sig = np.array([g[1] for g in got]), np.array([g[2] for g in got])
                good = (sig > self.node_zone * self.reference) & np.all(np.isfinite(Fm), axis=1)
                few = int(good.sum()) < 20
                if few:
                    break
                weight = np.minimum(1.0, sig[good] / (0.3 * self.reference))[:, None]       # noise grows as 1/sigma
                coef = np.linalg.lstsq(P[good] * weight, Fm[good] * weight, rcond=None)[0]
                integral = np.polynomial.legendre.legint(coef, lbnd=-1, axis=0) * (h / 2)
                new = y0 + np.polynomial.legendre.legval(nodes, integral).T
                change = float(np.max(np.abs((new - Y)[:, :m]))) / size
                Y = new
                if change < 1e-14 or (change < 1e-10 and change >= 0.5 * before):
                    ok = True
                    break
                if it > 6 and change > before:
                    break
                before = change
            if ok:
                tail = float(np.max(np.abs(coef[-2:, :m]))) * h
                off = max(float(np.max(np.abs(got[i][0] - new[i])[:m])) for i in range(n_nodes) if good[i])
                why = f"tail {tail:.2g}, off the equations by {off:.2g}"
                if tail < 1e-10 * size and off < 1e-8 * size:
                    end = _unpack(self.sy, s.t + h, y0 + np.polynomial.legendre.legval(1.0, integral))
                    end.e[1:] /= np.linalg.norm(end.e[1:], axis=1, keepdims=True)
                    still = self.sy.solve(end)[0].smallest < 1.5 * self.zone * self.reference
                    if still and not shrunk:
                        h *= 1.4
                        continue
                    if not still:
                        end = self.project(end)
                    found = []
                    for t in times:
                        if t > end.t:
                            break
                        p = _unpack(self.sy, t, y0 + np.polynomial.legendre.legval(2 * (t - s.t) / h - 1, integral))
                        p.e[1:] /= np.linalg.norm(p.e[1:], axis=1, keepdims=True)
                        found.append(self.sy.unwrapped(p))
                    self.sy.track(end)
                    ye = _pack(end)
                    self.history = [(tt[i], got[i][0], Fm[i]) for i in range(n_nodes) if good[i]][-6::2]
                    if not still:
                        self.history.append((end.t, ye, self.rhs(end.t, ye)))
                    return end, found, still
            elif not few:
                why = f"no convergence (change {change:.2g})"
            if few and not shrunk:
                why = f"only {int(good.sum())} good nodes"
                h *= 1.5
            else:
                h *= 0.7
                shrunk = True
        raise RunError(f"could not cross the singular position near t = {s.t:.9g}: {why}, h = {h:.3g}")


def dynamics(sy: System, to: float, steps: int, tol: float = 1e-12, start: State | None = None) -> list[State]:
    """States of a free motion at equal intervals."""
    return Integrator(sy, tol).run(to, steps, start)


# ------------------------------------------------------------------------------------------------------------- columns
class Reader:
    """Result columns of a sequence of states; angles are unwrapped from row to row."""

    def __init__(self, sy: System, reactions: bool = True):
        self.sy, self.reactions = sy, reactions
        self.last: dict[str, list[float]] = {j.name: list(j.q0) for j in sy.joints if not j.loop}
        for j in sy.joints:
            for k, dof in enumerate(j.dofs):
                if dof.motion:
                    self.last[j.name][k] = dof.motion(0.0).f

    def coordinates(self, s: State) -> dict[str, tuple[list[float], list[float]]]:
        """q and v of every tree joint in SI."""
        sy, out = self.sy, {}
        q = sy.quantities(s)
        for j in sy.joints:
            if j.loop:
                continue
            if j.type in ("spherical", "free"):
                Rr, p, v, _ = sy.quaternion_joint(j, s, q[4])
                e = quaternion(Rr)
                if np.dot(e, self.last[j.name][:4]) < 0:
                    e = -e
                now = list(e) + (list(p * sy.L) if j.type == "free" else [])
                vel = list(v[:3]) + list(v[3:] * sy.L)
            else:
                now, vel = [], []
                for k, c in enumerate(j.coords):
                    val, rate = q[0][sy.ref[c]], q[1][sy.ref[c]]
                    if j.lengths[k]:
                        now.append(val * sy.L)
                        vel.append(rate * sy.L)
                    else:
                        last = s.angles.get(c, self.last[j.name][k])
                        if j.type == "helical":                # the advance tells the turns
                            h = j.pitch
                            d = float((q[4][j.parent] @ j.P[:, 2]) @ (s.x[j.child] + q[4][j.child] @ j.c - s.x[j.parent] - q[4][j.parent] @ j.p))
                            last = d / h if h else last
                        now.append(last + wrap(val - last))
                        vel.append(rate)
            self.last[j.name] = now
            out[j.name] = (now, vel)
        return out

    def row(self, s: State) -> dict[str, float]:
        sy, L = self.sy, self.sy.L
        out: dict[str, float] = {"t": s.t}
        sy._track = {**sy._track, **s.angles}                  # a spring counts the turns of its own instant, not those of the last one
        coordinates = self.coordinates(s)
        sol, fo = sy.solve(s)
        q = fo["q"]
        R = q[4]
        acc = np.vstack([np.zeros(6), sol.a.reshape(-1, 6)])
        for j in sy.joints:
            if not j.loop:
                now, vel = coordinates[j.name]
                if j.type in ("spherical", "free"):
                    a = sy.quaternion_joint_acceleration(j, s, R, sol.a)
                    a = list(a[:3]) + list(a[3:] * L)
                else:
                    a = [(q[2][sy.ref[c]] @ sol.a + q[3][sy.ref[c]]) * (L if j.lengths[k] else 1) for k, c in enumerate(j.coords)]
                out |= {f"{j.name}.q{k + 1}": x for k, x in enumerate(now)}
                out |= {f"{j.name}.v{k + 1}": x for k, x in enumerate(vel)}
                out |= {f"{j.name}.a{k + 1}": float(x) for k, x in enumerate(a)}
                for k in range(len(vel)):
                    unit = L if sy._is_length(j, k) else L * L
                    tau = sol.lam[j.driver_rows[k]] if k in j.driver_rows else fo["tau"].get((j.name, k), 0.0)
                    out[f"{j.name}.tau{k + 1}"] = float(tau * unit)
            if self.reactions:
                f, m = self.wrench(j, s, sol, fo)
                out |= {f"{j.name}.{c}": float(x) for c, x in zip(("fx", "fy", "fz", "mx", "my", "mz"), np.concatenate([f, m]))}
        for name, k in sy.coupling_rows.items():
            out[f"{name}.lambda1"] = float(sol.lam[k]) * L * L
        for k, b in enumerate(sy.bodies[1:], 1):
            r = -(R[k] @ sy.com[k])
            x, v = s.x[k] + r, s.v[k] + np.cross(s.w[k], r)
            a = acc[k, :3] + np.cross(acc[k, 3:], r) + np.cross(s.w[k], np.cross(s.w[k], r))
            names = "x y z qw qx qy qz vx vy vz wx wy wz ax ay az alx aly alz".split()
            values = np.concatenate([x * L, s.e[k], v * L, s.w[k], a * L, acc[k, 3:]])
            out |= {f"{b.name}.{c}": float(y) for c, y in zip(names, values)}
        for name, (l, v, f) in fo["springs"].items():
            out |= {f"{name}.l": l, f"{name}.v": v, f"{name}.f": f}
        u = s.u
        kinetic, potential = 0.5 * float(u @ fo["M"] @ u) * L * L, fo["potential"] * L * L
        out |= {"energy.kinetic": kinetic, "energy.potential": potential, "energy.total": kinetic + potential}
        p = np.sum(sy.mass[1:, None] * s.v[1:], axis=0) * L
        l = (np.sum(sy.mass[1:, None] * np.cross(s.x[1:], s.v[1:]), axis=0) + np.einsum("nab,nb->a", fo["I"], s.w[1:])) * L * L
        out |= {f"momentum.{c}": float(y) for c, y in zip(("px", "py", "pz", "lx", "ly", "lz"), np.concatenate([p, l]))}
        total = float(np.sum(sy.mass[1:]))
        if total:
            out |= {f"com.{c}": float(y) for c, y in zip("xyz", np.sum(sy.mass[1:, None] * s.x[1:], axis=0) * L / total)}
        out["constraint.error"] = float(np.max(np.abs(fo["phi"]), initial=0.0))
        out |= {"work.drivers": s.work[0] * L * L, "work.loads": s.work[1] * L * L, "work.dampers": -s.work[2] * L * L}
        out["balance"] = out["energy.total"] - (s.work[0] + s.work[1] - s.work[2]) * L * L       # meaningless in kinematics
        out |= {"rank": float(sol.rank.rank), "rank.kept": sol.rank.smallest_kept, "rank.dropped": sol.rank.largest_dropped}
        return out

    def wrench(self, j: Joint, s: State, sol: Solution, fo: dict[str, Any]) -> tuple[Array, Array]:
        """Force and moment on the child about the joint frame's origin in the child, ground axes, SI."""
        sy = self.sy
        q, R = fo["q"], fo["q"][4]
        g = np.zeros(6 * sy.n)
        for r in j.rows:
            g += fo["J"][r] * sol.lam[r]
        for k in range(len(j.dofs)):
            tau = fo["tau"].get((j.name, k), 0.0)
            if tau and j.coords:
                g += q[2][sy.ref[j.coords[k]]] * tau
        if j.dofs and not j.coords:
            G = sy.quaternion_joint(j, s, R)[3]
            g += G.T @ np.array([fo["tau"][j.name, k] for k in range(len(G))])
        gg = np.vstack([np.zeros(6), g.reshape(-1, 6)])
        if j.child:
            f, m = gg[j.child, :3], gg[j.child, 3:] - np.cross(R[j.child] @ j.c, gg[j.child, :3])
        else:                                       # the child is the ground: what the other body feels, reversed
            x_c = s.x[0] + j.c
            f = -gg[j.parent, :3]
            m = -(gg[j.parent, 3:] + np.cross(s.x[j.parent] - x_c, gg[j.parent, :3]))
        return f * sy.L, m * sy.L ** 2


def table(sy: System, states: list[State], reactions: bool = True) -> list[dict[str, float]]:
    reader = Reader(sy, reactions)
    return [reader.row(s) for s in states]


def joint_series(sy: System, states: list[State]) -> list[dict[str, tuple[list[float], list[float]]]]:
    """Only q and v of the tree joints, row by row (cheaper than the whole table)."""
    reader = Reader(sy, False)
    return [reader.coordinates(s) for s in states]


def main(argv: list[str] | None = None) -> int:
    p = argparse.ArgumentParser(description="an independent oracle for mechanisms in space")
    p.add_argument("model")
    p.add_argument("--analysis", choices=("kinematics", "inverse", "dynamics"), default="dynamics")
    p.add_argument("--to", type=float, required=True)
    p.add_argument("--steps", type=int, default=10)
    p.add_argument("--tol", type=float, default=1e-12)
    p.add_argument("--rank-tol", type=float, default=1e-8)
    p.add_argument("--metric", choices=("written", "joint", "mass"), default="written", help="what least change means at the start")
    p.add_argument("--csv", default="-")
    a = p.parse_args(argv)
    try:
        sy = load(a.model, a.rank_tol)
        if a.analysis == "dynamics":
            integrator = Integrator(sy, a.tol)
            states = integrator.run(a.to, a.steps, sy.start(metric=a.metric))
            for e in integrator.events:
                print(e, file=sys.stderr)
        else:
            states = kinematics(sy, a.to, a.steps)
    except (ModelError, ExpressionError) as error:
        print(f"model: {error}", file=sys.stderr)
        return 2
    except RunError as error:
        print(f"run: {error}", file=sys.stderr)
        return 1
    rows = table(sy, states)
    free = sy.not_unique(sy.solve(states[0])[0])
    if free:
        print("reactions that are not unique: " + ", ".join(free), file=sys.stderr)
    for note in sy.notes:
        print("note: " + note, file=sys.stderr)
    file = sys.stdout if a.csv == "-" else open(a.csv, "w", newline="")
    with file:
        w = csv.writer(file)
        w.writerow(rows[0])
        w.writerows([[repr(float(x)) for x in row.values()] for row in rows])
    return 0


if __name__ == "__main__":
    sys.exit(main())
