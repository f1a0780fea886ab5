// Friction of joints that grows with their reactions, in the plane: what it grows with, and what it acts along. Found together with the reactions by
// mechanism/friction_balance.hpp.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/base/fault.hpp"
#include "jounce/mechanism/joint_friction.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

/// An equation of a joint that is a length: its multiplier times `newtons` is a component of the force that the joint carries.
struct LoadRow {
  int row = 0;
  double newtons = 1;
};
/// One list for each of the system's `rubbing()`. The moment of a guide is not among them.
[[nodiscard]] std::vector<std::vector<LoadRow>> load_rows(const PlanarSystem& system);

/// The force that a joint carries.
[[nodiscard]] JointLoad joint_load(std::span<const LoadRow> rows, std::span<const double> lambda);
/// Its size, one for each signal of the system; 0 for those that are no friction of joints.
void friction_loads(const PlanarSystem& system, std::span<const std::vector<LoadRow>> rows, std::span<const double> lambda, std::span<double> out);

/// The generalized force of a signal of 1, whatever its law says.
void unit_friction(const PlanarSystem& system, int signal, std::span<const double> q, std::span<double> out);

/// Why a balance was not found; nothing where it was.
[[nodiscard]] std::optional<Fault> friction_fault(const PlanarSystem& system, FrictionBalance::Status status, const FrictionBalance& balance);
/// Friction that grows with a reaction which redundant equations leave open; nothing where there is none. `open`: names of joints.
[[nodiscard]] std::optional<Fault> open_friction(const PlanarSystem& system, std::span<const std::string> open);

}  // namespace jounce
