// What `check` prints for mechanisms in the plane and in space.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "jounce/space/mechanism.hpp"
#include "json.hpp"

namespace jounce::app {

/// "1 equation", "2 equations"
[[nodiscard]] std::string counted(int n, std::string_view one);
/// "  joints       4: 4 revolute"
[[nodiscard]] std::string report_line(std::string_view head, std::string_view text);
/// "4: 3 revolute, 1 translational", types in the order of their first use; "none" of nothing.
[[nodiscard]] std::string types_text(const std::vector<std::string_view>& types);
/// Which equations repeat each other, and whether they agree.
[[nodiscard]] std::string dependent_text(const std::vector<DependentSet>& dependent);
/// Whether it assembles, how far it moved, what stays open. `from`: what it moved from.
[[nodiscard]] std::string assembly_text(bool assembled, double metres, double radians, double residual,
                                        const std::vector<Gap>& gaps, std::string_view from);
[[nodiscard]] Json to_json(const std::vector<DependentSet>& dependent);
[[nodiscard]] Json to_json(const std::vector<Gap>& gaps);

/// `check` of a model in space. `problems`: what loading it has told.
int check_space(const ModelOptions& options, const SpaceMechanism& mechanism, Problems problems);

}  // namespace jounce::app
