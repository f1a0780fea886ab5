// One function for each benchmark. Absolute numbers depend on the machine, so each also measures something to compare with.
#pragma once

void bench_kinematics();  ///< a four-bar and chains of them, position to snap
void bench_andrews();     ///< digits against time, beside other solvers on hand-written equations
void bench_fourbars();    ///< dynamics of N four-bars: cost per loop, beside a hand-written program
void bench_loops();       ///< loops in space, side by side and one on the other, beside the plane
void bench_door();        ///< what the Python package is held against, see bench/python_door.py
void bench_expressions(); ///< a spring as expressions beside the built-in one, and a stop that is never touched
void bench_space();       ///< what jerk and snap cost on top of accelerations in space; a Stewart platform a sample
void bench_studio();      ///< what the page of the studio is held against, see bench/studio.mjs
void bench_stiff();       ///< does `automatic` find the method a person would choose, and at what price?
/// Trees in space beside Pinocchio and MuJoCo; `robots`: a folder with iiwa.urdf, hyq.urdf and humanoid.urdf, or null for chains only.
void bench_trees(const char* robots);
/// Accelerations by every formulation against the number of bodies; `csv`: a file for tools/plot_formulations.py, or null.
void bench_formulations(const char* csv);
