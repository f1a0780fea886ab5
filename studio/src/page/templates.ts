// Beginnings of new models.

import { blank } from "../text/elements";

export interface Template {
  name: string;
  words: string;
  space: "plane" | "3d";
  text: string;
}

const fourBar = `jounce  = 1
name    = "My four-bar"
gravity = [0, -9.81]

[parameters]
crank   = 0.1
coupler = 0.25
rocker  = 0.3
frame   = 0.35
speed   = "60*rpm"

[ground]
points = { O = [0, 0], Q = ["frame", 0] }

[bodies.crank]
mass   = 0.4
angle  = "45*deg"
points = { O = [0, 0], A = ["crank", 0] }
shape  = { type = "bar", from = "O", to = "A" }

[bodies.coupler]
position = [0.07, 0.07]
angle    = "55*deg"
points   = { A = [0, 0], B = ["coupler", 0], P = [0.15, 0.12] }
mass     = 1
shape    = { type = "bar", from = "A", to = "B" }

[bodies.rocker]
position = ["frame", 0]
angle    = "115*deg"
points   = { Q = [0, 0], B = ["rocker", 0] }
mass     = 1.2
shape    = { type = "bar", from = "Q", to = "B" }

[joints]
crank-bearing  = { type = "revolute", i = "ground.O", j = "crank.O" }
crank-pin      = { type = "revolute", i = "crank.A", j = "coupler.A" }
rocker-pin     = { type = "revolute", i = "coupler.B", j = "rocker.B" }
rocker-bearing = { type = "revolute", i = "ground.Q", j = "rocker.Q" }

[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "speed*t" }

[run]
analysis = "inverse"
to       = 1
steps    = 360
`;

const sliderCrank = `jounce  = 1
name    = "My slider-crank"
gravity = [0, -9.81]

[parameters]
crank = 0.05
rod   = 0.2
speed = "60*rpm"

[ground]
points = { O = [0, 0], X = [1, 0] }

[bodies.crank]
mass   = 0.3
angle  = "60*deg"
points = { O = [0, 0], A = ["crank", 0] }
shape  = { type = "bar", from = "O", to = "A" }

[bodies.rod]
position = [0.025, 0.043]
angle    = "-12*deg"
points   = { A = [0, 0], C = ["rod", 0] }
mass     = 0.5
shape    = { type = "bar", from = "A", to = "C" }

[bodies.piston]
position = [0.22, 0]
points   = { C = [0, 0], F = [0.03, 0] }
mass     = 0.8
shape    = { type = "box", centre = "C", size = [0.06, 0.04] }

[joints]
bearing    = { type = "revolute", i = "ground.O", j = "crank.O" }
crank-pin  = { type = "revolute", i = "crank.A", j = "rod.A" }
piston-pin = { type = "revolute", i = "rod.C", j = "piston.C" }
cylinder   = { type = "translational", slot = ["ground.O", "ground.X"], slider = ["piston.C", "piston.F"] }

[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "speed*t" }

[run]
analysis = "inverse"
to       = 1
steps    = 360
`;

const pendulum = `jounce  = 1
name    = "My pendulum"
gravity = [0, -9.81]

[parameters]
arm = 0.4

[ground]
points = { O = [0, 0] }

[bodies.bob]
mass   = 1
angle  = "-30*deg"
points = { O = [0, 0], P = ["arm", 0] }
shape  = { type = "bar", from = "O", to = "P" }

[joints]
bearing = { type = "revolute", i = "ground.O", j = "bob.O" }

[run]
analysis = "dynamics"
to       = 4
steps    = 400
`;

export const templates: readonly Template[] = [
  { name: "Blank", words: "An empty sheet: draw links, pin them, add a motor.", space: "plane", text: blank },
  { name: "Four-bar", words: "Crank, coupler and rocker, with a point that draws a curve.", space: "plane", text: fourBar },
  { name: "Slider-crank", words: "A crank drives a piston.", space: "plane", text: sliderCrank },
  { name: "Pendulum", words: "A mass that swings by itself.", space: "plane", text: pendulum },
];
