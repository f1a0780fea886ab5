// How the links of a robot hang together.
#pragma once

#include <optional>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/io/urdf/urdf_robot.hpp"

namespace jounce::urdf {

/// Links and joints by their index in the robot.
struct Tree {
  std::size_t root = 0;
  std::vector<std::size_t> parent, child;            ///< links, by joint
  std::vector<std::size_t> order;                    ///< the joints, each after the one that holds its parent
  std::vector<double> start;                         ///< by joint: where mimics put it when every other joint is at zero
  std::vector<std::optional<std::size_t>> mimicked;  ///< by joint: the joint that it mimics
};

/// One tree with one root and no loops, names that are used once and refer to something; otherwise `problems` says where not.
[[nodiscard]] std::optional<Tree> find_tree(const Robot& robot, Problems& problems, Remarks& remarks);

}  // namespace jounce::urdf
