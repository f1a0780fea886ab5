#pragma once

#include <jounce/tree.hpp>
#include <vector>

// A two-link arm in space: a shoulder that swings two ways, about x and then y, and an elbow.
inline jounce::tree::Tree arm() {
  using namespace jounce::tree;
  Tree tree;
  tree.gravity = {0, 0, -9.81};
  const JointType& universal = *find_joint_type("universal");
  const Attached shoulder = attach(tree, kGround, {}, universal.steps({}));
  tree.load(shoulder.last, shoulder.successor, rigid_inertia(2.0, {0, 0, 0.2}, {0.03, 0.03, 0.002, 0, 0, 0}));

  const jounce::Frame<double> end{jounce::identity3(), {0, 0, 0.4}};  // of the upper arm, where the elbow sits
  const Attached elbow = attach(tree, shoulder.last, shoulder.successor * end, std::vector{turning({0, 1, 0}, 0)});
  tree.load(elbow.last, elbow.successor, rigid_inertia(1.0, {0, 0, 0.15}, {0.01, 0.01, 0.001, 0, 0, 0}));
  return tree;
}

// The efforts that hold the arm still at q, and how it accelerates when the elbow's motor fails.
inline std::vector<double> fall(const jounce::tree::Tree& tree, const std::vector<double>& q) {
  using namespace jounce::tree;
  Workspace<double> work(tree);  // made once; the algorithms allocate nothing
  const std::vector<double> still(3);
  std::vector<double> tau(3), qdd(3);
  rnea<double>(tree, work, q.data(), still.data(), still.data(), tau.data());
  tau[2] = 0;
  aba<double>(tree, work, q.data(), still.data(), tau.data(), qdd.data());
  return qdd;
}

// The same with the shoulder held as by an ideal motor: its dofs are active, their accelerations (zero) are given, and
// `efforts` says what holding them takes.
inline std::vector<double> fall_of_elbow(const jounce::tree::Tree& tree, const std::vector<double>& q) {
  using namespace jounce::tree;
  Workspace<double> work(tree);
  const std::vector<double> none(3);
  const std::vector<std::uint8_t> active{1, 1, 0};
  std::vector<double> qdd(3), tau(3);
  hybrid<double>(tree, work, q.data(), none.data(), none.data(), active.data(), qdd.data());
  efforts<double>(tree, work, tau.data());
  return {qdd[2], tau[0], tau[1]};
}
