// "Did you mean": the known name nearest to a misspelt one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jounce {

/// The candidate at the smallest edit distance (insert, delete, replace, swap neighbours), if it is near enough to be meant.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view word, std::span<const std::string> candidates);

/// "a, b, c", or "none" for an empty list; cut after `at_most` names with "and N more".
[[nodiscard]] std::string join_names(std::span<const std::string> names, std::size_t at_most = 12);

}  // namespace jounce
