// From a file to a mechanism, with everything that is wrong reported at once.
#pragma once

#include <span>
#include <string>

#include "jounce/base/result.hpp"
#include "jounce/io/override.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

/// Reads a model file; structural errors and errors of meaning come together, in the order of the file.
[[nodiscard]] Result<Model> read(const std::string& path);

/// Reads a planar model, overrides parameters, evaluates and resolves.
[[nodiscard]] Result<PlaneMechanism> load_plane(const std::string& path, std::span<const Override> overrides = {});
/// The same of a spatial model.
[[nodiscard]] Result<SpaceMechanism> load_space(const std::string& path, std::span<const Override> overrides = {});

/// Of a file that has been parsed, whichever it is; parameters of its model are overridden. `known`: tables that need not be read again.
[[nodiscard]] Result<PlaneMechanism> build_plane(ReadModel& file, std::span<const Override> overrides, const Tables& known = {});
[[nodiscard]] Result<SpaceMechanism> build_space(ReadModel& file, std::span<const Override> overrides, const Tables& known = {});

}  // namespace jounce
