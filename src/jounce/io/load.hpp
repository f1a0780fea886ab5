// From a file to a mechanism, with everything that is wrong reported at once.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <variant>

#include "jounce/base/result.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

/// A parameter set from outside the file: name and expression.
using Override = std::pair<std::string, std::string>;

/// Reads a model file; structural errors and errors of meaning come together, in the order of the file.
[[nodiscard]] Result<Model> read(const std::string& path);

/// Reads a planar model, overrides parameters, evaluates and resolves.
[[nodiscard]] Result<PlaneMechanism> load(const std::string& path, std::span<const Override> overrides = {});
/// The same of a spatial model.
[[nodiscard]] Result<SpaceMechanism> load_space(const std::string& path, std::span<const Override> overrides = {});

using AnyMechanism = std::variant<PlaneMechanism, SpaceMechanism>;
/// Whichever it is.
[[nodiscard]] Result<AnyMechanism> load_any(const std::string& path, std::span<const Override> overrides = {});

}  // namespace jounce
