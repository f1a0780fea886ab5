"""Two problems of the IFToMM library of benchmarks as models."""

BRICARD = """\
# Bricard's mechanism, IFToMM benchmark A04: five bars of 1 m and 1 kg with a square section of 0.1 m, from rest.
# Corners at the start: (0,0,0) (1,0,0) (1,-1,0) (1,-1,1) (0,-1,1) (0,0,1). P3 is (1,-1,1). Hinges: y z x y z x.
jounce = 1
name = "Bricard A04"
space = "3d"
gravity = [0, -9.81, 0]

[parameters]
along = "(0.1^2 + 0.1^2)/12"
across = "(1 + 0.1^2)/12"

[ground]
points = { P5 = [0, 0, 1] }

[bodies.rod1]
mass = 1
com = [0.5, 0, 0]
inertia = ["along", "across", "across", 0, 0, 0]

[bodies.rod2]
mass = 1
com = [0, -0.5, 0]
inertia = ["across", "along", "across", 0, 0, 0]

[bodies.rod3]
mass = 1
com = [0, 0, 0.5]
inertia = ["across", "across", "along", 0, 0, 0]
points = { P3 = [0, 0, 1] }

[bodies.rod4]
mass = 1
com = [-0.5, 0, 0]
inertia = ["along", "across", "across", 0, 0, 0]

[bodies.rod5]
mass = 1
com = [0, 0.5, 0]
inertia = ["across", "along", "across", 0, 0, 0]
points = { P5 = [0, 1, 0] }

[joints.h0]
type = "revolute"
parent = "ground"
child = "rod1"
axis = [0, 1, 0]

[joints.h1]
type = "revolute"
parent = "rod1"
child = "rod2"
origin = { xyz = [1, 0, 0] }
axis = [0, 0, 1]

[joints.h2]
type = "revolute"
parent = "rod2"
child = "rod3"
origin = { xyz = [0, -1, 0] }
axis = [1, 0, 0]

[joints.h3]
type = "revolute"
parent = "rod3"
child = "rod4"
origin = { xyz = [0, 0, 1] }
axis = [0, 1, 0]

[joints.h4]
type = "revolute"
parent = "rod4"
child = "rod5"
origin = { xyz = [-1, 0, 0] }
axis = [0, 0, 1]

[loops.h5]
type = "revolute"
i = "rod5.P5"
j = "ground.P5"
axis = [1, 0, 0]

[run]
analysis = "dynamics"
to = 10
steps = 1000
"""

GOVERNOR = """\
# Stiff flyball governor, IFToMM benchmark A05. Shaft and rods 1 x 0.01 x 0.01 m, slider a cube of 0.1 m, all of 3000 kg/m3; a point mass
# of 5 kg at the end of either rod; rods hinged 0.05 m beside the axis at the top of the shaft, 30 degrees below the level; a spring
# and damper (8e5 N/m, 4e4 N s/m, 0.5 m) from the middle of each rod to the side of the slider; slider at s = 0.5 m above the foot.
# Shaft, slider and rods start with 2 pi rad/s about the vertical, nothing else moves.
jounce = 1
name = "Flyball governor A05"
space = "3d"
gravity = [0, 0, -9.81]

[parameters]
bar = 0.3                                   # kg: a shaft or a rod
ball = 5.0
lean = "30*deg"
arm_com = "(bar/2 + ball)/(bar + ball)"
bar_along = "bar*(0.01^2 + 0.01^2)/12"
bar_across = "bar*(1 + 0.01^2)/12"
arm_across = "bar_across + bar*(arm_com - 0.5)^2 + ball*(1 - arm_com)^2"
cube = "3*(0.1^2 + 0.1^2)/12"

[bodies.shaft]
mass = "bar"
com = [0, 0, 0.5]
inertia = ["bar_across", "bar_across", "bar_along", 0, 0, 0]

[bodies.slider]
mass = 3.0
inertia = ["cube", "cube", "cube", 0, 0, 0]
points = { E = [0.05, 0, 0], F = [-0.05, 0, 0] }

[bodies.arm1]
mass = "bar + ball"
com = ["arm_com", 0, 0]
inertia = ["bar_along", "arm_across", "arm_across", 0, 0, 0]
points = { middle = [0.5, 0, 0], ball = [1, 0, 0] }

[bodies.arm2]
mass = "bar + ball"
com = ["-arm_com", 0, 0]
inertia = ["bar_along", "arm_across", "arm_across", 0, 0, 0]
points = { middle = [-0.5, 0, 0], ball = [-1, 0, 0] }

[joints.bearing]
type = "revolute"
parent = "ground"
child = "shaft"
v = ["2*pi"]

[joints.sleeve]
type = "prismatic"
parent = "shaft"
child = "slider"
q = [0.5]

[joints.top1]
type = "revolute"
parent = "shaft"
child = "arm1"
origin = { xyz = [0.05, 0, 1] }
axis = [0, 1, 0]
q = ["lean"]

[joints.top2]
type = "revolute"
parent = "shaft"
child = "arm2"
origin = { xyz = [-0.05, 0, 1] }
axis = [0, -1, 0]
q = ["lean"]

[forces.link1]
type = "spring"
i = "slider.E"
j = "arm1.middle"
stiffness = 8e5
damping = 4e4
free_length = 0.5

[forces.link2]
type = "spring"
i = "slider.F"
j = "arm2.middle"
stiffness = 8e5
damping = 4e4
free_length = 0.5

[run]
analysis = "dynamics"
to = 10
steps = 1000
"""
