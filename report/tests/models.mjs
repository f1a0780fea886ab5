// Models that only the tests need.

/** Crank and rod with the piston as the driver: it reaches its dead centre, crank and rod in line, at t = 2 s. */
export const deadCentre = `jounce = 1
name = "Piston drives the crank"
[ground]
points = { O = [0, 0], X = [1, 0] }
[bodies.crank]
angle = "78*deg"
points = { O = [0, 0], A = [0.1, 0] }
[bodies.rod]
position = [0.02, 0.098]
angle = "-23*deg"
points = { A = [0, 0], C = [0.25, 0] }
[bodies.piston]
position = [0.25, 0]
points = { C = [0, 0], F = [0.05, 0] }
[joints.bearing]
type = "revolute"
i = "ground.O"
j = "crank.O"
[joints.crank-pin]
type = "revolute"
i = "crank.A"
j = "rod.A"
[joints.piston-pin]
type = "revolute"
i = "rod.C"
j = "piston.C"
[joints.guide]
type = "translational"
slot = ["ground.O", "ground.X"]
slider = ["piston.C", "piston.F"]
[drivers.push]
type = "slot-distance"
line = ["ground.O", "ground.X"]
point = "piston.C"
motion = "0.25 + 0.05*t"
[run]
analysis = "kinematics"
to = 3
steps = 31
`;

/** A text as TOML writes it between quotes. */
function quoted(text) {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

/** One bar on a motor. The bar's name, the title, the motion and a comment can be anything. */
export function turningBar({ title = "Bar", bar = "bar", motion = "t", comment = "", to = 1, steps = 20 } = {}) {
  return `jounce = 1
name = ${quoted(title)}
# ${comment}
[ground]
points = { O = [0, 0] }
[bodies.${quoted(bar)}]
mass = 1
points = { O = [0, 0], P = [0.3, 0] }
shape = { type = "bar", from = "O", to = "P" }
[joints.bearing]
type = "revolute"
i = "ground.O"
j = ${quoted(`${bar}.O`)}
[drivers.motor]
type = "angle"
i = "ground"
j = ${quoted(bar)}
motion = ${quoted(motion)}
[run]
analysis = "kinematics"
to = ${to}
steps = ${steps}
`;
}

/** A chain of bars, each turned against the one before it. */
export function chain(bars) {
  let text = `jounce = 1
name = "Chain of ${bars} bars"
[ground]
points = { O = [0, 0] }
`;
  for (let k = 1; k <= bars; k += 1)
    text += `[bodies.bar${k}]
mass = 1
position = [${(0.1 * (k - 1)).toFixed(1)}, 0]
points = { A = [0, 0], B = [0.1, 0] }
shape = { type = "bar", from = "A", to = "B" }
[joints.pin${k}]
type = "revolute"
i = "${k === 1 ? "ground.O" : `bar${k - 1}.B`}"
j = "bar${k}.A"
[drivers.motor${k}]
type = "angle"
i = "${k === 1 ? "ground" : `bar${k - 1}`}"
j = "bar${k}"
motion = "0.12*sin(2*t + ${(0.3 * k).toFixed(1)}) - 0.12*sin(${(0.3 * k).toFixed(1)})"
`;
  return `${text}[run]
analysis = "kinematics"
to = 6
steps = 300
`;
}
