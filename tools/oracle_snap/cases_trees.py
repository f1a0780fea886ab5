"""Models of trees: every joint type, prescribed dofs, springs, dampers, loads."""

HEAD = 'jounce = 1\nname = "{name}"\nspace = "3d"\ngravity = {gravity}\n'


def body(name, mass=1.0, com=(0, 0, 0), inertia=(0.03, 0.04, 0.05, 0, 0, 0), points=""):
    lines = [f"[bodies.{name}]", f"mass = {mass}", f"com = {list(com)}", f"inertia = {list(inertia)}"]
    if points:
        lines.append("points = { " + points + " }")
    return "\n".join(lines) + "\n"


def joint(name, kind, parent, child, **keys):
    lines = [f"[joints.{name}]", f'type = "{kind}"', f'parent = "{parent}"', f'child = "{child}"']
    return "\n".join(lines + [f"{key} = {value}" for key, value in keys.items()]) + "\n"


def force(name, kind, **keys):
    return "\n".join([f"[forces.{name}]", f'type = "{kind}"'] + [f"{key} = {value}" for key, value in keys.items()]) + "\n"


def loop(name, kind, i, j, **keys):
    return "\n".join([f"[loops.{name}]", f'type = "{kind}"', f'i = "{i}"', f'j = "{j}"']
                     + [f"{key} = {value}" for key, value in keys.items()]) + "\n"


def coupling(name, i, j, ratio, offset=0):
    return f'[couplings.{name}]\ni = "{i}"\nj = "{j}"\nratio = {ratio}\noffset = {offset}\n'


def model(name, *parts, gravity="[0.4, -0.3, -9.81]"):
    return HEAD.format(name=name, gravity=gravity) + "\n" + "\n".join(parts)


LUMP = (0.031, 0.042, 0.055, 0.004, -0.006, 0.003)             # a body without symmetry

TREES = {}


def tree(name, command, sentence, *parts, times=(0,), **keys):
    TREES[name] = dict(model=model(name, *parts, **keys), command=command, about=sentence, times=list(times))


tree("pendulum", "dynamics", "a physical pendulum about a horizontal hinge; theta'' = -m g d sin(theta) / I differentiated",
     body("bob", 1.7, (0, 0, -0.4), (0.02, 0.02, 0.01, 0, 0, 0), "tip = [0, 0, -0.6]"),
     joint("hinge", "revolute", "ground", "bob", axis="[0, 1, 0]", q="[0.7]", v="[1.3]"), gravity="[0, 0, -9.81]", times=(0, 0.25))
tree("skew-hinge", "dynamics", "a lump without symmetry on a hinge that is skew to gravity, with a spring, a damper and a torque",
     body("bob", 1.3, (0.1, -0.2, -0.3), LUMP, "tip = [0.2, 0, -0.6]"),
     joint("hinge", "revolute", "ground", "bob", origin="{ xyz = [0.1, 0.2, 0.3], rpy = [0.3, -0.4, 0.8] }", axis="[0.3, 1, -0.5]", q="[0.7]",
           v="[1.3]", dofs='[ { stiffness = 2.5, rest = 0.1, damping = 0.2, torque = "0.8*sin(3*t + 0.4)" } ]'))
tree("spherical-pendulum", "dynamics", "a point mass on a universal joint; Lagrange's equations of the two angles differentiated",
     body("bob", 0.8, (0, 0, -0.5), (0, 0, 0, 0, 0, 0), "tip = [0, 0, -0.5]"),
     joint("hook", "universal", "ground", "bob", q="[0.6, 0.4]", v="[1.1, -0.7]"), gravity="[0, 0, -9.81]")
tree("ball-pendulum", "dynamics", "a lump on a ball",
     body("bob", 1.3, (0.1, -0.2, -0.3), LUMP, "tip = [0.2, 0, -0.6]"),
     joint("ball", "spherical", "ground", "bob", origin="{ xyz = [0.1, 0.2, 0.3], rpy = [0.3, -0.4, 0.8] }", q="[0.8, 0.36, -0.48, 0]",
           v="[1.3, -0.6, 0.9]"), times=(0, 0.1))
tree("euler-top", "dynamics", "a free body without loads; Euler's equations with Jacobi's elliptic functions",
     body("stone", 1.4, (0, 0, 0), (0.02, 0.035, 0.05, 0, 0, 0), "ear = [0.1, 0.05, -0.02]"),
     joint("air", "free", "ground", "stone", q="[0.8, 0.36, -0.48, 0, 0.3, -0.2, 0.5]", v="[2.0, 0.5, 3.0, 0.4, -0.3, 0.2]"),
     gravity="[0, 0, 0]", times=(0, 0.2))
tree("thrown-lump", "dynamics", "a free body with its centre of mass off its origin, in gravity, pushed by a force that turns with it",
     body("stone", 1.4, (0.05, 0.1, -0.08), LUMP, "ear = [0.1, 0.05, -0.02]"),
     joint("air", "free", "ground", "stone", q="[0.8, 0.36, -0.48, 0, 0.3, -0.2, 0.5]", v="[2.0, 0.5, 3.0, 0.4, -0.3, 0.2]"),
     force("jet", "force", on='"stone.ear"', value='["0.6*cos(2*t)", 0.2, "0.3*t"]', frame='"body"'))
tree("heavy-top", "dynamics", "a symmetric top on its foot, nutating; the cubic of the cosine of its lean, from energy and two momenta",
     body("top", 0.5, (0, 0, 0.08), (0.00045, 0.00045, 0.0009, 0, 0, 0), "rim = [0.06, 0, 0.08], nose = [0, 0, 0.1]"),
     joint("foot", "spherical", "ground", "top", q='["cos(0.3)", 0, "sin(0.3)", 0]', v="[1.0, 2.0, 60.0]"), gravity="[0, 0, -9.81]",
     times=(0, 0.02))
tree("gimbal-lump", "dynamics", "a lump in three rings with springs, dampers and torques",
     body("bob", 1.3, (0.1, -0.2, -0.3), LUMP),
     joint("rings", "gimbal", "ground", "bob", q="[0.5, -0.4, 0.8]", v="[1.2, -0.9, 0.4]",
           dofs='[ { stiffness = 1.5, rest = 0.2, damping = 0.1 }, { torque = "0.5*exp(-t)" }, { damping = 0.3, stiffness = 0.7 } ]'))
tree("slide", "dynamics", "a block on an inclined slide with a spring, a damper and a force that grows with time",
     body("block", 1.9, (0.03, 0.02, 0.05), LUMP, "P = [0.1, 0, 0]"),
     joint("rail", "prismatic", "ground", "block", axis="[1, 0.4, -0.6]", q="[0.2]", v="[0.9]",
           dofs='[ { stiffness = 40, rest = 0.05, damping = 1.2 } ]'),
     force("push", "force", on='"block.P"', value='["2*t + t^3", "sin(4*t)", 1]'))
tree("screw", "dynamics", "a nut on a screw with a torque in time",
     body("nut", 1.7, (0.03, -0.02, 0.04), LUMP, "P = [0.1, 0, 0]"),
     joint("thread", "helical", "ground", "nut", axis="[0.2, -0.3, 1]", pitch="0.12", q="[0.4]", v="[2.0]",
           dofs='[ { torque = "0.3*cos(5*t)", damping = 0.05 } ]'))
tree("shaft-in-bush", "dynamics", "a lump that turns about an axis and slides along it",
     body("shaft", 1.7, (0.13, -0.12, 0.04), LUMP, "P = [0.1, 0, 0]"),
     joint("bush", "cylindrical", "ground", "shaft", axis="[0.2, 1, 0.4]", q="[0.4, 0.1]", v="[2.0, -0.5]",
           dofs='[ { damping = 0.05 }, { stiffness = 30, torque = "2*sin(t)" } ]'))
tree("puck", "dynamics", "a puck on a tilted table, tied by a spring with a damper and a law",
     '[ground]\npoints = { N = [0.5, 0.6, 0.7] }\n',
     body("puck", 0.9, (0.03, 0.05, 0.02), LUMP, "P = [0.1, 0.05, 0.02]"),
     joint("table", "planar", "ground", "puck", origin="{ xyz = [0.1, 0.2, 0.3], rpy = [0.3, -0.2, 0.5] }", q="[0.4, 0.1, -0.2]",
           v="[2.0, 0.6, -0.5]", dofs='[ { damping = 0.02 }, {}, { stiffness = 3 } ]'),
     force("cord", "spring", i='"ground.N"', j='"puck.P"', stiffness="15", free_length="0.4", damping="0.6",
           actuator='"0.5*l*v + 0.3*sin(2*t)"'))
tree("gantry", "dynamics", "a gantry with one prescribed axis and two passive ones, and a pendulum under it",
     body("cab", 2.1, (0, 0, 0), LUMP), body("load", 0.7, (0, 0.02, -0.3), LUMP, "hook = [0, 0, -0.4]"),
     joint("axes", "translation", "ground", "cab", q="[0, 0.1, 0.2]", v="[0, 0.3, -0.2]",
           dofs='[ { motion = "0.2*sin(3*t + 0.5)" }, { damping = 2, stiffness = 50 }, { stiffness = 200, torque = "27.5" } ]'),
     joint("rope", "universal", "cab", "load", q="[0.3, -0.2]", v="[0.5, 0.8]", dofs='[ { damping = 0.02 }, { damping = 0.03 } ]'))
tree("screw-after-screw", "dynamics", "a custom joint of two screws that are not of unit length, and a hinge behind it",
     body("first", 1.2, (0.1, 0.05, -0.1), LUMP), body("second", 0.8, (0.2, 0, 0.05), LUMP, "P = [0.3, 0, 0]"),
     joint("odd", "custom", "ground", "first", screws="[[0.5, 0, 1, 0.1, 0.2, 0], [0, 1.5, 0.3, 0, 0.1, -0.2]]", q="[0.5, -0.3]", v="[1.1, 0.7]",
           dofs='[ { stiffness = 4, damping = 0.1 }, { torque = "0.2*t" } ]'),
     joint("hinge", "revolute", "first", "second", origin="{ xyz = [0.2, 0.1, 0], rpy = [0.4, 0, 0.2] }", axis="[1, 0, 0]", q="[0.2]", v="[-1.5]"))
tree("welded-lump", "dynamics", "a lump fixed to an arm, both without symmetry",
     body("arm", 1.2, (0.1, 0.05, -0.1), LUMP), body("lump", 0.8, (0.1, 0, 0.05), LUMP, "P = [0.3, 0, 0]"),
     joint("hinge", "revolute", "ground", "arm", axis="[0, 1, 0.2]", q="[0.4]", v="[1.6]"),
     joint("weld", "fixed", "arm", "lump", origin="{ xyz = [0.3, 0.1, 0], rpy = [0.4, 0.1, 0.2] }", child_origin="{ xyz = [0.02, 0, 0.01], rpy = [0, 0.5, 0] }"))
tree("hybrid-arm", "dynamics", "a prescribed shoulder, a passive slide and a passive ball with a tool",
     body("arm", 2.0, (0.2, 0, 0.02), LUMP), body("slider", 1.0, (0.05, 0.01, 0), LUMP), body("tool", 0.6, (0, 0.03, -0.15), LUMP, "tip = [0, 0, -0.3]"),
     joint("shoulder", "revolute", "ground", "arm", origin="{ xyz = [0, 0, 1] }", axis="[0.1, 1, 0]", dofs='[ { motion = "0.5*sin(2*t) + 0.3*t^2 - 0.2*t^4" } ]'),
     joint("slide", "prismatic", "arm", "slider", origin="{ xyz = [0.2, 0, 0], rpy = [0, 0.1, 0] }", axis="[1, 0, 0]", q="[0.1]", v="[0.4]",
           dofs='[ { stiffness = 80, rest = 0.08, damping = 3 } ]'),
     joint("wrist", "spherical", "slider", "tool", origin="{ xyz = [0.1, 0, 0] }", q='["cos(0.2)", 0, "sin(0.2)", 0]', v="[0.8, -0.5, 1.4]",
           dofs='[ { damping = 0.02 }, { damping = 0.03, torque = "0.1*sin(5*t)" }, { damping = 0.01 } ]'), times=(0, 0.1))
tree("driven-arm", "inverse", "an arm whose every dof is prescribed: revolute, prismatic, universal, gimbal; springs and dampers beside the motors",
     body("column", 3.0, (0, 0.02, 0.2), LUMP), body("beam", 2.0, (0.3, 0, 0.02), LUMP), body("fork", 1.0, (0.05, 0.01, 0), LUMP),
     body("tool", 0.6, (0, 0.03, -0.15), LUMP, "tip = [0, 0.02, -0.3]"),
     joint("base", "revolute", "ground", "column", dofs='[ { motion = "0.6*sin(1.5*t + 0.3)", damping = 0.4 } ]'),
     joint("slide", "prismatic", "column", "beam", origin="{ xyz = [0, 0, 0.5], rpy = [0.1, 0, 0] }", axis="[1, 0, 0]",
           dofs='[ { motion = "0.2 + 0.1*cos(3*t)", stiffness = 25, rest = 0.15 } ]'),
     joint("elbow", "universal", "beam", "fork", origin="{ xyz = [0.5, 0, 0] }", dofs='[ { motion = "0.4*t + 0.5*t^3" }, { motion = "0.3*exp(-t)*sin(4*t)" } ]'),
     joint("wrist", "gimbal", "fork", "tool", origin="{ xyz = [0.1, 0, 0] }",
           dofs='[ { motion = "0.5*step(t, -0.3, 1)" }, { motion = "0.2 + 0.3*tanh(2*t)" }, { motion = "0.7*t - 0.1*t^4" } ]'),
     force("grip", "force", on='"tool.tip"', value='[1, "2*sin(t)", -3]', frame='"body"'), times=(0, 0.4))
tree("driven-planar-chain", "kinematics", "a prescribed planar joint, a prescribed screw, a prescribed shaft in a bush and a prescribed gantry in a row; no masses",
     '[bodies.a]\n[bodies.b]\n[bodies.c]\n[bodies.d]\npoints = { P = [0.1, 0.2, 0.3] }\n',
     joint("floor", "planar", "ground", "a", origin="{ rpy = [0.3, 0.2, 0.1] }", dofs='[ { motion = "t + sin(t)" }, { motion = "0.3*t^2" }, { motion = "0.1*cos(4*t)" } ]'),
     joint("thread", "helical", "a", "b", origin="{ xyz = [0.1, 0, 0.2] }", axis="[0, 1, 1]", pitch="0.05", dofs='[ { motion = "2*sin(2*t)" } ]'),
     joint("bush", "cylindrical", "b", "c", origin="{ xyz = [0, 0.3, 0], rpy = [0.5, 0, 0] }", axis="[1, 0, 0.3]",
           dofs='[ { motion = "0.5*t^4" }, { motion = "0.2 + 0.1*t^3" } ]'),
     joint("axes", "translation", "c", "d", origin="{ rpy = [0, 0, 0.7] }", dofs='[ { motion = "0.1*t" }, { motion = "0.2*exp(t)" }, { motion = "log(1 + t)" } ]'),
     times=(0, 0.6))
tree("swimmer", "dynamics", "a free body with two prescribed fins: nothing outside pushes",
     body("trunk", 1.5, (0.02, 0, 0.01), LUMP), body("left", 0.4, (0, 0.15, 0), LUMP, "tip = [0, 0.3, 0]"), body("right", 0.4, (0, -0.15, 0), LUMP),
     joint("water", "free", "ground", "trunk", v="[0.3, -0.2, 0.5, 0.2, 0.1, -0.3]"),
     joint("fin1", "revolute", "trunk", "left", origin="{ xyz = [0.1, 0.1, 0] }", axis="[1, 0, 0.2]", dofs='[ { motion = "0.6*sin(4*t)" } ]'),
     joint("fin2", "universal", "trunk", "right", origin="{ xyz = [0.1, -0.1, 0] }", dofs='[ { motion = "0.5*cos(4*t)" }, { motion = "0.3*t^2" } ]'),
     gravity="[0, 0, 0]", times=(0, 0.1))
tree("rail-cart", "dynamics", "a cart on a rail that carries a double pendulum; wrenches of both frames",
     body("cart", 2.5, (0.02, 0, 0.05), LUMP), body("upper", 0.8, (0, 0.02, -0.2), LUMP), body("lower", 0.6, (0.01, 0, -0.2), LUMP, "tip = [0, 0, -0.4]"),
     joint("rail", "prismatic", "ground", "cart", axis="[1, 0, 0]", v="[0.7]", dofs='[ { damping = 0.5 } ]'),
     joint("high", "revolute", "cart", "upper", axis="[0, 1, 0.2]", q="[0.5]", v="[1.0]"),
     joint("low", "universal", "upper", "lower", origin="{ xyz = [0, 0, -0.4] }", q="[0.2, -0.6]", v="[0.3, 2.0]", dofs='[ { stiffness = 1 }, {} ]'),
     force("wind", "wrench", on='"lower"', value='[0.1, "0.2*t", -0.1, "0.5*cos(t)", 0.3, 0.2]'),
     force("jet", "wrench", on='"upper"', value='["0.1*sin(3*t)", 0.05, 0, 0.4, "0.2*t^2", 0.1]', frame='"body"'))
tree("planar-base", "dynamics", "a base that slides on a plane, with two hinged arms and springs",
     body("base", 2.0, (0.01, 0.02, 0), LUMP), body("one", 0.7, (0.2, 0, 0.03), LUMP), body("two", 0.5, (0.2, 0.01, 0), LUMP, "end = [0.4, 0, 0]"),
     joint("floor", "planar", "ground", "base", q="[0.3, 0.1, 0.2]", v="[0.5, -0.4, 0.6]"),
     joint("h1", "revolute", "base", "one", origin="{ xyz = [0.1, 0, 0], rpy = [0.2, 0, 0] }", q="[0.4]", v="[1.5]", dofs='[ { stiffness = 2, damping = 0.05 } ]'),
     joint("h2", "revolute", "one", "two", origin="{ xyz = [0.4, 0, 0], rpy = [0, 0.3, 0] }", q="[-0.7]", v="[-2.0]", dofs='[ { stiffness = 1 } ]'))
tree("loads", "dynamics", "moments of both frames and a damped spring with a law between two moving bodies",
     body("one", 1.2, (0.1, 0.05, -0.1), LUMP, "P = [0.2, 0.1, 0]"), body("two", 0.8, (0.1, 0, 0.05), LUMP, "Q = [0.1, -0.1, 0.2]"),
     joint("left", "universal", "ground", "one", q="[0.4, 0.3]", v="[1.6, -0.3]"),
     joint("right", "gimbal", "ground", "two", origin="{ xyz = [0.6, 0, 0] }", q="[0.1, 0.2, -0.3]", v="[0.4, 1.2, -0.6]"),
     force("m1", "moment", on='"one"', value='["0.3*sin(2*t)", 0.1, "0.2*t"]'),
     force("m2", "moment", on='"two"', value='[0.1, "0.2*cos(3*t)", "0.1*t^2"]', frame='"body"'),
     force("tie", "spring", i='"one.P"', j='"two.Q"', stiffness="40", free_length="0.3", damping="1.5", actuator='"3*l^2 - 0.2*v^3 + sin(t)"'))
tree("ball-with-spring", "dynamics", "a ball with three unequal springs on its rotation vector, and dampers",
     body("bob", 1.3, (0.1, -0.2, -0.3), LUMP),
     joint("ball", "spherical", "ground", "bob", q="[0.8, 0.36, -0.48, 0]", v="[1.3, -0.6, 0.9]",
           dofs='[ { stiffness = 3, damping = 0.1 }, { stiffness = 5, damping = 0.2 }, { stiffness = 2 } ]'))
tree("frames-of-the-child", "dynamics", "joint frames off the child's frame, on a ball, a hinge, a planar and a free joint",
     body("one", 1.2, (0.1, 0.05, -0.1), LUMP), body("two", 0.8, (0.1, 0, 0.05), LUMP), body("three", 0.7, (0, 0.1, 0.05), LUMP, "P = [0.3, 0, 0]"),
     body("four", 0.6, (0.05, 0, 0.05), LUMP),
     joint("air", "free", "ground", "one", origin="{ xyz = [0.1, 0, 0.2], rpy = [0.3, 0, 0] }", child_origin="{ xyz = [0.05, 0.1, 0], rpy = [0, 0.4, 0.2] }",
           q="[0.8, 0, 0.6, 0, 0.1, 0.2, 0.3]", v="[0.5, 0.6, -0.4, 0.3, 0.2, 0.1]"),
     joint("ball", "spherical", "one", "two", origin="{ xyz = [0.3, 0, 0], rpy = [0, 0.2, 0] }", child_origin="{ xyz = [0.02, 0, 0.1], rpy = [0.5, 0, 0.1] }",
           q="[0.6, 0.8, 0, 0]", v="[0.7, -0.4, 1.1]", dofs="[ { damping = 0.1 }, {}, { damping = 0.05 } ]"),
     joint("hinge", "revolute", "two", "three", origin="{ xyz = [0.2, 0.1, 0] }", child_origin="{ xyz = [0, 0.1, 0.02], rpy = [0.1, 0.2, 0.3] }", axis="[0, 1, 1]",
           q="[0.3]", v="[1.2]"),
     joint("slot", "planar", "one", "four", child_origin="{ xyz = [0.05, 0, 0.02], rpy = [0.2, 0.2, 0] }", q="[0.3, 0.2, 0.1]", v="[0.9, 0.3, -0.2]",
           dofs="[ { stiffness = 1 }, { stiffness = 20 }, { stiffness = 30, damping = 1 } ]"))
tree("plane-arm", "dynamics", "the slider on a swinging arm of tests/data/planar.json, fourth record of `dae`: the plane's jerk, multipliers and their rates",
     "[ground]\npoints = { O = [0.25, 0.5, 0] }\n",
     body("arm", 3.0, (0, 0, 0), (0.4, 0.4, 0.5, 0, 0, 0), "P = [-0.75, 0.125, 0]"),
     body("slider", 0.75, (0, 0, 0), (0.05, 0.05, 0.0625, 0, 0, 0), "Q = [0.25, 0.5, 0]"),
     joint("hinge", "revolute", "ground", "arm", origin="{ xyz = [0.25, 0.5, 0] }", child_origin="{ xyz = [-0.75, 0.125, 0] }", q="[-0.41436775673980325]",
           v="[0.513950914609535]"),
     joint("slot", "prismatic", "arm", "slider", origin="{ xyz = [-0.25, 0.125, 0] }", child_origin="{ xyz = [0.125, -0.0625, 0] }", axis="[1, 0.5, 0]",
           q="[-1.24119576514509811]", v="[-0.527333596020440866]"),
     force("cord", "spring", i='"arm.P"', j='"slider.Q"', stiffness="20", free_length="0.5", damping="1.5",
           actuator='"0.25*tanh(v/0.5) + 0.2 - 0.3*l + 0.1*v + 0.05*l*v + 0.4*sin(1.5*(t + 1.0724))"'),
     gravity="[0, -9.81, 0]")
