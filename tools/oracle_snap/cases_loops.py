"""Models with loops and couplings. `held`: the passive dofs that are free to choose; the others are computed so that the loops
close, and written into the model with 17 digits."""

from cases_trees import LUMP, body, coupling, force, joint, loop, model

LOOPS = {}


def linkage(name, command, sentence, *parts, held=(), times=(0,), **keys):
    LOOPS[name] = dict(model=model(name, *parts, **keys), command=command, about=sentence, held=list(held), times=list(times))


def both(name, sentence, crank, speed, motion, *parts, times=(0, 0.3), **keys):
    """The same linkage driven (inverse) and free (dynamics). `crank`: arguments of the joint that drives; `speed`: (q, v) of the
    free one."""
    linkage(name, "inverse", sentence + ", driven", joint(*crank[0], **crank[1], dofs=f'[ {{ motion = "{motion}" }} ]'), *parts, times=times, **keys)
    linkage(name + "-free", "dynamics", sentence + ", free", joint(*crank[0], **crank[1], q=f"[{speed[0]}]", v=f"[{speed[1]}]"), *parts,
            held=[crank[0][0]], **keys)


GROUND = "[ground]\npoints = {{ {} }}\n"
LAW = "0.9 + 1.4*t + 0.2*sin(3*t)"
CRANK = (("crank", "revolute", "ground", "arm"), {"origin": "{ rpy = [0, 0, 0] }"})
ARM = body("arm", 0.9, (0.1, 0.02, 0.01), LUMP, "A = [0.2, 0, 0]")

# --- couplings

linkage("geared-hinges", "dynamics", "two hinged arms geared to each other",
        body("one", 1.2, (0.1, 0.05, -0.1), LUMP), body("two", 0.8, (0.1, 0, 0.05), LUMP, "P = [0.3, 0, 0]"),
        joint("first", "revolute", "ground", "one", axis="[0, 1, 0]", q="[0.4]", v="[1.2]", dofs='[ { torque = "0.5*sin(2*t)" } ]'),
        joint("second", "revolute", "one", "two", origin="{ xyz = [0.3, 0, 0] }", axis="[0, 1, 0.3]", q="[-0.6]", v="[-2.4]", dofs="[ { damping = 0.1 } ]"),
        coupling("gear", "first", "second", -2.0, 0.2), held=["first"])
linkage("geared-wrist", "inverse", "a coupling that turns into a slide, and one between dofs of a universal joint; driven",
        body("one", 1.2, (0.1, 0.05, -0.1), LUMP), body("two", 0.8, (0.1, 0, 0.05), LUMP), body("three", 0.5, (0.05, 0.1, 0.05), LUMP, "P = [0.3, 0, 0]"),
        joint("motor", "revolute", "ground", "one", dofs='[ { motion = "0.8*t + 0.3*sin(4*t)" } ]'),
        joint("rack", "prismatic", "one", "two", origin="{ xyz = [0.2, 0, 0] }", axis="[1, 0, 0.2]", q="[0.1]"),
        joint("wrist", "universal", "two", "three", origin="{ xyz = [0.1, 0, 0] }", q="[0.3, 0]"),
        coupling("drive", "motor", "rack", 0.15, 0.1), coupling("bevel", "motor", "wrist.1", 1.5, 0.3), coupling("twin", "wrist.1", "wrist.2", -0.5),
        times=(0, 0.4))

# --- plane linkages in space, more equations than needed

FOUR_BAR = [
    "[ground]\npoints = { Q = { xyz = [1.0, 0, 0], rpy = [0, 0, 0] } }\n",
    body("crank", 0.3, (0.15, 0, 0), (0.0004, 0.00225, 0.00225, 0, 0, 0)),
    body("coupler", 0.9, (0.45, 0, 0), (0.0006, 0.06075, 0.06075, 0, 0, 0), "B = { xyz = [0.9, 0, 0] }, M = [0.4, 0.3, 0]"),
    body("rocker", 0.7, (0.35, 0, 0), (0.0005, 0.0285, 0.0285, 0, 0, 0), "B2 = { xyz = [0.7, 0, 0] }")]
FOUR_BAR_JOINTS = [
    joint("A", "revolute", "crank", "coupler", origin="{ xyz = [0.3, 0, 0] }", q="[-0.54]"),
    joint("Q", "revolute", "ground", "rocker", origin="{ xyz = [1.0, 0, 0] }", q="[1.66]"),
    loop("closure", "revolute", "coupler.B", "rocker.B2")]
linkage("four-bar", "inverse", "a plane four-bar closed by a hinge in space: three surplus equations; vectors' polygon in the plane",
        *FOUR_BAR, joint("O", "revolute", "ground", "crank", dofs='[ { motion = "60*deg + 2*t + 0.3*sin(3*t)" } ]'), *FOUR_BAR_JOINTS,
        times=(0, 0.3), gravity="[0, -9.81, 0]")
linkage("four-bar-free", "dynamics", "the same, free, with a damped rocker; one equation of motion of the crank angle",
        *FOUR_BAR, joint("O", "revolute", "ground", "crank", q='["60*deg"]', v="[2.0]"), *FOUR_BAR_JOINTS,
        held=["O"], gravity="[0, -9.81, 0]")
linkage("slider-crank", "kinematics", "the slider-crank of tests/data/planar.json, mechanism 1, in a tilted plane",
        '[ground]\npoints = { O = { xyz = [0, 0, 0], rpy = ["90*deg", 0, 0] } }\n',
        '[bodies.crank]\n[bodies.rod]\n[bodies.slider]\npoints = { S = { xyz = [0, 0, 0] } }\n',
        joint("O", "revolute", "ground", "crank", origin='{ rpy = ["90*deg", 0, 0] }', dofs='[ { motion = "0.3 + 1.5*t + 0.2*sin(2*t)" } ]'),
        joint("A", "revolute", "crank", "rod", origin="{ xyz = [0.25, 0, 0] }", q="[-0.4]"),
        joint("B", "revolute", "rod", "slider", origin="{ xyz = [0.75, 0, 0] }", q="[0.1]"),
        loop("guide", "prismatic", "ground.O", "slider.S", axis="[1, 0, 0]"), times=(0, 0.4))

# --- linkages that move because of their proportions

linkage("hooke", "inverse", "Hooke's joint; tan(output) = tan(input) / cos(bend) differentiated",
        "[parameters]\nbend = 0.5\n", '[ground]\npoints = { P = { xyz = [0, 0, 0], rpy = [0, "bend", 0] } }\n',
        body("input", 1.2, (0, 0, -0.1), (0.006, 0.006, 0.004, 0, 0, 0)), body("output", 0.9, (0, 0, 0.1), (0.005, 0.005, 0.01, 0, 0, 0), "P = [0, 0, 0]"),
        joint("shaft", "revolute", "ground", "input", dofs='[ { motion = "0.4 + 2*t + 0.3*sin(2*t)" } ]'),
        joint("cross", "universal", "input", "output", q='[0.2, 0.45]'),
        loop("bearing", "revolute", "ground.P", "output.P"),
        force("brake", "moment", on='"output"', value='["-1.5*sin(bend)", 0, "-1.5*cos(bend)"]'), times=(0, 0.3), gravity="[0, 0, 0]")

BENNETT = [
    '[parameters]\na = 0.5\nalpha = 0.6\nbeta = 1.2\nb = "a*sin(beta)/sin(alpha)"\n',
    '[ground]\npoints = { P = { xyz = ["-b", 0, 0], rpy = ["-beta", 0, 0] } }\n',
    body("l1", 1.0, (0.25, 0.0, 0.02), (0.0202, 0.0209, 0.0219, 0, 0, 0)),
    body("l2", 1.5, (0.41, 0.01, 0.0), (0.0203, 0.0853, 0.0853, 0, 0, 0), "M = [0.3, 0.1, 0.2]"),
    body("l3", 0.7, (0.25, 0.0, -0.01), (0.0114, 0.0146, 0.0146, 0, 0, 0), 'E = { xyz = ["a", 0, 0], rpy = ["alpha", 0, 0] }')]
BENNETT_JOINTS = [
    joint("J2", "revolute", "l1", "l2", origin='{ xyz = ["a", 0, 0], rpy = ["alpha", 0, 0] }', q="[-1.1]"),
    joint("J3", "revolute", "l2", "l3", origin='{ xyz = ["b", 0, 0], rpy = ["beta", 0, 0] }', q="[2.68]"),
    loop("J4", "revolute", "l3.E", "ground.P")]
linkage("bennett", "inverse", "Bennett's linkage; tan(q1/2) tan(q2/2) is constant",
        *BENNETT, joint("J1", "revolute", "ground", "l1", dofs='[ { motion = "3.6 + 1.5*t + 0.2*sin(4*t)" } ]'), *BENNETT_JOINTS,
        gravity="[0.5, -9.81, 1.0]", times=(0, 0.3))
linkage("bennett-free", "dynamics", "Bennett's linkage, free, with a damper",
        *BENNETT, joint("J1", "revolute", "ground", "l1", q="[3.6]", v="[1.5]", dofs="[ { damping = 0.3 } ]"), *BENNETT_JOINTS,
        gravity="[0.5, -9.81, 1.0]", held=["J1"])


def bricard(driven, twist, tilted):
    """A ring of six equal bars whose twists alternate in sign; the ground is the last one."""
    signs = [1, -1, 1, -1, 1]
    parts = [f'[ground]\npoints = {{ P = {{ xyz = [-0.5, 0, 0], rpy = ["{twist}", 0, 0] }} }}\n']
    for k in range(5):
        parts.append(body(f"l{k + 1}", 1.0, (0.25, 0.02, 0.01), (0.01, 0.03, 0.03, 0, 0, 0),
                          f'E = {{ xyz = [0.5, 0, 0], rpy = ["{twist}", 0, 0] }}' if k == 4 else ""))
    for k in range(5):
        keys = dict(q=f"[{tilted[k % 2]}]")
        if k == 0:
            keys = dict(dofs='[ { motion = "%s + 0.8*t - 0.3*t^3" } ]' % tilted[0]) if driven else dict(q=f"[{tilted[0]}]", v="[1.0]")
        else:
            keys["origin"] = f'{{ xyz = [0.5, 0, 0], rpy = ["{signs[k - 1]}*{twist}", 0, 0] }}'
        parts.append(joint(f"h{k + 1}", "revolute", "ground" if k == 0 else f"l{k}", f"l{k + 1}", **keys))
    return parts + [loop("h6", "revolute", "l5.E", "ground.P")]


linkage("bricard", "inverse", "Bricard's ring with right angles; cos a + cos b + cos a cos b = 0",
        *bricard(True, "pi/2", ("1.3", "1.9")), times=(0, 0.2))
linkage("bricard-threefold-free", "dynamics", "Bricard's threefold symmetric ring with twists of 1 rad, free",
        *bricard(False, "1.0", ("0.5", "-2.34")), held=["h1"])

# --- one loop of each type; the tree has one dof more than the loop has equations

COUPLER = body("rod", 0.5, (0.3, 0.01, 0.02), LUMP, "B = { xyz = [0.6, 0, 0], rpy = [0.2, 0.1, 0.3] }, M = [0.3, 0.1, 0]")
ROCKER = body("rocker", 0.8, (0.2, 0.02, 0), LUMP, "B = { xyz = [0.4, 0, 0], rpy = [0.1, -0.2, 0.4] }")
SWING = joint("swing", "revolute", "ground", "rocker", origin="{ xyz = [0.5, 0.3, 0.1], rpy = [0.5, 0.4, 0.2] }", q="[1.2]")
AT_A = "{ xyz = [0.2, 0, 0] }"

both("rssr", "crank and rocker joined by a rod with balls, one of them a universal joint; the distance of the balls, a quadratic in the tangent of half the output",
     CRANK, ("0.9", "2.0"), LAW, ARM, COUPLER, ROCKER, SWING,
     joint("near", "universal", "arm", "rod", origin=AT_A, q="[0.2, -0.3]"), loop("far", "spherical", "rod.B", "rocker.B"))
linkage("rssr-balls-free", "dynamics", "the same with a ball at either end: the rod's turn about itself is free, and starts from the rate that is written",
        joint("crank", "revolute", "ground", "arm", q="[0.9]", v="[2.0]"), ARM, COUPLER, ROCKER, SWING.replace("q = [1.2]", "q = [1.2]\nv = [0]"),
        joint("near", "spherical", "arm", "rod", origin=AT_A, q="[1, 0, 0, 0]", v="[0.4, 0, 0]"), loop("far", "spherical", "rod.B", "rocker.B"),
        held=["crank", "near"])
both("rssr-rod", "the same with the rod as a distance loop, without mass", CRANK, ("0.9", "2.0"), LAW, ARM, ROCKER, SWING,
     loop("rod", "distance", "arm.A", "rocker.B", length="0.6"))
for _name in ("rssr-rod", "rssr-rod-free"):
    LOOPS[_name]["needs"] = "loops of type distance"
THIN = body("rod", 0.5, (0.3, 0, 0), (0, 0.015, 0.015, 0, 0, 0), "B = [0.6, 0, 0]")
linkage("rssr-idle", "inverse", "a thin rod with a ball at either end, driven: its turn about itself is idle, and no column here depends on it; computed "
        "with a universal joint in the place of one ball",
        joint("crank", "revolute", "ground", "arm", dofs=f'[ {{ motion = "{LAW}" }} ]'), ARM, THIN, ROCKER, SWING,
        joint("near", "universal", "arm", "rod", origin=AT_A, q="[0.2, -0.3]"), loop("far", "spherical", "rod.B", "rocker.B"), times=(0, 0.3))
linkage("rssp-idle", "inverse", "a thin rod with balls between a crank and a slider, driven: as rssr-idle",
        joint("crank", "revolute", "ground", "arm", dofs=f'[ {{ motion = "{LAW}" }} ]'), ARM, THIN,
        body("slider", 0.8, (0.05, 0.02, 0), LUMP, "B = [0.05, 0, 0]"),
        joint("rail", "prismatic", "ground", "slider", origin="{ xyz = [0.5, 0.3, 0.1], rpy = [0.5, 0.4, 0.2] }", axis="[1, 0.2, 0]", q="[0.1]"),
        joint("near", "universal", "arm", "rod", origin=AT_A, q="[0.2, -0.3]"), loop("far", "spherical", "rod.B", "slider.B"), times=(0, 0.3))
for _name, _moved in (("rssr-idle", ("swing.", "rocker.")), ("rssp-idle", ("rail.", "slider."))):
    LOOPS[_name].update(needs="idle freedoms", ball="near", columns=("crank.", "arm.", "near.f", "near.m", "far.", *_moved, "rod.B."))

both("rsur", "a rod on a ball, closed by a universal loop", CRANK, ("0.9", "2.0"), LAW, ARM, COUPLER.replace("[0.2, 0.1, 0.3]", "[0.3, 0.4, -1.3]"),
     ROCKER, SWING,
     joint("near", "spherical", "arm", "rod", origin=AT_A, q='["cos(0.1)", 0, "sin(0.1)", 0]'), loop("far", "universal", "rod.B", "rocker.B"))
linkage("rusr-gimbal", "inverse", "a rod on a universal joint, closed by a gimbal loop",
        joint("crank", "revolute", "ground", "arm", dofs=f'[ {{ motion = "{LAW}" }} ]'), ARM, COUPLER, ROCKER, SWING,
        joint("near", "universal", "arm", "rod", origin=AT_A, q="[0.2, -0.3]"), loop("far", "gimbal", "rod.B", "rocker.B"), times=(0, 0.2))

SLIDER = body("slider", 0.8, (0.05, 0.02, 0), LUMP, "S = { xyz = [0.05, 0, 0], rpy = [0.1, -0.2, 0.4] }")
RAIL = GROUND.format("R = { xyz = [0.5, 0.3, 0.1], rpy = [0.5, 0.4, 0.2] }")
NEAR = joint("near", "universal", "arm", "rod", origin=AT_A, q="[0.2, 0.5]")
FAR = joint("far", "spherical", "rod", "slider", origin="{ xyz = [0.6, 0, 0] }", q="[1, 0, 0, 0]")
both("rusp", "a slider on a skew rail, closed by a prismatic loop; the distance of the ends of the rod", CRANK, ("0.9", "2.0"), LAW,
     RAIL, ARM, COUPLER, SLIDER, NEAR, FAR, loop("rail", "prismatic", "ground.R", "slider.S", axis="[1, 0.2, 0]"))
linkage("rush", "inverse", "a nut on a skew screw, closed by a helical loop",
        joint("crank", "revolute", "ground", "arm", dofs=f'[ {{ motion = "{LAW}" }} ]'),
        RAIL, ARM, COUPLER, SLIDER, NEAR, FAR, loop("thread", "helical", "ground.R", "slider.S", axis="[1, 0.2, 0]", pitch="0.3"), times=(0, 0.2))
both("rccc", "a linkage with three cylindrical joints, one of them the loop; its turns are those of a four-bar on the sphere", CRANK, ("0.9", "2.0"), LAW,
     GROUND.format("R = { xyz = [0.3, 0.4, -0.2], rpy = [1.0, 0.2, 0.5] }"),
     body("arm", 0.9, (0.1, 0.02, 0.01), LUMP), body("link", 0.5, (0.3, 0.01, 0.02), LUMP, "M = [0.3, 0.1, 0]"),
     body("lever", 0.8, (0.2, 0.02, 0), LUMP, "R = { xyz = [0.4, 0, 0.1], rpy = [0.9, -0.2, 0.4] }"),
     joint("c1", "cylindrical", "arm", "link", origin="{ xyz = [0.2, 0.1, 0], rpy = [0.6, 0.3, 0] }", q="[0.5, 0.1]"),
     joint("c2", "cylindrical", "link", "lever", origin="{ xyz = [0.4, 0, 0.1], rpy = [1.1, 0, 0.2] }", q="[1.0, 0.1]"),
     loop("c3", "cylindrical", "lever.R", "ground.R"))
linkage("flat-foot", "inverse", "a plate that stays flat on a plane while a telescopic crank moves it, closed by a planar loop",
        joint("crank", "revolute", "ground", "arm", dofs=f'[ {{ motion = "{LAW}" }} ]'),
        GROUND.format("R = { xyz = [0, 0, -0.1], rpy = [0.3, 0.4, 0.2] }"), ARM, body("leg", 0.4, (0.02, 0, -0.1), LUMP),
        body("plate", 0.8, (0.05, 0.02, 0.1), LUMP, "S = { xyz = [0.05, 0, -0.2] }"),
        joint("slide", "prismatic", "arm", "leg", origin=AT_A, axis="[0.2, 0.1, 1]", q="[0.1]"),
        joint("rings", "gimbal", "leg", "plate", q="[0.1, 0.4, 0.3]", dofs='[ { motion = "0.1 + t^2" }, {}, {} ]'), loop("floor", "planar", "ground.R", "plate.S"),
        force("push", "force", on='"plate.S"', value='["3*sin(2*t)", 1, 0]'), times=(0, 0.2))
linkage("swung-tray", "inverse", "a tray on a gimbal of the crank that never turns, closed by a translation loop",
        joint("crank", "revolute", "ground", "arm", axis="[0.2, 0.3, 1]", dofs=f'[ {{ motion = "{LAW}" }} ]'),
        GROUND.format("R = { xyz = [0, 0, -0.1], rpy = [0.3, 0.4, 0.2] }"), ARM, body("tray", 0.8, (0.05, 0.02, 0.1), LUMP, "S = { xyz = [0.05, 0, -0.2] }"),
        joint("rings", "gimbal", "arm", "tray", origin=AT_A, q="[-0.9, 0.4, 0.3]"), loop("level", "translation", "ground.R", "tray.S"), times=(0, 0.2))


def seven_hinges():
    """A general ring of seven hinges, the last link welded to the ground."""
    parts, guess = [GROUND.format("W = { xyz = [0.3, -0.06, 0.44], rpy = [0.6, 1.3, -0.3] }")], [0, 0.5, -0.9, 0.8, -0.6, 0.7, 0.4]
    twists = [0.9, -1.1, 1.3, 0.7, -0.8, 1.2]
    for k in range(7):
        parts.append(body(f"l{k + 1}", 0.6, (0.1, 0.02, 0.01), LUMP, "W = [0.1, 0.05, 0]" if k == 6 else ""))
        keys = dict(q=f"[{guess[k]}]", origin=f"{{ xyz = [0.25, 0.02, 0.05], rpy = [{twists[k - 1]}, 0.1, 0.2] }}")
        if k == 0:
            keys = dict(dofs='[ { motion = "0.3*sin(2*t) + 0.2*t" } ]')
        parts.append(joint(f"h{k + 1}", "revolute", "ground" if k == 0 else f"l{k}", f"l{k + 1}", **keys))
    return parts + [loop("weld", "fixed", "ground.W", "l7.W")]


linkage("seven-hinges", "inverse", "a general ring of seven hinges closed by a weld", *seven_hinges(), times=(0, 0.2))
both("odd-loop", "crank, two hinged links and a ball, closed by a custom loop of two screws", CRANK, ("0.9", "2.0"), LAW,
     GROUND.format("R = { xyz = [0.5, 0.3, 0.1], rpy = [0.5, 0.4, 0.2] }"), ARM, body("link", 0.5, (0.1, 0.01, 0.02), LUMP),
     body("end", 0.4, (0.1, 0.01, 0.02), LUMP, "S = { xyz = [0.3, 0, 0], rpy = [0, 0.2, 0.1] }"),
     joint("second", "revolute", "arm", "link", origin="{ xyz = [0.2, 0, 0], rpy = [0.7, 0.2, 0] }", q="[0.4]"),
     joint("ball", "spherical", "link", "end", origin="{ xyz = [0.3, 0, 0.05] }", q="[1, 0, 0, 0]"),
     loop("odd", "custom", "ground.R", "end.S", screws="[[0.3, 0.2, 1, 0, 0.1, 0.1], [1, 0, 0.2, 0.2, 0, 0.1]]"), times=(0, 0.15))


def platform():
    """Six legs, each a universal joint, a slide and a ball loop, under a platform that floats."""
    from math import cos, pi, sin
    low = [2 * pi * (k // 2) / 3 + (0.25 if k % 2 else -0.25) for k in range(6)]
    high = [2 * pi * ((k + 1) // 2) / 3 + pi / 3 + (0.2 if k % 2 == 0 else -0.2) - 2 * pi / 3 for k in range(6)]
    tops = ", ".join(f"T{k + 1} = [{0.3 * cos(a):.3f}, {0.3 * sin(a):.3f}, -0.02]" for k, a in enumerate(high))
    parts = [body("top", 5.0, (0.01, 0.02, 0.03), (0.2, 0.21, 0.3, 0.01, 0, 0.02), tops)]
    for k, a in enumerate(low):
        parts += [body(f"tube{k + 1}", 0.6, (0, 0, 0.2), (0.02, 0.02, 0.001, 0, 0, 0)),
                  body(f"piston{k + 1}", 0.4, (0, 0, -0.15), (0.01, 0.01, 0.0005, 0, 0, 0), "E = [0, 0, 0]")]
    parts.append(joint("float", "free", "ground", "top", q="[1, 0, 0, 0, 0.02, -0.01, 0.6]"))
    for k, a in enumerate(low):
        x, y = 0.5 * cos(a), 0.5 * sin(a)
        dx, dy, dz = 0.02 + 0.3 * cos(high[k]) - x, -0.01 + 0.3 * sin(high[k]) - y, 0.58
        from math import asin, atan2, sqrt
        size = sqrt(dx * dx + dy * dy + dz * dz)
        q2, q1 = asin(dx / size), atan2(-dy, dz)
        law = f"{size:.4f} + 0.03*sin({1.5 + 0.3 * k:.1f}*t + 0.2) - 0.006"
        parts += [joint(f"foot{k + 1}", "universal", "ground", f"tube{k + 1}", origin=f"{{ xyz = [{x:.3f}, {y:.3f}, 0] }}", q=f"[{q1:.4f}, {q2:.4f}]"),
                  joint(f"leg{k + 1}", "prismatic", f"tube{k + 1}", f"piston{k + 1}", dofs=f'[ {{ motion = "{law}" }} ]'),
                  loop(f"ball{k + 1}", "spherical", f"piston{k + 1}.E", f"top.T{k + 1}")]
    return parts


linkage("six-legs", "inverse", "a Stewart platform with six driven legs", *platform())
LOOPS["six-legs"]["columns"] = ("top.", "leg1.", "foot1.", "ball1.", "piston2.", "float.")
