#include "templates.hpp"

#include <array>

namespace jounce::app {
namespace {

constexpr std::string_view kFourBar = R"toml(
# Four-bar linkage: crank, coupler, rocker and the ground, with a coupler point P that draws a curve.
#
#            P
#            o-------.
#           /         `-. B
#          /   coupler _.o
#       A o.-------''     \
#        /                 \  rocker
#  crank/                   \
#     (+) O                 (+) Q
#
# The crank turns all the way round when the shortest link plus the longest is less than the other two together.

jounce  = 1
name    = "@NAME@"
gravity = [0, -9.81]

[parameters]                     # SI units; change them here, or for one run with --set
ground_length  = 0.35            # O to Q
crank_length   = 0.10            # O to A
coupler_length = 0.25            # A to B
rocker_length  = 0.30            # Q to B
speed          = "60*rpm"

[ground]
points = { O = [0, 0], Q = ["ground_length", 0] }

[bodies.crank]
angle    = "45*deg"              # the crank starts where it is drawn
points   = { O = [0, 0], A = ["crank_length", 0] }

[bodies.coupler]
position = [0.07, 0.07]          # by eye; assembly corrects it
angle    = "55*deg"
points   = { A = [0, 0], B = ["coupler_length", 0], P = [0.15, 0.12] }

[bodies.rocker]
position = ["ground_length", 0]
angle    = "115*deg"
points   = { Q = [0, 0], B = ["rocker_length", 0] }

[joints.crank-bearing]
type   = "revolute"
i      = "ground.O"
j      = "crank.O"

[joints.crank-pin]
type   = "revolute"
i      = "crank.A"
j      = "coupler.A"

[joints.rocker-pin]
type   = "revolute"
i      = "coupler.B"
j      = "rocker.B"

[joints.rocker-bearing]
type   = "revolute"
i      = "ground.Q"
j      = "rocker.Q"

[drivers.motor]
type   = "angle"
i      = "ground"
j      = "crank"
motion = "speed*t"

[run]
analysis = "kinematics"
to       = "2*pi/speed"          # one turn
steps    = 200
)toml";

constexpr std::string_view kSliderCrank = R"toml(
# Slider-crank: the mechanism of piston engines, pumps and presses.
#
#          A
#         o-----..___      rod
#  crank /           ```---..___  C
#       /                   +---o---+
#     (+) O  . . . . . . .  | piston|   . . . eccentricity above O
#                           +-------+

jounce  = 1
name    = "@NAME@"
gravity = [0, -9.81]

[parameters]                     # SI units; change them here, or for one run with --set
crank_length = 0.05
rod_length   = 0.20
eccentricity = 0                 # of the piston pin's line above the crankshaft
speed        = "100*rpm"

[ground]
points = { O = [0, 0], P = [0, "eccentricity"], Q = [1, "eccentricity"] }

[bodies.crank]
angle    = "60*deg"              # the crank starts where it is drawn
points   = { O = [0, 0], A = ["crank_length", 0] }

[bodies.rod]
position = [0.025, 0.045]        # by eye; assembly corrects it
angle    = "-10*deg"
points   = { A = [0, 0], C = ["rod_length", 0] }

[bodies.piston]
position = [0.22, "eccentricity"]
points   = { C = [0, 0], F = [0.03, 0] }

[joints.main-bearing]
type   = "revolute"
i      = "ground.O"
j      = "crank.O"

[joints.crank-pin]
type   = "revolute"
i      = "crank.A"
j      = "rod.A"

[joints.piston-pin]
type   = "revolute"
i      = "rod.C"
j      = "piston.C"

[joints.cylinder]
type   = "translational"
slot   = ["ground.P", "ground.Q"]
slider = ["piston.C", "piston.F"]

[drivers.motor]
type   = "angle"
i      = "ground"
j      = "crank"
motion = "speed*t"

[run]
analysis = "kinematics"
to       = "2*pi/speed"          # one turn
steps    = 200
)toml";

constexpr std::string_view kQuickReturn = R"toml(
# Quick return: the crank pin slides in a slotted lever that swings fast one way and slowly the other.
#
#                       o T
#                 O    /
#                (+)--o P        crank, turning counter-clockwise
#                 |  /
#            drop | /  lever
#                (+) Q

jounce  = 1
name    = "@NAME@"
gravity = [0, -9.81]

[parameters]                     # SI units; change them here, or for one run with --set
crank_length = 0.10              # O to P
drop         = 0.25              # O down to Q, more than the crank length
lever_length = 0.50              # Q to T
speed        = "30*rpm"

[ground]
points = { O = [0, 0], Q = [0, "-drop"] }

[bodies.crank]
angle    = 0                     # the crank starts where it is drawn
points   = { O = [0, 0], P = ["crank_length", 0] }

[bodies.lever]
position = [0, "-drop"]
angle    = "70*deg"              # by eye; assembly corrects it
points   = { Q = [0, 0], T = ["lever_length", 0] }

[joints.crank-bearing]
type   = "revolute"
i      = "ground.O"
j      = "crank.O"

[joints.lever-bearing]
type   = "revolute"
i      = "ground.Q"
j      = "lever.Q"

[joints.slot]                    # the crank pin slides along the lever
type   = "pin-in-slot"
slot   = ["lever.Q", "lever.T"]
pin    = "crank.P"

[drivers.motor]
type   = "angle"
i      = "ground"
j      = "crank"
motion = "speed*t"

[run]
analysis = "kinematics"
to       = "2*pi/speed"          # one turn
steps    = 200
)toml";

constexpr std::string_view kScotchYoke = R"toml(
# Scotch yoke: turns a rotation into an exact harmonic motion.
#
#              +---+
#              | | |            the crank pin slides in the vertical slot of the yoke,
#              | o P            the yoke slides along x
#     ---------| | |---------
#          (+) | | |
#           O  +---+

jounce  = 1
name    = "@NAME@"
gravity = [0, -9.81]

[parameters]                     # SI units; change them here, or for one run with --set
crank_length = 0.08
slot_length  = 0.22              # more than two crank lengths
speed        = "120*rpm"

[ground]
points = { O = [0, 0], X = [1, 0] }

[bodies.crank]
angle    = "30*deg"              # the crank starts where it is drawn
points   = { O = [0, 0], P = ["crank_length", 0] }

[bodies.yoke]
position = [0.07, 0]             # by eye; assembly corrects it
points   = { C = [0, 0], F = [0.10, 0], bottom = [0, "-slot_length/2"], top = [0, "slot_length/2"] }

[joints.crank-bearing]
type   = "revolute"
i      = "ground.O"
j      = "crank.O"

[joints.slot]
type   = "pin-in-slot"
slot   = ["yoke.bottom", "yoke.top"]
pin    = "crank.P"

[joints.guide]
type   = "translational"
slot   = ["ground.O", "ground.X"]
slider = ["yoke.C", "yoke.F"]

[drivers.motor]
type   = "angle"
i      = "ground"
j      = "crank"
motion = "speed*t"

[run]
analysis = "kinematics"
to       = "2*pi/speed"          # one turn
steps    = 200
)toml";

constexpr std::string_view kCylinderBoom = R"toml(
# A boom lifted by a hydraulic cylinder: the driver prescribes the length from pin C to pin D.
#
#                      .-o tip
#                  .-'
#         boom .-'  o D
#          .-'    //
#      .-'      //   cylinder
#    (+) O    //
#           (+) C

jounce  = 1
name    = "@NAME@"
gravity = [0, -9.81]

[parameters]                     # SI units; change them here, or for one run with --set
boom_length = 3.0
retracted   = 1.20               # length of the cylinder from pin to pin
stroke      = 0.50

[ground]
points = { O = [0, 0], C = [0.40, -0.50] }

[bodies.boom]
angle    = "10*deg"              # by eye; assembly corrects it
points   = { O = [0, 0], D = [1.30, 0.10], tip = ["boom_length", 0] }

[joints.foot]
type   = "revolute"
i      = "ground.O"
j      = "boom.O"

[drivers.cylinder]               # the cylinder needs no body of its own
type   = "distance"
i      = "ground.C"
j      = "boom.D"
motion = "retracted + stroke*step(t, 0.5, 3.5)"   # a smooth start and stop

[run]
analysis = "kinematics"
to       = 4.0
steps    = 200
)toml";

constexpr std::string_view kBlank = R"toml(
# The smallest mechanism that moves: one arm, one bearing, one motor.

jounce  = 1
name    = "@NAME@"
gravity = [0, -9.81]

[parameters]                     # SI units; change them here, or for one run with --set
length = 0.20

[ground]
points = { O = [0, 0] }

[bodies.arm]                     # add bodies: `position` and `angle` are the drawing, assembly corrects it
angle    = "30*deg"
points   = { O = [0, 0], tip = ["length", 0] }

[joints.bearing]                 # add joints: `jounce types` lists them
type   = "revolute"
i      = "ground.O"
j      = "arm.O"

[drivers.motor]                  # one driver for each motion that the joints leave free: `jounce check` counts them
type   = "angle"
i      = "ground"
j      = "arm"
motion = "2*pi*t"

[run]
analysis = "kinematics"
to       = 1.0
steps    = 100
)toml";

constexpr std::string_view kPendulum = R"toml(
# A pendulum: an arm on a bearing, let go to the side. Nothing drives it: gravity does, and the bearing's grease slows it down.
#
#     (+) O
#       \\
#        \\   arm
#         \\
#          o tip

jounce  = 1
name    = "@NAME@"
gravity = [0, -9.81]

[parameters]                     # SI units; change them here, or for one run with --set
length  = 0.50
mass    = 0.30
grease  = 0.002                  # moment per speed of turning, N m s/rad; 0: it swings for ever

[ground]
points = { O = [0, 0] }

[bodies.arm]
mass     = "mass"
angle    = "-30*deg"             # where it is let go; -90 degrees hangs down
spin     = 0                     # and how fast it turns then, rad/s
points   = { O = [0, 0], tip = ["length", 0] }
shape    = { type = "bar", from = "O", to = "tip" }   # gives the centre of mass and the inertia

[joints.bearing]
type   = "revolute"
i      = "ground.O"
j      = "arm.O"

[forces.friction]
type    = "torsion-spring"
i       = "ground"
j       = "arm"
damping = "grease"

[run]
analysis = "dynamics"            # or try `jounce equilibrium` on this file: where it comes to rest, and how it swings there
to       = 5.0
steps    = 200
)toml";

constexpr std::string_view kSpringMass = R"toml(
# A block on a track, held by a spring and a damper, and shaken by a force that swells up and down.
#
#    |          spring
#    |---/\/\/\/\/\---+-------+
#    |                | block | --> push
#    |-----[==   -----+-------+
#    |  damper           o o
#   (+) O ______________________________ track

jounce  = 1
name    = "@NAME@"
gravity = [0, -9.81]

[parameters]                     # SI units; change them here, or for one run with --set
mass        = 2.0
stiffness   = 80                 # natural frequency sqrt(stiffness/mass)/(2*pi)
damping     = 1.5
free_length = 0.40
push        = 5.0
rate        = 5.0                # of the push, rad/s: near sqrt(stiffness/mass) it resounds

[ground]
points = { O = [0, 0], X = [1, 0] }

[bodies.block]
mass     = "mass"
inertia  = 0.01                  # any value: the track keeps the block from turning
position = ["free_length", 0]
velocity = [0, 0]
points   = { C = [0, 0], F = [0.10, 0] }

[joints.track]
type   = "translational"
slot   = ["ground.O", "ground.X"]
slider = ["block.C", "block.F"]

[forces.coil]                    # spring and damper in one
type        = "spring"
i           = "ground.O"
j           = "block.C"
stiffness   = "stiffness"
damping     = "damping"
free_length = "free_length"

[forces.shaker]
type  = "force"
on    = "block.C"
value = ["push*sin(rate*t)", 0]

[run]
analysis = "dynamics"
to       = 10.0
steps    = 200
)toml";

}  // namespace

std::span<const ModelTemplate> model_templates() {
  static const std::array templates{
      ModelTemplate{"four-bar", "crank, coupler and rocker, with a coupler point that draws a curve", kFourBar},
      ModelTemplate{"slider-crank", "crank, rod and piston, as in engines, pumps and presses", kSliderCrank},
      ModelTemplate{"quick-return", "a crank pin in a slotted lever, fast one way and slow the other", kQuickReturn},
      ModelTemplate{"scotch-yoke", "a crank pin in a sliding yoke: an exact harmonic motion", kScotchYoke},
      ModelTemplate{"cylinder-boom", "a boom lifted by a hydraulic cylinder of given length", kCylinderBoom},
      ModelTemplate{"pendulum", "an arm that swings under gravity: forward dynamics", kPendulum},
      ModelTemplate{"spring-mass", "a block with spring and damper, shaken by a force: forward dynamics", kSpringMass},
      ModelTemplate{"arm", "in space: a robot arm on a turntable, and the torques of its motors", kArm},
      ModelTemplate{"furuta", "in space: a rod that swings at the end of a turning arm: forward dynamics", kFuruta},
      ModelTemplate{"swimmer", "in space: three plates that wave in empty space and turn without momentum", kSwimmer},
      ModelTemplate{"blank", "one arm, one bearing, one motor: to be extended", kBlank},
  };
  return templates;
}

}  // namespace jounce::app
