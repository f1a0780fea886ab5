"""Spatial vectors, one constrained body, articulated bodies and free swimming (the notes on rigid-body algorithms).

The other road is d'Alembert's principle on places alone: rotation and centre of mass of each body as functions of the coordinates, their
derivatives along a motion by Cauchy's integral, and tau_a = sum of (m x'' - F)·dx/dq_a + (rate of the spin - N)·dw/dq'_a.
"""

import numpy as np

from .road import Numbers, derivatives, gradient


def skew(u):
    return np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])


def vee(M):
    return np.array([M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1]]) / 2


def rotation(axis, angle):
    """3 x 3 x the shape of the angle, which may be complex."""
    K = skew(axis)
    shape = (3, 3) + (1,) * np.ndim(angle)
    return np.eye(3).reshape(shape) + np.sin(angle) * K.reshape(shape) + (1 - np.cos(angle)) * (K @ K).reshape(shape)


def motion_cross(v):
    return np.block([[skew(v[:3]), np.zeros((3, 3))], [skew(v[3:]), skew(v[:3])]])


def force_cross(v):
    return -motion_cross(v).T


def carry(E, r):
    """Motions from A to B: E turns components in A into those in B, r is the origin of B in A."""
    return np.block([[E, np.zeros((3, 3))], [-E @ skew(r), E]])


class Tree:
    """Bodies on joints of one freedom each, a screw: axis and pitch, or a slide. Body k hangs on parent[k]; -1 is the ground."""

    def __init__(self, numbers, parents, slides=(), massless=()):
        n = len(parents)
        self.parents, self.slides, self.n = parents, slides, n
        self.axis = np.array([u / np.linalg.norm(u) for u in numbers(n, 3)])
        self.place = numbers(n, 3)  # of the joint, in the axes of its parent
        self.com = numbers(n, 3) * [[0.0 if k in massless else 1.0] for k in range(n)]
        self.mass = np.array([0.0 if k in massless else 0.5 + abs(numbers()) for k in range(n)])
        raw = numbers(n, 3, 3)
        self.inertia = [np.zeros((3, 3)) if k in massless else raw[k] @ raw[k].T + 0.3 * np.eye(3) for k in range(n)]

    def place_of(self, q):
        """Rotation, origin and centre of mass of every body: n x 3 x 5, the last axes those of q."""
        out = []
        for k in range(self.n):
            shape = q.shape[1:]
            R, x = (np.broadcast_to(np.eye(3).reshape(3, 3, *[1] * len(shape)), (3, 3, *shape)), np.zeros((3, *shape)))
            if self.parents[k] >= 0:
                R, x = out[self.parents[k]][:, :3], out[self.parents[k]][:, 3]
            local = self.place[k].reshape(3, *[1] * len(shape)) + 0 * q[0]
            if k in self.slides:
                local = local + np.multiply.outer(self.axis[k], q[k])
            x = x + np.einsum("ab...,b...->a...", R, local)
            if k not in self.slides:
                R = np.einsum("ab...,bc...->ac...", R, rotation(self.axis[k], q[k]))
            com = x + np.einsum("ab...,b->a...", R, self.com[k])
            out.append(np.concatenate([R, x[:, None], com[:, None]], axis=1))
        return np.array(out)

    def at(self, q):
        """Jacobians of all bodies in ground axes: (spin, origin, centre), each n x 3 x dofs; and rotations, origins, centres."""
        here = self.place_of(q.astype(complex)).real
        slope = gradient(self.place_of, q.astype(complex)).real  # dof, body, 3, 5
        spin = np.array([[vee(slope[a, k, :, :3] @ here[k, :, :3].T) for a in range(self.n)] for k in range(self.n)])
        return spin.transpose(0, 2, 1), slope[..., 3].transpose(1, 2, 0), slope[..., 4].transpose(1, 2, 0), here

    def dalembert(self, m, wrenches=None):
        """H and C of H q'' + C = tau at time 0 of the motion m. wrenches: [moment; force] on each body at its centre, in its own axes."""
        Jw, _, Jc, here = self.at(m[0])
        d = derivatives(lambda t: self.place_of(m(t)), 2)
        H, tau = np.zeros((self.n, self.n)), np.zeros(self.n)
        for k in range(self.n):
            R, R1, R2 = (x[k, :, :3] for x in d)
            w, w1 = vee(R1 @ R.T), vee(R2 @ R.T + R1 @ R1.T)
            I = R @ self.inertia[k] @ R.T
            moment, force = I @ w1 + np.cross(w, I @ w), self.mass[k] * d[2][k, :, 4]
            if wrenches is not None:
                moment, force = moment - R @ wrenches[k][:3], force - R @ wrenches[k][3:]
            tau += Jw[k].T @ moment + Jc[k].T @ force
            H += Jw[k].T @ I @ Jw[k] + self.mass[k] * Jc[k].T @ Jc[k]
        return H, tau - H @ m[2]

    # What the recursions need, in body axes about the joint's origin.
    def transforms(self, q):
        """Motions from the parent into body k."""
        turn = [np.eye(3) if k in self.slides else rotation(self.axis[k], q[k]) for k in range(self.n)]
        return [carry(turn[k].T, self.place[k] + (self.axis[k] * q[k] if k in self.slides else 0)) for k in range(self.n)]

    def subspace(self, k):
        return np.concatenate([np.zeros(3), self.axis[k]] if k in self.slides else [self.axis[k], np.zeros(3)])

    def to_centre(self, k):
        return carry(np.eye(3), self.com[k])

    def rigid(self, k):
        centre = np.block([[self.inertia[k], np.zeros((3, 3))], [np.zeros((3, 3)), self.mass[k] * np.eye(3)]])
        return self.to_centre(k).T @ centre @ self.to_centre(k)

    def velocities(self, q, qd):
        X, v = self.transforms(q), []
        for k in range(self.n):
            v.append((X[k] @ v[self.parents[k]] if self.parents[k] >= 0 else np.zeros(6)) + self.subspace(k) * qd[k])
        return X, v


# --------------------------------------------------------------------------------------------------------- vectors, one body


def vectors(table):
    numbers = Numbers(21)
    tree = Tree(numbers, [-1, 0, 1], slides=(1,), massless=(0, 1))
    m = numbers.motion(3)
    d = derivatives(lambda t: tree.place_of(m(t))[2], 2)
    R, x, c = d[0][:, :3], d[0][:, 3], d[0][:, 4]
    w, w1 = vee(d[1][:, :3] @ R.T), vee(d[2][:, :3] @ R.T + d[1][:, :3] @ d[1][:, :3].T)
    I_c, mass = tree.inertia[2], tree.mass[2]
    spin = R @ I_c @ R.T
    f_true = np.concatenate([R.T @ (spin @ w1 + np.cross(w, spin @ w) + mass * np.cross(c - x, d[2][:, 4])), R.T @ (mass * d[2][:, 4])])
    v = np.concatenate([R.T @ w, R.T @ d[1][:, 3]])
    a = np.concatenate([R.T @ w1, R.T @ (d[2][:, 3] - np.cross(w, d[1][:, 3]))])
    I = tree.rigid(2)
    table.wrong("V1", "law of motion with v x in place of v x*", f_true, I @ a + force_cross(v) @ I @ v, I @ a + motion_cross(v) @ I @ v)
    to_ground = carry(R, np.zeros(3))  # from the axes of the body to those of the ground, both at its centre
    centre = np.block([[I_c, np.zeros((3, 3))], [np.zeros((3, 3)), mass * np.eye(3)]])
    truth = np.block([[spin, np.zeros((3, 3))], [np.zeros((3, 3)), mass * np.eye(3)]])
    back = np.linalg.inv(to_ground)
    table.wrong("V2", "inertia in ground axes", truth, back.T @ centre @ back, back @ centre @ back)
    rows = np.concatenate([spin @ w1 + np.cross(w, spin @ w), mass * d[2][:, 4]])
    moment = np.concatenate([spin @ w1 + np.cross(w, spin @ w1), mass * d[2][:, 4]])
    h = lambda t: derivative_of_spin(tree, m, t)
    table.wrong("V3", "rate of the angular momentum at the centre", np.concatenate([derivatives(h, 1)[1], rows[3:]]), rows, moment)
    u = np.concatenate([w, d[1][:, 4]])
    table.right("v x* I v at the centre", force_cross(u) @ truth @ u, np.concatenate([np.cross(w, spin @ w), mass * np.cross(w, u[3:])]))


def derivative_of_spin(tree, m, t):
    """The angular momentum of body 2 about its centre at complex times: R I R^T w, with w from the slope of R."""
    slope = gradient(tree.place_of, m(t))[:, 2, :, :3]
    R = tree.place_of(m(t))[2][:, :3]
    W = np.einsum("aijt,at,kjt->ikt", slope, m(t, 1), R)
    w = np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2
    return np.einsum("ijt,jk,lkt,lt->it", R, tree.inertia[2], R, w)


def one_body(table):
    """Three freedoms of one body: a hinge, a slide and another hinge, with nothing of mass between. S moves in the body."""
    numbers = Numbers(22)
    tree = Tree(numbers, [-1, 0, 1], slides=(1,), massless=(0, 1))
    m = numbers.motion(3)
    f_c = numbers(6)
    H_true, C_true = tree.dalembert(m)
    I = tree.rigid(2)

    def S_of(t):
        slope = gradient(tree.place_of, m(t))[:, 2]
        R = tree.place_of(m(t))[2][:, :3]
        W = np.einsum("aijt,kjt->aikt", slope[:, :, :3], R)
        w = np.array([W[:, 2, 1] - W[:, 1, 2], W[:, 0, 2] - W[:, 2, 0], W[:, 1, 0] - W[:, 0, 1]]) / 2
        return np.concatenate([np.einsum("jit,jat->iat", R, w), np.einsum("jit,ajt->iat", R, slope[:, :, 3])])

    S, S1 = derivatives(S_of, 1)
    qd = m[1]
    v, bias = S @ qd, S1 @ qd
    p = force_cross(v) @ I @ v
    tau = S.T @ f_c
    truth = np.linalg.solve(H_true, tau - C_true)
    H = S.T @ I @ S
    solve = lambda right: np.linalg.solve(H, right)
    ours = solve(S.T @ (f_c - I @ bias - p))
    table.wrong("M1", "projection without S^T I S' q'", truth, ours, solve(S.T @ (f_c - p)))
    table.wrong("M2", "box with I S q''", truth, ours, np.linalg.solve(2 * H, S.T @ (f_c - p)))  # q'' on both sides, solved for it
    Phi = S @ np.linalg.solve(H, S.T)
    a_true = S @ truth + bias
    table.wrong("M3", "bias acceleration b", a_true, Phi @ f_c + bias - Phi @ (I @ bias + p),
                Phi @ f_c + S1 @ truth - Phi @ (I @ S @ truth + p))
    table.wrong("M4", "C with I S q'", C_true, S.T @ (I @ bias + p), S.T @ (I @ S @ qd + p))
    T = np.linalg.svd(S)[0][:, 3:]
    KKT = np.block([[I, T], [T.T, np.zeros((3, 3))]])
    solution = np.linalg.solve(KKT, np.concatenate([f_c - p, T.T @ bias]))
    table.right("multipliers: acceleration", a_true, solution[:6])
    free = np.linalg.inv(I)
    table.right("range space", Phi, free - free @ T @ np.linalg.solve(T.T @ free @ T, T.T) @ free)


# --------------------------------------------------------------------------------------------------------- articulated bodies


def articulated(tree, m, active, tau, wrenches=None, cross=force_cross, drop_bias=False, drop_u=False, no_elimination=False):
    """The recursion of the notes with prescribed and passive joints; the options are what goes wrong if one reads it as it stands."""
    X, v = tree.velocities(m[0], m[1])
    S = [tree.subspace(k) for k in range(tree.n)]
    c = [motion_cross(v[k]) @ S[k] * m[1][k] + (S[k] * m[2][k] if k in active else 0) for k in range(tree.n)]
    IA = [tree.rigid(k) for k in range(tree.n)]
    pA = [cross(v[k]) @ IA[k] @ v[k] - (tree.to_centre(k).T @ wrenches[k] if wrenches is not None else 0) for k in range(tree.n)]
    U, D, u = {}, {}, {}
    for k in reversed(range(tree.n)):
        Ia, pa = IA[k], pA[k] + IA[k] @ c[k]
        if k not in active:
            U[k] = IA[k] @ S[k]
            D[k], u[k] = S[k] @ U[k], tau[k] - S[k] @ pA[k]
            Ia = IA[k] - np.outer(U[k], U[k]) / D[k]
            pa = pA[k] + Ia @ c[k] + (0 if drop_u else U[k] * u[k] / D[k])
            if no_elimination:
                Ia, pa = IA[k], pA[k]
        if tree.parents[k] >= 0:
            IA[tree.parents[k]] = IA[tree.parents[k]] + X[k].T @ Ia @ X[k]
            pA[tree.parents[k]] = pA[tree.parents[k]] + X[k].T @ pa
    qdd, a = np.array(m[2], dtype=float), []
    for k in range(tree.n):
        known = (X[k] @ a[tree.parents[k]] if tree.parents[k] >= 0 else np.zeros(6)) + c[k]
        if k not in active:
            qdd[k] = (u[k] - U[k] @ known) / D[k]
        a.append(known + (S[k] * qdd[k] if k not in active else 0) - (S[k] * m[2][k] if drop_bias and k in active else 0))
    return qdd, a, IA, pA, v


def recursion(table):
    numbers = Numbers(23)
    tree = Tree(numbers, [-1, 0, 1, 0], slides=(3,))
    m, active = numbers.motion(4), (1,)
    passive = [0, 2, 3]
    wrenches, K, R = numbers(4, 6), np.abs(numbers(4)), np.abs(numbers(4))
    tau = -R * m[1] - K * m[0]
    H, C = tree.dalembert(m, wrenches)
    truth = np.array(m[2], dtype=float)
    truth[passive] = np.linalg.solve(H[np.ix_(passive, passive)], tau[passive] - C[passive] - H[np.ix_(passive, active)] @ m[2][list(active)])
    go = lambda **options: articulated(tree, m, active, tau, wrenches, **options)
    ours, a, IA, pA, v = go()
    table.wrong("A1", "bias force with v x", truth, ours, go(cross=motion_cross)[0])
    table.wrong("A2", "bias without U D^-1 u", truth, ours, go(drop_u=True)[0])
    table.wrong("A3", "acceleration without the prescribed part", truth, ours, go(drop_bias=True)[0])
    table.wrong("A4", "parents that get I^A and p^A, not I^a and p^a", truth, ours, go(no_elimination=True)[0])

    # The boxed closed form for a passive joint, and the efforts.
    full = H @ truth + C
    k, X = 2, tree.transforms(m[0])
    S = tree.subspace(k)
    known = X[k] @ a[1] + motion_cross(v[k]) @ S * m[1][k]
    table.right("boxed closed form of a passive joint", truth[k], (tau[k] - S @ (pA[k] + IA[k] @ known)) / (S @ IA[k] @ S))
    wrench = [IA[k] @ a[k] + pA[k] for k in range(4)]
    table.right("efforts of all joints", full, [tree.subspace(k) @ wrench[k] for k in range(4)])
    table.wrong("A5", "f = I^A q' + p^A", full[1], tree.subspace(1) @ wrench[1], tree.subspace(1) @ (IA[1] @ v[1] + pA[1]))
    S0 = tree.subspace(0)
    boxed = lambda known: (tau[0] - S0 @ (pA[0] + IA[0] @ known)) / (S0 @ IA[0] @ S0)
    table.wrong("A6", "joint 1 with P q' in place of c", truth[0], boxed(motion_cross(v[0]) @ S0 * m[1][0]), boxed(S0 * m[1][0]))

    # Stacked: D, its inverse, Z, and the equation for the passive rates.
    n = tree.n
    D, big, P = np.eye(6 * n), np.zeros((6 * n, 6 * n)), np.zeros((6 * n, n))
    for i in range(n):
        big[6 * i:6 * i + 6, 6 * i:6 * i + 6] = tree.rigid(i)
        P[6 * i:6 * i + 6, i] = tree.subspace(i)
        if tree.parents[i] >= 0:
            D[6 * i:6 * i + 6, 6 * tree.parents[i]:6 * tree.parents[i] + 6] = -X[i]
    Z = np.linalg.solve(D, P)
    table.right("Z^T I Z is H", H, Z.T @ big @ Z)
    table.right("D^-1 below the diagonal: from 0 to 2", np.linalg.inv(D)[12:18, 0:6], X[2] @ X[1])
    table.right("D^-1 above the diagonal", np.triu(np.linalg.inv(D), 6), np.zeros((6 * n, 6 * n)))
    bias = np.concatenate([motion_cross(v[i]) @ tree.subspace(i) * m[1][i] for i in range(n)])
    p = np.concatenate([force_cross(v[i]) @ tree.rigid(i) @ v[i] - tree.to_centre(i).T @ wrenches[i] for i in range(n)])
    Zp, known = Z[:, passive], np.linalg.solve(D, bias) + Z[:, list(active)] @ m[2][list(active)]
    table.right("null space with prescribed joints", truth[passive], np.linalg.solve(Zp.T @ big @ Zp, tau[passive] - Zp.T @ (p + big @ known)))

    # A nut of 1.7 kg and 0.03 kg m2 on a screw that advances 0.12 m a radian, turned by 0.5 N m: its effort as a wrench.
    screw, nut = np.array([0, 0, 1, 0, 0, 0.12]), np.diag([1, 1, 0.03, 1.7, 1.7, 1.7])
    answer = lambda wrench: screw @ wrench / (screw @ nut @ screw)
    truth = 0.5 / (0.03 + 1.7 * 0.12**2)
    table.wrong("A7", "effort on a screw as the wrench S tau", truth, answer(screw / (screw @ screw) * 0.5), answer(screw * 0.5))
