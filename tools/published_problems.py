"""Published reference problems and reference cases in space: their numbers, and what a run made now gives. For tools/validation.py.

Andrews' squeezer: Test Set for IVP Solvers, IFToMM A03. Pendulum: IFToMM A01, Jacobi's elliptic functions. N four-bars: IFToMM A02.
Slider-crank: closed form, differentiated in extended precision.
"""

import json
import math
import tomllib

from validation_page import MODELS, ROOT, TIGHT, error, number, row_at

# Quantity, columns whose difference it is, published value (Test Set for IVP Solvers, run at 1e-14), value in extended precision.
ANDREWS = [
    ("β", "K1.phi", None, "15.81077119629904", "15.8107711951537070971"),
    ("θ", "K2.phi", "K1.phi", "-15.75637105984298", "-15.7563710584118394697"),
    ("γ", "K3.phi", None, "0.04082224013073101", "0.0408222401196458048583"),
    ("φ", "K4.phi", "K5.phi", "-0.5347301163226948", "-0.534730116342079593770"),
    ("δ", "K5.phi", None, "0.5244099658805304", "0.524409965879954069372"),
    ("Ω", "K6.phi", "K7.phi", "0.5347301163226948", "0.534730116342079593770"),
    ("ε", "K7.phi", None, "1.048080741042263", "1.04808074104193787307"),
    ("β′", "K1.vphi", None, "1139.920302151208", "1139.92030225910606420"),
    ("θ′", "K2.vphi", "K1.vphi", "-1424.379294994111", "-1424.37929517754007320"),
    ("γ″", "K3.aphi", None, "324102.5686413781", "324102.600707578605812"),
]
ANDREWS_START = [("β″", "K1.aphi", None, "14222.4439199541138706"), ("θ″", "K2.aphi", "K1.aphi", "-10666.8329399655854029")]
ANDREWS_POSITION, ANDREWS_RATE = 1e-12, 1e-11

FOUR_BARS = 1e-10  # metres

PENDULUM = {  # t: position of the bob
    1: (-0.986291751131875319, -0.165010853125541169),
    10: (0.275087462576116860, -0.961419205099125064),
    100: (0.181513351427031385, -0.983388480334057505),
    2000: (-0.814603068589032152, -0.580018827836935462),
}

SLIDER_CRANK = {  # t: x of the piston and angle of the rod, each with four derivatives
    0.001: (
        (0.44747704874204953639, -5.0293189265715171864, -4963.0403515156298289, 198499.81126712612999, 196810469.41385008177),
        (-0.074788766819260443474, -74.36571100574710418, 1271.5175741276753148, 1283221.9744640596254, 34787567.870688738355),
    ),
    0.1: (
        (0.16974617650231903779, -8.7544686249773819339, 2166.9454029253682441, -175050.09839396049129, 7201622.4722899798825),
        (-0.3311639134648381762, 60.25032214593664943, 6487.959036484535544, -1540123.7269364051526, 55980510.359066351099),
    ),
}
SLIDER_CRANK_MODEL = """jounce = 1
name = "Slider-crank at 150 rad/s"
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.crank]
points = { O = [0, 0], A = [0.15, 0] }
[bodies.rod]
position = [0.15, 0]
points = { A = [0, 0], C = [0.30, 0] }
[bodies.piston]
position = [0.45, 0]
points = { C = [0, 0], F = [0.1, 0] }
[joints]
O = { type = "revolute", i = "ground.O", j = "crank.O" }
A = { type = "revolute", i = "crank.A", j = "rod.A" }
C = { type = "revolute", i = "rod.C", j = "piston.C" }
guide = { type = "translational", slot = ["ground.O", "ground.X"], slider = ["piston.C", "piston.F"] }
[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "150*t" }
"""


def four_bars(n):
    """n four-bar linkages side by side, upright, the tops moving at 1 m/s (IFToMM A02)."""
    feet = ", ".join(f"P{i} = [{i}, 0]" for i in range(n + 1))
    out = ["jounce = 1", f'name = "{n} four-bar linkages"', "gravity = [0, -9.81]", "[ground]", f"points = {{ {feet} }}"]
    rod = 'mass = 1\npoints = { A = [0, 0], B = [1, 0] }\nshape = { type = "bar", from = "A", to = "B" }'
    for i in range(n + 1):
        out += [f"[bodies.rod{i}]", rod, f"position = [{i}, 0]", 'angle = "90*deg"', "spin = -1"]
    for i in range(n):
        out += [f"[bodies.beam{i}]", rod, f"position = [{i}, 1]", "velocity = [1, 0]"]
    out.append("[joints]")
    for i in range(n + 1):
        out.append(f'foot{i} = {{ type = "revolute", i = "ground.P{i}", j = "rod{i}.A" }}')
    for i in range(n):
        out.append(f'left{i} = {{ type = "revolute", i = "rod{i}.B", j = "beam{i}.A" }}')
        out.append(f'right{i} = {{ type = "revolute", i = "beam{i}.B", j = "rod{i + 1}.B" }}')
    return "\n".join(out) + "\n"


def four_bars_angle(n, t_end):
    """θ of the exact motion, θ″ = −c cos θ, by power series of order 30 in steps of 0.02 s: truncation far below rounding."""
    c = 9.81 * ((n + 1) / 2 + n) / ((n + 1) / 3 + n)
    order, steps = 30, round(t_end / 0.02)
    h, theta, rate = t_end / steps, math.pi / 2, -1.0
    for _ in range(steps):
        a = [theta, rate]
        cosine, sine = [math.cos(theta)], [math.sin(theta)]
        for k in range(order - 1):
            a.append(-c * cosine[k] / ((k + 1) * (k + 2)))
            sine.append(math.fsum(i * a[i] * cosine[k + 1 - i] for i in range(1, k + 2)) / (k + 1))
            cosine.append(-math.fsum(i * a[i] * sine[k + 1 - i] for i in range(1, k + 2)) / (k + 1))
        theta = math.fsum(x * h**k for k, x in enumerate(a))
        rate = math.fsum(k * x * h ** (k - 1) for k, x in enumerate(a) if k)
    return theta


def andrews(page, program):
    model = MODELS / "andrews-squeezer/model.toml"
    table = program.table("dynamics", model, "--to", "0.03", "--steps", "1", "--tol", "1e-14")

    def ours(column, minus, row):
        return table[column][row] - (table[minus][row] if minus else 0)

    rows, digits = [], 99.0
    for name, column, minus, published, exact in ANDREWS:
        value, reference = ours(column, minus, -1), float(exact)
        off = abs(value - reference) / abs(reference)
        if name in "βθγφδΩε":
            digits = min(digits, -math.log10(max(off, 1e-17)))
        judged = page.judge(f"Andrews, {name}", off, ANDREWS_POSITION if name in "βθγφδΩε" else ANDREWS_RATE)
        rows.append(
            [
                name,
                published,
                f"{reference:.16g}",
                number(value, abs(value - reference)),
                error(abs(value - float(published)) / abs(reference)),
                *judged,
            ]
        )
    page.text(
        "### Andrews' squeezing mechanism at 0.03 s (IFToMM A03)",
        "",
        "Seven bodies, one degree of freedom: the best-known test of solvers for constrained mechanisms "
        "([model](../models/andrews-squeezer/card.md)). *Published*: Test Set for IVP Solvers, a run at tolerance 1e-14. "
        "*Exact*: four unrelated codes in extended precision agree on these digits, and differ from the published ones in "
        "the tenth digit of the angles, the eighth of the rates, the seventh of the acceleration. Errors are relative.",
        "",
        "```sh",
        "jounce dynamics models/andrews-squeezer/model.toml --to 0.03 --steps 1 --tol 1e-14",
        "```",
    )
    page.table(["", "published", "exact", "ours", "error against published", "error", "allowed"], rows)
    rows = []
    for name, column, minus, exact in ANDREWS_START:
        value = ours(column, minus, 0)
        rows.append(
            [
                name,
                exact,
                number(value, abs(value - float(exact))),
                *page.judge(f"Andrews, {name} at 0", abs(value / float(exact) - 1), 1e-12),
            ]
        )
    page.text(
        f"In the measure of the test set, scd = {math.floor(digits)}: so many digits are right in the worst of the seven angles. "
        "The accelerations at the start, which are published too:"
    )
    page.table(["", "published", "ours", "error", "allowed"], rows)


def pendulum(page, program):
    model = MODELS / "simple-pendulum/model.toml"
    rows = []
    for t, (x, y) in PENDULUM.items():
        table = program.table("dynamics", model, "--to", str(t), "--steps", "1", "--tol", "1e-14")
        ours = table["bob.x"][-1], table["bob.y"][-1]
        # rounding of each step is an error of the velocity, and what it shifts grows with time
        off = math.dist(ours, (x, y))
        rows.append(
            [
                f"{t} s",
                f"{number(x)}, {number(y)}",
                f"{number(ours[0], off)}, {number(ours[1], off)}",
                *page.judge(f"pendulum at {t} s", off, 1e-12 * max(1, t)),
            ]
        )
    page.text(
        "### Simple pendulum (IFToMM A01)",
        "",
        "A point mass of 1 kg on a rod of 1 m, from the horizontal at rest ([model](../models/simple-pendulum/card.md)). "
        "*Exact*: Jacobi's elliptic functions. 2000 s are 844 periods. Errors in metres.",
        "",
        "```sh",
        "jounce dynamics models/simple-pendulum/model.toml --to 2000 --steps 1 --tol 1e-14",
        "```",
    )
    page.table(["t", "exact x, y", "ours x, y", "error", "allowed"], rows)


def n_four_bars(page, program):
    rows = []
    for n in (1, 2, 5, 10, 20):
        theta = four_bars_angle(n, 10)
        x, y = math.cos(theta), math.sin(theta)
        if n == 2:  # two roads to the same digits
            page.judge("the exact angle of two four-bars", math.dist((x, y), (0.328458111540815379, 0.944518538178600962)), 1e-12)
        model = program.write(f"four-bars-{n}.toml", four_bars(n))
        table = program.table("dynamics", model, "--to", "10", "--steps", "1", "--tol", "1e-14")
        ours = table["rod0.B.x"][-1], table["rod0.B.y"][-1]
        off = math.dist(ours, (x, y))
        rows.append(
            [
                str(n),
                str(2 * n + 1),
                f"{number(x)}, {number(y)}",
                f"{number(ours[0], off)}, {number(ours[1], off)}",
                *page.judge(f"{n} four-bars", off, FOUR_BARS),
            ]
        )
    page.text(
        "### N four-bar linkages (IFToMM A02)",
        "",
        "N + 1 upright rods, joined at their tops by N rods, thrown over at 1 m/s. Each time they lie flat the mobility jumps from 1 to "
        "N + 1; the run goes through it on every swing. *Exact*: all upright rods keep one angle, θ″ = −9.81 cos θ "
        "((N + 1)/2 + N)/((N + 1)/3 + N), integrated by power series of order 30; for N = 2 it has the published digits "
        "0.328458111540815379, 0.944518538178600962. Shown is the top of the first rod at 10 s, errors in metres "
        "([the model for N = 2](../models/four-bars-2/card.md)).",
    )
    page.table(["N", "bodies", "exact x, y", "ours x, y", "error", "allowed"], rows)


def slider_crank(page, program):
    model = program.write("slider-crank.toml", SLIDER_CRANK_MODEL)
    table = program.table("kinematics", model, "--to", "0.1", "--steps", "100")
    rows = []
    for t, (piston, rod) in SLIDER_CRANK.items():
        for name, body, what, exact in (("piston x", "piston", "x", piston), ("rod β", "rod", "phi", rod)):
            for k, reference in enumerate(exact):
                value = table[f"{body}.{['', 'v', 'a', 'j', 's'][k]}{what}"][row_at(table, t)]
                # what enters a derivative is of the size 150 times the one below it
                scale = max(abs(x) * 150.0 ** (k - i) for i, x in enumerate(exact[: k + 1]))
                judged = page.judge(f"slider-crank, {name}, derivative {k} at {t}", abs(value - reference) / scale, 1e-12)
                rows.append([f"{t} s", name + "′" * k, number(reference), number(value, abs(value - reference)), *judged])
    page.text(
        "### Slider-crank at 150 rad/s, position to snap",
        "",
        "Crank 0.15 m, rod 0.30 m, uniform speed; the closed form differentiated in extended precision. Errors relative to the size of "
        "what enters: the largest derivative times 150 rad/s to the difference of the orders.",
    )
    page.table(["t", "", "exact", "ours", "error", "allowed"], rows)


# ---- reference cases in space -----------------------------------------------------------------------------------------------


def pitch(table, row, joint):
    """The angle about −y of a body on a free joint."""
    return -2 * math.atan2(table[joint + ".q3"][row], table[joint + ".q1"][row])


def space_cases(page, program):
    cases = json.loads((ROOT / "tests/data/spatial-cases.json").read_text())
    runs = {}

    def run(model):
        if model not in runs:
            command = tomllib.loads((MODELS / model / "model.toml").read_text())["run"]["analysis"]
            runs[model] = program.table(
                command, MODELS / model / "model.toml", *(["--tol", TIGHT] if command == "dynamics" else [])
            )
        return runs[model]

    rows = []

    def row(model, what, t, exact, value, allowed):
        judged = page.judge(f"{model}: {what}", abs(value - exact) / max(1, abs(exact)), allowed)
        rows.append([f"[{model}](../models/{model}/card.md)", what, t, number(exact), number(value, abs(value - exact)), *judged])

    def column(model, what, name, t, exact, allowed=1e-10, sign=1, minus=None):
        table = run(model)
        at = row_at(table, t)
        row(model, what, f"{t:g} s", exact, sign * table[name][at] + (table[minus][at] if minus else 0), allowed)

    c = cases["double_pendulum_t5"]["ref"]
    column("space-double-pendulum", "upper angle", "shoulder.q1", 5, c[0])
    column("space-double-pendulum", "lower angle", "elbow.q1", 5, c[1], minus="shoulder.q1")
    c = cases["elastic_pendulum_t4"]
    for what, name, exact in zip(
        ("angle", "length", "angular rate", "rate of the length"),
        ("pivot.q1", "coil.q1", "pivot.v1", "coil.v1"),
        c["ref_theta_r_thetadot_rdot"],
    ):
        column("elastic-pendulum", what, name, 4, exact)
    rest = program.json("equilibrium", MODELS / "elastic-pendulum/model.toml")
    row("elastic-pendulum", "length at rest", "at rest", c["r_eq"], rest["row"]["coil.q1"], 1e-12)
    row("elastic-pendulum", "frequency of the swing, rad/s", "at rest", c["w_pend"], rest["modes"][0]["omega"], 1e-12)
    row("elastic-pendulum", "frequency of the spring, rad/s", "at rest", c["w_spring"], rest["modes"][1]["omega"], 1e-12)
    table = run("two-link-cat")
    row(
        "two-link-cat",
        "angle after a full bend",
        "2 s",
        cases["two_body_full_turn"]["exact_dtheta1"],
        pitch(table, -1, "fall"),
        1e-10,
    )
    table = run("three-link-cat")
    row(
        "three-link-cat",
        "angle after a loop of bends",
        "2π s",
        cases["three_rods_loop"]["phase"],
        pitch(table, -1, "fall"),
        1e-10,
    )
    c = cases["rail_swimmer"]
    column("cart-swinger", "place of the cart", "rail.q1", 3, c["x3"])
    column("cart-swinger", "torque of the motor", "hinge.tau1", 3, c["torque_t3"])
    column("cart-swinger", "what the rail carries", "rail.fz", 3, c["rail_normal_t3"])
    for i, exact in enumerate(cases["symmetric_top"]["w"]):
        column("thrown-top", f"angular rate {i + 1}, body axes", f"flight.v{i + 1}", 5, exact)
    for i, exact in enumerate(cases["asymmetric_top"]["w"]):
        column("asymmetric-top", f"angular rate {i + 1}, body axes", f"pivot.v{i + 1}", 4, exact)
    column("screw-nut", "angular acceleration", "thread.a1", 0, cases["helical_nut"]["qdd"], 1e-12)
    column("damped-torsion", "angle", "bar.q1", 3, cases["damped_torsion"]["q3"])
    for theta, ratio in zip(cases["hooke_joint"]["theta"], cases["hooke_joint"]["ratio"]):
        hooke_row(row, run("hooke-joint"), theta, ratio)
    for name, exact in zip(("O", "A", "Q"), cases["fourbar_parallelogram"]["qdd_exact"]):
        column("space-parallelogram", f"acceleration of hinge {name}", f"{name}.a1", 0, exact, 1e-11)
    c = cases["fourbar_general"]
    for i, name in enumerate(("O", "A", "Q")):
        column("space-four-bar", f"acceleration of hinge {name}", f"{name}.a1", 0, c["qdd0"][i], 1e-11)
    column("space-four-bar", "crank angle", "O.q1", 3, c["ref_q1_t3"][0], 1e-9)
    column("space-four-bar", "crank rate", "O.v1", 3, c["ref_q1_t3"][1], 1e-9)
    page.text(
        "## Reference cases in space",
        "",
        "Closed forms, and integrations in extended precision with equations written by hand (`tests/data/spatial-cases.json`); the "
        "model of each is in `models`. Errors relative, or absolute below 1; runs at a tolerance of " + TIGHT + " per step.",
    )
    page.table(["model", "quantity", "t", "exact", "ours", "error", "allowed"], rows)


def hooke_row(row, table, theta, ratio):
    """Speed of the output over that of the input; the model turns at 2 rad/s, and its angle is an output time every 0.02 rad."""
    at = row_at(table, theta / 2)
    speed = math.hypot(*(table[f"output.w{a}"][at] for a in "xyz")) / table["shaft.v1"][at]
    row("hooke-joint", f"ratio of the speeds at {theta:g} rad", f"{theta / 2:g} s", ratio, speed, 1e-12)
