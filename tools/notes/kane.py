"""Kane's arrays for three bodies pinned in a row (the notes on pinned bodies)."""

import numpy as np

from .road import Numbers, derivatives, gradient


def arrays(table):
    numbers = Numbers(5)
    r, p, mass, inertia = numbers(3, 2), numbers(3, 2), numbers(3) ** 2 + 0.5, numbers(3) ** 2 + 0.1
    F, couples = numbers(6), numbers(3)
    m = numbers.motion(3)

    def centres(q):
        """The places of the three centres of mass from relative angles, and nothing else."""
        out, pin, angle = [], np.zeros((2, *q.shape[1:]), dtype=complex), 0
        for k in range(3):
            angle = angle + q[k]
            along = lambda u: np.array([np.cos(angle) * u[0] - np.sin(angle) * u[1], np.sin(angle) * u[0] + np.cos(angle) * u[1]])
            out.append(pin + along(r[k]))
            pin = pin + along(p[k])
        return np.concatenate(out)

    V_true = gradient(centres, m[0].astype(complex)).real
    d = derivatives(lambda t: centres(m(t)), 2)
    W = np.triu(np.ones((3, 3)))
    theta, w, alpha = W.T @ m[0], W.T @ m[1], W.T @ m[2]
    S = [np.array([[np.cos(x), np.sin(x)], [-np.sin(x), np.cos(x)]]) for x in theta]
    row = lambda u: np.array([-u[1], u[0]])
    turning = lambda x: np.array([[0, x], [-x, 0]])

    def blocks(block):
        return np.array([np.hstack([block(j, k) if j <= k else np.zeros(2) for k in range(3)]) for j in range(3)])

    arm = lambda j, k: row(r[j] if j == k else p[j])
    B = blocks(lambda j, k: arm(j, k) @ S[j])
    rate_of_B = blocks(lambda j, k: arm(j, k) @ turning(w[j]) @ S[j])
    table.wrong("K1", "velocities, row 1 with S_r", d[1], w @ B, w @ blocks(lambda j, k: (row(r[0]) if j == 0 else arm(j, k)) @ S[j]))
    shifted = B.copy()
    shifted[2] = np.roll(B[2], -2)
    table.wrong("K2", "V_pd, row 3 one column to the left", V_true, W @ B, W @ shifted)
    table.wrong("K3", "W_pd without its first row", w, W.T @ m[1], W[1:].T @ m[1][1:])
    table.wrong("K4", "V_pd with T = 1", V_true, W @ B, B)

    def wrong_block(j, k):  # as they stand: [S_p][S_t][S_10], read as S_p of body 2 with the axes of body 1, and S_2 with S_3
        return arm(j, k) @ (turning(w[j]) @ S[j] if j == 0 else S[0] if (j, k) == (1, 2) else S[2] if (j, k) == (2, 2) else turning(w[j]) @ S[j])

    table.wrong("K5", "accelerations without [omega]", d[2], w @ rate_of_B + alpha @ B, w @ blocks(wrong_block) + alpha @ B)
    first = (w[0] * row(r[0]) @ turning(w[0]) + alpha[0] * row(r[0])) @ S[0]
    table.wrong("K6", "acceleration of body 1", d[2][:2], first, (w[0] + alpha[0]) * row(r[0]))

    # Newton and Euler, multiplied by the partial velocities.
    masses = np.repeat(mass, 2)
    f_true = V_true @ (F - masses * (d[2] - V_true.T @ m[2])) + W @ couples
    M_true = V_true @ np.diag(masses) @ V_true.T + W @ np.diag(inertia) @ W.T
    A1, A2, A3 = W @ rate_of_B * masses, W @ B * masses, W * inertia
    table.wrong("K7", "M, arrays without masses", M_true, W @ B @ A2.T + W @ A3.T, W @ B @ (W @ B).T + W @ W.T)
    table.wrong("K8", "f with q in place of its rate", f_true, W @ B @ F + W @ couples - W @ B @ A1.T @ m[1],
                W @ B @ F + W @ couples - W @ B @ A1.T @ m[0])
    torque = 0.7  # of the joint between the first body and the second
    table.wrong("K9", "a torque of joint 2 on body 2 alone", [0, torque, 0], W @ [-torque, torque, 0], W @ [0, torque, 0])
