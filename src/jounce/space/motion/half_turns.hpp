// Springs of ball and free joints that pass half a turn.
//
// There the spring goes over to the other way round (tree/rotation_spring.hpp): its torque changes its sign. Within a step each spring keeps to its
// way, so that all is smooth; where it comes to be the longer one the step is cut, and the next begins with the other.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/space/mechanism.hpp"
#include "jounce/tree/rotation.hpp"

namespace jounce {

class HalfTurns {
 public:
  explicit HalfTurns(const SpaceMechanism& mechanism);

  [[nodiscard]] bool any() const { return !springs_.empty(); }
  /// Every spring takes the shorter way at these coordinates.
  void begin(std::span<const double> q);
  /// Of each link, the sign of the quaternion from which its spring winds; empty where there is no such spring.
  [[nodiscard]] const std::vector<double>& sides() const { return sides_; }

  /// All coordinates at a time; empty where they have no value.
  using Coordinates = std::function<std::span<const double>(double t)>;
  /// The first time in (from, to] at which a spring is wound by half a turn, and is about to be by more.
  [[nodiscard]] std::optional<double> first(double from, double to, const Coordinates& at);
  /// Those go over to the other way; their joints, by name.
  [[nodiscard]] std::vector<std::string> go_over();

 private:
  struct Spring {
    int link = 0, q = 0;
    tree::Quaternion rest;
    std::string joint;
  };
  /// Of half the angle by which it is wound: negative beyond half a turn.
  [[nodiscard]] double cosine(const Spring& spring, std::span<const double> q) const;

  std::vector<Spring> springs_;
  std::vector<double> sides_;
  std::vector<std::size_t> due_;  // springs that were found to be there
};

}  // namespace jounce
