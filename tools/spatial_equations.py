"""Equations of motion of the spatial models, independent of the engine: routes 1 and 2 of tools/spatial_oracles.py, which
says what they are, and the integration of textbook equations that its route 3 uses. In 60-digit arithmetic."""

import tomllib

import sympy
from mpmath import mp, mpf

from model_oracles import Expressions, Series

mp.dps = 60
TINY = mpf(10) ** -18                      # agreement of two routes, relative
ZERO = mpf(10) ** -25                      # smaller than this, relative: zero
EX, EY, EZ = ([mpf(i == k) for i in range(3)] for k in range(3))
ONE = [EX, EY, EZ]


# ---------------------------------------------------------------------------------------------------------------------
# Vectors, matrices, quaternions, linear equations

def add(*vectors):
    return [sum(c) for c in zip(*vectors)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def times(s, a):
    return [s * x for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def norm(a):
    return mp.sqrt(dot(a, a))


def apply(R, a):
    return [dot(row, a) for row in R]


def transpose(R):
    return [list(c) for c in zip(*R)]


def product(A, B):
    B = transpose(B)
    return [[dot(row, c) for c in B] for row in A]


def turned(axis, angle):
    """Rotation matrix about a unit axis (Rodrigues)."""
    s, c = mp.sin(angle), mp.cos(angle)
    x, y, z = axis
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def quaternion(axis, angle):
    return [mp.cos(angle / 2)] + times(mp.sin(angle / 2), axis)


def hamilton(a, b):
    u, v = a[1:], b[1:]
    return [a[0] * b[0] - dot(u, v)] + add(times(a[0], v), times(b[0], u), cross(u, v))


def matrix_of(e):
    """Also of turns so small that their axis is lost."""
    w, x, y, z = times(1 / norm(e), e)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def quaternion_of(R):
    """With a positive real part; from the largest component, so that nothing is lost."""
    t = R[0][0] + R[1][1] + R[2][2]
    squares = [1 + t] + [1 + 2 * R[k][k] - t for k in range(3)]
    k = max(range(4), key=lambda i: squares[i])
    off = {(0, 1): R[2][1] - R[1][2], (0, 2): R[0][2] - R[2][0], (0, 3): R[1][0] - R[0][1],
           (1, 2): R[0][1] + R[1][0], (1, 3): R[0][2] + R[2][0], (2, 3): R[1][2] + R[2][1]}
    e = [squares[k] if i == k else off[min(i, k), max(i, k)] for i in range(4)]
    return times((1 if e[0] >= 0 else -1) / norm(e), e)


def solve(A, b):
    """Elimination with row pivots."""
    rows, n = [list(r) + [x] for r, x in zip(A, b)], len(b)
    for c in range(n):
        pivot = max(range(c, n), key=lambda r: abs(rows[r][c]))
        rows[c], rows[pivot] = rows[pivot], rows[c]
        for r in range(c + 1, n):
            if rows[r][c]:
                f = rows[r][c] / rows[c][c]
                rows[r][c + 1:] = [x - f * y for x, y in zip(rows[r][c + 1:], rows[c][c + 1:])]
    x = [mpf(0)] * n
    for c in reversed(range(n)):
        x[c] = (rows[c][n] - sum(rows[c][k] * x[k] for k in range(c + 1, n))) / rows[c][c]
    return x


def independent(rows):
    """Numbers of a largest set of independent rows, by elimination with the largest pivots; and the null vectors n of the
    rows, sum n_r row_r = 0, one for each row left over."""
    work = [[list(r), times(mpf(1), [mpf(i == k) for k in range(len(rows))])] for i, r in enumerate(rows)]
    left, kept = list(range(len(rows))), []
    while left:
        r, c = max(((r, c) for r in left for c in range(len(rows[0]))), key=lambda rc: abs(work[rc[0]][0][rc[1]]))
        if abs(work[r][0][c]) < ZERO:
            break
        kept.append(r)
        left.remove(r)
        for o in left:
            f = work[o][0][c] / work[r][0][c]
            work[o] = [sub(work[o][k], times(f, work[r][k])) for k in range(2)]
    return kept, [work[r][1] for r in left]


# ---------------------------------------------------------------------------------------------------------------------
# Route 1: Kane's equations in ground axes

# A joint is a row of elementary motions: kind, axis, dof, factor.
STEPS = {"revolute": lambda a, h: [("turn", a, 0, 1)], "prismatic": lambda a, h: [("slide", a, 0, 1)],
         "helical": lambda a, h: [("slide", a, 0, h), ("turn", a, 0, 1)],
         "planar": lambda a, h: [("slide", EX, 1, 1), ("slide", EY, 2, 1), ("turn", EZ, 0, 1)],
         "universal": lambda a, h: [("turn", EX, 0, 1), ("turn", EY, 1, 1)],
         "spherical": lambda a, h: [], "free": lambda a, h: []}
DOFS = {"revolute": "a", "prismatic": "l", "helical": "a", "planar": "all", "universal": "aa", "spherical": "aaa",
        "free": "aaalll"}                  # an angle or a length
QUATERNION = ("spherical", "free")


class Frame:
    """Place, velocity, acceleration without the passive joints' accelerations, and partial velocities by dof."""

    def __init__(self):
        self.R, self.p = ONE, [mpf(0)] * 3
        self.w, self.v, self.al, self.a = ([mpf(0)] * 3 for _ in range(4))
        self.Jw, self.Jv = {}, {}

    def copy(self):
        other = Frame()
        other.__dict__.update(self.__dict__)
        other.Jw, other.Jv = dict(self.Jw), dict(self.Jv)
        return other

    def shift(self, r, rate=None, rate_rate=None):
        """To the point at r (ground axes), which moves on this body with the given rates."""
        f = self.copy()
        f.p = add(self.p, r)
        f.v = add(self.v, cross(self.w, r))
        f.a = add(self.a, cross(self.al, r), cross(self.w, cross(self.w, r)))
        if rate:
            f.v = add(f.v, rate)
            f.a = add(f.a, times(2, cross(self.w, rate)), rate_rate)
        f.Jv = {k: add(self.Jv[k], cross(self.Jw[k], r)) for k in self.Jw}
        return f

    def turn(self, R, rate=None, rate_rate=None):
        """Turned by R; the rates are those of the turned frame on this one, in ground axes."""
        f = self.copy()
        f.R = product(self.R, R)
        if rate:
            f.w = add(self.w, rate)
            f.al = add(self.al, cross(self.w, rate), rate_rate)
        return f

    def column(self, k, angular, linear):
        self.Jw[k] = add(self.Jw.get(k, [mpf(0)] * 3), angular)
        self.Jv[k] = add(self.Jv.get(k, [mpf(0)] * 3), linear)

    def at(self, local):
        return self.shift(apply(self.R, local))


LOOP_EQUATIONS = {"revolute": 5, "spherical": 3, "distance": 1}


class Spatial:
    def __init__(self, path):
        d = self.data = tomllib.loads(path.read_text(), parse_float=mpf)
        assert set(d) <= {"jounce", "name", "space", "gravity", "parameters", "ground", "bodies", "joints", "loops",
                          "forces", "base", "actuators", "run"}, path
        self.value = value = Expressions(d.get("parameters", {}))
        self.parameters = {k: value.names[k] for k in d.get("parameters", {})}
        self.gravity = self.vector(d.get("gravity", [0, 0, 0]))
        self.bodies, self.joints, self.loops = d["bodies"], d["joints"], d.get("loops", {})
        every = [*self.bodies, *self.joints, *self.loops, *d.get("forces", {}), *self.parameters]
        assert len(every) == len(set(every)), "names are not unique"
        self.points = {}
        for name, body in [("ground", d.get("ground", {})), *self.bodies.items()]:
            for point, s in body.get("points", {}).items():
                self.points[f"{name}.{point}"] = name, self.placement(s if isinstance(s, dict) else {"xyz": s})
            self.points[f"{name}.origin"] = name, self.placement({})
        for body in self.bodies.values():
            self.inertia(body)
        self.dofs = []                     # joint, number in the joint, its table in `dofs`
        for name, j in self.joints.items():
            j["axis"] = times(1 / norm(self.vector(j.get("axis", [0, 0, 1]))), self.vector(j.get("axis", [0, 0, 1])))
            j["steps"] = STEPS[j["type"]](j["axis"], value(j.get("pitch", 0)))
            j["first"] = len(self.dofs)
            tables = j.get("dofs", [{}] * len(DOFS[j["type"]]))
            assert len(tables) == len(DOFS[j["type"]])
            self.dofs += [(name, k, table) for k, table in enumerate(tables)]
        self.passive = [k for k, (_, _, table) in enumerate(self.dofs) if "motion" not in table]
        self.active = [k for k in range(len(self.dofs)) if k not in self.passive]
        self.laws = {}                     # of dofs that carry a motion which is prescribed elsewhere

    def carry(self, laws):
        """Dofs with actuators, "joint" of one dof: their own motion as functions of time, in place of what the model prescribes. Whoever is
        prescribed, the motion is the same, and these give its efforts."""
        assert set(laws) == set(self.data["actuators"]["dofs"])
        self.laws = {self.joints[name]["first"]: law for name, law in laws.items()}
        self.active = sorted(self.laws)
        self.passive = [k for k in range(len(self.dofs)) if k not in self.laws]

    def motion(self, k, t):
        """Of an active dof: value and two derivatives."""
        if k in self.laws:
            return [mp.diff(self.laws[k], t, n) if n else self.laws[k](t) for n in range(3)]
        c = Series.of(self.value(self.dofs[k][2]["motion"], Series([t, mpf(1)]))).c
        return [c[0], c[1], 2 * c[2]]

    def vector(self, v):
        return [self.value(x) for x in v]

    def placement(self, table):
        """Rotation matrix and origin; rpy turns about x, then y, then z, all fixed."""
        r, p, y = self.vector(table.get("rpy", [0, 0, 0]))
        return product(turned(EZ, y), product(turned(EY, p), turned(EX, r))), self.vector(table.get("xyz", [0, 0, 0]))

    def inertia(self, body):
        """The matrix, and particles of mass 1/2 at both ends of vectors l with sum l l^T = the second moments; the rest of
        the mass is in the centre. The second moments of a real body have no negative principal value."""
        xx, yy, zz, xy, xz, yz = self.vector(body["inertia"])
        body["m"], body["c"] = self.value(body["mass"]), self.vector(body.get("com", [0, 0, 0]))
        body["I"] = I = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        S = mp.matrix(3, 3)
        for i in range(3):
            for k in range(3):
                S[i, k] = (xx + yy + zz) / 2 * (i == k) - I[i][k]
        values, vectors = mp.eigsy(S)
        assert min(values) >= -ZERO, f"not the inertia of a body: {values}"
        ends = [times(mp.sqrt(max(values[k], 0)), [vectors[i, k] for i in range(3)]) for k in range(3)]
        body["particles"] = [(body["m"] - 3, body["c"])]
        for l in ends:
            body["particles"] += [(mpf(1) / 2, add(body["c"], l)), (mpf(1) / 2, sub(body["c"], l))]

    # --- states: q by joint, v by dof

    def start(self):
        """As written, active joints at t = 0, passive rates from [base] or as written."""
        q, v = {}, [mpf(0)] * len(self.dofs)
        for name, j in self.joints.items():
            n = len(DOFS[j["type"]])
            home = [mpf(1)] + [mpf(0)] * (n) if j["type"] in QUATERNION else [mpf(0)] * n
            q[name] = self.vector(j["q"]) if "q" in j else home
            assert len(q[name]) == len(home)
            v[j["first"]:j["first"] + n] = self.vector(j["v"]) if "v" in j else [mpf(0)] * n
        q, v = self.follow(mpf(0), q, v)
        rule = self.data.get("base", {}).get("start_momentum")
        if rule:
            base = next(iter(self.joints))
            free = [k for k in self.passive if rule == "impulsive" or self.dofs[k][0] == base]
            for k in free:
                v[k] = mpf(0)
            M = Solution(self, mpf(0), q, v).M
            rates = solve([[M[i][k] for k in free] for i in free], [-dot(M[i], v) for i in free])
            for k, x in zip(free, rates):
                v[k] = x
        return q, v

    def follow(self, t, q, v):
        """The same with the active joints where their motion has them."""
        q, v = {n: list(x) for n, x in q.items()}, list(v)
        for k in self.active:
            joint, n, _ = self.dofs[k]
            q[joint][n], v[k], _ = self.motion(k, t)
        return q, v

    def prescribed(self, t):
        """Accelerations of the active dofs."""
        return {k: self.motion(k, t)[2] for k in self.active}

    # --- frames

    def frames(self, q, v, acceleration):
        """Frames of the bodies and of the joints on their children."""
        frames, ends = {"ground": Frame()}, {}
        for name, j in self.joints.items():
            k0 = j["first"]
            R, r = self.placement(j.get("origin", {}))
            f = frames[j["parent"]].at(r).turn(R)
            x, u = q[name], v[k0:k0 + len(DOFS[j["type"]])]
            for kind, axis, dof, factor in j["steps"]:
                a, k = apply(f.R, axis), k0 + dof
                rate, rate_rate = times(factor * u[dof], a), times(factor * acceleration.get(k, 0), a)
                if kind == "slide":
                    f = f.shift(times(factor * x[dof], a), rate, rate_rate)
                    f.column(k, [mpf(0)] * 3, times(factor, a))
                else:
                    f = f.turn(turned(axis, x[dof]), rate, rate_rate)
                    f.column(k, a, [mpf(0)] * 3)
            if j["type"] in QUATERNION:
                E = matrix_of(x[:4])
                axes = transpose(product(f.R, E))
                ground = lambda c: add(*[times(s, e) for s, e in zip(c, axes)])
                if j["type"] == "free":    # the rate of the velocity's body components is zero in the bias
                    f = f.shift(apply(f.R, x[4:]), ground(u[3:]), ground(cross(u[:3], u[3:])))
                f = f.turn(E, ground(u[:3]), [mpf(0)] * 3)
                for i in range(3):
                    f.column(k0 + i, axes[i], [mpf(0)] * 3)
                    if j["type"] == "free":
                        f.column(k0 + 3 + i, [mpf(0)] * 3, axes[i])
            ends[name] = f
            R, r = self.placement(j.get("child_origin", {}))
            f = f.turn(transpose(R))
            frames[j["child"]] = f.at(times(-1, r))
        return frames, ends

    def after(self, q, v, a, s):
        """The state after the small time s with velocities v and accelerations a, right to second order."""
        out = {}
        for name, j in self.joints.items():
            k0, x = j["first"], q[name]
            n = len(DOFS[j["type"]])
            go = [s * v[k0 + k] + s * s / 2 * a[k0 + k] for k in range(n)]
            if j["type"] in QUATERNION:
                angle = norm(go[:3])
                e = hamilton(x[:4], quaternion(times(1 / angle, go[:3]), angle)) if angle else list(x[:4])
                p = []
                if j["type"] == "free":
                    w, u = v[k0:k0 + 3], v[k0 + 3:k0 + 6]
                    p = add(x[4:], apply(matrix_of(x[:4]), add(go[3:], times(s * s / 2, cross(w, u)))))
                out[name] = e + p
            else:
                out[name] = add(x, go)
        return out

    def positions(self, q):
        """Of all particles, and of the two sides of the loops: point and axis."""
        frames, _ = self.frames(q, [mpf(0)] * len(self.dofs), {})
        at = [(m, add(frames[b].p, apply(frames[b].R, c))) for b, body in self.bodies.items() for m, c in body["particles"]]
        sides = []
        for loop in self.loops.values():
            for end in ("i", "j"):
                body, (R, r) = self.points[loop[end]]
                f = frames[body]
                sides.append((add(f.p, apply(f.R, r)), apply(f.R, apply(R, EZ))))
        return at, sides

    def path(self, q, v):
        return lambda s: self.after(q, v, [mpf(0)] * len(v), s)


class Solution:
    """Everything at one state: accelerations, efforts, reactions."""

    def __init__(self, model, t, q, v):
        self.model, self.t, self.q, self.v = model, t, q, v
        n = len(model.dofs)
        given = model.prescribed(t)
        self.frames, self.ends = model.frames(q, v, given)
        self.com = {b: self.frames[b].at(body["c"]) for b, body in model.bodies.items()}
        self.I = {b: product(self.com[b].R, product(body["I"], transpose(self.com[b].R)))
                  for b, body in model.bodies.items()}
        self.outside()
        self.M = [[mpf(0)] * n for _ in range(n)]
        rest = [mpf(0)] * n                # with the accelerations of the active dofs, without those of the passive ones
        for b, body in model.bodies.items():
            f = self.com[b]
            force, moment = self.needed(b, f.al, f.a)
            for k in f.Jw:
                turning = apply(self.I[b], f.Jw[k])
                rest[k] += dot(f.Jv[k], force) + dot(f.Jw[k], moment)
                for l in f.Jw:
                    self.M[k][l] += body["m"] * dot(f.Jv[k], f.Jv[l]) + dot(turning, f.Jw[l])
        self.applied = [self.joint_force(k) for k in range(n)]
        K, bias = self.closure()
        P = model.passive
        KP = [[row[k] for k in P] for row in K]
        kept, nulls = independent(KP) if K and P else ([], [])
        rows = len(kept)
        A = [[self.M[i][k] for k in P] + [-K[r][i] for r in kept] for i in P]
        A += [[K[r][k] for k in P] + [mpf(0)] * rows for r in kept]
        x = solve(A, [self.applied[i] - rest[i] for i in P] + [-bias[r] for r in kept])
        self.a = [mpf(0)] * n
        for k, y in zip(P, x):
            self.a[k] = y
        multipliers = [mpf(0)] * len(K)
        for r, y in zip(kept, x[len(P):]):
            multipliers[r] = y
        self.rank = len(independent(K)[0]) if K else 0
        for row, b in zip(K, bias):        # a redundant row must follow from the others
            assert abs(dot(row, self.a) + b) < TINY * (1 + max(abs(y) for y in self.a)), "the loops contradict each other"
        for k, y in given.items():
            self.a[k] = y
        self.inertial = [rest[k] + sum(self.M[k][l] * self.a[l] for l in P) for k in range(n)]
        self.rows = K
        self.values, self.groups = self.columns(multipliers)
        for null in nulls:                 # columns that a redundant closure leaves open
            other, _ = self.columns(add(multipliers, null))
            self.values = {c: x for c, x in self.values.items() if abs(x - other[c]) < TINY}

    def needed(self, b, al, a):
        """Force at the centre of mass and moment that move body b so, weight and outside forces taken off."""
        body, f = self.model.bodies[b], self.com[b]
        turning = apply(self.I[b], f.w)
        force = sub(times(body["m"], sub(a, self.model.gravity)), self.force[b])
        moment = sub(add(apply(self.I[b], al), cross(f.w, turning)), self.moment[b])
        return force, moment

    def outside(self):
        """Forces and moments of [forces], moments about the centre of mass, ground axes."""
        m = self.model
        self.force, self.moment = ({b: [mpf(0)] * 3 for b in m.bodies} for _ in range(2))
        for f in m.data.get("forces", {}).values():
            value = [m.value(x, self.t) for x in f["value"]]
            if f["type"] == "moment":
                self.moment[f["on"]] = add(self.moment[f["on"]], value)
            else:
                assert f["type"] == "force" and "frame" not in f
                body, (_, r) = m.points[f["on"]]
                arm = sub(self.frames[body].at(r).p, self.com[body].p)
                self.force[body] = add(self.force[body], value)
                self.moment[body] = add(self.moment[body], cross(arm, value))

    def joint_force(self, k):
        """Of a passive dof: what springs, dampers and `torque` do."""
        joint, n, table = self.model.dofs[k]
        value = self.model.value
        out = -value(table.get("damping", 0)) * self.v[k] + value(table.get("torque", 0), self.t)
        if "stiffness" in table:
            out -= value(table["stiffness"]) * (self.q[joint][n] - value(table.get("rest", 0)))
        return out

    def closure(self):
        """Rows of the loops: point j on point i, and of hinges axis j along axis i; or point j at a distance of point i.
        Row . accelerations + bias = 0."""
        m, n, rows, bias = self.model, len(self.model.dofs), [], []
        self.loop_rows = {}
        for name, loop in m.loops.items():
            assert loop["type"] in LOOP_EQUATIONS
            (bi, (Ri, ri)), (bj, (Rj, rj)) = m.points[loop["i"]], m.points[loop["j"]]
            fi, fj = self.frames[bi].at(ri), self.frames[bj].at(rj)
            if loop["type"] == "distance":
                length, d, u = m.value(loop["length"]), sub(fj.p, fi.p), sub(fj.v, fi.v)
                assert abs(norm(d) - length) < ZERO, f"{name} is off by {mp.nstr(norm(d) - length, 5)}"
                e = times(1 / length, d)
                rows.append([dot(e, sub(fj.Jv.get(k, [mpf(0)] * 3), fi.Jv.get(k, [mpf(0)] * 3))) for k in range(n)])
                bias.append(dot(e, sub(fj.a, fi.a)) + (dot(u, u) - dot(e, u) ** 2) / length)
                self.loop_rows[name] = (bi, bj, fj.p, [(e, [mpf(0)] * 3)])
                continue
            across = [apply(fi.R, apply(Ri, e)) for e in (EX, EY)] if loop["type"] == "revolute" else []
            gap = norm(sub(fj.p, fi.p)) + sum(abs(dot(u, apply(fj.R, apply(Rj, EZ)))) for u in across)
            assert gap < ZERO, f"{name} is open by {mp.nstr(gap, 5)}"
            zero = [mpf(0)] * 3
            own = []
            for e in ONE:
                rows.append([dot(e, sub(fj.Jv.get(k, zero), fi.Jv.get(k, zero))) for k in range(n)])
                bias.append(dot(e, sub(fj.a, fi.a)))
                own.append((e, zero))
            turning = sub(fj.w, fi.w)
            for u in across:
                rows.append([dot(u, sub(fj.Jw.get(k, zero), fi.Jw.get(k, zero))) for k in range(n)])
                bias.append(dot(u, sub(fj.al, fi.al)) + dot(cross(fi.w, u), turning))
                own.append((zero, u))
            self.loop_rows[name] = (bi, bj, fj.p, own)
        for row in rows:
            assert abs(dot(row, self.v)) < TINY * (1 + max(abs(x) for x in self.v)), "the loops do not move together"
        return rows, bias

    # --- columns

    def columns(self, multipliers):
        m, out, groups = self.model, {}, {}

        def put(name, value, group):
            out[name], groups[name] = value, group

        acceleration = {}
        through = {}                       # force and moment about the ground's origin that body b needs, loops taken off
        for b in m.bodies:
            f = self.com[b]
            al = add(f.al, *[times(self.a[k], f.Jw[k]) for k in f.Jw if k in m.passive])
            a = add(f.a, *[times(self.a[k], f.Jv[k]) for k in f.Jv if k in m.passive])
            force, moment = self.needed(b, al, a)
            through[b] = [force, add(moment, cross(f.p, force))]
            o = self.frames[b]
            acceleration[b] = add(o.a, *[times(self.a[k], o.Jv[k]) for k in o.Jv if k in m.passive]), al
        loops, at = {}, 0
        for name, (bi, bj, p, own) in self.loop_rows.items():
            force = add(*[times(multipliers[at + r], e) for r, (e, _) in enumerate(own)])
            moment = add(*[times(multipliers[at + r], u) for r, (_, u) in enumerate(own)])
            at += len(own)
            loops[name] = force, moment
            for b, sign in ((bi, 1), (bj, -1)):
                if b != "ground":
                    through[b] = [add(through[b][0], times(sign, force)),
                                  add(through[b][1], times(sign, add(moment, cross(p, force))))]
        for name in reversed(m.joints):
            j = m.joints[name]
            if j["parent"] != "ground":
                through[j["parent"]] = [add(x, y) for x, y in zip(through[j["parent"]], through[j["child"]])]
        for b in m.bodies:
            f = self.frames[b]
            for letters, vector, group in ((".x .y .z", f.p, "length"), (".vx .vy .vz", f.v, "speed"),
                                           (".qw .qx .qy .qz", quaternion_of(f.R), "one"),
                                           (".wx .wy .wz", f.w, "turning"), (".ax .ay .az", acceleration[b][0], "acc"),
                                           (".alx .aly .alz", acceleration[b][1], "turning acc")):
                for c, x in zip(letters.split(), vector):
                    put(b + c, x, group)
        for name, j in m.joints.items():
            kinds = DOFS[j["type"]]
            quaternion_joint = j["type"] in QUATERNION
            for k, x in enumerate(self.q[name]):
                unit = "one" if quaternion_joint and k < 4 else "length" if quaternion_joint or kinds[k] == "l" else "angle"
                put(f"{name}.q{k + 1}", x, unit)
            force, about_origin = through[j["child"]]
            origin = self.ends[name].p
            for k, kind in enumerate(kinds):
                dof = j["first"] + k
                put(f"{name}.v{k + 1}", self.v[dof], "speed" if kind == "l" else "turning")
                put(f"{name}.a{k + 1}", self.a[dof], "acc" if kind == "l" else "turning acc")
                effort = self.inertial[dof] - sum(multipliers[r] * row[dof] for r, row in enumerate(self.rows))
                put(f"{name}.tau{k + 1}", effort, "force" if kind == "l" else "moment")
            self.wrench(put, name, force, sub(about_origin, cross(origin, force)))
        for name, (force, moment) in loops.items():
            self.wrench(put, name, force, moment)
        self.system(put)
        return out, groups

    @staticmethod
    def wrench(put, name, force, moment):
        for c, x, group in zip("fx fy fz mx my mz".split(), force + moment, ["force"] * 3 + ["moment"] * 3):
            put(f"{name}.{c}", x, group)

    def system(self, put):
        m = self.model
        P, L, G, mass, kinetic, potential = [mpf(0)] * 3, [mpf(0)] * 3, [mpf(0)] * 3, mpf(0), mpf(0), mpf(0)
        for b, body in m.bodies.items():
            f, turning = self.com[b], apply(self.I[b], self.com[b].w)
            p = times(body["m"], f.v)
            P, L = add(P, p), add(L, turning, cross(f.p, p))
            G, mass = add(G, times(body["m"], f.p)), mass + body["m"]
            kinetic += (dot(p, f.v) + dot(f.w, turning)) / 2
            potential -= body["m"] * dot(m.gravity, f.p)
        for joint, n, table in m.dofs:
            if "stiffness" in table:
                stretch = self.q[joint][n] - m.value(table.get("rest", 0))
                potential += m.value(table["stiffness"]) * stretch ** 2 / 2
        for name, x in (("kinetic", kinetic), ("potential", potential), ("total", kinetic + potential)):
            put(f"energy.{name}", x, "energy")
        for c, x, group in zip("px py pz lx ly lz".split(), P + L, ["momentum"] * 3 + ["angular momentum"] * 3):
            put(f"momentum.{c}", x, group)
        for c, x in zip("xyz", times(1 / mass, G)):
            put(f"com.{c}", x, "length")

    # --- route 2

    def confirm(self):
        """Generalized inertia forces and weights from particles and differences; loops to second order."""
        m, h = self.model, mpf(10) ** -14
        now, sides = m.positions(self.q)
        ahead, sides_ahead = m.positions(m.after(self.q, self.v, self.a, h))
        back, sides_back = m.positions(m.after(self.q, self.v, self.a, -h))
        outside = [mpf(0)] * len(m.dofs)
        for b in m.bodies:
            f = self.com[b]
            for k in f.Jw:
                outside[k] += dot(f.Jv[k], self.force[b]) + dot(f.Jw[k], self.moment[b])
        scale = 1 + max(abs(x) for x in self.inertial)
        for k in range(len(m.dofs)):
            unit = [mpf(i == k) for i in range(len(m.dofs))]
            up, down = (m.positions(m.path(self.q, unit)(s))[0] for s in (h, -h))
            force = mpf(0)
            for (mass, x), (_, a), (_, b), (_, u), (_, d) in zip(now, ahead, back, up, down):
                acc = times(1 / h ** 2, sub(add(a, b), times(2, x)))
                force += mass * dot(sub(acc, m.gravity), times(1 / (2 * h), sub(u, d)))
            gap = abs(force - outside[k] - self.inertial[k])
            assert gap < TINY * scale, f"particles and Kane's equations differ by {mp.nstr(gap, 3)} in dof {k}"
        for state in (sides_ahead, sides_back):
            for loop, (p, e), (r, u) in zip(m.loops.values(), state[::2], state[1::2]):
                gap = norm(sub(p, r))
                if loop["type"] == "distance":
                    gap = abs(gap - m.value(loop["length"]))
                if loop["type"] == "revolute":
                    gap += norm(cross(e, u))
                assert gap < h ** 3 * 10 ** 6, "a loop opens"
        return self


# ---------------------------------------------------------------------------------------------------------------------
# Integration of textbook equations: Gragg's midpoint rule, extrapolated

def extrapolated_step(f, t, y, f0, H, columns):
    """y after the time H, and an estimate of its error."""
    row = []
    for j in range(1, columns + 1):
        n = 2 * j
        h = H / n
        a, b = y, [u + h * d for u, d in zip(y, f0)]
        for i in range(1, n):
            slope = f(t + i * h, b)
            a, b = b, [u + 2 * h * d for u, d in zip(a, slope)]
        last, row = row, [[(u + w + h * d) / 2 for u, w, d in zip(a, b, f(t + H, b))]]
        for k in range(1, j):
            factor = 1 / ((mpf(j) / (j - k)) ** 2 - 1)
            row.append([u + (u - w) * factor for u, w in zip(row[k - 1], last[k - 1])])
    return row[-1], max(abs(u - w) / (1 + abs(u)) for u, w in zip(row[-1], row[-2]))


def integrated(f, y, ends, step):
    """y at the times, by two runs of different order and step that agree to 16 digits."""
    old, mp.dps = mp.dps, 34
    runs = []
    for columns, allowed in ((12, mpf(10) ** -20), (14, mpf(10) ** -22)):
        t, now, out, h = mpf(0), list(y), [], mpf(step)
        for end in ends:
            f0 = f(t, now)
            while end - t > mpf(10) ** -28:
                H = (end - t) / mp.ceil((end - t) / h)
                new, error = extrapolated_step(f, t, now, f0, H, columns)
                better = mp.root(allowed / (error + allowed / 10 ** 9), 2 * columns - 1)
                h = H * max(mpf("0.3"), min(mpf(2), mpf("0.9") * better))
                if error <= allowed:
                    t, now = t + H, new
                    f0 = f(t, now)
            out.append(now)
        runs.append(out)
    mp.dps = old
    gap = max(abs(u - v) / (1 + abs(u)) for x, z in zip(*runs) for u, v in zip(x, z))
    assert gap < mpf(10) ** -16, f"the integration is not converged: {mp.nstr(gap, 3)}"
    return runs[1]


def lagrange(coordinates, kinetic, potential, forces=None):
    """Accelerations (t, q, v) from the energies, written in sympy symbols q, v (lists) and t."""
    q, v, t = coordinates
    momenta = [sympy.diff(kinetic, x) for x in v]
    M = [[sympy.diff(p, x) for x in v] for p in momenta]
    rhs = [sympy.diff(kinetic - potential, x) - sum(sympy.diff(p, y) * w for y, w in zip(q, v)) - sympy.diff(p, t)
           + (forces[k] if forces else 0) for k, (x, p) in enumerate(zip(q, momenta))]
    n = len(q)
    function = sympy.lambdify([t, *q, *v], [e for row in M for e in row] + rhs, "mpmath", cse=True)

    def accelerations(time, at, rate):
        flat = function(time, *at, *rate)
        return solve([flat[n * i:n * i + n] for i in range(n)], flat[n * n:])
    return accelerations


def exact(x):
    """A number of the model as sympy sees it, with all its digits."""
    return sympy.Float(mp.nstr(x, 55), 55)


def first_order(accelerations):
    def f(t, y):
        n = len(y) // 2
        return y[n:] + accelerations(t, y[:n], y[n:])
    return f
