// What is said of friction of joints that grows with their reactions, where it cannot be found. The plane and space share it.
#pragma once

#include <optional>
#include <string>

#include "jounce/base/fault.hpp"
#include "jounce/mechanism/friction_balance.hpp"

namespace jounce {

/// Why a balance was not found; nothing where it was.
[[nodiscard]] std::optional<Fault> friction_fault(FrictionBalance::Status status, const std::string& joint, Where where);
/// Of a joint whose reaction is not unique.
[[nodiscard]] Fault open_friction(const std::string& joint, Where where);

}  // namespace jounce
