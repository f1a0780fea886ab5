// Random trees of every joint type, with random states: the same ones in every run.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "jounce/tree/registry.hpp"
#include "jounce/tree/tree.hpp"

namespace jounce_test {

struct RandomTree {
  jounce::tree::Tree tree;
  std::vector<jounce::tree::Attached> joints;
  std::vector<double> q, v, a, tau;
  std::vector<std::uint8_t> active;
};

class TreeMaker {
 public:
  explicit TreeMaker(unsigned seed) : random_(seed) {}

  double number(double from = -1, double to = 1) { return std::uniform_real_distribution<double>(from, to)(random_); }
  jounce::Vec3<double> vector(double size = 1) { return {size * number(), size * number(), size * number()}; }
  jounce::Vec3<double> direction() {
    const auto a = vector();
    return a * (1 / length(a));
  }
  jounce::Frame<double> frame() { return {jounce::from_rpy(vector(3)), vector(0.5)}; }

  // A body made of three point masses and a round core: always physical.
  jounce::tree::RigidInertia inertia() {
    const double core = number(0.01, 0.05);
    jounce::tree::RigidInertia sum = jounce::tree::rigid_inertia(number(0.3, 1), vector(0.2), {core, core, core, 0, 0, 0});
    for (int k = 0; k < 3; ++k) sum = sum + jounce::tree::rigid_inertia(number(0.1, 0.5), vector(0.4), {});
    return sum;
  }

  jounce::tree::JointShape shape() {
    jounce::tree::JointShape out{.axis = direction(), .pitch = number(-0.3, 0.3)};
    for (int k = 0; k < 2; ++k) {
      const auto w = vector(), u = vector();
      out.screws.push_back({w.x, w.y, w.z, u.x, u.y, u.z});
    }
    return out;
  }

  // One body of each given type, each on a random earlier one (or on the one before: a chain).
  RandomTree tree(const std::vector<std::string>& types, bool chain = false) {
    using namespace jounce::tree;
    RandomTree out;
    out.tree.gravity = {number(-3, 3), number(-3, 3), -9.81};
    for (std::size_t b = 0; b < types.size(); ++b) {
      const JointType* type = find_joint_type(types[b]);
      const std::vector<Step> steps = type->steps(shape());
      const auto i = static_cast<int>(b);
      const int on = b == 0 ? -1 : chain ? i - 1 : std::uniform_int_distribution<int>(-1, i - 1)(random_);
      const int parent = on < 0 ? kGround : out.joints[static_cast<std::size_t>(on)].last;
      const Attached joint = attach(out.tree, parent, frame(), steps);
      out.tree.load(joint.last, joint.successor, inertia());
      out.joints.push_back(joint);
    }
    for (int k = 0; k < out.tree.coordinates(); ++k) out.q.push_back(number(-1.5, 1.5));
    normalise(out.tree, out.q);
    for (int k = 0; k < out.tree.dofs(); ++k) {
      out.v.push_back(number(-2, 2));
      out.a.push_back(number(-2, 2));
      out.tau.push_back(number(-2, 2));
      out.active.push_back(number() > 0.2 ? 1 : 0);
    }
    return out;
  }

  // Between 1 and 8 bodies.
  RandomTree any(bool plain_only = false) {
    std::vector<std::string> all;
    for (const auto& type : jounce::tree::joint_types())
      if (!plain_only || (type.type != "spherical" && type.type != "free")) all.emplace_back(type.type);
    std::vector<std::string> types;
    const int n = std::uniform_int_distribution<int>(1, 8)(random_);
    for (int b = 0; b < n; ++b) types.push_back(all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random_)]);
    return tree(types, number() > 0);
  }

 private:
  std::mt19937 random_;
};

}  // namespace jounce_test
