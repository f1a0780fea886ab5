// Every joint type of space. One line per type; the order is the order of `jounce types` and of the reference.
#pragma once

#include <tuple>

#include "jounce/tree/joint_type.hpp"
#include "jounce/tree/joints/all.hpp"  // what the folder holds; CMake writes it (jounce_umbrella)

namespace jounce::tree {

using Joints = std::tuple<Revolute,     //
                          Prismatic,    //
                          Helical,      //
                          Cylindrical,  //
                          Planar,       //
                          Translation,  //
                          Universal,    //
                          Gimbal,       //
                          Spherical,    //
                          Free,         //
                          Fixed,        //
                          Custom>;

/// Those that close loops and carry nothing.
using Closings = std::tuple<Distance>;

}  // namespace jounce::tree
