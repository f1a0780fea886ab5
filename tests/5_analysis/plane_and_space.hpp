// Where a test of a motion runs: in the plane, and on the same mechanism built again in space, in a plane that lies askew there.
// A test that is a template over both has its assertions once.
#pragma once

#include "analysis_test.hpp"
#include "parity_runs.hpp"

namespace jounce::test {

struct InPlane {
  explicit InPlane(const Model& model) : mechanism(built(model)) {}

  [[nodiscard]] std::string name(const std::string& element) const { return element; }
  /// Of a body's origin or of a point, in the axes of the plane.
  [[nodiscard]] Vec2<double> place(const KinematicsRun& run, std::size_t row, const std::string& point) const {
    return {value(run, row, point + ".x"), value(run, row, point + ".y")};
  }
  /// Of a body, with all its turns.
  [[nodiscard]] double angle(const KinematicsRun& run, std::size_t row, const std::string& body) const { return value(run, row, body + ".phi"); }

  PlaneMechanism mechanism;
};

struct InSpace {
  explicit InSpace(const Model& model) : both(model), mechanism(counterpart(both)) {}

  /// A driver of the plane moves a joint in space, and is named like it.
  [[nodiscard]] std::string name(const std::string& element) const { return both.rebuilt.name_in_space(element); }
  [[nodiscard]] Vec2<double> place(const KinematicsRun& run, std::size_t row, const std::string& point) const {
    const std::array<double, 3> at{value(run, row, point + ".x"), value(run, row, point + ".y"), value(run, row, point + ".z")};
    const double up = both.rebuilt.plane.along(2, at) - oracle::AskewPlane::kHeight;
    REQUIRE(std::abs(up) < kSolved);
    return {both.rebuilt.plane.along(0, at), both.rebuilt.plane.along(1, at)};
  }
  /// The turns of the joints that carry the body.
  [[nodiscard]] double angle(const KinematicsRun& run, std::size_t row, const std::string& body) const {
    for (const oracle::PlanarLink& link : both.rebuilt.links) {
      if (link.loop || both.rebuilt.body(link.child()) != body) continue;
      double turn = link.frame_a.phi - link.frame_b.phi;
      for (std::size_t k = 0; k < link.steps.size(); ++k)
        if (link.steps[k] == 'r' || link.steps[k] == 'R')
          turn += link.sign() * value(run, row, link.name + ".q" + std::to_string(link.dof(static_cast<int>(k))));
      return angle(run, row, both.rebuilt.body(link.parent())) + link.sign() * turn;
    }
    return 0;  // the ground
  }

  parity::Both both;
  const SpaceMechanism& mechanism;

 private:
  static const SpaceMechanism& counterpart(const parity::Both& both) {
    REQUIRE_MESSAGE(both.space.has_value(), both.rebuilt.why_not);
    return *both.space;
  }
};

}  // namespace jounce::test
