#!/usr/bin/env python3
"""Processor time of two programs on the same runs: what watching for singular positions and the books of energy cost.

    tools/compare_cost.py OLD NEW [--rounds N] [--only TEXT]

Both run in turns, N times each, and the least of each counts: work of others on the same machine only ever adds. A run that differs by less than two
runs of one program do says nothing; compare a program with itself to see how much that is.
"""

import argparse
import os
import resource
import subprocess
import tempfile

MODELS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models")


def plane_chain(links, damping):
    text = 'jounce = 1\nname = "chain"\ngravity = [0, -9.81]\n[ground]\npoints = { E0 = [0, 0] }\n'
    for k in range(links):
        text += (f'[bodies.rod{k}]\nmass = 1\nangle = {-0.3 * (k % 3)}\nposition = [{0.4 * k}, 0]\n'
                 f'points = {{ A = [0, 0], B = [0.4, 0] }}\nshape = {{ type = "bar", from = "A", to = "B" }}\n')
    for k in range(links):
        i = "ground.E0" if k == 0 else f"rod{k - 1}.B"
        text += f'[joints.pin{k}]\ntype = "revolute"\ni = "{i}"\nj = "rod{k}.A"\n'
        if damping:
            body = "ground" if k == 0 else f"rod{k - 1}"
            text += f'[forces.damper{k}]\ntype = "torsion-spring"\ni = "{body}"\nj = "rod{k}"\ndamping = {damping}\n'
    return text


def space_chain(links, damping):
    text = 'jounce = 1\nname = "chain"\nspace = "3d"\ngravity = [0, 0, -9.81]\n'
    for k in range(links):
        text += f'[bodies.rod{k}]\nmass = 1\ncom = [0, 0, -0.2]\ninertia = [0.0134, 0.0134, 0.001, 0, 0, 0]\n'
    for k in range(links):
        parent = "ground" if k == 0 else f"rod{k - 1}"
        dofs = f"dofs = [ {{ damping = {damping} }} ]\n" if damping else ""
        axis = "[0, -1, 0]" if k % 2 == 0 else "[1, 0, 0]"
        origin = "" if k == 0 else "origin = { xyz = [0, 0, -0.4] }\n"
        text += f'[joints.hinge{k}]\ntype = "revolute"\nparent = "{parent}"\nchild = "rod{k}"\n{origin}axis = {axis}\nq = [0.5]\n{dofs}'
    return text


CARDAN = """jounce = 1
name = "cardan"
space = "3d"
[ground]
points = { P = { xyz = ["0.6*sin(0.5)", 0, "0.6*cos(0.5)"], rpy = [0, 0, 0] } }
[bodies.input]
mass = 0
inertia = [0, 0, 0, 0, 0, 0]
[bodies.middle]
mass = 0
inertia = [0, 0, 0, 0, 0, 0]
[bodies.output]
mass = 0
inertia = [0, 0, 0, 0, 0, 0]
points = { P = [0, 0, 0] }
[joints.shaft]
type = "revolute"
parent = "ground"
child = "input"
dofs = [ { motion = "7*t + 0.5*sin(3*t)" } ]
[joints.first]
type = "universal"
parent = "input"
child = "middle"
q = [0, 0.5]
[joints.second]
type = "universal"
parent = "middle"
child = "output"
origin = { xyz = [0, 0, 0.6], rpy = [0, 0, "pi/2"] }
child_origin = { rpy = [0, 0, "pi/2"] }
q = [-0.5, 0]
[loops.bearing]
type = "cylindrical"
i = "ground.P"
j = "output.P"
[forces.load]
type = "moment"
on = "output"
value = [0, 0, 2]
"""

# what, its model (a name in models/, or a text), and the arguments
RUNS = [
    ("four-bar, taylor", "four-bar", "dynamics --to 4000 --steps 1"),
    ("four-bar, dop853", "four-bar", "dynamics --to 1000 --steps 1 --method dop853"),
    ("crank and rod, taylor", "crank-and-rod", "dynamics --to 2000 --steps 1"),
    ("andrews-squeezer, taylor", "andrews-squeezer", "dynamics --to 1 --steps 1"),
    ("slider-crank engine, taylor", "slider-crank-engine", "dynamics --to 20 --steps 1"),
    ("double-pendulum, taylor", "double-pendulum", "dynamics --to 3000 --steps 1"),
    ("plane chain of 5, taylor", plane_chain(5, 0), "dynamics --to 500 --steps 1"),
    ("plane chain of 5, dampers, taylor", plane_chain(5, 0.02), "dynamics --to 2000 --steps 1"),
    ("plane chain of 20, dampers, taylor", plane_chain(20, 0.02), "dynamics --to 100 --steps 1"),
    ("plane chain of 5, dampers, dop853", plane_chain(5, 0.02), "dynamics --to 800 --steps 1 --method dop853"),
    ("plane chain of 5, dampers, radau", plane_chain(5, 0.02), "dynamics --to 5 --steps 1 --method radau"),
    ("plane chain of 20, dampers, radau", plane_chain(20, 0.02), "dynamics --to 0.5 --steps 1 --method radau"),
    ("space chain of 5, dop853", space_chain(5, 0), "dynamics --to 500 --steps 1"),
    ("space chain of 5, dampers, dop853", space_chain(5, 0.02), "dynamics --to 3000 --steps 1"),
    ("space chain of 20, dampers, dop853", space_chain(20, 0.02), "dynamics --to 60 --steps 1"),
    ("space-four-bar, dop853", "space-four-bar", "dynamics --to 150 --steps 1"),
    ("bricard-loop, dop853", "bricard-loop", "dynamics --to 400 --steps 1"),
    ("hooke-joint, dop853", "hooke-joint", "dynamics --to 400 --steps 1"),
    ("bricard-loop, radau", "bricard-loop", "dynamics --to 20 --steps 1 --method radau"),
    ("four-bar, inverse, 40,000 rows", "four-bar", "inverse --to 10 --steps 40000"),
    ("four-bar, inverse, 200 rows a turn", "four-bar", "inverse --to 100 --steps 20000"),
    ("four-bar, inverse, 10 rows a turn", "four-bar", "inverse --to 1000 --steps 10000"),
    ("four-bar, inverse, 1 row a turn", "four-bar", "inverse --to 2000 --steps 2000"),
    ("engine, inverse, 10 rows a turn", "slider-crank-engine", "inverse --to 8 --steps 4000"),
    ("hooke-joint, inverse, 6,000 rows", "hooke-joint", "inverse --to 3 --steps 6000"),
    ("seven-joint-arm, inverse, 20,000 rows", "seven-joint-arm", "inverse --to 2 --steps 20000"),
    ("seven-joint-arm, inverse, 1 row a second", "seven-joint-arm", "inverse --to 4000 --steps 4000"),
    ("massless cardan shafts, inverse, 32 rows a second", CARDAN, "inverse --to 30 --steps 970"),
    ("massless cardan shafts, inverse, 333 rows a second", CARDAN, "inverse --to 9 --steps 3000"),
]


def seconds(program, model, arguments, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(["timeout", "-s", "KILL", "60", program, arguments[0], model, *arguments[1:], "-o", os.path.join(folder, "rows.csv")],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.returncode


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("old")
    ask.add_argument("new")
    ask.add_argument("--rounds", type=int, default=7)
    ask.add_argument("--only", default="", help="runs whose name has this in it")
    asked = ask.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, model, arguments in RUNS:
            if asked.only not in name:
                continue
            path = os.path.join(MODELS, model, "model.toml")
            if "\n" in model:
                path = os.path.join(folder, "model.toml")
                with open(path, "w", encoding="utf-8") as out:
                    out.write(model)
            old, new = [], []
            for _ in range(asked.rounds):
                old.append(seconds(asked.old, path, arguments.split(), folder))
                new.append(seconds(asked.new, path, arguments.split(), folder))
            was, now = min(old)[0], min(new)[0]
            failed = [which for which, runs in (("old", old), ("new", new)) if any(code for _, code in runs)]
            print(f"| {name} | {was:.3f} | {now:.3f} | {now / max(was, 1e-9):.2f} |" + (f" {' and '.join(failed)} failed" if failed else ""), flush=True)


if __name__ == "__main__":
    main()
