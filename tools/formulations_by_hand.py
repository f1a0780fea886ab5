#!/usr/bin/env python3
"""The numbers of docs/theory/formulations.md: models/crank-and-rod through six formulations, in exact fractions.

    python3 tools/formulations_by_hand.py              prints every number of the page, as it stands there
    python3 tools/formulations_by_hand.py --check      fails if a matrix of the page is not among them, or one is missing
    python3 tools/formulations_by_hand.py --counts     multiplications and condition numbers against the number of links

Nothing of the engine is used. The mechanism is a chain of links, pinned to the ground and to each other, whose last end slides along
y = 0; crank and rod are the chain of two. A link is given in ground axes: r from its first pin to its centre of mass, p to its second
pin. Each formulation is written for n links, as one would by hand, and returns the accelerations and the force of the slot. They must
be the same, and those of two point masses on massless links, which is what this crank and rod are.

Multiplications are counted by numbers that count, at random states; by a factor 0 or 1 nobody multiplies. The counts are polynomials
in n, which --check holds against the page, too. Only the condition numbers need numpy.
"""

import pathlib
import random
import re
import sys
from fractions import Fraction

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/theory/formulations.md"
G = Fraction(10)


class Counted:
    """A number that counts multiplications and divisions, except by 0 and 1."""
    products = 0

    def __init__(self, x):
        self.x = x.x if isinstance(x, Counted) else x

    def __add__(self, o):
        return Counted(self.x + Counted(o).x)

    def __sub__(self, o):
        return Counted(self.x - Counted(o).x)

    def __rsub__(self, o):
        return Counted(Counted(o).x - self.x)

    def __neg__(self):
        return Counted(-self.x)

    def __mul__(self, o):
        o = Counted(o)
        if abs(self.x) not in (0, 1) and abs(o.x) not in (0, 1):
            Counted.products += 1
        return Counted(self.x * o.x)

    def __truediv__(self, o):
        o = Counted(o)
        if self.x != 0 and abs(o.x) != 1:
            Counted.products += 1
        return Counted(self.x / o.x)

    def __rtruediv__(self, o):
        return Counted(o) / self

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, o):
        return self.x == Counted(o).x


# ---------------------------------------------------------------------------------------------------------------------
# Vectors of the plane and small matrices

def dot(a, b):
    return a[0] * b[0] + a[1] * b[1]


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def turned(a):
    return (-a[1], a[0])


def plus(a, b):
    return tuple(x + y for x, y in zip(a, b))


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def times(s, a):
    return tuple(s * x for x in a)


def total(terms):
    out = Fraction(0)
    for x in terms:
        out = out + x
    return out


def product(A, x):
    return [total(a * b for a, b in zip(row, x) if a != 0) for row in A]


def transposed(A):
    return [list(c) for c in zip(*A)]


def solve(A, *right):
    """Gauss; the next pivot is the one that spoils the fewest zeros."""
    n, rows = len(A), [list(r) + [b[i] for b in right] for i, r in enumerate(A)]
    free, order = set(range(n)), []
    for _ in range(n):
        count = {c: sum(rows[r][c] != 0 for r in free) for c in range(n) if c not in [o[1] for o in order]}
        cost = [((sum(rows[r][k] != 0 for k in count) - 1) * (count[c] - 1), r, c) for r in free for c in count if rows[r][c] != 0]
        _, r, c = min(cost)
        free.remove(r)
        order.append((r, c))
        for s in free:
            if rows[s][c] != 0:
                factor = rows[s][c] / rows[r][c]
                rows[s] = [a if k == c else a - factor * b if b != 0 else a for k, (a, b) in enumerate(zip(rows[s], rows[r]))]
                rows[s][c] = Fraction(0)
    out = []
    for b in range(len(right)):
        x = [Fraction(0)] * n
        for r, c in reversed(order):
            done = [k for _, k in order[order.index((r, c)) + 1:]]
            x[c] = (rows[r][n + b] - total(rows[r][k] * x[k] for k in done if rows[r][k] != 0)) / rows[r][c]
        out.append(x)
    return out if len(out) > 1 else out[0]


def symmetric_solve(A, *right):
    """A = L D Lᵀ, and one solution for each right-hand side. Entries are zero where A has zeros up to the row's first entry."""
    n, L, D = len(A), [], []
    for j in range(n):
        held = []                                                          # L D of this row
        for k in range(j):
            held.append(A[j][k] - total(held[i] * L[k][i] for i in range(k) if held[i] != 0 and L[k][i] != 0))
        L.append([h / d for h, d in zip(held, D)])
        D.append(A[j][j] - total(h * l for h, l in zip(held, L[j]) if h != 0))
    out = []
    for b in right:
        x = []
        for i in range(n):
            x.append(b[i] - total(L[i][k] * x[k] for k in range(i) if L[i][k] != 0))
        x = [a / d for a, d in zip(x, D)]
        for i in reversed(range(n)):
            x[i] = x[i] - total(L[k][i] * x[k] for k in range(i + 1, n) if L[k][i] != 0)
        out.append(x)
    return out if len(out) > 1 else out[0]


# ---------------------------------------------------------------------------------------------------------------------
# The mechanism

class Chain:
    def __init__(self, m, J, r, p, w):
        self.m, self.J, self.r, self.p, self.w, self.n = m, J, r, p, w, len(m)
        self.named = {}                                                    # what the page shows

    def note(self, **values):
        self.named.update(values)

    def mass(self):
        return [x for m, J in zip(self.m, self.J) for x in (m, m, J)]

    def weights(self):
        return [x for m in self.m for x in (Fraction(0), -m * G, Fraction(0))]

    def joint_equations(self):
        """Rows of Φq and γ: two for each pin, one for the slot. The points of a link are −r and p − r from its centre of mass."""
        rows, gamma = [], []
        for k in range(self.n):
            for axis in (0, 1):
                row = [Fraction(0)] * (3 * self.n)
                row[3 * k + axis], row[3 * k + 2] = Fraction(1), turned(times(-1, self.r[k]))[axis]
                if k > 0:
                    s = minus(self.p[k - 1], self.r[k - 1])
                    row[3 * k - 3 + axis], row[3 * k - 1] = Fraction(-1), -turned(s)[axis]
                rows.append(row)
            bias = times(-1, times(self.w[k] * self.w[k], self.r[k]))
            if k > 0:
                bias = minus(bias, times(self.w[k - 1] * self.w[k - 1], minus(self.p[k - 1], self.r[k - 1])))
            gamma += bias
        s, last = minus(self.p[-1], self.r[-1]), [Fraction(0)] * (3 * self.n)
        last[-2:] = [Fraction(1), s[0]]
        return rows + [last], gamma + [self.w[-1] * self.w[-1] * s[1]]

    # ----- all bodies free -----

    def lagrange(self):
        M, Q, (phi, gamma) = self.mass(), self.weights(), self.joint_equations()
        over = [[a / m if a != 0 else a for a, m in zip(row, M)] for row in phi]
        S = [[total(a * b for a, b in zip(x, y) if a != 0 and b != 0) for y in over] for x in phi]
        free = [x / m for x, m in zip(Q, M)]
        right = [a - b for a, b in zip(product(phi, free), gamma)]
        lam = symmetric_solve(S, right)
        force = product(transposed(phi), lam)
        qdd = [(q - f) / m for q, f, m in zip(Q, force, M)]
        self.note(Q=Q, Phi=phi, gamma=gamma, S=S, right=right, lam=lam, qdd=qdd)
        return qdd, lam

    def kkt(self):
        M, Q, (phi, gamma) = self.mass(), self.weights(), self.joint_equations()
        size, e = len(M), len(phi)
        A = [[Fraction(0)] * (size + e) for _ in range(size + e)]
        for i in range(size):
            A[i][i] = M[i]
            for k in range(e):
                A[i][size + k] = A[size + k][i] = phi[k][i]
        x = solve(A, Q + gamma)
        self.note(KKT=A, KKTright=Q + gamma)
        return x[:size], x[size:]

    def nullspace(self):
        """The angles of all links but the last are independent."""
        M, Q, (phi, gamma) = self.mass(), self.weights(), self.joint_equations()
        free = [3 * k + 2 for k in range(self.n - 1)]
        held = [c for c in range(len(M)) if c not in free]
        on = [[row[c] for c in held] for row in phi]
        answers = solve(on, gamma, *[[-row[c] for row in phi] for c in free])
        full = []
        for part, unit in zip(answers, [None] + free):
            column = [Fraction(0)] * len(M)
            for c, x in zip(held, part):
                column[c] = x
            if unit is not None:
                column[unit] = Fraction(1)
            full.append(column)
        start, Z = full[0], full[1:]
        MZ = [[m * z for m, z in zip(M, column)] for column in Z]
        inner = [[total(a * b for a, b in zip(x, y) if a != 0) for y in MZ] for x in Z]
        rest = [q - m * a for q, m, a in zip(Q, M, start)]
        right = [total(a * b for a, b in zip(x, rest) if a != 0) for x in Z]
        y = symmetric_solve(inner, right)
        qdd = [a + total(z[c] * u for z, u in zip(Z, y) if z[c] != 0) for c, a in enumerate(start)]
        left = [q - m * a for q, m, a in zip(Q, M, qdd)]
        lam = solve(transposed(on), [left[c] for c in held])
        self.note(Z=transposed(Z), start=start, ZMZ=inner[0][0], Zright=right[0], y=y[0], left=left)
        return qdd, lam

    # ----- joints of a tree -----

    def pins(self):
        at = [(Fraction(0), Fraction(0))]
        for p in self.p:
            at.append(plus(at[-1], p))
        return at

    def closure(self):
        """The height of the last end: one row of K, and k."""
        at = self.pins()
        K = [at[-1][0] - a[0] for a in at[:-1]]
        return K, total(w * w * p[1] for w, p in zip(self.w, self.p))

    def rates(self):
        return [self.w[0]] + [b - a for a, b in zip(self.w, self.w[1:])]

    def close(self, free, answer, name):
        """From the motion without the slot and the answer to its unit force to the motion with it."""
        K, k = self.closure()
        A = total(a * b for a, b in zip(K, answer))
        lam = (total(a * b for a, b in zip(K, free)) - k) / A
        self.note(**{"K": [K], "k": k, "A": A, name + "Free": free, name + "Answer": answer})
        return [a - b * lam for a, b in zip(free, answer)], lam

    def bodies_and_pins(self, joints, slot):
        """Accelerations of the bodies outward, multipliers of the pins inward."""
        qdd, at, turn = [], (Fraction(0), Fraction(0)), Fraction(0)
        for k in range(self.n):
            turn = turn + joints[k]
            w2 = self.w[k] * self.w[k]
            a = plus(at, minus(times(turn, turned(self.r[k])), times(w2, self.r[k])))
            at = plus(at, minus(times(turn, turned(self.p[k])), times(w2, self.p[k])))
            qdd += [a[0], a[1], turn]
        beyond, lam = (Fraction(0), slot), [slot]
        for k in reversed(range(self.n)):
            need = times(self.m[k], (qdd[3 * k], qdd[3 * k + 1] + G))
            beyond = plus(need, beyond)
            lam = [-beyond[0], -beyond[1]] + lam
        return qdd, lam

    def kane(self):
        n, at = self.n, self.pins()
        com = [plus(a, r) for a, r in zip(at, self.r)]
        v = [(Fraction(0), Fraction(0))]
        for w, p in zip(self.w, self.p):
            v.append(plus(v[-1], times(w, turned(p))))
        moving = [plus(a, times(w, turned(r))) for a, w, r in zip(v, self.w, self.r)]
        none = (Fraction(0), Fraction(0))
        W = [[Fraction(int(i <= k)) for k in range(n)] for i in range(n)]
        V = [[turned(minus(com[k], at[i])) if i <= k else none for k in range(n)] for i in range(n)]
        rate = [[turned(minus(moving[k], v[i])) if i <= k else none for k in range(n)] for i in range(n)]
        A1 = [[times(self.m[k], x) for k, x in enumerate(row)] for row in rate]
        A2 = [[times(self.m[k], x) for k, x in enumerate(row)] for row in V]
        A3 = [[self.J[k] * x for k, x in enumerate(row)] for row in W]
        M = [[Fraction(0)] * n for _ in range(n)]
        for i in range(n):
            for j in range(i, n):
                M[i][j] = M[j][i] = total(dot(V[i][k], A2[j][k]) + W[i][k] * A3[j][k] for k in range(j, n))
        q = self.rates()
        inertia = [plus(none, (total(A1[i][k][0] * q[i] for i in range(k + 1)), total(A1[i][k][1] * q[i] for i in range(k + 1))))
                   for k in range(n)]
        load = [total(V[i][k][1] * -self.m[k] * G for k in range(i, n)) for i in range(n)]
        f = [load[i] - total(dot(V[i][k], inertia[k]) for k in range(i, n)) for i in range(n)]
        flat = lambda A: [[x for pair in row for x in pair] for row in A]
        self.note(Wpd=W, Vpd=flat(V), A1=flat(A1), A2=flat(A2), A3=A3, H=M, f=f, fext=load, rates=q,
                  A1q=[x for pair in inertia for x in pair])
        free, answer = symmetric_solve(M, f, self.closure()[0])
        joints, slot = self.close(free, answer, "kane")
        self.note(joints=joints, slot=slot)
        return self.bodies_and_pins(joints, slot)

    def crba(self):
        n, at = self.n, self.pins()
        H = [[Fraction(0)] * n for _ in range(n)]
        mass, first, second, composite = Fraction(0), (Fraction(0), Fraction(0)), Fraction(0), []
        for k in reversed(range(n)):                                       # mass, first and second moment about the pin of the link
            m, r, p = self.m[k], self.r[k], self.p[k]
            second = second + 2 * dot(p, first) + mass * dot(p, p) + self.J[k] + m * dot(r, r)
            first = plus(plus(first, times(mass, p)), times(m, r))
            mass = mass + m
            composite.insert(0, [mass, *first, second])
            H[k][k] = second
            for j in range(k):
                H[k][j] = H[j][k] = second + dot(minus(at[k], at[j]), first)
        carried, forces = (Fraction(0), G), []
        for k in range(n):                                                 # Newton and Euler with resting joint accelerations
            w2 = self.w[k] * self.w[k]
            forces.append(times(self.m[k], minus(carried, times(w2, self.r[k]))))
            carried = minus(carried, times(w2, self.p[k]))
        C, beyond, moment = [Fraction(0)] * n, (Fraction(0), Fraction(0)), Fraction(0)
        for k in reversed(range(n)):
            moment = moment + cross(self.p[k], beyond) + cross(self.r[k], forces[k])
            beyond = plus(beyond, forces[k])
            C[k] = moment
        self.note(crbaH=H, composite=composite, C=C, newton=[x for f in forces for x in f])
        free, answer = symmetric_solve(H, [-c for c in C], self.closure()[0])
        return self.bodies_and_pins(*self.close(free, answer, "crba"))

    def aba(self):
        """A motion is (turn, x, y) of a link at its first pin. Without its own joint a link is felt there as a 2 by 2 mass N."""
        n = self.n
        U, D, N, bias, shown = [None] * n, [None] * n, [None] * n, [None] * n, [None] * n
        I = [None] * n
        for k in range(n):
            m, r = self.m[k], self.r[k]
            h = times(m, turned(r))
            I[k] = [[self.J[k] + m * dot(r, r), h[0], h[1]], [h[0], m, Fraction(0)], [h[1], Fraction(0), m]]
            bias[k] = [Fraction(0), *times(-m * self.w[k] * self.w[k], r)]
        for k in reversed(range(n)):
            if k + 1 < n:                                                  # what the next link adds at its pin, moved to this one's
                t, Nn = turned(self.p[k]), N[k + 1]
                side = (dot(Nn[0], t), dot(Nn[1], t))
                top = dot(t, side)
                add = [[top, *side], [side[0], *Nn[0]], [side[1], *Nn[1]]]
                I[k] = [[a + b for a, b in zip(x, y)] for x, y in zip(I[k], add)]
                c = times(-self.w[k] * self.w[k], self.p[k])
                share = bias[k + 1][0] / D[k + 1]
                push = [bias[k + 1][1] - U[k + 1][1] * share + dot(Nn[0], c), bias[k + 1][2] - U[k + 1][2] * share + dot(Nn[1], c)]
                self.note(push=push)
                bias[k] = [a + b for a, b in zip(bias[k], [dot(t, push), *push])]
            U[k], D[k] = I[k][0], I[k][0][0]
            ux, uy = U[k][1] / D[k], U[k][2] / D[k]
            N[k] = [[I[k][1][1] - U[k][1] * ux, I[k][1][2] - U[k][1] * uy], [I[k][1][2] - U[k][1] * uy, I[k][2][2] - U[k][2] * uy]]
            shown[k] = [list(row) for row in I[k]]

        def outward(u, a, biased):
            joints, turn = [], Fraction(0)
            for k in range(n):
                joint = (u[k] - U[k][1] * a[0] - U[k][2] * a[1]) / D[k] - turn
                turn = turn + joint
                joints.append(joint)
                a = plus(a, times(turn, turned(self.p[k])))
                if biased:
                    a = minus(a, times(self.w[k] * self.w[k], self.p[k]))
            return joints

        free = outward([-b[0] for b in bias], (Fraction(0), G), True)
        # the answer to a force 1 upwards at the last end: the same sweeps with forces for biases
        push, u, passed = (Fraction(0), Fraction(1)), [None] * n, []
        for k in reversed(range(n)):
            u[k] = cross(self.p[k], push)
            push = minus(push, times(u[k] / D[k], U[k][1:]))
            passed.append(list(push))
        self.note(I1=shown[0], I2=shown[-1], N=N[-1], bias1=bias[0], bias2=bias[-1], D1=D[0], D2=D[-1], u1=u[0], u2=u[-1],
                  passed=passed[0], arm=U[-1][1:], armRow=[U[-1][1:]], unit=[row[1:] for row in I[-1][1:]])
        answer = outward(u, (Fraction(0), Fraction(0)), False)
        return self.bodies_and_pins(*self.close(free, answer, "aba"))

    FORMULATIONS = ("lagrange", "kkt", "nullspace", "kane", "crba", "aba")


def crank_and_rod():
    f = Fraction
    return Chain([f(1), f(1)], [f(9, 100), f(1, 4)], [(f(0), f(3, 10)), (f(2, 5), f(-3, 10))],
                 [(f(0), f(3, 5)), (f(4, 5), f(-3, 5))], [f(4), f(0)])


def the_other_cut():
    """The rod on its slot (slide of B, turn about B), the pin cut: what the engine chooses."""
    f, z = Fraction, Fraction(0)
    M = [[f(18, 100), z, z], [z, f(1), f(-3, 10)], [z, f(-3, 10), f(1, 2)]]
    force = [z, z, f(4)]                                                   # the weight of the rod about B; the crank's passes through O
    K = [[f(3, 5), f(1), f(-3, 5)], [z, z, f(-4, 5)]]                      # A of the rod less A of the crank
    k = [z, f(-48, 5)]
    columns = symmetric_solve(M, force, *K)
    A = [[total(a * b for a, b in zip(row, x)) for x in columns[1:]] for row in K]
    lam = symmetric_solve(A, [total(a * b for a, b in zip(row, columns[0])) - c for row, c in zip(K, k)])
    q = [a - total(x[i] * l for x, l in zip(columns[1:], lam)) for i, a in enumerate(columns[0])]
    return {"cutM": M, "cutf": force, "cutK": K, "cutk": k, "cutq": q, "cutlam": lam, "cutA": A}


def by_point_masses():
    """1 kg at A and 0.5 kg at B on massless links: Newton's law for each, without any of the formulas above."""
    r, w, at_a, at_b = Fraction(3, 5), Fraction(4), Fraction(1), Fraction(1, 2)
    cos, sin = Fraction(4, 5), Fraction(-3, 5)                             # of the rod
    rod = r * w * w / cos                                                  # turns so that B does not fall with A
    # Along x only the rod acts, with the same force on A and B: at_a x_a + at_b x_b = 0, and x_b = x_a - rod * sin.
    x_a = at_b * rod * sin / (at_a + at_b)
    pull = -at_b * (x_a - rod * sin) / cos
    return -x_a / r, rod, at_b * G + pull * sin


# ---------------------------------------------------------------------------------------------------------------------
# As the page shows them

def decimal(x):
    x = Fraction(x)
    d = x.denominator
    while d % 2 == 0:
        d //= 2
    while d % 5 == 0:
        d //= 5
    if d != 1:
        return f"{'-' if x < 0 else ''}\\tfrac{{{abs(x.numerator)}}}{{{x.denominator}}}"
    digits = 0
    while (x * 10 ** digits).denominator != 1:
        digits += 1
    return f"{float(x):.{digits}f}"


def latex(value):
    if not isinstance(value, list):
        return decimal(value)
    rows = value if isinstance(value[0], list) else [[x] for x in value]
    return "\\begin{bmatrix} " + " \\\\ ".join(" & ".join(decimal(x) for x in row) for row in rows) + " \\end{bmatrix}"


def squeeze(text):
    return re.sub(r"\s+", "", text)


def random_chain(n, seed=1):
    rng = random.Random(seed)
    some = lambda: Fraction(rng.randint(100000, 999999), 1000003) * rng.choice((1, -1))
    two = lambda: (some(), some())
    counted = lambda x: tuple(map(Counted, x)) if isinstance(x, tuple) else Counted(x)
    parts = [abs(some()) for _ in range(2 * n)], [two() for _ in range(2 * n)], [some() for _ in range(n)]
    plain = Chain(parts[0][:n], parts[0][n:], parts[1][:n], parts[1][n:], parts[2])
    floats = [[counted(tuple(map(float, x)) if isinstance(x, tuple) else float(x)) for x in part] for part in parts]
    return plain, Chain(floats[0][:n], floats[0][n:], floats[1][:n], floats[1][n:], floats[2])


LINKS = (2, 4, 8, 16)
FORMULAS = {  # multiplications for n links
    "lagrange": lambda n: 65 * n - 21,
    "kkt": lambda n: 64 * n - 68 if n > 2 else 56,
    "nullspace": lambda n: (5 * n ** 3 + 36 * n ** 2 + 73 * n - 6) // 6,
    "kane": lambda n: (n ** 3 + 17 * n ** 2 + 54 * n + 2) // 2,
    "crba": lambda n: (n ** 3 + 21 * n ** 2 + 242 * n - 42) // 6,
    "aba": lambda n: 67 * n - 25,
}


def count(chain, name):
    Counted.products = 0
    result = getattr(chain, name)()
    return Counted.products, result


def counts():
    """Rows of the page's table: at the page's own instant, and for chains of n links at random states."""
    own = crank_and_rod()
    number = lambda x: tuple(map(Counted, x)) if isinstance(x, tuple) else Counted(x)
    own = Chain(*[[number(x) for x in part] for part in (own.m, own.J, own.r, own.p, own.w)])
    rows = {name: [count(own, name)[0]] for name in Chain.FORMULATIONS}
    for n in sorted({3, 5, 6, 11, *LINKS}):
        plain, counting = random_chain(n)
        exact = plain.lagrange() if n <= 6 else None
        for name in Chain.FORMULATIONS:
            products, got = count(counting, name)
            assert products == FORMULAS[name](n), f"{name}, {n} links: {products} multiplications"
            if n in LINKS:
                rows[name].append(products)
            if exact:
                assert getattr(plain, name)() == exact, name
                assert all(abs(a.x - float(b)) < 1e-6 * (1 + abs(float(b))) for x, y in zip(got, exact) for a, b in zip(x, y)), name
    return {name: f"| `{name}` | " + " | ".join(map(str, row)) + " |" for name, row in rows.items()}


def conditions():
    """Condition numbers of S and of H (rows and columns scaled to a diagonal of ones) for uniform rods of 1 m in a row or in a zigzag."""
    import numpy as np

    rows = {}
    for word, bend in (("straight", 0.0), ("zigzag", 0.3)):
        for letter in "SH":
            rows[f"{letter}, {word}"] = []
        for n in (8, 16, 32, 64):
            p = [(np.cos(bend * (-1) ** k + 0.2), np.sin(bend * (-1) ** k + 0.2)) for k in range(n)]
            chain = Chain([1.0] * n, [1 / 12] * n, [(x / 2, y / 2) for x, y in p], p, [0.0] * n)
            phi, M = np.array(chain.joint_equations()[0], float), np.array(chain.mass(), float)
            chain.crba()
            for letter, A in (("S", phi / M @ phi.T), ("H", np.array(chain.named["crbaH"], float))):
                scale = np.sqrt(np.diag(A))
                value = np.linalg.cond(A / np.outer(scale, scale))
                rows[f"{letter}, {word}"].append(f"{value:.2g}" if value < 100 else f"{float(f'{value:.2g}'):.0f}")
    return {name: f"| {name} | " + " | ".join(row) + " |" for name, row in rows.items()}


def errors():
    """Largest error of the accelerations in double precision, over the largest of them, for the straight row of rods."""
    def rods(n, kind):
        rng = random.Random(3)
        half = (kind(Fraction(31, 64)), kind(Fraction(7, 64)))
        rates = [kind(Fraction(rng.randint(-2048, 2048), 1024)) for _ in range(n)]
        return Chain([kind(1)] * n, [kind(Fraction(1, 12))] * n, [half] * n, [times(kind(2), half)] * n, rates)

    rows = {}
    for n in (8, 16, 32):
        exact = rods(n, Fraction).lagrange()[0]
        largest = max(map(abs, exact))
        for name in ("lagrange", "kane", "crba", "aba"):
            got = getattr(rods(n, float), name)()[0]
            error = max(abs(Fraction(a) - b) for a, b in zip(got, exact)) / largest
            rows.setdefault(name + " error", []).append(f"{float(error):.0e}")
    return {name: f"| `{name.split()[0]}` | " + " | ".join(row) + " |" for name, row in rows.items()}


def main(arguments):
    chain = crank_and_rod()
    results = [getattr(chain, name)() for name in Chain.FORMULATIONS]
    assert all(r == results[0] for r in results), "the formulations differ"
    crank, rod, slot = by_point_masses()
    qdd, lam = results[0]
    assert (qdd[2], qdd[5], -lam[-1]) == (crank, rod, slot), "not the motion of two point masses"
    other = the_other_cut()
    assert other["cutq"][0] == qdd[2] and other["cutq"][2] == qdd[5] and other["cutlam"] == lam[2:4], "another cut, another motion"
    assert chain.named["H"] == chain.named["crbaH"] and [-c for c in chain.named["C"]] == chain.named["f"]
    assert chain.named["kaneFree"] == chain.named["crbaFree"] == chain.named["abaFree"]
    assert chain.named["kaneAnswer"] == chain.named["crbaAnswer"] == chain.named["abaAnswer"]
    numbers = {k: latex(v) for k, v in (chain.named | other).items() if not k.startswith(("crba", "aba"))}
    numbers["M"] = "\\operatorname{diag}(" + ", ".join(map(decimal, chain.mass())) + ")"
    if "--counts" in arguments:
        print("\n".join([*counts().values(), "", *conditions().values(), "", *errors().values()]))
        return
    if "--check" not in arguments:
        for name, text in numbers.items():
            print(f"{name}: {text}\n")
        return
    page = squeeze(PAGE.read_text())
    tables = counts() | conditions() | errors()
    missing = [name for name, text in (numbers | tables).items() if squeeze(text) not in page]
    known = {squeeze(text) for text in numbers.values()}
    matrices = re.findall(r"\\begin\{bmatrix\}.*?\\end\{bmatrix\}", page)
    numeric = [m for m in matrices if not re.search(r"[A-Za-z]", re.sub(r"\\(begin|end)\{bmatrix\}|\\tfrac", "", m))]
    wrong = [m for m in numeric if m not in known]
    if missing or wrong:
        sys.exit(f"{PAGE.name}: missing {missing}, not derived {wrong}")
    print(f"{PAGE.name}: {len(numeric)} matrices, {len(numbers)} quantities and {len(tables)} rows of tables as derived")


if __name__ == "__main__":
    main(sys.argv[1:])
