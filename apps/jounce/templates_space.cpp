// The templates of models in space.
#include "templates.hpp"

namespace jounce::app {

const std::string_view kArm = R"toml(
# A robot arm: a turntable, an upper arm and a forearm, moved from one position to another by motors in its joints.
#
#        elbow
#          o_____ forearm
#         /       `---o tool         z
#        / upper                     |
#       o shoulder                   +--- x
#     [===] turntable
#
# In space a joint hangs its child on its parent. Its frame is `origin` in the parent; the child turns about `axis`.

jounce  = 1
name    = "@NAME@"
space   = "3d"
gravity = [0, 0, -9.81]

[parameters]                     # SI units; change them here, or for one run with --set
upper_length   = 0.40
forearm_length = 0.35
load           = 1.0             # kg in the hand
time           = 1.5             # of the whole movement

[bodies.turntable]
mass  = 6.0
shape = { type = "cylinder", centre = [0, 0, 0.1], radius = 0.12, length = 0.2 }    # gives com and inertia

[bodies.upper]                   # its axes: x along the arm
mass   = 3.0
points = { O = [0, 0, 0], E = ["upper_length", 0, 0] }
shape  = { type = "rod", from = "O", to = "E" }

[bodies.forearm]
mass   = 2.0
points = { E = [0, 0, 0], tool = ["forearm_length", 0, 0] }
shape  = { type = "rod", from = "E", to = "tool" }

[bodies.hand]
mass  = "load"
shape = { type = "sphere", centre = [0, 0, 0], radius = 0.04 }

[joints.base]
type   = "revolute"
parent = "ground"
child  = "turntable"             # about z, which is the default
dofs   = [ { motion = "120*deg*step(t, 0, time)" } ]

[joints.shoulder]
type   = "revolute"
parent = "turntable"
child  = "upper"
origin = { xyz = [0, 0, 0.2] }
axis   = [0, -1, 0]              # a positive angle lifts the arm
dofs   = [ { motion = "10*deg + 50*deg*step(t, 0, time)" } ]

[joints.elbow]
type   = "revolute"
parent = "upper"
child  = "forearm"
origin = { xyz = ["upper_length", 0, 0] }
axis   = [0, -1, 0]
dofs   = [ { motion = "-20*deg - 60*deg*step(t, 0.2*time, time)" } ]

[joints.grip]
type   = "fixed"
parent = "forearm"
child  = "hand"
origin = { xyz = ["forearm_length", 0, 0] }

[run]
analysis = "inverse"             # what the motors have to give; "kinematics" needs no masses
to       = "time"
steps    = 200
)toml";

const std::string_view kFuruta = R"toml(
# A Furuta pendulum: a motor turns a horizontal arm, and a rod swings at its end across the arm.
#
#     motor ||
#           ||__________(+) pivot      z
#           ||    arm     \\           |
#                          \\ rod      +--- x

jounce  = 1
name    = "@NAME@"
space   = "3d"
gravity = [0, 0, -9.81]

[parameters]                     # SI units; change them here, or for one run with --set
arm_length = 0.25
rod_length = 0.30
torque     = 0.05                # N m, of the motor
rate       = 4.0                 # rad/s, of its change

[bodies.arm]
mass   = 0.40
points = { end = ["arm_length", 0, 0] }
shape  = { type = "box", centre = ["arm_length/2", 0, 0], size = ["arm_length", 0.03, 0.02] }   # gives com and inertia

[bodies.rod]
mass   = 0.12
points = { tip = [0, 0, "-rod_length"] }
shape  = { type = "cylinder", centre = [0, 0, "-rod_length/2"], radius = 0.005, length = "rod_length" }

[joints.motor]
type   = "revolute"              # about z, which is the default
parent = "ground"
child  = "arm"
dofs   = [ { torque = "torque*sin(rate*t)", damping = 1.0e-3 } ]
# dofs = [ { motion = "60*deg*sin(rate*t)" } ]    # instead: the angle itself is given, and tau1 is the torque that it needs

[joints.pivot]
type   = "revolute"
parent = "arm"
child  = "rod"
origin = { xyz = ["arm_length", 0, 0] }
axis   = [1, 0, 0]
q      = ["20*deg"]              # at the start; 0 hangs down
v      = [0]
dofs   = [ { damping = 2.0e-4 } ]

[run]
analysis = "dynamics"
to       = 5.0
steps    = 200
)toml";

const std::string_view kSwimmer = R"toml(
# A swimmer in empty space: three plates, two hinges that wave out of step. Nothing holds it and nothing pushes it, its momentum
# stays zero, and still it turns: after each period it has the same shape and another direction.
#
#              hinge1       hinge2                y
#     ========o========o========                  |
#       head      middle     tail                 +--- x     seen along the hinges

jounce  = 1
name    = "@NAME@"
space   = "3d"

[parameters]                     # SI units; change them here, or for one run with --set
long   = 0.20                    # of a plate, along x
wide   = 0.30                    # along the hinges
mass   = 0.50
bend   = "50*deg"                # about which each hinge swings; without it what is won in half a period is lost again
swing  = "40*deg"
period = 1.0
rate   = "2*pi/period"

[bodies.head]
mass   = "mass"
points = { nose = ["-long", 0, 0] }
shape  = { type = "box", centre = ["-long/2", 0, 0], size = ["long", 0.004, "wide"] }   # gives com and inertia

[bodies.middle]
mass  = "mass"
shape = { type = "box", centre = ["long/2", 0, 0], size = ["long", 0.004, "wide"] }

[bodies.tail]
mass  = "mass"
shape = { type = "box", centre = ["long/2", 0, 0], size = ["long", 0.004, "wide"] }

[joints.water]                   # no restraint at all
type   = "free"
parent = "ground"
child  = "head"
q      = [1, 0, 0, 0,  0, 0, 0]  # a unit quaternion w x y z, then the position

[joints.hinge1]
type   = "revolute"
parent = "head"
child  = "middle"
dofs   = [ { motion = "bend + swing*sin(rate*t)" } ]

[joints.hinge2]
type   = "revolute"
parent = "middle"
child  = "tail"
origin = { xyz = ["long", 0, 0] }
dofs   = [ { motion = "bend + swing*sin(rate*t - 90*deg)" } ]

[base]
start_momentum = "zero"          # the first plate starts so that the whole has no momentum

[run]
analysis = "dynamics"
to       = "2*period"
steps    = 200
)toml";

}  // namespace jounce::app
