"""Free swimming, rails and momentum (the last part of the notes on rigid-body algorithms)."""

import numpy as np

from .road import Numbers, derivatives, gradient
from .space import Tree, articulated, force_cross, motion_cross, vee


def base_and_arms(numbers, rail=False):
    """Three bodies in a row. The first floats, on three slides and three hinges without mass between; or it is on a rail."""
    if rail:
        return Tree(numbers, [-1, 0, 1], slides=(0,)), 0
    tree = Tree(numbers, [-1, 0, 1, 2, 3, 4, 5, 6], slides=(0, 1, 2), massless=(0, 1, 2, 3, 4))
    tree.axis[:3], tree.place[:6] = np.eye(3), 0
    return tree, 5


def composite(tree, m, base):
    """The recursion of the notes for prescribed joints beyond the base: I and p of the whole at the base, right and as printed."""
    X, v = tree.velocities(m[0], m[1])
    I, p, q = ([None] * tree.n for _ in range(3))
    for k in range(base, tree.n):
        I[k] = tree.rigid(k)
        p[k] = force_cross(v[k]) @ I[k] @ v[k]
        q[k] = p[k]
    for k in reversed(range(base + 1, tree.n)):
        S = tree.subspace(k)
        known = motion_cross(v[k]) @ S * m[1][k] + S * m[2][k]
        I[k - 1] = I[k - 1] + X[k].T @ I[k] @ X[k]
        p[k - 1] = p[k - 1] + X[k].T @ (p[k] + I[k] @ known)
        q[k - 1] = q[k - 1] + X[k].T @ (q[k] + known)
    return I[base], p[base], q[base], v


def swimming(table):
    numbers = Numbers(33)
    tree, base = base_and_arms(numbers)
    m = numbers.motion(tree.n)
    H, C = tree.dalembert(m)
    free, arms = list(range(base + 1)), list(range(base + 1, tree.n))
    qdd = np.array(m[2], dtype=float)
    qdd[free] = np.linalg.solve(H[np.ix_(free, free)], -C[free] - H[np.ix_(free, arms)] @ m[2][arms])
    m.d[2] = qdd  # the motion that swims, to its second derivative
    d = derivatives(lambda t: tree.place_of(m(t))[base], 2)
    R, w = d[0][:, :3], vee(d[1][:, :3] @ d[0][:, :3].T)
    w1 = vee(d[2][:, :3] @ R.T + d[1][:, :3] @ d[1][:, :3].T)
    truth = np.concatenate([R.T @ w1, R.T @ (d[2][:, 3] - np.cross(w, d[1][:, 3]))])
    I, p, printed, v = composite(tree, m, base)
    table.wrong("S1", "bias force without the inertia of what is carried", truth, -np.linalg.solve(I, p), -np.linalg.solve(I, printed))

    # Momentum: in ground axes it is kept, in the axes of the base it is not.
    X = tree.transforms(m[0])

    def momentum(rates):
        """Of the whole, at the base, in its axes, from the sum over bodies."""
        _, v = tree.velocities(m[0], rates)
        h = np.zeros(6)
        for k in reversed(range(base, tree.n)):
            h = tree.rigid(k) @ v[k] + h
            h = h if k == base else X[k].T @ h
        return h

    def linear(t):
        """The linear momentum at complex times in the axes of the base, from slopes of places."""
        q, rates = m(t), m(t, 1)
        slope = gradient(tree.place_of, q)[..., 4, :]
        total = np.einsum("k,akct,at->ct", tree.mass, slope, rates)
        return np.einsum("cbt,ct->bt", tree.place_of(q)[base][:, :3], total)

    kept = sum(tree.mass[k] * derivatives(lambda t: tree.place_of(m(t))[k][:, 4], 2)[2] for k in range(base, tree.n))
    table.right("momentum of a swimmer is kept", np.zeros(3), kept)
    rate = -force_cross(v[base]) @ momentum(m[1])
    table.wrong("S4", "rate of the momentum in the axes of the base", derivatives(linear, 1)[1], rate[3:], np.zeros(3))

    # Starting without momentum: all rates of the arms given, the base found; the inner joints passive.
    still = np.array(m[1], dtype=float)
    still[free] = 0
    inner = momentum(still)
    IA = articulated(tree, m, (), np.zeros(tree.n))[2][base]
    jacobian = np.array([np.concatenate([tree.at(m[0])[0][base][:, a], tree.at(m[0])[1][base][:, a]]) for a in free]).T
    turn = np.block([[R.T, np.zeros((3, 3))], [np.zeros((3, 3)), R.T]])
    columns = turn @ jacobian  # the velocity of the base in its axes for rates of its six freedoms

    def start(inertia):
        rates = still.copy()
        rates[free] = np.linalg.solve(columns, -np.linalg.solve(inertia, inner))
        return rates

    truth = still.copy()
    everything = np.array([momentum(row) for row in np.eye(tree.n)]).T
    truth[free] = np.linalg.solve(everything[:, free], -everything @ still)
    table.wrong("S2", "start without momentum, articulated inertia", truth, start(I), start(IA))

    # A base with one freedom prescribed, five free: what the prescribed one moves counts.
    S_A, S_P = columns[:, :1], columns[:, 1:]
    given = 0.8
    ours = -np.linalg.solve(S_P.T @ I @ S_P, S_P.T @ (inner + I @ S_A[:, 0] * given))
    rates = still.copy()
    rates[0], rates[1:base + 1] = given, ours
    table.right("part of the momentum is zero", np.zeros(5), S_P.T @ momentum(rates))
    printed = -np.linalg.solve(S_P.T @ I @ S_P, S_P.T @ inner)
    rates[1:base + 1] = np.linalg.solve(S_P.T @ everything[:, 1:base + 1], -S_P.T @ everything @ np.where(np.arange(tree.n) <= base, 0, rates)
                                        - S_P.T @ everything[:, 0] * given)
    table.wrong("S3", "start without momentum, a freedom of the base prescribed", rates[1:base + 1], ours, printed)

    # The rail.
    numbers = Numbers(35)
    tree, base = base_and_arms(numbers, rail=True)
    m = numbers.motion(3)
    H, C = tree.dalembert(m)
    truth = (-C[0] - H[0, 1:] @ m[2][1:]) / H[0, 0]
    I, p, _, _ = composite(tree, m, 0)
    S = tree.subspace(0)
    table.wrong("S5", "rail", truth, -(S @ p) / (S @ I @ S), (S @ p) / (S @ I @ S))
