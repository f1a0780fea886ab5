#!/usr/bin/env python3
"""How soon does the program answer Ctrl-C, whatever it is doing?

    tools/interrupt.py build/jounce [ROUNDS [SEED]]

Writes large models into a temporary folder (chains of a thousand bodies, hundreds of loops, expressions of ten thousand terms, a million rows
with a report), starts every command on them, sends SIGINT or SIGTERM at a random moment, and measures the time until the program has
ended. A table of results is checked to hold whole lines. Prints one line a command: how often it was interrupted, the longest and the median time,
and how it ended; exits with 1 when an answer took longer than 0.1 s, or a table has half a line.
"""
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ALLOWED = 0.1  # seconds


def plane_chain(bodies, driven):
    out = ['jounce = 1', 'name = "chain"', 'gravity = [0, -9.81]', '[ground]', 'points = { O = [0, 0] }']
    for k in range(bodies):
        out += [f'[bodies.b{k}]', 'mass = 1', 'inertia = 0.01', f'position = [{0.1 * k:.4g}, 0]', 'angle = 0', 'points = { A = [0, 0], B = [0.1, 0] }']
        out += [f'[joints.j{k}]', 'type = "revolute"', f'i = "{"ground.O" if k == 0 else f"b{k - 1}.B"}"', f'j = "b{k}.A"']
        if driven:
            out += [f'[drivers.d{k}]', 'type = "angle"', f'i = "{"ground" if k == 0 else f"b{k - 1}"}"', f'j = "b{k}"', f'motion = "0.01*sin(t + {k})"']
        else:
            out += [f'[forces.s{k}]', 'type = "torsion-spring"', f'i = "{"ground" if k == 0 else f"b{k - 1}"}"', f'j = "b{k}"', 'stiffness = 500',
                    'damping = 0.1']
    return '\n'.join(out) + '\n'


def space_chain(bodies):
    out = ['jounce = 1', 'name = "chain"', 'space = "3d"', 'gravity = [0, 0, -9.81]', '[ground]']
    for k in range(bodies):
        out += [f'[bodies.b{k}]', 'mass = 1', 'com = [0.05, 0, 0]', 'inertia = [0.01, 0.01, 0.01, 0, 0, 0]']
    for k in range(bodies):
        out += [f'[joints.j{k}]', 'type = "revolute"', f'parent = "{"ground" if k == 0 else f"b{k - 1}"}"', f'child = "b{k}"',
                'origin = { xyz = [%g, 0, 0] }' % (0.1 if k else 0), 'axis = [0, 1, 0]' if k % 2 else 'axis = [0, 0, 1]', 'q = [0.01]',
                'dofs = [ { stiffness = 500, damping = 0.1 } ]']
    return '\n'.join(out) + '\n'


def space_loops(loops, driven):
    """Four-bars side by side, about axes along y."""
    out = ['jounce = 1', 'name = "loops"', 'space = "3d"', 'gravity = [0, 0, -9.81]', '[ground]', 'points = { ' +
           ', '.join(f'Q{k} = {{ xyz = [1, {k}, 0], rpy = [0, 0, 0] }}' for k in range(loops)) + ' }']
    for k in range(loops):
        for name in ('c', 'r', 'o'):
            out += [f'[bodies.{name}{k}]', 'mass = 1', 'com = [0.2, 0, 0]', 'inertia = [0.01, 0.01, 0.01, 0, 0, 0]']
            if name == 'o':
                out += ['points = { E = { xyz = [0.8, 0, 0], rpy = [0, 0, 0] } }']
    for k in range(loops):
        dofs = ['dofs = [ { motion = "-1 + t" } ]'] if driven else []
        out += [f'[joints.c{k}-pin]', 'type = "revolute"', 'parent = "ground"', f'child = "c{k}"', f'origin = {{ xyz = [0, {k}, 0] }}', 'axis = [0, 1, 0]',
                'q = [-1]'] + dofs
        out += [f'[joints.r{k}-pin]', 'type = "revolute"', f'parent = "c{k}"', f'child = "r{k}"', 'origin = { xyz = [0.4, 0, 0] }', 'axis = [0, 1, 0]',
                'q = [0.8]']
        out += [f'[joints.o{k}-pin]', 'type = "revolute"', f'parent = "r{k}"', f'child = "o{k}"', 'origin = { xyz = [0.9, 0, 0] }', 'axis = [0, 1, 0]',
                'q = [1.2]']
        out += [f'[loops.l{k}]', 'type = "revolute"', f'i = "o{k}.E"', f'j = "ground.Q{k}"', 'axis = [0, 1, 0]']
    return '\n'.join(out) + '\n'


def long_expression(terms):
    motion = ' + '.join(f'0.001*sin(t + {k})' for k in range(terms))
    return f'''jounce = 1
name = "sum"
[ground]
points = {{ O = [0, 0], X = [1, 0] }}
[bodies.cart]
points = {{ A = [0, 0], B = [1, 0] }}
[joints.rail]
type = "translational"
slot = ["ground.O", "ground.X"]
slider = ["cart.A", "cart.B"]
[drivers.winch]
type = "coordinate"
j = "cart.x"
motion = "{motion}"
'''


FOUR_BAR = '''jounce = 1
name = "four-bar"
gravity = [0, -9.81]
[ground]
points = { O = [0, 0], Q = [0.4, 0] }
[bodies.crank]
mass = 1
inertia = 0.01
angle = 1
points = { A = [0, 0], B = [0.1, 0] }
[bodies.coupler]
mass = 1
inertia = 0.01
position = [0.05, 0.08]
angle = 0.6
points = { A = [0, 0], B = [0.35, 0] }
[bodies.rocker]
mass = 1
inertia = 0.01
position = [0.4, 0]
angle = 1.8
points = { A = [0, 0], B = [0.3, 0] }
[joints]
o = { type = "revolute", i = "ground.O", j = "crank.A" }
a = { type = "revolute", i = "crank.B", j = "coupler.A" }
b = { type = "revolute", i = "coupler.B", j = "rocker.B" }
q = { type = "revolute", i = "ground.Q", j = "rocker.A" }
'''
MOTOR = '[drivers]\nmotor = { type = "angle", i = "ground", j = "crank", motion = "5*t" }\n'

MODELS = {
    'plane-chain': lambda: plane_chain(1000, False),
    'plane-driven': lambda: plane_chain(1000, True),
    'space-chain': lambda: space_chain(1000),
    'space-loops': lambda: space_loops(200, False),
    'space-driven': lambda: space_loops(200, True),
    'sum': lambda: long_expression(10000),
    'many': lambda: '\n'.join([long_expression(40000).replace('"sum"', '"many"')]),
    'four-bar': lambda: FOUR_BAR,
    'driven-four-bar': lambda: FOUR_BAR + MOTOR,
}

RUNS = [
    ('check', 'plane-chain', []), ('check', 'space-chain', []), ('check', 'space-loops', []), ('check', 'sum', []), ('check', 'many', []),
    ('explain', 'plane-chain', []), ('explain', 'space-loops', []), ('explain', 'plane-chain', ['--at', '3']),
    ('compare', 'plane-chain', []), ('compare', 'space-loops', []), ('draw', 'space-loops', ['-o', 'x.svg']), ('draw', 'plane-chain', ['--at', '3', '-o', 'x.svg']),
    ('equilibrium', 'plane-chain', ['-o', 'x.csv']), ('equilibrium', 'space-chain', ['-o', 'x.csv']), ('equilibrium', 'space-loops', ['-o', 'x.csv']),
    ('kinematics', 'plane-driven', ['--steps', '1000', '-o', 'x.csv']), ('kinematics', 'space-driven', ['--steps', '1000', '-o', 'x.csv']),
    ('kinematics', 'sum', ['--steps', '1000000', '-o', 'x.csv']), ('inverse', 'plane-driven', ['--steps', '1000', '-o', 'x.csv']),
    ('inverse', 'space-driven', ['--steps', '1000', '-o', 'x.csv']), ('dynamics', 'plane-chain', ['--steps', '1000', '-o', 'x.csv']),
    ('dynamics', 'plane-chain', ['--steps', '1000', '--method', 'radau', '-o', 'x.csv']),
    ('dynamics', 'space-chain', ['--steps', '1000', '-o', 'x.csv']), ('dynamics', 'space-chain', ['--steps', '1000', '--method', 'radau', '-o', 'x.csv']),
    ('dynamics', 'space-loops', ['--steps', '1000', '-o', 'x.csv']),
    ('dynamics', 'four-bar', ['--to', '1000', '--steps', '1000000', '-o', 'x.csv', '--report', 'x.html']),
    ('kinematics', 'driven-four-bar', ['--to', '1000', '--steps', '1000000', '-o', 'x.csv', '--report', 'x.html']),
]


def half_a_line(path):
    if not os.path.exists(path):
        return False
    with open(path, 'rb') as file:
        lines = file.read().split(b'\n')
    return lines[-1] != b'' or any(line.count(b',') != lines[0].count(b',') for line in lines[:-1])


def interrupted(program, run, folder, moment, which):
    """Seconds until it ended, how, and whether a table has half a line; None when it ended by itself."""
    command, model, options = run
    for name in ('x.csv', 'x.html', 'x.svg'):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))
    process = subprocess.Popen([program, command, model + '.toml'] + options, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(moment)
    if process.poll() is not None:
        return None
    begin = time.perf_counter()
    process.send_signal(which)
    code = process.wait()
    return time.perf_counter() - begin, code, half_a_line(os.path.join(folder, 'x.csv'))


def main():
    program = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    bad = False
    with tempfile.TemporaryDirectory() as folder:
        for name, text in MODELS.items():
            with open(os.path.join(folder, name + '.toml'), 'w') as file:
                file.write(text())
        print(f'{"command":<58} {"asked":>5} {"longest":>8} {"median":>8}  ended with')
        for run in RUNS:
            times, codes, longest_moment = [], set(), 3.0
            for _ in range(4 * rounds):
                if len(times) == rounds:
                    break
                found = interrupted(program, run, folder, random.uniform(0.01, longest_moment), random.choice([signal.SIGINT, signal.SIGTERM]))
                if found is None:
                    longest_moment = max(0.5 * longest_moment, 0.02)
                    continue
                seconds, code, half = found
                times.append(seconds)
                codes.add(f'signal {-code}' if code < 0 else f'exit {code}')
                if half:
                    codes.add('HALF A LINE')
                    bad = True
            label = ' '.join([run[0], run[1]] + [o for o in run[2] if o not in ('-o', 'x.csv', 'x.svg')])
            if not times:
                print(f'{label:<58} {0:>5}   ended by itself')
                continue
            late = max(times) > ALLOWED
            bad = bad or late
            print(f'{label:<58} {len(times):>5} {max(times):>8.3f} {statistics.median(times):>8.3f}  {", ".join(sorted(codes))}{"  LATE" if late else ""}')
            sys.stdout.flush()
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
