// The reader's messages, word for word.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "jounce/io/read_model.hpp"

namespace io_errors_test {

using namespace jounce;

namespace {

struct Wrong {
  std::string model, messages;
};

const std::vector<Wrong> kWrong{
    // clang-format off
    {"",
     "m.toml:1:1: error: jounce: the format version is missing\n"
     "  hint: begin the file with: jounce = 1\n"},
    {"jounce = 2\nbodys = 1\n",
     "m.toml:1:10: error: jounce: this version reads format 1, found 2\n"},
    {"jounce = \"1\"\n",
     "m.toml:1:10: error: jounce: expected the number 1, found a string\n"},
    {"jounce = 1\nspace = \"plain\"\n",
     "m.toml:2:10: error: space: expected \"plane\" or \"3d\", found 'plain'\n"},
    {"jounce = 1\nspace = 3\n",
     "m.toml:2:9: error: space: expected \"plane\" or \"3d\", found an integer\n"},
    {"jounce = 1\n[couplings.x]\n[loops.y]\n[base]\n",
     "m.toml:2:2: error: unknown key 'couplings'\n"
     "  hint: [couplings] belongs to a model in space: space = \"3d\"\n"
     "m.toml:3:2: error: unknown key 'loops'\n"
     "  hint: [loops] belongs to a model in space: space = \"3d\"\n"
     "m.toml:4:2: error: unknown key 'base'\n"
     "  hint: [base] belongs to a model in space: space = \"3d\"\n"},
    {"jounce = 1\nname = 5\n",
     "m.toml:2:8: error: name: expected a string, found an integer\n"},
    {"jounce = 1\nname = \"\"\n",
     "m.toml:2:8: error: name: expected a string, found an empty string\n"},
    {"jounce = 1\nbodys = 1\n",
     "m.toml:2:1: error: unknown key 'bodys' (did you mean 'bodies'?)\n"
     "  hint: a model has the keys jounce, name, space, gravity, parameters, measures, stops, events, ground, bodies, joints, drivers, forces, units, run\n"},
    {"jounce = 1\ngravity = [0, 0, -9.81]\n",
     "m.toml:2:11: error: gravity: expected two numbers [x, y], found an array of 3\n"},
    {"jounce = 1\ngravity = -9.81\n",
     "m.toml:2:11: error: gravity: expected two numbers [x, y], found a number\n"},
    {"jounce = 1\ngravity = [true, nan]\n",
     "m.toml:2:12: error: gravity: expected a number, or an expression in quotes, found a boolean\n"
     "m.toml:2:18: error: gravity: a number must be finite, found nan\n"},
    {"jounce = 1\nbodies = 1\n",
     "m.toml:2:10: error: bodies: expected sections such as [bodies.NAME], found an integer\n"},
    {"jounce = 1\n[[joints]]\ntype = \"revolute\"\n",
     "m.toml:2:1: error: joints: expected sections such as [joints.NAME], found an array of 1\n"},
    {"jounce = 1\n[joints]\nB = \"revolute\"\n",
     "m.toml:3:5: error: joint 'B': expected a section such as [joints.NAME], found a string\n"},
    {"jounce = 1\n[parameters]\na = true\nb = inf\nc = 1e-400\nd = \"\"\n",
     "m.toml:3:5: error: parameter 'a': expected a number, or an expression in quotes, found a boolean\n"
     "m.toml:4:5: error: parameter 'b': a number must be finite, found inf\n"
     "m.toml:5:5: error: parameter 'c': the number is too small for double precision\n"
     "m.toml:6:5: error: parameter 'd': expected a number, or an expression in quotes, found an empty string\n"},
    {"jounce = 1\n[parameters]\n\"a b\" = 1\n",
     "m.toml:3:1: error: parameter 'a b': a name has only letters, digits, '_' and '-'\n"},
    {"jounce = 1\nparameters = 3\n",
     "m.toml:2:14: error: parameters: expected a section [parameters], found an integer\n"},
    {"jounce = 1\n[ground]\nmass = 1\n",
     "m.toml:3:1: error: ground: unknown key 'mass'\n"
     "  hint: the ground is fixed and has only the key points\n"},
    {"jounce = 1\n[ground]\npoints = [0, 0]\n",
     "m.toml:3:10: error: ground: points: expected a table such as { A = [0, 0] }, found an array of 2\n"},
    {"jounce = 1\n[bodies.crank]\nlenght = 1\n",
     "m.toml:3:1: error: body 'crank': unknown key 'lenght'\n"
     "  hint: a body has the keys mass, inertia, com, position, angle, velocity, spin, points, shape\n"},
    {"jounce = 1\n[bodies.crank]\nmas = 1\n",
     "m.toml:3:1: error: body 'crank': unknown key 'mas' (did you mean 'mass'?)\n"
     "  hint: a body has the keys mass, inertia, com, position, angle, velocity, spin, points, shape\n"},
    {"jounce = 1\n[bodies.crank]\nmass = [1]\ncom = 1\nangle = false\nposition = [\"a\", 1979-05-27]\n",
     "m.toml:3:8: error: body 'crank': mass: expected a number, or an expression in quotes, found an array of 1\n"
     "m.toml:4:7: error: body 'crank': com: expected two numbers [x, y], found an integer\n"
     "m.toml:5:9: error: body 'crank': angle: expected a number, or an expression in quotes, found a boolean\n"
     "m.toml:6:18: error: body 'crank': position: expected a number, or an expression in quotes, found a date or time\n"},
    {"jounce = 1\n[bodies.crank]\npoints = { A = [0], com = [0, 0], \"p q\" = [0, 0], B = [0, {}] }\n",
     "m.toml:3:16: error: body 'crank': point 'A': expected two numbers [x, y], found an array of 1\n"
     "m.toml:3:21: error: body 'crank': point 'com': this name is taken: every body has it already\n"
     "m.toml:3:35: error: body 'crank': point 'p q': a name has only letters, digits, '_' and '-'\n"
     "m.toml:3:59: error: body 'crank': point 'B': expected a number, or an expression in quotes, found an empty table\n"},
    {"jounce = 1\n[bodies.crank]\nshape = \"bar\"\n",
     "m.toml:3:9: error: body 'crank': shape: expected a table such as { type = \"bar\", from = \"A\", to = \"B\" }, found a string\n"},
    {"jounce = 1\n[bodies.crank]\nshape = { type = \"ball\" }\n",
     "m.toml:3:19: error: body 'crank': shape: type: unknown shape type 'ball'\n"
     "  hint: the shape types are bar, disc, box\n"},
    {"jounce = 1\n[bodies.crank]\nshape = { type = \"disc\", center = \"A\", centre = 5, radius = [] }\n",
     "m.toml:3:26: error: body 'crank': shape: unknown key 'center' (did you mean 'centre'?)\n"
     "  hint: a 'disc' shape has the keys type, centre, radius\n"
     "m.toml:3:49: error: body 'crank': shape: centre: expected a point of this body such as \"A\", or [x, y], found an integer\n"
     "m.toml:3:61: error: body 'crank': shape: radius: expected a number, or an expression in quotes, found an empty array\n"},
    {"jounce = 1\n[bodies.crank]\nshape = { type = \"box\", centre = [0], size = 0.1 }\n",
     "m.toml:3:34: error: body 'crank': shape: centre: expected two numbers [x, y], found an array of 1\n"
     "m.toml:3:46: error: body 'crank': shape: size: expected a pair of numbers [a, b], found a number\n"},
    {"jounce = 1\n[bodies.ground]\n[joints.t]\ntype = \"weld\"\n",
     "m.toml:2:9: error: body 'ground': this name is taken\n"
     "  hint: these are not free: ground, origin, com, energy, momentum, constraint, t\n"
     "m.toml:3:9: error: joint 't': this name is taken\n"
     "  hint: these are not free: ground, origin, com, energy, momentum, constraint, t\n"},
    {"jounce = 1\n[bodies.\"a.b\"]\n",
     "m.toml:2:9: error: body 'a.b': a name has only letters, digits, '_' and '-'\n"},
    {"jounce = 1\n[joints.crank]\ntype = \"weld\"\n[bodies.crank]\n[forces.crank]\ntype = \"force\"\n",
     "m.toml:4:9: error: body 'crank': this name is already used by joint 'crank' at line 2, column 9\n"
     "  hint: the names of bodies, joints, drivers, forces, measures, stops and events are unique over the whole file\n"
     "m.toml:5:9: error: force 'crank': this name is already used by joint 'crank' at line 2, column 9\n"
     "  hint: the names of bodies, joints, drivers, forces, measures, stops and events are unique over the whole file\n"},
    {"jounce = 1\n[joints.B]\ni = \"crank.A\"\n",
     "m.toml:2:9: error: joint 'B': the type is missing\n"
     "  hint: the joint types are revolute, distance, parallel, pin-in-slot, translational, weld, gear, gear-on-arm, coordinate, rolling, equation, point-on-curve, cam-roller, cam-flat\n"},
    {"jounce = 1\n[joints.B]\ntype = \"revolut\"\n",
     "m.toml:3:9: error: joint 'B': type: unknown joint type 'revolut' (did you mean 'revolute'?)\n"
     "  hint: the joint types are revolute, distance, parallel, pin-in-slot, translational, weld, gear, gear-on-arm, coordinate, rolling, equation, point-on-curve, cam-roller, cam-flat\n"},
    {"jounce = 1\n[drivers.motor]\ntype = 1\n",
     "m.toml:3:8: error: driver 'motor': type: expected the name of a type in quotes, found an integer\n"},
    {"jounce = 1\n[joints.B]\ntype = \"revolute\"\n  i = 5\n",
     "m.toml:4:7: error: joint 'B': i: expected a point such as \"crank.A\", found an integer\n"},
    {"jounce = 1\n[joints.B]\ntype = \"distance\"\nlenght = 5\n",
     "m.toml:4:1: error: joint 'B': unknown key 'lenght' (did you mean 'length'?)\n"
     "  hint: a 'distance' joint has the keys type, i, j, length\n"},
    {"jounce = 1\n[joints.B]\ntype = \"pin-in-slot\"\nslot = \"a.P\"\npin = [\"a.P\", \"a.Q\"]\n",
     "m.toml:4:8: error: joint 'B': slot: expected a line such as [\"crank.A\", \"crank.B\"], found a string\n"
     "m.toml:5:7: error: joint 'B': pin: expected a point such as \"crank.A\", found an array of 2\n"},
    {"jounce = 1\n[joints.B]\ntype = \"parallel\"\ni = [\"a.P\", 5]\nj = [\"a.P\", \"a.Q\", \"a.R\"]\n",
     "m.toml:4:13: error: joint 'B': i: expected a point such as \"crank.A\", found an integer\n"
     "m.toml:5:5: error: joint 'B': j: expected a line such as [\"crank.A\", \"crank.B\"], found an array of 3\n"},
    {"jounce = 1\n[joints.B]\ntype = \"gear\"\ni = 1\nratio = true\nradii = [1]\nmesh = 2\n",
     "m.toml:4:5: error: joint 'B': i: expected the name of a body, or \"ground\", found an integer\n"
     "m.toml:5:9: error: joint 'B': ratio: expected a number, or an expression in quotes, found a boolean\n"
     "m.toml:6:9: error: joint 'B': radii: expected a pair of numbers [a, b], found an array of 1\n"
     "m.toml:7:8: error: joint 'B': mesh: expected \"external\", \"internal\", \"belt\" or \"crossed-belt\", found an integer\n"},
    {"jounce = 1\n[drivers.motor]\ntype = \"angle\"\nmotion = true\n",
     "m.toml:4:10: error: driver 'motor': motion: expected a function of time such as \"100*rpm*t\", or { table = \"file.csv\" }, found a boolean\n"},
    {"jounce = 1\n[drivers.motor]\ntype = \"angle\"\nmotion = { file = \"a.csv\" }\n",
     "m.toml:4:12: error: driver 'motor': motion: unknown key 'file'\n"
     "  hint: a tabulated motion has only the key table\n"},
    {"jounce = 1\n[drivers.motor]\ntype = \"angle\"\nmotion = { table = 5 }\n",
     "m.toml:4:20: error: driver 'motor': motion: table: expected the name of a file such as \"motion.csv\", found an integer\n"},
    {"jounce = 1\n[drivers.motor]\ntype = \"angle\"\nmotion = {}\n",
     "m.toml:4:10: error: driver 'motor': motion: expected a function of time such as \"100*rpm*t\", or { table = \"file.csv\" }, found an empty table\n"},
    {"jounce = 1\n[drivers.motor]\ntype = \"coordinate\"\nj = 1.5\n",
     "m.toml:4:5: error: driver 'motor': j: expected a coordinate: \"body.x\", \"body.y\" or \"body.phi\", found a number\n"},
    {"jounce = 1\n[forces.load]\ntype = \"force\"\non = {}\nvalue = 5\nframe = 1\n",
     "m.toml:4:6: error: force 'load': on: expected a point such as \"crank.A\", found an empty table\n"
     "m.toml:5:9: error: force 'load': value: expected two functions of time [fx, fy], found an integer\n"
     "m.toml:6:9: error: force 'load': frame: expected \"ground\" or \"body\", found an integer\n"},
    {"jounce = 1\n[forces.s]\ntype = \"spring\"\nstiffness = []\nactuator = true\n",
     "m.toml:4:13: error: force 's': stiffness: expected a number, or an expression in quotes, found an empty array\n"
     "m.toml:5:12: error: force 's': actuator: expected an expression of the element's own length or angle, its rate and t, found a boolean\n"},
    {"jounce = 1\n[run]\nanalysis = 1\nto = []\nstep = 300\n",
     "m.toml:3:12: error: [run]: analysis: expected \"kinematics\", \"inverse\", \"dynamics\" or \"equilibrium\", found an integer\n"
     "m.toml:4:6: error: [run]: to: expected a number, or an expression in quotes, found an empty array\n"
     "m.toml:5:1: error: [run]: unknown key 'step' (did you mean 'steps'?)\n"
     "  hint: [run] has the keys analysis, to, steps\n"},
    {"jounce = 1\nrun = 1\n",
     "m.toml:2:7: error: run: expected a section [run], found an integer\n"},
    {"jounce = 1\n[bodies.crank]\nangle = 60*deg\n",
     "m.toml:3:11: error: not valid TOML: expected decimal digit, saw '*' (in a number)\n"
     "  hint: an expression is written in quotes, such as \"60*deg\"\n"},
    {"jounce = 1\n[bodies.crank]\n[bodies.crank]\n",
     "m.toml:3:1: error: 'bodies.crank' is already defined above\n"},
    {"jounce = 1\nname = \"\xFF\"\n",
     "m.toml:2:8: error: the text is not valid UTF-8 from here on\n"},
    {"jounce = 1\nname = \"a\n",
     "m.toml:2:10: error: not valid TOML: a control character, or no closing quote on this line (in a string)\n"},
    // clang-format on
};

// The same in space; the first two lines, which say so, are left out here.
const std::vector<Wrong> kWrongInSpace{
    // clang-format off
    {"[drivers.motor]\ntype = \"angle\"\n",
     "m.toml:3:2: error: unknown key 'drivers'\n"
     "  hint: in space a dof is driven by motion in its joint's dofs\n"},
    {"bodys = 1\n",
     "m.toml:3:1: error: unknown key 'bodys' (did you mean 'bodies'?)\n"
     "  hint: a model has the keys jounce, name, space, gravity, parameters, measures, stops, events, ground, bodies, joints, couplings, loops, base, actuators, forces, units, run\n"},
    {"gravity = [0, -9.81]\n",
     "m.toml:3:11: error: gravity: expected three numbers [x, y, z], found an array of 2\n"},
    {"[ground]\npoints = { A = [0, 0], B = 5, C = {}, D = { xyz = 1, rpz = [0, 0, 0] }, E = [0, 0, true] }\n",
     "m.toml:4:16: error: ground: point 'A': expected three numbers [x, y, z], found an array of 2\n"
     "m.toml:4:28: error: ground: point 'B': expected three numbers [x, y, z], or { xyz = [x, y, z], rpy = [roll, pitch, yaw] }, found an integer\n"
     "m.toml:4:35: error: ground: point 'C': expected three numbers [x, y, z], or { xyz = [x, y, z], rpy = [roll, pitch, yaw] }, found an empty table\n"
     "m.toml:4:51: error: ground: point 'D': xyz: expected three numbers [x, y, z], found an integer\n"
     "m.toml:4:54: error: ground: point 'D': unknown key 'rpz' (did you mean 'rpy'?)\n"
     "  hint: a point has the keys xyz, rpy\n"
     "m.toml:4:84: error: ground: point 'E': expected a number, or an expression in quotes, found a boolean\n"},
    {"[ground]\npoints = [0, 0, 0]\n",
     "m.toml:4:10: error: ground: points: expected a table such as { A = [0, 0, 0] }, found an array of 3\n"},
    {"[bodies.arm]\nposition = [0, 0]\nangle = 1\nvelocity = [0, 0]\nspin = 1\n",
     "m.toml:4:1: error: body 'arm': unknown key 'position'\n"
     "  hint: a body in space is placed by its joint\n"
     "m.toml:5:1: error: body 'arm': unknown key 'angle'\n"
     "  hint: a body in space is placed by its joint\n"
     "m.toml:6:1: error: body 'arm': unknown key 'velocity'\n"
     "  hint: a body in space is placed by its joint\n"
     "m.toml:7:1: error: body 'arm': unknown key 'spin'\n"
     "  hint: a body in space is placed by its joint\n"},
    {"[bodies.arm]\nmas = 1\n",
     "m.toml:4:1: error: body 'arm': unknown key 'mas' (did you mean 'mass'?)\n"
     "  hint: a body in space has the keys mass, inertia, inertia_as_written, com, points, shape, visuals\n"},
    {"[bodies.arm]\nmass = []\ninertia = 0.1\ncom = [0, 0]\n",
     "m.toml:4:8: error: body 'arm': mass: expected a number, or an expression in quotes, found an empty array\n"
     "m.toml:5:11: error: body 'arm': inertia: expected six numbers [ixx, iyy, izz, ixy, ixz, iyz], found a number\n"
     "m.toml:6:7: error: body 'arm': com: expected three numbers [x, y, z], found an array of 2\n"},
    {"[bodies.arm]\nshape = \"rod\"\n",
     "m.toml:4:9: error: body 'arm': shape: expected a table such as { type = \"rod\", from = \"A\", to = \"B\" }, found a string\n"},
    {"[bodies.arm]\nshape = { type = \"disc\" }\n",
     "m.toml:4:19: error: body 'arm': shape: type: unknown shape type 'disc'\n"
     "  hint: the shape types in space are rod, box, cylinder, sphere\n"},
    {"[bodies.arm]\nshape = { type = \"box\", centre = [0, 0], size = [1, 2], angle = 1 }\n",
     "m.toml:4:34: error: body 'arm': shape: centre: expected three numbers [x, y, z], found an array of 2\n"
     "m.toml:4:49: error: body 'arm': shape: size: expected three numbers [x, y, z], found an array of 2\n"
     "m.toml:4:57: error: body 'arm': shape: unknown key 'angle'\n"
     "  hint: a 'box' shape has the keys type, centre, size, rpy\n"},
    {"[bodies.arm]\nshape = { type = \"sphere\", centre = 5 }\n",
     "m.toml:4:37: error: body 'arm': shape: centre: expected a point of this body such as \"A\", or [x, y, z], found an integer\n"},
    {"[joints.B]\ntype = \"glued\"\n",
     "m.toml:4:9: error: joint 'B': type: unknown joint type 'glued'\n"
     "  hint: the joint types in space are revolute, prismatic, helical, cylindrical, planar, translation, universal, gimbal, spherical, free, fixed, custom, equation\n"},
    {"[joints.B]\ntype = \"spring\"\n",
     "m.toml:4:9: error: joint 'B': type: 'spring' is a force type, not a joint type\n"
     "  hint: the joint types in space are revolute, prismatic, helical, cylindrical, planar, translation, universal, gimbal, spherical, free, fixed, custom, equation\n"},
    {"[joints.B]\ntype = \"revolute\"\nslot = \"ground.O\"\n",
     "m.toml:5:1: error: joint 'B': unknown key 'slot'\n"
     "  hint: a 'revolute' joint has the keys type, parent, child, origin, child_origin, axis, q, v, dofs, friction\n"},
    {"[joints.B]\ntype = \"spherical\"\naxis = [0, 0, 1]\n",
     "m.toml:5:1: error: joint 'B': unknown key 'axis'\n"
     "  hint: a 'spherical' joint has the keys type, parent, child, origin, child_origin, q, v, dofs, motion\n"},
    {"[joints.B]\ntype = \"fixed\"\nq = []\n",
     "m.toml:5:1: error: joint 'B': unknown key 'q'\n"
     "  hint: a 'fixed' joint has the keys type, parent, child, origin, child_origin\n"},
    {"[joints.B]\ntype = \"helical\"\nparent = 1\norigin = [0, 0, 1]\nchild_origin = {}\naxis = [0, 1]\npitch = true\nq = 0.3\nv = []\n",
     "m.toml:5:10: error: joint 'B': parent: expected the name of a body, or \"ground\", found an integer\n"
     "m.toml:6:10: error: joint 'B': origin: expected a placement such as { xyz = [0, 0, 1], rpy = [0, 0, 0] }, found an array of 3\n"
     "m.toml:7:16: error: joint 'B': child_origin: expected a placement such as { xyz = [0, 0, 1], rpy = [0, 0, 0] }, found an empty table\n"
     "m.toml:8:8: error: joint 'B': axis: expected three numbers [x, y, z], found an array of 2\n"
     "m.toml:9:9: error: joint 'B': pitch: expected a number, or an expression in quotes, found a boolean\n"
     "m.toml:10:5: error: joint 'B': q: expected a list of numbers such as [0.3], found a number\n"
     "m.toml:11:5: error: joint 'B': v: expected a list of numbers such as [0.3], found an empty array\n"},
    {"[joints.B]\ntype = \"revolute\"\norigin = { xyz = [0, 0], pry = [0, 0, 0] }\nq = [{}]\n",
     "m.toml:5:18: error: joint 'B': origin: xyz: expected three numbers [x, y, z], found an array of 2\n"
     "m.toml:5:26: error: joint 'B': origin: unknown key 'pry' (did you mean 'rpy'?)\n"
     "  hint: a placement has the keys xyz, rpy\n"
     "m.toml:6:6: error: joint 'B': q: expected a number, or an expression in quotes, found an empty table\n"},
    {"[joints.B]\ntype = \"cylindrical\"\ndofs = { stiffness = 3 }\n",
     "m.toml:5:8: error: joint 'B': dofs: expected a list with a table for each dof such as [ { stiffness = 3, damping = 0.1 } ], found a table\n"},
    {"[joints.B]\ntype = \"cylindrical\"\ndofs = [ 5, { stifness = 3, torque = { table = \"a.csv\" }, motion = [], rest = \"\" } ]\n",
     "m.toml:5:10: error: joint 'B': dofs: dof 1: expected a table such as { stiffness = 3, damping = 0.1 }, found an integer\n"
     "m.toml:5:15: error: joint 'B': dofs: dof 2: unknown key 'stifness' (did you mean 'stiffness'?)\n"
     "  hint: a dof has the keys stiffness, damping, friction, friction_speed, limits, rest, torque, motion\n"
     "m.toml:5:38: error: joint 'B': dofs: dof 2: torque: expected a function of time such as \"5*sin(2*pi*t)\", found a table\n"
     "m.toml:5:68: error: joint 'B': dofs: dof 2: motion: expected a function of time such as \"100*rpm*t\", or { table = \"file.csv\" }, found an empty array\n"
     "m.toml:5:79: error: joint 'B': dofs: dof 2: rest: expected a number, or an expression in quotes, found an empty string\n"},
    {"[joints.B]\ntype = \"custom\"\nscrews = [0, 0, 1, 0, 0, 0]\n",
     "m.toml:5:11: error: joint 'B': screws: screw 1: expected six numbers [wx, wy, wz, ux, uy, uz], found an integer\n"
     "m.toml:5:14: error: joint 'B': screws: screw 2: expected six numbers [wx, wy, wz, ux, uy, uz], found an integer\n"
     "m.toml:5:17: error: joint 'B': screws: screw 3: expected six numbers [wx, wy, wz, ux, uy, uz], found an integer\n"
     "m.toml:5:20: error: joint 'B': screws: screw 4: expected six numbers [wx, wy, wz, ux, uy, uz], found an integer\n"
     "m.toml:5:23: error: joint 'B': screws: screw 5: expected six numbers [wx, wy, wz, ux, uy, uz], found an integer\n"
     "m.toml:5:26: error: joint 'B': screws: screw 6: expected six numbers [wx, wy, wz, ux, uy, uz], found an integer\n"},
    {"[joints.B]\ntype = \"custom\"\nscrews = \"z\"\n",
     "m.toml:5:10: error: joint 'B': screws: expected a list of screws such as [[0, 0, 1, 0, 0, 0]], found a string\n"},
    {"[couplings.c]\ntype = \"gear\"\ni = 1\nj = []\nratio = {}\n",
     "m.toml:4:1: error: coupling 'c': unknown key 'type'\n"
     "  hint: a coupling has the keys i, j, ratio, offset\n"
     "m.toml:5:5: error: coupling 'c': i: expected a joint such as \"knuckle\", or one of its dofs such as \"knuckle.2\", found an integer\n"
     "m.toml:6:5: error: coupling 'c': j: expected a joint such as \"knuckle\", or one of its dofs such as \"knuckle.2\", found an empty array\n"
     "m.toml:7:9: error: coupling 'c': ratio: expected a number, or an expression in quotes, found an empty table\n"},
    {"couplings = 1\n[loops]\na = 5\n",
     "m.toml:3:13: error: couplings: expected sections such as [couplings.NAME], found an integer\n"
     "m.toml:5:5: error: loop 'a': expected a section such as [loops.NAME], found an integer\n"},
    {"[loops.c]\ntype = \"free\"\n[loops.d]\ni = \"arm.P\"\n",
     "m.toml:4:9: error: loop 'c': type: 'free' is a joint type, not a loop type\n"
     "  hint: the loop types in space are revolute, prismatic, helical, cylindrical, planar, translation, universal, gimbal, spherical, fixed, custom, distance\n"
     "m.toml:5:8: error: loop 'd': the type is missing\n"
     "  hint: the loop types in space are revolute, prismatic, helical, cylindrical, planar, translation, universal, gimbal, spherical, fixed, custom, distance\n"},
    {"[loops.c]\ntype = \"revolute\"\ni = [\"arm.P\"]\nq = [0]\n",
     "m.toml:5:5: error: loop 'c': i: expected a point such as \"crank.A\", found an array of 1\n"
     "m.toml:6:1: error: loop 'c': unknown key 'q'\n"
     "  hint: a 'revolute' loop has the keys type, i, j, axis\n"},
    {"[base]\nstart_momentum = \"nought\"\nstart = 1\n",
     "m.toml:4:19: error: [base]: start_momentum: expected \"zero\" or \"impulsive\", found 'nought'\n"
     "m.toml:5:1: error: [base]: unknown key 'start' (did you mean 'start_momentum'?)\n"
     "  hint: [base] has only the key start_momentum\n"},
    {"[base]\nstart_momentum = 0\n",
     "m.toml:4:18: error: [base]: start_momentum: expected \"zero\" or \"impulsive\", found an integer\n"},
    {"base = \"zero\"\n",
     "m.toml:3:8: error: base: expected a section [base], found a string\n"},
    {"[forces.f]\ntype = \"force\"\non = 1\nvalue = [0, 0]\n[forces.w]\ntype = \"wrench\"\nvalue = [0, 0, 0]\n",
     "m.toml:5:6: error: force 'f': on: expected a point such as \"crank.A\", found an integer\n"
     "m.toml:6:9: error: force 'f': value: expected three functions of time [x, y, z], found an array of 2\n"
     "m.toml:9:9: error: force 'w': value: expected six functions of time [nx, ny, nz, fx, fy, fz], found an array of 3\n"},
    {"[forces.f]\ntype = \"torsion-spring\"\n",
     "m.toml:4:9: error: force 'f': type: unknown force type 'torsion-spring'\n"
     "  hint: the force types in space are force, moment, wrench, spring, motor, bushing\n"},
    {"[joints.a]\ntype = \"fixed\"\n[couplings.a]\n[loops.a]\ntype = \"fixed\"\n[bodies.b]\n[loops.b]\ntype = \"fixed\"\n",
     "m.toml:5:12: error: coupling 'a': this name is already used by joint 'a' at line 3, column 9\n"
     "  hint: the names of bodies, joints, couplings, loops, forces, measures, stops and events are unique over the whole file\n"
     "m.toml:6:8: error: loop 'a': this name is already used by joint 'a' at line 3, column 9\n"
     "  hint: the names of bodies, joints, couplings, loops, forces, measures, stops and events are unique over the whole file\n"
     "m.toml:9:8: error: loop 'b': this name is already used by body 'b' at line 8, column 9\n"
     "  hint: the names of bodies, joints, couplings, loops, forces, measures, stops and events are unique over the whole file\n"},
    // clang-format on
};

}  // namespace

TEST_CASE("every wrong model gets its message, at its place") {
  // oracle: the sentences a user should read, lines and columns counted by hand
  for (const Wrong& wrong : kWrong) {
    CAPTURE(wrong.model);
    CHECK(text(parse_model(wrong.model, "m.toml").problems) == wrong.messages);
  }
}

TEST_CASE("every wrong model in space gets its message, at its place") {
  // oracle: the sentences a user should read, lines and columns counted by hand
  for (const Wrong& wrong : kWrongInSpace) {
    CAPTURE(wrong.model);
    CHECK(text(parse_model("jounce = 1\nspace = \"3d\"\n" + wrong.model, "m.toml").problems) == wrong.messages);
  }
}

TEST_CASE("all errors of a file are reported in the order of the file") {
  // oracle: by hand; the name claimed twice is found last and reported first
  const std::string model =
      "jounce = 1\n"
      "[forces.crank]\n"
      "type = \"force\"\n"
      "[bodies.crank]\n"
      "mass = true\n"
      "[run]\n"
      "stepps = 3\n"
      "[joints.B]\n"
      "type = \"revolute\"\n"
      "i = 5\n"
      "[parameters]\n"
      "a = []\n";
  CHECK(text(parse_model(model, "m.toml").problems) ==
        "m.toml:4:9: error: body 'crank': this name is already used by force 'crank' at line 2, column 9\n"
        "  hint: the names of bodies, joints, drivers, forces, measures, stops and events are unique over the whole file\n"
        "m.toml:5:8: error: body 'crank': mass: expected a number, or an expression in quotes, found a boolean\n"
        "m.toml:7:1: error: [run]: unknown key 'stepps' (did you mean 'steps'?)\n"
        "  hint: [run] has the keys analysis, to, steps\n"
        "m.toml:10:5: error: joint 'B': i: expected a point such as \"crank.A\", found an integer\n"
        "m.toml:12:5: error: parameter 'a': expected a number, or an expression in quotes, found an empty array\n");
}

TEST_CASE("the first of two equal names is the one that stands first, whatever the order of the sections") {
  // oracle: by hand
  const std::string model =
      "jounce = 1\n[joints.A]\ntype = \"weld\"\n[bodies.crank]\n[bodies.rod]\n[joints.crank]\ntype = \"weld\"\n";
  const Problems problems = parse_model(model, "m.toml").problems;
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].sentence == "joint 'crank': this name is already used by body 'crank' at line 4, column 9");
  CHECK(problems[0].where == Where{6, 9});
}

TEST_CASE("a parameter may have the name of a body, and bodies may share names of points") {
  // oracle: the example of the interface does both
  const char* model =
      "jounce = 1\n[parameters]\ncrank = 1\n[bodies.crank]\npoints = { A = [0, 0] }\n"
      "[bodies.rod]\npoints = { A = [0, 0], crank = [0, 0] }\n";
  CHECK(parse_model(model, "m.toml").problems.empty());
}

TEST_CASE("a model without a name is called like its file") {
  // oracle: by hand
  CHECK(parse_model("jounce = 1\n", "some/where/four-bar.toml").model.name == "four-bar");
  CHECK(parse_model("jounce = 1\nname = \"Four-bar\"\n", "x.toml").model.name == "Four-bar");
  CHECK(parse_model("jounce = 1\n", "some/where/four-bar.toml").model.file == "some/where/four-bar.toml");
}

TEST_CASE("a file that cannot be read is an error without a place") {
  // oracle: the system's own words
  CHECK(text(parse_model_file("no/such/model.toml").problems) ==
        "no/such/model.toml: error: cannot read the file: No such file or directory\n");
  const std::string folder = std::filesystem::temp_directory_path().string();
  CHECK(text(parse_model_file(folder).problems) == folder + ": error: cannot read the file: Is a directory\n");
}

}  // namespace io_errors_test
